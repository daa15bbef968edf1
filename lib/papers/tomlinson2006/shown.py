"""What the chapter shows of the collection that it runs on; a note where that cannot be."""

from collections.abc import Callable
from typing import Any

from lib.collection import Collection, Pairs
from lib.display.tables import Note, Table, table
from lib.papers.tomlinson2006.printed import FOUR
from lib.papers.tomlinson2006.replication import TITLES, wide
from lib.published import INCONCLUSIVE
from lib.statistics.impact import impact

__all__ = ["at_home", "of_print", "system_by_system"]

RISE, FALL = ("MAP", "P10"), ("MRR", "GS10")  # by the paper's hypothesis


def at_home(collection: Collection) -> bool:
    """Return whether a collection is one that the book brings with runs of our own systems.

    >>> from lib import load
    >>> at_home(load("feedback/cf")), at_home(load("trec8"))
    (True, False)
    """
    return collection.name in TITLES and collection.is_package(f"feedback/{collection.name}")


def of_print(collection: Collection, show: Callable[[], Any]) -> Any:
    """Show what is said of the paper's print, unless the chapter runs on other data.

    Parameters
    ----------
    collection : Collection
        What the chapter runs on.
    show : callable
        Makes the table.

    Returns
    -------
    Table or Note
    """
    if at_home(collection):
        return show()
    return Note(
        "What Tomlinson 2006 says is held against its own printed numbers, in the ledger; "
        f"this is {collection.title}."
    )


def system_by_system(collection: Collection, pairs: Pairs) -> Table | Note:
    """Show four measures without and with feedback, system by system, as Table 1 does.

    Parameters
    ----------
    collection : Collection
    pairs : sequence of (str, str, str)
        System, base run, feedback run.

    Returns
    -------
    Table or Note
        The caption counts the differences that have the sign of the paper's hypothesis, and those
        whose 95% interval over topics holds both signs.  A note where the collection has not these
        runs.

    Examples
    --------
    >>> from lib import load
    >>> from lib.papers.tomlinson2006 import PAIRS
    >>> print(system_by_system(load("trec8"), PAIRS).text)
    TREC-8: no pairs of a run without and a run with feedback are known here, so this table cannot \
be made. Name them in the cell that loads the collection.
    """
    if missing := [
        run for pair in pairs for run in pair[1:] if run not in collection.systems.index
    ]:
        known = len(missing) < 2 * len(pairs)
        which = (
            f"there is no run {missing[0]!r}"
            if known
            else ("no pairs of a run without and a run with feedback are known here")
        )
        return Note(
            f"{collection.title}: {which}, so this table cannot be made. Name them in the cell "
            "that loads the collection."
        )
    found = impact(collection, pairs, FOUR)
    numbers, significant = wide(found)
    return table(
        numbers.rename(columns=FOUR),
        highlight=significant,
        caption=f"{collection.title}, {len(collection.topics)} topics, without and with feedback. "
        f"Marked: significant at 5% (paired t-test), so that the 95% interval over topics leaves "
        f"out zero. {_direction(found)}",
    )


def _direction(found):
    """Count the differences by the sign that the hypothesis predicts, and how many can be told."""
    predicted = found["measure"].isin(RISE).map({True: 1, False: -1})
    same = found["difference"] * predicted > 0
    told = found["outcome"].isin(["ns", "ps"])
    return (
        f"{same.sum()} of {len(found)} differences have the sign of the hypothesis, "
        f"{(same & told).sum()} of them significantly; {(~same & told).sum()} differ from it "
        f"significantly; of {(~told).sum()} the sign {INCONCLUSIVE}."
    )
