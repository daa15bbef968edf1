"""Numbers and tables as plain text: on a terminal, and in files that a spreadsheet opens."""

import csv
import re
from collections.abc import Iterable, Mapping
from typing import Any


def names_and_rows(table: Any) -> tuple[list[str], list[tuple]]:
    """Return the columns' names and the rows of a frame, or of lists by names; a gap is None.

    >>> names_and_rows({"a": [1, 2], "b": ["x", "y"]})
    (['a', 'b'], [(1, 'x'), (2, 'y')])
    """
    if isinstance(table, Mapping):
        columns = list(table.values())
    else:
        columns = [of.astype(object).where(of.notna(), None).tolist() for _, of in table.items()]
    return list(map(str, table)), list(zip(*columns))


def write_csv(table: Any, file: Any) -> None:
    """Write a frame without its index, or lists by names, as CSV; no cell is a formula.

    The file is open, or a path.
    """
    if not hasattr(file, "write"):
        with open(file, "w", encoding="utf-8", newline="") as opened:
            write_csv(table, opened)
        return
    names, rows = names_and_rows(table)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(map(defused, row) for row in rows)


def defused(value: object) -> object:
    """Return what a spreadsheet would take for a formula as text, by a quotation mark before it.

    >>> [defused(text) for text in ("=1+1", "@x", "-x", "-0.5", "A", 2)]
    ["'=1+1", "'@x", "'-x", '-0.5', 'A', 2]
    """
    formula = r"'*([=@\t\r]|[+-](?!$|[0-9.]+%?( |$)))"  # marked twice, so that one mark comes off
    return f"'{value}" if isinstance(value, str) and re.match(formula, value) else value


def fused(text: str) -> str:
    """Return what stood in a cell before :func:`defused`.

    >>> [fused(text) for text in ("'=1+1", "''=1+1", "'x", "A")]
    ['=1+1', "'=1+1", "'x", 'A']
    """
    return text[1:] if text[:1] == "'" and defused(text[1:]) == text else text


def digits(value: object) -> str:
    """Write a cell as a terminal shows it.

    >>> digits(0.12345), digits(1e-7), digits(float("nan")), digits(3), digits("A")
    ('0.1235', '1e-07', '-', '3', 'A')
    """
    if value is None or value != value:
        return "-"
    if not isinstance(value, float):
        return str(value)
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
