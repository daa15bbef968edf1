"""At home in a notebook: what lives in memory goes in, and what comes out is what others read."""

import re
from types import SimpleNamespace

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from scipy import stats
from strange import write_files
from strategies import qrels as some_qrels
from strategies import qrels_text, run_text, scored_lists

import lib
from lib.collection import Collection
from lib.collection.in_memory import grades_of
from lib.errors import InputError
from lib.measures import score_tables
from lib.paths import ROOT

MEASURES = ["AP", "P@5", "nDCG@10", "RR", "AP(rel=2)", "Bpref"]


def toy(seed=2031, *, topics=8, documents=40):
    """Return two runs and judgements as dicts, with scores that tie and grades from 0 to 3."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(documents)]
    runs = {
        system: {
            str(topic): {str(d): int(rng.integers(0, 12)) / 8 for d in rng.permutation(names)[:25]}
            for topic in range(1, topics + 1)
        }
        for system in ("A", "B")
    }
    judged = {
        str(topic): {str(d): int(rng.integers(0, 4)) for d in rng.permutation(names)[:20]}
        for topic in range(1, topics + 1)
    }
    return runs, judged


RUNS, QRELS = toy()
RESULTS = {
    system: pytrec_eval.RelevanceEvaluator(QRELS, {"map", "P_5"}).evaluate(run)
    for system, run in RUNS.items()
}


def frame(lists, *columns):
    """Return topic to document to number as a frame with these columns."""
    rows = [(t, d, number) for t, of in lists.items() for d, number in of.items()]
    return pd.DataFrame(rows, columns=columns)


def of_pyterrier(run):
    """As a transformer of PyTerrier returns its results: with documents' own numbers too."""
    table = frame(run, "qid", "docno", "score")
    return table.assign(docid=range(len(table)), rank=0, query="what was typed")


def experiment():
    """As pt.Experiment returns it with perquery=True."""
    rows = [
        (system, topic, measure, value)
        for system, topics in RESULTS.items()
        for topic, of in topics.items()
        for measure, value in of.items()
    ]
    return pd.DataFrame(rows, columns=["name", "qid", "measure", "value"])


def as_files(folder):
    files = {f"runs/{system}": run_text(run) for system, run in RUNS.items()}
    write_files(folder, files | {"qrels.txt": qrels_text(QRELS)})


@pytest.fixture(scope="module")
def of_files(tmp_path_factory):
    """The scores of the toy, read from files."""
    folder = tmp_path_factory.mktemp("toy")
    as_files(folder)
    return lib.scores(lib.derive(folder / "runs", folder / "qrels.txt", judged=True), MEASURES)


def same(found, expected):
    assert list(found) == list(expected)
    for name, table in found.items():
        pd.testing.assert_frame_equal(table, expected[name], check_exact=True, check_names=False)


def ranx_or_skip():
    return pytest.importorskip("ranx", reason="ranx is of the extra `bench`")


