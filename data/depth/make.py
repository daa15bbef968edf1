"""Make the tables of this folder: measures by depth, and what shallower pools and lists change.

    python data/depth/make.py [TABLE ...]

TABLE: line, restricted (the default: some minutes on two quiet cores).
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse

import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.elsewhere import line, restricted
from lib.tasks import task

DIGITS = 6
STUDY = {
    "line": (line.agreements, line.line_sources),
    "restricted": (restricted.restricted_leads, restricted.collections),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[*STUDY], metavar="TABLE")
    with parallel_config(n_jobs=2):
        for name in parser.parse_args().tables:
            ask, collections = STUDY[name]
            parts = Parallel()(task(ask, one) for one in collections())
            write("depth", name, pd.concat(parts, ignore_index=True).round(DIGITS))
