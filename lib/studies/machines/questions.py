"""The book's questions, judged by people and by each machine: orders, halves, families, power;
and what the chapter claims of them.

Every interval is the jackknife's over the topics of one year of one track.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from lib.conventions import ALPHA
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.measures import Scores
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits
from lib.statistics.significance import discriminative_power, powers_without_each_topic
from lib.studies import judges
from lib.studies.machines import budget
from lib.studies.machines.judging import MEASURES, PEOPLE, all_labels, judged, machines, scored
from lib.studies.multiverse.quantities import family_gap
from lib.studies.sources import of_collection

SPLITS, SEED = 50, 20251122


@cache
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
    people = judged(track, PEOPLE)
    first = scored(track, PEOPLE, "nDCG@10").mean().nlargest(top or len(people.systems))
    kept = list(first.index) if top else list(people.systems.index)
    one, *others = (judged(track, by).select(systems=kept) for by in (PEOPLE, *machines(track)))
    tables = [judges.compared(one, other, measures=measures) for other in others]
    return pd.concat(tables, keys=machines(track), names=["judge"])


@cache
def _halves(track: str) -> tuple[list[tuple[str, str]], Estimate]:
    """Return the names and the predictive power of all judges by all measures."""
    tables: dict[Any, Scores] = {
        (judge, measure): scored(track, judge, measure)
        for judge in [PEOPLE, *machines(track)]
        for measure in MEASURES
    }
    topics = len(scored(track, PEOPLE, "AP"))
    sets = splits(topics, number=SPLITS, rng=np.random.default_rng(SEED))
    whole = predictivity(tables, sets).phi.to_numpy()
    return list(tables), Estimate(whole, tuple(phis_without_each_topic(tables, sets)))


def _phi(track: str, one: tuple[str, str], other: tuple[str, str]) -> Estimate:
    """Return tau on separate halves of two of judge and measure."""
    names, phi = _halves(track)
    return phi[names.index(one), names.index(other)]


@cache
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
    for judge in machines(track):
        for measure in MEASURES:
            own, by = (PEOPLE, measure), (judge, measure)
            yardstick, machine = _phi(track, own, own), _phi(track, by, own)
            gap = (machine - yardstick).interval().row()
            rows[judge, measure] = {"yardstick": yardstick.value, "machine": machine.value} | gap
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["judge", "measure"])


def _lead(track: str, judge: str) -> Estimate:
    """Return how much better AP predicts the order by P@10 on other topics than P@10 itself."""
    target = judge, "P@10"
    return _phi(track, (judge, "AP"), target) - _phi(track, target, target)


def _gap(track: str, judge: str) -> Estimate:
    """Return how much higher tau is within the families of measures than across them."""
    return family_gap(of_collection(judged(track, judge)), most=None)


def _power(track: str, judge: str, measure: str) -> Estimate:
    """Return the share of pairs of runs that the t test finds different."""
    table = scored(track, judge, measure).to_numpy()
    without = powers_without_each_topic(table, alpha=ALPHA)
    return Estimate(discriminative_power(table, alpha=ALPHA), tuple(without))


def _deeper(track: str, judge: str) -> Estimate:
    """Return how many more pairs of runs differ significantly by nDCG@100 than by nDCG@10."""
    return _power(track, judge, "nDCG@100") - _power(track, judge, "nDCG@10")


QUESTIONS: dict[str, Callable[[str, str], Estimate]] = {
    "AP's lead for P@10": _lead,
    "family gap": _gap,
    **{f"pairs by {name}": partial(_power, measure=name) for name in MEASURES},
    "pairs by depth": _deeper,
}


@cache
def answers(track: str) -> pd.DataFrame:
    """Ask each question of the people and of each machine; the machine's answer minus theirs.

    Returns
    -------
    DataFrame, index question, judge
        Columns estimate, low, high; difference, difference low, difference high (0 for people).

    Examples
    --------
    >>> answers("dl21").loc[("pairs by RR", "Llama 3.2"), "estimate"].round(2)
    np.float64(0.28)
    """
    rows = {}
    for question, ask in QUESTIONS.items():
        people = ask(track, PEOPLE)
        for judge in [PEOPLE, *machines(track)]:
            answer = ask(track, judge)
            gap = (answer - people).interval().row().values()
            named = dict(zip(["difference", "difference low", "difference high"], gap))
            rows[question, judge] = answer.interval().row() | named
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["question", "judge"])


# The claims of the chapter


def worth(track: str) -> pd.DataFrame:
    """Return :func:`lib.studies.machines.budget.bought` in parts of what people judged.

    Examples
    --------
    >>> bool(worth("dl21").loc[("UMBRELA", "nDCG@10"), "low"] > 1)
    True
    """
    table = budget.bought(track)
    return table[["estimate", "low", "high"]].div(table["n"], axis=0)


def _row(table: pd.DataFrame, key: tuple[str, str], column: str = "") -> Interval:
    """Return a row's interval, whose error is not kept."""
    row = table.loc[key]
    if column:
        row = row[[column, f"{column} low", f"{column} high"]].set_axis(["estimate", "low", "high"])
    return Interval.read(row)


# Of a track, a judge, and a measure, a question or a number of the labels.
QUANTITIES: dict[str, Callable[[str, str, str], Interval]] = {
    "order": lambda track, judge, measure: _row(halves(track), (judge, measure)),
    "labels": lambda track, judge, number: _row(all_labels(track), (judge, number)),
    "answer": lambda track, judge, asked: _row(answers(track), (asked, judge)),
    "departure": lambda track, judge, asked: _row(answers(track), (asked, judge), "difference"),
    "worth": lambda track, judge, measure: _row(worth(track), (judge, measure)),
}
