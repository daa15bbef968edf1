"""Compute again without each topic what the book's intervals over topics are made of.

And ``halvings.tsv``, what halves of TREC-8's and of Robust 2004's topics say of other topics.

    python data/replicates/make.py [--out FOLDER]

A minute or two.  FOLDER is made; without it the files of this folder are written anew.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from chapters.ledger.papers import paper
from chapters.webber2008.quantities import compute_halvings
from chapters.webber2008.tables import CUT, MEASURES, predictive_power
from lib.collection import Collection, load
from lib.collection.package import Schema, save_tables
from lib.paths import DATA, about

SCHEMA: Schema = {
    "what": ("string", "what was computed, and with which settings"),
    "topic": ("int32", "the topic that was left out: its position in topics.tsv, counted from 0"),
    "pair": (
        "int32",
        "which of its numbers, counted from 0: of phi the pairs of the measures that it names, row "
        "by row, predicted by each",
    ),
    "value": ("float64", "the number without the topic"),
}

HALVINGS: Schema = {
    "topics": ("string", "real ones of Robust 2004, or made up after those of TREC-8"),
    "of": ("string", "a measure that is predicted"),
    "predictor": ("string", "a measure"),
    "new": ("float64", "phi by pairs of sets of new topics"),
    "halved": ("float64", "phi by halves of a set of topics, mean over sets"),
    "difference": ("float64", "halved minus new"),
    "error": ("float64", "Monte-Carlo standard error of the difference"),
    "deviation": ("float64", "standard deviation of phi by halves between sets"),
}


def ask(collection: Collection) -> None:
    """Ask a collection for all that the book asks of it."""
    for measures in (MEASURES, CUT):
        predictive_power(collection, measures)
    if collection.is_package("trec8"):
        for name in ("webber2008", "webber2010"):
            of = paper(name)
            of.check(of.data(collection))  # what its claims share is computed once


def table(name: str) -> pd.DataFrame:
    """Return what a collection computes again without each topic, as it is kept."""
    collection = load(name)
    collection._shared["replicates"] = {}  # nothing is read
    ask(collection)
    parts = [
        _long(values).assign(what=key[1])[list(SCHEMA)]
        for key, values in collection._shared.items()
        if key[0] == "replicates" and len(key) == 2
    ]
    return pd.concat(parts, ignore_index=True)


def _long(values):
    """Return numbers (topics, pairs) in three columns."""
    topic, pair = np.indices(values.shape)
    return pd.DataFrame({"topic": topic.ravel(), "pair": pair.ravel(), "value": values.ravel()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    known = about("replicates")
    stated = {key: known[key] for key in ("title", "description", "sources", "rights", "command")}
    made = {f"{name}.parquet": table(name) for name in ("trec8", "trec-covid")}
    with TemporaryDirectory() as folder:
        made_in = given.out or Path(folder, "replicates")
        save_tables(
            made_in,
            "replicates",
            made | {"halvings.tsv": compute_halvings(load("trec8"))},
            schemas=dict.fromkeys(made, SCHEMA) | {"halvings.tsv": HALVINGS},
            about=stated,
            kind="data package",
        )
        for file in made_in.iterdir() if given.out is None else ():
            shutil.copy(file, DATA / "replicates")
