"""What the paper says of pool and evaluation depth, each sentence checked."""

import numpy as np
import pandas as pd

from lib.measures import scores
from lib.papers import webber2010 as paper
from lib.papers.webber2010.claims import _claim, _rows, _value
from lib.papers.webber2010.evidence import (
    FULL,
    LEVEL,
    NEARLY,
    PLAIN,
    _best_gain,
    _edge,
    _full,
    _groups,
    _kinds,
    _mean,
    _nearer,
    _no_more_than_chance,
    _over_full,
    _rising,
    _unique_relevant,
)


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
        _claim("depth-10-nearer-its-depth-than-itself", all(_nearer(groups, "short").values())),
        # AP is the exception that the paper itself names.
        _claim(
            "depth-1000-nearer-its-depth-than-itself",
            all(near for name, near in deep.items() if name != "AP@1000"),
        ),
        _claim("same-metric-hardly-above-any-metric", 0 < mean["itself"] - mean["across"] < 0.01),
        _claim(
            "ap-partial-exception",
            abs(gaps["AP@1000"]) < 0.02
            and min(gap for name, gap in gaps.items() if name != "AP@1000") > 0.02,
        ),
        _claim("metrics-depend-on-evaluation-depth", mean["itself"] < mean["short"]),
        _claim("ndcg10-nearly-rbp-0.8", tau2[("nDCG@10", rbp8)] >= NEARLY),
        _claim("ndcg1000-nearly-rbp-0.9977", tau2[("nDCG@1000", rbp9977)] >= NEARLY),
        _value("tau-extended-deep", tau[("extended", "deep")]),
        _value("tau-shallow-extended", tau[("shallow", "extended")]),
        _value("tau-shallow-deep", tau[("shallow", "deep")]),
        _claim("extended-reliable", tau[("extended", "deep")] >= NEARLY),
        _claim(
            "extended-better-than-shallow", tau[("extended", "deep")] > tau[("shallow", "deep")]
        ),
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
        _claim("second-run-middle-at-100-1000", middle, f"rank {deepest} of {len(place)}"),
        _claim("top-runs-held-back-by-extended", lead["extended"] < lead["deep"]),
        _claim("top-runs-are-manual", (mean.loc[place["deep"] <= 10, "type"] == "manual").all()),
        _claim(
            "top-runs-many-unique-relevant",
            unique[top].mean() > 2 * unique.drop(top).mean()
            and set(unique.nlargest(3).index) <= set(top),
        ),
        _claim(
            "narrow-pool-less-reliable", narrow[("extended", "deep")] < tau[("extended", "deep")]
        ),
    )


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
            _claim(
                f"abbreviated-{slug}-shallower-pool-slight-gain", 0 < _best_gain(shallower) < PLAIN
            ),
            _claim(
                f"abbreviated-{slug}-at-least-expanded",
                behind.empty,
                f"in {len(behind)} of {len(short)} settings expanded {expanded} is ahead, by at "
                f"most {behind.max() if len(behind) else 0:.4f}; none of them is full assessment"
                if len(behind) and full <= 0
                else "",
            ),
        ]
    beyond = [power[(m, d, 1000)] - power[(m, d, d)] for m in ("aAP", "nDCG") for d in FULL]
    return _rows(*rows, _claim("supports-evaluation-beyond-pool", min(beyond) > 0))


def _figure4(power):
    full = _full(power)
    rise, spread = full[100] - full[5], full.max() - full.min()
    from10 = full[100] - full[10]
    falls = {
        m: max(power[(m, 5, k)] - power[(m, 100, k)] for k in paper.DEPTHS) for m in paper.FORMS
    }
    others = max(x for m, x in falls.items() if m != "R")
    limit = max(spread[10], spread[100])
    rows = [
        _claim(
            "depth-matters-more-than-metric",
            (full.max(axis=1) - full.min(axis=1)).mean() > spread.mean(),
        ),
        _claim("all-metrics-rise-with-depth", rise.min() >= PLAIN),
        _claim(
            "depth-100-against-5-exceeds-metric-spread", rise.min() > max(spread[5], spread[100])
        ),
        _claim(
            "depth-100-against-10-exceeds-metric-spread",
            from10.min() > limit,
            f"measures differ by {spread[10]:.3f} at depth 10 and {spread[100]:.3f} at 100; "
            f"{(from10 <= limit).sum()} of {len(full)} rise by less from 10 to 100, "
            f"P by {from10['P']:.3f}",
        ),
        _claim("strongest-at-100-is-standardized-ap", full[100].idxmax() == "sAP"),
        _claim("weakest-at-100-is-recall", full[100].idxmin() == "R"),
        _claim("only-recall-falls-with-deeper-pool", falls["R"] >= 5 * others and others < PLAIN),
    ]
    for slug, m in (
        ("normalized-dcg", "nDCG"),
        ("standardized-dcg", "sDCG"),
        ("normalized-ap", "aAP"),
        ("standardized-ap", "sAP"),
    ):
        curves = power[m].unstack("depth")
        steps = curves.diff(axis=1).iloc[:, 1:]
        fallen = int((steps < -LEVEL).sum(axis=None))
        drop = (curves.loc[5].cummax() - curves.loc[5]).max()
        rows += [
            _claim(
                f"{slug}-hardly-ever-falls",
                fallen < steps.size / 10,
                f"{fallen} of {steps.size} steps fall by more than {LEVEL}",
            ),
            _claim(
                f"{slug}-pool-5-still-rises",
                drop <= LEVEL,
                f"it ends {drop:.4f} below its highest point",
            ),
        ]
    for slug, m in (
        ("precision", "P"),
        ("rbp", "RBP"),
        ("normalized-rbp", "nRBP"),
        ("standardized-rbp", "sRBP"),
        ("standardized-precision", "sP"),
    ):
        curves = power[m].unstack("depth")
        rows.append(
            _claim(
                f"{slug}-falls-far-beyond-pool", (curves.max(axis=1) - curves[1000] > LEVEL).all()
            )
        )
    return _rows(*rows, *_forms(power), *_fixed_pool(power), *_shallower(power))


