"""How the report's notebook shows things: text, tables, figures, a paper, or why there is none."""

import html
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML, display

from lib.collection import Collection, Pairs
from lib.display import tables
from lib.display.explorer import Explorer
from lib.display.prose import estimate
from lib.display.tables import DASH, Folded, Note, Table
from lib.errors import InputError, defused, reason
from lib.paper import Bounds, Paper
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
    say(title, "h3")
    try:
        yield
    except ValueError as error:
        display(Note(f"It cannot be computed here: {reason(error)}."))


def over_topics(collection: Collection) -> Bounds | None:
    """Return what gives cells their 95% intervals over topics; None of fewer than ten topics.

    By the grouped jackknife (:func:`lib.statistics.jackknife.grouped`): a table is computed again
    without each fifth of the topics.  NaN where a value is no number, or is not defined so.
    """
    topics = collection.topics.index
    if len(topics) < LEAST:
        return None
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
    of: Paper, collection: Collection, pairs: Pairs | None, bounds: Bounds | None
) -> pd.DataFrame:
    """Show every table and figure of a paper, or why there is none; return the tables' cells."""
    found = [pd.DataFrame(columns=CELLS, dtype=object)]
    for number in of.tables:
        with or_why_not(f"Table {number}"):
            found.append(_show_table(of, number, collection, pairs, bounds, found))
    for title, drawing in of.drawings.items():
        with or_why_not(title):
            name = re.sub(r"[^a-z0-9]+", "-", f"{of.name}-{title}".lower())
            show(name, drawing(collection, pairs, bounds))
            if bounds and not drawing.bounded:
                say("It shows no estimate from topics: no intervals.")
    return pd.concat(found)


def _show_table(of, number, collection, pairs, bounds, before):
    """Show a table: ours, and folded beneath it its intervals and what the paper printed."""
    table = of.tables[number]
    result = table(collection, pairs)
    if not len(result):
        raise InputError("there is nothing in it for this collection")
    cells = result.assign(paper=of.name, table=number, low=None, high=None)
    for other in before:
        if _numbers(other).equals(_numbers(cells)):
            twin = other["table"].iloc[0]
            say(f"It asks the same of another collection: see Table {twin}.")
            return cells
    theirs = printed(of.name, f"Table {number}")
    beside = tables.table(theirs, missing="", caption="As printed, from the paper's data.")
    hidden = [("What the paper printed for its own data", beside)]
    if bounds:
        cells = bounds(lambda part: table(part, pairs), cells)
        if cells["low"].notna().any():
            hidden.insert(0, ("The same with 95% intervals over topics", _with_bounds(cells)))
    display(folded(_square(result, theirs, f"{table.caption}. From this collection."), hidden))
    if bounds and cells["low"].isna().all():
        say("It is not defined without some of the topics: no intervals.")
    return cells


def _numbers(cells):
    return cells[["row", "value"]].reset_index(drop=True)


def _square(cells, theirs, caption):
    """Return a table's cells as the paper arranges them, to as many digits."""
    digits = {
        column: theirs[column].dropna().str.partition(".")[2].str.len().max() for column in theirs
    }
    error = cells["error"].astype(float).max()
    if error > 0:
        caption += f" Monte-Carlo standard error of a cell: at most {error:.1g}."
    ours = square(cells.assign(value=cells["value"].astype(object).fillna(DASH)))
    formats = {column: f".{digits.get(column, max(digits.values()))}f" for column in ours}
    return tables.table(ours, caption=caption, missing="", formats=formats)


def _with_bounds(cells):
    texts = [
        estimate(float(value), low, high) if low == low else DASH
        for value, low, high in cells[["value", "low", "high"]].to_numpy()
    ]
    return tables.table(
        square(cells.assign(value=texts)),
        missing="",
        caption="From this collection; behind \u00b1 half the 95% interval over topics, by the "
        "grouped jackknife: the table computed again without each fifth of the topics, "
        f"{PARTINGS} partings.",
    )
