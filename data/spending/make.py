"""Make the tables of this folder: what judgements buy, and who loses outside the pool.

    python data/spending/make.py JUDGED [TABLE ...]

JUDGED holds trec8, trec5, trec-covid, dl19 and dl21, derived with --judged.  An hour or two.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, parallel_config

from lib.collection import Collection, load, load_scores
from lib.measures import Scores, complete_scores
from lib.statistics.multiplicity import holm, tukey, tukey_critical
from lib.statistics.power import deviations, half_width, power, topics_needed
from lib.statistics.predictivity import splits
from lib.statistics.significance import t_test
from lib.studies.committed import write
from lib.studies.sources import Source, sources
from lib.studies.spending import pooled
from lib.studies.spending.choosing import predicted
from lib.studies.spending.pilot import NUMBER, PILOTS, Pilot, curves_of, pilot, pools_of
from lib.studies.spending.planner import WIDER, Budget, choose, expected
from lib.studies.spending.tables import ALPHA, BASELINES, DEPTH
from lib.tasks import task

DIFFERENCE = 0.05  # of two means, which a comparison is to find
METHODS = ("t", "Holm", "Tukey")
DECIMALS = 10  # of differences: equal means have none
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
