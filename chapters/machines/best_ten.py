"""The best ten runs: how well people's own order of them repeats itself, and what a machine adds.

One third of the topics picks the ten runs, the second third orders them, the last third checks; the
order of all runs takes the same two thirds.
"""

import numpy as np
import pandas as pd

from chapters.machines import judging
from chapters.machines.judging import PEOPLE, scores_by
from chapters.machines.people import MEASURE
from chapters.machines.questions import over_years
from lib.conventions import ALPHA, DECIMALS
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.statistics.correlation import taus_of_rows
from lib.statistics.significance import t_test

TEN = 10
_DRAWS, _SEED = 1000, 7
ALL_RUNS, BEST = "all runs", "the best ten"


def thirds(topics: int) -> np.ndarray:
    """Draw thirds of the topics, as many of each draw in every third: (draws, 3, topics)."""
    rng = np.random.default_rng(_SEED)
    each = topics // 3
    chosen = np.zeros((_DRAWS, 3, topics))
    for draw in chosen:
        order = rng.permutation(topics)
        for part in range(3):
            draw[part, order[part * each : (part + 1) * each]] = 1
    return chosen


def _orders(own: np.ndarray, other: np.ndarray, chosen: np.ndarray) -> dict[str, float]:
    """Return mean taus of one's own order, and of another's, with one's own on the last third."""
    weights = chosen / chosen.sum(axis=2, keepdims=True)
    mine, theirs = ((weights @ scores).round(DECIMALS) for scores in (own, other))
    best = np.argsort(-mine[:, 0], axis=1, kind="stable")[:, :TEN]

    def tau(ordered: np.ndarray, kept: np.ndarray | None = None) -> float:
        one, last = ordered[:, 1], mine[:, 2]
        if kept is not None:
            one, last = (np.take_along_axis(means, kept, axis=1) for means in (one, last))
        taus = taus_of_rows(one[:, np.newaxis], last[:, np.newaxis], variant="b")
        return float(np.nan_to_num(taus).mean())

    return {ALL_RUNS: tau(mine), BEST: tau(mine, best), "by another": tau(theirs, best)}


@judging.remembered
def repeated(track: str, judge: str) -> Estimate:
    """Return how well people's order on a third of the topics goes with theirs on another.

    Of all runs, of the best ten by a third one, and of these by a judge in place of the people.
    """
    own, other = (scores_by(track, by, MEASURE).to_numpy() for by in (PEOPLE, judge))
    chosen = thirds(len(own))

    def without(topic: int) -> pd.Series:
        left = chosen.copy()
        left[:, :, topic] = 0
        return pd.Series(_orders(own, other, left))

    every = pd.Series(_orders(own, other, chosen))
    return Estimate(every, tuple(without(topic) for topic in range(len(own))))


def table_of_ten(track: str, judge: str = "UMBRELA") -> pd.Series:
    """Return the three numbers of :func:`repeated`, with the interval of people's best ten."""
    found = repeated(track, judge)
    return pd.Series({**found.value, **found[BEST].interval().row()})


@over_years
def lead_among_ten(track: str, judge: str) -> Interval:
    """Return how much better a judge's order of the best ten goes with people's than their own."""
    found = repeated(track, judge)
    return (found["by another"] - found[BEST]).interval()


def sure_pairs(track: str) -> int:
    """Return how many pairs of the ten runs that people put first differ significantly by them."""
    scores = scores_by(track, PEOPLE, MEASURE)
    kept = scores[scores.mean().nlargest(TEN).index]
    return int((t_test(kept.to_numpy()) < ALPHA).sum())
