"""Tomlinson, Early Precision Measures: Implications from the Downside of Blind Feedback, 2006.

Does blind feedback, which raises average precision, cost the first relevant document?  The paper's
runs, those of the RIA workshop of 2003, are not public.  Two things can be done: see whether its
printed numbers agree with each other and with its sentences (:func:`findings`, for the ledger), and
repeat the experiment with systems of our own (:func:`replication` and all below it).  The second
reproduces no number of the paper.
"""

from functools import cache
from inspect import signature

import numpy as np
import pandas as pd
from scipy import stats

from lib.collection import DATA, TITLES, load
from lib.impact import OUTCOMES, counts, differences, impact, joint_null, paired_scores
from lib.impact import topics_needed
from lib.measures import generalized_success
from lib.published import NOT_PUBLIC, cells, half_digit, read
from lib.scoring import scores

__all__ = [
    "COLLECTIONS",
    "COUNTER_EXAMPLES",
    "FAMILIES",
    "FIRST_READING",
    "FOUR",
    "MEASURES",
    "PAIRS",
    "TABLES",
    "TREC8_PAIRS",
    "beside",
    "by_test",
    "claims",
    "depths",
    "draw_depths",
    "draw_finding",
    "findings",
    "grid_effects",
    "grid_summary",
    "marks",
    "natural",
    "panel",
    "pooling",
    "poster",
    "power",
    "printed",
    "replication",
    "rounding",
    "shared",
    "signs",
    "stars",
    "table1",
    "table2",
    "topic_gains",
    "wide",
]

