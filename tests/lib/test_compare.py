"""Which of two runs is better, and means with intervals: scipy's numbers, sentences, all files."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from statsmodels.stats.weightstats import ttost_paired
from strange import run_of, small, write_collection, write_files
from strategies import qrels_text

from lib import derive, evaluate, load, scores
from lib.cli.comparing import _LETTERS
from lib.collection import Collection
from lib.errors import InputWarning
from lib.measures import complete_scores, parse
from lib.reporting.pair import _agreement, draw_topic_differences, pair_page
from lib.statistics import comparison
from lib.statistics.comparison import (
    against,
    compare,
    leaderboard,
    mean_intervals,
    means_with_intervals,
    permutation_p,
    versus,
)
from lib.statistics.jackknife import topic_jackknife
from lib.statistics.multiplicity import holm, randomized_tukey
from lib.statistics.power import power
from lib.statistics.significance import square

MEASURES = ["AP", "P@10", "RR"]


@pytest.fixture(scope="module")
def found():
    return versus(load("trec8"), "orcl99man", "CL99XT", MEASURES)


def test_a_pair_is_compared_as_scipy_does(found):
    table, by_measure = found
    p = []
    for name in MEASURES:
        one, other = scores(load("trec8"), name)[["orcl99man", "CL99XT"]].to_numpy().T
        theirs = scipy.stats.ttest_rel(one, other)
        ends = theirs.confidence_interval(0.95)
        row = table.loc[name]
        ours = row[["mean of one", "mean of other", "difference", "low", "high", "p"]]
        means = [one.mean(), other.mean(), (one - other).mean()]
        np.testing.assert_allclose(ours, [*means, ends.low, ends.high, theirs.pvalue], atol=1e-12)
        signs = np.sign(np.round(one - other, 10))
        assert row[["wins", "ties", "losses"]].tolist() == [sum(signs == i) for i in (1, 0, -1)]
        assert by_measure[name].columns.tolist() == ["orcl99man", "CL99XT"]
        p.append(theirs.pvalue)
    assert table["p Holm"].iloc[0] == table["p"].iloc[0]  # the primary one stands alone
    np.testing.assert_allclose(table["p Holm"].iloc[1:], holm(np.array(p[1:])), atol=1e-12)


def test_scores_alone_are_compared_as_the_runs_are(found):
    table, by_measure = found
    one, other = (by_measure["AP"][[run]].set_axis(["AP"], axis=1) for run in by_measure["AP"])
    ours = compare(one, other)
    pd.testing.assert_frame_equal(ours, table.loc[["AP"]].drop(columns="p Holm"), check_names=False)
    np.testing.assert_array_equal(compare(one["AP"], other["AP"]), ours)
    np.testing.assert_array_equal(compare(one, other[::-1]), ours)  # other order


@pytest.mark.parametrize("topics", [2, 5, 12, 16])
def test_up_to_16_topics_the_permutation_test_is_scipys_exact_one(topics):
    rng = np.random.default_rng(topics)
    d = pd.DataFrame(rng.normal(0.3, 1, (topics, 3)).round(1))  # some equal sums
    d[2] = 0.0
    theirs = [
        scipy.stats.permutation_test(
            (d[i].to_numpy(),),
            lambda x, axis: x.mean(axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
        ).pvalue
        for i in range(2)
    ]
    np.testing.assert_allclose(permutation_p(d), [*theirs, 1.0], atol=1e-12)


def test_beyond_16_topics_it_is_within_the_stated_error(monkeypatch):
    d = pd.DataFrame(np.random.default_rng(1).normal(0.3, 1, (17, 5)))
    drawn = permutation_p(d)
    monkeypatch.setattr(comparison, "EXACT", 17)
    exact = permutation_p(d)
    error = np.sqrt(exact * (1 - exact) / comparison.DRAWS)
    assert (error < 0.0016).all() and (drawn != exact).any()
    assert (np.abs(drawn - exact) < 4 * error).all()


def test_the_page_says_which_run_is_better(printed, here):
    words = "compare acsys8alo CL99XT --collection trec8 --difference .02 --out x.svg"
    page = printed(words).out
    assert page.startswith("CL99XT is better than acsys8alo by AP: 0.3730 against 0.2935 over 50")
    assert "p = 0.0061 by the t test, 0.0055 by the permutation test)" in page
    assert "Other measures, after Holm: nDCG, P@10, RR agree with AP." in page
    d = scores(load("trec8"), "AP").eval("acsys8alo - CL99XT").sort_values()
    deviation = d.std()
    least = float(page.split("true difference in AP of ")[1].split()[0])
    assert power(least, deviation, 50) == pytest.approx(0.8, abs=1e-3)
    needed = int(page.split("0.02 needs ")[1].split()[0])
    assert power(0.02, deviation, needed) >= 0.8 > power(0.02, deviation, needed - 1)
    # Five topics each way, those with the largest differences.
    rows = page.split("speak most for CL99XT\n")[1].splitlines()[1:6]
    assert [row.split()[0] for row in rows] == d.index[:5].tolist()
    drawn = (here / "x.svg").read_text(encoding="utf-8")
    assert drawn.count("<path") > 50 and "<!-- AP: acsys8alo minus CL99XT -->" in drawn
    assert "exists already" in printed(words, 2).err


def test_the_table_of_a_pair_has_every_number_and_of_logarithms_the_ratio():
    table, by_measure = versus(load("trec8"), "orcl99man", "CL99XT", ["AP", "GMAP", "P@10"])
    lines = [line.split() for line in pair_page(table, by_measure).splitlines()]
    at = lines.index("orcl99man minus CL99XT, 50 topics".split())
    heads = "orcl99man CL99XT difference 95% interval p, t p, Holm p, perm. wins ties losses effect"
    assert lines[at + 1] == heads.split()
    for (name, of), line in zip(table.iterrows(), lines[at + 2 :]):
        gap = of[["difference", "low", "high"]]
        middle, low, high = (f"{x:+.4f}" for x in gap)
        if name == "GMAP":
            name, (middle, low, high) = "GMAP (ratio)", (f"{x:.4f}" for x in np.exp(gap))
        numbers = [f"{x:.4f}" for x in of[["mean of one", "mean of other"]]]
        numbers += [middle, low, "to", high]
        numbers += [f"{x:.4f}" for x in of[["p", "p Holm", "p permutation"]]]
        numbers += [f"{x:.0f}" for x in of[["wins", "ties", "losses"]]] + [f"{of['effect']:+.2f}"]
        assert line == [*name.split(), *numbers]
    wins = table.loc["P@10", ["wins", "ties", "losses"]].tolist()
    assert len({*wins}) == 3 and table["effect"].notna().all()


@pytest.mark.parametrize("runs", [["orcl99man", "CL99XT"], ["CL99XT", "orcl99man"]])
def test_a_picture_has_a_bar_a_topic_and_a_line_at_the_mean(runs, monkeypatch):
    drawn = []
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda one, *a, **b: drawn.append(one))
    for name, number in ("AP", 50), ("GMAP", 7):
        table = scores(load("trec8"), name)[runs].iloc[:number]
        d = (table[runs[0]] - table[runs[1]]).sort_values(ascending=False)
        draw_topic_differences(table, name, "x.svg")
        (axes,) = drawn.pop().axes
        assert [bar.get_height() for bar in axes.patches] == d.tolist()
        assert [*axes.lines[0].get_ydata()] == [0, 0]
        assert [*axes.lines[1].get_ydata()] == [d.mean()] * 2
        assert [label.get_text() for label in axes.get_xticklabels()] == d.index.tolist()
        said = "ln of GMAP" if name == "GMAP" else "AP"
        assert axes.get_title(loc="left") == f"{said}: {runs[0]} minus {runs[1]}"
        mean = f"{d.mean():+.4f}"
        assert axes.get_xlabel() == f"{number} topics, sorted; dotted: the mean, {mean}"


def test_a_tie_is_inconclusive_and_has_no_power(printed, tmp_path):
    small(2, 4, alike=True).save(tmp_path / "c")
    page = printed(f"compare s0 s1 --collection {tmp_path}/c").out
    assert "is inconclusive" in page and "none" in page and "power" not in page


def test_differences_that_are_all_alike(capsys):
    one, other = ({str(t): "xr" if later else "rx" for t in range(20)} for later in (0, 1))
    c = Collection.from_rankings({"A": one, "B": other}, {t: {"r": 1} for t in one})
    page = pair_page(*versus(c, "A", "B", ["RR"]))
    assert page.startswith("A is better") and "no t test; p <0.0001 by the perm" in page
    assert "better on 20 topics, worse on 0" in page and "Every topic has the same" in page
    assert "Other measures" not in page
    few = c.select(topics=["1", "2", "3"])
    page = pair_page(*versus(few, "A", "B", ["RR"]))
    assert page.startswith("Whether A or B is better by RR is inconclusive") and "p 0.25" in page
    with pytest.warns(InputWarning, match="without width: RR of A, RR of B"):
        assert not any(leaderboard(few, ["RR"])["better than"])
    one["0"] = "xyr"
    c = Collection.from_rankings({"A": one, "B": other}, {t: {"r": 1} for t in one})
    assert "better on 19 topics, worse on 1." in pair_page(*versus(c, "A", "B", ["RR"]))


RUNS = {"A": run_of({"1": ["d1", "d2"], "2": ["d3"]}), "B": run_of({"1": ["d2"], "2": ["d3"]})}
QRELS = qrels_text({"1": {"d2": 1, "d1": 0}, "2": {"d3": 2}, "3": {"d1": 1}})


def test_one_step_from_files(here, printed):
    """Whatever form they have: see bad_input.py."""
    write_files(here, {**RUNS, "qrels": QRELS})
    out = printed("evaluate A qrels --measures RR --summary").out
    assert out.splitlines()[1].startswith("RR,A,0.5,")  # 1/2, 1 and an unanswered one
    out, err = printed("evaluate A qrels --measures RR --summary --topics answered")
    assert out.splitlines()[1].startswith("RR,A,0.75,") and err == ""
    out = printed("compare B A qrels --measure RR --measures RR").out
    assert out.startswith("Whether B or A is better by RR is inconclusive: 0.6667 against 0.5000")
    (here / "runs").mkdir()
    for name in RUNS:
        (here / name).rename(here / "runs" / f"{name}.txt")
    out = printed("compare runs qrels --names clean --format csv --measure RR").out
    assert out.splitlines()[1].startswith("RR,A,B,0.5,0.666667,-0.166667,")


def test_standard_input_is_a_run_or_the_judgements(here, printed, monkeypatch):
    write_files(here, {**RUNS, "qrels": QRELS})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(QRELS.encode()), encoding="utf-8"))
    assert printed("evaluate A - --measures RR").out.splitlines()[1] == "A,1,RR,0.5"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 Q0 d1\n"), encoding="utf-8"))
    err = printed("evaluate - qrels", 2).err
    assert err.startswith("error: stdin, line 1: 3 columns") and err.count("\n") == 1
    assert "one file only" in printed("evaluate - -", 2).err


def test_topics_of_a_file(tmp_path, printed):
    (tmp_path / "some").write_text("401\n403 the third\n", encoding="utf-8")
    words = f"evaluate trec8 --measures AP --topics {tmp_path}/some"
    table = pd.read_csv(io.StringIO(printed(words).out))
    assert set(table["topic"]) == {401, 403}
    (tmp_path / "some").write_text("401\n0403\n", encoding="utf-8")
    assert "topic '0403' is not judged; did you mean '403'?" in printed(words, 2).err
    # Where names have blanks, a line is one.
    runs = {"A": {"1": ["a"], "1 b": ["a"]}}
    Collection.from_rankings(runs, {"1": {"a": 1}, "1 b": {"a": 1}}).save(tmp_path / "c")
    (tmp_path / "some").write_text("1 b\n", encoding="utf-8")
    words = f"evaluate {tmp_path}/c --measures AP --topics {tmp_path}/some"
    assert "1 b" in printed(words).out
    (tmp_path / "some").write_text("1 c\n", encoding="utf-8")
    assert "topic '1 c' is not judged" in printed(words, 2).err


# Means with intervals, and systems against one of them.

TWO = ["AP", "P@10"]


@pytest.mark.parametrize("measure", ["AP", "GMAP", "NumRelRet"])
@pytest.mark.parametrize("missing", ["zero", "answered"])
def test_the_jackknife_in_closed_form_is_that_which_leaves_out_each_topic(measure, missing):
    score, gaps = scores if missing == "answered" else complete_scores, small(5, 30, answered=0.7)
    table, of = means_with_intervals(gaps, [measure], missing=missing), score(gaps, measure)
    assert of.isna().any(axis=None) == (missing == "answered")
    for (_, column), row in zip(of.items(), table.itertuples()):
        there = column.dropna().to_frame()

        def mean(left_out, there=there):
            return parse(measure).definition.mean(there.drop(index=there.index[left_out]))

        found = topic_jackknife(mean, len(there))
        np.testing.assert_allclose(row.mean, found.estimate.item(), rtol=2e-12)
        ends = [found.low.item(), found.high.item()]
        if 0 <= ends[0] and ends[1] <= parse(measure).definition.most:
            np.testing.assert_allclose([row.low, row.high], ends, rtol=2e-12)
        else:
            assert measure == "GMAP" and 0 < row.low < row.mean < row.high < 1


def test_an_interval_that_would_leave_its_scale_is_made_on_that_of_the_logit():
    """By the derivative in figures: so far does the logit move when the mean does."""
    table, step = pd.DataFrame({"A": [1, 0.5, 1]}), 1e-6
    row = mean_intervals(table, measure="RR").loc["A"]
    mean, error = table["A"].mean(), table["A"].std() / np.sqrt(3)
    reach = scipy.stats.t.ppf(0.975, 2) * error
    slope = (scipy.special.logit(mean + step) - scipy.special.logit(mean - step)) / (2 * step)
    ends = scipy.special.expit(scipy.special.logit(mean) + np.array([-1, 1]) * slope * reach)
    np.testing.assert_allclose(row, [mean, *ends], rtol=1e-6)
    counts = mean_intervals(pd.DataFrame({"A": [1.0, 9.0, 1.0]}), measure="DCG").loc["A"]
    np.testing.assert_allclose(np.sqrt(counts["low"] * counts["high"]), counts["mean"])  # of logs
    plain = scipy.stats.ttest_1samp([0.4, 0.5, 0.6], 0).confidence_interval(0.95)
    inside = mean_intervals(pd.DataFrame({"A": [0.4, 0.5, 0.6]})).loc["A"]
    np.testing.assert_allclose(inside[["low", "high"]], plain)


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_a_comparison_is_scipys_paired_test(trec8, correction):
    some = trec8.select(systems=trec8.systems.index[::8])
    one = some.systems.index[3]
    table = against(some, one, TWO, correction=correction).set_index(["measure", "system"])
    assert len(table) == len(TWO) * (len(some.systems) - 1)
    for name in TWO:
        of = scores(some, name).fillna(0)
        theirs = {s: scipy.stats.ttest_rel(of[s], of[one]) for s in of if s != one}
        p = np.array([found.pvalue for found in theirs.values()])
        found = table.loc[name]
        np.testing.assert_allclose(found["p"], holm(p) if correction == "holm" else p, atol=1e-9)
        bounds = [list(f.confidence_interval()) for f in theirs.values()]
        np.testing.assert_allclose(found[["low", "high"]], bounds, atol=1e-12)
        # t is the effect size times the root of the number of topics.
        t = [f.statistic for f in theirs.values()]
        np.testing.assert_allclose(found["effect"] * np.sqrt(len(of)), t, rtol=1e-9)


def test_the_command_prints_means_and_differences(printed):
    words = "evaluate trec8 --measures AP,RR --summary"
    plain = pd.read_csv(io.StringIO(printed(words).out))
    assert plain.columns.tolist() == ["measure", "system", "mean", "low", "high"]
    assert len(plain) == 2 * 129
    out = printed(f"{words} --against READWARE2 --correction holm").out
    found = pd.read_csv(io.StringIO(out))
    pd.testing.assert_frame_equal(found[plain.columns], plain)
    assert ",".join(found.columns[5:]) == "difference,low of difference,high of difference,effect,p"
    assert found.loc[found["difference"].isna(), "system"].tolist() == ["READWARE2"] * 2
    best = found.loc[found["measure"] == "AP", "difference"].dropna()
    assert (best < 0).all()  # it is the best by AP


@pytest.mark.parametrize("margin", [0.01, 0.045, 0.06, 0.1])
@pytest.mark.parametrize("pair", [("pir9Attd", "acsys8alo"), ("READWARE", "READWARE2")])
def test_within_a_margin_as_statsmodels_two_one_sided_tests_have_it(pair, margin, printed):
    page = printed(f"compare {' '.join(pair)} --collection trec8 --margin {margin}").out
    (line,) = [line for line in page.splitlines() if line.startswith("The margin is")]
    one, other = scores(load("trec8"), "AP")[[*pair]].to_numpy().T
    p, above, below = ttost_paired(one, other, -margin, margin)
    a, b = pair
    claims = {
        f"{a} is not worse than {b}": (above[1], f"{a} is worse than {b} by more"),
        f"{b} is not worse than {a}": (below[1], f"{b} is worse than {a} by more"),
        f"{a} and {b} are equivalent": (p, f"{a} and {b} are not equivalent"),
    }
    for claim, (value, denied) in claims.items():
        found = [
            f". {claim} (finding)." in line,
            f". Whether {claim} is inconclusive." in line,
            f". {denied} (finding)." in line,
        ]
        assert found == [value < 0.025, 0.025 <= value <= 0.975, value > 0.975]
    chance = power(margin, np.std(one - other, ddof=1), 50)
    assert f"power of {chance:.0%}, and equivalence with {max(0, 2 * chance - 1):.0%}." in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("READWARE2 CL99XT pir9Attd --margin .1", "--margin goes with two runs"),
        ("READWARE2 CL99XT pir9Attd --out x.svg", "--out goes with two runs"),
        ("READWARE2 CL99XT --margin -1", "--margin must be more than 0 and at most 1, not"),
        ("READWARE2 CL99XT --margin 2", "--margin must be more than 0 and at most 1, not 2"),
        ("READWARE2 CL99XT --difference .1 --measure GMAP", "goes with an arithmetic mean; GMAP"),
    ],
)
def test_a_margin_that_cannot_be(words, said, printed):
    assert said in printed(f"compare {words} --collection trec8", 2).err


def test_tukeys_letters_and_daggers(printed):
    runs = ["READWARE2", "orcl99man", "Flab8as", "CL99XT"]
    words = f"compare {' '.join(runs)} --collection trec8 --correction tukey --measures AP"
    assert "Tukey's test at 0.05, randomized" in printed(words).out
    found = pd.read_csv(io.StringIO(printed(f"{words} --format csv").out))
    of = complete_scores(load("trec8"), "AP")[sorted(runs)]
    p = square(randomized_tukey(of, rng=np.random.default_rng(1)), of.columns)
    for row in found.itertuples():
        worse = [run for run in of if p.loc[row.system, run] < 0.05 and of[run].mean() < row.mean]
        assert ("" if row[-1] != row[-1] else row[-1]).split() == [
            run for run in runs if run in worse
        ]
    table = against(load("trec8").select(systems=runs), "CL99XT", ["AP"], correction="tukey")
    np.testing.assert_allclose(table["p"], p["CL99XT"].drop("CL99XT")[table["system"]], atol=0.02)
    words = "compare READWARE2 CL99XT --collection trec8 --correction tukey"
    assert printed(words).out.splitlines()[1].startswith("READWARE2  a  0.4692")


def test_any_number_of_runs_stands_beside_one_by_rank(here, printed):
    topics = range(1, 9)
    rng = np.random.default_rng(1)
    above = {f"r{i:02}": {t: rng.integers(6) for t in topics} for i in range(30)}  # what is found
    above |= {"r00": dict.fromkeys(topics, 0), "r01": {t: 1 + t % 2 for t in topics}}
    above |= {"r29": {t: 5 + (t > 1) for t in topics}}
    for name, of in above.items():
        lists = {t: [*(f"x{n}" for n in range(many)), "r"] for t, many in of.items()}
        write_files(here, {f"runs/{name}": run_of(lists)})
    write_files(here, {"qrels": "".join(f"{t} 0 r 1\n" for t in topics)})
    words = "compare runs qrels --measure RR --measures nDCG --against r01 --format"
    table = pd.read_csv(io.StringIO(printed(f"{words} csv").out))
    of = 1 / (1 + pd.DataFrame(above))
    best = [*of.mean().sort_values(ascending=False, kind="stable").index]
    rows = table[table["measure"] == "RR"].set_index("system")
    assert [*rows.index] == best
    others = [run for run in above if run != "r01"]
    p = [scipy.stats.ttest_rel(of[run], of["r01"]).pvalue for run in others]
    np.testing.assert_allclose(rows.loc[others, "p"], holm(p), rtol=1e-5)
    lines = printed(words.removesuffix(" --format")).out.splitlines()
    ranks = of.mean().round(6).rank(ascending=False, method="min")
    assert lines[0].split() == ["rank", "RR", "minus", "r01", "p", "nDCG"]
    gain = 1 / np.log2(2 + pd.DataFrame(above))
    p = holm([scipy.stats.ttest_rel(gain[run], gain["r01"]).pvalue for run in others])
    ahead = (gain[others].mean() - gain["r01"].mean()).where(p < 0.05, 0).reindex(best).fillna(0)
    assert {-1, 0, 1} == {*np.sign(ahead)}
    ends = ["mean", "low", "high", "difference", "low of difference", "high of difference", "p"]
    for run, line in zip(best, lines[1:-1], strict=True):
        assert line.split()[:2] == [run, f"{ranks[run]:.0f}"]
        shown, p = re.findall(r"[-+]?\d\.\d{4}", line), rows.loc[run, "p"]
        expected = [*rows.loc[run, ends].dropna(), gain[run].mean()]
        shown = [0.0 if number == "0.0001" and p < 0.0001 else number for number in shown]
        np.testing.assert_allclose([*map(float, shown)], expected, atol=6e-5)
        assert ("<0.0001" in line) == (p < 0.0001) and (" - " in line) == (run == "r01")
        assert re.search("[-+]?$", line)[0] == {-1: "-", 0: "", 1: "+"}[np.sign(ahead[run])]
    words = "evaluate runs qrels --summary --measures P@1,RR --sort rr --format csv"
    table = pd.read_csv(io.StringIO(printed(words).out))
    assert [*table["system"]] == best * 2 and [*table["measure"].unique()] == ["P@1", "RR"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("compare runs qrels", "compare takes 2 to 26 runs, not 27; with --against RUN any number"),
        ("compare runs qrels --against r1", "--against: there is no run 'r1'; did you mean 'r"),
        ("compare runs qrels --against r00 --margin .1", "--margin goes with two runs"),
        ("evaluate runs qrels --sort RR", "--sort goes with --summary"),
        ("evaluate runs qrels --summary --sort P@9", "--sort: P@9 is not among the measures"),
    ],
)
def test_too_many_runs_and_what_goes_not_together_are_refused_before_reading(
    words, said, here, printed
):
    runs = {f"runs/r{i:02}": "no run" for i in range(_LETTERS + 1)}  # one that has no letter
    write_files(here, {"qrels": "nor judgements\n"} | runs)
    err = printed(words, 2).err
    assert said in err and err.count("\n") == 1


def test_scores_of_another_tool_are_compared_as_runs_are(here, printed):
    """As a table with commas, with tabs, and as trec_eval -q prints them, a file a system."""
    write_collection(here)
    runs = sorted((here / "runs").iterdir())[:2]
    words = ["compare", *map(str, runs), "qrels", "--measures", "AP P@10 RR"]
    expected = printed(" ".join(words[:-2]) + " --measures AP,P@10,RR --format csv").out
    table = evaluate(derive(runs, "qrels"), ["AP", "P@10", "RR"])
    table.to_csv("table", index=False)
    table.to_csv("tabs", sep="\t", index=False)
    for run in runs:
        rows = table[table["system"] == run.name].replace({"AP": "map", "P@10": "P_10"})
        lines = [f"{r.measure:22}\t{r.topic}\t{r.score}\n" for r in rows.itertuples()]
        Path(f"{run.name}.eval").write_text(
            "".join([*lines, "runid\tall\tx\nmap\tall\t0.5\n"]), encoding="utf-8"
        )
    both = " ".join(f"--per-topic {run.name}={run.name}.eval" for run in runs)
    for given in ("--per-topic table", "--per-topic tabs", both):
        assert printed(f"compare {given} --format csv").out == expected
    # A measure that we do not know, on no scale.
    own = table[table["measure"] == "AP"].assign(measure="mine", score=lambda t: 9 * t["score"] - 5)
    own.to_csv("own", index=False)
    found = printed("compare --per-topic own --measure mine --format csv").out
    theirs = expected.splitlines()[1].split(",")
    mine = found.splitlines()[1].split(",")
    assert float(mine[5]) == pytest.approx(9 * float(theirs[5]), abs=1e-5)
    own.iloc[1:].to_csv("gap", index=False)
    Path("nothing").touch()
    for words, why in {
        "--per-topic own": "no scores by 'AP'; there are those by mine",
        "--per-topic gap --measure mine": "no score by mine",
        "--per-topic table --per-topic tabs": "stands in another file too",
        "--per-topic table --per-topic C=nothing": "nothing: holds no scores by topic",
        "--per-topic qrels": "qrels, line 1: neither three columns, as",
        "--per-topic table --unjudged": "--unjudged goes with runs and judgements",
    }.items():
        assert why in printed(f"compare {words}", 2).err


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ((0.1, 0.01), "B agrees with A; C finds the opposite of A; D is inconclusive"),
        ((0.1, 0.2), "B speaks for the first run; C speaks for the second run; D is inconclusive"),
    ],
)
def test_what_other_measures_say_of_the_primary_one(first, said):
    rows = [first, (0.2, 0.001), (-0.2, 0.001), (-0.2, 0.6)]
    table = pd.DataFrame(rows, [*"ABCD"], ["difference", "p Holm"])
    assert _agreement(table) == [f"Other measures, after Holm: {said}."]
