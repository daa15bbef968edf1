"""What the claims of the paper rest on, each thing computed once."""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import Scores, complete_scores, means, score_tables
from lib.papers.webber2008 import experiments, real_topics, tables, topics
from lib.published import printed
from lib.statistics.incomplete import budget
from lib.statistics.predictivity import Predictivity, set_sizes, splits
from lib.statistics.significance import discriminative_power

__all__ = ["Evidence", "itself"]

FIGURE_1 = ("nDCG", "P@10", "AP", "RBP(p=0.95)")
TARGET, SPENT = "P@10", 2010  # of the budget: what is to be predicted, and the seed
FOLLOWED = 100  # splits in which pairs of systems are followed without each topic


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
        self.trec8 = tables.mirrored(printed("webber2008", "Table 1"))

    @cached_property
    def result(self) -> Predictivity:
        """The computation behind Table 1."""
        return tables.phi(self.collection)

    @cached_property
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
        long = tables.figure1(self.collection, measures=FIGURE_1)
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
        """Halves of a set of topics against new topics, made up after the paper's."""
        return experiments.halving(self.collection)

    @cached_property
    def halving_of_topics(self) -> pd.DataFrame:
        """The same with real topics, of another track."""
        return real_topics.halving_of_topics()

    @cached_property
    def kept(self) -> dict[str, Scores]:
        """The scores of the systems that the paper keeps."""
        return tables.kept_scores(self.collection, tables.MEASURES)

    def drawn(self, number: int, size: int | None = None) -> np.ndarray:
        """Draw pairs of disjoint sets of topics, by default halves."""
        rng = np.random.default_rng(tables.SEED)
        return splits(len(self.collection.topics), size=size, number=number, rng=rng)

    @cached_property
    def disagreements(self) -> pd.DataFrame:
        """What becomes of the conflicts of a simple measure with a complex one."""
        return experiments.disagreements(self.kept, self.drawn(tables.NUMBER))

    @cached_property
    def disagreements_of_few(self) -> pd.DataFrame:
        """The same where the sets have few topics."""
        size = set_sizes(self.collection)[0]
        return experiments.disagreements(self.kept, self.drawn(tables.NUMBER, size))

    @cached_property
    def inconsistent(self) -> float:
        """The share of comparisons of a few systems in which measures disagree."""
        return experiments.inconsistent(self.kept)

    @cached_property
    def reversed(self) -> float:
        """The share of significant differences that turn around on other topics."""
        return experiments.reversals(self.collection)

    @cached_property
    def budget(self) -> pd.DataFrame:
        """What judgements cost, against how well they predict P@10 on other topics."""
        return budget(self.collection, target=TARGET, seed=SPENT)

    @cached_property
    def shallow(self) -> pd.Series:
        """Of these settings P@10 on as many topics as there are, judged at the least cost."""
        settings = self.budget.query("measure == 'P@10' and topics == topics.max()")
        return settings.sort_values("judgements").iloc[0]

    @cached_property
    def rivals(self) -> pd.DataFrame:
        """The best deeper measure on each number of fewer topics, for no more judgements."""
        many = self.shallow
        affordable = self.budget.query(
            f"measure != 'P@10' and topics < {many.topics} and judgements <= {many.judgements}"
        )
        best = affordable.sort_values("phi").drop_duplicates("topics", keep="last")
        return best.set_index("topics").sort_index()

    @cached_property
    def loo_replicates(self) -> list["Evidence"]:
        """The evidence without each topic: what is computed above, and nothing else."""
        sets, size = self.drawn(FOLLOWED), set_sizes(self.collection)[0]
        scores = score_tables(self.collection, tables.MEASURES)
        contest = pd.concat([self.shallow.to_frame().T, self.rivals.reset_index()])
        contest = contest.astype({"topics": int, "pool": int, "judgements": int, "phi": float})
        columns = {
            "phi": topics.phi_without(self.collection),
            "phi_of_all": topics.phi_without(self.collection, share=1.0, number=200),
            "points": topics.points_without(
                self.collection,
                {name: tables.MEASURES[name] for name in FIGURE_1},
                self.points.index,
                list(self.points),
            ),
            "disagreements": topics.disagreements_without(self.kept, sets),
            "disagreements_of_few": topics.disagreements_without(
                self.kept, self.drawn(FOLLOWED, size)
            ),
            "reversed": topics.turned_without(self.kept["AP"], sets),
            "budget": topics.bought_without(self.collection, contest, target=TARGET, seed=SPENT),
            "power": [
                pd.Series({x: discriminative_power(t, alpha=0.05) for x, t in part.items()})
                for part in _without_rows(scores)
            ],
            "inconsistent": [experiments.inconsistent(part) for part in _without_rows(self.kept)],
        }
        return [_evidence(dict(zip(columns, values))) for values in zip(*columns.values())]


def _evidence(given: dict[str, Any]) -> Evidence:
    """Return evidence of which this is known, and nothing is computed."""
    evidence = Evidence.__new__(Evidence)
    evidence.__dict__.update(given)
    return evidence


def _without_rows(scores):
    """Yield tables of scores without each topic."""
    for topic in next(iter(scores.values())).index:
        yield {label: table.drop(index=topic) for label, table in scores.items()}


def itself(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts itself: the diagonal of a square."""
    return pd.Series(np.diag(phi), index=phi.index)
