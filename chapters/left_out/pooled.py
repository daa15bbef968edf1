"""Was your run in the pool?  One group's runs leave the pool, and are scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.errors import InputError
from lib.measures import Scores, scores
from lib.statistics.incomplete import leave_group_out
from lib.statistics.jackknife import jackknife
from lib.statistics.left_out import system_ranks

_DEPTHS = (5, 10, 20, 50, 100)
_PERSISTENCE = 0.95
NOT_RANKED = ("RBP residual", "unjudged@10", "unjudged@100")  # shown of a run beside scores

SCORED = {  # label to measure
    "P@10": "P@10",
    "nDCG@20": "nDCG@20",
    "RBP": f"RBP(p={_PERSISTENCE})",
    "nDCG": "nDCG",
    "AP": "AP",
    "Bpref": "Bpref",
    "condensed AP": "condensedAP",
    "RBP residual": f"RBPresidual(p={_PERSISTENCE})",
    "unjudged@10": "Unjudged@10",
    "unjudged@100": "Unjudged@100",
}


TOY = {"A": "d1 d5 d2 d6", "B": "d1 d2 d5 d6", "C": "d3 d1 d7 d2"}  # runs of the worked example
TOY_RELEVANT = ("d1", "d2", "d3")
TOY_DEPTH = 2  # of its pool


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Scores of runs with their group in the pool and without it, at one depth by one measure."""

    depth: int
    measure: str
    inside: Scores
    outside: Scores
    rank_inside: pd.Series  # ranks among all systems
    rank_outside: pd.Series


def score_left_out(
    collection: Collection,
    *,
    depths: Sequence[int] = _DEPTHS,
    scored: Mapping[str, str] = SCORED,
    simulated: bool = False,
) -> list[LeftOut]:
    """Score the runs of each group by a pool to which the group did not contribute.

    A simulated pool is that of all runs, among judged documents: for collections of which it is
    not known who contributed.
    """
    facts = collection.systems
    fed = facts if simulated else facts[facts["pooled"] == "yes"]
    if fed.empty or (fed["group"].fillna("") == "").any() or fed["group"].nunique() < 2:
        raise InputError(
            f"{collection.name}: which groups contributed to the pool is not known; name them, two "
            "or more, in the column group of its systems.tsv"
        )
    scores = []
    for depth in depths:
        inside = _scored(collection.pooled(depth, by=fed.index), scored)
        without = leave_group_out(collection, depth, runs=fed.index)
        each = [(runs, _scored(judged, scored)) for runs, judged in without]
        for measure in scored:
            outside = [tables[measure][runs] for runs, tables in each]
            ranks = [system_ranks(tables[measure])[runs] for runs, tables in each]
            scores.append(
                LeftOut(
                    depth=depth,
                    measure=measure,
                    inside=inside[measure][fed.index],
                    outside=pd.concat(outside, axis=1)[fed.index],
                    rank_inside=system_ranks(inside[measure])[fed.index],
                    rank_outside=pd.concat(ranks)[fed.index],
                )
            )
    return scores


def _scored(collection: Collection, scored: Mapping[str, str]) -> dict[str, Scores]:
    """Return scores by some measures; a topic that was not answered scores 0."""
    return {label: scores(collection, name).fillna(0) for label, name in scored.items()}


def losses(scores: Sequence[LeftOut], systems: pd.DataFrame) -> pd.DataFrame:
    """Sum up what being left out costs, by kind of run."""
    rows = []
    for one in scores:
        facts = systems.loc[one.inside.columns]
        kinds = {"all": facts.index} | facts.groupby("type").groups
        of = {"depth": one.depth, "measure": one.measure}
        rows += [{"kind": k, **of, **_loss(one, facts.loc[runs])} for k, runs in kinds.items()]
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


def toy() -> Collection:
    """Return one topic, three runs of three groups, and what they found.

    Examples
    --------
    >>> toy().systems["group"].tolist()
    ['a', 'b', 'c']
    """
    runs = {run: {"1": documents.split()} for run, documents in TOY.items()}
    documents = {document for documents in TOY.values() for document in documents.split()}
    grades = {document: int(document in TOY_RELEVANT) for document in sorted(documents)}
    made = Collection.from_rankings(runs, {"1": grades}, judged=True)
    made.systems["group"] = ["a", "b", "c"]
    made.systems["pooled"] = "yes"
    made.systems["type"] = "automatic"
    return made


def by_hand() -> pd.DataFrame:
    """Return what the runs of :func:`toy` score with their group in the pool and without it.

    Examples
    --------
    >>> by_hand().loc["C", ("AP", "outside")].round(3)
    np.float64(0.5)
    """
    by_measure = {one.measure: one for one in score_left_out(toy(), depths=[TOY_DEPTH])}
    columns = {
        (measure, side): getattr(by_measure[measure], side).iloc[0]
        for measure in ("AP", "condensed AP", "unjudged@10")
        for side in ("inside", "outside")
    }
    return pd.DataFrame(columns).rename_axis("run")
