"""The figures of the claims: forest plots, and the curves of all analysis paths."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib.display import figures
from lib.display.figures import INK, PALE, PALETTE, REFERENCE, colour, measure_style
from lib.display.prose import intervals
from lib.display.svg import add_tooltips
from lib.intervals import Interval, between, minus_signs
from lib.paper import OpenChoice
from lib.studies.committed import read
from lib.studies.multiverse import summaries
from lib.studies.multiverse.claims import CLAIMS, SECTIONS, Question, claims_of
from lib.studies.multiverse.summaries import THESE, described, value_named

GROUPED, KINDS = "those with groups", "other kinds"
MEANS = (THESE, GROUPED, KINDS)
LONG = "robust04"  # the source with the most topics
ROW, PATH, LINE = 0.2, 0.045, 0.16  # inches that a collection, a path, a choice takes
OWN, OTHER = INK, PALETTE[0]  # the paper's collection; others
BOTH_ENDS = ["estimate", "low", "high", "wider low", "wider high"]
PRINTED, PAPERS = "in print", " (the paper's)"
NONE = float("nan")


def draw_claims(
    found: pd.DataFrame,
    section: str,
    claims: Sequence[Question] | None = None,
    *,
    width: str = "wide",
    tests: pd.DataFrame | None = None,
) -> figures.Figure:
    """Draw the claims of a section, a panel each, and beneath each its mean on all paths.

    The caption begins with what ``tests`` say of the claims.
    """
    claims = claims_of(section) if claims is None else claims
    curves = [summaries.curve(found, claim.name) for claim in claims if claim.choices]
    tables = {claim.title: numbers(found, claim) for claim in claims}
    known = pd.concat(tables.values())["estimate"].groupby(level=0, sort=False).count()
    shown = known.index[known > 0].drop([GROUPED] if width == "column" else [], errors="ignore")
    labels = sorted(shown, key=lambda label: label in MEANS and 1 + MEANS.index(label))
    paths = max((len(table) for table in curves if len(table) > 1), default=0)
    with _panels(len(labels), len(claims), paths, width) as (drawing, axes):
        for place, (column, claim) in enumerate(zip(axes.T, claims)):
            title = textwrap.fill(claim.title, 40 if len(claims) < 3 else 14)
            column[0].set_title(title, fontsize=9.5)
            _forest(column[0], claim, tables[claim.title], labels)
            if paths:
                _paths(column[1], claim, curves[place], across=True)
                column[1].set(yticks=[], ylim=(-1, paths))
        if paths:
            axes[1, 0].set_ylabel(f"{paths} paths" if paths > 20 else "all paths", fontsize=9.5)
        axes[0, 0].set_xlim(_limits([*tables.values(), *curves]))
        drawing.supxlabel(SECTIONS[section].axis, fontsize=10)
    data = pd.concat(tables, names=["quantity", "collection"]).dropna(subset="estimate")
    means = intervals(data.xs(THESE, level="collection"), "estimate")
    ends = "; ".join(f"{title}: {mean}" for title, mean in means.items())
    said = f"Means of {THESE}: {ends}."
    if tests is not None:
        said = summaries.message(tests, claims)
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt=f"Dots with intervals, a row a collection. {SECTIONS[section].title}, means: {ends}.",
        caption=said,
    )


@contextmanager
def _panels(rows: int, columns: int, paths: int, width: str) -> Iterator[tuple[Any, Any]]:
    """Give a drawing with a column a claim: its forest, and beneath it all paths, if any."""
    heights = [ROW * rows + 0.3, *([0.3 + PATH * paths] if paths else [])]
    shape: dict[str, Any] = {"width": width, "height": sum(heights) + 0.7, "squeeze": False}
    shape |= {"sharex": True, "sharey": "row", "height_ratios": heights}
    with figures.subplots(len(heights), columns, **shape) as (drawing, axes):
        # Other fonts than matplotlib's are wider: leave them room at the left.
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.98, 1))
        yield drawing, axes


def numbers(found: pd.DataFrame, claim: Question, *, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim's forest: collections, pairs of runs, what is printed, means."""
    rows: dict[str, Sequence[Any]] = {}
    own = SECTIONS[claim.section]
    here = found[(found["claim"] == claim.name) & (found["path"] == path)]
    for row in here.itertuples():
        mark = PAPERS if row.source == own.own else ""
        wide = Interval.of(row.estimate, row.both, row.freedom_both)
        ends = row.estimate, row.low, row.high, wide.low, wide.high
        rows[row.part or row.title + mark] = ends
    if claim.printed is not None:
        rows[f"{own.printed}, {PRINTED}"] = claim.printed, NONE, NONE, NONE, NONE
    pooled = summaries.pooled(found, claim.name, path)
    known, spread = pooled.dropna(subset="both"), summaries.summary(found, claim.name, path=path)
    both = summaries.these(known, groups=True)
    for label, mean, wider in (
        (THESE, summaries.these(pooled), summaries.predicted(spread) if spread else (NONE, NONE)),
        (GROUPED, summaries.these(known), (both.low, both.high) if both else (NONE, NONE)),
        (KINDS, summaries.others(pooled), (NONE, NONE)),
    ):
        if mean is not None:
            rows[label] = mean.estimate, mean.low, mean.high, *wider
    return pd.DataFrame.from_dict(rows, orient="index", columns=BOTH_ENDS).astype(float)


