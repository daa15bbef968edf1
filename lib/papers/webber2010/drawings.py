"""The figures of the paper and of its chapter, drawn."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, askable, cached, load
from lib.display import figures
from lib.display.figures import INK, PALETTE, colour, measure_style
from lib.display.prose import estimate
from lib.display.svg import add_tooltips
from lib.papers.webber2010.depth import EXPANDED, FORMS, grid
from lib.papers.webber2010.drawn_grid import draw_full, mark_depths
from lib.papers.webber2010.tables import ALPHA

__all__ = ["draw_figure1", "draw_figure2", "draw_finding", "draw_ranks", "panel"]


# The dots of Figure 2; a thin edge in the colour of the ground parts those that overlap.
_DOT: dict[str, Any] = {"linestyle": "none", "mew": 0.2, "mec": "white"}
DOTS: dict[str, dict[str, Any]] = {
    "other": _DOT | {"marker": "o", "ms": 4, "color": PALETTE[0]},
    "manual": _DOT | {"marker": "^", "ms": 5, "color": PALETTE[1]},
}


def draw_figure1(weights: pd.DataFrame) -> figures.Figure:
    """Draw Figure 1: the weight of each rank, RBP on the left axis and DCG on the right.

    Parameters
    ----------
    weights : DataFrame
        From :func:`lib.papers.webber2010.tables.figure1`.

    Returns
    -------
    lib.display.figures.Figure
    """
    with figures.style():
        drawing, left = figures.subplots(height=3.8)
        right = left.twinx()
        for number, (name, column) in enumerate(weights.drop(columns="DCG").items(), start=1):
            thick: dict = {"linewidth": 0.7 * number, "color": colour("RBP")}
            left.plot(column.index, column, label=name, **thick)
        dashed: dict = {"linestyle": "--", "color": colour("DCG")}
        right.plot(weights.index, weights["DCG"], label="DCG", **dashed)
        left.set(xscale="log", yscale="log", ylim=(1e-5, 1), xlabel="rank", ylabel="weight by RBP")
        right.set(ylim=(0, 1.05), ylabel="weight by DCG")
        right.grid(False)
        right.spines["right"].set_visible(True)
        lines = [*left.get_lines(), *right.get_lines()]
        drawing.legend(
            lines, [line.get_label() for line in lines], loc="outside lower center", ncols=3
        )
    shown = weights.loc[[r for r in (1, 2, 5, 10, 50, 100, 500, 1000) if r in weights.index]]
    return figures.Figure(
        drawing,
        data=shown,
        formats=".5f",
        alt="Two scales of weight against rank. RBP's curves are highest at rank 1 and bend down "
        "the later the higher p is; DCG's falls at once and then hardly at all.",
        caption="Weights of ranks by DCG (right axis, dashed) and by RBP (left axis, logarithmic; "
        "the thicker the higher p).",
    )


def draw_figure2(
    points: pd.DataFrame, taus: pd.DataFrame, *, shallow: int = 10, deep: int = 100
) -> figures.Figure:
    """Draw Figure 2: mean nDCG in pairs of settings, a point a system.

    Parameters
    ----------
    points : DataFrame
        From :func:`lib.papers.webber2010.depth.figure2`.
    taus : DataFrame
        From :func:`lib.papers.webber2010.depth.figure2_taus`; with columns low and high where
        their intervals over topics are known.
    shallow, deep : int
        What they were computed with.

    Returns
    -------
    lib.display.figures.Figure
    """
    manual = points["type"] == "manual"
    with figures.style():
        drawing, axes = figures.subplots(1, 3, width="wide", height=2.4, sharex=True, sharey=True)
        for one, tau in zip(axes, taus.itertuples()):
            for kind, label in ((~manual, "other"), (manual, "manual")):
                mine = points[kind].sort_values(tau.row)
                dots = one.plot(mine[tau.row], mine[tau.column], label=label, **DOTS[label])
                add_tooltips(dots, mine.index)
            said = estimate(tau.value, getattr(tau, "low", None), getattr(tau, "high", None))
            one.set(xlabel=tau.row, ylabel=tau.column, title=f"tau {said}", box_aspect=1)
        bounds = (0, 1.05 * points[[*taus["row"], *taus["column"]]].to_numpy().max() or 1)
        axes[0].set(xlim=bounds, ylim=bounds)
        if manual.any():
            axes[0].legend(loc="upper left")
    data = points.sort_values("deep", ascending=False).head(15)
    if (points["type"] == "").all():
        data = data.drop(columns="type")
    return figures.Figure(
        drawing,
        data=data,
        formats=".4f",
        alt="Three scatter plots of systems' mean nDCG: "
        + "; ".join(
            f"{tau.row} against {tau.column}, tau {tau.value:.3f}" for tau in taus.itertuples()
        )
        + ". The manual runs lie to the right of the others' line where extended is the height."
        * bool(manual.any()),
        caption="Mean nDCG of each system at three settings: shallow (pool and evaluation depth "
        f"{shallow}), extended (pool {shallow}, evaluation {deep}), deep (both {deep}). "
        + "Triangles: manual runs. " * bool(manual.any())
        + "Behind \u00b1: half the 95% interval of tau over topics. " * ("low" in taus)
        + "The table has the 15 best by deep evaluation.",
    )


def draw_finding(collection: Collection | None = None) -> figures.Figure:
    """Draw the paper's main finding: depth moves discriminative power more than the measure does.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8, the paper's.

    Returns
    -------
    lib.display.figures.Figure
        Discriminative power under full assessment, pool and evaluation equally deep.
    """
    collection = load("trec8") if collection is None else collection
    labels = {"P": "precision", "RBP": "RBP", "nDCG": "nDCG", "aAP": "AP"}
    pools, depths = askable(collection)
    both = [depth for depth in pools if depth in depths]
    table = grid(collection, measures=tuple(labels), pools=both, depths=both)
    full = table[table["pool"] == table["depth"]]
    lines = full.pivot(index="depth", columns="measure", values="power")[list(labels)]
    lines = lines.rename(columns=labels)
    with figures.style():
        drawing, axes = figures.subplots(height=2.1)
        for name, line in lines.items():
            add_tooltips(axes.plot(line.index, line, label=name, **measure_style(name)), name)
        axes.set(xscale="log", xlabel="depth of pool and of evaluation", ylabel="pairs told apart")
        axes.set_xticks(both, labels=list(map(str, both)), minor=False)
        axes.minorticks_off()
        figures.label_lines(axes)
    rise = (lines.iloc[-1] - lines.iloc[0]).min()
    spread = (lines.max(axis=1) - lines.min(axis=1)).max()
    return figures.Figure(
        drawing,
        data=lines,
        formats=".3f",
        alt=f"Four lines over depths {both[0]} to {both[-1]}; the least rises by {rise:.3f}.",
        caption=f"Share of system pairs found different, {collection.title}. From depth {both[0]} "
        f"to {both[-1]} every measure gains {rise:.3f} or more; at one depth the measures differ "
        f"by {spread:.3f} at most.",
    )


def draw_ranks(ranks: pd.DataFrame, *, run: str, systems: int) -> figures.Figure:
    """Draw a run's rank by nDCG against evaluation depth, among lists as they are and as short.

    Parameters
    ----------
    ranks : DataFrame
        From :func:`lib.papers.webber2010.list_length.rank_by_depth`.
    run : str
    systems : int
        How many are ranked.

    Returns
    -------
    lib.display.figures.Figure
    """
    with figures.style():
        drawing, axes = figures.subplots(height=2.8)
        for name, marker in zip(ranks, "osx"):
            add_tooltips(axes.plot(ranks.index, ranks[name], marker=marker, label=name), name)
        axes.set(xlabel="evaluation depth", ylabel=f"rank of {systems}")
        axes.invert_yaxis()
        mark_depths(axes, ranks.index)
        axes.legend(loc="lower left")
    ends = "; ".join(f"{name}: {ranks[name].iloc[0]} to {ranks[name].iloc[-1]}" for name in ranks)
    return figures.Figure(
        drawing,
        data=ranks,
        alt=f"Rank of {run} from the shallowest to the deepest evaluation. {ends}.",
        caption=f"Rank of {run} by mean nDCG, 1 at the top, with pools of depth 10 and 100, and "
        "with the pool of depth 100 when no list is longer than its own.",
    )


def panel(
    family: str,
    form: str,
    pool: int,
    depth: int,
    alpha: float = ALPHA,
    test: str = "t",
    *,
    collection: Collection,
) -> figures.Figure:
    """Show discriminative power at one setting, on its curve: a panel of the chapter's control.

    Parameters
    ----------
    family, form : str
        As in :data:`lib.papers.webber2010.depth.FORMS`, or the form "expanded" of AP and DCG.
    pool, depth : int
        Pool and evaluation depth.
    alpha : float
    test : {"t", "Wilcoxon", "permutation", "bootstrap"}
        With 1,000 resamples where it draws at random.
    collection : Collection

    Returns
    -------
    lib.display.figures.Figure
    """
    name = {where: name for name, where in (FORMS | EXPANDED).items()}.get((family, form))
    if name is None:
        raise ValueError(f"{family} has no {form} form")
    drawn: dict[str, Any] = {}
    if test in ("permutation", "bootstrap"):
        drawn = {"resamples": 1000, "rng": np.random.default_rng(2010)}
    collection = cached(collection)
    decide = partial(grid, collection, measures=(name,), alpha=alpha, test=test, **drawn)
    power = decide(pools=(pool,)).set_index("depth")["power"]
    # Of the other pools only the one setting where both depths are the same.
    pools, _ = askable(collection, depths=())
    full = {d: decide(pools=(d,), depths=(d,))["power"].item() for d in pools if d in power.index}
    curve = pd.DataFrame({f"pool {pool}": power, "full assessment": pd.Series(full)}).rename_axis(
        "evaluation depth"
    )
    here = power[depth]
    with figures.style():
        drawing, axes = figures.subplots(height=2.6)
        axes.plot(curve.index, curve[f"pool {pool}"], color=INK, label=f"pool {pool}")
        draw_full(axes, curve["full assessment"])
        add_tooltips(axes.plot(depth, here, "o", color=PALETTE[0], markersize=8), f"pool {pool}")
        axes.set(
            ylim=(0.45, 0.8) if (alpha, test) == (ALPHA, "t") else None,
            xlabel="evaluation depth",
            ylabel="discriminative power",
        )
        mark_depths(axes, curve.index)
        axes.legend(loc="lower right")
    return figures.Figure(
        drawing,
        data=curve,
        formats=".3f",
        alt=f"Discriminative power of {form} {family} with pool {pool}: {here:.3f} at evaluation "
        f"depth {depth}.",
        caption=f"{form.capitalize()} {family} ({name}), pool depth {pool}, evaluation depth "
        f"{depth}: the {test} test at {alpha:g} tells {here:.1%} of the pairs of systems apart.",
    )
