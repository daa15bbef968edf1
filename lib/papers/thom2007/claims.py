"""What the paper says, each number and sentence checked.

Of all of its runs only official means are public, for two of its seven taus: what they answer rests
on official scores.  What the seven printed taus decide rests on print.  None of these has an error
over topics, since nobody published scores of single topics.  A sentence on taus is a difference
that is above zero, or several: the same functions judge the print, and, with an error over topics,
any collection.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims, above
from lib.collection import Collection, load, memoize
from lib.decisions import INCONCLUSIVE
from lib.intervals import minus_signs
from lib.measures import means, score_tables
from lib.papers.thom2007.noise import ALPHA, least_significant, zero_test
from lib.papers.thom2007.tables import (
    BROAD,
    EARLY,
    FOLDER,
    MEASURES,
    PAIRS,
    automatic,
    early_only,
    mirror,
    official,
    official_scores,
    taus,
)
from lib.published import Answer, cells, half_digit, lookup, printed, read
from lib.statistics.correlation import kendall, tau_matrix
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import taus_over_topics

WEAK = 0.4  # "below 0.4 in each case" (section 3)
STRONG = 0.865  # the lower of the two taus that the paper calls strong or very close (section 3)
# "Closely reflect": our margin.  On TREC-8 other topics move the difference of two taus, one with
# AP and one with bpref, by .04 to .045 either way, so that less cannot be told from none.
CLOSE = 0.05
MUCH = 2 * CLOSE  # "much lower": more than twice what counts as no difference
WHY = "P@1 and R-precision of the 19 manual runs are not published"
EARLY_ONLY = 0.25  # of the best by RR in the lower half by AP: half of what chance would give


@dataclass(frozen=True)
class Rankings:
    """How alike measures rank systems: their taus, and the same without each topic if known."""

    tau: pd.DataFrame  # measures x measures, NaN where it is not known
    loo_replicates: tuple["Rankings", ...] = ()


def rankings(collection: Collection) -> Rankings:
    """Return how alike measures rank the systems of a collection (tau-b); it keeps the answer."""
    return memoize(collection, "thom2007 rankings", _rankings)


def _rankings(collection):
    whole, *parts = taus_over_topics(score_tables(collection, [*MEASURES, "Bpref"]))
    return Rankings(whole, tuple(map(Rankings, parts)))


def printed_rankings() -> Rankings:
    """Return the taus of Table 1.

    >>> printed_rankings().tau.loc["AP", "RR"]
    np.float64(0.35)
    """
    half = printed("thom2007", "Table 1").astype(float).reindex(index=MEASURES, columns=MEASURES)
    return Rankings(half.fillna(half.T))


def sharpest_bound(tau: pd.DataFrame, one: str, other: str) -> float:
    """Return what an unknown tau cannot exceed, given those of both measures with a third.

    A tau is the cosine of the angle between two lists of signs, one sign a pair of systems, and an
    angle is no less than the difference of the angles to a third list.

    >>> round(sharpest_bound(printed_rankings().tau, "RR", "Rprec"), 3)
    0.725
    """
    thirds = tau.loc[[one, other]].drop(columns=[one, other]).dropna(axis=1)
    angles = np.arccos(thirds.clip(-1, 1))
    return float(np.cos((angles.loc[one] - angles.loc[other]).abs()).min())


@dataclass(eq=False)
class Evidence:
    """Everything that the claims ask for, computed once, by default from the paper's own data."""

    scores: pd.DataFrame = field(default_factory=official_scores)
    trec8: Collection = field(default_factory=lambda: load("trec8"))
    covid: Collection = field(default_factory=lambda: load("trec-covid"))
    printed: Rankings = field(default_factory=printed_rankings)

    def __post_init__(self) -> None:
        self.runs = self.scores.index.unique("run").size
        # How many runs were scored on so many topics, the most topics last.
        self.topics = self.scores.groupby("topics").size()
        # One mean a run and measure, over as many topics as a run has; over the 50 that all have.
        self.means = official(scores=self.scores)
        fifty = official(treatment="fifty", scores=self.scores)
        self.tau, self.tau_of_fifty = lookup(taus(self.means)), lookup(taus(fifty))
        # Of the runs that are good by RR the share that is late by AP, the least of both.
        parts = (early_only(table) for table in (self.means, fifty))
        self.good_early_only = min(late.sum() / good.sum() for _, good, late in parts)
        self.mirror = mirror(
            tau_matrix(self.means, variant="b")
        )  # the taus of bpref beside those of AP
        # The printed taus with what the one unprinted between the families cannot exceed.
        tau = self.printed.tau.copy()
        tau.loc["RR", "Rprec"] = tau.loc["Rprec", "RR"] = sharpest_bound(tau, "RR", "Rprec")
        self.at_most = Rankings(tau)

    @property
    def numbers(self) -> Mapping[str, int]:
        """The first and the last number of all topics."""
        package = json.loads((FOLDER / "datapackage.json").read_text(encoding="utf-8"))
        return package["topics"][str(self.topics.index[-1])]

    @cached_property
    def elsewhere(self) -> Mapping[str, Rankings]:
        """How alike measures rank the runs of the two collections, by their title."""
        return {of.title: rankings(of) for of in (self.trec8, self.covid)}


