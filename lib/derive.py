"""Derive a Collection from runs and relevance judgements, one run at a time."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
from tqdm import tqdm

from lib.collection import TABLES, Collection
from lib.errors import InputError
from lib.trec import read_qrels, read_run, run_files

__all__ = ["Derivation", "derive", "read_systems"]

POOL_DEPTH = 100


def derive(runs, qrels, *, systems=None, name=None, scores="double", judged=False, progress=None):
    """Derive a collection from TREC files.

    Parameters
    ----------
    runs : path
        A folder of run files, one a system.
    qrels : path
        A qrels file.  Its topics are the collection's: lists of other topics are passed over, as
        trec_eval does.
    systems : path, optional
        A table of the systems, see :func:`read_systems`.
    name : str, optional
        Name of the collection, by default the name of the runs' folder.
    scores : {"double", "single"}
        Precision in which scores are compared, see :func:`lib.trec.read_run`.
    judged : bool
        Keep the ranks of the judged non-relevant documents too.
    progress : bool, optional
        Show a progress bar; by default on a terminal only.

    Returns
    -------
    Collection

    Raises
    ------
    InputError
        Input that cannot be used, with file, line and reason.
    """
    files = run_files(runs)
    facts = None if systems is None else read_systems(systems)
    if facts is not None and (missing := [run for run in files if run not in facts.index]):
        raise InputError(f"{systems}: has no row for the run {missing[0]!r}")
    derivation = Derivation(read_qrels(qrels), facts=facts, judged=judged)
    hide = None if progress is None else not progress
    for system, path in tqdm(files.items(), desc="runs", unit="run", disable=hide):
        derivation.add(system, read_run(path, scores=scores))
    return derivation.collection(name or Path(runs).resolve().name)


def read_systems(path):
    """Return a table of systems: index run; columns group, type, pooled ("yes", "no" or "").

    The file is tab-separated with a header line; ``run`` must be there, the others may be missing,
    further columns are passed over.  The ``systems.tsv`` of a collection is such a file.
    """
    columns = ["group", "type", "pooled"]
    facts = {}
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            table = csv.DictReader(file, delimiter="\t", restval="")
            header = table.fieldnames or []
            if "run" not in header:
                raise InputError(f"{path}, line 1: no column 'run' among {len(header)} columns")
            for row in table:
                where = f"{path}, line {table.line_num}"
                run, pooled = row["run"], row.get("pooled", "")
                if None in row:
                    raise InputError(f"{where}: more columns than the {len(header)} of the header")
                if run in facts:
                    raise InputError(f"{where}: run {run!r} stands twice")
                if pooled not in ("yes", "no", ""):
                    raise InputError(f"{where}: pooled is {pooled!r}, not yes, no or empty")
                facts[run] = [row.get(column, "") for column in columns]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read as a table of systems ({reason})") from None
    index = pd.Index(list(facts), name="run", dtype=object)
    return pd.DataFrame(list(facts.values()), index=index, columns=columns)


class Derivation:
    """Collects hits run by run; holds the judgements and the hits, never a whole run set.

    Parameters
    ----------
    qrels : dict of str to dict
        Topic to document to grade (negative: not judged).
    facts : DataFrame, optional
        Index run, columns group, type, pooled.
    judged : bool
        Keep the ranks of judged non-relevant documents.
    """

    def __init__(self, qrels, *, facts=None, judged=False):
        self.topics = sorted(qrels, key=_natural)
        self.facts = facts
        self.keep_judged = judged
        self.systems = []
        self.rows = {"lists": [], "hits": [], "judged": []}
        # Documents are numbered in the order of their names, so that no order of files matters.
        self.grades, self.number = [], []
        for topic in self.topics:
            grades = {d: g for d, g in qrels[topic].items() if g >= 0}
            self.grades.append(grades)
            numbers = {}
            for wanted in (True, False):
                some = sorted(d for d, g in grades.items() if (g > 0) == wanted)
                numbers.update(zip(some, range(len(some))))
            self.number.append(numbers)
        # The shallowest rank of each document in any list, and in any list of a pooled system.
        self.first = {"all": [{} for _ in self.topics], "pooled": [{} for _ in self.topics]}

    def add(self, system, lists):
        """Add one system: topic to document names, best first."""
        code = len(self.systems)
        self.systems.append(system)
        pooled = self.facts is not None and self.facts["pooled"].get(system) == "yes"
        rows = {table: [] for table in self.rows}
        for topic, name in enumerate(self.topics):
            documents = lists.get(name)
            if documents is None:
                continue
            if len(set(documents)) < len(documents):
                raise InputError(f"{system}: a document stands twice in topic {name!r}")
            rows["lists"].append((topic, code, len(documents)))
            self._add_list(rows, topic, code, documents)
            for pool in ("all", "pooled") if pooled else ("all",):
                first = self.first[pool][topic]
                for rank, document in enumerate(documents[:POOL_DEPTH], start=1):
                    if rank < first.get(document, POOL_DEPTH + 1):
                        first[document] = rank
        for table, of_system in rows.items():
            width = len(TABLES[f"{table}.parquet"]) + (table == "hits")
            self.rows[table].append(np.array(of_system, dtype=np.int32).reshape(-1, width))

    def _add_list(self, rows, topic, code, documents):
        grades, number = self.grades[topic], self.number[topic]
        nonrelevant = 0
        for rank, document in enumerate(documents, start=1):
            grade = grades.get(document)
            if grade is None:
                continue
            if grade > 0:
                rows["hits"].append((topic, code, rank, number[document], nonrelevant, grade))
            else:
                nonrelevant += 1
                if self.keep_judged:
                    rows["judged"].append((topic, code, rank, number[document]))

    def collection(self, name):
        """Return the collection of all systems added, systems in the order of their names."""
        order = np.argsort(np.array(self.systems, dtype=object), kind="stable")
        code = np.empty(len(order), dtype=int)
        code[order] = np.arange(len(order))
        runs = pd.Index([self.systems[i] for i in order], name="run")
        facts = self.facts
        if facts is None:
            facts = pd.DataFrame("", index=runs, columns=["group", "type", "pooled"])
        return Collection(
            name=name,
            systems=facts.reindex(runs),
            topics=self._topics(),
            lists=self._table("lists", code, ["topic", "system"]),
            relevant=self._relevant(),
            hits=self._table("hits", code, ["topic", "system", "rank"], ["grade"]),
            pools=self._pools(),
            judged=self._table("judged", code, ["topic", "system", "rank"])
            if self.keep_judged else None,
        )

    def _table(self, table, code, order, extra=()):
        columns = [*TABLES[f"{table}.parquet"], *extra]
        rows = np.concatenate(self.rows[table]) if self.rows[table] else np.empty((0, len(columns)))
        frame = pd.DataFrame(rows, columns=columns, dtype=np.int64)
        frame["system"] = code[frame["system"]]
        return frame.sort_values(order, ignore_index=True)

    def _topics(self):
        return pd.DataFrame(
            {
                "judged": pd.array([len(g) for g in self.grades], dtype="Int32"),
                "relevant": pd.array(
                    [sum(grade > 0 for grade in g.values()) for g in self.grades], dtype="Int32"
                ),
            },
            index=pd.Index(self.topics, name="topic"),
        )

    def _relevant(self):
        rows = [
            (topic, self.number[topic][document], grade)
            for topic, grades in enumerate(self.grades)
            for document, grade in grades.items()
            if grade > 0
        ]
        frame = pd.DataFrame(rows, columns=["topic", "document", "grade"], dtype=np.int64)
        return frame.sort_values(["topic", "document"], ignore_index=True)

    def _pools(self):
        sizes = {
            pool: np.concatenate([
                np.bincount(list(first.values()), minlength=POOL_DEPTH + 1)[1:].cumsum()
                for first in self.first[pool]
            ])
            for pool in self.first
        }
        topics = len(self.topics)
        return pd.DataFrame({
            "topic": np.repeat(np.arange(topics), POOL_DEPTH),
            "depth": np.tile(np.arange(1, POOL_DEPTH + 1), topics),
            **sizes,
        })


def _natural(topic):
    """Order topics by number where they are numbers, by text where not."""
    return (0, int(topic), topic) if topic.isdecimal() else (1, 0, topic)
