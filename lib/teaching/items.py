"""Items by seed: for each goal of the five sessions a question that is drawn anew for each seed.

The pages' practice, quizzes and exams are made from these and from nothing else.  The words are in
``items.yml``, the numbers in ``draws.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml  # type: ignore[import-untyped]

from lib.errors import InputError
from lib.teaching.draws import MAKERS, Written
from lib.teaching.exercises import Exercise
from lib.teaching.replies import same

READY = tuple(f"page {number}" for number in range(10))  # seeds of what the pages show


@dataclass(frozen=True)
class Item:
    """A question with its answer, the way to it, and what is said to known mistakes."""

    question: str  # Markdown, like the solution
    exercise: Exercise
    solution: str
    choices: Sequence[str]  # what the words of an answer are chosen from


@cache
def texts() -> dict[str, dict[str, Any]]:
    """Return the words of the items, by the numbers of session and goal."""
    return yaml.safe_load(Path(__file__).with_name("items.yml").read_text(encoding="utf-8"))


@cache
def item(number: str, seed: str) -> Item:
    """Return the item of a goal for a seed, the same one each time.

    Examples
    --------
    >>> item("5.2", "a word").question == item("5.2", "a word").question
    True
    """
    words = texts()[number]
    shown, right, mistakes = MAKERS[number](Random(f"{number} {seed}"))
    right, within = _plain(right), words.get("within", 0.0005)
    wrong = [
        {"answer": _plain(answer), "say": words["mistakes"][name]}
        for name, answer in mistakes.items()  # one that is none with these numbers is left out
        if any(not same(answer[key], right[key], 2 * within) for key in answer)
    ]
    filled = _written({**shown, "right": _written(right)})
    return Item(
        words["question"].format(**filled),
        Exercise(right, wrong, within=within),
        words["solution"].format(**filled),
        words.get("choices", ()),
    )


def exam_items(seed: str, sessions: Sequence[int]) -> dict[str, Item]:
    """Return an item for each goal of some sessions, none of which a page shows."""
    if not seed.strip() or seed.strip().casefold() in READY:
        raise InputError("this seed is none for an exam: take a word that nobody guesses")
    found = {}
    for number in (goal for goal in MAKERS if int(goal[0]) in sessions):
        shown = {item(number, ready).question for ready in READY}
        tries = (item(number, f"exam {seed} {again}") for again in range(100))
        found[number] = next(one for one in tries if one.question not in shown)
    return found


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: round(float(value), 6) if isinstance(value, float) else value
        for key, value in values.items()
    }


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: Written(v) if isinstance(v, float) else v for k, v in values.items()}
