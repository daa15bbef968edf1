"""What the paper prints, and its Tables 1 and 2 from systems of our own on public collections.

The paper's runs are not public: what ours show reproduces no number of it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger import published
from chapters.ledger.published import cells
from lib.collection import Collection, Pairs, load
from lib.decisions import INCONCLUSIVE, above, below, decide
from lib.display.prose import enumeration, intervals
from lib.intervals import Interval, minus_signs
from lib.measures import parse
from lib.measures.names import arithmetic
from lib.paths import DATA, short_title
from lib.statistics.impact import OUTCOMES, counts, impact, paired_scores
from lib.statistics.jackknife import jackknife
from lib.statistics.multiplicity import holm

# The 30 measures of Table 2: the paper's label, and our name.
MEASURES = {
    "GS10": "GS10",
    **{f"S{k}": f"Success@{k}" for k in (1, 5, 10, 1000)},
    "MRR": "RR",
    **{f"P{k}": f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)},
    "R-Prec": "Rprec",
    "MAP": "AP",
    "GMAP": "GMAP",
    "bpref": "Bpref",
    **{f"I{share}": f"IPrec@{share / 100}" for share in range(0, 101, 10)},
}
# I0, interpolated precision at recall 0, is the highest precision at any rank: it need not be that
# of the first relevant document, and is no part of that family.
MEASURE_FAMILIES = {
    "the first relevant document": ("GS10", "S1", "S5", "S10", "S1000", "MRR"),
    "the rank of the highest precision": ("I0",),
    "precision at a depth": (*(label for label in MEASURES if label[0] == "P"), "R-Prec"),
    "the whole list": ("MAP", "GMAP", "bpref", *(f"I{share}" for share in range(10, 101, 10))),
}
# The four measures of Table 1, in its order.
FOUR = {"MAP": "AP", "P10": "P@10", "MRR": "RR", "GS10": "GS10"}

SYSTEM_NAMES = ("albany", "city", "clarit", "cmu", "sabir", "umass", "waterloo")
RUN_PAIRS = tuple((system, f"{system}.base", f"{system}.feedback") for system in SYSTEM_NAMES)
# Two systems with their feedback weights as they were read before any result was seen.
FIRST_READING = tuple(
    (system, base, f"{system}.first-reading" if system in ("albany", "waterloo") else feedback)
    for system, base, feedback in RUN_PAIRS
)
_NAMES = ("cf", "cisi", "npl", "nftest", "cran", "cacm")
TITLES = {name: short_title(f"feedback/{name}") for name in _NAMES}
COUNTER_EXAMPLES = {name: TITLES[name] for name in ("cran", "cacm")}
COLLECTIONS = {name: title for name, title in TITLES.items() if name not in COUNTER_EXAMPLES}
POOLED = "all four"
TOGETHER = {
    POOLED: list(COLLECTIONS),
    "without NFCorpus": [name for name in COLLECTIONS if name != "nftest"],
    "all six": list(TITLES),
}

RISES, FALLS, _SAME = "rises", "falls", "no change"


@cache
def as_printed(number: int) -> pd.DataFrame:
    """Return Table 1 or 2 as printed, in numbers.

    >>> as_printed(1).loc["clarit difference"].to_dict()
    {'AP': 0.026, 'P@10': 0.024, 'RR': 0.026, 'GS10': -0.014}
    """
    return published.printed("tomlinson2006", f"Table {number}").astype(float)


def poster() -> pd.DataFrame:
    """Return what the author's poster prints of six measures and seven systems.

    It marks with a star what the paper has in bold, which the copy of the paper that the book was
    made from has lost: significant at the 5% level.

    >>> poster().loc[("clarit", "P10")].to_dict()
    {'difference': '+0.02', 'significant': True}
    """
    table = pd.read_csv(DATA / "poster06" / "differences.csv", dtype=str)
    table["significant"] = table["significant"] == "yes"
    return table.set_index(["system", "measure"])


def stars(poster: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Set the five counts that the poster's stars give beside those of the printed Table 2."""
    sign = poster["difference"].str[0].map({"-": "n", "+": "p"})
    outcome = sign + poster["significant"].map({True: "s", False: "o"})
    counted = pd.crosstab(outcome.index.get_level_values("measure"), outcome.to_numpy())
    counted = counted.reindex(columns=OUTCOMES, fill_value=0)
    labels = [label for label in printed.index if label in counted.index]
    both = pd.DataFrame({"poster": five_counts(counted), "Table 2": five_counts(printed)}, labels)
    return both.assign(same=np.where(both["poster"] == both["Table 2"], "yes", "no"))


def five_counts(table: pd.DataFrame) -> pd.Series:
    """Return the five counts of each row in one cell that no line break divides."""
    return table[list(OUTCOMES)].astype(int).astype(str).agg("\u00a0".join, axis=1)


