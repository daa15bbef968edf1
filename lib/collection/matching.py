"""What some ranked lists have to do with the judgements: rows of tables, from one run at a time.

A :class:`Matching` knows the judgements and nothing of any run, so that it can be sent to other
processes and machines, which match runs on their own.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lib.collection.names import Directory, Lists, Numbers, hashed

__all__ = ["Matching", "POOL_DEPTH", "POOL_ROW", "RANK"]

POOL_DEPTH = 100  # the deepest pool whose size is kept
RANK = np.uint64(127)  # the bits of a pool's row that hold a rank
POOL_ROW = np.dtype([("topic", np.int32), ("key", np.uint64)])


class Matching:
    """Finds judged documents in lists.

    Parameters
    ----------
    topics : list of str
        In the order of their codes.
    qrels : dict of str to dict
        Topic to document to grade (negative: in the pool, not judged).
    rel : int
        The lowest grade that counts as relevant.
    judged : bool
        Keep the ranks of judged non-relevant documents.
    """

    def __init__(
        self, topics: list[str], qrels: Mapping[str, Mapping[Any, int]], *, rel: int, judged: bool
    ):
        self.topic_code = {topic: code for code, topic in enumerate(topics)}
        self.keep_judged = judged
        self.numbers = Numbers()
        documents, self.judgements = _judgements([qrels[topic] for topic in topics], rel)
        names = self.numbers.words(documents)
        seeds = self.numbers.seeds(topics)[self.judgements["topic"]]
        self.directory = Directory(names, hashed(names, seeds))

    def rows(self, lists: Lists, system: int) -> dict[str, np.ndarray]:
        """Return what the tables and pools take from some lists of a system.

        Parameters
        ----------
        lists : Lists
            No document stands twice in a list.
        system : int
            Its code.

        Returns
        -------
        dict of str to ndarray
            Rows of ``lists``, ``hits``, ``judged``, ``unsampled``; ``pool``, the documents down to
            rank :data:`POOL_DEPTH`: 57 bits of a hash, and the rank in the other seven.
        """
        topic = np.array([self.topic_code.get(topic, -1) for topic in lists.topics], dtype=int)
        first, length, known = lists.bounds[:-1], np.diff(lists.bounds), topic >= 0
        row = self.directory.find(lists.names, lists.keys)
        at = np.flatnonzero(row >= 0)
        row, of_list = row[at], np.searchsorted(first, at, side="right") - 1
        number, grade = self.judgements["document"][row], self.judgements["grade"][row]
        so_far = np.cumsum(grade == 0)
        above = so_far - np.append(0, so_far)[np.searchsorted(at, first)][of_list]
        found = _table(topic[of_list], system, at + 1 - first[of_list], number, above, grade)
        top = np.where(known, np.minimum(length, POOL_DEPTH), 0)
        rank = np.arange(1, top.sum() + 1) - np.repeat(np.cumsum(top) - top, top)
        return {
            "lists": _table(topic[known], system, length[known]),
            "hits": found[grade > 0],
            "judged": found[(grade == 0) & self.keep_judged, :4],
            "unsampled": found[grade < 0, :4],
            "pool": _pool_rows(
                np.repeat(topic, top), lists.keys[np.repeat(first, top) + rank - 1], rank
            ),
        }


def _pool_rows(topic, key, rank):
    """Return documents as a pool takes them; no rank is above 127."""
    rows = np.empty(len(topic), POOL_ROW)
    rows["topic"] = topic
    rows["key"] = key & ~RANK | rank.astype(np.uint64)
    return rows


def _table(*columns):
    """Return columns, the first of them an array, as a table of 32-bit integers."""
    table = np.empty((len(columns[0]), len(columns)), dtype=np.int32)
    for number, column in enumerate(columns):
        table[:, number] = column
    return table


def _judgements(qrels, rel):
    """Return pooled documents, and the topic, number and grade (or 0 below ``rel``) of each.

    Relevant, non-relevant and unjudged documents of a topic are numbered apart, each in the order
    of their names, so that no order of files matters.
    """
    documents = []
    topics, grades = [np.empty(0, dtype=int)], [np.empty(0, dtype=int)]
    for topic, judged in enumerate(qrels):
        some = sorted(judged)
        documents += some
        topics.append(np.full(len(some), topic))
        grades.append(np.fromiter(map(judged.__getitem__, some), int, len(some)))
    topic, grade = np.concatenate(topics), np.concatenate(grades)
    grade[(grade >= 0) & (grade < rel)] = 0
    number = np.empty(len(grade), dtype=int)
    for kind in (grade > 0, grade == 0, grade < 0):
        number[kind] = np.arange(kind.sum()) - np.searchsorted(topic[kind], topic[kind])
    return documents, {"topic": topic, "document": number, "grade": grade}
