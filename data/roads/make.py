"""Follow every analysis path that the papers leave open; keep what becomes of their numbers.

    python data/roads/make.py [PAPER ...] --out FOLDER

Papers: only the printed numbers of these (default: of all, and the headline claims).  Some hours.
FOLDER is made; its files take the place of those here.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from lib.collection.package import Schema, about, save_tables
from lib.studies.roads.claims import FAMILIES, asked, walk
from lib.studies.roads.places import PAPERS
from lib.studies.roads.roads import Place, along
from lib.studies.sources import sources

ASKED: Schema = {
    "source": ("string", "name of the source, as in data/elsewhere"),
    "claim": ("string", "name of the claim"),
    "roads": ("string", "family of roads: prediction, agreement or power"),
    "asked": ("string", "asked; or not askable, and why"),
}
INTERVAL: Schema = {
    "low": ("float64", "lower end of its 95% interval over topics (jackknife)"),
    "high": ("float64", "upper end"),
}


def schema_of_place(given: Place) -> Schema:
    """Describe the columns of a place of a paper."""
    choices = {
        choice.name: ("string", f"choice: {' / '.join(choice.values)}; ours first")
        for choice in given.choices
    }
    return choices | {
        "cells": ("int32", "printed numbers that the road computes"),
        "matched": ("int32", "of them as printed, or within Monte-Carlo error"),
        "estimate": ("float64", given.quantity or "not estimated here: empty"),
        **INTERVAL,
    }


def schema_of_claims() -> Schema:
    """Describe the columns of the headline claims: the choices of all families."""
    choices: dict[str, dict[str, None]] = {}
    for choice in (choice for family in FAMILIES.values() for choice in family):
        choices.setdefault(choice.name, {}).update(dict.fromkeys(choice.values))
    meaning = "choice: {}, the book's first; empty where it plays no part"
    return {
        "source": ASKED["source"],
        "claim": ASKED["claim"],
        **{name: ("string", meaning.format(" / ".join(of))) for name, of in choices.items()},
        "estimate": ("float64", "the number of the claim"),
        **INTERVAL,
        "error": ("float64", "Monte-Carlo standard error of the estimate; 0 where none is drawn"),
    }


def make(papers: Iterable[str]) -> dict[str, tuple[pd.DataFrame, Schema]]:
    """Return the table of each file, and what its columns are."""
    places = [given for paper in papers or PAPERS for given in PAPERS[paper]]
    tables = {given.file: (along(given), schema_of_place(given)) for given in places}
    if not papers:
        every = sources()
        walked = pd.concat([walk(of) for of in tqdm(every, desc="claims", disable=None)])
        tables["claims.parquet"] = walked, schema_of_claims()
        tables["asked.tsv"] = pd.concat(map(asked, every)), ASKED
    return tables


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="*", choices=PAPERS)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    known = about("roads")
    stated = {key: known[key] for key in ("title", "description", "sources", "rights", "command")}
    made = make(options.papers)
    schemas = {file: schema for file, (_, schema) in made.items()}
    tables = {
        file: table.astype({column: kind for column, (kind, _) in schemas[file].items()})
        for file, (table, _) in made.items()
    }
    save_tables(options.out, "roads", tables, schemas=schemas, about=stated, kind="data package")
