"""What the paper says, each number and sentence checked.

Of all of its runs only official means are public, for two of its seven taus: what they answer rests
on official scores.  What the seven printed taus decide rests on print.  None of these has an error
over topics, since nobody published scores of single topics.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pandas as pd

from lib.claims import CONSTANT, OTHER_DATA, PRINT, RUNS, Claims, above, not_public, not_testable
from lib.papers.thom2007 import definitions
from lib.papers.thom2007.automatic import automatic
from lib.papers.thom2007.evidence import Evidence
from lib.papers.thom2007.noise import ALPHA, least_significant, zero_test
from lib.papers.thom2007.sentences import CLOSE, DIFFERENCES, STRONG, WEAK, Rankings, told
from lib.papers.thom2007.tables import MEASURES, PAIRS, taus
from lib.published import Answer, half_digit, lookup
from lib.statistics.correlation import tau_matrix

__all__ = ["CLAIMS", "EARLY_ONLY", "WHY"]

WHY = "P@1 and R-precision of the 19 manual runs are not published"
CITED = "cited from a study of users, whose data this book does not have"
EARLY_ONLY = 0.25  # of the best by RR in the lower half by AP: half of what chance would give
NO_DRAWING = "the copy that we read has no figures: there is nothing to set our drawing beside"


def closed(row: Any) -> str:
    """Return why a published row has no answer, if it is about P@1 or R-precision."""
    about = {row.row, row.column, *row.row.split("-")}
    if not about & {"P@1", "Rprec", "p1", "rprec"}:
        return ""
    if row.column in ("claim", "value"):
        return WHY
    tau = of_automatic_runs()[row.row, row.column]
    return f"{WHY}; on the 61 automatic runs alone tau is {tau:.3f}"


@cache
def of_automatic_runs() -> pd.Series:
    """Return the seven taus of the 61 automatic runs over 149 topics."""
    return lookup(taus(automatic()))


def on_print(slug: str) -> Callable[[Evidence], bool]:
    """Return a claim that the printed taus decide."""
    return lambda e: bool((DIFFERENCES[slug](e.printed) > 0).all())


def elsewhere(slug: str, known: str) -> Callable[[Evidence], Answer]:
    """Return a claim that says what is known of it, and what other runs say."""

    def answer(e):
        alone = told(slug, Rankings(tau_matrix(automatic(), variant="b")))
        part = f"on the 61 automatic runs alone it {alone[1]} ({alone[0].estimate:+.3f})"
        answers = {name: told(slug, of) for name, of in e.elsewhere.items()}
        said = (f"on {name} it {word} ({of.over_topics})" for name, (of, word) in answers.items())
        return not_public("; ".join((WHY, known, part, *said)))

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
    return bool(e.bpref_with_ap >= STRONG) or (
        f"their tau is {e.bpref_with_ap:.3f} on these runs; the least that the paper calls strong "
        f"is {STRONG}, and it calls .659 not as strong"
    )


ROWS: dict[str, dict[str, Callable[[Evidence], Any]]] = {
    "Figure 5": {"ap-against-rr": lambda e: not_testable(NO_DRAWING)},
    "Figure 6": {"ap-against-p10": lambda e: not_testable(NO_DRAWING)},
    "Abstract": {
        # One measure of each family is public; they order the runs so differently already, over
        # whatever topics a run has and over those that all have.
        "measure-family-changes-ranking": lambda e: (
            max(e.tau["AP", "RR"], e.tau_of_fifty["AP", "RR"]) < WEAK
        ),
        "high-precision-and-summary-apart": lambda e: bool(
            (DIFFERENCES["at-least-two-families"](e.at_most) > 0).all()
            and e.printed.tau.loc["P@10", "P@1"] > e.printed.tau.loc["P@10", "AP"]
        ),
    },
    "Table 1": {
        "runs": lambda e: len(e.means),
        "alpha": lambda e: ALPHA,
        "tau-p1-ap-significant": significant("P@1", "AP"),
        "tau-p1-rr-significant": significant("P@1", "RR"),
        "tau-p1-p10-significant": significant("P@1", "P@10"),
        "tau-p1-rprec-significant": significant("P@1", "Rprec"),
        "tau-ap-rr-significant": lambda e: zero_test(e.means)["significant"]["AP", "RR"],
        "tau-ap-p10-significant": lambda e: zero_test(e.means)["significant"]["AP", "P@10"],
        "tau-ap-rprec-significant": significant("AP", "Rprec"),
    },
    "Section 2": {
        "map-unlike-users": lambda e: not_public(CITED),
        "p1-more-like-users": lambda e: not_public(CITED),
        "first-result-satisfies": lambda e: not_public(CITED),
        "later-results-count-elsewhere": lambda e: not_public(CITED),
        "no-measure-has-all-of-satisfaction": lambda e: not_public(CITED),
        "p1-and-rr-not-compared-before": lambda e: not_testable(
            "a judgement on earlier work; what it was about is a matter of degree"
        ),
    },
    "Section 3": {
        "runs-compared": lambda e: e.runs,
        "topics-of-the-task": lambda e: e.topics.index[-1],
        "topics-averaged-over": topics_averaged_over,
        "first-topic": lambda e: e.numbers[0],
        "last-topic": lambda e: e.numbers[1],
        "topics-informational": lambda e: not_testable(
            "no rule is given that tells an informational topic from another"
        ),
        "measures-compared": lambda e: len(MEASURES),
        "ap-over-returned-documents": is_over_returned,
        "rr-zero-when-nothing-relevant": lambda e: definitions.nothing_found(),
        "tau-assumes-no-line": lambda e: definitions.no_line_assumed(),
        "tau-p1-rr": in_table("P@1", "RR"),
        "p1-rr-strong": on_print("p1-rr-strong"),
        "p1-and-rr-look-for-one-document": lambda e: definitions.first_document_only(),
        "tau-ap-rprec": in_table("AP", "Rprec"),
        "ap-rprec-very-close": on_print("ap-rprec-very-close"),
        "ap-and-rprec-count-recall": lambda e: definitions.recall_counts(),
        "tau-p10-p1": in_table("P@10", "P@1"),
        "tau-p10-ap": lambda e: e.tau["AP", "P@10"],
        "p10-p1-less-strong": on_print("p10-p1-less-strong"),
        "p10-ap-less-strong": on_print("p10-ap-less-strong"),
        "good-by-rr-need-not-be-by-ap": lambda e: min(e.good_early_only) > EARLY_ONLY,
        "weak-tau-bound": lambda e: WEAK,
        "tau-p1-ap-below-bound": on_print("tau-p1-ap-below-bound"),
        "tau-p1-rprec-below-bound": on_print("tau-p1-rprec-below-bound"),
        "tau-ap-rr-below-bound": lambda e: e.tau["AP", "RR"] < WEAK,
        "between-families-lower-than-other-pairs": on_print(
            "between-families-lower-than-other-pairs"
        ),
        # Cited of other collections: TREC-8 is one whose judgements are nearly complete.
        "bpref-close-to-ap": lambda e: above(lambda of: of.tau.loc["Bpref", "AP"] - STRONG)(
            e.nearly_complete
        ),
        "bpref-close-to-ap-here": is_bpref_close_here,
        "bpref-mirrors-ap-against-rr": lambda e: e.apart["RR"] < CLOSE,
        "bpref-mirrors-ap-against-p10": lambda e: e.apart["P@10"] < CLOSE,
    },
    "Section 4": {
        "at-least-two-families": lambda e: bool(
            (DIFFERENCES["at-least-two-families"](e.at_most) > 0).all()
        ),
        "p1-and-rr-early-family": on_print("p1-and-rr-early-family"),
        "ap-and-rprec-broad-family": on_print("ap-and-rprec-broad-family"),
        "p10-between-families": elsewhere(
            "p10-between-families", "its taus with RR and R-precision are not printed"
        ),
        "between-families-weak": elsewhere(
            "between-families-weak",
            "three taus between the families are printed, all below the bound; that of RR with "
            "R-precision is not",
        ),
        "orderings-may-not-reflect-users": lambda e: not_testable(
            "the paper measures no users, and what may be so cannot be refuted"
        ),
        "web-search-needs-other-measures": lambda e: not_testable(
            "cited; when a measure is adequate for a task is not said"
        ),
        "relevance-binary": lambda e: definitions.grades_ignored(),
    },
}

ON_PRINT = {
    ("Abstract", "high-precision-and-summary-apart"),
    *(
        ("Table 1", f"tau-{pair}-significant")
        for pair in ("p1-ap", "p1-rr", "p1-p10", "p1-rprec", "ap-rprec")
    ),
    *(("Section 3", slug) for slug in ("tau-p1-rr", "tau-ap-rprec", "tau-p10-p1")),
    *(
        (place, slug)
        for place in ("Section 3", "Section 4")
        for slug in ROWS[place]
        if slug in DIFFERENCES and slug != "tau-ap-rr-below-bound"
    ),
}
BY_DEFINITION = {
    ("Table 1", "alpha"),
    *(
        ("Section 3", slug)
        for slug in (
            "measures-compared",
            "weak-tau-bound",
            "rr-zero-when-nothing-relevant",
            "tau-assumes-no-line",
            "p1-and-rr-look-for-one-document",
            "ap-and-rprec-count-recall",
        )
    ),
    ("Section 4", "relevance-binary"),
}

CLAIMS = Claims(
    evidence=Evidence,
    cells={"Table 1": lambda e: taus(e.means)},
    rows=ROWS,
    closed=closed,
    how=OTHER_DATA,  # the official scores of its runs
    otherwise={
        PRINT: ON_PRINT,
        CONSTANT: BY_DEFINITION,
        RUNS: {("Section 3", "bpref-close-to-ap")},
    },
)
