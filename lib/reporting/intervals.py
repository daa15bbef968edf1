"""Intervals over topics for tables of the papers: each computed again without some topics."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display import tables
from lib.display.prose import estimate
from lib.errors import InputError
from lib.published import square
from lib.statistics.jackknife import grouped, groups

__all__ = ["LEAST", "OverTopics", "with_bounds"]

NUMBER, TIMES, SEED = 5, 2, 2012  # fifths of the topics, of two random partings: ten computations
LEAST = 10  # topics: with fewer, fifths have one or none


class OverTopics:
    """Computes tables again on the collection without each fifth of its topics.

    Parameters
    ----------
    collection : Collection
        With ten topics or more.
    """

    def __init__(self, collection: Collection) -> None:
        if len(collection.topics) < LEAST:
            raise InputError(f"intervals need {LEAST} topics or more, not {len(collection.topics)}")
        self.collection = collection

    @cached_property
    def parts(self) -> list[list[Collection]]:
        """The collection without each group of topics, parting by parting."""
        topics = self.collection.topics.index
        rng = np.random.default_rng(SEED)
        return [
            [self.collection.select(topics=topics.delete(group)) for group in parting]
            for parting in groups(len(topics), number=NUMBER, times=TIMES, rng=rng)
        ]

    def bounds(
        self, compute: Callable[[Collection], pd.DataFrame], cells: pd.DataFrame
    ) -> pd.DataFrame:
        """Return cells with the ends of their 95% intervals over topics, columns low and high.

        By the grouped jackknife (:func:`lib.statistics.jackknife.grouped`); NaN where a value is no
        number, or is not defined without some topics.

        Parameters
        ----------
        compute : callable
            From a collection to cells.
        cells : DataFrame
            What it gave for the whole one.
        """
        keys = pd.MultiIndex.from_frame(cells[["row", "column"]])

        alone = cells["column"].iloc[0] if cells["column"].nunique() == 1 else None

        def values(found):
            if alone is not None:  # it may be named after the collection, and a part otherwise
                found = found.assign(column=alone)
            numbers = pd.to_numeric(found["value"], errors="coerce").to_numpy(float)
            index = pd.MultiIndex.from_frame(found[["row", "column"]])
            return pd.Series(numbers, index).reindex(keys).to_numpy()

        try:
            left_out = [[values(compute(part)) for part in parting] for parting in self.parts]
        except InputError:
            return cells.assign(low=np.nan, high=np.nan)
        found = grouped(values(cells), left_out, topics=len(self.collection.topics))
        return cells.assign(low=found.low, high=found.high)


def with_bounds(cells: pd.DataFrame) -> tables.Table | None:
    """Return cells with their intervals as a table; None where no cell has one."""
    if cells["low"].isna().all():
        return None
    texts = [
        estimate(float(value), low, high) if low == low else tables.DASH
        for value, low, high in cells[["value", "low", "high"]].to_numpy()
    ]
    return tables.table(
        square(cells.assign(value=texts)),
        missing="",
        caption="From this collection; behind \u00b1 half the 95% interval over topics, by the "
        "grouped jackknife: the table computed again without each fifth of the topics, "
        f"{TIMES} partings.",
    )
