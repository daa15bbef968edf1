"""From a measure's name to scores, and from scores of topics to one number a system.

Names are those of ir-measures (``P@10``, ``AP(rel=2)@100``, ``RBP(p=0.95)``), and a few that the
papers need beyond them (``aAP@10``, ``enDCG@10``, ``GS10``, ``DCG@10``, ``nRBP(p=0.8)@10``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar, overload

import numpy as np

from lib import pandas_later as pd
from lib.collection import Collection, a_collection, derive
from lib.collection.collection import names_of, unframed
from lib.collection.in_memory import named
from lib.conventions import DECIMALS, SHARE
from lib.errors import InputError, did_you_mean
from lib.measures.names import (
    Measure,
    Measures,
    Scores,
    as_ours,
    averaged,
    labelled,
    parse,
    scale_of,
)

Scored = TypeVar("Scored", "pd.DataFrame", np.ndarray)
Asked = TypeVar("Asked", bound=Callable[..., Any])

_CONSTANT = 1e-12  # a standard deviation up to this is that of equal scores


def of_runs_too(function: Asked) -> Asked:
    """Let a function of a collection and measures take runs, judgements and measures as well."""

    @wraps(function)
    def asked(*given: Any, **how: Any) -> Any:
        if len(given) == 3:  # as :func:`lib.collection.derive` takes them
            given = derive(*given[:2], judged=True), given[2]
        return function(*given, **how)

    return asked  # type: ignore[return-value]


@overload
def scores(collection: Collection, measure: str | Measure) -> Scores: ...
@overload
def scores(
    collection: Collection, measure: Iterable[str | Measure] | Mapping[str, str]
) -> dict[str, Scores]: ...
@of_runs_too
def scores(collection: Any, measure: Any) -> Any:
    """Score every list of a collection.

    Parameters
    ----------
    collection : Collection
        Runs and judgements; or these, one after the other, as :func:`lib.collection.derive` takes
        them: ``scores(runs, qrels, "AP")``.
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
def complete_scores(collection: Any, measure: Any) -> Any:
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
        ("complete", measure, measure.definition.score),
        lambda c: measure(c).fillna(measure.definition.unanswered),
    )
    return table.iloc[topics]


def _by_each(measures: Measures, score: Callable[[Measure], Scores]) -> Any:
    """Return what a measure scores, or a dict of what each of several does."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        return score(parse(measures))
    return {label: score(measure) for label, measure in labelled(measures).items()}


@of_runs_too
def evaluate(collection: Collection, measures: Measures, *, missing: str = "zero") -> pd.DataFrame:
    """Score a collection by several measures, one row a score, as ir-measures does.

    Parameters
    ----------
    collection : Collection
        As for :func:`scores`.
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


def score_columns(
    collection: Collection, measures: Measures, *, missing: str = "zero"
) -> dict[str, list]:
    """Return what :func:`evaluate` does as lists by the names of their columns, without pandas.

    Not by measures of one's own, which may count on frames.

    Examples
    --------
    >>> from lib.measures import example
    >>> score_columns(example(), "P@2")
    {'system': ['A'], 'topic': ['t'], 'measure': ['P@2'], 'score': [0.5]}
    """
    _score_of(missing)
    bare, asked = unframed(collection), labelled(measures)
    scores = []
    for measure in asked.values():
        values, definition = measure(bare), measure.definition
        if missing == "zero":
            values = np.where(np.isnan(values), definition.unanswered, values)
        scores.append(definition.average(values, 1).T)
    known = ~np.isnan(scores)  # measures x systems x topics
    of_measure, system, topic = (at.tolist() for at in np.nonzero(known))
    names, (topics, systems) = list(asked), names_of(collection)
    return {
        "system": [systems[at] for at in system],
        "topic": [topics[at] for at in topic],
        "measure": [names[at] for at in of_measure],
        "score": np.array(scores)[known].tolist(),
    }


def _score_of(missing: str) -> Callable[..., Scores]:
    """Return what scores a collection: with the topics that a system did not answer, or not."""
    if missing not in ("zero", "answered"):
        raise InputError(f"missing must be 'zero' or 'answered', not {missing!r}")
    return complete_scores if missing == "zero" else scores


@of_runs_too
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
        As for :func:`scores`.
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


