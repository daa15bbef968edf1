"""What the registry asks of runs outside the pool: each quantity with its interval."""

import pandas as pd

from chapters.data_tables import read
from chapters.left_out.tables import loss, losses_by_kind
from lib.intervals import Interval
from lib.statistics.jackknife import jackknife


def share_lost(population: str, kind: str, depth: int, measure: str) -> Interval:
    """Return what share of their score left-out runs of a kind lose, at a depth of the pool."""
    return loss(losses_by_kind().loc[(population, kind, depth, measure)])


def share_lost_beyond(population: str, one: str, other: str, depth: int, measure: str) -> Interval:
    """Return what runs of one kind lose beyond another, as sure as the kind of fewer groups."""
    runs = read("spending", "runs").query("collection == @population and measure == @measure")
    runs = runs[(runs["depth"] == depth) & runs["type"].isin([one, other])]
    without = [_apart(runs[runs["group"] != group], one, other) for group in runs["group"].unique()]
    freedom = runs.groupby("type")["group"].nunique().min() - 1
    interval = jackknife(_apart(runs, one, other), without)
    return Interval.of(interval.estimate, interval.error, freedom)


def _apart(runs: pd.DataFrame, one: str, other: str) -> float:
    means = runs.groupby("type")[["inside", "outside"]].mean()
    lost = 1 - means["outside"] / means["inside"]
    return lost[one] - lost[other]
