"""The roads as they are kept: ``data/roads``, made by ``python -m lib roads``."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from lib.collection.package import Schema, read_table, save_tables
from lib.paths import DATA, AnyPath
from lib.studies.roads.claims import FAMILIES, all_roads, asked, walk
from lib.studies.roads.roads import Place, departures
from lib.studies.roads.table import PAPERS, along, place
from lib.studies.sources import Source, sources

ASKED: Schema = {
    "source": ("string", "name of the source, as in data/elsewhere"),
    "claim": ("string", "name of the claim"),
    "roads": ("string", "family of roads: prediction, agreement or power"),
    "asked": ("string", "asked; or not askable, and why"),
}


def _of_values(labels: Iterable[str]) -> str:
    return f"choice: {' / '.join(labels)}, the book's first; empty where it plays no part"


def _schema_of_place(given: Place) -> Schema:
    quantity = given.quantity or "not estimated here: empty"
    return {
        **{
            c.name: ("string", f"choice: {' / '.join(c.values)}; ours first") for c in given.choices
        },
        "cells": ("int32", "printed numbers that the road computes"),
        "matched": ("int32", "of them as printed, or within Monte-Carlo error"),
        "estimate": ("float64", quantity),
        "low": ("float64", "lower end of its 95% interval over topics (jackknife)"),
        "high": ("float64", "upper end"),
    }


def _schema_of_claims() -> Schema:
    choices: dict[str, dict[str, None]] = {}
    for family in FAMILIES.values():
        for choice in family:
            choices.setdefault(choice.name, {}).update(dict.fromkeys(choice.values))
    return {
        "source": ASKED["source"],
        "claim": ASKED["claim"],
        **{name: ("string", _of_values(labels)) for name, labels in choices.items()},
        "estimate": ("float64", "the number of the claim"),
        "low": ("float64", "lower end of its 95% interval over topics (jackknife)"),
        "high": ("float64", "upper end"),
        "error": ("float64", "Monte-Carlo standard error of the estimate; 0 where none is drawn"),
    }


def schemas() -> dict[str, Schema]:
    """Return the columns of every file of the package, each with its type and meaning."""
    places = {given.file: _schema_of_place(given) for of in PAPERS.values() for given in of}
    return {**places, "claims.parquet": _schema_of_claims(), "asked.tsv": ASKED}


def write(
    folder: AnyPath,
    papers: Sequence[str] = (),
    *,
    name: str | None = None,
    about: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> dict[str, int]:
    """Walk all roads and keep what was found."""
    tables = {given.file: along(given) for paper in papers or PAPERS for given in PAPERS[paper]}
    if not papers:
        every = sources()
        walked = tqdm(every, desc="claims", unit="source", disable=None)
        tables["claims.parquet"] = pd.concat([walk(of) for of in walked], ignore_index=True)
        tables["asked.tsv"] = pd.concat([asked(of) for of in every], ignore_index=True)
    columns = schemas()
    typed = {
        file: table.astype({column: kind for column, (kind, _) in columns[file].items()})
        for file, table in tables.items()
    }
    save_tables(
        folder,
        name or Path(folder).resolve().name,
        typed,
        schemas=columns,
        about=about,
        replace=replace,
        kind="data package",
    )
    return {file: len(table) for file, table in typed.items()}


@cache
def _read(file: str) -> pd.DataFrame:
    return read_table(DATA / "roads" / file, schemas()[file])


def read_place(paper: str, name: str) -> pd.DataFrame:
    """Return all roads through a place of a paper, the book's first.

    Examples
    --------
    >>> len(read_place("webber2010", "Table 2"))
    1024
    """
    return _read(place(paper, name).file).copy()


def read_claims(extra: Source | None = None) -> pd.DataFrame:
    """Return the headline claims along all roads on all sources.

    Examples
    --------
    >>> read_claims()["claim"].iloc[0]
    'p10-AP'
    """
    table = _read("claims.parquet").copy()
    if extra is None:
        return table
    near = {name: roads[departures(roads) <= 1] for name, roads in all_roads().items()}
    return pd.concat([table, walk(extra, near)], ignore_index=True)


def read_asked() -> pd.DataFrame:
    """Return for each source, claim and family of roads whether it was asked, or why not.

    Examples
    --------
    >>> read_asked().columns.tolist()
    ['source', 'claim', 'roads', 'asked']
    """
    return _read("asked.tsv").copy()
