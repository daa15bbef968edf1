"""What the paper says, each number and sentence checked."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from lib import decisions
from lib.claims import Claim, Claims, above, answer, at_least, level
from lib.conventions import MARGIN
from lib.estimates import Estimate, of_estimates
from lib.intervals import Interval
from lib.measures import parse
from lib.papers.webber2008 import quantities as q
from lib.papers.webber2008 import tables
from lib.papers.webber2008.quantities import AP, NDCG, P10, RBP, RR, Data
from lib.papers.webber2008.tables import COMPLEX, LOW, RARE, SIMPLE, lead, predictive_power
from lib.published import Answer
from lib.statistics.correlation import kendall

NDCG_ITSELF, P10_ITSELF, NDCG_P10 = (NDCG, NDCG), (P10, P10), (NDCG, P10)
RIGHT = ["right, by the simple", "right, by the complex"]


def phi(d: Data) -> Estimate:
    """Return the predictive power of measures for each other on TREC-8."""
    return predictive_power(d.trec8)


def phi_of_all(d: Data) -> Estimate:
    """Return the predictive power of measures on TREC-8 when no system is dropped."""
    return predictive_power(d.trec8, share=1.0, for_error=tables.SPLITS // 2)


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
def gaps(numbers: pd.Series, simple: tuple[str, ...] = SIMPLE) -> np.ndarray:
    """Return how far the number of each complex measure is above that of each simple one."""
    return np.array([numbers[x] - numbers[name] for name in simple for x in COMPLEX])


@of_estimates
def behind(phi: pd.DataFrame, measure: str) -> pd.Series:
    """Return how far a measure predicts itself worse than each other one does itself."""
    own = itself(phi)
    return own.drop(measure) - own[measure]


@of_estimates
def trends(phi: pd.DataFrame) -> np.ndarray:
    """Return by how much each finding of the paper is visible: all are, when all are above zero."""
    return np.concatenate([all_leads(phi) + MARGIN, gaps(itself(phi)), behind(phi, RR)])


@of_estimates
def steps(points: pd.DataFrame, *pairs: tuple[str, str]) -> np.ndarray:
    """Return what each step to larger sets of topics adds to lines of Figure 1."""
    return points.loc[list(pairs)].diff(axis=1).iloc[:, 1:].to_numpy()


def few(d: Data) -> Estimate:
    """Return phi on the smallest sets of topics, by (predictor, of)."""
    return q.points(d.trec8).map(lambda points: points.iloc[:, 0])


def many(d: Data) -> Estimate:
    """Return phi on the largest sets of topics, by (predictor, of)."""
    return q.points(d.trec8).map(lambda points: points.iloc[:, -1])


def gain(d: Data) -> Estimate:
    """Return what more topics add to phi, by (predictor, of)."""
    return many(d) - few(d)


def as_well(d: Data, measure: str, target: str) -> Answer:
    """State that on TREC-8 a measure predicts another as well as that predicts itself."""
    ours = phi(d).value
    why = (
        f"{ours.loc[measure, target]:.2f} against {ours.loc[target, target]:.2f}; printed "
        f"{d.table1.loc[measure, target]:.2f} against {d.table1.loc[target, target]:.2f}"
    )
    return at_least(lead(phi(d), target, (measure,)), MARGIN, why)


def in_table_2(measure: str, target: str, margin: float) -> Callable[[Data], bool]:
    """State that in Table 2 a measure leads by more, or falls short of the target by less."""
    return lambda d: bool(lead(d.table2, target, (measure,)).item() > margin)


def short_of(d: Data) -> str:
    """Say which complex measures fall short of a simple one, in the paper's own Table 1."""
    reasons = []
    for target in SIMPLE:
        own, ahead = d.table1.loc[target, target], lead(d.table1, target)
        named = [f"{x} ({d.table1.loc[x, target]:.2f})" for x in ahead.index[ahead < -1e-9]]
        if named:
            reasons.append(f"{' and '.join(named)} of {target} behind {target} itself ({own:.2f})")
    return f"the paper's own Table 1 prints {'; '.join(reasons) or 'no exception'}"


def ranked_low(d: Data) -> bool | str:
    """Check that the systems that the paper drops are in the lower half on every topic."""
    upper = q.weak_places(d.trec8) > 0.5
    return not upper.to_numpy().any() or (
        f"of the {upper.shape[1]} worst systems {upper.any().sum()} reach the upper half on some "
        f"topic, and on {upper.to_numpy().mean():.0%} of the topics in the mean"
    )


