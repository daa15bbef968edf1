"""Analysis paths: the choices that a paper leaves open, crossed, and what each path gives."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.measures import Scores
from lib.published import REPRODUCED, SAMPLING, compare
from lib.statistics.jackknife import Interval
from lib.statistics.significance import TESTS, same_scores
from lib.tasks import task

SEED = 2013
DECIMALS = 4  # of what is kept
NUMBERS = ["cells", "matched", "estimate", "low", "high"]
RESAMPLES = 1000  # of the permutation test: a p value of .05 has a standard error of .007
SAMPLE = 500  # paths, at least, where not all can be drawn


@dataclass(frozen=True)
class Choice:
    """What a paper leaves open."""

    name: str
    argument: str  # of the functions that compute the numbers
    values: Mapping[str, Any]  # label to value; the book's first

    @property
    def ours(self) -> str:
        """The label of the book's value."""
        return next(iter(self.values))


TAU = Choice("Kendall's tau", "variant", {"tau-b": "b", "tau-a": "a"})


@dataclass(frozen=True)
class Place:
    """A place of a paper that prints numbers, and the choices that play a part in it."""

    paper: str
    name: str
    choices: Sequence[Choice]
    cells: Callable[..., pd.DataFrame]  # from the choices to its printed numbers, as cells
    quantity: str = ""  # what is estimated besides, in words
    estimate: Callable[..., Interval] | None = None

    @property
    def file(self) -> str:
        """Its file below ``data/roads``."""
        return f"{self.paper}-{self.name.lower().replace(' ', '-')}.parquet"


def cross(choices: Sequence[Choice]) -> pd.DataFrame:
    """Return every combination of the values of some choices.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> means = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})
    >>> cross([tau, means])
         tau        means
    0  tau-b  10 decimals
    1  tau-b  not rounded
    2  tau-a  10 decimals
    3  tau-a  not rounded
    """
    labels = product(*(choice.values for choice in choices))
    return pd.DataFrame(labels, columns=[choice.name for choice in choices])


def options(choices: Sequence[Choice], path: Mapping[str, str]) -> dict[str, Any]:
    """Return what a path means as keywords.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> options([tau], {"tau": "tau-a"})
    {'variant': 'a'}
    """
    return {choice.argument: choice.values[path[choice.name]] for choice in choices}


def departures(paths: pd.DataFrame) -> pd.Series:
    """Count the choices that each path makes otherwise than the first.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> departures(cross([tau])).tolist()
    [0, 1]
    """
    return (paths != paths.iloc[0]).sum(axis=1)


def sample(paths: pd.DataFrame, number: int = SAMPLE, *, seed: int = SEED) -> pd.Index:
    """Draw some paths at random; the first and all that depart from it once are among them.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> means = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})
    >>> sample(cross([tau, means]), 3).tolist()
    [0, 1, 2]
    """
    near = (departures(paths) <= 1).to_numpy()
    far = np.flatnonzero(~near)
    drawn = np.random.default_rng(seed).permutation(far)[: max(0, number - near.sum())]
    return paths.index[np.union1d(np.flatnonzero(near), drawn)]


def matched(given: Place, path: pd.Series) -> dict[str, float]:
    """Follow a path: count the printed cells that it matches, and estimate its quantity.

    Examples
    --------
    >>> from lib.studies.roads.places import place
    >>> of = place("thom2007", "Table 1")
    >>> found = matched(of, cross(of.choices).iloc[0])
    >>> found["matched"], found["cells"]
    (2, 2)
    """
    values = options(given.choices, path.to_dict())
    found = compare(given.paper, given.name, given.cells(**values))
    numbers = found[found["published"] != "yes"]
    counts = {
        "cells": len(numbers),
        "matched": int(numbers["verdict"].isin([REPRODUCED, SAMPLING]).sum()),
    }
    if given.estimate is None:
        return counts | dict.fromkeys(NUMBERS[2:], np.nan)
    told = given.estimate(**values)
    return counts | {name: float(getattr(told, name)) for name in NUMBERS[2:]}


