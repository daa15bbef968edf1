"""What the paper says, each number and sentence checked.

No table cell can be computed, since the runs are not public.  A claim that follows from printed
numbers is checked on these: it says that the paper agrees with itself, and counts apart.  Printed
means have no error over topics that could be known; where a sentence speaks of significance, the
printed counts are asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import numpy as np
import pandas as pd

from chapters.ledger.claims import Claim, Claims, for_each
from chapters.ledger.published import half_digit, printed, read_published
from chapters.tomlinson2006 import tables
from chapters.tomlinson2006.tables import FOUR, MEASURE_FAMILIES, MEASURES, SYSTEM_NAMES, stars
from lib.collection import Collection
from lib.measures import GS10_BASE, scores
from lib.statistics.impact import ALPHA, OUTCOMES

_EARLY = ["P5", "P10", "P15", "P20", "P30"]  # the paper: precision of the first 5 to 30 documents
_OF_FIRST = list(MEASURE_FAMILIES["the first relevant document"])
_OF_OTHERS = [*MEASURE_FAMILIES["precision at a depth"], *MEASURE_FAMILIES["the whole list"]]
_PRECISIONS = [label for label in MEASURES if label[0] == "P"]
_SUCCESS = [label for label, name in MEASURES.items() if name.startswith("Success")]


_HALF_DIGIT = half_digit("0.000") + 1e-9  # of a digit of Tables 1 and 2


def of_first(measure: str, ranks: Sequence[int]) -> np.ndarray:
    """Score lists by the rank of their only relevant document, 1,000 at most (0: not found).

    >>> of_first("GS10", [1, 2, 0]).round(3)
    array([1.   , 0.926, 0.   ])
    """
    return scores(_by_rank(), measure)["A"].to_numpy()[list(ranks)]


@cache
def _by_rank() -> Collection:
    # Names in bytes, made once: a thousand long lists are half a million documents.
    others = [b"x%d" % i for i in range(1000)]
    lists = {f"{rank:04}": [*others[: rank - 1], b"r"] if rank else [] for rank in range(1001)}
    return Collection.from_rankings({"A": lists}, {topic: {b"r": 1} for topic in lists})


def starred() -> list[str]:
    """Return the measures that Table 2 stars: those on the site of the RIA workshop."""
    return list(read_published("tomlinson2006").query("column == 'starred'")["row"])


@dataclass(frozen=True)
class Data:
    """The printed numbers; nothing comes from systems of our own."""

    printed1: pd.DataFrame = field(default_factory=partial(printed, "tomlinson2006", "Table 1"))
    table2: pd.DataFrame = field(default_factory=partial(tables.as_printed, 2))
    starred: Sequence[str] = field(default_factory=starred)
    poster: pd.DataFrame = field(default_factory=tables.poster)

    @cached_property
    def table1(self) -> pd.DataFrame:
        """Table 1 in numbers."""
        return self.printed1.astype(float)


def moves(sign: int, *labels: str) -> Callable[[Data], bool]:
    """Make a check that the mean by each of some measures rises (1) or falls (-1) in Table 2."""
    return lambda d: bool((sign * d.table2.loc[list(labels), "difference"] > 0).all())


mean_rises, mean_falls = partial(moves, 1), partial(moves, -1)


def first_is_harmed(d: Data) -> bool:
    """Check that by all measures of the first relevant document the mean falls.

    And that by some a system loses significantly, while none gains so.
    """
    ns, ps = d.table2.loc[_OF_FIRST, ["ns", "ps"]].sum()
    return mean_falls(*_OF_FIRST)(d) and bool(ps == 0 < ns)


def of_systems(d: Data, row: str) -> pd.DataFrame:
    """Return one row of each system in Table 1, a column a measure as Table 2 calls it."""
    rows = d.table1.loc[[f"{system} {row}" for system in SYSTEM_NAMES]]
    return rows.set_axis(SYSTEM_NAMES).set_axis(list(FOUR), axis=1)


def feedback_less_base(d: Data) -> pd.DataFrame:
    """Return the differences of the printed means of Table 1, systems x measures."""
    return of_systems(d, "feedback") - of_systems(d, "base")


def number_significant(d: Data) -> pd.Series:
    """Return for how many systems each measure changes significantly, either way."""
    return d.table2["ns"] + d.table2["ps"]


def is_feedback_less_base(d: Data, of: tuple[str, str]) -> bool | str:
    """Check the difference that Table 1 prints of a system and measure on the two means beside."""
    difference = of_systems(d, "difference").loc[of]
    own = round(feedback_less_base(d).loc[of], 3)
    return own == difference or (
        f"printed {difference:.3f}; the printed means differ by {own:.3f}, as rounding before "
        "subtracting may do"
    )


def averages_to_table2(d: Data, label: str) -> bool | str:
    """Check the mean of the seven differences of Table 1 on that of Table 2."""
    average = of_systems(d, "difference")[label].mean()
    off = abs(average - d.table2.loc[label, "difference"])
    return off <= _HALF_DIGIT or f"the seven average {average:.4f}"


def signs_agree(d: Data, label: str) -> bool | str:
    """Check the signs of Table 1 on the counts of Table 2."""
    sign = np.sign(of_systems(d, "difference")[label])
    three = [int((sign == side).sum()) for side in (-1, 0, 1)]
    ns, no, z, po, ps = d.table2.loc[label, list(OUTCOMES)]
    return three == [ns + no, z, po + ps] or f"negative, zero, positive: {three}"


def rounding_explains(d: Data) -> bool:
    """Check that each difference of Table 1 is that of the two means, as far as they are known.

    Each mean is half a digit off at most, and their difference is rounded only afterwards.
    """
    off = feedback_less_base(d) - of_systems(d, "difference")
    return bool((off.abs() <= 2 * _HALF_DIGIT).all(axis=None))


def poster_agrees(d: Data) -> bool:
    """Check the poster's differences, to two decimals, on those of Table 1."""
    poster = d.poster["difference"].astype(float).unstack("measure")[list(FOUR)]
    off = poster - of_systems(d, "difference")
    return bool((off.abs() <= half_digit("0.00") + 1e-9).all(axis=None))