def _forms(power):
    """Compare raw, normalized and standardized DCG over all settings of the figure."""
    for slug, m in (("normalization", "nDCG"), ("standardization", "sDCG")):
        gain = power[m] - power["DCG"]
        yield _claim(
            f"{slug}-helps-dcg-slightly",
            0 < gain.mean() < PLAIN,
            f"over all settings {m} is {gain.mean():+.4f} from DCG, ahead in "
            f"{(gain > 0).sum()} of {len(gain)}",
        )


def _fixed_pool(power):
    """Read "tends to rise": most evaluations beyond the pool beat the one that stops at it."""
    share = {m: _rising(power, m) for m in paper.FORMS}
    families = {"dcg": "DCG", "ap": "AP", "rbp": "RBP"}
    for slug, family in families.items():
        yield _claim(
            f"{slug}-rises-with-pool-fixed",
            min(share[m] for m, (f, _) in paper.FORMS.items() if f == family) > 0.5,
        )
    row = {m: share[m] for m, (f, _) in paper.FORMS.items() if f == "precision/recall"}
    yield _claim(
        "precision-recall-row-excepted",
        max(row.values()) <= 0.5,
        "evaluations beyond the pool beat the one that stops at it in "
        + ", ".join(f"{x:.0%} of the settings for {m}" for m, x in row.items()),
    )


def _shallower(power):
    """Check where a shallower pool gains at the same evaluation depth, recall aside."""
    forms = {m: form for m, (_, form) in paper.FORMS.items() if m != "R"}
    gains = {m: _over_full(power, m)[0] for m in forms}
    at = {
        k: [max(x for (_, depth), x in g.items() if depth == k) > 0 for g in gains.values()]
        for k in FULL[1:]
    }
    best = {m: _best_gain(g) for m, g in gains.items()}
    raw = np.mean([best[m] for m, form in forms.items() if form == "raw"])
    adjusted = np.mean([best[m] for m, form in forms.items() if form != "raw"])
    yield _claim(
        "shallower-pool-slight-gain-is-common",
        all(np.mean(holds) > 0.5 for holds in at.values()) and max(best.values()) < PLAIN,
    )
    yield _claim(
        "shallower-pool-gain-mostly-adjusted-metrics",
        adjusted > raw,
        f"the best gain is {adjusted:.4f} on average when adjusted, {raw:.4f} when raw",
    )


def _section42(collection, power):
    raw = ("P", "DCG", "SP", "RBP")
    unchanged = all(
        power[(m, d, k)] == power[(m, k, k)] for m in raw for k in FULL for d in FULL if d > k
    )
    changed = all(
        any(power[(m, d, k)] != power[(m, k, k)] for k in FULL for d in FULL if d > k)
        for m in ("R", "nDCG", "aAP", "nRBP")
    )
    relevant = {d: collection.pooled(d).topics["relevant"].to_numpy(int) for d in paper.POOLS}
    over = [[int((relevant[d] > k).sum()) for d in paper.POOLS] for k in paper.DEPTHS]
    enough = relevant[100] >= 20
    recall20 = scores(collection, "R@20").mul(np.maximum(relevant[100], 1), axis=0)
    abbreviated = recall20.div(np.minimum(20, relevant[100]), axis=0)
    settings = (
        ("nDCG", "nRBP", "R"),
        ("aAP", "nRBP", "R"),
        ("sDCG", "sRBP", "sP"),
        ("sAP", "sRBP", "sP"),
    )
    return _rows(
        _value("pool-depth-min", paper.POOLS[0]),
        _value("pool-depth-max", paper.POOLS[-1]),
        _value("evaluation-depth-min", paper.DEPTHS[0]),
        _value("evaluation-depth-max", paper.DEPTHS[-1]),
        _claim("deeper-pool-leaves-raw-metrics", unchanged),
        _claim("deeper-pool-changes-normalized-metrics", changed),
        _claim(
            "deeper-pool-r-exceeds-k-more-often",
            all(counts == sorted(counts) for counts in over) and over[0] != over[-1],
        ),
        _claim(
            "abbreviated-preferred",
            all(
                power[(a, k, k)] >= power[(e, k, k)]
                for a, e in (("aAP", "AP"), ("nDCG", "enDCG"))
                for k in FULL
            ),
        ),
        _value("topics-over-100-relevant", int((relevant[100] > 100).sum())),
        _claim(
            "abbreviated-recall-is-precision",
            np.allclose(abbreviated[enough], scores(collection, "P@20")[enough]),
        ),
        _claim("ndcg-20-pool-difference-not-significant", _no_more_than_chance(collection)),
        _claim(
            "dcg-and-ap-weighting-helps",
            all(
                power[(m, d, 1000)] > max(power[(o, d, 1000)] for o in rest)
                for m, *rest in settings
                for d in FULL
            ),
        ),
    )


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
        _claim(
            "pool-depth-over-metric",
            mean["pool"] < mean["metric"],
            f"the same metric at two pool depths: tau {mean['pool']:.3f} on average, two "
            f"metrics at one: {mean['metric']:.3f}",
        ),
    )


