"""The blind-feedback experiment: every system with and without feedback on one text collection."""

import itertools
from collections.abc import Collection as Container
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from lib.collection import Collection, Derivation, save_tables
from lib.measures import scores
from lib.retrieval.corpus import Corpus
from lib.retrieval.index import Index
from lib.retrieval.systems import READINGS, SYSTEMS, System, run

__all__ = ["FACTORS", "GRID", "RUNS", "experiment", "grid", "moved", "save_grid", "setting"]

# Name of a run: (system, with feedback).
RUNS = {
    **{f"{name}.base": (system, False) for name, system in SYSTEMS.items()},
    **{f"{name}.feedback": (system, True) for name, system in SYSTEMS.items()},
    **{f"{name}.first-reading": (system, True) for name, system in READINGS.items()},
}

# What the grid multiplies each system's own numbers by.
FACTORS = {"documents": (0.5, 1, 2, 4), "terms": (0.5, 1, 2), "weight": (0.5, 1, 1.5)}

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


def experiment(
    corpus: Corpus,
    name: str,
    *,
    runs: Mapping[str, tuple[System, bool]] | None = None,
    depth: int = 1000,
) -> Collection:
    """Run every system with and without feedback, and keep relevance at rank.

    Parameters
    ----------
    corpus : Corpus
        From :func:`lib.retrieval.read_corpus`.
    name : str
        Name of the collection.
    runs : dict of str to (System, bool), optional
        Name of a run: system, and whether with feedback; by default :data:`RUNS`.
    depth : int
        Length of the longest list.

    Returns
    -------
    Collection
        ``group`` is the system's name.

    Examples
    --------
    >>> from lib.retrieval import Corpus
    >>> experiment(Corpus({"a": "red fish", "b": "red"}, {"1": "fish"}, {"1": {"b": 1}}), "toy")
    Collection('toy': 16 systems, 1 topics, 1 relevant documents, 5 hits)
    """
    runs = RUNS if runs is None else runs
    facts = pd.DataFrame({"group": {run: system.name for run, (system, _) in runs.items()}})
    facts = facts.assign(type="automatic", pooled="")
    index = Index.build(corpus.documents)
    derivation = Derivation(corpus.qrels, facts=facts)
    for title, (system, feedback) in tqdm(runs.items(), desc=name, unit="run", disable=None):
        derivation.add(title, run(index, corpus.queries, system, feedback=feedback, depth=depth))
    return Collection(name=name, **derivation.tables())


def setting(system: str, *, documents: float = 1, terms: float = 1, weight: float = 1) -> System:
    """Return a system with its numbers multiplied; documents and terms are rounded, 1 or more.

    >>> stronger = setting("sabir", documents=2, terms=0.5)
    >>> stronger.documents, stronger.terms, stronger.weight
    (40, 12, 1.0)
    """
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
    """Score the systems' feedback runs over a grid of documents, terms and weight.

    The grid is exploratory: of its settings only the one with all factors 1 was fixed beforehand.

    Parameters
    ----------
    corpus, name
        As for :func:`experiment`.
    factors : dict of str to sequence of float
        What to multiply documents, terms and weight by; by default :data:`FACTORS`.
    systems : sequence of str

    Returns
    -------
    DataFrame
        One row a setting and topic; columns as in :data:`GRID`.
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


def save_grid(
    table: pd.DataFrame,
    folder: str | Path,
    *,
    name: str,
    about: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> None:
    """Write a table from :func:`grid` as a data package; see :meth:`Collection.save`."""
    save_tables(
        folder,
        name,
        {"grid.parquet": table},
        schemas={"grid.parquet": GRID},
        about=about,
        replace=replace,
    )


def moved(
    before: Sequence[str], after: Sequence[str], relevant: Container[str], *, depth: int = 10
) -> pd.DataFrame:
    """Return where the top documents of one list stand in another.

    Parameters
    ----------
    before, after : list of str
        Document names of one topic, best first.
    relevant : collection of str
        Its relevant documents.
    depth : int
        Documents that either list has among its first ``depth`` are shown.

    Returns
    -------
    DataFrame
        Index: document, in the order of ``after``, then what only ``before`` holds; columns before
        and after (ranks, NaN when not retrieved), relevant.

    Examples
    --------
    >>> moved(["a", "b", "c"], ["b", "d", "a"], {"a"}, depth=2)
              before  after  relevant
    document
    b            2.0      1     False
    d            NaN      2     False
    a            1.0      3      True
    """
    ranks = [
        {document: rank for rank, document in enumerate(found, 1)} for found in (before, after)
    ]
    shown = pd.Index(dict.fromkeys([*before[:depth], *after[:depth]]), name="document")
    table = pd.DataFrame(
        {
            "before": shown.map(ranks[0]),
            "after": shown.map(ranks[1]),
            "relevant": shown.isin(list(relevant)),
        },
        index=shown,
    )
    return table.sort_values(["after", "before"])
