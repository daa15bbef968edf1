"""Numbers in the text of a chapter: a cell computes them, the text names them."""

from collections.abc import Mapping
from typing import Any

__all__ = ["say"]


def say(numbers: Mapping[str, Any]) -> None:
    """Give values the names under which the text of a chapter shows them.

    Parameters
    ----------
    numbers : dict of str to object
        Name to what is shown, as a rule a string: ``{glue:text}`name``` in the text.
    """
    from myst_nb import glue

    for name, value in numbers.items():
        glue(name, value, display=False)
