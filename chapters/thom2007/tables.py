"""The paper's runs by their official means, Table 1 and Figures 1 to 7, and other coefficients.

The runs' lists are not public.  What is computed from means (systems x measures) takes them as a
table: those of the paper's runs (:func:`official_means`) or of a collection
(:func:`lib.measures.means`).

Of the 61 automatic runs the outputs of trec_eval are public, and so P@1 and R-precision over 149
topics (:func:`automatic`).  Of the 19 manual runs the official means are all that is known.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import linregress

from chapters.ledger.paper import TAU, OpenChoice
from chapters.ledger.published import REPRODUCED, beside_printed, cells, printed
from lib.collection import Collection, load_scores
from lib.collection.by_topic import restored
from lib.estimates import Estimate, ranking_taus
from lib.intervals import Interval
from lib.measures import means
from lib.paths import DATA
from lib.statistics.correlation import kendall, rbo, tau_ap, tau_matrix

TERABYTE = "terabyte06"  # the folder of its official scores

MEASURES = ("P@1", "AP", "RR", "P@10", "Rprec")
# Table 1 has P@1 and AP with each other, and with the rest.
MEASURE_PAIRS = tuple(pair for pair in combinations(MEASURES, 2) if {"P@1", "AP"} & {*pair})
INDEX = pd.MultiIndex.from_tuples(MEASURE_PAIRS, names=["one", "other"])
# Where the taus of the pairs stand in a matrix of those of MEASURES.
AT = tuple(np.array([[MEASURES.index(name) for name in pair] for pair in MEASURE_PAIRS]).T)
FIGURES = {str(number): pair for number, pair in enumerate(MEASURE_PAIRS, start=1)}
EARLY, BROAD = ("P@1", "RR"), ("AP", "Rprec")  # the two families of section 4

TREATMENTS = {
    "mixture": "149 topics where a run has them, 50 where not",
    "fifty": "the 50 topics that every run answered",
    "complete": "149 topics, only the runs that answered them",
    "zeros": "149 topics, a topic without an answer counts 0",
}

# What the paper leaves open in Table 1.
CHOICES = (
    OpenChoice("topics", "treatment", {name: name for name in TREATMENTS}),
    OpenChoice("runs", "only", {"all": None, "automatic": "automatic"}),
    TAU,
    OpenChoice("means", "decimals", {"4 decimals": 4, "3 decimals": 3, "2 decimals": 2}),
)

# trec_eval's names, in the files, and those of the book.
_IN_THE_BOOK = {
    "map": "AP",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P_100": "P@100",
    "P_1000": "P@1000",
}


def official_scores() -> pd.DataFrame:
    """Return NIST's means of each run by (run, topics); column type is automatic or manual.

    >>> scores = official_scores()
    >>> scores.groupby("topics").size().to_dict()
    {50: 80, 149: 61}
    >>> scores.loc[("zetaman", 50), ["AP", "RR"]].tolist()
    [0.2873, 0.7653]
    """
    table = pd.read_csv(DATA / TERABYTE / "official_scores.csv", dtype={"run": str})
    table = table.rename(columns=_IN_THE_BOOK).set_index(["run", "topics"])
    return table[["type", *_IN_THE_BOOK.values()]]


def kind_of_runs() -> pd.Series:
    """Return whether each of the paper's runs is manual or automatic."""
    return official_scores()["type"].groupby("run").first()


