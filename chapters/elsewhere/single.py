"""One measure that is to stand for seven: how well each predicts them, and how far it falls behind.

The gains over P@10 are of the three new collections; which measure is the safe choice is asked of
all eight collections of which enough measures are known, those that the claims came from too.
"""

from functools import cache, partial

import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere import quantities
from chapters.elsewhere.confirmation import (
    MEASURES,
    NEW_COLLECTIONS,
    RBP_90,
    TARGETS,
    committed_estimates,
    mean_by_claim,
    source,
)
from chapters.elsewhere.sources import Source
from lib.collection import load
from lib.intervals import Interval
from lib.measures import complete_scores
from lib.paths import short_title
from lib.statistics.random_effects import plain_mean

P10 = "P@10"
_RIVALS = (RBP_90, "AP", "Rprec", "P@20")  # of P@10
PAIRS = (*((rival, P10) for rival in _RIVALS), (RBP_90, "AP"))
CANDIDATES = (RBP_90, "AP", "Rprec", "P@5", P10, "P@20", "P@30")
OLDER = ("trec5", "trec8", "trec-covid", "dl19", "dl21")
ALL_TARGETS, NEITHER_OWN = "seven", "not their own"
SIZES = (10, quantities.HALF)  # topics a set; half of them where there are fewer
_SPLITS_A_TOPIC, _SPLITS = 400, 4000


@cache
def compared_runs(name: str) -> Source:
    """Return the runs of a collection that its claims are asked of, by all that are compared."""
    if name in NEW_COLLECTIONS:
        return source(name, "O2")
    scores = complete_scores(load(name), [*MEASURES, RBP_90])
    return Source(name, short_title(name), None, scores)


def targets_of(one: str, other: str, which: str) -> list[str]:
    """Return the measures that two are to predict: all seven, or those that are neither of the two.

    >>> targets_of("AP", "P@10", NEITHER_OWN)
    ['RR', 'P@5', 'P@20', 'P@30', 'Rprec']
    """
    return [t for t in TARGETS if which == ALL_TARGETS or t not in (one, other)]


def _gain(one: str, other: str, which: str, phi: pd.DataFrame) -> float:
    of = targets_of(one, other, which)
    return float((phi.loc[one, of] - phi.loc[other, of]).mean())


def gains() -> pd.DataFrame:
    """Return by how much the first measure of a pair predicts better than the second.

    Columns one, other, targets, collection, estimate, error, freedom, low, high.
    """
    rows = []
    for name in NEW_COLLECTIONS:
        labels = tuple(dict.fromkeys((*CANDIDATES, *TARGETS)))
        power = quantities.phi_of(compared_runs(name), labels, for_error=_SPLITS_A_TOPIC)
        for one, other in PAIRS:
            for which in (ALL_TARGETS, NEITHER_OWN):
                by = power.map(partial(_gain, one, other, which))
                interval = {key: float(number) for key, number in vars(by.interval()).items()}
                known = {"one": one, "other": other, "targets": which, "collection": name}
                rows.append(known | interval)
    return pd.DataFrame(rows)


def told_of_seven() -> pd.DataFrame:
    """Return how well each candidate predicts the seven measures, on each collection.

    Columns collection, topics (asked for in a set), measure, power (a mean of tau-b).
    """
    labels = tuple(dict.fromkeys((*CANDIDATES, *TARGETS)))
    rows = []
    for name in (*OLDER, *NEW_COLLECTIONS):
        for size in SIZES:
            one = compared_runs(name)
            phi = quantities.phi_of(one, labels, size=size, number=_SPLITS, for_error=0).value
            told = phi.loc[[*CANDIDATES], [*TARGETS]].mean(axis=1)
            rows += [[name, size, measure, power] for measure, power in told.items()]
    return pd.DataFrame(rows, columns=["collection", "topics", "measure", "power"])


def means_of_gains() -> dict[tuple[str, str, str], Interval]:
    """Return the plain mean of each gain over the three new collections; O2 as it was registered.

    >>> print(means_of_gains()["RBP(p=0.9)", "P@10", "seven"])
    +0.019 [+0.012, +0.025]
    """
    by = read("confirmation", "single").groupby(["one", "other", "targets"], sort=False)
    means = {k: plain_mean(own["estimate"], own["error"], own["freedom"]) for k, own in by}
    return means | {(RBP_90, P10, ALL_TARGETS): mean_by_claim(committed_estimates())["O2"]}


def rivals() -> pd.DataFrame:
    """Return the gains over P@10 of all that could replace it, as texts; RBP beside AP comes last.

    Columns seven measures, and those that are not their own.
    """
    found = means_of_gains()
    rows = {
        one if other == P10 else f"{one} minus {other}": [
            str(found[one, other, which]) for which in (ALL_TARGETS, NEITHER_OWN)
        ]
        for one, other in PAIRS
    }
    columns = ["seven measures", "those that are not their own"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")


def behind(topics: int = quantities.HALF) -> pd.DataFrame:
    """Return how far each candidate falls behind the best one: measures x collections.

    >>> behind().min().tolist() == [0] * 8
    True
    """
    table = read("confirmation", "powers").query("topics == @topics")
    power = table.pivot(index="measure", columns="collection", values="power")
    order = [*OLDER, *NEW_COLLECTIONS]
    return (power.max() - power).loc[[*CANDIDATES], order]


def safe() -> pd.DataFrame:
    """Summarize what :func:`behind` says of each candidate, the safest first.

    Columns best (collections on which it is), mean, most and, with ten topics a set, few.
    """
    table, few = behind(), behind(SIZES[0])
    columns = {
        "best": table.eq(0).sum(axis=1),
        "mean": table.mean(axis=1),
        "most": table.max(axis=1),
        "few": few.mean(axis=1),
    }
    return pd.DataFrame(columns).sort_values("mean")
