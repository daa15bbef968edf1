"""The evidence that the paper's claims rest on: its own data, and what is asked of them.

With experiments on sentences that the paper does not put in numbers: do halves of a topic set stand
in for new topics?  Which of two measures is right when they disagree about a pair of systems?  How
often does a significant difference turn around?  How often do measures disagree about a few
systems?  What do judgements buy?
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, load, load_scores
from lib.conventions import SHARE
from lib.estimates import REPLICATES, replicated
from lib.measures import Scores, best, complete_scores, means, score_tables
from lib.papers.webber2008.tables import (
    COMPLEX,
    MEASURES,
    NUMBER,
    SEED,
    SIMPLE,
    figure1,
    kept_scores,
    mirrored,
    phi,
    phi_without,
    points_without,
)
from lib.published import printed
from lib.statistics.correlation import count_pairs, pair_bits, pair_signs, taus_of_rows
from lib.statistics.incomplete import BUDGET_MEASURES, budget
from lib.statistics.predictivity import (
    Predictivity,
    against_new_topics,
    set_sizes,
    splits,
    stack,
    taus_of_splits,
)
from lib.statistics.significance import discriminative_power, significant

P10, RR, RBP, AP, NDCG = MEASURES
NDCG_ITSELF, P10_ITSELF, NDCG_P10 = (NDCG, NDCG), (P10, P10), (NDCG, P10)
DRAWN = (NDCG, P10, AP, RBP)  # Figure 1's measures, and two more
TARGET, SPENT = P10, 2010  # of the budget: what is to be predicted, and the seed
FOLLOWED = 100  # splits in which pairs of systems are followed without each topic
FEW = 5  # systems that a paper's results section compares
BLOCK = 20  # sets handled at once, so that the bits of their pairs stay in the cache

Sets = Sequence[tuple[np.ndarray, np.ndarray]] | np.ndarray  # pairs of disjoint sets of topics


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
    def halvings(self) -> pd.DataFrame:
        """Halves of a set of topics against others: of TREC-8 as ``data/replicates`` keeps it."""
        if self.collection.is_package("trec8"):
            return pd.read_csv(REPLICATES / "halvings.tsv", sep="\t", float_precision="round_trip")
        return halvings(self.collection)

    def drawn(self, number: int = NUMBER, size: int | None = None) -> np.ndarray:
        """Draw pairs of disjoint sets of topics, by default halves."""
        rng = np.random.default_rng(SEED)
        return splits(self.topics, size=size, number=number, rng=rng)

    @cached_property
    def disagreements(self) -> pd.DataFrame:
        """What becomes of the conflicts of a simple measure with a complex one."""
        return disagreements(self.kept, self.drawn())

    @cached_property
    def disagreements_of_few(self) -> pd.DataFrame:
        """The same where the sets have few topics."""
        return disagreements(self.kept, self.drawn(size=set_sizes(self.collection)[0]))

    @cached_property
    def inconsistent(self) -> float:
        """The share of comparisons of a few systems in which measures disagree."""
        return inconsistent(self.kept)

    @cached_property
    def reversed(self) -> float:
        """The share of significant differences that turn around on other topics."""
        return sign_reversals(self.kept["AP"], self.drawn(200))

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
        halves = list(without_each(self.drawn(FOLLOWED), self.topics))
        few = self.drawn(FOLLOWED, set_sizes(self.collection)[0])
        followed = partial(disagreements, self.kept)
        turned = partial(sign_reversals, self.kept["AP"])
        again: dict[str, Callable[[], Iterable]] = {
            "disagreements": lambda: map(followed, halves),
            "disagreements_of_few": lambda: map(followed, without_each(few, self.topics)),
            "reversed": lambda: map(turned, halves),
            "power": lambda: map(powers, without_rows(self.scores)),
            "inconsistent": lambda: map(inconsistent, without_rows(self.kept)),
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
            lambda whole: bought_without(whole, settings, target=TARGET, seed=SPENT),
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


def without_each(sets: np.ndarray, topics: int) -> Iterator[Sets]:
    """Yield pairs of sets without each topic; the one that had it is a topic smaller."""
    for topic in range(topics):
        yield [(one[one != topic], other[other != topic]) for one, other in sets]


def halving(
    collection: Collection, *, samples: int = 200, pairs: int = 1000, seed: int = SEED
) -> pd.DataFrame:
    """Ask whether halves of a topic set stand in for new topics (section 2: "not shown").

    `samples` and `pairs` are those of :func:`lib.statistics.predictivity.against_new_topics`.  A
    row a pair of measures: ``new``, phi by pairs of sets of new topics; ``halved``, phi by halves,
    mean over topic sets; ``difference`` and ``error`` of these two, Monte-Carlo; ``deviation`` of
    phi by halves between topic sets.
    """
    tables = kept_scores(collection, MEASURES)
    halved, new = against_new_topics(
        tables, samples=samples, pairs=pairs, rng=np.random.default_rng(seed)
    )
    return _compared(new, halved, np.sqrt(halved.var() / samples + new.var() / pairs))


def _compared(new, halved, error):
    """Set phi by new topics beside that by halves, each a row a sample."""
    return pd.DataFrame(
        {
            "new": new.mean(),
            "halved": halved.mean(),
            "difference": halved.mean() - new.mean(),
            "error": error,
            "deviation": halved.std(),
        }
    )


def halving_of_topics(
    scores: Mapping[str, Scores] | None = None,
    *,
    topics: int = 50,
    samples: int = 400,
    number: int = 20,
) -> pd.DataFrame:
    """Ask the same of real topics, of Robust 2004's 249, of which scores by AP and P@10 are public.

    A set of topics is drawn from many and taken as a track's; the systems are kept by their AP on
    it, as the paper does.  Phi by `number` of its halves is set beside phi, of the same systems, by
    as many pairs of sets of the other topics.
    """
    scores = load_scores("robust04") if scores is None else scores
    every, rng = len(scores["AP"]), np.random.default_rng(SEED)
    if not 2 <= topics <= every // 2:
        raise ValueError(f"sets of {topics} topics and as many others cannot be drawn from {every}")
    names, (one, other) = list(scores), np.triu_indices(len(scores))
    every_score = stack(scores)
    found = np.empty((samples, 2, len(one)))
    for row in found:
        order = rng.permutation(every)
        ours, others = order[:topics], order[topics:]
        kept = best(scores["AP"].iloc[ours].mean().round(10), SHARE)
        values = every_score[:, :, scores["AP"].columns.get_indexer(kept)]
        halves = ours[splits(topics, number=number, rng=rng)]
        new = others[splits(len(others), size=topics // 2, number=number, rng=rng)]
        for cell, sets in zip(row, (halves, new)):
            taus = np.nan_to_num(taus_of_splits(values, sets, "b", 10)).mean(axis=0)
            cell[:] = taus[one, other]
    pairs = [(names[i], names[j]) for i, j in zip(one, other)]
    columns = pd.MultiIndex.from_tuples(pairs, names=["of", "predictor"])
    halved, new = (pd.DataFrame(found[:, side], columns=columns) for side in (0, 1))
    return _compared(new, halved, (halved - new).std() / np.sqrt(samples))


def halvings(collection: Collection) -> pd.DataFrame:
    """Return both: a row a pair of measures, with made-up topics and with real ones."""
    both = {"real": halving_of_topics(), "made up": halving(collection)}
    return pd.concat(both, names=["topics"]).reset_index()


def disagreements(tables: Mapping[str, Scores], sets: Sets) -> pd.DataFrame:
    """Ask which measure to believe when a simple and a complex one disagree about two systems.

    The conflicts on the first of two sets of topics are followed to the second.  A row a simple and
    a complex measure: ``conflicts``, their share of the pairs of systems; ``recur``, the share of
    these that the two measures order in the same opposite ways again; ``right, by the simple`` and
    ``right, by the complex``: the share in which the complex measure was right, as either decides,
    of those that it does not tie.
    """
    at, opponents = {label: i for i, label in enumerate(tables)}, _opponents(tables)
    simple, complex = np.array([(at[a], at[b]) for a, b in opponents]).T
    scores = np.stack([table.to_numpy() for table in tables.values()])
    means = np.array([[scores[:, side].mean(axis=1) for side in pair] for pair in sets]).round(10)
    counts = np.zeros((6, len(opponents)))
    for start in range(0, len(sets), BLOCK):
        above, below = pair_bits(means[start : start + BLOCK])
        # Of the two ways to name a pair, that in which the simple measure puts the first above.
        opposed = above[:, 0, simple] & below[:, 0, complex]
        # On the other set a measure puts the first below (the complex one was right), or above.
        right, wrong, right_too, wrong_too = (
            opposed & of[:, 1, measure] for measure in (simple, complex) for of in (below, above)
        )
        followed = (opposed, wrong & right_too, right, wrong, right_too, wrong_too)
        counts += [count_pairs(pairs).sum(axis=0) for pairs in followed]
    number, recur, right, wrong, right_too, wrong_too = counts
    systems = scores.shape[2]
    return pd.DataFrame(
        {
            "conflicts": number / (len(sets) * systems * (systems - 1) / 2),
            "recur": recur / number,
            "right, by the simple": right / (right + wrong),
            "right, by the complex": right_too / (right_too + wrong_too),
        },
        index=pd.MultiIndex.from_tuples(opponents, names=["simple", "complex"]),
    )


def _opponents(tables):
    return [(a, b) for a in SIMPLE if a in tables for b in COMPLEX if b in tables]


def inconsistent(tables: Mapping[str, Scores], *, few: int = FEW) -> float:
    """Return in how many comparisons of a few systems measures give inconsistent results.

    The share of random sets of systems in which a simple and a complex measure order some pair in
    opposite ways on all topics.
    """
    signs = {x: pair_signs(table.mean().to_numpy().round(10)) for x, table in tables.items()}
    opposed = np.any([signs[a] * signs[b] < 0 for a, b in _opponents(tables)], axis=0)
    systems = len(next(iter(tables.values())).columns)
    square = np.zeros((systems, systems), dtype=bool)
    square[np.triu_indices(systems, 1)] = opposed
    square |= square.T
    rng = np.random.default_rng(SEED)
    chosen = rng.permuted(np.tile(np.arange(systems), (NUMBER, 1)), axis=1)[:, :few]
    return float(square[chosen[:, :, None], chosen[:, None, :]].any(axis=(1, 2)).mean())


def sign_reversals(scores: Scores, sets: Sets) -> float:
    """Return how often a significant difference turns around on other topics.

    Of the pairs of systems that differ significantly on the first set of topics, by a paired,
    two-tailed t test, the share that the second orders the other way round (a tie there is none).
    """
    values = scores.to_numpy()
    found = reversed_ = 0
    for one, other in sets:
        sure = significant(values[one], alpha=0.05)
        signs = [pair_signs(values[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        reversed_ += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(reversed_ / found)


def bought_without(
    collection: Collection, settings: pd.DataFrame, *, target: str, number: int = 200, seed: int
) -> np.ndarray:
    """Compute phi of rows of :func:`lib.statistics.incomplete.budget` again without each topic."""
    topics = len(collection.topics)
    sets = splits(topics, number=number, rng=np.random.default_rng(seed))
    sought = complete_scores(collection, target).to_numpy()
    columns = []
    for row in settings.itertuples():
        known = complete_scores(collection.pooled(row.pool), BUDGET_MEASURES[row.measure])
        inside = np.zeros((2, number, topics))  # whether a topic is in the set
        np.put_along_axis(inside[0], sets[:, 0, : row.topics], 1, axis=1)
        np.put_along_axis(inside[1], sets[:, 1], 1, axis=1)
        parts = (inside * (np.arange(topics) != topic) for topic in range(topics))
        columns.append([_phi(known.to_numpy(), sought, *part) for part in parts])
    return np.array(columns).T


def _phi(known, sought, few, others):
    """Return the mean tau of rankings on some topics with those on others: sets x topics."""
    one, other = (
        ((side / side.sum(axis=1, keepdims=True)) @ scores).round(10)[:, None]
        for side, scores in ((few, known), (others, sought))
    )
    return np.nan_to_num(taus_of_rows(one, other, variant="b")).mean()
