"""Calls that a function is tried on besides those that a lesson lists: drawn by a seed, and solved.

A function that knows the listed calls only, or is right on them by chance, is found out by these.
Of one that takes a collection, and is not set in a course, the listed calls are enough.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.stats import ttest_1samp

from chapters.machines.budget import human_topics
from lib.collection import Collection
from lib.conventions import ALPHA
from lib.measures import complete_scores
from lib.statistics import correlation
from lib.statistics.impact import OUTCOMES, outcome
from lib.statistics.law import Law
from lib.statistics.multiplicity import holm
from lib.statistics.power import fewest, power
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import discriminative_power


class Drawn(NamedTuple):
    """A kind of call: how its arguments are drawn, what it returns, and how many are tried."""

    draw: Callable[[Generator], Sequence[Any]]
    right: Callable[..., Any]
    number: int = 12


# What the arguments are


def _decimals(
    rng: Generator, size: Any, low: float = 0.0, high: float = 1.0, digits: int = 3
) -> list[float]:
    return rng.uniform(low, high, size).round(digits).tolist()


def _table(
    rng: Generator, low: float = 0.0, high: float = 1.0, topics: int = 6, systems: int = 4
) -> dict[str, Any]:
    columns = {"ABCDEFG"[i]: _decimals(rng, topics, low, high, 2) for i in range(systems)}
    return {"use": "table", **columns}


def _part(rng: Generator) -> list:
    what = {"use": "collection", "name": "trec8", "topics": 14, "systems": 9}
    return [{**what, "seed": int(rng.integers(1, 10_000))}]


def _grades(rng: Generator) -> list:
    grades = rng.choice([0, 0, 0, 1, 2], rng.integers(1, 31)).tolist()
    return [grades, int(np.count_nonzero(grades) + rng.integers(1, 9))]


def _graded(rng: Generator) -> list:
    judged = rng.choice([0, 0, 1, 2, 3], rng.integers(4, 60)).tolist() + [2]
    ranked = rng.permutation(judged)[: rng.integers(2, 40)].tolist()
    return [[*ranked, *[0] * int(rng.integers(3))], judged]


def _tied(rng: Generator) -> list:
    ranks = rng.integers(1, 6, (2, rng.integers(4, 9))) / 20
    return [[*ranks[0].tolist(), 0.5], [0.4, *ranks[1].tolist()]]


def _with_own(rng: Generator) -> list:
    names = rng.permutation(list(ascii_lowercase[:12])).tolist()
    grades = dict(zip(names[:8], [1, 2, *rng.integers(0, 3, 6).tolist()]))
    alone = [one for one in names[1:6] if rng.random() < 0.6]
    return [rng.permutation(names[:10]).tolist(), grades, alone]


def _judged(rng: Generator) -> list:
    names = list(ascii_lowercase[:16])
    ranked = rng.permutation(names)[: rng.integers(1, 13)].tolist()
    known = rng.permutation(names)[: rng.integers(0, 11)].tolist()
    return [ranked, {name: int(rng.integers(0, 3)) for name in known}, int(rng.integers(1, 15))]


def _judged_or_not(rng: Generator) -> list:
    ranked, judged, depth = _judged(rng)
    return [ranked, [*judged], depth]


def _halves(rng: Generator) -> list:
    sets = [rng.permutation(6)[: rng.integers(2, 7)].tolist() for _ in range(4)]
    sets = [[one[: len(one) // 2], one[len(one) // 2 :]] for one in sets]
    return [_table(rng), _table(rng), sets]


def _no_ties(rng: Generator) -> list:
    n = rng.integers(3, 10)
    return [(rng.permutation(50)[:n] / 50).tolist() for _ in range(2)]


def _changes(rng: Generator) -> list:
    return [{**_table(rng, -0.4, 0.5, 9, 6), "G": [0.0] * 9}]


def _studies(rng: Generator) -> list:
    n = int(rng.integers(3, 9))
    return [_decimals(rng, n, -0.3, 0.5), _decimals(rng, n, 0.05, 0.25)]


def _prices(rng: Generator) -> list:
    pool, depth, systems, topic = rng.integers([40, 5, 5, 0], [400, 60, 99, 90]).tolist()
    rank = round(float(rng.uniform(0, 0.3)), 2)
    topics = rng.integers(2, 40) + rng.uniform(0.2, 0.8)
    budget = int((pool + topic + rank * systems * depth) * topics)
    return [budget, pool, depth, systems, topic, rank]


def _scores_of_two(rng: Generator) -> list:
    n = int(rng.integers(4, 12))
    people = _decimals(rng, n)
    machine = np.add(people, _decimals(rng, n, -0.2, 0.2)).round(3).tolist()
    return [people, machine, int(rng.integers(2, n))]


# What the functions return


def _average_precision(grades: Sequence[int], relevant: Any) -> float:
    """Return AP of a list of grades."""
    hits = np.asarray(grades) > 0
    return float((hits.cumsum() / np.arange(1, len(hits) + 1))[hits].sum() / relevant)


def _ndcg(grades: Sequence[float], judged: Sequence[float]) -> float:
    """Return nDCG of a list of grades, where all grades of the topic are known."""

    def gain(ranked: Sequence[float]) -> float:
        return float((np.asarray(ranked) / np.log2(np.arange(2, len(ranked) + 2))).sum())

    return gain(grades) / gain(sorted(judged, reverse=True))


def _interval(differences: Sequence[float]) -> list[float]:
    """Return the ends of the 95% interval of a mean."""
    return list(ttest_1samp(differences, 0).confidence_interval(1 - ALPHA))


def _lost(ranking: Sequence[str], grades: Mapping[str, int], alone: Iterable[str]) -> Any:
    left = {document: grade for document, grade in grades.items() if document not in alone}
    inside, outside = (
        _average_precision([of.get(one, 0) for one in ranking], np.count_nonzero([*of.values()]))
        for of in (grades, left)
    )
    return inside - outside


def _unjudged(ranking: Sequence[str], judged: Iterable[str], depth: int) -> float:
    return float(np.mean([document not in judged for document in ranking[:depth]]))


def _bounds(ranked: Sequence[str], judged: Mapping[str, int], k: int) -> list[float]:
    least = sum(judged.get(document, 0) > 0 for document in ranked[:k])
    return [least / k, (least + sum(one not in judged for one in ranked[:k])) / k]


def _predictive(
    one: pd.DataFrame, other: pd.DataFrame, sets: Sequence[Sequence[list[int]]]
) -> float:
    ends = [(one.iloc[a].mean().round(10), other.iloc[b].mean().round(10)) for a, b in sets]
    return float(np.mean([correlation.kendall(*each, variant="b") for each in ends]))


def _outcomes(changes: pd.DataFrame) -> list[int]:
    outcomes = [*map(outcome, changes.mean().round(10), ttest_1samp(changes, 0).pvalue)]
    return [outcomes.count(one) for one in OUTCOMES]


def _without_weakest(collection: Collection) -> Any:
    ap = complete_scores(collection, "AP")
    kept = ap.drop(columns=ap.mean().nsmallest(len(ap.columns) // 4).index)
    return [discriminative_power(one, alpha=ALPHA) for one in (ap, kept)]


def _mean_of_effects(estimates: Any, errors: Any) -> float:
    return random_effects(estimates, errors).estimate


DRAWN = {
    "foundations-exercise-ap": Drawn(_grades, _average_precision),
    "foundations-exercise-ndcg": Drawn(_graded, _ndcg),
    "foundations-exercise-bounds": Drawn(_judged, _bounds),
    "foundations-exercise-holm": Drawn(
        lambda rng: [
            _decimals(rng, rng.integers(1, 9), 0.001, 0.06, 6),  # so many digits that none is a bar
            float(rng.choice([0.01, 0.1, 0.2])),
        ],
        lambda p, alpha: int((holm(p) <= alpha).sum()),
    ),
    "foundations-exercise-interval": Drawn(
        lambda rng: [_decimals(rng, rng.integers(3, 15), -0.4, 0.5, 2)], _interval
    ),
    "webber2008-exercise-power": Drawn(_halves, _predictive),
    "webber2008-exercise-error": Drawn(
        lambda rng: [_decimals(rng, rng.integers(3, 12))],
        lambda one: float(np.sqrt(len(one) - 1) * np.std(one)),
    ),
    "thom2007-exercise-tau": Drawn(_tied, partial(correlation.kendall, variant="b")),
    "thom2007-exercise-tau-ap": Drawn(_no_ties, partial(correlation.tau_ap, symmetric=False)),
    "thom2007-exercise-basic": Drawn(
        lambda rng: [round(float(rng.uniform(0.4, 0.9)), 3), *sorted(_decimals(rng, 2, 0.3, 1.0))],
        lambda tau, low, high: [2 * tau - high, 2 * tau - low],
    ),
    "thom2007-exercise-noise": Drawn(
        lambda rng: [*_decimals(rng, 1, 0.1, 0.5), *_decimals(rng, 2, 0.5, 0.9)],
        lambda across, one, other: float(
            correlation.without_noise(np.array([[one, across], [across, other]]))[0, 1]
        ),
    ),
    "tomlinson2006-exercise-five": Drawn(_changes, _outcomes, 6),
    "webber2010-exercise-meaningless": Drawn(
        lambda rng: rng.integers([3, 2], [9, 7]).tolist(), lambda topics, systems: None
    ),
    "webber2010-exercise-weak": Drawn(_part, _without_weakest, 3),
    "elsewhere-exercise-lead": Drawn(
        lambda rng: [
            *_decimals(rng, 2, 1, 12, 1),
            *_decimals(rng, 1, 0.8, 1),
            int(rng.integers(5, 99)),
        ],
        lambda a, b, rho, n: float(Law(np.array([b, a]), np.full((2, 2), rho)).lead(n)[0, 1]),
    ),
    "elsewhere-exercise-mean": Drawn(_studies, _mean_of_effects),
    "left-out-exercise-count": Drawn(_judged_or_not, _unjudged),
    "left-out-exercise-lost": Drawn(_with_own, _lost),
    "spending-exercise-cost": Drawn(
        _prices,
        lambda budget, pool, depth, systems, topic, rank: int(
            budget // (pool + topic + rank * systems * depth)
        ),
    ),
    "spending-exercise-power": Drawn(
        lambda rng: [*_decimals(rng, 1, 0.05, 0.15, 2), *_decimals(rng, 1, 0.1, 0.2, 2)],
        lambda d, s: fewest(lambda topics: bool(power(d, s, topics) >= 0.8), 999),
        4,
    ),
    "machines-exercise-reversed": Drawn(
        lambda rng: rng.integers(1, 6, (2, rng.integers(3, 8))).tolist(),
        lambda one, other: int(
            (correlation.pair_signs(one) * correlation.pair_signs(other) < 0).sum()
        ),
    ),
    "machines-exercise-worth": Drawn(_scores_of_two, human_topics),
}
