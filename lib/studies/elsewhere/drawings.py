"""The figures of the chapter beside its forest plots, and the panels of its controls."""

import textwrap
from functools import partial
from typing import Any

import pandas as pd

from lib.collection import Collection
from lib.display import figures
from lib.display.figures import INK, PALETTE, colour, measure_style
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS, Claim
from lib.studies.elsewhere.growth import committed_growth
from lib.studies.elsewhere.summaries import summary
from lib.studies.sources import sources, yours

# Choices that the papers leave open, made otherwise: options of predictions.phi_of.
ROADS: dict[str, dict[str, Any]] = {
    "as in the chapter": {},
    "all systems": {"share": 1.0},
    "half of the systems": {"share": 0.5},
    "tau-a": {"variant": "a"},
    "means not rounded": {"decimals": None},
}
SHOW = ("how well P@10 is predicted", "what AP is ahead")
PREDICTORS = {"itself": "P@10 itself", "by_ap": "AP"}  # a column of the curves to its label
LONG = "robust04"  # the source with the most topics


def draw_growth(
    points: pd.DataFrame | None = None,
    *,
    source: str = LONG,
    title: str = "Robust 2004, two sets of its 249 topics",
) -> figures.Figure:
    """Draw Figure 1 of Webber 2008 beyond 25 topics: predictive power, and what AP is ahead."""
    points = committed_growth() if points is None else points
    own = points[points["source"] == source].set_index("topics")
    points = points[points["topics"] <= own.index.max()]
    with figures.style():
        drawing, (left, right) = figures.subplots(1, 2, width="wide", height=3.1)
        for column, label in PREDICTORS.items():
            add_tooltips(
                left.plot(own.index, own[column], label=label, **measure_style(label)), label
            )
        lowest = min(0, own[[*PREDICTORS]].min(axis=None))  # of runs that nothing tells apart
        left.set(xlabel="topics in each set", ylabel="predicts P@10 (mean tau)")
        left.set_ylim(bottom=1.1 * lowest)
        left.legend(loc="lower right")
        for name, line in points.groupby("source", sort=False):
            if name != source:
                right.plot(line["topics"], line["lead"], color=INK, linewidth=0.5)
        right.axhline(0, color="black", linewidth=1, linestyle=":")
        figures.draw_band(right, own.index, own["low"], own["high"], colour("AP"))
        add_tooltips(right.plot(own.index, own["lead"], **measure_style("AP")), "AP")
        right.set(xlabel="topics in each set", ylabel="lead of AP (tau)")
    ends = own.iloc[[0, -1]]
    alt = "; ".join(
        f"with {size} topics P@10 predicts itself at {row['itself']:.2f}, AP at {row['by_ap']:.2f}"
        for size, row in ends.iterrows()
    )
    return figures.Figure(
        drawing,
        data=own[["itself", "by_ap", "lead", "low", "high"]],
        formats="+.3f",
        alt=f"Two rising lines that cross, and their difference, which falls: {alt}."
        if source == LONG
        else f"Two lines and their difference: {alt}.",
        caption=f"{title}. Left: how well rankings on one set "
        "predict the ranking by P@10 on the other. Right: what AP is ahead, with the 95% interval "
        "over topics; thin lines: the other collections"
        + (", which have no more topics." if source == LONG else "."),
    )


def walk(topics: int, show: str = SHOW[0]) -> figures.Figure:
    """Show Figure 1 at one number of topics: a panel of the chapter's control."""
    points = committed_growth()
    own = points[points["source"] == LONG].set_index("topics")
    here = own.loc[topics]
    with figures.style():
        drawing, axes = figures.subplots(height=2.6)
        lines = PREDICTORS
        if show != SHOW[0]:
            lines = {"lead": "AP less P@10"}
            axes.axhline(0, color="black", linewidth=1, linestyle=":")
            axes.plot([topics] * 2, [here["low"], here["high"]], color=colour("AP"))
        for column, label in lines.items():
            shade = colour(label)
            axes.plot(own.index, own[column], color=shade, linewidth=0.8, linestyle="--")
            axes.plot(own.loc[:topics].index, own.loc[:topics, column], color=shade, label=label)
            add_tooltips(
                axes.plot(topics, here[column], markersize=8, **measure_style(label)), label
            )
        limits = (0, 0.7) if show == SHOW[0] else (own["low"].min(), own["high"].max())
        axes.set(xlabel="topics in each set", ylabel=show, ylim=limits)
        axes.legend(loc="lower right" if show == SHOW[0] else "lower left")
    ahead = between(here["lead"], here["low"], here["high"])
    said = f"P@10 predicts itself at {here['itself']:.3f}, AP predicts it at {here['by_ap']:.3f}"
    numbers = own.loc[[topics], ["itself", "by_ap", "lead", "low", "high"]]
    return figures.Figure(
        drawing,
        data=numbers.rename(columns=PREDICTORS).rename_axis("topics in each set"),
        formats="+.3f",
        alt=f"{topics} topics in each set: {said}.",
        caption=f"{topics} topics in each set: {said}; AP is ahead by {ahead}.",
    )


