"""What the claims of the paper ask of a collection.

With experiments on sentences that the paper does not put in numbers: do halves of a topic set stand
in for new topics?  Which of two measures is right when they disagree about a pair of systems?  How
often does a significant difference turn around?  How often do measures disagree about a few
systems?  What do judgements buy?
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from chapters.webber2008 import tables
from lib.collection import Collection, load_scores
from lib.conventions import SHARE
from lib.estimates import (
    REPLICATES,
    Estimate,
    discriminative_powers,
    of_estimates,
    quantity,
    stored,
    without_each_topic,
)
from lib.measures import Scores, best, complete_scores, means
from lib.statistics.correlation import count_pairs, pair_bits, pair_signs, taus_of_rows
from lib.statistics.incomplete import BUDGET_MEASURES, budget
from lib.statistics.predictivity import against_new_topics, set_sizes, splits, stack, taus_of_splits
from lib.statistics.significance import significant

P10, RR, RBP, AP, NDCG = tables.MEASURES
_DRAWN = (P10, RBP, AP, NDCG)  # Figure 1's measures, and two more
_TARGET, _SPENT = P10, 2010  # of the budget: what is to be predicted, and the seed
_FOLLOWED = 100  # splits in which pairs of systems are followed without each topic
_FEW = 5  # systems that a paper's results section compares
_BLOCK = 20  # sets handled at once, so that the bits of their pairs stay in the cache

Sets = Sequence[tuple[np.ndarray, np.ndarray]] | np.ndarray  # pairs of disjoint sets of topics


@quantity
def phi_by_size(collection: Collection) -> Estimate:
    """Return phi of Figure 1 and of two more measures: (predictor, of) x topics in each set."""
    measures, sizes = {name: tables.MEASURES[name] for name in _DRAWN}, set_sizes(collection)
    most = tables.SPLITS // 2 * max(sizes)
    squares = [
        tables.predictive_power(collection, measures, size=size, for_error=round(most / size))
        for size in sizes
    ]
    lines = of_estimates(lambda *squares: pd.DataFrame([s.stack() for s in squares], sizes).T)
    return lines(*squares)


@quantity
def power_of_measures(collection: Collection) -> Estimate:
    """Return the discriminative power of each measure."""
    scores = complete_scores(collection, tables.MEASURES)
    return discriminative_powers(collection, "webber2008: power", scores, identical="kept")


@quantity
def weak_places(collection: Collection) -> pd.DataFrame:
    """Return places by AP, in [0, 1], on each topic of the quarter of systems worst by MAP."""
    mean = means(collection, ["AP"])["AP"].sort_values()
    places = complete_scores(collection, "AP").rank(axis=1, pct=True)
    return places[mean.index[: len(mean) // 4]]


@quantity
def halvings(collection: Collection) -> pd.DataFrame:
    """Return halves of topics against others: of TREC-8 as ``data/replicates`` keeps them."""
    if collection.is_package("trec8"):
        return pd.read_csv(REPLICATES / "halvings.tsv", sep="\t")
    return compute_halvings(collection)


@quantity
def disagreements(collection: Collection, *, few: bool = False) -> Estimate:
    """Return what becomes of conflicts (:func:`follow`) on halves of the topics, or on few."""
    kept = tables.kept_scores(collection)
    size = set_sizes(collection)[0] if few else None
    return stored(
        collection,
        "webber2008: disagreements_of_few" if few else "webber2008: disagreements",
        follow(kept, tables.drawn_sets(collection, size=size)),
        lambda whole: (follow(kept, sets) for sets in without_each(whole, size)),
    )


@quantity
def won(collection: Collection) -> pd.DataFrame:
    """Return how AP fares in its conflicts with P@10, one halving of the topics after another.

    A row a halving, in the first the topics are in their order: ``conflicts``, pairs of systems
    that the two order in opposite ways on one half; of these, pairs that P@10 orders on the other
    half as AP did (``right``), and as P@10 did (``wrong``).
    """
    kept = tables.kept_scores(collection)
    p10, ap = kept[P10].to_numpy(), kept[AP].to_numpy()
    rows = []
    for one, other in [np.array_split(np.arange(len(p10)), 2), *tables.drawn_sets(collection)]:
        halves = p10[one], ap[one], p10[other]
        p10_first, ap_first, then = (pair_signs(half.mean(axis=0).round(10)) for half in halves)
        opposed = p10_first * ap_first < 0
        outcome = (then * ap_first)[opposed]
        rows.append((opposed.sum(), (outcome > 0).sum(), (outcome < 0).sum()))
    return pd.DataFrame(rows, columns=["conflicts", "right", "wrong"])


def share_won(outcomes: pd.DataFrame) -> pd.Series:
    """Return of each halving of :func:`won` in which share of its conflicts AP was right.

    Pairs of systems that P@10 ties on the other half are left out.
    """
    return outcomes["right"] / (outcomes["right"] + outcomes["wrong"])


def nearest(shares: pd.Series, guesses: Mapping[str, float]) -> pd.Series:
    """Return what part of some shares comes nearest to each of some guesses, by their names.

    A share that is not known, where nothing was in conflict, is left out.
    """
    shares = shares.dropna()
    away = pd.DataFrame({name: (shares - guess).abs() for name, guess in guesses.items()})
    return away.idxmin(axis=1).value_counts(normalize=True).reindex([*guesses], fill_value=0)


def reversed_pair(collection: Collection) -> list[str]:
    """Return the pair of systems whose order by P@10 turns furthest between halves of the topics.

    First the one that P@10 puts ahead on the first half, as AP does not.
    """
    kept = tables.kept_scores(collection)
    halves = np.array_split(np.arange(len(kept[P10])), 2)

    def ahead(name: str, half: np.ndarray) -> np.ndarray:
        mean = kept[name].iloc[half].mean().round(10).to_numpy()
        return mean[:, None] - mean

    first, then = (ahead(P10, half) for half in halves)
    turned = np.where(ahead(AP, halves[0]) < 0, np.minimum(first, -then), -np.inf)
    places = np.unravel_index(turned.argmax(), turned.shape)
    return [kept[P10].columns[place] for place in places]


@quantity
def inconsistency(collection: Collection) -> Estimate:
    """Return the share of comparisons of a few systems in which measures disagree."""
    kept = tables.kept_scores(collection)
    return stored(
        collection,
        "webber2008: inconsistent",
        inconsistent(kept),
        lambda _: without_each_topic(kept, inconsistent).topics,
    )


@quantity
def reversals(collection: Collection) -> Estimate:
    """Return the share of significant differences that turn around on other topics."""
    scores = tables.kept_scores(collection)[AP]
    return stored(
        collection,
        "webber2008: reversed",
        significant_reversals(scores, tables.drawn_sets(collection, 200)),
        lambda whole: (significant_reversals(scores, sets) for sets in without_each(whole)),
    )


@quantity
def cheaper_rivals(collection: Collection) -> pd.DataFrame:
    """Return what judgements buy: rows of :func:`lib.statistics.incomplete.budget`, P@10's first.

    P@10 on as many topics as there are, judged at the least cost; and the best deeper measure on
    each number of fewer topics, for no more judgements.
    """
    bought = budget(collection, target=_TARGET, seed=_SPENT)
    own = bought["measure"] == _TARGET
    most = own & (bought["topics"] == bought.loc[own, "topics"].max())
    many = bought[most].sort_values("judgements").head(1)
    cheaper = bought["judgements"] <= many["judgements"].item()
    offers = bought[~own & cheaper & (bought["topics"] < many["topics"].item())]
    deeper = offers.sort_values("phi").drop_duplicates("topics", keep="last")
    return pd.concat([many, deeper.sort_values("topics")])


@quantity
def contest(collection: Collection) -> Estimate:
    """Return by how much P@10 on many topics predicts P@10 better than its rivals on fewer."""
    settings = cheaper_rivals(collection)
    power = stored(
        collection,
        f"webber2008: budget of {settings['measure'].tolist()} {settings['topics'].tolist()}",
        settings["phi"],
        lambda whole: bought_without(whole, settings, target=_TARGET, seed=_SPENT),
    )
    return power.map(lambda phi: phi.iloc[0] - phi.iloc[1:])


def without_each(collection: Collection, size: int | None = None) -> Iterator[Sets]:
    """Yield pairs of sets without each topic; the one that had it is a topic smaller."""
    sets = tables.drawn_sets(collection, _FOLLOWED, size)
    for topic in range(len(collection.topics)):
        yield [(one[one != topic], other[other != topic]) for one, other in sets]


def halving(collection: Collection) -> pd.DataFrame:
    """Ask whether halves of a topic set stand in for new topics (section 2: "not shown").

    A row a pair of measures: ``new``, phi by pairs of sets of new topics; ``halved``, phi by
    halves, mean over topic sets; ``difference`` and ``error`` of these two, Monte-Carlo;
    ``deviation`` of phi by halves between topic sets.
    """
    kept = tables.kept_scores(collection)
    halved, new = against_new_topics(kept, rng=np.random.default_rng(tables.SEED))
    error = np.sqrt(sum(taus.var(axis=0, ddof=1) / len(taus) for taus in (halved, new)))
    return _compared(list(kept), halved, new, error)


def _compared(
    measures: list[str], halved: np.ndarray, new: np.ndarray, error: np.ndarray
) -> pd.DataFrame:
    """Set taus of halves beside those of new topics, draws x measures x measures: a row a pair."""
    squares = {
        "new": new.mean(axis=0),
        "halved": halved.mean(axis=0),
        "difference": halved.mean(axis=0) - new.mean(axis=0),
        "error": error,
        "deviation": halved.std(axis=0, ddof=1),
    }
    pairs = combinations_with_replacement(measures, 2)
    upper = np.triu_indices(len(measures))
    columns = {name: square[upper] for name, square in squares.items()}
    return pd.DataFrame(columns, pd.MultiIndex.from_tuples(pairs, names=["of", "predictor"]))


def halving_of_topics(
    scores: Mapping[str, Scores] | None = None,
    *,
    topics: int = 50,
    samples: int = 400,
    number: int = 20,
) -> pd.DataFrame:
    """Ask whether halves stand in for new topics where topics are real: those of Robust 2004.

    Scores of its 249 topics are public by AP and P@10.  A set of them is drawn and taken as a
    track's; the systems are kept by their AP on it, as the paper does.  Phi by `number` of its
    halves is set beside phi, of the same systems, by as many pairs of sets of the other topics.
    """
    scores = load_scores("robust04") if scores is None else scores
    every, rng = len(scores["AP"]), np.random.default_rng(tables.SEED)
    if not 2 <= topics <= every // 2:
        raise ValueError(f"sets of {topics} topics and as many others cannot be drawn from {every}")
    every_score = stack(scores)
    halved, new = np.empty((2, samples, len(scores), len(scores)))
    for one, other in zip(halved, new):
        order = rng.permutation(every)
        ours, others = order[:topics], order[topics:]
        kept = best(scores["AP"].iloc[ours].mean().round(10), SHARE)
        values = every_score[:, :, scores["AP"].columns.get_indexer(kept)]
        halves = ours[splits(topics, number=number, rng=rng)]
        apart = others[splits(len(others), size=topics // 2, number=number, rng=rng)]
        for mean, sets in ((one, halves), (other, apart)):
            mean[:] = np.nan_to_num(taus_of_splits(values, sets, "b", 10)).mean(axis=0)
    error = (halved - new).std(axis=0, ddof=1) / np.sqrt(samples)
    return _compared(list(scores), halved, new, error)


def compute_halvings(collection: Collection) -> pd.DataFrame:
    """Set halves against other topics, made-up and real ones: a row a pair of measures."""
    both = {"real": halving_of_topics(), "made up": halving(collection)}
    return pd.concat(both, names=["topics"]).reset_index()


def follow(kept: Mapping[str, Scores], sets: Sets) -> pd.DataFrame:
    """Ask which measure to believe when a simple and a complex one disagree about two systems.

    The conflicts on the first of two sets of topics are followed to the second.  A row a simple and
    a complex measure: ``conflicts``, their share of the pairs of systems; ``recur``, the share of
    these that the two measures order in the same opposite ways again; ``right, by the simple`` and
    ``right, by the complex``: the share in which the complex measure was right, as either decides,
    of those that it does not tie.
    """
    at, opponents = {label: i for i, label in enumerate(kept)}, _opponents(kept)
    simple, complex = np.array([(at[a], at[b]) for a, b in opponents]).T
    scores = np.stack([table.to_numpy() for table in kept.values()])
    means = np.array([[scores[:, side].mean(axis=1) for side in pair] for pair in sets]).round(10)
    counts = np.zeros((6, len(opponents)))
    for start in range(0, len(sets), _BLOCK):
        above, below = pair_bits(means[start : start + _BLOCK])
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


def _opponents(kept: Mapping[str, Scores]) -> list[tuple[str, str]]:
    return [(a, b) for a in tables.SIMPLE if a in kept for b in tables.COMPLEX if b in kept]


def inconsistent(kept: Mapping[str, Scores], *, few: int = _FEW) -> float:
    """Return in how many comparisons of a few systems measures give inconsistent results.

    The share of random sets of systems in which a simple and a complex measure order some pair in
    opposite ways on all topics.
    """
    signs = {x: pair_signs(table.mean().to_numpy().round(10)) for x, table in kept.items()}
    opposed = np.any([signs[a] * signs[b] < 0 for a, b in _opponents(kept)], axis=0)
    square = squareform(opposed)
    rng = np.random.default_rng(tables.SEED)
    chosen = rng.permuted(np.tile(np.arange(len(square)), (tables.NUMBER, 1)), axis=1)[:, :few]
    return float(square[chosen[:, :, None], chosen[:, None, :]].any(axis=(1, 2)).mean())


def significant_reversals(scores: Scores, sets: Sets) -> float:
    """Return how often a significant difference turns around on other topics.

    Of the pairs of systems that differ significantly on the first set of topics, by a paired,
    two-tailed t test, the share that the second orders the other way round (a tie there is none).
    """
    values = scores.to_numpy()
    significant_pairs = reversed_ = 0
    for one, other in sets:
        sure = significant(values[one], alpha=0.05)
        signs = [pair_signs(values[side].mean(axis=0)) for side in (one, other)]
        significant_pairs += sure.sum()
        reversed_ += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(reversed_ / significant_pairs)


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


def _phi(known: np.ndarray, sought: np.ndarray, few: np.ndarray, others: np.ndarray) -> float:
    """Return the mean tau of rankings on some topics with those on others: sets x topics."""
    one, other = (
        ((side / side.sum(axis=1, keepdims=True)) @ scores).round(10)[:, None]
        for side, scores in ((few, known), (others, sought))
    )
    return np.nan_to_num(taus_of_rows(one, other, variant="b")).mean()
