"""The numbers that claims ask of a source of scores, each an estimate over its topics.

A number is a function of a source and of the choices that its paper leaves open; the defaults are
the leading path, which keeps all systems.  Claims share what they need on a path.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.elsewhere.sources import AD_HOC, EVERY, LABELS, Source, of_collection, short_lists
from chapters.thom2007.tables import BROAD, EARLY
from chapters.tomlinson2006.robustness import TREC8_PAIRS
from chapters.tomlinson2006.tables import COLLECTIONS, COUNTER_EXAMPLES, ours
from chapters.tomlinson2006.tables import RUN_PAIRS as OWN_PAIRS
from chapters.webber2008.tables import NUMBER, SEED
from lib.collection import Collection, Pairs
from lib.conventions import ALPHA, DECIMALS
from lib.estimates import Estimate
from lib.measures import Scores, best, complete_scores
from lib.statistics.correlation import taus_of_rows, within_less_across, without_noise
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits
from lib.statistics.significance import TESTS, same_scores

TOPICS_A_SET = 50  # of one TREC
_SETS_SEED, _PARTINGS = 2026, 5  # of all topics into sets; each topic is in about as many
HALF = 25  # topics in each of two sets, where there are as many: half of 50
_PREDICTORS = ("P@10", "RR", "RBP", "nDCG@20", "nDCG", "AP")
THREE = (*EARLY, BROAD[0])  # R-precision is public of few collections
# For the error each topic is in this many splits, half of what the chapters of the papers take.
_FOR_ERROR = 200
_GAP_SPLITS, _GAP_SEED = 500, 2007  # as in chapter 2
RESAMPLES, TEST_SEED = 1000, 2013  # a p value of .05 has a standard error of .007
TARGET = "the predicted measure"  # in place of a measure by which systems are kept
GDEVAL = "gdeval"
# Runs of the same group that their tags set apart by feedback alone: axiomatic, by pseudo-relevance
# and by relevance model, each over BM25; the groups' papers say no more.
PAIRS_OF_SOURCE: dict[str, Pairs] = {
    "trec8": TREC8_PAIRS,
    "dl19": [
        (f"{base}, {feedback}", f"{base}_p", f"{base}_{feedback}_p")
        for base in ("bm25base", "bm25tuned")
        for feedback in ("ax", "prf", "rm3")
    ],
    "dl21": [
        ("p_bm25, rm3", "p_bm25", "p_bm25rm3"),
        ("paug_bm25, rm3", "paug_bm25", "paug_bm25rm3"),
    ],
}
OWN = {f"feedback/{name}": title for name, title in (COLLECTIONS | COUNTER_EXAMPLES).items()}
PAIRS_OF_SOURCE |= dict.fromkeys(OWN, OWN_PAIRS)
Kept = tuple[float, str] | None  # a share of the systems, and the measure that chooses them


# Scores on a path


@lru_cache(maxsize=8)
def scored(
    source: Source,
    *,
    runs: str = AD_HOC,
    kept: Kept = None,
    ndcg: str | None = None,
    rel: int | None = None,
    long: bool = False,
    ranked: bool = False,
) -> Mapping[str, Scores]:
    """Return the scores of a source's systems: of all that are asked, or of the best by a measure.

    ``runs`` says which are asked (:meth:`chapters.elsewhere.sources.Source.asked`).  With ``long``
    runs whose lists are short stay out, where lists are at hand; ``ranked`` takes in place of each
    score its rank among those of its topic.

    ``ndcg`` is a discount of binary nDCG, or gdeval's: gain 2^g - 1, discount log2(1 + rank), as
    the Web tracks publish it.  Scores without runs count what trec_eval does, from grade 1.
    """
    lists, scores, asked = source.collection, source.scores, source.asked(runs)
    if lists is None and ndcg not in (None, GDEVAL):
        raise ValueError("its nDCG is public with graded gain only")
    if lists is not None and rel not in (None, lists.relevant_from):
        scores = complete_scores(replace(lists, relevant_from=rel), LABELS)
    elif lists is not None and ndcg is not None:
        scores = {**scores, **_ndcg(lists, ndcg)}
    if lists is not None and long:
        asked = asked[~asked.isin(short_lists(lists))]
        if len(asked) < 2:
            raise ValueError("its lists are too short")
    if len(asked) < source.systems:
        scores = {label: table[asked] for label, table in scores.items()}
    if kept is not None:
        share, by = kept
        systems = best(scores[by].mean().round(DECIMALS), share, least=2)
        scores = {label: table[systems] for label, table in scores.items()}
    return within_topics(scores) if ranked else scores


def within_topics(scores: Mapping[str, Scores]) -> dict[str, Scores]:
    """Return in place of each score its rank among those of its topic, from 0 to 1.

    >>> import pandas as pd
    >>> within_topics({"AP": pd.DataFrame({"A": [0.1], "B": [0.5], "C": [0.2]})})["AP"]
         A    B    C
    0  0.0  1.0  0.5
    """
    return {k: table.rank(axis=1).sub(1).div(table.shape[1] - 1) for k, table in scores.items()}


def _ndcg(runs: Collection, ndcg: str) -> Mapping[str, Scores]:
    """Return the scores by another nDCG."""
    names = {label: name for label, name in LABELS.items() if label.startswith("nDCG")}
    if ndcg == GDEVAL:
        tables = {"relevant": runs.relevant, "hits": runs.hits}
        gained = {name: t.assign(grade=2 ** t["grade"] - 1) for name, t in tables.items()}
        runs = replace(runs, **gained)
        names = {label: label.replace("nDCG", "nDCG(discount=trec_eval)") for label in names}
    else:
        names = {k: name.replace("discount=2002", f"discount={ndcg}") for k, name in names.items()}
    return complete_scores(runs, names)


# Prediction


@lru_cache(maxsize=4)
def phi_of(
    source: Source,
    labels: tuple[str, ...] = _PREDICTORS,
    *,
    size: int = HALF,
    number: int = NUMBER,
    for_error: int = _FOR_ERROR,
    variant: str = "b",
    decimals: int | None = 10,
    seed: int = SEED,
    **made: Any,
) -> Estimate:
    """Estimate the predictive power of measures for each other: measures x measures.

    ``for_error`` is the number of splits that each topic is in; 0: only with all topics.
    """
    every = scored(source, **made)
    tables = {label: every[label] for label in labels if label in every}
    size = min(size, source.topics // 2)

    def draw(number: int) -> np.ndarray:
        return splits(source.topics, size=size, number=number, rng=np.random.default_rng(seed))

    how: dict[str, Any] = {"variant": variant, "decimals": decimals}
    phi = predictivity(tables, draw(number), **how).phi
    if not for_error:
        return Estimate(phi)
    few = draw(round(for_error * source.topics / (2 * size)))
    without = phis_without_each_topic(tables, few, **how)
    return Estimate(phi, tuple(pd.DataFrame(part, phi.index, phi.columns) for part in without))


def lead_over(
    source: Source, predictor: str, other: str, target: str, *, kept: Kept = None, **path: Any
) -> Estimate:
    """Return how much better a measure predicts a target on other topics than another one does.

    Examples
    --------
    >>> from chapters.elsewhere.sources import sources
    >>> dl19 = next(source for source in sources() if source.name == "dl19")
    >>> lead = lead_over(dl19, "AP", "P@10", "P@10", number=50, for_error=50)
    >>> f"{lead.value:+.2f}"
    '-0.10'
    """
    if kept is not None and kept[1] == TARGET:
        kept = kept[0], target
    labels = tuple(dict.fromkeys((predictor, other, target)))
    if not {*labels} <= {*_PREDICTORS}:
        path.setdefault("labels", labels)
    power = phi_of(source, kept=kept, **path)
    return power.map(lambda phi: phi.at[predictor, target] - phi.at[other, target])


# Agreement and power, on as many topics as one TREC has


def topic_sets(topics: int, most: int | None = TOPICS_A_SET) -> list[np.ndarray]:
    """Draw sets of topics that share none within a parting, or take all where there are few.

    Examples
    --------
    >>> [len(chosen) for chosen in topic_sets(7, 3)][:4], len(topic_sets(3, 3))
    ([3, 3, 3, 3], 1)
    """
    if most is None or topics <= most:
        return [np.arange(topics)]
    rng = np.random.default_rng(_SETS_SEED)
    orders = [rng.permutation(topics) for _ in range(_PARTINGS)]
    starts = range(0, topics - most + 1, most)
    return [order[start : start + most] for order in orders for start in starts]


def over_sets(
    topics: int, most: int | None, numbers: Callable[[np.ndarray], np.ndarray]
) -> Estimate:
    """Return the mean of a number over sets of topics, and without each of all topics.

    ``numbers`` takes a set to the number on it, and then to that without each of its topics.

    Examples
    --------
    >>> average = over_sets(3, None, lambda chosen: np.array([1.0, 1.5, 1.0, 0.5]))
    >>> float(average.value), round(float(average.interval().error), 3)
    (1.0, 0.577)
    """
    sets = topic_sets(topics, most)
    parts = [numbers(chosen) for chosen in sets]
    whole = np.array([part[0] for part in parts])
    without = np.tile(whole, (topics, 1))
    for place, (chosen, part) in enumerate(zip(sets, parts)):
        without[chosen, place] = part[1:]
    return Estimate(whole.mean(), tuple(without.mean(axis=1)))


def family_gap(
    source: Source,
    *labels: str,
    variant: str = "b",
    decimals: int | None = 10,
    most: int | None = TOPICS_A_SET,
    **made: Any,
) -> Estimate:
    """Return how much higher tau is within the families than across, on the same topics."""
    every = scored(source, **made)
    values = [every[label].to_numpy(float) for label in labels]
    early = [label in EARLY for label in labels]

    def numbers(chosen: np.ndarray) -> np.ndarray:
        parts = [chosen, *(np.delete(chosen, i) for i in range(len(chosen)))]
        means = np.array([[table[part].mean(axis=0) for table in values] for part in parts])
        means = means if decimals is None else means.round(decimals)
        return within_less_across(taus_of_rows(means, means, variant=variant), early)

    return over_sets(source.topics, most, numbers)


def corrected_gap(source: Source, *labels: str, **path: Any) -> Estimate:
    """Return the gap between rankings on separate topics, corrected for attenuation."""
    taus = _corrected(source, labels, **{"number": _GAP_SPLITS, "seed": _GAP_SEED} | path)
    early = [label in EARLY for label in labels]
    return taus.map(lambda tau: within_less_across(tau.to_numpy(), early))


def early_and_whole(source: Source, early: str = "RR", whole: str = "AP", **path: Any) -> Estimate:
    """Return tau of the rankings of the systems by RR and AP, corrected for attenuation."""
    return _corrected(source, _PREDICTORS, **path).map(lambda tau: tau.at[early, whole])


def _corrected(source: Source, labels: tuple[str, ...], **path: Any) -> Estimate:
    """Return the taus of measures on separate topics without noise."""
    taus = phi_of(source, labels, **path).map(without_noise)
    if any(tau.isna().any(axis=None) for tau in (taus.value, *taus.topics)):
        raise ValueError("a measure does not rank systems like itself on other topics")
    return taus


@lru_cache(maxsize=4)
def _tested(
    source: Source, label: str, test: str, most: int | None, **made: Any
) -> dict[bytes, tuple[np.ndarray, np.ndarray]]:
    """Return the p values of all pairs of systems on each set of topics; see `p_without`."""
    values = scored(source, **made)[label].to_numpy(float)
    sets = topic_sets(source.topics, most)
    return {chosen.tobytes(): p_without(values[chosen], test) for chosen in sets}


def p_without(values: np.ndarray, test: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the p values of all pairs of systems, on all topics and without each topic.

    And which pairs have the same scores on all of them.

    Examples
    --------
    >>> p, same = p_without(np.array([[3, 1], [2, 1], [4, 1.0]]), "t")
    >>> p.shape, bool(same.any())
    ((4, 1), False)
    """
    parts = [values, *(np.delete(values, topic, axis=0) for topic in range(len(values)))]
    drawn = test == "permutation"

    def p(part: np.ndarray) -> np.ndarray:
        how = {"resamples": RESAMPLES, "rng": np.random.default_rng(TEST_SEED)} if drawn else {}
        return TESTS[test](part, **how)

    return np.array([p(part) for part in parts]), np.array([same_scores(part) for part in parts])


