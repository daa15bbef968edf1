"""The planner as a control on the page: a budget, and what it buys at every depth of the pool."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from lib.display import figures
from lib.display.figures import INK, measure_style
from lib.display.svg import add_tooltips
from lib.statistics.jackknife import Interval
from lib.studies.spending.pilot import PILOTS, Told, cached_pilot
from lib.studies.spending.planner import Budget, choices, expected

# Not DL 2019, whose topics are too few for a pilot, as the back-test shows.
ON_PAGE = ["trec8", "trec5", "trec-covid", "dl21"]
STEPS = [1000, 2000, 5000, 10_000, 20_000, 50_000]  # judgements
SYSTEMS = {"as many as it had": None, "10": 10, "30": 30, "100": 100}
BASELINES = ((10, "AP"), (10, "P@10"))
DEPTHS = (1, 2, 5, 10, 20, 50, 100)


def pilots() -> dict[str, Told]:
    """Return the pilots of the book by name; add one of your own for :func:`panel`.

    Examples
    --------
    >>> {name: told.pilot.title for name, told in pilots().items()}["dl21"]
    'DL 2021'
    """
    return {name: cached_pilot(name) for name in PILOTS}


def titles(told: Mapping[str, Told]) -> dict[str, str]:
    """Return the name of each pilot by its title, as a control offers them.

    Examples
    --------
    >>> list(titles(pilots()))
    ['TREC-8', 'TREC-5', 'TREC-COVID', 'DL 2019', 'DL 2021']
    """
    return {by.pilot.title: name for name, by in told.items()}


def panel(
    told: Mapping[str, Told],
    pilot: str,
    judgements: float,
    topic: float,
    rank: float,
    systems: int | None,
) -> figures.Figure:
    """Show a plan, and what else the budget buys: a panel of the chapter's control."""
    by = told[pilot]
    budget = Budget(judgements=judgements, topic=topic, rank=rank, systems=systems)
    every = choices(by, budget)
    plan = every.iloc[0]
    promised = expected(by, int(plan["setting"]), int(plan["topics"]))
    baselines = _baselines(every)
    return figures.Figure(
        _drawn(every, plan, promised),
        data=_numbers(by, pd.concat([every.head(1), baselines])),
        formats={"topics": ",d", "documents": ",d", "power": ".2f", "low": ".2f", "high": ".2f"},
        alt=_alt(every, plan),
        caption=_said(by, plan, promised, baselines),
    )


def _baselines(every: pd.DataFrame) -> pd.DataFrame:
    """Return the named baselines that the budget pays, but for the plan itself."""
    keys = pd.MultiIndex.from_frame(every[["depth", "measure"]])
    return every[keys.isin(BASELINES)].drop(index=0, errors="ignore")


def _drawn(every: pd.DataFrame, plan: pd.Series, promised: Interval) -> Any:
    """Draw the promises of all depths, a line a measure, and the plan with its interval."""
    with figures.style():
        drawing, axes = figures.subplots(height=2.8)
        axes.set_position([0.13, 0.18, 0.7, 0.78])
        axes.set(xscale="log", xlim=(0.85, 120), ylim=(0, 1))
        axes.set(xlabel="depth of the pool", ylabel="expected predictive power")
        axes.set_xticks(DEPTHS, [str(depth) for depth in DEPTHS])
        axes.minorticks_off()
        axes.plot([plan["depth"]] * 2, [promised.low, promised.high], color=INK, linewidth=1)
        for measure, line in every.sort_values("depth").groupby("measure", sort=False):
            dots = axes.plot(
                line["depth"], line["phi"], label=measure, markersize=5, **measure_style(measure)
            )
            add_tooltips(dots, measure, words=[f"{topics:,} topics" for topics in line["topics"]])
        dot = axes.plot(plan["depth"], plan["phi"], markersize=11, **measure_style(plan["measure"]))
        ends = f"{promised.low:.2f} to {promised.high:.2f}"
        add_tooltips(dot, "the plan", tell="xy", words=[f"{plan['measure']}, {ends}"])
        figures.label_lines(axes)
    return drawing


def _numbers(told: Told, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the plan and the baselines, each with its interval."""
    table = {}
    for at, row in enumerate(rows.itertuples()):
        found = expected(told, row.setting, row.topics)
        name = f"{row.measure}, depth {row.depth}" + (" (the plan)" if at == 0 else "")
        table[name] = (row.topics, row.judgements, row.phi, float(found.low), float(found.high))
    columns = ["topics", "documents", "power", "low", "high"]
    return pd.DataFrame.from_dict(table, orient="index", columns=columns).rename_axis("setting")


def _alt(every: pd.DataFrame, plan: pd.Series) -> str:
    of = every[every["measure"] == plan["measure"]].sort_values("depth")
    ends = " and ".join(
        f"{row.phi:.2f} at depth {row.depth}" for row in of.iloc[[0, -1]].itertuples()
    )
    return (
        f"A line a measure over the depth of the pool. {plan['measure']} is at {ends}; the plan is "
        f"at depth {plan['depth']} with {plan['phi']:.2f}."
    )


def _said(told: Told, plan: pd.Series, promised: Interval, baselines: pd.DataFrame) -> str:
    """Say the plan in words, with what the same money buys otherwise."""
    half = told.pilot.topics // 2
    lines = [
        f"{told.pilot.title}: judge {plan['topics']:,} topics from pools of depth {plan['depth']}, "
        f"{plan['judgements']:,} documents, and compare the systems by {plan['measure']}.",
        f"Expected predictive power {promised.estimate:.2f}, 95% interval {promised.low:.2f} to "
        f"{promised.high:.2f}.",
    ]
    others = [
        f"{row.measure} {row.phi:.2f} ({row.topics:,} topics)" for row in baselines.itertuples()
    ]
    if others:
        lines.append(f"At no more cost, from pools of depth 10: {', '.join(others)}.")
    if plan["topics"] > half:
        lines.append(f"Beyond {half} topics it is read off a curve.")
    return " ".join(lines)
