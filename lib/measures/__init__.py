"""Effectiveness measures: from a collection to scores (topics x systems).

``binary`` and ``graded`` hold the equations, each with all that a measure says about itself;
``names`` turns a name into a measure, ``scores`` a collection into scores.
"""

from lib.measures.binary import (
    GMAP_FLOOR,
    GS10_BASE,
    abbreviated_average_precision,
    average_precision,
    bpref,
    generalized_success,
    inferred_average_precision,
    interpolated_precision,
    log_average_precision,
    precision,
    r_precision,
    recall,
    reciprocal_rank,
    success,
)
from lib.measures.depths import cumulated, scores_at
from lib.measures.graded import dcg, dcg_discount, ndcg, persistence, rbp, rbp_tail
from lib.measures.names import Measure, Scores, known, parse
from lib.measures.parts import example, nonrelevant_above
from lib.measures.scores import (
    SHARE,
    best,
    complete_scores,
    evaluate,
    means,
    score_tables,
    scores,
    top_systems,
)
from lib.measures.standardization import standardized

__all__ = [
    "SHARE",
    "GMAP_FLOOR",
    "GS10_BASE",
    "Measure",
    "Scores",
    "abbreviated_average_precision",
    "average_precision",
    "best",
    "bpref",
    "complete_scores",
    "cumulated",
    "dcg",
    "dcg_discount",
    "evaluate",
    "example",
    "generalized_success",
    "inferred_average_precision",
    "interpolated_precision",
    "known",
    "log_average_precision",
    "means",
    "ndcg",
    "nonrelevant_above",
    "parse",
    "persistence",
    "precision",
    "r_precision",
    "rbp",
    "rbp_tail",
    "recall",
    "reciprocal_rank",
    "score_tables",
    "scores",
    "scores_at",
    "standardized",
    "success",
    "top_systems",
]
