"""What the measures work on: the hits of a collection at one threshold of relevance, as arrays."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Relevance"]


@dataclass(frozen=True)
class Relevance:
    """What the measures work on: the hits of a collection at one threshold of relevance.

    Attributes
    ----------
    cell : ndarray of int, shape (hits,)
        ``topic * systems + system`` of each hit, ascending.
    rank : ndarray of int, shape (hits,)
        Rank of each hit, from 1, ascending within its cell.
    position : ndarray of int, shape (hits,)
        1 for the first relevant document of a list, 2 for the second, ...
    grade : ndarray of int, shape (hits,)
    nonrelevant : ndarray of int, shape (hits,), or None
        Judged non-relevant documents above each hit; None when they are not known.
    relevant : ndarray of int, shape (topics, 1)
        Relevant documents of each topic, found or not (R).
    judged : ndarray, shape (topics, 1)
        Judged documents of each topic, of any grade; NaN when not known.
    retrieved : ndarray of int, shape (topics, systems)
        Documents in each list, 0 where there is none.
    """

    cell: np.ndarray
    rank: np.ndarray
    position: np.ndarray
    grade: np.ndarray
    nonrelevant: np.ndarray | None
    relevant: np.ndarray
    judged: np.ndarray
    retrieved: np.ndarray

    def count(self, where):
        """Count the hits for which ``where`` is true in each list: shape (topics, systems)."""
        return self.total(None, where)

    def total(self, values, where=...):
        """Add up a value of each hit (None: 1) over each list: shape (topics, systems)."""
        weights = None if values is None else values[where]
        sums = np.bincount(self.cell[where], weights, minlength=self.retrieved.size)
        return sums.reshape(self.retrieved.shape)


def running(cell, counted):
    """Count, for each hit, the counted hits of its cell so far, itself included."""
    so_far = np.cumsum(counted)
    first = np.searchsorted(cell, cell, side="left")
    before = np.concatenate(([0], so_far))[first]
    return so_far - before
