"""What a budget buys: ways to choose what is judged, at equal cost, and how well they predict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import asked_of, best, complete_scores, score_tables
from lib.papers.webber2008.tables import SHARE
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import set_sizes
from lib.studies.spending.agreement import Draws, over_topics, phi, placed
from lib.studies.spending.choosing import WAYS, feeds, in_order

COSTS = (1, 2, 5, 10, 20, 50)  # depths of pools whose size is the budget of a topic
POOL = 100  # depth of the pool that documents are chosen from
PREDICTORS = ("AP", "nDCG@20", "P@10")
INFERRED = "infAP"  # of a sample, beside these


@dataclass(frozen=True, eq=False)
class Bought:
    """Scores by what was judged, for every way, cost and measure."""

    settings: pd.DataFrame
    scores: np.ndarray = field(repr=False)
    judgements: np.ndarray


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
        found = over_topics(
            lambda drawn: _with_gain(phi(whole.scores, sought, drawn), plain),
            drawn,
            times=4,
            rng=np.random.default_rng(seed),
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
