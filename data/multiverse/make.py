"""Make the tables of this folder, but for sources.csv, which is written by hand.

    python data/multiverse/make.py [TABLE ...]

TABLE: estimates, verdicts, paths, growth (the default: some 15 minutes on two quiet cores), or a
place where a paper prints numbers, such as webber2010-table-2 (some hours for all of them).
"""

import argparse

from joblib import parallel_config

from lib.studies.committed import write
from lib.studies.multiverse.engine import all_paths, committed, everything, grown
from lib.studies.multiverse.places import PLACES, along
from lib.studies.multiverse.summaries import verdicts

STUDY = {
    "estimates": everything,
    "verdicts": lambda: verdicts(committed()).round(6).reset_index(),
    "paths": all_paths,
    "growth": grown,
}
PRINTED = {given.table: given for given in PLACES}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", choices=[*STUDY, *PRINTED], metavar="TABLE")
    with parallel_config(n_jobs=2):
        for name in parser.parse_args().tables or STUDY:
            made = STUDY[name]() if name in STUDY else along(PRINTED[name])
            write("multiverse", name, made)
