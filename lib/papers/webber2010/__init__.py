"""Webber, Moffat and Zobel, The Effect of Pooling and Evaluation Depth on Metric Stability, 2010.

Why does nDCG tell more systems apart than other measures: by its normalization, by its depth, or
by looking deeper than the judgements reach?

Every choice that the paper leaves open is a keyword argument; the defaults are the one set with
which all tables come out as printed (:func:`choices` says what breaks without each).
"""

from lib.collection import POOLS, limits
from lib.paper import Drawing, Paper, Table
from lib.papers.webber2010.choices import choices, in_single_precision
from lib.papers.webber2010.claims import CLAIMS
from lib.papers.webber2010.depth import (
    FORMS,
    figure2,
    figure2_taus,
    figure3,
    figure4,
    grid,
    powers_in_text,
    ranks_of,
)
from lib.papers.webber2010.drawings import (
    draw_budget,
    draw_figure1,
    draw_figure2,
    draw_figure3,
    draw_figure4,
    draw_finding,
    draw_grid,
    panel,
)
from lib.papers.webber2010.hypotheses import HYPOTHESES, evidence_on_hypotheses
from lib.papers.webber2010.tables import PRINTED_P, figure1, table1, table2, table3, weight_shares
from lib.statistics.budget import best_buys, budget

__all__ = [
    "FORMS",
    "HYPOTHESES",
    "PAPER",
    "POOLS",
    "PRINTED_P",
    "best_buys",
    "budget",
    "choices",
    "draw_budget",
    "draw_figure1",
    "draw_figure2",
    "draw_figure3",
    "draw_figure4",
    "draw_finding",
    "draw_grid",
    "evidence_on_hypotheses",
    "figure1",
    "figure2",
    "figure2_taus",
    "figure3",
    "figure4",
    "grid",
    "in_single_precision",
    "limits",
    "panel",
    "powers_in_text",
    "ranks_of",
    "table1",
    "table2",
    "table3",
    "weight_shares",
]

PAPER = Paper(
    name="webber2010",
    title="Webber, Moffat and Zobel 2010",
    tables={
        "1": Table(
            table1,
            own="trec8",
            caption="Discriminative power: the share of pairs of systems that a t test tells "
            "apart at 5%",
        ),
        "2": Table(
            table2, own="trec8", caption="Kendall's tau between rankings of systems by ten measures"
        ),
        "3": Table(
            table3,
            own="trec8",
            caption="Kendall's tau between orderings of pairs of systems by p value; 10/100 is "
            "pool depth 10, evaluation depth 100",
        ),
    },
    # Figure 1, the weights of ranks, does not depend on a collection.
    drawings={
        "Figure 2": Drawing(lambda c: draw_figure2(figure2(c), figure2_taus(c))),
        "Figure 3": Drawing(lambda c: draw_figure3(figure3(c))),
        "Figure 4": Drawing(lambda c: draw_figure4(figure4(c))),
    },
    claims=CLAIMS,
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
