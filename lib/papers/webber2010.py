"""Webber, Moffat and Zobel, The Effect of Pooling and Evaluation Depth on Metric Stability, 2010.

Why does nDCG tell more systems apart than other measures: by its normalization, by its depth, or
by looking deeper than the judgements reach?

Every choice that the paper leaves open is a keyword argument; the defaults are the one set with
which all tables come out as printed (:func:`choices` says what breaks without each).
"""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pandas as pd

from lib.collection import DATA, load
from lib.correlation import tau_matrix
from lib.depths import cumulated
from lib.discrimination import discriminative_power
from lib.measures import dcg_discount, persistence
from lib.predictivity import of_target, set_sizes, splits
from lib.published import cells, compare
from lib.scoring import means, scores
from lib.significance import identical as same_scores
from lib.significance import t_test
from lib.standardization import standardized

__all__ = [
    "DEPTHS",
    "FORMS",
    "HYPOTHESES",
    "POOLS",
    "TABLES",
    "best_buys",
    "budget",
    "check_depths",
    "choices",
    "draw_budget",
    "draw_figure1",
    "draw_figure2",
    "draw_grid",
    "figure1",
    "figure2",
    "figure2_taus",
    "figure3",
    "figure4",
    "draw_finding",
    "findings",
    "grid",
    "in_single_precision",
    "limits",
    "means_of_table2",
    "p_values",
    "panel",
    "powers_in_text",
    "ranks_of",
    "table1",
    "table2",
    "table3",
    "weight_shares",
]

POOLS = (5, 10, 20, 50, 100)
DEPTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
ALPHA = 0.05
RESIDUAL = 0.1
# The persistence at which RBP leaves that residual, as the paper prints it.
PRINTED_P = {10: 0.8, 100: 0.977, 1000: 0.9977}

HYPOTHESES = {
    "normalization": "nDCG is more stable than RBP because it is normalized",
    "depth": "nDCG is more stable because its heavy tail holds valid information",
    "reinforcement": "nDCG is more stable because evaluation beyond the pool rewards systems that "
    "resemble the pooled ones",
}

# Name in the paper: (systems, topics) of its run sets.  Only TREC-8's runs are public.
COLLECTIONS = {
    "TREC-5 ad hoc": (61, 50),
    "TREC-8 ad hoc": (129, 50),
    "TREC 2001 Web": (97, 50),
    "TREC 2004 Robust": (110, 49),
    "TREC 2005 Terabyte": (58, 50),
}

# Figure 4's rows and columns: (family, form) of each measure.  Standardization removes whatever
# multiplies all scores of a topic, so that standardized recall is standardized precision, and
# standardized AP the same whichever way AP is normalized.
FORMS = {
    "P": ("precision/recall", "raw"),
    "R": ("precision/recall", "normalized"),
    "sP": ("precision/recall", "standardized"),
    "DCG": ("DCG", "raw"),
    "nDCG": ("DCG", "normalized"),
    "sDCG": ("DCG", "standardized"),
    "SP": ("AP", "raw"),
    "aAP": ("AP", "normalized"),
    "sAP": ("AP", "standardized"),
    "RBP": ("RBP", "raw"),
    "nRBP": ("RBP", "normalized"),
    "sRBP": ("RBP", "standardized"),
}
EXPANDED = {"AP": ("AP", "expanded"), "enDCG": ("DCG", "expanded")}

ANCHORS = {
    "Table 1": "webber2010-table-1",
    "Table 2": "webber2010-table-2",
    "Table 3": "webber2010-table-3",
    "Figure 1": "webber2010-figure-1",
    "Figure 2": "webber2010-figure-2",
    "Figure 3": "webber2010-figure-3",
    "Figure 4": "webber2010-figure-4",
    "Abstract": "webber2010-hypotheses",
    "Section 1": "webber2010-hypotheses",
    "Section 2": "webber2010-table-1",
    "Section 3.1": "webber2010-measures",
    "Section 3.2": "webber2010-tests",
    "Section 3.3": "webber2010-data",
    "Section 4": "webber2010-table-1",
    "Section 4.1": "webber2010-table-2",
    "Section 4.2": "webber2010-figure-4",
    "Conclusion": "webber2010-hypotheses",
}


def _repooled(collection, depth, by):
    return collection if depth is None else collection.pooled(depth, by=by)


def table1(collection=None, *, alpha=ALPHA, test="t", identical="left out", discount="2002",
           **options):
    """Discriminative power of five measures: Table 1.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    alpha : float
    test, **options
        As for :func:`lib.discrimination.significant`; the paper's is the t test.
    identical : {"left out", "kept"}
        What becomes of pairs of systems with the same score on every topic; the paper does not
        say, and three numbers of its text tell that it leaves them out.
    discount : {"2002", "trec_eval"}
        DCG's discount; the paper writes down that of 2002, with a misprint.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error).  The column is the paper's name of the run set with as
        many systems and topics, else the collection's own.
    """
    collection = collection or load("trec8")
    size = (len(collection.systems), len(collection.topics))
    column = {v: k for k, v in COLLECTIONS.items()}.get(size, collection.name)
    powers = {
        row: discriminative_power(scores(collection, name).fillna(0.0), alpha=alpha, test=test,
                                  identical=identical, **options)
        for row, name in measures_of_table1(discount).items()
    }
    powers["mean"] = np.mean(list(powers.values()))
    return cells((row, column, value) for row, value in powers.items())


