"""The figures of the paper and of its chapter, drawn."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from chapters.webber2008 import tables
from chapters.webber2008.quantities import share_won
from lib.collection import Collection
from lib.conventions import MARGIN, SHARE
from lib.decisions import CONTRADICTS, INCONCLUSIVE, SUPPORTS
from lib.display import figures
from lib.display.controls import Choice
from lib.display.explorer import Explorer, explore
from lib.display.figures import colour
from lib.display.prose import clauses, enumeration
from lib.display.svg import add_tooltips
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import ENDS, between, minus_signs
from lib.measures import complete_scores
from lib.statistics.predictivity import set_sizes

_ENDS = ["lead", "low", "high"]


def draw_figure1(points: pd.DataFrame) -> figures.Figure:
    """Draw points of :func:`chapters.webber2008.tables.figure1`, one line a pair of measures.

    Bands are one standard deviation between single splits.
    """
    with figures.subplots(height=3.4) as (drawing, axes):
        for (predictor, of), line in points.groupby(["predictor", "of"], sort=False):
            label = f"{predictor} of {'itself' if predictor == of else of}"
            dash = "-" if predictor == of else "--"
            figures.draw_line(axes, line["topics"], line["phi"], label, linestyle=dash)
            low, high = line["phi"] - line["deviation"], line["phi"] + line["deviation"]
            figures.draw_band(axes, line["topics"], low, high, colour(predictor))
        axes.set(xlabel="topics in each set", ylabel="predictive power (mean tau)")
        axes.set_xticks(sorted(points["topics"].unique()))
        figures.label_lines(axes)
    ends = points[points["topics"] == points["topics"].max()]
    alt = "Lines that rise with the number of topics; at the largest sets: " + ", ".join(
        f"{row.predictor} of {row.of} {row.phi:.2f}" for row in ends.itertuples()
    )
    return figures.Figure(
        drawing,
        alt=alt,
        formats=".3f",
        caption=f"{_growth(points)} Each line is a mean over random splits into two sets without a "
        f"common topic, against their size; bands are one standard deviation of single splits.",
        data=points.set_index(["predictor", "of", "topics"])[["phi", "error", "deviation"]],
    )


def _growth(points: pd.DataFrame) -> str:
    """Say from where to where the first measure's predictive power for P@10 goes."""
    line = points[points["of"] == "P@10"]
    line = line[line["predictor"] == line["predictor"].iloc[0]]
    few, many = line.iloc[0], line.iloc[-1]
    return (
        f"{few['predictor']} predicts P@10 at {few['phi']:.2f} with {few['topics']} topics and at "
        f"{many['phi']:.2f} with {many['topics']}."
    )


def draw_leads(table: pd.DataFrame, target: str, title: str) -> figures.Figure:
    """Draw leads (:func:`chapters.webber2008.tables.leads`) with their intervals over topics."""
    verdicts = _decided(table)
    with figures.subplots(height=0.9 + 0.28 * len(table)) as (drawing, axes):
        figures.draw_rows(axes, table[_ENDS], at=0, form="+.3f")
        axes.set_xlabel(f"lead over {target} (tau)")
    return figures.Figure(
        drawing,
        data=table,
        formats=".3f",
        alt=f"Dots with intervals. {verdicts}.",
        caption=f"To predict {target}, {verdicts}. Dots: leads on {title} over {target}. Bars: 95% "
        f"intervals over topics, hollow around 0; as good if above \u2212{MARGIN:.2f}, hollow "
        "or not.",
    )


def draw_pair(collection: Collection, pair: list[str]) -> figures.Figure:
    """Draw what two systems score on the first half of the topics and on the second."""
    halves = ["first half", "second half"]
    means = {}
    for name in ("P@10", "AP"):
        scores = complete_scores(collection, name)[pair]
        parts = [scores.iloc[half] for half in np.array_split(range(len(scores)), 2)]
        means[name] = pd.DataFrame([part.mean() for part in parts], halves)
    with figures.panels([*means], height=2, sharey=False) as (drawing, panels):
        for axes, (name, table) in zip(panels, means.items()):
            for system, width in zip(pair, (1.2, 3)):
                look = figures.measure_style(name) | {"linewidth": width}
                figures.draw_line(axes, [0, 1], table[system], system, tell="y", **look)
            axes.set_xticks([0, 1], halves)
            axes.set(xlim=(-0.2, 1.7), ylabel=f"mean {name}")
            figures.label_lines(axes)
    ahead = {name: table.idxmax(axis="columns").unique() for name, table in means.items()}
    goes = [
        f"goes from {first} to {then[0]}" if then else f"stays with {first}"
        for first, *then in ahead.values()
    ]
    finding = f"By P@10 the lead {goes[0]}, and by AP it {goes[1]}."
    return figures.Figure(
        drawing,
        data=pd.concat(means, names=["measure", "topics"]),
        formats=".3f",
        alt=f"Two lines a panel. {finding}",
        caption=f"{finding} Means of two systems of {collection.title} over its first "
        f"{len(parts[0])} topics and the other {len(parts[1])}.",
    )


