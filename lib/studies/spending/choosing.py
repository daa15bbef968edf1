"""Which documents are judged, when not all of a pool can be, and what each way buys."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.collection import Collection, judged_of, left_unjudged

UNJUDGED = -1
PURPOSE = "choosing what is judged"


@dataclass(frozen=True, eq=False)
class Feed:
    """What some runs found on a topic."""

    lists: np.ndarray  # runs x ranks: the number of the document, or UNJUDGED
    relevant: np.ndarray  # of each number

    def size(self, depth: int) -> int:
        """Return how many documents a pool of the first ranks holds."""
        found = np.unique(self.lists[:, :depth])
        return int((found != UNJUDGED).sum())


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
    found = []
    tables = (collection.relevant, collection.hits, judged_of(collection, PURPOSE))
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
        found.append(Feed(lists, grade >= collection.relevant_from))
    return found


def _of_topic(table, topic):
    """Return the rows of a topic; tables are in the order of their topics."""
    ends = np.searchsorted(table["topic"].to_numpy(), [topic, topic + 1])
    return table.iloc[slice(*ends)]


def by_depth(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order documents by the rank at which the first run has them: that of pools of a depth.

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1], [2, 0]]), np.array([True, False, True]))
    >>> by_depth(feed, np.random.default_rng(1))
    [0, 2, 1]
    """
    flat = feed.lists.T.ravel()
    numbers, first = np.unique(flat, return_index=True)
    order = numbers[np.argsort(first, kind="stable")]
    return [int(number) for number in order if number != UNJUDGED]


def sampled(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order the documents of the pool at random, each order as likely.

    References
    ----------
    Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments,
    CIKM 2006.
    """
    return [int(number) for number in rng.permutation(by_depth(feed, rng))]


def move_to_front(feed: Feed, rng: np.random.Generator) -> list[int]:
    """Order documents by move-to-front pooling.

    References
    ----------
    Cormack, Palmer and Clarke, Efficient construction of large test collections, SIGIR 1998; the
    rule for priorities is that of Losada, Parapar and Barreiro 2016.

    Examples
    --------
    >>> feed = Feed(np.array([[0, 1, 2], [3, 4, 5]]), np.array([1, 1, 0, 0, 0, 0], bool))
    >>> found = move_to_front(feed, np.random.default_rng(1))
    >>> found.index(1) - found.index(0)
    1
    """
    priority = rng.random(len(feed.lists))  # the fraction breaks ties between whole degrees

    def learn(run, good):
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

    def learn(run, good):
        brought[run] += 1
        good_ones[run] += good
        value[run] = (1 + good_ones[run]) / (2 + brought[run]) + noise * rng.random()

    return _followed(feed, value, learn)


def _followed(feed, value, learn):
    """Take the next new document of the run of the highest value, tell it, and go on."""
    waiting = [[int(n) for n in reversed(row) if n != UNJUDGED] for row in feed.lists]
    relevant = feed.relevant.tolist()
    seen: set[int] = set()
    order = []
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


WAYS = {"depth": by_depth, "move to front": move_to_front, "bandit": bandit, "sample": sampled}


def in_order(
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
    >>> in_order(toy, [[1, 2, 0]], [2]).topics[["judged", "relevant"]].loc["t"].tolist()
    [2, 1]
    """
    judged = judged_of(collection, PURPOSE)
    good, bad = [], []
    for topic, (order, size) in enumerate(zip(orders, sizes)):
        parts = np.split(np.array(order, dtype=int), [size])
        relevant = len(_of_topic(collection.relevant, topic))
        good.append([np.isin(np.arange(relevant), part) for part in parts])
        if nonrelevant:
            known, number = np.unique(_of_topic(judged, topic)["document"], return_inverse=True)
            bad.append([np.isin(relevant + np.arange(len(known)), part)[number] for part in parts])
    found, lost = np.concatenate(good, axis=1)
    if not nonrelevant:
        return collection.rejudged(found, None)
    stay, gone = np.concatenate(bad, axis=1)
    return collection.rejudged(found, judged[stay], left_unjudged(collection, lost, gone))
