"""Paired tests over all pairs: against scipy, against plain loops, and by their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from joblib import parallel_config
from scipy import stats

from lib import scores
from lib.statistics import significance
from lib.statistics.significance import (
    TESTS,
    bootstrap_test,
    flipped_signs,
    permutation_test,
    same_scores,
    square,
    t_statistic,
    t_test,
    wilcoxon_test,
)
from lib.statistics.student import t_exceeds

MEASURES = ["P@10", "AP@1000"]
# Scores as measures give them: few values, many ties; and whole numbers, whose sums are exact.
tables = st.tuples(st.integers(2, 12), st.integers(2, 6)).flatmap(
    lambda shape: arrays(int, shape, elements=st.integers(0, 4))
)


def differences(table):
    values = np.asarray(table, float)
    first, second = np.triu_indices(values.shape[1], 1)
    return values[:, first] - values[:, second]


def generator():
    return np.random.default_rng(5)


# Against scipy


def test_wilcoxon_equals_scipys_pair_by_pair(trec8):
    table = scores(trec8, "AP@1000").iloc[:, ::8]
    d = differences(table)
    theirs = [stats.wilcoxon(x, method="asymptotic").pvalue for x in d.T]
    np.testing.assert_allclose(wilcoxon_test(table), theirs, rtol=0, atol=1e-12)


# Against plain loops on the same resamples


def loop(table, drawn_means, resamples):
    """Count, pair by pair, the resampled means at least as far off as the observed one."""
    d = differences(table)
    p = []
    for pair in d.T:
        observed = abs(pair.sum())  # whole numbers: compared without rounding
        extreme = sum(abs(mean) >= observed for mean in drawn_means(pair))
        p.append((extreme + 1) / (resamples + 1))
    return np.array(p)


@given(tables)
def test_permutation_equals_a_plain_loop_on_the_same_resamples(table):
    resamples = 40
    signs = generator().integers(0, 2, size=(resamples, len(table)), dtype=np.int8) * 2 - 1
    plain = loop(table, lambda d: (sum(s * x for s, x in zip(row, d)) for row in signs), resamples)
    ours = permutation_test(table, resamples=resamples, rng=generator())
    np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-12)


@given(tables)
def test_bootstrap_equals_a_plain_loop_on_the_same_resamples(table):
    resamples = 40
    drawn = generator().integers(0, len(table), size=(resamples, len(table)))
    plain = loop(table, lambda d: (sum(d[t] for t in row) - d.sum() for row in drawn), resamples)
    ours = bootstrap_test(table, resamples=resamples, rng=generator())
    np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-12)


def test_resampling_does_not_hang_on_how_joblib_runs_it(trec8, monkeypatch):
    table = scores(trec8, "P@10").iloc[:, :12]
    for test in (permutation_test, bootstrap_test):
        alone = test(table, resamples=5000, rng=generator())
        with parallel_config("threading", n_jobs=2):
            assert (alone == test(table, resamples=5000, rng=generator())).all()
        monkeypatch.setattr(significance, "_TASK", 5000)  # all drawn at once
        assert (alone == test(table, resamples=5000, rng=generator())).all()
        monkeypatch.undo()


def test_of_many_topics_as_many_draws_as_p_needs_give_it_within_the_stated_error():
    how = {"resamples": 100_000, "enough": 1000}
    few = np.zeros((1003, 4))  # all but some of no weight, the last among them, by hand
    few[:1, 0], few[-2:, 1], few[[0, 500, 1002], 2] = 1, 1, -1
    by_hand = [1, 1 / 2, 1 / 4, 1]
    drawn = flipped_signs(few, **how, rng=generator())
    np.testing.assert_allclose(drawn, by_hand, rtol=4 * 0.032)
    z = np.array([0.5, 2, 2.7, 3.5, 7])  # of so many topics p is the normal distribution's
    values = np.random.default_rng(7).normal(size=(20_000, len(z)))
    values -= values.mean(axis=0)
    values += z * np.sqrt((values**2).mean(axis=0) / len(values))
    p = 2 * stats.norm.sf(z)
    drawn = flipped_signs(values, **how, rng=generator())
    assert (abs(drawn - p)[:-1] < 4 * np.maximum(0.032 * p, 0.0003)[:-1]).all()
    assert drawn[-1] == 1 / 100_001
    # It ends at once where all are as far off, and draws nothing where none can be.
    for these, spent in ((few[:, 3:], 1024 * 126), (values[:, 4:], 0)):
        ours, theirs = generator(), generator()
        flipped_signs(these, **how, rng=ours)
        _ = spent and theirs.bytes(spent)
        assert ours.bytes(8) == theirs.bytes(8)


# By hand, and laws


def run(name, table):
    options = {"resamples": 30, "rng": generator()} if name in ("permutation", "bootstrap") else {}
    return TESTS[name](table, **options)


@pytest.mark.parametrize("name", TESTS)
@given(table=tables)
def test_laws_of_every_test(name, table):
    p = run(name, table)
    assert ((p >= 0) & (p <= 1)).all()
    assert (p[same_scores(table)] == 1).all()
    # Two-sided: the order of two systems, and the sign of scores, make no difference.
    back = square(run(name, table[:, ::-1]), range(table.shape[1])).to_numpy()[::-1, ::-1]
    np.testing.assert_allclose(back, square(p, range(table.shape[1])), rtol=0, atol=1e-9)
    np.testing.assert_allclose(run(name, -table), p, rtol=0, atol=1e-9)
    # What all systems gain on a topic, and the unit of the scores, make no difference.
    gained = table + 3 * np.arange(len(table))[:, np.newaxis]
    np.testing.assert_allclose(run(name, gained), p, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run(name, 2 * table), p, rtol=0, atol=1e-9)


@given(tables)
def test_t_test_equals_scipys_on_small_tables(table):
    p, d = t_test(table), differences(table)
    for ours, pair in zip(p, d.T):
        if np.ptp(pair):
            assert ours == pytest.approx(stats.ttest_1samp(pair, 0).pvalue, abs=1e-9)
        else:  # every topic differs by the same: certain, or nothing at all
            assert ours == (0 if pair[0] else 1)


def test_hardly_different_systems_keep_their_digits():
    """A Gram matrix loses the digits of a variance far below the scores; the test must not."""
    rng = generator()
    base = rng.random(50)
    table = np.column_stack([base, base + 1e-7 * rng.random(50), rng.random(50)])
    theirs = stats.ttest_rel(table[:, 0], table[:, 1]).statistic
    assert t_statistic(table)[0] == pytest.approx(theirs, rel=1e-6)
    assert t_exceeds(table, abs(theirs) * 0.999)[0] and not t_exceeds(table, abs(theirs) * 1.001)[0]


def test_only_the_same_bytes_and_the_two_zeros_are_the_same_score():
    assert same_scores([[0.0, -0.0, 1e-300], [0.5, 0.5, 0.5]]).tolist() == [True, False, False]
