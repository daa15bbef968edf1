"""What the paper says, each number and sentence checked.

No table cell can be computed, since the runs are not public.  A claim that follows from printed
numbers is checked on these: it says that the paper agrees with itself.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from lib.claims import Claims, NotPublic
from lib.measures import GS10_BASE
from lib.papers.tomlinson2006.evidence import Evidence, gs10
from lib.papers.tomlinson2006.printed import EARLY, FOUR, MEASURES, SYSTEMS
from lib.published import half_digit
from lib.statistics.impact import ALPHA, OUTCOMES

__all__ = ["CLAIMS"]

SUCCESS = [label for label, name in MEASURES.items() if name.startswith("Success")]

NO_RUNS = "the runs of the RIA workshop are not public"
NO_FILES = "the evaluation files of the RIA workshop's site are not public"


def is_feedback_less_base(e: Evidence, system: str, column: str) -> bool | str:
    """Check a printed difference of Table 1 on the two means beside it."""
    base, feedback, difference = (
        e.table1.loc[f"{system} {row}", column] for row in ("base", "feedback", "difference")
    )
    own = round(feedback - base, 3)
    return own == difference or (
        f"printed {difference:.3f}; the printed means differ by {own:.3f}, as rounding before "
        "subtracting may do"
    )


def averages_to_table2(e: Evidence, label: str) -> bool | str:
    """Check the mean of the seven differences of Table 1 on that of Table 2."""
    average = e.system_differences[FOUR[label]].mean()
    off = abs(average - e.difference[label])
    return off <= half_digit("0.000") + 1e-9 or f"the seven average {average:.4f}"


def signs_agree(e: Evidence, label: str) -> bool | str:
    """Check the signs of Table 1 on the counts of Table 2."""
    sign = np.sign(e.system_differences[FOUR[label]])
    three = [int((sign == side).sum()) for side in (-1, 0, 1)]
    ns, no, z, po, ps = e.table2.loc[label, list(OUTCOMES)]
    return three == [ns + no, z, po + ps] or f"negative, zero, positive: {three}"


def order_is_kept(e: Evidence) -> bool:
    """Check that the rows of Table 2 rise by ps less ns, and then by difference."""
    key = list(zip(e.table2["ps"] - e.table2["ns"], e.difference))
    return key == sorted(key)


def driven_by_later(e: Evidence, k: int) -> bool:
    """Check that what P@k gains comes after the first relevant document.

    k P@k counts relevant documents, and Success@k the first of them; the rest is what comes after
    the first.  It rises while the first falls.
    """
    first, both = e.difference[f"S{k}"], k * e.difference[f"P{k}"]
    return first < 0 < both - first > both


def significant(label: str, right: str, wrong: str) -> Callable[[Evidence], bool]:
    """Make a check that a measure has significant differences, all of them on one side."""
    return lambda e: e.table2.loc[label, wrong] == 0 < e.table2.loc[label, right]


def losses_without(e: Evidence) -> bool | str:
    """Check that each measure of the first relevant document has ns of 1 or more."""
    short = list(e.primary_recall.index[e.primary_recall["ns"] < 1])
    return not short or (
        f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
        f"{len(e.primary_recall) - len(short)} measures of the first relevant document 1 or more"
    )


def gs10_loses_most(e: Evidence) -> bool:
    """Check that GS10 has the most significant losses, less gains, of its family."""
    net = e.primary_recall["ns"] - e.primary_recall["ps"]
    return net.drop("GS10").max() < net["GS10"]


ROWS: dict[str, dict[str, Callable]] = {
    "Abstract": {
        "first-relevant-harmed-while-p10-gains": lambda e: e.first_sinks and e.difference["P10"] > 0
    },
    "Section 1": {
        "hypothesis-mrr-falls": lambda e: e.difference["MRR"] < 0,
        "hypothesis-s10-falls": lambda e: e.difference["S10"] < 0,
        "hypothesis-map-rises": lambda e: e.difference["MAP"] > 0,
        "hypothesis-p10-rises": lambda e: e.difference["P10"] > 0,
    },
    "Table 1": {
        **{
            f"{system}-{column}-difference-is-feedback-minus-base": partial(
                is_feedback_less_base, system=system, column=column
            )
            for system in SYSTEMS
            for column in FOUR.values()
        },
        **{
            f"mean-{column}-difference-equals-table-2": partial(averages_to_table2, label=label)
            for label, column in FOUR.items()
        },
        **{
            f"{column}-signs-agree-with-table-2": partial(signs_agree, label=label)
            for label, column in FOUR.items()
        },
        "clarit-AP-difference-significant": lambda e: e.table2.loc["MAP", "ps"] == len(SYSTEMS),
        "clarit-P@10-difference-significant": lambda e: (
            e.poster.loc[("clarit", "P10"), "significant"] or "no star marks it on the poster"
        ),
    },
    "Table 2": {
        "counts-sum-to-systems": lambda e: (
            e.table2[list(OUTCOMES)].sum(axis=1) == len(SYSTEMS)
        ).all(),
        "rows-ordered-by-ps-minus-ns-then-difference": order_is_kept,
    },
    "Section 2": {
        "systems": lambda e: len({row.split()[0] for row in e.table1.index}),
        "topics": lambda e: NotPublic(NO_RUNS),
        "alpha": lambda e: 100 * ALPHA,
        "difference-decimals": lambda e: max(
            len(text.partition(".")[2]) for text in e.printed2["difference"]
        ),
        "map-significant-differences-positive": significant("MAP", "ps", "ns"),
        "p10-significant-differences-positive": significant("P10", "ps", "ns"),
        "mrr-significant-differences-negative": significant("MRR", "ns", "ps"),
        "gs10-significant-differences-negative": significant("GS10", "ns", "ps"),
        "measures": lambda e: len(e.table2),
        "trec-eval-measures": lambda e: len(set(MEASURES) - {"GS10", *SUCCESS}),
        "success-measures": lambda e: len(SUCCESS),
        "tied-rows-not-reordered": lambda e: NotPublic(NO_RUNS),
        "starred-measures": lambda e: len(e.starred),
        "starred-measures-favouring-feedback": lambda e: int((e.difference[e.starred] > 0).sum()),
    },
    "Section 3": {
        "precision-at-n-all-higher": lambda e: (e.precisions["difference"] > 0).all(),
        "precision-at-n-each-significant-once": lambda e: (e.precisions["ps"] >= 1).all(),
        "s1-equals-precision-at-1": lambda e: e.success_is_precision_at_1,
        "s1-declines": lambda e: e.difference["S1"] < 0,
        "mrr-declines": lambda e: e.difference["MRR"] < 0,
        "s1-significant-differences-negative": significant("S1", "ns", "ps"),
        "mrr-significant-differences-negative": significant("MRR", "ns", "ps"),
        # Few: of fewer than half of the systems.
        "s1-mrr-significant-differences-few": lambda e: (
            e.significant[["S1", "MRR"]] < len(SYSTEMS) / 2
        ).all(),
        "i0-declines": lambda e: e.difference["I0"] < 0,
        "i10-rises": lambda e: e.difference["I10"] > 0,
        "precision-at-5-driven-by-later-relevant": partial(driven_by_later, k=5),
        "precision-at-10-driven-by-later-relevant": partial(driven_by_later, k=10),
        # Less easily than GS10, the measure that the paper puts in their place.
        "s1-mrr-less-often-significant": lambda e: (
            e.significant[["S1", "MRR"]] < e.significant["GS10"]
        ).all(),
    },
    "Section 4": {
        "gs10-base": lambda e: GS10_BASE,
        "gs10-zero-when-nothing-relevant": lambda e: gs10([None])[0] == 0,
        "gs10-rank-1": lambda e: e.gs10[0],
        "gs10-rank-2": lambda e: e.gs10[1],
        "gs10-rank-3": lambda e: e.gs10[2],
        "gs10-falls-slower-than-rr": lambda e: (e.gs10[1:10] > 1 / np.arange(2, 11)).all(),
        "gs10-rounds-to-1-through-rank-10": lambda e: (e.gs10[:10] >= 0.5).all(),
        "gs10-rounds-to-0-beyond-rank-10": lambda e: (e.gs10[10:] < 0.5).all(),
        "gs10-steps-shrink": lambda e: (np.diff(e.gs10, n=2) > 0).all(),
        "gs10-ns": lambda e: int(e.table2.loc["GS10", "ns"]),
        "gs10-most-significant-losses": lambda e: (
            e.table2.loc["GS10", "ns"] > e.table2["ns"].drop("GS10").max()
        ),
    },
    "Section 5": {
        "feedback-fails-worst-topics": lambda e: NotPublic(
            "said of the TREC 2003 robust track, whose runs are not public; with our systems the "
            f"quarter of topics with the poorest base AP gains {e.worst_topics:+.3f} AP on average"
        ),
        "gmap-favours-feedback": lambda e: e.difference["GMAP"] > 0,
        "gmap-ps": lambda e: int(e.table2.loc["GMAP", "ps"]),
        "primary-recall-ns-at-least-one": losses_without,
        "primary-recall-behaves-as-robustness": lambda e: (
            e.first_sinks and e.difference["GMAP"] > 0
        ),
        "gs10-behaves-most-as-robustness": gs10_loses_most,
    },
    "Conclusion": {
        "feedback-harms-single-item-search": lambda e: e.first_sinks,
        "common-early-precision-hides-harm": lambda e: (e.difference[list(EARLY)] > 0).mean() > 0.5,
    },
}

CLAIMS = Claims(
    evidence=Evidence,
    rows=ROWS,
    # Table cells, and the stars beside the labels of Table 2.
    closed=lambda row: NO_RUNS if row.kind == "table" else NO_FILES * (row.column == "starred"),
)
