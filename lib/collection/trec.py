"""Read TREC run and qrels files as trec_eval does; refuse what is malformed.

A run line is ``topic Q0 docno rank score tag``, a qrels line ``topic iteration docno grade``;
columns are separated by blanks or tabs.  BEIR's tables (topic, document and a number between tabs)
and JSON (topic to document to number, as ranx has it) are read too.  The order of a ranked list is
that of its scores, highest first, and of the document names, last in byte order first, among equal
scores.  The rank column is not used, except in MS MARCO's tables, which have no scores: three
columns, the last of which is headed ``rank`` or, without a head, counts from 1 down every list.
Documents stay bytes: their names mean nothing but equality and that order.
"""

import codecs
import json
import math
import os
import struct
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from lib.collection import fast_reader
from lib.collection.fast_reader import FallbackNeeded
from lib.collection.names import Judged, Lists, as_judged, as_lists, join_judged
from lib.collection.text_files import CR_ALONE, OPENERS, lines
from lib.errors import InputError, InputWarning, did_you_mean, reason
from lib.paths import AnyPath

_NAMES = ("file", "clean")  # what can name a system
SUFFIXES = (".txt", ".run", ".trec", ".res")  # of a run file, and no part of a cleaned name
_COLUMNS = {  # of a line, in the order of a file
    "run": ("topic", "Q0", "document", "rank", "score", "tag"),
    "qrels file": ("topic", "iteration", "document", "grade"),
}
_HEADS = (b"score", b"relevance", b"rel", b"grade", b"label")  # of the last column of BEIR's tables
_HEADS_OF_RANKS = (b"rank", b"position")
# In place of the second column of a table of three, and of JSON: what the numbers are said to be.
_SCORES, _RANKS, _BARE = b"", b"\0rank", None


Runs: TypeAlias = AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath]
Entry: TypeAlias = tuple[str, bytes, bytes | None, bytes, bytes]  # as :func:`_rows` yields it


def run_files(runs: Runs, *, names: str = "file", skip: Collection[str] = ()) -> dict[str, Path]:
    """Return run files, system name to path, in the order of the names.

    ``runs`` is a file, a folder, several of them, or system names with a file each.  Hidden files
    of a folder are passed over; so is, with an InputWarning, what is no file.  ``skip`` names files
    or systems that are left out.  An InputError says that a folder is missing or empty, that two
    files name one system, or that there is nothing of a name to leave out.
    """
    given = runs if isinstance(runs, Mapping) else {}
    named = {Path(path): name for name, path in given.items()}
    every = [runs] if isinstance(runs, str | os.PathLike) else given.values() or runs
    paths = list(map(Path, every))
    folder = " ".join(map(str, paths))
    files: dict[str, Path] = {}
    others, skipped = [], set()
    for path in _listed(paths):
        if path.name.startswith(".") and path not in paths:
            continue
        if not (path.is_file() or path in paths):
            others.append(path.name + "/" * path.is_dir())
            continue
        name = named.get(path) or system_name(path, names)
        if left_out := {path.name, name} & set(skip):
            skipped |= left_out
            continue
        if not name.strip() or not name.isprintable():
            # Such a name cannot stand in a table; a name with blanks can.
            raise InputError(f"{folder}: the file name {path.name!r} cannot name a system")
        if name in files:
            raise InputError(
                f"{path}: names the system {name!r}, as {files[name]} does; "
                "rename one, or say NAME=PATH to compare"
            )
        files[name] = path
    if unknown := [name for name in skip if name not in skipped]:
        like = did_you_mean(unknown[0], files)
        raise InputError(f"{folder}: has no run {unknown[0]!r} to leave out{like}")
    if others:
        which = f"passed over, since they are no files: {' '.join(others)}"
        warnings.warn(f"{folder}: {which}", InputWarning, stacklevel=3)
    if not files:
        raise InputError(f"{folder}: holds no run files" + " but those to skip" * bool(skip))
    return dict(sorted(files.items()))


def _listed(paths: Iterable[Path]) -> list[Path]:
    files = []
    for path in paths:
        try:
            if path.is_dir():
                files += sorted(path.iterdir())
            elif path.is_file() or path.is_fifo():  # as <(zcat A.gz) is
                files.append(path)
            else:
                raise InputError(f"{path}: no such file or folder of runs")
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    return files


