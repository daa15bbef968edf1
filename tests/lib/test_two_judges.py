"""Two judges: by hand, beside statsmodels and scipy, laws, and TREC-8 with a judge who errs."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from scipy.stats import kendalltau, ttest_rel
from scipy.stats import t as student
from statsmodels.stats.inter_rater import cohens_kappa, to_table
from strange import run_of, small, write_collection, write_files
from strategies import qrels, qrels_text

from lib import Collection, load, means, scores, two_judges
from lib.errors import InputError
from lib.intervals import ENDS
from lib.statistics.correlation import tau_ap

A = {"1": {"d": 1, "e": 0, "f": 2, "g": -1, "x": 1}, "2": {"d": 0, "e": 1}, "3": {"d": 1}}
B = {"1": {"d": 1, "e": 1, "f": 0, "g": 1}, "2": {"d": 0, "e": 1}, "4": {"d": 1}}


def test_counts_by_hand():
    # Topic 1: d both, e B alone, f A alone; g is judged by B alone, x by A alone.
    assert two_judges.joint_counts(A, B).to_dict("index") == {
        "1": {"only A": 1, "only B": 1, "yes yes": 1, "yes no": 1, "no yes": 1, "no no": 0},
        "2": {"only A": 0, "only B": 0, "yes yes": 1, "yes no": 0, "no yes": 0, "no no": 1},
    }
    assert two_judges.joint_counts(A, B, rel=2).loc["1", "yes no"] == 1


@given(qrels(), qrels())
def test_kappa_equals_statsmodels(one, other):
    if not one.keys() & other.keys():
        with pytest.raises(InputError, match="no topic in common"):
            two_judges.joint_counts(one, other)
        return
    judged = two_judges.joint_counts(one, other)
    yes, no = judged[["yes yes", "yes no"]].sum(), judged[["no yes", "no no"]].sum()
    found = two_judges.agreement(judged)
    by_other, all_judged = yes["yes yes"] + no["no yes"], yes.sum() + no.sum()
    if yes.sum() * no.sum() or 0 < by_other < all_judged:  # else both say one word throughout
        theirs = cohens_kappa([yes.to_list(), no.to_list()], return_results=False)
        assert found.loc["kappa", "estimate"] == pytest.approx(theirs, abs=1e-12)
    back = two_judges.agreement(two_judges.joint_counts(other, one))
    rows = ["overlap", "agreement", "kappa"]  # neither judge is the truth
    pd.testing.assert_frame_equal(found.loc[rows], back.loc[rows])


def with_ends(compute, by_topic, turn=np.array, back=np.array):
    """Return what is computed of all topics, and the ends of the jackknife's interval."""
    parts = [by_topic, *(by_topic[:i] + by_topic[i + 1 :] for i in range(len(by_topic)))]
    whole, *left = (turn(compute(np.concatenate(part))) for part in parts)
    error = np.sqrt((len(left) - 1) / len(left) * np.sum((left - np.mean(left)) ** 2))
    reach = student.ppf(0.975, len(left) - 1) * error
    return [back(end).item() for end in (whole, whole - reach, whole + reach)]


def test_intervals_of_agreement_are_those_of_the_jackknife():
    """Of shares; and of kappa on the scale of Fisher's z."""
    rng = np.random.default_rng(3)
    one, other = (
        {str(t): {f"d{i}": int(rng.random() < 0.5) for i in range(10)} for t in range(12)}
        for _ in range(2)
    )
    pairs = [np.array([(one[t][d], other[t][d]) for d in one[t]]) for t in one]
    shares = {
        "overlap": lambda of: of.all(axis=1).sum() / of.any(axis=1).sum(),
        "agreement": lambda of: (of[:, 0] == of[:, 1]).mean(),
        "kappa": lambda of: cohens_kappa(to_table(of, 2)[0], return_results=False),
        "A's relevant": lambda of: of[of[:, 0] > 0, 1].mean(),
        "B's relevant": lambda of: of[of[:, 1] > 0, 0].mean(),
    }
    scales = {"kappa": (np.arctanh, np.tanh)}
    expected = {name: with_ends(of, pairs, *scales.get(name, ())) for name, of in shares.items()}
    found = two_judges.agreement(two_judges.joint_counts(one, other))
    by_hand = pd.DataFrame.from_dict(expected, orient="index", columns=ENDS)
    pd.testing.assert_frame_equal(found, by_hand)
    few = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 1}}
    near, same = (
        two_judges.agreement(two_judges.joint_counts(few, other))
        for other in (few | {"1": {"a": 1, "b": 1}}, few)
    )
    assert near["high"].max() == 1  # the interval would end beyond it
    assert same["low"].isna().all()  # at 1 there is none


