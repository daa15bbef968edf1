"""The book's questions, judged by people and by each machine: orders, halves, families, power;
and what the chapter claims of them.

Every interval is the jackknife's over the topics of one year of one track.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial, wraps
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from chapters.elsewhere.quantities import THREE, family_gap
from chapters.elsewhere.sources import of_collection
from chapters.ledger import claims
from chapters.machines import budget, judging
from chapters.machines.judging import ALL, MEASURES, PEOPLE, judged_by, machines, scores_by
from lib import two_judges
from lib.conventions import ALPHA
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.measures import Scores
from lib.statistics.power import detectable
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits
from lib.statistics.random_effects import plain_mean
from lib.statistics.significance import discriminative_power, powers_without_each_topic

_SPLITS, _SEED = 50, 20251122


@judging.remembered
def orders(
    track: str, *, measures: Sequence[str] = MEASURES, top: int | None = None
) -> pd.DataFrame:
    """Return how alike each machine and the people rank the runs: judge, measure, and all pairs.

    ``top`` keeps so many runs alone, those that people put first by nDCG@10.

    Examples
    --------
    >>> orders("dl21").loc[("UMBRELA", "nDCG@10"), "tau-b"].round(3)
    np.float64(0.924)
    """
    people = judged_by(track, PEOPLE)
    first = scores_by(track, PEOPLE, "nDCG@10").mean().nlargest(top or len(people.systems))
    kept = list(first.index) if top else list(people.systems.index)
    one, *others = (judged_by(track, by).select(systems=kept) for by in (PEOPLE, *machines(track)))
    tables = [two_judges.compare_rankings(one, other, measures=measures) for other in others]
    return pd.concat(tables, keys=machines(track), names=["judge"])


@judging.remembered
def _halves(track: str, on: str) -> tuple[list[tuple[str, str]], Estimate]:
    """Return the names and the predictive power of all judges by all measures."""
    judges, measures = [PEOPLE, *machines(track)], MEASURES
    if on != ALL:
        judges, measures = [*judges, *judging.SECOND], ("nDCG@10",)
    pairs = [*product(judges, measures)]
    tables: dict[Any, Scores] = {pair: scores_by(track, *pair, on) for pair in pairs}
    topics = len(judged_by(track, PEOPLE).topics)
    sets = splits(topics, number=_SPLITS, rng=np.random.default_rng(_SEED))
    whole = predictivity(tables, sets).phi.to_numpy()
    return pairs, Estimate(whole, tuple(phis_without_each_topic(tables, sets)))


def phi_between(
    track: str, one: tuple[str, str], other: tuple[str, str], on: str = ALL
) -> Estimate:
    """Return tau on separate halves of the topics of two of judge and measure."""
    names, both = _halves(track, on)
    return both[names.index(one), names.index(other)]


@judging.remembered
def halves(track: str) -> pd.DataFrame:
    """Set machine against people beside people against people, on the same halves of the topics.

    ``yardstick`` is the mean tau-b of the people's order on one half with their order on the other;
    ``machine`` that of the machine's on one half with the people's on the other.

    Examples
    --------
    >>> halves("dl19").loc[("EXAM", "P@10"), ["yardstick", "machine"]].round(2).to_list()
    [0.78, 0.76]
    """
    rows = {}
    for by in product(machines(track), MEASURES):
        own = PEOPLE, by[1]
        yardstick, machine = phi_between(track, own, own), phi_between(track, by, own)
        gap = (machine - yardstick).interval().row()
        rows[by] = {"yardstick": yardstick.value, "machine": machine.value} | gap
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["judge", "measure"])


def _lead(track: str, judge: str) -> Estimate:
    """Return how much better AP predicts the order by P@10 on other topics than P@10 itself."""
    target = judge, "P@10"
    return phi_between(track, (judge, "AP"), target) - phi_between(track, target, target)


def _gap(track: str, judge: str) -> Estimate:
    """Return how much higher tau is within the families of measures than across them."""
    return family_gap(of_collection(judged_by(track, judge)), *THREE, most=None)


def power_of(track: str, judge: str, measure: str, on: str = ALL) -> Estimate:
    """Return the share of pairs of runs that the t test finds different."""
    table = scores_by(track, judge, measure, on).to_numpy()
    without = powers_without_each_topic(table, alpha=ALPHA)
    return Estimate(discriminative_power(table, alpha=ALPHA), tuple(without))


def _deeper(track: str, judge: str) -> Estimate:
    """Return how many more pairs of runs differ significantly by nDCG@100 than by nDCG@10."""
    return power_of(track, judge, "nDCG@100") - power_of(track, judge, "nDCG@10")


QUESTIONS: dict[str, Callable[[str, str], Estimate]] = {
    "AP's lead for P@10": _lead,
    "family gap": _gap,
    **{f"pairs by {name}": partial(power_of, measure=name) for name in MEASURES},
    "pairs by depth": _deeper,
}


@cache
def answer_of(track: str, question: str, judge: str) -> Estimate:
    """Return a judge's answer to one of :data:`QUESTIONS`."""
    return QUESTIONS[question](track, judge)


