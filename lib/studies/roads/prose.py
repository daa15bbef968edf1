"""The numbers that the book's section on roads shows in its text.

Each function returns a dict for :func:`lib.display.prose.say`: name in the text to string.
"""

import pandas as pd

from lib.display.tables import minus_signs
from lib.studies.roads.shown import choices_that_matter, printed_by_road
from lib.studies.roads.table import PAPERS
from lib.studies.roads.words import EVERY, summary

__all__ = ["claims", "printed_numbers"]


def printed_numbers() -> dict[str, str]:
    """Quote how many roads there are, how many match all, and which choice costs most."""
    counts = printed_by_road()
    quoted: dict[str, str] = {}
    for paper in PAPERS:
        row = counts.loc[paper].iloc[-1]  # of several places the last is all of them
        (choice, otherwise), dearest = next(iter(choices_that_matter(paper).iterrows()))
        quoted |= {
            f"roads-{paper}": f"{row['roads']:,}",
            f"roads-{paper}-numbers": str(row["numbers"]),
            f"roads-{paper}-best": str(row["best"]),
            f"roads-{paper}-as-many": f"{row['as many']:,}",
            f"roads-{paper}-median": str(row["median"]),
            f"roads-{paper}-choice": f"{choice}: {otherwise}",
            f"roads-{paper}-lost": f"{dearest['mean']:.1f}",
        }
    return quoted


def claims(table: pd.DataFrame) -> dict[str, str]:
    """Quote on which collections claims hold whatever the road, and how far roads move them.

    Parameters
    ----------
    table : DataFrame
        Of :func:`lib.studies.roads.read_claims`.
    """
    quoted: dict[str, str] = {}
    for claim, part in summary(table).groupby(level="claim", sort=False):
        on_trec8 = part.loc[(claim, "trec8")]
        low, high = (minus_signs(f"{on_trec8[end]:+.3f}") for end in ("least", "most"))
        quoted |= {
            f"roads-{claim}-collections": str(len(part)),
            f"roads-{claim}-every": str((part["holds"] == EVERY).sum()),
            f"roads-{claim}-told": str((part["told yes"] == EVERY).sum()),
            f"roads-{claim}-refuted": str((part["told no"] == EVERY).sum()),
            f"roads-{claim}-trec8": f"{low} to {high}",
            f"roads-{claim}-trec8-holds": on_trec8["holds"],
        }
    return quoted
