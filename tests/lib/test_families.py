"""Families of measures: the clustering of a tau matrix."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.statistics.correlation import cut, tree, within_less_across

NAMES = ["P@1", "AP", "RR", "Rprec", "P@10"]
# P@1 with RR, AP with Rprec, and P@10 between them but nearer to the second.
TAU = pd.DataFrame(
    [
        [1, 0.4, 0.9, 0.4, 0.6],
        [0.4, 1, 0.4, 0.85, 0.7],
        [0.9, 0.4, 1, 0.4, 0.6],
        [0.4, 0.85, 0.4, 1, 0.7],
        [0.6, 0.7, 0.6, 0.7, 1],
    ],
    index=NAMES,
    columns=NAMES,
)


def test_a_stack_of_matrices_has_a_number_each():
    """Within (.9 + .85) / 2, across all .4; half of each is half the difference."""
    four = TAU.to_numpy()[:4, :4]
    found = within_less_across(np.stack([four, four / 2]), ["early", "broad"] * 2)
    assert found == pytest.approx([0.475, 0.2375])


@given(st.permutations(NAMES), st.integers(1, 5))
def test_the_order_of_the_measures_does_not_matter(order, clusters):
    one = cut(tree(TAU), NAMES, clusters)
    other = cut(tree(TAU.loc[order, order]), order, clusters)

    def together(labels):
        return {frozenset(labels.index[labels == label]) for label in labels.unique()}

    assert together(one) == together(other)
    assert len(together(one)) == clusters
