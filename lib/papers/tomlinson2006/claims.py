"""What the paper says, each number and sentence checked."""

from functools import cache
from inspect import signature

import numpy as np
import pandas as pd

from lib.measures import generalized_success, scores
from lib.papers.tomlinson2006.printed import (
    EARLY,
    FAMILIES,
    FOUR,
    MEASURES,
    SYSTEMS,
    poster,
    printed,
)
from lib.papers.tomlinson2006.replication import PAIRS, ours
from lib.published import NOT_PUBLIC, half_digit, read
from lib.statistics.impact import OUTCOMES, impact, paired_scores

__all__ = ["claims", "findings"]


def claims(*places):
    """Return what the paper says, and whether its own printed numbers bear it out.

    Parameters
    ----------
    *places : str
        Such as "Section 3"; of tables, relations between printed numbers.

    Returns
    -------
    DataFrame
        Columns place, claim, holds ("yes", "no", "data not public"), why (empty where it holds).
    """
    found = findings()[lambda rows: rows["place"].isin(places)]
    texts = read("tomlinson2006").query("kind == 'text' and column == 'claim'")
    rows = texts.merge(found, on=["place", "row", "column"], how="inner")
    holds = rows["value"].map({True: "yes", False: "no"}).fillna(NOT_PUBLIC)
    return pd.DataFrame(
        {
            "place": rows["place"],
            "claim": rows["statement"],
            "holds": holds,
            "why": rows["cause"].where(holds != "yes", ""),
        }
    )


@cache
def findings():
    """Return all of the paper's numbers and claims as we find them, for the ledger.

    No table cell can be computed, since the runs are not public.  A claim that follows from printed
    numbers is checked on these: it says that the paper agrees with itself.  Our own systems enter
    nothing here.

    Returns
    -------
    DataFrame
        See :mod:`lib.papers`.
    """
    rows = {"Table 1": _relations_of_table1(), "Table 2": _relations_of_table2()}
    rows |= {
        "Abstract": _claims_of_abstract(),
        "Section 1": _claims_of_section1(),
        "Section 2": _claims_of_section2(),
        "Section 3": _claims_of_section3(),
        "Section 4": _claims_of_section4(),
        "Section 5": _claims_of_section5(),
        "Conclusion": _claims_of_conclusion(),
    }
    found = pd.DataFrame(
        [
            {
                "place": place,
                "row": slug,
                "value": value,
                "cause": cause,
                "status": NOT_PUBLIC if value is None else "",
            }
            for place, claims in rows.items()
            for slug, value, cause in claims
        ]
    )
    columns = read("tomlinson2006")[["place", "row", "column", "kind"]]
    texts = columns[(columns["kind"] == "text") & (columns["column"] != "starred")]
    found = found.merge(texts.drop(columns="kind"), on=["place", "row"], how="left")
    hidden = columns[(columns["kind"] == "table") | (columns["column"] == "starred")]
    reason = {
        "table": "the runs of the RIA workshop are not public",
        "text": "the evaluation files of the RIA workshop's site are not public",
    }
    hidden = hidden.assign(value=None, status=NOT_PUBLIC, cause=hidden["kind"].map(reason))
    both = pd.concat(
        [found.astype(object), hidden.drop(columns="kind").astype(object)], ignore_index=True
    ).assign(error=0.0)
    return both[["place", "row", "column", "value", "error", "status", "cause"]]


# Each of the functions below returns (slug, value, cause); a value of None needs data not public.


def _relations_of_table1():
    table = printed(1)
    mean = printed(2)
    change = pd.DataFrame({s: table.loc[f"{s} difference"] for s in SYSTEMS}).T
    for system in SYSTEMS:
        for column in table:
            own = round(
                table.loc[f"{system} feedback", column] - table.loc[f"{system} base", column], 3
            )
            stands = change.loc[system, column]
            yield (
                f"{system}-{column}-difference-is-feedback-minus-base",
                bool(own == stands),
                f"printed {stands:.3f}; the printed means differ by {own:.3f}, as rounding "
                "before subtracting may do",
            )
    for label, column in FOUR.items():
        average = change[column].mean()
        tolerance = half_digit("0.000") + 1e-9
        yield (
            f"mean-{column}-difference-equals-table-2",
            bool(abs(average - mean.loc[label, "difference"]) <= tolerance),
            f"the seven average {average:.4f}",
        )
        side = np.sign(change[column])
        three = [int((side == sign).sum()) for sign in (-1, 0, 1)]
        of = mean.loc[label].astype(int, errors="ignore")
        yield (
            f"{column}-signs-agree-with-table-2",
            three == [int(of["ns"] + of["no"]), int(of["z"]), int(of["po"] + of["ps"])],
            f"negative, zero, positive: {three}",
        )
    yield ("clarit-AP-difference-significant", bool(mean.loc["MAP", "ps"] == len(SYSTEMS)), "")
    yield (
        "clarit-P@10-difference-significant",
        bool(poster().loc[("clarit", "P10"), "significant"]),
        "a star marks it on the poster",
    )


