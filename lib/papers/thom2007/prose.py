"""The numbers in the text of the chapter, a function a section: name to what is shown.

Each takes what the cells of its section computed; :func:`lib.display.prose.glue_all` hands it on
to the text.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.claims import CONSTANT, PRINT
from lib.collection import Collection
from lib.display.tables import minus_signs
from lib.measures import best, means
from lib.papers.thom2007.claims import EARLY_ONLY
from lib.papers.thom2007.official import TREATMENTS, official, official_scores
from lib.papers.thom2007.sentences import CLOSE, MUCH, STRONG, WEAK
from lib.papers.thom2007.tables import BROAD, EARLY, PAIRS, fits
from lib.published import DIFFERS, INCONCLUSIVE, NOT_PUBLIC, NOT_TESTABLE, REPRODUCED, in_words
from lib.statistics.bootstrap import read_coverage
from lib.statistics.correlation import pair_signs, tau_ap, tau_matrix
from lib.statistics.families import families as families_of

__all__ = [
    "automatic",
    "bias",
    "bpref",
    "bpref_by_treatment",
    "correlations",
    "coverage",
    "degradation",
    "early",
    "families",
    "figures",
    "halves",
    "noise",
    "rounding",
    "sentences",
    "seven",
    "table1",
    "toy",
    "treatments",
    "verdicts",
    "zero_test",
]

CROSS = [("P@1", "AP"), ("P@1", "Rprec"), ("AP", "RR")]  # pairs across the families


def verdicts(rows: pd.DataFrame) -> dict[str, str]:
    """Count what is reproduced, closed and decided by print, from the rows of the ledger."""
    on_data = ~rows["evidence"].isin([PRINT, CONSTANT])
    return {
        "rows-data": str(((rows["verdict"] == REPRODUCED) & on_data).sum()),
        "rows-print": str((rows["evidence"] == PRINT).sum()),
        "rows-closed": str((rows["verdict"] == NOT_PUBLIC).sum()),
        "rows-untestable": str((rows["verdict"] == NOT_TESTABLE).sum()),
        "rows-differ": in_words((rows["verdict"] == DIFFERS).sum()),
        "rows-all": str(len(rows)),
    }


def toy(scores: pd.DataFrame, by_words: pd.Series) -> dict[str, str]:
    """Return C's AP as it is and as the paper words it, and both directions of tau-AP."""
    one, other = scores["P@1"], scores["AP"]
    first, second = (tau_ap(*pair, symmetric=False) for pair in ((one, other), (other, one)))
    return {
        "toy-ap": f"{other['C']:.2f}",
        "toy-ap-returned": f"{by_words['C']:.2f}",
        "toy-tau-ap": f"{first:.0f}",
        "toy-tau-ap-back": f"{second:.2f}".replace("-", "\u2212"),
    }


def table1(compared: pd.DataFrame) -> dict[str, str]:
    """Count the cells of Table 1 by verdict, from the table that stands there."""
    counts = compared["verdict"].value_counts()
    return {
        "cells-reproduced": in_words(counts.get(REPRODUCED, 0)),
        "cells-closed": in_words(counts[NOT_PUBLIC]),
        "cells-all": in_words(len(compared)),
    }


def seven(taus: pd.DataFrame) -> dict[str, str]:
    """Return the range of the taus across the families on both collections."""
    said = {"cross-low": f"{taus.loc[CROSS, ['TREC-8', 'TREC-COVID']].min().min():.2f}"}
    for name, label in {"TREC-8": "t", "TREC-COVID": "c"}.items():
        said[f"{label}-cross-low"] = f"{taus.loc[CROSS, name].min():.2f}"
        said[f"{label}-cross-high"] = f"{taus.loc[CROSS, name].max():.2f}"
    return said


