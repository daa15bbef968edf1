"""What the paper says, each number and sentence checked."""

from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims
from lib.measures import parse
from lib.papers.webber2008.evidence import Evidence, itself
from lib.papers.webber2008.tables import (
    COMPLEX,
    MEASURES,
    NUMBER,
    SHARE,
    SIMPLE,
    at_least,
    predicts,
    triangle,
)

__all__ = ["CLAIMS"]

P10, RR, RBP, AP, NDCG = MEASURES

TERABYTE = "the TREC 2004 Terabyte runs are in NIST's password area"
NEED_TERABYTE = {
    "trec2004-topics",
    "trec2004-systems",
    "rbp-deeper-p",
    "rbp-deeper-like-ap-and-ndcg",
    "trec2004-complex-lead-larger-on-few-topics",
    "trec2004-gap-narrows-with-topics",
}


def closed(row: Any) -> str:
    """Return why a published row that nothing below answers cannot be computed."""
    return TERABYTE if row.place == "Table 2" or row.row in NEED_TERABYTE else ""


def keeps_up(phi: pd.DataFrame, measure: str, target: str) -> bool:
    """Return whether a measure predicts another as well as that predicts itself."""
    return at_least(phi.loc[measure, target], phi.loc[target, target])


def against(phi: pd.DataFrame, measure: str, target: str) -> str:
    """Say how well a measure predicts another, and that itself."""
    ours, own = phi.loc[measure, target], phi.loc[target, target]
    return f"{ours:.2f} against {own:.2f}, as in the paper's own table"


def as_well(phi: pd.DataFrame, measure: str, target: str) -> bool | str:
    """Check that a measure predicts another as well as that predicts itself."""
    return keeps_up(phi, measure, target) or against(phi, measure, target)


def better(phi: pd.DataFrame, measure: str, target: str) -> bool | str:
    """Check that a measure predicts another better than that predicts itself."""
    return phi.loc[measure, target] > phi.loc[target, target] or against(phi, measure, target)


def weaker(phi: pd.DataFrame, measure: str) -> bool:
    """Check that a measure predicts itself less well than each complex measure does itself."""
    return itself(phi)[measure] < itself(phi)[[*COMPLEX]].min()


def no_worse(e: Evidence) -> bool | str:
    """Check that complex measures predict simple ones as well as these predict themselves."""
    short = predicts(triangle(e.result)).query("not holds")
    reasons = []
    for target, rows in short.groupby("target", sort=False):
        measures = " and ".join(f"{row.predictor} ({row.phi:.2f})" for row in rows.itertuples())
        own = f"{target} itself ({rows['itself'].iloc[0]:.2f})"
        reasons.append(f"of {target}, {measures} fall short of {own}")
    return not reasons or f"{'; '.join(reasons)}, in the paper's own Table 1 too"


def trends_hold(e: Evidence) -> bool:
    """Check that with all systems too P@10 is redundant and RR predicts itself worst."""
    redundant = all(keeps_up(e.phi_of_all, measure, P10) for measure in COMPLEX)
    return redundant and itself(e.phi_of_all).idxmin() == RR


def rbp_behind(phi: pd.DataFrame) -> float:
    """Return how far RBP predicts itself worse than AP and nDCG do themselves."""
    own = itself(phi)
    return own[[AP, NDCG]].min() - own[RBP]


def halves_stand_in(e: Evidence) -> tuple[bool, str]:
    """Check that no phi by halves is further from that by new topics than chance explains."""
    off, error = e.halving["difference"].abs(), e.halving["error"]
    away = (off / error).max()
    return away <= 3, (
        "by an experiment of ours: new topics from a simulated population give the same phi, "
        f"to {off.max():.3f}, {away:.1f} standard errors"
    )


def stronger_against_rr(e: Evidence) -> bool | str:
    """Check that AP or nDCG is further ahead of RR than of P@10, as a predictor of these."""
    rr, p10 = (e.phi.loc[[AP, NDCG], x].max() - e.phi.loc[x, x] for x in (RR, P10))
    return rr > p10 or (
        f"on TREC-8 the margin is {rr:+.2f} for RR, {p10:+.2f} for P@10; "
        "the printed Table 2 (TREC 2004) supports the sentence"
    )


def cheaper(e: Evidence) -> bool | str:
    """Check that no rival of P@10 on many topics predicts P@10 as well at no more cost."""
    equals = e.rivals[e.rivals["phi"] >= e.shallow.phi]
    if equals.empty:
        return True
    rival = equals.sort_values("judgements").iloc[0]
    return (
        f"{rival.measure} on {rival.topics} topics predicts P@10 as well with "
        f"{rival.judgements:,} judgements in place of {e.shallow.judgements:,}"
    )


def more_predictive(e: Evidence) -> bool | str:
    """Check that P@10 on many topics predicts P@10 better than any rival."""
    many, best = e.shallow, e.rivals.sort_values("phi").iloc[-1]
    return best.phi < many.phi or (
        f"with {many.judgements:,} judgements P@10 on {many.topics} topics predicts P@10 at "
        f"{many.phi:.3f}, {best.measure} on {best.topics} topics at {best.phi:.3f}"
    )


