"""Read TREC runs and judgements that are plainly well-formed, all lines of a block at once.

Here a file is an array of bytes from beginning to end, and no line is looked at alone.  Any
unusual file is left to ``trec``, which reads line by line: a file with a mistake, so that one place
says what it is, and some sound ones too, such as those with blank lines, or with lines of one topic
apart.  Both ways read the same.
"""

import codecs
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from lib.collection.memory import keep_memory
from lib.collection.names import LONGEST, Judged, Lists, as_bytes, hashed, words_at
from lib.collection.text_files import DAMAGED, MAX_LINE, open_bytes
from lib.paths import AnyPath

_RUN, _QRELS = 6, 4  # columns
# Numbers that Python reads in the time that Arrow takes to be imported, and how many were read.
_BY_PYTHON, _read = 100_000, 0
_BLOCK = 1 << 21  # bytes read at a time, most runs of TREC at once
_MOST = 1 << 26  # bytes of one topic; all of a block is in memory, several times
# Text, begin and end of each column of each line, topics, and the bounds of their lines.
Block: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, list[str], np.ndarray]


class FallbackNeeded(Exception):
    """A file that has to be read line by line."""


def read_blocks(path: AnyPath, *, scores: str = "double") -> Iterator[Lists]:
    """Yield the ranked lists of a run, some topics at a time, or raise FallbackNeeded."""
    for text, start, end, topics, bounds in _blocks(path, _RUN):
        values = _numbers(text, start[4], end[4])
        habits = _habits(text, start, end, bounds, values)
        if scores == "single":
            habits["single"] = 0
            with np.errstate(over="ignore"):
                values = values.astype(np.float32)
        names, keys = _documents(text, start, end, bounds)
        order = _order(bounds, values, names)
        yield Lists(topics, bounds, names[:, order], keys[order], habits)


def read_judged_blocks(path: AnyPath) -> Iterator[Judged]:
    """Yield judgements, some topics at a time, or raise FallbackNeeded."""
    for text, start, end, topics, bounds in _blocks(path, _QRELS):
        grades = _numbers(text, start[3], end[3])
        if (grades % 1 != 0).any() or (abs(grades) >= 2**31).any():
            raise FallbackNeeded
        documents = Lists(topics, bounds, *_documents(text, start, end, bounds))
        yield Judged(documents, grades.astype(int))


