"""What is wrong with input, or only odd, and what becomes of it: one table.

The tests go through it (test_bad_input.py), and the book's page on your own runs shows it;
``python tests/bad_input.py`` writes it there.
"""

import bz2
import codecs
import gzip
import json
import lzma
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from lib.cli import main  # noqa: E402
from lib.collection.derive import HABITS  # noqa: E402
from lib.collection.text_files import MAX_LINE  # noqa: E402
from lib.errors import harmless  # noqa: E402

PAGE = ROOT / "book" / "your-own-runs.md"
BEGIN, END = "<!-- bad input -->\n", "<!-- end of bad input -->\n"

# Two runs, three topics. A finds topic 1's relevant document at rank 2, B at rank 1.
RUN = b"1 Q0 d1 1 3.5 A\n1 Q0 d2 2 2.5 A\n2 Q0 d1 1 1.5 A\n3 Q0 d4 1 1.5 A\n"
OTHER = b"1 Q0 d2 1 9 B\n2 Q0 d3 1 8 B\n3 Q0 d4 1 1.5 A\n"
QRELS = b"1 0 d1 0\n1 0 d2 1\n2 0 d1 2\n3 0 d4 1\n"
SYSTEMS = b"run\tgroup\ttype\tpooled\nA\tus\tautomatic\tyes\nB\tthem\tmanual\tno\n"


@dataclass(frozen=True)
class Case:
    """One thing that input can have.

    Attributes
    ----------
    what : str
        For the page.
    files : dict of str to bytes or None
        What differs from the sound files; None: there is no such file.
    trec_eval : str
        What trec_eval does with it.
    line : int
        The line that the message names; 0 where the fault is in no single one.
    options : tuple of str
        Further options of ``derive``.
    rule : str
        How it is handled; empty where it is refused.
    hits : list, optional
        The hits that come out, each (topic, system, rank, grade); by default those of the sound
        files.
    note : str
        What the command says on the way.
    link : str
        Among the runs is a link C to this.
    """

    what: str
    files: dict = field(default_factory=dict)
    trec_eval: str = "-"
    line: int = 0
    options: tuple = ()
    rule: str = ""
    hits: list | None = None
    note: str = ""
    link: str = ""


gz = partial(gzip.compress, mtime=0)
COMPRESS = {
    ".gz": gz,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: pyarrow.compress(data, codec="zstd", asbytes=True),
}


def compressed(suffix, data):
    return {"runs/A": None, f"runs/A{suffix}": data}


def run(text):
    return {"runs/A": text}


def qrels(text):
    return {"qrels": text}


MARK = codecs.BOM_UTF8
BIG = RUN + b"".join(b"1 Q0 x%d 9 1 A\n" % i for i in range(9000))
PLAIN = [("1", "A", 2, 1), ("1", "B", 1, 1), ("2", "A", 1, 2), ("3", "A", 1, 1), ("3", "B", 1, 1)]
TIED = [("1", "A", 1, 1), *PLAIN[1:]]
NO_COMPRESSION = "does not read compressed files"
STOPS = "stops: malformed line"
TWICE = "stops: duplicate docs"
CLOSED = "stops: cannot read the file"
ZERO = "allows no zero bytes; what follows one may be lost without a word"

