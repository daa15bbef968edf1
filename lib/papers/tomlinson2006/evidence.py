"""What the claims are checked on: the paper's printed numbers and those of its poster.

Nothing here comes from systems of our own: what these show settles nothing that the paper says of
its runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import scores
from lib.papers.tomlinson2006.printed import EARLY, FAMILIES, SYSTEMS, poster
from lib.published import printed, read

__all__ = ["Evidence", "of_first"]


def of_first(measure: str, ranks: Sequence[int | None]) -> np.ndarray:
    """Score lists by the rank of their only relevant document (None: not found).

    >>> of_first("GS10", [1, 2, None]).round(3)
    array([1.   , 0.926, 0.   ])
    """
    # Names in bytes, made once: a thousand long lists are half a million documents.
    others = [b"x%d" % i for i in range(max(rank or 0 for rank in ranks))]
    lists = {
        f"{number:04}": [*others[: rank - 1], b"r"] if rank else []
        for number, rank in enumerate(ranks)
    }
    collection = Collection.from_rankings({"A": lists}, {topic: {b"r": 1} for topic in lists})
    return scores(collection, measure)["A"].to_numpy()


@dataclass(eq=False)
class Evidence:
    """The printed numbers, and what follows from them.

    Attributes
    ----------
    printed1, printed2 : DataFrame of str
        Tables 1 and 2 as printed.
    starred : sequence of str
        Labels of the measures that Table 2 stars: those on the site of the RIA workshop.
    poster : DataFrame
        As of :func:`lib.papers.tomlinson2006.printed.poster`.
    """

    printed1: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 1"))
    printed2: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 2"))
    starred: Sequence[str] = field(
        default_factory=lambda: list(read("tomlinson2006").query("column == 'starred'")["row"])
    )
    poster: pd.DataFrame = field(default_factory=poster)

    @cached_property
    def table1(self) -> pd.DataFrame:
        """Table 1 in numbers."""
        return self.printed1.astype(float)

    @cached_property
    def table2(self) -> pd.DataFrame:
        """Table 2 in numbers."""
        return self.printed2.astype(float)

    @property
    def difference(self) -> pd.Series:
        """The mean differences of Table 2."""
        return self.table2["difference"]

    @property
    def significant(self) -> pd.Series:
        """How many systems each measure finds significantly different, either way."""
        return self.table2["ns"] + self.table2["ps"]

    @cached_property
    def system_differences(self) -> pd.DataFrame:
        """The differences of Table 1 (systems x measures)."""
        rows = self.table1.loc[[f"{system} difference" for system in SYSTEMS]]
        return rows.set_axis(list(SYSTEMS))

    @cached_property
    def primary_recall(self) -> pd.DataFrame:
        """The rows of Table 2 that look at the first relevant document."""
        return self.table2.loc[list(FAMILIES["the first relevant document"])]

    @cached_property
    def secondary_recall(self) -> pd.DataFrame:
        """The rows of Table 2 that mostly look at further relevant documents."""
        families = ("precision at a depth", "the whole list")
        return self.table2.loc[[label for family in families for label in FAMILIES[family]]]

    @property
    def first_sinks(self) -> bool:
        """Whether all measures of the first relevant document fall on average."""
        return bool((self.primary_recall["difference"] < 0).all())

    @property
    def first_is_harmed(self) -> bool:
        """Whether they fall, some system loses by them significantly, and none gains so."""
        significant = self.primary_recall[["ns", "ps"]].sum()
        return self.first_sinks and bool(significant["ps"] == 0 < significant["ns"])

    @property
    def early_precision(self) -> pd.Series:
        """The mean differences of precision after the first 5 to 30 documents."""
        return self.difference[list(EARLY)]

    @cached_property
    def precisions(self) -> pd.DataFrame:
        """The rows of Table 2 with precision at a depth."""
        return self.table2.loc[[label for label in self.table2.index if label[0] == "P"]]
