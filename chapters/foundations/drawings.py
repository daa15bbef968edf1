"""The figures of the foundations, and what their controls show."""

import html
import json
from collections.abc import Collection as Container
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from chapters.foundations import examples
from chapters.foundations.examples import JUDGED, MEASURES, RANKED
from lib.collection import Collection
from lib.conventions import DASH
from lib.decisions import above, decide
from lib.display import explorer, figures, tables
from lib.display.figures import INK, PALE, Figure, colour, draw_band, subplots
from lib.display.svg import add_tooltips, with_image
from lib.intervals import Interval, minus_signs
from lib.measures import best, complete_scores, means
from lib.statistics.correlation import kendall, pair_signs

_MOVED = "c"  # the document of grade 2 that the control moves
_WEIGHTS = 20  # ranks that the figure of weights shows


def draw_weights() -> Figure:
    """Draw what a relevant document adds to each measure by its rank, relative to rank 1."""
    rank = np.arange(1, _WEIGHTS + 1)
    weights = {
        "P@10": np.where(rank <= 10, 1.0, 0.0),
        "nDCG": 1 / np.log2(rank + 1),
        "RBP, p = 0.8": 0.8 ** (rank - 1.0),
        "RBP, p = 0.5": 0.5 ** (rank - 1.0),
    }
    lines = pd.DataFrame(weights, index=pd.Index(rank, name="rank"))
    with subplots(height=2.9) as (drawing, axes):
        for name in lines:
            look = {"color": colour(name), "linestyle": "--" if name.endswith("0.5") else "-"}
            steps = "steps-mid" if name == "P@10" else "default"
            axes.plot(rank, lines[name], label=name, drawstyle=steps, **look)
        axes.set(xlabel="rank", ylabel="weight, relative to rank 1")
        axes.set(ylim=(0, 1.05), xlim=(1, _WEIGHTS))
        axes.set_xticks([1, 5, 10, 15, 20])
        axes.legend()
    return Figure(
        drawing,
        caption="P@10 counts ten ranks alike; nDCG and RBP count each rank less than the one "
        "before. Lines: what a relevant document adds at a rank, relative to rank 1; by formula.",
        alt="Four lines over ranks 1 to 20. P@10 is flat to rank 10 and then 0; nDCG falls slowly; "
        "RBP falls fast, the faster the smaller p.",
        data=lines,
    )


def list_panel(place: int, gain: str) -> Figure:
    """Draw the scores of the list when its highly relevant document stands elsewhere.

    At rank 0 it was not found, and x, which nobody has judged, stands in its place.
    """
    if place:
        ranked = [document for document in RANKED if document != _MOVED]
        ranked.insert(place - 1, _MOVED)
    else:
        ranked = ["x" if document == _MOVED else document for document in RANKED]
    graded = "nDCG" if gain == "graded" else "nDCG(gain=binary)"
    names = {graded if m == "nDCG" else m: m.partition("(")[0] for m in MEASURES}
    lists = {"at first": examples.one_list(), "now": examples.one_list(ranked)}
    scores = pd.DataFrame({when: means(one, [*names]).loc["A"] for when, one in lists.items()})
    scores = scores.rename(index=names)
    with subplots(height=2.6) as (drawing, axes):
        y = np.arange(len(scores))[::-1]
        for place, row in zip(y, scores.itertuples()):
            color = colour(row.Index)
            axes.plot(row[1:], [place] * 2, color=color, linewidth=1.2)
            ring = axes.plot(row[1], place, "o", mfc="white", mec="black", ms=7)
            add_tooltips(ring, row.Index, tell="", words=[f"{row[1]:.3f} at first"])
            dot = axes.plot(row[2], place, "o", color=color, ms=5)
            add_tooltips(dot, row.Index, tell="", words=[f"{row[2]:.3f} now"])
        axes.set_yticks(y, scores.index)
        axes.set(xlim=(-0.02, 1.02), xlabel="score")
    strip = " ".join(d.upper() if JUDGED.get(d) else d for d in ranked)
    values = ", ".join(f"{name} {value:.2f}" for name, value in scores["now"].items())
    return Figure(
        drawing,
        caption=f"The list is now {strip} (capitals are relevant). Dots: scores now; "
        "rings: scores of the original list.",
        alt=f"The scores now: {values}.",
        data=scores.rename_axis("measure"),
    )


