"""What the claims of the paper are about, each a function of a collection.

An estimate knows its error over topics; what else the claims ask is a plain number or table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from chapters.ledger.published import lookup, printed
from chapters.webber2010 import depth, tables
from lib.collection import DEPTHS, POOLS, Collection, askable, load
from lib.conventions import ALPHA, DECIMALS, SHARE
from lib.estimates import (
    Estimate,
    discriminative_powers,
    joined,
    of_estimates,
    over_topics,
    quantity,
    ranking_taus,
    stored,
    without_each_topic,
)
from lib.measures import Scores, complete_scores, means, top_systems
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits
from lib.statistics.significance import significant, t_statistic

_SEED = 2010
TOP = 11  # the leading runs: as many as section 3.3 counts

# What earlier studies found of measures, on other data: Buckley and Voorhees 2000 counted how often
# two systems change places on other topics (the swap rate), Webber 2008 how well a ranking is
# repeated on other topics, Sakai 2006 how many pairs of systems a test tells apart.
_NAMES = ("P@10", "RR", "RBP(p=0.95)", "AP", "nDCG", "Rprec", "P@1000", "R@1000")
_PREDICTED = {name: name for name in _NAMES} | {"nDCG": "nDCG(discount=2002,gain=binary)"}
_SEPARATED = ("P@10", "RBP(p=0.95)", "AP", "nDCG", "P@1000")


@dataclass(frozen=True, eq=False)
class Data:
    """The paper's own data, or those that a test puts in their place."""

    trec8: Collection = field(default_factory=lambda: load("trec8"))
    trec5: Collection = field(default_factory=lambda: load("trec5"))
    # By row of Table 1, of Robust 2004's runs; of the other collections the table alone is known.
    robust: Mapping[str, Scores] = field(default_factory=tables.robust_scores)
    table1: pd.DataFrame = field(default_factory=lambda: printed("webber2010", "Table 1"))


@of_estimates
def over(numbers: pd.Series, best: Sequence, rest: Sequence | None = None) -> np.ndarray:
    """Return all differences of one of the best and one of the rest, by default all others."""
    rest = numbers.index.drop(best) if rest is None else rest
    return np.array([numbers[one] - numbers[other] for one in best for other in rest])


# Table 1 and earlier studies: how many pairs of systems a measure tells apart


@quantity
def power_in_table1(collection: Collection) -> Estimate:
    """Return a collection's column of Table 1, without the mean of the measures."""
    scores = complete_scores(collection, tables.measures_of_table1())
    return discriminative_powers(collection, "webber2010: power in Table 1", scores)


@quantity
def power_in_sakai2006(collection: Collection) -> Estimate:
    """Return discriminative power by the measures that Sakai 2006 compares, and by some more."""
    scores = {name: complete_scores(collection, _PREDICTED[name]) for name in _SEPARATED}
    scores["Q"] = complete_scores(collection, "Q")
    return discriminative_powers(collection, "webber2010: power by other measures", scores)


@quantity
def self_predictivity(collection: Collection) -> Estimate:
    """Return how well measures predict themselves on other topics, as Webber 2008 has it.

    Of two systems, this is the share of splits in which they stand in the same order on both
    halves less that in which they change places: a swap rate, the other way round.
    """
    kept = collection.select(systems=top_systems(collection, share=SHARE))
    scored = complete_scores(kept, _PREDICTED)
    sets = splits(len(kept.topics), number=250, rng=np.random.default_rng(_SEED))
    return stored(
        collection,
        "webber2010: phi of each measure for itself",
        pd.Series(np.diag(predictivity(scored, sets).phi), list(scored)),
        lambda _: np.diagonal(phis_without_each_topic(scored, sets), axis1=1, axis2=2),
    )


# Sections 3.2 and 3.3: tests and systems


@quantity
def agreement_of_tests(collection: Collection) -> dict[str, float]:
    """Return the share of pairs that a test decides as t does, the least by any measure."""
    scored = complete_scores(collection, tables.measures_of_table1())

    def agreed(scores: Scores, test: str) -> float:
        rng = np.random.default_rng(_SEED)
        decided = significant(scores, alpha=ALPHA, test=test, resamples=1000, rng=rng)
        return (decided == significant(scores, alpha=ALPHA)).mean()

    tests = ("bootstrap", "permutation")
    return {test: min(agreed(scores, test) for scores in scored.values()) for test in tests}


