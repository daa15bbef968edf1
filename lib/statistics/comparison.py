"""Systems side by side: means with intervals over topics, and each against one of them."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit, logit, stdtr

from lib.collection import Collection, cached, derive
from lib.collection.collection import positions
from lib.collection.derive import some
from lib.conventions import ALPHA
from lib.errors import InputError, InputWarning, did_you_mean
from lib.intervals import ENDS, Interval
from lib.measures import Measure, Measures, Scores, complete_scores, labelled, parse, score_tables
from lib.measures import scores as scored
from lib.measures.names import arithmetic, geometric
from lib.measures.scores import is_numbers
from lib.statistics.multiplicity import corrected, holm, randomized_tukey
from lib.statistics.significance import TIE, flipped_signs, permutation_test, square
from lib.statistics.student import as_paired, pair_differences

_DIFFERENCES, _BY = ["difference", "low", "high"], "compared by"
_VAST = 1e9  # more than two means differ by, where nothing is the most
DRAWS, _SEED, EXACT = 100_000, 2031, 16  # of a permutation test; up to so many topics it is exact
MANY, ENOUGH = 1000, 1000  # above so many topics draws end when so many are as far off


def means_with_intervals(
    collection: Any, measures: Measures | None = None, *, missing: str = "zero"
) -> pd.DataFrame:
    """Return the mean of every system by each measure, with its interval over topics.

    Parameters
    ----------
    collection : Collection, or scores
        Runs and judgements; or scores, as :func:`lib.measures.score_tables` takes them.
    measures : str or Measure, a sequence of these, or dict of label to str, optional
        As for :func:`lib.measures.scores`; of scores by default all that there are.
    missing : {"zero", "answered"}
        A topic that a system did not answer scores as an empty list does (trec_eval -c), or is left
        out of this system's mean (trec_eval without -c).

    Returns
    -------
    DataFrame
        Columns measure, system, mean, low, high.  The intervals are the jackknife's
        (:mod:`lib.statistics.jackknife`), which for an arithmetic mean are Student's; where these
        would leave the measure's scale, they are made on that of the logit, and stay on it.

    Raises
    ------
    InputError
        Fewer than two topics.

    Warns
    -----
    InputWarning
        All topics score alike.

    Examples
    --------
    >>> runs = {"A": {"1": "rx", "2": "xr", "3": "rx"}}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in "123"})
    >>> means_with_intervals(toy, ["RR"]).round(3)
      measure system   mean    low   high
    0      RR      A  0.833  0.028  0.999
    """
    known = _known(collection, measures)
    tables = {
        name: mean_intervals(table, measure=known.get(name, name))
        for name, table in score_tables(collection, measures, missing=missing).items()
    }
    rows = pd.concat(tables, names=["measure", "system"]).reset_index()
    alike = rows[rows["high"] - rows["low"] <= TIE]
    if len(alike):
        which = some([f"{row.measure} of {row.system}" for row in alike.itertuples()], ", ")
        warnings.warn(
            "where all topics score alike nothing tells how others would, and the interval is "
            f"without width: {which}",
            InputWarning,
            stacklevel=2,
        )
    return rows


def _known(data: Any, measures: Measures | None) -> dict[str, Measure]:
    """Return the measures behind labels of one's own, which a collection is asked by."""
    return labelled(measures or ()) if isinstance(data, Collection) else {}


def mean_intervals(scores: Scores, *, measure: str | Measure = "AP") -> pd.DataFrame:
    """Return each system's mean with its interval over topics, without those that are missing."""
    if len(scores) < 2:
        raise InputError(f"an interval over topics needs two topics or more, not {len(scores)}")
    average, most = mean_and_most(measure)
    total, topics = scores.sum(), scores.count()
    left = topics.where(topics > 1) - 1  # a topic alone has no interval
    # The jackknife in closed form: what all topics sum up to, less each of them.
    without = average(total - scores, left)
    error = np.sqrt(left / topics * ((without - without.mean()) ** 2).sum())
    intervals = _on_scale(Interval.of(average(total, topics), error, left), most)
    ends = {"mean": intervals.estimate, "low": intervals.low, "high": intervals.high}
    return pd.DataFrame(ends, index=scores.columns)


def mean_and_most(measure: str | Measure) -> tuple[Callable[..., Any], float]:
    """Return how a measure is averaged and its highest score, where it is one that we know."""
    try:
        return parse(measure).definition.average, parse(measure).definition.most
    except InputError:
        return arithmetic, np.inf


