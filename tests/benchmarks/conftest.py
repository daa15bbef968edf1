"""``make bench``: what our work costs beside that of other tools, in CPU time.

Every round has the peer first and us right after it, so that a machine that is busy for a while is
busy for both, and no side is measured for less than half a second; a figure is the median of the
rounds' ratios.  What is measured is printed as a table and written to ``data/bench.json``, with
versions and machine; book/commands.md has some.
These files are no part of ``make test``.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread, for the peers too.

import gzip
import json
import os
import platform
import shutil
import statistics
import time
from importlib.metadata import version

import cpuinfo  # which only the bench's environment has
import pytest

from lib.paths import DATA

os.environ["NUMBA_NUM_THREADS"] = "1"  # before ranx is imported
ROUNDS = 5
TOOLS = "numpy pandas pyarrow scipy pytrec-eval-terrier ir-measures ranx".split()
# What the ratios, the peer's time over ours, shall not fall below on this processor.  On another
# one the two may change unlike each other: there the same work as a plain loop of numpy, where it
# is measured, says how much of a change is the processor's.
PROCESSOR = "AMD EPYC"
KEEP = {
    "files-pytrec_eval": 3.0,
    "files-ir_measures": 5.5,
    "files-ranx": 13,
    "evaluation": 45,
    "phi": 95,
    "t-tests": 42,
    "permutation": 1000,
    "pools": 210,
}
FOUND = {}


@pytest.fixture
def race():
    """A function that measures our work beside a peer's, and beside others', and keeps all.

    ``share`` says which part of the work the peer does, where all of it would take hours; the
    others come with theirs.
    """

    def timed(work):
        begin, times = time.process_time(), 0
        while (spent := time.process_time() - begin) < 0.5:
            work()
            times += 1
        return spent / times

    def measure(key, ours, peer, *, share=1.0, **others):
        works = {"peer": (peer, share), "ours": (ours, 1), **others}
        rounds = [[timed(one) / part for one, part in works.values()] for _ in range(ROUNDS)]
        FOUND[key] = {
            who: [float(f"{value:.4g}") for value in each] for who, each in zip(works, zip(*rounds))
        } | ({"share": share} if share != 1 else {})

    return measure


@pytest.fixture
def keep():
    """A function that keeps what was measured under a key."""
    return FOUND.__setitem__


@pytest.fixture(scope="session")
def trec8(originals, tmp_path_factory):
    """TREC-8's 129 runs, uncompressed, and its judgements: a folder and a file."""
    folder = tmp_path_factory.mktemp("trec8") / "runs"
    folder.mkdir()
    for path in (originals / "trec8" / "inputs").iterdir():
        with gzip.open(path) as packed, open(folder / path.stem, "wb") as plain:
            shutil.copyfileobj(packed, plain)
    return folder, originals / "trec8" / "qrels.trec8.adhoc.txt"


def pytest_terminal_summary(terminalreporter, exitstatus):
    """Print what was measured, with what is to be kept; write it when all was measured."""
    info = cpuinfo.get_cpu_info()
    here = info.get("brand_raw", platform.machine())
    for key, found in FOUND.items():
        for who in found.keys() - {"ours", "share"} if "ours" in found else ():
            ratio = statistics.median(t / m for t, m in zip(found[who], found["ours"]))
            kept = f"; to keep {KEEP[key]} on {PROCESSOR}" if who == "peer" else ""
            line = f"{key:20} {who:6} {ratio:8.3g} times our time on {here}{kept}"
            terminalreporter.write_line(line)
    path = DATA / "bench.json"
    without = json.loads(path.read_text(encoding="utf-8"))["figures"].keys() - FOUND.keys()
    if exitstatus or without:
        missing = f", without {', '.join(sorted(without))}" if without else ""
        terminalreporter.write_line(f"data/bench.json stays as it is{missing}")
        return
    found = {
        "machine": {"processor": here, "processors": info["count"], "system": platform.system()},
        "versions": {"Python": platform.python_version()} | {tool: version(tool) for tool in TOOLS},
        "figures": dict(sorted(FOUND.items())),
    }
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
