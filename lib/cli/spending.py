"""``spending``: who loses outside the pool, what a budget buys, and a back-test of plans."""

from lib.cli import common
from lib.errors import InputError

OF_COLLECTIONS = {
    "losses": "what being left out of the pool costs, by kind of run (needs judged.parquet)",
    "runs": "what it costs each run, at depths 10 and 100 (needs judged.parquet)",
    "ways": "ways to choose what is judged, at equal cost (needs judged.parquet)",
    "backtest": "the planner tried on halves of the topics",
    "pilots": "what the planner asks of a pilot's pools",
    "curves": "what halves of a pilot's topics tell of each other",
}
JUDGED = ("losses", "runs", "ways")  # what takes the judged non-relevant documents
OF_THE_BOOK = {
    "needs": "what comparisons of two systems can tell, in every collection of the book",
    "turns": "significant differences that turn round on other topics, Robust 2004 and TREC-8",
}


def add(commands):
    """Say the arguments."""
    what = OF_COLLECTIONS | OF_THE_BOOK
    command = commands.add_parser(
        "spending",
        help="what judgements buy, and who loses outside the pool",
        description="Print a table of the study of how judgements are spent, as CSV. "
        + "; ".join(f"{name}: {text}" for name, text in what.items())
        + ". A collection has judged.parquet when it was derived with --judged. "
        "It takes some minutes.",
    )
    command.add_argument("what", metavar="WHAT", choices=what, help=", ".join(what))
    command.add_argument(
        "collections",
        metavar="COLLECTION",
        nargs="*",
        help=f"names or folders; for {', '.join(OF_COLLECTIONS)}",
    )
    command.add_argument(
        "--jobs", type=int, default=2, metavar="N", help="processes (default: %(default)s)"
    )
    command.set_defaults(run=run)


def run(options):
    """Print the table."""
    import pandas as pd
    from joblib import parallel_config

    if (options.what in OF_COLLECTIONS) != bool(options.collections):
        wanted = "needs a collection" if options.what in OF_COLLECTIONS else "takes no collection"
        raise InputError(f"{options.what}: {wanted}")
    if options.what in OF_THE_BOOK:
        common.show(_of_the_book(options.what).round(5))
        return
    parts = []
    for name in options.collections:
        try:
            with parallel_config(n_jobs=options.jobs):
                parts.append(_of_collection(options.what, name))
        except ValueError as error:
            raise InputError(str(error)) from None
    common.show(pd.concat(parts).round(5))


def _of_the_book(what):
    from lib.studies.spending.topics import all_needs, all_turned

    return all_needs() if what == "needs" else all_turned()


def _of_collection(what, name):
    from lib import load

    collection = load(name, judged=what in JUDGED)
    table = TABLES[what](collection)
    table.insert(0, "collection", collection.name)
    return table


def _losses(collection):
    from lib.studies.spending.pooled import left_out, losses

    return losses(left_out(collection), collection.systems)


def _runs(collection):
    from lib.studies.spending.pooled import left_out, of_runs

    return of_runs(left_out(collection, depths=(10, 100)), collection.systems)


def _ways(collection):
    from lib.studies.spending.budgets import predicted

    known = (collection.systems["pooled"] == "yes").any()
    return predicted(collection, by="pooled" if known else "all")


def _backtest(collection):
    from lib.studies.spending.backtest import back_test, summary
    from lib.studies.spending.pilot import pilot

    return summary(back_test(pilot(collection)))


def _pilots(collection):
    from lib.studies.spending.kept import pools_of
    from lib.studies.spending.pilot import pilot

    return pools_of(pilot(collection))


def _curves(collection):
    from lib.studies.spending.kept import NUMBER, TIMES, curves_of
    from lib.studies.spending.pilot import pilot

    return curves_of(pilot(collection).told(number=NUMBER, times=TIMES))


TABLES = {
    "losses": _losses,
    "runs": _runs,
    "ways": _ways,
    "backtest": _backtest,
    "pilots": _pilots,
    "curves": _curves,
}
