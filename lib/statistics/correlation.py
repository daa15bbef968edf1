"""Rank correlation of systems, and families of measures that order systems alike.

Kendall's tau and AP correlation, always with the variant named, and rank-biased overlap; families
are found by clustering a tau matrix.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.conventions import DECIMALS
from lib.errors import InputError


def pair_signs(values: ArrayLike) -> np.ndarray:
    """Return 1, 0 or -1 for each pair i < j of a list: value i is above, equal or below.

    >>> pair_signs([3, 1, 3])
    array([ 1,  0, -1])
    """
    values = np.asarray(values, dtype=float)
    first, second = np.triu_indices(len(values), k=1)
    one, other = values[first], values[second]
    return (one > other).astype(int) - (one < other)


def kendall(x: ArrayLike, y: ArrayLike, *, variant: str = "b") -> float:
    r"""Return Kendall's rank correlation of two lists of scores.

    Parameters
    ----------
    x, y : array, shape (n,)
        Scores of the same n systems.
    variant : {"a", "b"}
        Concordant less discordant pairs, over all pairs (tau-a: 1 is not reached with ties), or
        over the geometric mean of the pairs that x and that y do not tie (tau-b).

    Returns
    -------
    float
        In [-1, 1]; NaN for tau-b when x or y ties every pair.

    Raises
    ------
    InputError
        Lists of different lengths, of fewer than two systems, or with missing scores; another
        variant.

    References
    ----------
    Kendall, A new measure of rank correlation, Biometrika 30, 1938.

    Examples
    --------
    >>> kendall([3, 2, 1], [3, 1, 2], variant="a")
    0.3333333333333333
    """
    one, other = (np.asarray(of, float) for of in _in_one_order(x, y))
    if one.shape != other.shape or one.ndim != 1:
        shapes = f"{one.shape} and {other.shape}"
        hint = "" if one.ndim == other.ndim == 1 else "; of a table, name a column"
        raise InputError(
            f"a rank correlation needs two lists of the same systems, not {shapes}{hint}"
        )
    table = pd.DataFrame({"x": one, "y": other})
    return float(tau_matrix(table, variant=variant).loc["x", "y"])


def tau_matrix(table: pd.DataFrame, *, variant: str = "b") -> pd.DataFrame:
    """Return Kendall's tau between all columns of a table at once.

    Parameters
    ----------
    table : DataFrame (systems x measures)
        Scores without gaps, of two systems or more.
    variant : {"a", "b"}
        As for :func:`kendall`.

    Returns
    -------
    DataFrame (measures x measures)
        In [-1, 1]; NaN for tau-b where a measure ties every pair.

    Raises
    ------
    InputError
        No such table, or another variant.

    References
    ----------
    As of :func:`kendall`.

    Examples
    --------
    >>> tau_matrix(pd.DataFrame({"P": [3, 2, 1], "Q": [1, 2, 3]}), variant="b")
         P    Q
    P  1.0 -1.0
    Q -1.0  1.0
    """
    if not isinstance(table, pd.DataFrame):
        raise InputError(f"{type(table).__name__} is no table (systems x measures)")
    values = table.to_numpy(dtype=float).T
    if values.shape[1] < 2:
        raise InputError("a rank correlation needs two systems or more")
    if np.isnan(values).any():
        raise InputError("a rank correlation cannot be taken of missing scores")
    return pd.DataFrame(
        taus_of_rows(values, values, variant=variant), index=table.columns, columns=table.columns
    )


def taus_of_rows(one: ArrayLike, other: ArrayLike, *, variant: str) -> np.ndarray:
    """Return Kendall's tau of rankings of shapes (..., m, n) and (..., k, n): shape (..., m, k).

    Examples
    --------
    >>> taus_of_rows([[3, 2, 1], [3, 1, 1]], [[3, 1, 2]], variant="a").round(3)
    array([[0.333],
           [0.667]])
    """
    if variant not in ("a", "b"):
        raise InputError(f"variant must be 'a' or 'b', not {variant!r}")
    (above, _), (others_above, others_tied) = _above_and_tied(one), _above_and_tied(other)
    pairs, others = count_pairs(above)[..., :, None], count_pairs(others_above)[..., None, :]
    # A pair that both order is agreed on or opposed; one that the other ties is neither.
    level = others_tied.any(axis=(*range(others_tied.ndim - 2), -1))
    rankings = np.moveaxis(above, -2, 0)[..., None, :]
    agreement = 2 * np.stack([count_pairs(row & others_above) for row in rankings], axis=-2)
    if level.any():
        some = others_tied[..., level, :]
        agreement[..., level] += np.stack([count_pairs(row & some) for row in rankings], axis=-2)
    agreement -= pairs
    if variant == "a":
        systems = np.shape(one)[-1]
        return agreement / (systems * (systems - 1) / 2)
    with np.errstate(invalid="ignore"):
        return agreement / np.sqrt(pairs * others)


def pair_bits(values: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return which values are above, and which below which: a bit an ordered pair, words of 64.

    The ``&`` of several words says how rankings agree on a pair; :func:`count_pairs` counts it.
    """
    values = np.asarray(values, dtype=float)
    return _above_and_tied(values)[0], _above_and_tied(-values)[0]


