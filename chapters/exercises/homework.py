"""What is said to the answers of a homework: whether they can be read, and their points."""

import sys
from collections.abc import Mapping
from contextlib import redirect_stderr
from typing import Any

from chapters.exercises.answers import REPLIES, blank, fold, kind, read
from chapters.exercises.checks import examine, exercises
from chapters.exercises.drawn_items import READY, item, unseen
from chapters.exercises.drawn_numbers import MAKERS


def points(label: str, answer: Any, *, of: float, seed: int = 0) -> float:
    """Print what there is to say to an answer, and return its points: of a dict the right share.

    The label is that of an exercise, whose calls the seed draws, or the number of a goal, whose
    item it draws.

    >>> by_hand = {"P@5": 0.4, "R@10": 2 / 3, "RR": 0.2, "AP": ...}
    >>> points("foundations-exercise-list", by_hand, of=4)
    ✗ Right: P@5, R@10. Not right yet: RR. Missing: AP.
    2.0
    """
    with redirect_stderr(sys.stdout):  # a warning is no failure, as nbgrader would have it
        if label in MAKERS:
            verdict = examine(answer, unseen(label, str(seed)).exercise)
        else:
            verdict = examine(answer, exercises()[label], seed=seed, marked=True)
    print(verdict)
    return round(of * verdict.share, 2)


def form(number: str, answer: Any) -> None:
    """Print whether the answers to a goal's item can be read, not whether they are right."""
    one = item(number, READY[0])
    right = one.exercise.right
    if not isinstance(answer, Mapping):
        print(f"✗ The answer must be a dict with the keys {', '.join(map(repr, right))}.")
        return
    kinds = {n: kind(answer.get(n, ...), right[n], one.exercise.within) for n in right}
    words = {fold(choice) for choice in one.choices}
    for name, value in right.items():
        if isinstance(value, str) and fold(str(read(answer.get(name, ""), value))) not in words:
            kinds[name] = "missing" if blank(answer.get(name, ...)) else "unknown"
    said = {
        "missing": REPLIES["missing"],
        "unread": REPLIES["unread"],
        "unknown": f"None of the words {', '.join(one.choices)}",
    }
    odd = [f"{said[k]}: {n}." for n, k in kinds.items() if k in said]
    print(" ".join(["✗", *odd]) if odd else "✓ All answers can be read; they are marked later.")