def _abstract(power, tau):
    full = _full(power)
    edge = _edge(power)
    return _rows(
        _claim(
            "depth-matters-more-than-metric-type",
            (full.max(axis=1) - full.min(axis=1)).mean() > (full.max() - full.min()).mean(),
        ),
        _claim("no-misleading-reinforcement", tau[("extended", "deep")] > tau[("shallow", "deep")]),
        _claim(
            "ndcg-slight-edge",
            edge.get("nDCG", 0) >= 0.5,
            "among P, R, aAP, nDCG and RBP the most discriminative is "
            + ", ".join(f"{m} in {x:.0%}" for m, x in edge.items())
            + " of the settings",
        ),
    )


def _conclusion(collection, power, own, tau2, tau3, tau):
    full = _full(power)
    groups, kinds = _groups(tau2), _kinds(tau3)
    steps = full.diff(axis=1).iloc[:, 1:]
    falling = [m for m in full.index if (steps.loc[m] <= 0).any()]
    standard = own[["nDCG@1000", "AP@1000"]].mean() - own[["P@10", "RBP(p=0.8)"]].mean()
    equal = full.loc[["nDCG", "aAP"], 100].mean() - full.loc[["P", "RBP"], 100].mean()
    normalized = pd.concat(
        [power[a] - power[b] for a, b in (("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"))]
    )
    standardized = pd.concat(
        [
            power[a] - power[b]
            for a, b in (("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P"))
        ]
    )
    same = {**kinds["pool"], **kinds["depth"], **kinds["both"]}
    top = _top_runs(collection, tau).set_index("row")["value"]
    fixed = [power[(m, 5, k)] - power[(m, k, k)] for m in paper.FORMS for k in (10, 20)]
    range_of_depth = full.max(axis=1) - full.min(axis=1)
    return _rows(
        _claim(
            "hypothesis-depth-strongly-supported",
            (full[100] - full[5]).min() >= PLAIN and equal < standard / 2,
        ),
        _claim(
            "hypothesis-normalization-inconclusive",
            (normalized > 0).any() and (normalized < 0).any() and abs(normalized.mean()) < PLAIN,
        ),
        _claim(
            "hypothesis-reinforcement-slight-support",
            tau[("extended", "deep")] > tau[("shallow", "deep")]
            and top["second-run-falls-extended"],
        ),
        _claim(
            "depth-raises-every-metric",
            not falling,
            "; ".join(
                f"{m} falls from {full.loc[m, 50]:.3f} at depth 50 to {full.loc[m, 100]:.3f} at 100"
                for m in falling
            ),
        ),
        _claim("depth-over-metric", range_of_depth.mean() > (full.max() - full.min()).mean()),
        _claim("equal-depth-closes-most-of-gap", equal < standard / 2),
        _claim("equal-depth-leaves-some-gap", equal > 0),
        _claim(
            "depth-over-metric-in-rankings",
            min(_mean(groups["short"]), _mean(groups["deep"])) > _mean(groups["itself"]),
        ),
        _claim("depth-over-metric-in-significance", _mean(kinds["metric"]) > _mean(same)),
        _claim(
            "expanded-rewards-shallow-pools",
            min(_best_gain(_over_full(power, m)[0]) for m in ("R", "AP")) >= PLAIN,
        ),
        _claim(
            "standardization-slight-gain",
            0 < standardized.mean() < PLAIN and (standardized < 0).any(),
        ),
        _claim("depth-10-pool-foretells-depth-100", tau[("extended", "deep")] >= NEARLY),
        _claim(
            "distinctive-systems-penalized",
            top["second-run-falls-extended"] and top["top-runs-held-back-by-extended"],
        ),
        _claim("shallow-evaluation-depth-alone-as-effective", np.mean(fixed) >= 0),
    )
