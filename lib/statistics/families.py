"""Families of measures: those that order systems alike, found by clustering a tau matrix."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform


def tree(tau: pd.DataFrame) -> np.ndarray:
    """Cluster measures by the distance 1 - tau, from the bottom up, into SciPy's linkage matrix."""
    if len(tau) < 2 or not np.allclose(tau, tau.T):
        raise ValueError("clustering needs a symmetric tau matrix of two measures or more")
    # Taus that are equal but for the last bit would be joined in another order elsewhere.
    distance = squareform((1 - tau.to_numpy()).round(10), checks=False)
    return optimal_leaf_ordering(linkage(distance, "average"), distance)


def cut(links: np.ndarray, names: Sequence[str], clusters: int) -> pd.Series:
    """Cut a tree into so many clusters: Series of cluster numbers from 1, in the tree's order.

    Examples
    --------
    >>> names = ["P@1", "AP", "RR", "Rprec"]
    >>> tau = pd.DataFrame([[1, .4, .9, .4], [.4, 1, .4, .9], [.9, .4, 1, .4], [.4, .9, .4, 1]],
    ...                    index=names, columns=names)
    >>> cut(tree(tau), names, 2).sort_index().to_dict()
    {'AP': 2, 'P@1': 1, 'RR': 1, 'Rprec': 2}
    """
    if not 1 <= clusters <= len(names):
        raise ValueError(f"{len(names)} measures cannot be cut into {clusters} clusters")
    labels = fcluster(links, clusters, "maxclust")
    order = leaves_list(links)
    ordered = pd.Series(labels[order], index=[names[i] for i in order], name="family")
    return ordered.map({label: i for i, label in enumerate(dict.fromkeys(ordered), start=1)})


def within_less_across(tau: np.ndarray, family: Sequence) -> np.ndarray:
    """Return how much higher tau is on average within families of measures than across them.

    >>> tau = np.array([[1, .9, .4], [.9, 1, .6], [.4, .6, 1]])
    >>> within_less_across(tau, ["early", "early", "broad"]).round(3).item()
    0.4
    """
    of, (one, other) = np.asarray(family), np.triu_indices(len(family), 1)
    same, taus = of[one] == of[other], tau[..., one, other]
    return taus[..., same].mean(axis=-1) - taus[..., ~same].mean(axis=-1)


def without_noise(phi: np.ndarray) -> np.ndarray:
    """Return correlations on separate topics without what the topics' noise takes.

    Each is divided by the geometric mean of how well either measure agrees with itself, the
    classical correction for attenuation (made for Pearson's correlation; for tau a rule of thumb).

    References
    ----------
    Spearman, The proof and measurement of association between two things, American Journal of
    Psychology 15, 1904.

    >>> without_noise(np.array([[0.25, 0.3], [0.3, 0.64]])).round(3).tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    own = np.diagonal(phi, axis1=-2, axis2=-1)
    own = np.where(own > 0, own, np.nan)
    return phi / np.sqrt(own[..., :, np.newaxis] * own[..., np.newaxis, :])
