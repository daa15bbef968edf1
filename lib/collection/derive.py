"""Derive a Collection from runs and relevance judgements, one run at a time.

Files that are odd but usable get a note: one line for each oddity of all runs together.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection as Container
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np

from lib import pandas_later as pd
from lib.collection.collection import Collection
from lib.collection.in_memory import are_paths, best_first, grades_of, is_path, named
from lib.collection.lists_to_tables import POOL_DEPTH, Derivation, Matching, by_number
from lib.collection.metadata import read_systems
from lib.collection.names import Judged, Lists, as_bytes, as_judged, as_lists, without_own_documents
from lib.collection.trec import read_judged, read_lists, run_files
from lib.errors import InputError, InputErrors, InputWarning
from lib.paths import AnyPath
from lib.tasks import progress, results, task

_MOST_JOBS, _MOST_GRADE = 1024, 2**31 - 1
_FEW = 5  # names that a note lists; neighbours in lists from which a habit can be told
HABITS = {
    "rising": "scores rise down every list, as distances do; the highest is read as the best",
    "level": "all scores of a list are equal; its order is that of the documents' names, and no "
    "rank column is read",
    "single": "scores differ beyond the 7th digit, where trec_eval 9 and pytrec_eval see ties; "
    "--scores single does so too",
}


@dataclass
class RunMatch:
    """How a run and the judgements fit together.

    ``respelt`` is a document that would be judged if its accents were spelt as in the judgements.
    """

    topics: set[str] = field(default_factory=set)  # that it answers
    rows: list[dict[str, np.ndarray]] = field(default_factory=list)  # of a collection's tables
    judged: int = 0  # documents
    example: tuple[str, bytes] | None = None  # a judged topic, and the document that is first there
    respelt: bytes = b""
    lists: int = 0  # a hash of all of them in their order
    # Of neighbours in a list: how many there are, and how many are as HABITS says.
    habits: dict[str, int] = field(default_factory=dict)


def derive(
    runs: Any,
    qrels: Any,
    *,
    systems: AnyPath | None = None,
    name: str | None = None,
    relevant_from: int = 1,
    highest_grade: int | None = None,
    scores: str = "double",
    judged: bool = False,
    pools: bool = True,
    skip: Sequence[str] = (),
    skip_faulty: bool = False,
    names: str = "file",
    without_own: bool = False,
    jobs: int | None = None,
) -> Collection:
    r"""Derive a collection from files, or from what is in memory.

    Memory holds the judgements, the hits, eight bytes or so for each document of the pools, and
    one run at a time.

    Parameters
    ----------
    runs : path, DataFrame, dict, or object that has one; or several
        A folder of run files, one a system, or a run file.  A frame with the columns of PyTerrier
        (qid, docno, score), ir_measures (query_id, doc_id, score), ranx or TREC.  Topic to document
        to score, as pytrec_eval, BEIR and ranx have it, or to documents, best first.  What has
        ``to_dict`` or ``to_pandas``, such as ranx.Run.  Several: a list of paths, or a dict of
        names; the column ``run`` or ``system`` of a frame names them too.
    qrels : path, DataFrame, dict, or object that has one
        Judgements, likewise (label, relevance or grade).  Their topics are the collection's: lists
        of other topics are passed over, as trec_eval does.
    systems : path, optional
        A table of the systems, see :func:`lib.collection.read_systems`.
    name : str, optional
        Name of the collection, by default that of the runs' folder, or of the judgements.
    relevant_from : int
        The lowest grade that binary measures count as relevant, 1 or more; gains are of all grades.
    highest_grade : int, optional
        The highest grade of the scale: RBP with graded gains divides by it, and ERR takes 4 where
        none is stated, as TREC's gdeval does; above 4 it must be stated for them.
    scores : {"double", "single"}
        Precision in which scores are compared, see :func:`lib.collection.read_run`.
    judged : bool
        Keep the ranks of the judged non-relevant documents too.
    pools : bool
        Count the documents of the pools of all depths.  A collection that is scored and not saved
        needs no such table, which of 100,000 topics takes half of the memory.
    skip : sequence of str
        Runs that are left out, by the name of the file or of the system.
    skip_faulty : bool
        Leave out the runs that cannot be used, as long as some can be; what is left out, and why,
        is the collection's ``skipped_runs``.
    names : {"file", "clean"}
        What names a system, see :func:`lib.collection.trec.system_name`.
    without_own : bool
        Leave out of each list a document that is named like its topic, as BEIR's tools do for
        ArguAna.
    jobs : int, optional
        Runs read at a time, as ``n_jobs`` of joblib, whose ``parallel_config`` can point to other
        machines that see the files.  The collection does not depend on it.

    Returns
    -------
    Collection
        With the topics of ``qrels`` and a system for each run.

    Raises
    ------
    InputError
        Input that cannot be used, with file, line and reason; of several faulty runs, the first
        fault of each.

    Warns
    -----
    InputWarning
        Topics that a run answers and no one has judged; judged topics that no run answers; no
        relevant document at all; what is left out.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run, qrels = Path(folder) / "A", Path(folder) / "qrels.txt"
    ...     _ = run.write_text("1 Q0 x 1 0.9 A\n1 Q0 r 2 0.8 A\n")
    ...     _ = qrels.write_text("1 0 r 1\n1 0 x 0\n")
    ...     derive(run, qrels, name="mine")
    Collection('mine': 1 systems, 1 topics, 1 relevant documents, 1 hits)
    """
    _refuse_numbers(relevant_from, highest_grade, jobs)
    files, sources = _sources(runs, names, skip, scores)
    judges, judgements = _judgements(qrels)
    metadata = _metadata(systems, files)
    derivation = Derivation(judgements, metadata=metadata, judged=judged, pools=pools)
    if highest_grade is not None and (grade := derivation.highest_grade()) > highest_grade:
        raise InputError(f"{judges}: has grade {grade}, above {highest_grade}")
    faults, used = dict[str, str](), dict[str, RunMatch]()
    matched = _all_matched(derivation, sources, scores, without_own, jobs)
    for (system, path), match in zip(files.items(), matched):
        if isinstance(match, RunMatch) and match.topics.isdisjoint(derivation.topics):
            mine, theirs = _topics(match.topics), _topics(derivation.topics)
            match = InputError(f"{path}: answers no topic of {judges}: it has {mine}, not {theirs}")
        if isinstance(match, InputError):
            faults[system] = str(match).replace(str(path.absolute()), str(path))
            continue
        derivation.put(system, match.rows)
        used[system], match.rows = match, []
    if faults and not (skip_faulty and len(faults) < len(files)):
        raise _told(faults, len(files))
    skipped = dict.fromkeys(skip, "left out by name")
    skipped |= {run: why.replace(str(files[run]), files[run].name) for run, why in faults.items()}
    notes_on_runs(used, judgements.documents, derivation.highest_grade(), relevant_from)
    if skipped:
        words = "; ".join(f"{system} ({why})" for system, why in skipped.items())
        warnings.warn(f"left out: {words}", InputWarning, stacklevel=2)
    return Collection(
        name=name or [Path(x).resolve().name for x in (runs, qrels, "runs") if is_path(x)][0],
        relevant_from=relevant_from,
        highest_grade=highest_grade,
        skipped_runs=skipped,
        **derivation.tables(),
    )


def _refuse_numbers(relevant_from: int, highest_grade: int | None, jobs: int | None) -> None:
    """Refuse a threshold or a scale that no judgements could have, and no processes."""
    if jobs is not None and (jobs == 0 or not -1 <= jobs <= _MOST_JOBS):
        raise InputError(
            f"jobs must be a number of processes up to {_MOST_JOBS}, or -1, not {jobs}"
        )
    if not 1 <= relevant_from <= _MOST_GRADE:
        raise InputError(f"relevant_from must be 1 to {_MOST_GRADE}, not {relevant_from}")
    if highest_grade is not None and not relevant_from <= highest_grade <= _MOST_GRADE:
        raise InputError(
            f"highest_grade must be {relevant_from} to {_MOST_GRADE}, not {highest_grade}"
        )


def _judgements(qrels: Any) -> tuple[Any, Judged]:
    """Return what a message calls the judgements, and the judgements."""
    if is_path(qrels):
        return qrels, read_judged(qrels)
    return "the judgements", as_judged(grades_of(qrels))


def _sources(
    runs: Any, names: str, skip: Container[str], scores: str
) -> tuple[dict[str, Path], Sequence[Path | Lists]]:
    """Return where each run is from, by its name, and its file or its lists."""
    if are_paths(runs):
        files = run_files(runs, names=names, skip=skip)
        return files, [path.absolute() for path in files.values()]
    held = {name: of for name, of in sorted(named(runs, "runs").items()) if name not in skip}
    lists = [best_first(of, single=scores == "single") for of in held.values()]
    return {name: Path(name) for name in held}, lists


def _metadata(path: AnyPath | None, files: Iterable[str]) -> pd.DataFrame | None:
    """Return a table of systems that has a row for each run."""
    if path is None:
        return None
    metadata = read_systems(path)
    if missing := [run for run in files if run not in metadata.index]:
        which = f"the run{'s' * (len(missing) > 1)} {', '.join(map(repr, missing))}"
        raise InputError(f"{path}: has no row for {which}")
    return metadata


def _told(faults: Mapping[str, str], of: int) -> InputError:
    """Return what is wrong with the runs: the first fault of each, all at once."""
    if len(faults) == 1:
        return InputError(*faults.values())
    return InputErrors(
        *faults.values(),
        f"{len(faults)} of {of} runs are faulty; --skip NAME leaves out one, --skip-faulty all "
        "of them",
    )


def _all_matched(
    derivation: Derivation,
    sources: Sequence[Path | Lists],
    scores: str,
    without_own: bool,
    jobs: int | None,
) -> list[RunMatch | InputError]:
    """Return what each run has to do with the judgements, in their order."""
    tasks = (
        # Workers that are kept from an earlier call may stand in another folder.
        task(_matched, derivation.matching, source, scores, without_own, number)
        for number, source in enumerate(sources)
    )
    done = results(tasks, jobs)
    try:
        return list(progress(done, "run", len(sources)))
    finally:
        with warnings.catch_warnings(action="ignore"):  # what is still read was read for nothing
            done.close()


def _matched(
    matching: Matching, run: Path | Lists, scores: str, without_own: bool, number: int
) -> RunMatch | InputError:
    """Return what a run has to do with the judgements.

    An error is returned too: the other runs are read all the same.
    """
    try:
        blocks = [run] if isinstance(run, Lists) else read_lists(run, scores=scores)
    except InputError as error:
        return error
    match = RunMatch()
    for lists in map(without_own_documents, blocks) if without_own else blocks:
        rows = matching.rows(lists, number)
        match.rows.append(rows)
        match.topics.update(lists.topics)
        match.judged += len(rows["judged documents"])
        place = 2 * np.arange(len(lists.keys), dtype=np.uint64) + np.uint64(1)
        place -= np.repeat(2 * lists.bounds[:-1], np.diff(lists.bounds)).astype(np.uint64)
        match.lists += int((lists.keys * place).sum())
        for habit, count in lists.habits.items():
            match.habits[habit] = match.habits.get(habit, 0) + count
        known = [n for n, topic in enumerate(lists.topics) if topic in matching.topic_code]
        if known and match.example is None and lists.bounds[known[0] + 1] > lists.bounds[known[0]]:
            match.example = lists.topics[known[0]], _first(lists, known[0])
        match.respelt = match.respelt or _respelt(matching, lists)
    return match


def _first(lists: Lists, topic: int) -> bytes:
    """Return the first document of a list."""
    at = lists.bounds[topic]
    return bytes(as_bytes(lists.names[:, at : at + 1])[0])


def _respelt(matching: Matching, lists: Lists) -> bytes:
    """Return a document that is judged under another spelling of its accents, or nothing."""
    beyond_ascii = np.uint64(0x8080808080808080)
    if not np.bitwise_or.reduce(lists.names, axis=None) & beyond_ascii:
        return b""
    accents = np.flatnonzero((lists.names & beyond_ascii).any(axis=0))
    accents = accents[: 10 * POOL_DEPTH]  # enough to tell
    topics = np.searchsorted(lists.bounds, accents, side="right") - 1
    for topic, name in zip(topics, as_bytes(lists.names[:, accents])):
        text = name.decode("utf-8", "ignore")
        others = {normalize(form, text).encode() for form in ("NFC", "NFD")}
        others |= {name.decode("latin-1").encode(), text.encode("latin-1", "ignore")}
        spellings = as_lists({lists.topics[topic]: [name, *(others - {name})]})
        judged = matching.rows(spellings, 0)["judged documents"]
        if len(judged) and 0 not in judged:
            return bytes(name)
    return b""


def notes_on_runs(
    matches: Mapping[str, RunMatch], judged: Lists, highest: int, lowest: int
) -> None:
    """Warn of what is odd about the runs of a collection, each thing once for all of them."""
    topics = set(judged.topics)
    answered = set().union(*(one.topics for one in matches.values()))
    passed = {name: one.topics - topics for name, one in matches.items()}
    if extra := set().union(*passed.values()):
        runs = some([name for name, others in passed.items() if others])
        _note(
            f"topics that are answered but not judged are passed over: {_topics(extra)}, by {runs}"
        )
    if unanswered := topics - answered:
        _note(f"topics that are judged but that no run answers score 0: {_topics(unanswered)}")
    note_on_gaps({name: answered & topics - one.topics for name, one in matches.items()})
    strangers = {
        name: one.example for name, one in matches.items() if not one.judged and one.example
    }
    for topic, document in list(strangers.values())[:1]:
        theirs = _first(judged, judged.topics.index(topic))
        _note(
            f"none of the documents of {some(list(strangers))} is judged: in topic {topic} a run "
            f"has {_text(document)}, the judgements have {_text(theirs)}"
        )
    if respelt := {name: one.respelt for name, one in matches.items() if one.respelt}:
        _note(
            f"{some(list(respelt))}: judged documents have other bytes for the accents of their "
            f"names (Unicode NFC, NFD, Latin-1), such as {_text(next(iter(respelt.values())))}"
        )
    twins: dict[int, list[str]] = {}
    for name, one in matches.items():
        twins.setdefault(one.lists, []).append(name)
    for names in twins.values():
        if len(names) > 1:
            _note(f"{some(names)} have the same lists")
    for habit, words in HABITS.items():
        if names := [name for name, one in matches.items() if _has(habit, one.habits)]:
            _note(f"{some(names)}: {words}")
    if highest < lowest:
        _note(
            f"no document is judged relevant (of grade {lowest} or more): nothing can be told apart"
        )


def note_on_gaps(missing: Mapping[str, Container[str]]) -> None:
    """Warn of runs that miss topics which others answer: run to topics."""
    gaps = {name: _topics(topics) for name, topics in missing.items() if len(topics)}
    if gaps:
        listed = some([f"{name} misses {topics}" for name, topics in gaps.items()], "; ")
        _note(
            "topics that are judged but that a run does not answer score 0 (--topics answered "
            f"leaves them out): {listed}",
            by=5,
        )


def some(names: Sequence[str], between: str = " ") -> str:
    """Return the first few names, and how many there are.

    >>> some(list("ABCDEFG"))
    'A B C D E ... (7 in all)'
    """
    more = f" ... ({len(names)} in all)" if len(names) > _FEW else ""
    return between.join(names[:_FEW]) + more


def _topics(topics: Iterable[str]) -> str:
    return some(sorted(topics, key=by_number))


def _text(document: bytes) -> str:
    return repr(document.decode("utf-8", "backslashreplace"))


def _has(habit: str, counts: Mapping[str, int]) -> bool:
    many = counts.get("neighbours", 0)
    if habit in ("rising", "level"):
        return many >= _FEW and counts[habit] == many
    return bool(counts.get(habit))


def _note(text: str, by: int = 4) -> None:
    """Warn whoever called what called the caller."""
    warnings.warn(text, InputWarning, stacklevel=by)