FIGURE_1 = {
    "smallest-subset-size": lambda e: e.few.name,
    "largest-subset-size": lambda e: e.many.name,
    "all-phi-low-at-five-topics": lambda e: all(
        e.few[pair] < e.many[pair] for pair in [(NDCG, NDCG), (P10, P10), (NDCG, P10)]
    ),
    "self-phi-close-at-five-topics": lambda e: (
        abs(e.few[NDCG, NDCG] - e.few[P10, P10]) < abs(e.many[NDCG, NDCG] - e.many[P10, P10])
    ),
    "p10-better-on-itself-at-five-topics": lambda e: e.few[P10, P10] > e.few[NDCG, P10],
    "ndcg-self-phi-rises-faster": lambda e: e.gain[NDCG, NDCG] > e.gain[P10, P10],
    "ndcg-overtakes-p10-on-p10": lambda e: (
        e.lead > 0
        or f"at {e.many.name} topics nDCG's phi of P@10 is {e.lead:+.3f} from P@10's own: level, "
        "not ahead"
    ),
    "ndcg-lead-on-p10-marginal": lambda e: abs(e.lead) < 0.01,
}

# Claims that the paper cites from others, on its own data.
SECTION_1 = {
    "complex-more-stable": lambda e: (
        itself(e.phi_of_all)[[*COMPLEX]].min() > itself(e.phi_of_all)[[*SIMPLE]].max()
    ),
    "complex-more-discriminative": lambda e: e.power[[*COMPLEX]].min() > e.power[[*SIMPLE]].max(),
}

SECTION_2 = {
    "halving-topics-reliable": halves_stand_in,
    "trec8-topics": lambda e: len(e.collection.topics),
    "trec8-systems": lambda e: len(e.collection.systems),
    "repartitionings": lambda e: NUMBER,
    "share-of-systems-kept": lambda e: 100 * SHARE,
    "phi-symmetric": lambda e: np.allclose(e.result.phi, e.result.phi.T),
    "weak-systems-ranked-low-on-any-topics": lambda e: (e.weak_places.median() < 0.5).all(),
    "weak-systems-inflate-tau": lambda e: (e.phi_of_all > e.phi).to_numpy().all(),
    "trends-hold-with-all-systems": trends_hold,
}

SECTION_3 = {
    "trec8-p10-poorer-self-predictor": lambda e: weaker(e.phi, P10),
    "trec8-rr-poorer-self-predictor": lambda e: weaker(e.phi, RR),
    "trec8-rr-poorest-self-predictor": lambda e: itself(e.phi).idxmin() == RR,
    "rr-poor-predictivity": lambda e: itself(e.phi).idxmin() == RR,
    "trec8-rbp-predicts-p10-as-well-as-itself": lambda e: as_well(e.phi, RBP, P10),
    "trec8-ap-predicts-p10-as-well-as-itself": lambda e: as_well(e.phi, AP, P10),
    "trec8-ndcg-predicts-p10-as-well-as-itself": lambda e: as_well(e.phi, NDCG, P10),
    "trec8-rbp-predicts-rr-as-well-as-itself": lambda e: as_well(e.phi, RBP, RR),
    "trec8-ap-predicts-rr-as-well-as-itself": lambda e: as_well(e.phi, AP, RR),
    "trec8-ndcg-predicts-rr-as-well-as-itself": lambda e: as_well(e.phi, NDCG, RR),
    "trec2004-rbp-predicts-p10-as-well-as-itself": lambda e: as_well(e.terabyte, RBP, P10),
    "trec2004-ap-predicts-p10-as-well-as-itself": lambda e: as_well(e.terabyte, AP, P10),
    "trec2004-ndcg-predicts-p10-as-well-as-itself": lambda e: as_well(e.terabyte, NDCG, P10),
    "trec2004-p10-predicts-rr-better-than-itself": lambda e: better(e.terabyte, P10, RR),
    "trec2004-rbp-predicts-rr-better-than-itself": lambda e: better(e.terabyte, RBP, RR),
    "trec2004-ap-predicts-rr-better-than-itself": lambda e: better(e.terabyte, AP, RR),
    "trec2004-ndcg-predicts-rr-better-than-itself": lambda e: better(e.terabyte, NDCG, RR),
    "rbp-p": lambda e: dict(parse(MEASURES[RBP]).options)["p"],
    "rbp-weaker-on-trec2004": lambda e: rbp_behind(e.terabyte) > rbp_behind(e.phi),
    "trec8-ap-gains-on-p10-with-topics": lambda e: e.gain[AP, P10] > e.gain[P10, P10],
    "trec8-rbp-gains-on-p10-with-topics": lambda e: e.gain[RBP, P10] > e.gain[P10, P10],
}

CONCLUSION = {
    "p10-redundant": lambda e: keeps_up(e.phi, AP, P10) and keeps_up(e.phi, NDCG, P10),
    "rr-unnecessary": lambda e: (
        keeps_up(e.phi, AP, RR)
        or keeps_up(e.phi, NDCG, RR)
        or "on TREC-8 neither AP nor nDCG predicts RR as well as RR does"
    ),
    "significant-results-not-always-predictive": lambda e: e.reversed > 0,
    "complex-right-in-conflict": lambda e: (
        (e.right > 0.5).all(),
        f"judged by P@10 on other topics, AP was right in {e.right[P10]:.1%} of its conflicts "
        f"with P@10; judged by AP, in {e.right[AP]:.1%}",
    ),
    "evidence-stronger-against-rr": stronger_against_rr,
    # The paper's closing remark, at equal cost.
    "p10-on-many-topics-cheaper": cheaper,
    "p10-on-many-topics-more-predictive": more_predictive,
}

CLAIMS = Claims(
    evidence=Evidence,
    cells={"Table 1": lambda e: triangle(e.result)},
    rows={
        "Figure 1": FIGURE_1,
        "Abstract": {"complex-at-least-as-good-as-simple": no_worse},
        "Section 1": SECTION_1,
        "Section 2": SECTION_2,
        "Section 3": SECTION_3,
        "Conclusion": CONCLUSION,
    },
    closed=closed,
)
