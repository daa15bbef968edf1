"""Webber, Moffat, Zobel and Sakai, Precision-At-Ten Considered Redundant, SIGIR 2008.

How well does each measure predict the ranking of systems by each other measure, on topics that
were not used?
"""

import math
from functools import cache
from inspect import signature

import numpy as np
import pandas as pd

from lib.collection import load
from lib.correlation import pair_signs
from lib.discrimination import discriminative_power, significant
from lib.predictivity import against_new_topics, predictivity, set_sizes, splits
from lib.published import NOT_PUBLIC, REPRODUCED, SAMPLING, cells, compare, read
from lib.scoring import means, scores

__all__ = [
    "CHOICES",
    "DRAWINGS",
    "MEASURES",
    "TABLES",
    "choices",
    "conflicts",
    "draw_figure1",
    "draw_finding",
    "figure1",
    "findings",
    "halving",
    "panel",
    "phi",
    "predicts",
    "reversals",
    "table1",
    "table2",
    "top_systems",
]

# The paper's names, and what they mean in lib: binary relevance, and the DCG discount of 2002.
MEASURES = {
    "P@10": "P@10",
    "RR": "RR",
    "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,rel=1)",
}
SIMPLE, COMPLEX = ("P@10", "RR"), ("RBP(p=0.95)", "AP", "nDCG")

ANCHORS = {
    "Table 1": "webber2008-table-1",
    "Table 2": "webber2008-table-2",
    "Figure 1": "webber2008-figure-1",
    "Abstract": "webber2008-claims",
    "Section 1": "webber2008-claims",
    "Section 2": "webber2008-data",
    "Section 3": "webber2008-claims",
    "Conclusion": "webber2008-claims",
}


def top_systems(collection, *, share=0.75, by="AP", rounding="down"):
    """Return the best systems by a measure, best first.

    Parameters
    ----------
    collection : Collection
    share : float
        Share of systems to keep, in (0, 1].
    by : str
        Measure; equal means are ordered by name.
    rounding : {"down", "up"}
        75% of 129 systems are 96.75: 96 or 97.  The paper does not say; 96 match its table better.

    Returns
    -------
    list of str

    Examples
    --------
    >>> len(top_systems(load("trec8")))
    96
    """
    if not 0 < share <= 1:
        raise ValueError(f"share must lie in (0, 1], not {share}")
    if rounding not in ("down", "up"):
        raise ValueError(f"rounding must be 'down' or 'up', not {rounding!r}")
    mean = means(collection, [by]).iloc[:, 0].sort_index()
    best = mean.sort_values(ascending=False, kind="stable")
    number = round(share * len(best), 9)  # 0.55 * 100 is 55.00000000000001
    return list(best.index[: math.floor(number) if rounding == "down" else math.ceil(number)])


def phi(collection, measures=None, *, size=None, number=2000, seed=2008, share=0.75,
        rounding="down", variant="b", decimals=10):
    """Estimate how well measures predict each other on a collection (section 2 of the paper).

    Parameters
    ----------
    collection : Collection
    measures : dict of str to str, optional
        Label to measure, by default the paper's five.
    size : int, optional
        Topics in each of the two disjoint sets, by default half of all.
    number : int
        Random splits.
    seed : int
        Seed of the splits.
    share, rounding
        Which systems are kept, the best by AP; see :func:`top_systems`.
    variant : {"a", "b"}
        Variant of Kendall's tau; the paper does not say which, and tau-b matches.
    decimals : int or None
        Digits of the means by which systems are ranked, so that equal means tie; the paper does
        not say.

    Returns
    -------
    lib.predictivity.Predictivity

    Raises
    ------
    ValueError
        Fewer than two systems are kept, or two sets of topics of this size do not fit.
    """
    tables = _tables(collection, MEASURES if measures is None else measures,
                     share=share, rounding=rounding)
    sets = splits(len(collection.topics), size=size, number=number,
                  rng=np.random.default_rng(seed))
    return predictivity(tables, sets, variant=variant, decimals=decimals)


def _tables(collection, measures, **options):
    """Return the scores of the systems that are kept: label to DataFrame (topics x systems)."""
    kept = top_systems(collection, **options)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} of {len(collection.systems)} systems is too few to rank")
    return {label: scores(collection, measure)[kept].fillna(0.0)
            for label, measure in measures.items()}


