"""What the control of the chapter shows: how far two measures agree, on a collection and a part."""

from functools import cache

import numpy as np
import pandas as pd

from lib.collection import about, cached, load
from lib.display.figures import Figure
from lib.display.tables import Table, table
from lib.measures import best, score_tables
from lib.papers.thom2007.drawings import scatters
from lib.papers.thom2007.official import official
from lib.papers.thom2007.tables import fits, points_of
from lib.statistics.bootstrap import bootstrap_tau
from lib.statistics.correlation import kendall, rbo, tau_ap

__all__ = ["COLLECTIONS", "panel"]

COLLECTIONS = {"Terabyte 2006, the paper's runs": "terabyte06"} | {
    about(name)["short_title"]: name for name in ("trec8", "trec-covid")
}


def panel(
    collection: str,
    one: str,
    other: str,
    share: float = 1.0,
    topics: float = 1.0,
    resamples: int = 200,
    seed: int = 2007,
) -> list[Figure | Table] | str:
    """Show how far two measures agree on a collection: a panel of the chapter's control.

    Parameters
    ----------
    collection : str
        A value of :data:`COLLECTIONS`.  For the paper's own runs only means are public, so topics
        cannot be left out or resampled there.
    one, other : str
        Two measures.
    share : float
        Share of the systems kept, the best by AP, in (0, 1].
    topics : float
        Share of the topics kept, drawn at random, in (0, 1].
    resamples : int
        Resamples of topics for the interval.
    seed : int

    Returns
    -------
    list of lib.display.figures.Figure and lib.display.tables.Table
        Or a sentence, where a measure is not public.
    """
    needed = list(dict.fromkeys(("AP", one, other)))
    name = next(label for label, value in COLLECTIONS.items() if value == collection)
    rng = np.random.default_rng(seed)
    of_topics = {}
    if collection == "terabyte06":
        scores, note = official(), "official means"
        if missing := [measure for measure in needed if measure not in scores]:
            return (
                f"<p>{' and '.join(missing)} of the 80 runs of Terabyte 2006 "
                f"{'is' if len(missing) == 1 else 'are'} not public.</p>"
            )
    else:
        of_topics = _some_topics(score_tables(_known(collection), needed), topics, rng)
        scores = pd.DataFrame({m: frame.mean() for m, frame in of_topics.items()}).round(10)
        note = f"{len(of_topics['AP'])} topics"
    kept = best(scores["AP"], share, least=2)
    points = points_of(scores.loc[kept], one, other, figure="")
    x, y = points["x"], points["y"]
    numbers = {"systems": f"{len(kept)}", "tau-b": f"{kendall(x, y, variant='b'):.3f}"}
    if of_topics and one != other:
        pair = {measure: of_topics[measure][kept] for measure in (one, other)}
        row = bootstrap_tau(pair, number=resamples, rng=rng).intervals().iloc[0]
        numbers["basic 95% interval"] = f"{row['low']:.3f} to {row['high']:.3f}"
    numbers["tau-AP, symmetric"] = f"{tau_ap(x, y, symmetric=True):.3f}"
    numbers["RBO, p = 0.9"] = f"{rbo(x, y, p=0.9):.3f}"
    summary = table(pd.DataFrame({"value": numbers}).rename_axis(f"{one} and {other}"), caption="")
    drawing = scatters(
        points,
        fits(points),
        columns=1,
        data=False,
        limits=(0, 1),  # whatever the setting: half of the runs must not look like all of them
        caption=f"{name}: systems by mean {one} and {other}, {note}, with the line of best fit.",
    )
    return [drawing, summary]


@cache
def _known(name):
    """Return a collection that stays in memory with what was asked of it: the next is near it."""
    return cached(load(name))


def _some_topics(
    scores: dict[str, pd.DataFrame], share: float, rng: np.random.Generator
) -> dict[str, pd.DataFrame]:
    """Keep a share of the topics, drawn at random, two at least."""
    every = scores["AP"].index
    number = max(2, round(share * len(every)))
    drawn = every[np.sort(rng.permutation(len(every))[:number])]
    return {measure: frame.loc[drawn] for measure, frame in scores.items()}
