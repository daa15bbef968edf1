"""The numbers of the items by seed: of each goal, and what known mistakes make of them.

The book's own measures and statistics compute what is right; the words are in ``drawn_items.yml``.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as students_t

from lib.collection import Collection
from lib.decisions import Bound, above, at_least, decide
from lib.intervals import Interval, minus_signs
from lib.measures import dcg, means
from lib.statistics.correlation import kendall, pair_signs
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import t_statistic

_VERDICTS = {True: "supported", False: "contradicted", None: "inconclusive"}
# What is shown, what is right, and the answers that known mistakes give.
Mistakes = dict[str, dict[str, Any]]
Drawn = tuple[dict[str, Any], dict[str, Any], Mistakes]
Maker = Callable[[Random], Drawn]
MAKERS: dict[str, Maker] = {}  # by the numbers of session and goal


def draws(number: str) -> Callable[[Maker], Maker]:
    """Register what draws the numbers of a goal's items."""

    def register(maker: Maker) -> Maker:
        MAKERS[number] = maker
        return maker

    return register


class Written(float):
    """A number that a text shows as the kits print it, by default to three decimals.

    >>> f"{Written(-0.25)}, {Written(1.5):2}, {Written(0.1075)}"
    '−.250, 1.50, .108'
    """

    def __format__(self, decimals: str) -> str:
        up = float(self) * (1 + 1e-9)  # a half is rounded as by hand
        text = minus_signs(f"{up:.{decimals or 3}f}")
        return text.replace("0.", ".", 1) if abs(self) < 1 else text


def _list(values: Iterable[float], decimals: int = 2) -> list[str]:
    return [f"{Written(value):{decimals}}" for value in values]


def _table(columns: Mapping[str, Any]) -> str:
    """Return columns as a table in Markdown."""
    rows = [list(columns), ["---:"] * len(columns), *zip(*columns.values())]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def _runs(lists: Mapping[str, Sequence], grades: Mapping[str, int]) -> Collection:
    ranked = {name: {"t": list(one)} for name, one in lists.items()}
    return Collection.from_rankings(ranked, {"t": grades})


def _until(draw: Callable[[], Any], good: Callable[[Any], Any]) -> Any:
    """Return the first draw that will do."""
    while not good(one := draw()):
        pass
    return one


# Session 1


@draws("1.1")
def one_list(draw: Random) -> Drawn:
    """Draw a list of six documents with grades, and a relevant one that it does not have."""
    logs = np.log2(np.arange(2, 8))

    def good(drawn: list[int]) -> bool:  # with the logarithms as printed one has the same digits
        grades, ideal = drawn[:6], np.array(sorted(drawn, reverse=True)[:6])
        values = [(grades / by).sum() / (ideal / by).sum() for by in (logs, logs.round(3))]
        return np.count_nonzero(grades) in (2, 3, 4) and len({*_list(values, 3)}) == 1

    *grades, missed = _until(
        lambda: draw.choices([0, 1, 2], [3, 2, 2], k=6) + [draw.choice([1, 2])], good
    )
    collection = _runs({"A": "abcdef"}, dict(zip("abcdef", grades)) | {"m": missed})
    names = ["P@5", "R@5", "RR", "AP", "nDCG", "RBP(p=0.5)"]
    right = dict(zip([*names[:5], "RBP"], means(collection, names).loc["A", names].tolist()))
    ranks = [rank for rank, grade in enumerate(grades, 1) if grade]
    gain = float(dcg(collection).loc["t", "A"])
    shown = {
        "table": _table({"rank": range(1, 7), "grade": grades, "log₂(rank + 1)": _list(logs, 3)}),
        "missed": missed,
        "precisions": ", ".join(f"{k}/{rank}" for k, rank in enumerate(ranks, 1)),
        "known": len(ranks) + 1,
        "ideal": ", ".join(map(str, sorted([*filter(None, grades), missed], reverse=True))),
        "gain": gain,
        "best": gain / right["nDCG"],
    }
    mistakes = {
        "found": {"AP": right["AP"] * (len(ranks) + 1) / len(ranks)},
        "gain": {"nDCG": gain},
        "ideal": {"nDCG": gain / (sorted(grades, reverse=True) / logs).sum()},
        "rank": {"RR": ranks[0]},
        "divisor": {"R@5": right["P@5"]},
        "stops": {"RBP": 2 * right["RBP"]},
    }
    return shown, right, mistakes


