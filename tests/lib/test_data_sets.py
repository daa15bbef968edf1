"""Several data sets and seeds: by hand, and by scipy; what is refused."""

import io
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from strange import run_of, write_files
from strategies import qrels_text

from lib import load
from lib.collection.metadata import read_runs_table
from lib.display.figures import measure_style
from lib.measures import complete_scores
from lib.reporting.data_sets import draw_forest, sets_page
from lib.statistics.data_sets import (
    ANOTHER,
    APART,
    LIKE,
    THESE_SETS,
    across,
    all_pairs,
    beaten,
    over_seeds,
)
from lib.statistics.random_effects import random_effects

ONE, OTHER = "READWARE2", "orcl99man"


def halves(*systems):
    """Return AP of a few systems on three parts of TREC-8's topics, which share none."""
    scores = complete_scores(load("trec8"), "AP")
    parts = {"a": scores.iloc[:12], "b": scores.iloc[12:30], "c": scores.iloc[30:]}
    return {data: {run: part[[run]] for run in systems} for data, part in parts.items()}


def test_three_data_sets_as_scipy_has_them():
    sets = halves(ONE, OTHER)
    sets["a"][ONE] += 0.2  # so that they differ
    found = across(*({data: of[run] for data, of in sets.items()} for run in (ONE, OTHER)))
    theirs = {d: scipy.stats.ttest_rel(of[ONE][ONE], of[OTHER][OTHER]) for d, of in sets.items()}
    for data, test in theirs.items():
        ends = test.confidence_interval(0.95)
        np.testing.assert_allclose(found.loc[data, ["low", "high", "p"]], [*ends, test.pvalue])
    effects = np.array([(of[ONE][ONE] - of[OTHER][OTHER]).mean() for of in sets.values()])
    errors = effects / [test.statistic for test in theirs.values()]
    # Welch's t of three means: scipy has it for two, so its degrees of freedom are written out.
    topics = [len(of[ONE]) for of in sets.values()]
    freedom = (errors**2).sum() ** 2 / (errors**4 / (np.array(topics) - 1)).sum()
    t = scipy.stats.t(freedom, effects.mean(), np.sqrt((errors**2).sum()) / 3)
    np.testing.assert_allclose(found.loc[THESE_SETS, ["low", "high"]], t.interval(0.95))
    assert found.loc[THESE_SETS, "p"] == pytest.approx(2 * min(t.cdf(0), t.sf(0)))
    # Of random effects themselves test_random_effects.py asks more.
    like = random_effects(effects, errors)
    expected = {
        LIKE: [like.estimate, like.low, like.high],
        APART: np.sqrt([like.tau2, like.tau2_low, like.tau2_high]),
        ANOTHER: [like.estimate, like.prediction_low, like.prediction_high],
    }
    for row, numbers in expected.items():
        np.testing.assert_allclose(found.loc[row, ["difference", "low", "high"]], numbers)
    two = across(*({data: sets[data][run] for data in "ab"} for run in (ONE, OTHER)))
    assert [*two.index] == ["a", "b", THESE_SETS, LIKE, APART]  # two do not tell of another


def test_seeds_have_the_two_way_variance_that_is_computed_by_hand():
    """Three topics, two seeds: mean squares as sums of fractions, as in a textbook's table."""
    cells = [[1, 3], [2, 6], [6, 6]]
    rows = [Fraction(sum(row), 2) for row in cells]
    columns = [Fraction(sum(column), 3) for column in zip(*cells)]
    mean = Fraction(sum(map(sum, cells)), 6)
    assert (rows, columns, mean) == ([2, 4, 6], [3, 5], 4)
    ms_topics = 2 * sum((row - mean) ** 2 for row in rows) / 2  # 8
    ms_seeds = 3 * sum((column - mean) ** 2 for column in columns) / 1  # 6
    rest = [
        (cells[t][s] - rows[t] - columns[s] + mean) ** 2 for t, s in product(range(3), range(2))
    ]
    ms_rest = Fraction(sum(rest), 2)  # 2
    assert (ms_topics, ms_seeds, ms_rest) == (8, 6, 2)
    variance = (ms_topics + ms_seeds - ms_rest) / 6  # of the mean of topics x seeds: 2
    one = pd.DataFrame(cells, dtype=float)
    found = over_seeds(one, one[[0]] * 0)
    assert found.estimate == 4 and found.error**2 == pytest.approx(float(variance))
    parts = [float(ms_topics) / 6, float(ms_seeds - ms_rest) / 6]
    own = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 1)
    assert found.freedom == pytest.approx(own)
    # Of two systems the topics' part is that of the difference, the seeds' parts add up.
    both = over_seeds(one, one * 0.5)
    assert both.error**2 == pytest.approx(1 / 3 + parts[1] * (1 + 1 / 4))
    # Seeds whose means differ by less than the rest have no part.
    assert over_seeds(pd.DataFrame([[1, 3], [3, 1], [2, 2]]), one[[0]] * 0).error == 0


