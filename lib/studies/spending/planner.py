"""The planner: so many judgements, so many systems, a price of a topic: how are they spent best?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.errors import InputError
from lib.statistics.jackknife import Interval
from lib.studies.spending.pilot import Told, pool_size

__all__ = ["WIDER", "Budget", "choices", "choose", "expected"]

# By what the interval is wider than its error says: with 1 it held what was seen in 86 to 94% of
# the back-test's tries, by collection and budget.
WIDER = 1.1
FEWEST = 3  # topics of a plan


@dataclass(frozen=True)
class Budget:
    """What can be spent, in the price of one judgement.

    Attributes
    ----------
    judgements : float
        All that there is.
    topic : float
        What a topic costs before its first judgement.
    rank : float
        What it costs to read one rank of one system's list, whether its document has been judged
        before or not: 0 where documents are judged from a pool, each once.
    systems : int or None
        How many feed the pool; None: as many as the pilot has.
    most : int or None
        The most topics that there are; None: no end of them.
    """

    judgements: float
    topic: float = 0.0
    rank: float = 0.0
    systems: int | None = None
    most: int | None = None


def choices(told: Told, budget: Budget) -> pd.DataFrame:
    """Return every setting that a budget can pay, with the predictive power that it promises.

    Parameters
    ----------
    told : Told
        What a pilot tells.
    budget : Budget

    Returns
    -------
    DataFrame
        The best first; columns setting (position in the pilot's), depth, measure, topics,
        judgements (of all topics, without their own price), phi.

    Raises
    ------
    InputError
        The budget does not pay three topics of the shallowest pool, or makes no sense.
    """
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
    """Return what a plan promises, with an interval for what as many other topics would show.

    The pilot's topics are one set, and those on which the plan is tried are another: the error of
    the difference is that of one set times the square root of 2.

    Parameters
    ----------
    told : Told
    setting : int
        Position in the pilot's settings.
    topics : int
        Of the plan.
    wider : float
        A factor for the interval, from the back-test.

    Returns
    -------
    Interval
        A nominal 95% interval, within [-1, 1].
    """
    found = told.interval(setting, topics)
    error = found.error * np.sqrt(2)
    reach = wider * error * student.ppf(0.975, told.pilot.topics - 1)
    low, high = np.clip([found.estimate - reach, found.estimate + reach], -1, 1)
    return Interval(found.estimate, error, low, high)
