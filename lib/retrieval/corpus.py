"""Texts, queries and judgements: from a folder, or from the docstrings of three libraries."""

import importlib
import inspect
import json
import re
import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.collection import read_qrels
from lib.errors import InputError, reason


@dataclass(frozen=True)
class Corpus:
    """A text collection with topics."""

    documents: dict[str, str]  # name to text
    queries: dict[str, str]  # topic to text
    qrels: dict[str, dict[str, int]]  # topic to document to grade


def read_corpus(folder: str | Path) -> Corpus:
    """Return the text collection in a folder; a document's text is its title and its text.

    There are three files in UTF-8: ``docs.jsonl``, one JSON object a line with the strings ``id``,
    ``text`` and, if there is one, ``title``; ``queries.tsv``, topic and text separated by a tab;
    ``qrels.txt``, a TREC qrels file.  An InputError names a missing or malformed file, a name that
    stands twice, a judgement of a topic or a document that is not there, a topic without
    judgements.
    """
    documents, queries = read_texts(folder)
    path = Path(folder) / "qrels.txt"
    qrels = {
        topic: {document.decode(): grade for document, grade in judged.items()}
        for topic, judged in read_qrels(path).items()
    }
    for topic, judged in qrels.items():
        if topic not in queries:
            raise InputError(f"{path}: judges topic {topic!r}, which queries.tsv does not have")
        if unknown := sorted(judged.keys() - documents.keys()):
            raise InputError(
                f"{path}: topic {topic!r} judges document {unknown[0]!r}, which docs.jsonl does"
                " not have"
            )
    if unjudged := [topic for topic in queries if topic not in qrels]:
        raise InputError(f"{path}: no judgement for topic {unjudged[0]!r} of queries.tsv")
    return Corpus(documents, queries, qrels)


