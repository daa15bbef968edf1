"""Items by seed: for each goal of the five sessions a question that is drawn anew for each seed.

The pages' practice, quizzes, worksheets and exams are made from these and from nothing else.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.decisions import above, at_least
from lib.errors import InputError
from lib.intervals import Interval, minus_signs
from lib.measures import dcg, means
from lib.statistics.correlation import kendall
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import t_statistic
from lib.teaching.exercises import Exercise
from lib.teaching.replies import same

READY = tuple(f"page {number}" for number in range(10))  # seeds of what the pages show
VERDICTS = ("supported", "contradicted", "inconclusive")


@dataclass(frozen=True)
class Item:
    """A question with its answer, the way to it, and what is said to known mistakes."""

    question: str  # Markdown, like the solution
    exercise: Exercise
    solution: str
    choices: Sequence[str] = ()  # what the words of an answer are chosen from


Maker = Callable[[Random], Item]
GOALS: dict[str, tuple[str, Maker]] = {}  # number of session and goal, the goal, what draws it


def goal(number: str, words: str) -> Callable[[Maker], Maker]:
    """Register what draws items for a goal, as the session's kit says it."""

    def register(maker: Maker) -> Maker:
        GOALS[number] = words, maker
        return maker

    return register


def item(number: str, seed: str) -> Item:
    """Return the item of a goal for a seed, the same one each time.

    Examples
    --------
    >>> item("5.2", "a word").exercise.right == item("5.2", "a word").exercise.right
    True
    """
    return GOALS[number][1](Random(f"{number} {seed}"))


def exam_items(seed: str, sessions: Sequence[int]) -> dict[str, Item]:
    """Return an item for each goal of some sessions, none of which a page shows."""
    if seed.strip().casefold() in READY or not seed.strip():
        raise InputError("this seed is that of a page: take another word, of any length")
    found = {}
    for number in GOALS:
        if int(number[0]) in sessions:
            shown = {item(number, ready).question for ready in READY}
            tries = (item(number, f"exam {seed} {again}") for again in range(100))
            found[number] = next(one for one in tries if one.question not in shown)
    return found


def _item(question, right, solution, mistakes, *, within=0.0005, choices=()):
    """Return an item; a mistake that is not one with these numbers is left out."""
    wrong = [
        {"answer": {name: _six(value) for name, value in answer.items()}, "say": say}
        for answer, say in mistakes
        if any(not same(answer[name], right[name], 2 * within) for name in answer)
    ]
    right = {key: _six(value) for key, value in right.items()}
    return Item(question, Exercise(right, wrong, within=within), solution, choices)


def _six(value):
    return round(float(value), 6) if isinstance(value, float) else value


