"""The figures of what is lost outside the pool and of what a budget buys."""

from typing import Any

import numpy as np
import pandas as pd

from lib.collection import about
from lib.display import figures
from lib.display.figures import INK, PALETTE, colour, measure_style
from lib.display.svg import add_tooltips
from lib.studies.spending.read import read
from lib.studies.spending.shown import by_run, cheapest

SHOWN = ("P@10", "nDCG@20", "AP", "Bpref", "condensed AP")
KINDS = {  # who is left out, and how its line looks
    "TREC-8, manual": ("trec8", "manual", "-"),
    "TREC-COVID, all": ("trec-covid", "all", "--"),
    "TREC-8, automatic": ("trec8", "automatic", ":"),
}
INTERVAL = 1.96  # errors on each side of a 95% interval
HOLLOW = {"markerfacecolor": "white", "linestyle": "--"}  # a measure of other lists
# Ways to choose are no measures; they have the colours that no measure of this study has.
WAYS = {
    "move to front": {"color": PALETTE[6], "marker": "o", "linestyle": "-"},
    "bandit": {"color": PALETTE[7], "marker": "s", "linestyle": "--"},
    "sample": {"color": PALETTE[3], "marker": "D", "linestyle": ":"},
}
SIDES = {"inside": "systems that feed the pool", "outside": "systems that come later"}


def _style(measure: str) -> dict[str, Any]:
    """Return how the line of a measure looks; that of a condensed list is hollow."""
    plain = measure.removeprefix("condensed ")
    return measure_style(plain) | (HOLLOW if plain != measure else {})


def _percent(axes: Any, side: str) -> None:
    getattr(axes, f"{side}axis").set_major_formatter(lambda value, _: f"{value:.0%}")


def _judgements(axes: Any) -> None:
    """Put numbers of judgements on the axis below, a few that one can read."""
    axes.set(xscale="log", xlabel="judgements")
    low, high = axes.get_xlim()
    ticks = [one for one in (100, 300, 1000, 3000, 10_000, 30_000) if low < one < high]
    axes.set_xticks(ticks, [f"{one:,}" for one in ticks])
    axes.set_xticks([], minor=True)


def _with_interval(axes, x, y, errors, name, style):
    """Draw a line with the interval of each of its dots."""
    reach = INTERVAL * np.asarray(errors)
    axes.vlines(x, y - reach, y + reach, color=style["color"], linewidth=1)
    said = [f"± {one:.3f}" for one in reach]
    add_tooltips(axes.plot(x, y, label=name, **style), name, tell="y", words=said)


def draw_kinds() -> figures.Figure:
    """Draw what runs of some kinds lose by AP outside the pool, by its depth."""
    table = read("losses").query("measure == 'AP'").set_index(["collection", "kind"])
    lines = {title: table.loc[(name, kind)] for title, (name, kind, _) in KINDS.items()}
    with figures.style():
        drawing, axes = figures.subplots(height=3.0)
        for i, (title, line) in enumerate(lines.items()):
            style = measure_style("AP") | {"linestyle": KINDS[title][2]}
            x = np.arange(len(line)) + 0.08 * (i - 1)
            _with_interval(axes, x, line["share"], line["error_groups"], title, style)
        axes.axhline(0, color=INK, linewidth=1, linestyle=":")
        axes.set_xticks(np.arange(len(line)), [str(depth) for depth in line["depth"]])
        _percent(axes, "y")
        axes.set(xlabel="depth of the pool", ylabel="share of AP lost")
        figures.label_lines(axes)
    data = pd.DataFrame({title: line.set_index("depth")["share"] for title, line in lines.items()})
    ends = "; ".join(
        f"{title}: {column.iloc[0]:.1%} at depth 5, {column.iloc[-1]:.1%} at depth 100"
        for title, column in data.items()
    )
    return figures.Figure(
        drawing,
        data=data,
        formats=".1%",
        alt=f"Three lines that fall as the pool grows deeper. {ends}.",
        caption="What runs lose by AP when their group did not feed the pool, as a share of their "
        "mean score, with 95% intervals over groups.",
    )


