"""``fetch``: public originals -> a folder."""

from lib.originals.sources import SOURCES


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "fetch",
        help="public originals -> a folder: runs and judgements, or texts",
        description="Download public originals at a pinned commit and check each file by its "
        "SHA-256. What was downloaded before an interruption is kept and not fetched again.",
    )
    command.add_argument("name", metavar="NAME", choices=list(SOURCES), help=", ".join(SOURCES))
    command.add_argument("--to", metavar="FOLDER", required=True, help="folder to make")
    command.set_defaults(run=run)


def run(options):
    """Download, and say how to go on."""
    from lib.originals.fetch import fetch

    print(fetch(options.name, options.to))