# What is wrong, the text, what trec_eval does with it, the line that the message names.
BAD_RUNS = [
    ("a run line with a column missing", b"1 Q0 d1 1 2.5 A\n1 Q0 d2 2 2.5\n", STOPS, 2),
    ("a tag with a blank", b"1 Q0 d1 1 2.5 my run\n", "reads the tag's first word", 1),
    ("a score that is no number", b"1 Q0 d1 1 high A\n", "reads 0", 1),
    ("a score NaN", b"1 Q0 d1 1 NaN A\n", "reads it; the order is then undefined", 1),
    ("a document twice in a topic", RUN + b"1 Q0 d1 5 0.1 A\n", TWICE, 5),
    ("a comment in a run", b"# my best run\n" + RUN, "passes over the line", 1),
    ("an empty run", b"", CLOSED, 0),
    ("no topic that was judged", b"7 Q0 d1 1 2.5 A\n", "evaluates no topic; with -c, scores 0", 0),
    ("topics with a zero before them", re.sub(rb"(?m)^(?=.)", b"0", RUN), "evaluates no topic", 0),
    ("binary junk", bytes(range(256)) * 9, ZERO, 1),
    ("a line of more than 65,536 bytes", RUN + b"4 Q0 " + b"d" * MAX_LINE, "reads it whole", 5),
    ("a text in UTF-16", RUN.decode().encode("utf-16"), ZERO, 1),
    ("a compressed file without its suffix", gzip.compress(RUN, mtime=0), NO_COMPRESSION, 1),
    ("lines that end in CR alone", RUN.replace(b"\n", b"\r"), STOPS, 1),
    ("JSON cut off", b'{"1": {"d1": 2.5,', STOPS, 0),
]
BAD_QRELS = [
    ("judgements with a column missing", b"1 0 d1\n", STOPS, 1),
    ("judgements with a column too many", b"1 0 d1 1 sure\n", STOPS, 1),
    ("judgements of subtopics", b"1 1 d1 1\n1 2 d1 0\n", TWICE, 2),
    ("a grade that is no number", b"1 0 d1 yes\n", "reads 0", 1),
    ("a grade that is no whole number", b"1 0 d1 1.5\n", "reads 1", 1),
    ("a document judged twice, alike", QRELS + b"1 0 d1 0\n", TWICE, 5),
    ("a document judged twice, differently", QRELS + b"1 0 d1 1\n", TWICE, 5),
    ("empty judgements", b"", CLOSED, 0),
    ("no file of judgements", None, CLOSED, 0),
]
BAD_SYSTEMS = [
    ("without the column run", b"system\tgroup\nA\tus\n", 1),
    ("with commas", SYSTEMS.replace(b"\t", b","), 1),
    ("that lacks a run", b"run\tgroup\nA\tus\n", 0),
    ("with a run twice", SYSTEMS + b"A\tus\n", 4),
    ("with an odd word", SYSTEMS.replace(b"yes", b"true"), 2),
    ("that is empty", b"", 1),
]
BAD_ABOUT = [
    ("what is not JSON", b'{"title": '),
    ("a list", b"[]"),
    ("a list as title", b'{"title": ["My track"]}'),
    ("control codes in the title", b'{"short_title": "\\u001b[31m"}'),
    ("a threshold", b'{"relevant_from": 2}'),
]
BAD_COMPRESSION = {
    "a file that is not what its suffix says:": lambda pack: RUN,
    "a truncated": lambda pack: pack(BIG)[:-20],
    "no bytes in a": lambda pack: b"",
    "something else after the text in a": lambda pack: pack(RUN) + b"junk",
}
BAD_OPTIONS = {
    "a run to skip that is not there": ("--skip", "C"),
    "every run skipped": ("--skip", "A", "--skip", "B"),
    "a grade beyond the scale": ("--highest-grade", "1"),
    "an output folder below a file": ("--out", "qrels/out"),
    "an empty name": ("--out", ""),
    "a name with control codes": ("--out", "\x1b[31m"),
    "a billion processes": ("--jobs", "1000000000"),
}
BAD_FILES = [
    ("zero bytes after the text in a .gz", compressed(".gz", gz(RUN) + bytes(512)), NO_COMPRESSION),
    ("a damaged .gz", compressed(".gz", gz(RUN)[:-8] + bytes(8)), NO_COMPRESSION),
    ("an archive", {"runs/A": None, "runs/A.tar.gz": gz(RUN)}, NO_COMPRESSION),
    ("two files of one system", {"runs/A.gz": gz(RUN)}, "reads one file"),
    ("a file name with a control character", {"runs/a\tb": RUN}, "takes any name"),
    ("no runs", {"runs/A": None, "runs/B": None}, CLOSED),
    ("an output folder that is somebody's", {"out/thesis.tex": b"..."}),
]

