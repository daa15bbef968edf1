"""Rankings of systems: Kendall's tau by hand, and what a tau of .9 leaves open."""

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.figures import PALETTE, Figure, style, subplots
from lib.measures import best, means
from lib.statistics.correlation import kendall

__all__ = ["FIVE", "TIED", "agreement", "draw_orders", "draw_top", "pairs"]

# Mean scores of five systems by two measures; with the third, B and C tie.
FIVE = pd.DataFrame(
    {"one": [0.50, 0.40, 0.30, 0.20, 0.10], "other": [0.60, 0.30, 0.50, 0.10, 0.20]},
    index=pd.Index(list("ABCDE"), name="system"),
)
TIED = FIVE.assign(other=[0.60, 0.50, 0.50, 0.10, 0.20])
TOP = 10  # systems that the figure shows
BEST = 20  # systems of which the top is taken


def pairs(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each pair of systems, and whether two columns of scores agree on its order.

    Parameters
    ----------
    scores : DataFrame (systems x 2)

    Returns
    -------
    DataFrame
        Index pair; columns the system that each puts ahead ("tie" for neither), and verdict:
        agree, disagree or tie.

    Examples
    --------
    >>> pairs(FIVE)["verdict"].value_counts().to_dict()
    {'agree': 8, 'disagree': 2}
    """
    rows = {}
    for i, first in enumerate(scores.index):
        for second in scores.index[i + 1 :]:
            signs = np.sign(scores.loc[first] - scores.loc[second])
            ahead = [{1: first, -1: second}.get(int(sign), "tie") for sign in signs]
            verdict = "tie" if "tie" in ahead else "agree" if ahead[0] == ahead[1] else "disagree"
            rows[f"{first} {second}"] = (*ahead, verdict)
    columns = [f"ahead by {name}" for name in scores.columns]
    return pd.DataFrame(rows, index=[*columns, "verdict"]).T.rename_axis("pair")


def agreement(collection: Collection, one: str = "AP", other: str = "nDCG") -> dict[str, object]:
    """Return how far two measures agree on a collection: on all systems, and on the best.

    Returns
    -------
    dict
        tau (tau-b of all systems), pairs, disagree (pairs in opposite order), top (tau-b of the
        20 best by the one), first (the best system by the one) and place (its place by the other).

    Examples
    --------
    >>> from lib import load
    >>> found = agreement(load("trec8"))
    >>> round(found["tau"], 3), found["disagree"], found["first"], found["place"]
    (0.91, 370, 'READWARE2', 5)
    """
    table = means(collection, [one, other])
    signs = [np.sign(np.subtract.outer(v, v)) for v in table.to_numpy().T]
    order = best(table[one], 1.0)
    top = table.loc[order[:BEST]]
    return {
        "tau": kendall(table[one], table[other], variant="b"),
        "pairs": len(table) * (len(table) - 1) // 2,
        "disagree": int((signs[0] * signs[1] < 0).sum()) // 2,
        "top": kendall(top[one], top[other], variant="b"),
        "first": order[0],
        "place": best(table[other], 1.0).index(order[0]) + 1,
    }


def draw_orders(scores: pd.DataFrame = FIVE) -> Figure:
    """Draw two orders of a few systems, a line a system: lines that cross are pairs in conflict."""
    places = scores.rank(ascending=False)
    return _slopes(
        places,
        caption="Two orders of five systems. Each crossing of two lines is a pair on which the "
        "orders disagree.",
    )


def draw_top(collection: Collection, one: str = "AP", other: str = "nDCG") -> Figure:
    """Draw the places of the ten best systems by one measure, and by another."""
    table = means(collection, [one, other])
    places = table.rank(ascending=False, method="first").loc[best(table[one], 1.0)[:TOP]]
    return _slopes(
        places,
        caption=f"{collection.title}: the {TOP} best systems by {one}, and their places by "
        f"{other} among all.",
    )


def _slopes(places, caption):
    """Draw a line a row from its place in the one column to that in the other."""
    one, other = places.columns
    with style():
        drawing, axes = subplots(height=0.9 + 0.2 * len(places))
        for i, (system, row) in enumerate(places.iterrows()):
            color = PALETTE[i % len(PALETTE)]
            axes.plot([0, 1], row, "o-", color=color, ms=4, linewidth=1.4)
            axes.annotate(
                system,
                (0, row.iloc[0]),
                (-8, 0),
                ha="right",
                va="center",
                textcoords="offset points",
            )
            axes.annotate(
                f"{row.iloc[1]:g}",
                (1, row.iloc[1]),
                (8, 0),
                ha="left",
                va="center",
                textcoords="offset points",
            )
        axes.set_xticks([0, 1], [f"by {one}", f"by {other}"])
        axes.set(xlim=(-0.7, 1.2), ylim=(places.to_numpy().max() + 0.6, 0.4))
        axes.yaxis.set_visible(False)
        axes.spines["left"].set_visible(False)
        axes.grid(False)
    moved = ", ".join(f"{s} {row.iloc[0]:g} to {row.iloc[1]:g}" for s, row in places.iterrows())
    return Figure(drawing, caption=caption, alt=f"Places: {moved}.", data=places, formats=".0f")
