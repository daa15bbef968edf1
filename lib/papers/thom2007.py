"""Thom and Scholer, A Comparison of Evaluation Measures Given How Users Perform on Search Tasks.

ADCS 2007.  How much do rankings of systems by different measures agree?  The paper correlates five
measures over the 80 runs of the TREC 2006 Terabyte ad hoc task.  Of these runs only official means
are public, and P@1 and R-precision are not among them: two of the seven correlations of Table 1
can be computed from the paper's own runs, all seven from any collection at hand.
"""

from functools import cache
from inspect import signature

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, linregress, norm

from lib.bootstrap import METHODS, POPULATIONS, bootstrap_tau, read_coverage
from lib.collection import TITLES, load
from lib.correlation import kendall, tau_ap, tau_matrix
from lib.families import LINKAGES, first_apart
from lib.official import official_scores, topic_numbers
from lib.predictivity import predictivity, splits
from lib.published import NOT_PUBLIC, REPRODUCED, cells, compare, read
from lib.rank_overlap import rbo
from lib.scoring import means, score_tables

__all__ = ["COLLECTIONS", "FIGURES", "MANY", "MEASURES", "PAIRS", "TABLES", "TREATMENTS", "best",
           "correlations", "draw_finding", "family_test", "figures", "findings", "fits",
           "intervals", "many", "measured_coverage", "mirror", "noise", "noisy_ties", "official",
           "panel", "rounding", "table1", "treatments", "zero_test"]

MEASURES = ("P@1", "AP", "RR", "P@10", "Rprec")
PAIRS = (("P@1", "AP"), ("P@1", "RR"), ("P@1", "P@10"), ("P@1", "Rprec"),
         ("AP", "RR"), ("AP", "P@10"), ("AP", "Rprec"))
FIGURES = {str(number): pair for number, pair in enumerate(PAIRS, start=1)}
EARLY, BROAD = ("P@1", "RR"), ("AP", "Rprec")  # the two families of section 4
WEAK = 0.4  # "below 0.4 in each case" (section 3)
CLOSE = 0.05  # our reading of "closely reflect" (section 3): taus that differ by less

# Measures of many kinds, binary as in the paper; labels leave out what all of them share.
MANY = {name.replace(",rel=1", "").replace("(rel=1)", ""): name for name in (
    "P@1", "P@5", "P@10", "P@20", "P@100", "P@1000", "RR", "Success@5", "Success@10", "GS10",
    "IPrec@0.0", "IPrec@0.1", "IPrec@0.5", "RBP(p=0.5,rel=1)", "RBP(p=0.8,rel=1)",
    "RBP(p=0.95,rel=1)", "nDCG(rel=1)@10", "nDCG(rel=1)", "AP", "GMAP", "Rprec", "Bpref", "R@100",
    "R@1000")}

TREATMENTS = {
    "mixture": "149 topics where a run has them, 50 where not",
    "fifty": "the 50 topics that every run answered",
    "complete": "149 topics, only the runs that answered them",
    "zeros": "149 topics, a topic without an answer counts 0",
}
ANCHORS = {
    "Abstract": "thom2007-families",
    "Table 1": "thom2007-table-1",
    **{f"Figure {number}": "thom2007-figures" for number in FIGURES},
    "Section 3": "thom2007-claims",
    "Section 4": "thom2007-families",
}


