"""What the chapter shows in place of a table that the collection at hand has no answer for."""

from collections.abc import Sequence

import pandas as pd

from lib.collection import Collection, askable, load
from lib.display.tables import Note
from lib.papers.webber2010.others import robust
from lib.papers.webber2010.tables import table1
from lib.published import compare

__all__ = ["not_own", "other_columns", "refused"]


def other_columns() -> pd.DataFrame:
    """Set what is public of Table 1's other collections beside the print.

    Returns
    -------
    DataFrame
        As of :func:`lib.published.compare`: TREC-5's column, and two cells of Robust 2004's.

    Examples
    --------
    >>> other_columns()["verdict"].value_counts().to_dict()
    {'reproduced': 7, 'differs': 1}
    """
    ours = pd.concat([table1(load("trec5")), robust()], ignore_index=True)
    return compare("webber2010", "Table 1", ours, own=True)


def refused(
    collection: Collection, *, pools: Sequence[int] = (), depths: Sequence[int] = ()
) -> Note | None:
    """Return why a collection has no answer for pools or evaluations of some depths, if so.

    >>> from lib import load
    >>> refused(load("trec8"), pools=[100]) is None
    True
    >>> refused(load("trec-covid"), pools=[100])
    trec-covid: no pool of depth 100: 36.3% of the documents down to there were never judged, \
more than 3.0%
    """
    try:
        askable(collection, pools=pools, depths=depths)
    except ValueError as error:
        return Note(str(error))
    return None


def not_own(collection: Collection, own: bool, what: str) -> Note | None:
    """Return a sentence where something is known of the paper's own data only."""
    return None if own else Note(f"{what}: of the paper's own data; this is {collection.title}.")
