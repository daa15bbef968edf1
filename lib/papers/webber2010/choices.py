"""What the paper leaves open, and what becomes of its numbers when a choice is made otherwise."""

from dataclasses import replace

import pandas as pd

from lib.collection import load
from lib.papers.webber2010.depth import figure2_taus, powers_in_text
from lib.papers.webber2010.tables import table1, table2, table3
from lib.paths import DATA
from lib.published import compare

__all__ = ["choices", "in_single_precision"]


def in_single_precision(collection=None):
    """Return TREC-8 as it is when scores are compared in single precision, as trec_eval 9 does.

    A few runs write scores that differ beyond the seven digits of single precision; there such
    documents tie and fall into the order of their names.  The hits that move are in
    ``data/trec8-single``.

    Parameters
    ----------
    collection : Collection, optional
        TREC-8, the default; nothing is known of another.

    Returns
    -------
    Collection
        Its table of pool sizes stays that of double precision.
    """
    collection = collection or load("trec8")
    moved = pd.read_csv(DATA / "trec8-single" / "moved.csv")
    key = ["topic", "system", "document"]
    hits = collection.hits.merge(moved, on=key, how="left", suffixes=("", "_moved"))
    for column in ("rank", "nonrelevant"):
        now = hits.pop(f"{column}_moved").fillna(hits[column])
        hits[column] = now.astype(collection.hits[column].dtype)
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    name = f"{collection.name}, single precision"
    return replace(collection, name=name, hits=hits, _relevance={})


_PRINTED = {
    "Table 1": table1,
    "Table 2": table2,
    "Table 3": table3,
    "Figure 2": figure2_taus,
    "Section 4.2": powers_in_text,
}
_ALL = tuple(_PRINTED)

# What the paper leaves open: the choice, the value that matches, another value, the places where
# it plays a part, and the argument that makes it otherwise (None: another collection).
CHOICES = (
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


def choices(collection=None):
    """Count the printed cells that come out when one open choice is made otherwise.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    DataFrame
        Columns choice, matching, otherwise, and one a place: the number of its cells that are
        reproduced, missing where the choice plays no part.  The first row has all choices as they
        match.
    """
    collection = collection or load("trec8")
    rows = [("all as they match", "", "", *(_reproduced(p, collection) for p in _PRINTED))]
    for choice, matching, otherwise, places, argument in CHOICES:
        changed = in_single_precision(collection) if argument is None else collection
        rows.append(
            (
                choice,
                matching,
                otherwise,
                *(
                    _reproduced(place, changed, **(argument or {})) if place in places else None
                    for place in _PRINTED
                ),
            )
        )
    table = pd.DataFrame(rows, columns=["choice", "matching", "otherwise", *_PRINTED])
    return table.astype(dict.fromkeys(_PRINTED, "Int64"))


def _reproduced(place, collection, **argument):
    """Count the reproduced numbers of a place: Table 1's five measures and their mean, say."""
    found = compare("webber2010", place, _PRINTED[place](collection, **argument))
    return int((found[found["published"] != "yes"]["verdict"] == "reproduced").sum())
