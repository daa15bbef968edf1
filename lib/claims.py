"""One way to state what a paper says, and to check it.

A claim is a row: the slug that it has in ``data/published``, and a function of the evidence, an
object that computes from the paper's own data whatever the claims of the paper need.  The function
returns

- a number, which is compared with the printed one;
- True, or the reason why not: ``lambda e: e.gain > 0 or f"a loss of {-e.gain:.3f}"``;
- an :class:`lib.published.Answer`, which can hold more.  :func:`above`, :func:`at_least` and
  :func:`level` make functions that judge a comparison with its error over topics;
  :func:`not_public` and :func:`not_testable` say why there is no value.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from lib.published import INCONCLUSIVE, NOT_PUBLIC, NOT_TESTABLE, Answer, answers, judge, read
from lib.statistics.jackknife import jackknife

KEY = ["place", "row", "column"]

# How the ledger knows: what a row's verdict rests on.
RUNS = "recomputed from runs"
OTHER_DATA = "other data"  # such as official scores
PRINT = "arithmetic on printed numbers"
CONSTANT = "constant or definition"
HOW = (RUNS, OTHER_DATA, PRINT, CONSTANT)


def not_public(why: str) -> Answer:
    """Return the answer to a claim whose data cannot be had."""
    return Answer(cause=why, unknown=NOT_PUBLIC)


def not_testable(why: str) -> Answer:
    """Return the answer to a claim whose words name nothing that could be measured."""
    return Answer(cause=why, unknown=NOT_TESTABLE)


Difference = Callable[[Any], "float | pd.Series"]
Why = str | Callable[[Any], str]


def above(difference: Difference, why: Why = "") -> Callable[[Any], Answer]:
    """State that a difference, or each of several, is above zero.

    Parameters
    ----------
    difference : callable
        From the evidence to a number, or to a Series of them, all of which are meant.
    why : str or callable
        The cause that is named where the claim does not hold, or a function of the evidence that
        says it.

    Returns
    -------
    callable
        From the evidence to an answer, with the estimate and interval of the difference that is
        the least clear.  Without ``loo_replicates``, the same evidence without each topic, there is
        no error over topics, and the sign alone decides.
    """
    return _compared(difference, lambda found: (found.low > 0, found.high <= 0), why)


def at_least(difference: Difference, margin: float, why: Why = "") -> Callable[[Any], Answer]:
    """State that a difference is not below zero by the margin or more: "as good as".

    Parameters
    ----------
    difference, why
        As for :func:`above`.
    margin : float
        What is no difference worth speaking of.
    """
    return _compared(difference, lambda found: (found.low > -margin, found.high <= -margin), why)


def level(difference: Difference, margin: float, why: Why = "") -> Callable[[Any], Answer]:
    """State that a difference is within the margin on either side: "about the same".

    Parameters
    ----------
    difference, why, margin
        As for :func:`at_least`.
    """

    def decide(found):
        inside = (found.low > -margin) & (found.high < margin)
        return inside, (found.low >= margin) | (found.high <= -margin)

    return _compared(difference, decide, why)


def _compared(difference, decide, why):
    def claim(evidence):
        estimate = np.atleast_1d(np.asarray(difference(evidence), float))
        replicates = [
            np.atleast_1d(np.asarray(difference(part), float))
            for part in getattr(evidence, "loo_replicates", ())
        ]
        # Without other topics to speak of, an estimate is its own interval.
        found = jackknife(estimate, replicates or [estimate, estimate])
        yes, no = decide(found)
        holds = True if yes.all() else False if no.any() else None
        # The one that decides: the clearest that speaks against it, else the least clear.
        clear = np.where(no, -np.inf, np.where(yes, np.inf, found.estimate))
        i = int(np.argmin(clear)) if not yes.all() else int(np.argmin(found.low))
        ends = (float(part[i]) for part in (estimate, found.low, found.high))
        cause = why(evidence) if callable(why) else why
        return Answer(holds, 0.0, cause, INCONCLUSIVE, *ends)

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

    def unanswered(self, row: Any) -> Answer:
        """Return the answer to a published row that neither rows nor cells have."""
        why = self.closed(row)
        return not_public(why) if why else Answer()

    def answers(self, evidence: Any) -> dict[tuple[str, ...], Answer]:
        """Return what we find: (place, slug), or (place, row, column) of a cell, to its answer."""
        found: dict[tuple[str, ...], Answer] = {
            (place, *cell): answer
            for place, cells in self.cells.items()
            for cell, answer in answers(cells(evidence)).items()
        }
        for place, rows in self.rows.items():
            for slug, function in rows.items():
                found[place, slug] = Answer.of(function(evidence))
        return found


def findings(name: str, claims: Claims, evidence: Any = None) -> pd.DataFrame:
    """Judge all numbers and claims of a paper.

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
        One row a published row, in its order: kind, place, row, column and printed of it; value,
        error, cause, estimate, low and high of its :class:`lib.published.Answer`; difference,
        tolerance and verdict of these two (:func:`lib.published.judge`); evidence: what it rests
        on.

    Raises
    ------
    ValueError
        A claim or a cell that is not in ``data/published``.
    """
    found = claims.answers(claims.evidence() if evidence is None else evidence)
    rows = []
    for row in read(name).itertuples():
        of_cell = found.pop((row.place, row.row, row.column), None)
        answer = of_cell or found.pop((row.place, row.row), None) or claims.unanswered(row)
        difference, tolerance, verdict = judge(row.printed, answer)
        rows.append(
            {
                "kind": row.kind,
                **{name: getattr(row, name) for name in (*KEY, "printed")},
                "value": answer.value,
                "error": answer.error,
                "difference": difference,
                "tolerance": tolerance,
                "estimate": answer.estimate,
                "low": answer.low,
                "high": answer.high,
                "verdict": verdict,
                "evidence": claims.rests_on(row.place, row.row, row.column),
                "cause": answer.cause,
            }
        )
    if found:
        raise ValueError(f"{name}: not in data/published: {', '.join(next(iter(found)))}")
    table = pd.DataFrame(rows)
    return table.assign(value=pd.Series([row["value"] for row in rows], dtype=object))
