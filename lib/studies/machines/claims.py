"""What the chapter says, each claim with its number, its interval, its population and a verdict."""

from collections.abc import Callable

import pandas as pd

from lib.published import INCONCLUSIVE
from lib.studies.committed import read
from lib.studies.machines import budget, questions
from lib.studies.machines.judging import TRACKS, all_labels, judged

SUPPORTED, CONTRADICTED = "supported", "contradicted"


def worth(track: str) -> pd.DataFrame:
    """Return :func:`lib.studies.machines.budget.bought` for pairs, in parts of what people judged.

    Examples
    --------
    >>> bool(worth("dl21").loc[("UMBRELA", "nDCG@10"), "low"] > 1)
    True
    """
    table = budget.bought(track, "a pair")
    return table[["estimate", "low", "high"]].div(table["n"], axis=0)


TABLES: dict[str, Callable[[str], pd.DataFrame]] = {
    "halves": questions.halves,
    "labels": all_labels,
    "answers": lambda track: questions.answers(track).swaplevel(),
    "worth": worth,
}


def verdict(low: float, high: float, asked: str, bound: float) -> str:
    """Say what an interval says of a claim.

    >>> verdict(0.1, 0.3, "above", 0), verdict(-0.1, 0.3, "above", 0), verdict(0.1, 0.3, "below", 0)
    ('supported', 'inconclusive', 'contradicted')
    >>> verdict(-0.02, 0.03, "within", 0.05), verdict(0.06, 0.1, "within", 0.05)
    ('supported', 'contradicted')
    """
    if asked == "within":
        yes, no = -bound < low and high < bound, low >= bound or high <= -bound
    elif asked == "above":
        yes, no = low > bound, high <= bound
    else:
        yes, no = high < bound, low >= bound
    return SUPPORTED if yes else CONTRADICTED if no else INCONCLUSIVE


def claims() -> pd.DataFrame:
    """Judge each claim of ``data/judges/claims.csv`` on each track.

    Returns
    -------
    DataFrame, index claim, track
        Columns says, estimate, low, high, verdict, and population: what the interval is about.

    Examples
    --------
    >>> claims().loc[("power-rr-llama", "DL 2021"), "verdict"]
    'supported'
    """
    rows = {}
    for claim in read("judges", "claims").fillna({"column": ""}).itertuples():
        names = [f"{claim.column} {end}".strip() for end in ("low", "high")]
        for track, title in TRACKS.items():
            row = TABLES[claim.table](track).loc[(claim.judge, claim.item)]
            low, high = row[names]
            topics = len(judged(track, claim.judge).topics)
            rows[claim.claim, title] = {
                "says": claim.says,
                "estimate": row[claim.column or "estimate"],
                "low": low,
                "high": high,
                "verdict": verdict(low, high, claim.asked, claim.bound),
                "population": f"topics like the {topics} of {title}",
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["claim", "track"])
