"""What the claims of the paper are judged by: computed from TREC-8, TREC-5, scores, and print; and
what its words are measured by, one yardstick for each, with its reason."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, update_wrapper
from itertools import combinations
from typing import Any
from weakref import proxy

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from lib.collection import DEPTHS, POOLS, Collection, askable, load, without
from lib.conventions import ALPHA
from lib.estimates import replicated
from lib.measures import complete_scores, means, score_tables, top_systems
from lib.papers.webber2010 import depth, tables
from lib.published import lookup, printed
from lib.statistics.predictivity import predictivity, splits, taus_over_topics, without_each_topic
from lib.statistics.significance import (
    discriminative_power,
    powers_without_each_topic,
    significant,
    t_statistic,
)

SEED = 2010

# Of discriminative powers.  The paper calls the step from .669 to .675 small.
LEVEL = 0.006
# A gain is slight below it, strong or well above from it on: twice the gain of .005 that comes of
# changing one pair in two hundred, and a quarter of the .040 by which the paper's measures differ.
PLAIN = 0.01
# Of taus.  The paper calls .86 "as close" as taus whose mean is .85, and .773 hardly above .767.
CLOSE = 0.02
# The paper calls .905 and .860 much above .767; half of the smaller gap is plenty.
MUCH = 0.05
# A tau from which two rankings are nearly the same: 95 of 100 pairs stand in the same order.
NEARLY = 0.9
# Of pairs of systems: nearly all of them.
SHARE = 0.95
# Of mean nDCG: two dots of Figure 2 that lie on each other.
TIED = 0.005
# The leading runs are as many as section 3.3 counts.
TOP = 11


# What earlier studies found of measures, on other data: Buckley and Voorhees 2000 counted how often
# two systems change places on other topics (the swap rate), Webber 2008 how well a ranking is
# repeated on other topics, Sakai 2006 how many pairs of systems a test tells apart.
PREDICTED = {
    "P@10": "P@10",
    "RR": "RR",
    "RBP(p=0.95)": "RBP(p=0.95)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,gain=binary)",
    "Rprec": "Rprec",
    "P@1000": "P@1000",
    "R@1000": "R@1000",
}
KEPT = 0.75  # of the systems, the best by AP: Webber 2008 leaves the weakest quarter out
SEPARATED = ("P@10", "RBP(p=0.95)", "AP", "nDCG", "P@1000")


def powers_over_topics(
    collection: Collection, what: str, scores: Mapping[Any, Any]
) -> list[pd.Series]:
    """Return the discriminative power by each of some scores: of all topics, and without each."""
    how: dict[str, Any] = {"alpha": ALPHA, "identical": "left out"}
    parts = replicated(
        collection,
        f"webber2010: {what}",
        lambda _: np.transpose([powers_without_each_topic(of, **how) for of in scores.values()]),
    )
    whole = [discriminative_power(of, **how) for of in scores.values()]
    return [pd.Series(each, pd.Index(scores)) for each in (whole, *parts)]


def taus_of_p(collection: Collection) -> dict[tuple, float]:
    """Return the taus of Table 3 that claims rest on.

    Those of two settings (pool, depth, metric) with one metric, or with the same two depths.
    """
    # A p value is the lower, the farther t is from 0.
    p = tables.p_values(collection, lambda of: -np.abs(t_statistic(of)))
    alike = (x for x in combinations(p, 2) if x[0][2] == x[1][2] or x[0][:2] == x[1][:2])
    return {(one, other): kendalltau(p[one], p[other]).statistic for one, other in alike}


def q_measure(collection: Collection) -> pd.DataFrame:
    """Return Sakai's Q-measure: AP with blended ratios in place of precisions.

    At a relevant document, the j-th of the list and at rank i, the blended ratio is
    2j / (i + min(i, R)): precision where i is at most R, and kinder than it beyond.

    References
    ----------
    Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; all gains are 1 here.

    Examples
    --------
    >>> runs = {"A": {"t": ["x", "r"]}}
    >>> float(q_measure(Collection.from_rankings(runs, {"t": {"r": 1}})).loc["t", "A"])
    0.6666666666666666
    """
    hits = collection.relevance()
    relevant = np.broadcast_to(hits.relevant, hits.retrieved.shape).ravel()[hits.cell]
    ratio = 2 * hits.position / (hits.rank + np.minimum(hits.rank, relevant))
    summed = hits.total(ratio) / np.maximum(hits.relevant, 1)
    return collection.frame(summed).fillna(0.0)


def at_once(compute: Callable[["Evidence"], Sequence]) -> Any:
    """Make a piece of evidence of what is computed at once: of all topics, and then without each.

    The piece is that of the evidence.
    """

    def piece(evidence: "Evidence") -> Any:
        whole, number = evidence.without or (evidence, 0)
        if compute not in whole.computed:
            whole.computed[compute] = compute(whole)
        return whole.computed[compute][number]

    return cached_property(update_wrapper(piece, compute))


class Evidence:
    """Numbers for and against the claims, each computed when it is first asked for.

    Of most of the other collections only Table 1 as printed is known (``others``); of one the runs
    are public (``trec5``).  ``without`` is the evidence of all topics, and which of them is left
    out here: 1 is the first.
    """

    def __init__(
        self,
        collection: Collection | None = None,
        others: pd.DataFrame | None = None,
        *,
        trec5: Collection | None = None,
        without: tuple["Evidence", int] | None = None,
    ) -> None:
        self.collection = load("trec8") if collection is None else collection
        self.others = printed("webber2010", "Table 1") if others is None else others
        self._trec5 = trec5
        self.without = without
        self.computed: dict[Any, Any] = {}

    @cached_property
    def loo_replicates(self) -> list["Evidence"]:
        """The same evidence without each topic; the printed columns of others stay as they are."""
        topics = self.collection.topics.index
        # A reference back would keep all of them, gigabytes, until the collector comes round.
        whole = proxy(self)
        return [
            Evidence(without(self.collection, topic), self.others, without=(whole, number))
            for number, topic in enumerate(topics, start=1)
        ]

    @at_once
    def own(self) -> list[pd.Series]:
        """Our column of Table 1, its mean included."""
        scored = score_tables(self.collection, tables.measures_of_table1())
        powers = powers_over_topics(self.collection, "power in Table 1", scored)
        return [pd.Series({**each, "mean": each.mean()}) for each in powers]

    @cached_property
    def columns(self) -> pd.DataFrame:
        """Table 1 as it is checked, without the mean of measures: ours, else as printed."""
        table = self.others.astype(float)
        table[tables.COLUMNS["trec8"]] = self.own
        table[tables.COLUMNS["trec5"]] = self.trec5.own
        ours = tables.robust().set_index("row")["value"].astype(float)
        table.loc[ours.index, tables.ROBUST] = ours
        return table.drop(index="mean")

    @cached_property
    def robust(self) -> pd.DataFrame:
        """What the runs of Robust 2004 score by AP."""
        return tables.robust_scores()["AP@1000"]

    @cached_property
    def trec5(self) -> "Evidence":
        """The same of TREC-5, for what the paper says of its column of Table 1."""
        if self.without is not None:  # topics of TREC-8 are none of TREC-5's
            return self.without[0].trec5
        collection = load("trec5") if self._trec5 is None else self._trec5
        return Evidence(collection, self.others)

    @at_once
    def tau(self) -> list[pd.Series]:
        """The taus of Figure 2."""
        found = taus_over_topics(depth.scores_of_figure2(self.collection))
        return [lookup(tables.above(tau)) for tau in found]

    # Measures, tests and data: sections 2 and 3

    @at_once
    def phi(self) -> list[pd.Series]:
        """How well measures predict themselves on other topics, as Webber 2008 has it.

        Of two systems, this is the share of splits in which they stand in the same order on both
        halves less that in which they change places: a swap rate, the other way round.
        """
        kept = self.collection.select(systems=top_systems(self.collection, share=KEPT))
        scored = score_tables(kept, PREDICTED)
        sets = splits(len(kept.topics), number=250, rng=np.random.default_rng(SEED))
        parts = replicated(
            self.collection,
            "webber2010: phi of each measure for itself",
            lambda _: np.diagonal(without_each_topic(scored, sets), axis1=1, axis2=2),
        )
        whole = np.diag(predictivity(scored, sets).phi)
        return [pd.Series(each, list(scored)) for each in (whole, *parts)]

    @at_once
    def powers(self) -> list[pd.Series]:
        """Discriminative power of the measures that Sakai 2006 compares, and of some more."""
        scored = {name: complete_scores(self.collection, PREDICTED[name]) for name in SEPARATED}
        scored["Q"] = q_measure(self.collection)
        return powers_over_topics(self.collection, "power by other measures", scored)

    @cached_property
    def agreement(self) -> dict[str, float]:
        """Pairs that a test decides as the t test does: the least share by any measure."""
        shares: dict[str, list[float]] = {"bootstrap": [], "permutation": []}
        for name in tables.measures_of_table1().values():
            table = complete_scores(self.collection, name)
            by_t = significant(table, alpha=ALPHA)
            for test, found in shares.items():
                rng = np.random.default_rng(SEED)
                other = significant(table, alpha=ALPHA, test=test, resamples=1000, rng=rng)
                found.append((by_t == other).mean())
        return {test: min(found) for test, found in shares.items()}

    def order(self, measure: str, pool: int | None = None) -> pd.Series:
        """Return the systems' means by a measure, best first."""
        judged = self.collection if pool is None else self.collection.pooled(pool)
        return means(judged, [measure]).iloc[:, 0].sort_values(ascending=False, kind="stable")

    @cached_property
    def inflated(self) -> pd.Series:
        """What Table 1 loses without the weakest quarter of the systems, by measure."""
        order = self.order("AP").index
        kept = list(order[: -(len(order) // 4)])
        scores = score_tables(self.collection, tables.measures_of_table1())
        fewer = tables.powers_of_table1({label: table[kept] for label, table in scores.items()})
        return (self.own - fewer).drop("mean")

    @cached_property
    def strong_over_weak(self) -> float:
        """Share of significant pairs of one of the best and one of the worst quarter, by AP."""
        order = self.order("AP").index
        quarter = len(order) // 4
        table = complete_scores(self.collection, "AP")[[*order[:quarter], *order[-quarter:]]]
        first, second = np.triu_indices(2 * quarter, 1)
        different = significant(table, alpha=ALPHA)
        return float(different[(first < quarter) & (second >= quarter)].mean())

    @cached_property
    def relevant(self) -> dict[int, np.ndarray]:
        """Relevant documents of each topic in a pool of each depth."""
        return {d: self.collection.pooled(d).topics["relevant"].to_numpy(int) for d in POOLS}

    # Rankings: Table 2, Figure 2 and section 4.1

    @at_once
    def groups(self) -> list[dict[str, pd.Series]]:
        """Table 2's taus within depth 10, within 1000, across, and of a measure with itself."""
        found = taus_over_topics(tables.scores_of_table2(self.collection))
        return [tables.groups_of(tables.above(tau)) for tau in found]

    @cached_property
    def points(self) -> pd.DataFrame:
        """Mean nDCG of each system, shallow, extended and deep."""
        return depth.figure2(self.collection).drop(columns="type")

    @cached_property
    def places(self) -> pd.DataFrame:
        """Rank of each system, shallow, extended and deep."""
        return self.points.rank(ascending=False, method="min").astype(int)

    @property
    def leaders(self) -> pd.Index:
        """The first runs by deep evaluation."""
        return self.places.index[self.places["deep"] <= TOP]

    @cached_property
    def second(self) -> str:
        """The run that is second by deep evaluation."""
        return self.places.index[self.places["deep"] == 2][0]

    @cached_property
    def lead_lost(self) -> float:
        """What leaders, the second aside, lose of their lead by extended evaluation.

        The lead over the runs that do not lead, in standard deviations of all systems.
        """
        top = self.leaders.drop(self.second)
        rest = self.points.drop(self.leaders)
        lead = (self.points.loc[top].mean() - rest.mean()) / self.points.std()
        return lead["deep"] - lead["extended"]

    @at_once
    def narrow(self) -> list[np.ndarray]:
        """The tau of extended and deep when every tenth run is pooled, from four first ones."""
        runs = self.collection.systems.index
        scored = (
            depth.scores_of_figure2(self.collection, by=list(runs[i::10])) for i in (0, 3, 6, 9)
        )
        taus = [[tau.loc["extended", "deep"] for tau in taus_over_topics(of)] for of in scored]
        return list(np.transpose(taus))

    @cached_property
    def unique(self) -> pd.Series:
        """Relevant documents that a system alone has among its first 100."""
        hits = self.collection.hits[self.collection.hits["rank"] <= POOLS[-1]]
        alone = hits[~hits.duplicated(["topic", "document"], keep=False)]
        systems = self.collection.systems.index
        counts = alone["system"].value_counts().reindex(range(len(systems)), fill_value=0)
        return counts.set_axis(systems)

    @cached_property
    def of_second(self) -> pd.DataFrame:
        """Ranks of the second run by evaluation depth: as it is, and among lists as short."""
        return depth.rank_by_depth(self.second, self.collection)

    @cached_property
    def unpooled(self) -> pd.Series:
        """What runs lose of nDCG@10 when a pool of depth 10 is not made from all: by "pooled"."""
        name = ["nDCG(discount=2002,gain=binary)@10"]
        every, judged = (
            means(self.collection.pooled(10, by=by), name).iloc[:, 0] for by in ("all", "pooled")
        )
        return (every - judged).groupby(self.collection.systems["pooled"]).mean()

    # Discriminative power: Figures 3 and 4 and section 4.2

    @at_once
    def power(self) -> list[pd.DataFrame]:
        """Power in each setting (pool depth, evaluation depth), a column a measure."""
        measures = (*depth.FORMS, *depth.EXPANDED)
        scored = dict(depth.scores_in(self.collection, measures, *askable(self.collection)))
        powers = powers_over_topics(self.collection, "power at all depths", scored)
        names = ["measure", "pool", "depth"]
        return [each.rename_axis(names).unstack("measure") for each in powers]

    @cached_property
    def full(self) -> pd.DataFrame:
        """Power under full assessment: measures x depths, those of Figure 4."""
        return depth.full_assessment(self.power)[list(depth.FORMS)].T

    @cached_property
    def spread(self) -> pd.Series:
        """By how much measures differ under full assessment at each depth."""
        return self.full.max() - self.full.min()

    def curves(self, measure: str) -> np.ndarray:
        """Return a measure's power: pool depths x evaluation depths."""
        pools = self.power.index.levels[0]
        return self.power[measure].to_numpy().reshape(len(pools), -1)

    def gain(self, measure: str, other: str) -> pd.Series:
        """Return by how much a measure is ahead of another in each setting."""
        return self.power[measure] - self.power[other]

    @at_once
    def deeper(self) -> list[pd.DataFrame]:
        """How far pools deeper than the evaluation lie above full assessment, by measure."""
        return self._over_full([((d, k), k) for d in POOLS for k in POOLS if d > k])

    @at_once
    def best_gains(self) -> list[pd.DataFrame]:
        """The highest gain from a pool shallower than the evaluation: depths x measures."""
        gains = self._over_full([((d, k), k) for d in POOLS for k in POOLS if d < k])
        return [each.groupby(level="depth").max() for each in gains]

    @at_once
    def beyond(self) -> list[pd.DataFrame]:
        """What each evaluation beyond the pool adds to one that stops at it, by measure."""
        return self._over_full([((d, k), d) for d in POOLS for k in DEPTHS if k > d])

    def _over_full(self, settings):
        """Return power in each setting less that under full assessment at a depth."""
        index = self.power.index
        at = index.get_indexer([setting for setting, _ in settings])
        full = index.get_indexer([(depth, depth) for _, depth in settings])
        every = [of.power.to_numpy() for of in (self, *self.loo_replicates)]
        rows, columns = index[at], self.power.columns
        return [pd.DataFrame(power[at] - power[full], rows, columns) for power in every]

    @at_once
    def p_taus(self) -> list[dict[tuple, float]]:
        """The taus of :func:`taus_of_p`."""
        whole, topics = taus_of_p(self.collection), self.collection.topics.index
        parts = replicated(
            self.collection,
            "webber2010: taus of Table 3",
            lambda c: [list(taus_of_p(without(c, topic)).values()) for topic in topics],
        )
        return [whole, *(dict(zip(whole, part)) for part in parts)]

    @cached_property
    def kinds(self) -> dict[str, np.ndarray]:
        """Taus of Table 3 by what alone two settings differ in; "itself": those of one metric."""
        same = np.array([[x == y for x, y in zip(*pair)] for pair in self.p_taus])
        tau, (same_pool, same_depth, same_metric) = np.array([*self.p_taus.values()]), same.T
        return {
            "metric": tau[same_pool & same_depth],
            "pool": tau[same_metric & same_depth],
            "depth": tau[same_metric & same_pool],
            "itself": tau[same_metric],
        }

    @cached_property
    def squashed(self) -> pd.DataFrame:
        """What a pool of depth 100 in place of 10 does to expanded AP@10.

        Index pool depth; "range" is the mean standard deviation over systems of the topics with
        more than 10 relevant documents, "deltas" that over topics of the differences of two systems
        (mean of all pairs), "relative" the same divided by the mean size of these differences.
        """
        many = self.relevant[100] > 10
        found = {}
        for pool in (10, 100):
            scored = complete_scores(self.collection.pooled(pool), "AP@10").to_numpy()
            first, second = np.triu_indices(scored.shape[1], 1)
            deltas = scored[:, first] - scored[:, second]
            spread, size = deltas.std(axis=0, ddof=1).mean(), np.abs(deltas.mean(axis=0)).mean()
            within = scored[many].std(axis=1, ddof=1).mean()
            found[pool] = {"range": within, "deltas": spread, "relative": spread / size}
        return pd.DataFrame(found).T
