"""The tables and figures of the papers, each from the collection or with the reason why not."""

from collections.abc import Sequence

import pandas as pd

from lib.collection import Collection, Pairs
from lib.display import tables
from lib.errors import InputError
from lib.paper import Paper
from lib.published import printed, square
from lib.reporting.intervals import OverTopics, with_bounds
from lib.reporting.sheet import Sheet

__all__ = ["EMPTY", "write_place"]

EMPTY = pd.DataFrame(
    columns=["paper", "table", "row", "column", "value", "error", "low", "high"], dtype=object
)


def write_place(
    sheet: Sheet,
    of: Paper,
    title: str,
    collection: Collection,
    *,
    pairs: Pairs | None,
    over: OverTopics | None,
    before: Sequence[pd.DataFrame],
) -> pd.DataFrame | None:
    """Write a table or figure of a paper, or why there is none.

    Parameters
    ----------
    sheet : Sheet
    of : Paper
    title : str
        Such as "Table 1" or "Figure 1".
    collection : Collection
    pairs : list of (str, str, str) or None
    over : OverTopics or None
        What computes intervals; None: the collection has too few topics.
    before : sequence of DataFrame
        What this function returned for the places before.

    Returns
    -------
    DataFrame or None
        The cells of a table with their intervals; none of a figure, which has its numbers beneath
        it; None where the place is not defined on the collection.
    """
    number = title.removeprefix("Table ")
    if number not in of.tables:
        return _figure(sheet, of, title, collection, pairs, over)
    table = of.tables[number]
    try:
        result = table(collection, pairs)
        cells = result.assign(paper=of.name, table=number, low=None, high=None)[list(EMPTY)]
        if twin := _twin(before, cells):
            sheet.say(of.name, f"{title} asks the same of another collection: see {twin}.")
            return cells
        ours, theirs = _tables(result, of, number)
        if over:
            cells = over.bounds(lambda part: table(part, pairs), cells)
    except InputError as error:
        sheet.lacks(of.name, title, error)
        return None
    name = f"{of.name}-{title}"
    sheet.head(of.name, title)
    sheet.show(of.name, name, ours)
    if over:
        if wide := with_bounds(cells):
            line = "The same with 95% intervals over topics"
            sheet.fold(of.name, line, wide, name=f"{name}-intervals")
        else:
            sheet.say(of.name, "It is not defined without some of the topics: no intervals.")
    sheet.fold(of.name, "What the paper printed for its own data", theirs)
    return cells


def _figure(sheet, of, title, collection, pairs, over):
    """Write a figure, with intervals where it shows estimates and there are topics enough."""
    drawing = of.drawings[title]
    try:
        if over and drawing.bounded:
            found = drawing.with_intervals(collection, over.bounds)
        else:
            found = drawing(collection, pairs)
    except InputError as error:
        sheet.lacks(of.name, title, error)
        return None
    sheet.head(of.name, title)
    sheet.show(of.name, f"{of.name}-{title}", found)
    if over and not drawing.bounded:
        sheet.say(of.name, "It shows no estimate from topics: no intervals.")
    return EMPTY


def _twin(before, cells):
    """Return the earlier table of the paper with the same cells, as for two collections there."""
    shown = ["row", "value"]
    for other in before:
        same = len(other) == len(cells) and (other["paper"] == cells["paper"].iloc[0]).all()
        if same and other[shown].reset_index(drop=True).equals(cells[shown].reset_index(drop=True)):
            return f"Table {other['table'].iloc[0]}"
    return ""


def _tables(cells, of, number):
    """Return a table's cells as the paper arranges them, and what the paper printed."""
    if not len(cells):
        raise InputError("there is nothing in it for this collection")
    theirs = printed(of.name, f"Table {number}")
    digits = {
        column: theirs[column].dropna().str.partition(".")[2].str.len().max() for column in theirs
    }
    caption = f"{of.tables[number].caption}. From this collection."
    error = cells["error"].astype(float).max()
    if error > 0:
        caption += f" Monte-Carlo standard error of a cell: at most {error:.1g}."
    ours = square(cells.assign(value=cells["value"].astype(object).fillna(tables.DASH)))
    most = max(digits.values())
    formats = {column: f".{digits.get(column, most)}f" for column in ours}
    return (
        tables.table(ours, caption=caption, missing="", formats=formats),
        tables.table(theirs, missing="", caption="As printed, from the paper's data."),
    )
