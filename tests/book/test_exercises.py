"""Exercises and questions: wrong answers are told why; nbval runs the solutions and checks."""

import re
from collections import Counter
from dataclasses import replace

import nbformat
import numpy as np
import pytest
from scipy.stats import binomtest, kendalltau

from book.teaching.myst import Book
from chapters.exercises import open_answers
from chapters.exercises.checks import LESSONS, examine, exercises, lesson, self_check
from chapters.exercises.drawn_calls import DRAWN
from lib import load, means
from lib.paths import ROOT

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
    exercise = replace(exercises()[label], drawn=None)  # what is handed in knows the listed calls
    assert exercise.wrong
    for wrong in exercise.wrong:
        assert set(wrong) == {"answer", "say"}
        verdict = examine(given(exercise, wrong["answer"]), exercise)
        assert not verdict.right and wrong["say"] in verdict.message
    assert examine(given(exercise, exercise.right), exercise).right


COST = load("trec8").pools.query("depth == 100")["all"].sum()  # of all 50 topics
TAU = kendalltau(*means(load("trec8"), ["P@10", "AP"]).to_numpy().T).statistic


def of_pairs(systems, pairs, margin):
    return {"systems": systems, "pairs": pairs, "margin": margin}


BOUNDS = {  # answers: one within, one beyond, and what is said to that
    "persistence": (
        ({"read": 20, "p": 0.9521}, {"read": 20, "p": 0.9455}, "hint"),
        ({"read": 1, "p": 0.004}, {"read": 1, "p": 0.006}, "hint"),
        ({"read": 2, "p": 0.5}, {"read": 3, "p": 0.3333}, "the chance to stop"),
        ({"read": 200, "p": 0.9951}, {"read": 200, "p": 0.9954}, "hint"),
        ({"read": 8, "p": 0.879}, {"read": 8, "p": 1}, "never stops"),
    ),
    "margin": (
        (of_pairs(30, 5, 0.0232), of_pairs(30, 5, 0.0233), "hint"),
        (of_pairs(4, 6, 2), of_pairs(4, 7, 2.3), "do not have as many pairs"),
        (of_pairs(9, 1, 1 / 18), of_pairs(9, 1, 0.0279), "share of the pairs"),
        (of_pairs(9, 1, 0.056), of_pairs(9, 0, 0), "hint"),
    ),
    "likeness": (
        ({"measure": "P@10", "collection": "trec8", "tau": TAU + 0.0049},
         {"measure": "P@10", "collection": "trec8", "tau": TAU + 0.0051}, "hint"),
    ),
    "affordable": (
        ({"judgements": COST + 1, "topics": 50, "pool": 100},
         {"judgements": COST - 1, "topics": 50, "pool": 100}, f"takes {COST:,.0f} judgements"),
        ({"judgements": COST, "topics": 2, "pool": 100},
         {"judgements": COST, "topics": 2, "pool": 101}, "100 at most"),
        ({"judgements": COST, "topics": 2, "pool": 1}, {"judgements": COST, "topics": 1, "pool": 1},
         "One topic"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_an_open_answer_is_right_up_to_a_bound(name):
    assert name in {one.holds for one in exercises().values()}
    for within, beyond, said in BOUNDS[name]:
        assert getattr(open_answers, name)(within) == ""
        assert said in getattr(open_answers, name)(beyond)


def test_calls_that_are_drawn_can_be():
    """No more documents are found than are relevant, ranked ones are judged, p is no bar."""
    for seed in range(300):
        name, rng = "foundations-exercise-", np.random.default_rng(seed)
        calls = {label.removeprefix(name): one.draw(rng) for label, one in DRAWN.items()}
        grades, relevant = calls["ap"]
        assert np.count_nonzero(grades) < relevant and {*grades} <= {0, 1, 2} and grades
        hits = [rank for rank, grade in enumerate(grades, 1) if grade]
        ap = sum(found / rank for found, rank in enumerate(hits, 1)) / relevant
        assert DRAWN[f"{name}ap"].right(grades, relevant) == pytest.approx(ap)
        ranked, judged = calls["ndcg"]
        assert not Counter(x for x in ranked if x) - Counter(judged) and max(judged) in (2, 3)
        ranked, judged, k = calls["bounds"]
        assert len({*ranked}) == len(ranked) > 0 and {*judged.values()} <= {0, 1, 2} and k > 0
        known = [judged.get(one) for one in ranked[:k]]
        least = sum(one in (1, 2) for one in known)
        ends = [least / k, (least + known.count(None)) / k]
        assert DRAWN[f"{name}bounds"].right(ranked, judged, k) == pytest.approx(ends)
        p, alpha = calls["holm"]
        assert all(0 < one <= 0.06 for one in p) and alpha in (0.01, 0.1, 0.2)
        assert all(abs(one - alpha / m) > 1e-9 for one in p for m in range(1, len(p) + 1))
        (differences,) = calls["interval"]
        assert len(differences) >= 3 and max(map(abs, differences)) <= 0.5 < 1
        *tables, sets = calls["webber2008-exercise-power"]
        for one, other in sets:
            assert not {*one} & {*other} and {*one, *other} <= {*range(6)} and one and other
        scores = [one for table in tables for run in "ABCD" for one in table[run]]
        assert len(scores) == 48 and 0 <= min(scores) < max(scores) <= 1


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
    assert set(lesson(name)) - {"goals"} == {"exercises", "questions"}
    for asked in lesson(name)["questions"]:
        assert set(asked) == {"goal", "question", "choices"} and len(asked["choices"]) >= 3
        assert sum(each.get("right", False) for each in asked["choices"]) == 1
        for each in asked["choices"]:
            assert {"choice", "say"} <= set(each) <= {"choice", "say", "right"}
            assert each["say"].strip()
    identifiers = re.findall(r'id="([^"]+)"', self_check(name)._repr_html_())
    choices = sum(len(asked["choices"]) for asked in lesson(name)["questions"])
    assert len(set(identifiers)) == len(lesson(name)["questions"]) + choices


def test_neither_length_nor_place_gives_the_right_choice_away():
    asked = [one["choices"] for name in TAUGHT.values() for one in self_check(name).questions]
    places, longest, shortest = Counter(), 0, 0
    for choices in asked:
        right = [each.get("right", False) for each in choices].index(True)
        lengths = [len(each["choice"]) for each in choices]
        places[right] += 1
        longest += lengths[right] == max(lengths)
        shortest += lengths[right] == min(lengths)
    by_chance = sum(1 / len(choices) for choices in asked) / len(asked)
    for found in (*(places[i] for i in range(3)), longest, shortest):
        assert binomtest(found, len(asked), by_chance).pvalue > 0.05
