"""The figures of the chapter, drawn; the paper has none."""

import numpy as np
import pandas as pd

from lib.display import figures
from lib.display.figures import PALETTE, colour, measure_style
from lib.display.prose import between
from lib.display.svg import add_tooltips
from lib.papers.tomlinson2006.effects import in_words, interval
from lib.papers.tomlinson2006.grid import topic_gains
from lib.papers.tomlinson2006.printed import MEASURES
from lib.papers.tomlinson2006.replication import changes

__all__ = ["draw_depths", "draw_finding", "panel"]


def draw_depths(points: pd.DataFrame) -> figures.Figure:
    """Draw the points of :func:`lib.papers.tomlinson2006.depths`, one panel a source.

    Returns
    -------
    lib.display.figures.Figure
    """
    sources = sorted(points["source"].unique(), key=lambda source: source != "paper")
    with figures.style():
        drawing, axes = figures.subplots(
            1, len(sources), width="wide", height=2.8, sharey=True, squeeze=False
        )
        for axis, source in zip(axes[0], sources):
            axis.axhline(0, color="black", linewidth=1, linestyle=":")
            for kind in ("Success@k", "P@k"):
                line = points[(points["source"] == source) & (points["measure"] == kind)]
                drawn = axis.plot(line["k"], line["difference"], label=kind, **measure_style(kind))
                add_tooltips(drawn, kind)
                low, high = line["low"].astype(float), line["high"].astype(float)
                figures.draw_band(axis, line["k"], low, high, colour(kind))
            axis.set(title=source, xscale="log", xlabel="depth k", xticks=[1, 10, 100, 1000])
            axis.set_xticklabels(["1", "10", "100", "1000"])
        axes[0][0].set(ylabel="feedback less base")
        axes[0][0].legend()
    alt = "; ".join(
        f"{source}: {row.measure} {row.difference:+.3f} at depth {row.k}"
        for source in sources
        for row in points[(points["source"] == source) & (points["k"] == 10)].itertuples()
    )
    return figures.Figure(
        drawing,
        alt=f"Differences against depth. {alt}.",
        formats="+.3f",
        caption="Mean change over seven systems in the share of relevant documents among the first "
        "k (P@k), and in the share of topics with at least one among them (Success@k). At k = 1 "
        "they are one measure. Bands: 95% interval over topics, for our systems; the paper prints "
        "none.",
        data=points.pivot_table(
            index="k", columns=["source", "measure"], values="difference", sort=False
        )
        .sort_index()
        .rename_axis(columns=[None, None]),
    )


def draw_finding() -> figures.Figure:
    """Draw the paper's finding as our systems show it: four measures, before and after.

    Returns
    -------
    lib.display.figures.Figure
    """
    labels = {
        "MAP": "average precision",
        "P10": "precision at ten",
        "MRR": "reciprocal rank of the first",
        "GS10": "GS10 of the first",
    }
    found = changes("cf").loc[list(labels)]
    change = found["difference"]
    with figures.style():
        drawing, axes = figures.subplots(height=1.8)
        axes.axvline(0, color="black", linewidth=1)
        bars = axes.barh(
            list(labels.values()),
            change,
            color=list(map(colour, labels.values())),
            xerr=change - found["low"],
            error_kw={"elinewidth": 1.2, "capsize": 3},
        )
        told = found[["difference", "low", "high"]].itertuples(index=False)
        add_tooltips(bars, labels.values(), words=[between(*numbers) for numbers in told])
        axes.invert_yaxis()
        axes.set(xlabel="with blind feedback less without")
    gains = ", ".join(f"{label} {text}" for label, text in in_words(found).items())
    return figures.Figure(
        drawing,
        alt=f"Mean change over seven systems: {gains}.",
        formats="+.3f",
        caption=f"Seven systems of our own on Cystic Fibrosis: blind feedback gains "
        f"{change['MAP']:+.3f} average precision, and the first relevant document loses "
        f"{-change['MRR']:.3f} reciprocal rank. Lines: 95% interval over topics.",
        data=found[["difference", "low", "high"]].rename(index=labels).rename_axis("measure"),
    )


def panel(
    system: str,
    measure: str,
    documents: float = 1,
    terms: float = 1,
    weight: float = 1,
    name: str = "cf",
    losses: int = 3,
) -> figures.Figure:
    """Show whom feedback helps and whom it hurts: a panel of the chapter's control.

    Parameters
    ----------
    system, measure, documents, terms, weight, name
        As for :func:`lib.papers.tomlinson2006.topic_gains`.
    losses : int
        Largest losses to name.

    Returns
    -------
    lib.display.figures.Figure
    """
    gains = topic_gains(system, measure, documents, terms, weight, name)
    shown = _counted(gains, f"{system}, {MEASURES[measure]}")
    helped, hurt, unchanged = shown.iloc[0, :3].astype(int)
    mean = interval(gains[["difference"]])
    alt = (
        f"{helped} topics gain, {hurt} lose, {unchanged} stay; "
        f"mean change {in_words(mean).iloc[0]}, {mean['told'].iloc[0]}."
    )
    return figures.Figure(
        _drawn(gains["difference"], MEASURES[measure]),
        data=shown,
        formats=".3f",
        alt=alt,
        caption=f"{alt} Largest losses: {_largest_losses(gains, losses) or 'none'}.",
    )


def _drawn(difference, measure):
    """Draw each topic's change, the largest gain first."""
    change = difference.sort_values(ascending=False, kind="stable")
    end = 0.5 if change.abs().max() <= 0.5 else 1
    place = np.arange(1, len(change) + 1)
    with figures.style():
        drawing, axes = figures.subplots(height=2.2)
        for number, side in enumerate((change > 0, change < 0)):
            axes.fill_between(place[side], change[side], linewidth=0, color=PALETTE[number])
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set(
            xlabel="topics, from the largest gain to the largest loss",
            ylabel=f"change in {measure}",
            ylim=(-1.1 * end, 1.1 * end),
            xlim=(0, len(change) + 1),
            yticks=[-end, 0, end],
        )
    return drawing


def _largest_losses(gains, number):
    """Name the topics that lose most, with their scores without and with feedback."""
    worst = gains.sort_values("difference", kind="stable").head(number)
    worst = worst[worst["difference"] < 0]
    return "; ".join(
        f"topic {topic} {row.base:.2f} to {row.feedback:.2f}"
        for topic, row in zip(worst.index, worst.itertuples())
    )


def _counted(gains, label):
    """Count the topics that gain and lose, and average their scores: one row."""
    change = gains["difference"]
    return pd.DataFrame(
        {
            "topics helped": [int((change > 0).sum())],
            "hurt": [int((change < 0).sum())],
            "unchanged": [int((change == 0).sum())],
            "mean base": [gains["base"].mean()],
            "mean feedback": [gains["feedback"].mean()],
            "difference": [gains["difference"].mean()],
        },
        index=pd.Index([label], name="system, measure"),
    )
