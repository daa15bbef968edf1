"""The built book as files: light, complete, with a picture of each finding."""

import re

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from built import CHAPTERS, HTML, LANDING, PAGES, ROOT, name, needs_book

from lib.teaching import editions

PAGE_LIMIT = 2_000_000  # bytes of one HTML file
BOOK_LIMIT = 25_000_000  # bytes of all files, MathJax's fonts not counted
FONTS = HTML / "_static" / "mathjax" / "output"


def soup(path):
    """Return the parsed page at `path`."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@needs_book
def test_pages_and_book_are_light():
    weights = {path: path.stat().st_size for path in HTML.rglob("*") if path.is_file()}
    heavy = {name(page): weights[page] for page in PAGES if weights[page] >= PAGE_LIMIT}
    assert heavy == {}
    total = sum(weight for path, weight in weights.items() if FONTS not in path.parents)
    assert total < BOOK_LIMIT


@needs_book
def test_style_sheets_need_no_network():
    found = [
        f"{path.relative_to(HTML)}: {match.group()[:80]}"
        for path in HTML.rglob("*.css")
        for match in re.finditer(
            r"(@import|url\()\s*(url\()?[\"']?\s*(https?:)?//[^)\"']*",
            path.read_text(encoding="utf-8"),
        )
    ]
    assert found == []


@needs_book
def test_every_chapter_is_built():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    chapters = [file for file in files if file.startswith("chapters/")]
    assert chapters, "_toc.yml names no chapter"
    assert [name(path) for path in CHAPTERS] == [f"{file}.html" for file in sorted(chapters)]


@needs_book
@pytest.mark.parametrize("kind", editions.KINDS)
@pytest.mark.parametrize("page", CHAPTERS, ids=name)
def test_a_chapter_can_be_downloaded_as_its_editions(page, kind):
    (link,) = soup(page).select(f"a.btn-download-{kind}-button")
    file = (page.parent / link["href"]).resolve()
    assert nbformat.read(file, as_version=4).cells[0].source.startswith(editions.NOTES[kind])
    assert soup(page).select("a.btn-download-source-button") == []


@needs_book
def test_landing_page_shows_each_finding_with_a_picture():
    pictured = {
        (LANDING.parent / link["href"].partition("#")[0]).resolve()
        for finding in soup(LANDING).select(".finding:has(figure svg[aria-label])")
        for link in finding.select("a.reference.internal[href]")
    }
    # The foundations find nothing.
    findings = [path for path in CHAPTERS if not path.name.startswith("00-")]
    missing = [name(path) for path in findings if path not in pictured]
    assert missing == [], "book/intro.md shows no picture of these chapters"


@needs_book
def test_landing_page_shows_the_verdicts():
    tables = [
        {row.find("td").get_text() for row in table.select("tbody tr")}
        for table in soup(LANDING).select("article table.table")
    ]
    assert any({"reproduced", "inconclusive", "differs", "all"} <= rows for rows in tables)