def test_all_pairs_are_corrected_and_beaten_counts_them():
    sets = {"AP": halves(ONE, OTHER, "Flab8as", "CL99XT")}
    table = all_pairs(sets)
    assert [*table] == "measure,run 1,run 2,data,difference,low,high,p,p Holm".split(",")
    these = table[table["data"] == THESE_SETS]
    assert len(these) == 6
    p = these["p"].sort_values()
    by_hand = np.maximum.accumulate(p * np.arange(6, 0, -1)).clip(upper=1)
    np.testing.assert_allclose(these["p Holm"].loc[p.index], by_hand)
    sure = these[these["p Holm"] < 0.05]
    assert sum(map(len, beaten(these).values())) == len(sure) > 0
    row = sure.iloc[0]
    winner = row["run 1"] if row["difference"] > 0 else row["run 2"]
    assert ({row["run 1"], row["run 2"]} - {winner}).pop() in beaten(these)[winner]
    two = all_pairs({m: halves(ONE, OTHER) for m in ("AP", "again", "third")})
    two = two[two["data"] == THESE_SETS]["p Holm"].to_numpy()
    np.testing.assert_allclose(two[1:], np.minimum(2 * two[0], 1))  # the primary one stands alone


def test_the_page_of_two_says_what_the_mean_hides_as_scipy_has_it():
    scores, sets, gaps, sure = complete_scores(load("trec8"), "AP")[[ONE, OTHER]], {}, [], []
    for place, (data, more) in enumerate(zip("abcdef", (0.6, -0.5, 0, -0.7, 0.5, 0.55))):
        part = scores.iloc[8 * place : 8 * place + 8] + [more, 0]
        sets[data] = {ONE: part[[ONE]], OTHER: part[[OTHER]]}
        gaps.append(((part[ONE] - part[OTHER]).mean(), data))
        if scipy.stats.ttest_rel(part[ONE], part[OTHER]).pvalue < 0.05:
            sure.append(gaps[-1][0] > 0)
    assert sorted(sure) == [False] * 2 + [True] * 3
    means = {run: np.mean([of[run].mean() for of in sets.values()]) for run in (ONE, OTHER)}
    ends = f"{means[ONE]:.4f} against {means[OTHER]:.4f}; {{}} minus {{}} is {{:+.4f}} ("
    assert means[ONE] > means[OTHER]  # whichever stands first
    for a, b in ((OTHER, ONE), (ONE, OTHER)):
        some = {data: {a: of[a], b: of[b]} for data, of in sets.items()}
        lines = sets_page(some, all_pairs({"AP": some})).splitlines()
        said = f"{ONE} is better than {OTHER} by AP on these data sets: "
        assert lines[0].startswith(said + ends.format(a, b, means[a] - means[b]))
    (low, last), (high, first) = min(gaps), max(gaps)
    found = f"alone, 6 data sets find {ONE} better 3 times, {OTHER} 2 times, and 1 settle nothing."
    assert f"The mean hides: {low:+.4f} on {last}, {high:+.4f} on {first}; {found}" in lines
    assert "So few settle little about others: degrees of freedom, 5." in lines


def test_the_page_of_four_has_the_ranks_that_sure_pairs_leave_open():
    sets = halves(ONE, OTHER, "Flab8as", "CL99XT")
    pairs = all_pairs({"AP": sets})
    sure = pairs[(pairs["data"] == THESE_SETS) & (pairs["p Holm"] < 0.05)]
    ahead = sure["difference"] > 0
    won, lost = (sure["run 1"].where(of, sure["run 2"]).tolist() for of in (ahead, ~ahead))
    ranks = [f"{run} {1 + lost.count(run)} to {4 - won.count(run)}" for run in sets["a"]]
    assert len({rank.split(" ", 1)[1] for rank in ranks}) == 4
    page = sets_page(sets, pairs)
    assert f"Ranks, 95% for all together: {', '.join(ranks)}." in page
    assert "The mean hides" not in page


