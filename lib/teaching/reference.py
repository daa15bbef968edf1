"""The generated pages of the book's reference part, and whether the committed ones are current."""

from collections.abc import Callable

from lib.paths import ROOT
from lib.teaching import conventions, course, glossary, measures_page, speed_page

__all__ = ["PAGES", "stale", "write"]

PAGES: dict[str, Callable[[], str]] = {
    "measures.md": measures_page.page,
    "glossary.md": glossary.page,
    "conventions.md": conventions.page,
    "teaching.md": course.page,
    "speed.md": speed_page.page,
}


def stale() -> list[str]:
    """Return the pages below ``book/`` that are not what the library says now."""
    return [name for name, page in PAGES.items() if _committed(name) != page()]


def write() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (ROOT / "book" / name).write_text(page(), encoding="utf-8")


def _committed(name):
    file = ROOT / "book" / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""
