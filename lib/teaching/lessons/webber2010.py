"""What chapter 4 asks its readers: checks of the exercises, and five questions."""

from collections.abc import Callable, Sequence

import numpy as np

from lib.collection import Collection, load
from lib.measures import complete_scores, scores, standardized
from lib.papers.webber2010 import budget, rank_by_depth
from lib.statistics.significance import discriminative_power
from lib.teaching.checks import Check
from lib.teaching.questions import Question

__all__ = ["CHECKS", "QUESTIONS"]

ALPHA = 0.05
JUDGEMENTS = 7000  # what the exercise on a budget can pay for


def pool_by_hand() -> Check:
    """Three lists of the chapter's toy, judged from a pool of depth 1 of all of them."""
    lists = {"A": {"t": list("abcd")}, "B": {"t": list("beaf")}, "C": {"t": list("gdab")}}
    toy = Collection.from_rankings(lists, {"t": dict.fromkeys("adeg", 1)})

    def seen(judged: Collection) -> dict[str, float]:
        return {"known": len(judged.relevant)} | scores(judged, "P@4").iloc[0].to_dict()

    right = seen(toy.pooled(1, by="all"))
    return Check(
        right,
        wrong={
            "You count all four relevant documents. Nobody knows of those that were not judged.": (
                seen(toy)
            ),
            "You leave out what was not judged, which makes the lists shorter. It stays where it "
            "is, and counts as not relevant.": right | {"A": 1 / 2, "B": 1 / 2, "C": 2 / 3},
            "C feeds the pool, too: its first document was judged.": seen(
                toy.pooled(1, by=["A", "B"])
            ),
        },
    )


def standardized_by_hand() -> Check:
    """Precision and recall of three runs on one topic, standardized."""
    relevant, found = 5, np.array([1, 2, 3])
    p10, r10 = found / 10, found / relevant

    def answer(of: Callable[[np.ndarray], np.ndarray]) -> dict[str, list[float]]:
        return {"R@10": r10.tolist(), "sP@10": of(p10).tolist(), "sR@10": of(r10).tolist()}

    right = answer(lambda x: standardized(x[np.newaxis], ddof=0)[0])
    return Check(
        right,
        wrong={
            "Divide by the standard deviation as well; what is left has no unit.": answer(
                lambda x: x - x.mean()
            ),
            "Your standard deviation divides by the number of runs less one; here it divides by "
            "their number.": answer(lambda x: standardized(x[np.newaxis], ddof=1)[0]),
            "Recall is twice precision here, and so is its standard deviation: the factor drops "
            "out.": right | {"sR@10": [2 * x for x in right["sP@10"]]},
        },
    )


def meaningless() -> Check:
    """A function for scores that mean nothing and tell all pairs apart."""
    sizes = [(5, 3), (50, 129)]

    def holds(found: Sequence) -> bool:
        return all(
            np.shape(table) == size and discriminative_power(table, alpha=ALPHA) == 1
            for table, size in zip(found, sizes, strict=True)
        )

    def right(topics: int, systems: int) -> np.ndarray:
        return np.tile(np.arange(systems), (topics, 1))

    def one_score(topics, systems):
        return np.zeros((topics, systems))

    def by_topic(topics, systems):
        return right(systems, topics).T

    return Check(
        right,
        wrong={
            "All systems score the same: no pair is told apart.": one_score,
            "Your scores differ between topics. Let them differ between systems.": by_topic,
        },
        on=sizes,
        holds=holds,
    )


