"""What the paper says, each number and sentence checked."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

from chapters.ledger.claims import Claim, Claims, answer, for_each, of_trec8
from chapters.ledger.published import Answer, printed
from chapters.webber2008 import quantities as q
from chapters.webber2008 import tables
from chapters.webber2008.quantities import AP, NDCG, P10, RBP, RR
from chapters.webber2008.tables import COMPLEX, LOW, SIMPLE, lead, mirrored, predictive_power
from lib.collection import Collection, load
from lib.conventions import MARGIN
from lib.decisions import at_least, level
from lib.estimates import Estimate, of_estimates
from lib.intervals import Interval
from lib.measures import parse
from lib.statistics.correlation import kendall

_NDCG_ITSELF, _P10_ITSELF, _NDCG_P10 = (NDCG, NDCG), (P10, P10), (NDCG, P10)
_RIGHT = ["right, by the simple", "right, by the complex"]


@dataclass(frozen=True)
class Data:
    """What the claims rest on: TREC-8, and both tables as they are printed.

    Table 2 cannot be computed: its runs are not public.
    """

    trec8: Collection = field(default_factory=lambda: load("trec8"))
    table1: pd.DataFrame = field(default_factory=lambda: mirrored(printed("webber2008", "Table 1")))
    table2: pd.DataFrame = field(default_factory=lambda: mirrored(printed("webber2008", "Table 2")))


def phi_of_all(c: Collection) -> Estimate:
    """Return the predictive power of measures on TREC-8 when no system is dropped."""
    return predictive_power(c, share=1.0, for_error=tables.SPLITS // 2)


@of_estimates
def itself(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts itself: the diagonal of a square."""
    return pd.Series(np.diag(phi), index=phi.index)