def draw_losses(
    collections: tuple[str, ...] = ("trec8", "trec-covid"), *, kind: str = "all"
) -> figures.Figure:
    """Draw how reusable a pool is: the share of its score that a run outside loses, by depth."""
    table = read("losses").query("kind == @kind")
    table = table[table["measure"].isin(SHOWN)].set_index(["collection", "measure"])
    titles = {name: about(name)["short_title"] for name in collections}
    with figures.style():
        drawing, panels = figures.subplots(
            1, len(collections), width="wide", height=3.6, sharey=True, squeeze=False
        )
        for axes, (name, title) in zip(panels[0], titles.items()):
            for i, measure in enumerate(SHOWN):
                line = table.loc[(name, measure)]
                x = np.arange(len(line)) + 0.07 * (i - 2)
                _with_interval(
                    axes, x, line["share"], line["error_groups"], measure, _style(measure)
                )
            axes.axhline(0, color=INK, linewidth=1, linestyle=":")
            axes.set_xticks(np.arange(len(line)), [str(depth) for depth in line["depth"]])
            axes.set_title(title)
            axes.set_xlabel("depth of the pool")
            _percent(axes, "y")
        panels[0, 0].set_ylabel("share of the score lost")
        for axes in panels[0]:
            figures.label_lines(axes)
    data = (
        table.loc[list(titles)]
        .reset_index()
        .pivot(index=["collection", "depth"], columns="measure", values="share")[list(SHOWN)]
        .rename(index=titles)
    )
    ends = "; ".join(
        f"on {title} AP goes from {part.iloc[0]:.1%} at depth 5 to {part.iloc[-1]:.1%} at 100"
        for title, part in data["AP"].groupby(level=0, sort=False)
    )
    return figures.Figure(
        drawing,
        data=data,
        formats="+.1%",
        alt=f"Lines that fall towards 0 with the pool's depth: {ends}. Bpref and condensed AP lie "
        "at 0 or below.",
        caption=f"{' and '.join(titles.values())}, each group left out of the pool in turn ({kind} "
        "runs): the share of their mean score that its runs lose, with 95% intervals over groups. "
        "Below 0 they gain.",
    )


def draw_runs(*, measure: str = "AP", depth: int = 10) -> figures.Figure:
    """Draw what each run loses outside the pool beside what it can know: its unjudged share."""
    table = by_run(measure=measure, depth=depth)
    titles = dict(zip(table["collection"], table["title"]))
    with figures.style():
        drawing, panels = figures.subplots(
            1, len(titles), width="wide", height=3.1, sharex=True, sharey=True, squeeze=False
        )
        for axes, (name, title) in zip(panels[0], titles.items()):
            for manual, part in table[table["collection"] == name].groupby("manual"):
                style = {"color": colour(measure), "linestyle": "none", "markersize": 4.5}
                style |= {"marker": "s"} if manual else {"marker": "o", **_open()}
                dots = axes.plot(
                    part["unjudged"], part["lost"], label=_kind(manual), zorder=3, **style
                )
                add_tooltips(dots, part["run"], words=part["type"])
            axes.set_title(title)
            axes.set_xlabel("share of unjudged documents to rank 10")
            _percent(axes, "x")
            _percent(axes, "y")
        panels[0, 0].set_ylabel(f"share of {measure} lost")
        panels[0, 0].legend(loc="upper left")
    data = (
        table.groupby(["title", "bin"], observed=True)["lost"]
        .agg(["count", "median", "max"])
        .rename_axis(["collection", "unjudged to rank 10"])
    )
    far = table.loc[table.groupby("title", sort=False)["unjudged"].idxmax()]
    said = "; ".join(
        f"on {row.title} the run with the most unjudged documents, {row.unjudged:.0%}, loses "
        f"{row.lost:.0%}"
        for row in far.itertuples()
    )
    return figures.Figure(
        drawing,
        data=data,
        formats=dict.fromkeys(("median", "max"), ".1%"),
        alt=f"Clouds of dots that rise to the right: {said}.",
        caption=f"A dot a run, its group left out of the pool of depth {depth}: how many of its "
        f"first ten documents nobody judged, and what it loses by {measure}.",
    )


