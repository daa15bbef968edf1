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
    files = run_files(runs)
    facts = None if systems is None else read_systems(systems)
    if facts is not None and (missing := [run for run in files if run not in facts.index]):
        raise InputError(f"{systems}: has no row for the run {missing[0]!r}")
    derivation = Derivation(read_qrels(qrels), facts=facts, rel=rel, judged=judged)
    known, answered, passed = set(derivation.topics), set(), set()
    for system, path in tqdm(files.items(), desc="runs", unit="run", disable=None):
        topics, matches = _match(derivation, path, scores)
        if known.isdisjoint(topics):
            raise InputError(f"{path}: answers none of the {len(known)} topics of {qrels}")
        answered |= known & topics
        passed |= topics - known
        derivation.put(system, matches)
    _warn("topics that are answered but not judged are passed over", passed)
    _warn("topics that are judged but that no run answers score 0", known - answered)
    return Collection(name=name or Path(runs).resolve().name, **derivation.tables())


def _match(derivation, path, scores):
    """Return the topics of a run file, and what the derivation takes from their lists."""
    try:
        blocks = [
            (lists.topics, derivation.match(lists)) for lists in swift.read_run(path, scores=scores)
        ]
    except swift.Doubt:
        lists = derivation.numbers.lists(strict.read_run(path, scores=scores))
        blocks = [(lists.topics, derivation.match(lists))]
    return {topic for topics, _ in blocks for topic in topics}, [match for _, match in blocks]


def _warn(what, topics):
    if topics:
        some = " ".join(sorted(topics, key=natural)[:5])
        some += f" ... ({len(topics)} in all)" if len(topics) > 5 else ""
        warnings.warn(f"{what}: {some}", InputWarning, stacklevel=3)
