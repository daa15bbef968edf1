"""Score matrices: what each system scores on each topic, where its runs are not at hand.

The statistics take scores and ask not where they come from; a measure, which needs the ranks, can
not be computed from them.
"""

import csv
import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.collection.package import Schema, folder_of, save_tables
from lib.collection.seals import Package, read_package, sealed_table
from lib.collection.trec import texts
from lib.errors import InputError, InputWarning, reason
from lib.paths import DATA, AnyPath

__all__ = ["NAMES", "SCORES", "UNIT", "load_scores", "read_matrix", "read_scores", "save_scores"]

SCORES = "scores.parquet"
# A score of 1 as it is kept: whole numbers are equal where scores are.  A measure whose scores have
# five decimals is kept in the finer unit; datapackage.json says so under "score_of_1".
UNIT, FINEST = 10_000, 100_000

NAMES: dict[str, Schema] = {
    "systems.tsv": {"run": ("string", "name of the system, as its source has it")},
    "topics.tsv": {"topic": ("string", "topic identifier; 1, 2, ... where the source has none")},
}
CODES: Schema = {
    "topic": ("int32", "position in topics.tsv, from 0"),
    "system": ("int32", "position in systems.tsv, from 0"),
}


def load_scores(name: AnyPath) -> dict[str, pd.DataFrame]:
    """Return a score matrix that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path
        ``"robust04"`` or any other folder below ``data/`` that holds one; or the path of a folder
        that ``python -m lib scores`` made.

    Returns
    -------
    dict of str to DataFrame (topics x systems)
        Scores in [0, 1] by each measure, without gaps, all of the same topics and systems: what
        the functions of :mod:`lib.statistics` take.

    Raises
    ------
    InputError
        No such score matrix, or a folder that is not one, such as a collection.

    Examples
    --------
    >>> matrix = load_scores("robust04")
    >>> {measure: table.shape for measure, table in matrix.items()}
    {'AP': (249, 110), 'P@10': (249, 110)}
    """
    return read_matrix(folder_of(name), name)[1]


def read_matrix(
    folder: Path, name: AnyPath, *, sealed: bool = True
) -> tuple[Package, dict[str, pd.DataFrame]]:
    """Return what a score matrix's folder says of itself, and its scores, checked.

    Parameters
    ----------
    folder : pathlib.Path
    name : str or path
        What the folder was asked for as.
    sealed : bool
        Take no file but those that were written, by their hashes.

    Raises
    ------
    InputError
        No such score matrix, or a folder that is not one, such as a collection.
    """
    if (folder / "hits.parquet").is_file():
        raise InputError(f"{name}: is a collection and no score matrix; lib.load reads it")
    try:
        for file in ("datapackage.json", *NAMES, SCORES):
            (folder / file).stat()
        package = read_package(folder)
        seal, ones = (package if sealed else None), package.get("score_of_1", {})
        if not isinstance(ones, dict):
            raise ValueError("datapackage.json: score_of_1 names no measures")
        systems, topics = (sealed_table(folder, file, seal, of) for file, of in NAMES.items())
        table = sealed_table(folder, SCORES, seal, {})
        return package, _frames(table, pd.Index(topics["topic"]), pd.Index(systems["run"]), ones)
    except InputError:
        raise
    except FileNotFoundError:
        known = sorted(path.parent.relative_to(DATA).as_posix() for path in DATA.rglob(SCORES))
        raise InputError(
            f"{name}: no score matrix there ({file} is missing); the book has {', '.join(known)}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: not a score matrix ({reason(error)})") from None


