"""The tables of the chapter, and the numbers that its text shows beside them."""

from string import ascii_lowercase

import pandas as pd

from lib.display.prose import between
from lib.display.tables import minus_signs
from lib.papers.webber2008.tables import MARGIN
from lib.statistics.multiplicity import holm
from lib.studies.committed import read
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS
from lib.studies.elsewhere.summaries import groups, pooled, summaries, summary
from lib.studies.sources import Source, facts, judged, sources

ASKED = "asked"
PAIRS_ONLY = "these are runs of our own, without and with feedback"


def collections(given: list[Source]) -> pd.DataFrame:
    """Return what is known of each source."""
    rows = {}
    for source in given:
        shares = list(judged(source).values())
        rows[source.title] = {
            "year": "" if source.year is None else str(source.year),
            "topics": source.topics,
            "systems": source.systems,
            "ranks judged": source.pool,
            "judged": shares[-1] if shares else None,
            "measures": "all" if source.collection is not None else ", ".join(source.scores),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def summarized(found: pd.DataFrame, section: str) -> pd.DataFrame:
    """Return the summaries of a section, numbers with their intervals."""
    rows = {}
    for key, row in summaries(found, section).iterrows():
        expected = "–"
        if not pd.isna(row["prediction_low"]):
            expected = _ends(row["prediction_low"], row["prediction_high"])
        rows[key] = {
            "collections": int(row["sources"]),
            "below 0": int(row["below"]),
            "above 0": int(row["above"]),
            "mean [95%]": between(row["mean"], row["low"], row["high"]),
            "another collection": expected,
            "heterogeneity": f"{row['heterogeneity']:.0%}",
            "told": row["told"],
        }
    table = pd.DataFrame(list(rows.values()))
    if len(groups(section)) > 1:
        return table.set_axis(pd.MultiIndex.from_tuples(rows, names=["measure", "systems"]))
    return table.set_axis(pd.Index(list(rows), name="number"))


def unasked(found: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim and source whether it was asked, or why not: no cell is empty."""
    rows = found[found["part"] == ""]
    words = rows["why"].where(rows["why"] != "", ASKED)
    table = words.set_axis(pd.MultiIndex.from_frame(rows[["claim", "title"]])).unstack("title")
    names = {name: f"{SECTIONS[c.section].title}: {c.title}" for name, c in CLAIMS.items()}
    table = table.loc[list(names), list(dict.fromkeys(rows["title"]))].rename(index=names)
    return table.fillna(PAIRS_ONLY).rename_axis("claim")


def in_short(reasons: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Write a table of reasons with letters, and what these mean.

    Examples
    --------
    >>> table, said = in_short(pd.DataFrame({"TREC-6": ["asked", "no scores by RBP are public"]}))
    >>> table["TREC-6"].tolist(), said
    (['yes', 'a'], 'a: no scores by the measure are public')
    """
    general = reasons.replace(r"no scores by \S+ are", "no scores by the measure are", regex=True)
    kinds = [kind for kind in pd.unique(general.to_numpy().ravel()) if kind != ASKED]
    letters = dict(zip(kinds, ascii_lowercase))
    said = "; ".join(f"{letter}: {kind}" for kind, letter in letters.items())
    return general.replace({ASKED: "yes"} | letters), said


def _ends(low: float, high: float) -> str:
    return " to ".join(minus_signs(f"{end:+.3f}") for end in (low, high))


def quoted(found: pd.DataFrame) -> dict[str, str]:
    """Return what the text says beside the tables."""
    rows = found[found["part"] == ""]
    known, given = facts(), sources()
    ap = pooled(found, "p10-AP")
    names = set(ap["source"])
    others = (summary(found, "p10-AP", only=names - {name}) for name in names)
    least, *_, most = sorted(one.mean for one in others if one is not None)
    on = rows[rows["claim"] == "p10-AP"].set_index("source")[["estimate", "low", "high"]]
    return {
        "el-sources": str(len(known)),
        "el-runs": str(sum(source.collection is not None for source in given)),
        "el-first": str(known["year"].min()),
        "el-last": str(known["year"].max()),
        "el-asked": str(rows["estimate"].notna().sum()),
        "el-not-asked": str((rows["why"] != "").sum()),
        "el-margin": f"{MARGIN:.2f}",
        "el-p10-ap-negative": str((ap["estimate"] < 0).sum()),
        "el-p10-ap-at-trec8": between(*on.loc["trec8"]),
        "el-p10-ap-at-robust04": between(*on.loc["robust04"]),
        "el-without-low": minus_signs(f"{least:+.3f}"),
        "el-without-high": minus_signs(f"{most:+.3f}"),
    }


def growth() -> dict[str, str]:
    """Quote Figure 1 beyond 25 topics, and between which sizes the lead changes its sign."""
    points = read("elsewhere", "growth")
    own = points[points["source"] == "robust04"].set_index("topics")
    last, before = own.index[-1], own.index[own["lead"] > 0][-1]
    at_25, at_last = own.loc[25], own.loc[last]
    return {
        "el-growth-last": str(last),
        "el-growth-from": str(before),
        "el-growth-to": str(own.index[own.index > before][0]),
        "el-growth-25": between(*at_25[["lead", "low", "high"]]),
        "el-growth-end": between(*at_last[["lead", "low", "high"]]),
        "el-growth-change": between(*at_last[["change", "change_low", "change_high"]]),
        "el-growth-itself": f"{at_last['itself']:.3f}",
        "el-growth-by-ap": f"{at_last['by_ap']:.3f}",
    }


def pairs(found: pd.DataFrame) -> dict[str, str]:
    """Count the submitted pairs that rise and fall with feedback, and those that tell it."""
    each = found[found["part"] != ""].set_index("claim")
    ap, gs10, rr = (each.loc[f"feedback-{measure}"] for measure in ("AP", "GS10", "RR"))
    return {
        "el-pairs": str(len(ap)),
        "el-pairs-ap-up": str((ap["estimate"] > 0).sum()),
        "el-pairs-ap-up-told": str((ap["low"] > 0).sum()),
        "el-pairs-gs10-down": str((gs10["estimate"] < 0).sum()),
        "el-pairs-gs10-down-told": str((gs10["high"] < 0).sum()),
        "el-pairs-rr-down": str((rr["estimate"] < 0).sum()),
        "el-pairs-rr-down-told": str((rr["high"] < 0).sum()),
    }


def lead(found: pd.DataFrame) -> str:
    """Return what came out, for the README and the landing page: what survives Holm's method.

    Tested is each claim but those on pairs of runs against 0, and of each measure's lead over P@10
    besides whether it lies within the margin.
    """
    names = [name for name, claim in CLAIMS.items() if not SECTIONS[claim.section].pairs]
    known = {name: one for name in names if (one := summary(found, name)) is not None}
    p = {name: one.differs() for name, one in known.items()}
    p |= {f"{name} within": known[name].within(MARGIN) for name in known if name.startswith("p10-")}
    adjusted = dict(zip(p, holm([*p.values()])))
    said = {
        "families-three-corrected": "measures of early precision and those of the whole list rank "
        "systems each in their own way",
        "power-AP-P@10": "by AP more pairs of systems differ significantly than by P@10",
        "p10-AP": "AP predicts how systems rank by P@10 on new topics worse than P@10 itself",
        "p10-nDCG@20 within": "nDCG@20 predicts it as well as P@10 itself",
    }
    yes, no = (
        "; ".join(text for name, text in said.items() if (adjusted[name] < 0.05) == decided)
        for decided in (True, False)
    )
    number = max(one.number for one in known.values())
    return (
        f"On up to {number} collections of TREC, and with all {len(p)} tests of the chapter "
        f"allowed for: {yes}.\nInconclusive on the same collections: {no}."
    )
