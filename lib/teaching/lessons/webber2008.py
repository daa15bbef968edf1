"""What the chapter on precision at ten asks: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import Scores, complete_scores, top_systems
from lib.papers import webber2008
from lib.statistics.correlation import kendall
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import splits
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]


def one_split() -> Check:
    """Four systems, each half of the topics ranked by two measures: places, 1 is best."""
    first = {"AP": [1, 2, 3, 4], "P@10": [2, 1, 3, 4]}
    second = {"AP": [1, 3, 2, 4], "P@10": [1, 3, 2, 4]}

    def tau(one, other):
        return kendall(one, other, variant="a")

    itself = tau(first["P@10"], second["P@10"])
    ways = tau(first["AP"], second["P@10"]), tau(second["AP"], first["P@10"])
    right = {"P@10 by itself": itself, "P@10 by AP": sum(ways) / 2}
    same = tau(first["AP"], first["P@10"]), tau(second["AP"], second["P@10"])
    return Check(
        right,
        wrong={
            "You compare rankings of the same half. To predict is to compare the one half with "
            "the other.": {"P@10 by itself": 1.0, "P@10 by AP": sum(same) / 2},
            "These are the shares of the pairs on which the rankings agree. Tau takes the share "
            "on which they disagree off.": {name: (1 + t) / 2 for name, t in right.items()},
            "There are two ways to use the halves: AP on the first and P@10 on the second, and "
            "the other way round.": right | {"P@10 by AP": ways[0]},
        },
    )


def sizes() -> Check:
    """The largest set of topics that has a second one beside it."""

    def largest(topics):
        return splits(topics, number=2, rng=np.random.default_rng(1)).shape[2]

    return Check(
        {"of 50": largest(50), "of 249": largest(249), "for a point at 50": 2 * 50},
        wrong={
            "The two sets must not share a topic.": {
                "of 50": 50,
                "of 249": 249,
                "for a point at 50": 50,
            }
        },
    )


def as_good() -> Check:
    """Four intervals of a lead, and a margin."""
    ends = {"A": (-0.06, 0.09), "B": (-0.01, 0.07), "C": (-0.14, -0.05), "D": (-0.015, 0.012)}
    intervals = pd.DataFrame(ends, index=["low", "high"]).T

    def told(intervals, margin):
        return webber2008.as_good(intervals, [margin]).iloc[:, 0].to_dict()

    middle = intervals.mean(axis=1)
    return Check(
        told(intervals, webber2008.MARGIN),
        wrong={
            "You ask whether the lead is above 0. As good as is less: it is above minus the "
            "margin.": told(intervals, 0),
            "You look at the middle of each interval. Other topics may give any lead within "
            "it.": told(pd.DataFrame({"low": middle, "high": middle}), webber2008.MARGIN),
        },
    )


def predictive_power() -> Check:
    """A function for phi, from scores and splits."""

    def right(one: Scores, other: Scores, sets: Sequence) -> float:
        return mean_tau(one, other, sets, "b")

    def mean_tau(one, other, sets, variant, second=1):
        ranked = [
            (one.iloc[pair[0]].mean().round(10), other.iloc[pair[second]].mean().round(10))
            for pair in sets
        ]
        return float(np.mean([kendall(a, b, variant=variant) for a, b in ranked]))

    def same_half(one, other, sets):
        return mean_tau(one, other, sets, "b", second=0)

    def tau_a(one, other, sets):
        return mean_tau(one, other, sets, "a")

    p10 = pd.DataFrame({"A": [0.9, 0.4, 0.2], "B": [0.5, 0.6, 0.3], "C": [0.6, 0.1, 0.3]})
    ap = pd.DataFrame({"A": [0.6, 0.5, 0.2], "B": [0.4, 0.3, 0.3], "C": [0.5, 0.1, 0.3]})
    kept = top_systems(load("trec8"))
    real = [complete_scores(load("trec8"), name)[kept] for name in ("AP", "P@10")]
    sets = splits(len(real[0]), number=10, rng=np.random.default_rng(2008))
    return Check(
        right,
        wrong={
            "You rank by both measures on the same topics: nothing is predicted.": same_half,
            "That is tau-a; tau-b was asked for, which leaves tied pairs out of the "
            "divisor.": tau_a,
        },
        on=[(p10, ap, [([0], [1, 2])]), (ap, p10, [([1], [2]), ([0], [2])]), (*real, sets)],
        decimals=2,  # the means of a right answer need not be rounded
    )


def error_over_topics() -> Check:
    """A function for the jackknife's error."""

    def right(left_out: Sequence[float]) -> float:
        return float(jackknife(0, left_out).error)

    def spread(left_out):
        return float(np.std(left_out, ddof=1))

    def of_a_mean(left_out):
        return spread(left_out) / len(left_out) ** 0.5

    scores = complete_scores(load("trec8"), "AP")
    difference = scores.iloc[:, 0] - scores.iloc[:, 1]
    without = [difference.drop(topic).mean() for topic in difference.index]
    return Check(
        right,
        wrong={
            "That is how much the values differ among themselves. They share nearly all of "
            "their topics, so it is far too small: mind the factor n \u2212 1.": spread,
            "These values are not a sample of which you want the mean: do not divide by the "
            "root of n.": of_a_mean,
        },
        on=[(without,), ([0.2, 0.5, 0.9],)],
    )


