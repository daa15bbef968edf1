"""The numbers that the text of the paper's chapter shows, a function a section.

Each returns a dict for :func:`lib.display.prose.say`: name in the text to string or figure.
"""

from typing import Any

import pandas as pd

from lib.collection import Collection
from lib.papers.webber2008.drawings import draw_finding
from lib.papers.webber2008.experiments import reversals
from lib.papers.webber2008.tables import MEASURES
from lib.published import REPRODUCED, SAMPLING, printed
from lib.statistics.predictivity import Predictivity

__all__ = ["covid", "finding", "halving", "table1", "verdict"]

P10, RR, RBP, AP, NDCG = MEASURES


def finding() -> dict[str, Any]:
    """Return the figure of the landing page."""
    return {"finding-webber2008": draw_finding()}


def verdict(compared: pd.DataFrame) -> dict[str, str]:
    """Count the verdicts on the cells of Table 1, set beside the printed ones."""
    counts = compared["verdict"].value_counts()
    return {
        "cells-reproduced": str(counts[REPRODUCED]),
        "cells-sampling": str(counts[SAMPLING]),
        "cells-all": str(len(compared)),
    }


def table1(result: Predictivity) -> dict[str, str]:
    """Quote phi on TREC-8, ours and as printed."""
    quoted = {
        "rr-rr": (RR, RR),
        "ap-rr": (AP, RR),
        "ndcg-rr": (NDCG, RR),
        "rbp-rr": (RBP, RR),
        "p-p": (P10, P10),
        "ap-p": (AP, P10),
        "ap-ap": (AP, AP),
        "ndcg-ndcg": (NDCG, NDCG),
    }
    of_rr = printed("webber2008", "Table 1").loc[RR]
    return _phi(result, quoted) | {
        "error-max": f"{result.error.to_numpy().max():.4f}",
        "printed-ap-rr": of_rr[AP],
        "printed-ndcg-rr": of_rr[NDCG],
        "printed-rr-rr": of_rr[RR],
    }


def halving(simulated: pd.DataFrame) -> dict[str, str]:
    """Quote the experiment with halves and new topics."""
    deviation = simulated["deviation"]
    return {
        "halving-away": f"{(simulated['difference'].abs() / simulated['error']).max():.1f}",
        "halving-low": f"{deviation.min():.2f}",
        "halving-high": f"{deviation.max():.2f}",
    }


def covid(collection: Collection, newer: Collection, result: Predictivity) -> dict[str, str]:
    """Quote phi on TREC-COVID, and what else the text says of the two collections."""
    quoted = {
        "c-p-p": (P10, P10),
        "c-ap-p": (AP, P10),
        "c-ndcg-p": (NDCG, P10),
        "c-rbp-p": (RBP, P10),
        "c-ap-ap": (AP, AP),
    }
    return _phi(result, quoted) | {
        "reversed": f"{reversals(collection):.1%}",
        "c-relevant": f"{newer.topics['relevant'].mean():.0f}",
        "t-relevant": f"{collection.topics['relevant'].mean():.0f}",
    }


def _phi(result, quoted):
    return {name: f"{result.phi.loc[pair]:.2f}" for name, pair in quoted.items()}
