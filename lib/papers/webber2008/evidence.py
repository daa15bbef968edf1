"""What the claims of the paper rest on, each thing computed once."""

from functools import cached_property

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import complete_scores, means, score_tables
from lib.papers.webber2008 import experiments, tables
from lib.published import printed
from lib.statistics.budget import budget
from lib.statistics.discrimination import discriminative_power
from lib.statistics.predictivity import Predictivity

__all__ = ["Evidence", "itself"]


class Evidence:
    """The paper's own data, and what its claims ask of them.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    terabyte : DataFrame (measures x measures), optional
        Table 2, which cannot be computed; by default as printed.
    """

    def __init__(
        self, collection: Collection | None = None, terabyte: pd.DataFrame | None = None
    ) -> None:
        self.collection = load("trec8") if collection is None else collection
        table2 = printed("webber2008", "Table 2") if terabyte is None else terabyte
        self.terabyte = tables.mirrored(table2)

    @cached_property
    def result(self) -> Predictivity:
        """The computation behind Table 1."""
        return tables.phi(self.collection)

    @property
    def phi(self) -> pd.DataFrame:
        """Table 1 as a square (measures x measures)."""
        return self.result.phi

    @cached_property
    def phi_of_all(self) -> pd.DataFrame:
        """The same when no system is dropped."""
        return tables.phi(self.collection, share=1.0).phi

    @cached_property
    def points(self) -> pd.DataFrame:
        """Phi of Figure 1 and of two more measures: (predictor, of) x topics in each set."""
        long = tables.figure1(self.collection, measures=("nDCG", "P@10", "AP", "RBP(p=0.95)"))
        return long.pivot(index=["predictor", "of"], columns="topics", values="phi")

    @property
    def few(self) -> pd.Series:
        """Phi on the smallest sets of topics, by (predictor, of)."""
        return self.points.iloc[:, 0]

    @property
    def many(self) -> pd.Series:
        """Phi on the largest."""
        return self.points.iloc[:, -1]

    @property
    def gain(self) -> pd.Series:
        """What more topics bring."""
        return self.many - self.few

    @property
    def lead(self) -> float:
        """How far nDCG, on the largest sets, predicts P@10 better than P@10 does."""
        return self.many["nDCG", "P@10"] - self.many["P@10", "P@10"]

    @cached_property
    def power(self) -> pd.Series:
        """Discriminative power of each measure."""
        scores = score_tables(self.collection, tables.MEASURES)
        return pd.Series({name: discriminative_power(scores[name], alpha=0.05) for name in scores})

    @cached_property
    def weak_places(self) -> pd.DataFrame:
        """Relative places by AP on each topic, of the quarter of systems that is worst by MAP."""
        mean = means(self.collection, ["AP"])["AP"].sort_values()
        places = complete_scores(self.collection, "AP").rank(axis=1, pct=True)
        return places[mean.index[: len(mean) // 4]]

    @cached_property
    def halving(self) -> pd.DataFrame:
        """Halves of a set of topics against new topics."""
        return experiments.halving(self.collection)

    @cached_property
    def right(self) -> pd.Series:
        """In what share of its conflicts with P@10 AP was right, by the measure that decides."""
        return experiments.conflicts(self.collection)

    @cached_property
    def reversed(self) -> float:
        """The share of significant differences that turn around on other topics."""
        return experiments.reversals(self.collection)

    @cached_property
    def budget(self) -> pd.DataFrame:
        """What judgements cost, against how well they predict P@10 on other topics."""
        return budget(self.collection, target="P@10")

    @property
    def shallow(self) -> pd.Series:
        """Of these settings P@10 on many topics: 25, judged from a pool of depth 10."""
        return self.budget.query("measure == 'P@10' and topics == 25 and pool == 10").iloc[0]

    @property
    def rivals(self) -> pd.DataFrame:
        """The settings with fewer topics and a deeper measure that cost no more judgements."""
        many = self.shallow
        return self.budget.query(
            f"measure != 'P@10' and topics < {many.topics} and judgements <= {many.judgements}"
        )


def itself(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts itself: the diagonal of a square."""
    return pd.Series(np.diag(phi), index=phi.index)
