"""Every exercise: its solution is right, the typical wrong answers are not.

A chapter's exercise is a cell with a label, a hint, a cell tagged ``solution`` and one tagged
``check``.
"""

import ast
import re

import nbformat
import pytest
from cells import code_cells, names, needed

from lib.paths import ROOT
from lib.teaching.exercises import LESSONS, examine, exercises, lesson
from lib.teaching.questions import self_check

LEVELS = ("Recall", "Code", "Investigate")
# The chapters that have exercises of this kind.
TAUGHT = {
    "00-foundations": "foundations",
    "01-precision-at-ten": "webber2008",
    "02-measure-correlations": "thom2007",
    "03-blind-feedback": "tomlinson2006",
    "04-pooling-depth": "webber2010",
    "05-elsewhere": "elsewhere",
    "06-spending-judgements": "spending",
}


def tagged(cells, tag):
    return [i for i, cell in enumerate(cells) if tag in cell.metadata.get("tags", [])]


def checked():
    """Yield (chapter, label, number of the check's cell)."""
    for chapter in TAUGHT:
        cells = code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
        for i in tagged(cells, "check"):
            yield chapter, re.match(r'check\("([a-z0-9-]+)"', cells[i].source)[1], i


EXERCISES = list(checked())


def test_a_variable_of_a_loop_inside_is_not_what_a_cell_needs():
    """Else a cell that calls its own by the same name would be run too, however long it takes."""
    source = "def f(a):\n    b = a + c\n    return b\nd = {k: f(x) for x in x for k in e}"
    assert names(source, ast.Load) == {"c", "e", "f", "x"}
    assert names(source, ast.Store) == {"d", "f"}


@pytest.mark.long  # and with each chapter, whose outputs have the ticks
@pytest.mark.parametrize(
    ("chapter", "label", "at"), EXERCISES, ids=[label for _, label, _ in EXERCISES]
)
def test_the_solution_which_computes_from_the_data_is_right(chapter, label, at):
    """So what a lesson calls right is what the data says."""
    cells = code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
    assert tagged(cells, "solution").count(at - 1) == 1, "a solution stands right before its check"
    space = {}
    for source in needed(cells, at):
        exec(source, space)
    assert eval(cells[at].source, space).right


def given(exercise, answer):
    """Return what a reader would hand in who had this answer: a function for what it returns."""
    values = iter(answer) if exercise.arguments else None
    return (lambda *arguments: next(values)) if exercise.arguments else answer


@pytest.mark.parametrize("label", exercises())
def test_a_typical_wrong_answer_is_told_why(label):
    exercise = exercises()[label]
    assert exercise.wrong
    for wrong in exercise.wrong:
        verdict = examine(given(exercise, wrong["answer"]), exercise)
        assert not verdict.right
        assert verdict.said == wrong["say"]
    assert examine(given(exercise, exercise.right), exercise).right


def test_every_check_is_that_of_an_exercise():
    labels = [label for _, label, _ in EXERCISES]
    assert labels == [label for name in TAUGHT.values() for label in lesson(name)["exercises"]]
    assert {file.stem for file in LESSONS.glob("*")} == set(TAUGHT.values())


@pytest.mark.parametrize("chapter", TAUGHT)
def test_exercises_have_levels_and_hints_before_solutions(chapter):
    cells = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    _, *parts = re.split(r"^:::\{exercise\}$", text, flags=re.MULTILINE)
    assert len(parts) >= 6
    levels = re.split(r"^### (Recall|Code|Investigate)$", text, flags=re.MULTILINE)[1:]
    assert tuple(levels[::2]) == LEVELS
    counts = [level.count(":::{exercise}") for level in levels[1::2]]
    assert min(counts) >= 1 and sum(counts[1:]) >= counts[0], "at least half need code or data"
    for part in parts:
        label = re.search(r":label: (\S+)", part)[1]
        (call,) = (cell.source for cell in cells if f'check("{label}"' in cell.source[:60])
        assert f"Check it with `{call}`." in part.partition(":::")[0]
        hint, solution = part.index("{dropdown} Hint"), part.index(f"{{solution-start}} {label}")
        assert hint < solution < part.index("{solution-end}")
    assert text.count("Your own data:") >= 1
    assert text.count("An open question.") >= 1


# Self-checks


@pytest.mark.parametrize("name", TAUGHT.values())
def test_a_self_check_has_five_questions_with_an_answer_to_each_choice(name):
    questions = lesson(name)["questions"]
    assert len(questions) == 5
    places = set()
    for asked in questions:
        assert len(asked["choices"]) >= 3
        (right,) = (i for i, each in enumerate(asked["choices"]) if each.get("right"))
        assert len({each["say"].strip() for each in asked["choices"]}) == len(asked["choices"])
        assert all(each["say"].strip() for each in asked["choices"])
        places.add(right)
    assert len(places) >= 2, "the right choice always stands in one place"
    html = self_check(name)._repr_html_()
    identifiers = re.findall(r'id="([^"]+)"', html)
    assert len(set(identifiers)) == len(identifiers)
    assert len(identifiers) == 5 + sum(len(asked["choices"]) for asked in questions)
    assert "<script" not in html


@pytest.mark.parametrize("name", TAUGHT.values())
def test_a_lesson_has_no_key_that_nobody_reads(name):
    assert set(lesson(name)) == {"exercises", "questions"}
    for asked in lesson(name)["questions"]:
        assert set(asked) == {"question", "choices"}
        assert all(
            {"choice", "say"} <= set(e) <= {"choice", "say", "right"} for e in asked["choices"]
        )
    wrong = [w for e in lesson(name)["exercises"].values() for w in e["wrong"]]
    assert all(set(w) == {"answer", "say"} for w in wrong)
