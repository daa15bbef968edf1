"""The blind-feedback experiment: every system with and without feedback on one text collection."""

from collections.abc import Collection as Container
from collections.abc import Mapping, Sequence

import pandas as pd
from tqdm import tqdm

from lib.collection import Collection
from lib.collection.derivation import Derivation
from lib.retrieval.corpus import Corpus
from lib.retrieval.index import Index
from lib.retrieval.systems import READINGS, SYSTEMS, System, run

# Name of a run: (system, with feedback).
RUNS = {
    **{f"{name}.base": (system, False) for name, system in SYSTEMS.items()},
    **{f"{name}.feedback": (system, True) for name, system in SYSTEMS.items()},
    **{f"{name}.first-reading": (system, True) for name, system in READINGS.items()},
}

# What the grids in data/feedback multiply each system's own numbers by.
FACTORS = {"documents": (0.5, 1, 2, 4), "terms": (0.5, 1, 2), "weight": (0.5, 1, 1.5)}


def experiment(
    corpus: Corpus,
    name: str,
    *,
    runs: Mapping[str, tuple[System, bool]] | None = None,
    depth: int = 1000,
) -> Collection:
    """Run every system with and without feedback, and keep relevance at rank.

    Examples
    --------
    >>> from lib.retrieval import Corpus
    >>> experiment(Corpus({"a": "red fish", "b": "red"}, {"1": "fish"}, {"1": {"b": 1}}), "toy")
    Collection('toy': 16 systems, 1 topics, 1 relevant documents, 5 hits)
    """
    runs = RUNS if runs is None else runs
    metadata = pd.DataFrame({"group": {run: system.name for run, (system, _) in runs.items()}})
    metadata = metadata.assign(type="automatic", pooled="")
    index = Index.build(corpus.documents)
    derivation = Derivation(corpus.qrels, metadata=metadata)
    for title, (system, feedback) in tqdm(runs.items(), desc=name, unit="run", disable=None):
        derivation.add(title, run(index, corpus.queries, system, feedback=feedback, depth=depth))
    return Collection(name=name, **derivation.tables())


def moved(
    before: Sequence[str], after: Sequence[str], relevant: Container[str], *, depth: int = 10
) -> pd.DataFrame:
    """Return where the top documents of one list stand in another.

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