def halves_stand_in(d: Data) -> Answer:
    """Check that phi by halves is that by new topics to the margin, of real topics and made-up."""
    both = q.halvings(d.trec8)
    real, simulated = (both[both["topics"] == kind] for kind in ("real", "made up"))
    gaps = real["difference"]
    cause = (
        "halves of sets of 50 of Robust 2004's topics against the other topics: "
        f"{gaps.min():+.3f} to {gaps.max():+.3f}; a single set strays by "
        f"{real['deviation'].max():.2f}; with topics made up after TREC-8, at most "
        f"{simulated['difference'].abs().max():.3f}"
    )
    found = Interval.of(both["difference"], both["error"])
    return answer(found, decisions.level(), cause, on="sets of topics")


def stronger_against_rr(d: Data) -> str:
    """Quote the leads on which this is judged."""
    rr, p10 = (lead(phi(d).value, x) for x in (RR, P10))
    return (
        f"on TREC-8 AP and nDCG lead by {rr[AP]:+.2f} and {rr[NDCG]:+.2f} for RR, by "
        f"{p10[AP]:+.2f} and {p10[NDCG]:+.2f} for P@10; the printed Table 2 (TREC 2004) supports "
        "the sentence"
    )


def who_decides(d: Data) -> str:
    """Say who was right, as either measure decides."""
    simple, complex = (q.disagreements(d.trec8).value[side] for side in RIGHT)
    return (
        f"as the complex measure decides it was right in {complex.min():.0%} to "
        f"{complex.max():.0%} of the conflicts, as the simple one decides in {simple.min():.0%} "
        f"to {simple.max():.0%}"
    )


def fewer(d: Data) -> str:
    """Say that it depends on what "fewer" is who wins, on both sides."""
    many, *others = q.rivals(d.trec8).itertuples()
    best = [
        f"{row.measure} on {row.topics} at {row.phi:.3f} for {row.judgements:,}"
        for row in reversed(others)
    ]
    return (
        "it depends on what “fewer” is: "
        f"P@10 on {many.topics} topics predicts P@10 at {many.phi:.3f} for {many.judgements:,} "
        f"judgements; {', '.join(best)}"
    )


FIGURE_1: dict[str, Claim] = {
    "smallest-subset-size": tables.SIZES[0],
    "largest-subset-size": tables.SIZES[-1],
    "all-phi-low-at-five-topics": lambda d: above(
        LOW - few(d)[[NDCG_ITSELF, P10_ITSELF, NDCG_P10]]
    ),
    "self-phi-close-at-five-topics": lambda d: level(few(d)[NDCG_ITSELF] - few(d)[P10_ITSELF]),
    "p10-better-on-itself-at-five-topics": lambda d: above(few(d)[P10_ITSELF] - few(d)[NDCG_P10]),
    "self-phi-rises-with-topics": lambda d: above(
        steps(q.points(d.trec8), NDCG_ITSELF, P10_ITSELF)
    ),
    "ndcg-self-phi-rises-faster": lambda d: above(gain(d)[NDCG_ITSELF] - gain(d)[P10_ITSELF]),
    "ndcg-gains-on-p10-gradually": lambda d: above(
        steps(q.points(d.trec8), NDCG_P10) - steps(q.points(d.trec8), P10_ITSELF)
    ),
    "ndcg-overtakes-p10-on-p10": lambda d: above(many(d)[NDCG_P10] - many(d)[P10_ITSELF]),
    "ndcg-lead-on-p10-marginal": lambda d: level(many(d)[NDCG_P10] - many(d)[P10_ITSELF]),
}

ABSTRACT = {
    "complex-at-least-as-good-as-simple": lambda d: at_least(all_leads(phi(d)), MARGIN, short_of(d))
}

SECTION_1 = {
    # Claims that the paper cites from others, on its own data.
    "complex-more-stable": lambda d: above(gaps(itself(phi_of_all(d)))),
    "complex-more-discriminative": lambda d: above(gaps(q.power(d.trec8))),
}

SECTION_2: dict[str, Claim] = {
    "halving-topics-reliable": halves_stand_in,
    "trec8-topics": lambda d: len(d.trec8.topics),
    "trec8-systems": lambda d: len(d.trec8.systems),
    "repartitionings": tables.NUMBER,
    "share-of-systems-kept": 100 * tables.SHARE,
    # Two rankings agree as much one way as the other.
    "phi-symmetric": lambda d: (
        kendall([1, 2, 3, 3], [2, 1, 1, 4], variant="b")
        == kendall([2, 1, 1, 4], [1, 2, 3, 3], variant="b")
    ),
    "weak-systems-ranked-low-on-any-topics": ranked_low,
    "weak-systems-inflate-tau": lambda d: above(phi_of_all(d) - phi(d)),
    "trends-hold-with-all-systems": lambda d: above(trends(phi_of_all(d))),
}

