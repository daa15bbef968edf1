"""Rows of a matrix, one for each query or document, worked on all at once; and one rule for ties.

Sparse matrices are ``scipy.sparse.csr_array``; a function touches stored values only.

Sums that are equal on paper may differ in their last digits, and logarithms differ in theirs
between processors.  Whatever is ordered is therefore rounded once, by :func:`quantised`, and what
is then equal is ordered by name: true ties stay ties, and a ranked list is the same everywhere.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from lib.conventions import DECIMALS


def quantised(values: ArrayLike) -> np.ndarray:
    """Return numbers rounded to :data:`DECIMALS`, to be compared.

    >>> 0.1 + 0.2 == 0.3, quantised([0.1 + 0.2, 0.3])
    (False, array([0.3, 0.3]))
    """
    return np.round(np.asarray(values), DECIMALS)


def replaced(matrix: csr_array, values: ArrayLike) -> csr_array:
    """Return a matrix with other values at the same places.

    >>> replaced(csr_array([[0, 3], [4, 0]]), [1, 2]).toarray()
    array([[0, 1],
           [2, 0]])
    """
    return csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def ones(matrix: csr_array) -> csr_array:
    """Return a matrix with 1.0 at each place where a value is stored.

    >>> ones(csr_array([[0, 3], [4, 0]])).toarray()
    array([[0., 1.],
           [1., 0.]])
    """
    return replaced(matrix, np.ones(matrix.nnz))


def row_numbers(matrix: csr_array) -> np.ndarray:
    """Return the row of each stored value.

    >>> row_numbers(csr_array([[0, 3, 1], [0, 0, 0], [4, 0, 0]]))
    array([0, 0, 2])
    """
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def row_sums(matrix: csr_array) -> np.ndarray:
    """Return the sum of each row.

    >>> row_sums(csr_array([[0, 3, 1], [0, 0, 0], [4, 0, 0]]))
    array([4., 0., 4.])
    """
    return np.bincount(row_numbers(matrix), matrix.data, minlength=matrix.shape[0])


def row_maxima(matrix: csr_array) -> np.ndarray:
    """Return the largest value of each row, or 0 where none is above 0.

    >>> row_maxima(csr_array([[0, 3, 1], [0, 0, 0], [4, 0, 0]]))
    array([3., 0., 4.])
    """
    maxima = np.zeros(matrix.shape[0])
    np.maximum.at(maxima, row_numbers(matrix), matrix.data)
    return maxima


def divided(matrix: csr_array, divisors: ArrayLike) -> csr_array:
    """Return a matrix with each row divided by its divisor; a divisor of 0 leaves the row alone.

    >>> divided(csr_array([[0, 3, 1], [0, 0, 0], [4, 0, 0]]), [2, 0, 4]).toarray()
    array([[0. , 1.5, 0.5],
           [0. , 0. , 0. ],
           [1. , 0. , 0. ]])
    """
    divisors = np.asarray(divisors)
    return replaced(matrix, matrix.data / np.where(divisors == 0, 1, divisors)[row_numbers(matrix)])


def unit(matrix: csr_array) -> csr_array:
    """Return a matrix with each row divided by its Euclidean length.

    >>> unit(csr_array([[3.0, 4.0], [0.0, 0.0]])).toarray()
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    return divided(matrix, np.sqrt(row_sums(replaced(matrix, matrix.data**2))))


def ranked(scores: np.ndarray, *, depth: int) -> list[np.ndarray]:
    """Return the best columns of each row: score descending, then column descending.

    With columns sorted by document name this is trec_eval's order.

    Examples
    --------
    >>> ranked(np.array([[0.5, 0.7, 0.5], [-np.inf, 0.1, -np.inf]]), depth=2)
    [array([1, 2]), array([1])]
    """
    # A stable sort keeps equal scores in the order given: reversed, the last column comes first.
    backwards = quantised(scores)[:, ::-1]
    order = scores.shape[1] - 1 - np.argsort(-backwards, axis=1, kind="stable")
    lengths = np.minimum((scores > -np.inf).sum(axis=1), depth)
    return [row[:length] for row, length in zip(order, lengths)]


def strongest(weights: csr_array, terms: int) -> csr_array:
    """Keep the largest positive values of each row; among equals the first columns.

    Examples
    --------
    >>> strongest(csr_array([[0.2, 0.0, 0.3, 0.2], [-1.0, 0.0, 0.0, 0.1]]), 2).toarray()
    array([[0.2, 0. , 0.3, 0. ],
           [0. , 0. , 0. , 0.1]])
    """
    rows, columns, values = row_numbers(weights), weights.indices, weights.data
    # Term weights have no common scale: round them as shares of the row's largest.
    share = quantised(divided(weights, row_maxima(weights)).data)
    order = np.lexsort((columns, -share, rows))
    place = np.arange(len(order)) - weights.indptr[rows[order]]  # within its row
    kept = np.sort(order[(place < terms) & (values[order] > 0)])
    return csr_array((values[kept], (rows[kept], columns[kept])), shape=weights.shape)
