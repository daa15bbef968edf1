"""What chapter 3 asks its readers: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, Pairs, load
from lib.measures import GS10_BASE, means
from lib.papers.tomlinson2006 import FOUR, PAIRS, effects, interval, power
from lib.published import INCONCLUSIVE
from lib.retrieval import Index, docstrings, run
from lib.statistics.impact import OUTCOMES, differences, joint_null, outcome
from lib.statistics.significance import TESTS
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]


def highest_precision() -> Check:
    """Relevant documents at ranks 2, 3 and 4, of which the last falls to rank 20."""
    judged = {"t": dict.fromkeys(("r1", "r2", "r3"), 1)}
    lists = {
        "": {"t": ["x", "r1", "r2", "r3"]},
        " after": {"t": ["x", "r1", "r2", *map(str, range(16)), "r3"]},
    }
    table = means(Collection.from_rankings(lists, judged), ["RR", "IPrec@0.0"])
    right = {
        f"{name}{when}": value for when, row in table.iterrows() for name, value in row.items()
    }
    return Check(
        right,
        wrong={
            "IPrec@0.0 is not the precision at the first relevant document: it is the highest at "
            "any rank.": right | {"IPrec@0.0": right["RR"], "IPrec@0.0 after": right["RR"]},
            "The document that moves is the third relevant one. RR looks at the first.": right
            | {"RR after": 1 / 20},
            "Precision at rank 20 is not the highest any more. At which rank is it?": right
            | {"IPrec@0.0 after": 3 / 20},
        },
    )


def costs() -> Check:
    """What two moves of the first relevant document cost by three measures."""
    moves = ((1, 2), (9, 12))

    def lost(value: Callable[[int], float]) -> list[float]:
        return [value(there) - value(then) for there, then in moves]

    right = {
        "RR": lost(lambda rank: 1 / rank),
        "GS10": lost(lambda rank: GS10_BASE ** (1 - rank)),
        "Success@10": lost(lambda rank: float(rank <= 10)),
    }
    return Check(
        right,
        wrong={
            "A cost is what is lost: the value before less the value after.": {
                name: [-cost for cost in both] for name, both in right.items()
            },
            "GS10 is 1 at rank 1: the exponent is 1 \u2212 r.": right
            | {"GS10": lost(lambda rank: GS10_BASE**-rank)},
            "From rank 9 to rank 12 the document leaves the first ten: that is all that Success@10 "
            "sees.": right | {"Success@10": [0, 0]},
        },
    )


def five_counts() -> Check:
    """A function for the five counts of systems."""

    def counted(change: pd.DataFrame, p: pd.Series) -> list[int]:
        found = [outcome(round(change[s].mean(), 10), p[s]) for s in change]
        return [found.count(name) for name in OUTCOMES]

    def right(change: pd.DataFrame) -> list[int]:
        return counted(change, _p_values(change))

    def one_sided(change):
        return counted(change, _p_values(change) / 2)

    def by_sign(change):
        return counted(change, pd.Series(1.0, change.columns))

    def by_topics(change):
        return right(np.sign(change))

    toy = pd.DataFrame(
        {
            "A": [0.2, 0.3, 0.1, 0.2, 0.3],
            "B": [-0.9, 0.1, 0.1, 0.1, 0.1],
            "C": [0.0, 0.0, 0.0, 0.0, 0.0],
            "D": [-0.1, -0.3, -0.2, -0.2, 0.0],
        }
    )
    return Check(
        right,
        wrong={
            "You halve p. The test has two tails: before the runs nobody knew the sign.": one_sided,
            "You count signs. Which of them are significant?": by_sign,
            "You count topics that rise and fall. The mean change decides: one large loss can "
            "outweigh four small gains.": by_topics,
        },
        on=[(toy,), *((_changes(name),) for name in ("GS10", "RR", "Success@10"))],
    )


def _p_values(change):
    """Return p of each column, by a paired t test of the change against none."""
    nothing = np.zeros(len(change))
    return change.apply(lambda column: TESTS["t"](np.column_stack([column, nothing]))[0])


def _changes(measure):
    """Return what feedback changes on Cystic Fibrosis, topics x systems."""
    return differences(load("feedback/cf"), PAIRS, measure)


def told() -> Check:
    """A function for any runs before and after: does the mean over systems rise or fall?"""

    def right(collection: Collection, pairs: Pairs, measure: str) -> str:
        return effects(collection, pairs, {measure: measure})["told"].item()

    def by_sign(collection, pairs, measure):
        mean = differences(collection, pairs, measure).to_numpy().mean()
        return "rises" if mean > 0 else "falls"

    def as_independent(collection, pairs, measure):
        every = differences(collection, pairs, measure).to_numpy().ravel()
        return interval(pd.DataFrame({"all": every}))["told"].item()

    cf, cran, one = load("feedback/cf"), load("feedback/cran"), PAIRS[:1]
    return Check(
        right,
        wrong={
            f'You go by the sign alone. Where the interval holds 0 the answer is "{INCONCLUSIVE}'
            '".': by_sign,
            "You take each topic once for each system. The systems share the topics: average over "
            "the systems first.": as_independent,
        },
        on=[(cf, PAIRS, "AP"), (cf, PAIRS, "RR"), (cran, PAIRS, "GS10"), (cf, one, "GS10")],
    )


def weights() -> Check:
    """Ranks of the first relevant document of one query, with little feedback and with much."""
    corpus, topic = docstrings(), "scipy.integrate.romb"
    index = Index.build(corpus.documents)
    query = {topic: corpus.queries[topic]}

    def first(weight: float | None, hidden: Sequence[str] = (topic,)) -> int:
        found = run(index, query, "city", weight=weight, exclude={topic: hidden})[topic]
        return next(i for i, name in enumerate(found, 1) if name in corpus.qrels[topic])

    tried = (0.1, 1.0)
    return Check(
        {weight: first(weight) for weight in tried},
        wrong={
            "The document that the query was taken from is in your lists: leave it out.": {
                weight: first(weight, ()) for weight in tried
            },
            "Your weight is not used: that is city's own.": dict.fromkeys(tried, first(None)),
            "Ranks begin with 1.": {weight: first(weight) - 1 for weight in tried},
        },
    )


def losers() -> Check:
    """What P@10 says where GS10 falls."""
    gs10, p10, ap = (_changes(name).to_numpy() for name in ("GS10", "P@10", "AP"))

    def counted(change: np.ndarray) -> dict[str, int]:
        signs = {"rises": change > 0, "stays": change == 0, "falls": change < 0}
        return {name: int(which.sum()) for name, which in signs.items()}

    return Check(
        counted(p10[gs10 < 0]),
        wrong={
            "You count all pairs of a system and a topic. Keep those where GS10 falls.": counted(
                p10
            ),
            "That is AP; P@10 was asked for.": counted(ap[gs10 < 0]),
            "Those are the pairs where GS10 rises.": counted(p10[gs10 > 0]),
        },
    )


def all_seven() -> Check:
    """How often all seven systems lose GS10 when the signs of whole topics are flipped."""
    rng = np.random.default_rng(2006)
    # At a level of 1 every fall is a loss.
    chances = joint_null(_changes("GS10"), rng=rng, resamples=20_000, alpha=1)
    right = float(chances[len(PAIRS)])
    coins = 0.5 ** len(PAIRS)
    return Check(
        right,
        wrong={
            "Those are seven coins. The seven systems share the topics: flip a topic for all of "
            "them at once.": coins,
            "That is one coin, as if the seven were a single system. They share topics, and yet "
            "differ on each.": 0.5,
        },
        holds=lambda chance: abs(chance - right) < (right - coins) / 4,
    )


def decision() -> Check:
    """A measure to decide by, and topics enough for it."""
    needed = power("cf")["median"].rename(index=FOUR)

    def holds(plan: dict) -> bool:
        return plan["topics"] >= needed[plan["measure"]]

    return Check(
        {"measure": "GS10", "topics": needed["GS10"]},
        wrong={
            "Fifty topics are one TREC. A loss of GS10 like ours needs more.": {
                "measure": "GS10",
                "topics": 50,
            },
            "That is enough for P@10, which does not see the first relevant document sink. RR "
            "needs more.": {"measure": "RR", "topics": needed["P@10"]},
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "tomlinson2006-exercise-i0": highest_precision,
    "tomlinson2006-exercise-gs10": costs,
    "tomlinson2006-exercise-five": five_counts,
    "tomlinson2006-exercise-own": told,
    "tomlinson2006-exercise-weight": weights,
    "tomlinson2006-exercise-losers": losers,
    "tomlinson2006-exercise-independent": all_seven,
    "tomlinson2006-exercise-decision": decision,
}

QUESTIONS = [
    Question(
        "With blind feedback P@10 rises significantly. Somebody says: early precision improved, so "
        "users find their first good document sooner. Right?",
        "It does not follow: P@10 counts all of the first ten, and the first relevant one may have "
        "sunk.",
        {
            "Yes: P@10 is about the top of the list.": "It is about the top, and blind to order "
            "there. A relevant document that falls from rank 1 to rank 9 costs it nothing.",
            "Yes, if the test is paired.": "A paired test makes the rise of P@10 surer. It does "
            "not make P@10 look at something else.",
            "It does not follow: P@10 counts all of the first ten, and the first relevant one may "
            "have sunk.": "Ask RR, GS10 or Success@1; in this chapter they fall while P@10 rises.",
        },
    ),
    Question(
        "IPrec@0.0 rises. What do you know of the first relevant document?",
        "Nothing: IPrec@0.0 is the highest precision at any rank.",
        {
            "Nothing: IPrec@0.0 is the highest precision at any rank.": "With relevant documents "
            "at ranks 2, 3 and 4 it is the precision at rank 4.",
            "It moved up: recall 0 is where the list begins.": "Interpolation takes the highest "
            "precision at that recall or at any higher one. That may be far down the list.",
            "It stands at rank 1.": "Then IPrec@0.0 would be 1, the most that it can be. A rise "
            "says nothing of the kind.",
        },
    ),
    Question(
        "The 95% interval of a mean change in Success@10 reaches from below 0 to above 0. What "
        "does that say?",
        "Other topics of the same kind might turn the sign; a change larger than the interval "
        "is unlikely.",
        {
            "Feedback does not change Success@10.": "No difference was shown, which is not the "
            "same as shown to be none. The truth may lie anywhere in the interval.",
            "Other topics of the same kind might turn the sign; a change larger than the interval "
            "is unlikely.": "So it cannot be told whether it rises or falls, and yet much is "
            "known: how large it is at most.",
            "The experiment failed.": "It measured, and says how exactly. With a narrow interval "
            "around 0 that is a useful answer.",
            "The paper, in which Success@10 falls, is wrong.": "A small fall lies within the "
            "interval. And these are other systems and other topics than the paper's.",
        },
    ),
    Question(
        "All of seven systems lose GS10 on the same topics. How strong is that?",
        "Weaker than seven independent experiments: one hard topic hurts several systems at once.",
        {
            "As strong as seven coins that all show tails, 1 in 128.": "Coins are thrown one by "
            "one. Here all seven answer the same topics, with the same judgements.",
            "It says nothing: the systems are the same experiment seven times.": "They differ in "
            "model and in feedback, and their changes are correlated, not equal.",
            "Weaker than seven independent experiments: one hard topic hurts several systems at "
            "once.": "Flip the signs of whole topics, and see how often all lose by chance.",
        },
    ),
    Question(
        "Our own systems on other texts change in the paper's direction by nearly all of its "
        "measures. Is the paper reproduced?",
        "Its pattern was found again elsewhere; its numbers were not computed anew.",
        {
            "Its pattern was found again elsewhere; its numbers were not computed anew.": "Nobody "
            "outside that workshop has its runs. What can be checked of its numbers is whether "
            "they agree with each other.",
            "Yes: nearly all signs agree.": "Signs on other systems and topics say that the effect "
            "is no accident of those runs. They do not say that a printed number is right.",
            "No: the sizes differ, so the paper is refuted.": "Other systems on other texts must "
            "differ in size. Nothing here contradicts what it printed.",
            "Yes: thirty measures are thirty witnesses.": "They look at the same lists. Most of "
            "them rise and fall together.",
        },
    ),
]
