"""The planner: so many judgements and systems, how are they spent best?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.errors import InputError
from lib.statistics.jackknife import Interval
from lib.studies.committed import read
from lib.studies.spending.pilot import Pilot, Told, pool_size

# By what the interval is wider than its error says: with 1 it held what was seen in 86 to 94% of
# the back-test's tries, by collection and budget.
WIDER = 1.1
FEWEST = 3  # topics of a plan
OTHERS = 3  # settings that are told beside the plan


@dataclass(frozen=True)
class Budget:
    """What can be spent, in the price of one judgement."""

    judgements: float  # all that there is
    topic: float = 0.0  # what one costs before its first judgement
    rank: float = 0.0  # what reading a rank of a system's list costs, judged before or not
    systems: int | None = None  # that feed the pool; None: as many as the pilot has
    most: int | None = None  # topics that there are; None: no end of them


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


@dataclass(frozen=True, eq=False)
class Advice:
    """A plan with all that is said of it."""

    plan: pd.Series
    promised: Interval
    others: pd.DataFrame
    uncertain: list[str]
    text: str


def advise(told: Told, budget: Budget) -> Advice:
    """Plan how a budget is spent, and say how sure that is.

    Examples
    --------
    >>> from lib.studies.spending.pilot import cached_pilot
    >>> made = advise(cached_pilot("trec5"), Budget(judgements=2000))
    >>> made.text.splitlines()[1]
    'Judge 29 topics from the pool of depth 3: about 67 documents of each, 1,948 in all.'
    """
    every = choices(told, budget)
    plan = every.iloc[0]
    promised = expected(told, int(plan["setting"]), int(plan["topics"]))
    others = _others(every)
    uncertain = _uncertain(told.pilot, budget, plan)
    text = _text(told.pilot, budget, plan, promised, others, uncertain)
    return Advice(plan, promised, others, uncertain, text)


def _others(every: pd.DataFrame) -> pd.DataFrame:
    """Return the next best, the best of each other measure, and the baselines at depth 10."""
    rest = every.iloc[1:]
    best = rest[rest["measure"] != every.iloc[0]["measure"]].groupby("measure").head(1)
    named = rest[(rest["depth"] == 10) & rest["measure"].isin(["AP", "P@10"])]
    found = pd.concat([rest.head(OTHERS), best, named]).drop_duplicates("setting")
    return found.sort_values("phi", ascending=False, kind="stable")


def _uncertain(pilot: Pilot, budget: Budget, plan: pd.Series) -> list[str]:
    half = pilot.topics // 2
    found = []
    if plan["topics"] > half:
        found.append(
            f"The pilot shows up to {half} topics; what {plan['topics']} would show is read off a "
            "curve beyond them. Where more are known, on Robust 2004, such a curve is right within "
            "0.03 up to 200."
        )
    systems = budget.systems or pilot.systems
    if systems != pilot.systems:
        found.append(
            f"How many documents {systems} systems bring is reckoned from the pools of "
            f"{pilot.systems}: for TREC-8 such figures are up to a third too low."
        )
    if not pilot.pooled:
        found.append(
            f"{pilot.title} was not judged as a pool of some depth: its pools are made again "
            "within what was judged, and deeper ones are left out."
        )
    found.append(_left_out(plan))
    found.append("The aim is the order by AP; with another aim the measure may be another.")
    found.append(
        "Predictive power is that for the best 75% of the pilot's systems; systems more alike are "
        "harder to order, and other kinds of topics may spread them differently."
    )
    return found


def _left_out(plan: pd.Series) -> str:
    """Say what the promise is worth for a system that came later, where that was tried."""
    ways = read("spending", "ways")
    same = ways[(ways["way"] == "depth") & (ways["measure"] == plan["measure"])]
    same = same.dropna(subset="outside")
    same = same[same["topics"] == same["topics"].max()]
    depth = same["depth"].unique()[np.abs(np.log(same["depth"].unique() / plan["depth"])).argmin()]
    same = same[same["depth"] == depth]
    less = (same["inside"] - same["outside"]).to_numpy()
    return (
        "It holds for systems that feed the pool. One that comes later is placed less well: by "
        f"{less.min():.2f} to {less.max():.2f} with {plan['measure']} and depth {depth} on TREC-8 "
        "and TREC-COVID."
    )


def _text(pilot, budget, plan, promised, others, uncertain):
    systems = budget.systems or pilot.systems
    each = plan["judgements"] / plan["topics"]
    lines = [
        f"{budget.judgements:,.0f} judgements, {systems} systems, a topic's own price "
        f"{budget.topic:g}; pilot: {pilot.title}, {pilot.topics} topics, {pilot.systems} systems.",
        f"Judge {plan['topics']} topics from the pool of depth {plan['depth']}: about {each:.0f} "
        f"documents of each, {plan['judgements']:,} in all.",
        f"Compare the systems by {plan['measure']}.",
        f"Expected predictive power {promised.estimate:.2f}, 95% interval {promised.low:.2f} to "
        f"{promised.high:.2f}: tau-b with their order by AP, all judgements, on "
        f"{(pilot.topics + 1) // 2} other topics.",
        "At no more cost:",
        *(
            f"  {row['measure']}, {row['topics']} topics, depth {row['depth']}: {row['phi']:.2f}"
            for _, row in others.iterrows()
        ),
        "What is uncertain:",
        *(f"  {sentence}" for sentence in uncertain),
    ]
    return "\n".join(lines)
