"""What a run loses if its group had not been in the pool."""

import pandas as pd

from lib.collection import Collection
from lib.conventions import DECIMALS
from lib.errors import InputError
from lib.measures import Scores, complete_scores, parse
from lib.statistics.comparison import differences_in_print, mean_differences
from lib.statistics.incomplete import leave_group_out


def system_ranks(table: Scores) -> pd.Series:
    """Return the rank of each system by its mean score: 1 for the best, equals share the best.

    Examples
    --------
    >>> system_ranks(pd.DataFrame({"A": [0.2, 0.4], "B": [0.5, 0.5], "C": [0.4, 0.2]})).to_dict()
    {'A': 2, 'B': 1, 'C': 2}
    """
    return table.mean().round(DECIMALS).rank(ascending=False, method="min").astype(int)


def left_out(collection: Collection, measure: str, *, depth: int) -> pd.DataFrame:
    """Return what each run scores by the whole class's pool, and by one without its group.

    A row a run: mean and place by the pool of all, mean and place by that of the others, the
    difference of the means with its 95% interval over topics, as
    :func:`lib.statistics.comparison.difference_in_print` has it.
    """
    if depth < 1:
        raise InputError(f"--depth must be 1 or more, not {depth}")
    inside, mean = (
        complete_scores(collection.pooled(depth), measure),
        parse(measure).definition.mean,
    )
    parts = []
    for runs, judged in leave_group_out(collection, depth):
        outside = complete_scores(judged, measure)
        changes = mean_differences(outside[runs] - inside[runs])[["difference", "low", "high"]]
        changes = differences_in_print({measure: changes}, {}, len(inside)).droplevel(0)
        changes.insert(0, "place without", system_ranks(outside)[runs])
        changes.insert(0, "without", mean(outside[runs]))
        parts.append(changes)
    if not parts:
        raise InputError(f"{collection.name}: needs runs of two groups or more")
    table = pd.concat(parts).loc[collection.systems.index]
    table.insert(0, "place", system_ranks(inside))
    table.insert(0, "mean", mean(inside))
    return table.sort_values(["place", "place without"], kind="stable").rename_axis("run")
