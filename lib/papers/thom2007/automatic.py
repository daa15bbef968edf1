"""The seven correlations on the 61 automatic runs, and what they leave open for all 80.

Of the automatic runs the outputs of trec_eval are public, and so P@1 and R-precision over 149
topics.  Of the 19 manual runs the official means are all that is known.  They bound P@1, since the
reciprocal rank of a topic is 1 where the first document is relevant and at most 1/2 where it is
not; and a regression on the automatic runs guesses what is missing.
"""

import numpy as np
import pandas as pd

from lib.papers.thom2007.official import IN_THE_BOOK, official
from lib.papers.thom2007.tables import MEASURES, PAIRS, taus
from lib.paths import DATA
from lib.published import lookup, printed
from lib.statistics.correlation import kendall
from lib.statistics.jackknife import jackknife

__all__ = ["automatic", "bounds", "filled", "of_automatic"]

KNOWN = ["RR", "P@10", "AP"]  # of every run
MISSING = ["P@1", "Rprec"]  # of the manual runs
FEW, ALL = 50, 149  # topics of a manual run and of an automatic one
ROUNDED = 0.00005  # half of the last digit of a mean


def automatic() -> pd.DataFrame:
    """Return the means of the automatic runs of Terabyte 2006 over 149 topics.

    Returns
    -------
    DataFrame (runs x measures)
        P@1, AP, RR, P@10 and R-precision, in [0, 1], to four digits.

    Examples
    --------
    >>> automatic().shape
    (61, 5)
    """
    table = pd.read_csv(DATA / "terabyte06" / "automatic_runs.csv", index_col="run")
    return table.rename(columns=IN_THE_BOOK | {"P_1": "P@1"})[list(MEASURES)]


def of_automatic(*, variant: str = "b") -> pd.DataFrame:
    """Set the taus of the automatic runs beside those that are printed for all 80.

    Parameters
    ----------
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame, index (one, other)
        Columns printed, tau, low and high.  The interval is over *runs*, by the jackknife: other
        runs of the same kind on the same topics.  It says nothing of other topics.

    Examples
    --------
    >>> of_automatic().loc[("AP", "RR"), ["printed", "tau"]].round(3).tolist()
    [0.35, 0.536]
    """
    table = automatic()
    found = lookup(taus(table, variant=variant))
    without = [lookup(taus(table.drop(index=run), variant=variant)) for run in table.index]
    interval = jackknife(found.to_numpy(), [part.to_numpy() for part in without])
    return pd.DataFrame(
        {"printed": _printed(), "tau": found, "low": interval.low, "high": interval.high}
    ).rename_axis(["one", "other"])


def _printed():
    table = printed("thom2007", "Table 1")
    return pd.Series({pair: float(table.loc[pair]) for pair in PAIRS})


def filled(*, topics: int = 50, number: int = 1000, seed: int = 2007) -> pd.DataFrame:
    """Guess the taus of all 80 runs: a regression fills in P@1 and R-precision of the manual ones.

    Time and again the automatic runs are drawn with replacement, P@1 and R-precision are regressed
    on RR, P@10 and AP, and a manual run gets what that says of its own means, and the residual of
    some automatic run, as much larger as a mean over 50 topics scatters more than one over 149.
    P@1 is rounded to whole topics, within the bounds that RR leaves.

    Parameters
    ----------
    topics : int
        Residuals scatter as over so many topics.  If all of a residual is chance of the topics, 50
        is right for manual runs; if none of it is, 149, which leaves residuals as they are.
    number : int
        Draws.
    seed : int

    Returns
    -------
    DataFrame, index (one, other)
        The five pairs with a measure that is missing.  Columns printed; tau, low and high: the
        median of the draws and the middle 95% of them.  They hold if manual runs are like automatic
        ones in how P@1 and R-precision follow from the other three, which nobody can check here.
    """
    rng, known = np.random.default_rng(seed), automatic()
    every = official(treatment="mixture")
    manual = every.drop(index=known.index)
    wider = np.sqrt(ALL / topics)
    pairs = [pair for pair in PAIRS if set(pair) & set(MISSING)]
    draws = []
    for _ in range(number):
        guess = manual[KNOWN].join(_guess(known, manual, wider, rng))
        table = pd.concat([known, guess[list(MEASURES)]])
        draws.append([kendall(table[a], table[b], variant="b") for a, b in pairs])
    low, middle, high = np.quantile(draws, [0.025, 0.5, 0.975], axis=0)
    index = pd.MultiIndex.from_tuples(pairs, names=["one", "other"])
    return pd.DataFrame(
        {"printed": _printed()[pairs], "tau": middle, "low": low, "high": high}, index
    )


