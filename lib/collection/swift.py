"""Read TREC files that are plainly well-formed, all lines of a block at once.

Here a file is an array of bytes from beginning to end, and no line is looked at alone.  What is
not taken without doubt is left to the strict reader (:mod:`lib.collection.strict`): a file with
any mistake, so that there is one place that says what it is, and some sound ones too, such as
those with blank lines, or with lines of one topic apart.  What is read is the same on both roads.
"""

import codecs
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lib.collection.names import LONGEST, Lists, as_bytes, hashed, words_at
from lib.collection.text_files import DAMAGED, MAX_LINE, opened
from lib.paths import AnyPath

__all__ = ["Doubt", "read_qrels", "read_run"]

BLOCK = 1 << 20  # bytes read at a time; what they are taken apart into fits a processor's cache
BEFORE = 17  # blanks before a block: one to end at its first byte, 16 to look back from a score
EXACT = 1 << 53  # integers up to here are doubles

Block = tuple[np.ndarray, np.ndarray, np.ndarray, list[str], np.ndarray]


class Doubt(Exception):
    """A file that the strict reader has to judge."""


def read_run(path: AnyPath, *, scores: str = "double") -> Iterator[Lists]:
    """Yield the ranked lists of a run, some topics at a time.

    Parameters
    ----------
    path : path
    scores : {"double", "single"}
        As for :func:`lib.collection.read_run`.

    Raises
    ------
    Doubt
        The file is for the strict reader; what was yielded before does not count.
    """
    for text, start, end, topics, bounds in _blocks(path, columns=6):
        values = _numbers(text, start[4], end[4])
        if scores == "single":
            with np.errstate(over="ignore"):
                values = values.astype(np.float32)
        names = _names(text, start[2], end[2])
        seeds = hashed(_names(text, start[0, bounds[:-1]], end[0, bounds[:-1]]))
        keys = hashed(names, np.repeat(seeds, np.diff(bounds)))
        ascending = np.sort(keys)
        if (ascending[1:] == ascending[:-1]).any():
            raise Doubt  # a document twice in a topic, or two of one hash
        order = _order(bounds, values, names)
        yield Lists(topics, bounds, names[:, order], keys[order])


def read_qrels(path: AnyPath) -> dict[str, dict[bytes, int]]:
    """Return relevance judgements, as :func:`lib.collection.read_qrels` does, or raise Doubt."""
    judgements = {}
    for text, start, end, topics, bounds in _blocks(path, columns=4):
        documents = as_bytes(_names(text, start[2], end[2]))
        grades = _grades(text, start[3], end[3])
        for topic, first, last in zip(topics, bounds, bounds[1:]):
            judgements[topic] = dict(zip(documents[first:last], grades[first:last]))
            if len(judgements[topic]) < last - first:
                raise Doubt
    return judgements


def _blocks(path, *, columns) -> Iterator[Block]:
    """Yield text, begin and end of each column of each line, topics, and the bounds of their lines.

    The lines of a topic come together.
    """
    seen: set[str] = set()
    if not Path(path).is_file():
        raise Doubt  # a pipe could not be read a second time
    try:
        with opened(path) as file:
            if file.peek(3).startswith(codecs.BOM_UTF8):
                raise Doubt
            rest, more = b"", True
            while more:
                # A topic that does not end within a block is read on: twice as much each time.
                block = rest + file.read(max(BLOCK, len(rest)))
                more = bool(file.peek(1))
                if not (more or block.endswith(b"\n")):
                    block += b"\n"
                text, start, end = _columns(block[: block.rfind(b"\n") + 1], columns)
                topics, bounds = _topics(text, start[0], end[0])
                if more:
                    # The last topic may go on in the next block.
                    bounds = bounds[:-1]
                    rest = block[start[0, bounds[-1]] - BEFORE + 1 :]
                    topics.pop()
                if len(seen.union(topics)) < len(seen) + len(topics):
                    raise Doubt  # the lines of a topic stand apart
                seen.update(topics)
                if topics:
                    yield text, start[:, : bounds[-1]], end[:, : bounds[-1]], topics, bounds
    except DAMAGED:
        raise Doubt from None


def _columns(block, columns):
    """Return a block as an array of bytes, and where the columns of its lines begin and end."""
    padded = np.frombuffer(b" " * BEFORE + block + b" " * LONGEST, np.uint8)
    blank = padded <= 32
    # Where the next byte is of the other kind: the text is taken from the second byte on, so that
    # these are the first byte of a column, and the first one after it.
    text, edges = padded[1:], np.flatnonzero(blank[1:] != blank[:-1])
    lines = np.count_nonzero(text == 10)
    if not lines or len(edges) != 2 * columns * lines:
        raise Doubt
    other = np.count_nonzero(text < 32) - lines - np.count_nonzero(text == 9)
    if other and other != np.count_nonzero(text == 13):
        raise Doubt  # other white space, a zero byte
    start, end = edges.reshape(-1, columns, 2).T
    newline = end[-1]
    if (text[newline] != 10).any():
        newline = np.flatnonzero(text == 10)
        if (newline < end[-1]).any() or (newline[:-1] > start[0, 1:]).any():
            raise Doubt  # a line with more columns, and one with less
    if np.diff(newline, prepend=BEFORE - 2).max() > MAX_LINE:
        raise Doubt
    return text, start, end