def measures_of_table1(discount="2002"):
    return {
        "P@10": "P@10",
        "RBP(p=0.8)": "RBP(p=0.8,rel=1)",
        "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
        "AP@1000": "AP@1000",
        "nDCG@1000": f"nDCG(discount={discount},rel=1)@1000",
    }


def means_of_table2(collection=None, *, discount="2002", by="all", pool=10, average="AP",
                    rbp="printed", rbp_pool=None, rbp_cut=False, decimals=10):
    """Return each system's mean by the ten measures of Table 2.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    discount : {"2002", "trec_eval"}
    by : {"all", "pooled"} or sequence of str
        Systems that the pool is made from.
    pool : int or None
        Depth of the pool behind the depth-10 measures; None: all judgements.
    average : {"AP", "aAP"}
        Average precision by expanded or by abbreviated normalization.
    rbp : {"printed", "exact"}
        p as printed, .8 and .9977, or as equation (7) gives it, .7943 and .99770006.
    rbp_pool : int or None
        Depth of the pool behind RBP with p = .8.  The caption says 10; only all judgements (None)
        give the printed numbers.
    rbp_cut : bool
        Whether RBP with p = .8 stops at rank 10.
    decimals : int or None
        Digits of the means.

    Returns
    -------
    DataFrame (systems x measures)
    """
    collection = collection or load("trec8")
    persistent = PRINTED_P if rbp == "printed" else {
        k: persistence(residual=RESIDUAL, k=k) for k in PRINTED_P}
    take = partial(means, decimals=decimals)

    def names(k):
        return {f"P@{k}": f"P@{k}", f"R@{k}": f"R@{k}", f"AP@{k}": f"{average}@{k}",
                f"nDCG@{k}": f"nDCG(discount={discount},rel=1)@{k}"}

    geometric = f"RBP(p={persistent[10]!r},rel=1)" + ("@10" if rbp_cut else "")
    deepest = f"RBP(p={persistent[1000]!r},rel=1)@1000"
    tables = [
        take(_repooled(collection, pool, by), names(10).values()).set_axis(names(10), axis=1),
        take(_repooled(collection, rbp_pool, by), [geometric]).set_axis(["RBP(p=0.8)"], axis=1),
        take(collection, [*names(1000).values(), deepest]).set_axis(
            [*names(1000), "RBP(p=0.9977)"], axis=1),
    ]
    return pd.concat(tables, axis=1)


def table2(collection=None, *, variant="b", **options):
    """Kendall's tau between ten measures' rankings of systems: Table 2.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    variant : {"b", "a"}
        Variant of tau.
    **options
        Those of :func:`means_of_table2`.

    Returns
    -------
    DataFrame
        Cells above the diagonal.
    """
    return _above(tau_matrix(means_of_table2(collection, **options), variant=variant))


def _above(table):
    """Make cells of what stands above the diagonal of a square table."""
    names = list(table)
    return cells((a, b, table.loc[a, b]) for i, a in enumerate(names) for b in names[i + 1:])


def p_values(collection=None, *, discount="2002", by="all", average="aAP", rbp="exact",
             rbp_cut=True, identical="kept", p_decimals=None):
    """Return the t test's p value of every pair of systems in the nine settings of Table 3.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    discount, by, average
        As for :func:`means_of_table2`; the paper names aAP here.
    rbp : {"exact", "printed"}
        p by equation (7), or as printed, .8 and .977: Table 3 does not tell them apart.
    rbp_cut : bool
        Whether RBP stops at the evaluation depth.
    identical : {"kept", "left out"}
        Whether pairs of systems with the same score on every topic have the p value 1, or none
        (NaN); Table 3 does not tell them apart.
    p_decimals : int or None
        Digits to which p values are rounded before they are ranked.

    Returns
    -------
    DataFrame (pairs x settings)
        Named as in "10/100 aAP": pool depth 10, evaluation depth 100.
    """
    collection = collection or load("trec8")
    columns = {}
    for pool, depth in ((10, 10), (10, 100), (100, 100)):
        judged = collection.pooled(pool, by=by)
        stay = PRINTED_P[depth] if rbp == "printed" else persistence(residual=RESIDUAL, k=depth)
        names = {
            "aAP": f"{average}@{depth}",
            "nDCG": f"nDCG(discount={discount},rel=1)@{depth}",
            "RBP": f"RBP(p={stay!r},rel=1)" + (f"@{depth}" if rbp_cut else ""),
        }
        for label, name in names.items():
            table = scores(judged, name).fillna(0.0)
            p = t_test(table)
            if identical == "left out":
                p[same_scores(table)] = np.nan
            columns[f"{pool}/{depth} {label}"] = p
    table = pd.DataFrame(columns)
    return table if p_decimals is None else table.round(p_decimals)


def table3(collection=None, **options):
    """Kendall's tau-b between orderings of system pairs by p value: Table 3.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`p_values`.

    Returns
    -------
    DataFrame
        Cells above the diagonal.
    """
    # Eight thousand values have 34 million pairs: counted by sorting, not one by one.
    return _above(p_values(collection, **options).corr(method="kendall"))