def export(rows: pd.DataFrame, to: str) -> Any:
    r"""Return scores in the form of another tool.

    Parameters
    ----------
    rows : DataFrame
        What :func:`evaluate` returns.
    to : {"ir_measures", "pytrec_eval", "ranx", "trec_eval"}
        Columns query_id, measure, value, and system; system to topic to measure to value; system to
        measure to topic to value, as ranx.Run keeps it in ``scores``; or system to the lines that
        ``trec_eval -q`` prints of it.

    Returns
    -------
    DataFrame, dict of dict, or dict of str
        All of which :func:`score_tables` or ``compare --per-topic`` takes again.

    Raises
    ------
    InputError
        Another tool.

    Examples
    --------
    >>> from lib.measures import example
    >>> export(evaluate(example(), "P@2"), "pytrec_eval")
    {'A': {'t': {'P@2': 0.5}}}
    """
    if to == "ir_measures":
        theirs = rows.rename(columns={"topic": "query_id", "score": "value"})
        return theirs[["query_id", "measure", "value", "system"]]
    if to == "trec_eval":
        lines = rows[["measure", "topic", "score"]].groupby(rows["system"], sort=False)
        return {name: of.to_csv(sep="\t", header=False, index=False) for name, of in lines}
    orders = {"pytrec_eval": ["topic", "measure"], "ranx": ["measure", "topic"]}
    if to not in orders:
        raise InputError(f"to must be ir_measures, trec_eval, pytrec_eval or ranx, not {to!r}")
    nested: dict[str, Any] = {}
    for (system, one, other), score in rows.set_index(["system", *orders[to]])["score"].items():
        nested.setdefault(system, {}).setdefault(one, {})[other] = score
    return nested


def score_tables(
    data: Any, measures: Measures | None = None, *, missing: str = "zero"
) -> dict[str, Scores]:
    """Return scores by measure: of a collection, or as another tool computed them.

    Parameters
    ----------
    data : Collection, DataFrame, dict, or object that has one
        Runs and judgements; tables (topics x systems) by measure; or what another tool computed: a
        frame with the columns of PyTerrier (name, qid, measure, value) or ir_measures (query_id,
        measure, value); by system such frames, or topic to measure to value, as pytrec_eval returns
        it, or measure to topic to value, as ranx.Run keeps it in ``scores``.
    measures : str or Measure, a sequence of these, or dict of label to str, optional
        As for :func:`scores`; of scores by default all that there are.
    missing : {"zero", "answered"}
        As for :func:`means`, of a collection.

    Returns
    -------
    dict of str to DataFrame (topics x systems)
        By label; those of other tools by our name of their measure.

    Raises
    ------
    InputError
        Other data, a gap, scores of other topics or systems, or a measure that they lack.

    Examples
    --------
    >>> score_tables({"A": {"q1": {"map": 0.5}}, "B": {"q1": {"map": 0.4}}})["AP"].loc["q1", "B"]
    np.float64(0.4)
    """
    if isinstance(data, Collection | str):  # a name, which is no collection
        return _score_of(missing)(a_collection(data), labelled(measures or ()))
    tables = _given_tables(data)
    names = {name: (list(table.index), list(table)) for name, table in tables.items()}
    for name, of in names.items():
        if of != next(iter(names.values())):
            raise InputError(f"scores by {name} have other topics or systems than the first")
    found = {}
    wanted = labelled(tables if measures is None else measures, str)
    for label, asked in wanted.items():
        name = asked if asked in tables else as_ours(asked) or label
        if name not in tables:
            like = did_you_mean(label, tables) or f"; there are {', '.join(tables)}"
            raise InputError(f"no scores by {label!r}{like}")
        found[label] = tables[name]
    return found


def _given_tables(data: Any) -> dict[str, Scores]:
    """Return scores of another tool by our names of their measures, or tables as they are."""
    tables = {"score": data} if isinstance(data, pd.DataFrame) else data
    if isinstance(tables, Mapping) and tables and all(map(is_numbers, tables.values())):
        systems = [name for table in tables.values() for name in table]
        if any(map(as_ours, tables)) or not all(map(as_ours, systems)):
            return dict(tables)
    parts = {}
    for system, topics in named(data, "scores").items():
        table = pd.DataFrame(topics)
        table = table if all(map(as_ours, topics)) else table.T  # ranx has measures first
        parts[system] = table.rename(columns=lambda name: as_ours(name) or name)
    whole = pd.concat(parts, axis=1)
    if whole.isna().any(axis=None):
        (topic, *of), *_ = whole.isna().stack([0, 1]).loc[lambda gap: gap].index
        raise InputError(f"topic {topic!r}, {', '.join(of)}: no score, as others have")
    measures = dict.fromkeys(whole.columns.get_level_values(1))
    for name in measures:
        scores = whole.xs(name, axis=1, level=1).unstack()
        beyond = scores[~scores.between(*scale_of(name))]
        for (system, topic), score in beyond.head(1).items():
            raise InputError(f"{system!r}: score {score:g} of {name}, {topic}, is not in [0, 1]")
    return {name: averaged(whole.xs(name, axis=1, level=1), name) for name in measures}


def is_numbers(given: Any) -> bool:
    """Return whether something is a frame of numbers alone."""
    return isinstance(given, pd.DataFrame) and all(of.kind in "fiub" for of in given.dtypes)


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
