"""The experiment repeated with systems of our own on public collections.

It reproduces no number of the paper.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, about, load
from lib.papers.tomlinson2006.printed import FOUR, MEASURES, SYSTEMS, five, printed
from lib.published import cells
from lib.statistics.impact import counts, impact

__all__ = [
    "COLLECTIONS",
    "COUNTER_EXAMPLES",
    "FIRST_READING",
    "PAIRS",
    "POOLED",
    "beside",
    "depths",
    "ours",
    "replication",
    "signs",
    "table1",
    "table2",
    "wide",
]

Pairs = Sequence[tuple[str, str, str]]

PAIRS = tuple((system, f"{system}.base", f"{system}.feedback") for system in SYSTEMS)
# Two systems with their feedback weights as they were read before any result was seen.
FIRST_READING = tuple(
    (system, base, f"{system}.first-reading" if system in ("albany", "waterloo") else feedback)
    for system, base, feedback in PAIRS
)
TITLES = {
    name: about(f"feedback/{name}")["short_title"]
    for name in ("cf", "cisi", "npl", "nftest", "cran", "cacm")
}
COUNTER_EXAMPLES = {name: TITLES[name] for name in ("cran", "cacm")}
COLLECTIONS = {name: title for name, title in TITLES.items() if name not in COUNTER_EXAMPLES}
POOLED = "all four"


def table1(
    collection: Collection | Sequence[Collection] | None = None,
    *,
    pairs: Pairs | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Mean impact on four measures, system by system: Table 1.

    Parameters
    ----------
    collection : Collection or sequence of Collection, optional
        Without one there is nothing to compute: the paper's runs are not public.
    pairs : sequence of (str, str, str)
        System, base run, feedback run; needed with a collection.
    **options
        Those of :func:`lib.statistics.impact.impact`.

    Returns
    -------
    DataFrame
        Cells: rows ``albany base``, ``albany feedback``, ``albany difference``, ...

    Raises
    ------
    ValueError
        A collection without pairs.

    Examples
    --------
    >>> ours = table1(load("feedback/cf"), pairs=PAIRS)
    >>> ours.astype({"value": float}).round(3).head(3)
                     row column  value  error
    0        albany base     AP  0.278    0.0
    1    albany feedback     AP  0.319    0.0
    2  albany difference     AP  0.041    0.0
    """
    if collection is None:
        return cells([])
    found = _impact(collection, pairs, FOUR, options)
    return cells(
        (f"{row.system} {name}", FOUR[row.measure], getattr(row, column))
        for row in found.itertuples()
        for name, column in (
            ("base", "before"),
            ("feedback", "after"),
            ("difference", "difference"),
        )
    )


