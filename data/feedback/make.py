"""Make data/feedback/NAME-grid: every system over a grid of feedback documents, terms and weight.

    python data/feedback/make.py TEXTS --about OLDER/datapackage.json --out NAME-grid

TEXTS is a folder that ``python -m lib fetch`` makes.  252 runs, some minutes.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from lib.collection.metadata import read_about
from lib.collection.package import save_tables
from lib.measures import scores
from lib.retrieval import FACTORS, Corpus, experiment, read_corpus
from lib.retrieval.systems import SYSTEMS, System

# Column of the grid's table: (type, meaning).
GRID = {
    "system": ("string", "name of the system"),
    "documents": ("int32", "feedback documents"),
    "terms": ("int32", "feedback terms"),
    "weight": ("float64", "weight of the feedback terms"),
    "topic": ("int32", "position in the collection's topics.tsv, from 0"),
    "first": ("int32", "rank of the first relevant document; 0 when none is retrieved"),
    "top10": ("int32", "relevant documents among the first ten"),
    "ap": ("int32", "average precision in units of 0.0001"),
}


def setting(system: str, *, documents: float = 1, terms: float = 1, weight: float = 1) -> System:
    """Return a system with its numbers multiplied; documents and terms are rounded, 1 or more."""
    own = SYSTEMS[system]
    return replace(
        own,
        documents=max(1, round(own.documents * documents)),
        terms=max(1, round(own.terms * terms)),
        weight=round(own.weight * weight, 10),
    )


def grid(
    corpus: Corpus,
    name: str,
    *,
    factors: Mapping[str, Sequence[float]] = FACTORS,
    systems: Sequence[str] = tuple(SYSTEMS),
) -> pd.DataFrame:
    """Score the systems' feedback runs over a grid: one row a setting and topic, as in GRID.

    The grid is exploratory: of its settings only the one with all factors 1 was fixed beforehand.
    """
    settings = [
        setting(system, **dict(zip(factors, values)))
        for system in systems
        for values in itertools.product(*factors.values())
    ]
    runs = {f"{number:04}": (system, True) for number, system in enumerate(settings)}
    collection = experiment(corpus, name, runs=runs)
    per_topic = {
        "first": _first(scores(collection, "RR").to_numpy()),
        "top10": np.rint(scores(collection, "P@10").to_numpy() * 10),
        "ap": np.rint(scores(collection, "AP").to_numpy() * 10_000),
    }
    topics = len(collection.topics)
    columns = {
        column: np.repeat([getattr(system, attribute) for system in settings], topics)
        for column, attribute in [
            ("system", "name"),
            ("documents", "documents"),
            ("terms", "terms"),
            ("weight", "weight"),
        ]
    }
    columns["topic"] = np.tile(np.arange(topics), len(settings))
    columns |= {column: values.T.ravel() for column, values in per_topic.items()}
    return pd.DataFrame(columns).astype({column: kind for column, (kind, _) in GRID.items()})


def _first(reciprocal):
    """Ranks from their reciprocals; 0 stays 0."""
    return np.rint(np.divide(1, reciprocal, out=np.zeros_like(reciprocal), where=reciprocal > 0))


def main() -> None:
    """Read the texts, score the grid, and save it with what an older package says of itself."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--about", help="JSON file: title, sources, licenses, ...")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    about = read_about(options.about)
    about["command"] = f"python data/feedback/make.py {options.texts.name} --out {options.out.name}"
    tables = {"grid.parquet": grid(read_corpus(options.texts), options.out.name)}
    schemas = {"grid.parquet": GRID}
    save_tables(options.out, options.out.name, tables, schemas=schemas, about=about)


if __name__ == "__main__":
    main()
