"""From a measure's name to scores, and from scores of topics to one number a system.

Names are those of ir-measures (``P@10``, ``AP(rel=2)@100``, ``RBP(p=0.95)``), and a few that the
papers need beyond them (``aAP@10``, ``enDCG@10``, ``GS10``, ``DCG@10``, ``nRBP(p=0.8)@10``).
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

import numpy as np
import pandas as pd

from lib.collection import Collection, a_collection
from lib.conventions import DECIMALS, SHARE
from lib.errors import InputError
from lib.measures.names import Measure, Measures, Scores, labelled, parse

Scored = TypeVar("Scored", pd.DataFrame, np.ndarray)

_CONSTANT = 1e-12  # a standard deviation up to this is that of equal scores


@overload
def scores(collection: Collection, measure: str | Measure) -> Scores: ...
@overload
def scores(
    collection: Collection, measure: Iterable[str | Measure] | Mapping[str, str]
) -> dict[str, Scores]: ...
def scores(collection: Collection, measure: Any) -> Any:
    """Score every list of a collection.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    measure : str or Measure, a sequence of these, or dict of label to str
        Its name, such as ``"nDCG@10"``, or several.

    Returns
    -------
    DataFrame (topics x systems)
        In the unit of the measure; NaN where a system did not answer a topic.  By several measures
        a dict: a table each, by the measure's name as it was asked for, or by its label.

    Raises
    ------
    InputError
        No collection, an unknown measure or option, or a collection without what the measure needs.

    Examples
    --------
    >>> from lib.measures import example
    >>> scores(example(), "P@2")
    run      A
    topic
    t      0.5
    >>> list(scores(example(), ["P@2", "RR"]))
    ['P@2', 'RR']
    """
    return _by_each(measure, lambda one: one(collection))


@overload
def complete_scores(collection: Collection, measure: str | Measure) -> Scores: ...
@overload
def complete_scores(
    collection: Collection, measure: Iterable[str | Measure] | Mapping[str, str]
) -> dict[str, Scores]: ...
def complete_scores(collection: Collection, measure: Any) -> Any:
    """Score every list of a collection; a topic without an answer scores as an empty list does.

    It is what the functions of :mod:`lib.statistics` take, which know no gaps.

    Parameters
    ----------
    collection, measure
        As for :func:`scores`.

    Returns
    -------
    DataFrame (topics x systems)
        Without gaps.  An empty list scores 0 by most measures; GMAP's logarithm has its floor
        instead, and RBPtail is 1.  By several measures a dict: a table each.

    Raises
    ------
    InputError
        As for :func:`scores`.

    Examples
    --------
    >>> from lib.collection import Collection
    >>> runs = {"A": {"1": ["r"], "2": ["r"]}, "B": {"1": ["r"]}}
    >>> complete_scores(Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}}), "RR")
    run      A    B
    topic
    1      1.0  1.0
    2      1.0  0.0
    """
    return _by_each(measure, lambda one: _complete(collection, one))


def _complete(collection: Collection, measure: Measure) -> Scores:
    table, topics = a_collection(collection).topicwise(
        ("complete", measure), lambda c: measure(c).fillna(measure.definition.unanswered)
    )
    return table.iloc[topics]


def _by_each(measures: Measures, score: Callable[[Measure], Scores]) -> Any:
    """Return what a measure scores, or a dict of what each of several does."""
    if isinstance(measures, str | Measure):
        return score(parse(measures))
    return {label: score(measure) for label, measure in labelled(measures).items()}


def evaluate(collection: Collection, measures: Measures, *, missing: str = "zero") -> pd.DataFrame:
    """Score a collection by several measures, one row a score, as ir-measures does.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    measures : str or Measure, a sequence of these, or dict of label to str
        As for :func:`scores`.
    missing : {"zero", "answered"}
        A topic that a system did not answer has the score of an empty list, or no row; as for
        :func:`means`, which are those of these rows.

    Returns
    -------
    DataFrame, columns system, topic, measure, score
        Scores in the unit of the measure; by GMAP a topic's score is AP, of which GMAP is the
        geometric mean.

    Raises
    ------
    InputError
        As for :func:`scores`.

    Examples
    --------
    >>> from lib.measures import example
    >>> evaluate(example(), ["P@2", "RR"])
      system topic measure  score
    0      A     t     P@2    0.5
    1      A     t      RR    1.0
    """
    score = _score_of(missing)
    tables = {
        name: measure.definition.average(score(collection, measure), 1).T.stack()
        for name, measure in labelled(measures).items()
    }
    long = pd.concat(tables, names=["measure", "system", "topic"]).dropna().rename("score")
    return long.reset_index()[["system", "topic", "measure", "score"]]


def _score_of(missing: str) -> Callable[..., Scores]:
    """Return what scores a collection: with the topics that a system did not answer, or not."""
    if missing not in ("zero", "answered"):
        raise InputError(f"missing must be 'zero' or 'answered', not {missing!r}")
    return complete_scores if missing == "zero" else scores


def means(
    collection: Collection,
    measures: Measures,
    *,
    missing: str = "zero",
    decimals: int | None = DECIMALS,
) -> pd.DataFrame:
    """Return mean scores over topics: one row a system, one column a measure.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    measures : str or Measure, a sequence of these, or dict of label to str
        As for :func:`scores`; the columns have their names as they are asked for.
    missing : {"zero", "answered"}
        A topic that a system did not answer counts as an empty list (trec_eval -c), or not at all
        (trec_eval without -c).
    decimals : int or None
        Means are rounded so.  Two systems with equal scores in another order of topics have means
        that differ in the last bit; unrounded, such true ties look like differences.

    Returns
    -------
    DataFrame (systems x measures)
        In the unit of each measure.  GMAP is the exponential of its mean logarithm; NumQ, NumRet
        and NumRelRet are totals.

    Raises
    ------
    InputError
        As for :func:`scores`; or another word for ``missing``.

    Examples
    --------
    >>> from lib.measures import example
    >>> means(example(), ["P@4", "GMAP"]).round(4)
         P@4    GMAP
    run
    A    0.5  0.5556
    """
    score, asked = _score_of(missing), labelled(measures)
    table = pd.DataFrame({x: of.definition.mean(score(collection, of)) for x, of in asked.items()})
    return table if decimals is None else table.round(decimals)


def best(mean: pd.Series, share: float, *, rounding: str = "down", least: int = 0) -> list[str]:
    """Return the best share of systems, best first; equal means are ordered by name.

    Parameters
    ----------
    mean : Series
        One number a system, higher is better.
    share : float
        Share of the systems to keep, in (0, 1].
    rounding : {"down", "up"}
        75% of 129 systems are 96.75: 96 or 97.
    least : int
        So many are kept in any case.

    Returns
    -------
    list of str
        Names of systems.

    Raises
    ------
    ValueError
        A share out of its range (an InputError), or another word for ``rounding``.

    Examples
    --------
    >>> best(pd.Series({"A": 0.1, "B": 0.3, "C": 0.3}), 0.7)
    ['B', 'C']
    """
    if not 0 < share <= 1:
        raise InputError(f"share must lie in (0, 1], not {share}")
    if rounding not in ("down", "up"):
        raise ValueError(f"rounding must be 'down' or 'up', not {rounding!r}")
    ordered = mean.sort_index().sort_values(ascending=False, kind="stable")
    number = round(share * len(ordered), 9)  # 0.55 * 100 is 55.00000000000001
    whole = math.floor(number) if rounding == "down" else math.ceil(number)
    return list(ordered.index[: max(whole, least)])


def top_systems(
    collection: Collection, *, share: float = SHARE, rounding: str = "down"
) -> list[str]:
    """Return the best systems of a collection by their mean AP, best first.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    share, rounding
        As for :func:`best`.

    Returns
    -------
    list of str
        Names of systems.

    Raises
    ------
    ValueError
        As for :func:`best`.

    Examples
    --------
    >>> runs = {"A": {"t": ["x", "r"]}, "B": {"t": ["r"]}, "C": {"t": ["x"]}, "D": {"t": ["y"]}}
    >>> top_systems(Collection.from_rankings(runs, {"t": {"r": 1}}), share=0.75)
    ['B', 'A', 'C']
    """
    return best(means(collection, ["AP"])["AP"], share, rounding=rounding)


def standardized(scores: Scored) -> Scored:
    r"""Return :math:`X'_{st} = (X_{st} - \mu_t) / \sigma_t` of Webber et al. 2010, equation (8).

    Mean and standard deviation of a topic are those of the systems themselves
    (self-standardization).  What multiplies all scores of a topic, such as the divisor R of average
    precision, drops out.

    Parameters
    ----------
    scores : DataFrame or array, shape (..., topics, systems)
        Without gaps.

    Returns
    -------
    Same type and shape as the scores
        0 for all systems on a topic where all score the same, which tells nothing about its
        difficulty.

    Raises
    ------
    ValueError
        Fewer than two systems.

    References
    ----------
    Webber, Moffat and Zobel, Score standardization for inter-collection comparison of retrieval
    systems, SIGIR 2008.

    Examples
    --------
    >>> scores = pd.DataFrame({"A": [0.9, 0.2, 0.0], "B": [0.5, 0.2, 0.1]}, index=list("tuv"))
    >>> standardized(scores)
         A    B
    t  1.0 -1.0
    u  0.0  0.0
    v -1.0  1.0
    """
    values = np.asarray(scores, dtype=float)
    if values.shape[-1] < 2:
        raise ValueError(f"standardization needs two systems, not {values.shape[-1]}")
    spread = values.std(axis=-1, keepdims=True)
    tells = spread > _CONSTANT
    scaled = (values - values.mean(axis=-1, keepdims=True)) / np.where(tells, spread, 1.0)
    scaled = scaled * tells + 0.0  # -0 becomes 0
    if isinstance(scores, pd.DataFrame):
        return pd.DataFrame(scaled, index=scores.index, columns=scores.columns)
    return scaled
