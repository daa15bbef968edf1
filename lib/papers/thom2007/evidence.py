"""What the claims of the paper are checked with: its runs' official means, and two collections."""

from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import complete_scores, means
from lib.papers.thom2007.official import official, official_scores, topic_numbers
from lib.papers.thom2007.tables import MEASURES, figures, fits, mirror, taus
from lib.published import lookup
from lib.statistics.correlation import kendall, tau_matrix

__all__ = ["Evidence"]


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
        """One mean a run and measure."""
        return official(scores=self.scores)

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
    def apart(self) -> pd.Series:
        """How far the tau of a measure with bpref is from its tau with AP."""
        return mirror(self.means)["difference"].abs()

    def is_drawn(self, figure: str) -> bool:
        """Whether a figure can be drawn: a point for every run, and a line."""
        points = figures(self.means, [figure])
        return len(points) == self.runs and np.isfinite(fits(points)["slope"].iloc[0])

    @cached_property
    def elsewhere(self) -> dict[str, pd.DataFrame]:
        """Tau between the five measures on the two collections, by their title."""
        return {
            c.title: tau_matrix(means(c, MEASURES), variant="b") for c in (self.trec8, self.covid)
        }

    @cached_property
    def bpref_with_ap(self) -> float:
        """Their tau on TREC-8, whose judgements are nearly complete."""
        table = means(self.trec8, ("AP", "Bpref"))
        return kendall(table["Bpref"], table["AP"], variant="b")

    @cached_property
    def rr_without_hits(self) -> np.ndarray:
        """Reciprocal rank on TREC-8 wherever a system found nothing relevant."""
        empty = self.trec8.relevance().count(slice(None)) == 0
        return complete_scores(self.trec8, "RR").to_numpy()[empty]

    @cached_property
    def ignores_grades(self) -> bool:
        """Whether all means stay when every grade of TREC-COVID, which has several, becomes 1."""
        covid = self.covid
        flat = Collection(
            name=covid.name,
            systems=covid.systems,
            topics=covid.topics,
            lists=covid.lists,
            pools=covid.pools,
            relevant=covid.relevant.assign(grade=1),
            hits=covid.hits.assign(grade=1),
        )
        graded = covid.relevant["grade"].max() > 1
        return graded and means(covid, MEASURES).equals(means(flat, MEASURES))