def _frames(table, topics, systems, ones):
    """Return the table as it stands on disk as a DataFrame a measure.

    ``ones`` is what a score of 1 is kept as, for measures where it is not UNIT.
    """
    for file, names in (("topics.tsv", topics), ("systems.tsv", systems)):
        if names.has_duplicates or names.isin([""]).any():
            raise ValueError(f"{file} has a name twice, or none in a row")
    if missing := CODES.keys() - table.columns:
        raise ValueError(f"{SCORES} has no column {sorted(missing)[0]!r}")
    cells = np.arange(len(topics) * len(systems))
    key = table["topic"].to_numpy() * len(systems) + table["system"].to_numpy()
    if not (np.array_equal(key, cells) and table["system"].between(0, len(systems) - 1).all()):
        raise ValueError(f"{SCORES} does not have each system once on each topic, in order")
    table = table.drop(columns=list(CODES))
    if table.empty:
        raise ValueError(f"{SCORES} holds no scores")
    shape = len(topics), len(systems)
    frames = {}
    for measure, column in table.items():
        one = ones.get(measure, UNIT)
        if one not in (UNIT, FINEST):
            raise ValueError(f"{measure} is kept with {one!r} for a score of 1")
        if column.dtype.kind != "i" or not column.between(0, one).all():
            raise ValueError(f"{SCORES}: {measure} is not in whole numbers from 0 to {one}")
        frames[measure] = pd.DataFrame(column.to_numpy().reshape(shape) / one, topics, systems)
    return frames


