"""Read TREC run and qrels files line by line; refuse what is malformed, with line and reason."""

import codecs
import math
import struct
from array import array

from lib.collection.text_files import lines
from lib.errors import InputError
from lib.paths import AnyPath


def read_run(path: AnyPath, *, scores: str = "double") -> dict[str, list[bytes]]:
    """Return a run's ranked lists; see :func:`lib.collection.read_run`."""
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
    """Return relevance judgements; see :func:`lib.collection.read_qrels`."""
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
