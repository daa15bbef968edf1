"""The numbers that the text of the paper's chapter shows, a function a section.

Each returns a dict for :func:`lib.display.prose.glue_all`: name in the text to string.
"""

import pandas as pd

from lib.collection import Collection
from lib.display.tables import minus_signs
from lib.papers.webber2008 import topics
from lib.papers.webber2008.experiments import reversals
from lib.papers.webber2008.tables import DEEPER, LOW, MARGIN, MEASURES, RARE, phi
from lib.published import REPRODUCED, SAMPLING, printed
from lib.statistics.predictivity import Predictivity

__all__ = [
    "bought",
    "conflicts",
    "covid",
    "depth",
    "halving",
    "halving_of_topics",
    "leads",
    "shallower",
    "solutions",
    "table1",
    "verdict",
    "yardsticks",
]

P10, RR, RBP, AP, NDCG = MEASURES


def yardsticks() -> dict[str, str]:
    """Return the yardsticks for the words of the paper."""
    return {"margin": f"{MARGIN:.2f}", "low": f"{LOW:.1f}", "rare": f"{RARE:.0%}"}


def verdict(compared: pd.DataFrame) -> dict[str, str]:
    """Count the verdicts on the cells of Table 1, set beside the printed ones."""
    counts = compared["verdict"].value_counts()
    return {
        "cells-reproduced": str(counts[REPRODUCED]),
        "cells-sampling": str(counts[SAMPLING]),
        "cells-all": str(len(compared)),
    }


def table1(result: Predictivity) -> dict[str, str]:
    """Quote phi on TREC-8, ours and as printed."""
    quoted = {
        "rr-rr": (RR, RR),
        "ap-rr": (AP, RR),
        "ndcg-rr": (NDCG, RR),
        "rbp-rr": (RBP, RR),
        "p-p": (P10, P10),
        "ap-p": (AP, P10),
        "ap-ap": (AP, AP),
        "ndcg-ndcg": (NDCG, NDCG),
    }
    of_rr = printed("webber2008", "Table 1").loc[RR]
    return _phi(result, quoted) | {
        "error-max": f"{result.error.to_numpy().max():.4f}",
        "printed-ap-rr": of_rr[AP],
        "printed-ndcg-rr": of_rr[NDCG],
        "printed-rr-rr": of_rr[RR],
    }


def halving(simulated: pd.DataFrame) -> dict[str, str]:
    """Quote the experiment with halves and new topics."""
    deviation = simulated["deviation"]
    return {
        "halving-away": f"{(simulated['difference'].abs() / simulated['error']).max():.1f}",
        "halving-low": f"{deviation.min():.2f}",
        "halving-high": f"{deviation.max():.2f}",
    }


def halving_of_topics(real: pd.DataFrame) -> dict[str, str]:
    """Quote the same experiment with real topics: the largest difference, and how a set strays."""
    most = real.loc[real["difference"].abs().idxmax()]
    reach = 1.96 * most["error"]
    low, high = (minus_signs(f"{most['difference'] + end:+.3f}") for end in (-reach, reach))
    return {
        "halving-real": minus_signs(f"{most['difference']:+.3f}"),
        "halving-real-range": f"{low} to {high}",
        "halving-real-stray": f"{real['deviation'].max():.2f}",
    }


def leads(found: pd.DataFrame, name: str) -> dict[str, str]:
    """Quote how much better AP, nDCG and RBP predict a measure, with the interval over topics.

    Parameters
    ----------
    found : DataFrame
        Of :func:`lib.papers.webber2008.leads`.
    name : str
        Start of the names in the text, such as "p" in "p-lead-ap".
    """
    quoted = {}
    for slug, measure in (("rbp", RBP), ("ap", AP), ("ndcg", NDCG)):
        row = found.loc[measure]
        low, high = (minus_signs(f"{row[end]:+.3f}") for end in ("low", "high"))
        quoted[f"{name}-lead-{slug}"] = minus_signs(f"{row['lead']:+.3f}")
        quoted[f"{name}-range-{slug}"] = f"{low} to {high}"
    return quoted


