"""Thom and Scholer, A Comparison of Evaluation Measures Given How Users Perform on Search Tasks.

ADCS 2007.  How much do rankings of systems by different measures agree?  The paper correlates five
measures over the 80 runs of the TREC 2006 Terabyte ad hoc task.  Of these runs only official means
are public, and P@1 and R-precision are not among them: two of the seven correlations of Table 1
can be computed from the paper's own runs, all seven from any collection at hand.
"""

import pandas as pd
from scipy.stats import linregress

from lib.measures import means
from lib.papers.thom2007.official import official
from lib.published import cells
from lib.statistics.correlation import kendall, tau_ap, tau_matrix
from lib.statistics.rank_overlap import rbo

__all__ = ["FIGURES", "MEASURES", "PAIRS", "correlations", "figures", "fits", "mirror", "table1"]

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


def table1(collection=None, *, treatment="mixture", variant="b", decimals=10):
    """Kendall's tau between the rankings of systems by pairs of measures: Table 1.

    Parameters
    ----------
    collection : Collection, optional
        By default the official scores of the paper's own 80 runs, from which two of the seven
        pairs can be computed.
    treatment : str
        One of :data:`TREATMENTS`, for the official scores.
    variant : {"a", "b"}
        Variant of tau; the paper does not say.
    decimals : int or None
        Digits of the means by which the systems of a collection are ranked; None does not round.

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
        table = official(treatment=treatment)
    else:
        table = means(collection, MEASURES, decimals=decimals)
    return cells(
        (a, b, kendall(table[a], table[b], variant=variant), 0.0)
        for a, b in PAIRS
        if a in table and b in table
    )


def figures(table, numbers=tuple(FIGURES)):
    """Return the points of Figures 1 to 7: the systems' means by two measures.

    Parameters
    ----------
    table : DataFrame (systems x measures)
        Mean scores, such as :func:`official` or :func:`lib.measures.scores.means` return them.
    numbers : sequence of str
        Figures; those with a measure that the table lacks are left out.

    Returns
    -------
    DataFrame, columns figure, system, of_x, of_y, x, y
        ``of_x`` and ``of_y`` name the measures, ``x`` and ``y`` are the means.
    """
    shown = [(n, *FIGURES[n]) for n in numbers if set(FIGURES[n]) <= set(table)]
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "figure": n,
                    "system": table.index,
                    "of_x": a,
                    "of_y": b,
                    "x": table[a].to_numpy(),
                    "y": table[b].to_numpy(),
                }
            )
            for n, a, b in shown
        ],
        ignore_index=True,
    )


def fits(points, *, variant="b"):
    """Return tau and the line of best fit (least squares of y on x) of each figure.

    Parameters
    ----------
    points : DataFrame
        From :func:`figures`.

    Returns
    -------
    DataFrame, index figure
        Columns x, y (measures), tau, slope, intercept.
    """
    rows = {}
    for number, dots in points.groupby("figure"):
        line = linregress(dots["x"], dots["y"])
        rows[number] = {
            "x": dots["of_x"].iloc[0],
            "y": dots["of_y"].iloc[0],
            "tau": kendall(dots["x"], dots["y"], variant=variant),
            "slope": line.slope,
            "intercept": line.intercept,
        }
    return (
        pd.DataFrame(rows)
        .T.rename_axis("figure")
        .astype({"tau": float, "slope": float, "intercept": float})
    )


def mirror(table, *, measure="Bpref", reference="AP", variant="b"):
    """Set the taus of Bpref with other measures beside those of AP with them.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    measure, reference : str
        The measure that is said to mirror the reference.

    Returns
    -------
    DataFrame, index other measure
        Columns reference, measure (their taus with it) and difference; the first row is the tau of
        the two with each other, which has no counterpart.
    """
    tau = tau_matrix(table, variant=variant)
    others = [
        name
        for name in (*MEASURES, "P@100", "P@1000")
        if name in table and name not in (measure, reference)
    ]
    frame = pd.DataFrame({reference: tau.loc[others, reference], measure: tau.loc[others, measure]})
    frame["difference"] = frame[measure] - frame[reference]
    first = pd.DataFrame({measure: tau.loc[reference, measure]}, index=[reference])
    return pd.concat([first, frame])[[reference, measure, "difference"]].rename_axis("tau with")


def correlations(table, pairs=PAIRS, *, p=(0.9, 0.95)):
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
    for a, b in pairs:
        if a not in table or b not in table:
            continue
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
