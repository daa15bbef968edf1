"""Builds the book aside, and puts it in the place of the one in ``_build/html`` when it is whole.

``python -m book.make_book`` builds always from nothing: a page that did not change would not warn a
second time, and a page that was removed would stay.  A build that fails, or is ended, leaves the
old book as it was.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
HTML, OLD, NEW = BUILD / "html", BUILD / "old", BUILD / "new"
# As modules of this Python: the programs beside it know one path, and the checkout may have moved.
JUPYTER_BOOK = ("-c", "from jupyter_book.cli.main import main; main()")
BOOK = (*JUPYTER_BOOK, "build", "-W", "-n", "--keep-going", "--path-output", NEW, ".")
PAGES = NEW / "_build" / "html"
SLIDES = ("-m", "book.make_slides", PAGES / "slides")
PICTURES = ("-m", "book.make_pictures", PAGES)


def main() -> None:
    """Build the book, or say in a line that the old one stands."""
    if OLD.exists() and not HTML.exists():  # ended between the two renames
        OLD.rename(HTML)
    shutil.rmtree(NEW, ignore_errors=True)
    NEW.mkdir(parents=True)
    for step in (BOOK, SLIDES, PICTURES):
        if subprocess.run([sys.executable, *step], cwd=ROOT).returncode:
            stands = "; the one in _build/html is as it was" if HTML.exists() else ""
            sys.exit(f"The book was not built{stands}.")
    exchange(NEW / "_build" / "html")
    shutil.rmtree(NEW)


def exchange(html: Path) -> None:
    """Put a built book in the place of the one that stands there."""
    shutil.rmtree(OLD, ignore_errors=True)
    if HTML.exists():
        HTML.rename(OLD)
    html.rename(HTML)
    shutil.rmtree(OLD, ignore_errors=True)


if __name__ == "__main__":
    main()
