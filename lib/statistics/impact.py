"""The effect of a change on systems: before and after, on the same topics, by each measure.

The change may be blind feedback, another stemmer, anything that turns one run of a system into
another.  Each system is tested by itself; the five counts then say how the systems fare together.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from lib.collection import Collection, Pairs
from lib.conventions import ALPHA, DECIMALS
from lib.errors import InputError
from lib.measures import Measure, Scores, parse
from lib.statistics.power import needed
from lib.statistics.significance import t_test

# Mean difference negative and significant, otherwise negative, zero, positive but not significant,
# positive and significant: the 5-tuple of Tomlinson 2006, Table 2.
OUTCOMES = ("ns", "no", "z", "po", "ps")

Collections = Collection | Sequence[Collection]


def paired_scores(
    collections: Collections, pairs: Pairs, measure: str | Measure
) -> tuple[Scores, Scores]:
    """Score the runs before and after a change.

    >>> toy = Collection.from_rankings({"A": {"t": ["x", "r"]}, "A+": {"t": ["r", "x"]}},
    ...                                {"t": {"r": 1}})
    >>> before, after = paired_scores(toy, [("A", "A", "A+")], "RR")
    >>> before.loc[("toy", "t"), "A"], after.loc[("toy", "t"), "A"]
    (np.float64(0.5), np.float64(1.0))
    """
    collections = [collections] if isinstance(collections, Collection) else list(collections)
    systems = _checked(collections, pairs)
    # What a collection answers once it keeps: its topics are counted alone, and with others.
    key = "paired_scores", tuple(map(tuple, pairs)), parse(measure)
    parts = [c.memoize(key, partial(_of_one, pairs, parse(measure))) for c in collections]
    names = [c.name for c in collections]
    before, after = (
        pd.concat(each, keys=names, names=["collection", "topic"]).set_axis(systems, axis=1)
        for each in zip(*parts)
    )
    return before, after


def _of_one(
    pairs: Pairs, measure: Callable[[Collection], Scores], collection: Collection
) -> list[Scores]:
    """Score the runs of one collection, or raise where a topic has no answer."""
    scores = measure(collection)
    tables = [scores[[pair[side] for pair in pairs]] for side in (1, 2)]
    for table in tables:
        gaps = np.argwhere(table.isna().to_numpy())
        if len(gaps):
            topic, run = (axis[at] for axis, at in zip(table.axes, gaps[0]))
            raise InputError(
                f"{collection.name}: run {run!r} did not answer topic {topic!r}; before and "
                "after are compared on the same topics only"
            )
    return tables


def _checked(collections: Sequence[Collection], pairs: Pairs) -> list[str]:
    """Return the systems' names, or raise."""
    if not pairs:
        raise InputError("no pairs given: name the runs as (system, run before, run after)")
    systems = [system for system, _, _ in pairs]
    if len(set(systems)) < len(systems):
        raise InputError(f"a system stands twice among the pairs: {', '.join(systems)}")
    if len({c.name for c in collections}) < len(collections):
        raise InputError("two collections of one name: " + ", ".join(c.name for c in collections))
    for collection in collections:
        for _, *runs in pairs:
            if missing := [run for run in runs if run not in collection.systems.index]:
                raise InputError(
                    f"{collection.name}: there is no run {missing[0]!r}; "
                    "a pair is a system, its run before and its run after"
                )
    return systems


def differences(collections: Collections, pairs: Pairs, measure: str | Measure) -> Scores:
    """Return each topic's score after the change less that before: DataFrame (topics x systems)."""
    before, after = paired_scores(collections, pairs, measure)
    return after - before


def impact(collections: Collections, pairs: Pairs, measures: Mapping[str, str]) -> pd.DataFrame:
    """Test what a change does to each system by each measure, by paired t tests.

    Parameters
    ----------
    collections : Collection or sequence of Collection
        Runs before and after the change; several are taken together, and their names differ.
    pairs : sequence of (str, str, str)
        System, its run before the change, its run after it.
    measures : dict of str to str
        Label to measure.

    Returns
    -------
    DataFrame
        One row a measure and system: measure, system, before, after, difference (means, in the unit
        of the measure), p, outcome (one of :data:`OUTCOMES`).  GMAP's means are geometric and its
        test is one of mean log AP, whose sign is the same.

    Raises
    ------
    InputError
        No pairs, a system twice, no such run, collections of one name, or a topic that a run of the
        pairs did not answer.

    References
    ----------
    Tomlinson, Early precision measures: implications from the downside of blind feedback, SIGIR
    2006, Table 2: the five outcomes.

    Examples
    --------
    >>> runs = {"A": {t: ["x", "r"] for t in "123"}, "A+": {t: ["r", "x"] for t in "123"}}
    >>> toy = Collection.from_rankings(runs, {t: {"r": 1} for t in "123"})
    >>> impact(toy, [("A", "A", "A+")], {"MRR": "RR", "P2": "P@2"})
      measure system  before  after  difference    p outcome
    0     MRR      A     0.5    1.0         0.5  0.0      ps
    1      P2      A     0.5    0.5         0.0  1.0       z
    """
    rows = []
    for label, measure in measures.items():
        before, after = paired_scores(collections, pairs, measure)
        mean = parse(measure).definition.mean
        scores = np.ascontiguousarray(np.stack([after.T, before.T], axis=2))
        for system, of, base, fed in zip(before, scores, mean(before), mean(after)):
            p = t_test(of)[0]
            difference = round(fed - base, DECIMALS) + 0.0  # sums of rounding errors are none
            rows.append((label, system, base, fed, difference, p, outcome(difference, p)))
    return pd.DataFrame(
        rows, columns=["measure", "system", "before", "after", "difference", "p", "outcome"]
    )


def outcome(difference: float, p: float) -> str:
    """Name what a test says: one of :data:`OUTCOMES`.

    >>> outcome(-0.02, 0.01), outcome(-0.02, 0.2), outcome(0.0, 1.0), outcome(0.02, 0.049)
    ('ns', 'no', 'z', 'ps')
    """
    if difference == 0:
        return "z"
    return ("n" if difference < 0 else "p") + ("s" if p < ALPHA else "o")


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Count the outcomes of the systems by each measure.

    >>> counts(pd.DataFrame({"measure": ["AP"] * 3, "difference": [0.2, 0.1, 0.0],
    ...                      "outcome": ["ps", "po", "z"]})).round(2)
             difference  ns  no  z  po  ps
    measure
    AP              0.1   0   0  1   1   1
    """
    mean = table.groupby("measure", sort=False)["difference"].mean().round(DECIMALS) + 0.0
    five = pd.crosstab(table["measure"], table["outcome"])
    five = five.reindex(index=mean.index, columns=list(OUTCOMES), fill_value=0)
    return pd.concat([mean, five], axis=1)


def topics_needed(differences: pd.DataFrame) -> pd.Series:
    """Return how many topics a paired t test needs to see effects of the size that a sample shows.

    Each effect is the mean over the standard deviation of a column; see
    :func:`lib.statistics.power.needed`.

    >>> topics_needed(pd.DataFrame({"A": [-1, 3, 1]})).to_dict()  # mean 1, deviation 2
    {'A': 34.0}
    """
    return (differences.mean() / differences.std()).map(needed)
