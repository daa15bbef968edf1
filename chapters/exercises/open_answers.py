"""Questions with many right answers: what is to be said to an answer that is not right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chapters.exercises.answers import SAID
from chapters.exercises.arguments import changes
from chapters.spending.pilot import cached_forecast
from chapters.spending.planner import Budget, choices
from lib.collection import load
from lib.conventions import ALPHA
from lib.measures import means, parse
from lib.statistics.correlation import kendall
from lib.statistics.impact import topics_needed
from lib.statistics.significance import discriminative_power

_LAB = Budget(judgements=4000, topic=50, systems=40)  # of the exercise on a lab
_HINT = SAID["else"]


def _in_parts(answer: Mapping[str, Any], *names: str) -> str:
    """Say which of some entries is no whole number."""
    return next((f"There are no parts of {name}." for name in names if answer[name] % 1), "")


def persistence(answer: dict) -> str:
    """A persistence that goes with how many documents a reader looks at."""
    read, p = answer["read"], answer["p"]
    if p >= 1:
        return "With a p of 1 a reader never stops."
    if read > 1 and abs(p - 1 / read) < 0.005 and read != 2:
        return (
            "1 over that number is the chance to stop after a document. p is the chance to go on."
        )
    near = read >= 1 and abs(p - (1 - 1 / read)) < 0.005
    return "" if near and abs((1 - p) * read - 1) <= 0.05 else _HINT


def margin(answer: dict) -> str:
    """A margin of tau that goes with how many pairs of systems may change places."""
    pairs = answer["systems"] * (answer["systems"] - 1) / 2
    changed, given = answer["pairs"], answer["margin"]
    if message := _in_parts(answer, "systems", "pairs"):
        return message
    if not 0 < changed <= pairs:
        return "So many systems do not have as many pairs." if changed > 0 else _HINT
    if given < 0:
        return "A margin is a distance: above 0."
    if abs(given - changed / pairs) <= 0.01 * changed / pairs:
        return (
            "That is the share of the pairs. A pair that changes is taken from those that agree "
            "and added to those that disagree."
        )
    return "" if abs(given - 2 * changed / pairs) <= 0.01 * 2 * changed / pairs else _HINT


def likeness(answer: dict) -> str:
    """How alike a measure and AP rank a collection."""
    if str(parse(answer["measure"])) == "AP":
        return "AP agrees with itself. Which measure would you weigh against it?"
    scores = means(load(answer["collection"]), [answer["measure"], "AP"])
    tau = kendall(scores.iloc[:, 0], scores["AP"], variant="b")
    return "" if abs(answer["tau"] - tau) < 0.005 else _HINT


def enough_topics(answer: dict) -> str:
    """A measure to decide by, and topics enough for it."""
    needed = topics_needed(changes(answer["measure"])).median()
    return "" if answer["topics"] >= needed else "These topics are too few for that measure."


def sure_of_everything(tables: Sequence) -> str:
    """Scores of five topics and three systems, then three and four, that tell all pairs apart."""
    for table, size in zip(tables, [(5, 3), (3, 4)], strict=True):
        if np.shape(table) != size:
            return f"For {size[0]} topics and {size[1]} systems the shape is {np.shape(table)}."
        if discriminative_power(table, alpha=ALPHA) < 1:
            return "Not all pairs of systems are told apart."
    return ""


def affordable(answer: dict) -> str:
    """Topics and a pool depth that a number of judgements pays for."""
    if answer["pool"] > 100:
        return "A pool of TREC-8 has a depth of 100 at most."
    cost = answer["topics"] * load("trec8").pools.groupby("depth")["all"].mean()[answer["pool"]]
    if message := _in_parts(answer, "topics", "pool"):
        return message
    if answer["topics"] < 2:
        return "One topic cannot show how much the next one would differ."
    return "" if cost <= answer["judgements"] else f"That takes {cost:,.0f} judgements."


def promised(answer: dict) -> str:
    """A design that a lab can pay, with the predictive power that its pilot promises."""
    forecast = cached_forecast(answer["pilot"])
    design = answer["depth"], str(parse(answer["measure"]))
    most = choices(forecast, _LAB).set_index(["depth", "measure"])["topics"][design]
    if not 3 <= answer["topics"] <= most:
        return f"So deep the budget pays 3 to {most} topics."
    setting = forecast.pilot.setting(*design)
    promise = forecast.promise(answer["topics"], systems=_LAB.systems)[setting]
    return "" if abs(answer["power"] - promise) < 0.006 else _HINT