def official(*, treatment="mixture", only=None):
    """Return one mean score for each Terabyte 2006 run and measure.

    The 61 automatic runs answered 149 topics, the 19 manual runs only the 50 new ones.  The paper
    does not say so, nor what it did about it; the mixture gives its numbers.

    Parameters
    ----------
    treatment : str
        One of :data:`TREATMENTS`.
    only : {"automatic", "manual"}, optional
        Keep the runs of this type; all by default.

    Returns
    -------
    DataFrame (runs x measures)
        AP, Bpref, RR, P@10, P@100 and P@1000, in [0, 1].

    Examples
    --------
    >>> [len(official(treatment=name)) for name in ("mixture", "fifty", "complete", "zeros")]
    [80, 80, 61, 80]
    """
    if treatment not in TREATMENTS:
        raise ValueError(f"treatment must be one of {', '.join(TREATMENTS)}, not {treatment!r}")
    scores = official_scores("terabyte06")
    few, many = scores.xs(50, level="topics"), scores.xs(149, level="topics")
    if only not in (None, *few["type"]):
        raise ValueError(f"only must be 'automatic' or 'manual', not {only!r}")
    kept = few.index if only is None else few.index[few["type"] == only]
    few, many = few.drop(columns="type"), many.drop(columns="type")
    missing = few.drop(index=many.index) * (50 / 149 if treatment == "zeros" else 1)
    table = {
        "mixture": pd.concat([many, missing]).reindex(few.index),
        "zeros": pd.concat([many, missing]).reindex(few.index),
        "fifty": few,
        "complete": many,
    }[treatment]
    return table[table.index.isin(kept)]


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
    return cells((a, b, kendall(table[a], table[b], variant=variant), 0.0)
                 for a, b in PAIRS if a in table and b in table)


def treatments(*, variant="b"):
    """Return the two computable taus of Table 1 for each treatment of the 19 manual runs.

    Returns
    -------
    DataFrame
        One row a way to take the means; columns runs, and for each pair tau and whether it agrees
        with the printed number.  The last two rows tell the two types of runs apart.
    """
    roads = {text: official(treatment=name) for name, text in TREATMENTS.items()}
    for kind in ("automatic", "manual"):
        roads[f"50 topics, {kind} runs only"] = official(treatment="fifty", only=kind)
    rows = {}
    for name, table in roads.items():
        ours = cells((a, b, kendall(table[a], table[b], variant=variant), 0.0)
                     for a, b in (("AP", "RR"), ("AP", "P@10")))
        compared = compare("thom2007", "Table 1", ours).set_index(["row", "column"])
        of_pair = {}
        for a, b in (("AP", "RR"), ("AP", "P@10")):
            cell = compared.loc[(a, b)]
            of_pair[f"tau({a}, {b})"] = cell["reproduced"]
            of_pair[f"as printed ({cell['published']})"] = (
                "yes" if cell["verdict"] == REPRODUCED else "no")
        rows[name] = {"runs": len(table), **of_pair}
    return pd.DataFrame(rows).T.rename_axis("means over")


def figures(table, numbers=tuple(FIGURES)):
    """Return the points of Figures 1 to 7: the systems' means by two measures.

    Parameters
    ----------
    table : DataFrame (systems x measures)
        Mean scores, such as :func:`official` or :func:`lib.scoring.means` return them.
    numbers : sequence of str
        Figures; those with a measure that the table lacks are left out.

    Returns
    -------
    DataFrame, columns figure, system, of_x, of_y, x, y
        ``of_x`` and ``of_y`` name the measures, ``x`` and ``y`` are the means.
    """
    shown = [(n, *FIGURES[n]) for n in numbers if set(FIGURES[n]) <= set(table)]
    return pd.concat([
        pd.DataFrame({"figure": n, "system": table.index, "of_x": a, "of_y": b,
                      "x": table[a].to_numpy(), "y": table[b].to_numpy()})
        for n, a, b in shown], ignore_index=True)


def draw_figures(collection):
    """Draw Figures 1 to 7 from a collection: the systems' means by pairs of measures.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    lib.figures.Figure
    """
    # Imported here: the command line need not wait for seaborn.
    from lib.correlation_drawings import scatters

    table = means(collection, MEASURES)
    points = figures(table)
    return scatters(points, fits(points), data=table, caption="The systems' means by pairs of "
                    f"measures over {len(collection.topics)} topics, with the line of best fit.")


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
            "x": dots["of_x"].iloc[0], "y": dots["of_y"].iloc[0],
            "tau": kendall(dots["x"], dots["y"], variant=variant),
            "slope": line.slope, "intercept": line.intercept}
    return pd.DataFrame(rows).T.rename_axis("figure").astype(
        {"tau": float, "slope": float, "intercept": float})


