"""Measures on a line by depth: how alike they rank systems without the luck of topics, everywhere.

No test here asks whether measures fall into families: even on a line without gaps, measures of
the same half agree more than measures of different halves.
"""

import pandas as pd

from chapters.elsewhere import confirmation
from chapters.elsewhere.quantities import phi_of
from chapters.elsewhere.sources import Source, sources
from lib.measures import complete_scores
from lib.statistics.correlation import disattenuated

LINE = ("RR", "P@5", "P@10", "P@20", "P@30", "P@100", "AP")  # from the shallowest to the deepest
_NEIGHBOURS = [*zip(LINE, LINE[1:])]
LINE_PAIRS = [*(("RR", other) for other in LINE[2:]), *_NEIGHBOURS]


def line_sources() -> list[Source]:
    """Return all collections of which every measure on the line is known, the new ones last."""
    known = [
        Source(one.name, one.title, one.year, complete_scores(one.collection, LINE))
        for one in sources()
        if one.collection is not None
    ]
    return known + [confirmation.source(name, "P3") for name in confirmation.NEW_COLLECTIONS]


def agreements(source: Source) -> pd.DataFrame:
    """Return r of :data:`LINE_PAIRS` without noise: one measure, other, and r with its interval."""
    free = phi_of(source, LINE).map(disattenuated)
    rows = [
        [source.name, source.title, one, other, *free[other][one].interval().row().values()]
        for one, other in LINE_PAIRS
    ]
    return pd.DataFrame(rows, columns=["source", "title", "one", "other", "r", "low", "high"])
