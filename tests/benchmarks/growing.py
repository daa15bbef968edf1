"""Do one piece of work of a given size; print CPU seconds and the peak of memory in megabytes.

``python tests/benchmarks/growing.py WORK SIZE [FOLDER QRELS]``: a process of its own for each, so
that a peak is that of this work alone.
"""

import lib  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import json
import resource
import sys
import time
from dataclasses import replace

import numpy as np
import pandas as pd

from lib.collection import derive, load
from lib.measures import evaluate, score_tables
from lib.statistics.predictivity import predictivity, splits
from lib.statistics.significance import permutation_test, significant

MEASURES = ["P@10", "AP", "nDCG", "RR", "RBP(p=0.95)"]


def tables(*, topics, systems):
    """Return scores of topics and systems drawn from TREC-8's, no two systems alike."""
    rng = np.random.default_rng(1)
    found = score_tables(load("trec8"), MEASURES)
    rows, columns = rng.integers(0, 50, topics), rng.integers(0, 129, systems)
    return {
        name: pd.DataFrame(
            table.to_numpy()[rows][:, columns] + rng.normal(0, 0.01, (topics, systems))
        )
        for name, table in found.items()
    }


def repeated(topics):
    """Return sixteen runs of TREC-8 on its topics again and again."""
    one = load("trec8")
    one = one.select(systems=one.systems.index[::8][:16])
    times = topics // len(one.topics)

    def again(table):
        copies = pd.concat([table] * times, ignore_index=True)
        copies["topic"] += np.repeat(np.arange(times), len(table)) * len(one.topics)
        return copies

    parts = {name: again(getattr(one, name)) for name in ("lists", "relevant", "hits", "pools")}
    names = pd.Index([f"{topic}-{i}" for i in range(times) for topic in one.topics.index])
    every = pd.concat([one.topics] * times).set_axis(names.rename("topic"))
    return replace(one, topics=every, **parts)


def prepared(work, size, *files):
    """Return what is to be measured, its data at hand."""
    if work == "lines":
        return lambda: derive(*files)
    if work == "topics":
        collection = repeated(size)
        return lambda: evaluate(collection, MEASURES)
    if work == "splits":
        scores, sets = tables(topics=50, systems=100), _splits(size)
        return lambda: predictivity(scores, sets)
    scores = tables(topics=50, systems=size)
    if work == "phi":
        return lambda: predictivity(scores, _splits(20))
    if work == "t-tests":
        return lambda: [significant(scores["AP"].to_numpy(), alpha=0.05) for _ in range(20)]
    return lambda: permutation_test(scores["AP"], resamples=1000, rng=np.random.default_rng(1))


def _splits(number):
    return splits(50, number=number, rng=np.random.default_rng(1))


if __name__ == "__main__":
    work = prepared(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
    begin = time.process_time()
    work()
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts kilobytes
    print(json.dumps({"seconds": seconds, "megabytes": peak}))
