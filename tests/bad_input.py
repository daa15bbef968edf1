"""What is wrong with input, or only odd: files and commands, each a row of the book's page.

The page on your own runs says of each what becomes of it and what trec_eval does with it.
"""

import bz2
import codecs
import gzip
import json
import lzma
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO

import pyarrow
from strange import files_below, write_files

from lib.cli import main
from lib.collection.derive import HABITS
from lib.collection.text_files import MAX_LINE

# Two runs, three topics. A finds topic 1's relevant document at rank 2, B at rank 1.
RUN = b"1 Q0 d1 1 3.5 A\n1 Q0 d2 2 2.5 A\n2 Q0 d1 1 1.5 A\n3 Q0 d4 1 1.5 A\n"
OTHER = b"1 Q0 d2 1 9 B\n2 Q0 d3 1 8 B\n3 Q0 d4 1 1.5 A\n"
QRELS = b"1 0 d1 0\n1 0 d2 1\n2 0 d1 2\n3 0 d4 1\n"
SYSTEMS = b"run\tgroup\ttype\tpooled\nA\tus\tautomatic\tyes\nB\tthem\tmanual\tno\n"


DERIVE = ("derive", "runs", "qrels", "--out", "out")


@dataclass(frozen=True)
class Case:
    """One thing that input can have.

    Attributes
    ----------
    what : str
        As the page has it.
    files : dict of str to bytes, None or callable
        What differs from the sound files: what stands there, None for nothing, or a function of
        the bytes; ``mine`` is a collection that was derived.
    words : tuple of str
        The command.
    hits : list, optional
        The hits that come out, each (topic, system, rank, grade); by default those of the sound
        files.
    notes : tuple of str
        What the notes of the command say, among other words.
    link : str
        Among the runs is a link C to this.
    """

    what: str
    files: dict = field(default_factory=dict)
    words: tuple = DERIVE
    hits: list | None = None
    notes: tuple = ()
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


MARK = codecs.BOM_UTF8
BIG = RUN + b"".join(b"1 Q0 x%d 9 1 A\n" % i for i in range(9000))
PLAIN = [("1", "A", 2, 1), ("1", "B", 1, 1), ("2", "A", 1, 2), ("3", "A", 1, 1), ("3", "B", 1, 1)]
TIED = [("1", "A", 1, 1), *PLAIN[1:]]
BAD_RUNS = {
    "a run line with a column missing": b"1 Q0 d1 1 2.5 A\n1 Q0 d2 2 2.5\n",
    "a tag with a blank": b"1 Q0 d1 1 2.5 my run\n",
    "a score that is no number": b"1 Q0 d1 1 high A\n",
    "a score NaN": b"1 Q0 d1 1 NaN A\n",
    "a document twice in a topic": RUN + b"1 Q0 d1 5 0.1 A\n",
    "a run as csv": b"1,d1,3.5\n",
    "a head above a run": b"qid Q0 docno rank score name\n" + RUN,
    "a run as JSON lines": b'{"1": {"d1": 2.5}}\n{"2": {"d1": 1.5}}\n',
    "a run as Parquet": b"PAR1" + bytes(9),
    "an empty run": b"",
    "no topic that was judged": b"7 Q0 d1 1 2.5 A\n",
    "topics with a zero before them": re.sub(rb"(?m)^(?=.)", b"0", RUN),
    "binary junk": bytes(range(256)) * 9,
    "a line of more than 65,536 bytes": RUN + b"4 Q0 " + b"d" * MAX_LINE,
    "a text in UTF-16": RUN.decode().encode("utf-16"),
    "a compressed file without its suffix": gzip.compress(RUN, mtime=0),
    "lines that end in CR alone": RUN.replace(b"\n", b"\r"),
    "JSON cut off": b'{"1": {"d1": 2.5,',
}
BAD_QRELS = {
    "judgements with a column missing": b"1 0 d1\n",
    "judgements with a column too many": b"1 0 d1 1 sure\n",
    "judgements of subtopics": b"1 1 d1 1\n1 2 d1 0\n",
    "a grade that is no number": b"1 0 d1 yes\n",
    "a grade that is no whole number": b"1 0 d1 1.5\n",
    "a document judged twice, differently": QRELS + b"1 0 d1 1\n",
    "empty judgements": b"",
    "no file of judgements": None,
}
BAD_SYSTEMS = {
    "without the column run": b"system\tgroup\nA\tus\n",
    "with commas": SYSTEMS.replace(b"\t", b","),
    "that lacks a run": b"run\tgroup\nA\tus\n",
    "with a run twice": SYSTEMS + b"A\tus\n",
    "with an odd word": SYSTEMS.replace(b"yes", b"true"),
    "that is empty": b"",
}
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
    ("zero bytes after the text in a .gz", compressed(".gz", gz(RUN) + bytes(512))),
    ("a damaged .gz", compressed(".gz", gz(RUN)[:-8] + bytes(8))),
    ("an archive", {"runs/A": None, "runs/A.tar.gz": gz(RUN)}),
    ("two files of one system", {"runs/A.gz": gz(RUN)}),
    ("a file name with a control character", {"runs/a\tb": RUN}),
    ("no runs", {"runs/A": None, "runs/B": None}),
    ("an output folder that is somebody's", {"out/thesis.tex": b"..."}),
]

