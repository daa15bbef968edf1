"""How a collection stands on disk: its tables, their types, and the folder that holds them."""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from lib.atomic import fresh_folder
from lib.errors import InputError, reason
from lib.paths import DATA, AnyPath

__all__ = [
    "TABLES",
    "Schema",
    "about",
    "as_table",
    "as_text",
    "canonical",
    "describe",
    "digest",
    "folder_of",
    "has_sizes",
    "holds",
    "made",
    "marks",
    "read_table",
    "save_tables",
    "sha256",
]

Schema: TypeAlias = Mapping[str, tuple[str, str]]  # column to its type on disk and its meaning

# Systems and topics are coded by their position in systems.tsv and topics.tsv, counted from 0.
TABLES: dict[str, Schema] = {
    "systems.tsv": {
        "run": ("string", "name of the system's run"),
        "group": ("string", "group that submitted it; empty when not known"),
        "type": ("string", "automatic, manual or feedback; empty when not known"),
        "pooled": ("string", "yes when the run was judged from, no when not, empty if unknown"),
    },
    "topics.tsv": {
        "topic": ("string", "topic identifier"),
        "judged": ("Int32", "documents judged (grade 0 or more)"),
        "relevant": ("Int32", "documents judged relevant (by default those of grade 1 or more)"),
    },
    "lists.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "system": ("int32", "position in systems.tsv"),
        "retrieved": ("int32", "documents in the system's list; no row when it did not answer"),
    },
    "relevant.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "document": ("int32", "number of the relevant document within its topic, from 0"),
        "grade": ("int32", "grade of relevance, 1 or more"),
    },
    "hits.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "system": ("int32", "position in systems.tsv"),
        "rank": ("int32", "rank at which the system found it, from 1"),
        "document": ("int32", "number of the relevant document within its topic, from 0"),
        "nonrelevant": ("int32", "documents judged non-relevant (grade 0) ranked above it"),
    },
    "pools.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "depth": ("int32", "depth of the pool, from 1"),
        "all": ("int32", "documents in the pool of every system's top ranks"),
        "pooled": ("int32", "documents in the pool of the systems marked pooled"),
    },
    # Written with --judged only, read only when asked for.
    "judged.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "system": ("int32", "position in systems.tsv"),
        "rank": ("int32", "rank at which the system retrieved it, from 1"),
        "document": ("int32", "number of the judged non-relevant document within its topic"),
    },
    # Written, and read, where judgements name documents that are in the pool and not judged.
    "unsampled.parquet": {
        "topic": ("int32", "position in topics.tsv"),
        "system": ("int32", "position in systems.tsv"),
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
    """Write tables as a data package; the folder appears whole or not at all.

    Parameters
    ----------
    folder : path
    name : str
        Name of the package.
    tables : dict of str to DataFrame
        File name, ending in ``.parquet`` or ``.tsv``, to table.
    schemas : dict of str to dict
        File name to columns, each with its type and meaning, as in :data:`TABLES`.
    about : dict, optional
        What ``datapackage.json`` says beyond the tables, such as ``title``, and ``short_title``,
        the name as text writes it.
    replace : bool
        Write over a folder that holds a data package of ours already, and nothing else.
    kind : str
        What the package is called in messages.

    Raises
    ------
    InputError
        The folder exists and may not be replaced, or cannot be written.
    """
    with fresh_folder(folder, made=made, kind=kind, replace=replace) as fresh:
        _write(fresh, name, tables, schemas, about or {})


def made(folder: Path) -> set[str]:
    """Return the names of a data package's files, if a command of ours made the folder.

    Parameters
    ----------
    folder : pathlib.Path
    """
    try:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        # Other data packages do not say what their hashes are of.
        files = {entry["path"] for entry in package["resources"] if entry["hash_of"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {"datapackage.json", *files}


def _write(folder, name, tables, schemas, about):
    resources = []
    for file, table in tables.items():
        path = folder / file
        if path.suffix == ".parquet":
            table.to_parquet(path, index=False, compression="zstd", write_page_checksum=True)
        else:
            table.to_csv(path, sep="\t", index=False, lineterminator="\n")
        resources.append(describe(path, table, schemas[file]))
    package = {"name": name, "profile": "tabular-data-package", **about, "resources": resources}
    (folder / "datapackage.json").write_text(as_text(package), encoding="utf-8")


def as_text(package: Mapping[str, Any]) -> str:
    """Return what stands in a ``datapackage.json``."""
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def folder_of(name: AnyPath) -> Path:
    """Return the folder that a name means: that of a data package itself, else one below ``data/``.

    Parameters
    ----------
    name : str or path
    """
    folder = Path(name)
    try:
        if not (folder / "datapackage.json").is_file() and (DATA / folder).is_dir():
            return DATA / folder
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{name}: cannot be read ({reason(error)})") from None
    return folder


def read_table(path: Path, schema: Schema | None = None) -> pd.DataFrame:
    """Return a table from its file, with the columns and types of a schema and no others.

    Parameters
    ----------
    path : pathlib.Path
    schema : dict, optional
        By default that of :data:`TABLES` for a file of this name; an empty one takes every column.
    """
    return as_table(path.name, path.read_bytes(), schema)


def as_table(file: str, data: bytes, schema: Schema | None = None) -> pd.DataFrame:
    """Return a table from the bytes of its file; see :func:`read_table`.

    Raises
    ------
    ValueError
        Bytes that are no such table, with the file's name.
    """
    schema = TABLES[file] if schema is None else schema
    types = {column: kind for column, (kind, _) in schema.items()}
    try:
        if file.endswith(".parquet"):
            # Its pages have checksums of their own: they tell on reading what was damaged.
            whole = pd.read_parquet(io.BytesIO(data), page_checksum_verification=True)
            return _typed(whole[list(types)], types) if types else whole
        table = pd.read_csv(
            io.BytesIO(data),
            sep="\t",
            dtype=types,
            keep_default_na=False,
            na_values={column: [""] for column, kind in types.items() if kind != "string"},
        )
        return table[list(types)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: {reason(error)}") from None


def _typed(table, types):
    """Return a table in the types of a schema; a number that one cannot hold is refused."""
    for column, kind in types.items():
        values = table[column]
        if kind.startswith("int") and values.dtype != kind:
            bounds = np.iinfo(kind)
            if values.dtype.kind not in "iu" or not values.between(bounds.min, bounds.max).all():
                raise ValueError(f"{column} is not a column of {bounds.bits}-bit integers")
    return table.astype(types)


def canonical(table: pd.DataFrame) -> str:
    """Return a table as text that no compressor or version changes: what is hashed."""
    return table.to_csv(index=False, lineterminator="\n")


def digest(table: pd.DataFrame) -> str:
    """Return the SHA-256 of a table's canonical text."""
    return sha256(canonical(table).encode())


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as a ``datapackage.json`` has it.

    >>> sha256(b"")[:16]
    'sha256:e3b0c4429'
    """
    return "sha256:" + hashlib.sha256(data).hexdigest()


def marks(data: bytes, table: pd.DataFrame) -> dict[str, int | str]:
    """Return what tells whether a table is the one that was written: its size and its hashes.

    Parameters
    ----------
    data : bytes
        Those of its file, which a compressor or a version may change while the table is the same.
    table : DataFrame
    """
    return {
        "rows": len(table),
        "hash": digest(table),
        "hash_of": "the table as comma-separated text with a header line and newlines of \\n",
        "file_hash": sha256(data),
    }


def describe(path: Path, table: pd.DataFrame, schema: Schema) -> dict[str, Any]:
    """Return what a ``datapackage.json`` says of a table and its file."""
    kinds, file = {"string": "string", "float64": "number"}, path.name
    return {
        "name": file.split(".")[0],
        "path": file,
        "format": file.split(".")[1],
        "mediatype": "text/tab-separated-values"
        if file.endswith("tsv")
        else "application/vnd.apache.parquet",
        **marks(path.read_bytes(), table),
        "schema": {
            "fields": [
                {"name": column, "type": kinds.get(kind, "integer"), "description": meaning}
                for column, (kind, meaning) in schema.items()
            ]
        },
    }


def about(name: str) -> dict[str, Any]:
    """Return what the ``datapackage.json`` of a folder below ``data/`` says.

    Of a collection: ``name``, ``short_title`` (the name as text writes it), ``title`` (what it is),
    sources, licenses, and the tables as ``resources``.

    >>> about("feedback/cf")["short_title"]
    'Cystic Fibrosis'
    """
    return json.loads((DATA / name / "datapackage.json").read_text(encoding="utf-8"))


def holds(name: str, tables: Mapping[str, pd.DataFrame]) -> bool:
    """Return whether a folder below ``data/`` holds these tables, by the hashes it records.

    It may hold others too, such as the judged non-relevant documents.
    """
    known = {entry["path"]: entry["hash"] for entry in about(name)["resources"]}
    return all(digest(table) == known.get(file) for file, table in tables.items())


def has_sizes(name: str, sizes: Mapping[str, int]) -> bool:
    """Return whether a folder below ``data/`` holds tables of these numbers of rows, and others."""
    known = {entry["path"]: entry["rows"] for entry in about(name)["resources"]}
    return all(known.get(file) == rows for file, rows in sizes.items())