def zero_test(table, pairs=PAIRS, *, alpha=0.01):
    """Test for each pair of measures that tau is zero, as the paper does.

    Parameters
    ----------
    table : DataFrame (systems x measures)
    pairs : sequence of (str, str)
        Those with a measure that the table lacks are left out.
    alpha : float
        Level of the test, two-sided.

    Returns
    -------
    DataFrame, index (one, other)
        tau (b), p, significant, and least: about the smallest tau that this many systems make
        significant, from the normal approximation without ties.
    """
    n = len(table)
    least = norm.isf(alpha / 2) * np.sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))
    rows = {}
    for a, b in pairs:
        if a in table and b in table:
            test = kendalltau(table[a], table[b], variant="b")
            rows[(a, b)] = {"tau": test.statistic, "p": test.pvalue,
                            "significant": test.pvalue < alpha, "least": least}
    frame = pd.DataFrame(rows).T.astype({"tau": float, "p": float, "least": float})
    return frame.rename_axis(["one", "other"])


def intervals(collection, measures=MEASURES, pairs=PAIRS, *, method="basic", number=1000,
              seed=2007, level=0.95):
    """Return bootstrap intervals, over topics, of the tau of each pair of measures.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str, or dict of label to str
    pairs : sequence of (str, str), optional
        All pairs of ``measures`` when None.
    method, level
        As for :meth:`lib.bootstrap.TauBootstrap.intervals`.
    number : int
        Resamples of the topics.
    seed : int

    Returns
    -------
    DataFrame, index (one, other)
        Columns tau, bias, low, high.
    """
    result = bootstrap_tau(score_tables(collection, measures), number=number,
                           rng=np.random.default_rng(seed))
    frame = result.intervals(method=method, level=level)
    return frame if pairs is None else frame.loc[list(pairs)]


def noise(collection, measures=MEASURES, *, number=500, seed=2007, variant="b"):
    """Set the tau of measures on the same topics beside what other topics would say.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str
    number : int
        Random splits of the topics in halves.
    seed : int
    variant : {"a", "b"}

    Returns
    -------
    DataFrame, index (one, other)
        tau : of both measures on all topics; across : mean tau of one on one half of the topics
        with the other on the other half; one_self, other_self : the same of each measure with
        itself; corrected : ``across`` divided by the geometric mean of these two, the classical
        correction for attenuation (made for Pearson's correlation; here a rule of thumb).

    References
    ----------
    Spearman, The proof and measurement of association between two things, American Journal of
    Psychology 15, 1904 (correction).  Webber et al. 2008 (splits).
    """
    tables = score_tables(collection, measures)
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    phi = predictivity(tables, sets, variant=variant).phi
    tau = tau_matrix(means(collection, measures), variant=variant)
    rows = {
        (a, b): {"tau": tau.loc[a, b], "across": phi.loc[a, b], "one_self": phi.loc[a, a],
                 "other_self": phi.loc[b, b],
                 "corrected": phi.loc[a, b] / np.sqrt(phi.loc[a, a] * phi.loc[b, b])}
        for a, b in PAIRS if a in tables and b in tables
    }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])


def many(collection, *, variant="b"):
    """Return the tau matrix of the measures in :data:`MANY`, with their labels."""
    table = means(collection, MANY.values()).set_axis(list(MANY), axis=1)
    return tau_matrix(table, variant=variant)


