"""What a tick is worth: right answers pass in any form, wrong ones do not, and many are named."""

import re
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from answered import ANSWERS, rows, value_of

from book.teaching.course import assignments
from book.teaching.myst import Book
from chapters.exercises import check, drawn_calls
from chapters.exercises.arguments import resolved
from chapters.exercises.checks import REPLIES, SAID, examine, exercises

nan = float("nan")
VALUES = [label for label, one in exercises().items() if not one.arguments and not one.holds]
FUNCTIONS = [label for label, one in exercises().items() if one.arguments]
# Long: what takes whole collections; the others go the same way through the checks.
COSTLY = [label for label in FUNCTIONS if "collection" in str(exercises()[label].arguments)]


def quick(rows):
    """Return the rows of a table, or labels, the costly ones marked."""
    rows = [row if isinstance(row, tuple) else (row,) for row in rows]
    marks = [[pytest.mark.long] * (row[0] in COSTLY) for row in rows]
    return [pytest.param(*row, marks=mark) for row, mark in zip(rows, marks)]


# Right answers in many forms


def form(change, right):
    """Return an answer with each number in another form."""
    if isinstance(right, dict):
        return {key: form(change, value) for key, value in right.items()}
    if isinstance(right, list):
        return [form(change, value) for value in right]
    return change(right) if isinstance(right, (int, float)) and right is not bool(right) else right


FORMS = {
    "text": lambda x: repr(x),
    "numpy": np.float64,
    "decimal": lambda x: Decimal(repr(x)),
    "fraction": lambda x: str(Fraction(repr(x))),
    "comma": lambda x: f"{x:.6f}".replace(".", ","),
    "minus": lambda x: f"{x:.6f}".replace("-", "−"),
    "a bit off": lambda x: x + 3e-5 if x % 1 else x,
}


@pytest.mark.parametrize("label", VALUES)
def test_a_right_value_is_right_in_every_form(label):
    right = exercises()[label].right
    answers = [form(change, right) for change in FORMS.values()]
    if isinstance(right, dict):
        answers += [pd.Series(right), dict(reversed(right.items())), {**right, "besides": 1.0}]
        answers += [{k: np.array(v) if isinstance(v, list) else v for k, v in right.items()}]
        answers += [{str(key).lower(): value for key, value in right.items()}]
    for answer in answers:
        verdict = check(label, answer)
        assert verdict.right, (answer, verdict)


def test_a_row_of_a_table_is_an_answer():
    row = pd.Series({"phi": 0.5, **exercises()["webber2008-exercise-topics"].right})
    for answer in (row, dict(row), pd.DataFrame([row])):
        assert check("webber2008-exercise-topics", answer).right


@pytest.mark.parametrize("label", quick(drawn_calls.DRAWN))
def test_the_solution_is_right_with_any_seed(label):
    solved = drawn_calls.DRAWN[label].right

    def as_series(*arguments):
        found = solved(*arguments)
        return pd.Series(found) if isinstance(found, list) else found

    for seed, function in enumerate((solved, as_series)):
        verdict = check(label, function, seed=seed)
        assert verdict.right, verdict


# Wrong ones


def spoilt(label):
    """Yield answers with each of the commonest slips: what was done, the answer."""
    right = exercises()[label].right
    entries = right if isinstance(right, dict) else {"": right}

    def changed(change):
        changed = {key: form(change, value) for key, value in entries.items()}
        return changed if isinstance(right, dict) else changed[""]

    slips = {
        "percent": lambda x: 100 * x,
        "sign": lambda x: -x,
        "one less": lambda x: 1 - x,
        "more": lambda x: x + 1,
        "half": lambda x: x / 2 + 2,
        "nan": lambda x: nan,
        "upside down": lambda x: 1 / x if x else 7,
        "rounded": lambda x: round(x, 1) if abs(round(x, 1) - x) > 0.01 else x + 0.06,
        "words": lambda x: "about half",
    }
    for slip, change in slips.items():
        if (answer := changed(change)) != right:
            yield slip, answer
    if isinstance(right, dict) and len(entries) > 1:
        values = list(right.values())
        if values[1:] + values[:1] != values:
            yield "exchanged", dict(zip(right, values[1:] + values[:1]))
        yield "a list", values
        yield "one missing", {**right, next(iter(right)): ...}


