"""The check of an exercise: is an answer right, and if not, where may it have gone wrong?"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["Check", "Verdict", "examine"]

BLANK = "There is no answer yet."
ELSE = "Not right yet. The hint of the exercise may help."


@dataclass(frozen=True)
class Check:
    """What an exercise asks for, and what those who miss it tend to answer.

    Attributes
    ----------
    right : object
        The answer: a number, a text, a list or dict of these, or a function.
    wrong : dict of str to object
        Typical wrong answers, each under the sentence that says what is wrong with it.
    on : sequence of tuple
        The arguments on which an answer that is a function is tried; empty for other answers.
    decimals : int
        How exact numbers must be.
    holds : callable, optional
        For questions with many right answers: whether one is right.  ``right`` is then an example.
    """

    right: Any
    wrong: Mapping[str, Any]
    on: Sequence[tuple] = ()
    decimals: int = 3
    holds: Callable[[Any], bool] | None = None


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, and what to say to who gave it.

    Examples
    --------
    >>> Verdict(True, "Right.")
    ✓ Right.
    """

    right: bool
    said: str

    def __repr__(self) -> str:
        return f"{'✓' if self.right else '✗'} {self.said}"


def examine(answer: Any, check: Check) -> Verdict:
    """Return whether an answer is right; of a typical wrong one, also why it is not.

    Parameters
    ----------
    answer : object
        ``...`` or None: no answer yet; so is a function that returns one of these.
    check : Check

    Returns
    -------
    Verdict
        What goes wrong while an answer is tried is said too: nothing is raised.

    Examples
    --------
    >>> check = Check(right=0.5, wrong={"That is the share of the wrong ones.": 0.25})
    >>> examine(0.5001, check), examine(0.25, check), examine(..., check)
    (✓ Right., ✗ That is the share of the wrong ones., ✗ There is no answer yet.)
    """
    if not check.on and callable(answer):
        return Verdict(False, "The answer is a function; a value is asked for.")
    if check.on and not callable(answer) and not _blank(answer):
        return Verdict(False, "The answer must be a function.")
    try:
        found = _tried(answer, check.on)
    except Exception as error:  # whatever a beginner's function may do
        return Verdict(False, f"Your function stopped: {type(error).__name__}: {error}")
    if _blank(found):
        return Verdict(False, BLANK)
    if missing := _missing(found, check.right):
        return Verdict(False, f"Your dict lacks {', '.join(missing)}.")
    if _is_right(found, check):
        return Verdict(True, "Right.")
    for why, wrong in check.wrong.items():
        if _same(found, _tried(wrong, check.on), check):
            return Verdict(False, why)
    return Verdict(False, ELSE)


def _missing(found, right):
    """Return the names that a dict should have and has not."""
    if not (isinstance(right, Mapping) and isinstance(found, Mapping)):
        return []
    return [str(key) for key in right if key not in found]


def _tried(answer, on):
    """Return the answer itself, or what it returns for each of the arguments."""
    return [answer(*arguments) for arguments in on] if on and callable(answer) else answer


def _is_right(found, check):
    """Return whether an answer is right; one that cannot be read is not."""
    if check.holds is None:
        return _same(found, _tried(check.right, check.on), check)
    try:
        return bool(check.holds(found))
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


def _same(one, other, check):
    """Return whether two answers are equal, numbers to the check's decimals."""
    one, other = _plain(one), _plain(other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[k], other[k], check) for k in one)
    if _is_list(one) and _is_list(other):
        one, other = list(one), list(other)
        return len(one) == len(other) and all(_same(a, b, check) for a, b in zip(one, other))
    truths = isinstance(one, (bool, np.bool_)), isinstance(other, (bool, np.bool_))
    if isinstance(one, Real) and isinstance(other, Real) and not any(truths):
        reach = 0.5001 * 10**-check.decimals
        return math.isclose(one, other, rel_tol=0, abs_tol=reach)
    return truths[0] == truths[1] and type(one == other) in (bool, np.bool_) and one == other