WITHIN = [EARLY, BROAD]
CROSSING = [(early, broad) for early in EARLY for broad in BROAD]
PRINTED_CROSSING = [("P@1", "AP"), ("P@1", "Rprec"), ("AP", "RR")]


def values(r: Rankings, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the taus of pairs of measures."""
    return np.array([r.tau.loc[pair] for pair in pairs])


def gaps(r: Rankings, higher: Sequence, lower: Sequence) -> np.ndarray:
    """Return by how much each tau of some pairs is above each of others."""
    return np.subtract.outer(values(r, higher), values(r, lower)).ravel()


def over_others(r: Rankings, pair: tuple[str, str]) -> np.ndarray:
    """Return how far a tau is above the others that the first measure has in Table 1."""
    return gaps(r, [pair], [other for other in PAIRS if pair[0] in other and other != pair])


def p10_between(r: Rankings) -> np.ndarray:
    """Return how far P@10 agrees with both families better than they agree with each other.

    And how far less than each family agrees within itself.
    """
    of_p10 = [("P@10", other) for other in (*EARLY, *BROAD)]
    return np.concatenate([gaps(r, of_p10, CROSSING), gaps(r, WITHIN, of_p10)])


# Slug to the differences that are above zero where the sentence is right.
DIFFERENCES: dict[str, Callable[[Rankings], np.ndarray]] = {
    "p1-rr-strong": lambda r: over_others(r, ("P@1", "RR")),
    "ap-rprec-very-close": lambda r: over_others(r, ("AP", "Rprec")),
    "p10-p1-less-strong": lambda r: gaps(r, WITHIN, [("P@10", "P@1")]),
    "p10-ap-less-strong": lambda r: gaps(r, WITHIN, [("P@10", "AP")]),
    "tau-p1-ap-below-bound": lambda r: WEAK - values(r, [("P@1", "AP")]),
    "tau-p1-rprec-below-bound": lambda r: WEAK - values(r, [("P@1", "Rprec")]),
    "tau-ap-rr-below-bound": lambda r: WEAK - values(r, [("AP", "RR")]),
    "between-families-lower-than-other-pairs": lambda r: (
        gaps(r, [pair for pair in PAIRS if pair not in PRINTED_CROSSING], PRINTED_CROSSING) - MUCH
    ),
    "at-least-two-families": lambda r: gaps(r, WITHIN, CROSSING),
    "p1-and-rr-early-family": lambda r: gaps(r, [EARLY], [("P@1", broad) for broad in BROAD]),
    "ap-and-rprec-broad-family": lambda r: gaps(r, [BROAD], [("AP", early) for early in EARLY]),
    "p10-between-families": p10_between,
    "between-families-weak": lambda r: WEAK - values(r, CROSSING),
}
ANSWERS = {True: "holds", None: INCONCLUSIVE, False: "does not hold"}
VERBS = {INCONCLUSIVE: f"is {INCONCLUSIVE}"}  # of answers that are none


def answer_of(slug: str, of: Rankings) -> tuple[Answer, str]:
    """Return what rankings say of a sentence, with the error over their topics, and in a word."""
    found = above(DIFFERENCES[slug])(of)
    return found, ANSWERS[found.value]


def sentences(collections: Mapping[str, Collection]) -> pd.DataFrame:
    """Ask of collections what the paper says of its taus: a row a sentence.

    Two columns a collection: the difference that is the least clear, above zero where the sentence
    is right, with its 95% interval over topics by the jackknife; and what that tells.
    """
    said = read("thom2007").set_index("row")["statement"]
    columns: dict[tuple[str, str], dict[str, str]] = {}
    for name, collection in collections.items():
        answers = {said[slug]: answer_of(slug, rankings(collection)) for slug in DIFFERENCES}
        for text, (found, word) in answers.items():
            columns.setdefault((name, "difference"), {})[text] = minus_signs(found.over_topics)
            columns.setdefault((name, "verdict"), {})[text] = word
    return pd.DataFrame(columns).rename_axis("sentence")


def mirror_with_error(of: Rankings) -> pd.DataFrame:
    """Set the taus of Bpref beside those of AP, with 95% intervals over topics of the differences.

    As of :func:`~lib.papers.thom2007.tables.mirror`, and low and high by the jackknife; in the
    first row of the tau of the two.
    """

    def moved(one):
        frame = mirror(one.tau)
        return frame["difference"].fillna(frame["Bpref"]).to_numpy()

    found = jackknife(moved(of), [moved(part) for part in of.loo_replicates])
    return mirror(of.tau).assign(low=found.low, high=found.high)


def above_zero(slug: str, of: Rankings) -> bool:
    """Return whether all differences of a sentence are above zero, whatever their error."""
    return bool((DIFFERENCES[slug](of) > 0).all())


def elsewhere(slug: str, known: str) -> Callable[[Evidence], Answer]:
    """Return a claim that says what is known of it, and what other runs say."""

    def answer(e):
        alone = answer_of(slug, Rankings(tau_matrix(automatic(), variant="b")))
        part = f"on the 61 automatic runs alone it {alone[1]} ({alone[0].estimate:+.3f})"
        answers = {name: answer_of(slug, of) for name, of in e.elsewhere.items()}
        said = (
            f"on {name} it {VERBS.get(word, word)} ({of.over_topics})"
            for name, (of, word) in answers.items()
        )
        return Answer(cause="; ".join((WHY, known, part, *said)))

    return answer


def in_table(one: str, other: str) -> Callable[[Evidence], float]:
    """Return the tau that Table 1 prints, for a sentence that repeats it."""
    return lambda e: e.printed.tau.loc[one, other]


def significant(one: str, other: str) -> Callable[[Evidence], bool]:
    """Return whether a printed tau of so many runs is significantly above zero."""
    return lambda e: bool(e.printed.tau.loc[one, other] > least_significant(e.runs))


def topics_averaged_over(e: Evidence) -> Answer:
    """Return the topics of the official means, and what is odd about them."""
    few, most = e.topics.index[[0, -1]]
    return Answer(
        most,
        cause=f"the official means are over {most} topics, for {e.topics[few] - e.topics[most]} "
        f"runs over {few}; the paper itself says {most} elsewhere",
    )


def is_over_returned(e: Evidence) -> bool | str:
    """Return whether Table 1 comes from another AP than that over all relevant documents."""
    usual = all(
        abs(e.tau[pair] - e.printed.tau.loc[pair]) <= half_digit("0.350")
        for pair in PAIRS
        if pair in e.tau.index
    )
    return not usual or (
        "taken at its word a list is not punished for what it misses; Table 1 agrees to the digit "
        "with the official AP, which divides by all relevant documents"
    )


def is_bpref_close_here(e: Evidence) -> bool | str:
    """Return whether bpref and AP agree on the paper's runs as well as what it calls strong."""
    tau = e.mirror.loc["AP", "Bpref"]
    return bool(tau >= STRONG) or (
        f"their tau is {tau:.3f} on these runs; the least that the paper calls strong "
        f"is {STRONG}, and it calls .659 not as strong"
    )


# What the paper says of the measures themselves: no run and no judgement could make it false.


def _means(text, judgements):
    """Return the five measures of one list of documents."""
    collection = Collection.from_rankings({"A": {"t": text.split()}}, {"t": judgements})
    return means(collection, MEASURES).loc["A"]


def nothing_found() -> bool:
    """Whether the reciprocal rank of a list without a relevant document is 0."""
    return bool(_means("x y z", {"r": 1})["RR"] == 0)


def grades_ignored() -> bool:
    """Whether all measures stay when every relevant document becomes highly relevant."""
    plain, graded = (_means("x r y s", {"r": grade, "s": grade, "q": 1}) for grade in (1, 3))
    return plain.equals(graded)


def first_document_only() -> bool:
    """Whether P@1 and RR see only where the first relevant document stands; AP sees all."""
    judged = dict.fromkeys("rst", 1)
    few, many = _means("r x y z", judged), _means("r s t z", judged)
    early = list(EARLY)
    return few[early].equals(many[early]) and bool(few["AP"] < many["AP"])


def recall_counts() -> bool:
    """Whether a relevant document that was not found lowers AP and R-precision, and no other."""
    found = {"r": 1, "s": 1}
    complete, missed = _means("r s x y", found), _means("r s x y", found | {"q": 1})
    others = [name for name in MEASURES if name not in BROAD]
    lower = (missed[list(BROAD)] < complete[list(BROAD)]).all()
    return bool(lower) and complete[others].equals(missed[others])


def no_line_assumed() -> bool:
    """Whether tau stays where a straight relation is bent."""
    x, y = np.array([0.1, 0.2, 0.4, 0.5]), np.array([0.2, 0.1, 0.5, 0.4])
    return kendall(x, y, variant="b") == kendall(x, np.exp(9 * y), variant="b")


ROWS: dict[str, Callable[[Evidence], Any]] = {
    # The printed taus decide, but where the same sentence stands once more below
    **{slug: lambda e, slug=slug: above_zero(slug, e.printed) for slug in DIFFERENCES},  # type: ignore[misc]
    # The official means answer, and once TREC-8
    # Abstract
    # One measure of each family is public; they order the runs so differently already, over
    # whatever topics a run has and over those that all have.
    "measure-family-changes-ranking": lambda e: (
        max(e.tau["AP", "RR"], e.tau_of_fifty["AP", "RR"]) < WEAK
    ),
    # Table 1
    "runs": lambda e: len(e.means),
    "tau-ap-rr-significant": lambda e: zero_test(e.means)["significant"]["AP", "RR"],
    "tau-ap-p10-significant": lambda e: zero_test(e.means)["significant"]["AP", "P@10"],
    # Section 3
    "runs-compared": lambda e: e.runs,
    "topics-of-the-task": lambda e: e.topics.index[-1],
    "topics-averaged-over": topics_averaged_over,
    "first-topic": lambda e: e.numbers["first"],
    "last-topic": lambda e: e.numbers["last"],
    "ap-over-returned-documents": is_over_returned,
    "tau-p10-ap": lambda e: e.tau["AP", "P@10"],
    "good-by-rr-need-not-be-by-ap": lambda e: e.good_early_only > EARLY_ONLY,
    "tau-ap-rr-below-bound": lambda e: e.tau["AP", "RR"] < WEAK,
    "bpref-close-to-ap-here": is_bpref_close_here,
    "bpref-mirrors-ap-against-rr": lambda e: abs(e.mirror.loc["RR", "difference"]) < CLOSE,
    "bpref-mirrors-ap-against-p10": lambda e: abs(e.mirror.loc["P@10", "difference"]) < CLOSE,
    # Cited of other collections: TREC-8 is one whose judgements are nearly complete.
    "bpref-close-to-ap": lambda e: above(lambda of: of.tau.loc["Bpref", "AP"] - STRONG)(
        rankings(e.trec8)
    ),
    # The printed taus decide
    # Abstract
    "high-precision-and-summary-apart": lambda e: (
        above_zero("at-least-two-families", e.at_most)
        and e.printed.tau.loc["P@10", "P@1"] > e.printed.tau.loc["P@10", "AP"]
    ),
    # Table 1
    "tau-p1-ap-significant": significant("P@1", "AP"),
    "tau-p1-rr-significant": significant("P@1", "RR"),
    "tau-p1-p10-significant": significant("P@1", "P@10"),
    "tau-p1-rprec-significant": significant("P@1", "Rprec"),
    "tau-ap-rprec-significant": significant("AP", "Rprec"),
    # Section 3
    "tau-p1-rr": in_table("P@1", "RR"),
    "tau-ap-rprec": in_table("AP", "Rprec"),
    "tau-p10-p1": in_table("P@10", "P@1"),
    # Section 4, where a tau that is not printed is bounded, or wanting
    "at-least-two-families": lambda e: above_zero("at-least-two-families", e.at_most),
    "p10-between-families": elsewhere(
        "p10-between-families", "its taus with RR and R-precision are not printed"
    ),
    "between-families-weak": elsewhere(
        "between-families-weak",
        "three taus between the families are printed, all below the bound; that of RR with "
        "R-precision is not",
    ),
    # Definitions
    # Table 1
    "alpha": lambda e: ALPHA,
    # Section 3
    "measures-compared": lambda e: len(MEASURES),
    "weak-tau-bound": lambda e: WEAK,
    "rr-zero-when-nothing-relevant": lambda e: nothing_found(),
    "tau-assumes-no-line": lambda e: no_line_assumed(),
    "p1-and-rr-look-for-one-document": lambda e: first_document_only(),
    "ap-and-rprec-count-recall": lambda e: recall_counts(),
    # Section 4
    "relevance-binary": lambda e: grades_ignored(),
}


def table1_cells(e: Evidence) -> pd.DataFrame:
    """Return Table 1: in place of a tau that cannot be computed, that of the automatic runs."""
    ours, alone = taus(e.means), taus(automatic()).set_index(["row", "column"])["value"]
    others = alone.drop([*zip(ours["row"], ours["column"])])
    unknown = [
        (*pair, Answer(cause=f"{WHY}; on the 61 automatic runs alone tau is {tau:.3f}"))
        for pair, tau in others.items()
    ]
    return pd.concat([ours, cells(unknown)])


CLAIMS = Claims(evidence=Evidence, rows=ROWS, cells={"Table 1": table1_cells})
