"""The figures of the study: what is lost outside the pool, what a budget buys, a plan to try."""

import html
from collections.abc import Callable

import numpy as np

from lib.collection import about
from lib.display import figures
from lib.display.colours import PALETTE
from lib.studies.spending.advice import advise
from lib.studies.spending.pilot import Pilot
from lib.studies.spending.planner import Budget
from lib.studies.spending.read import read

__all__ = ["draw_losses", "draw_ways", "panel_of"]

SHOWN = ("P@10", "nDCG@20", "AP", "Bpref", "condensed AP")
INTERVAL = 1.96  # errors on each side of a 95% interval
LINES = {"depth": "-", "move to front": "--", "bandit": ":", "sample": "-."}


def draw_losses(collection: str = "trec8", *, kind: str = "all") -> figures.Figure:
    """Draw how reusable a pool is: the share of its score that a run outside loses, by depth.

    Parameters
    ----------
    collection : {"trec8", "trec-covid"}
    kind : str
        Of run: ``"all"``, or as the collection's table of systems has it.

    Returns
    -------
    lib.display.figures.Figure
    """
    table = read("losses").query("collection == @collection and kind == @kind")
    table = table[table["measure"].isin(SHOWN)]
    title = about(collection)["short_title"]
    depths = sorted(table["depth"].unique())
    with figures.style():
        drawing, axes = figures.subplots(height=3.2)
        axes.axhline(0, color="black", linewidth=1, linestyle=":")
        for i, measure in enumerate(SHOWN):
            line = table[table["measure"] == measure].set_index("depth").loc[depths]
            place = np.arange(len(depths)) + 0.06 * (i - 2)
            reach = INTERVAL * line["error_groups"]
            axes.errorbar(place, line["share"], yerr=reach, marker="o", label=measure)
        axes.set_xticks(np.arange(len(depths)), [str(depth) for depth in depths])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set(xlabel="depth of the pool", ylabel="share of the score lost")
        axes.legend()
    data = table.pivot(index="depth", columns="measure", values="share")[list(SHOWN)]
    ends = data.loc[[depths[0], depths[-1]], "AP"]
    return figures.Figure(
        drawing,
        data=data,
        formats="+.1%",
        alt=f"Lines that fall with the pool's depth: by AP from {ends.iloc[0]:.1%} at depth "
        f"{depths[0]} to {ends.iloc[1]:.1%} at {depths[-1]}. Bpref and condensed AP lie lower.",
        caption=f"{title}, each group left out of the pool in turn ({kind} runs): the share of "
        "their mean score that its runs lose, with 95% intervals over groups. Below 0 they gain.",
    )


def draw_ways(collection: str = "trec8", *, measure: str = "AP") -> figures.Figure:
    """Draw what a budget buys by way of choosing documents, inside the pool and outside.

    Parameters
    ----------
    collection : str
        With its groups, ``"trec8"`` or ``"trec-covid"``, where the outside is to be seen.
    measure : {"AP", "nDCG@20", "P@10"}
        On what was judged; of the random sample, inferred AP stands for AP.

    Returns
    -------
    lib.display.figures.Figure
    """
    table = read("ways").query("collection == @collection")
    table = table[table["topics"] == table["topics"].max()]
    inferred = (table["way"] == "sample") & (measure == "AP")
    table = table[table["measure"] == np.where(inferred, "infAP", measure)]
    title, topics = about(collection)["short_title"], int(table["topics"].iloc[0])
    outside = table["outside"].notna().any()
    columns = ("inside", "outside") if outside else ("phi",)
    with figures.style():
        drawing, panels = figures.subplots(1, len(columns), width="wide", height=3.1)
        for axes, column in zip(np.atleast_1d(panels), columns):
            for i, way in enumerate(LINES):
                line = table[table["way"] == way]
                style = {"linestyle": LINES[way], "color": PALETTE[i], "marker": "o"}
                axes.plot(line["judgements"], line[column], label=way, **style)
            axes.set(xscale="log", xlabel="judgements", ylabel=f"predictive power, {column}")
            axes.set_ylim(table[list(columns)].min(axis=None) - 0.03, None)
        np.atleast_1d(panels)[-1].legend(loc="lower right")
    data = table.pivot(index="judgements", columns="way", values=columns[-1])[list(LINES)]
    first = data.iloc[0]
    return figures.Figure(
        drawing,
        data=data,
        formats=".2f",
        alt="Rising lines that meet at the right; at the left "
        + ", ".join(f"{way} is at {value:.2f}" for way, value in first.items())
        + ".",
        caption=f"{title}, {topics} topics: what so many judgements say, by {measure}, of the "
        "order of the systems by AP and all judgements on other topics, when they are chosen in "
        f"four ways{'. Left: systems that fed the pool; right: outside' if outside else ''}.",
    )


def panel_of(pilot: Pilot) -> Callable[..., str]:
    """Return the planner as a panel of a control.

    Parameters
    ----------
    pilot : Pilot

    Returns
    -------
    callable
        From judgements, systems and topic_cost to text: see
        :func:`lib.studies.spending.advice.advise`.
    """

    def panel(judgements: int, systems: int, topic_cost: int) -> str:
        budget = Budget(judgements=judgements, systems=systems, topic=topic_cost)
        made = advise(pilot, budget, number=40)
        return _paragraphs(made.text)

    return panel


def _paragraphs(text: str) -> str:
    """Return the lines of an advice as HTML; those that are set in make a list."""
    parts: list[str] = []
    for line in html.escape(text, quote=False).splitlines():
        if not line.startswith("  "):
            parts.append(f"<p>{line}</p>")
        elif parts[-1].endswith("</ul>"):
            parts[-1] = parts[-1].removesuffix("</ul>") + f"<li>{line.strip()}</li></ul>"
        else:
            parts.append(f"<ul><li>{line.strip()}</li></ul>")
    return "\n".join(parts)
