"""``seal``: a collection edited on purpose -> a collection again."""


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "seal",
        help="a collection or score matrix edited on purpose -> one that is believed again",
        description="Check the tables of a collection or score matrix, and record their files as "
        "they are now in its datapackage.json. Nothing else reads a file that was changed.",
    )
    command.add_argument("folder", metavar="FOLDER", help="folder of the collection")
    command.set_defaults(run=run)


def run(options):
    """Check and record."""
    from lib.collection import seal

    changed = seal(options.folder)
    print(f"{options.folder}: sealed; recorded anew: {', '.join(changed) or 'nothing'}")
