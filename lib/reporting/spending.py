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
MEASURES = ("AP", "nDCG@20", "P@10")


def write_spending(sheet: Sheet, collection: Collection) -> None:
    """Write what other judgements would buy, and what runs outside the pool lose.

    Parameters
    ----------
    sheet : Sheet
    collection : Collection
    """
    try:
        _write_plan(sheet, collection, pilot(collection))
    except ValueError as error:
        sheet.lacks(SPENDING, PLAN, reason(error))
    try:
        shown = _losses(collection)
    except ValueError as error:
        sheet.lacks(SPENDING, POOLED, reason(error))
    else:
        sheet.head(SPENDING, POOLED)
        sheet.show(SPENDING, "left-out", shown)


def _write_plan(sheet, collection, given):
    judged, here = int(collection.topics["judged"].sum()), given.topics
    if judged == 0:
        raise InputError(f"{collection.name}: how much was judged is not known")
    plans: dict[tuple[str, str], Advice] = {}
    short = []
    for words, times in TIMES.items():
        for most, limit in ((None, "any number"), (here, f"{here:,} at most")):
            budget = Budget(judgements=round(times * judged), most=most)
            try:
                plans[f"{words} now: {budget.judgements:,}", limit] = advise(given, budget)
            except InputError as error:
                short.append(f"With {words} now: {error}.")
    if not plans:
        raise InputError(short[0].rstrip("."))
    sheet.head(SPENDING, PLAN)
    sheet.show(SPENDING, "plan", _plans(plans, given, judged))
    for line in dict.fromkeys(short):
        sheet.say(SPENDING, line)
    (words, limit), widest = max(plans.items(), key=lambda item: item[1].plan["topics"])
    sheet.say(SPENDING, f"What is uncertain, for the plan with {words} judgements, {limit}:")
    sheet.listed(SPENDING, widest.uncertain)


def _plans(plans: dict[tuple[str, str], Advice], given: Pilot, judged: int) -> tables.Table:
    """Return the plans as a table, a row each."""
    rows = {}
    for key, made in plans.items():
        plan, power = made.plan, made.promised
        others = made.others[made.others["measure"] != plan["measure"]]
        rows[key] = {
            "topics": plan["topics"],
            "pool depth": plan["depth"],
            "documents a topic": round(plan["judgements"] / plan["topics"]),
            "measure": plan["measure"],
            "predictive power": f"{power.estimate:.2f} ({power.low:.2f} to {power.high:.2f})",
            "by another measure": tables.DASH if others.empty else _other(others.iloc[0]),
        }
    frame = pd.DataFrame(list(rows.values()))
    names = ["documents to be judged", "topics"]
    return tables.table(
        frame.set_index(pd.MultiIndex.from_tuples(rows, names=names)),
        caption=f"How {given.systems:,} systems like those of {given.title} are best compared, by "
        f"budget: {judged:,} documents were judged for it.  Predictive power is tau-b with the "
        f"order of the systems by AP and all judgements on {(given.topics + 1) // 2} other topics, "
        "with a 95% interval; at the right the best at no more cost by another measure.",
    )


def _other(row: pd.Series) -> str:
    return f"{row['measure']}, {row['topics']:,} topics, depth {row['depth']}: {row['phi']:.2f}"


def _losses(collection: Collection) -> tables.Table:
    """Return what runs lose by a pool that their group did not feed, by kind of run."""
    pools, _ = askable(collection, depths=())
    depth = max(pools)
    scored = {name: SCORED[name] for name in MEASURES}
    found = losses(left_out(collection, depths=[depth], scored=scored), collection.systems)
    reach = student.ppf(0.975, len(collection.topics) - 1) * found["error_topics"]
    frame = pd.DataFrame(
        {
            "runs": found["runs"],
            "groups": found["groups"],
            "lost of the score": [f"{s:.1%} \u00b1 {r:.1%}" for s, r in zip(found["share"], reach)],
            "most, of a run": found["worst"].map("{:.1%}".format),
            "places lost": found["places"].map("{:.1f}".format),
            "most places": found["most"],
        }
    ).set_axis(pd.MultiIndex.from_frame(found[["kind", "measure"]]))
    return tables.table(
        frame,
        caption="What a system that comes later may lose: the runs of each group that fed the "
        f"pool, scored by a pool of depth {depth} that the group did not feed.  \u00b1: half the "
        "95% interval over topics, by the jackknife.",
    )
