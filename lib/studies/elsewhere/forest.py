"""Forest plots: a row a collection, its number with its interval, below what they say together."""

from collections.abc import Sequence

import pandas as pd

from lib.display import figures
from lib.display.figures import INK, PALETTE
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.studies.elsewhere.claims import SECTIONS, Claim, claims_of
from lib.studies.elsewhere.summaries import OURS, SUBMITTED, groups, summary

TOGETHER = {SUBMITTED: "all together", OURS: "our systems, together"}
ROW = 0.21  # inches


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
    columns = ["claim", "collection", "estimate", "low", "high", "expected_low", "expected_high"]
    data = pd.DataFrame(shown, columns=columns).set_index(["claim", "collection"])
    return figures.Figure(
        drawing, data=data, formats="+.3f", alt=_alt(data, of), caption=_caption(of)
    )


class _Row:
    """A row of the plot: what it is called, and where its numbers come from."""

    def __init__(self, label, source="", part="", group="", printed=False):
        self.label, self.source, self.part = label, source, part
        self.group, self.printed = group, printed


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
        return one.mean, one.low, one.high, one.expected_low, one.expected_high
    rows = found[(found["claim"] == claim.name) & (found["source"] == row.source)]
    rows = rows[(rows["part"] == row.part) & rows["estimate"].notna()]
    if rows.empty:
        return None
    (one,) = rows.itertuples()
    return one.estimate, one.low, one.high, none, none


def _draw(ax, place, row, drawn, own, highlight):
    """Draw a row: a dot with its interval; hollow as printed; a diamond for a summary."""
    middle, low, high, expected_low, expected_high = drawn
    color = PALETTE[1] if row.source and row.source in (own, highlight) else None
    color = color or (INK if row.group or row.printed else PALETTE[0])
    if row.group:
        ax.plot([expected_low, expected_high], [place] * 2, color=color, linewidth=0.7)
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