def order(collection: Collection, measure: str, pool: int | None = None) -> pd.Series:
    """Return the systems' means by a measure, best first."""
    judged = collection if pool is None else collection.pooled(pool)
    return means(judged, [measure]).iloc[:, 0].sort_values(ascending=False, kind="stable")


@over_topics
def power_without_weak_runs(collection: Collection) -> pd.Series:
    """Return the column of Table 1 without the weakest quarter of the systems, by AP."""
    runs = order(collection, "AP").index
    kept = list(runs[: -(len(runs) // 4)])
    scores = complete_scores(collection, tables.measures_of_table1())
    fewer = {label: table[kept] for label, table in scores.items()}
    return tables.powers_of_table1(fewer).drop("mean")


@over_topics
def strong_over_weak(collection: Collection) -> float:
    """Return the share of significant pairs of one of the best and one of the worst quarter."""
    runs = order(collection, "AP").index
    quarter = len(runs) // 4
    table = complete_scores(collection, "AP")[[*runs[:quarter], *runs[-quarter:]]]
    first, second = np.triu_indices(2 * quarter, 1)
    different = significant(table, alpha=ALPHA)
    return float(different[(first < quarter) & (second >= quarter)].mean())


@over_topics
def loss_without_pool(collection: Collection) -> float:
    """Return what runs lose of nDCG@10 that a pool of depth 10 is not made from, less others."""
    name = ["nDCG(discount=2002,gain=binary)@10"]
    every, judged = (
        means(collection.pooled(10, by=by), name).iloc[:, 0] for by in ("all", "pooled")
    )
    loss = (every - judged).groupby(collection.systems["pooled"]).mean()
    return loss["no"] - loss["yes"]


@quantity
def relevant_by_pool(collection: Collection) -> dict[int, np.ndarray]:
    """Return the relevant documents of each topic in a pool of each depth."""
    return {d: collection.pooled(d).topics["relevant"].to_numpy(int) for d in POOLS}


# Rankings: Table 2, Figure 2 and section 4.1


@quantity
def taus_in_table2(collection: Collection) -> Estimate:
    """Return Table 2's taus "short", "deep", "across" and of a measure with "itself"."""
    return ranking_taus(tables.scores_of_table2(collection)).map(tables.groups_of)


@quantity
def mean_tau(collection: Collection, group: str) -> Estimate:
    """Return the mean tau of a group of Table 2."""
    return taus_in_table2(collection)[group].mean()


@quantity
def taus_in_figure2(collection: Collection) -> Estimate:
    """Return the taus that Figure 2 prints, by two of "shallow", "extended" and "deep"."""
    return ranking_taus(depth.scores_of_figure2(collection)).map(
        lambda tau: lookup(tables.upper(tau))
    )


@quantity
def taus_of_narrow_pools(collection: Collection) -> Estimate:
    """Return the tau of extended and deep when every tenth run is pooled, from four first ones."""
    runs = collection.systems.index
    scored = (depth.scores_of_figure2(collection, by=list(runs[i::10])) for i in (0, 3, 6, 9))
    return joined(*(ranking_taus(of).map(lambda tau: tau.loc["extended", "deep"]) for of in scored))


def means_over_topics(scores: Mapping[Any, Scores]) -> Estimate:
    """Return the systems' means by each of some scores, systems x names."""

    def average(scores: Mapping[Any, Scores]) -> pd.DataFrame:
        return pd.DataFrame({name: of.mean() for name, of in scores.items()}).round(DECIMALS)

    return without_each_topic(scores, average)


@quantity
def means_in_figure2(collection: Collection) -> Estimate:
    """Return the dots of Figure 2: mean nDCG of each system, shallow, extended and deep."""
    return means_over_topics(depth.scores_of_figure2(collection))


def leaders(points: pd.DataFrame) -> pd.Index:
    """Return the first runs by deep evaluation."""
    return points.index[places_of(points)["deep"] <= TOP]


def second_of(points: pd.DataFrame) -> str:
    """Return the run that is second by deep evaluation, of the means of Figure 2."""
    return points["deep"].nlargest(2).index[-1]


def second_run(collection: Collection) -> str:
    """Return the run of a collection that is second by deep evaluation."""
    return second_of(means_in_figure2(collection).value)


def places_of(points: pd.DataFrame) -> pd.DataFrame:
    """Return the rank of each system, shallow, extended and deep."""
    return points.rank(ascending=False, method="min").astype(int)


def places_of_second(collection: Collection) -> pd.Series:
    """Return the ranks of the run that is second by deep evaluation."""
    dots = means_in_figure2(collection).value
    return places_of(dots).loc[second_of(dots)]


@quantity
def lead_lost(collection: Collection) -> Estimate:
    """Return what leaders, the second aside, lose of their lead by extended evaluation.

    The lead over the runs that do not lead, in standard deviations of all systems.
    """

    def lost(points: pd.DataFrame) -> pd.Series:
        top = leaders(points)
        lead = lead_of(points, top.drop(second_of(points)), points.index.drop(top))
        return lead["deep"] - lead["extended"]

    return means_in_figure2(collection).map(lost)


def lead_of(points: pd.DataFrame, runs: Sequence[str], others: Sequence[str]) -> pd.Series:
    """Return how far runs are ahead of others, in standard deviations of all systems."""
    return (points.loc[runs].mean() - points.loc[others].mean()) / points.std()


@quantity
def lead_of_second_lost(collection: Collection) -> Estimate:
    """Return what the second run loses of its lead over the runs that do not lead."""
    whole = means_in_figure2(collection).value
    run, others = [second_of(whole)], whole.index.drop(leaders(whole))
    leads = means_in_figure2(collection).map(lead_of, run, others)
    return leads["deep"] - leads["extended"]


@quantity
def gain_of_second_by_pool(collection: Collection) -> Estimate:
    """Return what the second run's lead over other groups, to rank 1,000, gains by judging on."""
    run, others = second_run(collection), others_than_second(collection)
    pools = {pool: complete_scores(collection.pooled(pool), depth.TO_1000) for pool in (10, 100)}
    leads = means_over_topics(pools).map(lead_of, [run], others)
    return leads[100] - leads[10]


@quantity
def lead_among_short(collection: Collection) -> Estimate:
    """Return the second run's lead, to rank 1,000, when no list is longer than its own.

    In mean nDCG over that run of another group which then has the most.
    """
    run = second_run(collection)
    short = depth.truncate_lists(run, collection.pooled(100))
    mean = means_over_topics({"short": complete_scores(short, depth.TO_1000)})["short"]
    return mean[run] - mean[mean.value[others_than_second(collection)].idxmax()]


def others_than_second(collection: Collection) -> pd.Index:
    """Return the runs of other groups than that of the second run."""
    known = groups(collection)
    return known.index[known != known[second_run(collection)]]


def groups(collection: Collection) -> pd.Series:
    """Return the group of each run; where it is not known, the run is one of its own."""
    group = collection.systems["group"].fillna("")
    return group.where(group != "", group.index)


@quantity
def rank_of_second(collection: Collection) -> pd.DataFrame:
    """Return the second run's rank by evaluation depth: as lists are, and among lists as short."""
    return depth.rank_by_depth(second_run(collection), collection)


def unique(collection: Collection) -> pd.Series:
    """Return how many relevant documents a system alone has among its first 100."""
    hits = collection.hits[collection.hits["rank"] <= POOLS[-1]]
    alone = hits[~hits.duplicated(["topic", "document"], keep=False)]
    systems = collection.systems.index
    counts = alone["system"].value_counts().reindex(range(len(systems)), fill_value=0)
    return counts.set_axis(systems)


# Discriminative power by depth: Figures 3 and 4 and section 4.2


@quantity
def power_by_setting(collection: Collection) -> Estimate:
    """Return power in each setting (pool depth, evaluation depth), a column a measure."""
    measures = (*depth.FORMS, *depth.EXPANDED)
    scored = dict(depth.scores_in(collection, measures, *askable(collection)))
    by_setting = discriminative_powers(collection, "webber2010: power at all depths", scored)
    names = ["measure", "pool", "depth"]
    return by_setting.map(lambda powers: powers.rename_axis(names).unstack("measure"))


@quantity
def lead_in_power(collection: Collection, measure: str, other: str) -> Estimate:
    """Return by how much a measure is ahead of another in each setting."""
    return power_by_setting(collection)[measure] - power_by_setting(collection)[other]


@quantity
def full_power(collection: Collection) -> Estimate:
    """Return power under full assessment: measures of Figure 4 x depths."""
    forms = list(depth.FORMS)
    return power_by_setting(collection).map(lambda powers: depth.full_assessment(powers)[forms].T)


@quantity
def deeper_pool(collection: Collection) -> Estimate:
    """Return how far pools deeper than the evaluation lie above full assessment, by measure."""
    settings = [((d, k), k) for d in POOLS for k in POOLS if d > k]
    return over_full(power_by_setting(collection), settings)


@quantity
def shallower_pool(collection: Collection) -> Estimate:
    """Return the highest gain from a pool shallower than the evaluation: depths x measures."""
    settings = [((d, k), k) for d in POOLS for k in POOLS if d < k]
    gains = over_full(power_by_setting(collection), settings)
    return gains.map(lambda gains: gains.groupby(level="depth").max())


@quantity
def beyond_pool(collection: Collection) -> Estimate:
    """Return what each evaluation beyond the pool adds to one that stops at it, by measure."""
    settings = [((d, k), d) for d in POOLS for k in DEPTHS if k > d]
    return over_full(power_by_setting(collection), settings)


@of_estimates
def over_full(power: pd.DataFrame, settings: Sequence[tuple[tuple[int, int], int]]) -> pd.DataFrame:
    """Return power in each setting less that under full assessment at the depth beside it."""
    at = power.index.get_indexer([setting for setting, _ in settings])
    full = power.index.get_indexer([(depth, depth) for _, depth in settings])
    return power.iloc[at] - power.to_numpy()[full]


squashed_over_topics = quantity(over_topics(depth.squashed))


# Table 3


def taus_of_p(collection: Collection) -> pd.Series:
    """Return the taus of Table 3 that claims rest on, by two settings (pool, depth, measure).

    Those of two settings with one measure, or with the same two depths.
    """
    # A p value is the lower, the farther t is from 0.
    p = tables.p_values(collection, lambda of: -np.abs(t_statistic(of)))
    alike = (x for x in combinations(p, 2) if x[0][2] == x[1][2] or x[0][:2] == x[1][:2])
    return pd.Series({(one, other): kendalltau(p[one], p[other]).statistic for one, other in alike})


@quantity
def taus_in_table3(collection: Collection) -> Estimate:
    """Return the taus of :func:`taus_of_p` with their error over topics."""
    return stored(
        collection,
        "webber2010: taus of Table 3",
        taus_of_p(collection),
        lambda c: without_each_topic(c, taus_of_p).topics,
    )


@quantity
def taus_by_difference(collection: Collection) -> Estimate:
    """Sort the taus of Table 3 by what alone two settings differ in: measure, pool or depth.

    "itself" are those of one measure.
    """
    tau = taus_in_table3(collection)
    same = np.array([[x == y for x, y in zip(*pair)] for pair in tau.value.index])
    same_pool, same_depth, same_measure = same.T
    kinds = {
        "metric": same_pool & same_depth,
        "pool": same_measure & same_depth,
        "depth": same_measure & same_pool,
        "itself": same_measure,
    }
    return tau.map(lambda tau: {kind: tau[which] for kind, which in kinds.items()})


def table1_columns(data: Data) -> pd.DataFrame:
    """Return Table 1 as it is checked, without the mean of measures: ours, else as printed."""
    table = data.table1.drop(index="mean").astype(float)
    for name, column in tables.COLUMN_OF.items():
        table[column] = power_in_table1(getattr(data, name)).value
    for cell, value in lookup(tables.robust(data.robust)).items():
        table.loc[cell] = value
    return table
