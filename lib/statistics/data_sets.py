"""Two systems on several data sets, or by several seeds: differences and all of their errors."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from lib.conventions import ALPHA
from lib.intervals import Interval
from lib.measures import Scores
from lib.statistics.comparison import mean_differences
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import plain_mean, random_effects

THESE_SETS, LIKE = "these data sets", "data sets like these"
APART, ANOTHER = "how far they differ", "another one like these"


def over_seeds(one: Scores, other: Scores) -> Interval:
    r"""Return the mean difference of two systems with its error over topics and over seeds.

    The differences of the systems' means over seeds have the squared error :math:`s_d^2 / n` over
    n topics.  To it comes, for each system with :math:`m > 1` seeds, the variance between seeds of
    the two-way table topics x seeds, :math:`\max(0, MS_{seeds} - MS_{rest}) / (n m)`: what seeds do
    to single topics is in the first term already.  Satterthwaite's degrees of freedom belong to the
    sum.  A system with one seed has no error over seeds.

    Parameters
    ----------
    one, other : DataFrame (topics x seeds)
        Scores by one measure on the same topics, without gaps; two topics or more.  Seeds of two
        systems are not paired.

    Returns
    -------
    Interval
        Of one system less the other, in the unit of the measure.

    References
    ----------
    Searle, Casella and McCulloch, Variance Components, 1992 (not read; derived in the tests).

    Examples
    --------
    >>> one = pd.DataFrame([[0.5, 0.7], [0.4, 0.5], [0.6, 0.9]])
    >>> print(over_seeds(one, one * 0 + 0.5), over_seeds(one[[0]], one[[1]]))
    +0.100 [−0.365, +0.565] −0.200 [−0.448, +0.048]
    """
    difference = one.mean(axis=1) - other.mean(axis=1)
    topics = len(difference)
    squares, freedom = [difference.var() / topics], [topics - 1]
    for scores in (one, other):
        if (seeds := scores.shape[1]) > 1:
            values = scores.to_numpy()
            mean = values.mean(axis=0)
            rest = values - values.mean(axis=1, keepdims=True) - mean + mean.mean()
            of_rest = (rest**2).sum() / ((topics - 1) * (seeds - 1)) / topics
            squares.append(max(0.0, mean.var(ddof=1) - of_rest) / seeds)
            freedom.append(seeds - 1)
    total, parts = sum(squares), np.square(squares) / freedom
    own = total**2 / parts.sum() if total else topics - 1
    return Interval.of(difference.mean(), np.sqrt(total), own)


def across(one: Mapping[str, Scores], other: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the difference of two systems on each data set, and what all say together.

    Parameters
    ----------
    one, other : dict of str to DataFrame (topics x seeds)
        By data set, see :func:`over_seeds`; data sets share nothing, seeds neither.

    Returns
    -------
    DataFrame
        A row a data set, with the columns difference, low, high, p (two-sided); with two or more,
        the rows of their plain mean (:data:`THESE_SETS`), of random effects (:data:`LIKE`, and
        :data:`APART`, the standard deviation of the true differences), and with three or more of
        :data:`ANOTHER`, a prediction interval.  If a data set's difference is the same on all
        topics, its error is 0, and only the plain mean is given.

    Examples
    --------
    >>> one = {name: pd.DataFrame([[0.5], [0.4 + i], [0.6]]) for i, name in enumerate("ABC")}
    >>> across(one, {name: table * 0.5 for name, table in one.items()})["difference"].round(2)
    A                         0.25
    B                         0.42
    C                         0.58
    these data sets           0.42
    data sets like these      0.29
    how far they differ       0.06
    another one like these    0.29
    Name: difference, dtype: float64
    """
    by_data = {data: over_seeds(one[data], other[data]) for data in one}
    known = [(each.estimate, each.error, each.freedom) for each in by_data.values()]
    if len(by_data) > 1:
        estimates, errors, freedom = zip(*known)
        middle = np.mean(estimates)
        by_data[THESE_SETS] = Interval(middle, 0.0, middle, middle)
        if max(errors):
            by_data[THESE_SETS] = plain_mean(estimates, errors, freedom)
        if min(errors):
            mean = by_data[LIKE] = random_effects(estimates, errors)
            spread = np.sqrt([mean.tau2, mean.tau2_low, mean.tau2_high])
            by_data[APART] = Interval(spread[0], np.nan, *spread[1:])
        if min(errors) and len(estimates) > 2:
            ends = mean.prediction_low, mean.prediction_high
            by_data[ANOTHER] = Interval(mean.estimate, np.nan, *ends)
    rows = {}
    for data, each in by_data.items():
        p = 2 * min(each.exceeds(0), (-each).exceeds(0))
        row = {"difference": each.estimate, "low": each.low, "high": each.high}
        rows[data] = row | {"p": np.nan if np.isnan(each.error) else min(1.0, p)}
    return pd.DataFrame.from_dict(rows, orient="index", dtype=float)


