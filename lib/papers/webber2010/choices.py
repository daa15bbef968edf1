"""What the paper leaves open, and what becomes of its numbers when a choice is made otherwise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, cached, memoize
from lib.paper import DISCOUNT, SCORES, TAU, Choice
from lib.papers.webber2010.depth import PRINTED
from lib.papers.webber2010.tables import COLUMNS, table1
from lib.paths import DATA


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


def _table1(collection, **options):
    """Compute Table 1 in the paper's column: in single precision, too, these are its runs."""
    return table1(collection, **options).assign(column=COLUMNS["trec8"])


_COUNTED = PRINTED | {"Table 1": _table1}
RESAMPLES, SEED = 1000, 2013  # of the permutation test: a p of .05 has a standard error of .007

BY = Choice("pools made from", "by", {"all 129 runs": "all", "the 71 judged": "pooled"})
TEST = Choice("test", "test", {name: name for name in ("t", "Wilcoxon", "permutation", "sign")})
SIDES = Choice("sides", "sides", {"two": 2, "one": 1})
IDENTICAL = Choice("identical pairs", "identical", {"left out": "left out", "kept": "kept"})
MEANS = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})

# What the paper leaves open at each place that prints numbers; the first value matches them.
CHOICES: dict[str, tuple[Choice, ...]] = {
    "Table 1": (SCORES, DISCOUNT, TEST, SIDES, IDENTICAL),
    "Table 2": (
        SCORES,
        DISCOUNT,
        BY,
        Choice("pool at depth 10", "pool", {"depth 10": 10, "all judged": None}),
        Choice("RBP .8, judgements", "rbp_pool", {"all": None, "pool 10": 10}),
        Choice("RBP .8, depth", "rbp_cut", {"whole list": False, "rank 10": True}),
        Choice("RBP, p", "rbp", {"printed, .8": "printed", ".1^(1/10)": "exact"}),
        Choice("AP, normalization", "average", {"expanded": "AP", "abbreviated": "aAP"}),
        MEANS,
        TAU,
    ),
    "Table 3": (
        SCORES,
        DISCOUNT,
        BY,
        Choice("RBP, depth", "rbp_cut", {"cut at k": True, "whole list": False}),
        Choice("RBP, p", "rbp", {".1^(1/10)": "exact", "printed, .8": "printed"}),
        Choice("AP, normalization", "average", {"abbreviated": "aAP", "expanded": "AP"}),
        TEST,
        Choice("identical pairs", "identical", {"kept, p = 1": "kept", "left out": "left out"}),
        Choice("p values", "p_decimals", {"not rounded": None, "4 decimals": 4}),
    ),
    "Figure 2": (SCORES, DISCOUNT, BY, MEANS, TAU),
    "Section 4.2": (SCORES, DISCOUNT, BY, TEST, SIDES, IDENTICAL),
}


def along(collection: Collection, place: str, *, scores: str, **made: Any) -> pd.DataFrame:
    """Compute the cells of a place along a path of its choices, on runs that ``scores`` ordered."""
    runs = memoize(collection, scores, cached if scores == "double" else in_single_precision)
    if made.get("test") == "permutation":
        made |= {"resamples": RESAMPLES, "rng": np.random.default_rng(SEED)}
    return _COUNTED[place](runs, **made)