def panel_of(found: pd.DataFrame, collection: Collection | None = None) -> Any:
    """Return the function behind the chapter's control: see :func:`panel`."""
    return partial(panel, found, collection)


def panel(
    found: pd.DataFrame, collection: Collection | None, claim: str, source: str, road: str
) -> figures.Figure | str:
    """Show one claim on one collection, by one road: a panel of the chapter's control."""
    of = CLAIMS[claim]
    rows = found[(found["claim"] == claim) & (found["part"] == "")].set_index("source")
    row, together = rows.loc[source], summary(found, claim)
    if row["why"] or together is None:
        return f"<p>{row['title']} cannot be asked: {row['why']}.</p>"
    here = row["estimate"], row["low"], row["high"]
    if ROADS[road]:
        if not of.halves or of.section == "families":
            return "<p>This number does not take that road.</p>"
        here = _along(of, source, collection, ROADS[road])
    shown = {row["title"]: here}
    own = SECTIONS[of.section].own
    if own and own != source:
        theirs = rows.loc[own]
        numbers = theirs["estimate"], theirs["low"], theirs["high"]
        shown[f"{theirs['title']} (the paper's)"] = numbers
    shown["all together"] = together.mean, together.low, together.high
    said = f"{row['title']}: {between(*here)}"
    numbers = pd.DataFrame(shown, ["estimate", "low", "high"]).T.rename_axis("collection")
    limits = _limits(found[found["part"].eq("") & found["claim"].map(_section).eq(of.section)])
    return figures.Figure(
        _few_rows(shown, SECTIONS[of.section].axis, limits),
        data=numbers,
        formats="+.3f",
        alt=f"{said}; all together {between(*shown['all together'])}.",
        caption=f"{SECTIONS[of.section].title}, {of.title}. {said}.",
    )


def _section(claim: str) -> str:
    """Return the section of a claim, which is one axis."""
    return CLAIMS[claim].section


def _limits(rows: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that holds all intervals of some claims, and 0."""
    low, high = min(rows["low"].min(), 0), max(rows["high"].max(), 0)
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _few_rows(shown: dict[str, tuple], axis: str, limits: tuple[float, float]) -> Any:
    """Draw the chosen row, the paper's own where it is another, and the summary."""
    with figures.style():
        drawing, axes = figures.subplots(height=1.5)
        axes.set_position([0.36, 0.31, 0.61, 0.66])
        axes.axvline(0, color="black", linewidth=1, linestyle=":")
        shades = (PALETTE[0], *[PALETTE[1]] * (len(shown) - 2), INK)
        places = [0, *range(-1, 1 - len(shown), -1), -2]  # the summary is the last of three
        for place, (title, numbers), shade in zip(places, shown.items(), shades):
            axes.plot(numbers[1:], [place] * 2, color=shade)
            dot = axes.plot(numbers[0], place, "o", color=shade)
            add_tooltips(dot, title, tell="", words=[between(*numbers)])
        axes.set_yticks(places, [textwrap.fill(name, 22) for name in shown])
        axes.set(ylim=(-2.6, 0.6), xlim=limits)
        axes.set_xlabel(axis, fontsize=9)
    return drawing


def _along(
    claim: Claim, source: str, collection: Collection | None, options: dict[str, Any]
) -> tuple[float, float, float]:
    """Ask a claim of a source by another road: the number and the ends of its interval."""
    of = next((one for one in sources() if one.name == source), None)
    if of is None:
        assert collection is not None
        of = yours(collection)
    assert claim.of is not None
    found = claim.of(of, **options)
    return float(found.estimate), float(found.low), float(found.high)
