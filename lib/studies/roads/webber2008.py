"""The roads through Webber 2008's Table 1."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.papers.webber2008.tables import MEASURES, SEED, SHARE, kept_scores, phi, triangle
from lib.papers.webber2010.choices import in_single_precision
from lib.statistics.jackknife import Interval, jackknife
from lib.statistics.predictivity import Predictivity, splits, without_each_topic
from lib.studies.roads.roads import Choice, Place

PREDICTOR, TARGET = "AP", "P@10"
FOR_ERROR = 100  # splits that are computed again without each topic

# Shared by both papers on TREC-8: how the scores of documents are compared.
SCORES = Choice("document scores", "scores", {"double": "double", "single": "single"})

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
    (d, k): f"nDCG(discount={d},rel=1){_at(k)}" for d in ("2002", "trec_eval") for k in (None, 100)
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
    """Return Table 1 along one road, as cells."""
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


PLACES = (
    Place(
        "webber2008",
        "Table 1",
        (
            SCORES,
            Choice("systems", "kept", {name: name for name in KEPT}),
            Choice(
                "DCG's discount",
                "discount",
                {"log2(max(2, i))": "2002", "log2(i + 1)": "trec_eval"},
            ),
            Choice("nDCG's depth", "ndcg_depth", {"whole list": None, "100": 100}),
            Choice("RBP's depth", "rbp_depth", {"whole list": None, "100": 100, "10": 10}),
            Choice("Kendall's tau", "variant", {"tau-b": "b", "tau-a": "a"}),
            Choice("means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None}),
        ),
        cells,
        "how much better AP predicts P@10 on other topics than P@10 does",
        lead,
    ),
)
