"""Two rules to learn by touch: what a relevant document's rank is worth, and what topics decide."""

from collections.abc import Collection as Container
from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.controls import Check, Choice
from lib.display.figures import PALETTE
from lib.display.js_widget import JsWidget
from lib.display.tables import DASH, minus_signs
from lib.measures import best, complete_scores, means
from lib.statistics.correlation import kendall, pair_signs

LENGTH = 20  # ranks of the list
ASKED = ("RR", "GS10", "AP", f"R@{LENGTH}")
RUNS, TOPICS = 8, 12  # of the collection of which topics are dropped


def move_documents(ranks: Sequence[int] = (2, 5, 9, 0)) -> JsWidget:
    """Return a list of 20 documents whose relevant ones a reader moves.

    A rank of 0 says that it was not found.

    Examples
    --------
    >>> move_documents((1, 2, 0, 0))
    JsWidget ranks: Move a relevant document. RR 1.000, GS10 1.000, AP 0.500.
    """
    names = [chr(ord("A") + i) for i in range(len(ranks))]
    at = dict(zip(ranks, names))
    ranked = [at.get(rank, f"x{rank}") for rank in range(1, LENGTH + 1)]
    collection = Collection.from_rankings({"list": {"t": ranked}}, {"t": dict.fromkeys(names, 1)})
    scores = [f"{value:.3f}" for value in means(collection, ASKED).loc["list"]]
    found = sorted(rank for rank in ranks if rank)
    terms = [f"{i}/{rank}" for i, rank in enumerate(found, start=1)]
    first, missed = (found[0] if found else 0), len(ranks) - len(found)
    by_hand = [
        f"1/{first}" if first else "0",
        f"1.08^(1 \u2212 {first})" if first else "0",
        f"({' + '.join(terms + ['0'] * missed)}) / {len(ranks)}",
        f"{len(found)}/{len(ranks)}",
    ]
    options = {str(rank): rank for rank in range(1, LENGTH + 1)} | {"not found": 0}
    said = ", ".join(f"{name} {score}" for name, score in zip(ASKED[:3], scores))
    where = ", ".join(map(str, found)) or DASH
    return JsWidget(
        "ranks",
        name="ranks",
        title="Move a relevant document",
        inputs={
            name: Choice(f"rank of {name}", options, default=rank, slider=True)
            for name, rank in zip(names, ranks)
        },
        said=f"{said}.",
        numbers=pd.DataFrame({"by hand": by_hand, "score": scores}, index=ASKED),
        picture=_boxes(names, ranks, f"Relevant documents at ranks {where}; {missed} not found."),
        caption="RR and GS10 see the first relevant document only, AP sees all four, A to D. A "
        "document that is moved swaps places with the one at that rank. Invented.",
    )


def _boxes(names, ranks, alt):
    """Draw the ranks as boxes in two rows, and a third row for what was not found."""
    parts = [
        f'<rect x="{30 * (i % 10) + 2}" y="{44 * (i // 10) + 2}" width="26" height="24" rx="3"'
        ' fill="none" stroke="currentColor" stroke-opacity=".5"/>'
        f'<text x="{30 * (i % 10) + 15}" y="{44 * (i // 10) + 39}" font-size="11"'
        f' text-anchor="middle">{i + 1}</text>'
        for i in range(LENGTH)
    ]
    parts.append('<text x="2" y="105" font-size="12">not found:</text>')
    missed = 0
    for i, (name, rank) in enumerate(zip(names, ranks)):
        x, row = ((rank - 1) % 10, (rank - 1) // 10) if rank else (3 + missed, 2)
        missed += not rank
        parts.append(
            f'<g data-part="{i}" transform="translate({30 * x},{44 * row})"><rect x="2" y="2"'
            f' width="26" height="24" rx="3" fill="none" stroke="{PALETTE[0]}"'
            f' stroke-width="4"/><text x="15" y="19"'
            f' font-size="14" font-weight="700" text-anchor="middle">'
            f"{name}</text></g>"
        )
    return _svg(304, 120, alt, parts)


def _svg(width, height, alt, parts):
    """Return a drawing that a reader moves."""
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{alt}" fill="currentColor"'
        f' style="max-width:{1.5 * width:.0f}px">\n{body}\n</svg>\n'
    )


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
        "topics",
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
    return _svg(360, 34 + 22 * len(places), alt, parts)