REFUSED = [
    *(Case(what, {"runs/A": text}, does, line) for what, text, does, line in BAD_RUNS),
    *(
        Case(f"{what} {suffix}", compressed(suffix, spoil(pack)), NO_COMPRESSION)
        for what, spoil in BAD_COMPRESSION.items()
        for suffix, pack in COMPRESS.items()
    ),
    *(Case(*row) for row in BAD_FILES),
    Case("two files of one cleaned name", {"runs/A.txt": RUN}, options=("--names", "clean")),
    *(Case(what, {"qrels": text}, does, line) for what, text, does, line in BAD_QRELS),
    *(Case(what, options=options) for what, options in BAD_OPTIONS.items()),
    *(
        Case(f"a table of systems {what}", {"systems": text}, "-", line, ("--systems", "systems"))
        for what, text, line in BAD_SYSTEMS
    ),
    *(
        Case(f"`--about` with {what}", {"about": text}, options=("--about", "about"))
        for what, text in BAD_ABOUT
    ),
]


def handled(what, files, rule, trec_eval="the same", **more):
    return Case(what, files, trec_eval, rule=rule, **more)


def everywhere(*changes):
    """What differs where names are others in all files."""
    files = {"runs/A": RUN, "runs/B": OTHER, "qrels": QRELS}
    for old, new in changes:
        files = {name: text.replace(old, new) for name, text in files.items()}
    return files


SPELT = RUN.replace(b" ", b" \t ").replace(b"\n", b"\r\n\n").rstrip()
TURNED = b"".join(reversed(RUN.replace(b" 1 ", b" 7 ").splitlines(keepends=True)))
UNANSWERED, OF_ONE = "leaves them out; with -c, scores 0", [h for h in PLAIN if h[:2] != ("3", "A")]
PASSED = "runs: passed over, since they are no files: "
NOTHING = "no document is judged relevant (of grade 1 or more): nothing can be told apart"

# A list of topic 1 in which scores rise: d2 stands sixth by them, and by the names.
RISING = b"1 Q0 d1 1 0.1 A\n1 Q0 d2 2 0.2 A\n" + RUN[RUN.index(b"2 Q0") :]
RISING = b"".join(b"1 Q0 x%d %d %d.5 A\n" % (i, i, i) for i in range(3, 8)).join(
    [RISING[: RISING.index(b"2 Q0")], RISING[RISING.index(b"2 Q0") :]]
)
AS_OTHERS_DO = {
    "as JSON, such as ranx has": b'{"1": {"d1": 3.5, "d2": 2.5}, "2": {"d1": 1}, "3": {"d4": 1}}',
    "as a table of BEIR": b"1\td1\t3.5\n1\td2\t2.5\n2\td1\t1\n3\td4\t1\n",
}

