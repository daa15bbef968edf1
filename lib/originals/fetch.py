"""Fetch originals: runs and judgements, scores, or text collections, each file checked.

Nothing that was not checked can be taken for data: files are downloaded into a hidden folder, and
the folder that was asked for appears when all of them are there and right.

Originals whose form is not the book's are brought into it.  A text collection becomes three files:
``docs.jsonl`` (one JSON object a line: id, title, text), ``queries.tsv`` (id, tab, text) and
``qrels.txt`` (topic, 0, document, grade).  Any run of white space in a text is one blank.  Queries
without a judgement are left out.  Of runs that are cut to their judged topics, and of means by
trec_eval, only what the book made of them is known, so this is what is checked.
"""

import csv
import gzip
import hashlib
import json
import logging
import re
import shutil
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pooch
import requests

from lib.atomic import fresh_folder
from lib.errors import InputError, reason
from lib.originals import ORIGINS, REGISTRY, SOURCES
from lib.paths import DATA, AnyPath
from lib.tasks import progress

HOME = "https://github.com"
SERVER = "https://raw.githubusercontent.com"
_TRIES = 4
PATIENCE = 30  # seconds without a byte

Document: TypeAlias = tuple[str, str, str]  # id, title, text
Query: TypeAlias = tuple[str, str]  # id, text
Judgement: TypeAlias = tuple[str, str, int]  # topic, document, grade
Parts: TypeAlias = tuple[list[Document], list[Query], list[Judgement]]  # of a text collection
Read: TypeAlias = Callable[[str], str]  # from a file's name to its text


def fetch(name: str, folder: AnyPath) -> str:
    """Download a source's files at their pinned commits and check them; return what to do next.

    A download is checked by the SHA-256 of the original, which is unknown for some
    runs.  Files that are made of originals are checked by theirs, so that what appears is always
    what was expected.

    The folder must not exist; it appears when everything is there and right.  Until then what is
    right stays in a hidden folder beside it, from which the next call goes on.
    """
    source, folder = SOURCES[name], Path(folder)
    originals, made = _registry(name)
    with fresh_folder(folder, kind="download") as fresh:
        partial = folder.absolute().with_name(f".fetching-{folder.name}")
        _download(originals, partial)
        if made:
            _make(name, made, partial, fresh)
        else:
            for file in originals:
                (fresh / file).parent.mkdir(exist_ok=True)
                (partial / file).rename(fresh / file)
        beside = DATA / source.get("beside", "none")  # what the book knows of the runs
        if beside.is_file():
            shutil.copy(beside, fresh)
    shutil.rmtree(partial)
    notes, following = [source["note"]] if "note" in source else [], source["next"]
    if "beside" in source and not beside.is_file():
        notes.append("Which group made which run is in the book's data, which are not here.")
        following = following.replace(f" --systems {{folder}}/{beside.name}", "")
    lines = [
        f"{folder}: {source['title']}, {len(made or originals)} files, all as expected.",
        *(f"{one['by']} ({one['path']}): {one['terms']}" for one in origins(name)),
        *notes,
        f"Next: {following.format(folder=folder)}",
    ]
    return "\n".join(lines)


def origins(name: str) -> list[dict[str, str]]:
    """Return whose a source's files are, where they lie, and on which terms: rows of a table."""
    with open(ORIGINS, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if is_origin(name, row)]


def is_origin(name: str, row: Mapping[str, Any]) -> bool:
    """Return whether files of a source lie at the ``path`` and ``commit`` of a row."""
    originals, _ = _registry(name)
    places = {f"{HOME}/{'/'.join(place.split('/')[:3])}" for _, place in originals.values()}
    return f"{row['path']}/{row['commit']}" in places


