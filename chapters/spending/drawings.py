"""The figures of the chapter on spending judgements, and the panel of its control."""

import warnings
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgba

from chapters.data_tables import read
from chapters.elsewhere.sources import sources
from chapters.ledger.published import in_words
from chapters.spending import again, planner
from chapters.spending.pilot import (
    AIMS,
    PILOT_DEPTHS,
    PILOT_SPLITS,
    PILOTS,
    Forecast,
    cached_forecast,
    check_size,
)
from chapters.spending.pilot import pilot as make_pilot
from chapters.spending.planner import Budget
from chapters.spending.tables import BASELINES, coverage, gain_interval, gains, keyed
from lib.collection import Collection
from lib.decisions import above
from lib.display import figures
from lib.display.figures import INK, PALE, REFERENCE, colour, measure_style
from lib.display.prose import enumeration
from lib.display.svg import add_tooltips
from lib.errors import InputError, InputWarning
from lib.intervals import ENDS, minus_signs
from lib.paths import short_title

_COMPARED = ("AP", "nDCG@20", "P@10")
_TOPICS = 50  # what tracks have, as a rule
_PARTS = {0.25: "a quarter", 0.5: "a half", 1.0: "all of it"}
_TRIES = ("", ", low", ", high")  # ends of columns: the mean of the tries, and 95% of them
_ROW = 0.21  # inches


def draw_needs() -> figures.Figure:
    """Draw how many topics a comparison needs, among good systems and among all."""
    titles = {source.name: source.title for source in sources()}
    table = read("spending", "needs").query("measure in @_COMPARED")
    table = table.assign(title=table["source"].map(titles))
    rows = [title for title in titles.values() if title in set(table["title"])]
    columns = {"needed": "the best 75% by AP", "needed_every": "all systems"}
    height = _ROW * len(rows) + 0.95
    with figures.panels([*columns.values()], height=height, sharex=True) as (drawing, both):
        for axes, column in zip(both, columns):
            axes.axvline(_TOPICS, **REFERENCE)
            for measure in _COMPARED:
                part = table[table["measure"] == measure]
                places = [rows.index(row) for row in part["title"]]
                tooltip: dict[str, Any] = {"tell": "x", "words": part["title"]}
                figures.draw_line(axes, part[column], places, measure, linestyle="none", **tooltip)
            axes.set_xlabel("topics needed")
            figures.log_axis(axes, (10, 30, 100, 300), form=",")
        figures.label_rows(both[0], rows)
        drawing.set_figwidth(6.9)  # one panel and its labels fit a phone
        drawing.legend(*both[1].get_legend_handles_labels(), loc="outside upper right", ncols=3)
    data = table.pivot(index="title", columns="measure", values=list(columns))
    data = data.loc[rows].rename(columns=columns).rename_axis("collection")
    middle = table.groupby("measure")[list(columns)].median()
    by_ap = table[table["measure"] == "AP"]
    enough = in_words(int((by_ap["needed"] <= _TOPICS).sum()))
    return figures.Figure(
        drawing,
        data=data,
        formats=",.0f",
        alt="Medians over the collections, left and right: "
        + ", ".join(f"{m} {row.iloc[0]:.0f} and {row.iloc[1]:.0f}" for m, row in middle.iterrows())
        + ".",
        caption=f"Among the better systems {_TOPICS} topics suffice for AP on {enough} of "
        f"{len(by_ap)} sets of topics. Topics for a difference of one standard deviation between "
        f"systems, statistical power 80%, median pair. Dotted: {_TOPICS} topics.",
    )


def draw_placed() -> figures.Figure:
    """Draw how well systems are placed by pools of each depth, in the pool and later, by AP."""
    rows = keyed("ways").xs(("depth", "AP"), level=["way", "measure"]).dropna(subset="outside")
    names = ("trec8", "trec-covid")
    sides = {"inside": ("in the pool", "-"), "outside": ("later", "--")}
    titles = [f"{short_title(name)}, {rows.loc[name, 'topics'].iloc[0]} topics" for name in names]
    with figures.panels(titles, height=2.7, ylabel="how well placed") as (drawing, both):
        for axes, name in zip(both, names):
            part = rows.loc[name]
            for side, (who, dash) in sides.items():
                x = np.arange(len(part))
                look = measure_style("AP") | {"linestyle": dash}
                figures.draw_line(axes, x, part[side], who, tell="y", **look)
            axes.set_xticks(x, part.index.map(str))
            axes.set_xlabel("depth of the pool")
            figures.label_lines(axes)
    data = rows.loc[[*names], list(sides)].rename(columns={k: who for k, (who, _) in sides.items()})
    first = data.loc[names[0]]
    shallow, deep = (first.iloc[0], first.loc[20])
    return figures.Figure(
        drawing,
        data=data.rename(short_title, level="collection"),
        formats=".2f",
        alt=f"Two lines a collection. TREC-8: at depth 1 {shallow.iloc[0]:.2f} in the pool and "
        f"{shallow.iloc[1]:.2f} later, at depth 20 {deep.iloc[0]:.2f} and {deep.iloc[1]:.2f}.",
        caption="A shallow pool flatters the systems in it, and at depth 20 little of that "
        "remains. Pairs that put a system in the right order minus those in the wrong one, by AP: "
        "with its group in the pool, and where it comes later.",
    )