def figure1(*, ranks=1000, ps=(0.8, 0.95, 0.977, 0.9977), discount="2002"):
    """Weights of ranks by DCG and by RBP: Figure 1.

    Parameters
    ----------
    ranks : int
        Deepest rank.
    ps : sequence of float
        Persistence of RBP.
    discount : {"2002", "trec_eval"}

    Returns
    -------
    DataFrame
        One row a rank, from 1; a column for each measure.
    """
    rank = np.arange(1, ranks + 1)
    weights = {"DCG": 1 / dcg_discount(rank, discount)}
    weights |= {f"RBP(p={p})": (1 - p) * p ** (rank - 1.0) for p in ps}
    return pd.DataFrame(weights, index=pd.Index(rank, name="rank"))


def weight_shares(*, beyond=100, depth=1000, **options):
    """Return the share of each measure's weight that lies between two ranks.

    Parameters
    ----------
    beyond, depth : int
        Ranks beyond + 1 to depth are meant.
    **options
        Those of :func:`figure1`.

    Returns
    -------
    DataFrame
        Index measure; of base, the share of the weight down to the depth; of all, that of the
        weight of all ranks (DCG's sum has no end: NaN).
    """
    weights = figure1(ranks=depth, **options)
    tail, base = weights.iloc[beyond:].sum(), weights.sum()
    # RBP's weights add up to 1, DCG's grow without end.
    return pd.DataFrame({"of base": tail / base, "of all": tail.drop("DCG")}).loc[list(weights)]


def figure2(collection=None, *, shallow=10, deep=100, by="all", discount="2002", decimals=10):
    """Mean nDCG of each system, shallow, extended and deep: Figure 2.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    shallow, deep : int
        Pool and evaluation depth of "shallow" and of "deep"; "extended" has the pool of the one
        and the evaluation depth of the other.
    by, discount, decimals
        As for :func:`means_of_table2`.

    Returns
    -------
    DataFrame (systems x shallow, extended, deep), and the system's type
    """
    collection = collection or load("trec8")
    settings = {"shallow": (shallow, shallow), "extended": (shallow, deep), "deep": (deep, deep)}
    table = pd.DataFrame({
        name: means(collection.pooled(pool, by=by), [f"nDCG(discount={discount},rel=1)@{depth}"],
                    decimals=decimals).iloc[:, 0]
        for name, (pool, depth) in settings.items()
    })
    return table.assign(type=collection.systems["type"])


def figure2_taus(collection=None, *, variant="b", **options):
    """Return the three taus that Figure 2 prints.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    variant : {"b", "a"}
    **options
        Those of :func:`figure2`.

    Returns
    -------
    DataFrame
        Cells.
    """
    return _above(tau_matrix(figure2(collection, **options).drop(columns="type"), variant=variant))


def ranks_of(run, collection=None, *, by="all", discount="2002", decimals=10):
    """Return where a system stands by nDCG in five settings of pool and evaluation depth.

    Parameters
    ----------
    run : str
    collection : Collection, optional
        By default TREC-8.
    by, discount, decimals
        As for :func:`means_of_table2`.

    Returns
    -------
    DataFrame
        Columns pool, depth, mean nDCG, rank (1 is best; systems that tie share the best rank), and
        ``within .005``: the other systems whose mean differs by less than .005.
    """
    collection = collection or load("trec8")
    if run not in collection.systems.index:
        raise ValueError(f"{collection.name} has no run {run!r}")
    rows = []
    for pool, depth in ((10, 10), (10, 100), (100, 100), (10, 1000), (100, 1000)):
        mean = means(collection.pooled(pool, by=by), [f"nDCG(discount={discount},rel=1)@{depth}"],
                     decimals=decimals).iloc[:, 0]
        near = (mean - mean[run]).abs() < 0.005
        rank = int((mean > mean[run]).sum()) + 1
        rows.append((pool, depth, mean[run], rank, int(near.sum()) - 1))
    return pd.DataFrame(rows, columns=["pool", "depth", "mean nDCG", "rank", "within .005"])


def _scores_at(collection, depths, residual, discount):
    """Score a collection by every measure of Figures 3 and 4: name to (depths, topics, systems).

    Equal to the measures of :mod:`lib.measures`, one pass over the hits for all depths.
    """
    hits = collection.relevance()
    k = np.asarray(depths)
    rank = np.arange(1, max(k[-1], hits.rank.max(initial=1), hits.relevant.max()) + 1)
    found = cumulated(hits, None, k)
    precisions = cumulated(hits, hits.position / hits.rank, k)
    weight = 1 / dcg_discount(rank, discount)
    gains = cumulated(hits, weight[hits.rank - 1], k)
    geometric, best = [], []
    for depth in depths:
        p = persistence(residual=residual, k=depth)
        powers = (1 - p) * p ** (rank - 1.0)
        geometric.append(hits.total(powers[hits.rank - 1], hits.rank <= depth))
        best.append(1 - p ** np.minimum(depth, hits.relevant))
    k = k[:, np.newaxis, np.newaxis]
    everything = np.maximum(hits.relevant, 1)  # nothing relevant: 0 divided by 1
    abbreviated = np.minimum(k, everything)
    ideal = weight.cumsum()
    geometric, best = np.array(geometric), np.array(best)
    return {
        "P": found / k,
        "R": found / everything,
        "sP": standardized(found, ddof=0),
        "DCG": gains,
        "nDCG": gains / ideal[abbreviated - 1],
        "enDCG": gains / ideal[everything - 1],
        "sDCG": standardized(gains, ddof=0),
        "SP": precisions,
        "AP": precisions / everything,
        "aAP": precisions / abbreviated,
        "sAP": standardized(precisions, ddof=0),
        "RBP": geometric,
        "nRBP": geometric / np.where(best > 0, best, 1),
        "sRBP": standardized(geometric, ddof=0),
    }


