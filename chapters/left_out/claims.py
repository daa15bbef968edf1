"""What the registry asks of runs outside the pool: each quantity with its interval."""

from collections.abc import Callable

import pandas as pd

from chapters.data_tables import read
from chapters.left_out.tables import loss, losses_by_kind
from lib.intervals import Interval
from lib.statistics.jackknife import jackknife


def _loss(population: str, kind: str, depth: str, measure: str) -> Interval:
    return loss(losses_by_kind().loc[(population, kind, int(depth), measure)])


def _loss_gap(population: str, one: str, other: str, depth: str, measure: str) -> Interval:
    """What runs of one kind lose beyond those of another; as sure as the kind of fewer groups."""
    runs = read("spending", "runs").query("collection == @population and measure == @measure")
    runs = runs[(runs["depth"] == int(depth)) & runs["type"].isin([one, other])]
    without = [_apart(runs[runs["group"] != group], one, other) for group in runs["group"].unique()]
    freedom = runs.groupby("type")["group"].nunique().min() - 1
    interval = jackknife(_apart(runs, one, other), without)
    return Interval.of(interval.estimate, interval.error, freedom)


def _apart(runs: pd.DataFrame, one: str, other: str) -> float:
    means = runs.groupby("type")[["inside", "outside"]].mean()
    lost = 1 - means["outside"] / means["inside"]
    return lost[one] - lost[other]


# Of a collection: a kind of runs, or two, a depth and a measure.
QUANTITIES: dict[str, Callable[..., Interval]] = {"loss": _loss, "loss gap": _loss_gap}
