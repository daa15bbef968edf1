"""One way to state what a paper says, and to check it.

A claim has a row in ``data/published``: what the paper says, a short name (column ``row``), and
what a verdict rests on, or why there can be none.  Here it is that name, and a function of the
evidence, an object that computes from the paper's own data whatever the claims of the paper need.
The function returns

- a number, which is compared with the printed one;
- True, or the reason why not: ``lambda e: e.gain > 0 or f"a loss of {-e.gain:.3f}"``;
- an :class:`lib.published.Answer`, which can hold more.  :func:`above`, :func:`at_least` and
  :func:`level` make functions that judge a comparison with its error over topics.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, memoize
from lib.paths import DATA
from lib.published import INCONCLUSIVE, Answer, answers, judged, keys, read
from lib.statistics.jackknife import jackknife

REPLICATES = DATA / "replicates"
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
    return _within(difference, 0.0, np.inf, why)


def at_least(difference: Difference, margin: float, why: Why = "") -> Callable[[Any], Answer]:
    """State that a difference is not below zero by the margin or more: "as good as".

    Parameters
    ----------
    difference, why
        As for :func:`above`.
    margin : float
        What is no difference worth speaking of.
    """
    return _within(difference, -margin, np.inf, why)


def level(difference: Difference, margin: float) -> Callable[[Any], Answer]:
    """State that a difference is within the margin on either side: "about the same".

    Parameters
    ----------
    difference, margin
        As for :func:`at_least`.
    """
    return _within(difference, -margin, margin, "")


def _within(difference, least, most, why):
    def claim(evidence):
        estimate = np.atleast_1d(np.asarray(difference(evidence), float))
        replicates = [
            np.atleast_1d(np.asarray(difference(part), float))
            for part in getattr(evidence, "loo_replicates", ())
        ]
        # Without other topics to speak of, an estimate is its own interval.
        found = jackknife(estimate, replicates or [estimate, estimate])
        yes = (found.low > least) & (found.high < most)
        no = (found.high <= least) | (found.low >= most)
        holds = True if yes.all() else False if no.any() else None
        # The one that decides: the clearest that speaks against it, else the least clear.
        clear = np.where(no, -np.inf, np.where(yes, np.inf, found.estimate))
        i = int(np.argmin(clear)) if not yes.all() else int(np.argmin(found.low))
        ends = (float(part[i]) for part in (estimate, found.low, found.high))
        cause = why(evidence) if callable(why) else why
        return Answer(holds, 0.0, cause, INCONCLUSIVE, *ends)

    return claim


def replicated(
    collection: Collection, what: str, compute: Callable[[Collection], Any]
) -> np.ndarray:
    """Return what is computed of a collection again without each topic: (topics, ...), as numbers.

    Of the book's own collections ``data/replicates/make.py`` has computed it once for all, under
    the name ``what``, which says everything that the numbers depend on.
    """

    def compute_or_read(collection):
        known = memoize(collection, "replicates", _read_replicates)
        shape = (len(collection.topics), -1)
        if what in known:
            return known[what].reshape(shape)
        return np.array([np.ravel(part) for part in compute(collection)], float).reshape(shape)

    return memoize(collection, ("replicates", what), compute_or_read)


def _read_replicates(collection):
    for file in sorted(REPLICATES.glob("*.parquet")):
        if collection.is_package(file.stem):
            table = pd.read_parquet(file)
            return {what: part.to_numpy() for what, part in table.groupby("what")["value"]}
    return {}


@dataclass(frozen=True)
class Claims:
    """Everything that a paper says.

    Attributes
    ----------
    evidence : callable
        Makes the evidence from the paper's own data.
    rows : dict of str to callable
        Name of a claim to a function of the evidence.
    cells : dict of str to callable
        Place to a function of the evidence that returns cells (:func:`lib.published.cells`): where
        the paper prints a table of numbers, or a list of them.  A column ``cause`` may name what
        would make a cell differ.
    """

    evidence: Callable[[], Any]
    rows: Mapping[str, Callable[[Any], Any]]
    cells: Mapping[str, Callable[[Any], pd.DataFrame]] = field(default_factory=dict)


def findings(name: str, claims: Claims, evidence: Any = None) -> pd.DataFrame:
    """Judge all numbers and claims of a paper, by default from its own data.

    Returns
    -------
    DataFrame
        One row a published row, in its order; see :func:`lib.published.judged`.

    Raises
    ------
    ValueError
        A claim or a cell that is not in ``data/published``.
    """
    evidence = claims.evidence() if evidence is None else evidence
    found: dict[tuple[str, str, str], Answer] = {}
    for place, cells in claims.cells.items():
        found |= answers(cells(evidence), place)
    rows = read(name)
    said = rows[rows["column"].isin(["claim", "value"]) & rows["row"].isin(list(claims.rows))]
    for key in keys(said):
        found[key] = Answer.of(claims.rows[key[1]](evidence))
    unknown = {*found} - {*keys(rows)} | {*claims.rows} - {*said["row"]}
    if unknown:
        raise ValueError(f"{name}: not in data/published: {', '.join(map(str, unknown))}")
    return judged(rows, found)
