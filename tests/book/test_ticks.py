"""What a tick is worth: right answers pass in any form, wrong ones do not, and many are named."""

import re
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from answered import ANSWERS, rows, value_of
from scipy import stats

from lib.measures import complete_scores
from lib.papers.tomlinson2006.tables import PAIRS
from lib.statistics.correlation import kendall
from lib.statistics.impact import differences
from lib.statistics.multiplicity import holm
from lib.statistics.power import power
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import t_test
from lib.teaching import calls, check, named
from lib.teaching.exercises import KINDS, SAID, examine, exercises

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
        if all(isinstance(key, str) for key in right):
            answers += [{key.lower(): value for key, value in right.items()}]
    for answer in answers:
        verdict = check(label, answer)
        assert verdict.right, (answer, verdict)


RIGHT_VALUES = [
    (
        "foundations-exercise-list",
        {"p_5": "2/5", "recall_10": 2 / 3, "recip_rank": 0.5, "map": 0.3},
    ),
    ("foundations-exercise-list", {"p@5": Decimal("0.4"), "r@10": "2/3", "rr": "1/2", "ap": ".3"}),
    ("foundations-exercise-list", {"P@5": "40%", "R@10": "0,667", "RR": ".5", "AP": 0.3}),
    ("foundations-exercise-tau", "4/10"),
    ("foundations-exercise-tau", Fraction(2, 5)),
    ("foundations-exercise-tau", pd.Series([0.4])),
    ("foundations-exercise-topics", {25: np.int64(1812), 50: "3,085"}),
    ("foundations-exercise-persistence", {"read": 20, "p": 0.95}),
    ("foundations-exercise-persistence", {"read": "15", "p": ".933"}),
    ("foundations-exercise-persistence", {"read": 30, "p": 0.967}),
    ("foundations-exercise-persistence", {"read": 200, "p": 0.995}),
    ("webber2008-exercise-verdict", {"a": "Inconclusive ", "b": True, "c": "No", "d": "YES"}),
    ("webber2008-exercise-margin", {"systems": 50, "pairs": 10, "margin": 20 / 1225}),
    ("webber2008-exercise-margin", {"systems": 10, "pairs": 1, "margin": "2/45"}),
    ("webber2010-exercise-budget", {"AP": (25, 10, "map"), "P@10": (25.0, "10", "AP")}),
    ("webber2010-exercise-plan", {"judgements": 3000, "topics": 10, "pool": 10}),
    ("tomlinson2006-exercise-independent", 0.061),
    ("tomlinson2006-exercise-independent", "6.7%"),
    (
        "tomlinson2006-exercise-gs10",
        {"RR": "1/2, 1/36", "GS10": (0.074, 0.111), "success_10": [0, 1]},
    ),
    ("tomlinson2006-exercise-decision", {"measure": "p@10", "topics": 400}),
    ("elsewhere-exercise-between", {"Q": 8.0, "tau²": 0.07}),
    ("elsewhere-exercise-choose", pd.Series(exercises()["elsewhere-exercise-choose"].right)),
    ("machines-exercise-power", {"judge": "exam", "pairs": 0.612, "tau": 0.838}),
    ("thom2007-exercise-ties", {"tau_a": "1/2", "tau_b": 3 / 30**0.5}),
]


@pytest.mark.parametrize(("label", "answer"), RIGHT_VALUES)
def test_a_right_value_as_a_student_wrote_it_is_right(label, answer):
    assert check(label, answer).right, check(label, answer)


def test_a_row_of_a_table_is_an_answer():
    row = pd.Series({"phi": 0.5, **exercises()["webber2008-exercise-topics"].right})
    for answer in (row, dict(row), pd.DataFrame([row])):
        assert check("webber2008-exercise-topics", answer).right


# Right functions: the same in other words, and some that change what they are given


def ap_popping(grades, relevant):
    found = rank = total = 0
    while grades:
        rank += 1
        if grades.pop(0):
            found += 1
            total += found / rank
    return total / relevant


def bounds_popping(ranked, judged, k):
    grades = [judged.pop(one, None) for one in ranked[:k]]
    least = sum(1 for grade in grades if grade)
    return np.array([least, least + grades.count(None)]) / k