def count_pairs(words: np.ndarray) -> np.ndarray:
    """Count the bits of each row.

    >>> above, below = pair_bits([[3, 1, 3], [1, 3, 2]])
    >>> count_pairs(above), count_pairs(above[0] & below[1])
    (array([2., 3.]), np.float64(2.0))
    """
    return np.bitwise_count(words).sum(axis=-1, dtype=np.uint32).astype(float)


def _above_and_tied(values: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return which values are above and which level with which, as such bits.

    Down a sorted list, what was passed so far is the set of the values below: one bit each.  In a
    list without ties no value counts as level with any, elsewhere each with itself too.
    """
    values = np.asarray(values, dtype=float)
    shape, number = values.shape[:-1], values.shape[-1]
    rows = values.reshape(-1, number)
    at, words = np.arange(number), -(-number // 64)
    single = np.zeros((number, words), dtype=np.uint64)
    single[at, at // 64] = np.uint64(1) << (at % 64).astype(np.uint64)
    item = np.dtype((np.void, single[0].nbytes))  # a set, which is moved as one
    order = rows.argsort(axis=-1)
    each = single.view(item).ravel().take(order).view(np.uint64).reshape(len(rows), number, words)
    passed = np.zeros((len(rows), number + 1, words), dtype=np.uint64)
    np.bitwise_or.accumulate(each, axis=1, out=passed[:, 1:])
    # From the place in the order to where the value stands, in all rows one after the other.
    above, tied = np.zeros((2, rows.size), dtype=item)
    place = order + number * np.arange(len(rows))[:, np.newaxis]
    above[place] = passed[:, :-1].copy().view(item)[..., 0]
    ordered = rows.ravel().take(place)
    equal = np.zeros((len(rows), number + 1), dtype=bool)
    equal[:, 1:-1] = ordered[:, 1:] == ordered[:, :-1]
    to_last, to_next = equal[:, :-1], equal[:, 1:]
    # Where values are level, what was passed before the first of them and after the last.
    if len(level := np.flatnonzero(to_last | to_next)):
        begins, ends = ~to_last.ravel()[level], ~to_next.ravel()[level]
        group, row = np.cumsum(begins) - 1, level // number
        below, upto = (
            passed.view(item).ravel().take(of[group] + row)
            for of in (level[begins], level[ends] + 1)
        )
        above[place.ravel()[level]] = below
        tied[place.ravel()[level]] = (below.view(np.uint64) ^ upto.view(np.uint64)).view(item)
    as_words = (*shape, number * words)
    return above.view(np.uint64).reshape(as_words), tied.view(np.uint64).reshape(as_words)


def tau_ap(estimate: ArrayLike, truth: ArrayLike, *, symmetric: bool) -> float:
    r"""Return the AP correlation of two lists of scores: Kendall's tau with more weight at the top.

    Go down the ranking by ``estimate``.  For the system at rank i, take the share of the systems
    above it that ``truth`` puts above it too; :math:`\tau_{AP}` is twice the mean of these shares
    over the ranks 2 to n, less 1.  An error at the top of ``estimate`` so costs more than one at
    its bottom, and the two lists do not play the same part.

    Ties: the mean over all orders of the tied, in both lists, each order as likely as any other.
    A list with ties therefore does not reach 1 with itself, as with tau-a.

    Parameters
    ----------
    estimate, truth : array, shape (n,)
        Scores of the same n systems, higher is better.
    symmetric : bool
        False: :math:`\tau_{AP}` of ``estimate`` given ``truth``.  True: the mean of that and of
        the same with the lists exchanged.

    Returns
    -------
    float
        In [-1, 1].

    Raises
    ------
    InputError
        Lists of different lengths, of fewer than two systems, or with missing scores.

    References
    ----------
    Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval,
    SIGIR 2008, section 3.  The rule for ties is that of Urbano and Marrero, The treatment of ties
    in AP correlation, ICTIR 2017 (their :math:`\tau_{AP,a}`), applied to both lists.

    Examples
    --------
    Four systems; the first two, then the last two exchanged:

    >>> truth = [4, 3, 2, 1]
    >>> round(tau_ap([3, 4, 2, 1], truth, symmetric=False), 4)
    0.3333
    >>> round(tau_ap([4, 3, 1, 2], truth, symmetric=False), 4)
    0.7778
    """
    estimate, truth = same_systems(estimate, truth)
    if symmetric:
        return (
            tau_ap(estimate, truth, symmetric=False) + tau_ap(truth, estimate, symmetric=False)
        ) / 2
    above = np.sign(estimate[:, None] - estimate) > 0  # [i, j]: i stands above j
    agreement = np.sum(above * np.sign(truth[:, None] - truth), axis=0)
    return float(np.sum(agreement * _mean_of_reciprocals(estimate)) / (len(truth) - 1))


def _in_one_order(one: ArrayLike, other: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    """Return scores with those of the other in the order of the one, where both have names."""
    if isinstance(one, pd.Series) and isinstance(other, pd.Series):
        if len(apart := one.index.symmetric_difference(other.index)):
            raise InputError(f"the scores are of other systems: one has {apart[0]!r} alone")
        if not one.index.equals(other.index):
            other = other.loc[one.index]
    return one, other


def same_systems(one: ArrayLike, other: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return two lists of scores as arrays, or raise when they cannot be compared."""
    if any(isinstance(of, str | bytes) for of in (*np.ravel(one)[:1], *np.ravel(other)[:1])):
        raise InputError("a ranking is given by the scores of the same systems, not by names")
    one, other = (np.asarray(of, dtype=float) for of in _in_one_order(one, other))
    if one.ndim != 1 or one.shape != other.shape:
        raise InputError(f"scores of shapes {one.shape} and {other.shape} cannot be correlated")
    if len(one) < 2:
        raise InputError("a rank correlation needs two systems or more")
    if np.isnan(one).any() or np.isnan(other).any():
        raise InputError("a rank correlation cannot be taken of missing scores")
    return one, other


def _places(scores: np.ndarray) -> np.ndarray:
    """Return the rank of each score, from 1 for the highest; equal ones have the best of theirs."""
    return 1 + np.searchsorted(np.sort(-scores), -scores)


def _mean_of_reciprocals(scores: np.ndarray) -> np.ndarray:
    """Return for each system the mean of 1 / (rank - 1) over the ranks that its ties share.

    For the best systems it is of no use, since none stands above them, and 0.
    """
    first = _places(scores)  # the best rank of the tied
    last = len(scores) + 1 - _places(-scores)
    sums = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, len(scores) + 1))))
    return np.where(
        first > 1, (sums[last - 1] - sums[np.maximum(first - 2, 0)]) / (last - first + 1), 0.0
    )


