"""Estimates: what is computed of them is computed without each topic and group."""

from dataclasses import replace

import numpy as np
import pytest

from lib.errors import InputError
from lib.estimates import Estimate, of_estimates
from lib.statistics.jackknife import jackknife

SCORES = np.random.default_rng(3).random((20, 6))


def mean_of(columns):
    """Return the mean of some systems, without each topic and without each of three groups."""
    values = SCORES[:, columns]
    topics = tuple(np.delete(values, i, axis=0).mean() for i in range(len(values)))
    groups = tuple(np.delete(values, g, axis=1).mean() for g in range(values.shape[1]))
    return Estimate(values.mean(), topics, groups)


def test_the_error_of_a_difference_is_that_of_the_differences():
    """Errors that were added up would ignore that both have the same topics."""
    gap = SCORES[:, :3].mean(axis=1) - SCORES[:, 3:].mean(axis=1)
    found = (mean_of([0, 1, 2]) - mean_of([3, 4, 5])).interval()
    assert found.estimate == pytest.approx(gap.mean())
    assert found.error == pytest.approx(gap.std(ddof=1) / np.sqrt(20))


def test_a_plain_number_and_a_printed_one_have_no_error():
    one, printed = mean_of([0, 1]), Estimate(0.5)
    for moved in (one - 0.5, one - printed, one.map(lambda a, b: a - b, printed)):
        assert moved.interval().error == pytest.approx(one.interval().error)
        assert moved.value == one.value - 0.5
    assert (1 - one).value == 1 - one.value and (-one).topics[3] == -one.topics[3]


def test_estimates_of_different_topics_have_no_difference():
    one, more = Estimate(1, (1, 2), names=("1", "2")), Estimate(1, (1, 2, 3))
    for other, which in ((replace(one, names=("1", "3")), "1 to 2 and 1 to 3"), (more, "1 to 2")):
        with pytest.raises(InputError, match=rf"different topics \({which}\) have no common int"):
            one - other
    with pytest.raises(InputError, match=r"\(2 and 3\)"):
        Estimate(1, (1, 2)) - more


def test_topics_and_groups_add_up_and_the_fewer_groups_rule_the_freedom():
    one = mean_of([0, 1, 2])
    over_topics, over_groups = one.interval(), jackknife(one.value, one.groups)
    both = one.interval(groups=True)
    assert both.error == pytest.approx(np.hypot(over_topics.error, over_groups.error))
    topics, groups = over_topics.error**2, over_groups.error**2  # Satterthwaite, of 20 and of 3
    assert both.freedom == pytest.approx((topics + groups) ** 2 / (topics**2 / 19 + groups**2 / 2))
    assert both.high - both.low > over_topics.high - over_topics.low


def test_a_function_of_estimates_is_asked_once_a_topic_and_leaves_its_options_alone():
    asked = []

    @of_estimates
    def ratio(one, other, *, times=1):
        asked.append(times)
        return times * one / other

    one, other = mean_of([0, 3]), mean_of([1, 2])
    found = ratio(one, other, times=100)
    assert asked == [100] * (1 + 20 + 2)
    assert found.topics[7] == 100 * one.topics[7] / other.topics[7]