def _relations_of_table2():
    table = printed(2)
    yield (
        "counts-sum-to-systems",
        bool((table[list(OUTCOMES)].sum(axis=1) == len(SYSTEMS)).all()),
        "",
    )
    key = list(zip(table["ps"] - table["ns"], table["difference"]))
    yield "rows-ordered-by-ps-minus-ns-then-difference", key == sorted(key), ""


def _claims_of_abstract():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    yield (
        "first-relevant-harmed-while-p10-gains",
        bool((first["difference"] < 0).all() and table.loc["P10", "difference"] > 0),
        "",
    )


def _claims_of_section1():
    change = printed(2)["difference"]
    for label in ("MRR", "S10"):
        yield f"hypothesis-{label.lower()}-falls", bool(change[label] < 0), ""
    for label in ("MAP", "P10"):
        yield f"hypothesis-{label.lower()}-rises", bool(change[label] > 0), ""


def _claims_of_section2():
    table = printed(2)
    strings = read("tomlinson2006").query("kind == 'table' and column == 'difference'")["printed"]
    starred = read("tomlinson2006").query("column == 'starred'")["row"]
    success = [label for label, name in MEASURES.items() if name.startswith("Success")]
    yield "systems", len({row.split()[0] for row in printed(1).index}), ""
    yield "topics", None, "the runs of the RIA workshop are not public"
    yield "alpha", 100 * signature(impact).parameters["alpha"].default, ""
    yield "difference-decimals", max(len(text.partition(".")[2]) for text in strings), ""
    for label, sign in (
        ("MAP", "positive"),
        ("P10", "positive"),
        ("MRR", "negative"),
        ("GS10", "negative"),
    ):
        wrong, right = ("ns", "ps") if sign == "positive" else ("ps", "ns")
        yield (
            f"{label.lower()}-significant-differences-{sign}",
            bool(table.loc[label, wrong] == 0 < table.loc[label, right]),
            "",
        )
    yield "measures", len(table), ""
    yield "trec-eval-measures", len(set(MEASURES) - {"GS10", *success}), ""
    yield "success-measures", len(success), ""
    yield "tied-rows-not-reordered", None, "the runs of the RIA workshop are not public"
    yield "starred-measures", len(starred), ""
    yield (
        "starred-measures-favouring-feedback",
        int((table.loc[list(starred), "difference"] > 0).sum()),
        "",
    )


def _claims_of_section3():
    table = printed(2)
    change = table["difference"]
    at_depth = table.loc[[label for label in table.index if label[0] == "P"]]
    significant = table["ns"] + table["ps"]
    yield "precision-at-n-all-higher", bool((at_depth["difference"] > 0).all()), ""
    yield "precision-at-n-each-significant-once", bool((at_depth["ps"] >= 1).all()), ""
    yield "s1-equals-precision-at-1", _success_is_precision_at_1(), ""
    yield "s1-declines", bool(change["S1"] < 0), ""
    yield "mrr-declines", bool(change["MRR"] < 0), ""
    for label in ("S1", "MRR"):
        yield (
            f"{label.lower()}-significant-differences-negative",
            bool(table.loc[label, "ps"] == 0 < table.loc[label, "ns"]),
            "",
        )
    # Few: of fewer than half of the systems.
    yield (
        "s1-mrr-significant-differences-few",
        bool((significant[["S1", "MRR"]] < len(SYSTEMS) / 2).all()),
        "",
    )
    yield "i0-declines", bool(change["I0"] < 0), ""
    yield "i10-rises", bool(change["I10"] > 0), ""
    for k in (5, 10):
        # k P@k counts relevant documents, and Success@k the first of them; the rest is what
        # comes after the first.  It rises while the first falls.
        later = k * change[f"P{k}"] - change[f"S{k}"]
        yield (
            f"precision-at-{k}-driven-by-later-relevant",
            bool(change[f"S{k}"] < 0 < later > k * change[f"P{k}"]),
            "",
        )
    # Less easily than GS10, the measure that the paper puts in their place.
    yield (
        "s1-mrr-less-often-significant",
        bool((significant[["S1", "MRR"]] < significant["GS10"]).all()),
        "",
    )


