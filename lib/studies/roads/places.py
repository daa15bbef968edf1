"""Where three papers print numbers, and the choices that play a part there."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import SHARE, Scores, complete_scores
from lib.papers.thom2007.tables import TREATMENTS
from lib.papers.thom2007.tables import table1 as taus_of_terabyte
from lib.papers.webber2008.tables import MEASURES, SEED, kept_scores, phi, triangle
from lib.papers.webber2010.choices import in_single_precision
from lib.papers.webber2010.depth import figure2_taus, powers_in_text
from lib.papers.webber2010.tables import ALPHA, COLUMNS, scores_of_table2, table1, table2, table3
from lib.statistics.correlation import tau_matrix
from lib.statistics.jackknife import Interval, jackknife
from lib.statistics.predictivity import Predictivity, splits, without_each_topic
from lib.studies.roads.roads import TAU, Choice, Place, drawn, p_without, power

PREDICTOR, TARGET = "AP", "P@10"
FOR_ERROR = 100  # splits that are computed again without each topic

# Shared by both papers on TREC-8: how the scores of documents are compared.
SCORES = Choice("document scores", "scores", {"double": "double", "single": "single"})

BY = Choice("pools made from", "by", {"all 129 runs": "all", "the 71 judged": "pooled"})
DISCOUNT = Choice(
    "DCG's discount", "discount", {"log2(max(2, i))": "2002", "log2(i + 1)": "trec_eval"}
)
TEST = Choice("test", "test", {x: x for x in ("t", "Wilcoxon", "permutation", "sign")})
SIDES = Choice("sides", "sides", {"two": 2, "one": 1})
IDENTICAL = Choice("identical pairs", "identical", {"left out": "left out", "kept": "kept"})
MEANS = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})

KEPT: dict[str, dict[str, Any]] = {
    "75%, down": {"share": SHARE, "rounding": "down"},
    "75%, up": {"share": SHARE, "rounding": "up"},
    "all": {"share": 1.0, "rounding": "down"},
    "the judged": {"share": 1.0, "rounding": "down"},  # whatever their AP
}


def _at(depth: int | None) -> str:
    return "" if depth is None else f"@{depth}"


# Every way to compute a measure: of nDCG by discount and depth, of RBP by depth.
NDCG = {
    (d, k): f"nDCG(discount={d},gain=binary){_at(k)}"
    for d in ("2002", "trec_eval")
    for k in (None, 100)
}
RBP = {k: MEASURES["RBP(p=0.95)"] + _at(k) for k in (None, 100, 10)}
EVERY = {name: name for name in ("P@10", "RR", "AP", *NDCG.values(), *RBP.values())}


@cache
def trec8(scores: str = "double") -> Collection:
    """Return TREC-8 with the documents of its runs in the order of their scores."""
    collection = load("trec8")
    return collection if scores == "double" else in_single_precision(collection)


@cache
def _collection(scores: str, kept: str) -> Collection:
    collection = trec8(scores)
    if kept != "the judged":
        return collection
    pooled = collection.systems["pooled"] == "yes"
    return collection.select(systems=collection.systems.index[pooled])


@cache
def _phi(scores: str, kept: str, **ranked: Any) -> Predictivity:
    """Every measure's power to predict each other, from the splits of the book's Table 1."""
    return phi(_collection(scores, kept), EVERY, **KEPT[kept], **ranked)


@cache
def _lead(scores: str, kept: str, **ranked: Any) -> Interval:
    collection = _collection(scores, kept)
    two = kept_scores(collection, {x: EVERY[x] for x in (PREDICTOR, TARGET)}, **KEPT[kept])
    rng = np.random.default_rng(SEED)
    sets = splits(len(collection.topics), number=FOR_ERROR, rng=rng)
    without = without_each_topic(two, sets, **ranked)
    found = _phi(scores, kept, **ranked).phi[TARGET]
    return jackknife(found[PREDICTOR] - found[TARGET], without[:, 0, 1] - without[:, 1, 1])


def cells(
    *,
    scores: str,
    kept: str,
    discount: str,
    ndcg_depth: int | None,
    rbp_depth: int | None,
    **ranked: Any,
) -> pd.DataFrame:
    """Return Table 1 along one path, as cells."""
    names = MEASURES | {"nDCG": NDCG[discount, ndcg_depth], "RBP(p=0.95)": RBP[rbp_depth]}
    every = _phi(scores, kept, **ranked)
    parts = [
        table.loc[list(names.values()), list(names.values())]
        .set_axis(list(names))
        .set_axis(list(names), axis=1)
        for table in (every.phi, every.error, every.deviation, every.tied)
    ]
    return triangle(Predictivity(*parts))


def lead(*, scores: str, kept: str, variant: str, decimals: int | None, **other: Any) -> Interval:
    """Return how much better AP predicts P@10 than P@10 does, with its interval over topics."""
    return _lead(scores, kept, variant=variant, decimals=decimals)


def _of_runs(
    compute: Callable[..., pd.DataFrame], *, scores: str, test: str = "", **other: Any
) -> pd.DataFrame:
    """Compute a table of Webber 2010 from the runs in their order, and the draws of a test."""
    tested = {"test": test, **drawn(test)} if test else {}
    return compute(trec8(scores), **tested, **other)


def _table1(*args: Any, **options: Any) -> pd.DataFrame:
    """Compute Table 1 in the paper's column: in single precision, too, these are its runs."""
    return table1(*args, **options).assign(column=COLUMNS["trec8"])