def automatic(found: pd.DataFrame, guesses: Mapping[int, pd.DataFrame]) -> dict[str, str]:
    """Return what the automatic runs say of "weak", and how many printed taus the guesses hold.

    Parameters
    ----------
    found : DataFrame
        From :func:`lib.papers.thom2007.automatic.of_automatic`.
    guesses : dict of int to DataFrame
        The topics that residuals scatter as over, to what
        :func:`lib.papers.thom2007.automatic.filled` returned.
    """
    cross = found.loc[CROSS]
    inside = {
        topics: table["printed"].between(table["low"], table["high"]).sum()
        for topics, table in guesses.items()
    }
    return {
        "auto-cross-low": f"{cross['tau'].min():.2f}",
        "auto-cross-high": f"{cross['tau'].max():.2f}",
        "auto-cross-printed": f"{cross['printed'].max():.2f}",
        "auto-least": f"{cross['low'].min():.2f}",
        "auto-weak": in_words(int((cross["low"] < WEAK).sum())),
        "auto-cross": in_words(len(cross)),
        "auto-outside": in_words(int((cross["printed"] < cross["low"]).sum())),
        "filled-all": in_words(len(next(iter(guesses.values())))),
    } | {f"filled-{topics}": in_words(int(count)) for topics, count in inside.items()}


def treatments(table: pd.DataFrame) -> dict[str, str]:
    """Return tau(AP, RR) by treatment, and how many runs there are of each type."""
    roads = ("mix", "fifty", "complete", "zeros", "auto", "manual")
    said = {f"tau-{road}": f"{tau:.3f}" for road, tau in zip(roads, table["tau(AP, RR)"])}
    runs = official_scores().reset_index().groupby("run")
    manual = runs["type"].first() == "manual"
    few = runs["topics"].max() == 50
    return said | {
        "manual-few": str((manual & few).sum()),
        "manual-all": str(manual.sum()),
        "few-all": str(few.sum()),
    }


def figures(points: pd.DataFrame, kind: pd.Series) -> dict[str, str]:
    """Return where manual and automatic runs lie in Figure 5, and their means over 50 topics."""
    five, line = points[points["figure"] == "5"].set_index("system"), fits(points).loc["5"]
    above = five["y"] > line["intercept"] + line["slope"] * five["x"]
    said = {}
    for name in ("manual", "automatic"):
        mean = official(treatment="fifty", only=name).mean()
        said[f"{name}-ap"] = f"{mean['AP']:.2f}"
        said[f"{name}-rr"] = f"{mean['RR']:.2f}"
        said[f"above-{name}"] = f"{above[kind[above.index] == name].mean():.0%}"
    return said


def early(place: pd.DataFrame, late: pd.Series, kind: pd.Series) -> dict[str, str]:
    """Return how many of the runs that are good by RR are late by AP, and the verdict on that.

    Parameters
    ----------
    place : DataFrame (runs x RR, AP)
        Ranks.
    late : Series of bool
        The runs that are good by RR and late by AP.
    kind : Series
        Run to its type.
    """
    good = place["RR"] <= len(place) / 4
    holds = late.sum() / good.sum() > EARLY_ONLY
    return {
        "early-all": str(good.sum()),
        "early-only": in_words(late.sum()),
        "early-manual": in_words((kind[late.index][late] == "manual").sum()),
        "early-bound": f"{EARLY_ONLY:.0%}",
        "early-verdict": REPRODUCED if holds else DIFFERS,
    }


def bias(percentile: pd.DataFrame) -> dict[str, str]:
    """Return how many plain intervals miss the measured tau, and the range of the bias."""
    return {
        "outside": str((percentile["high"] < percentile["tau"]).sum()),
        "bias-low": f"{percentile['bias'].max():.3f}".replace("-", "\u2212"),
        "bias-high": f"{percentile['bias'].min():.3f}".replace("-", "\u2212"),
    }


