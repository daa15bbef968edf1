"""The figures of the paper and of its chapter, drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from lib.collection import Collection, load
from lib.display import figures
from lib.display.figures import colour
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.measures import SHARE
from lib.papers.webber2008.tables import COMPLEX, FAMILIES, MEASURES, NUMBER, leads, phi

APART = 0.35  # topics between lines that have bars


@figures.style()
def draw_figure1(points: pd.DataFrame) -> figures.Figure:
    """Draw points of :func:`lib.papers.webber2008.tables.figure1`, one line a pair of measures.

    With intervals over topics, columns low and high, as bars; else with bands of one standard
    deviation between single splits.
    """
    bounded = "low" in points
    drawing, axes = figures.subplots(height=3.4)
    lines = points.groupby(["predictor", "of"], sort=False)
    for number, ((predictor, of), line) in enumerate(lines):
        label = f"{predictor} of {'itself' if predictor == of else of}"
        dash = "-" if predictor == of else "--"
        if bounded:  # bars at one place would hide each other
            at = line["topics"] + APART * (number - (len(lines) - 1) / 2)
            ends = {"low": line["low"], "high": line["high"], "tell": "y"}
            words = [f"{size} topics" for size in line["topics"]]
            figures.draw_line(axes, at, line["phi"], label, words=words, linestyle=dash, **ends)
        else:
            figures.draw_line(axes, line["topics"], line["phi"], label, linestyle=dash)
            low, high = line["phi"] - line["deviation"], line["phi"] + line["deviation"]
            figures.draw_band(axes, line["topics"], low, high, colour(predictor))
    axes.set(
        xlabel="topics in each set",
        ylabel="predictive power (mean tau)",
        xticks=sorted(points["topics"].unique()),
    )
    figures.label_lines(axes)
    ends = points[points["topics"] == points["topics"].max()]
    around = "bars are 95% intervals over topics, by the jackknife, of lines set a little apart"
    if not bounded:
        around = "bands are one standard deviation of single splits"
    known = ["phi", "error", "deviation", *(["low", "high"] if bounded else [])]
    alt = "Lines that rise with the number of topics; at the largest sets: " + ", ".join(
        f"{row.predictor} of {row.of} {row.phi:.2f}" for row in ends.itertuples()
    )
    return figures.Figure(
        drawing,
        alt=alt,
        formats=".3f",
        caption="Predictive power against the number of topics in each of two disjoint sets. "
        f"Lines are means over random splits; {around}.",
        data=points.set_index(["predictor", "of", "topics"])[known],
    )


@figures.style()
def draw_finding(
    collections: Mapping[str, Collection] | None = None, *, target: str = "P@10"
) -> figures.Figure:
    """Draw what became of the claim: who predicts a simple measure, on the old data and on new.

    Of two collections by their titles, by default TREC-8 and TREC-COVID; a dot a measure, with its
    interval over topics.
    """
    collections = collections or {
        "TREC-8 (1999)": load("trec8"),
        "TREC-COVID (2020)": load("trec-covid"),
    }
    found = {title: leads(data, target) for title, data in collections.items()}
    shown = pd.concat({title: table.loc[[*COMPLEX]] for title, table in found.items()})
    drawing, panels = figures.panels([*found], width="column", height=1.9, sharex=True)
    for axes, title in zip(panels, found):
        axes.axvline(0, color="black", linewidth=1, linestyle=":")
        for place, row in enumerate(shown.loc[title].itertuples()):
            look: dict[str, Any] = {"color": colour(row.Index), "linewidth": 1.5, "markersize": 7}
            figures.draw_row(axes, place, row.Index, row.lead, row.low, row.high, **look)
    figures.label_rows(panels[0], COMPLEX)
    drawing.supxlabel(f"predicts {target} better than {target} does itself", fontsize=10)
    ends = "; ".join(
        f"{title}: AP {table.loc['AP', 'lead']:+.2f} "
        f"[{table.loc['AP', 'low']:+.2f}, {table.loc['AP', 'high']:+.2f}]"
        for title, table in found.items()
    )
    ends = minus_signs(ends)
    return figures.Figure(
        drawing,
        data=shown.rename_axis(["collection", "predictor"]),
        formats=".3f",
        alt=f"Dots with intervals in two panels. {ends}.",
        caption=f"How much better each measure predicts how systems rank by {target} on other "
        f"topics than {target} itself does (dotted), with 95% intervals over topics. {ends}.",
    )


@figures.style()
def panel(
    collection: Collection,
    target: str,
    topics: int,
    predictors: Sequence[str] = tuple(MEASURES),
    share: float = SHARE,
    number: int = NUMBER,
) -> figures.Figure:
    """Show how well each measure predicts one measure: a panel of the chapter's control.

    On so many topics in each of two sets; `share` and `number` are those of
    :func:`lib.papers.webber2008.tables.phi`.
    """
    chosen = {name: MEASURES[name] for name in MEASURES if name in (target, *predictors)}
    result = phi(collection, chosen, size=topics, share=share, number=number)
    columns = {"phi": result.phi, "error": result.error, "deviation": result.deviation}
    shown = pd.DataFrame({name: table[target] for name, table in columns.items()})
    shown = shown.sort_values("phi", ascending=False).rename_axis("predictor")
    drawing, axes = figures.subplots(height=2.2)
    axes.axvline(shown.loc[target, "phi"], color="black", linewidth=1, linestyle=":")
    for row in shown.loc[list(chosen)].itertuples():  # each keeps its row
        color, size = colour(row.Index), 9 if row.Index == target else 6
        ends = [row.phi - row.deviation, row.phi + row.deviation]
        axes.plot(ends, [row.Index] * 2, color=color, linewidth=1.2)
        dot = axes.plot(row.phi, row.Index, "o", color=color, markersize=size)
        add_tooltips(dot, row.Index, tell="x")
    axes.set(xlim=(0, 1), xlabel=f"predictive power for {target} on other topics")
    axes.invert_yaxis()
    return figures.Figure(
        drawing,
        data=shown,
        formats=".3f",
        alt=f"{shown.index[0]} predicts {target} best, phi {shown['phi'].iloc[0]:.2f}; "
        f"{target} itself {shown.loc[target, 'phi']:.2f}.",
        caption=f"How well a ranking of systems on {topics} topics by each measure predicts the "
        f"ranking by {target} on {topics} others. Bars: one standard deviation between single "
        f"splits. Dotted line: {target} of itself.",
    )


@figures.style()
def draw_by_depth(shown: Mapping[str, pd.DataFrame], *, target: str = "P@10") -> figures.Figure:
    """Draw how well a measure is predicted, against the depth of the one that predicts.

    A panel a collection, of its title and what :func:`lib.papers.webber2008.tables.by_depth` gives.
    """
    drawing, panels = figures.panels([*shown], height=2.9, ylabel=f"predictive power for {target}")
    for axes, table in zip(panels, shown.values()):
        dots: dict[str, Any] = {"color": colour(target), "linestyle": ":", "label": target}
        axes.plot(table.index, table["itself"], **dots)
        for family in FAMILIES:
            figures.draw_line(axes, table.index, table[family], family)
        figures.log_axis(axes, [10, 100, 1000], form=",")
        axes.set_xlabel("depth of the measure (ranks)")
        figures.label_lines(axes)
    ends = "; ".join(
        f"{title}: nDCG at depth {table.index[0]} {table['nDCG'].iloc[0]:.2f}, at depth "
        f"{table.index[-1]:,} {table['nDCG'].iloc[-1]:.2f}, {target} itself "
        f"{table['itself'].iloc[0]:.2f}"
        for title, table in shown.items()
    )
    return figures.Figure(
        drawing,
        data=pd.concat(shown, names=["collection"]),
        formats=".3f",
        alt=f"Lines of predictive power against depth. {ends}.",
        caption=f"How well measures cut at a depth predict how systems rank by {target} on other "
        f"topics; dotted: {target} itself. aAP is AP, divided by the most that the depth allows.",
    )
