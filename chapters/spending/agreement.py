"""How well scores on some topics tell the order of systems on others: seen, and simulated."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from lib.conventions import DECIMALS
from lib.statistics.correlation import taus_of_rows
from lib.statistics.predictivity import splits

_BLOCK = 20  # splits at once
_LEAST = 0.02  # the correlation below which the curve is not followed
SIMULATED = (10, 30, 100, 300)  # topics; agreement with the order on unlimited ones is simulated


@dataclass(frozen=True, eq=False)
class Draws:
    """Random halves of the topics: the first ones of one half predict, the other is predicted."""

    known: np.ndarray  # splits x topics: which predict
    sought: np.ndarray  # splits x topics: which are predicted

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


def phi(
    values: np.ndarray, target: np.ndarray, draws: Draws, *, top: int | None = None
) -> np.ndarray:
    """Return the predictive power of each table of scores for the target on other topics.

    For the ``top`` systems it is the share of them that both orders have in common.

    Examples
    --------
    >>> target = np.array([[3, 2, 1.0]] * 4)
    >>> draws = Draws.make(4, size=1, number=5, rng=np.random.default_rng(1))
    >>> phi(np.stack([target, -target]), target, draws).tolist()
    [1.0, -1.0]
    """
    known = draws.means(values, side="known")
    sought = draws.means(target[np.newaxis], side="sought")
    return _mean_tau(known, sought) if top is None else overlap(known, sought, top=top)


def _mean_tau(known: np.ndarray, sought: np.ndarray) -> np.ndarray:
    """Return the mean tau-b of splits x tables x systems with splits x 1 x systems."""
    taus = [
        taus_of_rows(known[i : i + _BLOCK], sought[i : i + _BLOCK], variant="b")[..., 0]
        for i in range(0, len(known), _BLOCK)
    ]
    return np.nan_to_num(np.concatenate(taus)).mean(axis=0)


def overlap(known: np.ndarray, sought: np.ndarray, *, top: int) -> np.ndarray:
    """Return the mean share of the top systems that two orders have in common.

    Systems that tie for the last places share them, as if lots were drawn.

    Examples
    --------
    >>> overlap(np.array([[[3, 2, 2, 0]]]), np.array([[[4, 3, 1, 2]]]), top=2).tolist()
    [0.75]
    """

    def places(means: np.ndarray) -> np.ndarray:
        last = np.sort(means, axis=-1)[..., [-top]]
        above, tied = means > last, means == last
        left = top - above.sum(axis=-1, keepdims=True)
        return above + tied * left / tied.sum(axis=-1, keepdims=True)

    return (places(known) * places(sought)).sum(axis=-1).mean(axis=0) / top


def limit(
    values: np.ndarray,
    target: np.ndarray,
    *,
    sizes: Sequence[int] = SIMULATED,
    number: int = 50,
    top: int | None = None,
) -> np.ndarray:
    """Simulate how well some topics tell the order of systems on unlimited topics.

    Scores are systems' effects and what is left on each topic.  The effects' variances and
    covariances are those of the means, less what the topics' noise adds to them; what is left is
    drawn topic by topic, all systems at once, so that systems that are alike stay so.

    Returns
    -------
    ndarray, shape (sizes, settings)
        Mean tau-b of the order on so many topics with that of the target's effects, or the share of
        the ``top`` systems.
    """
    topics, systems = target.shape
    both = np.concatenate([values, target[np.newaxis]])
    both = both - both.mean(axis=2, keepdims=True)
    effect = both.mean(axis=1)
    rest = both - effect[:, np.newaxis]
    goal = effect[-1]
    noise = np.einsum("kts,jts->kj", rest, rest[-1:], optimize=True)[:, 0]
    share = topics * (topics - 1)
    cross = effect @ goal - noise / share
    own = np.maximum((effect**2).sum(axis=1) - (rest**2).sum(axis=(1, 2)) / share, 0)
    if own[-1] <= 0:  # nothing but noise: no order to be found
        return np.zeros((len(sizes), len(values)))
    unit = goal / np.sqrt(goal @ goal)
    along_goal = np.clip(cross / np.sqrt(own[-1]), -np.sqrt(own), np.sqrt(own))
    beside = effect - np.outer(effect @ unit, unit)
    length = np.sqrt((beside**2).sum(axis=1, keepdims=True))
    left = np.sqrt(np.maximum(own - along_goal**2, 0))[:, np.newaxis]
    true = np.outer(along_goal, unit) + np.where(length > 1e-9, left / (length + 1e-30), 0) * beside
    rng = np.random.default_rng(1)
    taus = []
    agree = _mean_tau if top is None else partial(overlap, top=top)
    for size in sizes:
        drawn = rng.multinomial(size, np.full(topics, 1 / topics), size=number) / size
        noisy = np.einsum("nt,kts->nks", drawn, rest[:-1], optimize=True)
        known = true[:-1] + noisy * np.sqrt(topics / (topics - 1))
        sought = np.broadcast_to(goal, (number, 1, systems))
        taus.append(agree(known.round(DECIMALS), sought.round(DECIMALS)))
    return np.array(taus)


def fit_curve(sizes: Sequence[int], seen: Sequence[float] | np.ndarray) -> tuple[float, float]:
    r"""Return the curve by which predictive power grows with the number of topics.

    Of scores that vary normally, tau is :math:`\frac2\pi \arcsin r`, and the correlation of mean
    scores grows with the number of topics n as :math:`1 / r^2 = a + b / n`: a line in 1 / n, fitted
    by least squares with the weights :math:`r^6`, by which errors of r count alike.  No correlation
    is above 1, with however many topics: a is 1 at least.

    References
    ----------
    Spearman, Correlation calculated from faulty data, and Brown, Some experimental results in the
    correlation of mental abilities, British Journal of Psychology 3, 1910; Greiner's relation of
    tau and r: Kendall, Rank correlation methods, 1948.

    Examples
    --------
    >>> a, b = fit_curve([5, 10, 20], [0.30, 0.38, 0.45])
    >>> round(a, 2), round(b, 1)
    (1.54, 16.4)
    """
    r = np.maximum(np.sin(np.pi / 2 * np.asarray(seen, dtype=float)), _LEAST)
    inverse = 1 / np.asarray(sizes, dtype=float)
    weights = r**6 / (r**6).sum()
    y = r**-2
    middle, level = (weights * inverse).sum(), (weights * y).sum()
    spread = (weights * (inverse - middle) ** 2).sum()
    slope = (weights * (inverse - middle) * (y - level)).sum() / spread if spread > 0 else 0.0
    slope = max(slope, 0.0)  # more topics never predict worse
    end = level - slope * middle
    if end < 1:
        end, slope = 1.0, (weights * inverse * (y - 1)).sum() / (weights * inverse**2).sum()
    return float(end), float(slope)


def on_curve(curves: np.ndarray | tuple[float, float], topics: ArrayLike) -> np.ndarray:
    """Return predictive power at a number of topics, by a curve.

    Examples
    --------
    >>> on_curve(fit_curve([5, 10, 20], [0.30, 0.38, 0.45]), 40).round(2)
    np.float64(0.51)
    """
    a, b = np.moveaxis(np.asarray(curves, dtype=float), -1, 0)
    return 2 / np.pi * np.arcsin((a + b / np.asarray(topics)) ** -0.5)
