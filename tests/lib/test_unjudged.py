"""What nobody judged: against lists and judgements that are written out by hand."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strange import write_collection
from strategies import DOCUMENTS, rankings

from chapters.left_out.lost_outside import lost_outside, said_outside
from lib.collection import Collection
from lib.errors import InputWarning
from lib.measures import complete_scores, evaluate
from lib.measures.unjudged import all_relevant, beside, judged_alone, judged_share
from lib.paths import DATA
from lib.reporting.pair import said_of_unjudged
from lib.statistics.comparison import means_with_intervals

BY_DEPTH = {None: ["AP", "RR"], 2: ["P@2"], 3: ["nDCG@3", "R@3", "RBP(p=0.5)@3"]}
MEASURES = [name for of in BY_DEPTH.values() for name in of]
answers = st.fixed_dictionaries({"1": rankings(), "2": rankings()})
runs = st.fixed_dictionaries({"A": answers, "B": answers})
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2))
judgements = st.fixed_dictionaries({"1": grades, "2": grades})


@given(runs, judgements)
def test_judged_documents_alone_are_lists_without_the_others(runs, qrels):
    short = {
        run: {topic: [d for d in of if d in qrels[topic]] for topic, of in topics.items()}
        for run, topics in runs.items()
    }
    given = judged_alone(Collection.from_rankings(runs, qrels, judged=True))
    plain = Collection.from_rankings(short, qrels, judged=True)
    for measure in [*MEASURES, "Bpref", "SetP", "condensedAP", "Judged"]:
        ours, theirs = complete_scores(given, measure), complete_scores(plain, measure)
        pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)


@given(runs, judgements)
def test_all_relevant_is_the_score_by_judgements_that_say_so(runs, qrels):
    given = Collection.from_rankings(runs, qrels, judged=True)
    highest = max([grade for of in qrels.values() for grade in of.values()], default=0) or 1
    cells = [(run, topic) for run in runs for topic in qrels]
    for depth, measures in BY_DEPTH.items():
        lists = {run + topic: runs[run][topic] for run, topic in cells}
        more = {
            run + topic: dict.fromkeys(runs[run][topic][:depth], highest) | qrels[topic]
            for run, topic in cells
        }
        theirs = complete_scores(Collection.from_rankings({"all": lists}, more), measures)
        for measure in measures:
            ours = all_relevant(given, measure).fillna(0)
            each = [ours.loc[topic, run] for run, topic in cells]
            expected = theirs[measure].loc[[run + topic for run, topic in cells], "all"]
            np.testing.assert_allclose(each, expected, atol=1e-12)
    # The residual is another way to what RBP could be.
    ends = complete_scores(given, "RBP(p=0.5)") + complete_scores(given, "RBPresidual(p=0.5)")
    np.testing.assert_allclose(all_relevant(given, "RBP(p=0.5)"), ends, atol=1e-12)


def test_the_share_is_that_of_the_documents_a_measure_looks_at():
    toy = Collection.from_rankings(
        {"A": {"t": ["r", "u", "n", "v"]}}, {"t": {"r": 1, "n": 0}}, judged=True
    )
    share = {
        name: judged_share(toy, name).loc["t", "A"] for name in ("AP", "P@1", "nDCG@3", "IPrec@0.5")
    }
    assert share == {"AP": 0.5, "P@1": 1, "nDCG@3": pytest.approx(2 / 3), "IPrec@0.5": 0.5}


@pytest.mark.filterwarnings("ignore::lib.errors.InputWarning")  # of topics that score alike
def test_beside_a_score_stands_what_was_judged_and_what_it_could_be():
    """B does not answer topic 2: nothing of it was judged or not, and its score is nothing."""
    lists = {"A": {"1": "ruv", "2": "un"}, "B": {"1": "n"}}
    judged = {"1": {"r": 1, "n": 0}, "2": {"s": 1, "n": 0}}
    toy = Collection.from_rankings(lists, judged, judged=True)
    for table, expected in (
        (evaluate(toy, two := ["P@2", "GMAP"]), [[1, 0.5, 0, 0], [1, 0.5, 1e-5, 1e-5]]),
        (means_with_intervals(toy, two), [[0.75, 0], [0.5**0.5, 1e-5]]),
    ):
        found = beside(table, toy, two)
        pd.testing.assert_frame_equal(found[[*table]], table)
        np.testing.assert_allclose(found["all relevant"], np.ravel(expected))
        share = [[1 / 2, 1 / 2, 1, np.nan], [1 / 3, 1 / 2, 1, np.nan]]
        share = share if "topic" in table else [[1 / 2, 1], [5 / 12, 1]]
        np.testing.assert_allclose(found["judged"], np.ravel(share))


@pytest.mark.parametrize(
    ("means", "judged", "warned"),
    [
        ((0.30, 0.32), (0.5, 0.6), True),  # .36 with as much judged
        ((0.20, 0.32), (0.5, 0.6), False),
        ((0.32, 0.30), (0.5, 0.6), False),  # who is ahead has less judged
        ((0.30, 0.30), (0.5, 0.6), False),
        ((0.30, 0.32), (0.6, 0.6), False),
    ],
)
@pytest.mark.parametrize("measure", ["P@10", "AP"])  # P alone is proportional
def test_a_note_says_where_the_judged_share_may_make_the_difference(
    means, judged, warned, measure, recwarn
):
    found = pd.DataFrame([means], index=[measure], columns=["mean of one", "mean of other"])
    said = said_of_unjudged(found, pd.Series(judged, index=["A", "B"]))
    assert f"{judged[0]:.1%} of A" in said
    notes = [str(one.message) for one in recwarn if issubclass(one.category, InputWarning)]
    assert bool(notes) == warned
    if warned:
        assert ("from 0.3000 to 0.3600, past B" in notes[0]) == (measure == "P@10")
        assert ("0.3" in notes[0]) == (measure == "P@10")


def test_what_is_lost_outside_a_pool_is_what_like_runs_of_the_book_lost(capsys):
    judged = {f"d{i}": int(i < 2) for i in range(8)}  # two of ten are unjudged
    toy = Collection.from_rankings(
        {"A": {"t": [f"d{i}" for i in range(10)]}}, {"t": judged}, judged=True
    )
    rows = pd.read_csv(DATA / "spending" / "runs.csv").query("depth == 10")
    rows = rows.pivot(index=["collection", "run"], columns="measure", values=["inside", "outside"])
    like = rows[rows["outside", "unjudged@10"].between(0.1, 0.25, inclusive="right")]
    lost = 1 - like["outside", "AP"] / like["inside", "AP"]
    theirs = [0.2, *np.quantile(lost.dropna(), [0.5, 0.025, 0.975])]
    np.testing.assert_allclose(lost_outside(toy, "AP").loc["A"], theirs, atol=1e-12)
    assert lost_outside(toy, "RR").loc["A"].isna().tolist() == [False, True, True, True]
    said = said_outside(toy, "AP")[0]
    pooled = re.search(r"pooled it would have (\S+) \((\S+) to (\S+)\)", said).groups()
    np.testing.assert_allclose(
        [float(x) for x in pooled], 1 / (1 - np.array(theirs[1:])), atol=1e-4
    )


def test_the_commands_say_what_nobody_judged(tmp_path, printed):
    write_collection(tmp_path, systems=6, topics=6)
    words = f"evaluate {tmp_path}/runs {tmp_path}/qrels --measures P@10,AP --unjudged"
    summed = ',unjudged@10,lost outside,"lost, low","lost, high"'
    for more, columns in (("", ""), (" --summary", summed)):
        head = printed(words + more).out.splitlines()[0]
        assert head.endswith("judged,all relevant" + columns)
    out = printed(f"{words} --summary --judged-only").out
    rows = [line.split(",") for line in out.splitlines()[1:]]
    assert {row[-2] for row in rows} == {"1.0"} and all(row[-1] == row[2] for row in rows)
    pair = [f"{tmp_path}/runs/group0-run2", f"{tmp_path}/runs/group1-run0", f"{tmp_path}/qrels"]
    words = ["compare", *pair, "--unjudged", "--measures", "AP"]
    assert printed(words).out.count("was not pooled: ") == 2
    relevant = [
        line
        for line in Path(pair[2]).read_text(encoding="utf-8").splitlines(True)
        if not line.endswith(" 0\n")
    ]
    Path(pair[2]).write_text("".join(relevant), encoding="utf-8")
    found = printed(words)
    assert "was not pooled" not in found.out and "name relevant documents alone" in found.err
    assert "derive it with --judged" in printed("evaluate trec8 --unjudged", 2).err