def decimals(d: Data) -> int | str:
    """Count the decimals of the differences of Table 1."""
    texts = d.printed1.filter(like=" difference", axis=0).to_numpy().ravel()
    numbers = {len(text.partition(".")[2]) for text in texts}
    return numbers.pop() if len(numbers) == 1 else f"not all the same: {sorted(numbers)}"


def order_is_kept(d: Data) -> bool:
    """Check that the rows of Table 2 rise by ps less ns, and then by difference."""
    key = list(zip(d.table2["ps"] - d.table2["ns"], d.table2["difference"]))
    return key == sorted(key)


def driven_by_later(d: Data, k: int) -> bool:
    """Check that what P@k gains comes after the first relevant document.

    k P@k counts relevant documents, and Success@k the first of them; the rest is what comes after
    the first.  It rises while the first falls.
    """
    difference = d.table2["difference"]
    first, both = difference[f"S{k}"], k * difference[f"P{k}"]
    return first < 0 < both - first


def one_way(label: str, right: str, wrong: str) -> Callable[[Data], bool]:
    """Make a check that a measure has significant differences, all of them on one side."""
    return lambda d: d.table2.loc[label, wrong] == 0 < d.table2.loc[label, right]


def losses_without(d: Data) -> bool | str:
    """Check that each measure of the first relevant document has ns of 1 or more."""
    short = [label for label in _OF_FIRST if d.table2.loc[label, "ns"] < 1]
    return not short or (
        f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
        f"{len(_OF_FIRST) - len(short)} measures of the first relevant document 1 or more"
    )


def gs10_loses_most(d: Data) -> bool:
    """Check that GS10 has the most significant losses, less gains, of its family."""
    net = (d.table2["ns"] - d.table2["ps"])[_OF_FIRST]
    return net.drop("GS10").max() < net["GS10"]


