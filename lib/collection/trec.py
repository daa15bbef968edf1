"""Read TREC run and qrels files as trec_eval does; refuse what is malformed.

A run line is ``topic Q0 docno rank score tag``, a qrels line ``topic iteration docno grade``;
columns are separated by blanks or tabs.  The order of a ranked list is that of its scores, highest
first, and of the document names, last in byte order first, among equal scores.  The rank column is
not used.  Documents stay bytes: their names mean nothing but equality and that order.
"""

import codecs
import math
import struct
import warnings
from array import array
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from lib.collection import fast_reader
from lib.collection.fast_reader import FallbackNeeded
from lib.collection.names import Lists, as_lists
from lib.collection.text_files import OPENERS, lines
from lib.errors import InputError, InputWarning, reason
from lib.paths import AnyPath

NAMES = ("file", "clean", "tag")  # what can name a system
SUFFIXES = (".txt", ".run", ".trec", ".res")  # of a run file, and no part of a cleaned name


def run_files(
    folder: AnyPath, *, names: str = "file", skip: Collection[str] = ()
) -> dict[str, Path]:
    """Return the run files of a folder, system name to path, in the order of the names.

    Hidden files are passed over; so is, with an InputWarning, what is no file.  ``skip`` names
    files or systems that are left out.  An InputError says that the folder is missing or empty,
    that two files name one system, or that there is nothing of a name to leave out.
    """
    folder = Path(folder)
    files: dict[str, Path] = {}
    others, skipped = [], set()
    for path in _listed(folder):
        if path.name.startswith("."):
            continue
        if not path.is_file():
            others.append(path.name + "/" * path.is_dir())
            continue
        name = system_name(path, names)
        if left_out := {path.name, name} & set(skip):
            skipped |= left_out
            continue
        if not name.strip() or not name.isprintable():
            # Such a name cannot stand in a table; a name with blanks can.
            raise InputError(f"{folder}: the file name {path.name!r} cannot name a system")
        if name in files:
            raise InputError(f"{path}: names the system {name!r}, as {files[name].name} does")
        files[name] = path
    if unknown := [name for name in skip if name not in skipped]:
        raise InputError(f"{folder}: has no run {unknown[0]!r} to leave out")
    if others:
        warnings.warn(
            f"{folder}: passed over, since they are no files: {' '.join(others)}",
            InputWarning,
            stacklevel=3,
        )
    if not files:
        raise InputError(f"{folder}: holds no run files" + " but those to skip" * bool(skip))
    return dict(sorted(files.items()))


def _listed(folder):
    try:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder of runs")
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None


def system_name(path: AnyPath, names: str = "file") -> str:
    """Return the system that a run file names.

    By default it is the file's name without a compression suffix and without NIST's prefix
    ``input.``; ``clean`` takes away :data:`SUFFIXES` too; ``tag`` is the last column of the file's
    first line, or, where that cannot be read, the file's name.

    Examples
    --------
    >>> system_name("runs/input.ok8alx.gz")
    'ok8alx'
    >>> system_name("runs/ok8alx.txt.gz"), system_name("runs/ok8alx.txt.gz", "clean")
    ('ok8alx.txt', 'ok8alx')
    """
    if names not in NAMES:
        raise ValueError(f"names must be one of {', '.join(NAMES)}, not {names!r}")
    path = Path(path)
    name = path.stem if path.suffix in OPENERS else path.name
    name = name.removeprefix("input.")
    if names == "clean" and Path(name).suffix in SUFFIXES:
        return Path(name).stem
    if names == "tag":
        with suppress(InputError):  # told where the file is read
            rows = (line.split() for _, line in lines(path, kind="run"))
            first: list[bytes] = next(filter(None, rows), [])
            if len(first) == 6:
                return first[-1].decode("utf-8", "backslashreplace")
    return name


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
        A line without six columns or of more than 65,536 bytes, a score that is not a
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


def read_lists(path: AnyPath, *, scores: str = "double") -> list[Lists]:
    """Return a run's ranked lists as arrays, some topics at a time; see :func:`read_run`."""
    try:
        return list(fast_reader.read_run(path, scores=scores))
    except FallbackNeeded:
        return [as_lists(read_run(path, scores=scores))]


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
        that the document was in the pool and that no assessor has judged it: only measures on
        samples (infAP) tell it from one without a line.

    Raises
    ------
    InputError
        A line without four columns or of more than 65,536 bytes, a grade that is not a
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
    if name.startswith(codecs.BOM_UTF8):  # that of the first line is not part of it any more
        raise InputError(
            f"{path}, line {number}: topic {_show(name)} begins with a byte-order mark, as where "
            "files were put together"
        )
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}, line {number}: topic {_show(name)} is not UTF-8 text") from None


def _show(token):
    """Return a token for a message: quoted, printable, short."""
    text = repr(token.decode("utf-8", "backslashreplace"))
    return text if len(text) <= 60 else text[:57] + "..."
