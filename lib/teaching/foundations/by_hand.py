"""One ranked list with its judgements, scored by hand: the example of the foundations."""

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.figures import Figure, colour, style, subplots
from lib.display.svg import add_tooltips
from lib.measures import means

__all__ = ["JUDGED", "MEASURES", "RANKED", "draw_weights", "list_panel", "one_list", "steps"]

RANKED = "a b c d e f g h i j".split()  # documents, best first
JUDGED = {"a": 0, "b": 1, "c": 2, "d": 0, "f": 1, "g": 0, "h": 0, "k": 2}  # k was not found
MOVED = "c"  # the document of grade 2 that the control moves
P = 0.8  # the persistence of RBP
MEASURES = ("P@5", "P@10", "R@10", "AP", "RR", "nDCG", f"RBP(p={P},rel=1)")
WORDS = {0: "not relevant", 1: "relevant", 2: "highly relevant"}
WEIGHTS = 20  # ranks that the figure of weights shows


def one_list(ranked: list[str] | None = None) -> Collection:
    """Return the list and its judgements as a collection of one system and one topic.

    Parameters
    ----------
    ranked : list of str, optional
        Documents in another order, or others.

    Examples
    --------
    >>> one_list()
    Collection('toy': 1 systems, 1 topics, 4 relevant documents, 3 hits)
    """
    return Collection.from_rankings({"A": {"t": ranked or RANKED}}, {"t": JUDGED})


def steps() -> pd.DataFrame:
    """Return the list, a row a rank, with what each measure makes of it.

    Returns
    -------
    DataFrame
        Index rank; columns document, judgement, gain (the grade), relevant so far, precision,
        discount (log2(rank + 1), which divides DCG's gains) and RBP's weight.

    Examples
    --------
    >>> steps().loc[3, ["document", "judgement"]].tolist()
    ['c', 'highly relevant']
    """
    rank = np.arange(1, len(RANKED) + 1)
    grades = np.array([JUDGED.get(document, 0) for document in RANKED])
    found = (grades > 0).cumsum()
    return pd.DataFrame(
        {
            "document": RANKED,
            "judgement": [WORDS[JUDGED[d]] if d in JUDGED else "unjudged" for d in RANKED],
            "gain": grades,
            "relevant so far": found,
            "precision": found / rank,
            "discount": np.log2(rank + 1),
            "RBP's weight": (1 - P) * P ** (rank - 1),
        },
        index=pd.Index(rank, name="rank"),
    )


def draw_weights() -> Figure:
    """Draw what a relevant document adds to each measure by its rank, next to one at rank 1."""
    rank = np.arange(1, WEIGHTS + 1)
    lines = pd.DataFrame(
        {
            "P@10": np.where(rank <= 10, 1.0, 0.0),
            "nDCG": 1 / np.log2(rank + 1),
            "RBP, p = 0.8": 0.8 ** (rank - 1.0),
            "RBP, p = 0.5": 0.5 ** (rank - 1.0),
        },
        index=pd.Index(rank, name="rank"),
    )
    with style():
        drawing, axes = subplots(height=2.9)
        for name in lines:
            look = {"color": colour(name), "linestyle": "--" if name.endswith("0.5") else "-"}
            steps = "steps-mid" if name == "P@10" else "default"
            axes.plot(rank, lines[name], label=name, drawstyle=steps, **look)
        axes.set(xlabel="rank", ylabel="weight, next to rank 1", ylim=(0, 1.05), xlim=(1, WEIGHTS))
        axes.set_xticks([1, 5, 10, 15, 20])
        axes.legend()
    return Figure(
        drawing,
        caption="What a relevant document counts at each rank, if it counts 1 at the first.",
        alt="Four lines over ranks 1 to 20. P@10 is flat to rank 10 and then 0; nDCG falls slowly; "
        "RBP falls fast, the faster the smaller p.",
        data=lines,
    )


def list_panel(place: int, gain: str) -> Figure:
    """Draw the scores of the list when its highly relevant document stands elsewhere.

    Parameters
    ----------
    place : int
        Its rank; 0: it was not found, and x, which nobody has judged, stands in its place.
    gain : {"graded", "binary"}
        Whether nDCG sees the grades, or 1 for each relevant document.

    Returns
    -------
    Figure
        A dot a measure, and a ring where it stood with the list as it was.
    """
    if place:
        ranked = [document for document in RANKED if document != MOVED]
        ranked.insert(place - 1, MOVED)
    else:
        ranked = ["x" if document == MOVED else document for document in RANKED]
    names = {m: m.partition("(")[0] for m in MEASURES}
    if gain == "binary":
        names = {("nDCG(rel=1)" if m == "nDCG" else m): short for m, short in names.items()}
    scores = pd.DataFrame(
        {
            "at first": means(one_list(), names).loc["A"],
            "now": means(one_list(ranked), names).loc["A"],
        }
    ).rename(index=names)
    with style():
        drawing, axes = subplots(height=2.6)
        y = np.arange(len(scores))[::-1]
        for place, row in zip(y, scores.itertuples()):
            color = colour(row.Index)
            axes.plot(row[1:], [place] * 2, color=color, linewidth=1.2)
            ring = axes.plot(row[1], place, "o", mfc="white", mec="black", ms=7)
            add_tooltips(ring, row.Index, tell="", words=[f"{row[1]:.3f} at first"])
            dot = axes.plot(row[2], place, "o", color=color, ms=5)
            add_tooltips(dot, row.Index, tell="", words=[f"{row[2]:.3f} now"])
        axes.set_yticks(y, scores.index)
        axes.set(xlim=(-0.02, 1.02), xlabel="score")
    strip = " ".join(d.upper() if JUDGED.get(d) else d for d in ranked[:10])
    values = ", ".join(f"{name} {value:.2f}" for name, value in scores["now"].items())
    return Figure(
        drawing,
        caption=f"The list is now {strip} (capitals are relevant). Dots: scores now; "
        "rings: scores of the list as it was.",
        alt=f"The scores now: {values}.",
        data=scores.rename_axis("measure"),
    )
