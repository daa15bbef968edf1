"""Say which claims are answered otherwise without the runs of a group, or without exact copies.

    python data/claims/make.py

It writes otherwise.csv (some five minutes on two quiet cores); claims.csv is written by hand, and
``python -m lib ledger --write`` makes verdicts.csv, which reads this table.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

from collections.abc import Iterator

import pandas as pd
from joblib import Parallel

from chapters.data_tables import claims_everywhere, write
from chapters.elsewhere import confirmed, summaries
from chapters.elsewhere.claims import ASKED_RUNS, CLAIM_OF
from chapters.elsewhere.engine import without_groups
from chapters.elsewhere.sources import NO_COPIES, copies, sources
from chapters.ledger.claims import MEMBERS, Row
from chapters.ledger.deciding import asks_by_name, checked_rows, side_of
from chapters.ledger.paper import options, paths
from chapters.ledger.papers import papers
from chapters.ledger.registry import COPIES
from lib.collection import load_once
from lib.measures import complete_scores
from lib.tasks import task

_SHOWN = ["AP", "P@10", "RR"]


def of_collection(rows: list[Row], without: str, out: list[str]) -> list[list[str]]:
    """Return which rows of one collection are answered otherwise without some of its runs."""
    whole = load_once(rows[0].population)
    rest = whole.select(systems=whole.systems.index.drop(out))
    sides = ((row, side_of(row, whole), side_of(row, rest)) for row in rows)
    return [[row.id, row.title, without] for row, side, other in sides if side != other]


def parts(population: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what is left out of a collection: each group's runs, and exact copies of others."""
    collection = load_once(population)
    out = copies(complete_scores(collection, _SHOWN))
    if out:
        yield COPIES, out
    groups = collection.systems["group"]
    if not (groups == "").any():
        yield from ((name, [*of.index]) for name, of in groups.groupby(groups))


def of_means(rows: list[Row]) -> list[list[str]]:
    """Return which claims of chapter 5 are answered otherwise, on the leading path."""
    found, every = [], claims_everywhere()
    left = {one.title: without_groups(one, CLAIM_OF.values()) for one in sources()}
    for row in rows:
        claim = CLAIM_OF[row.id]
        own = every[every["claim"] == claim.name]

        def side(estimates: pd.DataFrame, path: int = 0, row: Row = row) -> str:
            return side_of(row, summaries.mean_over(estimates, row.id, row.population, path))

        whole, choices = side(own), paths(claim.choices)
        without = {}
        for path, labels in choices.iterrows():
            if options(claim.choices, labels).get(ASKED_RUNS.argument) == NO_COPIES:
                without[COPIES] = side(own, path)
        for title, groups in left.items():
            here = (own["title"] == title) & (own["path"] == 0) & (own["part"] == "")
            values = groups.get(row.id, {})
            for group in filter(None, values):
                moved = own["estimate"] + (values[group] - values[""])
                other = own.assign(estimate=own["estimate"].mask(here, moved))
                without[f"{group} ({title})"] = side(other)
        found += [[row.id, row.title, what] for what, other in without.items() if other != whole]
    return found


def of_papers() -> Iterator[list[str]]:
    """Yield the claims of papers on TREC-8 that have another word without its exact copies."""
    ((_, out),) = (part for part in parts("trec8") if part[0] == COPIES)
    trec8 = load_once("trec8")
    rest = trec8.select(systems=trec8.systems.index.drop(out))
    for name, paper in papers().items():
        if not hasattr(paper.data(), "trec8"):
            continue
        whole, other = paper.checked, paper.check(paper.data(trec8=rest))
        moved = (whole["word"] != other["word"]) | (whole["verdict"] != other["verdict"])
        for row in whole[moved & (whole["word"] != "")].itertuples():
            yield [f"{name}/{row.row}", row.population, COPIES]


def otherwise() -> pd.DataFrame:
    """Return the claims that are answered otherwise without some runs: id, population, without."""
    rows, tasks = checked_rows(), []
    asked = [row for row in rows if row.population not in MEMBERS and not asks_by_name(row)]
    for population in dict.fromkeys(row.population for row in asked):
        own = [row for row in asked if row.population == population]
        tasks += [task(of_collection, own, *part) for part in parts(population)]
    found = [row for part in Parallel(n_jobs=2)(tasks) for row in part]
    found += of_papers()
    found += of_means([row for row in rows if row.population in summaries.POPULATIONS])
    new = {row.call()[1][0]: row for row in rows if row.population in MEMBERS}
    for claim, groups in confirmed.fragile().items():
        found += [[new[claim].id, new[claim].title, group] for group in groups]
    return pd.DataFrame(found, columns=["id", "population", "without"])


if __name__ == "__main__":
    write("claims", "otherwise", otherwise())