HANDLED = [
    handled(
        "tabs, several blanks, CRLF, a byte order mark, blank lines, no newline at the end",
        run(MARK + SPELT),
        "read as if they were not there",
        "the same, but a blank line stops it in judgements, and the mark becomes part of a topic",
    ),
    handled("lines in any order, any rank column", run(TURNED), "the order is that of the scores"),
    handled(
        "equal scores",
        run(RUN.replace(b"2.5", b"3.5")),
        "the document whose name is last in byte order comes first",
        hits=TIED,
    ),
    handled(
        "scores that differ beyond the 7th digit",
        run(RUN.replace(b"2.5", b"3.500000001")),
        "they differ; with `--scores single` they tie",
        "the same since version 10; a tie up to version 9 and in pytrec_eval",
        hits=TIED,
        note="A: scores differ beyond the 7th digit, where trec_eval 9 and pytrec_eval see ties; "
        "--scores single does so too",
    ),
    handled(
        "scores that a 64-bit number cannot tell apart",
        run(RUN.replace(b"3.5", b"9007199254740993").replace(b"2.5", b"9007199254740992")),
        "they tie",
        hits=TIED,
    ),
    handled(
        "scores that rise down the list, as distances do",
        run(RISING),
        "the highest score stands first",
        note=f"A: {HABITS['rising']}",
        hits=[("1", "A", 6, 1), *PLAIN[1:]],
    ),
    handled(
        "all scores equal, and ranks",
        run(re.sub(rb"\d\.\d A", b"1 A", RISING)),
        "the order is that of the names",
        note=f"A: {HABITS['level']}",
        hits=[("1", "A", 6, 1), *PLAIN[1:]],
    ),
    handled(
        "the same run under two names",
        {"runs/C": RUN},
        "both are kept",
        "-",
        note="A C have the same lists",
        hits=[*PLAIN, *((t, "C", r, g) for t, s, r, g in PLAIN if s == "A")],
    ),
    handled(
        "documents that go by other names in a run",
        run(re.sub(rb"(d\d)", rb"\1.xml", RUN)),
        "none is judged, and every measure scores the run 0",
        note="none of the documents of A is judged: in topic 1 a run has 'd1.xml', the judgements "
        "have 'd1'",
        hits=[hit for hit in PLAIN if hit[1] == "B"],
    ),
    handled(
        "documents that go by other names in every run",
        everywhere((b"d", b"D")) | {"qrels": QRELS},
        "every measure scores 0",
        note="none of the documents of A B is judged: in topic 1 a run has 'D1', the judgements "
        "have 'd1'",
        hits=[],
    ),
    *(
        handled(f"a run {what}", run(text), "read", NO_COMPRESSION.replace("compressed", "such"))
        for what, text in AS_OTHERS_DO.items()
    ),
    handled(
        "judgements as a table of BEIR",
        qrels(b"query-id\tcorpus-id\tscore\n" + QRELS.replace(b" 0 ", b"\t").replace(b" ", b"\t")),
        "read",
        NO_COMPRESSION.replace("compressed", "such"),
    ),
    handled(
        "a run with topics that nobody judged, among others",
        run(RUN + b"9 Q0 d1 1 1 A\n"),
        "these topics are passed over",
        note="topics that are answered but not judged are passed over: 9, by A",
    ),
    handled(
        "judged topics that no run answers",
        qrels(QRELS + b"8 0 d1 1\n"),
        "every measure scores them 0",
        UNANSWERED,
        note="topics that are judged but that no run answers score 0: 8",
    ),
    handled(
        "topics that one run does not answer",
        run(RUN[: RUN.index(b"3 Q0")]),
        "they score 0; `--topics answered` leaves them out",
        UNANSWERED,
        hits=OF_ONE,
        note="topics that are judged but that a run does not answer score 0 (--topics answered "
        "leaves them out): A misses 3",
    ),
    handled(
        "a topic that one run does not answer, and one that nobody judged",
        run(RUN[: RUN.index(b"3 Q0")] + b"9 Q0 d1 1 1 A\n"),
        "as each alone",
        UNANSWERED,
        hits=OF_ONE,
        note="topics that are answered but not judged are passed over: 9, by A\nnote: topics that "
        "are judged but that a run does not answer score 0 (--topics answered leaves them out): A "
        "misses 3",
    ),
    handled(
        "a grade below 0 (in the pool, not judged)",
        qrels(QRELS.replace(b"d1 0", b"d1 -1") + b"3 0 d9 -2\n"),
        "as if the line were not there, but for infAP, the measure on samples",
    ),
    handled(
        "grades above 1, with `--relevant-from 2`",
        {},
        "binary measures count grade 1 as non-relevant; gains are those of all grades",
        "the same (-l 2)",
        options=("--relevant-from", "2"),
    ),
    handled(
        "a topic without relevant documents",
        qrels(QRELS.replace(b"3 0 d4 1", b"3 0 d4 0")),
        "every measure scores it 0",
        hits=[hit for hit in PLAIN if hit[0] != "3"],
    ),
    handled(
        "topics and documents with odd names, such as `../x` or `<b>`",
        everywhere((b"d2", b"<b>"), (b"3 Q0", b"../x Q0"), (b"3 0", b"../x 0")),
        "names are only compared, never used as paths; pages escape them",
        hits=[(t.replace("3", "../x"), *rest) for t, *rest in PLAIN],
    ),
    handled("a document not in UTF-8", everywhere((b"d2", b"\xe9")), "its bytes are its name"),
    handled("a folder among the runs", {"runs/C/A": b"x"}, "named", "-", note=f"{PASSED}C/"),
    *(
        handled(f"a link to {what} among the runs", {}, "named", "-", note=f"{PASSED}C", link=to)
        for what, to in (("nowhere", "gone"), ("a device", "/dev/null"), ("itself", "C"))
    ),
    handled(
        "one faulty run, with `--skip-faulty`",
        {"runs/C": b"1 Q0 d1\n"},
        "left out; `datapackage.json` says so, and why",
        "-",
        note="left out: C (C, line 1: 3 columns, a run has 6: topic, Q0, document, rank, score, "
        "tag)",
        options=("--skip-faulty",),
    ),
    handled(
        "two files of one system, with `--skip A.gz`",
        {"runs/A.gz": b"junk"},
        "the file is left out; `datapackage.json` says so",
        "-",
        note="left out: A.gz (left out by name)",
        options=("--skip", "A.gz"),
    ),
    handled(
        "file names with `.txt`, and `--names clean`",
        {"runs/A": None, "runs/input.A.txt.gz": gz(RUN)},
        "the system is called A",
        "-",
        options=("--names", "clean"),
    ),
    handled(
        "nothing relevant",
        qrels(re.sub(rb"[12]\n", b"0\n", QRELS)),
        "every measure scores it 0, and every command says so",
        hits=[],
        note=NOTHING,
    ),
    *(
        handled(f"a {suffix} file, of one text or two", files, "read as the text", NO_COMPRESSION)
        for suffix, pack in COMPRESS.items()
        for files in [compressed(suffix, pack(RUN[:16]) + pack(RUN[16:]))]
    ),
]


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
        What is done before to the folder, which holds the collection ``mine``.
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
        prepare(Case(""), folder)
        derived(folder)
        self.edit(folder)


