"""What the claims of the paper are judged by, computed from TREC-8 and from the printed Table 1.

Words need a yardstick.  The paper calls the step from .669 to .675 small, so two discriminative
powers up to LEVEL apart count as level, and only a difference of PLAIN or more is called plain.
Two rankings are nearly the same from a tau of NEARLY on: 95 of 100 pairs in the same order.
"""

from functools import cached_property
from itertools import combinations, product

import numpy as np
import pandas as pd

from lib.collection import DEPTHS, POOLS, Collection, load
from lib.measures import complete_scores, means
from lib.papers import webber2008
from lib.papers.webber2010.depth import FORMS, PRINTED, figure2, grid
from lib.papers.webber2010.tables import ALPHA, COLUMNS, measures_of_table1
from lib.published import lookup, printed
from lib.statistics.discrimination import discriminative_power, significant

__all__ = ["FULL", "LEVEL", "NEARLY", "PLAIN", "SEED", "Evidence"]

LEVEL = 0.006
PLAIN = 0.01
NEARLY = 0.9

FULL = list(POOLS)  # full assessment: evaluation and pool depth are the same
SEED = 2010


class Evidence:
    """Numbers for and against the claims, each computed when it is first asked for.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    others : DataFrame, optional
        Table 1 as printed, which is all that is known of the other collections.
    """

    def __init__(
        self, collection: Collection | None = None, others: pd.DataFrame | None = None
    ) -> None:
        self.collection = load("trec8") if collection is None else collection
        self.others = printed("webber2010", "Table 1") if others is None else others
        self._cells: dict[str, pd.DataFrame] = {}

    def cells(self, place: str) -> pd.DataFrame:
        """Return the numbers of a place of :data:`lib.papers.webber2010.depth.PRINTED`."""
        if place not in self._cells:
            self._cells[place] = PRINTED[place](self.collection)
        return self._cells[place]

    @cached_property
    def own(self) -> pd.Series:
        """Our column of Table 1, its mean included."""
        return self.cells("Table 1").set_index("row")["value"].astype(float)

    @cached_property
    def columns(self) -> pd.DataFrame:
        """Table 1 as it is checked, without the mean of measures: ours, the others as printed."""
        table = self.others.astype(float)
        table[COLUMNS["trec8"]] = self.own
        return table.drop(index="mean")

    @cached_property
    def tau(self) -> pd.Series:
        """The taus of Figure 2."""
        return lookup(self.cells("Figure 2"))

    # Measures, tests and data: sections 2 and 3

    @cached_property
    def phi(self) -> pd.Series:
        """How well each measure predicts itself, as Webber 2008 has it."""
        phi = lookup(webber2008.table1(self.collection))
        return pd.Series({name: phi[(name, name)] for name in webber2008.MEASURES})

    @cached_property
    def powers(self) -> pd.Series:
        """Discriminative power of the measures of Table 1 and of P@1000."""
        deep = complete_scores(self.collection, "P@1000")
        return pd.concat(
            [self.own.drop("mean"), pd.Series({"P@1000": discriminative_power(deep, alpha=ALPHA)})]
        )

    @cached_property
    def agreement(self) -> dict[str, float]:
        """Pairs that a test decides as the t test does: the least share by any measure."""
        shares: dict[str, list[float]] = {"bootstrap": [], "permutation": []}
        for name in measures_of_table1().values():
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
    def relevant(self) -> dict[int, np.ndarray]:
        """Relevant documents of each topic in a pool of each depth."""
        return {d: self.collection.pooled(d).topics["relevant"].to_numpy(int) for d in POOLS}

    # Rankings: Table 2, Figure 2 and section 4.1

    @cached_property
    def groups(self) -> dict[str, pd.Series]:
        """Table 2's taus within depth 10, within 1000, across, and of a measure with itself."""
        table = self.cells("Table 2")
        tau, names = lookup(table), list(dict.fromkeys([*table["row"], *table["column"]]))
        short, deep = names[:5], names[5:]
        pairs = {
            "short": combinations(short, 2),
            "deep": combinations(deep, 2),
            "across": product(short, deep),
            "itself": zip(short, deep),
        }
        return {group: tau[list(of)] for group, of in pairs.items()}

    @cached_property
    def points(self) -> pd.DataFrame:
        """Mean nDCG of each system, shallow, extended and deep."""
        return figure2(self.collection).drop(columns="type")

    @cached_property
    def places(self) -> pd.DataFrame:
        """Rank of each system, shallow, extended and deep."""
        return self.points.rank(ascending=False, method="min").astype(int)

    def leaders(self, number: int) -> pd.Index:
        """Return the first runs by deep evaluation."""
        return self.places.index[self.places["deep"] <= number]

    @cached_property
    def second(self) -> str:
        """The run that is second by deep evaluation."""
        return self.places.index[self.places["deep"] == 2][0]

    # Discriminative power: Figures 3 and 4 and section 4.2

    @cached_property
    def power(self) -> pd.Series:
        """Discriminative power by measure, pool depth and evaluation depth."""
        return grid(self.collection).set_index(["measure", "pool", "depth"])["power"]

    @cached_property
    def full(self) -> pd.DataFrame:
        """Power under full assessment: measures x depths, those of Figure 4."""
        return pd.DataFrame(
            {k: [self.power[(m, k, k)] for m in FORMS] for k in FULL}, index=list(FORMS)
        )

    @cached_property
    def spread(self) -> pd.Series:
        """By how much measures differ under full assessment at each depth."""
        return self.full.max() - self.full.min()

    def curves(self, measure: str) -> pd.DataFrame:
        """Return a measure's power: pool depths x evaluation depths."""
        return self.power[measure].unstack("depth")

    def gain(self, measure: str, other: str) -> pd.Series:
        """Return by how much a measure is ahead of another in each setting."""
        return self.power[measure] - self.power[other]

    def deeper(self, measure: str) -> pd.Series:
        """Return how far pools deeper than the evaluation lie above full assessment."""
        at = self.power[measure]
        return pd.Series({(d, k): at[(d, k)] - at[(k, k)] for d in FULL for k in FULL if d > k})

    def best_gains(self, measure: str) -> pd.Series:
        """Return the highest gain from a pool shallower than the evaluation, at each depth."""
        at = self.power[measure]
        return pd.Series({k: max(at[(d, k)] for d in FULL if d < k) - at[(k, k)] for k in FULL[1:]})

    @cached_property
    def rising(self) -> dict[str, float]:
        """Share of each measure's evaluations beyond the pool that beat one that stops at it."""
        beyond = [(d, k) for d in FULL for k in DEPTHS if k > d]
        return {
            m: float(np.mean([self.power[(m, d, k)] > self.power[(m, d, d)] for d, k in beyond]))
            for m in FORMS
        }

    @cached_property
    def kinds(self) -> dict[str, pd.Series]:
        """Taus of Table 3 by what alone two settings differ in; "itself": those of one metric."""
        tau = lookup(self.cells("Table 3"))
        # "10/100 aAP" becomes "10", "100", "aAP".
        settings = [[x.replace("/", " ").split() for x in pair] for pair in tau.index]
        same = np.array([[x == y for x, y in zip(a, b)] for a, b in settings])
        pool, depth, metric = same.T
        return {
            "metric": tau[pool & depth],
            "pool": tau[metric & depth],
            "depth": tau[metric & pool],
            "itself": tau[metric],
        }
