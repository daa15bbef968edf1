"""The figures of the chapter, drawn, and its control; the paper has no figure."""

import itertools
import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from chapters.ledger.published import in_words
from chapters.tomlinson2006 import relevant, tables
from chapters.tomlinson2006.robustness import topic_gains
from chapters.tomlinson2006.tables import FOUR, MEASURES
from lib.decisions import INCONCLUSIVE
from lib.display import figures
from lib.display.figures import INK, PALE, colour
from lib.display.prose import enumeration, intervals
from lib.display.svg import add_tooltips
from lib.display.tables import table
from lib.intervals import Interval, between, minus_signs

_READS = {  # down to where a measure reads
    "AP": "the whole list",
    "P@10": "ten documents",
    "RR": "the first relevant",
    "GS10": "the same gently",
}
_STEMS, _LINES = 6, 4  # of an expanded query: those that a picture has room for
_BAND = (0.5, 0.5, 0.5, 0.13)  # behind each second row: the eye follows it across three panels
# What each of the five counts counts: its words for several, and how its bar looks.
_BARS: dict[str, tuple[str, dict[str, str]]] = {
    "loses significantly": ("lose significantly", {"edgecolor": INK, "facecolor": INK}),
    "loses": ("lose", {"edgecolor": INK}),
    "does not change": ("do not change", {"edgecolor": PALE, "linestyle": ":"}),
    "gains": ("gain", {"edgecolor": PALE}),
    "gains significantly": ("gain significantly", {"edgecolor": PALE, "facecolor": PALE}),
}


def draw_depths(points: pd.DataFrame) -> figures.Figure:
    """Draw the points of :func:`chapters.tomlinson2006.tables.depths`, one panel a source."""
    sources = sorted(points["source"].unique(), key=lambda source: source != "paper")
    with figures.panels(sources, ylabel="change with feedback", height=2.8) as (drawing, panels):
        for axes, source in zip(panels, sources):
            axes.axhline(0, **figures.REFERENCE)
            for kind in ("Success@k", "P@k"):
                line = points[(points["source"] == source) & (points["measure"] == kind)]
                figures.draw_line(axes, line["k"], line["difference"], kind)
                figures.draw_band(axes, line["k"], line["low"], line["high"], colour(kind))
            axes.set(xscale="log", xlabel="depth k")
            axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
        panels[0].legend()
    alt = "; ".join(
        f"{source}: {row.measure} {row.difference:+.3f} at depth {row.k}"
        for source in sources
        for row in points[(points["source"] == source) & (points["k"] == 10)].itertuples()
    )
    return figures.Figure(
        drawing,
        alt=minus_signs(f"Differences against depth. {alt}."),
        formats="+.3f",
        caption=f"{_parted(points)}. Mean change over seven systems; bands: 95% intervals, the "
        "paper's unknown.",
        data=points.pivot_table(
            index="k", columns=["source", "measure"], values="difference", sort=False
        )
        .sort_index()
        .rename_axis(columns=[None, None]),
    )


def _parted(points: pd.DataFrame) -> str:
    """Say at which depth P@k gains and Success@k loses, for most sources; the paper has no ends."""
    low, high = (points[end].fillna(points["difference"]) for end in ("low", "high"))
    direction = tables.directions(Interval(points["difference"], np.nan, low, high))
    sides = points.assign(direction=direction).pivot(
        index=["source", "k"], columns="measure", values="direction"
    )
    parted = sides[(sides["P@k"] == tables.RISES) & (sides["Success@k"] == tables.FALLS)]
    of = parted.index.to_frame(index=False)
    if of.empty:
        return "At no depth P@k rises where Success@k falls"
    k = of["k"].mode()[0]
    known = {"paper": "in the paper's systems", tables.POOLED: "in ours"}
    where = [known.get(source, f"in ours on {source}") for source in of["source"][of["k"] == k]]
    return f"At depth {k} P@{k} rises and Success@{k} falls, {enumeration(where[::-1])}"


def draw_finding() -> figures.Figure:
    """Draw the paper's finding as our systems show it: four measures, before and after."""
    change = tables.changes().loc[list(FOUR)].rename(index=FOUR)
    topics = sum(len(collection.topics) for collection in tables.ours())
    rows = change[["difference", "low", "high"]].rename(lambda name: f"{name}, {_READS[name]}")
    with figures.subplots(height=1.9) as (drawing, axes):
        figures.draw_rows(axes, rows, at=0, form="+.3f")
        axes.set(xlabel="mean change with blind feedback")
        axes.locator_params(axis="x", nbins=5)
    groups = change.groupby("direction", sort=False).groups
    verbs = {word: word if len(names) == 1 else word[:-1] for word, names in groups.items()}
    verbs |= {INCONCLUSIVE: f"are {INCONCLUSIVE}"}
    finding = " and ".join(f"{' and '.join(names)} {verbs[word]}" for word, names in groups.items())
    gains = ", ".join(f"{label} {text}" for label, text in intervals(change, "difference").items())
    return figures.Figure(
        drawing,
        alt=f"Mean change over seven systems: {gains}.",
        formats="+.3f",
        caption=f"With blind feedback, {finding}. Mean change over seven systems of our own on "
        f"{topics} topics of four collections; lengths do not compare between measures. Bars: 95% "
        "intervals over topics.",
        data=change[["difference", "low", "high"]].rename_axis("measure"),
    )


