"""Was your run in the pool?  One group's runs leave the pool, and are scored again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import Scores, scores
from lib.statistics.incomplete import leave_group_out
from lib.statistics.jackknife import jackknife
from lib.studies.spending.unjudged import (
    condensed_average_precision,
    rbp_uncertainty,
    unjudged_share,
)

DEPTHS = (5, 10, 20, 50, 100)
PERSISTENCE = 0.95
DECIMALS = 10  # of means, before systems are ranked: equal ones stay ties
NOT_RANKED = ("RBP residual", "unjudged@10", "unjudged@100")  # what is told of a run beside scores

Score = Callable[[Collection], Scores]


def _named(name: str) -> Score:
    return lambda c: scores(c, name.format(rel=c.relevant_from))


SCORED: dict[str, Score] = {
    "P@10": _named("P(rel={rel})@10"),
    "nDCG@20": _named("nDCG@20"),
    "RBP": _named(f"RBP(p={PERSISTENCE},rel={{rel}})"),
    "nDCG": _named("nDCG"),
    "AP": _named("AP(rel={rel})"),
    "Bpref": _named("Bpref(rel={rel})"),
    "condensed AP": lambda c: condensed_average_precision(c, rel=c.relevant_from),
    "RBP residual": lambda c: rbp_uncertainty(c, p=PERSISTENCE),
    "unjudged@10": lambda c: unjudged_share(c, k=10),
    "unjudged@100": lambda c: unjudged_share(c, k=100),
}


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Scores of runs with their group in the pool and without it, at one depth by one measure."""

    depth: int
    measure: str
    inside: Scores
    outside: Scores
    rank_inside: pd.Series
    rank_outside: pd.Series


def left_out(
    collection: Collection, *, depths: Sequence[int] = DEPTHS, scored: Mapping[str, Score] = SCORED
) -> list[LeftOut]:
    """Score the runs of each group by a pool that the group did not feed."""
    facts = collection.systems
    fed = facts[facts["pooled"] == "yes"]
    if fed.empty or (fed["group"].fillna("") == "").any() or fed["group"].nunique() < 2:
        raise ValueError(f"{collection.name}: the groups that fed the pool are not known")
    found = []
    for depth in depths:
        inside = _scored(collection.pooled(depth, by=fed.index), scored)
        columns: dict[str, list[pd.Series]] = {measure: [] for measure in scored}
        ranks: dict[str, list[pd.Series]] = {measure: [] for measure in scored}
        for runs, judged in leave_group_out(collection, depth, runs=fed.index):
            for measure, table in _scored(judged, scored).items():
                columns[measure].append(table[runs])
                ranks[measure].append(places(table)[runs])
        found += [
            LeftOut(
                depth=depth,
                measure=measure,
                inside=inside[measure][fed.index],
                outside=pd.concat(columns[measure], axis=1)[fed.index],
                rank_inside=places(inside[measure])[fed.index],
                rank_outside=pd.concat(ranks[measure])[fed.index],
            )
            for measure in scored
        ]
    return found


def _scored(collection: Collection, scored: Mapping[str, Score]) -> dict[str, Scores]:
    """Return scores by some measures; a topic that was not answered scores 0."""
    return {name: score(collection).fillna(0) for name, score in scored.items()}


def places(table: Scores) -> pd.Series:
    """Return the place of each system by its mean score: 1 for the best, equals share the best.

    Examples
    --------
    >>> places(pd.DataFrame({"A": [0.2, 0.4], "B": [0.5, 0.5], "C": [0.4, 0.2]})).to_dict()
    {'A': 2, 'B': 1, 'C': 2}
    """
    return table.mean().round(DECIMALS).rank(ascending=False, method="min").astype(int)


def of_runs(found: Sequence[LeftOut], systems: pd.DataFrame) -> pd.DataFrame:
    """Return what being left out costs each run."""
    tables = [
        pd.DataFrame(
            {
                "depth": one.depth,
                "measure": one.measure,
                "run": one.inside.columns,
                "group": systems.loc[one.inside.columns, "group"].to_numpy(),
                "type": systems.loc[one.inside.columns, "type"].to_numpy(),
                "inside": one.inside.mean().to_numpy(),
                "outside": one.outside.mean().to_numpy(),
                "rank_inside": _ranked(one, one.rank_inside),
                "rank_outside": _ranked(one, one.rank_outside),
            }
        )
        for one in found
    ]
    return pd.concat(tables, ignore_index=True)


def _ranked(one: LeftOut, ranks: pd.Series) -> pd.Series:
    known = ranks.astype("Int64").reset_index(drop=True)
    return known.where(pd.Series(one.measure not in NOT_RANKED, index=known.index))


def losses(found: Sequence[LeftOut], systems: pd.DataFrame) -> pd.DataFrame:
    """Sum up what being left out costs, by kind of run."""
    rows = []
    for one in found:
        facts = systems.loc[one.inside.columns]
        kinds = {"all": facts.index} | facts.groupby("type").groups
        rows += [
            {"kind": kind, "depth": one.depth, "measure": one.measure} | _loss(one, facts.loc[runs])
            for kind, runs in kinds.items()
        ]
    return pd.DataFrame(rows)


def _loss(one: LeftOut, facts: pd.DataFrame) -> dict:
    inside, outside = (table[facts.index] for table in (one.inside, one.outside))
    row = {
        "runs": len(facts),
        "groups": facts["group"].nunique(),
        "inside": inside.to_numpy().mean(),
        "outside": outside.to_numpy().mean(),
    }
    if one.measure in NOT_RANKED:
        return row
    moved = (one.rank_outside - one.rank_inside)[facts.index]
    group = pd.factorize(facts["group"])[0]
    return row | {
        "share": _share(inside.to_numpy(), outside.to_numpy()),
        "error_topics": _error(inside.to_numpy(), outside.to_numpy(), np.arange(len(inside))),
        "error_groups": _error(inside.to_numpy().T, outside.to_numpy().T, group),
        "worst": (1 - outside.mean() / inside.mean().where(lambda mean: mean > 0)).max(),
        "places": moved.mean(),
        "most": moved.max(),
    }


def _share(inside: np.ndarray, outside: np.ndarray) -> float:
    return 1 - outside.mean() / inside.mean() if inside.any() else np.nan


def _error(inside: np.ndarray, outside: np.ndarray, part: np.ndarray) -> float:
    """Return the jackknife error of the share, leaving out the rows of one part at a time."""
    parts = np.unique(part)
    if len(parts) < 2:
        return np.nan
    without = [_share(inside[part != one], outside[part != one]) for one in parts]
    return float(jackknife(_share(inside, outside), without).error)
