"""The page "Report this": its numbers, computed again from the package's tables, and by scipy."""

import re
import shlex
import sys

import jinja2
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from book.teaching import reported
from lib.cli import main
from lib.collection import derive, load
from lib.conventions import POWER
from lib.measures.unjudged import judged_share
from lib.paths import DATA, ROOT

SOURCE = (ROOT / "book" / "report-this.md").read_text(encoding="utf-8")
PAGE = jinja2.Template(SOURCE).render(**reported.numbers()).replace("&nbsp;", " ")
TABLES = DATA / reported.COLLECTION


def of_list(hits, grades):
    """Return nDCG@10, AP, P@10, RR and AP of judged documents alone, of one topic's list."""
    relevant, top = hits[hits["grade"] >= 2], hits[hits["rank"] <= 10]
    ideal = np.sort(grades)[::-1][:10]
    best = (ideal / np.log2(np.arange(len(ideal)) + 2)).sum()
    number, needed = np.arange(len(relevant)) + 1, (grades >= 2).sum()
    # Judged documents above: those of grade 0, which the table counts, those of 1, and these.
    judged = [int((hits["rank"] <= rank).sum()) for rank in relevant["rank"]]
    return [
        (top["grade"] / np.log2(top["rank"] + 1)).sum() / best,
        (number / relevant["rank"]).sum() / needed,
        (relevant["rank"] <= 10).sum() / 10,
        1 / relevant["rank"].min() if len(relevant) else 0.0,
        (number / (relevant["nonrelevant"] + judged)).sum() / needed,
    ]


@pytest.fixture(scope="module")
def scores():
    """Return the scores of both runs, topics x measures, from the package's tables alone."""
    names = pd.read_csv(TABLES / "systems.tsv", sep="\t")["run"].tolist()
    hits, relevant = (pd.read_parquet(TABLES / f"{x}.parquet") for x in ("hits", "relevant"))
    hits = hits.merge(relevant, on=["topic", "document"]).sort_values(["topic", "rank"])
    return [
        np.array(
            [
                of_list(
                    hits[(hits["system"] == names.index(run)) & (hits["topic"] == t)], of["grade"]
                )
                for t, of in relevant.groupby("topic")
            ]
        )
        for run in (reported.WITH, reported.WITHOUT)
    ]


def test_differences_intervals_and_p_values_are_scipys(scores):
    one, other = scores
    said, ps = [], []
    for of, against in zip(one.T, other.T):
        test = stats.ttest_rel(of, against)
        low, high = test.confidence_interval()
        said.append(
            f"{(of - against).mean():+.3f} [{low:+.3f}, {high:+.3f}]".replace("-", "\u2212")
        )
        ps.append(test.pvalue)
    means = [f"{of.mean():.4f}" for of in (one[:, 0], other[:, 0], one[:, 1], other[:, 1])]
    holm = min(1, 3 * min(ps[1:4]))  # of AP, the smallest of the three
    assert min(ps[1:4]) == ps[1]
    rows = [f"p = {ps[1]:.4f}", f"p = {ps[0]:.4f}", f"corrected p = {holm:.4f}"]
    assert [text for text in [*said, *means, *rows] if text not in PAGE] == []


def test_topics_and_what_so_many_find_are_computed(scores):
    differences = (scores[0] - scores[1])[:, 0]
    n, spread = len(differences), differences.std(ddof=1)
    won, lost = int((differences > 1e-9).sum()), int((differences < -1e-9).sum())
    counted = f"ahead on {won} topics, behind on {lost} and level on {n - won - lost}"
    topics = pd.read_csv(TABLES / "topics.tsv", sep="\t")
    worst = topics["topic"][differences.argmin()]
    assert f"{counted}; it loses most, {-differences.min():.2f}, on topic {worst}" in PAGE
    assert f"only {topics['judged'].mean():.0f} passages a topic" in PAGE

    def power(difference, topics):
        bound = stats.t.ppf(0.975, topics - 1)
        away = stats.nct(topics - 1, difference / spread * np.sqrt(topics))
        return away.sf(bound) + away.cdf(-bound)

    found = next(d for d in np.arange(0.001, 1, 0.0005) if power(d, n) >= POWER)
    many = next(n for n in range(10, 500) if power(reported.SMALLEST, n) >= POWER)
    assert f"find a true difference of {found:.2f} in" in PAGE
    assert f"find {reported.SMALLEST} would take about {many} topics" in PAGE


def test_no_result_is_typed():
    assert re.findall(r"(?<!difference )\b\d+\.\d+", SOURCE) == []
    with pytest.raises(jinja2.UndefinedError):
        jinja2.Template(SOURCE, undefined=jinja2.StrictUndefined).render()


def test_the_command_prints_these_numbers(capsys, monkeypatch):
    command = re.search(r"^python -m lib ((?:.*\\\n)*.*)$", SOURCE, flags=re.MULTILINE)[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(shlex.split(command.replace("\\\n", "")))
    printed, numbers = capsys.readouterr().out, reported.numbers()
    for name, measure in reported.MEASURES.items():
        line = next(x for x in printed.splitlines() if x.startswith(f"{measure} "))
        of = numbers[name]
        assert {of.one, of.other, of.p, of.holm, of.ahead, of.behind, of.level} <= {*line.split()}
    assert f"needs {numbers['experiment'].needs} topics" in printed


def test_both_first_tens_are_judged(originals):
    folder = originals / reported.COLLECTION
    runs = [folder / "runs" / f"{run}.xz" for run in (reported.WITH, reported.WITHOUT)]
    collection = derive(runs, folder / "qrels.txt", judged=True)
    collection = collection.select(topics=[*load(reported.COLLECTION).topics.index])
    assert (judged_share(collection, "nDCG@10") == 1).all(axis=None)
    assert (judged_share(collection, "AP").mean() < 0.2).all()