# The 30 measures of Table 2: the paper's label, and the name in lib.
MEASURES = {
    "GS10": "GS10",
    **{f"S{k}": f"Success@{k}" for k in (1, 5, 10, 1000)},
    "MRR": "RR",
    **{f"P{k}": f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
    "R-Prec": "Rprec",
    "MAP": "AP",
    "GMAP": "GMAP",
    "bpref": "Bpref",
    **{f"I{share}": f"IPrec@{share / 100}" for share in range(0, 101, 10)},
}
FAMILIES = {
    "the first relevant document": ("GS10", "S1", "S5", "S10", "S1000", "MRR", "I0"),
    "precision at a depth": (*(label for label in MEASURES if label[0] == "P"), "R-Prec"),
    "the whole list": ("MAP", "GMAP", "bpref",
                       *(f"I{share}" for share in range(10, 101, 10))),
}
# The four measures of Table 1, in its order.
FOUR = {"MAP": "AP", "P10": "P@10", "MRR": "RR", "GS10": "GS10"}
EARLY = ("P5", "P10", "P15", "P20", "P30", "I0")  # the paper: 5 to 30 documents; I0 the earliest

SYSTEMS = ("albany", "city", "clarit", "cmu", "sabir", "umass", "waterloo")
PAIRS = tuple((system, f"{system}.base", f"{system}.feedback") for system in SYSTEMS)
# Two systems with their feedback weights as they were read before any result was seen.
FIRST_READING = tuple(
    (system, base, f"{system}.first-reading" if system in ("albany", "waterloo") else feedback)
    for system, base, feedback in PAIRS
)
# TREC-8 runs that seem to differ in expansion only: inferred from run tags and abstracts.
TREC8_PAIRS = (
    ("Ricoh, ric8tpn and ric8tpx", "ric8tpn", "ric8tpx"),
    ("Ricoh, ric8dpn and ric8dpx", "ric8dpn", "ric8dpx"),
    ("NTT, nttd8al and nttd8ale", "nttd8al", "nttd8ale"),
    ("NTT, nttd8am and nttd8ame", "nttd8am", "nttd8ame"),
)
COLLECTIONS = {name: TITLES[name] for name in ("cf", "cisi", "npl", "nftest")}
COUNTER_EXAMPLES = {name: TITLES[name] for name in ("cran", "cacm")}
POOLED = "all four"

ANCHORS = {
    "Table 1": "tomlinson2006-table-1",
    "Table 2": "tomlinson2006-table-2",
    "Abstract": "tomlinson2006-claims",
    "Section 1": "tomlinson2006-claims",
    "Section 2": "tomlinson2006-claims",
    "Section 3": "tomlinson2006-claims",
    "Section 4": "tomlinson2006-measures",
    "Section 5": "tomlinson2006-claims",
    "Conclusion": "tomlinson2006-claims",
}


def table1(collection=None, *, pairs=None, **options):
    """Mean impact on four measures, system by system: Table 1.

    Parameters
    ----------
    collection : Collection or sequence of Collection, optional
        Without one there is nothing to compute: the paper's runs are not public.
    pairs : sequence of (str, str, str)
        System, base run, feedback run; needed with a collection.
    **options
        Those of :func:`lib.impact.impact`.

    Returns
    -------
    DataFrame
        Cells: rows ``albany base``, ``albany feedback``, ``albany difference``, ...

    Raises
    ------
    ValueError
        A collection without pairs.

    Examples
    --------
    >>> ours = table1(load("feedback/cf"), pairs=PAIRS)
    >>> ours.astype({"value": float}).round(3).head(3)
                     row column  value  error
    0        albany base     AP  0.278    0.0
    1    albany feedback     AP  0.319    0.0
    2  albany difference     AP  0.041    0.0
    """
    if collection is None:
        return cells([])
    found = _impact(collection, pairs, FOUR, options)
    return cells(
        (f"{row.system} {name}", FOUR[row.measure], getattr(row, column))
        for row in found.itertuples()
        for name, column in (("base", "before"), ("feedback", "after"),
                             ("difference", "difference"))
    )


def table2(collection=None, *, pairs=None, **options):
    """Mean impact on 30 measures and its significance, over all systems: Table 2.

    Parameters
    ----------
    collection, pairs, **options
        As for :func:`table1`.

    Returns
    -------
    DataFrame
        Cells: a row a measure; columns difference, ns, no, z, po, ps.
    """
    if collection is None:
        return cells([])
    table = counts(_impact(collection, pairs, MEASURES, options))
    return cells((label, column, value) for label, row in table.iterrows()
                 for column, value in row.items())


def _impact(collection, pairs, measures, options):
    if not pairs:
        raise ValueError("no pairs given: which run is a system's base and which its feedback "
                         "run must be said, as pairs=[(system, base run, feedback run), ...]")
    return impact(collection, pairs, measures, **options)


def printed(number):
    """Return Table 1 or 2 as printed: DataFrame of numbers in the paper's order.

    Examples
    --------
    >>> printed(1).loc["clarit difference"].to_dict()
    {'AP': 0.026, 'P@10': 0.024, 'RR': 0.026, 'GS10': -0.014}
    """
    table = read("tomlinson2006", f"Table {number}")
    table = table[table["kind"] == "table"].astype({"printed": float})
    square = table.pivot(index="row", columns="column", values="printed")
    square = square.loc[table["row"].unique(), table["column"].unique()]
    return square.rename_axis(index=None, columns=None)


def rounding():
    """Return the printed differences that are not the difference of the printed means.

    Returns
    -------
    DataFrame
        Index system, measure; columns base, feedback, difference (as printed), feedback less base.

    Examples
    --------
    >>> rounding().loc[("clarit", "AP")].to_dict()
    {'base': 0.185, 'feedback': 0.21, 'difference': 0.026, 'feedback less base': 0.025}
    """
    table = printed(1)
    table.index = pd.MultiIndex.from_tuples([tuple(row.split()) for row in table.index],
                                            names=["system", ""])
    rows = table.rename_axis(columns="measure").stack().unstack(1, sort=False)
    rows["feedback less base"] = (rows["feedback"] - rows["base"]).round(3)
    off = rows[rows["difference"] != rows["feedback less base"]]
    return off.rename_axis(columns=None)


def poster():
    """Return what the author's poster prints of six measures and seven systems.

    It marks with a star what the paper has in bold, which the copy of the paper that the book was
    made from has lost.

    Returns
    -------
    DataFrame
        Index system, measure; columns difference (as printed, two decimals) and significant (at
        the 5% level).

    Examples
    --------
    >>> poster().loc[("clarit", "P10")].to_dict()
    {'difference': '+0.02', 'significant': True}
    """
    table = pd.read_csv(DATA / "poster06" / "differences.csv", dtype=str)
    table["significant"] = table["significant"] == "yes"
    return table.set_index(["system", "measure"])


def stars():
    """Set the five counts that the poster's stars give beside those of the printed Table 2.

    Returns
    -------
    DataFrame
        One row a measure of the poster, in the order of Table 2; columns poster, Table 2 (the
        counts ns no z po ps), same ("yes" or "no").
    """
    table = poster()
    outcome = table["difference"].str[0].map({"-": "n", "+": "p"}) + table["significant"].map(
        {True: "s", False: "o"})
    of_stars = outcome.groupby("measure").value_counts().unstack(fill_value=0)
    of_stars = of_stars.reindex(columns=OUTCOMES, fill_value=0)
    of_stars = of_stars.loc[[label for label in printed(2).index if label in of_stars.index]]
    both = pd.DataFrame({"poster": _five(of_stars), "Table 2": _five(printed(2))[of_stars.index]})
    return both.assign(same=np.where(both["poster"] == both["Table 2"], "yes", "no"))


def marks():
    """Return which cells of the printed Table 1 are significant by the poster's stars.

    Returns
    -------
    ndarray of bool, of the shape of ``printed(1)``
    """
    stars_of = poster()["significant"]
    return np.array([
        [row.endswith("difference") and stars_of[row.split()[0], label] for label in FOUR]
        for row in printed(1).index
    ])


def ours(name=POOLED):
    """Return our collections: one by its name, or all four."""
    return [_collection(each) for each in (COLLECTIONS if name == POOLED else [name])]


@cache
def _collection(name):
    return load(f"feedback/{name}")


@cache
def replication(name=POOLED, *, pairs=PAIRS, test="t"):
    """Repeat the experiment with our own systems: the impact on all 30 measures.

    Parameters
    ----------
    name : str
        One of :data:`COLLECTIONS` or :data:`COUNTER_EXAMPLES`, or "all four": their 592 topics
        pooled.
    pairs : tuple
        :data:`PAIRS` or :data:`FIRST_READING`.
    test : str
        See :func:`lib.impact.impact`.

    Returns
    -------
    DataFrame
        From :func:`lib.impact.impact`, the measures in the order of the printed Table 2.
    """
    order = {label: MEASURES[label] for label in printed(2).index}
    return impact(ours(name), pairs, order, test=test)


def claims(*places):
    """Return what the paper says, and whether its own printed numbers bear it out.

    Parameters
    ----------
    *places : str
        Such as "Section 3"; of tables, relations between printed numbers.

    Returns
    -------
    DataFrame
        Columns place, claim, holds ("yes", "no", "data not public"), why (empty where it holds).
    """
    found = findings()[lambda rows: rows["place"].isin(places)]
    texts = read("tomlinson2006").query("kind == 'text' and column == 'claim'")
    rows = texts.merge(found, on=["place", "row", "column"], how="inner")
    holds = rows["value"].map({True: "yes", False: "no"}).fillna(NOT_PUBLIC)
    return pd.DataFrame({"place": rows["place"], "claim": rows["statement"], "holds": holds,
                         "why": rows["cause"].where(holds != "yes", "")})


def wide(table):
    """Lay an impact table out as Table 1 is: its numbers, and which differences are significant.

    Parameters
    ----------
    table : DataFrame
        From :func:`replication` or :func:`lib.impact.impact`.

    Returns
    -------
    numbers : DataFrame
        Rows (system, base / feedback / difference), columns MAP, P10, MRR, GS10.
    significant : ndarray of bool, of the same shape
    """
    table = table[table["measure"].isin(list(FOUR))]
    named = table.rename(columns={"before": "base", "after": "feedback"})
    numbers = named.set_index(["system", "measure"])[["base", "feedback", "difference"]]
    numbers = numbers.stack().unstack("measure").rename_axis(index=["system", ""], columns=None)
    significant = table.pivot(index="system", columns="measure", values="outcome")
    significant = significant[list(FOUR)].isin(["ns", "ps"]).to_numpy().repeat(3, axis=0)
    significant[np.arange(len(numbers)) % 3 < 2] = False
    return numbers[list(FOUR)], significant


def beside(name=POOLED, **options):
    """Set our Table 2 beside the printed one.

    Parameters
    ----------
    name, **options
        As for :func:`replication`.

    Returns
    -------
    DataFrame
        One row a measure in the paper's order; columns (paper, difference), (paper, counts),
        (ours, difference), (ours, counts), and (signs, "") "agree" or "differ".  The counts are
        ns no z po ps.
    """
    tables = {"paper": printed(2), "ours": counts(replication(name, **options))}
    columns = {}
    for title, table in tables.items():
        columns[title, "difference"] = table["difference"]
        columns[title, "ns no z po ps"] = _five(table)
    same = np.sign(tables["paper"]["difference"]) == np.sign(tables["ours"]["difference"])
    columns["signs", ""] = same.map({True: "agree", False: "differ"})
    return pd.DataFrame(columns).rename_axis("measure")


def _five(table):
    """The five counts of each row in one cell that no line break divides."""
    return table[list(OUTCOMES)].astype(int).astype(str).agg("\u00a0".join, axis=1)


def signs(**options):
    """Count the measures whose mean difference has the sign of the printed one.

    Parameters
    ----------
    **options
        Those of :func:`replication`, without the name.

    Returns
    -------
    DataFrame
        One row a collection, and one of all four pooled: topics, agree (of 30), differ (labels).
    """
    rows = {}
    for name in (*COLLECTIONS, POOLED, *COUNTER_EXAMPLES):
        verdict = beside(name, **options)["signs", ""]
        rows[TITLES.get(name, name)] = {
            "topics": sum(len(collection.topics) for collection in ours(name)),
            "agree": int((verdict == "agree").sum()),
            "differ": ", ".join(verdict.index[verdict == "differ"]),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def by_test(name=POOLED, *, measures=tuple(FOUR), resamples=10_000, seed=2006):
    """Compare the five counts that three tests give.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    resamples, seed : int
        Of the permutation test.

    Returns
    -------
    DataFrame
        One row a measure, one column a test: the counts ns no z po ps.
    """
    chosen = {label: MEASURES[label] for label in measures}
    options = {"t": {}, "Wilcoxon": {},
               "permutation": {"resamples": resamples, "rng": np.random.default_rng(seed)}}
    columns = {
        test: _five(counts(impact(ours(name), PAIRS, chosen, test=test, **extra)))
        for test, extra in options.items()
    }
    return pd.DataFrame(columns).rename_axis("measure")


def power(name="cf", *, measures=tuple(FOUR), goal=0.8):
    """Return how many topics would show each system's change, were it what we measured.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    goal : float
        Power of the t test at the 5% level.

    Returns
    -------
    DataFrame
        One row a measure: the smallest, median and largest number of topics over the systems, and
        for how many of the systems 50 and 150 topics are enough.
    """
    rows = {}
    for label in measures:
        needed = topics_needed(differences(ours(name), PAIRS, MEASURES[label]), power=goal)
        rows[label] = {
            "least": needed.min(), "median": needed.median(), "most": needed.max(),
            "systems with 50": int((needed <= 50).sum()),
            "systems with 150": int((needed <= 150).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def pooling():
    """Ask what it does to the signs which topics are pooled, and how.

    Returns
    -------
    DataFrame
        One row a way of pooling: topics, agree (measures whose sign is the printed one, of 30),
        differ (labels), and the mean differences of MAP, GS10, S10 and S1000.
    """
    single = {name: counts(replication(name))["difference"] for name in COLLECTIONS}
    ways = {"every topic counts the same": counts(replication())["difference"],
            "every collection counts the same": pd.DataFrame(single).mean(axis=1)}
    topics = {way: sum(len(c.topics) for c in ours()) for way in ways}
    chosen = {f"without {title}": [name for name in COLLECTIONS if name != left_out]
              for left_out, title in COLLECTIONS.items()}
    chosen["all six collections"] = [*COLLECTIONS, *COUNTER_EXAMPLES]
    for way, names in chosen.items():
        pool = [_collection(name) for name in names]
        ways[way] = counts(impact(pool, PAIRS, MEASURES))["difference"]
        topics[way] = sum(len(c.topics) for c in pool)
    rows = {}
    for way, found in ways.items():
        paper = printed(2)["difference"]
        same = np.sign(found.round(10)).reindex(paper.index) == np.sign(paper)
        rows[way] = {"topics": topics[way], "agree": int(same.sum()),
                     "differ": ", ".join(same.index[~same]),
                     **{label: found[label] for label in ("MAP", "GS10", "S10", "S1000")}}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("pooled how")


def shared(name=POOLED, *, measures=("MRR", "GS10"), resamples=2000, seed=2006):
    """Ask what it does to the counts that all systems answer the same topics.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    resamples, seed : int
        Of :func:`lib.impact.joint_null`.

    Returns
    -------
    DataFrame
        One row a measure: the mean correlation of two systems' differences; the systems that lose
        significantly (ns); how probable so many or more are when nothing has changed, with the
        topics shared as they are, and if the systems were independent.
    """
    rows = {}
    for label in measures:
        change = differences(ours(name), PAIRS, MEASURES[label])
        found = counts(replication(name)).loc[label]
        null = joint_null(change, rng=np.random.default_rng(seed), resamples=resamples)
        upper = np.triu_indices(len(SYSTEMS), 1)
        ns = int(found["ns"])
        rows[label] = {
            "mean correlation": change.corr().to_numpy()[upper].mean(),
            "ns": ns,
            "shared topics": null[ns],
            "independent systems": stats.binom.sf(ns - 1, len(SYSTEMS), 0.025),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def natural(*, measures=("MAP", "P10", "MRR", "GS10", "S10")):
    """Look at TREC-8 runs that were submitted without and with expansion.

    Which runs form a pair is inferred from their tags and from the groups' abstracts.

    Returns
    -------
    DataFrame
        One row a pair and measure: base, feedback, difference, p (paired t test), topics needed
        for 80% power.
    """
    chosen = {label: MEASURES[label] for label in measures}
    trec8 = load("trec8")
    found = impact(trec8, TREC8_PAIRS, chosen)
    found = found.rename(columns={"before": "base", "after": "feedback", "system": "pair"})
    needed = {label: topics_needed(differences(trec8, TREC8_PAIRS, measure))
              for label, measure in chosen.items()}
    found["topics needed"] = [needed[row.measure][row.pair] for row in found.itertuples()]
    found = found.sort_values("pair", kind="stable").set_index(["pair", "measure"])
    return found[["base", "feedback", "difference", "p", "topics needed"]]


def depths(names=("cf", POOLED), *, at=(1, 2, 3, 5, 10, 15, 20, 30, 100, 200, 500, 1000)):
    """Compare what feedback does to Success@k and to P@k, depth by depth.

    Parameters
    ----------
    names : sequence of str
        As for :func:`replication`.
    at : sequence of int
        Depths; of the paper those that it prints.

    Returns
    -------
    DataFrame
        Columns source, measure ("Success@k" or "P@k"), k, difference (mean over the systems).
    """
    paper = printed(2)["difference"]
    rows = [("paper", kind, int(label[1:]), paper[label])
            for kind, letter in (("Success@k", "S"), ("P@k", "P"))
            for label in paper.index if label[0] == letter and label[1:].isdecimal()]
    # Success@1 is P@1: one number, of both kinds.
    rows.append(("paper", "P@k", 1, paper["S1"]))
    for name in names:
        for kind in ("Success@k", "P@k"):
            chosen = {k: kind.replace("k", str(k)) for k in at}
            mean = counts(impact(ours(name), PAIRS, chosen))["difference"]
            source = TITLES.get(name, name)
            rows += [(source, kind, k, mean[k]) for k in at]
    table = pd.DataFrame(rows, columns=["source", "measure", "k", "difference"])
    table["difference"] = table["difference"].round(10) + 0.0
    return table.sort_values(["source", "measure", "k"], kind="stable", ignore_index=True)


def draw_depths(points):
    """Draw the points of :func:`depths`, one panel a source.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    sources = sorted(points["source"].unique(), key=lambda source: source != "paper")
    with figures.style():
        drawing, axes = figures.subplots(1, len(sources), width="wide", height=2.8, sharey=True,
                                         squeeze=False)
        for axis, source in zip(axes[0], sources):
            axis.axhline(0, color="black", linewidth=1, linestyle=":")
            for number, kind in enumerate(("Success@k", "P@k")):
                line = points[(points["source"] == source) & (points["measure"] == kind)]
                axis.plot(line["k"], line["difference"], marker="os"[number], label=kind)
            axis.set(title=source, xscale="log", xlabel="depth k", xticks=[1, 10, 100, 1000])
            axis.set_xticklabels(["1", "10", "100", "1000"])
        axes[0][0].set(ylabel="feedback less base")
        axes[0][0].legend()
    alt = "; ".join(
        f"{source}: {row.measure} {row.difference:+.3f} at depth {row.k}"
        for source in sources
        for row in points[(points["source"] == source) & (points["k"] == 10)].itertuples()
    )
    return figures.Figure(
        drawing, alt=f"Differences against depth. {alt}.", formats="+.3f",
        caption="Mean change over seven systems in the share of relevant documents among the first "
        "k (P@k), and in the share of topics with at least one among them (Success@k). At k = 1 "
        "they are one measure.",
        data=points.pivot_table(index="k", columns=["source", "measure"], values="difference",
                                sort=False).sort_index().rename_axis(columns=[None, None]),
    )


def draw_finding():
    """Draw the paper's finding as our systems show it: four measures, before and after.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    labels = {"MAP": "average precision", "P10": "precision at ten",
              "MRR": "reciprocal rank of the first", "GS10": "GS10 of the first"}
    change = counts(replication("cf"))["difference"][list(labels)]
    with figures.style():
        drawing, axes = figures.subplots(height=1.8)
        axes.axvline(0, color="black", linewidth=1)
        axes.barh(list(labels.values()), change,
                  color=[figures.PALETTE[value < 0] for value in change])
        axes.invert_yaxis()
        axes.set(xlabel="with blind feedback less without")
    gains = ", ".join(f"{label} {change[label]:+.3f}" for label in labels)
    return figures.Figure(
        drawing, alt=f"Mean change over seven systems: {gains}.", formats="+.3f",
        caption=f"Seven systems of our own on Cystic Fibrosis: blind feedback gains "
        f"{change['MAP']:+.3f} average precision, and the first relevant document loses "
        f"{-change['MRR']:.3f} reciprocal rank.",
        data=change.rename(index=labels).rename_axis("measure").to_frame(),
    )


# --- The grid of feedback parameters, computed in advance from the texts.

FACTORS = {"documents": (0.5, 1, 2, 4), "terms": (0.5, 1, 2), "weight": (0.5, 1, 1.5)}


@cache
def _grid(name):
    """A collection's grid; documents, terms and weights as factors of each system's own."""
    table = pd.read_parquet(DATA / "feedback" / f"{name}-grid" / "grid.parquet")
    return table.assign(**{
        parameter: table.groupby("system")[parameter].rank(method="dense").astype(int)
        .map(dict(enumerate(factors, 1)))  # their order tells them
        for parameter, factors in FACTORS.items()
    })


def _scored(table):
    """The four measures from what the grid stores."""
    first = table["first"].to_numpy()
    found = first > 0
    return pd.DataFrame({
        "MAP": table["ap"].to_numpy() / 10_000,
        "P10": table["top10"].to_numpy() / 10,
        "MRR": np.where(found, 1 / np.maximum(first, 1), 0.0),
        "GS10": np.where(found, 1.08 ** (1.0 - first), 0.0),
    }, index=table.index)


@cache
def grid_effects(name=POOLED):
    """Return the mean difference to the base run at every setting of the grid.

    Parameters
    ----------
    name : str
        One of :data:`COLLECTIONS`, or "all four": every topic counts the same.

    Returns
    -------
    DataFrame
        Index: system, and the factors of documents, terms and weight, of which (1, 1, 1) is the
        setting that was fixed beforehand; columns MAP, P10, MRR, GS10.
    """
    parts = []
    for each in COLLECTIONS if name == POOLED else [name]:
        table = _grid(each)
        base = pd.concat([
            paired_scores(_collection(each), PAIRS, measure)[0].stack().rename(label)
            for label, measure in FOUR.items()
        ], axis=1)
        at = table["topic"].to_numpy() * len(SYSTEMS) + table["system"].map(
            {system: i for i, system in enumerate(SYSTEMS)}).to_numpy()
        parts.append(table.assign(**_scored(table) - base.to_numpy()[at].round(4)))
    table = pd.concat(parts, ignore_index=True)
    return table.groupby(["system", *FACTORS], sort=False)[list(FOUR)].mean()


def grid_summary(name=POOLED):
    """Say at how many settings of the grid feedback does what the paper says.

    Returns
    -------
    DataFrame
        One row a value of one parameter (as a factor of the fixed one), and one of all settings:
        settings (times systems), mean differences, and the share of settings where MAP rises,
        where GS10 falls, and where both happen.
    """
    effects = grid_effects(name)
    rises, falls = effects["MAP"] > 0, effects["GS10"] < 0
    shares = pd.DataFrame({"MAP rises": rises, "GS10 falls": falls, "both": rises & falls})
    table = pd.concat([effects, shares.astype(float)], axis=1).assign(settings=1)
    how = {"settings": "sum"} | dict.fromkeys([*effects, *shares], "mean")
    parts = {("all settings", ""): table.agg(how)}
    for parameter in FACTORS:
        for factor, row in table.groupby(level=parameter).agg(how).iterrows():
            parts[parameter, f"x {factor:g}"] = row
    result = pd.DataFrame(parts).T.rename_axis(["parameter", "factor"])
    return result.astype({"settings": int})


def topic_gains(system, measure, documents=1, terms=1, weight=1, name="cf"):
    """Return each topic's score without and with feedback at a setting of the grid.

    Parameters
    ----------
    system : str
        One of the seven.
    measure : str
        MAP, P10, MRR or GS10.
    documents, terms, weight : float
        Factors of the system's own numbers, among :data:`FACTORS`.
    name : str
        One of :data:`COLLECTIONS`.

    Returns
    -------
    DataFrame
        Index topic; columns base, feedback, difference.

    Raises
    ------
    ValueError
        A setting that is not in the grid.
    """
    table = _grid(name)
    chosen = table["system"] == system
    for parameter, factor in (("documents", documents), ("terms", terms), ("weight", weight)):
        chosen &= np.isclose(table[parameter], factor)
    if not chosen.any() or measure not in FOUR:
        raise ValueError(f"not in the grid: {system}, {measure}, documents x {documents:g}, "
                         f"terms x {terms:g}, weight x {weight:g}")
    collection = _collection(name)
    base = paired_scores(collection, PAIRS, FOUR[measure])[0][system].to_numpy()
    rows = table[chosen].sort_values("topic")
    frame = pd.DataFrame({"base": base.round(4), "feedback": _scored(rows)[measure].round(4)
                          .to_numpy()}, index=collection.topics.index)
    return frame.assign(difference=(frame["feedback"] - frame["base"]).round(4))


def panel(system, measure, documents=1, terms=1, weight=1, name="cf", losses=3):
    """Show whom feedback helps and whom it hurts: a panel of the chapter's control.

    Parameters
    ----------
    system, measure, documents, terms, weight, name
        As for :func:`topic_gains`.
    losses : int
        Largest losses to name.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures
    from lib.tables import minus_signs

    gains = topic_gains(system, measure, documents, terms, weight, name)
    change = gains["difference"].sort_values(ascending=False, kind="stable")
    place = np.arange(1, len(change) + 1)
    with figures.style():
        drawing, axes = figures.subplots(height=2.2)
        for number, side in enumerate((change > 0, change < 0)):
            axes.fill_between(place[side], change[side], linewidth=0, alpha=0.8,
                              color=figures.PALETTE[number])
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set(xlabel="topics, from the largest gain to the largest loss",
                 ylabel=f"change in {'AP' if measure == 'MAP' else measure}", ylim=(-1, 1),
                 xlim=(0, len(change) + 1), yticks=[-1, 0, 1])
    worst = gains.sort_values("difference", kind="stable").head(losses)
    worst = worst[worst["difference"] < 0]
    named = "; ".join(f"topic {topic} {row.base:.2f} to {row.feedback:.2f}"
                      for topic, row in zip(worst.index, worst.itertuples()))
    shown = pd.DataFrame({
        "topics helped": [int((change > 0).sum())], "hurt": [int((change < 0).sum())],
        "unchanged": [int((change == 0).sum())], "mean base": [gains["base"].mean()],
        "mean feedback": [gains["feedback"].mean()], "difference": [gains["difference"].mean()],
    }, index=pd.Index([f"{system}, {measure}"], name="system, measure"))
    alt = minus_signs(
        f"{shown['topics helped'].iloc[0]} topics gain, {shown['hurt'].iloc[0]} lose, "
        f"{shown['unchanged'].iloc[0]} stay; mean change {gains['difference'].mean():+.3f}.")
    return figures.Figure(
        drawing, data=shown, formats=".3f", alt=alt,
        caption=f"{alt} Largest losses: {named or 'none'}.",
    )


TABLES = {"1": table1, "2": table2}
CAPTIONS = {
    "1": "Four measures of each system without and with blind feedback",
    "2": "Mean change by blind feedback, and systems that lose (ns, no), stay (z) or gain "
         "(po, ps)",
}
DRAWINGS = {}  # the paper has no figures
# Systems and topics of the paper's own data: with others there is nothing to reproduce.
SIZES = {"1": (14, 150), "2": (14, 150)}


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    No table cell can be computed, since the runs are not public.  A claim that follows from printed
    numbers is checked on these: it says that the paper agrees with itself.  Our own systems enter
    nothing here.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.
    """
    rows = {"Table 1": _relations_of_table1(), "Table 2": _relations_of_table2()}
    rows |= {"Abstract": _claims_of_abstract(), "Section 1": _claims_of_section1(),
             "Section 2": _claims_of_section2(), "Section 3": _claims_of_section3(),
             "Section 4": _claims_of_section4(), "Section 5": _claims_of_section5(),
             "Conclusion": _claims_of_conclusion()}
    found = pd.DataFrame([
        {"place": place, "row": slug, "value": value, "cause": cause,
         "status": NOT_PUBLIC if value is None else ""}
        for place, claims in rows.items() for slug, value, cause in claims
    ])
    columns = read("tomlinson2006")[["place", "row", "column", "kind"]]
    texts = columns[(columns["kind"] == "text") & (columns["column"] != "starred")]
    found = found.merge(texts.drop(columns="kind"), on=["place", "row"], how="left")
    hidden = columns[(columns["kind"] == "table") | (columns["column"] == "starred")]
    reason = {"table": "the runs of the RIA workshop are not public",
              "text": "the evaluation files of the RIA workshop's site are not public"}
    hidden = hidden.assign(value=None, status=NOT_PUBLIC, cause=hidden["kind"].map(reason))
    both = pd.concat([found.astype(object), hidden.drop(columns="kind").astype(object)],
                     ignore_index=True).assign(error=0.0)
    return both[["place", "row", "column", "value", "error", "status", "cause"]]


# Each of the functions below returns (slug, value, cause); a value of None needs data not public.

def _relations_of_table1():
    table = printed(1)
    mean = printed(2)
    change = pd.DataFrame({s: table.loc[f"{s} difference"] for s in SYSTEMS}).T
    for system in SYSTEMS:
        for column in table:
            own = round(table.loc[f"{system} feedback", column]
                        - table.loc[f"{system} base", column], 3)
            stands = change.loc[system, column]
            yield (f"{system}-{column}-difference-is-feedback-minus-base", bool(own == stands),
                   f"printed {stands:.3f}; the printed means differ by {own:.3f}, as rounding "
                   "before subtracting may do")
    for label, column in FOUR.items():
        average = change[column].mean()
        tolerance = half_digit("0.000") + 1e-9
        yield (f"mean-{column}-difference-equals-table-2",
               bool(abs(average - mean.loc[label, "difference"]) <= tolerance),
               f"the seven average {average:.4f}")
        side = np.sign(change[column])
        three = [int((side == sign).sum()) for sign in (-1, 0, 1)]
        of = mean.loc[label].astype(int, errors="ignore")
        yield (f"{column}-signs-agree-with-table-2",
               three == [int(of["ns"] + of["no"]), int(of["z"]), int(of["po"] + of["ps"])],
               f"negative, zero, positive: {three}")
    yield ("clarit-AP-difference-significant", bool(mean.loc["MAP", "ps"] == len(SYSTEMS)), "")
    yield ("clarit-P@10-difference-significant",
           bool(poster().loc[("clarit", "P10"), "significant"]), "a star marks it on the poster")


def _relations_of_table2():
    table = printed(2)
    yield ("counts-sum-to-systems", bool((table[list(OUTCOMES)].sum(axis=1) == len(SYSTEMS)).all()),
           "")
    key = list(zip(table["ps"] - table["ns"], table["difference"]))
    yield "rows-ordered-by-ps-minus-ns-then-difference", key == sorted(key), ""


def _claims_of_abstract():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    yield ("first-relevant-harmed-while-p10-gains",
           bool((first["difference"] < 0).all() and table.loc["P10", "difference"] > 0), "")


def _claims_of_section1():
    change = printed(2)["difference"]
    for label in ("MRR", "S10"):
        yield f"hypothesis-{label.lower()}-falls", bool(change[label] < 0), ""
    for label in ("MAP", "P10"):
        yield f"hypothesis-{label.lower()}-rises", bool(change[label] > 0), ""


def _claims_of_section2():
    table = printed(2)
    strings = read("tomlinson2006").query("kind == 'table' and column == 'difference'")["printed"]
    starred = read("tomlinson2006").query("column == 'starred'")["row"]
    success = [label for label, name in MEASURES.items() if name.startswith("Success")]
    yield "systems", len({row.split()[0] for row in printed(1).index}), ""
    yield "topics", None, "the runs of the RIA workshop are not public"
    yield "alpha", 100 * signature(impact).parameters["alpha"].default, ""
    yield "difference-decimals", max(len(text.partition(".")[2]) for text in strings), ""
    for label, sign in (("MAP", "positive"), ("P10", "positive"), ("MRR", "negative"),
                        ("GS10", "negative")):
        wrong, right = ("ns", "ps") if sign == "positive" else ("ps", "ns")
        yield (f"{label.lower()}-significant-differences-{sign}",
               bool(table.loc[label, wrong] == 0 < table.loc[label, right]), "")
    yield "measures", len(table), ""
    yield "trec-eval-measures", len(set(MEASURES) - {"GS10", *success}), ""
    yield "success-measures", len(success), ""
    yield "tied-rows-not-reordered", None, "the runs of the RIA workshop are not public"
    yield "starred-measures", len(starred), ""
    yield ("starred-measures-favouring-feedback",
           int((table.loc[list(starred), "difference"] > 0).sum()), "")


def _claims_of_section3():
    table = printed(2)
    change = table["difference"]
    at_depth = table.loc[[label for label in table.index if label[0] == "P"]]
    significant = table["ns"] + table["ps"]
    yield "precision-at-n-all-higher", bool((at_depth["difference"] > 0).all()), ""
    yield "precision-at-n-each-significant-once", bool((at_depth["ps"] >= 1).all()), ""
    yield "s1-equals-precision-at-1", _success_is_precision_at_1(), ""
    yield "s1-declines", bool(change["S1"] < 0), ""
    yield "mrr-declines", bool(change["MRR"] < 0), ""
    for label in ("S1", "MRR"):
        yield (f"{label.lower()}-significant-differences-negative",
               bool(table.loc[label, "ps"] == 0 < table.loc[label, "ns"]), "")
    # Few: of fewer than half of the systems.
    yield ("s1-mrr-significant-differences-few",
           bool((significant[["S1", "MRR"]] < len(SYSTEMS) / 2).all()), "")
    yield "i0-declines", bool(change["I0"] < 0), ""
    yield "i10-rises", bool(change["I10"] > 0), ""
    for k in (5, 10):
        # k P@k counts relevant documents, and Success@k the first of them; the rest is what
        # comes after the first.  It rises while the first falls.
        later = k * change[f"P{k}"] - change[f"S{k}"]
        yield (f"precision-at-{k}-driven-by-later-relevant",
               bool(change[f"S{k}"] < 0 < later > k * change[f"P{k}"]), "")
    # Less easily than GS10, the measure that the paper puts in their place.
    yield ("s1-mrr-less-often-significant",
           bool((significant[["S1", "MRR"]] < significant["GS10"]).all()), "")


def _success_is_precision_at_1():
    return all(bool((scores(c, "Success@1") == scores(c, "P@1")).all(axis=None)) for c in ours())


def _claims_of_section4():
    base = signature(generalized_success).parameters["base"].default
    by_rank = _gs10(range(1, 1001))
    drops = -np.diff(by_rank)
    reciprocal = 1 / np.arange(1, 1001)
    table = printed(2)
    others = table.drop("GS10")["ns"]
    yield "gs10-base", base, ""
    yield "gs10-zero-when-nothing-relevant", bool(_gs10([None])[0] == 0), ""
    for rank in (1, 2, 3):
        yield f"gs10-rank-{rank}", by_rank[rank - 1], ""
    yield "gs10-falls-slower-than-rr", bool((by_rank[1:10] > reciprocal[1:10]).all()), ""
    yield "gs10-rounds-to-1-through-rank-10", bool((by_rank[:10] >= 0.5).all()), ""
    yield "gs10-rounds-to-0-beyond-rank-10", bool((by_rank[10:] < 0.5).all()), ""
    yield "gs10-steps-shrink", bool((np.diff(drops) < 0).all()), ""
    yield "gs10-ns", int(table.loc["GS10", "ns"]), ""
    yield "gs10-most-significant-losses", bool(table.loc["GS10", "ns"] > others.max()), ""


def _gs10(ranks):
    """GS10 of lists whose first relevant document has these ranks (None: not found)."""
    from lib.collection import Collection

    lists = {
        f"{number:04}": [f"x{i}" for i in range((rank or 1) - 1)] + (["r"] if rank else [])
        for number, rank in enumerate(ranks)
    }
    collection = Collection.from_rankings({"A": lists}, {topic: {"r": 1} for topic in lists})
    return generalized_success(collection)["A"].to_numpy()


def _claims_of_section5():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    short = list(first.index[first["ns"] < 1])
    gain = _worst_topics()
    yield ("feedback-fails-worst-topics", None,
           "said of the TREC 2003 robust track, whose runs are not public; with our systems the "
           f"quarter of topics with the poorest base AP gains {gain:+.3f} AP on average")
    yield "gmap-favours-feedback", bool(table.loc["GMAP", "difference"] > 0), ""
    yield "gmap-ps", int(table.loc["GMAP", "ps"]), ""
    yield ("primary-recall-ns-at-least-one", not short,
           f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
           f"{len(first) - len(short)} measures of the first relevant document 1 or more")
    yield ("primary-recall-behaves-as-robustness",
           bool((first["difference"] < 0).all() and table.loc["GMAP", "difference"] > 0), "")
    yield ("gs10-behaves-most-as-robustness",
           bool((first["ns"] - first["ps"]).drop("GS10").max()
                < first.loc["GS10", "ns"] - first.loc["GS10", "ps"]), "")


def _worst_topics():
    """Mean change in AP of each system's poorest quarter of topics, by base AP, on average."""
    before, after = paired_scores(ours(), PAIRS, "AP")
    poorest = before.rank(method="first") <= len(before) // 4
    return (after - before).where(poorest).mean().mean()


def _claims_of_conclusion():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    hidden = table.loc[list(EARLY), "difference"] > 0
    yield "feedback-harms-single-item-search", bool((first["difference"] < 0).all()), ""
    yield "common-early-precision-hides-harm", bool(hidden.mean() > 0.5), ""
