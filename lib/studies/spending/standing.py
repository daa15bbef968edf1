"""What each of the four papers would have been advised, had it asked."""

import numpy as np
import pandas as pd

from lib.statistics.jackknife import Interval, groups, topic_jackknife
from lib.studies.spending.agreement import phi
from lib.studies.spending.pilot import Pilot
from lib.studies.spending.planner import Budget, choose
from lib.studies.spending.read import read

JUDGED = 86_830  # documents of TREC-8's 50 topics that NIST judged
TOPICS = 50
DEPTH = 100

# What the papers compared systems by, where a difference of single systems was the question, and
# on how many topics.
COMPARED = {
    "thom2007": (("P@1", "RR", "AP"), 149),
    "tomlinson2006": (("GS10", "RR", "AP"), 150),
    "webber2010": (("P@10", "nDCG", "AP"), 50),
}


def advised() -> pd.DataFrame:
    """Return how many topics each comparison of two systems needs, beside what a paper had.

    Examples
    --------
    >>> table = advised().set_index(["paper", "measure"])
    >>> table.loc[("tomlinson2006", "GS10"), ["had", "needed"]].tolist()
    [150, 212]
    """
    known = read("needs").query("source == 'trec8'").set_index("measure")
    rows = [
        {"paper": paper, "measure": measure, "had": had}
        | known.loc[measure, ["needed", "needed_all", "half_width"]].to_dict()
        for paper, (measures, had) in COMPARED.items()
        for measure in measures
    ]
    return pd.DataFrame(rows).astype({"needed": int, "needed_all": int})


def fewer_topics(pilot: Pilot, *, judgements: float = JUDGED, seed: int = 1) -> pd.DataFrame:
    """Settle the closing remark of Webber 2008 as far as it can be, both ways of reading it.

    References
    ----------
    Webber, Moffat, Zobel and Sakai, Precision-at-ten considered redundant, SIGIR 2008.
    """
    told = pilot.told(number=200, seed=seed)
    all_of_them = pilot.topics // 2
    few = all_of_them // 2
    price = all_of_them * pilot.pools[10]
    paid = pilot.pools[few * pilot.pools <= price]
    plan = choose(told, Budget(judgements=judgements))
    rows = {
        "P@10 on all topics": ("P@10", all_of_them, 10),
        "AP on the same": ("AP", all_of_them, 10),
        "as many judgements": ("AP", few, int(paid.index.max())),
        "whatever it costs": ("AP", few, int(pilot.pools.index.max())),
        "as planned": (plan["measure"], int(plan["topics"]), int(plan["depth"])),
    }
    first = _setting(pilot, *rows["P@10 on all topics"])
    found = {}
    for reading, (measure, topics, depth) in rows.items():
        setting = _setting(pilot, measure, topics, depth)
        power = told.promise([topics] * len(pilot.settings))[setting[0]]
        row = {"measure": measure, "topics": topics, "depth": depth}
        row |= {"judgements": round(topics * pilot.pools[depth]), "phi": power}
        if topics <= all_of_them and setting != first:
            gain = _gain(pilot, setting, first, seed)
            row |= {"gain": gain.estimate, "low": gain.low, "high": gain.high}
        found[reading] = row
    table = pd.DataFrame.from_dict(found, orient="index").rename_axis("reading")
    return table.astype(dict.fromkeys(("gain", "low", "high"), float))


def _setting(pilot: Pilot, measure: str, topics: int, depth: int) -> tuple[int, int]:
    """Return the position of a setting, and its topics."""
    same = (pilot.settings["depth"] == depth) & (pilot.settings["measure"] == measure)
    return int(np.flatnonzero(same)[0]), topics


def _gain(pilot: Pilot, one: tuple[int, int], other: tuple[int, int], seed: int) -> Interval:
    """Return by how much one setting and its topics predict better, with its error over topics."""
    draws = pilot.draws({one[1], other[1]}, number=200, seed=seed)

    def answer(left_out: np.ndarray) -> float:
        values = [
            phi(pilot.one(setting).scores, pilot.target, draws[topics].without(left_out))[0]
            for setting, topics in (one, other)
        ]
        return float(values[0] - values[1])

    partings = groups(pilot.topics, times=4, rng=np.random.default_rng(seed))
    return topic_jackknife(answer, pilot.topics, partings=partings)
