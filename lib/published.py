"""What the papers printed, what we find instead, and the verdict.

A function of :mod:`lib.papers` returns *cells*: a DataFrame with the columns ``row``, ``column``,
``value`` (a number, or True/False for a claim), and where there is sampling ``error``, the
Monte-Carlo standard error.  :func:`compare` sets them beside the printed strings.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.paths import DATA

FOLDER = DATA / "published"

REPRODUCED = "reproduced"
SAMPLING = "within Monte-Carlo error"
INCONCLUSIVE = "inconclusive"  # the error over topics holds both answers
DIFFERS = "differs"
NOT_TESTABLE = "not testable"  # the words name nothing that could be measured
NOT_PUBLIC = "data not public"
NOT_YET = "not yet"
OTHER = "another collection"  # than the paper's: it cannot reproduce the paper, nor fail to
VERDICTS = (
    REPRODUCED,
    SAMPLING,
    INCONCLUSIVE,
    DIFFERS,
    NOT_TESTABLE,
    NOT_PUBLIC,
    NOT_YET,
)  # best first
SYMBOLS = dict(zip(VERDICTS, "\u2713\u2248?\u2260\u2205\u2298\u2026"))


@cache
def names() -> tuple[str, ...]:
    """Return the names of the papers, in the order of the book.

    >>> names()[0]
    'webber2008'
    """
    package = json.loads((FOLDER / "datapackage.json").read_text(encoding="utf-8"))
    return tuple(resource["name"] for resource in package["resources"])


def in_words(number: int) -> str:
    """Return a small number as text writes it.

    >>> in_words(4), in_words(12)
    ('four', '12')
    """
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[number] if number < len(words) else str(number)


def read(paper: str | None = None, place: str | None = None) -> pd.DataFrame:
    """Return the published numbers and claims as they were printed.

    Parameters
    ----------
    paper : str, optional
        One of :func:`names`; all by default.
    place : str, optional
        For example ``Table 1``.

    Returns
    -------
    DataFrame, columns paper, kind, place, row, column, printed, statement
        All strings; ``printed`` keeps the printed digits, and is "yes" for a claim.

    Examples
    --------
    >>> read("thom2007", "Table 1")[["row", "column", "printed"]].head(2)
       row column printed
    0  P@1     AP   0.386
    1  P@1     RR   0.865
    """
    papers = [paper] if paper else names()
    table = pd.concat([_read(name) for name in papers], ignore_index=True)
    if place is not None:
        table = table[table["place"] == place].reset_index(drop=True)
    return table


@cache
def _read(paper):
    return pd.read_csv(FOLDER / f"{paper}.csv", dtype=str, keep_default_na=False)


@cache
def statements(paper: str) -> dict[tuple[str, str, str], str]:
    """Return what each row of a paper states, by (place, row, column); of a table cell nothing."""
    rows = _read(paper)
    return dict(zip(zip(rows["place"], rows["row"], rows["column"]), rows["statement"]))


def half_digit(printed: str) -> float:
    """Return half a unit of the last printed digit: what rounding alone explains.

    Examples
    --------
    >>> half_digit("0.50"), half_digit("129")
    (0.005, 0.5)
    """
    _, _, decimals = printed.partition(".")
    return 0.5 * 10.0 ** -len(decimals)


def cells(rows: Iterable[tuple], **columns: Any) -> pd.DataFrame:
    """Make cells from rows (row, column, value[, error]); keywords add constant columns.

    Examples
    --------
    >>> cells([("AP", "RR", 0.37)], place="Table 1")
      row column value  error    place
    0  AP     RR  0.37    0.0  Table 1
    """
    frame = pd.DataFrame(
        [(*row, 0.0)[:4] for row in rows], columns=["row", "column", "value", "error"]
    )
    frame["value"] = frame["value"].astype(object)
    return frame.assign(**columns)


def square(table: pd.DataFrame, value: str = "value") -> pd.DataFrame:
    """Arrange cells in rows and columns, both in the order of their first cell.

    >>> square(cells([("AP", "RR", 0.37), ("AP", "AP", 0.5)]))
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
    table = read(paper, place)
    return square(table[table["kind"] == "table"], "printed")