def system_name(path: AnyPath, names: str = "file") -> str:
    """Return the system that a run file names.

    By default it is the file's name without a compression suffix and without NIST's prefix
    ``input.``; ``clean`` takes away :data:`SUFFIXES` too.

    Examples
    --------
    >>> system_name("runs/input.ok8alx.gz")
    'ok8alx'
    >>> system_name("runs/ok8alx.txt.gz"), system_name("runs/ok8alx.txt.gz", "clean")
    ('ok8alx.txt', 'ok8alx')
    """
    if names not in _NAMES:
        raise ValueError(f"names must be one of {', '.join(_NAMES)}, not {names!r}")
    path = Path(path)
    name = path.stem if path.suffix.lower() in OPENERS else path.name
    name = name.removeprefix("input.")
    if names == "clean" and Path(name).suffix in SUFFIXES:
        return Path(name).stem
    return name


def read_run(path: AnyPath, *, scores: str = "double") -> dict[str, list[bytes]]:
    r"""Return a run's ranked lists in trec_eval's reading order.

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
        A line without six columns (three in a table of BEIR) or of more than 65,536 bytes, a score
        that is not a finite number, a document twice in a topic, a topic that is not UTF-8 or
        cannot be printed, a file without lines, a damaged file, a file that is not text.  The
        message names file and line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "A"
    ...     _ = path.write_text("1 Q0 x 1 0.8 A\n1 Q0 r 2 0.9 A\n")
    ...     read_run(path)
    {'1': [b'r', b'x']}
    """
    if scores not in ("double", "single"):
        raise ValueError(f"scores must be 'double' or 'single', not {scores!r}")
    lists, second = _read(path, "run", _score if scores == "double" else _single)
    if second in (_SCORES, _RANKS, _BARE) and _are_ranks(path, lists.values(), second):
        lists = {t: {d: -rank for d, rank in of_topic.items()} for t, of_topic in lists.items()}
    # One comparison of pairs is the whole rule: score, then name, both descending.
    pairs = {
        topic: sorted(zip(of_topic.values(), of_topic), reverse=True)
        for topic, of_topic in lists.items()
    }
    return {topic: [document for _, document in ranked] for topic, ranked in pairs.items()}


def _are_ranks(path: AnyPath, lists: Iterable[Mapping[bytes, float]], second: bytes | None) -> bool:
    """Return whether the numbers of a table are ranks; refuse or note what may be either."""
    each = [list(of_topic.values()) for of_topic in lists]
    several = [values for values in each if len(values) > 1]
    if second == _RANKS or not several:
        return second == _RANKS
    rising = all(one < two for values in several for one, two in pairwise(values))
    falling = all(one > two for values in several for one, two in pairwise(values))
    from_one = all(sorted(values) == [*range(1, len(values) + 1)] for values in each)
    whole = all(value.is_integer() and value >= 0 for values in each for value in values)
    note = None
    if falling and second is _SCORES:
        return False
    if second is _BARE and from_one and rising:
        note = "its third column counts 1, 2, ... down every list: ranks, and read as such"
    elif from_one or (rising and whole):
        if not falling and second is _BARE:
            raise InputError(
                f"{path}: its third column may be ranks or scores; say which in a first line, "
                "'query-id corpus-id rank' or '... score', between tabs"
            )
        note = "its scores count like ranks; read as scores, so the highest is first"
    elif rising:
        note = "its scores rise down every list; read as scores, so the last line is first"
    elif all(value == values[0] for values in several for value in values):
        note = "its scores are all equal in every list, so names of documents order it"
    if note:
        warnings.warn(f"{path}: {note}", InputWarning, stacklevel=3)
    return second is _BARE and from_one and rising


def read_lists(path: AnyPath, *, scores: str = "double") -> list[Lists]:
    """Return a run's ranked lists as arrays, some topics at a time; see :func:`read_run`."""
    try:
        return list(fast_reader.read_blocks(path, scores=scores))
    except FallbackNeeded:
        return [as_lists(read_run(path, scores=scores))]


