"""Was your run in the pool?  The figures of that chapter, and its control."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from chapters.data_tables import read
from chapters.left_out.pooled import TOY, TOY_DEPTH, TOY_RELEVANT, score_left_out, toy
from chapters.left_out.tables import DEPTH, by_run, by_unjudged, loss
from lib.collection import Collection
from lib.display import figures
from lib.display.controls import Choice
from lib.display.explorer import Explorer, explore
from lib.display.figures import INK, REFERENCE, colour, measure_style
from lib.display.svg import add_tooltips
from lib.measures import means
from lib.paths import short_title

_MEASURES = ("AP", "P@10")
_SIDES = ("with its group", "without")
_NAMED = 4  # runs that fall furthest are named
_COLOURED = 15  # manual runs that are coloured, at most
_KINDS = {  # who is left out, and how its line looks
    "TREC-8, manual": ("trec8", "manual", "-"),
    "TREC-COVID, all": ("trec-covid", "all", "--"),
    "TREC-8, automatic": ("trec8", "automatic", ":"),
}


def places(collection: Collection) -> pd.DataFrame:
    """Return each run's score and place with its group in the pool and without it.

    If the contributors are not known, all runs count as contributors.

    By measure, depth and run: type, group; inside, outside: mean scores; place inside, place
    outside: 1 for the best.
    """
    contributed = (collection.systems["pooled"] == "yes").any()
    scored = dict(zip(_MEASURES, _MEASURES))
    tables = {
        (one.measure, one.depth): pd.DataFrame(
            {
                "type": collection.systems["type"].fillna(""),
                "group": collection.systems["group"],
                "inside": one.inside.mean(),
                "outside": one.outside.mean(),
                "place inside": one.rank_inside,
                "place outside": one.rank_outside,
            }
        ).loc[one.inside.columns]
        for one in score_left_out(collection, scored=scored, simulated=not contributed)
    }
    return pd.concat(tables, names=["measure", "depth", "run"]).sort_index()


def falls(table: pd.DataFrame) -> pd.DataFrame:
    """Sort the runs of one measure and depth by how far they fall, the furthest first."""
    fall = table["place outside"] - table["place inside"]
    order = fall.sort_values(ascending=False, kind="stable").index
    return table.assign(fall=fall).loc[order]


def scene(table: pd.DataFrame) -> str:
    """Return the name of the run that was placed best among the five that fall furthest."""
    return str(falls(table).head(5)["place inside"].idxmin())


def draw_fall(
    run: str, measure: str, depth: int, *, table: pd.DataFrame, data: Collection
) -> figures.Figure:
    """Draw the place of each run with its group in the pool and without; one of them is marked."""
    moved, systems = falls(table.loc[(measure, depth)]), len(data.systems)
    ends = moved[["place inside", "place outside"]].astype(int)
    manual = moved.index[moved["type"] == "manual"]  # the furthest first
    apart = ends[moved.index.isin(manual[:_COLOURED]) | (moved.index == run)]
    coloured = "manual runs"
    if len(manual) > _COLOURED:
        coloured = f"the {_COLOURED} manual runs that fall furthest"
    with figures.subplots(height=3.4) as (drawing, axes):
        rest, others = ends.drop(apart.index), apart.drop(run)
        figures.draw_pieces(axes, _sides(rest), rest, color=INK, linewidth=0.4)
        for some, size, width in (others, 3, 1.2), (ends.loc[[run]], 5, 3.0):
            look: dict[str, Any] = {"color": colour(measure)}
            figures.draw_pieces(axes, _sides(some), some, linewidth=width, **look)
            dots = axes.plot(np.ravel(_sides(some)), np.ravel(some), "s", markersize=size, **look)
            places = some.rename(columns=dict(zip(some, _SIDES))).stack()
            places_of = [f"place {place} {side}" for (_, side), place in places.items()]
            add_tooltips(dots, places.index.get_level_values(0), tell="", words=places_of)
        taken: list[int] = []
        for one in [run, *moved.index[:_NAMED]]:
            y = ends.loc[one, "place outside"]
            if all(abs(y - other) >= systems / 20 for other in taken):  # no name on another
                name = axes.annotate(one, (1, y), (7, 0), va="center", textcoords="offset points")
                name.set_in_layout(False)  # so that no name moves the axes of a setting
                taken.append(y)
        axes.set_xticks([0, 1], [f"{_SIDES[0]} in the pool", _SIDES[1]])
        axes.set(xlim=(-0.15, 1.45), ylim=(systems + 2, -1), ylabel="place")
        axes.set_yticks([1, *range(20, systems, 20)])
    before, after = ends.loc[run]
    way = "falls" if after > before else "rises"
    moved_to = f"{way} from place {before} to {after}"
    words = moved_to if after != before else f"stays in place {after}"
    lost = 1 - moved.loc[run, "outside"] / moved.loc[run, "inside"]
    return figures.Figure(
        drawing,
        data=apart,
        alt=f"A line a run. {run} {words}; the furthest fall: {moved['fall'].iloc[0]:.0f} places.",
        caption=f"{run} {words}, and {(moved['fall'] <= 2).mean():.0%} of the runs fall two places "
        f"or fewer. It loses {lost:.1%} of its {measure}. Place by mean {measure} among {systems} "
        f"systems of {data.title}: left with its group in the pool of depth {depth}, right "
        f"without. Coloured: {coloured}.",
    )


def _sides(table: pd.DataFrame) -> np.ndarray:
    """Return for each row where its two places stand."""
    return np.tile([0, 1], (len(table), 1))


def control(table: pd.DataFrame, collection: Collection) -> Explorer:
    """Return the control of the chapter: one run, a measure and a depth of the pool.

    On a page it has the run of the opening, another of its group, the best placed of its kind by
    other groups, and the best placed of another kind; in a running notebook all.
    """
    moved = falls(table.loc[("AP", DEPTH)])
    first = moved.loc[scene(moved)]
    mates = moved["group"] == first["group"]
    kind = moved["type"] == first["type"]
    best = moved.sort_values("place inside", kind="stable").index
    parts = mates & (moved.index != first.name), kind & ~mates, ~kind
    shown = [first.name, *(run for part in parts for run in best[part[best]][:1])]
    depths = sorted(table.index.unique("depth"))
    return explore(
        partial(draw_fall, table=table, data=collection),
        id="left-out",
        title="Leave a group out",
        controls={
            "run": Choice("run", [*shown, *moved.index.drop(shown)]),
            "measure": Choice("measure", list(_MEASURES)),
            "depth": Choice("pool depth", depths, default=DEPTH, slider=True),
        },
        static={"run": shown, "measure": list(_MEASURES), "depth": depths},
        caption="How deep must the pool be before a run keeps its place?",
    )


def draw_by_hand() -> figures.Figure:
    """Draw the lists of the worked example with C's group in the pool and without it."""
    sides = dict(zip(("C's group in the pool", "C's group left out"), ([*"ABC"], [*"AB"])))
    example = toy()
    by_side = {side: means(example.pooled(TOY_DEPTH, by=by), ["AP"]) for side, by in sides.items()}
    data = pd.DataFrame({side: table["AP"] for side, table in by_side.items()})
    with figures.panels([*sides], height=2.7) as (drawing, both):
        for axes, (side, by) in zip(both, sides.items()):
            judged = {document for run in by for document in TOY[run].split()[:TOY_DEPTH]}
            for x, run in enumerate(TOY):
                for y, document in enumerate(TOY[run].split()):
                    _box(axes, x, y, document, document in judged)
                label = f"{run}\nAP {data.loc[run, side]:.3f}"
                axes.text(x, len(TOY) + 1.2, label, ha="center", va="center")
            axes.set(xlim=(-0.6, 2.6), ylim=(4.8, -0.6), yticks=range(4), yticklabels="1234")
            axes.set(xticks=[], ylabel="rank" if axes is both[0] else "")
            axes.tick_params(length=0)
            axes.grid(False)
    before, after = (data[side].rank(ascending=False)["C"] for side in sides)
    words = {1: "first", 2: "second", 3: "last"}
    return figures.Figure(
        drawing,
        data=data,
        formats=".3f",
        alt="Lists of A, B and C. Without C's group d3, first in C's list, is unjudged.",
        caption=f"d3 leaves the pool, and C falls from {words[before]} to {words[after]}. Three "
        f"lists, judged from a pool of depth {TOY_DEPTH}. Thick: relevant as far as is known; "
        "dotted: unjudged.",
    )


