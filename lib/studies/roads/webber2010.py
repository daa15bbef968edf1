"""The roads through Webber 2010: its three tables, Figure 2 and the numbers of section 4.2."""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from lib.measures import Scores, complete_scores
from lib.papers.webber2010.depth import figure2_taus, powers_in_text
from lib.papers.webber2010.tables import ALPHA, COLUMNS, scores_of_table2, table1, table2, table3
from lib.statistics.correlation import tau_matrix
from lib.statistics.jackknife import Interval, jackknife
from lib.studies.roads.power import drawn, p_without, power
from lib.studies.roads.roads import Choice, Place
from lib.studies.roads.webber2008 import SCORES, trec8

BY = Choice("pools made from", "by", {"all 129 runs": "all", "the 71 judged": "pooled"})
DISCOUNT = Choice(
    "DCG's discount", "discount", {"log2(max(2, i))": "2002", "log2(i + 1)": "trec_eval"}
)
TEST = Choice("test", "test", {x: x for x in ("t", "Wilcoxon", "permutation", "sign")})
SIDES = Choice("sides", "sides", {"two": 2, "one": 1})
IDENTICAL = Choice("identical pairs", "identical", {"left out": "left out", "kept": "kept"})
TAU = Choice("Kendall's tau", "variant", {"tau-b": "b", "tau-a": "a"})
MEANS = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})

Options = Mapping[str, Any]


def _table1(*, scores: str, test: str, **other: Any) -> pd.DataFrame:
    """Compute Table 1 in the paper's column: in single precision, too, these are its runs."""
    table = table1(trec8(scores), test=test, **drawn(test), **other)
    return table.assign(column=COLUMNS["trec8"])


def _table2(*, scores: str, **other: Any) -> pd.DataFrame:
    return table2(trec8(scores), **other)


def _table3(*, scores: str, test: str, **other: Any) -> pd.DataFrame:
    return table3(trec8(scores), test=test, **drawn(test), **other)


def _figure2(*, scores: str, **other: Any) -> pd.DataFrame:
    return figure2_taus(trec8(scores), **other)


def _section(*, scores: str, test: str, **other: Any) -> pd.DataFrame:
    depths: Options = {"pools": (5, 10, 20, 100), "depths": (10, 20, 100)}
    return powers_in_text(trec8(scores), test=test, **drawn(test), **depths, **other)


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
            trec8(scores).pooled(pool, by=by), f"nDCG(discount={discount},rel=1)@{depth}"
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


PLACES = (
    Place(
        "webber2010",
        "Table 1",
        (SCORES, DISCOUNT, TEST, SIDES, IDENTICAL),
        _table1,
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
        _table2,
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
        _table3,
    ),
    Place(
        "webber2010",
        "Figure 2",
        (SCORES, DISCOUNT, BY, MEANS, TAU),
        _figure2,
        "how much nearer extended nDCG is to deep nDCG than shallow nDCG is",
        _of_figure2,
    ),
    Place(
        "webber2010",
        "Section 4.2",
        (SCORES, DISCOUNT, BY, TEST, SIDES, IDENTICAL),
        _section,
        "by how much more pairs of systems standardized AP tells apart than recall at depth 100",
        _of_section,
    ),
)
