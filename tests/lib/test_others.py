"""What other tools print, and hold in memory, comes in as they mean it."""

import gzip
import os
import shutil
import threading

import ir_measures
import numpy as np
import pandas as pd
import pytest
from strange import run_of, write_files
from strategies import qrels_text
from test_scale import table

from lib.collection import Collection, derive, read_qrels, read_run, read_systems
from lib.errors import InputError
from lib.measures import parse, scores

LISTS = {"A": {"1": ["a", "b"], "2": ["b", "a"]}, "B": {"1": ["b", "a"], "2": ["b"]}}
JUDGED = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
AP = {"A": {"1": 1.0, "2": 0.5}, "B": {"1": 0.5, "2": 0.0}}  # by hand


def all_trec(run):
    """As ``trec_eval -q -m all_trec`` prints it, with its words."""
    rows = [f"map                   \t{topic}\t{score:.4f}" for topic, score in AP[run].items()]
    rows += ["relstring_10          \t1\t'10'", "runid                 \tall\tmine"]
    return "\n".join([*rows, "map                   \tall\t0.5000", ""])


def by_query(run):
    """As ``ir_measures -q`` prints it."""
    lines = [
        ir_measures.ScoredDoc(t, d, -r) for t, of in LISTS[run].items() for r, d in enumerate(of)
    ]
    found = ir_measures.iter_calc([ir_measures.AP], JUDGED, lines)
    return (
        "".join(f"{one.query_id}\t{one.measure}\t{one.value:.4f}\n" for one in found)
        + "all\tAP\t1\n"
    )


def of_pyterrier():
    """As the frame of pt.Experiment(perquery=True) is written, with its index."""
    rows = [(run, topic, "map", score) for run, of in AP.items() for topic, score in of.items()]
    return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"]).to_csv()


@pytest.mark.parametrize(
    "files",
    [
        {run + end: text(run) for run in AP}
        for text in (all_trec, by_query)
        for end in ("", ".eval", ".eval.gz")
    ]
    + [{"both.csv": of_pyterrier()}],
)
def test_scores_by_topic_are_read_as_other_tools_print_them(files, tmp_path):
    packed = {n: gzip.compress(t.encode()) if n.endswith("gz") else t for n, t in files.items()}
    write_files(tmp_path, packed)
    words = [word for name in files for word in ("--per-topic", tmp_path / name)]
    found = table("compare", *words, "--measures", "AP").iloc[0]
    assert found[["run 1", "run 2"]].tolist() == ["A", "B"]
    assert found[["mean of one", "mean of other", "wins"]].tolist() == [0.75, 0.25, 2]


@pytest.mark.parametrize(
    ("measure", "one", "other", "difference"),
    [
        ("P@3", "0.3333 1.0000 0.6667", "0.0000 0.6667 0.3333", 1 / 3),
        ("P(rel=2)@3", "0.3333 1.0000 0.6667", "0.0000 0.6667 0.3333", 1 / 3),
        ("P@3", "0.8000 0.9000 0.7000", "0.5000 0.6000 0.4000", 0.3),  # means of several runs
        ("RR", "0.6667 0.6667 0.6667", "0.3333 0.3333 0.3333", 1 / 3),
    ],
)
def test_four_decimals_of_equal_differences_are_equal_differences(
    measure, one, other, difference, tmp_path
):
    """By hand: three topics have the same difference, and of eight changes of signs two are far."""
    for run, scores_of in {"A": one, "B": other}.items():
        lines = [f"{measure} {topic} {score}\n" for topic, score in enumerate(scores_of.split())]
        write_files(tmp_path, {run: "".join(lines)})
    files = ("--per-topic", tmp_path / "A", "--per-topic", tmp_path / "B")
    found = table("compare", *files, "--measure", measure, "--measures", measure).iloc[0]
    assert found["difference"] == pytest.approx(difference, abs=4e-5)
    assert found[["p", "p permutation"]].tolist() == [0.25, 0.25] and found["effect"] is None


@pytest.mark.parametrize("score", ["1.2", "-0.1"])
def test_no_tool_scores_beyond_the_scale(score, tmp_path, printed):
    write_files(tmp_path, {"A": f"map 1 {score}\nmap 2 0.5\n", "B": "map 1 0.5\nmap 2 0.5\n"})
    words = ["compare", "--per-topic", str(tmp_path / "A"), "--per-topic", str(tmp_path / "B")]
    assert f"A: score {score}, of AP, 1, A, is not in [0, 1]" in printed(words, 2).err