def draw_moves(moves: pd.DataFrame, terms: pd.DataFrame) -> figures.Figure:
    """Draw where documents stood and stand: what :func:`lib.retrieval.moved` returns, as slopes.

    Above either end stand the stems that were asked for there, the heaviest first: ``terms`` is
    what :func:`lib.retrieval.expansion` returns.
    """
    short = {name: name.rpartition(".")[2] for name in moves.index}
    ends, rises = moves[["before", "after"]], moves["after"] < moves["before"]
    relevant = moves["relevant"].astype(bool)
    with figures.subplots(height=5.2) as (drawing, axes):
        for name, ranks in ends.iterrows():
            thin: dict[str, Any] = {"linewidth": 1, "linestyle": "-" if rises[name] else ":"}
            look = {"linewidth": 3, "markersize": 7} if relevant[name] else thin
            figures.draw_line(axes, [0, 1], ranks, short[name], color=INK, tell="y", **look)
        above = axes.get_xaxis_transform()
        for x, (side, shift, form) in enumerate(
            [("right", -8, "{name}   {rank:.0f}"), ("left", 8, "{rank:.0f}   {name}")]
        ):
            for line, text in enumerate(_asked(terms)[x]):
                place = {"xycoords": above, "textcoords": "offset points", "ha": side}
                axes.annotate(text, (x, 1), (shift, 12 * (_LINES - line)), **place)
            for name, rank in ends.iloc[:, x].dropna().items():
                look = {"ha": side, "va": "center", "textcoords": "offset points"}
                look["fontweight"] = "bold" if relevant[name] else "normal"
                axes.annotate(
                    form.format(name=short[name], rank=rank), (x, rank), (shift, 0), **look
                )
        axes.set(xlim=(-0.7, 1.7), xticks=[], yticks=[])
        axes.grid(False)
        axes.invert_yaxis()
    first = moves[relevant].iloc[0]
    verb = "falls" if first["after"] > first["before"] else "goes"
    ranks = f"from rank {first['before']:.0f} to rank {first['after']:.0f}"
    sinking = f"{short[first.name]}, which is relevant, {verb} {ranks}"
    others = rises.sum() - relevant[rises].sum()
    return figures.Figure(
        drawing,
        data=moves.assign(relevant=np.where(moves["relevant"], "yes", "")),
        formats=".0f",
        alt=f"Lines from rank to rank. {sinking}.",
        caption=f"{in_words(others).capitalize()} other pages rise, and {sinking}. Stems asked for "
        "(+: by feedback), and the first five pages of either list; thick: relevant; dotted: what "
        "else falls.",
    )


def _asked(terms: pd.DataFrame) -> list[list[str]]:
    """Say in lines with what stems was searched, without feedback and with it.

    A stem that feedback brought has a plus sign; of all the heaviest stand there.
    """
    own = terms[terms["base"] > 0].sort_values("base", ascending=False, kind="stable")
    stems = terms["term"].where(terms["base"] > 0, "+" + terms["term"])
    heaviest = [*stems[:_STEMS], f"and {len(stems) - _STEMS} more"]
    return [
        [title, *textwrap.wrap(", ".join(words), 23)]
        for title, words in [("without feedback", own["term"]), ("with feedback", heaviest)]
    ]