@judging.remembered
def answers_beside_people(track: str) -> pd.DataFrame:
    """Ask each question of the people and of each machine; the machine's answer minus theirs.

    Index question, judge.  Columns estimate, low, high; difference, difference low, difference high
    (0 for people); shown: the smallest difference that a study like this one finds with a power of
    80%.

    Examples
    --------
    >>> answers_beside_people("dl21").loc[("pairs by RR", "Llama 3.2"), "estimate"].round(2)
    np.float64(0.28)
    """
    rows = {}
    for question in QUESTIONS:
        for judge in [PEOPLE, *machines(track)]:
            answer = answer_of(track, question, judge)
            gap = (answer - answer_of(track, question, PEOPLE)).interval()
            named = zip(["difference", "difference low", "difference high"], gap.row().values())
            topics = gap.freedom + 1
            shown = detectable(gap.error * topics**0.5, int(topics))
            rows[question, judge] = answer.interval().row() | dict(named) | {"shown": shown}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["question", "judge"])


# The claims of the chapter: each a quantity of a track, or of all years


def as_asked(systems: str, topics: str = "", *, halves: bool = False) -> None:
    """Refuse a row that speaks of other systems, or of other sets of topics, than the chapter."""
    if (systems, topics) != (claims.ALL, claims.HALF if halves else ""):
        sets = f"{claims.HALF} of the topics a set" if halves else "no sets of topics"
        raise InputError(f"the chapter takes {claims.ALL} systems, and {sets}")


def worth(track: str) -> pd.DataFrame:
    """Return what people's quarter of the topics is worth with each machine: 1 is no gain.

    Examples
    --------
    >>> bool(worth("dl21").loc[("UMBRELA", "nDCG@10"), "low"] > 1)
    True
    """
    pairs = product(machines(track), MEASURES)
    rows = {pair: budget.worth_of(track, *pair).row() for pair in pairs}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["judge", "measure"])


def over_years(quantity: Callable[..., Interval]) -> Callable[..., Interval]:
    """Let a quantity of a track be asked of all years too: their plain mean."""

    @wraps(quantity)
    def asked(population: str, *given: str, **told: str) -> Interval:
        if population != "years":
            return quantity(population, *given, **told)
        each = [quantity(track, *given, **told) for track in judging.TRACKS]
        return plain_mean(*zip(*((one.estimate, one.error, one.freedom) for one in each)))

    return asked


@over_years
def lead_of_order(track: str, judge: str, measure: str, *, topics: str, systems: str) -> Interval:
    """Return how much better a judge's order than the people's own goes with theirs elsewhere."""
    as_asked(systems, topics, halves=True)
    gap = phi_between(track, (judge, measure), (PEOPLE, measure))
    return (gap - phi_between(track, (PEOPLE, measure), (PEOPLE, measure))).interval()


@over_years
def kappa_of_labels(track: str, judge: str) -> Interval:
    """Return the kappa of a judge's binary labels with the people's."""
    return judging.kappa(track, judge).interval()


@over_years
def judged_answer(
    track: str, judge: str, asked: str, *, topics: str = "", systems: str
) -> Interval:
    """Return what a question of the book comes to when a judge judges."""
    as_asked(systems, topics, halves=QUESTIONS[asked] is _lead)
    return answer_of(track, asked, judge).interval()


@over_years
def departure(track: str, judge: str, asked: str, *, topics: str = "", systems: str) -> Interval:
    """Return by how much that departs from what it comes to when people judge."""
    as_asked(systems, topics, halves=QUESTIONS[asked] is _lead)
    return (answer_of(track, asked, judge) - answer_of(track, asked, PEOPLE)).interval()


@over_years
def worth_of_quarter(track: str, judge: str, measure: str, *, systems: str) -> Interval:
    """Return what people's quarter of the topics is worth beside a machine: 1 is no gain."""
    as_asked(systems)
    return budget.worth_of(track, judge, measure)
