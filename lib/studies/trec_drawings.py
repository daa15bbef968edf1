"""The picture of thirty years of TREC, and its numbers in words."""

import pandas as pd

from lib.collection import about
from lib.display import figures
from lib.display.figures import PALETTE
from lib.studies.trec import KEY, TERABYTE, of_pair

STATISTICS = {"Kendall's tau-b": "tau", "AP correlation": "tau_ap"}
PAIRS = [
    "P@10 and AP",
    "RR and AP",
    "P@10 and RR",
    "Bpref and AP",
    "Rprec and AP",
    "nDCG@10 and AP",
]
BOOK = {"color": PALETTE[1], "marker": "s", "markersize": 5}  # collections of the book
EARLY = {"P@10 and AP": ("P@15", "AP")}  # what the early tracks' pages have in its place
OTHERS = {"color": "#8a8a8a"}  # pale, and seen in both themes


def name(track: str, task: str) -> str:
    """Return a task's name as readers see it.

    >>> name("trec15/terabyte", "adhoc"), name("trec-covid/round5", "")
    ('TREC-15 terabyte, adhoc', 'TREC-COVID round5')
    """
    place, what = track.split("/")
    place = place.upper() if "-" in place else f"TREC-{place.removeprefix('trec')}"
    return f"{place} {what}" + (f", {task}" if task else "")


def picture(pair: str, statistic: str = "tau", *, behind: bool = True) -> figures.Figure:
    """Draw how alike two measures rank the runs of each task, by year, with the numbers or not."""
    one, other = pair.split(" and ")
    rows = of_pair(one, other, statistic)
    early = of_pair(*EARLY[pair], statistic) if pair in EARLY else rows.iloc[:0]
    middle = rows[statistic].median()
    called = {column: label for label, column in STATISTICS.items()}[statistic]
    with figures.style():
        drawing, axes = figures.subplots(width="wide", height=3.8)
        axes.axhline(middle, **figures.REFERENCE)
        _draw(axes, rows, statistic)
        _draw(axes, early, statistic, markerfacecolor="white", markeredgewidth=1)
        if TERABYTE in rows.index:
            _join(axes, rows.loc[TERABYTE], one, other, statistic)
        axes.set(xlabel="year", ylabel=called, xlim=(1992, 2024), ylim=(-0.05, 1.02))
        axes.set_position([0.08, 0.13, 0.91, 0.85])  # the same for all measures
    said = (
        f"{len(rows)} tasks, {rows['runs'].sum():,} runs: the median of {called} of {pair} is "
        f"{middle:.3f}"
    )
    open_dots = f" Open: P@15 in place of P@10, {len(early)} tasks." if len(early) else ""
    numbers = {one: rows, "P@15": early} if len(early) else {one: rows}
    columns = ["year", "kind", "runs", "participants", statistic, "low", "high", "below"]
    data = pd.concat(numbers, names=["measure"]).sort_values(["year", *KEY])[columns]
    return figures.Figure(
        drawing,
        data=data if behind else None,
        formats={"year": "d", "below": ".0%"},
        alt=f"A dot for each task by year. {said}.",
        caption=f"How alike {one} and {other} rank the runs of a task, by official means, and the "
        f"median (dotted). Orange: tasks whose collection is in the book; a line joins all runs of "
        f"Terabyte 2006 with its automatic runs alone.{open_dots} {said}.",
    )


def _draw(axes, rows, statistic, **look):
    """Draw a dot a task; the collections of the book with their names."""
    ours = rows["collection"] != ""
    for part, own in ((rows[~ours], OTHERS), (rows[ours], BOOK)):
        names = [name(*key) for key in part.index]
        dots = {"names": names, "words": _words(part)} | own | look
        if look:
            dots["markeredgecolor"] = own["color"]
        figures.draw_dots(axes, part["year"], part[statistic], **dots)
    for row in rows[ours].itertuples():
        end = (row.year, getattr(row, statistic))
        axes.annotate(_title(row.collection), end, (5, -9), textcoords="offset points", size=7)


def _title(folder):
    """Return what the book calls a collection."""
    return "Terabyte 2006" if folder == "terabyte06" else about(folder)["short_title"]


def _words(rows):
    """Tell of each task what the axes do not say."""
    return [
        f"{row.runs} runs of {row.participants} participants; {row.kind}; over runs "
        f"{row.low:.2f} to {row.high:.2f}"
        for row in rows.itertuples()
    ]


def _join(axes, every, one, other, statistic):
    """Draw the automatic runs of Terabyte 2006 beside all of them, and a line between the two."""
    automatic = of_pair(one, other, statistic, of="automatic").loc[TERABYTE]
    year = every["year"] + 0.4
    axes.plot([every["year"], year], [every[statistic], automatic[statistic]], color=BOOK["color"])
    words = [f"over runs {automatic['low']:.2f} to {automatic['high']:.2f}"]
    dot = [year], [automatic[statistic]], [f"{name(*TERABYTE)}, its automatic runs"]
    figures.draw_dots(axes, *dot, words=words, **BOOK)


def numbers() -> pd.DataFrame:
    """Return what the text says of each pair of measures, in words."""
    rows = {}
    for pair in PAIRS:
        found = of_pair(*pair.split(" and "))
        low, middle, high = found["tau"].quantile([0.25, 0.5, 0.75])
        rows[pair] = {
            "tasks": str(len(found)),
            "runs": f"{found['runs'].sum():,}",
            "median": f"{middle:.3f}",
            "quartiles": f"{low:.3f} and {high:.3f}",
        }
    return pd.DataFrame.from_dict(rows, "index")


def terabyte() -> dict[str, str]:
    """Return where Thom and Scholer's collection stands, with all of its runs and without some."""
    found = {}
    for measure in ("P@10", "RR"):
        for of in ("all", "automatic"):
            row = of_pair(measure, "AP", of=of).loc[TERABYTE]
            found[f"{measure} {of}"] = f"{row['tau']:.3f}"
            found[f"{measure} {of} below"] = f"{row['below']:.0%}"
    return found
