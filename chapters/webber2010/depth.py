"""Pool and evaluation depth apart: Figures 2 to 4, the numbers of section 4.2, what became of
runs with short lists, and what the paper leaves open."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.paper import DISCOUNT, SCORES, TAU, OpenChoice
from chapters.ledger.published import cells
from chapters.webber2010 import tables
from lib.collection import DEPTHS, Collection, askable, cached
from lib.measures import Scores, complete_scores, means, scores_at
from lib.paths import DATA
from lib.statistics.correlation import tau_matrix
from lib.statistics.student import pair_differences

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
TO_1000 = "nDCG(discount=2002,gain=binary)@1000"  # where the second run falls
# Figure 2's pool and evaluation depths.
_SETTINGS = {"shallow": (10, 10), "extended": (10, 100), "deep": (100, 100)}


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
        for name, (pool, depth) in _SETTINGS.items()
    }


def figure2_taus(collection: Collection, *, variant: str = "b", **options: Any) -> pd.DataFrame:
    """Return the three taus that Figure 2 prints, as cells."""
    means = figure2(collection, **options).drop(columns="type")
    return tables.upper(tau_matrix(means, variant=variant))


def powers_at(
    collection: Collection,
    measures: Sequence[str],
    pools: Sequence[int],
    depths: Sequence[int],
    *,
    by: str | Sequence[str] = "all",
    discount: str = "2002",
    **decided: Any,
) -> pd.DataFrame:
    """Return discriminative power, a row a measure, pool depth and evaluation depth (ascending).

    Whether or not the collection can answer for these depths (:func:`lib.collection.askable`).
    A pair of systems is decided as in Table 1 (level, test, identical pairs):
    :func:`chapters.webber2010.tables.separated`.
    """
    scored = scores_in(collection, measures, pools, depths, by=by, discount=discount)
    rows = [(*setting, tables.separated(table, **decided)) for setting, table in scored]
    return pd.DataFrame(rows, columns=["measure", "pool", "depth", "power"])


def scores_in(
    collection: Collection,
    measures: Iterable[str],
    pools: Sequence[int],
    depths: Sequence[int],
    *,
    by: str | Sequence[str] = "all",
    discount: str = "2002",
) -> Iterator[tuple[tuple[str, int, int], np.ndarray]]:
    """Yield each setting (measure, pool and evaluation depth) with its scores."""
    for pool in pools:
        judged = cached(collection).pooled(pool, by=by)
        scored = scores_at(judged, depths, residual=tables.RESIDUAL, discount=discount)
        for name in measures:
            for depth, table in zip(depths, scored[name]):
                yield (name, pool, depth), table


def figure3(collection: Collection, **options: Any) -> pd.DataFrame:
    """Expanded against abbreviated normalization of AP and nDCG: Figure 3, :func:`powers_at`."""
    return powers_at(collection, FIGURE_3, *askable(collection), **options)


def figure4(collection: Collection, **options: Any) -> pd.DataFrame:
    """Four families of measures, raw, normalized and standardized: Figure 4, :func:`powers_at`."""
    return powers_at(collection, tuple(FORMS), *askable(collection), **options)


def by_setting(powers: pd.DataFrame) -> pd.DataFrame:
    """Arrange :func:`powers_at` as settings (pool depth, evaluation depth) x measures."""
    return powers.set_index(["pool", "depth", "measure"])["power"].unstack("measure")


def full_assessment(power: pd.DataFrame) -> pd.DataFrame:
    """Return power :func:`by_setting` where evaluation and pool are equally deep: by depth."""
    return power.query("pool == depth").droplevel("pool")


def powers_in_text(collection: Collection, **options: Any) -> pd.DataFrame:
    """Return the discriminative powers and differences that section 4.2 prints, as cells."""
    at = ("R", "sAP", "nDCG"), (5, 10, 20, 100), (10, 20, 100)
    power = by_setting(powers_at(collection, *at, **options))
    recall, standard = ({d: power.at[(d, d), m] for d in (10, 100)} for m in ("R", "sAP"))
    values = {
        "standardized-ap-100": standard[100],
        "recall-100": recall[100],
        "spread-at-100": standard[100] - recall[100],
        "recall-10": recall[10],
        "recall-fall-100-to-10": recall[100] - recall[10],
        "standardized-ap-10": standard[10],
        "standardized-ap-fall-100-to-10": standard[100] - standard[10],
        "ndcg-20-pool-20": power.at[(20, 20), "nDCG"],
        "ndcg-20-pool-5": power.at[(5, 20), "nDCG"],
    }
    return cells((row, "value", value) for row, value in values.items())


def squashed(collection: Collection) -> pd.DataFrame:
    """Return what a pool of depth 100 in place of 10 does to expanded AP@10.

    Index pool depth; "range" is the mean standard deviation over systems of the topics with more
    than 10 relevant documents, "deltas" that over topics of the differences of two systems (mean of
    all pairs), "relative" the same divided by the mean size of these differences.
    """
    pooled = {pool: collection.pooled(pool) for pool in (10, 100)}
    many = pooled[100].topics["relevant"].to_numpy() > 10
    rows = {}
    for pool, judged in pooled.items():
        scored = complete_scores(judged, "AP@10").to_numpy()
        deltas = pair_differences(scored)
        spread, size = deltas.std(axis=0, ddof=1).mean(), np.abs(deltas.mean(axis=0)).mean()
        within = scored[many].std(axis=1, ddof=1).mean()
        rows[pool] = {"range": within, "deltas": spread, "relative": spread / size}
    return pd.DataFrame(rows).T


def truncate_lists(run: str, collection: Collection) -> Collection:
    """Return a collection in which no list is longer than that of one run on the same topic.

    >>> runs = {"A": {"t": ["x", "r"]}, "B": {"t": ["x", "y", "r"]}}
    >>> truncate_lists("A", Collection.from_rankings(runs, {"t": {"r": 1}})).hits["system"].tolist()
    [0]
    """
    if run not in collection.systems.index:
        raise ValueError(f"{collection.name} has no run {run!r}")
    longest = np.maximum(collection.retrieved[:, collection.systems.index.get_loc(run)], 0)
    hits, lists = collection.hits, collection.lists
    hits = hits[hits["rank"].to_numpy() <= longest[hits["topic"]]].reset_index(drop=True)
    lists = lists.assign(retrieved=np.minimum(lists["retrieved"], longest[lists["topic"]]))
    name = f"{collection.name}, lists as short as those of {run}"
    return replace(collection, name=name, hits=hits, lists=lists)


def ranks(run: str, judged: Collection) -> list[int]:
    """Return a run's rank by mean nDCG at each evaluation depth.

    1 is best; systems that tie share the best rank.
    """
    names = [f"nDCG(discount=2002,gain=binary)@{depth}" for depth in DEPTHS]
    mean = means(judged, names)
    return (1 + (mean > mean.loc[run]).sum()).tolist()


def rank_by_depth(run: str, collection: Collection, pool: int = 10) -> pd.DataFrame:
    """Return the :func:`ranks` of a run on this pool, on one of 100, and among lists as short.

    A list that ends after 60 documents can hold no relevant one at rank 61 or deeper, while those
    of other runs go on finding some: so a deep evaluation ranks it low for its length, and a pool
    has nothing to do with it.  "lists as short" is a pool of depth 100 with no list longer than
    that of the run.
    """
    settings = {f"pool {pool}": collection.pooled(pool) for pool in (pool, 100)}
    settings["lists as short"] = truncate_lists(run, settings["pool 100"])
    table = {setting: ranks(run, judged) for setting, judged in settings.items()}
    return pd.DataFrame(table, index=pd.Index(DEPTHS, name="evaluation depth"))


def reach(run: str, collection: Collection) -> pd.Series:
    """Return the share of a run's lists that go down to each evaluation depth."""
    lengths = collection.retrieved[:, collection.systems.index.get_loc(run)]
    return pd.Series({depth: (lengths >= depth).mean() for depth in DEPTHS})


