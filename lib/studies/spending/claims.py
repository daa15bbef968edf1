"""What the registry asks of this study: each quantity with its interval."""

from collections.abc import Callable
from functools import partial

import pandas as pd

from lib.intervals import Interval
from lib.statistics.jackknife import jackknife
from lib.studies.committed import read
from lib.studies.spending.pilot import cached_forecast
from lib.studies.spending.planner import Budget, behind, choices
from lib.studies.spending.tables import gain_interval, gains, keyed, loss


def _loss(population: str, kind: str, depth: str, measure: str) -> Interval:
    return loss(keyed("losses").loc[(population, kind, int(depth), measure)])


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


def _gain(who: str, population: str, way: str, depth: str) -> Interval:
    return gain_interval(gains(int(depth)).loc[(population, way)], who)


def _plan(population: str, over: str) -> Interval:
    """The gain of a plan, of which the interval is that of 95% of the tries."""
    row = keyed("backtest").loc[(population, "topics and groups", 0.5, 0)]
    return Interval.read(row.rename({f"{over}, low": "low", f"{over}, high": "high"}), over)


def _beyond_plan(population: str, judgements: str, depth: str, measure: str) -> Interval:
    """What another depth promises beyond the plan of a budget, read off the pilot's curves."""
    forecast = cached_forecast(population)
    every = choices(forecast, Budget(judgements=float(judgements)))
    asked = (every["depth"] == int(depth)) & (every["measure"] == measure)
    (row,) = behind(forecast, every).to_frame()[asked].to_dict("records")
    return Interval(**row)


# Of a collection: a kind of runs, or two, a depth and a measure; a way and a depth; what a plan
# must beat; a budget, a depth and a measure.
QUANTITIES: dict[str, Callable[..., Interval]] = {
    "loss": _loss,
    "loss gap": _loss_gap,
    "gain": partial(_gain, "gain"),
    "later": partial(_gain, "later"),
    "plan": _plan,
    "beyond plan": _beyond_plan,
}
