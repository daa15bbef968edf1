"""The registered claims decided: each quantity computed, and set against its bound.

A quantity is a function of a population, a collection or its name, and of what stands in the
brackets of a row (:mod:`chapters.ledger.claims`).
:func:`decided` makes ``data/claims/verdicts.csv``, which is
read through :mod:`chapters.ledger.registry`.
"""

from collections.abc import Iterable
from functools import cache, partial
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd

from chapters import data_tables
from chapters.elsewhere import confirmation, summaries
from chapters.ledger import paper_names
from chapters.ledger.claims import MEMBERS, Quantities, Row, answer, quantities_of
from chapters.ledger.registry import COPIES, NUMBERS, OURS, registered
from chapters.ledger.rows import to_decimals
from lib.collection import load_once
from lib.decisions import at_least, decide, level, worded
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.statistics.multiplicity import holm


@cache
def quantities() -> Quantities:
    """Return what rows may ask: the public functions of the papers and the studies, by name."""
    return quantities_of(*paper_names(), "elsewhere", "left_out", "spending", "machines")


def checked_rows() -> list[Row]:
    """Return the registry, after a look at whether every quantity is known."""
    rows = registered()
    for row in rows:
        try:
            row.prepared(quantities())
        except InputError as error:
            raise InputError(f"{row.place}: {error}") from None
    return rows


def decided(rows: Iterable[Row]) -> pd.DataFrame:
    """Compute claims and decide them: the rows of ``data/claims/verdicts.csv``.

    Claims of one paper on one collection are corrected together (Holm), and so are those of ours
    that were registered before their data were seen; chapter 5's primary claims as
    :func:`chapters.elsewhere.summaries.adjusted` says, and those of new collections as they
    were registered.  All others are a hint at most.
    """
    rows, entries, p = list(rows), [], []
    other = data_tables.read("claims", "otherwise")
    for row in rows:
        interval = _interval(asked_of_population(row))
        by = vars(answer(interval, row.bound))
        entry = {"id": row.id, "population": row.title, "holds": by["value"]}
        entry |= {name: by.get(name, np.nan) for name in NUMBERS}
        without = {*other[(other["id"] == row.id) & (other["population"] == row.title)]["without"]}
        marks = {"level": _is_level(interval, row), "systems": bool(without - {COPIES})}
        marks["copies"] = COPIES in without
        entry |= {name: "yes" if there else "" for name, there in marks.items()}
        entries.append(entry | {"near": by["near"]})
        asked_before = row.source != OURS or row.primary
        together = asked_before and row.population not in (*summaries.POPULATIONS, *MEMBERS)
        p.append((row.source, row.title) if together else None)
        if row.primary and row.population == "these":
            entries[-1]["adjusted"] = summaries.worst_adjusted(row.id)
        if row.population in MEMBERS:
            (claim,) = row.call()[1]
            entries[-1] |= confirmation.ruled(claim)
    table = pd.DataFrame(entries)
    own = table["p"].groupby(pd.Series(p)).transform(holm)
    table["adjusted"] = table["adjusted"].fillna(own)
    words = [worded(holds, value) for holds, value in zip(table["holds"], table["adjusted"])]
    numbers = {name: table[name].map(partial(to_decimals, digits=6)) for name in NUMBERS}
    table["near"] = table["near"].where([one.holds is not None for one in words], "")
    table = table.assign(**numbers, word=[w.word for w in words], side=[w.side for w in words])
    return table.drop(columns="holds")


def asks_by_name(row: Row) -> bool:
    """Return whether a row's quantity takes the population's name, not the collection."""
    takes = next(iter(signature(quantities()[row.call()[0]]).parameters.values()))
    return takes.annotation is str


def _interval(found: Estimate | Interval) -> Interval:
    return found.interval() if isinstance(found, Estimate) else found


def side_of(row: Row, subject: Any) -> str:
    """Return the side of a row's answer to some data: a collection, or a number with interval."""
    found = subject if isinstance(subject, Interval) else row.ask(quantities(), subject)
    return decide(_interval(found), row.bound).side


def asked_of_population(row: Row) -> Estimate | Interval:
    """Ask a row of its population: of the collection, or by its name, as the quantity takes it."""
    by_name = asks_by_name(row)
    try:
        return row.ask(quantities(), row.population if by_name else load_once(row.population))
    except InputError as error:
        raise InputError(f"{row.place}: {error}") from None


def _is_level(interval: Interval, row: Row) -> bool:
    """Return whether what is at least as good is no better either, beyond the margin."""
    margin = -row.bound.least
    asked = 0 < margin < np.inf and row.bound == at_least(margin)
    return bool(asked and level(margin).supported(interval).all())


def write(rows: Iterable[Row]) -> None:
    """Decide claims and write ``data/claims/verdicts.csv``."""
    data_tables.write("claims", "verdicts", decided(rows))
