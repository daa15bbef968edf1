"""A rule to learn by touch: what topics decide."""

from collections.abc import Collection as Container

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.controls import Check
from lib.display.figures import PALETTE
from lib.display.js_widget import JsWidget
from lib.display.tables import DASH, minus_signs
from lib.measures import best, complete_scores, means
from lib.statistics.correlation import kendall, pair_signs

RUNS, TOPICS = 8, 12  # of the collection of which topics are dropped


def drop_topics(collection: Collection, dropped: Container[str] = ()) -> JsWidget:
    """Return eight runs on twelve topics by P@10, of which a reader leaves topics out.

    The runs are the best by AP of its best eight groups, the topics its first twelve.

    Examples
    --------
    >>> from lib import load
    >>> drop_topics(load("trec8"), ["401", "402"])
    JsWidget drop: Drop topics. tau-b 0.868, with 10 of 12 topics.
    """
    scores = _some(collection)
    kept = scores[~scores.index.isin(list(dropped))]
    every = scores.mean().round(10)
    now = kept.mean().round(10).fillna(0)  # without topics all are alike
    one, two = pair_signs(every), pair_signs(now)
    tau = kendall(every, now, variant="b")
    places = pd.DataFrame({"all": _order(every, every), "now": _order(now, every)})
    texts = [
        f"{value:.3f} \u00b7 {place:g}" if len(kept) else DASH
        for value, place in zip(now, now.rank(ascending=False))
    ]
    counted = {
        "pairs in the same order": str((one * two > 0).sum()),
        "in opposite orders": str((one * two < 0).sum()),
        "tied by all topics": str((one == 0).sum()),
        "tied by the topics kept": str((two == 0).sum()),
        "tau-b": DASH if np.isnan(tau) else minus_signs(f"{tau:.3f}"),
    }
    order = ", ".join(places["now"].sort_values().index)
    return JsWidget(
        name="drop",
        title="Drop topics",
        inputs={topic: Check(topic, topic in kept.index) for topic in scores.index},
        said=f"tau-b {counted['tau-b']}, with {len(kept)} of {len(scores)} topics.",
        numbers=pd.Series(counted).to_frame("number"),
        picture=_orders(
            every,
            places,
            texts,
            f"Order by the topics kept: {order}." if len(kept) else "No topic is kept.",
        ),
        data={
            "runs": list(scores),
            "hits": (10 * scores).round().astype(int).to_numpy().tolist(),
            "order": [int(place) for place in places["all"]],
        },
        caption=f"Runs change places with the topics. Left: the order of {len(every)} runs by "
        f"P@10 on {len(scores)} topics of {collection.title}; right: on those that are ticked, "
        "with mean and place.",
    )


def _some(collection):
    """Return P@10 of the best run of each of the best groups, on the first topics."""
    order = best(means(collection, ["AP"])["AP"], 1.0)
    groups = collection.systems["group"].loc[order]
    groups = groups.where(groups != "", groups.index)  # not known: one of its own
    runs = groups[~groups.duplicated()].index[:RUNS]
    return complete_scores(collection, "P@10").loc[:, list(runs)].iloc[:TOPICS]


def _order(means, first):
    """Return the row of each run, from 0; of runs that are alike, by another mean and by column."""
    table = pd.DataFrame({"mean": -means, "first": -first, "column": range(len(means))})
    rows = table.sort_values(["mean", "first", "column"]).index
    return pd.Series(range(len(rows)), index=rows).loc[means.index]


def _orders(every, places, texts, alt):
    """Draw a line a run from its row in the one order to its row in the other."""
    parts = [
        '<text x="142" y="14" font-size="12" text-anchor="end">all topics</text>',
        '<text x="252" y="14" font-size="12">the topics ticked</text>',
    ]
    for i, (run, row) in enumerate(places.iterrows()):
        left, right = (34 + 22 * int(row[side]) for side in ("all", "now"))
        color = PALETTE[i % len(PALETTE)]
        parts.append(
            f'<text x="142" y="{left + 4}" font-size="12" text-anchor="end">{run}'
            f" {every[run]:.3f}</text>"
            f'<circle cx="152" cy="{left}" r="3.5" fill="{color}"/>'
            f'<line data-part="line{i}" x1="152" y1="{left}" x2="242" y2="{right}"'
            f' stroke="{color}" stroke-width="2"/>'
            f'<circle data-part="dot{i}" cx="242" cy="{right}" r="3.5" fill="{color}"/>'
            f'<text data-part="place{i}" x="252" y="{right + 4}" font-size="12">{texts[i]}</text>'
        )
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 360 {34 + 22 * len(places)}" role="img" aria-label="{alt}"'
        f' fill="currentColor" style="max-width:540px">\n{body}\n</svg>\n'
    )
