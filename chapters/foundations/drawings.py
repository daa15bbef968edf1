"""The figures of the foundations, and what their controls show."""

from functools import partial

import numpy as np
import pandas as pd

from chapters.foundations import examples
from chapters.foundations.examples import JUDGED, MEASURES, RANKED
from lib.collection import Collection
from lib.conventions import DASH, DECIMALS
from lib.decisions import above, decide
from lib.display.controls import Choice
from lib.display.explorer import Explorer, explore
from lib.display.figures import INK, PALE, Figure, colour, draw_band, measure_style, subplots
from lib.display.prose import enumeration
from lib.display.svg import add_tooltips
from lib.intervals import Interval, minus_signs
from lib.measures import Scores, best, complete_scores, means
from lib.statistics.correlation import kendall

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
        caption="P@10 counts ten ranks alike, nDCG and RBP each rank less than the one before. "
        "Lines: what a relevant document adds at a rank, relative to rank 1; by formula.",
        alt="Four lines over ranks 1 to 20. P@10 is flat to rank 10 and then 0; nDCG falls slowly; "
        "RBP falls fast, the faster the smaller p.",
        data=lines,
    )


def _noticed(place: int, scores: pd.DataFrame) -> str:
    """Say which scores rise and which fall when a document is moved to a place, or left out."""
    moved = f"Put {_MOVED} at rank {place}" if place else f"Leave {_MOVED} out"
    change = (scores["now"] - scores["at first"]).round(DECIMALS)
    ways = {"rise": scores.index[change > 0], "fall": scores.index[change < 0]}
    said = [
        f"{enumeration(names)} {way}{'s' * (len(names) == 1)}"
        for way, names in ways.items()
        if len(names)
    ]
    return f"{moved}, and {enumeration(said) or 'no score changes'}."


def list_panel(place: int, gain: str) -> Figure:
    """Draw the scores of the list when its highly relevant document stands elsewhere.

    Rank 0 means that it was not found; an unjudged document x stands in its place.
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
        for at, row in zip(y, scores.itertuples()):
            look = measure_style(row.Index)
            axes.plot(row[1:], [at] * 2, color=look["color"], linewidth=1.2)
            ring = axes.plot(row[1], at, look["marker"], mfc="white", mec="black", ms=8)
            add_tooltips(ring, row.Index, tell="", words=[f"{row[1]:.3f} at first"])
            dot = axes.plot(row[2], at, **look, ms=5)
            add_tooltips(dot, row.Index, tell="", words=[f"{row[2]:.3f} now"])
        axes.set_yticks(y, scores.index)
        axes.set(xlim=(-0.02, 1.02), xlabel="score")
    strip = " ".join(d.upper() if JUDGED.get(d) else d for d in ranked)
    values = ", ".join(f"{name} {value:.2f}" for name, value in scores["now"].items())
    return Figure(
        drawing,
        caption=f"{_noticed(place, scores)} The list is now {strip} (capitals are relevant). "
        "Filled: scores now; hollow: scores of the original list.",
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
        caption=f"The interval of the mean difference {verb} 0. Dots: topics, {wins} of them above "
        f"0; line: the mean; band: its interval; {caption}. "
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


def _slopes(places: pd.DataFrame, caption: str) -> Figure:
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
    return Figure(drawing, caption=caption, alt=f"Places: {moved}.", data=places, formats="g")


_RUNS = 8  # whose order some topics change
_DRAWS = 20  # of topics, in a running notebook


def drop_topics(collection: Collection) -> Explorer:
    """Return the control of how some of the topics order eight runs by P@10.

    The runs are the best by AP of the best eight groups.
    """
    scores = _of_groups(collection)
    every = range(1, len(scores) + 1)
    sizes = sorted({max(1, round(share * len(scores))) for share in (0.1, 0.2, 0.5)})
    return explore(
        partial(draw_kept, scores),
        id="drop",
        title="Drop topics",
        controls={
            "kept": Choice("topics kept", every, default=sizes[0], slider=True),
            "draw": Choice("draw", range(1, _DRAWS + 1)),
        },
        static={"kept": sizes, "draw": [1, 2, 3, 4]},
        caption=f"Would other topics of {collection.title} order these runs alike? Each draw keeps "
        "topics at random, and adds to them where more are kept.",
    )


def _of_groups(collection: Collection) -> Scores:
    """Return P@10 of the best run of each of the best groups."""
    order = best(means(collection, ["AP"])["AP"], 1.0)
    groups = collection.systems["group"].loc[order]
    groups = groups.where(groups != "", groups.index)  # not known: one of its own
    runs = groups[~groups.duplicated()].index[:_RUNS]
    return complete_scores(collection, "P@10").loc[:, list(runs)]


def draw_kept(scores: Scores, kept: int, draw: int) -> Figure:
    """Draw the order of systems on all topics, and on those that a draw keeps."""
    rows = np.random.default_rng(draw).permutation(len(scores))[:kept]
    mean = {"all topics": scores.mean(), "the topics kept": scores.iloc[rows].mean()}
    orders = pd.DataFrame(mean).round(10).rank(ascending=False).sort_values("all topics")
    one, other = orders.to_numpy().T
    tau = kendall(one, other, variant="b")
    said = DASH if np.isnan(tau) else minus_signs(f"{tau:.3f}")
    return _slopes(
        orders.rename_axis("run"),
        caption=f"With {kept} of {len(scores)} topics, {(one == other).sum()} of {len(orders)} "
        f"runs keep their place. Tau-b is {said}. Dots: places by P@10; dark: runs that fall.",
    )
