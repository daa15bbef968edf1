"""The tables of the book's section on analysis paths, and the numbers of its text."""

import pandas as pd

from lib.display.tables import minus_signs
from lib.studies.committed import read
from lib.studies.roads.claims import CLAIMS, WORDS, summary
from lib.studies.roads.places import PAPERS, place
from lib.studies.roads.roads import best, effects, whole

ENDS = ("least", "most")


def read_place(paper: str, name: str) -> pd.DataFrame:
    """Return all paths through a place of a paper, the book's first.

    Examples
    --------
    >>> len(read_place("webber2010", "Table 2"))
    1024
    """
    return read("roads", place(paper, name).file)


def through(paper: str) -> pd.DataFrame:
    """Return all paths through a whole paper; see :func:`lib.studies.roads.roads.whole`.

    Examples
    --------
    >>> len(through("thom2007"))
    48
    """
    return whole((given.choices, read_place(paper, given.name)) for given in PAPERS[paper])


def printed_by_path() -> pd.DataFrame:
    """Count for each place, and each paper whole, the printed numbers that paths match."""
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
    """Count for each claim the collections on which it holds on every path, on some, on none."""
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


def quoted(table: pd.DataFrame) -> dict[str, str]:
    """Return what the text says beside these tables, from the claims along all paths."""
    every = summary(table)
    wider = every["high"] - every["low"] > every["most"] - every["least"]
    low, high = (minus_signs(f"{every.loc[('p10-AP', 'trec8'), end]:+.3f}") for end in ENDS)
    (choice, otherwise), dearest = next(iter(choices_that_matter("webber2010").iterrows()))
    return {
        "paths-asked": str(len(every)),
        "paths-wider": str(wider.sum()),
        "paths-p10-ap-trec8": f"{low} and {high}",
        "paths-webber2010-choice": f"{choice}: {otherwise}",
        "paths-webber2010-lost": f"{dearest['mean']:.1f}",
    }
