"""Drawings of how rankings of systems agree: scatters, a tau matrix, intervals, lost judgements."""

import numpy as np
from scipy.cluster.hierarchy import dendrogram

from lib import figures
from lib.families import cut, tree
from lib.incomplete import MEASURES

__all__ = ["degradation", "intervals", "matrix", "scatters"]

DOT = {"linestyle": "none", "marker": "o", "markersize": 3, "alpha": 0.6, "markeredgewidth": 0}


def scatters(points, fits, *, caption, groups=None, columns=3, data=None):
    """Draw the systems' means by pairs of measures, a panel a pair, with the line of best fit.

    Parameters
    ----------
    points, fits : DataFrame
        From :func:`lib.papers.thom2007.figures` and :func:`lib.papers.thom2007.fits`.
    caption : str
    groups : Series, optional
        System to the name of its group; each group has a colour.
    columns : int
        Panels beside each other.
    data : DataFrame or False, optional
        The numbers behind the drawing, by default the points; False: they are shown elsewhere.

    Returns
    -------
    lib.figures.Figure
    """
    numbers = list(fits.index)
    rows = -(-len(numbers) // columns)
    with figures.style():
        drawing, grid = figures.subplots(
            rows, columns, width="column" if columns == 1 else "wide",
            height=3.2 if columns == 1 else 2.5 * rows, squeeze=False)
        for axes in grid.flat[len(numbers):]:
            axes.set_visible(False)
        for number, axes in zip(numbers, grid.flat):
            _scatter(axes, points[points["figure"] == number], fits.loc[number], groups)
        if groups is not None:
            grid.flat[0].legend(loc="lower right", handletextpad=0.1)
    if data is None:
        data = points.set_index(["figure", "system"])[["x", "y"]]
    taus = ", ".join(f"{fit.x} and {fit.y} {fit.tau:.2f}" for fit in fits.itertuples())
    return figures.Figure(
        drawing, caption=caption, formats=".4f",
        alt=f"Scatter plots of systems with a rising line each; tau of {taus}.",
        data=None if data is False else data)


def _scatter(axes, dots, fit, groups):
    if groups is None:
        axes.plot(dots["x"], dots["y"], color=figures.PALETTE[0], **DOT)
    else:
        of_system = groups[dots["system"]].to_numpy()
        for color, name in zip(figures.PALETTE, sorted(set(of_system))):
            mine = dots[of_system == name]
            axes.plot(mine["x"], mine["y"], color=color, label=name, **DOT)
    ends = np.array([dots["x"].min(), dots["x"].max()])
    axes.plot(ends, fit["intercept"] + fit["slope"] * ends, color="black", linewidth=1)
    name = f"{fit.name}: " if str(fit.name).isdecimal() else ""
    axes.set(xlabel=fit["x"], ylabel=fit["y"], title=f"{name}tau {fit['tau']:.3f}")


def matrix(tau, *, caption, clusters=2, method="average"):
    """Draw a tau matrix as a heat map, its measures in the order of their tree, which stands above.

    Parameters
    ----------
    tau : DataFrame (measures x measures)
    caption : str
    clusters : int
        Families that lines set apart.
    method
        As for :func:`lib.families.tree`.

    Returns
    -------
    lib.figures.Figure
        With the matrix as its numbers.
    """
    links = tree(tau, method=method)
    families = cut(links, list(tau.columns), clusters)
    ordered = tau.loc[families.index, families.index]
    n = len(tau)
    with figures.style():
        drawing, (top, axes) = figures.subplots(
            2, 1, width="wide", height=2.5 + 0.21 * n, height_ratios=[1, 1 + 0.2 * n])
        dendrogram(links, ax=top, no_labels=True, color_threshold=0,
                   above_threshold_color="black")
        top.set(ylabel="1 \u2212 tau", xlim=(0, 10 * n))
        top.grid(False)
        top.spines["bottom"].set_visible(False)
        lowest = np.floor(5 * ordered.to_numpy().min()) / 5
        image = axes.pcolormesh(ordered, cmap="cividis", vmin=lowest, vmax=1)
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
    return figures.Figure(
        drawing, caption=caption, data=ordered, formats=".2f",
        alt=f"Heat map of tau between {n} measures with a tree above. The {clusters} families: "
        + "; ".join(named) + ".")


def intervals(frame, *, caption, formats=".3f"):
    """Draw taus with their intervals, one line a pair of measures.

    Parameters
    ----------
    frame : DataFrame, index (one, other)
        Columns tau, low and high, such as :meth:`lib.bootstrap.TauBootstrap.intervals` returns.
    caption : str

    Returns
    -------
    lib.figures.Figure
    """
    names = [f"{one} and {other}" for one, other in frame.index]
    places = np.arange(len(frame))[::-1]
    with figures.style():
        drawing, axes = figures.subplots(height=0.6 + 0.32 * len(frame))
        axes.hlines(places, frame["low"], frame["high"], color=figures.PALETTE[0], alpha=0.5,
                    linewidth=3)
        axes.plot(frame["tau"], places, "o", color=figures.PALETTE[0])
        axes.set_yticks(places, names)
        axes.set(xlabel="tau", xlim=(min(0, frame["low"].min()), 1))
    said = "; ".join(f"{name} {row.low:.2f} to {row.high:.2f}"
                     for name, row in zip(names, frame.itertuples()))
    return figures.Figure(drawing, caption=caption, alt=f"Intervals of tau: {said}.", data=frame,
                          formats=formats)


def degradation(table, *, against, label, caption):
    """Draw how rankings hold up with fewer judgements, one line a measure.

    Parameters
    ----------
    table : DataFrame
        From :func:`lib.incomplete.degradation`.
    against : {"own", "all", "same"}
        The column of taus to draw.
    label : str
        Label of the vertical axis.
    caption : str

    Returns
    -------
    lib.figures.Figure
    """
    wide = table.pivot(index="share", columns="measure", values=against)
    wide = wide[list(dict.fromkeys(table["measure"]))].sort_index(ascending=False)
    with figures.style():
        drawing, axes = figures.subplots(height=3.6)
        for name in wide:
            # A measure keeps its colour from one figure to the next.
            color = figures.PALETTE[MEASURES.index(name) % len(figures.PALETTE)]
            axes.plot(wide.index, wide[name], marker="o", markersize=3, label=name, color=color)
        axes.set_xscale("log")
        axes.invert_xaxis()
        ticks = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
        axes.set_xticks(ticks, [f"{tick:.0%}" for tick in ticks])
        axes.minorticks_off()
        axes.set(xlabel="judgements kept", ylabel=label)
        figures.label_lines(axes)
    last = ", ".join(f"{name} {value:.2f}" for name, value in wide.iloc[-1].items())
    return figures.Figure(
        drawing, caption=caption, formats=".3f",
        data=wide.set_axis([f"{share:.0%}" for share in wide.index]).rename_axis("kept"),
        alt=f"Lines over ever fewer judgements; at {wide.index[-1]:.0%}: {last}.")
