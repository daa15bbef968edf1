"""The paper's runs by their official means, Table 1 and Figures 1 to 7, and other coefficients.

The runs' lists are not public.  What is computed from means (systems x measures) takes them as a
table: those of the paper's runs (:func:`official`) or of a collection (:func:`lib.measures.means`).
"""

import pandas as pd
from scipy.stats import linregress

from lib.collection import Collection
from lib.measures import means
from lib.paths import DATA
from lib.published import REPRODUCED, cells, judge, lookup, printed
from lib.statistics.correlation import kendall, rbo, tau_ap, tau_matrix

FOLDER = DATA / "terabyte06"

MEASURES = ("P@1", "AP", "RR", "P@10", "Rprec")
PAIRS = (
    ("P@1", "AP"),
    ("P@1", "RR"),
    ("P@1", "P@10"),
    ("P@1", "Rprec"),
    ("AP", "RR"),
    ("AP", "P@10"),
    ("AP", "Rprec"),
)
FIGURES = {str(number): pair for number, pair in enumerate(PAIRS, start=1)}
EARLY, BROAD = ("P@1", "RR"), ("AP", "Rprec")  # the two families of section 4

TREATMENTS = {
    "mixture": "149 topics where a run has them, 50 where not",
    "fifty": "the 50 topics that every run answered",
    "complete": "149 topics, only the runs that answered them",
    "zeros": "149 topics, a topic without an answer counts 0",
}

# trec_eval's names, in the files, and those of the book.
IN_THE_BOOK = {
    "map": "AP",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P_100": "P@100",
    "P_1000": "P@1000",
}


def official_scores() -> pd.DataFrame:
    """Return NIST's means of each run by (run, topics); column type is automatic or manual.

    Examples
    --------
    >>> scores = official_scores()
    >>> scores.groupby("topics").size().to_dict()
    {50: 80, 149: 61}
    >>> scores.loc[("zetaman", 50), ["AP", "RR"]].tolist()
    [0.2873, 0.7653]
    """
    table = pd.read_csv(FOLDER / "official_scores.csv", dtype={"run": str})
    table = table.rename(columns=IN_THE_BOOK).set_index(["run", "topics"])
    return table[["type", *IN_THE_BOOK.values()]]