def _registry(name: str) -> tuple[dict[str, tuple[str | None, str]], dict[str, str]]:
    """Return originals, {file: (SHA-256 or None, address)}, and {file made of them: SHA-256}."""
    originals, made = {}, {}
    for line in (REGISTRY / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        file, known, *address = line.split()
        if address:
            originals[file] = None if known == "-" else f"sha256:{known}", address[0]
        else:
            made[file] = known
    return originals, made


def _download(originals: Mapping[str, tuple[str | None, str]], partial: Path) -> None:
    pooch.get_logger().setLevel(logging.WARNING)
    downloads = pooch.create(
        partial,
        base_url="",
        retry_if_failed=_TRIES - 1,
        registry={file: known for file, (known, _) in originals.items()},
        urls={file: f"{SERVER}/{address}" for file, (_, address) in originals.items()},
    )
    for file in progress(originals, "file"):
        try:
            downloads.fetch(file, downloader=pooch.HTTPDownloader(timeout=PATIENCE))
        except (requests.RequestException, OSError, ValueError) as error:
            raise InputError(
                f"{downloads.get_url(file)}: {_reason(error)}; what is complete is kept, so run "
                "the command again"
            ) from None


def _reason(error: Exception) -> str:
    """Say in a few words why a download failed."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answers {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.RequestException):
        return "the server cannot be reached, is silent, or breaks off"
    if isinstance(error, ValueError) and "hash" in str(error):
        return "not the file that is expected: its SHA-256 differs"
    return f"cannot be kept ({reason(error)})"


def _make(name: str, made: Mapping[str, str], partial: Path, fresh: Path) -> None:
    """Write what is made of the originals; refuse what differs from the book's."""
    try:
        files = made_of(name, partial)
        for file, known in made.items():
            if hashlib.sha256(files.get(file, b"")).hexdigest() != known:
                raise ValueError(f"{name}: {file} does not come out as expected (its SHA-256)")
    except ValueError as error:
        # Which of the originals is to blame is not known: none of them is kept.
        shutil.rmtree(partial)
        raise InputError(f"{error}; nothing is kept") from None
    for file, content in files.items():
        (fresh / file).parent.mkdir(exist_ok=True)
        (fresh / file).write_bytes(content)


def _collection(parts: Callable[[Read], Parts], folder: Path) -> dict[str, bytes]:
    """Return a text collection in the common form: file name to bytes."""

    def read(file: str) -> str:
        # Bytes that are no text are dropped; what is left is checked by whoever asked.
        return (folder / file).read_text(encoding="utf-8", errors="ignore")

    documents, queries, judgements = parts(read)
    judgements = sorted(judgements, key=lambda row: (_key(row[0]), row[1]))
    judged = {topic for topic, _, _ in judgements}
    queries = sorted((row for row in queries if row[0] in judged), key=lambda row: _key(row[0]))
    rows = (json.dumps({"id": d, "title": title, "text": text}) for d, title, text in documents)
    return {
        "docs.jsonl": _text(rows),
        "queries.tsv": _text(f"{q}\t{text}" for q, text in queries),
        "qrels.txt": _text(f"{topic} 0 {d} {grade}" for topic, d, grade in judgements),
    }


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _key(name: str) -> tuple[int, int, str]:
    return (0, int(name), name) if name.isdecimal() else (1, 0, name)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _number(text: str) -> str:
    return str(int(text))


def _smart(text: str) -> list[tuple[str, dict[str, str]]]:
    """Return the records of a file of the SMART system: (number, field to text).

    A record begins with ``.I number``, a field with its letter, as in ``.T``, on a line alone.
    """
    records = []
    for record in re.split(r"^\.I\b", text, flags=re.MULTILINE)[1:]:
        number, *parts = re.split(r"^\.([A-Z])[ \t]*$", record, flags=re.MULTILINE)
        fields: dict[str, str] = {}
        for letter, part in zip(parts[::2], parts[1::2]):
            fields[letter] = _plain(f"{fields.get(letter, '')} {part}")
        records.append((_number(number), fields))
    return records


def _smart_documents(text: str) -> list[Document]:
    return [(number, f.get("T", ""), f.get("W", "")) for number, f in _smart(text)]


def _smart_queries(text: str) -> list[Query]:
    """Return queries; a record without a text is none, as at the end of CACM's file."""
    records = (record for record in _smart(text) if "W" in record[1])
    return [(number, _plain(f"{f.get('T', '')} {f['W']}")) for number, f in records]


def _smart_judgements(text: str) -> list[Judgement]:
    """Return judgements: the first two columns are topic and document, all relevant."""
    rows = (line.split() for line in text.splitlines())
    return [(_number(row[0]), _number(row[1]), 1) for row in rows if row]


def _smart_files(documents: str, queries: str, judgements: str) -> Callable[[Read], Parts]:
    return lambda read: (
        _smart_documents(read(documents)),
        _smart_queries(read(queries)),
        _smart_judgements(read(judgements)),
    )


def _cran(read: Read) -> Parts:
    """Cranfield: queries count by position; judgements go from 1, complete, to 4, and 5 or -1.

    Most texts begin with their title again, which is dropped.
    """
    documents = [
        (number, title, text.removeprefix(title).strip())
        for number, title, text in _smart_documents(read("cran.all.1400"))
    ]
    queries = enumerate(_smart_queries(read("cran.qry")), start=1)
    judgements = []
    for topic, document, code in (line.split() for line in read("cranqrel").splitlines()):
        grade = 5 - int(code) if code in ("1", "2", "3", "4") else 0
        judgements.append((_number(topic), _number(document), grade))
    return documents, [(str(i), text) for i, (_, text) in queries], judgements


def _slashed(text: str) -> list[Query]:
    """Return the records of NPL's files: a number, a text in any number of lines, a slash."""
    records = re.split(r"^[ \t]*/[ \t]*$", text, flags=re.MULTILINE)
    parts = (record.split(maxsplit=1) for record in records if record.strip())
    return [(_number(number), _plain(rest).lower()) for number, rest in parts]


def _npl(read: Read) -> Parts:
    documents = [(number, "", text) for number, text in _slashed(read("doc-text"))]
    judgements = [
        (topic, _number(document), 1)
        for topic, listed in _slashed(read("rlv-ass"))
        for document in listed.split()
    ]
    return documents, _slashed(read("query-text")), judgements


def _tagged(text: str, first: str) -> list[dict[str, str]]:
    """Return the records of the Cystic Fibrosis files: field to text, a new one at ``first``.

    A field begins with two capitals and a blank; further lines of it are indented.
    """
    records: list[dict[str, str]] = []
    field = None
    for line in text.splitlines():
        if re.match(r"[A-Z]{2}( |$)", line):
            field = line[:2]
            if field == first:
                records.append({})
            line = line[2:]
        if records and field:
            records[-1][field] = _plain(f"{records[-1].get(field, '')} {line}")
    return records


def _cf(read: Read) -> Parts:
    """Cystic Fibrosis: titles and abstracts (or extracts); a grade is the sum of four judges'."""
    documents = []
    for year in range(74, 80):
        for record in _tagged(read(f"cf{year}"), "PN"):
            # This copy adds two words to the title of document 1.
            title = record["TI"].replace(" limited limited.", ".")
            text = record.get("AB") or record.get("EX", "")
            documents.append((_number(record["RN"]), title, text))
    queries, judgements = [], []
    for record in _tagged(read("cfquery"), "QN"):
        topic, numbers = _number(record["QN"]), record["RD"].split()
        queries.append((topic, record["QU"]))
        judgements += [
            (topic, _number(document), sum(map(int, judges)))
            for document, judges in zip(numbers[::2], numbers[1::2], strict=True)
        ]
    return documents, queries, judgements


def _nfcorpus(read: Read) -> Parts:
    """NFCorpus: the test set's topics, and the documents of the test and development sets."""
    documents: dict[str, str] = {}
    for file in ("test.docs", "dev.docs"):
        for line in read(file).splitlines():
            number, text = line.split("\t", 1)
            documents.setdefault(number, _plain(text))
    queries = [line.split("\t", 1) for line in read("test.titles.queries").splitlines()]
    rows = (line.split() for line in read("test.2-1-0.qrel").splitlines())
    judgements = [(topic, document, int(grade)) for topic, _, document, grade in rows]
    return (
        [(number, "", text) for number, text in documents.items()],
        [(number, _plain(text)) for number, text in queries],
        judgements,
    )


# The columns of data/terabyte06/automatic_runs.csv that trec_eval prints, by its older names.
_MEANS = ("R-prec", "map", "recip_rank", "P10")


def _judged(folder: Path) -> dict[str, bytes]:
    """Return judgements, and of each run the lines of judged topics; a blank between columns."""
    (qrels,) = folder.glob("qrels.*")
    judgements = [line.split() for line in qrels.read_text(encoding="utf-8").splitlines()]
    topics = {topic for topic, *_ in judgements}
    files = {"qrels.txt": _text(map(" ".join, judgements))}
    for path in sorted(folder.glob("input.*")):
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        rows = (line.split() for line in text.decode().splitlines())
        run = path.name.removeprefix("input.").removesuffix(path.suffix)
        files[f"runs/{run}"] = _text(" ".join(row) for row in rows if row[0] in topics)
    return files


def _automatic_runs(folder: Path) -> dict[str, bytes]:
    """Return the means of trec_eval's outputs by topic, a line a run.

    The outputs have no P@1, which is the share of topics whose reciprocal rank is 1.
    """
    lines = ["run,topics,P_1,Rprec,map,recip_rank,P_10"]
    for path in sorted(folder.glob("*.eval")):
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line]
        means = {measure: value for measure, topic, value in rows if topic == "all"}
        first = [
            float(value) == 1
            for measure, topic, value in rows
            if measure == "recip_rank" and topic != "all"
        ]
        if len(first) != int(means["num_q"]):
            raise ValueError(f"{path.name} does not have every topic")
        share = f"{sum(first) / len(first):.4f}"
        words = [path.stem, means["num_q"], share, *(means[name] for name in _MEANS)]
        lines.append(",".join(words))
    return {"automatic_runs.csv": _text(lines)}


# Of a source, how its originals are read as a text collection; and what else is made of some, from
# their folder to file name and bytes.
_TEXTS: dict[str, Callable[[Read], Parts]] = {
    "cacm": _smart_files("cacm.all", "query.text", "qrels.text"),
    "cf": _cf,
    "cisi": _smart_files("CISI.ALL", "CISI.QRY", "CISI.REL"),
    "cran": _cran,
    "nfcorpus": _nfcorpus,
    "npl": _npl,
}
EXCERPTS = {"dl19": _judged, "dl21": _judged, "terabyte06": _automatic_runs}
CONVERTED = (*_TEXTS, *EXCERPTS)


def made_of(name: str, folder: Path) -> dict[str, bytes]:
    """Return what the book makes of originals, file name to bytes, or raise a ValueError."""
    try:
        return EXCERPTS[name](folder) if name in EXCERPTS else _collection(_TEXTS[name], folder)
    except (ValueError, KeyError, IndexError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{name}: the originals are not of the expected form ({error})") from None
