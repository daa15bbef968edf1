"""The figures of the claims: forest plots, and the curves of all analysis paths."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from chapters.elsewhere import summaries
from chapters.elsewhere.claims import CLAIM_OF, SECTIONS, Question, claims_of
from chapters.elsewhere.sources import LABELS
from chapters.elsewhere.summaries import THESE, described, value_named
from chapters.ledger.paper import OpenChoice
from chapters.ledger.registry import is_word
from lib.display import figures
from lib.display.figures import INK, PALE, REFERENCE, colour, measure_style
from lib.display.prose import intervals
from lib.display.svg import add_tooltips
from lib.intervals import Interval, between, minus_signs

_GROUPED, _KINDS = "those with groups", "other kinds"
_MEANS = (THESE, _GROUPED, _KINDS)
# Heads of rows that are of no kind of collection.
_YOURS, _APART, _MEAN = "yours", "in no mean", "means"
_ROW, _LINE = 0.19, 0.16  # inches that a collection, a choice takes
_BESIDE = 0.36  # rows between the marks of two claims in one panel
_BOTH_ENDS = ["estimate", "low", "high", "wider low", "wider high"]
_PRINTED, _PAPERS = "in print", " (the paper's)"
_NONE = float("nan")


def draw_claims(
    estimates: pd.DataFrame,
    section: str,
    claims: Sequence[Question] | None = None,
    *,
    width: str = "wide",
    tests: pd.DataFrame | None = None,
) -> figures.Figure:
    """Draw the claims of a section: rows by kind of collection, and beneath a rule their means.

    A wide drawing has a panel a claim; in a narrow one they share it, each with its marker, each
    mean has its own row, and intervals over groups are left out.  The caption begins with what
    ``tests`` say of the claims.
    """
    claims = claims_of(section) if claims is None else claims
    tables = {claim.title: numbers(estimates, claim) for claim in claims}
    data = pd.concat(tables, names=["quantity"]).dropna(subset="estimate")
    shared = width == "column"
    if shared:
        tables = {one.title: _apart(tables[one.title], one, tests) for one in claims}
    known = pd.concat(tables.values())["estimate"].groupby(level=[0, 1], sort=False).count()
    layout = _layout(known.index[known > 0])
    columns = 1 if shared else len(claims)
    shape: dict[str, Any] = {"width": width, "height": _ROW * len(layout) + 0.9, "squeeze": False}
    with figures.subplots(1, columns, sharex=True, sharey=True, **shape) as (drawing, axes):
        # Other fonts than matplotlib's are wider: leave them room at the left.
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.98, 1))
        for ax, claim in zip(axes.flat, claims):
            _frame(ax, claim, layout)
            if not shared:
                title = textwrap.fill(claim.title, 40 if len(claims) < 3 else 14)
                ax.set_title(title, fontsize=9.5)
        for number, claim in enumerate(claims):
            shift = _BESIDE * (number - (len(claims) - 1) / 2) * shared
            ax = axes.flat[0 if shared else number]
            _forest(ax, claim, tables[claim.title], layout, shift)
        if shared and len(claims) > 1:
            drawing.legend(loc="outside upper center", ncols=len(claims))
        axes[0, 0].set_xlim(_limits(tables.values()))
        drawing.supxlabel(SECTIONS[section].axis, fontsize=10)
    means = intervals(data.xs((_MEAN, THESE), level=("kind", "collection")), "estimate")
    ends = "; ".join(f"{title}: {mean}" for title, mean in means.items())
    caption = f"Means of {THESE}: {ends}."
    if tests is not None:
        caption = summaries.message(tests, claims)
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt=f"Dots with intervals, a row a collection. {SECTIONS[section].title}, means: {ends}.",
        caption=caption,
    )


def numbers(estimates: pd.DataFrame, claim: Question, *, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim's forest: collections, pairs of runs, what is printed, means.

    The index has the kind of each, and its name.
    """
    rows: dict[tuple[str, str], Sequence[Any]] = {}
    own, kinds = SECTIONS[claim.section], summaries.kind_of()
    here = estimates[(estimates["claim"] == claim.name) & (estimates["path"] == path)]
    for row in here.itertuples():
        kind = kinds.get(row.source, _YOURS if row.source == "yours" else _APART)
        mark = _PAPERS if row.source == own.own else ""
        wide = Interval.of(row.estimate, row.both, row.freedom_both)
        ends = row.estimate, row.low, row.high, wide.low, wide.high
        rows[kind, row.part or row.title + mark] = ends
    if claim.printed is not None:
        rows[_APART, f"{own.printed}, {_PRINTED}"] = claim.printed, _NONE, _NONE, _NONE, _NONE
    pooled = summaries.pooled(estimates, claim.name, path)
    known = pooled.dropna(subset="both")
    spread = summaries.summary(estimates, claim.name, path=path)
    both, none = summaries.these(known, groups=True), (_NONE, _NONE)
    for label, mean, wider in (
        (THESE, summaries.these(pooled), summaries.predicted(spread) if spread else none),
        (_GROUPED, summaries.these(known), (both.low, both.high) if both else none),
        (_KINDS, summaries.others(pooled), none),
    ):
        if mean is not None:
            rows[_MEAN, label] = mean.estimate, mean.low, mean.high, *wider
    index = pd.MultiIndex.from_tuples(rows, names=["kind", "collection"])
    return pd.DataFrame([*rows.values()], index, _BOTH_ENDS, dtype=float)


