"""Ten topics were judged, five deep: what as much again buys, on other topics or deeper down.

All of it was tried on halves of the topics, in pools of all runs; no curve is read.
"""

from functools import cache

import numpy as np
import pandas as pd

from chapters.data_tables import read
from chapters.spending.pilot import PILOTS, Pilot, pilot
from chapters.spending.planner import _TWICE
from lib.collection import Collection, load_once
from lib.conventions import SHARE
from lib.intervals import Interval
from lib.measures import best, complete_scores
from lib.paths import short_title
from lib.statistics.jackknife import groups, topic_jackknife

SHALLOW, DEEP, MEASURE = 5, 10, "AP"
START, ACROSS, DOWN = "start", "across", "down"
_SPLITS, _PARTINGS, _SEED = 200, 4, 1
_FIRST = 10  # documents that a page has


def _topics(made: Pilot) -> tuple[int, int]:
    """Return two fifths and four fifths of half of the topics: ten and twenty of fifty."""
    sizes = made.sizes()
    return sizes[1], sizes[3]


@cache
def _made(name: str) -> Pilot:
    return pilot(load_once(name), depths=[SHALLOW, DEEP], sizes=[])


def spent(made: Pilot) -> Interval:
    """Return the predictive power of the start, of more topics and of a deeper pool; and a fourth.

    The fourth is what more topics do beyond the deeper pool.  Intervals are for as many other
    topics as the pilot has.
    """
    few, many = _topics(made)
    draws = made.draws([few, many], number=_SPLITS, seed=_SEED)
    at = {depth: made.setting(depth, MEASURE) for depth in (SHALLOW, DEEP)}
    wanted = [(SHALLOW, few), (SHALLOW, many), (DEEP, few)]

    def four(left_out: np.ndarray) -> np.ndarray:
        power = [made.power(at[depth], draws[n].without(left_out)) for depth, n in wanted]
        return np.array([*power, power[1] - power[2]])

    parts = groups(made.topics, times=_PARTINGS, rng=np.random.default_rng(_SEED))
    found = topic_jackknife(four, made.topics, partings=parts)
    return Interval.of(found.estimate, _TWICE * found.error, found.freedom)


def across_over_down(name: str) -> Interval:
    """Return how much better as many judgements again predict on other topics than deeper down."""
    found = spent(_made(name))
    error, freedom = np.asarray(found.error)[3], found.freedom
    return Interval.of(np.asarray(found.estimate)[3], error, freedom)


def table_of_spent() -> pd.DataFrame:
    """Return the start, across and down of each pilot of the book, its topics, and both prices.

    ``dearer`` is what across costs beyond down, as a share.
    """
    rows = {}
    for name in PILOTS:
        made = _made(name)
        few, many = _topics(made)
        pools = made.pools[made.systems]
        row = dict(zip((START, ACROSS, DOWN), np.asarray(spent(made).estimate)))
        row |= {"topics": few, "more topics": many}
        row["dearer"] = many * pools[SHALLOW] / (few * pools[DEEP]) - 1
        rows[short_title(name)] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def fall_of_lead(name: str) -> Interval:
    """Return how AP's lead for P@10 changes from 25 topics a set to the most that were tried."""
    last = read("multiverse", "growth").query("source == @name").iloc[-1]
    return Interval(last["change"], np.nan, last["change_low"], last["change_high"])


def rank_of_first(collection: Collection) -> float:
    """Return how many documents are read of a list until the first relevant one, ten at most.

    The mean over topics and over the best systems by AP.
    """
    kept = best(complete_scores(collection, "AP").mean(), SHARE)
    reciprocal = complete_scores(collection, "RR")[kept]
    return float((1 / reciprocal).clip(upper=_FIRST).mean(axis=None))
