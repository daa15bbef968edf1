"""The figures of the paper and of its chapter, drawn."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from chapters.ledger.published import lookup, out_of
from chapters.webber2010 import quantities
from chapters.webber2010.depth import (
    EXPANDED,
    FIGURE_3,
    FORMS,
    by_setting,
    full_assessment,
    powers_at,
    rank_by_depth,
    reach,
)
from lib.collection import DEPTHS, POOLS, Collection, askable, cached
from lib.conventions import ALPHA
from lib.display import figures
from lib.display.controls import Choice
from lib.display.explorer import Explorer, explore
from lib.display.figures import INK, PALE, colour
from lib.display.svg import add_tooltips

_RELIABLE = 0.9  # of a tau, as the audit reads the paper's word
# What a change of one setting of Table 3 is in words.
_CHANGES = {
    "evaluation depth": "a longer look",
    "pool depth": "deeper judging",
    "measure": "another measure",
}


def draw_figure2(points: pd.DataFrame, taus: pd.DataFrame) -> figures.Figure:
    """Draw Figure 2: mean nDCG in pairs of settings, a point a system."""
    manual = points["type"] == "manual"
    triangles: dict[str, Any] = {"color": INK, "marker": "^", "markersize": 5}
    kinds = ((~manual, "other", {"color": PALE}), (manual, "manual", triangles))
    titles = [f"tau {tau:.3f}" for tau in taus["value"]]
    with figures.panels(titles, height=2.4, sharex=True, sharey=False) as (drawing, axes):
        for one, tau in zip(axes, taus.itertuples()):
            for kind, label, look in kinds:
                mine = points[kind].sort_values(tau.row)
                x, y = mine[tau.row], mine[tau.column]
                figures.draw_dots(one, x, y, mine.index, label=label, **look)
            bounds = (0, 1.05 * points[[*taus["row"], *taus["column"]]].to_numpy().max() or 1)
            labels = {"xlabel": tau.row, "ylabel": tau.column}
            one.set(**labels, xlim=bounds, ylim=bounds, box_aspect=1)
        if manual.any():
            axes[0].legend(loc="upper left")
        data = points.sort_values("deep", ascending=False).head(15)
        if (points["type"] == "").all():
            data = data.drop(columns="type")
    return figures.Figure(
        drawing,
        data=data,
        formats=".4f",
        alt="Three scatter plots of systems' mean nDCG; their taus stand above them. "
        + "The manual runs lie to the right of the others' line where extended is the height."
        * bool(manual.any()),
        caption=f"{_paid(points, taus)} Mean nDCG of each system, shallow (pool and evaluation "
        "depth 10), extended (pool 10, evaluation 100) and deep (both 100)."
        + " Triangles: manual runs."
        * bool(manual.any()),
    )


def _paid(points: pd.DataFrame, taus: pd.DataFrame) -> str:
    """Say what becomes of the order of the systems, and of the first ones, by extended judging."""
    tau = lookup(taus)["extended", "deep"]
    order = "survives" if float(tau) >= _RELIABLE else "changes"
    means = points[["shallow", "extended", "deep"]]
    leaders = quantities.leaders(means)
    lead = quantities.lead_of(means, leaders, means.index.drop(leaders))  # none: of NaN
    way = "shrinks" if lead["extended"] < lead["deep"] else "does not shrink"
    paid = f", and the leaders' lead {way}" * bool(lead.notna().all())
    return f"Judge ten and look at a hundred: the order {order}{paid}."


def draw_finding(collection: Collection) -> figures.Figure:
    """Draw the paper's main finding: depth moves discriminative power more than the measure does.

    Power under full assessment, pool and evaluation equally deep.
    """
    labels = {"P": "precision", "RBP": "RBP", "nDCG": "nDCG", "aAP": "AP"}
    pools, depths = askable(collection)
    both = [depth for depth in pools if depth in depths]
    table = powers_at(collection, tuple(labels), both, both)
    lines = full_assessment(by_setting(table))[list(labels)].rename(columns=labels)
    with figures.subplots(height=2.1) as (drawing, axes):
        figures.draw_lines(axes, lines)
        axes.set(xlabel="depth of pool and of evaluation", ylabel="discriminative power")
        figures.log_axis(axes, both)
        figures.label_lines(axes)
        rise = (lines.iloc[-1] - lines.iloc[0]).min()
        spread = (lines.max(axis=1) - lines.min(axis=1)).max()
        rises = "four usual measures rise together" if rise > 0 else "not all of four measures rise"
    return figures.Figure(
        drawing,
        data=lines,
        formats=".3f",
        alt=f"Four lines over depths {both[0]} to {both[-1]}; the least rises by {rise:.3f}.",
        caption=f"On these topics {rises}. From depth {both[0]} to "
        f"{both[-1]} each gains {rise:.3f} or more, and at one depth they differ by {spread:.3f} "
        f"at most. Discriminative power on {collection.title}.",
    )


def draw_places(run: str, pool: int = 10, *, collection: Collection) -> figures.Figure:
    """Draw a run's place against evaluation depth on two pools, and among lists as short.

    Below it, how far its lists reach.
    """
    table, reached = rank_by_depth(run, cached(collection), pool), reach(run, collection)
    less, end, short = table.iloc[-1][[f"pool {pool}", "pool 100", "lists as short"]]
    systems = len(collection.systems)
    looks: dict[str, dict] = {f"pool {pool}": {"linewidth": 1}, "pool 100": {"linewidth": 2.4}}
    ratios = {"height_ratios": [3, 1]}
    with figures.subplots(2, 1, height=3.6, sharex=True, gridspec_kw=ratios) as (drawing, both):
        axes, below = both
        for name, line in table.items():
            words = [f"evaluation depth {depth:,}: place {at}" for depth, at in line.items()]
            look = looks.get(name, {"linestyle": "--"}) | {"color": colour("nDCG")}
            figures.draw_line(axes, line.index, line, name, tell="", words=words, **look)
        axes.set(ylabel="place", ylim=(max(systems / 2, table.to_numpy().max() + 3), -1))
        axes.set_yticks([1, *range(20, int(axes.get_ylim()[0]), 20)])
        words = [f"{share:.0%} reach rank {depth:,}" for depth, share in reached.items()]
        look = {"color": INK, "marker": "o"}
        figures.draw_line(below, reached.index, reached, "its lists", tell="", words=words, **look)
        below.set(xlabel="evaluation depth", ylabel="its lists", ylim=(-0.1, 1.1))
        below.set_yticks([0, 1], ["0%", "100%"])
        figures.log_axis(below, table.index, form=",")
        for label in below.get_xticklabels()[-3:-1]:  # on a phone they would meet the others
            label.set_visible(False)
        drawing.set_layout_engine("constrained", rect=(0, 0, 0.75, 1))  # beside it: the labels
        figures.label_lines(axes)
        for label in axes.texts:
            label.set_in_layout(False)
    changed = f", not {end}" if short != end else " as before"
    on_pool = f" With a pool of depth {pool} it ends in place {less}." if pool != 100 else ""
    return figures.Figure(
        drawing,
        data=table.assign(**{"lists that reach": reached}),
        caption=f"Cut all lists to {run}'s length, and it ends in place {short}{changed}.{on_pool} "
        f"Its place by mean nDCG among {systems} systems of {collection.title}. Below: the share "
        "of its lists that reach the rank.",
        alt=f"A line from place {table['pool 100'].iloc[0]} at depth {DEPTHS[0]} to {end} at "
        f"{DEPTHS[-1]:,}; a dashed one, of lists cut to the length of {run}'s, to {short}.",
    )


def place_control(collection: Collection, runs: Sequence[str]) -> Explorer:
    """Return the control of the chapter: a run, and how far people judge.

    On a page it has some runs, in a running notebook all.
    """
    pools = askable(collection, depths=())[0] or POOLS[:1]
    near_10 = min(pools, key=lambda pool: abs(pool - 10))
    every = [*runs, *collection.systems.index.drop([*runs])]
    return explore(
        partial(draw_places, collection=collection),
        id="place",
        title="What moves a run: its lists, the pool, or how far you look?",
        controls={
            "run": Choice("run", every),
            "pool": Choice("pool depth", pools, default=near_10, slider=True),
        },
        static={"run": runs, "pool": pools},
    )


def draw_table3(taus: pd.DataFrame) -> figures.Figure:
    """Draw Table 3 by what two settings differ in, ours beside the printed ones.

    From :func:`chapters.ledger.published.beside_printed`; settings are such as "10/100 nDCG".
    """
    one, other = (taus[side].str.extract(r"(\d+)/(\d+) (.+)") for side in ("row", "column"))
    same = (one == other).set_axis(["pool depth", "evaluation depth", "measure"], axis=1)
    alone = same.sum(axis=1) == 2
    table = taus[alone].assign(changed=(~same[alone]).idxmax(axis=1))
    means = table.groupby("changed")["reproduced"].apply(lambda tau: tau.astype(float).mean())
    kinds = list(means.sort_values(ascending=False).index)
    least, more, most = (_CHANGES[kind] for kind in kinds)
    with figures.subplots(height=1.9) as (drawing, axes):
        places = table["changed"].map(kinds.index)
        names = table["row"] + ", " + table["column"]
        hollow = {"markerfacecolor": "none", "markeredgecolor": INK, "markersize": 8}
        looks: dict[str, dict] = {"published": hollow, "reproduced": {"color": INK}}
        for column, look in looks.items():
            shown = table[column].astype(float)
            words = [f"tau {tau:.3f}, {column}" for tau in shown]
            look |= {"tell": "", "words": words, "markeredgewidth": 0.8}
            figures.draw_dots(axes, shown, places, names, **look)
        figures.label_rows(axes, kinds)
        axes.set(xlabel="Kendall's tau")
    return figures.Figure(
        drawing,
        data=table.set_index(["changed", "row", "column"])[["published", "reproduced"]],
        alt=f"Rows of dots; those of the {kinds[-1]} lie farthest left.",
        caption=f"{most.capitalize()} reshuffles the pairs more than {more} or {least} does. A dot "
        "a tau of Table 3 whose two settings differ in this alone: filled ours, hollow as printed.",
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

    Family and form are those of ``depth.FORMS``, or the form "expanded" of AP and DCG.  Tests that
    draw at random take 1,000 resamples.
    """
    name = {where: name for name, where in (FORMS | EXPANDED).items()}.get((family, form))
    if name is None:
        raise ValueError(f"{family} has no {form} form")
    drawn: dict[str, Any] = {}
    if test in ("permutation", "bootstrap"):
        drawn = {"resamples": 1000, "rng": np.random.default_rng(2010)}
    collection = cached(collection)
    pools, depths = askable(collection)
    askable(collection, pools=(pool,), depths=(depth,))
    decide = partial(powers_at, collection, measures=(name,), alpha=alpha, test=test, **drawn)
    power = decide(pools=(pool,), depths=depths).set_index("depth")["power"]
    # Of the other pools only the one setting where both depths are the same.
    full = {d: decide(pools=(d,), depths=(d,))["power"].item() for d in pools if d in power.index}
    curve = pd.DataFrame({f"pool {pool}": power, "full assessment": pd.Series(full)})
    here = power[depth]
    with figures.subplots(height=2.6) as (drawing, axes):
        axes.plot(curve[f"pool {pool}"], color=INK, label=f"pool {pool}")
        _draw_full(axes, curve["full assessment"])
        add_tooltips(axes.plot(depth, here, "o", color=INK, markersize=8), f"pool {pool}")
        axes.set(xlabel="evaluation depth", ylabel="discriminative power")
        if (alpha, test) == (ALPHA, "t"):
            axes.set_ylim(0.45, 0.8)
        figures.log_axis(axes, curve.index, rotation=90)
        axes.legend(loc="lower right")
    return figures.Figure(
        drawing,
        data=curve.rename_axis("evaluation depth"),
        formats=".3f",
        alt=f"Discriminative power of {form} {family} with pool {pool}: {here:.3f} at evaluation "
        f"depth {depth}.",
        caption=f"By {name} the {test} test tells {here:.1%} of the pairs of systems apart. "
        f"{form.capitalize()} {family}, level {alpha:g}, pool depth {pool}, evaluation depth "
        f"{depth:,}. Crosses: full assessment, pool and evaluation equally deep.",
    )


