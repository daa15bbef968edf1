"""A Collection: at which ranks each system found which relevant document of each topic.

Only the *hits* are kept, one row for each relevant document retrieved; they are 5% of the cells of
a TREC collection and answer every question that the measures ask, at every depth.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np

from lib import pandas_later as pd
from lib.collection.lists_to_tables import Derivation, Table
from lib.collection.names import as_judged
from lib.collection.package import OPTIONAL, TABLES, check_stated, digest, save_tables
from lib.collection.relevance import Relevance, at_threshold, relevant_documents, rows_above
from lib.errors import InputError, did_you_mean
from lib.paths import AnyPath, about

Names: TypeAlias = str | int | Iterable[str | int]  # of topics or systems
Value = TypeVar("Value")

# The tables that stand in the order of topic and, where they have it, system.
_CODED = [file.removesuffix(".parquet") for file in TABLES if file.endswith(".parquet")]

HIGHEST_UNSTATED = 4  # gdeval's scale, which TREC's own grades do not exceed


class _Framed:
    """A table of a collection, which becomes a frame when somebody asks for it."""

    def __init__(self, *default: None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, collection: Collection | None, owner: type) -> Any:
        if collection is None:  # asked by dataclass
            if not self.default:
                raise AttributeError(self.name)
            return self.default[0]
        if isinstance(table := vars(collection)[self.name], Table):
            table = vars(collection)[self.name] = table.frame()
        return table

    def __set__(self, collection: Collection, table: Any) -> None:
        vars(collection)[self.name] = table


def _framed(*default: None) -> Any:
    return _Framed(*default)


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs and judgements of one test collection, reduced to relevance at rank.

    Make one with :func:`lib.collection.load`, :func:`lib.collection.derive` or
    :meth:`from_rankings`; never change its tables.

    Attributes
    ----------
    name : str
    systems : DataFrame, index run, columns group, type, pooled
    topics : DataFrame, index topic, columns judged, relevant
    lists, relevant, hits, pools : DataFrame
        The tables that :data:`lib.collection.package.TABLES` describes; ``hits`` has the grade
        beside each document.
    judged : DataFrame or None
        The judged non-relevant documents in the lists, when the collection was derived with them.
    unsampled : DataFrame or None
        The documents in the lists that are in the pool and not judged, when the judgements name
        such (with a negative grade), as those of a sample do.
    short_title : str
        The name as it is written, from the data package; see :attr:`title`.
    relevant_from : int
        The lowest grade that binary measures count as relevant; gains are of all grades.
    highest_grade : int or None
        The highest grade of the scale, used or not, where it is stated.
    highest_judged : int or None
        The highest grade of all judgements, of documents that were retrieved and others, from
        which the collection was derived; see :meth:`top_of_scale`.
    skipped_runs : dict of str to str
        Runs that were at hand and left out, each with the reason.

    Examples
    --------
    >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
    >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
    >>> toy
    Collection('toy': 2 systems, 2 topics, 2 relevant documents, 3 hits)
    >>> toy.retrieved.tolist()
    [[2, 1], [2, 1]]
    """

    name: str
    systems: pd.DataFrame = _framed()
    topics: pd.DataFrame = _framed()
    lists: pd.DataFrame = _framed()
    relevant: pd.DataFrame = _framed()
    hits: pd.DataFrame = _framed()
    pools: pd.DataFrame = _framed()
    judged: pd.DataFrame | None = _framed(None)
    unsampled: pd.DataFrame | None = _framed(None)
    short_title: str = ""
    relevant_from: int = 1
    highest_grade: int | None = None
    highest_judged: int | None = None
    skipped_runs: Mapping[str, str] = field(default_factory=dict)
    # What was computed of these tables: not copied when others take their place.
    _relevance: dict[int, Relevance] = field(default_factory=dict, init=False, repr=False)
    _shared: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        # What is made of this one, by fewer judgements or topics, has the grade of them all.
        if self.highest_judged is None:
            grades = np.asarray(columns_of(self, "relevant")["grade"])
            object.__setattr__(self, "highest_judged", int(grades.max(initial=0)))

    def __repr__(self) -> str:
        return (
            f"Collection({self.name!r}: {len(self.systems)} systems, {len(self.topics)} topics, "
            f"{self.counted()})"
        )

    def counted(self) -> str:
        """Say how many documents count as relevant, and how often they were found.

        Returns
        -------
        str

        Examples
        --------
        >>> Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1, "e": 1}}).counted()
        '2 relevant documents, 1 hits'
        """
        counts = [of["grade"] >= self.relevant_from for of in (self.relevant, self.hits)]
        return f"{counts[0].sum()} relevant documents, {counts[1].sum()} hits"

    @property
    def title(self) -> str:
        """The name as it is written: ``"TREC-8"`` for ``"trec8"``; else the name itself."""
        return self.short_title or self.name

    def top_of_scale(self, default: int | None = None) -> int:
        """Return the highest grade of the scale, on which some measures depend.

        Parameters
        ----------
        default : int, optional
            What it is where none is stated; without it, a scale that is not stated is refused.

        Returns
        -------
        int

        Raises
        ------
        InputError
            None is stated, and there is no default or a judgement above :data:`HIGHEST_UNSTATED`;
            or a judgement is above what is stated.

        Examples
        --------
        >>> toy = Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1, "e": 3}})
        >>> toy.top_of_scale(4)
        4
        """
        judged = self.highest_judged or 0
        if self.highest_grade is not None:
            if judged > self.highest_grade:
                raise InputError(f"{self.name}: has grade {judged}, above {self.highest_grade}")
            return self.highest_grade
        if default is None or judged > HIGHEST_UNSTATED:
            has = f", and has grade {judged}" * (judged > HIGHEST_UNSTATED)
            raise InputError(
                f"{self.name} does not state the highest grade of its scale{has}: say "
                "highest_grade=N to derive, or --highest-grade N; derive a folder again"
            )
        return default

    @cached_property
    def retrieved(self) -> np.ndarray:
        """Length of each list, shape (topics, systems); -1 where a system did not answer."""
        lists = columns_of(self, "lists")
        lengths = np.full([*map(len, names_of(self))], -1)
        lengths[lists["topic"], lists["system"]] = lists["retrieved"]
        return lengths

    @cached_property
    def entry(self) -> np.ndarray:
        """The shallowest rank at which any system found each relevant document.

        One integer a row of ``relevant``: the depth from which a pool of all systems holds it.  A
        document that no system found has 2**31 - 1.
        """
        return self._entries(np.ones(len(self.systems), dtype=bool))

    def _entries(self, members: np.ndarray) -> np.ndarray:
        """The shallowest rank at which a member of a pool found each relevant document."""
        entry = np.full(len(self.relevant), np.iinfo(np.int32).max)
        pooled = members[self.hits["system"]]
        ranks = self.hits["rank"].to_numpy(int)[pooled]
        np.minimum.at(entry, self._hit_row[pooled], ranks)
        return entry

    @cached_property
    def _hit_row(self) -> np.ndarray:
        """The row of ``relevant`` that holds the document of each hit."""
        known, hits = (
            of["topic"].to_numpy(np.int64) << 32 | of["document"].to_numpy()
            for of in (self.relevant, self.hits)
        )
        return np.searchsorted(known, hits)

    def relevance(self, rel: int | None = None) -> Relevance:
        """Return the hits of documents of grade ``rel`` or more, as arrays.

        Parameters
        ----------
        rel : int, optional
            The lowest grade that counts as relevant, 1 or more; by default ``relevant_from``.

        Returns
        -------
        Relevance
            Of each hit its topic, list, rank, position among the hits of its list, and grade.

        Raises
        ------
        InputError
            rel is below 1.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.relevance().rank.tolist()  # by rank, then list by list
        [1, 1, 2]
        """
        rel = self.relevant_from if rel is None else rel
        if rel < 1:
            raise InputError(f"rel must be 1 or more, not {rel}")
        if rel not in self._relevance:
            self._relevance[rel] = self._relevance_from(rel)
        return self._relevance[rel]

    def _relevance_from(self, rel: int) -> Relevance:
        tables = ("hits", "relevant", "topics", "unsampled")
        hits, relevant, topics, unsampled = (columns_of(self, table) for table in tables)
        return at_threshold(rel, hits, relevant, topics["judged"], self.retrieved, unsampled)

    def is_package(self, name: str) -> bool:
        """Return whether this is a package of the book: its tables, by their hashes, and grades.

        The name does not matter, nor whether the judged non-relevant documents were read.

        Parameters
        ----------
        name : str
            A folder below ``data/``, such as ``"trec8"``.

        Returns
        -------
        bool
            False of a re-pooled collection, which no package is.

        Raises
        ------
        FileNotFoundError
            The book has no such package.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.pooled(1).is_package("trec8")
        False
        """
        if "nonrelevant" not in self.hits or self.pools.empty:
            return False
        if ("package", name) not in self._shared:  # a second or so
            known = {entry["path"]: entry for entry in about(name)["resources"]}
            tables = replace(self, judged=None).tables()
            grades = about(name).get("relevant_from", 1), about(name).get("highest_grade")
            same = grades == (self.relevant_from, self.highest_grade) and tables.keys() <= {*known}
            # Most that are asked are a part of it, which their sizes tell.
            self._shared["package", name] = (
                same
                and all(len(of) == known[file]["rows"] for file, of in tables.items())
                and all(digest(of) == known[file]["table_hash"] for file, of in tables.items())
            )
        return self._shared["package", name]

    def memoize(self, key: Hashable, compute: Callable[[Collection], Value]) -> Value:
        """Return what is computed of the collection, which keeps it by a key.

        The next call with the key returns the same object: never change it.

        Parameters
        ----------
        key : hashable
            What it is kept by; it says everything that the value depends on.
        compute : callable
            From the collection to the value.

        Returns
        -------
        object
            What ``compute`` returned.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.memoize("hits", lambda c: len(c.hits)), toy.memoize("hits", len)
        (3, 3)
        """
        if key not in self._shared:
            self._shared[key] = compute(self)
        return self._shared[key]

    def topicwise(self, key: Hashable, compute: Callable[[Collection], Value]) -> tuple[Value, Any]:
        """Return what is computed of each topic by itself, and the rows of the collection's own.

        A part of a collection (:func:`lib.collection.without`) returns what its whole keeps, by
        the key, of all topics.

        Parameters
        ----------
        key : hashable
            As for :meth:`memoize`.
        compute : callable
            From a collection to a value with a row for each topic, which depends on it alone.

        Returns
        -------
        value : object
            With a row for each topic of the whole.
        rows : slice or ndarray of int
            Those of the collection's own topics.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.topicwise("relevant", lambda c: c.topics["relevant"].tolist())
        ([1, 1], slice(None, None, None))
        """
        return compute(self), slice(None)

    def frame(self, values: np.ndarray) -> pd.DataFrame:
        """Return an array of scores as a table with the names of topics and systems.

        Parameters
        ----------
        values : ndarray, shape (topics, systems)
            Scores.

        Returns
        -------
        DataFrame (topics x systems)
            NaN where a system did not answer a topic.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.frame(toy.retrieved).loc["1"].tolist()
        [2.0, 1.0]
        """
        values = np.where(self.retrieved < 0, np.nan, values)
        return pd.DataFrame(values, index=self.topics.index, columns=self.systems.index)

    def pooled(self, depth: int, *, by: str | Iterable[str] = "all") -> Collection:
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

        Raises
        ------
        InputError
            A depth below 1, a run that the collection does not have, or no system that is marked.

        Examples
        --------
        >>> c = Collection.from_rankings(
        ...     {"A": {"t": "x r y s".split()}, "B": {"t": "s x".split()}}, {"t": {"r": 1, "s": 1}})
        >>> c.pooled(1).hits[["system", "rank"]].to_numpy().tolist()
        [[0, 4], [1, 1]]
        """
        if depth < 1:
            raise InputError(f"depth must be 1 or more, not {depth}")
        members = self._members(by)
        entry = self.entry if members.all() else self._entries(members)
        judged, unsampled = (
            None if table is None else _in_pool(table, members, depth)
            for table in (self.judged, self.unsampled)
        )
        return self.rejudged(entry <= depth, judged, unsampled)

    def select(self, *, systems: Names | None = None, topics: Names | None = None) -> Collection:
        """Return the collection with some of its systems or topics, in the order given.

        Judgements stay as they are.

        Parameters
        ----------
        systems, topics : str, int or a sequence of these, optional
            Names to keep, topics also by their number; all by default.

        Returns
        -------
        Collection
            Of the same name.

        Raises
        ------
        InputError
            A name that the collection does not have, or a name twice.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> toy.select(topics=[2], systems="B")
        Collection('toy': 1 systems, 1 topics, 1 relevant documents, 1 hits)
        """
        system = positions(self.systems.index, systems, "system")
        topic = positions(self.topics.index, topics, "topic")
        codes = {
            "topic": _new_codes(topic, len(self.topics)),
            "system": _new_codes(system, len(self.systems)),
        }
        tables = {name: getattr(self, name) for name in _CODED}
        kept: Any = {name: _recoded(of, codes) for name, of in tables.items() if of is not None}
        systems, topics = self.systems.iloc[system], self.topics.iloc[topic]
        return replace(self, systems=systems, topics=topics, **kept)

    def _members(self, by: str | Iterable[str]) -> np.ndarray:
        """Return which systems a pool is made from, as a boolean for each."""
        if isinstance(by, str):
            if by == "all":
                return np.ones(len(self.systems), dtype=bool)
            if by != "pooled":
                raise InputError(f"by must be 'all', 'pooled' or a list of systems, not {by!r}")
            members = (self.systems["pooled"] == "yes").to_numpy()
            if not members.any():
                raise InputError(f"{self.name}: the systems table marks no system as pooled")
            return members
        members = np.zeros(len(self.systems), dtype=bool)
        members[positions(self.systems.index, by, "system")] = True
        return members

    def rejudged(
        self,
        staying: np.ndarray,
        judged: pd.DataFrame | None,
        unsampled: pd.DataFrame | None = None,
    ) -> Collection:
        """Return the collection with some of its judgements.

        Parameters
        ----------
        staying : ndarray of bool
            Whether each row of ``relevant`` stays relevant.
        judged, unsampled : DataFrame or None
            What takes the place of the tables of these names; None where it is not known.

        Returns
        -------
        Collection
            Bpref is not defined on it where ``judged`` is None.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> import numpy as np
        >>> toy.rejudged(np.array([True, False]), None).topics["relevant"].tolist()
        [1, 0]
        """
        relevant = self.relevant[staying]
        stays = staying[self._hit_row]
        hits = self.hits.drop(columns="nonrelevant", errors="ignore")[stays]
        topics = self.topics.copy()
        topics["relevant"] = np.bincount(relevant["topic"], minlength=len(topics))
        if judged is None:
            topics["judged"] = pd.array([pd.NA] * len(topics), dtype="Int32")
        else:
            hits = hits.assign(nonrelevant=rows_above(hits, judged, len(self.systems)))
            nonrelevant = judged[["topic", "document"]].drop_duplicates()["topic"]
            topics["judged"] = topics["relevant"] + np.bincount(nonrelevant, minlength=len(topics))
        rejudged = replace(
            self, topics=topics, relevant=relevant, hits=hits, judged=judged, unsampled=unsampled
        )
        if judged is None and unsampled is None:  # hits that are in order need no sorting
            rel = self.relevant_from
            kept = stays[self.hits["grade"].to_numpy() >= rel]
            counts = relevant_documents(relevant, rel, len(topics))
            rejudged._relevance[rel] = self.relevance().of_pool(kept, counts)
        return rejudged

    @classmethod
    def from_rankings(
        cls,
        runs: Mapping[str, Mapping[str, Sequence | Mapping[Any, float]]],
        qrels: Mapping[str, Mapping[Any, int]],
        *,
        name: str = "toy",
        judged: bool = False,
    ) -> Collection:
        """Make a collection from rankings written down in Python.

        Parameters
        ----------
        runs : dict of str to dict of str to sequence
            System to topic to document names, best first; or to scores by document, as pytrec_eval,
            ranx and BEIR have them, of which the highest is first, and the last name among equals.
        qrels : dict of str to dict
            Topic to document name to grade.  A grade of 0 is judged non-relevant.
        name : str
            What the collection is called.
        judged : bool
            Keep the judged non-relevant documents one by one too, which Judged asks for.

        Returns
        -------
        Collection
            Its topics are those of ``qrels``.

        Raises
        ------
        InputError
            Other data, such as frames, which :func:`lib.collection.derive` takes.

        Examples
        --------
        >>> Collection.from_rankings({"A": {"t": ["d2", "d1"]}}, {"t": {"d1": 1}}).hits
           topic  system  rank  document  nonrelevant  grade
        0      0       0     2         0            0      1
        """
        given = [runs, qrels, *(runs.values() if isinstance(runs, Mapping) else ())]
        if others := [type(one).__name__ for one in given if not isinstance(one, Mapping)]:
            raise InputError(f"{others[0]} is no dict by topic; lib.derive(runs, qrels) takes it")
        derivation = Derivation(as_judged(qrels), judged=judged)
        for system, lists in runs.items():
            derivation.add(system, lists)
        return cls(name=name, **derivation.tables())

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables as they stand on disk.

        Returns
        -------
        dict of str to DataFrame
            By file name, with the columns that :data:`lib.collection.package.TABLES` describes.

        Raises
        ------
        InputError
            A re-pooled collection whose judged non-relevant documents are not known, or one that
            was derived without pools.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> list(toy.tables())[:2]
        ['systems.tsv', 'topics.tsv']
        """
        if "nonrelevant" not in self.hits:
            raise InputError(
                f"{self.name}: a re-pooled collection cannot be saved unless its "
                "judged non-relevant documents are known"
            )
        if self.pools.empty:
            raise InputError(f"{self.name}: derived without pools, a collection cannot be saved")
        tables = {}
        for file, schema in TABLES.items():
            frame = getattr(self, file.split(".")[0])
            if frame is not None:
                if file.endswith(".tsv"):
                    frame = frame.reset_index().assign(position=range(len(frame)))
                types = {column: kind for column, (kind, _) in schema.items()}
                tables[file] = frame[list(types)].astype(types)
        return tables

    def save(
        self, folder: AnyPath, *, about: Mapping[str, Any] | None = None, replace: bool = False
    ) -> None:
        """Write the collection as a data package; the folder appears whole or not at all.

        Parameters
        ----------
        folder : path
            The folder to make.
        about : dict, optional
            What ``datapackage.json`` says beyond the tables: title, sources, licenses, command, and
            the fields of ``OPTIONAL``, which the collection has again when it is loaded; by default
            they are those of this one.
        replace : bool
            Write over a folder that holds a collection already.

        Raises
        ------
        InputError
            The folder exists and may not be replaced, or cannot be written; a name that could not
            be read again.

        Examples
        --------
        >>> runs = {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x"], "2": ["r"]}}
        >>> toy = Collection.from_rankings(runs, {"1": {"r": 1}, "2": {"r": 1}})
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from lib import load
        >>> with TemporaryDirectory() as folder:
        ...     toy.save(Path(folder) / "mine")
        ...     load(Path(folder) / "mine")
        Collection('toy': 2 systems, 2 topics, 2 relevant documents, 3 hits)
        """
        kept = {key: getattr(self, key) for key in OPTIONAL if getattr(self, key) != OPTIONAL[key]}
        about = kept | dict(about or {})
        try:
            check_stated({**about, "name": self.name})
        except ValueError as error:
            raise InputError(f"{folder}: could not be loaded again ({error})") from None
        save_tables(folder, self.name, self.tables(), about=about, replace=replace)


