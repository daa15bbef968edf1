"""``slides``: the decks of the chapters, and their figures as files."""

from pathlib import Path


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "slides",
        help="slides of the chapters, and their figures as SVG",
        description="Write a deck of slides for each chapter, each one HTML file, and the figures "
        "beside them as SVG.",
    )
    command.add_argument("folder", type=Path, help="where to write them; made where it is missing")
    command.set_defaults(run=run)


def run(options):
    """Write decks and figures."""
    from lib.teaching import slides

    slides.write(options.folder)
    print(f"{options.folder}: a deck for each chapter, and their figures")