def read_qrels(path: AnyPath) -> dict[str, dict[bytes, int]]:
    r"""Return relevance judgements.

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
        A line without four columns (three in a table of BEIR) or of more than 65,536 bytes, a
        grade that is not a 32-bit integer, a document judged twice in a topic (with the same grade
        or another), a topic that is not UTF-8 or cannot be printed, a file without lines, a
        damaged file, a file that is not text.  The message names file and line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "qrels.txt"
    ...     _ = path.write_text("1 0 r 1\n1 0 x 0\n")
    ...     read_qrels(path)
    {'1': {b'r': 1, b'x': 0}}
    """
    if Path(path).is_dir():
        raise InputError(f"{path}: cannot be read (it is a folder; QRELS is a file, after RUNS)")
    return _read(path, "qrels file", _grade)[0]


def read_judged(path: AnyPath) -> Judged:
    """Return relevance judgements as arrays; see :func:`read_qrels`."""
    try:
        return join_judged(list(fast_reader.read_judged_blocks(path)))
    except FallbackNeeded:
        return as_judged(read_qrels(path))


def _read(
    path: AnyPath, kind: str, value: Callable[..., Any]
) -> tuple[dict[str, dict[bytes, Any]], bytes | None]:
    """Return topic to document to score or grade, as :func:`value` makes it of its text.

    And the second column of the last line, which says of a table of three what its numbers are.
    """
    entries: dict[bytes, dict[bytes, Any]] = {}
    iteration: bytes | None = _SCORES
    twice = 0
    for number, topic, iteration, document, text in _rows(path, kind=kind):
        if topic not in entries:
            _check_text(topic, path, number)
            entries[topic] = {}
        of_topic, new = entries[topic], value(text, path, number)
        if document in of_topic:
            subtopics = kind != "run" and iteration not in (b"0", b"Q0", _SCORES, _BARE)
            if kind != "run" and not subtopics and new == of_topic[document]:
                twice += 1
                continue
            raise InputError(
                f"{path}, {number}: document {_show(document)} stands a second time in topic "
                f"{_show(topic)} ({new}, before {of_topic[document]})"
                + ("; of subtopics, keep one" if subtopics else "")
            )
        of_topic[document] = new
    if twice:
        what = f"{path}: judgements that stand twice, alike, count once: {twice}"
        warnings.warn(what, InputWarning, stacklevel=3)
    return {topic.decode(): of_topic for topic, of_topic in entries.items()}, iteration


def _rows(path: AnyPath, *, kind: str) -> Iterator[Entry]:
    """Yield place, topic, second column, document, and score or grade of each entry of a file.

    The second column of a table of three, which has none, is _SCORES or _RANKS, as its head says,
    and _BARE where it has no head.
    """
    columns, table, blank, number, second = _COLUMNS[kind], None, 0, 0, _BARE
    commented = []
    for number, line in lines(path, kind=kind, json=True):
        if number == 0:
            yield from _entries(line, path, kind)
            return
        row = line.split()
        if not row:
            blank += 1
            continue
        if line.startswith(b"#"):  # a comment to trec_eval 10, and ir_metadata's head
            blank += 1
            commented += [number] * (len(row) == len(columns))
            continue
        if table is not False:
            fields = line.rstrip(b"\r\n").split(b"\t")
            of_table = len(fields) == 3 and all(map(bytes.strip, fields))
        if table is None:  # the first line says what the others are
            # Names with blanks can make as many words of a table's line as TREC's have.
            table = of_table and (len(row) != len(columns) or row[1] not in (b"0", b"Q0"))
            head = fields[-1].strip().lower()
            is_head = table and head in _HEADS + _HEADS_OF_RANKS * (kind == "run")
            if is_head:
                blank, second = blank + 1, _RANKS if head in _HEADS_OF_RANKS else _SCORES
                continue
        if table and of_table:
            yield f"line {number}", fields[0], second, fields[1], fields[2].strip()
        elif len(row) == len(columns) and not table:
            yield f"line {number}", row[0], row[1], row[2], row[-2 if kind == "run" else -1]
        elif b"\r" in line.rstrip():
            raise InputError(f"{path}, line {number}: {CR_ALONE}")
        else:
            needed = f"a {kind} has {len(columns)}: {', '.join(columns)}"
            needed += "; it looks like csv, but blanks or tabs go between columns" * (b"," in line)
            raise InputError(
                f"{path}, line {number}: {len(row)} column{'s' * (len(row) != 1)}, {needed}"
            )
    if commented:
        what = f"{path}, line {commented[0]}: begins with #, so it is passed over"
        others = f", and {len(commented) - 1} more like it" * (len(commented) > 1)
        warnings.warn(what + others, InputWarning, stacklevel=3)
    if number == blank:
        raise InputError(f"{path}: holds no lines, a {kind} has at least one")