def draw_differences(
    collection: Collection, *, place: int = 2, topics: int | None = None
) -> Figure:
    """Draw the best system's AP minus another's, topic by topic, with the mean's interval.

    The other is named by its place, and only the first topics may be taken.
    """
    scores, systems = complete_scores(collection, "AP"), examples.rivals(collection)
    one, other = systems[1], systems[place]
    differences = (scores[one] - scores[other]).iloc[:topics].sort_values(ascending=False)
    facts = examples.mean_difference(differences)
    with subplots(height=2.7) as (drawing, axes):
        x = np.arange(1, len(differences) + 1)
        draw_band(axes, [0, len(x) + 1], facts["low"], facts["high"], colour("AP"))
        axes.axhline(facts["mean"], color=colour("AP"))
        axes.axhline(0, color="black", linewidth=0.8)
        axes.vlines(x, 0, differences, color="black", linewidth=1)
        dots = axes.plot(x, differences, "o", color="black", ms=2.5)
        add_tooltips(dots, [f"topic {topic}" for topic in differences.index], tell="y")
        axes.set(xlabel="topics, by difference", ylabel="difference in AP")
        axes.set(xlim=(0, len(scores) + 1), ylim=(-1, 1))  # the same for any number of topics
    wins, n = (differences > 0).sum(), len(differences)
    caption = (
        f"mean {facts['mean']:+.3f}, 95% interval {facts['low']:+.3f} to {facts['high']:+.3f}, "
        + ("p < 0.001" if facts["p"] < 0.0005 else f"p = {facts['p']:.3f}")
    ).replace("-", "\u2212")
    sure = decide(Interval.read(facts, "mean"), above()).holds is not None
    verb = "excludes" if sure else "includes"
    return Figure(
        drawing,
        caption=f"The interval of the mean difference {verb} 0: {caption}. Dots: topics, "
        f"{wins} of them above 0; line: the mean; band: its interval. "
        f"{one} minus {other} by AP on {n} topics of {collection.title}.",
        alt=f"Differences from {differences.max():.2f} to {differences.min():.2f}; {caption}.",
        data=facts.rename("value").to_frame().rename_axis("of the difference"),
    )


def draw_orders(scores: pd.DataFrame) -> Figure:
    """Draw two orders of a few systems, a line a system: lines that cross are pairs in conflict."""
    return _slopes(
        scores.rank(ascending=False),
        caption="Each crossing of two lines is a pair on which the orders disagree. Dots: places "
        "by either measure; the five invented systems.",
    )


def draw_top(collection: Collection) -> Figure:
    """Draw the places of the ten best systems by AP, and by nDCG."""
    return _slopes(
        examples.top_ranks(collection),
        caption="The best systems change places with the measure. Left: the order of the "
        f"{examples.SHOWN_PLACES} best by AP; right: their order by nDCG, with their places among "
        f"all. {collection.title}.",
    )


