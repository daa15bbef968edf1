"""How a collection stands on disk: its tables, their types, and the folder that holds them."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from lib.atomic import fresh_folder
from lib.paths import DATA, AnyPath

__all__ = [
    "TABLES",
    "Schema",
    "about",
    "canonical",
    "check",
    "digest",
    "folder_of",
    "has_sizes",
    "holds",
    "made",
    "read_table",
    "save_tables",
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
        resources.append(_describe(file, table, schemas[file]))
    package = {"name": name, "profile": "tabular-data-package", **about, "resources": resources}
    text = json.dumps(package, indent=2, ensure_ascii=False)
    (folder / "datapackage.json").write_text(text + "\n", encoding="utf-8")


def check(frames: Mapping[str, pd.DataFrame]) -> None:
    """Raise a ValueError where tables do not fit each other, as after an edit by hand."""
    sizes = {"topic": len(frames["topics.tsv"]), "system": len(frames["systems.tsv"])}
    for file, table in frames.items():
        for column in sizes.keys() & table.columns if file.endswith(".parquet") else ():
            if not table[column].between(0, sizes[column] - 1).all():
                raise ValueError(f"{file} has a {column} that is not in {column}s.tsv")
    hits, relevant = frames["hits.parquet"], frames["relevant.parquet"]
    known, found = _key(relevant, "topic", "document"), _key(hits, "topic", "document")
    if not np.isin(found, known).all():
        raise ValueError("hits.parquet has a document that is not in relevant.parquet")
    for file, table, columns in (
        ("hits.parquet", hits, ("topic", "system", "rank")),
        ("relevant.parquet", relevant, ("topic", "document")),
    ):
        if not (np.diff(_key(table, *columns)) > 0).all():
            raise ValueError(f"{file} is not in order, or has a row twice")


def _key(table, *columns):
    """Return an integer a row that orders the rows by these columns."""
    key = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        key = key * 2**21 + table[column].to_numpy()
    return key


def folder_of(name: AnyPath) -> Path:
    """Return the folder that a name means: that of a data package itself, else one below ``data/``.

    Parameters
    ----------
    name : str or path
    """
    folder = Path(name)
    if not (folder / "datapackage.json").is_file() and (DATA / folder).is_dir():
        return DATA / folder
    return folder


def read_table(path: Path, schema: Schema | None = None) -> pd.DataFrame:
    """Return a table from its file, with the columns and types of a schema and no others.

    Parameters
    ----------
    path : pathlib.Path
    schema : dict, optional
        By default that of :data:`TABLES` for a file of this name.
    """
    schema = TABLES[path.name] if schema is None else schema
    types = {column: kind for column, (kind, _) in schema.items()}
    if path.suffix == ".parquet":
        return pd.read_parquet(path, page_checksum_verification=True)[list(types)].astype(types)
    table = pd.read_csv(
        path,
        sep="\t",
        dtype=types,
        keep_default_na=False,
        na_values={column: [""] for column, kind in types.items() if kind != "string"},
    )
    return table[list(types)]


def canonical(table: pd.DataFrame) -> str:
    """Return a table as text that no compressor or version changes: what is hashed."""
    return table.to_csv(index=False, lineterminator="\n")


def digest(table: pd.DataFrame) -> str:
    """Return the SHA-256 of a table's canonical text."""
    return "sha256:" + hashlib.sha256(canonical(table).encode()).hexdigest()


def _describe(file, table, schema):
    kinds = {"string": "string", "float64": "number"}
    return {
        "name": file.split(".")[0],
        "path": file,
        "format": file.split(".")[1],
        "mediatype": "text/tab-separated-values"
        if file.endswith("tsv")
        else "application/vnd.apache.parquet",
        "rows": len(table),
        "hash": digest(table),
        "hash_of": "the table as comma-separated text with a header line and newlines of \\n",
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
