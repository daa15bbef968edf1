"""Seven registered claims on the law of leads, on nine collections that none of them had met.

``book/registration-law.md`` says what is asked, of which runs and topics, and how it is decided.
It was written, with this module, before anything was computed on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from chapters.data_tables import read
from chapters.elsewhere.confirmation import MEASURES, PRECISION_DEPTHS, RBP_90, TARGETS, in_steps
from chapters.elsewhere.sources import copies
from lib.collection import load, load_scores
from lib.collection.by_topic import restored
from lib.conventions import ALPHA, DECIMALS
from lib.decisions import (
    FINDING,
    HINT,
    INCONCLUSIVE,
    Bound,
    Decision,
    above,
    at_least,
    below,
    decide,
    level,
)
from lib.intervals import Interval
from lib.measures import Scores, complete_scores
from lib.paths import DATA
from lib.statistics.law import LEAST, Phis, fit, interval, lead, number_of_splits, phis, reliability
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import plain_mean, random_effects

OF_LAW = ("AP", "P@10", "RR")
RIVALS = ("P@5", "P@10", "P@20", "P@30", "Rprec", "AP")
SEED = 2008  # and the topics of a set
FEW, MANY = 10, 25  # topics a set: where the law is fitted, and where it is asked
# What each doubling of the topics costs by the rule that the law is to beat, of measure and target.
DOUBLING = {
    ("AP", "P@10"): -0.025,
    ("AP", "RR"): -0.049,
    ("P@10", "AP"): -0.018,
    ("P@10", "RR"): -0.017,
}
PILOT, FITTED_AT, FORETOLD = 50, 20, 100  # topics: of a pilot, of a set within it, of a set outside
PILOT_SPLITS, OUTSIDE_SPLITS = 5000, 2000
FEWER_LEFT_OUT, FEWER_SPLITS = 5000, 30_000  # of S1, which has many pairs of measures
TYPICAL_MISS = 0.025  # of tau: of .02 and this the one that the registered rule takes
MARGIN_OF_SINGLE = 0.01
HELD, NOT_HELD = 36, 32  # of 40 intervals
FAR, LEAST_RUNS, LEAST_HITS = 0.001, 20, 0.3


@dataclass(frozen=True)
class AskedOf:
    """A collection as it is registered: its folder, its task at NIST, what stays out of its runs.

    ``means`` are the measures by which a run is compared with what NIST printed of it.
    """

    folder: str
    kind: str
    task: tuple[str, tuple[str, ...]] | None
    out: Mapping[str, tuple[str, ...]]
    people: bool = True
    means: tuple[str, ...] = ("Rprec", "AP")


_FEW_TOPICS, _SHORT, _COPY = "fewer topics than the rest", "short lists", "copy of another run"
_UNLIKE = "means unlike those that NIST printed"
_DUO = tuple(f"webis-dl-duot5{end}" for end in ("", "-g", "-aug-1", "-aug-2"))
NINE = {
    "A2": AskedOf("trec2", "news", ("trec2/adhoc", ("",)), {_FEW_TOPICS: ("rutcomb1", "rutfmed")}),
    "A3": AskedOf("trec3", "news", ("trec3/adhoc", ("",)), {}),
    "W9": AskedOf("trec9-web", "Web", ("trec9/web", ("content-link", "content-only")), {}),
    "R5": AskedOf("robust05", "news", ("trec14/robust", ("",)), {}),
    "Md": AskedOf(
        "medical11",
        "medical",
        ("trec20/medical", ("main",)),
        {
            _SHORT: ("merckkgaamer", "ohsuManLim"),
            "scores that are no numbers": ("uogTrDeNsEc",),
            _COPY: ("IRITm1", "IRITm1QE1", "RMITN1", "RMITN3"),
        },
    ),
    "D22": AskedOf(
        "dl22", "MS MARCO", ("trec31/deep", ("passages",)), {_SHORT: _DUO}, means=("nDCG@10",)
    ),
    "D23": AskedOf("dl23", "MS MARCO", None, {}),
    "G22": AskedOf("dl22-machine", "MS MARCO", None, {_SHORT: _DUO}, people=False),
    "G23": AskedOf("dl23-machine", "MS MARCO", None, {}, people=False),
}
# What there is of D23 in place of its runs, which could not be had: a path, beside the words.
PRINTED = "D23 at grade 1"
_KNOWN = NINE | {PRINTED: AskedOf("dl23-grade-1", "MS MARCO", None, {})}
SIX, SEVEN = ("A2", "A3", "W9", "R5", "Md", "D23"), ("A2", "A3", "W9", "R5", "Md", "D22", "D23")
CLAIMS: dict[str, tuple[Bound, tuple[str, ...]]] = {
    "L1": (level(0.02), tuple(NINE)),
    "L2": (above(), tuple(NINE)),
    "L3": (below(), tuple(NINE)),
    "R1": (at_least(0.02), SIX),
}
_SIDES = {
    "L1": (-0.02, 0.02)
}  # of which two collections may not stand on on_both_sides ones; else 0


# The scores of a collection


@cache
def every_score(name: str) -> Mapping[str, Scores]:
    """Return the scores of all runs, those left out too; with RBP in steps where there is P@k."""
    folder = _KNOWN[name].folder
    if (DATA / folder / "hits.parquet").is_file():
        scores = complete_scores(load(folder), MEASURES)
    else:
        scores = {label: restored(table, label) for label, table in load_scores(folder).items()}
    steps = {f"P@{depth}" for depth in PRECISION_DEPTHS} <= {*scores}
    return {**scores, RBP_90: in_steps(scores)} if steps else scores


def unlike_printed(
    scores: Mapping[str, Scores], printed: pd.DataFrame, labels: Sequence[str]
) -> list[str]:
    """Return the runs with a mean further than .001 from a printed one, where there is one.

    >>> table = pd.DataFrame({"A": [0.5, 0.1], "B": [0.5, 0.1]})
    >>> unlike_printed({"AP": table}, pd.DataFrame({"AP": [0.302]}, ["A"]), ["AP"])
    ['A']
    """
    far = [
        name
        for label in labels
        for name in printed.index.intersection(scores[label].columns)
        if abs(scores[label][name].mean() - printed.at[name, label]) > FAR
    ]
    return sorted({*far})


@cache
def left_out(name: str) -> Mapping[str, str]:
    """Return the runs that the registration leaves out, each with the reason."""
    new, scores = _KNOWN[name], every_score(name)
    out = {run: why for why, runs in new.out.items() for run in runs}
    # A run whose scores are no numbers is in no package.
    rest = {label: table.drop(columns=[*out], errors="ignore") for label, table in scores.items()}
    out |= dict.fromkeys(copies(rest), _COPY)
    if new.task is not None:
        track, tasks = new.task
        means = read("trec", "means").fillna({"task": ""})
        of = means[(means["track"] == track) & means["task"].isin(tasks)].set_index("run")
        off = unlike_printed(rest, of, [label for label in new.means if of[label].notna().any()])
        out |= dict.fromkeys(off, _UNLIKE)
    return out


def hold_out_scores(
    name: str, labels: Sequence[str], runs: str = "registered"
) -> dict[str, Scores]:
    """Return a collection's scores of some runs.

    ``runs`` are the ``registered`` ones; these and those whose ``means`` are unlike NIST's, which
    is a deviation where most are for one reason; or all that were ``submitted``.
    """
    out = [run for run, why in left_out(name).items() if runs == "registered" or why != _UNLIKE]
    out = [] if runs == "submitted" else out
    every = every_score(name)
    some = {label: every[label] for label in labels if label in every}
    return {label: table.drop(columns=out, errors="ignore") for label, table in some.items()}


def here() -> list[str]:
    """Return the registered collections whose data could be had."""
    return [name for name, new in NINE.items() if (DATA / new.folder).is_dir()]


def those(runs: str = "registered") -> list[str]:
    """Return the collections that keep enough runs to be asked; see :func:`scores_of`."""
    return [n for n in here() if hold_out_scores(n, ["AP"], runs)["AP"].shape[1] >= LEAST_RUNS]


# What is asked


def size_of(topics: int) -> int:
    """Return n1, the topics a set at which leads are asked.

    >>> size_of(50), size_of(34), size_of(424)
    (24, 16, 25)
    """
    return min(MANY, (topics - 2) // 2)


def phis_at(
    scores: Mapping[str, Scores], size: int, number: int | None = None, seed: int = SEED
) -> Phis:
    """Return phis at a size with the registered number of splits and their seed, or others."""
    number = number or number_of_splits(len(scores["AP"]), size)
    return phis(scores, size, number=number, rng=np.random.default_rng(seed + size))


def fewer_splits(topics: int, size: int) -> int:
    """Return how many splits are enough for many pairs of measures, or where no error is asked.

    >>> fewer_splits(50, 24), fewer_splits(50, 25)
    (125000, 30000)
    """
    if size == topics // 2:  # hardly a topic is left out
        return FEWER_SPLITS
    return number_of_splits(topics, size, left_out=FEWER_LEFT_OUT, least=FEWER_SPLITS)


CHANGES = ("miss for P@10", "miss for RR", "L1", "L2", "L3", "R1")


def changes(by: Mapping[int, np.ndarray], labels: Sequence[str], ok: Sequence[str]) -> np.ndarray:
    """Return the numbers of :data:`CHANGES` from phis at two sizes: shape (..., numbers).

    ``ok`` are the measures that have a law; what another would enter is NaN, and left out of means.
    """
    few, many = sorted(by)
    seen, before = lead(by[many]), lead(by[few])
    missed = fit(by[few], few).lead(many) - seen
    nothing = np.full(seen.shape[:-2], np.nan)

    def at(table: np.ndarray, measure: str, target: str) -> np.ndarray:
        if not {measure, target} <= {*ok}:
            return nothing
        return table[..., labels.index(measure), labels.index(target)]

    gains = []
    for pair, cost in DOUBLING.items():
        rule = at(before, *pair) + cost * np.log2(many / few)
        gains.append(np.abs(rule - at(seen, *pair)) - np.abs(at(missed, *pair)))
    misses = [at(missed, "AP", target) for target in ("P@10", "RR")]
    own = lead(by[many])[..., labels.index("AP"), labels.index("P@10")]
    fall = own - before[..., labels.index("AP"), labels.index("P@10")]
    return np.stack([*misses, _mean(misses), _mean(gains), fall, own], axis=-1)


def _mean(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return the mean of those that are known; NaN where none is."""
    known = [part for part in parts if not np.isnan(part).all()]
    return np.mean(known, axis=0) if known else parts[0]


