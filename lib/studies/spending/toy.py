"""Being left out of a pool, on a topic small enough for paper."""

import pandas as pd

from lib.collection import Collection
from lib.studies.spending.pooled import left_out


def toy() -> Collection:
    """Return one topic, three runs of three groups, and what they found.

    Examples
    --------
    >>> toy().systems["group"].tolist()
    ['a', 'b', 'c']
    """
    lists = {
        "A": ["d1", "d5", "d2", "d6"],
        "B": ["d1", "d2", "d5", "d6"],
        "C": ["d3", "d1", "d7", "d2"],
    }
    runs = {run: {"1": documents} for run, documents in lists.items()}
    grades = {f"d{number}": int(number <= 3) for number in (1, 2, 3, 5, 6, 7)}
    made = Collection.from_rankings(runs, {"1": grades}, judged=True)
    made.systems["group"] = ["a", "b", "c"]
    made.systems["pooled"] = "yes"
    made.systems["type"] = "automatic"
    return made


def by_hand() -> pd.DataFrame:
    """Return what the runs of :func:`toy` score with their group in the pool and without it.

    Examples
    --------
    >>> by_hand().loc["C", ("AP", "outside")].round(3)
    np.float64(0.5)
    """
    found = {one.measure: one for one in left_out(toy(), depths=[2])}
    columns = {
        (measure, side): getattr(found[measure], side).iloc[0]
        for measure in ("AP", "condensed AP", "unjudged@10")
        for side in ("inside", "outside")
    }
    return pd.DataFrame(columns).rename_axis("run")
