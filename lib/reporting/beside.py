"""A collection beside those of the book, and as a pilot: how the next judgements are spent best."""

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.collection import Collection, askable
from lib.display import figures, tables
from lib.display.prose import estimate
from lib.display.tables import DASH, Table
from lib.errors import InputError
from lib.reporting.shown import NO_BREAK, listed, or_why_not, say, show
from lib.studies.committed import read
from lib.studies.elsewhere.claims import SECTIONS, claims_of
from lib.studies.elsewhere.drawings import draw_growth, forest
from lib.studies.elsewhere.estimates import growth_curve, sizes_of
from lib.studies.elsewhere.numbers import HALF
from lib.studies.elsewhere.summaries import summary
from lib.studies.sources import Source, facts, in_the_book, sources, yours
from lib.studies.spending.pilot import NUMBER, pilot
from lib.studies.spending.planner import Budget, advise
from lib.studies.spending.pooled import SCORED, losses, score_left_out

ASKED = [name for name, section in SECTIONS.items() if not section.pairs]
BUDGETS = {"a quarter of": 0.25, "as many as": 1.0, "four times": 4.0}  # what was judged
LOST = ("AP", "nDCG@20", "P@10")


def source_of(collection: Collection) -> Source:
    """Return a collection as a source: one of the book's, or the reader's own."""
    if not in_the_book(collection):
        return yours(collection)
    return next(one for one in sources() if one.name == collection.name)


def expected(found: pd.DataFrame, source: Source) -> Table:
    """Return what the other collections let one expect of each number, and what it came to."""
    others = facts().query("source != @source.name")["source"]
    rows = {}
    for claim in (one for name in ASKED for one in claims_of(name)):
        row = found[(found["claim"] == claim.name) & (found["source"] == source.name)].iloc[0]
        here = [row[name] for name in ("estimate", "low", "high")]
        every = summary(found, claim.name, only=others)
        span = (every.expected_low, every.expected_high) if every else (np.nan, np.nan)
        rows[SECTIONS[claim.section].title, claim.title] = {
            "here": row["why"] or estimate(*here),
            "expected": f"{span[0]:+.3f} to {span[1]:+.3f}" if span[0] == span[0] else DASH,
            "as expected": _fits(here, span),
        }
    frame = pd.DataFrame(list(rows.values())).map(tables.minus_signs)
    return tables.table(
        frame.set_axis(pd.MultiIndex.from_tuples(rows, names=["claim", "number"])),
        caption=f"The numbers of the figures above for {source.title}, behind \u00b1 half the 95% "
        "interval over topics, beside what the other collections let one expect of one more. "
        "A dozen collections differ in many things at once: what goes with a number need "
        "not be what makes it.",
    )


def _fits(here, span):
    """Say whether a number lies where it is expected, or its interval reaches there."""
    middle, low, high = here
    if middle != middle or span[0] != span[0]:
        return DASH
    if span[0] <= middle <= span[1]:
        return "yes"
    return "within its error" if low <= span[1] and high >= span[0] else "no"


def show_beside(found: pd.DataFrame, source: Source) -> None:
    """Show what the claims of the papers come to on a collection and on others."""
    for name in ASKED:
        with or_why_not(SECTIONS[name].title):
            show(f"elsewhere-{name}", forest(found, name))
    with or_why_not("What the others let expect"):
        show("elsewhere-expected", expected(found, source))
    with or_why_not("With more topics"):
        show("elsewhere-growth", growth(source))


def growth(source: Source) -> figures.Figure:
    """Draw how well P@10 is predicted from more and more topics."""
    known = read("elsewhere", "growth")
    points = known[known["source"] == source.name]
    sizes = [size for size in sizes_of(source) if size <= HALF]
    if points.empty and len(sizes) > 1:
        points = growth_curve(source, sizes)
    if len(points) < 2:
        raise InputError(f"of {source.topics:,} topics no two sets of two sizes can be made")
    every = pd.concat([known[known["source"] != source.name], points], ignore_index=True)
    title = f"{source.title}, two sets of its {source.topics} topics"
    return draw_growth(every, source=source.name, title=title)


def show_plans(collection: Collection) -> None:
    """Show what other judgements would buy, with the collection as the pilot, budget by budget."""
    told = pilot(collection).told(number=NUMBER)
    given, judged = told.pilot, int(collection.topics["judged"].sum())
    plans, short = {}, ""
    for words, times in BUDGETS.items():
        for most, limit in ((None, "any number"), (given.topics, f"{given.topics:,} at most")):
            budget = Budget(judgements=round(times * judged), most=most)
            try:
                plans[f"{words} now: {budget.judgements:,}", limit] = advise(told, budget)
            except InputError as error:
                short = short or str(error)
    if not plans:
        raise InputError(short)
    frame = pd.DataFrame([_plan(advised) for advised in plans.values()])
    names = ["to be judged", "topics to be had"]
    table = tables.table(
        frame.set_index(pd.MultiIndex.from_tuples(plans, names=names)),
        caption=f"How {given.systems:,} systems like those of {given.title} are best compared, by "
        "how many documents can be judged. Predictive power: tau-b with the order of the systems "
        f"by AP and all judgements on {(given.topics + 1) // 2} other topics, with its 95% "
        "interval. At the right the best at no more cost by another measure.",
    )
    show("plan", table)
    widest = max(plans.values(), key=lambda advised: advised.plan["topics"])
    topics = f"{widest.plan['topics']:,}"
    say(f"What is uncertain about the plan with the most topics, {topics}:")
    listed(widest.uncertain)


def _plan(advised):
    """Return a plan as the cells of a row."""
    plan, promised = advised.plan, advised.promised
    ends = f"({promised.low:.2f} to {promised.high:.2f})".replace(" ", NO_BREAK)
    others = advised.others[advised.others["measure"] != plan["measure"]].head(1)
    another = [
        f"{row.measure}, {row.topics:,} topics, depth {row.depth}: {row.phi:.2f}"
        for row in others.itertuples()
    ]
    return {
        "topics": plan["topics"],
        "pool depth": plan["depth"],
        "documents a topic": round(plan["judgements"] / plan["topics"]),
        "measure": plan["measure"],
        "predictive power": f"{promised.estimate:.2f} {ends}",
        "by another measure": another[0] if another else DASH,
    }


def lost(collection: Collection) -> Table:
    """Return what runs lose by a pool that their group did not feed, by kind of run."""
    pools, _ = askable(collection, depths=())
    depth, topics = max(pools), len(collection.topics)
    scored = {name: SCORED[name] for name in LOST}
    found = losses(score_left_out(collection, depths=[depth], scored=scored), collection.systems)
    reach = student.ppf(0.975, topics - 1) * found["error_topics"]
    shares = [f"{share:.1%} \u00b1 {half:.1%}" for share, half in zip(found["share"], reach)]
    frame = pd.DataFrame(
        {
            "runs": found["runs"],
            "groups": found["groups"],
            "part of the score lost": shares,
            "most, of a run": found["worst"].map("{:.1%}".format),
            "places lost, on average": found["places"].map("{:.1f}".format),
            "most places, of a run": found["most"].map("{:.0f}".format),
        }
    )
    return tables.table(
        frame.set_axis(pd.MultiIndex.from_frame(found[["kind", "measure"]])),
        caption="What a system that comes later may lose: the runs of each group that fed the "
        f"pool, scored by a pool of depth {depth} that the group did not feed. \u00b1: half the "
        "95% interval over topics, by the jackknife.",
    )
