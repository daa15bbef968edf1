"""The numbers in the text of the chapter, for :func:`lib.display.prose.glue_all`."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from lib.display.figures import Figure
from lib.display.tables import minus_signs
from lib.ledger import committed
from lib.measures import GS10_BASE
from lib.papers.tomlinson2006 import (
    COLLECTIONS,
    FIRST_READING,
    FOUR,
    MEASURES,
    PAIRS,
    changes,
    draw_finding,
    in_words,
    interval,
    ours,
    pooling,
    printed,
    replication,
    signs,
)
from lib.published import in_words as in_english
from lib.statistics.impact import differences, joint_null

__all__ = [
    "claims",
    "depths",
    "finding",
    "gs10",
    "natural",
    "poorest",
    "query",
    "together",
    "verdict",
    "weight",
]

GAIN, LOSE = ("MAP", "P10"), ("MRR", "GS10")  # by the paper's hypothesis


def verdict(agreement: pd.DataFrame) -> dict[str, str]:
    """Say what disagrees and what agrees.

    Parameters
    ----------
    agreement : DataFrame
        As of :func:`lib.papers.tomlinson2006.signs`.
    """
    pooled = agreement.loc["all four"]
    s10 = _by_system("all four")["outcome"].xs("S10", level="measure")
    nf_base = _by_system("nftest")["before"].xs("S1000", level="measure").mean()
    six = pooling().loc["all six collections"]
    first = signs(pairs=FIRST_READING)
    numbers = {
        "topics": f"{pooled['topics']}",
        "agree": f"{pooled['agree']}",
        "told": f"{pooled['told to agree']}",
        "s10-significant": f"{s10.isin(['ns', 'ps']).sum()}",
        "agree-six": f"{six['agree']}",
        "told-six": f"{six['told to agree']}",
        "nf-empty": f"{1 - nf_base:.0%}",
        "agree-first": f"{first.loc['all four', 'agree']}",
        "cran-first": first.loc["Cranfield", "told to differ"].replace(", ", " and "),
        "alone": _both_halves(),
    }
    numbers |= _printed_numbers() | _intervals() | _of_cystic_fibrosis()
    return {f"bf-{name}": minus_signs(number) for name, number in numbers.items()}


def _printed_numbers():
    """Return what the paper prints, where the text names it."""
    table1, table2 = printed(1), printed(2)
    return {
        "clarit-mrr-paper": f"{table1.loc['clarit difference', 'RR']:+.3f}",
        "s10-paper": f"{table2.loc['S10', 'difference']:+.3f}",
        "s10-paper-ns": f"{table2.loc['S10', 'ns']:.0f}",
        "s1000-paper": f"{table2.loc['S1000', 'difference']:+.3f}",
        "s1-paper-rises": in_english(int(table2.loc["S1", ["po", "ps"]].sum())),
    }


def _intervals():
    """Return our mean changes with their intervals over topics, where the text names them."""
    named = {
        "s10": ("all four", "S10"),
        "s1000": ("all four", "S1000"),
        "s1000-nf": ("nftest", "S1000"),
        "cran-gs10": ("cran", "GS10"),
        "cran-mrr": ("cran", "MRR"),
        "cacm-map": ("cacm", "MAP"),
        "cacm-gs10": ("cacm", "GS10"),
    }
    return {
        slug: in_words(changes(name).loc[[label]]).iloc[0] for slug, (name, label) in named.items()
    }


def _both_halves():
    """Name the collections of the pool where MAP is told to rise and GS10 to fall."""
    found = [
        title
        for name, title in COLLECTIONS.items()
        if changes(name)["signs"][["MAP", "GS10"]].eq("agree").all()
    ]
    return " and ".join(found) or "none"


def _of_cystic_fibrosis():
    """Return what the text says of single systems on Cystic Fibrosis."""
    cf = _by_system("cf")
    four = cf[cf.index.get_level_values("measure").isin(list(FOUR))]
    numbers = {
        "cf-agree": f"{_as_hypothesized(four['difference'].unstack())}",
        "cf-told": f"{four['outcome'].isin(['ns', 'ps']).sum()}",
    }
    named = {
        "clarit-mrr": ("clarit", "MRR", PAIRS),
        "albany-gs10": ("albany", "GS10", PAIRS),
        "albany-first": ("albany", "GS10", FIRST_READING),
        "waterloo-first": ("waterloo", "MRR", FIRST_READING),
    }
    for slug, (system, label, pairs) in named.items():
        change = differences(ours("cf"), pairs, MEASURES[label])[[system]]
        numbers[slug] = in_words(interval(change)).iloc[0]
    return numbers


def _by_system(name):
    """Return the impact on each system by each measure."""
    return replication(name).set_index(["system", "measure"])


def _as_hypothesized(change):
    """Count the systems and measures that change in the direction of the paper's hypothesis."""
    return int((change[list(GAIN)] > 0).sum().sum() + (change[list(LOSE)] < 0).sum().sum())


