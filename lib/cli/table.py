"""``table``: a table of a paper, the printed one beside it."""

import sys

from lib.cli import common
from lib.errors import InputError
from lib.published import names


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "table",
        help="a table of a paper: published, reproduced, difference, verdict",
        description="Compute a table of a paper and set it beside the printed one.",
    )
    command.add_argument("paper", metavar="PAPER", help=", ".join(names()))
    command.add_argument("number", metavar="NUMBER", help="number of the table")
    command.add_argument(
        "--collection",
        metavar="NAME_OR_FOLDER",
        help="compute it from this collection (default: the paper's own)",
    )
    common.add_pairs(command)
    command.add_argument("--csv", action="store_true", help="print CSV")
    command.set_defaults(run=run)


def run(options):
    """Print the table."""
    from lib import load
    from lib.papers import paper

    name, number = options.paper, options.number.removeprefix("Table ")
    if name not in names():
        raise InputError(f"no paper {name!r}; the book has {', '.join(names())}")
    of = paper(name)
    if number not in of.tables:
        known = ", ".join(of.tables)
        raise InputError(f"{name}: no table {options.number!r}; it has {known}")
    collection = load(options.collection) if options.collection else None
    pairs = common.pairs(options.pairs, collection)
    try:
        result = of.compared(number, collection, pairs=pairs)
    except InputError as error:
        raise InputError(f"{name}, table {number}: {error}") from None
    shown = ["row", "column", "published", "reproduced", "difference", "verdict"]
    result = result[shown]
    if options.csv:
        result.insert(0, "paper", name)
        result.insert(1, "table", number)
        result.to_csv(sys.stdout, index=False, lineterminator="\n")
        return
    print(f"{of.title}, Table {number}")
    print(_readable(result))


def _readable(table):
    shown = table.copy()
    for column, form in (("reproduced", "{:.4f}"), ("difference", "{:+.4f}")):
        shown[column] = [
            "-" if value is None or value != value else form.format(value)
            for value in table[column]
        ]
    return shown.to_string(index=False)