def _box(axes: Any, x: int, y: int, document: str, judged: bool) -> None:
    """Draw a document of a list: thick where it is known to be relevant, dotted if unjudged."""
    known = judged and document in TOY_RELEVANT
    look = {"color": colour("AP"), "linewidth": 2.4} if known else {"color": INK, "linewidth": 0.8}
    across = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    down = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]])
    line = "-" if judged else ":"
    figures.draw_pieces(axes, x + 0.36 * across, y + 0.36 * down, linestyle=line, **look)
    axes.text(x, y, document, ha="center", va="center")


def draw_five() -> figures.Figure:
    """Draw what left-out runs of five collections lose of AP and of P@10, at depth 10."""
    table = read("spending", "losses")
    table = table.query("kind == 'all' and depth == @DEPTH and measure in @_MEASURES")
    table = table.assign(title=table["collection"].map(short_title))
    order = table[table["measure"] == "AP"].sort_values("share", ascending=False)["title"].tolist()
    with figures.subplots(height=2.6) as (drawing, axes):
        axes.axvline(0, **REFERENCE)
        for _, row in table.iterrows():
            lost = loss(row)
            ends = (lost.estimate, lost.low, lost.high)
            look = measure_style(row["measure"]) | {"linewidth": 1.4}
            look |= {"markerfacecolor": "white"} if row["simulated"] else {}
            place = order.index(row["title"]) + 0.16 * (1 if row["measure"] == "P@10" else -1)
            figures.draw_row(axes, place, f"{row['title']}, {row['measure']}", ends, **look)
        figures.label_rows(axes, order)
        axes.set_xlabel("share of the mean score lost")
        _percent(axes.xaxis)
        looks = {name: measure_style(name) | {"linestyle": "none"} for name in _MEASURES}
        marks = [Line2D([], [], label=name, **look) for name, look in looks.items()]
        axes.legend(handles=marks, loc="lower right")
    data = table.pivot(index="title", columns="measure", values="share").loc[order]
    losing = (data["P@10"] > data["AP"]).sum()
    return figures.Figure(
        drawing,
        data=data.rename_axis("collection"),
        formats=".1%",
        alt=f"A row a collection; all {len(table)} dots lie right of 0.",
        caption=f"On {losing} of {len(order)} collections left-out runs lose more of P@10 than "
        f"of AP. Share of the mean score lost outside a pool of depth {DEPTH}, with 95% intervals "
        "over groups; hollow: simulated pools.",
    )