def save_scores(
    folder: AnyPath,
    scores: Mapping[str, pd.DataFrame],
    *,
    name: str | None = None,
    about: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> None:
    """Write a score matrix as a data package; the folder appears whole or not at all.

    Parameters
    ----------
    folder : path
    scores : dict of str to DataFrame (topics x systems)
        Scores in [0, 1] by each measure, of the same topics and systems in the same order; no finer
        than 0.00001, since they are kept as whole numbers: of 0.0001 where all scores of a measure
        allow it, else of 0.00001.
    name : str, optional
        Name of the package, by default that of the folder.
    about : dict, optional
        What ``datapackage.json`` says beyond the tables: title, sources, licenses, command.
    replace : bool
        Write over a folder that holds a data package already.

    Raises
    ------
    InputError
        Scores that cannot be kept, with measure and reason; a folder that exists and may not be
        replaced, or cannot be written.
    """
    _check(scores)
    first = next(iter(scores.values()))
    codes = np.indices(first.shape).reshape(2, -1)
    ones = {m: UNIT if _is_whole(table, UNIT).all() else FINEST for m, table in scores.items()}
    columns = {measure: _whole(table, ones[measure]).ravel() for measure, table in scores.items()}
    unit = {
        measure: ("int16", f"score by {measure}, in units of 0.0001")
        if one == UNIT
        else ("int32", f"score by {measure}, in units of 0.00001")
        for measure, one in ones.items()
    }
    schemas = {**NAMES, SCORES: {**CODES, **unit}}
    frames = {
        "systems.tsv": pd.DataFrame({"run": first.columns}),
        "topics.tsv": pd.DataFrame({"topic": first.index}),
        SCORES: pd.DataFrame({**dict(zip(CODES, codes)), **columns}),
    }
    tables = {
        file: frame.astype({column: kind for column, (kind, _) in schemas[file].items()})
        for file, frame in frames.items()
    }
    save_tables(
        folder,
        name or Path(folder).resolve().name,
        tables,
        schemas=schemas,
        about=dict(about or {}) | {"score_of_1": ones},
        replace=replace,
        kind="data package",
    )


def _whole(table, one):
    return np.rint(table.to_numpy(dtype=float) * one).astype(int)


def _is_whole(table, one):
    return np.abs(table.to_numpy(dtype=float) * one - _whole(table, one)) < 1e-6


def _check(scores):
    """Refuse scores that are not of the same topics and systems, or that cannot be kept."""
    if not scores:
        raise InputError("a score matrix needs a measure or more")
    first, one = next(iter(scores.items()))
    for measure, table in scores.items():
        if measure in CODES or not _can_name(measure):
            raise InputError(f"{measure!r} cannot name a measure")
        for axis, what in enumerate(("topic", "system")):
            _check_names(measure, what, table.axes[axis])
            ours, others = list(table.axes[axis]), list(one.axes[axis])
            if len(ours) != len(others):
                raise InputError(
                    f"{measure} has {len(ours)} {what}s and {first} has {len(others)}: "
                    "they must be the same, in the same order"
                )
            for number, (name, other) in enumerate(zip(ours, others), 1):
                if name != other:
                    raise InputError(
                        f"{what} {number} of {measure} is {name} and that of {first} is {other}: "
                        "they must be the same, in the same order"
                    )
        _check_values(measure, table)


def _check_names(measure, what, names):
    if names.empty:
        raise InputError(f"{measure}: holds no {what}s")
    for name in names:
        if not _can_name(str(name)):
            raise InputError(f"{measure}: {str(name)!r} cannot name a {what}")
    if names.has_duplicates:
        raise InputError(f"{measure}: {what} {names[names.duplicated()][0]!r} stands twice")


def _can_name(text):
    """Return whether a text can stand in a table and be told from another by eye."""
    return text.isprintable() and text.strip() == text != ""


def _check_values(measure, table):
    values = table.to_numpy(dtype=float)
    outside = ~((values >= 0) & (values <= 1))  # what is no number is outside too
    for wrong, why in (
        (outside, "not in [0, 1]"),
        # Only asked of what lies inside: what is no number has no whole part.
        (~outside & ~_is_whole(table.where(~outside, 0), FINEST), "finer than 0.00001"),
    ):
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise InputError(
                f"{measure}: the score of {table.columns[column]} on topic {table.index[row]} is "
                f"{values[row, column]}, {why}"
            )


def read_scores(files: Mapping[str, AnyPath]) -> dict[str, pd.DataFrame]:
    """Return a score matrix from files of comma-separated text, one a measure.

    A file has a header line with the names of the systems, then a line a topic.  A column ``topic``
    names the topics; where there is none, they are called 1, 2, ... in the order of their lines.

    Parameters
    ----------
    files : dict of str to path
        Measure to its file.

    Returns
    -------
    dict of str to DataFrame (topics x systems)

    Raises
    ------
    InputError
        A file that cannot be read or is malformed, with its line; files of different topics or
        systems, or in another order; scores that are outside [0, 1] or finer than 0.00001.

    Warns
    -----
    InputWarning
        Files without a column ``topic``.
    """
    scores, unnamed = {}, []
    for measure, path in files.items():
        scores[measure], named = _read(path)
        if not named:
            unnamed.append(str(path))
    _check(scores)
    if unnamed:
        warnings.warn(
            f"no column 'topic' in {', '.join(unnamed)}: topics are called 1, 2, ... line by line",
            InputWarning,
            stacklevel=2,
        )
    return scores


def _read(path):
    """Return the table of a file, and whether it names its topics."""
    rows = csv.reader(texts(path, kind="score matrix"), strict=True)
    try:
        header = next(rows, [])
        named = "topic" in header
        at = header.index("topic") if named else -1
        systems = [name for place, name in enumerate(header) if place != at]
        lines = {}
        for row in filter(None, rows):
            where = f"{path}, line {rows.line_num}"
            if len(row) != len(header):
                raise InputError(f"{where}: {len(row)} columns, the header has {len(header)}")
            topic = row.pop(at) if named else str(len(lines) + 1)
            if topic in lines:
                raise InputError(f"{where}: topic {topic!r} stands twice")
            lines[topic] = [_score(text, where) for text in row]
    except csv.Error as error:
        raise InputError(f"{path}: not a score matrix ({reason(error)})") from None
    table = pd.DataFrame(
        list(lines.values()),
        index=pd.Index(list(lines), name="topic", dtype="string"),
        columns=pd.Index(systems, name="run", dtype="string"),
        dtype=float,
    )
    return table, named


def _score(text, where):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # float() takes 1_0 for a number.
    if not math.isfinite(value) or "_" in text:
        raise InputError(f"{where}: score {text[:60]!r} is not a finite number")
    return value
