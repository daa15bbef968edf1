"""Exercises and questions: wrong answers are told why; nbval runs the solutions and checks."""

import re
from collections import Counter
from functools import partial

import nbformat
import numpy as np
import pytest

from lib.paths import ROOT
from lib.teaching.exercises import LESSONS, examine, exercises, lesson, self_check
from lib.teaching.myst import Book

TAUGHT = {}  # chapter to the lesson that it shows the questions of
for path in Book().chapters:
    (name,) = re.findall(r"self_check\(\\?\"(\w+)", path.read_text(encoding="utf-8"))
    TAUGHT[path.stem] = name


def given(exercise, answer):
    """Return what a reader would hand in who had this answer: a function for what it returns."""
    values = iter(answer) if exercise.arguments else None
    return (lambda *arguments: next(values)) if exercise.arguments else answer


@pytest.mark.parametrize("label", exercises())
def test_a_typical_wrong_answer_is_told_why(label):
    exercise = exercises()[label]
    assert exercise.wrong
    for wrong in exercise.wrong:
        assert set(wrong) == {"answer", "say"}
        verdict = examine(given(exercise, wrong["answer"]), exercise)
        assert not verdict.right and verdict.said.startswith(wrong["say"])
    assert examine(given(exercise, exercise.right), exercise).right


def each(change, answer):
    """Return an answer with another value in the place of each."""
    if isinstance(answer, dict):
        return {key: each(change, value) for key, value in answer.items()}
    return [each(change, one) for one in answer] if isinstance(answer, list) else change(answer)


def slipped(slip, value):
    """Return what is wrong with a slip: another number, or another text."""
    return value + str(SLIPS.index(slip)) if isinstance(value, str) else slip(value)


# What students do to a number that is right.
SLIPS = [lambda x: 100 * x, lambda x: -x, lambda x: 1 - x, lambda x: x + 1, lambda x: x / 2 + 2]
FORMS = [lambda x: x, np.array, lambda x: round(x, 4) if isinstance(x, float) else x]


@pytest.mark.parametrize("label", [name for name, one in exercises().items() if not one.holds])
def test_an_answer_is_right_in_each_form_and_wrong_with_each_slip(label):
    exercise = exercises()[label]
    for form in FORMS:
        assert examine(given(exercise, each(form, exercise.right)), exercise).right
    slips = [each(partial(slipped, slip), exercise.right) for slip in SLIPS]
    wrong = {str(one): one for one in [*(one["answer"] for one in exercise.wrong), *slips]}
    said = [examine(given(exercise, answer), exercise) for answer in wrong.values()]
    assert len(wrong) >= 5 and not any(one.right for one in said)
    if exercise.arguments:
        assert len({one.said for one in said}) == len(wrong)


@pytest.mark.parametrize("chapter", TAUGHT)
def test_every_exercise_has_its_hint_solution_and_check_in_this_order(chapter):
    cells = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4).cells
    text = "\n".join(cell.source for cell in cells)
    for label in lesson(TAUGHT[chapter])["exercises"]:
        start = 0
        for part in (
            f":label: {label}\n",
            "{dropdown} A first step",
            f"{{solution-start}} {label}\n",
            f'\ncheck("{label}"',
        ):
            start = text.find(part, start)
            assert start >= 0, f"{label}: no {part.strip()} where it should stand"
    assert text.count("{exercise}") == len(lesson(TAUGHT[chapter])["exercises"])


def test_every_lesson_is_that_of_a_chapter():
    assert {file.stem for file in LESSONS.glob("*")} == set(TAUGHT.values())


# Self-checks


@pytest.mark.parametrize("name", TAUGHT.values())
def test_each_question_has_one_right_choice_and_an_answer_to_each(name):
    assert set(lesson(name)) == {"exercises", "questions"}
    for asked in lesson(name)["questions"]:
        assert set(asked) == {"question", "choices"} and len(asked["choices"]) >= 3
        assert sum(each.get("right", False) for each in asked["choices"]) == 1
        for each in asked["choices"]:
            assert {"choice", "say"} <= set(each) <= {"choice", "say", "right"}
            assert each["say"].strip()
    identifiers = re.findall(r'id="([^"]+)"', self_check(name)._repr_html_())
    choices = sum(len(asked["choices"]) for asked in lesson(name)["questions"])
    assert len(set(identifiers)) == len(lesson(name)["questions"]) + choices


def test_neither_length_nor_place_gives_the_right_choice_away():
    places, longer = Counter(), Counter()
    for asked in (asked for name in TAUGHT.values() for asked in lesson(name)["questions"]):
        choices = asked["choices"]
        right = [each.get("right", False) for each in choices].index(True)
        places[right] += 1
        longer[sum(len(one["choice"]) > len(choices[right]["choice"]) for one in choices)] += 1
    assert longer[0] <= places.total() / 3
    assert max(*places.values(), *longer.values()) <= 0.45 * places.total()