def table2(
    collection: Collection | Sequence[Collection] | None = None,
    *,
    pairs: Pairs | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Mean impact on 30 measures and its significance, over all systems: Table 2.

    Parameters
    ----------
    collection, pairs, **options
        As for :func:`table1`.

    Returns
    -------
    DataFrame
        Cells: a row a measure; columns difference, ns, no, z, po, ps.
    """
    if collection is None:
        return cells([])
    table = counts(_impact(collection, pairs, MEASURES, options))
    return cells(
        (label, column, value) for label, row in table.iterrows() for column, value in row.items()
    )


def _impact(collection, pairs, measures, options):
    if not pairs:
        raise ValueError(
            "no pairs given: which run is a system's base and which its feedback "
            "run must be said, as pairs=[(system, base run, feedback run), ...]"
        )
    return impact(collection, pairs, measures, **options)


def ours(name: str = POOLED) -> list[Collection]:
    """Return our collections with the runs of our systems: one by its name, or all four."""
    return [_collection(each) for each in (COLLECTIONS if name == POOLED else [name])]


@cache
def _collection(name):
    return load(f"feedback/{name}")


@cache
def replication(
    name: str = POOLED, *, pairs: tuple[tuple[str, str, str], ...] = PAIRS, test: str = "t"
) -> pd.DataFrame:
    """Repeat the experiment with our own systems: the impact on all 30 measures.

    Parameters
    ----------
    name : str
        One of :data:`COLLECTIONS` or :data:`COUNTER_EXAMPLES`, or "all four": their 592 topics
        pooled.
    pairs : tuple
        :data:`PAIRS` or :data:`FIRST_READING`.
    test : str
        See :func:`lib.statistics.impact.impact`.

    Returns
    -------
    DataFrame
        From :func:`lib.statistics.impact.impact`, the measures in the order of the printed Table 2.
    """
    order = {label: MEASURES[label] for label in printed(2).index}
    return impact(ours(name), pairs, order, test=test)


def wide(table: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """Lay an impact table out as Table 1 is: its numbers, and which differences are significant.

    Parameters
    ----------
    table : DataFrame
        From :func:`replication` or :func:`lib.statistics.impact.impact`.

    Returns
    -------
    numbers : DataFrame
        Rows (system, base / feedback / difference), columns MAP, P10, MRR, GS10.
    significant : ndarray of bool, of the same shape
    """
    table = table[table["measure"].isin(list(FOUR))]
    named = table.rename(columns={"before": "base", "after": "feedback"})
    numbers = named.set_index(["system", "measure"])[["base", "feedback", "difference"]]
    numbers = numbers.stack().unstack("measure").rename_axis(index=["system", ""], columns=None)
    significant = table.pivot(index="system", columns="measure", values="outcome")
    significant = significant[list(FOUR)].isin(["ns", "ps"]).to_numpy().repeat(3, axis=0)
    significant[np.arange(len(numbers)) % 3 < 2] = False
    return numbers[list(FOUR)], significant


def beside(name: str = POOLED, **options: Any) -> pd.DataFrame:
    """Set our Table 2 beside the printed one.

    Parameters
    ----------
    name, **options
        As for :func:`replication`.

    Returns
    -------
    DataFrame
        One row a measure in the paper's order; columns (paper, difference), (paper, counts),
        (ours, difference), (ours, counts), and (signs, "") "agree" or "differ".  The counts are
        ns no z po ps.
    """
    tables = {"paper": printed(2), "ours": counts(replication(name, **options))}
    columns = {}
    for title, table in tables.items():
        columns[title, "difference"] = table["difference"]
        columns[title, "ns no z po ps"] = five(table)
    same = np.sign(tables["paper"]["difference"]) == np.sign(tables["ours"]["difference"])
    columns["signs", ""] = same.map({True: "agree", False: "differ"})
    return pd.DataFrame(columns).rename_axis("measure")


def signs(**options: Any) -> pd.DataFrame:
    """Count the measures whose mean difference has the sign of the printed one.

    Parameters
    ----------
    **options
        Those of :func:`replication`, without the name.

    Returns
    -------
    DataFrame
        One row a collection, and one of all four pooled: topics, agree (of 30), differ (labels).
    """
    rows = {}
    for name in (*COLLECTIONS, POOLED, *COUNTER_EXAMPLES):
        verdict = beside(name, **options)["signs", ""]
        rows[TITLES.get(name, name)] = {
            "topics": sum(len(collection.topics) for collection in ours(name)),
            "agree": int((verdict == "agree").sum()),
            "differ": ", ".join(verdict.index[verdict == "differ"]),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def depths(
    names: Sequence[str] = ("cf", POOLED),
    *,
    at: Sequence[int] = (1, 2, 3, 5, 10, 15, 20, 30, 100, 200, 500, 1000),
) -> pd.DataFrame:
    """Compare what feedback does to Success@k and to P@k, depth by depth.

    Parameters
    ----------
    names : sequence of str
        As for :func:`replication`.
    at : sequence of int
        Depths; of the paper those that it prints.

    Returns
    -------
    DataFrame
        Columns source, measure ("Success@k" or "P@k"), k, difference (mean over the systems).
    """
    paper = printed(2)["difference"]
    rows = [
        ("paper", kind, int(label[1:]), paper[label])
        for kind, letter in (("Success@k", "S"), ("P@k", "P"))
        for label in paper.index
        if label[0] == letter and label[1:].isdecimal()
    ]
    # Success@1 is P@1: one number, of both kinds.
    rows.append(("paper", "P@k", 1, paper["S1"]))
    for name in names:
        for kind in ("Success@k", "P@k"):
            chosen = {str(k): kind.replace("k", str(k)) for k in at}
            mean = counts(impact(ours(name), PAIRS, chosen))["difference"]
            source = TITLES.get(name, name)
            rows += [(source, kind, k, mean[str(k)]) for k in at]
    table = pd.DataFrame(rows, columns=["source", "measure", "k", "difference"])
    table["difference"] = table["difference"].round(10) + 0.0
    return table.sort_values(["source", "measure", "k"], kind="stable", ignore_index=True)
