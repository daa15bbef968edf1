"""Drawings of how rankings of systems agree: scatters, a tau matrix, intervals, lost judgements.

The first four take tables and know nothing of the paper; then come those that it has a name for:
its figures from any collection, the chapter's control and the chapter's finding.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy.cluster.hierarchy import dendrogram

from lib.collection import Collection, load
from lib.display.figures import INK, PALETTE, Figure, label_lines, measure_style, style, subplots
from lib.display.prose import estimate
from lib.display.svg import add_tooltips
from lib.measures import means
from lib.paper import Bounds
from lib.papers.thom2007.tables import MEASURES, figures, fits, table1
from lib.published import lookup
from lib.statistics.families import cut, tree

__all__ = ["degradation", "draw_figures", "draw_finding", "intervals", "matrix", "scatters"]

DOT: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 3.4,
    "markeredgewidth": 0.2,
    "markeredgecolor": "white",  # parts dots that overlap
}


def scatters(
    points: pd.DataFrame,
    lines: pd.DataFrame,
    *,
    caption: str,
    groups: pd.Series | None = None,
    columns: int = 3,
    data: pd.DataFrame | bool | None = None,
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw the systems' means by pairs of measures, a panel a pair, with the line of best fit.

    Parameters
    ----------
    points, lines : DataFrame
        From :func:`~lib.papers.thom2007.tables.figures` and
        :func:`~lib.papers.thom2007.tables.fits`.
    caption : str
    groups : Series, optional
        System to the name of its group; each group has a colour.
    columns : int
        Panels beside each other.
    data : DataFrame or False, optional
        The numbers behind the drawing, by default the points; False: they are shown elsewhere.
    limits : pair of float, optional
        Ends of all axes, by default those of the points.

    Returns
    -------
    lib.display.figures.Figure
    """
    numbers = list(lines.index)
    rows = -(-len(numbers) // columns)
    with style():
        drawing, grid = subplots(
            rows,
            columns,
            width="column" if columns == 1 else "wide",
            height=3.2 if columns == 1 else 2.5 * rows,
            squeeze=False,
        )
        for axes in grid.flat[len(numbers) :]:
            axes.set_visible(False)
        for number, axes in zip(numbers, grid.flat):
            _scatter(axes, points[points["figure"] == number], lines.loc[number], groups)
            axes.set(xlim=limits, ylim=limits)
        if groups is not None:
            grid.flat[0].legend(loc="lower right", handletextpad=0.1)
    if data is None:
        data = points.set_index(["figure", "system"])[["x", "y"]]
    taus = ", ".join(f"{fit.x} and {fit.y} {fit.tau:.2f}" for fit in lines.itertuples())
    return Figure(
        drawing,
        caption=caption,
        formats=".4f",
        alt=f"Scatter plots of systems with a rising line each; tau of {taus}.",
        data=None if data is False else data,
    )


def _scatter(axes: Axes, dots: pd.DataFrame, fit: pd.Series, groups: pd.Series | None) -> None:
    """Draw one panel: a point a system, and the line from the leftmost to the rightmost."""
    dots = dots.sort_values("x")
    if groups is None:
        add_tooltips(axes.plot(dots["x"], dots["y"], color=PALETTE[0], **DOT), dots["system"])
    else:
        of_system = groups[dots["system"]].to_numpy()
        for color, name in zip(PALETTE, sorted(set(of_system))):
            mine = dots[of_system == name]
            drawn = axes.plot(mine["x"], mine["y"], color=color, label=name, **DOT)
            add_tooltips(drawn, mine["system"])
    ends = np.array([dots["x"].min(), dots["x"].max()])
    axes.plot(ends, fit["intercept"] + fit["slope"] * ends, color="black", linewidth=1)
    name = f"{fit.name}: " if str(fit.name).isdecimal() else ""
    tau = estimate(fit["tau"], fit.get("low"), fit.get("high"))
    axes.set(xlabel=fit["x"], ylabel=fit["y"], title=f"{name}tau {tau}")


def matrix(
    tau: pd.DataFrame, *, caption: str, clusters: int = 2, method: str = "average"
) -> Figure:
    """Draw a tau matrix as a heat map, its measures in the order of their tree, which stands above.

    Parameters
    ----------
    tau : DataFrame (measures x measures)
    caption : str
    clusters : int
        Families that gaps set apart.
    method
        As for :func:`lib.statistics.families.tree`.

    Returns
    -------
    lib.display.figures.Figure
        With the matrix as its numbers.
    """
    links = tree(tau, method=method)
    families = cut(links, list(tau.columns), clusters)
    ordered = tau.loc[families.index, families.index]
    n = len(tau)
    with style():
        drawing, (top, axes) = subplots(
            2, 1, width="wide", height=2.5 + 0.21 * n, height_ratios=[1, 1 + 0.2 * n]
        )
        dendrogram(links, ax=top, no_labels=True, color_threshold=0, above_threshold_color="black")
        top.set(ylabel="1 \u2212 tau", xlim=(0, 10 * n))
        top.grid(False)
        top.spines["bottom"].set_visible(False)
        lowest = np.floor(5 * ordered.to_numpy().min()) / 5
        image = axes.pcolormesh(ordered, cmap="cividis", vmin=lowest, vmax=1)
        words = [
            f"with {one} {value:.2f}"
            for row in ordered.to_numpy()
            for one, value in zip(ordered, row)
        ]
        add_tooltips(image, np.repeat(ordered.index, n), words=words)
        places = np.arange(n) + 0.5
        axes.set_xticks(places, ordered.columns, rotation=90)
        axes.set_yticks(places, ordered.index)
        axes.tick_params(length=0)
        axes.invert_yaxis()
        axes.grid(False)
        for border in np.flatnonzero(np.diff(families)) + 1:
            axes.axhline(border, color="white", linewidth=2)
            axes.axvline(border, color="white", linewidth=2)
        drawing.colorbar(image, ax=axes, label="tau", shrink=0.6)
    named = [", ".join(families.index[families == family]) for family in families.unique()]
    return Figure(
        drawing,
        caption=caption,
        data=ordered,
        formats=".2f",
        alt=f"Heat map of tau between {n} measures with a tree above. The {clusters} families: "
        + "; ".join(named)
        + ".",
    )


def intervals(
    frame: pd.DataFrame, *, caption: str, formats: str | Mapping[str, str] = ".3f"
) -> Figure:
    """Draw taus with their intervals, one line a pair of measures.

    Parameters
    ----------
    frame : DataFrame, index (one, other)
        Columns tau, low and high, as of :meth:`lib.statistics.bootstrap.TauBootstrap.intervals`.
    caption : str
    formats : str or mapping
        How the numbers behind the drawing are written.

    Returns
    -------
    lib.display.figures.Figure
    """
    names = [f"{one} and {other}" for one, other in frame.index]
    places = np.arange(len(frame))[::-1]
    with style():
        drawing, axes = subplots(height=0.6 + 0.32 * len(frame))
        axes.hlines(places, frame["low"], frame["high"], color=INK, linewidth=1.2)
        told = [f"{row.low:.3f} to {row.high:.3f}" for row in frame.itertuples()]
        add_tooltips(axes.plot(frame["tau"], places, "o", color=INK), names, tell="x", words=told)
        axes.set_yticks(places, names)
        axes.set(xlabel="tau", xlim=(min(0, frame["low"].min()), 1))
    said = "; ".join(
        f"{name} {row.low:.2f} to {row.high:.2f}" for name, row in zip(names, frame.itertuples())
    )
    return Figure(
        drawing, caption=caption, alt=f"Intervals of tau: {said}.", data=frame, formats=formats
    )


def degradation(taus: pd.DataFrame, *, against: str, label: str, caption: str) -> Figure:
    """Draw how rankings hold up with fewer judgements, one line a measure.

    Parameters
    ----------
    taus : DataFrame
        From :func:`lib.statistics.incomplete.degradation`.
    against : {"own", "all", "same"}
        The column of taus to draw.
    label : str
        Label of the vertical axis.
    caption : str

    Returns
    -------
    lib.display.figures.Figure
    """
    wide = taus.pivot(index="share", columns="measure", values=against)
    wide = wide[list(dict.fromkeys(taus["measure"]))].sort_index(ascending=False)
    with style():
        drawing, axes = subplots(height=3.6)
        for name in wide:
            line = axes.plot(
                wide.index, wide[name], markersize=4, label=name, **measure_style(name)
            )
            told = [f"{share:.0%} kept" for share in wide.index]
            add_tooltips(line, name, tell="y", words=told)
        axes.set_xscale("log")
        axes.invert_xaxis()
        ticks = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
        axes.set_xticks(ticks, [f"{tick:.0%}" for tick in ticks])
        axes.minorticks_off()
        axes.set(xlabel="judgements kept", ylabel=label)
        label_lines(axes)
    last = ", ".join(f"{name} {value:.2f}" for name, value in wide.iloc[-1].items())
    return Figure(
        drawing,
        caption=caption,
        formats=".3f",
        data=wide.set_axis([f"{share:.0%}" for share in wide.index]).rename_axis("kept"),
        alt=f"Lines over ever fewer judgements; at {wide.index[-1]:.0%}: {last}.",
    )


def draw_figures(collection: Collection, bounds: Bounds | None = None) -> Figure:
    """Draw Figures 1 to 7 from a collection: the systems' means by pairs of measures.

    Parameters
    ----------
    collection : Collection
    bounds : callable, optional
        What computes intervals over topics, for the taus; see :data:`lib.paper.Bounds`.

    Returns
    -------
    lib.display.figures.Figure
    """
    scores = means(collection, MEASURES)
    points = figures(scores)
    lines = fits(points)
    caption = (
        "The systems' means by pairs of "
        f"measures over {len(collection.topics)} topics, with the line of best fit."
    )
    if bounds is not None:
        ends = bounds(table1, table1(collection)).set_index(["row", "column"])[["low", "high"]]
        lines = lines.join(ends, on=["x", "y"])
        caption += " Behind \u00b1: half the 95% interval of tau over topics."
    return scatters(points, lines, data=scores, caption=caption)


def draw_finding() -> Figure:
    """Draw how far the two families stand apart, on the paper's runs and on two collections.

    Returns
    -------
    lib.display.figures.Figure
        Tau between AP and RR, one from each family, and between AP and R-precision, of one.
    """
    runs = {
        "Terabyte 2006": None,
        "TREC-8 (1999)": load("trec8"),
        "TREC-COVID (2020)": load("trec-covid"),
    }
    taus = pd.DataFrame({label: lookup(table1(c)) for label, c in runs.items()}).T[
        [("AP", "RR"), ("AP", "P@10")]
    ]
    taus.columns = [f"{other} with {one}" for one, other in taus]
    with style():
        drawing, axes = subplots(height=1.9)
        for pair, values in taus.items():
            style_of = {"linestyle": "none", "markersize": 7} | measure_style(pair)
            dots = axes.plot(values, values.index, label=pair, **style_of)
            add_tooltips(dots, pair, tell="", words=[f"{k} {v:.3f}" for k, v in values.items()])
        axes.set(xlim=(0, 1), xlabel="Kendall's tau of two rankings")
        axes.invert_yaxis()
        axes.legend(loc="lower left")
    weak = ", ".join(f"{label} {value:.2f}" for label, value in taus.iloc[:, 0].items())
    return Figure(
        drawing,
        data=taus.rename_axis("runs"),
        formats=".3f",
        alt=f"RR with AP: {weak}.",
        caption=f"How alike measures rank systems. Reciprocal rank with AP: {weak}.",
    )
