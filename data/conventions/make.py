"""Asks the field's tools what they say to the tiny runs of ``book/conventions.md``.

``python data/conventions/make.py`` writes their answers to ``tools.csv`` beside this file.
"""

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import chapters  # noqa: E402 F401 isort: skip  Before numpy: it sets one BLAS thread.

import ir_measures  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import pytrec_eval  # noqa: E402

from lib import means  # noqa: E402
from lib.collection import derive  # noqa: E402

PAGE = ROOT / "book" / "conventions.md"
TABLE = Path(__file__).with_name("tools.csv")
# The measures that pytrec_eval has, by its names.
NAMES = {
    "RR": "recip_rank",
    "P@1": "P_1",
    "AP@2": "map_cut_2",
    "nDCG": "ndcg",
    "nDCG@2": "ndcg_cut_2",
}
EXPONENTIAL = "nDCG(dcg='exp-log2')@2"  # ir_measures runs a Perl script for it


def cases():
    """Return the cases of the page: name to (run, judgements, measure to the rows of its table)."""
    parts = re.split(r"^\(conventions-(\w+)\)=$", PAGE.read_text("utf-8"), flags=re.M)
    return {name: _case(text) for name, text in zip(parts[1::2], parts[2::2])}


def _case(text):
    run, judgements = (_topics(line) for line in re.findall(r": (topic .*)\.$", text, flags=re.M))
    tables = dict(re.findall(r"^By (.*):\n\n((?:\|.*\n)+)", text, flags=re.M))
    rows = {
        measure: [
            [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]
        ]
        for measure, table in tables.items()
    }
    grades = {t: {d: int(grade) for d, grade in of.items()} for t, of in judgements.items()}
    return {t: {d: float(s) for d, s in of.items()} for t, of in run.items()}, grades, rows


def _topics(said):
    """Read "topic 1: b 1.0, a 1.0; topic 2: c 2.0"."""
    topics = re.findall(r"topic (\w+): ([^;]*)", said)
    return {topic: dict(pair.split() for pair in listed.split(", ")) for topic, listed in topics}


def by_pytrec_eval(case, measure, **options):
    """Score a case; its mean is that of the topics that pytrec_eval scores."""
    run, judgements, _ = case
    key = NAMES[measure]
    kind = key if key in ("recip_rank", "ndcg") else ".".join(key.rsplit("_", 1))
    found = pytrec_eval.RelevanceEvaluator(judgements, {kind}, **options).evaluate(run)
    return float(np.mean([scores[key] for scores in found.values()]))


def by_ir_measures(case, call):
    """Score a case by a measure in ir_measures' own words."""
    run, judgements, _ = case
    lines = [ir_measures.ScoredDoc(t, d, score) for t, of in run.items() for d, score in of.items()]
    measure = ir_measures.parse_measure(call)
    return ir_measures.calc_aggregate([measure], judgements, lines)[measure]


def by_this_book(case, call, *, missing="zero", **options):
    """Score a case from files, as the command ``derive`` reads them."""
    run, judgements, _ = case
    with TemporaryDirectory() as folder:
        runs, qrels = Path(folder, "runs"), Path(folder, "qrels")
        runs.mkdir()
        lines = [f"{t} Q0 {d} 0 {score!r} A" for t, of in run.items() for d, score in of.items()]
        (runs / "A").write_text("\n".join(lines) + "\n", encoding="utf-8")
        judged = [f"{t} 0 {d} {grade}" for t, of in judgements.items() for d, grade in of.items()]
        qrels.write_text("\n".join(judged) + "\n", encoding="utf-8")
        found = derive(runs, qrels, **options)
    return float(means(found, [call], missing=missing).iloc[0, 0])


def answers():
    """Call every tool; return what it says, a row a call, to four decimals."""
    known, rows = cases(), []

    def add(name, tool, call, measure, score):
        rows.append((name, tool, call, measure, round(score, 4)))

    for name, case in known.items():
        for measure in case[2]:
            if measure in NAMES:
                score = by_pytrec_eval(case, measure)
                add(name, "pytrec_eval", NAMES[measure], measure, score)
            add(name, "ir_measures", measure, measure, by_ir_measures(case, measure))
            add(name, "this book", measure, measure, by_this_book(case, measure))
    for name, measure, option, value in (
        ("unjudged", "RR", "judged_docs_only_flag", True),
        ("threshold", "P@1", "relevance_level", 2),
    ):
        score = by_pytrec_eval(known[name], measure, **{option: value})
        add(name, "pytrec_eval", f"{NAMES[measure]}, {option}={value}", measure, score)
    for name, measure, call in (
        ("ties", "RR", "RR@10"),
        ("unjudged", "RR", "RR(judged_only=True)"),
        ("threshold", "P@1", "P(rel=2)@1"),
        ("gain", "nDCG@2", EXPONENTIAL),
    ):
        if call != EXPONENTIAL or shutil.which("perl"):
            add(name, "ir_measures", call, measure, by_ir_measures(known[name], call))
    for name, measure, call in (
        ("threshold", "P@1", "P(rel=2)@1"),
        ("denominator", "AP@2", "aAP@2"),
        ("discount", "nDCG", "nDCG(discount=2002)"),
    ):
        add(name, "this book", call, measure, by_this_book(known[name], call))
    single = by_this_book(known["precision"], "RR", scores="single")
    add("precision", "this book", "RR, derive --scores single", "RR", single)
    answered = by_this_book(known["missing"], "RR", missing="answered")
    add("missing", "this book", 'means(..., missing="answered")', "RR", answered)
    order = list(known)
    rows.sort(key=lambda row: order.index(row[0]))
    return pd.DataFrame(rows, columns=["case", "tool", "call", "measure", "score"])


def write():
    """Write what the tools say, and its hash into the statement beside it."""
    text = answers().to_csv(index=False, lineterminator="\n")
    TABLE.write_text(text, encoding="utf-8")
    file = TABLE.with_name("datapackage.json")
    package = json.loads(file.read_text(encoding="utf-8"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    package["resources"][0] |= {"rows": text.count("\n") - 1, "hash": f"sha256:{digest}"}
    file.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
