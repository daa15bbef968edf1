"""What the chapter shows of the paper: the printed taus beside ours, or a note that it cannot.

No collection of runs is the paper's own.  The chapter is written on TREC-8; with another one it
says nothing of the paper but what the paper's own official scores say.
"""

import pandas as pd

from lib.collection import Collection
from lib.display.tables import Folded, Note, table
from lib.papers.thom2007.claims import closed
from lib.published import DIFFERS, NOT_PUBLIC, NOT_YET, compare

__all__ = ["beside_print", "by_verdict", "note"]


def beside_print(ours: pd.DataFrame) -> pd.DataFrame:
    """Set taus of the paper's runs, taken in any way, beside Table 1.

    Parameters
    ----------
    ours : DataFrame
        Cells, as of :func:`~lib.papers.thom2007.tables.table1`.

    Returns
    -------
    DataFrame
        As of :func:`lib.published.compare`; what needs P@1 or R-precision is not public.

    Examples
    --------
    >>> from lib.papers.thom2007 import table1
    >>> beside_print(table1(treatment="zeros")).query("column == 'RR'")["verdict"].tolist()
    ['data not public', 'differs']
    """
    found = compare("thom2007", "Table 1", ours)
    verdicts = [
        NOT_PUBLIC if cell.verdict == NOT_YET and closed(cell) else cell.verdict
        for cell in found.itertuples()
    ]
    return found.assign(verdict=verdicts)


def by_verdict(claims: pd.DataFrame) -> Folded:
    """Show claims: what differs in view, all others folded beneath, a fold a verdict.

    Parameters
    ----------
    claims : DataFrame
        Columns claim, verdict, and what else is to be seen.

    Returns
    -------
    Folded

    Examples
    --------
    >>> claims = pd.DataFrame({"claim": ["150 topics", "80 runs", "5 measures"],
    ...     "verdict": ["differs", "reproduced", "reproduced"]})
    >>> by_verdict(claims)
    What the text says: 1 of 3 differ.
                verdict
    claim
    150 topics  differs
    <BLANKLINE>
    2 reproduced:
                   verdict
    claim
    80 runs     reproduced
    5 measures  reproduced
    """
    differs = claims["verdict"] == DIFFERS
    caption = f"What the text says: {differs.sum()} of {len(claims)} differ."
    groups = claims[~differs].groupby("verdict", sort=False)
    return Folded(
        _table(claims[differs], caption),
        [(f"{len(group)} {verdict}", _table(group, "")) for verdict, group in groups],
    )


def _table(claims, caption):
    return table(claims.reset_index(drop=True), caption=caption)


def note(collection: Collection) -> Note:
    """Return what stands where the paper cannot be judged by the collection at hand."""
    return Note(
        "What Thom and Scholer 2007 say is checked on the official scores of their runs, and "
        f"beside them on TREC-8 and TREC-COVID; this chapter now runs on {collection.title}."
    )
