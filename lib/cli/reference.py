"""``reference``: the pages of measures, terms and conventions, from the library."""

import sys


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "reference",
        help="the book's pages of measures, terms and conventions",
        description="Name the generated reference pages of the book that are not current, and exit "
        "with status 1 when there is one.",
    )
    command.add_argument("--write", action="store_true", help="write them anew")
    command.set_defaults(run=run)


def run(options):
    """Write the pages, or name those that are stale."""
    from lib.teaching import reference

    if options.write:
        reference.write()
    found = reference.stale()
    for name in found:
        print(f"book/{name} is not current: python -m lib reference --write", file=sys.stderr)
    return 1 if found else 0
