"""The foundations' examples, by hand and on real data: one list, pools, means, tests, rankings."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.conventions import ALPHA
from lib.decisions import above
from lib.intervals import Interval
from lib.measures import Scores, best, complete_scores, means
from lib.statistics.comparison import mean_differences
from lib.statistics.correlation import kendall, pair_signs
from lib.statistics.impact import topics_needed
from lib.statistics.multiplicity import holm
from lib.statistics.significance import square, t_test

# One list

RANKED = "a b c d e f g h i j".split()  # documents, best first
JUDGED = {"a": 0, "b": 1, "c": 2, "d": 0, "f": 1, "g": 0, "h": 0, "m": 2}  # m was not found
_P = 0.8  # the persistence of RBP
MEASURES = ("P@5", "P@10", "R@10", "AP", "RR", "nDCG", f"RBP(p={_P})")
_WORDS = {0: "not relevant", 1: "relevant", 2: "highly relevant"}


def one_list(ranked: Sequence[str] = RANKED) -> Collection:
    """Return the list and its judgements as a collection of one system and one topic.

    >>> one_list()
    Collection('toy': 1 systems, 1 topics, 4 relevant documents, 3 hits)
    """
    return Collection.from_rankings({"A": {"t": list(ranked)}}, {"t": JUDGED})


def steps() -> pd.DataFrame:
    """Return the list, a row a rank, with what each measure makes of it.

    >>> steps().loc[3, ["document", "judgement"]].tolist()
    ['c', 'highly relevant']
    """
    rank = np.arange(1, len(RANKED) + 1)
    grades = np.array([JUDGED.get(document, 0) for document in RANKED])
    relevant = (grades > 0).cumsum()
    columns = {
        "document": RANKED,
        "judgement": [_WORDS[JUDGED[d]] if d in JUDGED else "unjudged" for d in RANKED],
        "relevant so far": relevant,
        "precision": relevant / rank,
        "discount": np.log2(rank + 1),
        "RBP's weight": (1 - _P) * _P ** (rank - 1),
    }
    return pd.DataFrame(columns, index=pd.Index(rank, name="rank"))


# Pools

# Three systems that contribute to a pool, and one that comes later.
LISTS = {
    "one": "r1 x1 r2 x2".split(),
    "two": "r1 r3 x1 x3".split(),
    "three": "x1 r1 x4 r2".split(),
    "later": "r4 r1 r5 x1".split(),
}


POOLED_TWO = {document for name in ("one", "two", "three") for document in LISTS[name][:2]}


def bounds(judged: Container[str]) -> pd.DataFrame:
    """Return the lists by rank, with the least and the most that P@4 can be; r is relevant.

    >>> bounds(POOLED_TWO)["most"].tolist()
    [0.75, 0.75, 0.75, 0.75]
    """
    table = pd.DataFrame(LISTS, index=range(1, 5)).T.rename_axis("system")
    known = table.map(lambda document: document in judged and document.startswith("r"))
    unjudged = table.map(lambda document: document not in judged)
    least = known.mean(axis=1)
    return table.assign(least=least, most=least + unjudged.mean(axis=1))


# Two systems on the same topics

_PLACES = (2, 5, 20, 50)  # those whom the best is compared with


def rivals(collection: Collection) -> dict[int, str]:
    """Return the best system by AP, and those that it is compared with, by their places.

    A place that no system has is left out.

    >>> from lib.collection import load
    >>> rivals(load("trec8"))
    {1: 'READWARE2', 2: 'orcl99man', 5: 'CL99XTopt', 20: 'apl8c221', 50: 'ric8dpx'}
    """
    order = best(means(collection, ["AP"])["AP"], 1.0)
    return {place: order[place - 1] for place in (1, *_PLACES) if place <= len(order)}


def mean_difference(differences: pd.Series) -> pd.Series:
    """Return what can be said of the mean of differences over topics.

    >>> mean_difference(pd.Series([0.3, 0.1, 0.2])).round(3).to_dict()
    {'mean': 0.2, 'deviation': 0.1, 'error': 0.058, 'low': -0.048, 'high': 0.448, 't': 3.464, \
'p': 0.074, 'effect': 2.0}
    """
    facts = mean_differences(differences.to_frame("d")).loc["d"].rename({"difference": "mean"})
    facts["deviation"] = differences.std()
    facts["error"] = facts["deviation"] / np.sqrt(len(differences))
    facts["t"] = facts["mean"] / facts["error"]
    return facts[["mean", "deviation", "error", "low", "high", "t", "p", "effect"]]


def field(collection: Collection, measure: str = "AP") -> pd.DataFrame:
    """Compare the best system by AP with those at some places behind it, by any measure.

    The last columns are p after Holm's method over all pairs of systems, and how many topics a test
    needs to see such an effect in four of five experiments.

    >>> from lib.collection import load
    >>> field(load("trec8"))["topics needed"].tolist()
    [119.0, 44.0, 24.0, 16.0]
    """
    scores, systems = complete_scores(collection, measure), rivals(collection)
    adjusted = square(holm(t_test(scores)), scores.columns)[systems[1]]
    rows = {}
    for place in list(systems)[1:]:
        differences = scores[systems[1]] - scores[systems[place]]
        needed = float(topics_needed(differences.to_frame("d"))["d"])
        row = {"p, Holm": adjusted[systems[place]], "topics needed": needed}
        rows[place] = {"system": systems[place], **mean_difference(differences), **row}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("place")


def says(row: Mapping[str, Any]) -> str:
    """Return what the interval of a row of :func:`field` includes, alone and after correction.

    >>> says({"mean": 0.1, "low": 0.02, "high": 0.18, "p, Holm": 0.2})
    'excludes zero before correction only'
    """
    lead = Interval.read(row, "mean")
    if not above().decides(lead):
        return "includes zero"
    corrected = row["p, Holm"] < ALPHA
    return f"excludes zero {'after correction, too' if corrected else 'before correction only'}"


# Many tests

BY_NAME = "place in the alphabet"


def alphabetical(collection: Collection) -> Scores:
    """Score each system, on every topic alike, by the place of its name: the last 0, the first 1.

    >>> alphabetical(Collection.from_rankings({"A": {"t": "r"}, "B": {"t": "r"}}, {"t": {"r": 1}}))
    run      A    B
    topic
    t      1.0  0.0
    """
    names = collection.systems.index
    score = 1 - names.argsort().argsort() / (len(names) - 1)
    rows = np.tile(score, (len(collection.topics), 1))
    return pd.DataFrame(rows, index=collection.topics.index, columns=names)


def many_tests(collection: Collection) -> pd.DataFrame:
    """Test all pairs of systems by several measures, and by the place in the alphabet.

    >>> from lib.collection import load
    >>> many_tests(load("trec8")).loc["AP"].tolist()
    [8256.0, 412.8, 5982.0, 3085.0]
    """
    tables = complete_scores(collection, ["AP", "nDCG", "P@10", "RR"])
    tables[BY_NAME] = alphabetical(collection)
    rows = {}
    for name, scores in tables.items():
        p = t_test(scores)
        rows[name] = {
            "pairs": len(p),
            "by chance": ALPHA * len(p),
            "p < .05": (p < ALPHA).sum(),
            "after Holm": (holm(p) < ALPHA).sum(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def false_alarms(real: float) -> float:
    """Return the share of significant results that are false, by the share of real differences.

    A test finds half of the real ones, and calls one in twenty of the others significant.

    >>> round(false_alarms(0.1), 3)
    0.474
    """
    false = (1 - real) * ALPHA
    return false / (real * 0.5 + false)


# Rankings of systems

# Mean scores of five systems by two measures; with the third, B and C tie.
FIVE = pd.DataFrame(
    {"one": [0.50, 0.40, 0.30, 0.20, 0.10], "other": [0.60, 0.30, 0.50, 0.10, 0.20]},
    index=pd.Index(list("ABCDE"), name="system"),
)
WITH_TIES = FIVE.assign(other=[0.60, 0.50, 0.50, 0.10, 0.20])
SHOWN_PLACES = 10  # systems of which the places are shown
_BEST = 20  # systems among which tau is taken again


def agreement(collection: Collection) -> pd.DataFrame:
    """Return how far AP and nDCG agree on all systems, and on the 20 best by AP.

    >>> from lib.collection import load
    >>> agreement(load("trec8")).round(2)
                 tau  pairs  opposite
    systems
    all         0.91   8256       370
    best by AP  0.55    190        43
    """
    table = means(collection, ["AP", "nDCG"])
    rows = {}
    for name, some in (("all", table), ("best by AP", table.loc[best(table["AP"], 1.0)[:_BEST]])):
        agree = np.prod([pair_signs(some[column]) for column in some], axis=0)
        tau = kendall(some["AP"], some["nDCG"], variant="b")
        rows[name] = {"tau": tau, "pairs": len(agree), "opposite": (agree < 0).sum()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("systems")


def top_ranks(collection: Collection) -> pd.DataFrame:
    """Return the places of the ten best systems by AP: by it, and by nDCG.

    >>> from lib.collection import load
    >>> top_ranks(load("trec8")).loc["READWARE"].tolist()
    [4, 67]
    """
    table = means(collection, ["AP", "nDCG"])
    order = {name: best(table[name], 1.0) for name in table}
    some = pd.Index(order["AP"][:SHOWN_PLACES], name="run")
    places = {name: [runs.index(run) + 1 for run in some] for name, runs in order.items()}
    return pd.DataFrame(places, index=some)
