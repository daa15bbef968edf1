"""The ledger: every published number and claim, ours beside it, and a verdict."""

from collections.abc import Iterable

import pandas as pd

from lib.claims import CONSTANT, PRINT
from lib.papers import paper
from lib.paths import DATA
from lib.published import (
    INCONCLUSIVE,
    NOT_PUBLIC,
    NOT_TESTABLE,
    NOT_YET,
    REPRODUCED,
    VERDICTS,
    judge,
    names,
    read,
)

__all__ = [
    "COMMITTED",
    "KEY",
    "KINDS",
    "committed",
    "counted_as",
    "ledger",
    "totals",
    "verdicts",
    "worse",
]

COMMITTED = DATA / "ledger.csv"
KEY = ["paper", "place", "row", "column"]
COLUMNS = (
    "paper kind place row column published reproduced difference tolerance estimate low high "
    "verdict evidence cause anchor"
).split()
UNKNOWN = (NOT_TESTABLE, NOT_PUBLIC, NOT_YET)  # nothing was computed
ON_PRINT = {True: "print agrees", False: "print differs"}
BY_DEFINITION = "definition"
KINDS = (*VERDICTS, *ON_PRINT.values(), BY_DEFINITION)


def ledger(papers: Iterable[str] | None = None) -> pd.DataFrame:
    """Compute every row of the ledger.

    Parameters
    ----------
    papers : iterable of str, optional
        Names of papers; by default all.

    Returns
    -------
    DataFrame
        Columns paper, kind, place, row, column, published, reproduced, difference, tolerance,
        estimate, low, high (of a comparison, with its interval over topics), verdict, evidence
        (what it rests on), cause, anchor: the label of the heading in the book that computes it.
    """
    return pd.concat([_of_paper(name) for name in papers or names()], ignore_index=True)


def _of_paper(name):
    of = paper(name)
    printed = read(name)
    unknown = of.findings.merge(printed, on=KEY[1:], how="left", indicator=True)
    unknown = unknown[unknown["_merge"] == "left_only"]
    if len(unknown):
        raise ValueError(f"{name}: not in data/published: {unknown[KEY[1:]].iloc[0].tolist()}")
    merged = printed.merge(of.findings, on=KEY[1:], how="left", validate="one_to_one")
    rows = [_row(of, row) for row in merged.itertuples()]
    return pd.DataFrame(rows).assign(paper=name)[COLUMNS]


def _row(of, row):
    """Judge one published row, and say what its verdict rests on."""
    error = 0.0 if pd.isna(row.error) else row.error
    difference, tolerance, verdict = judge(row.printed, row.value, error)
    if verdict == NOT_YET and isinstance(row.status, str) and row.status:
        verdict = row.status
    stays = verdict not in VERDICTS[:2] and isinstance(row.cause, str)
    return {
        "kind": row.kind,
        "place": row.place,
        "row": row.row,
        "column": row.column,
        "published": row.printed,
        "reproduced": _shown(row.printed, row.value, verdict),
        "difference": _rounded(difference),
        "tolerance": _rounded(tolerance),
        "estimate": _rounded(row.estimate),
        "low": _rounded(row.low),
        "high": _rounded(row.high),
        "verdict": verdict,
        "evidence": ""
        if verdict in UNKNOWN
        else of.claims.rests_on(row.place, row.row, row.column),
        "cause": row.cause if stays else "",
        "anchor": of.anchor(row.place),
    }


def _shown(printed, value, verdict):
    """Return our value with two digits more than the printed one has."""
    if verdict in UNKNOWN or verdict == INCONCLUSIVE:
        return ""
    if printed == "yes":
        return "yes" if value else "no"
    decimals = len(printed.partition(".")[2])
    return f"{float(value):.{decimals + 2 if decimals else 0}f}"


def _rounded(number):
    return "" if pd.isna(number) else f"{number + 0.0:.4f}".replace("-0.0000", "0.0000")


def committed() -> pd.DataFrame:
    """Return the ledger as it is committed."""
    return pd.read_csv(COMMITTED, dtype=str, keep_default_na=False)


def worse(now: pd.DataFrame, before: pd.DataFrame) -> pd.DataFrame:
    """Return the rows whose verdict is worse than before.

    Examples
    --------
    >>> row = {"paper": "p", "place": "Table 1", "row": "a", "column": "b"}
    >>> now = pd.DataFrame([row | {"verdict": "differs"}])
    >>> before = pd.DataFrame([row | {"verdict": "reproduced"}])
    >>> len(worse(now, before)), len(worse(before, now)), len(worse(now, now))
    (1, 0, 0)
    """
    merged = now.merge(before[[*KEY, "verdict"]], on=KEY, suffixes=("", "_before"))
    rank = {verdict: i for i, verdict in enumerate(VERDICTS)}
    return merged[merged["verdict"].map(rank) > merged["verdict_before"].map(rank)]


def counted_as(table: pd.DataFrame) -> pd.Series:
    """Return as what each row counts: its verdict, where that rests on data.

    Arithmetic on printed numbers says that a paper agrees with itself, and a constant or a
    definition says nothing of the data: these count apart.
    """
    kind = table["verdict"].copy()
    on_print = table["evidence"] == PRINT
    kind[on_print] = (table["verdict"][on_print] == REPRODUCED).map(ON_PRINT)
    kind[table["evidence"] == CONSTANT] = BY_DEFINITION
    return kind


def totals(table: pd.DataFrame) -> pd.DataFrame:
    """Count the rows: one row a paper, one column a verdict (see :func:`counted_as`), the sums."""
    counts = pd.crosstab(table["paper"], counted_as(table))
    counts = counts.reindex(index=list(names()), columns=list(KINDS), fill_value=0)
    counts.columns.name = counts.index.name = None
    counts["all"] = counts.sum(axis=1)
    counts.loc["all"] = counts.sum()
    return counts


def verdicts(name: str) -> pd.DataFrame:
    """Count the verdicts of one paper: one row a place, one column a verdict that occurs.

    Examples
    --------
    >>> verdicts("webber2008").loc["Table 2"].to_dict()["data not public"]
    15
    """
    table = ledger([name])
    counts = pd.crosstab(table["place"], counted_as(table))
    counts = counts.reindex(index=table["place"].unique())
    counts = counts[[column for column in KINDS if column in counts]]
    return counts.rename_axis(index=None, columns=None)
