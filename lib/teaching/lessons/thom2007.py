"""What the chapter on measure correlations asks: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

import numpy as np

from lib.collection import Collection, load
from lib.measures import best, means, parse
from lib.papers import thom2007
from lib.statistics import correlation
from lib.statistics.correlation import kendall, tau_matrix
from lib.statistics.families import without_noise
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]


def ties() -> Check:
    """Four systems, two of them level by one measure; on one pair the measures disagree."""
    one, other = [0.4, 0.4, 0.3, 0.2], [0.30, 0.20, 0.25, 0.10]
    right = {f"tau-{variant}": kendall(one, other, variant=variant) for variant in "ab"}
    agree, disagree, tied = 4, 1, 1
    pairs = agree + disagree + tied
    return Check(
        right,
        wrong={
            "A pair that one measure ties neither agrees nor disagrees.": {
                "tau-a": (agree + tied - disagree) / pairs,
                "tau-b": (agree + tied - disagree) / (pairs * (pairs - tied)) ** 0.5,
            },
            "Only P@10 ties the pair. tau-b takes the geometric mean of the pairs that P@10 does "
            "not tie and those that AP does not.": right
            | {"tau-b": (agree - disagree) / (pairs - tied)},
        },
    )


def first_documents() -> Check:
    """What a mean reciprocal rank tells of P@1."""
    rr = 0.7
    right = {"least": 2 * rr - 1, "most": rr}  # if all others have 1/2; if they have nearly 0
    return Check(
        right,
        wrong={
            "P@1 cannot be above RR: each topic that counts for P@1 counts as much for RR.": right
            | {"most": 1.0},
            "P@1 cannot be 0: a topic whose first document is not relevant has an RR of 1/2 at "
            "most.": right | {"least": 0.0},
        },
    )


def tau_ap() -> Check:
    """A function for tau-AP without ties."""

    def right(estimate: Sequence[float], truth: Sequence[float]) -> float:
        return correlation.tau_ap(estimate, truth, symmetric=False)

    def plain(estimate, truth):
        return kendall(estimate, truth, variant="a")

    def exchanged(estimate, truth):
        return right(truth, estimate)

    trec5 = means(load("trec5"), ["RR", "AP"])
    return Check(
        right,
        wrong={
            "That is Kendall's tau: an error counts the same at the top as at the end.": plain,
            "You go down the list of the truth. Go down the other one.": exchanged,
        },
        on=[
            ([3, 4, 2, 1], [4, 3, 2, 1]),
            ([0.4, 0.3, 0.1, 0.2], [0.4, 0.3, 0.2, 0.1]),
            (list(trec5["RR"]), list(trec5["AP"])),
        ],
    )


def basic_interval() -> Check:
    """A function from a plain bootstrap interval to the basic one."""

    def right(tau: float, low: float, high: float) -> tuple[float, float]:
        return 2 * tau - high, 2 * tau - low

    def plain(tau, low, high):
        return low, high

    def centred(tau, low, high):
        return tau - (high - low) / 2, tau + (high - low) / 2

    found = thom2007.intervals(load("trec8"), method="percentile", number=100)
    return Check(
        right,
        wrong={
            "These are the plain ends. Mirror them at tau.": plain,
            "You move the interval until tau is in its middle. Mirrored, the lower end is as far "
            "below tau as the plain upper end was above it.": centred,
        },
        on=[(0.8, 0.65, 0.83), *(tuple(row) for row in found[["tau", "low", "high"]].to_numpy())],
    )


def noise() -> Check:
    """A function for the correction that takes the topics' noise off."""

    def right(across: float, one: float, other: float) -> float:
        return float(without_noise(np.array([[one, across], [across, other]]))[0, 1])

    def no_root(across, one, other):
        return across / (one * other)

    def arithmetic(across, one, other):
        return across / ((one + other) / 2)

    found = thom2007.noise(load("trec8"), number=100)[["across", "one_self", "other_self"]]
    return Check(
        right,
        wrong={
            "A geometric mean is the root of the product.": no_root,
            "That is the arithmetic mean of the two; the geometric mean was asked for.": arithmetic,
        },
        on=[(0.3, 0.25, 0.64), *(tuple(row) for row in found.to_numpy())],
    )


def halves() -> Check:
    """Tau of AP and RR among all systems of TREC-8, the better half by AP, and the others."""
    table = means(load("trec8"), ["AP", "RR"])

    def by(measure):
        better = table.index.isin(best(table[measure], 0.5))
        parts = {"all": table, "better half": table[better], "worse half": table[~better]}
        return {name: kendall(part["AP"], part["RR"], variant="b") for name, part in parts.items()}

    right = by("AP")
    exchanged = {"better half": right["worse half"], "worse half": right["better half"]}
    return Check(
        right,
        wrong={
            "You cut by RR; the halves are by AP.": by("RR"),
            "The two halves have changed places.": right | exchanged,
        },
    )


def zeros() -> Check:
    """Tau of AP and RR among the paper's runs, by type, when missing topics count 0."""

    def taus(treatment, correlate):
        tables = {
            name: thom2007.official(treatment=treatment, only=only)
            for name, only in (("all", None), ("automatic", "automatic"), ("manual", "manual"))
        }
        return {name: correlate(table["AP"], table["RR"]) for name, table in tables.items()}

    def tau_b(x, y):
        return kendall(x, y, variant="b")

    return Check(
        taus("zeros", tau_b),
        wrong={
            'These are the means of the mixture. Zeros are treatment="zeros".': taus(
                "mixture", tau_b
            ),
            "That is Pearson's correlation of the scores; tau is of their order.": taus(
                "zeros", lambda x, y: x.corr(y)
            ),
        },
    )


