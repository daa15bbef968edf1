"""What chapter 6 asks its readers: checks of the exercises, and five questions."""

from collections.abc import Callable, Mapping
from functools import cache
from math import ceil, floor
from typing import Any

import numpy as np

from lib.collection import Collection, load
from lib.measures import complete_scores, scores
from lib.statistics.multiplicity import holm, tukey, tukey_critical
from lib.statistics.power import power, topics_needed
from lib.statistics.significance import t_statistic, t_test
from lib.studies.spending.kept import kept
from lib.studies.spending.pilot import along, pilot
from lib.studies.spending.planner import Budget, choices, choose, expected
from lib.studies.spending.unjudged import rbp_uncertainty
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]

ALPHA = 0.05
BUDGET = Budget(judgements=4000, topic=50, systems=40)  # of the exercise on a lab
PLANNED = 5000  # judgements, of the exercise on another pilot
DEPTHS = (2, 5)  # of the pools of the reader's own pilot
FEWER = 25  # topics: half of TREC-8's, up to which its curve was seen


def unjudged() -> Check:
    """AP and RBP of a list of which half was judged, and what RBP cannot know."""
    toy = Collection.from_rankings(
        {"A": {"t": list("rusv")}}, {"t": dict.fromkeys("rsx", 1)}, judged=True
    )
    right = {
        "AP": scores(toy, "AP").loc["t", "A"],
        "RBP": scores(toy, "RBP(p=0.5)").loc["t", "A"],
        "residual": rbp_uncertainty(toy, p=0.5).loc["t", "A"],
    }
    return Check(
        right,
        wrong={
            "You take the unjudged documents out of the list. AP leaves them where they are, and "
            "counts them as not relevant.": right | {"AP": 2 / 3},
            "AP divides by all relevant documents that are known, also by the one that this list "
            "does not have.": right | {"AP": (1 + 2 / 3) / 2},
            "The list ends at rank 4, and what would come below it is not known either.": right
            | {"residual": 0.25 + 0.0625},
        },
    )


def outside() -> Check:
    """AP of a run with and without the relevant document that it alone brought into the pool."""
    lists = {"A": {"t": list("abcd")}}
    inside = scores(Collection.from_rankings(lists, {"t": dict.fromkeys("abde", 1)}), "AP")
    out = scores(Collection.from_rankings(lists, {"t": dict.fromkeys("ade", 1)}), "AP")
    right = {"inside": inside.loc["t", "A"], "outside": out.loc["t", "A"]}
    return Check(
        right,
        wrong={
            "Nobody knows any more that the second document is relevant: three are known, not "
            "four.": right | {"outside": (1 + 2 / 4) / 4},
            "The unjudged document keeps its rank: the next relevant one stays at rank 4.": right
            | {"outside": (1 + 2 / 3) / 3},
            "One relevant document is not in the list. It counts, too.": right
            | {"inside": (1 + 1 + 3 / 4) / 3},
        },
    )


def topics_paid() -> Check:
    """A function for how many topics a budget pays."""

    def right(budget, pool, depth, systems, topic, rank):
        return floor(budget / (pool + topic + rank * systems * depth))

    def free_topics(budget, pool, depth, systems, topic, rank):
        return floor(budget / (pool + rank * systems * depth))

    def one_reader(budget, pool, depth, systems, topic, rank):
        return floor(budget / (pool + topic + rank * depth))

    def rounded(budget, pool, depth, systems, topic, rank):
        return round(budget / (pool + topic + rank * systems * depth))

    return Check(
        right,
        wrong={
            "A topic has a price of its own, before its first judgement.": free_topics,
            "Each system has a list of its own to read: its ranks cost, too.": one_reader,
            "There is no part of a topic: what is left over does not pay the next one.": rounded,
        },
        on=[(3000, 70, 5, 20, 50, 0.1), (3000, 450, 50, 20, 50, 0.1), (1000, 262, 10, 129, 100, 0)],
    )


