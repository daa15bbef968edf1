"""A judge's strictness: the grade from which a document is relevant, and measures without a cut.

Second people give fewer high grades than the track's person.  At the track's own cut they seem to
agree less than they do.
"""

from functools import partial

import numpy as np
import pandas as pd

from chapters.machines import judging
from chapters.machines.judging import PEOPLE, SECOND
from lib.estimates import Estimate
from lib.two_judges import of_counts, weighted_kappa

BEST_CUT, AUC = "best cut", "AUC"


def kappas_by_cut(counts: np.ndarray, ours: int) -> np.ndarray:
    """Return Cohen's kappa for each cut of a judge's grades, from 1 to the highest.

    ``counts`` has a row for each grade of the people, relevant from ``ours``, and a column for each
    of the judge.

    Examples
    --------
    >>> strict = np.array([[6, 0, 0, 0], [0, 0, 0, 0], [0, 0, 3, 1]])  # she keeps 3 for the best
    >>> kappas_by_cut(strict, 2).round(2).tolist()
    [1.0, 1.0, 0.29]
    """
    sides = (counts[ours:].sum(axis=0), counts[:ours].sum(axis=0))
    cuts = range(1, counts.shape[1])
    return np.array(
        [weighted_kappa(np.array([[of[c:].sum(), of[:c].sum()] for of in sides])) for c in cuts]
    )


def _best(counts: np.ndarray, ours: int) -> float:
    return float(np.nanmax(kappas_by_cut(counts, ours)))


def area(counts: np.ndarray, ours: int) -> float:
    """Return how often a judge grades a relevant document above one that is not; ties count half.

    Examples
    --------
    >>> area(np.array([[2, 0], [1, 1]]), 1)
    0.75
    """
    yes, no = counts[ours:].sum(axis=0), counts[:ours].sum(axis=0)
    below = np.cumsum(no) - no
    return float((yes * (below + no / 2)).sum() / (yes.sum() * no.sum()))


def _people_cut() -> int:
    return int(judging.scales().loc[PEOPLE, "relevant_from"])


def kappa_at_best_cut(track: str, judge: str, on: str) -> Estimate:
    """Return a judge's kappa with the people, cut where it agrees best, without each topic too."""
    return of_counts(judging.labels(track, judge, on), partial(_best, ours=_people_cut()))


def area_of_grades(track: str, judge: str, on: str) -> Estimate:
    """Return how often a judge grades what the people call relevant above what they do not."""
    return of_counts(judging.labels(track, judge, on), partial(area, ours=_people_cut()))


def best_cut(track: str, judge: str, on: str) -> int:
    """Return the grade from which on a judge agrees best with the people."""
    return (
        int(np.nanargmax(kappas_by_cut(judging.labels(track, judge, on).sum(0), _people_cut()))) + 1
    )


def called_relevant(track: str) -> pd.Series:
    """Return the share of documents that judges call relevant, of those with two second labels.

    Each by its own cut-off; index judge: the track's people, second people, the machines.
    """
    shares = {}
    for judge in (PEOPLE, *SECOND, *judging.machines(track)):
        grades = judging.labels(track, judge, judging.LEFT_OUT).sum(axis=(0, 1))
        shares[judge] = grades[judging.scales().loc[judge, "relevant_from"] :].sum() / grades.sum()
    return pd.Series(shares)
