"""One way to state what a paper says, and to check it.

A claim is a row: the slug that it has in ``data/published``, and a function of the evidence, an
object that computes from the paper's own data whatever the claims of the paper need.  The function
returns

- a number, which is compared with the printed one;
- True, or the reason why not: ``lambda e: e.gain > 0 or f"a loss of {-e.gain:.3f}"``;
- a pair of these and the cause that is named should they differ: ``(value, cause)``;
- :class:`Told`: a comparison that is judged with its error over topics; :func:`above`,
  :func:`at_least` and :func:`level` make such functions;
- :class:`NotPublic` or :class:`NotTestable`, with the reason.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from lib.published import INCONCLUSIVE, NOT_PUBLIC, NOT_TESTABLE, read
from lib.statistics.jackknife import jackknife

__all__ = [
    "CONSTANT",
    "HOW",
    "OTHER_DATA",
    "OWN_SYSTEMS",
    "PRINT",
    "RUNS",
    "Claims",
    "NotPublic",
    "NotTestable",
    "Told",
    "above",
    "at_least",
    "checked",
    "findings",
    "in_words",
    "level",
]

KEY = ["place", "row", "column"]
ANSWER = ["value", "error", "status", "cause", "estimate", "low", "high"]

# How the ledger knows: what a row's verdict rests on.
RUNS = "recomputed from runs"
OWN_SYSTEMS = "own systems"
OTHER_DATA = "other data"  # such as official scores
PRINT = "arithmetic on printed numbers"
CONSTANT = "constant or definition"
HOW = (RUNS, OWN_SYSTEMS, OTHER_DATA, PRINT, CONSTANT)


class NotPublic(str):
    """The reason why a claim cannot be checked: data that cannot be had."""


class NotTestable(str):
    """The reason why a claim cannot be checked: its words name nothing that could be measured."""


@dataclass(frozen=True)
class Told:
    """What the topics at hand can tell of a comparison.

    Attributes
    ----------
    holds : bool or None
        None: the interval over topics holds both answers.
    estimate, low, high : float
        Of the comparison that is the least clear, where a claim makes several.
    """

    holds: bool | None
    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


Difference = Callable[[Any], "float | pd.Series"]


def above(difference: Difference, why: str = "") -> Callable[[Any], Any]:
    """State that a difference, or each of several, is above zero.

    Parameters
    ----------
    difference : callable
        From the evidence to a number, or to a Series of them, all of which are meant.
    why : str
        The cause that is named where the claim does not hold.

    Returns
    -------
    callable
        From the evidence to :class:`Told`.  Without ``left_out``, the same evidence without each
        topic, there is no error over topics, and the sign alone decides.
    """
    return _told(difference, lambda found: (found.low > 0, found.high <= 0), why)


def at_least(difference: Difference, margin: float, why: str = "") -> Callable[[Any], Any]:
    """State that a difference is not below zero by the margin or more: "as good as".

    Parameters
    ----------
    difference, why
        As for :func:`above`.
    margin : float
        What is no difference worth speaking of.
    """
    return _told(difference, lambda found: (found.low > -margin, found.high <= -margin), why)


def level(difference: Difference, margin: float, why: str = "") -> Callable[[Any], Any]:
    """State that a difference is within the margin on either side: "about the same".

    Parameters
    ----------
    difference, why, margin
        As for :func:`at_least`.
    """

    def decide(found):
        inside = (found.low > -margin) & (found.high < margin)
        return inside, (found.low >= margin) | (found.high <= -margin)

    return _told(difference, decide, why)


def _told(difference, decide, why):
    def claim(evidence):
        estimate = np.atleast_1d(np.asarray(difference(evidence), float))
        without = [
            np.atleast_1d(np.asarray(difference(part), float))
            for part in getattr(evidence, "left_out", ())
        ]
        # Without other topics to speak of, an estimate is its own interval.
        found = jackknife(estimate, without or [estimate, estimate])
        yes, no = decide(found)
        holds = True if yes.all() else False if no.any() else None
        # The one that decides: the clearest that speaks against it, else the least clear.
        clear = np.where(no, -np.inf, np.where(yes, np.inf, found.estimate))
        i = int(np.argmin(clear)) if not yes.all() else int(np.argmin(found.low))
        told = Told(holds, *(float(part[i]) for part in (estimate, found.low, found.high)))
        return told, why

    return claim


@dataclass(frozen=True)
class Claims:
    """Everything that a paper says.

    Attributes
    ----------
    evidence : callable
        Makes the evidence from the paper's own data.
    rows : dict of str to dict of str to callable
        Place to slug to a function of the evidence.
    cells : dict of str to callable
        Place to a function of the evidence that returns cells (:func:`lib.published.cells`): where
        the paper prints a table of numbers, or a list of them.  A column ``cause`` may name what
        would make a cell differ.
    closed : callable
        From a published row that nothing above answers to the reason why it cannot be computed;
        the empty string where it could.
    how : str
        What a row rests on, one of :data:`HOW`.
    otherwise : dict of str to set of tuples of str
        Another of these to the rows that rest on it: (place, slug), or of a table (place, row,
        column) for a single cell.
    """

    evidence: Callable[[], Any]
    rows: Mapping[str, Mapping[str, Callable]]
    cells: Mapping[str, Callable[[Any], pd.DataFrame]] = field(default_factory=dict)
    closed: Callable[[Any], str] = lambda row: ""
    how: str = RUNS
    otherwise: Mapping[str, Set[tuple[str, ...]]] = field(default_factory=dict)

    def rests_on(self, place: str, slug: str, column: str = "") -> str:
        """Return what a row's verdict rests on, or that of a cell of a table."""
        for how, rows in self.otherwise.items():
            if (place, slug) in rows or (place, slug, column) in rows:
                return how
        return self.how


