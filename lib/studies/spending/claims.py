"""What the study says, each sentence with the number behind it, from the committed tables."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.studies.spending.read import read

SURE = 1.96  # errors from 0, by which a difference is told


@dataclass(frozen=True)
class Number:
    """A number with its error."""

    value: float
    error: float | None = None
    over: str = ""
    ends: tuple[float, float] | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95% interval; without an error both are NaN."""
        if self.ends is not None:
            return self.ends
        if self.error is None:
            return (np.nan, np.nan)
        return (self.value - SURE * self.error, self.value + SURE * self.error)


@dataclass(frozen=True)
class Claim:
    """A sentence of the chapter."""

    section: str
    says: str
    number: Callable[[], Number]
    holds: Callable[[Number], bool]


def _row(table: pd.DataFrame, **keys: object) -> pd.Series:
    """Return the one row that has these values in these columns."""
    return table.set_index(list(keys)).loc[tuple(keys.values())]


def _lost(collection: str, kind: str, depth: int, measure: str) -> Callable[[], Number]:
    def number():
        keys = {"collection": collection, "kind": kind, "depth": depth, "measure": measure}
        row = _row(read("losses"), **keys)
        return Number(row["share"], row["error_groups"], "groups")

    return number


def _most(
    collection: str, kind: str, depth: int, measure: str, column: str
) -> Callable[[], Number]:
    def number():
        keys = {"collection": collection, "kind": kind, "depth": depth, "measure": measure}
        row = _row(read("losses"), **keys)
        return Number(float(row[column]))

    return number


def _way(collection: str, way: str, depth: int, measure: str, column: str) -> Callable[[], Number]:
    def number():
        table = read("ways")
        topics = table.loc[table["collection"] == collection, "topics"].max()
        keys = {"way": way, "depth": depth, "measure": measure}
        row = _row(table, collection=collection, topics=topics, **keys)
        if column == "flattery":
            return Number(row["inside"] - row["outside"])
        over = "groups" if column.startswith("outside") else "topics"
        return Number(row[column], row[f"{column}_error"], over)

    return number


def _turned(
    source: str, measure: str, topics: int, method: str, column: str
) -> Callable[[], Number]:
    def number():
        keys = {"source": source, "measure": measure, "topics": topics, "method": method}
        row = _row(read("turns"), **keys)
        if column != "turned":
            return Number(row[column])
        return Number(
            row[column], (row["high"] - row["low"]) / 4, "sets", (row["low"], row["high"])
        )

    return number


def _coverage(pick: Callable[[pd.Series], float]) -> Callable[[], Number]:
    return lambda: Number(float(pick(read("backtest")["widened"])))


def _gain(collection: str, baseline: str, share: float) -> Callable[[], Number]:
    def number():
        row = _row(read("backtest"), collection=collection, share=share, topic_cost=0)
        low, high = row[f"{baseline}, low"], row[f"{baseline}, high"]
        return Number(row[baseline], (high - low) / 4, "tries", (low, high))

    return number


def _above(number: Number) -> bool:
    """Return whether a number is told to lie above 0."""
    return bool(number.value - SURE * (number.error or 0) > 0)


def _below(number: Number) -> bool:
    return _above(Number(-number.value, number.error))


def _within(low: float, high: float) -> Callable[[Number], bool]:
    return lambda number: bool(low <= number.value <= high)


