"""Experiments on sentences that the paper does not put in numbers.

Do halves of a topic set stand in for new topics?  Which of two measures is right when they disagree
about a pair of systems?  How often does a significant difference turn around?  How often do
measures disagree about a few systems?  What do judgements buy?
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, load_scores
from lib.measures import SHARE, Scores, best, complete_scores
from lib.papers.webber2008.tables import COMPLEX, MEASURES, NUMBER, SEED, SIMPLE, kept_scores
from lib.statistics.correlation import count_pairs, pair_bits, pair_signs, taus_of_rows
from lib.statistics.incomplete import BUDGET_MEASURES
from lib.statistics.predictivity import against_new_topics, splits, stack, taus_of_splits
from lib.statistics.significance import significant

FEW = 5  # systems that a paper's results section compares
BLOCK = 20  # sets handled at once, so that the bits of their pairs stay in the cache

Sets = Sequence[tuple[np.ndarray, np.ndarray]] | np.ndarray  # pairs of disjoint sets of topics


def without_each(sets: np.ndarray, topics: int) -> Iterator[Sets]:
    """Yield pairs of sets without each topic; the one that had it is a topic smaller."""
    for topic in range(topics):
        yield [(one[one != topic], other[other != topic]) for one, other in sets]


def halving(
    collection: Collection, *, samples: int = 200, pairs: int = 1000, seed: int = SEED
) -> pd.DataFrame:
    """Ask whether halves of a topic set stand in for new topics (section 2: "not shown").

    `samples` and `pairs` are those of :func:`lib.statistics.predictivity.against_new_topics`.  A
    row a pair of measures: ``new``, phi by pairs of sets of new topics; ``halved``, phi by halves,
    mean over topic sets; ``difference`` and ``error`` of these two, Monte-Carlo; ``deviation`` of
    phi by halves between topic sets.
    """
    tables = kept_scores(collection, MEASURES)
    halved, new = against_new_topics(
        tables, samples=samples, pairs=pairs, rng=np.random.default_rng(seed)
    )
    return _compared(new, halved, np.sqrt(halved.var() / samples + new.var() / pairs))


def _compared(new, halved, error):
    """Set phi by new topics beside that by halves, each a row a sample."""
    return pd.DataFrame(
        {
            "new": new.mean(),
            "halved": halved.mean(),
            "difference": halved.mean() - new.mean(),
            "error": error,
            "deviation": halved.std(),
        }
    )


def halving_of_topics(
    scores: Mapping[str, Scores] | None = None,
    *,
    topics: int = 50,
    samples: int = 400,
    number: int = 20,
) -> pd.DataFrame:
    """Ask the same of real topics, of Robust 2004's 249, of which scores by AP and P@10 are public.

    A set of topics is drawn from many and taken as a track's; the systems are kept by their AP on
    it, as the paper does.  Phi by `number` of its halves is set beside phi, of the same systems, by
    as many pairs of sets of the other topics.
    """
    scores = load_scores("robust04") if scores is None else scores
    every, rng = len(scores["AP"]), np.random.default_rng(SEED)
    if not 2 <= topics <= every // 2:
        raise ValueError(f"sets of {topics} topics and as many others cannot be drawn from {every}")
    names, (one, other) = list(scores), np.triu_indices(len(scores))
    every_score = stack(scores)
    found = np.empty((samples, 2, len(one)))
    for row in found:
        order = rng.permutation(every)
        ours, others = order[:topics], order[topics:]
        kept = best(scores["AP"].iloc[ours].mean().round(10), SHARE)
        values = every_score[:, :, scores["AP"].columns.get_indexer(kept)]
        halves = ours[splits(topics, number=number, rng=rng)]
        new = others[splits(len(others), size=topics // 2, number=number, rng=rng)]
        for cell, sets in zip(row, (halves, new)):
            taus = np.nan_to_num(taus_of_splits(values, sets, "b", 10)).mean(axis=0)
            cell[:] = taus[one, other]
    pairs = [(names[i], names[j]) for i, j in zip(one, other)]
    columns = pd.MultiIndex.from_tuples(pairs, names=["of", "predictor"])
    halved, new = (pd.DataFrame(found[:, side], columns=columns) for side in (0, 1))
    return _compared(new, halved, (halved - new).std() / np.sqrt(samples))


def conflicts(collection: Collection) -> pd.DataFrame:
    """Ask which measure to believe when two disagree about a pair of systems.

    On one random half of the topics, take the pairs of systems that a simple and a complex measure
    order in opposite ways; on the other half, see which of them was right.
    """
    sets = splits(len(collection.topics), number=NUMBER, rng=np.random.default_rng(SEED))
    return disagreements(kept_scores(collection, MEASURES), sets)


def disagreements(tables: Mapping[str, Scores], sets: Sets) -> pd.DataFrame:
    """Follow the pairs of systems that a simple and a complex measure order in opposite ways.

    The conflicts on the first of two sets of topics are followed to the second.  A row a simple and
    a complex measure: ``conflicts``, their share of the pairs of systems; ``recur``, the share of
    these that the two measures order in the same opposite ways again; ``right, by the simple`` and
    ``right, by the complex``: the share in which the complex measure was right, as either decides,
    of those that it does not tie.
    """
    at, opponents = {label: i for i, label in enumerate(tables)}, _opponents(tables)
    simple, complex = np.array([(at[a], at[b]) for a, b in opponents]).T
    scores = np.stack([table.to_numpy() for table in tables.values()])
    means = np.array([[scores[:, side].mean(axis=1) for side in pair] for pair in sets]).round(10)
    counts = np.zeros((6, len(opponents)))
    for start in range(0, len(sets), BLOCK):
        above, below = pair_bits(means[start : start + BLOCK])
        # Of the two ways to name a pair, that in which the simple measure puts the first above.
        opposed = above[:, 0, simple] & below[:, 0, complex]
        # On the other set a measure puts the first below (the complex one was right), or above.
        right, wrong, right_too, wrong_too = (
            opposed & of[:, 1, measure] for measure in (simple, complex) for of in (below, above)
        )
        followed = (opposed, wrong & right_too, right, wrong, right_too, wrong_too)
        counts += [count_pairs(pairs).sum(axis=0) for pairs in followed]
    number, recur, right, wrong, right_too, wrong_too = counts
    systems = scores.shape[2]
    return pd.DataFrame(
        {
            "conflicts": number / (len(sets) * systems * (systems - 1) / 2),
            "recur": recur / number,
            "right, by the simple": right / (right + wrong),
            "right, by the complex": right_too / (right_too + wrong_too),
        },
        index=pd.MultiIndex.from_tuples(opponents, names=["simple", "complex"]),
    )


def _opponents(tables):
    return [(a, b) for a in SIMPLE if a in tables for b in COMPLEX if b in tables]


def inconsistent(tables: Mapping[str, Scores], *, few: int = FEW) -> float:
    """Return in how many comparisons of a few systems measures give inconsistent results.

    The share of random sets of systems in which a simple and a complex measure order some pair in
    opposite ways on all topics.
    """
    signs = {x: pair_signs(table.mean().to_numpy().round(10)) for x, table in tables.items()}
    opposed = np.any([signs[a] * signs[b] < 0 for a, b in _opponents(tables)], axis=0)
    systems = len(next(iter(tables.values())).columns)
    square = np.zeros((systems, systems), dtype=bool)
    square[np.triu_indices(systems, 1)] = opposed
    square |= square.T
    rng = np.random.default_rng(SEED)
    chosen = rng.permuted(np.tile(np.arange(systems), (NUMBER, 1)), axis=1)[:, :few]
    return float(square[chosen[:, :, None], chosen[:, None, :]].any(axis=(1, 2)).mean())


def reversals(collection: Collection) -> float:
    """Return how often a difference by AP that is significant turns around on other topics."""
    scores = kept_scores(collection, {"AP": MEASURES["AP"]})["AP"]
    sets = splits(len(collection.topics), number=200, rng=np.random.default_rng(SEED))
    return sign_reversals(scores, sets)


def sign_reversals(scores: Scores, sets: Sets) -> float:
    """Return how often a significant difference turns around on other topics.

    Of the pairs of systems that differ significantly on the first set of topics, by a paired,
    two-tailed t test, the share that the second orders the other way round (a tie there is none).
    """
    values = scores.to_numpy()
    found = reversed_ = 0
    for one, other in sets:
        sure = significant(values[one], alpha=0.05)
        signs = [pair_signs(values[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        reversed_ += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(reversed_ / found)


def bought_without(
    collection: Collection, settings: pd.DataFrame, *, target: str, number: int = 200, seed: int
) -> np.ndarray:
    """Compute phi of rows of :func:`lib.statistics.incomplete.budget` again without each topic."""
    topics = len(collection.topics)
    sets = splits(topics, number=number, rng=np.random.default_rng(seed))
    sought = complete_scores(collection, target).to_numpy()
    columns = []
    for row in settings.itertuples():
        known = complete_scores(collection.pooled(row.pool), BUDGET_MEASURES[row.measure])
        inside = np.zeros((2, number, topics))  # whether a topic is in the set
        np.put_along_axis(inside[0], sets[:, 0, : row.topics], 1, axis=1)
        np.put_along_axis(inside[1], sets[:, 1], 1, axis=1)
        parts = (inside * (np.arange(topics) != topic) for topic in range(topics))
        columns.append([_phi(known.to_numpy(), sought, *part) for part in parts])
    return np.array(columns).T


def _phi(known, sought, few, others):
    """Return the mean tau of rankings on some topics with those on others: sets x topics."""
    one, other = (
        ((side / side.sum(axis=1, keepdims=True)) @ scores).round(10)[:, None]
        for side, scores in ((few, known), (others, sought))
    )
    return np.nan_to_num(taus_of_rows(one, other, variant="b")).mean()
