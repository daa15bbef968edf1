"""The numbers in the text of the chapter, a function a section: name to what is shown.

Each takes what the cells of its section computed; :func:`lib.display.prose.say` hands the result on
to the text.
"""

from collections.abc import Mapping

import pandas as pd

from lib.papers.thom2007.official import official, official_scores
from lib.papers.thom2007.sentences import CLOSE
from lib.papers.thom2007.tables import BROAD, EARLY, PAIRS, fits
from lib.published import NOT_PUBLIC, REPRODUCED
from lib.statistics.bootstrap import read_coverage
from lib.statistics.correlation import tau_matrix
from lib.statistics.families import families as families_of

__all__ = [
    "bias",
    "bpref",
    "correlations",
    "coverage",
    "degradation",
    "families",
    "figures",
    "noise",
    "rounding",
    "seven",
    "treatments",
    "verdicts",
    "zero_test",
]

CROSS = [("P@1", "AP"), ("P@1", "Rprec"), ("AP", "RR")]  # pairs across the families


def verdicts(rows: pd.DataFrame) -> dict[str, str]:
    """Count what is reproduced and what is closed, from the rows of the ledger."""
    in_table = rows[(rows["place"] == "Table 1") & (rows["kind"] == "table")]
    counts = in_table["verdict"].value_counts()
    return {
        "cells-reproduced": str(counts[REPRODUCED]),
        "cells-closed": str(counts[NOT_PUBLIC]),
        "cells-all": str(len(in_table)),
        "rows-closed": str((rows["verdict"] == NOT_PUBLIC).sum()),
        "rows-all": str(len(rows)),
    }


def seven(taus: pd.DataFrame) -> dict[str, str]:
    """Return the range of the taus across the families on both collections."""
    said = {}
    for name, label in {"TREC-8": "t", "TREC-COVID": "c"}.items():
        said[f"{label}-cross-low"] = f"{taus.loc[CROSS, name].min():.2f}"
        said[f"{label}-cross-high"] = f"{taus.loc[CROSS, name].max():.2f}"
    return said


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
    return {
        "least": f"{tests.xs('Terabyte 2006')['least'].iloc[0]:.2f}",
        "all-significant": f"{tests['significant'].astype(bool).sum()} of {len(tests)}",
    }


def noise(tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Return the row of AP and RR on TREC-8, and the range of the corrected taus."""
    row = tables["TREC-8"].loc[("AP", "RR")]
    corrected = pd.DataFrame({name: table["corrected"] for name, table in tables.items()})
    return {f"noise-{key}": f"{row[key]:.2f}" for key in row.index} | {
        "corrected-low": f"{corrected.loc[CROSS].min().min():.2f}",
        "corrected-high": f"{corrected.loc[CROSS].max().max():.2f}",
        "corrected-within": f"{corrected.loc[[EARLY, BROAD]].min().min():.2f}",
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
    return said | {
        "bp-ap-8": f"{taus.loc[('TREC-8', 'AP'), 'Bpref']:.3f}",
        "bp-ap-c": f"{taus.loc[('TREC-COVID', 'AP'), 'Bpref']:.3f}",
        "covid-most": f"{taus.loc['TREC-COVID', 'difference'].abs().max():.2f}",
        "close": f"{CLOSE:.2f}",
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
