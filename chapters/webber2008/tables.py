"""What the paper computes, and its chapter besides: how well measures predict rankings.

Table 1, Table 2 and Figure 1; the same again without each topic, for the error over topics; and
where the claim on P@10 turns around: measures cut at one depth after another.
"""

import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.claims import BY_AP
from chapters.ledger.paper import DISCOUNT, SCORES, TAU, OpenChoice
from chapters.ledger.published import cells
from lib.collection import DEPTHS, Collection, limits
from lib.conventions import MARGIN, SHARE
from lib.decisions import at_least, decide
from lib.errors import InputWarning
from lib.estimates import Estimate, of_estimates, stored
from lib.intervals import Interval
from lib.measures import Scores, complete_scores, top_systems
from lib.statistics.predictivity import (
    Predictivity,
    phis_without_each_topic,
    predictivity,
    set_sizes,
    splits,
)

# The paper's names, and what they mean here: binary relevance, and the DCG discount of 2002.
MEASURES = {
    "P@10": "P@10",
    "RR": "RR",
    "RBP(p=0.95)": "RBP(p=0.95)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,gain=binary)",
}
SIMPLE, COMPLEX = ("P@10", "RR"), ("RBP(p=0.95)", "AP", "nDCG")

NUMBER = 2000  # random splits of the topics
SPLITS = 400  # into halves, without each topic; for smaller sets more, as each topic is in fewer
SEED = 2008
SET_SIZES = (5, 10, 15, 20, 25)  # topics in each set, Figure 1
DEEPER = "RBP(p=0.98)"  # in an experiment that the paper only mentions

# Two measures that sum over a list down to a depth; aAP is AP as the pool of that depth sees it.
CUT_FAMILIES = {"nDCG": "nDCG(discount=2002,gain=binary)@{}", "aAP": "aAP@{}"}
CUT = {
    "P@10": "P@10",
    "aAP@20": "aAP@20",
    "nDCG@20": "nDCG(discount=2002,gain=binary)@20",
    "nDCG@100": "nDCG(discount=2002,gain=binary)@100",
    "AP": MEASURES["AP"],
    "nDCG": MEASURES["nDCG"],
}


def phi(
    collection: Collection,
    measures: Mapping[str, str] = MEASURES,
    *,
    size: int | None = None,
    number: int = NUMBER,
    seed: int = SEED,
    share: float = SHARE,
    rounding: str = "down",
    variant: str = "b",
    decimals: int | None = 10,
) -> Predictivity:
    """Estimate how well measures predict each other on a collection (section 2 of the paper).

    By default the paper's five, on two disjoint halves of the topics.  `share` and
    `rounding` say how many of the best systems by AP are kept (:func:`lib.measures.top_systems`).
    The paper says neither which `variant` of Kendall's tau it takes (tau-b matches), nor to how
    many `decimals` it rounds the means by which systems are ranked, so that equal means tie.
    """

    def compute(collection: Collection) -> Predictivity:
        kept = kept_scores(collection, measures, share=share, rounding=rounding)
        sets = drawn_sets(collection, number, size, seed)
        return predictivity(kept, sets, variant=variant, decimals=decimals)

    key = ("phi", *measures.items(), size, number, seed, share, rounding, variant, decimals)
    return collection.memoize(key, compute)


def kept_scores(
    collection: Collection,
    measures: Mapping[str, str] = MEASURES,
    *,
    share: float = SHARE,
    rounding: str = "down",
) -> dict[str, Scores]:
    """Score the systems that are kept: label to DataFrame (topics x systems), without gaps."""
    kept = top_systems(collection, share=share, rounding=rounding)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} of {len(collection.systems)} systems is too few to rank")
    return {label: table[kept] for label, table in complete_scores(collection, measures).items()}


def drawn_sets(
    collection: Collection, number: int = NUMBER, size: int | None = None, seed: int = SEED
) -> np.ndarray:
    """Draw pairs of disjoint sets of topics, by default halves."""
    rng = np.random.default_rng(seed)
    return splits(len(collection.topics), size=size, number=number, rng=rng)


