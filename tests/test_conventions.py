"""The laboratory of conventions: what the field's tools say to its tiny runs.

``python tests/test_conventions.py`` calls them and writes their answers to data/conventions.
"""

import hashlib
import json
import shutil
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import ir_measures  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import pytest  # noqa: E402
import pytrec_eval  # noqa: E402

from lib import means  # noqa: E402
from lib.collection import derive  # noqa: E402
from lib.teaching.conventions import CASES, TOOLS, Case, page, who  # noqa: E402

NAMES = {
    "RR": "recip_rank",
    "P@1": "P_1",
    "AP@2": "map_cut_2",
    "nDCG": "ndcg",
    "nDCG@2": "ndcg_cut_2",
}
EXPONENTIAL = "nDCG(dcg='exp-log2')@2"  # ir_measures runs a Perl script for it


def by_pytrec_eval(case, measure, **options):
    key = NAMES[measure]
    kind = key if key in ("recip_rank", "ndcg") else ".".join(key.rsplit("_", 1))
    evaluator = pytrec_eval.RelevanceEvaluator(case.judgements, {kind}, **options)
    run = {topic: dict(lines) for topic, lines in case.run.items()}
    return float(np.mean([found[key] for found in evaluator.evaluate(run).values()]))


def by_ir_measures(case, call):
    run = [
        ir_measures.ScoredDoc(topic, document, score)
        for topic, lines in case.run.items()
        for document, score in lines
    ]
    measure = ir_measures.parse_measure(call)
    return ir_measures.calc_aggregate([measure], case.judgements, run)[measure]


def by_this_book(case, call, *, missing="zero", **options):
    """Score the run from files, as the command ``derive`` reads them."""
    with TemporaryDirectory() as folder:
        runs, qrels = Path(folder, "runs"), Path(folder, "qrels")
        runs.mkdir()
        lines = [f"{t} Q0 {d} 0 {s!r} A" for t, scored in case.run.items() for d, s in scored]
        (runs / "A").write_text("\n".join(lines) + "\n")
        judged = [f"{t} 0 {d} {g}" for t, of in case.judgements.items() for d, g in of.items()]
        qrels.write_text("\n".join(judged) + "\n")
        found = derive(runs, qrels, **options)
    return float(means(found, [call], missing=missing).iloc[0, 0])


def answers():
    """Call every tool; return what it says, a row a call, to four decimals."""
    rows = []

    def add(name, tool, call, measure, score):
        rows.append((name, tool, call, measure, round(score, 4)))

    for name, case in CASES.items():
        for measure in case.measures:
            if measure in NAMES:
                score = by_pytrec_eval(case, measure)
                add(name, "pytrec_eval", NAMES[measure], measure, score)
            add(name, "ir_measures", measure, measure, by_ir_measures(case, measure))
            add(name, "this book", measure, measure, by_this_book(case, measure))
    for name, measure, option in [
        ("unjudged", "RR", "judged_docs_only_flag=True"),
        ("threshold", "P@1", "relevance_level=2"),
    ]:
        key, _, value = option.partition("=")
        score = by_pytrec_eval(CASES[name], measure, **{key: json.loads(value.lower())})
        add(name, "pytrec_eval", f"{NAMES[measure]}, {option}", measure, score)
    for name, measure, call in [
        ("unjudged", "RR", "RR(judged_only=True)"),
        ("threshold", "P@1", "P(rel=2)@1"),
        ("gain", "nDCG@2", EXPONENTIAL),
    ]:
        if call != EXPONENTIAL or shutil.which("perl"):
            add(name, "ir_measures", call, measure, by_ir_measures(CASES[name], call))
    for name, measure, call in [
        ("threshold", "P@1", "P(rel=2)@1"),
        ("denominator", "AP@2", "aAP@2"),
        ("discount", "nDCG", "nDCG(discount=2002)"),
    ]:
        add(name, "this book", call, measure, by_this_book(CASES[name], call))
    single = by_this_book(CASES["precision"], "RR", scores="single")
    add("precision", "this book", "RR, derive --scores single", "RR", single)
    answered = by_this_book(CASES["missing"], "RR", missing="answered")
    add("missing", "this book", 'means(..., missing="answered")', "RR", answered)
    order = {name: i for i, name in enumerate(CASES)}
    rows.sort(key=lambda row: order[row[0]])
    return pd.DataFrame(rows, columns=["case", "tool", "call", "measure", "score"])