def _documents(
    text: np.ndarray, start: np.ndarray, end: np.ndarray, bounds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the names of the documents of all lines, and their hashes with their topics."""
    names = _names(text, start[2], end[2])
    seeds = hashed(_names(text, start[0, bounds[:-1]], end[0, bounds[:-1]]))
    keys = hashed(names, np.repeat(seeds, np.diff(bounds)))
    # A line puts its number where the first bits of its hash say; the last to come there stays.
    bits = len(keys).bit_length() + 2
    place, line = (keys >> np.uint64(64 - bits)).astype(np.int64), np.arange(len(keys))
    last = np.empty(1 << bits, dtype=np.int32)
    last[place] = line
    here = last[place]
    lost = np.flatnonzero(here != line)
    again = np.sort(keys[lost])
    if (keys[here[lost]] == keys[lost]).any() or (again[1:] == again[:-1]).any():
        raise FallbackNeeded  # a document twice in a topic, or two of one hash
    return names, keys


def _blocks(path: AnyPath, columns: int) -> Iterator[Block]:
    """Yield the blocks of a file; the lines of a topic come together."""
    seen: set[str] = set()
    keep_memory()
    try:
        if not Path(path).is_file():
            raise FallbackNeeded  # a pipe could not be read a second time
        with open_bytes(path) as file:
            if file.peek(3).startswith((codecs.BOM_UTF8, b"{")):
                raise FallbackNeeded  # JSON begins with a brace
            if file.peek(MAX_LINE).split(b"\n", 1)[0].count(b"\t") == 2:
                raise FallbackNeeded  # a table of three columns, whose names may have blanks
            rest, more = b"", True
            while more:
                # A topic that does not end within a block is read on: twice as much each time.
                if len(rest) > _MOST:
                    raise FallbackNeeded
                fresh = file.read(max(_BLOCK, len(rest)))
                more = bool(file.peek(1))
                last = b"" if more or fresh.endswith(b"\n") else b"\n"
                # Put together at once, it is copied once; a name has room after the last line.
                block = b"".join((b" ", rest, fresh, last, b" " * LONGEST))
                text, start, end = _columns(block, columns)
                topics, bounds = _topics(text, start[0], end[0])
                if more:
                    # The last topic may go on in the next block.
                    bounds = bounds[:-1]
                    rest = block[start[0, bounds[-1]] + 1 : -LONGEST]
                    topics.pop()
                if len(seen.union(topics)) < len(seen) + len(topics):
                    raise FallbackNeeded  # the lines of a topic stand apart
                seen.update(topics)
                if topics:
                    yield text, start[:, : bounds[-1]], end[:, : bounds[-1]], topics, bounds
    except DAMAGED:
        raise FallbackNeeded from None


def _columns(block: bytes, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a block as an array of bytes, and where the columns of its lines begin and end.

    The text is the block from its second byte on; what stands beyond its last line is left alone.
    """
    padded = np.frombuffer(block, np.uint8)
    whole = padded[: block.rfind(b"\n") + 1]
    blank = whole <= 32
    # Where the next byte is of the other kind: in the text, the first byte of a column, and the
    # first one after it.
    text, edges = padded[1:], np.flatnonzero(blank[1:] != blank[:-1])
    lines, left = divmod(len(edges), 2 * columns)
    if left or not lines:
        raise FallbackNeeded
    start, end = edges.reshape(-1, columns, 2).T
    if (text[start[0]] == ord("#")).any():
        raise FallbackNeeded  # a comment, to be passed over
    newline = end[-1].copy()  # in one piece: it is looked at more often than the others
    # Most files have no control character but tabs, and a newline right after each last column.
    control = np.count_nonzero(whole < 32) - np.count_nonzero(whole == 9)
    if control > lines or (text[newline] != 10).any():
        newline = _newlines(whole[1:], start[0], end[-1])
    if (newline[1:] - newline[:-1]).max(initial=newline[0] + 1) > MAX_LINE:
        raise FallbackNeeded
    return text, start, end


def _newlines(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return where the lines end, each after its last column; other white space is in doubt."""
    count = {code: np.count_nonzero(text == code) for code in (9, 10, 13)}
    newline = np.flatnonzero(text == 10)
    if count[10] != len(start) or sum(count.values()) < np.count_nonzero(text < 32):
        raise FallbackNeeded  # more or fewer lines than there should be; a zero byte
    if (newline < end).any() or (newline[:-1] > start[1:]).any():
        raise FallbackNeeded  # a line with more columns, and one with less
    return newline


def _topics(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return the topics in the order of the lines, and the bounds of their lines."""
    words = _names(text, start, end)
    changed = (words[:, 1:] != words[:, :-1]).any(axis=0)
    first = np.concatenate(([0], np.flatnonzero(changed) + 1))
    try:
        topics = [name.decode() for name in as_bytes(words[:, first]).tolist()]
    except UnicodeDecodeError:
        raise FallbackNeeded from None
    if not all(map(str.isprintable, topics)):  # refused, a byte-order mark too
        raise FallbackNeeded
    return topics, np.append(first, len(start))


def _names(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    length = end - start
    if length.max() > LONGEST:
        raise FallbackNeeded
    return words_at(text, start.copy(), length)


def _habits(
    text: np.ndarray, start: np.ndarray, end: np.ndarray, bounds: np.ndarray, values: np.ndarray
) -> dict[str, int]:
    """Count, of neighbours in a list, those with scores as :mod:`lib.collection.derive` says."""
    inside = np.ones(len(values) - 1, dtype=bool)
    inside[bounds[1:-1] - 1] = False
    with np.errstate(over="ignore"):
        close = values.astype(np.float32)
    tied = (values[1:] == values[:-1]) & inside
    alike = (close[1:] == close[:-1]) & inside
    rises = (values[1:] >= values[:-1]) & inside
    counts = dict.fromkeys(("rising", "level"), 0)
    counts |= {"neighbours": int(inside.sum()), "single": int(alike.sum() - tied.sum())}
    if counts["neighbours"] and (rises == inside).all():
        with suppress(FallbackNeeded):  # ranks that are no numbers say nothing
            ranks = _numbers(text, start[3], end[3])
            if (ranks[1:] > ranks[:-1])[inside].all():
                habit = "level" if (tied == inside).all() else "rising"
                counts[habit] = counts["neighbours"]
    return counts


def _order(bounds: np.ndarray, values: np.ndarray, names: np.ndarray) -> slice | np.ndarray:
    """Return the order of reading: list by list, by score and then by name, both descending."""
    order: Any = slice(None)
    rises, tied = values[1:] > values[:-1], values[1:] == values[:-1]
    rises[bounds[1:-1] - 1] = tied[bounds[1:-1] - 1] = False
    if rises.any():
        order = np.lexsort((-values, np.repeat(bounds[:-1], np.diff(bounds))))
        tied = values[order[1:]] == values[order[:-1]]
        tied[bounds[1:-1] - 1] = False
    if tied.any():
        order = np.arange(len(values))[order]
        # Few scores are equal, most of those of two documents: only these are ordered by name.
        near = np.concatenate(([False], tied, [False]))
        two = np.flatnonzero(tied & ~near[:-2] & ~near[2:])
        first, second = order[two], order[two + 1]
        later = _below(names[:, first], names[:, second])
        order[two[later]], order[two[later] + 1] = second[later], first[later]
        tied[two] = False
        at = np.flatnonzero(np.append(tied, False) | np.insert(tied, 0, False))
        some, place = order[at], np.cumsum(np.insert(~tied, 0, True))[at]
        order[at] = some[np.lexsort((*~names[::-1, some], place))]
    return order


def _below(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which names stand before the others in the order of bytes."""
    below = some[-1] < others[-1]
    for one, other in zip(some[-2::-1], others[-2::-1]):
        below = (one < other) | (one == other) & below
    return below


def _numbers(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return decimal numbers, each the nearest double, as Python reads them."""
    global _read
    _read += len(start)
    values = _by_python(text, start, end) if _read <= _BY_PYTHON else _by_arrow(text, start, end)
    if not np.isfinite(values).all():
        raise FallbackNeeded
    return values


def _by_python(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    words, places = text.tobytes(), zip(start.tolist(), end.tolist())
    try:
        values = [float(words[one:other]) for one, other in places]
    except ValueError:
        raise FallbackNeeded from None
    if b"_" in words and any(b"_" in words[one:other] for one, other in zip(start, end)):
        raise FallbackNeeded  # 1_000 is a number to Python alone
    return np.array(values)


def _by_arrow(text: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    import pyarrow as pa

    if len(text) >= 2**31:
        raise FallbackNeeded  # Arrow counts in 32 bits
    # To Arrow the numbers, and what stands between them, are strings one after the other, of which
    # each second one is missing.
    bounds = np.stack([start, end], axis=1, dtype=np.int32, casting="unsafe").ravel()
    there = np.full(len(start) // 4 + 1, 0b01010101, dtype=np.uint8)
    buffers = [pa.py_buffer(buffer) for buffer in (there, bounds, text)]
    strings = pa.Array.from_buffers(pa.string(), len(bounds) - 1, buffers)
    try:
        _, numbers = strings.cast(pa.float64()).buffers()
    except pa.ArrowInvalid:
        raise FallbackNeeded from None
    return np.frombuffer(numbers, count=len(bounds) - 1)[::2]
