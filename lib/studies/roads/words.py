"""What may be said of a claim along many roads: four words, chosen once."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.published import INCONCLUSIVE
from lib.studies.roads.claims import CLAIMS

EVERY = "on every road"
SOME = "on some roads"
ALONE = "on the paper's road alone"
NONE = "on no road"
WORDS = (EVERY, SOME, ALONE, NONE)


def word(holds: Sequence[bool] | np.ndarray | pd.Series) -> str:
    """Say on which roads something holds.

    Examples
    --------
    >>> word([True, True]), word([True, False]), word([False, True])
    ('on every road', "on the paper's road alone", 'on some roads')
    """
    held = np.asarray(holds, dtype=bool)
    if held.all():
        return EVERY
    if not held.any():
        return NONE
    return ALONE if held[0] and held.sum() == 1 else SOME


def told(table: pd.DataFrame) -> pd.Series:
    """Return for each row of the walked claims whether the topics can tell that it holds.

    Examples
    --------
    >>> row = {"claim": "power-AP-P@10", "low": [0.01, -0.1, -0.2], "high": [0.1, 0.1, -0.1]}
    >>> told(pd.DataFrame(row)).tolist()
    ['yes', 'inconclusive', 'no']
    """
    bound = table["claim"].map({name: claim.bound for name, claim in CLAIMS.items()})
    sure = np.where(table["high"] <= bound, "no", INCONCLUSIVE)
    return pd.Series(np.where(table["low"] > bound, "yes", sure), index=table.index)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim and source on which roads it holds."""
    rows = {}
    judged = table.assign(told=told(table))
    for (claim, source), part in judged.groupby(["claim", "source"], sort=False):
        first = part.iloc[0]
        rows[(claim, source)] = {
            "roads": len(part),
            **first[["estimate", "low", "high"]].to_dict(),
            "least": part["estimate"].min(),
            "most": part["estimate"].max(),
            "holds": word(part["estimate"] > CLAIMS[str(claim)].bound),
            "told yes": word(part["told"] == "yes"),
            "told no": word(part["told"] == "no"),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["claim", "source"])
