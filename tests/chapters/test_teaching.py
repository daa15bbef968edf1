"""Checks, blanks and questions: what they take, and what they refuse."""

import ast
import re
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from cells import code_cells
from hypothesis import given
from hypothesis import strategies as st

from book.teaching.editions import without_answer
from book.teaching.myst import Book
from chapters.exercises import check, checks
from chapters.exercises.checks import Exercise, SelfCheck, examine
from chapters.times import EXERCISES, reading, running, times
from lib.paths import ROOT

CHAPTERS = Book().chapters

VALUE = Exercise(0.25, [{"answer": 4.0, "say": "upside down"}])
TABLE = Exercise({"a": 1, "b": [0.5, 0.25]}, [])
ROWS = Exercise([[1, 3], [2, 4]], [])
ORDER = Exercise([2, 3, 4], [])
TRUTH = Exercise(True, [])
WORDED = Exercise({"RR": "1", "AP": "2"}, [])
TWICE = Exercise([4, 6], [{"answer": [4, 9], "say": "a square"}], arguments=[(2,), (3,)])

RETURNED = st.sampled_from([4, 5, 6, 9, 4.001, "for", [4, 4]])

ACCEPTED = [  # test_ticks.py has the forms in which any answer is right
    (VALUE, 0.2504),  # to three decimals
    (TABLE, {"a": np.array(1), "b": [0.5, np.array(0.25)]}),
    (ROWS, pd.DataFrame({"a": [1, 2], "b": [3, 4]})),
    (TRUTH, np.True_),
    (WORDED, {"RR": 1, "AP": 2.0}),
    (VALUE, "P@4 = 1/4."),
    (VALUE, "P@4: 0.25"),
    (ORDER, "2 – 3 – 4"),
]


@pytest.mark.parametrize(("of", "answer"), ACCEPTED)
def test_a_right_answer_in_another_form_is_right(of, answer):
    assert examine(answer, of).right


REFUSED = [
    (VALUE, 0.2511, "Not right yet"),
    (VALUE, 4, "upside down"),
    (VALUE, "0.35", "Not right yet"),
    (VALUE, "a quarter", "cannot read this as a number"),
    (VALUE, lambda: 0.25, "must be a value"),
    (VALUE, ..., "no answer yet"),
    (VALUE, float("nan"), "Not a number"),
    (Exercise(0.333333, []), 0.33, "Right so far, but give three decimals."),
    (Exercise(0.333333, [], within=0.00005), 0.333, "Right so far, but give four decimals."),
    (TABLE, {"a": 1}, "Right: a. Missing: b."),
    (TABLE, {"a": 1, "b": [0.5, 25], "c": 2}, "Right: a. As a share, please, not in percent: b."),
    (TABLE, [1, [0.5, 0.25]], "must be a dict with the keys 'a', 'b'"),
    (TABLE, {"a": ..., "b": [...]}, "no answer yet"),
    (TABLE, {"a": 1, "b": [0.5]}, "Right: a. Not right yet: b."),
    (TRUTH, 1, "Not right yet"),
    (TWICE, 4, "must be a function"),
    (TWICE, lambda x: None, "no answer yet"),
    (TWICE, print, "hand its value back with `return`"),
    (TWICE, lambda x: x * x, "a square On 3 it gives 9; 6 is right."),
    (TWICE, lambda x: x * x if x > 2 else x / 0, "a square On 2 it stops (ZeroDivisionError"),
    (TWICE, lambda: 4, "On 2 it stops (TypeError"),
    (TWICE, lambda x: sys.exit(), "On 2 it stops (SystemExit"),
    (TWICE, lambda x: (y for y in "ab"), "On 2 it stops (it gives an iterator"),
    (TWICE, lambda x: [0] * 20_000, "On 2 it stops (it gives 20,000 values"),
    (TWICE, lambda x: endless(), "On 2 it stops (it was still running"),
    (VALUE, iter([1]), "That is an iterator"),
]


def endless():
    while True:
        pass


