"""What can be wrong with a collection on disk, or with the words of a command: a table, for two.

The tests go through it (test_bad_input.py), and the page on your own runs shows it (bad_input.py).
"""

import json
import shlex
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pandas as pd

from lib.cli import main
from lib.errors import harmless

__all__ = ["ODDITIES", "Oddity"]

FILES = {
    "runs/A": b"1 Q0 d1 1 3.5 A\n1 Q0 d2 2 2.5 A\n2 Q0 d1 1 1.5 A\n3 Q0 d4 1 1.5 A\n",
    "runs/B": b"1 Q0 d2 1 9 B\n2 Q0 d3 1 8 B\n3 Q0 d4 1 1.5 B\n",
    "qrels": b"1 0 d1 0\n1 0 d2 1\n2 0 d1 2\n3 0 d4 1\n",
}


@dataclass(frozen=True)
class Oddity:
    """One thing that a command is refused for, in one line and with nothing written.

    Attributes
    ----------
    what : str
        For the page.
    words : tuple of str
        The command.
    edit : callable, optional
        What is done to the folder that holds the collection ``mine`` before.
    """

    what: str
    words: tuple[str, ...]
    edit: Callable[[Path], object] = lambda folder: None

    @property
    def shown(self) -> str:
        """The command as the page shows it."""
        return harmless(shlex.join(self.words))

    def prepare(self, folder: Path) -> None:
        """Make the collection in an empty folder, and do to it what is to be done."""
        derived(folder)
        self.edit(folder)


def derived(folder, files=FILES):
    """Derive ``mine`` in a folder, whatever is there."""
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    words = ["derive", f"{folder}/runs", f"{folder}/qrels", "--judged", "--replace"]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main([*words, "--out", f"{folder}/mine"]) == 0


def one_system(folder):
    (folder / "runs" / "B").unlink()
    derived(folder, {})


def one_topic(folder):
    derived(folder, {"qrels": b"1 0 d1 0\n1 0 d2 1\n"})


def written(name, content):
    """What comes to stand in a file."""
    return lambda folder: (folder / name).write_bytes(content)


def gone(name):
    return lambda folder: (folder / name).unlink()


def said(**change):
    """What datapackage.json comes to say; None: nothing of it."""

    def edit(folder):
        path = folder / "mine" / "datapackage.json"
        package = json.loads(path.read_text()) | change
        path.write_text(json.dumps({k: v for k, v in package.items() if v is not None}))

    return edit


def entry(number, **change):
    """What datapackage.json comes to say of a table."""

    def edit(folder):
        path = folder / "mine" / "datapackage.json"
        package = json.loads(path.read_text())
        package["resources"][number] |= change
        path.write_text(json.dumps(package))

    return edit


def replaced(file, old, new):
    """Another byte in a table."""

    def edit(folder):
        path = folder / "mine" / file
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))

    return edit


def column(file, name, change):
    """Another column in a table."""

    def edit(folder):
        path = folder / "mine" / file
        table = pd.read_parquet(path)
        table.assign(**{name: change(table[name])}).to_parquet(path, index=False)

    return edit


def shorter(file):
    def edit(folder):
        path = folder / "mine" / file
        path.write_bytes(path.read_bytes()[:-9])

    return edit


AP = ("evaluate", "mine", "--measures", "AP")


def measure(name):
    return ("evaluate", "mine", "--measures", name)


def pairs(text):
    return written("pairs", b"system\tbase\tfeedback\n" + text)


TABLE = ("table", "tomlinson2006", "1", "--collection", "mine", "--pairs", "pairs")
JUDGES = ("compare-qrels", "runs", "qrels", "qrels")