def single_seeds(one: Scores, other: Scores) -> tuple[int, int, int]:
    """Say what one seed of each of two systems would have claimed, by the paired t test.

    How many pairs of seeds find the first system better, how many the second, and of how many.

    Examples
    --------
    >>> scores = pd.DataFrame([[0.5, 0.1], [0.4, 0.1], [0.6, 0.1]])
    >>> single_seeds(scores, scores[[1]]), single_seeds(scores[[1]], scores)
    ((1, 0, 2), (0, 1, 2))
    """
    pairs = {(a, b): one[a] - other[b] for a in one for b in other}
    tests = mean_differences(pd.DataFrame(pairs))
    sure = tests.loc[tests["p"] < ALPHA, "difference"]
    return int((sure > 0).sum()), int((sure < 0).sum()), len(tests)


def all_pairs(scores: Mapping[str, Mapping[str, Mapping[str, Scores]]]) -> pd.DataFrame:
    """Compare all pairs of systems on all data sets by some measures, the first the primary one.

    Parameters
    ----------
    scores : dict
        Measure to data set to system to scores, a DataFrame (topics x seeds) without gaps.

    Returns
    -------
    DataFrame
        Columns measure, run 1, run 2, data, those of :func:`across` and p Holm: corrected for all
        pairs by measure, of two systems for the measures beside the primary one.

    Examples
    --------
    >>> one, other = pd.DataFrame([[0.5], [0.4], [0.6]]), pd.DataFrame([[0.1], [0.1], [0.3]])
    >>> found = all_pairs({"AP": {"here": {"A": one, "B": other}}})
    >>> found[["run 1", "run 2", "data", "difference"]].round(2)
      run 1 run 2  data  difference
    0     A     B  here        0.33
    """
    rows = []
    for measure, of in scores.items():
        for one, other in combinations(next(iter(of.values())), 2):
            sides = ({data: every[x] for data, every in of.items()} for x in (one, other))
            differences = across(*sides).rename_axis("data").reset_index()
            rows.append(differences.assign(**{"measure": measure, "run 1": one, "run 2": other}))
    table = pd.concat(rows, ignore_index=True)
    pairs = table["run 1"].nunique() > 1
    by = ["data", table["measure"] if pairs else table["measure"] == next(iter(scores))]
    table["p Holm"] = table.groupby(by)["p"].transform(lambda p: p if p.isna().any() else holm(p))
    return table[["measure", "run 1", "run 2", "data", *differences.columns[1:5], "p Holm"]]


def beaten(table: pd.DataFrame) -> dict[str, list[str]]:
    """Return which systems each is significantly better than, of rows of :func:`all_pairs`.

    The rank of a system then lies, at 95% for all systems together, between one more than those
    that are better than it and what those that it is better than leave.
    """
    by_run: dict[str, list[str]] = {run: [] for run in [*table["run 1"], *table["run 2"]]}
    for row in table[table["p Holm"] < ALPHA].to_dict("records"):
        first, last = (row["run 1"], row["run 2"])[:: 1 if row["difference"] > 0 else -1]
        by_run[first].append(last)
    return by_run
