"""What the registry asks of this study: each quantity with its interval."""

from chapters.spending.pilot import cached_forecast
from chapters.spending.planner import Budget, behind, choices
from chapters.spending.tables import gain_interval, gains, keyed
from lib.intervals import Interval


def gain_of_way(population: str, way: str, depth: int) -> Interval:
    """Return how much better a way to judge predicts than the pool of a depth, at its cost."""
    return gain_interval(gains(depth).loc[(population, way)], "gain")


def later_gain_of_way(population: str, way: str, depth: int) -> Interval:
    """Return how much better it places later systems."""
    return gain_interval(gains(depth).loc[(population, way)], "later")


def gain_of_plan(population: str, over: str) -> Interval:
    """Return the gain of a plan, of which the interval is that of 95% of the tries."""
    row = keyed("backtest").loc[(population, "topics and groups", 0.5, 0)]
    return Interval.read(row.rename({f"{over}, low": "low", f"{over}, high": "high"}), over)


def gain_beyond_plan(population: str, judgements: float, depth: int, measure: str) -> Interval:
    """Return what another depth promises beyond the plan of a budget, by the pilot's curves."""
    forecast = cached_forecast(population)
    every = choices(forecast, Budget(judgements=judgements))
    asked = (every["depth"] == depth) & (every["measure"] == measure)
    (row,) = behind(forecast, every).to_frame()[asked].to_dict("records")
    return Interval(**row)


def gain_over_depth(
    population: str, judgements: float, depth: int, other: int, measure: str
) -> Interval:
    """Return what one depth promises beyond another at a budget, by the pilot's curves."""
    forecast = cached_forecast(population)
    every = choices(forecast, Budget(judgements=judgements)).query("measure == @measure")
    both = every.set_index("depth", drop=False).loc[[other, depth]]
    return Interval(**behind(forecast, both).to_frame().iloc[1].to_dict())