def holm_sorting(p_values, alpha):
    p_values.sort()
    while p_values and p_values[0] <= alpha / len(p_values):
        p_values.pop(0)
        alpha = alpha  # the bar is that of those that are left
    return len(p_values)


def rejected(p_values, alpha):
    left = deepcopy(p_values)
    return len(left) - holm_sorting(left, alpha)


def significant_pairs(collection):
    p = t_test(complete_scores(collection, "P@10"))
    return pd.Series({"before": (p < 0.05).sum(), "after": (holm(p) < 0.05).sum()})


def predictive_in_numpy(one, other, sets):
    one, other = one.to_numpy(), other.to_numpy()
    ends = [(one[a].mean(axis=0).round(9), other[b].mean(axis=0).round(9)) for a, b in sets]
    return np.mean([kendall(x, y, variant="b") for x, y in ends])


def five_changing(changes):
    signs = np.sign(changes.mean().round(9))
    p = np.nan_to_num(stats.ttest_1samp(changes, 0).pvalue, nan=1)
    changes[:] = 0
    z = (signs == 0).sum()
    no, po = ((signs == side) & (p >= 0.05) for side in (-1, 1))
    return ((signs < 0).sum() - no.sum(), no.sum(), z, po.sum(), (signs > 0).sum() - po.sum())


def verdict_by_hand(collection, pairs, by):
    x = differences(collection, pairs, by).to_numpy().mean(axis=1)
    reach = stats.t.ppf(0.975, len(x) - 1) * x.std(ddof=1) / len(x) ** 0.5
    return "Rises" if x.mean() > reach else "falls" if x.mean() < -reach else "inconclusive"


def worth_exactly(people, machine, n):
    people, total = np.array(people), len(people)
    left = (1 / n - 1 / total) * np.var(people - np.array(machine), ddof=1)
    return Decimal(float(1 / (left / np.var(people, ddof=1) + 1 / total)))


def mean_of_effects(estimates, errors):
    return str(random_effects(estimates, errors).estimate)


