"""Measures on a line by depth: how alike they rank systems, noise apart, on every collection.

No test here asks whether measures fall into families: even on a line without gaps, measures of
the same half agree more than measures of different halves.
"""

from typing import Any

import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere import confirmation
from chapters.elsewhere.quantities import phi_of
from chapters.elsewhere.sources import Source, sources
from lib.display import figures
from lib.display.prose import intervals
from lib.display.svg import add_tooltips
from lib.intervals import between, minus_signs
from lib.measures import complete_scores
from lib.statistics.correlation import disattenuated

LINE = ("RR", "P@5", "P@10", "P@20", "P@30", "P@100", "AP")  # from the shallowest to the deepest
_NEIGHBOURS = [*zip(LINE, LINE[1:])]
LINE_PAIRS = [*(("RR", other) for other in LINE[2:]), *_NEIGHBOURS]


def line_sources() -> list[Source]:
    """Return all collections of which every measure on the line is known, the new ones last."""
    known = [
        Source(one.name, one.title, one.year, complete_scores(one.collection, LINE))
        for one in sources()
        if one.collection is not None
    ]
    return known + [confirmation.source(name, "P3") for name in confirmation.NEW_COLLECTIONS]


def agreements(source: Source) -> pd.DataFrame:
    """Return r of :data:`LINE_PAIRS` without noise: one measure, other, and r with its interval."""
    free = phi_of(source, LINE).map(disattenuated)
    rows = [
        [source.name, source.title, one, other, *free[other][one].interval().row().values()]
        for one, other in LINE_PAIRS
    ]
    return pd.DataFrame(rows, columns=["source", "title", "one", "other", "r", "low", "high"])


def steps() -> pd.DataFrame:
    """Return the agreement of each measure with the next deeper one, by title of the collection.

    >>> steps().shape
    (8, 6)
    """
    table = read("depth", "line").set_index(["one", "other"])
    rows = table.loc[_NEIGHBOURS].assign(text=lambda t: intervals(t, "r"))
    wide = rows.reset_index().pivot(index="title", columns=["one", "other"], values="text")
    wide = wide.loc[table["title"].unique(), _NEIGHBOURS]
    return wide.set_axis([f"{one}, {other}" for one, other in _NEIGHBOURS], axis=1)


def draw_line_of_measures() -> figures.Figure:
    """Draw the measures on a line for each collection, by their agreement with RR."""
    table = read("depth", "line")
    own = table[table["one"] == "RR"]
    titles = [*own["title"].unique()]
    shapes = "v<s>D^"  # a shape each depth of precision
    with figures.subplots(height=0.32 * len(titles) + 1.1) as (drawing, ax):
        for place, title in enumerate(titles):
            rows = own[own["title"] == title]
            ax.plot([rows["r"].min(), 1], [place] * 2, color=figures.INK, linewidth=0.7)
        for measure, shape in zip(LINE[1:], [*shapes[: len(LINE) - 2], ""]):
            rows = own[own["other"] == measure]
            look: dict[str, Any] = figures.measure_style("AP")
            if shape:
                look = {"marker": shape, "color": figures.INK, "markersize": 4}
            places = [titles.index(title) for title in rows["title"]]
            dots = ax.plot(rows["r"], places, linestyle="none", label=measure, **look)
            ends = rows[["r", "low", "high"]].to_numpy()
            words = [between(r, low, high, ".2f") for r, low, high in ends]
            add_tooltips(dots, [f"{t}, {measure}" for t in rows["title"]], tell="", words=words)
        figures.label_rows(ax, titles)
        ax.invert_xaxis()
        ax.set_xlabel("agreement with RR, noise apart")
        drawing.legend(loc="outside upper center", ncols=3)
    near = table.set_index(["one", "other"]).loc[_NEIGHBOURS]["r"]
    first = len(titles) - len(nearer())
    summed = f"Between neighbours r runs from {near.min():.2f} to {near.max():.2f}."
    return figures.Figure(
        drawing,
        data=steps(),
        alt=minus_signs(f"Dots on a line for each collection, RR at its left end. {summed}"),
        caption="From P@10 on, the deeper a precision reads, the less it ranks systems as RR does. "
        f"AP is least like RR on {first} of {len(titles)} collections. Dots: agreement with RR, "
        "corrected for noise.",
    )


def nearer() -> list[str]:
    """Return the collections on which AP ranks systems more as RR does than P@100 does.

    >>> nearer()
    ['DL 2019', 'DL 2021', 'DL 2020']
    """
    own = read("depth", "line").query("one == 'RR'").set_index(["other", "title"])["r"]
    return [title for title in own["AP"].index if own["AP", title] > own["P@100", title]]
