"""What the paper says, each number and sentence checked.

No table cell can be computed, since the runs are not public.  A claim that follows from printed
numbers is checked on these: it says that the paper agrees with itself, and counts apart.  Printed
means have no error over topics that could be known; where a sentence speaks of significance, the
printed counts are asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims
from lib.collection import Collection
from lib.measures import GS10_BASE, scores
from lib.papers.tomlinson2006.tables import FAMILIES, FOUR, MEASURES, SYSTEMS, poster, stars
from lib.published import half_digit, printed, read
from lib.statistics.impact import ALPHA, OUTCOMES

EARLY = ("P5", "P10", "P15", "P20", "P30")  # the paper: precision of the first 5 to 30 documents
PRIMARY = FAMILIES["the first relevant document"]
SECONDARY = (*FAMILIES["precision at a depth"], *FAMILIES["the whole list"])
SUCCESS = [label for label, name in MEASURES.items() if name.startswith("Success")]


# What rounding explains: two means, each half a digit off, and their difference rounded again.
ROUNDED = 2 * half_digit("0.000") + 1e-9


def of_first(measure: str, ranks: Sequence[int]) -> np.ndarray:
    """Score lists by the rank of their only relevant document, 1,000 at most (0: not found).

    >>> of_first("GS10", [1, 2, 0]).round(3)
    array([1.   , 0.926, 0.   ])
    """
    return scores(_by_rank(), measure)["A"].to_numpy()[list(ranks)]


@cache
def _by_rank():
    # Names in bytes, made once: a thousand long lists are half a million documents.
    others = [b"x%d" % i for i in range(1000)]
    lists = {f"{rank:04}": [*others[: rank - 1], b"r"] if rank else [] for rank in range(1001)}
    return Collection.from_rankings({"A": lists}, {topic: {b"r": 1} for topic in lists})


@dataclass(eq=False)
class Evidence:
    """The printed numbers, and what follows from them; nothing comes from systems of our own.

    ``starred`` are the measures that Table 2 stars: those on the site of the RIA workshop.
    """

    printed1: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 1"))
    printed2: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 2"))
    starred: Sequence[str] = field(
        default_factory=lambda: list(read("tomlinson2006").query("column == 'starred'")["row"])
    )
    poster: pd.DataFrame = field(default_factory=poster)

    def __post_init__(self) -> None:
        self.table1, self.table2 = self.printed1.astype(float), self.printed2.astype(float)
        self.difference = self.table2["difference"]
        self.significant = self.table2["ns"] + self.table2["ps"]  # systems, either way
        of_systems = self.table1.loc[[f"{system} difference" for system in SYSTEMS]]
        self.system_differences = of_systems.set_axis(list(SYSTEMS))
        # The rows of Table 2 that look at the first relevant document, and mostly at further ones.
        self.primary_recall = self.table2.loc[list(PRIMARY)]
        self.secondary_recall = self.table2.loc[list(SECONDARY)]
        self.early_precision = self.difference[list(EARLY)]
        self.precisions = self.table2.loc[[label for label in MEASURES if label[0] == "P"]]
        # By all measures of the first relevant document the mean falls.
        self.first_sinks = bool((self.primary_recall["difference"] < 0).all())
        # And by some a system loses significantly, while none gains so.
        ns, ps = self.primary_recall[["ns", "ps"]].sum()
        self.first_is_harmed = self.first_sinks and bool(ps == 0 < ns)


def is_feedback_less_base(e: Evidence, system: str, column: str) -> bool | str:
    """Check a printed difference of Table 1 on the two means beside it."""
    base, feedback, difference = (
        e.table1.loc[f"{system} {row}", column] for row in ("base", "feedback", "difference")
    )
    own = round(feedback - base, 3)
    return own == difference or (
        f"printed {difference:.3f}; the printed means differ by {own:.3f}, as rounding before "
        "subtracting may do"
    )


def averages_to_table2(e: Evidence, label: str) -> bool | str:
    """Check the mean of the seven differences of Table 1 on that of Table 2."""
    average = e.system_differences[FOUR[label]].mean()
    off = abs(average - e.difference[label])
    return off <= half_digit("0.000") + 1e-9 or f"the seven average {average:.4f}"


def signs_agree(e: Evidence, label: str) -> bool | str:
    """Check the signs of Table 1 on the counts of Table 2."""
    sign = np.sign(e.system_differences[FOUR[label]])
    three = [int((sign == side).sum()) for side in (-1, 0, 1)]
    ns, no, z, po, ps = e.table2.loc[label, list(OUTCOMES)]
    return three == [ns + no, z, po + ps] or f"negative, zero, positive: {three}"


def rounding_explains(e: Evidence) -> bool:
    """Check that each difference of Table 1 is that of the two means, as far as they are known."""
    base, feedback, difference = (
        e.table1.filter(like=f" {row}", axis=0).to_numpy()
        for row in ("base", "feedback", "difference")
    )
    return bool((np.abs(feedback - base - difference) <= ROUNDED).all())


def poster_agrees(e: Evidence) -> bool:
    """Check the poster's differences, to two decimals, on those of Table 1."""
    both = (
        (float(row["difference"]), e.table1.loc[f"{system} difference", FOUR[label]])
        for (system, label), row in e.poster.iterrows()
        if label in FOUR
    )
    return all(abs(one - other) <= half_digit("0.00") + 1e-9 for one, other in both)