RIGHT_FUNCTIONS = [
    ("foundations-exercise-ap", ap_popping),
    ("foundations-exercise-ap", lambda g, r: str(ap_popping(list(g), r))),
    ("foundations-exercise-ap", lambda g, r: pd.Series([ap_popping(g, r)])),
    ("foundations-exercise-bounds", bounds_popping),
    ("foundations-exercise-bounds", lambda *a: pd.Series(bounds_popping(*a))),
    ("foundations-exercise-holm", rejected),
    ("foundations-exercise-own", significant_pairs),
    ("webber2008-exercise-power", predictive_in_numpy),
    ("webber2008-exercise-error", lambda x: stats.sem(x) * (len(x) - 1)),
    ("tomlinson2006-exercise-five", five_changing),
    ("tomlinson2006-exercise-own", verdict_by_hand),
    ("elsewhere-exercise-mean", mean_of_effects),
    ("machines-exercise-worth", worth_exactly),
    ("webber2010-exercise-meaningless", lambda n, m: pd.DataFrame([[-i for i in range(m)]] * n)),
    ("webber2010-exercise-meaningless", lambda n, m: [[i**2 for i in range(m)] for _ in range(n)]),
    ("spending-exercise-cost", lambda b, p, d, s, t, r: b // (p + t + r * s * d)),
    ("thom2007-exercise-basic", lambda tau, low, high: (tau + (tau - high), tau + (tau - low))),
]


@pytest.mark.parametrize(("label", "function"), quick(RIGHT_FUNCTIONS))
def test_a_right_function_is_right_again_and_again(label, function):
    assert all(check(label, function).right for _ in range(2)), check(label, function)


def solution(label):
    """Return the function that a label's calls are solved by, or one of the right ones."""
    if exercises()[label].holds:
        return lambda topics, systems: np.tile(np.arange(systems), (topics, 1))
    return calls.DRAWN[label].right


@pytest.mark.parametrize("label", quick(FUNCTIONS))
def test_the_solution_is_right_with_any_seed(label):
    solved = solution(label)

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
        if not isinstance(next(iter(right)), str):
            yield "keys as text", {str(key): value for key, value in right.items()}


@pytest.mark.parametrize("label", VALUES)
def test_no_slip_passes_and_the_plain_ones_are_named(label):
    for slip, answer in spoilt(label):
        verdict = check(label, answer)
        assert not verdict.right, (slip, answer)
        if slip == "keys as text":
            assert "must be the numbers" in verdict.said
        if slip == "a list":
            assert "must be a dict with the keys" in verdict.said
        if slip == "nan" and all(
            isinstance(x, float) for x in np.ravel([exercises()[label].right])
        ):
            assert KINDS["nan"] in verdict.said


def printing(label):
    def function(*arguments):
        print(solution(label)(*arguments))

    return function


def listed_only(label):
    """Return a function that looks the listed answers up."""
    exercise = exercises()[label]
    known = {repr([named.resolved(one) for one in call]): right
             for call, right in zip(exercise.arguments, exercise.right)}  # fmt: skip
    return lambda *arguments: known.get(repr(list(arguments)))


@pytest.mark.parametrize("label", quick(FUNCTIONS))
def test_a_function_that_prints_forgets_or_looks_up_is_found_out(label):
    assert "prints, and returns nothing" in check(label, printing(label)).said
    assert check(label, lambda *arguments: None).right is None
    one = replace(exercises()[label], drawn=None)
    assert examine(listed_only(label), one).right  # on what is listed it is right
    said = check(label, listed_only(label))
    assert not said.right and said.said.count("is right") + said.said.count("not right yet") == 1


def test_a_wrong_function_is_shown_one_call():
    said = check("foundations-exercise-ap", lambda grades, relevant: 7.0).said
    assert said.count("On [") == 1 and said.endswith("is right.")


def wrong_ap(*, by=lambda grades, relevant, found: relevant, grade=1, depth=None, start=1):
    def average_precision(grades, relevant):
        found = total = 0
        for rank, one in enumerate(grades[:depth], start):
            if one:
                found += one if grade == 2 else 1
                total += found / rank
        return total / by(grades, relevant, found)

    return average_precision


def first_set(one, other, sets):
    for a, b in sets:
        return kendall(one.iloc[a].mean().round(9), other.iloc[b].mean().round(9), variant="b")
    return None


def over_sets(one, other, sets, *, summed=np.mean, variant="b", same=False):
    ends = [(a, a if same else b) for a, b in sets]
    return summed([
        kendall(one.iloc[a].mean().round(9), other.iloc[b].mean().round(9), variant=variant)
        for a, b in ends
    ])  # fmt: skip


def judged_verdict(collection, pairs, by, *, sample):
    interval = stats.ttest_1samp(
        sample(differences(collection, pairs, by)), 0
    ).confidence_interval()
    return "rises" if interval.low > 0 else "falls" if interval.high < 0 else "inconclusive"


def by_sign(collection, pairs, by):
    return "rises" if differences(collection, pairs, by).to_numpy().mean() > 0 else "falls"


def holm_without_stop(p_values, alpha):
    return sum(p <= alpha / (len(p_values) - i) for i, p in enumerate(sorted(p_values)))


def holm_unsorted(p_values, alpha):
    return sum(p <= alpha / (len(p_values) - i) for i, p in enumerate(p_values))


def pairs_both(one, other, count):
    signs = [(a - b) * (c - d) for a, c in zip(one, other) for b, d in zip(one, other)]
    return count(signs)


def no_tau2(estimates, errors):
    w = 1 / np.square(errors)
    return (w @ estimates) / w.sum()


def bare_tau2(estimates, errors):
    w = 1 / np.square(errors)
    q = w @ (estimates - no_tau2(estimates, errors)) ** 2
    tau2 = (q - len(w) + 1) / (w.sum() - (w**2).sum() / w.sum())
    return no_tau2(estimates, np.sqrt(np.square(errors) + tau2))


# Function, and whether its mistake is named.
WRONG_FUNCTIONS = [
    ("foundations-exercise-ap", wrong_ap(by=lambda g, r, found: found), True),
    ("foundations-exercise-ap", wrong_ap(by=lambda g, r, found: min(r, len(g))), True),
    ("foundations-exercise-ap", wrong_ap(by=lambda g, r, found: len(g)), False),
    ("foundations-exercise-ap", wrong_ap(grade=2), True),
    ("foundations-exercise-ap", wrong_ap(depth=10), True),
    ("foundations-exercise-ap", wrong_ap(start=0), False),
    ("foundations-exercise-ap", wrong_ap(start=2), False),
    ("foundations-exercise-ap", wrong_ap(depth=5), False),
    ("foundations-exercise-ap", lambda g, r: 100 * ap_popping(g, r), True),
    ("foundations-exercise-ap", lambda g, r: -ap_popping(g, r), True),
    ("foundations-exercise-ap", lambda g, r: round(ap_popping(g, r), 2), False),
    ("foundations-exercise-ap", lambda g, r: sum(map(bool, g)) / r, False),
    ("foundations-exercise-ap", wrong_ap(by=lambda g, r, found: found, grade=2), False),
    ("foundations-exercise-ap", lambda g: 0.5, False),
    ("foundations-exercise-ap", lambda g, r: np.mean([i for i in g if i > 5]), True),
    ("foundations-exercise-bounds",
     lambda r, j, k: (sum(j.get(d, 0) > 0 for d in r[:k]) / k, 1), False),
    ("foundations-exercise-bounds", lambda r, j, k: bounds_popping(r, j, len(r)), True),
    ("foundations-exercise-bounds", lambda r, j, k: bounds_popping(r, j, k)[::-1], True),
    ("foundations-exercise-bounds",
     lambda r, j, k: bounds_popping(r, j, k) * min(k, len(r)), False),
    ("foundations-exercise-bounds",
     lambda r, j, k: bounds_popping(r, j, k) * k / min(k, len(r)), True),
    ("foundations-exercise-bounds",
     lambda r, j, k: bounds_popping(r, {d: g for d, g in j.items() if g}, k), True),
    ("foundations-exercise-bounds", lambda r, j, k: [bounds_popping(r, j, k)[0]] * 2, True),
    ("foundations-exercise-bounds", lambda r, j, k: 100 * bounds_popping(r, j, k), False),
    ("foundations-exercise-holm", lambda p, a: sum(x <= a / len(p) for x in p), True),
    ("foundations-exercise-holm", lambda p, a: sum(x <= a for x in p), True),
    ("foundations-exercise-holm",
     lambda p, a: int((stats.false_discovery_control(p) <= a).sum()), True),
    ("foundations-exercise-holm", holm_without_stop, True),
    ("foundations-exercise-holm", holm_unsorted, True),
    ("foundations-exercise-holm", lambda p, a: len(p) - rejected(p, a), False),
    ("foundations-exercise-holm", lambda p, a: rejected(p, a) > 0, False),
    ("foundations-exercise-own",
     lambda c: [(t_test(complete_scores(c, "P@10")) < 0.05).sum()] * 2, True),
    ("foundations-exercise-own", lambda c: significant_pairs(c)[::-1], False),
    ("foundations-exercise-own", lambda c: len(c.systems), False),
    ("webber2008-exercise-power", first_set, True),
    ("webber2008-exercise-power", partial(over_sets, summed=np.median), True),
    ("webber2008-exercise-power", partial(over_sets, variant="a"), True),
    ("webber2008-exercise-power", partial(over_sets, same=True), True),
    ("webber2008-exercise-power", partial(over_sets, summed=np.sum), False),
    ("webber2008-exercise-power", partial(over_sets, summed=max), True),
    ("webber2008-exercise-power", lambda one, other, sets: over_sets(other, one, sets), False),
    ("webber2008-exercise-error", np.std, False),
    ("webber2008-exercise-error", partial(np.std, ddof=1), True),
    ("webber2008-exercise-error", stats.sem, True),
    ("webber2008-exercise-error", lambda x: np.var(x) * (len(x) - 1), False),
    ("thom2007-exercise-tau-ap", lambda e, t: kendall(e, t, variant="a"), True),
    ("thom2007-exercise-tau-ap",
     lambda e, t: calls.correlation.tau_ap(t, e, symmetric=False), True),
    ("thom2007-exercise-tau-ap",
     lambda e, t: calls.correlation.tau_ap(e, t, symmetric=True), False),
    ("thom2007-exercise-tau-ap", lambda e, t: stats.spearmanr(e, t)[0], False),
    ("thom2007-exercise-tau-ap",
     lambda e, t: (calls.correlation.tau_ap(e, t, symmetric=False) + 1) / 2, False),
    ("thom2007-exercise-basic", lambda tau, low, high: (low, high), True),
    ("thom2007-exercise-basic", lambda tau, low, high: (2 * tau - low, 2 * tau - high), True),
    ("thom2007-exercise-basic", lambda tau, low, high: 2 * tau - high, False),
    ("thom2007-exercise-basic",
     lambda tau, low, high: (tau - (high - low) / 2, tau + (high - low) / 2), True),
    ("thom2007-exercise-noise", lambda a, o, p: a / (o * p) ** 0.5, True),
    ("thom2007-exercise-noise", lambda a, o, p: a, False),
    ("thom2007-exercise-noise", lambda a, o, p: a / (o * p), False),
    ("tomlinson2006-exercise-five", lambda c: [(c.mean() < 0).sum(), 0, 0, 0, 0], False),
    ("tomlinson2006-exercise-five", lambda c: calls.DRAWN[
        "tomlinson2006-exercise-five"].right(c)[::-1], False),
    ("tomlinson2006-exercise-five", lambda c: five_changing(-c), False),
    ("tomlinson2006-exercise-own", by_sign, True),
    ("tomlinson2006-exercise-own", partial(judged_verdict, sample=lambda d: d.mean()), True),
    ("tomlinson2006-exercise-own", partial(judged_verdict, sample=np.ravel), True),
    ("tomlinson2006-exercise-own", lambda c, pairs, by: verdict_by_hand(c, PAIRS, "AP"), False),
    ("tomlinson2006-exercise-own", lambda c, pairs, by: "inconclusive", False),
    ("webber2010-exercise-meaningless", lambda n, m: np.zeros((n, m)), True),
    ("webber2010-exercise-meaningless", lambda n, m: np.tile(np.arange(m), (n, 1)).T, True),
    ("webber2010-exercise-meaningless", lambda n, m: np.arange(n * m).reshape(m, n).T % n, True),
    ("webber2010-exercise-meaningless", lambda n, m: np.random.default_rng(1).random((n, m)), True),
    ("webber2010-exercise-weak", lambda c: [0.5, 0.5], False),
    ("elsewhere-exercise-mean", no_tau2, True),
    ("elsewhere-exercise-mean", bare_tau2, True),
    ("elsewhere-exercise-mean", lambda estimates, errors: np.mean(estimates), True),
    ("elsewhere-exercise-mean", lambda estimates, errors: np.median(estimates), False),
    ("elsewhere-exercise-without", lambda e, s: [random_effects(e, s).estimate] * len(e), True),
    ("elsewhere-exercise-without", lambda e, s: [
        float(np.mean(np.delete(e, i))) for i in range(len(e))], True),
    ("spending-exercise-cost", lambda b, p, d, s, t, r: b / (p + t + r * s * d), True),
    ("spending-exercise-cost", lambda b, p, d, s, t, r: -int(-b // (p + t + r * s * d)), False),
    ("spending-exercise-cost", lambda b, p, d, s, t, r: int(b / (p + r * s * d)), True),
    ("spending-exercise-cost", lambda b, p, d, s, t, r: int(b / (p + t + r * d)), True),
    ("spending-exercise-power", lambda d, s: np.ceil((2.8 * s / d) ** 2), True),
    ("spending-exercise-power",
     lambda d, s: next(n for n in range(2, 999) if power(d, s, n) >= 0.5), True),
    ("spending-exercise-power", lambda d, s: 1 + next(
        n for n in range(2, 999) if power(d, s, n) >= 0.8), False),
    ("left-out-exercise-count", lambda r, j, k: sum(d in j for d in r[:k]) / len(r[:k]), True),
    ("left-out-exercise-count", lambda r, j, k: sum(d not in j for d in r[:k]) / k, True),
    ("left-out-exercise-count", lambda r, j, k: sum(d not in j for d in r) / len(r), True),
    ("left-out-exercise-count", lambda r, j, k: sum(d not in j for d in r[:k]), True),
    ("machines-exercise-reversed",
     lambda a, b: pairs_both(a, b, lambda x: sum(s < 0 for s in x)), True),
    ("machines-exercise-reversed",
     lambda a, b: pairs_both(a, b, lambda x: (sum(s <= 0 for s in x) - len(a)) // 2), True),
    ("machines-exercise-reversed",
     lambda a, b: pairs_both(a, b, lambda x: sum(s > 0 for s in x) // 2), False),
    ("machines-exercise-worth", lambda p, m, n: n * np.var(p, ddof=1) / np.var(
        np.subtract(p, m), ddof=1), True),
    ("machines-exercise-worth", lambda p, m, n: float(n), True),
    ("machines-exercise-worth", lambda p, m, n: float(worth_exactly(m, p, n)), False),
]  # fmt: skip
LOCATED = tuple(f"{KINDS[kind]}: " for kind in ("right", "wrong", "missing", "more"))
CALL = re.compile(r"\bOn (?=[\[{\d]|the ).*", flags=re.DOTALL)  # on which it fails


def is_named(said):
    """Return whether more is said than which part is wrong, or on which call."""
    parts = CALL.sub("", said).replace(SAID["else"], "").split(". ")
    return any(part and not part.startswith(LOCATED) for part in parts)


@pytest.mark.parametrize(("label", "function", "known"), quick(WRONG_FUNCTIONS))
def test_a_wrong_function_is_not_right_and_its_mistake_is_known_or_not(label, function, known):
    verdict = check(label, function)
    assert verdict.right is False
    assert is_named(verdict.said) == known, verdict


B = {"P@5": 0.4, "R@10": 2 / 3, "RR": 0.5, "AP": 0.3}
WRONG_VALUES = [
    ("foundations-exercise-list", {**B, "AP": 0.45}, True),
    ("foundations-exercise-list", {**B, "RR": 2, "AP": 0.45}, True),  # two at once
    ("foundations-exercise-list", {**B, "RR": 2, "AP": 30}, True),
    ("foundations-exercise-list", {"P@5": 40, "R@10": 66.7, "RR": 50, "AP": 30}, True),
    ("foundations-exercise-list", {**B, "P@5": 0.2}, False),
    ("foundations-exercise-list", {**B, "R@10": 0.2}, True),
    ("foundations-exercise-list", {**B, "AP": 0.9}, False),
    ("foundations-exercise-list", {**B, "AP": nan}, True),
    ("foundations-exercise-list", 0.4, True),
    ("foundations-exercise-list", [0.4, 0.667, 0.5, 0.3], True),
    ("foundations-exercise-tau", 0.7, True),
    ("foundations-exercise-tau", 0.3, True),
    ("foundations-exercise-tau", -0.4, True),
    ("foundations-exercise-tau", 40, True),
    ("foundations-exercise-tau", 0.6, False),
    ("foundations-exercise-tau", 4, False),
    ("foundations-exercise-tau", "2/6", False),
    ("foundations-exercise-tau", {"tau": 0.4}, False),
    ("foundations-exercise-topics", {25: 5340, 50: 5982}, True),
    ("foundations-exercise-topics", {25: 1542, 50: 3085}, True),
    ("foundations-exercise-topics", {25: 3085, 50: 1812}, True),
    ("foundations-exercise-topics", {"25": 1812, "50": 3085}, True),
    ("foundations-exercise-topics", {25: 1812.4, 50: 3085}, False),
    ("foundations-exercise-persistence", {"read": 1000, "p": 1}, True),
    ("foundations-exercise-persistence", {"read": 200, "p": 0.999}, False),
    ("foundations-exercise-persistence", {"read": 10, "p": 0.1}, True),
    ("foundations-exercise-persistence", {"read": 4, "p": 0.8}, False),
    ("foundations-exercise-persistence", {"read": 2, "p": 0.52}, False),
    ("foundations-exercise-persistence", {"read": 5}, False),
    ("webber2008-exercise-split", {"P@10 by itself": 1 / 3, "P@10 by AP": 2 / 3}, True),
    ("webber2008-exercise-split", {"P@10 by itself": 2 / 3, "P@10 by AP": 0.75}, True),
    ("webber2008-exercise-split", {"P@10 by itself": 0.5, "P@10 by AP": 1 / 3}, True),
    ("webber2008-exercise-half", {"of 50": 50, "of 249": 249, "for a point at 50": 100}, True),
    ("webber2008-exercise-half", {"of 50": 25, "of 249": 125, "for a point at 50": 100}, False),
    ("webber2008-exercise-half", {"of 50": 25, "of 249": 124.5, "for a point at 50": 50}, False),
    ("webber2008-exercise-verdict", dict.fromkeys("ABCD", "inconclusive"), True),
    ("webber2008-exercise-verdict", dict(zip("ABCD", ["yes", "yes", "no", "yes"])), True),
    ("webber2008-exercise-verdict", dict(zip("ABCD", ["no", "yes", "no", "yes"])), False),
    ("webber2008-exercise-margin", {"systems": 50, "pairs": 1, "margin": 0.005}, False),
    ("webber2008-exercise-margin", {"systems": 5, "pairs": 1, "margin": -0.2}, True),
    ("webber2008-exercise-margin", {"systems": 5, "pairs": 1, "margin": 0.1}, True),
    ("webber2008-exercise-margin", {"systems": 5, "pairs": 11, "margin": 2.2}, True),
    ("webber2008-exercise-topics", {"lead": 0.014, "low": -0.061, "high": 0.09}, True),
    ("webber2008-exercise-topics", {"lead": 0.0602, "low": 0.0218, "high": 0.142}, True),
    ("webber2008-exercise-depth", {"P@10": 10, "AP": 500}, True),
    ("webber2008-exercise-depth", {"P@10": 10, "AP": 1000}, True),  # two at once
    ("webber2008-exercise-depth", {"P@10": 500, "AP": 50}, True),
    ("webber2008-exercise-all", {0.5: 42.4, 0.75: 49.7, 1.0: 69.9}, True),
    ("webber2008-exercise-all", {"0.5": 0.424, "0.75": 0.497, "1.0": 0.699}, True),
    ("thom2007-exercise-ties", {"tau-a": 2 / 3, "tau-b": 0.548}, True),
    ("thom2007-exercise-ties", {"tau-a": 0.5, "tau-b": 0.6}, True),
    ("thom2007-exercise-ties", {"tau-a": 0.5, "tau-b": 0.55}, True),
    ("thom2007-exercise-first", {"least": 0.7, "most": 0.4}, True),
    ("thom2007-exercise-first", {"least": 0, "most": 1}, True),
    ("thom2007-exercise-first", {"least": 0.35, "most": 0.7}, False),
    ("thom2007-exercise-top", {"all": 0.684, "top half": 0.691, "bottom half": 0.473}, True),
    ("thom2007-exercise-purpose", {"measure": "map", "collection": "trec8", "tau": 1}, True),
    ("thom2007-exercise-purpose", {"measure": "RR", "collection": "trec8", "tau": 0.5}, False),
    ("thom2007-exercise-purpose",
     {"measure": "nonsense", "collection": "trec8", "tau": 0.5}, False),
    ("tomlinson2006-exercise-i0",
     {"RR": 0.5, "IPrec@0.0": 0.5, "RR after": 0.05, "IPrec@0.0 after": 0.5}, True),
    ("tomlinson2006-exercise-gs10",
     {"RR": [0.5, 0.028], "GS10": [0.926, 0.5], "Success@10": [0, 1]}, False),
    ("tomlinson2006-exercise-gs10",
     {"RR": [-0.5, -0.028], "GS10": [-0.074, -0.111], "Success@10": [0, -1]}, True),
    ("tomlinson2006-exercise-weight", {0.1: 9, 1.0: 21}, False),
    ("tomlinson2006-exercise-weight", {0.1: 22, 1.0: 7}, True),
    ("tomlinson2006-exercise-independent", 0.051, False),
    ("tomlinson2006-exercise-independent", 0.079, False),
    ("tomlinson2006-exercise-independent", 1 / 128, True),
    ("tomlinson2006-exercise-independent", 6.56, True),
    ("tomlinson2006-exercise-independent", 656, False),
    ("tomlinson2006-exercise-losers", {"rises": 26, "stays": 76, "falls": 24}, True),
    ("tomlinson2006-exercise-decision", {"measure": "GS10", "topics": 100}, True),
    ("tomlinson2006-exercise-decision", {"measure": "GS10", "topics": "many"}, False),
    ("webber2010-exercise-pool", {"known": 4, "A": 0.5, "B": 0.5, "C": 0.75}, True),
    ("webber2010-exercise-pool", {"known": 2, "A": 0.25, "B": 0.5, "C": 0.75}, True),
    ("webber2010-exercise-lengths", {100: [-3, 0], 1000: [1, -6]}, True),
    ("webber2010-exercise-budget", {"AP": [25, 50, "AP"], "P@10": [25, 10, "P@10"]}, True),
    ("webber2010-exercise-plan", {"judgements": 7000, "topics": 1, "pool": 5}, True),
    ("webber2010-exercise-plan", {"judgements": 700, "topics": 50, "pool": 5}, True),
    ("webber2010-exercise-standardized",
     {"R@10": [20, 40, 60], "sP@10": [-1.225, 0, 1.225], "sR@10": [-1.225, 0, 1.225]}, True),
    ("spending-exercise-unjudged", {"AP": 2 / 3, "RBP": 0.625, "residual": 0.3125}, True),
    ("spending-exercise-unjudged", {"AP": 5 / 9, "RBP": 0.375, "residual": 0.625}, True),
    ("spending-exercise-outside", {"inside": 0.5, "outside": 0.6875}, True),
    ("spending-exercise-lab",
     {"pilot": "trec8", "depth": 5, "measure": "AP", "topics": 57, "power": 0.59}, True),
    ("machines-exercise-kappa", {"agreement": 0.7, "kappa": 0.4}, True),
    ("machines-exercise-kappa", {"agreement": 0.4, "kappa": 0.16}, True),
    ("machines-exercise-kappa", {"agreement": 70, "kappa": 34.8}, True),
    ("machines-exercise-difference", {"estimate": 0.4, "error": 0.05}, True),
    ("machines-exercise-difference", {"estimate": 0.25, "error": 0.04}, True),
    ("machines-exercise-power", {"judge": "Llama 3.2", "pairs": 0.616, "tau": 0.784}, True),
    ("elsewhere-exercise-alone", {"mean": 0.055, "low": 0.013, "high": 0.097}, True),
    ("elsewhere-exercise-alone", {"mean": -0.055, "low": -0.1138, "high": 0.0038}, True),
    ("elsewhere-exercise-between", {"Q": 4, "tau2": 0.08}, True),
    ("elsewhere-exercise-choose",
     {"tau2": 0, "low": -0.00625, "high": 0.01958, "within": True}, True),
    ("elsewhere-exercise-shared", {"apart": -0.0401, "with all of Robust 2004": -0.0401}, True),
]  # fmt: skip


@pytest.mark.parametrize(("label", "answer", "known"), WRONG_VALUES)
def test_a_wrong_value_is_not_right_and_its_mistake_is_known_or_not(label, answer, known):
    verdict = check(label, answer)
    assert verdict.right is False
    assert is_named(verdict.said) == known, verdict


def test_two_mistakes_at_once_are_both_named():
    said = check("foundations-exercise-list", {**B, "RR": 2, "AP": 0.45}).said
    ap, rank, _ = exercises()["foundations-exercise-list"].wrong
    assert ap["say"] in said and rank["say"] in said
    said = check("foundations-exercise-list", {"P@5": 40, "R@10": 66.7, "RR": 0.4, "AP": nan}).said
    for part in (f"{KINDS['percent']}: P@5, R@10.", f"{KINDS['nan']}: AP.", "Not right yet: RR."):
        assert part in said


@pytest.mark.parametrize(("label", "kind", "text"), quick(rows()))
def test_an_answer_of_the_table_is_told_what_it_is(label, kind, text):
    verdict = check(label, value_of(text), seed=1)
    assert verdict.right is (kind == "right"), verdict
    assert kind == "right" or is_named(verdict.said) == (kind == "named"), verdict


def test_the_table_is_long_and_a_third_of_the_wrong_are_named():
    assert ANSWERS.keys() <= exercises().keys() and len(ANSWERS) > 60
    kinds = Counter(kind for _, kind, _ in rows())
    functions = sum(label in FUNCTIONS for label, *_ in rows())
    assert kinds.total() >= 450 and functions >= kinds.total() / 5
    assert kinds["named"] >= (kinds["named"] + kinds["wrong"]) / 3


def test_every_function_is_tried_on_drawn_calls():
    assert calls.DRAWN.keys() == set(FUNCTIONS)
