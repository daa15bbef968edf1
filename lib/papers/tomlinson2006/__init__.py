"""Tomlinson, Early Precision Measures: Implications from the Downside of Blind Feedback, 2006.

Does blind feedback, which raises average precision, cost the first relevant document?  The paper's
runs, those of the RIA workshop of 2003, are not public.  Two things can be done: see whether its
printed numbers agree with each other and with its sentences (``claims``, for the ledger), and
repeat the experiment with systems of our own (``replication``, and ``robustness`` and ``grid``
that build on it).  The second reproduces no number of the paper.
"""

from lib.paper import Paper, Table
from lib.papers.tomlinson2006.claims import CLAIMS
from lib.papers.tomlinson2006.drawings import draw_depths, draw_finding, panel
from lib.papers.tomlinson2006.drawn_counts import draw_beside, draw_counts
from lib.papers.tomlinson2006.effects import effects, in_words, interval
from lib.papers.tomlinson2006.grid import grid_by_weight, grid_effects, grid_summary, topic_gains
from lib.papers.tomlinson2006.printed import (
    FAMILIES,
    FOUR,
    MEASURES,
    SYSTEMS,
    marks,
    poster,
    printed,
    rounding,
    stars,
)
from lib.papers.tomlinson2006.replication import (
    COLLECTIONS,
    COUNTER_EXAMPLES,
    FIRST_READING,
    PAIRS,
    beside,
    changes,
    depths,
    ours,
    replication,
    signs,
    table1,
    table2,
    wide,
)
from lib.papers.tomlinson2006.robustness import (
    TREC8_PAIRS,
    by_test,
    natural,
    pooling,
    power,
    quarters,
    shared,
)
from lib.papers.tomlinson2006.shown import at_home, of_print, system_by_system
from lib.retrieval.experiment import FACTORS

__all__ = [
    "COLLECTIONS",
    "COUNTER_EXAMPLES",
    "FACTORS",
    "FAMILIES",
    "FIRST_READING",
    "FOUR",
    "MEASURES",
    "PAIRS",
    "PAPER",
    "SYSTEMS",
    "TREC8_PAIRS",
    "at_home",
    "beside",
    "by_test",
    "changes",
    "depths",
    "draw_beside",
    "draw_counts",
    "draw_depths",
    "draw_finding",
    "effects",
    "grid_by_weight",
    "grid_effects",
    "grid_summary",
    "in_words",
    "interval",
    "marks",
    "natural",
    "of_print",
    "ours",
    "panel",
    "pooling",
    "poster",
    "power",
    "printed",
    "quarters",
    "replication",
    "rounding",
    "shared",
    "signs",
    "stars",
    "system_by_system",
    "table1",
    "table2",
    "topic_gains",
    "wide",
]

PAPER = Paper(
    name="tomlinson2006",
    title="Tomlinson 2006",
    tables={
        "1": Table(
            table1,
            pairs=True,
            caption="Four measures of each system without and with blind feedback",
        ),
        "2": Table(
            table2,
            pairs=True,
            caption="Mean change by blind feedback, and systems that lose (ns, no), stay (z) or "
            "gain (po, ps)",
        ),
    },
    claims=CLAIMS,
    headings={
        "Abstract": "claims",
        "Section 1": "claims",
        "Section 2": "claims",
        "Section 3": "claims",
        "Section 4": "measures",
        "Section 5": "claims",
        "Conclusion": "claims",
    },
)
