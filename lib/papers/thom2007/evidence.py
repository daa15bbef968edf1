"""What the claims of the paper are checked with: its runs' official means, its printed taus, two
collections, and lists made up to show what measures do.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection, load, memoize
from lib.measures import means, score_tables
from lib.papers.thom2007.tables import (
    BROAD,
    EARLY,
    FOLDER,
    MEASURES,
    early_only,
    mirror,
    official,
    official_scores,
    taus,
)
from lib.published import lookup, read
from lib.statistics.correlation import kendall, tau_matrix


@dataclass(frozen=True)
class Rankings:
    """How alike measures rank systems: their taus, and the same without each topic if known."""

    tau: pd.DataFrame  # measures x measures, NaN where it is not known
    loo_replicates: tuple["Rankings", ...] = ()


def rankings(collection: Collection) -> Rankings:
    """Return how alike measures rank the systems of a collection (tau-b); it keeps the answer."""
    return memoize(collection, "thom2007 rankings", _rankings)


def _rankings(collection):
    scores = score_tables(collection, [*MEASURES, "Bpref"])

    def without(topics):
        means = {name: table.drop(index=topics).mean() for name, table in scores.items()}
        return Rankings(tau_matrix(pd.DataFrame(means).round(10), variant="b"))

    every = collection.topics.index
    loo_replicates = tuple(without([topic]) for topic in every) if len(every) > 1 else ()
    return Rankings(without([]).tau, loo_replicates)


def printed_rankings() -> Rankings:
    """Return the taus of Table 1.

    >>> printed_rankings().tau.loc["AP", "RR"]
    np.float64(0.35)
    """
    table = read("thom2007", "Table 1").query("kind == 'table'")
    tau = pd.DataFrame(np.eye(len(MEASURES)), MEASURES, MEASURES).replace(0, np.nan)
    for cell in table.itertuples():
        tau.loc[cell.row, cell.column] = tau.loc[cell.column, cell.row] = float(cell.printed)
    return Rankings(tau)


def sharpest_bound(tau: pd.DataFrame, one: str, other: str) -> float:
    """Return what an unknown tau cannot exceed, given those of both measures with a third.

    A tau is the cosine of the angle between two lists of signs, one sign a pair of systems, and an
    angle is no less than the difference of the angles to a third list.

    >>> round(sharpest_bound(printed_rankings().tau, "RR", "Rprec"), 3)
    0.725
    """
    thirds = tau.loc[[one, other]].drop(columns=[one, other]).dropna(axis=1)
    angles = np.arccos(thirds.clip(-1, 1))
    return float(np.cos((angles.loc[one] - angles.loc[other]).abs()).min())


@dataclass(eq=False)
class Evidence:
    """Everything that the claims ask for, computed once, by default from the paper's own data."""

    scores: pd.DataFrame = field(default_factory=official_scores)
    trec8: Collection = field(default_factory=lambda: load("trec8"))
    covid: Collection = field(default_factory=lambda: load("trec-covid"))
    printed: Rankings = field(default_factory=printed_rankings)

    def __post_init__(self) -> None:
        self.runs = self.scores.index.unique("run").size
        # How many runs were scored on so many topics, the most topics last.
        self.topics = self.scores.groupby("topics").size()
        # One mean a run and measure, over as many topics as a run has; over the 50 that all have.
        self.means = official(scores=self.scores)
        fifty = official(treatment="fifty", scores=self.scores)
        self.tau, self.tau_of_fifty = lookup(taus(self.means)), lookup(taus(fifty))
        # Of the runs that are good by RR the share that is late by AP, the least of both.
        parts = (early_only(table) for table in (self.means, fifty))
        self.good_early_only = min(late.sum() / good.sum() for _, good, late in parts)
        self.mirror = mirror(
            tau_matrix(self.means, variant="b")
        )  # the taus of bpref beside those of AP
        # The printed taus with what the one unprinted between the families cannot exceed.
        tau = self.printed.tau.copy()
        tau.loc["RR", "Rprec"] = tau.loc["Rprec", "RR"] = sharpest_bound(tau, "RR", "Rprec")
        self.at_most = Rankings(tau)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The first and the last number of all topics."""
        package = json.loads((FOLDER / "datapackage.json").read_text(encoding="utf-8"))
        return package["topics"][str(self.topics.index[-1])]

    @cached_property
    def nearly_complete(self) -> Rankings:
        """How alike measures rank the runs of TREC-8, whose judgements are nearly complete."""
        return rankings(self.trec8)

    @cached_property
    def elsewhere(self) -> Mapping[str, Rankings]:
        """How alike measures rank the runs of the two collections, by their title."""
        return {self.trec8.title: self.nearly_complete, self.covid.title: rankings(self.covid)}


# What the paper says of the measures themselves: no run and no judgement could make it false.


def _means(text, judgements):
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
