"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Words need a yardstick.  The paper calls the step from .669 to .675 small, so two discriminative
powers up to LEVEL apart count as level, and only a difference of PLAIN or more is called plain.
Two rankings are nearly the same from a tau of NEARLY on: 95 of 100 pairs in the same order.
"""

from functools import cache

import numpy as np
import pandas as pd

from lib.collection import load
from lib.measures import complete_scores, persistence, scores
from lib.papers import webber2008
from lib.papers import webber2010 as paper
from lib.papers.webber2010.claims_on_depth import (
    _abstract,
    _conclusion,
    _figure3,
    _figure4,
    _p_value_taus,
    _section41,
    _section42,
    _top_runs,
)
from lib.papers.webber2010.evidence import (
    _SLUGS,
    NDCG,
    _columns,
    _order,
    _perfect,
    _strong_against_weak,
)
from lib.published import NOT_PUBLIC, read
from lib.statistics.discrimination import discriminative_power, significant

__all__ = ["HYPOTHESES", "checked", "claims", "findings"]

HYPOTHESES = {
    "normalization": "nDCG is more stable than RBP because it is normalized",
    "depth": "nDCG is more stable because its heavy tail holds valid information",
    "reinforcement": "nDCG is more stable because evaluation beyond the pool rewards systems that "
    "resemble the pooled ones",
}


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.
    """
    from lib.papers.webber2010.claims import claims

    return claims(load("trec8"))


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
    return pd.DataFrame(
        {
            "claim": said["statement"].to_numpy(),
            "holds": np.where(said["value"].astype(bool), "yes", "no"),
        }
    )


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
        value=None,
        error=0.0,
        status=NOT_PUBLIC,
        cause="the runs of the other four collections are in NIST's password area",
    )


# Figure 1 and Section 3.1: rank weights


def _figure1():
    weights = paper.figure1()
    dcg = weights["DCG"]
    ratios = {
        name: column.to_numpy()[1:] / column.to_numpy()[:-1]
        for name, column in weights.drop(columns="DCG").items()
    }
    return _rows(
        _claim(
            "dcg-weights-steep-then-flat",
            dcg[1] - dcg[10] > dcg[10] - dcg[1000] and dcg[100] - dcg[1000] < 0.1 * dcg[1],
        ),
        _claim(
            "rbp-weights-constant-ratio",
            all(np.allclose(ratio, ratio[0]) for ratio in ratios.values()),
        ),
    )


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
        _claim(
            "deeper-pool-raises-r",
            all((b >= a).all() and (b > a).any() for a, b in zip(relevant, relevant[1:])),
        ),
        _claim("dcg-discount-min-of-2-and-rank", np.isinf(printed).all()),
        _claim("dcg-can-exceed-one", 1 < best(f"{NDCG[1:]}@10", 2) < best(f"{NDCG[1:]}@10", 3)),
        _claim(
            "rbp-bounds-from-partial-evaluation",
            (all_of_it - base).stack().between(-1e-12, 0.8**10 + 1e-12).all(),
        ),
        _value("rbp-residual", paper.RESIDUAL),
        *(
            _value(f"rbp-p-depth-{k}", persistence(residual=paper.RESIDUAL, k=k))
            for k in paper.PRINTED_P
        ),
        _value("dcg-weight-101-1000", percent["DCG"]),
        _value(
            "rbp-0.95-weight-101-1000",
            percent["RBP(p=0.95)"],
            f"{percent['RBP(p=0.95)']:.2f}%, which the paper puts in words as half a percent",
        ),
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
        table = complete_scores(collection, name)
        by_t = significant(table, alpha=paper.ALPHA)
        for test, shares in agreement.items():
            other = significant(
                table,
                alpha=paper.ALPHA,
                test=test,
                resamples=resamples,
                rng=np.random.default_rng(seed),
            )
            shares.append((by_t == other).mean())
    return _rows(
        _value("alpha", paper.ALPHA),
        *(_claim(f"t-test-like-{test}", min(shares) >= 0.95) for test, shares in agreement.items()),
    )


def _section33(collection):
    systems = collection.systems
    manual = systems["type"] == "manual"
    by_p, by_ap = _order(collection, "P@10"), _order(collection, "AP@10", pool=10)
    # How many manual runs stand before the first that is not: with AP@10 on the pool of depth 10,
    # as in Table 2.
    leading = {
        name: int((~manual[order.index]).to_numpy().argmax())
        for name, order in (("P@10", by_p), ("AP@10", by_ap))
    }
    best = by_p.index[: leading["P@10"]]
    places = {
        name: order.rank(ascending=False, method="min")[best]
        for name, order in (("AP@10", by_ap), ("AP@1000", _order(collection, "AP@1000")))
    }
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
        _claim(
            "best-manual-runs-lead-by-ap10",
            leading["AP@10"] >= 11 and set(by_ap.index[:11]) == set(by_p.index[:11]),
        ),
        _claim(
            "one-best-manual-run-drops-by-ap1000", (places["AP@1000"] - places["AP@10"]).max() > 3
        ),
        _value("share-of-systems-others-drop", 100 * (1 - _kept_in_2008())),
        _claim("weak-runs-inflate-discriminative-power", (every.to_numpy() > few.to_numpy()).all()),
        _claim(
            "strong-against-weak-almost-always-significant",
            _strong_against_weak(collection, strongest, quarter) >= 0.95,
        ),
    )


def _kept_in_2008():
    from inspect import signature

    return signature(webber2008.phi).parameters["share"].default


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
        _claim("p1000-least-discriminative", p1000 < min(found["AP@1000"], found["nDCG@1000"])),
    )


def _section4(own):
    table = _columns(own)
    rows = []
    for slug, name in list(_SLUGS.items())[:-1]:
        column = table[name]
        rows.append(
            _claim(f"{slug}-ndcg-beats-rbp-0.95", column["nDCG@1000"] > column["RBP(p=0.95)"])
        )
        shallow, rest = column[["P@10", "RBP(p=0.8)"]], column.drop(["P@10", "RBP(p=0.8)"])
        rows.append(
            _claim(
                f"{slug}-p10-rbp-0.8-least",
                shallow.max() < rest.min(),
                f"in the paper's own column {shallow.idxmax()} and {rest.idxmin()} tie at "
                f"{rest.min():.3f}"
                if shallow.max() == rest.min()
                else "",
            )
        )
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
    which = {
        "trec5": "ndcg",
        "trec8": "ap",
        "trec2001": "ndcg",
        "trec2004": "ap",
        "trec2005": "ndcg",
        "mean": "ndcg",
    }
    return _rows(
        *(
            _claim(f"{slug}-most-discriminative-{short}", best[_SLUGS[slug]] == bold[short])
            for slug, short in which.items()
        )
    )


# Table 2, Figure 2 and Section 4.1: rankings of systems


def _captions():
    from inspect import signature

    pool = signature(paper.means_of_table2).parameters["pool"].default
    return _rows(
        _value("pool-depth-for-evaluation-depth-10", pool),
        _value("pool-depth-for-evaluation-depth-1000", paper.POOLS[-1]),
    )


def _figure2(tau):
    return _rows(
        _claim("extended-deep-closest", tau.idxmax() == ("extended", "deep")),
        _claim("shallow-deep-farthest", tau.idxmin() == ("shallow", "deep")),
    )
