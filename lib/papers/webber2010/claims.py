"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Here: of earlier studies and of Table 1.  ``claims_on_material`` has section 3 and Figure 1,
``claims_on_rankings`` Table 2 and Figure 2, ``claims_on_depth`` Figures 3 and 4,
``claims_in_conclusion`` the rest.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import CONSTANT, OTHER_DATA, PRINT, Claims, above
from lib.papers.webber2010 import (
    claims_in_conclusion,
    claims_on_depth,
    claims_on_material,
    claims_on_rankings,
)
from lib.papers.webber2010.depth import PRINTED
from lib.papers.webber2010.evidence import Evidence
from lib.papers.webber2010.hypotheses import HYPOTHESES
from lib.papers.webber2010.others import ROBUST, most_by_mean, robust
from lib.papers.webber2010.tables import COLUMNS, measures_of_table1
from lib.papers.webber2010.yardsticks import PLAIN
from lib.published import half_digit

__all__ = ["CLAIMS"]

# Start of a slug: the column of Table 1 that it speaks of, and the measure in bold there.
COLUMN = {
    "trec5": ("TREC-5 ad hoc", "nDCG"),
    "trec8": ("TREC-8 ad hoc", "AP"),
    "trec2001": ("TREC 2001 Web", "nDCG"),
    "trec2004": (ROBUST, "AP"),
    "trec2005": ("TREC 2005 Terabyte", "nDCG"),
    "mean": ("mean", "nDCG"),
}
RUN_SETS = {slug: name for slug, (name, _) in COLUMN.items() if slug != "mean"}
# Whose runs are public, and what has the numbers that come of them.
OWN: dict[str, Callable[[Evidence], Evidence]] = {"trec5": lambda e: e.trec5, "trec8": lambda e: e}
# What needs the runs of the other three collections, besides their columns of Table 1.
OTHERS = ("trec2001-systems", "trec2004-", "trec2005-")


def closed(row: Any) -> str:
    """Return why a row cannot be computed; the empty string where it could."""
    if row.place == "Table 1" and row.column == ROBUST:
        return "of the runs of Robust 2004 scores by AP and P@10 are public, and no others"
    if row.place == "Table 1" or row.row.startswith(OTHERS):
        return "the runs of the other three collections are in NIST's password area"
    return ""


# Sections 1, 2 and 4 and Table 1: which measure tells most apart

BEST = ["AP@1000", "nDCG@1000"]
RBP = ["RBP(p=0.8)", "RBP(p=0.95)"]
SHALLOW = ["P@10", "RBP(p=0.8)"]


def over(numbers: pd.Series, best: list[str], rest: list[str]) -> np.ndarray:
    """Return all differences of one of the best and one of the rest."""
    return np.subtract.outer(numbers[best].to_numpy(), numbers[rest].to_numpy()).ravel()


def shallow_behind(column: pd.Series) -> np.ndarray:
    return over(column, list(column.index.drop(SHALLOW)), SHALLOW)


def of(slug: str, difference: Callable[[pd.Series], Any], why: str = "") -> Any:
    """State that differences in a column of ours are above zero, with its own error over topics."""
    claim = above(lambda e: difference(e.own.drop("mean")), why)
    return lambda e: claim(OWN[slug](e))


def bold(slug: str) -> Any:
    """State that the measure in bold is the most discriminative of a column."""
    name, most = COLUMN[slug][0], f"{COLUMN[slug][1]}@1000"
    if slug in OWN:
        return of(slug, lambda column: column[most] - column.drop(most))
    return lambda e: e.columns[name].idxmax() == most


def much_more_often(e: Evidence) -> bool:
    """Is nDCG plainly ahead of RBP(p=0.95) in most columns?"""
    lead = e.columns.loc["nDCG@1000"] - e.columns.loc["RBP(p=0.95)"]
    return (lead[[*RUN_SETS.values()]] >= PLAIN).mean() > 0.5


def ndcg_beats_rbp(slug: str, name: str) -> Any:
    if slug in OWN:
        return of(slug, lambda column: column["nDCG@1000"] - column["RBP(p=0.95)"])
    return lambda e: e.columns[name]["nDCG@1000"] > e.columns[name]["RBP(p=0.95)"]


def p10_rbp_least(slug: str, name: str) -> Any:
    if slug in OWN:
        return of(slug, shallow_behind)
    return lambda e: bool((shallow_behind(e.columns[name]) > 0).all())