def _forest(ax: Axes, claim: Question, table: pd.DataFrame, labels: Sequence[str]) -> None:
    """Draw a dot with its interval on each row; hollow as printed; diamonds for means."""
    for bound in claim.bound.ends:
        ax.axvline(bound, **REFERENCE)
    figures.label_rows(ax, labels)
    ax.tick_params(axis="y", length=0)
    for place, label in enumerate(labels):
        if label not in table.index or np.isnan(table.loc[label, "estimate"]):
            continue
        middle, low, high, *wider = table.loc[label]
        ax.plot(wider, [place] * 2, color=INK, linewidth=0.7)
        if label in MEANS:
            x, y = [low, middle, high, middle], [place, place + 0.3, place, place - 0.3]
            face = INK if label == THESE else "none"
            diamond = ax.fill(x, y, facecolor=face, edgecolor=INK, linewidth=0.8)
            add_tooltips(diamond, label, tell="", words=[between(middle, low, high)])
        elif label.endswith(PRINTED):
            dot = ax.plot(middle, place, "o", color=INK, mfc="none")
            add_tooltips(dot, label, tell="", words=[minus_signs(f"{middle:+.3f}")])
        else:
            color = OWN if label.endswith((PAPERS, "(yours)")) else OTHER
            figures.draw_row(ax, place, label, (middle, low, high), color=color)


def _paths(
    ax: Axes, claim: Question, table: pd.DataFrame, *, across: bool, chosen: int = 0
) -> None:
    """Draw the mean on each path with its interval, sorted; across: the numbers lie along x."""
    ordered = table.sort_values("mean", kind="stable").assign(place=range(len(table)))
    ends = Interval(ordered["mean"], NONE, ordered["low"], ordered["high"])
    decides = claim.bound.supported(ends) | claim.bound.contradicted(ends)
    ring: dict[str, Any] = {"color": INK, "markersize": 5, "mfc": "none"}
    kinds = [
        (ordered[decides], {"color": OTHER, "markersize": 2.5}),
        (ordered[~decides], {"color": PALE, "markersize": 2.5}),
        (ordered.loc[[chosen]], ring),
    ]
    for part, look in kinds:
        if part.empty:
            continue
        if look is not ring:
            lines = part[["low", "high"]], part[["place", "place"]]
            lines = lines if across else lines[::-1]
            figures.draw_pieces(ax, *lines, color=look["color"], linewidth=1)
        dots = part["mean"], part["place"]
        mark = ax.plot(*(dots if across else dots[::-1]), "o", **look)
        said = [between(*row) for row in part[["mean", "low", "high"]].to_numpy()]
        if "adjusted" in part:
            said = [f"{one}, adjusted p {p:.4f}" for one, p in zip(said, part["adjusted"])]
        add_tooltips(mark, [described(table, path) for path in part.index], tell="", words=said)
    for bound in claim.bound.ends:
        (ax.axvline if across else ax.axhline)(bound, **REFERENCE)


