"""Claims as the chapter shows them."""

import pandas as pd

from lib.display.tables import Folded, table
from lib.published import DIFFERS


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