def topics_for() -> Check:
    """A function for the fewest topics that find a difference often enough."""

    def right(difference: float, deviation: float) -> int:
        return topics_needed(difference, deviation)

    def normal(difference, deviation):
        return ceil((2.8016 * deviation / difference) ** 2)

    def no_square(difference, deviation):
        return ceil(2.8016 * deviation / difference)

    def half(difference, deviation):
        return next(n for n in range(2, 10_000) if power(difference, deviation, n) >= 0.5)

    return Check(
        right,
        wrong={
            "That is the formula by the normal distribution. The t test needs a few topics more: "
            "ask `power`.": normal,
            "Errors fall with the root of the number of topics: the ratio must be squared.": (
                no_square
            ),
            "You ask for a chance of .5. A chance of .8 is asked for.": half,
        },
        on=[(0.05, 0.15), (0.1, 0.2), (0.05, 0.3)],
    )


def many_pairs() -> Check:
    """The share of TREC-8's pairs that AP tells apart, pair by pair and all at once."""
    values = complete_scores(load("trec8"), "AP").to_numpy()
    critical = tukey_critical(values.shape[1], len(values))
    p = t_test(values)
    right = {
        "t": float((p < ALPHA).mean()),
        "Holm": float((holm(p) < ALPHA).mean()),
        "Tukey": float((np.abs(tukey(values)) > critical).mean()),
    }
    return Check(
        right,
        wrong={
            "You divide alpha by the number of pairs for all of them, which is Bonferroni's way. "
            "Holm's divides by those that are left; `holm` does it.": right
            | {"Holm": float((p < ALPHA / len(p)).mean())},
            "You hold each pair's own t against Tukey's bound, which is for a t with the error of "
            "the whole table: `tukey`.": right
            | {"Tukey": float((np.abs(t_statistic(values)) > critical).mean())},
        },
    )


def _planned(name: str, end: Callable[..., Any]) -> dict[str, Any]:
    """Return a plan from a kept pilot, with the ends of an interval."""
    told = kept(name)
    plan = choose(told, Budget(judgements=PLANNED))
    found = end(told, int(plan["setting"]), int(plan["topics"]))
    return plan[["depth", "measure", "topics"]].to_dict() | {
        "low": float(found.low),
        "high": float(found.high),
    }


def another_pilot() -> Check:
    """A plan for 5,000 judgements from TREC-5, with its interval."""

    def of_the_pilot(told, setting, topics):
        return told.interval(setting, topics)

    def not_widened(told, setting, topics):
        return expected(told, setting, topics, wider=1.0)

    return Check(
        _planned("trec5", expected),
        wrong={
            "That is the plan from TREC-8. Another collection gives another one.": _planned(
                "trec8", expected
            ),
            "That is the error of the pilot's topics alone. The topics that you will judge are "
            "another sample, with an error of its own: `expected` has both.": _planned(
                "trec5", of_the_pilot
            ),
            "That interval is as wide as its error says. The back-test asks for a wider one: leave "
            "`wider` alone.": _planned("trec5", not_widened),
        },
    )


@cache
def _own(collection: Collection, judgements: float) -> Any:
    return choices(pilot(collection, depths=DEPTHS).told(), Budget(judgements=judgements))


def own_plan() -> Check:
    """A function for any collection: the plan that it gives as a pilot."""

    def row(found: Any) -> list[Any]:
        return found[["depth", "measure", "topics"]].tolist()

    def right(collection: Collection, judgements: float) -> list[Any]:
        return row(_own(collection, judgements).iloc[0])

    def most_topics(collection, judgements):
        found = _own(collection, judgements)
        return row(found.loc[found["topics"].idxmax()])

    def only_ap(collection, judgements):
        return row(_own(collection, judgements).query("measure == 'AP'").iloc[0])

    trec5 = load("trec5")
    few = trec5.select(topics=list(trec5.topics.index[:20]))
    return Check(
        right,
        wrong={
            "That is the setting with the most topics. The best one stands first, or is what "
            "`choose` returns.": most_topics,
            "You look at AP alone. The plan may be for another measure.": only_ap,
        },
        on=[(load("dl19"), 2000), (few, 4000)],
    )


def _promise(name: str, depth: int, measure: str, topics: int) -> float:
    """Return what a kept pilot promises of a setting."""
    told = kept(name)
    of = told.pilot.settings.query("depth == @depth and measure == @measure").index[0]
    return float(along(told.curves[of], topics))