def table1(collection: Collection, **options: Any) -> pd.DataFrame:
    """Predictive power of five measures for each other, with options of :func:`phi`: Table 1.

    Warns of splits in which a measure puts all systems level
    (:class:`lib.statistics.predictivity.Predictivity`).
    """
    result = phi(collection, **options)
    if level := result.tied.to_numpy().max():
        what = "a measure puts all systems level; tau counts as 0 there"
        where = f"{collection.title}: in {level} of the random splits"
        warnings.warn(f"{where} {what}", InputWarning, stacklevel=2)
    return triangle(result)


def triangle(result: Predictivity) -> pd.DataFrame:
    """Return a result of :func:`phi` as the paper prints it: cells, each pair of measures once."""
    pairs = combinations_with_replacement(result.phi, 2)
    return cells((a, b, result.phi.loc[a, b], result.error.loc[a, b]) for a, b in pairs)


def mirrored(table: pd.DataFrame) -> pd.DataFrame:
    """Return a printed triangle, NaN below the diagonal, as the whole square: phi is symmetric.

    >>> from chapters.ledger.published import printed
    >>> mirrored(printed("webber2008", "Table 1")).loc["AP", "P@10"].item()
    0.51
    """
    table = table.astype(float)
    return table.where(table.notna(), table.T)


def figure1(collection: Collection, **options: Any) -> pd.DataFrame:
    """Predictive power against the number of topics in each set, with options of :func:`phi`.

    Figure 1: of nDCG and P@10 for themselves, and of nDCG for P@10, at the sizes of
    :func:`lib.statistics.predictivity.set_sizes`.  One row a point: topics, predictor, of, phi,
    error, deviation.
    """
    chosen = {name: MEASURES[name] for name in ("P@10", "nDCG")}
    pairs = [("nDCG", "nDCG"), ("nDCG", "P@10"), ("P@10", "P@10")]
    parts = {
        size: phi(collection, chosen, size=size, **options).to_frame().loc[pairs]
        for size in set_sizes(collection)
    }
    return pd.concat(parts, names=["topics"]).drop(columns="tied").reset_index()


