"""People beside people, and machines beside runs that are made with their like.

Second people judged part of the documents of DL 2019 again; what they did not label is not
relevant, or is left out.  Newer runs of 2019 and 2020 re-rank the same first stages with models
that also judge, and with others.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd

from chapters.data_tables import read
from chapters.machines import judging, strictness
from chapters.machines.judging import PEOPLE, machines, scores_by
from chapters.machines.questions import as_asked, phi_between, power_of
from lib.conventions import ALPHA, DECIMALS
from lib.estimates import Estimate, without_each_topic
from lib.intervals import ENDS, Interval
from lib.measures import Scores
from lib.statistics.correlation import kendall, pair_signs
from lib.statistics.significance import t_test

MEASURE = "nDCG@10"
EIGHT = tuple("ABCDEFGH")
AMONG = "the eight"
# Re-rankers of the newer runs, each from both first stages.
_STAGES = ("bm25", "colbert")
_GPT = ("rankgpt4", "rankgpt4-turbo", "rankgpt4o", "rankgpt4o-full")
_OTHERS = ("monoelectra-base", "monoelectra-large", "set-encoder-base", "set-encoder-large")
_RERANKERS = {"GPT": _GPT, "RankZephyr": ("rankzephyr",)}
# Submitted runs whose names are those of lexical baselines.
_LEXICAL = r"(?:bm25(?:base|tuned)|UNH_bm25|p(?:aug)?_bm25(?:rm3)?$|terrier-|indri-)"


def _with_the_track(track: str, judge: str, on: str, compare: Callable[..., float]) -> Estimate:
    """Compare the scores of a judge and of the track, and again without each topic."""
    both = {by: scores_by(track, by, MEASURE, on) for by in (judge, PEOPLE)}
    return without_each_topic(both, lambda of: compare(*(one.to_numpy() for one in of.values())))


def _order(mine: np.ndarray, theirs: np.ndarray) -> float:
    means = (of.mean(axis=0).round(DECIMALS) for of in (mine, theirs))
    return kendall(*means, variant="b")


def _shared_pairs(mine: np.ndarray, theirs: np.ndarray) -> float:
    """Return the share of one judge's significant pairs that are another's, ordered alike."""
    signs = [np.where(t_test(of) < ALPHA, pair_signs(of.mean(axis=0)), 0) for of in (mine, theirs)]
    return float(np.mean(signs[0][signs[0] != 0] == signs[1][signs[0] != 0]))


_OTHER_TOPICS = "other topics"
PEOPLE_QUESTIONS = {
    "kappa": judging.kappa,
    "order": lambda track, judge, on: _with_the_track(track, judge, on, _order),
    _OTHER_TOPICS: lambda track, judge, on: phi_between(
        track, (judge, MEASURE), (PEOPLE, MEASURE), on
    ),
    "pairs": lambda track, judge, on: _with_the_track(track, judge, on, _shared_pairs),
    "power": lambda track, judge, on: power_of(track, judge, MEASURE, on),
}
# What does not depend on where grades are cut, or takes the best cut of each judge.
OF_GRADES = {
    strictness.BEST_CUT: strictness.kappa_at_best_cut,
    strictness.AUC: strictness.area_of_grades,
}


@cache
def asked(track: str, judge: str, question: str, on: str = judging.ZERO) -> Estimate:
    """Return a number of a judge and the track's people, of the same documents."""
    return (PEOPLE_QUESTIONS | OF_GRADES)[question](track, judge, on)


def second_people(track: str, question: str, on: str = judging.ZERO) -> Estimate:
    """Return the mean of both second people; an InputError says where there are none."""
    judging.judged_again(track)
    one, other = (asked(track, judge, question, on) for judge in judging.SECOND)
    return (one + other).map(lambda value: value / 2)


def beside_second_people(
    track: str,
    judge: str,
    question: str,
    on: str = judging.ZERO,
    *,
    topics: str = "",
    systems: str = "",
) -> Interval:
    """Return the machine's number minus second people's: below 0 the machine is worse."""
    if systems or topics:
        as_asked(systems, topics, halves=question == _OTHER_TOPICS)
    return (asked(track, judge, question, on) - second_people(track, question, on)).interval()


def people_beside_people(track: str, on: str = judging.ZERO) -> pd.DataFrame:
    """Return each number of second people, and of each machine the number and the difference.

    Index question, judge.  Columns people (the mean of both), machine; estimate, low, high of the
    difference.
    """
    rows = {}
    for question in PEOPLE_QUESTIONS:
        people = second_people(track, question, on).value
        for judge in machines(track):
            both = {"people": people, "machine": asked(track, judge, question, on).value}
            rows[question, judge] = both | beside_second_people(track, judge, question, on).row()
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["question", "judge"])


def table_of_cuts(track: str) -> pd.DataFrame:
    """Return second people's agreement with the track, and each machine's minus theirs.

    Index: kappa, kappa at the best cut, and the area, each by what becomes of documents without a
    second label.  Columns: second people; estimate, low, high of each machine with grades enough.
    """
    rows = {}
    for question in ("kappa", *OF_GRADES):
        for on in (judging.ZERO, judging.LEFT_OUT):
            row = {("second people", "estimate"): second_people(track, question, on).value}
            for judge in machines(track):
                if question != strictness.AUC or judging.scales().loc[judge, "highest"] > 1:
                    found = beside_second_people(track, judge, question, on).row()
                    row |= {(judge, name): number for name, number in found.items()}
            rows[question, on] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["question", "others"])


