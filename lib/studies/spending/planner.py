"""The planner: so many judgements, so many systems, a price of a topic: how are they spent best?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.errors import InputError
from lib.statistics.jackknife import Interval
from lib.studies.spending.pilot import Told, pool_size

# By what the interval is wider than its error says: with 1 it held what was seen in 86 to 94% of
# the back-test's tries, by collection and budget.
WIDER = 1.1
FEWEST = 3  # topics of a plan


@dataclass(frozen=True)
class Budget:
    """What can be spent, in the price of one judgement."""

    judgements: float
    topic: float = 0.0
    rank: float = 0.0
    systems: int | None = None
    most: int | None = None


def choices(told: Told, budget: Budget) -> pd.DataFrame:
    """Return every setting that a budget can pay, with the predictive power that it promises."""
    pilot = told.pilot
    systems = pilot.systems if budget.systems is None else budget.systems
    if not (np.isfinite(budget.judgements) and budget.judgements > 0):
        raise InputError(f"judgements: must be a number above 0, not {budget.judgements:g}")
    if not (np.isfinite(budget.topic) and budget.topic >= 0):
        raise InputError(f"topic cost: must be 0 or more, not {budget.topic:g}")
    if not (np.isfinite(budget.rank) and budget.rank >= 0):
        raise InputError(f"rank cost: must be 0 or more, not {budget.rank:g}")
    if systems < 2:
        raise InputError(f"systems: must be 2 or more, not {systems}")
    found = pilot.settings.assign(setting=np.arange(len(pilot.settings)))
    pool = {
        depth: pool_size(size, depth=int(depth), systems=pilot.systems, wanted=systems)
        for depth, size in pilot.pools.items()
    }
    each = found["depth"].map(pool)
    price = each + budget.topic + budget.rank * systems * found["depth"]
    # What is paid to the last judgement is not lost to a rounding.
    topics = np.floor(budget.judgements / price + 1e-9).astype(int)
    if budget.most is not None:
        topics = topics.clip(upper=budget.most)
    found = found.assign(topics=topics, judgements=(topics * each).round().astype(int))
    phi = told.promise(topics.clip(lower=1).to_numpy())
    found = found.assign(phi=phi)[found["topics"] >= FEWEST]
    if found.empty:
        least = FEWEST * price.min()
        raise InputError(
            f"judgements: {budget.judgements:g} do not pay {FEWEST} topics; "
            f"{int(np.ceil(least))} are needed"
        )
    order = found.sort_values(["phi", "judgements"], ascending=[False, True], kind="stable")
    columns = ["setting", "depth", "measure", "topics", "judgements", "phi"]
    return order[columns].reset_index(drop=True)


def choose(told: Told, budget: Budget) -> pd.Series:
    """Return the best of the :func:`choices`.

    Examples
    --------
    >>> from lib import load
    >>> from lib.studies.spending.pilot import pilot
    >>> plan = choose(pilot(load("trec8"), depths=[2, 5]).told(), Budget(judgements=1300))
    >>> plan["depth"], plan["measure"], plan["topics"]
    (np.int64(2), 'AP', np.int64(18))
    """
    return choices(told, budget).iloc[0]


def expected(told: Told, setting: int, topics: int, *, wider: float = WIDER) -> Interval:
    """Return what a plan promises, with an interval for what as many other topics would show."""
    found = told.interval(setting, topics)
    error = found.error * np.sqrt(2)
    reach = wider * error * student.ppf(0.975, told.pilot.topics - 1)
    low, high = np.clip([found.estimate - reach, found.estimate + reach], -1, 1)
    return Interval(found.estimate, error, low, high)
