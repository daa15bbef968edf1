"""Bad and odd input: refused in one line with nothing written, or handled as the page says."""

import json
import os
import subprocess
import sys
import textwrap
import time
import tracemalloc
from contextlib import chdir
from pathlib import Path

import bad_input
import numpy as np
import pytest
from bad_input import HANDLED, PLAIN, REFUSED, Case
from oddities import ODDITIES

from lib import load
from lib.cli import main
from lib.collection import Collection, read_pairs, read_run
from lib.collection.text_files import MAX_LINE
from lib.errors import InputError

ROOT = Path(__file__).resolve().parent.parent


def names(cases):
    return [case.what for case in cases]


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", REFUSED, ids=names(REFUSED))
def test_refused_in_one_line_with_nothing_written(case, tmp_path):
    bad_input.prepare(case, tmp_path)
    before = everything(tmp_path)
    with chdir(tmp_path):
        status, out, err = bad_input.derive(case)
    assert (status, out) == (2, "")
    assert err.startswith("error: ") and err.count("\n") == 1 and err.isascii()
    assert everything(tmp_path) == before


LINES = [case for case in REFUSED if case.line]


@pytest.mark.parametrize("case", LINES, ids=names(LINES))
def test_the_message_names_file_and_line(case, tmp_path):
    bad_input.prepare(case, tmp_path)
    with chdir(tmp_path):
        _, _, err = bad_input.derive(case)
    (file,) = (name for name, content in case.files.items() if content is not None)
    assert err.startswith(f"error: {file}, line {case.line}: ")


@pytest.mark.parametrize("case", HANDLED, ids=names(HANDLED))
def test_handled_as_documented(case, tmp_path):
    bad_input.prepare(case, tmp_path)
    with chdir(tmp_path):
        status, out, err = bad_input.derive(case)
    assert status == 0
    assert err == (f"note: {case.note}\n" if case.note else "")
    c = load(tmp_path / "out")
    hits = sorted(
        zip(
            c.topics.index[c.hits["topic"]],
            c.systems.index[c.hits["system"]],
            c.hits["rank"],
            c.hits["grade"],
        )
    )
    assert hits == sorted(PLAIN if case.hits is None else case.hits)


@pytest.mark.parametrize("odd", ODDITIES, ids=lambda odd: f"{odd.what}: {odd.words[0]}")
def test_a_command_refuses_in_one_line_with_nothing_written(odd, tmp_path):
    odd.prepare(tmp_path)
    before = everything(tmp_path)
    with chdir(tmp_path):
        status, out, err = bad_input.command(*odd.words)
    assert (status, out) == (2, "")
    assert err.startswith("error: ") and err.count("\n") == 1 and err[:-1].isprintable()
    assert everything(tmp_path) == before


def test_a_rule_holds_for_what_the_hits_do_not_show(tmp_path):
    # The list of topic 1 has all its documents; a negative grade is not judged; --rel 2 judges
    # documents of grade 1 non-relevant.
    cases = {case.what: case for case in HANDLED}
    for what, topic, judged, relevant, retrieved in [
        ("lists of any length", "1", 2, 1, 9002),
        ("a grade below 0 (in the pool, not judged)", "1", 1, 1, 2),
        ("grades above 1, with `--rel 2`", "1", 2, 0, 2),
    ]:
        folder = tmp_path / str(judged) / str(retrieved) / str(relevant)
        folder.mkdir(parents=True)
        bad_input.prepare(cases[what], folder)
        with chdir(folder):
            bad_input.derive(cases[what])
        c = load(folder / "out")
        assert c.topics.loc[topic].tolist() == [judged, relevant], what
        assert c.retrieved[0, 0] == retrieved


def test_the_threshold_is_recorded(tmp_path):
    bad_input.prepare(Case("", options=("--rel", "2")), tmp_path)
    with chdir(tmp_path):
        assert main(["derive", "runs", "qrels", "--rel", "2", "--out", "out"]) == 0
    package = json.loads((tmp_path / "out" / "datapackage.json").read_text())
    assert package["command"] == "python -m lib derive runs qrels --rel 2 --out out"


