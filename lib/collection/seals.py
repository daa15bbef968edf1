"""What a data package records of itself: whether its files are those that were written.

A file is read once, and the bytes that are hashed are the ones that become a table.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from lib.collection.package import (
    TABLES,
    Schema,
    as_table,
    as_text,
    describe,
    digest,
    marks,
    sha256,
)
from lib.errors import InputError, reason

__all__ = ["Package", "check_stated", "read_package", "sealed_table", "write_seal"]

Package: TypeAlias = dict[str, Any]
"""What a ``datapackage.json`` says."""


def read_package(folder: Path) -> Package:
    """Return what the ``datapackage.json`` of a folder says.

    Parameters
    ----------
    folder : pathlib.Path

    Raises
    ------
    FileNotFoundError
        There is none.
    ValueError
        It is damaged: what it says of the collection or its tables is not of the right kind.
    """
    data = (folder / "datapackage.json").read_bytes()
    try:
        package = json.loads(data.decode())
        if not isinstance(package, dict):
            raise ValueError("holds no JSON object")
        check_stated({"name": ""} | package)
        entries = package.get("resources")
        if not isinstance(entries, list) or not all(
            isinstance(entry, dict) and isinstance(entry.get("path"), str) for entry in entries
        ):
            raise ValueError("resources is not a list of tables, each with its path")
    except RecursionError:
        raise ValueError("datapackage.json: is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"datapackage.json: {reason(error)}") from None
    return package


# What a data package says of itself and something reads: its kind, and what that is called.
_STATED: dict[str, tuple[type, str]] = {
    **dict.fromkeys(("name", "short_title", "title", "description", "rights"), (str, "text")),
    **dict.fromkeys(("sources", "licenses"), (list, "a list")),
    "relevant_from": (int, "a whole number"),
    "left_out": (dict, "an object"),
}


def check_stated(package: Package) -> None:
    """Raise a ValueError where what a data package says of itself is not of the right kind.

    Parameters
    ----------
    package : dict

    Examples
    --------
    >>> check_stated({"title": ["My track"]})
    Traceback (most recent call last):
        ...
    ValueError: title is not text
    """
    for key, (kind, called) in _STATED.items():
        value = package.get(key, kind())
        if type(value) is not kind:
            raise ValueError(f"{key} is not {called}")
        if key in ("name", "short_title", "title") and not str(value).isprintable():
            raise ValueError(f"{key} holds what cannot be printed")
    if not package.get("name", "-").strip():
        raise ValueError("says no name")
    if package.get("relevant_from", 1) < 1:
        raise ValueError("relevant_from is below 1")
    if not all(isinstance(why, str) for why in package.get("left_out", {}).values()):
        raise ValueError("left_out does not say why")
    try:
        as_text(package).encode()
    except UnicodeEncodeError:
        raise ValueError("holds text that is not UTF-8") from None


def sealed_table(
    folder: Path, file: str, package: Package | None, schema: Schema | None = None
) -> pd.DataFrame:
    """Return a table of a data package, if its file is the one that was written.

    Parameters
    ----------
    folder : pathlib.Path
    file : str
    package : dict or None
        From :func:`read_package`; None: the table is taken as it is, to be sealed.
    schema : dict, optional
        As for :func:`lib.collection.package.read_table`.

    Raises
    ------
    InputError
        The file was changed after it was written.
    ValueError
        It is no such table.
    """
    data = (folder / file).read_bytes()
    if package is None:
        return as_table(file, data, schema)
    entry = next((entry for entry in package["resources"] if entry["path"] == file), None)
    if entry is None:
        raise InputError(f"{folder}: datapackage.json does not name {file}; {_remedy(folder)}")
    changed = InputError(
        f"{folder}: {file} is not as it was written (its hash is not the one in datapackage.json); "
        + _remedy(folder)
    )
    if "file_hash" in entry and entry["file_hash"] != sha256(data):
        raise changed
    table = as_table(file, data, schema)
    # Packages made before file hashes were recorded say what the table is, which takes longer.
    if "file_hash" not in entry and entry.get("hash") != digest(table):
        raise changed
    if entry.get("rows") != len(table):
        raise InputError(
            f"{folder}: {file} has {len(table)} rows, and datapackage.json says "
            f"{entry.get('rows')!r}; {_remedy(folder)}"
        )
    return table


def _remedy(folder):
    return f"restore it, or, if that was on purpose, run: python -m lib seal {folder}"


def write_seal(folder: Path, package: Package, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Record tables, which were checked before, as those of a data package; return what is new.

    Parameters
    ----------
    folder : pathlib.Path
    package : dict
        From :func:`read_package`.
    tables : dict of str to DataFrame
        All of its tables, by file.

    Returns
    -------
    list of str
        The files whose record has changed.
    """
    known = {entry["path"]: entry for entry in package["resources"]}
    resources = []
    for file, table in tables.items():
        entry = dict(known.get(file) or describe(folder / file, table, TABLES.get(file, {})))
        schema = entry.pop("schema", {})
        resources.append(entry | marks((folder / file).read_bytes(), table) | {"schema": schema})
    fresh = folder / ".datapackage.json"
    try:
        fresh.write_text(as_text(package | {"resources": resources}), encoding="utf-8")
        os.replace(fresh, folder / "datapackage.json")
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise InputError(f"{folder}: cannot be written ({reason(error)})") from None
    return [entry["path"] for entry in resources if entry != known.get(entry["path"])]
