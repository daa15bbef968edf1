"""An estimate with its interval: how it is made of an error, and how it is written."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lib.conventions import ALPHA, MINUS

_SHOWN = 3  # of many intervals, in a line
ENDS = ["estimate", "low", "high"]  # columns of a table that has an interval a row


@dataclass(frozen=True, repr=False)
class Interval:
    """An estimate and what can be said of it; of one number, or of several at once.

    Attributes
    ----------
    estimate, error, low, high : ndarray or float
        The value, its standard error, and the ends of the 95% interval.
    freedom : ndarray or float
        Degrees of freedom of the error; infinite where it is as good as known.

    Examples
    --------
    >>> gain = Interval.of(0.5, 0.1, 9)
    >>> gain, gain.low.round(3).item()
    (+0.500 [+0.274, +0.726], 0.274)
    >>> Interval.of(np.arange(5), 0.1)
    0.000 [−0.196, +0.196]; +1.000 [+0.804, +1.196]; +2.000 [+1.804, +2.196]; 2 more
    """

    estimate: Any
    error: Any
    low: Any
    high: Any
    freedom: Any = np.inf

    @classmethod
    def of(cls, estimate: ArrayLike, error: ArrayLike, freedom: ArrayLike = np.inf) -> "Interval":
        """Return the estimate plus and minus as many errors as Student's t says.

        Parameters
        ----------
        estimate : float or array of float
            The value, or several.
        error : float or array of float
            Its standard error, in the same unit, 0 or more.
        freedom : float or array of float
            Degrees of freedom of the error, above 0; by default the normal distribution takes the
            place of t.

        Returns
        -------
        Interval
            At 95%.

        Examples
        --------
        >>> print(Interval.of(0.5, 0.1, 9))
        +0.500 [+0.274, +0.726]
        """
        from scipy.special import stdtrit  # here: who only reads or writes one waits for no scipy

        middle, deviation, f = (np.asarray(part, float)[()] for part in (estimate, error, freedom))
        reach = stdtrit(f, 1 - ALPHA / 2) * deviation
        return cls(middle, deviation, middle - reach, middle + reach, f)

    @classmethod
    def read(cls, table: Any, estimate: str = "estimate") -> "Interval":
        """Return the interval of a row, or of each row of a table, whose error was not kept.

        Parameters
        ----------
        table : mapping, Series or DataFrame
            With ``low``, ``high`` and the estimate, by name.
        estimate : str
            The name of the estimate.

        Returns
        -------
        Interval
            Its error is NaN.

        Examples
        --------
        >>> print(Interval.read({"lead": 0.1, "low": 0.05, "high": 0.2}, "lead"))
        +0.100 [+0.050, +0.200]
        """
        return cls(table[estimate], np.nan, table["low"], table["high"])

    def row(self) -> dict[str, float]:
        """Return an interval of one number as the columns of a table.

        Returns
        -------
        dict of str to float
            By ``estimate``, ``low`` and ``high``.

        Examples
        --------
        >>> Interval(0.1, np.nan, 0.05, 0.2).row()
        {'estimate': 0.1, 'low': 0.05, 'high': 0.2}
        """
        return {name: float(getattr(self, name)) for name in ENDS}

    def exceeds(self, bound: ArrayLike) -> np.ndarray:
        """Return the one-sided p value of the truth lying at the bound or below, by Student's t.

        An estimate without error is above the bound for sure (0), or not at all (1).

        Parameters
        ----------
        bound : float or array of float
            In the unit of the estimate.

        Returns
        -------
        ndarray
            In [0, 1], a p value for each number.

        Examples
        --------
        >>> Interval.of(0.5, 0.1, 9).exceeds(0.5).item()
        0.5
        >>> Interval.of([0.6, 0.5], 0.0, 9).exceeds(0.5).tolist()
        [0.0, 1.0]
        """
        from scipy.special import stdtr

        with np.errstate(divide="ignore", invalid="ignore"):
            t = (np.asarray(bound, float) - self.estimate) / self.error
        return np.where(np.isnan(t), 1.0, stdtr(self.freedom, t))

    def __neg__(self) -> "Interval":
        return Interval(-self.estimate, self.error, -self.high, -self.low, self.freedom)

    def to_frame(self) -> Any:
        """Return it as a DataFrame.

        Returns
        -------
        DataFrame
            Columns estimate, error, low, high and freedom, a row a number.

        Examples
        --------
        >>> Interval.of([0.5, 0.1], 0.1, 9).to_frame().round(2)
           estimate  error   low  high  freedom
        0       0.5    0.1  0.27  0.73      9.0
        1       0.1    0.1 -0.13  0.33      9.0
        """
        import pandas as pd

        parts = np.broadcast_arrays(*vars(self).values())
        index = getattr(self.estimate, "index", None)
        return pd.DataFrame({name: p.ravel() for name, p in zip(vars(self), parts)}, index)

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())

    def __repr__(self) -> str:
        ends = np.broadcast_arrays(self.estimate, self.low, self.high)
        rows = [between(*row) for row in np.reshape(ends, (3, -1)).T]
        more = [f"{len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
        return "; ".join(rows[:_SHOWN] + more)

    def __str__(self) -> str:
        return between(float(self.estimate), float(self.low), float(self.high))


def between(middle: float, low: float, high: float, form: str = "+.3f") -> str:
    """Write a number with its interval, all by a format specification.

    >>> between(0.01, -0.02, 0.04), between(0.012, 0.01, 0.02, ".1%")
    ('+0.010 [−0.020, +0.040]', '1.2% [1.0%, 2.0%]')
    """
    return minus_signs(f"{middle:{form}} [{low:{form}}, {high:{form}}]")


def minus_signs(text: str) -> str:
    """Set a minus sign in place of a hyphen before a number, in a sentence; before zero, no sign.

    >>> minus_signs("-0.5 on TREC-8, ranks 1-10"), between(-0.0001, -0.02, 0.0004)
    ('−0.5 on TREC-8, ranks 1-10', '0.000 [−0.020, 0.000]')
    """
    text = re.sub(r"(?<![\w.])[+-](?=0?\.?0+(?!\.?\d))", "", text)
    return re.sub(r"(?<![\w.])-(?=[\d.])", MINUS, text)