def draw_finding(collections: Mapping[str, Collection]) -> figures.Figure:
    """Draw what became of the claim: who predicts P@10, on the old data and on new.

    A panel a collection under its title, a dot a measure, with its interval over topics.
    """
    shown = [*tables.COMPLEX]
    leads_on = {title: tables.leads(of).loc[shown] for title, of in collections.items()}
    worse, better = "\N{LEFTWARDS ARROW} worse", "better \N{RIGHTWARDS ARROW}"
    label = f"{worse} \N{EM DASH} lead over P@10 (tau) \N{EM DASH} {better}"
    shape: dict[str, Any] = {"width": "column", "height": 1.9, "sharex": True}
    with figures.panels([*leads_on], xlabel=label, **shape) as (drawing, panels):
        for axes, table in zip(panels, leads_on.values()):
            figures.draw_rows(axes, table[_ENDS], at=0)
    ends = [f"{title}: AP {between(*table.loc['AP', _ENDS])}" for title, table in leads_on.items()]
    compared = " ".join(f"On {title} {_decided(of)}." for title, of in leads_on.items())
    return figures.Figure(
        drawing,
        data=pd.concat(leads_on, names=["collection"]),
        formats=".3f",
        alt=f"Dots with intervals in two panels. {'; '.join(ends)}.",
        caption=f"{compared} A dot is a measure's lead: how much better it predicts the ranking "
        "of systems by P@10 on other topics than P@10 itself does (dotted). "
        "Bars are 95% intervals over topics.",
    )


def draw_won(outcomes: pd.DataFrame, title: str) -> figures.Figure:
    """Draw in how many halvings AP won how many of its conflicts with P@10.

    `outcomes` is what :func:`chapters.webber2008.quantities.won` says of the collection `title`.
    """
    share = share_won(outcomes)
    in_order, drawn = share.iloc[0], share.iloc[1:]
    counts, edges = np.histogram(drawn, bins=np.linspace(0, 1, 26))
    with figures.subplots(height=2.4) as (drawing, axes):
        bars = axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=colour("AP"))
        names = [f"AP right in {low:.0%} to {high:.0%}" for low, high in zip(edges, edges[1:])]
        words = [f"{count} {'halving' if count == 1 else 'halvings'}" for count in counts]
        add_tooltips(bars, names, words=words)
        for at, name, side in ((in_order, "in order", "left"), (drawn.mean(), "mean", "right")):
            axes.axvline(at, **figures.REFERENCE)
            above = axes.get_xaxis_transform()
            axes.annotate(f"{name}: {at:.0%}", (at, 1.02), xycoords=above, ha=side, va="bottom")
        axes.set(xlim=(0, 1), xlabel="conflicts in which AP was right", ylabel="halvings")
        axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    low, high = drawn.quantile([0.025, 0.975])
    of = "of its conflicts with P@10, from halving to halving"
    finding = f"AP was right in {low:.0%} to {high:.0%} {of}"
    table = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "halvings": counts})
    return figures.Figure(
        drawing,
        data=table.set_index("from"),
        formats={"to": ".2f"},
        alt=f"A histogram: {finding}; the mean is {drawn.mean():.0%}.",
        caption=f"{finding}. Of {len(drawn):,} random halvings of {title}'s topics 95% lie within "
        'these; "in order" is the halving above. Pairs that P@10 ties are left out.',
    )


def draw_conflicts(followed: Estimate) -> figures.Figure:
    """Draw how often the complex measure was right in a conflict, as either measure decides."""
    right_by = {}
    for side in ("simple", "complex"):
        right = followed[f"right, by the {side}"].to_frame()[ENDS]
        right_by[f"The {side} one decides"] = right.rename(columns={"estimate": "right"})
    known = pd.concat([table["right"] for table in right_by.values()], axis=1).dropna().index
    if known.empty:
        raise InputError(
            "no simple and complex measure conflict on these topics; take more of them"
        )
    right_by = {side: table.loc[known] for side, table in right_by.items()}
    label = "conflicts in which the complex measure was right"
    shape: dict[str, Any] = {"width": "column", "height": 3.8, "sharex": True, "columns": 1}
    with figures.panels([*right_by], xlabel=label, **shape) as (drawing, panels):
        for axes, table in zip(panels, right_by.values()):
            looks = [figures.measure_style(name) for _, name in table.index]
            words = partial(between, form=".1%")
            figures.draw_rows(axes, table, looks, at=0.5, words=words, form=".0%")
            axes.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    (low, high), (least, most) = (of["right"].agg(["min", "max"]) for of in right_by.values())
    finding = (
        f"The complex measure was right in {least:.0%} to {most:.0%} as judge, and in {low:.0%} to "
        f"{high:.0%} otherwise."
    )
    return figures.Figure(
        drawing,
        data=pd.concat(right_by, names=["judge"]),
        formats=".1%",
        alt=f"Dots with intervals in two panels. {finding}",
        caption=f"{finding} Shares of their conflicts: a row a simple and a complex measure. Bars "
        "are 95% intervals over topics; dotted: as often right as wrong.",
    )


