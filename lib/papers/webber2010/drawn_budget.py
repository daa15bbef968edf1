"""What judgements buy, drawn: few topics judged deeply against many judged shallowly."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.display import figures
from lib.display.figures import INK
from lib.display.svg import add_tooltips
from lib.statistics.incomplete import best_buys

__all__ = ["draw_budget"]


def draw_budget(table: pd.DataFrame, *, measures: Sequence[str] = ("AP", "P@10")) -> figures.Figure:
    """Draw predictivity against judgements: a line a pool depth, from few topics to many.

    Parameters
    ----------
    table : DataFrame
        From :func:`lib.statistics.incomplete.budget`.
    measures : sequence of str
        A panel each.

    Returns
    -------
    lib.display.figures.Figure
    """
    with figures.style():
        drawing, axes = figures.subplots(1, len(measures), width="wide", height=3.4, sharey=True)
        panels = np.atleast_1d(axes)
        for one, measure in zip(panels, measures):
            pools = table[table["measure"] == measure].groupby("pool")
            for rank, (pool, line) in enumerate(pools, start=1):
                size: dict = {"lw": 0.4 + 1.8 * rank / len(pools), "ms": 3 + 0.6 * rank}
                x, y, label = line["judgements"], line["phi"], f"pool {pool}"
                drawn = one.plot(x, y, "o-", color=INK, label=label, **size)
                add_tooltips(drawn, [f"pool {pool}, {topics} topics" for topics in line["topics"]])
            one.set(xscale="log", xlabel="judgements", title=measure)
        panels[0].set_ylabel("predictive power (mean tau)")
        drawing.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    data = table.pivot(index=["topics", "pool", "judgements"], columns="measure", values="phi")
    best = best_buys(table).iloc[-1]
    return figures.Figure(
        drawing,
        data=data,
        formats=".3f",
        alt="Lines that rise with judgements; shallow pools lie highest at equal cost. The best "
        f"is {best['measure']} on {best['topics']} topics with a pool of depth {best['pool']}, "
        f"{best['phi']:.3f}.",
        caption="How well some topics, judged from shallow pools, predict the ranking of systems "
        f"on other topics. Points of a line: {_listed(table['topics'])} topics; the thicker a line "
        "the deeper its pool.",
    )


def _listed(numbers):
    *first, last = map(str, sorted(set(numbers)))
    return f"{', '.join(first)} and {last}" if first else last