def derived(folder):
    """Derive ``mine`` in a folder."""
    files = f"{folder}/runs", f"{folder}/qrels"
    assert command("derive", *files, "--judged", "--replace", "--out", f"{folder}/mine")[0] == 0


def one_system(folder):
    (folder / "runs" / "B").unlink()
    derived(folder)


def one_topic(folder):
    (folder / "qrels").write_bytes(b"1 0 d1 0\n1 0 d2 1\n")
    derived(folder)


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


def replaced(file, old, new):
    """Other bytes in a file."""

    def edit(folder):
        path = folder / "mine" / file
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))

    return edit


AP = ("evaluate", "mine", "--measures", "AP")


def measure(name):
    return ("evaluate", "mine", "--measures", name)


def pairs(text):
    return written("pairs", b"system\tbase\tfeedback\n" + text)


def texts(name):
    """Texts with a document of a name, and the topics of the runs."""

    def edit(folder):
        (folder / "texts").mkdir()
        written("texts/docs.jsonl", json.dumps({"id": name, "text": "fish"}).encode())(folder)
        written("texts/queries.tsv", b"1\tfish\n2\tfish\n")(folder)

    return edit


def sheet(content):
    """A filled sheet of a judge."""

    def edit(folder):
        (folder / "sheets").mkdir()
        written("sheets/a.csv", content)(folder)

    return edit