def _on_scale(interval: Interval, most: float) -> Interval:
    """Return intervals that stay on a scale from 0 up: where Student's does not, that of the logit.

    It is made on the scale of log(m / (1 - m)), or of log m where nothing is the most, by the delta
    method, and turned back.
    """
    inside = (interval.estimate > 0) & (interval.estimate < most)
    off = inside & ((interval.low < 0) | (interval.high > most))
    middle = np.where(off, interval.estimate, 0.5)
    link, back, slope = (np.log, np.exp, 1 / middle)
    if np.isfinite(most):
        link, back, slope = logit, expit, 1 / (middle * (1 - middle))
    turned = Interval.of(link(middle), slope * interval.error, interval.freedom)
    low, high = (
        np.where(off, back(end), own)
        for end, own in ((turned.low, interval.low), (turned.high, interval.high))
    )
    return replace(interval, low=low, high=high)


def mean_in_print(interval: Interval, measure: str | Measure, topics: int) -> Interval:
    """Return intervals of mean scores as means are printed: of what is counted, of the total.

    An estimate that is more than a mean, and its interval, stay on the measure's scale.

    Examples
    --------
    >>> print(mean_in_print(Interval.of(np.log(0.25), 0.1), "GMAP", 50))
    +0.250 [+0.206, +0.304]
    """
    average, most = mean_and_most(measure)
    parts = (interval.estimate, interval.low, interval.high)
    middle, low, high = (average(part * topics, topics) for part in parts)
    moved = middle if average is geometric else average(topics, topics)
    whole = _on_scale(Interval(middle, moved * interval.error, low, high, interval.freedom), most)
    ends = {name: np.clip(getattr(whole, name), 0, most) for name in ENDS}
    return replace(whole, **ends)


def difference_in_print(differences: Any, measure: str | Measure, topics: Any) -> Any:
    """Return mean differences of scores as those of the printed means.

    It is their ratio where the mean is geometric, their difference else: of what is counted, of the
    totals; neither leaves what two means can differ by.

    Examples
    --------
    >>> float(difference_in_print(0.5, "NumRelRet", 4)), float(difference_in_print(1.2, "AP", 4))
    (2.0, 1.0)
    >>> float(difference_in_print(np.log(2), "GMAP", 4).round(6))
    2.0
    """
    average, most = mean_and_most(measure)
    printed = average(differences * topics, topics)
    return printed if average is geometric else np.clip(printed, -most, most)


def refuse_difference(option: str, value: float | None, measure: str | Measure) -> None:
    """Refuse a difference that no two means by a measure can have.

    Examples
    --------
    >>> refuse_difference("--margin", 2, "AP")
    Traceback (most recent call last):
        ...
    lib.errors.InputError: --margin must be more than 0 and at most 1, not 2
    """
    average, most = mean_and_most(measure)
    if value is None:
        return
    if average is not arithmetic:
        raise InputError(f"{option} goes with an arithmetic mean; {measure} has none")
    if not 0 < value <= (most := min(most, _VAST)):
        raise InputError(f"{option} must be more than 0 and at most {most:g}, not {value:g}")


def is_ratio(measure: str | Measure) -> bool:
    """Return whether two printed means by a measure are compared by their ratio."""
    return mean_and_most(measure)[0] is geometric


def differences_in_print(
    tables: Mapping[str, pd.DataFrame], measures: Mapping[str, Measure], topics: Any
) -> pd.DataFrame:
    """Return tables of :func:`mean_differences`, by measure, one below the other, as printed.

    With a column compared by, ratio or difference, where some row has a ratio.
    """
    printed = {}
    for name, table in tables.items():
        measure = measures.get(name, name)
        ends = {
            column: difference_in_print(table[column], measure, topics) for column in _DIFFERENCES
        }
        printed[name] = table.assign(**ends)
        at = table.columns.get_loc(_DIFFERENCES[0])
        printed[name].insert(at, _BY, "ratio" if is_ratio(measure) else "difference")
    whole = pd.concat(printed, names=["measure"])
    return whole if (whole[_BY] == "ratio").any() else whole.drop(columns=_BY)


