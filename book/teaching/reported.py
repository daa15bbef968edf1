"""The numbers of the page "Report this": what ``compare`` finds of one pair of runs."""

from functools import cache
from types import SimpleNamespace

import pandas as pd

from lib.collection import load
from lib.decisions import above, decide
from lib.display.plain import small
from lib.intervals import Interval, between, minus_signs
from lib.statistics.comparison import versus
from lib.statistics.power import detectable, in_topics, needed

COLLECTION, WITH, WITHOUT = "dl19", "bm25tuned_rm3_p", "bm25tuned_p"
MEASURES = {"ndcg": "nDCG@10", "ap": "AP", "p10": "P@10", "rr": "RR"}  # the primary one first
SMALLEST = 0.03  # difference that matters, by the primary measure


@cache
def numbers() -> dict[str, SimpleNamespace]:
    """Return what the page shows, as text: by measure, and of the experiment as a whole.

    >>> numbers()["ndcg"].ahead, numbers()["ndcg"].word
    ('24', 'inconclusive')
    """
    collection = load(COLLECTION)
    table, scores = versus(collection, WITH, WITHOUT, [*MEASURES.values()])
    alone, _ = versus(collection, WITH, WITHOUT, ["condensedAP"])
    primary = scores[MEASURES["ndcg"]]
    differences = primary[WITH] - primary[WITHOUT]
    deviation, topics = float(differences.std()), len(differences)
    experiment = SimpleNamespace(
        topics=str(topics),
        threshold=str(collection.relevant_from),
        judged=f"{collection.topics['judged'].mean():.0f}",
        finds=f"{detectable(deviation, topics):.2f}",
        smallest=str(SMALLEST),
        needs=in_topics(needed(SMALLEST / deviation)),
        worst=str(differences.idxmin()),
        loss=f"{-differences.min():.2f}",
        alone=_estimate(alone.loc["condensedAP"]),
    )
    said = {name: _said(table.loc[measure]) for name, measure in MEASURES.items()}
    return said | {"experiment": experiment}


def _said(row: pd.Series) -> SimpleNamespace:
    """Return what is said of the two runs by a measure."""
    one, other = row["mean of one"], row["mean of other"]
    interval = Interval(row["difference"], float("nan"), row["low"], row["high"])
    return SimpleNamespace(
        one=f"{one:.4f}",
        other=f"{other:.4f}",
        percent=f"{one / other - 1:.1%}",
        at=_estimate(row),
        p=small(row["p"]),
        holm=small(row["p Holm"]),
        ahead=f"{row['wins']:.0f}",
        behind=f"{row['losses']:.0f}",
        level=f"{row['ties']:.0f}",
        word=decide(interval, above()).word,
    )


def _estimate(row: pd.Series) -> str:
    return minus_signs(between(row["difference"], row["low"], row["high"]))
