"""What the sixteen collections that suggested the law of leads say of leads on another one."""

from collections.abc import Sequence

import numpy as np

from chapters.data_tables import read
from chapters.elsewhere.confirmation import NEW_COLLECTIONS
from lib.collection import Collection
from lib.paths import DATA
from lib.statistics.law import Law


def older_laws(measure: str, target: str) -> dict[str, Law]:
    """Return the law of a measure and a target by collection, without copies of runs.

    There is one of AP and P@10, and of AP and RR, either way; it is fitted at some 25 topics a set.

    >>> len(older_laws("AP", "P@10")), len(older_laws("RR", "AP")), older_laws("AP", "nDCG@10")
    (16, 15, {})
    """
    if measure == target:
        return {}
    table = read("law", "foretold").query("runs == 'without copies' and fitted > 10")
    other = target if measure == "AP" else measure
    rows = table[table["target"] == other] if "AP" in (measure, target) else table[:0]
    found = {}
    for row in rows.drop_duplicates("collection").itertuples():
        noise = np.array([row.noise_ap, row.noise])
        validity = np.array([[1, row.validity], [row.validity, 1]])
        found[row.collection] = Law(noise if measure == "AP" else noise[::-1], validity)
    return found


def older_leads(
    collection: Collection, measures: Sequence[str], target: str, topics: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the leads by the law on the book's collections but a given one: mean and deviation.

    Both are measures x topics; NaN where the book has no law of a measure and the target.

    >>> from lib import load
    >>> mean, deviation = older_leads(load("trec8"), ["AP", "RBP(p=0.9)"], "P@10", [10, 100])
    >>> mean.round(3).tolist(), deviation.round(3).tolist()
    ([[-0.015, -0.132], [nan, nan]], [[0.042, 0.097], [nan, nan]])
    """
    mean, deviation = np.full((2, len(measures), len(topics)), np.nan)
    for place, measure in enumerate(measures):
        laws = older_laws(measure, target)
        others = [law for name, law in laws.items() if not _is(collection, name)]
        if others:
            leads = np.array([[law.lead(n)[0, 1] for n in topics] for law in others])
            mean[place], deviation[place] = leads.mean(axis=0), leads.std(axis=0, ddof=1)
    return mean, deviation


def _is(collection: Collection, name: str) -> bool:
    """Return whether a collection is one of the sixteen, by its hashes."""
    folder = NEW_COLLECTIONS[name].folder if name in NEW_COLLECTIONS else name
    return (DATA / folder / "hits.parquet").is_file() and collection.is_package(folder)
