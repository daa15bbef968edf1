"""Pool and evaluation depth apart: Figures 2 to 4, the numbers of section 4.2, and what became of
runs with short lists and of runs that contributed to no pool."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import DEPTHS, POOLS, Collection, askable, cached
from lib.measures import Scores, complete_scores, means, scores_at
from lib.papers.webber2010.tables import ALPHA, RESIDUAL, above, table1, table2, table3
from lib.published import cells, lookup
from lib.statistics.correlation import tau_matrix
from lib.statistics.incomplete import leave_group_out
from lib.statistics.significance import discriminative_power

# Figure 4's rows and columns: (family, form) of each measure.  Standardization removes whatever
# multiplies all scores of a topic, so that standardized recall is standardized precision, and
# standardized AP the same whichever way AP is normalized.
FORMS = {
    "P": ("precision/recall", "raw"),
    "R": ("precision/recall", "normalized"),
    "sP": ("precision/recall", "standardized"),
    "DCG": ("DCG", "raw"),
    "nDCG": ("DCG", "normalized"),
    "sDCG": ("DCG", "standardized"),
    "SP": ("AP", "raw"),
    "aAP": ("AP", "normalized"),
    "sAP": ("AP", "standardized"),
    "RBP": ("RBP", "raw"),
    "nRBP": ("RBP", "normalized"),
    "sRBP": ("RBP", "standardized"),
}
EXPANDED = {"AP": ("AP", "expanded"), "enDCG": ("DCG", "expanded")}
FIGURE_3 = ("AP", "aAP", "enDCG", "nDCG")
# What may make nDCG more stable than RBP, by the paper: that it is normalized; that its heavy tail
# holds valid information; that looking beyond the pool rewards what resembles the pooled systems.
HYPOTHESES = ("normalization", "depth", "reinforcement")
# Figure 2's pool and evaluation depths.
SETTINGS = {"shallow": (10, 10), "extended": (10, 100), "deep": (100, 100)}


def figure2(
    collection: Collection,
    *,
    by: str | Sequence[str] = "all",
    discount: str = "2002",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Mean nDCG of each system, shallow, extended and deep, and the system's type: Figure 2."""
    scored = scores_of_figure2(collection, by=by, discount=discount)
    table = pd.DataFrame({name: scores.mean() for name, scores in scored.items()})
    table = table if decimals is None else table.round(decimals)
    return table.assign(type=collection.systems["type"])


def scores_of_figure2(
    collection: Collection, *, by: str | Sequence[str] = "all", discount: str = "2002"
) -> dict[str, Scores]:
    """Score every system by nDCG, shallow, extended and deep."""
    measure = f"nDCG(discount={discount},gain=binary)@{{}}"
    return {
        name: complete_scores(collection.pooled(pool, by=by), measure.format(depth))
        for name, (pool, depth) in SETTINGS.items()
    }


def figure2_taus(collection: Collection, *, variant: str = "b", **options: Any) -> pd.DataFrame:
    """Return the three taus that Figure 2 prints, as cells."""
    return above(tau_matrix(figure2(collection, **options).drop(columns="type"), variant=variant))


