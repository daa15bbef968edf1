"""The checks of the exercises: is an answer right, and if not, where may it have gone wrong?

What is right, and what to say to typical wrong answers, stands in ``lessons``, a file a chapter.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml  # type: ignore[import-untyped]

from lib.teaching import named

LESSONS = Path(__file__).parent / "lessons"
BLANK = "There is no answer yet."
ELSE = "Not right yet. The hint of the exercise may help."


@dataclass(frozen=True)
class Exercise:
    """What an exercise asks for, and what to say to those who miss it."""

    right: Any  # a number, a text, a list or dict of these; of a function what each call returns
    wrong: Sequence[Mapping[str, Any]]  # typical answers: `answer`, and what to `say` to it
    arguments: Sequence[Sequence[Any]] = field(default=())  # of the calls; see named.argument
    within: float = 0.0005  # how far a number may be from the right one
    holds: str = ""  # where many answers are right, and `right` is one: their check in named


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, None where there is none, and what to say to who gave it.

    Examples
    --------
    >>> Verdict(True, "Right.")
    ✓ Right.
    """

    right: bool | None
    said: str

    def __repr__(self) -> str:
        return f"{'○' if self.right is None else '✓' if self.right else '✗'} {self.said}"


@cache
def lesson(name: str) -> dict[str, Any]:
    """Return what a chapter asks its readers: ``exercises`` and ``questions``."""
    return yaml.safe_load((LESSONS / f"{name}.yml").read_text(encoding="utf-8"))


@cache
def exercises() -> dict[str, Exercise]:
    """Return the exercises of all chapters, by their labels.

    Examples
    --------
    >>> exercises()["foundations-exercise-tau"].wrong[0]["answer"]
    0.666667
    """
    keys = {"try": "arguments", "check": "holds"}
    return {
        label: Exercise(**{keys.get(key, key): value for key, value in asked.items()})
        for file in sorted(LESSONS.glob("*.yml"))
        for label, asked in lesson(file.stem)["exercises"].items()
    }


def check(label: str, answer: Any) -> Verdict:
    """Return whether an answer to an exercise is right, and what may be wrong with it.

    Examples
    --------
    >>> check("foundations-exercise-list", ...)
    ○ There is no answer yet.
    """
    if label not in exercises():
        raise ValueError(f"no exercise {label!r}; there are {', '.join(exercises())}")
    return examine(answer, exercises()[label])


def examine(answer: Any, exercise: Exercise) -> Verdict:
    """Return whether an answer is right; of a typical wrong one, also why it is not.

    What goes wrong while an answer is tried is said too: nothing is raised.

    Examples
    --------
    >>> half = Exercise(0.5, [{"answer": 0.25, "say": "That is the share of the wrong ones."}])
    >>> examine(0.5001, half), examine(0.25, half), examine(..., half)
    (✓ Right., ✗ That is the share of the wrong ones., ○ There is no answer yet.)
    """
    if not exercise.arguments and callable(answer):
        return Verdict(False, "The answer is a function; a value is asked for.")
    if exercise.arguments and not _blank(answer):
        if not callable(answer):
            return Verdict(False, "The answer must be a function.")
        try:
            answer = [answer(*map(named.argument, each)) for each in exercise.arguments]
        except Exception as error:  # whatever a beginner's function may do
            return Verdict(False, f"Your function stopped: {type(error).__name__}: {error}")
    if _blank(answer):
        return Verdict(None, BLANK)
    if missing := _missing(answer, exercise.right):
        return Verdict(False, f"Your dict lacks {', '.join(missing)}.")
    if _is_right(answer, exercise):
        return Verdict(True, "Right.")
    for wrong in exercise.wrong:
        if _same(answer, wrong["answer"], exercise.within):
            return Verdict(False, wrong["say"])
    return Verdict(False, ELSE)


def _missing(answer, right):
    """Return the names that a dict should have and has not."""
    if not (isinstance(right, Mapping) and isinstance(answer, Mapping)):
        return []
    return [str(key) for key in right if key not in answer]


def _is_right(answer, exercise):
    """Return whether an answer is right; one that cannot be read is not."""
    if not exercise.holds:
        return _same(answer, exercise.right, exercise.within)
    try:
        return bool(getattr(named, exercise.holds)(answer))
    except Exception:  # a key that is missing, a text for a number
        return False


def _blank(value):
    """Return whether nothing was answered, or anything that was asked for is missing."""
    value = _plain(value)
    if value is None or value is ...:
        return True
    if isinstance(value, Mapping):
        return any(map(_blank, value.values()))
    return _is_list(value) and any(map(_blank, value))


def _is_list(value):
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _plain(value):
    """Return what can be compared: the rows of a table, the number of an array without axes."""
    if isinstance(value, pd.DataFrame):
        return value.to_numpy()
    return value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _same(one, other, within):
    """Return whether two answers are equal, numbers as far as asked."""
    one, other = _plain(one), _plain(other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[k], other[k], within) for k in one)
    if _is_list(one) and _is_list(other):
        one, other = list(one), list(other)
        return len(one) == len(other) and all(_same(a, b, within) for a, b in zip(one, other))
    truths = isinstance(one, (bool, np.bool_)), isinstance(other, (bool, np.bool_))
    if isinstance(one, Real) and isinstance(other, Real) and not any(truths):
        # A little more: the files have six decimals.
        return math.isclose(one, other, rel_tol=0, abs_tol=within + 1e-6)
    return truths[0] == truths[1] and type(one == other) in (bool, np.bool_) and one == other