def read_texts(folder: str | Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return documents and queries of a folder that may have no judgements yet.

    The files may be BEIR's: ``corpus.jsonl`` and ``queries.jsonl``, with ``_id`` for ``id``.
    """
    folder = Path(folder)
    ours = {"corpus.jsonl": "docs.jsonl", "queries.jsonl": "queries.tsv"}
    texts, queries = (
        folder / (beir if (folder / beir).exists() and not (folder / own).exists() else own)
        for beir, own in ours.items()
    )
    of_topics = _queries(queries) if queries.suffix == ".tsv" else _objects(queries, "query")
    return dict(_objects(texts, "document")), dict(of_topics)


def _objects(path: Path, what: str) -> Iterator[tuple[str, str]]:
    """Yield name, and title and text, of each JSON object of a file."""
    seen = set()
    for number, line in _lines(path):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{path}, line {number}: not a JSON object") from None
        row = row if type(row) is dict else {}
        fields = [row.get("id", row.get("_id")), row.get("title", ""), row.get("text")]
        if not all(isinstance(value, str) for value in fields):
            raise InputError(f"{path}, line {number}: not an object with strings id, title, text")
        docno, title, text = fields
        if docno in seen:
            raise InputError(f"{path}, line {number}: {what} {docno!r} stands twice")
        seen.add(docno)
        yield docno, f"{title} {text}"


def _queries(path: Path) -> Iterator[tuple[str, str]]:
    seen = set()
    for number, line in _lines(path):
        topic, tab, text = line.partition("\t")
        if not (topic and tab and text.strip()):
            raise InputError(f"{path}, line {number}: not a topic and a text separated by a tab")
        if topic in seen:
            raise InputError(f"{path}, line {number}: topic {topic!r} stands twice")
        seen.add(topic)
        yield topic, text


def _lines(path: Path) -> list[tuple[int, str]]:
    """Yield number and text of each line that is not blank."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from None
    # Not splitlines(), which also splits at characters that JSON strings may hold.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path}: empty")
    return lines


# What the documentation of each library lists: its public modules.
_MODULES = {
    "numpy": "fft linalg ma polynomial polynomial.chebyshev polynomial.hermite polynomial.hermite_e"
    " polynomial.laguerre polynomial.legendre polynomial.polynomial random strings testing",
    "scipy": "cluster.hierarchy cluster.vq constants datasets differentiate fft fftpack integrate"
    " interpolate io linalg ndimage odr optimize signal signal.windows sparse sparse.csgraph"
    " sparse.linalg spatial spatial.distance spatial.transform special stats stats.contingency"
    " stats.mstats stats.qmc stats.sampling",
    "pandas": "api.extensions api.indexers api.types errors testing",
}


def docstrings() -> Corpus:
    """Return a text collection that every reader has installed: docstrings.

    A document is the docstring of a public function, class or method, under its name, without the
    section "See Also" and without decimal numbers.  The names in that section are the judgements:
    the topic is the docstring's summary, and what it says to see also is relevant to it.  Topics
    are named after their own document, which a fair search must leave out: pass
    ``exclude={topic: [topic] for topic in corpus.queries}`` to :func:`lib.retrieval.run`.

    The texts change with the versions of the libraries, and so do all results.

    Grades are all 1; a topic has at least one relevant document.

    Examples
    --------
    >>> corpus = docstrings()
    >>> corpus.queries["numpy.argsort"]
    'Returns the indices that would sort an array.'
    >>> sorted(corpus.qrels["numpy.argsort"])[:3]
    ['numpy.argpartition', 'numpy.lexsort', 'numpy.ndarray.sort']
    """
    docnos, texts = _public()
    documents, queries, qrels = {}, {}, {}
    for docno, text in texts.items():
        body, links = _see_also(_DECIMAL.sub(" ", text))
        documents[docno] = f"{docno} {body}"
        relevant = {other for name in links if (other := _resolved(name, docno, docnos))} - {docno}
        if relevant:
            queries[docno] = _summary(body)
            qrels[docno] = dict.fromkeys(sorted(relevant), 1)
    return Corpus(documents, queries, qrels)


def _public() -> tuple[dict[str, str], dict[str, str]]:
    """Return every public name's document, and every document's docstring.

    One object may have several names, and one docstring several objects.  The document is named
    after the most basic class, then by the shortest name, then by the first in the alphabet.
    """
    documents = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of deprecated modules and names
        for library, modules in _MODULES.items():
            for module in ["", *modules.split()]:
                path = f"{library}.{module}".rstrip(".")
                for name, thing in _members(importlib.import_module(path)):
                    documents[f"{path}.{name}"] = (0, thing)
                    if inspect.isclass(thing):
                        for method, member in _members(thing):
                            documents[f"{path}.{name}.{method}"] = (len(thing.__mro__), member)
    docnos: dict[str, str] = {}
    first: dict[str, str] = {}
    for name in sorted(documents, key=lambda name: (documents[name][0], len(name), name)):
        if text := inspect.getdoc(documents[name][1]):
            docnos[name] = first.setdefault(text, name)
    return docnos, {docno: text for text, docno in first.items()}


def _members(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a module or class that have a docstring of their own."""
    for name in sorted(getattr(owner, "__all__", None) or dir(owner)):
        member = getattr(owner, name, None)
        if name.startswith("_") or member is None or isinstance(member, types.ModuleType):
            continue
        # What a class inherits from Python itself is documented differently in each version of it.
        if inspect.isclass(owner) and _definer(owner, name) not in _MODULES:
            continue
        # A constant only has the docstring of its type.
        if getattr(member, "__doc__", None) and (
            callable(member) or isinstance(member, (property, types.GetSetDescriptorType))
        ):
            yield name, member


def _definer(owner: type, name: str) -> str:
    """Return the library whose class defines a member."""
    return next((c.__module__.split(".")[0] for c in owner.__mro__ if name in vars(c)), "")


# Results of examples: SciPy draws some of them at random whenever it is imported.
_DECIMAL = re.compile(r"-?\d*\.\d+(e[+-]?\d+)?|\d+\.(?!\w)")
# A section that NumPy adds to another's docstring keeps its indent on Python 3.13 and later.
_SECTION = re.compile(r"^See Also\n-+\n(.*?)(?=^ *\S[^\n]*\n *[-=]{3,}$|\Z)", re.M | re.S)
_ROLE = re.compile(r":\w+:`~?([^`]+)`|`([^`]+)`")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def _see_also(text: str) -> tuple[str, list[str]]:
    """Return a docstring without its section "See Also", and the names in that section."""
    match = _SECTION.search(text)
    if not match:
        return text, []
    # "name : why" or "name, name"; what is indented explains the line above.
    entries = [line for line in match[1].splitlines() if line[:1].strip()]
    heads = [_ROLE.sub(r"\1\2", line).split(" : ")[0].rstrip(" :") for line in entries]
    names = [name.strip() for head in heads for name in head.split(",")]
    return text[: match.start()] + text[match.end() :], [n for n in names if _NAME.fullmatch(n)]


def _summary(body: str) -> str:
    """Return the first paragraph that is not the signature of a function written in C."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in body.split("\n\n")]
    prose = (text for text in paragraphs if not re.match(r"[\w.]+\(.*\)", text))
    return next(prose, paragraphs[0])


def _resolved(name: str, docno: str, docnos: Mapping[str, str]) -> str | None:
    """Return the document that a name stands for where ``docno`` speaks of it, or None.

    The name is looked for beside the speaker first, then in each wider scope.
    """
    scope = docno
    while scope:
        scope = scope.rpartition(".")[0]
        if (full := f"{scope}.{name}".lstrip(".")) in docnos:
            return docnos[full]
    return None