@pytest.mark.posix
@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--per-topic", "A.eval", "--per-topic", "B.eval", "--measures", "AP"),
        ("compare", "A=runs/A", "B=b.json", "qrels"),
        ("correct", "runs", "qrels", "people", "--chosen-by-me"),
        ("compare-qrels", "runs", "qrels", "people"),
    ],
)
def test_a_pipe_says_what_a_file_says(words, here, printed):
    """As a shell's <(zcat A.gz) is, in a form that the fast reader leaves to the other too."""
    files = {f"runs/{run}": run_of(of) for run, of in LISTS.items()}
    files |= {f"{run}.eval": all_trec(run) for run in AP}
    people = {"1": {"a": 0, "b": 1}, "2": {"a": 1}}
    files |= {"qrels": qrels_text(JUDGED), "people": qrels_text(people)}
    files["b.json"] = '{"1": {"b": 2, "a": 1}, "2": {"b": 1}}'
    write_files(here, files)
    by_files = printed(list(words)).out
    for name in {word.removeprefix("A=").removeprefix("B=") for word in words} & {*files}:
        (here / name).unlink()
        os.mkfifo(here / name)
        text = files[name].encode()
        threading.Thread(target=(here / name).write_bytes, args=[text], daemon=True).start()
    assert printed(list(words)).out == by_files


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
def test_exponential_gain_and_err_are_gdevals():
    rng = np.random.default_rng(3)
    judged = {str(t): {f"d{i}": int(rng.integers(0, 5)) for i in range(9)} for t in range(12)}
    found = {t: [f"d{i}" for i in rng.permutation(12)[:8]] for t in judged}
    lines = [ir_measures.ScoredDoc(t, d, -r) for t, of in found.items() for r, d in enumerate(of)]
    c = Collection.from_rankings({"A": found}, judged)
    for name in ("nDCG(dcg='exp-log2')@1", "nDCG(dcg='exp-log2')@5", "ERR@5"):
        theirs = ir_measures.iter_calc([ir_measures.parse_measure(name)], judged, lines)
        expected = {one.query_id: one.value for one in theirs}
        assert scores(c, name)["A"].to_dict() == pytest.approx(expected, abs=6e-6)  # as it prints


@pytest.mark.parametrize(
    ("runs", "qrels", "said"),
    [
        (
            {"A": {"t": {"a": float("nan")}}},
            {"t": {"a": 1}},
            "A: a score in topic 't' is no finite",
        ),
        ({"A": {"t": ["a"]}}, {"t": {"a": 1.5}}, "grade 1.5 is not a 32-bit integer"),
        ({"A": {"t": ["a"]}}, {"t": {"a": 2**31}}, "grade 2147483648 is not"),
    ],
)
def test_what_memory_holds_is_refused_as_a_file_is(runs, qrels, said):
    with pytest.raises(InputError, match=said):
        Collection.from_rankings(runs, qrels)


def test_relevant_documents_are_those_that_count(tmp_path):
    write_files(
        tmp_path, {"A": run_of({"t": ["a", "b"]}), "q": qrels_text({"t": {"a": 1, "b": 2}})}
    )
    made = derive(tmp_path / "A", tmp_path / "q", relevant_from=2)
    assert "1 relevant documents, 1 hits" in repr(made)


def test_documents_named_like_their_topic_are_left_out(tmp_path):
    lists = {"t": ["t", "a", "u"], "u": ["ut", "u", "a"], "a-topic-of-more-than-eight": ["a"]}
    judged = {t: {"a": 1, "t": 1} for t in lists}
    short = {t: [d for d in of if d != t] for t, of in lists.items()}
    write_files(tmp_path, {"A": run_of(lists), "q": qrels_text(judged)})
    found = scores(derive(tmp_path / "A", tmp_path / "q", without_own=True), "nDCG")
    assert found.equals(scores(Collection.from_rankings({"A": short}, judged), "nDCG"))


def test_json_is_read_with_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.collection.text_files._MOST_JSON", 20)
    long = gzip.compress(b" " * 9 + b'{"t": {"a": 100}}')
    write_files(tmp_path, {"A": '{"t": {"a": 1.0}}', "q.gz": long})
    with pytest.raises(InputError, match="more than 20 bytes of JSON"):
        derive(tmp_path / "A", tmp_path / "q.gz")


