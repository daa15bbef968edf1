"""Pages on paper: as PDF files of Chromium, nothing is cut, nothing folded, all of it light."""

import pytest
from built import HTML, PAGES, name, needs_book
from chromium import PHONE, opened
from colours import contrast
from pdf import Pdf

from lib.ledger import committed
from lib.ledger_page import address

pytestmark = needs_book

ARTICLES = [page for page in PAGES if page.parent.name in ("book", "chapters")]
WHITE = (1, 1, 1)
SHEET = {"format": "A4", "print_background": True}  # the margins are the style sheet's

# A word of its own in the last column of every table, but for those of settings that do not show.
MARK = """() => [...document.querySelectorAll("article table")]
  .filter(table => !table.closest("[hidden]"))
  .map((table, i) => {
    const row = [...table.rows].reduce((a, b) => b.cells.length >= a.cells.length ? b : a);
    const shown = [...row.cells].filter(cell => getComputedStyle(cell).display !== "none");
    shown.pop().append(` zq${i}qz`);
    return `zq${i}qz`;
  })"""


def printed(browser, address, **options):
    """Return the PDF of a page, with the marks of its tables."""
    with opened(browser, address, color_scheme="dark", **options) as page:
        marks = page.evaluate(MARK) if options.get("java_script_enabled", True) else []
        return Pdf(page.pdf(**SHEET, prefer_css_page_size=True)), marks


@pytest.mark.parametrize("path", ARTICLES, ids=name)
def test_paper_has_the_last_column_of_every_table_and_no_pale_text(browser, path):
    pdf, marks = printed(browser, path.as_uri())
    text = pdf.text().replace(" ", "")
    assert [mark for mark in marks if mark not in text] == []
    assert "Textandfigures:CCBY4.0" in text  # what it is from, and on what terms
    glyphs = [glyph for page in pdf.pages for glyph in pdf.glyphs(page) if glyph[0].strip()]
    pale = [letter for letter, colour in glyphs if contrast(colour, WHITE) < 4.5]
    assert "".join(pale) == ""


def test_paper_has_the_whole_ledger(browser):
    with opened(browser, (HTML / "book" / "ledger.html").as_uri()) as page:
        page.evaluate("""() => document.querySelectorAll("tr[id] th").forEach((head, i) => {
          head.append(` zq${i}qz`);
        })""")
        rows = page.locator("tr[id]").evaluate_all("rows => rows.map(row => row.id)")
        text = Pdf(page.pdf(**SHEET)).text().replace(" ", "")
        assert set(rows) == {address(row) for row in committed().itertuples()}
        assert [row for i, row in enumerate(rows) if f"zq{i}qz" not in text] == []


def test_printing_leaves_the_page_as_it_was(browser):
    state = """() => [document.documentElement.dataset.theme, document.documentElement.innerHTML
      .match(/<details[^>]*>/g).join()]"""
    path = HTML / "chapters" / "00-foundations.html"
    with opened(browser, path.as_uri(), color_scheme="dark", viewport=PHONE) as page:
        before = page.evaluate(state)
        page.pdf(**SHEET)
        assert page.evaluate(state) == before and before[0] == "dark"


def test_the_reader_of_pdf_files_sees_what_is_cut(browser):
    body = """<p style="width: 3000px; text-align: right">far</p>
      <p style="width: 4em; overflow: hidden; white-space: nowrap">near but abcdefghijk<b>hidden</b>
      <p style="color: #eee">pale"""
    with browser.new_page() as page:
        page.set_content(body)
        pdf = Pdf(page.pdf(**SHEET))
    assert "near" in pdf.text() and "hidden" not in pdf.text() and "far" not in pdf.text()
    glyphs = [glyph for page in pdf.pages for glyph in pdf.glyphs(page)]
    assert "".join(letter for letter, colour in glyphs if min(colour) > 0.9) == "pale"
