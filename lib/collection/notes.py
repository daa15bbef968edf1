"""What is worth a note in runs and judgements that can be used: one line each, runs together."""

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lib.collection.derivation import natural
from lib.errors import InputWarning

FEW = 5  # names that a note lists; neighbours in lists from which a habit can be told
HABITS = {
    "rising": "scores rise down every list, as distances do; the highest is read as the best",
    "level": "all scores of a list are equal; its order is that of the documents' names, and no "
    "rank column is read",
    "beyond": "scores that differ in the file are equal as 64-bit numbers, and tie",
    "single": "scores differ beyond the 7th digit, where trec_eval 9 and pytrec_eval see ties; "
    "--scores single does so too",
}


@dataclass
class Found:
    """What a run has to do with the judgements.

    Attributes
    ----------
    topics : set of str
        Those that it answers.
    rows : list of dict
        What the tables of a collection take.
    documents, judged : int
        How many its lists of judged topics have, and how many of these are judged.
    example : tuple of str and bytes, or None
        A judged topic and a document that stands first there.
    lists : int
        A hash of all lists in their order.
    habits : dict of str to int
        Of neighbours in a list: how many there are, and how many are as :data:`HABITS` says.
    """

    topics: set[str] = field(default_factory=set)
    rows: list[dict[str, np.ndarray]] = field(default_factory=list)
    judged: int = 0
    example: tuple[str, bytes] | None = None
    lists: int = 0
    habits: dict[str, int] = field(default_factory=dict)


def notes_on_runs(
    found: Mapping[str, Found], qrels: Mapping[str, Mapping[bytes, int]], highest: int, lowest: int
) -> None:
    """Warn of what is odd about the runs of a collection, each thing once for all of them."""
    answered = set().union(*(one.topics for one in found.values()))
    passed = {name: one.topics - qrels.keys() for name, one in found.items()}
    if extra := set().union(*passed.values()):
        runs = some([name for name, topics in passed.items() if topics])
        _note(
            f"topics that are answered but not judged are passed over: {_topics(extra)}, by {runs}"
        )
    if unanswered := qrels.keys() - answered:
        _note(f"topics that are judged but that no run answers score 0: {_topics(unanswered)}")
    note_on_gaps({name: answered & qrels.keys() - one.topics for name, one in found.items()})
    strangers = {name: one.example for name, one in found.items() if not one.judged and one.example}
    for topic, document in list(strangers.values())[:1]:
        theirs = next(iter(qrels[topic]), b"")
        _note(
            f"none of the documents of {some(list(strangers))} is judged: in topic {topic} a run "
            f"has {_text(document)}, the judgements have {_text(theirs)}"
        )
    twins: dict[int, list[str]] = {}
    for name, one in found.items():
        twins.setdefault(one.lists, []).append(name)
    for names in twins.values():
        if len(names) > 1:
            _note(f"{some(names)} have the same lists")
    for habit, words in HABITS.items():
        if names := [name for name, one in found.items() if _has(habit, one.habits)]:
            _note(f"{some(names)}: {words}")
    if highest < lowest:
        _note(
            f"no document is judged relevant (of grade {lowest} or more): nothing can be told apart"
        )


def note_on_gaps(missing: Mapping[str, Collection[str]]) -> None:
    """Warn of runs that miss topics which others answer: run to topics."""
    gaps = {name: _topics(topics) for name, topics in missing.items() if len(topics)}
    if gaps:
        listed = some([f"{name} misses {topics}" for name, topics in gaps.items()], "; ")
        _note(
            "topics that are judged but that a run does not answer score 0 (--topics answered "
            f"leaves them out): {listed}"
        )


def some(names: Sequence[str], between: str = " ") -> str:
    """Return the first few names, and how many there are.

    >>> some(list("ABCDEFG"))
    'A B C D E ... (7 in all)'
    """
    more = f" ... ({len(names)} in all)" if len(names) > FEW else ""
    return between.join(names[:FEW]) + more


def _topics(topics):
    return some(sorted(topics, key=natural))


def _text(document):
    return repr(document.decode("utf-8", "backslashreplace"))


def _has(habit, counts):
    many = counts.get("neighbours", 0)
    if habit in ("rising", "level"):
        return many >= FEW and counts[habit] == many
    return bool(counts.get(habit))


def _note(text):
    warnings.warn(text, InputWarning, stacklevel=4)