def _table(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return columns as a table in Markdown."""
    rows = [list(columns), ["---:"] * len(columns), *zip(*columns.values())]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def _short(value: float, digits: int = 3) -> str:
    """Return a number as the kits print it, without a zero before the point."""
    text = f"{value:.{digits}f}"
    return minus_signs(text.replace("0.", ".", 1) if abs(value) < 1 else text)


def _shown(values, digits=2):
    return [_short(value, digits) for value in values]


def _lists(lists: Mapping[str, str], grades: Mapping[str, int]) -> Collection:
    return Collection.from_rankings(
        {name: {"t": list(one)} for name, one in lists.items()}, {"t": grades}
    )


def _until(draw, good):
    """Return the first draw that will do."""
    while not good(one := draw()):
        pass
    return one


# Session 1


@goal("1.1", "compute P@k, R@k, RR, AP, nDCG and RBP of one list on paper")
def one_list(draw: Random) -> Item:
    """Draw a list of six documents with grades, and a relevant one that it does not have."""
    grades = _until(
        lambda: draw.choices([0, 1, 2], [3, 2, 2], k=6), lambda g: 2 <= np.count_nonzero(g) <= 4
    )
    judged = dict(zip("abcdef", grades)) | {"m": draw.choice([1, 2])}
    found = _lists({"A": "abcdef"}, judged)
    names = ["P@5", "RR", "AP", "nDCG"]
    right = means(found, names).loc["A", names].to_dict()
    ranks = [rank for rank, grade in enumerate(grades, 1) if grade]
    precisions = [f"{k}/{rank}" for k, rank in enumerate(ranks, 1)]
    of_found = right["AP"] * (len(ranks) + 1) / len(ranks)
    gain = float(dcg(found).loc["t", "A"])
    ideal, own = gain / right["nDCG"], sorted(grades, reverse=True)
    ideal_found = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(own, 1))
    question = (
        "A system returned six documents; besides these, one document is relevant, "
        f"of grade {judged['m']}, and was not found.\n\n"
        + _table(
            {
                "rank": range(1, 7),
                "grade": grades,
                "log₂(rank + 1)": _shown(np.log2(np.arange(2, 8)), 3),
            }
        )
        + "\n\nGrade 0 is not relevant; a gain is the grade. P@5, RR, AP and nDCG to three "
        "decimals?"
    )
    solution = (
        f"Precisions at the relevant documents {', '.join(precisions)}, over {len(ranks) + 1}: "
        f"AP = {_short(right['AP'])}. DCG {_short(gain)} over that of the ideal list, "
        f"{', '.join(map(str, sorted([*filter(None, grades), judged['m']], reverse=True)))}, "
        f"{_short(ideal)}: nDCG = {_short(right['nDCG'])}."
    )
    mistakes = [
        (
            {"AP": of_found},
            "AP divides by all relevant documents, also by the one that was not found.",
        ),
        ({"nDCG": gain}, "That is DCG: divide it by the DCG of the ideal list."),
        ({"nDCG": gain / ideal_found}, "The ideal list also has the document that was not found."),
        ({"RR": ranks[0]}, "RR is 1 over the rank of the first relevant document."),
    ]
    return _item(question, right, solution, mistakes, within=0.0015)


@goal("1.2", "say which reader each of them has in mind, and where two of them must disagree")
def two_readers(draw: Random) -> Item:
    """Draw two lists of five documents of which measures prefer different ones."""
    names = ["RR", "P@5", "AP", "RBP(p=0.5)"]

    def marked():
        return {side: draw.sample(range(5), draw.randint(1, 3)) for side in ("1", "2")}

    def preferred(marks):
        lists = {side: [f"{side}-{i}" for i in range(5)] for side in marks}
        relevant = {lists[side][i]: 1 for side, at in marks.items() for i in at}
        table = means(_lists(lists, relevant), names)[names]
        return table, {
            n: "neither" if abs(s["1"] - s["2"]) < 1e-9 else s.idxmax() for n, s in table.items()
        }

    marks = _until(marked, lambda one: {"1", "2"} <= set(preferred(one)[1].values()))
    table, right = preferred(marks)
    signs = {
        f"list {side}": ["●" if i in at else "○" for i in range(5)] for side, at in marks.items()
    }
    question = (
        "Two lists for one topic; ● is a relevant document, ○ another one. All relevant documents "
        "are in one of the "
        f"lists.\n\n{_table({'rank': range(1, 6), **signs})}\n\nWhich list is better by each "
        "measure?"
    )
    solution = (
        "; ".join(f"{n}: {_short(s['1'])} against {_short(s['2'])}" for n, s in table.items()) + "."
    )
    other = {"1": "2", "2": "1", "neither": "neither"}
    mistakes = [
        (
            {"P@5": right["RR"]},
            "P@5 counts the relevant documents; it does not know which comes first.",
        ),
        (
            {"RR": right["P@5"]},
            "RR's reader stops at the first relevant document and sees no other.",
        ),
        ({n: other[side] for n, side in right.items()}, "You name the worse list each time."),
    ]
    return _item(question, right, solution, mistakes, choices=("1", "2", "neither"))


@goal(
    "1.3",
    "say what a pool is, and give the least and the most that P@k can be when documents are "
    "unjudged",
)
def bounds(draw: Random) -> Item:
    """Draw two runs that make a pool, and a third whose documents it holds in part."""
    names = "abcdefghij"
    runs = _until(
        lambda: {run: draw.sample(names, 4) for run in "ABC"},
        lambda one: 1 <= len({*one["C"]} - {*one["A"][:2], *one["B"][:2]}) <= 3,
    )
    pool = sorted({*runs["A"][:2], *runs["B"][:2]})
    relevant = draw.sample(pool, 2)
    found = _lists(runs, dict.fromkeys(relevant, 1))
    least = float(means(found, ["P@4"]).loc["C", "P@4"])
    unjudged = [document for document in runs["C"] if document not in pool]
    right = {"in the pool": len(pool), "least": least, "most": least + len(unjudged) / 4}
    question = (
        f"{_table({'rank': range(1, 5), **runs})}\n\nThe pool has depth 2 and is made from A and "
        "B; of its documents "
        f"{' and '.join(sorted(relevant))} are relevant. How many documents are in the pool, and "
        "what are the least and "
        "the most that P@4 of C can be?"
    )
    solution = (
        f"The pool is {', '.join(pool)}. C has {_short(least * 4, 0)} of its relevant documents, "
        "and "
        f"{', '.join(unjudged)} unjudged: {_short(least, 2)} to {_short(right['most'], 2)}."
    )
    mistakes = [
        ({"most": least}, "An unjudged document may be relevant: the most counts each of them."),
        (
            {"most": 1.0},
            "What was judged and is not relevant stays so: only the unjudged are open.",
        ),
        ({"in the pool": 4}, "A document that both runs have is in the pool once."),
        (
            {"in the pool": len({*runs["A"][:2], *runs["B"][:2], *runs["C"][:2]})},
            "C is not pooled.",
        ),
    ]
    return _item(question, right, solution, mistakes)


# Session 2


@goal(
    "2.1", "compute the interval of a mean difference, and say *inconclusive* where it includes 0"
)
def interval_of_a_mean(draw: Random) -> Item:
    """Draw the differences of two systems on eight topics."""
    shift = draw.choice([0.0, 0.06, -0.06, 0.1])
    differences = _until(
        lambda: [round(draw.gauss(shift, 0.09), 2) for _ in range(8)], lambda d: np.std(d) > 0.03
    )
    deviation = np.std(differences, ddof=1)
    found = Interval.of(np.mean(differences), deviation / math.sqrt(8), 7)
    ends = {"mean": found.estimate, "error": found.error, "low": found.low, "high": found.high}
    ends = {name: float(value) for name, value in ends.items()}
    conclusive = bool(above().supported(found) or above().contradicted(found))
    right = {**ends, "conclusive": "yes" if conclusive else "no"}
    question = (
        "The differences of two systems, A − B, on eight topics are "
        f"{', '.join(_shown(differences))}. Their standard deviation is {_short(deviation)}; t "
        "for eight topics is 2.365. "
        "What is the mean, its standard error and its 95% interval, and is the difference "
        "conclusive?"
    )
    solution = (
        f"Mean {_short(ends['mean'])}; error {_short(deviation)} / √8 = {_short(ends['error'])}; "
        "interval mean ∓ 2.365 "
        f"errors, {_short(ends['low'])} to {_short(ends['high'])}, which "
        + ("does not include 0." if conclusive else "includes 0: inconclusive.")
    )
    wide = {"low": ends["mean"] - 2.365 * deviation, "high": ends["mean"] + 2.365 * deviation}
    normal = {
        "low": ends["mean"] - 1.96 * ends["error"],
        "high": ends["mean"] + 1.96 * ends["error"],
    }
    mistakes = [
        (
            {"error": float(deviation)},
            "The error of the mean is the standard deviation over the root of 8.",
        ),
        (
            {"error": float(deviation / 8)},
            "Divide by the root of the number of topics, not by the number.",
        ),
        (wide, "That is where single topics lie. The mean has a smaller error."),
        (normal, "1.96 is for a known error; with eight topics t is 2.365."),
        ({"conclusive": "no" if conclusive else "yes"}, "Conclusive is what does not include 0."),
    ]
    return _item(question, right, solution, mistakes, within=0.0025, choices=("yes", "no"))


@goal("2.2", "say what p is, what it is not, and what becomes of it when there are many tests")
def many_tests(draw: Random) -> Item:
    """Draw the p values of five tests of which Holm's method rejects more than Bonferroni's."""
    levels = [0.001, 0.004, 0.008, 0.011, 0.012, 0.015, 0.02, 0.03, 0.04, 0.2, 0.4]
    p = _until(
        lambda: sorted(draw.sample(levels, 5)),
        lambda p: (holm(p) < 0.05).sum() > (5 * np.array(p) < 0.05).sum(),
    )
    counts = {
        "below .05": sum(one < 0.05 for one in p),
        "Bonferroni": sum(5 * one < 0.05 for one in p),
    }
    right = {**counts, "Holm": int((holm(p) < 0.05).sum())}
    question = (
        f"Five tests gave p = {', '.join(_shown(draw.sample(p, 5), 3))}. How many are below .05, "
        "how many does Bonferroni "
        "reject, and how many Holm, at .05?"
    )
    steps = [
        f"{_short(one)} against .05/{5 - i} = {_short(0.05 / (5 - i), 4)}"
        for i, one in enumerate(p)
    ]
    solution = (
        f"Bonferroni's bar is .05/5 = .01. Holm's: {', '.join(steps[: right['Holm'] + 1])}"
        + ("; there it stops." if right["Holm"] < 5 else ".")
    )
    unstopped = sum(one <= 0.05 / (5 - i) for i, one in enumerate(p))
    fdr = max((i + 1 for i, one in enumerate(p) if one <= 0.05 * (i + 1) / 5), default=0)
    mistakes = [
        ({"Holm": right["Bonferroni"]}, "Holm raises the bar after each rejection."),
        ({"Holm": unstopped}, "Holm stops at the first that is not rejected."),
        (
            {"Holm": fdr},
            "That is the method of Benjamini and Hochberg, which controls another error.",
        ),
        ({"Bonferroni": right["below .05"]}, "Bonferroni divides .05 by the number of tests."),
    ]
    return _item(question, right, solution, mistakes)


@goal("2.3", "compute tau-a and tau-b, and say what a tau leaves open")
def two_taus(draw: Random) -> Item:
    """Draw the means of five systems by two measures, of which the second has a tie."""
    one = sorted(draw.sample(range(20, 60), 5), reverse=True)
    other = draw.sample(range(20, 60), 4)
    other = draw.sample([*other, other[0]], 5)
    a, b = (float(kendall(one, other, variant=variant)) for variant in "ab")
    signs = [np.sign(x - y) for x, y in combinations(other, 2)]
    agree, disagree = signs.count(1), signs.count(-1)
    right = {"tau-a": a, "tau-b": b}
    scores = {"one": _shown(np.array(one) / 100), "other": _shown(np.array(other) / 100)}
    question = (
        "Two measures score five "
        f"systems.\n\n{_table({'system': 'ABCDE', **scores})}\n\nWhat are tau-a and tau-b?"
    )
    solution = (
        f"They agree on {agree} pairs, disagree on {disagree}; 1 is tied by the other. tau-a = "
        f"({agree} − {disagree}) / 10 "
        f"= {_short(a)}, tau-b = ({agree} − {disagree}) / √(10 · 9) = {_short(b)}."
    )
    mistakes = [
        (
            {"tau-a": agree / 10},
            "That is the share on which they agree; subtract that on which they do not.",
        ),
        ({"tau-a": (agree + 1 - disagree) / 10}, "A tied pair neither agrees nor disagrees."),
        (
            {"tau-b": (agree - disagree) / 9},
            "One measure alone ties the pair: the divisor is √(10 · 9).",
        ),
    ]
    return _item(question, right, solution, mistakes)


# Session 3


@goal("3.1", "compute predictive power and a measure's lead on a few topics")
def predictive_power(draw: Random) -> Item:
    """Draw how two measures rank four systems on two halves of the topics."""
    orders = _until(
        lambda: {key: draw.sample("ABCD", 4) for key in ("M 1", "N 1", "M 2", "N 2")},
        lambda one: len({*map(tuple, one.values())}) == 4,
    )

    def tau(one, other):
        places = [[orders[key].index(system) for system in "ABCD"] for key in (one, other)]
        return float(kendall(*places, variant="a"))

    itself, ways = tau("M 1", "M 2"), (tau("N 1", "M 2"), tau("N 2", "M 1"))
    across = sum(ways) / 2
    right = {"M by M": itself, "M by N": across, "lead": across - itself}
    names = {
        "M 1": "M, first half",
        "N 1": "N, first half",
        "M 2": "M, second half",
        "N 2": "N, second half",
    }
    ranked = "; ".join(f"{names[key]}: {', '.join(one)}" for key, one in orders.items())
    question = (
        f"Four systems, best first, on two halves of the topics. {ranked}. With tau-a: how well "
        "does M predict M, how well "
        "does N predict M (the mean of both ways), and what is N's lead over M in predicting M?"
    )
    solution = (
        f"M by M {_short(itself)}. N's first half against M's second {_short(ways[0])}, N's "
        "second against M's first "
        f"{_short(ways[1])}: mean {_short(across)}, lead {_short(right['lead'])}."
    )
    mistakes = [
        ({"M by N": ways[0]}, "There are two ways to use the halves: average them."),
        (
            {"M by N": (tau("N 1", "M 1") + tau("N 2", "M 2")) / 2},
            "On the same half nothing is predicted.",
        ),
        ({"lead": -right["lead"]}, "The lead is what N predicts less what M predicts."),
    ]
    return _item(question, right, solution, mistakes)


@goal("3.2", "read an interval as one of three verdicts: *supported, contradicted, inconclusive*")
def verdicts(draw: Random) -> Item:
    """Draw four intervals of a lead, which is to be above minus a margin."""

    def drawn():
        middles = [draw.randint(-8, 8) / 100 for _ in "ABCD"]
        return [Interval(m, 0.0, m - w, m + w) for m in middles for w in [draw.randint(1, 6) / 100]]

    def said(interval, bound):
        yes, no = bound.supported(interval), bound.contradicted(interval)
        return VERDICTS[0] if yes else VERDICTS[1] if no else VERDICTS[2]

    def good(one):
        clear = all(
            abs(end - at) > 0.004 for i in one for end in (i.low, i.high) for at in (0, -0.02)
        )
        return clear and len({said(i, at_least(0.02)) for i in one}) == 3

    intervals = _until(drawn, good)
    right = dict(zip("ABCD", (said(one, at_least(0.02)) for one in intervals)))
    listed = ", ".join(
        f"{n} {_short(i.low, 2)} to {_short(i.high, 2)}" for n, i in zip("ABCD", intervals)
    )
    question = (
        "A measure is *as good as* another if its lead is above −.02; else a lead below 0 "
        "contradicts it. Four measures "
        f"have the 95% intervals {listed}. Which verdicts?"
    )
    solution = (
        "All above −.02 supports, all below 0 contradicts: "
        + ", ".join(f"{n} {v}" for n, v in right.items())
        + "."
    )
    stricter = {n: said(one, above()) for n, one in zip("ABCD", intervals)}
    middle = {n: VERDICTS[i.estimate <= -0.02] for n, i in zip("ABCD", intervals)}
    mistakes = [
        (stricter, "You ask whether the lead is above 0; as good as is above −.02."),
        (
            middle,
            "You look at the middle: any lead within the interval is compatible with the data.",
        ),
    ]
    return _item(question, right, solution, mistakes, choices=VERDICTS)


@goal("3.3", "read a forest plot, and say for which collections a claim holds")
def forest(draw: Random) -> Item:
    """Draw estimates and errors on six collections."""

    def drawn():
        return [(draw.randint(-6, 16) / 100, draw.choice([0.02, 0.03, 0.04])) for _ in "ABCDEF"]

    def ends(one):
        return [(m - 1.96 * e, m + 1.96 * e) for m, e in one]

    rows = _until(drawn, lambda one: all(abs(end) > 0.005 for each in ends(one) for end in each))
    mean = random_effects(*zip(*rows))
    counts = [sum(low > 0 for low, _ in ends(rows)), sum(high < 0 for _, high in ends(rows))]
    new = mean.prediction_low < 0 < mean.prediction_high
    right = {"supported": counts[0], "contradicted": counts[1], "inconclusive": 6 - sum(counts)}
    right["either sign on a new collection"] = "yes" if new else "no"
    lines = [
        f"{_short(m, 2)} ({_short(low, 3)} to {_short(high, 3)})"
        for (m, _), (low, high) in zip(rows, ends(rows))
    ]
    question = (
        "A forest plot of a lead, with 95% "
        f"intervals:\n\n{_table({'collection': 'ABCDEF', 'lead': lines})}\n\n"
        f"Mean {_short(mean.estimate)} ({_short(mean.low)} to {_short(mean.high)}), prediction "
        "interval "
        f"{_short(mean.prediction_low)} to {_short(mean.prediction_high)}. The claim is that the "
        "lead is above 0. On how many "
        "collections is it supported, contradicted, inconclusive? May a new collection have a "
        "lead of either sign?"
    )
    solution = (
        f"{counts[0]} intervals lie above 0, {counts[1]} below. Of a new collection the "
        "prediction interval speaks: " + ("it holds both signs." if new else "it holds one sign.")
    )
    signs = {
        "supported": sum(m > 0 for m, _ in rows),
        "contradicted": sum(m < 0 for m, _ in rows),
        "inconclusive": 0,
    }
    mistakes = [
        (
            signs,
            "You count the signs of the estimates: an interval that includes 0 is inconclusive.",
        ),
        (
            {"either sign on a new collection": "no" if new else "yes"},
            "The interval of the mean says where the mean lies, the prediction interval where a "
            "new collection lies.",
        ),
    ]
    return _item(question, right, solution, mistakes, choices=("yes", "no"))


# Session 4


@goal("4.1", "compute discriminative power, and say why more of it is not simply better")
def discriminative_power(draw: Random) -> Item:
    """Draw scores of three systems on five topics of which the t test tells some pairs apart."""
    pairs = list(combinations("ABC", 2))

    def drawn():
        scores = {
            name: [draw.randint(low, low + 4) / 10 for _ in range(5)]
            for name, low in zip("ABC", (1, 2, 4))
        }
        return pd.DataFrame(scores)

    def good(one):
        gaps = [np.std(one[a] - one[b]) for a, b in pairs]
        t = np.abs(t_statistic(one)) if min(gaps) > 0.05 else np.zeros(3)
        return 0 < (t > 2.776).sum() < 3 and (np.abs(t - 2.776) > 0.1).all()

    scores = _until(drawn, good)
    gaps = {f"{a} − {b}": scores[a] - scores[b] for a, b in pairs}
    t = {name: float(value) for name, value in zip(gaps, t_statistic(scores))}
    share = sum(abs(one) > 2.776 for one in t.values()) / 3
    deviations = "; ".join(f"{name} {_short(gap.std())}" for name, gap in gaps.items())
    columns = {name: _shown(scores[name], 1) for name in "ABC"}
    question = (
        f"{_table({'topic': range(1, 6), **columns})}\n\nStandard deviations of the "
        f"differences: {deviations}. A pair is significant if |t| is 2.776 or more. What is t of "
        "each pair, to two "
        "decimals, and what is the discriminative power?"
    )
    solution = (
        "t is the mean over the deviation / √5: "
        + ", ".join(
            f"{name} {_short(gap.mean(), 2)}, t = {_short(t[name], 2)}"
            for name, gap in gaps.items()
        )
        + f"; {round(3 * share)} of 3 pairs: {_short(share)}."
    )
    mistakes = [
        (
            {name: one / math.sqrt(5) for name, one in t.items()},
            "The error of a mean is the deviation over the root of 5.",
        ),
        (
            {"power": 3 * share},
            "That is their number; discriminative power is the share of all pairs.",
        ),
        ({"power": 1 - share}, "That is the share of the pairs that are not told apart."),
    ]
    return _item(question, {**t, "power": share}, solution, mistakes, within=0.02)


@goal("4.2", "tell pool depth from evaluation depth, and say what looking beyond the pool may do")
def two_depths(draw: Random) -> Item:
    """Draw three runs, of which the third finds what a shallow pool of the others does not hold."""
    names = "abcdefgh"

    def drawn():
        return {run: draw.sample(names, 4) for run in "ABC"}, draw.sample(names, 4)

    def scored(runs, relevant):
        found = _lists(runs, dict.fromkeys(relevant, 1))
        pools = {
            "depth 1 of A and B": (1, "AB"),
            "depth 3 of A and B": (3, "AB"),
            "depth 4 of all": (4, "ABC"),
        }
        return {
            n: float(means(found.pooled(d, by=list(by)), ["P@4"]).loc["C", "P@4"])
            for n, (d, by) in pools.items()
        }

    runs, relevant = _until(drawn, lambda one: len({*scored(*one).values()}) == 3)
    right = scored(runs, relevant)
    question = (
        f"{_table({'rank': range(1, 5), **runs})}\n\n{', '.join(sorted(relevant))} are relevant, "
        "*if they are judged*. "
        "What is P@4 of C with a pool of depth 1 of A and B, of depth 3 of A and B, and of depth "
        "4 of all three?"
    )
    pools = [
        {x for run in by for x in runs[run][:d]} for d, by in ((1, "AB"), (3, "AB"), (4, "ABC"))
    ]
    known = [", ".join(sorted(pool & {*relevant} & {*runs["C"]})) or "none" for pool in pools]
    solution = (
        f"Of C's relevant documents the pools hold {'; '.join(known)}: "
        f"{', '.join(_shown(right.values()))}."
    )
    names = list(right)
    shallow = len({*runs["C"][:1]} & pools[0] & {*relevant})
    mistakes = [
        (
            {name: right["depth 4 of all"] for name in names[:2]},
            "What no pooled run has near its top is not judged, and counts as not relevant.",
        ),
        ({names[0]: float(shallow)}, "The pool's depth is 1; the evaluation still goes to rank 4."),
        (
            {names[1]: right[names[0]]},
            "A deeper pool of A and B may hold more of C's documents, too.",
        ),
    ]
    return _item(question, right, solution, mistakes)


@goal("4.3", "split a budget between topics and depth, and defend the split")
def split_budget(draw: Random) -> Item:
    """Draw a budget, the price of a topic, and what two depths cost."""
    budget, price = draw.choice([1500, 2000, 3000, 4000]), draw.choice([10, 20, 30, 50])
    shallow, deep, deviation = (
        draw.randint(15, 30),
        draw.randint(60, 110),
        draw.choice([0.12, 0.16, 0.2]),
    )
    topics = [budget // (price + documents) for documents in (shallow, deep)]
    errors = [2 * deviation / math.sqrt(n) for n in topics]
    keys = ("topics, shallow", "topics, deep", "two errors, shallow", "two errors, deep")
    right = dict(zip(keys, (*topics, *errors)))
    question = (
        f"You can pay for {budget:,} judgements, and a topic costs as much as {price} before its "
        "first one. A shallow pool "
        f"has {shallow} documents a topic, a deep one {deep}. Differences have a standard "
        "deviation of "
        f"{_short(deviation, 2)}. How many topics does each pay, and what are two standard errors "
        "of a mean?"
    )
    solution = (
        f"{budget:,} / ({shallow} + {price}) gives {topics[0]}, {budget:,} / ({deep} + {price}) "
        f"gives {topics[1]}; "
        f"2 · {_short(deviation, 2)} / √n: {' and '.join(_shown(errors))}."
    )
    unpriced = [budget // documents for documents in (shallow, deep)]
    mistakes = [
        (dict(zip(keys, unpriced)), "A topic has its price before the first judgement."),
        (
            dict(zip(keys[:2], (n + 1 for n in topics))),
            "The budget does not pay one more: round down.",
        ),
        (dict(zip(keys[2:], (one / 2 for one in errors))), "Two standard errors were asked for."),
    ]
    return _item(question, right, solution, mistakes, within=0.001)


# Session 5


@goal(
    "5.1",
    "say what leaving the pool does to a run, and see it coming by counting unjudged documents",
)
def left_out(draw: Random) -> Item:
    """Draw three runs; the third one's documents are judged, or not."""
    names = "abcdefghij"

    def drawn():
        return {run: draw.sample(names, 4) for run in "ABC"}, draw.sample(names, 4)

    def scored(runs, relevant, by):
        return float(
            means(_lists(runs, dict.fromkeys(relevant, 1)).pooled(4, by=list(by)), ["AP"]).loc[
                "C", "AP"
            ]
        )

    runs, relevant = _until(
        drawn, lambda one: scored(*one, "ABC") > scored(*one, "AB") + 0.05 > 0.1
    )
    inside, outside = ({x for run in by for x in runs[run]} for by in ("ABC", "AB"))
    right = {
        by: scored(runs, relevant, runs_of)
        for by, runs_of in (("with C", "ABC"), ("without C", "AB"))
    }
    right["unjudged"] = len({*runs["C"]} - outside)
    counts = [len(pool & {*relevant}) for pool in (inside, outside)]
    question = (
        f"{_table({'rank': range(1, 5), **runs})}\n\n{', '.join(sorted(relevant))} are relevant "
        "if judged; the pool has "
        "depth 4. What is AP of C if all three are pooled, what if only A and B are, and how many "
        "of C's documents are then "
        "unjudged?"
    )
    solution = (
        f"With C {counts[0]} relevant documents are known, without {counts[1]}; "
        f"{', '.join(sorted({*runs['C']} - outside))} "
        f"of C are unjudged. AP {_short(right['with C'])} and {_short(right['without C'])}."
    )
    mistakes = [
        (
            {"without C": right["without C"] * counts[1] / counts[0]},
            "Fewer relevant documents are known: AP divides by these.",
        ),
        (
            {"without C": right["with C"]},
            "C's own documents are not judged any more, and count as not relevant.",
        ),
    ]
    return _item(question, right, solution, mistakes)


@goal("5.2", "compute how many topics a difference needs")
def topics_for(draw: Random) -> Item:
    """Draw two differences and their standard deviations."""
    cases = [
        (d / 100, s / 100)
        for d, s in zip(draw.sample([3, 4, 5, 6, 8], 2), draw.sample([12, 14, 16, 18, 22], 2))
    ]
    needs = [(2.8 * s / d) ** 2 for d, s in cases]
    asked = [f"a difference of {_short(d, 2)} with s = {_short(s, 2)}" for d, s in cases]
    right = {f"{name} case": math.ceil(n) for name, n in zip(("first", "second"), needs)}
    question = (
        f"How many topics does it take to find {' and '.join(asked)}, with a statistical "
        "power of .8, by (2.8 s / d)²?"
    )
    solution = ", ".join(f"{_short(n, 1)}, rounded up {math.ceil(n)}" for n in needs) + "."
    mistakes = [
        (dict(zip(right, map(math.floor, needs))), "Fewer than it takes are too few: round up."),
        (
            dict(zip(right, (math.ceil(math.sqrt(n)) for n in needs))),
            "Square it: half the difference takes four times the topics.",
        ),
        (
            dict(zip(right, (math.ceil((1.96 * s / d) ** 2) for d, s in cases))),
            "1.96 is for the test alone; 2.8 adds .84 for the power.",
        ),
    ]
    return _item(question, right, solution, mistakes, within=0.01)


@goal("5.3", "plan a budget, and say for whom the plan does not hold")
def plans(draw: Random) -> Item:
    """Draw four plans of which a budget pays different ones with and without a price of topics."""

    def drawn():
        documents = [draw.randint(*ends) for ends in ((8, 14), (20, 28), (38, 48), (70, 90))]
        topics = [draw.randint(*ends) for ends in ((90, 120), (45, 70), (25, 40), (15, 24))]
        taus = sorted(draw.sample(range(60, 85), 4))
        return documents, topics, taus

    def bought(documents, topics, taus, price):
        pays = [
            (tau, plan)
            for d, n, tau, plan in zip(documents, topics, taus, "abcd")
            if n * (d + price) <= 2000
        ]
        return max(pays, default=(0, ""))[1]

    one = _until(drawn, lambda one: "" != bought(*one, 0) != bought(*one, 20) != "")
    documents, topics, taus = one
    costs = {price: [n * (d + price) for d, n in zip(documents, topics)] for price in (0, 20)}
    right = {"cost of a": costs[0][0], "with the price": costs[20][0]}
    right |= {"best": bought(*one, 0), "best with the price": bought(*one, 20)}
    columns = {
        "plan": "abcd",
        "documents a topic": documents,
        "topics": topics,
        "tau": _shown(np.array(taus) / 100),
    }
    question = (
        f"{_table(columns)}\n\nTau is what a pilot promises. What does plan a cost if a topic has "
        "no price, and what if it "
        "costs as much as 20 judgements? Which is the best plan that 2,000 judgements buy, then "
        "and then?"
    )
    solution = (
        f"Costs without a price {', '.join(map(str, costs[0]))}: {right['best']}; with it "
        f"{', '.join(map(str, costs[20]))}: {right['best with the price']}. It holds for those in "
        "the pool."
    )
    mistakes = [
        (
            {"best": "d", "best with the price": "d"},
            "That is the highest tau at whatever cost: which plans can you pay?",
        ),
        (
            {"best with the price": right["best"]},
            "With the price of topics it is dearer than 2,000.",
        ),
        ({"with the price": right["cost of a"] + 20}, "Each topic has its price."),
    ]
    return _item(question, right, solution, mistakes, choices="abcd")
