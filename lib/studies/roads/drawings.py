"""Specification curves: all analysis paths side by side, and what each of them chooses."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from lib.display import figures
from lib.display.figures import PALETTE
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.studies.committed import read
from lib.studies.roads.claims import CLAIMS, FAMILIES, Claim, summary
from lib.studies.roads.roads import SAMPLE, Choice, Place, best, sample
from lib.studies.roads.shown import read_place
from lib.studies.sources import sources

ROW = 0.16  # inches that a line of choices takes
UNITS = {"prediction": "lead in tau", "agreement": "lead in tau", "power": "share of pairs"}


def draw_place(given: Place, *, number: int = SAMPLE) -> figures.Figure:
    """Draw the paths through a place of a paper: its quantity, its matched cells, the choices."""
    table = read_place(given.paper, given.name)
    names = [choice.name for choice in given.choices]
    shown = table.loc[sample(table[names], number)]
    cells, most = int(table["cells"].max()), int(table["matched"].max())
    drawn = "all of them" if len(shown) == len(table) else f"{len(shown)} drawn at random"
    ours = int(table["matched"].iloc[0])
    where = f"{len(best(table))} of {len(table):,} roads match the most, {most} of {cells} numbers"
    above = f" Above: {given.quantity}; the band is the 95% interval over topics."
    return _curve(
        shown,
        given.choices,
        alt=f"Roads through {given.name} side by side. The book's road matches {ours} of {cells} "
        f"printed numbers; {where}.",
        caption=f"The roads through {given.name}, {drawn}: printed numbers that each matches, and "
        f"what it chooses. The dotted line is the book's road. {where}."
        + (above if given.quantity else ""),
    )


def draw_paths(claim: str, source: str, table: pd.DataFrame | None = None) -> figures.Figure:
    """Draw a headline claim along all paths on one source."""
    every = read("roads", "claims.parquet") if table is None else table
    part = every[(every["claim"] == claim) & (every["source"] == source)].reset_index(drop=True)
    if part.empty:
        raise ValueError(f"{claim} was not asked of {source}")
    stated, title = CLAIMS[claim], _titles().get(source, source)
    said = summary(part).iloc[0]
    least, most = (minus_signs(f"{said[end]:+.3f}") for end in ("least", "most"))
    found = f"It lies between {least} and {most} on {said['roads']} roads"
    return _curve(
        part,
        FAMILIES[stated.family],
        bound=stated.bound,
        limits=_limits(every, stated),
        unit=UNITS[stated.family],
        alt=f"Roads side by side: {stated.number} on {title}. {found}.",
        caption=f"On {title}, {stated.number}, along all roads, with the 95% interval over topics. "
        f"{found}; above {minus_signs(f'{stated.bound:g}')}, where the claim holds, "
        f"{said['holds']}. The dotted line is the paper's road.",
    )


def _curve(
    table: pd.DataFrame,
    choices: Sequence[Choice],
    *,
    alt: str,
    caption: str,
    bound: float | None = None,
    limits: tuple[float, float] | None = None,
    unit: str = "number",
) -> figures.Figure:
    """Draw paths from the lowest number to the highest."""
    sort = ["estimate"] if table["estimate"].notna().any() else ["matched"]
    ordered = table.sort_values(sort, kind="stable")
    ours = int(np.flatnonzero(ordered.index == table.index[0])[0])
    panels = [name for name in ("estimate", "matched") if ordered.get(name, _EMPTY).notna().any()]
    lines = sum(len(choice.values) + 1 for choice in choices)
    heights = [1.6] * len(panels) + [ROW * lines]
    with figures.style():
        drawing, axes = figures.subplots(
            len(heights),
            width="wide",
            height=sum(heights) + 0.4,
            sharex=True,
            squeeze=False,
            height_ratios=heights,
        )
        for name, ax in zip(panels, axes[:, 0]):
            _numbers(ax, ordered, name, bound)
            ax.set_ylabel({"estimate": unit, "matched": "printed numbers\nmatched"}[name])
        if limits:
            axes[0, 0].set_ylim(limits)
        _choices(axes[-1, 0], ordered, choices)
        for ax in axes[:, 0]:
            ax.axvline(ours, color="black", linewidth=1, linestyle=":")
        axes[-1, 0].set(
            xlabel=f"{len(ordered)} roads, in the order of the number above",
            xlim=(-1, len(ordered)),
        )
    numbers = [name for name in ("matched", "estimate", "low", "high") if name in ordered]
    kept = ordered[[*(choice.name for choice in choices), *numbers]]
    data = kept.iloc[np.unique([0, ours, len(ordered) - 1])].reset_index(drop=True)
    return figures.Figure(
        drawing,
        alt=alt,
        caption=caption,
        data=data,
        formats={name: ".3f" for name in ("estimate", "low", "high") if name in numbers},
    )


_EMPTY = pd.Series(dtype=float)


def _kind(claim: Claim) -> tuple[str, str]:
    """Return what a claim has in common with those that are drawn on the same axis."""
    return claim.family, claim.labels[1]


def _limits(table: pd.DataFrame, stated: Claim) -> tuple[float, float]:
    """Return the ends of an axis, the same for all sources and whatever is compared with what."""
    alike = [c.name for c in CLAIMS.values() if _kind(c) == _kind(stated)]
    rows = table[table["claim"].isin(alike)]
    low, high = min(rows["low"].min(), 0), max(rows["high"].max(), 0)
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _numbers(ax: Axes, ordered: pd.DataFrame, name: str, bound: float | None) -> None:
    """Draw one number of each path, with its interval where it has one."""
    places = np.arange(len(ordered))
    if name == "estimate":
        low, high = ordered["low"], ordered["high"]
        figures.draw_band(ax, places, low, high, PALETTE[0])
        ax.axhline(0 if bound is None else bound, color="black", linewidth=0.8)
    ax.plot(places, ordered[name], color=PALETTE[0], drawstyle="steps-mid")


def _choices(ax: Axes, ordered: pd.DataFrame, choices: Sequence[Choice]) -> None:
    """Mark on a line for each value which paths take it."""
    labels, y = [], 0
    for i, choice in enumerate(choices):
        labels.append((y, choice.name, True))
        y += 1
        for value in choice.values:
            taken = np.pad(ordered[choice.name] == value, 1).astype(int)
            # One path a line: neighbours are one stroke, gaps part them.
            first, end = (np.flatnonzero(np.diff(taken) == step) for step in (1, -1))
            x = np.column_stack([first - 0.5, end - 0.5, np.full(len(first), np.nan)]).ravel()
            color = PALETTE[i % len(PALETTE)]
            ax.plot(x, np.full(len(x), y), color=color, linewidth=5, solid_capstyle="butt")
            labels.append((y, value, False))
            y += 1
    ax.set_yticks([y for y, _, _ in labels], [text for _, text, _ in labels], fontsize=8)
    for tick, (_, _, title) in zip(ax.get_yticklabels(), labels):
        tick.set_fontweight("bold" if title else "normal")
    ax.set_ylim(y - 0.3, -0.7)
    ax.grid(visible=False)
    ax.tick_params(axis="y", length=0)


def _titles() -> dict[str, str]:
    return {source.name: source.title for source in sources()}


def draw_claim(claim: str, table: pd.DataFrame | None = None) -> figures.Figure:
    """Draw a headline claim on every source that answers it, along all paths."""
    every = read("roads", "claims.parquet") if table is None else table
    part = every[every["claim"] == claim]
    stated, said = CLAIMS[claim], summary(part).loc[claim]
    titles = _titles()
    with figures.style():
        drawing, ax = figures.subplots(height=0.6 + 0.28 * len(said))
        ax.axvline(stated.bound, color="black", linewidth=1, linestyle=":")
        for place, (source, row) in enumerate(said.iterrows()):
            paths = part.loc[part["source"] == source, "estimate"]
            x = np.repeat(paths.to_numpy(), 3)
            x[2::3] = np.nan
            ax.plot(
                x,
                np.tile([place - 0.3, place + 0.3, np.nan], len(paths)),
                color=PALETTE[1],
                linewidth=0.4,
            )
            ax.plot([row["low"], row["high"]], [place] * 2, color=PALETTE[0])
            told = between(*row[["estimate", "low", "high"]])
            dot = ax.plot(row["estimate"], place, "o", color=PALETTE[0])
            add_tooltips(dot, titles.get(str(source), str(source)), tell="", words=[told])
        names = [titles.get(str(source), str(source)) for source in said.index]
        ax.set(yticks=range(len(names)), yticklabels=names, xlabel=stated.number)
        ax.invert_yaxis()
    counts = said["holds"].value_counts()
    words = "; ".join(f"{text}: {count}" for text, count in counts.items())
    return figures.Figure(
        drawing,
        data=said.rename(index=titles),
        formats=".3f",
        alt=f"A line a collection with dots and intervals: {stated.number}. "
        f"Above {stated.bound:g}, of {len(said)} collections: {words}.",
        caption=f"On each collection, {stated.number}. Dots with lines: the paper's road and its "
        "95% interval over topics; strokes: every other road. The claim holds right of the "
        f"dotted line ({minus_signs(f'{stated.bound:g}')}); of {len(said)} collections {words}.",
    )


def asked_all(table: pd.DataFrame, claims: Sequence[str]) -> list[str]:
    """Return the sources that all of some claims were asked of: no setting of a page is empty.

    Examples
    --------
    >>> asked_all(read("roads", "claims.parquet"), ["p10-AP", "p10-nDCG"])[:2]
    ['trec5', 'trec8']
    """
    asked = table[table["claim"].isin(claims)].groupby("source", sort=False)["claim"].nunique()
    return [str(source) for source in asked.index[asked == len(claims)]]


def panel(table: pd.DataFrame, claim: str, source: str) -> figures.Figure | str:
    """Show one claim on one source along all paths: a panel of the chapter's control."""
    if not ((table["claim"] == claim) & (table["source"] == source)).any():
        return f"<p>{CLAIMS[claim].number} was not asked of {_titles().get(source, source)}.</p>"
    return draw_paths(claim, source, table)