def official_means(
    *, treatment: str = "mixture", only: str | None = None, scores: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one mean score for each of the paper's runs and measure, by a way of TREATMENTS.

    The 61 automatic runs answered 149 topics, the 19 manual runs only the 50 new ones.  The paper
    does not say so, nor what it did about it; the mixture gives its numbers.

    >>> [len(official_means(treatment=name)) for name in ("mixture", "fifty", "complete", "zeros")]
    [80, 80, 61, 80]
    """
    if treatment not in TREATMENTS:
        raise ValueError(f"treatment must be one of {', '.join(TREATMENTS)}, not {treatment!r}")
    scores = official_scores() if scores is None else scores
    few, many = scores.xs(50, level="topics"), scores.xs(149, level="topics")
    if only not in (None, *few["type"]):
        raise ValueError(f"only must be 'automatic' or 'manual', not {only!r}")
    kept = few.index if only is None else few.index[few["type"] == only]
    few, many = few.drop(columns="type"), many.drop(columns="type")
    missing = few.drop(index=many.index) * (50 / 149 if treatment == "zeros" else 1)
    every = pd.concat([many, missing]).reindex(few.index)
    table = {"fifty": few, "complete": many}.get(treatment, every)
    return table[table.index.isin(kept)]


def treatments() -> pd.DataFrame:
    """Return the two computable taus of Table 1 by each way to take the means, beside the print."""
    ways = {text: official_means(treatment=name) for name, text in TREATMENTS.items()}
    for kind in ("automatic", "manual"):
        ways[f"50 topics, {kind} runs only"] = official_means(treatment="fifty", only=kind)
    rows: dict[str, dict] = {}
    for name, table in ways.items():
        rows[name] = {"runs": len(table)}
        for tau in beside_printed("thom2007", "Table 1", taus(table)).itertuples():
            rows[name][f"tau({tau.row}, {tau.column})"] = tau.reproduced
            agrees = "yes" if tau.verdict == REPRODUCED else "no"
            rows[name][f"as printed ({tau.published})"] = agrees
    return pd.DataFrame(rows).T.rename_axis("means over")


def table1(
    collection: Collection, *, variant: str = "b", decimals: int | None = 10
) -> pd.DataFrame:
    """Kendall's tau between the rankings of systems by pairs of measures: Table 1, as cells."""
    return taus(means(collection, MEASURES, decimals=decimals), variant=variant)


def on_path(
    *, treatment: str, only: str | None, variant: str, decimals: int | None
) -> pd.DataFrame:
    """Compute Table 1 from the official means on a path of :data:`CHOICES`."""
    table = official_means(treatment=treatment, only=only)
    return taus(table if decimals is None else table.round(decimals), variant=variant)


def taus(table: pd.DataFrame, *, variant: str = "b") -> pd.DataFrame:
    """Return the tau of each pair of measures that a table of means has, as cells.

    >>> cells_of = taus(official_means()).itertuples()
    >>> [(cell.row, cell.column, f"{cell.value:.4f}") for cell in cells_of]
    [('AP', 'RR', '0.3501'), ('AP', 'P@10', '0.5830')]
    """
    return cells((a, b, kendall(table[a], table[b], variant=variant)) for a, b in covered(table))


def covered(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the pairs of which a table has both measures."""
    return [pair for pair in MEASURE_PAIRS if set(pair) <= set(table)]


def fits(table: pd.DataFrame, shown: Mapping[str, tuple[str, str]] = FIGURES) -> pd.DataFrame:
    """Return tau and the line of best fit (least squares of y on x) of each figure.

    Of Figures 1 to 7, or of other pairs of measures by a name, those that a table of means has.
    """
    rows = {}
    for figure, (x, y) in shown.items():
        if {x, y} <= set(table):
            tau = kendall(table[x], table[y], variant="b")  # refuses one system, of which
            line = linregress(table[x], table[y])  # this would warn
            rows[figure] = (x, y, tau, line.slope, line.intercept)
    columns = ["x", "y", "tau", "slope", "intercept"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("figure")


def early_only(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Return the runs' ranks by RR and AP; which are good by RR, and which of these late by AP.

    Good are the best quarter, late is the lower half, where chance alone would put half.
    """
    place = table[["RR", "AP"]].rank(ascending=False)
    good = place["RR"] <= len(place) / 4
    return place, good, good & (place["AP"] > len(place) / 2)


def mirror(tau: pd.DataFrame) -> pd.DataFrame:
    """Set the taus of Bpref with other measures beside those of AP with them, and their difference.

    From taus (measures x measures).  The first row is the tau of the two with each other, which has
    no counterpart.
    """
    others = [name for name in (*MEASURES, "P@100", "P@1000") if name in tau and name != "AP"]
    frame = tau.loc[["AP", *others], ["AP", "Bpref"]]
    frame.loc["AP", "AP"] = None
    return frame.assign(difference=frame["Bpref"] - frame["AP"]).rename_axis("tau with")


def correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Correlate rankings by pairs of measures: tau-a, tau-b, symmetric tau-AP, RBO (p = 0.9)."""
    rows = {}
    for a, b in covered(table):
        x, y = table[a], table[b]
        rows[(a, b)] = {
            "tau-a": kendall(x, y, variant="a"),
            "tau-b": kendall(x, y, variant="b"),
            "tau-AP": tau_ap(x, y, symmetric=True),
            "RBO": rbo(x, y, p=0.9),
        }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])


def automatic() -> pd.DataFrame:
    """Return the means of the automatic runs of Terabyte 2006 by five measures over 149 topics.

    >>> automatic().shape
    (61, 5)
    """
    table = pd.read_csv(DATA / TERABYTE / "automatic_runs.csv", index_col="run")
    return table.rename(columns=_IN_THE_BOOK | {"P_1": "P@1"})[list(MEASURES)]


def of_automatic() -> pd.DataFrame:
    """Set the taus of the automatic runs beside those that are printed for all 80.

    With 95% intervals over topics, by the jackknife.

    >>> of_automatic().loc[("AP", "RR"), ["printed", "tau"]].round(3).tolist()
    [0.35, 0.536]
    """
    of_means = tau_matrix(automatic(), variant="b").to_numpy()[AT]
    by_topic = automatic_taus().map(lambda tau: tau.to_numpy()[AT]).interval()
    topics = Interval.of(of_means, by_topic.error, by_topic.freedom)
    table = printed("thom2007", "Table 1")
    columns = {"tau": topics.estimate, "low": topics.low, "high": topics.high}
    return pd.DataFrame(
        {"printed": [float(table.loc[pair]) for pair in MEASURE_PAIRS]} | columns, INDEX
    )


@cache
def automatic_taus(names: tuple[str, ...] = MEASURES) -> Estimate:
    """Return how alike measures rank the automatic runs, with and without each topic.

    >>> automatic_taus()["AP"]["RR"].interval().error.round(2).item()
    0.07
    """
    scores = load_scores("terabyte06-by-topic")
    scores = {name: restored(scores[name], name) for name in scores if name in (*names, "RR")}
    scores["P@1"] = (scores["RR"] == 1).astype(float)
    return ranking_taus(scores)
