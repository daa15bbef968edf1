"""What a collection can tell and what it is, as a report says it first."""

import hashlib
from collections.abc import Mapping

import numpy as np
import pandas as pd

import lib
from lib.collection import Collection, limits
from lib.collection.package import folder_of
from lib.display import figures
from lib.display.prose import estimate
from lib.display.tables import DASH
from lib.measures import Scores
from lib.reporting.shown import LEAST
from lib.statistics.comparison import mean_intervals
from lib.statistics.multiplicity import holm
from lib.statistics.power import MOST, needed, power
from lib.statistics.significance import t_test
from lib.statistics.student import pairs

MEASURES = ("AP", "P@10", "nDCG", "RR", "Rprec")
ALPHA, WANTED = 0.05, 0.8  # of the t tests of all pairs, and their power
MORE = (2, 4, 10)  # times the topics that there are


def significant_pairs(scores: Mapping[str, Scores]) -> pd.DataFrame | None:
    """Return by measure how many pairs of runs differ significantly, and would with more topics.

    None of one run or one topic.

    Examples
    --------
    >>> from lib import load, scores
    >>> significant_pairs({"AP": scores(load("trec8"), "AP")}).loc["AP"].round(2).tolist()[:3]
    [8256.0, 0.72, 0.37]
    """
    rows = {}
    for name, table in scores.items():
        values, topics = table.to_numpy(), len(table)
        if min(values.shape) < 2:
            return None
        first, second, _ = pairs(values.shape[1])
        p = t_test(values)
        found = p < ALPHA
        differences = values[:, first] - values[:, second]
        mean, deviation = np.abs(differences.mean(axis=0)), differences.std(axis=0, ddof=1)
        effect = np.divide(mean, deviation, out=np.zeros(len(mean)), where=deviation > 0)
        rest = effect[~found]
        rows[name] = {
            "pairs of runs": len(p),
            "significant, each pair by itself": found.mean(),
            "after Holm, all pairs together": (holm(p) < ALPHA).mean(),
            "least significant difference": min(mean[found], default=np.nan),
            "largest that is not significant": max(mean[~found], default=np.nan),
            "topics that half of the rest need": needed(np.median(rest)) if len(rest) else np.nan,
        } | {
            f"with {times * topics:,} topics": (power(effect, 1, times * topics) >= WANTED).mean()
            for times in MORE
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def in_topics(number: float) -> str:
    """Write a number of topics that are needed."""
    if np.isnan(number):
        return DASH
    return f"more than {MOST:,}" if np.isinf(number) else f"{number:,.0f}"


def sentences(
    collection: Collection, scores: Mapping[str, Scores], found: pd.DataFrame | None
) -> list[str]:
    """Say in plain words what a collection can tell, each sentence from what was computed."""
    topics, systems = len(collection.topics), len(collection.systems)
    said = [f"{collection.title} has {_many(systems, 'run')} and {_many(topics, 'topic')}."]
    measure = next(iter(scores))
    if topics > 1:
        means = mean_intervals(scores[measure])
        reach = ((means["high"] - means["low"]) / 2).median()
        said.append(
            f"The best mean {measure} is that of {means['mean'].idxmax()}, "
            f"{means['mean'].max():.3f}; for the median run the 95% interval over topics reaches "
            f"{reach:.3f} either way."
        )
    if found is not None:
        said += _of_pairs(found.loc[measure], measure)
    if collection.relevance().nonrelevant is not None:
        able = limits(collection)
        pools = able.index[able["pool"]]
        said.append(
            f"Down to rank {pools.max():,}, nearly all that the runs retrieved was judged; "
            "measures that look deeper rest partly on documents that nobody has seen."
            if len(pools)
            else "Even at rank 5 some of what the runs retrieved was never judged: scores are what "
            "is known, not what is."
        )
    if without := int((collection.topics["relevant"] == 0).sum()):
        tell = "tells" if without == 1 else "tell"
        said.append(f"{_many(without, 'topic')} without a relevant document {tell} nothing.")
    return said


def _of_pairs(row, measure):
    count, alone, corrected, least, most, median, more, *_ = row
    if count == 1:
        verdict = "differ significantly" if alone else "do not differ significantly"
        apart = f"{least if alone else most:.2g}"
        return [f"By {measure}, the two runs {verdict}: their means are {apart} apart."]
    said = [
        f"By {measure}, {alone:.0%} of the {count:,.0f} pairs of runs differ significantly, each "
        f"tested by itself, and {corrected:.0%} after Holm's correction for all of them."
    ]
    if least > most:
        said.append(f"All differences of {least:.2g} or more are significant, and no smaller one.")
    elif least <= most:
        said.append(
            f"The smallest significant difference of means is {least:.2g}, and the largest that is "
            f"not significant {most:.2g}; in between it depends on the runs."
        )
    if median == median:
        said.append(
            f"Half of the other pairs would need {in_topics(median)} topics or more, if their true "
            f"difference is the observed one; {row.index[6]} {more:.0%} of all pairs would "
            "differ significantly four times in five."
        )
    return said


def draw_means(
    scores: Mapping[str, Scores], found: pd.DataFrame | None, title: str
) -> figures.Figure:
    """Draw the mean of every run by the first measure, best first, with intervals over topics."""
    measure, table = next(iter(scores.items()))
    means = mean_intervals(table) if len(table) > 1 else table.mean().to_frame("mean")
    means = means.sort_values("mean", ascending=False, kind="stable")
    places = range(1, len(means) + 1)
    with figures.style():
        drawing, axes = figures.subplots(height=3)
        color = figures.colour(measure)
        if "low" in means:
            axes.vlines(places, means["low"], means["high"], color=color, linewidth=0.8)
        figures.draw_dots(axes, places, means["mean"], means.index, color=color, markersize=4)
        axes.set(xlabel="runs, the best first", ylabel=f"mean {measure}, higher is better", ylim=0)
    said = f"The runs of {title} by mean {measure}, from {means['mean'].max():.3f} down to "
    said += f"{means['mean'].min():.3f}"
    if found is not None:
        share = found.loc[measure].iloc[2]
        said += f": {share:.0%} of the pairs differ significantly after Holm's correction"
    bars = ". Bars: 95% intervals over topics." * ("low" in means)
    alt = f"Dots with their intervals, from {means.index[0]} down to {means.index[-1]}."
    return figures.Figure(drawing, caption=said + (bars or "."), alt=alt, data=means, formats=".3f")


def _many(number, what):
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def described(collection: Collection, name: str, command: str) -> list[str]:
    """Say how a report was made, and what is in its collection, missing and unknown."""
    package = (folder_of(name) / "datapackage.json").read_bytes()
    topics, facts = collection.topics, collection.systems[["group", "type", "pooled"]]
    said = [
        f"Made with {command or 'lib/report.ipynb'}, Measuring the Measures {lib.__version__}. "
        "Random draws begin from fixed seeds: the same collection gives the same page.",
        "The collection's datapackage.json, which has the hashes of its tables, has the SHA-256 "
        f"{hashlib.sha256(package).hexdigest()}.",
        f"Systems: {len(collection.systems):,}. Topics: {len(topics):,}. Relevant documents: "
        f"{len(collection.relevant):,}, retrieved {len(collection.hits):,} times.",
        f"Lists missing, of systems that did not answer a topic: "
        f"{(collection.retrieved < 0).sum():,}. They score 0.",
    ]
    if collection.skipped_runs:
        runs = [f"{run} ({why})" for run, why in collection.skipped_runs.items()]
        said.append(f"Runs left out when the collection was derived: {', '.join(runs)}.")
    if collection.relevant_from > 1:
        said.append(f"Binary measures count grades from {collection.relevant_from} as relevant.")
    if unknown := [name for name in facts if (facts[name] == "").all()]:
        said.append(f"Not known of the systems: {', '.join(unknown)}.")
    if len(topics) < LEAST:
        said.append(
            f"The tables and figures of the papers are shown from {LEAST} topics on: with fewer "
            "they have no intervals."
        )
    return said


def systems(collection: Collection, scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the systems with their means and the intervals of these over topics, best first."""
    frame = collection.systems[["group", "type", "pooled"]]
    frame = frame.loc[:, (frame != "").any()]
    answered = (collection.retrieved >= 0).sum(axis=0)
    if (answered < len(collection.topics)).any():
        frame.insert(0, "topics", answered)
    for name, table in scores.items():
        means = mean_intervals(table) if len(table) > 1 else table.mean().to_frame()
        frame[name] = [estimate(*numbers) for numbers in means.to_numpy()]
    first = next(iter(scores.values())).mean().round(10)
    order = first.sort_values(ascending=False, kind="stable").index
    return frame.loc[order].rename_axis("run")