@cache
def _p(scores: str, name: str, test: str, by: str = "", pool: int = 0) -> tuple[np.ndarray, ...]:
    collection = trec8(scores)
    judged = collection.pooled(pool, by=by) if pool else collection
    return p_without(complete_scores(judged, name), test)


def _apart(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...], **decided: Any) -> Interval:
    """Return by how much the first has more power than the other, from their p values."""
    ahead = power(*one, **decided) - power(*other, **decided)
    return jackknife(ahead[0], ahead[1:])


def _of_table1(*, scores: str, test: str, sides: int, identical: str, **other: Any) -> Interval:
    one, two = (_p(scores, name, test) for name in ("AP@1000", "P@10"))
    return _apart(one, two, alpha=ALPHA, sides=sides, identical=identical)


def _of_section(
    *, scores: str, by: str, test: str, sides: int, identical: str, **other: Any
) -> Interval:
    one, two = (_p(scores, name, test, by, 100) for name in ("AP@100", "R@100"))
    return _apart(one, two, alpha=ALPHA, sides=sides, identical=identical)


@lru_cache(maxsize=1)
def _scores2(scores: str, **other: Any) -> dict[str, Scores]:
    return scores_of_table2(trec8(scores), **other)


def _means_without(tables: Mapping[str, Scores], decimals: int | None) -> list[pd.DataFrame]:
    """Return the means of systems on all topics, then without each topic."""
    topics = next(iter(tables.values())).index
    found = []
    for topic in [None, *topics]:
        parts = {label: t if topic is None else t.drop(index=topic) for label, t in tables.items()}
        table = pd.DataFrame({label: part.mean() for label, part in parts.items()})
        found.append(table if decimals is None else table.round(decimals))
    return found


def _of_table2(*, scores: str, variant: str, decimals: int | None, **other: Any) -> Interval:
    """Return how much more depth-10 measures agree than a measure with itself at depth 1000."""
    found = []
    for table in _means_without(_scores2(scores, **other), decimals):
        tau = tau_matrix(table, variant=variant).to_numpy()
        within = np.mean([tau[pair] for pair in combinations(range(5), 2)])
        found.append(within - np.mean([tau[i, i + 5] for i in range(5)]))
    return jackknife(found[0], found[1:])


@lru_cache(maxsize=1)
def _scores_of_figure2(scores: str, by: str, discount: str) -> dict[str, Scores]:
    settings = {"shallow": (10, 10), "extended": (10, 100), "deep": (100, 100)}
    return {
        label: complete_scores(
            trec8(scores).pooled(pool, by=by), f"nDCG(discount={discount},gain=binary)@{depth}"
        )
        for label, (pool, depth) in settings.items()
    }


