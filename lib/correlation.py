"""Rank correlation of systems: Kendall's tau, always with its variant named."""

import numpy as np
import pandas as pd

__all__ = ["kendall", "pair_signs", "tau_matrix"]


def pair_signs(values):
    """Return the sign of the difference of every pair of values.

    Parameters
    ----------
    values : array, shape (..., n)

    Returns
    -------
    ndarray of float32, shape (..., n * (n - 1) / 2)
        1, 0 or -1 for each pair i < j: whether value i is above, equal to or below value j.  Sums
        of up to 2**24 such products are exact in single precision.

    Examples
    --------
    >>> pair_signs([3, 1, 3])
    array([ 1.,  0., -1.], dtype=float32)
    """
    values = np.asarray(values, dtype=float)
    first, second = np.triu_indices(values.shape[-1], k=1)
    above = values[..., first] > values[..., second]
    below = values[..., first] < values[..., second]
    return above.astype(np.float32) - below


def kendall(x, y, *, variant):
    r"""Kendall's rank correlation of two lists of scores.

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

    References
    ----------
    Kendall, A new measure of rank correlation, Biometrika 30, 1938.

    Examples
    --------
    >>> kendall([3, 2, 1], [3, 1, 2], variant="a")
    0.3333333333333333
    """
    table = pd.DataFrame({"x": np.asarray(x, float), "y": np.asarray(y, float)})
    return float(tau_matrix(table, variant=variant).loc["x", "y"])


def tau_matrix(table, *, variant):
    """Kendall's tau between all columns of a table at once.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    variant : {"a", "b"}
        As for :func:`kendall`.

    Returns
    -------
    DataFrame (measures x measures)

    Examples
    --------
    >>> tau_matrix(pd.DataFrame({"P": [3, 2, 1], "Q": [1, 2, 3]}), variant="b")
         P    Q
    P  1.0 -1.0
    Q -1.0  1.0
    """
    signs = pair_signs(table.to_numpy(dtype=float).T)
    if signs.shape[1] == 0:
        raise ValueError("a rank correlation needs two systems or more")
    if np.isnan(table.to_numpy(dtype=float)).any():
        raise ValueError("a rank correlation cannot be taken of missing scores")
    return pd.DataFrame(
        tau_of_signs(signs, signs, variant=variant), index=table.columns, columns=table.columns
    )


def tau_of_signs(one, other, *, variant):
    """Kendall's tau between rows of pair signs, shapes (..., m, pairs) and (..., n, pairs)."""
    agreement = np.matmul(one, np.swapaxes(other, -1, -2)).astype(float)
    if variant == "a":
        return agreement / one.shape[-1]
    if variant == "b":
        untied = np.sqrt(_untied(one)[..., :, None] * _untied(other)[..., None, :])
        with np.errstate(invalid="ignore"):
            return agreement / untied
    raise ValueError(f"variant must be 'a' or 'b', not {variant!r}")


def _untied(signs):
    return np.abs(signs).sum(axis=-1, dtype=float)
