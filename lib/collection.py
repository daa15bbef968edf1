"""A Collection: at which ranks each system found which relevant document of each topic.

Only the *hits* are kept, one row for each relevant document retrieved; they are 5% of the cells of
a TREC collection and answer every question of the four papers, at every depth.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from lib.atomic import fresh_folder
from lib.errors import InputError, reason

__all__ = ["Collection", "Relevance", "load", "save_tables"]

DATA = Path(__file__).resolve().parent.parent / "data"
TITLES = {"trec8": "TREC-8", "trec-covid": "TREC-COVID", "cf": "Cystic Fibrosis", "cisi": "CISI",
          "npl": "NPL", "nftest": "NFCorpus", "cran": "Cranfield", "cacm": "CACM"}

# Table: column: (type on disk, meaning).  Systems and topics are coded by their position in
# systems.tsv and topics.tsv, counted from 0.
TABLES = {
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
}


@dataclass(frozen=True)
class Relevance:
    """What the measures work on: the hits of a collection at one threshold of relevance.

    Attributes
    ----------
    cell : ndarray of int, shape (hits,)
        ``topic * systems + system`` of each hit, ascending.
    rank : ndarray of int, shape (hits,)
        Rank of each hit, from 1, ascending within its cell.
    position : ndarray of int, shape (hits,)
        1 for the first relevant document of a list, 2 for the second, ...
    grade : ndarray of int, shape (hits,)
    nonrelevant : ndarray of int, shape (hits,), or None
        Judged non-relevant documents above each hit; None when they are not known.
    relevant : ndarray of int, shape (topics, 1)
        Relevant documents of each topic, found or not (R).
    judged : ndarray, shape (topics, 1)
        Judged documents of each topic, of any grade; NaN when not known.
    retrieved : ndarray of int, shape (topics, systems)
        Documents in each list, 0 where there is none.
    """

    cell: np.ndarray
    rank: np.ndarray
    position: np.ndarray
    grade: np.ndarray
    nonrelevant: np.ndarray | None
    relevant: np.ndarray
    judged: np.ndarray
    retrieved: np.ndarray

    def count(self, where):
        """Count the hits for which ``where`` is true in each list: shape (topics, systems)."""
        return self.total(None, where)

    def total(self, values, where=...):
        """Add up a value of each hit (None: 1) over each list: shape (topics, systems)."""
        weights = None if values is None else values[where]
        sums = np.bincount(self.cell[where], weights, minlength=self.retrieved.size)
        return sums.reshape(self.retrieved.shape)


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs and judgements of one test collection, reduced to relevance at rank.

    Make one with :func:`load`, :func:`lib.derive.derive` or :meth:`from_rankings`; never change
    its tables.

    Attributes
    ----------
    name : str
    systems : DataFrame, index run, columns group, type, pooled
    topics : DataFrame, index topic, columns judged, relevant
    lists, relevant, hits, pools : DataFrame
        The tables that :data:`TABLES` describes; ``hits`` has the grade beside each document.
    judged : DataFrame or None
        The judged non-relevant documents in the lists, when the collection was derived with them.
    """

    name: str
    systems: pd.DataFrame
    topics: pd.DataFrame
    lists: pd.DataFrame
    relevant: pd.DataFrame
    hits: pd.DataFrame
    pools: pd.DataFrame
    judged: pd.DataFrame | None = None
    _relevance: dict = field(default_factory=dict, repr=False)

    def __repr__(self):
        return (
            f"Collection({self.name!r}: {len(self.systems)} systems, {len(self.topics)} topics, "
            f"{len(self.relevant)} relevant documents, {len(self.hits)} hits)"
        )

    @property
    def title(self):
        """The name as the book writes it: ``"TREC-8"`` for ``"trec8"``; else the name itself."""
        return TITLES.get(self.name, self.name)

    @cached_property
    def retrieved(self):
        """Length of each list, shape (topics, systems); -1 where a system did not answer."""
        lengths = np.full((len(self.topics), len(self.systems)), -1)
        lengths[self.lists["topic"], self.lists["system"]] = self.lists["retrieved"]
        return lengths

    @cached_property
    def entry(self):
        """The shallowest rank at which any system found each relevant document.

        One integer a row of ``relevant``: the depth from which a pool of all systems holds it.  A
        document that no system found has 2**31 - 1.
        """
        return self._entry(np.ones(len(self.systems), dtype=bool))

    @cached_property
    def _hit_row(self):
        """The row of ``relevant`` that holds the document of each hit."""
        return self._row(self.hits["topic"].to_numpy(), self.hits["document"].to_numpy())

    def relevance(self, rel=1):
        """Return the hits of documents of grade ``rel`` or more, as arrays.

        Parameters
        ----------
        rel : int
            The lowest grade that counts as relevant, 1 or more.

        Returns
        -------
        Relevance
        """
        if rel < 1:
            raise ValueError(f"rel must be 1 or more, not {rel}")
        if rel not in self._relevance:
            self._relevance[rel] = self._at_threshold(rel)
        return self._relevance[rel]

    def _at_threshold(self, rel):
        topics, systems = len(self.topics), len(self.systems)
        hits = self.hits
        cell = hits["topic"].to_numpy() * systems + hits["system"].to_numpy()
        grade = hits["grade"].to_numpy()
        nonrelevant = hits["nonrelevant"].to_numpy() if "nonrelevant" in hits else None
        kept = grade >= rel
        if not kept.all():
            if nonrelevant is not None:
                # Documents of a lower grade are judged, and above this threshold non-relevant.
                nonrelevant = (nonrelevant + _running(cell, ~kept))[kept]
            cell, grade, hits = cell[kept], grade[kept], hits[kept]
        of_grade = self.relevant["topic"][self.relevant["grade"] >= rel]
        return Relevance(
            cell=cell,
            rank=hits["rank"].to_numpy(),
            position=_running(cell, np.ones(len(cell), dtype=bool)),
            grade=grade,
            nonrelevant=nonrelevant,
            relevant=np.bincount(of_grade, minlength=topics)[:, None],
            judged=self.topics["judged"].to_numpy(float, na_value=np.nan)[:, None],
            retrieved=np.maximum(self.retrieved, 0),
        )

    def frame(self, values):
        """Label an array of scores: DataFrame (topics x systems), NaN where there was no answer.

        Parameters
        ----------
        values : array, shape (topics, systems)
        """
        values = np.where(self.retrieved < 0, np.nan, values)
        return pd.DataFrame(values, index=self.topics.index, columns=self.systems.index)

    def pooled(self, depth, *, by="all"):
        """Return the collection as it were judged from a pool of the given depth.

        A relevant document that no pooled system has among its top ``depth`` becomes unjudged.
        A topic may keep no relevant document at all; it stays, and every measure scores it 0.

        Parameters
        ----------
        depth : int
            Ranks of each system that go into the pool, 1 or more.
        by : {"all", "pooled"} or sequence of str
            The systems that the pool is made from: every one, those marked ``pooled`` in the
            systems table, or these runs.

        Returns
        -------
        Collection
            Bpref is not defined on it unless the collection was derived with ``--judged``, since
            the hits do not tell which non-relevant documents the pool would have held.

        Examples
        --------
        >>> c = Collection.from_rankings(
        ...     {"A": {"t": "x r y s".split()}, "B": {"t": "s x".split()}}, {"t": {"r": 1, "s": 1}})
        >>> c.pooled(1).hits[["system", "rank"]].to_numpy().tolist()
        [[0, 4], [1, 1]]
        """
        if depth < 1:
            raise ValueError(f"depth must be 1 or more, not {depth}")
        members = self._members(by)
        entry = self.entry if members.all() else self._entry(members)
        found = entry <= depth
        judged = None
        if self.judged is not None:
            judged = _in_pool(self.judged, members, depth)
        return self._judged_again(found, judged)

    def without_judgements(self, share, *, rng, least_relevant=1, least_nonrelevant=10):
        """Return the collection as it were with only some of its judgements, drawn at random.

        Relevant and non-relevant documents of a topic lose their judgement at the same rate.  A
        document that loses it is unjudged: for most measures as good as non-relevant, for Bpref
        not there.

        Parameters
        ----------
        share : float
            Share of the judgements of each topic to keep, in (0, 1]; the number of documents kept
            is rounded to the nearest.
        rng : numpy.random.Generator
            Generators in the same state keep nested sets: what remains at a low share remains at
            every higher one.
        least_relevant, least_nonrelevant : int
            So many relevant and non-relevant documents of each topic keep their judgement in any
            case, or all if there are fewer: a topic never loses all that can be scored.

        Returns
        -------
        Collection

        Raises
        ------
        ValueError
            A share out of range, or a collection without the judged non-relevant documents.

        References
        ----------
        Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.

        Examples
        --------
        >>> c = Collection.from_rankings(
        ...     {"A": {"t": ["r", "x", "s"]}}, {"t": {"r": 1, "s": 1, "x": 0}}, judged=True)
        >>> kept = c.without_judgements(0.5, rng=np.random.default_rng(1))
        >>> kept.topics[["judged", "relevant"]].loc["t"].tolist()
        [2, 1]
        """
        if not 0 < share <= 1:
            raise ValueError(f"share must lie in (0, 1], not be {share}")
        if self.judged is None:
            raise ValueError(
                f"{self.name}: removing judgements needs the judged non-relevant documents; derive "
                "the collection with --judged and load it with judged=True"
            )
        total = self.topics["relevant"].to_numpy(int)
        nonrelevant = self.topics["judged"].to_numpy(int) - total
        found = _sample(total, share, least_relevant, rng)
        sampled = _sample(nonrelevant, share, least_nonrelevant, rng)
        # The first of each topic's judged non-relevant documents are those that a list holds.
        width = int(self.judged["document"].max()) + 1 if len(self.judged) else 1
        keys, row = np.unique(
            self.judged["topic"].to_numpy(np.int64) * width + self.judged["document"].to_numpy(),
            return_inverse=True,
        )
        topic = keys // width
        number = np.arange(len(keys)) - np.searchsorted(topic, topic)
        start = np.cumsum(nonrelevant) - nonrelevant
        kept = self._judged_again(found, self.judged[sampled[start[topic] + number][row]])
        of_topic = np.repeat(np.arange(len(total)), nonrelevant)
        relevant = kept.topics["relevant"]
        judged = relevant + np.bincount(of_topic[sampled], minlength=len(total))
        topics = pd.DataFrame({"judged": judged, "relevant": relevant}, dtype="Int32")
        return replace(kept, topics=topics, _relevance={})

    def select(self, *, systems=None, topics=None):
        """Return the collection with some of its systems or topics, in the order given.

        Judgements stay as they are.

        Parameters
        ----------
        systems, topics : sequence of str, optional
            Names to keep; all by default.

        Raises
        ------
        ValueError
            A name that the collection does not have, or a name twice.

        Examples
        --------
        >>> load("trec8").select(topics=["401", "450"])
        Collection('trec8': 129 systems, 2 topics, 593 relevant documents, 35189 hits)
        """
        system_at = _positions(self.systems.index, systems, "system")
        topic_at = _positions(self.topics.index, topics, "topic")
        code = {"system": _recode(system_at, len(self.systems)),
                "topic": _recode(topic_at, len(self.topics))}

        def keep(table, order):
            if table is None:
                return None
            table = table.copy()
            for column in ("topic", "system"):
                if column in table:
                    table[column] = code[column][table[column]]
                    table = table[table[column] >= 0]
            return table.sort_values(order, ignore_index=True)

        return Collection(
            name=self.name,
            systems=self.systems.iloc[system_at],
            topics=self.topics.iloc[topic_at],
            lists=keep(self.lists, ["topic", "system"]),
            relevant=keep(self.relevant, ["topic", "document"]),
            hits=keep(self.hits, ["topic", "system", "rank"]),
            pools=keep(self.pools, ["topic", "depth"]),
            judged=keep(self.judged, ["topic", "system", "rank"]),
        )

    def _members(self, by):
        """Return which systems a pool is made from, as a boolean for each."""
        if isinstance(by, str):
            if by == "all":
                return np.ones(len(self.systems), dtype=bool)
            if by != "pooled":
                raise ValueError(f"by must be 'all', 'pooled' or a list of systems, not {by!r}")
            members = (self.systems["pooled"] == "yes").to_numpy()
            if not members.any():
                raise ValueError(f"{self.name}: the systems table marks no system as pooled")
            return members
        members = np.zeros(len(self.systems), dtype=bool)
        members[_positions(self.systems.index, by, "system")] = True
        return members

    def _entry(self, members):
        entry = np.full(len(self.relevant), np.iinfo(np.int32).max)
        pooled = members[self.hits["system"]]
        np.minimum.at(entry, self._hit_row[pooled], self.hits["rank"].to_numpy()[pooled])
        return entry

    def _row(self, topic, document):
        """Return the row of ``relevant`` that holds each (topic, document)."""
        width = int(self.relevant["document"].max()) + 1 if len(self.relevant) else 1
        keys = self.relevant["topic"].to_numpy() * width + self.relevant["document"].to_numpy()
        return np.searchsorted(keys, topic * width + document)

    def _judged_again(self, found, judged):
        """Keep the relevant documents in ``found``, and the judged non-relevant in ``judged``."""
        relevant = self.relevant[found]
        hits = self.hits[found[self._hit_row]].drop(columns="nonrelevant", errors="ignore")
        topics = self.topics.copy()
        topics["relevant"] = np.bincount(relevant["topic"], minlength=len(topics))
        if judged is None:
            topics["judged"] = pd.array([pd.NA] * len(topics), dtype="Int32")
        else:
            hits = hits.assign(nonrelevant=_above(hits, judged, len(self.systems)))
            nonrelevant = judged[["topic", "document"]].drop_duplicates()["topic"]
            topics["judged"] = topics["relevant"] + np.bincount(nonrelevant, minlength=len(topics))
        return replace(self, topics=topics, relevant=relevant, hits=hits, judged=judged,
                       _relevance={})

    @classmethod
    def from_rankings(cls, runs, qrels, *, name="toy", judged=False):
        """Make a collection from rankings written down in Python.

        Parameters
        ----------
        runs : dict of str to dict of str to sequence
            System to topic to document names, best first.
        qrels : dict of str to dict
            Topic to document name to grade.
        name : str
        judged : bool
            Keep the judged non-relevant documents too.

        Examples
        --------
        >>> Collection.from_rankings({"A": {"t": ["d2", "d1"]}}, {"t": {"d1": 1}}).hits
           topic  system  rank  document  nonrelevant  grade
        0      0       0     2         0            0      1
        """
        from lib.derive import Derivation

        derivation = Derivation(qrels, judged=judged)
        for system, lists in runs.items():
            derivation.add(system, lists)
        return derivation.collection(name)

    def tables(self):
        """Return the tables as they stand on disk: file name to DataFrame."""
        if "nonrelevant" not in self.hits:
            raise ValueError(f"{self.name}: a re-pooled collection cannot be saved unless its "
                             "judged non-relevant documents are known")
        frames = {
            "systems.tsv": self.systems.reset_index(),
            "topics.tsv": self.topics.reset_index(),
            "lists.parquet": self.lists,
            "relevant.parquet": self.relevant,
            "hits.parquet": self.hits,
            "pools.parquet": self.pools,
            "judged.parquet": self.judged,
        }
        return {
            file: frame[list(TABLES[file])].astype(
                {column: kind for column, (kind, _) in TABLES[file].items()}
            )
            for file, frame in frames.items()
            if frame is not None
        }

    def save(self, folder, *, about=None, replace=False):
        """Write the collection as a data package; the folder appears whole or not at all.

        Parameters
        ----------
        folder : path
        about : dict, optional
            What ``datapackage.json`` says beyond the tables: title, sources, terms, command.
        replace : bool
            Write over a folder that holds a collection already.

        Raises
        ------
        InputError
            The folder exists and may not be replaced, or cannot be written.
        """
        save_tables(folder, self.name, self.tables(), about=about, replace=replace)


