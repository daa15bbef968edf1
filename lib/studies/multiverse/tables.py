"""The tables of the chapter, and the numbers that its text and the front pages show."""

from string import ascii_lowercase

import pandas as pd

from lib.display.prose import between, named
from lib.display.tables import DASH, minus_signs
from lib.published import INCONCLUSIVE
from lib.statistics.multiplicity import holm
from lib.studies.committed import read
from lib.studies.multiverse.claims import CLAIMS, SECTIONS, claims_of
from lib.studies.multiverse.places import PLACES, best, whole
from lib.studies.multiverse.summaries import (
    NOT_ESTABLISHED,
    OTHERS,
    THESE,
    answered,
    curve,
    families,
    groups,
    over_families,
    pooled,
    predicted,
    summary,
    verdicts,
    without_each,
)
from lib.studies.sources import Source, facts, judged, sources

ASKED = "asked"
PAIRS_ONLY = "these are runs of our own, without and with feedback"
_OPEN = (INCONCLUSIVE, NOT_ESTABLISHED)
SAID = {
    "p10-AP": "AP predicts how systems rank by P@10 on new topics worse than P@10 itself",
    "p10-nDCG@20": "nDCG@20 predicts how systems rank by P@10 on new topics as well as P@10 itself",
    "power-AP-P@10": "more pairs of systems differ significantly by AP than by P@10",
    "families-three-corrected": "measures of early precision and of the whole list are two "
    "families",
}
HEADLINES = tuple(SAID)