FORMS = {
    "dicts": lambda: (RUNS, QRELS),
    "numbers as names": lambda: (
        {name: {int(t): of for t, of in run.items()} for name, run in RUNS.items()},
        QRELS,
    ),
    "frames of PyTerrier": lambda: (
        {name: of_pyterrier(run) for name, run in RUNS.items()},
        frame(QRELS, "qid", "docno", "label").sample(frac=1, random_state=1),
    ),
    "one frame with a column of systems": lambda: (
        pd.concat(
            [frame(run, "topic", "doc_id", "score").assign(run=n) for n, run in RUNS.items()]
        ),
        frame(QRELS, "query_id", "doc_id", "relevance").astype({"relevance": float}),
    ),
    "frames with names in the index": lambda: (
        {n: frame(r, "qid", "docno", "score").set_index(["qid", "docno"]) for n, r in RUNS.items()},
        frame(QRELS, "qid", "docno", "label").set_index("qid"),
    ),
    "tuples of ir_measures": lambda: (
        {
            name: [ir_measures.ScoredDoc(*row) for row in frame(run, *"tds").to_numpy()]
            for name, run in RUNS.items()
        },
        (ir_measures.Qrel(*row) for row in frame(QRELS, *"tdg").to_numpy()),
    ),
    "an object that offers a frame": lambda: (
        {n: SimpleNamespace(to_pandas=lambda r=r: of_pyterrier(r)) for n, r in RUNS.items()},
        SimpleNamespace(to_dict=lambda: QRELS),
    ),
    "ranx": lambda: (
        [ranx_or_skip().Run(run, name=name) for name, run in RUNS.items()],
        ranx_or_skip().Qrels(QRELS),
    ),
    "a frame of ranx": lambda: (
        {n: ranx_or_skip().Run(run).to_dataframe() for n, run in RUNS.items()},
        ranx_or_skip().Qrels(QRELS).to_dataframe(),
    ),
    "polars": lambda: (
        {
            n: pytest.importorskip("polars").from_pandas(of_pyterrier(run))
            for n, run in RUNS.items()
        },
        QRELS,
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_in_memory_scores_as_its_files_do(form, of_files):
    same(lib.scores(lib.derive(*FORMS[form](), judged=True), MEASURES), of_files)


def test_scores_of_runs_and_judgements_need_no_name_in_between(of_files, tmp_path):
    as_files(tmp_path)
    same(lib.scores(RUNS, QRELS, MEASURES), of_files)
    mixed = {"A": RUNS["A"], "B": tmp_path / "runs" / "B"}
    same(lib.scores(mixed, str(tmp_path / "qrels.txt"), MEASURES), of_files)
    assert len(lib.evaluate(RUNS, QRELS, "RR")) == 2 * len(QRELS)
    pd.testing.assert_frame_equal(
        lib.means(RUNS, QRELS, "RR"), lib.means(lib.derive(RUNS, QRELS), "RR")
    )


@given(scored_lists(), some_qrels())
def test_lists_in_memory_have_the_order_of_trec_eval(tmp_path_factory, run, judged):
    """Ties, scores of either sign and huge ones, in single precision too."""
    judged = {topic: {d: max(0, grade) for d, grade in of.items()} for topic, of in judged.items()}
    if run.keys().isdisjoint(judged):
        return
    folder = tmp_path_factory.mktemp("lists")
    write_files(folder, {"A": run_text(run), "q": qrels_text(judged)})
    for precision in ("double", "single"):
        expected = lib.derive(folder / "A", folder / "q", scores=precision)
        found = lib.derive({"A": run}, judged, scores=precision)
        assert found.hits.equals(expected.hits) and found.lists.equals(expected.lists)
        assert found.pools.equals(expected.pools)


def test_a_list_of_distances_is_noted_as_in_a_file():
    nearest_first = {str(t): {f"d{i}": i / 10 for i in range(9)} for t in range(3)}
    with pytest.warns(lib.errors.InputWarning, match="run: scores rise down every list"):
        lib.derive(nearest_first, {"0": {"d1": 1}, "1": {"d1": 1}, "2": {"d8": 1}})


F, Q = frame(RUNS["A"], "qid", "docno", "score"), frame(QRELS, "qid", "docno", "label")
BAD = {
    "a frame without its columns": (F.drop(columns="docno"), Q, "has the columns qid, score; give"),
    "judgements where runs are meant": (Q, F, "has the columns qid, docno, label; give a frame"),
    "a run where judgements are meant": (QRELS, RUNS["A"], "no whole number .* after the runs"),
    "two of one name": ([F, F], Q, "two runs have one name; give a dict of names"),
    "NaN": (F.assign(score=np.nan), Q, "'run', '1', 'd.*': nan is not a finite number"),
    "text for a score": (F.assign(score="high"), Q, "'high' is not a finite number"),
    "grades with a point": (F, Q.assign(label=0.5), "0.5 is no whole number of 32 bits"),
    "a set": ({"1": {"d1", "d2"}}, QRELS, "no numbers by topic; give a frame of qid, docno, score"),
    "rows that contradict": (
        F,
        pd.concat([Q, Q.assign(label=7)]),
        "'1', 'd.*': stands there twice",
    ),
    "a document twice": (pd.concat([F, F]), Q, "runs, 'run', '1', .* stands there twice"),
    "lists of scores": ({"1": [0.5, 0.4]}, QRELS, "0.5 is no name, which is text or a whole"),
    "a list for a score": ({"1": {"d1": [0.5]}}, QRELS, "0.5 is no name"),
    "a list of what is relevant": (
        RUNS,
        {"1": ["d1"]},
        "no numbers by topic; give, after the runs",
    ),
    "judgements by names": (RUNS, {"people": QRELS}, "no numbers by topic; give, after the runs"),
    "a number and text": ({1: {"d1": 0.5}, "1": {"d2": 0.4}}, QRELS, "in one place and text in an"),
    "numbers with a point": (F.assign(qid=1.0), Q, "1.0 is no name, which is text or a whole"),
    "nothing": ({"A": {}, "B": RUNS["B"]}, QRELS, "runs: 'A' holds nothing"),
    "no judgements": (RUNS, {}, "judgements: 'run' holds nothing"),
    "no run": (5, QRELS, "no numbers by topic; give a frame of qid, docno, score"),
    "a gap among grades": (F, Q.assign(label=[np.nan, *Q["label"][1:]]), "nan is not a finite"),
    "a column twice": (pd.concat([F, F["score"]], axis=1), Q, "runs: has two columns 'score'"),
    "numbers alone": (np.zeros((2, 2)), QRELS, "is no name, which is text or a whole number"),
    "other topics": ({"401": {"d1": 0.5}}, QRELS, "run: answers no topic of the judgements"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_meant_is_refused_in_a_line(case):
    *given, why = BAD[case]
    with pytest.raises(InputError, match=why) as refused:
        lib.derive(*given)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 250


def test_judgements_that_stand_twice_alike_count_once():
    named = {t: {d.encode(): grade for d, grade in of.items()} for t, of in QRELS.items()}
    assert grades_of(pd.concat([Q, Q])) == grades_of(Q) == named


# The table of formats and tools: each row is run, with the real libraries.


PAGE = (ROOT / "book" / "your-own-runs.md").read_text(encoding="utf-8")
TABLE = PAGE.split("(your-own-runs-interop)=")[1].split("(your-own-runs-case)=")[0]
LINES = re.findall(r"^\| (?!Format|---)(.*?) \| .* \| (.*) \|$", TABLE, re.MULTILINE)
HOW = {first: re.findall(r"`([^`]+)`", last) for first, last in LINES}
ROWS = {
    "TREC, BEIR, MS MARCO, JSON": dict,
    "pandas": lambda: {"frame": F, "qrels": Q},
    "PyTerrier": lambda: {"frame": F, "qrels": Q, "experiment": experiment()},
    "ir_measures": lambda: {
        "run": [ir_measures.ScoredDoc(*row) for row in F.to_numpy()],
        "qrels": [ir_measures.Qrel(*row) for row in Q.to_numpy()],
        "nDCG": ir_measures.nDCG,
    },
    "pytrec_eval": lambda: {
        "run": RUNS["A"],
        "qrels": QRELS,
        "results": RESULTS["A"],
        "others": RESULTS["B"],
    },
    "ranx": lambda: {
        "run": ranx_or_skip().Run(RUNS["A"], name="A"),
        "other": ranx_or_skip().Run(RUNS["B"], name="B"),
        "qrels": ranx_or_skip().Qrels(QRELS),
    },
    "trec_eval": dict,
    "LaTeX, Markdown": lambda: {"ours": lib.derive(RUNS, QRELS)},
    "SVG, PNG, PDF": lambda: {"estimates": {"A": lib.Interval.of(0.1, 0.02)}},
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_table_runs(row, here, printed, of_files):
    as_files(here)
    rows = lib.evaluate(RUNS, QRELS, ["AP", "P@5"])
    for name, text in lib.export(rows, "trec_eval").items():
        (here / f"{name.lower()}.eval").write_text(text, encoding="utf-8")
    names = {name: getattr(lib, name) for name in lib.__all__} | ROWS[row]() | {"rows": rows}
    if row == "ranx":
        ranx_or_skip().evaluate(names["qrels"], names["run"], ["map", "precision@5"])
    for code in HOW[row]:
        if code.startswith("compare --"):
            said = printed(f"{code} --measures P@5").out
            assert f"{of_files['AP']['A'].mean():.4f}" in said
            continue
        found = eval(code, names)
        if isinstance(found, Collection):
            ap = lib.scores(found, "AP").iloc[:, [0]]
            assert np.array_equal(ap, of_files["AP"].iloc[:, [0]])
        elif code.startswith("export"):
            again = score_tables(found) if row != "trec_eval" else None
            assert again is None or np.array_equal(again["AP"], of_files["AP"])
        elif code.startswith(("leaderboard", "compare", "means_with")) and row != "ranx":
            table = found.set_index("measure") if "measure" in found else found
            means = table.loc["AP", ["mean of one" if "mean of one" in table else "mean"]]
            assert np.ravel(means)[0] == pytest.approx(of_files["AP"]["A"].mean(), abs=1e-7)
        elif row == "ranx":  # which orders ties in its own way: see below
            assert found["measure"].tolist() == ["AP", "P@5"]
    assert HOW.keys() == ROWS.keys()
    assert row != "SVG, PNG, PDF" or (here / "forest.svg").read_bytes().startswith(b"<?xml")


def test_what_goes_out_is_what_the_libraries_have():
    rows = lib.evaluate(RUNS, QRELS, ["map", "P_5"])
    theirs = lib.export(rows, "pytrec_eval")
    for system, topics in RESULTS.items():
        for topic, of in topics.items():
            assert theirs[system][topic] == pytest.approx(of)
    evaluator = ir_measures.evaluator([ir_measures.AP, ir_measures.P @ 5], QRELS)
    (mine,) = [of for name, of in lib.export(rows, "ir_measures").groupby("system") if name == "A"]
    calls = {(one.query_id, str(one.measure)): one.value for one in evaluator.iter_calc(RUNS["A"])}
    ours = {
        (row.query_id, {"map": "AP", "P_5": "P@5"}[row.measure]): row.value
        for row in mine.itertuples()
    }
    assert ours == pytest.approx(calls)
    assert lib.export(rows, "ranx")["B"]["map"]["3"] == theirs["B"]["3"]["map"]
    with pytest.raises(InputError, match="to must be ir_measures, trec_eval"):
        lib.export(rows, "excel")


def test_scores_of_ranx_come_in_and_are_those_of_ours():
    ranx = ranx_or_skip()
    scores, judged = {}, ranx.Qrels(QRELS)
    untied = {
        name: {t: {d: s - int(d[1:]) / 99 for d, s in of.items()} for t, of in run.items()}
        for name, run in RUNS.items()  # ranx orders ties in its own way
    }
    for name, run in untied.items():
        theirs = ranx.Run(run, name=name)
        ranx.evaluate(judged, theirs, ["precision@5"])
        scores[name] = theirs.scores
    found = score_tables(scores)["P@5"]
    assert np.array_equal(found, lib.scores(untied, QRELS, "P@5"))


# Scores of another tool, where ours were taken.


def test_scores_of_another_tool_give_the_numbers_of_ours():
    ours = lib.derive(RUNS, QRELS)
    whole = lib.leaderboard(ours, ["AP", "P@5"])
    wide = {system: pd.DataFrame(of).T for system, of in RESULTS.items()}
    long = {s: e.drop(columns="name") for s, e in experiment().groupby("name")}
    by_measure = {
        s: {m: {t: of[m] for t, of in topics.items()} for m in ("map", "P_5")}
        for s, topics in RESULTS.items()
    }
    theirs = {"map": ir_measures.AP, "P_5": ir_measures.P @ 5}
    metrics = {
        s: [ir_measures.Metric(t, theirs[m], v) for t, of in topics.items() for m, v in of.items()]
        for s, topics in RESULTS.items()
    }
    for held in (RESULTS, experiment(), wide, long, by_measure, metrics):
        found = lib.leaderboard(held, ["AP", "P@5"])
        assert found["system"].tolist() == whole["system"].tolist()
        assert found["better than"].tolist() == whole["better than"].tolist()
        ends = ["mean", "low", "high"]
        np.testing.assert_allclose(found[ends], whole[ends], atol=1e-7)
        lead = lib.phi(held, "map", share=1, number=20, for_error=20).value
        expected = lib.phi(ours, "AP", share=1, number=20, for_error=20).value
        assert lead.to_numpy() == pytest.approx(expected.to_numpy())
    table, _ = lib.versus(RESULTS, "A", "B", ["AP", "P@5"])
    both = lib.compare(RESULTS["A"], RESULTS["B"]).loc[["AP", "P@5"]]
    assert both["p"].to_numpy() == pytest.approx(table["p"].to_numpy())


def test_a_table_of_runs_named_like_measures_stays_a_table():
    table = pd.DataFrame({"P": [0.5, 0.25], "R": [0.5, 0.0]}, index=["1", "2"])
    assert list(score_tables({"AP": table})["AP"]) == ["P", "R"]


BAD_SCORES = {
    "means": ({"A": {"map": 0.5}, "B": {"map": 0.4}}, "needs two topics|no numbers by topic"),
    "a mean": ({"map": 0.5}, "no numbers by topic; give a frame of qid, measure, value"),
    "a run": (F, "has the columns qid, docno, score; give a frame of qid, measure, value"),
    "NaN": (experiment().assign(value=np.nan), "nan is not a finite number"),
    "a gap": (experiment().iloc[:-1], "topic '8', B, .*: no score, as others have"),
    "beyond its scale": (experiment().assign(value=2.0), "score 2 of .*, is not in .0, 1."),
    "a score twice": (pd.concat([experiment()] * 2), "stands there twice"),
    "other topics": (
        {"AP": pd.DataFrame({"A": [1.0]}, ["1"]), "RR": pd.DataFrame({"A": [1.0]}, ["2"])},
        "scores by RR have other topics or systems than the first",
    ),
}


@pytest.mark.parametrize("case", BAD_SCORES)
def test_what_are_no_scores_by_topic_is_refused_in_a_line(case):
    given, why = BAD_SCORES[case]
    with pytest.raises(InputError, match=why) as refused:
        lib.leaderboard(given)
    assert "\n" not in str(refused.value)


# A measure of one's own.


def second(collection, *, k: int):
    hits = collection.relevance()
    return collection.frame(hits.count(hits.top(k)) >= 2)


def test_a_measure_of_ones_own_works_wherever_one_of_ours_does():
    lib.measure("Second", unanswered=0)(second)
    c = lib.derive(RUNS, QRELS)
    by_hand = {
        (system, topic): sum(
            QRELS[topic].get(d, 0) > 0
            for d in sorted(of, key=lambda d: (of[d], d), reverse=True)[:5]
        )
        >= 2
        for system, run in RUNS.items()
        for topic, of in run.items()
    }
    found = lib.scores(c, "Second@5")
    assert all(found.loc[topic, system] == hit for (system, topic), hit in by_hand.items())
    board = lib.leaderboard(c, ["AP", "Second@5"])
    assert board["measure"].tolist() == ["AP", "AP", "Second@5", "Second@5"]
    assert lib.versus(c, "A", "B", "Second@5")[0].index.tolist() == ["Second@5"]
    power = lib.phi(c, ["AP", "Second@5"], share=1, number=20, for_error=20)
    assert list(power.value) == ["AP", "Second@5"]
    one = lib.without_each_topic(c, lambda some: lib.means(some, "Second@5").iloc[0, 0])
    assert one.value == found["A"].mean()
    assert "measure" in dir(lib) and "unanswered" in lib.measure.__doc__


def test_a_measure_that_is_defined_anew_is_computed_anew():
    """Also where a collection keeps what its parts ask for."""
    c = lib.collection.cached(lib.derive(RUNS, QRELS))
    for value in (0.25, 0.5):
        lib.measure("Same", unanswered=0)(lambda c, v=value: c.frame(np.full(c.retrieved.shape, v)))
        assert (lib.scores(c, "Same") == value).all(axis=None)
        assert (lib.complete_scores(c, "Same") == value).all(axis=None)


def test_a_decorated_function_is_its_measure():
    def ones(collection):
        return collection.frame(np.ones(collection.retrieved.shape))

    c = lib.derive(RUNS, QRELS)
    with pytest.raises(InputError, match="function below @lib.measure"):
        lib.scores(c, ones)
    lib.measure("Ones", unanswered=0)(ones)
    assert lib.means(c, [ones, "AP"]).columns.tolist() == ["Ones", "AP"]


OWN = {
    "AP": ("of letters, that is not known", {}, lambda c: None),
    "ap": ("take another name, of letters", {}, lambda c: None),
    "Hit_3": ("take another name, of letters", {}, lambda c: None),
    "Mine": ("returned ndarray; return collection.frame", {}, lambda c: c.retrieved),
    "Large": ("scores 3 to 3, beyond its scale, 0 to 1", {}, lambda c: 3 + 0 * lib.scores(c, "RR")),
    "Low": ("scores -1 to -1, beyond", {"most": 9}, lambda c: 0 * lib.scores(c, "RR") - 1),
}


@pytest.mark.parametrize("name", OWN)
def test_a_measure_that_cannot_be_is_refused(name):
    why, how, function = OWN[name]
    with pytest.raises(InputError, match=why):
        lib.measure(name, unanswered=0, **how)(function)
        lib.scores(RUNS, QRELS, name)


# What a researcher types, one after the other, the page of names beside him.

C = lib.derive(RUNS, QRELS, name="mine")
AP = lib.scores(C, "AP")
M = ir_measures


def answered(call, why, kind=InputError):
    """Return whether a call is answered by a line that leads to what was meant."""
    with pytest.raises(kind, match=why) as refused:
        call()
    return "\n" not in str(refused.value)


STEPS = {
    "derive what a retriever returned": lambda: repr(C).startswith("Collection('mine': 2 systems"),
    "tau of two columns": lambda: (
        lib.kendall(AP["A"], AP["B"]) == pytest.approx(stats.kendalltau(AP["A"], AP["B"]).statistic)
    ),
    "in another order of topics": lambda: (
        lib.t_test(AP["A"], AP["B"][::-1]).item()
        == pytest.approx(stats.ttest_rel(AP["A"], AP["B"]).pvalue)
    ),
    "compare two columns": lambda: lib.compare(AP["A"], AP["B"]).index.tolist() == ["A minus B"],
    "compare two runs": lambda: (
        lib.compare(RUNS["A"], RUNS["B"], QRELS, ["AP", "RR"]).index.tolist() == ["AP", "RR"]
    ),
    "compare two files of another tool": lambda: "map" not in lib.compare(*RESULTS.values()).index,
    "compare what differs in topics": lambda: answered(
        lambda: lib.compare({"1": 0.5, "2": 0.1}, {"1": 0.4, "3": 0.2}), "of other topics"
    ),
    "two judges": lambda: (
        lib.compare_qrels(RUNS, QRELS, QRELS).agreement.loc["kappa", "estimate"] == 1
    ),
    "two judges as frames": lambda: (
        lib.compare_qrels(RUNS, Q, QRELS).rankings.loc["AP", "tau-b"] == 1
    ),
    "a measure of ir_measures": lambda: lib.scores(C, M.nDCG @ 10).equals(lib.scores(C, "nDCG@10")),
    "several of them": lambda: list(lib.means(C, [M.AP(rel=2), M.P @ 5])) == ["AP(rel=2)", "P@5"],
    "what ours has not": lambda: answered(
        lambda: lib.scores(C, M.nDCG(judged_only=True)), "score judged_alone"
    ),
    "a measure by its attribute": lambda: answered(
        lambda: lib.nDCG, r"there is scores\(collection, 'nDCG'\)", AttributeError
    ),
    "a function of scipy": lambda: answered(
        lambda: lib.ttest_rel, "there is t_test", AttributeError
    ),
    "a function of ir_measures": lambda: answered(
        lambda: lib.calc_aggregate, "there is means", AttributeError
    ),
    "LaTeX": lambda: answered(lambda: lib.to_latex, "there is paper_of_runs", AttributeError),
    "a table for the paper": lambda: r"\toprule" in lib.paper_of_runs(lib.leaderboard(C, "AP")),
    "an estimate as a frame": lambda: (
        list(lib.phi(C, "AP", share=1, number=20, for_error=20).to_frame())[:2]
        == ["estimate", "error"]
    ),
    "phi of tables": lambda: (
        list(lib.phi({"AP": AP, "own": AP / 2}, share=1, number=20, for_error=20).value)
        == ["AP", "own"]
    ),
    "rankings of frames": lambda: answered(
        lambda: Collection.from_rankings({"A": F}, Q), r"lib.derive\(runs, qrels\) takes it"
    ),
    "rankings with scores": lambda: lib.scores(Collection.from_rankings(RUNS, QRELS), "AP").equals(
        AP
    ),
    "a run for a collection": lambda: answered(lambda: lib.scores(F, "AP"), "DataFrame is no coll"),
    "axes with names": lambda: (AP.index.name, AP.columns.name) == ("topic", "run"),
    "scores, there and back": lambda: (
        lib.means_with_intervals(lib.evaluate(C, "AP"))["mean"].tolist()
        == pytest.approx(AP.mean().tolist())
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_what_a_researcher_types_works_or_is_answered(step):
    assert STEPS[step]()
