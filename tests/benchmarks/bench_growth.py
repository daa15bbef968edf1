"""How time and memory grow with the lines of the files, each size in a process of its own.

That process is this file, run: it derives RUNS QRELS.
"""

import json
import resource
import subprocess
import sys
import time

from lib.collection import derive

MILLIONS = [1, 2, 4, 8, 16, 32, 100]


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
    for size in MILLIONS:
        lines = linked(runs, size * 1_000_000, tmp_path / str(size))
        words = [sys.executable, __file__, str(tmp_path / str(size)), str(qrels)]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        measured = json.loads(done.stdout)
        rows.append({"size": lines} | {k: float(f"{v:.4g}") for k, v in measured.items()})
        print(f"\n{rows[-1]}")
    keep("growth-lines", rows)


if __name__ == "__main__":
    begin = time.process_time()
    derive(*sys.argv[1:])
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts kilobytes
    print(json.dumps({"seconds": seconds, "megabytes": peak}))
