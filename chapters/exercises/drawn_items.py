"""Items by seed: for each goal of the five sessions a question that is drawn anew for each seed.

The pages' practice, quizzes, exams and a course's homework are made from these.  The words are in
``drawn_items.yml``, the numbers in ``drawn_numbers.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import yaml  # type: ignore[import-untyped]

from chapters.exercises.answers import WORDS, same
from chapters.exercises.checks import LESSONS, Exercise, self_check
from chapters.exercises.drawn_numbers import MAKERS, Written
from lib.errors import InputError

READY = tuple(f"page {number}" for number in range(10))  # seeds of what the pages show


@dataclass(frozen=True)
class Item:
    """A question with its answer, the way to it, and what is said to known mistakes."""

    question: str  # Markdown, like the solution
    exercise: Exercise
    solution: str
    choices: Sequence[str]  # what the words of an answer are chosen from
    minutes: int = 5  # on paper


@cache
def texts() -> dict[str, dict[str, Any]]:
    """Return the words of the items, by the numbers of session and goal."""
    found = yaml.safe_load(Path(__file__).with_name("drawn_items.yml").read_text(encoding="utf-8"))
    for number, key in product(MAKERS, ("goal", "question", "solution", "mistakes")):
        if not found.get(number, {}).get(key):
            raise InputError(f"drawn_items.yml: {number} has no `{key}`: write it there")
    return found


@cache
def item(number: str, seed: str) -> Item:
    """Return the item of a goal for a seed, the same one each time.

    >>> item("5.2", "a word").question == item("5.2", "a word").question
    True
    """
    words = texts()[number]
    shown, right, mistakes = MAKERS[number](Random(f"{number} {seed}"))
    right, digits = _plain(right), words.get("digits", 3)
    within = 0.5 * 10**-digits
    wrong = [
        {"answer": _plain(answer), "say": words["mistakes"][name]}
        for name, answer in mistakes.items()  # one that is none with these numbers is left out
        if any(not same(answer[key], right[key], 2 * within) for key in answer)
    ]
    filled = _written({**shown, "right": _written(right)})
    return Item(
        "\n\n".join([words["question"].format(**filled), *_asked_to(number, right)]),
        Exercise(right, wrong, within=within),
        words["solution"].format(**filled),
        words.get("choices", ()),
    )


@cache
def unseen(number: str, seed: str) -> Item:
    """Return the item of a goal for a lecturer's seed: one that no page shows.

    The machine draws the seed, since others could guess a word that a person chose.
    """
    shown = {item(number, ready).question for ready in READY}
    tries = (item(number, f"exam {seed} {again}") for again in range(100))
    return next(one for one in tries if one.question not in shown)


@cache
def concepts(number: str) -> list[Item]:
    """Return the questions of the chapters' self-checks that belong to a goal."""
    found = []
    for name in sorted(file.stem for file in LESSONS.glob("*.yml")):
        for asked in self_check(name).questions:
            if asked.get("goal") not in MAKERS:
                raise InputError(f"{name}.yml: {asked['question']!r} has no `goal` of a session")
            if asked["goal"] != number:
                continue
            letters = dict(zip("abcdef", asked["choices"]))
            lines = [f"- {letter}: {each['choice']}" for letter, each in letters.items()]
            (right,) = (one for one, each in letters.items() if each.get("right"))
            wrong = [
                {"answer": {"choice": letter}, "say": each["say"]}
                for letter, each in letters.items()
                if letter != right
            ]
            question = "\n".join([asked["question"], "", *lines])
            solution = f"{right}: {letters[right]['say']}"
            exercise = Exercise({"choice": right}, wrong)
            found.append(Item(question, exercise, solution, list(letters), minutes=2))
    return found


def practised(number: str) -> list[Item]:
    """Return what the pages ask of a goal: items by seed, and questions in words."""
    return [item(number, seed) for seed in READY] + concepts(number)


def goals(session: int | str) -> list[str]:
    """Return the numbers of a session's goals."""
    return [number for number in MAKERS if number[0] == str(session)]


def _asked_to(number: str, right: Mapping[str, Any]) -> list[str]:
    """Return what a question says of its decimals, if any answer has some."""
    decimal = [name for name, value in right.items() if isinstance(value, float)]
    if not decimal:
        return []
    if "digits" not in texts()[number]:
        raise InputError(
            f"drawn_items.yml: {number} has no `digits`: say how many decimals it asks for"
        )
    return [f"To {WORDS[texts()[number]['digits']]} decimals: {'; '.join(decimal)}."]


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: round(float(v), 6) if isinstance(v, float) else v for k, v in values.items()}


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: Written(v) if isinstance(v, float) else v for k, v in values.items()}
