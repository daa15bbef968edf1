"""What the paper says of the measures themselves, on lists made up to show it.

These are definitions: no run and no judgement could make them false.
"""

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import means
from lib.papers.thom2007.tables import BROAD, EARLY, MEASURES
from lib.statistics.correlation import kendall

__all__ = [
    "first_document_only",
    "grades_ignored",
    "no_line_assumed",
    "nothing_found",
    "recall_counts",
]


def _means(text: str, judgements: dict[str, int]) -> pd.Series:
    """Return the five measures of one list of documents."""
    collection = Collection.from_rankings({"A": {"t": text.split()}}, {"t": judgements})
    return means(collection, MEASURES).loc["A"]


def nothing_found() -> bool:
    """Whether the reciprocal rank of a list without a relevant document is 0."""
    return bool(_means("x y z", {"r": 1})["RR"] == 0)


def grades_ignored() -> bool:
    """Whether all measures stay when every relevant document becomes highly relevant."""
    plain, graded = (_means("x r y s", {"r": grade, "s": grade, "q": 1}) for grade in (1, 3))
    return plain.equals(graded)


def first_document_only() -> bool:
    """Whether P@1 and RR see only where the first relevant document stands; AP sees all."""
    judged = dict.fromkeys("rst", 1)
    few, many = _means("r x y z", judged), _means("r s t z", judged)
    early = list(EARLY)
    return few[early].equals(many[early]) and bool(few["AP"] < many["AP"])


def recall_counts() -> bool:
    """Whether a relevant document that was not found lowers AP and R-precision, and no other."""
    found = {"r": 1, "s": 1}
    complete, missed = _means("r s x y", found), _means("r s x y", found | {"q": 1})
    others = [name for name in MEASURES if name not in BROAD]
    lower = (missed[list(BROAD)] < complete[list(BROAD)]).all()
    return bool(lower) and complete[others].equals(missed[others])


def no_line_assumed() -> bool:
    """Whether tau stays where a straight relation is bent."""
    x, y = np.array([0.1, 0.2, 0.4, 0.5]), np.array([0.2, 0.1, 0.5, 0.4])
    return kendall(x, y, variant="b") == kendall(x, np.exp(9 * y), variant="b")