def draw_figure3(table: pd.DataFrame) -> figures.Figure:
    """Draw Figure 3 from ``depth.figure3``."""
    return draw_grid(
        table,
        names=FIGURE_3,
        columns=2,
        caption="Where the line of a deeper pool lies lower, more judgements mean less "
        "discriminative power. Rows: AP, nDCG; columns: expanded, abbreviated normalization.",
    )


def draw_figure4(table: pd.DataFrame) -> figures.Figure:
    """Draw Figure 4 from ``depth.figure4``."""
    return draw_grid(
        table,
        names=list(FORMS),
        columns=3,
        caption=f"{_gains(table)} Rows: precision/recall, DCG, AP, RBP; columns: raw, normalized, "
        "standardized.",
    )


def _gains(table: pd.DataFrame) -> str:
    """Say how many measures gain from the least full assessment to the deepest."""
    full = full_assessment(by_setting(table))
    gains = full.iloc[-1] > full.iloc[0]
    return (
        f"From full assessment at depth {full.index[0]} to that at {full.index[-1]} the "
        f"discriminative power of {out_of(gains.sum(), len(gains))} measures rises."
    )


def draw_grid(
    table: pd.DataFrame, *, names: Sequence[str], columns: int, caption: str
) -> figures.Figure:
    """Draw discriminative power against evaluation depth, a panel a measure, a line a pool depth.

    The thicker a line the deeper its pool; crosses mark full assessment.
    """
    curves = table.pivot(index=["measure", "pool"], columns="depth", values="power")
    curves = curves.loc[list(names)]
    pools = sorted(table["pool"].unique())
    shape: dict[str, Any] = {"columns": columns, "sharex": True, "ylabel": "discriminative power"}
    shape["height"] = 0.4 + 2.1 * -(-len(names) // columns)
    with figures.panels(names, **shape) as (drawing, axes):
        for one, name in zip(axes, names):
            for rank, pool in enumerate(pools, start=1):
                how: dict = {"linewidth": 0.4 + 1.8 * rank / len(pools), "label": f"pool {pool}"}
                one.plot(curves.loc[(name, pool)], color=INK, **how)
            full = table.query("measure == @name and pool == depth")
            _draw_full(one, full.set_index("depth")["power"])
            figures.log_axis(one, curves.columns, rotation=90)
        for one in axes[-columns:]:
            one.set_xlabel("evaluation depth")
        drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figures.Figure(
        drawing,
        data=curves,
        formats=".3f",
        caption=caption,
        alt=f"Panels of discriminative power against evaluation depth, by {', '.join(names)}: a "
        "line a pool depth.",
    )


def _draw_full(axes: Axes, power: pd.Series) -> None:
    """Draw discriminative power where pool and evaluation are equally deep."""
    words = [f"depth {depth}, {value:.3f}" for depth, value in power.items()]
    look = {"marker": "x", "color": INK}
    figures.draw_line(axes, power.index, power, "full assessment", tell="", words=words, **look)


def control(collection: Collection) -> Explorer:
    """Return the control of the chapter, and of a report: how many pairs differ at a setting."""
    pools, depths = map(list, askable(collection))
    families = ["DCG", "AP", "RBP", "precision/recall"]
    forms = ["raw", "normalized", "standardized"]
    return explore(
        partial(panel, collection=collection),
        id="depth",
        title="How many pairs of systems differ significantly?",
        controls={
            "family": Choice("measure", families),
            "form": Choice("form", [*forms, "expanded"], default="normalized"),
            "pool": Choice("pool depth", pools, default=pools[-1]),
            "depth": Choice("evaluation depth", depths, default=depths[-1]),
            "alpha": Choice("level", [0.01, 0.05, 0.1], default=ALPHA),
            "test": Choice("test", ["t", "Wilcoxon", "permutation", "bootstrap"]),
        },
        static={"family": families, "form": forms, "pool": sorted({pools[0], pools[-1]})},
        caption=f"What pool and evaluation depth do to discriminative power on {collection.title}. "
        "Raw precision/recall is precision, normalized is recall.",
    )