def grid(
    collection: Collection,
    *,
    measures: Sequence[str] = (*FORMS, *EXPANDED),
    pools: Sequence[int] | None = None,
    depths: Sequence[int] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Discriminative power of every measure at every pool and evaluation depth: Figures 3 and 4.

    The depths, ascending, are by default those of the paper that the collection can answer for (see
    :func:`lib.collection.limits`), on TREC-8 all of them; others raise a ValueError.  The
    options are those of :func:`powers_at`.
    """
    pools, depths = askable(collection, pools=pools, depths=depths)
    return powers_at(collection, measures, pools, depths, **options)


def powers_at(
    collection: Collection,
    measures: Sequence[str],
    pools: Sequence[int],
    depths: Sequence[int],
    *,
    by: str | Sequence[str] = "all",
    residual: float = RESIDUAL,
    discount: str = "2002",
    **decided: Any,
) -> pd.DataFrame:
    """Compute a :func:`grid`, whether or not the collection can answer for its depths.

    ``residual`` is RBP's weight beyond the evaluation depth; what decides on a pair of systems
    (level, test, identical pairs) is as for Table 1.
    """
    asked: dict[str, Any] = {"alpha": ALPHA, "identical": "left out"} | decided
    forms = FORMS | EXPANDED
    scored = scores_in(
        collection, measures, pools, depths, by=by, residual=residual, discount=discount
    )
    rows = [
        (name, *forms[name], pool, depth, discriminative_power(table, **asked))
        for (name, pool, depth), table in scored
    ]
    return pd.DataFrame(rows, columns=["measure", "family", "form", "pool", "depth", "power"])


def scores_in(
    collection: Collection,
    measures: Iterable[str],
    pools: Sequence[int],
    depths: Sequence[int],
    *,
    by: str | Sequence[str] = "all",
    residual: float = RESIDUAL,
    discount: str = "2002",
) -> Iterator[tuple[tuple[str, int, int], np.ndarray]]:
    """Yield each setting (measure, pool and evaluation depth) with its scores."""
    for pool in pools:
        judged = cached(collection).pooled(pool, by=by)
        scored = scores_at(judged, depths, residual=residual, discount=discount)
        for name in measures:
            for depth, table in zip(depths, scored[name]):
                yield (name, pool, depth), table


def figure3(collection: Collection, **options: Any) -> pd.DataFrame:
    """Expanded against abbreviated normalization of AP and nDCG: Figure 3, a :func:`grid`."""
    return grid(collection, measures=FIGURE_3, **options)


def figure4(collection: Collection, **options: Any) -> pd.DataFrame:
    """Four families of measures, raw, normalized and standardized: Figure 4, a :func:`grid`."""
    return grid(collection, measures=tuple(FORMS), **options)


def by_setting(grid: pd.DataFrame) -> pd.DataFrame:
    """Arrange a :func:`grid` as settings (pool depth, evaluation depth) x measures."""
    return grid.set_index(["pool", "depth", "measure"])["power"].unstack("measure")


def full_assessment(power: pd.DataFrame) -> pd.DataFrame:
    """Return power where evaluation and pool are equally deep: measures of Figure 4 x depths."""
    full = power.loc[[(depth, depth) for depth in POOLS], list(FORMS)]
    return full.set_axis(list(POOLS)).T.rename_axis(index=None)


def powers_in_text(collection: Collection, **options: Any) -> pd.DataFrame:
    """Return the discriminative powers and differences that section 4.2 prints, as cells."""
    at = ("R", "sAP", "nDCG"), (5, 10, 20, 100), (10, 20, 100)
    return powers_of(powers_at(collection, *at, **options))


def powers_of(table: pd.DataFrame) -> pd.DataFrame:
    """Take these numbers from a :func:`grid`, but those for which it lacks a depth."""
    at = table.set_index(["measure", "pool", "depth"])["power"]

    def power(*setting):
        return at.get(setting, np.nan)

    recall, standard = ([power(m, d, d) for d in (10, 100)] for m in ("R", "sAP"))
    values = {
        "standardized-ap-100": standard[1],
        "recall-100": recall[1],
        "spread-at-100": standard[1] - recall[1],
        "recall-10": recall[0],
        "recall-fall-100-to-10": recall[1] - recall[0],
        "standardized-ap-10": standard[0],
        "standardized-ap-fall-100-to-10": standard[1] - standard[0],
        "ndcg-20-pool-20": power("nDCG", 20, 20),
        "ndcg-20-pool-5": power("nDCG", 5, 20),
    }
    return cells((row, "value", value) for row, value in values.items() if not np.isnan(value))


# Where the paper prints numbers that follow from one rule: what computes them, as cells.
PRINTED: dict[str, Callable[..., pd.DataFrame]] = {
    "Table 1": table1,
    "Table 2": table2,
    "Table 3": table3,
    "Figure 2": figure2_taus,
    "Section 4.2": powers_in_text,
}


def truncate_lists(run: str, collection: Collection) -> Collection:
    """Return a collection in which no list is longer than that of one run on the same topic.

    Examples
    --------
    >>> runs = {"A": {"t": ["x", "r"]}, "B": {"t": ["x", "y", "r"]}}
    >>> truncate_lists("A", Collection.from_rankings(runs, {"t": {"r": 1}})).hits["system"].tolist()
    [0]
    """
    if run not in collection.systems.index:
        raise ValueError(f"{collection.name} has no run {run!r}")
    longest = np.maximum(collection.retrieved[:, collection.systems.index.get_loc(run)], 0)
    hits, lists = collection.hits, collection.lists
    kept = hits["rank"].to_numpy() <= longest[hits["topic"]]
    return replace(
        collection,
        name=f"{collection.name}, lists as short as those of {run}",
        hits=hits[kept].reset_index(drop=True),
        lists=lists.assign(retrieved=np.minimum(lists["retrieved"], longest[lists["topic"]])),
    )


def rank_by_depth(run: str, collection: Collection) -> pd.DataFrame:
    """Return a run's rank by mean nDCG at each evaluation depth, among lists as they are and cut.

    A list that ends after 60 documents can hold no relevant one at rank 61 or deeper, while those
    of other runs go on finding some: so a deep evaluation ranks it low for its length, and a pool
    has nothing to do with it.  "lists as short" is a pool of depth 100 with no list longer than
    that of the run.  1 is best; systems that tie share the best rank.
    """
    settings = {f"pool {pool}": collection.pooled(pool) for pool in (10, 100)}
    settings["lists as short"] = truncate_lists(run, settings["pool 100"])
    names = [f"nDCG(discount=2002,gain=binary)@{depth}" for depth in DEPTHS]
    ranks = {}
    for setting, judged in settings.items():
        mean = means(judged, names, decimals=10)
        ranks[setting] = [int((mean[name] > mean.loc[run, name]).sum()) + 1 for name in names]
    return pd.DataFrame(ranks, index=pd.Index(DEPTHS, name="evaluation depth"))


def places_lost(collection: Collection, *, pools: Sequence[int] | None = None) -> pd.DataFrame:
    """Return how many places a run loses by AP when its own group does not feed the pool.

    Each group in turn is left out of the pool (a run whose group is not known is one of its own).
    A row a pool depth; columns mean, nine in ten (places lost by no more than a tenth of the runs
    or more), most, and the run that loses most.
    """

    def places(judged):
        return means(judged, ["AP"])["AP"].rank(ascending=False, method="min")

    pools, _ = askable(collection, pools=pools, depths=())
    lost = {}
    for pool in pools:
        fed = places(collection.pooled(pool))
        parts = [(places(part) - fed)[own] for own, part in leave_group_out(collection, pool)]
        lost[pool] = pd.concat(parts)[collection.systems.index]
    table = pd.DataFrame(lost)
    found = {"mean": table.mean(), "nine in ten": table.quantile(0.9), "most": table.max()}
    return pd.DataFrame(found | {"run": table.idxmax()}).rename_axis("pool depth")


def evidence_on_hypotheses(
    powers: pd.Series, figure4: pd.DataFrame, taus: pd.DataFrame, ranks: pd.DataFrame
) -> pd.DataFrame:
    """Return the numbers for or against each of the paper's three hypotheses.

    From the powers of Table 1, Figure 4, the taus of Figure 2, and READWARE's ranks by depth.
    Columns hypothesis, evidence, value.
    """
    power, tau = by_setting(figure4), lookup(taus)
    full = full_assessment(power)
    normalization = {}
    for adjusted, raw in (("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"), ("sDCG", "DCG")):
        gain, what = power[adjusted] - power[raw], f"{adjusted} minus {raw}"
        normalization[f"{what}, mean of the 40 settings"] = f"{gain.mean():+.3f}"
        normalization[f"{what}, lowest and highest"] = _range(gain)
    in_table1 = powers["nDCG@1000"] - powers["RBP(p=0.8)"]
    at_100 = full.loc["nDCG", 100] - full.loc["RBP", 100]
    step = power.loc[5, 1000] - power.loc[5, 100]
    deep, extended = ranks.loc[100, ["pool 100", "pool 10"]]
    of_depth = {
        "gain from depth 5 to 100, lowest and highest of 12 measures": _range(full[100] - full[5]),
        "difference between them at depth 100": f"{full[100].max() - full[100].min():.3f}",
        "nDCG@1000 minus RBP .8 in Table 1": f"{in_table1:+.3f}",
        "nDCG minus RBP at equal depth 100": f"{at_100:+.3f}",
    }
    reinforcement = {
        "tau of extended and deep": f"{tau['extended', 'deep']:.3f}",
        "tau of shallow and deep": f"{tau['shallow', 'deep']:.3f}",
    }
    for m in ("nDCG", "aAP", "P", "RBP"):
        reinforcement[f"{m}, pool 5: depth 1000 minus depth 100"] = f"{step[m]:+.3f}"
    places = f"{deep}, {extended}, {ranks.loc[1000, 'pool 100']}"
    reinforcement["rank of READWARE: deep, extended, 100/1000"] = places
    found = zip(HYPOTHESES, (normalization, of_depth, reinforcement))
    rows = [(name, *row) for name, numbers in found for row in numbers.items()]
    return pd.DataFrame(rows, columns=["hypothesis", "evidence", "value"])


def _range(numbers):
    return f"{numbers.min():+.3f} to {numbers.max():+.3f}"