def _decided(table: pd.DataFrame) -> str:
    """Say which measures are as good as the one that they predict, worse, or neither."""
    sides = table.groupby(tables.as_good(table, [MARGIN]).iloc[:, 0]).groups
    verbs = {SUPPORTS: ("is as good", "are as good"), CONTRADICTS: ("is worse", "are worse")}
    verbs |= {INCONCLUSIVE: ("stays open", "stay open")}
    return clauses({verb: sides.get(side, []) for side, verb in verbs.items()})


def panel(
    collection: Collection,
    target: str,
    topics: int,
    share: float = SHARE,
    number: int = tables.NUMBER,
) -> figures.Figure:
    """Show how well each measure predicts one measure: a panel of the chapter's control.

    On so many topics in each of two sets; `share` and `number` are those of
    :func:`chapters.webber2008.tables.phi`.
    """
    result = tables.phi(collection, size=topics, share=share, number=number).to_frame()
    shown = result.xs(target, level="of").drop(columns="tied").sort_values("phi", ascending=False)
    label = f"predictive power for {target} on other topics"
    tooltip = (label + " {:.3f}").format
    best = shown.index[0]
    finding = (
        f"{best} is its own best predictor" if best == target else f"{best} predicts {target} best"
    )
    with figures.subplots(height=2.2) as (drawing, axes):
        axes.axvline(shown.loc[target, "phi"], **figures.REFERENCE)
        for name, row in shown.loc[list(tables.MEASURES)].iterrows():  # each keeps its row
            look = figures.measure_style(name) | {"markersize": 9 if name == target else 6}
            ends = row["phi"], row["phi"] - row["deviation"], row["phi"] + row["deviation"]
            figures.draw_row(axes, name, name, ends, words=tooltip, **look)
        axes.set(xlim=(0, 1), xlabel=label)
        axes.invert_yaxis()
    return figures.Figure(
        drawing,
        data=shown,
        formats=".3f",
        alt=f"{finding}, phi {shown['phi'].iloc[0]:.2f}"
        + (f"; {target} itself {shown.loc[target, 'phi']:.2f}." if best != target else "."),
        caption=f"On these topics {finding}. Predictive power of "
        f"each measure, on {topics} topics, for {target} on {topics} others. Bars: one standard "
        f"deviation between single splits. Dotted line: {target} predicting itself.",
    )


def draw_by_depth(shown: Mapping[str, pd.DataFrame]) -> figures.Figure:
    """Draw how well P@10 is predicted, against the depth of the measure that predicts.

    A panel a collection, of its title and what :func:`chapters.webber2008.tables.phi_by_depth`
    gives.
    """
    label = "predictive power for P@10"
    with figures.panels([*shown], height=2.9, ylabel=label) as (drawing, panels):
        for axes, table in zip(panels, shown.values()):
            axes.plot(table["itself"], color=colour("P@10"), linestyle=":", label="P@10")
            figures.draw_lines(axes, table[[*tables.CUT_FAMILIES]])
            figures.log_axis(axes, [10, 100, 1000], form=",")
            axes.set_xlabel("depth of the measure (ranks)")
        for axes in panels:  # when all have given the scale that they share its ends
            figures.label_lines(axes)
    few, many = next(iter(shown.values())).index[[0, -1]]
    changes = enumeration(
        f"{table['nDCG'].iloc[-1] - table['nDCG'].iloc[0]:+.2f} on {title}"
        for title, table in shown.items()
    )
    finding = minus_signs(
        f"From {few} ranks to {many:,} nDCG's predictive power changes by {changes}"
    )
    return figures.Figure(
        drawing,
        data=pd.concat(shown, names=["collection"]),
        formats=".3f",
        alt=f"Lines of predictive power against depth. {finding}.",
        caption=f"{finding}. Lines: how well measures cut at a depth predict P@10; dotted: P@10 "
        "itself. aAP is AP, divided by the most that the depth allows.",
    )


def control(collection: Collection) -> Explorer:
    """Return the control of the chapter, and of a report: which measure predicts a measure best."""
    sizes = set_sizes(collection)
    every, shares = range(sizes[0], sizes[-1] + 1), [step / 20 for step in range(5, 21)]
    return explore(
        partial(panel, collection),
        id="phi",
        title="Who predicts whom?",
        controls={
            "target": Choice("measure to predict", list(tables.MEASURES)),
            "topics": Choice("topics in each set", every, default=sizes[-1], slider=True),
            "share": Choice("share of systems kept", shares, SHARE, slider=True, format=".0%"),
            "number": Choice("random splits", [100, 500, 2000], default=tables.NUMBER),
        },
        static={"target": list(tables.MEASURES), "topics": sizes},
        caption=f"Which measure predicts the chosen one best on {collection.title}? "
        "The dotted line is that measure predicting itself.",
    )
