"""The grid of feedback parameters, computed in advance from the texts."""

from functools import cache

import numpy as np
import pandas as pd

from lib.measures import GS10_BASE
from lib.papers.tomlinson2006.effects import in_words, interval
from lib.papers.tomlinson2006.printed import FOUR, SYSTEMS
from lib.papers.tomlinson2006.replication import COLLECTIONS, PAIRS, POOLED, ours
from lib.paths import DATA
from lib.retrieval.experiment import FACTORS
from lib.statistics.impact import paired_scores

__all__ = [
    "four_scores",
    "grid_by_weight",
    "grid_effects",
    "grid_summary",
    "stored_grid",
    "topic_gains",
]


@cache
def stored_grid(name: str) -> pd.DataFrame:
    """Return a collection's grid, one row a setting and topic.

    Documents, terms and weight are factors of each system's own.
    """
    table = pd.read_parquet(DATA / "feedback" / f"{name}-grid" / "grid.parquet")
    return table.assign(
        **{
            parameter: table.groupby("system")[parameter]
            .rank(method="dense")
            .astype(int)
            .map(dict(enumerate(factors, 1)))  # their order tells them
            for parameter, factors in FACTORS.items()
        }
    )


def four_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Return MAP, P10, MRR and GS10 of each row of a grid, from the ranks that it stores."""
    first = table["first"].to_numpy()
    found = first > 0
    return pd.DataFrame(
        {
            "MAP": table["ap"].to_numpy() / 10_000,
            "P10": table["top10"].to_numpy() / 10,
            "MRR": np.where(found, 1 / np.maximum(first, 1), 0.0),
            "GS10": np.where(found, GS10_BASE ** (1.0 - first), 0.0),
        },
        index=table.index,
    )


@cache
def grid_effects(name: str = POOLED) -> pd.DataFrame:
    """Return the mean difference to the base run at every setting of the grid.

    Parameters
    ----------
    name : str
        One of :data:`COLLECTIONS`, or "all four": every topic counts the same.

    Returns
    -------
    DataFrame
        Index: system, and the factors of documents, terms and weight, of which (1, 1, 1) is the
        setting that was fixed beforehand; columns MAP, P10, MRR, GS10.
    """
    return _changes(name).groupby(["system", *FACTORS], sort=False)[list(FOUR)].mean()


@cache
def _changes(name):
    """Return the difference to the base run, one row a collection, setting and topic."""
    parts = []
    for each in COLLECTIONS if name == POOLED else [name]:
        table = stored_grid(each).assign(collection=each)
        base = pd.concat(
            [
                paired_scores(ours(each), PAIRS, measure)[0].stack().rename(label)
                for label, measure in FOUR.items()
            ],
            axis=1,
        )
        at = (
            table["topic"].to_numpy() * len(SYSTEMS)
            + table["system"].map({system: i for i, system in enumerate(SYSTEMS)}).to_numpy()
        )
        parts.append(table.assign(**four_scores(table) - base.to_numpy()[at].round(4)))
    return pd.concat(parts, ignore_index=True)


def grid_by_weight(name: str = POOLED) -> pd.DataFrame:
    """Return what each weight of the feedback terms does, with its error over topics.

    Parameters
    ----------
    name : str
        As for :func:`grid_effects`.

    Returns
    -------
    DataFrame
        One row a weight (as a factor of the fixed one), one column a measure: the mean difference
        over systems, documents and terms, with its 95% interval over topics.
    """
    rows = {}
    for weight, part in _changes(name).groupby("weight"):
        by_topic = part.groupby(["collection", "topic"])[list(FOUR)].mean()
        rows[f"x {weight:g}"] = in_words(interval(by_topic))
    return pd.DataFrame(rows).T.rename_axis("weight")


def grid_summary(name: str = POOLED) -> pd.DataFrame:
    """Say at how many settings of the grid feedback does what the paper says.

    Returns
    -------
    DataFrame
        One row a value of one parameter (as a factor of the fixed one), and one of all settings:
        settings (times systems), mean differences, and the share of settings where MAP rises,
        where GS10 falls, and where both happen.
    """
    effects = grid_effects(name)
    rises, falls = effects["MAP"] > 0, effects["GS10"] < 0
    shares = pd.DataFrame({"MAP rises": rises, "GS10 falls": falls, "both": rises & falls})
    table = pd.concat([effects, shares.astype(float)], axis=1).assign(settings=1)
    how = {"settings": "sum"} | dict.fromkeys([*effects, *shares], "mean")
    parts = {("all settings", ""): table.agg(how)}
    for parameter in FACTORS:
        for factor, row in table.groupby(level=parameter).agg(how).iterrows():
            parts[parameter, f"x {factor:g}"] = row
    result = pd.DataFrame(parts).T.rename_axis(["parameter", "factor"])
    return result.astype({"settings": int})


def topic_gains(
    system: str,
    measure: str,
    documents: float = 1,
    terms: float = 1,
    weight: float = 1,
    name: str = "cf",
) -> pd.DataFrame:
    """Return each topic's score without and with feedback at a setting of the grid.

    Parameters
    ----------
    system : str
        One of the seven.
    measure : str
        MAP, P10, MRR or GS10.
    documents, terms, weight : float
        Factors of the system's own numbers, among :data:`FACTORS`.
    name : str
        One of :data:`COLLECTIONS`.

    Returns
    -------
    DataFrame
        Index topic; columns base, feedback, difference.

    Raises
    ------
    ValueError
        A setting that is not in the grid.
    """
    table = stored_grid(name)
    chosen = table["system"] == system
    for parameter, factor in (("documents", documents), ("terms", terms), ("weight", weight)):
        chosen &= np.isclose(table[parameter], factor)
    if not chosen.any() or measure not in FOUR:
        raise ValueError(
            f"not in the grid: {system}, {measure}, documents x {documents:g}, "
            f"terms x {terms:g}, weight x {weight:g}"
        )
    (collection,) = ours(name)
    base = paired_scores(collection, PAIRS, FOUR[measure])[0][system].to_numpy()
    rows = table[chosen].sort_values("topic")
    frame = pd.DataFrame(
        {"base": base.round(4), "feedback": four_scores(rows)[measure].round(4).to_numpy()},
        index=collection.topics.index,
    )
    return frame.assign(difference=(frame["feedback"] - frame["base"]).round(4))