def test_single_seeds_claim_what_scipy_finds_for_each_pair_of_them():
    """A and B have seeds that differ; C has none, and is told to have no error over seeds."""
    ap = complete_scores(load("trec8"), "AP")
    names = {"A": [ONE, "CL99XT", "Flab8as"], "B": [OTHER, "pir9Attd"], "C": ["acsys8alo"]}
    sets = {data: {run: ap.loc[part, of] for run, of in names.items()}
            for data, part in (("x", ap.index[:20]), ("y", ap.index[20:]))}  # fmt: skip
    lines, seen = sets_page(sets, all_pairs({"AP": sets})).splitlines(), []
    for other in "BC":
        tests = [
            scipy.stats.ttest_rel(of["A"][one], of[other][two])
            for of in sets.values() for one, two in product(names["A"], names[other])
        ]  # fmt: skip
        sure = [test.statistic > 0 for test in tests if test.pvalue < 0.05]
        seen.append((sure.count(True), sure.count(False)))
        told = f"would claim that A is better than {other}, {sure.count(False)} the opposite."
        assert f"Of {len(tests)} pairs of single seeds, {sure.count(True)} {told}" in lines
    assert all(one != two for one, two in seen) and np.sum(seen, axis=0).all()
    assert "One seed, so no error over seeds: C." in lines


@pytest.mark.parametrize("others", [[OTHER], [OTHER, "CL99XT"]])
def test_a_forest_has_a_row_a_difference_and_its_line_where_there_is_none(others, monkeypatch):
    drawn = []
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda one, *a, **b: drawn.append(one))
    pairs = all_pairs({name: halves(ONE, *others) for name in ("RR", "AP")})
    draw_forest(pairs, "forest.svg")
    (axes,) = drawn[0].axes
    rows = pairs[(pairs["measure"] == "RR") & (pairs["run 1"] == ONE) & (pairs["data"] != APART)]
    labels = [*rows["data"]]
    if others[1:]:  # of more than two systems, what the data sets say together
        rows = rows[rows["data"].isin([THESE_SETS, LIKE])]
        labels = [*(rows["run 2"] + ", " + rows["data"])]
    assert [label.get_text() for label in axes.get_yticklabels()] == labels
    at, *parts = ([*line.get_xdata()] for line in axes.lines)
    assert at == [0, 0] and parts[1::2] == rows[["difference"]].to_numpy().tolist()
    assert parts[::2] == rows[["low", "high"]].to_numpy().tolist()
    alone = {"marker": "^", "color": measure_style("RR")["color"]}
    for line, data in zip(axes.lines[2::2], rows["data"]):
        look = alone if data in "abc" else {"marker": "D", "color": "black"}
        assert {"marker": line.get_marker(), "color": line.get_color()} == look
    assert axes.get_title(loc="left") == f"RR: {ONE} minus {'each other' if others[1:] else OTHER}"


GRADES = {"1": {"d1": 1}, "2": {"d2": 1}, "3": {"d1": 1, "d3": 2}, "4": {"d4": 1}}


@pytest.fixture
def files(here):
    """Three data sets, one system with one seed and one with two; a table of them."""
    rng, names = np.random.default_rng(3), [f"d{i}" for i in range(1, 9)]
    rows, made = ["data\tsystem\tseed\trun\tqrels"], {}
    for data in "xyz":
        made[f"{data}/qrels.txt"] = qrels_text(GRADES)
        for system, seed in (("A", ""), ("B", "1"), ("B", "2")):
            text = run_of({topic: rng.permutation(names) for topic in GRADES})
            file = f"{data}-{system}{seed}.trec"
            rows.append(f"{data}\t{system}\t{seed}\t{file}\t{data}/qrels.txt")
            made |= {file: text} if seed == "2" else {file: text, f"{data}/{system}": text}
    write_files(here, made | {"trec.tsv": "\n".join(rows) + "\n"})
    return here


def test_the_page_of_three_data_sets(files, printed):
    page = printed("compare --runs trec.tsv --out forest.svg").out
    assert "by AP on these data sets" in page and "On data sets like these it is" in page
    assert "Another one like these" in page and "So few settle little about others" in page
    assert "Of 6 pairs of single seeds" in page and "no error over seeds: A." in page
    table = pd.read_csv(io.StringIO(printed("compare --runs trec.tsv --format csv").out))
    of_each = table.groupby("measure")["data"].agg(list)
    assert of_each["AP"] == ["x", "y", "z", THESE_SETS, LIKE, APART, ANOTHER]
    assert of_each["P@10"] == ["x", "y", "z", THESE_SETS]  # both have found all: nothing varies
    row = table.iloc[3]
    said = f"A minus B is {row['difference']:+.4f} ({row['low']:+.4f} to {row['high']:+.4f})"
    assert said in page
    drawn = (files / "forest.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<?xml") and "<!-- AP: A minus B -->" in drawn
    assert r"\begin{tabular}" in printed("compare --runs trec.tsv --format latex").out