def test_pairs_that_turn_by_hand():
    runs = {"P": {"1": "ab", "2": "ab"}, "Q": {"1": "ba", "2": "ba"}, "R": {"1": "cab", "2": "cab"}}
    a = {"1": {"a": 1, "b": 0, "c": 0}, "2": {"a": 1, "b": 0, "c": 0}}
    b = {"1": {"a": 0, "b": 1, "c": 0}, "2": {"a": 0, "b": 1, "c": 0}}
    one, other = (Collection.from_rankings(runs, judged) for judged in (a, b))
    # RR by A: P 1, Q 1/2, R 1/2 (a tie does not turn); by B: Q 1, P 1/2, R 1/3.
    found = two_judges.sign_reversals(one, other, "RR")
    assert found[["better by A", "better by B"]].to_numpy().tolist() == [["P", "Q"]]
    assert found[["difference by A", "difference by B"]].to_numpy().tolist() == [[0.5, -0.5]]
    assert found[["p by A", "p by B"]].to_numpy().tolist() == [[0, 0]]  # alike on both topics


def test_pairs_that_turn_count_by_the_judge_to_whom_they_differ_significantly():
    """By RR: to A, P is better on all six topics; to B, Q is better on four."""
    runs = {"P": dict.fromkeys("123456", "ab"), "Q": dict.fromkeys("123456", "ba")}
    a = {t: {"a": 1, "b": 0} for t in "123456"}
    b = {t: {"a": int(t > "4"), "b": int(t <= "4")} for t in "123456"}
    for judges, counts in ((a, b), [1, 0]), ((b, a), [0, 1]):
        pair = (Collection.from_rankings(runs, judged) for judged in judges)
        row = two_judges.compare_rankings(*pair, measures=["RR"]).loc["RR"]
        assert row[["turn", "by A", "by B", "both"]].tolist() == [1, *counts, 0]


@pytest.fixture(scope="module")
def trec8():
    """TREC-8's runs by its judge, and by one who misses a random third of what is relevant."""
    whole = load("trec8")
    rng = np.random.default_rng(8)
    return whole, whole.rejudged(rng.random(len(whole.relevant)) < 0.67, None)


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_rankings_of_trec8_equal_scipys(trec8, correction):
    one, other = trec8
    found = two_judges.compare_rankings(one, other, measures=["AP", "P@10"], correction=correction)
    for name in found.index:
        x, y = (means(c, [name])[name] for c in trec8)
        tables = [scores(c, name) for c in trec8]
        assert found.loc[name, "tau-b"] == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)
        assert found.loc[name, "low tau-b"] < found.loc[name, "tau-b"]
        turned = two_judges.sign_reversals(one, other, name, correction=correction)
        assert len(turned) == found.loc[name, "turn"] > 0
        for pair in turned.head(20).itertuples(index=False):
            up, down = pair[:2]
            assert x[up] > x[down] and y[up] < y[down]
            p = [ttest_rel(*table[[up, down]].to_numpy().T).pvalue for table in tables]
            if correction == "none":
                np.testing.assert_allclose(pair[4:], p, atol=1e-9)
            else:
                assert (np.array(pair[4:]) >= np.array(p) - 1e-12).all()
    assert (found["both"] <= found[["by A", "by B"]].min(axis=1)).all()


def test_the_interval_is_the_jackknife_of_the_definition(trec8):
    one, other = (c.select(topics=c.topics.index[:7]) for c in trec8)
    x, y = (scores(c, "AP").fillna(0) for c in (one, other))
    pairs = [np.stack([x.loc[[topic]], y.loc[[topic]]], axis=2) for topic in x.index]
    found = two_judges.compare_rankings(one, other, measures=["AP"]).loc["AP"]
    taus = {"b": lambda *of: kendalltau(*of).statistic, "AP": partial(tau_ap, symmetric=True)}
    for name, tau in taus.items():
        expected = with_ends(
            lambda of, tau=tau: tau(*of.mean(axis=0).round(10).T), pairs, np.arctanh, np.tanh
        )
        ours = found[[f"tau-{name}", f"low tau-{name}", f"high tau-{name}"]]
        assert ours.tolist() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("systems, topics", [(6, 4), (4, 9)])
