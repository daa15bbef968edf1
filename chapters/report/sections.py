"""What the report's notebook calls: how things are shown, and what a collection can tell."""

import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML, display

import lib
from chapters.elsewhere.claims import SECTIONS, claims_of
from chapters.elsewhere.sources import Source, facts, in_the_book, sources, yours
from chapters.elsewhere.summaries import predicted, summary
from chapters.ledger.paper import Paper
from chapters.ledger.published import as_grid, printed
from chapters.left_out.pooled import SCORED, losses, score_left_out
from chapters.spending.drawings import draw_map
from chapters.spending.pilot import PILOT_SPLITS, TOP_SYSTEMS, Forecast, pilot
from chapters.spending.planner import Advice, Budget, advise
from chapters.spending.planner import expected as spending
from lib.collection import Collection, Pairs, askable, limits
from lib.collection.package import folder_of
from lib.conventions import ALPHA, DASH, DECIMALS, POWER, SHARE
from lib.display import figures, tables
from lib.display.explorer import Explorer
from lib.display.figures import Figure
from lib.display.plain import write_csv
from lib.display.tables import Folded, Table
from lib.errors import InputError, reason
from lib.intervals import ENDS, Interval, minus_signs
from lib.measures import Scores
from lib.statistics.comparison import mean_intervals
from lib.statistics.jackknife import grouped, groups
from lib.statistics.multiplicity import holm
from lib.statistics.power import in_topics, needed, power
from lib.statistics.significance import t_test
from lib.statistics.student import pair_differences

_ROWS = 10  # of a table in view; more are folded beneath
FEWEST_TOPICS = 10  # for intervals of the papers' tables: with fewer, fifths have one or none
_GROUPS, _PARTINGS, _SEED = 5, 2, 2012  # fifths of the topics, parted twice: ten computations
_CELLS = ["paper", "table", "row", "column", "value", "error", "low", "high"]
MEASURES = ("AP", "P@10", "nDCG", "RR", "Rprec")
_MORE = (2, 4, 10)  # times the topics that there are
ASKED = [name for name, section in SECTIONS.items() if not section.pairs]
_BUDGETS = {"a quarter of": 0.25, "as many as": 1.0, "four times": 4.0}  # what was judged
_LOST = ("AP", "nDCG@20", "P@10")


# How things are shown.


def say(text: str, tag: str = "p") -> None:
    """Show a paragraph, or another element of HTML."""
    display(HTML(f"<{tag}>{html.escape(text)}</{tag}>"))


def bullets(lines: Iterable[str]) -> None:
    """Show a list."""
    items = "".join(f"<li>{html.escape(line)}</li>\n" for line in lines)
    display(HTML(f"<ul>\n{items}</ul>"))


def show(name: str, item: Any) -> None:
    """Show a table, a figure or a control; the numbers of the first two go to ``name.csv`` too."""
    if isinstance(item, Explorer):
        item.panel()  # before anything is shown: it may have to be refused
        display(item)
        return
    display(first_rows(item) if isinstance(item, Table) else item)
    shown = (item if isinstance(item, Table) else item.data).shown
    shown = shown.rename_axis([label or "" for label in shown.index.names]).reset_index()
    if shown.columns.nlevels > 1:
        shown.columns = [" ".join(filter(None, labels)) for labels in shown.columns]
    save(f"{name}.csv", shown.replace({tables.MINUS: "-", "\u00a0": " "}, regex=True))


def save(file: str, frame: pd.DataFrame) -> None:
    """Write a table as CSV, and name the file."""
    write_csv(frame, file)
    display(HTML(f'<p class="csv"><a href="{file}">{file}</a></p>'))


def first_rows(table: Table) -> Table | Folded:
    """Fold a table after ten rows."""
    if (rest := len(table.shown) - _ROWS) < 2:
        return table
    shown = tables.table(table.shown.head(_ROWS), caption=table.caption)
    more = tables.table(table.shown.iloc[_ROWS:], caption="")
    return Folded(shown, [(f"{rest:,} more rows", more)])


