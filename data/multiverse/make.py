"""Make the tables of this folder, but for sources.csv, which is written by hand.

    python data/multiverse/make.py [TABLE ...]

TABLE: estimates, paths, growth (the default: some 15 minutes on two quiet cores), or a
place where a paper prints numbers, such as webber2010-table-2 (some hours for all of them).
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse

import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.elsewhere.engine import PLACES, all_paths, ask_everything, cells_by_path
from chapters.elsewhere.quantities import HALF, phi_of
from chapters.elsewhere.sources import Source, sources
from chapters.webber2008.tables import SPLITS
from lib.tasks import task

SIZES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 124)  # of Robust 2004's 249 topics


def growth(source: Source) -> pd.DataFrame:
    """Return how well P@10 is predicted from more and more topics, by itself and by AP."""
    half = source.topics // 2
    sizes = sorted({size for size in SIZES if size <= half} | ({half} if half < HALF else set()))
    found = {}
    for size in sizes:
        # Each topic is in as many splits, whatever the size: of smaller sets more are drawn.
        share = SPLITS * HALF * 2 / source.topics
        found[size] = phi_of(source, ("P@10", "AP"), size=size, for_error=share)["P@10"]
    leads = {size: by["AP"] - by["P@10"] for size, by in found.items()}
    first = leads[max(size for size in sizes if size <= HALF)]
    rows = []
    for size, by in found.items():
        lead, change = (one.interval() for one in (leads[size], leads[size] - first))
        ends = lead.estimate, lead.error, lead.low, lead.high
        rows.append([*by.value, *ends, change.estimate, change.low, change.high])
    columns = ["itself", "by_ap", "lead", "error", "low", "high"]
    columns += ["change", "change_low", "change_high"]
    table = pd.DataFrame(rows, columns=columns).astype(float).round(6) + 0.0
    table.insert(0, "source", source.name)
    table.insert(1, "topics", sizes)
    return table


def grown() -> pd.DataFrame:
    """Return these of all sources."""
    return pd.concat(Parallel()(task(growth, source) for source in sources()), ignore_index=True)


STUDY = {"estimates": ask_everything, "paths": all_paths, "growth": grown}
PRINTED = {given.table: given for given in PLACES}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[*STUDY], metavar="TABLE")
    with parallel_config(n_jobs=2):
        for name in parser.parse_args().tables:
            made = STUDY[name]() if name in STUDY else cells_by_path(PRINTED[name])
            write("multiverse", name, made)
