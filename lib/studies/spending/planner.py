"""The planner: so many judgements and systems, how are they spent best?  And its back-test."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from joblib import Parallel
from scipy.stats import t as student

from lib.errors import InputError
from lib.statistics.jackknife import Interval
from lib.statistics.predictivity import splits
from lib.studies.committed import read
from lib.studies.spending.pilot import Pilot, Told, pool_size
from lib.tasks import task

# By what the interval is wider than its error says: with 1 it held what was seen in 86 to 94% of
# the back-test's tries, by collection and budget.
WIDER = 1.1
FEWEST = 3  # topics of a plan
OTHERS = 3  # settings that are told beside the plan
SHARES = (0.25, 0.5, 1.0)  # of what a pool of depth 10 costs on all topics
DEPTH = 10
# AP on the pool of depth 10, of as many topics as the budget pays; P@10 on that pool, all that it
# asks for is judged; AP on all topics, from the deepest pool that the budget pays.
BASELINES = ("AP of depth 10", "P@10", "AP of all topics")


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
