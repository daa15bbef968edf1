"""Thom and Scholer, A Comparison of Evaluation Measures Given How Users Perform on Search Tasks.

ADCS 2007.  How much do rankings of systems by different measures agree?  The paper correlates five
measures over the 80 runs of the TREC 2006 Terabyte ad hoc task.  Of these runs only means are
public, and of 19 of them not P@1 and R-precision: two of the seven correlations of Table 1 can be
computed from the paper's own runs, all seven from 61 of them and from any collection at hand.
"""

from chapters.ledger.paper import Paper, PaperTable
from chapters.thom2007.claims import Data, table1_cells
from chapters.thom2007.drawings import draw_figures
from chapters.thom2007.tables import FIGURES, official_means, table1, taus

PAPER = Paper(
    name="thom2007",
    title="Thom and Scholer 2007",
    tables={
        "1": PaperTable(
            table1,
            scored=lambda: taus(official_means()),  # its own runs are known by official means alone
            caption="Kendall's tau between the rankings of systems by two measures",
        )
    },
    drawings={"Figures 1 to 7": draw_figures},
    data=Data,
    cells={"Table 1": table1_cells},
    headings={
        "Abstract": "families",
        **{f"Figure {number}": "figures" for number in FIGURES},
        "Section 4": "families",
    },
)
