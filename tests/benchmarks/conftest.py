"""``make bench``: what our work costs beside that of other tools, in CPU time.

Every round has the peer first and us right after it, so that a machine that is busy for a while is
busy for both; a figure is the median of the rounds' ratios.  What is measured is printed as a
table and written to ``data/bench.json``, with versions and machine; book/your-own-runs.md has some.
These files are no part of ``make test``.
"""

import lib  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread, for the peers too.

import gzip
import json
import os
import platform
import resource
import shutil
import time
from importlib.metadata import version
from math import log

import cpuinfo  # which only the bench's environment has
import pytest

from lib.paths import DATA

os.environ["NUMBA_NUM_THREADS"] = "1"  # before ranx is imported
ROUNDS = 5
FILE = DATA / "bench.json"
TOOLS = "numpy pandas pyarrow scipy pytrec-eval-terrier ir-measures ranx".split()
# What the ratios shall not fall below: the peer's time over ours, or for the commands the time of
# the bare imports.
KEEP = {
    "files-pytrec_eval": 3.0,
    "files-ir_measures": 5.5,
    "files-ranx": 14,
    "evaluation": 35,
    "phi": 65,
    "t-tests": 55,
    "permutation": 1050,
    "pools": 180,
    "help": 1 / 1.3,
    "evaluate": 1 / 2,
}
FOUND: dict[str, dict] = {}


def children() -> float:
    """Return the CPU seconds of the processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture
def race():
    """A function that measures our work beside a peer's and keeps both.

    ``share`` says which part of the work the peer does, where all of it would take hours.
    """

    def measure(key, ours, peer, *, share=1.0, clock=time.process_time):
        def timed(work):
            begin = clock()
            work()
            return clock() - begin

        rounds = [(timed(peer) / share, timed(ours)) for _ in range(ROUNDS)]
        theirs, mine = map(rounded, zip(*rounds))
        FOUND[key] = {"ours": mine, "peer": theirs} | ({"share": share} if share != 1 else {})
        ratios = sorted(t / m for t, m in rounds)
        print(f"\n{key}: {ratios[0]:.2f} [{ratios[len(ratios) // 2]:.2f}] {ratios[-1]:.2f}")

    return measure


@pytest.fixture
def keep():
    """A function that keeps what was measured under a key."""
    return FOUND.__setitem__


def rounded(seconds):
    return [float(f"{value:.4g}") for value in seconds]


@pytest.fixture(scope="session")
def trec8(originals, tmp_path_factory):
    """TREC-8's 129 runs, uncompressed, and its judgements: a folder and a file."""
    folder = tmp_path_factory.mktemp("trec8") / "runs"
    folder.mkdir()
    for path in (originals / "trec8" / "inputs").iterdir():
        with gzip.open(path) as packed, open(folder / path.stem, "wb") as plain:
            shutil.copyfileobj(packed, plain)
    return folder, originals / "trec8" / "qrels.trec8.adhoc.txt"


def here():
    """Return what the figures depend on: machine and versions, without a name or a path."""
    info = cpuinfo.get_cpu_info()
    return {
        "machine": {
            "processor": info.get("brand_raw", platform.machine()),
            "processors": info["count"],
            "system": platform.system(),
        },
        "versions": {"Python": platform.python_version()} | {tool: version(tool) for tool in TOOLS},
    }


def pytest_sessionfinish(session, exitstatus):
    """Write what was measured, when all of it was; figures of another machine or version go."""
    if not FOUND or exitstatus != 0:
        return
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    place = here()
    same = all(known.get(part) == value for part, value in place.items())
    figures = (known["figures"] if same else {}) | FOUND
    text = json.dumps(place | {"figures": dict(sorted(figures.items()))}, indent=1)
    FILE.write_text(text + "\n", encoding="utf-8")


def pytest_terminal_summary(terminalreporter):
    """Print what was measured, with what is to be kept."""
    write = terminalreporter.write_line
    write(f"{'':24}{'ratio':>10}{'to keep':>10}{'our CPU seconds':>18}")
    for key, found in sorted(FOUND.items()):
        if key in KEEP:
            ratios = sorted(t / m for t, m in zip(found["peer"], found["ours"]))
            ratio, ours = ratios[len(ratios) // 2], sorted(found["ours"])[len(ratios) // 2]
            write(f"{key:24}{ratio:10.3g}{KEEP[key]:10.3g}{ours:18.3g}")
        elif isinstance(found, list):  # as the work grows
            first, last = found[0], found[-1]
            slope = log(last["seconds"] / first["seconds"]) / log(last["size"] / first["size"])
            write(f"{key:24}{'exponent':>10}{slope:10.2f}{last['seconds']:18.3g}")
        else:
            write(f"{key:24}{'95% within':>10}{1000 * found['95%']:7.0f} ms")
