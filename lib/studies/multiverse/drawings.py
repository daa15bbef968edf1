"""The figures of the claims: forest plots, and the curves of all analysis paths."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib.display import figures
from lib.display.figures import INK, PALETTE, REFERENCE, colour, measure_style
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.studies.committed import read
from lib.studies.multiverse.claims import CLAIMS, SECTIONS, Claim, claims_of
from lib.studies.multiverse.summaries import (
    OURS,
    SUBMITTED,
    curve,
    groups,
    over_families,
    predicted,
    summary,
)

TOGETHER = {SUBMITTED: "these collections", OURS: "our own systems"}
KINDS = "four families"
MEANS = (*TOGETHER.values(), KINDS)
LONG = "robust04"  # the source with the most topics
PREDICTORS = {"itself": "P@10 itself", "by_ap": "AP"}  # a column of the curves to its label
SHOW = ("predictive power for P@10", "lead of AP")
ROW, PATH, LINE = 0.2, 0.045, 0.16  # inches that a collection, a path, a choice takes
OWN, OTHER, PALE = PALETTE[1], PALETTE[0], "#8a8a8a"  # the paper's collection; others; holds 0
ENDS = ["estimate", "low", "high", "prediction low", "prediction high"]
PRINTED = "in print"
NONE = float("nan")


def forest(
    found: pd.DataFrame,
    section: str,
    claims: Sequence[Claim] | None = None,
    *,
    width: str = "wide",
    title: str = "",
    said: str = "",
) -> figures.Figure:
    """Draw the claims of a section, a panel each, and beneath each its mean on all other paths."""
    claims = claims_of(section) if claims is None else claims
    curves = {c.name: curve(found, c.name) for c in claims if c.choices}
    paths = max((len(table) for table in curves.values()), default=1)
    tables = {claim.name: numbers(found, claim) for claim in claims}
    labels = list(dict.fromkeys(label for table in tables.values() for label in table.index))
    labels.sort(key=lambda label: label in MEANS)
    strip = [0.3 + PATH * paths] if paths > 1 else []
    heights = [ROW * len(labels) + 0.3, *strip]
    with figures.style():
        drawing, axes = figures.subplots(
            len(heights),
            len(claims),
            width=width,
            height=sum(heights) + (0.95 if title else 0.7),
            sharex=True,
            sharey="row",
            squeeze=False,
            height_ratios=heights,
        )
        # Other fonts than matplotlib's are wider: leave them room at the left.
        drawing.set_layout_engine("constrained", rect=(0.02, 0, 0.98, 1))
        for column, claim in zip(axes.T, claims):
            column[0].set_title(_broken(claim.title, len(claims)), fontsize=9)
            _forest(column[0], tables[claim.name], labels, SECTIONS[section].own)
            if strip and claim.name in curves:
                _paths(column[1], curves[claim.name], across=True)
                column[1].set_yticks([])
        if strip:
            axes[1, 0].set_ylabel(f"{paths} paths" if paths > 20 else "all paths", fontsize=9)
        _limits(axes[0, 0], [*tables.values(), *curves.values()])
        drawing.supxlabel(SECTIONS[section].axis, fontsize=10)
        if title:
            drawing.suptitle(title, x=0.02, ha="left", fontsize=10, fontweight="bold")
    data = pd.concat(tables, names=["claim", "collection"]).dropna(subset="estimate")
    data = data.rename(index={claim.name: claim.title for claim in claims}, level=0)
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt=_alt(data, section),
        caption=_caption(section, claims, paths, said),
    )


def numbers(found: pd.DataFrame, claim: Claim, *, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim's forest: collections, pairs of runs, what is printed, means."""
    rows: dict[str, Sequence[float]] = {}
    own = SECTIONS[claim.section]
    here = found[(found["claim"] == claim.name) & (found["path"] == path)]
    for row in here.itertuples():
        mark = " (the paper's)" if row.source == own.own else ""
        rows[row.part or row.title + mark] = row.estimate, row.low, row.high, NONE, NONE
    if claim.printed is not None:
        rows[f"{own.printed}, {PRINTED}"] = claim.printed, NONE, NONE, NONE, NONE
    for group in groups(claim.section):
        one = summary(found, claim.name, group, path=path)
        if one is not None:
            rows[TOGETHER[group]] = one.mean, one.low, one.high, *predicted(one)
    mean = over_families(found, claim.name, path=path)
    if mean is not None:
        rows[KINDS] = mean.mean, mean.low, mean.high, NONE, NONE
    return pd.DataFrame.from_dict(rows, orient="index", columns=ENDS).astype(float)