def bought(settings: pd.DataFrame) -> dict[str, str]:
    """Quote both sides of the paper's last remark.

    Parameters
    ----------
    settings : DataFrame
        Of :func:`lib.statistics.incomplete.budget`, with P@10 to be predicted.
    """
    ordered = settings.sort_values("judgements").set_index(["measure", "topics"])
    many, few = settings["topics"].max(), sorted(settings["topics"].unique())
    quoted = {"wide": (P10, many), "close": (AP, few[-2]), "near": (AP, few[-3])}
    found = {name: ordered.loc[[key]].iloc[0] for name, key in quoted.items()}
    numbers = {"budget-topics": str(many)}
    for name, row in found.items():
        numbers |= {
            f"budget-{name}": f"{row['phi']:.3f}",
            f"budget-{name}-cost": f"{row['judgements']:,.0f}",
            f"budget-{name}-topics": str(quoted[name][1]),
        }
    ten = ordered.loc[[(AP, few[1])]]
    return numbers | {"budget-ten": f"{ten['phi'].max():.3f}", "budget-ten-topics": str(few[1])}


def conflicts(found: pd.DataFrame) -> dict[str, str]:
    """Quote what becomes of conflicts between measures."""
    simple, complex = (found[f"right, by the {x}"] for x in ("simple", "complex"))
    numbers = {"simple": simple, "complex": complex, "recur": found["recur"]}
    return {
        f"conflicts-{name}-{end}": f"{value:.0%}"
        for name, of in numbers.items()
        for end, value in (("low", of.min()), ("high", of.max()))
    }


def depth(
    shown: pd.DataFrame, kinds: pd.DataFrame, pools: pd.DataFrame, old: pd.DataFrame
) -> dict[str, str]:
    """Quote what turns the claim round on TREC-COVID, and what does not.

    Parameters
    ----------
    shown, old : DataFrame
        Of :func:`lib.papers.webber2008.by_depth`, on TREC-COVID and on TREC-8.
    kinds, pools : DataFrame
        Of :func:`lib.papers.webber2008.by_kind` on TREC-COVID, :func:`by_pool` on TREC-8.
    """
    everyone, full = kinds.loc["all"], kinds.loc["with full lists"]
    names = {"p": P10, "aap20": "aAP@20", "ndcg20": "nDCG@20", "ndcg100": "nDCG@100"}
    names |= {"ap": AP, "ndcg": NDCG}
    numbers = {f"d-{slug}": f"{everyone[name]:.3f}" for slug, name in names.items()}
    numbers |= {f"f-{slug}": f"{full[name]:.3f}" for slug, name in names.items()}
    shallow = pools.iloc[-1]
    return numbers | {
        "f-runs": f"{full['runs']:.0f}",
        "d-unjudged": f"{shown['unjudged'].iloc[-1]:.0%}",
        "d-unjudged-ten": f"{shown['unjudged'].iloc[0]:.0%}",
        "o-unjudged": f"{old['unjudged'].iloc[-1]:.0%}",
        "s-pool": str(pools.index[-1]),
        "s-ap": f"{shallow[AP]:.3f}",
        "s-p": f"{shallow[P10]:.3f}",
    }


def shallower(found: pd.DataFrame) -> dict[str, str]:
    """Quote the interval of a measure that is cut at 20."""
    low, high = (minus_signs(f"{found.loc['nDCG@20', end]:+.3f}") for end in ("low", "high"))
    return {"o-range-ndcg20": f"{low} to {high}"}


def solutions(collection: Collection, other: Collection) -> dict[str, str]:
    """Quote what the solutions of exercises say of a collection, and of another one."""
    measures = MEASURES | {"deeper": DEEPER}
    gains = {}
    for name, of in (("x-deeper", collection), ("x-deeper-other", other)):
        found = phi(of, measures).phi[NDCG]
        gains[name] = minus_signs(f"{found['deeper'] - found[RBP]:+.3f}")
    shares = {"x-share-half": 0.5, "x-share-all": 1.0}
    itself = {name: phi(collection, share=share).phi for name, share in shares.items()}
    half = collection.select(topics=collection.topics.index[::2])
    quoted = {name: f"{found.loc[P10, P10]:.2f}" for name, found in itself.items()}
    return gains | quoted | leads(topics.leads(half), "x")


def covid(collection: Collection, newer: Collection, result: Predictivity) -> dict[str, str]:
    """Quote phi on TREC-COVID, and what else the text says of the two collections."""
    quoted = {
        "c-p-p": (P10, P10),
        "c-ap-p": (AP, P10),
        "c-ndcg-p": (NDCG, P10),
        "c-rbp-p": (RBP, P10),
        "c-ap-ap": (AP, AP),
    }
    return _phi(result, quoted) | {
        "reversed": f"{reversals(collection):.1%}",
        "c-relevant": f"{newer.topics['relevant'].mean():.0f}",
        "t-relevant": f"{collection.topics['relevant'].mean():.0f}",
    }


def _phi(result, quoted):
    return {name: f"{result.phi.loc[pair]:.2f}" for name, pair in quoted.items()}
