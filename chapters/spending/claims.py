"""What the registry asks of this study: each quantity with its interval."""

from collections.abc import Callable
from functools import partial

from chapters.spending.pilot import cached_forecast
from chapters.spending.planner import Budget, behind, choices
from chapters.spending.tables import gain_interval, gains, keyed
from lib.intervals import Interval


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


# Of a collection: a way and a depth; what a plan must beat; a budget, a depth and a measure.
QUANTITIES: dict[str, Callable[..., Interval]] = {
    "gain": partial(_gain, "gain"),
    "later": partial(_gain, "later"),
    "plan": _plan,
    "beyond plan": _beyond_plan,
}
