"""Webber, Moffat and Zobel, The Effect of Pooling and Evaluation Depth on Metric Stability, 2010.

Why does nDCG tell more systems apart than other measures: by its normalization, by its depth, or
by looking deeper than the judgements reach?

Every choice that the paper leaves open is a keyword argument; the defaults are the one set with
which all tables come out as printed (:func:`choices` says what breaks without each).
"""

from lib.collection import POOLS, askable, limits
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
    powers_of,
    ranks_of,
)
from lib.papers.webber2010.drawings import (
    draw_figure1,
    draw_figure2,
    draw_finding,
    draw_ranks,
    panel,
)
from lib.papers.webber2010.drawn_budget import draw_budget
from lib.papers.webber2010.drawn_grid import draw_figure3, draw_figure4, draw_grid
from lib.papers.webber2010.hypotheses import HYPOTHESES, evidence_on_hypotheses
from lib.papers.webber2010.list_length import cut_to, rank_by_depth
from lib.papers.webber2010.others import robust, robust_scores
from lib.papers.webber2010.over_topics import grid_with_intervals, taus_with_intervals
from lib.papers.webber2010.reuse import places_lost
from lib.papers.webber2010.shown import not_own, other_columns, refused
from lib.papers.webber2010.tables import (
    PRINTED_P,
    figure1,
    group_means,
    table1,
    table2,
    table3,
    weight_shares,
)
from lib.papers.webber2010.yardsticks import yardsticks
from lib.statistics.incomplete import against_fewer, best_buys, budget

__all__ = [
    "FORMS",
    "HYPOTHESES",
    "PAPER",
    "POOLS",
    "PRINTED_P",
    "against_fewer",
    "askable",
    "best_buys",
    "budget",
    "choices",
    "cut_to",
    "draw_budget",
    "draw_figure1",
    "draw_figure2",
    "draw_figure3",
    "draw_figure4",
    "draw_finding",
    "draw_grid",
    "draw_ranks",
    "evidence_on_hypotheses",
    "figure1",
    "figure2",
    "figure2_taus",
    "figure3",
    "figure4",
    "grid",
    "group_means",
    "in_single_precision",
    "limits",
    "not_own",
    "other_columns",
    "panel",
    "places_lost",
    "powers_in_text",
    "powers_of",
    "rank_by_depth",
    "ranks_of",
    "refused",
    "robust",
    "robust_scores",
    "table1",
    "table2",
    "table3",
    "weight_shares",
    "yardsticks",
]

PAPER = Paper(
    name="webber2010",
    title="Webber, Moffat and Zobel 2010",
    tables={
        "1": Table(
            table1,
            own="trec8",
            others=("trec5",),
            scored=robust,
            caption="Discriminative power: the share of pairs of systems that a t test tells "
            "apart at 5%",
        ),
        "2": Table(
            table2,
            own="trec8",
            caption="Kendall's tau between rankings of systems by ten measures, those of depth 10 "
            "on a pool of depth 10, but RBP(p=0.8) on all judgements and whole lists",
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
        "Figure 2": Drawing(
            lambda c: draw_figure2(figure2(c), figure2_taus(c)),
            bounded=lambda c, bounds: draw_figure2(figure2(c), taus_with_intervals(c, bounds)),
        ),
        "Figure 3": Drawing(
            lambda c: draw_figure3(figure3(c)),
            bounded=lambda c, bounds: draw_figure3(grid_with_intervals(figure3(c), c, bounds)),
        ),
        "Figure 4": Drawing(
            lambda c: draw_figure4(figure4(c)),
            bounded=lambda c, bounds: draw_figure4(grid_with_intervals(figure4(c), c, bounds)),
        ),
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
