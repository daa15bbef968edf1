"""Numbers in the text of a chapter: a cell computes them, the text names them."""

from collections.abc import Mapping
from typing import Any

from lib.display.tables import minus_signs

__all__ = ["between", "say"]


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


def between(middle: float, low: float, high: float) -> str:
    """Write a number with its interval.

    >>> between(0.01, -0.02, 0.04)
    '+0.010 [−0.020, +0.040]'
    """
    numbers = (f"{number:+.3f}" for number in (middle, low, high))
    middle_text, *ends = map(minus_signs, numbers)
    return f"{middle_text} [{', '.join(ends)}]"