def _guess(known, manual, wider, rng):
    """Return P@1 and R-precision of the manual runs, drawn once."""
    drawn = known.iloc[rng.integers(len(known), size=len(known))]
    design, new = (np.column_stack([np.ones(len(t)), t[KNOWN]]) for t in (drawn, manual))
    slopes, *_ = np.linalg.lstsq(design, drawn[MISSING].to_numpy(), rcond=None)
    residuals = drawn[MISSING].to_numpy() - design @ slopes
    scatter = wider * residuals[rng.integers(len(drawn), size=len(manual))]
    guess = pd.DataFrame(new @ slopes + scatter, manual.index, MISSING)
    whole = (guess["P@1"] * FEW).round() / FEW
    guess["P@1"] = whole.clip(*_bounds_of_p1(manual))
    return guess


def _bounds_of_p1(table):
    """Return the least and the most that P@1 can be where the mean reciprocal rank is known."""
    least, most = table["RR"] - ROUNDED, table["RR"] + ROUNDED
    return (2 * least - 1).clip(lower=0), most


def bounds() -> pd.DataFrame:
    """Bound the taus of all 80 runs, whatever P@1 and R-precision of the manual runs are.

    P@1 of a manual run lies between 2 RR - 1 and RR, its R-precision anywhere.  A pair of runs
    whose order that leaves open is counted against, and then for, the agreement.

    Returns
    -------
    DataFrame, index (one, other)
        The five pairs with a measure that is missing.  Columns printed, least and most: of tau-b.

    Examples
    --------
    >>> found = bounds()
    >>> found["printed"].between(found["least"], found["most"]).tolist()
    [True, True, True, True, True]
    """
    known, every = automatic(), official(treatment="mixture")
    low = pd.concat([known, every.drop(index=known.index)[KNOWN]])
    high = low.copy()
    manual = low.index.difference(known.index)
    low.loc[manual, "P@1"], high.loc[manual, "P@1"] = _bounds_of_p1(low.loc[manual])
    low.loc[manual, "Rprec"], high.loc[manual, "Rprec"] = 0.0, 1.0
    rows = {}
    for one, other in PAIRS:
        if {one, other} & set(MISSING):
            least, most = _tau_between(*(_signs(low[m], high[m]) for m in (one, other)))
            rows[one, other] = {"printed": _printed()[one, other], "least": least, "most": most}
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])


def _signs(low, high):
    """Return the order of each pair of runs, NaN where it is open."""
    low, high = low.to_numpy(), high.to_numpy()
    first, second = np.triu_indices(len(low), 1)
    above, below = low[first] > high[second], high[first] < low[second]
    level = (
        (low[first] == high[first]) & (low[first] == low[second]) & (low[second] == high[second])
    )
    return np.select([above, below, level], [1.0, -1.0, 0.0], np.nan)


def _tau_between(one, other):
    """Return the least and the most that tau-b can be; an open pair that is tied helps neither."""
    product = np.where((one == 0) | (other == 0), 0.0, one * other)
    open_pairs, sure = np.isnan(product).sum(), np.nansum(product)
    size = np.sqrt(np.sum(one != 0) * np.sum(other != 0))
    return (sure - open_pairs) / size, (sure + open_pairs) / size