def decimals(e: Evidence) -> int | str:
    """Count the decimals of the differences of Table 1."""
    texts = e.printed1.filter(like=" difference", axis=0).to_numpy().ravel()
    found = {len(text.partition(".")[2]) for text in texts}
    return found.pop() if len(found) == 1 else f"not all the same: {sorted(found)}"


def order_is_kept(e: Evidence) -> bool:
    """Check that the rows of Table 2 rise by ps less ns, and then by difference."""
    key = list(zip(e.table2["ps"] - e.table2["ns"], e.difference))
    return key == sorted(key)


def driven_by_later(e: Evidence, k: int) -> bool:
    """Check that what P@k gains comes after the first relevant document.

    k P@k counts relevant documents, and Success@k the first of them; the rest is what comes after
    the first.  It rises while the first falls.
    """
    first, both = e.difference[f"S{k}"], k * e.difference[f"P{k}"]
    return first < 0 < both - first


def significant(label: str, right: str, wrong: str) -> Callable[[Evidence], bool]:
    """Make a check that a measure has significant differences, all of them on one side."""
    return lambda e: e.table2.loc[label, wrong] == 0 < e.table2.loc[label, right]


def losses_without(e: Evidence) -> bool | str:
    """Check that each measure of the first relevant document has ns of 1 or more."""
    short = list(e.primary_recall.index[e.primary_recall["ns"] < 1])
    return not short or (
        f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
        f"{len(e.primary_recall) - len(short)} measures of the first relevant document 1 or more"
    )


def gs10_loses_most(e: Evidence) -> bool:
    """Check that GS10 has the most significant losses, less gains, of its family."""
    net = e.primary_recall["ns"] - e.primary_recall["ps"]
    return net.drop("GS10").max() < net["GS10"]


def sees_more_harm_than_gmap(e: Evidence) -> bool:
    """Check that each falls where GMAP rises, and stands before it in the order of Table 2."""
    gain = e.table2["ps"] - e.table2["ns"]
    before = (gain[e.primary_recall.index] < gain["GMAP"]).all()
    return bool(before) and e.first_sinks and e.difference["GMAP"] > 0


def most_are_unreported(e: Evidence) -> bool:
    """Check that more than half of the measures of the first relevant document have no star."""
    return len(set(e.primary_recall.index) - set(e.starred)) > len(PRIMARY) / 2