@pytest.mark.parametrize("label", VALUES)
def test_no_slip_passes_and_the_plain_ones_are_named(label):
    for slip, answer in spoilt(label):
        verdict = check(label, answer)
        assert not verdict.right, (slip, answer)
        if slip == "a list":
            assert "must be a dict with the keys" in verdict.message
        if slip == "nan" and all(
            isinstance(x, float) for x in np.ravel([exercises()[label].right])
        ):
            assert REPLIES["nan"] in verdict.message


def listed_only(label):
    """Return a function that looks the listed answers up."""
    exercise = exercises()[label]
    known = {repr([resolved(one) for one in call]): right
             for call, right in zip(exercise.arguments, exercise.right)}  # fmt: skip
    return lambda *arguments: known.get(repr(list(arguments)))


@pytest.mark.parametrize("label", quick(drawn_calls.DRAWN))
def test_a_function_that_prints_forgets_or_looks_up_is_found_out(label):
    solved = drawn_calls.DRAWN[label].right
    printing = check(label, lambda *arguments: print(solved(*arguments)))
    assert "prints, and returns nothing" in printing.message
    assert check(label, lambda *arguments: None).right is None
    one = replace(exercises()[label], drawn=None)
    assert examine(listed_only(label), one).right  # on what is listed it is right
    right, said, _ = check(label, listed_only(label))
    assert not right and said.count("is right") + said.count("not right yet") == 1


def test_a_wrong_function_is_shown_one_call():
    said = check("foundations-exercise-ap", lambda grades, relevant: 7.0).message
    assert said.count("On [") == 1 and said.endswith("is right.")


LOCATED = tuple(f"{REPLIES[kind]}: " for kind in ("right", "wrong", "missing", "more"))
CALL = re.compile(r"\bOn (?=[\[{\d]|the ).*", flags=re.DOTALL)  # on which it fails


def is_named(said):
    """Return whether more is said than which part is wrong, or on which call."""
    parts = CALL.sub("", said).replace(SAID["else"], "").split(". ")
    return any(part and not part.startswith(LOCATED) for part in parts)


def test_two_mistakes_at_once_are_both_named():
    answer = {"P@5": 0.4, "R@10": 2 / 3, "RR": 2, "AP": 0.45}
    said = check("foundations-exercise-list", answer).message
    ap, rank, _ = exercises()["foundations-exercise-list"].wrong
    assert ap["say"] in said and rank["say"] in said
    given = {"P@5": 40, "R@10": 66.7, "RR": 0.4, "AP": nan}
    said = check("foundations-exercise-list", given).message
    for part in (
        f"{REPLIES['percent']}: P@5, R@10.",
        f"{REPLIES['nan']}: AP.",
        "Not right yet: RR.",
    ):
        assert part in said


@pytest.mark.parametrize(("label", "kind", "text"), quick(rows()))
def test_an_answer_of_the_table_is_told_what_it_is(label, kind, text):
    answer = value_of(text)
    verdict = check(label, answer, seed=1)
    assert verdict.right is (kind == "right"), verdict
    if kind == "right":  # also once more: a function may change what it is given
        assert check(label, answer, seed=1).right
    else:
        assert is_named(verdict.message) == (kind == "named"), verdict


def test_the_table_is_long_and_a_third_of_the_wrong_are_named():
    assert ANSWERS.keys() <= exercises().keys() and len(ANSWERS) > 60
    kinds = Counter(kind for _, kind, _ in rows())
    functions = sum(label in FUNCTIONS for label, *_ in rows())
    assert kinds.total() >= 450 and functions >= kinds.total() / 5
    assert kinds["named"] >= (kinds["named"] + kinds["wrong"]) / 3


def test_every_function_that_a_course_marks_is_tried_on_drawn_calls():
    marked = {label for listed in assignments(Book()).values() for label in listed}
    assert drawn_calls.DRAWN.keys() == marked & set(FUNCTIONS) | {"foundations-exercise-ap"}
