"""The checks of the exercises: is an answer right, and if not, where may it have gone wrong?

What is right, and what to say to typical wrong answers, stands in ``lessons``, a file a chapter;
so do the questions of its self-check.  These are HTML that needs no script: each choice is a
``details``, which a keyboard opens, and of the choices of one question one is open at a time.
"""

import html
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import cache
from numbers import Real
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml  # type: ignore[import-untyped]

from lib.teaching import named

LESSONS = Path(__file__).parent / "lessons"
SIGNS = {True: "✓", False: "✗", None: "○"}
BLANK = "There is no answer yet."
ELSE = "Not right yet. The hint of the exercise may help."
DECIMALS = [f"To {number} decimals, please" for number in ("two", "three", "four")]
KINDS = ("Right", *DECIMALS, "Not right yet", "Missing", "Not asked for")
STYLE = """<style>
.self-check > ol { padding-left: 1.4em }
.self-check > ol > li { margin: 0 0 1.2rem }
.self-check > ol > li > p { margin: 0 0 .4rem }
.self-check details { margin: .15rem 0; padding: 0 0 0 .2rem; border: 0; box-shadow: none }
.measures.self-check summary { cursor: pointer; width: auto; font-size: 1em }
.self-check details > p { margin: .2rem 0 .6rem 1.1rem; padding-left: .8rem;
  border-left: 3px solid var(--pst-color-border, #888) }
</style>
"""