def share_significant(
    p: np.ndarray, same: np.ndarray, *, alpha: float, sides: int, identical: str
) -> np.ndarray:
    """Return the share of pairs that differ significantly, from their p values; NaN of no pair.

    Examples
    --------
    >>> p, same = np.array([0.04, 0.08, 1.0]), np.array([False, False, True])
    >>> share_significant(p, same, alpha=0.05, sides=1, identical="left out").item()
    1.0
    """
    decided = (p < min(alpha * 2 / sides, 1.0)).sum(axis=-1)
    pairs = p.shape[-1] - (same.sum(axis=-1) if identical == "left out" else 0)
    return decided / np.where(pairs, pairs, np.nan)


def gain(
    source: Source,
    measure: str,
    other: str,
    *,
    test: str = "t",
    kept: Kept = None,
    sides: int = 2,
    alpha: float = ALPHA,
    identical: str = "left out",
    most: int | None = TOPICS_A_SET,
    long: bool = False,
    runs: str = AD_HOC,
    **made: Any,
) -> Estimate:
    """Return how much larger the share of pairs that differ significantly is by one measure."""
    of = scored(source, kept=kept, long=long, runs=runs, **made)[measure]
    inside = source.scores[measure].columns.isin(of.columns)
    one, two = np.triu_indices(len(inside), 1)
    pairs = inside[one] & inside[two]  # a pair's p value is its own, whatever else is kept

    def numbers(chosen: np.ndarray) -> np.ndarray:
        shares = []
        for label in (measure, other):
            p, same = _tested(source, label, test, most, runs=EVERY, **made)[chosen.tobytes()]
            two = p[:, pairs], same[:, pairs]
            shares.append(share_significant(*two, alpha=alpha, sides=sides, identical=identical))
        return shares[0] - shares[1]

    return over_sets(source.topics, most, numbers)


