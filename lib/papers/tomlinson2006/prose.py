"""The sentences made of numbers in the text of the chapter: name to what is shown."""

import numpy as np
import pandas as pd

from lib.display.prose import intervals
from lib.display.tables import minus_signs
from lib.papers.tomlinson2006.tables import COLLECTIONS, PAIRS, changes, ours, printed, replication
from lib.published import INCONCLUSIVE, in_words
from lib.statistics.impact import differences, joint_null


def hypothesis(found: pd.DataFrame) -> dict[str, int]:
    """Count the differences with the sign of the paper's hypothesis, and those that can be told.

    AP and P@10 rise, RR and GS10 fall.
    """
    predicted = found["measure"].isin(["MAP", "P10"]).map({True: 1, False: -1})
    same, told = found["difference"] * predicted > 0, found["outcome"].isin(["ns", "ps"])
    return {
        "agree": same.sum(),
        "decided": (same & told).sum(),
        "against": (~same & told).sum(),
        "open": (~told).sum(),
    }


def direction(found: pd.DataFrame) -> str:
    """Say how many differences have the sign that the hypothesis predicts."""
    agree, told, against, untold = hypothesis(found).values()
    return (
        f"{agree} of {len(found)} differences have the sign of the hypothesis, "
        f"{told} of them significantly; {against} differ from it "
        f"significantly; of {untold} the sign is {INCONCLUSIVE}."
    )


def verdict(first: pd.DataFrame) -> dict[str, str]:
    """Say what disagrees and what agrees; ``first``: the signs with two systems as first read."""
    s10 = _by_system("all four")["outcome"].xs("S10", level="measure")
    nf_base = _by_system("nftest")["before"].xs("S1000", level="measure").mean()
    both_halves = [
        title
        for name, title in COLLECTIONS.items()
        if changes(name)["signs"][["MAP", "GS10"]].eq("agree").all()
    ]
    return {
        "bf-s10-significant": f"{s10.isin(['ns', 'ps']).sum()}",
        "bf-nf-empty": f"{1 - nf_base:.0%}",
        "bf-cran-first": first.loc["Cranfield", "conclusively differ"].replace(", ", " and "),
        "bf-alone": " and ".join(both_halves) or "none",
        "bf-s10-paper-ns": f"{printed(2).loc['S10', 'ns']:.0f}",
        "bf-s1-paper-rises": in_words(int(printed(2).loc["S1", ["po", "ps"]].sum())),
        "bf-clarit-mrr-paper": minus_signs(f"{printed(1).loc['clarit difference', 'RR']:+.3f}"),
    }


def _by_system(name):
    """Return the impact on each system by each measure."""
    return replication(name).set_index(["system", "measure"])


def depths(points: pd.DataFrame) -> dict[str, str]:
    """Say to which depths each question's answer can be told, on all four collections."""
    rows = points[points["source"] == "all four"].set_index("k")
    success, precision = (rows[rows["measure"] == name] for name in ("Success@k", "P@k"))
    return {
        "bf-success-falls-to": f"{success.index[success['high'] < 0][-1]}",
        "bf-success-rises-from": f"{success.index[success['low'] > 0][0]}",
        "bf-precision-rises-from": f"{precision.index[precision['low'] > 0][0]}",
        "bf-success-10": intervals(success.loc[[10]], "difference").iloc[0],
    }


def together() -> dict[str, str]:
    """Say how often all systems lose GS10 by chance, for the exercise on seven coins."""
    change, rng = differences(ours("cf"), PAIRS, "GS10"), np.random.default_rng(2006)
    chances = joint_null(change, rng=rng, resamples=20_000, alpha=1)  # every fall is a loss
    return {
        "bf-all-by-coins": f"{0.5 ** len(PAIRS):.1%}",
        "bf-all-by-topics": f"{chances[len(PAIRS)]:.0%}",
    }


def natural(pairs: pd.DataFrame) -> dict[str, str]:
    """Say how the TREC-8 pairs fare, from the table of them."""
    change = pairs["difference"].unstack()
    agree = (change[["MAP", "P10"]] > 0).sum().sum() + (change[["GS10", "S10"]] < 0).sum().sum()
    untold = (pairs["low"] <= 0) & (pairs["high"] >= 0)
    return {
        "bf-natural-open": f"{untold.sum()} of {len(untold)}",
        "bf-natural-p": f"{pairs['p'].min():.2f}",
        "bf-natural-needed": f"{pairs['topics needed'].min():.0f}",
        "bf-natural-same": f"{agree}",
    }
