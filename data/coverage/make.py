"""Make the tables of this folder: how often intervals hold the truth, where it is known.

    python data/coverage/make.py

Half an hour.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.webber2008 import tables as webber2008
from chapters.webber2008.tables import COMPLEX, SIMPLE, kept_scores
from lib.collection import load, load_scores
from lib.conventions import ALPHA, DECIMALS, SHARE
from lib.intervals import Interval
from lib.measures import Scores, best, complete_scores
from lib.statistics import bootstrap
from lib.statistics.bootstrap import METHODS, bootstrap_tau
from lib.statistics.correlation import taus_of_rows
from lib.statistics.jackknife import grouped, groups, jackknife
from lib.statistics.predictivity import (
    more_topics,
    predictivity,
    splits,
    stack,
    taus_of_splits,
    without_topics,
)
from lib.statistics.significance import discriminative_power
from lib.tasks import task

MEASURES = ["P@1", "AP", "RR", "P@10", "Rprec"]


def of_tau(collection, measures=MEASURES, **options):
    """Return how often bootstrap intervals of tau hold it, in each kind of population."""
    tables = complete_scores(collection, measures)
    found = {name: coverage(tables, name, seed=2007, **options) for name in bootstrap.RESAMPLED}
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


# The intervals of chapters 1 and 5, from sets of topics of a population that is known.

WITHOUT = ("one", "fifth")  # topic at a time; a random fifth of them, all fifths of ten partings
POPULATIONS = ("robust04", "trec5", "trec8")
TOPICS = 50  # in a set, of which halves predict each other
REFERENCE = "P@10"  # what the others are compared with

Key: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True)
class Population:
    """Topics that sets can be drawn from."""

    scores: Mapping[str, Scores]
    simulated: bool

    def draw(self, rng: np.random.Generator, *, topics: int = TOPICS) -> dict[str, Scores]:
        """Return the scores of a set of topics."""
        values = stack(self.scores)
        if self.simulated:
            values = more_topics(values, topics, rng).round(DECIMALS)
        else:
            values = values[:, rng.permutation(values.shape[1])[:topics]]
        return {name: pd.DataFrame(table) for name, table in zip(self.scores, values)}

    def correction(self, *, topics: int = TOPICS) -> float:
        r"""Return by what the error of a set is smaller because it is a part of all.

        :math:`\sqrt{1 - n/N}` for n of N topics; 1 where there is no end of them.
        """
        every = len(next(iter(self.scores.values())))
        return 1.0 if self.simulated else float(np.sqrt(1 - topics / every))


def population(name: str) -> Population:
    """Return one of :data:`POPULATIONS`, the best 75% of its systems by AP."""
    if name == "robust04":
        tables = load_scores(name)
        kept = best(tables["AP"].mean(), SHARE)
        return Population({of: tables[of][kept] for of in ("P@10", "AP")}, simulated=False)
    return Population(kept_scores(load(name), webber2008.MEASURES), simulated=True)


def _keys(names: Sequence[str]) -> list[Key]:
    """List what is asked: (quantity, measure, other)."""
    simple, complex_ = ([n for n in names if n in kind] for kind in (SIMPLE, COMPLEX))
    others = [name for name in names if name != REFERENCE]
    return [
        *(("prediction", a, b) for b in simple for a in complex_),
        *(("consistency", a, a) for a in names),
        *(("power", a, REFERENCE) for a in others),
        *(("agreement", a, REFERENCE) for a in others),
    ]


def _answers(keys: Sequence[Key], phi: np.ndarray, scores: Mapping[str, Scores]) -> np.ndarray:
    """Return each quantity, from phi (measures x measures) and the scores of all topics."""
    place = {name: i for i, name in enumerate(scores)}
    tables = stack(scores)
    power = [discriminative_power(table, alpha=ALPHA) for table in tables]
    mean = tables.mean(axis=1).round(DECIMALS)
    tau = np.nan_to_num(taus_of_rows(mean, mean, variant="b"))
    found = []
    for quantity, measure, other in keys:
        a, b = place[measure], place[other]
        found.append(
            {
                "prediction": phi[a, b] - phi[b, b],
                "consistency": phi[a, a],
                "power": power[a] - power[b],
                "agreement": tau[a, b],
            }[quantity]
        )
    return np.array(found)


def _intervals(
    scores: Mapping[str, Scores], number: int, rng: np.random.Generator
) -> dict[str, Interval]:
    """Return all quantities from one set of topics, with their intervals by each method."""
    keys, topics = _keys(list(scores)), len(next(iter(scores.values())))
    sets = splits(topics, number=number, rng=rng)
    whole = _answers(keys, predictivity(scores, sets).phi.to_numpy(), scores)

    def without(parts):
        phis = without_topics(scores, sets, parts)
        return [
            _answers(keys, phi, {name: table.drop(index=part) for name, table in scores.items()})
            for phi, part in zip(phis, parts)
        ]

    partings = groups(topics, rng=rng)
    return {
        "one": jackknife(whole, without(np.arange(topics)[:, np.newaxis])),
        "fifth": grouped(whole, [without(parting) for parting in partings], topics=topics),
    }


def _halves(scores: Mapping[str, Scores]) -> np.ndarray:
    """Return all quantities from one set of topics, phi from a single pair of halves."""
    values = stack(scores)
    apart = np.arange(2 * (values.shape[1] // 2)).reshape(1, 2, -1)
    phi = np.nan_to_num(taus_of_splits(values, apart, "b", DECIMALS)[0])
    return _answers(_keys(list(scores)), phi, scores)


def _index(scores: Mapping[str, Scores]) -> pd.MultiIndex:
    return pd.MultiIndex.from_tuples(_keys(list(scores)), names=["quantity", "measure", "other"])


def truth(given: Population, *, sets: int = 5000, seed: int) -> pd.DataFrame:
    """Return what is true of a population, as the mean over many sets of topics."""
    seeds = np.random.SeedSequence(seed).spawn(sets)
    found = np.array(Parallel()(task(_halves, given.draw(np.random.default_rng(s))) for s in seeds))
    error = found.std(axis=0, ddof=1) / np.sqrt(sets)
    return pd.DataFrame(
        {"truth": found.mean(axis=0), "truth_error": error}, index=_index(given.scores)
    )


def _simulate(given: Population, number: int, seed: np.random.SeedSequence) -> dict[str, Interval]:
    rng = np.random.default_rng(seed)
    return _intervals(given.draw(rng), number, rng)


def topic_error(
    given: Population, *, simulations: int = 500, number: int = 50, sets: int = 5000, seed: int
) -> pd.DataFrame:
    """Measure how often nominal 95% intervals over topics hold the truth."""
    if simulations < 2:
        raise ValueError(f"the number of simulations must be 2 or more, not {simulations}")
    first, second = (int(state) for state in np.random.SeedSequence(seed).generate_state(2))
    seeds = np.random.SeedSequence(first).spawn(simulations)
    found = Parallel()(task(_simulate, given, number, s) for s in seeds)
    true = truth(given, sets=sets, seed=second)
    tables = {
        method: _coverage(true, [one[method] for one in found], given.correction())
        for method in WITHOUT
    }
    order = [*true.index.names, "method"]
    long = pd.concat(tables, names=["method"]).reorder_levels(order)
    return long.loc[[(*key, method) for key in true.index for method in WITHOUT]]


def _coverage(true: pd.DataFrame, found: Sequence[Interval], correction: float) -> pd.DataFrame:
    """Set the intervals of many sets of topics beside the truth."""
    estimates, errors, ends = (
        np.array([getattr(one, part) for one in found]) for part in ("estimate", "error", "high")
    )
    reach = (ends - estimates) * correction
    held = np.abs(estimates - true["truth"].to_numpy()) <= reach + 1e-12
    share = held.mean(axis=0)
    return true.assign(
        sample=estimates.mean(axis=0),
        deviation=estimates.std(axis=0, ddof=1),
        jackknife=np.sqrt((errors**2).mean(axis=0)) * correction,
        coverage=share,
        error=np.sqrt(share * (1 - share) / len(found)),
    )


if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        write("coverage", "trec8", of_tau(load("trec8"), simulations=1000, number=400))
        errors = {name: topic_error(population(name), seed=2004) for name in POPULATIONS}
    table = pd.concat(errors, names=["population"]).round(4).reset_index()
    write("coverage", "topic-error", table)
