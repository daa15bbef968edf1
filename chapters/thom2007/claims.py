"""What the paper says, each number and sentence as a quantity.

Of all of its runs only official means are public, for two of its seven taus: what they answer rests
on official scores.  What the seven printed taus decide rests on print.  None of these has an error
over topics: scores of single topics are public of the 61 automatic runs alone.  A sentence on taus
is a difference that is above zero, or several: the same functions judge the print, and, with an
error over topics, any collection.  ``data/published/thom2007.csv`` says which sentence asks what.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.claims import answer
from chapters.ledger.published import Answer, cells, half_digit, lookup, printed
from chapters.thom2007 import tables
from chapters.thom2007.noise import least_significant, zero_test
from chapters.thom2007.tables import BROAD, EARLY, MEASURES, official_means, taus
from lib.collection import Collection, about, load
from lib.decisions import INCONCLUSIVE
from lib.estimates import Estimate, joined, of_estimates, quantity, ranking_taus
from lib.measures import complete_scores
from lib.paths import DATA
from lib.statistics.correlation import kendall, tau_matrix

_WHY = "P@1 and R-precision of the 19 manual runs are not published"


@quantity
def rankings(collection: Collection) -> Estimate:
    """Return how alike measures rank the systems of a collection: tau-b (measures x measures)."""
    return ranking_taus(complete_scores(collection, [*MEASURES, "Bpref"]))


def printed_taus() -> pd.DataFrame:
    """Return the taus of Table 1 as a square, NaN where none is printed.

    >>> printed_taus().loc["AP", "RR"]
    np.float64(0.35)
    """
    half = printed("thom2007", "Table 1").astype(float).reindex(index=MEASURES, columns=MEASURES)
    return half.fillna(half.T)


def sharpest_bound(tau: pd.DataFrame, one: str, other: str) -> float:
    """Return what an unknown tau cannot exceed, given those of both measures with a third.

    A tau is the cosine of the angle between two lists of signs, one sign a pair of systems, and an
    angle is no less than the difference of the angles to a third list.

    >>> round(sharpest_bound(printed_taus(), "RR", "Rprec"), 3)
    0.725
    """
    thirds = tau.loc[[one, other]].drop(columns=[one, other]).dropna(axis=1)
    angles = np.arccos(thirds.clip(-1, 1))
    return float(np.cos((angles.loc[one] - angles.loc[other]).abs()).min())


@dataclass(frozen=True)
class Data:
    """What the claims rest on: official scores, two collections, and the print."""

    scores: pd.DataFrame = field(default_factory=tables.official_scores)
    trec8: Collection = field(default_factory=lambda: load("trec8"))
    covid: Collection = field(default_factory=lambda: load("trec-covid"))
    printed: pd.DataFrame = field(default_factory=printed_taus)


def own(d: Data, treatment: str = "mixture") -> pd.DataFrame:
    """Return the official means of the paper's runs, by default over as many topics as each has."""
    return official_means(treatment=treatment, scores=d.scores)


def own_tau(d: Data, pair: str, treatment: str = "mixture") -> float:
    """Return the tau of two measures over the paper's runs."""
    one, other = (own(d, treatment)[measure] for measure in pair.split("/"))
    return kendall(one, other, variant="b")


def own_taus(d: Data, pair: str) -> np.ndarray:
    """Return that tau over whatever topics a run has, and over those that all have."""
    return np.array([own_tau(d, pair, treatment) for treatment in ("mixture", "fifty")])


def mirror_gap(d: Data, other: str) -> float:
    """Return how far bpref's tau with another measure is from AP's, over the paper's runs."""
    return tables.mirror(tau_matrix(own(d), variant="b")).loc[other, "difference"]


def good_early_only(d: Data) -> float:
    """Return what share of the runs that are good by RR is late by AP, the least over both means.

    Means over as many topics as a run has, and over the 50 that all have.
    """
    parts = (tables.early_only(own(d, treatment)) for treatment in ("mixture", "fifty"))
    return min(late.sum() / good.sum() for _, good, late in parts)


def runs_by_topics(d: Data) -> pd.Series:
    """Return how many runs were scored on so many topics, the most topics last."""
    return d.scores.groupby("topics").size()


def topic_number(d: Data, end: str) -> int:
    """Return the number of the first or the last of all topics."""
    return about(tables.TERABYTE)["topics"][str(runs_by_topics(d).index[-1])][end]


