"""Collections compared at the same number of topics: as many as the smaller ones have."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from lib.measures import Scores
from lib.statistics.jackknife import Interval, jackknife

TOPICS = 50  # of one TREC
SEED = 2026
PARTINGS = 5  # of all topics into sets; each topic is in about as many


def topic_sets(
    topics: int, *, most: int = TOPICS, partings: int = PARTINGS, seed: int = SEED
) -> list[np.ndarray]:
    """Draw sets of topics that share none within a parting, or take all where there are few.

    Examples
    --------
    >>> [len(chosen) for chosen in topic_sets(7, most=3, partings=2)], len(topic_sets(3, most=3))
    ([3, 3, 3, 3], 1)
    """
    if topics <= most:
        return [np.arange(topics)]
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(topics) for _ in range(partings)]
    return [
        order[start : start + most]
        for order in orders
        for start in range(0, topics - most + 1, most)
    ]


def alike(
    tables: Mapping[str, Scores],
    statistic: Callable[[Mapping[str, np.ndarray]], Sequence[float] | float],
    *,
    most: int = TOPICS,
) -> Interval:
    """Compute something on at most so many topics, with its interval over all topics.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"A": [0.0, 1.0, 2.0]})
    >>> found = alike({"P": table}, lambda tables: tables["P"].mean())
    >>> float(found.estimate), round(float(found.error), 3)
    (1.0, 0.577)
    """
    values = {label: table.to_numpy(float) for label, table in tables.items()}
    topics = len(next(iter(values.values())))
    sets = topic_sets(topics, most=most)

    def on(chosen):
        return statistic({label: table[chosen] for label, table in values.items()})

    whole = np.array([on(chosen) for chosen in sets], dtype=float)
    without = []
    for topic in range(topics):
        parts = whole.copy()
        for place, chosen in enumerate(sets):
            if topic in chosen:
                parts[place] = on(chosen[chosen != topic])
        without.append(parts.mean(axis=0))
    return jackknife(whole.mean(axis=0), without)