def grid(collection=None, *, measures=(*FORMS, *EXPANDED), pools=None, depths=None, by="all",
         alpha=ALPHA, test="t", residual=RESIDUAL, identical="left out", discount="2002",
         **options):
    """Discriminative power of every measure at every pool and evaluation depth: Figures 3 and 4.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    measures : sequence of str
        Among those of :data:`FORMS` and :data:`EXPANDED`.
    pools, depths : sequence of int, optional
        Pool and evaluation depths, ascending; by default those of the paper that the collection
        can answer for (see :func:`limits`), on TREC-8 all of them.
    by : {"all", "pooled"} or sequence of str
        Systems that the pools are made from.
    alpha, test, **options
        As for :func:`lib.discrimination.significant`.
    residual : float
        RBP's weight beyond the evaluation depth.
    identical : {"left out", "kept"}
        As for :func:`table1`.
    discount : {"2002", "trec_eval"}

    Returns
    -------
    DataFrame
        Columns measure, family, form, pool, depth, power.

    Raises
    ------
    ValueError
        Depths for which the collection was not judged deep enough, or its lists are too short.
    """
    collection = collection or load("trec8")
    pools = pools or _possible(collection, "pool", POOLS)
    depths = depths or _possible(collection, "evaluation", DEPTHS)
    check_depths(collection, pools=pools, depths=depths)
    decide = partial(discriminative_power, alpha=alpha, test=test, identical=identical, **options)
    forms = FORMS | EXPANDED
    rows = []
    for pool in pools:
        scored = _scores_at(collection.pooled(pool, by=by), depths, residual, discount)
        rows += [
            (name, *forms[name], pool, depth, decide(at_depth))
            for name in measures
            for depth, at_depth in zip(depths, scored[name])
        ]
    return pd.DataFrame(rows, columns=["measure", "family", "form", "pool", "depth", "power"])


def figure3(collection=None, **options):
    """Expanded against abbreviated normalization of AP and nDCG: Figure 3.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Columns as of :func:`grid`.
    """
    return grid(collection, measures=("AP", "aAP", "enDCG", "nDCG"), **options)


def figure4(collection=None, **options):
    """Four families of measures, raw, normalized and standardized: Figure 4.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Columns as of :func:`grid`.
    """
    return grid(collection, measures=tuple(FORMS), **options)


# How bad TREC-8's own data are at the greatest depths of the paper, 100 and 1000, and no worse.
UNJUDGED = 0.03
LISTS = 0.95


def limits(collection=None, *, depths=DEPTHS, unjudged=UNJUDGED, lists=LISTS):
    """Return at which pool and evaluation depths a collection can answer the paper's question.

    A pool of depth d can be simulated when what stands in the lists down to d was judged, and an
    evaluation to depth k says something when the lists are that long.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    depths : sequence of int
    unjudged : float
        Highest share of unjudged documents; the default is that of TREC-8 at depth 100, rounded up.
    lists : float
        Lowest share of lists that are long enough; the default is that of TREC-8 at depth 1000,
        rounded down.

    Returns
    -------
    DataFrame, index depth
        Columns unjudged: share of the documents down to the last relevant one within the depth
        that nobody judged (below it the hits do not tell); lists: share of lists as long; pool and
        evaluation: whether the depth can be asked for.

    Raises
    ------
    ValueError
        The collection was pooled again: how deep it was judged is no longer known.
    """
    collection = collection or load("trec8")
    hits = collection.relevance()
    if hits.nonrelevant is None:
        raise ValueError(f"{collection.name}: pooled again; how deep it was judged is unknown")
    unknown = hits.rank - hits.position - hits.nonrelevant
    rows = []
    for depth in depths:
        inside = hits.rank <= depth
        cell = hits.cell[inside]
        last = np.append(cell[1:] != cell[:-1], True)[: len(cell)]
        share = unknown[inside][last].sum() / max(hits.rank[inside][last].sum(), 1)
        rows.append((share, (collection.retrieved >= depth).mean()))
    table = pd.DataFrame(rows, columns=["unjudged", "lists"], index=pd.Index(depths, name="depth"))
    return table.assign(pool=table["unjudged"] <= unjudged, evaluation=table["lists"] >= lists)


