"""Effectiveness measures: from a collection to scores (topics x systems).

``binary`` and ``graded`` hold the equations, each with all that a measure says about itself;
``names`` turns a name into a measure, ``scores`` a collection into scores.
"""

from lib.measures.binary import GS10_BASE, precision
from lib.measures.depths import scores_at
from lib.measures.graded import dcg, dcg_discount, persistence
from lib.measures.names import Measure, Measures, Scores, example, known, labelled, measure, parse
from lib.measures.scores import (
    best,
    complete_scores,
    evaluate,
    export,
    means,
    score_columns,
    score_tables,
    scores,
    standardized,
    top_systems,
)