REFUSED = [
    *(Case(what, {"runs/A": text}) for what, text in BAD_RUNS.items()),
    *(
        Case(f"{what} {suffix}", compressed(suffix, spoil(pack)))
        for what, spoil in BAD_COMPRESSION.items()
        for suffix, pack in COMPRESS.items()
    ),
    *(Case(*row) for row in BAD_FILES),
    Case("two files of one cleaned name", {"runs/A.txt": RUN}, words=(*DERIVE, "--names", "clean")),
    *(Case(what, {"qrels": text}) for what, text in BAD_QRELS.items()),
    *(
        Case(what, words=(*DERIVE[: 3 if "--out" in words else 5], *words))
        for what, words in BAD_OPTIONS.items()
    ),
    *(
        Case(f"a table of systems {what}", {"systems": text}, (*DERIVE, "--systems", "systems"))
        for what, text in BAD_SYSTEMS.items()
    ),
    *(
        Case(f"`--about` with {what}", {"about": text}, words=(*DERIVE, "--about", "about"))
        for what, text in BAD_ABOUT
    ),
]


def everywhere(*changes):
    """What differs where names are others in all files."""
    files = {"runs/A": RUN, "runs/B": OTHER, "qrels": QRELS}
    for old, new in changes:
        files = {name: text.replace(old, new) for name, text in files.items()}
    return files


SPELT = RUN.replace(b" ", b" \t ").replace(b"\n", b"\r\n\n").rstrip()
TURNED = b"".join(reversed(RUN.replace(b" 1 ", b" 7 ").splitlines(keepends=True)))
OF_ONE = [hit for hit in PLAIN if hit[:2] != ("3", "A")]
LAST = [("1", "A", 6, 1), *PLAIN[1:]]
UNJUDGED, MISSED = "are passed over: 9, by A", "(--topics answered leaves them out): A misses 3"
OTHERS = "in topic 1 a run has '{}', the judgements have 'd1'"

# A list of topic 1 in which scores rise: d2 stands sixth by them, and by the names.
RISING = b"1 Q0 d1 1 0.1 A\n1 Q0 d2 2 0.2 A\n" + RUN[RUN.index(b"2 Q0") :]
RISING = b"".join(b"1 Q0 x%d %d %d.5 A\n" % (i, i, i) for i in range(3, 8)).join(
    [RISING[: RISING.index(b"2 Q0")], RISING[RISING.index(b"2 Q0") :]]
)
SHORT = RUN[: RUN.index(b"3 Q0")]
AS_JSON = b'{"1": {"d1": 3.5, "d2": 2.5}, "2": {"d1": 1}, "3": {"d4": 1}}'
JUDGED_BY_BEIR = b"query-id\tcorpus-id\tscore\n" + QRELS.replace(b" 0 ", b"\t").replace(b" ", b"\t")
# Names of two words, so that a line of judgements has four, as one of TREC's.
OF_BLANKS = {
    "qrels": QRELS.replace(b" 0 ", b"\t").replace(b" ", b"\t").replace(b"d", b"d "),
    "runs/A": AS_JSON.replace(b"d", b"d "),
    "runs/B": b"1\td 2\t9\n2\td 3\t8\n3\td 4\t1.5\n",
}
MIXED = "tabs, several blanks, CRLF, a byte order mark, blank lines, no newline at the end"
GAP = "a topic that one run does not answer, and one that nobody judged"
BIG_INTEGERS = RUN.replace(b"3.5", b"9007199254740993").replace(b"2.5", b"9007199254740992")