def coverage() -> dict[str, str]:
    """Return how often intervals hold the true tau, from the committed simulation."""
    simulated = read_coverage("trec8").set_index(["one", "other"]).loc[list(PAIRS)]
    basic = simulated[simulated["method"] == "basic"].groupby("population")["coverage"]
    highest = simulated.groupby("method")["coverage"].max()
    return {
        "basic-low": f"{basic.min()['topics']:.0%}",
        "basic-high": f"{basic.max()['topics']:.0%}",
        "basic-normal": f"{basic.min()['normal']:.0%}",
        "error-max": f"{simulated['error'].max():.1%}",
        "bca-max": f"{highest['BCa']:.0%}",
        "percentile-max": f"{highest['percentile']:.0%}",
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


def noise(tables: Mapping[str, pd.DataFrame], as_good: pd.DataFrame) -> dict[str, str]:
    """Return the row of AP and RR on TREC-8, and the range of the corrected taus.

    And on both collections how far AP is behind RR in telling RR, with the error over topics.
    """
    row = tables["TREC-8"].loc[("AP", "RR")]
    corrected = pd.DataFrame({name: table["corrected"] for name, table in tables.items()})
    behind = {
        f"as-good-{label}": _difference(as_good.loc[name])
        for label, name in {"8": "TREC-8", "c": "TREC-COVID"}.items()
    }
    return (
        behind
        | {f"noise-{key}": f"{row[key]:.2f}" for key in row.index}
        | {
            "corrected-low": f"{corrected.loc[CROSS].min().min():.2f}",
            "corrected-high": f"{corrected.loc[CROSS].max().max():.2f}",
            "corrected-within": f"{corrected.loc[[EARLY, BROAD]].min().min():.2f}",
        }
    )


def _difference(row: pd.Series) -> str:
    """Return a difference with its interval."""
    return minus_signs(f"{row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]")


def sentences(told: pd.DataFrame) -> dict[str, str]:
    """Count what two collections say of the paper's sentences, from the table of them."""
    said = {"sentences": str(len(told))}
    for label, name in {"8": "TREC-8", "c": "TREC-COVID"}.items():
        counts = told[name, "told"].value_counts()
        said[f"hold-{label}"] = in_words(counts.get("holds", 0))
        said[f"not-{label}"] = in_words(counts.get("does not hold", 0))
        said[f"open-{label}"] = in_words(counts.get(INCONCLUSIVE, 0))
    between = "P@10 lies between the two families"
    return said | {
        "between-8": told.loc[between, ("TREC-8", "difference")],
        "between-c": told.loc[between, ("TREC-COVID", "difference")],
        "far-margin": f"{MUCH:.1f}",
    }


def families(
    official: pd.DataFrame, tau: Mapping[str, pd.DataFrame], survival: pd.DataFrame
) -> dict[str, str]:
    """Return who is in which of two families, and when these come apart.

    Parameters
    ----------
    official : DataFrame (runs x measures)
    tau : dict of str to DataFrame
        Of many measures, by the title of the collection.
    survival : DataFrame
        Of :func:`lib.papers.thom2007.noise.family_test`.
    """
    of_official = families_of(tau_matrix(official, variant="b"), clusters=2)
    with_rr = of_official.index[of_official == of_official["RR"]]
    members = families_of(tau["TREC-8"], clusters=2)
    early = members.index[members == members["RR"]]
    covid = families_of(tau["TREC-COVID"], clusters=2)
    odd = covid.index[covid == covid.value_counts().idxmin()]
    said = {
        "tb-early": " and ".join(sorted(with_rr)),
        "tb-rest": ", ".join(sorted(of_official.index.difference(with_rr))),
        "early-8": ", ".join(sorted(early)),
        "p10-with": "AP" if members["P@10"] == members["AP"] else "RR",
    }
    for label, name in {"8": "TREC-8", "c": "TREC-COVID"}.items():
        said[f"survives-{label}"] = f"{survival.loc['survives', name]:.1%}"
        said[f"single-{label}"] = f"{survival.loc['single', name]:.0f}"
        said[f"apart-{label}"] = f"{survival.loc['average', name]:.0f}"
    return said | {"odd-c": " and ".join(sorted(odd))}


def bpref(taus: pd.DataFrame) -> dict[str, str]:
    """Return how closely bpref mirrors AP, from the tables of ``mirror`` by runs."""
    own = taus.loc["Terabyte 2006"]
    said = {"bp-ap": f"{own.loc['AP', 'Bpref']:.3f}"}
    for label, other in {"rr": "RR", "p10": "P@10", "p100": "P@100"}.items():
        said[f"bp-{label}"] = f"{own.loc[other, 'Bpref']:.3f}"
        said[f"ap-{label}"] = f"{own.loc[other, 'AP']:.3f}"
    eight, covid = (taus.loc[name].drop("AP") for name in ("TREC-8", "TREC-COVID"))
    return said | {
        "bp-ap-8": f"{taus.loc[('TREC-8', 'AP'), 'Bpref']:.3f}",
        "bp-ap-c": f"{taus.loc[('TREC-COVID', 'AP'), 'Bpref']:.3f}",
        "mirror-8": in_words(((eight["low"] < 0) & (eight["high"] > 0)).sum()),
        "level-8": in_words(((eight["low"] > -CLOSE) & (eight["high"] < CLOSE)).sum()),
        "mirror-all": in_words(len(eight)),
        "mirror-c": in_words((covid["high"] < 0).sum()),
        "covid-most": f"{covid['difference'].abs().max():.2f}",
        "close": f"{CLOSE:.2f}",
        "strong": f"{STRONG}",
    }


def bpref_by_treatment(table: pd.DataFrame) -> dict[str, str]:
    """Return how far bpref's tau with RR is from AP's, over topics that all runs have."""
    apart = table["with RR"].astype(float)
    within = table[f"within {CLOSE:g}"] == "RR, P@10"
    rows = {"fifty": TREATMENTS["fifty"], "complete": TREATMENTS["complete"]}
    return {
        "bp-ways": in_words(len(table)),
        "bp-within": in_words(within.sum()),
        "bp-verdict": REPRODUCED if within[TREATMENTS["mixture"]] else DIFFERS,
        **{f"bp-{name}": minus_signs(f"{apart[text]:+.3f}") for name, text in rows.items()},
    }


def degradation(lost: pd.DataFrame) -> dict[str, str]:
    """Return what half and a tenth of the judgements leave of the rankings."""
    at = lost.set_index(["share", "measure"])
    said = {}
    for name in ("AP", "Bpref", "nDCG"):
        said[f"tenth-{name}"] = f"{at.loc[(0.1, name), 'own']:.2f}"
        said[f"half-{name}"] = f"{at.loc[(0.5, name), 'own']:.2f}"
    return said | {
        "tenth-same": f"{at.loc[(0.1, 'Bpref'), 'same']:.2f}",
        "half-same": f"{at.loc[(0.5, 'Bpref'), 'same']:.2f}",
        "tenth-all": f"{at.loc[(0.1, 'Bpref'), 'all']:.2f}",
        "tenth-ap-all": f"{at.loc[(0.1, 'AP'), 'all']:.2f}",
    }


def correlations(table: pd.DataFrame) -> dict[str, str]:
    """Return tau(AP, RR) of the paper's runs by coefficient, and how coefficients differ."""
    own = table.loc["Terabyte 2006"].loc[("AP", "RR")]
    drop = table["tau-b"] - table["tau-AP"]
    return {
        "tb-first": f"{own['tau-AP, first is the truth']:.2f}",
        "tb-second": f"{own['tau-AP, second is the truth']:.2f}",
        "tb-ap": f"{own['tau-AP']:.2f}",
        "tb-b": f"{own['tau-b']:.2f}",
        "drop-low": f"{drop.min():.2f}",
        "drop-high": f"{drop.max():.2f}",
        "a-b": f"{(table['tau-b'] - table['tau-a']).max():.3f}",
    }


def rounding(taus: pd.DataFrame, ties: pd.DataFrame) -> dict[str, str]:
    """Return what float noise does to the ties of P@10 and to tau, on TREC-8."""
    of_p10, shift = ties.loc["P@10", "TREC-8"], taus["TREC-8"]
    return {
        "ties-all": str(of_p10["tied"]),
        "ties-broken": str(of_p10["broken"]),
        "shift": f"{(shift['10 digits'] - shift['not rounded']).abs().max():.4f}",
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
