"""Make the tables of this folder: what judgements buy, and who loses outside the pool.

    python data/spending/make.py JUDGED [TABLE ...]

JUDGED holds trec8, trec5, trec-covid, dl19 and dl21, derived with --judged.  An hour or two.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from joblib import parallel_config

from lib.collection import Collection, load, load_scores
from lib.measures import complete_scores
from lib.studies.committed import write
from lib.studies.sources import sources
from lib.studies.spending import pooled
from lib.studies.spending.choosing import predicted
from lib.studies.spending.pilot import NUMBER, PILOTS, curves_of, pilot, pools_of
from lib.studies.spending.planner import back_test, summary
from lib.studies.spending.topics import needs, sign_reversals


def losses(collection: Collection) -> pd.DataFrame:
    """What being left out of the pool costs, by kind of run."""
    return pooled.losses(pooled.score_left_out(collection), collection.systems)


def runs(collection: Collection) -> pd.DataFrame:
    """What being left out costs each run."""
    tables = []
    for one in pooled.score_left_out(collection, depths=(10, 100)):
        facts = collection.systems.loc[one.inside.columns]
        columns = {
            "depth": one.depth,
            "measure": one.measure,
            "group": facts["group"],
            "type": facts["type"],
            "inside": one.inside.mean(),
            "outside": one.outside.mean(),
        }
        for side in ("rank_inside", "rank_outside"):
            ranks = getattr(one, side).astype("Int64")
            columns[side] = ranks.where(one.measure not in pooled.NOT_RANKED)
        table = pd.DataFrame(columns).rename_axis("run").reset_index()
        table.insert(2, "run", table.pop("run"))
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def ways(collection: Collection) -> pd.DataFrame:
    """What ways to choose documents buy, at equal cost."""
    known = (collection.systems["pooled"] == "yes").any()
    return predicted(collection, by="pooled" if known else "all")


def all_needs() -> pd.DataFrame:
    """What comparisons of two systems can tell, in every collection of the book."""
    tables = {source.name: needs(source) for source in sources()}
    return pd.concat(tables, names=["source"]).reset_index(level="source")


def all_reversals() -> pd.DataFrame:
    """Significant differences that turn round: on Robust 2004's topics, and on TREC-8's halves."""
    robust, trec8 = load_scores("robust04"), load("trec8")
    tables = {}
    for measure in ("AP", "P@10"):
        tables["robust04", measure] = sign_reversals(robust[measure], sizes=(25, 50, 100, 124))
        tables["trec8", measure] = sign_reversals(complete_scores(trec8, measure), sizes=(25,))
    found = pd.concat(tables, names=["source", "measure"]).reset_index(level=[0, 1])
    return found.sort_values(["source", "measure", "topics"], kind="stable", ignore_index=True)


POOLED = ("trec8", "trec-covid")  # who fed the pool is known
TRIED = ("trec8", "trec5", "dl19", "dl21", "trec-covid")
OF_JUDGED: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "losses": (losses, POOLED),
    "runs": (runs, POOLED),
    "ways": (ways, PILOTS),
}
OF_PILOTS: dict[str, tuple[Callable, tuple[str, ...]]] = {
    "backtest": (lambda c: summary(back_test(pilot(c))), TRIED),
    "pilots": (lambda c: pools_of(pilot(c)), PILOTS),
    "curves": (lambda c: curves_of(pilot(c).told(number=NUMBER)), PILOTS),
}
OF_THE_BOOK = {"needs": all_needs, "turns": all_reversals}


def made(name: str, judged: Path) -> pd.DataFrame:
    """Make a table."""
    if name in OF_THE_BOOK:
        return OF_THE_BOOK[name]()
    make, collections = (OF_JUDGED | OF_PILOTS)[name]
    if name in OF_JUDGED:
        given = {of: load(judged / of, judged=True) for of in collections}
    else:
        given = {of: load(of) for of in collections}
    tables = {of: make(collection) for of, collection in given.items()}
    return pd.concat(tables, names=["collection"]).reset_index(level="collection")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judged", type=Path)
    every = [*OF_JUDGED, *OF_PILOTS, *OF_THE_BOOK]
    parser.add_argument("tables", nargs="*", default=every, choices=every)
    options = parser.parse_args()
    with parallel_config(n_jobs=2):
        for table in options.tables:
            write("spending", table, made(table, options.judged).round(5))