def table1(collection: Collection, *, pairs: Pairs = ()) -> pd.DataFrame:
    """Mean impact on four measures, system by system, as cells: Table 1.

    Pairs are (system, base run, feedback run).

    >>> ours = table1(load("feedback/cf"), pairs=RUN_PAIRS)
    >>> ours.astype({"value": float}).round(3).head(3)
                     row column  value  error
    0        albany base     AP  0.278    0.0
    1    albany feedback     AP  0.319    0.0
    2  albany difference     AP  0.041    0.0
    """
    names = {"base": "before", "feedback": "after", "difference": "difference"}
    return cells(
        (f"{row.system} {name}", FOUR[row.measure], getattr(row, column))
        for row in impact(collection, pairs, FOUR).itertuples()
        for name, column in names.items()
    )


def table2(collection: Collection, *, pairs: Pairs = ()) -> pd.DataFrame:
    """Mean impact on 30 measures and its significance, as cells: Table 2; see :func:`table1`."""
    table = counts(impact(collection, pairs, MEASURES))
    return cells(
        (label, column, value) for label, row in table.iterrows() for column, value in row.items()
    )


def wide(table: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """Lay an impact on the four measures out as Table 1 is, and which of it is significant."""
    table = table.set_index(["system", "measure"])
    numbers = table[["before", "after", "difference"]].set_axis(
        ["base", "feedback", "difference"], axis=1
    )
    numbers = numbers.stack().unstack("measure")[list(FOUR)]
    numbers = numbers.rename_axis(index=["system", ""], columns=None)
    of = table["outcome"].isin(["ns", "ps"]).unstack()[list(FOUR)].to_numpy().repeat(3, axis=0)
    return numbers, of & (numbers.index.get_level_values(1) == "difference")[:, None]


def hypothesis(table: pd.DataFrame) -> tuple[int, int]:
    """Count in an impact the differences with the sign that the paper expects: all, significant.

    AP and P@10 rise, RR and GS10 fall.
    """
    rises = table["measure"].isin(["MAP", "P10"])
    same = table["difference"] * np.where(rises, 1, -1) > 0
    return same.sum(), (same & table["outcome"].isin(["ns", "ps"])).sum()


# What feedback does to systems on average, with the error that other topics would make.


def effects(
    collections: Collection | Sequence[Collection], pairs: Pairs, measures: Mapping[str, str]
) -> pd.DataFrame:
    """Return the mean change over systems by each measure, with its 95% interval over topics.

    The interval is the jackknife's: one topic at a time is left out, for all systems together, so
    that what they share on a topic counts once.  Columns difference, error, low, high and
    direction (:func:`directions`).

    >>> runs = {"A": {t: ["x", "r"] for t in "123"}, "A+": {t: ["r", "x"] for t in "123"}}
    >>> toy = Collection.from_rankings(runs, {t: {"r": 1} for t in "123"})
    >>> effects(toy, [("A", "A", "A+")], {"MRR": "RR", "P2": "P@2"})["direction"].to_dict()
    {'MRR': 'rises', 'P2': 'no change'}
    """
    whole, parts = [], []
    for measure in measures.values():
        average = parse(measure).definition.average
        before, after = (_means(of, average) for of in paired_scores(collections, pairs, measure))
        whole.append((after[0] - before[0]).mean())
        parts.append((after[1] - before[1]).mean(axis=1))
    change = jackknife(np.array(whole), np.transpose(parts))
    return _directed(change, pd.Index(measures, name="measure"))


def _means(
    scores: pd.DataFrame, average: Callable[..., Any] = arithmetic
) -> tuple[np.ndarray, np.ndarray]:
    """Average the scores of each system over all topics, and over all but one."""
    values, topics = scores.to_numpy(), len(scores)
    total = values.sum(axis=0)
    return average(total, topics), average(total - values, topics - 1)


def _directed(change: Interval, labels: pd.Index) -> pd.DataFrame:
    """Return a table of intervals, with the direction of each."""
    table = change.to_frame().set_axis(labels).drop(columns="freedom").round(10) + 0.0
    table = table.rename(columns={"estimate": "difference"})
    return table.assign(direction=directions(Interval.read(table, "difference")))


def interval(change: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each column of changes (topics x anything), with its 95% interval.

    >>> interval(pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, -0.3]}))["direction"].to_dict()
    {'A': 'inconclusive', 'B': 'inconclusive'}
    """
    return _directed(jackknife(*_means(change)), change.columns)


def directions(change: Interval) -> np.ndarray:
    """Say of each interval which direction it decides; zero at both ends is no change.

    >>> directions(Interval.of([0.2, -0.2, 0.2, 0.0], [0.1, 0.1, 0.2, 0.0])).tolist()
    ['rises', 'falls', 'inconclusive', 'no change']
    """
    rise, none = above(), (change.low == 0) & (change.high == 0)
    choices = [none, rise.supported(change), rise.contradicted(change)]
    return np.select(choices, [_SAME, RISES, FALLS], INCONCLUSIVE)


# The experiment repeated with our systems: on one collection by its name, or on some pooled.


def ours(name: str = POOLED) -> list[Collection]:
    """Return our collections with the runs of our systems: one by its name, or all of TOGETHER."""
    return [_loaded(f"feedback/{each}") for each in TOGETHER.get(name, [name])]


_loaded = cache(load)


def feedback_change(population: str, label: str) -> Interval:
    """Return the mean change by feedback over our systems, on one of our collections or on four."""
    name = {"feedback": POOLED, "feedback-six": "all six"}.get(population)
    return _intervals(name or population.rpartition("/")[2]).loc[label]


def _intervals(name: str) -> pd.Series:
    """Return the mean change over our systems by each of the 30 measures, as intervals."""
    freedom = sum(len(one.topics) for one in ours(name)) - 1
    rows = changes(name).iterrows()
    return pd.Series({x: Interval.of(of["difference"], of["error"], freedom) for x, of in rows})


def thirty() -> pd.DataFrame:
    """Decide for each of the 30 measures whether it changes in the direction that is printed.

    Columns word and side, after Holm's correction for all thirty.

    >>> thirty()["side"].value_counts().to_dict()
    {'supports': 28, 'inconclusive': 1, 'contradicts': 1}
    """
    printed = np.sign(as_printed(2)["difference"])
    asked = [above() if sign > 0 else below() for sign in printed]
    changed = _intervals(POOLED)
    adjusted = holm([bound.p_value(one) for bound, one in zip(asked, changed)])
    decided = [decide(one, bound, p) for one, bound, p in zip(changed, asked, adjusted)]
    return pd.DataFrame(
        {"word": [d.word for d in decided], "side": [d.side for d in decided]}, changed.index
    )


def in_printed_order() -> dict[str, str]:
    """Return the 30 measures in the order of the printed Table 2: label to name."""
    return {label: MEASURES[label] for label in as_printed(2).index}


@cache
def replication() -> pd.DataFrame:
    """Return the impact on our systems by all 30 measures."""
    return impact(ours(), RUN_PAIRS, in_printed_order())


@cache
def changes(name: str = POOLED, *, pairs: Pairs = RUN_PAIRS) -> pd.DataFrame:
    """Return the mean change over our systems by all 30 measures, with its error over topics.

    As of :func:`effects`, and signs: "agree" or "differ" with the printed, or "inconclusive"; no
    change on any topic differs.
    """
    changed = effects(ours(name), pairs, in_printed_order())
    paper = np.sign(as_printed(2)["difference"]).map({-1: FALLS, 1: RISES})
    signs = (changed["direction"] == paper).map({True: "agree", False: "differ"})
    return changed.assign(signs=signs.where(changed["direction"] != INCONCLUSIVE, INCONCLUSIVE))


def table2_beside_printed() -> pd.DataFrame:
    """Set our Table 2, of all four collections, beside the printed one."""
    paper, own = as_printed(2), changes()
    columns = {
        ("paper", "difference"): paper["difference"].map(lambda x: minus_signs(f"{x:+.3f}")),
        ("paper", "ns no z po ps"): five_counts(paper),
        ("ours", "difference [95% over topics]"): intervals(own, "difference"),
        ("ours", "ns no z po ps"): five_counts(counts(replication())),
        ("signs", ""): own["signs"],
    }
    return pd.DataFrame(columns).rename_axis("measure")


def signs(pairs: Pairs = RUN_PAIRS) -> pd.DataFrame:
    """Count by collection the measures whose mean difference has the sign of the printed one.

    agree: of 30, by the sign alone; the others where the interval over topics decides, and
    "differ, decided" has names.
    """
    paper = np.sign(as_printed(2)["difference"])
    rows: dict[str, dict[str, int | str]] = {}
    for name in (*COLLECTIONS, *TOGETHER, *COUNTER_EXAMPLES):
        change = changes(name, pairs=pairs)
        signs = change["signs"]
        rows[TITLES.get(name, name)] = {
            "topics": sum(len(collection.topics) for collection in ours(name)),
            "agree": int((np.sign(change["difference"]) == paper).sum()),
            "agree, decided": int((signs == "agree").sum()),
            "differ, decided": enumeration(MEASURES[x] for x in signs.index[signs == "differ"]),
            INCONCLUSIVE: int((signs == INCONCLUSIVE).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def depths() -> pd.DataFrame:
    """Compare what feedback does to Success@k and to P@k, depth by depth, with the printed.

    Columns source, measure ("Success@k" or "P@k"), k, difference (mean over the systems), low and
    high: its 95% interval over topics, unknown for the paper's.
    """
    at = (1, 2, 3, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
    keys = pd.MultiIndex.from_product([("Success@k", "P@k"), at], names=["measure", "k"])
    measures = {f"{kind[0]}{k}": kind.replace("k", str(k)) for kind, k in keys}
    paper = as_printed(2)["difference"]
    paper = pd.concat([paper, pd.Series({"P1": paper["S1"]})])  # one number, of both kinds
    parts = {"paper": paper.reindex(list(measures)).set_axis(keys).dropna().to_frame("difference")}
    for name in ("cf", POOLED):
        parts[TITLES.get(name, name)] = effects(ours(name), RUN_PAIRS, measures).set_axis(keys)
    table = pd.concat(parts, names=["source"])[["difference", "low", "high"]].reset_index()
    return table.sort_values(["source", "measure", "k"], kind="stable", ignore_index=True)