def _over_topics(table: pd.DataFrame) -> pd.DataFrame:
    """Return rows without what is known over groups of systems as well."""
    table = table.drop(index=[(_MEAN, _GROUPED)], errors="ignore").copy()
    table.loc[table.index.get_level_values("kind") != _MEAN, _BOTH_ENDS[3:]] = _NONE
    return table


def _apart(table: pd.DataFrame, claim: Question, tests: pd.DataFrame | None) -> pd.DataFrame:
    """Return rows as they stand beside those of other claims: each mean by the claim's word."""

    def named(kind: str, label: str) -> tuple[str, str]:
        if kind != _MEAN:
            return kind, label
        word = "" if tests is None else f": {is_word(tests.loc[(claim.name, label)])}"
        return label, claim.title + word

    table = _over_topics(table)
    return table.set_axis(pd.MultiIndex.from_tuples([named(*row) for row in table.index]))


def _layout(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return rows, a kind and a name each, below a head, without a name, for each kind."""
    rows = sorted(rows, key=lambda row: row[0] == _MEAN and _MEANS.index(row[1]))
    last = {_APART: 1} | dict.fromkeys((_MEAN, *_MEANS), 2)
    kinds = sorted(dict.fromkeys(kind for kind, _ in rows), key=lambda kind: last.get(kind, 0))
    return [row for kind in kinds for row in [(kind, ""), *(r for r in rows if r[0] == kind)]]


def _frame(ax: Axes, claim: Question, layout: Sequence[tuple[str, str]]) -> None:
    """Label rows, heads in bold; draw the rule above the means, 0, and what is as good."""
    bound = claim.bound
    as_well = bound.least < bound.refuted_below
    if as_well:
        ax.axvspan(bound.least, -bound.least, facecolor=(PALE, 0.2), edgecolor="none")
    for end in bound.ends[as_well:]:
        ax.axvline(end, color=INK, linewidth=0.8)
    figures.label_rows(ax, [name or kind[0].upper() + kind[1:] for kind, name in layout])
    for label, line, (_, name) in zip(ax.get_yticklabels(), ax.yaxis.get_gridlines(), layout):
        label.set_fontweight("normal" if name else "bold")
        line.set_visible(bool(name))
    means = [place for place, (kind, _) in enumerate(layout) if kind in (_MEAN, *_MEANS)]
    for place in means[:1]:
        ax.axhline(place - 0.5, color=INK, linewidth=0.8)
    ax.tick_params(axis="y", length=0)


def _forest(
    ax: Axes,
    claim: Question,
    table: pd.DataFrame,
    layout: Sequence[tuple[str, str]],
    shift: float = 0,
) -> None:
    """Draw a mark with its interval on each row; rings for what is in no mean; diamonds."""
    look = measure_style(claim.title) if claim.title in LABELS else {"color": INK, "marker": "o"}
    ax.plot([], [], linestyle="none", label=claim.title, **look)  # for a legend

    def words_of(middle: float, low: float, high: float) -> str:
        ends = between(middle, low, high) if low == low else minus_signs(f"{middle:+.3f}")
        return f"{claim.title} {ends}"

    for row, middle, low, high, *wider in table.dropna(subset="estimate").itertuples():
        kind, name = row
        mean = kind in (_MEAN, *_MEANS)
        place = layout.index(row) + shift * (not mean)
        ax.plot(wider, [place] * 2, color=look["color"], linewidth=0.7)
        if mean:
            x, y = [low, middle, high, middle], [place, place + 0.4, place, place - 0.4]
            face = look["color"] if THESE in row else "none"
            diamond = ax.fill(x, y, facecolor=face, edgecolor=look["color"], linewidth=0.8)
            which = name if kind == _MEAN else kind
            add_tooltips(diamond, which, tell="", words=[words_of(middle, low, high)])
        else:
            ring = {"color": PALE, "marker": "o", "markerfacecolor": "none"}
            own = ring if kind == _APART else look
            figures.draw_row(ax, place, name, (middle, low, high), words=words_of, **own)


def _paths(ax: Axes, claim: Question, table: pd.DataFrame, chosen: int) -> None:
    """Draw the mean on each path with its interval, sorted, and a ring around the chosen one."""
    ordered = table.sort_values("mean", kind="stable").assign(place=range(len(table)))
    decides = claim.bound.decides(Interval.read(ordered, "mean"))
    ring: dict[str, Any] = {"color": INK, "markersize": 5, "mfc": "none"}
    kinds = [
        (ordered[decides], {"color": colour(claim.title), "markersize": 2.5}),
        (ordered[~decides], {"color": PALE, "markersize": 2.5}),
        (ordered.loc[[chosen]], ring),
    ]
    for part, look in kinds:
        if part.empty:
            continue
        if look is not ring:
            ends = part[["place", "place"]], part[["low", "high"]]
            figures.draw_pieces(ax, *ends, color=look["color"], linewidth=1)
        mark = ax.plot(part["place"], part["mean"], "o", **look)
        words = [between(*row) for row in part[["mean", "low", "high"]].to_numpy()]
        if "adjusted" in part:
            adjusted = [f"{p:.4f}" if p >= 0.0001 else "below 0.0001" for p in part["adjusted"]]
            words = [f"{one}, adjusted p {p}" for one, p in zip(words, adjusted)]
        add_tooltips(mark, [described(table, path) for path in part.index], tell="", words=words)
    for bound in claim.bound.ends:
        ax.axhline(bound, **REFERENCE)


def specification(curves: Mapping[str, pd.DataFrame], claim: str, **chosen: str) -> figures.Figure:
    """Draw a claim's mean on every path, beneath it what each chose, and ring the path asked for.

    That is the leading one but for what is chosen.  The axis holds all means of ``curves``: figures
    of several claims can be compared.
    """
    stated, table = CLAIM_OF[claim], curves[claim]
    labels = {one.name: chosen.get(one.argument, [*one.values][0]) for one in stated.choices}
    path = int((table[[*labels]] == pd.Series(labels)).all(axis=1).idxmax())
    values = [(c, label) for c in stated.choices for label in [*c.values][not c.crossed :]]
    rows = _LINE * len(values)
    shape: dict[str, Any] = {"height": 2.3 + rows, "gridspec_kw": {"height_ratios": [1.7, rows]}}
    with figures.subplots(2, 1, sharex=True, **shape) as (drawing, (top, bottom)):
        _paths(top, stated, table, path)
        top.set(ylim=_limits(curves.values()), ylabel="lead (tau)")
        _choices(bottom, table, values)
        bottom.set(xlabel=f"{len(table)} paths, sorted")
    over = summaries.spread(table, stated.bound)
    least, most = (minus_signs(f"{over[end]:+.3f}") for end in ("least", "most"))
    here = f"{stated.title}'s lead is {intervals(table).loc[path]}: {described(table, path)}."
    every = (
        f"Over {len(table)} analysis paths it goes from {least} to {most}; "
        f"{over['supports'] or 'none'} {'supports' if over['supports'] < 2 else 'support'} the "
        f"paper and {over['contradicts']} contradict it."
    )
    return figures.Figure(
        drawing,
        data=None if chosen else table,
        formats=dict.fromkeys(("mean", "low", "high"), "+.3f"),
        alt=f"A specification curve. {here} {every}",
        caption=f"{here} {every} Ring: this path; gray: intervals with both answers.",
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