HANDLED = [
    Case(MIXED, run(MARK + SPELT)),
    Case("lines in any order, any rank column", run(TURNED)),
    Case("equal scores", run(RUN.replace(b"2.5", b"3.5")), hits=TIED),
    Case(
        "scores that differ beyond the 7th digit",
        run(RUN.replace(b"2.5", b"3.500000001")),
        hits=TIED,
        notes=("A: scores differ beyond the 7th digit",),
    ),
    Case("scores that a 64-bit number cannot tell apart", run(BIG_INTEGERS), hits=TIED),
    Case(
        "scores that rise down the list, as distances do",
        run(RISING),
        notes=(f"A: {HABITS['rising']}",),
        hits=LAST,
    ),
    Case(
        "all scores equal, and ranks",
        run(re.sub(rb"\d\.\d A", b"1 A", RISING)),
        notes=(f"A: {HABITS['level']}",),
        hits=LAST,
    ),
    Case(
        "the same run under two names",
        {"runs/C": RUN},
        notes=("A C have the same lists",),
        hits=[*PLAIN, *((t, "C", r, g) for t, s, r, g in PLAIN if s == "A")],
    ),
    Case(
        "documents that go by other names in a run",
        run(re.sub(rb"(d\d)", rb"\1.xml", RUN)),
        notes=(f"of A is judged: {OTHERS.format('d1.xml')}",),
        hits=[hit for hit in PLAIN if hit[1] == "B"],
    ),
    Case(
        "documents that go by other names in every run",
        everywhere((b"d", b"D")) | {"qrels": QRELS},
        notes=(f"of A B is judged: {OTHERS.format('D1')}",),
        hits=[],
    ),
    Case("a run as JSON, such as ranx has", run(AS_JSON)),
    Case(
        "comments: lines that begin with #",
        {"runs/A": b"# ir_metadata\n" + RUN, "qrels": QRELS + b"# by us\n"},
    ),
    Case(
        "a document judged twice, alike",
        {"qrels": QRELS + b"1 0 d1 0\n"},
        notes=("judgements that stand twice, alike, count once: 1",),
    ),
    Case("a table without a head, of names with blanks", OF_BLANKS),
    Case("a run as a table of BEIR", run(b"1\td1\t3.5\n1\td2\t2.5\n2\td1\t1\n3\td4\t1\n")),
    Case("judgements as a table of BEIR", {"qrels": JUDGED_BY_BEIR}),
    Case(
        "a run with topics that nobody judged, among others",
        run(RUN + b"9 Q0 d1 1 1 A\n"),
        notes=(UNJUDGED,),
    ),
    Case(
        "judged topics that no run answers",
        {"qrels": QRELS + b"8 0 d1 1\n"},
        notes=("no run answers score 0: 8",),
    ),
    Case("topics that one run does not answer", run(SHORT), hits=OF_ONE, notes=(MISSED,)),
    Case(GAP, run(SHORT + b"9 Q0 d1 1 1 A\n"), hits=OF_ONE, notes=(UNJUDGED, MISSED)),
    Case(
        "a grade below 0 (in the pool, not judged)",
        {"qrels": QRELS.replace(b"d1 0", b"d1 -1") + b"3 0 d9 -2\n"},
    ),
    Case("grades above 1, with `--relevant-from 2`", words=(*DERIVE, "--relevant-from", "2")),
    Case(
        "a topic without relevant documents",
        {"qrels": QRELS.replace(b"3 0 d4 1", b"3 0 d4 0")},
        hits=[hit for hit in PLAIN if hit[0] != "3"],
    ),
    Case(
        "topics and documents with odd names, such as `../x` or `<b>`",
        everywhere((b"d2", b"<b>"), (b"3 Q0", b"../x Q0"), (b"3 0", b"../x 0")),
        hits=[(t.replace("3", "../x"), *rest) for t, *rest in PLAIN],
    ),
    Case("a document not in UTF-8", everywhere((b"d2", b"\xe9"))),
    Case("a folder among the runs", {"runs/C/A": b"x"}, notes=("no files: C/",)),
    *(
        Case(f"a link to {what} among the runs", notes=("no files: C",), link=to)
        for what, to in (("nowhere", "gone"), ("a device", "/dev/null"), ("itself", "C"))
    ),
    Case(
        "one faulty run, with `--skip-faulty`",
        {"runs/C": b"1 Q0 d1\n"},
        notes=("left out: C (C, line 1: 3 columns",),
        words=(*DERIVE, "--skip-faulty"),
    ),
    Case(
        "two files of one system, with `--skip A.gz`",
        {"runs/A.gz": b"junk"},
        notes=("left out: A.gz (left out by name)",),
        words=(*DERIVE, "--skip", "A.gz"),
    ),
    Case(
        "file names with `.txt`, and `--names clean`",
        {"runs/A": None, "runs/input.A.txt.gz": gz(RUN)},
        words=(*DERIVE, "--names", "clean"),
    ),
    Case(
        "nothing relevant",
        {"qrels": re.sub(rb"[12]\n", b"0\n", QRELS)},
        hits=[],
        notes=("no document is judged relevant (of grade 1 or more)",),
    ),
    *(
        Case(
            f"a {suffix} file, of one text or two",
            compressed(suffix, pack(RUN[:16]) + pack(RUN[16:])),
        )
        for suffix, pack in COMPRESS.items()
    ),
]