def halving(collection=None, measures=None, *, samples=200, pairs=1000, seed=2008, share=0.75):
    """Ask whether halves of a topic set stand in for new topics: an experiment not shown.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    measures, share
        As for :func:`phi`.
    samples, pairs
        As for :func:`lib.predictivity.against_new_topics`.
    seed : int

    Returns
    -------
    DataFrame, index (of, predictor)
        new : phi by pairs of sets of new topics; halved : phi by halves, mean over topic sets;
        difference and error : of these two, with its Monte-Carlo standard error; deviation :
        standard deviation of phi by halves between topic sets.
    """
    tables = _tables(collection or load("trec8"), MEASURES if measures is None else measures,
                     share=share)
    halved, new = against_new_topics(tables, samples=samples, pairs=pairs,
                                     rng=np.random.default_rng(seed))
    return pd.DataFrame({
        "new": new.mean(), "halved": halved.mean(), "difference": halved.mean() - new.mean(),
        "error": np.sqrt(halved.var() / samples + new.var() / pairs),
        "deviation": halved.std()})


def table1(collection=None, **options):
    """Predictive power of five measures for each other: Table 1.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error), the upper triangle with its diagonal.
    """
    result = phi(collection or load("trec8"), **options)
    names = list(result.phi)
    return cells(
        (row, column, result.phi.loc[row, column], result.error.loc[row, column])
        for i, row in enumerate(names)
        for column in names[i:]
    )


def table2(collection=None, **options):
    """The same on the TREC 2004 Terabyte runs: Table 2.

    Those runs are not public; without a collection there is nothing to compute.

    Returns
    -------
    DataFrame
        Cells as in :func:`table1`; empty when no collection is given.
    """
    return cells([]) if collection is None else table1(collection, **options)


def figure1(collection=None, *, sizes=None, measures=("nDCG", "P@10"), target="P@10", **options):
    """Predictive power against the number of topics in each set: Figure 1.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    sizes : sequence of int, optional
        Topics in each of the two sets; by default those of
        :func:`lib.predictivity.set_sizes`.
    measures : sequence of str
        Labels among :data:`MEASURES`; each is shown of itself and of ``target``.
    target : str
        The measure to be predicted.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        Columns topics, predictor, of, phi, error, deviation; one row a point of the figure.
    """
    collection = collection or load("trec8")
    sizes = set_sizes(collection) if sizes is None else sizes
    chosen = {name: MEASURES[name] for name in dict.fromkeys((*measures, target))}
    pairs = list(dict.fromkeys(p for name in measures for p in ((name, name), (name, target))))
    rows = []
    for size in sizes:
        result = phi(collection, chosen, size=size, **options)
        rows += [
            (size, a, b, *(table.loc[a, b]
                           for table in (result.phi, result.error, result.deviation)))
            for a, b in pairs
        ]
    return pd.DataFrame(rows, columns=["topics", "predictor", "of", "phi", "error", "deviation"])


# What the paper leaves open, each with the road not taken: options of :func:`phi`.
CHOICES = {
    "as reproduced here": {},
    "97 systems (75% rounded up)": {"rounding": "up"},
    "tau-a instead of tau-b": {"variant": "a"},
    "means not rounded before ranking": {"decimals": None},
    "nDCG with discount log2(i + 1)": {"measures": MEASURES | {"nDCG": "nDCG(rel=1)"}},
    "all 129 systems": {"share": 1.0},
}


