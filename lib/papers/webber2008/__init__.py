"""Webber, Moffat, Zobel and Sakai, Precision-At-Ten Considered Redundant, SIGIR 2008.

How well does each measure predict the ranking of systems by each other measure, on topics that
were not used?
"""

from lib.paper import Drawing, Paper, Table
from lib.papers.webber2008.claims import CLAIMS
from lib.papers.webber2008.depth import CUT, by_depth, by_kind, by_pool, draw_by_depth
from lib.papers.webber2008.drawings import draw_figure1, draw_finding, panel
from lib.papers.webber2008.experiments import conflicts, halving, reversals
from lib.papers.webber2008.real_topics import halving_of_topics
from lib.papers.webber2008.tables import (
    CHOICES,
    MARGIN,
    MEASURES,
    SHARE,
    choices,
    figure1,
    phi,
    table1,
    table2,
    triangle,
)
from lib.papers.webber2008.topics import as_good, leads, points_with_intervals

__all__ = [
    "CHOICES",
    "CUT",
    "MARGIN",
    "MEASURES",
    "PAPER",
    "SHARE",
    "as_good",
    "by_depth",
    "by_kind",
    "by_pool",
    "choices",
    "conflicts",
    "draw_by_depth",
    "draw_figure1",
    "draw_finding",
    "figure1",
    "halving",
    "halving_of_topics",
    "leads",
    "panel",
    "phi",
    "reversals",
    "table1",
    "table2",
    "triangle",
]

CAPTION = (
    "How well each measure (row) predicts each other (column) on other topics: mean tau-b over "
    "random halves, of the best 75% of the systems"
)

PAPER = Paper(
    name="webber2008",
    title="Webber, Moffat, Zobel and Sakai 2008",
    tables={"1": Table(table1, caption=CAPTION, own="trec8"), "2": Table(table2, caption=CAPTION)},
    drawings={
        "Figure 1": Drawing(
            lambda collection: draw_figure1(figure1(collection)),
            bounded=lambda collection, _: draw_figure1(points_with_intervals(collection)),
        )
    },
    claims=CLAIMS,
    headings={
        "Abstract": "claims",
        "Section 1": "claims",
        "Section 2": "data",
        "Section 3": "claims",
        "Conclusion": "claims",
    },
)
