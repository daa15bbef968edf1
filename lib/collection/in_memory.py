"""What lives in a notebook: runs, judgements and scores, as other tools hold them.

No tool is imported.  A frame is known by its columns, a dict by how deep it is, any other object by
what it offers, ``to_pandas`` or ``to_dict``; a list of named tuples is a frame.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

from lib import pandas_later as pd
from lib.collection.names import Lists, as_lists, as_name
from lib.collection.trec import read_qrels, read_run
from lib.errors import InputError

Topics: TypeAlias = dict[str, dict[Any, float]]  # of each topic numbers, by document or measure

# What columns are called by PyTerrier, ir_measures and ir_datasets, ranx, BEIR and TREC.
_TOPICS = ("qid", "query_id", "q_id", "query-id", "topic")
_DOCUMENTS = ("docno", "doc_id", "corpus-id", "document", "docid")
_SYSTEMS = ("system", "name", "run", "run_id", "tag")
_COLUMNS = {
    "runs": (_TOPICS, _DOCUMENTS, ("score",)),
    "judgements": (_TOPICS, _DOCUMENTS, ("label", "relevance", "grade", "rel", "score")),
    "scores": (_TOPICS, ("measure", "metric"), ("value", "score")),
}
_GIVE = {
    "runs": "give a frame of qid, docno, score, or topic to document to score; several by names",
    "judgements": "give, after the runs, a frame of qid, docno, label, or topic to document to int",
    "scores": "give a frame of qid, measure, value, or topic to measure to value; several by names",
}


def is_path(given: object) -> bool:
    """Return whether something is a path."""
    return isinstance(given, str | os.PathLike)


def are_paths(given: Any) -> bool:
    """Return whether something is a path, or holds paths and nothing else.

    >>> are_paths(["A.run"]), are_paths({"A": "A.run"}), are_paths({"1": {"d": 0.5}})
    (True, True, False)
    """
    every = given.values() if isinstance(given, Mapping) else given
    several = isinstance(given, list | tuple | Mapping)
    return bool(every) and all(map(is_path, every)) if several else is_path(given)


def named(given: Any, kind: str) -> dict[str, Topics]:
    """Return "runs", "scores" or "judgements" by names; what has no name is called ``run``.

    Examples
    --------
    >>> named({1: {"d": 0.5}}, "runs")
    {'run': {'1': {'d': 0.5}}}
    >>> named({"A": pd.DataFrame({"qid": [1], "docno": ["d"], "score": [0.5]})}, "runs")
    {'A': {'1': {'d': 0.5}}}
    """
    plain, own = _plain(given), _name_of(given)
    if isinstance(plain, list):
        by_name = {_name_of(one): one for one in plain}
        held = isinstance(_plain(plain[0]), pd.DataFrame | Mapping) if plain else False
        if held and len(by_name) < len(plain):
            raise InputError(f"two {kind} have one name; give a dict of names")
        plain = by_name
    found: dict[str, Topics] = {}
    topics: dict[tuple, Any] = {}
    for names, value in _leaves(plain, kind):
        if len(names) == 2:
            names = (own, *names)
        if len(names) != 3 or kind == "judgements" and names[0] != own:
            raise InputError(f"{kind}, {names}: are no numbers by topic; {_GIVE[kind]}")
        name, topic, key = (_text(one, kind, names) for one in names)
        of, why = found.setdefault(name, {}).setdefault(topic, {}), ""
        if topics.setdefault((name, topic), names[1]) != names[1]:
            why = "the topic is a number in one place and text in another; make it text"
        elif not (isinstance(value, float | Real) and math.isfinite(value)):
            why = f"{value!r} is not a finite number; {_GIVE[kind]}"
        elif kind == "judgements" and not (isinstance(value, Integral) and abs(int(value)) < 2**31):
            point = " without a point" * (float(value) % 1 == 0 and abs(float(value)) < 2**31)
            why = f"{value} is no whole number of 32 bits{point}; {_GIVE[kind]}"
        elif key in of and (kind != "judgements" or of[key] != value):
            why = "stands there twice"
        if why:
            raise InputError(f"{kind}, {', '.join(map(repr, names))}: {why}")
        of[key] = float(value)
    by_names = isinstance(plain, Mapping) and own not in found
    for name in (plain if by_names else found) or [own]:
        if str(name) not in found:
            raise InputError(f"{kind}: {name!r} holds nothing; {_GIVE[kind]}")
    return found


def _name_of(given: Any) -> str:
    name = getattr(given, "name", None)
    return name if isinstance(name, str) else "run"


def _plain(given: Any) -> Any:
    """Return a frame, a mapping or a list of what is one, or offers one; a set has no order."""
    if is_path(given) or isinstance(given, pd.DataFrame | Mapping | set | Real):
        return given
    for offered in ("to_pandas", "to_dict"):
        if hasattr(given, offered):
            return getattr(given, offered)()
    rows = list(given) if isinstance(given, Iterable) else []
    return pd.DataFrame(rows) if rows and hasattr(rows[0], "_fields") else rows or given


def _leaves(given: Any, kind: str, names: tuple = ()) -> Iterator[tuple[tuple, Any]]:
    """Yield each number with the names that lead to it; of a list of documents, less its rank."""
    plain = _plain(given)
    if kind == "runs" and len(names) == 1 and is_path(plain):
        plain = read_run(plain)
    if isinstance(plain, pd.DataFrame):
        for *of_row, value in _rows(plain, kind, names):
            yield (*names, *of_row), value
    elif isinstance(plain, Mapping):
        for name, of in plain.items():
            is_leaf = isinstance(of, float | int)
            yield from [((*names, name), of)] if is_leaf else _leaves(of, kind, (*names, name))
    elif isinstance(plain, list) and kind == "runs":
        yield from (((*names, document), -rank) for rank, document in enumerate(plain))
    else:
        yield names, plain


def _rows(frame: pd.DataFrame, kind: str, names: tuple) -> Iterator[tuple]:
    """Yield a frame's topic, document or measure, and number; the system first, if it is there."""
    levels = [name for name in frame.index.names if name is not None and name not in frame]
    frame = frame.reset_index(levels) if levels else frame
    topic, key, value = (
        next((name for name in names if name in frame), None) for names in _COLUMNS[kind]
    )
    if kind == "scores" and not key and not {*_DOCUMENTS} & {*frame}:  # a column a measure
        by_measure = frame.set_index(topic) if topic else frame
        yield from ((*pair, number) for pair, number in by_measure.stack().items())
        return
    if not (topic and key and value):
        has = ", ".join(map(str, frame.columns[:9]))
        raise InputError(f"{kind}: has the columns {has}; {_GIVE[kind]}")
    system = [name for name in _SYSTEMS if name in frame and not names][:1]
    taken = [*system, topic, key, value]
    if twice := [name for name in taken if isinstance(frame[name], pd.DataFrame)]:
        raise InputError(f"{kind}: has two columns {twice[0]!r}")
    # 1.0, as pandas has whole numbers beside gaps; measures themselves, as ir_measures has them.
    if kind == "judgements" and frame[value].dtype.kind == "f":
        whole = [int(of) if of % 1 == 0 else of for of in frame[value].tolist()]
        frame = frame.assign(**{value: pd.Series(whole, frame.index, dtype=object)})
    frame = frame.astype({key: str} if kind == "scores" else {})
    yield from zip(*(frame[name].tolist() for name in taken))


