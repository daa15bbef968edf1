"""A reader's own functions: kept when they are right, once each, and used again later."""

import re
import runpy
from textwrap import dedent

import pytest
from cells import code_cells

from book.teaching.myst import Book
from chapters.exercises import check, my
from chapters.exercises.checks import exercises
from lib.paths import ROOT

AP, NDCG = "foundations-exercise-ap", "foundations-exercise-ndcg"
KEPT = {one.keep: label for label, one in exercises().items() if one.keep}


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """An empty folder, and a reader at work there: gives what the cells of a notebook define."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEASURES_STATIC")

    def run(source, name="notebook.py"):
        (tmp_path / name).write_text(dedent(source), encoding="utf-8")
        return runpy.run_path(str(tmp_path / name), run_name="__main__")

    return run


PLAIN = """
def average_precision(grades, relevant):
    found = total = 0
    for rank, grade in enumerate(grades, 1):
        if grade:
            found += 1
            total += found / rank
    return total / relevant
"""
WITH_ALL = """
import numpy as np
from functools import cache
from itertools import accumulate as running

NOTHING, WORD = 0.0, "average"

def twice(of):
    return lambda *given: of(*given)

def hits(grades, so_far=NOTHING):
    return [so_far + n for n in running(int(bool(grade)) for grade in grades)]

@twice
@cache
def unused(x):
    return unused(x - 1) if x else 0

def mean_precision(grades, relevant):
    count = hits(grades)
    ranks = 1 + np.arange(len(grades))
    return sum((count / ranks)[np.array(grades) > 0]) / relevant

average_precision = mean_precision
"""


def lines(text):
    return [line for line in text.splitlines() if line.strip()]


def test_a_right_function_is_kept_with_what_it_uses_and_once(at_home, tmp_path):
    function = at_home(WITH_ALL)["average_precision"]
    assert str(check(AP, function)) == "✓ Right. Kept as `average_precision` in mine.py."
    text = (tmp_path / "mine.py").read_text("utf-8")
    assert "import numpy as np" in text and "NOTHING = 0.0" in text
    assert "def unused" not in text and "WORD" not in text and "check(" not in text
    assert my("average_precision")([0, 1, 2], 4) == pytest.approx((1 / 2 + 2 / 3) / 4)
    check(AP, function)
    assert (tmp_path / "mine.py").read_text("utf-8") == text
    # Another one takes its place; what the reader wrote there stays.
    with (tmp_path / "mine.py").open("a", encoding="utf-8") as file:
        file.write("\n\nMINE = 1  # my own line\n")
    assert check(AP, at_home(PLAIN, "later.py")["average_precision"]).right
    text = (tmp_path / "mine.py").read_text("utf-8")
    assert text.count("average_precision") == 1 and "MINE = 1  # my own line" in text
    assert my("average_precision")([1], 1) == 1
    compile(text, "mine.py", "exec")


NDCG_RIGHT = """
import math

def hits(grades):
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))

def ndcg(grades, judged):
    return hits(grades) / hits(sorted(judged, reverse=True))
"""
UNKEPT = {
    "a helper that another one needs otherwise": (NDCG, "ndcg", NDCG_RIGHT),
    "a lambda": (AP, "ap", "ap = (lambda one: lambda *given: one(*given))(average_precision)"),
    "a value that no line can give": (
        AP,
        "ap",
        """
        known = {1: average_precision}
        def ap(grades, relevant):
            return known[1](grades, relevant)
        """,
    ),
}


@pytest.mark.parametrize("case", UNKEPT)
def test_what_would_not_be_right_on_its_own_is_not_kept(at_home, tmp_path, case):
    check(AP, at_home(WITH_ALL)["average_precision"])
    text = (tmp_path / "mine.py").read_text("utf-8")
    label, name, source = UNKEPT[case]
    verdict = check(label, at_home(PLAIN + dedent(source), "later.py")[name])
    assert verdict.right and "Not kept" in verdict.message
    assert (tmp_path / "mine.py").read_text("utf-8") == text


def test_a_wrong_function_is_not_kept_nor_one_of_no_notebook(at_home, tmp_path):
    wrong = at_home(PLAIN.replace("total / relevant", "total"))["average_precision"]
    assert not check(AP, wrong).right
    assert str(check(AP, exercises()[AP].drawn.right)) == "✓ Right."
    assert not (tmp_path / "mine.py").exists()


@pytest.mark.parametrize("text", [None, "def ndcg(", "1 / 0"])
def test_where_no_own_function_is_the_book_lends_one_and_says_what_to_do(
    at_home, tmp_path, capsys, text
):
    if text:
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    for name, label in KEPT.items():
        assert check(label, my(name), seed=1).right
        said = capsys.readouterr().out
        assert f"has no {name}" in said and f"when {label} is right" in said
        assert ("Error" in said) == bool(text)
    if text:
        assert "Not kept in mine.py (" in check(AP, at_home(PLAIN)["average_precision"]).message
        assert (tmp_path / "mine.py").read_text("utf-8") == text


def test_a_name_that_is_not_kept_is_told():
    with pytest.raises(ValueError, match="no function 'recall' is kept; there are average_prec"):
        my("recall")


def test_each_kept_function_is_defined_by_its_exercise_and_used_later():
    solved = {}  # label to the source of its solution, in the order of the book
    for path in Book().chapters:
        cells = list(code_cells(path))
        for one, other in zip(cells, cells[1:]):
            if found := re.match(r'check\("([\w-]+)"', other.source):
                solved[found[1]] = one.source
    page = (ROOT / "book" / "competition.md").read_text("utf-8")
    for name, label in KEPT.items():
        assert f"def {name}(" in solved[label]
        later = list(solved)[list(solved).index(label) + 1 :]
        used = sum(f'my("{name}")' in solved[one] for one in later)
        assert used + page.count(f'my("{name}")') > 0, name
    assert sum("my(" in source for source in solved.values()) >= 3
