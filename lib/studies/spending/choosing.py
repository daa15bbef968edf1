"""Which documents are judged, when not all of a pool can be, and what each way buys."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

from lib.collection import Collection, judged_of, left_unjudged
from lib.measures import SHARE, asked_of, best, complete_scores, score_tables
from lib.statistics.jackknife import groups, jackknife, topic_jackknife
from lib.statistics.predictivity import set_sizes
from lib.studies.spending.pilot import Draws, phi, placed

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
    documents that it brought; equal means are drawn from at random.

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


COSTS = (1, 2, 5, 10, 20, 50)  # depths of pools whose size is the budget of a topic
POOL = 100  # depth of the pool that documents are chosen from
PREDICTORS = ("AP", "nDCG@20", "P@10")
INFERRED = "infAP"  # of a sample, beside these


@dataclass(frozen=True, eq=False)
class Bought:
    """Scores by what was judged, for every way, cost and measure."""

    settings: pd.DataFrame  # way, depth, measure: a row a table of scores
    scores: np.ndarray = field(repr=False)  # settings x topics x systems
    judgements: np.ndarray  # of each setting: documents judged a topic, on average


def bought(
    collection: Collection,
    fed: Iterable[str],
    *,
    kept: Sequence[str],
    ways: Iterable[str] = tuple(WAYS),
    costs: Iterable[int] = COSTS,
    seed: int = 1998,
) -> Bought:
    """Judge a collection in each way at each cost, and score its systems."""
    given = feeds(collection, fed, depth=POOL)
    rows, tables, judgements = [], [], []
    for number, way in enumerate(ways):
        rng = np.random.default_rng([seed, number])
        orders = [WAYS[way](feed, rng) for feed in given]
        drawn = way == "sample"
        measures = (*PREDICTORS, INFERRED) if drawn else PREDICTORS
        for depth in costs:
            sizes = [feed.size(depth) for feed in given]
            judged = in_order(collection, orders, sizes, nonrelevant=drawn)
            found = score_tables(judged, asked_of(judged, measures))
            rows += [(way, depth, measure) for measure in found]
            tables += [table[kept].to_numpy() for table in found.values()]
            judgements += [np.mean(sizes)] * len(found)
    settings = pd.DataFrame(rows, columns=["way", "depth", "measure"])
    return Bought(settings, np.stack(tables), np.array(judgements))


def predicted(
    collection: Collection,
    *,
    by: str = "pooled",
    ways: Sequence[str] = tuple(WAYS),
    costs: Sequence[int] = COSTS,
    sizes: Sequence[int] | None = None,
    number: int = 100,
    seed: int = 2010,
) -> pd.DataFrame:
    """Say how well each way to spend a budget predicts AP on other topics, fully judged."""
    sizes = sizes or set_sizes(collection)
    target = complete_scores(collection, f"AP(rel={collection.relevant_from})")
    kept = best(target.mean().round(10), SHARE, least=2)
    sought = target[kept].to_numpy()
    facts = collection.systems
    fed = facts.index if by == "all" else facts.index[facts["pooled"] == "yes"]
    whole = bought(collection, fed, kept=kept, ways=ways, costs=costs)
    plain = _plain(whole.settings)
    draws = {
        size: Draws.make(len(target), size=size, number=number, rng=np.random.default_rng(seed))
        for size in sizes
    }
    outside = _outside(collection, fed, kept, whole, sought, draws, ways, costs)
    tables = []
    for size, drawn in draws.items():
        found = topic_jackknife(
            partial(_power_and_gain, whole.scores, sought, drawn, plain),
            len(target),
            partings=groups(len(target), times=4, rng=np.random.default_rng(seed)),
        )
        tables.append(
            whole.settings.assign(
                topics=size,
                judgements=(size * whole.judgements).round(),
                phi=found.estimate[0],
                error=found.error[0],
                gain=found.estimate[1],
                gain_error=found.error[1],
                **outside[size],
            )
        )
    return pd.concat(tables, ignore_index=True)


def _outside(collection, fed, kept, whole, sought, draws, ways, costs):
    """Place the kept systems of each group by pools with and without it."""
    groups = collection.systems.loc[kept, "group"]
    if (collection.systems.loc[fed, "group"].fillna("") == "").any():
        return {size: {} for size in draws}
    found = {size: [] for size in draws}
    counts = []
    for group in groups[groups.index.isin(fed)].unique():
        others = fed[collection.systems.loc[fed, "group"] != group]
        without = bought(collection, others, kept=kept, ways=ways, costs=costs)
        own = np.flatnonzero((groups == group) & groups.index.isin(fed))
        rest = np.flatnonzero(groups != group)
        counts.append(len(own))
        for size, drawn in draws.items():
            sides = [
                placed(part.scores, sought, drawn, systems=own, others=rest)
                for part in (whole, without)
            ]
            found[size].append(sides)
    plain = _plain(whole.settings)
    return {size: _mean_of_groups(np.array(sides), counts, plain) for size, sides in found.items()}


def _plain(settings: pd.DataFrame) -> np.ndarray:
    """Return where the pool of a depth stands that costs as much, for each setting."""
    keys = ["depth", "measure"]
    same = settings.assign(measure=settings["measure"].replace(INFERRED, "AP"))
    place = pd.Series(np.arange(len(settings)), index=pd.MultiIndex.from_frame(settings[keys]))
    place = place[(settings["way"] == "depth").to_numpy()]
    return place.reindex(pd.MultiIndex.from_frame(same[keys])).to_numpy()


def _power_and_gain(
    scores: np.ndarray, target: np.ndarray, draws: Draws, plain: np.ndarray, left_out: np.ndarray
) -> np.ndarray:
    return _with_gain(phi(scores, target, draws.without(left_out)), plain)


def _with_gain(values: np.ndarray, plain: np.ndarray) -> np.ndarray:
    return np.stack([values, values - values[plain]])


def _mean_of_groups(
    sides: np.ndarray, counts: Sequence[int], plain: np.ndarray
) -> dict[str, np.ndarray]:
    """Average over systems: shape (groups, 2, settings); the error is over groups."""

    def mean(kept):
        inside, outside = np.average(sides[kept], axis=0, weights=np.array(counts)[kept])
        return np.stack([inside, *_with_gain(outside, plain)])

    every = np.arange(len(counts))
    found = jackknife(mean(every), [mean(np.delete(every, i)) for i in every])
    return {
        "inside": found.estimate[0],
        "outside": found.estimate[1],
        "outside_error": found.error[1],
        "outside_gain": found.estimate[2],
        "outside_gain_error": found.error[2],
    }
