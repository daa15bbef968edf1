"""What the paper says, each number and sentence checked."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from lib import decisions
from lib.claims import Claims, above, answer, at_least, level
from lib.conventions import MARGIN
from lib.intervals import Interval
from lib.measures import parse
from lib.papers.webber2008.evidence import (
    AP,
    NDCG,
    NDCG_ITSELF,
    NDCG_P10,
    P10,
    P10_ITSELF,
    RBP,
    RR,
    Evidence,
    itself,
)
from lib.papers.webber2008.tables import (
    COMPLEX,
    DEEPER,
    LOW,
    MEASURES,
    NUMBER,
    RARE,
    SHARE,
    SIMPLE,
    SIZES,
    triangle,
)
from lib.published import Answer
from lib.statistics.correlation import kendall


def leads(phi: pd.DataFrame, target: str, measures: tuple[str, ...] = COMPLEX) -> pd.Series:
    """Return how much better than a measure itself others predict it."""
    return pd.Series({x: phi.at[x, target] - phi.at[target, target] for x in measures})


def all_leads(phi: pd.DataFrame) -> np.ndarray:
    """Return the leads of all complex measures as predictors of all simple ones."""
    return np.concatenate([leads(phi, target) for target in SIMPLE])


def gaps(numbers: pd.Series, simple: tuple[str, ...] = SIMPLE) -> np.ndarray:
    """Return how far the number of each complex measure is above that of each simple one."""
    return np.array([numbers[x] - numbers[name] for name in simple for x in COMPLEX])


def overall(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts the five, on average."""
    return phi.mean(axis=1)


def as_well(measure: str, target: str) -> Callable[[Evidence], Any]:
    """State that on TREC-8 a measure predicts another as well as that predicts itself."""

    def why(e):
        return (
            f"{e.phi.loc[measure, target]:.2f} against {e.phi.loc[target, target]:.2f}; printed "
            f"{e.trec8.loc[measure, target]:.2f} against {e.trec8.loc[target, target]:.2f}"
        )

    return at_least(lambda e: leads(e.phi, target, (measure,)), MARGIN, why)


def in_table_2(measure: str, target: str, margin: float) -> Callable[[Evidence], bool]:
    """State that in Table 2 a measure leads by more, or falls short of the target by less."""
    return lambda e: bool(leads(e.terabyte, target, (measure,)).item() > margin)


def short_of(e: Evidence) -> str:
    """Say which complex measures fall short of a simple one, in the paper's own Table 1."""
    reasons = []
    for target in SIMPLE:
        own, behind = e.trec8.loc[target, target], leads(e.trec8, target)
        named = [f"{x} ({e.trec8.loc[x, target]:.2f})" for x in behind.index[behind < -1e-9]]
        if named:
            reasons.append(f"{' and '.join(named)} of {target} behind {target} itself ({own:.2f})")
    return f"the paper's own Table 1 prints {'; '.join(reasons) or 'no exception'}"


def trends(e: Evidence) -> np.ndarray:
    """Return what must be above zero for the findings to stay visible with all systems."""
    own = itself(e.phi_of_all)
    return np.concatenate([all_leads(e.phi_of_all) + MARGIN, gaps(own), own.drop(RR) - own[RR]])


def ranked_low(e: Evidence) -> bool | str:
    """Check that the systems that the paper drops are in the lower half on every topic."""
    upper = e.weak_places > 0.5
    return not upper.to_numpy().any() or (
        f"of the {upper.shape[1]} worst systems {upper.any().sum()} reach the upper half on some "
        f"topic, and on {upper.to_numpy().mean():.0%} of the topics in the mean"
    )


def halves_stand_in(e: Evidence) -> Answer:
    """Check that phi by halves is that by new topics to the margin, of real topics and made-up."""
    both = e.halvings
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


def similar_gain(e: Evidence) -> pd.Series:
    """Return how far the gains of AP and RBP on P@10 are from that of nDCG."""
    gains = pd.Series({x: e.gain[x, P10] for x in (AP, RBP)})
    return gains - e.gain[NDCG_P10]


def steps(points: pd.DataFrame, pair: tuple[str, str]) -> pd.Series:
    """Return what each step to larger sets of topics adds to a line of Figure 1."""
    return points.loc[pair].diff().iloc[1:]