# What the paper leaves open in Table 1; the first value of each matches it.
CHOICES = (
    SCORES,
    OpenChoice(
        "systems",
        "kept",
        {
            "75%, down": {"share": SHARE, "rounding": "down"},
            "75%, up": {"share": SHARE, "rounding": "up"},
            "all": {"share": 1.0},
            "the judged": {"share": 1.0, "pooled": True},  # whatever their AP
        },
    ),
    DISCOUNT,
    OpenChoice("nDCG's depth", "ndcg_depth", {"whole list": "", "100": "@100"}),
    OpenChoice("RBP's depth", "rbp_depth", {"whole list": "", "100": "@100", "10": "@10"}),
    TAU,
    OpenChoice("means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None}),
)


def on_path(collection: Collection, **made: Any) -> pd.DataFrame:
    """Compute Table 1 on a path of :data:`CHOICES` but for the order of the runs."""
    kept, discount = dict(made.pop("kept")), made.pop("discount")
    measures = MEASURES | {
        "nDCG": f"nDCG(discount={discount},gain=binary){made.pop('ndcg_depth')}",
        "RBP(p=0.95)": MEASURES["RBP(p=0.95)"] + made.pop("rbp_depth"),
    }
    if kept.pop("pooled", False):
        judged = collection.systems["pooled"] == "yes"
        collection = collection.select(systems=collection.systems.index[judged])
    return triangle(phi(collection, measures, **kept, **made))


# The error over topics


def predictive_power(
    collection: Collection,
    measures: Mapping[str, str] = MEASURES,
    *,
    size: int | None = None,
    share: float = SHARE,
    for_error: int = SPLITS,
) -> Estimate:
    """Return :func:`phi` as a square (measures x measures), with its error over topics.

    Without each topic phi is a mean over `for_error` splits.  These stay, less the topic, so that
    what is left between two of them is the topic.
    """

    def without(collection: Collection) -> np.ndarray:
        kept = kept_scores(collection, measures, share=share)
        return phis_without_each_topic(kept, drawn_sets(collection, for_error, size))

    what = f"phi of {' '.join(measures.values())}: size {size}, {for_error} splits, share {share}"
    whole = phi(collection, measures, size=size, share=share).phi
    return stored(collection, what, whole, without)


def power_of(
    collection: Collection, topics: int, systems: str, measures: Mapping[str, str] = MEASURES
) -> Estimate:
    """Return :func:`predictive_power` on sets of so many topics, of all systems or the best."""
    size = None if topics == len(collection.topics) // 2 else topics  # halves, where they are
    if systems == BY_AP:
        return predictive_power(collection, measures, size=size)
    return predictive_power(collection, measures, size=size, share=1.0, for_error=SPLITS // 2)


@of_estimates
def lead(power: pd.DataFrame, target: str, measures: Sequence[str] = COMPLEX) -> pd.Series:
    """Return how much better than a measure itself others predict it."""
    return power.loc[list(measures), target] - power.at[target, target]


def leads(
    collection: Collection, target: str = "P@10", measures: Mapping[str, str] = MEASURES
) -> pd.DataFrame:
    """Return how much better than a measure itself others predict it, with the error over topics.

    Index predictor; ``phi`` of the target, ``lead`` of that over the target's own, and the ends of
    the 95% interval of the lead over topics, for which four topics are needed.
    """
    power = predictive_power(collection, measures)
    others = pd.Index([name for name in power.value if name != target], name="predictor")
    ahead = lead(power, target, others).interval()
    columns = {"lead": ahead.estimate, "low": ahead.low, "high": ahead.high}
    return pd.DataFrame({"phi": power.value.loc[others, target], **columns}, others)


def lead_as_predictor(
    collection: Collection,
    predictor: str,
    target: str,
    rival: str | None = None,
    *,
    topics: int,
    systems: str,
) -> Estimate:
    """Return how much better a measure predicts another than a rival does, by default itself."""
    power = power_of(collection, topics, systems, MEASURES if predictor in MEASURES else CUT)
    return power.map(lambda phi: phi.at[predictor, target] - phi.at[rival or target, target])


def lead_among_long(collection: Collection, predictor: str, target: str, length: int) -> Estimate:
    """Return a lead among the systems whose lists have so many documents on average, or more."""
    kept = long_lists(collection, length)
    return lead(predictive_power(kept, share=1.0), target, [predictor])


def long_lists(collection: Collection, length: int) -> Collection:
    """Return a collection of the kept systems whose lists have `length` documents, on average."""
    kept = collection.select(systems=top_systems(collection))
    return kept.select(systems=kept.systems.index[kept.retrieved.mean(axis=0) >= length])


def as_good(
    leads: pd.DataFrame, margins: Sequence[float] = (0.01, MARGIN, 0.05, 0.1)
) -> pd.DataFrame:
    """Decide by leads whether others are as good as a measure itself, at each of some margins.

    >>> as_good(pd.DataFrame({"lead": 0.01, "low": [-0.07], "high": 0.09}, ["AP"]), [0.02, 0.1])
                0.02      0.10
    AP  inconclusive  supports
    """
    intervals = [Interval.read(row, "lead") for _, row in leads.iterrows()]
    columns = {
        f"{margin:.2f}": [decide(one, at_least(margin)).side for one in intervals]
        for margin in margins
    }
    return pd.DataFrame(columns, index=leads.index)


# Where the claim on P@10 turns around.  On TREC-COVID the deeper a measure looks, the worse it
# predicts P@10.


def phi_by_depth(collection: Collection, *, target: str = "P@10") -> pd.DataFrame:
    """Predict a measure by others that are cut at one depth after another: a row a depth.

    Phi of the target by the target ``itself``, by ``nDCG`` and by ``aAP``, which is AP as a pool of
    that depth sees it; ``unjudged``, the share of unjudged documents down to the last relevant
    one.
    """
    depths = DEPTHS[1:]
    cut = {(family, k): name.format(k) for family, name in CUT_FAMILIES.items() for k in depths}
    measures = {"itself": target} | {f"{f}@{k}": name for (f, k), name in cut.items()}
    power = phi(collection, measures, number=500).phi["itself"]
    columns = {f: [power[f"{f}@{k}"] for k in depths] for f in CUT_FAMILIES}
    unjudged = limits(collection, depths=depths)["unjudged"].to_numpy()
    columns = {"itself": power["itself"], **columns, "unjudged": unjudged}
    return pd.DataFrame(columns, pd.Index(depths, name="depth"))
