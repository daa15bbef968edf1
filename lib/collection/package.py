"""How a collection stands on disk: its tables, their types, and the folder that holds them.

The ``datapackage.json`` of a folder has the SHA-256 of each file.  A file is read once, and the
bytes that are hashed are the ones that become a table.  It is a Data Package (version 1 of
https://specs.frictionlessdata.io): other tools read and check it.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from lib import pandas_later as pd
from lib.atomic import fresh_folder
from lib.errors import InputError, reason
from lib.paths import DATA, AnyPath

Schema: TypeAlias = Mapping[str, tuple[str, str]]  # column to its type on disk and its meaning
Package: TypeAlias = dict[str, Any]  # what a datapackage.json says

_MOST_ROWS = 1 << 26  # of a table, a gigabyte or two in memory; its file may have a few bytes of it
PROFILE = "data-package"  # "tabular-" asks of each resource what Parquet does not have
_MEDIA = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/vnd.apache.parquet",
}

# Systems and topics are coded by their position in systems.tsv and topics.tsv, counted from 0.
POSITION = {"position": ("int32", "by which the other tables name it, counted from 0")}
_KEYS = {"topic": "topics", "system": "systems"}  # column to the table whose positions it holds
_TOPIC = ("int32", "position in topics.tsv, counted from 0")
LIST = {"topic": _TOPIC, "system": ("int32", "position in systems.tsv, counted from 0")}
TABLES: dict[str, Schema] = {
    "systems.tsv": {
        **POSITION,
        "run": ("string", "name of the system's run"),
        "group": (
            "string",
            "group that submitted it, of the book's own searches the system whose methods it "
            "follows; empty when not known",
        ),
        "type": ("string", "automatic, manual or feedback; empty when not known"),
        "pooled": ("string", "yes when the run was judged from, no when not, empty if unknown"),
    },
    "topics.tsv": {
        **POSITION,
        "topic": ("string", "topic identifier"),
        "judged": ("Int32", "documents judged (grade 0 or more)"),
        "relevant": ("Int32", "documents of grade 1 or more, whatever relevant_from says"),
    },
    "lists.parquet": {
        **LIST,
        "retrieved": (
            "int32",
            "documents in the system's list, 0 when it found none; no row when it did not answer",
        ),
    },
    "relevant.parquet": {
        "topic": _TOPIC,
        "document": ("int32", "number of the relevant document within its topic, from 0"),
        "grade": ("int32", "grade of relevance, 1 or more"),
    },
    "hits.parquet": {
        **LIST,
        "rank": ("int32", "rank at which the system found it, from 1"),
        "document": ("int32", "number of the relevant document within its topic, from 0"),
        "nonrelevant": ("int32", "documents judged non-relevant (grade 0) ranked above it"),
    },
    "pools.parquet": {
        "topic": _TOPIC,
        "depth": ("int32", "depth of the pool, from 1"),
        "all": ("int32", "documents in the pool of every system's top ranks"),
        "pooled": (
            "Int32",
            "documents in the pool of the systems marked pooled; missing where it is not known of "
            "every system",
        ),
    },
    # Written with --judged only, read only when asked for.
    "judged.parquet": {
        **LIST,
        "rank": ("int32", "rank at which the system retrieved it, from 1"),
        "document": ("int32", "number of the judged non-relevant document within its topic"),
    },
    # Written, and read, where judgements name documents that are in the pool and not judged.
    "unsampled.parquet": {
        **LIST,
        "rank": ("int32", "rank at which the system retrieved it, from 1"),
        "document": ("int32", "number of the pooled, unjudged document within its topic"),
    },
}


def save_tables(
    folder: AnyPath,
    name: str,
    tables: Mapping[str, pd.DataFrame],
    *,
    schemas: Mapping[str, Schema] = TABLES,
    about: Mapping[str, Any] | None = None,
    replace: bool = False,
    kind: str = "collection",
) -> None:
    """Write tables, by the names of their files, as a data package; see :meth:`Collection.save`.

    A file is ``.parquet`` or ``.tsv``; ``about`` is what ``datapackage.json`` says beyond the
    tables, ``kind`` what the package is called in messages.
    """
    with fresh_folder(folder, made=made, kind=kind, replace=replace) as fresh:
        resources = []
        for file, table in tables.items():
            path = fresh / file
            if path.suffix == ".parquet":
                table.to_parquet(path, index=False, compression="zstd")
            else:
                table.to_csv(path, sep="\t", index=False, lineterminator="\n")
            resources.append(_described(path, table, schemas[file]))
            if "topics.tsv" in tables and (keys := _keys(file, schemas[file])):
                resources[-1]["schema"]["foreignKeys"] = keys
        package = {"name": name, "profile": PROFILE, **(about or {}), "resources": resources}
        (fresh / "datapackage.json").write_text(as_json(package), encoding="utf-8")


def as_json(package: Package) -> str:
    """Return a data package as its ``datapackage.json`` has it."""
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _described(path: Path, table: pd.DataFrame, schema: Schema) -> dict[str, Any]:
    """Return what a ``datapackage.json`` says of a table and its file."""
    kinds = {"string": "string", "float64": "number"}
    return {
        "name": path.stem,
        "path": path.name,
        "format": path.suffix[1:],
        "mediatype": _MEDIA[path.suffix],
        **table_facts(path, table),
        "schema": {
            "fields": [
                {"name": column, "type": kinds.get(kind, "integer"), "description": meaning}
                for column, (kind, meaning) in schema.items()
            ],
            "missingValues": [""],
        },
    }


def _keys(file: str, schema: Schema) -> list[dict[str, Any]]:
    """Return the columns of a table that hold positions of topics and systems, as keys."""
    return [
        {"fields": column, "reference": {"resource": of, "fields": "position"}}
        for column, of in _KEYS.items()
        if column in schema and not file.endswith(".tsv")
    ]


def table_facts(path: Path, table: pd.DataFrame) -> dict[str, Any]:
    """Return the SHA-256 of a table's file, and the rows and :func:`digest` of the table.

    Text of commas needs no other hash than its file's: no compressor wrote it.
    """
    known = {"hash": sha256(path.read_bytes()), "rows": len(table)}
    return known if path.suffix == ".csv" else known | {"table_hash": digest(table)}


def made(folder: Path) -> set[str]:
    """Return the names of a data package's files, if a command of ours made the folder."""
    try:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        # Other data packages do not have hashes of tables.
        files = {entry["path"] for entry in package["resources"] if entry["table_hash"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {"datapackage.json", *files}


def digest(table: pd.DataFrame) -> str:
    """Return the SHA-256 of a table as text, which no compressor or version changes."""
    return sha256(table.to_csv(index=False, lineterminator="\n").encode())


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as a ``datapackage.json`` has it.

    >>> sha256(b"")[:16]
    'sha256:e3b0c4429'
    """
    return "sha256:" + hashlib.sha256(data).hexdigest()


def folder_of(name: AnyPath) -> Path:
    """Return the folder that a name means: a data package itself, else one below ``data/``."""
    try:
        folder = Path(name)
        if not (folder / "datapackage.json").is_file() and (DATA / folder).is_dir():
            return DATA / folder
    except TypeError:
        raise InputError(f"{name!r} is neither a name nor a path") from None
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{name}: cannot be read ({reason(error)})") from None
    return folder


def read_package(folder: Path) -> Package:
    """Return what the ``datapackage.json`` of a folder says; a ValueError when it is damaged."""
    data = (folder / "datapackage.json").read_bytes()
    try:
        package = {"name": "", "resources": []} | json.loads(data.decode())
        check_stated(package)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"datapackage.json: {reason(error)}") from None
    return package


# What a collection has from its data package beside its name, and has where that says nothing.
OPTIONAL: dict[str, Any] = {
    "short_title": "",
    "relevant_from": 1,
    "highest_grade": None,
    "highest_judged": None,
    "skipped_runs": {},
}

# What a data package says of itself and something reads, and what its kind is called.
_KINDS: dict[type, str] = {str: "text", list: "a list", int: "a whole number", dict: "an object"}
_STATED: dict[str, type] = {
    **dict.fromkeys(("name", "short_title", "title", "description", "rights"), str),
    **dict.fromkeys(("sources", "licenses", "resources"), list),
    **dict.fromkeys(("relevant_from", "highest_grade", "highest_judged"), int),
    "skipped_runs": dict,
}


def check_stated(package: Package) -> None:
    """Raise a ValueError where what a data package says of itself is not of the right kind.

    Examples
    --------
    >>> check_stated({"title": ["My track"]})
    Traceback (most recent call last):
        ...
    ValueError: title is not text
    """
    for key, kind in _STATED.items():
        value = package.get(key, kind())
        if type(value) is not kind:
            raise ValueError(f"{key} is not {_KINDS[kind]}")
        if key in ("name", "short_title", "title") and not str(value).isprintable():
            raise ValueError(f"{key} holds what cannot be printed")
    if not package.get("name", "-").strip():
        raise ValueError("says no name")
    try:
        as_json(package).encode()
    except UnicodeEncodeError:
        raise ValueError("holds text that is not UTF-8") from None


def entry_of(package: Package, folder: Path, file: str) -> dict[str, Any]:
    """Return what a data package says of a file."""
    for entry in package["resources"]:
        if entry["path"] == file:
            return entry
    raise InputError(f"{folder}: datapackage.json does not name {file}; {_remedy(package)}")


def checked_table(
    folder: Path, file: str, package: Package, schema: Schema | None = None
) -> pd.DataFrame:
    """Return a table of a data package; an InputError if its file is not the one written."""
    data = (folder / file).read_bytes()
    if entry_of(package, folder, file).get("hash") != sha256(data):
        raise InputError(
            f"{folder}: {file} is not as it was written (its hash is not the one in "
            f"datapackage.json); {_remedy(package)}"
        )
    return _as_table(file, data, TABLES[file] if schema is None else schema)


def _remedy(package: Package) -> str:
    command = str(package.get("command", "python -m lib derive"))
    return f"restore it, or make it again: {command}"


def _whole_numbers(file: str, content: io.BytesIO, columns: list[str] | None) -> pd.DataFrame:
    """Return columns of a Parquet file, which has not more in it than it seems to have."""
    import pyarrow.parquet  # not for every small run

    stored = pyarrow.parquet.ParquetFile(content)
    if (rows := stored.metadata.num_rows) > _MOST_ROWS:
        raise ValueError(f"{file}: has {rows:,} rows, more than {_MOST_ROWS:,}")
    kinds = {field.name: field.type for field in stored.schema_arrow}
    if odd := [c for c in columns or kinds if not pyarrow.types.is_integer(kinds[c])]:
        raise ValueError(f"{file}: column {odd[0]} holds no whole numbers")
    return stored.read(columns).to_pandas()


def _as_table(file: str, data: bytes, schema: Schema) -> pd.DataFrame:
    types, content = {column: kind for column, (kind, _) in schema.items()}, io.BytesIO(data)
    if file.endswith(".parquet"):
        return _whole_numbers(file, content, list(types) or None).astype(types)
    gaps = {column: [""] for column, kind in types.items() if kind != "string"}
    table = pd.read_csv(content, sep="\t", dtype=types, keep_default_na=False, na_values=gaps)
    return table[list(types)]
