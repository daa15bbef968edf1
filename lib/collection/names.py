"""Names of documents as rows of 64-bit words: compared, ordered and found many at a time.

A name of up to :data:`LONGEST` bytes is its own bytes, eight a word, the first byte the most
significant, so that words compare as bytes do; zeros fill the last one.  No name in a file holds a
zero byte.  What names a document otherwise, a longer name or a value of Python, gets a number,
which stands for it in one word that begins with a zero byte.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["LONGEST", "Directory", "Lists", "Numbers", "as_bytes", "hashed", "words_at"]

LONGEST = 256  # bytes; the names of TREC's documents have less than 40

# The word that keeps the first n bytes of eight.
FIRST = np.array([(1 << 64) - (1 << 8 * (8 - n)) for n in range(9)], dtype=np.uint64)


@dataclass(frozen=True)
class Lists:
    """Ranked lists of documents, one a topic.

    Attributes
    ----------
    topics : list of str
    bounds : ndarray of int, shape (topics + 1,)
        Where each list begins, and where the last one ends.
    names : ndarray of uint64, shape (words, documents)
        The documents of all lists, best first in each.
    """

    topics: list[str]
    bounds: np.ndarray
    names: np.ndarray


def words_at(text: np.ndarray, start: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Return the names at some places of a text, as words.

    Parameters
    ----------
    text : ndarray of uint8
        With :data:`LONGEST` bytes after the last name.
    start, length : ndarray of int, shape (names,)

    Returns
    -------
    ndarray of uint64, shape (words, names)

    Examples
    --------
    >>> text = np.frombuffer(b"d1 FBIS3-10009".ljust(300), np.uint8)
    >>> as_bytes(words_at(text, np.array([0, 3]), np.array([2, 11])))
    [b'd1', b'FBIS3-10009']
    """
    count = -(-int(length.max(initial=1)) // 8)
    # Every place of the text as the beginning of a name: nothing is copied but what is asked for.
    windows = np.ndarray(len(text) - 8 * count + 1, f"V{8 * count}", text, strides=(1,))
    words = windows[start].view(">u8").reshape(len(start), count).T.astype(np.uint64, order="C")
    for number, word in enumerate(words):
        word &= FIRST[np.clip(length - 8 * number, 0, 8)]
    return words


def as_bytes(words: np.ndarray) -> list[bytes]:
    """Return the names that words stand for; see :func:`words_at`."""
    rows = np.ascontiguousarray(words.T, dtype=">u8")
    return rows.view(f"S{8 * len(words)}").ravel().tolist()


def hashed(words: np.ndarray, seed: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash of each name; the order of words matters, their number does not.

    Parameters
    ----------
    words : ndarray of uint64, shape (words, names)
    seed : ndarray of int, shape (names,)
        Names of different seeds have different hashes.
    """
    keys = _mixed(seed.astype(np.uint64) + np.uint64(1))
    for word in words:
        keys = np.where(word, _mixed(keys ^ word), keys)
    return keys


def _mixed(keys):
    """Spread each bit over the whole word (the last step of MurmurHash3)."""
    keys = (keys ^ (keys >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    keys = (keys ^ (keys >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return keys ^ (keys >> np.uint64(33))


class Numbers:
    """Gives a number to each document that has no name of its own in words."""

    def __init__(self):
        self.of: dict[Hashable, int] = {}

    def words(self, documents: Iterable[Hashable]) -> np.ndarray:
        """Return documents as words: names in bytes, or whatever names a document in Python.

        >>> Numbers().words([b"d1", "d1", 7, "d1"])[0] % 1000
        array([744,   1,   2,   1], dtype=uint64)
        """
        names = [self._name(document) for document in documents]
        width = -(-max(map(len, names), default=1) // 8) * 8
        rows = np.array(names, f"S{width}").view(">u8").reshape(len(names), width // 8)
        return rows.T.astype(np.uint64, order="C")

    def lists(self, lists: Mapping[str, Sequence[Hashable]]) -> Lists:
        """Return ranked lists written down in Python: topic to documents, best first."""
        bounds = np.cumsum([0, *map(len, lists.values())])
        documents = [document for of_topic in lists.values() for document in of_topic]
        return Lists(list(lists), bounds, self.words(documents))

    def _name(self, document):
        if isinstance(document, bytes) and len(document) <= LONGEST and b"\0" not in document:
            return document
        return self.of.setdefault(document, len(self.of) + 1).to_bytes(8, "big")


class Directory:
    """Finds names among known ones, by hash; each find is confirmed by the whole name.

    The hashes stand in their own order in a table that is mostly empty, each at the place that
    its first bits say, or at the next free one.

    Parameters
    ----------
    words : ndarray of uint64, shape (words, names)
        The known names, no two the same with the same seed.
    seed : ndarray of int, shape (names,)

    Examples
    --------
    >>> words = Numbers().words([b"FT911-1", b"FT911-2"])
    >>> known = Directory(words, np.array([0, 0]))
    >>> known.find(words, hashed(words, np.array([0, 1])))
    array([ 0, -1])
    """

    def __init__(self, words: np.ndarray, seed: np.ndarray):
        keys = hashed(words, seed)
        order = np.argsort(keys)
        bits = max(1, len(keys)).bit_length() + 3
        self.shift = np.uint64(64 - bits)
        home, turn = (keys[order] >> self.shift).astype(np.int64), np.arange(len(keys))
        place = np.maximum.accumulate(home - turn) + turn
        self.steps = int((place - home).max(initial=0)) + 1
        self.rows = np.full((1 << bits) + len(keys), -1)
        self.keys = np.zeros(len(self.rows), dtype=np.uint64)
        self.rows[place], self.keys[place] = order, keys[order]
        self.words = words

    def find(self, words: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the position of each name among the known ones, -1 where it is not.

        Parameters
        ----------
        words : ndarray of uint64, shape (words, names)
        keys : ndarray of uint64
            Their hashes, by the seed with which they are looked for.
        """
        found = np.full(len(keys), -1)
        place = (keys >> self.shift).astype(np.int64)
        for step in range(self.steps):
            at = np.flatnonzero(self.keys[place + step] == keys)
            row = self.rows[place[at] + step]
            same = row >= 0
            for number in range(max(len(self.words), len(words))):
                same &= _word(self.words, number, row) == _word(words, number, at)
            found[at[same]] = row[same]
        return found


def _word(words, number, names):
    """Return one word of some names: 0 beyond the last."""
    return words[number][names] if number < len(words) else 0
