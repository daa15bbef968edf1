"""The figures of the chapter: forest plots, growth, and the panels of its controls."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lib.display import figures
from lib.display.figures import INK, PALETTE, colour, measure_style
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.studies.committed import read
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS, Claim, claims_of
from lib.studies.elsewhere.summaries import OURS, SUBMITTED, groups, summary
from lib.studies.sources import sources

TOGETHER = {SUBMITTED: "all together", OURS: "our systems, together"}
ROW = 0.21  # inches
# Choices that the papers leave open, made otherwise: options of predictions.phi_of.
PATHS: dict[str, dict[str, Any]] = {
    "as in the chapter": {},
    "all systems": {"share": 1.0},
    "half of the systems": {"share": 0.5},
    "tau-a": {"variant": "a"},
    "means not rounded": {"decimals": None},
}
SHOW = ("how well P@10 is predicted", "what AP is ahead")
PREDICTORS = {"itself": "P@10 itself", "by_ap": "AP"}  # a column of the curves to its label
LONG = "robust04"  # the source with the most topics


def forest(
    found: pd.DataFrame,
    section: str,
    claims: Sequence[Claim] | None = None,
    *,
    width: str = "wide",
    highlight: str = "",
) -> figures.Figure:
    """Draw the claims of a section, a panel each."""
    claims = claims_of(section) if claims is None else claims
    of = SECTIONS[section]
    rows = _rows(found, section, claims)
    shown = []
    with figures.style():
        height = ROW * len(rows) + 0.95
        drawing, axes = figures.subplots(
            1, len(claims), width=width, height=height, sharex=True, sharey=True, squeeze=False
        )
        # Other fonts than matplotlib's are wider: leave them room at the left.
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.98, 1))
        for ax, claim in zip(axes[0], claims):
            ax.axvline(0, color="black", linewidth=1, linestyle=":")
            ax.set_title(_broken(claim.title, len(claims)), fontsize=9)
            for place, row in enumerate(rows):
                drawn = _of_row(found, claim, row)
                if drawn is None:
                    continue
                shown.append((claim.title, row.label, *drawn))
                _draw(ax, len(rows) - 1 - place, row, drawn, of.own, highlight)
        axes[0, 0].set_yticks(range(len(rows)), [row.label for row in rows[::-1]])
        axes[0, 0].set_ylim(-0.6, len(rows) - 0.4)
        # Where another collection is expected may be far out: the axis does not follow.
        ends = [x for row in shown for x in row[2:5] if x == x] or [0.0]
        room = 0.04 * (max(*ends, 0) - min(*ends, 0)) or 1
        axes[0, 0].set_xlim(min(*ends, 0) - room, max(*ends, 0) + room)
        drawing.supxlabel(of.axis, fontsize=10)
    columns = [
        "claim",
        "collection",
        "estimate",
        "low",
        "high",
        "prediction_low",
        "prediction_high",
    ]
    data = pd.DataFrame(shown, columns=columns).set_index(["claim", "collection"])
    return figures.Figure(
        drawing, data=data, formats="+.3f", alt=_alt(data, of), caption=_caption(of)
    )


@dataclass(frozen=True)
class _Row:
    """A row of the plot: what it is called, and where its numbers come from."""

    label: str
    source: str = ""
    part: str = ""
    group: str = ""
    printed: bool = False


def _rows(found, section, claims):
    """List the rows: sources, pairs of runs below them, then what is printed, then summaries."""
    of, rows = SECTIONS[section], []
    parts = found[found["claim"].isin([claim.name for claim in claims])]
    parts = parts[parts["estimate"].notna()]
    for source, title in dict.fromkeys(zip(parts["source"], parts["title"])):
        mark = " (the paper's)" if source == of.own else ""
        rows.append(_Row(title + mark, source))
        pairs = dict.fromkeys(parts.loc[parts["source"] == source, "part"])
        rows += [_Row(pair, source, pair) for pair in pairs if pair]
    if of.printed and any(claim.printed is not None for claim in claims):
        rows.append(_Row(f"{of.printed}, in print", printed=True))
    return rows + [_Row(TOGETHER[group], group=group) for group in groups(section)]


def _of_row(found, claim, row):
    """Return estimate, low, high, and the ends of what is expected; None where nothing is known."""
    none = float("nan")
    if row.printed:
        return None if claim.printed is None else (claim.printed, none, none, none, none)
    if row.group:
        one = summary(found, claim.name, row.group)
        if one is None:
            return None
        return one.mean, one.low, one.high, one.prediction_low, one.prediction_high
    rows = found[(found["claim"] == claim.name) & (found["source"] == row.source)]
    rows = rows[(rows["part"] == row.part) & rows["estimate"].notna()]
    if rows.empty:
        return None
    (one,) = rows.itertuples()
    return one.estimate, one.low, one.high, none, none


def _draw(ax, place, row, drawn, own, highlight):
    """Draw a row: a dot with its interval; hollow as printed; a diamond for a summary."""
    middle, low, high, prediction_low, prediction_high = drawn
    color = PALETTE[1] if row.source and row.source in (own, highlight) else None
    color = color or (INK if row.group or row.printed else PALETTE[0])
    if row.group:
        ax.plot([prediction_low, prediction_high], [place] * 2, color=color, linewidth=0.7)
        height = [place, place + 0.3, place, place - 0.3]
        mark = ax.fill([low, middle, high, middle], height, color=color)
    else:
        ax.plot([low, high], [place] * 2, color=color, linewidth=0.8 if row.part else 1.4)
        look = {"markerfacecolor": "none"} if row.printed else {}
        mark = ax.plot(middle, place, "o", color=color, markersize=3 if row.part else 5, **look)
    said = minus_signs(f"{middle:+.3f}") if row.printed else between(middle, low, high)
    add_tooltips(mark, row.label, tell="", words=[said])


def _broken(title, panels):
    """Break a title in two lines where panels are narrow."""
    if panels < 3 or len(title) < 14:
        return title
    words = title.split()
    half = (len(words) + 1) // 2
    return " ".join(words[:half]) + "\n" + " ".join(words[half:])


def _alt(data, of):
    together = data[data.index.get_level_values(1) == TOGETHER[SUBMITTED]]
    ends = "; ".join(
        f"{claim}: {row.estimate:+.3f}, from {row.low:+.3f} to {row.high:+.3f}"
        for (claim, _), row in zip(together.index, together.itertuples())
    )
    return f"Dots with intervals, a row a collection. {of.title}, all together: {ends}."


def _caption(of):
    known = [
        f"{of.says}, with 95% intervals over topics.",
        "Diamond: random-effects mean of the collections that share no topics, and its interval; "
        "thin line: where another collection's number is expected.",
    ]
    if of.own:
        known.append("Red: the paper's own collection.")
    if of.printed:
        known.append(f"Hollow: {of.printed}, from the numbers that the paper prints.")
    known.append("No dot: it cannot be asked there.")
    return " ".join(known)


def draw_growth(
    points: pd.DataFrame | None = None,
    *,
    source: str = LONG,
    title: str = "Robust 2004, two sets of its 249 topics",
) -> figures.Figure:
    """Draw Figure 1 of Webber 2008 beyond 25 topics: predictive power, and what AP is ahead."""
    points = read("elsewhere", "growth") if points is None else points
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
    points = read("elsewhere", "growth")
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


def panel(found: pd.DataFrame, claim: str, source: str, path: str) -> figures.Figure | str:
    """Show one claim on one collection, by one analysis path: a panel of the chapter's control."""
    of = CLAIMS[claim]
    rows = found[(found["claim"] == claim) & (found["part"] == "")].set_index("source")
    row, together = rows.loc[source], summary(found, claim)
    if row["why"] or together is None:
        return f"<p>{row['title']} cannot be asked: {row['why']}.</p>"
    here = row["estimate"], row["low"], row["high"]
    if PATHS[path]:
        if of.of is None or not of.halves or of.section == "families":
            return "<p>This number does not take that analysis path.</p>"
        given = next(one for one in sources() if one.name == source)
        along = of.of(given, **PATHS[path])
        here = float(along.estimate), float(along.low), float(along.high)
    shown = {row["title"]: here}
    own = SECTIONS[of.section].own
    if own and own != source:
        theirs = rows.loc[own]
        numbers = theirs["estimate"], theirs["low"], theirs["high"]
        shown[f"{theirs['title']} (the paper's)"] = numbers
    shown["all together"] = together.mean, together.low, together.high
    said = f"{row['title']}: {between(*here)}"
    numbers = pd.DataFrame(shown, ["estimate", "low", "high"]).T.rename_axis("collection")
    kin = [one.name for one in claims_of(of.section)]
    limits = _limits(found[found["part"].eq("") & found["claim"].isin(kin)])
    return figures.Figure(
        _few_rows(shown, SECTIONS[of.section].axis, limits),
        data=numbers,
        formats="+.3f",
        alt=f"{said}; all together {between(*shown['all together'])}.",
        caption=f"{SECTIONS[of.section].title}, {of.title}. {said}.",
    )


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