@of_estimates
def overall(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts the five, on average."""
    return phi.mean(axis=1)


@of_estimates
def all_leads(phi: pd.DataFrame) -> np.ndarray:
    """Return the leads of all complex measures as predictors of all simple ones."""
    return np.concatenate([lead(phi, target) for target in SIMPLE])


@of_estimates
def over_simple(numbers: pd.Series, simple: tuple[str, ...] = SIMPLE) -> np.ndarray:
    """Return how far the number of each complex measure is above that of each simple one."""
    return np.array([numbers[x] - numbers[name] for name in simple for x in COMPLEX])


@of_estimates
def lag(phi: pd.DataFrame, measure: str) -> pd.Series:
    """Return how far a measure predicts itself worse than each other one does itself."""
    own = itself(phi)
    return own.drop(measure) - own[measure]


@of_estimates
def trends(phi: pd.DataFrame) -> np.ndarray:
    """Return by how much each finding of the paper is visible: all are, when all are above zero."""
    return np.concatenate([all_leads(phi) + MARGIN, over_simple(itself(phi)), lag(phi, RR)])


@of_estimates
def increments(points: pd.DataFrame, *pairs: tuple[str, str]) -> np.ndarray:
    """Return what each step to larger sets of topics adds to lines of Figure 1."""
    return points.loc[list(pairs)].diff(axis=1).iloc[:, 1:].to_numpy()


def few(c: Collection) -> Estimate:
    """Return phi on the smallest sets of topics, by (predictor, of)."""
    return q.phi_by_size(c).map(lambda points: points.iloc[:, 0])


def many(c: Collection) -> Estimate:
    """Return phi on the largest sets of topics, by (predictor, of)."""
    return q.phi_by_size(c).map(lambda points: points.iloc[:, -1])


def gained_by_topics(c: Collection) -> Estimate:
    """Return what more topics add to phi, by (predictor, of)."""
    return many(c) - few(c)


def gained_over_p10(c: Collection) -> Estimate:
    """Return how much more that is than what they add to P@10's phi for itself."""
    return gained_by_topics(c) - gained_by_topics(c)[_P10_ITSELF]


def as_well(d: Data, measure: str, target: str) -> Answer:
    """State that on TREC-8 a measure predicts another as well as that predicts itself."""
    ours = predictive_power(d.trec8).value
    why = (
        f"{ours.loc[measure, target]:.2f} against {ours.loc[target, target]:.2f}; printed "
        f"{d.table1.loc[measure, target]:.2f} against {d.table1.loc[target, target]:.2f}"
    )
    return answer(lead(predictive_power(d.trec8), target, (measure,)), at_least(MARGIN), why)


def in_table_2(d: Data, measure: str, target: str, margin: float) -> bool:
    """State that in Table 2 a measure leads by more, or falls short of the target by less."""
    return bool(lead(d.table2, target, (measure,)).item() > margin)


def short_of(d: Data) -> str:
    """Say which complex measures fall short of a simple one, in the paper's own Table 1."""
    reasons = []
    for target in SIMPLE:
        own, ahead = d.table1.loc[target, target], lead(d.table1, target)
        named = [f"{x} ({d.table1.loc[x, target]:.2f})" for x in ahead.index[ahead < -1e-9]]
        if named:
            reasons.append(f"{' and '.join(named)} of {target} behind {target} itself ({own:.2f})")
    return f"the paper's own Table 1 prints {'; '.join(reasons) or 'no exception'}"


def ranked_low(c: Collection) -> bool | str:
    """Check that the systems that the paper drops are in the lower half on every topic."""
    upper = q.weak_places(c) > 0.5
    return not upper.to_numpy().any() or (
        f"of the {upper.shape[1]} worst systems {upper.any().sum()} reach the upper half on some "
        f"topic, and on {upper.to_numpy().mean():.0%} of the topics in the mean"
    )


def halves_stand_in(c: Collection) -> Answer:
    """Check that phi by halves is that by new topics to the margin, of real topics and made-up."""
    both = q.halvings(c)
    real, simulated = (both[both["topics"] == kind] for kind in ("real", "made up"))
    gaps = real["difference"]
    cause = (
        "halves of sets of 50 of Robust 2004's topics against the other topics: "
        f"{gaps.min():+.3f} to {gaps.max():+.3f}; a single set strays by "
        f"{real['deviation'].max():.2f}; with topics made up after TREC-8, at most "
        f"{simulated['difference'].abs().max():.3f}"
    )
    difference = Interval.of(both["difference"], both["error"])
    return answer(difference, level(), cause, on="sets of topics")


def stronger_against_rr(c: Collection) -> str:
    """Quote the leads as predictors of RR and of P@10 on which the sentence is judged."""
    rr, p10 = (lead(predictive_power(c).value, x) for x in (RR, P10))
    return (
        f"on TREC-8 AP and nDCG lead by {rr[AP]:+.2f} and {rr[NDCG]:+.2f} for RR, by "
        f"{p10[AP]:+.2f} and {p10[NDCG]:+.2f} for P@10; the printed Table 2 (TREC 2004) supports "
        "the sentence"
    )


def who_decides(c: Collection) -> str:
    """Say how often the complex measure was right, as either measure decides."""
    simple, complex = (q.disagreements(c).value[side] for side in _RIGHT)
    return (
        f"as the complex measure decides it was right in {complex.min():.0%} to "
        f"{complex.max():.0%} of the conflicts, as the simple one decides in {simple.min():.0%} "
        f"to {simple.max():.0%}"
    )


def fewer(c: Collection) -> str:
    """Say that it depends on what "fewer" is who wins, on both sides."""
    many, *others = q.cheaper_rivals(c).itertuples()
    best = [
        f"{row.measure} on {row.topics} at {row.phi:.3f} for {row.judgements:,}"
        for row in reversed(others)
    ]
    return (
        "it depends on what “fewer” is: "
        f"P@10 on {many.topics} topics predicts P@10 at {many.phi:.3f} for {many.judgements:,} "
        f"judgements; {', '.join(best)}"
    )


_SLUGS = {"rbp": RBP, "ap": AP, "ndcg": NDCG}
_ON_TREC8: dict[str, Claim] = {
    # Figure 1
    "smallest-subset-size": tables.SET_SIZES[0],
    "largest-subset-size": tables.SET_SIZES[-1],
    "all-phi-low-at-five-topics": lambda c: LOW - few(c)[[_NDCG_ITSELF, _P10_ITSELF, _NDCG_P10]],
    "self-phi-close-at-five-topics": lambda c: answer(
        few(c)[_NDCG_ITSELF] - few(c)[_P10_ITSELF], level()
    ),
    "p10-better-on-itself-at-five-topics": lambda c: few(c)[_P10_ITSELF] - few(c)[_NDCG_P10],
    "self-phi-rises-with-topics": lambda c: increments(q.phi_by_size(c), _NDCG_ITSELF, _P10_ITSELF),
    "ndcg-self-phi-rises-faster": lambda c: gained_over_p10(c)[_NDCG_ITSELF],
    "ndcg-gains-on-p10-gradually": lambda c: (
        increments(q.phi_by_size(c), _NDCG_P10) - increments(q.phi_by_size(c), _P10_ITSELF)
    ),
    "ndcg-overtakes-p10-on-p10": lambda c: many(c)[_NDCG_P10] - many(c)[_P10_ITSELF],
    "ndcg-lead-on-p10-marginal": lambda c: answer(
        many(c)[_NDCG_P10] - many(c)[_P10_ITSELF], level()
    ),
    # Section 1: claims that the paper cites from others, on its own data
    "complex-more-stable": lambda c: over_simple(itself(phi_of_all(c))),
    "complex-more-discriminative": lambda c: over_simple(q.power_of_measures(c)),
    # Section 2
    "halving-topics-reliable": halves_stand_in,
    "trec8-topics": lambda c: len(c.topics),
    "trec8-systems": lambda c: len(c.systems),
    "repartitionings": tables.NUMBER,
    "share-of-systems-kept": 100 * tables.SHARE,
    # Two rankings agree as much one way as the other.
    "phi-symmetric": (
        kendall([1, 2, 3, 3], [2, 1, 1, 4], variant="b")
        == kendall([2, 1, 1, 4], [1, 2, 3, 3], variant="b")
    ),
    "weak-systems-ranked-low-on-any-topics": ranked_low,
    "weak-systems-inflate-tau": lambda c: phi_of_all(c) - predictive_power(c),
    "trends-hold-with-all-systems": lambda c: trends(phi_of_all(c)),
    # Section 3
    "trec8-p10-poorer-self-predictor": lambda c: over_simple(itself(predictive_power(c)), (P10,)),
    "trec8-rr-poorer-self-predictor": lambda c: over_simple(itself(predictive_power(c)), (RR,)),
    "trec8-rr-poorest-self-predictor": lambda c: lag(predictive_power(c), RR) - MARGIN,
    "rr-poor-predictivity": lambda c: answer(
        LOW - predictive_power(c)[RR],
        cause=f"its phi with the five is at most {predictive_power(c).value[RR].max():.2f}; poor "
        f"is below {LOW}",
    ),
    "rbp-p": dict(parse(tables.MEASURES[RBP]).options)["p"],
    "rbp-deeper-p": dict(parse(tables.DEEPER).options)["p"],
    "trec8-ap-gains-on-p10-with-topics": lambda c: gained_over_p10(c)[AP, P10],
    "trec8-rbp-gains-on-p10-with-topics": lambda c: gained_over_p10(c)[RBP, P10],
    "trec8-others-gain-as-ndcg-does": lambda c: answer(
        gained_by_topics(c)[[(AP, P10), (RBP, P10)]] - gained_by_topics(c)[_NDCG_P10], level()
    ),
    # Conclusion
    "p10-redundant": lambda c: answer(lead(predictive_power(c), P10, (AP, NDCG)), at_least()),
    "evidence-stronger-against-rr": lambda c: answer(
        lead(predictive_power(c), RR, (AP, NDCG)) - lead(predictive_power(c), P10, (AP, NDCG)),
        cause=stronger_against_rr(c),
    ),
    "few-systems-inconsistent": lambda c: q.inconsistency(c) - tables.RARE,
    "precision-versus-recall-misread": lambda c: 0.5 - q.disagreements(c)["recur"],
    "conflicts-allow-no-conclusion": lambda c: Answer(
        cause=f"what conclusion is substantial goes unsaid; {who_decides(c)}"
    ),
    "significant-results-not-always-predictive": lambda c: q.reversals(c) - tables.RARE,
    "conflicts-rarer-with-topics": lambda c: (q.disagreements(c, few=True) - q.disagreements(c))[
        "conflicts"
    ],
    "complex-greater-overall-predictivity": lambda c: over_simple(overall(predictive_power(c))),
    "complex-right-in-conflict": lambda c: answer(
        q.disagreements(c)[_RIGHT] - 0.5, cause=who_decides(c)
    ),
    # The paper's closing remark, at no more cost.
    "p10-on-many-topics-cheaper": lambda c: answer(q.contest(c) - MARGIN, cause=fewer(c)),
    "p10-on-many-topics-more-predictive": lambda c: answer(q.contest(c), cause=fewer(c)),
}
# What asks the printed tables too.
_ON_TABLES: dict[str, Claim] = {
    # Abstract
    "complex-at-least-as-good-as-simple": lambda d: answer(
        all_leads(predictive_power(d.trec8)), at_least(MARGIN), short_of(d)
    ),
    # Section 3
    "table-1-shows-complex-as-good": lambda d: (
        bool((all_leads(d.table1) > -MARGIN).all()) or short_of(d)
    ),
    **for_each("trec8-{}-predicts-p10-as-well-as-itself", partial(as_well, target=P10), _SLUGS),
    **for_each("trec8-{}-predicts-rr-as-well-as-itself", partial(as_well, target=RR), _SLUGS),
    "trec2004-p10-poorer-self-predictor": lambda d: (
        over_simple(itself(d.table2), (P10,)) > 0
    ).all(),
    "trec2004-rr-poorer-self-predictor": lambda d: (over_simple(itself(d.table2), (RR,)) > 0).all(),
    **for_each(
        "trec2004-{}-predicts-p10-as-well-as-itself",
        partial(in_table_2, target=P10, margin=-MARGIN),
        _SLUGS,
    ),
    **for_each(
        "trec2004-{}-predicts-rr-better-than-itself",
        partial(in_table_2, target=RR, margin=0),
        {"p10": P10, **_SLUGS},
    ),
    "rbp-weaker-on-trec2004": lambda d: bool(
        (lag(d.table2, RBP)[[AP, NDCG]] > lag(d.table1, RBP)[[AP, NDCG]]).all()
    ),
    # Conclusion
    "rr-unnecessary": lambda d: answer(
        lead(predictive_power(d.trec8), RR, (AP, NDCG)), at_least(MARGIN), short_of(d)
    ),
    "trec2004-complex-greater-overall-predictivity": lambda d: (
        over_simple(overall(d.table2)) > 0
    ).all(),
}

CLAIMS = Claims(
    data=Data,
    population="TREC-8",
    cells={"Table 1": lambda d: tables.table1(d.trec8)},
    rows=of_trec8(_ON_TREC8) | _ON_TABLES,
)