SECTION_3 = {
    "trec8-p10-poorer-self-predictor": lambda d: above(gaps(itself(phi(d)), (P10,))),
    "trec8-rr-poorer-self-predictor": lambda d: above(gaps(itself(phi(d)), (RR,))),
    "trec8-rr-poorest-self-predictor": lambda d: above(behind(phi(d), RR) - MARGIN),
    "rr-poor-predictivity": lambda d: above(
        LOW - phi(d)[RR],
        f"its phi with the five is at most {phi(d).value[RR].max():.2f}; poor is below {LOW}",
    ),
    "table-1-shows-complex-as-good": lambda d: (
        bool((all_leads(d.table1) > -MARGIN).all()) or short_of(d)
    ),
    **{
        f"trec8-{slug}-predicts-{of}-as-well-as-itself": partial(
            as_well, measure=measure, target=target
        )
        for of, target in (("p10", P10), ("rr", RR))
        for slug, measure in (("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    "trec2004-p10-poorer-self-predictor": lambda d: (gaps(itself(d.table2), (P10,)) > 0).all(),
    "trec2004-rr-poorer-self-predictor": lambda d: (gaps(itself(d.table2), (RR,)) > 0).all(),
    **{
        f"trec2004-{slug}-predicts-p10-as-well-as-itself": in_table_2(measure, P10, -MARGIN)
        for slug, measure in (("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    **{
        f"trec2004-{slug}-predicts-rr-better-than-itself": in_table_2(measure, RR, 0)
        for slug, measure in (("p10", P10), ("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    "rbp-p": dict(parse(tables.MEASURES[RBP]).options)["p"],
    "rbp-deeper-p": dict(parse(tables.DEEPER).options)["p"],
    "rbp-weaker-on-trec2004": lambda d: bool(
        (behind(d.table2, RBP)[[AP, NDCG]] > behind(d.table1, RBP)[[AP, NDCG]]).all()
    ),
    "trec8-ap-gains-on-p10-with-topics": lambda d: above(gain(d)[AP, P10] - gain(d)[P10_ITSELF]),
    "trec8-rbp-gains-on-p10-with-topics": lambda d: above(gain(d)[RBP, P10] - gain(d)[P10_ITSELF]),
    "trec8-others-gain-as-ndcg-does": lambda d: level(
        gain(d)[[(AP, P10), (RBP, P10)]] - gain(d)[NDCG_P10]
    ),
}


CONCLUSION = {
    "p10-redundant": lambda d: at_least(lead(phi(d), P10, (AP, NDCG))),
    "rr-unnecessary": lambda d: at_least(lead(phi(d), RR, (AP, NDCG)), MARGIN, short_of(d)),
    "evidence-stronger-against-rr": lambda d: above(
        lead(phi(d), RR, (AP, NDCG)) - lead(phi(d), P10, (AP, NDCG)), stronger_against_rr(d)
    ),
    "few-systems-inconsistent": lambda d: above(q.inconsistency(d.trec8) - RARE),
    "precision-versus-recall-misread": lambda d: above(0.5 - q.disagreements(d.trec8)["recur"]),
    "conflicts-allow-no-conclusion": lambda d: Answer(
        cause=f"what conclusion is substantial goes unsaid; {who_decides(d)}"
    ),
    "significant-results-not-always-predictive": lambda d: above(q.reversals(d.trec8) - RARE),
    "conflicts-rarer-with-topics": lambda d: above(
        (q.disagreements(d.trec8, few=True) - q.disagreements(d.trec8))["conflicts"]
    ),
    "complex-greater-overall-predictivity": lambda d: above(gaps(overall(phi(d)))),
    "trec2004-complex-greater-overall-predictivity": lambda d: (gaps(overall(d.table2)) > 0).all(),
    "complex-right-in-conflict": lambda d: above(
        q.disagreements(d.trec8)[RIGHT] - 0.5, who_decides(d)
    ),
    # The paper's closing remark, at no more cost.
    "p10-on-many-topics-cheaper": lambda d: above(q.contest(d.trec8) - MARGIN, fewer(d)),
    "p10-on-many-topics-more-predictive": lambda d: above(q.contest(d.trec8), fewer(d)),
}

CLAIMS = Claims(
    data=Data,
    cells={"Table 1": lambda d: tables.table1(d.trec8)},
    rows={**FIGURE_1, **ABSTRACT, **SECTION_1, **SECTION_2, **SECTION_3, **CONCLUSION},
)
