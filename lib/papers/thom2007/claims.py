"""What the paper says, each number and sentence checked.

What needs P@1 or R-precision of the paper's own runs cannot be; where it is a sentence on how the
measures compare, its cause says whether the same holds on TREC-8 and TREC-COVID.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims, NotPublic
from lib.papers.thom2007.evidence import Evidence
from lib.papers.thom2007.noise import ALPHA, zero_test
from lib.papers.thom2007.tables import BROAD, EARLY, MEASURES, PAIRS, taus

__all__ = ["CLAIMS", "CLOSE", "WEAK"]

WEAK = 0.4  # "below 0.4 in each case" (section 3)
CLOSE = 0.05  # our reading of "closely reflect" (section 3): taus that differ by less
WHY = "P@1 and R-precision of the 80 runs are not published"


def closed(row: Any) -> str:
    """Return why a published row has no answer, if it is about P@1 or R-precision."""
    about = {row.row, row.column, *row.row.split("-")}
    return WHY if about & {"P@1", "Rprec", "p1", "rprec"} else ""


def elsewhere(holds: Callable[[pd.DataFrame], bool]) -> Callable[[Evidence], NotPublic]:
    """Return a claim that says where it holds instead: a function of a tau matrix tells."""

    def answer(e):
        said = (
            f"on {name} it {'holds' if holds(tau) else 'does not hold'}"
            for name, tau in e.elsewhere.items()
        )
        return NotPublic("; ".join((WHY, *said)))

    return answer


def within(t: pd.DataFrame) -> float:
    """Return the tau of the family whose two measures agree less."""
    return min(t.loc[EARLY], t.loc[BROAD])


def between(t: pd.DataFrame) -> np.ndarray:
    """Return the taus of the measures of one family with those of the other."""
    return t.loc[list(EARLY), list(BROAD)].to_numpy()


def least_of_other_pairs(t: pd.DataFrame) -> float:
    """Return the smallest tau of a pair of Table 1 that is not between the families."""
    crossing = [{early, broad} for early in EARLY for broad in BROAD]
    return min(t.loc[pair] for pair in PAIRS if set(pair) not in crossing)


def is_between_families(t: pd.DataFrame) -> bool:
    """Return whether P@10 agrees with both families better than they agree with each other."""
    of_p10 = t.loc["P@10", [*EARLY, *BROAD]]
    return between(t).max() < of_p10.min() and of_p10.max() < within(t)


def topics_averaged_over(e: Evidence) -> tuple[int, str]:
    """Return the topics of the official means, and what is odd about them."""
    few, most = e.topics.index[[0, -1]]
    return most, (
        f"the official means are over {most} topics, for {e.topics[few] - e.topics[most]} runs "
        f"over {few}; the paper itself says {most} elsewhere"
    )


CLAIMS = Claims(
    evidence=Evidence,
    cells={"Table 1": lambda e: taus(e.means)},
    rows={
        "Figure 5": {"ap-against-rr": lambda e: e.is_drawn("5")},
        "Figure 6": {"ap-against-p10": lambda e: e.is_drawn("6")},
        "Abstract": {
            # One measure of each family is public; they order the runs so differently already.
            "measure-family-changes-ranking": lambda e: e.tau["AP", "RR"] < WEAK
        },
        "Table 1": {
            "runs": lambda e: len(e.means),
            "alpha": lambda e: ALPHA,
            "tau-ap-rr-significant": lambda e: zero_test(e.means)["significant"]["AP", "RR"],
            "tau-ap-p10-significant": lambda e: zero_test(e.means)["significant"]["AP", "P@10"],
        },
        "Section 3": {
            "runs-compared": lambda e: e.runs,
            "topics-of-the-task": lambda e: e.topics.index[-1],
            "topics-averaged-over": topics_averaged_over,
            "first-topic": lambda e: e.numbers[0],
            "last-topic": lambda e: e.numbers[1],
            "measures-compared": lambda e: len(MEASURES),
            "rr-zero-when-nothing-relevant": lambda e: (
                e.rr_without_hits.size > 0 and (e.rr_without_hits == 0).all()
            ),
            "p1-rr-strong": elsewhere(
                lambda t: t.loc[EARLY] > t.loc["P@1"].drop(list(EARLY)).max()
            ),
            "ap-rprec-very-close": elsewhere(
                lambda t: t.loc[BROAD] > t.loc["AP"].drop(list(BROAD)).max()
            ),
            "tau-p10-ap": lambda e: e.tau["AP", "P@10"],
            "p10-p1-less-strong": elsewhere(lambda t: t.loc["P@10", "P@1"] < within(t)),
            "p10-ap-less-strong": lambda e: NotPublic(
                f"{WHY}; only tau(AP, P@10) can be computed; it is below the two printed taus that "
                "it is compared with"
            ),
            "weak-tau-bound": lambda e: WEAK,
            "tau-p1-ap-below-bound": elsewhere(lambda t: t.loc["P@1", "AP"] < WEAK),
            "tau-p1-rprec-below-bound": elsewhere(lambda t: t.loc["P@1", "Rprec"] < WEAK),
            "tau-ap-rr-below-bound": lambda e: e.tau["AP", "RR"] < WEAK,
            "between-families-lower-than-other-pairs": elsewhere(
                lambda t: between(t).max() < least_of_other_pairs(t)
            ),
            # Cited from work on TREC-8 and like collections.
            "bpref-close-to-ap": lambda e: e.bpref_with_ap > 0.9,
            "bpref-mirrors-ap-against-rr": lambda e: e.apart["RR"] < CLOSE,
            "bpref-mirrors-ap-against-p10": lambda e: e.apart["P@10"] < CLOSE,
        },
        "Section 4": {
            "at-least-two-families": elsewhere(lambda t: within(t) > between(t).max()),
            "p1-and-rr-early-family": elsewhere(
                lambda t: t.loc[EARLY] > t.loc["P@1", list(BROAD)].max()
            ),
            "ap-and-rprec-broad-family": elsewhere(
                lambda t: t.loc[BROAD] > t.loc["AP", list(EARLY)].max()
            ),
            "p10-between-families": elsewhere(is_between_families),
            "between-families-weak": elsewhere(lambda t: between(t).max() < WEAK),
            "relevance-binary": lambda e: e.ignores_grades,
        },
    },
    closed=closed,
)
