"""Bad and odd input: refused in one line with nothing written, or handled as the page says."""

import os
import shlex
import subprocess
import sys
import tracemalloc
from contextlib import chdir
from functools import partial

import bad_input
import pytest
from bad_input import HANDLED, ODDITIES, PLAIN, REFUSED
from processes import run_python
from strange import files_below

from lib import load
from lib.cli import main
from lib.collection import read_run
from lib.collection.metadata import read_pairs
from lib.collection.text_files import MAX_LINE
from lib.collection.trec import read_lists
from lib.errors import InputError, harmless
from lib.paths import ROOT

PAGE = (ROOT / "book" / "commands.md").read_text(encoding="utf-8").split(" bad input -->")[1]
ROWS = [row[2:-2].split(" | ") for row in PAGE.splitlines() if row.startswith("| ")]
each = partial(pytest.mark.parametrize, "case", ids=lambda case: f"{case.what}: {case.words[0]}")


def assert_shown(what, *cells):
    """The page on one's own runs has a row of this."""
    shown = any(what in row[0].split("; ") and set(cells) <= set(row) for row in ROWS)
    assert shown, f"book/commands.md lacks the row | {' | '.join((what, *cells))} |"


@each([*REFUSED, *ODDITIES])
def test_refused_in_one_line_with_nothing_written(case, tmp_path):
    status, out, err, before = bad_input.run_case(case, tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("error: ") and err.count("\n") == 1 and err[:-1].isprintable()
    assert files_below(tmp_path) == before
    command = [] if case in REFUSED else [f"`{harmless(shlex.join(case.words))}`"]
    assert_shown(case.what, *command, bad_input.quoted(err))


@each([pytest.param(one, marks=[pytest.mark.posix] if one.link else []) for one in HANDLED])
def test_handled_as_documented(case, tmp_path):
    status, _, err, _ = bad_input.run_case(case, tmp_path)
    assert status == 0 and err.count("\n") == len(case.notes)
    for note, line in zip(case.notes, err.splitlines()):
        assert line.startswith("note: ") and note in line
    c = load(tmp_path / "out")
    named = c.topics.index[c.hits["topic"]], c.systems.index[c.hits["system"]]
    hits = sorted(zip(*named, c.hits["rank"], c.hits["grade"]))
    assert hits == sorted(PLAIN if case.hits is None else case.hits)
    assert_shown(case.what)


def test_the_page_shows_nothing_else():
    shown = sum(row[0].count("; ") + 1 for row in ROWS if not row[0].startswith("--"))
    assert shown == len(REFUSED) + len(ODDITIES) + len(HANDLED) + 3  # and three heads


@pytest.mark.parametrize("before", [b"", b"1 Q0 d0 1 9 A\n"])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_the_bound_of_a_line_is_exact(before, ending, tmp_path):
    begin, end = before + b"1 Q0 d", b"1 2.5 A" + ending
    for length, fits in ((MAX_LINE, True), (MAX_LINE + 1, False)):
        blanks = b" " * (len(before) + length - len(begin) - len(end))
        (tmp_path / "run").write_bytes(begin + blanks + end)
        if fits:
            (lists,) = read_lists(tmp_path / "run")
            assert len(lists.keys) == 1 + bool(before)
        else:
            with pytest.raises(InputError, match=r"line \d: longer than 65,536 bytes, so no run$"):
                read_lists(tmp_path / "run")


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_a_long_line_takes_no_memory(suffix, tmp_path):
    path, part = tmp_path / f"run{suffix}", b"x" * 5_000_000
    path.write_bytes((bad_input.gz(part) if suffix else part) * 10)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="longer than"):
            read_run(path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


# Output appears whole or not at all.


@pytest.fixture
def files(tmp_path):
    bad_input.prepare(tmp_path)
    return tmp_path


# A shell may have a job in the background ignore the interrupt, and its children inherit that.
KILLED = """
import os, signal, sys, time
from lib.cli import main
from lib.collection import package
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIG{signal}, signal.SIG_DFL) if "{signal}" in ("TERM", "HUP") else None
real = package._described
def describe(path, *rest):
    if path.name == "hits.parquet":
        os.kill(os.getpid(), signal.SIG{signal})
        time.sleep(9)
    return real(path, *rest)
package._described = describe
sys.exit(main(["derive", "runs", "qrels", "--out", "out"]))
"""


@pytest.mark.posix
@pytest.mark.parametrize("name", ["KILL", "TERM", "HUP", "INT"])
def test_a_crash_in_the_middle_leaves_nothing_to_trust(name, files):
    done = run_python("-c", KILLED.format(signal=name), cwd=files, PYTHONPATH=str(ROOT))
    assert done.returncode == {"KILL": -9, "TERM": 143, "HUP": 129, "INT": 130}[name]
    assert done.stderr == ("interrupted\n" if name == "INT" else "")
    left = {path.name for path in files.iterdir() if not path.name.startswith(".unfinished-")}
    assert left == {"runs", "qrels", "systems"}
    assert (left != set(os.listdir(files))) == (name == "KILL")  # it leaves something hidden
    with chdir(files):
        assert main(["derive", "runs", "qrels", "--out", "out"]) == 0
    assert len(load(files / "out").hits) == len(PLAIN)


FULL, GONE = "error: No space left on device", "no such file or folder of runs\n"
SHELL = [  # a command line, its status, and what it complains of
    ("$measures evaluate runs qrels >/dev/full", 2, f"{FULL}\n"),
    (
        "$measures derive runs qrels --out out >/dev/full",
        2,
        f"{FULL}, so nothing is printed here; out is whole\n",
    ),
    ("$measures evaluate runs qrels 2>&- >&-", 0, ""),
    ("$measures evaluate gone qrels 2>&-", 2, ""),
    ("mkdir x; cd x; rmdir ../x; $measures evaluate runs qrels", 2, f"error: runs: {GONE}"),
    (
        "cp runs/A runs/\u00e9; PYTHONIOENCODING=ascii $measures evaluate runs qrels >/dev/null",
        0,
        None,
    ),
]


@pytest.mark.posix
@pytest.mark.parametrize("line, status, said", SHELL, ids=[row[0] for row in SHELL])
def test_what_a_shell_does_to_the_output_ends_in_one_line(line, status, said, files):
    env = os.environ | {"PYTHONPATH": str(ROOT), "PYTHON": sys.executable}
    line = line.replace("$measures", '"$PYTHON" -m lib')  # its path may have a space
    done = subprocess.run(["sh", "-c", line], cwd=files, env=env, capture_output=True, text=True)
    assert done.returncode == status and "Traceback" not in done.stderr
    assert said is None or done.stderr == said
    assert "whole" not in done.stderr or len(load(files / "out").hits) == len(PLAIN)


# Pairs of runs.


def test_pairs_come_in_the_order_of_the_file(tmp_path):
    (tmp_path / "pairs").write_text(
        "feedback\tsystem\tbase\tnote\nb\ty\ta\t1\nc\tx\ta\t2\n", encoding="utf-8"
    )
    assert read_pairs(tmp_path / "pairs", "abc") == [("y", "a", "b"), ("x", "a", "c")]
