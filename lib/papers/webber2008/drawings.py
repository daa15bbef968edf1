"""The figures of the paper and of its chapter, drawn."""

from collections.abc import Mapping, Sequence

import pandas as pd

from lib.collection import Collection, load
from lib.display import figures
from lib.display.figures import colour, measure_style
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.measures import SHARE
from lib.papers.webber2008.tables import COMPLEX, FAMILIES, MEASURES, NUMBER, leads, phi

APART = 0.35  # topics between lines that have bars


def draw_figure1(points: pd.DataFrame) -> figures.Figure:
    """Draw Figure 1: predictive power against topics in each set, one line a pair.

    Parameters
    ----------
    points : DataFrame
        Of :func:`lib.papers.webber2008.figure1`; with columns low and high where the intervals
        over topics are known.

    Returns
    -------
    lib.display.figures.Figure
        With the intervals over topics as bars, or else with bands of one standard deviation
        between single splits around each line.
    """
    bounded = "low" in points
    lines = points.groupby(["predictor", "of"], sort=False)
    with figures.style():
        drawing, axes = figures.subplots(height=3.4)
        for number, ((predictor, of), line) in enumerate(lines):
            label = f"{predictor} of {'itself' if predictor == of else of}"
            style = {"linestyle": "-" if predictor == of else "--"} | measure_style(predictor)
            if not bounded:
                add_tooltips(axes.plot(line["topics"], line["phi"], label=label, **style), label)
                low, high = line["phi"] - line["deviation"], line["phi"] + line["deviation"]
                figures.draw_band(axes, line["topics"], low, high, colour(predictor))
                continue
            # Bars at one place would hide each other.
            at = line["topics"] + APART * (number - (len(lines) - 1) / 2)
            axes.vlines(at, line["low"], line["high"], color=colour(predictor), linewidth=1)
            told = [f"{size} topics" for size in line["topics"]]
            add_tooltips(
                axes.plot(at, line["phi"], label=label, **style), label, tell="y", words=told
            )
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


def draw_finding(
    collections: Mapping[str, Collection] | None = None, *, target: str = "P@10"
) -> figures.Figure:
    """Draw what became of the claim: who predicts a simple measure, on the old data and on new.

    Parameters
    ----------
    collections : dict of str to Collection, optional
        Title to collection, two of them; by default TREC-8 and TREC-COVID.
    target : str
        Label among :data:`MEASURES`: the measure to be predicted.

    Returns
    -------
    lib.display.figures.Figure
        One row of axes, a dot a measure, with the interval over topics; small enough for the
        landing page.
    """
    collections = collections or {
        "TREC-8 (1999)": load("trec8"),
        "TREC-COVID (2020)": load("trec-covid"),
    }
    found = {title: leads(data, target) for title, data in collections.items()}
    shown = pd.concat({title: table.loc[[*COMPLEX]] for title, table in found.items()})
    with figures.style():
        drawing, panels = figures.panels([*collections], width="column", height=1.9, sharex=True)
        for axes, title in zip(panels, collections):
            axes.axvline(0, **figures.REFERENCE)
            for place, row in enumerate(shown.loc[title, ["lead", "low", "high"]].itertuples()):
                look: dict = {"color": colour(row.Index), "linewidth": 1.5, "markersize": 7}
                figures.draw_row(axes, place, *row, **look)
        figures.label_rows(panels[0], COMPLEX)
        drawing.supxlabel(f"predicts {target} better than {target} does itself", fontsize=10)
    ends = minus_signs(
        "; ".join(
            f"{title}: AP {table.loc['AP', 'lead']:+.2f} "
            f"[{table.loc['AP', 'low']:+.2f}, {table.loc['AP', 'high']:+.2f}]"
            for title, table in found.items()
        )
    )
    return figures.Figure(
        drawing,
        data=shown.rename_axis(["collection", "predictor"]),
        formats=".3f",
        alt=f"Dots with intervals in two panels. {ends}.",
        caption=f"How much better each measure predicts how systems rank by {target} on other "
        f"topics than {target} itself does (dotted), with 95% intervals over topics. {ends}.",
    )


def panel(
    collection: Collection,
    target: str,
    topics: int,
    predictors: Sequence[str] = tuple(MEASURES),
    share: float = SHARE,
    number: int = NUMBER,
) -> figures.Figure:
    """Show how well each measure predicts one measure: a panel of the chapter's control.

    Parameters
    ----------
    collection : Collection
    target : str
        Label among :data:`MEASURES`: the measure to be predicted.
    topics : int
        Topics in each of the two sets.
    predictors : sequence of str
        Labels among :data:`MEASURES`.
    share, number
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    lib.display.figures.Figure
    """
    chosen = {name: MEASURES[name] for name in MEASURES if name in (target, *predictors)}
    result = phi(collection, chosen, size=topics, share=share, number=number)
    shown = pd.DataFrame(
        {
            "phi": result.phi[target],
            "error": result.error[target],
            "deviation": result.deviation[target],
        }
    ).sort_values("phi", ascending=False)
    drawn = shown.loc[[name for name in MEASURES if name in shown.index]]  # each keeps its row
    with figures.style():
        drawing, axes = figures.subplots(height=2.2)
        axes.axvline(shown.loc[target, "phi"], color="black", linewidth=1, linestyle=":")
        for row in drawn.itertuples():
            color, size = colour(row.Index), 9 if row.Index == target else 6
            ends = [row.phi - row.deviation, row.phi + row.deviation]
            axes.plot(ends, [row.Index] * 2, color=color, linewidth=1.2)
            dot = axes.plot(row.phi, row.Index, "o", color=color, markersize=size)
            add_tooltips(dot, row.Index, tell="x")
        axes.set(xlim=(0, 1), xlabel=f"predictive power for {target} on other topics")
        axes.invert_yaxis()
    shown = shown.rename_axis("predictor")
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


def draw_by_depth(shown: Mapping[str, pd.DataFrame], *, target: str = "P@10") -> figures.Figure:
    """Draw how well a measure is predicted, against the depth of the one that predicts.

    Parameters
    ----------
    shown : dict of str to DataFrame
        Title to what :func:`by_depth` returns.
    target : str

    Returns
    -------
    lib.display.figures.Figure
        A panel a collection.
    """
    with figures.style():
        drawing, panels = figures.panels(
            [*shown], ylabel=f"predictive power for {target}", height=2.9
        )
        for axes, table in zip(panels, shown.values()):
            dots: dict = {"color": colour(target), "linestyle": ":", "label": target}
            axes.plot(table.index, table["itself"], **dots)
            for family in FAMILIES:
                figures.draw_line(axes, table.index, table[family], family)
            axes.set(xscale="log", xlabel="depth of the measure (ranks)")
            axes.set_xticks([10, 100, 1000], ["10", "100", "1,000"])
        for axes in panels:
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
