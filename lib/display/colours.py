"""The colours of the book's figures: one a family of measures, everywhere.

Each has a contrast of 3 at least with white and with the dark theme's ground. So their lightness is
much the same, and who sees few hues may take one for another: each family has a marker as well, and
lines have their names at their ends.
"""

import re
from typing import Any

__all__ = ["INK", "PALETTE", "colour", "look"]

INK = "black"  # becomes the colour of the text; says nothing of a measure

# The pattern that a family's names begin with, its colour and its marker.
FAMILIES = {
    r"(a|inf)?AP\b|MAP|average precision": ("#0173b2", "o"),
    r"P(@|\b|\d)|precision": ("#d55e00", "s"),
    r"[aen]*DCG": ("#029e73", "^"),
    r"M?RR\b|reciprocal rank": ("#c870b7", "D"),
    r"RBP": ("#8a5bd6", "v"),
    r"Bpref": ("#8a8a8a", "<"),
    r"R-?prec": ("#a87d00", ">"),
    r"Success|GS10": ("#b5305f", "h"),
}

# For what is no measure: the same hues, one after another.
PALETTE = [color for color, _ in FAMILIES.values()]


def look(measure: str) -> dict[str, Any]:
    """Return a measure's colour and marker, as matplotlib's ``plot`` takes them.

    Parameters
    ----------
    measure : str
        Its name, or words that begin with it.

    Returns
    -------
    dict
        A measure of no known family is drawn in ink.

    Examples
    --------
    >>> look("nDCG@20 of itself")
    {'color': '#029e73', 'marker': '^'}
    >>> look("judged@10")
    {'color': 'black', 'marker': 'o'}
    """
    found = (kind for pattern, kind in FAMILIES.items() if re.match(pattern, measure))
    color, marker = next(found, (INK, "o"))
    return {"color": color, "marker": marker}


def colour(measure: str) -> str:
    """Return a measure's colour.

    >>> colour("aAP") == colour("MAP") == colour("AP(rel=2)")
    True
    """
    return str(look(measure)["color"])
