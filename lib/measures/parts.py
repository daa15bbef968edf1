"""What the equations of the measures share, and the collection that their examples score."""

from typing import Any

import numpy as np

from lib.collection import Collection, Relevance


def example() -> Collection:
    """Return the collection that the examples of the measures score.

    >>> example()
    Collection('toy': 1 systems, 1 topics, 3 relevant documents, 2 hits)
    """
    judged = {"r": 1, "s": 1, "missed": 1, "x": 0, "y": 0}
    return Collection.from_rankings({"A": {"t": ["r", "x", "s", "u"]}}, {"t": judged}, judged=True)


def bound(k: int | None) -> float:
    """Return k as a bound for ranks; None is no bound."""
    if k is None:
        return np.inf
    if k < 1:
        raise ValueError(f"the depth k must be 1 or more, not {k}")
    return k


def ratio(numerator: Any, divisor: np.ndarray) -> Any:
    """Divide an array or a table; 0 where the divisor, and so the numerator, is 0."""
    return numerator / np.where(divisor > 0, divisor, 1)


def nonrelevant_above(collection: Collection, hits: Relevance, measure: str) -> np.ndarray:
    """Return how many judged non-relevant documents stand above each hit, or say who needs it.

    >>> nonrelevant_above(example(), example().relevance(), "Bpref").tolist()
    [0, 1]
    """
    if hits.nonrelevant is None:
        raise ValueError(
            f"{collection.name}: {measure} needs the judged non-relevant documents, which a "
            "re-pooled collection does not know; derive it with --judged and load it with "
            "judged=True"
        )
    return hits.nonrelevant


def by_topic(hits: Relevance, values: np.ndarray) -> np.ndarray:
    """Repeat a value of each topic, shape (topics, 1), for each of its hits."""
    return values[:, 0].take(hits.topic)
