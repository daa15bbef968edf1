"""Who judged, what they said of the same documents, and the collection that each judge makes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from chapters.data_tables import read
from lib.collection import Collection, load, read_qrels, read_run
from lib.collection.trec import run_files
from lib.errors import InputError
from lib.estimates import Estimate
from lib.measures import Scores, complete_scores
from lib.paths import AnyPath
from lib.two_judges import Qrels, agreement, of_counts, weighted_kappa

_Function = TypeVar("_Function", bound=Callable[..., Any])

TRACKS = {"dl19": "DL 2019", "dl20": "DL 2020", "dl21": "DL 2021"}
PEOPLE = "people"
SECOND = ("second 1", "second 2")  # people who judged again: the first and the second of each pair
NEWER = "newer"  # the group of runs that were made years after the track
MEASURES: tuple[str, ...] = ("AP", "nDCG@10", "P@10", "RR")
# Which documents a judge is asked of; all other ones are not relevant, or left out of the lists.
ALL, JUDGED_ONLY = "all documents", "judged documents alone"
ZERO, LEFT_OUT = "the others not relevant", "the others left out"


MISSING = -1  # the grade of what a judge skipped

_own: dict[str, tuple[Collection, pd.DataFrame]] = {}  # tracks with judges of one's own
_own_scales: dict[str, dict[str, int]] = {}
_remembered: list[Any] = []  # what must be computed anew when a judge is added


def remembered(function: _Function) -> _Function:
    """Cache a function's results until a judge is added."""
    _remembered.append(cache(function))
    return _remembered[-1]


@remembered
def every_judge(track: str) -> Collection:
    """Return a track's runs; the grade of a document is a code of what all judges say of it."""
    return _own[track][0] if track in _own else load(f"judges/{track}")


@remembered
def codes(track: str) -> pd.DataFrame:
    """Return the grade that each judge (column) gives the documents of each code (row)."""
    if track in _own:
        return _own[track][1]
    return read("judges", f"codes-{track}").set_index("code")


@remembered
def scales() -> pd.DataFrame:
    """Return the judges: from which grade on a document is relevant, and the highest grade."""
    stored = read("judges", "judges").set_index("judge")
    return pd.concat([stored, pd.DataFrame.from_dict(_own_scales, orient="index")])


def add_judge(
    track: str, judge: str, qrels: AnyPath, runs: AnyPath, *, relevant_from: int = 1
) -> None:
    """Let a judge of one's own take part in all that follows; the book's data stay as they are.

    ``qrels`` is a file of TREC, with what the judge says of the documents of one of :data:`TRACKS`;
    ``runs`` the folder of the track's runs as submitted, which have the names of the documents.  An
    InputError says that there is no such track, that a judge of this name is there already, or that
    the judge has no document of the runs.
    """
    if track not in TRACKS:
        raise InputError(f"no track {track!r} for a judge; there are {', '.join(TRACKS)}")
    if judge in scales().index:
        raise InputError(f"there is a judge {judge!r} already: name yours otherwise")
    judgements = read_qrels(qrels)
    _own[track] = with_judge(every_judge(track), codes(track), judge, judgements, run_files(runs))
    highest = max(max(of.values()) for of in judgements.values())
    _own_scales[judge] = {"relevant_from": relevant_from, "highest": highest}
    for function in _remembered:
        function.cache_clear()


def with_judge(
    every: Collection, known: pd.DataFrame, judge: str, qrels: Qrels, runs: Mapping[str, Path]
) -> tuple[Collection, pd.DataFrame]:
    """Return a collection and the table of its codes with one judge more."""
    its_codes = known.loc[every.relevant["grade"]]
    names = zip(every.topics.index[every.relevant["topic"]], document_names(every, runs))
    grades = [qrels.get(topic, {}).get(name, MISSING) for topic, name in names]
    if set(grades) == {MISSING}:
        raise InputError(f"{judge} judged no document that these runs of {every.name} found")
    code, table = numbered(its_codes.assign(**{judge: grades}).reset_index(drop=True))
    relevant = every.relevant.assign(grade=code)
    keys = ["topic", "document"]
    hits = every.hits.drop(columns="grade").merge(relevant[[*keys, "grade"]], how="left", on=keys)
    return replace(every, relevant=relevant, hits=hits[[*every.hits]]), table