def family_test(collections, *, number=1000, seed=2007, variant="b"):
    """Ask whether the paper's two families survive on other collections and other topics.

    Parameters
    ----------
    collections : dict of str to Collection
    number : int
        Resamples of topics.
    seed : int
    variant : {"a", "b"}

    Returns
    -------
    DataFrame, one column a collection
        within : the smaller of tau(P@1, RR) and tau(AP, Rprec); between : the largest tau of a
        measure of one family with one of the other; survives : the share of resamples in which
        ``within`` is above ``between``; and for each linkage the number of clusters of the
        measures in :data:`MANY` at which the two families come apart, NaN if they never do.
    """
    columns = {}
    for name, collection in collections.items():
        result = bootstrap_tau(score_tables(collection, (*EARLY, *BROAD)), number=number,
                               rng=np.random.default_rng(seed), variant=variant)
        inside = np.array([pair in (EARLY, BROAD) for pair in result.tau.index])
        lowest = result.replicates[:, inside].min(axis=1)
        highest = result.replicates[:, ~inside].max(axis=1)
        tau = many(collection, variant=variant)
        columns[name] = {
            "within": result.tau[inside].min(), "between": result.tau[~inside].max(),
            "survives": (lowest > highest).mean(),
            **{linkage: first_apart(tau, EARLY, BROAD, method=linkage) for linkage in LINKAGES}}
    return pd.DataFrame(columns, dtype=float)


def measured_coverage(pairs=PAIRS):
    """Return the measured coverage of nominal 95% intervals, from the simulation on TREC-8.

    Returns
    -------
    DataFrame, index (one, other), columns (population, method)
        See :func:`lib.bootstrap.coverage`.
    """
    table = read_coverage("trec8").pivot(
        index=["one", "other"], columns=["population", "method"], values="coverage")
    order = [(population, method) for population in POPULATIONS for method in METHODS]
    return table.loc[list(pairs), order].rename_axis(columns=[None, None])


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
    others = [name for name in (*MEASURES, "P@100", "P@1000")
              if name in table and name not in (measure, reference)]
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
            "tau-a": kendall(x, y, variant="a"), "tau-b": kendall(x, y, variant="b"),
            "tau-AP": tau_ap(x, y, symmetric=True),
            "tau-AP, first is the truth": tau_ap(y, x, symmetric=False),
            "tau-AP, second is the truth": tau_ap(x, y, symmetric=False),
            **{f"RBO, p = {value:g}": rbo(x, y, p=value) for value in p},
        }
    return pd.DataFrame(rows).T.rename_axis(["one", "other"])


def rounding(collection, pairs=PAIRS, *, decimals=(None, 10, 4), variant="b"):
    """Return the tau of each pair with means rounded in several ways.

    Parameters
    ----------
    collection : Collection
    pairs : sequence of (str, str)
    decimals : sequence of int or None
        Digits that the means keep; None does not round.

    Returns
    -------
    DataFrame, index (one, other), one column a rounding
    """
    columns = {}
    for digits in decimals:
        table = means(collection, MEASURES, decimals=digits)
        name = "not rounded" if digits is None else f"{digits} digits"
        columns[name] = pd.Series({
            (a, b): kendall(table[a], table[b], variant=variant) for a, b in pairs})
    return pd.DataFrame(columns).rename_axis(["one", "other"])


def noisy_ties(collection, measures=MEASURES):
    """Count the pairs of systems whose means differ by float noise alone.

    Returns
    -------
    DataFrame, index measure
        tied : pairs of equal means when rounded to 10 digits; broken : those of them that differ
        when not rounded.
    """
    rounded, raw = means(collection, measures), means(collection, measures, decimals=None)
    first, second = np.triu_indices(len(raw), k=1)
    rows = {}
    for name in rounded:
        tied = rounded[name].to_numpy()[first] == rounded[name].to_numpy()[second]
        differ = raw[name].to_numpy()[first] != raw[name].to_numpy()[second]
        rows[name] = {"tied": tied.sum(), "broken": (tied & differ).sum()}
    return pd.DataFrame(rows).T.rename_axis("measure")


COLLECTIONS = {"Terabyte 2006, the paper's runs": "terabyte06"} | {
    TITLES[name]: name for name in ("trec8", "trec-covid")}


