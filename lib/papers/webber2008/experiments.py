"""Experiments on sentences that the paper does not put in numbers.

Do halves of a topic set stand in for new topics?  Which of two measures is right when they disagree
about a pair of systems?  How often does a significant difference turn around?  How often do
measures disagree about a few systems?
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import Scores
from lib.papers.webber2008.tables import COMPLEX, MEASURES, NUMBER, SEED, SHARE, SIMPLE, kept_scores
from lib.statistics.correlation import count_pairs, pair_bits, pair_signs
from lib.statistics.predictivity import against_new_topics, splits
from lib.statistics.significance import significant

__all__ = [
    "FEW",
    "conflicts",
    "counted",
    "disagreements",
    "halving",
    "inconsistent",
    "reversals",
    "shares",
    "turned",
]

FEW = 5  # systems that a paper's results section compares
BLOCK = 20  # sets handled at once, so that the bits of their pairs stay in the cache
COUNTED = ["conflicts", "pairs", "recur", "right", "decided", "right too", "decided too"]


def halving(
    collection: Collection,
    measures: Mapping[str, str] | None = None,
    *,
    samples: int = 200,
    pairs: int = 1000,
    seed: int = SEED,
    share: float = SHARE,
) -> pd.DataFrame:
    """Ask whether halves of a topic set stand in for new topics (section 2: "not shown").

    Parameters
    ----------
    collection : Collection
    measures, share
        As for :func:`lib.papers.webber2008.phi`.
    samples, pairs
        As for :func:`lib.statistics.predictivity.against_new_topics`.
    seed : int

    Returns
    -------
    DataFrame, index (of, predictor)
        new : phi by pairs of sets of new topics; halved : phi by halves, mean over topic sets;
        difference and error : of these two, with its Monte-Carlo standard error; deviation :
        standard deviation of phi by halves between topic sets.
    """
    tables = kept_scores(collection, measures or MEASURES, share=share)
    halved, new = against_new_topics(
        tables, samples=samples, pairs=pairs, rng=np.random.default_rng(seed)
    )
    return pd.DataFrame(
        {
            "new": new.mean(),
            "halved": halved.mean(),
            "difference": halved.mean() - new.mean(),
            "error": np.sqrt(halved.var() / samples + new.var() / pairs),
            "deviation": halved.std(),
        }
    )


def conflicts(
    collection: Collection,
    measures: Mapping[str, str] | None = None,
    *,
    number: int = NUMBER,
    seed: int = SEED,
    share: float = SHARE,
) -> pd.DataFrame:
    """Ask which measure to believe when two disagree about a pair of systems.

    On one random half of the topics, take the pairs of systems that a simple and a complex measure
    order in opposite ways; on the other half, see which of them was right.

    Parameters
    ----------
    collection : Collection
    measures : dict of str to str, optional
        Some of :data:`MEASURES`, by default all: at least a simple and a complex one.
    number, seed, share
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    DataFrame
        That of :func:`disagreements`.
    """
    tables = kept_scores(collection, measures or MEASURES, share=share)
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    return disagreements(tables, sets)


def disagreements(tables: Mapping[str, Scores], sets: Sequence | np.ndarray) -> pd.DataFrame:
    """Follow the pairs of systems that a simple and a complex measure order in opposite ways.

    Parameters
    ----------
    tables : dict of str to DataFrame (topics x systems)
        Scores by some of :data:`MEASURES`, without gaps.
    sets : sequence of (ndarray, ndarray)
        Of topics; the conflicts on the first are followed to the second.

    Returns
    -------
    DataFrame, index (simple, complex)
        ``conflicts``: their share of the pairs of systems; ``recur``: share of these that the two
        measures order in the same opposite ways again; ``right, by the simple`` and ``right, by
        the complex``: the share in which the complex measure was right, as either decides, of those
        that it does not tie.
    """
    return shares(tables, counted(tables, sets).sum(axis=0))


def counted(tables: Mapping[str, Scores], sets: Sequence | np.ndarray) -> np.ndarray:
    """Count for :func:`disagreements`: shape (sets, pairs of measures, :data:`COUNTED`)."""
    at = {label: i for i, label in enumerate(tables)}
    opponents = [(at[a], at[b]) for a, b in _opponents(tables)]
    simple, complex = np.array(opponents, dtype=int).reshape(-1, 2).T
    scores = np.stack([table.to_numpy() for table in tables.values()])
    systems = scores.shape[2]
    means = np.array([[scores[:, side].mean(axis=1) for side in pair] for pair in sets]).round(10)
    counts = np.zeros((len(sets), len(opponents), len(COUNTED)))
    for start in range(0, len(sets), BLOCK):
        above, below = pair_bits(means[start : start + BLOCK])
        # Of the two ways to name a pair, that in which the simple measure puts the first above.
        opposed = above[:, 0, simple] & below[:, 0, complex]
        # That measure then puts the first below (it was right), or above.
        later = [
            opposed & of[:, 1, measure] for measure in (simple, complex) for of in (below, above)
        ]
        right, wrong, right_too, wrong_too = map(count_pairs, later)
        counts[start : start + BLOCK] = np.stack(
            np.broadcast_arrays(
                count_pairs(opposed),
                systems * (systems - 1) / 2,
                count_pairs(later[1] & later[2]),
                right,
                right + wrong,
                right_too,
                right_too + wrong_too,
            ),
            axis=-1,
        )
    return counts


def shares(tables: Mapping[str, Scores], counts: np.ndarray) -> pd.DataFrame:
    """Turn the summed counts of :func:`counted` into what :func:`disagreements` returns."""
    index = pd.MultiIndex.from_tuples(_opponents(tables), names=["simple", "complex"])
    of = pd.DataFrame(counts, index=index, columns=COUNTED)
    return pd.DataFrame(
        {
            "conflicts": of["conflicts"] / of["pairs"],
            "recur": of["recur"] / of["conflicts"],
            "right, by the simple": of["right"] / of["decided"],
            "right, by the complex": of["right too"] / of["decided too"],
        }
    )


def _opponents(tables):
    return [(a, b) for a in SIMPLE if a in tables for b in COMPLEX if b in tables]


def inconsistent(
    tables: Mapping[str, Scores], *, few: int = FEW, number: int = NUMBER, seed: int = SEED
) -> float:
    """Return in how many comparisons of a few systems measures give inconsistent results.

    Parameters
    ----------
    tables : dict of str to DataFrame (topics x systems)
        Scores by some of :data:`MEASURES`, without gaps.
    few : int
        Systems that are compared.
    number, seed : int
        Random sets of systems.

    Returns
    -------
    float
        Share of the sets in which a simple and a complex measure order some pair of systems in
        opposite ways on all topics; in [0, 1].
    """
    signs = {x: pair_signs(table.mean().to_numpy().round(10)) for x, table in tables.items()}
    opposed = np.any([signs[a] * signs[b] < 0 for a, b in _opponents(tables)], axis=0)
    systems = len(next(iter(tables.values())).columns)
    square = np.zeros((systems, systems), dtype=bool)
    square[np.triu_indices(systems, 1)] = opposed
    square |= square.T
    rng = np.random.default_rng(seed)
    chosen = rng.permuted(np.tile(np.arange(systems), (number, 1)), axis=1)[:, :few]
    return float(square[chosen[:, :, None], chosen[:, None, :]].any(axis=(1, 2)).mean())


def reversals(
    collection: Collection,
    *,
    measure: str = "AP",
    alpha: float = 0.05,
    number: int = 200,
    seed: int = SEED,
    share: float = SHARE,
) -> float:
    """Return how often a significant difference turns around on other topics.

    Parameters
    ----------
    collection : Collection
    measure : str
        Label among :data:`MEASURES`.
    alpha : float
        Level of the paired, two-tailed t test on one half of the topics.
    number, seed, share
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    float
        Of the pairs of systems that differ significantly on a random half of the topics, the share
        that the other half orders the other way round (a tie there is none); in [0, 1].
    """
    scores = kept_scores(collection, {measure: MEASURES[measure]}, share=share)[measure]
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    return turned(scores, sets, alpha=alpha)


def turned(scores: Scores, sets: Sequence | np.ndarray, *, alpha: float = 0.05) -> float:
    """Do so for given sets of topics: the first tests, the second confirms or turns around."""
    values = scores.to_numpy()
    found = reversed_ = 0
    for one, other in sets:
        sure = significant(values[one], alpha=alpha)
        signs = [pair_signs(values[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        reversed_ += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(reversed_ / found)
