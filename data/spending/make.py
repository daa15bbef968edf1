"""Make the tables of this folder: what judgements buy, and who loses outside the pool.

    python data/spending/make.py JUDGED [TABLE ...]

JUDGED holds trec8, trec5, trec-covid, dl19 and dl21, derived with --judged.  An hour or two.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.elsewhere.quantities import scored
from chapters.elsewhere.sources import Source, sources
from chapters.left_out import pooled
from chapters.left_out.tables import DEPTH
from chapters.spending.agreement import Draws, phi
from chapters.spending.choosing import ESTIMATED, WAYS, score_by
from chapters.spending.pilot import (
    AIMS,
    PILOT_SPLITS,
    PILOTS,
    TOP_SYSTEMS,
    Forecast,
    Part,
    Pilot,
    judged_in_pools,
    pilot,
    whole_groups,
)
from chapters.spending.planner import Budget, choose, expected
from chapters.spending.tables import BASELINES, PREDICTORS
from lib.collection import Collection, limits, load, load_scores
from lib.conventions import ALPHA, DECIMALS, SHARE
from lib.measures import Scores, best, complete_scores
from lib.statistics.jackknife import groups, jackknife, topic_jackknife
from lib.statistics.multiplicity import holm, tukey, tukey_critical
from lib.statistics.power import deviations, half_width, needed, power
from lib.statistics.predictivity import set_sizes, splits
from lib.statistics.significance import t_test
from lib.tasks import task

DIFFERENCE = 0.05  # of two means, where measures are compared on their own scales
METHODS = ("t", "Holm", "Tukey")
COSTS = (1, 2, 5, 10, 20, 50)  # depths of pools whose size is the budget of a topic
TRIED_DEPTHS = (1, 2, 5, 10, 20, 50)  # of the back-test
SHARES = (0.25, 0.5, 1.0)  # of what a pool of depth 10 costs on all topics


def losses(collection: Collection) -> pd.DataFrame:
    """What being left out of the pool costs, by kind of run."""
    simulated = not (collection.systems["pooled"] == "yes").any()
    found = pooled.score_left_out(collection, simulated=simulated)
    return pooled.losses(found, collection.systems).assign(simulated=simulated)


def runs(collection: Collection) -> pd.DataFrame:
    """What being left out costs each run."""
    tables = []
    for one in pooled.score_left_out(collection, depths=(DEPTH,)):
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
            columns[side] = ranks.where(np.full(len(ranks), one.measure not in pooled.NOT_RANKED))
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
) -> Bought:
    """Judge a collection in each way at each cost, and score its systems."""
    rows, tables, judgements = [], [], []
    for way in ways:
        measures = ["AP"] if way == "strata" else PREDICTORS
        made = score_by(collection, fed, way, depths=costs, measures=measures)
        for depth, (sizes, found) in zip(costs, made):
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
    kept = best(target.mean().round(DECIMALS), SHARE, least=2)
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
                judgements=(size * whole.judgements).round().astype(int),
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
    same = settings.assign(measure=settings["measure"].replace(list(ESTIMATED.values()), "AP"))
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


def spread(scores: Scores) -> tuple[float, float]:
    """Return how far systems lie apart, the error of topics removed, and that error of a topic.

    The variance of systems' means, less what topics alone would make of it: the mean square of
    what is left of scores beside systems and topics, over the number of topics.
    """
    values = scores.to_numpy(dtype=float)
    topics, systems = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    noise = (rest**2).sum() / ((topics - 1) * (systems - 1))
    return np.sqrt(max(values.mean(axis=0).var(ddof=1) - noise / topics, 0.0)), np.sqrt(noise)


def needs(source: Source, *, topics: int = 50) -> pd.DataFrame:
    """Say what comparisons of the systems of a track can tell, measure by measure.

    The difference to be found is one standard deviation between the systems, by each measure.
    """
    rows = []
    tables, of_all = scored(source, kept=(SHARE, "AP")), scored(source)
    of_ap = DIFFERENCE / spread(tables["AP"])[0]
    for measure, table in tables.items():
        low, middle, high = np.quantile(deviations(table), [0.25, 0.5, 0.75])
        apart, noise = spread(table)
        systems = table.shape[1]
        row = {"measure": measure, "systems": systems, "deviation": middle}
        row |= {"low": low, "high": high, "spread": apart, "half_width": half_width(middle, topics)}
        row["power"] = power(apart, middle, topics, alpha=ALPHA)
        row["needed"] = needed(apart / middle, alpha=ALPHA)
        row["needed_every"] = _needed_by_all(of_all[measure])
        row["of_ap"] = needed(of_ap * apart / middle, alpha=ALPHA)
        row["needed_05"] = needed(DIFFERENCE / middle, alpha=ALPHA)
        # The design of Sakai 2016 for a paired t test: one variance, that of all pairs together.
        row["design"] = needed(apart / (np.sqrt(2) * noise), alpha=ALPHA)
        every = {
            "critical": tukey_critical(systems, topics, alpha=ALPHA),
            "freedom": (systems - 1) * (topics - 1),
        }
        row["power_all"] = float(power(apart, middle, topics, **every))
        many = tukey_critical(systems, 1000, alpha=ALPHA)  # it hardly moves beyond 20 topics
        row["needed_all"] = needed(apart / middle, critical=many, freedom=10_000)
        rows.append(row)
    return pd.DataFrame(rows)


def _needed_by_all(scores: Scores) -> float:
    """Return the topics for one standard deviation between systems when all of them are kept."""
    return needed(spread(scores)[0] / np.median(deviations(scores)), alpha=ALPHA)


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


@cache
def piloted(collection: Collection) -> Pilot:
    """Return a collection as a pilot, its sub-pools drawn once."""
    return pilot(collection)


def curves(collection: Collection) -> pd.DataFrame:
    """What a collection tells as a pilot, for the usual aims, and by each way for AP's order."""
    made = piloted(collection)
    aimed = [
        replace(made, aim=aim, top=top, target=complete_scores(collection, aim).to_numpy())
        for aim, top in AIMS.values()
    ] + [pilot(collection, way=way) for way in list(WAYS)[1:]]
    found = pd.concat(Parallel()(task(_curves_of, one) for one in aimed), ignore_index=True)
    found = found.round(4)
    return found.astype(dict.fromkeys(found.select_dtypes("float").columns, "float32"))


