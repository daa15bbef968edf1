"""Webber, Moffat and Zobel, The Effect of Pooling and Evaluation Depth on Metric Stability, 2010.

Why does nDCG tell more systems apart than other measures: by its normalization, by its depth, or
by looking deeper than the judgements reach?
"""

from chapters.ledger.paper import Paper, PaperTable
from chapters.webber2010.claims import table1_and_means
from chapters.webber2010.depth import figure2, figure2_taus, figure3, figure4, powers_in_text
from chapters.webber2010.drawings import draw_figure2, draw_figure3, draw_figure4
from chapters.webber2010.quantities import Data
from chapters.webber2010.tables import robust, table1, table2, table3

PAPER = Paper(
    name="webber2010",
    title="Webber, Moffat and Zobel 2010",
    tables={
        "1": PaperTable(
            table1,
            own=("trec8", "trec5"),
            scored=robust,
            caption="Discriminative power: the share of pairs of systems that a t test tells "
            "apart at 5%",
        ),
        "2": PaperTable(
            table2,
            own=("trec8",),
            caption="Kendall's tau between rankings of systems by ten measures, those of depth 10 "
            "on a pool of depth 10, but RBP(p=0.8) on all judgements and whole lists",
        ),
        "3": PaperTable(
            table3,
            own=("trec8",),
            caption="Kendall's tau between orderings of pairs of systems by p value; 10/100 is "
            "pool depth 10, evaluation depth 100",
        ),
    },
    # Figure 1, the weights of ranks, does not depend on a collection.
    drawings={
        "Figure 2": lambda c: draw_figure2(figure2(c), figure2_taus(c)),
        "Figure 3": lambda c: draw_figure3(figure3(c)),
        "Figure 4": lambda c: draw_figure4(figure4(c)),
    },
    data=Data,
    cells={
        "Table 1": table1_and_means,
        "Table 2": lambda d: table2(d.trec8),
        "Table 3": lambda d: table3(d.trec8),
        "Figure 2": lambda d: figure2_taus(d.trec8),
        "Section 4.2": lambda d: powers_in_text(d.trec8),
    },
    headings={
        "Abstract": "hypotheses",
        "Section 1": "hypotheses",
        "Section 2": "table-1",
        "Section 3.1": "measures",
        "Section 3.2": "tests",
        "Section 3.3": "data",
        "Section 4": "table-1",
        "Section 4.1": "table-2",
        "Section 4.2": "figure-4",
        "Conclusion": "hypotheses",
    },
)