def check_depths(collection, *, pools, depths, unjudged=UNJUDGED, lists=LISTS):
    """Refuse pool and evaluation depths that a collection cannot answer for.

    Parameters
    ----------
    collection : Collection
    pools, depths : sequence of int
    unjudged, lists : float
        As for :func:`limits`.

    Raises
    ------
    ValueError
        The first such depth, and why.

    Examples
    --------
    >>> check_depths(load("trec-covid"), pools=[5, 10, 20], depths=[100])
    Traceback (most recent call last):
        ...
    ValueError: trec-covid: no pool of depth 20: 8.9% of the documents down to there were never \
judged, more than 3.0%
    """
    table = limits(collection, depths=sorted({*pools, *depths}), unjudged=unjudged, lists=lists)
    for depth in pools:
        if not table.loc[depth, "pool"]:
            raise ValueError(
                f"{collection.name}: no pool of depth {depth}: {table.loc[depth, 'unjudged']:.1%} "
                f"of the documents down to there were never judged, more than {unjudged:.1%}"
            )
    for depth in depths:
        if not table.loc[depth, "evaluation"]:
            raise ValueError(
                f"{collection.name}: no evaluation to depth {depth}: only "
                f"{table.loc[depth, 'lists']:.1%} of the lists are that long, fewer than "
                f"{lists:.1%}"
            )


def _possible(collection, what, depths):
    """Return the depths that a collection can answer for, or else the first, to be refused."""
    able = limits(collection, depths=depths)[what]
    return able.index[able].tolist() or depths[:1]


BUDGET_MEASURES = {
    "P@10": "P@10",
    "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,rel=1)",
}


def budget(collection=None, *, sizes=None, pools=None, measures=None, target="AP",
           number=500, seed=2010, by="all", variant="b", decimals=10):
    """Set what judgements cost against how well they predict: topics x pool depth x measure.

    Half of the topics predict, judged from a shallow pool, and perhaps only some of them; the
    other half, with all judgements, are predicted.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    sizes : sequence of int, optional
        Topics that predict, at most half of all; by default those of
        :func:`lib.predictivity.set_sizes`.
    pools : sequence of int, optional
        Depths of the pool; by default as for :func:`grid`.
    measures : dict of str to str, optional
        Label to measure; by default :data:`BUDGET_MEASURES`.
    target : str
        The measure whose ranking of the systems, on the other topics, is to be predicted.
    number, seed : int
        Random splits and their seed.
    by : {"all", "pooled"}
        Systems that pools are made from.
    variant, decimals
        As for :func:`lib.predictivity.predictivity`.

    Returns
    -------
    DataFrame
        Columns topics, pool, judgements (mean size of the pools of so many topics), measure, phi,
        error.
    """
    collection = collection or load("trec8")
    measures = BUDGET_MEASURES if measures is None else measures
    sizes = sizes or set_sizes(collection)
    pools = pools or _possible(collection, "pool", POOLS)
    check_depths(collection, pools=pools, depths=())
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    sought = scores(collection, target).fillna(0.0)
    cost = collection.pools.groupby("depth")[by].mean()
    tables = []
    for pool in pools:
        judged = collection.pooled(pool, by=by)
        known = {label: scores(judged, name).fillna(0.0) for label, name in measures.items()}
        for size in sizes:
            found = of_target(known, sought, sets, size=size, variant=variant, decimals=decimals)
            tables.append(found.rename_axis("measure").reset_index().assign(
                topics=size, pool=pool, judgements=round(size * cost[pool])))
    table = pd.concat(tables, ignore_index=True)
    return table[["topics", "pool", "judgements", "measure", "phi", "error"]]


def best_buys(table):
    """Keep the settings of a :func:`budget` that no cheaper or equally dear one beats.

    Parameters
    ----------
    table : DataFrame
        Of :func:`budget`.

    Returns
    -------
    DataFrame
        The same columns, from the cheapest to the dearest, phi rising.
    """
    ordered = table.sort_values(["judgements", "phi"], ascending=[True, False], kind="stable")
    best_before = ordered["phi"].cummax().shift(fill_value=-np.inf)
    return ordered[ordered["phi"] > best_before].reset_index(drop=True)


def in_single_precision(collection=None):
    """Return TREC-8 as it is when scores are compared in single precision, as trec_eval 9 does.

    A few runs write scores that differ beyond the seven digits of single precision; there such
    documents tie and fall into the order of their names.  The hits that move are in
    ``data/trec8-single``.

    Parameters
    ----------
    collection : Collection, optional
        TREC-8, the default; nothing is known of another.

    Returns
    -------
    Collection
        Its table of pool sizes stays that of double precision.
    """
    collection = collection or load("trec8")
    moved = pd.read_csv(DATA / "trec8-single" / "moved.csv")
    key = ["topic", "system", "document"]
    hits = collection.hits.merge(moved, on=key, how="left", suffixes=("", "_moved"))
    for column in ("rank", "nonrelevant"):
        now = hits.pop(f"{column}_moved").fillna(hits[column])
        hits[column] = now.astype(collection.hits[column].dtype)
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    name = f"{collection.name}, single precision"
    return replace(collection, name=name, hits=hits, _relevance={})


def powers_in_text(collection=None, **options):
    """Return the discriminative powers that the text of section 4.2 prints, and their differences.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Cells.
    """
    table = grid(collection, **options)
    at = table.set_index(["measure", "pool", "depth"])["power"]
    recall, standard = ([at[(m, d, d)] for d in (10, 100)] for m in ("R", "sAP"))
    values = {
        "standardized-ap-100": standard[1],
        "recall-100": recall[1],
        "spread-at-100": standard[1] - recall[1],
        "recall-10": recall[0],
        "recall-fall-100-to-10": recall[1] - recall[0],
        "standardized-ap-10": standard[0],
        "standardized-ap-fall-100-to-10": standard[1] - standard[0],
        "ndcg-20-pool-20": at[("nDCG", 20, 20)],
        "ndcg-20-pool-5": at[("nDCG", 5, 20)],
    }
    return cells((row, "value", value) for row, value in values.items())


