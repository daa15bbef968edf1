"""From ranked lists and judgements to the tables of a collection, list by list."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection.package import TABLES
from lib.errors import InputError

__all__ = ["Derivation", "POOL_DEPTH", "natural"]

POOL_DEPTH = 100  # the deepest pool whose size is kept
MERGE_AT = 1_000_000  # documents added to a pool before its rows are put together


class Derivation:
    """Collects hits run by run; holds the judgements and the hits, never a whole run set.

    Parameters
    ----------
    qrels : dict of str to dict
        Topic to document to grade (negative: not judged).
    facts : DataFrame, optional
        Index run, columns group, type, pooled.
    rel : int
        The lowest grade that counts as relevant.
    judged : bool
        Keep the ranks of judged non-relevant documents.
    """

    def __init__(
        self,
        qrels: Mapping[str, Mapping[Any, int]],
        *,
        facts: pd.DataFrame | None = None,
        rel: int = 1,
        judged: bool = False,
    ):
        self.topics = sorted(qrels, key=natural)
        self.facts = facts
        self.keep_judged = judged
        self.systems: list[str] = []
        self.rows: dict[str, list[np.ndarray]] = {"lists": [], "hits": [], "judged": []}
        self.judgements = [_numbered(qrels[topic], rel) for topic in self.topics]
        self.pools = {"all": _Pool(), "pooled": _Pool()}

    def add(self, system: str, lists: Mapping[str, Sequence]) -> None:
        """Add one system: topic to document names, best first."""
        code = len(self.systems)
        self.systems.append(system)
        pooled = self.facts is not None and self.facts["pooled"].get(system) == "yes"
        rows: dict[str, list[tuple]] = {table: [] for table in self.rows}
        for topic, name in enumerate(self.topics):
            documents = lists.get(name)
            if documents is None:
                continue
            if len(set(documents)) < len(documents):
                raise InputError(f"{system}: a document stands twice in topic {name!r}")
            rows["lists"].append((topic, code, len(documents)))
            self._add_list(rows, topic, code, documents)
            for pool in ("all", "pooled") if pooled else ("all",):
                self.pools[pool].add(topic, documents[:POOL_DEPTH])
        for table, of_system in rows.items():
            width = len(TABLES[f"{table}.parquet"]) + (table == "hits")
            self.rows[table].append(np.array(of_system, dtype=np.int32).reshape(-1, width))

    def _add_list(self, rows, topic, code, documents):
        judged, nonrelevant = self.judgements[topic], 0
        for rank, document in enumerate(documents, start=1):
            if document not in judged:
                continue
            grade, number = judged[document]
            if grade > 0:
                rows["hits"].append((topic, code, rank, number, nonrelevant, grade))
            else:
                nonrelevant += 1
                if self.keep_judged:
                    rows["judged"].append((topic, code, rank, number))

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of a Collection of all systems added, in the order of their names.

        They are the arguments of :class:`lib.collection.Collection` but for its name; ``judged`` is
        None where the judged non-relevant documents were not kept.
        """
        order = np.argsort(np.array(self.systems, dtype=object), kind="stable")
        code = np.empty(len(order), dtype=int)
        code[order] = np.arange(len(order))
        runs = pd.Index([self.systems[i] for i in order], name="run")
        facts = self.facts
        if facts is None:
            facts = pd.DataFrame("", index=runs, columns=["group", "type", "pooled"])
        return {
            "systems": facts.reindex(runs),
            "topics": self._topics(),
            "lists": self._table("lists", code, ["topic", "system"]),
            "relevant": self._relevant(),
            "hits": self._table("hits", code, ["topic", "system", "rank"], ["grade"]),
            "pools": self._pools(),
            "judged": self._table("judged", code, ["topic", "system", "rank"])
            if self.keep_judged
            else None,
        }

    def _table(self, table, code, order, extra=()):
        columns = [*TABLES[f"{table}.parquet"], *extra]
        rows = np.concatenate(self.rows[table]) if self.rows[table] else np.empty((0, len(columns)))
        frame = pd.DataFrame(rows, columns=columns, dtype=np.int64)
        frame["system"] = code[frame["system"]]
        return frame.sort_values(order, ignore_index=True)

    def _topics(self):
        relevant = [sum(grade > 0 for grade, _ in judged.values()) for judged in self.judgements]
        return pd.DataFrame(
            {
                "judged": pd.array([len(judged) for judged in self.judgements], dtype="Int32"),
                "relevant": pd.array(relevant, dtype="Int32"),
            },
            index=pd.Index(self.topics, name="topic"),
        )

    def _relevant(self):
        rows = [
            (topic, number, grade)
            for topic, judged in enumerate(self.judgements)
            for grade, number in judged.values()
            if grade > 0
        ]
        frame = pd.DataFrame(rows, columns=["topic", "document", "grade"], dtype=np.int64)
        return frame.sort_values(["topic", "document"], ignore_index=True)

    def _pools(self):
        topics = len(self.topics)
        return pd.DataFrame(
            {
                "topic": np.repeat(np.arange(topics), POOL_DEPTH),
                "depth": np.tile(np.arange(1, POOL_DEPTH + 1), topics),
                **{name: pool.sizes(topics) for name, pool in self.pools.items()},
            }
        )


class _Pool:
    """The shallowest rank of each document of each topic in any list.

    Documents are known by their 64-bit hashes, which takes a tenth of the memory of their names:
    among a million documents of a topic, two that coincide have a chance of one in 40 million.
    """

    KINDS = np.dtype([("topic", np.int32), ("document", np.int64), ("rank", np.uint8)])

    def __init__(self):
        self.rows = np.empty(0, self.KINDS)
        self.fresh, self.size = [], 0

    def add(self, topic, documents):
        rows = np.empty(len(documents), self.KINDS)
        rows["topic"] = topic
        rows["document"] = np.fromiter(map(hash, documents), np.int64, len(documents))
        rows["rank"] = np.arange(1, len(documents) + 1)
        self.fresh.append(rows)
        self.size += len(rows)
        # Seldom enough that the time stays in proportion to what is added.
        if self.size > max(len(self.rows), MERGE_AT):
            self._merge()

    def _merge(self):
        rows = np.concatenate([self.rows, *self.fresh])
        order = np.lexsort((rows["rank"], rows["document"], rows["topic"]))
        rows = rows[order]
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (rows["topic"][1:] != rows["topic"][:-1]) | (
            rows["document"][1:] != rows["document"][:-1]
        )
        self.rows, self.fresh, self.size = rows[first], [], 0

    def sizes(self, topics):
        """Return the number of documents at each depth, topic by topic."""
        self._merge()
        cell = self.rows["topic"].astype(np.int64) * POOL_DEPTH + self.rows["rank"] - 1
        counts = np.bincount(cell, minlength=topics * POOL_DEPTH).reshape(topics, POOL_DEPTH)
        return counts.cumsum(axis=1).ravel()


def _numbered(grades, rel):
    """Return judged document to (grade or 0 below ``rel``, number).

    Relevant and non-relevant documents are numbered apart, each in the order of their names, so
    that no order of files matters.
    """
    judged = {}
    for relevant in (True, False):
        some = sorted(d for d, g in grades.items() if g >= 0 and (g >= rel) == relevant)
        judged |= {d: (grades[d] if relevant else 0, number) for number, d in enumerate(some)}
    return judged


def natural(topic: str) -> tuple[int, int, str, str]:
    """Return a key that orders topics by number where they are numbers, by text where not."""
    if topic.isascii() and topic.isdecimal():
        number = topic.lstrip("0")
        return 0, len(number), number, topic
    return 1, 0, topic, topic
