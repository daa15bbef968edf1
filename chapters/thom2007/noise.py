"""How far the correlations of Table 1 may be trusted: tests, intervals, noise."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, norm

from chapters.thom2007.tables import AT, BROAD, EARLY, INDEX, MEASURE_PAIRS, MEASURES, covered
from lib.collection import Collection
from lib.measures import complete_scores, means
from lib.paths import DATA
from lib.statistics.bootstrap import METHODS, RESAMPLED, bootstrap_tau
from lib.statistics.correlation import tau_matrix, without_noise
from lib.statistics.predictivity import predictivity, splits

TEST_LEVEL = 0.01  # of the paper


# Measures of many kinds, binary as in the paper; labels leave out what all of them share.
_NAMES = (
    "P@1 P@5 P@10 P@20 P@100 P@1000 RR Success@5 Success@10 GS10 IPrec@0.0 IPrec@0.1 IPrec@0.5 "
    "RBP(p=0.5) RBP(p=0.8) RBP(p=0.95) nDCG(gain=binary)@10 nDCG(gain=binary) AP GMAP Rprec Bpref "
    "R@100 R@1000"
).split()
NOISE_MEASURES = {name.replace("(gain=binary)", ""): name for name in _NAMES}


def zero_test(table: pd.DataFrame) -> pd.DataFrame:
    """Test two-sided for each pair of measures of a table of means that tau is zero, as the paper.

    Columns tau (b), p and significant.
    """
    tests = {(a, b): kendalltau(table[a], table[b], variant="b") for a, b in covered(table)}
    frame = pd.DataFrame(tests, ["tau", "p"]).T.rename_axis(["one", "other"])
    return frame.assign(significant=frame["p"] < TEST_LEVEL)


def least_significant(systems: int) -> float:
    """Return about the smallest tau that so many systems make significant, two-sided.

    From the normal approximation without ties.

    >>> round(least_significant(80), 3)
    0.196
    """
    n = systems
    return float(norm.isf(TEST_LEVEL / 2) * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1))))


def noise(collection: Collection, *, number: int = 500, seed: int = 2007) -> pd.DataFrame:
    """Set the tau of two measures on the same topics beside what other topics would say.

    Columns tau: of both measures on all topics; across: mean tau of one on one half of the topics
    with the other on the other half, over random splits; one_self, other_self: the same of each
    measure with itself; corrected: ``across`` without their noise, by
    :func:`~lib.statistics.correlation.without_noise`.

    References
    ----------
    Webber et al. 2008 (splits).
    """
    tables = complete_scores(collection, MEASURES)
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    phi = predictivity(tables, sets, variant="b").phi.to_numpy()
    tau, (one, other) = tau_matrix(means(collection, MEASURES), variant="b").to_numpy(), AT
    columns = {
        "tau": tau[AT],
        "across": phi[AT],
        "one_self": phi[one, one],
        "other_self": phi[other, other],
        "corrected": without_noise(phi)[AT],
    }
    return pd.DataFrame(columns, INDEX)


def taus_of_many(collection: Collection) -> pd.DataFrame:
    """Return the matrix of tau-b of the measures in :data:`NOISE_MEASURES`, with their labels."""
    return tau_matrix(means(collection, NOISE_MEASURES), variant="b")


def family_test(
    collections: Mapping[str, Collection],
    *,
    families: tuple[tuple[str, str], tuple[str, str]] = (EARLY, BROAD),
    number: int = 1000,
    seed: int = 2007,
) -> pd.DataFrame:
    """Ask whether two families of two measures survive on other collections and other topics.

    By default the paper's; any two pairs of neighbours on a line pass, too.  A column a collection.
    within: the smaller tau within them; between: the largest tau of a measure of one family with
    one of the other; survives: the share of resamples of topics in which ``within`` is above
    ``between``.
    """
    columns = {}
    for name, collection in collections.items():
        tables = complete_scores(collection, (*families[0], *families[1]))
        result = bootstrap_tau(tables, number=number, rng=np.random.default_rng(seed))
        inside = np.array([pair in families for pair in result.tau.index])
        lowest = result.replicates[:, inside].min(axis=1)
        highest = result.replicates[:, ~inside].max(axis=1)
        columns[name] = {
            "within": result.tau[inside].min(),
            "between": result.tau[~inside].max(),
            "survives": (lowest > highest).mean(),
        }
    return pd.DataFrame(columns)


def measured_coverage() -> pd.DataFrame:
    """Return the measured coverage of nominal 95% intervals, from the simulation on TREC-8."""
    table = pd.read_csv(DATA / "coverage" / "trec8.csv").pivot(
        index=["one", "other"], columns=["population", "method"], values="coverage"
    )
    order = [(population, method) for population in RESAMPLED for method in METHODS]
    return table.loc[list(MEASURE_PAIRS), order].rename_axis(columns=[None, None])