def said(**change):
    """What datapackage.json comes to say; None: nothing of it."""

    def changed(text):
        package = json.loads(text) | change
        return json.dumps({k: v for k, v in package.items() if v is not None}).encode()

    return {"mine/datapackage.json": changed}


AP = ("evaluate", "mine", "--measures", "AP")


def measure(name):
    return ("evaluate", "mine", "--measures", name)


def pairs(text):
    return {"pairs": b"system\tbase\tfeedback\n" + text}


def texts(name):
    """Texts with a document of a name, and the topics of the runs."""
    document = json.dumps({"id": name, "text": "fish"}).encode()
    return {"texts/docs.jsonl": document, "texts/queries.tsv": b"1\tfish\n2\tfish\n"}


def sheet(content):
    """A filled sheet of a judge."""
    return {"sheets/a.csv": content}


ONE_SYSTEM, ONE_TOPIC = {"runs/B": None}, {"qrels": b"1 0 d1 0\n1 0 d2 1\n"}
POOL, SHEETS = ("sheets", "runs", "texts", "--out", "new"), ("qrels", "sheets", "--out", "new")
HEAD = b"topic,document,relevant\n"
TABLE = ("table", "tomlinson2006", "1", "--collection", "mine", "--pairs", "pairs")
JUDGES = ("compare-qrels", "runs", "qrels", "qrels")
OTHERS_TOO = (*JUDGES[:3], "others")


