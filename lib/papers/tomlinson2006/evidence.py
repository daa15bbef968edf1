"""What the claims are checked on: the paper's printed numbers, its poster, the equation of GS10.

Our own systems enter in two places only, and settle nothing that the paper says of its runs: that
Success@1 is P@1 on any list, and the cause of a claim that cannot be checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import generalized_success, scores
from lib.papers.tomlinson2006.printed import FAMILIES, SYSTEMS, poster
from lib.papers.tomlinson2006.replication import PAIRS, ours
from lib.published import printed, read
from lib.statistics.impact import paired_scores

__all__ = ["Evidence", "gs10"]


def gs10(ranks: Sequence[int | None]) -> np.ndarray:
    """Return GS10 of lists whose first relevant document has these ranks (None: not found).

    >>> gs10([1, 2, None]).round(3)
    array([1.   , 0.926, 0.   ])
    """
    lists = {
        f"{number:04}": [f"x{i}" for i in range((rank or 1) - 1)] + (["r"] if rank else [])
        for number, rank in enumerate(ranks)
    }
    collection = Collection.from_rankings({"A": lists}, {topic: {"r": 1} for topic in lists})
    return generalized_success(collection)["A"].to_numpy()


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
    collections : sequence of Collection
        With the runs of our systems.
    pairs : sequence of (str, str, str)
        System, base run, feedback run.
    """

    printed1: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 1"))
    printed2: pd.DataFrame = field(default_factory=lambda: printed("tomlinson2006", "Table 2"))
    starred: Sequence[str] = field(
        default_factory=lambda: list(read("tomlinson2006").query("column == 'starred'")["row"])
    )
    poster: pd.DataFrame = field(default_factory=poster)
    collections: Sequence[Collection] = field(default_factory=ours)
    pairs: Sequence[tuple[str, str, str]] = PAIRS

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

    @property
    def first_sinks(self) -> bool:
        """Whether all these measures fall."""
        return bool((self.primary_recall["difference"] < 0).all())

    @cached_property
    def precisions(self) -> pd.DataFrame:
        """The rows of Table 2 with precision at a depth."""
        return self.table2.loc[[label for label in self.table2.index if label[0] == "P"]]

    @cached_property
    def gs10(self) -> np.ndarray:
        """GS10 when the first relevant document stands at rank 1, 2, ... 1000."""
        return gs10(range(1, 1001))

    @cached_property
    def worst_topics(self) -> float:
        """Mean change in AP of each of our systems' poorest quarter of topics, by base AP."""
        before, after = paired_scores(self.collections, self.pairs, "AP")
        poorest = before.rank(method="first") <= len(before) // 4
        return (after - before).where(poorest).mean().mean()

    @cached_property
    def success_is_precision_at_1(self) -> bool:
        """Whether Success@1 and P@1 are the same on every list of ours."""
        return all(
            bool((scores(collection, "Success@1") == scores(collection, "P@1")).all(axis=None))
            for collection in self.collections
        )
