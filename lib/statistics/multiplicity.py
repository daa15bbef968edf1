"""Many tests at once: p values raised so that one false alarm in all of them is rare."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import InputError

__all__ = ["CORRECTIONS", "corrected", "holm"]


def holm(p: ArrayLike) -> np.ndarray:
    r"""Return p values adjusted for their number by Holm's method.

    With the values in ascending order, :math:`\tilde p_i = \max_{j \le i} (m - j + 1) \, p_j`, at
    most 1.  Reject where the adjusted value is below alpha: then the chance that any of the m
    rejections is false is alpha at most, however the tests depend on each other.

    Parameters
    ----------
    p : array, shape (m,)
        In [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        In the order given.

    Raises
    ------
    ValueError
        A value that is no p value.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(p, dtype=float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p values must be a list of numbers in [0, 1]")
    order = np.argsort(values, kind="stable")
    raised = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1)
    return adjusted


CORRECTIONS: dict[str, Callable[[ArrayLike], np.ndarray]] = {"none": np.asarray, "holm": holm}


def corrected(p: ArrayLike, correction: str) -> np.ndarray:
    """Return p values as a correction, named in :data:`CORRECTIONS`, leaves them.

    Raises
    ------
    InputError
        No such correction.

    Examples
    --------
    >>> corrected([0.01, 0.04], "holm"), corrected([0.01, 0.04], "none")
    (array([0.02, 0.04]), array([0.01, 0.04]))
    """
    if correction not in CORRECTIONS:
        raise InputError(f"correction must be {', '.join(CORRECTIONS)}, not {correction!r}")
    return CORRECTIONS[correction](p)
