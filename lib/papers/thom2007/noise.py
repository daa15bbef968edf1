"""How far the correlations of Table 1 may be trusted: tests, intervals, noise."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, norm

from lib.collection import Collection
from lib.measures import means, score_tables
from lib.papers.thom2007.tables import BROAD, EARLY, MEASURES, PAIRS, Pairs, covered
from lib.statistics.bootstrap import METHODS, POPULATIONS, bootstrap_tau, read_coverage
from lib.statistics.correlation import kendall, tau_matrix
from lib.statistics.families import LINKAGES, first_apart, without_noise
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import predictivity, splits, without_each_topic

__all__ = [
    "ALPHA",
    "MANY",
    "as_good_as_itself",
    "family_test",
    "intervals",
    "least_significant",
    "many",
    "measured_coverage",
    "noise",
    "noisy_ties",
    "rounding",
    "zero_test",
]

ALPHA = 0.01  # the level of the paper's test

# Measures of many kinds, binary as in the paper; labels leave out what all of them share.
MANY = {
    name.replace(",rel=1", "").replace("(rel=1)", ""): name
    for name in (
        "P@1",
        "P@5",
        "P@10",
        "P@20",
        "P@100",
        "P@1000",
        "RR",
        "Success@5",
        "Success@10",
        "GS10",
        "IPrec@0.0",
        "IPrec@0.1",
        "IPrec@0.5",
        "RBP(p=0.5,rel=1)",
        "RBP(p=0.8,rel=1)",
        "RBP(p=0.95,rel=1)",
        "nDCG(rel=1)@10",
        "nDCG(rel=1)",
        "AP",
        "GMAP",
        "Rprec",
        "Bpref",
        "R@100",
        "R@1000",
    )
}


def zero_test(table: pd.DataFrame, pairs: Pairs = PAIRS, *, alpha: float = ALPHA) -> pd.DataFrame:
    """Test for each pair of measures that tau is zero, as the paper does.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    pairs : sequence of (str, str)
        Those with a measure that the table lacks are left out.
    alpha : float
        Level of the test, two-sided.

    Returns
    -------
    DataFrame, index (one, other)
        tau (b), p, significant, and least: about the smallest tau that this many systems make
        significant, from the normal approximation without ties.
    """
    least = least_significant(len(table), alpha=alpha)
    rows = {}
    for a, b in covered(pairs, table):
        test = kendalltau(table[a], table[b], variant="b")
        rows[(a, b)] = {
            "tau": test.statistic,
            "p": test.pvalue,
            "significant": test.pvalue < alpha,
            "least": least,
        }
    frame = pd.DataFrame(rows).T.astype({"tau": float, "p": float, "least": float})
    return frame.rename_axis(["one", "other"])


def least_significant(systems: int, *, alpha: float = ALPHA) -> float:
    """Return about the smallest tau that so many systems make significant, two-sided.

    From the normal approximation without ties.

    >>> round(least_significant(80), 3)
    0.196
    """
    n = systems
    return float(norm.isf(alpha / 2) * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1))))


def intervals(
    collection: Collection,
    measures: Iterable[str] | Mapping[str, str] = MEASURES,
    pairs: Pairs | None = PAIRS,
    *,
    method: str = "basic",
    number: int = 1000,
    seed: int = 2007,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return bootstrap intervals, over topics, of the tau of each pair of measures.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str, or dict of label to str
    pairs : sequence of (str, str), optional
        All pairs of ``measures`` when None.
    method, level
        As for :meth:`lib.statistics.bootstrap.TauBootstrap.intervals`.
    number : int
        Resamples of the topics.
    seed : int

    Returns
    -------
    DataFrame, index (one, other)
        Columns tau, bias, low, high.
    """
    result = bootstrap_tau(
        score_tables(collection, measures), number=number, rng=np.random.default_rng(seed)
    )
    frame = result.intervals(method=method, level=level)
    return frame if pairs is None else frame.loc[list(pairs)]


def noise(
    collection: Collection,
    measures: Sequence[str] = MEASURES,
    *,
    number: int = 500,
    seed: int = 2007,
    variant: str = "b",
) -> pd.DataFrame:
    """Set the tau of measures on the same topics beside what other topics would say.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str
    number : int
        Random splits of the topics in halves.
    seed : int
    variant : {"a", "b"}

    Returns
    -------
    DataFrame, index (one, other)
        tau : of both measures on all topics; across : mean tau of one on one half of the topics
        with the other on the other half; one_self, other_self : the same of each measure with
        itself; corrected : ``across`` divided by the geometric mean of these two, the classical
        correction for attenuation (made for Pearson's correlation; here a rule of thumb).

    References
    ----------
    Spearman, The proof and measurement of association between two things, American Journal of
    Psychology 15, 1904 (correction).  Webber et al. 2008 (splits).
    """
    tables = score_tables(collection, measures)
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    phi = predictivity(tables, sets, variant=variant).phi
    corrected = pd.DataFrame(without_noise(phi.to_numpy()), phi.index, phi.columns)
    tau = tau_matrix(means(collection, measures), variant=variant)
    rows = {
        (a, b): {
            "tau": tau.loc[a, b],
            "across": phi.loc[a, b],
            "one_self": phi.loc[a, a],
            "other_self": phi.loc[b, b],
            "corrected": corrected.loc[a, b],
        }
        for a, b in PAIRS
        if a in tables and b in tables
    }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])


