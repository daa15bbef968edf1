"""One way to state what a paper says, and to check it.

A claim is a row: the slug that it has in ``data/published``, and a function of the evidence, an
object that computes from the paper's own data whatever the claims of the paper need.  The function
returns

- a number, which is compared with the printed one;
- True, or the reason why not: ``lambda e: e.gain > 0 or f"a loss of {-e.gain:.3f}"``;
- a pair of these and the cause that is named should they differ: ``(value, cause)``;
- :class:`NotPublic`, with the reason, where the data cannot be had.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from lib.published import NOT_PUBLIC, read

__all__ = ["Claims", "NotPublic", "checked", "findings"]

KEY = ["place", "row", "column"]
ANSWER = ["value", "error", "status", "cause"]


class NotPublic(str):
    """The reason why a claim cannot be checked: data that cannot be had."""


@dataclass(frozen=True)
class Claims:
    """Everything that a paper says.

    Attributes
    ----------
    evidence : callable
        Makes the evidence from the paper's own data.
    rows : dict of str to dict of str to callable
        Place to slug to a function of the evidence.
    cells : dict of str to callable
        Place to a function of the evidence that returns cells (:func:`lib.published.cells`): where
        the paper prints a table of numbers, or a list of them.
    closed : callable
        From a published row that nothing above answers to the reason why it cannot be computed;
        the empty string where it could.
    """

    evidence: Callable[[], Any]
    rows: Mapping[str, Mapping[str, Callable]]
    cells: Mapping[str, Callable[[Any], pd.DataFrame]] = field(default_factory=dict)
    closed: Callable[[Any], str] = lambda row: ""


def findings(name: str, claims: Claims, evidence: Any = None) -> pd.DataFrame:
    """Return all of a paper's numbers and claims as we find them.

    Parameters
    ----------
    name : str
        Of the paper.
    claims : Claims
    evidence : optional
        By default that of the paper's own data.

    Returns
    -------
    DataFrame
        Columns place, row, column, value (a number, True, False or None), error (Monte-Carlo
        standard error), status ("data not public" or empty), cause.

    Raises
    ------
    ValueError
        A claim that is not in ``data/published``.
    """
    evidence = claims.evidence() if evidence is None else evidence
    printed = read(name)
    said = printed[printed["column"].isin(["claim", "value"])].set_index(["place", "row"])["column"]
    parts = [
        cells(evidence).assign(place=place, status="", cause="")
        for place, cells in claims.cells.items()
    ]
    rows = []
    for place, functions in claims.rows.items():
        for slug, function in functions.items():
            if (place, slug) not in said.index:
                raise ValueError(f"{name}: not in data/published: {place}, {slug}")
            rows.append((place, slug, said[(place, slug)], *_answer(function(evidence))))
    parts.append(pd.DataFrame(rows, columns=[*KEY, *ANSWER]))
    found = pd.concat([part.astype({"value": object}) for part in parts], ignore_index=True)
    return pd.concat([found, _closed(printed, found, claims.closed)], ignore_index=True)


def _answer(answer):
    """Return value, error, status and cause of what a claim's function returned."""
    value, cause = answer if isinstance(answer, tuple) else (answer, "")
    if isinstance(value, NotPublic):
        return None, 0.0, NOT_PUBLIC, str(value)
    if isinstance(value, str):
        return False, 0.0, "", value
    if isinstance(value, bool | np.bool_):
        return bool(value), 0.0, "", cause
    return value, 0.0, "", cause


def _closed(printed, found, why):
    """List the published rows that nothing answers because the data are not public."""
    known = pd.MultiIndex.from_frame(found[KEY])
    left = printed[~pd.MultiIndex.from_frame(printed[KEY]).isin(known)]
    rows = [
        (row.place, row.row, row.column, None, 0.0, NOT_PUBLIC, cause)
        for row in left.itertuples()
        if (cause := why(row))
    ]
    return pd.DataFrame(rows, columns=[*KEY, *ANSWER])


def checked(name: str, found: pd.DataFrame, *places: str) -> pd.DataFrame:
    """Return what a paper says at some places and whether it holds; see ``Paper.checked``."""
    said = read(name).query("column == 'claim'").merge(found, on=KEY)
    said = said[said["place"].isin(places)]
    holds = said["value"].map({True: "yes", False: "no"}).fillna(said["status"])
    return pd.DataFrame(
        {
            "place": said["place"],
            "claim": said["statement"],
            "holds": holds,
            "why": said["cause"].where(holds != "yes", ""),
        }
    ).reset_index(drop=True)
