"""The seven correlations on the 61 automatic runs, and what they leave open for all 80.

Of the automatic runs the outputs of trec_eval are public, and so P@1 and R-precision over 149
topics.  Of the 19 manual runs the official means are all that is known.  They bound P@1, since the
reciprocal rank of a topic is 1 where the first document is relevant and at most 1/2 where it is
not; and a regression on the automatic runs guesses what is missing.
"""

import numpy as np
import pandas as pd

from lib.papers.thom2007.tables import FOLDER, IN_THE_BOOK, MEASURES, PAIRS, official, taus
from lib.published import lookup, printed
from lib.statistics.correlation import kendall
from lib.statistics.jackknife import jackknife

KNOWN = ["RR", "P@10", "AP"]  # of every run
MISSING = ["P@1", "Rprec"]  # of the manual runs
INCOMPLETE = [pair for pair in PAIRS if set(pair) & set(MISSING)]
FEW, ALL = 50, 149  # topics of a manual run and of an automatic one
ROUNDED = 0.00005  # half of the last digit of a mean


def automatic() -> pd.DataFrame:
    """Return the means of the automatic runs of Terabyte 2006 by five measures over 149 topics.

    Examples
    --------
    >>> automatic().shape
    (61, 5)
    """
    table = pd.read_csv(FOLDER / "automatic_runs.csv", index_col="run")
    return table.rename(columns=IN_THE_BOOK | {"P_1": "P@1"})[list(MEASURES)]


def of_automatic() -> pd.DataFrame:
    """Set the taus of the automatic runs beside those that are printed for all 80.

    The interval is over *runs*, by the jackknife: other runs of the same kind on the same topics.
    It says nothing of other topics.

    Examples
    --------
    >>> of_automatic().loc[("AP", "RR"), ["printed", "tau"]].round(3).tolist()
    [0.35, 0.536]
    """
    table = automatic()
    tau = lookup(taus(table))
    without = [lookup(taus(table.drop(index=run))) for run in table.index]
    interval = jackknife(tau.to_numpy(), [part.to_numpy() for part in without])
    columns = {"printed": _printed(), "tau": tau, "low": interval.low, "high": interval.high}
    return pd.DataFrame(columns).rename_axis(["one", "other"])


def _printed():
    table = printed("thom2007", "Table 1")
    return pd.Series({pair: float(table.loc[pair]) for pair in PAIRS})


def filled(*, topics: int = 50, number: int = 1000, seed: int = 2007) -> pd.DataFrame:
    """Guess the taus of all 80 runs: a regression fills in P@1 and R-precision of the manual ones.

    Time and again the automatic runs are drawn with replacement, P@1 and R-precision are regressed
    on RR, P@10 and AP, and a manual run gets what that says of its own means, and the residual of
    some automatic run, as much larger as a mean over 50 topics scatters more than one over 149.
    P@1 is rounded to whole topics, within the bounds that RR leaves.

    Residuals scatter as over so many ``topics``.  If all of a residual is chance of the topics, 50
    is right for manual runs; if none of it is, 149, which leaves residuals as they are.  Columns
    tau, low and high are the median of the draws and the middle 95% of them.  They hold if manual
    runs are like automatic ones in how the measures go together, which nobody can check here.
    """
    rng, known = np.random.default_rng(seed), automatic()
    every = official(treatment="mixture")
    manual = every.drop(index=known.index)
    wider = np.sqrt(ALL / topics)
    draws = []
    for _ in range(number):
        guess = manual[KNOWN].join(_guess(known, manual, wider, rng))
        table = pd.concat([known, guess[list(MEASURES)]])
        draws.append([kendall(table[a], table[b], variant="b") for a, b in INCOMPLETE])
    low, middle, high = np.quantile(draws, [0.025, 0.5, 0.975], axis=0)
    index = pd.MultiIndex.from_tuples(INCOMPLETE, names=["one", "other"])
    columns = {"printed": _printed()[INCOMPLETE], "tau": middle, "low": low, "high": high}
    return pd.DataFrame(columns, index)


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
    whose order that leaves open is counted against, and then for, the agreement (tau-b).

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
    signs = {measure: _signs(low[measure], high[measure]) for measure in MEASURES}
    rows = {}
    for pair in INCOMPLETE:
        least, most = _tau_between(*(signs[measure] for measure in pair))
        rows[pair] = {"printed": _printed()[pair], "least": least, "most": most}
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
