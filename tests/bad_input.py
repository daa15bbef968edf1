"""What is wrong with input, or only odd, and what becomes of it: one table.

The tests go through it (test_bad_input.py), and the book's page on your own runs shows it;
``python tests/bad_input.py`` writes it there.
"""

import bz2
import codecs
import gzip
import lzma
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from oddities import ODDITIES  # noqa: E402

from lib.cli import main  # noqa: E402
from lib.collection.text_files import MAX_LINE  # noqa: E402

PAGE = ROOT / "book" / "your-own-runs.md"
BEGIN, END = "<!-- bad input -->\n", "<!-- end of bad input -->\n"

# Two runs, three topics. A finds topic 1's relevant document at rank 2, B at rank 1.
RUN = b"1 Q0 d1 1 3.5 A\n1 Q0 d2 2 2.5 A\n2 Q0 d1 1 1.5 A\n3 Q0 d4 1 1.5 A\n"
OTHER = b"1 Q0 d2 1 9 B\n2 Q0 d3 1 8 B\n3 Q0 d4 1 1.5 A\n"
QRELS = b"1 0 d1 0\n1 0 d2 1\n2 0 d1 2\n3 0 d4 1\n"
SYSTEMS = b"run\tgroup\ttype\tpooled\nA\tus\tautomatic\tyes\nB\tthem\tmanual\tno\n"

