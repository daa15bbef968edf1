"""What the foundations ask their readers: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

from lib.collection import Collection, load
from lib.measures import complete_scores, means
from lib.statistics.multiplicity import holm
from lib.teaching.checks import Check
from lib.teaching.foundations import JUDGED, RANKED, precision_bounds, significant_pairs
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]

ALPHA = 0.05


def by_hand() -> Check:
    """Three relevant documents, of which a list has two, at ranks 2 and 5."""
    ranked = "x1 r1 x2 x3 r2 x4 x5 x6 x7 x8".split()
    judged = dict.fromkeys(("r1", "r2", "r3"), 1)
    toy = Collection.from_rankings({"A": {"t": ranked}}, {"t": judged})
    right = means(toy, ["P@5", "R@10", "RR", "AP"]).loc["A"].to_dict()
    return Check(
        right,
        wrong={
            "Your AP is the mean over the relevant documents that the list has. Divide by all "
            "three: the one that was not found counts too.": right | {"AP": right["AP"] * 3 / 2},
            "RR is 1 over the rank of the first relevant document.": right | {"RR": 2.0},
        },
    )


def tau_by_hand() -> Check:
    """Two orders of four systems, in which two pairs of neighbours change places."""
    agree, pairs = 4, 6
    return Check(
        (agree - (pairs - agree)) / pairs,
        wrong={
            "That is the share of the pairs on which they agree. Tau takes the share on which "
            "they disagree off.": agree / pairs
        },
    )


def average_precision() -> Check:
    """A function for AP."""

    def right(grades: Sequence[int], relevant: int) -> float:
        found = [rank for rank, grade in enumerate(grades, 1) if grade > 0]
        return sum(i / rank for i, rank in enumerate(found, 1)) / relevant

    def found_only(grades, relevant):
        return right(grades, sum(grade > 0 for grade in grades) or 1)

    def grade_as_gain(grades, relevant):
        total = sum(sum(grades[:rank]) / rank for rank, grade in enumerate(grades, 1) if grade)
        return total / relevant

    grades = [JUDGED.get(document, 0) for document in RANKED]
    return Check(
        right,
        wrong={
            "You divide by the relevant documents that the list has, not by all that there "
            "are.": found_only,
            "AP knows relevant and not relevant only: a grade of 2 counts as 1.": grade_as_gain,
        },
        on=[(grades, 4), ([1], 1), ([0, 0, 1], 3), ([0, 0], 2)],
    )


def bounds() -> Check:
    """A function for the least and the most that P@k can be."""

    def unjudged_is_irrelevant(ranked, judged, k):
        return (precision_bounds(ranked, judged, k)[0],) * 2

    def whole_list(ranked, judged, k):
        low, high = precision_bounds(ranked, judged, len(ranked))
        return low, high

    return Check(
        precision_bounds,
        wrong={
            "Your two numbers are the same: an unjudged document may be relevant, so the most "
            "is more than the least.": unjudged_is_irrelevant,
            "Look at the first k documents only.": whole_list,
        },
        on=[(RANKED, JUDGED, 5), (RANKED, JUDGED, 10), (["u"], {}, 1)],
    )


def rejections() -> Check:
    """A function that counts what Holm's method rejects."""

    def right(p_values: Sequence[float], alpha: float) -> int:
        return int((holm(p_values) <= alpha).sum())

    def bonferroni(p_values, alpha):
        return sum(p <= alpha / len(p_values) for p in p_values)

    def plain(p_values, alpha):
        return sum(p <= alpha for p in p_values)

    def no_stop(p_values, alpha):
        m = len(p_values)
        return sum(p <= alpha / (m - i) for i, p in enumerate(sorted(p_values)))

    return Check(
        right,
        wrong={
            "That is Bonferroni's method, one bar for all. Holm lowers the bar after each "
            "rejection.": bonferroni,
            "You count the values below alpha as they are.": plain,
            "Stop at the first that is not rejected; none after it is.": no_stop,
        },
        on=[([0.01, 0.015, 0.04], ALPHA), ([0.04, 0.01, 0.03], ALPHA), ([0.2], ALPHA)],
    )


def half_the_topics() -> Check:
    """How many pairs of TREC-8 are told apart on 25 topics and on 50."""
    scores = complete_scores(load("trec8"), "AP")
    told = {n: significant_pairs(scores.iloc[:n]) for n in (25, 50)}
    return Check(
        {n: after for n, (_, after) in told.items()},
        wrong={
            "These are the pairs with p below .05 each, before Holm's method.": {
                n: plain for n, (plain, _) in told.items()
            },
            "Half of the topics do not tell half of the pairs: count them.": {
                25: told[50][1] // 2,
                50: told[50][1],
            },
        },
    )


