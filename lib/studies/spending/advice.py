"""What the planner says: the plan, what else the money buys, and what is uncertain about it."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.statistics.jackknife import Interval
from lib.studies.spending.kept import NUMBER, TIMES
from lib.studies.spending.pilot import Pilot, Told
from lib.studies.spending.planner import Budget, choices, expected
from lib.studies.spending.read import read

OTHERS = 3  # settings that are told beside the plan


@dataclass(frozen=True, eq=False)
class Advice:
    """A plan with all that is said of it."""

    plan: pd.Series
    promised: Interval
    others: pd.DataFrame
    uncertain: list[str]
    text: str


def advise(pilot: Pilot, budget: Budget, *, number: int = NUMBER, seed: int = 1) -> Advice:
    """Plan how a budget is spent, from a pilot; see :func:`advice`.

    Examples
    --------
    >>> from lib import load
    >>> from lib.studies.spending.pilot import pilot
    >>> made = advise(pilot(load("trec8"), depths=[5, 10]), Budget(judgements=5000), number=20)
    >>> made.text.splitlines()[1]
    'Judge 34 topics from the pool of depth 5: about 143 documents of each, 4,867 in all.'
    """
    return advice(pilot.told(number=number, seed=seed, times=TIMES), budget)


def advice(told: Told, budget: Budget) -> Advice:
    """Plan how a budget is spent, and say how sure that is.

    Examples
    --------
    >>> from lib.studies.spending.kept import kept
    >>> advice(kept("trec5"), Budget(judgements=2000)).plan["measure"]
    'nDCG@20'
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
    ways = read("ways")
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
