"""What the papers printed, what we find instead, and the verdict.

A function of :mod:`chapters.ledger.papers` returns *cells*: a DataFrame with the columns ``row``,
``column``, ``value`` (a number, or True/False for a claim), and where there is sampling ``error``,
the Monte-Carlo standard error.  :func:`beside_printed` sets them beside the printed strings.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger import paper_names
from lib.decisions import INCONCLUSIVE
from lib.display import tables
from lib.intervals import between
from lib.paths import DATA

PUBLISHED = DATA / "published"

REPRODUCED = "reproduced"
SAMPLING = "within Monte-Carlo error"
DIFFERS = "differs"
NOT_TESTABLE = "not testable"  # the words name nothing that could be measured
NOT_PUBLIC = "data not public"
NOT_YET = "not yet"
UNKNOWN = (NOT_TESTABLE, NOT_PUBLIC, NOT_YET)  # nothing was computed
VERDICTS = (REPRODUCED, SAMPLING, INCONCLUSIVE, DIFFERS, *UNKNOWN)  # best first

# What a verdict rests on.
FROM_RUNS = "recomputed from runs"
OTHER_DATA = "other data"  # such as official scores
PRINT = "arithmetic on printed numbers"
CONSTANT = "constant or definition"
THEIRS = ["paper", "kind", "place", "row", "column", "printed", "statement", "evidence"]

SYMBOLS = dict(zip(VERDICTS, "\u2713\u2248?\u2260\u2205\u2298\u2026"))
_COLOURS = {REPRODUCED: "good", SAMPLING: "good", DIFFERS: "bad"}
SIGNS = {name: (symbol, _COLOURS.get(name, "none")) for name, symbol in SYMBOLS.items()}


def in_words(number: int) -> str:
    """Return a small number as text writes it.

    >>> in_words(4), in_words(12)
    ('four', '12')
    """
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def out_of(number: int, whole: int) -> str:
    """Return how many of a number, as text writes it.

    >>> out_of(27, 28), out_of(28, 28), out_of(7, 7)
    ('27 of 28', 'all 28', 'all seven')
    """
    return f"all {in_words(whole)}" if number == whole else f"{number} of {whole}"


def read_published(paper: str | None = None, place: str | None = None) -> pd.DataFrame:
    """Return the published numbers and claims as they were printed, by default all.

    Columns paper, kind, place (such as ``Table 1``), row, column, printed, statement, evidence,
    cause, and what a claim asks (:mod:`chapters.ledger.claims`): all strings.  ``printed`` keeps
    the printed digits, and is "yes" for a claim; ``evidence`` is what our verdict rests on, or that
    there is none, and ``cause`` why there is none.

    Examples
    --------
    >>> read_published("thom2007", "Table 1")[["row", "column", "printed"]].head(2)
       row column printed
    0  P@1     AP   0.386
    1  P@1     RR   0.865
    """
    papers = [paper] if paper else paper_names()
    table = pd.concat([_read(name) for name in papers], ignore_index=True)
    if place is not None:
        table = table[table["place"] == place].reset_index(drop=True)
    return table


@cache
def _read(paper: str) -> pd.DataFrame:
    return pd.read_csv(PUBLISHED / f"{paper}.csv", dtype=str, keep_default_na=False)


def keys(rows: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Return what names each of some published rows: its place, row and column."""
    return list(zip(rows["place"], rows["row"], rows["column"]))


@cache
def statements(paper: str) -> dict[tuple[str, str, str], str]:
    """Return what each row of a paper states, by (place, row, column); of a table cell nothing."""
    rows = _read(paper)
    return dict(zip(keys(rows), rows["statement"]))


def half_digit(printed: str) -> float:
    """Return half a unit of the last printed digit: what rounding alone explains.

    Examples
    --------
    >>> half_digit("0.50"), half_digit("129")
    (0.005, 0.5)
    """
    _, _, decimals = printed.partition(".")
    return 0.5 * 10.0 ** -len(decimals)


