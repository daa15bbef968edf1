"""How the next judgements are spent best, with the collection as the pilot; and who was pooled."""

import pandas as pd
from scipy.stats import t as student

from lib.collection import Collection, askable
from lib.display import tables
from lib.errors import InputError, reason
from lib.reporting.sheet import Sheet
from lib.studies.spending.advice import Advice, advise
from lib.studies.spending.pilot import Pilot, pilot
from lib.studies.spending.planner import Budget
from lib.studies.spending.pooled import SCORED, left_out, losses

__all__ = ["SPENDING", "write_spending"]

SPENDING = "spending"  # section
PLAN, POOLED = "A plan", "Was your run in the pool?"
TIMES = {"a quarter of": 0.25, "as many as": 1.0, "four times": 4.0}  # what was judged
NO_BREAK = "\u00a0"
MEASURES = ("AP", "nDCG@20", "P@10")


def write_spending(sheet: Sheet, collection: Collection) -> None:
    """Write what other judgements would buy, and what runs outside the pool lose.

    Parameters
    ----------
    sheet : Sheet
    collection : Collection
    """
    try:
        given = pilot(collection)
        plans = _planned(given, int(collection.topics["judged"].sum()))
    except ValueError as error:
        sheet.lacks(SPENDING, PLAN, reason(error))
    else:
        _write_plans(sheet, given, plans)
    try:
        lost, depth = _lost(collection)
    except ValueError as error:
        sheet.lacks(SPENDING, POOLED, reason(error))
    else:
        sheet.head(SPENDING, POOLED)
        sheet.show(SPENDING, "left-out", _losses(lost, depth, topics=len(collection.topics)))


def _planned(given: Pilot, judged: int) -> dict[tuple[str, str], Advice]:
    """Plan with several budgets, with any number of topics and with no more than the pilot's."""
    plans = {}
    short = ""
    for words, times in TIMES.items():
        for most, limit in ((None, "any number"), (given.topics, f"{given.topics:,} at most")):
            budget = Budget(judgements=round(times * judged), most=most)
            try:
                plans[f"{words} now: {budget.judgements:,}", limit] = advise(given, budget)
            except InputError as error:
                short = short or str(error)
    if not plans:
        raise InputError(short)
    return plans


def _write_plans(sheet, given, plans):
    """Write the plans, and what is uncertain about the one with the most topics."""
    sheet.head(SPENDING, PLAN)
    sheet.show(SPENDING, "plan", _plans(plans, given))
    widest = max(plans.values(), key=lambda made: made.plan["topics"])
    most = f"{widest.plan['topics']:,}"
    sheet.say(SPENDING, f"What is uncertain about the plan with the most topics, {most}:")
    sheet.listed(SPENDING, widest.uncertain)


def _plans(plans: dict[tuple[str, str], Advice], given: Pilot) -> tables.Table:
    """Return the plans as a table, a row each."""
    rows = {}
    for key, made in plans.items():
        plan, power = made.plan, made.promised
        ends = f"({power.low:.2f} to {power.high:.2f})".replace(" ", NO_BREAK)
        others = made.others[made.others["measure"] != plan["measure"]]
        rows[key] = {
            "topics": plan["topics"],
            "pool depth": plan["depth"],
            "documents a topic": round(plan["judgements"] / plan["topics"]),
            "measure": plan["measure"],
            "predictive power": f"{power.estimate:.2f} {ends}",
            "by another measure": tables.DASH if others.empty else _other(others.iloc[0]),
        }
    frame = pd.DataFrame(list(rows.values()))
    names = ["to be judged", "topics to be had"]
    return tables.table(
        frame.set_index(pd.MultiIndex.from_tuples(rows, names=names)),
        caption=f"How {given.systems:,} systems like those of {given.title} are best compared, by "
        "how many documents can be judged. Predictive power: tau-b with the order of the systems "
        f"by AP and all judgements on {(given.topics + 1) // 2} other topics, with its 95% "
        "interval. At the right the best at no more cost by another measure.",
    )


def _other(row: pd.Series) -> str:
    return f"{row['measure']}, {row['topics']:,} topics, depth {row['depth']}: {row['phi']:.2f}"


def _lost(collection: Collection) -> tuple[pd.DataFrame, int]:
    """Return what runs lose by a pool that their group did not feed, and how deep that is."""
    pools, _ = askable(collection, depths=())
    depth = max(pools)
    scored = {name: SCORED[name] for name in MEASURES}
    return losses(left_out(collection, depths=[depth], scored=scored), collection.systems), depth


def _losses(found: pd.DataFrame, depth: int, *, topics: int) -> tables.Table:
    """Return these losses as a table, by kind of run."""
    reach = student.ppf(0.975, topics - 1) * found["error_topics"]
    frame = pd.DataFrame(
        {
            "runs": found["runs"],
            "groups": found["groups"],
            "part of the score lost": [
                f"{s:.1%} \u00b1 {r:.1%}" for s, r in zip(found["share"], reach)
            ],
            "most, of a run": found["worst"].map("{:.1%}".format),
            "places lost, on average": found["places"].map("{:.1f}".format),
            "most, of a run ": found["most"].map("{:.0f}".format),
        }
    ).set_axis(pd.MultiIndex.from_frame(found[["kind", "measure"]]))
    return tables.table(
        frame,
        caption="What a system that comes later may lose: the runs of each group that fed the "
        f"pool, scored by a pool of depth {depth} that the group did not feed. \u00b1: half the "
        "95% interval over topics, by the jackknife.",
    )
