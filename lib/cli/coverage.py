"""``coverage``: a collection -> how often intervals of tau hold the truth."""

import pandas as pd

from lib.cli import common
from lib.errors import InputError


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "coverage",
        help="a collection -> how often intervals of tau hold the truth",
        description="Simulate topics and print, as CSV, the coverage of bootstrap intervals of "
        "tau (see lib.statistics.bootstrap.coverage).",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    common.add_measures(command, "; every pair is simulated")
    common.add_counts(
        command,
        simulations=(1000, "samples of topics"),
        resamples=(400, "resamples of each sample"),
    )
    command.set_defaults(run=run)


def run(options):
    """Print the coverage, population by population."""
    from lib import load
    from lib.measures import score_tables
    from lib.statistics.bootstrap import POPULATIONS, coverage

    measures, collection = common.measures(options.measures), load(options.collection)
    common.needs(collection, "a correlation whose topics are resampled needs", systems=2, topics=2)
    tables = score_tables(collection, measures)
    if len(tables) < 2:
        raise InputError("--measures: a correlation needs two measures or more")
    found = {
        name: coverage(
            tables,
            population=name,
            simulations=options.simulations,
            number=options.resamples,
            seed=2007,
        )
        for name in POPULATIONS
    }
    common.show(pd.concat(found, names=["population"]).round(6).reset_index())
