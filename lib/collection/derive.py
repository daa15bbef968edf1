"""Derive a Collection from runs and relevance judgements, one run at a time."""

import warnings
from pathlib import Path

from tqdm import tqdm

from lib.collection import strict, swift
from lib.collection.collection import Collection
from lib.collection.derivation import Derivation, natural
from lib.collection.facts import read_systems
from lib.collection.trec import read_qrels, run_files
from lib.errors import InputError, InputWarning
from lib.paths import AnyPath

__all__ = ["derive"]


def derive(
    runs: AnyPath,
    qrels: AnyPath,
    *,
    systems: AnyPath | None = None,
    name: str | None = None,
    rel: int = 1,
    scores: str = "double",
    judged: bool = False,
    jobs: int | None = None,
) -> Collection:
    """Derive a collection from TREC files.

    Memory holds the judgements, the hits, eight bytes or so for each document of the pools, and
    one run at a time.

    Parameters
    ----------
    runs : path
        A folder of run files, one a system.
    qrels : path
        A qrels file.  Its topics are the collection's: lists of other topics are passed over, as
        trec_eval does.
    systems : path, optional
        A table of the systems, see :func:`lib.collection.read_systems`.
    name : str, optional
        Name of the collection, by default the name of the runs' folder.
    rel : int
        The lowest grade that counts as relevant, 1 or more.  Documents of a lower grade are judged
        non-relevant and lose their grade; the others keep theirs, for the measures that use it.
    scores : {"double", "single"}
        Precision in which scores are compared, see :func:`lib.collection.read_run`.
    judged : bool
        Keep the ranks of the judged non-relevant documents too.
    jobs : int, optional
        Runs read at a time, as ``n_jobs`` of joblib, whose ``parallel_config`` can point to other
        machines that see the files.  The collection does not depend on it.

    Returns
    -------
    Collection

    Raises
    ------
    InputError
        Input that cannot be used, with file, line and reason.

    Warns
    -----
    InputWarning
        Topics that some run answers and nobody has judged; judged topics that no run answers.
    """
    if rel < 1:
        raise InputError(f"rel must be 1 or more, not {rel}")
    if jobs == 0:
        raise InputError("jobs must be a number of processes, or -1, not 0")
    from joblib import Parallel  # here: `python -m lib --help` does not wait for it

    from lib.tasks import task

    files = run_files(runs)
    facts = None if systems is None else read_systems(systems)
    if facts is not None and (missing := [run for run in files if run not in facts.index]):
        raise InputError(f"{systems}: has no row for the run {missing[0]!r}")
    derivation = Derivation(read_qrels(qrels), facts=facts, rel=rel, judged=judged)
    known, answered, passed = set(derivation.topics), set(), set()
    tasks = (
        task(_matched, derivation.matching, path, scores, number)
        for number, path in enumerate(files.values())
    )
    done = Parallel(n_jobs=jobs, return_as="generator")(tasks)
    bar = tqdm(zip(files.items(), done), total=len(files), desc="runs", unit="run", disable=None)
    try:
        for (system, path), found in bar:
            if isinstance(found, InputError):
                raise found
            topics, matches = found
            if known.isdisjoint(topics):
                raise InputError(f"{path}: answers none of the {len(known)} topics of {qrels}")
            answered |= known & topics
            passed |= topics - known
            derivation.put(system, matches)
    finally:
        with warnings.catch_warnings(action="ignore"):  # what is still read was read for nothing
            done.close()
    _warn("topics that are answered but not judged are passed over", passed)
    _warn("topics that are judged but that no run answers score 0", known - answered)
    return Collection(name=name or Path(runs).resolve().name, **derivation.tables())


def _matched(matching, path, scores, number):
    """Return the topics of a run file, and what the tables take from their lists.

    An error is returned too: which file is the first with one does not depend on who is done first.
    """
    try:
        blocks = [
            (lists.topics, matching.rows(lists, number))
            for lists in swift.read_run(path, scores=scores)
        ]
    except swift.Doubt:
        try:
            lists = matching.numbers.lists(strict.read_run(path, scores=scores))
        except InputError as error:
            return error
        blocks = [(lists.topics, matching.rows(lists, number))]
    return {topic for topics, _ in blocks for topic in topics}, [rows for _, rows in blocks]


def _warn(what, topics):
    if topics:
        some = " ".join(sorted(topics, key=natural)[:5])
        some += f" ... ({len(topics)} in all)" if len(topics) > 5 else ""
        warnings.warn(f"{what}: {some}", InputWarning, stacklevel=3)