@draws("1.2")
def two_readers(draw: Random) -> Drawn:
    """Draw two lists of five documents: one has its first relevant one earlier, the other more."""
    marks = _until(
        lambda: {side: draw.sample(range(5), draw.randint(1, 3)) for side in "12"},
        lambda one: (min(one["1"]) - min(one["2"])) * (len(one["1"]) - len(one["2"])) > 0,
    )
    lists = {side: [f"{side}-{i}" for i in range(5)] for side in marks}
    relevant = {lists[side][i]: 1 for side, at in marks.items() for i in at}
    scores = means(_runs(lists, relevant), ["RR", "P@5", "AP", "RBP(p=0.5)"])
    right = {n: "neither" if np.isclose(*s) else s.idxmax() for n, s in scores.items()}
    other = {"1": "2", "2": "1", "neither": "neither"}
    signs = {f"list {side}": ["○●"[i in at] for i in range(5)] for side, at in marks.items()}
    sides = (f"{n}: {' against '.join(_list(s, 3))}" for n, s in scores.items())
    shown = {"table": _table({"rank": range(1, 6), **signs}), "scores": "; ".join(sides)}
    mistakes = {
        "count": {"P@5": right["RR"]},
        "first": {"RR": right["P@5"]},
        "other": {name: other[side] for name, side in right.items()},
    }
    return shown, right, mistakes


@draws("1.3")
def bounds(draw: Random) -> Drawn:
    """Draw two runs that make a pool, and a third whose documents it holds in part."""
    runs = _until(
        lambda: {run: draw.sample("abcdefghij", 4) for run in "ABC"},
        lambda one: 1 <= len({*one["C"]} - {*one["A"][:2], *one["B"][:2]}) <= 3,
    )
    pool = sorted({*runs["A"][:2], *runs["B"][:2]})
    relevant = draw.sample(pool, 2)
    unjudged = [document for document in runs["C"] if document not in pool]
    least = float(means(_runs(runs, dict.fromkeys(relevant, 1)), ["P@4"]).loc["C", "P@4"])
    right = {"in the pool": len(pool), "least": least, "most": least + len(unjudged) / 4}
    shown = {
        "table": _table({"rank": range(1, 5), **runs}),
        "relevant": " and ".join(sorted(relevant)),
        "pool": ", ".join(pool),
        "unjudged": ", ".join(unjudged),
    }
    mistakes: Mistakes = {
        "least": {"most": least},
        "all": {"most": 1.0},
        "twice": {"in the pool": 4},
        "pooled": {"in the pool": len({*pool, *runs["C"][:2]})},
    }
    return shown, right, mistakes


# Session 2


@draws("2.1")
def interval_of_a_mean(draw: Random) -> Drawn:
    """Draw the differences of two systems on eight topics."""

    def drawn() -> list[float]:
        shift = draw.choice([0.0, 0.06, -0.06, 0.1])
        return [round(draw.gauss(shift, 0.09), 2) for _ in range(8)]

    def good(values: list[float]) -> bool:  # with what is printed one has the same digits
        mean, s = float(np.mean(values)), float(np.std(values, ddof=1))
        ways = ((s / 8**0.5, students_t.ppf(0.975, 7)), (round(s, 3) / 8**0.5, 2.365))
        exact, printed = (_list([e, mean - t * e, mean + t * e], 3) for e, t in ways)
        return exact == printed

    values = _until(drawn, good)
    deviation = float(np.std(values, ddof=1))
    interval = Interval.of(np.mean(values), deviation / math.sqrt(8), 7)
    word = "no" if decide(interval, above()).holds is None else "yes"
    mean = interval.estimate
    right = {"mean": mean, "error": interval.error, "low": interval.low, "high": interval.high}
    mistakes = {
        "deviation": {"error": deviation},
        "number": {"error": deviation / 8},
        "topics": {"low": mean - 2.365 * deviation, "high": mean + 2.365 * deviation},
        "normal": {"low": mean - 1.96 * interval.error, "high": mean + 1.96 * interval.error},
        "word": {"conclusive": {"yes": "no", "no": "yes"}[word]},
    }
    shown = {"differences": ", ".join(_list(values)), "deviation": deviation}
    return shown, {**right, "conclusive": word}, mistakes