class Unframed(Collection):
    """A collection whose scores are arrays (topics x systems), for who needs no frame of them."""

    def frame(self, values: np.ndarray) -> Any:
        """As of any collection, without names."""
        return np.where(self.retrieved < 0, np.nan, values)


def unframed(collection: Collection) -> Unframed:
    """Return a collection whose scores are arrays; tables that are no frames stay so.

    >>> unframed(Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1}})).frame(0.5)
    array([[0.5]])
    """
    made = Unframed.__new__(Unframed)
    for one in fields(Collection):
        known = one.name in vars(collection)  # a part of one makes its tables when asked
        vars(made)[one.name] = (
            vars(collection)[one.name] if known else getattr(collection, one.name)
        )
    return made


def columns_of(collection: Collection, table: str) -> Any:
    """Return a table's columns by their names: arrays, where nobody asked for the frame yet.

    >>> toy = Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1}})
    >>> columns_of(toy, "hits")["rank"].tolist()
    [1]
    """
    held = vars(collection).get(table)
    return held.columns if isinstance(held, Table) else getattr(collection, table)


def names_of(collection: Collection) -> tuple[list[str], list[str]]:
    """Return the names of the topics, and those of the systems.

    >>> names_of(Collection.from_rankings({"A": {"t": ["d"]}}, {"t": {"d": 1}}))
    (['t'], ['A'])
    """
    held = [vars(collection)[table] for table in ("topics", "systems")]
    topics, systems = (
        list(of.columns[of.index] if isinstance(of, Table) else of.index) for of in held
    )
    return topics, systems


