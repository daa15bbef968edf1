"""Make the tables of this folder: what judgements buy, and who loses outside the pool.

    python data/spending/make.py JUDGED [TABLE ...]

JUDGED holds trec8, trec5, trec-covid, dl19 and dl21, derived with --judged.  An hour or two.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, parallel_config

from lib.collection import Collection, load, load_scores
from lib.measures import SHARE, Scores, best, complete_scores, score_tables
from lib.statistics.jackknife import groups, jackknife, topic_jackknife
from lib.statistics.multiplicity import holm, tukey, tukey_critical
from lib.statistics.power import deviations, half_width, power, topics_needed
from lib.statistics.predictivity import set_sizes, splits
from lib.statistics.significance import t_test
from lib.studies.committed import write
from lib.studies.sources import Source, sources
from lib.studies.spending import pooled
from lib.studies.spending.choosing import WAYS, feeds, in_order
from lib.studies.spending.pilot import NUMBER, PILOTS, Draws, Pilot, curves_of, phi, pilot, pools_of
from lib.studies.spending.planner import WIDER, Budget, choose, expected
from lib.studies.spending.tables import ALPHA, BASELINES, DEPTH, PREDICTORS
from lib.tasks import task

DIFFERENCE = 0.05  # of two means, which a comparison is to find
METHODS = ("t", "Holm", "Tukey")
DECIMALS = 10  # of differences: equal means have none
COSTS = (1, 2, 5, 10, 20, 50)  # depths of pools whose size is the budget of a topic
POOL = 100  # depth of the pool that documents are chosen from
INFERRED = "infAP"  # of a sample, beside these
SHARES = (0.25, 0.5, 1.0)  # of what a pool of depth 10 costs on all topics


def losses(collection: Collection) -> pd.DataFrame:
    """What being left out of the pool costs, by kind of run."""
    return pooled.losses(pooled.score_left_out(collection), collection.systems)


def runs(collection: Collection) -> pd.DataFrame:
    """What being left out costs each run."""
    tables = []
    for one in pooled.score_left_out(collection, depths=(10, 100)):
        facts = collection.systems.loc[one.inside.columns]
        columns = {
            "depth": one.depth,
            "measure": one.measure,
            "group": facts["group"],
            "type": facts["type"],
            "inside": one.inside.mean(),
            "outside": one.outside.mean(),
        }
        for side in ("rank_inside", "rank_outside"):
            ranks = getattr(one, side).astype("Int64")
            columns[side] = ranks.where(one.measure not in pooled.NOT_RANKED)
        table = pd.DataFrame(columns).rename_axis("run").reset_index()
        table.insert(2, "run", table.pop("run"))
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def placed(
    values: np.ndarray,
    target: np.ndarray,
    draws: Draws,
    *,
    systems: Sequence[int] | np.ndarray,
    others: Sequence[int] | np.ndarray,
) -> np.ndarray:
    """Return how well some systems are placed among others: pairs in order less pairs not."""
    known = draws.means(values, side="known")
    sought = draws.means(target[np.newaxis], side="sought")

    def signs(mean):
        return np.sign(mean[..., systems][..., :, np.newaxis] - mean[..., np.newaxis, others])

    return (signs(known) * signs(sought)).mean(axis=(0, 2, 3))


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
            found = score_tables(judged, measures)
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
    target = complete_scores(collection, "AP")
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


def ways(collection: Collection) -> pd.DataFrame:
    """What ways to choose documents buy, at equal cost."""
    known = (collection.systems["pooled"] == "yes").any()
    return predicted(collection, by="pooled" if known else "all")


def needs(source: Source, *, topics: int = 50) -> pd.DataFrame:
    """Say what comparisons of the systems of a track can tell, measure by measure."""
    rows = []
    for measure, table in source.kept().items():
        spread = deviations(table)
        low, middle, high = np.quantile(spread, [0.25, 0.5, 0.75])
        systems = table.shape[1]
        row = {"measure": measure, "systems": systems, "deviation": middle}
        row |= {"low": low, "high": high, "half_width": half_width(middle, topics)}
        row["power"] = power(DIFFERENCE, middle, topics, alpha=ALPHA)
        row["needed"] = topics_needed(DIFFERENCE, middle, alpha=ALPHA)
        every = {
            "critical": tukey_critical(systems, topics, alpha=ALPHA),
            "freedom": (systems - 1) * (topics - 1),
        }
        row["power_all"] = float(power(DIFFERENCE, middle, topics, **every))
        many = tukey_critical(systems, 1000, alpha=ALPHA)  # it hardly moves beyond 20 topics
        row["needed_all"] = topics_needed(DIFFERENCE, middle, critical=many, freedom=10_000)
        rows.append(row)
    return pd.DataFrame(rows)


def _decided(values: np.ndarray, critical: float) -> dict[str, np.ndarray]:
    """Return which pairs each method calls different."""
    p = t_test(values)
    return {"t": p < ALPHA, "Holm": holm(p) < ALPHA, "Tukey": np.abs(tukey(values)) > critical}


def sign_reversals(
    scores: Scores, *, sizes: Sequence[int], number: int = 500, seed: int = 2004
) -> pd.DataFrame:
    """Count pairs that differ significantly on some topics and turn round on all the others."""
    values = scores.to_numpy(dtype=float)
    every = np.arange(len(values))
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, size])
        systems = values.shape[1]
        here = tukey_critical(systems, size, alpha=ALPHA)
        there = tukey_critical(systems, len(values) - size, alpha=ALPHA)
        found: dict[str, list[tuple]] = {method: [] for method in METHODS}
        for _ in range(number):
            part = np.zeros(len(values), dtype=bool)
            part[rng.permutation(every)[:size]] = True
            for method, counts in _of_parts(values[part], values[~part], here, there).items():
                found[method].append(counts)
        rows += [
            {"topics": size, "others": len(values) - size, "method": method} | _summed(counts)
            for method, counts in found.items()
        ]
    return pd.DataFrame(rows)


def _of_parts(one, other, critical, other_critical):
    """Count, by each method: pairs, significant ones, turned, against, again."""
    sign, other_sign = (_signs(values) for values in (one, other))
    decided, others = _decided(one, critical), _decided(other, other_critical)
    opposite = sign * other_sign < 0
    return {
        method: (
            len(sign),
            decided[method].sum(),
            (decided[method] & opposite).sum(),
            (decided[method] & others[method] & opposite).sum(),
            (decided[method] & others[method] & ~opposite).sum(),
        )
        for method in METHODS
    }


def _signs(values: np.ndarray) -> np.ndarray:
    mean = values.mean(axis=0)
    first, second = np.triu_indices(len(mean), 1)
    return np.sign((mean[first] - mean[second]).round(DECIMALS))


def _summed(counts: Sequence[tuple]) -> dict[str, float]:
    pairs, significant, *rest = np.array(counts, dtype=float).T
    shares = [part.sum() / significant.sum() if significant.any() else np.nan for part in rest]
    each = rest[0][significant > 0] / significant[significant > 0]
    low, high = np.quantile(each, [0.025, 0.975]) if len(each) else (np.nan, np.nan)
    return {
        "pairs": int(pairs[0]),
        "significant": (significant / pairs).mean(),
        "turned": shares[0],
        "low": low,
        "high": high,
        "against": shares[1],
        "again": shares[2],
    }


def all_needs() -> pd.DataFrame:
    """What comparisons of two systems can tell, in every collection of the book."""
    tables = {source.name: needs(source) for source in sources()}
    return pd.concat(tables, names=["source"]).reset_index(level="source")


def all_reversals() -> pd.DataFrame:
    """Significant differences that turn round: on Robust 2004's topics, and on TREC-8's halves."""
    robust, trec8 = load_scores("robust04"), load("trec8")
    tables = {}
    for measure in ("AP", "P@10"):
        tables["robust04", measure] = sign_reversals(robust[measure], sizes=(25, 50, 100, 124))
        tables["trec8", measure] = sign_reversals(complete_scores(trec8, measure), sizes=(25,))
    found = pd.concat(tables, names=["source", "measure"]).reset_index(level=[0, 1])
    return found.sort_values(["source", "measure", "topics"], kind="stable", ignore_index=True)


def one_try(
    given: Pilot, halves: np.ndarray, budgets: Sequence[tuple[float, float]], number: int = 40
) -> pd.DataFrame:
    """Plan from one half of the topics and see what the other half says of the plan."""
    mine, theirs = given.some(halves[0]), given.some(halves[1])
    most, told = theirs.topics // 2, mine.told(number=number, times=2)
    rows = []
    for share, price in budgets:
        paid = share * most * (given.pools[DEPTH] + price)
        budget = Budget(judgements=paid, topic=price, most=most)
        plan = choose(told, budget)
        promised = expected(told, plan["setting"], plan["topics"], wider=1.0)
        row: dict = {"share": share, "topic_cost": price}
        row |= plan[["depth", "measure", "topics"]].to_dict()
        row |= {"promised": promised.estimate, "low": promised.low, "high": promised.high}
        compared = {"seen": (int(plan["setting"]), int(plan["topics"]))}
        compared |= {name: _baseline(theirs, name, budget) for name in BASELINES}
        for name, (setting, topics) in compared.items():
            draws = theirs.draws([topics], number=number, seed=2)[topics]
            row[name] = theirs.power(setting, draws)
        rows.append(row)
    return pd.DataFrame(rows)


def _baseline(pilot: Pilot, name: str, budget: Budget) -> tuple[int, int]:
    """Return the setting and the topics of a baseline that costs no more than the budget."""
    most = budget.most or pilot.topics
    depth = DEPTH
    if name == "AP of all topics":
        paid = pilot.pools[most * (pilot.pools + budget.topic) <= budget.judgements + 1e-9]
        depth = int(paid.index.max()) if len(paid) else int(pilot.pools.index.min())
    measure = "P@10" if name == "P@10" else "AP"
    topics = np.floor(budget.judgements / (pilot.pools[depth] + budget.topic) + 1e-9)
    return pilot.setting(depth, measure), int(np.clip(topics, 1, most))


def back_test(
    given: Pilot,
    *,
    tries: int = 200,
    shares: Sequence[float] = SHARES,
    prices: Sequence[float] = (0.0, 100.0),
    number: int = 40,
    seed: int = 2026,
) -> pd.DataFrame:
    """Try the planner on many random halves of the topics."""
    if DEPTH not in given.pools.index:
        raise ValueError(f"{given.title}: the back-test needs a pool of depth {DEPTH}")
    budgets = [(share, price) for price in prices for share in shares]
    halves = splits(given.topics, number=tries, rng=np.random.default_rng(seed))
    slim = replace(given, title="")
    found = Parallel()(task(one_try, slim, half, budgets, number) for half in halves)
    return pd.concat(found, keys=range(tries), names=["try"]).reset_index(level=0)


def summary(tried: pd.DataFrame) -> pd.DataFrame:
    """Sum up a back-test, budget by budget."""
    rows = []
    for (price, share), part in tried.groupby(["topic_cost", "share"], sort=False):
        reach = (part["high"] - part["low"]) / 2
        off = (part["seen"] - part["promised"]).abs() - 1e-12
        plans = part[["depth", "measure", "topics"]].astype(str).agg(" ".join, axis=1)
        row = {
            "share": share,
            "topic_cost": price,
            "tries": len(part),
            "promised": part["promised"].mean(),
            "seen": part["seen"].mean(),
            "coverage": (off <= reach).mean(),
            "widened": (off <= WIDER * reach).mean(),
            "reach": WIDER * reach.mean(),
        }
        for name in BASELINES:
            gain = part["seen"] - part[name]
            low, high = gain.quantile([0.025, 0.975])
            row |= {name: gain.mean(), f"{name}, low": low, f"{name}, high": high}
            row[f"{name}, no worse"] = (gain >= -1e-12).mean()
        row |= {"plan": plans.mode()[0], "often": (plans == plans.mode()[0]).mean()}
        rows.append(row)
    return pd.DataFrame(rows)


POOLED = ("trec8", "trec-covid")  # who fed the pool is known
TRIED = ("trec8", "trec5", "dl19", "dl21", "trec-covid")
OF_JUDGED: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "losses": (losses, POOLED),
    "runs": (runs, POOLED),
    "ways": (ways, PILOTS),
}
OF_PILOTS: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "backtest": (lambda c: summary(back_test(pilot(c))), TRIED),
    "pilots": (lambda c: pools_of(pilot(c)), PILOTS),
    "curves": (lambda c: curves_of(pilot(c).told(number=NUMBER)), PILOTS),
}
OF_THE_BOOK = {"needs": all_needs, "turns": all_reversals}


def made(name: str, judged: Path) -> pd.DataFrame:
    """Make a table."""
    if name in OF_THE_BOOK:
        return OF_THE_BOOK[name]()
    make, collections = (OF_JUDGED | OF_PILOTS)[name]
    if name in OF_JUDGED:
        given = {of: load(judged / of, judged=True) for of in collections}
    else:
        given = {of: load(of) for of in collections}
    tables = {of: make(collection) for of, collection in given.items()}
    return pd.concat(tables, names=["collection"]).reset_index(level="collection")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judged", type=Path)
    every = [*OF_JUDGED, *OF_PILOTS, *OF_THE_BOOK]
    parser.add_argument("tables", nargs="*", default=every, choices=every)
    options = parser.parse_args()
    with parallel_config(n_jobs=2):
        for table in options.tables:
            write("spending", table, made(table, options.judged).round(5))
