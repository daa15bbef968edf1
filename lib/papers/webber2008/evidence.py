"""The evidence that the paper's claims rest on: its own data, and what is asked of them."""

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import replicated
from lib.collection import Collection, load
from lib.measures import Scores, complete_scores, means, score_tables
from lib.papers.webber2008 import experiments
from lib.papers.webber2008.tables import (
    MEASURES,
    NUMBER,
    SEED,
    figure1,
    kept_scores,
    mirrored,
    phi,
    phi_without,
    points_without,
)
from lib.published import printed
from lib.statistics.incomplete import budget
from lib.statistics.predictivity import Predictivity, set_sizes, splits
from lib.statistics.significance import discriminative_power

P10, RR, RBP, AP, NDCG = MEASURES
NDCG_ITSELF, P10_ITSELF, NDCG_P10 = (NDCG, NDCG), (P10, P10), (NDCG, P10)
DRAWN = (NDCG, P10, AP, RBP)  # Figure 1's measures, and two more
TARGET, SPENT = P10, 2010  # of the budget: what is to be predicted, and the seed
FOLLOWED = 100  # splits in which pairs of systems are followed without each topic


class Evidence:
    """The paper's own data, and what its claims ask of them, each thing computed once.

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
        self.topics = len(self.collection.topics)
        self.terabyte = mirrored(printed("webber2008", "Table 2") if terabyte is None else terabyte)
        self.trec8 = mirrored(printed("webber2008", "Table 1"))

    @cached_property
    def result(self) -> Predictivity:
        """The computation behind Table 1."""
        return phi(self.collection)

    @cached_property
    def phi(self) -> pd.DataFrame:
        """Table 1 as a square (measures x measures)."""
        return self.result.phi

    @cached_property
    def phi_of_all(self) -> pd.DataFrame:
        """The same when no system is dropped."""
        return phi(self.collection, share=1.0).phi

    @cached_property
    def points(self) -> pd.DataFrame:
        """Phi of Figure 1 and of two more measures: (predictor, of) x topics in each set."""
        long = figure1(self.collection, measures=DRAWN)
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
    def scores(self) -> dict[str, Scores]:
        """The scores of all systems."""
        return score_tables(self.collection, MEASURES)

    @cached_property
    def kept(self) -> dict[str, Scores]:
        """The scores of the systems that the paper keeps."""
        return kept_scores(self.collection, MEASURES)

    @cached_property
    def power(self) -> pd.Series:
        """Discriminative power of each measure."""
        return powers(self.scores)

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
        return experiments.halving_of_topics()

    def drawn(self, number: int = NUMBER, size: int | None = None) -> np.ndarray:
        """Draw pairs of disjoint sets of topics, by default halves."""
        rng = np.random.default_rng(SEED)
        return splits(self.topics, size=size, number=number, rng=rng)

    @cached_property
    def disagreements(self) -> pd.DataFrame:
        """What becomes of the conflicts of a simple measure with a complex one."""
        return experiments.disagreements(self.kept, self.drawn())

    @cached_property
    def disagreements_of_few(self) -> pd.DataFrame:
        """The same where the sets have few topics."""
        return experiments.disagreements(self.kept, self.drawn(size=set_sizes(self.collection)[0]))

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
        own = self.budget[self.budget["measure"] == TARGET]
        return own[own["topics"] == own["topics"].max()].sort_values("judgements").iloc[0]

    @cached_property
    def rivals(self) -> pd.DataFrame:
        """The best deeper measure on each number of fewer topics, for no more judgements."""
        many, offers = self.shallow, self.budget[self.budget["measure"] != TARGET]
        fewer = (offers["topics"] < many.topics) & (offers["judgements"] <= many.judgements)
        best = offers[fewer].sort_values("phi").drop_duplicates("topics", keep="last")
        return best.set_index("topics").sort_index()

    @cached_property
    def loo_replicates(self) -> list["Evidence"]:
        """The evidence without each topic: what is computed above, and nothing else."""
        halves = list(experiments.without_each(self.drawn(FOLLOWED), self.topics))
        few = self.drawn(FOLLOWED, set_sizes(self.collection)[0])
        followed = partial(experiments.disagreements, self.kept)
        turned = partial(experiments.sign_reversals, self.kept["AP"])
        again: dict[str, Callable[[], Iterable]] = {
            "disagreements": lambda: map(followed, halves),
            "disagreements_of_few": lambda: map(
                followed, experiments.without_each(few, self.topics)
            ),
            "reversed": lambda: map(turned, halves),
            "power": lambda: map(powers, without_rows(self.scores)),
            "inconsistent": lambda: map(experiments.inconsistent, without_rows(self.kept)),
        }
        columns = {
            "phi": phi_without(self.collection),
            "phi_of_all": phi_without(self.collection, share=1.0, number=200),
            "points": points_without(self.collection, self.points.index, list(self.points)),
            "budget": self.budget_without_each(),
        }
        for name, compute in again.items():
            parts = replicated(
                self.collection, f"webber2008: {name}", partial(lambda again, _: again(), compute)
            )
            columns[name] = [like(getattr(self, name), part) for part in parts]
        return [given(dict(zip(columns, values))) for values in zip(*columns.values())]

    def budget_without_each(self) -> list[pd.DataFrame]:
        """Return the settings that are compared without each topic."""
        settings = pd.concat([self.shallow.to_frame().T, self.rivals.reset_index()])
        settings = settings.astype({"topics": int, "pool": int, "judgements": int, "phi": float})
        bought = replicated(
            self.collection,
            f"webber2008: budget of {settings['measure'].tolist()} {settings['topics'].tolist()}",
            lambda whole: experiments.bought_without(whole, settings, target=TARGET, seed=SPENT),
        )
        return [settings.assign(phi=part) for part in bought]


def like(whole: Any, values: np.ndarray) -> Any:
    """Return numbers as a table with the labels of another, or as a number."""
    if isinstance(whole, pd.DataFrame):
        return pd.DataFrame(values.reshape(whole.shape), whole.index, whole.columns)
    return pd.Series(values, whole.index) if isinstance(whole, pd.Series) else values.item()


def given(known: dict[str, Any]) -> Evidence:
    """Return evidence of which this is known, and nothing is computed."""
    evidence = Evidence.__new__(Evidence)
    evidence.__dict__.update(known)
    return evidence


def without_rows(scores: dict[str, Scores]) -> list[dict[str, Scores]]:
    """Return tables of scores without each topic."""
    topics = next(iter(scores.values())).index
    return [{x: table.drop(index=topic) for x, table in scores.items()} for topic in topics]


def powers(scores: dict[str, Scores]) -> pd.Series:
    """Return the discriminative power of each measure."""
    return pd.Series({x: discriminative_power(of, alpha=0.05) for x, of in scores.items()})


def itself(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts itself: the diagonal of a square."""
    return pd.Series(np.diag(phi), index=phi.index)
