"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Words need a yardstick.  The paper calls the step from .669 to .675 small, so two discriminative
powers up to LEVEL apart count as level, and only a difference of PLAIN or more is called plain.
Two rankings are nearly the same from a tau of NEARLY on: 95 of 100 pairs in the same order.
"""

from itertools import combinations, product

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.discrimination import discriminative_power, significant
from lib.measures import persistence
from lib.papers import webber2008
from lib.papers import webber2010 as paper
from lib.published import NOT_PUBLIC, cells, read
from lib.scoring import means, scores

__all__ = ["LEVEL", "NEARLY", "PLAIN", "checked", "claims", "evidence"]

LEVEL = 0.006
PLAIN = 0.01
NEARLY = 0.9

FULL = list(paper.POOLS)  # full assessment: evaluation and pool depth are the same
NDCG = "nDCG(discount=2002,rel=1)"


def claims(collection):
    """Return a cell, with its place, for each printed number and claim.

    Parameters
    ----------
    collection : Collection
        TREC-8.

    Returns
    -------
    DataFrame
        Columns place, row, column, value, error, status, cause.
    """
    table1, table2, table3 = (f(collection) for f in paper.TABLES.values())
    taus = paper.figure2_taus(collection)
    power = paper.grid(collection).set_index(["measure", "pool", "depth"])["power"]
    tau2, tau3 = (t.set_index(["row", "column"])["value"].astype(float) for t in (table2, table3))
    tau = taus.set_index(["row", "column"])["value"].astype(float)
    own = table1.set_index("row")["value"].astype(float)
    parts = [
        ("Table 1", table1),
        ("Table 2", table2),
        ("Table 3", table3),
        ("Figure 2", taus),
        ("Figure 1", _figure1()),
        ("Figure 2", _figure2(tau)),
        ("Figure 3", _figure3(power)),
        ("Figure 4", _figure4(power)),
        ("Abstract", _abstract(power, tau)),
        ("Section 1", _section1(own)),
        ("Section 2", _section2(collection, own)),
        ("Section 3.1", _section31(collection)),
        ("Section 3.2", _section32(collection)),
        ("Section 3.3", _section33(collection)),
        ("Section 4", _section4(own)),
        ("Table 1", _bold(own)),
        ("Table 2", _captions()),
        ("Section 4.1", _section41(tau2, tau)),
        ("Section 4.1", _top_runs(collection, tau)),
        ("Section 4.2", paper.powers_in_text(collection)),
        ("Section 4.2", _section42(collection, power)),
        ("Section 4.2", _p_value_taus(tau3)),
        ("Conclusion", _conclusion(collection, power, own, tau2, tau3, tau)),
    ]
    frame = pd.concat([rows.assign(place=place) for place, rows in parts], ignore_index=True)
    frame = pd.concat([frame, _not_public(frame)], ignore_index=True)
    return frame.fillna({"error": 0.0, "status": "", "cause": ""})


def checked(*places):
    """Return what the paper says at some places and whether it holds on TREC-8.

    Parameters
    ----------
    *places : str
        As in ``data/published``, such as "Figure 3".

    Returns
    -------
    DataFrame
        Columns claim, holds ("yes" or "no").
    """
    found = paper.findings()
    said = read("webber2010").merge(found, on=["place", "row", "column"])
    said = said[said["place"].isin(places) & (said["column"] == "claim") & said["value"].notna()]
    return pd.DataFrame({
        "claim": said["statement"].to_numpy(),
        "holds": np.where(said["value"].astype(bool), "yes", "no"),
    })


def evidence(collection=None):
    """Return the numbers that speak for or against the paper's three hypotheses.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    DataFrame
        Columns hypothesis, evidence, value: discriminative powers, their differences, taus, ranks.
    """
    collection = collection or load("trec8")
    power = paper.grid(collection).set_index(["measure", "pool", "depth"])["power"]
    full = _full(power)
    own = paper.table1(collection).set_index("row")["value"].astype(float)
    tau = paper.figure2_taus(collection).set_index(["row", "column"])["value"].astype(float)
    ranks = paper.ranks_of("READWARE", collection).set_index(["pool", "depth"])["rank"]
    rows = []
    for adjusted, raw in (("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"), ("sDCG", "DCG")):
        gain = power[adjusted] - power[raw]
        rows.append(("normalization", f"{adjusted} less {raw}, mean of the 40 settings",
                     f"{gain.mean():+.3f}"))
        rows.append(("normalization", f"{adjusted} less {raw}, lowest and highest",
                     f"{gain.min():+.3f} to {gain.max():+.3f}"))
    gains = full[100] - full[5]
    rows += [
        ("depth", "gain from depth 5 to 100, lowest and highest of 12 measures",
         f"{gains.min():+.3f} to {gains.max():+.3f}"),
        ("depth", "difference between them at depth 100",
         f"{full[100].max() - full[100].min():.3f}"),
        ("depth", "nDCG@1000 less RBP .8 in Table 1",
         f"{own['nDCG@1000'] - own['RBP(p=0.8)']:+.3f}"),
        ("depth", "nDCG less RBP at equal depth 100",
         f"{full.loc['nDCG', 100] - full.loc['RBP', 100]:+.3f}"),
        ("reinforcement", "tau of extended and deep", f"{tau[('extended', 'deep')]:.3f}"),
        ("reinforcement", "tau of shallow and deep", f"{tau[('shallow', 'deep')]:.3f}"),
        *(("reinforcement", f"{m}, pool 5: depth 1000 less depth 100",
           f"{power[(m, 5, 1000)] - power[(m, 5, 100)]:+.3f}")
          for m in ("nDCG", "aAP", "P", "RBP")),
        ("reinforcement", "rank of READWARE: deep, extended, 100/1000",
         f"{ranks[(100, 100)]}, {ranks[(10, 100)]}, {ranks[(100, 1000)]}"),
    ]
    return pd.DataFrame(rows, columns=["hypothesis", "evidence", "value"])


def _claim(slug, holds, cause=""):
    return {"row": slug, "column": "claim", "value": bool(holds), "error": 0.0, "cause": cause}


def _value(slug, value, cause=""):
    return {"row": slug, "column": "value", "value": value, "error": 0.0, "cause": cause}


def _rows(*rows):
    frame = pd.DataFrame(rows)
    return frame.assign(value=frame["value"].astype(object))


def _not_public(found):
    """List the rows that need the runs of the other four collections."""
    key = ["place", "row", "column"]
    slugs = ("trec5-systems", "trec2001-systems", "trec2004-", "trec2005-", "smallest-topic-set")
    printed = read("webber2010")
    ours = pd.MultiIndex.from_frame(found[key])
    missing = printed[~pd.MultiIndex.from_frame(printed[key]).isin(ours)]
    other = missing["row"].str.startswith(slugs) | (missing["place"] == "Table 1")
    return missing[other][key].assign(
        value=None, error=0.0, status=NOT_PUBLIC,
        cause="the runs of the other four collections are in NIST's password area",
    )


# Figure 1 and Section 3.1: rank weights


def _figure1():
    weights = paper.figure1()
    dcg = weights["DCG"]
    ratios = {name: column.to_numpy()[1:] / column.to_numpy()[:-1]
              for name, column in weights.drop(columns="DCG").items()}
    return _rows(
        _claim("dcg-weights-steep-then-flat",
               dcg[1] - dcg[10] > dcg[10] - dcg[1000] and dcg[100] - dcg[1000] < 0.1 * dcg[1]),
        _claim("rbp-weights-constant-ratio",
               all(np.allclose(ratio, ratio[0]) for ratio in ratios.values())),
    )


def _perfect(relevant, length):
    """Return one topic whose only list holds all relevant documents first."""
    names = [f"d{i}" for i in range(length)]
    return Collection.from_rankings({"ideal": {"t": names}}, {"t": dict.fromkeys(
        names[:relevant], 1)})


def _section31(collection):
    def best(name, relevant):
        return scores(_perfect(relevant, 10), name).iloc[0, 0]

    shares = paper.weight_shares()["of base"]
    weights = paper.figure1()
    tail = weights.loc[101:1000]
    upper = tail.loc[101:550].sum() / tail.sum()
    short = weights["DCG"].loc[1:10]
    relevant = [collection.pooled(d).topics["relevant"].to_numpy(int) for d in paper.POOLS]
    base, all_of_it = (scores(collection, f"RBP(p=0.8,rel=1){cut}") for cut in ("@10", ""))
    with np.errstate(divide="ignore"):
        printed = 1 / np.log2(np.minimum(2.0, [1]))
    percent = {name: 100 * share for name, share in shares.items()}
    return _rows(
        _value("common-pool-depth", int(paper.POOLS[-1])),
        _value("trec-evaluation-depth", int(paper.DEPTHS[-1])),
        _claim("precision-below-one-when-k-exceeds-r", best("P@5", 3) < 1 == best("P@3", 3)),
        _claim("recall-below-one-when-r-exceeds-k", best("R@3", 5) < 1 == best("R@5", 5)),
        _claim("ap-below-one-when-r-exceeds-k", best("AP@3", 5) < 1 == best("AP@5", 5)),
        _claim("deeper-pool-raises-r",
               all((b >= a).all() and (b > a).any() for a, b in zip(relevant, relevant[1:]))),
        _claim("dcg-discount-min-of-2-and-rank", np.isinf(printed).all()),
        _claim("dcg-can-exceed-one",
               1 < best(f"{NDCG[1:]}@10", 2) < best(f"{NDCG[1:]}@10", 3)),
        _claim("rbp-bounds-from-partial-evaluation",
               (all_of_it - base).stack().between(-1e-12, 0.8**10 + 1e-12).all()),
        _value("rbp-residual", paper.RESIDUAL),
        *(_value(f"rbp-p-depth-{k}", persistence(residual=paper.RESIDUAL, k=k))
          for k in paper.PRINTED_P),
        _value("dcg-weight-101-1000", percent["DCG"]),
        _value("rbp-0.95-weight-101-1000", percent["RBP(p=0.95)"],
               f"{percent['RBP(p=0.95)']:.2f}%, which the paper puts in words as half a percent"),
        _value("rbp-0.9977-weight-101-1000", percent["RBP(p=0.9977)"]),
        _claim("rbp-0.9977-more-top-weighted-than-dcg", upper["RBP(p=0.9977)"] > upper["DCG"]),
        _claim("dcg-top-weighted-when-shallow", short.loc[:3].sum() > 0.4 * short.sum()),
        _claim("dcg-fat-tailed-when-deep", shares["DCG"] > 0.5),
    )


# Section 3.2 and 3.3: tests and data


def _section32(collection, *, resamples=1000, seed=2010):
    """Compare decisions: "very similar" is the same for 95 of 100 pairs, on each measure."""
    agreement = {"bootstrap": [], "permutation": []}
    for name in paper.measures_of_table1().values():
        table = scores(collection, name).fillna(0.0)
        by_t = significant(table, alpha=paper.ALPHA)
        for test, shares in agreement.items():
            other = significant(table, alpha=paper.ALPHA, test=test, resamples=resamples,
                                rng=np.random.default_rng(seed))
            shares.append((by_t == other).mean())
    return _rows(
        _value("alpha", paper.ALPHA),
        *(_claim(f"t-test-like-{test}", min(shares) >= 0.95) for test, shares in agreement.items()),
    )


def _order(collection, name, pool=None):
    judged = collection if pool is None else collection.pooled(pool)
    return means(judged, [name]).iloc[:, 0].sort_values(ascending=False, kind="stable")


def _section33(collection):
    systems = collection.systems
    manual = systems["type"] == "manual"
    by_p, by_ap = _order(collection, "P@10"), _order(collection, "AP@10", pool=10)
    # How many manual runs stand before the first that is not: with AP@10 on the pool of depth 10,
    # as in Table 2.
    leading = {name: int((~manual[order.index]).to_numpy().argmax())
               for name, order in (("P@10", by_p), ("AP@10", by_ap))}
    best = by_p.index[: leading["P@10"]]
    places = {name: order.rank(ascending=False, method="min")[best]
              for name, order in (("AP@10", by_ap), ("AP@1000", _order(collection, "AP@1000")))}
    strongest = _order(collection, "AP").index
    quarter = len(strongest) // 4
    kept = collection.select(systems=list(strongest[:-quarter]))
    every, few = (paper.table1(c).set_index("row")["value"] for c in (collection, kept))
    judged = (systems["pooled"] == "yes").groupby(systems["group"]).sum()
    groups = systems["group"].nunique()
    return _rows(
        _value("trec8-runs", len(systems)),
        _value("trec8-topics", len(collection.topics)),
        _value("trec8-groups", groups, f"NIST's run table names {groups} groups"),
        _value("trec8-pooled-per-group", int(judged.max())),
        _value("trec8-pooled-runs", int(judged.sum())),
        _value("trec8-pool-depth", int(collection.entry.max())),
        _value("trec8-evaluation-depth", int(collection.lists["retrieved"].max())),
        _value("trec8-manual-runs", int(manual.sum())),
        _value("trec8-best-manual-runs", leading["P@10"]),
        _claim("best-manual-runs-lead-by-p10", leading["P@10"] >= 11),
        _claim("best-manual-runs-lead-by-ap10",
               leading["AP@10"] >= 11 and set(by_ap.index[:11]) == set(by_p.index[:11])),
        _claim("one-best-manual-run-drops-by-ap1000",
               (places["AP@1000"] - places["AP@10"]).max() > 3),
        _value("share-of-systems-others-drop", 100 * (1 - _kept_in_2008())),
        _claim("weak-runs-inflate-discriminative-power", (every.to_numpy() > few.to_numpy()).all()),
        _claim("strong-against-weak-almost-always-significant",
               _strong_against_weak(collection, strongest, quarter) >= 0.95),
    )


def _kept_in_2008():
    from inspect import signature

    return signature(webber2008.phi).parameters["share"].default


def _strong_against_weak(collection, order, quarter):
    """Return the share of significant pairs of one of the best and one of the worst runs."""
    chosen = [*order[:quarter], *order[-quarter:]]
    table = scores(collection, "AP")[chosen].fillna(0.0)
    first, second = np.triu_indices(len(chosen), 1)
    return significant(table, alpha=paper.ALPHA)[(first < quarter) & (second >= quarter)].mean()


# Sections 1, 2 and 4 and Table 1: which measure tells most apart


def _section1(own):
    ap, ndcg, p10 = own["AP@1000"], own["nDCG@1000"], own["P@10"]
    rbp = [own["RBP(p=0.8)"], own["RBP(p=0.95)"]]
    return _rows(
        _claim("ap-more-stable-than-rbp", ap > max(rbp)),
        _claim("ndcg-more-stable-than-rbp", ndcg > max(rbp)),
        _claim("ap-more-stable-than-p10", ap > p10),
        _claim("ndcg-more-stable-than-p10", ndcg > p10),
        _claim("rbp-more-stable-than-p10", min(rbp) > p10),
        _value("hypotheses", len(paper.HYPOTHESES)),
    )


def _section2(collection, own):
    """Check on TREC-8 what the paper cites from Webber 2008 and, on other data, Sakai 2006."""
    phi = webber2008.table1(collection).set_index(["row", "column"])["value"].astype(float)
    phi = {name: phi[(name, name)] for name in webber2008.MEASURES}
    best, worst = min(phi["AP"], phi["nDCG"]), max(phi["P@10"], phi["RR"])
    p1000 = discriminative_power(scores(collection, "P@1000"), alpha=paper.ALPHA)
    found = own.drop("mean").to_dict() | {"P@1000": p1000}
    order = sorted(found, key=found.get)
    return _rows(
        _claim("ap-ndcg-most-predictive", best > max(phi["RBP(p=0.95)"], worst)),
        _claim("rbp-less-predictive", phi["RBP(p=0.95)"] < best),
        _claim("p10-rr-least-predictive", worst < min(best, phi["RBP(p=0.95)"])),
        _claim("ap-ndcg-among-most-discriminative", set(order[-2:]) == {"AP@1000", "nDCG@1000"}),
        _claim("p1000-least-discriminative",
               p1000 < min(found["AP@1000"], found["nDCG@1000"])),
    )


def _columns(own):
    """Return Table 1 as it is checked: ours for TREC-8, as printed for the others."""
    printed = read("webber2010", "Table 1").query("column != 'claim'")
    table = printed.assign(value=printed["printed"].astype(float)).pivot(
        index="row", columns="column", values="value").drop(index="mean")
    table["TREC-8 ad hoc"] = own.drop("mean")
    return table.loc[own.drop("mean").index]


_SLUGS = {"trec5": "TREC-5 ad hoc", "trec8": "TREC-8 ad hoc", "trec2001": "TREC 2001 Web",
          "trec2004": "TREC 2004 Robust", "trec2005": "TREC 2005 Terabyte", "mean": "mean"}


def _section4(own):
    table = _columns(own)
    rows = []
    for slug, name in list(_SLUGS.items())[:-1]:
        column = table[name]
        rows.append(_claim(f"{slug}-ndcg-beats-rbp-0.95",
                           column["nDCG@1000"] > column["RBP(p=0.95)"]))
        shallow, rest = column[["P@10", "RBP(p=0.8)"]], column.drop(["P@10", "RBP(p=0.8)"])
        rows.append(_claim(
            f"{slug}-p10-rbp-0.8-least", shallow.max() < rest.min(),
            f"in the paper's own column {shallow.idxmax()} and {rest.idxmin()} tie at "
            f"{rest.min():.3f}" if shallow.max() == rest.min() else ""))
    best = table[list(_SLUGS.values())[:-1]].idxmax()
    return _rows(
        _value("metrics-in-table-1", len(table)),
        _value("collections-in-table-1", len(paper.COLLECTIONS)),
        _claim("best-metric-is-ndcg-or-ap", best.isin(["nDCG@1000", "AP@1000"]).all()),
        *rows,
    )


def _bold(own):
    best = _columns(own).idxmax()
    bold = {"ndcg": "nDCG@1000", "ap": "AP@1000"}
    which = {"trec5": "ndcg", "trec8": "ap", "trec2001": "ndcg", "trec2004": "ap",
             "trec2005": "ndcg", "mean": "ndcg"}
    return _rows(*(_claim(f"{slug}-most-discriminative-{short}", best[_SLUGS[slug]] == bold[short])
                   for slug, short in which.items()))


# Table 2, Figure 2 and Section 4.1: rankings of systems


def _captions():
    from inspect import signature

    pool = signature(paper.means_of_table2).parameters["pool"].default
    return _rows(_value("pool-depth-for-evaluation-depth-10", pool),
                 _value("pool-depth-for-evaluation-depth-1000", paper.POOLS[-1]))


def _groups(tau2):
    """Return the groups of Table 2: within depth 10, within 1000, across, each with itself."""
    names = list(dict.fromkeys([*tau2.index.get_level_values(0), *tau2.index.get_level_values(1)]))
    short, deep = names[:5], names[5:]
    return {
        "short": {pair: tau2[pair] for pair in combinations(short, 2)},
        "deep": {pair: tau2[pair] for pair in combinations(deep, 2)},
        "across": {pair: tau2[pair] for pair in product(short, deep)},
        "itself": {pair: tau2[pair] for pair in zip(short, deep)},
    }


def _mean(values):
    return float(np.mean(list(values.values())))


def _nearer(groups, side):
    """Return which measures are nearer to every other of their depth than to themselves."""
    at = 0 if side == "short" else 1
    return {
        pair[at]: min(tau for p, tau in groups[side].items() if pair[at] in p) > itself
        for pair, itself in groups["itself"].items()
    }


def _figure2(tau):
    return _rows(_claim("extended-deep-closest", tau.idxmax() == ("extended", "deep")),
                 _claim("shallow-deep-farthest", tau.idxmin() == ("shallow", "deep")))


def _section41(tau2, tau):
    groups = _groups(tau2)
    mean = {name: _mean(values) for name, values in groups.items()}
    deep = _nearer(groups, "deep")
    others = {name: np.mean([t for p, t in groups["deep"].items() if name in p]) for name in deep}
    # The gap of each depth-1000 measure: to the others at its depth, less to itself at depth 10.
    gaps = {pair[1]: others[pair[1]] - t for pair, t in groups["itself"].items()}
    rbp8, rbp9977 = "RBP(p=0.8)", "RBP(p=0.9977)"
    return _rows(
        _value("group-mean-depth-10", mean["short"]),
        _value("group-mean-depth-1000", mean["deep"]),
        _value("group-mean-depth-10-against-1000", mean["across"]),
        _value("group-mean-same-metric", mean["itself"]),
        _claim("depth-10-group-tightest", mean["short"] > mean["deep"]),
        _claim("between-depths-lowest", mean["across"] < mean["deep"] - 0.05),
        _claim("depth-10-nearer-its-depth-than-itself",
               all(_nearer(groups, "short").values())),
        # AP is the exception that the paper itself names.
        _claim("depth-1000-nearer-its-depth-than-itself",
               all(near for name, near in deep.items() if name != "AP@1000")),
        _claim("same-metric-hardly-above-any-metric", 0 < mean["itself"] - mean["across"] < 0.01),
        _claim("ap-partial-exception",
               abs(gaps["AP@1000"]) < 0.02 and min(
                   gap for name, gap in gaps.items() if name != "AP@1000") > 0.02),
        _claim("metrics-depend-on-evaluation-depth", mean["itself"] < mean["short"]),
        _claim("ndcg10-nearly-rbp-0.8", tau2[("nDCG@10", rbp8)] >= NEARLY),
        _claim("ndcg1000-nearly-rbp-0.9977", tau2[("nDCG@1000", rbp9977)] >= NEARLY),
        _value("tau-extended-deep", tau[("extended", "deep")]),
        _value("tau-shallow-extended", tau[("shallow", "extended")]),
        _value("tau-shallow-deep", tau[("shallow", "deep")]),
        _claim("extended-reliable", tau[("extended", "deep")] >= NEARLY),
        _claim("extended-better-than-shallow",
               tau[("extended", "deep")] > tau[("shallow", "deep")]),
    )


def _top_runs(collection, tau):
    """Check what happens to the leading runs between deep and extended evaluation."""
    mean = paper.figure2(collection)
    place = mean.drop(columns="type").rank(ascending=False, method="min").astype(int)
    second = place.index[place["deep"] == 2][0]
    deepest = paper.ranks_of(second, collection).set_index(["pool", "depth"])["rank"][(100, 1000)]
    gap = (mean["extended"] - mean.loc[second, "extended"]).abs().drop(second)
    top = place.index[place["deep"] <= 11]
    # The lead of the leading runs over the rest, in standard deviations of all systems.
    score = mean.drop(columns="type")
    lead = score.loc[top].sub(score.drop(top).mean()).mean() / score.std()
    unique = _unique_relevant(collection)
    few = collection.systems.index[::10]
    narrow = paper.figure2_taus(collection, by=list(few)).set_index(["row", "column"])["value"]
    middle = abs(deepest - len(place) / 2) < len(place) / 6
    return _rows(
        _value("second-run-second-deep", int(place.loc[second, "deep"])),
        _value("second-run-second-shallow", int(place.loc[second, "shallow"])),
        _claim("second-run-falls-extended", place.loc[second, "extended"] > 2),
        # "Tied" is what a scatter plot shows: means less than .005, or LEVEL, apart.
        _value("second-run-extended-ties-min", int((gap < 0.005).sum())),
        _value("second-run-extended-ties-max", int((gap < LEVEL).sum())),
        _claim("second-run-middle-at-100-1000", middle,
               f"rank {deepest} of {len(place)}"),
        _claim("top-runs-held-back-by-extended", lead["extended"] < lead["deep"]),
        _claim("top-runs-are-manual", (mean.loc[place["deep"] <= 10, "type"] == "manual").all()),
        _claim("top-runs-many-unique-relevant",
               unique[top].mean() > 2 * unique.drop(top).mean()
               and set(unique.nlargest(3).index) <= set(top)),
        _claim("narrow-pool-less-reliable",
               narrow[("extended", "deep")] < tau[("extended", "deep")]),
    )


def _unique_relevant(collection, depth=100):
    """Count the relevant documents that each system alone has among its first ranks."""
    hits = collection.hits[collection.hits["rank"] <= depth]
    alone = hits[~hits.duplicated(["topic", "document"], keep=False)]
    counts = alone["system"].value_counts().reindex(range(len(collection.systems)), fill_value=0)
    return counts.set_axis(collection.systems.index)


# Figures 3 and 4 and Section 4.2: discriminative power


def _over_full(power, measure):
    """Return how far each shallower, and each deeper, pool lies above full assessment."""
    at = power[measure]
    above = {(d, k): at[(d, k)] - at[(k, k)] for d in FULL for k in FULL if d != k}
    return ({pair: x for pair, x in above.items() if pair[0] < pair[1]},
            {pair: x for pair, x in above.items() if pair[0] > pair[1]})


def _best_gain(shallower):
    """Return the highest gain from a shallower pool, averaged over evaluation depths."""
    return np.mean([max(x for (_, depth), x in shallower.items() if depth == k) for k in FULL[1:]])


def _figure3(power):
    rows = []
    for slug, expanded, abbreviated in (("ap", "AP", "aAP"), ("ndcg", "enDCG", "nDCG")):
        shallower, deeper = _over_full(power, expanded)
        rows += [
            _claim(f"expanded-{slug}-deeper-pool-hurts", max(deeper.values()) < 0),
            _claim(f"expanded-{slug}-shallower-pool-boosts", _best_gain(shallower) >= PLAIN),
        ]
        shallower, deeper = _over_full(power, abbreviated)
        short = power[expanded] - power[abbreviated]
        behind = short[short > 0]
        full = max(short[(k, k)] for k in FULL)
        rows += [
            _claim(f"abbreviated-{slug}-deeper-pool-harmless", min(deeper.values()) > -0.001),
            _claim(f"abbreviated-{slug}-shallower-pool-slight-gain",
                   0 < _best_gain(shallower) < PLAIN),
            _claim(f"abbreviated-{slug}-at-least-expanded", behind.empty,
                   f"in {len(behind)} of {len(short)} settings expanded {expanded} is ahead, by at "
                   f"most {behind.max() if len(behind) else 0:.4f}; none of them is full assessment"
                   if len(behind) and full <= 0 else ""),
        ]
    beyond = [power[(m, d, 1000)] - power[(m, d, d)] for m in ("aAP", "nDCG") for d in FULL]
    return _rows(*rows, _claim("supports-evaluation-beyond-pool", min(beyond) > 0))


def _full(power):
    """Return the power under full assessment: measures x depths, those of Figure 4."""
    return pd.DataFrame({k: [power[(m, k, k)] for m in paper.FORMS] for k in FULL},
                        index=list(paper.FORMS))


def _figure4(power):
    full = _full(power)
    rise, spread = full[100] - full[5], full.max() - full.min()
    from10 = full[100] - full[10]
    falls = {m: max(power[(m, 5, k)] - power[(m, 100, k)] for k in paper.DEPTHS)
             for m in paper.FORMS}
    others = max(x for m, x in falls.items() if m != "R")
    limit = max(spread[10], spread[100])
    rows = [
        _claim("depth-matters-more-than-metric",
               (full.max(axis=1) - full.min(axis=1)).mean() > spread.mean()),
        _claim("all-metrics-rise-with-depth", rise.min() >= PLAIN),
        _claim("depth-100-against-5-exceeds-metric-spread",
               rise.min() > max(spread[5], spread[100])),
        _claim("depth-100-against-10-exceeds-metric-spread", from10.min() > limit,
               f"measures differ by {spread[10]:.3f} at depth 10 and {spread[100]:.3f} at 100; "
               f"{(from10 <= limit).sum()} of {len(full)} rise by less from 10 to 100, "
               f"P by {from10['P']:.3f}"),
        _claim("strongest-at-100-is-standardized-ap", full[100].idxmax() == "sAP"),
        _claim("weakest-at-100-is-recall", full[100].idxmin() == "R"),
        _claim("only-recall-falls-with-deeper-pool", falls["R"] >= 5 * others and others < PLAIN),
    ]
    for slug, m in (("normalized-dcg", "nDCG"), ("standardized-dcg", "sDCG"),
                    ("normalized-ap", "aAP"), ("standardized-ap", "sAP")):
        curves = power[m].unstack("depth")
        steps = curves.diff(axis=1).iloc[:, 1:]
        fallen = int((steps < -LEVEL).sum(axis=None))
        drop = (curves.loc[5].cummax() - curves.loc[5]).max()
        rows += [
            _claim(f"{slug}-hardly-ever-falls", fallen < steps.size / 10,
                   f"{fallen} of {steps.size} steps fall by more than {LEVEL}"),
            _claim(f"{slug}-pool-5-still-rises", drop <= LEVEL,
                   f"it ends {drop:.4f} below its highest point"),
        ]
    for slug, m in (("precision", "P"), ("rbp", "RBP"), ("normalized-rbp", "nRBP"),
                    ("standardized-rbp", "sRBP"), ("standardized-precision", "sP")):
        curves = power[m].unstack("depth")
        rows.append(_claim(f"{slug}-falls-far-beyond-pool",
                           (curves.max(axis=1) - curves[1000] > LEVEL).all()))
    return _rows(*rows, *_forms(power), *_fixed_pool(power), *_shallower(power))


def _forms(power):
    """Compare raw, normalized and standardized DCG over all settings of the figure."""
    for slug, m in (("normalization", "nDCG"), ("standardization", "sDCG")):
        gain = power[m] - power["DCG"]
        yield _claim(f"{slug}-helps-dcg-slightly", 0 < gain.mean() < PLAIN,
                     f"over all settings {m} is {gain.mean():+.4f} from DCG, ahead in "
                     f"{(gain > 0).sum()} of {len(gain)}")


def _rising(power, measure):
    """Return the share of evaluations deeper than the pool that beat one as deep as the pool."""
    at = power[measure]
    return np.mean([at[(d, k)] > at[(d, d)] for d in FULL for k in paper.DEPTHS if k > d])


def _fixed_pool(power):
    """Read "tends to rise": most evaluations beyond the pool beat the one that stops at it."""
    share = {m: _rising(power, m) for m in paper.FORMS}
    families = {"dcg": "DCG", "ap": "AP", "rbp": "RBP"}
    for slug, family in families.items():
        yield _claim(f"{slug}-rises-with-pool-fixed", min(
            share[m] for m, (f, _) in paper.FORMS.items() if f == family) > 0.5)
    row = {m: share[m] for m, (f, _) in paper.FORMS.items() if f == "precision/recall"}
    yield _claim("precision-recall-row-excepted", max(row.values()) <= 0.5,
                 "evaluations beyond the pool beat the one that stops at it in "
                 + ", ".join(f"{x:.0%} of the settings for {m}" for m, x in row.items()))


def _shallower(power):
    """Check where a shallower pool gains at the same evaluation depth, recall aside."""
    forms = {m: form for m, (_, form) in paper.FORMS.items() if m != "R"}
    gains = {m: _over_full(power, m)[0] for m in forms}
    at = {k: [max(x for (_, depth), x in g.items() if depth == k) > 0 for g in gains.values()]
          for k in FULL[1:]}
    best = {m: _best_gain(g) for m, g in gains.items()}
    raw = np.mean([best[m] for m, form in forms.items() if form == "raw"])
    adjusted = np.mean([best[m] for m, form in forms.items() if form != "raw"])
    yield _claim("shallower-pool-slight-gain-is-common",
                 all(np.mean(holds) > 0.5 for holds in at.values())
                 and max(best.values()) < PLAIN)
    yield _claim("shallower-pool-gain-mostly-adjusted-metrics", adjusted > raw,
                 f"the best gain is {adjusted:.4f} on average when adjusted, {raw:.4f} when raw")


def _section42(collection, power):
    raw = ("P", "DCG", "SP", "RBP")
    unchanged = all(power[(m, d, k)] == power[(m, k, k)]
                    for m in raw for k in FULL for d in FULL if d > k)
    changed = all(any(power[(m, d, k)] != power[(m, k, k)] for k in FULL for d in FULL if d > k)
                  for m in ("R", "nDCG", "aAP", "nRBP"))
    relevant = {d: collection.pooled(d).topics["relevant"].to_numpy(int) for d in paper.POOLS}
    over = [[int((relevant[d] > k).sum()) for d in paper.POOLS] for k in paper.DEPTHS]
    enough = relevant[100] >= 20
    recall20 = scores(collection, "R@20").mul(np.maximum(relevant[100], 1), axis=0)
    abbreviated = recall20.div(np.minimum(20, relevant[100]), axis=0)
    settings = (("nDCG", "nRBP", "R"), ("aAP", "nRBP", "R"), ("sDCG", "sRBP", "sP"),
                ("sAP", "sRBP", "sP"))
    return _rows(
        _value("pool-depth-min", paper.POOLS[0]),
        _value("pool-depth-max", paper.POOLS[-1]),
        _value("evaluation-depth-min", paper.DEPTHS[0]),
        _value("evaluation-depth-max", paper.DEPTHS[-1]),
        _claim("deeper-pool-leaves-raw-metrics", unchanged),
        _claim("deeper-pool-changes-normalized-metrics", changed),
        _claim("deeper-pool-r-exceeds-k-more-often",
               all(counts == sorted(counts) for counts in over) and over[0] != over[-1]),
        _claim("abbreviated-preferred",
               all(power[(a, k, k)] >= power[(e, k, k)]
                   for a, e in (("aAP", "AP"), ("nDCG", "enDCG")) for k in FULL)),
        _value("topics-over-100-relevant", int((relevant[100] > 100).sum())),
        _claim("abbreviated-recall-is-precision",
               np.allclose(abbreviated[enough], scores(collection, "P@20")[enough])),
        _claim("ndcg-20-pool-difference-not-significant", _no_more_than_chance(collection)),
        _claim("dcg-and-ap-weighting-helps",
               all(power[(m, d, 1000)] > max(power[(o, d, 1000)] for o in rest)
                   for m, *rest in settings for d in FULL)),
    )


def _no_more_than_chance(collection, *, resamples=500, seed=2010):
    """Draw the topics again: does the interval of nDCG@20's gain from a shallower pool hold 0?"""
    tables = [scores(collection.pooled(d), f"{NDCG}@20").to_numpy() for d in (5, 20)]
    rng = np.random.default_rng(seed)
    topics = len(tables[0])
    gains = []
    for drawn in rng.integers(0, topics, size=(resamples, topics)):
        shallow, full = (discriminative_power(t[drawn], alpha=paper.ALPHA) for t in tables)
        gains.append(shallow - full)
    low, high = np.quantile(gains, [0.025, 0.975])
    return low <= 0 <= high


