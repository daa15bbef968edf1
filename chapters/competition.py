"""A class competition: runs of one's own, and sheets by which their pool is judged.

In between, the class works as with any test collection: ``derive`` and ``compare`` take the runs
and the judgements, and ``left-out`` says what a run gained by being in the pool.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lib.collection import read_run
from lib.collection.trec import run_files
from lib.display.plain import defused, fused
from lib.errors import InputError, InputErrors, reason
from lib.retrieval import Index, run
from lib.retrieval.corpus import read_texts

_WORDS = 80  # of a document on a sheet
_DEPTH = 100  # of a run
POOL_FILE = "pool.tsv"  # beside the sheets: topic and document of every row that they had


def search(texts: str, team: str, system: str, *, feedback: bool, **numbers: Any) -> str:
    """Return a run of a text collection as the lines of a TREC run file."""
    documents, queries = read_texts(texts)
    for name in (*documents, *queries):
        if len(name.split()) != 1:
            raise InputError(f"{texts}: the name {name!r} has a blank, as no run file's may")
    try:
        index = Index.build(documents)
        ranked = run(index, queries, system, feedback=feedback, depth=_DEPTH, **numbers)
    except ValueError as error:  # a system that is none, a number out of range
        raise InputError(str(error)) from None
    return "".join(
        f"{topic} Q0 {document} {rank} {_DEPTH - rank} {team}\n"
        for topic, ranking in ranked.items()
        for rank, document in enumerate(ranking, start=1)
    )


def sheets(runs: str, texts: str, *, depth: int, judges: int) -> dict[str, str]:
    """Return a sheet a judge, as CSV, of the documents that any run has among its first ``depth``.

    Beside them stands ``pool.tsv``, by which :func:`judgements` knows a row that was lost.

    A judge has whole topics, and a topic's documents come by name: nothing tells who found them, or
    where.
    """
    documents, queries = read_texts(texts)
    if depth < 1:
        raise InputError(f"--depth must be 1 or more, not {depth}")
    if not 1 <= judges <= len(queries):
        raise InputError(f"--judges must be 1 to {len(queries)}, a topic each, not {judges}")
    pool = _pool(runs, texts, documents.keys(), queries.keys(), depth)
    sheet = {}
    for judge in range(judges):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["topic", "query", "document", "text", "relevant"])
        for topic in list(queries)[judge::judges]:
            for document in sorted(pool[topic]):
                text = " ".join(documents[document].split()[:_WORDS])
                writer.writerow(map(defused, (topic, queries[topic], document, text, "")))
        sheet[f"judge-{judge + 1:02}.csv"] = out.getvalue()
    pairs = [(topic, document) for topic in queries for document in sorted(pool[topic])]
    rows = [f"{defused(topic)}\t{defused(document)}\n" for topic, document in pairs]
    return {**sheet, POOL_FILE: "".join(rows)}


def _pool(runs: Any, texts: Any, documents: Any, topics: Any, depth: int) -> dict[str, set[str]]:
    """Return the first documents of all runs, by topic; name every run with a fault."""
    pool: dict[str, set[str]] = {topic: set() for topic in topics}
    faults = []
    for path in run_files(runs).values():
        try:
            ranked = read_run(path)
        except InputError as error:
            faults.append(str(error))
            continue
        first = {topic: {one.decode() for one in of[:depth]} for topic, of in ranked.items()}
        if strange := sorted(first.keys() - topics):
            faults.append(f"{path}: topic {strange[0]!r} is not in {texts}/queries.tsv")
        elif unknown := sorted(set().union(*first.values()) - documents):
            faults.append(f"{path}: document {unknown[0]!r} is not in {texts}/docs.jsonl")
        else:
            for topic in first:
                pool[topic] |= first[topic]
    if faults:
        raise InputErrors(*faults)
    return pool


def judgements(folder: str) -> str:
    """Return what filled sheets say as the lines of a TREC qrels file; name every bad entry."""
    paths = sorted(Path(folder).glob("*.csv"))
    if not paths:
        raise InputError(f"{folder}: no sheets, files that end in .csv, are there")
    judged: dict[tuple[str, str], tuple[int, str]] = {}
    rows: set[tuple[str, str]] = set()
    faults = []
    for path in paths:
        sheet = [(place, _key(row), (row["relevant"] or "").strip()) for place, row in _rows(path)]
        rows |= {key for _, key, _ in sheet}
        if sheet and not any(word for _, _, word in sheet):
            faults.append(f"{path}: relevant is empty in every row of {len(sheet)}")
            continue
        for place, key, word in sheet:
            if not (word.isascii() and word.isdigit() and len(word) < 3):
                shown = f"{word!r}" if word else "empty"
                faults.append(f"{place}: relevant is {shown}; write 0, or the grade: 1, 2, ...")
                continue
            grade, other = judged.setdefault(key, (int(word), place))
            if grade != int(word):
                faults.append(
                    f"{place}: topic {key[0]!r}, document {key[1]!r} has {word}, but {grade} in "
                    f"{other}; agree on one"
                )
    if lost := sorted(_of_pool(Path(folder, POOL_FILE)) - rows):
        topic, document = lost[0]
        faults.append(
            f"{folder}: {len(lost)} rows of {POOL_FILE} stand on no sheet: topic {topic!r}, "
            f"document {document!r}{', ...' * (len(lost) > 1)}"
        )
    if faults:
        raise InputErrors(*faults)
    return "".join(f"{topic} 0 {name} {grade}\n" for (topic, name), (grade, _) in judged.items())


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    return fused(row["topic"].strip()), fused(row["document"].strip())


def _of_pool(path: Path) -> set[tuple[str, str]]:
    """Return topic and document of each row of the sheets; none if there are no sheets."""
    if not path.exists():
        return set()
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: cannot be read; make the sheets again, or delete it") from None
    rows = (line.split("\t") for line in lines if "\t" in line)
    return {(fused(row[0]), fused(row[1])) for row in rows}


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place and cells of each row; spreadsheets write commas, semicolons or tabs."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8; save it as CSV in UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    mark = next((mark for mark in ";\t" if mark in text.partition("\n")[0]), ",")
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark)
    if missing := sorted({"topic", "document", "relevant"}.difference(reader.fieldnames or ())):
        raise InputError(f"{path}: has no column {', '.join(missing)}")
    try:
        for row in reader:
            if None in row.values():
                raise InputError(f"{path}, line {reader.line_num}: cells are missing")
            if any(isinstance(cell, str) and cell.strip() for cell in row.values()):
                yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None