def finding() -> dict[str, Figure]:
    """Return the figure that the landing page shows."""
    return {"finding-tomlinson2006": draw_finding()}


def query(before: Sequence[str], after: Sequence[str], relevant: Collection[str]) -> dict[str, str]:
    """Say where the first relevant document stands in the lists without and with feedback."""
    return {
        f"bf-first-{name}": str(
            next(rank for rank, document in enumerate(found, 1) if document in relevant)
        )
        for name, found in {"before": before, "after": after}.items()
    }


def gs10() -> dict[str, str]:
    """Say what two moves of the first relevant document cost, for the exercise on GS10."""
    numbers = {}
    for there, then in ((1, 2), (9, 12)):
        numbers[f"bf-cost-rr-{there}"] = f"{1 / there - 1 / then:.2f}"
        cost = GS10_BASE ** (1 - there) - GS10_BASE ** (1 - then)
        numbers[f"bf-cost-gs10-{there}"] = f"{cost:.2f}"
    for rank in (3, 4):
        step = (GS10_BASE ** (1 - rank) - GS10_BASE**-rank, 1 / rank - 1 / (rank + 1))
        numbers |= {f"bf-step-{n}-{rank}": f"{s:.3f}" for n, s in zip(("gs10", "rr"), step)}
    ranks = (2, 3, 4)  # of the relevant documents in the exercise on I0
    numbers["bf-best-precision"] = f"{max(i / rank for i, rank in enumerate(ranks, 1)):.2f}"
    numbers["bf-best-rr"] = f"{1 / ranks[0]:.2f}"
    return numbers


def depths(points: pd.DataFrame) -> dict[str, str]:
    """Say to which depths each question's answer can be told.

    Parameters
    ----------
    points : DataFrame
        As of :func:`lib.papers.tomlinson2006.depths`.
    """
    rows = points[points["source"] == "all four"].set_index(["measure", "k"])
    falls, rises = rows["high"] < 0, rows["low"] > 0
    s10 = rows.loc[[("Success@k", 10)]]
    return {
        "bf-success-falls-to": f"{falls.index[falls & _of(rows, 'Success@k')][-1][1]}",
        "bf-success-rises-from": f"{rises.index[rises & _of(rows, 'Success@k')][0][1]}",
        "bf-precision-rises-from": f"{rises.index[rises & _of(rows, 'P@k')][0][1]}",
        "bf-success-10": in_words(s10).iloc[0],
    }


def _of(rows, measure):
    return rows.index.get_level_values("measure") == measure


def poorest(quarters: pd.DataFrame) -> dict[str, str]:
    """Say how the poorest topics fare, from :func:`lib.papers.tomlinson2006.quarters`."""
    row = quarters.loc["poorest"]
    return {
        "bf-poorest": row["change [95% over topics]"],
        "bf-poorest-rises": f"{row['rises']:.0%}",
        "bf-poorest-falls": f"{row['falls']:.0%}",
        "bf-poorest-base": f"{row['base AP']:.3f}",
    }


def weight(effects: pd.DataFrame) -> dict[str, str]:
    """Say what half the weight does, from :func:`lib.papers.tomlinson2006.grid_by_weight`."""
    return {f"bf-half-{label.lower()}": effects.loc["x 0.5", label] for label in ("MAP", "GS10")}


def together() -> dict[str, str]:
    """Say how often all systems lose GS10 by chance, for the exercise on seven coins."""
    change, rng = differences(ours("cf"), PAIRS, "GS10"), np.random.default_rng(2006)
    chances = joint_null(change, rng=rng, resamples=20_000, alpha=1)  # every fall is a loss
    return {
        "bf-all-by-coins": f"{0.5 ** len(PAIRS):.1%}",
        "bf-all-by-topics": f"{chances[len(PAIRS)]:.0%}",
    }


def claims() -> dict[str, str]:
    """Say what is known of two sentences of Section 5."""
    causes = committed("tomlinson2006").set_index(["place", "row"])["cause"]["Section 5"]
    return {
        "bf-worst": causes["feedback-fails-worst-topics"],
        "bf-ns-1": causes["primary-recall-ns-at-least-one"],
    }


def natural(pairs: pd.DataFrame) -> dict[str, str]:
    """Say how the TREC-8 pairs fare, from :func:`lib.papers.tomlinson2006.natural`."""
    change = pairs["difference"].unstack()
    agree = (change[["MAP", "P10"]] > 0).sum().sum() + (change[["GS10", "S10"]] < 0).sum().sum()
    untold = (pairs["low"] <= 0) & (pairs["high"] >= 0)
    return {
        "bf-natural-untold": f"{untold.sum()} of {len(untold)}",
        "bf-natural-p": f"{pairs['p'].min():.2f}",
        "bf-natural-needed": f"{pairs['topics needed'].min():.0f}",
        "bf-natural-same": f"{agree}",
    }
