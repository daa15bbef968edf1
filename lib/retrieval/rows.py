"""Rows of a sparse matrix, one for each query or document, worked on all at once.

Matrices are ``scipy.sparse.csr_array``; a function touches stored values only.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

__all__ = ["divided", "ones", "replaced", "row_maxima", "row_numbers", "row_sums", "unit"]


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