ODDITIES = [
    # A collection that was damaged.
    Case("no description", {"mine/datapackage.json": None}, AP),
    Case("a description cut off", {"mine/datapackage.json": b'{"name": '}, AP),
    Case("no name", said(name=None), AP),
    Case("a name with control codes", said(name="\x1b[2J"), AP),
    Case("a threshold as text", said(relevant_from="2"), AP),
    Case("a list of the runs that were left out", said(skipped_runs=["A"]), AP),
    Case("no tables named", said(resources=None), AP),
    Case("no hits", {"mine/hits.parquet": None}, AP),
    Case(
        "another count of judged documents",
        {"mine/topics.tsv": lambda text: text.replace(b"1\t2", b"1\t9")},
        AP,
    ),
    # Too small for what is asked.
    Case("one system", ONE_SYSTEM, ("incomplete", "mine")),
    Case("one system", ONE_SYSTEM, ("table", "thom2007", "1", "--collection", "mine")),
    Case("one topic", ONE_TOPIC, ("table", "webber2010", "1", "--collection", "mine")),
    Case("one topic", ONE_TOPIC, ("evaluate", "mine", "--measures", "AP", "--summary")),
    Case("one system", ONE_SYSTEM, JUDGES),
    # From files in one step.
    Case("runs and judgements exchanged", {}, ("evaluate", "qrels", "runs")),
    Case("two runs without a folder", {}, ("evaluate", "a", "b", "qrels")),
    Case("a file that is not there", {}, ("evaluate", "gone", "qrels")),
    Case("a run without judgements", {}, ("evaluate", "runs/A")),
    Case("no topics in a file", {"some": b"\n"}, (*AP, "--topics", "some")),
    Case("an unknown topic", {"some": b"01\n"}, (*AP, "--topics", "some")),
    # Two runs.
    Case("no runs", {}, ("compare", "qrels")),
    Case("an unknown run", {}, ("compare", "A", "a.txt", "--collection", "mine")),
    Case("a difference of nothing", {}, ("compare", "runs", "qrels", "--difference", "0")),
    Case("a picture of no known kind", {}, ("compare", "runs", "qrels", "--out", "picture")),
    Case("one topic", ONE_TOPIC, ("compare", "A", "B", "--collection", "mine")),
    # Two judges.
    Case("no other judgements", {}, OTHERS_TOO),
    Case("judgements without a topic in common", {"others": b"9 0 d1 1\n"}, OTHERS_TOO),
    Case("a run to skip that is not there", {}, (*JUDGES, "--skip", "C")),
    Case("a threshold below 1", {}, (*JUDGES, "--relevant-from", "0")),
    # A class competition.
    Case("no texts", {}, ("search", "texts", "--out", "A.run")),
    Case("a run that is there", texts("d1"), ("search", "texts", "--out", "runs/A")),
    Case("an unknown system", texts("d1"), ("search", "texts", "--system", "x", "--out", "C")),
    Case("a document's name with a blank", texts("d 1"), ("search", "texts", "--out", "C")),
    Case("more judges than topics", texts("d1"), (*POOL, "--judges", "9")),
    Case("a pool of no depth", texts("d1"), (*POOL, "--depth", "0")),
    Case("runs of other texts", {**texts("d9"), "runs/B": None}, POOL),
    Case("no sheets", {}, SHEETS),
    Case("a sheet without a column", sheet(b"topic,document\n1,d1\n"), SHEETS),
    Case("a document without a judgement", sheet(HEAD + b"1,d1,\n1,d2,1\n"), SHEETS),
    Case("a sheet that nobody filled", sheet(HEAD + b"1,d1,\n"), SHEETS),
    Case("a word for a judgement", sheet(HEAD + b"1,d1,yes\n"), SHEETS),
    Case("two judgements of a document", sheet(HEAD + b"1,d1,1\n1,d1,0\n"), SHEETS),
    Case("one group", ONE_SYSTEM, ("left-out", "runs", "qrels")),
    # A forecast of leads.
    Case("too few topics and runs", {}, ("foretell", "mine")),
    Case("a target that is the measure", {}, ("foretell", "mine", "--measures", "P@10")),
    Case("a size that is no number", {}, ("foretell", "mine", "--topics", "10;25")),
    Case("a set of no topics", {}, ("foretell", "mine", "--topics", "0")),
    # Options that go together.
    Case("`--against` alone", {}, (*AP, "--against", "A")),
    Case("an unknown run to compare with", {}, (*AP, "--summary", "--against", "C")),
    Case("a run whose name begins with -", {}, (*AP, "--summary", "--against", "-x")),
    # Names of collections, papers and tables.
    Case("an empty name", {}, ("evaluate", "", "--measures", "AP")),
    Case("a name that is not UTF-8", {}, ("evaluate", "\udcff", "--measures", "AP")),
    Case("no such paper", {}, ("table", "webber2009", "1")),
    Case("no such table", {}, ("table", "webber2010", "9")),
    # Measures.
    Case("no measure", {}, measure("")),
    Case("an unknown name", {}, measure("NDGC@10")),
    Case("an open parenthesis", {}, measure("AP(rel=2")),
    Case("no cutoff", {}, measure("P")),
    Case("a cutoff of 0", {}, measure("P@0")),
    Case("an option twice", {}, measure("RBP(p=0.5,p=0.9)")),
    Case("an unknown option", {}, measure("AP(p=0.5)")),
    Case("no value for p", {}, measure("RBP")),
    Case("a value out of its range", {}, measure("RBP(p=1)")),
    # Pairs of runs.
    Case("no file of pairs", {}, TABLE),
    Case("no pairs", pairs(b""), TABLE),
    Case("an unknown run in a pair", pairs(b"s\tA\tC\n"), TABLE),
    Case("a run paired with itself", pairs(b"s\tA\tA\n"), TABLE),
]


def prepare(folder, files=(), link="", mine=False):
    """Write files into an empty folder: sound ones, but for those given."""
    given = {"runs/A": RUN, "runs/B": OTHER, "qrels": QRELS, "systems": SYSTEMS, **dict(files)}
    later = {name: given.pop(name) for name in dict(files) if name.startswith("mine/")}
    (folder / "runs").mkdir()
    write_files(folder, {name: data for name, data in given.items() if data is not None})
    if link:
        (folder / "runs" / "C").symlink_to(link)
    if mine:
        files = f"{folder}/runs", f"{folder}/qrels"
        assert command("derive", *files, "--judged", "--out", f"{folder}/mine")[0] == 0
    for name, content in later.items():
        path = folder / name
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content(path.read_bytes()) if callable(content) else content)


def command(*words):
    """Run a command in the current folder: exit status, what it prints, what it complains about."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return status, out.getvalue(), err.getvalue()


def run_case(case, folder):
    """Do what a case says in an empty folder: as :func:`command`, and what stood there before."""
    prepare(folder, case.files, case.link, mine="mine" in case.words)
    before = files_below(folder)
    with chdir(folder):
        return *command(*case.words), before


def quoted(message):
    """Return the message of a command as the page has it."""
    return "`" + message.removeprefix("error: ").strip().replace("|", "\\|") + "`"
