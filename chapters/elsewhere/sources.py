"""What can be asked of each collection: the scores that are at hand, and why others are not."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.data_tables import read
from lib.collection import Collection, limits, load, load_scores
from lib.conventions import DECIMALS
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
# Packages with the runs of a track's diversity task beside those of its ad hoc task.
WEB = {"web2010": "trec19/web", "web2011": "trec20/web", "web2012": "trec21/web"}
AD_HOC, EVERY, NO_COPIES = "ad hoc", "all", "no copies"  # which systems of a source are asked
_TOLD_APART = ("AP", "P@10", "RR")  # measures by which columns without names are known
_SAME = 2e-4  # of means that NIST printed: a column that far is not the run


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
        """The number of topics."""
        return len(next(iter(self.scores.values())))

    @property
    def systems(self) -> int:
        """The number of systems."""
        return next(iter(self.scores.values())).shape[1]

    def asked(self, runs: str = AD_HOC) -> pd.Index:
        """Return the systems that are asked.

        Of the Web tracks of 2010 to 2012 each run of the ad hoc task once, or with ``EVERY`` all
        columns; of another source all, or with ``NO_COPIES`` without exact copies of others.
        """
        every = next(iter(self.scores.values())).columns
        if runs == EVERY or (runs == AD_HOC and self.name not in WEB):
            return every
        kept = every.drop(copies(self.scores))
        return kept[kept.isin(ad_hoc(self.scores, self.name))] if self.name in WEB else kept

    def without_each_group(self) -> dict[str, "Source"]:
        """Return the source without each group in turn, as scores; none without groups."""
        if self.collection is None or (self.collection.systems["group"] == "").any():
            return {}
        of, rests = self.collection.systems["group"], {}
        for group in of.unique():
            rest = of.index[of != group]
            scores = {label: table[rest] for label, table in self.scores.items()}
            rests[group] = replace(self, scores=scores, collection=None)
        return rests

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


def copies(scores: Mapping[str, Scores]) -> list[str]:
    """Return systems that equal one before them, by name, on every topic: by AP, P@10 and RR.

    >>> table = pd.DataFrame({"B": [0.5, 0.1], "A": [0.5, 0.1], "C": [0.1, 0.5]})
    >>> copies({"AP": table, "P@10": table})
    ['B']
    """
    there = [scores[label].round(DECIMALS) for label in _TOLD_APART if label in scores]
    by_name = pd.concat(there).T.sort_index()
    return [str(name) for name in by_name.index[by_name.duplicated()]]


def ad_hoc(scores: Mapping[str, Scores], name: str, task: str = "adhoc") -> list[str]:
    """Return the columns of one of :data:`WEB` whose means are those of a run of a task.

    The columns have no names; AP, P@10 and RR are printed with four digits.
    """
    table = read("trec", "means")
    of = (table["track"] == WEB[name]) & (table["task"] == task)
    printed = table.loc[of, [*_TOLD_APART]].to_numpy()
    means = pd.DataFrame({label: scores[label].mean() for label in _TOLD_APART})
    far = np.abs(means.to_numpy()[:, np.newaxis] - printed).max(axis=2).min(axis=1)
    return means.index[far < _SAME].tolist()


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
