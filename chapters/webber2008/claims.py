"""What the paper says, each number and sentence as a quantity.

Of TREC-8, of sets of topics, or of the two tables as they are printed; the sentences, what they ask
and where that must lie are rows of ``data/published/webber2008.csv``.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pandas as pd

from chapters.ledger.claims import ALL, BY_AP
from chapters.ledger.published import printed
from chapters.webber2008 import quantities as q
from chapters.webber2008.quantities import AP, NDCG, P10, RR
from chapters.webber2008.tables import COMPLEX, SIMPLE, lead, mirrored, power_of
from lib.collection import Collection, load
from lib.estimates import Estimate, joined, of_estimates
from lib.intervals import Interval

Told = tuple[Estimate, str]  # with what is named where the claim does not hold
_RIGHT = ["right, by the simple", "right, by the complex"]


@cache
def printed_phi(number: int) -> pd.DataFrame:
    """Return a table of the paper as it is printed, as the whole square."""
    return mirrored(printed("webber2008", f"Table {number}"))


@dataclass(frozen=True)
class Data:
    """What the claims rest on: TREC-8, and both tables as they are printed, by their numbers.

    Table 2 cannot be computed: its runs are not public.
    """

    trec8: Collection = field(default_factory=lambda: load("trec8"))
    tables: dict[int, pd.DataFrame] = field(
        default_factory=lambda: {number: printed_phi(number) for number in (1, 2)}
    )


@of_estimates
def itself(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts itself: the diagonal of a square."""
    return pd.Series(np.diag(phi), index=phi.index)


@of_estimates
def overall(phi: pd.DataFrame) -> pd.Series:
    """Return how well each measure predicts the five, on average."""
    return phi.mean(axis=1)


@of_estimates
def over_simple(numbers: pd.Series, *simple: str) -> np.ndarray:
    """Return how far the number of each complex measure is above that of each simple one."""
    return np.array([numbers[x] - numbers[name] for name in simple or SIMPLE for x in COMPLEX])


@of_estimates
def lag(phi: pd.DataFrame, measure: str) -> pd.Series:
    """Return how far a measure predicts itself worse than each other one does itself."""
    own = itself(phi)
    return own.drop(measure) - own[measure]


@of_estimates
def all_leads(phi: pd.DataFrame, predictors: list[str], targets: list[str]) -> np.ndarray:
    """Return how much better than each target itself each of some measures predicts it."""
    return np.concatenate([lead(phi, target, predictors) for target in targets])


# Figure 1: what more topics add.  A pair is a predictor and what it predicts.


@of_estimates
def at(points: pd.DataFrame, pairs: tuple[list[str], ...]) -> pd.DataFrame:
    """Return lines of Figure 1: pairs x topics in each set."""
    return points.loc[[tuple(pair) for pair in pairs]]


def phi_at(c: Collection, *pairs: list[str], topics: int) -> Estimate:
    """Return phi of pairs on sets of so many topics."""
    return at(q.phi_by_size(c), pairs).map(lambda lines: lines[topics])


def lead_at(c: Collection, one: list[str], other: list[str], *, topics: int) -> Estimate:
    """Return how much higher phi of one pair than of another is on sets of so many topics."""
    return phi_at(c, one, topics=topics).mean() - phi_at(c, other, topics=topics).mean()


def gained_by_topics(c: Collection, pair: list[str]) -> Estimate:
    """Return what more topics add to phi of a pair."""
    return at(q.phi_by_size(c), (pair,)).map(lambda lines: lines.iloc[0, -1] - lines.iloc[0, 0])


def gained_beyond(c: Collection, other: list[str], *pairs: list[str]) -> Estimate:
    """Return how much more topics add to phi of pairs than to that of another."""
    return joined(*(gained_by_topics(c, pair) for pair in pairs)) - gained_by_topics(c, other)


def steps(c: Collection, *pairs: list[str]) -> Estimate:
    """Return what each step to larger sets of topics adds to phi of pairs."""
    return at(q.phi_by_size(c), pairs).map(lambda lines: lines.diff(axis=1).iloc[:, 1:].to_numpy())


