"""Webber, Moffat, Zobel and Sakai, Precision-At-Ten Considered Redundant, SIGIR 2008.

How well does each measure predict the ranking of systems by each other measure, on topics that
were not used?
"""

from chapters.ledger.paper import Paper, PaperTable
from chapters.webber2008.claims import Data
from chapters.webber2008.drawings import draw_figure1
from chapters.webber2008.tables import figure1, table1

_CAPTION = (
    "How well each measure (row) predicts each other (column) on other topics: mean tau-b over "
    "random halves, of the best 75% of the systems"
)

PAPER = Paper(
    name="webber2008",
    title="Webber, Moffat, Zobel and Sakai 2008",
    tables={
        "1": PaperTable(table1, caption=_CAPTION, own=("trec8",)),
        # Of TREC 2004 Terabyte, whose runs are not public.
        "2": PaperTable(table1, caption=_CAPTION),
    },
    drawings={"Figure 1": lambda collection: draw_figure1(figure1(collection))},
    data=Data,
    cells={"Table 1": lambda d: table1(d.trec8)},
    headings={"Section 2": "data"},
)
