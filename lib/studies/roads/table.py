"""How many of the printed cells each road matches, which road is best, which choices matter."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.published import REPRODUCED, SAMPLING, compare
from lib.studies.roads import thom2007, webber2008, webber2010
from lib.studies.roads.roads import Choice, Place, cross, options
from lib.tasks import task

PAPERS = {
    found[0].paper: found for found in (webber2008.PLACES, thom2007.PLACES, webber2010.PLACES)
}
DECIMALS = 4  # of what is kept
NUMBERS = ["cells", "matched", "estimate", "low", "high"]


def place(paper: str, name: str) -> Place:
    """Return a place of a paper."""
    return next(found for found in PAPERS[paper] if found.name == name)


def matched(given: Place, road: pd.Series) -> dict[str, float]:
    """Walk a road: count the printed cells that it matches, and estimate its quantity.

    Examples
    --------
    >>> of = place("thom2007", "Table 1")
    >>> found = matched(of, cross(of.choices).iloc[0])
    >>> found["matched"], found["cells"]
    (2, 2)
    """
    values = options(given.choices, road.to_dict())
    found = compare(given.paper, given.name, given.cells(**values), own=True)
    numbers = found[found["published"] != "yes"]
    counts = {
        "cells": len(numbers),
        "matched": int(numbers["verdict"].isin([REPRODUCED, SAMPLING]).sum()),
    }
    if given.estimate is None:
        return counts | dict.fromkeys(NUMBERS[2:], np.nan)
    told = given.estimate(**values)
    return counts | {name: float(getattr(told, name)) for name in NUMBERS[2:]}


def along(given: Place, roads: pd.DataFrame | None = None) -> pd.DataFrame:
    """Walk many roads."""
    roads = cross(given.choices) if roads is None else roads
    title = f"{given.paper}, {given.name}"
    tasks = (task(matched, given, road) for _, road in roads.iterrows())
    done = Parallel(return_as="generator")(tasks)
    walked = tqdm(done, desc=title, total=len(roads), unit="road", disable=None)
    found = pd.DataFrame(list(walked), index=roads.index)
    return roads.join(found[NUMBERS].round(DECIMALS))


def whole(tables: Iterable[tuple[Sequence[Choice], pd.DataFrame]]) -> pd.DataFrame:
    """Put the places of a paper together: a row for every road through all of them.

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
    """Return the roads that match the most cells: rows of :func:`along` or :func:`whole`.

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