def draw_again() -> figures.Figure:
    """Draw what as much again buys, on other topics or deeper down, collection by collection."""
    table = again.table_of_spent()
    rows = list(table.index)
    with figures.subplots(height=2.4) as (drawing, axes):
        axes.set_xlabel("predictive power, AP for AP")
        ends = {again.ACROSS: measure_style("AP"), again.DOWN: measure_style("P@10")}
        for place, (name, row) in enumerate(table.iterrows()):
            for end, look in ends.items():
                axes.plot([row[again.START], row[end]], [place] * 2, color=PALE, linewidth=1)
                dot = axes.plot([row[end]], [place], **look, linestyle="none", markersize=7)
                add_tooltips(dot, f"{name}, {end}", tell="x")
            look = {"marker": "o", "linestyle": "none", "markersize": 6, "color": INK}
            dot = axes.plot([row[again.START]], [place], markerfacecolor="white", **look)
            add_tooltips(dot, f"{name}, {again.START}", tell="x")
        figures.label_rows(axes, rows)
        for end in ends:
            last = table.iloc[0]
            axes.annotate(end, (last[end], 0), (0, 8), textcoords="offset points", ha="center")
    ahead = int((table[again.ACROSS] > table[again.DOWN]).sum())
    return figures.Figure(
        drawing,
        data=table[[again.START, again.ACROSS, again.DOWN]],
        formats=".2f",
        alt=f"Two dots a collection, right of a hollow one: across is ahead on {ahead}.",
        caption=f"On {in_words(ahead)} of {in_words(len(table))} collections the second half of "
        "the money does more across than down. Hollow: ten topics, five deep (8 on DL 2019); "
        "circle: twice as many topics; square: ten deep.",
    )


def draw_ways(depth: int = 5) -> figures.Figure:
    """Draw what each way of choosing documents gains over the pool of a depth at its cost."""
    every = gains(depth)
    names = list(every.index.unique("way"))
    rows = list(every.index.unique("collection"))
    shown = figures.panels(names, height=2.4, sharex=True, xlabel="gain in predictive power")
    with shown as (drawing, four):
        for axes, way in zip(four, names):
            table = gain_interval(every.xs(way, level="way").loc[rows]).to_frame()[ENDS]
            look = {"color": colour("AP")}
            figures.draw_rows(axes, table.set_axis([*map(short_title, rows)]), repeat(look), at=0)
    data = every["gain"].unstack("way")[names].loc[rows].rename(short_title)
    sure = every["gain"][above(0).decides(gain_interval(every))].rename(short_title, level=0)
    (worst_on, worst), (best_on, best) = sure.idxmin(), sure.idxmax()
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt=f"Gains from {data.min().min():+.2f} to {data.max().max():+.2f}.",
        caption=f"Choosing documents cleverly helps on {best_on} ({best}), and hurts on {worst_on} "
        f"({worst}). Gain over the pool of depth {depth} at its "
        "cost, with 95% intervals over topics.",
    )


