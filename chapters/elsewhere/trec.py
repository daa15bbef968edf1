"""Thirty years of TREC: how alike two measures rank the runs of each task, by official means.

NIST published the means of each run over the topics of its task.  They say how measures agree on
that task's topics, and how far other runs would move it; of other topics they say nothing.
"""

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from chapters.data_tables import read
from lib.display import figures
from lib.display.figures import INK, PALE
from lib.intervals import Interval
from lib.statistics.correlation import kendall
from lib.statistics.jackknife import topic_jackknife

# As the pages print them, and as the book writes them.  Early tracks print P@15 as P_10.
MEASURES = {
    "P_10": "P@10",
    "recip_rank": "RR",
    "ndcg_cut_10": "nDCG@10",
    "ndcg": "nDCG",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "map": "AP",
}
TASK_KEY = ["track", "task"]
# Whose nDCG was not made from the labels of the other measures: tasks.csv says what was found.
_OTHER_LABELS = {(f"trec{year}/deep", "passages"): ["nDCG@10", "nDCG"] for year in (29, 30, 31)}
TERABYTE_TASK = ("trec15/terabyte", "adhoc")  # Thom and Scholer's collection
_BOOK = {"color": INK, "marker": "s", "markersize": 5}  # collections of the book
_OTHERS = {"color": PALE}


@cache
def tasks() -> pd.DataFrame:
    """Return the listed tasks: the summary that is used and why, year, kind, runs, participants.

    Examples
    --------
    >>> print(*tasks().loc[("trec8/adhoc", ""), ["year", "kind", "runs"]])
    1999 ad hoc 129
    """
    listed = read("trec", "tasks").fillna({"task": "", "collection": ""}).set_index(TASK_KEY)
    of = _means().groupby(TASK_KEY)
    return listed.assign(runs=of.size(), participants=of["participant"].nunique())


@cache
def _means() -> pd.DataFrame:
    return read("trec", "means").fillna({"task": "", "participant": ""})


def task_means(track: str, task: str = "", *, type: str | None = None) -> pd.DataFrame:
    """Return the official means of a task's runs by the measures that can be compared.

    Left out is a measure that some runs lack, that is the same for all of them, or that was made
    from other labels.  ``type`` keeps runs of one type alone.

    Examples
    --------
    >>> task_means("trec15/terabyte", "adhoc", type="automatic").shape
    (61, 4)
    """
    rows = _means().query("track == @track and task == @task")
    rows = rows if type is None else rows[rows["type"] == type]
    table = rows.set_index("run").loc[:, "P@15":]
    table = table.drop(columns=_OTHER_LABELS.get((track, task), []))
    return table.loc[:, table.notna().all() & (table.nunique() > 1)]


def rank_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Return how alike each two measures rank the runs of a table, with the errors over runs.

    ``tau`` is tau-b, since printed means tie.  Its error is that of the jackknife that leaves out
    one run at a time: how far other runs like these would move it.

    Examples
    --------
    >>> agreement = rank_agreement(task_means("trec15/terabyte", "adhoc"))
    >>> agreement.round(3).loc[("RR", "AP"), "tau"].item()
    0.35
    """
    rows = {}
    for pair in combinations(table, 2):
        x, y = table[[*pair]].to_numpy().T

        def tau(without: np.ndarray, x: np.ndarray = x, y: np.ndarray = y) -> float:
            return kendall(np.delete(x, without), np.delete(y, without), variant="b")

        interval = topic_jackknife(tau, len(table))
        rows[pair] = {"tau": float(interval.estimate), "tau_error": float(interval.error)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["one", "other"])


@cache
def committed_agreement() -> pd.DataFrame:
    """Return the committed `rank_agreement` on every task, by task and pair of measures."""
    table = read("trec", "agreement").fillna({"task": ""})
    return table.set_index([*TASK_KEY, "of", "one", "other"]).sort_index()


def of_pair(one: str, other: str, *, of: str = "all") -> pd.DataFrame:
    """Return a row a task that has both measures: tau and its interval over runs.

    The interval is symmetric in Fisher's z, so that it stays within -1 and 1.  ``below`` is the
    share of the other listed tasks whose tau is lower: of these tasks, and of no population.

    Examples
    --------
    >>> of_pair("P@10", "AP")["tau"].median().round(2).item()
    0.77
    """
    rows = committed_agreement().xs((of, one, other), level=["of", "one", "other"])
    rows = tasks().join(rows, how="inner")
    if of != "all":
        mine = _means().query("type == @of").groupby(TASK_KEY)
        rows = rows.assign(runs=mine.size(), participants=mine["participant"].nunique())
    tau = rows["tau"]
    z = Interval.of(np.arctanh(tau), rows["tau_error"] / (1 - tau**2), rows["runs"] - 1)
    every = of_pair(one, other)["tau"] if of != "all" else tau
    below = [every.drop(index=key).lt(tau[key]).mean() for key in rows.index]
    return rows.assign(low=np.tanh(z.low), high=np.tanh(z.high), below=below)


def quartiles() -> pd.DataFrame:
    """Return in words how many tasks and runs there are for each two measures, and tau's quartiles.

    >>> quartiles().loc["P@10 and AP", "median"]
    '0.767'
    """
    rows = {}
    for one, other in committed_agreement().index.droplevel([*TASK_KEY, "of"]).unique():
        table = of_pair(one, other)
        low, middle, high = (f"{tau:.3f}" for tau in table["tau"].quantile([0.25, 0.5, 0.75]))
        rows[f"{one} and {other}"] = {
            "tasks": f"{len(table)}",
            "runs": f"{table['runs'].sum():,}",
            "median": middle,
            "quartiles": f"{low} to {high}",
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def terabyte(measure: str) -> dict[str, str]:
    """Return where Thom and Scholer's collection stands, with all of its runs and without some."""
    rows = {of: of_pair(measure, "AP", of=of).loc[TERABYTE_TASK] for of in ("all", "automatic")}
    taus = {f"{measure} {of}": f"{row['tau']:.3f}" for of, row in rows.items()}
    return taus | {f"{measure} {of} below": f"{row['below']:.0%}" for of, row in rows.items()}