# What the paper leaves open, and what becomes of its numbers when a choice is made otherwise.


def in_single_precision(collection: Collection) -> Collection:
    """Return TREC-8 as it is when scores are compared in single precision, as trec_eval 9 does.

    A few runs write scores that differ beyond the seven digits of single precision; there such
    documents tie and fall into the order of their names.  The hits that move are in
    ``data/trec8-single``; the table of pool sizes stays that of double precision.
    """
    moved = pd.read_csv(DATA / "trec8-single" / "moved.csv")
    key = ["topic", "system", "document"]
    hits = collection.hits.merge(moved, on=key, how="left", suffixes=("", "_moved"))
    for column in ("rank", "nonrelevant"):
        now = hits.pop(f"{column}_moved").fillna(hits[column])
        hits[column] = now.astype(collection.hits[column].dtype)
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    name = f"{collection.name}, single precision"
    return replace(collection, name=name, hits=hits)


def _table1(collection: Collection, **options: Any) -> pd.DataFrame:
    """Compute Table 1 in the paper's column: in single precision, too, these are its runs."""
    return tables.table1(collection, **options).assign(column=tables.COLUMN_OF["trec8"])


# Where the paper prints numbers that follow from one rule: what computes them, as cells.
PRINTED: dict[str, Callable[..., pd.DataFrame]] = {
    "Table 1": _table1,
    "Table 2": tables.table2,
    "Table 3": tables.table3,
    "Figure 2": figure2_taus,
    "Section 4.2": powers_in_text,
}

