"""Every table and figure of the papers from one collection, with intervals over topics."""

import numpy as np
import pandas as pd
from IPython.display import display

from lib.collection import Collection, Pairs
from lib.display import tables
from lib.display.prose import estimate
from lib.display.tables import DASH
from lib.errors import InputError
from lib.paper import Bounds, Paper
from lib.published import printed, square
from lib.reporting.opening import LEAST
from lib.reporting.shown import folded, or_why_not, say, show
from lib.statistics.jackknife import grouped, groups

GROUPS, PARTINGS, SEED = 5, 2, 2012  # fifths of the topics, parted twice: ten computations


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
        keys = pd.MultiIndex.from_frame(cells[["row", "column"]])
        alone = cells["column"].iloc[0] if cells["column"].nunique() == 1 else None

        def values(found):
            if alone is not None:  # it may be named after the collection, and a part otherwise
                found = found.assign(column=alone)
            numbers = pd.to_numeric(found["value"], errors="coerce").to_numpy(float)
            index = pd.MultiIndex.from_frame(found[["row", "column"]])
            return pd.Series(numbers, index).reindex(keys).to_numpy()

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
    kept: list[pd.DataFrame] = []
    for number in of.tables:
        with or_why_not(f"Table {number}"):
            kept.append(_show_table(of, number, collection, pairs, bounds, kept))
    for title, drawing in of.drawings.items():
        with or_why_not(title):
            show(f"{of.name}-{title}", drawing(collection, pairs, bounds))
            if bounds and not drawing.bounded:
                say("It shows no estimate from topics: no intervals.")
    columns = ["paper", "table", "row", "column", "value", "error", "low", "high"]
    return pd.concat([pd.DataFrame(columns=columns, dtype=object), *kept])


def _show_table(of, number, collection, pairs, bounds, before):
    """Show a table: ours, and folded beneath it its intervals and what the paper printed."""
    table = of.tables[number]
    result = table(collection, pairs)
    if not len(result):
        raise InputError("there is nothing in it for this collection")
    cells = result.assign(paper=of.name, table=number, low=None, high=None)
    same = (other for other in before if _same(other, cells))
    if (twin := next(same, None)) is not None:
        say(f"It asks the same of another collection: see Table {twin['table'].iloc[0]}.")
        return cells
    theirs = printed(of.name, f"Table {number}")
    hidden = [
        (
            "What the paper printed for its own data",
            tables.table(theirs, missing="", caption="As printed, from the paper's data."),
        )
    ]
    if bounds:
        cells = bounds(lambda part: table(part, pairs), cells)
        if cells["low"].notna().any():
            hidden.insert(0, ("The same with 95% intervals over topics", _with_bounds(cells)))
    display(folded(_square(result, theirs, f"{table.caption}. From this collection."), hidden))
    if bounds and cells["low"].isna().all():
        say("It is not defined without some of the topics: no intervals.")
    return cells


def _same(one, other):
    shown = ["row", "value"]
    return one[shown].reset_index(drop=True).equals(other[shown].reset_index(drop=True))


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
