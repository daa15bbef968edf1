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
from lib.papers.webber2008.tables import (
    COMPLEX,
    FAMILIES,
    MARGIN,
    MEASURES,
    NUMBER,
    as_good,
    leads,
    phi,
)
from lib.published import INCONCLUSIVE

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
        caption=f"{_growth(points)} Each line is a mean over random splits into two sets without a "
        f"common topic, against their size; {around}.",
        data=points.set_index(["predictor", "of", "topics"])[known],
    )


def _growth(points):
    """Say from where to where the predictive power of the first measure goes."""
    line = points[points["of"] == points["of"].iloc[-1]]
    line = line[line["predictor"] == line["predictor"].iloc[0]]
    few, many = line.iloc[0], line.iloc[-1]
    return (
        f"{few['predictor']} predicts {few['of']} at {few['phi']:.2f} with {few['topics']} topics "
        f"and at {many['phi']:.2f} with {many['topics']}."
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
    worse, better = "\N{LEFTWARDS ARROW} worse", "better \N{RIGHTWARDS ARROW}"
    label = f"{worse} \N{EM DASH} lead over {target} (tau) \N{EM DASH} {better}"
    drawing.supxlabel(label, fontsize=10)
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
        caption=f"{_compared(found, target)} A dot is a measure's lead: how much better it "
        f"predicts the ranking of systems by {target} on other topics than {target} itself does "
        "(dotted). Bars are 95% intervals over topics.",
    )


def _compared(found, target):
    """Say of each collection which measures predict one as well as that does itself."""
    words = {"yes": f"as good as {target}", "no": "worse", INCONCLUSIVE: INCONCLUSIVE}
    sentences = []
    for title, table in found.items():
        answers = as_good(table.loc[[*COMPLEX]], [MARGIN]).iloc[:, 0]
        parts = [
            f"{' and '.join(answers.index[answers == answer])}: {said}"
            for answer, said in words.items()
            if (answers == answer).any()
        ]
        sentences.append(f"As predictors of {target} on {title}, {', '.join(parts)}.")
    return " ".join(sentences)


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
        caption=f"On these topics {shown.index[0]} predicts {target} best: predictive power of "
        f"each measure, on {topics} topics, for {target} on {topics} others. Bars: one standard "
        f"deviation between single splits. Dotted line: {target} predicting itself.",
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
    for axes in panels:  # when all have given the scale that they share its ends
        figures.label_lines(axes)
    ends = "; ".join(
        f"{title}: nDCG at depth {table.index[0]} {table['nDCG'].iloc[0]:.2f}, at depth "
        f"{table.index[-1]:,} {table['nDCG'].iloc[-1]:.2f}, {target} itself "
        f"{table['itself'].iloc[0]:.2f}"
        for title, table in shown.items()
    )
    sides = [
        f"On {title} nDCG predicts {target} at {table['nDCG'].iloc[0]:.2f} when cut at "
        f"{table.index[0]} and at {table['nDCG'].iloc[-1]:.2f} when cut at {table.index[-1]:,}"
        for title, table in shown.items()
    ]
    return figures.Figure(
        drawing,
        data=pd.concat(shown, names=["collection"]),
        formats=".3f",
        alt=f"Lines of predictive power against depth. {ends}.",
        caption=f"{'. '.join(sides)}. Lines: predictive power for {target} of measures cut at a "
        f"depth; dotted: {target} predicting itself. aAP is AP, divided by the most that the depth "
        "allows.",
    )
