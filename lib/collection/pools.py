"""What a pool of top ranks holds: which documents, from which depth on."""

import numpy as np
import pandas as pd

__all__ = ["above", "entries", "in_pool"]


def entries(hits: pd.DataFrame, row: np.ndarray, members: np.ndarray, size: int) -> np.ndarray:
    """Return the shallowest rank at which a member of a pool found each relevant document.

    Parameters
    ----------
    hits : DataFrame
        Of a collection.
    row : ndarray of int, shape (hits,)
        Which of the ``size`` relevant documents each hit is.
    members : ndarray of bool, shape (systems,)
        The systems that the pool is made from.
    size : int

    Returns
    -------
    ndarray of int, shape (size,)
        2**31 - 1 for a document that no member found.
    """
    entry = np.full(size, np.iinfo(np.int32).max)
    pooled = members[hits["system"]]
    np.minimum.at(entry, row[pooled], hits["rank"].to_numpy(int)[pooled])
    return entry


def in_pool(judged: pd.DataFrame, members: np.ndarray, depth: int) -> pd.DataFrame:
    """Keep the judged non-relevant documents that a member has within the depth.

    Parameters
    ----------
    judged : DataFrame
        Of a collection.
    members : ndarray of bool, shape (systems,)
    depth : int
    """
    inside = judged[members[judged["system"]] & (judged["rank"] <= depth)]
    pool = inside[["topic", "document"]].drop_duplicates()
    return judged.merge(pool, on=["topic", "document"], how="inner")


def above(hits: pd.DataFrame, judged: pd.DataFrame, systems: int) -> np.ndarray:
    """Count the judged non-relevant documents that stand above each hit in its list.

    Parameters
    ----------
    hits, judged : DataFrame
        Of a collection, in its order.
    systems : int
        How many systems the collection has.
    """
    width = 1 + max(hits["rank"].max(), judged["rank"].max()) if len(hits) and len(judged) else 1

    def key(table, rank):
        cell = table["topic"].to_numpy(np.int64) * systems + table["system"].to_numpy()
        return cell * width + rank

    ranks = key(judged, judged["rank"].to_numpy())
    return np.searchsorted(ranks, key(hits, hits["rank"].to_numpy())) - np.searchsorted(
        ranks, key(hits, 0)
    )