def findings(name: str, claims: Claims, evidence: Any = None) -> pd.DataFrame:
    """Return all of a paper's numbers and claims as we find them.

    Parameters
    ----------
    name : str
        Of the paper.
    claims : Claims
    evidence : optional
        By default that of the paper's own data.

    Returns
    -------
    DataFrame
        Columns place, row, column, value (a number, True, False or None), error (Monte-Carlo
        standard error), status (a verdict where there is no value, else empty), cause; estimate,
        low, high: of a comparison, with its interval over topics, else NaN.

    Raises
    ------
    ValueError
        A claim that is not in ``data/published``.
    """
    evidence = claims.evidence() if evidence is None else evidence
    printed = read(name)
    said = printed[printed["column"].isin(["claim", "value"])].set_index(["place", "row"])["column"]
    unsaid = {"status": "", "cause": "", "estimate": np.nan, "low": np.nan, "high": np.nan}
    parts = []
    for place, cells in claims.cells.items():
        part = cells(evidence)
        missing = {name: value for name, value in unsaid.items() if name not in part}
        parts.append(part.assign(place=place, **missing))
    rows = []
    for place, functions in claims.rows.items():
        for slug, function in functions.items():
            if (place, slug) not in said.index:
                raise ValueError(f"{name}: not in data/published: {place}, {slug}")
            rows.append((place, slug, said[(place, slug)], *_answer(function(evidence))))
    parts.append(pd.DataFrame(rows, columns=[*KEY, *ANSWER]))
    parts = [part.astype({"value": object}) for part in parts]
    found = pd.concat([part for part in parts if len(part)], ignore_index=True)
    closed = _closed(printed, found, claims.closed)
    return pd.concat([found, closed], ignore_index=True) if len(closed) else found


def _answer(answer):
    """Return the columns of :data:`ANSWER` for what a claim's function returned."""
    value, cause = answer if isinstance(answer, tuple) else (answer, "")
    nothing = (np.nan, np.nan, np.nan)
    if isinstance(value, Told):
        status = INCONCLUSIVE if value.holds is None else ""
        return value.holds, 0.0, status, cause, value.estimate, value.low, value.high
    if isinstance(value, NotPublic | NotTestable):
        status = NOT_PUBLIC if isinstance(value, NotPublic) else NOT_TESTABLE
        return None, 0.0, status, str(value), *nothing
    if isinstance(value, str):
        return False, 0.0, "", value, *nothing
    if isinstance(value, bool | np.bool_):
        return bool(value), 0.0, "", cause, *nothing
    return value, 0.0, "", cause, *nothing


def _closed(printed, found, why):
    """List the published rows that nothing answers because the data are not public."""
    known = pd.MultiIndex.from_frame(found[KEY])
    left = printed[~pd.MultiIndex.from_frame(printed[KEY]).isin(known)]
    rows = [
        (row.place, row.row, row.column, None, 0.0, NOT_PUBLIC, cause, np.nan, np.nan, np.nan)
        for row in left.itertuples()
        if (cause := why(row))
    ]
    return pd.DataFrame(rows, columns=[*KEY, *ANSWER])


def checked(name: str, found: pd.DataFrame, *places: str) -> pd.DataFrame:
    """Return what a paper says at some places and whether it holds; see ``Paper.checked``."""
    said = read(name).query("column == 'claim'").merge(found, on=KEY)
    said = said[said["place"].isin(places)]
    holds = said["value"].map({True: "yes", False: "no"}).fillna(said["status"])
    return pd.DataFrame(
        {
            "place": said["place"],
            "claim": said["statement"],
            "holds": holds,
            "over topics": [in_words(row) for row in said.itertuples()],
            "why": said["cause"].where(holds != "yes", ""),
        }
    ).reset_index(drop=True)


def in_words(row: Any) -> str:
    """Return a row's comparison with its interval over topics; empty where there is none.

    >>> in_words(pd.Series({"estimate": 0.0141, "low": -0.052, "high": 0.08}))
    '+0.014 [-0.052, +0.080]'
    """
    if pd.isna(row.estimate):
        return ""
    return str(Told(None, float(row.estimate), float(row.low), float(row.high)))
