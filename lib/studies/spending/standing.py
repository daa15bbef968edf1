"""What each of the four papers would have been advised, had it asked."""

import pandas as pd

from lib.studies.spending.pilot import Pilot
from lib.studies.spending.planner import Budget, choose
from lib.studies.spending.read import read

__all__ = ["JUDGED", "advised", "fewer_topics"]

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

    The spread of TREC-8's pairs of systems stands for that of the papers' own, whose runs are not
    all public: a number here is of a size, no more.

    Returns
    -------
    DataFrame
        Columns paper, measure; had, its topics; needed, topics for a chance of 0.8 to find a
        difference of 0.05 of two systems; needed_all, the same among all pairs at once; and
        half_width, of the 95% interval with 50 topics.

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

    The remark asks whether a measure that looks deeper, on fewer topics, tells as much as P@10 on
    all of them.  "Fewer" may mean as many judgements, or as many as the deeper measure takes.

    Parameters
    ----------
    pilot : Pilot
        Of TREC-8.
    judgements : float
        What was paid.
    seed : int
        Of the splits.

    Returns
    -------
    DataFrame, index reading
        Rows: ``P@10 on all topics`` of the pilot's halves from depth 10; ``as many judgements``:
        AP on half as many topics, from the deepest pool that costs no more; ``whatever it costs``:
        AP on half as many, from the deepest pool there is; ``as planned``: what the planner makes
        of all that was paid.  Columns measure, topics, depth, judgements, phi.

    References
    ----------
    Webber, Moffat, Zobel and Sakai, Precision-at-ten considered redundant, SIGIR 2008.
    """
    told = pilot.told(number=200, seed=seed)
    all_of_them = pilot.topics // 2
    few = all_of_them // 2
    price = all_of_them * pilot.pools[10]
    paid = pilot.pools[few * pilot.pools <= price]
    rows = {
        "P@10 on all topics": ("P@10", all_of_them, 10),
        "as many judgements": ("AP", few, int(paid.index.max())),
        "whatever it costs": ("AP", few, int(pilot.pools.index.max())),
    }
    plan = choose(told, Budget(judgements=judgements))
    rows["as planned"] = (plan["measure"], int(plan["topics"]), int(plan["depth"]))
    found = []
    for reading, (measure, topics, depth) in rows.items():
        same = (pilot.settings["depth"] == depth) & (pilot.settings["measure"] == measure)
        phi = told.promise([topics] * len(pilot.settings))[same.to_numpy()][0]
        cost = round(topics * pilot.pools[depth])
        found.append((reading, measure, topics, depth, cost, phi))
    columns = ["reading", "measure", "topics", "depth", "judgements", "phi"]
    return pd.DataFrame(found, columns=columns).set_index("reading")