def agreement_by_depth(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    r"""Return the agreement of two rankings at each depth.

    References
    ----------
    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010:
    sections 3 and 4, with the rule that they give for ties.

    >>> agreement_by_depth([4, 3, 2, 1], [3, 4, 1, 2])
    array([0.        , 1.        , 0.66666667, 1.        ])
    """
    x, y = same_systems(x, y)
    of_x, of_y = _places(x), _places(y)
    common, in_x, in_y = (
        np.bincount(rank, minlength=len(x) + 1)[1:].cumsum()
        for rank in (np.maximum(of_x, of_y), of_x, of_y)
    )
    return 2 * common / (in_x + in_y)


def rbo(x: ArrayLike, y: ArrayLike, *, p: float) -> float:
    r"""Return the rank-biased overlap of two rankings of the same systems, extrapolated (RBO_ext).

    A reader compares the two rankings from the top down and goes on from each depth to the next
    with probability p; RBO is the agreement that such a reader may expect to see.  Beyond the n
    systems the agreement is taken to stay as it is there:
    :math:`RBO_{ext} = \frac{1-p}{p} \sum_{d=1}^{n} A_d\, p^d + A_n\, p^n`.

    Parameters
    ----------
    x, y : array, shape (n,)
        Scores of the same n systems, higher is better; ties as in :func:`agreement_by_depth`.
    p : float
        Persistence, 0 < p < 1.  The first ten ranks carry 86% of the weight with p = 0.9.

    Returns
    -------
    float
        In [0, 1]; 1 for equal rankings.  Unlike a correlation it is not negative for opposite
        ones: over all n systems the agreement ends at 1 whatever the order.

    Raises
    ------
    InputError
        A p out of range, or lists that cannot be compared.

    References
    ----------
    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010,
    section 4: RBO, its extrapolation and ties.

    Examples
    --------
    >>> round(rbo([4, 3, 2, 1], [3, 4, 1, 2], p=0.9), 4)
    0.873
    """
    if not 0 < p < 1:
        raise InputError(f"p must lie between 0 and 1, not be {p}")
    agreed = agreement_by_depth(x, y)
    weight = p ** np.arange(1, len(agreed) + 1)
    return float((1 - p) / p * np.sum(agreed * weight) + agreed[-1] * weight[-1])


def tree(tau: pd.DataFrame) -> np.ndarray:
    """Return the tree of measures that are clustered by the distance 1 - tau, from the bottom up.

    Parameters
    ----------
    tau : DataFrame (measures x measures)
        Symmetric, of two measures or more.

    Returns
    -------
    ndarray, shape (measures - 1, 4)
        SciPy's linkage matrix, by average linkage, with its leaves in the best order.

    Raises
    ------
    InputError
        No such matrix.

    Examples
    --------
    >>> tau = pd.DataFrame([[1, .9, .4], [.9, 1, .4], [.4, .4, 1]])
    >>> tree(tau)[:, 2].round(3).tolist()  # at which distance two clusters are joined
    [0.1, 0.6]
    """
    from scipy.cluster.hierarchy import linkage, optimal_leaf_ordering  # a third of a second
    from scipy.spatial.distance import squareform

    if len(tau) < 2 or not np.allclose(tau, tau.T):
        raise InputError("clustering needs a symmetric tau matrix of two measures or more")
    # Taus that are equal but for the last bit would be joined in another order elsewhere.
    distance = squareform((1 - tau.to_numpy()).round(DECIMALS), checks=False)
    return optimal_leaf_ordering(linkage(distance, "average"), distance)


def cut(links: np.ndarray, names: Sequence[str], clusters: int) -> pd.Series:
    """Return the clusters that are left when a tree is cut.

    Parameters
    ----------
    links : ndarray, shape (measures - 1, 4)
        From :func:`tree`.
    names : sequence of str
        Of the measures, in the order of its tau matrix.
    clusters : int
        How many clusters, 1 to the number of measures.

    Returns
    -------
    Series of int, index name
        Numbers of clusters from 1, in the tree's order.

    Raises
    ------
    InputError
        No such number of clusters.

    Examples
    --------
    >>> names = ["P@1", "AP", "RR", "Rprec"]
    >>> tau = pd.DataFrame([[1, .4, .9, .4], [.4, 1, .4, .9], [.9, .4, 1, .4], [.4, .9, .4, 1]],
    ...                    index=names, columns=names)
    >>> cut(tree(tau), names, 2).sort_index().to_dict()
    {'AP': 2, 'P@1': 1, 'RR': 1, 'Rprec': 2}
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list

    if not 1 <= clusters <= len(names):
        raise InputError(f"{len(names)} measures cannot be cut into {clusters} clusters")
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


def disattenuated(phi: np.ndarray) -> np.ndarray:
    r"""Return correlations of measures' rankings without what the topics' noise takes.

    The classical correction for attenuation is Pearson's correlation's; of normal scores
    :math:`r = \sin(\pi \tau / 2)`.  Each r is divided by the geometric mean of how well either
    measure agrees with itself, and can come out above 1.

    Parameters
    ----------
    phi : ndarray, shape (..., measures, measures)
        Taus on separate topics, the measures with themselves on the diagonal.

    References
    ----------
    As of :func:`without_noise`.

    >>> disattenuated(np.array([[0.25, 0.3], [0.3, 0.64]])).round(3).tolist()
    [[1.0, 0.799], [0.799, 1.0]]
    """
    r = np.sin(np.pi / 2 * phi)
    own = np.diagonal(r, axis1=-2, axis2=-1)
    own = np.where(own > 0, own, np.nan)
    return r / np.sqrt(own[..., :, np.newaxis] * own[..., np.newaxis, :])


def without_noise(phi: np.ndarray) -> np.ndarray:
    r"""Return taus on separate topics without what the topics' noise takes.

    The result of :func:`disattenuated` is kept within [-1, 1], and turned back into tau.  If tau
    itself is divided so, it comes out too high: .78 where .66 is true, medians of nine collections.
    By the sine it is .67.

    References
    ----------
    Spearman, The proof and measurement of association between two things, American Journal of
    Psychology 15, 1904.  Greiner, Über das Fehlersystem der Kollektivmasslehre, Zeitschrift für
    Mathematik und Physik 57, 1909 (the sine).

    >>> without_noise(np.array([[0.25, 0.3], [0.3, 0.64]])).round(3).tolist()
    [[1.0, 0.589], [0.589, 1.0]]
    """
    return np.arcsin(np.clip(disattenuated(phi), -1, 1)) * 2 / np.pi
