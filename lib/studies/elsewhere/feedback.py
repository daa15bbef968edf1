"""What blind feedback does to runs of other years: pairs without and with it."""

from collections.abc import Iterator, Sequence

import pandas as pd

from lib.collection import Collection, Pairs
from lib.measures import asked_of
from lib.papers.tomlinson2006.robustness import TREC8_PAIRS
from lib.papers.tomlinson2006.tables import COLLECTIONS, COUNTER_EXAMPLES, effects, ours
from lib.papers.tomlinson2006.tables import PAIRS as OWN_PAIRS
from lib.studies.sources import Source

MEASURES = ("AP", "P@10", "RR", "GS10")

# Runs of the same group that their tags set apart by feedback alone: axiomatic, by pseudo-relevance
# and by relevance model, each over BM25; the groups' papers say no more.
PAIRS: dict[str, Pairs] = {
    "trec8": TREC8_PAIRS,
    "dl19": [
        (f"{base}, {feedback}", f"{base}_p", f"{base}_{feedback}_p")
        for base in ("bm25base", "bm25tuned")
        for feedback in ("ax", "prf", "rm3")
    ],
    "dl21": [
        ("p_bm25, rm3", "p_bm25", "p_bm25rm3"),
        ("paug_bm25, rm3", "paug_bm25", "paug_bm25rm3"),
    ],
}
OWN = {f"feedback/{name}": title for name, title in (COLLECTIONS | COUNTER_EXAMPLES).items()}


def changes(source: Source, measure: str) -> Iterator[tuple[str, pd.Series]]:
    """Yield the mean change over a source's pairs, and that of each pair."""
    assert source.collection is not None
    pairs = PAIRS[source.name]
    yield "", _of(source.collection, pairs, measure)
    for pair in pairs:
        yield pair[0], _of(source.collection, [pair], measure)


def own_systems(folder: str, measure: str) -> pd.Series:
    """Return the mean change over our own seven systems on a collection of texts.

    Examples
    --------
    >>> own_systems("feedback/cf", "AP")["difference"].round(3).item()
    0.035
    """
    (collection,) = ours(folder.rpartition("/")[2])
    return _of(collection, OWN_PAIRS, measure)


def _of(collection: Collection, pairs: Sequence, measure: str) -> pd.Series:
    return effects(collection, pairs, asked_of(collection, [measure])).loc[measure]