@draws("2.2")
def many_tests(draw: Random) -> Drawn:
    """Draw the p values of five tests of which Holm's method rejects more than Bonferroni's."""
    levels = [0.001, 0.004, 0.008, 0.011, 0.012, 0.015, 0.02, 0.03, 0.04, 0.2, 0.4]
    p = _until(
        lambda: sorted(draw.sample(levels, 5)),
        lambda one: sum(holm(one) < 0.05) > sum(5 * np.array(one) < 0.05),
    )
    rejected = int(sum(holm(p) < 0.05))
    right = {"below .05": sum(x < 0.05 for x in p), "Bonferroni": sum(5 * x < 0.05 for x in p)}
    bars = [0.05 / (5 - i) for i in range(5)]
    steps = [f"{Written(x)} against .05/{5 - i} = {Written(bars[i]):4}" for i, x in enumerate(p)]
    mistakes = {
        "bonferroni": {"Holm": right["Bonferroni"]},
        "unstopped": {"Holm": sum(x <= bar for x, bar in zip(p, bars))},
        "fdr": {"Holm": max((i for i, x in enumerate(p, 1) if x <= 0.01 * i), default=0)},
        "plain": {"Bonferroni": right["below .05"]},
    }
    shown = {"p": ", ".join(_list(draw.sample(p, 5), 3)), "steps": ", ".join(steps[: rejected + 1])}
    return shown, {**right, "Holm": rejected}, mistakes


@draws("2.3")
def two_taus(draw: Random) -> Drawn:
    """Draw the means of five systems by two measures, of which the second has a tie."""
    one = sorted(draw.sample(range(20, 60), 5), reverse=True)
    other = draw.sample(range(20, 60), 4)
    other = draw.sample([*other, other[0]], 5)
    right = {f"tau-{variant}": float(kendall(one, other, variant=variant)) for variant in "ab"}
    agree, disagree = (int((pair_signs(other) == sign).sum()) for sign in (1, -1))
    columns = {"one": _list(np.array(one) / 100), "other": _list(np.array(other) / 100)}
    shown = {"table": _table({"system": "ABCDE", **columns}), "agree": agree, "disagree": disagree}
    mistakes = {
        "share": {"tau-a": agree / 10},
        "tie": {"tau-a": (agree + 1 - disagree) / 10},
        "nine": {"tau-b": (agree - disagree) / 9},
    }
    return shown, right, mistakes


# Session 3


@draws("3.1")
def predictive_power(draw: Random) -> Drawn:
    """Draw how two measures rank four systems on two halves of the topics."""
    halves = ("M, first half", "N, first half", "M, second half", "N, second half")
    orders = _until(
        lambda: [draw.sample("ABCD", 4) for _ in halves], lambda one: len({*map(tuple, one)}) == 4
    )

    def tau(one: int, other: int) -> float:
        places = [[orders[at].index(system) for system in "ABCD"] for at in (one, other)]
        return float(kendall(*places, variant="a"))

    itself, one, other = tau(0, 2), tau(1, 2), tau(3, 0)
    across = (one + other) / 2
    listed = "; ".join(f"{half}: {', '.join(order)}" for half, order in zip(halves, orders))
    mistakes = {
        "way": {"M by N": one},
        "same": {"M by N": (tau(1, 0) + tau(3, 2)) / 2},
        "sign": {"lead": itself - across},
    }
    right = {"M by M": itself, "M by N": across, "lead": across - itself}
    return {"orders": listed, "one": one, "other": other}, right, mistakes