def draw_promises() -> figures.Figure:
    """Draw what plans promised and what was seen, by collection and by what was held out."""
    every = coverage().xs("all", level="order of")
    titles = {"topics": "other topics", "topics and groups": "other topics and groups"}
    rows = list(every.index.unique("collection"))
    names = [*titles.values()]
    shown = figures.panels(names, height=2.6, sharex=True, xlabel="predictive power")
    with shown as (drawing, both):
        for axes, held in zip(both, titles):
            part = every.xs(held, level="held out").loc[rows]
            for place, (name, row) in enumerate(part.iterrows()):
                reach = [row["promised"] - row["reach"], row["promised"] + row["reach"]]
                axes.plot(reach, [place] * 2, color=INK, linewidth=0.6)
                axes.plot([row["promised"], row["seen"]], [place] * 2, color=colour("AP"), lw=2.4)
                words = "promised {promised:.2f}, seen {seen:.2f}, covered {covered:.0%}".format(
                    **row
                )
                look: dict[str, Any] = {"linestyle": "none", "color": colour("AP"), "markersize": 6}
                for value, face in (("promised", "white"), ("seen", colour("AP"))):
                    dot = axes.plot([row[value]], [place], marker="o", markerfacecolor=face, **look)
                    add_tooltips(dot, f"{name}, {value}", tell="", words=[words])
            figures.label_rows(axes, rows)
    over = (every["promised"] - every["seen"]).groupby("held out").agg(["idxmax", "max"])
    worst = over.loc["topics and groups"]
    name = worst["idxmax"][0]  # of collection and what was held out
    off = every.loc[worst["idxmax"]]
    return figures.Figure(
        drawing,
        data=every,
        formats={"promised": ".2f", "seen": ".2f", "covered": ".0%", "reach": ".2f"},
        alt=f"Arrows from promised to seen. The longest: {name}, {off['promised']:.2f} to "
        f"{off['seen']:.2f}.",
        caption=f"{name} was promised {off['promised']:.2f} for other topics and groups, and "
        f"showed {off['seen']:.2f}. From promised (hollow) to seen (filled); thin: the mean reach "
        "of the 95% interval.",
    )


def draw_back_test() -> figures.Figure:
    """Draw what plans gain over the baselines at equal cost: a row a collection, a dot a budget."""
    table = read("spending", "backtest").query("topic_cost == 0 and held != 'topics'")
    table = table.reset_index(drop=True).assign(title=table["collection"].map(short_title).array)
    rows = list(table["title"].unique())
    titles = [f"over {baseline}" for baseline in BASELINES]
    xlabel = "gain in predictive power"
    with figures.panels(titles, height=2.9, sharex=True, xlabel=xlabel) as (drawing, three):
        for axes, baseline in zip(three, BASELINES):
            axes.axvline(0, **REFERENCE)
            for row in table.to_dict("records"):
                place, ends = rows.index(row["title"]), [row[baseline + end] for end in _TRIES]
                name = f"{row['title']}, {_PARTS[row['share']]}"
                # The smaller the budget the larger its dot; the smallest has its interval.
                small = row["share"] == min(_PARTS)
                look = measure_style(baseline) | {"linewidth": 0.8 * small}
                size = 2.5 / row["share"] ** 0.75
                figures.draw_row(axes, place, name, ends, words=_gain, markersize=size, **look)
            for place, part in enumerate(table.groupby("title", sort=False)[baseline]):
                axes.plot([part[1].min(), part[1].max()], [place] * 2, color=look["color"])
            figures.label_rows(axes, rows)
    cases = [f"{row.title}, {_PARTS[row.share]}" for row in table.itertuples()]
    data = table[list(BASELINES)].set_axis(pd.Index(cases, name="collection and budget"))
    worst, best = data.stack().idxmin(), data.stack().idxmax()
    won = (data > 0).sum()
    return figures.Figure(
        drawing,
        data=data,
        formats="+.3f",
        alt=f"The largest gain is {data.loc[best]:+.2f}, over {best[1]} ({best[0]}), the smallest "
        f"{data.loc[worst]:+.2f}, over {worst[1]} ({worst[0]}).",
        caption=f"For the same money plans beat P@10 in {won['P@10']} of {len(data)} cases, and "
        f"AP in {won['AP of depth 10']}. Gain on held-out topics and groups, mean of "
        f"{table['tries'].min()} tries. Large: a quarter of the depth-10 price, with 95% of the "
        "tries; middle: a half; small: all of it.",
    )


def _gain(gain: float, low: float, high: float) -> str:
    return minus_signs(f"gain {gain:+.3f}, 95% of the tries {low:+.2f} to {high:+.2f}")


# Not DL 2019, whose topics are too few for a pilot, as the back-test shows.
ON_PAGE = ["trec8", "trec-covid", "dl21"]
STEPS = [1000, 2000, 5000, 10_000, 20_000, 50_000]  # judgements
POOL_SYSTEMS = {"all": None, "10": 10, "20": 20, "40": 40}
_WIDTH = 3.9  # inches: a phone shows all of it
_LEVELS = np.arange(0.1, 1, 0.1)
_MOST = 530  # topics that the largest pilot of the book can pay: all its maps have one axis