def choices(collection=None, **options):
    """Compute Table 1 along each road that the paper leaves open.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        One row a choice: ``agree``, the cells that agree with the printed ones (to two digits, or
        within Monte-Carlo error), ``mean difference`` and ``largest difference`` of the fifteen.
    """
    rows = {}
    for choice, changed in CHOICES.items():
        result = compare("webber2008", "Table 1", table1(collection, **(options | changed)))
        difference = result["difference"].astype(float)
        rows[choice] = {
            "cells": len(result),
            "agree": int(result["verdict"].isin([REPRODUCED, SAMPLING]).sum()),
            "mean difference": difference.mean(),
            "largest difference": difference[difference.abs().idxmax()],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("choice")


def predicts(cells_of_table):
    """Compare how well complex measures predict each simple one, and it does itself.

    Parameters
    ----------
    cells_of_table : DataFrame
        Cells from :func:`table1`, or the printed ones with their numbers as ``value``.

    Returns
    -------
    DataFrame
        Columns target, predictor, phi, itself, holds: whether the predictor's phi is at least the
        target's own, both rounded to two digits as the paper prints them.
    """
    at = _lookup(cells_of_table)
    rows = [
        (target, a, _of(at, a, target), at[(target, target)],
         _at_least(_of(at, a, target), at[(target, target)]))
        for target in SIMPLE for a in COMPLEX
    ]
    return pd.DataFrame(rows, columns=["target", "predictor", "phi", "itself", "holds"])


def conflicts(collection=None, *, simple="P@10", complex="AP", number=2000, seed=2008,
              share=0.75, decimals=10):
    """Ask which measure to believe when two disagree about a pair of systems.

    On one random half of the topics, take the pairs of systems that the two measures order in
    opposite ways; on the other half, see which of them was right.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    simple, complex : str
        Labels among :data:`MEASURES`.
    number, seed, share, decimals
        As for :func:`phi`.

    Returns
    -------
    Series
        Index: the measure that decides on the other half; value: the share of the conflicts, of
        those that it does not tie, in which the complex measure was right.
    """
    collection = collection or load("trec8")
    kept = top_systems(collection, share=share)
    labels = (simple, complex)
    tables = [scores(collection, MEASURES[label])[kept].fillna(0.0) for label in labels]
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    right, decided = np.zeros(2), np.zeros(2)
    for pair in sets:
        one, other = (
            [pair_signs(table.to_numpy()[side].mean(axis=0).round(decimals)) for table in tables]
            for side in pair
        )
        opposed = one[0] * one[1] < 0
        for i, judge_signs in enumerate(other):
            verdict = (judge_signs * one[1])[opposed]
            right[i] += (verdict > 0).sum()
            decided[i] += (verdict != 0).sum()
    return pd.Series(right / decided, index=list(labels), name=f"{complex} right")


def reversals(collection=None, *, measure="AP", alpha=0.05, number=200, seed=2008, share=0.75):
    """Return how often a significant difference turns around on other topics.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    measure : str
        Label among :data:`MEASURES`.
    alpha : float
        Level of the paired, two-tailed t test on one half of the topics.
    number, seed, share
        As for :func:`phi`.

    Returns
    -------
    float
        Of the pairs of systems that differ significantly on a random half of the topics, the share
        that the other half orders the other way round; in [0, 1].
    """
    collection = collection or load("trec8")
    kept = top_systems(collection, share=share)
    table = scores(collection, MEASURES[measure])[kept].fillna(0.0).to_numpy()
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    found = turned = 0
    for one, other in sets:
        sure = significant(table[one], alpha=alpha)
        signs = [pair_signs(table[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        turned += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(turned / found)


def draw_figure1(points):
    """Draw Figure 1: predictive power against topics in each set, one line a pair.

    Parameters
    ----------
    points : DataFrame
        From :func:`figure1`.

    Returns
    -------
    lib.figures.Figure
        With bands of one standard deviation between single splits around each line.
    """
    # Imported here: the command line need not wait for seaborn.
    from lib import figures

    with figures.style():
        drawing, axes = figures.subplots(height=3.4)
        for (predictor, of), line in points.groupby(["predictor", "of"], sort=False):
            drawn = axes.plot(line["topics"], line["phi"], marker="o",
                              label=f"{predictor} of {'itself' if predictor == of else of}")
            low, high = line["phi"] - line["deviation"], line["phi"] + line["deviation"]
            axes.fill_between(line["topics"], low, high, color=drawn[0].get_color(), alpha=0.1,
                              linewidth=0)
        axes.set(xlabel="topics in each set", ylabel="predictive power (mean tau)",
                 xticks=sorted(points["topics"].unique()))
        figures.label_lines(axes)
    ends = points[points["topics"] == points["topics"].max()]
    alt = "Lines that rise with the number of topics; at the largest sets: " + ", ".join(
        f"{row.predictor} of {row.of} {row.phi:.2f}" for row in ends.itertuples())
    return figures.Figure(
        drawing, alt=alt, formats=".3f",
        caption="Predictive power against the number of topics in each of two disjoint sets. "
        "Lines are means over random splits; bands are one standard deviation of single splits.",
        data=points.set_index(["predictor", "of", "topics"])[["phi", "error", "deviation"]],
    )


def draw_finding(collections=None, *, target="P@10"):
    """Draw what became of the claim: who predicts a simple measure, on the old data and on new.

    Parameters
    ----------
    collections : dict of str to Collection, optional
        Title to collection, two of them; by default TREC-8 and TREC-COVID.
    target : str
        Label among :data:`MEASURES`: the measure to be predicted.

    Returns
    -------
    lib.figures.Figure
        One row of axes, a dot a measure; small enough for the landing page.
    """
    from lib import figures

    collections = collections or {"TREC-8 (1999)": load("trec8"),
                                  "TREC-COVID (2020)": load("trec-covid")}
    rows = [target, *reversed(COMPLEX)]
    shown = pd.DataFrame({title: phi(data).phi[target] for title, data in collections.items()})
    shown = shown.loc[rows].rename_axis("predictor")
    with figures.style():
        drawing, axes = figures.subplots(1, len(collections), height=1.9, sharex=True, sharey=True)
        for ax, (title, values) in zip(axes, shown.items()):
            ax.axvline(values[target], color="black", linewidth=1, linestyle=":")
            for place, (name, value) in enumerate(values.items()):
                ax.plot(value, place, "o", markersize=7, color=figures.PALETTE[name == target])
            ax.set_title(title)
        axes[0].set(yticks=range(len(rows)), yticklabels=rows, ylim=(-0.5, len(rows) - 0.5))
        drawing.supxlabel(f"predictive power for {target}", fontsize=10)
    ends = "; ".join(f"{title}: AP {values['AP']:.2f}, {target} itself {values[target]:.2f}"
                     for title, values in shown.items())
    return figures.Figure(
        drawing, data=shown.iloc[::-1], formats=".3f", alt=f"Dots in two panels. {ends}.",
        caption=f"How well each measure predicts how systems rank by {target} on other topics; "
        f"dotted: {target} itself. {ends}.",
    )


def panel(target, topics, predictors=tuple(MEASURES), share=0.75, number=2000, collection=None):
    """Show how well each measure predicts one measure: a panel of the chapter's control.

    Parameters
    ----------
    target : str
        Label among :data:`MEASURES`: the measure to be predicted.
    topics : int
        Topics in each of the two sets.
    predictors : sequence of str
        Labels among :data:`MEASURES`.
    share, number
        As for :func:`phi`.
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    chosen = {name: MEASURES[name] for name in dict.fromkeys((target, *predictors))}
    result = phi(collection or load("trec8"), chosen, size=topics, share=share, number=number)
    shown = pd.DataFrame({"phi": result.phi[target], "error": result.error[target],
                          "deviation": result.deviation[target]}).sort_values("phi")
    with figures.style():
        drawing, axes = figures.subplots(height=2.2)
        axes.axvline(shown.loc[target, "phi"], color="black", linewidth=1, linestyle=":")
        axes.errorbar(shown["phi"], shown.index, xerr=shown["deviation"], fmt="none",
                      ecolor=figures.PALETTE[0], alpha=0.5)
        axes.plot(shown["phi"], shown.index, "o", color=figures.PALETTE[0])
        axes.plot(shown.loc[target, "phi"], target, "o", color=figures.PALETTE[1], markersize=8)
        axes.set(xlim=(0, 1), xlabel=f"predictive power for {target} on other topics")
    shown = shown.iloc[::-1].rename_axis("predictor")
    return figures.Figure(
        drawing, data=shown, formats=".3f",
        alt=f"{shown.index[0]} predicts {target} best, phi {shown['phi'].iloc[0]:.2f}; "
        f"{target} itself {shown.loc[target, 'phi']:.2f}.",
        caption=f"How well a ranking of systems on {topics} topics by each measure predicts the "
        f"ranking by {target} on {topics} others. Bars: one standard deviation between single "
        f"splits. Dotted line: {target} of itself.",
    )


TABLES = {"1": table1, "2": table2}
CAPTIONS = {
    "1": "How well each measure (row) predicts each other (column) on other topics: mean "
         "tau",
    "2": "How well each measure (row) predicts each other (column) on other topics: mean "
         "tau",
}
DRAWINGS = {"Figure 1": lambda collection: draw_figure1(figure1(collection))}
# Systems and topics of each table's own data: with others there is nothing to reproduce.
SIZES = {"1": (129, 50), "2": (70, 49)}


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.
    """
    trec8 = load("trec8")
    ours = table1(trec8)
    at = _lookup(ours)
    everyone = _lookup(table1(trec8, share=1.0))
    printed2 = _printed("Table 2")
    points = figure1(trec8, measures=("nDCG", "P@10", "AP", "RBP(p=0.95)"))
    claims = [
        ("Table 1", ours),
        ("Figure 1", _claims_of_figure1(points)),
        ("Abstract", _claims_of_abstract(at)),
        ("Section 1", _claims_from_elsewhere(trec8)),
        ("Section 2", _claims_of_section2(trec8, at, everyone)),
        ("Section 3", _claims_of_table(at, "trec8")),
        ("Section 3", _claims_of_table(printed2, "trec2004")),
        ("Section 3", _claims_of_section3(at, printed2, points)),
        ("Conclusion", _claims_of_conclusion(at, conflicts(trec8), reversals(trec8))),
        ("Conclusion", _claims_on_many_topics(trec8)),
    ]
    frame = pd.concat([table.assign(place=place) for place, table in claims], ignore_index=True)
    missing = _not_public()
    frame = pd.concat([frame, missing], ignore_index=True)
    return frame.fillna({"status": "", "cause": ""})


def _lookup(cells_of_table):
    return cells_of_table.set_index(["row", "column"])["value"].astype(float)


def _printed(place):
    table = read("webber2008", place)
    return _lookup(table.assign(value=table["printed"]))


def _claim(slug, holds, cause=""):
    return {"row": slug, "column": "claim", "value": bool(holds), "error": 0.0, "cause": cause}


def _value(slug, value):
    return {"row": slug, "column": "value", "value": value, "error": 0.0}


def _at_least(a, b):
    """Compare at the printed precision: "as good as" is meant to two digits."""
    return round(a, 2) >= round(b, 2)


def _of(at, a, b):
    return at[(a, b)] if (a, b) in at.index else at[(b, a)]


def _claims_of_figure1(points):
    phi_at = points.set_index(["topics", "predictor", "of"])["phi"]
    small, large = points["topics"].min(), points["topics"].max()
    own, p10, cross = ("nDCG", "nDCG"), ("P@10", "P@10"), ("nDCG", "P@10")
    gain = {pair: phi_at[(large, *pair)] - phi_at[(small, *pair)] for pair in (own, p10)}
    lead = phi_at[(large, *cross)] - phi_at[(large, *p10)]
    return pd.DataFrame([
        _value("smallest-subset-size", small),
        _value("largest-subset-size", large),
        _claim("all-phi-low-at-five-topics",
               all(phi_at[(small, *pair)] < phi_at[(large, *pair)] for pair in (own, p10, cross))),
        _claim("self-phi-close-at-five-topics",
               abs(phi_at[(small, *own)] - phi_at[(small, *p10)])
               < abs(phi_at[(large, *own)] - phi_at[(large, *p10)])),
        _claim("p10-better-on-itself-at-five-topics",
               phi_at[(small, *p10)] > phi_at[(small, *cross)]),
        _claim("ndcg-self-phi-rises-faster", gain[own] > gain[p10]),
        _claim("ndcg-overtakes-p10-on-p10", lead > 0,
               "" if lead > 0 else f"at {large} topics nDCG's phi of P@10 is {lead:+.3f} from "
               "P@10's own: level, not ahead"),
        _claim("ndcg-lead-on-p10-marginal", abs(lead) < 0.01),
    ])


def _claims_of_abstract(at):
    behind = [(a, b) for b in SIMPLE for a in COMPLEX if not _at_least(_of(at, a, b), at[(b, b)])]
    cause = "" if not behind else "of RR, " + " and ".join(
        f"{a} ({_of(at, a, b):.2f})" for a, b in behind
    ) + f" fall short of RR itself ({at[('RR', 'RR')]:.2f}), in the paper's own Table 1 too"
    return pd.DataFrame([_claim("complex-at-least-as-good-as-simple", not behind, cause)])


def _claims_from_elsewhere(collection):
    """Check two claims that the paper cites from others, on its own data."""
    own = phi(collection, share=1.0).phi
    stable = all(own.loc[a, a] > own.loc[b, b] for a in COMPLEX for b in SIMPLE)
    power = {name: discriminative_power(scores(collection, measure).fillna(0.0), alpha=0.05)
             for name, measure in MEASURES.items()}
    discriminative = all(power[a] > power[b] for a in COMPLEX for b in SIMPLE)
    return pd.DataFrame([
        _claim("complex-more-stable", stable),
        _claim("complex-more-discriminative", discriminative),
    ])


def _claims_of_section2(trec8, at, everyone):
    mean = means(trec8, ["AP"])["AP"].sort_values()
    worst = mean.index[: len(mean) // 4]
    of_topics = scores(trec8, "AP").fillna(0.0).rank(axis=1, pct=True)
    inflated = all(everyone[pair] > at[pair] for pair in at.index)
    trends = all(
        _at_least(_of(everyone, a, "P@10"), everyone[("P@10", "P@10")]) for a in COMPLEX
    ) and everyone[("RR", "RR")] == min(everyone[(a, a)] for a in MEASURES)
    both = phi(trec8).phi
    defaults = {k: v.default for k, v in signature(phi).parameters.items()}
    simulated = halving(trec8)
    away = (simulated["difference"].abs() / simulated["error"]).max()
    return pd.DataFrame([
        _claim("halving-topics-reliable", away <= 3,
               "by an experiment of ours: new topics from a simulated population give the same "
               f"phi, to {simulated['difference'].abs().max():.3f}, {away:.1f} standard errors"),
        _value("trec8-topics", len(trec8.topics)),
        _value("trec8-systems", len(trec8.systems)),
        _value("repartitionings", defaults["number"]),
        _value("share-of-systems-kept", 100 * defaults["share"]),
        _claim("phi-symmetric", np.allclose(both, both.T)),
        _claim("weak-systems-ranked-low-on-any-topics",
               (of_topics[worst].median() < 0.5).all()),
        _claim("weak-systems-inflate-tau", inflated),
        _claim("trends-hold-with-all-systems", trends),
    ])


def _claims_of_table(at, name):
    """Check each 'X predicts Y as well as (better than) Y does itself' of section 3."""
    short = {"P@10": "p10", "RR": "rr", "RBP(p=0.95)": "rbp", "AP": "ap", "nDCG": "ndcg"}
    rows = []
    for target in SIMPLE:
        strict = name == "trec2004" and target == "RR"
        predictors = ("P@10", *COMPLEX) if strict else COMPLEX
        for a in predictors:
            ours, own = _of(at, a, target), at[(target, target)]
            holds = ours > own if strict else _at_least(ours, own)
            verb = "better-than-itself" if strict else "as-well-as-itself"
            cause = "" if holds else f"{ours:.2f} against {own:.2f}, as in the paper's own table"
            rows.append(_claim(f"{name}-{short[a]}-predicts-{short[target]}-{verb}", holds, cause))
    return pd.DataFrame(rows)


def _claims_of_section3(at, printed2, points):
    own = {a: at[(a, a)] for a in MEASURES}
    others = min(own[a] for a in COMPLEX)
    lead = points[points["of"] == "P@10"].pivot(index="topics", columns="predictor", values="phi")
    lead = lead.sub(lead["P@10"], axis=0)
    gains = lead.iloc[-1] - lead.iloc[0]
    beside = {
        name: min(table[("AP", "AP")], table[("nDCG", "nDCG")])
        - table[("RBP(p=0.95)", "RBP(p=0.95)")]
        for name, table in (("trec8", at), ("trec2004", printed2))
    }
    return pd.DataFrame([
        _claim("trec8-p10-poorer-self-predictor", own["P@10"] < others),
        _claim("trec8-rr-poorer-self-predictor", own["RR"] < others),
        _claim("trec8-rr-poorest-self-predictor", own["RR"] == min(own.values())),
        _claim("rr-poor-predictivity", own["RR"] == min(own.values())),
        _value("rbp-p", float(MEASURES["RBP(p=0.95)"][6:10])),
        _claim("rbp-weaker-on-trec2004", beside["trec2004"] > beside["trec8"]),
        _claim("trec8-ap-gains-on-p10-with-topics", gains["AP"] > 0),
        _claim("trec8-rbp-gains-on-p10-with-topics", gains["RBP(p=0.95)"] > 0),
    ])


def _claims_on_many_topics(collection):
    """Check the closing remark at equal cost: P@10 on 25 topics, judged from a pool of depth 10.

    Is there a setting with fewer topics and a deeper measure that costs no more judgements and
    predicts P@10 itself on other topics as well or better?
    """
    # Imported here: that module's claims look back at this paper.
    from lib.papers.webber2010 import budget

    table = budget(collection, target="P@10")
    many = table.query("measure == 'P@10' and topics == 25 and pool == 10").iloc[0]
    rivals = table[(table["measure"] != "P@10") & (table["topics"] < many.topics)
                   & (table["judgements"] <= many.judgements)]
    best = rivals.sort_values("phi").iloc[-1]
    cheapest = rivals[rivals["phi"] >= many.phi].sort_values("judgements").head(1)
    better = best.phi < many.phi
    cause = "" if better else (
        f"with {many.judgements:,} judgements P@10 on {many.topics} topics predicts P@10 at "
        f"{many.phi:.3f}, {best.measure} on {best.topics} topics at {best.phi:.3f}")
    dearer = "" if cheapest.empty else (
        f"{cheapest['measure'].iloc[0]} on {cheapest['topics'].iloc[0]} topics predicts P@10 as "
        f"well with {cheapest['judgements'].iloc[0]:,} judgements in place of "
        f"{many.judgements:,}")
    return pd.DataFrame([
        _claim("p10-on-many-topics-cheaper", cheapest.empty, dearer),
        _claim("p10-on-many-topics-more-predictive", better, cause),
    ])


def _claims_of_conclusion(at, right, reversed_share):
    ready = {b: [a for a in ("AP", "nDCG") if _at_least(_of(at, a, b), at[(b, b)])]
             for b in SIMPLE}
    margin = {b: max(_of(at, a, b) for a in ("AP", "nDCG")) - at[(b, b)] for b in SIMPLE}
    return pd.DataFrame([
        _claim("p10-redundant", ready["P@10"] == ["AP", "nDCG"]),
        _claim("rr-unnecessary", bool(ready["RR"]),
               "on TREC-8 neither AP nor nDCG predicts RR as well as RR does"),
        _claim("significant-results-not-always-predictive", reversed_share > 0),
        _claim("complex-right-in-conflict", (right > 0.5).all(),
               f"judged by P@10 on other topics, AP was right in {right['P@10']:.1%} of its "
               f"conflicts with P@10; judged by AP, in {right['AP']:.1%}"),
        _claim("evidence-stronger-against-rr", margin["RR"] > margin["P@10"],
               f"on TREC-8 the margin is {margin['RR']:+.2f} for RR, {margin['P@10']:+.2f} for "
               "P@10; the printed Table 2 (TREC 2004) supports the sentence"),
    ])


def _not_public():
    """List what needs the TREC 2004 Terabyte runs, which NIST keeps behind a password."""
    table = read("webber2008")
    slugs = {"trec2004-topics", "trec2004-systems", "rbp-deeper-p", "rbp-deeper-like-ap-and-ndcg",
             "trec2004-complex-lead-larger-on-few-topics", "trec2004-gap-narrows-with-topics"}
    rows = table[(table["place"] == "Table 2") | table["row"].isin(slugs)]
    return rows[["place", "row", "column"]].assign(
        value=None, error=0.0, status=NOT_PUBLIC,
        cause="the TREC 2004 Terabyte runs are in NIST's password area",
    )