# Table 3


def _kinds(tau3):
    """Return the cells of Table 3 by what the two settings differ in."""
    kinds = {"metric": {}, "pool": {}, "depth": {}, "both": {}}
    for (a, b), tau in tau3.items():
        (pool_a, depth_a), (pool_b, depth_b) = (x.split()[0].split("/") for x in (a, b))
        if a.split()[1] != b.split()[1]:
            if (pool_a, depth_a) == (pool_b, depth_b):
                kinds["metric"][(a, b)] = tau
        elif depth_a == depth_b:
            kinds["pool"][(a, b)] = tau
        else:
            kinds["depth" if pool_a == pool_b else "both"][(a, b)] = tau
    return kinds


def _p_value_taus(tau3):
    kinds = _kinds(tau3)
    same = list(kinds["metric"].values())
    itself = {**kinds["pool"], **kinds["depth"], **kinds["both"]}
    mean = {kind: _mean(values) for kind, values in kinds.items()}
    nearer = {
        m.lower(): tau3[(f"10/100 {m}", f"100/100 {m}")] > tau3[(f"10/10 {m}", f"10/100 {m}")]
        for m in ("aAP", "nDCG", "RBP")
    }
    # tau is the share of pairs in the same order less that in the opposite one.
    return _rows(
        _value("p-value-tau-same-depth-min", min(same)),
        _value("p-value-tau-same-depth-max", max(same)),
        _value("p-value-same-order-min", 50 * (1 + min(same))),
        _value("p-value-same-order-max", 50 * (1 + max(same))),
        _claim("p-value-same-depth-nearer-than-same-metric", np.mean(same) > _mean(itself)),
        *(_claim(f"p-value-{m}-extended-nearer-deep", holds) for m, holds in nearer.items()),
        _claim("evaluation-depth-over-pool-depth", mean["depth"] < mean["pool"]),
        _claim("evaluation-depth-over-metric", mean["depth"] < mean["metric"]),
        _claim("pool-depth-over-metric", mean["pool"] < mean["metric"],
               f"the same metric at two pool depths: tau {mean['pool']:.3f} on average, two "
               f"metrics at one: {mean['metric']:.3f}"),
    )