def _curves_of(made: Pilot) -> pd.DataFrame:
    return curves_of(made.forecast(number=PILOT_SPLITS))


def pools_of(pilot: Pilot) -> pd.DataFrame:
    """Return what the planner asks of a pilot beside its scores."""
    table = pilot.pools.rename_axis(columns="systems").stack().rename("pool").reset_index()
    return table.assign(topics=pilot.topics, pooled=pilot.pooled)


def curves_of(forecast: Forecast) -> pd.DataFrame:
    """Return the curves of all settings, each with those for the error over topics."""
    names = ["a", "b", "limit_a", "limit_b"]
    tables = []
    for at, size in enumerate(forecast.sizes):
        table = pd.DataFrame(forecast.curves[at].reshape(-1, 4), columns=names)
        known = {"spread": forecast.spread[at], "deviation": forecast.deviation}
        tables.append(forecast.pilot.settings.assign(systems=size, part=0, **known).join(table))
    without = forecast.without()
    for part, curves in enumerate(without.reshape(-1, *without.shape[2:]), start=1):
        table = pd.DataFrame(curves.reshape(-1, 4), columns=names)
        tables.append(
            forecast.pilot.settings.assign(systems=forecast.sizes[-1], part=part).join(table)
        )
    found = pd.concat(tables, ignore_index=True)
    found.insert(0, "aim", forecast.pilot.aim)
    found.insert(1, "top", forecast.pilot.top or 0)
    found.insert(2, "way", forecast.pilot.way)
    return found


def all_needs() -> pd.DataFrame:
    """What comparisons of two systems can tell, in every collection of the book."""
    tables = {source.name: needs(source) for source in sources()}
    found = pd.concat(tables, names=["source"]).reset_index(level="source")
    whole = [name for name in found if name.startswith("needed")] + ["of_ap", "design"]
    return found.astype(dict.fromkeys(whole, int))


def all_reversals() -> pd.DataFrame:
    """Significant differences that turn round: on Robust 2004's topics, and on TREC-8's halves."""
    robust, trec8 = load_scores("robust04"), load("trec8")
    tables = {}
    for measure in ("AP", "P@10"):
        tables["robust04", measure] = sign_reversals(robust[measure], sizes=(25, 50, 100, 124))
        tables["trec8", measure] = sign_reversals(complete_scores(trec8, measure), sizes=(25,))
    found = pd.concat(tables, names=["source", "measure"]).reset_index(level=[0, 1])
    return found.sort_values(["source", "measure", "topics"], kind="stable", ignore_index=True)