def steps_beyond(c: Collection, other: list[str], pair: list[str]) -> Estimate:
    """Return how much more each step adds to phi of a pair than to that of another."""
    return steps(c, pair) - steps(c, other)


# Section 2: the data, and the systems that are dropped


def number_of_runs(c: Collection) -> int:
    """Return the number of runs."""
    return len(c.systems)


def number_of_topics(c: Collection) -> int:
    """Return the number of topics."""
    return len(c.topics)


def halves_stand_in(d: Data) -> tuple[Interval, str]:
    """Return phi by halves less that by new topics, of real topics and of made-up ones."""
    both = q.halvings(d.trec8)
    real, simulated = (both[both["topics"] == kind] for kind in ("real", "made up"))
    gaps = real["difference"]
    return Interval.of(both["difference"], both["error"]), (
        "halves of sets of 50 of Robust 2004's topics against the other topics: "
        f"{gaps.min():+.3f} to {gaps.max():+.3f}; a single set strays by "
        f"{real['deviation'].max():.2f}; with topics made up after TREC-8, at most "
        f"{simulated['difference'].abs().max():.3f}"
    )


def ranked_low(c: Collection, share: float) -> bool | str:
    """Check that the systems that the paper drops are in the lower half on every topic."""
    upper = q.weak_places(c) > share
    return not upper.to_numpy().any() or (
        f"of the {upper.shape[1]} worst systems {upper.any().sum()} reach the upper half on some "
        f"topic, and on {upper.to_numpy().mean():.0%} of the topics in the mean"
    )


def phi_by_weak_systems(c: Collection, *, topics: int) -> Estimate:
    """Return what the systems that the paper drops add to each phi."""
    return power_of(c, topics, ALL) - power_of(c, topics, BY_AP)


def trends(c: Collection, margin: float, *, topics: int, systems: str) -> Estimate:
    """Return by how much each finding of the paper is visible."""
    phi = power_of(c, topics, systems)
    return joined(all_leads(phi, COMPLEX, SIMPLE) + margin, over_simple(itself(phi)), lag(phi, RR))


# Sections 1 and 3, abstract and conclusion: how well measures predict themselves and others


def power_over_simple(c: Collection) -> Estimate:
    """Return how much more pairs of systems complex measures tell apart than simple ones."""
    return over_simple(q.power_of_measures(c))


def self_phi_over(c: Collection, *simple: str, topics: int, systems: str) -> Estimate:
    """Return how much better each complex measure predicts itself than simple ones do."""
    return over_simple(itself(power_of(c, topics, systems)), *simple)


def lag_of_self_phi(c: Collection, measure: str, *, topics: int, systems: str) -> Estimate:
    """Return how much worse a measure predicts itself than each other one does itself."""
    return lag(power_of(c, topics, systems), measure)


def phi_with_rr(c: Collection, bound: float, topics: int, systems: str) -> Told:
    """Return how well RR predicts each measure."""
    phi = power_of(c, topics, systems)[RR]
    return phi, f"its phi with the five is at most {phi.value.max():.2f}; poor is below {bound}"


def overall_over_simple(c: Collection, *, topics: int, systems: str) -> Estimate:
    """Return how much better each complex measure predicts the five than each simple one."""
    return over_simple(overall(power_of(c, topics, systems)))


def leads_for(
    c: Collection, predictors: list[str], targets: list[str], *, topics: int, systems: str
) -> Estimate:
    """Return how much better than each target itself each of some measures predicts it."""
    return all_leads(power_of(c, topics, systems), predictors, targets)


def leads_beside_print(
    c: Collection, predictors: list[str], targets: list[str], *, topics: int, systems: str
) -> Told:
    """Return the same, beside what the paper's own table prints."""
    ours = leads_for(c, predictors, targets, topics=topics, systems=systems)
    return ours, short_of(printed_phi(1), 1)


def lead_beside_print(
    c: Collection, measure: str, target: str, *, topics: int, systems: str
) -> Told:
    """Return the same of one measure and target, with both numbers, ours and in print."""
    power, theirs = power_of(c, topics, systems), printed_phi(1)
    ours = power.value
    return all_leads(power, [measure], [target]), (
        f"{ours.loc[measure, target]:.2f} against {ours.loc[target, target]:.2f}; printed "
        f"{theirs.loc[measure, target]:.2f} against {theirs.loc[target, target]:.2f}"
    )


