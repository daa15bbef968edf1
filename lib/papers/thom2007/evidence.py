"""What the claims of the paper are checked with: its runs' official means, its printed taus, and
two collections.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.papers.thom2007.official import official, official_scores, topic_numbers
from lib.papers.thom2007.sentences import Rankings, printed, rankings, sharpest_bound
from lib.papers.thom2007.tables import mirror, taus
from lib.published import lookup

__all__ = ["Evidence", "good_early_only"]


class Evidence:
    """Everything that the claims ask for, computed once.

    Parameters
    ----------
    scores : DataFrame, optional
        The official scores of the runs, by default those of Terabyte 2006.
    trec8, covid : Collection, optional
        For claims that official scores do not answer; by default TREC-8 and TREC-COVID.
    """

    def __init__(
        self,
        scores: pd.DataFrame | None = None,
        trec8: Collection | None = None,
        covid: Collection | None = None,
    ):
        self.scores = official_scores("terabyte06") if scores is None else scores
        self.trec8 = load("trec8") if trec8 is None else trec8
        self.covid = load("trec-covid") if covid is None else covid

    @cached_property
    def means(self) -> pd.DataFrame:
        """One mean a run and measure, over as many topics as a run has."""
        return official(scores=self.scores)

    @cached_property
    def means_of_fifty(self) -> pd.DataFrame:
        """One mean a run and measure, over the 50 topics that every run answered."""
        return official(treatment="fifty", scores=self.scores)

    @cached_property
    def runs(self) -> int:
        """How many runs were scored."""
        return self.scores.index.unique("run").size

    @cached_property
    def topics(self) -> pd.Series:
        """How many runs were scored on so many topics, the most topics last."""
        return self.scores.groupby("topics").size()

    @property
    def numbers(self) -> tuple[int, int]:
        """The first and the last number of all topics."""
        return topic_numbers("terabyte06")[self.topics.index[-1]]

    @cached_property
    def tau(self) -> pd.Series:
        """Tau by pair of measures, as far as the means are public."""
        return lookup(taus(self.means))

    @cached_property
    def tau_of_fifty(self) -> pd.Series:
        """The same over the 50 topics that every run answered."""
        return lookup(taus(self.means_of_fifty))

    @cached_property
    def good_early_only(self) -> list[float]:
        """See :func:`good_early_only`, over all topics that a run has and over 50."""
        return [good_early_only(table)["share"] for table in (self.means, self.means_of_fifty)]

    @cached_property
    def apart(self) -> pd.Series:
        """How far the tau of a measure with bpref is from its tau with AP."""
        return mirror(self.means)["difference"].abs()

    @cached_property
    def bpref_with_ap(self) -> float:
        """Their tau on the paper's runs."""
        return mirror(self.means).loc["AP", "Bpref"]

    @cached_property
    def printed(self) -> Rankings:
        """The taus of Table 1."""
        return printed()

    @cached_property
    def at_most(self) -> Rankings:
        """The same with what the one unprinted tau between the families cannot exceed."""
        tau = self.printed.tau.copy()
        tau.loc["RR", "Rprec"] = tau.loc["Rprec", "RR"] = sharpest_bound(tau, "RR", "Rprec")
        return replace(self.printed, tau=tau)

    @cached_property
    def nearly_complete(self) -> Rankings:
        """How alike measures rank the runs of TREC-8, whose judgements are nearly complete."""
        return rankings(self.trec8)

    @cached_property
    def elsewhere(self) -> Mapping[str, Rankings]:
        """How alike measures rank the runs of the two collections, by their title."""
        return {self.trec8.title: self.nearly_complete, self.covid.title: rankings(self.covid)}


def good_early_only(table: pd.DataFrame) -> dict[str, float | int]:
    """Count the runs that are good by reciprocal rank and not by AP.

    Parameters
    ----------
    table : DataFrame (runs x measures)

    Returns
    -------
    dict
        early : the best quarter by RR; only : those of them that are in the lower half by AP, of
        which chance alone would put half there; share : of the first the second.
    """
    place = table[["RR", "AP"]].rank(ascending=False)
    early = place["RR"] <= len(table) / 4
    only = early & (place["AP"] > len(table) / 2)
    share = only.sum() / early.sum() if early.any() else np.nan
    return {"early": int(early.sum()), "only": int(only.sum()), "share": float(share)}
