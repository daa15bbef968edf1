"""The hits of a collection at one threshold of relevance, as arrays: what the measures work on."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from lib.collection.memory import keep_memory

Columns: TypeAlias = Mapping[str, Any]  # of a table: arrays by their names, or a frame

_OF_HITS = ("cell", "row", "rank", "grade", "nonrelevant", "unsampled")
_OF_TOPICS = ("relevant", "judged", "retrieved")


@dataclass(frozen=True)
class Relevance:
    """What the measures work on: the hits of a collection at one threshold of relevance."""

    # Of each hit, by its rank: the first k ranks of all lists come first.
    cell: np.ndarray  # topic * systems + system
    row: np.ndarray  # its place, from 0, when the lists follow one another, each by rank
    rank: np.ndarray  # from 1
    grade: np.ndarray
    nonrelevant: np.ndarray | None  # judged non-relevant documents above it, where known
    # Documents above it that are in the pool and not judged; None where all are judged.
    unsampled: np.ndarray | None
    # Of each topic, shape (topics, 1).
    relevant: np.ndarray  # documents, found or not (R)
    judged: np.ndarray  # documents of any grade; NaN when not known
    retrieved: np.ndarray  # documents in each list, 0 where there is none: topics x systems

    @cached_property
    def topic(self) -> np.ndarray:
        """The topic of each hit."""
        return self.cell // self.retrieved.shape[1]

    @cached_property
    def position(self) -> np.ndarray:
        """1 for the first relevant document of a list, 2 for the second, ..."""
        first = np.cumsum(self.found) - self.found.ravel()
        return self.row - first[self.cell] + 1

    @cached_property
    def precision(self) -> np.ndarray:
        """The share of relevant documents down to each hit."""
        return self.position / self.rank

    @cached_property
    def found(self) -> np.ndarray:
        """The number of hits of each list, shape (topics, systems)."""
        return self.count(...)

    @cached_property
    def precision_by_list(self) -> np.ndarray:
        """The same, list by list."""
        values = np.empty(len(self.row))
        values[self.row] = self.precision
        return values

    def top(self, k: float) -> slice:
        """Return where the hits of the first k ranks are."""
        deepest = self.rank.dtype.type(min(k, 2**31 - 1))  # of another type, all would be cast
        return slice(int(np.searchsorted(self.rank, deepest, side="right")))

    def of_topics(self, at: np.ndarray) -> "Relevance":
        """Return the hits of some topics: their positions, ascending."""
        topics, systems = self.retrieved.shape
        code = np.full(topics, -1)
        code[at] = np.arange(len(at))
        topic = code[self.topic]
        of_topics = {name: getattr(self, name)[at] for name in _OF_TOPICS}
        stays = np.empty(len(topic), dtype=bool)
        stays[self.row] = topic >= 0
        return self._some(stays, cell=topic * systems + self.cell % systems, **of_topics)

    def of_pool(self, stays: np.ndarray, relevant: np.ndarray) -> "Relevance":
        """Return the hits that stay where no other judgement is known."""
        unknown = {"nonrelevant": None, "unsampled": None, "judged": self.judged * np.nan}
        return self._some(stays, relevant=relevant, **unknown)

    def _some(self, stays: np.ndarray, **changed: Any) -> "Relevance":
        """Return the hits that stay, a boolean for each, list by list; and what else changes."""
        at = np.flatnonzero(stays[self.row])  # several times as fast as a boolean for each column
        hits = _taken({name: changed.pop(name, getattr(self, name)) for name in _OF_HITS}, at)
        hits["row"] = (np.cumsum(stays, dtype=np.int32) - 1)[hits["row"]]
        return replace(self, **hits, **changed)

    def count(self, where: Any) -> np.ndarray:
        """Count the hits that ``where`` selects in each list: shape (topics, systems)."""
        return self.total(None, where)

    def total(self, values: np.ndarray | None, where: Any = ...) -> np.ndarray:
        """Add up a value of each hit (None: 1) over each list: shape (topics, systems).

        For a slice that begins with the first hit, the values of its hits are enough.
        """
        weights = None if values is None else values[where]
        sums = np.bincount(self.cell[where], weights, minlength=self.retrieved.size)
        return sums.reshape(self.retrieved.shape)

    def unjudged(self, depth: float) -> tuple[np.ndarray, np.ndarray]:
        """Count the unjudged and all documents of each system down to the last hit within a depth.

        Below that one the hits do not tell.
        """
        if self.nonrelevant is None:
            raise ValueError("the judged non-relevant documents are not known")
        inside, systems = self.top(depth), self.retrieved.shape[1]
        last = np.full(self.retrieved.size, -1)
        last[self.cell[inside]] = np.arange(len(self.cell[inside]))  # of a list, the deepest stays
        last = last[last >= 0]
        unknown = self.rank[last] - self.position[last] - self.nonrelevant[last]
        system = self.cell[last] % systems
        counts = (
            np.bincount(system, weights, minlength=systems).astype(int)
            for weights in (unknown, self.rank[last])
        )
        unjudged, documents = counts
        return unjudged, documents


def at_threshold(
    rel: int,
    hits: Columns,
    relevant: Columns,
    judged: Any,
    retrieved: np.ndarray,
    unsampled: Columns | None,
) -> Relevance:
    """Return the hits of documents of grade ``rel`` or more.

    The tables are those of a collection; ``retrieved`` has -1 where there is no list.
    """
    keep_memory()
    topics, systems = retrieved.shape
    of_hits = {name: np.asarray(hits[name], np.int32) for name in hits if name != "document"}
    columns: dict[str, Any] = {
        "cell": of_hits["topic"] * systems + of_hits["system"],
        "rank": of_hits["rank"],
        "grade": of_hits["grade"],
        "nonrelevant": of_hits.get("nonrelevant"),
        "unsampled": None if unsampled is None else rows_above(hits, unsampled, systems),
    }
    kept = columns["grade"] >= rel
    if not kept.all():
        if columns["nonrelevant"] is not None:
            # Documents of a lower grade are judged, and above this threshold non-relevant.
            columns["nonrelevant"] = columns["nonrelevant"] + _running(columns["cell"], ~kept)
        columns = _taken(columns, kept)
    # A small type is sorted in one pass.
    rank = columns["rank"]
    order = np.argsort(rank.astype(np.min_scalar_type(rank.max(initial=0))), kind="stable")
    return Relevance(
        **_in_order(columns, order),
        row=order,
        relevant=relevant_documents(relevant, rel, topics),
        judged=np.asarray(judged, float)[:, None],
        retrieved=np.maximum(retrieved, 0),
    )


def relevant_documents(relevant: Columns, rel: int, topics: int) -> np.ndarray:
    """Count the documents of grade ``rel`` or more of each topic: shape (topics, 1)."""
    of_grade = np.asarray(relevant["topic"])[np.asarray(relevant["grade"]) >= rel]
    return np.bincount(of_grade, minlength=topics)[:, None]


def _taken(hits: Mapping[str, np.ndarray | None], which: np.ndarray | slice) -> dict[str, Any]:
    """Take some hits of arrays by their names; None where there is no array."""
    return {name: None if of is None else of[which] for name, of in hits.items()}


def _in_order(hits: Mapping[str, np.ndarray | None], order: np.ndarray) -> dict[str, Any]:
    """Do so with all hits, in an order: four columns, which every measure needs, together.

    As one item of 16 bytes they move several times as fast as one column after the other.
    """
    four = ("cell", "rank", "grade", "nonrelevant")
    rows = np.empty(len(order), dtype=[(name, np.int32) for name in four])
    for name in four:
        rows[name] = 0 if hits[name] is None else hits[name]
    rows = rows[order]
    columns = {name: None if hits[name] is None else rows[name].copy() for name in four}
    columns["cell"] = rows["cell"].astype(np.intp)  # as bincount takes it
    others = {name: of for name, of in hits.items() if name not in four}
    return columns | _taken(others, order)


def _running(cell: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Count, for each hit, the counted hits of its cell so far, itself included; cells ascend."""
    so_far, length = np.cumsum(counted, dtype=np.int32), np.bincount(cell)
    before = np.append(np.int32(0), so_far)[np.cumsum(length) - length]
    return so_far - np.repeat(before, length)


def rows_above(hits: Columns, judged: Columns, systems: int) -> np.ndarray:
    """Count the rows of ``judged``, a table in order, that stand above each hit in its list."""
    rank, others = (np.asarray(of["rank"], np.int64) for of in (hits, judged))
    width = 1 + max(rank.max(initial=0), others.max(initial=0))

    def key(table: Columns, rank: np.ndarray | int) -> np.ndarray:
        topic, system = (np.asarray(table[name], np.int64) for name in ("topic", "system"))
        return (topic * systems + system) * width + rank

    ranks, ends = key(judged, others), (rank, 0)
    above, before = (np.searchsorted(ranks, key(hits, end)) for end in ends)
    return above - before