def most_hide_harm(e: Evidence) -> bool:
    """Check that most measures of early precision rise, whichever are meant.

    Precision after 5 to 30 documents, which the paper calls the usual ones; with I0, "the earliest"
    of the interpolated; with S1 and MRR, the "pure" ones, as well.
    """
    readings = ((), ("I0",), ("I0", "S1", "MRR"))
    rises = [
        np.append(e.early_precision > 0, e.difference[list(more)] > 0).mean() for more in readings
    ]
    return min(rises) > 0.5


# Of definitions: no data enter.


def falls_less_than_rr(e: Evidence) -> bool:
    """Check that each step between the ranks that the paper names, 1 to 3, costs GS10 less.

    Both in points and as a share of what there was.  From rank 4 to 5 RR loses fewer points.
    """
    one, other = of_first("GS10", [1, 2, 3]), of_first("RR", [1, 2, 3])
    points = np.diff(one) > np.diff(other)
    return bool((points & (one[1:] / one[:-1] > other[1:] / other[:-1])).all())


def rounds_to(value: int, ranks: range) -> Callable[[Evidence], bool]:
    """Make a check that GS10 rounds to a whole number, the first relevant one at these ranks."""
    return lambda e: bool((np.floor(of_first("GS10", ranks) + 0.5) == value).all())


def is_precision_at_1(e: Evidence) -> bool:
    """Check that Success@1 and P@1 are one number, wherever the only relevant document stands."""
    return bool((of_first("Success@1", range(1001)) == of_first("P@1", range(1001))).all())


def jump_at_the_top(e: Evidence) -> bool:
    """Check that the step from rank 1 to 2 costs S1 and MRR more than GS10."""
    cost = {name: -np.diff(of_first(name, [1, 2]))[0] for name in ("Success@1", "RR", "GS10")}
    return min(cost["Success@1"], cost["RR"]) > cost["GS10"]


