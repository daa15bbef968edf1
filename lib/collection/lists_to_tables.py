"""From ranked lists and judgements to the tables of a collection, list by list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lib import pandas_later as pd
from lib.collection.names import Directory, Judged, Lists, as_lists, as_name
from lib.collection.package import TABLES
from lib.errors import InputError


@dataclass(frozen=True)
class Table:
    """The columns of a table, which become a frame when somebody asks for one."""

    columns: Mapping[str, Any]
    index: str = ""  # the column that names the rows, where one does
    types: Mapping[str, str] = field(default_factory=dict)  # of pandas, of columns with gaps

    def frame(self) -> pd.DataFrame:
        """Return the table as pandas has it.

        >>> Table({"topic": ["t"], "judged": [1.0]}, "topic", {"judged": "Int32"}).frame()
               judged
        topic
        t           1
        """
        table = pd.DataFrame(self.columns).astype(self.types)
        return table.set_index(self.index) if self.index else table


POOL_DEPTH = 100  # the deepest pool whose size is kept
_RANK = np.uint64(127)  # the bits of a pool's row that hold a rank
_POOL_ROW = np.dtype([("topic", np.int32), ("key", np.uint64)])


class Derivation:
    """Collects hits run by run; holds the judgements and the hits, never a whole run set.

    ``metadata`` is a table of :func:`lib.collection.read_systems`; ``judged`` keeps the ranks of
    judged non-relevant documents, and ``pools`` counts the documents of the pools.
    """

    def __init__(
        self,
        judgements: Judged,
        *,
        metadata: pd.DataFrame | None = None,
        judged: bool = False,
        pools: bool = True,
    ):
        self.topics = sorted(judgements.documents.topics, key=by_number)
        self.metadata = metadata
        self.keep_judged = judged
        self.systems: list[str] = []
        self.rows: dict[str, list[np.ndarray]] = {
            table: [] for table in ("lists", "hits", "judged", "unsampled")
        }
        self.pools: dict[str, list[np.ndarray]] = {"all": [], "pooled": []}
        self.matching = Matching(self.topics, judgements, judged=judged, pools=pools)
        self.judgements = self.matching.judgements

    def add(self, system: str, lists: Mapping[str, Sequence | Mapping[Any, float]]) -> None:
        """Add one system: topic to document names, best first, or to scores by document."""
        names = {}
        for topic, documents in lists.items():
            if isinstance(documents, Mapping):
                scored = [(float(score), as_name(one)) for one, score in documents.items()]
                if not all(math.isfinite(score) for score, _ in scored):
                    raise InputError(f"{system}: a score in topic {topic!r} is no finite number")
                documents = [one for _, one in sorted(scored, reverse=True)]
            names[topic] = [as_name(one) for one in documents]
        for topic, documents in names.items():
            if topic in self.matching.topic_code and len(set(documents)) < len(documents):
                raise InputError(f"{system}: a document stands twice in topic {topic!r}")
        self.put(system, [self.matching.rows(as_lists(names), len(self.systems))])

    def put(self, system: str, matches: Sequence[Mapping[str, Any]]) -> None:
        """Add one system: all that :meth:`Matching.rows` returned for its lists.

        Its code becomes the number of systems that were added before.
        """
        code = len(self.systems)
        self.systems.append(system)
        pooled = self.metadata is not None and self.metadata["pooled"].get(system) == "yes"
        for match in matches:
            for table, rows in self.rows.items():
                match[table][:, 1] = code
                rows.append(match[table])
            for pool in ("all", "pooled") if pooled else ("all",):
                self.pools[pool].append(match["pool"])

    def highest_grade(self) -> int:
        """Return the highest grade of all judgements; 0 where there is none."""
        return int(self.judgements["grade"].max(initial=0))

    def tables(self) -> dict[str, Any]:
        """Return the tables of a Collection of all systems added, in the order of their names.

        They are the arguments of :class:`lib.collection.Collection` but for its name; ``judged`` is
        None where the judged non-relevant documents were not kept, ``unsampled`` where no
        document has a negative grade.
        """
        order = np.argsort(np.array(self.systems, dtype=object), kind="stable")
        code = np.empty(len(order), dtype=int)
        code[order] = np.arange(len(order))
        runs, grade = [self.systems[i] for i in order], self.judgements["grade"]
        unknown = dict.fromkeys(("group", "type", "pooled"), [""] * len(runs))
        systems, known = Table({"run": runs, **unknown}, "run"), False
        if self.metadata is not None:
            systems = self.metadata.reindex(pd.Index(runs, name="run"))
            known = systems["pooled"].isin(["yes", "no"]).all()
        relevant = {name: of[grade > 0] for name, of in self.judgements.items()}
        by_number = np.lexsort((relevant["document"], relevant["topic"]))
        return {
            "systems": systems,
            "topics": self._topics(),
            "lists": self._table("lists", code),
            "relevant": Table({name: of[by_number] for name, of in relevant.items()}),
            "hits": self._table("hits", code, ["grade"]),
            "pools": self._pools(known),
            "judged": self._table("judged", code) if self.keep_judged else None,
            "unsampled": self._table("unsampled", code) if (grade < 0).any() else None,
        }

    def _table(self, table: str, code: np.ndarray, extra: Sequence[str] = ()) -> Table:
        columns = [*TABLES[f"{table}.parquet"], *extra]
        rows = np.concatenate([np.empty((0, len(columns)), np.int32), *self.rows[table]])
        rows[:, 1] = code[rows[:, 1]]
        # Within a list the rows come by rank already.
        order = np.argsort(rows[:, 0] * np.int64(len(code)) + rows[:, 1], kind="stable")
        ordered = np.ascontiguousarray(rows[order].T)
        return Table(dict(zip(columns, ordered)), types=dict.fromkeys(columns, "int64"))

    def _topics(self) -> Table:
        topic, grade = self.judgements["topic"], self.judgements["grade"]
        kinds = {"judged": topic[grade >= 0], "relevant": topic[grade > 0]}
        counts = {kind: np.bincount(of, minlength=len(self.topics)) for kind, of in kinds.items()}
        return Table({"topic": self.topics, **counts}, "topic", dict.fromkeys(counts, "Int32"))

    def _pools(self, known: bool) -> Table:
        topics = len(self.topics) if self.matching.pools else 0
        topic = np.repeat(np.arange(topics), POOL_DEPTH)
        depth = np.tile(np.arange(1, POOL_DEPTH + 1), topics)
        sizes = {name: _pool_sizes(rows, topics) for name, rows in self.pools.items()}
        if not known:
            sizes["pooled"] = np.full(len(topic), np.nan)
        return Table({"topic": topic, "depth": depth, **sizes}, types={"pooled": "Int32"})


def _pool_sizes(rows: Sequence[np.ndarray], topics: int) -> np.ndarray:
    """Return the number of documents in a pool at each depth, topic by topic.

    Documents are known by 57 bits of their hashes, which takes a tenth of the memory of their
    names: among 100,000 documents of a topic, two coincide with a chance of one in 29 million.
    The other seven bits hold the rank, so that sorted rows say at once what is shallowest.
    """
    table = np.concatenate([np.empty(0, _POOL_ROW), *rows])
    table = table[np.argsort(table["topic"], kind="stable")]
    topic, key = table["topic"].astype(np.int64), table["key"]
    for of_topic in np.split(key, np.flatnonzero(np.diff(topic)) + 1):
        of_topic.sort()
    first = np.ones(len(table), dtype=bool)
    first[1:] = (topic[1:] != topic[:-1]) | ((key[1:] ^ key[:-1]) > _RANK)
    cell = topic[first] * POOL_DEPTH + (key[first] & _RANK).astype(np.int64) - 1
    counts = np.bincount(cell, minlength=topics * POOL_DEPTH).reshape(topics, POOL_DEPTH)
    return counts.cumsum(axis=1).ravel()


def by_number(topic: str) -> tuple[int, int, str, str]:
    """Return a key that orders topics by number where they are numbers, by text where not."""
    if topic.isascii() and topic.isdecimal():
        number = topic.lstrip("0")
        return 0, len(number), number, topic
    return 1, 0, topic, topic


class Matching:
    """Finds judged documents in lists, from one run at a time.

    It knows the judgements and nothing of any run, so that it can be sent to other processes and
    machines, which match runs on their own.
    """

    def __init__(self, topics: list[str], judgements: Judged, *, judged: bool, pools: bool):
        self.topic_code = {topic: code for code, topic in enumerate(topics)}
        self.keep_judged, self.pools = judged, pools
        lists = judgements.documents
        codes = np.array([self.topic_code[topic] for topic in lists.topics], dtype=int)
        topic = np.repeat(codes, np.diff(lists.bounds))
        # By name in each topic, so that no order of files matters.
        order = np.lexsort((*lists.names[::-1], topic))
        self.judgements = _numbered(topic[order], judgements.grades[order])
        self.directory = Directory(lists.names[:, order], lists.keys[order])

    def rows(self, lists: Lists, system: int) -> dict[str, Any]:
        """Return what the tables and pools take from some lists of a system, by its code.

        Rows of ``lists``, ``hits``, ``judged``, ``unsampled``; ``pool``, the documents down to rank
        :data:`POOL_DEPTH`: 57 bits of a hash, and the rank in the other seven; the places of all
        judged documents.
        """
        topic = np.array([self.topic_code.get(topic, -1) for topic in lists.topics], dtype=int)
        first, length, known = lists.bounds[:-1], np.diff(lists.bounds), topic >= 0
        row = self.directory.find(lists.names, lists.keys)
        at = np.flatnonzero(row >= 0)
        row, of_list = row[at], np.searchsorted(first, at, side="right") - 1
        number, grade = self.judgements["document"][row], self.judgements["grade"][row]
        so_far = np.cumsum(grade == 0)
        above = so_far - np.append(0, so_far)[np.searchsorted(at, first)][of_list]
        table = _table(topic[of_list], system, at + 1 - first[of_list], number, above, grade)
        top = np.where(known & self.pools, np.minimum(length, POOL_DEPTH), 0)
        rank = np.arange(1, top.sum() + 1) - np.repeat(np.cumsum(top) - top, top)
        return {
            "lists": _table(topic[known], system, length[known]),
            "hits": table[grade > 0],
            "judged": table[(grade == 0) & self.keep_judged, :4],
            "unsampled": table[grade < 0, :4],
            "judged documents": at,
            "pool": _pool_rows(
                np.repeat(topic, top), lists.keys[np.repeat(first, top) + rank - 1], rank
            ),
        }


def _pool_rows(topic: np.ndarray, key: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return documents as a pool takes them; no rank is above 127."""
    rows = np.empty(len(topic), _POOL_ROW)
    rows["topic"] = topic
    rows["key"] = key & ~_RANK | rank.astype(np.uint64)
    return rows


def _table(first: np.ndarray, *others: np.ndarray | int) -> np.ndarray:
    """Return columns as a table of 32-bit integers."""
    table = np.empty((len(first), 1 + len(others)), dtype=np.int32)
    for number, column in enumerate((first, *others)):
        table[:, number] = column
    return table


def _numbered(topic: np.ndarray, grade: np.ndarray) -> dict[str, np.ndarray]:
    """Return the topic, number and grade of each judged document.

    Relevant, non-relevant and unjudged documents of a topic are numbered apart.
    """
    number = np.empty(len(grade), dtype=int)
    for kind in (grade > 0, grade == 0, grade < 0):
        number[kind] = np.arange(kind.sum()) - np.searchsorted(topic[kind], topic[kind])
    return {"topic": topic, "document": number, "grade": grade}
