"""Whole commands, each in a process of its own, beside what others start and read."""

import subprocess
import sys

import numpy as np
import pytest

import lib
from lib.paths import ROOT

TOPICS = [1000, 3000, 10_000, 25_000]
MEASURES = "P@10 AP nDCG RR"
TELLING = """
import atexit, re, runpy, sys, time

def tell():
    # Of this process alone, on Linux; getrusage begins with what its parent had.
    with open("/proc/self/status") as status:
        peak = re.search(r"VmHWM:\\s*(\\d+) kB", status.read())
    print(time.process_time(), int(peak[1]) / 1024, file=sys.stderr)

atexit.register(tell)
"""
MODULE = "del sys.argv[0]; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"


def work(*words, does=MODULE):
    """Run a module with words in a process: seconds of CPU time, and megabytes at their peak."""
    command = [sys.executable, "-c", TELLING + does, *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    seconds, megabytes = map(float, done.stderr.split()[-2:])
    return {"seconds": float(f"{seconds:.3g}"), "megabytes": round(megabytes)}


def ours(*words):
    return work(lib.__name__, *words)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """A function that writes runs of so many topics and documents, and their judgements.

    As in MS MARCO a topic has one relevant document, and each run finds it somewhere, or not.
    """

    def write(topics, runs=1, documents=100):
        folder = tmp_path_factory.mktemp("made") / "runs"
        folder.mkdir()
        rng = np.random.default_rng(topics)
        ranks = range(1, documents + 1)
        for run in range(runs):
            found = rng.geometric(0.1, size=topics)
            with (folder / f"run{run}").open("w", encoding="utf-8") as file:
                for topic, at in enumerate(found):
                    file.writelines(
                        f"{topic} Q0 d{0 if rank == at else rank} {rank} {1 / rank:.6f} made\n"
                        for rank in ranks
                    )
        qrels = folder.parent / "qrels"
        qrels.write_text("".join(f"{topic} 0 d0 1\n" for topic in range(topics)), encoding="utf-8")
        return folder, qrels

    return write


def test_many_topics_beside_ir_measures(keep, files):
    rows = []
    for topics in TOPICS:
        folder, qrels = files(topics)
        rounds = [
            (
                work("ir_measures", qrels, folder / "run0", MEASURES),
                ours("evaluate", folder, qrels, "--summary", "--measures", MEASURES),
            )
            for _ in range(3)
        ]
        peer, mine = ([one["seconds"] for one in each] for each in zip(*rounds))
        rows.append({"topics": topics, "ours": mine, "peer": peer})
    keep("summary-topics", rows)


def test_a_comparison_on_many_topics(keep, files):
    folder, qrels = files(12_000, runs=2)
    keep("compare-12000", ours("compare", folder / "run0", folder / "run1", qrels))


def test_many_runs(keep, files):
    folder, qrels = files(250, runs=1000)
    how = ("--summary", "--measures", MEASURES, "--format", "csv")
    keep("evaluate-250x1000", ours("evaluate", folder, qrels, *how))


def test_the_claims_on_a_collection(keep):
    keep("elsewhere", ours("elsewhere", "--collection", "trec8"))


def test_start_beside_importing_pandas(keep, files):
    """What commands take that do next to nothing."""
    folder, qrels = files(2, documents=3)
    rounds = [
        (work(does="import pandas"), ours("--help"), ours("evaluate", folder, qrels))
        for _ in range(5)
    ]
    keys = ("pandas", "help", "evaluate")
    keep("start", {key: [one["seconds"] for one in of] for key, of in zip(keys, zip(*rounds))})