def estimate(middle: float, low: float = np.nan, high: float = np.nan, *, digits: int = 3) -> str:
    """Write a number, and half of its interval where that is known; a line breaks before the sign.

    >>> estimate(0.5), estimate(0.5, 0.46, 0.54), estimate(float("nan")), estimate(2, digits=0)
    ('0.500', '0.500 ±\xa00.040', '–', '2')
    """
    if np.isnan(middle):
        return DASH
    half = "" if np.isnan(low) else f" \u00b1\u00a0{(high - low) / 2:.{digits}f}"
    return minus_signs(f"{middle:.{digits}f}{half}")


@contextmanager
def or_why_not(title: str) -> Iterator[None]:
    """Show a heading and what is beneath it, or in a sentence why there is nothing."""
    say(title, "h3")
    try:
        yield
    except ValueError as error:
        why = html.escape(f"It cannot be computed here: {reason(error)}.")
        display(HTML(f'<p class="missing">{why}</p>'))


def bounds_over_topics(collection: Collection) -> Callable:
    """Return what gives cells their 95% intervals over topics, of which there are ten or more.

    By the grouped jackknife (:func:`lib.statistics.jackknife.grouped`): a table is computed again
    without each fifth of the topics.  NaN where a value is no number, or is not defined so.
    """
    topics = collection.topics.index
    rng = np.random.default_rng(_SEED)
    parts = [
        [collection.select(topics=topics.delete(group)) for group in parting]
        for parting in groups(len(topics), number=_GROUPS, times=_PARTINGS, rng=rng)
    ]

    def bounds(compute: Callable[[Collection], pd.DataFrame], cells: pd.DataFrame) -> pd.DataFrame:
        keys = cells[["row", "column"]]
        alone = keys["column"].iloc[0] if keys["column"].nunique() == 1 else None

        def values(frame: pd.DataFrame) -> np.ndarray:
            if alone is not None:  # it may be named after the collection, and a part otherwise
                frame = frame.assign(column=alone)
            frame = keys.merge(frame, on=["row", "column"], how="left")["value"]
            return pd.to_numeric(frame, errors="coerce").to_numpy(float)

        try:
            replicates = [[values(compute(part)) for part in parting] for parting in parts]
        except InputError:
            return cells.assign(low=np.nan, high=np.nan)
        frame = grouped(values(cells), replicates, topics=len(topics))
        return cells.assign(low=frame.low, high=frame.high)

    return bounds


def show_paper(of: Paper, collection: Collection, pairs: Pairs | None) -> pd.DataFrame:
    """Show every table and figure of a paper, or why there is none; return the tables' cells."""
    bounds = bounds_over_topics(collection)
    tables = [pd.DataFrame(columns=_CELLS, dtype=object)]
    for number, table in of.tables.items():
        with or_why_not(f"Table {number}"):
            cells = table(collection, pairs)
            if not len(cells):
                raise InputError("there is nothing in it for this collection")
            cells = bounds(partial(table, pairs=pairs), cells)
            display(first_rows(_square(cells, of.name, number, table.caption)))
            tables.append(cells.assign(paper=of.name, table=number))
    for title, drawing in of.drawings.items():
        with or_why_not(title):
            name = re.sub(r"[^a-z0-9]+", "-", f"{of.name}-{title}".lower())
            show(name, drawing(collection))
    return pd.concat(tables)


def _square(cells: pd.DataFrame, paper: str, number: str, caption: str) -> Table:
    """Return a table's cells as the paper arranges them, to as many digits, with intervals."""
    theirs = printed(paper, f"Table {number}")
    digits = theirs.apply(lambda column: column.str.partition(".")[2].str.len().max())
    texts = [
        estimate(row.value, row.low, row.high, digits=int(digits.get(row.column, digits.max())))
        for row in cells.assign(value=cells["value"].astype(float)).itertuples()
    ]
    caption += ". From this collection"
    if cells["low"].notna().any():
        caption += (
            "; behind \u00b1 half the 95% interval over topics, by the grouped jackknife: the "
            f"table computed again without each fifth of the topics, {_PARTINGS} partings"
        )
    else:
        caption += ", without intervals: it is not defined without some of the topics"
    if (error := cells["error"].astype(float).max()) > 0:
        caption += f". Monte-Carlo standard error of a cell: at most {error:.1g}"
    return tables.table(as_grid(cells.assign(value=texts)), caption=f"{caption}.", missing="")


