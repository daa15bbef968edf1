"""``slides``: the decks of the chapters."""

from pathlib import Path


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "slides",
        help="slides of the chapters",
        description="Write a deck of slides for each chapter, each one HTML file.",
    )
    command.add_argument("folder", type=Path, help="where to write them; made where it is missing")
    command.set_defaults(run=run)


def run(options):
    """Write the decks."""
    from lib.teaching import slides

    slides.write(options.folder)
    print(f"{options.folder}: a deck for each chapter")
