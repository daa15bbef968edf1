"""The planner tried on real runs: a plan from half of the topics, checked on the other half."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from joblib import Parallel

from lib.statistics.predictivity import splits
from lib.studies.spending.agreement import phi
from lib.studies.spending.pilot import Pilot
from lib.studies.spending.planner import WIDER, Budget, choose, expected
from lib.tasks import task

SHARES = (0.25, 0.5, 1.0)  # of what a pool of depth 10 costs on all topics
DEPTH = 10
BASELINES = {
    "AP of depth 10": "AP on the pool of depth 10, of as many topics as the budget pays",
    "P@10": "P@10 on that pool: all that it asks for is judged",
    "AP of all topics": "AP on all topics, from the deepest pool that the budget pays",
}


def one_try(
    given: Pilot, halves: np.ndarray, budgets: Sequence[tuple[float, float]], number: int = 40
) -> pd.DataFrame:
    """Plan from one half of the topics and see what the other half says of the plan."""
    mine, theirs = given.some(halves[0]), given.some(halves[1])
    most, told = theirs.topics // 2, mine.told(number=number)
    rows = []
    for share, price in budgets:
        paid = share * most * (given.pools[DEPTH] + price)
        budget = Budget(judgements=paid, topic=price, most=most)
        plan = choose(told, budget)
        promised = expected(told, plan["setting"], plan["topics"], wider=1.0)
        row: dict = {"share": share, "topic_cost": price}
        row |= plan[["depth", "measure", "topics"]].to_dict()
        row |= {"promised": promised.estimate, "low": promised.low, "high": promised.high}
        row["seen"] = _seen(theirs, int(plan["setting"]), int(plan["topics"]), number)
        row |= {name: _seen(theirs, *_baseline(theirs, name, budget), number) for name in BASELINES}
        rows.append(row)
    return pd.DataFrame(rows)


def _seen(other: Pilot, setting: int, topics: int, number: int) -> float:
    """Return the predictive power of a setting, as the other topics have it."""
    draws = other.draws([topics], number=number, seed=2)[topics]
    return float(phi(other.one(setting).scores, other.target, draws)[0])


def _baseline(pilot: Pilot, name: str, budget: Budget) -> tuple[int, int]:
    """Return the setting and the topics of a baseline that costs no more than the budget."""
    most = budget.most or pilot.topics
    depth = DEPTH
    if name == "AP of all topics":
        paid = pilot.pools[most * (pilot.pools + budget.topic) <= budget.judgements + 1e-9]
        depth = int(paid.index.max()) if len(paid) else int(pilot.pools.index.min())
    measure = "P@10" if name == "P@10" else "AP"
    settings = pilot.settings
    at = np.flatnonzero((settings["depth"] == depth) & (settings["measure"] == measure))[0]
    each = pilot.pools[depth] + budget.topic
    return int(at), int(np.clip(np.floor(budget.judgements / each + 1e-9), 1, most))


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


def summary(tried: pd.DataFrame, *, wider: float = WIDER) -> pd.DataFrame:
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
            "widened": (off <= wider * reach).mean(),
            "reach": wider * reach.mean(),
        }
        for name in BASELINES:
            gain = part["seen"] - part[name]
            low, high = gain.quantile([0.025, 0.975])
            row |= {name: gain.mean(), f"{name}, low": low, f"{name}, high": high}
            row[f"{name}, no worse"] = (gain >= -1e-12).mean()
        row |= {"plan": plans.mode()[0], "often": (plans == plans.mode()[0]).mean()}
        rows.append(row)
    return pd.DataFrame(rows)
