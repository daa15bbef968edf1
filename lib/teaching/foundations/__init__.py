"""What the chapters take for granted, each idea on an example small enough for paper."""

from lib.teaching.foundations.by_hand import (
    JUDGED,
    MEASURES,
    RANKED,
    draw_weights,
    list_panel,
    one_list,
    steps,
)
from lib.teaching.foundations.many import (
    alphabetical,
    draw_p_values,
    false_alarms,
    many_tests,
    significant_pairs,
)
from lib.teaching.foundations.pools import LISTS, left_out, losses, pool, precision_bounds
from lib.teaching.foundations.rankings import FIVE, TIED, agreement, draw_orders, draw_top, pairs
from lib.teaching.foundations.topics import (
    compared,
    draw_differences,
    draw_p_by_topics,
    field,
    topics_panel,
)
from lib.teaching.foundations.touch import drop_topics, move_documents

__all__ = [
    "FIVE",
    "JUDGED",
    "LISTS",
    "MEASURES",
    "RANKED",
    "TIED",
    "agreement",
    "alphabetical",
    "compared",
    "draw_differences",
    "draw_orders",
    "draw_p_by_topics",
    "draw_p_values",
    "draw_top",
    "draw_weights",
    "drop_topics",
    "false_alarms",
    "field",
    "left_out",
    "list_panel",
    "losses",
    "many_tests",
    "move_documents",
    "one_list",
    "pairs",
    "pool",
    "precision_bounds",
    "significant_pairs",
    "steps",
    "topics_panel",
]
