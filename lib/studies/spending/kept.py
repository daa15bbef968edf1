"""What the book's collections tell as pilots, kept: a plan from one of them takes no minute."""

from functools import cache

import numpy as np
import pandas as pd

from lib.collection import about
from lib.studies.spending.pilot import Pilot, Told
from lib.studies.spending.read import read

KEPT = ("trec8", "trec5", "trec-covid", "dl19", "dl21")
# What a plan is told from: splits of the pilot's topics, and partings for the error over topics.
NUMBER, TIMES = 100, 4


def pools_of(pilot: Pilot) -> pd.DataFrame:
    """Return what the planner asks of a pilot beside its scores."""
    table = pilot.pools.rename_axis("depth").rename("pool").reset_index()
    return table.assign(topics=pilot.topics, systems=pilot.systems, pooled=pilot.pooled)


def curves_of(told: Told) -> pd.DataFrame:
    """Return the curves of all settings, each with those for the error over topics."""
    rows = []
    for at, (depth, measure) in enumerate(told.pilot.settings.itertuples(index=False)):
        rows.append((depth, measure, 0, 0, *told.curves[at]))
        without = told.without(at)
        rows += [
            (depth, measure, parting + 1, group + 1, *without[parting, group])
            for parting, group in np.ndindex(without.shape[:2])
        ]
    return pd.DataFrame(rows, columns=["depth", "measure", "parting", "group", "a", "b"])


@cache
def kept(name: str) -> Told:
    """Return what a collection of the book tells as a pilot, from the committed tables.

    Examples
    --------
    >>> told = kept("trec8")
    >>> told.pilot.topics, told.pilot.systems, len(told.pilot.settings)
    (50, 129, 24)
    """
    if name not in KEPT:
        raise ValueError(f"name must be one of {', '.join(KEPT)}, not {name!r}")
    pools = read("pilots").query("collection == @name").set_index("depth")
    curves = read("curves").query("collection == @name")
    whole = curves[curves["parting"] == 0]
    settings = whole[["depth", "measure"]].reset_index(drop=True)
    parted = curves[curves["parting"] > 0]
    shape = len(settings), parted["parting"].max(), parted["group"].max(), 2
    without = parted[["a", "b"]].to_numpy().reshape(shape)
    facts = pools.iloc[0]
    pilot = Pilot(
        title=about(name)["short_title"],
        settings=settings,
        scores=np.empty((len(settings), facts["topics"], 0)),
        target=np.empty((facts["topics"], 0)),
        pools=pools["pool"],
        systems=int(facts["systems"]),
        pooled=bool(facts["pooled"]),
    )
    return Told(pilot, whole[["a", "b"]].to_numpy(), without.__getitem__)