def _topics(text, start, end):
    """Return the topics in the order of the lines, and the bounds of their lines."""
    words = _names(text, start, end)
    changed = (words[:, 1:] != words[:, :-1]).any(axis=0)
    first = np.concatenate(([0], np.flatnonzero(changed) + 1))
    try:
        topics = [name.decode() for name in as_bytes(words[:, first])]
    except UnicodeDecodeError:
        raise Doubt from None
    return topics, np.append(first, len(start))


def _names(text, start, end):
    length = end - start
    if length.max() > LONGEST:
        raise Doubt
    return words_at(text, start, length)


def _order(bounds, values, names):
    """Return the order of reading: list by list, by score and then by name, both descending."""
    order: slice | np.ndarray = slice(None)
    rises, tied = values[1:] > values[:-1], values[1:] == values[:-1]
    rises[bounds[1:-1] - 1] = tied[bounds[1:-1] - 1] = False
    if rises.any():
        order = np.lexsort((-values, np.repeat(bounds[:-1], np.diff(bounds))))
        tied = values[order[1:]] == values[order[:-1]]
        tied[bounds[1:-1] - 1] = False
    if tied.any():
        order = np.arange(len(values))[order]
        # Few scores are equal: only their documents are ordered by name.
        group = np.cumsum(np.concatenate(([True], ~tied)))
        at = np.flatnonzero(np.append(tied, False) | np.insert(tied, 0, False))
        some = order[at]
        by_name = [~word[some] for word in names[::-1]]
        order[at] = some[np.lexsort((*by_name, group[at]))]
    return order


# Numbers in text: arithmetic on eight digits at a time, each in its byte of a word.

EACH = 0x0101010101010101  # times a byte: that byte eight times
LOW, HIGH = np.uint64(0x7F * EACH), np.uint64(0x80 * EACH)
ZERO, POINT, UP_TO_9 = np.uint64(ord("0") * EACH), np.uint64(ord(".") * EACH), np.uint64(118 * EACH)
LAST = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)  # keeps the last n of eight
TENS = 10 ** np.arange(17)


def _numbers(text, start, end):
    """Return decimal numbers, each the nearest double; Doubt for what is no finite number.

    A number of up to 16 characters is an integer with a point somewhere.  Where that integer and
    the power of ten are doubles, their quotient is the nearest one to the number.  Python reads
    all others.
    """
    sign = text[start]
    length = end - start - ((sign == ord("-")) | (sign == ord("+")))
    # The 16 bytes that end with the number.
    windows = np.ndarray(len(text) - 15, "V16", text, strides=(1,))
    halves = windows[end - 16].view(">u8").reshape(-1, 2).T.astype(np.uint64)
    high, points_high, wrong_high = _digits(halves[0], length - 8)
    low, points_low, wrong_low = _digits(halves[1], length)
    points = np.bitwise_count(points_high) + np.bitwise_count(points_low)
    # How many digits follow the point; its mark is the highest bit of its byte.
    decimals = np.where(
        points_low,
        np.bitwise_count(points_low - np.uint64(1)) >> 3,
        8 + (np.bitwise_count(points_high - np.uint64(1)) >> 3),
    )
    decimals[points == 0] = 0
    value = high * 10**8 + low
    # The point was read as a digit 0: what stands before it is ten times too large.
    before = value // TENS[decimals + 1] * (points == 1)
    value -= before * (9 * TENS[decimals])
    sound = (length <= 16) & (length > points) & (points <= 1) & ~wrong_high & ~wrong_low
    result = np.where(sign == ord("-"), -1.0, 1.0) * value / TENS[decimals]
    others = np.flatnonzero(~(sound & (value <= EXACT)))
    if len(others):
        result[others] = _floats(as_bytes(_names(text, start[others], end[others])))
    return result


def _digits(word, length):
    """Read the last digits of eight bytes: their number, marks of the points, what is no digit."""
    kept = LAST[np.clip(length, 0, 8)]
    point = word ^ POINT
    point = ~(((point & LOW) + LOW) | point | LOW) & kept  # the highest bit of a byte that is 0
    # Zeros instead of the other bytes and of the points.
    digits = np.where(kept, word ^ ZERO, 0) & kept & ~(point | point - (point >> np.uint64(7)))
    wrong = (((digits + UP_TO_9) | digits) & HIGH) != 0
    for bits, base in ((8, 10), (16, 100), (32, 10_000)):
        lower = np.uint64(((1 << 64) - 1) // ((1 << bits) + 1))  # every other group of bits
        digits = ((digits >> np.uint64(bits)) & lower) * np.uint64(base) + (digits & lower)
    return digits.astype(np.int64), point, wrong


def _floats(tokens):
    try:
        values = list(map(float, tokens))
    except ValueError:
        raise Doubt from None
    if not all(map(math.isfinite, values)) or b"_" in b"".join(tokens):
        raise Doubt
    return values


def _grades(text, start, end):
    """Return the grades, which are few: each is read once."""
    words, which = np.unique(_names(text, start, end), axis=1, return_inverse=True)
    values = []
    for token in as_bytes(words):
        try:
            values.append(int(token))
        except ValueError:
            raise Doubt from None
        if abs(values[-1]) >= 2**31 or b"_" in token:
            raise Doubt
    return np.array(values)[which].tolist()