def _entries(text: bytes, path: AnyPath, kind: str) -> Iterator[Entry]:
    """Yield what :func:`_rows` does, of JSON."""
    try:
        parsed = json.loads(text, object_pairs_hook=tuple)  # which keeps what stands there twice
        if any(not isinstance(of_topic, tuple) for _, of_topic in parsed):
            raise ValueError("a topic has no object of documents and numbers")
    except (ValueError, RecursionError) as error:
        why = reason(error)
        if text.lstrip().partition(b"\n")[2].startswith(b"{"):
            why = "it looks like JSON lines; give one object, or TREC's lines"
        raise InputError(f"{path}: cannot be read as JSON of a {kind} ({why})") from None
    if not any(of_topic for _, of_topic in parsed):
        raise InputError(f"{path}: holds nothing, a {kind} has at least one document")
    rows = ((topic, *row) for topic, of_topic in parsed for row in of_topic)
    for number, row in enumerate(rows, start=1):
        topic, document, value = (str(one).encode("utf-8", "surrogatepass") for one in row)
        if not (topic.strip() and document.strip()):
            raise InputError(f"{path}, entry {number}: a topic or document has an empty name")
        yield f"entry {number}", topic, _SCORES, document, value


def _score(text: bytes, path: AnyPath, number: str) -> float:
    hint = ""
    try:
        value = float(text)
        if not math.isfinite(value):
            hint = "; --skip-faulty leaves out such a run"
    except ValueError:
        value, hint = math.nan, _of_head(text)
    # float() takes 1_000 for a number, C's atof does not.
    if not math.isfinite(value) or b"_" in text:
        raise InputError(f"{path}, {number}: score {_show(text)} is not a finite number{hint}")
    return value


def _grade(text: bytes, path: AnyPath, number: str) -> int:
    try:
        value = float(text)  # 1.0 too, as pandas and Hugging Face write whole numbers
    except ValueError:
        value = math.nan
    # As in _score; grades are kept in 32 bits.
    if not (value.is_integer() and abs(value) < 2**31) or b"_" in text:
        grade = f"grade {_show(text)} is not a 32-bit integer{_of_head(text)}"
        raise InputError(f"{path}, {number}: {grade}")
    return int(value)


def _of_head(text: bytes) -> str:
    known = (*_HEADS, *_HEADS_OF_RANKS, b"sim", b"relevancy")
    return "; take the head away, which TREC's lines have not" * (text.lower() in known)


def _single(text: bytes, path: AnyPath, number: str) -> float:
    """Round to the nearest 32-bit float; what overflows is infinite, as in C."""
    return struct.unpack("f", struct.pack("f", _score(text, path, number)))[0]


def _check_text(name: bytes, path: AnyPath, number: str) -> None:
    if name.startswith(codecs.BOM_UTF8):  # that of the first line is not part of it any more
        raise InputError(
            f"{path}, {number}: topic {_show(name)} begins with a byte-order mark, as where "
            "files were put together"
        )
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}, {number}: topic {_show(name)} is not UTF-8 text") from None
    if not text.isprintable():  # a terminal would obey it, or show it elsewhere
        raise InputError(f"{path}, {number}: topic {_show(name)} holds what cannot be printed")


def _show(token: bytes) -> str:
    """Return a token for a message: quoted, printable, short."""
    text = repr(token.decode("utf-8", "backslashreplace"))
    return text if len(text) <= 60 else text[:57] + "..."