# What a collection can tell, and what it is.


def pairs_apart(scores: Mapping[str, Scores]) -> pd.DataFrame | None:
    """Return by measure how many pairs of runs differ significantly, and would with more topics.

    None of one run or one topic.

    >>> from lib import load, scores
    >>> pairs_apart({"AP": scores(load("trec8"), "AP")}).loc["AP"].round(2).tolist()[:3]
    [8256.0, 0.72, 0.37]
    """
    rows = {}
    for name, table in scores.items():
        values, topics = table.to_numpy(), len(table)
        if min(values.shape) < 2:
            return None
        p = t_test(values)
        apart = p < ALPHA
        differences = pair_differences(values)
        mean, deviation = np.abs(differences.mean(axis=0)), differences.std(axis=0, ddof=1)
        effect = np.divide(mean, deviation, out=np.zeros(len(mean)), where=deviation > 0)
        rest = effect[~apart]
        rows[name] = {
            "pairs of runs": len(p),
            "significant, each pair by itself": apart.mean(),
            "after Holm, all pairs together": (holm(p) < ALPHA).mean(),
            "least significant difference": min(mean[apart], default=np.nan),
            "largest that is not significant": max(mean[~apart], default=np.nan),
            "topics that half of the rest need": needed(np.median(rest)) if len(rest) else np.nan,
        } | {
            f"with {times * topics:,} topics": (power(effect, 1, times * topics) >= POWER).mean()
            for times in _MORE
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def in_plain_words(
    collection: Collection, scores: Mapping[str, Scores], board: pd.DataFrame | None
) -> list[str]:
    """Say in plain words what a collection can tell, each sentence from what was computed."""
    topics, systems = len(collection.topics), len(collection.systems)
    lines = [f"{collection.title} has {_many(systems, 'run')} and {_many(topics, 'topic')}."]
    measure = next(iter(scores))
    if topics > 1:
        means = mean_intervals(scores[measure])
        reach = ((means["high"] - means["low"]) / 2).median()
        lines.append(
            f"The best mean {measure} is that of {means['mean'].idxmax()}, "
            f"{means['mean'].max():.3f}; for the median run the 95% interval over topics reaches "
            f"{reach:.3f} either way."
        )
    if board is not None:
        lines += _of_pairs(board.loc[measure], measure)
    if collection.relevance().nonrelevant is not None:
        able = limits(collection)
        pools = able.index[able["pool"]]
        lines.append(
            f"Down to rank {pools.max():,}, nearly all that the runs retrieved was judged; "
            "measures that look deeper rest partly on documents that nobody has seen."
            if len(pools)
            else "Even at rank 5 some of what the runs retrieved was never judged: scores are what "
            "is known, not what is."
        )
    if without := int((collection.topics["relevant"] == 0).sum()):
        tell = "tells" if without == 1 else "tell"
        lines.append(f"{_many(without, 'topic')} without a relevant document {tell} nothing.")
    return lines


def _of_pairs(row: pd.Series, measure: str) -> list[str]:
    count, alone, corrected, least, most, median, more, *_ = row
    if count == 1:
        verdict = "differ significantly" if alone else "do not differ significantly"
        apart = f"{least if alone else most:.2g}"
        return [f"By {measure}, the two runs {verdict}: their means are {apart} apart."]
    lines = [
        f"By {measure}, {alone:.0%} of the {count:,.0f} pairs of runs differ significantly, each "
        f"tested by itself, and {corrected:.0%} after Holm's correction for all of them."
    ]
    if least == least and most == most:
        lines.append(
            f"The smallest significant difference of means is {least:.2g}, and the largest that is "
            f"not significant {most:.2g}."
        )
    if median == median:
        lines.append(
            f"Half of the other pairs would need {in_topics(median)} topics or more, if their true "
            f"difference is the observed one; {row.index[6]} {more:.0%} of all pairs would "
            "differ significantly four times in five."
        )
    return lines


def draw_means(scores: Mapping[str, Scores], board: pd.DataFrame | None, title: str) -> Figure:
    """Draw the mean of every run by the first measure, best first, with intervals over topics."""
    measure, table = next(iter(scores.items()))
    means = mean_intervals(table) if len(table) > 1 else table.mean().to_frame("mean")
    means = means.sort_values("mean", ascending=False, kind="stable")
    places = range(1, len(means) + 1)
    with figures.subplots(height=3) as (drawing, axes):
        color = figures.colour(measure)
        if "low" in means:
            axes.vlines(places, means["low"], means["high"], color=color, linewidth=0.8)
        figures.draw_dots(axes, places, means["mean"], means.index, color=color, markersize=4)
        axes.set(xlabel="runs, the best first", ylabel=f"mean {measure}, higher is better", ylim=0)
    caption = f"The runs of {title} by mean {measure}, from {means['mean'].max():.3f} down to "
    caption += f"{means['mean'].min():.3f}"
    if board is not None:
        share = board.loc[measure].iloc[2]
        caption += f": {share:.0%} of the pairs differ significantly after Holm's correction"
    bars = ". Bars: 95% intervals over topics." * ("low" in means)
    alt = f"Dots with their intervals, from {means.index[0]} down to {means.index[-1]}."
    return Figure(drawing, caption=caption + (bars or "."), alt=alt, data=means, formats=".3f")


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def facts_of(collection: Collection, name: str, command: str) -> list[str]:
    """Say how a report was made, and what is in its collection, missing and unknown."""
    package = (folder_of(name) / "datapackage.json").read_bytes()
    topics, facts = collection.topics, collection.systems[["group", "type", "pooled"]]
    lines = [
        f"Made with {command or 'report.ipynb'}, Measuring the Measures {lib.__version__}. "
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
        lines.append(f"Runs left out when the collection was derived: {', '.join(runs)}.")
    if collection.relevant_from > 1:
        lines.append(f"Binary measures count grades from {collection.relevant_from} as relevant.")
    if unknown := [name for name in facts if (facts[name] == "").all()]:
        lines.append(f"Not known of the systems: {', '.join(unknown)}.")
    if len(topics) < FEWEST_TOPICS:
        lines.append(
            f"The tables and figures of the papers are shown from {FEWEST_TOPICS} topics on: with "
            "fewer they have no intervals."
        )
    return lines


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
    first = next(iter(scores.values())).mean().round(DECIMALS)
    order = first.sort_values(ascending=False, kind="stable").index
    return frame.loc[order].rename_axis("run")


# Beside those of the book, and as a pilot: how the next judgements are spent best.


def source_of(collection: Collection) -> Source:
    """Return a collection as a source: one of the book's, or the reader's own."""
    if not in_the_book(collection):
        return yours(collection)
    return next(one for one in sources() if one.name == collection.name)


def expectations(mine: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Return what the other collections let one expect of each number, and what it came to."""
    others = facts().query("source != @source.name")["source"]
    own = mine[mine["source"] == source.name].drop_duplicates("claim").set_index("claim")
    rows = {}
    for claim in (one for name in ASKED for one in claims_of(name)):
        here = own.loc[claim.name, ENDS].astype(float).to_list()
        every = summary(mine, claim.name, only=others)
        low, high = predicted(every) if every else (np.nan, np.nan)
        rows[SECTIONS[claim.section].title, claim.title] = {
            "here": own.loc[claim.name, "why"] or estimate(*here),
            "expected": f"{low:+.3f} to {high:+.3f}" if every else DASH,
            "as expected": as_expected(here, (low, high)),
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").map(minus_signs)
    return frame.rename_axis(["claim", "number"])


def as_expected(here: Sequence[float], span: tuple[float, float]) -> str:
    """Say whether a number lies where it is expected, or its interval reaches there.

    >>> [as_expected((0.1, 0, 0.2), span) for span in ((0.05, 0.3), (0.15, 0.3), (0.25, 0.3))]
    ['yes', 'within its error', 'no']
    >>> as_expected((0.1, 0, 0.2), (np.nan, np.nan)), as_expected((np.nan,) * 3, (0, 1))
    ('–', '–')
    """
    middle, low, high = here
    if np.isnan([middle, span[0]]).any():
        return DASH
    if span[0] <= middle <= span[1]:
        return "yes"
    return "within its error" if low <= span[1] and high >= span[0] else "no"


def planned(collection: Collection) -> tuple[pd.DataFrame, Advice, Figure]:
    """Return what other judgements would buy, with the collection as the pilot, budget by budget.

    And the plan with the most topics, and the map of as many judgements and topics as now.
    """
    made = pilot(collection, sizes=[])
    forecast, best = made.forecast(number=PILOT_SPLITS), None
    if TOP_SYSTEMS < int(SHARE * made.systems):
        best = replace(made, top=TOP_SYSTEMS).forecast(number=PILOT_SPLITS, simulated=False)
    judged, topics = int(collection.topics["judged"].sum()), len(collection.topics)
    advice: dict[tuple[str, str], Advice] = {}
    why = None
    for words, times in _BUDGETS.items():
        for most, limit in ((None, "any number"), (topics, f"{topics:,} at most")):
            budget = Budget(judgements=round(times * judged), most=most)
            try:
                advice[f"{words} now: {budget.judgements:,}", limit] = advise(forecast, budget)
            except InputError as error:
                why = why or error
    if why and not advice:
        raise why
    plans = {key: _plan(one, best) for key, one in advice.items()}
    frame = pd.DataFrame.from_dict(plans, orient="index")
    widest = max(advice.values(), key=lambda one: one.plan["topics"])
    drawn = draw_map(forecast, Budget(judgements=judged, most=topics))
    return frame.rename_axis(["to be judged", "topics to be had"]), widest, drawn


def _plan(advised: Advice, best: Forecast | None) -> dict[str, Any]:
    """Return a plan as the cells of a row, with what it finds of the best systems."""
    plan = advised.plan
    promised = {"predictive power": advised.promised}
    if best is not None:
        promised[best.pilot.promises] = spending(best, int(plan["setting"]), int(plan["topics"]))
    return {
        "topics": plan["topics"],
        "pool depth": plan["depth"],
        "documents a topic": round(plan["judgements"] / plan["topics"]),
        "measure": plan["measure"],
    } | {
        name: f"{one.estimate:.2f} ({one.low:.2f}\u00a0to\u00a0{one.high:.2f})"
        for name, one in promised.items()
    }


def loss_outside(collection: Collection) -> tuple[pd.DataFrame, int]:
    """Return what runs lose by a pool that their group did not feed, by kind of run; its depth."""
    depth = max(askable(collection, depths=())[0])
    scored = {name: SCORED[name] for name in _LOST}
    summary = losses(score_left_out(collection, depths=[depth], scored=scored), collection.systems)
    lost = Interval.of(summary["share"], summary["error_topics"], len(collection.topics) - 1)
    halves = lost.high - lost.estimate
    shares = [f"{share:.1%} \u00b1 {half:.1%}" for share, half in zip(summary["share"], halves)]
    names = {
        "share": "part of the score lost",
        "worst": "most, of a run",
        "places": "places lost, on average",
        "most": "most places, of a run",
    }
    frame = summary.assign(share=shares).set_index(["kind", "measure"])
    return frame[["runs", "groups", *names]].rename(columns=names), depth
