"""What the paper says of its taus, as differences, wherever all its measures are known.

The same functions judge the printed taus, which have no error over topics, and those of a
collection, which have one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.claims import above
from lib.collection import Collection
from lib.display.tables import minus_signs
from lib.measures import score_tables
from lib.papers.thom2007.tables import BROAD, EARLY, MEASURES, PAIRS, mirrored
from lib.published import INCONCLUSIVE, Answer, read
from lib.statistics.correlation import tau_matrix
from lib.statistics.jackknife import jackknife

__all__ = [
    "CLOSE",
    "DIFFERENCES",
    "MUCH",
    "STRONG",
    "WEAK",
    "Rankings",
    "mirror_with_error",
    "printed",
    "rankings",
    "sentences",
    "sharpest_bound",
]

WEAK = 0.4  # "below 0.4 in each case" (section 3)
STRONG = 0.865  # the lower of the two taus that the paper calls strong or very close (section 3)
# "Closely reflect": our margin.  On TREC-8 other topics move the difference of two taus, one with
# AP and one with bpref, by .04 to .045 either way, so that less cannot be told from none.
CLOSE = 0.05
MUCH = 2 * CLOSE  # "much lower": more than twice what counts as no difference


@dataclass(frozen=True)
class Rankings:
    """How alike measures rank systems.

    Attributes
    ----------
    tau : DataFrame (measures x measures)
        NaN where it is not known.
    loo_replicates : tuple of Rankings
        The same without each topic; empty where the topics are not known.
    """

    tau: pd.DataFrame
    loo_replicates: tuple["Rankings", ...] = ()


def rankings(
    collection: Collection, measures: Sequence[str] = (*MEASURES, "Bpref"), *, variant: str = "b"
) -> Rankings:
    """Return how alike measures rank the systems of a collection, and that without each topic.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str
    variant : {"a", "b"}
        Variant of tau.
    """
    scores = score_tables(collection, measures)

    def without(topics):
        means = {name: table.drop(index=topics).mean() for name, table in scores.items()}
        return Rankings(tau_matrix(pd.DataFrame(means).round(10), variant=variant))

    every = collection.topics.index
    loo_replicates = tuple(without([topic]) for topic in every) if len(every) > 1 else ()
    return Rankings(without([]).tau, loo_replicates)


def printed() -> Rankings:
    """Return the taus of Table 1.

    >>> printed().tau.loc["AP", "RR"]
    np.float64(0.35)
    """
    table = read("thom2007", "Table 1").query("kind == 'table'")
    tau = pd.DataFrame(np.eye(len(MEASURES)), MEASURES, MEASURES).replace(0, np.nan)
    for cell in table.itertuples():
        tau.loc[cell.row, cell.column] = tau.loc[cell.column, cell.row] = float(cell.printed)
    return Rankings(tau)


def sharpest_bound(tau: pd.DataFrame, one: str, other: str) -> float:
    """Return what an unknown tau cannot exceed, given those of both measures with a third.

    A tau is the cosine of the angle between two lists of signs, one sign a pair of systems, and an
    angle is no less than the difference of the angles to a third list.

    Parameters
    ----------
    tau : DataFrame (measures x measures)
    one, other : str

    Examples
    --------
    >>> round(sharpest_bound(printed().tau, "RR", "Rprec"), 3)
    0.725
    """
    thirds = tau.loc[[one, other]].drop(columns=[one, other]).dropna(axis=1)
    angles = np.arccos(thirds.clip(-1, 1))
    return float(np.cos((angles.loc[one] - angles.loc[other]).abs()).min())


CROSSING = [(early, broad) for early in EARLY for broad in BROAD]
PRINTED_CROSSING = [("P@1", "AP"), ("P@1", "Rprec"), ("AP", "RR")]


def values(r: Rankings, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the taus of pairs of measures."""
    return np.array([r.tau.loc[pair] for pair in pairs])


def gaps(higher: np.ndarray, lower: np.ndarray) -> pd.Series:
    """Return by how much each of some taus is above each of others."""
    return pd.Series(np.subtract.outer(higher, lower).ravel())


def over_others(pair: tuple[str, str]) -> Callable[[Rankings], pd.Series]:
    """Return a function: how far a tau is above the others that the first has in Table 1."""
    first = pair[0]
    others = [other for other in PAIRS if first in other and other != pair]
    return lambda r: gaps(values(r, [pair]), values(r, others))


