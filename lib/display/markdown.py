"""Markdown of pages that are generated: the rows of tables, and parts between two comments."""

import re
from collections.abc import Iterable


def row(cells: Iterable[object]) -> str:
    """Return a row of a table.

    >>> row(["AP", 0.5])
    '| AP | 0.5 |'
    """
    return f"| {' | '.join(map(str, cells))} |"


def table_lines(head: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of a table; of the head, which may hold anything, Markdown is escaped.

    >>> table_lines(["a*"], [["b"]])
    ['| a\\\\* |', '| --- |', '| b |']
    """
    names = [*map(escaped, head)]
    return [row(names), row("---" for _ in names), *map(row, rows)]


def escaped(text: str) -> str:
    r"""Escape a text that is none of Markdown or HTML.

    >>> print(escaped("<b>a|b*"))
    &lt;b&gt;a\|b\*
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~$])", r"\\\1", text)


def with_part(text: str, name: str, part: str) -> str:
    """Return a text with the part of a name, between two comment lines, made anew."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not closed:
        raise ValueError(f"the text has no lines {start} and {end}")
    return f"{before}{start}\n\n{part}\n\n{end}{after}"
