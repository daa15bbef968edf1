"""How well scores on some topics tell the order of systems on others, and its error over topics."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lib.statistics.correlation import taus_of_rows
from lib.statistics.jackknife import Interval, groups, topic_jackknife
from lib.statistics.predictivity import splits

DECIMALS = 10  # of means: equal ones stay ties
BLOCK = 20  # splits at once


@dataclass(frozen=True, eq=False)
class Draws:
    """Random halves of the topics: the first ones of one half predict, the other is predicted."""

    known: np.ndarray
    sought: np.ndarray

    @classmethod
    def make(cls, topics: int, *, size: int, number: int, rng: np.random.Generator) -> "Draws":
        """Draw halves of some topics.

        Examples
        --------
        >>> draws = Draws.make(9, size=2, number=3, rng=np.random.default_rng(1))
        >>> draws.known.sum(axis=1).tolist(), draws.sought.sum(axis=1).tolist()
        ([2, 2, 2], [4, 4, 4])
        """
        if not 1 <= size <= topics // 2:
            raise ValueError(f"size must be 1 to {topics // 2}, half of the topics, not {size}")
        sets = splits(topics, number=number, rng=rng)
        known, sought = np.zeros((2, number, topics), dtype=bool)
        np.put_along_axis(known, sets[:, 0, :size], True, axis=1)
        np.put_along_axis(sought, sets[:, 1], True, axis=1)
        return cls(known, sought)

    def without(self, topics: np.ndarray) -> "Draws":
        """Return the splits without some topics; one that has none left on a side is dropped."""
        kept = np.ones(self.known.shape[1], dtype=bool)
        kept[topics] = False
        known, sought = self.known & kept, self.sought & kept
        whole = known.any(axis=1) & sought.any(axis=1)
        return Draws(known[whole], sought[whole])

    def means(self, values: np.ndarray, *, side: str) -> np.ndarray:
        """Return mean scores over the topics of each split."""
        chosen = getattr(self, side)
        weights = chosen / chosen.sum(axis=1, keepdims=True)
        mean = np.einsum("st,mtn->smn", weights, values, optimize=True)
        return mean.round(DECIMALS)


def phi(values: np.ndarray, target: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the predictive power of each table of scores for the target on other topics.

    Examples
    --------
    >>> target = np.array([[3, 2, 1.0]] * 4)
    >>> draws = Draws.make(4, size=1, number=5, rng=np.random.default_rng(1))
    >>> phi(np.stack([target, -target]), target, draws).tolist()
    [1.0, -1.0]
    """
    known = draws.means(values, side="known")
    sought = draws.means(target[np.newaxis], side="sought")
    taus = [
        taus_of_rows(known[i : i + BLOCK], sought[i : i + BLOCK], variant="b")[..., 0]
        for i in range(0, len(known), BLOCK)
    ]
    return np.nan_to_num(np.concatenate(taus)).mean(axis=0)


def placed(
    values: np.ndarray,
    target: np.ndarray,
    draws: Draws,
    *,
    systems: Sequence[int] | np.ndarray,
    others: Sequence[int] | np.ndarray,
) -> np.ndarray:
    """Return how well some systems are placed among others: pairs in order less pairs not.

    Examples
    --------
    >>> target = np.array([[3, 2, 1.0]] * 4)
    >>> draws = Draws.make(4, size=1, number=5, rng=np.random.default_rng(1))
    >>> swapped = target[:, [1, 0, 2]]
    >>> placed(swapped[np.newaxis], target, draws, systems=[0], others=[1, 2]).tolist()
    [0.0]
    """
    known = draws.means(values, side="known")
    sought = draws.means(target[np.newaxis], side="sought")

    def signs(mean):
        return np.sign(mean[..., systems][..., :, np.newaxis] - mean[..., np.newaxis, others])

    return (signs(known) * signs(sought)).mean(axis=(0, 2, 3))


def over_topics(
    answer: Callable[[Draws], np.ndarray],
    draws: Draws,
    *,
    times: int = 10,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Interval:
    """Return something that draws of topics answer, with its interval over topics."""
    topics = draws.known.shape[1]
    partings = groups(topics, number=min(5, topics), times=times, rng=rng)
    return topic_jackknife(
        lambda part: answer(draws.without(part)), topics, partings=partings, level=level
    )
