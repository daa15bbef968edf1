"""Drawings of how rankings of systems agree: scatters and a matrix of taus with its tree.

Then the paper's figures from any collection, the chapter's finding, and its control.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy.cluster.hierarchy import dendrogram

from chapters.thom2007.tables import MEASURES, automatic_taus, fits, kind_of_runs, official_means
from lib.collection import Collection, cached
from lib.display import figures
from lib.display.figures import INK, PALE, Figure, subplots
from lib.display.svg import add_tooltips
from lib.measures import best, complete_scores, means
from lib.statistics.bootstrap import bootstrap_tau
from lib.statistics.correlation import cut, kendall, tau_matrix, tree

OWN_RUNS = "Terabyte 2006, the paper's runs"  # of which means alone are public, and no lists
_EDGE = 0.15  # a system's name stands left of it, unless it is as near to the axis
# How a run looks by its type, which is "" where types are not told apart.
RUN_STYLES: dict[str, Any] = {
    "": {"color": INK, "markersize": 3.4},
    "automatic": {"color": PALE, "markersize": 3.4},
    "manual": {"color": INK, "marker": "^", "markersize": 5},
}


def draw_scatters(
    table: pd.DataFrame,
    lines: pd.DataFrame,
    *,
    caption: str,
    named: Sequence[str] = (),
    groups: pd.Series | None = None,
    columns: int = 3,
    data: pd.DataFrame | None = None,
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw the systems' means by pairs of measures, a panel a pair, with the line of best fit.

    ``lines`` are those of :func:`~chapters.thom2007.tables.fits`; ``groups`` are systems to their
    type, a key of RUN_STYLES; ``limits`` the ends of all axes, by default those of the means;
    ``data`` are the numbers behind the drawing, by default the means.  Systems that are ``named``
    have their names.
    """
    titles = [f"{name + ': ' if name else ''}tau {tau:.3f}" for name, tau in lines["tau"].items()]
    shape: dict[str, Any] = {"height": 2.5 * -(-len(lines) // columns)}
    if columns == 1:
        titles, shape = [""], {"height": 3.2, "width": "column"}
    with figures.panels(titles, columns=columns, sharey=False, **shape) as (drawing, panels):
        for axes, fit in zip(panels, lines.itertuples()):
            _scatter(axes, table, fit, groups)
            axes.set(xlim=limits, ylim=limits)
            for system in named:
                at = table.loc[system, [fit.x, fit.y]]
                side, shift = ("left", 6) if at[fit.x] < _EDGE else ("right", -6)
                axes.annotate(system, at, (shift, -3), textcoords="offset points", ha=side)
        if groups is not None or columns == 1:  # the same frame, whatever a control shows
            marks = panels[0].get_legend_handles_labels()
            drawing.legend(*marks, loc="outside upper right", ncols=2, handletextpad=0.1)
    taus = ", ".join(f"{fit.x} and {fit.y} {fit.tau:.2f}" for fit in lines.itertuples())
    behind = table[list(dict.fromkeys([*lines["x"], *lines["y"]]))]
    return Figure(
        drawing,
        caption=caption,
        formats=".4f",
        alt=f"Scatter plots of systems with a rising line each; tau of {taus}.",
        data=(behind if groups is None else behind.join(groups)) if data is None else data,
    )


def _scatter(axes: Axes, table: pd.DataFrame, fit: Any, groups: pd.Series | None) -> None:
    """Draw one panel: a point a system, and the line from the leftmost to the rightmost."""
    dots = table.sort_values(fit.x)
    of = pd.Series("", dots.index) if groups is None else groups[dots.index]
    for name, group in of.groupby(of):
        x, y = (dots.loc[group.index, measure] for measure in (fit.x, fit.y))
        figures.draw_dots(axes, x, y, x.index, label=name or "system", **RUN_STYLES[name])
    ends = dots[fit.x].iloc[[0, -1]].to_numpy()
    axes.plot(ends, fit.intercept + fit.slope * ends, color=INK, linewidth=1)
    axes.set(xlabel=fit.x, ylabel=fit.y)


def draw_matrix(tau: pd.DataFrame, *, caption: str) -> Figure:
    """Draw taus (measures x measures) as a heat map in the order of their tree, with gaps.

    The tree, by average linkage, stands above; gaps set two families apart.
    """
    import seaborn as sns  # here: see lib.display.figures.subplots

    links = tree(tau)
    families = cut(links, list(tau.columns), 2)
    ordered = tau.loc[families.index, families.index]
    n = len(tau)
    ratios = [1, 1 + 0.2 * n]
    with subplots(2, height=2.5 + 0.21 * n, height_ratios=ratios) as (drawing, (top, axes)):
        dendrogram(links, ax=top, no_labels=True, color_threshold=0, above_threshold_color="black")
        top.set(xlim=(0, 10 * n))
        top.set_ylabel("1 \u2212 tau", labelpad=9)  # beside the longest number, in every browser
        top.grid(False)
        lowest = np.floor(5 * ordered.to_numpy().min()) / 5
        bar = {"label": "tau", "location": "bottom", "aspect": 40}
        look: dict[str, Any] = {"cmap": "cividis", "vmin": lowest, "vmax": 1, "cbar_kws": bar}
        # Columns stand in the order of the rows.
        sns.heatmap(ordered, ax=axes, xticklabels=False, yticklabels=True, **look)
        cells = ordered.stack()
        words = [f"with {other} {value:.2f}" for (_, other), value in cells.items()]
        add_tooltips(axes.collections[0], cells.index.get_level_values(0), words=words)
        axes.set(xlabel="", ylabel="")
        axes.tick_params(length=0)
        axes.tick_params(axis="y", rotation=0)
        for border in np.flatnonzero(np.diff(families)) + 1:
            axes.axhline(border, color="white", linewidth=2)
            axes.axvline(border, color="white", linewidth=2)
    named = "; ".join(", ".join(families.index[families == one]) for one in families.unique())
    return Figure(
        drawing,
        caption=caption,
        data=ordered,
        formats=".2f",
        alt=f"Heat map of tau between {n} measures with a tree above. The 2 families: {named}.",
    )


def draw_figures(collection: Collection) -> Figure:
    """Draw Figures 1 to 7 from a collection."""
    scores = means(collection, MEASURES)
    over = f"over {len(collection.topics)} topics, with the line of best fit"
    caption = f"The systems' means by pairs of measures {over}."
    return draw_scatters(scores, fits(scores), caption=caption)


_PRECISIONS = [f"P@{depth}" for depth in (1, 5, 10, 20, 100)]


def draw_depths(collections: Mapping[str, Collection]) -> Figure:
    """Draw how precision at rising depths agrees with RR and AP, the paper's automatic runs last.

    Of the paper's runs, the automatic ones: the others' P@1 is not public.
    """
    names = ("RR", "AP", *_PRECISIONS)
    taus = {title: tau_matrix(means(c, names), variant="b") for title, c in collections.items()}
    taus["Terabyte 2006, automatic"] = automatic_taus(names).value
    depths = [int(name.removeprefix("P@")) for name in _PRECISIONS]
    table = pd.concat({title: tau.loc[_PRECISIONS, ["RR", "AP"]] for title, tau in taus.items()})
    ends = table.unstack(0).loc[["P@5", "P@100"]].diff().iloc[-1].unstack(0)
    holds = (ends["RR"] < 0).all() and (ends["AP"] > 0).all()
    with figures.panels(list(taus), height=2.5, ylabel="Kendall's tau") as (drawing, panels):
        for axes, title in zip(panels, taus):
            for other, line in table.loc[title].items():
                words = [f"{name} {tau:.3f}" for name, tau in line.items()]
                look = figures.measure_style(str(other))
                figures.draw_line(axes, depths, line, f"with {other}", tell="", words=words, **look)
            figures.log_axis(axes, depths)
            axes.set(xlabel="P@k, by k", ylim=(0.3, 1))
        panels[0].legend(loc="lower left")
    low = f"{table['RR'].min():.2f}"
    return Figure(
        drawing,
        data=table,
        formats=".3f",
        alt=f"Two lines a panel, by depth: tau with RR, {low} or more, and tau with AP.",
        caption=("The" if holds else "Not everywhere: the")
        + " further down a measure reads, the less it agrees with RR and the more with AP. "
        "Kendall's tau of precision at k with either: 1 is the same order of systems, 0 no more "
        "agreement than chance.",
    )


def panel(
    collection: str,
    one: str,
    other: str,
    share: float = 1.0,
    topics: float = 1.0,
    resamples: int = 200,
    *,
    known: Mapping[str, Collection],
    named: Sequence[str] = (),
) -> Figure | str:
    """Show how far two measures agree: a panel of the chapter's control.

    On the paper's runs ("terabyte06") or on a known collection, by its name.  Of the best share of
    the systems by AP, on a random share of the topics; the interval is over topics, the basic one
    of the bootstrap.  For the paper's own runs only means are public, so topics cannot be left out
    there, and where a measure is not public a sentence says so.  Systems that are ``named`` have
    their names.
    """
    needed = list(dict.fromkeys(("AP", one, other)))
    rng = np.random.default_rng(2007)
    of_topics, groups = {}, None
    if collection == "terabyte06":
        name, scores, groups, note = OWN_RUNS, official_means(), kind_of_runs(), "official means"
        if missing := [measure for measure in needed if measure not in scores]:
            return (
                f"<p>{' and '.join(missing)} of the 80 runs of Terabyte 2006 "
                f"{'is' if len(missing) == 1 else 'are'} not public.</p>"
            )
    else:
        of_topics = complete_scores(cached(known[collection]), needed)
        every = len(of_topics["AP"])
        drawn = np.sort(rng.permutation(every)[: max(2, round(topics * every))])
        of_topics = {m: frame.iloc[drawn] for m, frame in of_topics.items()}
        scores = pd.DataFrame({m: frame.mean() for m, frame in of_topics.items()}).round(10)
        name, note = known[collection].title, f"means over {len(of_topics['AP'])} topics"
    shown = scores.loc[best(scores["AP"], share, least=2)]
    numbers = _agreement(shown[[one, other]], of_topics, number=resamples, rng=rng)
    interval = numbers.get("95% interval")
    sure = f"Its 95% interval over topics is {interval}. " if interval else ""
    return _draw_ranks(
        scores.rank(pct=True).loc[shown.index],  # half of the runs stand in their corner
        (one, other),
        named=shown.index.intersection([*named]),
        groups=groups,
        data=pd.DataFrame({"value": numbers}).rename_axis(f"{one} and {other}"),
        caption=f"{one} and {other} have a tau-b of {numbers['tau-b']} on {name}. {sure}A dot "
        f"for each of {len(shown)} systems, by its ranks among all {len(scores)} by {note}, as "
        "shares; 1 is best. On the line both agree.",
    )


def _agreement(scores: pd.DataFrame, of_topics: Mapping[str, pd.DataFrame], **draw: Any) -> dict:
    """Return how far two columns of scores agree, in words, with an interval if over topics."""
    (one, x), (other, y) = scores.items()
    numbers = {"systems": f"{len(scores)}", "tau-b": f"{kendall(x, y, variant='b'):.3f}"}
    if of_topics and one != other:
        pair = {str(measure): of_topics[str(measure)][scores.index] for measure in (one, other)}
        row = bootstrap_tau(pair, **draw).intervals().iloc[0]
        numbers["95% interval"] = f"{row['low']:.3f} to {row['high']:.3f}"
    return numbers


def _draw_ranks(ranks: pd.DataFrame, pair: tuple[str, str], **options: Any) -> Figure:
    """Draw systems by their ranks, of which tau is, with the line on which two measures agree."""
    ranks = ranks.add_prefix("rank by ")
    one, other = (f"rank by {measure}" for measure in pair)
    lines = fits(ranks, {"": (one, other)}).assign(slope=1, intercept=0)
    return draw_scatters(ranks, lines, columns=1, limits=(0, 1.02), **options)