def _success_is_precision_at_1():
    return all(bool((scores(c, "Success@1") == scores(c, "P@1")).all(axis=None)) for c in ours())


def _claims_of_section4():
    base = signature(generalized_success).parameters["base"].default
    by_rank = _gs10(range(1, 1001))
    drops = -np.diff(by_rank)
    reciprocal = 1 / np.arange(1, 1001)
    table = printed(2)
    others = table.drop("GS10")["ns"]
    yield "gs10-base", base, ""
    yield "gs10-zero-when-nothing-relevant", bool(_gs10([None])[0] == 0), ""
    for rank in (1, 2, 3):
        yield f"gs10-rank-{rank}", by_rank[rank - 1], ""
    yield "gs10-falls-slower-than-rr", bool((by_rank[1:10] > reciprocal[1:10]).all()), ""
    yield "gs10-rounds-to-1-through-rank-10", bool((by_rank[:10] >= 0.5).all()), ""
    yield "gs10-rounds-to-0-beyond-rank-10", bool((by_rank[10:] < 0.5).all()), ""
    yield "gs10-steps-shrink", bool((np.diff(drops) < 0).all()), ""
    yield "gs10-ns", int(table.loc["GS10", "ns"]), ""
    yield "gs10-most-significant-losses", bool(table.loc["GS10", "ns"] > others.max()), ""


def _gs10(ranks):
    """GS10 of lists whose first relevant document has these ranks (None: not found)."""
    from lib.collection import Collection

    lists = {
        f"{number:04}": [f"x{i}" for i in range((rank or 1) - 1)] + (["r"] if rank else [])
        for number, rank in enumerate(ranks)
    }
    collection = Collection.from_rankings({"A": lists}, {topic: {"r": 1} for topic in lists})
    return generalized_success(collection)["A"].to_numpy()


def _claims_of_section5():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    short = list(first.index[first["ns"] < 1])
    gain = _worst_topics()
    yield (
        "feedback-fails-worst-topics",
        None,
        "said of the TREC 2003 robust track, whose runs are not public; with our systems the "
        f"quarter of topics with the poorest base AP gains {gain:+.3f} AP on average",
    )
    yield "gmap-favours-feedback", bool(table.loc["GMAP", "difference"] > 0), ""
    yield "gmap-ps", int(table.loc["GMAP", "ps"]), ""
    yield (
        "primary-recall-ns-at-least-one",
        not short,
        f"in the printed Table 2 {' and '.join(short)} have ns 0, and the other "
        f"{len(first) - len(short)} measures of the first relevant document 1 or more",
    )
    yield (
        "primary-recall-behaves-as-robustness",
        bool((first["difference"] < 0).all() and table.loc["GMAP", "difference"] > 0),
        "",
    )
    yield (
        "gs10-behaves-most-as-robustness",
        bool(
            (first["ns"] - first["ps"]).drop("GS10").max()
            < first.loc["GS10", "ns"] - first.loc["GS10", "ps"]
        ),
        "",
    )


def _worst_topics():
    """Mean change in AP of each system's poorest quarter of topics, by base AP, on average."""
    before, after = paired_scores(ours(), PAIRS, "AP")
    poorest = before.rank(method="first") <= len(before) // 4
    return (after - before).where(poorest).mean().mean()


def _claims_of_conclusion():
    table = printed(2)
    first = table.loc[list(FAMILIES["the first relevant document"])]
    hidden = table.loc[list(EARLY), "difference"] > 0
    yield "feedback-harms-single-item-search", bool((first["difference"] < 0).all()), ""
    yield "common-early-precision-hides-harm", bool(hidden.mean() > 0.5), ""