def _slopes(places: pd.DataFrame, caption: str) -> Any:
    """Draw a line a row from its order by the one column to that by the other, with the places."""
    one, other = places.columns
    at = places.rank(method="first")
    with subplots(height=0.9 + 0.22 * len(places)) as (drawing, axes):
        for system, row in places.iterrows():
            ends = at.loc[system]
            shade = INK if ends[other] > ends[one] else PALE  # who falls stands out
            line = axes.plot([0, 1], ends, "o-", color=shade, ms=4, linewidth=1.4)
            words = [f"place {place:g} by {measure}" for measure, place in row.items()]
            add_tooltips(line, system, tell="", words=words)
            labels = [(system, -8, "right"), (f"{row[other]:g}", 8, "left")]
            for x, (y, (text, shift, side)) in enumerate(zip(ends, labels)):
                look = {"ha": side, "va": "center", "textcoords": "offset points"}
                axes.annotate(text, (x, y), (shift, 0), **look)
        axes.set_xticks([0, 1], [f"by {one}", f"by {other}"])
        axes.set(xlim=(-0.7, 1.2), ylim=(len(places) + 0.6, 0.4))
        axes.yaxis.set_visible(False)
        axes.tick_params(length=0)
        axes.grid(False)
    moved = ", ".join(f"{s} {row.iloc[0]:g} to {row.iloc[1]:g}" for s, row in places.iterrows())
    return Figure(drawing, caption=caption, alt=f"Places: {moved}.", data=places, formats=".0f")


_RUNS, TOPICS = 8, 12  # of the collection of which topics are dropped
_BESIDE = Path(__file__).with_name("drop_topics.js")


@dataclass(repr=False, eq=False)
class DroppedTopics:
    """Topics to tick, how these order the runs, and the counts of pairs.

    What is given here is the state that a reader sees first, and all that there is without
    JavaScript.  From then on ``drop_topics.js`` says the same in the same form.
    """

    ticked: Mapping[str, bool]
    title: str
    message: str
    numbers: pd.DataFrame
    picture: str
    data: Mapping[str, Any]
    caption: str

    def __repr__(self) -> str:
        return f"Drop topics. {self.message}"

    def _repr_html_(self) -> str:
        """Return the figure as it is shown first, with the script that makes it move."""
        drawing = self.picture if tables.is_static() else with_image(self.picture)
        styles = (tables.STYLE, figures.STYLE, explorer.STYLE, tables.style_of(_BESIDE))
        boxes = "".join(
            f'<label class="check"><input type="checkbox" value="{name}"'
            f' autocomplete="off"{" checked" * kept}> {name}</label>\n'
            for name, kept in zip(map(html.escape, self.ticked), self.ticked.values())
        )
        given = json.dumps(["touch-drop", self.data], separators=(",", ":"))
        given = given.replace("</", r"<\/")  # whatever a name is, it ends no script
        message = html.escape(self.message)
        return (
            f"{''.join(styles)}"
            '<figure class="measures explore touch" id="touch-drop"'
            ' aria-labelledby="touch-drop-title">\n<figcaption>'
            f'<strong id="touch-drop-title"><span>{self.title}</span></strong>'
            f"\n{html.escape(self.caption)}</figcaption>\n"
            f'<fieldset disabled aria-labelledby="touch-drop-title">\n{boxes}'
            '<button type="button" class="pin">Reset</button>\n</fieldset>\n'
            '<noscript><p class="state">To move anything needs JavaScript.</p></noscript>\n'
            f'<p class="state said" role="status" aria-live="polite">{message}</p>\n'
            f'<div class="picture">{drawing}</div>\n'
            f"{tables.table(self.numbers, caption='').to_html()}</figure>\n"
            f"<script>\n{_BESIDE.read_text(encoding='utf-8')}measuresTouch(...{given});\n</script>\n"
        )