# Feedback


def change(source: Source, measure: str, *, pairs: Pairs | None = None, **made: Any) -> Estimate:
    """Return the mean change by feedback over a source's pairs of runs, or over some of them."""
    if source.collection is None:
        raise ValueError("its systems have no names")
    if source.name not in PAIRS_OF_SOURCE:
        raise ValueError("nothing says which runs form pairs without and with feedback")
    return mean_gain(scored(source, **made)[measure], pairs or PAIRS_OF_SOURCE[source.name])


def mean_gain(scores: Scores, pairs: Pairs) -> Estimate:
    """Return the mean change from the first to the second run of pairs.

    >>> scores = pd.DataFrame({"A": [0.1, 0.3], "A+": [0.3, 0.4]})
    >>> mean_gain(scores, [("A", "A", "A+")]).value.round(3)
    np.float64(0.15)
    """
    gain = np.mean([scores[after] - scores[before] for _, before, after in pairs], axis=0)
    return Estimate(gain.mean(), tuple((gain.sum() - gain) / (len(gain) - 1)))


def own_systems(folder: str) -> Source:
    """Return our own seven systems on a collection of texts.

    Examples
    --------
    >>> round(float(change(own_systems("feedback/cf"), "AP").value), 3)
    0.035
    """
    (collection,) = ours(folder.rpartition("/")[2])
    return of_collection(collection, name=folder, title=OWN[folder])