def _percent(axis: Any) -> None:
    axis.set_major_formatter(lambda value, _: f"{value:.0%}")


def draw_kinds() -> figures.Figure:
    """Draw what runs of some kinds lose by AP outside the pool, by its depth."""
    table = read("spending", "losses").query("measure == 'AP'").set_index(["collection", "kind"])
    lines = {title: table.loc[(name, kind)] for title, (name, kind, _) in _KINDS.items()}
    with figures.subplots(height=3.0) as (drawing, axes):
        for i, (name, line) in enumerate(lines.items()):
            x = np.arange(len(line)) + 0.08 * (i - 1)
            y, lost = line["share"], loss(line)
            words = [f"± {reach:.3f}" for reach in lost.high - lost.estimate]
            axes.vlines(x, lost.low, lost.high, color=colour("AP"), linewidth=1)
            look = measure_style("AP") | {"linestyle": _KINDS[name][-1]}
            figures.draw_line(axes, x, y, name, tell="y", words=words, **look)
        axes.axhline(0, **REFERENCE)
        axes.set_xticks(np.arange(len(line)), [str(depth) for depth in line["depth"]])
        axes.set(xlabel="depth of the pool", ylabel="share of AP lost")
        _percent(axes.yaxis)
        figures.label_lines(axes)
    data = pd.DataFrame({name: line.set_index("depth")["share"] for name, line in lines.items()})
    form = "{}: {:.1%} at depth 5, {:.1%} at depth 100".format
    ends = "; ".join(form(title, *column.iloc[[0, -1]]) for title, column in data.items())
    claim = "The deeper the pool, the less left-out runs lose"
    if not (data.diff().dropna() < 0).all(axis=None):
        claim = "A deeper pool need not mean a smaller loss"
    return figures.Figure(
        drawing,
        data=data,
        formats=".1%",
        alt=f"Three lines over the depth of the pool. {ends}.",
        caption=f"{claim}. Share of AP that runs lose without their group in the pool, for pools "
        f"of depth {data.index[0]} to {data.index[-1]}, with 95% intervals over groups.",
    )


def draw_losses() -> figures.Figure:
    """Draw what each run loses outside the pool beside what it can know: its unjudged share."""
    table = by_run()
    titles = list(table["title"].unique())
    kinds: dict[str, dict[str, Any]] = {
        "automatic, or with feedback": {"marker": "o", "markerfacecolor": "white"},
        "manual": {"marker": "s"},
    }
    look: dict[str, Any] = {"color": colour("AP"), "linestyle": "none", "markersize": 4.5}
    shown = figures.panels(titles, height=3.1, sharex=True, ylabel="share of AP lost")
    with shown as (drawing, both):
        for axes, title in zip(both, titles):
            for manual, (kind, shape) in enumerate(kinds.items()):
                part = table[(table["title"] == title) & (table["manual"] == bool(manual))]
                x, y = part["unjudged"], part["lost"]
                dots = axes.plot(x, y, label=kind, zorder=3, **look, **shape)
                words = part["type"] + part["place outside"].map(", place {}".format)
                add_tooltips(dots, part["run"], words=words)
            axes.set_xlabel("share of unjudged documents to rank 10")
            _percent(axes.xaxis)
            _percent(axes.yaxis)
        both[0].legend(loc="upper left")
    data = by_unjudged()
    medians = data["AP, median"].unstack("collection")
    claim = "The more of its first ten documents are unjudged, the more the median run loses"
    if not (medians.diff().dropna() > 0).all(axis=None):
        claim = "More unjudged documents among the first ten need not mean a larger loss"
    few, many = (
        [f"{lost:.1%} on {of}" for of, lost in medians.iloc[end].items()] for end in (0, -1)
    )
    return figures.Figure(
        drawing,
        data=data,
        formats=dict.fromkeys(data.columns[1:], ".1%"),
        alt=f"A dot a run. With few unjudged documents the median run loses {' and '.join(few)} "
        f"of its AP, with many {' and '.join(many)}.",
        caption=f"{claim}. Each dot is a run, scored from a pool of depth {DEPTH} without its "
        "group.",
    )