def collections(given: list[Source]) -> pd.DataFrame:
    """Return what is known of each source."""
    rows, known = {}, facts().set_index("source")
    for source in given:
        shares = list(judged(source).values())
        rows[source.title] = {
            "family": known["family"].get(source.name, ""),
            "year": "" if source.year is None else str(source.year),
            "topics": source.topics,
            "systems": source.systems,
            "ranks judged": source.pool,
            "judged": shares[-1] if shares else None,
            "measures": "all" if source.collection is not None else ", ".join(source.scores),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def summarized(found: pd.DataFrame, tests: pd.DataFrame, section: str) -> pd.DataFrame:
    """Return the summaries of a section on the leading path, numbers with their intervals."""
    rows = {}
    for claim in claims_of(section):
        for group in groups(section):
            one = summary(found, claim.name, group)
            if one is None:
                continue
            each = pooled(found, claim.name, group)
            alone = (each["high"] < 0).sum(), (each["low"] > 0).sum()
            key = (claim.title, group) if SECTIONS[section].pairs else claim.title
            rows[key] = {
                "collections": one.number,
                "below, above 0": "{}, {}".format(*alone),
                "mean [95%]": between(one.mean, one.low, one.high),
                "prediction interval": _ends(*predicted(one)) + " †" * (one.tau2 == 0),
                "I²": f"{one.i2:.0%}",
            }
            if not SECTIONS[section].pairs:
                rows[key]["verdict"] = tests.loc[(claim.name, THESE), "verdict"]
    table = pd.DataFrame(list(rows.values()))
    if SECTIONS[section].pairs:
        return table.set_axis(pd.MultiIndex.from_tuples(rows, names=["measure", "systems"]))
    return table.set_axis(pd.Index(list(rows), name="number"))


def tested(found: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Return every test of every claim for both populations, and tau² with its interval."""
    rows = {}
    for (name, population), row in tests.iterrows():
        one = summary(found, name) if population == THESE else None
        rows[f"{SECTIONS[CLAIMS[name].section].title}: {CLAIMS[name].title}", population] = {
            "mean [95%]": between(row["mean"], row["low"], row["high"]),
            "p, Holm": _p(row["p"], row["holm"]),
            "within the margin": _p(row["p_margin"], row["holm_margin"]),
            "tau²": f"{one.tau2:.4f} [{one.tau2_low:.4f}, {one.tau2_high:.4f}]" if one else DASH,
            "verdict": row["verdict"],
        }
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.rename_axis(["claim", "population"])


def _p(p: float, adjusted: float) -> str:
    return DASH if pd.isna(p) else f"{p:.4f}, {adjusted:.3f}"


def by_family(found: pd.DataFrame) -> pd.DataFrame:
    """Return the headline claims in each family, their mean, and without each family in turn."""
    rows = {}
    for name in HEADLINES:
        claim, mean = CLAIMS[name], over_families(found, name)
        rows[f"{claim.title} ({SECTIONS[claim.section].title})"] = {
            **{family: minus_signs(f"{x:+.3f}") for family, x in families(found, name).items()},
            "mean of the four": between(mean.mean, mean.low, mean.high) if mean else DASH,
            **{
                f"without {family}": between(one.mean, one.low, one.high) if one else DASH
                for family, one in without_each(found, name).items()
            },
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("number")


def over_paths(found: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim how far its mean runs over all analysis paths, and how many decide."""
    rows = {}
    for claim in (claim for claim in CLAIMS.values() if claim.choices):
        table = curve(found, claim.name)
        rows[SECTIONS[claim.section].title, claim.title] = {
            "paths": len(table),
            "leading": table["mean"].iloc[0],
            "least": table["mean"].min(),
            "most": table["mean"].max(),
            "below 0": int((table["high"] < 0).sum()),
            "above 0": int((table["low"] > 0).sum()),
            "conclusive": float((table["sign"] != INCONCLUSIVE).mean()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["claim", "number"])


def by_ndcg(found: pd.DataFrame) -> pd.DataFrame:
    """Return the lead of nDCG@20 for P@10 by each formula of nDCG, all else as on the leading path.

    Where only scores are at hand the formula is the track's, so the Web tracks drop out of most.
    """
    table = curve(found, "p10-nDCG@20")
    ours = table.drop(columns=["nDCG", "collections", "mean", "low", "high", "sign"])
    near = table[(ours == ours.iloc[0]).all(axis=1)].set_index("nDCG")
    without = summary(found, "p10-nDCG@20", only=set(facts().query("family != 'Web'")["source"]))
    rows = near[["collections", "mean", "low", "high"]].copy()
    if without is not None:
        ends = without.number, without.mean, without.low, without.high
        rows.loc["as at hand, without the Web tracks"] = ends
    return rows.astype({"collections": int})


def unasked(found: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Say of each claim and source whether it was asked; letters stand for reasons, said after."""
    rows = found[(found["part"] == "") & (found["path"] == 0)]
    words = rows["why"].where(rows["why"] != "", ASKED)
    table = words.set_axis(pd.MultiIndex.from_frame(rows[["claim", "title"]])).unstack("title")
    names = {name: f"{SECTIONS[c.section].title}: {c.title}" for name, c in CLAIMS.items()}
    table = table.loc[list(names), list(dict.fromkeys(rows["title"]))].rename(index=names)
    table = table.fillna(PAIRS_ONLY).rename_axis("claim")
    general = table.replace(r"no scores by \S+ are", "no scores by the measure are", regex=True)
    kinds = [kind for kind in pd.unique(general.to_numpy().ravel()) if kind != ASKED]
    letters = dict(zip(kinds, ascii_lowercase))
    said = "; ".join(f"{letter}: {kind}" for kind, letter in letters.items())
    return general.replace({ASKED: "yes"} | letters), said


def printed_by_path() -> pd.DataFrame:
    """Count for each place, and each paper whole, the printed numbers that paths match."""
    tables = {}
    for given in PLACES:
        tables[given.paper, given.name] = given.paths()
    for paper in dict.fromkeys(given.paper for given in PLACES):
        if sum(given.paper == paper for given in PLACES) > 1:
            tables[paper, "all places"] = whole(paper)
    rows = {
        key: {
            "paths": len(table),
            "numbers": table["cells"].iloc[0],
            "ours": table["matched"].iloc[0],
            "best": table["matched"].max(),
            "as many": len(best(table)),
            "median": int(table["matched"].median()),
            "least": table["matched"].min(),
        }
        for key, table in tables.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["paper", "place"])


def _ends(low: float, high: float) -> str:
    return DASH if low != low else " to ".join(minus_signs(f"{end:+.3f}") for end in (low, high))


def quoted(found: pd.DataFrame, tests: pd.DataFrame) -> dict[str, str]:
    """Return what the text says beside the tables."""
    rows = found[(found["part"] == "") & (found["path"] == 0)]
    known, ap = facts(), pooled(found, "p10-AP")
    without = [summary(found, "p10-AP", only=set(ap["source"]) - {one}) for one in ap["source"]]
    means = [one.mean for one in without if one is not None]
    at = answered(found, "p10-AP").set_index("source")[["estimate", "low", "high"]]
    these, others = (tests.xs(one, level="population") for one in (THESE, OTHERS))
    alone = dict(zip(these.index, holm(these["p"])))
    numbers = {
        "sources": len(known),
        "runs": sum(source.collection is not None for source in sources()),
        "first": known["year"].min(),
        "last": known["year"].max(),
        "asked": rows["estimate"].notna().sum(),
        "not-asked": (rows["why"] != "").sum(),
        "p10-ap-negative": (ap["estimate"] < 0).sum(),
        "p10-ap-at-trec8": between(*at.loc["trec8"]),
        "p10-ap-at-robust04": between(*at.loc["robust04"]),
        "without-low": minus_signs(f"{min(means):+.3f}"),
        "without-high": minus_signs(f"{max(means):+.3f}"),
        "tests": these[["p", "p_margin"]].notna().to_numpy().sum(),
        "claims": len(these),
        "established": (~these["verdict"].isin(_OPEN)).sum(),
        "apart-holm": f"{these.loc['power-AP-P@10', 'holm']:.3f}",
        "apart-holm-alone": f"{alone['power-AP-P@10']:.3f}",
        "claims-others": len(others),
        "established-others": (~others["verdict"].isin(_OPEN)).sum(),
    }
    return {f"el-{name}": str(value) for name, value in numbers.items()}


def growth() -> dict[str, str]:
    """Quote Figure 1 beyond 25 topics."""
    own = read("multiverse", "growth").query("source == 'robust04'").set_index("topics")
    last = own.iloc[-1]
    return {
        "el-growth-last": str(own.index[-1]),
        "el-growth-25": between(*own.loc[25, ["lead", "low", "high"]]),
        "el-growth-end": between(*last[["lead", "low", "high"]]),
        "el-growth-change": between(*last[["change", "change_low", "change_high"]]),
        "el-growth-itself": f"{last['itself']:.3f}",
        "el-growth-by-ap": f"{last['by_ap']:.3f}",
    }


def pairs(found: pd.DataFrame) -> dict[str, str]:
    """Count the submitted pairs that rise and fall with feedback, and those that decide."""
    each = found[found["part"] != ""].set_index("claim")
    numbers = {"": str(each.index.value_counts().iloc[0])}
    for measure in ("AP", "GS10", "RR"):
        of = each.loc[f"feedback-{measure}"]
        numbers |= named(
            measure,
            pd.Series(
                {
                    "up": (of["estimate"] > 0).sum(),
                    "up decided": (of["low"] > 0).sum(),
                    "down": (of["estimate"] < 0).sum(),
                    "down decided": (of["high"] < 0).sum(),
                }
            ),
        )
    return {f"el-pairs-{name.lower()}".rstrip("-"): text for name, text in numbers.items()}


def lead(found: pd.DataFrame) -> str:
    """Return what came out in three sentences, for the README and the landing page.

    Only what survives Holm's adjustment is said, and of which collections.
    """
    tests = verdicts(found)
    these = tests.xs(THESE, level="population")
    yes = {name for name in HEADLINES if these.loc[name, "verdict"] != INCONCLUSIVE}
    established = "; ".join(SAID[name] for name in HEADLINES if name in yes)
    still = "; ".join(SAID[name] for name in HEADLINES if name not in yes)
    known = facts()
    number = len(pooled(found, HEADLINES[0]))
    kinds = ", ".join(dict.fromkeys(known["family"]))
    others = tests.xs(OTHERS, level="population")["verdict"]
    others = ~others.isin(_OPEN)
    carried = "; ".join(SAID.get(name, CLAIMS[name].title) for name in others.index[others])
    carried = f"only: {carried}" if carried else "none"
    parts = [
        f"On up to {number} collections of TREC from {known['year'].min()} to "
        f"{known['year'].max()}, with all their systems and many tests allowed for: "
        f"{established}.",
        f"Inconclusive on the same collections: {still}.",
        f"For other kinds of collections than these four ({kinds}), {len(others)} claims can be "
        f"judged, and established is {carried}.",
    ]
    return "\n".join(parts)


def finding(tests: pd.DataFrame) -> str:
    """Return the title of the chapter's first figure: who predicts P@10, after Holm."""
    said = tests.xs(THESE, level="population")["verdict"]
    margin = f"within {CLAIMS['p10-AP'].margin:.2f}"
    words = {margin: "as well as P@10 itself", "below 0": "worse than P@10 itself"}
    shallow, deep = (words.get(said[f"p10-{m}"], said[f"p10-{m}"]) for m in ("nDCG@20", "AP"))
    return f"How well P@10 is predicted.\nBy nDCG@20: {shallow}; by AP: {deep}"


def conclusive(found: pd.DataFrame, claim: str) -> str:
    """Return the title of a claim's curve: on how many paths its interval excludes 0.

    >>> from lib.studies.multiverse.engine import committed
    >>> conclusive(committed(), "families-three-raw")
    'three measures, same topics: 0 of 8 paths below 0, 8 above'
    """
    signs = curve(found, claim)["sign"]
    below, above = ((signs == word).sum() for word in ("below 0", "above 0"))
    return f"{CLAIMS[claim].title}: {below} of {len(signs)} paths below 0, {above} above"
