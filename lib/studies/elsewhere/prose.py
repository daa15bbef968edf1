"""The numbers that the text of the chapter shows, a function a section."""

import re
from typing import Any

import pandas as pd

from lib.display.prose import between
from lib.display.tables import minus_signs
from lib.papers.webber2008.tables import MARGIN
from lib.statistics.random_effects import Summary
from lib.studies.elsewhere.claims import CLAIMS, claims_of
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.forest import forest
from lib.studies.elsewhere.growth import committed_growth
from lib.studies.elsewhere.moderators import moderated
from lib.studies.elsewhere.summaries import OURS, groups, pooled, summary
from lib.studies.sources import facts, sources
from lib.studies.topic_error import read_topic_error


def _slug(name: str) -> str:
    """Return a claim's name as the text has it.

    >>> _slug("p10-nDCG@20")
    'p10-ndcg20'
    """
    return re.sub(r"[^a-z0-9-]", "", name.lower())


def _ends(low: float, high: float) -> str:
    return " to ".join(minus_signs(f"{end:+.3f}") for end in (low, high))


def finding() -> dict[str, Any]:
    """Return the figure of the landing page: who predicts P@10, on the book's own collections."""
    found = estimates()
    shown = [claim for claim in claims_of("p10") if claim.title in ("nDCG@20", "AP")]
    return {"finding-elsewhere": forest(found, "p10", shown, width="column")}


def counted(found: pd.DataFrame) -> dict[str, str]:
    """Count the sources, the claims, and what was asked."""
    rows = found[found["part"] == ""]
    known = facts()
    given = sources()
    return {
        "el-sources": str(len(known)),
        "el-apart": str(int(known["note"].isna().sum())),
        "el-runs": str(sum(source.collection is not None for source in given)),
        "el-first": str(known["year"].min()),
        "el-last": str(known["year"].max()),
        "el-numbers": str(len(CLAIMS)),
        "el-asked": str(int(rows["estimate"].notna().sum())),
        "el-not-asked": str(int((rows["why"] != "").sum())),
        "el-margin": f"{MARGIN:.2f}",
    }


def summarized(found: pd.DataFrame) -> dict[str, str]:
    """Quote every summary: its mean with the interval, and where another collection would lie."""
    numbers: dict[str, str] = {}
    for claim in CLAIMS.values():
        for group in groups(claim.section):
            one = summary(found, claim.name, group)
            if one is None:
                continue
            name = f"el-{_slug(claim.name)}" + ("-ours" if group == OURS else "")
            each = pooled(found, claim.name, group)
            numbers |= {
                name: between(one.mean, one.low, one.high),
                f"{name}-n": str(one.number),
                f"{name}-expected": _ends(one.expected_low, one.expected_high),
                f"{name}-i2": f"{one.i2:.0%}",
                f"{name}-below": str(int((each["high"] < 0).sum())),
                f"{name}-above": str(int((each["low"] > 0).sum())),
                f"{name}-negative": str(int((each["estimate"] < 0).sum())),
            }
    return numbers


def rows(found: pd.DataFrame) -> dict[str, str]:
    """Quote AP for P@10 on single collections: "el-p10-ap-at-trec8" and so on."""
    one = found[(found["claim"] == "p10-AP") & found["estimate"].notna()]
    return {
        f"el-{_slug(row.claim)}-at-{_slug(row.source)}": between(row.estimate, row.low, row.high)
        for row in one.itertuples()
    }


def without_one(found: pd.DataFrame) -> dict[str, str]:
    """Quote the least and the largest mean lead of AP for P@10 without one of the sources."""
    names = set(pooled(found, "p10-AP")["source"])
    others = (summary(found, "p10-AP", only=names - {name}) for name in names)
    means = sorted(one.mean for one in others if one is not None)
    return {
        f"el-without-{end}": minus_signs(f"{mean:+.3f}")
        for end, mean in (("low", means[0]), ("high", means[-1]))
    }


def growth() -> dict[str, str]:
    """Quote Figure 1 beyond 25 topics, and between which sizes the lead changes its sign."""
    points = committed_growth()
    own = points[points["source"] == "robust04"].set_index("topics")
    last, before = own.index[-1], own.index[own["lead"] > 0][-1]
    after = own.index[own.index > before][0]
    at_25, at_last = own.loc[25], own.loc[last]
    return {
        "el-growth-last": str(last),
        "el-growth-from": str(before),
        "el-growth-to": str(after),
        "el-growth-25": between(at_25["lead"], at_25["low"], at_25["high"]),
        "el-growth-end": between(at_last["lead"], at_last["low"], at_last["high"]),
        "el-growth-change": between(
            at_last["change"], at_last["change_low"], at_last["change_high"]
        ),
        "el-growth-itself": f"{at_last['itself']:.3f}",
        "el-growth-by-ap": f"{at_last['by_ap']:.3f}",
    }