ROWS: dict[str, Callable[[Evidence], Any]] = {
    # Abstract
    "first-relevant-harmed-while-p10-gains": lambda e: (
        e.first_is_harmed and (e.early_precision > 0).all()
    ),
    "primary-recall-measures-not-originally-reported": most_are_unreported,
    # Section 1
    "hypothesis-mrr-falls": lambda e: e.difference["MRR"] < 0,
    "hypothesis-s10-falls": lambda e: e.difference["S10"] < 0,
    "hypothesis-map-rises": lambda e: e.difference["MAP"] > 0,
    "hypothesis-p10-rises": lambda e: e.difference["P10"] > 0,
    "hypothesis-primary-recall-falls": lambda e: e.first_sinks,
    "hypothesis-secondary-recall-rises": lambda e: (e.secondary_recall["difference"] > 0).all(),
    # Table 1
    **{
        f"{system}-{column}-difference-is-feedback-minus-base": partial(
            is_feedback_less_base, system=system, column=column
        )
        for system in SYSTEMS
        for column in FOUR.values()
    },
    **{
        f"mean-{column}-difference-equals-table-2": partial(averages_to_table2, label=label)
        for label, column in FOUR.items()
    },
    **{
        f"{column}-signs-agree-with-table-2": partial(signs_agree, label=label)
        for label, column in FOUR.items()
    },
    "clarit-AP-difference-significant": lambda e: (
        e.table2.loc["MAP", "ps"] == len(SYSTEMS) and e.poster.loc[("clarit", "MAP")].iloc[1]
    ),
    "clarit-P@10-difference-significant": lambda e: (
        e.poster.loc[("clarit", "P10"), "significant"] or "no star marks it on the poster"
    ),
    "poster-differences-agree": poster_agrees,
    # Table 2
    "counts-sum-to-systems": lambda e: (e.table2[list(OUTCOMES)].sum(axis=1) == len(SYSTEMS)).all(),
    "rows-ordered-by-ps-minus-ns-then-difference": order_is_kept,
    "poster-stars-give-the-counts": lambda e: (stars(e.poster, e.table2)["same"] == "yes").all(),
    # Section 2
    "systems": lambda e: len({row.split()[0] for row in e.table1.index}),
    "difference-is-feedback-less-base": rounding_explains,
    "map-significant-differences-positive": significant("MAP", "ps", "ns"),
    "p10-significant-differences-positive": significant("P10", "ps", "ns"),
    "gs10-significant-differences-negative": significant("GS10", "ns", "ps"),
    "measures": lambda e: len(e.table2),
    "starred-measures": lambda e: len(e.starred),
    "starred-measures-favouring-feedback": lambda e: int((e.difference[e.starred] > 0).sum()),
    # Section 3
    "precision-at-n-all-higher": lambda e: (e.precisions["difference"] > 0).all(),
    "precision-at-n-each-significant-once": lambda e: (e.precisions["ps"] >= 1).all(),
    "s1-declines": lambda e: e.difference["S1"] < 0,
    "mrr-declines": lambda e: e.difference["MRR"] < 0,
    "s1-significant-differences-negative": significant("S1", "ns", "ps"),
    "mrr-significant-differences-negative": significant("MRR", "ns", "ps"),
    # Few: of fewer than half of the systems.
    "s1-mrr-significant-differences-few": lambda e: (
        e.significant[["S1", "MRR"]] < len(SYSTEMS) / 2
    ).all(),
    "i0-declines": lambda e: e.difference["I0"] < 0,
    "i10-rises": lambda e: e.difference["I10"] > 0,
    "precision-at-5-driven-by-later-relevant": partial(driven_by_later, k=5),
    "precision-at-10-driven-by-later-relevant": partial(driven_by_later, k=10),
    # Less easily than GS10, the measure that the paper puts in their place.
    "s1-mrr-less-often-significant": lambda e: (
        e.significant[["S1", "MRR"]] < e.significant["GS10"]
    ).all(),
    # Section 4
    "gs10-ns": lambda e: int(e.table2.loc["GS10", "ns"]),
    "gs10-most-significant-losses": lambda e: (
        e.table2.loc["GS10", "ns"] > e.table2["ns"].drop("GS10").max()
    ),
    # Section 5
    "gmap-favours-feedback": lambda e: e.difference["GMAP"] > 0,
    "gmap-ps": lambda e: int(e.table2.loc["GMAP", "ps"]),
    "primary-recall-ns-at-least-one": losses_without,
    "primary-recall-behaves-as-robustness": sees_more_harm_than_gmap,
    "gs10-behaves-most-as-robustness": gs10_loses_most,
    # Conclusion
    "feedback-harms-single-item-search": lambda e: e.first_is_harmed,
    "common-early-precision-hides-harm": most_hide_harm,
    # Definitions, and how something is counted or printed: no data enter
    # Section 2
    "alpha": lambda e: 100 * ALPHA,
    "difference-decimals": decimals,
    "trec-eval-measures": lambda e: len(set(MEASURES) - {"GS10", *SUCCESS}),
    "success-measures": lambda e: len(SUCCESS),
    # Section 3
    "s1-equals-precision-at-1": is_precision_at_1,
    "s1-mrr-jump-at-the-top": jump_at_the_top,
    # Section 4
    "gs10-base": lambda e: GS10_BASE,
    "gs10-zero-when-nothing-relevant": lambda e: of_first("GS10", [0])[0] == 0,
    "gs10-rank-1": lambda e: of_first("GS10", [1])[0],
    "gs10-rank-2": lambda e: of_first("GS10", [2])[0],
    "gs10-rank-3": lambda e: of_first("GS10", [3])[0],
    "gs10-falls-slower-than-rr": falls_less_than_rr,
    "gs10-rounds-to-1-through-rank-10": rounds_to(1, range(1, 11)),
    "gs10-rounds-to-0-beyond-rank-10": rounds_to(0, range(11, 1001)),
    "gs10-steps-shrink": lambda e: bool((np.diff(of_first("GS10", range(1, 1001)), n=2) > 0).all()),
}

CLAIMS = Claims(evidence=Evidence, rows=ROWS)
