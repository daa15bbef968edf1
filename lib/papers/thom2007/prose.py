"""The sentences made of numbers in the text of the chapter: name to what is shown.

Each function takes what the cells of its section computed.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.tables import minus_signs
from lib.measures import best, means
from lib.papers.thom2007.claims import CLOSE, EARLY_ONLY, PRINTED_CROSSING, STRONG
from lib.papers.thom2007.tables import BROAD, EARLY, TREATMENTS, early_only
from lib.published import DIFFERS, REPRODUCED, in_words
from lib.statistics.correlation import pair_signs, tau_ap, tau_matrix
from lib.statistics.families import families as families_of


def toy(scores: pd.DataFrame, by_words: pd.Series) -> dict[str, str]:
    """Return C's AP as it is and as the paper words it, and both directions of tau-AP."""
    one, other = scores["P@1"], scores["AP"]
    return {
        "toy-ap": f"{other['C']:.2f}",
        "toy-ap-returned": f"{by_words['C']:.2f}",
        "toy-tau-ap": f"{tau_ap(one, other, symmetric=False):.0f}",
        "toy-tau-ap-back": minus_signs(f"{tau_ap(other, one, symmetric=False):.2f}"),
    }


def early(table: pd.DataFrame, kind: pd.Series) -> dict[str, str]:
    """Return how many of the runs that are good by RR are late by AP, and the verdict on that."""
    _, good, late = early_only(table)
    holds = late.sum() / good.sum() > EARLY_ONLY
    return {
        "early-all": str(good.sum()),
        "early-only": in_words(late.sum()),
        "early-manual": in_words((kind[late.index][late] == "manual").sum()),
        "early-bound": f"{EARLY_ONLY:.0%}",
        "early-verdict": REPRODUCED if holds else DIFFERS,
    }


def zero_test(tests: pd.DataFrame) -> dict[str, str]:
    """Return the least significant tau of the paper's runs, and how many taus are significant."""
    own = tests.xs("Terabyte 2006")["significant"].astype(bool)
    return {
        "zero-verdict": REPRODUCED if own.all() else DIFFERS,
        "zero-pairs": in_words(len(own)),
        "least": f"{tests.xs('Terabyte 2006')['least'].iloc[0]:.2f}",
        "all-significant": f"{tests['significant'].astype(bool).sum()} of {len(tests)}",
    }


def corrected(tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Return the range of the corrected taus across the families, and the least within them."""
    taus = pd.DataFrame({name: table["corrected"] for name, table in tables.items()})
    across = taus.loc[PRINTED_CROSSING]
    return {
        "corrected-low": f"{across.min().min():.2f}",
        "corrected-high": f"{across.max().max():.2f}",
        "corrected-within": f"{taus.loc[[EARLY, BROAD]].min().min():.2f}",
    }


def families(official: pd.DataFrame, tau: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Return who is in which of two families, by official means and by taus of many measures."""
    of_official = families_of(tau_matrix(official, variant="b"), clusters=2)
    with_rr = of_official.index[of_official == of_official["RR"]]
    members = families_of(tau["TREC-8"], clusters=2)
    covid = families_of(tau["TREC-COVID"], clusters=2)
    return {
        "tb-early": " and ".join(sorted(with_rr)),
        "tb-rest": ", ".join(sorted(of_official.index.difference(with_rr))),
        "early-8": ", ".join(sorted(members.index[members == members["RR"]])),
        "p10-with": "AP" if members["P@10"] == members["AP"] else "RR",
        "odd-c": " and ".join(sorted(covid.index[covid == covid.value_counts().idxmin()])),
    }


def bpref(taus: pd.DataFrame, treated: pd.DataFrame) -> dict[str, str]:
    """Return how closely bpref mirrors AP: on two collections, and by ways to take means."""
    eight, covid = (taus.loc[name].drop("AP") for name in ("TREC-8", "TREC-COVID"))
    within = treated[f"within {CLOSE:g}"] == "RR, P@10"
    return {
        "mirror-8": in_words(((eight["low"] < 0) & (eight["high"] > 0)).sum()),
        "level-8": in_words(((eight["low"] > -CLOSE) & (eight["high"] < CLOSE)).sum()),
        "mirror-all": in_words(len(eight)),
        "mirror-c": in_words((covid["high"] < 0).sum()),
        "covid-most": f"{covid['difference'].abs().max():.2f}",
        "close": f"{CLOSE:.2f}",
        "strong": f"{STRONG}",
        "bp-ways": in_words(len(treated)),
        "bp-within": in_words(within.sum()),
        "bp-verdict": REPRODUCED if within[TREATMENTS["mixture"]] else DIFFERS,
    }


def halves(collection: Collection) -> dict[str, str]:
    """Return on how many pairs of systems AP and RR disagree, within halves and across them."""
    table = means(collection, ["AP", "RR"])
    better = table.index.isin(best(table["AP"], 0.5))
    first, second = np.triu_indices(len(table), k=1)
    opposed = pair_signs(table["AP"]) * pair_signs(table["RR"]) < 0
    kinds = {
        "better": better[first] & better[second],
        "worse": ~better[first] & ~better[second],
        "across": better[first] != better[second],
    }
    return {f"opposed-{name}": f"{opposed[kind].mean():.0%}" for name, kind in kinds.items()}
