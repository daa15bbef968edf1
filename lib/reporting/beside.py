"""A collection beside others: a second judge of the same runs, and the claims asked of all."""

import pandas as pd

from lib.collection import Collection
from lib.display import tables
from lib.measures import asked_of
from lib.reporting.sheet import Sheet
from lib.studies import judges
from lib.studies.elsewhere.claims import SECTIONS
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.forest import forest

__all__ = ["ASKED", "ELSEWHERE", "JUDGES", "write_elsewhere", "write_judges"]

ELSEWHERE, JUDGES = "elsewhere", "judges"  # sections
ASKED = [name for name, section in SECTIONS.items() if not section.pairs]


def write_judges(
    sheet: Sheet, collection: Collection, second: Collection, measures: tuple[str, ...]
) -> None:
    """Write how alike two judges rank the runs.

    Parameters
    ----------
    sheet : Sheet
    collection, second : Collection
    measures : tuple of str
    """
    asked = [*asked_of(collection, measures).values()]
    found = judges.compared(collection, second, measures=asked)
    frame = pd.DataFrame(
        {
            **{
                name: [
                    f"{tau:.3f} ({low:.3f} to {high:.3f})"
                    for tau, low, high in found[[name, f"low {name}", f"high {name}"]].to_numpy()
                ]
                for name in ("tau-b", "tau-AP")
            },
            **found[["pairs", "turn", "by A", "by B", "both"]],
        },
        index=found.index,
    )
    caption = (
        f"The runs by {collection.title} (A) and by {second.title} (B): correlation of the two "
        "rankings with its 95% interval over topics, pairs of runs that turn, and how many of "
        "these differed significantly (paired t test, 0.05) by A, by B, and by both."
    )
    sheet.show(JUDGES, "judges", tables.table(frame, caption=caption))


def write_elsewhere(sheet: Sheet, collection: Collection) -> None:
    """Write what the claims of the papers come to on the collection and on others.

    Parameters
    ----------
    sheet : Sheet
    collection : Collection
    """
    found = estimates(collection)
    for name in ASKED:
        sheet.head(ELSEWHERE, SECTIONS[name].title)
        sheet.show(ELSEWHERE, f"elsewhere-{name}", forest(found, name))
