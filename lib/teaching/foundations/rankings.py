"""Rankings of systems: Kendall's tau by hand, and what a tau of .9 leaves open."""

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.figures import PALETTE, Figure, style, subplots
from lib.display.svg import add_tooltips
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
        tau (tau-b of all systems), pairs, disagree (pairs in opposite order); top, top pairs and
        top disagree, the same of the 20 best by the one; first (the best by the one) and place (its
        place by the other); of the 10 best by the one fallen, which falls most by the other, from
        where and to where.

    Examples
    --------
    >>> from lib import load
    >>> found = agreement(load("trec8"))
    >>> round(found["tau"], 3), found["disagree"], found["first"], found["place"]
    (0.91, 370, 'READWARE2', 5)
    """
    table = means(collection, [one, other])
    order, by_other = (best(table[name], 1.0) for name in (one, other))
    places = pd.Series({run: by_other.index(run) + 1 for run in order})
    top = table.loc[order[:BEST]]
    falls = places[:TOP] - np.arange(1, len(places[:TOP]) + 1)
    fallen = str(falls.idxmax())
    return {
        "tau": kendall(table[one], table[other], variant="b"),
        "pairs": len(table) * (len(table) - 1) // 2,
        "disagree": _conflicts(table),
        "top": kendall(top[one], top[other], variant="b"),
        "top pairs": len(top) * (len(top) - 1) // 2,
        "top disagree": _conflicts(top),
        "first": order[0],
        "place": int(places.iloc[0]),
        "fallen": fallen,
        "from": order.index(fallen) + 1,
        "to": int(places[fallen]),
    }


def _conflicts(table):
    """Count the pairs of rows that two columns put in opposite orders."""
    one, other = (np.sign(np.subtract.outer(v, v)) for v in table.to_numpy().T)
    return int((one * other < 0).sum()) // 2


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
        caption=f"{collection.title}: the {TOP} best systems by {one}, their order by {other}, "
        "and their places by it among all.",
    )


def _slopes(places, caption):
    """Draw a line a row from its order by the one column to that by the other, with the places."""
    one, other = places.columns
    at = places.rank(method="first")
    with style():
        drawing, axes = subplots(height=0.9 + 0.22 * len(places))
        for i, (system, row) in enumerate(places.iterrows()):
            ends = at.loc[system]
            shade = PALETTE[i % len(PALETTE)]
            line = axes.plot([0, 1], ends, "o-", color=shade, ms=4, linewidth=1.4)
            add_tooltips(
                line, system, tell="", words=[f"place {p:g} by {m}" for m, p in row.items()]
            )
            labels = [(system, -8, "right"), (f"{row[other]:g}", 8, "left")]
            for x, (y, (text, shift, side)) in enumerate(zip(ends, labels)):
                axes.annotate(
                    text, (x, y), (shift, 0), ha=side, va="center", textcoords="offset points"
                )
        axes.set_xticks([0, 1], [f"by {one}", f"by {other}"])
        axes.set(xlim=(-0.7, 1.2), ylim=(len(places) + 0.6, 0.4))
        axes.yaxis.set_visible(False)
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.grid(False)
    moved = ", ".join(f"{s} {row.iloc[0]:g} to {row.iloc[1]:g}" for s, row in places.iterrows())
    return Figure(drawing, caption=caption, alt=f"Places: {moved}.", data=places, formats=".0f")
