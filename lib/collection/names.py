"""Names of documents as rows of 64-bit words: compared, ordered and found many at a time.

A name of up to :data:`LONGEST` bytes is its own bytes, eight a word, the first byte the most
significant, so that words compare as bytes do; zeros fill the last one.  A longer name stands as a
digest after a zero byte, which no name in a file holds.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from lib.errors import InputError

LONGEST = 256  # bytes; the names of TREC's documents have less than 40

# The word that keeps the n most significant bytes of eight, at n + LONGEST; n may be out of range.
_KEPT = np.array(
    [(1 << 64) - (1 << 8 * min(max(8 - n, 0), 8)) for n in range(-LONGEST, LONGEST + 1)],
    dtype=np.uint64,
)


@dataclass(frozen=True)
class Lists:
    """Ranked lists of documents, one a topic."""

    topics: list[str]
    bounds: np.ndarray  # where each list begins, and where the last one ends
    names: np.ndarray  # of the documents of all lists, best first in each: words x documents
    keys: np.ndarray  # hashes of topic and document together
    # What is odd about the scores, where that was looked at: see lib.collection.derive.
    habits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """Judged documents of each topic, and the grade of each (negative: in the pool, not judged)."""

    documents: Lists
    grades: np.ndarray


def words_at(text: np.ndarray, start: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return the names at some places of a text as words, shape (words, names).

    The text, an array of bytes, has :data:`LONGEST` bytes after the last name.

    Examples
    --------
    >>> text = np.frombuffer(b"d1 FBIS3-10009".ljust(300), np.uint8)
    >>> as_bytes(words_at(text, np.array([0, 3]), np.array([2, 11])))
    array([b'd1', b'FBIS3-10009'], dtype='|S16')
    """
    count = -(-int(length.max(initial=1)) // 8)
    # Every place of the text as the beginning of a name: nothing is copied but what is asked for.
    windows = np.ndarray(len(text) - 8 * count + 1, f"V{8 * count}", text, strides=(1,))
    words = windows[start].view(">u8").reshape(len(start), count).T.astype(np.uint64, order="C")
    for number, word in enumerate(words):
        word &= _KEPT[LONGEST - 8 * number :].take(length)  # what is left beyond the words before
    return words


def as_bytes(words: np.ndarray) -> np.ndarray:
    """Return the names that words stand for, as an array of bytes; see :func:`words_at`."""
    rows = np.ascontiguousarray(words.T, dtype=">u8")
    return rows.view(f"S{8 * len(words)}").ravel()


def hashed(words: np.ndarray, seed: Any = 0) -> np.ndarray:
    """Return a 64-bit hash of each name, which depends on a seed too; fill words change nothing."""
    keys = np.full(words.shape[1], np.uint64(1)) + seed
    for word in words:
        keys = np.where(word, _mixed(keys ^ word), keys)
    return keys


def _mixed(keys: np.ndarray) -> np.ndarray:
    """Spread each bit over the whole word, in place (the last step of MurmurHash3)."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        keys ^= keys >> np.uint64(33)
        keys *= np.uint64(factor)
    keys ^= keys >> np.uint64(33)
    return keys


def as_name(document: Hashable) -> bytes:
    """Return the name of a document: bytes as they are, anything else by its text.

    >>> as_name(b"d1"), as_name("d1"), as_name(7)
    (b'd1', b'd1', b'7')
    """
    if isinstance(document, bytes):
        return document
    return str(document).encode("utf-8", "surrogatepass")


def as_words(names: Iterable[bytes]) -> np.ndarray:
    """Return names as words; see :func:`words_at`."""
    short = [
        name
        if len(name) <= LONGEST and b"\0" not in name
        else b"\0" + blake2b(name, digest_size=31).digest()
        for name in names
    ]
    width = max(1, -(-max(map(len, short), default=0) // 8)) * 8
    rows = np.array(short, f"S{width}").view(">u8").reshape(len(short), width // 8)
    return rows.T.astype(np.uint64, order="C")


def seeds(topics: Iterable[str]) -> np.ndarray:
    """Return the hashes of topics, on which those of their documents depend."""
    return hashed(as_words(map(as_name, topics)))


def as_lists(lists: Mapping[str, Sequence[bytes]]) -> Lists:
    """Return ranked lists: topic to names of documents, best first."""
    length = np.array([len(documents) for documents in lists.values()], dtype=int)
    names = as_words(document for of_topic in lists.values() for document in of_topic)
    keys = hashed(names, np.repeat(seeds(lists), length))
    return Lists(list(lists), np.append(0, np.cumsum(length)), names, keys)


def without_own_documents(lists: Lists) -> Lists:
    """Return lists without the documents that are named like their topic.

    >>> lists = without_own_documents(as_lists({"q1": [b"q1", b"q2"], "q3": [b"q1"]}))
    >>> lists.bounds.tolist(), as_bytes(lists.names).tolist()
    ([0, 1, 2], [b'q2', b'q1'])
    """
    topics = as_words(map(as_name, lists.topics))
    of = np.repeat(np.arange(len(lists.topics)), np.diff(lists.bounds))
    own = np.ones(len(of), dtype=bool)
    for number in range(max(len(topics), len(lists.names))):
        own &= _word(lists.names, number, np.arange(len(of))) == _word(topics, number, of)
    bounds = np.append(0, np.cumsum(~own))[lists.bounds]
    return replace(lists, bounds=bounds, names=lists.names[:, ~own], keys=lists.keys[~own])


def as_judged(qrels: Mapping[str, Mapping[Any, int]]) -> Judged:
    """Return judgements: topic to document to grade."""
    documents = {topic: list(map(as_name, of_topic)) for topic, of_topic in qrels.items()}
    grades = [grade for of_topic in qrels.values() for grade in of_topic.values()]
    for grade in grades:
        if not (abs(grade) < 2**31 and grade == int(grade)):
            raise InputError(f"grade {grade!r} is not a 32-bit integer")
    return Judged(as_lists(documents), np.array(grades, dtype=int))


def join_judged(parts: Sequence[Judged]) -> Judged:
    """Return judgements of different topics, one after the other."""
    lists = [part.documents for part in parts]
    words = max(len(of.names) for of in lists)
    documents = Lists(
        [topic for of in lists for topic in of.topics],
        np.append(0, np.cumsum(np.concatenate([np.diff(of.bounds) for of in lists]))),
        np.hstack([np.pad(of.names, ((0, words - len(of.names)), (0, 0))) for of in lists]),
        np.concatenate([of.keys for of in lists]),
    )
    return Judged(documents, np.concatenate([part.grades for part in parts]))


class Directory:
    """Finds names among known ones, by hash; each find is confirmed by the whole name.

    The hashes stand in their own order in a table that is mostly empty, each at the place that its
    first bits say, or at the next free one.

    Examples
    --------
    >>> words = as_words([b"FT911-1", b"FT911-2"])
    >>> known = Directory(words, hashed(words))
    >>> other = as_words([b"FT911-3"])
    >>> known.find(words[:, ::-1], hashed(words[:, ::-1])), known.find(other, hashed(words)[:1])
    (array([1, 0]), array([-1]))
    """

    def __init__(self, words: np.ndarray, keys: np.ndarray):
        order = np.argsort(keys)
        bits = max(1, len(keys)).bit_length() + 2
        self.shift = np.uint64(64 - bits)
        home, turn = (keys[order] >> self.shift).astype(np.int64), np.arange(len(keys))
        place = np.maximum.accumulate(home - turn) + turn
        self.rows = np.full((1 << bits) + len(keys) + 1, -1)
        self.marks = np.zeros(len(self.rows), dtype=np.uint32)
        self.rows[place], self.marks[place] = order, _marks(keys[order])
        self.words = words

    def find(self, words: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the position of each name among the known ones, -1 where it is not."""
        places = np.full(len(keys), -1)
        asked, marks = np.arange(len(keys)), _marks(keys)
        place = (keys >> self.shift).astype(np.int64)
        while len(asked):
            there = self.marks[place]
            # At an empty place, which holds 0, or at a greater mark nothing of this one can stand,
            # nor beyond: 0 - 1 is the greatest of all.
            on = np.flatnonzero(there - np.uint32(1) < marks)
            asked, place, marks, there = asked[on], place[on], marks[on], there[on]
            at = np.flatnonzero(there == marks)
            row, name = self.rows[place[at]], asked[at]
            same = np.ones(len(at), dtype=bool)
            for number in range(max(len(self.words), len(words))):
                same &= _word(self.words, number, row) == _word(words, number, name)
            places[name[same]] = row[same]
            on = np.delete(np.arange(len(asked)), at[same])
            asked, place, marks = asked[on], place[on] + 1, marks[on]
        return places


def _marks(keys: np.ndarray) -> np.ndarray:
    """Return the first half of hashes, in their order; none is 0."""
    return (keys >> np.uint64(32)).astype(np.uint32) | np.uint32(1)


def _word(words: np.ndarray, number: int, names: np.ndarray) -> np.ndarray | int:
    """Return one word of some names: 0 beyond the last."""
    return words[number][names] if number < len(words) else 0