def test_folders_are_data_sets_and_names_are_seeds(files, printed):
    with_table = (files / "trec.tsv").read_text(encoding="utf-8").splitlines()
    qrels, seeds = Path("x/qrels.txt"), {s: Path(f"x-B{s}.trec") for s in "12"}
    found = {"A": {"": Path("x-A.trec")}, "B": seeds}
    assert read_runs_table("trec.tsv")["x"] == (qrels, found)
    rows = [line.replace("\t1\t", "\t\t") for line in with_table if "\t2\t" not in line]
    (files / "one.tsv").write_text("\n".join(rows), encoding="utf-8")
    words = "compare --data x=x --data y=y --data z=z"
    outs = [printed(w).out for w in (words, "compare --runs one.tsv")]
    assert outs[0] == outs[1]
    named = "x-A.trec B=x-B1.trec B=x-B2.trec x/qrels.txt --format csv"
    out = printed(f"compare A={named}").out
    seeds = ["x-B1.trec", "x-B2.trec", "y-A.trec"]
    rows = [with_table[0], "qrels.txt\tA\t\tx-A.trec\tx/qrels.txt"]
    rows += [f"qrels.txt\tB\t{n}\t{file}\tx/qrels.txt" for n, file in enumerate(seeds)]
    (files / "three.tsv").write_text("\n".join(rows), encoding="utf-8")
    three = f"A=x-A.trec {' '.join(f'B={file}' for file in seeds)} x/qrels.txt"
    assert printed(f"compare {three}").out == printed("compare --runs three.tsv").out
    (files / "seeds").mkdir()
    for seed in "12":
        (files / f"x-B{seed}.trec").rename(files / "seeds" / seed)
    folder = "A=x-A.trec B=seeds x/qrels.txt --format csv"
    assert printed(f"compare {folder}").out == out


def test_with_one_data_set_and_one_seed_nothing_changes(files, printed):
    plain = printed("compare x/A x/B x/qrels.txt").out
    assert printed("compare --data x=x").out == plain
    assert printed("compare A=x-A.trec B=x-B1.trec x/qrels.txt").out == plain
    lines = (files / "trec.tsv").read_text(encoding="utf-8").splitlines()[:3]
    (files / "one.tsv").write_text("\n".join(lines), encoding="utf-8")
    assert printed("compare --runs one.tsv").out == plain


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("z\tA\t\t", "z\tC\t\t", "data 'x', system 'C': no run, as 'z' has"),
        ("x\tB\t2\t", "x\tB\t1\t", "line 4: data 'x', system 'B', seed '1' stands twice"),
        ("x\tA\t\tx-A.trec\tx", "x\tA\t\tx-A.trec\ty", "line 3: data 'x' has other judgements"),
        ("x\tA\t\tx-A.trec", "x\tA\t\t", "line 2: run is empty"),
        ("data\t", "dat\t", "line 1: no column 'data'"),
        ("x-A.trec", "x-C.trec", "x-C.trec: no such file"),
    ],
)
def test_a_table_that_cannot_be_used(old, new, said, files, printed):
    text = (files / "trec.tsv").read_text(encoding="utf-8")
    (files / "trec.tsv").write_text(text.replace(old, new, 1), encoding="utf-8")
    out, err = printed("compare --runs trec.tsv", 2)
    assert said in err and err.count("\n") == 1 and out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--runs trec.tsv A B", "give no other runs"),
        ("--runs trec.tsv --difference .1", "--difference goes with one data set"),
        ("--runs trec.tsv --correction tukey", "--correction goes with one data set"),
        ("--runs trec.tsv --measure GMAP", "compared by arithmetic means"),
        ("--data x=x --data x=y", "'x' stands twice"),
        ("--data x", "name it too, as in NAME=x"),
        ("--data x=. --data y=y", "holds 0 files named qrels, not 1"),
        ("A=x/A x/B x/qrels.txt", "x/B: name it too, as in NAME=x/B"),
        ("A=x/A x/qrels.txt", "compare takes 2 to 26 runs, not 1"),
    ],
)
def test_words_that_cannot_be_used(words, said, files, printed):
    err = printed(f"compare {words}", 2).err.splitlines()[-1]
    assert said in err