def _forest(ax: Axes, table: pd.DataFrame, labels: Sequence[str], own: str) -> None:
    """Draw a dot with its interval on each row; hollow as printed; diamonds for means."""
    ax.axvline(0, **REFERENCE)
    figures.label_rows(ax, labels)
    ax.tick_params(axis="y", length=0)
    table = table.dropna(subset="estimate")
    places = np.array([labels.index(label) for label in table.index])
    means = table.index.isin(MEANS)
    printed = table.index.str.endswith(PRINTED)
    mine = table.index.str.contains(r"\(the paper's\)|\(yours\)")
    kinds: list[tuple[Any, str, dict[str, Any]]] = [
        (~means & ~printed & ~mine, OTHER, {}),
        (mine, OWN, {}),
        (printed, INK, {"mfc": "none"}),
    ]
    for rows, color, look in kinds:
        if rows.any():
            part, where = table[rows], places[rows]
            _intervals(ax, part, where, color, 1.4, across=True)
            mark = ax.plot(part["estimate"], where, "o", color=color, **look)
            said = [
                minus_signs(f"{r[0]:+.3f}") if r[1] != r[1] else between(*r)
                for r in part[ENDS[:3]].to_numpy()
            ]
            add_tooltips(mark, part.index, tell="", words=said)
    for (label, row), place in zip(table[means].iterrows(), places[means]):
        middle, low, high, *prediction = row
        ax.plot(prediction, [place] * 2, color=INK, linewidth=0.7)
        x, y = [low, middle, high, middle], [place, place + 0.3, place, place - 0.3]
        look = {"edgecolor": INK, "linewidth": 0.8}
        diamond = ax.fill(x, y, facecolor="none" if label == KINDS else INK, **look)
        add_tooltips(diamond, str(label), tell="", words=[between(middle, low, high)])


def _intervals(
    ax: Axes, table: pd.DataFrame, places: Any, color: str, width: float, *, across: bool
) -> None:
    """Draw the intervals of all rows as one line with gaps."""
    ends = np.column_stack([table["low"], table["high"], np.full(len(table), NONE)]).ravel()
    line = ends, np.repeat(places, 3)
    ax.plot(*(line if across else line[::-1]), color=color, linewidth=width)


def _paths(ax: Axes, table: pd.DataFrame, *, across: bool, chosen: int = 0) -> None:
    """Draw the mean on each path with its interval, sorted; across: the numbers lie along x."""
    ordered = table.sort_values("mean", kind="stable")
    places = np.arange(len(ordered))
    for sure, color in ((True, OTHER), (False, PALE)):
        taken = ((ordered["low"] > 0) | (ordered["high"] < 0)).to_numpy() == sure
        if not taken.any():
            continue
        part, where = ordered[taken], places[taken]
        _intervals(ax, part, where, color, 1, across=across)
        dots = (part["mean"], where) if across else (where, part["mean"])
        mark = ax.plot(*dots, "o", color=color, markersize=2.5)
        said = [between(*row) for row in part[["mean", "low", "high"]].to_numpy()]
        add_tooltips(mark, [described(table, path) for path in part.index], tell="", words=said)
    here = int(np.flatnonzero(ordered.index == chosen)[0])
    spot = (ordered["mean"].iloc[here], here)
    ring = ax.plot(*(spot if across else spot[::-1]), "o", color=INK, markersize=5, mfc="none")
    here_said = between(*ordered[["mean", "low", "high"]].iloc[here])
    add_tooltips(ring, described(table, chosen), tell="", words=[here_said])
    (ax.axvline if across else ax.axhline)(0, **REFERENCE)


