"""The tables of the chapter, and the numbers that its text and the front pages show."""

import pandas as pd

from lib.conventions import DASH
from lib.decisions import INCONCLUSIVE
from lib.display.prose import intervals, named
from lib.intervals import between, minus_signs
from lib.statistics.multiplicity import holm
from lib.studies.committed import read
from lib.studies.multiverse import summaries
from lib.studies.multiverse.claims import CLAIMS
from lib.studies.multiverse.engine import PLACES
from lib.studies.multiverse.summaries import NUMBERS, OTHERS, THESE, curve, pooled, summary
from lib.studies.sources import facts, judged, sources

_OPEN = (INCONCLUSIVE, summaries.NOT_ESTABLISHED)
SAID = {
    "p10-AP": "AP predicts how systems rank by P@10 on new topics worse than P@10 itself",
    "p10-nDCG@20": "nDCG@20 predicts how systems rank by P@10 on new topics as well as P@10 itself",
    "power-AP-P@10": "more pairs of systems differ significantly by AP than by P@10",
    "families-three-corrected": "measures of early precision and of the whole list are two "
    "families",
}


def collections() -> pd.DataFrame:
    """Return what is known of each source of the book."""
    rows = {}
    for source in sources():
        shares = list(judged(source).values())
        rows[source.title] = {
            "family": source.family,
            "year": str(source.year),
            "topics": source.topics,
            "systems": source.systems,
            "ranks judged": source.pool,
            "judged": shares[-1] if shares else None,
            "measures": "all" if source.collection is not None else ", ".join(source.scores),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def titled(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table by name of the claims with their titles in the names' place."""
    return table.rename({claim.name: claim.stated for claim in CLAIMS.values()})


def summarized(found: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Return the summary of every claim that has a verdict, on the leading path, by name."""
    rows = {}
    for name, test in tests.xs(THESE, level="population").iterrows():
        one, each = summary(found, name), pooled(found, name)
        assert one is not None
        rows[name] = {
            "collections": one.number,
            "below, above 0": f"{(each['high'] < 0).sum()}, {(each['low'] > 0).sum()}",
            "mean [95%]": between(one.mean, one.low, one.high),
            "prediction interval": _ends(*summaries.predicted(one)) + " †" * (one.tau2 == 0),
            "I²": f"{one.i2:.0%}",
            "tau²": f"{one.tau2:.4f} [{one.tau2_low:.4f}, {one.tau2_high:.4f}]",
            "p, Holm": f"{test['p']:.4f}, {test['holm']:.3f}",
            "verdict": test["verdict"],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def by_family(found: pd.DataFrame) -> pd.DataFrame:
    """Return the headline claims in each family, their mean, and without each family in turn."""
    rows = {}
    for name in SAID:
        every = {"mean of the four": summaries.over_families(found, name)}
        for family, one in summaries.without_each(found, name).items():
            every[f"without {family}"] = one
        own = summaries.families(found, name).map("{:+.3f}".format).map(minus_signs)
        rows[name] = own.to_dict() | intervals(summaries.rows_of(every)).to_dict()
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def over_paths(found: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim how far its mean runs over all analysis paths, and how many decide."""
    every = [claim.name for claim in CLAIMS.values() if claim.choices]
    rows = {name: summaries.spread(curve(found, name)) for name in every}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def by_ndcg(found: pd.DataFrame) -> pd.DataFrame:
    """Return the lead of nDCG@20 for P@10 by each formula of nDCG, all else as on the leading path.

    Where only scores are at hand the formula is the track's, so the Web tracks drop out of most.
    """
    table = curve(found, "p10-nDCG@20")
    ours = table.drop(columns=["nDCG", *NUMBERS])
    rows = table[(ours == ours.iloc[0]).all(axis=1)].set_index("nDCG")[NUMBERS]
    without = summaries.without_each(found, "p10-nDCG@20")["Web"]
    without_web = summaries.rows_of({"as at hand, without the Web tracks": without})
    return pd.concat([rows, without_web]).rename_axis("nDCG")


def printed_by_path() -> pd.DataFrame:
    """Count for each place of a paper the printed numbers that paths match."""
    rows = {}
    for given in PLACES:
        table = given.paths()
        matched, numbers = table["matched"], table["cells"].iloc[0]
        rows[given.paper, given.name] = {
            "paths": len(table),
            "numbers": numbers,
            "match all": (matched == numbers).sum(),
            "median": int(matched.median()),
            "least": matched.min(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["paper", "place"])


def _ends(low: float, high: float) -> str:
    return DASH if low != low else " to ".join(minus_signs(f"{end:+.3f}") for end in (low, high))


def quoted(found: pd.DataFrame, tests: pd.DataFrame) -> dict[str, str]:
    """Return what the text says beside the tables."""
    rows = found[(found["part"] == "") & (found["path"] == 0)]
    known, ap = facts(), pooled(found, "p10-AP")
    at = intervals(summaries.answered(found, "p10-AP").set_index("source"), "estimate")
    every = {one: summary(found, "p10-AP", only=set(ap["source"]) - {one}) for one in ap["source"]}
    without = summaries.rows_of(every)
    low, high = (minus_signs(f"{without['mean'].agg(end):+.3f}") for end in ("min", "max"))
    these, kinds = (tests.xs(one, level="population") for one in (THESE, OTHERS))
    alone = pd.Series(holm(these["p"]), these.index)
    numbers = {
        "sources": len(known),
        "runs": sum(source.collection is not None for source in sources()),
        "first": known["year"].min(),
        "last": known["year"].max(),
        "asked": rows["estimate"].notna().sum(),
        "not-asked": (rows["why"] != "").sum(),
        "p10-ap-negative": (ap["estimate"] < 0).sum(),
        "p10-ap-at-trec8": at["trec8"],
        "p10-ap-at-robust04": at["robust04"],
        "without-low": low,
        "without-high": high,
        "tests": these[["p", "p_margin"]].notna().to_numpy().sum(),
        "claims": len(these),
        "established": (~these["verdict"].isin(_OPEN)).sum(),
        "holm": f"{these.loc['power-AP-P@10', 'holm']:.3f}",
        "holm-alone": f"{alone['power-AP-P@10']:.3f}",
        "claims-others": len(kinds),
        "established-others": (~kinds["verdict"].isin(_OPEN)).sum(),
    }
    return {f"el-{name}": str(value) for name, value in numbers.items()}


def known(*claims: str) -> dict[str, str]:
    """Quote the committed verdicts of claims, for the chapter of the paper that makes them.

    >>> known("p10-AP")["now-p10-ap-other-kinds-of-collections"]
    'not established from four families'
    """
    rows = read("multiverse", "verdicts").set_index(["claim", "population"]).loc[list(claims)]
    return named("lead", intervals(rows)) | named("now", rows["verdict"])


def growth() -> dict[str, str]:
    """Quote Figure 1 beyond 25 topics."""
    own = read("multiverse", "growth").query("source == 'robust04'").set_index("topics")
    leads, change = intervals(own, "lead"), own.iloc[-1][["change", "change_low", "change_high"]]
    ends = {"last": str(own.index[-1]), "end": leads.iloc[-1], "change": between(*change)}
    return named("el-growth", pd.Series(ends | {"25": leads[25]}))


def pairs(found: pd.DataFrame) -> dict[str, str]:
    """Count the submitted pairs that rise and fall with feedback, and those that decide."""
    parts = found[found["part"] != ""]
    counts = pd.DataFrame(
        {
            "up": parts["estimate"] > 0,
            "up decided": parts["low"] > 0,
            "down": parts["estimate"] < 0,
            "down decided": parts["high"] < 0,
        }
    )
    counts = counts.groupby(parts["claim"]).sum()
    return named("el", counts) | {"el-pairs": str(parts["part"].nunique())}


def lead(found: pd.DataFrame) -> str:
    """Return what came out in three sentences, for the README and the landing page.

    Only what survives Holm's adjustment is said, and of which collections.
    """
    tests, known = summaries.verdicts(found)["verdict"], facts()
    these, others = (tests.xs(one, level="population") for one in (THESE, OTHERS))
    still = these[list(SAID)] == INCONCLUSIVE
    yes, no = ("; ".join(SAID[name] for name in still.index[still == one]) for one in (False, True))
    carried = others.index[~others.isin(_OPEN)]
    carried = "; ".join(SAID.get(name, CLAIMS[name].title) for name in carried)
    carried = f"this alone is established: {carried}" if carried else "none is established"
    kinds = ", ".join(known["family"].unique())
    return (
        f"On up to {len(pooled(found, 'p10-AP'))} collections of TREC from {known['year'].min()} "
        f"to {known['year'].max()}, with all their systems and after correction for many tests: "
        f"{yes}.\nInconclusive on the same collections: {no}.\n"
        f"Of the {len(others)} claims that can be tested for other kinds of collections than these "
        f"four ({kinds}), {carried}."
    )