@dataclass(frozen=True)
class Exercise:
    """What an exercise asks for, and what to say to those who miss it."""

    right: Any  # a number, a text, a list or dict of these; of a function what each call returns
    wrong: Sequence[Mapping[str, Any]]  # typical answers: `answer`, and what to `say` to it
    arguments: Sequence[Sequence[Any]] = field(default=())  # of the calls; see named.resolved
    within: float = 0.0005  # how far a number may be from the right one
    holds: str = ""  # where many answers are right, and `right` is one: their check in named


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, None of none, and what to say to who gave it.

    Examples
    --------
    >>> Verdict(True, "Right.")
    ✓ Right.
    """

    right: bool | None
    said: str
    share: float = 0.0  # how much of it is right

    def __repr__(self) -> str:
        return f"{SIGNS[self.right]} {self.said}"


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
    """Return whether an answer to an exercise is right, and what may be wrong with it.

    Of a wrong one it is said what is typical of it, and then of each part (the entries of a dict,
    the calls of a function) whether it is right.  What goes wrong while an answer is tried is said
    too: nothing is raised.

    Examples
    --------
    >>> half = Exercise(0.5, [{"answer": 0.25, "say": "That is the share of the wrong ones."}])
    >>> examine(0.5001, half), examine(0.25, half), examine(..., half)
    (✓ Right., ✗ That is the share of the wrong ones., ○ There is no answer yet.)
    >>> examine({"AP": 0.3, "RR": 0.2, "P@5": ...}, Exercise({"AP": 0.3, "RR": 0.5, "P@5": 1}, []))
    ✗ Right: AP. Not right yet: RR. Missing: P@5.
    >>> examine(lambda x: x + x, Exercise([4, 9], [], arguments=[[2], [3]]))
    ✗ On 3 it gives 6; 9 is right.
    """
    if callable(answer) != bool(exercise.arguments) and not _blank(answer):
        asked = "a function" if exercise.arguments else "a value, not a function"
        return Verdict(False, f"The answer must be {asked}.")
    if callable(answer):
        answer = [_called(answer, each) for each in exercise.arguments]
    names, split = _parts(answer, exercise)
    given, right = split(answer), split(exercise.right)
    if all(map(_blank, given)):
        return Verdict(None, BLANK)
    if _is_right(answer, exercise):
        return Verdict(True, "Right.", 1.0)
    same = [_same(*pair, exercise.within) for pair in zip(given, right)]
    said = []
    for wrong in exercise.wrong:
        alike = [_same(*pair, exercise.within) for pair in zip(given, split(wrong["answer"]))]
        unknown = [_blank(one) or isinstance(one, Stopped) for one in given]
        if all(map(or_, alike, unknown)) and not all(map(or_, same, unknown)):
            said = [wrong["say"]]
            break
    if exercise.arguments and not exercise.holds:
        said += _of_calls(names, given, right, same)
    elif not exercise.holds and (isinstance(answer, Mapping) or not said):
        said += _of_entries(names, given, right, same, exercise)
    entries = isinstance(answer, Mapping) and not exercise.holds
    return Verdict(False, " ".join(said) or ELSE, sum(same) / len(same) if entries else 0.0)


def points(label: str, answer: Any, *, of: float) -> float:
    """Print what there is to say to an answer, and return its points: of a dict the right share.

    Examples
    --------
    >>> by_hand = {"P@5": 0.4, "R@10": 2 / 3, "RR": 0.2, "AP": ...}
    >>> points("foundations-exercise-list", by_hand, of=4)
    ✗ Right: P@5, R@10. Not right yet: RR. Missing: AP.
    2.0
    """
    with redirect_stderr(sys.stdout):  # a warning is no failure, as nbgrader would have it
        verdict = check(label, answer)
    print(verdict)
    return round(of * verdict.share, 2)


@dataclass(frozen=True)
class Stopped:
    """Stands for what a call of a function would have returned, had it not raised an error."""

    error: str


def _called(function, arguments):
    try:
        return function(*map(named.resolved, arguments))
    except Exception as error:  # whatever a beginner's function may do
        return Stopped(f"{type(error).__name__}: {error}")


def _parts(answer, exercise):
    """Return the names of the parts of an answer, and what splits an answer into them."""
    if exercise.arguments:
        return [", ".join(map(_shown, each)) for each in exercise.arguments], list
    if isinstance(exercise.right, Mapping) and isinstance(answer, Mapping):
        keys = [*exercise.right, *(key for key in answer if key not in exercise.right)]
        return list(map(str, keys)), lambda one: [one.get(key, ...) for key in keys]
    return ["the answer"], lambda one: [one]


def _of_calls(names, given, right, same):
    """Say which calls of a function return something else than they should."""
    return [
        f"On {name} it stops ({one.error})."
        if isinstance(one, Stopped)
        else f"On {name} it gives {_shown(one)}; {_shown(wanted)} is right."
        for name, one, wanted, fits in zip(names, given, right, same)
        if not fits
    ]


def _of_entries(names, given, right, same, exercise):
    """Say which entries are right, rounded too much, wrong, missing or not asked for."""
    kinds: dict[str, list[str]] = {}
    digits = round(-math.log10(2 * exercise.within))
    for name, one, wanted, fits in zip(names, given, right, same):
        if fits:
            kind = "Right"
        elif wanted is ...:
            kind = "Not asked for"
        elif _blank(one):
            kind = "Missing"
        elif isinstance(wanted, float) and any(
            _same(one, round(wanted, fewer), 0) for fewer in range(1, digits)
        ):
            kind = DECIMALS[digits - 2]
        else:
            kind = "Not right yet"
        kinds.setdefault(kind, []).append(name)
    if len(names) == 1:
        return [f"{kind}." for kind in kinds if kind != "Not right yet"]
    return [f"{kind}: {', '.join(kinds[kind])}." for kind in KINDS if kind in kinds]


def _shown(value):
    """Write what a function is given, or gives, for a message."""
    value = _plain(value)
    if isinstance(value, Mapping) and "use" in value:
        return f"the {value['use']} {', '.join(str(value[key]) for key in value if key != 'use')}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_shown(one)}' for key, one in value.items())}}}"
    if _is_list(value):
        return f"[{', '.join(map(_shown, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


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
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().casefold() == other.strip().casefold()
    truths = isinstance(one, (bool, np.bool_)), isinstance(other, (bool, np.bool_))
    if isinstance(one, Real) and isinstance(other, Real) and not any(truths):
        # A little more: the files have six decimals.
        return math.isclose(one, other, rel_tol=0, abs_tol=within + 1e-6)
    return truths[0] == truths[1] and type(one == other) in (bool, np.bool_) and one == other


@dataclass(frozen=True)
class SelfCheck:
    """The questions of a chapter, to be displayed as the last value of a cell.

    Examples
    --------
    >>> choices = [{"choice": "2", "say": "Yes.", "right": True}, {"choice": "11", "say": "No."}]
    >>> SelfCheck("sums", [{"question": "1 + 1?", "choices": choices}])
    Self-check: 1. 1 + 1? (a) 2 (b) 11
    """

    name: str
    questions: Sequence[Mapping[str, Any]]

    def __repr__(self) -> str:
        texts = [
            f"{number}. {asked['question']} "
            + " ".join(
                f"({letter}) {each['choice']}" for letter, each in zip("abcdef", asked["choices"])
            )
            for number, asked in enumerate(self.questions, 1)
        ]
        return "Self-check: " + " ".join(texts)

    def _repr_html_(self) -> str:
        items = "".join(self._item(i, asked) for i, asked in enumerate(self.questions, 1))
        return f'{STYLE}<div class="measures self-check">\n<ol>\n{items}</ol>\n</div>\n'

    def _item(self, number, asked):
        this = f"self-check-{self.name}-{number}"
        parts = [f'<li id="{this}">\n<p>{html.escape(asked["question"])}</p>\n']
        for letter, each in zip("abcdef", asked["choices"]):
            sign = "Right." if each.get("right") else "No."
            parts.append(
                f'<details id="{this}-{letter}" name="{this}">'
                f"<summary>{html.escape(each['choice'])}</summary>\n"
                f"<p><strong>{sign}</strong> {html.escape(each['say'])}</p>\n</details>\n"
            )
        return "".join(parts) + "</li>\n"


def self_check(name: str) -> SelfCheck:
    """Return the questions of a chapter's lesson, each choice with its answer.

    Examples
    --------
    >>> len(self_check("foundations").questions)
    5
    """
    return SelfCheck(name, lesson(name)["questions"])