CLAIMS = {
    "automatic-deep": Claim(
        "pooled",
        "By a pool of depth 100 an automatic run of TREC-8 that was left out loses less than 1% "
        "of its AP",
        _lost("trec8", "automatic", 100, "AP"),
        lambda number: _above(Number(0.01 - number.value, number.error)),
    ),
    "manual-deep": Claim(
        "pooled",
        "By a pool of depth 100 no manual run of TREC-8 loses more than a tenth of its AP",
        _most("trec8", "manual", 100, "AP", "worst"),
        _within(0, 0.1),
    ),
    "manual-shallow": Claim(
        "pooled",
        "By a pool of depth 10 manual runs of TREC-8 lose AP",
        _lost("trec8", "manual", 10, "AP"),
        _above,
    ),
    "manual-places": Claim(
        "pooled",
        "By a pool of depth 10 a manual run of TREC-8 loses more than 30 places by AP",
        _most("trec8", "manual", 10, "AP", "most"),
        _within(30, 128),
    ),
    "covid-precision": Claim(
        "pooled",
        "On TREC-COVID runs lose more than a twentieth of P@10 by a pool of depth 10",
        _lost("trec-covid", "all", 10, "P@10"),
        lambda number: _above(Number(number.value - 0.05, number.error)),
    ),
    "bpref-flatters": Claim(
        "pooled",
        "On TREC-8 Bpref errs to the other side: who was left out gains by it",
        _lost("trec8", "all", 100, "Bpref"),
        _below,
    ),
    "condensed-flatters": Claim(
        "pooled",
        "On TREC-8 AP of condensed lists errs to the other side too",
        _lost("trec8", "all", 100, "condensed AP"),
        _below,
    ),
    "front-trec8": Claim(
        "ways",
        "On TREC-8 move-to-front pooling predicts better than the pool of depth 5 at its cost",
        _way("trec8", "move to front", 5, "AP", "gain"),
        _above,
    ),
    "front-outside": Claim(
        "ways",
        "On TREC-8 it is the better one for systems outside the pool too",
        _way("trec8", "move to front", 5, "AP", "outside_gain"),
        _above,
    ),
    "front-trec5": Claim(
        "ways",
        "On TREC-5 it cannot be told which of the two predicts better",
        _way("trec5", "move to front", 5, "AP", "gain"),
        lambda number: not (_above(number) or _below(number)),
    ),
    "sample-covid": Claim(
        "ways",
        "On TREC-COVID a random sample with inferred AP predicts better than the pool of depth 1",
        _way("trec-covid", "sample", 1, "infAP", "gain"),
        _above,
    ),
    "sample-trec8": Claim(
        "ways",
        "On TREC-8 such a sample predicts worse than the pool of depth 20 at its cost",
        _way("trec8", "sample", 20, "infAP", "gain"),
        _below,
    ),
    "flattery": Claim(
        "ways",
        "By a pool of depth 1 systems of TREC-8 that fed it are, by the number, placed better by a "
        "tenth than outside it",
        _way("trec8", "depth", 1, "AP", "flattery"),
        lambda number: number.value > 0.1,
    ),
    "turned-robust": Claim(
        "topics",
        "Of the pairs that 50 topics of Robust 2004 tell apart by AP at 0.05, fewer than one in "
        "fifty turns round on the other 199",
        _turned("robust04", "AP", 50, "t", "turned"),
        _within(0, 0.02),
    ),
    "holm-robust": Claim(
        "topics",
        "Of those that Holm's method leaves, fewer than one in a thousand",
        _turned("robust04", "AP", 50, "Holm", "turned"),
        _within(0, 0.001),
    ),
    "coverage-low": Claim(
        "planner",
        "The widened interval of a plan holds what other topics show in 88% of the tries at least",
        _coverage(np.min),
        _within(0.88, 0.99),
    ),
    "coverage-high": Claim(
        "planner", "It does so in 99% of the tries at most", _coverage(np.max), _within(0.88, 0.99)
    ),
    "beats-precision": Claim(
        "planner",
        "On TREC-8 a plan predicts better than P@10 at half the price of depth 10",
        _gain("trec8", "P@10", 0.5),
        _above,
    ),
    "beats-precision-covid": Claim(
        "planner",
        "On TREC-COVID too a plan predicts better than P@10 at half the price of depth 10",
        _gain("trec-covid", "P@10", 0.5),
        _above,
    ),
    "beats-depth-10": Claim(
        "planner",
        "At that price it predicts better than AP from the pool of depth 10 on TREC-8",
        _gain("trec8", "AP of depth 10", 0.5),
        _above,
    ),
    "beaten-dl19": Claim(
        "planner",
        "On DL 2019 a plan from 21 topics does not beat P@10",
        _gain("dl19", "P@10", 0.5),
        lambda number: not _above(number),
    ),
    "level-at-full-price": Claim(
        "planner",
        "At the full price of depth 10 there is nothing to win on TREC-COVID: it is the plan",
        _gain("trec-covid", "AP of depth 10", 1.0),
        lambda number: abs(number.value) < 0.001,
    ),
}


def claims() -> pd.DataFrame:
    """Return all claims with the numbers behind them.

    Examples
    --------
    >>> bool(claims().loc["manual-shallow", "holds"])
    True
    """
    rows = {}
    for name, claim in CLAIMS.items():
        number = claim.number()
        rows[name] = {
            "section": claim.section,
            "says": claim.says,
            "number": number.value,
            "error": number.error,
            "low": number.interval[0],
            "high": number.interval[1],
            "over": number.over,
            "holds": bool(claim.holds(number)),
        }
    return pd.DataFrame.from_dict(rows, orient="index")