def as_good_as_itself(
    collection: Collection,
    one: str = "AP",
    other: str = "RR",
    *,
    number: int = 500,
    for_error: int = 100,
    seed: int = 2007,
) -> pd.Series:
    """Ask whether one measure tells another's ranking on new topics as well as the other does.

    Parameters
    ----------
    collection : Collection
    one, other : str
        Two measures.
    number : int
        Random splits of the topics in halves, those of :func:`noise`.
    for_error : int
        So many of them for the error over topics.
    seed : int

    Returns
    -------
    Series
        across, other_self : as of :func:`noise`; difference : the first less the second; low, high
        : its 95% interval over topics by the jackknife.
    """
    tables = score_tables(collection, (one, other))
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    phi = predictivity(tables, sets).phi
    without = without_each_topic(tables, sets[:for_error])
    difference = phi.iloc[0, 1] - phi.iloc[1, 1]
    found = jackknife(difference, without[:, 0, 1] - without[:, 1, 1])
    return pd.Series(
        {
            "across": phi.iloc[0, 1],
            "other_self": phi.iloc[1, 1],
            "difference": difference,
            "low": float(found.low),
            "high": float(found.high),
        }
    )


def many(collection: Collection, *, variant: str = "b") -> pd.DataFrame:
    """Return the tau matrix of the measures in :data:`MANY`, with their labels."""
    table = means(collection, MANY.values()).set_axis(list(MANY), axis=1)
    return tau_matrix(table, variant=variant)


def family_test(
    collections: Mapping[str, Collection],
    *,
    number: int = 1000,
    seed: int = 2007,
    variant: str = "b",
) -> pd.DataFrame:
    """Ask whether the paper's two families survive on other collections and other topics.

    Parameters
    ----------
    collections : dict of str to Collection
    number : int
        Resamples of topics.
    seed : int
    variant : {"a", "b"}

    Returns
    -------
    DataFrame, one column a collection
        within : the smaller of tau(P@1, RR) and tau(AP, Rprec); between : the largest tau of a
        measure of one family with one of the other; survives : the share of resamples in which
        ``within`` is above ``between``; and for each linkage the number of clusters of the
        measures in :data:`MANY` at which the two families come apart, NaN if they never do.
    """
    columns = {}
    for name, collection in collections.items():
        result = bootstrap_tau(
            score_tables(collection, (*EARLY, *BROAD)),
            number=number,
            rng=np.random.default_rng(seed),
            variant=variant,
        )
        inside = np.array([pair in (EARLY, BROAD) for pair in result.tau.index])
        lowest = result.replicates[:, inside].min(axis=1)
        highest = result.replicates[:, ~inside].max(axis=1)
        tau = many(collection, variant=variant)
        columns[name] = {
            "within": result.tau[inside].min(),
            "between": result.tau[~inside].max(),
            "survives": (lowest > highest).mean(),
            **{linkage: first_apart(tau, EARLY, BROAD, method=linkage) for linkage in LINKAGES},
        }
    return pd.DataFrame(columns, dtype=float)


def measured_coverage(pairs: Pairs = PAIRS) -> pd.DataFrame:
    """Return the measured coverage of nominal 95% intervals, from the simulation on TREC-8.

    Parameters
    ----------
    pairs : sequence of (str, str)

    Returns
    -------
    DataFrame, index (one, other), columns (population, method)
        See :func:`lib.statistics.bootstrap.coverage`.
    """
    table = read_coverage("trec8").pivot(
        index=["one", "other"], columns=["population", "method"], values="coverage"
    )
    order = [(population, method) for population in POPULATIONS for method in METHODS]
    return table.loc[list(pairs), order].rename_axis(columns=[None, None])


def rounding(
    collection: Collection,
    pairs: Pairs = PAIRS,
    *,
    decimals: Sequence[int | None] = (None, 10, 4),
    variant: str = "b",
) -> pd.DataFrame:
    """Return the tau of each pair with means rounded in several ways.

    Parameters
    ----------
    collection : Collection
    pairs : sequence of (str, str)
    decimals : sequence of int or None
        Digits that the means keep; None does not round.
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame, index (one, other), one column a rounding
    """
    columns = {}
    for digits in decimals:
        table = means(collection, MEASURES, decimals=digits)
        name = "not rounded" if digits is None else f"{digits} digits"
        columns[name] = pd.Series(
            {(a, b): kendall(table[a], table[b], variant=variant) for a, b in pairs}
        )
    return pd.DataFrame(columns).rename_axis(["one", "other"])


def noisy_ties(collection: Collection, measures: Sequence[str] = MEASURES) -> pd.DataFrame:
    """Count the pairs of systems whose means differ by float noise alone.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str

    Returns
    -------
    DataFrame, index measure
        tied : pairs of equal means when rounded to 10 digits; broken : those of them that differ
        when not rounded.
    """
    rounded, raw = means(collection, measures), means(collection, measures, decimals=None)
    first, second = np.triu_indices(len(raw), k=1)
    rows = {}
    for name in rounded:
        tied = rounded[name].to_numpy()[first] == rounded[name].to_numpy()[second]
        differ = raw[name].to_numpy()[first] != raw[name].to_numpy()[second]
        rows[name] = {"tied": tied.sum(), "broken": (tied & differ).sum()}
    return pd.DataFrame(rows).T.rename_axis("measure")
