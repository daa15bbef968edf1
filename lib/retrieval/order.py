"""Order by score: one rule for ties, among documents and among terms.

Sums of floating-point numbers that are equal on paper may differ in their last digits, and on
another machine in other digits.  Scores are therefore rounded before they are compared, so that
true ties stay ties and a ranked list is the same everywhere.
"""

import numpy as np
from scipy.sparse import csr_array

from lib.retrieval.rows import divided, row_maxima, row_numbers

__all__ = ["DECIMALS", "ranked", "strongest"]

DECIMALS = 10  # of a score, before it is compared


def ranked(scores: np.ndarray, *, depth: int) -> list[np.ndarray]:
    """Return the best columns of each row: score descending, then column descending.

    With columns sorted by document name this is trec_eval's order.

    Parameters
    ----------
    scores : ndarray, shape (T, D)
        Minus infinity where a document is not retrieved.
    depth : int
        Length of the longest list returned.

    Returns
    -------
    list of ndarray of int, length T

    Examples
    --------
    >>> ranked(np.array([[0.5, 0.7, 0.5], [-np.inf, 0.1, -np.inf]]), depth=2)
    [array([1, 2]), array([1])]
    """
    # A stable sort keeps equal scores in the order given: reversed, the last column comes first.
    backwards = np.round(scores, DECIMALS)[:, ::-1]
    order = scores.shape[1] - 1 - np.argsort(-backwards, axis=1, kind="stable")
    found = np.minimum((scores > -np.inf).sum(axis=1), depth)
    return [row[:length] for row, length in zip(order, found)]


def strongest(weights: csr_array, terms: int) -> csr_array:
    """Keep the largest positive values of each row; among equals the first columns.

    Parameters
    ----------
    weights : scipy.sparse.csr_array, shape (T, V)
    terms : int
        Values kept in each row, at most.

    Returns
    -------
    scipy.sparse.csr_array, shape (T, V)

    Examples
    --------
    >>> strongest(csr_array([[0.2, 0.0, 0.3, 0.2], [-1.0, 0.0, 0.0, 0.1]]), 2).toarray()
    array([[0.2, 0. , 0.3, 0. ],
           [0. , 0. , 0. , 0.1]])
    """
    rows, columns, values = row_numbers(weights), weights.indices, weights.data
    # Term weights have no common scale: round them as shares of the row's largest.
    share = np.round(divided(weights, row_maxima(weights)).data, DECIMALS)
    order = np.lexsort((columns, -share, rows))
    place = np.arange(len(order)) - weights.indptr[rows[order]]  # within its row
    kept = np.sort(order[(place < terms) & (values[order] > 0)])
    return csr_array((values[kept], (rows[kept], columns[kept])), shape=weights.shape)