def shares() -> Check:
    """How well P@10 predicts itself among half of the systems, three quarters, and all."""

    found = {share: webber2008.phi(load("trec8"), share=share).phi for share in (0.5, 0.75, 1.0)}
    right, of_ap = (
        {share: phi.loc[measure, measure] for share, phi in found.items()}
        for measure in ("P@10", "AP")
    )
    return Check(
        right,
        wrong={
            "This is how AP predicts itself; P@10 was asked for.": of_ap,
            "Three times the same systems: hand the share to phi, as share=...": dict.fromkeys(
                right, right[webber2008.SHARE]
            ),
        },
        decimals=2,  # other splits give nearly the same
    )


def half_the_topics() -> Check:
    """AP's lead for P@10 and its interval, on every second topic."""
    trec8 = load("trec8")
    columns = ["lead", "low", "high"]
    every, half = (
        webber2008.leads(trec8.select(topics=topics)).loc["AP", columns]
        for topics in (trec8.topics.index, trec8.topics.index[::2])
    )
    wider = every["lead"] + (every - every["lead"]) * 2**0.5
    return Check(
        half.to_dict(),
        wrong={
            "These are the lead and its interval on all topics.": every.to_dict(),
            "An interval about the same lead, wider by the root of two, is a fair guess. But "
            "other topics move the lead too: compute it.": wider.to_dict(),
        },
    )


def best_depths() -> Check:
    """The depth at which nDCG predicts P@10 best on TREC-COVID, and AP."""
    covid = load("trec-covid")
    shown = {target: webber2008.by_depth(covid, target=target) for target in ("P@10", "AP")}
    right = {target: int(table["nDCG"].idxmax()) for target, table in shown.items()}
    return Check(
        right,
        wrong={
            "The depth of the measure to be predicted is not the best one to predict it: a few "
            "more documents tell the same with less noise.": right | {"P@10": 10},
            "That is where aAP predicts AP best: with 1,000 ranks it is AP. Look at nDCG.": right
            | {"AP": int(shown["AP"]["aAP"].idxmax())},
        },
    )


def deeper() -> Check:
    """A function for any collection: what a deeper RBP gains in predicting nDCG."""
    rbp = {p: f"RBP(p={p})" for p in (0.95, 0.98)}
    measures = {name: f"RBP(p={p},rel=1)" for p, name in rbp.items()}
    measures |= {"nDCG": webber2008.MEASURES["nDCG"]}

    def right(collection: Collection) -> float:
        found = webber2008.phi(collection, measures).phi["nDCG"]
        return found[rbp[0.98]] - found[rbp[0.95]]

    def of_itself(collection):
        found = webber2008.phi(collection, measures).phi
        return found.loc[rbp[0.98], rbp[0.98]] - found.loc[rbp[0.95], rbp[0.95]]

    return Check(
        right,
        wrong={
            "Take the shallower from the deeper, not the other way round.": lambda c: -right(c),
            "This is how well each predicts itself; nDCG was to be predicted.": of_itself,
        },
        on=[(load("trec8"),), (load("trec5"),)],
        decimals=2,  # other splits give nearly the same
    )


