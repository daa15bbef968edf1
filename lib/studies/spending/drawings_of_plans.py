"""The figures of how many topics are needed, of pairs that turn round, and of the back-test."""

import numpy as np
import pandas as pd

from lib.collection import about
from lib.display import figures
from lib.display.figures import INK, measure_style
from lib.display.svg import add_tooltips
from lib.studies.sources import sources
from lib.studies.spending.backtest import BASELINES
from lib.studies.spending.read import read

COMPARED = ("AP", "nDCG@20", "P@10")
TOPICS = 50  # what tracks have, as a rule
METHODS = {"t": "-", "Tukey": "--"}
APART = {"AP": 1.5, "P@10": -1.5}  # topics, so that intervals stand side by side
ROW = 0.21  # inches


def draw_needs() -> figures.Figure:
    """Draw how many topics a comparison needs, collection by collection."""
    titles = {source.name: source.title for source in sources()}
    table = read("needs")
    table = table[table["measure"].isin(COMPARED)].assign(title=lambda t: t["source"].map(titles))
    rows = [title for title in titles.values() if title in set(table["title"])][::-1]
    columns = {"needed": "two systems", "needed_all": "all pairs at once"}
    with figures.style():
        drawing, panels = figures.subplots(
            1, 2, width="wide", height=ROW * len(rows) + 0.95, sharex=True, sharey=True
        )
        for axes, (column, title) in zip(panels, columns.items()):
            axes.axvline(TOPICS, color=INK, linewidth=1, linestyle=":")
            for measure in COMPARED:
                part = table[table["measure"] == measure]
                places = [rows.index(row) for row in part["title"]]
                dots = axes.plot(
                    part[column],
                    places,
                    label=measure,
                    **measure_style(measure) | {"linestyle": "none"},
                )
                add_tooltips(dots, measure, tell="x", words=part["title"])
            axes.set(xscale="log", xlabel="topics needed", title=title)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        panels[0].set_yticks(range(len(rows)), rows)
        drawing.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=3)
    data = table.pivot(index="title", columns="measure", values=list(columns))
    data = data.loc[rows[::-1]].rename(columns=columns).rename_axis("collection")
    middle = table.groupby("measure")["needed"].median()
    return figures.Figure(
        drawing,
        data=data,
        formats=",.0f",
        alt="On most collections AP needs the fewest topics and P@10 the most: in the middle of "
        "the collections "
        + ", ".join(f"{name} {middle[name]:.0f}" for name in COMPARED)
        + " for two systems, some three times as many for all pairs.",
        caption="Topics for a chance of 80% to find a difference of 0.05 between the means of two "
        "systems, at the 5% level: left one comparison alone, right all pairs of the systems at "
        f"once, by Tukey's test. The dotted line stands at {TOPICS} topics.",
    )


def draw_turned(source: str = "robust04") -> figures.Figure:
    """Draw how many pairs are told apart, and how many of these turn round on other topics."""
    table = read("turns").query("source == @source").set_index(["measure", "method"])
    title = about(source)["short_title"]
    with figures.style():
        drawing, (left, right) = figures.subplots(1, 2, width="wide", height=3.2)
        for measure in APART:
            for method, dashes in METHODS.items():
                line, name = table.loc[(measure, method)], f"{measure}, {method}"
                style = measure_style(measure) | {"linestyle": dashes}
                add_tooltips(
                    left.plot(line["topics"], line["significant"], label=name, **style), name
                )
                x = line["topics"] + APART[measure]
                right.vlines(x, line["low"], line["high"], color=style["color"], linewidth=1)
                said = [f"{row.low:.1%} to {row.high:.1%}" for row in line.itertuples()]
                dots = right.plot(x, line["turned"], label=name, **style)
                add_tooltips(dots, name, tell="y", words=said)
        for axes, words in ((left, "share of pairs told apart"), (right, "share that turns round")):
            axes.set(xlabel="topics that are tested", ylabel=words, ylim=(0, None))
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
            figures.label_lines(axes)
    first = table.loc[("AP", "t")].iloc[0]
    last = table.loc[("AP", "t")].iloc[-1]
    columns = ["topics", "significant", "turned", "low", "high", "again"]
    return figures.Figure(
        drawing,
        data=table.loc[(slice(None), list(METHODS)), columns].set_index("topics", append=True),
        formats=".2%",
        alt=f"Left, lines that rise: the t test tells {first['significant']:.0%} of the pairs "
        f"apart by AP on {first['topics']:.0f} topics and {last['significant']:.0%} on "
        f"{last['topics']:.0f}, Tukey's fewer. Right: {first['turned']:.1%} and "
        f"{last['turned']:.1%} of those turn round, of Tukey's next to none.",
        caption=f"{title}, random sets of its topics. Left: the share of all pairs that are told "
        "apart at 0.05, by a t test each and by Tukey's test of all. Right: how many of these have "
        "the other sign on all the other topics; the bars hold 95% of the sets.",
    )


def draw_back_test(*, price: float = 0.0) -> figures.Figure:
    """Draw what plans gain over the baselines at equal cost, budget by budget."""
    table = read("backtest").query("topic_cost == @price").reset_index(drop=True)
    names = [about(name)["short_title"] for name in table["collection"]]
    rows = [f"{name}, {_part(share)}" for name, share in zip(names, table["share"])]
    place = np.arange(len(table))[::-1]
    with figures.style():
        drawing, panels = figures.subplots(
            1, len(BASELINES), width="wide", height=ROW * len(rows) + 1.1, sharex=True, sharey=True
        )
        # Other fonts than matplotlib's are wider: leave them room at the left.
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.98, 1))
        for axes, baseline in zip(panels, BASELINES):
            color = measure_style(baseline)["color"]
            low, high = table[f"{baseline}, low"], table[f"{baseline}, high"]
            axes.axvline(0, color=INK, linewidth=1, linestyle=":")
            axes.hlines(place, low, high, color=color, linewidth=1.2)
            dots = axes.plot(table[baseline], place, linestyle="none", **measure_style(baseline))
            ends = [f"95% of the tries {a:+.2f} to {b:+.2f}" for a, b in zip(low, high)]
            add_tooltips(dots, rows, tell="x", words=ends)
            axes.set_title(f"over {baseline}")
        panels[0].set_yticks(place, rows)
        drawing.supxlabel("gain in predictive power", fontsize=10)
    data = table[list(BASELINES)].set_axis(pd.Index(rows, name="collection and budget"))
    worst, best = data.stack().idxmin(), data.stack().idxmax()
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt="Most dots lie at 0 or right of it. The largest gain is "
        f"{data.loc[best]:+.2f}, over {best[1]} ({best[0]}), the smallest "
        f"{data.loc[worst]:+.2f}, over {worst[1]} ({worst[0]}).",
        caption="What plans from half of a collection's topics predict better than the baselines "
        "at equal cost, as the other half shows it: means of 200 tries, and 95% of the tries. "
        "The budget is a part of what a pool of depth 10 costs on half of the topics.",
    )


def _part(share: float) -> str:
    return {0.25: "a quarter", 0.5: "a half", 1.0: "all of it"}[share]
