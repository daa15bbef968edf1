"""The planner as a map: expected agreement by topics and depth, and what a budget buys on it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

from lib.display import figures
from lib.display.figures import INK, measure_style
from lib.display.svg import add_tooltips
from lib.studies.spending.pilot import AIMS, DEPTHS, PILOTS, Told, cached_pilot
from lib.studies.spending.planner import FAR, Budget, alike, choices, chosen, ends, expected

# Not DL 2019, whose topics are too few for a pilot, as the back-test shows.
ON_PAGE = ["trec8", "trec-covid", "dl21"]
STEPS = [1000, 2000, 5000, 10_000, 20_000, 50_000]  # judgements
SYSTEMS = {"all": None, "10": 10, "20": 20, "40": 40}
WIDTH = 3.9  # inches: a phone shows all of it
LEVELS = np.arange(0.1, 1, 0.1)


def pilots() -> dict[str, Told]:
    """Return the pilots of the book by name; add one of your own for :func:`panel`.

    Examples
    --------
    >>> {name: told.pilot.title for name, told in pilots().items()}["dl21"]
    'DL 2021'
    """
    return {name: cached_pilot(name) for name in PILOTS}


def panel(
    told: Mapping[str, Told],
    pilot: str,
    judgements: float,
    aim: str,
    systems: int | None,
    topic: float,
    rank: float,
    way: str,
) -> figures.Figure:
    """Show a plan on the map of its pilot: a panel of the chapter's control."""
    by = cached_pilot(pilot, *AIMS[aim], way) if pilot in PILOTS else told[pilot]
    return draw_map(
        by, Budget(judgements=judgements, topic=topic, rank=rank, systems=systems), title=""
    )


def draw_map(told: Told, budget: Budget, *, title: str = "Expected agreement. ") -> figures.Figure:
    """Draw expected agreement by topics and depth, the budget's line, and the plan on it."""
    every = choices(told, budget)
    every = every.assign(alike=alike(told, every))
    plan = every.iloc[0]
    line = every[every["measure"] == plan["measure"]].sort_values("depth")
    promised = expected(told, int(plan["setting"]), int(plan["topics"]), systems=budget.systems)
    top = told.pilot.top
    agreement = f"share found of the top {top}" if top else "agreement (tau-b) with the order"
    caption = (
        f"{title}{told.pilot.title}: {plan['topics']:,} topics "
        f"{chosen(told.pilot, plan['depth'])}, compared by {plan['measure']}: "
        f"{told.pilot.promises} {ends(promised)}. The shades and lines give the {agreement} by "
        f"{told.pilot.aim} on {(told.pilot.topics + 1) // 2} other topics; the black line is what "
        f"the budget pays. Filled dots cannot be distinguished from the plan, the large one."
    )
    return figures.Figure(
        _drawn(told, budget, line, plan),
        data=_numbers(told, budget, line),
        formats={"topics": ",d", "documents": ",d", "power": ".2f", "low": ".2f", "high": ".2f"},
        alt=f"A map: agreement grows with topics and with depth. The plan: {plan['topics']:,} "
        f"topics, depth {plan['depth']}, {plan['phi']:.2f}.",
        caption=caption,
    )


def _drawn(told: Told, budget: Budget, line: pd.DataFrame, plan: pd.Series) -> Any:
    """Draw the map by the plan's measure, and the settings that the budget pays."""
    settings = told.pilot.settings
    at = np.flatnonzero(settings["measure"] == plan["measure"])
    depths = settings["depth"].to_numpy()[at]
    end = min(400, FAR * told.pilot.topics)  # axes are the same for all collections of the book
    topics = np.geomspace(3, end, 16)
    height = np.array([told.promise(n, systems=budget.systems)[at] for n in topics]).T
    colour = measure_style(plan["measure"])["color"]
    shades = [to_rgba(colour, 0.06 * step) for step in range(1, len(LEVELS) + 1)]
    rows = np.searchsorted(DEPTHS, depths)
    places = np.searchsorted(DEPTHS, line["depth"])
    with figures.style():
        drawing, axes = figures.subplots(height=3.0)
        drawing.set_size_inches(WIDTH, 3.0)
        crossed = [one for one in LEVELS if height.min() < one < height.max()]
        if len(rows) > 1 and crossed:
            axes.contourf(topics, rows, height, levels=[*LEVELS, 1], colors=shades)
            lines = axes.contour(topics, rows, height, levels=crossed, colors=INK, linewidths=0.3)
            free = _free(lines, line["topics"], places, end)
            axes.clabel(lines, fmt="%.1f", fontsize=9.5, manual=free)
        axes.plot(line["topics"], places, color=INK, linewidth=1.2)
        look = {"color": INK, "linestyle": "none", "marker": "o", "markersize": 5}
        for filled in (True, False):
            part = (line["alike"] == filled).to_numpy()
            face = INK if filled else "white"
            if not part.any():
                continue
            dots = axes.plot(
                line["topics"][part], places[part], markerfacecolor=face, zorder=3, **look
            )
            words = [
                f"{row.topics:,} topics, depth {row.depth}: {row.phi:.2f}"
                for row in line[part].itertuples()
            ]
            add_tooltips(dots, plan["measure"], tell="", words=words)
        place = np.searchsorted(DEPTHS, plan["depth"])
        chosen = axes.plot(plan["topics"], place, **look | {"markersize": 11}, zorder=4)
        said = f"the plan, {plan['topics']:,} topics, depth {plan['depth']}: {plan['phi']:.2f}"
        add_tooltips(chosen, plan["measure"], tell="", words=[said])
        axes.set(xscale="log", xlim=(2.8, 1.1 * end), xlabel="topics", ylabel="depth of the pool")
        ticks = [n for n in (3, 10, 30, 100, 300, 1000) if n <= end]
        figures.log_axis(axes, ticks, form=",")
        axes.set_yticks(range(len(DEPTHS)), [str(depth) for depth in DEPTHS])
        axes.set_ylim(-0.4, len(DEPTHS) - 0.6)  # a dot of an end is whole
    return drawing


def _free(lines: Any, topics: pd.Series, places: np.ndarray, end: int) -> list[np.ndarray]:
    """Return of each contour the point furthest from the budget's dots: there its label is read."""
    scale = np.array([np.log(end) / 6, 1])  # a map is about as wide as six steps of depth
    dots = np.column_stack([np.log(topics), places]) / scale
    found = []
    for parts in lines.allsegs:
        path = np.concatenate(parts)
        x, y = path.T
        inner = path[(x < 0.7 * end) & (y > 0.3) & (y < len(DEPTHS) - 1.3)]
        off = np.column_stack([np.log(inner[:, 0]), inner[:, 1]]) / scale
        far = np.linalg.norm(off[:, np.newaxis] - dots, axis=2).min(axis=1)
        found += [inner[far.argmax()]] if len(inner) else []
    return found


def _numbers(told: Told, budget: Budget, line: pd.DataFrame) -> pd.DataFrame:
    """Return what the budget pays at each depth, with its interval over topics."""
    table = {}
    for row in line.itertuples():
        found = expected(told, row.setting, row.topics, systems=budget.systems)
        known = (row.topics, row.judgements, row.phi, found.low, found.high)
        table[f"{row.measure}, depth {row.depth}"] = (*known, "yes" if row.alike else "no")
    columns = ["topics", "documents", "power", "low", "high", "as good as the plan"]
    return pd.DataFrame.from_dict(table, orient="index", columns=columns).rename_axis("setting")