def test_the_page_shows_this_table():
    text = bad_input.PAGE.read_text(encoding="utf-8")
    assert bad_input.with_table(text) == text, "run `python tests/bad_input.py`"


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_the_bound_of_a_line_is_exact(tmp_path, ending):
    rest = b"1 Q0  1 2.5 A"
    for length, fits in ((MAX_LINE - len(ending), True), (MAX_LINE + 1 - len(ending), False)):
        line = rest.replace(b"Q0 ", b"Q0 " + b"d" * (length - len(rest))) + ending
        (tmp_path / "run").write_bytes(line)
        if fits:
            assert len(read_run(tmp_path / "run")["1"][0]) == length - len(rest)
        else:
            with pytest.raises(InputError, match="line 1: longer than 65,536 bytes, so no run$"):
                read_run(tmp_path / "run")


def test_a_long_line_takes_no_memory(tmp_path):
    with open(tmp_path / "run", "wb") as file:
        file.truncate(50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="longer than"):
            read_run(tmp_path / "run")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["zeros", "letters", "gzip"])
def test_a_line_of_one_gigabyte(kind, tmp_path):
    path = tmp_path / ("run.gz" if kind == "gzip" else "run")
    if kind == "zeros":
        with open(path, "wb") as file:
            file.truncate(10**9)
    else:
        import gzip

        with (gzip.open if kind == "gzip" else open)(path, "wb") as file:
            for _ in range(1000):
                file.write(b"x" * 10**6)
    script = textwrap.dedent("""
        import resource, sys
        from lib.cli import main
        status = main(["derive", sys.argv[1], "qrels", "--out", "out"])
        print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    """)
    (tmp_path / "runs").mkdir()
    path.rename(tmp_path / "runs" / path.name)
    (tmp_path / "qrels").write_text("1 0 d1 1\n")
    done = subprocess.run(
        [sys.executable, "-c", script, "runs"],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    status, kilobytes = map(int, done.stdout.split())
    assert status == 2 and "longer than 65,536 bytes" in done.stderr
    assert kilobytes < 500_000  # the libraries alone take half of it
    assert not (tmp_path / "out").exists()


# Output appears whole or not at all.


def in_a_process(folder, body):
    script = "import os, resource, signal, sys, time\nfrom lib.cli import main\n" + (
        textwrap.dedent(body) + 'sys.exit(main(["derive", "runs", "qrels", *sys.argv[1:]]))\n'
    )
    return [sys.executable, "-c", script, "--out", "out"], {
        "cwd": folder,
        "text": True,
        "capture_output": True,
        "env": os.environ | {"PYTHONPATH": str(ROOT)},
    }


@pytest.fixture
def files(tmp_path):
    bad_input.prepare(Case(""), tmp_path)
    return tmp_path


@pytest.mark.parametrize("room", [50, 300, 1000, 2500, 4000])
def test_a_full_disk_leaves_nothing(room, files):
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
    command, how = in_a_process(files, limit)
    before = everything(files)
    done = subprocess.run(command, **how)
    assert done.returncode == 2
    assert done.stderr.startswith("error: out: cannot be written") and "large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert everything(files) == before and not list(files.glob(".unfinished*"))


# A shell may have a job in the background ignore the interrupt, and its children inherit that.
KILLED = """
from lib.collection import package
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
real = package._described
def describe(path, *rest):
    if path.name == "hits.parquet":
        os.kill(os.getpid(), signal.SIG{signal})
        time.sleep(9)
    return real(path, *rest)
package._described = describe
"""


@pytest.mark.parametrize("name", ["KILL", "TERM", "INT"])
def test_a_crash_in_the_middle_leaves_nothing_to_trust(name, files):
    command, how = in_a_process(files, KILLED.format(signal=name))
    done = subprocess.run(command, **how)
    assert done.returncode == {"KILL": -9, "TERM": 143, "INT": 130}[name]
    assert done.stderr == ("interrupted\n" if name == "INT" else "")
    left = {path.name for path in files.iterdir() if not path.name.startswith(".unfinished-")}
    assert left == {"runs", "qrels", "systems"}
    assert (left != set(os.listdir(files))) == (name == "KILL")  # it leaves something hidden
    with chdir(files):
        assert main(["derive", "runs", "qrels", "--out", "out"]) == 0
    assert len(load(files / "out").hits) == len(PLAIN)


def test_replacing_keeps_the_old_one_until_the_new_one_is_whole(files):
    with chdir(files):
        assert main(["derive", "runs", "qrels", "--out", "out"]) == 0
        before = everything(files / "out")
        command, how = in_a_process(files, KILLED.format(signal="KILL"))
        subprocess.run([*command, "--replace"], **how)
        assert everything(files / "out") == before
        command, how = in_a_process(
            files, "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        )
        assert subprocess.run([*command, "--replace"], **how).returncode == 2
        assert everything(files / "out") == before
        (files / "qrels").write_text("1 0 d1 1\n")
        assert main(["derive", "runs", "qrels", "--out", "out", "--replace"]) == 0
    assert len(load(files / "out").topics) == 1


def test_a_collection_without_anything_relevant_can_be_saved_and_loaded(tmp_path):
    c = Collection.from_rankings({"A": {"t": ["a"]}}, {"t": {"a": 0}})
    c.save(tmp_path / "c")
    assert len(load(tmp_path / "c").hits) == 0


# Pairs of runs.

RUNS = ["a", "b", "c"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("system\tbase\na\tb\n", "line 1: no column 'feedback' among 2 columns"),
        ("system\tbase\tfeedback\nx\ta\td\n", "line 2: the collection has no run 'd'"),
        ("system\tbase\tfeedback\nx\ta\tb\nx\ta\tc\n", "line 3: system 'x' stands twice"),
        ("system\tbase\tfeedback\nx\ta\ta\n", "line 2: run 'a' is paired with itself"),
        ("system\tbase\tfeedback\n", "holds no pairs"),
        ("system\tbase\tfeedback\nx\ta\n", "line 2: the collection has no run ''"),
    ],
)
def test_bad_pairs_are_refused(text, message, tmp_path):
    (tmp_path / "pairs").write_text(text)
    with pytest.raises(InputError, match=message):
        read_pairs(tmp_path / "pairs", RUNS)


def test_pairs_come_in_the_order_of_the_file(tmp_path):
    (tmp_path / "pairs").write_text("feedback\tsystem\tbase\tnote\nb\ty\ta\t1\nc\tx\ta\t2\n")
    assert read_pairs(tmp_path / "pairs", RUNS) == [("y", "a", "b"), ("x", "a", "c")]


# Large collections. The limits are far below what keeping the runs would take.


def write_large(folder, systems, topics, depth, relevant):
    rng = np.random.default_rng(7)
    (folder / "runs").mkdir()
    documents = [b"document-%06d" % i for i in range(20 * depth)]
    with open(folder / "qrels", "wb") as file:
        for topic in range(topics):
            for number in rng.choice(len(documents), relevant, replace=False):
                file.write(b"%d 0 %s 1\n" % (topic, documents[number]))
    for system in range(systems):
        with open(folder / "runs" / f"s{system}", "wb") as file:
            for topic in range(topics):
                chosen = rng.choice(len(documents), depth, replace=False)
                file.writelines(
                    b"%d Q0 %s %d %d s\n" % (topic, documents[number], i, depth - i)
                    for i, number in enumerate(chosen)
                )


@pytest.mark.long
@pytest.mark.parametrize(
    "systems, topics, depth, megabytes", [(20, 10_000, 100, 1500), (1000, 50, 100, 600)]
)
def test_large_collections(systems, topics, depth, megabytes, tmp_path):
    write_large(tmp_path, systems, topics, depth, relevant=5)
    command, how = in_a_process(
        tmp_path,
        """
        import atexit
        atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000))
    """,
    )
    start = time.monotonic()
    done = subprocess.run(command, **how)
    assert done.returncode == 0, done.stderr
    used = int(done.stdout.split()[-1])
    print(f"{systems} runs, {topics} topics: {time.monotonic() - start:.0f} s, {used} MB")
    assert used < megabytes
    c = load(tmp_path / "out")
    assert (len(c.systems), len(c.topics)) == (systems, topics)
    assert (c.retrieved == depth).all()
    # In expectation, a twentieth of the relevant documents is in a list.
    assert len(c.hits) == pytest.approx(systems * topics * 5 / 20, rel=0.05)