# Abstract and conclusion


def _edge(power):
    """Return in which share of the settings each usual measure is the most discriminative."""
    usual = power[["P", "R", "nDCG", "aAP", "RBP"]].unstack("measure")
    return usual.idxmax(axis=1).value_counts(normalize=True)


def _abstract(power, tau):
    full = _full(power)
    edge = _edge(power)
    return _rows(
        _claim("depth-matters-more-than-metric-type",
               (full.max(axis=1) - full.min(axis=1)).mean() > (full.max() - full.min()).mean()),
        _claim("no-misleading-reinforcement",
               tau[("extended", "deep")] > tau[("shallow", "deep")]),
        _claim("ndcg-slight-edge", edge.get("nDCG", 0) >= 0.5,
               "among P, R, aAP, nDCG and RBP the most discriminative is "
               + ", ".join(f"{m} in {x:.0%}" for m, x in edge.items()) + " of the settings"),
    )


def _conclusion(collection, power, own, tau2, tau3, tau):
    full = _full(power)
    groups, kinds = _groups(tau2), _kinds(tau3)
    steps = full.diff(axis=1).iloc[:, 1:]
    falling = [m for m in full.index if (steps.loc[m] <= 0).any()]
    standard = own[["nDCG@1000", "AP@1000"]].mean() - own[["P@10", "RBP(p=0.8)"]].mean()
    equal = full.loc[["nDCG", "aAP"], 100].mean() - full.loc[["P", "RBP"], 100].mean()
    normalized = pd.concat([power[a] - power[b] for a, b in (
        ("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"))])
    standardized = pd.concat([power[a] - power[b] for a, b in (
        ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P"))])
    same = {**kinds["pool"], **kinds["depth"], **kinds["both"]}
    top = _top_runs(collection, tau).set_index("row")["value"]
    fixed = [power[(m, 5, k)] - power[(m, k, k)] for m in paper.FORMS for k in (10, 20)]
    range_of_depth = full.max(axis=1) - full.min(axis=1)
    return _rows(
        _claim("hypothesis-depth-strongly-supported",
               (full[100] - full[5]).min() >= PLAIN and equal < standard / 2),
        _claim("hypothesis-normalization-inconclusive",
               (normalized > 0).any() and (normalized < 0).any()
               and abs(normalized.mean()) < PLAIN),
        _claim("hypothesis-reinforcement-slight-support",
               tau[("extended", "deep")] > tau[("shallow", "deep")]
               and top["second-run-falls-extended"]),
        _claim("depth-raises-every-metric", not falling,
               "; ".join(f"{m} falls from {full.loc[m, 50]:.3f} at depth 50 to "
                         f"{full.loc[m, 100]:.3f} at 100" for m in falling)),
        _claim("depth-over-metric", range_of_depth.mean() > (full.max() - full.min()).mean()),
        _claim("equal-depth-closes-most-of-gap", equal < standard / 2),
        _claim("equal-depth-leaves-some-gap", equal > 0),
        _claim("depth-over-metric-in-rankings",
               min(_mean(groups["short"]), _mean(groups["deep"])) > _mean(groups["itself"])),
        _claim("depth-over-metric-in-significance", _mean(kinds["metric"]) > _mean(same)),
        _claim("expanded-rewards-shallow-pools",
               min(_best_gain(_over_full(power, m)[0]) for m in ("R", "AP")) >= PLAIN),
        _claim("standardization-slight-gain",
               0 < standardized.mean() < PLAIN and (standardized < 0).any()),
        _claim("depth-10-pool-foretells-depth-100", tau[("extended", "deep")] >= NEARLY),
        _claim("distinctive-systems-penalized",
               top["second-run-falls-extended"] and top["top-runs-held-back-by-extended"]),
        _claim("shallow-evaluation-depth-alone-as-effective", np.mean(fixed) >= 0),
    )
