"""Two judges of the same topics: how far they agree, and what that does to runs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from lib.collection import Collection, derive
from lib.collection.collection import HIGHEST_UNSTATED
from lib.collection.in_memory import grades_of, is_path
from lib.conventions import ALPHA, DECIMALS
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import ENDS
from lib.measures import Scores, complete_scores, parse
from lib.statistics.correlation import pair_signs, tau_ap, taus_of_rows
from lib.statistics.jackknife import FEW, correlation_jackknife
from lib.statistics.multiplicity import corrected
from lib.statistics.significance import t_test
from lib.statistics.student import pair_indices

Qrels: TypeAlias = Mapping[str, Mapping[Any, int]]  # topic to document to grade

_MEASURES = ("AP", "nDCG", "P@10", "RR")


def joint_counts(one: Qrels, other: Qrels, *, rel: int = 1) -> pd.DataFrame:
    """Count what two judges said of the documents of each topic that both have.

    Examples
    --------
    >>> joint_counts({"t": {"d": 1, "e": 0, "f": 1}}, {"t": {"d": 1, "e": 1}}).loc["t"].to_dict()
    {'only A': 1, 'only B': 0, 'yes yes': 1, 'yes no': 0, 'no yes': 1, 'no no': 0}
    """
    rows = {}
    for topic in [topic for topic in one if topic in other]:
        a, b = (
            {document: grade >= rel for document, grade in of[topic].items() if grade >= 0}
            for of in (one, other)
        )
        both = [(a[document], b[document]) for document in a.keys() & b.keys()]
        rows[topic] = {
            "only A": len(a) - len(both),
            "only B": len(b) - len(both),
            "yes yes": both.count((True, True)),
            "yes no": both.count((True, False)),
            "no yes": both.count((False, True)),
            "no no": both.count((False, False)),
        }
    if not rows:
        raise InputError("the two sets of judgements have no topic in common")
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("topic")


def agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Say how far two judges agree, with intervals over topics.

    References
    ----------
    Voorhees, Variations in relevance judgments and the measurement of retrieval effectiveness,
    Information Processing and Management 36, 2000: overlap.  Cohen, A coefficient of agreement for
    nominal scales, Educational and Psychological Measurement 20, 1960: kappa.

    Examples
    --------
    >>> a, b = ({"1": {"d": 1, "e": 0}, "2": {"f": last}} for last in (1, 0))
    >>> agreement(joint_counts(a, b)).loc["kappa", "estimate"].round(3)
    np.float64(0.4)
    """
    cells = table[["yes yes", "yes no", "no yes", "no no"]].to_numpy(float)
    interval = of_counts(cells, _agreement)
    rows = ["overlap", "agreement", "kappa", "A's relevant", "B's relevant"]
    table = pd.DataFrame(np.nan, rows, ENDS).assign(estimate=interval.value)
    if len(cells) > 1:  # with one topic there is none; of shares here, kappa's below
        ends = interval.interval().to_frame()[["low", "high"]].clip(0, 1)
        table[["low", "high"]] = ends.where(ends["low"] < ends["high"]).to_numpy()
    kappa = correlation_jackknife(interval.value[2], [row[2] for row in interval.topics])
    table.loc["kappa", ["low", "high"]] = kappa.low, kappa.high
    return table


def of_counts(cells: np.ndarray, compute: Callable[[np.ndarray], Any]) -> Estimate:
    """Return what is computed of counts summed over topics; ``cells`` has a table for each topic.

    >>> of_counts(np.array([1, 2, 3]), float).topics
    (5.0, 4.0, 3.0)
    """
    whole = cells.sum(axis=0)
    return Estimate(compute(whole), tuple(compute(whole - topic) for topic in cells))


def _agreement(cells: np.ndarray) -> np.ndarray:
    both, of_a, of_b, neither = cells
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array(
            [
                both / (both + of_a + of_b),
                (both + neither) / cells.sum(),
                weighted_kappa(cells.reshape(2, 2)),
                both / (both + of_a),
                both / (both + of_b),
            ]
        )


def weighted_kappa(cells: np.ndarray) -> float:
    """Return Cohen's kappa of two judges on one scale, weighted by the square of the distance.

    References
    ----------
    Cohen, Weighted kappa, Psychological Bulletin 70, 1968.

    Examples
    --------
    >>> weighted_kappa(np.array([[2, 1], [0, 1]]))
    0.5
    """
    place = np.arange(len(cells))
    weight = (place[:, np.newaxis] - place) ** 2
    expected = np.outer(cells.sum(axis=1), cells.sum(axis=0)) / cells.sum()
    return float(1 - (weight * cells).sum() / (weight * expected).sum())