def short_of(phi: pd.DataFrame, number: int) -> str:
    """Say which complex measures fall short of a simple one, in a table of the paper."""
    reasons = []
    for target in SIMPLE:
        own, ahead = phi.loc[target, target], lead(phi, target)
        named = [f"{x} ({phi.loc[x, target]:.2f})" for x in ahead.index[ahead < -1e-9]]
        if named:
            reasons.append(f"{' and '.join(named)} of {target} behind {target} itself ({own:.2f})")
    return f"the paper's own Table {number} prints {'; '.join(reasons) or 'no exception'}"


def printed_leads(
    d: Data, number: int, predictors: list[str], targets: list[str]
) -> tuple[np.ndarray, str]:
    """Return the same of a table as it is printed."""
    phi = d.tables[number]
    return all_leads(phi, predictors, targets), short_of(phi, number)


def printed_self_phi_over(d: Data, number: int, simple: str) -> np.ndarray:
    """Return how much better each complex measure predicts itself than a simple one, in print."""
    return over_simple(itself(d.tables[number]), simple)


def printed_overall_over_simple(d: Data, number: int) -> np.ndarray:
    """Return how much better each complex measure predicts the five than a simple one, in print."""
    return over_simple(overall(d.tables[number]))


def printed_lag_grows(d: Data, measure: str, others: list[str]) -> pd.Series:
    """Return how much further a measure is behind others in Table 2 than in Table 1, in print."""
    first, second = (lag(d.tables[number], measure)[others] for number in (1, 2))
    return second - first


def lead_for_rr_over_p10(c: Collection, *, topics: int, systems: str) -> Told:
    """Return how much more AP and nDCG lead as predictors of RR than as predictors of P@10."""
    phi = power_of(c, topics, systems)
    rr, p10 = (lead(phi, target, (AP, NDCG)) for target in (RR, P10))
    return rr - p10, (
        f"on TREC-8 AP and nDCG lead by {rr.value[AP]:+.2f} and {rr.value[NDCG]:+.2f} for RR, by "
        f"{p10.value[AP]:+.2f} and {p10.value[NDCG]:+.2f} for P@10; the printed Table 2 (TREC "
        "2004) supports the sentence"
    )


# Conclusion: when measures disagree, and what judgements buy


def conflicts(c: Collection, what: str) -> Estimate:
    """Return a share of :func:`.quantities.follow`, on halves of the topics."""
    return q.disagreements(c)[what]


def conflicts_on_few(c: Collection) -> Estimate:
    """Return how much larger a share of the pairs are conflicts on few topics than on halves."""
    return (q.disagreements(c, few=True) - q.disagreements(c))["conflicts"]


def who_is_right(c: Collection) -> str:
    """Say how often the complex measure was right, as either measure decides."""
    simple, complex = (q.disagreements(c).value[side] for side in _RIGHT)
    return (
        f"as the complex measure decides it was right in {complex.min():.0%} to "
        f"{complex.max():.0%} of the conflicts, as the simple one decides in {simple.min():.0%} "
        f"to {simple.max():.0%}"
    )


def won_by_complex(c: Collection) -> Told:
    """Return the share of conflicts in which the complex measure was right, as either decides."""
    return q.disagreements(c)[_RIGHT], who_is_right(c)


def conclusions_from_conflicts(c: Collection) -> tuple[None, str]:
    """Say why this cannot be told."""
    return None, f"what conclusion is substantial goes unsaid; {who_is_right(c)}"


def contest_with_prices(c: Collection) -> Told:
    """Return by how much P@10 on many topics is ahead, on both sides of what "fewer" may mean."""
    many, *others = q.cheaper_rivals(c).itertuples()
    best = [
        f"{row.measure} on {row.topics} at {row.phi:.3f} for {row.judgements:,}"
        for row in reversed(others)
    ]
    return q.contest(c), (
        "it depends on what “fewer” is: "
        f"P@10 on {many.topics} topics predicts P@10 at {many.phi:.3f} for {many.judgements:,} "
        f"judgements; {', '.join(best)}"
    )