def described(table: pd.DataFrame, path: int) -> str:
    """Say what a path of a curve chooses otherwise than the leading one.

    >>> described(pd.DataFrame({"tau": ["tau-b", "tau-a"], "mean": 0.1}), 1)
    'tau-a'
    """
    choices = table.loc[:, : "collections" if "collections" in table else "mean"].iloc[:, :-1]
    other = [
        f"{name} {label}" if label[0].isdigit() else label
        for name, label in choices.loc[path].items()
        if label != choices.iloc[0][name]
    ]
    return ", ".join(other) or "leading path"


def specification(found: pd.DataFrame, claim: str, *, title: str = "") -> figures.Figure:
    """Draw a claim's forest on the leading path, and beside it the curve of all paths."""
    stated, table = CLAIMS[claim], curve(found, claim)
    rows = numbers(found, stated).dropna(subset="estimate")
    lines = _lines(stated)
    with figures.style():
        height = max(ROW * len(rows) + 0.6, 1.8 + LINE * len(lines)) + 0.4
        drawing, whole = figures.subplots(width="wide", height=height)
        whole.remove()
        grid = drawing.add_gridspec(1, 2, width_ratios=[1, 1.75])
        ax = drawing.add_subplot(grid[0, 0])
        _forest(ax, rows, list(rows.index), SECTIONS[stated.section].own)
        _limits(ax, [rows])
        ax.set_xlabel("leading path", fontsize=9)
        parts = grid[0, 1].subgridspec(2, 1, height_ratios=[1.7, LINE * len(lines)])
        top = drawing.add_subplot(parts[0, 0])
        _paths(top, table, across=False)
        bottom = drawing.add_subplot(parts[1, 0], sharex=top)
        _choices(bottom, table, lines)
        top.tick_params(labelbottom=False)
        bottom.set_xlabel(f"{len(table)} paths, sorted by result", fontsize=9)
        if title:
            drawing.suptitle(title, x=0.02, ha="left", fontsize=10, fontweight="bold")
    sure = ((table["low"] > 0) | (table["high"] < 0)).sum()
    least, most = (minus_signs(f"{table['mean'].agg(end):+.3f}") for end in ("min", "max"))
    said = (
        f"the mean runs from {least} to {most}; on {sure} of {len(table)} its interval excludes 0"
    )
    return figures.Figure(
        drawing,
        data=table,
        formats=dict.fromkeys(("mean", "low", "high"), "+.3f"),
        alt=f"A forest plot and a specification curve. On {len(table)} analysis paths {said}.",
        caption=f"Over all analysis paths {said}. Left: the forest plot of the leading path. "
        "Right: the random-effects mean on each path with its 95% interval, unadjusted, sorted; "
        "gray: it holds 0; ring: the leading path. Beneath: what each path chooses.",
    )


def _lines(claim: Claim) -> list[tuple[str, str]]:
    """List the lines beneath a curve: name of a choice, and label of a value or nothing."""
    found = []
    for choice in claim.choices:
        labels = list(choice.values)[0 if choice.crossed else 1 :]
        found += [(choice.name, "")] * choice.crossed
        found += [(choice.name, label) for label in labels]
    return found