def two_scales(one: Qrels, other: Qrels, highest_grade: int | None = None) -> str:
    """Say why the grades of two judges are not known to be on one scale; nothing where they are.

    It is one that is stated, or that of judgements whose highest grade is the same for both, of
    all that each has judged, and not above :data:`HIGHEST_UNSTATED`.

    Examples
    --------
    >>> two_scales({"1": {"d": 2}}, {"1": {"d": 1}, "2": {"d": 2}})
    ''
    >>> two_scales({"1": {"d": 2}}, {"1": {"d": 1}})
    'the highest grade of A is 2, of B 1; if both have one scale, say --highest-grade N'
    """
    a, b = (
        max((max(of.values(), default=0) for of in judge.values()), default=0)
        for judge in (one, other)
    )
    if highest_grade is not None or (a == b and a <= HIGHEST_UNSTATED):
        return ""
    return f"the highest grade of A is {a}, of B {b}; if both have one scale, say --highest-grade N"


def grades(one: Qrels, other: Qrels, *, highest_grade: int | None = None) -> pd.DataFrame:
    """Say how far the grades of two judges agree, on documents that both judged.

    Rows weighted kappa (:func:`weighted_kappa`) and bias (A's mean grade less B's); columns
    estimate, low, high, over topics.  NaN where :func:`two_scales` has a reason.

    Parameters
    ----------
    one, other : dict of str to dict
        Topic to document to grade.
    highest_grade : int, optional
        The highest grade of the scale of both, where it is stated.

    Examples
    --------
    >>> a, b = ({"1": {"d": 2, "e": 0}, "2": {"f": last}} for last in (1, 0))
    >>> grades(a, b)["estimate"].round(2).to_dict()
    {'weighted kappa': 0.8, 'bias': 0.33}
    """
    table = pd.DataFrame(np.nan, ["weighted kappa", "bias"], ENDS)
    if two_scales(one, other, highest_grade):
        return table
    rows = []
    for topic in [topic for topic in one if topic in other]:
        both = ((g, other[topic].get(d, -1)) for d, g in one[topic].items())
        a, b = np.array([pair for pair in both if min(pair) >= 0], float).reshape(-1, 2).T
        rows.append([len(a), a.sum(), b.sum(), ((a - b) ** 2).sum(), (a**2 + b**2).sum()])

    def agreed(sums: np.ndarray) -> np.ndarray:
        documents, a, b, apart, squares = sums
        # What weighted_kappa says of the table of all grades, however many there are.
        return np.array([1 - apart / (squares - 2 * a * b / documents), (a - b) / documents])

    with np.errstate(invalid="ignore", divide="ignore"):
        interval = of_counts(np.array(rows), agreed)
        table["estimate"] = interval.value
        if len(rows) > 1:
            table[ENDS] = interval.interval().to_frame()[ENDS].to_numpy()
    return table


def same_runs(one: Collection, other: Collection) -> tuple[Collection, Collection]:
    """Return two collections of the same runs with the topics that both have."""
    if set(one.systems.index) != set(other.systems.index):
        raise InputError(f"{one.name} and {other.name} are not of the same runs")
    if len(one.systems) < 2:
        raise InputError(f"{one.name}: a ranking needs two runs or more")
    topics = [topic for topic in one.topics.index if topic in other.topics.index]
    if not topics:
        raise InputError(f"{one.name} and {other.name} have no topic in common")
    both = one.select(topics=topics), other.select(systems=one.systems.index, topics=topics)
    if not np.array_equal(both[0].retrieved, both[1].retrieved):
        raise InputError(f"{one.name} and {other.name} do not have the same lists")
    return both


def compare_rankings(
    one: Collection,
    other: Collection,
    *,
    measures: Sequence[str] = _MEASURES,
    correction: str = "none",
) -> pd.DataFrame:
    """Compare the rankings of the same runs by two judges.

    Examples
    --------
    >>> runs = {"P": {"1": "ab", "2": "ab"}, "Q": {"1": "ba", "2": "ba"}}
    >>> a = Collection.from_rankings(runs, {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}})
    >>> b = Collection.from_rankings(runs, {"1": {"a": 0, "b": 1}, "2": {"a": 0, "b": 1}})
    >>> compare_rankings(a, b, measures=["RR"])[["tau-b", "pairs", "turn", "both"]]
             tau-b  pairs  turn  both
    measure
    RR        -1.0      1     1     1
    """
    one, other = same_runs(one, other)
    rows = []
    for measure in measures:
        a, b = (complete_scores(collection, measure) for collection in (one, other))
        reversals = sign_reversals(one, other, measure, correction=correction)
        by_a, by_b = reversals["p by A"] < ALPHA, reversals["p by B"] < ALPHA
        rows.append(
            {
                "measure": str(parse(measure)),
                **_correlations(a, b),
                "pairs": a.shape[1] * (a.shape[1] - 1) // 2,
                "turn": len(reversals),
                "by A": by_a.sum(),
                "by B": by_b.sum(),
                "both": (by_a & by_b).sum(),
            }
        )
    return pd.DataFrame(rows).set_index("measure")