def margin() -> Check:
    """A margin of tau that goes with how many pairs of systems may change places."""

    def holds(answer: dict) -> bool:
        systems, changed = answer["systems"], answer["pairs"]
        pairs = systems * (systems - 1) / 2
        return 0 < changed <= pairs and abs(answer["margin"] - 2 * changed / pairs) < 0.005

    return Check(
        {"systems": 5, "pairs": 1, "margin": 0.2},
        wrong={
            "That is the share of the pairs. A pair that changes is taken from those that agree "
            "and added to those that disagree.": {"systems": 5, "pairs": 1, "margin": 0.1}
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "webber2008-exercise-split": one_split,
    "webber2008-exercise-half": sizes,
    "webber2008-exercise-told": as_good,
    "webber2008-exercise-power": predictive_power,
    "webber2008-exercise-error": error_over_topics,
    "webber2008-exercise-all": shares,
    "webber2008-exercise-topics": half_the_topics,
    "webber2008-exercise-depth": best_depths,
    "webber2008-exercise-rbp": deeper,
    "webber2008-exercise-margin": margin,
}

QUESTIONS = [
    Question(
        "You want to know how systems will rank by P@10 on new topics. Which measure on the "
        "topics that you have tells it best?",
        "Only data can say: whichever sees the same quality with less noise.",
        {
            "P@10, since nothing is closer to P@10 than itself.": "On the same topics it is. On "
            "new ones P@10 differs from itself, and ten documents a topic are a noisy view of a "
            "system.",
            "A measure of the whole list, since it uses more of the data.": "More of what? On "
            "TREC-COVID AP and nDCG predict P@10 worse than P@10 does: the depth of those lists "
            "has an order of its own.",
            "Only data can say: whichever sees the same quality with less noise.": "That is what "
            "predictive power asks, of each collection anew.",
        },
    ),
    Question(
        "A measure predicts P@10 at .52, P@10 predicts itself at .50; the 95% interval of this "
        "lead, over topics, is \u2212.06 to +.10. What may you say?",
        "That it cannot be told: on other topics of the kind P@10 may well be ahead.",
        {
            "The measure is better than P@10: .52 is more than .50.": "On these topics. The "
            "interval holds leads of both signs.",
            "The two are equally good, since the interval holds 0.": "It holds \u2212.06 and +.10 "
            "as well. Not to know a difference is not to know that there is none.",
            "That more random splits would settle it.": "They make the mean over splits of these "
            "topics exact. The interval speaks of other topics; more of these would help.",
            "That it cannot be told: on other topics of the kind P@10 may well be ahead.": "A "
            "verdict too, and with fifty topics a frequent one.",
        },
    ),
    Question(
        "Measure M predicts itself at .84, P@10 itself at .74. Is M the better measure?",
        "M ranks systems more steadily; whether by what you care for, this does not say.",
        {
            "M ranks systems more steadily; whether by what you care for, this does not say.": (
                "Ask how well M predicts what you want to know."
            ),
            "Yes: a better measure gives the same ranking on new topics.": "So does the place of "
            "a system in the alphabet: it predicts itself at 1, and means nothing.",
            "Yes: it also tells more pairs of systems apart.": "It probably does, and for the "
            "same reason. To be sure is not to be right.",
        },
    ),
    Question(
        "You keep all systems where the paper keeps the best three quarters, and every value of "
        "predictive power rises. Why?",
        "Broken runs are last on every half, and each pair with one of them agrees.",
        {
            "With more systems the mean of tau has a smaller error.": "An error goes both ways; "
            "it would not raise every value.",
            "The measures are better at telling weak systems apart.": "They need not tell weak "
            "systems from each other. It is enough that they tell them from the good ones.",
            "Broken runs are last on every half, and each pair with one of them agrees.": "A "
            "value of predictive power belongs to a set of systems. Compare within one set.",
        },
    ),
    Question(
        "On your topics system A is ahead by P@10 and B by AP. What will new topics say?",
        "Most likely that both measures prefer the same one of the two.",
        {
            "The same: A is good for precision, B for recall.": "That would be so if the conflict "
            "came back. On TREC-8 fewer than half of such conflicts do: most are chance.",
            "Most likely that both measures prefer the same one of the two.": "Most conflicts do "
            "not come back. Which of the two it will be depends on whom you ask.",
            "That B is better, since AP sees more.": "When AP decides on the new topics, it is "
            "right in most conflicts. When P@10 decides, it is hardly more often than not.",
        },
    ),
]