def panel(collection, one, other, share=1.0, topics=1.0, resamples=200, seed=2007):
    """Show how far two measures agree on a collection: a panel of the chapter's control.

    Parameters
    ----------
    collection : str
        A value of :data:`COLLECTIONS`.  For the paper's own runs only means are public, so topics
        cannot be left out or resampled there.
    one, other : str
        Two measures.
    share : float
        Share of the systems kept, the best by AP, in (0, 1].
    topics : float
        Share of the topics kept, drawn at random, in (0, 1].
    resamples : int
        Resamples of topics for the interval.
    seed : int

    Returns
    -------
    list of lib.figures.Figure and lib.tables.Table
        Or a sentence, where a measure is not public.
    """
    from lib import correlation_drawings as drawings
    from lib.tables import table

    needed = list(dict.fromkeys(("AP", one, other)))
    name = next(label for label, value in COLLECTIONS.items() if value == collection)
    interval = None
    if collection == "terabyte06":
        scores, note = official(), "official means"
        if missing := [name for name in needed if name not in scores]:
            return (f"<p>{' and '.join(missing)} of the 80 runs of Terabyte 2006 "
                    f"{'is' if len(missing) == 1 else 'are'} not public.</p>")
        kept = best(scores["AP"], share)
    else:
        rng = np.random.default_rng(seed)
        of_topics = score_tables(load(collection), needed)
        every = of_topics["AP"].index
        number = max(2, round(topics * len(every)))
        drawn = every[np.sort(rng.permutation(len(every))[:number])]
        of_topics = {measure: frame.loc[drawn] for measure, frame in of_topics.items()}
        scores = pd.DataFrame({m: frame.mean() for m, frame in of_topics.items()}).round(10)
        kept, note = best(scores["AP"], share), f"{number} topics"
        if one != other:
            pair = {measure: of_topics[measure][kept] for measure in (one, other)}
            interval = bootstrap_tau(pair, number=resamples, rng=rng).intervals().iloc[0]
    shown = scores.loc[kept]
    points = pd.DataFrame({"figure": "", "system": kept, "of_x": one, "of_y": other,
                           "x": shown[one].to_numpy(), "y": shown[other].to_numpy()})
    x, y = points["x"], points["y"]
    numbers = {"systems": f"{len(kept)}", "tau-b": f"{kendall(x, y, variant='b'):.3f}"}
    if interval is not None:
        numbers["basic 95% interval"] = f"{interval['low']:.3f} to {interval['high']:.3f}"
    numbers["tau-AP, symmetric"] = f"{tau_ap(x, y, symmetric=True):.3f}"
    numbers["RBO, p = 0.9"] = f"{rbo(x, y, p=0.9):.3f}"
    summary = table(pd.DataFrame({"value": numbers}).rename_axis(f"{one} and {other}"), caption="")
    drawing = drawings.scatters(points, fits(points), columns=1, data=False,
                                caption=f"{name}: systems by mean {one} and {other}, {note}, "
                                "with the line of best fit.")
    return [drawing, summary]


def draw_finding():
    """Draw how far the two families stand apart, on the paper's runs and on two collections.

    Returns
    -------
    lib.figures.Figure
        Tau between AP and RR, one from each family, and between AP and R-precision, of one.
    """
    from lib import figures

    names = {"Terabyte 2006": None, "TREC-8 (1999)": "trec8",
             "TREC-COVID (2020)": "trec-covid"}
    taus = pd.DataFrame({
        label: table1(name and load(name)).set_index(["row", "column"])["value"].astype(float)
        for label, name in names.items()
    }).T[[("AP", "RR"), ("AP", "P@10")]]
    taus.columns = [f"{one} with {other}" for one, other in taus]
    with figures.style():
        drawing, axes = figures.subplots(height=1.9)
        for colour, marker, (pair, values) in zip(figures.PALETTE, "os", taus.items()):
            axes.plot(values, values.index, marker, color=colour, markersize=7, label=pair)
        axes.set(xlim=(0, 1), xlabel="Kendall's tau of two rankings")
        axes.invert_yaxis()
        axes.legend(loc="lower left")
    weak = ", ".join(f"{label} {value:.2f}" for label, value in taus.iloc[:, 0].items())
    return figures.Figure(
        drawing, data=taus.rename_axis("runs"), formats=".3f", alt=f"AP with RR: {weak}.",
        caption=f"How alike measures rank systems. AP with reciprocal rank: {weak}.",
    )


