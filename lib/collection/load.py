"""Load a collection or a score matrix that comes with the book, or one from a folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from lib import pandas_later as pd
from lib.collection.collection import Collection
from lib.collection.metadata import read_systems
from lib.collection.package import (
    LIST,
    OPTIONAL,
    POSITION,
    TABLES,
    Package,
    Schema,
    checked_table,
    entry_of,
    folder_of,
    read_package,
    sha256,
)
from lib.errors import InputError, InputWarning, reason
from lib.paths import DATA, AnyPath

# Of a score matrix: what each system scores on each topic, where its runs are not at hand.
SCORES_FILE = "scores.parquet"
SCHEMAS: dict[str, Schema] = {
    "systems.tsv": {**POSITION, "run": ("string", "name of the system, as its source has it")},
    "topics.tsv": {
        **POSITION,
        "topic": ("string", "topic identifier; 1, 2, ... where the source has none"),
    },
}
# A score of 1 as it is kept, where datapackage.json does not say otherwise under "score_of_1":
# whole numbers are equal where scores are.
UNIT, FINEST = 10_000, 100_000


def load(name: AnyPath = "trec8", *, judged: bool = False) -> Collection:
    """Return a collection that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path
        ``"trec8"``, ``"trec-covid"``, ``"feedback/cf"`` or any other folder below ``data/``; or the
        path of a folder that ``python -m lib derive`` made.
    judged : bool
        Read the judged non-relevant documents too; the collection must have been derived with
        ``--judged``.

    Returns
    -------
    Collection
        As it was saved.

    Raises
    ------
    InputError
        No such collection, or a folder that is not one: a file was changed after it was written.
        Only ``systems.tsv`` may be edited: what it says of each run, not which runs there are.

    Warns
    -----
    InputWarning
        No document is judged relevant.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> toy = Collection.from_rankings({"A": {"1": ["x", "r"]}}, {"1": {"r": 1}}, name="mine")
    >>> with TemporaryDirectory() as folder:
    ...     toy.save(Path(folder) / "mine")
    ...     load(Path(folder) / "mine")
    Collection('mine': 1 systems, 1 topics, 1 relevant documents, 1 hits)
    """
    folder = folder_of(name)
    if not os.fspath(name).strip():
        raise InputError("the name of a collection is empty")
    if (folder / SCORES_FILE).is_file():
        raise InputError(f"{name}: is a score matrix and no collection; load_scores reads it")
    with _problems(name, folder, "collection", "hits.parquet"):
        package = read_package(folder)
        there = {entry["path"] for entry in package["resources"]}
        asked = {"judged.parquet": judged, "unsampled.parquet": "unsampled.parquet" in there}
        tables = {
            file.split(".")[0]: checked_table(folder, file, package)
            for file in TABLES
            if file != "systems.tsv" and asked.get(file, True)
        }
        systems, edited = _systems(folder, package)
    if tables["relevant"].empty:
        why = "no document is judged relevant: nothing can be told apart"
        warnings.warn(f"{name}: {why}", InputWarning, stacklevel=2)
    collection = Collection(
        **{key: package[key] for key in ("name", *OPTIONAL) if key in package},
        systems=systems,
        topics=tables.pop("topics").set_index("topic").drop(columns="position"),
        hits=tables.pop("hits").merge(tables["relevant"], on=["topic", "document"], how="left"),
        **tables,
    )
    if folder.is_relative_to(DATA) and not edited:  # all hashes were compared
        collection._shared["package", folder.relative_to(DATA).as_posix()] = True
    return collection


@lru_cache(maxsize=2)
def load_once(name: str) -> Collection:
    """Return a collection that keeps what it was asked, for the next who asks; of the last two."""
    return load(name)


def _systems(folder: Path, package: Package) -> tuple[pd.DataFrame, bool]:
    """Return the table of systems, and whether it was edited; it may be, but for the runs."""
    entry, path = entry_of(package, folder, "systems.tsv"), folder / "systems.tsv"
    systems, edited = read_systems(path), entry.get("hash") != sha256(path.read_bytes())
    runs = list(systems.index)
    if edited and len(runs) != entry.get("rows"):
        raise InputError(f"{path}: names {len(runs)} runs, not {entry.get('rows')}")
    if edited and runs != sorted(runs):  # as a derivation numbers them
        raise InputError(f"{path}: the runs are not in the order of their names")
    return systems.astype("string").set_axis(systems.index.astype("string")), edited


def load_scores(name: AnyPath) -> dict[str, pd.DataFrame]:
    """Return a score matrix that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path
        ``"robust04"`` or any other folder below ``data/`` that holds one; or the path of a folder
        that ``data/import_scores.py`` made.

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
    What is a collection is refused, and so is what is not there:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> toy = Collection.from_rankings({"A": {"1": ["x", "r"]}}, {"1": {"r": 1}})
    >>> with TemporaryDirectory() as folder:
    ...     toy.save(Path(folder) / "mine")
    ...     load_scores(Path(folder) / "mine")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    lib.errors.InputError: ...: is a collection and no score matrix; lib.load reads it
    """
    folder = folder_of(name)
    if (folder / "hits.parquet").is_file():
        raise InputError(f"{name}: is a collection and no score matrix; lib.load reads it")
    with _problems(name, folder, "score matrix", SCORES_FILE):
        package: Package = read_package(folder)
        systems, topics = (checked_table(folder, file, package, of) for file, of in SCHEMAS.items())
        table = checked_table(folder, SCORES_FILE, package, {}).drop(columns=list(LIST))
        ones = package.get("score_of_1", {})
        if not (isinstance(ones, dict) and all(one in (UNIT, FINEST) for one in ones.values())):
            raise ValueError("datapackage.json: score_of_1 is no unit of each measure")
    index, columns = pd.Index(topics["topic"]), pd.Index(systems["run"])
    shape = len(index), len(columns)
    scores = {x: of.to_numpy().reshape(shape) / ones.get(x, UNIT) for x, of in table.items()}
    return {measure: pd.DataFrame(of, index, columns) for measure, of in scores.items()}


@contextmanager
def _problems(name: AnyPath, folder: Path, kind: str, mark: str) -> Iterator[None]:
    """Tell in a line why a folder is not of a kind; ``mark`` is a file that each of them has."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError as error:
        missing = Path(error.filename).name
        if missing == "judged.parquet":
            raise InputError(f"{folder}: holds no {missing}; derive it with --judged") from None
        folders = (path.parent.relative_to(DATA) for path in DATA.rglob(mark))
        known = sorted(path.as_posix() for path in folders if path.parts[0] != "judges")
        have = f"; the book has {', '.join(known)}" if known else "; the book's data are not here"
        have = "" if folder.is_dir() else have
        raise InputError(f"{name}: no {kind} there ({missing} is missing){have}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: not a {kind} ({reason(error)})") from None