def _in_pool(judged: pd.DataFrame, members: np.ndarray, depth: int) -> pd.DataFrame:
    """Keep the judged non-relevant documents that a member of a pool has within the depth."""
    inside = judged[members[judged["system"]] & (judged["rank"] <= depth)]
    pool = inside[["topic", "document"]].drop_duplicates()
    return judged.merge(pool, on=["topic", "document"], how="inner")


def a_collection(given: object) -> Collection:
    """Return what is given, or raise an InputError where it is no collection.

    Examples
    --------
    >>> a_collection("trec8")
    Traceback (most recent call last):
        ...
    lib.errors.InputError: 'trec8' is no collection; load(...) and derive(...) return one
    """
    if not isinstance(given, Collection):
        what = repr(given) if isinstance(given, str) else type(given).__name__
        raise InputError(f"{what} is no collection; load(...) and derive(...) return one")
    return given


def positions(index: pd.Index, names: Names | None, what: str) -> np.ndarray:
    """Return where names, or a single one, stand in an index; None means all of it.

    >>> positions(pd.Index(["401", "402", "403"]), [403, "401"], "topic")
    array([2, 0])
    """
    if names is None:
        return np.arange(len(index))
    asked = pd.Index([str(name) for name in ([names] if isinstance(names, str | int) else names)])
    at = index.get_indexer(asked)
    if (at < 0).any():
        like = did_you_mean(asked[at < 0][0], index) or f"; there are {_some(index)}"
        raise InputError(f"no such {what}: {', '.join(asked[at < 0])}{like}")
    if asked.has_duplicates:
        raise InputError(f"the same {what} twice: {asked[asked.duplicated()][0]}")
    return at


def _some(names: Sequence[str]) -> str:
    """Name all of a few names, and of many the first and the last."""
    return ", ".join(names) if len(names) < 6 else f"{len(names)}, {names[0]} to {names[-1]}"


def _new_codes(at: np.ndarray, size: int) -> np.ndarray:
    """Return the new code of each old one: its place among those kept, or -1."""
    code = np.full(size, -1)
    code[at] = np.arange(len(at))
    return code


def _recoded(table: pd.DataFrame, codes: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return the rows of a table whose topic and system stay, with their new codes, in order."""
    codes = {column: code[table[column]] for column, code in codes.items() if column in table}
    kept = np.logical_and.reduce([code >= 0 for code in codes.values()])
    table = table.assign(**codes)[kept]
    # Within a list, or a topic, the rows keep their order.
    return table.sort_values(list(codes), kind="stable", ignore_index=True)
