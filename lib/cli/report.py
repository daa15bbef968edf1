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
        "a collection, and write them as a page that needs no network, FOLDER/index.html, as the "
        "notebook that made it, FOLDER/report.ipynb, and as CSV.",
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection"
    )
    command.add_argument("--out", metavar="FOLDER", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help="write over FOLDER when it holds a report"
    )
    common.add_pairs(command)
    command.add_argument(
        "--second",
        metavar="NAME_OR_FOLDER",
        help="the same runs by another judge: how alike the two rank them",
    )
    command.set_defaults(run=run)


def run(options):
    """Write the page."""
    from lib.reporting.page import report

    missing = report(
        options.collection,
        options.out,
        pairs=options.pairs,
        second=options.second,
        command=_command(options),
        replace=options.replace,
    )
    page = Path(options.out) / "index.html"
    print(f"{page}: the report; {missing} of its parts cannot be computed")


def _command(options):
    """Return what was typed; folders above what it names are left out."""
    words = ["python -m lib report --collection", Path(options.collection).name]
    if options.pairs:
        words += ["--pairs", Path(options.pairs).name]
    if options.second:
        words += ["--second", Path(options.second).name]
    return " ".join([*words, "--out", Path(options.out).name])
