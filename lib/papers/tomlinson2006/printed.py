"""What the paper and its poster print."""

import numpy as np
import pandas as pd

from lib import published
from lib.paths import DATA
from lib.statistics.impact import OUTCOMES

__all__ = [
    "EARLY",
    "FAMILIES",
    "FOUR",
    "MEASURES",
    "SYSTEMS",
    "five",
    "marks",
    "poster",
    "printed",
    "rounding",
    "stars",
]

# The 30 measures of Table 2: the paper's label, and the name in lib.
MEASURES = {
    "GS10": "GS10",
    **{f"S{k}": f"Success@{k}" for k in (1, 5, 10, 1000)},
    "MRR": "RR",
    **{f"P{k}": f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
    "R-Prec": "Rprec",
    "MAP": "AP",
    "GMAP": "GMAP",
    "bpref": "Bpref",
    **{f"I{share}": f"IPrec@{share / 100}" for share in range(0, 101, 10)},
}
# I0, interpolated precision at recall 0, is the highest precision at any rank: it need not be that
# of the first relevant document, and is no part of that family.
FAMILIES = {
    "the first relevant document": ("GS10", "S1", "S5", "S10", "S1000", "MRR"),
    "the rank of the highest precision": ("I0",),
    "precision at a depth": (*(label for label in MEASURES if label[0] == "P"), "R-Prec"),
    "the whole list": ("MAP", "GMAP", "bpref", *(f"I{share}" for share in range(10, 101, 10))),
}
# The four measures of Table 1, in its order.
FOUR = {"MAP": "AP", "P10": "P@10", "MRR": "RR", "GS10": "GS10"}
EARLY = ("P5", "P10", "P15", "P20", "P30")  # the paper: precision of the first 5 to 30 documents

SYSTEMS = ("albany", "city", "clarit", "cmu", "sabir", "umass", "waterloo")


def printed(number: int) -> pd.DataFrame:
    """Return Table 1 or 2 as printed: DataFrame of numbers in the paper's order.

    Examples
    --------
    >>> printed(1).loc["clarit difference"].to_dict()
    {'AP': 0.026, 'P@10': 0.024, 'RR': 0.026, 'GS10': -0.014}
    """
    return published.printed("tomlinson2006", f"Table {number}").astype(float)


def rounding() -> pd.DataFrame:
    """Return the printed differences that are not the difference of the printed means.

    Returns
    -------
    DataFrame
        Index system, measure; columns base, feedback, difference (as printed), feedback less base.

    Examples
    --------
    >>> rounding().loc[("clarit", "AP")].to_dict()
    {'base': 0.185, 'feedback': 0.21, 'difference': 0.026, 'feedback less base': 0.025}
    """
    table = printed(1)
    table.index = pd.MultiIndex.from_tuples(
        [tuple(row.split()) for row in table.index], names=["system", ""]
    )
    rows = table.rename_axis(columns="measure").stack().unstack(1, sort=False)
    rows["feedback less base"] = (rows["feedback"] - rows["base"]).round(3)
    off = rows[rows["difference"] != rows["feedback less base"]]
    return off.rename_axis(columns=None)


def poster() -> pd.DataFrame:
    """Return what the author's poster prints of six measures and seven systems.

    It marks with a star what the paper has in bold, which the copy of the paper that the book was
    made from has lost.

    Returns
    -------
    DataFrame
        Index system, measure; columns difference (as printed, two decimals) and significant (at
        the 5% level).

    Examples
    --------
    >>> poster().loc[("clarit", "P10")].to_dict()
    {'difference': '+0.02', 'significant': True}
    """
    table = pd.read_csv(DATA / "poster06" / "differences.csv", dtype=str)
    table["significant"] = table["significant"] == "yes"
    return table.set_index(["system", "measure"])


def stars(table: pd.DataFrame | None = None, counts: pd.DataFrame | None = None) -> pd.DataFrame:
    """Set the five counts that the poster's stars give beside those of the printed Table 2.

    Parameters
    ----------
    table, counts : DataFrame, optional
        By default :func:`poster` and the printed Table 2.

    Returns
    -------
    DataFrame
        One row a measure of the poster, in the order of Table 2; columns poster, Table 2 (the
        counts ns no z po ps), same ("yes" or "no").
    """
    table, counts = poster() if table is None else table, printed(2) if counts is None else counts
    outcome = table["difference"].str[0].map({"-": "n", "+": "p"}) + table["significant"].map(
        {True: "s", False: "o"}
    )
    of_stars = outcome.groupby("measure").value_counts().unstack(fill_value=0)
    of_stars = of_stars.reindex(columns=OUTCOMES, fill_value=0)
    of_stars = of_stars.loc[[label for label in counts.index if label in of_stars.index]]
    both = pd.DataFrame({"poster": five(of_stars), "Table 2": five(counts)[of_stars.index]})
    return both.assign(same=np.where(both["poster"] == both["Table 2"], "yes", "no"))


def marks() -> np.ndarray:
    """Return which cells of the printed Table 1 are significant by the poster's stars.

    Returns
    -------
    ndarray of bool, of the shape of ``printed(1)``
    """
    stars_of = poster()["significant"]
    return np.array(
        [
            [row.endswith("difference") and stars_of[row.split()[0], label] for label in FOUR]
            for row in printed(1).index
        ]
    )


def five(table: pd.DataFrame) -> pd.Series:
    """Return the five counts of each row in one cell that no line break divides."""
    return table[list(OUTCOMES)].astype(int).astype(str).agg("\u00a0".join, axis=1)
