"""Make the tables of this folder: how often intervals hold the truth, where it is known.

    python data/coverage/make.py

Half an hour.
"""

import numpy as np
import pandas as pd
from joblib import Parallel, parallel_config

from lib.collection import load
from lib.measures import score_tables
from lib.statistics import bootstrap
from lib.statistics.bootstrap import METHODS, bootstrap_tau
from lib.statistics.predictivity import more_topics, stack
from lib.studies.committed import write
from lib.studies.topic_error import POPULATIONS, population, topic_error
from lib.tasks import task

MEASURES = ["P@1", "AP", "RR", "P@10", "Rprec"]


def of_tau(collection, measures=MEASURES, **options):
    """Return how often bootstrap intervals of tau hold it, in each kind of population."""
    tables = score_tables(collection, measures)
    found = {name: coverage(tables, name, seed=2007, **options) for name in bootstrap.POPULATIONS}
    return pd.concat(found, names=["population"]).round(6).reset_index()


def coverage(tables, population, *, simulations, number, seed):
    """Measure how often intervals of tau hold the truth, where the truth is known.

    A population of topics is made from the scores of a collection, so that the true taus are those
    of the collection.  Samples of as many topics as the collection has are drawn from it; each
    gets its intervals.
    """
    seeds = np.random.SeedSequence(seed).spawn(simulations)
    found = Parallel()(task(simulate, tables, population, number, s) for s in seeds)
    truth = bootstrap_tau(tables, number=2, rng=np.random.default_rng()).tau
    every = pd.concat(found)
    every["truth"] = np.tile(truth, len(every) // len(truth))
    every["held"] = every["truth"].between(every["low"] - 1e-12, every["high"] + 1e-12)
    every["resample"] = every["tau"] + every["bias"]
    every["width"] = every["high"] - every["low"]
    table = every.groupby(["one", "other", "method"], sort=False)[
        ["truth", "tau", "resample", "held", "width"]
    ].mean()
    table["error"] = np.sqrt(table["held"] * (1 - table["held"]) / simulations)
    return table.rename(columns={"tau": "sample", "held": "coverage"})[
        ["truth", "sample", "resample", "coverage", "error", "width"]
    ]


def simulate(tables, population, number, seed):
    """Draw one sample from a population and return its intervals by each method."""
    rng, values = np.random.default_rng(seed), stack(tables)
    topics = values.shape[1]
    if population == "topics":
        sample = values[:, rng.integers(topics, size=topics)]
    else:
        sample = more_topics(values, topics, rng)
    drawn = {name: pd.DataFrame(scores) for name, scores in zip(tables, sample)}
    result = bootstrap_tau(drawn, number=number, rng=rng)
    return pd.concat({m: result.intervals(method=m) for m in METHODS}, names=["method"])


if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        write("coverage", "trec8", of_tau(load("trec8"), simulations=1000, number=400))
        errors = {name: topic_error(population(name), seed=2004) for name in POPULATIONS}
    table = pd.concat(errors, names=["population"]).round(4).reset_index()
    write("coverage", "topic-error", table)