def pairs_told() -> Check:
    """A function for any collection: pairs told apart by P@10, before and after Holm."""

    def right(collection: Collection) -> tuple[int, int]:
        return significant_pairs(complete_scores(collection, "P@10"))

    def before(collection):
        return (right(collection)[0],) * 2

    def by_ap(collection):
        return significant_pairs(complete_scores(collection, "AP"))

    trec5 = load("trec5")
    few = load("trec8").select(systems=list(load("trec8").systems.index[:8]))
    return Check(
        right,
        wrong={
            "Both numbers are those before Holm's method.": before,
            "These are the pairs by AP; P@10 was asked for.": by_ap,
        },
        on=[(trec5,), (few,)],
    )


def persistence() -> Check:
    """A persistence that goes with how many documents a reader looks at."""

    def holds(answer: dict) -> bool:
        read, p = answer["read"], answer["p"]
        return read > 1 and abs(p - (1 - 1 / read)) < 0.005

    return Check(
        {"read": 5, "p": 0.8},
        wrong={
            "1/5 is the chance to stop after a document. p is the chance to go on.": {
                "read": 5,
                "p": 0.2,
            }
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "foundations-exercise-list": by_hand,
    "foundations-exercise-tau": tau_by_hand,
    "foundations-exercise-ap": average_precision,
    "foundations-exercise-bounds": bounds,
    "foundations-exercise-holm": rejections,
    "foundations-exercise-topics": half_the_topics,
    "foundations-exercise-own": pairs_told,
    "foundations-exercise-persistence": persistence,
}

QUESTIONS = [
    Question(
        "A paired t test of systems A and B gives p = .03. What does that say?",
        "If A and B had the same mean over all topics, a difference this large or larger would "
        "come up in 3 of 100 samples of topics.",
        {
            "The chance that A and B are equally good is 3%.": "The test assumes that they are "
            "equal, so it cannot say how likely that is. It depends on how many of the "
            "comparisons that people make have a real difference.",
            "If A and B had the same mean over all topics, a difference this large or larger "
            "would come up in 3 of 100 samples of topics.": "A statement about data, given the "
            "null hypothesis.",
            "A is better than B on 97% of the topics.": "The test is about the mean. A may be "
            "better on fewer than half of the topics and win by a few large differences.",
            "The difference is large.": "With enough topics a tiny difference has a small p. "
            "Size is what the effect size and the interval show.",
        },
    ),
    Question(
        "Two of the first ten documents of a list are relevant, three are unjudged. What is known "
        "of its P@10?",
        "It lies between .2 and .5.",
        {
            "It is .2.": "That is what a tool prints: it counts unjudged as not relevant. Nobody "
            "looked at the three.",
            "It lies between .2 and .5.": "At least the two, at most the two and the three.",
            "It is 2/7, of the judged ones.": "That leaves the unjudged out and makes the list "
            "shorter; it is another measure, and no less a guess.",
        },
    ),
    Question(
        "Two measures rank 129 systems with tau-b = .9. What may you conclude?",
        "On about one pair in twenty they disagree; which pairs these are, tau does not say.",
        {
            "The best system by one is the best by the other.": "Tau weighs all pairs alike. The "
            "pairs on which they disagree may well be those at the top.",
            "The measures measure the same.": "They may, or the systems are so different that any "
            "measure sees it. Take the bad systems away, and tau falls.",
            "On about one pair in twenty they disagree; which pairs these are, tau does not say.": (
                "Without ties, tau = 1 \u2212 2 times the share in conflict."
            ),
        },
    ),
    Question(
        "By measure M a test tells more pairs of systems apart than by AP. Is M the better "
        "measure?",
        "Not for that reason: being sure is not being right.",
        {
            "Yes: it needs fewer topics.": "So does the place in the alphabet, which needs none. "
            "First ask what the measure means.",
            "Not for that reason: being sure is not being right.": "The place in the alphabet "
            "tells all pairs apart. Between measures that mean the same, power is a good reason.",
            "No: it finds differences that are not there.": "The test holds its error for each "
            "measure. The differences are there, of whatever M measures.",
        },
    ),
    Question(
        "Why report P@10?",
        "If ten results are what your readers look at, and their order among the ten does not "
        "matter to them: say so.",
        {
            "It is what users see.": "It is what stands on many first pages. Whether users read "
            "ten, and fare better with more of them relevant, is a question to ask of users; the "
            "studies that did found links of very different strength.",
            "It is easy to understand, so it is reliable.": "It is easy to understand. On the same "
            "topics it tells fewer pairs of systems apart than AP or nDCG does.",
            "If ten results are what your readers look at, and their order among the ten does not "
            "matter to them: say so.": "A measure is a model of a reader. Name yours.",
        },
    ),
]