def drop_topics(collection: Collection, dropped: Container[str] = ()) -> DroppedTopics:
    """Return eight runs on twelve topics by P@10, of which a reader leaves topics out.

    The runs are the best by AP of its best eight groups, the topics its first twelve.

    >>> from lib import load
    >>> drop_topics(load("trec8"), ["401", "402"])
    Drop topics. tau-b 0.868, with 10 of 12 topics.
    """
    scores = _some(collection)
    kept = scores[~scores.index.isin(list(dropped))]
    every = scores.mean().round(10)
    now = kept.mean().round(10).fillna(0)  # without topics all are alike
    one, two = pair_signs(every), pair_signs(now)
    tau = kendall(every, now, variant="b")
    columns = {
        "mean": every,
        "row": _order(every, every),
        "now": now if len(kept) else np.nan,
        "row now": _order(now, every),
        "place": now.rank(ascending=False),
        "up": every.rank(ascending=False) - now.rank(ascending=False),
    }
    runs = pd.DataFrame(columns)
    counted = {
        "pairs in the same order": str((one * two > 0).sum()),
        "in opposite orders": str((one * two < 0).sum()),
        "tied by all topics": str((one == 0).sum()),
        "tied by the topics kept": str((two == 0).sum()),
        "tau-b": DASH if np.isnan(tau) else minus_signs(f"{tau:.3f}"),
    }
    order = ", ".join(runs["row now"].sort_values().index)
    some = f"{len(kept)} of {len(scores)} topics"
    stay = f"{(runs['up'] == 0).sum()} of {len(runs)} runs"
    alt = f"Order by the topics kept: {order}." if len(kept) else "No topic is kept."
    return DroppedTopics(
        ticked={topic: topic in kept.index for topic in scores.index},
        title=f"With {some}, {stay} kept their place." if len(kept) else "No topic, no order.",
        message=f"tau-b {counted['tau-b']}, with {some}.",
        numbers=pd.Series(counted).to_frame("number"),
        picture=_orders(runs, alt),
        data={
            "runs": list(scores),
            "hits": (10 * scores).round().astype(int).to_numpy().tolist(),
            "order": [int(row) for row in runs["row"]],
        },
        caption=f"Left: {len(runs)} runs by P@10 on {len(scores)} topics of {collection.title}; "
        "right: on those that are ticked, with mean and place. Heavy: runs that changed places.",
    )


def _some(collection: Collection) -> pd.DataFrame:
    """Return P@10 of the best run of each of the best groups, on the first topics."""
    order = best(means(collection, ["AP"])["AP"], 1.0)
    groups = collection.systems["group"].loc[order]
    groups = groups.where(groups != "", groups.index)  # not known: one of its own
    runs = groups[~groups.duplicated()].index[:_RUNS]
    return complete_scores(collection, "P@10").loc[:, list(runs)].iloc[:TOPICS]


def _order(means: pd.Series, first: pd.Series) -> np.ndarray:
    """Return the row of each run, from 0; of runs that are alike, by another mean and by column."""
    return np.lexsort((-first, -means)).argsort()


def _orders(runs: pd.DataFrame, alt: str) -> str:
    """Draw a line a run from its row in the one order to its row in the other."""
    parts = [
        '<text x="142" y="14" font-size="12" text-anchor="end">all topics</text>',
        '<text x="252" y="14" font-size="12">the topics ticked</text>',
    ]
    for i, (name, run) in enumerate(runs.iterrows()):
        left, right = (34 + 22 * int(run[side]) for side in ("row", "row now"))
        known = not np.isnan(run["now"])
        moved = f" {'↑' if run['up'] > 0 else '↓'}{abs(run['up']):g}" if run["up"] else ""
        says = f"{run['now']:.3f} \u00b7 {run['place']:g}{moved}" if known else DASH
        kind = ("moved" if moved else "kept") if known else "none"
        parts.append(
            f'<g data-part="run{i}" class="{kind}">'
            f'<text x="142" y="{left + 4}" font-size="12" text-anchor="end">{name}'
            f" {run['mean']:.3f}</text>"
            f'<circle cx="152" cy="{left}" r="3.5"/>'
            f'<line data-part="line{i}" x1="155.5" y1="{left}" x2="238.5" y2="{right}"/>'
            f'<circle data-part="dot{i}" cx="242" cy="{right}" r="3.5"/>'
            f'<text data-part="place{i}" x="252" y="{right + 4}" font-size="12">{says}</text></g>'
        )
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 360 {34 + 22 * len(runs)}" role="img" aria-label="{alt}"'
        f' fill="currentColor" style="max-width:540px">\n{body}\n</svg>\n'
    )
