"""Thirty years of TREC: how alike two measures rank the runs of each task, by official means.

NIST published the means of each run over the topics of its task.  They say how measures agree on
that task's topics, and how far other runs would move it; of other topics they say nothing.
"""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.statistics.correlation import kendall, tau_ap
from lib.statistics.jackknife import topic_jackknife
from lib.studies.committed import read

# As the pages print them, and as the book writes them.  What early tracks print as P_10 is P@15.
MEASURES = {
    "P_10": "P@10",
    "recip_rank": "RR",
    "ndcg_cut_10": "nDCG@10",
    "ndcg": "nDCG",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "map": "AP",
}
LEAST = 20  # runs of a task
KEY = ["track", "task"]
# Whose nDCG was not made from the labels of the other measures: tasks.csv says what was found.
OTHER_LABELS = {(f"trec{year}/deep", "passages"): ["nDCG@10", "nDCG"] for year in (29, 30, 31)}
TERABYTE = ("trec15/terabyte", "adhoc")  # Thom and Scholer's collection


@cache
def tasks() -> pd.DataFrame:
    """Return the listed tasks: the summary that is used and why, year, kind, runs, participants.

    Examples
    --------
    >>> print(*tasks().loc[("trec8/adhoc", ""), ["year", "kind", "runs"]])
    1999 ad hoc 129
    """
    listed = read("trec", "tasks").fillna({"task": "", "collection": ""}).set_index(KEY)
    of = _means().groupby(KEY)
    return listed.assign(runs=of.size(), participants=of["participant"].nunique())


@cache
def _means():
    return read("trec", "means").fillna({"task": "", "participant": ""})


def means(track: str, task: str = "", *, type: str | None = None) -> pd.DataFrame:
    """Return the official means of a task's runs by the measures that can be compared.

    Left out is a measure that some runs lack, that is the same for all of them, or that was made
    from other labels.  ``type`` keeps runs of one type alone.

    Examples
    --------
    >>> means("trec15/terabyte", "adhoc", type="automatic").shape
    (61, 4)
    """
    table = _of(track, task, type)
    return table[[name for name in table if _comparable(track, task, table[name])]]


def _of(track, task, type):
    rows = _means()
    rows = rows[(rows["track"] == track) & (rows["task"] == task)]
    rows = rows if type is None else rows[rows["type"] == type]
    return rows.set_index("run").loc[:, "P@15":]


def _comparable(track, task, column):
    """Return whether a measure of a task can be compared with its others."""
    others = column.name in OTHER_LABELS.get((track, task), ())
    return column.notna().all() and column.nunique() > 1 and not others


def agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Return how alike each two measures rank the runs of a table, with the errors over runs.

    ``tau`` is tau-b, since printed means tie; ``tau_ap`` is symmetric.  An error is that of the
    jackknife that leaves out one run at a time: how far other runs like these would move it.

    Examples
    --------
    >>> agreement(means("trec15/terabyte", "adhoc")).round(3).loc[("RR", "AP"), "tau"].item()
    0.35
    """
    rows = []
    for one, other in combinations(table, 2):
        x, y = table[one].to_numpy(), table[other].to_numpy()

        def both(without, x=x, y=y):
            x, y = np.delete(x, without), np.delete(y, without)
            return np.array([kendall(x, y, variant="b"), tau_ap(x, y, symmetric=True)])

        result = topic_jackknife(both, len(table))
        rows.append((one, other, *np.column_stack([result.estimate, result.error]).ravel()))
    columns = ["one", "other", "tau", "tau_error", "tau_ap", "tau_ap_error"]
    return pd.DataFrame(rows, columns=columns).set_index(["one", "other"])


def everything() -> pd.DataFrame:
    """Return `agreement` on every listed task; and on Terabyte 2006's automatic runs alone."""
    tables = {(track, task, "all"): means(track, task) for track, task in tasks().index}
    terabyte = ("trec15/terabyte", "adhoc")
    tables[*terabyte, "automatic"] = means(*terabyte, type="automatic")
    found = pd.concat({key: agreement(table) for key, table in tables.items()}, names=[*KEY, "of"])
    return found.round(6).reset_index()


@cache
def committed() -> pd.DataFrame:
    """Return what `everything` found, as it is committed, by task and pair of measures."""
    table = read("trec", "agreement").fillna({"task": ""})
    return table.set_index([*KEY, "of", "one", "other"]).sort_index()


def of_pair(one: str, other: str, statistic: str = "tau", *, of: str = "all") -> pd.DataFrame:
    """Return a row a task that has both measures: the statistic and its interval over runs.

    The interval is symmetric in Fisher's z, so that it stays within -1 and 1.  ``below`` is the
    share of the other listed tasks whose value is lower: of these tasks, and of no population.

    Examples
    --------
    >>> of_pair("P@10", "AP")["tau"].median().round(2).item()
    0.77
    """
    rows = committed().xs((of, one, other), level=["of", "one", "other"])
    rows = tasks().join(rows[[statistic, f"{statistic}_error"]], how="inner")
    value = rows[statistic]
    reach = student.ppf(0.975, rows["runs"] - 1) * rows[f"{statistic}_error"] / (1 - value**2)
    low, high = np.tanh(np.arctanh(value) - reach), np.tanh(np.arctanh(value) + reach)
    every = of_pair(one, other, statistic)[statistic] if of != "all" else value
    below = [every.drop(index=key).lt(value[key]).mean() for key in rows.index]
    return rows.assign(low=low, high=high, below=below)


def by_kind(one: str, other: str) -> pd.DataFrame:
    """Return tau of two measures by kind of task: how many tasks, the middle one, the extremes.

    Examples
    --------
    >>> by_kind("P@10", "AP")["tasks"].sum().item()
    84
    """
    taus = of_pair(one, other).groupby("kind")["tau"]
    table = taus.agg(tasks="size", median="median", lowest="min", highest="max")
    return table.sort_values("median")


def goes_with(one: str, other: str) -> pd.Series:
    """Return Spearman's correlation of tau over tasks with year, runs and participants."""
    rows = of_pair(one, other)
    return rows[["year", "runs", "participants"]].corrwith(rows["tau"], method="spearman")