def families() -> Check:
    """A function for any collection: the least tau within the families, the largest between."""
    early, broad = ("P@1", "RR"), ("AP", "Rprec")

    def found(collection, variant="b", between=None):
        tau = tau_matrix(means(collection, thom2007.MEASURES), variant=variant)
        between = between or [(one, other) for one in early for other in broad]
        return min(tau.loc[early], tau.loc[broad]), max(tau.loc[pair] for pair in between)

    def right(collection: Collection) -> tuple[float, float]:
        return found(collection)

    def printed(collection):
        return found(collection, between=[("P@1", "AP"), ("P@1", "Rprec"), ("RR", "AP")])

    return Check(
        right,
        wrong={
            "Two measures with two make four pairs between the families; the paper prints "
            "three.": printed,
            "That is tau-a; tau-b was asked for.": lambda c: found(c, variant="a"),
        },
        on=[(load("trec8"),), (load("trec5"),)],
    )


def purpose() -> Check:
    """How alike a measure of the reader's choice and AP rank a collection of the reader's."""

    def table(name, measure):
        return means(load(name), [measure, "AP"])

    def holds(answer: dict) -> bool:
        if str(parse(answer["measure"])) == "AP":
            return False
        scores = table(answer["collection"], answer["measure"])
        tau = kendall(scores.iloc[:, 0], scores["AP"], variant="b")
        return abs(answer["tau"] - tau) < 0.005

    example = {"measure": "RR", "collection": "trec8"}
    scores = table("trec8", "RR")
    return Check(
        example | {"tau": kendall(scores["RR"], scores["AP"], variant="b")},
        wrong={
            "That is Pearson's correlation; tau-b was asked for.": example
            | {"tau": scores["RR"].corr(scores["AP"])},
            "AP agrees with itself. Which measure would you weigh against it?": example
            | {"measure": "AP", "tau": 1.0},
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "thom2007-exercise-ties": ties,
    "thom2007-exercise-first": first_documents,
    "thom2007-exercise-tau-ap": tau_ap,
    "thom2007-exercise-basic": basic_interval,
    "thom2007-exercise-noise": noise,
    "thom2007-exercise-top": halves,
    "thom2007-exercise-zeros": zeros,
    "thom2007-exercise-own": families,
    "thom2007-exercise-purpose": purpose,
}

QUESTIONS = [
    Question(
        "A paper reports that two measures have a tau of .35 over 80 runs. What does that say of "
        "the measures?",
        "Little, before you know the runs and the topics: it is a tau of these runs.",
        {
            "They measure different things.": "Perhaps. But runs of two kinds put together, or "
            "means over different topics, give such a tau as well.",
            "On 35% of the pairs of runs they agree.": "Tau is the share on which they agree less "
            "the share on which they do not: without ties they agree on more than two thirds.",
            "Little, before you know the runs and the topics: it is a tau of these runs.": "The "
            "same two measures have several taus in this chapter, on the same runs even.",
        },
    ),
    Question(
        "Tau of AP and RR differs from 0 at the .01 level. What have you learned?",
        "Next to nothing: both come from the same lists and the same judgements.",
        {
            "Next to nothing: both come from the same lists and the same judgements.": "Nobody "
            "thought that they were unrelated. How far tau is from 1 was the question.",
            "That AP and RR rank the runs much alike.": "With 80 runs a tau of .2 passes the test.",
            "That the chance of a tau of 0 is below 1%.": "The test assumes a tau of 0, so it "
            "cannot say how likely that is.",
            "That one of the two measures is enough.": "A tau that passes may be far from 1; even "
            "one near 1 may hide that the best runs change places.",
        },
    ),
    Question(
        "On the same topics two measures have a tau of .68. On two halves of the topics each has "
        "a tau of .6 to .8 with itself. What follows?",
        "Much of the distance between the measures may be noise of the topics.",
        {
            "That the measures are poor: a good one agrees with itself on any topics.": "A mean "
            "over half of the topics has an error, whatever the measure. Only what does not look "
            "at the topics agrees with itself, such as the alphabet.",
            "Much of the distance between the measures may be noise of the topics.": "Ask how "
            "well a measure agrees with itself before you say that two disagree.",
            "That users of one would choose other systems than users of the other.": "Of users "
            "these numbers say nothing; and on other topics either measure would choose others.",
        },
    ),
    Question(
        "Some runs answered only a third of the topics. How should means be taken before you "
        "correlate measures?",
        "Over topics that all runs answered, or without these runs; and say which.",
        {
            "Over the topics that each run answered.": "Then some means are over easier topics "
            "than others, and the runs that are mixed so may be of another kind besides.",
            "Over all topics, a missing one as 0.": "That puts these runs last by every measure, "
            "so that any two measures seem to agree.",
            "It does not matter, if all measures are treated alike.": "In this chapter the "
            "same tau more than doubles from one way to another.",
            "Over topics that all runs answered, or without these runs; and say which.": "Runs "
            "are compared on the same topics; what was left out is part of the result.",
        },
    ),
    Question(
        "You resample the topics, and the middle 95% of the taus lie between .86 and .91. The tau "
        "that you measured is .92. What has happened?",
        "Resampling adds noise, and noise lowers tau: the interval sits too low.",
        {
            "A mistake in the program: an interval must hold the estimate.": "This kind need not. "
            "It holds the middle of the resampled taus, and these are lower on average.",
            "Chance: one interval in twenty misses.": "The interval would miss the true tau so "
            "often if it kept its promise. Here all resamples are shifted the same way.",
            "The measured tau is too high.": "It is rather too low: its own topics are a sample "
            "with noise as well, and with more of them the measures would agree more.",
            "Resampling adds noise, and noise lowers tau: the interval sits too low.": "So mirror "
            "it at the measured tau, and look up how often such intervals hold the truth.",
        },
    ),
]