def against(
    collection: Collection,
    system: str,
    measures: Measures,
    *,
    correction: str = "none",
    missing: str = "zero",
) -> pd.DataFrame:
    r"""Compare every other system with one of them, on the same topics.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    system : str
        What the others are compared with.
    measures : str or Measure, a sequence of these, or dict of label to str
        As for :func:`lib.measures.scores`.
    correction : {"none", "holm", "tukey"}
        Of p, by measure: none, Holm's over the other systems, or over all pairs that of
        :func:`lib.statistics.multiplicity.randomized_tukey`, with which no run may miss a topic.
    missing : {"zero", "answered"}
        As for :func:`means_with_intervals`; two systems are compared on the topics that both
        answered.

    Returns
    -------
    DataFrame
        Columns measure, system, difference (its mean score less that of ``system``), low, high (its
        interval over topics, Student's), effect (:math:`\bar d / s_d`, the mean difference over its
        standard deviation), p (paired t test, two-tailed, corrected).  Where every topic has the
        same difference, effect is NaN and p that of all changes of signs, :math:`2^{1 - n}`, or 1
        of no difference.  Differences are as :func:`difference_in_print` has them: of what is
        counted, those of the totals, and of GMAP ratios, with a column compared by that says so.

    Raises
    ------
    InputError
        Fewer than two topics or systems, no such system, or another correction.

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
    0      RR      B       0.333 -0.384   1.0   1.155  0.184
    """
    if system not in collection.systems.index:
        like = did_you_mean(system, collection.systems.index)
        raise InputError(f"{collection.name}: there is no run {system!r}{like}")
    if min(len(collection.topics), len(collection.systems)) < 2:
        raise InputError(f"{collection.name}: a comparison needs two topics and two runs or more")
    asked = labelled(measures)
    tables = (complete_scores if missing == "zero" else scored)(collection, asked)
    return against_of_scores(tables, system, correction, asked)


def against_of_scores(
    scores: Mapping[str, Scores],
    system: str,
    correction: str = "none",
    measures: Mapping[str, Measure] | None = None,
) -> pd.DataFrame:
    """Return what :func:`against` does, of scores by their measures."""
    tables, topics = {}, pd.Series(dtype=float)
    for name, values in scores.items():
        differences = values.drop(columns=system).sub(values[system], axis=0)
        table, topics = mean_differences(differences), differences.notna().sum()
        tukey = correction == "tukey"
        p = _all_pairs(values, correction)[system] if tukey else corrected(table["p"], correction)
        tables[name] = table.assign(p=p)
    # The topics are those of any measure.
    printed = differences_in_print(tables, measures or {}, topics)
    return printed.rename_axis(["measure", "system"]).reset_index()


def beside_means(means: pd.DataFrame, differences: pd.DataFrame) -> pd.DataFrame:
    """Return the means of runs, and beside them what each has over another: :func:`against`."""
    both = {"on": ["measure", "system"], "how": "left", "suffixes": ("", " of difference")}
    return means.merge(differences, **both)