@draws("3.2")
def verdicts(draw: Random) -> Drawn:
    """Draw four intervals of a lead, which is to be above minus a margin."""

    def drawn() -> Any:
        middles = [(draw.randint(-8, 8) / 100, draw.randint(1, 6) / 100) for _ in "ABCD"]
        return {name: Interval(m, w, m - w, m + w) for name, (m, w) in zip("ABCD", middles)}

    def worded(intervals: Mapping[str, Interval], bound: Bound) -> dict[str, str]:
        return {name: _VERDICTS[decide(one, bound).holds] for name, one in intervals.items()}

    def good(intervals: Any) -> bool:
        ends = [end for i in intervals.values() for end in (i.low, i.high)]
        clear = all(abs(end - at) > 0.004 for end in ends for at in (0, -0.02))
        return clear and len({*worded(intervals, at_least(0.02)).values()}) == 3

    intervals = _until(drawn, good)
    right = worded(intervals, at_least(0.02))
    listed = (f"{n} {Written(i.low):2} to {Written(i.high):2}" for n, i in intervals.items())
    mistakes = {
        "stricter": worded(intervals, above()),
        "middle": {name: _VERDICTS[i.estimate > -0.02] for name, i in intervals.items()},
    }
    shown = {"intervals": ", ".join(listed), "verdicts": ", ".join(map(" ".join, right.items()))}
    return shown, right, mistakes


@draws("3.3")
def forest(draw: Random) -> Drawn:
    """Draw estimates and errors on six collections."""

    def drawn() -> Any:
        pairs = [(draw.randint(-6, 16) / 100, draw.choice([0.02, 0.03, 0.04])) for _ in "ABCDEF"]
        return Interval.of(*map(np.array, zip(*pairs)))

    leads = _until(drawn, lambda one: (np.abs([one.low, one.high]) > 0.005).all())
    mean = random_effects(leads.estimate, leads.error)
    yes, no = int(sum(above().supported(leads))), int(sum(above().contradicted(leads)))
    new = "yes" if mean.prediction_low < 0 < mean.prediction_high else "no"
    right = {"supported": yes, "contradicted": no, "inconclusive": 6 - yes - no}
    rows = zip(_list(leads.estimate), _list(leads.low, 3), _list(leads.high, 3))
    lines = [f"{middle} ({low} to {high})" for middle, low, high in rows]
    signs = [int(sum(leads.estimate > 0)), int(sum(leads.estimate < 0))]
    key = "either sign on a new one"
    mistakes: Mistakes = {
        "signs": dict(zip(right, (*signs, 6 - sum(signs)))),
        "mean": {key: {"yes": "no", "no": "yes"}[new]},
    }
    new_one = {"new low": mean.prediction_low, "new high": mean.prediction_high}
    shown = {"mean": mean.estimate, "low": mean.low, "high": mean.high, **new_one}
    table = _table({"collection": "ABCDEF", "lead": lines})
    return {"table": table, **shown}, {**right, key: new}, mistakes


# Session 4


