"""Systems side by side: means with intervals over topics, and each against one of them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.collection import Collection
from lib.errors import InputError
from lib.measures import Measure, Scores, complete_scores, parse
from lib.statistics.jackknife import topic_jackknife
from lib.statistics.multiplicity import corrected
from lib.statistics.significance import t_test


def summary(
    collection: Collection, measures: Iterable[str | Measure], *, level: float = 0.95
) -> pd.DataFrame:
    """Return the mean of every system by each measure, with its interval over topics.

    Parameters
    ----------
    collection : Collection
        A topic that a system did not answer scores as an empty list does.
    measures : sequence of str or Measure
    level : float
        Nominal coverage of the intervals, in (0, 1).

    Returns
    -------
    DataFrame
        Columns measure, system, mean, low, high.  The intervals are the jackknife's
        (:mod:`lib.statistics.jackknife`), which for an arithmetic mean are Student's.

    Raises
    ------
    InputError
        Fewer than two topics.

    Examples
    --------
    >>> runs = {"A": {"1": "rx", "2": "xr", "3": "rx"}}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in "123"})
    >>> summary(toy, ["RR"]).round(3)
      measure system   mean    low  high
    0      RR      A  0.833  0.116  1.55
    """
    tables = {
        str(measure): mean_intervals(
            complete_scores(collection, measure), measure=measure, level=level
        )
        for measure in map(parse, measures)
    }
    return pd.concat(tables, names=["measure", "system"]).reset_index()


def mean_intervals(
    scores: Scores, *, measure: str | Measure = "AP", level: float = 0.95
) -> pd.DataFrame:
    """Return each system's mean with its interval over topics."""
    if len(scores) < 2:
        raise InputError(f"an interval over topics needs two topics or more, not {len(scores)}")
    mean = parse(measure).definition.mean

    def answer(left_out):
        return mean(scores.drop(index=scores.index[left_out])).to_numpy()

    found = topic_jackknife(answer, len(scores), level=level)
    return pd.DataFrame(
        {"mean": found.estimate, "low": found.low, "high": found.high}, index=scores.columns
    )


def against(
    collection: Collection,
    system: str,
    measures: Iterable[str | Measure],
    *,
    correction: str = "none",
    level: float = 0.95,
) -> pd.DataFrame:
    r"""Compare every other system with one of them, on the same topics.

    Parameters
    ----------
    collection, measures, level
        As for :func:`summary`.
    system : str
        What the others are compared with.
    correction : str
        One of :data:`lib.statistics.multiplicity.CORRECTIONS`, over the systems by one measure.

    Returns
    -------
    DataFrame
        Columns measure, system, difference (its mean score less that of ``system``), low, high (its
        interval over topics, Student's), effect (:math:`\bar d / s_d`, the mean difference over its
        standard deviation; NaN where no topic differs), p (paired t test, two-tailed, corrected).
        GMAP's difference is that of the mean logarithms.

    Raises
    ------
    InputError
        Fewer than two topics or systems, or no such system.

    References
    ----------
    J. Cohen, Statistical power analysis for the behavioral sciences, 2nd edition, 1988, section
    2.3: the effect size of matched pairs.

    Examples
    --------
    >>> runs = {"A": {"1": "xr", "2": "xr", "3": "rx"}, "B": {"1": "rx", "2": "rx", "3": "rx"}}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in "123"})
    >>> against(toy, "A", ["RR"]).round(3)
      measure system  difference    low  high  effect      p
    0      RR      B       0.333 -0.384  1.05   1.155  0.184
    """
    if system not in collection.systems.index:
        raise InputError(f"{collection.name}: there is no run {system!r}")
    if min(len(collection.topics), len(collection.systems)) < 2:
        raise InputError(f"{collection.name}: a comparison needs two topics and two runs or more")
    tables = {}
    for measure in map(parse, measures):
        scores = complete_scores(collection, measure)
        others = scores.columns.drop(system)
        differences = scores[others].sub(scores[system], axis=0)
        mean, deviation = differences.mean(), differences.std()
        reach = student.ppf((1 + level) / 2, len(scores) - 1) * deviation / np.sqrt(len(scores))
        # Of all pairs the test makes, those with the one system come first.
        p = t_test(scores[[system, *others]])[: len(others)]
        tables[str(measure)] = pd.DataFrame(
            {
                "difference": mean,
                "low": mean - reach,
                "high": mean + reach,
                "effect": mean / deviation.where(deviation > 0),
                "p": corrected(p, correction),
            }
        )
    return pd.concat(tables, names=["measure", "system"]).reset_index()