def at_most(tau: pd.DataFrame) -> pd.DataFrame:
    """Fill in what the one unprinted tau between the families cannot exceed."""
    tau = tau.copy()
    tau.loc["RR", "Rprec"] = tau.loc["Rprec", "RR"] = sharpest_bound(tau, "RR", "Rprec")
    return tau


# Sentences on taus, of the print or of a collection.  A pair is such as P@1/RR.

WITHIN = [EARLY, BROAD]
PRINTED_CROSSING = [("P@1", "AP"), ("P@1", "Rprec"), ("AP", "RR")]
_WITHIN = ["/".join(pair) for pair in WITHIN]
_CROSSING = [f"{early}/{broad}" for early in EARLY for broad in BROAD]


Source = Data | Collection | Estimate


def taus_of(source: Source) -> Estimate | pd.DataFrame:
    """Return the taus that sentences are about: as printed, or of a collection."""
    if isinstance(source, Estimate):
        return source
    return source.printed if isinstance(source, Data) else rankings(source)


@of_estimates
def of_pairs(tau: pd.DataFrame, pairs: Sequence[str]) -> np.ndarray:
    """Return the taus of pairs of measures."""
    return np.array([tau.loc[tuple(pair.split("/"))] for pair in pairs])


@of_estimates
def gaps(tau: pd.DataFrame, higher: Sequence[str], lower: Sequence[str]) -> np.ndarray:
    """Return by how much each tau of some pairs is above each of others."""
    return np.subtract.outer(of_pairs(tau, higher), of_pairs(tau, lower)).ravel()


def taus_over(
    source: Source, by: float, higher: list[str], lower: list[str]
) -> Estimate | np.ndarray:
    """Return by how much each tau of some pairs is above each of others, beyond so much."""
    return gaps(taus_of(source), higher, lower) - by


def taus_below(source: Source, limit: float, pairs: list[str]) -> Estimate | np.ndarray:
    """Return by how much the taus of some pairs are below a limit."""
    return limit - of_pairs(taus_of(source), pairs)


def tau_of(source: Source, pair: str) -> Estimate | np.ndarray:
    """Return the tau of a pair of measures."""
    return of_pairs(taus_of(source), [pair])


def p10_between(source: Source) -> Estimate | np.ndarray:
    """Return how far P@10 agrees with both families better than they agree with each other.

    And how far less than each family agrees within itself.
    """
    of_p10 = [f"P@10/{other}" for other in (*EARLY, *BROAD)]
    parts = (gaps(taus_of(source), *sides) for sides in ((of_p10, _CROSSING), (_WITHIN, of_p10)))
    return joined(*parts)


@quantity
def slope(collection: Collection, other: str) -> Estimate:
    """Return how much more P@100 agrees with a measure than P@5 does."""
    tau = ranking_taus(complete_scores(collection, ["P@5", "P@100", other]))[other]
    return tau["P@100"] - tau["P@5"]


def _without_each_group(compute: Callable[[pd.DataFrame], Any], runs: pd.DataFrame) -> Estimate:
    """Compute something of the paper's runs, and again without each group that sent some."""
    every = pd.read_csv(
        DATA / "trec" / "means.csv", usecols=["track", "task", "run", "participant"]
    )
    task = (every["track"] == "trec15/terabyte") & (every["task"] == "adhoc")
    group = every[task].set_index("run")["participant"].loc[runs.index]
    return Estimate(compute(runs), tuple(compute(runs[group != one]) for one in group.unique()))


def won_by_manual(runs: pd.DataFrame) -> pd.Series:
    """Return the share of pairs of a manual and an automatic run that the manual one wins."""
    manual = tables.kind_of_runs()[runs.index] == "manual"
    ours, theirs = (runs[part].to_numpy() for part in (manual, ~manual))
    return pd.Series((ours[:, None] > theirs).mean(axis=(0, 1)), runs.columns)


def manual_favoured(_: str) -> Estimate:
    """Return by how much more of these pairs the manual run wins by RR than by AP."""
    won = _without_each_group(won_by_manual, official_means(treatment="fifty"))
    return won["RR"] - won["AP"]


def automatic_agree(_: str) -> Estimate:
    """Return by how much more AP and RR agree on the automatic runs than on all."""

    def gained(runs: pd.DataFrame) -> float:
        own = runs[tables.kind_of_runs()[runs.index] == "automatic"]
        part, every = (kendall(of["AP"], of["RR"], variant="b") for of in (own, runs))
        return part - every

    return _without_each_group(gained, official_means())


HOLDS = {True: "holds", None: f"is {INCONCLUSIVE}", False: "does not hold"}