@draws("4.1")
def discriminative_power(draw: Random) -> Drawn:
    """Draw scores of three systems on five topics of which the t test tells some pairs apart."""

    def drawn() -> Any:
        levels = zip("ABC", (1, 2, 4))
        columns = {n: [draw.randint(low, low + 4) / 10 for _ in range(5)] for n, low in levels}
        return pd.DataFrame(columns)

    def gaps(one: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({f"{a} − {b}": one[a] - one[b] for a, b in combinations("ABC", 2)})

    def good(one: Any) -> bool:
        if gaps(one).std().min() < 0.05:
            return False
        t, error = np.abs(t_statistic(one)), gaps(one).std() / math.sqrt(5)
        # With the deviations as printed one has the same digits.
        by_hand = gaps(one).mean() / (gaps(one).std().round(4) / math.sqrt(5))
        if _list(by_hand) != _list(gaps(one).mean() / error):
            return False
        return 0 < sum(t > 2.776) < 3 and (np.abs(t - 2.776) > 0.1).all()

    scores = _until(drawn, good)
    t = dict(zip(gaps(scores), map(float, t_statistic(scores))))
    number = sum(abs(one) > 2.776 for one in t.values())
    rows = zip(t, _list(gaps(scores).mean()), _list(t.values()))
    shown = {
        "table": _table({"topic": range(1, 6), **{n: _list(scores[n], 1) for n in "ABC"}}),
        "deviations": "; ".join(map(" ".join, zip(t, _list(gaps(scores).std(), 4)))),
        "steps": ", ".join(f"{name} {mean}, t = {value}" for name, mean, value in rows),
        "number": number,
    }
    mistakes = {
        "root": {name: one / math.sqrt(5) for name, one in t.items()},
        "number": {"power": number},
        "rest": {"power": 1 - number / 3},
    }
    return shown, {**t, "power": number / 3}, mistakes


def _three_runs(draw: Random, pools: Any) -> Any:
    """Draw three runs, relevant documents, and those of C that are known by each pool: ever more.

    A pool has a depth and the runs that it is made from.
    """

    def drawn() -> Any:
        *lists, relevant = (draw.sample("abcdefghij", 4) for _ in range(4))
        return dict(zip("ABC", lists)), sorted(relevant)

    def known(runs: Mapping[str, list[str]], relevant: Sequence[str]) -> list[list[str]]:
        held = ({x for run in by for x in runs[run][:depth]} for depth, by in pools)
        return [[x for x in runs["C"] if x in pool and x in relevant] for pool in held]

    runs, relevant = _until(drawn, lambda one: len({*map(len, known(*one))}) == len(pools))
    shown = {"table": _table({"rank": range(1, 5), **runs}), "relevant": ", ".join(relevant)}
    return runs, _runs(runs, dict.fromkeys(relevant, 1)), known(runs, relevant), shown


def _of_c(collection: Collection, measure: str, pool: tuple[int, str]) -> float:
    depth, by = pool
    return float(means(collection.pooled(depth, by=list(by)), [measure]).loc["C", measure])


@draws("4.2")
def two_depths(draw: Random) -> Drawn:
    """Draw three runs, of which the third finds what a shallow pool of the others does not hold."""
    pools = [(1, "AB"), (3, "AB"), (4, "ABC")]
    _, collection, known, shown = _three_runs(draw, pools)
    names = first, second, third = "depth 1 of A and B", "depth 3 of A and B", "depth 4 of all"
    right = {name: _of_c(collection, "P@4", pool) for name, pool in zip(names, pools)}
    right["P@2"] = _of_c(collection, "P@2", pools[0])
    mistakes = {
        "evaluation": {"P@2": right[first]},
        "judged": {first: right[third], second: right[third]},
        "depth": {second: right[first]},
    }
    shown["known"] = "; ".join(", ".join(hits) or "none" for hits in known)
    return shown, right, mistakes


@draws("4.3")
def split_budget(draw: Random) -> Drawn:
    """Draw a budget, the price of a topic, and what two depths cost."""
    budget, price = draw.choice([1500, 2000, 3000, 4000]), draw.choice([10, 20, 30, 50])
    pools, deviation = (draw.randint(15, 30), draw.randint(60, 110)), draw.choice([0.12, 0.16, 0.2])
    topics = [budget // (price + documents) for documents in pools]
    errors = [2 * deviation / math.sqrt(number) for number in topics]
    counts, sizes = ("topics, shallow", "topics, deep"), ("two errors, shallow", "two errors, deep")
    shown = {"budget": budget, "price": price, "deviation": deviation, "topics": topics}
    mistakes: Mistakes = {
        "price": dict(zip(counts, (budget // documents for documents in pools))),
        "up": dict(zip(counts, (number + 1 for number in topics))),
        "half": dict(zip(sizes, (error / 2 for error in errors))),
    }
    right = dict(zip(counts + sizes, topics + errors))
    return {**shown, "shallow": pools[0], "deep": pools[1]}, right, mistakes


# Session 5


@draws("5.1")
def left_out(draw: Random) -> Drawn:
    """Draw three runs; the third one's documents are judged, or not."""
    pools = {"with C": (4, "ABC"), "without C": (4, "AB")}
    runs, collection, _, shown = _three_runs(draw, list(pools.values()))
    unjudged = [x for x in runs["C"] if x not in runs["A"] + runs["B"]]
    right = {name: _of_c(collection, "AP", pool) for name, pool in pools.items()}
    known = [len(collection.pooled(4, by=list(by)).relevant) for _, by in pools.values()]
    mistakes = {
        "divisor": {"without C": right["without C"] * known[1] / known[0]},
        "judged": {"without C": right["with C"]},
    }
    shown |= {"known": known, "unjudged": ", ".join(unjudged)}
    return shown, {**right, "unjudged": len(unjudged)}, mistakes


@draws("5.2")
def topics_for(draw: Random) -> Drawn:
    """Draw two differences and their standard deviations."""
    cases = list(zip(draw.sample([3, 4, 5, 6, 8], 2), draw.sample([12, 14, 16, 18, 22], 2)))

    def needed(factor: float) -> list[float]:
        return [round((factor * s / d) ** 2, 6) for d, s in cases]

    def answer(numbers: Iterable[float], whole: Any = math.ceil) -> dict[str, Any]:
        return dict(zip(("first", "second"), map(whole, numbers)))

    asked = (
        f"a difference of {Written(d / 100):2} with s = {Written(s / 100):2}" for d, s in cases
    )
    mistakes = {
        "down": answer(needed(2.8), math.floor),
        "root": answer(map(math.sqrt, needed(2.8))),
        "test": answer(needed(1.96)),
    }
    shown = {"cases": " and ".join(asked), "steps": " and ".join(_list(needed(2.8), 1))}
    return shown, answer(needed(2.8)), mistakes


@draws("5.3")
def plans(draw: Random) -> Drawn:
    """Draw four plans of which a budget pays different ones with and without a price of topics."""

    def drawn() -> Any:
        documents = [draw.randint(*ends) for ends in ((8, 14), (20, 28), (38, 48), (70, 90))]
        topics = [draw.randint(*ends) for ends in ((90, 120), (45, 70), (25, 40), (15, 24))]
        return documents, topics, sorted(draw.sample(range(60, 85), 4))

    def costs(one: Any, price: int) -> list[int]:
        return [topics * (documents + price) for documents, topics in zip(*one[:2])]

    def bought(one: Any, price: int) -> str:  # the plans are in the order of their taus
        paid = [plan for plan, cost in zip("abcd", costs(one, price)) if cost <= 2000]
        return max(paid, default="")

    one = _until(drawn, lambda one: bought(one, 0) != bought(one, 20) != "")
    right: dict[str, Any] = {"cost of a": costs(one, 0)[0], "with the price": costs(one, 20)[0]}
    right |= {"best": bought(one, 0), "best with the price": bought(one, 20)}
    columns = {"documents a topic": one[0], "topics": one[1], "tau": _list(np.array(one[2]) / 100)}
    mistakes: Mistakes = {
        "tau": {"best": "d", "best with the price": "d"},
        "once": {"with the price": right["cost of a"] + 20},
    }
    listed = {price: ", ".join(map(str, costs(one, price))) for price in (0, 20)}
    return {"table": _table({"plan": "abcd", **columns}), "costs": listed}, right, mistakes
