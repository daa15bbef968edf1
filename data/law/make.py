"""Make the tables of this folder: the law of leads, on old collections and on new ones.

    python data/law/make.py [TABLE ...]

TABLE: lists, older, seeds, foretold, power, of the sixteen that suggested it; estimates, pilots,
verdicts, beside, of those that it was registered for; growth, of all of them (the default: all, 20
minutes on one core).
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
from collections.abc import Callable

import pandas as pd

from chapters.data_tables import read, write
from chapters.elsewhere import growth, leads, sixteen

DIGITS = 6


def each(ask: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return what is asked of each of the sixteen, as one table."""
    return pd.concat([ask(name) for name in sixteen.names()], ignore_index=True)


def estimates() -> pd.DataFrame:
    """Return what each new collection says, of all runs but those left out for other causes."""
    names = [*leads.here(), leads.PRINTED]
    return pd.concat([leads.estimates_of(name, "means") for name in names], ignore_index=True)


def pilots() -> pd.DataFrame:
    """Return what the pilots of L4 foretell, and what is seen."""
    parts = {
        name: leads.forecasts(leads.hold_out_scores(name, leads.OF_LAW)) for name in ("G22", "G23")
    }
    return pd.concat(parts, names=["collection"]).reset_index(level=0)


STUDY = {
    "lists": sixteen.lists,
    "older": lambda: each(sixteen.older),
    "seeds": lambda: each(sixteen.errors_by_seed),
    "foretold": lambda: each(sixteen.foretold),
    "power": sixteen.powers,
    "estimates": estimates,
    "pilots": pilots,
    "verdicts": lambda: leads.verdict_rows(read("law", "estimates"), read("law", "pilots")),
    "beside": lambda: leads.beside(read("law", "estimates")),
    "growth": lambda: pd.concat(map(growth.growth, growth.asked_ones()), ignore_index=True),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[*STUDY], metavar="TABLE")
    for name in parser.parse_args().tables:
        write("law", name, STUDY[name]().round(DIGITS))