@pytest.mark.parametrize("read", [read_run, read_qrels, read_systems])
def test_blank_lines_have_a_bound_in_every_file(read, tmp_path, monkeypatch):
    monkeypatch.setattr("lib.collection.text_files._MOST_BLANK", 1000)
    text = b"run\n" * (read is read_systems) + b"\n" * 1001
    (tmp_path / "blank.gz").write_bytes(gzip.compress(text))
    with pytest.raises(InputError, match="blank.gz: holds more than 1,000 blank lines"):
        read(tmp_path / "blank.gz")


# Of test/results.test and test/qrels.test of trec_eval 10 (usnistgov/trec_eval, NIST): at which
# ranks of a list of 500 the relevant documents of topic 302 stand, of 77 that there are.
RANKS_302 = (
    "1 2 4 5 6 8 9 11 12 13 14 15 16 17 18 19 21 22 24 27 28 30 31 34 36 37 39 42 43 44 47 48"
)
RANKS_302 += " 49 50 51 53 56 58 72 79 82 84 116 154 289 301 331 353 394 458"


def test_eleven_points_are_those_that_trec_eval_10_has_on_its_own_file():
    """As its test/out.test.aq has them; trec_eval 9, and pytrec_eval with it, rounds otherwise."""
    judged = dict.fromkeys([*RANKS_302.split(), *map(str, range(501, 528))], 1)
    ranking = [str(rank) for rank in range(1, 501)]
    c = Collection.from_rankings({"A": {"t": ranking}}, {"t": judged})
    assert round(scores(c, "11ptAP(trec_eval=10)").loc["t", "A"], 4) == 0.4370


# Of the test files of ir_measures (Apache License 2.0), by measures that pytrec_eval lacks: the
# grades of a list, None of what nobody judged, those of relevant documents that it lacks, scores.
OTHERS = [
    (
        [0, 1, 2, 1, 0],
        [],
        {"nDCG(dcg=exp-log2)@20": 0.6201, "nDCG(dcg=exp-log2)@2": 0.17377, "ERR@20": 0.10175}
        | {"ERR@2": 0.03125, "Judged": 1, "NumRet(rel=1)": 3, "NumRet(rel=2)": 1, "NumRet": 5},
    ),
    (
        [None, 2, None, None],
        [1, 2],
        {"nDCG(dcg=exp-log2)@20": 0.35099, "nDCG(dcg=exp-log2)@2": 0.38685, "ERR@20": 0.09375}
        | {"Judged": 0.25, "Judged@3": 0.33333, "Judged@1": 0, "NumRet(rel=1)": 1, "NumRet": 4},
    ),
    (
        [0, 2, 2, 1, 0],
        [],
        {"SetP": 0.6, "SetP(rel=2)": 0.4, "SetF": 0.75, "SetF(beta=0.5)": 0.6923}
        | {"SetF(beta=2.0)": 0.81818, "Success(rel=2)@2": 1, "Success(rel=3)@2": 0},
    ),
    (
        [None, None, None, 2],
        [1],
        {"SetP": 0.25, "SetR": 0.5, "SetR(rel=2)": 1, "SetF": 0.33333, "SetF(beta=0.5)": 0.3}
        | {"SetF(beta=2.0)": 0.375, "IPrec@0.5": 0.25, "IPrec@0.75": 0},
    ),
]


@pytest.mark.parametrize(("ranked", "missed", "expected"), OTHERS)
def test_scores_are_those_of_the_tests_of_ir_measures(ranked, missed, expected, tmp_path):
    grades = {f"d{rank}": grade for rank, grade in enumerate(ranked) if grade is not None}
    grades |= {f"m{number}": grade for number, grade in enumerate(missed)}
    lists = {"t": [f"d{rank}" for rank in range(len(ranked))]}
    write_files(tmp_path, {"A": run_of(lists), "qrels": qrels_text({"t": grades})})
    found = table("evaluate", tmp_path / "A", tmp_path / "qrels", "--measures", " ".join(expected))
    ours = found.set_index("measure")["score"]
    theirs = {str(parse(name)): score for name, score in expected.items()}
    assert ours.to_dict() == pytest.approx(theirs, abs=5e-5)  # some have four digits
