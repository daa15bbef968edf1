"""The registered claims decided: each quantity computed, and set against its bound.

A quantity is a function of a population and of what stands in the brackets of a row, kept by the
paper or the study that computes it.  :func:`decided` makes ``data/claims/verdicts.csv``, which is
read through :mod:`chapters.ledger.registry`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from chapters import data_tables as committed
from chapters.elsewhere import confirmation, confirmed, summaries
from chapters.ledger.claims import answer
from chapters.ledger.registry import NEW, NUMBERS, OURS, Row, registered
from chapters.ledger.rows import to_decimals
from chapters.left_out import claims as left_out
from chapters.machines import people, questions
from chapters.spending import claims as spending
from chapters.thom2007 import claims as thom2007
from chapters.tomlinson2006 import robustness as tomlinson2006
from chapters.webber2008 import tables as webber2008
from chapters.webber2010 import claims_on_depth as webber2010
from lib.decisions import at_least, level, worded
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.statistics.multiplicity import holm

_QUANTITIES: Mapping[str, Callable[..., Any]] = {
    **webber2008.QUANTITIES,
    **thom2007.QUANTITIES,
    **tomlinson2006.QUANTITIES,
    **webber2010.QUANTITIES,
    **summaries.QUANTITIES,
    **left_out.QUANTITIES,
    **spending.QUANTITIES,
    **questions.QUANTITIES,
    **people.QUANTITIES,
    **confirmation.QUANTITIES,
}


def checked_rows() -> list[Row]:
    """Return the registry, after a look at whether every quantity is known."""
    rows = registered()
    for row in rows:
        if row.call()[0] not in _QUANTITIES:
            raise InputError(f"{row.id}: no quantity {row.quantity!r}; {', '.join(_QUANTITIES)}")
    return rows


def decided(rows: Iterable[Row]) -> pd.DataFrame:
    """Compute claims and decide them: the rows of ``data/claims/verdicts.csv``.

    Claims of one paper on one collection are corrected together (Holm), and so are those of ours
    that were registered before their data were seen; chapter 5's primary claims as
    :func:`chapters.elsewhere.summaries.adjusted` says, and those of new collections as they
    were registered.  All others are a hint at most.
    """
    entries, p, changed = [], [], confirmed.fragile()
    for row in rows:
        name, arguments = row.call()
        interval = _QUANTITIES[name](row.population, *arguments)
        interval = interval.interval() if isinstance(interval, Estimate) else interval
        by = vars(answer(interval, row.bound))
        alike = "yes" if _is_level(interval, row) else ""
        entry = {"id": row.id, "population": row.title, "holds": by["value"]}
        entry |= {name: by.get(name, np.nan) for name in NUMBERS} | {"level": alike, "systems": ""}
        entries.append(entry)
        asked_before = row.source != OURS or row.primary
        together = asked_before and row.population not in (*summaries.POPULATIONS, NEW)
        p.append((row.source, row.title) if together else None)
        if row.primary and row.population == "these":
            entries[-1]["adjusted"] = summaries.worst_adjusted(row.id)
        if row.population == NEW:
            entries[-1] |= confirmation.ruled(*arguments)
            entries[-1]["systems"] = "yes" if {*arguments} & {*changed} else ""
    table = pd.DataFrame(entries)
    own = table["p"].groupby(pd.Series(p)).transform(holm)
    table["adjusted"] = table["adjusted"].fillna(own)
    words = [worded(holds, value) for holds, value in zip(table["holds"], table["adjusted"])]
    numbers = {name: table[name].map(partial(to_decimals, digits=6)) for name in NUMBERS}
    table = table.assign(**numbers, word=[w.word for w in words], side=[w.side for w in words])
    return table.drop(columns="holds")


def _is_level(interval: Interval, row: Row) -> bool:
    """Return whether what is at least as good is no better either, beyond the margin."""
    margin = -row.bound.least
    asked = 0 < margin < np.inf and row.bound == at_least(margin)
    return bool(asked and level(margin).supported(interval).all())


def write(rows: Iterable[Row]) -> None:
    """Decide claims and write ``data/claims/verdicts.csv``."""
    committed.write("claims", "verdicts", decided(rows))