def lookup(table: pd.DataFrame) -> pd.Series:
    """Return the values of cells by (row, column), as floats."""
    return table.set_index(["row", "column"])["value"].astype(float)


@dataclass(frozen=True)
class Answer:
    """What we find for one printed number or sentence.

    Attributes
    ----------
    value : number, bool or None
        True or False where a sentence is asked; None where it is not known.
    error : float
        Monte-Carlo standard error of the value.
    cause : str
        Why it differs, should it do so, or why nothing is known.
    unknown : str
        The verdict where there is no value.
    estimate, low, high : float
        Of a comparison, with its 95% interval over topics.
    """

    value: Any = None
    error: float = 0.0
    cause: str = ""
    unknown: str = NOT_YET
    estimate: float = math.nan
    low: float = math.nan
    high: float = math.nan

    @property
    def over_topics(self) -> str:
        """The comparison with its interval over topics; empty where there is none.

        >>> Answer(estimate=0.0141, low=-0.052, high=0.08).over_topics
        '+0.014 [-0.052, +0.080]'
        """
        if math.isnan(self.estimate):
            return ""
        return f"{self.estimate:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"

    @staticmethod
    def of(found: Any) -> "Answer":
        """Return an answer, a number, True or the reason why not as an answer.

        >>> Answer.of("it falls").value, Answer.of(np.bool_(True)).value, Answer.of(0.5).value
        (False, True, 0.5)
        """
        if isinstance(found, Answer):
            return found
        if isinstance(found, str):
            return Answer(False, cause=found)
        if found is None or (isinstance(found, float) and math.isnan(found)):
            return Answer()
        return Answer(bool(found) if isinstance(found, np.bool_) else found)


def judge(printed: str, found: Any) -> tuple[float, float, str]:
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
    answer = Answer.of(found)
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


def answers(table: pd.DataFrame) -> dict[tuple[str, str], Answer]:
    """Return cells as answers by (row, column); a column ``cause`` may say why one differs."""
    found = {
        (cell.row, cell.column): replace(
            Answer.of(cell.value), error=cell.error, cause=getattr(cell, "cause", "")
        )
        for cell in table.itertuples()
    }
    if len(found) < len(table):
        raise ValueError("a cell stands there twice")
    return found


def compare(
    paper: str, place: str, ours: pd.DataFrame, *, missing: Callable[[Any], Answer] | None = None
) -> pd.DataFrame:
    """Set our cells beside the printed ones, each with its verdict (:func:`judge`).

    Parameters
    ----------
    paper, place : str
        As for :func:`read`.  Of a table its cells, without what the text claims of it.
    ours : DataFrame
        Cells.
    missing : callable, optional
        From a published row that is not among ours to its answer; by default it is left out.

    Returns
    -------
    DataFrame, columns row, column, published, reproduced, difference, tolerance, verdict
        In the paper's order.

    Examples
    --------
    >>> compare("webber2008", "Table 1", cells([("RR", "AP", 0.3649)]))[["published", "verdict"]]
      published     verdict
    0      0.36  reproduced
    """
    of_paper = read(paper, place)
    if place.startswith("Table"):
        of_paper = of_paper[of_paper["kind"] == "table"]
    found, rows = answers(ours), []
    for row in of_paper.itertuples():
        answer = found.get((row.row, row.column)) or (missing and missing(row))
        if answer:
            judged = judge(row.printed, answer)
            rows.append((row.row, row.column, row.printed, answer.value, *judged))
    names = ["row", "column", "published", "reproduced", "difference", "tolerance", "verdict"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(reproduced=pd.Series([row[3] for row in rows], dtype=object))
