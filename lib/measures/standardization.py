"""Standardized scores: each topic's scores on the scale of its mean and standard deviation."""

from typing import TypeVar

import numpy as np
import pandas as pd

Scored = TypeVar("Scored", pd.DataFrame, np.ndarray)

CONSTANT = 1e-12  # a standard deviation up to this is that of equal scores


def standardized(scores: Scored, *, reference: Scored | None = None, ddof: int) -> Scored:
    r"""Return :math:`X'_{st} = (X_{st} - \mu_t) / \sigma_t` of Webber et al. 2010, equation (8).

    Mean and standard deviation of a topic are those of the reference systems.  What multiplies all
    scores of a topic, such as the divisor R of average precision, drops out.

    Parameters
    ----------
    scores : DataFrame or array, shape (..., topics, systems)
        Without gaps.
    reference : same type, shape (..., topics, reference systems), optional
        Scores of the reference systems on the same topics; by default the scores themselves
        (self-standardization).
    ddof : {0, 1}
        The variance of a topic divides by the number of systems less this.  It scales all scores
        alike, and so changes no paired test.

    Returns
    -------
    Same type and shape as the scores
        0 for all systems on a topic where the reference systems score the same, which tells
        nothing about its difficulty.

    Raises
    ------
    ValueError
        Reference systems on other topics, or fewer than two of them.

    References
    ----------
    Webber, Moffat and Zobel, Score standardization for inter-collection comparison of retrieval
    systems, SIGIR 2008.

    Examples
    --------
    >>> scores = pd.DataFrame({"A": [0.9, 0.2, 0.0], "B": [0.5, 0.2, 0.1]}, index=list("tuv"))
    >>> standardized(scores, ddof=0)
         A    B
    t  1.0 -1.0
    u  0.0  0.0
    v -1.0  1.0
    """
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, not {ddof}")
    reference = scores if reference is None else reference
    if (
        isinstance(scores, pd.DataFrame)
        and isinstance(reference, pd.DataFrame)
        and not reference.index.equals(scores.index)
    ):
        raise ValueError("the reference systems were scored on other topics than the systems")
    values, known = np.asarray(scores, dtype=float), np.asarray(reference, dtype=float)
    if known.shape[-1] < 2:
        raise ValueError(f"standardization needs two reference systems, not {known.shape[-1]}")
    spread = known.std(axis=-1, ddof=ddof, keepdims=True)
    tells = spread > CONSTANT
    scaled = (values - known.mean(axis=-1, keepdims=True)) / np.where(tells, spread, 1.0)
    scaled = scaled * tells + 0.0  # -0 becomes 0
    if isinstance(scores, pd.DataFrame):
        return pd.DataFrame(scaled, index=scores.index, columns=scores.columns)
    return scaled