def without_weakest() -> Check:
    """A function for discriminative power with and without the weakest quarter."""

    def power(collection: Collection, systems: Sequence[str]) -> float:
        return discriminative_power(complete_scores(collection, "AP")[systems], alpha=ALPHA)

    def ordered(collection: Collection) -> list[str]:
        return list(complete_scores(collection, "AP").mean().sort_values().index)

    def right(collection: Collection) -> tuple[float, float]:
        systems = ordered(collection)
        return power(collection, systems), power(collection, systems[len(systems) // 4 :])

    def without_best(collection):
        systems = ordered(collection)
        return power(collection, systems), power(collection, systems[: -(len(systems) // 4)])

    def only_weakest(collection):
        systems = ordered(collection)
        return power(collection, systems), power(collection, systems[: len(systems) // 4])

    return Check(
        right,
        wrong={
            "You left the best quarter out.": without_best,
            "You kept the weakest quarter alone.": only_weakest,
        },
        on=[(load("trec8"),), (load("trec5"),)],
    )


def recall_and_pools() -> Check:
    """Discriminative power of recall at depth 10 with three pools."""

    def powers(name: str) -> dict[int, float]:
        pools = {pool: load("trec8").pooled(pool) for pool in (5, 20, 100)}
        return {
            pool: discriminative_power(complete_scores(c, name.format(pool)), alpha=ALPHA)
            for pool, c in pools.items()
        }

    return Check(
        powers("R@10"),
        wrong={
            "That is P@10, whose divisor does not know the pool.": powers("P@10"),
            "Your evaluation goes as deep as the pool. Leave it at 10.": powers("R@{}"),
        },
        decimals=2,
    )


def places_by_length() -> Check:
    """What one run gains by a deeper pool, and by lists as short as its own."""

    def gained(run: str) -> dict[int, tuple[int, int]]:
        ranks = rank_by_depth(run, load("trec8"), depths=(100, 1000))
        shallow, deep, as_short = ranks.to_numpy().T
        return dict(zip(ranks.index, zip(shallow - deep, deep - as_short)))

    right = gained("iit99ma1")
    return Check(
        right,
        wrong={
            "The signs are the other way round: rank 1 is the best, so a smaller number is a "
            "gain.": {depth: tuple(-n for n in places) for depth, places in right.items()},
            "That is READWARE.": gained("READWARE"),
        },
    )


def best_buys() -> Check:
    """What predicts AP and P@10 best for 7,000 judgements."""
    tables = {target: _budget(target) for target in ("AP", "P@10")}

    def bought(most: float) -> dict[str, tuple]:
        best = {
            target: table.loc[table["phi"].where(table["judgements"] <= most).idxmax()]
            for target, table in tables.items()
        }
        return {target: tuple(row[["topics", "pool", "measure"]]) for target, row in best.items()}

    right = bought(JUDGEMENTS)
    topics, pool, _ = right["P@10"]
    return Check(
        right,
        wrong={
            "That is the best at whatever cost. Which settings can you pay for?": bought(np.inf),
            "To predict P@10 you need not measure P@10: look which measure has the highest "
            "phi.": right | {"P@10": (topics, pool, "P@10")},
        },
    )


def _budget(target):
    """Return how well the settings of the exercise predict."""
    return budget(
        load("trec8"),
        pools=(5, 10, 20, 50),
        measures={"AP": "AP", "P@10": "P@10"},
        target=target,
        number=100,
    )


def plan() -> Check:
    """Topics and a pool depth that a number of judgements pays for."""
    cost = load("trec8").pools.groupby("depth")["all"].mean()

    def holds(plan: dict) -> bool:
        dear = plan["topics"] * cost[plan["pool"]] > plan["judgements"]
        return not dear and plan["topics"] >= 2

    paid = {"judgements": JUDGEMENTS}
    return Check(
        paid | {"topics": int(JUDGEMENTS // cost[5]), "pool": 5},
        wrong={
            "You cannot pay for that: fifty topics with a pool of depth 100 are what TREC-8 "
            "paid for.": paid | {"topics": 50, "pool": 100},
            "From one topic nobody can tell how much the next one would differ.": paid
            | {"topics": 1, "pool": 100},
        },
        holds=holds,
    )


CHECKS: dict[str, Callable[[], Check]] = {
    "webber2010-exercise-pool": pool_by_hand,
    "webber2010-exercise-standardized": standardized_by_hand,
    "webber2010-exercise-meaningless": meaningless,
    "webber2010-exercise-weak": without_weakest,
    "webber2010-exercise-recall": recall_and_pools,
    "webber2010-exercise-lengths": places_by_length,
    "webber2010-exercise-budget": best_buys,
    "webber2010-exercise-plan": plan,
}

QUESTIONS = [
    Question(
        "On some set of runs and topics the discriminative power of a measure is .7. What does "
        "that say?",
        "Seven of ten pairs of these runs have p below .05 on these topics.",
        {
            "Seven of ten differences that it shows are real.": "How many are real no test can "
            "say. Where all systems are equally good, one pair in twenty is told apart, and none "
            "of these differences is real.",
            "The measure is right in seven cases of ten.": "Right about what? A ranking by name "
            "tells all pairs apart. Power is about being sure.",
            "Seven of ten pairs of these runs have p below .05 on these topics.": "It belongs to "
            "the measure, the runs, the topics and the test together.",
            "A real difference is found with a chance of 70%.": "That is the power of a test, "
            "which needs a true difference to be stated. Here nobody knows the true ones.",
        },
    ),
    Question(
        "On fifty topics AP tells a little more of 8,256 pairs apart than nDCG. Which of the two "
        "is the more discriminative?",
        "On these topics AP; for others it cannot be told without an error over topics.",
        {
            "On these topics AP; for others it cannot be told without an error over topics.": (
                "The pairs share 129 runs and 50 topics. Fifty other topics may turn a small lead "
                "around."
            ),
            "AP: with thousands of pairs chance plays no part.": "The pairs are no sample of their "
            "own. All of them hang on the same fifty topics.",
            "Neither: a difference that small does not matter.": "It may or may not matter. That "
            "is another question than whether it is there.",
        },
    ),
    Question(
        'A report says: "we evaluate by nDCG." What is missing most of all?',
        "The evaluation depth, and how deep the pool was.",
        {
            "The discount of the logarithm.": "It should be said, and tools differ in it. But "
            "with any discount nDCG@10 sees ten documents and nDCG@1000 a thousand.",
            "Why not AP?": "At one depth the two rank systems much alike.",
            "The evaluation depth, and how deep the pool was.": "nDCG@10 ranks more like "
            "another measure at depth 10 than like nDCG@1000.",
        },
    ),
    Question(
        "A run that leads at evaluation depth 100 stands in the middle at depth 1,000. What do you "
        "look at first?",
        "How many documents it returned.",
        {
            "Whether it fed the pool: deep down its documents are unjudged.": "That is a fair "
            "suspicion, and to be tried next: a deeper pool should then help it. For READWARE a "
            "deeper pool makes the fall worse.",
            "How many documents it returned.": "A list that ends early has nothing to gain further "
            "down. Cut all lists as short, and see whether it leads again.",
            "Its scores topic by topic: a few topics must have failed.": "Failed topics would show "
            "at depth 100 as well.",
        },
    ),
    Question(
        "You can pay for a fixed number of judgements, and all systems that you want to rank feed "
        "the pool. Many topics judged to a shallow depth, or few judged deeply?",
        "Many topics with a shallow pool, and a measure that looks deep.",
        {
            "Many topics with a shallow pool, and a measure that looks deep.": "It predicts the "
            "ranking on other topics best. For a system that comes later and finds none of its "
            "own documents judged this is not shown.",
            "Few topics judged deeply: each score is then exact.": "Exact for these topics. Which "
            "topics one happens to have moves the ranking more than what the pool misses.",
            "Many topics with a shallow pool, and P@10, which needs no more.": "P@10 costs as much "
            "on that pool as AP, and predicts worse, even its own ranking on other topics.",
            "It does not matter as long as the judgements are as many.": "It does: the same number "
            "spent on few topics predicts clearly worse.",
        },
    ),
]