_PRINTED = {"Table 1": table1, "Table 2": table2, "Table 3": table3, "Figure 2": figure2_taus,
            "Section 4.2": powers_in_text}
_ALL = tuple(_PRINTED)

# What the paper leaves open: the choice, the value that matches, another value, the places where
# it plays a part, and the argument that makes it otherwise (None: another collection).
CHOICES = (
    ("document scores", "double", "single", _ALL, None),
    ("pools made from", "all 129 runs", "the 71 judged",
     ("Table 2", "Table 3", "Figure 2", "Section 4.2"), {"by": "pooled"}),
    ("identical pairs", "left out", "kept", ("Table 1", "Section 4.2"), {"identical": "kept"}),
    ("identical pairs", "kept, p = 1", "left out", ("Table 3",), {"identical": "left out"}),
    ("pool at depth 10", "depth 10", "all judged", ("Table 2",), {"pool": None}),
    ("RBP .8, judgements", "all", "pool 10", ("Table 2",), {"rbp_pool": 10}),
    ("RBP .8, depth", "whole list", "rank 10", ("Table 2",), {"rbp_cut": True}),
    ("RBP .8, both", "all, whole list", "pool 10, rank 10",
     ("Table 2",), {"rbp_pool": 10, "rbp_cut": True}),
    ("RBP, depth", "cut at k", "whole list", ("Table 3",), {"rbp_cut": False}),
    ("RBP, p", "printed, .8", ".1^(1/10)", ("Table 2",), {"rbp": "exact"}),
    ("RBP, p", ".1^(1/10)", "printed, .8", ("Table 3",), {"rbp": "printed"}),
    ("AP, normalization", "expanded", "abbreviated", ("Table 2",), {"average": "aAP"}),
    ("AP, normalization", "abbreviated", "expanded", ("Table 3",), {"average": "AP"}),
    ("DCG, discount", "log2(max(2, i))", "log2(i + 1)", _ALL, {"discount": "trec_eval"}),
    ("means", "10 decimals", "not rounded", ("Table 2", "Figure 2"), {"decimals": None}),
    ("p values", "not rounded", "4 decimals", ("Table 3",), {"p_decimals": 4}),
    ("Kendall's tau", "tau-b", "tau-a", ("Table 2", "Figure 2"), {"variant": "a"}),
)


def choices(collection=None):
    """Count the printed cells that come out when one open choice is made otherwise.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    DataFrame
        Columns choice, matching, otherwise, and one a place: the number of its cells that are
        reproduced, missing where the choice plays no part.  The first row has all choices as they
        match.
    """
    collection = collection or load("trec8")
    rows = [("all as they match", "", "", *(_reproduced(p, collection) for p in _PRINTED))]
    for choice, matching, otherwise, places, argument in CHOICES:
        changed = in_single_precision(collection) if argument is None else collection
        rows.append((choice, matching, otherwise, *(
            _reproduced(place, changed, **(argument or {})) if place in places else None
            for place in _PRINTED)))
    table = pd.DataFrame(rows, columns=["choice", "matching", "otherwise", *_PRINTED])
    return table.astype(dict.fromkeys(_PRINTED, "Int64"))


def _reproduced(place, collection, **argument):
    """Count the reproduced numbers of a place: Table 1's five measures and their mean, say."""
    found = compare("webber2010", place, _PRINTED[place](collection, **argument))
    return int((found[found["published"] != "yes"]["verdict"] == "reproduced").sum())


def draw_figure1(weights):
    """Draw Figure 1: the weight of each rank, RBP on the left axis and DCG on the right.

    Parameters
    ----------
    weights : DataFrame
        From :func:`figure1`.

    Returns
    -------
    lib.figures.Figure
    """
    # Imported here, as below: the command line need not wait for seaborn.
    from lib import figures

    with figures.style():
        drawing, left = figures.subplots(height=3.8)
        right = left.twinx()
        for name, column in weights.drop(columns="DCG").items():
            left.plot(column.index, column, label=name)
        right.plot(weights.index, weights["DCG"], color="black", linestyle="--", label="DCG")
        left.set(xscale="log", yscale="log", ylim=(1e-5, 1), xlabel="rank",
                 ylabel="weight by RBP")
        right.set(ylim=(0, 1.05), ylabel="weight by DCG")
        right.grid(False)
        right.spines["right"].set_visible(True)
        lines = [*left.get_lines(), *right.get_lines()]
        drawing.legend(lines, [line.get_label() for line in lines], loc="outside lower center",
                       ncols=3)
    shown = weights.loc[[r for r in (1, 2, 5, 10, 50, 100, 500, 1000) if r in weights.index]]
    return figures.Figure(
        drawing, data=shown, formats=".5f",
        alt="Two scales of weight against rank. RBP's curves are highest at rank 1 and bend down "
        "the later the higher p is; DCG's falls at once and then hardly at all.",
        caption="Weights of ranks by DCG (right axis, dashed) and by RBP (left axis, logarithmic).",
    )


