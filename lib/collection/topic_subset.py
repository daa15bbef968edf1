"""A collection without some topics, to compute again what was computed of all of them.

The score of a topic, and its pool, do not depend on other topics.  So a part asks the
whole, which answers once for all its parts, and takes the rows of its own topics.  Tables are made
only for what asks for them.
"""

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from lib.collection.collection import Collection, Value, positions
from lib.collection.package import OPTIONAL
from lib.collection.relevance import Relevance


class TopicSubset(Collection):
    """Some topics of a collection, in its order; made by :func:`without`.

    What :func:`dataclasses.replace` makes of it has tables of its own, and is no part any more.
    """

    _whole: Collection | None = None
    _at: np.ndarray

    @cached_property
    def _selected(self) -> "Collection":
        assert self._whole is not None  # a part, whose tables were not asked for yet
        return self._whole.select(topics=self.topics.index)

    # Made when they are asked for.
    lists = cached_property(lambda self: self._selected.lists)
    relevant = cached_property(lambda self: self._selected.relevant)
    hits = cached_property(lambda self: self._selected.hits)
    pools = cached_property(lambda self: self._selected.pools)
    judged = cached_property(lambda self: self._selected.judged)
    unsampled = cached_property(lambda self: self._selected.unsampled)

    def _relevance_from(self, rel: int) -> Relevance:
        """As of any collection: the whole's, of these topics."""
        if self._whole is None:
            return super()._relevance_from(rel)
        return self._whole.relevance(rel).of_topics(self._at)

    def pooled(self, depth: int, *, by: str | Iterable[str] = "all") -> Collection:
        """As of any collection: the same part of the whole, pooled once for all parts."""
        if self._whole is None:
            return super().pooled(depth, by=by)
        by = by if isinstance(by, str) else tuple(by)
        pooled = self._whole.memoize(("pooled", depth, by), lambda c: c.pooled(depth, by=by))
        return _subset(pooled, self._at)

    def topicwise(self, key: Hashable, compute: Callable[[Collection], Value]) -> tuple[Value, Any]:
        """As of any collection: all topics of the whole, which keeps them for its other parts."""
        if self._whole is None:
            return super().topicwise(key, compute)
        return self._whole.memoize(key, compute), self._at


def without(collection: Collection, topic: str | int) -> TopicSubset:
    """Return a collection without a topic, for the error over topics.

    It equals what :meth:`Collection.select` returns, and is cheaper where there are many: the whole
    keeps what its parts ask for as long as it lives.

    Examples
    --------
    >>> runs = {"A": {topic: ["r"] for topic in ("1", "2", "3")}}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in ("1", "2", "3")})
    >>> without(toy, "1").topics.index.tolist()
    ['2', '3']
    """
    (at,) = positions(collection.topics.index, topic, "topic")
    return _subset(collection, np.delete(np.arange(len(collection.topics)), at))


def cached(collection: Collection) -> TopicSubset:
    """Return a collection with all its topics that is scored and pooled once: for a control."""
    if isinstance(collection, TopicSubset) and collection._whole is not None:
        return collection
    return _subset(collection, np.arange(len(collection.topics)))


def _subset(whole: Collection, at: np.ndarray) -> TopicSubset:
    subset = TopicSubset.__new__(TopicSubset)
    known = {name: getattr(whole, name) for name in ("name", "systems", *OPTIONAL)}
    known |= {"topics": whole.topics.iloc[at], "retrieved": whole.retrieved[at]}
    subset.__dict__.update(known, _relevance={}, _shared={}, _whole=whole, _at=at)
    return subset
