"""Make the tables of this folder: how often intervals hold the truth, where it is known.

    python data/coverage/make.py

Half an hour.
"""

import pandas as pd
from joblib import parallel_config

from lib.collection import load
from lib.measures import score_tables
from lib.statistics import bootstrap
from lib.studies.committed import write
from lib.studies.topic_error import POPULATIONS, population, topic_error

MEASURES = ["P@1", "AP", "RR", "P@10", "Rprec"]


def of_tau(collection, measures=MEASURES, **options):
    """Return how often bootstrap intervals of tau hold it, in each kind of population."""
    tables = score_tables(collection, measures)
    found = {
        name: bootstrap.coverage(tables, population=name, seed=2007, **options)
        for name in bootstrap.POPULATIONS
    }
    return pd.concat(found, names=["population"]).round(6).reset_index()


if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        write("coverage", "trec8", of_tau(load("trec8"), simulations=1000, number=400))
        errors = {name: topic_error(population(name), seed=2004) for name in POPULATIONS}
    table = pd.concat(errors, names=["population"]).round(4).reset_index()
    write("coverage", "topic-error", table)
