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
        "all tables in FOLDER/numbers.csv, and everything as CSV, LaTeX, SVG and PDF in "
        "FOLDER/report.zip.",
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
    from lib import load
    from lib.atomic import refuse_existing
    from lib.collection.package import folder_of
    from lib.reporting import made, report

    refuse_existing(options.out, kind="report", made=made, replace=options.replace)
    # With all judged documents, where the folder has them: they tell how deep it was judged.
    judged = (folder_of(options.collection) / "judged.parquet").is_file()
    collection = load(options.collection, judged=judged)
    out = report(
        collection,
        pairs=common.pairs(options.pairs, collection),
        second=load(options.second) if options.second else None,
        command=_command(options),
    )
    out.save(options.out, replace=options.replace)
    print(
        f"{out.computed} tables and figures in {Path(options.out) / 'index.html'}, "
        f"{out.missing} that cannot be computed"
    )


def _command(options):
    """Return what was typed; folders above what it names are left out."""
    words = ["python -m lib report --collection", Path(options.collection).name]
    if options.pairs:
        words += ["--pairs", Path(options.pairs).name]
    if options.second:
        words += ["--second", Path(options.second).name]
    return " ".join([*words, "--out", Path(options.out).name])