def _of_figure2(
    *, scores: str, by: str, discount: str, variant: str, decimals: int | None
) -> Interval:
    found = []
    for table in _means_without(_scores_of_figure2(scores, by, discount), decimals):
        tau = tau_matrix(table, variant=variant)
        found.append(tau.loc["extended", "deep"] - tau.loc["shallow", "deep"])
    return jackknife(found[0], found[1:])


WEBBER2008 = (
    Place(
        "webber2008",
        "Table 1",
        (
            SCORES,
            Choice("systems", "kept", {name: name for name in KEPT}),
            DISCOUNT,
            Choice("nDCG's depth", "ndcg_depth", {"whole list": None, "100": 100}),
            Choice("RBP's depth", "rbp_depth", {"whole list": None, "100": 100, "10": 10}),
            TAU,
            Choice("means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None}),
        ),
        cells,
        "how much better AP predicts P@10 on other topics than P@10 does",
        lead,
    ),
)

THOM2007 = (
    Place(
        "thom2007",
        "Table 1",
        (
            Choice("topics", "treatment", {name: name for name in TREATMENTS}),
            Choice("runs", "only", {"all": None, "automatic": "automatic"}),
            TAU,
            Choice("means", "decimals", {"4 decimals": 4, "3 decimals": 3, "2 decimals": 2}),
        ),
        taus_of_terabyte,
    ),
)

WEBBER2010 = (
    Place(
        "webber2010",
        "Table 1",
        (SCORES, DISCOUNT, TEST, SIDES, IDENTICAL),
        partial(_of_runs, _table1),
        "by how much more pairs of systems AP tells apart than P@10 does",
        _of_table1,
    ),
    Place(
        "webber2010",
        "Table 2",
        (
            SCORES,
            DISCOUNT,
            BY,
            Choice("Table 2: judgements", "pool", {"pool of depth 10": 10, "all": None}),
            Choice(
                "Table 2: judgements of RBP .8", "rbp_pool", {"all": None, "pool of depth 10": 10}
            ),
            Choice("Table 2: depth of RBP .8", "rbp_cut", {"whole list": False, "10": True}),
            Choice("Table 2: p of RBP", "rbp", {"printed": "printed", "exact": "exact"}),
            Choice("Table 2: AP", "average", {"expanded": "AP", "abbreviated": "aAP"}),
            MEANS,
            TAU,
        ),
        partial(_of_runs, table2),
        "how much more depth-10 measures agree than a measure does with itself at depth 1000",
        _of_table2,
    ),
    Place(
        "webber2010",
        "Table 3",
        (
            SCORES,
            DISCOUNT,
            BY,
            Choice("Table 3: depth of RBP", "rbp_cut", {"cut at k": True, "whole list": False}),
            Choice("Table 3: p of RBP", "rbp", {"exact": "exact", "printed": "printed"}),
            Choice("Table 3: AP", "average", {"abbreviated": "aAP", "expanded": "AP"}),
            TEST,
            Choice(
                "Table 3: identical pairs", "identical", {"kept": "kept", "left out": "left out"}
            ),
            Choice("Table 3: p values", "p_decimals", {"not rounded": None, "4 decimals": 4}),
        ),
        partial(_of_runs, table3),
    ),
    Place(
        "webber2010",
        "Figure 2",
        (SCORES, DISCOUNT, BY, MEANS, TAU),
        partial(_of_runs, figure2_taus),
        "how much nearer extended nDCG is to deep nDCG than shallow nDCG is",
        _of_figure2,
    ),
    Place(
        "webber2010",
        "Section 4.2",
        (SCORES, DISCOUNT, BY, TEST, SIDES, IDENTICAL),
        partial(_of_runs, powers_in_text),
        "by how much more pairs of systems standardized AP tells apart than recall at depth 100",
        _of_section,
    ),
)

PAPERS = {of[0].paper: of for of in (WEBBER2008, THOM2007, WEBBER2010)}


def place(paper: str, name: str) -> Place:
    """Return a place of a paper."""
    return next(found for found in PAPERS[paper] if found.name == name)
