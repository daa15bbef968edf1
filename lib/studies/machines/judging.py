"""Who judged, what they said of the same documents, and the collection that each judge makes."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import Scores, complete_scores
from lib.statistics.jackknife import jackknife
from lib.studies.committed import read
from lib.studies.judges import agreement, weighted_kappa

TRACKS = {"dl19": "DL 2019", "dl21": "DL 2021"}
PEOPLE = "people"
MEASURES = ("AP", "nDCG@10", "P@10", "RR")


@cache
def codes(track: str) -> pd.DataFrame:
    """Return the grade that each judge (column) gives the documents of each code (row)."""
    return read("judges", f"codes-{track}").set_index("code")


@cache
def scales() -> pd.DataFrame:
    """Return the judges: from which grade on a document is relevant, and the highest grade."""
    return read("judges", "judges").set_index("judge")


def machines(track: str) -> list[str]:
    """Return the machines that judged a track.

    >>> machines("dl19")
    ['UMBRELA', 'GPT-4o', 'Llama 3.2', 'EXAM']
    """
    return [judge for judge in codes(track) if judge != PEOPLE]


@cache
def judged(track: str, judge: str) -> Collection:
    """Return a track's runs as one judge sees them; what this judge skipped is unjudged.

    Examples
    --------
    >>> judged("dl19", "people").relevant.shape == load("dl19").relevant.shape
    True
    """
    every, grade = load(f"judges/{track}"), codes(track)[judge]
    scale = scales().loc[judge]
    tables = {
        name: table.assign(grade=grade[table["grade"]].to_numpy(np.int32))
        for name, table in (("relevant", every.relevant), ("hits", every.hits))
    }
    seen = replace(
        every,
        name=f"{track} by {judge}",
        relevant_from=int(scale["relevant_from"]),
        highest_grade=int(scale["highest"]),
        **tables,
    )
    return seen.rejudged((tables["relevant"]["grade"] > 0).to_numpy(), None)


@cache
def scored(track: str, judge: str, measure: str) -> Scores:
    """Return the scores of a track's runs by one judge."""
    return complete_scores(judged(track, judge), measure)


def both_tracks(table_of: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return a table of each track, one below the other."""
    tables = {title: table_of(track) for track, title in TRACKS.items()}
    return pd.concat(tables, names=["track"])


def labels(track: str, judge: str) -> pd.DataFrame:
    """Count documents by topic, the people's grade and the judge's: what both have judged.

    Examples
    --------
    >>> int(labels("dl19", "UMBRELA")["documents"].sum())
    9260
    """
    every = load(f"judges/{track}")
    of = every.relevant.groupby(["topic", "grade"]).size().rename("documents").reset_index()
    none = every.topics["judged"].to_numpy(int) - every.topics["relevant"].to_numpy(int)
    zero = pd.DataFrame({"topic": range(len(none)), "grade": 0, "documents": none})
    of = pd.concat([of, zero], ignore_index=True)
    both = codes(track).loc[of["grade"], [PEOPLE, judge]].set_axis(["people", "judge"], axis=1)
    of = pd.concat([of[["topic", "documents"]], both.reset_index(drop=True)], axis=1)
    of = of[(of["judge"] >= 0) & (of["people"] >= 0)]
    return of.groupby(["topic", "people", "judge"], as_index=False)["documents"].sum()


def label_agreement(track: str, judge: str) -> pd.DataFrame:
    """Say how far a judge's labels agree with the people's, with intervals over topics.

    Rows are those of :func:`lib.studies.judges.agreement`, with people as A and each judge's own
    cut-off, and ``weighted kappa`` where the judge has the people's scale.

    Examples
    --------
    >>> label_agreement("dl21", "UMBRELA").loc["kappa", "estimate"].round(2)
    np.float64(0.47)
    """
    table, (people, machine) = labels(track, judge), scales().loc[[PEOPLE, judge]].itertuples()
    cells = np.zeros((table["topic"].max() + 1, people.highest + 1, machine.highest + 1))
    cells[table["topic"], table["people"], table["judge"]] = table["documents"]
    no, yes = np.split(cells, [people.relevant_from], axis=1)
    counts = {
        f"{said} {by}": part.sum(axis=(1, 2))
        for said, of in (("yes", yes), ("no", no))
        for by, part in zip(("no", "yes"), np.split(of, [machine.relevant_from], axis=2))
    }
    found = agreement(pd.DataFrame(counts))
    if machine.highest == people.highest:
        whole = cells.sum(axis=0)
        kappa = jackknife(weighted_kappa(whole), [weighted_kappa(whole - topic) for topic in cells])
        found.loc["weighted kappa"] = kappa.row()
    return found


def all_labels(track: str) -> pd.DataFrame:
    """Return `label_agreement` of each machine."""
    tables = {judge: label_agreement(track, judge) for judge in machines(track)}
    return pd.concat(tables, names=["judge", "quantity"])


def grading(track: str) -> pd.DataFrame:
    """Return the share of documents that each judge calls relevant, by the people's grade.

    Examples
    --------
    >>> grading("dl21").loc["Llama 3.2", 0].round(2)
    np.float64(0.45)
    """
    rows = {}
    for judge in machines(track):
        table = labels(track, judge)
        yes = table["documents"].where(table["judge"] >= scales()["relevant_from"][judge], 0)
        by_grade = table.assign(yes=yes).groupby("people")[["yes", "documents"]].sum()
        rows[judge] = by_grade["yes"] / by_grade["documents"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge")
