"""The experiment repeated with systems of our own on public collections.

It reproduces no number of the paper.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, about, load
from lib.display.tables import minus_signs
from lib.papers.tomlinson2006.effects import FALLS, RISES, effects, in_words
from lib.papers.tomlinson2006.printed import FOUR, MEASURES, SYSTEMS, five, printed
from lib.published import INCONCLUSIVE, cells
from lib.statistics.impact import counts, impact

__all__ = [
    "COLLECTIONS",
    "COUNTER_EXAMPLES",
    "FIRST_READING",
    "PAIRS",
    "POOLED",
    "TITLES",
    "beside",
    "changes",
    "counted_signs",
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


@cache
def changes(name: str = POOLED, *, pairs: tuple[tuple[str, str, str], ...] = PAIRS) -> pd.DataFrame:
    """Return the mean change over our systems by all 30 measures, with its error over topics.

    Parameters
    ----------
    name, pairs
        As for :func:`replication`.

    Returns
    -------
    DataFrame
        As of :func:`lib.papers.tomlinson2006.effects.effects`, in the order of the printed Table 2,
        and signs: "agree" or "differ" with the printed difference, or "inconclusive".
    """
    order = {label: MEASURES[label] for label in printed(2).index}
    found = effects(ours(name), pairs, order)
    return found.assign(signs=beside_printed(found["told"]))


def beside_printed(told: pd.Series) -> pd.Series:
    """Say whether what can be told of measures is what the paper prints: no change differs."""
    paper = np.sign(printed(2)["difference"]).reindex(told.index).map({-1: FALLS, 1: RISES})
    signs = (told == paper).map({True: "agree", False: "differ"})
    return signs.where(told != INCONCLUSIVE, INCONCLUSIVE)


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
        (ours, difference with its 95% interval over topics), (ours, counts), and (signs, "")
        "agree", "differ", or "inconclusive".  The counts are ns no z po ps.
    """
    paper, found = printed(2), changes(name, **options)
    columns = {
        ("paper", "difference"): paper["difference"].map(lambda x: minus_signs(f"{x:+.3f}")),
        ("paper", "ns no z po ps"): five(paper),
        ("ours", "difference [95% over topics]"): in_words(found),
        ("ours", "ns no z po ps"): five(counts(replication(name, **options))),
        ("signs", ""): found["signs"],
    }
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
        One row a collection, and one of all four pooled: topics, and what
        :func:`counted_signs` counts.
    """
    rows: dict[str, dict[str, int | str]] = {}
    for name in (*COLLECTIONS, POOLED, *COUNTER_EXAMPLES):
        topics = sum(len(collection.topics) for collection in ours(name))
        rows[TITLES.get(name, name)] = {"topics": topics, **counted_signs(changes(name, **options))}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def counted_signs(found: pd.DataFrame) -> dict[str, int | str]:
    """Count the measures whose mean difference has the sign of the printed one.

    Parameters
    ----------
    found : DataFrame
        Columns difference and told, index the labels of the 30 measures.

    Returns
    -------
    dict
        agree (of 30, by the sign alone), differ (names); and by the interval over topics: told to
        agree, told to differ (names; no change on any topic differs), cannot be told.
    """
    paper = printed(2)["difference"]
    signs = beside_printed(found["told"]).reindex(paper.index)
    same = np.sign(found["difference"].round(10)).reindex(paper.index) == np.sign(paper)
    return {
        "agree": int(same.sum()),
        "differ": ", ".join(MEASURES[label] for label in same.index[~same]),
        "told to agree": int((signs == "agree").sum()),
        "told to differ": ", ".join(MEASURES[label] for label in signs.index[signs == "differ"]),
        INCONCLUSIVE: int((signs == INCONCLUSIVE).sum()),
    }


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
        Columns source, measure ("Success@k" or "P@k"), k, difference (mean over the systems), low
        and high: its 95% interval over topics, which nobody knows of the paper's.
    """
    paper, unknown = printed(2)["difference"], (np.nan, np.nan)
    rows = [
        ("paper", kind, int(label[1:]), paper[label], *unknown)
        for kind, letter in (("Success@k", "S"), ("P@k", "P"))
        for label in paper.index
        if label[0] == letter and label[1:].isdecimal()
    ]
    # Success@1 is P@1: one number, of both kinds.
    rows.append(("paper", "P@k", 1, paper["S1"], *unknown))
    for name in names:
        for kind in ("Success@k", "P@k"):
            chosen = {str(k): kind.replace("k", str(k)) for k in at}
            found = effects(ours(name), PAIRS, chosen)[["difference", "low", "high"]]
            source = TITLES.get(name, name)
            rows += [(source, kind, k, *found.loc[str(k)]) for k in at]
    table = pd.DataFrame(rows, columns=["source", "measure", "k", "difference", "low", "high"])
    return table.sort_values(["source", "measure", "k"], kind="stable", ignore_index=True)