def lab() -> Check:
    """A design that a lab can pay, with the predictive power that it may expect."""

    def design(name: str, plan: Mapping[str, Any]) -> dict[str, Any]:
        chosen = {key: plan[key] for key in ("depth", "measure", "topics")}
        return {"pilot": name} | chosen | {"power": _promise(name, **chosen)}

    def holds(given: dict) -> bool:
        paid = choices(kept(given["pilot"]), BUDGET).set_index(["depth", "measure"])["topics"]
        most = paid[(given["depth"], given["measure"])]
        promised = _promise(given["pilot"], given["depth"], given["measure"], given["topics"])
        return 3 <= given["topics"] <= most and abs(given["power"] - promised) < 0.006

    free = Budget(judgements=BUDGET.judgements, systems=BUDGET.systems)
    plan = choose(kept("trec8"), BUDGET)
    return Check(
        design("trec8", plan),
        wrong={
            "4,000 judgements do not pay so many topics: each costs 50 before its first "
            "judgement.": design("trec8", choose(kept("trec8"), free)),
            "You take fewer topics than can be paid, and give the number of all of them: ask the "
            "curve with your own.": design("trec8", plan) | {"topics": FEWER},
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "spending-exercise-unjudged": unjudged,
    "spending-exercise-outside": outside,
    "spending-exercise-cost": topics_paid,
    "spending-exercise-power": topics_for,
    "spending-exercise-many": many_pairs,
    "spending-exercise-pilot": another_pilot,
    "spending-exercise-own": own_plan,
    "spending-exercise-lab": lab,
}

QUESTIONS = [
    Question(
        "Your run was not in the pool. Its AP is .27, that of the best run that was in it is .29. "
        "A third of your first ten documents are unjudged. Which run is better?",
        "That cannot be told: the gap is smaller than what the unjudged documents may hide.",
        {
            "The other one: .29 is more than .27.": "Its documents were judged and yours were not: "
            "each of yours counts as not relevant, whatever it says.",
            "Yours: with all documents judged it would have more.": "It might. How much more is "
            "not known until somebody reads them.",
            "That cannot be told: the gap is smaller than what the unjudged documents may hide.": (
                "Have them judged, or say by how much the score could rise: RBP's residual does."
            ),
        },
    ),
    Question(
        "Runs that are left out of the pool lose by AP and gain by Bpref. Is Bpref the fair "
        "measure for a newcomer?",
        "No: it errs too, to the other side.",
        {
            "No: it errs too, to the other side.": "A score that rises because fewer of one's "
            "documents were judged is no fairer than one that falls.",
            "Yes: it leaves unjudged documents out.": "So it does, and with them the non-relevant "
            "ones among them, which would have cost something.",
            "Yes: no newcomer is put at a disadvantage.": "Those who fed the pool are, then.",
        },
    ),
    Question(
        "As many judgements pay 22 topics from pools of depth 10 or five from pools of depth 50. "
        "Which order of the systems is likelier to hold on other topics?",
        "That of the 22: other topics would tell more than deeper ranks do.",
        {
            "That of the five: each of them is known well.": "Well known, but five: other topics "
            "would tell another story.",
            "Both alike: the number of judgements is what counts.": "Where they are spent counts "
            "more. The price of a topic itself is what speaks for deeper pools.",
            "That of the 22: other topics would tell more than deeper ranks do.": (
                "For systems that fed the pool. One that comes later pays for its being shallow."
            ),
        },
    ),
    Question(
        "A test has a power of .8 for a difference of .05. What does that say?",
        "If the true difference is .05, four of five such experiments find it.",
        {
            "Of the differences that it finds, four of five are true.": "That depends on how many "
            "true ones there were to find. Power says nothing of it.",
            "If the true difference is .05, four of five such experiments find it.": "And of a "
            "larger one more, of a smaller one fewer.",
            "A difference that it finds is .05 at least.": "Smaller ones are found too, with more "
            "luck, and then look larger than they are.",
        },
    ),
    Question(
        "A plan promises .62, with an interval of .48 to .76; for as much P@10 promises .50. Both "
        "ends of the interval of P@10 are lower, but the two overlap. Can it be known which "
        "predicts better?",
        "Yes: by trying both on the same topics, as the back-test does.",
        {
            "No: the intervals overlap.": "Each tells how far other topics would move one number. "
            "They move both at once, most often the same way.",
            "Yes: .62 is more than .50.": "Two numbers without the error of their difference tell "
            "nothing.",
            "Yes: by trying both on the same topics, as the back-test does.": "There both "
            "errors go together, and what is left of them in the difference is small.",
        },
    ),
]