def best_first(board: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return a table of means with the systems of each measure in the order of those by one.

    >>> rows = {"measure": ["P", "P", "Q", "Q"], "system": [*"ABAB"], "mean": [0.1, 0.2, 0.4, 0.3]}
    >>> best_first(pd.DataFrame(rows), "P")["system"].tolist()
    ['B', 'A', 'B', 'A']
    """
    by = board[board["measure"] == measure].sort_values("mean", ascending=False, kind="stable")
    rows = pd.MultiIndex.from_product([board["measure"].unique(), by["system"]])
    return (
        board.set_index(["measure", "system"])
        .loc[rows]
        .rename_axis(["measure", "system"])
        .reset_index()
    )


def _all_pairs(scores: pd.DataFrame, correction: str) -> pd.DataFrame:
    """Return the p values of all pairs, corrected for their number, as a square."""
    if correction == "tukey":
        if scores.isna().any(axis=None):
            raise InputError("tukey needs every run's score on every topic: --topics judged")
        p = randomized_tukey(scores, rng=np.random.default_rng(_SEED))
    else:
        differences = pd.DataFrame(pair_differences(as_paired(scores)))
        p = corrected(mean_differences(differences)["p"], correction)
    return square(p, scores.columns)


def mean_differences(differences: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each column of differences over topics, with what can be said of it.

    Columns difference, low, high, effect, p, as of :func:`against`.  A topic that is missing is
    left out of its column.

    Examples
    --------
    >>> mean_differences(pd.DataFrame({"AP": [0.5, 0.5, 0.0], "RR": [0, 0, 0]})).round(3)
        difference    low  high  effect      p
    AP       0.333 -0.384  1.05   1.155  0.184
    RR       0.000  0.000  0.00     NaN  1.000
    """
    topics = differences.notna().sum()
    mean, deviation = differences.mean(), differences.std()
    varies = deviation > TIE
    error = deviation / np.sqrt(topics)
    interval = Interval.of(mean, error, topics - 1)
    p = (2 * stdtr(topics - 1, -np.abs(mean / error))).where(varies, 2.0 ** (1 - topics))
    table = pd.DataFrame({"difference": mean, "low": interval.low, "high": interval.high})
    effect = mean / deviation.where(varies)
    return table.assign(effect=effect, p=p.where((mean.abs() > TIE) | varies, 1.0))


def permutation_p(differences: pd.DataFrame) -> np.ndarray:
    """Return the p value of each column of differences by the paired permutation test, two-sided.

    Of up to :data:`EXACT` topics by all changes of signs; of more by :data:`DRAWS` random ones: the
    standard error is 0.0016 at most, and 0.0007 where p is 0.05.  Of more than :data:`MANY` topics
    there are as many draws as p needs (:func:`lib.statistics.significance.flipped_signs`): the
    standard error is 3% of p, or 0.0003 where p is below 0.01.

    Examples
    --------
    >>> permutation_p(pd.DataFrame({"AP": [0.5, 0.5, 0.0], "RR": [0, 0, 0]})).tolist()
    [0.5, 1.0]
    """
    values, topics = differences.to_numpy(float), len(differences)
    rng = np.random.default_rng(_SEED)
    if topics > MANY:
        return flipped_signs(values, resamples=DRAWS, enough=ENOUGH, rng=rng)
    if topics > EXACT:
        beside_0 = np.column_stack([np.zeros(topics), values])  # its pairs come first of all
        return permutation_test(beside_0, resamples=DRAWS, rng=rng)[: values.shape[1]]
    signs = 1 - 2 * (np.arange(2**topics)[:, np.newaxis] >> np.arange(topics) & 1)
    far = np.abs(signs @ values) >= np.abs(values.sum(axis=0)) - TIE
    return far.mean(axis=0)


def compare(a: Any, b: Any = None, qrels: Any = None, measures: Measures = "AP") -> pd.DataFrame:
    """Compare scores with others on the same topics: two systems, or many by their columns.

    Parameters
    ----------
    a, b : Series (topics), DataFrame (topics x measures, or anything), or what has scores
        Without gaps; of tables each column of the one is compared with that of the other.  Scores
        of another tool are given as to :func:`lib.measures.score_tables`; topic
        to score is a Series.
    qrels : path, DataFrame, dict, or object that has one, optional
        Judgements, if a and b are runs, all as :func:`lib.collection.derive` takes them.
    measures : str or Measure, a sequence of these, or dict of label to str
        Of runs, as for :func:`versus`, whose table is returned then.

    Returns
    -------
    DataFrame
        A row a column: mean of one, mean of other; of a minus b those of :func:`against`; p
        permutation (:func:`permutation_p`); wins, ties and losses, in topics.  Means and
        differences have the unit of the scores.

    Raises
    ------
    InputError
        What is no scores of topics, other topics or columns, gaps, fewer than two topics.

    Examples
    --------
    >>> a = pd.Series([0.5, 1.0, 1.0], ["1", "2", "3"], name="A")
    >>> compare(a, a * [1, 0.5, 1])[["difference", "wins", "ties", "losses"]].round(3)
             difference  wins  ties  losses
    A minus A       0.167     1     2       0
    """
    if b is None:
        raise InputError("compare takes two, a and b; leaderboard(a) takes any number of systems")
    if qrels is not None:
        collection = derive({"one": a, "other": b}, qrels, judged=True)
        return versus(collection, "one", "other", measures)[0]
    a, b = map(_of_one, (a, b))
    if isinstance(a, pd.Series) and isinstance(b, pd.Series):
        name = f"{a.name} minus {b.name}"
        a, b = a.to_frame(name), b.to_frame(name)
    a, b = pd.DataFrame(a), pd.DataFrame(b)
    for what, of_a, of_b in (("topics", a.index, b.index), ("columns", a.columns, b.columns)):
        if len(apart := of_a.symmetric_difference(of_b)):
            raise InputError(f"the scores are of other {what}: one has {apart[0]!r} alone")
    if len(a) < 2 or a.isna().any(axis=None) or b.isna().any(axis=None):
        raise InputError("a comparison needs two topics or more, all of them with a score")
    b = b.reindex(index=a.index, columns=a.columns)
    differences = a - b
    table = pd.DataFrame({"mean of one": a.mean(), "mean of other": b.mean()})
    table = table.join(mean_differences(differences))
    table["p permutation"] = permutation_p(differences)
    wins, losses = (differences > TIE).sum(), (differences < -TIE).sum()
    return table.assign(wins=wins, ties=len(a) - wins - losses, losses=losses)


def _of_one(given: Any) -> pd.Series | pd.DataFrame:
    """Return what one system scores by topic, of another tool a column a measure."""
    if isinstance(given, Mapping) and given and all(isinstance(x, Real) for x in given.values()):
        given = pd.Series(given, name="run")
    if isinstance(given, pd.Series) or is_numbers(given):
        return given
    return pd.DataFrame({name: of.iloc[:, 0] for name, of in score_tables({"run": given}).items()})


def versus(
    collection: Any, one: str, other: str, measures: Measures | None = None
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Compare two systems by several measures, the first of which is the primary one.

    Parameters
    ----------
    collection : Collection, or scores
        As for :func:`means_with_intervals`.
    one, other : str
        Names of two systems.
    measures : str or Measure, a sequence of these, or dict of label to str, optional
        As for :func:`means_with_intervals`; the first is the primary one.

    Returns
    -------
    DataFrame
        Index measure; columns mean of one, mean of other, then those of :func:`against` for the
        first system minus the second, p permutation (:func:`permutation_p`), p Holm (of the t test,
        corrected for the number of measures but for the primary one, which stands alone), and wins,
        ties and losses, in topics.
    dict of str to DataFrame
        By measure the scores of both systems (topics x 2).

    Raises
    ------
    InputError
        No collection, no such system, an unknown measure, or fewer than two topics.

    Examples
    --------
    >>> runs = {"A": {"1": "xr", "2": "xr", "3": "rx"}, "B": {"1": "rx", "2": "rx", "3": "rx"}}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in "123"})
    >>> versus(toy, "B", "A", ["RR"])[0][["wins", "ties", "losses"]].to_numpy().tolist()
    [[2, 1, 0]]
    """
    both = [one, other]
    data = collection.select(systems=both) if isinstance(collection, Collection) else collection
    scores, known = score_tables(data, measures), _known(data, measures)
    two = positions(next(iter(scores.values())).columns, both, "system")
    scores = {name: table.iloc[:, two] for name, table in scores.items()}
    table = compare(
        *(pd.DataFrame({name: of.iloc[:, n] for name, of in scores.items()}) for n in (0, 1))
    )
    for name, of in scores.items():
        average, _ = mean_and_most(known.get(name, name))
        table.loc[name, ["mean of one", "mean of other"]] = average(of.sum(), len(of)).to_numpy()
    corrected = [*table["p"].iloc[:1], *holm(table["p"].iloc[1:])]
    table.insert(table.columns.get_loc("wins"), "p Holm", corrected)
    return table.rename_axis("measure"), scores


def leaderboard(
    collection: Any, measures: Measures | None = None, correction: str = "holm"
) -> pd.DataFrame:
    """Return means with intervals, and which systems each is significantly better than.

    Parameters
    ----------
    collection, measures
        As for :func:`means_with_intervals`.
    correction : {"holm", "tukey", "none"}
        Of the p values of all pairs, by measure.

    Returns
    -------
    DataFrame
        Columns of :func:`means_with_intervals` and better than, a list of systems: by the paired t
        test of all pairs, after Holm's correction, or by Tukey's randomized, measure by measure.

    Raises
    ------
    InputError
        No collection, an unknown measure, fewer than two topics or systems, or another correction.

    Examples
    --------
    The ranks of the relevant document of four topics, by system:

    >>> ranks = {"A": (1, 1, 2, 1), "B": (3, 4, 4, 4), "C": (4, 4, 4, 3)}
    >>> runs = {name: {str(topic): [*"xyz"[: rank - 1], "r"] for topic, rank in enumerate(of)}
    ...         for name, of in ranks.items()}
    >>> toy = Collection.from_rankings(runs, {topic: {"r": 1} for topic in "0123"})
    >>> leaderboard(toy, "RR").set_index("system")["better than"].to_dict()
    {'A': ['B', 'C'], 'B': [], 'C': []}
    """
    data = cached(collection) if isinstance(collection, Collection) else collection
    board, better = means_with_intervals(data, measures), []
    for table in score_tables(data, measures).values():
        p, mean = _all_pairs(table, correction), table.mean()
        better += [list(p.columns[(p.loc[x] < ALPHA) & (mean < mean[x])]) for x in table]
    return board.assign(**{"better than": better})
