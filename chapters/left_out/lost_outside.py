"""What a run that fed no pool may lose: the book's relation of its unjudged share and its loss."""

import warnings

import pandas as pd

from chapters.left_out.pooled import NOT_RANKED, SCORED
from chapters.left_out.tables import SHARES, by_run
from lib.collection import Collection
from lib.conventions import ALPHA
from lib.errors import InputWarning
from lib.measures import complete_scores, parse

_KNOWN = {str(parse(name)): label for label, name in SCORED.items() if label not in NOT_RANKED}
_LOST = ["lost outside", "lost, low", "lost, high"]


def lost_outside(collection: Collection, measure: str) -> pd.DataFrame:
    """Return which share of its score each system would lose if it had not fed the pool.

    Chapter 6 scored runs of TREC-8 and TREC-COVID by pools of depth 10 without their group.  Those
    of them that had as many unjudged documents among the first ten, by the parts that
    :data:`chapters.left_out.tables.SHARES` makes, say what is lost.  The ends hold 95% of them,
    90% where a run's own group does not speak, and of one collection from the other alone half to
    two thirds (AP, nDCG, P@10, RBP): expect less than 95% on a third one.

    A row a system; columns unjudged@10, lost outside (the median), lost, low and lost, high; NaN by
    a measure that the chapter has not tried.

    >>> from lib.measures import example
    >>> lost_outside(example(), "AP").round(2).to_dict("records")
    [{'unjudged@10': 0.25, 'lost outside': 0.06, 'lost, low': 0.01, 'lost, high': 0.09}]
    """
    unjudged = complete_scores(collection, "Unjudged@10").mean()
    table = pd.DataFrame({"unjudged@10": unjudged}).reindex(columns=["unjudged@10", *_LOST])
    if collection.judged is not None and collection.judged.empty:
        warnings.warn(
            "the judgements name relevant documents alone: what is unjudged, and lost outside a "
            "pool, cannot be counted",
            InputWarning,
            stacklevel=2,
        )
    elif measure in _KNOWN:
        runs = by_run(_KNOWN[measure])
        mine, theirs = (
            pd.cut(shares, SHARES, labels=False, include_lowest=True)
            for shares in (unjudged, runs["unjudged"])
        )
        ends = runs["lost"].groupby(theirs).quantile([0.5, ALPHA / 2, 1 - ALPHA / 2]).unstack()
        table[_LOST] = ends.loc[mine].to_numpy()
    return table


def said_outside(collection: Collection, measure: str) -> list[str]:
    """Say what each system may have lost if it did not contribute to the pool."""
    if measure not in _KNOWN:
        return [f"What is lost outside a pool is known by {', '.join(_KNOWN)}, not by {measure}."]
    means = complete_scores(collection, measure).mean()
    table, lines = lost_outside(collection, measure).dropna(), []
    for system, (unjudged, middle, low, high) in table.iterrows():
        most, least, likely = (means[system] / (1 - lost) for lost in (high, low, middle))
        lines += [
            f"If {system} was not pooled: {unjudged:.0%} of its first ten documents are unjudged, "
            f"and runs of TREC-8 and TREC-COVID like that lost {middle:.1%} of their {measure} "
            f"outside the pool (median; 95% of them {low:.1%} to {high:.1%}); pooled it would have "
            f"{likely:.4f} ({least:.4f} to {most:.4f})."
        ]
    return lines
