"""How a report is shown in its notebook: text, tables, figures, or why there is none."""

import html
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
from IPython.display import HTML, display

from lib.display import figures, tables
from lib.display.explorer import Explorer
from lib.display.tables import Folded, Table
from lib.errors import reason

ROWS = 10  # of a table in view; more are folded beneath
NO_BREAK = "\u00a0"


def title(text: str) -> None:
    """Show the title of the report."""
    display(HTML(f"<h1>{html.escape(text)}</h1>"))


def say(text: str) -> None:
    """Show a paragraph."""
    display(HTML(f"<p>{html.escape(text)}</p>"))


def listed(lines: Iterable[str]) -> None:
    """Show a list."""
    items = "".join(f"<li>{html.escape(line)}</li>\n" for line in lines)
    display(HTML(f"<ul>\n{items}</ul>"))


def show(name: str, items: Any) -> None:
    """Show a table, figure or control, or a list of them; numbers go to ``name.csv`` too."""
    items = list(items) if isinstance(items, (list, tuple)) else [items]
    for number, item in enumerate(items, start=1):
        if isinstance(item, Explorer):
            item.panel()  # before anything is shown: it may have to be refused
        display(folded(item) if isinstance(item, Table) else _html(item))
        table = item.data if isinstance(item, figures.Figure) else item
        if isinstance(table, Table):
            stem = re.sub(r"[^a-z0-9]+", "-", name.lower())
            file = f"{stem}-{number}.csv" if len(items) > 1 else f"{stem}.csv"
            save(file, _labelled(table.shown))


def _html(item):
    return HTML(item) if isinstance(item, str) else item


def save(file: str, frame: pd.DataFrame) -> None:
    """Write a table as CSV, and name the file."""
    frame.to_csv(file, index=False, lineterminator="\n")
    display(HTML(f'<p class="csv"><a href="{file}">{file}</a></p>'))


def _labelled(shown):
    """Return the cells of a table with its labels as columns, as CSV can hold them."""
    found = shown.rename_axis([name or "" for name in shown.index.names]).reset_index()
    found.columns = [
        " ".join(filter(None, name)) if isinstance(name, tuple) else str(name)
        for name in found.columns
    ]
    return found.replace({tables.MINUS: "-", NO_BREAK: " "}, regex=True)


def folded(table: Table, hidden: Iterable[tuple[str, Table]] = ()) -> Table | Folded:
    """Fold a table after ten rows, and more tables beneath it."""
    hidden = list(hidden)
    if (rest := len(table.shown) - ROWS) > 1:
        shown = table.shown
        table = tables.table(shown.head(ROWS), caption=table.caption)
        hidden.insert(0, (f"{rest:,} more rows", tables.table(shown.iloc[ROWS:], caption="")))
    return Folded(table, hidden) if hidden else table


@contextmanager
def or_why_not(title: str) -> Iterator[None]:
    """Show a heading and what is beneath it, or in a sentence why there is nothing."""
    display(HTML(f"<h3>{html.escape(title)}</h3>"))
    try:
        yield
    except ValueError as error:
        text = html.escape(f"It cannot be computed here: {reason(error)}.")
        display(HTML(f'<p class="missing">{text}</p>'))
