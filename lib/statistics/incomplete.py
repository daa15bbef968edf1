"""What fewer judgements do: rankings by some of them, what they cost, a pool without a group."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from lib.collection import Collection, askable, judged_of, left_unjudged
from lib.errors import InputError
from lib.measures import complete_scores, means
from lib.statistics.correlation import tau_matrix
from lib.statistics.predictivity import of_target, set_sizes, splits
from lib.tasks import progress

_MEASURES = ("AP", "Bpref", "nDCG", "Rprec", "P@10", "RR")
_SHARES = (1.0, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
BUDGET_MEASURES = {
    "P@10": "P@10",
    "RBP(p=0.95)": "RBP(p=0.95)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,gain=binary)",
}


def degradation(
    collection: Collection,
    *,
    measures: Sequence[str] = _MEASURES,
    shares: Sequence[float] = _SHARES,
    repeats: int = 20,
    seed: int = 2004,
) -> pd.DataFrame:
    """Correlate rankings by ever fewer judgements with rankings by all of them.

    Judgements are removed by :func:`without_judgements`; within a repeat the sets are nested.

    Parameters
    ----------
    collection : Collection
        Derived with ``--judged`` and loaded with ``judged=True``.
    measures : sequence of str
        AP among them.
    shares : sequence of float
        Shares of the judgements to keep, each in (0, 1].
    repeats : int
        Random removals, 1 or more; of one there is no deviation.
    seed : int
        Of the removals: the same seed removes the same judgements.

    Returns
    -------
    DataFrame
        One row a share and a measure, means over the repeats.  score : mean over systems and
        topics, in the unit of the measure; own : tau with the ranking by the same measure and all
        judgements; deviation : standard deviation of ``own`` between repeats; all : tau with the
        ranking by AP and all judgements; same : tau with that by AP and the same judgements.

    Raises
    ------
    ValueError
        A share out of its range, or a collection without the judged non-relevant documents.

    References
    ----------
    Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.

    Examples
    --------
    >>> runs = {"A": {"t": ["r", "x", "s"]}, "B": {"t": ["x", "s", "y"]}}
    >>> qrels = {"t": {"r": 1, "s": 1, "x": 0, "y": 0}}
    >>> toy = Collection.from_rankings(runs, qrels, judged=True)
    >>> degradation(toy, measures=["AP"], shares=[1.0], repeats=2).round(3)
       share measure  score  own  deviation  all  same
    0    1.0      AP  0.542  1.0        0.0  1.0   1.0
    """
    whole = means(collection, measures)
    rows = []
    for share in progress(shares, "share"):
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, repeat])
            part = means(without_judgements(collection, share, rng=rng), measures)
            both = pd.concat({"part": part, "whole": whole}, axis=1)
            tau = tau_matrix(both, variant="b").loc["part"]
            columns = {"share": share, "score": part.mean(), "own": np.diag(tau["whole"])}
            columns |= {"all": tau["whole"]["AP"], "same": tau["part"]["AP"]}
            rows.append(pd.DataFrame(columns))
    every = pd.concat(rows).rename_axis("measure")
    grouped = every.groupby(["share", "measure"], sort=False)
    table = grouped.mean()
    table["deviation"] = grouped["own"].std(ddof=1)
    return table.reset_index()[["share", "measure", "score", "own", "deviation", "all", "same"]]


def without_judgements(
    collection: Collection,
    share: float,
    *,
    rng: np.random.Generator,
    least_relevant: int = 1,
    least_nonrelevant: int = 10,
) -> Collection:
    """Return the collection as it were with only some of its judgements, drawn at random.

    Relevant and non-relevant documents of a topic lose their judgement at the same rate.  A
    document that loses it is unjudged: for most measures as good as non-relevant, for Bpref
    not there, for infAP in the pool and not drawn.

    Parameters
    ----------
    collection : Collection
        With its judged non-relevant documents.
    share : float
        Share of the judgements of each topic to keep, in (0, 1]; the number of documents kept
        is rounded to the nearest.
    rng : numpy.random.Generator
        Generators in the same state keep nested sets: what remains at a low share remains at
        every higher one.
    least_relevant, least_nonrelevant : int
        So many relevant and non-relevant documents of each topic keep their judgement in any
        case, or all if there are fewer: a topic never loses all that can be scored.

    Returns
    -------
    Collection
        With the same topics and lists.

    Raises
    ------
    ValueError
        A share out of its range (an InputError), or a collection without the judged non-relevant
        documents.

    References
    ----------
    Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.

    Examples
    --------
    >>> c = Collection.from_rankings(
    ...     {"A": {"t": ["r", "x", "s"]}}, {"t": {"r": 1, "s": 1, "x": 0}}, judged=True)
    >>> kept = without_judgements(c, 0.5, rng=np.random.default_rng(1))
    >>> kept.topics[["judged", "relevant"]].loc["t"].tolist()
    [2, 1]
    """
    if not 0 < share <= 1:
        raise InputError(f"share must lie in (0, 1], not be {share}")
    judged = judged_of(collection, "removing judgements")
    total = collection.topics["relevant"].to_numpy(int)
    nonrelevant = collection.topics["judged"].to_numpy(int) - total
    drawn = _sample(total, share, least_relevant, rng)
    sampled = _sample(nonrelevant, share, least_nonrelevant, rng)
    # The first of each topic's judged non-relevant documents are those that a list holds.
    width = int(judged["document"].max()) + 1 if len(judged) else 1
    keys, row = np.unique(
        judged["topic"].to_numpy(np.int64) * width + judged["document"].to_numpy(),
        return_inverse=True,
    )
    topic = keys // width
    number = np.arange(len(keys)) - np.searchsorted(topic, topic)
    start = np.cumsum(nonrelevant) - nonrelevant
    stays = sampled[start[topic] + number][row]
    before = () if collection.unsampled is None else (collection.unsampled,)
    unsampled = left_unjudged(collection, ~drawn, ~stays, *before)
    kept = collection.rejudged(drawn, judged[stays], unsampled)
    of_topic = np.repeat(np.arange(len(total)), nonrelevant)
    relevant = kept.topics["relevant"]
    known = relevant + np.bincount(of_topic[sampled], minlength=len(total))
    topics = pd.DataFrame({"judged": known, "relevant": relevant}, dtype="Int32")
    return replace(kept, topics=topics)


def _sample(sizes: np.ndarray, share: float, least: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a share of the items of each group: a boolean for each item, groups one by one."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rng.random(len(group)), group))
    kept = np.maximum(np.rint(share * sizes), np.minimum(least, sizes))
    place = np.arange(len(group)) - (np.cumsum(sizes) - sizes)[group]
    sampled = np.empty(len(group), dtype=bool)
    sampled[order] = place < kept[group]
    return sampled


def budget(
    collection: Collection,
    *,
    sizes: Sequence[int] | None = None,
    pools: Sequence[int] | None = None,
    measures: Mapping[str, str] | None = None,
    target: str = "AP",
    number: int = 500,
    seed: int = 2010,
) -> pd.DataFrame:
    """Return what judgements cost and how well they predict: topics x pool depth x measure.

    Half of the topics predict, judged from a shallow pool, and perhaps only some of them; the
    other half, with all judgements, are predicted.

    Parameters
    ----------
    collection : Collection
        Not re-pooled, with two systems or more.
    sizes : sequence of int, optional
        Topics that predict, at most half of all; by default those of
        :func:`lib.statistics.predictivity.set_sizes`.
    pools : sequence of int, optional
        Depths of the pool, in ranks; by default those that the collection can answer for, see
        :func:`lib.collection.askable`.
    measures : dict of str to str, optional
        Label to measure; by default :data:`BUDGET_MEASURES`.
    target : str
        The measure whose ranking of the systems, on the other topics, is to be predicted.
    number : int
        Random splits, 2 or more.
    seed : int
        Of the splits: the same seed draws the same ones.

    Returns
    -------
    DataFrame
        Columns topics, pool, judgements (mean size of the pools of so many topics, in documents),
        measure, phi (mean tau-b), error (its standard error over the splits).

    Raises
    ------
    ValueError
        A pool that the collection cannot answer for; a size or a number out of its range.

    Examples
    --------
    >>> runs = {"A": {t: ["r", "x"] for t in "1234"}, "B": {t: ["x", "r"] for t in "1234"}}
    >>> toy = Collection.from_rankings(runs, {t: {"r": 1, "x": 0} for t in "1234"})
    >>> budget(toy, sizes=[2], pools=[5], measures={"AP": "AP"}, number=10)
       topics  pool  judgements measure  phi  error
    0       2     5           4      AP  1.0    0.0
    """
    measures = BUDGET_MEASURES if measures is None else measures
    sizes = sizes or set_sizes(collection)
    pools, _ = askable(collection, pools=pools, depths=())
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    sought = complete_scores(collection, target)
    cost = collection.pools.groupby("depth")["all"].mean()
    tables = []
    for pool in pools:
        known = complete_scores(collection.pooled(pool), measures)
        for size in sizes:
            powers = of_target(known, sought, sets, size=size).rename_axis("measure").reset_index()
            spent = {"topics": size, "pool": pool, "judgements": round(size * cost[pool])}
            tables.append(powers.assign(**spent))
    return pd.concat(tables, ignore_index=True)[[*spent, "measure", "phi", "error"]]


def run_groups(collection: Collection) -> pd.Series:
    """Return the group of each run; a run whose group is not known is a group of its own."""
    group = collection.systems["group"]
    return group.where(group != "", group.index.to_series())


def leave_group_out(
    collection: Collection, depth: int, *, runs: Sequence[str] | None = None
) -> Iterator[tuple[pd.Index, Collection]]:
    """Yield the runs of each group, and the collection as a pool without their documents judges it.

    Parameters
    ----------
    collection : Collection
        A run whose group is not known is a group of its own.
    depth : int
        Of the pool, in ranks; 1 or more.
    runs : sequence of str, optional
        Those that contribute to the pool; by default all.

    Yields
    ------
    own : Index of str
        The runs of a group.
    judged : Collection
        What the runs of the other groups would have had judged.

    Examples
    --------
    >>> toy = Collection.from_rankings({"A": {"t": "rx"}, "B": {"t": "yr"}}, {"t": {"r": 1}})
    >>> [(*own, int(judged.topics.loc["t", "relevant"])) for own, judged in leave_group_out(toy, 1)]
    [('A', 0), ('B', 1)]
    """
    group = run_groups(collection)
    group = group if runs is None else group[list(runs)]
    for _, own in group.groupby(group, sort=False):
        others = group.index.difference(own.index, sort=False)
        if len(others):
            yield own.index, collection.pooled(depth, by=list(others))
