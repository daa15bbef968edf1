"""Every exercise: its solution is right; the blank and the typical wrong answers are not.

A chapter's exercise is a cell with a label, a hint, a cell tagged ``solution`` and one tagged
``check``.
"""

import ast
import re

import nbformat
import pytest
from cells import code_cells, names, needed

from lib.paths import ROOT
from lib.teaching.checks import examine
from lib.teaching.editions import blank
from lib.teaching.lessons import CHECKS, QUESTIONS, self_check

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


def exercises():
    """Yield (chapter, label, number of the check's cell)."""
    for chapter in TAUGHT:
        cells = code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
        for i in tagged(cells, "check"):
            yield chapter, re.match(r'check\("([a-z0-9-]+)"', cells[i].source)[1], i


EXERCISES = list(exercises())
each = pytest.mark.parametrize(
    ("chapter", "label", "at"), EXERCISES, ids=[label for _, label, _ in EXERCISES]
)


def said(chapter, at, *, blanked):
    """Run what a check needs, and the check; return the verdict.

    Parameters
    ----------
    blanked : bool
        Take the blank in the place of the solution.
    """
    cells = code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
    solution = tagged(cells, "solution")
    assert solution.count(at - 1) == 1, "a solution stands right before its check"
    if blanked:
        cells[at - 1].source = blank(cells[at - 1].source)
    space = {}
    for source in needed(cells, at):
        exec(source, space)
    return eval(cells[at].source, space)


def test_a_variable_of_a_loop_inside_is_not_what_a_cell_needs():
    """Else a cell that calls its own by the same name would be run too, however long it takes."""
    source = "def f(a):\n    b = a + c\n    return b\nd = {k: f(x) for x in x for k in e}"
    assert names(source, ast.Load) == {"c", "e", "f", "x"}
    assert names(source, ast.Store) == {"d", "f"}


@each
def test_the_solution_is_right(chapter, label, at):
    assert said(chapter, at, blanked=False).right


@each
def test_the_blank_is_not(chapter, label, at):
    verdict = said(chapter, at, blanked=True)
    assert not verdict.right
    assert verdict.said == "There is no answer yet."


@each
def test_a_typical_wrong_answer_is_told_why(chapter, label, at):
    check = CHECKS[label]()
    assert check.wrong
    for why, answer in check.wrong.items():
        verdict = examine(answer, check)
        assert not verdict.right
        assert verdict.said == why
    assert examine(check.right, check).right


def test_every_check_is_that_of_an_exercise():
    assert [label for _, label, _ in EXERCISES] == list(CHECKS)


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
    questions = QUESTIONS[name]
    assert len(questions) == 5
    for question in questions:
        assert question.right in question.choices and len(question.choices) >= 3
        assert len(set(question.choices.values())) == len(question.choices)
    html = self_check(name)._repr_html_()
    identifiers = re.findall(r'id="([^"]+)"', html)
    assert len(set(identifiers)) == len(identifiers) == 5 + sum(len(q.choices) for q in questions)
    assert "<script" not in html


@pytest.mark.parametrize("name", TAUGHT.values())
def test_the_right_choice_does_not_always_stand_in_one_place(name):
    places = [list(question.choices).index(question.right) for question in QUESTIONS[name]]
    assert len(set(places)) >= 2