def test_the_committed_answers_are_those_of_the_tools():
    now, kept = answers(), pd.read_csv(TOOLS)
    if not shutil.which("perl"):
        kept = kept[kept["call"] != EXPONENTIAL].reset_index(drop=True)
    pd.testing.assert_frame_equal(now, kept)


@pytest.mark.parametrize("name", CASES)
def test_every_answer_is_that_of_a_rule(name):
    """And this book's own default is among them."""
    rules = who(name)
    assert any("this book" in call for calls in rules["tools"] for call in calls)


def test_the_statement_has_the_hash_of_the_answers():
    package = json.loads(TOOLS.with_name("datapackage.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(TOOLS.read_bytes()).hexdigest()
    assert package["resources"][0]["hash"] == f"sha256:{digest}"


def test_a_tool_that_follows_no_rule_is_noticed():
    tools = pd.read_csv(TOOLS)
    tools.loc[tools["case"] == "missing", "score"] = 0.75
    with pytest.raises(ValueError, match="missing, RR: a tool follows none of the rules"):
        who("missing", tools=tools)


def test_rules_that_score_the_same_are_noticed(monkeypatch):
    same = Case("", "", ("RR",), {}, {}, {"one": lambda m: 0.5, "other": lambda m: 0.5})
    monkeypatch.setitem(CASES, "same", same)
    with pytest.raises(ValueError, match="same, RR: two rules score the same"):
        who("same")


SCORES = [  # by hand
    ("ties", "RR", [1 / 3, 1, 1 / 2, 11 / 18]),
    ("ties", "RBP(p=0.5,rel=1)", [1 / 8, 1 / 2, 1 / 4, 7 / 24]),
    ("precision", "RR", [1, 1 / 2]),
    ("missing", "RR", [1 / 2, 1]),
    ("nothing", "RR", [1 / 2, 1]),
    ("unjudged", "RR", [1 / 2, 1]),
    ("threshold", "P@1", [1, 0]),
    ("denominator", "AP@2", [1 / 3, 1 / 2, 1]),
    ("discount", "nDCG", [1 / np.log2(3), 1]),
    (
        "gain",
        "nDCG@2",
        [(1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3)), (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))],
    ),
]


@pytest.mark.parametrize(("name", "measure", "scores"), SCORES)
def test_rules_score_as_by_hand(name, measure, scores):
    rules = who(name).query("measure == @measure")
    np.testing.assert_allclose(rules["score"], scores, atol=1e-6)


def test_every_case_is_worked_by_hand():
    assert {(name, m) for name, m, _ in SCORES} == {
        (name, m) for name, case in CASES.items() for m in case.measures
    }


def test_the_page_names_every_answer():
    text = page()
    for row in pd.read_csv(TOOLS).itertuples():
        assert f"{row.tool}: `{row.call}`" in text


def write():
    """Write what the tools say, and the statement beside it."""
    table = answers()
    text = StringIO()
    table.to_csv(text, index=False, lineterminator="\n")
    TOOLS.write_text(text.getvalue(), encoding="utf-8")
    file = TOOLS.with_name("datapackage.json")
    package = json.loads(file.read_text(encoding="utf-8"))
    digest = hashlib.sha256(text.getvalue().encode()).hexdigest()
    package["resources"][0] |= {"rows": len(table), "hash": f"sha256:{digest}"}
    file.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