def stronger_against_rr(e: Evidence) -> str:
    """Quote the leads on which this is judged."""
    rr, p10 = (leads(e.phi, x, (AP, NDCG)) for x in (RR, P10))
    return (
        f"on TREC-8 AP and nDCG lead by {rr[AP]:+.2f} and {rr[NDCG]:+.2f} for RR, by "
        f"{p10[AP]:+.2f} and {p10[NDCG]:+.2f} for P@10; the printed Table 2 (TREC 2004) supports "
        "the sentence"
    )


def right(e: Evidence) -> pd.Series:
    """Return the share of conflicts in which a complex measure was right, as either decides."""
    return e.disagreements.filter(like="right").stack()


def who_decides(e: Evidence) -> str:
    """Say who was right, as either measure decides."""
    simple, complex = (e.disagreements[f"right, by the {x}"] for x in ("simple", "complex"))
    return (
        f"as the complex measure decides it was right in {complex.min():.0%} to "
        f"{complex.max():.0%} of the conflicts, as the simple one decides in {simple.min():.0%} "
        f"to {simple.max():.0%}"
    )


def contest(e: Evidence) -> pd.Series:
    """Return by how much P@10 on many topics predicts P@10 better than the rivals on fewer."""
    return e.shallow["phi"] - e.rivals["phi"]


def fewer(e: Evidence) -> str:
    """Say that it depends on what "fewer" is who wins, on both sides."""
    many, rivals = e.shallow, e.rivals
    best = [
        f"{row.measure} on {row.Index} at {row.phi:.3f} for {row.judgements:,}"
        for row in rivals.iloc[::-1].itertuples()
    ]
    return (
        "it depends on what “fewer” is: "
        f"P@10 on {many.topics} topics predicts P@10 at {many.phi:.3f} for {many.judgements:,} "
        f"judgements; {', '.join(best)}"
    )


FIGURE_1 = {
    "smallest-subset-size": lambda e: SIZES[0],
    "largest-subset-size": lambda e: SIZES[-1],
    "all-phi-low-at-five-topics": above(lambda e: LOW - e.few[[NDCG_ITSELF, P10_ITSELF, NDCG_P10]]),
    "self-phi-close-at-five-topics": level(
        lambda e: e.few[NDCG_ITSELF] - e.few[P10_ITSELF], MARGIN
    ),
    "p10-better-on-itself-at-five-topics": above(lambda e: e.few[P10_ITSELF] - e.few[NDCG_P10]),
    "self-phi-rises-with-topics": above(
        lambda e: pd.concat([steps(e.points, NDCG_ITSELF), steps(e.points, P10_ITSELF)])
    ),
    "ndcg-self-phi-rises-faster": above(lambda e: e.gain[NDCG_ITSELF] - e.gain[P10_ITSELF]),
    "ndcg-gains-on-p10-gradually": above(
        lambda e: steps(e.points, NDCG_P10) - steps(e.points, P10_ITSELF)
    ),
    "ndcg-overtakes-p10-on-p10": above(lambda e: e.many[NDCG_P10] - e.many[P10_ITSELF]),
    "ndcg-lead-on-p10-marginal": level(lambda e: e.many[NDCG_P10] - e.many[P10_ITSELF], MARGIN),
}

ABSTRACT = {
    "complex-at-least-as-good-as-simple": at_least(lambda e: all_leads(e.phi), MARGIN, short_of)
}

SECTION_1 = {
    # Claims that the paper cites from others, on its own data.
    "complex-more-stable": above(lambda e: gaps(itself(e.phi_of_all))),
    "complex-more-discriminative": above(lambda e: gaps(e.power)),
}

SECTION_2 = {
    "halving-topics-reliable": halves_stand_in,
    "trec8-topics": lambda e: len(e.collection.topics),
    "trec8-systems": lambda e: len(e.collection.systems),
    "repartitionings": lambda e: NUMBER,
    "share-of-systems-kept": lambda e: 100 * SHARE,
    # Two rankings agree as much one way as the other.
    "phi-symmetric": lambda e: (
        kendall([1, 2, 3, 3], [2, 1, 1, 4], variant="b")
        == kendall([2, 1, 1, 4], [1, 2, 3, 3], variant="b")
    ),
    "weak-systems-ranked-low-on-any-topics": ranked_low,
    "weak-systems-inflate-tau": above(lambda e: (e.phi_of_all - e.phi).stack()),
    "trends-hold-with-all-systems": above(trends),
}