POOL, SHEETS = ("sheets", "runs", "texts", "--out", "new"), ("qrels", "sheets", "--out", "new")
HEAD = b"topic,document,relevant\n"
TABLE = ("table", "tomlinson2006", "1", "--collection", "mine", "--pairs", "pairs")
JUDGES = ("compare-qrels", "runs", "qrels", "qrels")

ODDITIES = [
    # A collection that was damaged.
    Oddity("no description", AP, gone("mine/datapackage.json")),
    Oddity("a description cut off", AP, written("mine/datapackage.json", b'{"name": ')),
    Oddity("no name", AP, said(name=None)),
    Oddity("a name with control codes", AP, said(name="\x1b[2J")),
    Oddity("a threshold as text", AP, said(relevant_from="2")),
    Oddity("a list of the runs that were left out", AP, said(skipped_runs=["A"])),
    Oddity("no tables named", AP, said(resources=None)),
    Oddity("no hits", AP, gone("mine/hits.parquet")),
    Oddity("another count of judged documents", AP, replaced("topics.tsv", b"1\t2", b"1\t9")),
    # Too small for what is asked.
    Oddity("one system", ("incomplete", "mine"), one_system),
    Oddity("one system", ("table", "thom2007", "1", "--collection", "mine"), one_system),
    Oddity("one topic", ("table", "webber2010", "1", "--collection", "mine"), one_topic),
    Oddity("one topic", ("evaluate", "mine", "--measures", "AP", "--summary"), one_topic),
    Oddity("one system", JUDGES, one_system),
    # From files in one step.
    Oddity("runs and judgements exchanged", ("evaluate", "qrels", "runs")),
    Oddity("a file that is not there", ("evaluate", "gone", "qrels")),
    Oddity("an unknown topic", (*AP, "--topics", "some"), written("some", b"01\n")),
    # Two runs.
    Oddity("no runs", ("compare", "qrels")),
    Oddity("an unknown run", ("compare", "A", "a.txt", "--collection", "mine")),
    Oddity("a difference of nothing", ("compare", "runs", "qrels", "--difference", "0")),
    Oddity("a picture of no known kind", ("compare", "runs", "qrels", "--out", "picture")),
    Oddity("one topic", ("compare", "A", "B", "--collection", "mine"), one_topic),
    # Two judges.
    Oddity("no other judgements", ("compare-qrels", "runs", "qrels", "others")),
    Oddity(
        "judgements without a topic in common",
        ("compare-qrels", "runs", "qrels", "others"),
        written("others", b"9 0 d1 1\n"),
    ),
    Oddity("a run to skip that is not there", (*JUDGES, "--skip", "C")),
    Oddity("a threshold below 1", (*JUDGES, "--relevant-from", "0")),
    # A class competition.
    Oddity("no texts", ("search", "texts", "--out", "A.run")),
    Oddity("a run that is there", ("search", "texts", "--out", "runs/A"), texts("d1")),
    Oddity("an unknown system", ("search", "texts", "--system", "x", "--out", "C"), texts("d1")),
    Oddity("a document's name with a blank", ("search", "texts", "--out", "C"), texts("d 1")),
    Oddity("more judges than topics", (*POOL, "--judges", "9"), texts("d1")),
    Oddity("a pool of no depth", (*POOL, "--depth", "0"), texts("d1")),
    Oddity("runs of other texts", POOL, texts("d9")),
    Oddity("no sheets", SHEETS),
    Oddity("a sheet without a column", SHEETS, sheet(b"topic,document\n1,d1\n")),
    Oddity("a document without a judgement", SHEETS, sheet(HEAD + b"1,d1,\n")),
    Oddity("a word for a judgement", SHEETS, sheet(HEAD + b"1,d1,yes\n")),
    Oddity("two judgements of a document", SHEETS, sheet(HEAD + b"1,d1,1\n1,d1,0\n")),
    Oddity("one group", ("left-out", "runs", "qrels"), one_system),
    # Options that go together.
    Oddity("`--against` alone", (*AP, "--against", "A")),
    Oddity("an unknown run to compare with", (*AP, "--summary", "--against", "C")),
    Oddity("a run whose name begins with -", (*AP, "--summary", "--against", "-x")),
    # Names of collections, papers and tables.
    Oddity("an empty name", ("evaluate", "", "--measures", "AP")),
    Oddity("a name that is not UTF-8", ("evaluate", "\udcff", "--measures", "AP")),
    Oddity("no such paper", ("table", "webber2009", "1")),
    Oddity("no such table", ("table", "webber2010", "9")),
    # Measures.
    Oddity("no measure", measure("")),
    Oddity("an unknown name", measure("NDGC@10")),
    Oddity("an open parenthesis", measure("AP(rel=2")),
    Oddity("no cutoff", measure("P")),
    Oddity("a cutoff of 0", measure("P@0")),
    Oddity("an option twice", measure("RBP(p=0.5,p=0.9)")),
    Oddity("an unknown option", measure("AP(p=0.5)")),
    Oddity("no value for p", measure("RBP")),
    Oddity("a value out of its range", measure("RBP(p=1)")),
    # Pairs of runs.
    Oddity("no file of pairs", TABLE),
    Oddity("no pairs", TABLE, pairs(b"")),
    Oddity("an unknown run in a pair", TABLE, pairs(b"s\tA\tC\n")),
    Oddity("a run paired with itself", TABLE, pairs(b"s\tA\tA\n")),
]