def specification(
    found: pd.DataFrame, curves: Mapping[str, pd.DataFrame], claim: str, **chosen: str
) -> figures.Figure:
    """Draw a claim's forest on a path, the leading one but for what is chosen, and all paths.

    The axes hold all that was found on any path of the claims with ``curves``: figures of several
    paths can be compared.
    """
    stated, table = CLAIMS[claim], curves[claim]
    labels = {one.name: chosen.get(one.argument, [*one.values][0]) for one in stated.choices}
    path = int((table[[*labels]] == pd.Series(labels)).all(axis=1).idxmax())
    rows = numbers(found, stated, path=path).dropna(subset="estimate")
    rows = rows.drop(index=GROUPED, errors="ignore")  # on the leading path alone: rows must stay
    values = [(c, label) for c in stated.choices for label in [*c.values][not c.crossed :]]
    height = max(ROW * len(rows) + 0.6, 1.8 + LINE * len(values)) + 0.4
    shape: dict[str, Any] = {"width": "wide", "height": height, "width_ratios": [1, 3]}
    with figures.subplots(1, 2, **shape) as (drawing, (ax, right)):
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.97, 1))
        _forest(ax, stated, rows, list(rows.index))
        ax.set_xlim(_limits([found[found["claim"].isin([*curves])]]))
        ax.set_xlabel(textwrap.fill(described(table, path), 30), fontsize=9.5)
        halves = {"height_ratios": [1.7, LINE * len(values)]}
        top, bottom = right.get_subplotspec().subgridspec(2, 1, **halves).subplots(sharex=True)
        right.remove()
        _paths(top, stated, table, across=False, chosen=path)
        top.set_ylim(_limits(curves.values()))
        _choices(bottom, table, values)
        bottom.set_xlabel(f"{len(table)} paths, sorted", fontsize=9.5)
    over = summaries.spread(table, stated.bound)
    least, most = (minus_signs(f"{over[end]:+.3f}") for end in ("least", "most"))
    said = (
        f"{stated.title}: from {least} to {most} over {len(table)} analysis paths, of which "
        f"{over['supports']} support the paper and {over['contradicts']} contradict it"
    )
    here = f"{described(table, path)}: {intervals(table).loc[path]}"
    return figures.Figure(
        drawing,
        data=None if chosen else table,
        formats=dict.fromkeys(("mean", "low", "high"), "+.3f"),
        alt=f"A forest plot and a specification curve. {said}. {here}.",
        caption=f"{said}. Ring: the {here}; gray: the interval includes both answers.",
    )


def _choices(ax: Axes, table: pd.DataFrame, values: Sequence[tuple[OpenChoice, str]]) -> None:
    """Mark on a line for each value which paths choose it."""
    ordered = table.sort_values("mean", kind="stable")
    labels = [value_named(c.name, v) if c.crossed else f"{c.name}: {v}" for c, v in values]
    for y, (choice, label) in enumerate(values):
        (taken,) = np.nonzero(ordered[choice.name] == label)
        dashes = np.add.outer(taken, [-0.3, 0.3])
        figures.draw_pieces(ax, dashes, np.full_like(dashes, y), color=INK, linewidth=2.5)
    figures.label_rows(ax, labels)
    ax.grid(visible=False)
    ax.tick_params(axis="y", length=0, labelsize=9.5)


def _limits(tables: Iterable[pd.DataFrame]) -> tuple[float, float]:
    """Return the ends of an axis that holds all intervals and 0; predictions may reach beyond."""
    every = pd.concat(tables).reindex(columns=["estimate", "mean", "low", "high"])
    low, high = np.nanmin(every, initial=0), np.nanmax(every, initial=0)
    room = 0.04 * (high - low) or 1
    return low - room, high + room


def draw_growth() -> figures.Figure:
    """Draw AP's lead for P@10, which Figure 1 of Webber 2008 has for up to 25 topics, beyond."""
    points = read("multiverse", "growth")
    own = points[points["source"] == LONG].set_index("topics")
    with figures.subplots(height=3.1) as (drawing, ax):
        for _, line in points[points["source"] != LONG].groupby("source"):
            ax.plot(line["topics"], line["lead"], color=INK, linewidth=0.5)
        ax.axhline(0, **REFERENCE)
        figures.draw_band(ax, own.index, own["low"], own["high"], colour("AP"))
        add_tooltips(ax.plot(own.index, own["lead"], **measure_style("AP")), "AP")
        ax.set(xlabel="topics in each set", ylabel="lead of AP (tau)")
    (first, start), *_, (last, end) = intervals(own, "lead").items()
    said = f"AP's lead for P@10 is {start} with {first} topics in each set and {end} with {last}."
    return figures.Figure(
        drawing,
        data=own[["itself", "by_ap", "lead", "low", "high"]],
        formats="+.3f",
        alt=f"A line with its band. {said}",
        caption=f"{said} Robust 2004; thin lines: the other collections.",
    )