def along(given: Place, paths: pd.DataFrame | None = None) -> pd.DataFrame:
    """Follow many paths."""
    paths = cross(given.choices) if paths is None else paths
    title = f"{given.paper}, {given.name}"
    tasks = (task(matched, given, path) for _, path in paths.iterrows())
    done = Parallel(return_as="generator")(tasks)
    walked = tqdm(done, desc=title, total=len(paths), unit="path", disable=None)
    found = pd.DataFrame(list(walked), index=paths.index)
    return paths.join(found[NUMBERS].round(DECIMALS))


def whole(tables: Iterable[tuple[Sequence[Choice], pd.DataFrame]]) -> pd.DataFrame:
    """Put the places of a paper together: a row for every path through all of them.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> one = cross([tau]).assign(cells=3, matched=[3, 1])
    >>> whole([([tau], one), ([tau], one)])[["tau", "matched"]]
         tau  matched
    0  tau-b        6
    1  tau-a        2
    """
    found: pd.DataFrame | None = None
    for choices, table in tables:
        part = table[[*(choice.name for choice in choices), "cells", "matched"]]
        if found is None:
            found = part
            continue
        shared = [choice.name for choice in choices if choice.name in found]
        both = found.merge(part, on=shared, how="left", suffixes=("", "_more"))
        for count in ("cells", "matched"):
            both[count] += both.pop(f"{count}_more")
        found = both
    assert found is not None
    numbers = ["cells", "matched"]
    return found[[*found.columns.drop(numbers), *numbers]]


def best(table: pd.DataFrame) -> pd.DataFrame:
    """Return the paths that match the most cells: rows of :func:`along` or :func:`whole`.

    Examples
    --------
    >>> best(pd.DataFrame({"tau": ["b", "a"], "matched": [3, 1]}))
      tau  matched
    0   b        3
    """
    return table[table["matched"] == table["matched"].max()]


def effects(choices: Sequence[Choice], table: pd.DataFrame) -> pd.DataFrame:
    """Say what it costs to make a choice otherwise, all else equal.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> effects([tau], cross([tau]).assign(matched=[3, 1]))[["on the book's road", "mean"]]
                      on the book's road  mean
    choice otherwise
    tau    tau-a                       2   2.0
    """
    names = [choice.name for choice in choices]
    rows = {}
    for choice in choices:
        others = [name for name in names if name != choice.name]
        wide = table.assign(**{"": 0}).pivot(
            index=[*others, ""], columns=choice.name, values="matched"
        )
        first = tuple(other.ours for other in choices if other is not choice)
        for label in list(choice.values)[1:]:
            lost = wide[choice.ours] - wide[label]
            rows[(choice.name, label)] = {
                "on the book's road": lost.loc[(*first, 0)],
                "mean": lost.mean(),
                "least": lost.min(),
                "most": lost.max(),
            }
    frame = pd.DataFrame(rows).T.rename_axis(["choice", "otherwise"])
    whole_numbers = dict.fromkeys(["on the book's road", "least", "most"], int)
    return frame.astype(whole_numbers)


def drawn(test: str) -> dict[str, Any]:
    """Return the options of a test: how often it draws, and from which seed."""
    if test != "permutation":
        return {}
    return {"resamples": RESAMPLES, "rng": np.random.default_rng(SEED)}


def p_without(scores: Scores, test: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the p values of all pairs of systems, on all topics and without each topic.

    Examples
    --------
    >>> import pandas as pd
    >>> p, same = p_without(pd.DataFrame([[3, 1], [2, 1], [4, 1]]), "t")
    >>> p.shape, bool(same.any())
    ((4, 1), False)
    """
    values = scores.to_numpy(dtype=float)
    parts = [values, *(np.delete(values, topic, axis=0) for topic in range(len(values)))]
    return (
        np.array([TESTS[test](part, **drawn(test)) for part in parts]),
        np.array([same_scores(part) for part in parts]),
    )


def power(
    p: np.ndarray, same: np.ndarray, *, alpha: float, sides: int, identical: str
) -> np.ndarray:
    """Return the share of pairs that are told apart, from their p values.

    Examples
    --------
    >>> p, same = np.array([0.04, 0.08, 1.0]), np.array([False, False, True])
    >>> power(p, same, alpha=0.05, sides=1, identical="left out").item()
    1.0
    """
    decided = (p < min(alpha * 2 / sides, 1.0)).sum(axis=-1)
    left = p.shape[-1] - (same.sum(axis=-1) if identical == "left out" else 0)
    return decided / left