def prepare(case, folder):
    """Write a case's files into an empty folder."""
    sound = {"runs/A": RUN, "runs/B": OTHER, "qrels": QRELS, "systems": SYSTEMS}
    (folder / "runs").mkdir()
    for name, content in {**sound, **case.files}.items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    if case.link:
        (folder / "runs" / "C").symlink_to(case.link)


def command(*words):
    """Run a command in the current folder: exit status, what it prints, what it complains about."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return status, out.getvalue(), err.getvalue()


def derive(case):
    """Derive in the current folder; ``--out`` may be said again."""
    return command("derive", "runs", "qrels", "--out", "out", *case.options)


def quoted(message):
    """Return the message of a command as the page has it."""
    return "`" + message.removeprefix("error: ").strip().replace("|", "\\|") + "`"


def answers():
    """Return each command with its message, and what it is the answer to."""
    found = {}
    for odd in ODDITIES:
        with TemporaryDirectory() as folder, chdir(folder):
            odd.prepare(Path(folder))
            _, _, message = command(*odd.words)
        found.setdefault(f"`{odd.shown}` | {quoted(message)}", []).append(odd.what)
    return found


def table():
    """Return the table as Markdown, with the messages as they come."""
    rows = ["### Refused", "", "| input | message | trec_eval |", "|---|---|---|"]
    for case in REFUSED:
        with TemporaryDirectory() as folder, chdir(folder):
            prepare(case, Path(folder))
            _, _, message = derive(case)
        rows.append(f"| {case.what} | {quoted(message)} | {case.trec_eval} |")
    rows += ["", "### Damaged collections, and words of a command", ""]
    rows += ["`mine` is a collection that was derived from sound files.", ""]
    rows += ["| what is wrong | command | message |", "|---|---|---|"]
    rows += [f"| {'; '.join(whats)} | {shown} |" for shown, whats in answers().items()]
    rows += ["", "### Handled", "", "| input | what becomes of it | trec_eval |", "|---|---|---|"]
    rows += [f"| {case.what} | {case.rule} | {case.trec_eval} |" for case in HANDLED]
    return "\n".join(rows) + "\n"


def with_table(text):
    """Return the page with the table as it should be between its marks."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
