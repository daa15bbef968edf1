"""The numbers that are asked of a source: who predicts, families, power, feedback."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from lib.collection import Collection, Pairs
from lib.measures import SHARE, Scores
from lib.papers.thom2007.tables import BROAD, EARLY
from lib.papers.tomlinson2006.robustness import TREC8_PAIRS
from lib.papers.tomlinson2006.tables import COLLECTIONS, COUNTER_EXAMPLES, effects, ours
from lib.papers.tomlinson2006.tables import PAIRS as OWN_PAIRS
from lib.papers.webber2008.tables import NUMBER, SEED, SPLITS
from lib.papers.webber2010.tables import ALPHA
from lib.statistics.correlation import taus_of_rows
from lib.statistics.families import within_less_across, without_noise
from lib.statistics.jackknife import Interval, jackknife
from lib.statistics.predictivity import predictivity, splits, without_each_topic
from lib.statistics.significance import discriminative_power
from lib.studies.sources import Source

TOPICS = 50  # of one TREC
SETS_SEED = 2026
PARTINGS = 5  # of all topics into sets; each topic is in about as many
HALF = 25  # topics in each of two sets, where there are as many: half of 50
PREDICTORS = ("P@10", "RR", "RBP", "nDCG@20", "nDCG", "AP")
THREE = (*EARLY, BROAD[0])  # R-precision is public of few collections
FOUR = (*EARLY, *BROAD)
GAP_SPLITS, FOR_ERROR, GAP_SEED = 500, 200, 2007  # as in chapter 2; for the error fewer
FEEDBACK = ("AP", "P@10", "RR", "GS10")
# Runs of the same group that their tags set apart by feedback alone: axiomatic, by pseudo-relevance
# and by relevance model, each over BM25; the groups' papers say no more.
PAIRS: dict[str, Pairs] = {
    "trec8": TREC8_PAIRS,
    "dl19": [
        (f"{base}, {feedback}", f"{base}_p", f"{base}_{feedback}_p")
        for base in ("bm25base", "bm25tuned")
        for feedback in ("ax", "prf", "rm3")
    ],
    "dl21": [
        ("p_bm25, rm3", "p_bm25", "p_bm25rm3"),
        ("paug_bm25, rm3", "paug_bm25", "paug_bm25rm3"),
    ],
}
OWN = {f"feedback/{name}": title for name, title in (COLLECTIONS | COUNTER_EXAMPLES).items()}


def topic_sets(
    topics: int, *, most: int = TOPICS, partings: int = PARTINGS, seed: int = SETS_SEED
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


def family_gap(source: Source, labels: tuple[str, ...] = THREE) -> Interval:
    """Say how much higher tau is within the families than across, on the same topics."""
    early = [label in EARLY for label in labels]

    def statistic(tables: Mapping[str, np.ndarray]) -> float:
        means = np.stack([tables[label].mean(axis=0).round(10) for label in labels])
        return float(within_less_across(taus_of_rows(means, means, variant="b"), early))

    return alike({label: source.scores[label] for label in labels}, statistic)


def corrected_gap(source: Source, labels: tuple[str, ...] = THREE) -> Interval:
    """Say the same of rankings on separate topics, corrected for what the topics' noise takes."""
    names, phi, without = phi_of(
        source, labels=labels, number=GAP_SPLITS, for_error=FOR_ERROR, share=1.0, seed=GAP_SEED
    )
    order = [names.index(label) for label in labels]
    taus = without_noise(np.concatenate([phi[np.newaxis], without])[:, order][:, :, order])
    if np.isnan(taus).any():
        raise ValueError("a measure does not rank systems like itself on other topics")
    found = within_less_across(taus, [label in EARLY for label in labels])
    return jackknife(found[0], found[1:])


def gain(source: Source, measure: str, other: str) -> Interval:
    """Say how much larger the share of pairs of systems is that one measure tells apart."""

    def statistic(tables: Mapping[str, np.ndarray]) -> float:
        one, two = (
            discriminative_power(tables[label], alpha=ALPHA, identical="left out")
            for label in (measure, other)
        )
        return one - two

    return alike({label: source.scores[label] for label in (measure, other)}, statistic)


def changes(source: Source, measure: str) -> Iterator[tuple[str, pd.Series]]:
    """Yield the mean change over a source's pairs, and that of each pair."""
    assert source.collection is not None
    pairs = PAIRS[source.name]
    yield "", _of(source.collection, pairs, measure)
    for pair in pairs:
        yield pair[0], _of(source.collection, [pair], measure)


def own_systems(folder: str, measure: str) -> pd.Series:
    """Return the mean change over our own seven systems on a collection of texts.

    Examples
    --------
    >>> own_systems("feedback/cf", "AP")["difference"].round(3).item()
    0.035
    """
    (collection,) = ours(folder.rpartition("/")[2])
    return _of(collection, OWN_PAIRS, measure)


def _of(collection: Collection, pairs: Sequence, measure: str) -> pd.Series:
    return effects(collection, pairs, {measure: measure}).loc[measure]