def official(
    *, treatment: str = "mixture", only: str | None = None, scores: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one mean score for each of the paper's runs and measure, by a way of TREATMENTS.

    The 61 automatic runs answered 149 topics, the 19 manual runs only the 50 new ones.  The paper
    does not say so, nor what it did about it; the mixture gives its numbers.

    Examples
    --------
    >>> [len(official(treatment=name)) for name in ("mixture", "fifty", "complete", "zeros")]
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
    ways = {text: official(treatment=name) for name, text in TREATMENTS.items()}
    for kind in ("automatic", "manual"):
        ways[f"50 topics, {kind} runs only"] = official(treatment="fifty", only=kind)
    as_printed = printed("thom2007", "Table 1")
    rows: dict[str, dict] = {}
    for name, table in ways.items():
        rows[name] = {"runs": len(table)}
        for (one, other), tau in lookup(taus(table)).items():
            text = as_printed.loc[one, other]
            agrees = judge(text, tau)[2] == REPRODUCED
            rows[name][f"tau({one}, {other})"] = tau
            rows[name][f"as printed ({text})"] = "yes" if agrees else "no"
    return pd.DataFrame(rows).T.rename_axis("means over")


def table1(
    collection: Collection | None = None,
    *,
    treatment: str = "mixture",
    only: str | None = None,
    variant: str = "b",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Kendall's tau between the rankings of systems by pairs of measures: Table 1, as cells.

    Without a collection from the official means of the paper's own 80 runs, as :func:`official`
    takes them: two of the seven pairs.

    Examples
    --------
    >>> [(cell.row, cell.column, f"{cell.value:.4f}") for cell in table1().itertuples()]
    [('AP', 'RR', '0.3501'), ('AP', 'P@10', '0.5830')]
    """
    if collection is None:
        table = official(treatment=treatment, only=only)
        return taus(table if decimals is None else table.round(decimals), variant=variant)
    return taus(means(collection, MEASURES, decimals=decimals), variant=variant)


def taus(table: pd.DataFrame, *, variant: str = "b") -> pd.DataFrame:
    """Return the tau of each pair of measures that a table of means has, as cells."""
    return cells((a, b, kendall(table[a], table[b], variant=variant)) for a, b in covered(table))


def covered(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the pairs of which a table has both measures."""
    return [pair for pair in PAIRS if set(pair) <= set(table)]


def figures(table: pd.DataFrame) -> pd.DataFrame:
    """Return the points of those of Figures 1 to 7 whose measures a table of means has."""
    shown = {number: pair for number, pair in FIGURES.items() if pair in covered(table)}
    return pd.concat(
        [points_of(table, *pair, figure=number) for number, pair in shown.items()],
        ignore_index=True,
    )


def points_of(table: pd.DataFrame, one: str, other: str, *, figure: str) -> pd.DataFrame:
    """Return the points of one figure: figure, system, of_x and of_y (measures), x, y (means)."""
    points = {"figure": figure, "system": table.index, "of_x": one, "of_y": other}
    return pd.DataFrame(points | {"x": table[one].to_numpy(), "y": table[other].to_numpy()})


def fits(points: pd.DataFrame) -> pd.DataFrame:
    """Return tau and the line of best fit (least squares of y on x) of each figure."""
    rows = {}
    for number, dots in points.groupby("figure"):
        tau = kendall(dots["x"], dots["y"], variant="b")  # refuses one system, of which
        line = linregress(dots["x"], dots["y"])  # this would warn
        rows[number] = {
            "x": dots["of_x"].iloc[0],
            "y": dots["of_y"].iloc[0],
            "tau": tau,
            "slope": line.slope,
            "intercept": line.intercept,
        }
    frame = pd.DataFrame(rows).T.rename_axis("figure")
    return frame.astype({"tau": float, "slope": float, "intercept": float})


def early_only(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Return the runs' ranks by RR and AP; which are good by RR, and which of these late by AP.

    Good are the best quarter, late is the lower half, where chance alone would put half.
    """
    place = table[["RR", "AP"]].rank(ascending=False)
    good = place["RR"] <= len(place) / 4
    return place, good, good & (place["AP"] > len(place) / 2)


def mirror(table: pd.DataFrame) -> pd.DataFrame:
    """Set the taus of Bpref with other measures beside those of AP with them, and their difference.

    The first row is the tau of the two with each other, which has no counterpart.
    """
    return mirrored(tau_matrix(table, variant="b"))


def mirrored(tau: pd.DataFrame) -> pd.DataFrame:
    """Do as :func:`mirror`, from taus (measures x measures)."""
    others = [name for name in (*MEASURES, "P@100", "P@1000") if name in tau and name != "AP"]
    frame = tau.loc[["AP", *others], ["AP", "Bpref"]]
    frame.loc["AP", "AP"] = None
    return frame.assign(difference=frame["Bpref"] - frame["AP"]).rename_axis("tau with")


def bpref_by_treatment(margins: list[float]) -> pd.DataFrame:
    """Ask by every way to take the official means whether bpref mirrors AP, within margins.

    Columns: tau of AP with bpref; by how much the tau of bpref with RR, and with P@10, is above
    that of AP with it; and for each margin the measures for which that is less.
    """
    rows = {}
    for name, text in TREATMENTS.items():
        taus = mirror(official(treatment=name))
        moved = taus.loc[["RR", "P@10"], "difference"]
        rows[text] = {
            "tau(AP, Bpref)": taus.loc["AP", "Bpref"],
            **{f"with {other}": difference for other, difference in moved.items()},
            **{
                f"within {margin:g}": ", ".join(moved.index[moved.abs() < margin]) or "neither"
                for margin in margins
            },
        }
    return pd.DataFrame(rows).T.rename_axis("means over")


def correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Correlate rankings by each pair of measures by tau-a, tau-b, tau-AP and RBO."""
    rows = {}
    for a, b in covered(table):
        x, y = table[a], table[b]
        rows[(a, b)] = {
            "tau-a": kendall(x, y, variant="a"),
            "tau-b": kendall(x, y, variant="b"),
            "tau-AP": tau_ap(x, y, symmetric=True),
            "tau-AP, first is the truth": tau_ap(y, x, symmetric=False),
            "tau-AP, second is the truth": tau_ap(x, y, symmetric=False),
            **{f"RBO, p = {p:g}": rbo(x, y, p=p) for p in (0.9, 0.95)},
        }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])