def _text(name: Any, kind: str, names: tuple) -> Any:
    """Return a name as text, whole numbers by their digits; bytes stay."""
    if not (isinstance(name, str | bytes | Integral) and str(name).strip()):
        raise InputError(f"{kind}, {names}: {name!r} is no name, which is text or a whole number")
    return name if isinstance(name, bytes) else str(name)


def grades_of(qrels: Any) -> dict[str, dict[bytes, int]]:
    """Return judgements of a file, a frame or a dict as :func:`lib.collection.read_qrels` does.

    Examples
    --------
    >>> grades_of(pd.DataFrame({"query_id": [1], "doc_id": ["d"], "relevance": [2.0]}))
    {'1': {b'd': 2}}
    """
    if is_path(qrels):
        return read_qrels(qrels)
    (found,) = named(qrels, "judgements").values()
    return {t: {as_name(d): int(grade) for d, grade in of.items()} for t, of in found.items()}


def best_first(run: Topics, *, single: bool = False) -> Lists:
    """Return a run's lists: highest score first and, among equals, the last name, as of a file.

    Examples
    --------
    >>> best_first({"1": {"a": 1.0, "b": 1.0}}).names.tobytes()[7::8]
    b'ba'
    """
    lists, counts = {}, np.zeros(3, dtype=int)
    for topic, scores in run.items():
        with np.errstate(over="ignore"):
            values = np.array([*scores.values()]).astype(np.float32 if single else float)
        above, below = values[:-1], values[1:]
        counts += [(below >= above).sum(), (below == above).sum(), len(below)]
        ordered = sorted(zip(values.tolist(), map(as_name, scores)), reverse=True)
        lists[topic] = [document for _, document in ordered]
    habits = dict(zip(("rising", "level", "neighbours"), counts.tolist()))
    return replace(as_lists(lists), habits=habits)