def asked(scores: Mapping[str, Scores], *, seed: int = SEED) -> Interval:
    """Return the numbers of :data:`CHANGES` of AP, P@10 and, where it is known, RR."""
    labels = [label for label in OF_LAW if label in scores]
    some = {label: scores[label] for label in labels}
    by = {size: phis_at(some, size, seed=seed) for size in (FEW, size_of(len(scores["AP"])))}
    ok = [label for label, r in zip(labels, reliability(by[FEW].value)) if r > LEAST]
    return interval(lambda phi: changes(phi, labels, ok), by)


def single_measure(scores: Mapping[str, Scores]) -> Interval:
    """Return how much better RBP tells of seven measures than each of :data:`RIVALS` does."""
    labels = list(dict.fromkeys((RBP_90, *RIVALS, *TARGETS)))
    of, rivals = [labels.index(t) for t in TARGETS], [labels.index(r) for r in RIVALS]
    topics = len(scores["AP"])
    size = size_of(topics)

    def gain(by: Mapping[int, np.ndarray]) -> np.ndarray:
        told = by[size][..., of].mean(axis=-1)
        return told[..., labels.index(RBP_90), np.newaxis] - told[..., rivals]

    some = {label: scores[label] for label in labels}
    return interval(gain, {size: phis_at(some, size, fewer_splits(topics, size))})