def draw_needed(needed: pd.DataFrame, at: int = 50) -> figures.Figure:
    """Draw how many topics each system's change needs: a row a system, a mark a measure."""
    with figures.subplots(height=2.8) as (drawing, axes):
        axes.axvline(at, **figures.REFERENCE)
        for name, topics in needed.items():
            look = {**figures.measure_style(str(name)), "linestyle": "none"}
            words = [f"{number:,.0f} topics by {name}" for number in topics]
            dots = axes.plot(topics, range(len(topics)), label=name, **look)
            add_tooltips(dots, list(topics.index), tell="", words=words)
        figures.label_rows(axes, map(str, needed.index))
        figures.log_axis(axes, [10, at, 100, 1000, 10000], form=",")
        axes.set_xlabel("topics needed")
        drawing.legend(loc="outside upper center", ncols=len(needed.columns))
    enough = (needed <= at).sum()
    by = {n: enumeration(f"{name}'s" for name in of.index) for n, of in enough.groupby(enough)}
    most, least = max(by), min(by)
    title = f"{at} topics show {by[most]} change in {most or 'none'} of {len(needed)} systems"
    if least < most:
        title += f", and {by[least]} in {least or 'none'}"
    return figures.Figure(
        drawing,
        data=needed,
        formats=",.0f",
        alt="Dots on a logarithmic axis. Systems whose change so many topics show: "
        f"{', '.join(f'by {name} {n}' for name, n in enough.items())}.",
        caption=f"{title}. Topics that a t test needs for a statistical power of 80%; dotted: "
        f"{at}.",
    )


def panel(system: str, measure: str, **setting: Any) -> figures.Figure:
    """Show whom feedback helps and hurts at a setting of ``topic_gains``: the control's panel."""
    gains = topic_gains(system, measure, **setting)
    change, name = gains["difference"], MEASURES[measure]
    helped, hurt, unchanged = (change > 0).sum(), (change < 0).sum(), (change == 0).sum()
    (mean,) = tables.interval(change.to_frame()).itertuples()
    numbers = {"topics helped": helped, "hurt": hurt, "unchanged": unchanged}
    numbers |= {"mean base": gains["base"].mean(), "mean feedback": gains["feedback"].mean()}
    numbers |= {"difference": change.mean()}
    gain, lose = ("gains" if helped == 1 else "gain"), ("loses" if hurt == 1 else "lose")
    title = (
        f"{helped} of {len(change)} topics {gain} by {name} and {hurt} {lose}, and the mean "
        f"changes by {between(mean.difference, mean.low, mean.high)}."
    )
    end = 0.5 if change.abs().max() <= 0.5 else 1
    falling = change.sort_values(ascending=False, kind="stable")
    with figures.subplots(height=2.2) as (drawing, axes):
        place = np.arange(1, len(change) + 1)
        # A line back along 0 would have as many corners again: half of the page's weight.
        corners = [1, *place, len(change)], [0, *falling, 0]
        axes.fill(*corners, linewidth=0, color=colour(name))
        axes.axhline(0, color="black", linewidth=0.8)
        sides = "topics, from the largest gain to the largest loss"
        axes.set(xlabel=sides, xlim=(0, len(change) + 1), ylabel=f"change in {name}")
        axes.set(ylim=(-1.1 * end, 1.1 * end), yticks=[-end, 0, end])
    return figures.Figure(
        drawing,
        data=pd.DataFrame(numbers, pd.Index([f"{system}, {name}"], name="system, measure")),
        formats=".3f",
        alt=f"Topics from the largest gain to the largest loss; {unchanged} do not change. {title}",
        caption=title,
    )


def draw_by_relevant() -> figures.Figure:
    """Draw the mean change by the number of relevant documents of a topic, a panel a measure."""
    found = relevant.by_relevant()
    groups, known = [relevant.group_name(*one) for one in relevant.GROUPS], found["collections"]
    at = {name: place for place, name in enumerate(groups)}
    with figures.panels(
        [*FOUR.values()],
        ylabel="mean change with feedback",
        xlabel="relevant documents of a topic",
        height=3.2,
    ) as (drawing, panels):
        for axes, (measure, own) in zip(panels, found.groupby("measure", sort=False)):
            axes.axhline(0, **figures.REFERENCE)
            for shift, face, (title, line) in zip(
                (-0.12, 0.12), (INK, "none"), own.groupby("collections", sort=False)
            ):
                places = line["relevant"].map(at) + shift
                axes.vlines(places, line["low"], line["high"], color=INK, linewidth=1)
                ends = line[["difference", "low", "high"]].itertuples(index=False)
                words = [between(*numbers) for numbers in ends]
                look: dict[str, Any] = {"linestyle": "none", "color": INK, "mfc": face, "ms": 5}
                dots = axes.plot(places, line["difference"], "o", label=title, **look)
                names = [f"{title}, {group} relevant, {measure}" for group in line["relevant"]]
                add_tooltips(dots, names, tell="", words=words)
            axes.set_xticks(range(len(groups)), groups, rotation=90)
            axes.set_xlim(-0.5, len(groups) - 0.5)
        drawing.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    return figures.Figure(
        drawing,
        caption=f"{_where_it_helps(found)}. Mean change over seven systems by a topic's number of "
        f"relevant documents, in groups of {relevant.FEWEST} topics or more; bars: 95% intervals.",
        alt=f"Dots with intervals, a panel a measure, for {' and '.join(known.unique())}.",
        data=found.drop(columns="direction").set_index(["collections", "relevant", "measure"]),
        formats={"topics": ",.0f", **dict.fromkeys(["difference", "low", "high"], "+.3f")},
    )


