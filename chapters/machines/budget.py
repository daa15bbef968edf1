"""What a budget of human judgements buys beside a machine, by the difference estimator."""

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chapters.machines.judging import PEOPLE, machines, remembered, scores_by
from lib.intervals import Interval
from lib.statistics.difference_estimator import difference_estimate
from lib.statistics.jackknife import topic_jackknife
from lib.statistics.student import pair_differences

_SHARE = 0.25  # of the topics that people judge
TRIES, _SEED = 400, 20251122
_ALONE = "people alone"  # without a machine


def human_topics(people: ArrayLike, machine: ArrayLike, n: int) -> np.ndarray:
    r"""Return how many topics people alone would have to judge for the same expected error.

    m with :math:`(1/m - 1/N) S_p^2 = (1/n - 1/N) S_d^2`: more than n where the machine helps, less
    where it harms.

    Examples
    --------
    >>> human_topics([0.1, 0.5, 0.9, 0.3], [0.0, 0.4, 0.8, 0.6], 2).round(2)
    np.float64(2.98)
    """
    people, machine = np.asarray(people, float), np.asarray(machine, float)
    topics = len(people)
    own, gap = people.var(axis=0, ddof=1), (people - machine).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 / (1 / topics + (1 / n - 1 / topics) * gap / own)


@cache
def worth_of(track: str, judge: str, measure: str) -> Interval:
    """Return what people's quarter of the topics is worth beside a machine: 1 is no gain.

    The median of :func:`human_topics` over the differences of two runs, as a multiple of the topics
    that they judge, with its interval over topics.
    """
    scores = (scores_by(track, by, measure).to_numpy() for by in (PEOPLE, judge))
    people, machine = map(pair_differences, scores)
    n = round(_SHARE * len(people))

    def worth(without: np.ndarray) -> float:
        one, other = (np.delete(table, without, axis=0) for table in (people, machine))
        return float(np.nanmedian(human_topics(one, other, n)) / n)

    return topic_jackknife(worth, len(people))


@remembered
def interval_coverage(track: str, measure: str = "nDCG@10", *, tries: int = TRIES) -> pd.DataFrame:
    """Try the intervals: how often they hold what people say over all topics, over runs and pairs.

    Examples
    --------
    >>> bool(interval_coverage("dl19", tries=50)["a run"].between(0.8, 1).all())
    True
    """
    shares = {}
    for what in ("a run", "a pair"):
        compared = pair_differences if what == "a pair" else np.asarray
        scores = (scores_by(track, by, measure) for by in [PEOPLE, *machines(track)])
        people, *others = (compared(table.to_numpy()) for table in scores)
        truth, n = people.mean(axis=0), round(_SHARE * len(people))
        rng = np.random.default_rng(_SEED)
        draws = [rng.permutation(len(people))[:n] for _ in range(tries)]
        for judge, machine in zip([_ALONE, *machines(track)], [np.zeros_like(people), *others]):
            tried = [difference_estimate(people[chosen], machine, chosen) for chosen in draws]
            held = [(of.low <= truth + 1e-12) & (truth - 1e-12 <= of.high) for of in tried]
            shares[judge, what] = float(np.mean(held))
    return pd.Series(shares).unstack().rename_axis(index="judge", columns=None)