def _choices(ax: Axes, table: pd.DataFrame, lines: Sequence[tuple[str, str]]) -> None:
    """Mark on a line for each value which paths choose it."""
    ordered = table.sort_values("mean", kind="stable")
    crossed = {name for name, label in lines if not label}
    for y, (name, label) in enumerate(lines):
        taken = np.flatnonzero(ordered[name] == label)
        if not len(taken):
            continue
        marks = ax.plot(taken, np.full(len(taken), y), "s", color=INK, markersize=2.5)
        paths = [described(table, path) for path in ordered.index[taken]]
        add_tooltips(marks, paths, tell="", words=[f"{name} {label}".strip()] * len(taken))
    labels = [
        label if label and name in crossed else f"{name}: {label}" if label else f"{name}:"
        for name, label in lines
    ]
    labels = [textwrap.fill(label, 20) for label in labels]
    ax.set_yticks(range(len(lines)), labels, fontsize=8, linespacing=0.9)
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.grid(visible=False)
    ax.tick_params(axis="y", length=0)


def panel(
    found: pd.DataFrame, curves: dict[str, pd.DataFrame], claim: str, **chosen: str
) -> figures.Figure:
    """Show a claim's forest on one path, and where it lies on the curve: a panel of the control."""
    table, stated = curves[claim], CLAIMS[claim]
    columns = {choice.argument: choice.name for choice in stated.choices}
    same = table[[columns[key] for key in chosen]] == list(chosen.values())
    path = int(same.all(axis=1).idxmax())
    rows = numbers(found, stated, path=path).dropna(subset="estimate")
    # The rows of all claims, so that nothing moves from one to another.
    leading = [numbers(found, CLAIMS[name]).dropna(subset="estimate") for name in curves]
    leading.sort(key=len, reverse=True)
    labels = list(dict.fromkeys(label for one in leading for label in one.index))
    labels.sort(key=lambda label: label in MEANS)
    with figures.style():
        height = ROW * len(labels)
        drawing, (ax, top) = figures.subplots(
            2, height=height + 1.5, sharex=True, height_ratios=[height, 0.8]
        )
        ax.set_position([0.36, 0.36, 0.61, 0.62])
        top.set_position([0.36, 0.1, 0.61, 0.24])
        _forest(ax, rows, labels, SECTIONS[stated.section].own)
        _paths(top, table, across=True, chosen=path)
        top.set_yticks([])
        top.set_ylim(-1, max(map(len, curves.values())))
        every = [found[found["claim"].isin(curves) & (found["part"] == "")], *curves.values()]
        _limits(ax, every)
        top.set_xlabel(SECTIONS[stated.section].axis, fontsize=9)
    mean = between(*rows.loc[TOGETHER[SUBMITTED], ["estimate", "low", "high"]])
    said = f"{stated.title}, {described(table, path)}: mean of these collections {mean}"
    return figures.Figure(
        drawing,
        data=rows[ENDS[:3]].rename_axis("collection"),
        formats="+.3f",
        alt=f"A forest plot. {said}.",
        caption=f"{said}.",
    )


def _limits(ax: Axes, tables: Sequence[pd.DataFrame]) -> None:
    """Let an axis hold all intervals and 0; a prediction interval may reach beyond it."""
    names = ("estimate", "mean", "low", "high")
    ends = np.concatenate([t[n].to_numpy(float) for t in tables for n in names if n in t])
    low, high = min(np.nanmin(ends, initial=0), 0), max(np.nanmax(ends, initial=0), 0)
    room = 0.04 * (high - low) or 1
    ax.set_xlim(low - room, high + room)


def _broken(title: str, panels: int) -> str:
    """Break a title in two lines where panels are narrow."""
    if panels < 3 or len(title) < 14:
        return title
    words = title.split()
    half = (len(words) + 1) // 2
    return " ".join(words[:half]) + "\n" + " ".join(words[half:])


def _alt(data: pd.DataFrame, section: str) -> str:
    means = data[data.index.get_level_values(1) == TOGETHER[SUBMITTED]]
    ends = "; ".join(
        f"{claim}: {between(row.estimate, row.low, row.high)}"
        for (claim, _), row in zip(means.index, means.itertuples())
    )
    return f"Dots with intervals, a row a collection. {SECTIONS[section].title}, means: {ends}."


