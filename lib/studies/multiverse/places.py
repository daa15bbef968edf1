"""Where three papers print numbers: how many of them each analysis path through a place matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.collection import Collection, load
from lib.paper import Choice, options, paths
from lib.papers.thom2007 import tables as thom2007
from lib.papers.webber2008 import tables as webber2008
from lib.papers.webber2010 import choices as webber2010
from lib.published import REPRODUCED, SAMPLING, compare
from lib.studies.committed import read
from lib.tasks import task


@dataclass(frozen=True)
class Place:
    """A place of a paper that prints numbers, and the choices that play a part in it."""

    paper: str
    name: str
    choices: Sequence[Choice]
    cells: Callable[..., pd.DataFrame]  # from a path's options to its printed numbers, as cells

    @property
    def table(self) -> str:
        """The name of its table in ``data/multiverse``."""
        return f"{self.paper}-{self.name.lower().replace(' ', '-')}"

    def paths(self) -> pd.DataFrame:
        """Return all paths through it with the printed numbers that each matches, as committed.

        Examples
        --------
        >>> len(place("webber2010", "Table 2").paths())
        1024
        """
        return read("multiverse", f"{self.table}.parquet")


@cache
def _trec8(scores: str) -> Collection:
    collection = load("trec8")
    return collection if scores == "double" else webber2010.in_single_precision(collection)


def _of_webber2008(*, scores: str, **made: Any) -> pd.DataFrame:
    return webber2008.along(_trec8(scores), **made)


def _of_webber2010(name: str, **made: Any) -> pd.DataFrame:
    return webber2010.along(_trec8("double"), name, **made)


PLACES = (
    Place("webber2008", "Table 1", webber2008.CHOICES, _of_webber2008),
    Place("thom2007", "Table 1", thom2007.CHOICES, thom2007.along),
    *(
        Place("webber2010", name, choices, partial(_of_webber2010, name))
        for name, choices in webber2010.CHOICES.items()
    ),
)


def place(paper: str, name: str) -> Place:
    """Return a place of a paper."""
    return next(found for found in PLACES if (found.paper, found.name) == (paper, name))


def matched(given: Place, labels: dict[str, str]) -> tuple[int, int]:
    """Return how many printed numbers of a place a path computes, and how many it matches.

    Examples
    --------
    >>> of = place("thom2007", "Table 1")
    >>> matched(of, paths(of.choices).iloc[0].to_dict())
    (2, 2)
    """
    found = compare(given.paper, given.name, given.cells(**options(given.choices, labels)))
    numbers = found[found["published"] != "yes"]
    return len(numbers), int(numbers["verdict"].isin([REPRODUCED, SAMPLING]).sum())


def along(given: Place, some: pd.DataFrame | None = None) -> pd.DataFrame:
    """Follow all paths through a place, or some: the choices, ``cells`` and ``matched``."""
    some = paths(given.choices) if some is None else some
    tasks = [task(matched, given, labels) for labels in some.to_dict("records")]
    done = tqdm(Parallel(return_as="generator")(tasks), total=len(tasks), disable=None)
    found = pd.DataFrame(list(done), columns=["cells", "matched"], index=some.index)
    return some.join(found)


def otherwise(paper: str) -> pd.DataFrame:
    """Return what each place of a paper matches when one choice is made otherwise: a row a place.

    Index choice, matching, otherwise and place; columns ``matched``; ``alone``, the numbers so lost
    with all else as on the leading path; ``mean``, those on average over all paths, all else equal.
    """
    index = ["choice", "matching", "otherwise", "place"]
    rows = []
    for given in (given for given in PLACES if given.paper == paper):
        table, leading = given.paths(), paths(given.choices).iloc[0]
        for choice in given.choices:
            kept, ours = leading.drop(choice.name), leading[choice.name]
            near = table[(table[kept.index] == kept).all(axis=1)].set_index(choice.name)["matched"]
            means = table.groupby(choice.name)["matched"].mean()
            for label in near.index.drop(ours):
                lost = near[ours] - near[label], means[ours] - means[label]
                rows.append((choice.name, ours, label, given.name, near[label], *lost))
    return pd.DataFrame(rows, columns=[*index, "matched", "alone", "mean"]).set_index(index)