def name(track: str, task: str) -> str:
    """Return a task's name as readers see it.

    >>> name("trec15/terabyte", "adhoc"), name("trec-covid/round5", "")
    ('TREC-15 terabyte, adhoc', 'TREC-COVID round5')
    """
    place, what = track.split("/")
    place = place.upper() if "-" in place else f"TREC-{place.removeprefix('trec')}"
    return f"{place} {what}" + (f", {task}" if task else "")


def draw_tasks() -> figures.Figure:
    """Draw how alike P@10 and AP rank the runs of each task."""
    rows, early = of_pair("P@10", "AP"), of_pair("P@15", "AP")
    known = quartiles().loc["P@10 and AP"]
    with figures.subplots(height=3.8) as (drawing, axes):
        axes.axhline(rows["tau"].median(), **figures.REFERENCE)
        _draw(axes, rows)
        _draw(axes, early, markerfacecolor="white", markeredgewidth=1)
        _join(axes, rows.loc[TERABYTE_TASK], of_pair("P@10", "AP", of="automatic"))
        axes.set(xlabel="year", ylabel="Kendall's tau-b", xlim=(1992, 2024), ylim=(-0.05, 1.02))
    caption = (
        f"The median of tau-b of P@10 and AP is {known['median']} over {known['tasks']} tasks and "
        f"{known['runs']} runs"
    )
    data = pd.concat({"P@10": rows, "P@15": early}, names=["measure"])
    columns = ["year", "kind", "runs", "participants", "tau", "low", "high", "below"]
    return figures.Figure(
        drawing,
        data=data.sort_values(["year", *TASK_KEY])[columns],
        formats={"year": "d", "below": ".0%"},
        alt=f"A dot for each task by year. {caption}.",
        caption=f"{caption}. Dots: tasks, by official means; dotted: the median; squares: of the "
        "book's collections; joined: Terabyte 2006 and its automatic runs. Open: P@15 in place of "
        f"P@10, {len(early)} tasks.",
    )


def _draw(axes: Axes, rows: pd.DataFrame, **look: Any) -> None:
    """Draw a dot a task."""
    ours = rows["collection"] != ""
    for part, own in ((rows[~ours], _OTHERS), (rows[ours], _BOOK)):
        dots = {"names": [name(*key) for key in part.index], "words": _words(part)} | own | look
        if look:
            dots["markeredgecolor"] = own["color"]
        figures.draw_dots(axes, part["year"], part["tau"], tell="y", **dots)


def _words(rows: pd.DataFrame) -> list[str]:
    """Tell of each task what the axes do not say."""
    return [
        f"{row.year:.0f}; {row.runs} runs of {row.participants} participants; {row.kind}; over "
        f"runs {row.low:.2f} to {row.high:.2f}"
        for row in rows.itertuples()
    ]


def _join(axes: Axes, every: pd.Series, automatic: pd.DataFrame) -> None:
    """Draw the automatic runs of Terabyte 2006 beside all of them, and a line between the two."""
    automatic = automatic.loc[[TERABYTE_TASK]].assign(year=every["year"] + 0.4)
    (end,) = automatic.itertuples()
    axes.plot([every["year"], end.year], [every["tau"], end.tau], color=_BOOK["color"])
    beside: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "size": 9.5}
    axes.annotate("Terabyte 2006", (every["year"], every["tau"]), (-5, -10), **beside)
    names = [f"{name(*TERABYTE_TASK)}, its automatic runs"]
    words = _words(automatic)
    figures.draw_dots(axes, [end.year], [end.tau], names, tell="y", words=words, **_BOOK)