def spread_of_hits(scores: Mapping[str, Scores]) -> float:
    """Return the deviation over runs of log(hits at 100 / hits at 10), of runs with some hits.

    >>> tables = {"P@10": pd.DataFrame([[0.1, 0.1, 0.01]]), "P@100": pd.DataFrame([[0.1, 0.2, 1]])}
    >>> round(spread_of_hits(tables), 4)  # log(2) / sqrt(2)
    0.4901
    """
    early, late = (depth * scores[f"P@{depth}"].mean() for depth in (10, 100))
    some = early > LEAST_HITS
    return float(np.log(late[some] / early[some]).std())


def rank_correlation(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return Spearman's correlation and the share of all orders in which it is no higher.

    >>> rank_correlation([1, 2, 3], [3, 2, 1])
    (-1.0, 0.16666666666666666)
    """
    one, orders = rankdata(x), np.array([*permutations(rankdata(y))])
    of = np.corrcoef(one, orders)[0, 1:].round(DECIMALS)  # the first order is the given one
    return float(of[0]), float((of <= of[0]).mean())


def pilots(topics: Sequence[Any]) -> np.ndarray:
    """Return the places of topics in pilots, a row each: in the order of their numbers, shuffled.

    >>> pilots(range(424)).shape, pilots(range(618)).shape
    ((8, 50), (12, 50))
    """
    by_number = np.argsort([int(topic) for topic in topics], kind="stable")
    order = np.random.default_rng(SEED).permutation(by_number)
    return order[: len(order) // PILOT * PILOT].reshape(-1, PILOT)


def forecasts(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return what each pilot foretells of other topics, and what is seen there.

    Columns pilot, target, estimate, error, low, high (NaN without a law), seen, before (on the
    pilot), held.
    """
    rows = []
    for number, pilot in enumerate(pilots(scores["AP"].index)):
        inside = {label: scores[label].iloc[pilot] for label in OF_LAW}
        outside = {k: scores[k].drop(index=inside[k].index) for k in OF_LAW}
        known = phis_at(inside, FITTED_AT, PILOT_SPLITS)
        seen = lead(phis_at(outside, FORETOLD, OUTSIDE_SPLITS).value)[0]
        ok = reliability(known.value) > LEAST
        told = interval(
            lambda by: fit(by[FITTED_AT], FITTED_AT).lead(FORETOLD)[..., 0, :], {FITTED_AT: known}
        )
        for place, target in enumerate(OF_LAW[1:], start=1):
            law = [
                np.asarray(getattr(told, k))[place] if ok[0] and ok[place] else np.nan
                for k in ("estimate", "error", "low", "high")
            ]
            held = bool(law[2] <= seen[place] <= law[3])
            rows.append([number, target, *law, seen[place], lead(known.value)[0, place], held])
    names = ["pilot", "target", "estimate", "error", "low", "high", "seen", "before", "held"]
    return pd.DataFrame(rows, columns=names)


def estimates_of(name: str, runs: str = "registered") -> pd.DataFrame:
    """Return what one collection says of the claims: rows as :func:`decided` takes them.

    Of S1 a row a rival, of D1 the spread of its runs, without an error.
    """
    labels = [label for label in every_score(name) if label != "nDCG@10"]
    scores = hold_out_scores(name, labels, runs)
    topics, systems = scores["AP"].shape
    of_law = asked(scores)
    parts = {claim: (of_law, place) for place, claim in enumerate(CHANGES)}
    if name in (*SIX, PRINTED):
        of_single = single_measure(scores)
        parts |= {f"S1 {rival}": (of_single, place) for place, rival in enumerate(RIVALS)}
    rows = []
    for claim, (found, place) in parts.items():
        ends = (found.estimate, found.error, found.low, found.high)
        rows.append([claim, name, systems, topics, *(end[place] for end in ends), topics - 1])
    if name in (*SEVEN, PRINTED):
        rows.append(
            ["D1", name, systems, topics, spread_of_hits(scores), *[np.nan] * 3, topics - 1]
        )
    names = ["claim", "collection", "systems", "topics", "estimate", "error", "low", "high"]
    return pd.DataFrame(rows, columns=[*names, "freedom"])


# How it is decided


def words(estimates: pd.DataFrame, foretold: pd.DataFrame) -> dict[str, Decision]:
    """Decide all seven claims from what the collections say, and the pilots of L4."""
    found = decided(estimates)
    found["L4"] = decided_pilots(int(foretold["held"].sum()))
    found["S1"] = decided_single(singles_of(estimates))
    return found | {"D1": decided_spread(spreads_of(estimates)[1])}


def singles_of(estimates: pd.DataFrame) -> dict[str, Interval]:
    """Return the plain mean of RBP minus each rival."""
    by = estimates.groupby("claim")
    parts = {rival: by.get_group(f"S1 {rival}") for rival in RIVALS}
    columns = ["estimate", "error", "freedom"]
    return {rival: plain_mean(*own[columns].T.to_numpy()) for rival, own in parts.items()}


def spreads_of(estimates: pd.DataFrame) -> tuple[float, float]:
    """Return Spearman's correlation of D1 over collections, and its one-sided p value."""
    table = estimates.pivot(index="collection", columns="claim", values="estimate")
    both = table[["D1", "R1"]].dropna()
    return rank_correlation(both["D1"].tolist(), both["R1"].tolist())


def verdict_rows(estimates: pd.DataFrame, foretold: pd.DataFrame) -> pd.DataFrame:
    """Return the words on the registered runs, and with those whose means are unlike NIST's.

    Columns runs, collections, claim, estimate, low, high, q, p (Cochran's), word; of L4 the
    estimate counts intervals, of D1 it is a correlation and p its own.
    """
    rows = []
    for runs in ("registered", "means"):
        names = those(runs)
        own = estimates[estimates["collection"].isin(names)]
        found = words(own, foretold)
        means = means_of(own) | {f"S1 {k}": mean for k, mean in singles_of(own).items()}
        for claim, mean in means.items():
            asked_on = own[(own["claim"] == claim) & own["collection"].isin(_on(claim))].dropna()
            q = random_effects(asked_on["estimate"], asked_on["error"])
            on = " ".join(asked_on["collection"])
            ends = [float(end) for end in (mean.estimate, mean.low, mean.high)]
            rows.append([runs, on, claim, *ends, q.q, q.p, found[claim[:2]]])
        correlation, p = spreads_of(own)
        on = " ".join(own[own["claim"] == "D1"]["collection"])
        rows.append([runs, on, "D1", correlation, np.nan, np.nan, np.nan, p, found["D1"]])
        held = int(foretold["held"].sum())
        rows.append([runs, "G22 G23", "L4", held, *[np.nan] * 4, found["L4"]])
    columns = ["runs", "collections", "claim", "estimate", "low", "high", "q", "p", "word"]
    return pd.DataFrame(rows, columns=columns).astype({"word": str})


def beside(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the claims on other sets of collections, without a word.

    Columns path, collections, claim (typical miss too), estimate, low, high.
    """
    people = [name for name in those("means") if NINE[name].people]
    paths = {
        "judged by people, as registered": [name for name in those() if NINE[name].people],
        "judged by people, whatever their means": people,
        "the same and D23 at grade 1": [*people, PRINTED],
        "judged by a machine": [name for name in those() if not NINE[name].people],
    }
    rows = []
    for path, names in paths.items():
        own = estimates[estimates["collection"].isin(names)]
        for claim in CHANGES:
            some = own[own["claim"] == claim].dropna(subset=["estimate"])
            mean = plain_mean(some["estimate"], some["error"], some["freedom"])
            ends = [float(end) for end in (mean.estimate, mean.low, mean.high)]
            rows.append([path, " ".join(some["collection"]), claim, *ends])
        typical = typical_miss(own[own["claim"].isin(CHANGES[:2])])
        rows.append([path, " ".join(names), "typical miss", typical, np.nan, np.nan])
    columns = ["path", "collections", "claim", "estimate", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _on(claim: str) -> tuple[str, ...]:
    """Return on which of the nine a claim is asked."""
    return SIX if claim.startswith("S1") else CLAIMS[claim][1]


def typical_miss(misses: pd.DataFrame) -> float:
    """Return the miss without what the topics' luck adds, over collections and targets; in tau.

    >>> typical_miss(pd.DataFrame({"estimate": [0.05, -0.03], "error": [0.03, 0.03]})).round(4)
    np.float64(0.0283)
    """
    known = misses.dropna(subset=["estimate"])
    return np.sqrt(max(0.0, (known["estimate"] ** 2 - known["error"] ** 2).mean()))


def on_both_sides(rows: pd.DataFrame, claim: str) -> list[str]:
    """Return the collections of a claim whose own intervals lie on both sides of it, if any do."""
    low, high = _SIDES.get(claim, (0.0, 0.0))
    over, under = rows["low"] > high, rows["high"] < low
    return rows["collection"][over | under].tolist() if over.any() and under.any() else []


def means_of(estimates: pd.DataFrame) -> dict[str, Interval]:
    """Return the plain mean of L1, L2, L3 and R1, each collection counted alike."""
    found = {}
    for claim, (_, on) in CLAIMS.items():
        own = estimates[(estimates["claim"] == claim) & estimates["collection"].isin(on)]
        own = own.dropna(subset=["estimate"])
        found[claim] = plain_mean(own["estimate"], own["error"], own["freedom"])
    return found


def decided(estimates: pd.DataFrame, limit: float = TYPICAL_MISS) -> dict[str, Decision]:
    """Decide L1, L2, L3 and R1 by what each came to on its collections.

    ``estimates`` has the columns claim, collection, estimate, error, freedom, low, high.
    """
    means = means_of(estimates)
    bounds = {claim: bound for claim, (bound, _) in CLAIMS.items()}
    adjusted = holm([bounds[claim].p_value(mean) for claim, mean in means.items()])
    found = {}
    for (claim, mean), p in zip(means.items(), adjusted):
        found[claim] = decide(mean, bounds[claim], p)
        own = (estimates["claim"] == claim) & estimates["collection"].isin(CLAIMS[claim][1])
        if on_both_sides(estimates[own], claim):
            found[claim] = Decision(INCONCLUSIVE, None)
    misses = estimates[estimates["claim"].isin(CHANGES[:2])]
    if found["L1"].holds and typical_miss(misses) > limit:
        found["L1"] = Decision(INCONCLUSIVE, None)  # right on average, not on each
    return found


def decided_single(means: Mapping[str, Interval]) -> Decision:
    """Decide S1 by the mean of RBP minus each rival."""
    no_better = [mean.exceeds(-MARGIN_OF_SINGLE) < ALPHA for mean in means.values()]
    better = [(-mean).exceeds(0) < ALPHA / len(means) for mean in means.values()]
    if all(no_better):
        return Decision(FINDING, True)
    return Decision(FINDING, False) if any(better) else Decision(INCONCLUSIVE, None)


def decided_pilots(held: int) -> Decision:
    """Decide L4 by how many of 40 intervals hold what is seen.

    >>> [str(decided_pilots(number)) for number in (36, 35, 31)]
    ['supported (finding)', 'inconclusive', 'contradicted (finding)']
    """
    if held >= HELD:
        return Decision(FINDING, True)
    return Decision(FINDING, False) if held < NOT_HELD else Decision(INCONCLUSIVE, None)


def decided_spread(p: float) -> Decision:
    """Decide D1, at most a hint, by its one-sided p value."""
    return Decision(HINT, True) if p < ALPHA else Decision(INCONCLUSIVE, None)
