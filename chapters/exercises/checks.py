"""The checks of the exercises: is an answer right, and if not, where may it have gone wrong?

The files in ``lessons``, one a chapter, have the right answers, replies to typical wrong ones, and
the questions of the self-check.  These are HTML that needs no script: each choice is a
``details``, which a keyboard opens, and of the choices of one question one is open at a time.
"""

import html
import io
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from numbers import Real
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import yaml  # type: ignore[import-untyped]

from chapters.exercises import open_answers
from chapters.exercises.answers import (
    REPLIES,
    SAID,
    Reply,
    blank,
    fold,
    is_list,
    kind,
    read,
    reply,
    same,
)
from chapters.exercises.arguments import resolved
from chapters.exercises.drawn_calls import DRAWN, Drawn
from lib.paths import ROOT

LESSONS = Path(__file__).parent / "lessons"
_PRINTS = "The function prints, and returns nothing: hand its value back with `return`."
_NOTHING = f"{SAID['blank']} The function returns nothing."
_STYLE = """<style>
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
    arguments: Sequence[Sequence[Any]] = ()  # of the calls; see arguments.resolved
    within: float = 0.0005  # how far a number may be from the right one
    goal: str = ""  # the goal of a session that it practises
    holds: str = ""  # where many answers are right, and `right` is one: their check in open_answers
    drawn: Drawn | None = None  # more calls of a function


@cache
def lesson(name: str) -> dict[str, Any]:
    """Return what a chapter asks its readers: ``exercises`` and ``questions``."""
    return yaml.safe_load((LESSONS / f"{name}.yml").read_text(encoding="utf-8"))


@cache
def exercises() -> dict[str, Exercise]:
    """Return the exercises of all chapters, by their labels.

    >>> exercises()["foundations-exercise-tau"].wrong[0]["answer"]
    0.7
    """
    keys = {"try": "arguments", "check": "holds"}
    return {
        label: Exercise(
            **{keys.get(key, key): value for key, value in asked.items()}, drawn=DRAWN.get(label)
        )
        for file in sorted(LESSONS.glob("*.yml"))
        for label, asked in lesson(file.stem)["exercises"].items()
    }


def lesson_of(label: str) -> dict[str, Any]:
    """Return the lesson that an exercise belongs to."""
    lessons = (lesson(file.stem) for file in LESSONS.glob("*.yml"))
    return next(one for one in lessons if label in one["exercises"])


def goals_of(taught: Mapping[str, Any]) -> list[str]:
    """Return the numbers of the goals that a lesson's exercises and questions practise.

    >>> goals_of(lesson_of("foundations-exercise-tau"))[0]
    '1.1'
    """
    asked = [*taught["exercises"].values(), *taught["questions"]]
    return sorted({one["goal"] for one in asked if "goal" in one})


def check(label: str, answer: Any, *, seed: int | None = None) -> Reply:
    """Return whether an answer to an exercise is right, and what may be wrong with it.

    Some functions are also tried on calls that are drawn: others each time, or those of a seed.

    >>> check("foundations-exercise-list", ...)
    ○ There is no answer yet.
    """
    if label not in exercises():
        raise ValueError(f"no exercise {label!r}; there are {', '.join(exercises())}")
    return examine(answer, exercises()[label], seed=seed)


def examine(
    answer: Any, exercise: Exercise, *, seed: int | None = None, marked: bool = False
) -> Reply:
    """Return whether an answer to an exercise is right, and what may be wrong with it.

    Of a wrong one it is said what is typical of it, and then of each entry of a dict whether it is
    right, or on which call a function fails first.  An error while an
    answer is tried is reported and not raised.  When a function is marked it may call none of the
    book's.

    >>> half = Exercise(0.5, [{"answer": 0.25, "say": "That is the share of the wrong ones."}])
    >>> examine("1/2", half), examine(0.25, half), examine(..., half)
    (✓ Right., ✗ That is the share of the wrong ones., ○ There is no answer yet.)
    >>> examine({"AP": 0.3, "RR": 0.2, "P@5": ...}, Exercise({"AP": 0.3, "RR": 0.5, "P@5": 1}, []))
    ✗ Right: AP. Not right yet: RR. Missing: P@5.
    >>> examine(lambda x: x + x, Exercise([4, 9], [], arguments=[[2], [3]]))
    ✗ On 3 it gives 6; 9 is right.
    """
    if isinstance(answer, Iterator):
        return Reply(False, "That is an iterator: put `list(...)` around it.")
    if callable(answer) != bool(exercise.arguments) and not blank(answer):
        asked = "a function" if exercise.arguments else "a value, not a function"
        return Reply(False, f"The answer must be {asked}.")
    if callable(answer):
        return _of_function(answer, exercise, np.random.default_rng(seed), marked)
    answer = _plain(answer, exercise.right)
    if blank(answer) and not isinstance(answer, Mapping):
        return Reply(None, SAID["blank"])
    if isinstance(exercise.right, Mapping) and not isinstance(answer, Mapping):
        keys = ", ".join(map(repr, exercise.right))
        return Reply(False, f"The answer must be a dict with the keys {keys}.")
    if exercise.holds:
        return _of_many(answer, exercise)
    return reply(answer, exercise.right, exercise.within, exercise.wrong)


# Values


def _plain(value: Any, right: Any) -> Any:
    """Return an answer of plain values and lists, in a dict with the names of the right one."""
    if isinstance(value, pd.DataFrame):
        is_row = len(value) == 1 and isinstance(right, Mapping)
        value = value.iloc[0] if is_row else value.to_numpy()
    if isinstance(value, pd.Series) and isinstance(right, Mapping):
        value = value.to_dict()
    if isinstance(value, Mapping):
        if not isinstance(right, Mapping):
            return value
        known = {fold(str(name)): name for name in right}
        keys = {key: known.get(fold(str(key)), key) for key in value}
        return {keys[key]: _plain(value[key], right.get(keys[key])) for key in value}
    if isinstance(value, (np.ndarray, np.generic, pd.Series, pd.Index)):
        value = np.asarray(value)
        value = value.item() if value.size == 1 and not is_list(right) else value.tolist()
    if is_list(value):
        value = list(value)
        if len(value) == 1 and isinstance(right, (int, float)):
            return _plain(value[0], right)
        inner = list(right) if is_list(right) else []
        return [_plain(one, inner[i] if i < len(inner) else None) for i, one in enumerate(value)]
    return value


def _of_many(answer: Any, exercise: Exercise) -> Reply:
    """Return what to say to an answer where many are right."""
    if isinstance(answer, Mapping):
        if all(blank(answer.get(name)) for name in exercise.right):
            return Reply(None, SAID["blank"])
        if missing := [str(name) for name in exercise.right if blank(answer.get(name))]:
            return Reply(False, f"{REPLIES['missing']}: {', '.join(missing)}.")
        answer = {**answer, **{n: read(answer[n], one) for n, one in exercise.right.items()}}
        # Of an open answer no share is known, but that it is none: a margin of tau is 2 at most.
        shares = [n for n, one in exercise.right.items() if isinstance(one, float) and one < 1]
        if percent := [n for n in shares if isinstance(answer[n], Real) and answer[n] > 2]:
            return Reply(False, f"{REPLIES['percent']}: {', '.join(percent)}.")
    try:
        message = getattr(open_answers, exercise.holds)(answer)
    except Exception:  # a text for a number, a name of nothing
        message = SAID["else"]
    if message:
        known = (w["say"] for w in exercise.wrong if same(answer, w["answer"], exercise.within))
        return Reply(False, next(known, message))
    return Reply(True, SAID["right"], 1.0)


# Functions


@dataclass(frozen=True)
class Stopped:
    """Stands for what a call of a function would have returned, had it not raised an error."""

    error: str


SECONDS = 10.0  # that a call may take
_MANY = 10_000  # values, which no exercise asks for
_ENDLESS = Stopped(f"it was still running after {SECONDS:g} seconds")
_OWN = [ROOT / "lib", ROOT / "chapters"]


def _of_function(
    function: Callable[..., Any], exercise: Exercise, rng: np.random.Generator, marked: bool
) -> Reply:
    """Return what to say to a function, by the listed calls and then by those that are drawn."""
    own = marked and not any(map(_is_named, exercise.arguments[0]))
    given: list[Any] = []
    lent: list[str] = []
    with redirect_stdout(io.StringIO()) as printed:
        for arguments in exercise.arguments:
            given.append(_called(function, arguments, lent if own else None))
            if given[-1] is _ENDLESS:  # so would the others be
                return Reply(False, _told(arguments, _ENDLESS, None))
    if lent:
        return Reply(False, f"{lent[0]} is the book's: write what it does yourself.")
    if all(one is None for one in given):
        return Reply(False, _PRINTS) if printed.getvalue().strip() else Reply(None, _NOTHING)
    given = [_plain(*pair) for pair in zip(given, exercise.right)]
    if exercise.holds:
        verdict = _of_many(given, exercise)
        failed = None if verdict.right else verdict.message
    else:
        failed = _failed(exercise.arguments, given, exercise)
    if failed is None and exercise.drawn:
        with redirect_stdout(printed):
            failed = _on_drawn(function, exercise, exercise.drawn, rng)
    return Reply(True, SAID["right"], 1.0) if failed is None else Reply(False, failed)


def _failed(arguments: Any, given: Any, exercise: Exercise) -> str | None:
    """Say what a wrong function may have done, and the first listed call on which it fails."""
    fits = [same(*pair, exercise.within) for pair in zip(given, exercise.right)]
    if all(fits):
        return None
    messages = []
    for wrong in exercise.wrong:
        alike = [same(*pair, exercise.within) for pair in zip(given, wrong["answer"])]
        unknown = [blank(one) or isinstance(one, Stopped) for one in given]
        if all(map(max, alike, unknown)) and not all(map(max, fits, unknown)):
            messages = [wrong["say"]]
            break
    # A whole number does not tell, say, a percentage.
    telling = [pair for pair in zip(given, exercise.right) if pair[1] not in (0, 1)]
    kinds = {kind(*pair, exercise.within) for pair in telling} - {"right"}
    if not messages and len(kinds) == 1 and kinds <= {"percent", "sign", "nan"}:
        messages = [f"{REPLIES[kinds.pop()]}."]
    first = fits.index(False)
    return " ".join([*messages, _told(arguments[first], given[first], exercise.right[first])])


def _on_drawn(
    function: Callable[..., Any], exercise: Exercise, drawn: Drawn, rng: np.random.Generator
) -> str | None:
    """Say on which of the calls that are drawn a function fails first, or None."""
    for _ in range(drawn.number):
        arguments = drawn.draw(rng)
        given = _called(function, arguments)
        right = drawn.right(*map(resolved, arguments))
        if not same(_plain(given, right), right, exercise.within):
            return _told(arguments, given, right)
    return None


class _Late(BaseException):
    """It stops a function that runs too long, even one that catches every error."""


@contextmanager
def _timed() -> Iterator[None]:
    """Stop what is run when it takes too long, where the system has a clock for that."""

    def late(*_: Any) -> None:
        raise _Late

    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _called(
    function: Callable[..., Any], arguments: Sequence[Any], lent: list[str] | None = None
) -> Any:
    """Return what a function makes of arguments of its own, and note which of the book's it calls.

    None of the book's works on plain values, such as a beginner's function has to.
    """

    def watch(frame: FrameType, event: str, _: Any) -> None:
        file = Path(frame.f_code.co_filename)
        if lent is not None and event == "call" and any(root in file.parents for root in _OWN):
            lent.append(frame.f_code.co_name)

    own, before = [resolved(argument) for argument in arguments], sys.getprofile()
    try:
        with _timed():
            sys.setprofile(before if lent is None else watch)
            try:
                value = function(*own)
            finally:
                sys.setprofile(before)
    except _Late:
        return _ENDLESS
    except (Exception, SystemExit, GeneratorExit) as error:  # whatever a beginner's function may do
        return Stopped(f"{type(error).__name__}: {error}")
    if isinstance(value, Iterator):
        return Stopped("it gives an iterator: put `list(...)` around it")
    if isinstance(value, Sized) and len(value) > _MANY:
        return Stopped(f"it gives {len(value):,} values")
    return value


def _is_named(argument: Any) -> bool:
    return isinstance(argument, Mapping) and "use" in argument


def _told(arguments: Any, given: Any, right: Any) -> str:
    """Say what a function does on one call, and what it should do."""
    call = ", ".join(map(_shown, arguments))
    if isinstance(given, Stopped):
        return f"On {call} it stops ({given.error})."
    given = _shown(_plain(given, right))
    return f"On {call} it gives {given}; {_shown(right)} is right."


def _shown(value: Any) -> str:
    """Write what a function is given, or gives, for a message."""
    if isinstance(value, Mapping) and "use" in value:
        what = ", ".join(f"{key} {_shown(value[key])}" for key in value if key != "use")
        return f"the {value['use']}" + (f" ({what})" if what else "")
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_shown(one)}' for key, one in value.items())}}}"
    if is_list(value):
        return f"[{', '.join(map(_shown, value))}]"
    return f"{round(value, 12):.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class SelfCheck:
    """The questions of a chapter, to be displayed as the last value of a cell.

    >>> choices = [{"choice": "2", "say": "Yes.", "right": True}, {"choice": "11", "say": "No."}]
    >>> SelfCheck("sums", [{"question": "1 + 1?", "choices": choices}])
    Self-check: 1. 1 + 1? (a) 2 (b) 11
    """

    name: str
    questions: Sequence[Mapping[str, Any]]

    def __repr__(self) -> str:
        words = ["Self-check:"]
        for number, asked in enumerate(self.questions, 1):
            choices = zip("abcdef", asked["choices"])
            words.append(f"{number}. {asked['question']}")
            words += [f"({letter}) {each['choice']}" for letter, each in choices]
        return " ".join(words)

    def _repr_html_(self) -> str:
        items = "".join(self._item(i, asked) for i, asked in enumerate(self.questions, 1))
        return f'{_STYLE}<div class="measures self-check">\n<ol>\n{items}</ol>\n</div>\n'

    def _item(self, number: int, asked: Mapping[str, Any]) -> str:
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
    """Return the questions of a chapter's lesson, each choice with its answer, in a fixed order.

    >>> len(self_check("foundations").questions)
    5
    """
    questions = []
    for asked in lesson(name)["questions"]:
        choices = asked["choices"]
        mixed = Random(asked["question"]).sample(choices, len(choices))
        questions.append({**asked, "choices": mixed})
    return SelfCheck(name, questions)
