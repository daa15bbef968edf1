"""An analysis of one's own: what a script asks of runs and of score matrices in one call."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.conventions import SHARE
from lib.display.figures import Figure, draw_rows, subplots
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import Interval, between
from lib.measures import Measures, best, score_tables, top_systems
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits
from lib.statistics.random_effects import random_effects

_TOGETHER = "together"


def phi(
    data: Any,
    measures: Measures | None = None,
    *,
    share: float = SHARE,
    size: int | None = None,
    number: int = 2000,
    for_error: int = 400,
    seed: int = 2008,
) -> Estimate:
    """Estimate how well measures predict each other's rankings on other topics.

    Parameters
    ----------
    data : Collection, or scores
        Runs; or a score matrix, as :func:`lib.collection.load_scores` returns it, or whatever has
        scores for :func:`lib.measures.score_tables`.
    measures : str or Measure, a sequence of these, or dict of label to str, optional
        Of a score matrix its labels; by default all of them, and of runs P@10, AP and nDCG.
    share : float
        Share of the systems to keep, in (0, 1], the best by AP; of scores without AP all are kept.
    size : int, optional
        Topics in each of the two sets, from 1 to half of all topics; by default half of them.
    number, for_error : int
        Random splits with all topics, and without each of them; 2 or more.
    seed : int
        Of the random splits: the same seed draws the same ones.

    Returns
    -------
    Estimate
        A table (measures x measures), see :func:`lib.statistics.predictivity.predictivity`, with
        its interval over topics.  ``phi(...)["AP"]["P@10"]`` is one of its numbers.

    Raises
    ------
    InputError
        Other data, a measure that they lack, fewer than two systems, or a number out of its range.

    References
    ----------
    Webber, Moffat, Zobel and Sakai, Precision-at-ten considered redundant, SIGIR 2008, section 2.

    Examples
    --------
    >>> ap = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> rr = pd.DataFrame({"A": [1, 1, 1, 1], "B": [.5, .5, .5, .5], "C": [.2, .2, .2, .2]})
    >>> found = phi({"AP": ap, "RR": rr}, share=1, number=10, for_error=10)
    >>> found["AP"]["RR"].value.item()  # all splits order A, B and C alike
    1.0
    """
    if isinstance(data, Collection):
        measures, kept = measures or ("P@10", "AP", "nDCG"), top_systems(data, share=share)
    tables = score_tables(data, measures)
    if not isinstance(data, Collection):
        ap = score_tables(data).get("AP")
        kept = list(next(iter(tables.values()))) if ap is None else best(ap.mean(), share)
    if len(kept) < 2:
        raise InputError(f"{len(kept)} systems are too few to rank")
    tables = {name: table[kept] for name, table in tables.items()}
    topics = next(iter(tables.values())).index
    many, few = (
        splits(len(topics), size=size, number=n, rng=np.random.default_rng(seed))
        for n in (number, for_error)
    )
    whole = predictivity(tables, many).phi
    parts = phis_without_each_topic(tables, few)
    without = (pd.DataFrame(part, whole.index, whole.columns) for part in parts)
    return Estimate(whole, tuple(without), names=tuple(topics))


def forest(
    estimates: Mapping[str, Interval | Estimate], *, label: str = "estimate", at: float = 0.0
) -> Figure:
    """Draw estimates of several sources with their intervals, and what they say together.

    Parameters
    ----------
    estimates : dict of str to Interval or Estimate
        By their sources, such as collections that share no topics; a number each.
    label : str
        What was estimated: the name of the axis.
    at : float
        Where a dotted line stands, in the unit of the estimates.

    Returns
    -------
    Figure
        Two sources or more with an error have the mean of their random effects in the last row
        (:func:`lib.statistics.random_effects.random_effects`).

    Raises
    ------
    InputError
        No such dict, or a source with other than one number.

    Examples
    --------
    >>> gains = {"A": Interval.of(0.1, 0.02), "B": Interval.of(0.2, 0.05)}
    >>> print(forest(gains, label="gain").caption.partition(";")[0])
    2 of 2 intervals exclude 0. Gain by source, with 95% intervals
    """
    if not isinstance(estimates, Mapping) or not estimates:
        raise InputError("a forest plot needs a dict of intervals or estimates by their sources")
    rows = {}
    for name, one in estimates.items():
        interval = one.interval() if isinstance(one, Estimate) else one
        if not isinstance(interval, Interval) or np.ndim(interval.estimate):
            raise InputError(f"{name}: a row needs the Interval or the Estimate of one number")
        rows[str(name)] = interval
    errors = [one.error for one in rows.values()]
    outside = sum(not one.low <= at <= one.high for one in rows.values())
    caption = f"{outside} of {len(rows)} intervals exclude {at:g}."
    more = f"{label[:1].upper()}{label[1:]} by source, with 95% intervals"
    if len(rows) > 1 and np.isfinite(errors).all() and min(errors) > 0:
        mean = random_effects([one.estimate for one in rows.values()], errors)
        rows[_TOGETHER] = mean
        more += f"; together: {mean}"
    table = pd.DataFrame.from_dict({name: one.row() for name, one in rows.items()}, orient="index")
    looks = [{"marker": "D" if name == _TOGETHER else "o"} for name in table.index]
    with subplots(height=0.8 + 0.25 * len(table)) as (drawing, axes):
        draw_rows(axes, table, looks, at=at)
        axes.set_xlabel(label)
    ends = "; ".join(f"{name} {between(*row)}" for name, row in zip(table.index, table.to_numpy()))
    alt = f"Dots with intervals, a row a source: {ends}."
    return Figure(drawing, caption=f"{caption} {more}.", alt=alt, data=table, formats="+.3f")
