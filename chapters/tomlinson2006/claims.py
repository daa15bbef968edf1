"""What the paper says, each number and sentence as a quantity of its printed tables.

No table cell can be computed, since the runs are not public.  A claim that follows from printed
numbers is checked on these: it says that the paper agrees with itself, and counts apart.  Printed
means have no error over topics that could be known; where a sentence speaks of significance, the
printed counts are asked.  ``data/published/tomlinson2006.csv`` says which sentence asks what.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import pandas as pd

from chapters.ledger.published import half_digit, printed, read_published
from chapters.tomlinson2006 import tables
from chapters.tomlinson2006.tables import FOUR, MEASURE_FAMILIES, SYSTEM_NAMES, stars
from lib.measures import GS10_BASE
from lib.statistics.impact import OUTCOMES

_EARLY = ["P5", "P10", "P15", "P20", "P30"]  # the paper: precision of the first 5 to 30 documents
_OF_FIRST = list(MEASURE_FAMILIES["the first relevant document"])
_HALF_DIGIT = half_digit("0.000") + 1e-9  # of a digit of Tables 1 and 2


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


# Table 2: what rises and what falls, and for how many systems significantly


def mean_change(d: Data, *measures: str) -> pd.Series:
    """Return the mean differences of measures, or of families of them, in Table 2."""
    named = [label for one in measures for label in MEASURE_FAMILIES.get(one, [one])]
    return d.table2.loc[named, "difference"]


def significant(d: Data, side: str, *measures: str) -> pd.Series:
    """Return for how many systems measures fall (ns) or rise (ps) significantly."""
    return d.table2.loc[list(measures), side]


def number_significant(d: Data, side: str, measure: str) -> int:
    """Return for how many systems one measure does."""
    return int(d.table2.loc[measure, side])


def one_way(d: Data, measure: str, right: str, wrong: str) -> bool:
    """Whether a measure has significant differences, all of them on one side."""
    return bool(d.table2.loc[measure, wrong] == 0 < d.table2.loc[measure, right])


def either_way(d: Data, *measures: str) -> pd.Series:
    """Return for how many systems measures change significantly, either way."""
    return (d.table2["ns"] + d.table2["ps"])[list(measures)]


def either_way_below(d: Data, other: str, *measures: str) -> pd.Series:
    """Return for how many more systems another measure does."""
    return either_way(d, other).item() - either_way(d, *measures)


def losses_beyond_others(d: Data, measure: str) -> pd.Series:
    """Return how many more systems lose a measure significantly than each other measure."""
    return d.table2.loc[measure, "ns"] - d.table2["ns"].drop(measure)


def first_is_harmed(d: Data) -> bool:
    """Whether by all measures of the first relevant document the mean falls.

    And by some a system loses significantly, while none gains so.
    """
    ns, ps = d.table2.loc[_OF_FIRST, ["ns", "ps"]].sum()
    return bool((mean_change(d, *_OF_FIRST) < 0).all() and ps == 0 < ns)


def first_is_harmed_and_early_gains(d: Data) -> bool:
    """Whether that is so while every measure of early precision rises."""
    return first_is_harmed(d) and bool((mean_change(d, *_EARLY) > 0).all())


def share_unreported(d: Data) -> float:
    """Return the share of the measures of the first relevant document that have no star."""
    return len(set(_OF_FIRST) - set(d.starred)) / len(_OF_FIRST)


def driven_by_later(d: Data, k: int) -> bool:
    """Whether what P@k gains comes after the first relevant document.

    k P@k counts relevant documents, and Success@k the first of them; the rest is what comes after
    the first.  It rises while the first falls.
    """
    difference = d.table2["difference"]
    first, both = difference[f"S{k}"], k * difference[f"P{k}"]
    return bool(first < 0 < both - first)


def losses_without(d: Data) -> bool | str:
    """Whether each measure of the first relevant document has ns of 1 or more."""
    short = [label for label in _OF_FIRST if d.table2.loc[label, "ns"] < 1]
    return not short or (
        f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
        f"{len(_OF_FIRST) - len(short)} measures of the first relevant document 1 or more"
    )


def net_losses_beyond_others(d: Data, measure: str) -> pd.Series:
    """Return how many more significant losses, less gains, it has than the rest of its family."""
    net = (d.table2["ns"] - d.table2["ps"])[_OF_FIRST]
    return net[measure] - net.drop(measure)


def sees_more_harm_than_gmap(d: Data) -> bool:
    """Whether each falls where GMAP rises, and stands before it in the order of Table 2."""
    gain = d.table2["ps"] - d.table2["ns"]
    falls, rises = mean_change(d, *_OF_FIRST) < 0, mean_change(d, "GMAP") > 0
    return bool((gain[_OF_FIRST] < gain["GMAP"]).all() and falls.all() and rises.all())


def share_that_hides_harm(d: Data) -> float:
    """Return the share of the measures of early precision that rise, whichever are meant.

    Precision after 5 to 30 documents, which the paper calls the usual ones; with I0, "the earliest"
    of the interpolated; with S1 and MRR, the "pure" ones, as well.
    """
    rise = d.table2["difference"] > 0
    readings = (_EARLY, [*_EARLY, "I0"], [*_EARLY, "I0", "S1", "MRR"])
    return min(rise[labels].mean() for labels in readings)


# How the printed numbers agree


def of_systems(d: Data, row: str) -> pd.DataFrame:
    """Return one row of each system in Table 1, a column a measure as Table 2 calls it."""
    rows = d.table1.loc[[f"{system} {row}" for system in SYSTEM_NAMES]]
    return rows.set_axis(SYSTEM_NAMES).set_axis(list(FOUR), axis=1)


def feedback_less_base(d: Data) -> pd.DataFrame:
    """Return the differences of the printed means of Table 1, systems x measures."""
    return of_systems(d, "feedback") - of_systems(d, "base")


def is_feedback_less_base(d: Data, system: str, measure: str) -> bool | str:
    """Check the difference that Table 1 prints of a system and measure on the two means beside."""
    difference = of_systems(d, "difference").loc[system, measure]
    own = round(feedback_less_base(d).loc[system, measure], 3)
    return bool(own == difference) or (
        f"printed {difference:.3f}; the printed means differ by {own:.3f}, as rounding before "
        "subtracting may do"
    )


def averages_to_table2(d: Data, measure: str) -> bool | str:
    """Check the mean of the seven differences of Table 1 on that of Table 2."""
    average = of_systems(d, "difference")[measure].mean()
    off = abs(average - d.table2.loc[measure, "difference"])
    return bool(off <= _HALF_DIGIT) or f"the seven average {average:.4f}"


def signs_agree(d: Data, measure: str) -> bool | str:
    """Check the signs of Table 1 on the counts of Table 2."""
    sign = np.sign(of_systems(d, "difference")[measure])
    three = [int((sign == side).sum()) for side in (-1, 0, 1)]
    ns, no, z, po, ps = d.table2.loc[measure, list(OUTCOMES)]
    return three == [ns + no, z, po + ps] or f"negative, zero, positive: {three}"


def rounding_explains(d: Data) -> bool:
    """Check that each difference of Table 1 is that of the two means, as far as they are known.

    Each mean is half a digit off at most, and their difference is rounded only afterwards.
    """
    off = feedback_less_base(d) - of_systems(d, "difference")
    return bool((off.abs() <= 2 * _HALF_DIGIT).all(axis=None))


def significant_on_poster(d: Data, system: str, measure: str) -> bool | str:
    """Check that the poster marks a difference as significant."""
    return bool(d.poster.loc[(system, measure), "significant"]) or "no star marks it on the poster"


def significant_everywhere(d: Data, system: str, measure: str) -> bool:
    """Check that Table 2 counts all systems, and that the poster marks this one."""
    counted = d.table2.loc[measure, "ps"] == len(SYSTEM_NAMES)
    return bool(counted) and significant_on_poster(d, system, measure) is True


def poster_agrees(d: Data) -> bool:
    """Check the poster's differences, to two decimals, on those of Table 1."""
    poster = d.poster["difference"].astype(float).unstack("measure")[list(FOUR)]
    off = poster - of_systems(d, "difference")
    return bool((off.abs() <= half_digit("0.00") + 1e-9).all(axis=None))


