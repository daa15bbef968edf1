"""``editions``: the notebooks for any place, from the chapters."""

import sys


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "editions",
        help="the chapters as notebooks for any place, with solutions and without",
        description="Name the editions of the chapters below book/ that are not current, and exit "
        "with status 1 when there is one.",
    )
    command.add_argument(
        "--write", action="store_true", help="write them anew, but for those with outputs"
    )
    command.set_defaults(run=run)


def run(options):
    """Write the editions, or name those that are stale."""
    from lib.teaching import editions

    if options.write:
        for name in editions.write():
            print(f"book/{name} has outputs and was left alone: move it away", file=sys.stderr)
    found = editions.stale()
    for name in found:
        print(f"book/{name} is not current: python -m lib editions --write", file=sys.stderr)
    return 1 if found else 0
