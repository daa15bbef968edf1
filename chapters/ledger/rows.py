"""The ledger: every published number and claim, ours beside it, and a verdict.

It is committed as ``data/ledger.csv``, which chapters and pages read;
:func:`chapters.ledger.papers.ledger` computes it.
"""

from functools import partial
from typing import Any

import pandas as pd

from chapters.ledger import paper_names
from chapters.ledger.published import CONSTANT, PRINT, REPRODUCED, SAMPLING, UNKNOWN, VERDICTS
from lib.decisions import INCONCLUSIVE
from lib.paths import DATA

_COMMITTED = DATA / "ledger.csv"
KEY = ["paper", "place", "row", "column"]
COLUMNS = (
    "paper kind place row column published reproduced difference tolerance estimate low high "
    "population adjusted word near verdict evidence cause anchor"
).split()
ON_PRINT = {True: "print agrees", False: "print differs"}
BY_DEFINITION = "definition"
ROW_KINDS = (*VERDICTS, *ON_PRINT.values(), BY_DEFINITION)


def in_digits(checked: pd.DataFrame) -> pd.DataFrame:
    """Write what :func:`chapters.ledger.claims.checked` returns as the ledger has it."""
    verdict = checked["verdict"]
    # A reader of estimates rounds them again, to three decimals: six keep that right.
    digits = {"difference": 4, "tolerance": 4, "estimate": 6, "low": 6, "high": 6, "adjusted": 4}
    text = {name: checked[name].map(partial(to_decimals, digits=n)) for name, n in digits.items()}
    return checked.assign(
        **text,
        reproduced=[_digits(row) for row in checked.itertuples()],
        evidence=checked["evidence"].mask(verdict.isin(UNKNOWN), ""),
        cause=checked["cause"].mask(verdict.isin([REPRODUCED, SAMPLING]), ""),
    )


def _digits(row: Any) -> str:
    """Return our value with two digits more than the printed one has."""
    if row.verdict in (*UNKNOWN, INCONCLUSIVE):
        return ""
    if row.published == "yes":
        return "yes" if row.reproduced else "no"
    decimals = len(row.published.partition(".")[2])
    return f"{float(row.reproduced):.{decimals + 2 if decimals else 0}f}"


def to_decimals(number: float, digits: int) -> str:
    """Write a number with so many decimals, never as minus zero; nothing where there is none."""
    return "" if pd.isna(number) else f"{round(number, digits) + 0.0:.{digits}f}"


def committed(name: str | None = None) -> pd.DataFrame:
    """Return the ledger of a paper, or of all, as it is committed: :data:`COLUMNS`, all of text.

    Estimate, low and high are of a comparison, with its interval over topics; adjusted is its p
    value after Holm's correction for the paper's claims on these data, word finding, hint or
    inconclusive; evidence is what the verdict rests on, anchor the label of the heading in the book
    that computes it.
    """
    table = pd.read_csv(_COMMITTED, dtype=str, keep_default_na=False)
    return table if name is None else table[table["paper"] == name].reset_index(drop=True)


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
    counts = pd.crosstab(table["paper"], counted_as(table), margins=True, margins_name="all")
    kinds, papers = [*ROW_KINDS, "all"], [*paper_names(), "all"]
    counts = counts.reindex(index=papers, columns=kinds, fill_value=0)
    return counts.rename_axis(index=None, columns=None)


def verdict_counts(name: str) -> pd.DataFrame:
    """Count the committed verdicts of a paper: one row a place, one column a verdict that occurs.

    Examples
    --------
    >>> verdict_counts("webber2008").loc["Table 2"].to_dict()["data not public"]
    15
    """
    table = committed(name)
    counts = pd.crosstab(table["place"], counted_as(table))
    counts = counts.reindex(index=table["place"].unique())
    counts = counts[[column for column in ROW_KINDS if column in counts]]
    return counts.rename_axis(index=None, columns=None)
