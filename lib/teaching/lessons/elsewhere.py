"""What chapter 5 asks its readers: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.statistics.random_effects import random_effects
from lib.studies.elsewhere import power
from lib.studies.elsewhere.estimates import committed
from lib.studies.elsewhere.summaries import answered, pooled, summary
from lib.studies.sources import yours
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]

NORMAL = 1.96  # standard errors on each side of a 95% interval


def together() -> Check:
    """Two collections that cannot tell alone, with one truth."""
    estimates, error = np.array([-0.05, -0.06]), 0.03

    def interval(error: float) -> dict[str, float]:
        mean = estimates.mean()
        return {"mean": mean, "low": mean - NORMAL * error, "high": mean + NORMAL * error}

    return Check(
        interval(error / np.sqrt(2)),
        wrong={
            "That is the error of one collection. The mean of two independent numbers has a "
            "smaller one.": interval(error),
            "Halving the error would need four collections: it falls with the root of their "
            "number.": interval(error / 2),
        },
    )


def between() -> Check:
    """Two collections that differ by more than their errors."""
    found = random_effects([0.0, 0.4], [0.1, 0.1])
    right = {"Q": found.q, "tau2": found.tau2}
    return Check(
        right,
        wrong={
            "With equal truths Q would be 1, not 0: take the number of collections less one off "
            "before you divide.": right | {"tau2": found.q / 100},
            "Square the distances, and weigh each by 1 / error².": right | {"Q": 4.0},
        },
    )


def mean_of_effects() -> Check:
    """A function for the mean of random effects."""

    def right(estimates: Sequence[float], errors: Sequence[float]) -> float:
        return random_effects(estimates, errors).mean

    def one_truth(estimates, errors):
        return float(np.average(estimates, weights=1 / np.square(errors)))

    def plain(estimates, errors):
        return float(np.mean(estimates))

    def below_zero(estimates, errors):
        y, w = np.asarray(estimates), 1 / np.square(errors)
        q = (w * (y - np.average(y, weights=w)) ** 2).sum()
        tau2 = (q - len(y) + 1) / (w.sum() - (w**2).sum() / w.sum())
        return float(np.average(y, weights=1 / (1 / w + tau2)))

    return Check(
        right,
        wrong={
            "You weigh by the errors alone, as if there were one truth for all collections.": (
                one_truth
            ),
            "You let each collection count alike, however large its error.": plain,
            "Where Q is below the number of collections less one, tau² is 0.": below_zero,
        },
        on=[([0.1, 0.3, 0.5], [0.1, 0.1, 0.2]), ([0.1, 0.14, 0.2], [0.1, 0.2, 0.1])],
    )


def without_each() -> Check:
    """A function for the mean without each collection in turn."""

    def right(estimates: Sequence[float], errors: Sequence[float]) -> list[float]:
        kept = [np.arange(len(estimates)) != i for i in range(len(estimates))]
        y, e = np.asarray(estimates, float), np.asarray(errors, float)
        return [random_effects(y[k], e[k]).mean for k in kept]

    def nothing_left_out(estimates, errors):
        return [random_effects(estimates, errors).mean] * len(estimates)

    def plain(estimates, errors):
        return [(sum(estimates) - one) / (len(estimates) - 1) for one in estimates]

    rows = pooled(committed(), "p10-AP")
    return Check(
        right,
        wrong={
            "Your numbers are all the same: leave another collection out each time.": (
                nothing_left_out
            ),
            "That is the plain mean of the others: weigh them, with `random_effects`.": plain,
        },
        on=[([0.1, 0.3, 0.5], [0.1, 0.1, 0.2]), (list(rows["estimate"]), list(rows["error"]))],
        decimals=4,
    )


def shared_topics() -> Check:
    """The mean lead of AP with and without a collection that shares topics with others."""
    found = committed()
    apart = pooled(found, "p10-AP")
    news = answered(found, "p10-AP").query("source == 'robust04'")

    def means(of: Callable[[pd.DataFrame], float]) -> dict[str, float]:
        return {"apart": of(apart), "with all of Robust 2004": of(pd.concat([apart, news]))}

    def weighed(rows: pd.DataFrame) -> float:
        return random_effects(rows["estimate"], rows["error"]).mean

    everything = answered(found, "p10-AP")
    return Check(
        means(weighed),
        wrong={
            "That is the plain mean of the estimates: weigh them, with `random_effects`.": means(
                lambda rows: float(rows["estimate"].mean())
            ),
            "Your second number rests on Robust 2004 alone.": means(weighed)
            | {"with all of Robust 2004": float(news["estimate"].iloc[0])},
            "The two numbers must differ: the second has one row more.": dict.fromkeys(
                means(weighed), weighed(everything)
            ),
        },
        decimals=4,
    )


def pairs_of_runs() -> Check:
    """The error of a mean over pairs of runs that share topics, and as if they did not."""
    rows = committed().query("claim == 'feedback-AP' and source == 'dl19'")
    (whole,) = rows.loc[rows["part"] == "", "error"]
    errors = rows.loc[rows["part"] != "", "error"]
    right = {"independent": float(np.sqrt((errors**2).sum()) / len(errors)), "together": whole}
    return Check(
        right,
        wrong={
            "Squares add up, errors do not: take the root of their sum, over the number of "
            "pairs.": right | {"independent": float(errors.mean())},
            "The root of the summed squares is the error of the sum; the mean has a sixth of "
            "it.": right | {"independent": float(np.sqrt((errors**2).sum()))},
        },
        decimals=4,
    )


def within_reach() -> Check:
    """A function for any collection: is its number one that the others let expect?"""
    everywhere = summary(committed(), "power-AP-P@10")
    assert everywhere is not None
    expected = everywhere.expected_low, everywhere.expected_high
    mean = everywhere.low, everywhere.high

    def gain(collection: Collection) -> float:
        return float(power.gain(yours(collection), "AP", "P@10").estimate)

    def inside(reach: tuple[float, float]) -> Callable[[Collection], tuple[float, bool]]:
        def of(collection: Collection) -> tuple[float, bool]:
            return gain(collection), bool(reach[0] <= gain(collection) <= reach[1])

        return of

    few = load("trec8").select(topics=list(load("trec8").topics.index[:10]))
    return Check(
        inside(expected),
        wrong={
            "You compare with the interval of the mean. It says where the mean over collections "
            "lies, not where a single one does.": inside(mean),
            "The number is AP's share less P@10's, in this order.": lambda collection: (
                -gain(collection),
                inside(expected)(collection)[1],
            ),
        },
        on=[(load("dl19"),), (few,), (load("trec5"),)],
    )


def choose() -> Check:
    """A measure, and where its lead on another collection is expected."""
    found = committed()
    measures = ("nDCG@20", "AP", "RBP", "nDCG")
    known = {measure: summary(found, f"p10-{measure}") for measure in measures}

    def answer(measure: str, *, of_the_mean: bool = False) -> dict:
        one = known[measure]
        assert one is not None
        ends = (one.low, one.high) if of_the_mean else (one.expected_low, one.expected_high)
        return {"measure": measure, "low": ends[0], "high": ends[1]}

    def holds(given: dict) -> bool:
        right = answer(given["measure"])
        return all(abs(given[end] - right[end]) < 0.0006 for end in ("low", "high"))

    return Check(
        answer("nDCG@20"),
        wrong={
            "That is the interval of AP's mean, over collections. Yours will be a single one.": (
                answer("AP", of_the_mean=True)
            )
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "elsewhere-exercise-alone": together,
    "elsewhere-exercise-between": between,
    "elsewhere-exercise-mean": mean_of_effects,
    "elsewhere-exercise-without": without_each,
    "elsewhere-exercise-shared": shared_topics,
    "elsewhere-exercise-pairs": pairs_of_runs,
    "elsewhere-exercise-own": within_reach,
    "elsewhere-exercise-choose": choose,
}

QUESTIONS = [
    Question(
        "Of ten collections two tell alone that a measure is worse; eight cannot tell. What do the "
        "ten say together?",
        "That is not known yet: weigh the numbers with their errors and see.",
        {
            "That the measure is as good: eight against two.": "Eight that cannot tell are no "
            "votes for equality. All ten may lie below 0, each with an interval that just holds "
            "it.",
            "That it is worse: two against none.": "With ten tries at the 5% level one may be told "
            "by chance. And the eight are not silent: their numbers count, too.",
            "That is not known yet: weigh the numbers with their errors and see.": "Counting "
            "verdicts throws the sizes away. A summary of the numbers uses them.",
        },
    ),
    Question(
        "The mean lead over 13 collections is \u2212.07, its interval \u2212.12 to \u2212.02. "
        "Another collection is expected within \u2212.18 to +.05. You build a new collection. What "
        "can you expect?",
        "Most likely a lead below 0, but one above 0 would be no surprise.",
        {
            "A lead between \u2212.12 and \u2212.02.": "That is where the mean over collections "
            "lies. Single ones lie further out.",
            "Most likely a lead below 0, but one above 0 would be no surprise.": "The wide range "
            "is the one that is about a single collection, and it holds both signs.",
            "Nothing: the range holds 0.": "It holds 0 near its end. Where the middle is, is "
            "knowledge too.",
        },
    ),
    Question(
        "Heterogeneity is 0%. Is the truth the same on all collections?",
        "It may be, or the errors are too large to show a difference.",
        {
            "It may be, or the errors are too large to show a difference.": "It is the share of "
            "the variance that the errors leave over. Large errors leave nothing over.",
            "Yes: all of the variance is explained.": "Explained by errors that could be large "
            "enough to hide any difference.",
            "No: collections always differ.": "They probably do a little. But 0% does not show it.",
        },
    ),
    Question(
        "Why is Robust 2004 with all its topics left out of the summaries?",
        "150 of its 249 topics are those of TREC-6 to TREC-8: they would count twice.",
        {
            "It has too many topics and would count for too much.": "A small error is a good "
            "reason to count for much.",
            "Its runs are of another year.": "Those of all collections are.",
            "150 of its 249 topics are those of TREC-6 to TREC-8: they would count twice.": "The "
            "formula takes the errors for independent. Its 99 new topics are in the summary.",
        },
    ),
    Question(
        "AP falls behind on collections with shallow pools and not on those with deep ones. Do "
        "shallow pools make AP worse?",
        "The data cannot say: the shallow pools are also the younger, and not of news.",
        {
            "Yes: the difference is beyond the error.": "It goes with the pools. It goes with the "
            "years, the texts and the systems, too, and a dozen collections cannot part them.",
            "No: pools have nothing to do with it.": "They may well have. An experiment that "
            "changes the pool alone would tell, as chapter 4 does it.",
            "The data cannot say: the shallow pools are also the younger, and not of news.": "What "
            "goes with a number need not make it.",
        },
    ),
]
