"""``topic-error``: how often the intervals over topics hold the truth."""

import pandas as pd

from lib.cli import common
from lib.errors import InputError


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "topic-error",
        help="how often the intervals over topics hold the truth",
        description="Draw sets of topics from populations whose truth is known and print, as CSV, "
        "how often the jackknife's intervals hold it (see lib.studies.topic_error).",
    )
    command.add_argument(
        "populations",
        metavar="POPULATION",
        nargs="*",
        help="robust04, trec5 or trec8 (default: all three)",
    )
    common.add_counts(
        command,
        simulations=(500, "sets of topics that are judged"),
        splits=(50, "splits of each into halves"),
        sets=(5000, "other sets, which say what is true"),
    )
    command.set_defaults(run=run)


def run(options):
    """Print the coverage, population by population."""
    from lib.studies.topic_error import POPULATIONS, population, topic_error

    for name in options.populations:
        if name not in POPULATIONS:
            raise InputError(f"{name}: no such population; there are {', '.join(POPULATIONS)}")
    found = {
        name: topic_error(
            population(name),
            simulations=options.simulations,
            number=options.splits,
            sets=options.sets,
            seed=2004,
        )
        for name in options.populations or POPULATIONS
    }
    common.show(pd.concat(found, names=["population"]).round(4).reset_index())
