"""What the chapter shows in place of a table that the collection at hand has no answer for."""

from collections.abc import Sequence

from lib.collection import Collection, askable
from lib.display.tables import Note

__all__ = ["not_own", "refused"]


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