class TwoJudges(NamedTuple):
    """What two judges say: see :func:`compare_qrels`."""

    counts: pd.DataFrame
    agreement: pd.DataFrame
    rankings: pd.DataFrame
    runs: int
    left: int  # topics that one of them alone has judged
    apart: str  # why their grades are not known to be on one scale


def compare_qrels(
    runs: Any,
    a: Any,
    b: Any,
    *,
    measures: Sequence[str] = _MEASURES,
    correction: str = "none",
    **how: Any,
) -> TwoJudges:
    """Say how far two judges agree, and how alike they rank the runs.

    Parameters
    ----------
    runs, a, b : path, DataFrame, dict, or object that has one
        Runs, and two sets of judgements of the same topics, as :func:`lib.collection.derive` takes
        them.
    measures : sequence of str
        By which the runs are ranked.
    correction : {"none", "holm"}
        Of the p values of all pairs of runs.
    **how
        Options of :func:`lib.collection.derive`, such as ``relevant_from`` and ``highest_grade``.

    Returns
    -------
    TwoJudges
        Tables ``counts`` (:func:`joint_counts`), ``agreement`` (:func:`agreement` and
        :func:`grades`) and ``rankings`` (:func:`compare_rankings`); ``runs``, how many there are;
        ``left``, the topics of one judge alone; ``apart``, why grades are not compared, if so.

    Examples
    --------
    >>> runs = {"P": {"1": ["a", "b"], "2": ["a", "b"]}, "Q": {"1": ["b", "a"], "2": ["b", "a"]}}
    >>> one, other = ({t: {"a": a, "b": 1 - a} for t in "12"} for a in (1, 0))
    >>> compare_qrels(runs, one, other).rankings.loc["AP", "tau-b"]
    np.float64(-1.0)
    """
    one, other, top = grades_of(a), grades_of(b), how.get("highest_grade")
    counts = joint_counts(one, other, rel=how.get("relevant_from", 1))
    agreed = pd.concat([agreement(counts), grades(one, other, highest_grade=top)])
    names = (Path(of).name if is_path(of) else label for label, of in (("A", a), ("B", b)))
    pair = same_runs(*(derive(runs, of, name=name, **how) for name, of in zip(names, (a, b))))
    rankings = compare_rankings(*pair, measures=measures, correction=correction)
    left, apart = len(one.keys() ^ other.keys()), two_scales(one, other, top)
    return TwoJudges(counts, agreed, rankings, len(pair[0].systems), left, apart)


def _correlations(a: Scores, b: Scores) -> dict[str, float]:
    """Return both coefficients with their intervals, each topic left out once."""
    enough = min(a.shape) >= FEW  # topics and runs
    without = zip(_without_each(a), _without_each(b)) if enough else ()
    taus = _taus(_means(a), _means(b))
    interval = correlation_jackknife(taus, [_taus(*both) for both in without])
    columns = (f"{kind}tau-{variant}" for kind in ("", "low ", "high ") for variant in ("b", "AP"))
    ends = np.concatenate([interval.estimate, interval.low, interval.high])
    return dict(zip(columns, ends.tolist()))


def _taus(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    tau = taus_of_rows(a[None], b[None], variant="b").item()
    return np.array([tau, tau_ap(a, b, symmetric=True)])


def _means(scores: Scores) -> np.ndarray:
    return scores.to_numpy().mean(axis=0).round(DECIMALS)


def _without_each(scores: Scores) -> np.ndarray:
    """Return the means without each topic: shape (topics, systems)."""
    values = scores.to_numpy()
    return ((values.sum(axis=0) - values) / (len(values) - 1)).round(DECIMALS)


def sign_reversals(
    one: Collection, other: Collection, measure: str, *, correction: str = "none"
) -> pd.DataFrame:
    """Return the pairs of runs that two judges put in opposite order."""
    one, other = same_runs(one, other)
    a, b = (complete_scores(collection, measure) for collection in (one, other))
    mean = [_means(a), _means(b)]
    first, second, _ = pair_indices(a.shape[1])
    sign = pair_signs(mean[0])
    turn = np.flatnonzero(sign * pair_signs(mean[1]) < 0)
    up = np.where(sign[turn] > 0, first[turn], second[turn])
    down = np.where(sign[turn] > 0, second[turn], first[turn])
    p = [t_test(table) if len(table) > 1 else np.ones(len(first)) for table in (a, b)]
    by_a, by_b = (corrected(values, correction)[turn] for values in p)
    return pd.DataFrame(
        {
            "better by A": a.columns[up],
            "better by B": a.columns[down],
            "difference by A": mean[0][up] - mean[0][down],
            "difference by B": mean[1][up] - mean[1][down],
            "p by A": by_a,
            "p by B": by_b,
        }
    ).sort_values("difference by A", ascending=False, kind="stable", ignore_index=True)
