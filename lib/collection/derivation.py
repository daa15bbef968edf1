"""From ranked lists and judgements to the tables of a collection, list by list."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection.matching import POOL_DEPTH, POOL_ROW, RANK, Matching
from lib.collection.package import TABLES
from lib.errors import InputError

__all__ = ["Derivation", "natural"]

MERGE_AT = 1_000_000  # documents added to a pool before its rows are put together


class Derivation:
    """Collects hits run by run; holds the judgements and the hits, never a whole run set.

    Parameters
    ----------
    qrels : dict of str to dict
        Topic to document to grade (negative: in the pool, not judged).
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
        self.rows: dict[str, list[np.ndarray]] = {
            table: [] for table in ("lists", "hits", "judged", "unsampled")
        }
        self.pools = {"all": _Pool(), "pooled": _Pool()}
        self.matching = Matching(self.topics, qrels, rel=rel, judged=judged)
        self.judgements = self.matching.judgements

    def add(self, system: str, lists: Mapping[str, Sequence]) -> None:
        """Add one system: topic to document names, best first."""
        for topic, documents in lists.items():
            if topic in self.matching.topic_code and len(set(documents)) < len(documents):
                raise InputError(f"{system}: a document stands twice in topic {topic!r}")
        rows = self.matching.rows(self.matching.numbers.lists(lists), len(self.systems))
        self.put(system, [rows])

    def put(self, system: str, matches: Sequence[Mapping[str, np.ndarray]]) -> None:
        """Add one system: all that :meth:`Matching.rows` returned for its lists.

        Its code becomes the number of systems that were added before.
        """
        code = len(self.systems)
        self.systems.append(system)
        pooled = self.facts is not None and self.facts["pooled"].get(system) == "yes"
        for match in matches:
            for table, rows in self.rows.items():
                match[table][:, 1] = code
                rows.append(match[table])
            for pool in ("all", "pooled") if pooled else ("all",):
                self.pools[pool].add(match["pool"])

    def has_relevant(self) -> bool:
        """Return whether any document is judged relevant."""
        return bool((self.judgements["grade"] > 0).any())

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of a Collection of all systems added, in the order of their names.

        They are the arguments of :class:`lib.collection.Collection` but for its name; ``judged`` is
        None where the judged non-relevant documents were not kept, ``unsampled`` where no
        document has a negative grade.
        """
        order = np.argsort(np.array(self.systems, dtype=object), kind="stable")
        code = np.empty(len(order), dtype=int)
        code[order] = np.arange(len(order))
        runs = pd.Index([self.systems[i] for i in order], name="run")
        grade, facts = self.judgements["grade"], self.facts
        if facts is None:
            facts = pd.DataFrame("", index=runs, columns=["group", "type", "pooled"])
        return {
            "systems": facts.reindex(runs),
            "topics": self._topics(),
            "lists": self._table("lists", code),
            "relevant": self._relevant(),
            "hits": self._table("hits", code, ["grade"]),
            "pools": self._pools(),
            "judged": self._table("judged", code) if self.keep_judged else None,
            "unsampled": self._table("unsampled", code) if (grade < 0).any() else None,
        }

    def _table(self, table, code, extra=()):
        columns = [*TABLES[f"{table}.parquet"], *extra]
        rows = np.concatenate([np.empty((0, len(columns)), np.int32), *self.rows[table]])
        rows[:, 1] = code[rows[:, 1]]
        # Within a list the rows come by rank already.
        order = np.argsort(rows[:, 0] * np.int64(len(code)) + rows[:, 1], kind="stable")
        return pd.DataFrame(rows[order], columns=columns, dtype=np.int64)

    def _topics(self):
        topic, grade = self.judgements["topic"], self.judgements["grade"]
        count = {"judged": topic[grade >= 0], "relevant": topic[grade > 0]}
        return pd.DataFrame(
            {
                column: pd.array(np.bincount(of, minlength=len(self.topics)), dtype="Int32")
                for column, of in count.items()
            },
            index=pd.Index(self.topics, name="topic"),
        )

    def _relevant(self):
        frame = pd.DataFrame(self.judgements)
        return frame[frame["grade"] > 0].sort_values(["topic", "document"], ignore_index=True)

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

    Documents are known by 57 bits of their hashes, which takes a tenth of the memory of their
    names: among 100,000 documents of a topic, two coincide with a chance of one in 29 million.
    The other seven bits hold the rank, so that sorted rows say at once what is shallowest.
    """

    def __init__(self):
        self.merged = np.empty(0, POOL_ROW)
        self.fresh, self.size = [], 0

    def add(self, rows):
        self.fresh.append(rows)
        self.size += len(rows)
        # Seldom enough that the time stays in proportion to what is added.
        if self.size > max(len(self.merged), MERGE_AT):
            self._merge()

    def _merge(self):
        rows = np.concatenate([self.merged, *self.fresh])
        rows = rows[np.argsort(rows["topic"], kind="stable")]
        topic, key = rows["topic"], rows["key"]
        for of_topic in np.split(key, np.flatnonzero(np.diff(topic)) + 1):
            of_topic.sort()
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (topic[1:] != topic[:-1]) | ((key[1:] ^ key[:-1]) > RANK)
        self.merged, self.fresh, self.size = rows[first], [], 0

    def sizes(self, topics):
        """Return the number of documents at each depth, topic by topic."""
        self._merge()
        rank = (self.merged["key"] & RANK).astype(np.int64)
        cell = self.merged["topic"].astype(np.int64) * POOL_DEPTH + rank - 1
        counts = np.bincount(cell, minlength=topics * POOL_DEPTH).reshape(topics, POOL_DEPTH)
        return counts.cumsum(axis=1).ravel()


def natural(topic: str) -> tuple[int, int, str, str]:
    """Return a key that orders topics by number where they are numbers, by text where not."""
    if topic.isascii() and topic.isdecimal():
        number = topic.lstrip("0")
        return 0, len(number), number, topic
    return 1, 0, topic, topic
