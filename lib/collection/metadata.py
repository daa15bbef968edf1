"""Metadata that a user writes: what the systems are, and which of them belong together.

They are tab-separated text with a header line; columns may stand in any order, and columns that
are not asked for are passed over.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection as Container
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lib import pandas_later as pd
from lib.collection.package import check_stated
from lib.collection.text_files import text_lines
from lib.errors import InputError, reason
from lib.paths import AnyPath

_ABOUT = ("title", "short_title", "description", "sources", "licenses", "rights")
TAB = "\t"
PlacedRow = tuple[str, dict[str, str]]  # of a table: file and line, the cells by their columns
Pairs = Sequence[tuple[str, str, str]]  # system, its run before, its run after


def read_systems(path: AnyPath) -> pd.DataFrame:
    """Return a table of systems: index run; columns group, type, pooled ("yes", "no" or "").

    ``run`` must be there, the other columns may be missing.  The ``systems.tsv`` of a collection
    is such a file.  An InputError names a column or value that is missing, wrong or there twice,
    with file and line.
    """
    columns = ["group", "type", "pooled"]
    metadata = {}
    for where, row in rows_of(path, kind="table of systems", needed=["run"], key=["run"]):
        if (pooled := row.get("pooled", "")) not in ("yes", "no", ""):
            raise InputError(f"{where}: pooled is {pooled!r}, not yes, no or empty")
        metadata[row["run"]] = [row.get(column, "") for column in columns]
    index = pd.Index(list(metadata), name="run", dtype=object)
    return pd.DataFrame(list(metadata.values()), index=index, columns=columns)


def read_about(file: str | None) -> dict:
    """Return what a data package is to say of itself, from a JSON file."""
    if file is None:
        return {}
    try:
        about = json.loads(Path(file).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{file}: cannot be read as JSON ({reason(error)})") from None
    if not isinstance(about, dict):
        raise InputError(f"{file}: holds no JSON object")
    for key in ("relevant_from", "highest_grade"):
        if key in about:
            option = key.replace("_", "-")
            raise InputError(f"{file}: {key} is not read from there; say --{option} {about[key]}")
    stated = {key: about[key] for key in _ABOUT if key in about}
    try:
        check_stated(stated)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    return stated


def read_pairs(path: AnyPath, runs: Container[str]) -> list[tuple[str, str, str]]:
    """Return pairs of runs without and with blind feedback: system, base run, feedback run.

    They are in the order of a table with the columns ``system`` (any name, each once), ``base`` and
    ``feedback``, two of the ``runs`` that there are.  An InputError names a column that is missing,
    a run that is not there, a system twice, a run paired with itself, with file and line; or says
    that there is no pair.
    """
    columns = ["system", "base", "feedback"]
    pairs = {}
    for where, row in rows_of(path, kind="table of pairs", needed=columns, key=["system"]):
        for column in columns[1:]:
            if row[column] not in runs:
                raise InputError(f"{where}: the collection has no run {row[column]!r}")
        if row["base"] == row["feedback"]:
            raise InputError(f"{where}: run {row['base']!r} is paired with itself")
        pairs[row["system"]] = row["system"], row["base"], row["feedback"]
    if not pairs:
        raise InputError(f"{path}: holds no pairs")
    return list(pairs.values())


def read_runs_table(path: AnyPath) -> dict[str, tuple[Path, dict[str, dict[str, Path]]]]:
    """Return by data set the judgements, and the run files by system and seed.

    The table has the columns ``data``, ``system``, ``run`` and ``qrels`` (files, beside the table
    if their path is relative), and ``seed``, which may be missing or empty.  An InputError names a
    column or a cell that is missing, two rows of one cell, two judgements of one data set, with
    file and line.
    """
    by_data: dict[str, tuple[Path, dict[str, dict[str, Path]]]] = {}
    needed, key = ["data", "system", "run", "qrels"], ["data", "system", "seed"]
    for where, row in rows_of(path, kind="table of runs", needed=needed, key=key):
        run, qrels = (Path(path).parent / row[column] for column in ("run", "qrels"))
        known, systems = by_data.setdefault(row["data"], (qrels, {}))
        if known != qrels:
            raise InputError(f"{where}: data {row['data']!r} has other judgements above: {known}")
        systems.setdefault(row["system"], {})[row.get("seed", "")] = run
    return by_data


def sound(
    rows: Iterable[PlacedRow], needed: Sequence[str], key: Sequence[str]
) -> Iterator[PlacedRow]:
    """Yield rows; an InputError where a cell that is needed is empty, or the key stands twice."""
    seen = set()
    for where, row in rows:
        for column in needed:
            if not row[column].strip():
                raise InputError(f"{where}: {column} is empty")
        cell = ", ".join(f"{column} {row.get(column, '')!r}" for column in key)
        if cell in seen:
            raise InputError(f"{where}: {cell} stands twice")
        seen.add(cell)
        yield where, row


def rows_of(
    path: AnyPath,
    *,
    kind: str,
    needed: Sequence[str],
    key: Sequence[str],
    between: str = TAB,
    others: Mapping[str, str] | None = None,
) -> Iterator[PlacedRow]:
    """Yield (file and line, row as a dict) of a table with tabs, or what else, between columns.

    ``needed`` and ``key`` are as of :func:`sound`; ``others`` are names that a column may have
    instead.
    """
    return sound(_rows(path, kind, needed, between, others or {}), needed, key)


def _rows(
    path: AnyPath, kind: str, needed: Sequence[str], between: str, others: Mapping[str, str]
) -> Iterator[PlacedRow]:
    # Strict: an open quotation mark would swallow the rest of the table.
    table = csv.DictReader(text_lines(path, kind=kind), delimiter=between, restval="", strict=True)
    try:
        header = table.fieldnames = [others.get(name, name) for name in table.fieldnames or []]
        for column in needed:
            if column not in header:
                many = f"{len(header)} column{'' if len(header) == 1 else 's'}"
                raise InputError(
                    f"{path}, line 1: no column {column!r} among {many}; "
                    f"{'tabs' if between == TAB else 'commas'} separate columns"
                )
        for row in table:
            where = f"{path}, line {table.line_num}"
            if None in row:
                raise InputError(f"{where}: more columns than the {len(header)} of the header")
            yield where, row
    except csv.Error as error:
        raise InputError(f"{path}: not a {kind} ({reason(error)})") from None
