"""The book's questions, judged by people and by each machine: orders, halves, families, power;
and what the chapter claims of them.

Every interval is the jackknife's over the topics of one year of one track.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import pandas as pd

from lib.conventions import ALPHA, DECIMALS
from lib.intervals import Interval
from lib.papers.thom2007.tables import BROAD, EARLY
from lib.statistics.correlation import taus_of_rows, within_less_across
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import predictivity, splits, stack, without_each_topic
from lib.statistics.significance import discriminative_power, powers_without_each_topic
from lib.studies import judges
from lib.studies.machines import budget
from lib.studies.machines.judging import (
    MEASURES,
    PEOPLE,
    all_labels,
    columns,
    judged,
    machines,
    scored,
)

SPLITS, SEED = 50, 20251122
FAMILY = (*EARLY, BROAD[0])
DEEP, SHALLOW = "nDCG@100", "nDCG@10"


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
def _halves(track):
    """Return names and predictive power of all judges by all measures, and without each topic."""
    tables = {
        (judge, measure): scored(track, judge, measure)
        for judge in [PEOPLE, *machines(track)]
        for measure in MEASURES
    }
    topics = len(scored(track, PEOPLE, "AP"))
    sets = splits(topics, number=SPLITS, rng=np.random.default_rng(SEED))
    return list(tables), predictivity(tables, sets).phi, without_each_topic(tables, sets)


def _phi(track, one, other):
    """Return tau on separate halves of two of judge and measure, and without each topic."""
    names, phi, without = _halves(track)
    a, b = names.index(one), names.index(other)
    return phi.to_numpy()[a, b], without[:, a, b]


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
            gap = jackknife(machine[0] - yardstick[0], machine[1] - yardstick[1])
            rows[judge, measure] = {"yardstick": yardstick[0], "machine": machine[0]} | columns(gap)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["judge", "measure"])


def _lead(track, judge):
    """How much better AP predicts the order by P@10 on other topics than P@10 does itself."""
    by_ap = _phi(track, (judge, "AP"), (judge, "P@10"))
    itself = _phi(track, (judge, "P@10"), (judge, "P@10"))
    return by_ap[0] - itself[0], by_ap[1] - itself[1]


def _gap(track, judge):
    """How much higher tau is within the two families of measures than across them."""
    values = stack({name: scored(track, judge, name) for name in FAMILY})
    early = [name in EARLY for name in FAMILY]

    def gap(without):
        means = np.delete(values, without, axis=1).mean(axis=1).round(DECIMALS)
        return within_less_across(taus_of_rows(means, means, variant="b"), early)

    return gap([]), np.array([gap([i]) for i in range(values.shape[1])])


def _power(track, judge, measure):
    """The share of pairs of runs that the t test finds different, and without each topic."""
    table = scored(track, judge, measure).to_numpy()
    return (discriminative_power(table, alpha=ALPHA), powers_without_each_topic(table, alpha=ALPHA))


def _deeper(track, judge):
    """How many more pairs of runs differ significantly by nDCG@100 than by nDCG@10."""
    deep, shallow = (_power(track, judge, name) for name in (DEEP, SHALLOW))
    return deep[0] - shallow[0], deep[1] - shallow[1]


QUESTIONS: dict[str, Callable[[str, str], tuple]] = {
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
            found = ask(track, judge)
            gap = columns(jackknife(found[0] - people[0], found[1] - people[1]))
            named = dict(zip(["difference", "difference low", "difference high"], gap.values()))
            rows[question, judge] = columns(jackknife(*found)) | named
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