def sees_more_harm_than_gmap(d: Data) -> bool:
    """Check that each falls where GMAP rises, and stands before it in the order of Table 2."""
    gain = d.table2["ps"] - d.table2["ns"]
    before = (gain[_OF_FIRST] < gain["GMAP"]).all()
    return bool(before) and mean_falls(*_OF_FIRST)(d) and mean_rises("GMAP")(d)


def most_are_unreported(d: Data) -> bool:
    """Check that more than half of the measures of the first relevant document have no star."""
    return len(set(_OF_FIRST) - set(d.starred)) > len(_OF_FIRST) / 2


def most_hide_harm(d: Data) -> bool:
    """Check that most measures of early precision rise, whichever are meant.

    Precision after 5 to 30 documents, which the paper calls the usual ones; with I0, "the earliest"
    of the interpolated; with S1 and MRR, the "pure" ones, as well.
    """
    rise = d.table2["difference"] > 0
    readings = (_EARLY, [*_EARLY, "I0"], [*_EARLY, "I0", "S1", "MRR"])
    return min(rise[labels].mean() for labels in readings) > 0.5


# Of definitions: no data enter.


def falls_less_than_rr(d: Data) -> bool:
    """Check that each step between the ranks that the paper names, 1 to 3, costs GS10 less.

    Both in points and as a share of what there was.  From rank 4 to 5 RR loses fewer points.
    """
    one, other = of_first("GS10", [1, 2, 3]), of_first("RR", [1, 2, 3])
    points = np.diff(one) > np.diff(other)
    return bool((points & (one[1:] / one[:-1] > other[1:] / other[:-1])).all())


def rounds_to(value: int, ranks: range) -> Callable[[Data], bool]:
    """Make a check that GS10 rounds to a whole number, the first relevant one at these ranks."""
    return lambda d: bool((np.floor(of_first("GS10", ranks) + 0.5) == value).all())


def is_precision_at_1(d: Data) -> bool:
    """Check that Success@1 and P@1 are one number, wherever the only relevant document stands."""
    return bool((of_first("Success@1", range(1001)) == of_first("P@1", range(1001))).all())


def jump_at_the_top(d: Data) -> bool:
    """Check that the step from rank 1 to 2 costs S1 and MRR more than GS10."""
    cost = {name: -np.diff(of_first(name, [1, 2]))[0] for name in ("Success@1", "RR", "GS10")}
    return min(cost["Success@1"], cost["RR"]) > cost["GS10"]


