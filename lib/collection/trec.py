"""Read TREC run and qrels files as trec_eval does; refuse what is malformed.

A run line is ``topic Q0 docno rank score tag``, a qrels line ``topic iteration docno grade``;
columns are separated by blanks or tabs.  The order of a ranked list is that of its scores, highest
first, and of the document names, last in byte order first, among equal scores.  The rank column is
not used.  Documents stay bytes: their names mean nothing but equality and that order.  A line is
never longer than :data:`MAX_LINE` bytes, so that no file, whatever it is, fills the memory with
one.
"""

import bz2
import codecs
import gzip
import io
import lzma
import math
import struct
import zlib
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow

from lib.errors import InputError, reason
from lib.paths import AnyPath

__all__ = ["MAX_LINE", "lines", "read_qrels", "read_run", "run_files", "system_name", "texts"]

MAX_LINE = 65_536  # bytes; the lines of TREC's own files have less than 100


def _open_zstd(path, mode):
    """Open as gzip.open does; unlike zstandard.open it notices a file that was cut off."""
    return pyarrow.CompressedInputStream(open(path, mode), "zstd")


_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": _open_zstd}
_DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


def run_files(folder: AnyPath) -> dict[str, Path]:
    """Return the run files of a folder, in the order of their system names.

    Parameters
    ----------
    folder : path
        A folder that holds one run a file; hidden files and folders are passed over.

    Returns
    -------
    dict of str to pathlib.Path
        System name to file.

    Raises
    ------
    InputError
        When the folder is missing or empty, two files would name the same system, or a name holds
        control characters or is not UTF-8.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of runs")
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.is_file():
            continue
        name = system_name(path)
        if not name or not name.isprintable():
            # Such a name cannot stand in a table; a name with blanks can.
            raise InputError(f"{folder}: the file name {path.name!r} cannot name a system")
        if name in files:
            raise InputError(f"{path}: names the system {name!r}, as {files[name].name} does")
        files[name] = path
    if not files:
        raise InputError(f"{folder}: holds no run files")
    return dict(sorted(files.items()))


def system_name(path: AnyPath) -> str:
    """Return the system that a run file names.

    It is the file's name without a compression suffix and without NIST's prefix ``input.``; the
    tag inside the file is not used, since files of different systems may share one.

    >>> system_name("runs/input.ok8alx.gz")
    'ok8alx'
    """
    path = Path(path)
    name = path.stem if path.suffix in _OPENERS else path.name
    return name.removeprefix("input.")


def read_run(path: AnyPath, *, scores: str = "double") -> dict[str, list[bytes]]:
    """Return a run's ranked lists in trec_eval's reading order.

    Parameters
    ----------
    path : path
        A run file, plain or compressed (.gz, .bz2, .xz, .zst).
    scores : {"double", "single"}
        The precision in which scores are compared.  trec_eval 10 and the papers of this book
        compare doubles; trec_eval up to version 9 and pytrec_eval compare 32-bit floats, in which
        more scores are equal.

    Returns
    -------
    dict of str to list of bytes
        Topic to document names, best first; topics in the order of their first line.

    Raises
    ------
    InputError
        A line without six columns or of more than :data:`MAX_LINE` bytes, a score that is not a
        finite number, a document twice in a topic, a topic that is not UTF-8, a file without
        lines, a damaged file, a file that is not text.  The message names file and line.
    """
    if scores not in ("double", "single"):
        raise ValueError(f"scores must be 'double' or 'single', not {scores!r}")
    lists: dict[bytes, tuple[array, list[bytes]]] = {}
    for number, (topic, _, document, _, score, _) in _rows(path, columns=6, kind="run"):
        if topic not in lists:
            _check_text(topic, path, number)
            lists[topic] = array("d"), []
        value = _score(score, path, number)
        if scores == "single":
            value = _single(value)
        values, documents = lists[topic]
        values.append(value)
        documents.append(document)
    ranked = {}
    for topic, (values, documents) in lists.items():
        # One comparison of pairs is the whole rule: score, then name, both descending.
        pairs = sorted(zip(values, documents), reverse=True)
        if len(set(documents)) < len(documents):
            raise _repeated(path, topic)
        documents[:] = [document for _, document in pairs]
        ranked[topic.decode()] = documents
    return ranked


def read_qrels(path: AnyPath) -> dict[str, dict[bytes, int]]:
    """Return relevance judgements.

    Parameters
    ----------
    path : path
        A qrels file, plain or compressed.

    Returns
    -------
    dict of str to dict of bytes to int
        Topic to document to grade.  A grade of 0 is judged non-relevant.  A negative grade says
        that the document is not judged, as if its line were not there: TREC writes -1 for one
        that was not in the pool, and -2 for one that was but that no assessor has seen.

    Raises
    ------
    InputError
        A line without four columns or of more than :data:`MAX_LINE` bytes, a grade that is not a
        32-bit integer, a document judged twice in a topic (with the same grade or another), a
        topic that is not UTF-8, a file without lines, a damaged file, a file that is not text.
        The message names file and line.
    """
    judgements: dict[bytes, dict[bytes, int]] = {}
    for number, (topic, _, document, grade) in _rows(path, columns=4, kind="qrels file"):
        if topic not in judgements:
            _check_text(topic, path, number)
            judgements[topic] = {}
        of_topic, value = judgements[topic], _grade(grade, path, number)
        if document in of_topic:
            raise InputError(
                f"{path}, line {number}: document {_show(document)} of topic {_show(topic)} "
                f"is judged a second time ({value}, before {of_topic[document]})"
            )
        of_topic[document] = value
    return {topic.decode(): of_topic for topic, of_topic in judgements.items()}


def lines(path: AnyPath, *, kind: str) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of a text file, plain or compressed, as bytes.

    Parameters
    ----------
    path : path
    kind : str
        What the file should be, for messages.

    Raises
    ------
    InputError
        A line of more than :data:`MAX_LINE` bytes, a zero byte, a damaged file.
    """
    try:
        with _open(path) as file:
            # Some editors begin a file with a mark that would become part of the first topic.
            if file.peek(3).startswith(codecs.BOM_UTF8):
                file.read(3)
            for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 1), b""), 1):
                if len(line) > MAX_LINE:
                    raise InputError(
                        f"{path}, line {number}: longer than {MAX_LINE:,} bytes, so no {kind}"
                    )
                if b"\0" in line:
                    raise InputError(
                        f"{path}, line {number}: holds a zero byte, so it is no text "
                        f"(a compressed {kind} needs its suffix: {', '.join(_OPENERS)})"
                    )
                yield number, line
    except InputError:
        raise
    except _DAMAGED as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def texts(path: AnyPath, *, kind: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, plain or compressed; see :func:`lines`."""
    for number, line in lines(path, kind=kind):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}, line {number}: not UTF-8 text") from None


def _rows(path, *, columns, kind):
    """Yield (line number, columns) of a file's lines that are not blank."""
    seen = False
    for number, line in lines(path, kind=kind):
        row = line.split()
        if len(row) == columns:
            seen = True
            yield number, row
        elif row:
            raise InputError(f"{path}, line {number}: {len(row)} columns, a {kind} has {columns}")
    if not seen:
        raise InputError(f"{path}: holds no lines, a {kind} has at least one")


def _open(path):
    opener = _OPENERS.get(Path(path).suffix, open)
    return io.BufferedReader(opener(path, "rb"), 1 << 20)


def _score(text, path, number):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # float() takes 1_000 for a number, C's atof does not.
    if not math.isfinite(value) or b"_" in text:
        raise InputError(f"{path}, line {number}: score {_show(text)} is not a finite number")
    return value


def _grade(text, path, number):
    try:
        value = int(text)
    except ValueError:
        value = math.inf
    # As in _score; grades are kept in 32 bits.
    if abs(value) >= 2**31 or b"_" in text:
        raise InputError(f"{path}, line {number}: grade {_show(text)} is not a 32-bit integer")
    return value


def _single(value):
    """Round to the nearest 32-bit float; what overflows is infinite, as in C."""
    return struct.unpack("f", struct.pack("f", value))[0]


def _repeated(path, topic):
    """Return the error for a document that stands twice in a topic: found again for its line."""
    first = {}
    for number, (other, _, document, _, _, _) in _rows(path, columns=6, kind="run"):
        if other == topic and first.setdefault(document, number) != number:
            break
    return InputError(
        f"{path}, line {number}: document {_show(document)} stands twice in topic "
        f"{_show(topic)}, first in line {first[document]}"
    )


def _check_text(name, path, number):
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}, line {number}: topic {_show(name)} is not UTF-8 text") from None


def _show(token):
    """Return a token for a message: quoted, printable, short."""
    text = repr(token.decode("utf-8", "backslashreplace"))
    return text if len(text) <= 60 else text[:57] + "..."