def pilots(*own: Collection) -> dict[str, Callable[..., Forecast]]:
    """Return how each pilot makes its forecast, for an aim, a top and a way, as `panel` takes it.

    The book's are read from its tables; of other collections they are computed, once a setting,
    also where one has the name of a collection of the book.  One that is too small is told, and
    left out.

    Examples
    --------
    >>> pilots()["dl21"]("P@10").pilot.title
    'DL 2021'
    """

    def computed(
        collection: Collection, aim: str = "AP", top: int | None = None, way: str = "depth"
    ) -> pd.DataFrame:
        return make_pilot(collection, aim=aim, top=top, way=way).forecast(number=PILOT_SPLITS)

    made: dict[str, Callable[..., Forecast]] = {k: partial(cached_forecast, k) for k in PILOTS}
    for one in own:
        if one.name in PILOTS and one.is_package(one.name):
            continue
        try:
            check_size(one)
        except InputError as error:
            warnings.warn(f"{error}; those of the book are shown", InputWarning, stacklevel=2)
        else:
            made[one.name] = cache(partial(computed, one))
    return made


def panel(
    forecasts: Mapping[str, Callable[..., Forecast]],
    pilot: str,
    judgements: float,
    aim: str,
    systems: int | None,
    topic: float,
    rank: float,
    way: str,
) -> figures.Figure:
    """Show a plan on the map of its pilot: a panel of the chapter's control."""
    budget = Budget(judgements=judgements, topic=topic, rank=rank, systems=systems)
    return draw_map(forecasts[pilot](*AIMS[aim], way), budget)


def _by_depth(forecast: Forecast, budget: Budget) -> tuple[pd.Series, pd.DataFrame, str]:
    """Return the plan, what its measure promises at each depth, and a sentence on them."""
    every = planner.beside_plan(forecast, budget)
    plan = every.iloc[0]
    line = every[every["measure"] == plan["measure"]].sort_values("depth")
    alike, depths = line["depth"][line["alike"]].tolist(), line["depth"].tolist()
    if len(alike) == 1:
        found = f"a pool of depth {alike[0]} is expected to be better than all others"
    elif alike == depths:
        found = "no depth of the pool can be told apart from the best"
    elif alike == depths[: len(alike)]:
        found = f"no plan down to depth {alike[-1]} can be told apart from the best"
    else:
        named = enumeration(map(str, alike))
        found = f"plans of depth {named} cannot be told apart from the best"
    return plan, line, f"On {forecast.pilot.title} {found}."


def draw_map(forecast: Forecast, budget: Budget) -> figures.Figure:
    """Draw expected agreement by topics and depth, the budget's line, and the plan on it."""
    plan, line, title = _by_depth(forecast, budget)
    asked = int(plan["setting"]), int(plan["topics"])
    promised = planner.expected(forecast, *asked, systems=budget.systems)
    pilot = forecast.pilot
    pool = planner.chosen(pilot, plan["depth"])
    agreement = "agreement (tau-b) with the order"
    if pilot.top:
        agreement = f"share found of the top {pilot.top}"
    caption = (
        f"{title} The large dot is the plan for {pilot.title}: "
        f"{plan['topics']:,} topics {pool}, compared by {plan['measure']}, "
        f"with {pilot.promises} {planner.ends(promised)}. Line: what the budget pays, dashed where "
        f"not so many topics were tried. "
        f"Shades and lines: {agreement} by {pilot.aim} on {(pilot.topics + 1) // 2} other topics."
    )
    return figures.Figure(
        _drawn(forecast, budget, line, plan),
        data=_numbers(forecast, budget, line),
        formats={"topics": ",d", "documents": ",d", "power": ".2f", "low": ".2f", "high": ".2f"},
        alt=f"A map of agreement by topics and depth. The plan: {plan['topics']:,} "
        f"topics, depth {plan['depth']}, {plan['phi']:.2f}.",
        caption=caption,
    )