_LABELS = {column: label for label, column in FOUR.items()}
_IN_TABLE_1 = {
    f"{of}-{column}": (of, label) for of in SYSTEM_NAMES for column, label in _LABELS.items()
}
_ROWS: dict[str, Claim] = {
    # Abstract
    "first-relevant-harmed-while-p10-gains": lambda d: (
        first_is_harmed(d) and mean_rises(*_EARLY)(d)
    ),
    "primary-recall-measures-not-originally-reported": most_are_unreported,
    # Section 1
    "hypothesis-mrr-falls": mean_falls("MRR"),
    "hypothesis-s10-falls": mean_falls("S10"),
    "hypothesis-map-rises": mean_rises("MAP"),
    "hypothesis-p10-rises": mean_rises("P10"),
    "hypothesis-primary-recall-falls": mean_falls(*_OF_FIRST),
    "hypothesis-secondary-recall-rises": mean_rises(*_OF_OTHERS),
    # Table 1
    **for_each("{}-difference-is-feedback-minus-base", is_feedback_less_base, _IN_TABLE_1),
    **for_each("mean-{}-difference-equals-table-2", averages_to_table2, _LABELS),
    **for_each("{}-signs-agree-with-table-2", signs_agree, _LABELS),
    "clarit-AP-difference-significant": lambda d: (
        d.table2.loc["MAP", "ps"] == len(SYSTEM_NAMES) and d.poster.loc[("clarit", "MAP")].iloc[1]
    ),
    "clarit-P@10-difference-significant": lambda d: (
        d.poster.loc[("clarit", "P10"), "significant"] or "no star marks it on the poster"
    ),
    "poster-differences-agree": poster_agrees,
    # Table 2
    "counts-sum-to-systems": lambda d: (
        d.table2[list(OUTCOMES)].sum(axis=1) == len(SYSTEM_NAMES)
    ).all(),
    "rows-ordered-by-ps-minus-ns-then-difference": order_is_kept,
    "poster-stars-give-the-counts": lambda d: (stars(d.poster, d.table2)["same"] == "yes").all(),
    # Section 2
    "systems": lambda d: len({row.split()[0] for row in d.table1.index}),
    "difference-is-feedback-less-base": rounding_explains,
    "map-significant-differences-positive": one_way("MAP", "ps", "ns"),
    "p10-significant-differences-positive": one_way("P10", "ps", "ns"),
    "gs10-significant-differences-negative": one_way("GS10", "ns", "ps"),
    "measures": lambda d: len(d.table2),
    "starred-measures": lambda d: len(d.starred),
    "starred-measures-favouring-feedback": lambda d: int(
        (d.table2.loc[list(d.starred), "difference"] > 0).sum()
    ),
    # Section 3
    "precision-at-n-all-higher": mean_rises(*_PRECISIONS),
    "precision-at-n-each-significant-once": lambda d: (d.table2.loc[_PRECISIONS, "ps"] >= 1).all(),
    "s1-declines": mean_falls("S1"),
    "mrr-declines": mean_falls("MRR"),
    "s1-significant-differences-negative": one_way("S1", "ns", "ps"),
    "mrr-significant-differences-negative": one_way("MRR", "ns", "ps"),
    # Few: of fewer than half of the systems.
    "s1-mrr-significant-differences-few": lambda d: (
        number_significant(d)[["S1", "MRR"]] < len(SYSTEM_NAMES) / 2
    ).all(),
    "i0-declines": mean_falls("I0"),
    "i10-rises": mean_rises("I10"),
    **for_each("precision-at-{}-driven-by-later-relevant", driven_by_later, {"5": 5, "10": 10}),
    # Less easily than GS10, the measure that the paper puts in their place.
    "s1-mrr-less-often-significant": lambda d: (
        number_significant(d)[["S1", "MRR"]] < number_significant(d)["GS10"]
    ).all(),
    # Section 4
    "gs10-ns": lambda d: int(d.table2.loc["GS10", "ns"]),
    "gs10-most-significant-losses": lambda d: (
        d.table2.loc["GS10", "ns"] > d.table2["ns"].drop("GS10").max()
    ),
    # Section 5
    "gmap-favours-feedback": mean_rises("GMAP"),
    "gmap-ps": lambda d: int(d.table2.loc["GMAP", "ps"]),
    "primary-recall-ns-at-least-one": losses_without,
    "primary-recall-behaves-as-robustness": sees_more_harm_than_gmap,
    "gs10-behaves-most-as-robustness": gs10_loses_most,
    # Conclusion
    "feedback-harms-single-item-search": first_is_harmed,
    "common-early-precision-hides-harm": most_hide_harm,
    # Definitions, and how something is counted or printed: no data enter
    # Section 2
    "alpha": 100 * ALPHA,
    "difference-decimals": decimals,
    "trec-eval-measures": len(set(MEASURES) - {"GS10", *_SUCCESS}),
    "success-measures": len(_SUCCESS),
    # Section 3
    "s1-equals-precision-at-1": is_precision_at_1,
    "s1-mrr-jump-at-the-top": jump_at_the_top,
    # Section 4
    "gs10-base": GS10_BASE,
    "gs10-zero-when-nothing-relevant": lambda d: of_first("GS10", [0])[0] == 0,
    **for_each("gs10-rank-{}", lambda _, k: of_first("GS10", [k])[0], {"1": 1, "2": 2, "3": 3}),
    "gs10-falls-slower-than-rr": falls_less_than_rr,
    "gs10-rounds-to-1-through-rank-10": rounds_to(1, range(1, 11)),
    "gs10-rounds-to-0-beyond-rank-10": rounds_to(0, range(11, 1001)),
    "gs10-steps-shrink": lambda d: bool((np.diff(of_first("GS10", range(1, 1001)), n=2) > 0).all()),
}

CLAIMS = Claims(data=Data, rows=_ROWS, population="TREC-8")
