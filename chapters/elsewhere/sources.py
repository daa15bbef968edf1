"""What can be asked of each collection: the scores that are at hand, and why others are not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, limits, load, load_scores
from lib.measures import Scores, complete_scores
from lib.paths import DATA, short_title

# Labels that claims use, and what they mean where there are runs: binary relevance from the grade
# that the collection's track takes for it; nDCG with the discount of 2002, as in Webber 2008.
LABELS = {
    "P@1": "P@1",
    "P@10": "P@10",
    "P@100": "P@100",
    "RR": "RR",
    "GS10": "GS10",
    "RBP": "RBP(p=0.95)",
    "nDCG@20": "nDCG(discount=2002,gain=binary)@20",
    "nDCG": "nDCG(discount=2002,gain=binary)",
    "Rprec": "Rprec",
    "AP": "AP",
}
_JUDGED = 1000  # depth down to which the share of judged documents is stated
_SHORT = 100  # documents: shorter lists are no answer to measures that read 1,000
_LEAST = 4  # topics: halves of one have none to leave out


@dataclass(frozen=True, eq=False)
class Source:
    """Topics, and what is known of how systems score on them."""

    name: str
    title: str
    year: int | None  # None where it is not known, as of a collection of one's own
    scores: Mapping[str, Scores]  # label, among LABELS, to scores of the same topics and systems
    missing: Mapping[str, str] = field(default_factory=dict)  # other labels: why not
    kind: str = ""  # of collection: news, Web and so on; empty where that is not known
    pool: str = ""  # how many ranks of the runs were judged, in words
    collection: Collection | None = None  # the runs, where they are at hand

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(next(iter(self.scores.values())))

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return next(iter(self.scores.values())).shape[1]

    def without_each_group(self) -> list["Source"]:
        """Return the source without each group in turn, as scores; none without groups."""
        if self.collection is None or (self.collection.systems["group"] == "").any():
            return []
        of = self.collection.systems["group"]
        rests = [of.index[of != group] for group in of.unique()]
        scores = [{k: table[rest] for k, table in self.scores.items()} for rest in rests]
        return [replace(self, scores=some, collection=None) for some in scores]

    def lacks(self, labels: Iterable[str]) -> str:
        """Say why some measures cannot be asked; an empty string when they can."""
        for number, least, what in ((self.topics, _LEAST, "topic"), (self.systems, 2, "system")):
            if number < least:
                return f"only {number} {what}{'s' * (number != 1)}"
        return next((self.missing[label] for label in labels if label in self.missing), "")


def short_lists(collection: Collection) -> pd.Index:
    """Return the runs whose lists are short, by the median topic.

    >>> list(short_lists(load("dl19")))
    ['ICT-BERT2', 'ICT-CKNRM_B', 'ICT-CKNRM_B50']
    """
    return collection.systems.index[np.median(collection.retrieved, axis=0) < _SHORT]


def sources() -> list[Source]:
    """Return every source that comes with the book, by year.

    Examples
    --------
    >>> names = [source.name for source in sources()]
    >>> names[0], "robust04-new" in names
    ('trec5', True)
    """
    return [_source(name) for name in facts()["source"]]


def in_the_book(collection: Collection) -> bool:
    """Return whether a collection is one of the book's sources, by its hashes."""
    name = collection.name
    return name in set(facts()["folder"]) and collection.is_package(name)


def yours(collection: Collection) -> Source:
    """Return the reader's own collection as a source, which says so.

    Examples
    --------
    >>> toy = Collection.from_rankings({"A": {"t": ["r"]}}, {"t": {"r": 1}})
    >>> yours(toy).title
    'toy (yours)'
    """
    return of_collection(collection, name="yours", title=f"{collection.title} (yours)")


def of_collection(collection: Collection, **known: object) -> Source:
    """Return a collection of runs as a source: it answers every measure."""
    tables = complete_scores(collection, LABELS)
    plain = {"name": collection.name, "title": collection.title, "year": None}
    return Source(**(plain | known), scores=tables, collection=collection)  # type: ignore[arg-type]


@cache
def facts() -> pd.DataFrame:
    """Return the book's sources as ``data/multiverse`` states them, one a row."""
    table = pd.read_csv(DATA / "multiverse" / "sources.csv", dtype={"note": str, "title": str})
    whole = dict.fromkeys(("first_topic", "last_topic"), "Int64")
    return table.astype(whole).sort_values(["year", "source"], ignore_index=True)


@cache
def _source(name: str) -> Source:
    """Return a source of the book, with what is stated of it."""
    row = facts().set_index("source").loc[name]
    known = {
        "name": name,
        "title": short_title(row["folder"]) if pd.isna(row["title"]) else row["title"],
        "year": int(row["year"]),
        "kind": row["kind"],
        "pool": row["pool"],
    }
    if (DATA / row["folder"] / "hits.parquet").is_file():
        return of_collection(load(row["folder"]), **known)
    return _of_matrix(row, known)


def _of_matrix(row: Mapping[str, Any], known: dict[str, Any]) -> Source:
    """Return a score matrix, or its topics from first to last, as a source."""
    tables = load_scores(row["folder"])
    if not pd.isna(row["first_topic"]):
        number = next(iter(tables.values())).index.astype(int)
        chosen = (number >= row["first_topic"]) & (number <= row["last_topic"])
        tables = {label: table[chosen] for label, table in tables.items()}
    if "RR" in tables:  # the first document is relevant where RR is 1, and only there
        tables["P@1"] = (tables["RR"] == 1).astype(float)
    scores = {label: tables[label] for label in LABELS if label in tables}
    missing = {k: f"no scores by {k} are public" for k in LABELS if k not in scores}
    return Source(**known, scores=scores, missing=missing)


def share_judged(source: Source) -> float | None:
    """Return the share of the documents to rank 1,000 that were judged; None without runs."""
    if source.collection is None or "nonrelevant" not in source.collection.hits:
        return None
    return float(1 - limits(source.collection, depths=[_JUDGED]).loc[_JUDGED, "unjudged"])
