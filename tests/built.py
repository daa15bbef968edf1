"""The built book, for the tests that look at it."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from book.teaching.myst import AUDIT

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"

FRONT = HTML / "index.html"  # leads to the landing page, and is empty itself
LANDING = HTML / "book" / "intro.html"

# Pages that are gone; in the stead of each stands one that leads on (test_moved.py).
with (ROOT / "book" / "moved.csv").open(encoding="utf-8", newline="") as table:
    MOVED = {row["old"]: row["new"] for row in csv.DictReader(table)}
GONE = {HTML / old for old in MOVED if "#" not in old}

# A folder whose name begins with an underscore holds what pages need, not pages; slides are no
# pages of the book either, and have tests of their own.
PAGES = sorted(
    path
    for path in HTML.rglob("*.html")
    if path not in {FRONT, *GONE}
    and not path.relative_to(HTML).parts[0].startswith(("_", "slides"))
)
NOTEBOOKS = [path for path in PAGES if path.parent.name == "chapters"]
CHAPTERS = [path for path in NOTEBOOKS if not path.stem.endswith(AUDIT)]


def name(path):
    """Return the address of a page within the book; it names the page's tests."""
    return path.relative_to(HTML).as_posix()


def parsed(path, *left_out):
    """Return a page, parsed without some elements that stand in none of their kind: it is quick."""
    text = path.read_text("utf-8")
    if left_out:
        text = re.sub(rf"(?s)<({'|'.join(left_out)})\b.*?</\1>", "", text)
    return BeautifulSoup(text, "html.parser")


@cache
def soup(path):
    """Return a page, parsed once for all tests, which leave it as it is."""
    return parsed(path)


def metas(path):
    """Return what the head of a page says of it, by name or property."""
    tags = soup(path).head.find_all("meta", content=True)
    return {tag.get("name") or tag.get("property"): tag["content"] for tag in tags}


def ids(path):
    """Return the identifiers of a page."""
    return set(re.findall(r'\sid="([^"]+)"', path.read_text("utf-8")))


needs_book = pytest.mark.skipif(not PAGES, reason="the book is not built: run `make book`")
