"""Make the tables of this folder: the law of leads, on sixteen collections that suggested it.

    python data/law/make.py [TABLE ...]

TABLE: lists, older, seeds, foretold, power (the default: some 20 minutes on one quiet core).
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
from collections.abc import Callable

import pandas as pd

from chapters.data_tables import write
from chapters.elsewhere import sixteen

DIGITS = 6


def each(ask: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return what is asked of each of the sixteen, as one table."""
    return pd.concat([ask(name) for name in sixteen.names()], ignore_index=True)


STUDY = {
    "lists": sixteen.lists,
    "older": lambda: each(sixteen.older),
    "seeds": lambda: each(sixteen.errors_by_seed),
    "foretold": lambda: each(sixteen.foretold),
    "power": sixteen.powers,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[*STUDY], metavar="TABLE")
    for name in parser.parse_args().tables:
        write("law", name, STUDY[name]().round(DIGITS))