def best(scores, share):
    """Return the best share of systems, rounded down but two at least, best first."""
    if not 0 < share <= 1:
        raise ValueError(f"share must lie in (0, 1], not {share}")
    ordered = scores.sort_index().sort_values(ascending=False, kind="stable")
    return ordered.index[: max(2, int(share * len(ordered)))]


TABLES = {"1": table1}
CAPTIONS = {
    "1": "Kendall's tau between the rankings of systems by two measures",
}
DRAWINGS = {"Figures 1 to 7": draw_figures}
# Systems and topics of the table's own data: with others there is nothing to reproduce.
SIZES = {"1": (80, 149)}


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.  A claim on the paper's own runs that needs P@1 or R-precision is
        "data not public"; its cause says what TREC-8 and TREC-COVID give instead.
    """
    table = official()
    ours = table1()
    at = ours.set_index(["row", "column"])["value"]
    found = [
        ("Table 1", ours),
        *((f"Figure {number}", _claim_of_figure(number, table)) for number in FIGURES),
        ("Abstract", _claims_of_abstract(at)),
        ("Table 1", _claims_of_table1(table)),
        ("Section 3", _claims_of_section3(at, table)),
        ("Section 4", _claims_of_section4()),
    ]
    frame = pd.concat([rows.assign(place=place) for place, rows in found], ignore_index=True)
    return pd.concat([frame, _not_public(frame)], ignore_index=True).fillna(
        {"status": "", "cause": ""})


def _claim(slug, holds, cause=""):
    return {"row": slug, "column": "claim", "value": bool(holds), "error": 0.0, "cause": cause}


def _value(slug, value, cause=""):
    return {"row": slug, "column": "value", "value": value, "error": 0.0, "cause": cause}


def _claim_of_figure(number, table):
    """Check that a figure of the paper's own runs can be drawn: all runs, and a line."""
    if not set(FIGURES[number]) <= set(table):
        return pd.DataFrame()
    points = figures(table, [number])
    drawn = len(points) == len(official_scores("terabyte06").index.unique("run"))
    return pd.DataFrame([_claim(_slug("{}-against-{}", FIGURES[number]),
                                drawn and np.isfinite(fits(points)["slope"].iloc[0]))])


def _slug(form, pair):
    return form.format(*({"P@1": "p1", "P@10": "p10"}.get(name, name.lower()) for name in pair))


def _claims_of_abstract(at):
    """One measure of each family is public; they order the runs so differently already."""
    return pd.DataFrame([_claim("measure-family-changes-ranking", at[("AP", "RR")] < WEAK)])


def _claims_of_table1(table):
    tests = zero_test(table)
    level = signature(zero_test).parameters["alpha"].default
    return pd.DataFrame([
        _value("runs", len(table)),
        _value("alpha", level),
        *(_claim(_slug("tau-{}-{}-significant", pair), tests.loc[pair, "significant"])
          for pair in tests.index),
    ])


def _claims_of_section3(at, table):
    trec8 = load("trec8")
    scores = official_scores("terabyte06")
    topics = scores.index.get_level_values("topics")
    first, last = topic_numbers("terabyte06")[topics.max()]
    of_trec8 = means(trec8, ("AP", "Bpref"))
    close = mirror(table)["difference"].abs() < CLOSE
    return pd.DataFrame([
        _value("runs-compared", scores.index.unique("run").size),
        _value("topics-of-the-task", topics.max()),
        _value("topics-averaged-over", topics.max(),
               f"the official means are over {topics.max()} topics, for "
               f"{(topics == topics.min()).sum() - (topics == topics.max()).sum()} runs over "
               f"{topics.min()}; the paper itself says {topics.max()} elsewhere"),
        _value("first-topic", first),
        _value("last-topic", last),
        _value("measures-compared", len(MEASURES)),
        _claim("rr-zero-when-nothing-relevant", _is_zero_without_hits(trec8)),
        _value("tau-p10-ap", at[("AP", "P@10")]),
        _value("weak-tau-bound", WEAK),
        _claim("tau-ap-rr-below-bound", at[("AP", "RR")] < WEAK),
        # Cited from work on TREC-8 and like collections, whose judgements are nearly complete.
        _claim("bpref-close-to-ap",
               kendall(of_trec8["Bpref"], of_trec8["AP"], variant="b") > 0.9),
        _claim("bpref-mirrors-ap-against-rr", close["RR"]),
        _claim("bpref-mirrors-ap-against-p10", close["P@10"]),
    ])