def _open() -> dict[str, str]:
    return {"markerfacecolor": "white"}


def _kind(manual: bool) -> str:
    return "manual" if manual else "automatic, or with feedback"


def draw_buys(collection: str = "trec8") -> figures.Figure:
    """Draw the best that a budget buys, by measure, for systems in the pool and outside."""
    title = about(collection)["short_title"]
    tables = {side: cheapest(collection, side) for side in SIDES}
    with figures.style():
        drawing, panels = figures.subplots(1, 2, width="wide", height=3.3, sharex=True, sharey=True)
        for axes, (side, table) in zip(panels, tables.items()):
            end = table["judgements"].max()
            for measure, part in table.groupby("measure"):
                x, y = part["judgements"], part["value"]
                dots = axes.plot(x, y, **measure_style(measure) | {"linestyle": "none"})
                add_tooltips(dots, measure, words=part["words"])
                steps = {"drawstyle": "steps-post", "color": colour(measure), "marker": ""}
                axes.plot([*x, end], [*y, y.iloc[-1]], label=measure, **steps)
            axes.set_title(SIDES[side])
            _judgements(axes)
        panels[0].set_ylabel("placed in order")
        for axes in panels:
            figures.label_lines(axes)
    data = pd.concat(tables, names=["who", "row"]).reset_index(level="row", drop=True)
    data = data.set_index(["measure", "judgements"], append=True)[["topics", "depth", "value"]]
    best = {side: table.loc[table["value"].idxmax()] for side, table in tables.items()}
    return figures.Figure(
        drawing,
        data=data,
        alt="Rising steps; "
        + "; ".join(
            f"{SIDES[side]}: {row['measure']} comes to {row['value']:.2f} for "
            f"{row['judgements']:,} judgements"
            for side, row in best.items()
        )
        + ".",
        caption=f"{title}: the best that at most so many judgements buy, from pools of a depth, by "
        "topics and depth: pairs of a system and one of another group in the order that other "
        "topics have by AP, less pairs in the other order.",
    )


def draw_ways(collection: str = "trec8") -> figures.Figure:
    """Draw what ways of choosing documents gain over the pool of a depth that costs as much."""
    table = read("ways").query("collection == @collection")
    table = table[table["topics"] == table["topics"].max()]
    by = np.where(table["way"] == "sample", "infAP", "AP")
    table = table[table["measure"] == by].set_index("way")
    title, topics = about(collection)["short_title"], int(table["topics"].iloc[0])
    columns = {"gain": "predictive power, all systems", "outside_gain": SIDES["outside"]}
    drawn = [column for column in columns if table[column].notna().any()]
    with figures.style():
        drawing, panels = figures.subplots(
            1, len(drawn), width="wide", height=3.1, sharey=True, squeeze=False
        )
        for axes, column in zip(panels[0], drawn):
            for i, (way, style) in enumerate(WAYS.items()):
                line = table.loc[way]
                x = line["judgements"] * 1.05 ** (i - 1)
                _with_interval(axes, x, line[column], line[f"{column}_error"], way, style)
            axes.axhline(0, color=INK, linewidth=1, linestyle=":")
            axes.set_title(columns[column])
            _judgements(axes)
        panels[0, 0].set_ylabel("gain over the pool of a depth")
        panels[0, -1].legend(loc="lower right")
    data = table.reset_index().pivot(index="judgements", columns="way", values=drawn[-1])
    first = data[list(WAYS)].iloc[0]
    return figures.Figure(
        drawing,
        data=table.loc[list(WAYS)]
        .reset_index()
        .pivot(index="judgements", columns="way", values=drawn),
        formats="+.3f",
        alt="Lines that come to 0 at the right; at the left "
        + ", ".join(f"{way} gains {value:+.2f}" for way, value in first.items())
        + f" ({columns[drawn[-1]]}).",
        caption=f"{title}, {topics} topics: what is gained when documents are chosen in three ways "
        "and not by the depth of a pool, at equal cost, with 95% intervals"
        + (" (left over topics, right over groups)" if len(drawn) > 1 else " over topics")
        + ". By AP; after a random sample, by inferred AP.",
    )