def counts_sum_to_systems(d: Data) -> bool:
    """Check that the five counts of each row of Table 2 are all systems."""
    return bool((d.table2[list(OUTCOMES)].sum(axis=1) == len(SYSTEM_NAMES)).all())


def order_is_kept(d: Data) -> bool:
    """Check that the rows of Table 2 rise by ps less ns, and then by difference."""
    key = list(zip(d.table2["ps"] - d.table2["ns"], d.table2["difference"]))
    return key == sorted(key)


def stars_give_counts(d: Data) -> bool:
    """Check the counts of Table 2 on the stars of the poster."""
    return bool((stars(d.poster, d.table2)["same"] == "yes").all())


def number_of_systems(d: Data) -> int:
    """Return the number of systems in Table 1."""
    return len({row.split()[0] for row in d.table1.index})


def number_of_measures(d: Data) -> int:
    """Return the number of measures in Table 2."""
    return len(d.table2)


def number_starred(d: Data) -> int:
    """Return the number of measures with a star."""
    return len(d.starred)


def starred_that_rise(d: Data) -> int:
    """Return the number of measures with a star whose mean rises."""
    return int((mean_change(d, *d.starred) > 0).sum())


def gs10_at(_: Data, rank: int) -> float:
    """Return GS10 with the first relevant document at a rank."""
    return GS10_BASE ** (1 - rank)