def p10_between(r: Rankings) -> pd.Series:
    """Return how far P@10 agrees with both families better than they agree with each other.

    And how far less than each family agrees within itself.
    """
    of_p10 = r.tau.loc["P@10", [*EARLY, *BROAD]].to_numpy()
    within = values(r, [EARLY, BROAD])
    return pd.concat([gaps(of_p10, values(r, CROSSING)), gaps(within, of_p10)])


# Slug to the differences that are above zero where the sentence is right.
DIFFERENCES: dict[str, Callable[[Rankings], pd.Series]] = {
    "p1-rr-strong": over_others(("P@1", "RR")),
    "ap-rprec-very-close": over_others(("AP", "Rprec")),
    "p10-p1-less-strong": lambda r: gaps(values(r, [EARLY, BROAD]), values(r, [("P@10", "P@1")])),
    "p10-ap-less-strong": lambda r: gaps(values(r, [EARLY, BROAD]), values(r, [("P@10", "AP")])),
    "tau-p1-ap-below-bound": lambda r: WEAK - pd.Series(values(r, [("P@1", "AP")])),
    "tau-p1-rprec-below-bound": lambda r: WEAK - pd.Series(values(r, [("P@1", "Rprec")])),
    "tau-ap-rr-below-bound": lambda r: WEAK - pd.Series(values(r, [("AP", "RR")])),
    "between-families-lower-than-other-pairs": lambda r: (
        gaps(
            values(r, [pair for pair in PAIRS if pair not in PRINTED_CROSSING]),
            values(r, PRINTED_CROSSING),
        )
        - MUCH
    ),
    "at-least-two-families": lambda r: gaps(values(r, [EARLY, BROAD]), values(r, CROSSING)),
    "p1-and-rr-early-family": lambda r: gaps(
        values(r, [EARLY]), values(r, [("P@1", broad) for broad in BROAD])
    ),
    "ap-and-rprec-broad-family": lambda r: gaps(
        values(r, [BROAD]), values(r, [("AP", early) for early in EARLY])
    ),
    "p10-between-families": p10_between,
    "between-families-weak": lambda r: WEAK - pd.Series(values(r, CROSSING)),
}
ANSWERS = {True: "holds", None: INCONCLUSIVE, False: "does not hold"}


def told(slug: str, of: Rankings) -> tuple[Answer, str]:
    """Return what rankings say of a sentence, with the error over their topics, and in a word."""
    found = above(DIFFERENCES[slug])(of)
    return found, ANSWERS[found.value]


def sentences(collections: Mapping[str, Collection]) -> pd.DataFrame:
    """Ask of collections what the paper says of its taus.

    Parameters
    ----------
    collections : dict of str to Collection

    Returns
    -------
    DataFrame, index sentence, two columns a collection
        Of the difference that is the least clear, above zero where the sentence is right, its 95%
        interval over topics by the jackknife; and what that tells.
    """
    said = read("thom2007").set_index("row")["statement"]
    columns = {}
    for name, collection in collections.items():
        of = rankings(collection, MEASURES)
        answers = {said[slug]: told(slug, of) for slug in DIFFERENCES}
        columns[name, "difference"] = {
            text: minus_signs(answer[0].over_topics) for text, answer in answers.items()
        }
        columns[name, "told"] = {text: answer[1] for text, answer in answers.items()}
    return pd.DataFrame(columns).rename_axis("sentence")


def mirror_with_error(of: Rankings) -> pd.DataFrame:
    """Set the taus of Bpref beside those of AP, with the error over topics of their difference.

    Parameters
    ----------
    of : Rankings
        Of the five measures and Bpref.

    Returns
    -------
    DataFrame, index other measure
        As of :func:`~lib.papers.thom2007.tables.mirror`, and low and high: the 95% interval over
        topics of the difference by the jackknife, and in the first row of the tau.
    """
    frame = mirrored(of.tau)
    moved = frame["difference"].fillna(frame["Bpref"])
    without = [mirrored(part.tau) for part in of.loo_replicates]
    found = jackknife(
        moved.to_numpy(), [part["difference"].fillna(part["Bpref"]).to_numpy() for part in without]
    )
    return frame.assign(low=found.low, high=found.high)