def cells(rows: Iterable[tuple]) -> pd.DataFrame:
    """Make cells from rows (row, column, value[, error]).

    Examples
    --------
    >>> cells([("AP", "RR", 0.37)])
      row column value  error
    0  AP     RR  0.37    0.0
    """
    every, columns = [(*row, 0.0)[:4] for row in rows], ["row", "column", "value", "error"]
    return pd.DataFrame(every, columns=columns).astype({"value": object})


def as_grid(table: pd.DataFrame, value: str = "value") -> pd.DataFrame:
    """Arrange cells in rows and columns, both in the order of their first cell.

    >>> as_grid(cells([("AP", "RR", 0.37), ("AP", "AP", 0.5)]))
          RR   AP
    AP  0.37  0.5
    """
    wide = table.pivot(index="row", columns="column", values=value)
    wide = wide.loc[table["row"].unique(), table["column"].unique()]
    return wide.rename_axis(index=None, columns=None)


def printed(paper: str, place: str) -> pd.DataFrame:
    """Return the cells of a table as they were printed, in its rows and columns.

    >>> printed("webber2008", "Table 1").loc["AP", "nDCG"]
    '0.60'
    """
    table = read_published(paper, place)
    return as_grid(table[table["kind"] == "table"], "printed")


def lookup(table: pd.DataFrame) -> pd.Series:
    """Return the values of cells by (row, column), as floats."""
    return table.set_index(["row", "column"])["value"].astype(float)


@dataclass(frozen=True)
class Answer:
    """What we find for one printed number or sentence."""

    value: Any = None  # True or False where a sentence is asked; None where it is not known
    error: float = 0.0  # of the value, by sampling
    cause: str = ""  # why it differs, should it do so, or why nothing is known
    unknown: str = NOT_YET  # the verdict where there is no value
    estimate: float = math.nan  # of a comparison, with its 95% interval over topics and p value
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    near: str = ""  # "yes" where its interval ends close to the bound that it has cleared
    population: str = ""  # of the comparison, where that is not the paper's own collection

    @property
    def over_topics(self) -> str:
        """The comparison with its interval over topics; empty where there is none.

        >>> Answer(estimate=0.0141, low=-0.052, high=0.08).over_topics
        '+0.014 [−0.052, +0.080]'
        """
        if math.isnan(self.estimate):
            return ""
        return between(self.estimate, self.low, self.high)

    @staticmethod
    def of(answer: Any) -> "Answer":
        """Return an answer, a number, True or the reason why not as an answer.

        >>> [Answer.of(answer).value for answer in ("it falls", np.bool_(True), 0.5, math.nan)]
        [False, True, 0.5, None]
        """
        if isinstance(answer, Answer):
            return answer
        if isinstance(answer, str):
            return Answer(False, cause=answer)
        if answer is None or (isinstance(answer, float) and math.isnan(answer)):
            return Answer()
        return Answer(bool(answer) if isinstance(answer, np.bool_) else answer)


def judge(printed: str, ours: Any) -> tuple[float, float, str]:
    """Judge one answer against a printed string: (difference, tolerance, verdict).

    The tolerance of a number is half its last printed digit.  Where ours is sampled, the printed
    one was too: a difference beyond that but within three standard errors of the difference of two
    such samples (3 * sqrt(2) * error more) is within Monte-Carlo error.

    Examples
    --------
    >>> judge("0.50", 0.4961)[2], judge("0.50", Answer(0.4921, 0.001))[2], judge("0.50", 0.48)[2]
    ('reproduced', 'within Monte-Carlo error', 'differs')
    >>> judge("yes", True)[2], judge("yes", "it falls")[2], judge("yes", None)[2]
    ('reproduced', 'differs', 'not yet')
    """
    answer = Answer.of(ours)
    if answer.value is None:
        return np.nan, np.nan, answer.unknown
    if printed == "yes":
        return np.nan, np.nan, REPRODUCED if answer.value else DIFFERS
    difference = float(answer.value) - float(printed)
    # Binary fractions: 0.645 - 0.6445 may come out a hair above 0.0005.
    half = half_digit(printed) + 1e-9
    tolerance = half + 3 * math.sqrt(2) * answer.error
    verdict = REPRODUCED if abs(difference) <= half else SAMPLING
    if abs(difference) > tolerance:
        verdict = DIFFERS
    return difference, tolerance, verdict