def mirror_with_error(tau: Estimate) -> pd.DataFrame:
    """Set the taus of Bpref beside those of AP, with 95% intervals over topics of the differences.

    As of :func:`~chapters.thom2007.tables.mirror`, and low and high by the jackknife; in the
    first row of the tau of the two.
    """
    beside = tau.map(tables.mirror)
    interval = beside.map(lambda frame: frame["difference"].fillna(frame["Bpref"])).interval()
    return beside.value.assign(low=interval.low, high=interval.high)


def on_other_runs(d: Data, said: Callable[[Source], Any], known: str) -> str:
    """Say what is known of a sentence that lacks data, and what other runs say."""
    others: dict[str, Source] = {"the 61 automatic runs alone": tables.automatic_taus()}
    others |= {of.title: of for of in (d.trec8, d.covid)}
    answers = {name: answer(said(of)) for name, of in others.items()}
    verdicts = (
        f"on {name} it {HOLDS[one.value]} ({one.over_topics})" for name, one in answers.items()
    )
    return "; ".join((_WHY, known, *verdicts))


def p10_between_elsewhere(d: Data) -> tuple[None, str]:
    """Say why it cannot be told that P@10 lies between, and what other runs say."""
    return None, on_other_runs(d, p10_between, "its taus with RR and R-precision are not printed")


def families_weak_elsewhere(d: Data, limit: float) -> tuple[None, str]:
    """Say why it cannot be told that all taus between the families are below a limit."""

    def weak(source: Source) -> Estimate | np.ndarray:
        return taus_below(source, limit, _CROSSING)

    return None, on_other_runs(
        d,
        weak,
        "three taus between the families are printed, all below the bound; that of RR with "
        "R-precision is not",
    )


def families_apart(d: Data) -> np.ndarray:
    """Return how far taus within the families are above those between, at most, in print."""
    return gaps(at_most(d.printed), _WITHIN, _CROSSING)


def precision_and_summary_apart(d: Data) -> bool:
    """Whether that is above 0, and P@10 is nearer to P@1 than to AP."""
    nearer = d.printed.loc["P@10", "P@1"] > d.printed.loc["P@10", "AP"]
    return bool(nearer and (families_apart(d) > 0).all())


def is_significant(d: Data, pair: str) -> bool:
    """Return whether a tau is significantly above zero: by official means, else as printed."""
    tests, names = zero_test(own(d))["significant"], tuple(pair.split("/"))
    if names in tests:
        return bool(tests[names])
    return bool(d.printed.loc[names] > least_significant(len(own(d))))


def number_of_runs(d: Data) -> int:
    """Return the number of the paper's runs."""
    return len(own(d))


def most_topics(d: Data) -> int:
    """Return the most topics that a run was scored on."""
    return runs_by_topics(d).index[-1]


def topics_averaged_over(d: Data) -> tuple[int, str]:
    """Return the topics of the official means, and what is odd about them."""
    scored = runs_by_topics(d)
    few, most = scored.index[[0, -1]]
    return most, (
        f"the official means are over {most} topics, for {scored[few] - scored[most]} "
        f"runs over {few}; the paper itself says {most} elsewhere"
    )


def is_over_returned(d: Data) -> bool | str:
    """Return whether Table 1 comes from another AP than that over all relevant documents."""
    usual = all(
        abs(tau - d.printed.loc[pair]) <= half_digit("0.350")
        for pair, tau in lookup(taus(own(d))).items()
    )
    return not usual or (
        "taken at its word a list is not punished for what it misses; Table 1 agrees to the digit "
        "with the official AP, which divides by all relevant documents"
    )


def tau_with_bpref(d: Data, bound: float) -> tuple[float, str]:
    """Return the tau of bpref and AP over the paper's runs."""
    tau = own_tau(d, "AP/Bpref")
    return tau, (
        f"their tau is {tau:.3f} on these runs; the least that the paper calls strong "
        f"is {bound}, and it calls .659 not as strong"
    )


def table1_cells(d: Data) -> pd.DataFrame:
    """Return Table 1: in place of a tau that cannot be computed, that of the automatic runs."""
    ours, alone = taus(own(d)), taus(tables.automatic()).set_index(["row", "column"])["value"]
    others = alone.drop([*zip(ours["row"], ours["column"])])
    unknown = [
        (*pair, Answer(cause=f"{_WHY}; on the 61 automatic runs alone tau is {tau:.3f}"))
        for pair, tau in others.items()
    ]
    return pd.concat([ours, cells(unknown)])
