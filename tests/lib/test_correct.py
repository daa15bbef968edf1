"""The command correct: by hand, its draws, how often its intervals hold, and what it refuses."""

import io
import re

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from strange import run_of, write_files
from strategies import qrels_text

from chapters.machines.budget import difference_estimate, human_topics
from chapters.machines.judging import PEOPLE, scores_by
from lib.cli.correcting import correct, drawn
from lib.statistics.student import pair_differences

TOPICS, DRAWS = 12, 500


@pytest.fixture
def files(here):
    """Three runs of twelve topics, a machine's judgements, and people's, who are stricter."""
    rng = np.random.default_rng(4)
    documents = [f"d{i}" for i in range(30)]
    files = {
        f"runs/{name}": run_of({f"t{t}": rng.permutation(documents) for t in range(TOPICS)})
        for name in "ABC"
    }
    grades = rng.integers(0, 3, (TOPICS, 30))
    machine = np.minimum(grades + (rng.random(grades.shape) < 0.3), 2)
    for name, table in (("people", grades), ("machine", machine)):
        judged = {f"t{t}": dict(zip(documents, of)) for t, of in enumerate(table)}
        files[name] = qrels_text(judged)
    write_files(here, files)
    return here


def keep(file, topics):
    rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(row for row in rows if row.split()[0] in topics), encoding="utf-8")


@pytest.mark.parametrize("against", ["", " --against B"])
def test_it_is_the_difference_estimator_by_hand(against, files, printed):
    scores = {}
    for name in ("machine", "people"):
        out = printed(f"evaluate runs {name} --measures nDCG@10").out
        table = pd.read_csv(io.StringIO(out)).pivot(index="topic", columns="system", values="score")
        scores[name] = table.sub(table["B"], axis=0).drop(columns="B") if against else table
    asked = printed("correct runs machine --draw 5 --seed 9").out.split()
    assert asked == drawn(scores["machine"].index, 5, 9)
    keep(files / "people", asked)
    words = "correct runs machine people --draw 5 --seed 9 --measures ndcg_cut_10"
    found = pd.read_csv(io.StringIO(printed(words + against).out))
    assert found["measure"].unique().tolist() == ["nDCG@10"]
    for row in found.itertuples():
        run = row.run.split()[0]
        machine, people = scores["machine"][run], scores["people"][run].loc[asked]
        gap = people - machine.loc[asked]
        middle, error = machine.mean() + gap.mean(), gap.sem() * np.sqrt(1 - 5 / TOPICS)
        low, high = scipy.stats.t(4, middle, error).interval(0.95)
        ours = [row[3], row.corrected, row.low, row.high]
        np.testing.assert_allclose(ours, [machine.mean(), middle, low, high], atol=1e-6)


def test_the_draw_is_the_seeds_and_nobody_elses():
    topics = [f"t{i}" for i in range(40)]
    assert drawn(topics, 9, 1) == drawn(topics[::-1], 12, 1)[:9] != drawn(topics, 9, 2)
    counts = pd.Series([t for seed in range(2000) for t in drawn(topics, 10, seed)]).value_counts()
    assert len(counts) == 40
    assert scipy.stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize("track", ["dl19", "dl21"])
def test_intervals_hold_as_often_as_the_help_says(track):
    """Of 500 draws of 15 topics, over runs and over pairs of runs: within .93 and .97."""
    low, high = map(int, re.search(r"held in\s+(\d+)% to (\d+)%", correct.__doc__).groups())
    tables = [scores_by(track, judge, "nDCG@10") for judge in (PEOPLE, "UMBRELA")]
    for people, machine in (
        [table.to_numpy() for table in tables],
        [pair_differences(table.to_numpy()) for table in tables],
    ):
        truth, held = people.mean(axis=0), []
        names = [str(topic) for topic in tables[0].index]
        for seed in range(DRAWS):
            chosen = [names.index(topic) for topic in drawn(names, 15, seed)]
            found = difference_estimate(people[chosen], machine, chosen)
            held.append((found.low <= truth) & (truth <= found.high))
        assert 0.93 <= np.mean(held) <= 0.97
        assert low <= round(100 * np.mean(held)) <= high


def test_the_help_says_what_topics_of_people_are_worth():
    said = re.sub(r"\s+", " ", correct.__doc__)
    for track, year in (("dl19", 2019), ("dl21", 2021)):
        people, machine = (
            pair_differences(scores_by(track, judge, "nDCG@10").to_numpy())
            for judge in (PEOPLE, "UMBRELA")
        )
        n = round(len(people) / 4)
        worth = round(float(np.nanmedian(human_topics(people, machine, n))))
        assert re.search(rf"\b{n} of DL {year}'s {len(people)}( topics)? worth {worth}\b", said)


@pytest.mark.parametrize(
    ("words", "change", "said"),
    [
        ("people", {}, "error: say which topics: --draw N --seed S, or --chosen-by-me"),
        ("--draw 1 --seed 1", {}, "error: --draw must be 2 to 12 topics, not 1"),
        ("--draw 2 --seed -1", {}, "error: --seed must be 0 or more, not -1"),
        ("people --draw 5 --seed 1", {}, "error: people: topic 't0' was not drawn; other topics"),
        (
            "people --draw 12 --seed 1",
            {"people": ["t1", "t2"]},
            "error: people: topic 't0' was drawn and is not there; other topics need",
        ),
        ("people --chosen-by-me", {"people": ["t1"]}, "error: people: an interval needs two"),
        ("people --chosen-by-me", {"machine": ["t1", "t2"]}, "error: people: topic 't0' is not in"),
        ("people --chosen-by-me", {"people": 1}, "error: grade 0 is only in machine; if both"),
        ("people --chosen-by-me", {"machine": 1}, "error: machine: every grade is 1, which tells"),
        ("people --chosen-by-me", {"runs": ["t1", "t2"]}, "error: people: topic 't0' is answered"),
        ("people --chosen-by-me --against D", {}, "error: there is no run 'D'"),
    ],
)
def test_what_cannot_be_corrected(words, change, said, files, printed):
    for name, value in change.items():
        if isinstance(value, int):
            text = re.sub(
                r"\d$", str(value), (files / name).read_text(encoding="utf-8"), flags=re.M
            )
            (files / name).write_text(text, encoding="utf-8")
            continue
        paths = (files / name).iterdir() if name == "runs" else [files / name]
        for path in paths:
            keep(path, value)
    out, err = printed(f"correct runs machine {words} --measures AP", 2)
    errors = [line for line in err.splitlines() if not line.startswith("note")]
    assert len(errors) == 1 and errors[0].startswith(said) and out == ""


def test_topics_of_ones_own_choice_and_another_scale(files, printed):
    keep(files / "people", ["t1", "t2", "t3"])
    words = "correct runs machine people --chosen-by-me --measures AP"
    assert len(printed(words).out.splitlines()) == 4
    text = (files / "people").read_text(encoding="utf-8").replace(" 2\n", " 1\n")
    (files / "people").write_text(text, encoding="utf-8")
    assert "grade 2 is only in machine" in printed(words, 2).err
    assert len(printed(f"{words} --highest-grade 2").out.splitlines()) == 4
    text = text.replace(" 1\n", " 3\n", 1) + "t3 0 more 1\nt3 0 most 2\n"
    (files / "people").write_text(text, encoding="utf-8")
    assert "grade 3 is only in people" in printed(words, 2).err
