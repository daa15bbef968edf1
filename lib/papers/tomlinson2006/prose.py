"""The numbers in the text of the chapter, one function a section; :func:`lib.display.prose.say`."""

from collections.abc import Collection, Sequence

import pandas as pd

from lib.display.figures import Figure
from lib.display.tables import minus_signs
from lib.measures import GS10_BASE
from lib.papers.tomlinson2006 import (
    FIRST_READING,
    PAPER,
    draw_finding,
    pooling,
    printed,
    replication,
    signs,
)

__all__ = ["claims", "finding", "gs10", "natural", "query", "verdict"]

GAIN, LOSE = ("MAP", "P10"), ("MRR", "GS10")  # by the paper's hypothesis


def verdict(agreement: pd.DataFrame) -> dict[str, str]:
    """Say what disagrees and what agrees.

    Parameters
    ----------
    agreement : DataFrame
        As of :func:`lib.papers.tomlinson2006.signs`.
    """
    pool, cran, cacm, nf = (_means(name) for name in ("all four", "cran", "cacm", "nftest"))
    cf, first = _by_system("cf"), _by_system("cf", pairs=FIRST_READING)["difference"]
    change = cf["difference"]
    s10 = _by_system("all four")["outcome"].xs("S10", level="measure")
    nf_base = _by_system("nftest")["before"].xs("S1000", level="measure").mean()
    table1, table2 = printed(1), printed(2)
    numbers = {
        "topics": f"{agreement.loc['all four', 'topics']}",
        "agree": f"{agreement.loc['all four', 'agree']}",
        "agree-cran": f"{agreement.loc['Cranfield', 'agree']}",
        "agree-cacm": f"{agreement.loc['CACM', 'agree']}",
        "s10": f"{abs(pool['S10']):.3f}",
        "s10-significant": f"{s10.isin(['ns', 'ps']).sum()}",
        "s1000": f"{pool['S1000']:+.3f}",
        "s1000-nf": f"{nf['S1000']:+.3f}",
        "cran-gs10": f"{cran['GS10']:+.3f}",
        "cran-mrr": f"{cran['MRR']:+.3f}",
        "cacm-map": f"{cacm['MAP']:+.3f}",
        "clarit-mrr-paper": f"{table1.loc['clarit difference', 'RR']:+.3f}",
        "clarit-mrr": f"{change['clarit', 'MRR']:+.3f}",
        "albany-gs10": f"{change['albany', 'GS10']:+.4f}",
        "albany-gs10-p": f"{cf.loc[('albany', 'GS10'), 'p']:.2f}",
        "albany-first": f"{first['albany', 'GS10']:+.4f}",
        "waterloo-first": f"{first['waterloo', 'MRR']:+.3f}",
        "agree-six": f"{pooling().loc['all six collections', 'agree']}",
        "s10-paper-ns": f"{table2.loc['S10', 'ns']:.0f}",
        "nf-empty": f"{1 - nf_base:.0%}",
        "cf-agree": f"{_as_hypothesized(change.unstack())}",
        "agree-first": f"{signs(pairs=FIRST_READING).loc['all four', 'agree']}",
        "s10-paper": f"{table2.loc['S10', 'difference']:+.3f}",
        "s1000-paper": f"{table2.loc['S1000', 'difference']:+.3f}",
    }
    return {f"bf-{name}": minus_signs(number) for name, number in numbers.items()}


def _by_system(name, **options):
    """Return the impact on each system by each measure."""
    return replication(name, **options).set_index(["system", "measure"])


def _means(name):
    """Return each measure's mean change over the systems."""
    return replication(name).groupby("measure")["difference"].mean()


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
    return numbers


def claims() -> dict[str, str]:
    """Say what is known of two sentences of Section 5."""
    causes = PAPER.findings.set_index(["place", "row"])["cause"]["Section 5"]
    return {
        "bf-worst": causes["feedback-fails-worst-topics"],
        "bf-ns-1": causes["primary-recall-ns-at-least-one"],
    }


def natural(pairs: pd.DataFrame) -> dict[str, str]:
    """Say how the TREC-8 pairs fare, from :func:`lib.papers.tomlinson2006.natural`."""
    change = pairs["difference"].unstack()
    agree = (change[["MAP", "P10"]] > 0).sum().sum() + (change[["GS10", "S10"]] < 0).sum().sum()
    return {
        "bf-natural-p": f"{pairs['p'].min():.2f}",
        "bf-natural-needed": f"{pairs['topics needed'].min():.0f}",
        "bf-natural-same": f"{agree}",
    }
