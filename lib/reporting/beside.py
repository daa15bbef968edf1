"""A collection beside others: a second judge of the same runs, and the claims asked of all."""

from dataclasses import replace
from math import nan

import pandas as pd

from lib.collection import Collection, limits
from lib.display import tables
from lib.display.prose import estimate
from lib.display.tables import minus_signs
from lib.measures import asked_of
from lib.reporting.sheet import Sheet
from lib.studies import judges
from lib.studies.elsewhere.claims import SECTIONS, claims_of
from lib.studies.elsewhere.drawings import draw_growth
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.forest import forest
from lib.studies.elsewhere.growth import committed_growth, curve, sizes_of
from lib.studies.elsewhere.predictions import HALF
from lib.studies.elsewhere.summaries import summary
from lib.studies.sources import Source, facts, in_the_book, sources, yours

__all__ = ["ASKED", "ELSEWHERE", "JUDGES", "write_elsewhere", "write_judges"]

ELSEWHERE, JUDGES = "elsewhere", "judges"  # sections
ASKED = [name for name, section in SECTIONS.items() if not section.pairs]
LIKE, GROWTH = "A collection like yours", "With more topics"
KINDS = ("100 or more", "25 or fewer")  # how many ranks were judged, as the sources say it


def write_judges(
    sheet: Sheet, collection: Collection, second: Collection, measures: tuple[str, ...]
) -> None:
    """Write how alike two judges rank the runs.

    Parameters
    ----------
    sheet : Sheet
    collection, second : Collection
    measures : tuple of str
    """
    asked = [*asked_of(collection, measures).values()]
    found = judges.compared(collection, second, measures=asked)
    frame = pd.DataFrame(
        {
            **{
                name: [
                    f"{tau:.3f} ({low:.3f} to {high:.3f})"
                    for tau, low, high in found[[name, f"low {name}", f"high {name}"]].to_numpy()
                ]
                for name in ("tau-b", "tau-AP")
            },
            **found[["pairs", "turn", "by A", "by B", "both"]],
        },
        index=found.index,
    )
    caption = (
        f"The runs by {collection.title} (A) and by {second.title} (B): correlation of the two "
        "rankings with its 95% interval over topics, pairs of runs that turn, and how many of "
        "these differed significantly (paired t test, 0.05) by A, by B, and by both."
    )
    sheet.show(JUDGES, "judges", tables.table(frame, caption=caption))


def write_elsewhere(sheet: Sheet, collection: Collection) -> None:
    """Write what the claims of the papers come to on the collection and on others.

    Parameters
    ----------
    sheet : Sheet
    collection : Collection
    """
    found = estimates(collection)
    for name in ASKED:
        sheet.head(ELSEWHERE, SECTIONS[name].title)
        sheet.show(ELSEWHERE, f"elsewhere-{name}", forest(found, name))
    source = _source(collection)
    sheet.head(ELSEWHERE, LIKE)
    sheet.show(ELSEWHERE, "elsewhere-like", _expected(found, source))
    _write_growth(sheet, source)


def _source(collection):
    """Return the collection as a source: one of the book's, or the reader's own."""
    if in_the_book(collection):
        return next(one for one in sources() if one.name == collection.name)
    known = yours(collection)
    if collection.relevance().nonrelevant is None:
        return known
    able = limits(collection)["pool"]
    pool = KINDS[0] if able[100] else KINDS[1] if not able[50] else ""
    return replace(known, pool=pool)


def _expected(found: pd.DataFrame, source: Source) -> tables.Table:
    """Return what the other collections let one expect of this one, and what it came to."""
    others = facts().query("source != @source.name")
    alike = others[others["pool"] == source.pool]
    rows = {}
    for claim in (one for name in ASKED for one in claims_of(name)):
        row = found[(found["claim"] == claim.name) & (found["source"] == source.name)].iloc[0]
        here = [row[name] for name in ("estimate", "low", "high")]
        every = summary(found, claim.name, only=others["source"])
        kind = summary(found, claim.name, only=alike["source"])
        span = (every.expected_low, every.expected_high) if every else (nan, nan)
        rows[SECTIONS[claim.section].title, claim.title] = {
            "here": row["why"] or estimate(*here),
            "expected": f"{span[0]:+.3f} to {span[1]:+.3f}" if span[0] == span[0] else tables.DASH,
            "like it": estimate(kind.mean, kind.low, kind.high) if kind else tables.DASH,
            "as expected": _fits(here, span),
        }
    frame = pd.DataFrame(list(rows.values())).map(minus_signs)
    told = f"Like it: the mean of those with pools of {source.pool} ranks. " if source.pool else ""
    return tables.table(
        frame.set_axis(pd.MultiIndex.from_tuples(rows, names=["claim", "number"])).drop(
            columns=[] if source.pool else "like it"
        ),
        caption=f"The numbers of the figures above for {source.title}, behind \u00b1 half the 95% "
        "interval over topics, beside what the other collections let one expect of one more. "
        f"{told}A dozen collections differ in many things at once: what goes with a number need "
        "not be what makes it.",
    )


def _fits(here, span):
    """Say whether a number lies where it is expected, or its interval reaches there."""
    middle, low, high = here
    if middle != middle or span[0] != span[0]:
        return tables.DASH
    if span[0] <= middle <= span[1]:
        return "yes"
    return "within its error" if low <= span[1] and high >= span[0] else "no"


def _write_growth(sheet, source):
    """Write how well P@10 is predicted from more and more topics."""
    known = committed_growth()
    points = known[known["source"] == source.name]
    sizes = [size for size in sizes_of(source) if size <= HALF]
    if points.empty and len(sizes) > 1:
        points = curve(source, sizes)
    if len(points) < 2:
        sheet.lacks(
            ELSEWHERE, GROWTH, f"of {source.topics:,} topics no two sets of two sizes can be made"
        )
        return
    sheet.head(ELSEWHERE, GROWTH)
    every = pd.concat([known[known["source"] != source.name], points], ignore_index=True)
    title = f"{source.title}, two sets of its {source.topics} topics"
    sheet.show(ELSEWHERE, "elsewhere-growth", draw_growth(every, source=source.name, title=title))