def cell_answers(table: pd.DataFrame, place: str) -> dict[tuple[str, str, str], Answer]:
    """Return cells as answers by (place, row, column); ``cause`` may say why one differs."""
    by_cell = {}
    for cell in table.itertuples():
        answer = Answer.of(cell.value)
        cause = getattr(cell, "cause", "") or answer.cause
        by_cell[place, cell.row, cell.column] = replace(answer, error=cell.error, cause=cause)
    if len(by_cell) < len(table):
        raise ValueError("a cell stands there twice")
    return by_cell


def with_verdicts(
    rows: pd.DataFrame, answered: Mapping[tuple[str, str, str], Answer]
) -> pd.DataFrame:
    """Set our answers, by (place, row, column), beside published rows, each with its verdict.

    The rows are those of :func:`read_published`, of which what was printed is called published;
    beside them stand reproduced, error, cause, estimate, low, high, p, near and population of the
    answers; difference, tolerance and verdict of both (:func:`judge`).
    """
    ours, verdicts = [], []
    for row in rows.itertuples():
        answer = answered.get((row.place, row.row, row.column), Answer())
        if answer.value is None and row.evidence == CONSTANT:  # it says itself what it is
            answer = Answer(row.printed == "yes" or float(row.printed))
        if answer.value is None and row.evidence in (NOT_TESTABLE, NOT_PUBLIC, PRINT):
            # What only the print can be set against has no public data either.
            unknown = NOT_PUBLIC if row.evidence == PRINT else row.evidence
            answer = replace(answer, unknown=unknown, cause=answer.cause or row.cause)
        ours.append(vars(answer))
        verdicts.append(judge(row.printed, answer))
    theirs = rows[THEIRS].rename(columns={"printed": "published"})
    columns = pd.DataFrame(ours, rows.index, dtype=object).rename(columns={"value": "reproduced"})
    judged = pd.DataFrame(verdicts, rows.index, ["difference", "tolerance", "verdict"])
    return pd.concat([theirs, columns.drop(columns="unknown"), judged], axis=1)


def beside_printed(
    paper: str, place: str, ours: pd.DataFrame, *, missing: bool = False
) -> pd.DataFrame:
    """Set our cells beside the printed ones, each with its verdict (:func:`judge`).

    Columns row, column, published, reproduced, difference, tolerance, verdict, in the paper's
    order; of a table its cells, without what the text claims of it.  ``missing`` keeps published
    rows that are not among ours.

    Examples
    --------
    >>> ours = cells([("RR", "AP", 0.3649)])
    >>> beside_printed("webber2008", "Table 1", ours)[["published", "verdict"]]
      published     verdict
    0      0.36  reproduced
    """
    rows, answered = read_published(paper, place), cell_answers(ours, place)
    if place.startswith("Table"):
        rows = rows[rows["kind"] == "table"]
    if not missing:
        rows = rows[[key in answered for key in keys(rows)]]
    names = ["row", "column", "published", "reproduced", "difference", "tolerance", "verdict"]
    return with_verdicts(rows, answered)[names].reset_index(drop=True)


def comparison(frame: pd.DataFrame, *, caption: str) -> tables.Table:
    """Show what :func:`beside_printed` returns as a table that counts the verdicts."""
    return tables.comparison(frame, caption=caption, signs=SIGNS)
