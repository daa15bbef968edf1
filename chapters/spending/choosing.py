"""Ways to choose the documents to judge when a pool is too large, and what each way buys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.collection import Collection, judged_of, left_unjudged
from lib.measures import Scores, complete_scores

UNJUDGED = -1
CHOOSING_POOL = 100  # depth of the pool that documents are chosen from
_EPSILON = 0.00001
_SEED = 1998  # of each way's random order
_PURPOSE = "choosing what is judged"


@dataclass(frozen=True, eq=False)
class Feed:
    """What some runs found on a topic."""

    lists: np.ndarray  # runs x ranks: the number of the document, or UNJUDGED
    relevant: np.ndarray  # of each number

    def size(self, depth: int) -> int:
        """Return how many documents a pool of the first ranks holds."""
        return np.setdiff1d(self.lists[:, :depth], UNJUDGED).size


def feeds(collection: Collection, runs: Iterable[str], *, depth: int) -> list[Feed]:
    """Return what some runs found down to a depth, topic by topic.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["u", "r", "n"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> feeds(toy, ["A"], depth=3)[0].lists.tolist()
    [[-1, 0, 1]]
    """
    place = np.full(len(collection.systems), -1)
    at = collection.systems.index.get_indexer(pd.Index(runs))
    place[at] = np.arange(len(at))
    by_topic = []
    tables = (collection.relevant, collection.hits, judged_of(collection, _PURPOSE))
    for topic in range(len(collection.topics)):
        relevant, hits, judged = (_of_topic(table, topic) for table in tables)
        good, bad = relevant["document"].to_numpy(), np.unique(judged["document"])
        lists = np.full((len(at), depth), UNJUDGED)
        for table, known, first in ((hits, good, 0), (judged, bad, len(good))):
            row, rank = place[table["system"]], table["rank"].to_numpy()
            inside = (row >= 0) & (rank <= depth)
            number = first + np.searchsorted(known, table["document"].to_numpy())
            lists[row[inside], rank[inside] - 1] = number[inside]
        grade = np.append(relevant["grade"].to_numpy(), np.zeros(len(bad), int))
        by_topic.append(Feed(lists, grade >= collection.relevant_from))
    return by_topic


def _of_topic(table: pd.DataFrame, topic: int) -> pd.DataFrame:
    """Return the rows of a topic; tables are in the order of their topics."""
    ends = np.searchsorted(table["topic"].to_numpy(), [topic, topic + 1])
    return table.iloc[slice(*ends)]


def by_first_rank(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order documents by the rank at which the first run has them: that of pools of a depth.

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1], [2, 0]]), np.array([True, False, True]))
    >>> by_first_rank(feed, np.random.default_rng(1))
    [0, 2, 1]
    """
    numbers, first = np.unique(feed.lists.T, return_index=True)
    order = numbers[np.argsort(first)]
    return order[order != UNJUDGED].tolist()


def sampled(feed: Feed, rng: np.random.Generator, *, head: int = 0) -> list[int]:
    """Order the documents of the pool at random, each order as likely, but for those of the head.

    References
    ----------
    Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments,
    CIKM 2006.
    """
    order = by_first_rank(feed, rng)
    return order[:head] + rng.permutation(order[head:]).tolist()


def move_to_front(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order documents by move-to-front pooling.

    References
    ----------
    Cormack, Palmer and Clarke, Efficient construction of large test collections, SIGIR 1998; the
    rule for priorities is that of Losada, Parapar and Barreiro 2016.

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1, 2], [3, 4, 5]]), np.array([1, 1, 0, 0, 0, 0], bool))
    >>> order = move_to_front(feed, np.random.default_rng(1))
    >>> order.index(1) - order.index(0)
    1
    """
    priority = rng.random(len(feed.lists))  # the fraction breaks ties between whole degrees

    def learn(run: int, good: bool) -> None:
        if not good:
            priority[run] = np.floor(priority[run]) - 1 + rng.random()

    return _followed(feed, priority, learn)


def bandit(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order documents by a bandit whose arms are the runs: the highest mean is played.

    A run's mean is that of a beta distribution, :math:`(1 + r) / (2 + n)` after r relevant of n
    documents that it brought; equal means are drawn from at random.  A document that another run
    brought before adds nothing to a run's count: that is a choice of ours.

    References
    ----------
    Losada, Parapar and Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in
    pooling-based evaluation, SAC 2016: the stationary "max mean".

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1, 2], [3, 4, 5]]), np.array([1, 1, 1, 0, 0, 0], bool))
    >>> bandit(feed, np.random.default_rng(1))[-2:]
    [4, 5]
    """
    runs = len(feed.lists)
    brought, good_ones = np.zeros(runs), np.zeros(runs)
    noise = 1e-9  # far below the difference of two means
    value = 0.5 + noise * rng.random(runs)

    def learn(run: int, good: bool) -> None:
        brought[run] += 1
        good_ones[run] += good
        value[run] = (1 + good_ones[run]) / (2 + brought[run]) + noise * rng.random()

    return _followed(feed, value, learn)


