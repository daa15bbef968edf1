"""``roads``: the open choices of the papers crossed, and what becomes of their numbers."""

from pathlib import Path

from lib.cli import common
from lib.errors import InputError


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "roads",
        help="the open choices of the papers, crossed",
        description="Walk every road through the choices that the papers leave open and keep what "
        "becomes of their numbers and claims (see lib.studies.roads): the package data/roads.",
    )
    command.add_argument(
        "papers",
        metavar="PAPER",
        nargs="*",
        help="only the printed numbers of these papers (default: of all, and the claims)",
    )
    common.add_output(command, "data package")
    command.set_defaults(run=run)


def run(options):
    """Walk the roads and save the package."""
    from lib.studies.roads import PAPERS, write

    for name in options.papers:
        if name not in PAPERS:
            raise InputError(f"{name}: no roads through it; there are {', '.join(PAPERS)}")
    out = Path(options.out)
    about = common.about(options.about)
    words = ["python -m lib roads", *options.papers, "--out", out.name]
    about["command"] = " ".join(words)
    common.refuse_output(options, "data package")
    name = options.name or out.resolve().name
    rows = write(options.out, options.papers, name=name, about=about, replace=options.replace)
    print(f"{out}: {', '.join(f'{count} rows in {file}' for file, count in rows.items())}")
