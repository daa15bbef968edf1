"""Does one measure predict another on new topics better than that predicts itself?"""

from functools import cache

import numpy as np

from lib.papers.webber2008.tables import NUMBER, SEED, SHARE, SPLITS
from lib.statistics.jackknife import Interval, jackknife
from lib.statistics.predictivity import predictivity, splits, without_each_topic
from lib.studies.sources import Source

HALF = 25  # topics in each of two sets, where there are as many: half of 50
PREDICTORS = ("P@10", "RR", "RBP", "nDCG@20", "nDCG", "AP")


def set_size(source: Source, most: int = HALF) -> int:
    """Return how many topics each of two sets has, so that collections are compared alike."""
    return min(most, source.topics // 2)


@cache
def phi_of(
    source: Source,
    *,
    size: int | None = None,
    labels: tuple[str, ...] = PREDICTORS,
    number: int = NUMBER,
    for_error: int = SPLITS,
    share: float = SHARE,
    rounding: str = "down",
    variant: str = "b",
    decimals: int | None = 10,
    seed: int = SEED,
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Estimate the predictive power of measures for each other, with and without each topic."""
    kept = source.kept(share, rounding=rounding)
    tables = {label: kept[label] for label in labels if label in kept}
    size = set_size(source) if size is None else size
    drawn, fewer = (
        splits(source.topics, size=size, number=n, rng=np.random.default_rng(seed))
        for n in (number, for_error)
    )
    phi = predictivity(tables, drawn, variant=variant, decimals=decimals).phi.to_numpy()
    without = without_each_topic(tables, fewer, variant=variant, decimals=decimals)
    return tuple(tables), phi, without


def lead(source: Source, predictor: str, target: str, **options: object) -> Interval:
    """Say how much better one measure predicts another than that predicts itself.

    Examples
    --------
    >>> from lib.studies.sources import sources
    >>> trec8 = next(source for source in sources() if source.name == "trec8")
    >>> found = lead(trec8, "AP", "P@10", labels=("P@10", "AP"), number=50, for_error=50)
    >>> f"{found.estimate:+.2f}"
    '+0.02'
    """
    return less(source, (predictor, target), (target, target), **options)


def less(
    source: Source, pair: tuple[str, str], other: tuple[str, str], **options: object
) -> Interval:
    """Say how much better one pair of measures predicts each other than another pair does."""
    names, phi, without = phi_of(source, **options)  # type: ignore[arg-type]
    (a, b), (c, d) = ((names.index(one), names.index(two)) for one, two in (pair, other))
    return jackknife(phi[a, b] - phi[c, d], without[:, a, b] - without[:, c, d])