def _caption(section: str, claims: Sequence[Claim], paths: int, said: str) -> str:
    of = SECTIONS[section]
    known = [
        f"{said} {of.says}, with 95% intervals over topics, all unadjusted.".strip(),
        "Black diamond: random-effects mean of the collections that share no topics, and its "
        "interval; thin line: the prediction interval, where tau² is 0 at the upper end of its "
        "Q-profile.",
    ]
    if not of.pairs:
        known.append("Open diamond: mean of the four families of collections.")
    if of.own:
        known.append("Orange: the paper's own collection.")
    if of.printed and any(claim.printed is not None for claim in claims):
        known.append(f"Hollow: {of.printed}, from the numbers that the paper prints.")
    if paths > 1:
        known.append(
            "Beneath: the mean on every analysis path, sorted; gray: its interval holds 0; ring: "
            "the leading path, which the rows above show."
        )
    return " ".join(known)


def draw_growth() -> figures.Figure:
    """Draw Figure 1 of Webber 2008 beyond 25 topics: predictive power, and the lead of AP."""
    points = read("multiverse", "growth")
    own = points[points["source"] == LONG].set_index("topics")
    with figures.style():
        drawing, (left, right) = figures.subplots(1, 2, width="wide", height=3.1)
        for column, label in PREDICTORS.items():
            figures.draw_line(left, own.index, own[column], label)
        left.set(xlabel="topics in each set", ylabel=f"{SHOW[0]} (mean tau)")
        left.set_ylim(bottom=0)
        left.legend(loc="lower right")
        for name, line in points.groupby("source", sort=False):
            if name != LONG:
                right.plot(line["topics"], line["lead"], color=INK, linewidth=0.5)
        right.axhline(0, **REFERENCE)
        figures.draw_band(right, own.index, own["low"], own["high"], colour("AP"))
        add_tooltips(right.plot(own.index, own["lead"], **measure_style("AP")), "AP")
        right.set(xlabel="topics in each set", ylabel=f"{SHOW[1]} (tau)")
    ends = [
        f"with {size} topics P@10 predicts itself at {row['itself']:.2f} and AP predicts it at "
        f"{row['by_ap']:.2f}"
        for size, row in own.iloc[[0, -1]].iterrows()
    ]
    return figures.Figure(
        drawing,
        data=own[["itself", "by_ap", "lead", "low", "high"]],
        formats="+.3f",
        alt=f"Two lines and their difference: {'; '.join(ends)}.",
        caption="Robust 2004, two sets of its 249 topics. Predictive power: "
        f"{'; '.join(ends)}. Left: how well rankings on one set predict the ranking by P@10 on "
        "the other. Right: the lead of AP with its 95% interval over topics; thin lines: the other "
        "collections, which have no more topics.",
    )


def walk(topics: int, show: str = SHOW[0]) -> figures.Figure:
    """Show Figure 1 at one number of topics: a panel of the chapter's control."""
    own = read("multiverse", "growth").query("source == @LONG").set_index("topics")
    here = own.loc[topics]
    with figures.style():
        drawing, axes = figures.subplots(height=2.6)
        lines = PREDICTORS if show == SHOW[0] else {"lead": "AP minus P@10"}
        if show != SHOW[0]:
            axes.axhline(0, **REFERENCE)
            axes.plot([topics] * 2, [here["low"], here["high"]], color=colour("AP"))
        for column, label in lines.items():
            look = measure_style(label)
            axes.plot(own.index, own[column], color=look["color"], linewidth=0.8, linestyle="--")
            past = own.loc[:topics, column]
            axes.plot(past.index, past, color=look["color"], label=label)
            add_tooltips(axes.plot(topics, here[column], markersize=8, **look), label)
        top = 1.05 * own[[*PREDICTORS]].max(axis=None)
        limits = (0, top) if show == SHOW[0] else (own["low"].min(), own["high"].max())
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
        caption=f"{topics} topics in each set: {said}; the lead of AP is {ahead}.",
    )