def draw_figure2(points, taus):
    """Draw Figure 2: mean nDCG in pairs of settings, a point a system.

    Parameters
    ----------
    points : DataFrame
        From :func:`figure2`.
    taus : DataFrame
        From :func:`figure2_taus`.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    manual = points["type"] == "manual"
    with figures.style():
        drawing, axes = figures.subplots(1, 3, width="wide", height=2.4, sharex=True, sharey=True)
        for panel, tau in zip(axes, taus.itertuples()):
            for chosen, marker, label in ((~manual, ".", "other"), (manual, "^", "manual")):
                panel.plot(points.loc[chosen, tau.row], points.loc[chosen, tau.column], marker,
                           alpha=0.7, label=label)
            panel.set(xlabel=tau.row, ylabel=tau.column, title=f"tau {tau.value:.3f}",
                      aspect="equal")
        axes[0].legend(loc="upper left")
    data = points.sort_values("deep", ascending=False).head(15)
    return figures.Figure(
        drawing, data=data, formats=".4f",
        alt="Three scatter plots of systems' mean nDCG: " + "; ".join(
            f"{tau.row} against {tau.column}, tau {tau.value:.3f}" for tau in taus.itertuples())
        + ". The manual runs lie to the right of the others' line where extended is the height.",
        caption="Mean nDCG of each system at three settings: shallow (pool and evaluation depth "
        "10), extended (pool 10, evaluation 100), deep (both 100). Triangles: manual runs. The "
        "table has the 15 best by deep evaluation.",
    )


def draw_grid(table, *, names, columns, caption):
    """Draw panels of discriminative power against evaluation depth: Figures 3 and 4.

    Parameters
    ----------
    table : DataFrame
        From :func:`grid`.
    names : sequence of str
        Measures, a panel each, row by row.
    columns : int
        Panels in a row.
    caption : str

    Returns
    -------
    lib.figures.Figure
        One black line a pool depth, the darker the deeper; crosses mark full assessment.
    """
    from lib import figures

    curves = table.pivot(index=["measure", "pool"], columns="depth", values="power")
    curves = curves.loc[list(names)]
    pools = sorted(table["pool"].unique())
    rows = -(-len(names) // columns)
    with figures.style():
        drawing, axes = figures.subplots(rows, columns, width="wide", height=0.4 + 2.1 * rows,
                                         sharex=True, sharey=True, squeeze=False)
        for panel, name in zip(axes.flat, names):
            for shade, pool in enumerate(pools, start=1):
                panel.plot(curves.columns, curves.loc[(name, pool)], color="black", linewidth=1.2,
                           alpha=0.15 + 0.85 * shade / len(pools), label=f"pool {pool}")
            full = [d for d in pools if d in curves.columns]
            panel.plot(full, [curves.loc[(name, d), d] for d in full], "x-",
                       color=figures.PALETTE[1], label="full assessment")
            panel.set(title=name, xscale="log")
            panel.set_xticks(curves.columns, [str(k) for k in curves.columns], rotation=90)
            panel.minorticks_off()
        for panel in axes[-1]:
            panel.set_xlabel("evaluation depth")
        for panel in axes[:, 0]:
            panel.set_ylabel("power")
        drawing.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center",
                       ncols=3)
    return figures.Figure(
        drawing, data=curves, formats=".3f", caption=caption,
        alt="Panels of discriminative power against evaluation depth, a line a pool depth. "
        + "; ".join(f"{n}: full assessment from {curves.loc[(n, full[0]), full[0]]:.3f} at depth "
                    f"{full[0]} to {curves.loc[(n, full[-1]), full[-1]]:.3f} at {full[-1]}"
                    for n in names) + ".",
    )


def draw_finding():
    """Draw the paper's main finding: depth moves discriminative power more than the measure does.

    Returns
    -------
    lib.figures.Figure
        Discriminative power under full assessment, pool and evaluation equally deep.
    """
    from lib import figures

    labels = {"P": "precision", "RBP": "RBP", "nDCG": "nDCG", "aAP": "AP"}
    table = grid(measures=tuple(labels), depths=POOLS)
    full = table[table["pool"] == table["depth"]]
    lines = full.pivot(index="depth", columns="measure", values="power")[list(labels)]
    lines = lines.rename(columns=labels)
    with figures.style():
        drawing, axes = figures.subplots(height=2.1)
        for name, line in lines.items():
            axes.plot(line.index, line, marker="o", label=name)
        axes.set(xscale="log", xlabel="depth of pool and of evaluation",
                 ylabel="pairs told apart")
        axes.set_xticks(list(POOLS), labels=list(map(str, POOLS)), minor=False)
        axes.minorticks_off()
        figures.label_lines(axes)
    rise = (lines.iloc[-1] - lines.iloc[0]).min()
    spread = (lines.max(axis=1) - lines.min(axis=1)).max()
    return figures.Figure(
        drawing, data=lines, formats=".3f",
        alt=f"Four lines that rise together from depth {POOLS[0]} to {POOLS[-1]}.",
        caption=f"Share of system pairs found different, TREC-8. From depth {POOLS[0]} to "
        f"{POOLS[-1]} every measure gains {rise:.3f} or more; at one depth the measures differ by "
        f"{spread:.3f} at most.",
    )


def draw_budget(table, *, measures=("AP", "P@10")):
    """Draw predictivity against judgements: a line a pool depth, from few topics to many.

    Parameters
    ----------
    table : DataFrame
        From :func:`budget`.
    measures : sequence of str
        A panel each.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    with figures.style():
        drawing, axes = figures.subplots(1, len(measures), width="wide", height=3.4, sharey=True)
        for panel, measure in zip(np.atleast_1d(axes), measures):
            for pool, line in table[table["measure"] == measure].groupby("pool"):
                panel.plot(line["judgements"], line["phi"], ".-", label=f"pool {pool}")
            panel.set(xscale="log", xlabel="judgements", title=measure)
        np.atleast_1d(axes)[0].set_ylabel("predictive power (mean tau)")
        drawing.legend(*panel.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    data = table.pivot(index=["topics", "pool", "judgements"], columns="measure", values="phi")
    best = best_buys(table).iloc[-1]
    return figures.Figure(
        drawing, data=data, formats=".3f",
        alt="Lines that rise with judgements; shallow pools lie highest at equal cost. The best "
        f"is {best['measure']} on {best['topics']} topics with a pool of depth {best['pool']}, "
        f"{best['phi']:.3f}.",
        caption="How well some topics, judged from shallow pools, predict the ranking of systems "
        "on 25 other topics. Points of a line: 5, 10, 15, 20 and 25 topics.",
    )


def panel(family, form, pool, depth, alpha=ALPHA, test="t", collection=None):
    """Show discriminative power at one setting, on its curve: a panel of the chapter's control.

    Parameters
    ----------
    family, form : str
        As in :data:`FORMS`, or the form "expanded" of AP and DCG.
    pool, depth : int
        Pool and evaluation depth.
    alpha : float
    test : {"t", "Wilcoxon", "permutation", "bootstrap"}
        With 1,000 resamples where it draws at random.
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    lib.figures.Figure
    """
    from lib import figures

    name = {where: name for name, where in (FORMS | EXPANDED).items()}.get((family, form))
    if name is None:
        raise ValueError(f"{family} has no {form} form")
    collection = collection or load("trec8")
    drawn = {"resamples": 1000, "rng": np.random.default_rng(2010)}
    decide = partial(grid, collection, measures=(name,), alpha=alpha, test=test,
                     **(drawn if test in ("permutation", "bootstrap") else {}))
    power = decide(pools=(pool,)).set_index("depth")["power"]
    # Of the other pools only the one setting where both depths are the same.
    pools = _possible(collection, "pool", POOLS)
    full = {d: decide(pools=(d,), depths=(d,))["power"].item() for d in pools if d in power.index}
    curve = pd.DataFrame({f"pool {pool}": power,
                          "full assessment": pd.Series(full)}).rename_axis("evaluation depth")
    here = power[depth]
    with figures.style():
        drawing, axes = figures.subplots(height=2.6)
        axes.plot(curve.index, curve[f"pool {pool}"], color="black", label=f"pool {pool}")
        axes.plot(curve.index, curve["full assessment"], "x-", color=figures.PALETTE[1],
                  label="full assessment")
        axes.plot(depth, here, "o", color=figures.PALETTE[0], markersize=8)
        axes.set(xscale="log", ylim=(0.45, 0.8) if (alpha, test) == (ALPHA, "t") else None,
                 xlabel="evaluation depth", ylabel="discriminative power")
        axes.set_xticks(curve.index, [str(k) for k in curve.index], rotation=90)
        axes.minorticks_off()
        axes.legend(loc="lower right")
    return figures.Figure(
        drawing, data=curve, formats=".3f",
        alt=f"Discriminative power of {form} {family} with pool {pool}: {here:.3f} at evaluation "
        f"depth {depth}.",
        caption=f"{form.capitalize()} {family} ({name}), pool depth {pool}, evaluation depth "
        f"{depth}: the {test} test at {alpha:g} tells {here:.1%} of the pairs of systems apart.",
    )


TABLES = {"1": table1, "2": table2, "3": table3}
CAPTIONS = {
    "1": "Discriminative power: the share of pairs of systems that a t test tells "
         "apart at 5%",
    "2": "Kendall's tau between rankings of systems by ten measures",
    "3": "Kendall's tau between orderings of pairs of systems by p value; 10/100 is pool "
         "depth 10, evaluation depth 100",
}
# Figure 1, the weights of ranks, does not depend on a collection.
DRAWINGS = {
    "Figure 2": lambda collection: draw_figure2(figure2(collection), figure2_taus(collection)),
    "Figure 3": lambda collection: draw_grid(
        figure3(collection), names=["AP", "aAP", "enDCG", "nDCG"], columns=2,
        caption="Discriminative power of AP (top) and nDCG (bottom), with expanded (left) and "
        "abbreviated (right) normalization, against evaluation depth."),
    "Figure 4": lambda collection: draw_grid(
        figure4(collection), names=list(FORMS), columns=3,
        caption="Discriminative power against evaluation depth: rows precision/recall, DCG, AP, "
        "RBP; columns raw, normalized, standardized."),
}
# Systems and topics of each table's own data: with others there is nothing to reproduce.
SIZES = {"1": list(COLLECTIONS.values()), "2": (129, 50), "3": (129, 50)}


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.
    """
    from lib.papers.webber2010_claims import claims

    return claims(load("trec8"))
