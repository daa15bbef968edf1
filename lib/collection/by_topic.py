"""Scores by topic that other tools computed: where runs and judgements are not at hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lib import pandas_later as pd
from lib.collection.lists_to_tables import by_number
from lib.collection.metadata import TAB, PlacedRow, rows_of, sound
from lib.collection.text_files import text_lines
from lib.collection.trec import system_name
from lib.display.plain import fused
from lib.errors import InputError
from lib.paths import AnyPath

# What PyTerrier and others call the columns; measures of trec_eval whose values are words.
_OTHERS = dict.fromkeys(("name", "run"), "system") | dict.fromkeys(("qid", "query_id"), "topic")
_OTHERS |= {"value": "score", "metric": "measure"}
_WORDS = ("runid", "relstring")
_ROUNDING = 6e-5  # at most: others print four decimals
_COLUMNS, _KIND = ("measure", "topic", "system", "score"), "table of scores"


def read_topic_scores(
    path: AnyPath,
    system: str = "",
    kept: Callable[[str], str] | None = None,
    known: Callable[[str], Any] = lambda name: False,
) -> dict[tuple[str, str, str], float]:
    """Return scores that another tool computed, by measure, topic and system.

    The file is a table with the columns ``topic``, ``system``, ``measure`` and ``score``, with
    commas or tabs between them, or PyTerrier's, which calls them ``qid``, ``name``, ``measure`` and
    ``value``; or what ``trec_eval -q`` (measure, topic, score) or ``ir_measures -q`` (topic,
    measure, score) prints of a ``system``, by default named as the file; ``known`` says of a name
    whether it is that of a measure.  ``kept`` gives the name under which a measure is kept,
    empty where it is not; all scores that are must be in [0, 1].  An InputError names a column or a
    cell that is missing, no number, a score twice or that no score can be, or a name that cannot
    be printed, with file and line; or says that there are no scores.
    """
    entries: dict[tuple[str, str, str], float] = {}
    first = next(text_lines(path, kind=_KIND), "")
    between = TAB if TAB in first else ","
    head = [_OTHERS.get(name.strip(), name.strip()) for name in first.split(between)]
    if {"system", "score"} & {*head}:
        how: Any = {"kind": _KIND, "needed": _COLUMNS, "key": _COLUMNS[:3]}
        rows = rows_of(path, between=between, others=_OTHERS, **how)
    else:
        words = first.split()
        topic_first = len(words) == 3 and known(words[1]) and not known(words[0])
        name = system or Path(system_name(path)).stem
        rows = sound(_printed(path, name, topic_first), _COLUMNS, _COLUMNS[:3])
    for where, row in rows:
        measure, topic, system, score = (fused(row[column].strip()) for column in _COLUMNS)
        if not (name := measure if kept is None else kept(measure)):
            continue
        if odd := next((one for one in (name, topic, system) if not one.isprintable()), None):
            raise InputError(f"{where}: {odd!r} holds what cannot be printed")
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"{where}: score {score!r} is not a finite number")
        if kept is not None and not 0 <= value <= 1:
            raise InputError(f"{where}: score {score!r} by {measure} is not in [0, 1]")
        entries[name, topic, system] = value
    if not entries:
        raise InputError(f"{path}: holds no scores by topic, as -q has other tools print them")
    return entries


def _printed(path: AnyPath, system: str, topic_first: bool) -> Iterator[PlacedRow]:
    """Yield file and line, and a row, of what trec_eval or ir_measures prints, but for its means.

    A measure stands before its topic to trec_eval, and after it to ir_measures.
    """
    for number, line in enumerate(text_lines(path, kind=_KIND), start=1):
        where, row = f"{path}, line {number}", line.split()
        if len(row) != 3:
            raise InputError(
                f"{where}: neither three columns, as trec_eval -q and ir_measures -q print them, "
                "nor a table whose first line names topic, system, measure, score"
            )
        measure, topic, score = row
        if topic_first:
            measure, topic = topic, measure
        if topic != "all" and not measure.startswith(_WORDS):
            yield where, dict(zip(_COLUMNS, (measure, topic, system, score)))


def tables_by_topic(scores: Mapping[tuple[str, str, str], float]) -> dict[str, pd.DataFrame]:
    """Return such scores as tables (topics x systems) by measure; an InputError names a gap.

    >>> scores = {("AP", "1", "A"): 0.5, ("AP", "1", "B"): 0.4}
    >>> tables_by_topic(scores)["AP"].loc["1"].tolist()
    [0.5, 0.4]
    """
    table = pd.Series(scores, dtype=float).unstack().rename_axis(["measure", "topic"])
    for measure, topic, system in table.isna().stack().loc[lambda gap: gap].index:
        raise InputError(
            f"topic {topic!r}, system {system!r}: no score by {measure}; for trec_eval say -c"
        )
    topics = sorted(table.index.unique("topic"), key=by_number)
    return {measure: table.loc[measure].reindex(topics) for measure, *_ in scores}


def restored(scores: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return printed scores as what they were rounded from, so that ties stay ties.

    P@k is a number of documents over k, RR one over a rank.  Other measures stay as printed, and
    so does a score that no four decimals of such a number are, as the mean of several runs.

    Examples
    --------
    >>> restored(pd.DataFrame({"A": [0.0667]}), "P@15").loc[0, "A"] == 1 / 15
    np.True_
    >>> restored(pd.DataFrame({"A": [0.3333, 0.0]}), "RR")["A"].tolist() == [1 / 3, 0]
    True
    """
    name, _, depth = re.sub(r"\(.*\)", "", measure).partition("@")
    if name == "P" and depth.isdecimal():
        exact = (scores * int(depth)).round() / int(depth)
    elif name == "RR":
        exact = (1 / scores.where(scores > 0)).round().rdiv(1).fillna(0.0)
    else:
        return scores
    return exact.where((exact - scores).abs() < _ROUNDING, scores)
