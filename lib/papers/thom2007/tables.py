"""Table 1 and Figures 1 to 7, and other ways to correlate the same rankings.

What is computed from means (systems x measures) takes them as a table: the official ones of the
paper's runs (:func:`lib.papers.thom2007.official.official`) or those of a collection
(:func:`lib.measures.means`).
"""

from collections.abc import Sequence

import pandas as pd
from scipy.stats import linregress

from lib.collection import Collection
from lib.measures import means
from lib.papers.thom2007.official import TREATMENTS, official
from lib.published import cells
from lib.statistics.correlation import kendall, rbo, tau_ap, tau_matrix

__all__ = [
    "BROAD",
    "EARLY",
    "FIGURES",
    "MEASURES",
    "PAIRS",
    "Pairs",
    "bpref_by_treatment",
    "correlations",
    "covered",
    "figures",
    "fits",
    "mirror",
    "mirrored",
    "points_of",
    "table1",
    "taus",
]

Pairs = Sequence[tuple[str, str]]

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


def table1(
    collection: Collection | None = None,
    *,
    treatment: str = "mixture",
    only: str | None = None,
    variant: str = "b",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Kendall's tau between the rankings of systems by pairs of measures: Table 1.

    Parameters
    ----------
    collection : Collection, optional
        By default the official scores of the paper's own 80 runs, from which two of the seven
        pairs can be computed.
    treatment, only
        Of the official scores, as for :func:`~lib.papers.thom2007.official.official`.
    variant : {"a", "b"}
        Variant of tau; the paper does not say.
    decimals : int or None
        Digits of the means by which systems are ranked; None does not round.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error).

    Examples
    --------
    >>> [(cell.row, cell.column, f"{cell.value:.4f}") for cell in table1().itertuples()]
    [('AP', 'RR', '0.3501'), ('AP', 'P@10', '0.5830')]
    """
    if collection is None:
        table = official(treatment=treatment, only=only)
        return taus(table if decimals is None else table.round(decimals), variant=variant)
    return taus(means(collection, MEASURES, decimals=decimals), variant=variant)


def taus(table: pd.DataFrame, pairs: Pairs = PAIRS, *, variant: str = "b") -> pd.DataFrame:
    """Return the tau of each pair of measures that a table of means has, as cells.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    pairs : sequence of (str, str)
    variant : {"a", "b"}
    """
    return cells(
        (a, b, kendall(table[a], table[b], variant=variant)) for a, b in covered(pairs, table)
    )


def covered(pairs: Pairs, table: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the pairs of which a table has both measures."""
    return [pair for pair in pairs if set(pair) <= set(table)]


def figures(table: pd.DataFrame, numbers: Sequence[str] = tuple(FIGURES)) -> pd.DataFrame:
    """Return the points of Figures 1 to 7: the systems' means by two measures.

    Parameters
    ----------
    table : DataFrame (systems x measures)
        Mean scores, such as :func:`~lib.papers.thom2007.official.official` or
        :func:`lib.measures.means` return them.
    numbers : sequence of str
        Figures; those with a measure that the table lacks are left out.

    Returns
    -------
    DataFrame, columns figure, system, of_x, of_y, x, y
        ``of_x`` and ``of_y`` name the measures, ``x`` and ``y`` are the means.
    """
    shown = [number for number in numbers if covered([FIGURES[number]], table)]
    return pd.concat(
        [points_of(table, *FIGURES[number], figure=number) for number in shown], ignore_index=True
    )


def points_of(table: pd.DataFrame, one: str, other: str, *, figure: str) -> pd.DataFrame:
    """Return the points of one figure, in the form of :func:`figures`."""
    return pd.DataFrame(
        {
            "figure": figure,
            "system": table.index,
            "of_x": one,
            "of_y": other,
            "x": table[one].to_numpy(),
            "y": table[other].to_numpy(),
        }
    )


def fits(points: pd.DataFrame, *, variant: str = "b") -> pd.DataFrame:
    """Return tau and the line of best fit (least squares of y on x) of each figure.

    Parameters
    ----------
    points : DataFrame
        From :func:`figures`.
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame, index figure
        Columns x, y (measures), tau, slope, intercept.
    """
    rows = {}
    for number, dots in points.groupby("figure"):
        tau = kendall(dots["x"], dots["y"], variant=variant)  # refuses one system, of which
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


def mirror(
    table: pd.DataFrame, *, measure: str = "Bpref", reference: str = "AP", variant: str = "b"
) -> pd.DataFrame:
    """Set the taus of Bpref with other measures beside those of AP with them.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    measure, reference : str
        The measure that is said to mirror the reference.
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame, index other measure
        Columns reference, measure (their taus with it) and difference; the first row is the tau of
        the two with each other, which has no counterpart.
    """
    return mirrored(tau_matrix(table, variant=variant), measure=measure, reference=reference)


def mirrored(tau: pd.DataFrame, *, measure: str = "Bpref", reference: str = "AP") -> pd.DataFrame:
    """Do as :func:`mirror`, from taus: DataFrame (measures x measures)."""
    others = [
        name
        for name in (*MEASURES, "P@100", "P@1000")
        if name in tau and name not in (measure, reference)
    ]
    frame = pd.DataFrame({reference: tau.loc[others, reference], measure: tau.loc[others, measure]})
    frame["difference"] = frame[measure] - frame[reference]
    first = pd.DataFrame({measure: tau.loc[reference, measure]}, index=[reference])
    return pd.concat([first, frame])[[reference, measure, "difference"]].rename_axis("tau with")


def bpref_by_treatment(margins: Sequence[float]) -> pd.DataFrame:
    """Ask by every way to take the official means whether bpref mirrors AP.

    Parameters
    ----------
    margins : sequence of float
        What two taus that mirror each other may differ by, at most.

    Returns
    -------
    DataFrame, index means over
        Tau of AP with bpref; by how much the tau of bpref with RR, and with P@10, is above that of
        AP with it; and for each margin the measures for which that is less.
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


def correlations(
    table: pd.DataFrame, pairs: Pairs = PAIRS, *, p: Sequence[float] = (0.9, 0.95)
) -> pd.DataFrame:
    """Correlate rankings by each pair of measures in several ways.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    pairs : sequence of (str, str)
        Those with a measure that the table lacks are left out.
    p : sequence of float
        Persistence of rank-biased overlap.

    Returns
    -------
    DataFrame, index (one, other)
        tau-a, tau-b, tau-AP (symmetric, and given each measure as the truth) and RBO.
    """
    rows = {}
    for a, b in covered(pairs, table):
        x, y = table[a], table[b]
        rows[(a, b)] = {
            "tau-a": kendall(x, y, variant="a"),
            "tau-b": kendall(x, y, variant="b"),
            "tau-AP": tau_ap(x, y, symmetric=True),
            "tau-AP, first is the truth": tau_ap(y, x, symmetric=False),
            "tau-AP, second is the truth": tau_ap(x, y, symmetric=False),
            **{f"RBO, p = {value:g}": rbo(x, y, p=value) for value in p},
        }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])
