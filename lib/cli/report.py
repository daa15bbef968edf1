"""``report``: a collection -> every table and figure on one page."""

from pathlib import Path

from lib.cli import common
from lib.published import in_words, names


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "report",
        help="a collection -> every table and figure on one page",
        description=f"Compute every table and figure of the {in_words(len(names()))} papers from "
        "a collection, and write them as one static page, FOLDER/index.html, with the numbers of "
        "all tables in FOLDER/numbers.csv.",
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection"
    )
    command.add_argument("--out", metavar="FOLDER", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help="write over FOLDER when it holds a report"
    )
    common.add_pairs(command)
    command.set_defaults(run=run)


def run(options):
    """Write the page."""
    from lib import load
    from lib.atomic import reserved
    from lib.report import made, report

    with reserved(options.out, kind="report", made=made, replace=options.replace) as place:
        collection = load(options.collection)
        pairs = common.pairs(options.pairs, collection)
        out = report(collection, place, pairs=pairs)
    print(
        f"{out.computed} tables and figures in {Path(options.out) / 'index.html'}, "
        f"{out.missing} that cannot be computed"
    )
