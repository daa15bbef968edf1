"""What the lessons name because a file cannot hold it: arguments to try, and checks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.conventions import ALPHA
from lib.measures import means, parse
from lib.papers.tomlinson2006.tables import PAIRS
from lib.statistics.correlation import kendall
from lib.statistics.impact import differences, topics_needed
from lib.statistics.significance import discriminative_power
from lib.studies.spending.pilot import cached_forecast
from lib.studies.spending.planner import Budget, choices

LAB = Budget(judgements=4000, topic=50, systems=40)  # of the exercise on a lab


def resolved(given: Any) -> Any:
    """Return an argument as a lesson gives it, or what it names by ``use``.

    Examples
    --------
    >>> resolved(3), resolved({"use": "table", "A": [1, 2]})["A"].tolist()
    (3, [1, 2])
    """
    if not (isinstance(given, Mapping) and "use" in given):
        return given
    kinds: dict[str, Callable[..., Any]] = {
        "changes": _changes,
        "collection": _collection,
        "pairs": lambda number=None: PAIRS[:number],
        "table": lambda **columns: pd.DataFrame(columns),
    }
    return kinds[given["use"]](**{key: value for key, value in given.items() if key != "use"})


def _collection(name: str, topics: int | None = None, systems: int | None = None) -> Collection:
    """Return a collection, or its first topics or systems."""
    whole = load(name)
    return whole.select(
        topics=list(whole.topics.index[:topics]), systems=list(whole.systems.index[:systems])
    )


def _changes(measure: str) -> pd.DataFrame:
    """Return what feedback changes on Cystic Fibrosis, topics x systems."""
    return differences(load("feedback/cf"), PAIRS, measure)


# Checks of questions with many right answers: whether one is right.


def persistence(answer: dict) -> bool:
    """A persistence that goes with how many documents a reader looks at."""
    read = answer["read"]
    return read > 1 and abs(answer["p"] - (1 - 1 / read)) < 0.005


def margin(answer: dict) -> bool:
    """A margin of tau that goes with how many pairs of systems may change places."""
    pairs = answer["systems"] * (answer["systems"] - 1) / 2
    changed = answer["pairs"]
    return 0 < changed <= pairs and abs(answer["margin"] - 2 * changed / pairs) < 0.005


def likeness(answer: dict) -> bool:
    """How alike a measure and AP rank a collection."""
    if str(parse(answer["measure"])) == "AP":
        return False
    scores = means(load(answer["collection"]), [answer["measure"], "AP"])
    return abs(answer["tau"] - kendall(scores.iloc[:, 0], scores["AP"], variant="b")) < 0.005


def enough_topics(answer: dict) -> bool:
    """A measure to decide by, and topics enough for it."""
    return answer["topics"] >= topics_needed(_changes(answer["measure"])).median()


def sure_of_everything(tables: Sequence) -> bool:
    """Scores of 5 topics and 3 systems, and of 3 and 4, that tell all pairs apart."""
    return all(
        np.shape(table) == size and discriminative_power(table, alpha=ALPHA) == 1
        for table, size in zip(tables, [(5, 3), (3, 4)], strict=True)
    )


def affordable(answer: dict) -> bool:
    """Topics and a pool depth that a number of judgements pays for."""
    cost = load("trec8").pools.groupby("depth")["all"].mean()[answer["pool"]]
    return answer["topics"] >= 2 and answer["topics"] * cost <= answer["judgements"]


def promised(answer: dict) -> bool:
    """A design that a lab can pay, with the predictive power that its pilot promises."""
    forecast, design = cached_forecast(answer["pilot"]), (answer["depth"], answer["measure"])
    most = choices(forecast, LAB).set_index(["depth", "measure"])["topics"][design]
    promise = forecast.promise(answer["topics"], systems=LAB.systems)[
        forecast.pilot.setting(*design)
    ]
    return 3 <= answer["topics"] <= most and abs(answer["power"] - promise) < 0.006