def test_of_few_topics_or_runs_a_correlation_has_no_interval(systems, topics):
    one = small(systems, topics)
    other = one.rejudged(np.random.default_rng(1).random(len(one.relevant)) < 0.5, None)
    found = two_judges.compare_rankings(one, other, measures=["AP"])
    assert found["tau-b"].notna().all()
    assert found[["low tau-b", "high tau-AP"]].isna().all(axis=None)


@pytest.fixture
def files(here):
    runs = {"P": "ab", "Q": "ba", "R": "cab"}
    made = {f"runs/{name}": run_of(dict.fromkeys("12", found)) for name, found in runs.items()}
    a, b = {"a": 1, "b": 0, "c": 0, "f": 1}, {"a": 0, "b": 1, "c": 0, "f": 0, "y": 0}
    made["a"] = qrels_text({"1": {**a, "e": 1, "x": 1}, "2": a})
    made["b"] = qrels_text({"1": {**b, "e": 1, "z": 1}, "2": b, "3": b})
    write_files(here, made)


def test_the_command_prints_a_page(files, printed):
    page = printed("compare-qrels runs a b --measures RR").out
    assert "2 topics that both judged (1 that only one did are left out), 3 runs." in page
    assert "Documents judged by both: 9; only by A: 1; only by B: 3." in page
    assert "Relevant to both: 1; only to A: 4; only to B: 2." in page
    # By hand: A calls 5 of 9 relevant and B 3 of 9, so by chance they agree on (15 + 24) / 81.
    agreed = {
        "relevant to both, of those relevant to either": 1 / 7,
        "called the same by both": 3 / 9,
        "Cohen's kappa, of relevant or not": (27 - 39) / (81 - 39),
        "Cohen's kappa of grades, squared weights": (27 - 39) / (81 - 39),
        "A's mean grade less B's": 5 / 9 - 3 / 9,
        "relevant to B too, of those relevant to A": 1 / 5,
        "relevant to A too, of those relevant to B": 1 / 3,
    }
    lines = page.splitlines()[6:13]
    for line, (words, value) in zip(lines, agreed.items(), strict=True):
        assert line.startswith(f"  {words:<46}{value:.2f} (")
    assert page.splitlines()[-3].split()[-5:] == ["3", "1", "1", "1", "1"]
    assert page.endswith(
        "-: no interval, with fewer than five topics or five runs, or at an end of the scale\n"
    )
    assert max(map(len, page.splitlines())) <= 130


def test_a_page_of_judges_with_every_interval_speaks_of_none_that_lacks(tmp_path, printed):
    write_collection(tmp_path, systems=8, topics=8)
    rows = (tmp_path / "qrels").read_text(encoding="utf-8").splitlines()
    turned = [f"{row.rpartition(' ')[0]} {n % 2}" if n % 3 else row for n, row in enumerate(rows)]
    (tmp_path / "other").write_text("\n".join(turned), encoding="utf-8")
    words = ["compare-qrels", *(f"{tmp_path}/{name}" for name in ("runs", "qrels", "other"))]
    page = printed([*words, "--measures", "AP", "--highest-grade", "3"]).out
    assert "8 runs" in page and "no interval" not in page


def test_agreement_on_grades_equals_statsmodels_and_the_mean_difference():
    rng = np.random.default_rng(6)
    one, other = (  # not all are judged by both
        {t: dict(zip(rng.permutation(30), rng.choice(grades, 25).tolist())) for t in "12345678"}
        for grades in ([-1, 0, 1, 2, 3], [0, 1, 2, 3, 3])
    )
    pairs = [
        np.array([(g, other[t][d]) for d, g in one[t].items() if min(g, other[t].get(d, -1)) >= 0])
        for t in one
    ]
    expected = {
        "weighted kappa": lambda of: cohens_kappa(to_table(of, 4)[0], wt="quadratic").kappa,
        "bias": lambda of: np.mean(of[:, 0] - of[:, 1]),
    }
    found = two_judges.grades(one, other)
    for row, compute in expected.items():
        assert found.loc[row].tolist() == pytest.approx(with_ends(compute, pairs)), row
