"""What a run loses if its group had not been in the pool."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.conventions import DECIMALS
from lib.errors import InputError
from lib.measures import Scores, complete_scores, parse
from lib.statistics.comparison import differences_in_print, mean_differences
from lib.statistics.incomplete import run_groups
from lib.tasks import progress

_PARTS = 64  # of the topics; one is scored again where one of its topics changes


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
    with suppress(InputError):  # of most measures, which ask for no non-relevant document
        found = replace(collection, judged=None, unsampled=None)
        complete_scores(found.pooled(depth), measure)
        collection = found
    inside, mean = (
        complete_scores(collection.pooled(depth), measure),
        parse(measure).definition.mean,
    )
    group, runs = run_groups(collection), collection.systems.index
    if group.nunique() < 2:
        raise InputError(f"{collection.name}: needs runs of two groups or more")
    numbers = np.array_split(np.arange(len(inside)), min(len(inside), _PARTS))
    parts = [collection.select(topics=inside.index[some]) for some in numbers]
    changed = _changed_topics(collection, group, depth)
    outside, places = inside.copy(), pd.Series(0, runs)
    for name, own in progress(group.groupby(group, sort=False), "group", group.nunique()):
        table, others = inside.copy(), [run for run in runs if run not in own.index]
        for some, part in zip(numbers, parts):
            if changed.get(name, set()).intersection(some):
                table.iloc[some] = complete_scores(part.pooled(depth, by=others), measure)
        outside[own.index], places[own.index] = table[own.index], system_ranks(table)[own.index]
    changes = mean_differences(outside - inside)[["difference", "low", "high"]]
    changes = differences_in_print({measure: changes}, {}, len(inside)).droplevel(0)
    first = {"place": system_ranks(inside), "mean": mean(inside)}
    first |= {"place without": places, "without": mean(outside)}
    table = pd.DataFrame(first)[["mean", "place", "without", "place without"]].join(changes)
    return table.sort_values(["place", "place without"], kind="stable").rename_axis("run")


def _changed_topics(collection: Collection, group: pd.Series, depth: int) -> dict[str, set[int]]:
    """Return the topics, by number, where a group alone has a judged document in the pool."""
    changed: dict[str, set[int]] = {}
    code, names = pd.factorize(group)
    for table in (collection.hits, collection.judged, collection.unsampled):
        pool = table[table["rank"] <= depth] if table is not None else collection.hits[:0]
        of = pool.assign(group=code[pool["system"]]).groupby(["topic", "document"])["group"]
        alone = of.agg(["min", "max"]).query("min == max").reset_index()
        for topic, number in zip(alone["topic"], alone["min"]):
            changed.setdefault(names[number], set()).add(topic)
    return changed
