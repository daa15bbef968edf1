"""What the paper leaves open, and what becomes of its numbers when a choice is made otherwise."""

from dataclasses import replace
from typing import Any

import pandas as pd

from lib.collection import Collection, cached
from lib.papers.webber2010.depth import PRINTED
from lib.papers.webber2010.tables import COLUMNS, table1
from lib.paths import DATA
from lib.published import REPRODUCED, compare


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
_ALL = tuple(_COUNTED)

# What the paper leaves open: the choice, the value that matches, another value, the places where
# it plays a part, and the argument that makes it otherwise (None: another collection).
CHOICES: tuple[tuple[str, str, str, tuple[str, ...], dict[str, Any] | None], ...] = (
    ("document scores", "double", "single", _ALL, None),
    (
        "pools made from",
        "all 129 runs",
        "the 71 judged",
        ("Table 2", "Table 3", "Figure 2", "Section 4.2"),
        {"by": "pooled"},
    ),
    ("identical pairs", "left out", "kept", ("Table 1", "Section 4.2"), {"identical": "kept"}),
    ("identical pairs", "kept, p = 1", "left out", ("Table 3",), {"identical": "left out"}),
    ("pool at depth 10", "depth 10", "all judged", ("Table 2",), {"pool": None}),
    ("RBP .8, judgements", "all", "pool 10", ("Table 2",), {"rbp_pool": 10}),
    ("RBP .8, depth", "whole list", "rank 10", ("Table 2",), {"rbp_cut": True}),
    (
        "RBP .8, both",
        "all, whole list",
        "pool 10, rank 10",
        ("Table 2",),
        {"rbp_pool": 10, "rbp_cut": True},
    ),
    ("RBP, depth", "cut at k", "whole list", ("Table 3",), {"rbp_cut": False}),
    ("RBP, p", "printed, .8", ".1^(1/10)", ("Table 2",), {"rbp": "exact"}),
    ("RBP, p", ".1^(1/10)", "printed, .8", ("Table 3",), {"rbp": "printed"}),
    ("AP, normalization", "expanded", "abbreviated", ("Table 2",), {"average": "aAP"}),
    ("AP, normalization", "abbreviated", "expanded", ("Table 3",), {"average": "AP"}),
    ("DCG, discount", "log2(max(2, i))", "log2(i + 1)", _ALL, {"discount": "trec_eval"}),
    ("means", "10 decimals", "not rounded", ("Table 2", "Figure 2"), {"decimals": None}),
    ("p values", "not rounded", "4 decimals", ("Table 3",), {"p_decimals": 4}),
    ("Kendall's tau", "tau-b", "tau-a", ("Table 2", "Figure 2"), {"variant": "a"}),
)


def choices(collection: Collection) -> pd.DataFrame:
    """Count the printed cells that come out on TREC-8 when one open choice is made otherwise.

    Columns choice, matching, otherwise, and one a place: the number of its cells that are
    reproduced, missing where the choice plays no part.  The first row has all choices as they
    match.
    """
    double, single = cached(collection), in_single_precision(collection)
    rows: list[dict[str, Any]] = [
        {"choice": "all as they match", "matching": "", "otherwise": ""} | reproduced(double)
    ]
    for choice, matching, otherwise, places, argument in CHOICES:
        changed = single if argument is None else double
        made = {"choice": choice, "matching": matching, "otherwise": otherwise}
        rows.append(made | reproduced(changed, places, **(argument or {})))
    return pd.DataFrame(rows).astype(dict.fromkeys(_ALL, "Int64"))


def reproduced(
    collection: Collection, places: tuple[str, ...] = _ALL, **argument: Any
) -> dict[str, int]:
    """Count the numbers of each place that come out on TREC-8 with a choice made otherwise."""
    counts = {}
    for place in places:
        found = compare("webber2010", place, _COUNTED[place](collection, **argument))
        numbers = found[found["published"] != "yes"]
        counts[place] = int((numbers["verdict"] == REPRODUCED).sum())
    return counts
