"""``spending``: who loses outside the pool, what a budget buys, and a back-test of plans."""

from lib.cli import common
from lib.errors import InputError

WHAT = {
    "losses": "what being left out of the pool costs, by kind of run (needs judged.parquet)",
    "runs": "what it costs each run, at depths 10 and 100 (needs judged.parquet)",
    "ways": "ways to choose what is judged, at equal cost (needs judged.parquet)",
}


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "spending",
        help="what judgements buy, and who loses outside the pool",
        description="Print a table of the study of how judgements are spent, as CSV: "
        + "; ".join(f"{name}: {text}" for name, text in WHAT.items())
        + ". A collection has judged.parquet when it was derived with --judged. "
        "It takes some minutes.",
    )
    command.add_argument("what", metavar="WHAT", choices=WHAT, help=", ".join(WHAT))
    command.add_argument("collections", metavar="COLLECTION", nargs="+", help="names or folders")
    command.set_defaults(run=run)


def run(options):
    """Print the table, collection by collection."""
    import pandas as pd

    from lib import load

    parts = []
    for name in options.collections:
        collection = load(name, judged=True)
        try:
            table = TABLES[options.what](collection)
        except ValueError as error:
            raise InputError(str(error)) from None
        table.insert(0, "collection", collection.name)
        parts.append(table)
    common.show(pd.concat(parts).round(5))


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


TABLES = {"losses": _losses, "runs": _runs, "ways": _ways}
