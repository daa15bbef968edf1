"""The table for a paper: numbers, marks and bold by scipy; any name in it; LaTeX that compiles."""

import html
import re
import shutil
import subprocess

import pandas as pd
import pytest
import scipy.stats

from lib import load, scores
from lib.cli.common import print_table
from lib.collection import Collection
from lib.reporting.pair import TEST_NAMES, paper_of_runs
from lib.reporting.paper_table import paper_table
from lib.statistics.comparison import leaderboard, means_with_intervals
from lib.statistics.multiplicity import holm

NAMES = ["[a]", "*b", "c_d--e", "50% & #1", r"\x{y}", "~^$", "<script>alert(1)</script>", "p|q"]


def rows_of(markdown):
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]


def test_three_runs_as_scipy_has_them(printed):
    runs = ["READWARE2", "orcl99man", "Flab8as"]
    out = printed(f"compare {' '.join(runs)} --collection trec8 --format markdown").out
    assert out.startswith("Means with 95% intervals over 50 topics; the best is bold. A letter")
    head, _, *rows = rows_of(out)
    assert head == ["", "", "AP", "nDCG", "P@10", "RR"]
    letters = {name: letter for letter, name, *_ in rows}
    for place, measure in enumerate(head[2:], start=2):
        of = scores(load("trec8"), measure)[runs]
        pairs = [(a, b) for i, a in enumerate(runs) for b in runs[i + 1 :]]
        p = holm([scipy.stats.ttest_rel(of[a], of[b]).pvalue for a, b in pairs])
        worse = dict.fromkeys(runs, "")
        for (a, b), value in zip(pairs, p):
            better, other = (a, b) if of[a].mean() > of[b].mean() else (b, a)
            worse[better] += letters[other] * bool(value < 0.05)
        for row in rows:
            ends = scipy.stats.ttest_1samp(of[row[1]], 0).confidence_interval(0.95)
            bold = "**" if row[1] == of.mean().idxmax() else ""
            mark = "".join(sorted(worse[row[1]]))
            mark = f"<sup>{mark}</sup>" if mark else ""
            mean = f"{bold}{of[row[1]].mean():.3f}{bold}{mark}"
            assert row[place] == f"{mean} [{ends.low:.3f}, {ends.high:.3f}]"


def test_a_pair_has_the_marks_of_its_sentence(printed):
    """Holm over the measures beside the primary one, which stands alone."""
    out = printed("compare Sab8A1 att99atc --collection trec8 --format latex").out
    assert "after Holm for the measures beside AP" in out
    p, gaps = {}, []
    cells = {
        row[0]: row.split(" & ") for row in out.replace(r" \\", "").splitlines() if row[1:3] == " &"
    }
    runs = [cells[letter][1] for letter in "ab"]
    for measure in ("AP", "nDCG", "P@10", "RR"):
        one, other = scores(load("trec8"), measure)[runs].to_numpy().T
        p[measure] = scipy.stats.ttest_rel(one, other).pvalue
        gaps.append((one - other).mean())
    adjusted = [p["AP"], *holm([*p.values()][1:])]
    assert [value < 0.05 for value in adjusted] == [True, False, False, True]
    assert gaps[0] > 0 > gaps[3]  # a is the best by AP, and b by RR
    for letter, worse, sign in ("a", "b", 1), ("b", "a", -1):
        marks = [cell.partition(r"\textsuperscript")[2] for cell in cells[letter][2:]]
        better = [int(value < 0.05 and gap * sign > 0) for value, gap in zip(adjusted, gaps)]
        assert marks == [f"{{{worse}}}" * of for of in better]


def test_numbers_of_a_paper_are_as_short_as_they_may_be_and_bold_where_none_is_better():
    means = {"A": 1234.6, "B": 9.99, "C": 0.0012345, "D": 0.01, "E": 1234.6, "F": -12.4}
    rows = [
        {"measure": "mine", "system": run, "mean": of, "low": of, "high": float("nan"), "mark": ""}
        for run, of in means.items()
    ]
    rows[0]["low"] = float("nan")
    shown = {row[0]: row[1] for row in rows_of(paper_table(pd.DataFrame(rows), "markdown", ""))[2:]}
    assert shown["A"] == "**1,235**" and shown["E"].startswith("**1,235** [1,235, ")
    assert [shown[run].split()[0] for run in "BCDF"] == ["9.990", "0.0012", "0.010", "-12"]


def test_a_dagger_is_a_difference_from_one_run(printed):
    words = "evaluate trec8 --measures AP --summary --against READWARE2 --correction holm"
    out = printed(f"{words} --format markdown").out
    assert "†: significantly different from READWARE2, paired t test at 0.05, after Holm" in out
    of = scores(load("trec8"), "AP")
    others = of.drop(columns="READWARE2")
    p = holm([scipy.stats.ttest_rel(of["READWARE2"], others[run]).pvalue for run in others])
    found = {html.unescape(row[0]).replace("\\", "") for row in rows_of(out) if "†" in row[1]}
    assert found == set(others.columns[p < 0.05])


def toy():
    rankings = [{"1": order, "2": order} for order in ("rxy", "xry", "xyr")]
    runs = {name: rankings[i % 3] for i, name in enumerate(NAMES)}
    return Collection.from_rankings(runs, {topic: {"r": 1} for topic in "12"})


@pytest.mark.parametrize("kind", ["letters", "daggers", "all columns"])
def test_latex_compiles_whatever_the_names(kind, tmp_path, capsys):
    found = leaderboard(toy(), ["AP", "RR"])
    if kind == "letters":
        table = paper_of_runs(found, "latex", "2 topics", TEST_NAMES["holm"])
    elif kind == "daggers":
        table = paper_table(found.assign(mark="†"), "latex", f"Of {' '.join(NAMES)}")
    else:
        print_table(found.drop(columns="better than").rename(columns={"mean": NAMES[3]}), "latex")
        table = capsys.readouterr().out
    lines = table.splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == 2 * len(NAMES)  # of means and of intervals, or a row a mean of two measures
    columns = len(re.search(r"\{tabular\}\{(l+)\}", table)[1])
    for line in [lines[lines.index(r"\toprule") + 1], *body]:
        assert line.endswith(r" \\") and len(re.findall(r"(?<!\\)&", line)) == columns - 1
        assert not line.startswith(("[", "*"))
    bare = re.sub(r"\\[&%$#_{}]", "", table.split("\n", 1)[1])
    assert not re.search(r"[%#$~^<>|]|--", bare) and bare.count("{") == bare.count("}")
    if shutil.which("pdflatex"):
        text = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{table}"
        (tmp_path / "x.tex").write_text(rf"{text}\end{{document}}", encoding="utf-8")
        words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]


def test_markdown_is_no_html_whatever_the_names():
    table = paper_of_runs(leaderboard(toy(), ["AP"]), "markdown", "2 topics", TEST_NAMES["holm"])
    assert "<script>" not in table and len(rows_of(table)) == 2 + len(NAMES)
    read = {re.sub(r"\\(.)", r"\1", html.unescape(row[1])) for row in rows_of(table)[2:]}
    assert read == set(NAMES)


def test_what_counts_has_units_and_what_has_no_merit_is_not_bold():
    table = paper_table(
        means_with_intervals(toy(), ["NumRet", "RR"]).assign(mark=""), "markdown", ""
    )
    head, _, *rows = rows_of(table)
    assert head[1:] == ["NumRet (documents)", "RR"]
    assert not any("**" in row[1] for row in rows) and sum("**" in row[2] for row in rows) == 3