def best_alternates(e: Evidence) -> bool:
    """Is AP the best of some columns, nDCG of the others, and nothing else of any?"""
    return set(e.columns[[*RUN_SETS.values()]].idxmax()) == set(BEST)


AP, TREC5 = "AP@1000", COLUMNS["trec5"]
# Cells of Table 1 that are means of others which cannot be computed.
CELLS_OF_MEANS = [
    *(("mean", name) for slug, name in RUN_SETS.items() if slug not in OWN),
    *((row, "mean") for row in (*measures_of_table1(), "mean")),
]


def means_of_print(e: Evidence) -> pd.DataFrame:
    """Return the means of printed cells."""
    table = e.others.astype(float)
    cells = table.drop(index="mean", columns="mean")
    whole = cells.assign(mean=cells.mean(axis=1))
    whole.loc["mean"] = whole.mean()
    rows = []
    for row, column in CELLS_OF_MEANS:
        off = abs(whole.loc[row, column] - table.loc[row, column])
        cause = "the printed cells are rounded, which may move their mean by .0005"
        if (row, column) == (AP, "mean"):
            ours = cells.loc[AP].where(cells.columns != TREC5, e.trec5.own[AP])
            cause += f"; with TREC-5's cell as its runs have it, the mean is {ours.mean():.3f}"
        near = half_digit("0.001") < off <= 2 * half_digit("0.001")
        rows.append((row, column, whole.loc[row, column], 0.0, cause if near else ""))
    return pd.DataFrame(rows, columns=["row", "column", "value", "error", "cause"])


def table1_and_means(e: Evidence) -> pd.DataFrame:
    # The paper's column, whatever stands in for TREC-5.
    parts = [e.cells("Table 1"), e.trec5.cells("Table 1").assign(column=TREC5), robust()]
    ours = pd.concat(parts, ignore_index=True).assign(cause="")
    ours.loc[(ours["row"] == AP) & (ours["column"] == TREC5), "cause"] = misprint(e)
    return pd.concat([ours, means_of_print(e)], ignore_index=True)


def misprint(e: Evidence) -> str:
    """Return what the printed mean of TREC-5's column says of the one cell that is not as printed.

    Nothing else was found: single precision, scores of four decimals, the scores that others
    published, and pairs of systems with the same scores leave the cell as it is.
    """
    mean = e.others.loc["mean", TREC5]
    most = most_by_mean(e.trec5.own.drop("mean"), mean, AP)
    if float(e.others.loc[AP, TREC5]) - half_digit("0.001") < most:
        return ""
    return (
        f"a misprint, it seems: beside our other four numbers, which are as printed, the printed "
        f"mean of the column, {mean}, leaves AP {most:.4f} at most"
    )


SECTION_1 = {
    "ap-more-stable-than-rbp": above(lambda e: over(e.own, ["AP@1000"], RBP)),
    "ndcg-more-stable-than-rbp": above(lambda e: over(e.own, ["nDCG@1000"], RBP)),
    "ap-more-stable-than-p10": above(lambda e: e.own["AP@1000"] - e.own["P@10"]),
    "ndcg-more-stable-than-p10": above(lambda e: e.own["nDCG@1000"] - e.own["P@10"]),
    "rbp-more-stable-than-p10": above(lambda e: over(e.own, RBP, ["P@10"])),
    "hypotheses": lambda e: len(HYPOTHESES),
}
# Cited from Webber 2008, Sakai 2006, and Buckley and Voorhees 2000: on other data.
PREDICTIVE, WEAK = ["AP", "nDCG"], ["P@10", "RR"]
STABLE = ["P@1000", "R@1000"]
SECTION_2 = {
    "ap-ndcg-most-predictive": above(lambda e: over(e.phi, PREDICTIVE, ["RBP(p=0.95)", *WEAK])),
    "rbp-less-predictive": above(lambda e: over(e.phi, PREDICTIVE, ["RBP(p=0.95)"])),
    "p10-rr-least-predictive": above(lambda e: over(e.phi, ["RBP(p=0.95)", *PREDICTIVE], WEAK)),
    "ap-ndcg-among-most-discriminative": above(
        lambda e: over(e.powers, PREDICTIVE, ["P@1000", "RBP(p=0.95)", "P@10"])
    ),
    "q-measure-among-most-discriminative": above(
        lambda e: over(e.powers, ["Q"], ["P@1000", "RBP(p=0.95)", "P@10"])
    ),
    "p1000-least-discriminative": above(lambda e: e.powers.drop(["P@1000"]) - e.powers["P@1000"]),
    "swap-rate-p1000-r1000-lowest": above(lambda e: over(e.phi, STABLE, ["Rprec", "AP", "P@10"])),
    "swap-rate-rprec-ap-follow": above(lambda e: over(e.phi, ["Rprec", "AP"], ["P@10"])),
    "swap-rate-p10-highest": above(lambda e: over(e.phi, [*STABLE, "Rprec", "AP"], ["P@10"])),
}
SECTION_4 = {
    "metrics-in-table-1": lambda e: len(measures_of_table1()),
    "collections-in-table-1": lambda e: len(RUN_SETS),
    "best-metric-is-ndcg-or-ap": best_alternates,
    "ndcg-often-much-more-than-rbp-0.95": much_more_often,
    **{f"{slug}-ndcg-beats-rbp-0.95": ndcg_beats_rbp(slug, n) for slug, n in RUN_SETS.items()},
    **{f"{slug}-p10-rbp-0.8-least": p10_rbp_least(slug, name) for slug, name in RUN_SETS.items()},
}
TABLE_1 = {
    f"{slug}-most-discriminative-{most.lower()}": bold(slug) for slug, (_, most) in COLUMN.items()
}

