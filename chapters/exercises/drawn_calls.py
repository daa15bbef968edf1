"""Calls that a function is tried on besides those that a lesson lists: drawn by a seed, and solved.

A function that knows the listed calls only, or is right on them by chance, is found out by these.
They are for what a course marks, and for AP; other functions have their listed calls alone.
"""

from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.stats import ttest_1samp

from lib.collection import Collection
from lib.conventions import ALPHA
from lib.measures import complete_scores
from lib.statistics import correlation
from lib.statistics.multiplicity import holm
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


def _judged(rng: Generator) -> list:
    names = list(ascii_lowercase[:16])
    ranked = rng.permutation(names)[: rng.integers(1, 13)].tolist()
    known = rng.permutation(names)[: rng.integers(0, 11)].tolist()
    return [ranked, {name: int(rng.integers(0, 3)) for name in known}, int(rng.integers(1, 15))]


def _halves(rng: Generator) -> list:
    sets = [rng.permutation(6)[: rng.integers(2, 7)].tolist() for _ in range(4)]
    sets = [[one[: len(one) // 2], one[len(one) // 2 :]] for one in sets]
    tables = [{name: _decimals(rng, 6, digits=2) for name in "ABCD"} for _ in range(2)]
    return [*({"use": "table", **one} for one in tables), sets]


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


def _bounds(ranked: Sequence[str], judged: Mapping[str, int], k: int) -> list[float]:
    least = sum(judged.get(document, 0) > 0 for document in ranked[:k])
    return [least / k, (least + sum(one not in judged for one in ranked[:k])) / k]


def _predictive(
    one: pd.DataFrame, other: pd.DataFrame, sets: Sequence[Sequence[list[int]]]
) -> float:
    ends = [(one.iloc[a].mean().round(10), other.iloc[b].mean().round(10)) for a, b in sets]
    return float(np.mean([correlation.kendall(*each, variant="b") for each in ends]))


def _without_weakest(collection: Collection) -> Any:
    ap = complete_scores(collection, "AP")
    kept = ap.drop(columns=ap.mean().nsmallest(len(ap.columns) // 4).index)
    return [discriminative_power(one, alpha=ALPHA) for one in (ap, kept)]


DRAWN = {
    "foundations-exercise-ap": Drawn(_grades, _average_precision),
    "foundations-exercise-ndcg": Drawn(_graded, _ndcg),
    "foundations-exercise-bounds": Drawn(_judged, _bounds),
    "foundations-exercise-holm": Drawn(
        lambda rng: [
            _decimals(rng, rng.integers(1, 9), 0.001, 0.06, 6),  # so that none is a bar
            float(rng.choice([0.01, 0.1, 0.2])),
        ],
        lambda p, alpha: int((holm(p) <= alpha).sum()),
    ),
    "foundations-exercise-interval": Drawn(
        lambda rng: [_decimals(rng, rng.integers(3, 15), -0.4, 0.5, 2)], _interval
    ),
    "webber2008-exercise-power": Drawn(_halves, _predictive),
    "webber2010-exercise-weak": Drawn(_part, _without_weakest, 3),
}
