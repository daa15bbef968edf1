"""The tables of the book's section on roads."""

import pandas as pd

from lib.studies.roads.claims import CLAIMS
from lib.studies.roads.package import read_place
from lib.studies.roads.table import PAPERS, best, effects, whole
from lib.studies.roads.words import WORDS, summary


def through(paper: str) -> pd.DataFrame:
    """Return all roads through a whole paper; see :func:`lib.studies.roads.whole`.

    Examples
    --------
    >>> len(through("thom2007"))
    48
    """
    return whole((given.choices, read_place(paper, given.name)) for given in PAPERS[paper])


def printed_by_road() -> pd.DataFrame:
    """Count for each place, and each paper whole, the printed numbers that roads match."""
    rows = {}
    for paper, places in PAPERS.items():
        tables = {given.name: read_place(paper, given.name) for given in places}
        if len(tables) > 1:
            tables["all places"] = through(paper)
        for name, table in tables.items():
            matched = table["matched"]
            rows[(paper, name)] = {
                "roads": len(table),
                "numbers": table["cells"].iloc[0],
                "ours": matched.iloc[0],
                "best": matched.max(),
                "as many": len(best(table)),
                "median": int(matched.median()),
                "least": matched.min(),
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["paper", "place"])


def choices_that_matter(paper: str) -> pd.DataFrame:
    """Say what each choice costs, over all places of a paper where it plays a part."""
    parts = [effects(given.choices, read_place(paper, given.name)) for given in PAPERS[paper]]
    lost = pd.concat(parts)[["on the book's road", "mean"]]
    found = lost.groupby(level=[0, 1], sort=False).sum()
    return found.sort_values("mean", ascending=False, kind="stable")


def claims_by_words(table: pd.DataFrame) -> pd.DataFrame:
    """Count for each claim the collections on which it holds on every road, on some, on none."""
    said = summary(table)
    rows = {}
    for claim, part in said.groupby(level="claim", sort=False):
        counts = part["holds"].value_counts()
        rows[CLAIMS[str(claim)].number] = {
            "collections": len(part),
            **{text: int(counts.get(text, 0)) for text in WORDS},
            "told on every road": int((part["told yes"] == WORDS[0]).sum()),
            "refuted on every road": int((part["told no"] == WORDS[0]).sum()),
        }
    order = [claim.number for claim in CLAIMS.values() if claim.number in rows]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("number").loc[order]
