"""What was judged: how deep a collection can be asked, and what is left when judgements go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lib import pandas_later as pd
from lib.collection.collection import Collection
from lib.errors import InputError

# The depths that Webber, Moffat and Zobel 2010 ask for.
POOLS = (5, 10, 20, 50, 100)
DEPTHS = (5, 10, 20, 50, 100, 200, 500, 1000)

# How bad TREC-8's own data are at the greatest depths of the paper, 100 and 1000, and no worse.
_UNJUDGED = 0.03
_LISTS = 0.95


def limits(
    collection: Collection,
    *,
    depths: Sequence[int] = DEPTHS,
    unjudged: float = _UNJUDGED,
    lists: float = _LISTS,
) -> pd.DataFrame:
    """Return at which pool and evaluation depths a collection can answer the paper's question.

    A pool of depth d can be simulated when what stands in the lists down to d was judged, and an
    evaluation to depth k says something when the lists are that long.

    Parameters
    ----------
    collection : Collection
        Not re-pooled.
    depths : sequence of int
        Depths to ask for, 1 or more, in ranks.
    unjudged : float
        Highest share of unjudged documents, in [0, 1]; the default is that of TREC-8 at depth 100,
        rounded up.
    lists : float
        Lowest share of lists that are long enough, in [0, 1]; the default is that of TREC-8 at
        depth 1000, rounded down.

    Returns
    -------
    DataFrame, index depth
        Columns unjudged: share of the documents down to the last relevant one within the depth
        that are unjudged (below it no hits are known); lists: share of lists as long; pool and
        evaluation: whether the depth can be asked for.

    Raises
    ------
    ValueError
        The collection was pooled again: how deep it was judged is no longer known.

    References
    ----------
    Webber, Moffat and Zobel, The effect of pooling and evaluation depth on metric stability, EVIA
    2010.

    Examples
    --------
    >>> lists = {"t": ["a", "b", "r", "c", "d"]}
    >>> toy = Collection.from_rankings({"A": lists}, {"t": {"r": 1, "a": 0}})
    >>> limits(toy, depths=[1, 5, 10]).round(3)
           unjudged  lists   pool  evaluation
    depth
    1         0.000    1.0   True        True
    5         0.333    1.0  False        True
    10        0.333    0.0  False       False
    """
    hits = collection.relevance()
    if hits.nonrelevant is None:
        raise ValueError(f"{collection.name}: pooled again; how deep it was judged is unknown")
    rows = []
    for depth in depths:
        unknown, known = hits.unjudged(depth)
        share = unknown.sum() / max(known.sum(), 1)
        rows.append((share, (collection.retrieved >= depth).mean()))
    table = pd.DataFrame(rows, columns=["unjudged", "lists"], index=pd.Index(depths, name="depth"))
    return table.assign(pool=table["unjudged"] <= unjudged, evaluation=table["lists"] >= lists)


def askable(
    collection: Collection,
    *,
    pools: Sequence[int] | None = None,
    depths: Sequence[int] | None = None,
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the pool and evaluation depths to compute; refuse what a collection cannot answer.

    By default they are those of :data:`POOLS` and :data:`DEPTHS` that it can answer for.

    Examples
    --------
    >>> lists = {"t": ["r", "a", "b", "c", "d"]}
    >>> toy = Collection.from_rankings({"A": lists}, {"t": {"r": 1, "a": 0}})
    >>> askable(toy, pools=[2])
    ([2], [5])
    >>> askable(toy, pools=[2], depths=[10])
    Traceback (most recent call last):
        ...
    lib.errors.InputError: toy: no evaluation to depth 10: only 0.0% of the lists are that long, \
fewer than 95.0%
    """
    every = sorted({*(POOLS if pools is None else pools), *(DEPTHS if depths is None else depths)})
    table = limits(collection, depths=every)
    pools = _able(table["pool"], POOLS) if pools is None else pools
    depths = _able(table["evaluation"], DEPTHS) if depths is None else depths
    for depth in pools:
        if not table.loc[depth, "pool"]:
            raise InputError(
                f"{collection.name}: no pool of depth {depth}: {table.loc[depth, 'unjudged']:.1%} "
                f"of the documents down to there were never judged, more than {_UNJUDGED:.1%}; "
                "judge further"
            )
    for depth in depths:
        if not table.loc[depth, "evaluation"]:
            raise InputError(
                f"{collection.name}: no evaluation to depth {depth}: only {table.lists[depth]:.1%} "
                f"of the lists are that long, fewer than {_LISTS:.1%}"
            )
    return pools, depths


def _able(able: Mapping[int, bool], depths: Sequence[int]) -> Sequence[int]:
    """Keep the depths that can be asked for, or else the first, to be refused."""
    return [depth for depth in depths if able[depth]] or depths[:1]


def judged_of(collection: Collection, purpose: str) -> pd.DataFrame:
    """Return the judged non-relevant documents in the lists, or say that they are not known.

    Examples
    --------
    >>> toy = Collection.from_rankings({"A": {"t": ["n", "r"]}}, {"t": {"r": 1, "n": 0}})
    >>> judged_of(toy, "counting them")
    Traceback (most recent call last):
        ...
    ValueError: toy: counting them needs the judged non-relevant documents; derive the \
collection with --judged and load it with judged=True
    """
    if collection.judged is None:
        raise ValueError(
            f"{collection.name}: {purpose} needs the judged non-relevant documents; derive the "
            "collection with --judged and load it with judged=True"
        )
    return collection.judged


def left_unjudged(
    collection: Collection, relevant: np.ndarray, judged: np.ndarray, *others: pd.DataFrame
) -> pd.DataFrame:
    """Return the documents that stay in the pool without a judgement when some lose theirs.

    The masks say it for each row of ``collection.relevant`` and of ``collection.judged``; the
    others are tables like ``collection.unsampled``.  :meth:`Collection.rejudged` takes the result.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["n", "u", "r"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> left_unjudged(toy, np.array([True]), np.array([True]))["rank"].tolist()
    [1, 3]
    """
    columns = ["topic", "system", "rank", "document"]
    gone = collection.relevant.loc[relevant, ["topic", "document"]]
    parts = [
        collection.hits.merge(gone, on=["topic", "document"]),
        judged_of(collection, "removing judgements")[judged],
        *others,
    ]
    # Each kind was numbered by itself: of all together none has the number of another.
    table = pd.concat(
        part[columns].assign(document=len(parts) * part["document"] + kind)
        for kind, part in enumerate(parts)
    )
    # Each part is in order: a stable sort by one number makes use of that.
    cell = table["topic"].to_numpy(np.int64) * len(collection.systems) + table["system"].to_numpy()
    order = np.argsort(cell << 32 | table["rank"].to_numpy(), kind="stable")
    return table.iloc[order].reset_index(drop=True)
