"""What holds of the tables of every collection: one list, each rule with its name and its test.

A collection that was damaged on its way, or edited by hand, is never computed with: the hash of
each file tells that it was changed, and these rules tell whether what it has become can be one.
They are checked table by table, all rows at once, and a rule may rely on those above it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pandas as pd

from lib.collection.matching import POOL_DEPTH
from lib.collection.pools import above

__all__ = ["INVARIANTS", "Invariant", "MOST", "broken"]

MOST = 2**21  # numbers of documents are below it, so that a table has room for each

Mask: TypeAlias = np.ndarray  # a boolean a row: whether it breaks a rule


class _Tables:
    """The tables of a collection, and what several rules ask of them."""

    def __init__(self, frames: Mapping[str, pd.DataFrame]) -> None:
        self.frames = frames
        self.systems, self.topics = frames["systems.tsv"], frames["topics.tsv"]

    def column(self, file: str, column: str) -> np.ndarray:
        """A column as 64-bit integers, so that what is computed from it cannot overflow."""
        return self.frames[file][column].to_numpy(np.int64)

    def cell(self, file: str) -> np.ndarray:
        """The list that each row belongs to, as a number: topic by topic, system by system."""
        return self.column(file, "topic") * len(self.systems) + self.column(file, "system")

    @cached_property
    def counts(self) -> dict[str, np.ndarray]:
        """What topics.tsv counts; NaN where it says nothing."""
        return {c: self.topics[c].to_numpy(float, na_value=np.nan) for c in ("judged", "relevant")}

    @cached_property
    def retrieved(self) -> np.ndarray:
        """The length of each list, by cell; 0 where there is none."""
        lengths = np.zeros(len(self.topics) * len(self.systems), np.int64)
        lengths[self.cell("lists.parquet")] = self.column("lists.parquet", "retrieved")
        return lengths

    def document(self, file: str) -> np.ndarray:
        """The document of each row, as a number among those of all topics."""
        return self.column(file, "topic") * self.width(file) + self.column(file, "document")

    def width(self, file: str) -> int:
        """Room for the documents of a topic, hits and relevant ones counted alike."""
        apart = file in ("judged.parquet", "unsampled.parquet")  # numbered for themselves
        files = [file] if apart else ["relevant.parquet", "hits.parquet"]
        return 1 + max(self.column(one, "document").max(initial=0) for one in files)


@dataclass(frozen=True)
class Invariant:
    """A rule that every row of a table obeys.

    Attributes
    ----------
    file : str
        The table.
    rule : str
        What must be, in words.
    broken : callable
        From the tables to a boolean a row of this one.
    """

    file: str
    rule: str
    broken: Callable[[_Tables], Mask]


def broken(frames: Mapping[str, pd.DataFrame]) -> str:
    """Return the first rule that tables break, with table and row; empty where they break none.

    Parameters
    ----------
    frames : dict of str to DataFrame
        File name to table; ``judged.parquet`` may be missing.

    Examples
    --------
    >>> from lib.collection import Collection
    >>> tables = Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1}}).tables()
    >>> broken(tables)
    ''
    >>> broken(tables | {"hits.parquet": tables["hits.parquet"].assign(rank=0)})
    'hits.parquet, row 1: the rank must be from 1 to the length of the list'
    """
    tables = _Tables(frames)
    for invariant in INVARIANTS:
        if invariant.file in frames:
            rows = invariant.broken(tables)
            if rows.any():
                return f"{invariant.file}, row {np.argmax(rows) + 1}: {invariant.rule}"
    return ""


def _name(file, column):
    """Names are there, and each stands once."""

    def rule(tables):
        names = tables.frames[file][column].astype(object)
        return (names.duplicated() | (names.str.strip() == "")).to_numpy()

    return rule


def _code(file, *columns):
    """Codes are positions in systems.tsv and topics.tsv."""

    def rule(tables):
        sizes = {"topic": len(tables.topics), "system": len(tables.systems)}
        columns_of = {column: tables.column(file, column) for column in columns}
        return np.any([(c < 0) | (c >= sizes[name]) for name, c in columns_of.items()], axis=0)

    return rule


def _range(file, column, low, high=2**31):
    """Values are of a range."""

    def rule(tables):
        values = tables.column(file, column)
        return (values < low) | (values >= high)

    return rule


def _order(file, *columns):
    """Each row stands after the one before it, by these columns; so none stands twice."""

    def rule(tables):
        later = np.zeros(max(len(tables.frames[file]) - 1, 0), bool)
        for column in reversed(columns):
            step = np.diff(tables.column(file, column))
            later = (step > 0) | (step == 0) & later
        return np.append(False, ~later)[: len(tables.frames[file])]

    return rule


def _in_list(file):
    def rule(tables):
        rank = tables.column(file, "rank")
        return (rank < 1) | (rank > tables.retrieved[tables.cell(file)])

    return rule


def _once(file):
    """No list holds a document at two ranks."""

    def rule(tables):
        keys = tables.document(file) * len(tables.systems) + tables.column(file, "system")
        seen = np.zeros(keys.max(initial=-1) + 1, bool)
        seen[keys] = True
        if np.count_nonzero(seen) == len(keys):
            return np.zeros(len(keys), bool)
        return pd.Series(keys).duplicated().to_numpy()

    return rule


def _pooled(tables):
    return (~tables.systems["pooled"].isin(["yes", "no", ""])).to_numpy()


def _counts(tables):
    judged, relevant = tables.counts["judged"], tables.counts["relevant"]
    return ~((relevant >= 0) & (judged >= relevant))  # what is no number is refused too


def _relevant_counted(tables):
    there = np.bincount(tables.column("relevant.parquet", "topic"), minlength=len(tables.topics))
    return there != tables.counts["relevant"]


def _unknown(tables):
    known = np.zeros(len(tables.topics) * tables.width("hits.parquet"), bool)
    known[tables.document("relevant.parquet")] = True
    return ~known[tables.document("hits.parquet")]


def _nonrelevant_between(tables):
    """Between two hits of a list stand no more non-relevant documents than documents."""
    cell, rank = tables.cell("hits.parquet"), tables.column("hits.parquet", "rank")
    count, begins = tables.column("hits.parquet", "nonrelevant"), np.ones(len(cell), bool)
    begins[1:] = cell[1:] != cell[:-1]
    room, more = rank - 1, count.copy()
    room[1:] -= np.where(begins[1:], 0, rank[:-1])
    more[1:] -= np.where(begins[1:], 0, count[:-1])
    return (more < 0) | (more > room)


def _nonrelevant_judged(tables):
    most = tables.counts["judged"] - tables.counts["relevant"]
    topic = tables.column("hits.parquet", "topic")
    return tables.column("hits.parquet", "nonrelevant") > most[topic]


def _every_depth(tables):
    rows = np.arange(len(tables.frames["pools.parquet"]))
    topic, depth = (tables.column("pools.parquet", name) for name in ("topic", "depth"))
    return (topic != rows // POOL_DEPTH) | (depth != rows % POOL_DEPTH + 1)


def _depths_there(tables):
    there = np.bincount(tables.column("pools.parquet", "topic"), minlength=len(tables.topics))
    return there != POOL_DEPTH


def _pools(tables):
    """A pool grows with its depth, and that of some systems is no larger than that of all."""
    whole, part = (tables.column("pools.parquet", name) for name in ("all", "pooled"))
    first = tables.column("pools.parquet", "depth") == 1
    shrinks = [np.diff(sizes, prepend=0) < 0 for sizes in (whole, part)]
    return (part < 0) | (part > whole) | ~first & (shrinks[0] | shrinks[1])


def _apart(file, *others):
    """No two documents stand at one place of a list."""

    def rule(tables):
        def places(one):
            return tables.cell(one) * 2**31 + tables.column(one, "rank")

        own, taken = places(file), np.zeros(len(tables.frames[file]), bool)
        for other in map(places, (one for one in others if one in tables.frames)):
            if len(other):  # and in order, by a rule above
                at = np.searchsorted(other, own)
                taken |= other[np.minimum(at, len(other) - 1)] == own
        return taken

    return rule


def _judged_counted(tables):
    of = tables.frames
    if "judged.parquet" not in of:
        return np.zeros(len(of["hits.parquet"]), bool)
    counted = above(of["hits.parquet"], of["judged.parquet"], len(tables.systems))
    return tables.column("hits.parquet", "nonrelevant") != counted


def _judged_few(tables):
    if "judged.parquet" not in tables.frames:
        return np.zeros(len(tables.topics), bool)
    documents = np.unique(tables.document("judged.parquet"))
    topic = documents // tables.width("judged.parquet")
    there = np.bincount(topic, minlength=len(tables.topics))
    return there > tables.counts["judged"] - tables.counts["relevant"]


_CODES = "the topic and system must be positions in topics.tsv and systems.tsv, from 0"
_TOPIC = "the topic must be a position in topics.tsv, from 0"
_NUMBER = f"the document's number must be from 0 to {MOST - 1:,}"
_PLACE = "the rank must be from 1 to the length of the list"
_ONCE = "the document must not be in the same list at another rank"
_BY_RANK = "rows must come by topic, system and rank, none twice"


def _of_ranks(file):
    """The rules of a table of documents in lists."""
    return (
        (file, _CODES, _code(file, "topic", "system")),
        (file, _PLACE, _in_list(file)),
        (file, _BY_RANK, _order(file, "topic", "system", "rank")),
        (file, _NUMBER, _range(file, "document", 0, MOST)),
        (file, _ONCE, _once(file)),
    )


_TABLES = (
    ("systems.tsv", "the run must have a name that no other has", _name("systems.tsv", "run")),
    ("systems.tsv", "pooled must be yes, no or empty", _pooled),
    ("topics.tsv", "the topic must have a name that no other has", _name("topics.tsv", "topic")),
    ("topics.tsv", "relevant must be 0 or more, and judged no less than relevant", _counts),
    ("lists.parquet", _CODES, _code("lists.parquet", "topic", "system")),
    (
        "lists.parquet",
        "rows must come by topic and system, none twice",
        _order("lists.parquet", "topic", "system"),
    ),
    (
        "lists.parquet",
        "a list must hold 0 documents or more",
        _range("lists.parquet", "retrieved", 0),
    ),
    ("relevant.parquet", _TOPIC, _code("relevant.parquet", "topic")),
    ("relevant.parquet", _NUMBER, _range("relevant.parquet", "document", 0, MOST)),
    (
        "relevant.parquet",
        "rows must come by topic and document, none twice",
        _order("relevant.parquet", "topic", "document"),
    ),
    ("relevant.parquet", "the grade must be 1 or more", _range("relevant.parquet", "grade", 1)),
    (
        "topics.tsv",
        "relevant must be the number of the topic's rows in relevant.parquet",
        _relevant_counted,
    ),
    *_of_ranks("hits.parquet"),
    ("hits.parquet", "the document must be in relevant.parquet", _unknown),
    (
        "hits.parquet",
        "nonrelevant must grow down the list by no more than what stands between two hits",
        _nonrelevant_between,
    ),
    (
        "hits.parquet",
        "nonrelevant must not exceed what the topic has judged non-relevant",
        _nonrelevant_judged,
    ),
    ("pools.parquet", _TOPIC, _code("pools.parquet", "topic")),
    (
        "pools.parquet",
        f"rows must come by topic, with the depths 1 to {POOL_DEPTH} of each",
        _every_depth,
    ),
    ("topics.tsv", f"the topic must have {POOL_DEPTH} rows in pools.parquet", _depths_there),
    (
        "pools.parquet",
        "sizes must be 0 or more, not fall with the depth, and pooled not exceed all",
        _pools,
    ),
    *_of_ranks("judged.parquet"),
    (
        "judged.parquet",
        "no hit must stand at the same rank",
        _apart("judged.parquet", "hits.parquet"),
    ),
    (
        "hits.parquet",
        "nonrelevant must be the number of rows of judged.parquet above it in the list",
        _judged_counted,
    ),
    (
        "topics.tsv",
        "judged.parquet must not hold more documents than were judged non-relevant",
        _judged_few,
    ),
    *_of_ranks("unsampled.parquet"),
    (
        "unsampled.parquet",
        "no judged document must stand at the same rank",
        _apart("unsampled.parquet", "hits.parquet", "judged.parquet"),
    ),
)
INVARIANTS = tuple(Invariant(*row) for row in _TABLES)