def parted(collection: Collection, rng: np.random.Generator) -> tuple[Pilot, Pilot]:
    """Return halves of a collection's groups as two pilots, each with the pools of its own runs.

    The first is what is known: its aim, too, is scored by what its own runs found.  The second is
    what comes, with all judgements.
    """
    first = whole_groups(collection.systems["group"], len(collection.systems) // 2, rng)
    mine = pd.Series(False, collection.systems.index)
    mine.iloc[first] = True
    able = limits(collection, depths=TRIED_DEPTHS)["pool"]
    depths, found = able.index[able].tolist(), []
    for some, parts in ((mine, [mine.sum() // 2]), (~mine, [])):
        half = collection.select(systems=some.index[some])
        made = pilot(half, depths=depths, sizes=parts, draws=8, unjudged=True)
        share = judged_in_pools(half, half.systems.index, depths) / judged_in_pools(
            collection, collection.systems.index, depths
        )
        made = replace(made, pools=made.pools.mul(share, axis=0))
        if parts:
            known = complete_scores(half.pooled(int(half.hits["rank"].max())), "AP")
            made = replace(made, target=known.to_numpy())
        found.append(made)
    return found[0], found[1]


def one_try(
    mine: Pilot,
    theirs: Pilot,
    halves: np.ndarray,
    budgets: Sequence[tuple[float, float]],
    number=30,
) -> pd.DataFrame:
    """Plan from some groups on half of the topics; see what the others show, and what they do."""
    quick = {"number": number, "simulated": False}
    known, same, others = mine.some(halves[0]), mine.some(halves[1]), theirs.some(halves[1])
    most, forecast = same.topics // 2, replace(known, parts={}).forecast(**quick)
    alone = cache(lambda at: known.some(slice(None), [at]).forecast(**quick))
    rows = []
    for share, price in budgets:
        paid = share * most * (known.pools.loc[DEPTH, known.systems] + price)
        budget = Budget(judgements=paid, topic=price, most=most)
        plan = choose(forecast, budget)
        at, topics = int(plan["setting"]), int(plan["topics"])
        for held, seen_on in (("topics", same), ("topics and groups", others)):
            asked = expected(alone(at), 0, topics, others=seen_on is others)
            row: dict = {"share": share, "topic_cost": price, "held": held}
            row |= plan[["depth", "measure", "topics"]].to_dict()
            row |= {"promised": float(asked.estimate), "low": asked.low, "high": asked.high}
            compared = {"seen": (at, topics)}
            compared |= {name: _baseline(seen_on, name, budget) for name in BASELINES}
            for name, (setting, few) in compared.items():
                draws = seen_on.draws([few], number=number, seed=2)[few]
                row[name] = seen_on.power(setting, draws)
            rows.append(row)
    return pd.DataFrame(rows)


def _baseline(pilot: Pilot, name: str, budget: Budget) -> tuple[int, int]:
    """Return the setting and the topics of a baseline that costs no more than the budget."""
    most, pools = budget.most or pilot.topics, pilot.pools[pilot.systems]
    depth = DEPTH
    if name == "AP of all topics":
        paid = pools[most * (pools + budget.topic) <= budget.judgements + 1e-9]
        depth = int(paid.index.max()) if len(paid) else int(pools.index.min())
    measure = "P@10" if name == "P@10" else "AP"
    topics = np.floor(budget.judgements / (pools[depth] + budget.topic) + 1e-9)
    return pilot.setting(depth, measure), int(np.clip(topics, 1, most))


def back_test(
    collection: Collection,
    *,
    partings: int = 4,
    tries: int = 6,
    shares: Sequence[float] = SHARES,
    prices: Sequence[float] = (0.0,),
    top: int | None = None,
    seed: int = 2026,
) -> pd.DataFrame:
    """Try the planner: random halves of the groups, and of each random halves of the topics."""
    budgets = [(share, price) for price in prices for share in shares]
    found = []
    for number in range(partings):
        both = parted(collection, np.random.default_rng([seed, number]))
        mine, theirs = (replace(half, top=top) for half in both)
        topics = np.random.default_rng([seed, number, 1])
        halves = splits(mine.topics, number=tries, rng=topics)
        found += Parallel()(task(one_try, mine, theirs, half, budgets) for half in halves)
    return pd.concat(found, keys=range(partings * tries), names=["try"]).reset_index(level=0)


def summary(tried: pd.DataFrame) -> pd.DataFrame:
    """Sum up a back-test, budget by budget."""
    rows = []
    for (held, price, share), part in tried.groupby(["held", "topic_cost", "share"], sort=False):
        plans = part[["depth", "measure", "topics"]].astype(str).agg(" ".join, axis=1)
        row = {"held": held, "share": share, "topic_cost": price} | _kept(part)
        for name in BASELINES:
            gain = part["seen"] - part[name]
            low, high = gain.quantile([0.025, 0.975])
            row |= {name: gain.mean(), f"{name}, low": low, f"{name}, high": high}
        row |= {"plan": plans.mode()[0], "often": (plans == plans.mode()[0]).mean()}
        rows.append(row)
    return pd.DataFrame(rows)


def _kept(part: pd.DataFrame) -> dict[str, float]:
    """Return what was promised and seen, and how often the interval held it."""
    return {
        "tries": len(part),
        "promised": part["promised"].mean(),
        "seen": part["seen"].mean(),
        "coverage": part["seen"].between(part["low"] - 1e-12, part["high"] + 1e-12).mean(),
        "reach": (part["high"] - part["low"]).mean() / 2,
    }


FEW = (10, 15)  # topics of small pilots
AHEAD = (30, 50, 100, 200)  # topics that they are asked of
JUDGES = 75  # topics that stand for endlessly many, at least


def ahead(tables: dict[str, Scores], *, tries: int = 20, seed: int = 2030) -> pd.DataFrame:
    """Plan from few topics for many: half of the systems are the pilot's, the others are seen."""
    values = np.stack([tables["AP"].to_numpy(), tables["P@10"].to_numpy()])
    found = Parallel()(
        task(_one_ahead, values, few, np.random.default_rng([seed, few, i]))
        for few in FEW
        for i in range(tries)
    )
    every = pd.concat(found, ignore_index=True)
    keys = ["few", "topics", "measure", "kind"]
    rows = [dict(zip(keys, key)) | _kept(part) for key, part in every.groupby(keys, sort=False)]
    return pd.DataFrame(rows)


def _one_ahead(values: np.ndarray, few: int, rng: np.random.Generator) -> pd.DataFrame:
    """Make a pilot of few topics and half of the systems, and see what it promises for many."""
    every, systems = rng.permutation(values.shape[1]), rng.permutation(values.shape[2])
    half = len(systems) // 2
    mine, theirs = values[..., systems[:half]], values[..., systems[half:]][:, every[few:]]
    parts = [np.sort(rng.permutation(half)[: half // 2]) for _ in range(8)]
    made = Pilot(
        title="",
        settings=pd.DataFrame({"depth": [DEPTH] * 2, "measure": ["AP", "P@10"]}),
        topics=few,
        scores=mine[:, every[:few]],
        target=mine[0, every[:few]],
        pools=pd.DataFrame({half: [1.0]}, index=[DEPTH]),
        pooled=True,
        parts={half // 2: [Part(at, mine[:, every[:few]][..., at], np.ones(1)) for at in parts]},
    )
    forecast, rows = made.forecast(number=30), []
    other = replace(made, target=theirs[0])
    kept = other.kept()
    for topics in (n for n in AHEAD if n + few // 2 <= theirs.shape[1]):
        left = theirs.shape[1] - topics
        for kind, sought in (("others", few // 2), ("limit", left)):
            if kind == "limit" and left < JUDGES:
                continue
            order = rng.permuted(np.tile(np.arange(theirs.shape[1]), (30, 1)), axis=1)
            draws = Draws(order < topics, order >= theirs.shape[1] - sought)
            seen = phi(theirs[..., kept], theirs[0][:, kept], draws)
            for at, measure in enumerate(made.settings["measure"]):
                asked = expected(forecast, at, topics, kind=kind, others=True)
                row = {"few": few, "topics": topics, "measure": measure, "kind": kind}
                row |= {"promised": float(asked.estimate), "low": asked.low, "high": asked.high}
                rows.append(row | {"seen": seen[at]})
    return pd.DataFrame(rows)


def all_ahead() -> pd.DataFrame:
    """What pilots of few topics say of many, where many are known."""
    names = ("robust04", "trec6", "trec7")
    tables = {name: load_scores(name) for name in names}
    tables["trec8"] = {name: complete_scores(load("trec8"), name) for name in ("AP", "P@10")}
    found = {name: ahead(table) for name, table in tables.items()}
    return pd.concat(found, names=["source"]).reset_index(level="source")


POOLED = ("trec8", "trec-covid")  # who contributed to the pool is known
OF_JUDGED: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "losses": (losses, PILOTS),
    "runs": (runs, POOLED),
    "ways": (ways, PILOTS),
    "pilots": (lambda c: pools_of(piloted(c)), PILOTS),
    "curves": (curves, PILOTS),
    "backtest": (lambda c: summary(back_test(c)), PILOTS),
    "top": (lambda c: summary(back_test(c, top=TOP_SYSTEMS)), PILOTS),
}
OF_THE_BOOK = {"needs": all_needs, "turns": all_reversals, "ahead": all_ahead}


def made(name: str, judged: Path) -> pd.DataFrame:
    """Make a table."""
    if name in OF_THE_BOOK:
        return OF_THE_BOOK[name]()
    make, collections = OF_JUDGED[name]
    tables = {of: make(load(judged / of, judged=True)) for of in collections}
    return pd.concat(tables, names=["collection"]).reset_index(level="collection")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judged", type=Path)
    every = [*OF_JUDGED, *OF_THE_BOOK]
    parser.add_argument("tables", nargs="*", default=every, choices=every)
    options = parser.parse_args()
    with parallel_config(n_jobs=2):
        for table in options.tables:
            found = made(table, options.judged)  # curves come rounded, and once is enough
            write("spending", table, found if table == "curves" else found.round(5))
