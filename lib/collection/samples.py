"""A collection with fewer judgements than it has: what may lose its own, and what is left then."""

import numpy as np
import pandas as pd

from lib.collection.collection import Collection

__all__ = ["judged_of", "left_unjudged"]


def judged_of(collection: Collection, purpose: str) -> pd.DataFrame:
    """Return the judged non-relevant documents in the lists, or say that they are not known.

    Parameters
    ----------
    collection : Collection
    purpose : str
        What needs them, as the message begins.

    Raises
    ------
    ValueError
        They were not kept, or not loaded.

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

    Parameters
    ----------
    collection : Collection
        With its judged non-relevant documents.
    relevant : ndarray of bool
        For each row of ``collection.relevant``, whether the document loses its judgement.
    judged : ndarray of bool
        The same for each row of ``collection.judged``.
    *others : DataFrame
        Tables like ``collection.unsampled``: documents that had none before.

    Returns
    -------
    DataFrame
        What :meth:`lib.collection.Collection.rejudged` takes as ``unsampled``.

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
