"""The arguments that lessons try functions on and a file cannot hold: tables and collections."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import pandas as pd

from chapters.tomlinson2006.tables import RUN_PAIRS
from lib.collection import Collection, load
from lib.statistics.impact import differences


def resolved(given: Any) -> Any:
    """Return an argument as a lesson gives it, or what it names by ``use``; to be changed at will.

    >>> resolved(3), resolved({"use": "table", "A": [1, 2]})["A"].tolist()
    (3, [1, 2])
    """
    if not (isinstance(given, Mapping) and "use" in given):
        return deepcopy(given)
    kinds: dict[str, Callable[..., Any]] = {
        "changes": changes,
        "collection": _collection,
        "pairs": lambda number=None: RUN_PAIRS[:number],
        "table": lambda **columns: pd.DataFrame(columns),
    }
    made = kinds[given["use"]](**{key: value for key, value in given.items() if key != "use"})
    return deepcopy(made)  # tables are shared by all who load them


def _collection(
    name: str, topics: int | None = None, systems: int | None = None, seed: int | None = None
) -> Collection:
    """Return a collection, or its first topics or systems, or as many drawn by a seed."""
    whole = load(name)
    names = [list(whole.topics.index), list(whole.systems.index)]
    if seed is not None:
        rng = np.random.default_rng(seed)
        names = [rng.permutation(one).tolist() for one in names]
    return whole.select(topics=names[0][:topics], systems=names[1][:systems])


def changes(measure: str) -> pd.DataFrame:
    """Return what feedback changes on Cystic Fibrosis, topics x systems."""
    return differences(load("feedback/cf"), RUN_PAIRS, measure)
