"""How rankings of systems hold up when relevance judgements go missing at random."""

from pathlib import Path

import numpy as np
import pandas as pd

from lib.correlation import tau_matrix
from lib.scoring import means

__all__ = ["MEASURES", "SHARES", "degradation", "read_degradation"]

DATA = Path(__file__).resolve().parent.parent / "data" / "judged"

MEASURES = ("AP", "Bpref", "nDCG", "Rprec", "P@10", "RR")
SHARES = (1.0, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)


def degradation(collection, *, measures=MEASURES, reference="AP", shares=SHARES, repeats=20,
                seed=2004, variant="b"):
    """Correlate rankings by ever fewer judgements with rankings by all of them.

    Judgements are removed by :meth:`lib.collection.Collection.without_judgements`; within a repeat
    the sets are nested.

    Parameters
    ----------
    collection : Collection
        Derived with ``--judged`` and loaded with ``judged=True``.
    measures : sequence of str
    reference : str
        The measure that the others are compared with, one of ``measures``.
    shares : sequence of float
        Shares of the judgements to keep, each in (0, 1].
    repeats : int
        Random removals.
    seed : int
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame
        One row a share and a measure, means over the repeats.  score : mean over systems and
        topics, in the unit of the measure; own : tau with the ranking by the same measure and all
        judgements; deviation : standard deviation of ``own`` between repeats; all : tau with the
        ranking by the reference measure and all judgements; same : tau with the ranking by the
        reference measure and the same judgements.

    References
    ----------
    Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004.
    """
    if reference not in measures:
        raise ValueError(f"the reference {reference!r} is not among the measures")
    whole = means(collection, measures)
    rows = []
    for share in shares:
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, repeat])
            part = means(collection.without_judgements(share, rng=rng), measures)
            both = pd.concat({"part": part, "whole": whole}, axis=1)
            tau = tau_matrix(both, variant=variant)
            rows += [
                (share, name, part[name].mean(), tau.loc[("part", name), ("whole", name)],
                 tau.loc[("part", name), ("whole", reference)],
                 tau.loc[("part", name), ("part", reference)])
                for name in measures
            ]
    every = pd.DataFrame(rows, columns=["share", "measure", "score", "own", "all", "same"])
    grouped = every.groupby(["share", "measure"], sort=False)
    table = grouped.mean()
    table["deviation"] = grouped["own"].std(ddof=1)
    return table.reset_index()[["share", "measure", "score", "own", "deviation", "all", "same"]]


def read_degradation(name="trec8"):
    """Return what ``python -m lib incomplete`` found for a collection, as it is committed.

    Returns
    -------
    DataFrame
        Columns as of :func:`degradation`.

    Examples
    --------
    >>> len(read_degradation("trec8"))  # 10 shares, 6 measures
    60
    """
    return pd.read_csv(DATA / f"{name}.csv")