def lead_as_second_person(track: str, judge: str) -> Interval:
    """Return how much more a judge agrees with second people than these do with each other.

    Kappa on the documents that both labelled, the mean over the two.
    """
    judging.judged_again(track)
    own, *with_each = (
        judging.kappa(track, one, judging.LEFT_OUT, beside=other)
        for one, other in (judging.SECOND, *((judge, second) for second in judging.SECOND))
    )
    return ((with_each[0] + with_each[1]).map(lambda both: both / 2) - own).interval()


def dealt_anew(track: str, draws: int = 500, seed: int = 2019) -> tuple[float, float]:
    """Return within which tau-b with the track lies if a coin names the first of second people.

    The ends of the middle 95% of draws, topic by topic, other documents not relevant.
    """
    judges = (*judging.SECOND, PEOPLE)
    one, two, theirs = (scores_by(track, by, MEASURE, judging.ZERO).to_numpy() for by in judges)
    coins = np.random.default_rng(seed).random((draws, len(theirs), 1)) < 0.5
    taus = [_order(np.where(coin, one, two), theirs) for coin in coins]
    low, high = np.quantile(taus, [ALPHA / 2, 1 - ALPHA / 2])
    return float(low), float(high)


def among_eight() -> pd.DataFrame:
    """Return how far judges agree with the eight on the documents that all of these judged.

    Index judge.  Cohen's kappa with one of the eight other than oneself: estimate, the mean; low,
    high, the least and the most.  :data:`AMONG` is over the pairs of the eight.

    Examples
    --------
    >>> among_eight().loc[AMONG, "low"] > 0
    np.True_
    """
    table = read("judges", "eight")
    judges = [*EIGHT, PEOPLE, *(one for one in machines("dl19") if one in table)]
    cutoffs = judging.scales()["relevant_from"]
    cutoffs = cutoffs.reindex(judges, fill_value=cutoffs[PEOPLE])
    known, yes = table[judges] >= 0, table[judges] >= cutoffs

    def kappa_of(one: str, other: str) -> float:
        a, b = (yes.loc[known[one] & known[other], judge] for judge in (one, other))
        cells = [[(x & y).sum() for y in (b, ~b)] for x in (a, ~a)]
        return judging.weighted_kappa(np.array(cells, float))

    of = {AMONG: [kappa_of(*pair) for pair in combinations(EIGHT, 2)]}
    of |= {judge: [kappa_of(judge, one) for one in EIGHT if one != judge] for judge in judges}
    rows = {name: (np.mean(kappas), min(kappas), max(kappas)) for name, kappas in of.items()}
    return pd.DataFrame(rows, ENDS).T.rename_axis("judge")


@cache
def favours(judge: str, runs: str = "GPT", on: str = judging.ALL) -> Interval:
    """Return how much more a judge than the people puts some re-rankers above the others.

    By nDCG@10, mean of two first stages, in standard deviations of the submitted runs by each;
    mean of DL 2019 and 2020, with its interval over topics, and over re-rankers in both years
    where there are some.
    """

    def both(left_out: str = "") -> list[np.ndarray]:
        return [_favour(track, judge, runs, on, left_out) for track in ("dl19", "dl20")]

    (one, *without_one), (other, *without_other) = both()
    topics = [*(x + other for x in without_one), *(one + x for x in without_other)]
    rerankers = [name for name in (*_RERANKERS[runs], *_OTHERS) if len(_RERANKERS[runs]) > 1]
    groups = [sum(year[0] for year in both(name)) for name in rerankers]
    estimate = Estimate(one + other, tuple(topics), tuple(groups)).map(lambda value: value / 2)
    return estimate.interval(groups=bool(rerankers))


def _favour(track: str, judge: str, runs: str, on: str, left_out: str) -> np.ndarray:
    """Return the number of one year without a re-ranker: on all topics, then without each."""

    def gap(by: str) -> np.ndarray:
        newer, submitted = (scores_by(track, by, MEASURE, on, newer=new) for new in (True, False))
        means = _means(newer)
        some, others = (
            means[:, newer.columns.isin([f"{stage}_{name}" for stage in _STAGES for name in names])]
            for names in ({*_RERANKERS[runs]} - {left_out}, {*_OTHERS} - {left_out})
        )
        return (some.mean(axis=1) - others.mean(axis=1)) / _means(submitted).std(axis=1, ddof=1)

    return gap(judge) - gap(PEOPLE)


def _means(scores: Scores) -> np.ndarray:
    """Return the runs' means over all topics, then without each: shape (1 + topics, runs)."""
    values = scores.to_numpy()
    total = values.sum(axis=0)
    return np.vstack([total / len(values), (total - values) / (len(values) - 1)])


def neural(track: str, judge: str, unit: str = "sd") -> Estimate:
    """Return how much more than the people a judge puts other submitted runs above lexical ones.

    By nDCG@10; in standard deviations over runs ("sd"), or in mean ranks ("ranks").
    """
    lexical = scores_by(track, PEOPLE, MEASURE).columns.str.match(_LEXICAL)

    def gap(scores: np.ndarray) -> float:
        means = scores.mean(axis=0)
        place = pd.Series(means).rank().to_numpy() if unit == "ranks" else means / means.std(ddof=1)
        return place[~lexical].mean() - place[lexical].mean()

    return _with_the_track(track, judge, judging.ALL, lambda mine, theirs: gap(mine) - gap(theirs))


def favours_of_newer(_: str, judge: str, runs: str = "GPT", on: str = judging.ALL) -> Interval:
    """Return what :func:`favours` returns, of the newer runs of 2019 and 2020."""
    return favours(judge, runs, on)