ODDITIES = [
    # A collection that was damaged.
    Oddity("no description", AP, gone("mine/datapackage.json")),
    Oddity("a description cut off", AP, written("mine/datapackage.json", b'{"name": ')),
    Oddity("a description not in UTF-8", AP, written("mine/datapackage.json", b"\xff\xfe{")),
    Oddity("a list as description", AP, written("mine/datapackage.json", b"[1, 2]")),
    Oddity(
        "a description of 100,000 brackets",
        AP,
        written("mine/datapackage.json", b"[" * 100_000 + b"]" * 100_000),
    ),
    Oddity("no name", AP, said(name=None)),
    Oddity("a list as name", AP, said(name=["mine"])),
    Oddity("a name with control codes", AP, said(name="\x1b[2J")),
    Oddity("a number as title", AP, said(title=8)),
    Oddity("a threshold as text", AP, said(relevant_from="2")),
    Oddity("a threshold of 0", AP, said(relevant_from=0)),
    Oddity("a list of the runs that were left out", AP, said(skipped_runs=["A"])),
    Oddity("no tables named", AP, said(resources=None)),
    Oddity("tables without their files", AP, said(resources=[{"rows": 2}])),
    Oddity("another hash", AP, entry(4, file_hash="sha256:0")),
    Oddity("a table that is not named", AP, entry(1, path="themes.tsv")),
    Oddity("no hits", AP, gone("mine/hits.parquet")),
    Oddity("no topics", AP, gone("mine/topics.tsv")),
    Oddity("hits cut off", AP, shorter("hits.parquet")),
    Oddity("hits of no bytes", AP, written("mine/hits.parquet", b"")),
    Oddity("a rank of 0", AP, column("hits.parquet", "rank", lambda rank: rank - 1)),
    Oddity("another count of judged documents", AP, replaced("topics.tsv", b"1\t2", b"1\t9")),
    Oddity("a table written anew, and no cell changed", AP, column("pools.parquet", "all", list)),
    Oddity(
        "judged documents in another order",
        ("incomplete", "mine"),
        column("judged.parquet", "rank", lambda rank: rank[::-1].to_list()),
    ),
    Oddity("two systems of one name", AP, replaced("systems.tsv", b"\nB", b"\nA")),
    Oddity("a system renamed out of order", AP, replaced("systems.tsv", b"\nA", b"\nC")),
    Oddity("a system less", AP, replaced("systems.tsv", b"\nB\t\t\t", b"")),
    Oddity("pooled as a number", AP, replaced("systems.tsv", b"\nA\t\t\t", b"\nA\t\t\t1")),
    # Too small for what is asked.
    Oddity("one system", ("incomplete", "mine"), one_system),
    Oddity("one system", ("table", "thom2007", "1", "--collection", "mine"), one_system),
    Oddity("one topic", ("table", "webber2010", "1", "--collection", "mine"), one_topic),
    Oddity("one topic", ("evaluate", "mine", "--measures", "AP", "--summary"), one_topic),
    Oddity("one system", JUDGES, one_system),
    # Two judges.
    Oddity("no other judgements", ("compare-qrels", "runs", "qrels", "others")),
    Oddity(
        "judgements without a topic in common",
        ("compare-qrels", "runs", "qrels", "others"),
        written("others", b"9 0 d1 1\n"),
    ),
    Oddity("a run to skip that is not there", (*JUDGES, "--skip", "C")),
    Oddity("a threshold below 1", (*JUDGES, "--rel", "0")),
    # Options that go together.
    Oddity("`--against` alone", (*AP, "--against", "A")),
    Oddity("`--correction` alone", (*AP, "--correction", "holm")),
    Oddity("an unknown run to compare with", (*AP, "--summary", "--against", "C")),
    # Names of collections, papers and tables.
    Oddity("an empty name", ("evaluate", "", "--measures", "AP")),
    Oddity("a zero byte", ("evaluate", "mi\0ne", "--measures", "AP")),
    Oddity("a name that is not UTF-8", ("evaluate", "\udcff", "--measures", "AP")),
    Oddity("no such paper", ("table", "webber2009", "1")),
    Oddity("no such table", ("table", "webber2010", "9")),
    # Measures.
    Oddity("no measure", measure("")),
    Oddity("commas only", measure(", ,")),
    Oddity("an unknown name", measure("MAP")),
    Oddity("an open parenthesis", measure("AP(rel=2")),
    Oddity("no cutoff", measure("P")),
    Oddity("a cutoff of 0", measure("P@0")),
    Oddity("a cutoff below 0", measure("P@-1")),
    Oddity("half a rank", measure("P@1.5")),
    Oddity("a cutoff that no list reaches", measure("P@2147483648")),
    Oddity("digits of another script", measure("P@\u0663")),
    Oddity("a number that only some programs read", measure("AP(rel=1_0)")),
    Oddity("an option twice", measure("RBP(p=0.5,p=0.9)")),
    Oddity("an unknown option", measure("AP(p=0.5)")),
    Oddity("an option without a value", measure("RBP(p=)")),
    Oddity("no value for p", measure("RBP")),
    Oddity("a value that is no number", measure("RBP(p=nan)")),
    Oddity("a value out of its range", measure("RBP(p=1)")),
    Oddity("an unknown word", measure("nDCG(discount=ln)")),
    Oddity("a measure that these judgements cannot have", measure("statAP")),
    # Pairs of runs.
    Oddity("no file of pairs", TABLE),
    Oddity("no pairs", TABLE, pairs(b"")),
    Oddity("an unknown run in a pair", TABLE, pairs(b"s\tA\tC\n")),
    Oddity("a run paired with itself", TABLE, pairs(b"s\tA\tA\n")),
    Oddity("a pair twice", TABLE, pairs(b"s\tA\tB\ns\tA\tB\n")),
]
