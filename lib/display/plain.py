"""Numbers and tables as plain text: on a terminal, and in files that a spreadsheet opens."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def write_csv(table: "pd.DataFrame", file: Any) -> None:
    """Write a table without its index as CSV, to a path or an open file; no cell is a formula."""
    table.map(defused).to_csv(file, index=False, lineterminator="\n")


def defused(value: object) -> object:
    """Return what a spreadsheet would take for a formula as text, by a quotation mark before it.

    >>> [defused(text) for text in ("=1+1", "@x", "-x", "-0.5", "A", 2)]
    ["'=1+1", "'@x", "'-x", '-0.5', 'A', 2]
    """
    formula = r"[=@\t\r]|[+-](?!$|[0-9.]+%?( |$))"
    return f"'{value}" if isinstance(value, str) and re.match(formula, value) else value


def fused(text: str) -> str:
    """Return what stood in a cell before :func:`defused`.

    >>> [fused(text) for text in ("'=1+1", "'x", "A")]
    ['=1+1', "'x", 'A']
    """
    return text[1:] if text[:1] == "'" and defused(text[1:]) == text else text


def digits(value: object) -> str:
    """Write a cell as a terminal shows it.

    >>> digits(0.12345), digits(1e-7), digits(float("nan")), digits(3), digits("A")
    ('0.1235', '1e-07', '-', '3', 'A')
    """
    if not isinstance(value, float):
        return str(value)
    if value != value:
        return "-"
    return f"{value:.0e}" if 0 < abs(value) < 5e-5 else f"{value:.4f}"


def small(p: float) -> str:
    """Write a p value.

    >>> small(0.03), small(1e-9), small(float("nan"))
    ('0.0300', '<0.0001', '-')
    """
    return "<0.0001" if p < 0.0001 else digits(p)


def ranging(numbers: Iterable[float], form: str = ".4f") -> str:
    """Write a number with its interval, low and high, all by a format specification.

    >>> ranging([0.5, 0.4, 0.6]), ranging([0.5, float("nan"), 1.0], "+.2f")
    ('0.5000 (0.4000 to 0.6000)', '+0.50 (-)')
    """
    middle, low, high = numbers
    if middle != middle:
        return "-"
    ends = "-" if low != low else f"{low:{form}} to {high:{form}}"
    return f"{middle:{form}} ({ends})"


def signed(value: float) -> str:
    """Write a difference.

    >>> signed(0.25), signed(0.0)
    ('+0.2500', '+0.0000')
    """
    return f"{value:+.4f}"