STOPS = "stops: malformed line"
ZERO = "allows no zero bytes; what follows one may be lost without a word"


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
    rule : str
        How it is handled; empty where it is refused.
    hits : list, optional
        The hits that come out, each (topic, system, rank, grade); by default those of the sound
        files.
    note : str
        What the command says on the way.
    options : tuple of str
        Further options of ``derive``.
    line : int
        The line that the message names; 0 where the fault is in no single one.
    link : str
        Among the runs is a link C to this.
    """

    what: str
    files: dict = field(default_factory=dict)
    trec_eval: str = "the same"
    rule: str = ""
    hits: list | None = None
    note: str = ""
    options: tuple = ()
    line: int = 0
    link: str = ""


def run(text):
    return {"runs/A": text if isinstance(text, bytes) else text.encode()}


def qrels(text):
    return {"qrels": text if isinstance(text, bytes) else text.encode()}


def systems(text):
    return {"systems": text}


def zstd(data):
    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def compressed(suffix, data):
    return {"runs/A": None, f"runs/A{suffix}": data}


BIG = RUN + b"".join(b"1 Q0 x%d 9 1 A\n" % i for i in range(9000))
WITH_SYSTEMS = ("--systems", "systems")
PLAIN = [("1", "A", 2, 1), ("1", "B", 1, 1), ("2", "A", 1, 2), ("3", "A", 1, 1), ("3", "B", 1, 1)]
NO_COMPRESSION = "does not read compressed files"

REFUSED = [
    Case(
        "a run line with a column missing", run("1 Q0 d1 1 2.5 A\n1 Q0 d2 2 2.5\n"), STOPS, line=2
    ),
    Case(
        "a run line with a column too many, such as a tag with a blank",
        run("1 Q0 d1 1 2.5 my run\n"),
        "passes over what follows the tag's first word",
        line=1,
    ),
    Case("a score that is no number", run("1 Q0 d1 1 high A\n"), "reads 0", line=1),
    Case("a score NaN", run("1 Q0 d1 1 NaN A\n"), "reads it; the order is then undefined", line=1),
    Case(
        "an infinite score, or one beyond the range of doubles",
        run("1 Q0 d1 1 1e999 A\n"),
        "reads infinity",
        line=1,
    ),
    Case("a score that only some programs read", run("1 Q0 d1 1 1_000 A\n"), "reads 1", line=1),
    Case(
        "a document twice in a topic",
        run(RUN + b"1 Q0 d1 5 0.1 A\n"),
        "stops: duplicate docs",
        line=5,
    ),
    Case("a comment in a run", run(b"# my best run\n" + RUN), "passes over the line", line=1),
    Case("an empty run", run(""), "stops: cannot read the file"),
    Case("a run of blank lines", run("\n \n"), "undefined"),
    Case(
        "a run with topics that nobody judged, and no other",
        run("7 Q0 d1 1 2.5 A\n"),
        "evaluates no topic; with -c, scores 0",
    ),
    Case("binary junk", run(bytes(range(256)) * 9), ZERO, line=1),
    Case(
        "a line of more than 65,536 bytes",
        run(RUN + b"4 Q0 " + b"d" * MAX_LINE + b" 1 1 A\n"),
        "reads the whole file into memory, whatever its size",
        line=5,
    ),
    Case("a text in UTF-16", run(RUN.decode().encode("utf-16")), ZERO, line=1),
    Case(
        "a topic that is not UTF-8",
        run(RUN + b"caf\xe9 Q0 d1 1 2.5 A\n"),
        "takes any bytes",
        line=5,
    ),
    Case(
        "a compressed file without its suffix",
        run(gzip.compress(RUN, mtime=0)),
        NO_COMPRESSION,
        line=1,
    ),
    Case("a file that is not what its suffix says", compressed(".gz", RUN), NO_COMPRESSION),
    Case("a truncated .gz", compressed(".gz", gzip.compress(BIG, mtime=0)[:-20]), NO_COMPRESSION),
    Case(
        "a damaged .gz",
        compressed(".gz", gzip.compress(RUN, mtime=0)[:-8] + bytes(8)),
        NO_COMPRESSION,
    ),
    Case("a truncated .bz2", compressed(".bz2", bz2.compress(BIG)[:-20]), NO_COMPRESSION),
    Case("a truncated .xz", compressed(".xz", lzma.compress(BIG)[:-20]), NO_COMPRESSION),
    Case("a truncated .zst", compressed(".zst", zstd(BIG)[:-20]), NO_COMPRESSION),
    *[
        Case(f"a {suffix} file of no bytes", compressed(suffix, b""), NO_COMPRESSION)
        for suffix in (".gz", ".bz2", ".xz", ".zst")
    ],
    *[
        Case(
            f"something else after the text in a {suffix}", compressed(suffix, data), NO_COMPRESSION
        )
        for suffix, data in (
            (".gz", gzip.compress(RUN, mtime=0) + b"junk"),
            (".bz2", bz2.compress(RUN) + b"junk"),
            (".xz", lzma.compress(RUN) + b"junk"),
            (".zst", zstd(RUN) + b"junk"),
        )
    ],
    Case(
        "zero bytes after the text in a .gz",
        compressed(".gz", gzip.compress(RUN, mtime=0) + bytes(512)),
        NO_COMPRESSION,
    ),
    Case(
        "a byte-order mark further down, as where files were put together",
        run(RUN + codecs.BOM_UTF8 + b"2 Q0 d9 1 1 A\n"),
        "makes it part of a topic",
        line=5,
    ),
    Case("two files of one system", {"runs/A.gz": gzip.compress(RUN)}, "reads one file"),
    Case("two files of one cleaned name", {"runs/A.txt": RUN}, "-", options=("--names", "clean")),
    Case("two files of one tag", {"runs/C": RUN}, "-", options=("--names", "tag")),
    Case(
        "a tag with a control character, to name a system",
        run(RUN.replace(b"A\n", b"\x1b[2J\n")),
        "-",
        options=("--names", "tag"),
    ),
    Case("a file name that is not UTF-8", {"runs/\udcff": RUN}, "takes any name"),
    Case("a run to skip that is not there", options=("--skip", "C"), trec_eval="-"),
    Case("every run skipped", options=("--skip", "A", "--skip", "B"), trec_eval="-"),
    Case("a file name with a control character", {"runs/a\tb": RUN}, "takes any name"),
    Case("no runs", {"runs/A": None, "runs/B": None}, "stops: cannot read the file"),
    Case("judgements with a column missing", qrels("1 0 d1\n"), STOPS, line=1),
    Case("judgements with a column too many", qrels("1 0 d1 1 sure\n"), STOPS, line=1),
    Case("a grade that is no number", qrels("1 0 d1 yes\n"), "reads 0", line=1),
    Case("a grade that is no whole number", qrels("1 0 d1 1.5\n"), "reads 1", line=1),
    Case("a grade beyond 32 bits", qrels("1 0 d1 4294967297\n"), "reads it", line=1),
    Case(
        "a document judged twice, alike",
        qrels(QRELS + b"1 0 d1 0\n"),
        "stops: duplicate docs",
        line=5,
    ),
    Case(
        "a document judged twice, differently",
        qrels(QRELS + b"1 0 d1 1\n"),
        "stops: duplicate docs",
        line=5,
    ),
    Case(
        "judgements with a byte-order mark further down",
        qrels(QRELS + codecs.BOM_UTF8 + b"4 0 d1 1\n"),
        "makes it part of a topic",
        line=5,
    ),
    Case(
        "a topic of the judgements that is not UTF-8", qrels(b"\xe9 0 d1 1\n"), "takes any", line=1
    ),
    Case("a zero byte in the judgements", qrels(QRELS + b"4 0 d\0 1\n"), ZERO, line=5),
    Case("empty judgements", qrels(""), "stops: cannot read the file"),
    Case("no file of judgements", {"qrels": None}, "stops: cannot read the file"),
    Case("a threshold below 1", options=("--rel", "0"), trec_eval="takes it (-l)"),
    Case(
        "a table of systems without the column run",
        systems(b"system\tgroup\nA\tus\n"),
        "-",
        options=WITH_SYSTEMS,
        line=1,
    ),
    Case(
        "a table of systems that lacks a run",
        systems(b"run\tgroup\nA\tus\n"),
        "-",
        options=WITH_SYSTEMS,
    ),
    Case(
        "a table of systems with a run twice",
        systems(SYSTEMS + b"A\tus\n"),
        "-",
        options=WITH_SYSTEMS,
        line=4,
    ),
    Case(
        "a table of systems with an odd word",
        systems(SYSTEMS.replace(b"yes", b"true")),
        "-",
        options=WITH_SYSTEMS,
        line=2,
    ),
    Case(
        "a table of systems with a quotation mark left open",
        systems(SYSTEMS.replace(b"us", b'"us')),
        "-",
        options=WITH_SYSTEMS,
    ),
    Case(
        "a table of systems that is not UTF-8",
        systems(SYSTEMS.replace(b"us", b"\xfc")),
        "-",
        options=WITH_SYSTEMS,
        line=2,
    ),
    Case(
        "a table of systems with more columns than its header",
        systems(SYSTEMS.replace(b"yes\n", b"yes\tno\n")),
        "-",
        options=WITH_SYSTEMS,
        line=2,
    ),
    Case("an empty table of systems", systems(b""), "-", options=WITH_SYSTEMS, line=1),
    Case("no table of systems", {"systems": None}, "-", options=WITH_SYSTEMS),
    Case("an output folder that is somebody's", {"out/thesis.tex": b"..."}, "-"),
    Case("an output folder that is a file", {"out": b"..."}, "-"),
    Case("an output folder below a file", options=("--out", "qrels/out"), trec_eval="-"),
    Case("an empty name", options=("--name", ""), trec_eval="-"),
    Case("a name with control codes", options=("--name", "\x1b[31m"), trec_eval="-"),
    Case("a name that is not UTF-8", options=("--name", "\udcff"), trec_eval="-"),
    Case("reading no run at a time", options=("--jobs", "0"), trec_eval="-"),
    *[
        Case(f"`--about` with {what}", {"about": text}, "-", options=("--about", "about"))
        for what, text in (
            ("a file that is not there", None),
            ("what is not JSON", b'{"title": '),
            ("what is not UTF-8", b'{"title": "\xff"}'),
            ("100,000 brackets", b"[" * 100_000),
            ("a list", b"[]"),
            ("a list as title", b'{"title": ["My track"]}'),
            ("control codes in the title", b'{"short_title": "\\u001b[31m"}'),
            ("half a character", b'{"description": "\\ud800"}'),
            ("a threshold as text", b'{"relevant_from": "2"}'),
            ("a threshold of 0", b'{"relevant_from": 0}'),
            ("text as sources", b'{"sources": "NIST"}'),
        )
    ],
]

HANDLED = [
    Case(
        "tabs, several blanks, CRLF, a byte order mark, blank lines, no newline at the end",
        run(codecs.BOM_UTF8 + RUN.replace(b" ", b" \t ").replace(b"\n", b"\r\n\n").rstrip()),
        "the same, but a blank line stops it in judgements, and the mark becomes part of a topic",
        "read as if they were not there",
    ),
    Case(
        "lines in any order, any rank column",
        run(b"".join(reversed(RUN.replace(b" 1 ", b" 7 ").splitlines(keepends=True)))),
        rule="the order is that of the scores",
    ),
    Case(
        "equal scores",
        run(RUN.replace(b"2.5", b"3.5")),
        rule="the document whose name is last in byte order comes first",
        hits=[("1", "A", 1, 1), *PLAIN[1:]],
    ),
    Case(
        "scores that differ beyond the 7th digit",
        run(RUN.replace(b"2.5", b"3.500000001")),
        "the same since version 10; a tie up to version 9 and in pytrec_eval",
        "they differ; with `--scores single` they tie",
        hits=[("1", "A", 1, 1), *PLAIN[1:]],
    ),
    Case(
        "a run with topics that nobody judged, among others",
        run(RUN + b"9 Q0 d1 1 1 A\n"),
        rule="these topics are passed over",
        note="topics that are answered but not judged are passed over: 9",
    ),
    Case(
        "judged topics that no run answers",
        qrels(QRELS + b"8 0 d1 1\n"),
        "leaves them out; with -c, scores 0",
        "every measure scores them 0",
        note="topics that are judged but that no run answers score 0: 8",
    ),
    Case(
        "a topic that one run does not answer",
        run(RUN[: RUN.index(b"3 Q0")]),
        "leaves it out of that run's mean; with -c, scores 0",
        "it scores 0; `lib.means` can leave it out instead",
        hits=[hit for hit in PLAIN if hit[:2] != ("3", "A")],
    ),
    Case("lists of any length", run(BIG), rule="read whole"),
    Case(
        "a grade below 0 (in the pool, not judged)",
        qrels(QRELS.replace(b"d1 0", b"d1 -1") + b"3 0 d9 -2\n"),
        "the same",
        "as if the line were not there, but for infAP, the measure on samples",
    ),
    Case("grades above 1", rule="kept for the measures that use them"),
    Case(
        "grades above 1, with `--rel 2`",
        options=("--rel", "2"),
        trec_eval="the same (-l 2); nDCG goes by the grades as they are",
        rule="grade 1 counts as judged non-relevant, and loses its grade",
        hits=[("2", "A", 1, 2)],
    ),
    Case(
        "a topic without relevant documents",
        qrels(QRELS.replace(b"3 0 d4 1", b"3 0 d4 0")),
        rule="every measure scores it 0",
        hits=[hit for hit in PLAIN if hit[0] != "3"],
    ),
    Case(
        "any tag, also one for all runs",
        run(RUN.replace(b"A\n", b"run1\n")),
        rule="the file's name names the system",
    ),
    Case(
        "a blank in a file's name",
        {"runs/A": None, "runs/my best A": RUN},
        rule="it is part of the system's name",
        hits=sorted((t, s.replace("A", "my best A"), r, g) for t, s, r, g in PLAIN),
    ),
    Case(
        "topics and documents with odd names, such as `../x` or `<b>`",
        {
            "runs/A": RUN.replace(b"d2", b"<b>").replace(b"3 Q0", b"../x Q0"),
            "runs/B": OTHER.replace(b"d2", b"<b>").replace(b"3 Q0", b"../x Q0"),
            "qrels": QRELS.replace(b"d2", b"<b>").replace(b"3 0", b"../x 0"),
        },
        rule="names are only compared, never used as paths; pages escape them",
        hits=[(t.replace("3", "../x"), *rest) for t, *rest in PLAIN],
    ),
    Case(
        "a document that is not UTF-8",
        {
            "runs/A": RUN.replace(b"d2", b"\xe9"),
            "runs/B": OTHER.replace(b"d2", b"\xe9"),
            "qrels": QRELS.replace(b"d2", b"\xe9"),
        },
        rule="its bytes are its name",
    ),
    Case("hidden files among the runs", {"runs/.DS_Store": b"\x00"}, "-", "passed over"),
    Case(
        "a folder among the runs",
        {"runs/old/A": b"junk"},
        "-",
        "passed over, and named",
        note="runs: passed over, since they are no files: old/",
    ),
    *[
        Case(
            f"a link to {what} among the runs",
            {},
            "-",
            "passed over, and named",
            note=note,
            link=to,
        )
        for what, to in (("nowhere", "gone"), ("a device", "/dev/null"), ("itself", "C"))
        for note in ["runs: passed over, since they are no files: C"]
    ],
    Case(
        "one faulty run, with `--skip-faulty`",
        {"runs/C": b"1 Q0 d1\n"},
        "-",
        "left out; `datapackage.json` says so, and why",
        options=("--skip-faulty",),
        note="left out: C (C, line 1: 3 columns, a run has 6)",
    ),
    Case(
        "two files of one system, with `--skip A.gz`",
        {"runs/A.gz": b"junk"},
        "-",
        "the file is left out; `datapackage.json` says so",
        options=("--skip", "A.gz"),
        note="left out: A.gz (left out by name)",
    ),
    Case(
        "file names with `.txt`, and `--names clean`",
        {"runs/A": None, "runs/input.A.txt.gz": gzip.compress(RUN)},
        "-",
        "the system is called A",
        options=("--names", "clean"),
    ),
    Case(
        "any file names, and `--names tag`",
        {"runs/A": None, "runs/first.txt": RUN},
        "-",
        "the tag in the file's first line names the system",
        options=("--names", "tag"),
    ),
    Case(
        "nothing relevant",
        qrels(b"1 0 d1 0\n1 0 d2 0\n2 0 d1 0\n3 0 d4 0\n"),
        rule="every measure scores it 0, and every command says so",
        hits=[],
        note="no document is judged relevant (of grade 1 or more): nothing can be told apart",
    ),
    Case(
        "two compressed texts one after the other",
        compressed(".xz", lzma.compress(RUN[:16]) + lzma.compress(RUN[16:])),
        NO_COMPRESSION,
        "read as one",
    ),
    *[
        Case(f"a {suffix} file", compressed(suffix, data), NO_COMPRESSION, "read as the text in it")
        for suffix, data in (
            (".gz", gzip.compress(RUN)),
            (".bz2", bz2.compress(RUN)),
            (".xz", lzma.compress(RUN)),
            (".zst", zstd(RUN)),
        )
    ],
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


def answers():
    """Return each command with its message, and what it is the answer to."""
    found = {}
    for odd in ODDITIES:
        with TemporaryDirectory() as folder, chdir(folder):
            odd.prepare(Path(folder))
            _, _, message = command(*odd.words)
        message = message.removeprefix("error: ").strip().replace("|", "\\|")
        found.setdefault((odd.shown, message), []).append(odd.what)
    return found


def table():
    """Return the table as Markdown, with the messages as they come."""
    rows = ["### Refused", "", "| input | message | trec_eval |", "|---|---|---|"]
    for case in REFUSED:
        with TemporaryDirectory() as folder, chdir(folder):
            prepare(case, Path(folder))
            _, _, message = derive(case)
        shown = message.removeprefix("error: ").strip().replace("|", "\\|")
        rows.append(f"| {case.what} | `{shown}` | {case.trec_eval} |")
    rows += ["", "### Damaged collections, and words of a command", ""]
    rows += ["`mine` is a collection that was derived from sound files.", ""]
    rows += ["| what is wrong | command | message |", "|---|---|---|"]
    for (shown, message), whats in answers().items():
        rows.append(f"| {'; '.join(whats)} | `{shown}` | `{message}` |")
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