SECTION_3 = {
    "trec8-p10-poorer-self-predictor": above(lambda e: gaps(itself(e.phi), (P10,))),
    "trec8-rr-poorer-self-predictor": above(lambda e: gaps(itself(e.phi), (RR,))),
    "trec8-rr-poorest-self-predictor": above(
        lambda e: itself(e.phi).drop(RR) - itself(e.phi)[RR] - MARGIN
    ),
    "rr-poor-predictivity": above(
        lambda e: LOW - e.phi[RR],
        lambda e: f"its phi with the five is at most {e.phi[RR].max():.2f}; poor is below {LOW}",
    ),
    "table-1-shows-complex-as-good": lambda e: (
        bool((all_leads(e.trec8) > -MARGIN).all()) or short_of(e)
    ),
    **{
        f"trec8-{slug}-predicts-{of}-as-well-as-itself": as_well(measure, target)
        for of, target in (("p10", P10), ("rr", RR))
        for slug, measure in (("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    "trec2004-p10-poorer-self-predictor": lambda e: (gaps(itself(e.terabyte), (P10,)) > 0).all(),
    "trec2004-rr-poorer-self-predictor": lambda e: (gaps(itself(e.terabyte), (RR,)) > 0).all(),
    **{
        f"trec2004-{slug}-predicts-p10-as-well-as-itself": in_table_2(measure, P10, -MARGIN)
        for slug, measure in (("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    **{
        f"trec2004-{slug}-predicts-rr-better-than-itself": in_table_2(measure, RR, 0)
        for slug, measure in (("p10", P10), ("rbp", RBP), ("ap", AP), ("ndcg", NDCG))
    },
    "rbp-p": lambda e: dict(parse(MEASURES[RBP]).options)["p"],
    "rbp-deeper-p": lambda e: dict(parse(DEEPER).options)["p"],
    "rbp-weaker-on-trec2004": lambda e: (gaps_of_rbp(e.terabyte) > gaps_of_rbp(e.trec8)).all(),
    "trec8-ap-gains-on-p10-with-topics": above(lambda e: e.gain[AP, P10] - e.gain[P10_ITSELF]),
    "trec8-rbp-gains-on-p10-with-topics": above(lambda e: e.gain[RBP, P10] - e.gain[P10_ITSELF]),
    "trec8-others-gain-as-ndcg-does": level(similar_gain, MARGIN),
}


def gaps_of_rbp(phi: pd.DataFrame) -> pd.Series:
    """Return how far AP and nDCG predict themselves better than RBP does itself."""
    return itself(phi)[[AP, NDCG]] - itself(phi)[RBP]


CONCLUSION = {
    "p10-redundant": at_least(lambda e: leads(e.phi, P10, (AP, NDCG)), MARGIN),
    "rr-unnecessary": at_least(lambda e: leads(e.phi, RR, (AP, NDCG)), MARGIN, short_of),
    "evidence-stronger-against-rr": above(
        lambda e: leads(e.phi, RR, (AP, NDCG)) - leads(e.phi, P10, (AP, NDCG)), stronger_against_rr
    ),
    "few-systems-inconsistent": above(lambda e: e.inconsistent - RARE),
    "precision-versus-recall-misread": above(lambda e: 0.5 - e.disagreements["recur"]),
    "conflicts-allow-no-conclusion": lambda e: Answer(
        cause=f"what conclusion is substantial goes unsaid; {who_decides(e)}"
    ),
    "significant-results-not-always-predictive": above(lambda e: e.reversed - RARE),
    "conflicts-rarer-with-topics": above(
        lambda e: e.disagreements_of_few["conflicts"] - e.disagreements["conflicts"]
    ),
    "complex-greater-overall-predictivity": above(lambda e: gaps(overall(e.phi))),
    "trec2004-complex-greater-overall-predictivity": lambda e: (
        gaps(overall(e.terabyte)) > 0
    ).all(),
    "complex-right-in-conflict": above(lambda e: right(e) - 0.5, who_decides),
    # The paper's closing remark, at no more cost.
    "p10-on-many-topics-cheaper": above(lambda e: contest(e) - MARGIN, fewer),
    "p10-on-many-topics-more-predictive": above(contest, fewer),
}

CLAIMS = Claims(
    evidence=Evidence,
    cells={"Table 1": lambda e: triangle(e.result)},
    rows={**FIGURE_1, **ABSTRACT, **SECTION_1, **SECTION_2, **SECTION_3, **CONCLUSION},
)