def numbered(answers: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """Number the rows of what judges say, from 1 in the order of the grades."""
    known = answers.drop_duplicates().sort_values([*answers], ignore_index=True)
    known.index = pd.RangeIndex(1, len(known) + 1, name="code")
    return answers.merge(known.reset_index(), how="left")["code"].to_numpy(), known


def document_names(collection: Collection, runs: Mapping[str, Path]) -> list[bytes | None]:
    """Return the name of each row of a collection's documents; None where no run found it."""
    hits, topics, names = collection.hits, collection.topics.index, {}
    for system, run in enumerate(collection.systems.index):
        if run not in runs:
            continue
        lists = read_run(runs[run])
        for hit in hits[hits["system"] == system].itertuples():
            names[hit.topic, hit.document] = lists[topics[hit.topic]][hit.rank - 1]
    rows = collection.relevant[["topic", "document"]]
    return [names.get(row) for row in rows.itertuples(index=False, name=None)]


def machines(track: str) -> list[str]:
    """Return the machines that judged a track.

    >>> machines("dl19")
    ['UMBRELA', 'GPT-4o', 'Llama 3.2', 'EXAM']
    """
    return [judge for judge in codes(track) if judge not in (PEOPLE, *SECOND)]


@remembered
def judged_again(track: str) -> pd.Series:
    """Return of each code whether both second people have graded its documents."""
    if track not in TRACKS or SECOND[0] not in codes(track):
        raise InputError(f"{track}: no second people judged it; they judged dl19")
    return (codes(track)[[*SECOND]] >= 0).all(axis=1)


@cache
def judged_by(track: str, judge: str, on: str = ALL, *, newer: bool = False) -> Collection:
    """Return a track's runs as one judge sees them; what this judge skipped is unjudged.

    ``on`` says of which documents the judge is asked, and what becomes of others: :data:`ALL`,
    :data:`JUDGED_ONLY`, :data:`ZERO` or :data:`LEFT_OUT`.  ``newer`` takes the newer runs in place
    of those that were submitted.

    Examples
    --------
    >>> judged_by("dl19", "people").retrieved.shape == load("dl19").retrieved.shape
    True
    """
    if judge not in codes(track):
        raise InputError(f"{track}: {judge} did not judge it; {', '.join(codes(track))} did")
    every, grade = every_judge(track), codes(track)[judge]
    which = (every.systems["group"] == NEWER) == newer
    every = every.select(systems=every.systems.index[which])
    if on in (ZERO, LEFT_OUT):
        grade = grade.where(judged_again(track), -1)
    if on in (JUDGED_ONLY, LEFT_OUT):
        every = _condensed(every, grade.index[grade >= 0] if on == LEFT_OUT else grade.index)
    cut, highest = map(int, scales().loc[judge, ["relevant_from", "highest"]])
    every = replace(every, name=f"{track} by {judge}", relevant_from=cut, highest_grade=highest)
    tables = {
        name: table.assign(grade=grade[table["grade"]].to_numpy(np.int32))
        for name, table in (("relevant", every.relevant), ("hits", every.hits))
    }
    every = replace(every, **tables, highest_judged=None)  # as these tables have it
    return every.rejudged((tables["relevant"]["grade"] > 0).to_numpy(), None)


def _condensed(every: Collection, kept: pd.Index) -> Collection:
    """Leave out of all lists what has none of some codes."""
    hits = every.hits[every.hits["grade"].isin(kept)]
    lists = hits.groupby(["topic", "system"])
    hits = hits.assign(rank=lists.cumcount() + 1)
    lengths = every.lists.set_index(["topic", "system"])["retrieved"]
    lengths = lists.size().reindex(lengths.index, fill_value=0).rename("retrieved").reset_index()
    return replace(every, hits=hits, lists=lengths)


@cache
def scores_by(
    track: str, judge: str, measure: str, on: str = ALL, *, newer: bool = False
) -> Scores:
    """Return the scores of a track's runs by one judge; for the rest see :func:`judged_by`."""
    return complete_scores(judged_by(track, judge, on, newer=newer), measure)


def all_tracks(table_of: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return a table of each track, one below the other."""
    tables = {title: table_of(track) for track, title in TRACKS.items()}
    return pd.concat(tables, names=["track"])


@cache
def labels(track: str, judge: str, on: str = ALL, beside: str = PEOPLE) -> np.ndarray:
    """Count the documents that two have judged: by topic, the other's grade and the judge's.

    The other is the people of the track, unless another judge is named.

    Examples
    --------
    >>> int(labels("dl19", "UMBRELA").sum())
    9260
    """
    every, answers = every_judge(track), codes(track)[[beside, judge]]
    if on == ZERO:
        answers = answers.assign(**{judge: answers[judge].where(judged_again(track), 0)})
    elif on == LEFT_OUT:
        answers = answers.where(judged_again(track), -1)
    grades = answers.loc[every.relevant["grade"]].to_numpy()
    both = (grades >= 0).all(axis=1)
    other, own = scales().loc[[beside, judge], "highest"]
    cells = np.zeros((len(every.topics), other + 1, own + 1))
    np.add.at(cells, (every.relevant["topic"].to_numpy()[both], *grades[both].T), 1)
    return cells


def _yes_and_no(cells: np.ndarray, judge: str, beside: str = PEOPLE) -> pd.DataFrame:
    """Count by topic what people, or another, and a judge call relevant, by their own cut-offs."""
    ours, theirs = scales().loc[[beside, judge], "relevant_from"]
    counts = {
        f"{label} {by}": part.sum(axis=(1, 2))
        for label, of in zip(("no", "yes"), np.split(cells, [ours], axis=1))
        for by, part in zip(("no", "yes"), np.split(of, [theirs], axis=2))
    }
    return pd.DataFrame(counts)


def kappa(track: str, judge: str, on: str = ALL, beside: str = PEOPLE) -> Estimate:
    """Return Cohen's kappa of a judge and the people, or another, each by their own cut-off.

    >>> round(kappa("dl21", "UMBRELA").value, 2)
    0.47
    """
    counts = _yes_and_no(labels(track, judge, on, beside), judge, beside)
    by_topic = counts[["yes yes", "yes no", "no yes", "no no"]].to_numpy().reshape(-1, 2, 2)
    return of_counts(by_topic, weighted_kappa)


def label_agreement(track: str, judge: str) -> pd.DataFrame:
    """Say how far a judge's labels agree with the people's, with intervals over topics.

    Rows are those of :func:`lib.two_judges.agreement`, with people as A and each judge's own
    cut-off, and ``weighted kappa`` where the judge has the people's scale.

    Examples
    --------
    >>> label_agreement("dl21", "UMBRELA").loc["kappa", "estimate"].round(2)
    np.float64(0.47)
    """
    cells = labels(track, judge)
    table = agreement(_yes_and_no(cells, judge))
    if cells.shape[1] == cells.shape[2]:
        table.loc["weighted kappa"] = of_counts(cells, weighted_kappa).interval().row()
    return table


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
        by_grade = labels(track, judge).sum(axis=0)
        yes = by_grade[:, scales()["relevant_from"][judge] :]
        rows[judge] = yes.sum(axis=1) / by_grade.sum(axis=1)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge")