def _is_zero_without_hits(collection):
    empty = collection.relevance().count(slice(None)) == 0
    return empty.any() and (score_tables(collection, ["RR"])["RR"].to_numpy()[empty] == 0).all()


def _claims_of_section4():
    """Check that no measure looks at grades: scores stay when every grade becomes 1."""
    from dataclasses import replace

    covid = load("trec-covid")
    flat = replace(covid, relevant=covid.relevant.assign(grade=1),
                   hits=covid.hits.assign(grade=1), _relevance={})
    same = means(covid, MEASURES).equals(means(flat, MEASURES))
    return pd.DataFrame([_claim("relevance-binary", same and covid.relevant["grade"].max() > 1)])


def _not_public(found):
    """List what needs P@1 or R-precision of the 80 runs, with what other collections say of it."""
    rows = read("thom2007").merge(found[["place", "row", "column"]], how="left", indicator=True)
    rows = rows[rows["_merge"] == "left_only"][["place", "row", "column"]]
    causes = {**_elsewhere(), "p10-ap-less-strong": "only tau(AP, P@10) can be computed; it is "
              "below the two printed taus that it is compared with"}
    why = "P@1 and R-precision of the 80 runs are not published"
    return rows.assign(
        value=None, error=0.0, status=NOT_PUBLIC,
        cause=[f"{why}; {causes[row]}" if row in causes else why for row in rows["row"]])


def _elsewhere():
    """Say in a line each what TREC-8 and TREC-COVID give for the claims on families."""
    lines = {}
    names = {"trec8": "TREC-8", "trec-covid": "TREC-COVID"}
    tau = {name: tau_matrix(means(load(key), MEASURES), variant="b") for key, name in names.items()}

    def both(slug, holds):
        lines[slug] = "; ".join(
            f"on {name} it {'holds' if holds(t) else 'does not hold'}" for name, t in tau.items())

    def between(t):
        return t.loc[list(EARLY), list(BROAD)].to_numpy()

    def within(t):
        return min(t.loc[EARLY], t.loc[BROAD])

    both("at-least-two-families", lambda t: within(t) > between(t).max())
    both("p1-and-rr-early-family", lambda t: t.loc[EARLY] > t.loc["P@1", list(BROAD)].max())
    both("ap-and-rprec-broad-family", lambda t: t.loc[BROAD] > t.loc["AP", list(EARLY)].max())
    both("p10-between-families", lambda t: between(t).max() < t.loc["P@10", [*EARLY, *BROAD]].min()
         and t.loc["P@10", [*EARLY, *BROAD]].max() < within(t))
    both("between-families-weak", lambda t: between(t).max() < WEAK)
    both("between-families-lower-than-other-pairs", lambda t: between(t).max() < min(
        t.loc[pair] for pair in PAIRS if not (set(pair) & set(EARLY) and set(pair) & set(BROAD))))
    both("p1-rr-strong", lambda t: t.loc[EARLY] > t.loc["P@1"].drop(list(EARLY)).max())
    both("ap-rprec-very-close", lambda t: t.loc[BROAD] > t.loc["AP"].drop(list(BROAD)).max())
    both("p10-p1-less-strong", lambda t: t.loc["P@10", "P@1"] < within(t))
    both("tau-p1-ap-below-bound", lambda t: t.loc["P@1", "AP"] < WEAK)
    both("tau-p1-rprec-below-bound", lambda t: t.loc["P@1", "Rprec"] < WEAK)
    return lines
