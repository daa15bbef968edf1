"""Discriminative power along many roads at once: each test is made once, then thresholds."""

from typing import Any

import numpy as np

from lib.measures import Scores
from lib.statistics.significance import TESTS, same_scores
from lib.studies.roads.roads import SEED

RESAMPLES = 1000  # of the permutation test: a p value of .05 has a standard error of .007


def drawn(test: str) -> dict[str, Any]:
    """Return the options of a test: how often it draws, and from which seed."""
    if test != "permutation":
        return {}
    return {"resamples": RESAMPLES, "rng": np.random.default_rng(SEED)}


def p_without(scores: Scores, test: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the p values of all pairs of systems, on all topics and without each topic.

    Examples
    --------
    >>> import pandas as pd
    >>> p, same = p_without(pd.DataFrame([[3, 1], [2, 1], [4, 1]]), "t")
    >>> p.shape, bool(same.any())
    ((4, 1), False)
    """
    values = scores.to_numpy(dtype=float)
    parts = [values, *(np.delete(values, topic, axis=0) for topic in range(len(values)))]
    return (
        np.array([TESTS[test](part, **drawn(test)) for part in parts]),
        np.array([same_scores(part) for part in parts]),
    )


def power(
    p: np.ndarray, same: np.ndarray, *, alpha: float, sides: int, identical: str
) -> np.ndarray:
    """Return the share of pairs that are told apart, from their p values.

    Examples
    --------
    >>> p, same = np.array([0.04, 0.08, 1.0]), np.array([False, False, True])
    >>> power(p, same, alpha=0.05, sides=1, identical="left out").item()
    1.0
    """
    decided = (p < min(alpha * 2 / sides, 1.0)).sum(axis=-1)
    left = p.shape[-1] - (same.sum(axis=-1) if identical == "left out" else 0)
    return decided / left
