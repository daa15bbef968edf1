"""Load a collection that comes with the book, or one from a folder."""

import os
import warnings
from pathlib import Path

import pandas as pd

from lib.collection.collection import Collection
from lib.collection.invariants import broken
from lib.collection.matrices import NAMES, SCORES, read_matrix
from lib.collection.package import TABLES, Schema, folder_of, read_table
from lib.collection.seals import Package, read_package, sealed_table, write_seal
from lib.errors import InputError, InputWarning, reason
from lib.paths import DATA, AnyPath

__all__ = ["load", "read_collection", "seal"]


def load(name: AnyPath | None = None, *, judged: bool = False) -> Collection:
    """Return a collection that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path, optional
        ``"trec8"``, ``"trec-covid"``, ``"feedback/cf"`` or any other folder below ``data/``; or the
        path of a folder that ``python -m lib derive`` made.  By default what the environment
        variable ``MEASURES_COLLECTION`` says, else ``"trec8"``.
    judged : bool
        Read the judged non-relevant documents too; the collection must have been derived with
        ``--judged``.

    Returns
    -------
    Collection

    Raises
    ------
    InputError
        No such collection, or a folder that is not one: a file was changed after it was written, or
        a table breaks one of :data:`lib.collection.invariants.INVARIANTS`.

    Warns
    -----
    InputWarning
        No document is judged relevant.

    Examples
    --------
    >>> load("trec8")
    Collection('trec8': 129 systems, 50 topics, 4728 relevant documents, 338410 hits)
    """
    if name is None:
        name = os.environ.get("MEASURES_COLLECTION") or "trec8"
    if not os.fspath(name).strip():
        raise InputError("the name of a collection is empty")
    folder = folder_of(name)
    if (folder / SCORES).is_file():
        raise InputError(f"{name}: is a score matrix and no collection; load_scores reads it")
    package, frames = read_collection(folder, name, judged=judged)
    if frames["relevant.parquet"].empty:
        warnings.warn(
            f"{name}: no document is judged relevant: nothing can be told apart",
            InputWarning,
            stacklevel=2,
        )
    return Collection(
        name=package["name"],
        short_title=package.get("short_title", ""),
        relevant_from=package.get("relevant_from", 1),
        left_out=package.get("left_out", {}),
        systems=frames["systems.tsv"].set_index("run"),
        topics=frames["topics.tsv"].set_index("topic"),
        lists=frames["lists.parquet"],
        relevant=frames["relevant.parquet"],
        hits=frames["hits.parquet"].merge(
            frames["relevant.parquet"], on=["topic", "document"], how="left"
        ),
        pools=frames["pools.parquet"],
        judged=frames.get("judged.parquet"),
        unsampled=frames.get("unsampled.parquet"),
    )


def read_collection(
    folder: Path, name: AnyPath, *, judged: bool, sealed: bool = True
) -> tuple[Package, dict[str, pd.DataFrame]]:
    """Return what a collection's folder says of itself, and its tables, checked.

    Parameters
    ----------
    folder : pathlib.Path
    name : str or path
        What the folder was asked for as.
    judged : bool
        As for :func:`load`.
    sealed : bool
        Take no file but those that were written, by their hashes.

    Raises
    ------
    InputError
        No such collection, or a folder that is not one.
    """
    try:
        package = read_package(folder)
        there = {entry["path"] for entry in package["resources"]}
        asked = {"judged.parquet": judged, "unsampled.parquet": "unsampled.parquet" in there}
        files = [file for file in TABLES if asked.get(file, True)]
        seal = package if sealed else None
        frames = {file: sealed_table(folder, file, seal) for file in files}
        if rule := broken(frames):
            raise ValueError(rule)
    except InputError:
        raise
    except FileNotFoundError as error:
        missing = Path(error.filename).name
        if missing == "judged.parquet":
            raise InputError(f"{folder}: holds no {missing}; derive it with --judged") from None
        found = (path.parent.relative_to(DATA) for path in DATA.rglob("hits.parquet"))
        known = "; the book has " + ", ".join(sorted(path.as_posix() for path in found))
        raise InputError(
            f"{name}: no collection there ({missing} is missing){known * (not folder.is_dir())}"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: not a collection ({reason(error)})") from None
    return package, frames


def seal(folder: AnyPath) -> list[str]:
    """Record the files of a collection or score matrix that was edited on purpose as its own.

    Parameters
    ----------
    folder : path

    Returns
    -------
    list of str
        The files whose record has changed.

    Raises
    ------
    InputError
        What the tables have become cannot be a collection, or a score matrix.
    """
    folder = folder_of(folder)
    if (folder / SCORES).is_file():
        package, _ = read_matrix(folder, folder, sealed=False)
        schemas: dict[str, Schema | None] = {**NAMES, SCORES: {}}
    else:
        judged = (folder / "judged.parquet").is_file()
        package, tables = read_collection(folder, folder, judged=judged, sealed=False)
        schemas = dict.fromkeys(tables)
    return write_seal(
        folder, package, {file: read_table(folder / file, of) for file, of in schemas.items()}
    )