_RESAMPLES, _SEED = 1000, 2013  # of the permutation test: a p of .05 has a standard error of .007

_BY = OpenChoice("pools made from", "by", {"all 129 runs": "all", "the 71 judged": "pooled"})
TEST = OpenChoice("test", "test", {name: name for name in ("t", "Wilcoxon", "permutation", "sign")})
SIDES = OpenChoice("sides", "sides", {"two": 2, "one": 1})
_IDENTICAL = OpenChoice("identical pairs", "identical", {"left out": "left out", "kept": "kept"})
_MEANS = OpenChoice("means", "decimals", {"10 decimals": 10, "not rounded": None})

# What the paper leaves open at each place that prints numbers; the first value matches them.
CHOICES: dict[str, tuple[OpenChoice, ...]] = {
    "Table 1": (SCORES, DISCOUNT, TEST, SIDES, _IDENTICAL),
    "Table 2": (
        SCORES,
        DISCOUNT,
        _BY,
        OpenChoice("pool at depth 10", "pool", {"depth 10": 10, "all judged": None}),
        OpenChoice("RBP .8, judgements", "rbp_pool", {"all": None, "pool 10": 10}),
        OpenChoice("RBP .8, depth", "rbp_cut", {"whole list": False, "rank 10": True}),
        OpenChoice("RBP, p", "rbp", {"printed, .8": "printed", ".1^(1/10)": "exact"}),
        OpenChoice("AP, normalization", "average", {"expanded": "AP", "abbreviated": "aAP"}),
        _MEANS,
        TAU,
    ),
    "Table 3": (
        SCORES,
        DISCOUNT,
        _BY,
        OpenChoice("RBP, depth", "rbp_cut", {"cut at k": True, "whole list": False}),
        OpenChoice("RBP, p", "rbp", {".1^(1/10)": "exact", "printed, .8": "printed"}),
        OpenChoice("AP, normalization", "average", {"abbreviated": "aAP", "expanded": "AP"}),
        TEST,
        OpenChoice("identical pairs", "identical", {"kept, p = 1": "kept", "left out": "left out"}),
        OpenChoice("p values", "p_decimals", {"not rounded": None, "4 decimals": 4}),
    ),
    "Figure 2": (SCORES, DISCOUNT, _BY, _MEANS, TAU),
    "Section 4.2": (SCORES, DISCOUNT, _BY, TEST, SIDES, _IDENTICAL),
}


def on_path(collection: Collection, place: str, **made: Any) -> pd.DataFrame:
    """Compute the cells of a place on a path of its choices but for the order of the runs."""
    if made.get("test") == "permutation":
        made |= {"resamples": _RESAMPLES, "rng": np.random.default_rng(_SEED)}
    return PRINTED[place](collection, **made)
