"""Seven retrieval systems, each a base model with a blind feedback of its own.

They bear the names of the groups of the 2003 Reliable Information Access workshop, and are in their
spirit, no more: the originals, their parameters and their runs are not public, and not every group
used the kind of model that stands here under its name.

Model constants, numbers of documents and terms, and weights were fixed before any result was seen.
Two details were left open, and settled after a first look at one collection, Cystic Fibrosis: what
the terms of albany and waterloo weigh before ``weight`` is applied.  Here ``weight`` is a share of
the query's length in albany, and of one word of the query in waterloo; :data:`READINGS` has the two
systems as they were read first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Collection as Names
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from lib.collection import Collection
from lib.collection.lists_to_tables import Derivation
from lib.collection.names import as_judged
from lib.retrieval.corpus import Corpus
from lib.retrieval.feedback import bo1, mixture_model, offer_weight, passage_terms, rm3, rocchio
from lib.retrieval.index import Index
from lib.retrieval.models import Weighted, bm25, cosine_ltc, dirichlet, lnu_ltu, pl2
from lib.retrieval.rows import quantised, ranked, row_numbers
from lib.tasks import progress


def added(query: csr_array, terms: csr_array, weight: float) -> csr_array:
    """Return query + weight x terms."""
    return query + weight * terms


def interpolated(query: csr_array, terms: csr_array, weight: float) -> csr_array:
    """Return (1 - weight) query + weight x terms: both are distributions, and so is the result."""
    return (1 - weight) * query + weight * terms


@dataclass(frozen=True)
class System:
    """A base model and its blind feedback."""

    name: str
    model: Callable[..., Weighted]  # of lib.retrieval.models
    feedback: Callable[..., csr_array]  # of lib.retrieval.feedback
    documents: int  # that feed back, the first of the base run
    terms: int  # that the feedback gives, at most
    weight: float  # of those terms
    join: Callable[[csr_array, csr_array, float], csr_array] = added  # them to the query
    model_options: Mapping[str, Any] = field(default_factory=dict)
    feedback_options: Mapping[str, Any] = field(default_factory=dict)


_SYSTEMS = [
    System("albany", cosine_ltc, rocchio, 10, 20, 0.5, added, {}, {"unit_length": True}),
    System("city", bm25, offer_weight, 10, 20, 0.4, added, {"k1": 1.2, "b": 0.75}),
    System("clarit", pl2, bo1, 10, 20, 0.4, added, {"c": 1.0}),
    System("cmu", dirichlet, mixture_model, 10, 50, 0.5, interpolated, {"mu": 1000.0}),
    System("sabir", lnu_ltu, rocchio, 20, 25, 1.0, added, {"slope": 0.2}, {"idf": True}),
    System("umass", dirichlet, rm3, 10, 50, 0.5, interpolated, {"mu": 1500.0}),
    System("waterloo", bm25, passage_terms, 20, 20, 0.3, added, {"k1": 2.0, "b": 0.6}),
]
SYSTEMS = {system.name: system for system in _SYSTEMS}

# albany with the mean feedback document as it is, waterloo with terms graded by their passages.
READINGS = {
    "albany": replace(SYSTEMS["albany"], feedback_options={}),
    "waterloo": replace(SYSTEMS["waterloo"], feedback_options={"graded": True}),
}


def run(
    index: Index,
    queries: Mapping[str, str],
    system: str | System,
    *,
    feedback: bool = True,
    exclude: Mapping[str, Names[str]] | None = None,
    depth: int = 1000,
    **numbers: Any,
) -> dict[str, list[str]]:
    """Return the ranked lists of a system, one of :data:`SYSTEMS` or your own: topic to documents.

    The best come first: score descending, then name descending.  Only documents that share a term
    with the (expanded) query are retrieved; the list may be empty.

    Parameters
    ----------
    feedback : bool
        Search again with the expanded query; otherwise the base run is returned.
    exclude : dict of str to collection of str, optional
        Topic to names of documents that are neither retrieved nor learned from (a residual
        collection).
    depth : int
        Length of the longest list.
    numbers
        Others than the system's own: ``documents`` and ``terms``, 1 or more, and ``weight``, 0 or
        more (0 gives the base run), at most 1 where terms are interpolated.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red herring", "c": "herring gull"})
    >>> run(index, {"1": "fish"}, "city", feedback=False)
    {'1': ['a']}
    >>> run(index, {"1": "fish"}, "city")
    {'1': ['a', 'b']}
    """
    if depth < 1:
        raise ValueError(f"depth must be 1 or more, not {depth}")
    search = _Search(index, queries, system, exclude, numbers)
    scores = search.scores(search.expanded() if feedback else search.base.queries)
    lists = ranked(scores, depth=depth)
    return {topic: [index.docnos[at] for at in row] for topic, row in zip(queries, lists)}


def expansion(
    index: Index,
    queries: Mapping[str, str],
    system: str | System,
    *,
    exclude: Mapping[str, Names[str]] | None = None,
    **numbers: Any,
) -> pd.DataFrame:
    """Return what blind feedback makes of each query, asked as in :func:`run`.

    One row a term of the expanded query: topic, term (a stem), base (its weight in the query, 0 for
    a term that feedback brought), expanded (its weight afterwards); for each topic the heaviest
    first.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red herring", "c": "herring gull"})
    >>> expansion(index, {"1": "fish"}, "city").round(3)
      topic  term   base  expanded
    0     1  fish  0.981     2.064
    1     1   red  0.000     0.439
    """
    search = _Search(index, queries, system, exclude, numbers)
    after, before = search.expanded(), search.base.queries
    table = _entries(after, "expanded").merge(_entries(before, "base"), how="left").fillna(0)
    table["topic"] = np.array(list(queries), dtype=object)[table["row"]]
    table["term"] = np.array(index.terms, dtype=object)[table["column"]]
    order = np.lexsort((table["column"], -quantised(table["expanded"]), table["row"]))
    return table.iloc[order].reset_index(drop=True)[["topic", "term", "base", "expanded"]]


def _entries(matrix: csr_array, name: str) -> pd.DataFrame:
    """The stored values of a sparse matrix as a table."""
    return pd.DataFrame({"row": row_numbers(matrix), "column": matrix.indices, name: matrix.data})


class _Search:
    """A system at work on queries: the base search, and the expanded queries."""

    def __init__(
        self,
        index: Index,
        queries: Mapping[str, str],
        system: System | str,
        exclude: Mapping[str, Any] | None,
        numbers: Mapping[str, Any],
    ) -> None:
        self.index = index
        self.system = replace(_system(system), **numbers)
        for name in ("documents", "terms"):
            if (value := getattr(self.system, name)) < 1:
                raise ValueError(f"{name} must be 1 or more, not {value}")
        most = 1 if self.system.join is interpolated else np.inf
        if not 0 <= self.system.weight <= most:
            raise ValueError(f"weight must be from 0 to {most}, not {self.system.weight}")
        counts = index.vectors(queries.values())
        self.base = self.system.model(index, counts, **self.system.model_options)
        self.hidden = _hidden(index, queries, exclude or {})

    def scores(self, queries: csr_array) -> np.ndarray:
        scores = self.base.scores(queries)
        scores[self.hidden] = -np.inf
        return scores

    def expanded(self) -> csr_array:
        """Return the query weights after feedback, shape (T, V)."""
        scores = self.scores(self.base.queries)
        lists = ranked(scores, depth=self.system.documents)
        rows = np.repeat(np.arange(len(lists)), [len(documents) for documents in lists])
        columns = np.concatenate(lists) if lists else np.array([], dtype=int)
        top = csr_array((scores[rows, columns], (rows, columns)), shape=scores.shape)
        system = self.system
        learned = system.feedback(
            self.index, self.base, top, terms=system.terms, **system.feedback_options
        )
        return system.join(self.base.queries, learned, system.weight)


def _system(system: System | str) -> System:
    if isinstance(system, System):
        return system
    if system not in SYSTEMS:
        raise ValueError(f"unknown system {system!r}; there are {', '.join(SYSTEMS)}")
    return SYSTEMS[system]


def _hidden(
    index: Index, queries: Iterable[str], exclude: Mapping[str, Iterable[str]]
) -> tuple[np.ndarray, ...]:
    """The (topic, document) pairs that are not searched, as two index arrays."""
    number = {docno: position for position, docno in enumerate(index.docnos)}
    pairs = [
        (row, number[docno])
        for row, topic in enumerate(queries)
        for docno in exclude.get(topic, ())
        if docno in number
    ]
    return tuple(np.array(pairs, dtype=int).reshape(-1, 2).T)


# Name of a run: (system, with feedback).
_RUNS = {
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
    runs: Mapping[str, tuple[System, bool]] = _RUNS,
    exclude: Mapping[str, Names[str]] | None = None,
) -> Collection:
    """Run every system with and without feedback, and keep relevance at rank.

    Documents excluded for a topic are neither retrieved nor learned from, as by :func:`run`.

    Examples
    --------
    >>> from lib.retrieval import Corpus
    >>> experiment(Corpus({"a": "red fish", "b": "red"}, {"1": "fish"}, {"1": {"b": 1}}), "toy")
    Collection('toy': 16 systems, 1 topics, 1 relevant documents, 5 hits)
    """
    metadata = pd.DataFrame({"group": {run: system.name for run, (system, _) in runs.items()}})
    metadata = metadata.assign(type="automatic", pooled="")
    index = Index.build(corpus.documents)
    derivation = Derivation(as_judged(corpus.qrels), metadata=metadata)
    for title, (system, feedback) in progress(runs.items(), "run"):
        lists = run(index, corpus.queries, system, feedback=feedback, exclude=exclude)
        derivation.add(title, lists)
    return Collection(name=name, **derivation.tables())


def moved(
    before: Sequence[str], after: Sequence[str], relevant: Names[str], *, depth: int = 10
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
    first, then = ({name: rank for rank, name in enumerate(of, 1)} for of in (before, after))
    shown = pd.Index(dict.fromkeys([*before[:depth], *after[:depth]]), name="document")
    columns = {"before": shown.map(first), "after": shown.map(then)}
    table = pd.DataFrame(columns | {"relevant": shown.isin(list(relevant))}, shown)
    return table.sort_values(["after", "before"])
