"""The paper's three hypotheses, and the numbers that speak for or against each."""

import pandas as pd

from lib.collection import Collection
from lib.papers.webber2010.depth import ranks_of
from lib.papers.webber2010.evidence import Evidence

__all__ = ["HYPOTHESES", "evidence_on_hypotheses"]

HYPOTHESES = {
    "normalization": "nDCG is more stable than RBP because it is normalized",
    "depth": "nDCG is more stable because its heavy tail holds valid information",
    "reinforcement": "nDCG is more stable because evaluation beyond the pool rewards systems that "
    "resemble the pooled ones",
}


def evidence_on_hypotheses(collection: Collection) -> pd.DataFrame:
    """Return the numbers that speak for or against the paper's three hypotheses.

    Parameters
    ----------
    collection : Collection
        TREC-8.

    Returns
    -------
    DataFrame
        Columns hypothesis, evidence, value: discriminative powers, their differences, taus, ranks.
    """
    e = Evidence(collection)
    numbers = {
        "normalization": _on_normalization(e),
        "depth": _on_depth(e),
        "reinforcement": _on_reinforcement(e),
    }
    rows = [(name, *row) for name, found in numbers.items() for row in found.items()]
    return pd.DataFrame(rows, columns=["hypothesis", "evidence", "value"])


def _on_normalization(e):
    found = {}
    for adjusted, raw in (("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"), ("sDCG", "DCG")):
        gain, what = e.gain(adjusted, raw), f"{adjusted} less {raw}"
        found[f"{what}, mean of the 40 settings"] = f"{gain.mean():+.3f}"
        found[f"{what}, lowest and highest"] = f"{gain.min():+.3f} to {gain.max():+.3f}"
    return found


def _on_depth(e):
    gain = e.full[100] - e.full[5]
    in_table1 = e.own["nDCG@1000"] - e.own["RBP(p=0.8)"]
    at_100 = e.full.loc["nDCG", 100] - e.full.loc["RBP", 100]
    return {
        "gain from depth 5 to 100, lowest and highest of 12 measures": (
            f"{gain.min():+.3f} to {gain.max():+.3f}"
        ),
        "difference between them at depth 100": f"{e.spread[100]:.3f}",
        "nDCG@1000 less RBP .8 in Table 1": f"{in_table1:+.3f}",
        "nDCG less RBP at equal depth 100": f"{at_100:+.3f}",
    }


def _on_reinforcement(e):
    rank = ranks_of("READWARE", e.collection).set_index(["pool", "depth"])["rank"]
    step = e.power.loc[5, 1000] - e.power.loc[5, 100]
    fixed = {m: step[m] for m in ("nDCG", "aAP", "P", "RBP")}
    return {
        "tau of extended and deep": f"{e.tau[('extended', 'deep')]:.3f}",
        "tau of shallow and deep": f"{e.tau[('shallow', 'deep')]:.3f}",
        **{f"{m}, pool 5: depth 1000 less depth 100": f"{x:+.3f}" for m, x in fixed.items()},
        "rank of READWARE: deep, extended, 100/1000": (
            f"{rank[(100, 100)]}, {rank[(10, 100)]}, {rank[(100, 1000)]}"
        ),
    }