def _followed(feed: Feed, value: np.ndarray, learn: Callable[[int, bool], None]) -> list[int]:
    """Take the next new document of the run of the highest value, tell it, and go on."""
    waiting = [row[row != UNJUDGED][::-1].tolist() for row in feed.lists]
    relevant = feed.relevant.tolist()
    seen: set[int] = set()
    order: list[int] = []
    while True:
        run = int(value.argmax())
        if value[run] == -np.inf:
            return order
        left = waiting[run]
        while left and left[-1] in seen:
            left.pop()
        if not left:
            value[run] = -np.inf  # a list that is over
            continue
        number = left.pop()
        seen.add(number)
        order.append(number)
        learn(run, relevant[number])


def judge_in_order(
    collection: Collection,
    orders: list[list[int]],
    sizes: Iterable[int],
    *,
    nonrelevant: bool = True,
) -> Collection:
    """Return the collection as it were with the first documents of each topic's order judged.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["s", "r", "n"]}}, {"t": {"r": 1, "s": 1, "n": 0}}, judged=True)
    >>> judge_in_order(toy, [[1, 2, 0]], [2]).topics[["judged", "relevant"]].loc["t"].tolist()
    [2, 1]
    """
    judged = judged_of(collection, _PURPOSE)
    good, bad = [], []
    for topic, (order, size) in enumerate(zip(orders, sizes)):
        parts = np.split(np.array(order, dtype=int), [size])
        relevant = len(_of_topic(collection.relevant, topic))
        good.append([np.isin(np.arange(relevant), part) for part in parts])
        if nonrelevant:
            known, number = np.unique(_of_topic(judged, topic)["document"], return_inverse=True)
            bad.append([np.isin(relevant + np.arange(len(known)), part)[number] for part in parts])
    stays, lost = np.concatenate(good, axis=1)
    if not nonrelevant:
        return collection.rejudged(stays, None)
    stay, gone = np.concatenate(bad, axis=1)
    return collection.rejudged(stays, judged[stay], left_unjudged(collection, lost, gone))


WAYS = {
    "depth": by_first_rank,
    "move to front": move_to_front,
    "bandit": bandit,
    "sample": sampled,
    "strata": sampled,
}
ESTIMATED = {"sample": "infAP", "strata": "xinfAP"}  # from samples


def stratified_ap(feed: Feed, order: Sequence[int], *, head: int, size: int) -> np.ndarray:
    r"""Estimate AP of each list from two strata of a pool: all of its head, a sample of the rest.

    A relevant document stands for :math:`N / n` of its stratum, of which n of N documents were
    judged.  Precision at its rank i is :math:`\frac1i + \frac1i \sum_s d_s (r_s + \epsilon) /
    (j_s + 3 \epsilon)`: of the :math:`d_s` documents of stratum s above it :math:`j_s` were judged,
    :math:`r_s` of them relevant.

    References
    ----------
    Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG,
    SIGIR 2008 (abstract read), as xinfAP of NIST's ``sample_eval.pl`` has it (read).  The head of
    half of the judgements is our choice.

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1, 2, 3]]), np.array([True, False, True, False]))
    >>> stratified_ap(feed, [0, 1, 2, 3], head=2, size=4).round(3).tolist()
    [0.833]
    """
    place = np.full(len(feed.relevant) + 1, len(order))  # the last: what UNJUDGED points at
    place[list(order)] = np.arange(len(order))
    drawn, good = place < size, np.append(feed.relevant, False)
    weight, expected = np.zeros(len(place)), np.ones(feed.lists.shape)
    for stratum in (place < head, (place >= head) & (place < len(order))):
        judged = stratum & drawn
        inside, seen, relevant = (
            np.cumsum(part[feed.lists], axis=1) - part[feed.lists]
            for part in (stratum, judged, judged & good)
        )
        expected += inside * (relevant + _EPSILON) / (seen + 3 * _EPSILON)
        weight[judged & good] = stratum.sum() / max(judged.sum(), 1)
    precision = expected / np.arange(1, feed.lists.shape[1] + 1)
    return (weight[feed.lists] * precision).sum(axis=1) / max(weight.sum(), _EPSILON)


def score_by(
    collection: Collection,
    fed: Iterable[str],
    way: str,
    *,
    depths: Iterable[int],
    measures: Sequence[str],
) -> Iterator[tuple[list[int], dict[str, Scores]]]:
    """Judge by a way, at the cost of pools of some depths: how many of each topic, and scores."""
    given, whole = feeds(collection, fed, depth=CHOOSING_POOL), []
    rng = np.random.default_rng([_SEED, list(WAYS).index(way)])
    orders = [WAYS[way](feed, rng) for feed in given]
    if way == "strata":
        longest = int(collection.retrieved.max())
        whole = feeds(collection, collection.systems.index, depth=longest)
    for depth in depths:
        sizes = [feed.size(depth) for feed in given]
        heads = [size // 2 for size in sizes]
        if way == "strata":
            orders = [sampled(feed, rng, head=head) for feed, head in zip(given, heads)]
        judged = judge_in_order(collection, orders, sizes, nonrelevant=way == "sample")
        known = [*measures, "infAP"] if way == "sample" else measures
        tables = dict(complete_scores(judged, known))
        if way == "strata":
            each = zip(whole, orders, heads, sizes)
            scored = [stratified_ap(feed, order, head=h, size=n) for feed, order, h, n in each]
            tables[ESTIMATED[way]] = collection.frame(np.array(scored))
        yield sizes, tables
