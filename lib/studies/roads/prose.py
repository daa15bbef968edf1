"""The numbers that the book's section on roads shows in its text."""

import pandas as pd

from lib.display.tables import minus_signs
from lib.studies.roads.shown import choices_that_matter, printed_by_road
from lib.studies.roads.table import PAPERS
from lib.studies.roads.words import EVERY, NONE, summary


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
    """Quote on which collections claims hold whatever the road, and how far roads move them."""
    every = summary(table)
    wider = every["high"] - every["low"] > every["most"] - every["least"]
    quoted = {"roads-asked": str(len(every)), "roads-wider": str(wider.sum())}
    for claim, part in every.groupby(level="claim", sort=False):
        on_trec8 = part.loc[(claim, "trec8")]
        low, high = (minus_signs(f"{on_trec8[end]:+.3f}") for end in ("least", "most"))
        name = f"roads-{str(claim).lower().replace('@', '')}"
        quoted |= {
            f"{name}-collections": str(len(part)),
            f"{name}-every": str((part["holds"] == EVERY).sum()),
            f"{name}-none": str((part["holds"] == NONE).sum()),
            f"{name}-told": str((part["told yes"] == EVERY).sum()),
            f"{name}-refuted": str((part["told no"] == EVERY).sum()),
            f"{name}-trec8": f"{low} and {high}",
        }
    return quoted
