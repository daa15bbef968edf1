"""Tomlinson, Early Precision Measures: Implications from the Downside of Blind Feedback, 2006.

Does blind feedback, which raises average precision, cost the first relevant document?  The paper's
runs, those of the RIA workshop of 2003, are not public.  Two things can be done: see whether its
printed numbers agree with each other and with its sentences (``claims``, for the ledger), and
repeat the experiment with systems of our own (``tables``, and ``robustness`` that builds on it).
The second reproduces no number of the paper.
"""

from chapters.ledger.paper import Paper, PaperTable
from chapters.tomlinson2006.claims import Data
from chapters.tomlinson2006.tables import table1, table2

PAPER = Paper(
    name="tomlinson2006",
    title="Tomlinson 2006",
    tables={
        "1": PaperTable(
            table1,
            pairs=True,
            caption="Four measures of each system without and with blind feedback",
        ),
        "2": PaperTable(
            table2,
            pairs=True,
            caption="Mean change by blind feedback, and systems that lose (ns, no), stay (z) or "
            "gain (po, ps)",
        ),
    },
    data=Data,
    headings={"Section 4": "measures"},
)
