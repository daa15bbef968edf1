"""How cost grows: with runs, topics, splits and lines of files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SIZES = {
    "lines": [1, 2, 4, 8, 16, 32, 100],  # millions
    "topics": [50, 200, 1000, 4000, 10_000],
    "splits": [100, 400, 2000, 8000],
    "phi": [100, 200, 500, 1000],
    "t-tests": [100, 200, 500, 1000],
    "permutation": [100, 200, 500, 1000],
}
SCRIPT = Path(__file__).with_name("growing.py")


def measured(work, size, *files):
    """Return CPU seconds and peak megabytes of some work, done in a process of its own."""
    words = [sys.executable, str(SCRIPT), work, str(size), *map(str, files)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return {name: float(f"{value:.4g}") for name, value in json.loads(done.stdout.strip()).items()}


def linked(runs, lines, folder):
    """Make a folder of runs with about so many lines: the same files under many names."""
    folder.mkdir()
    total, turn = 0, 0
    lengths = [(path, path.read_bytes().count(b"\n")) for path in sorted(runs.iterdir())]
    while total < lines:
        path, length = lengths[turn % len(lengths)]
        (folder / f"{path.name}-{turn // len(lengths)}").symlink_to(path)
        total, turn = total + length, turn + 1
    return total


def test_lines(keep, trec8, tmp_path):
    runs, qrels = trec8
    rows = []
    for size in SIZES["lines"]:
        lines = linked(runs, size * 1_000_000, tmp_path / str(size))
        rows.append({"size": lines} | measured("lines", size, tmp_path / str(size), qrels))
        print(f"\n{rows[-1]}")
    keep("growth-lines", rows)


@pytest.mark.parametrize("work", [work for work in SIZES if work != "lines"])
def test_growth(keep, work):
    rows = [{"size": size} | measured(work, size) for size in SIZES[work]]
    print(f"\n{work}: {rows}")
    keep(f"growth-{work}", rows)
