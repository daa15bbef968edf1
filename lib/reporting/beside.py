"""A collection beside those of the book, and as a pilot: how the next judgements are spent best."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.collection import Collection, askable
from lib.display.figures import Figure
from lib.display.prose import estimate
from lib.display.tables import DASH, minus_signs
from lib.errors import InputError
from lib.measures import SHARE
from lib.studies.multiverse.claims import SECTIONS, claims_of
from lib.studies.multiverse.summaries import predicted, summary
from lib.studies.sources import Source, facts, in_the_book, sources, yours
from lib.studies.spending.control import draw_map
from lib.studies.spending.pilot import NUMBER, TOP, pilot
from lib.studies.spending.planner import Advice, Budget, advise
from lib.studies.spending.planner import expected as spending
from lib.studies.spending.pooled import SCORED, losses, score_left_out

ASKED = [name for name, section in SECTIONS.items() if not section.pairs]
BUDGETS = {"a quarter of": 0.25, "as many as": 1.0, "four times": 4.0}  # what was judged
LOST = ("AP", "nDCG@20", "P@10")


def source_of(collection: Collection) -> Source:
    """Return a collection as a source: one of the book's, or the reader's own."""
    if not in_the_book(collection):
        return yours(collection)
    return next(one for one in sources() if one.name == collection.name)


def expected(found: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return what the other collections let one expect of each number, and what it came to."""
    others = facts().query("source != @source.name")["source"]
    own = found[found["source"] == source.name].drop_duplicates("claim").set_index("claim")
    rows = {}
    for claim in (one for name in ASKED for one in claims_of(name)):
        here = own.loc[claim.name, ["estimate", "low", "high"]].astype(float).to_list()
        every = summary(found, claim.name, only=others)
        low, high = predicted(every) if every else (np.nan, np.nan)
        rows[SECTIONS[claim.section].title, claim.title] = {
            "here": own.loc[claim.name, "why"] or estimate(*here),
            "expected": f"{low:+.3f} to {high:+.3f}" if every else DASH,
            "as expected": fits(here, (low, high)),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").map(minus_signs)
    return frame.rename_axis(["claim", "number"])


def fits(here: Sequence[float], span: tuple[float, float]) -> str:
    """Say whether a number lies where it is expected, or its interval reaches there.

    >>> [fits((0.1, 0, 0.2), span) for span in ((0.05, 0.3), (0.15, 0.3), (0.25, 0.3))]
    ['yes', 'within its error', 'no']
    >>> fits((0.1, 0, 0.2), (np.nan, np.nan)), fits((np.nan,) * 3, (0, 1))
    ('–', '–')
    """
    middle, low, high = here
    if np.isnan([middle, span[0]]).any():
        return DASH
    if span[0] <= middle <= span[1]:
        return "yes"
    return "within its error" if low <= span[1] and high >= span[0] else "no"


def plans(collection: Collection) -> tuple[pd.DataFrame, Advice, Figure]:
    """Return what other judgements would buy, with the collection as the pilot, budget by budget.

    And the plan with the most topics, and the map of as many judgements and topics as now.
    """
    made = pilot(collection, sizes=[])
    told, best = made.told(number=NUMBER), None
    if TOP < int(SHARE * made.systems):
        best = replace(made, top=TOP).told(number=NUMBER, simulated=False)
    judged, topics = int(collection.topics["judged"].sum()), len(collection.topics)
    found: dict[tuple[str, str], Advice] = {}
    why = None
    for words, times in BUDGETS.items():
        for most, limit in ((None, "any number"), (topics, f"{topics:,} at most")):
            budget = Budget(judgements=round(times * judged), most=most)
            try:
                found[f"{words} now: {budget.judgements:,}", limit] = advise(told, budget)
            except InputError as error:
                why = why or error
    if why and not found:
        raise why
    frame = pd.DataFrame.from_dict(
        {key: _plan(one, best) for key, one in found.items()}, orient="index"
    )
    widest = max(found.values(), key=lambda one: one.plan["topics"])
    drawn = draw_map(told, Budget(judgements=judged, most=topics), title="Where plans stand. ")
    return frame.rename_axis(["to be judged", "topics to be had"]), widest, drawn


def _plan(advised, best):
    """Return a plan as the cells of a row, with what it finds of the best systems."""
    plan = advised.plan
    promised = {"predictive power": advised.promised}
    if best is not None:
        promised[best.pilot.promises] = spending(best, int(plan["setting"]), int(plan["topics"]))
    return {
        "topics": plan["topics"],
        "pool depth": plan["depth"],
        "documents a topic": round(plan["judgements"] / plan["topics"]),
        "measure": plan["measure"],
    } | {
        name: f"{one.estimate:.2f} ({one.low:.2f}\u00a0to\u00a0{one.high:.2f})"
        for name, one in promised.items()
    }


def lost(collection: Collection) -> tuple[pd.DataFrame, int]:
    """Return what runs lose by a pool that their group did not feed, by kind of run; its depth."""
    depth = max(askable(collection, depths=())[0])
    scored = {name: SCORED[name] for name in LOST}
    found = losses(score_left_out(collection, depths=[depth], scored=scored), collection.systems)
    reach = student.ppf(0.975, len(collection.topics) - 1) * found["error_topics"]
    shares = [f"{share:.1%} \u00b1 {half:.1%}" for share, half in zip(found["share"], reach)]
    frame = pd.DataFrame(
        {
            "runs": found["runs"],
            "groups": found["groups"],
            "part of the score lost": shares,
            "most, of a run": found["worst"],
            "places lost, on average": found["places"],
            "most places, of a run": found["most"],
        }
    )
    return frame.set_axis(pd.MultiIndex.from_frame(found[["kind", "measure"]])), depth
