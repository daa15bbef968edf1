"""The tables of the chapter, as they are shown."""

from string import ascii_lowercase

import pandas as pd

from lib.display.prose import between
from lib.display.tables import minus_signs
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS
from lib.studies.elsewhere.summaries import groups, summaries
from lib.studies.sources import Source, judged

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
        if not pd.isna(row["expected_low"]):
            ends = (minus_signs(f"{row[end]:+.3f}") for end in ("expected_low", "expected_high"))
            expected = " to ".join(ends)
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
