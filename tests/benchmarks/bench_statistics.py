"""Statistics of all pairs of systems, beside loops over SciPy's functions and over numpy's."""

import itertools

import numpy as np
import pytest
from scipy import stats

from lib.collection import load
from lib.measures import complete_scores, top_systems
from lib.statistics.predictivity import predictivity, splits
from lib.statistics.significance import permutation_test, significant

MEASURES = ["P@10", "AP", "nDCG", "RR", "RBP(p=0.95)"]


@pytest.fixture(scope="module")
def tables():
    """Scores of all systems of TREC-8 by five measures."""
    return complete_scores(load("trec8"), MEASURES)


def test_phi(race, tables):
    best = {name: table[top_systems(load("trec8"))] for name, table in tables.items()}
    values = np.stack([table.to_numpy() for table in best.values()])
    sets = splits(50, number=2000, rng=np.random.default_rng(1))

    def peer():
        for one, other in sets[:40]:
            means = [values[:, side].mean(axis=1).round(10) for side in (one, other)]
            for x, y in itertools.product(*means):
                stats.kendalltau(x, y)

    def loop():
        for one, other in sets[:4]:
            means = [values[:, side].mean(axis=1).round(10) for side in (one, other)]
            signs = [np.sign(of[:, :, np.newaxis] - of[:, np.newaxis]) for of in means]
            for x, y in itertools.product(*signs):
                np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y))

    def mine():
        return predictivity(best, sets)

    race("phi", mine, peer, share=40 / len(sets), numpy=(loop, 4 / len(sets)))


def test_t_tests(race, tables):
    configurations = [table.to_numpy() for table in tables.values()] * 80
    first, second = np.triu_indices(129, 1)

    def mine():
        return [significant(scores, alpha=0.05) for scores in configurations]

    def peer():
        for scores in configurations[:40]:
            stats.ttest_rel(scores[:, first], scores[:, second], axis=0)

    def loop():
        for scores in configurations[:2]:
            for pair in zip(first, second):
                difference = scores[:, pair[0]] - scores[:, pair[1]]
                with np.errstate(invalid="ignore"):  # two equal runs
                    difference.mean() / difference.std(ddof=1)

    race("t-tests", mine, peer, share=0.1, numpy=(loop, 2 / len(configurations)))


def test_permutation_tests(race, tables):
    scores = tables["AP"].to_numpy()
    first, second = np.triu_indices(129, 1)
    some = range(0, len(first), 800)
    how = {"permutation_type": "samples", "n_resamples": 1000, "vectorized": True}

    def mine():
        return permutation_test(scores, resamples=1000, rng=np.random.default_rng(1))

    def peer():
        for pair in some:
            difference = scores[:, first[pair]] - scores[:, second[pair]]
            stats.permutation_test((difference,), np.mean, rng=np.random.default_rng(1), **how)

    def loop():
        rng = np.random.default_rng(1)
        for pair in some:
            difference = scores[:, first[pair]] - scores[:, second[pair]]
            signs = 2 * rng.integers(0, 2, (1000, len(scores))) - 1
            np.mean(np.abs(signs @ difference) >= abs(difference.sum()))

    share = len(some) / len(first)
    race("permutation", mine, peer, share=share, numpy=(loop, share))