def _drawn(forecast: Forecast, budget: Budget, line: pd.DataFrame, plan: pd.Series) -> Any:
    """Draw the map by the plan's measure, and the settings that the budget pays."""
    settings = forecast.pilot.settings
    at = np.flatnonzero(settings["measure"] == plan["measure"])
    depths = settings["depth"].to_numpy()[at]
    end = planner.FAR * forecast.pilot.topics
    topics = np.geomspace(planner.SHORTEST_PLAN, end, 16)
    height = np.array([forecast.promise(n, systems=budget.systems)[at] for n in topics]).T
    shades = [to_rgba(colour(plan["measure"]), 0.06 * step) for step in range(1, len(_LEVELS) + 1)]
    rows = np.searchsorted(PILOT_DEPTHS, depths)
    places = np.searchsorted(PILOT_DEPTHS, line["depth"])
    with figures.subplots(height=3.0) as (drawing, axes):
        drawing.set_size_inches(_WIDTH, 3.0)
        crossed = [one for one in _LEVELS if height.min() < one < height.max()]
        if len(rows) > 1 and crossed:
            axes.contourf(topics, rows, height, levels=[*_LEVELS, 1], colors=shades)
            lines = axes.contour(topics, rows, height, levels=crossed, colors=INK, linewidths=0.3)
            free = _free(lines, line["topics"], places, end)
            axes.clabel(lines, fmt="%.1f", fontsize=9.5, manual=free)
        least, *_, most = forecast.pilot.sizes()
        tried = line["topics"].between(least, most).to_numpy()
        axes.plot(line["topics"], places, color=INK, linewidth=1.2, linestyle="--")
        axes.plot(line["topics"][tried], places[tried], color=INK, linewidth=2.4)
        look = {"color": INK, "linestyle": "none", "marker": "o", "markersize": 5}
        for filled in (True, False):
            part = (line["alike"] == filled).to_numpy()
            face = INK if filled else "white"
            if not part.any():
                continue
            dots = axes.plot(
                line["topics"][part], places[part], markerfacecolor=face, zorder=3, **look
            )
            words = line[part].apply(
                "{topics:,} topics, depth {depth}: {phi:.2f}".format_map, axis=1
            )
            add_tooltips(dots, plan["measure"], tell="", words=words)
        place = np.searchsorted(PILOT_DEPTHS, plan["depth"])
        chosen = axes.plot(plan["topics"], place, **look | {"markersize": 11}, zorder=4)
        label = f"the plan, {plan['topics']:,} topics, depth {plan['depth']}: {plan['phi']:.2f}"
        add_tooltips(chosen, plan["measure"], tell="", words=[label])
        axes.set(xscale="log", xlabel="topics", ylabel="depth of the pool")
        axes.grid(visible=False)
        ticks = [n for n in (3, 10, 30, 100, 300, 1000) if n <= end]
        figures.log_axis(axes, ticks, form=",")
        axes.set_yticks(range(len(PILOT_DEPTHS)), [str(depth) for depth in PILOT_DEPTHS])
        # A dot of an end is whole.
        axes.set_xlim(planner.SHORTEST_PLAN / 1.15, 1.15 * max(end, _MOST))
        axes.set_ylim(-0.4, len(PILOT_DEPTHS) - 0.6)
    return drawing


def _free(lines: Any, topics: pd.Series, places: np.ndarray, end: int) -> list[np.ndarray]:
    """Return of each contour the point furthest from dots and other labels: there its own is read.

    The dots are the budget's.
    """
    scale = np.array([np.log(end) / 6, 1])  # a map is about as wide as six steps of depth
    dots = np.column_stack([np.log(topics), places]) / scale
    points = []
    for parts in lines.allsegs:
        path = np.concatenate(parts)
        x, y = path.T
        inner = path[(x < 0.7 * end) & (y > 0.3) & (y < len(PILOT_DEPTHS) - 1.3)]
        off = np.column_stack([np.log(inner[:, 0]), inner[:, 1]]) / scale
        far = np.linalg.norm(off[:, np.newaxis] - dots, axis=2).min(axis=1)
        if len(inner):
            points.append(inner[far.argmax()])
            dots = np.vstack([dots, off[far.argmax()]])
    return points


def _numbers(forecast: Forecast, budget: Budget, line: pd.DataFrame) -> pd.DataFrame:
    """Return what the budget pays at each depth, with its interval over topics."""
    table = {}
    for row in line.itertuples():
        promised = planner.expected(forecast, row.setting, row.topics, systems=budget.systems)
        known = (row.topics, row.judgements, row.phi, promised.low, promised.high)
        table[f"{row.measure}, depth {row.depth}"] = (*known, "no" if row.alike else "yes")
    columns = ["topics", "documents", "power", "low", "high", "told apart from the plan"]
    return pd.DataFrame.from_dict(table, orient="index", columns=columns).rename_axis("setting")