# What a row rests on, where that is not TREC-8's runs.
BY_DEFINITION = {
    "Figure 1": claims_on_material.FIGURE_1,
    "Section 1": ["hypotheses"],
    "Section 3.1": set(claims_on_material.SECTION_3_1)
    - {"deeper-pool-raises-r", "unpooled-runs-lose"},
    "Section 3.2": ["alpha"],
    "Section 3.3": ["share-of-systems-others-drop"],
    "Section 4": ["metrics-in-table-1", "collections-in-table-1"],
    "Section 4.1": ["second-run-second-deep"],  # that is how we tell which run it is
    "Section 4.2": [
        "pool-depth-min",
        "pool-depth-max",
        "evaluation-depth-min",
        "evaluation-depth-max",
        "abbreviated-recall-is-precision",
        "deeper-pool-leaves-raw-metrics",
    ],
    "Table 2": ["pool-depth-for-evaluation-depth-10", "pool-depth-for-evaluation-depth-1000"],
}
ON_PRINT = {
    "Abstract": ["ndcg-often-most-discriminative"],
    "Section 3.2": ["smallest-topic-set"],
    "Section 4": [slug for slug in SECTION_4 if not slug.startswith((*OWN, "metrics", "coll"))],
    "Table 1": [slug for slug in TABLE_1 if not slug.startswith(tuple(OWN))],
}
ON_SCORES = {"Section 3.3": ["trec2004-systems", "trec2004-topics"]}


def rows(places: Mapping[str, Iterable[str]]) -> set[tuple[str, ...]]:
    return {(place, slug) for place, slugs in places.items() for slug in slugs}


CLAIMS = Claims(
    evidence=Evidence,
    cells={place: partial(Evidence.cells, place=place) for place in PRINTED}
    | {"Table 1": table1_and_means},
    rows={
        "Abstract": claims_in_conclusion.ABSTRACT,
        "Section 1": SECTION_1,
        "Section 2": SECTION_2,
        "Section 3.1": claims_on_material.SECTION_3_1,
        "Section 3.2": claims_on_material.SECTION_3_2,
        "Section 3.3": claims_on_material.SECTION_3_3,
        "Section 4": SECTION_4,
        "Section 4.1": claims_on_rankings.SECTION_4_1,
        "Section 4.2": claims_in_conclusion.SECTION_4_2,
        "Conclusion": claims_in_conclusion.CONCLUSION,
        "Table 1": TABLE_1,
        "Table 2": claims_on_rankings.TABLE_2,
        "Figure 1": claims_on_material.FIGURE_1,
        "Figure 2": claims_on_rankings.FIGURE_2,
        "Figure 3": claims_on_depth.FIGURE_3,
        "Figure 4": claims_on_depth.FIGURE_4,
    },
    closed=closed,
    otherwise={
        CONSTANT: rows(BY_DEFINITION),
        PRINT: rows(ON_PRINT) | {("Table 1", *cell) for cell in CELLS_OF_MEANS},
        OTHER_DATA: rows({"Section 2": SECTION_2})
        | rows(ON_SCORES)
        | {("Table 1", row, ROBUST) for row in ("P@10", AP)},
    },
)