def _where_it_helps(found: pd.DataFrame) -> str:
    """Say of the groups with the fewest and the most relevant documents where AP rises."""
    gains = found[found["measure"] == "AP"].groupby("relevant", sort=False)["direction"]
    rises = gains.agg(lambda of: (of == tables.RISES).all())
    few, many = (rises.loc[relevant.group_name(*relevant.GROUPS[i])] for i in (0, -1))
    if many and not few:
        return "AP gains where topics have many relevant documents, and not where they have few"
    return f"AP gains in {rises.sum()} of {len(rises)} groups of topics"


def _stack(axis: Axes, column: pd.Series) -> None:
    """Draw one bar a measure: its systems, from those that lose to those that gain."""
    counts = np.array([text.split() for text in column], dtype=int)
    ends = counts.cumsum(axis=1)
    for number, (label, (several, own)) in enumerate(_BARS.items()):
        rows = np.flatnonzero(counts[:, number])
        count = counts[rows, number]
        look: dict[str, Any] = {"facecolor": "none", "height": 0.75} | own
        bars = axis.barh(rows, count, left=ends[rows, number] - count, label=label, **look)
        words = [f"{systems} {label if systems == 1 else several}" for systems in count]
        add_tooltips(bars, column.index[rows], words=words)
    axis.set(xlim=(0, ends.max()), xticks=[])
    axis.grid(False)


def draw_beside() -> figures.Figure:
    """Draw Table 2 and ours: the mean change by each measure, and how many systems it holds for."""
    both, change = tables.table2_beside_printed(), tables.changes()
    order = np.argsort(-change["difference"].to_numpy(), kind="stable")
    paper = tables.as_printed(2)["difference"]
    both, change, paper = (rows.iloc[order] for rows in (both, change, paper))
    labels = [MEASURES[label] for label in both.index]
    titles = ["mean change", "systems, paper", "systems, ours"]
    shape: dict[str, Any] = {"height": 1.0 + 0.19 * len(labels), "width_ratios": [2, 1, 1]}
    with figures.panels(titles, **shape) as (drawing, (dots, *bars)):
        dots.axvline(0, color="black", linewidth=1)
        dots.hlines(labels, paper, change["difference"], color=PALE, linewidth=3)
        dots.hlines(labels, change["low"], change["high"], color=INK, linewidth=1)
        rows = change[["difference", "low", "high"]].itertuples(index=False)
        words = [f"ours {between(*numbers)}" for numbers in rows]
        mine = dots.plot(change["difference"], labels, "o", color=INK, ms=4, label="ours")
        add_tooltips(mine, labels, tell="", words=words)
        words = [minus_signs(f"the paper's {number:+.3f}") for number in paper]
        theirs = dots.plot(paper, labels, "D", color=INK, mfc="none", ms=5, label="the paper")
        add_tooltips(theirs, labels, tell="", words=words)
        dots.set(xlabel="mean change with feedback")
        dots.locator_params(axis="x", prune="upper")  # which would reach into the next panel
        dots.legend(loc="lower right")
        for axis, side in zip(bars, ("paper", "ours")):
            _stack(axis, both[side, "ns no z po ps"].set_axis(labels))
        dots.invert_yaxis()
        for axes, row in itertools.product((dots, *bars), range(1, len(labels), 2)):
            axes.axhspan(row - 0.5, row + 0.5, facecolor=_BAND, linewidth=0, zorder=0)
        drawing.legend(*bars[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    unlike = both["signs", ""] != "agree"
    topics = sum(len(collection.topics) for collection in tables.ours())
    return figures.Figure(
        drawing,
        caption=f"By {(~unlike).sum()} of {len(unlike)} measures ours change in the paper's "
        f"direction, with intervals that exclude 0. Left: mean change over seven systems, ours "
        f"({topics} topics) with 95% intervals, the paper's (150 topics) without. Right: how many "
        "systems lose and gain.",
        alt="Dots for 30 measures: the paper's and ours lie on the same side of zero, but for "
        f"{', '.join(np.array(labels)[unlike])}. Bars: nearly all systems gain by the measures of "
        "the lower half.",
        data=table(
            both.set_axis(labels).rename_axis("measure"),
            highlight=np.repeat(unlike.to_numpy()[:, None], both.shape[1], axis=1),
            caption="Marked: where signs differ or are inconclusive. The five counts: systems that "
            "lose significantly (ns), otherwise lose (no), do not change (z), gain (po), gain "
            "significantly (ps).",
        ),
    )