def save_tables(folder, name, tables, *, schemas=TABLES, about=None, replace=False):
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
    about, replace
        As for :meth:`Collection.save`.

    Raises
    ------
    InputError
        As :meth:`Collection.save`.
    """
    with fresh_folder(folder, marker="datapackage.json", kind="collection",
                      replace=replace) as fresh:
        _write(fresh, name, tables, schemas, about or {})


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


def load(name=None, *, judged=False):
    """Return a collection that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path, optional
        ``"trec8"``, ``"trec-covid"``, ``"feedback/cf"`` or any other folder below ``data/``; or the
        path of a folder that ``python -m lib derive`` made.  By default what the environment
        variable ``MEASURES_COLLECTION`` says, else ``"trec8"``.
    judged : bool
        Read the judged non-relevant documents too; the collection must have been derived with
        ``--judged``.

    Returns
    -------
    Collection

    Raises
    ------
    InputError
        No such collection, or a folder that is not one.

    Examples
    --------
    >>> load("trec8")
    Collection('trec8': 129 systems, 50 topics, 4728 relevant documents, 338410 hits)
    """
    name = name or os.environ.get("MEASURES_COLLECTION") or "trec8"
    folder = Path(name)
    if not (folder / "datapackage.json").is_file() and (DATA / folder).is_dir():
        folder = DATA / folder
    try:
        title = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))["name"]
        files = [file for file in TABLES if judged or file != "judged.parquet"]
        frames = {file: _read(folder / file) for file in files}
        _check(frames)
    except FileNotFoundError:
        missing = next(f for f in ("datapackage.json", *TABLES) if not (folder / f).is_file())
        if missing == "judged.parquet":
            raise InputError(f"{folder}: holds no {missing}; derive it with --judged") from None
        found = (path.parent.relative_to(DATA) for path in DATA.rglob("hits.parquet"))
        known = ", ".join(sorted(path.as_posix() for path in found))
        raise InputError(
            f"{name}: no collection there ({missing} is missing); "
            f"the book has {known}"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: not a collection ({reason(error)})") from None
    return Collection(
        name=title,
        systems=frames["systems.tsv"].set_index("run"),
        topics=frames["topics.tsv"].set_index("topic"),
        lists=frames["lists.parquet"],
        relevant=frames["relevant.parquet"],
        hits=frames["hits.parquet"].merge(
            frames["relevant.parquet"], on=["topic", "document"], how="left"
        ),
        pools=frames["pools.parquet"],
        judged=frames.get("judged.parquet"),
    )


def _check(frames):
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
    for file, table, columns in (("hits.parquet", hits, ("topic", "system", "rank")),
                                 ("relevant.parquet", relevant, ("topic", "document"))):
        if not (np.diff(_key(table, *columns)) > 0).all():
            raise ValueError(f"{file} is not in order, or has a row twice")


def _key(table, *columns):
    """Return an integer a row that orders the rows by these columns."""
    key = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        key = key * 2**21 + table[column].to_numpy()
    return key


def _read(path):
    types = {column: kind for column, (kind, _) in TABLES[path.name].items()}
    if path.suffix == ".parquet":
        return pd.read_parquet(path, page_checksum_verification=True)[list(types)].astype(types)
    table = pd.read_csv(path, sep="\t", dtype=types, keep_default_na=False, na_values={
        column: [""] for column, kind in types.items() if kind != "string"})
    return table[list(types)]


def canonical(table):
    """Return a table as text that no compressor or version changes: what is hashed."""
    return table.to_csv(index=False, lineterminator="\n")


def _describe(file, table, schema):
    kinds = {"string": "string", "float64": "number"}
    return {
        "name": file.split(".")[0],
        "path": file,
        "format": file.split(".")[1],
        "mediatype": "text/tab-separated-values" if file.endswith("tsv")
        else "application/vnd.apache.parquet",
        "rows": len(table),
        "hash": "sha256:" + hashlib.sha256(canonical(table).encode()).hexdigest(),
        "hash_of": "the table as comma-separated text with a header line and newlines of \\n",
        "schema": {"fields": [
            {"name": column, "type": kinds.get(kind, "integer"), "description": meaning}
            for column, (kind, meaning) in schema.items()
        ]},
    }


def _running(cell, counted):
    """Count, for each hit, the counted hits of its cell so far, itself included."""
    so_far = np.cumsum(counted)
    first = np.searchsorted(cell, cell, side="left")
    before = np.concatenate(([0], so_far))[first]
    return so_far - before


def _above(hits, judged, systems):
    """Count the rows of ``judged`` that stand above each hit in its list."""
    width = 1 + max(hits["rank"].max(), judged["rank"].max()) if len(hits) and len(judged) else 1

    def key(table, rank):
        cell = table["topic"].to_numpy(np.int64) * systems + table["system"].to_numpy()
        return cell * width + rank

    ranks = key(judged, judged["rank"].to_numpy())
    return (np.searchsorted(ranks, key(hits, hits["rank"].to_numpy()))
            - np.searchsorted(ranks, key(hits, 0)))


def _in_pool(judged, members, depth):
    """Keep the rows of documents that a member has within the depth."""
    inside = judged[members[judged["system"]] & (judged["rank"] <= depth)]
    pool = inside[["topic", "document"]].drop_duplicates()
    return judged.merge(pool, on=["topic", "document"], how="inner")


def _sample(sizes, share, least, rng):
    """Draw a share of the items of each group: a boolean for each item, groups one by one."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rng.random(len(group)), group))
    kept = np.maximum(np.rint(share * sizes), np.minimum(least, sizes))
    place = np.arange(len(group)) - (np.cumsum(sizes) - sizes)[group]
    sampled = np.empty(len(group), dtype=bool)
    sampled[order] = place < kept[group]
    return sampled


def _positions(index, names, what):
    if names is None:
        return np.arange(len(index))
    names = pd.Index(names)
    at = index.get_indexer(names)
    if (at < 0).any():
        raise ValueError(f"no such {what}: {', '.join(map(str, names[at < 0]))}")
    if names.has_duplicates:
        raise ValueError(f"the same {what} twice: {names[names.duplicated()][0]}")
    return at


def _recode(at, size):
    code = np.full(size, -1)
    code[at] = np.arange(len(at))
    return code
