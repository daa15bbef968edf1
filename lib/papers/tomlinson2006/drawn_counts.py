"""Which systems gain and which lose, measure by measure: five counts as stacked bars."""

import numpy as np
import pandas as pd

from lib.display import figures, tables
from lib.display.figures import INK, PALETTE
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.display.tables import minus_signs
from lib.papers.tomlinson2006.printed import MEASURES, printed
from lib.papers.tomlinson2006.replication import POOLED, beside, changes, ours
from lib.statistics.impact import OUTCOMES

__all__ = ["draw_beside", "draw_counts"]

# What each of the five counts counts, with its colour, and whether its bar is filled.
BARS = {
    "loses significantly": (PALETTE[1], True),
    "loses": (PALETTE[1], False),
    "does not change": (INK, False),
    "gains": (PALETTE[0], False),
    "gains significantly": (PALETTE[0], True),
}


def draw_counts(strings: pd.DataFrame, *, caption: str, columns: int = 3) -> figures.Figure:
    """Draw how many systems gain and lose by each measure: a panel a column.

    Parameters
    ----------
    strings : DataFrame
        Rows are measures, columns what is compared; cells the five counts ns no z po ps.
    caption : str
    columns : int
        Panels in a row.

    Returns
    -------
    lib.display.figures.Figure
    """
    rows = -(-strings.shape[1] // columns)
    with figures.style():
        drawing, axes = figures.subplots(
            rows,
            columns,
            width="wide",
            height=0.7 + rows * (0.45 + 0.17 * len(strings)),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for axis, (title, column) in zip(axes.flat, strings.items()):
            _stack(axis, column)
            axis.set_title(title)
        axes[0, 0].invert_yaxis()
        drawing.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figures.Figure(
        drawing,
        caption=caption,
        alt=f"Stacked bars, the five counts {' '.join(OUTCOMES)}: "
        + "; ".join(f"{title}: {_listed(column)}" for title, column in strings.items())
        + ".",
        data=tables.table(strings, caption=f"The five counts {' '.join(OUTCOMES)}"),
    )


def _stack(axis, column):
    """Draw one bar a measure: its systems, from those that lose to those that gain."""
    counts = np.array([text.split() for text in column], dtype=int)
    ends = counts.cumsum(axis=1)
    for number, (label, (color, filled)) in enumerate(BARS.items()):
        count = counts[:, number]
        bars = axis.barh(
            list(column.index),
            count,
            left=ends[:, number] - count,
            facecolor=color if filled else "none",
            edgecolor=color,
            height=0.75,
            label=label,
        )
        add_tooltips(bars, column.index, words=[f"{systems} {label}" for systems in count])
    axis.set(xlim=(0, ends.max()), xticks=[])
    axis.grid(False)


def _listed(column):
    return ", ".join(f"{measure} {text}" for measure, text in column.items())


def draw_beside(name: str = POOLED) -> figures.Figure:
    """Draw Table 2 and ours: the mean change by each measure, and how many systems it holds for.

    Parameters
    ----------
    name : str
        As for :func:`lib.papers.tomlinson2006.changes`.

    Returns
    -------
    lib.display.figures.Figure
        The numbers of :func:`lib.papers.tomlinson2006.beside` stand behind it.
    """
    both, found = beside(name), changes(name)
    paper = printed(2)["difference"]
    labels = [MEASURES[label] for label in both.index]
    with figures.style():
        drawing, axes = figures.subplots(
            1,
            3,
            width="wide",
            height=1.0 + 0.19 * len(labels),
            sharey=True,
            gridspec_kw={"width_ratios": [2.6, 1, 1]},
        )
        dots, *bars = axes
        dots.axvline(0, color="black", linewidth=1)
        dots.hlines(labels, found["low"], found["high"], color=INK, linewidth=1)
        told = found[["difference", "low", "high"]].itertuples(index=False)
        words = [f"ours {between(*numbers)}" for numbers in told]
        mine = dots.plot(found["difference"], labels, "o", color=INK, ms=4, label="ours")
        add_tooltips(mine, labels, tell="", words=words)
        words = [minus_signs(f"the paper's {number:+.3f}") for number in paper]
        theirs = dots.plot(paper, labels, "D", color=INK, mfc="none", ms=5, label="the paper")
        add_tooltips(theirs, labels, tell="", words=words)
        dots.set(xlabel="mean change with feedback", title="mean change")
        dots.legend(loc="lower right")
        for axis, side in zip(bars, ("paper", "ours")):
            _stack(axis, both[side, "ns no z po ps"].set_axis(labels))
            axis.set(title=f"systems, {side}")
        dots.invert_yaxis()
        drawing.legend(*bars[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    unlike = both["signs", ""] != "agree"
    topics = sum(len(collection.topics) for collection in ours(name))
    return figures.Figure(
        drawing,
        caption=f"The paper's Table 2 (RIA, 150 topics) and our systems ({topics} topics), in the "
        "paper's order. Left: mean change over seven systems, ours with its 95% interval over "
        "topics; the paper prints none. Right: of seven systems, how many lose and gain.",
        alt="Dots for 30 measures: the paper's and ours lie on the same side of zero, but for "
        f"{', '.join(np.array(labels)[unlike])}. Bars: nearly all systems gain by the measures of "
        "the lower half.",
        data=_numbers(both.set_axis(labels).rename_axis("measure"), unlike),
    )


def _numbers(both, unlike):
    """Return the numbers behind the figure, those marked whose sign is another or not known."""
    return tables.table(
        both,
        highlight=np.repeat(unlike.to_numpy()[:, None], both.shape[1], axis=1),
        caption="Marked: where signs differ or cannot be told. The five counts: systems that lose "
        "significantly (ns), otherwise lose (no), do not change (z), gain (po), gain "
        "significantly (ps).",
    )