def moderators(found: pd.DataFrame) -> dict[str, str]:
    """Quote the summaries by kind of pool, and the difference."""
    numbers = {}
    for claim in ("p10-AP", "rr-AP", "families-three-corrected", "power-AP-P@10"):
        table = moderated(found, claim, "pools")
        for name, (_, row) in zip(("deep", "shallow", "difference"), table.iterrows()):
            text = between(row["mean"], row["low"], row["high"])
            numbers[f"el-{_slug(claim)}-{name}"] = text
    return numbers


def pairs(found: pd.DataFrame) -> dict[str, str]:
    """Count the submitted pairs that rise and fall with feedback, and those that tell it."""
    numbers: dict[str, str] = {}
    for claim in claims_of("feedback"):
        each = found[(found["claim"] == claim.name) & (found["part"] != "")]
        slug = _slug(claim.title)
        numbers |= {
            "el-pairs": str(len(each)),
            f"el-pairs-{slug}-up": str(int((each["estimate"] > 0).sum())),
            f"el-pairs-{slug}-up-told": str(int((each["low"] > 0).sum())),
            f"el-pairs-{slug}-down": str(int((each["estimate"] < 0).sum())),
            f"el-pairs-{slug}-down-told": str(int((each["high"] < 0).sum())),
        }
    return numbers


def coverage() -> dict[str, str]:
    """Quote how often the intervals hold the truth on Robust 2004's topics."""
    table = read_topic_error()
    own = table[(table["population"] == "robust04") & (table["method"] == "one")]
    share = own.set_index("quantity")["coverage"]
    return {
        "el-coverage-lead": f"{share['prediction']:.1%}",
        "el-coverage-power": f"{share['power']:.1%}",
        "el-coverage-low": f"{own['coverage'].min():.1%}",
        "el-coverage-high": f"{own['coverage'].max():.1%}",
    }


def _first_two(found: pd.DataFrame) -> tuple[Summary, Summary]:
    ap, shallow = summary(found, "p10-AP"), summary(found, "p10-nDCG@20")
    assert ap is not None and shallow is not None
    return ap, shallow


def citable(found: pd.DataFrame) -> dict[str, str]:
    """Return the sentence that a reader may cite."""
    ap, shallow = _first_two(found)
    years = facts()["year"]
    return {
        "el-citable": (
            f"On {ap.number} collections of {years.min()} to {years.max()} that share no topics, "
            "ranking systems by AP on at most 25 topics predicted their ranking by P@10 on as many "
            f"others {_word(ap)} P@10 itself did (difference of mean tau "
            f"{between(ap.mean, ap.low, ap.high)}; another collection is expected at "
            f"{_ends(ap.expected_low, ap.expected_high)}), and nDCG@20 {_word(shallow)} it did "
            f"({between(shallow.mean, shallow.low, shallow.high)}, {shallow.number} collections)."
        )
    }


def _word(one: Summary) -> str:
    """Say how a predictor fares, by the interval of its lead and the margin of chapter 1."""
    if one.high < 0:
        return "worse than"
    if one.low > 0:
        return "better than"
    return (
        "as well as"
        if one.low > -MARGIN
        else "neither better nor worse, as far as can be told, than"
    )


def lead(found: pd.DataFrame) -> str:
    """Return what came out in two sentences, for the README and the landing page."""
    ap, shallow = _first_two(found)
    gap, gain = summary(found, "families-three-corrected"), summary(found, "power-AP-P@10")
    assert gap is not None and gain is not None
    return (
        f"Asked of {ap.number} collections that share no topics, AP predicts P@10 on new topics "
        f"{_word(ap)} P@10 itself does (mean difference of tau "
        f"{between(ap.mean, ap.low, ap.high)}), and nDCG@20 {_word(shallow)} it does.\n"
        "But AP tells more pairs of systems apart than P@10 (share of all pairs "
        f"{between(gain.mean, gain.low, gain.high)}), and measures of early precision and of the "
        "whole list form two families nearly everywhere (tau within less tau across, noise "
        f"removed, {between(gap.mean, gap.low, gap.high)})."
    )
