"""Some systems or topics of a collection: their places, and the rows of its tables that stay."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["ORDER", "chosen", "positions"]

# The columns that each table stands in the order of.
ORDER = {
    "lists": ["topic", "system"],
    "relevant": ["topic", "document"],
    "hits": ["topic", "system", "rank"],
    "pools": ["topic", "depth"],
    "judged": ["topic", "system", "rank"],
    "unsampled": ["topic", "system", "rank"],
}


def positions(index: pd.Index, names: Iterable[str] | None, what: str) -> np.ndarray:
    """Return where names stand in an index; None means all of it.

    Parameters
    ----------
    index : Index
    names : sequence of str, or None
    what : str
        What a name names, for messages.

    Raises
    ------
    ValueError
        A name that is not there, or a name twice.

    Examples
    --------
    >>> positions(pd.Index(["A", "B", "C"]), ["C", "A"], "system")
    array([2, 0])
    """
    if names is None:
        return np.arange(len(index))
    asked = pd.Index(names)
    at = index.get_indexer(asked)
    if (at < 0).any():
        raise ValueError(f"no such {what}: {', '.join(map(str, asked[at < 0]))}")
    if asked.has_duplicates:
        raise ValueError(f"the same {what} twice: {asked[asked.duplicated()][0]}")
    return at


def chosen(
    tables: Mapping[str, pd.DataFrame | None],
    sizes: Mapping[str, int],
    at: Mapping[str, np.ndarray],
) -> dict[str, Any]:
    """Return the rows of some systems and topics, with their new codes.

    Parameters
    ----------
    tables : dict of str to DataFrame or None
        By the names of :data:`ORDER`; None stays None.
    sizes : dict of str to int
        "system", "topic": how many there were.
    at : dict of str to ndarray of int
        "system", "topic": old codes in the new order.
    """
    code = {what: _recode(at[what], size) for what, size in sizes.items()}
    in_order = all((np.diff(order) > 0).all() for order in at.values())

    def keep(table, order):
        if table is None:
            return None
        table = table.copy()
        for column in ("topic", "system"):
            if column in table:
                table[column] = code[column][table[column]]
                table = table[table[column] >= 0]
        if in_order:  # as the rows are
            return table.reset_index(drop=True)
        return table.sort_values(order, ignore_index=True)

    return {name: keep(table, ORDER[name]) for name, table in tables.items()}


def _recode(at, size):
    code = np.full(size, -1)
    code[at] = np.arange(len(at))
    return code
