"""How the report's notebook shows things: text, tables, figures, a paper, or why there is none."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML, display

from lib.collection import Collection, Pairs
from lib.display import tables
from lib.display.explorer import Explorer
from lib.display.prose import estimate
from lib.display.tables import Folded, Note, Table
from lib.errors import InputError, defused, reason
from lib.paper import Paper
from lib.published import printed, square
from lib.statistics.jackknife import grouped, groups

ROWS = 10  # of a table in view; more are folded beneath
LEAST = 10  # topics for intervals of the papers' tables: with fewer, fifths have one or none
GROUPS, PARTINGS, SEED = 5, 2, 2012  # fifths of the topics, parted twice: ten computations
CELLS = ["paper", "table", "row", "column", "value", "error", "low", "high"]


def say(text: str, tag: str = "p") -> None:
    """Show a paragraph, or another element of HTML."""
    display(HTML(f"<{tag}>{html.escape(text)}</{tag}>"))


def listed(lines: Iterable[str]) -> None:
    """Show a list."""
    items = "".join(f"<li>{html.escape(line)}</li>\n" for line in lines)
    display(HTML(f"<ul>\n{items}</ul>"))


def show(name: str, item: Any) -> None:
    """Show a table, a figure or a control; the numbers of the first two go to ``name.csv`` too."""
    if isinstance(item, Explorer):
        item.panel()  # before anything is shown: it may have to be refused
        display(item)
        return
    display(folded(item) if isinstance(item, Table) else item)
    shown = (item if isinstance(item, Table) else item.data).shown
    shown = shown.rename_axis([label or "" for label in shown.index.names]).reset_index()
    if shown.columns.nlevels > 1:
        shown.columns = [" ".join(filter(None, labels)) for labels in shown.columns]
    save(f"{name}.csv", shown.replace({tables.MINUS: "-", "\u00a0": " "}, regex=True))


def save(file: str, frame: pd.DataFrame) -> None:
    """Write a table as CSV, and name the file."""
    frame.map(defused).to_csv(file, index=False, lineterminator="\n")
    display(HTML(f'<p class="csv"><a href="{file}">{file}</a></p>'))


def folded(table: Table) -> Table | Folded:
    """Fold a table after ten rows."""
    if (rest := len(table.shown) - ROWS) < 2:
        return table
    shown = tables.table(table.shown.head(ROWS), caption=table.caption)
    more = tables.table(table.shown.iloc[ROWS:], caption="")
    return Folded(shown, [(f"{rest:,} more rows", more)])


@contextmanager
def or_why_not(title: str) -> Iterator[None]:
    """Show a heading and what is beneath it, or in a sentence why there is nothing."""
    say(title, "h3")
    try:
        yield
    except ValueError as error:
        display(Note(f"It cannot be computed here: {reason(error)}."))


def over_topics(collection: Collection) -> Callable:
    """Return what gives cells their 95% intervals over topics, of which there are ten or more.

    By the grouped jackknife (:func:`lib.statistics.jackknife.grouped`): a table is computed again
    without each fifth of the topics.  NaN where a value is no number, or is not defined so.
    """
    topics = collection.topics.index
    rng = np.random.default_rng(SEED)
    parts = [
        [collection.select(topics=topics.delete(group)) for group in parting]
        for parting in groups(len(topics), number=GROUPS, times=PARTINGS, rng=rng)
    ]

    def bounds(compute, cells):
        keys = cells[["row", "column"]]
        alone = keys["column"].iloc[0] if keys["column"].nunique() == 1 else None

        def values(found):
            if alone is not None:  # it may be named after the collection, and a part otherwise
                found = found.assign(column=alone)
            found = keys.merge(found, on=["row", "column"], how="left")["value"]
            return pd.to_numeric(found, errors="coerce").to_numpy(float)

        try:
            replicates = [[values(compute(part)) for part in parting] for parting in parts]
        except InputError:
            return cells.assign(low=np.nan, high=np.nan)
        found = grouped(values(cells), replicates, topics=len(topics))
        return cells.assign(low=found.low, high=found.high)

    return bounds


def show_paper(
    of: Paper, collection: Collection, pairs: Pairs | None, bounds: Callable
) -> pd.DataFrame:
    """Show every table and figure of a paper, or why there is none; return the tables' cells."""
    found = [pd.DataFrame(columns=CELLS, dtype=object)]
    for number, table in of.tables.items():
        with or_why_not(f"Table {number}"):
            cells = table(collection, pairs)
            if not len(cells):
                raise InputError("there is nothing in it for this collection")
            cells = bounds(partial(table, pairs=pairs), cells)
            display(folded(_square(cells, of.name, number, table.caption)))
            found.append(cells.assign(paper=of.name, table=number))
    for title, drawing in of.drawings.items():
        with or_why_not(title):
            name = re.sub(r"[^a-z0-9]+", "-", f"{of.name}-{title}".lower())
            show(name, drawing(collection))
    return pd.concat(found)


def _square(cells, paper, number, caption):
    """Return a table's cells as the paper arranges them, to as many digits, with intervals."""
    theirs = printed(paper, f"Table {number}")
    digits = theirs.apply(lambda column: column.str.partition(".")[2].str.len().max())
    texts = [
        estimate(row.value, row.low, row.high, digits=int(digits.get(row.column, digits.max())))
        for row in cells.assign(value=cells["value"].astype(float)).itertuples()
    ]
    caption += ". From this collection"
    if cells["low"].notna().any():
        caption += (
            "; behind \u00b1 half the 95% interval over topics, by the grouped jackknife: the "
            f"table computed again without each fifth of the topics, {PARTINGS} partings"
        )
    else:
        caption += ", without intervals: it is not defined without some of the topics"
    if (error := cells["error"].astype(float).max()) > 0:
        caption += f". Monte-Carlo standard error of a cell: at most {error:.1g}"
    return tables.table(square(cells.assign(value=texts)), caption=f"{caption}.", missing="")
