"""What each chapter asks its readers: the checks of its exercises, and its questions.

A chapter's file here has two tables: ``CHECKS``, from the label of an exercise to a function that
returns its check, and ``QUESTIONS``.
"""

from collections.abc import Callable, Sequence
from typing import Any

from lib.teaching.checks import Check, Verdict, examine
from lib.teaching.lessons import (
    elsewhere,
    foundations,
    spending,
    thom2007,
    tomlinson2006,
    webber2008,
    webber2010,
)
from lib.teaching.questions import Question, SelfCheck

__all__ = ["CHECKS", "QUESTIONS", "check", "self_check"]

CHECKS: dict[str, Callable[[], Check]] = {
    **foundations.CHECKS,
    **webber2008.CHECKS,
    **thom2007.CHECKS,
    **tomlinson2006.CHECKS,
    **webber2010.CHECKS,
    **elsewhere.CHECKS,
    **spending.CHECKS,
}
QUESTIONS: dict[str, Sequence[Question]] = {
    "foundations": foundations.QUESTIONS,
    "webber2008": webber2008.QUESTIONS,
    "thom2007": thom2007.QUESTIONS,
    "tomlinson2006": tomlinson2006.QUESTIONS,
    "webber2010": webber2010.QUESTIONS,
    "elsewhere": elsewhere.QUESTIONS,
    "spending": spending.QUESTIONS,
}


def check(label: str, answer: Any) -> Verdict:
    """Return whether an answer to an exercise is right, and what may be wrong with it.

    Parameters
    ----------
    label : str
        Of the exercise.
    answer : object
        ``...`` for none yet.

    Raises
    ------
    ValueError
        No exercise has this label.

    Examples
    --------
    >>> check("foundations-exercise-list", ...)
    ✗ There is no answer yet.
    """
    if label not in CHECKS:
        raise ValueError(f"no exercise {label!r}; there are {', '.join(CHECKS)}")
    return examine(answer, CHECKS[label]())


def self_check(name: str) -> SelfCheck:
    """Return the questions of a chapter, each choice with its answer.

    Parameters
    ----------
    name : str
        Of the chapter, as in :data:`QUESTIONS`.

    Examples
    --------
    >>> len(self_check("foundations").questions)
    5
    """
    return SelfCheck(name, QUESTIONS[name])