@pytest.mark.parametrize(("of", "answer", "why"), REFUSED)
def test_a_wrong_answer_is_told_why(of, answer, why, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    verdict = examine(answer, of)
    assert not verdict.right and why in verdict.message


@given(st.tuples(RETURNED, RETURNED))
def test_of_a_wrong_function_the_first_call_on_which_it_fails_is_shown(pair):
    said = examine(dict(zip((2, 3), pair)).get, TWICE).message
    failed = [f"On {x} " for x, one, right in zip((2, 3), pair, TWICE.right) if one != right]
    assert [word for word in ("On 2 ", "On 3 ") if word in said] == failed[:1]


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="no exercise 'foundations-exercise-none'"):
        check("foundations-exercise-none", 1)


@pytest.mark.parametrize(
    ("solution", "given"),
    [
        ("x = 1 / 3", "x = ..."),
        ("import math\ny = 2\nx = math.pi * y", "import math\nx = ..."),
        ("x = {k: 1 for k in 'ab'}", "x = ..."),
        ("x = {'a': 1, 'b': 2}", "x = {'a': ..., 'b': ...}"),
        (
            'def f(x, *, k):\n    """Return k."""\n    return k',
            'def f(x, *, k):\n    """Return k."""\n    ...',
        ),
    ],
)
def test_a_blank_keeps_the_names_and_no_answer(solution, given):
    assert without_answer(solution) == given


def test_a_solution_without_an_answer_has_no_blank():
    with pytest.raises(ValueError, match="end with an assignment or a function"):
        without_answer("print(1)")


def test_a_self_check_says_which_choice_is_right_and_escapes_its_texts():
    choices = [{"choice": "a & c", "say": "A <b>."}, {"choice": "b", "say": "B.", "right": True}]
    asked = SelfCheck("x", [{"question": "p < .05?", "choices": choices}])
    page = BeautifulSoup(asked._repr_html_(), "html.parser")
    assert page.li["id"] == "self-check-x-1" and page.li.p.get_text() == "p < .05?"
    choices = page.select("details")
    assert [c["id"] for c in choices] == ["self-check-x-1-a", "self-check-x-1-b"]
    assert {c["name"] for c in choices} == {"self-check-x-1"}
    assert [c.summary.get_text() for c in choices] == ["a & c", "b"]
    assert [c.p.get_text() for c in choices] == ["No. A <b>.", "Right. B."]


# How long chapters take


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_says_the_times_of_the_files(chapter):
    outputs = [o for cell in code_cells(chapter) for o in cell.outputs]
    said = {
        output.metadata["scrapbook"]["name"]: ast.literal_eval(
            output.data["application/papermill.record/text/plain"]
        )
        for output in outputs
        if output.get("metadata", {}).get("scrapbook", {}).get("name", "").startswith("time-")
    }
    assert said == times(chapter.stem), "run `make notebooks` once more"


def counted(chapter):
    """Return how much there is in a chapter, as the page for lecturers has it."""
    cells = nbformat.read(chapter, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = [cell for cell in cells if cell.cell_type == "code"]
    parts = re.split(rf"^### ({'|'.join(EXERCISES)})$", text, flags=re.MULTILINE)
    by_level = dict(zip(parts[1::2], parts[2::2]))
    asked = [str(output) for cell in code for output in cell.outputs if "self_check" in cell.source]
    return [
        reading(chapter),
        running(chapter.stem),
        sum(bool(re.search(r"\b(?:explore|(?:place_)?control)[(,]", cell.source)) for cell in code),
        *(by_level[level].count(":::{exercise}") for level in EXERCISES),
        len(re.findall(r'<li id="self-check-', "".join(asked))),
    ]


def test_the_page_for_lecturers_has_the_chapters_and_their_decks_as_they_are():
    page = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
    rows = []
    for chapter in CHAPTERS:
        first = nbformat.read(chapter, as_version=4).cells[0].source
        label, title = re.match(r"\(([a-z-]+)\)=\n# (.*)", first).groups()
        number = int(chapter.stem[:2])
        title = f"{number}. {title}" if number else title
        rows.append(counted(chapter))
        line = " | ".join([f"{{ref}}`{title} <{label}>`", *map(str, rows[-1])])
        assert f"| {line} |" in page, f"book/teaching.md should have | {line} |"
        assert f'- <a href="../slides/{chapter.stem}.html">{title}</a>\n' in page
    assert f"| all | {' | '.join(str(sum(column)) for column in zip(*rows))} |" in page
