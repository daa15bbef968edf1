"""Discriminative power over pool and evaluation depths, drawn: Figures 3 and 4."""

from collections.abc import Iterable, Sequence

import pandas as pd
from matplotlib.axes import Axes

from lib.display import figures
from lib.display.figures import INK, PALETTE
from lib.display.svg import add_tooltips
from lib.papers.webber2010.depth import FORMS

__all__ = ["draw_figure3", "draw_figure4", "draw_full", "draw_grid", "mark_depths"]

BARS = (
    " Bars: 95% intervals over topics under full assessment; among the numbers, all have half of "
    "theirs beneath them."
)


def draw_grid(
    table: pd.DataFrame, *, names: Sequence[str], columns: int, caption: str
) -> figures.Figure:
    """Draw panels of discriminative power against evaluation depth: Figures 3 and 4.

    Parameters
    ----------
    table : DataFrame
        From :func:`lib.papers.webber2010.depth.grid`; with columns low and high where the
        intervals over topics are known.
    names : sequence of str
        Measures, a panel each, row by row.
    columns : int
        Panels in a row.
    caption : str

    Returns
    -------
    lib.display.figures.Figure
        One line a pool depth, the thicker the deeper; crosses mark full assessment, with bars for
        intervals.
    """
    bounded = "low" in table
    curves = _curves(table, names, "power")
    pools = sorted(table["pool"].unique())
    full = [d for d in pools if d in curves.columns]
    rows = -(-len(names) // columns)
    with figures.style():
        drawing, axes = figures.subplots(
            rows,
            columns,
            width="wide",
            height=0.4 + 2.1 * rows,
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for one, name in zip(axes.flat, names):
            for rank, pool in enumerate(pools, start=1):
                one.plot(
                    curves.columns,
                    curves.loc[(name, pool)],
                    color=INK,
                    linewidth=0.4 + 1.8 * rank / len(pools),
                    label=f"pool {pool}",
                )
            draw_full(one, pd.Series({d: curves.loc[(name, d), d] for d in full}))
            if bounded:
                _draw_bars(one, table[table["measure"] == name])
            one.set(title=name)
            mark_depths(one, curves.columns)
        for one in axes[-1]:
            one.set_xlabel("evaluation depth")
        for one in axes[:, 0]:
            one.set_ylabel("power")
        drawing.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figures.Figure(
        drawing,
        data=_with_reach(table, names, curves) if bounded else curves,
        formats=".3f",
        caption=caption + BARS * bounded,
        alt="Panels of discriminative power against evaluation depth, a line a pool depth. "
        + "; ".join(
            f"{n}: full assessment from {curves.loc[(n, full[0]), full[0]]:.3f} at depth "
            f"{full[0]} to {curves.loc[(n, full[-1]), full[-1]]:.3f} at {full[-1]}"
            for n in names
        )
        + ".",
    )


def _draw_bars(axes, table):
    """Draw the intervals of the powers of a measure where pool and evaluation are equally deep."""
    full = table[table["pool"] == table["depth"]]
    axes.vlines(full["depth"], full["low"], full["high"], color=PALETTE[1], linewidth=1)


def _curves(table, names, values):
    """Return a column of a grid as (measure, pool) x depths."""
    return table.pivot(index=["measure", "pool"], columns="depth", values=values).loc[list(names)]


def _with_reach(table, names, curves):
    """Put half of each number's interval beneath it."""
    reach = (_curves(table, names, "high") - _curves(table, names, "low")) / 2
    both = pd.concat({"power": curves, "\u00b1": reach}, names=[""])
    order = [(kind, *key) for key in curves.index for kind in ("power", "\u00b1")]
    return both.loc[order].reorder_levels([1, 2, 0])


def draw_figure3(table: pd.DataFrame) -> figures.Figure:
    """Draw Figure 3 from :func:`lib.papers.webber2010.depth.figure3`."""
    return draw_grid(
        table,
        names=["AP", "aAP", "enDCG", "nDCG"],
        columns=2,
        caption="Discriminative power of AP (top) and nDCG (bottom), with expanded (left) and "
        "abbreviated (right) normalization, against evaluation depth.",
    )


def draw_figure4(table: pd.DataFrame) -> figures.Figure:
    """Draw Figure 4 from :func:`lib.papers.webber2010.depth.figure4`."""
    return draw_grid(
        table,
        names=list(FORMS),
        columns=3,
        caption="Discriminative power against evaluation depth: rows precision/recall, DCG, AP, "
        "RBP; columns raw, normalized, standardized.",
    )


def draw_full(axes: Axes, power: pd.Series) -> None:
    """Draw discriminative power where pool and evaluation are equally deep.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    power : Series, index depth
    """
    crosses = axes.plot(power.index, power, "x-", color=PALETTE[1], label="full assessment")
    words = [f"depth {depth}, {value:.3f}" for depth, value in power.items()]
    add_tooltips(crosses, "full assessment", tell="", words=words)


def mark_depths(axes: Axes, depths: Iterable[int]) -> None:
    """Make the horizontal axis one of depths, with a mark at each.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    depths : sequence of int
    """
    axes.set_xscale("log")
    axes.set_xticks(list(depths), [str(k) for k in depths], rotation=90)
    axes.minorticks_off()
