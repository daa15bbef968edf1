"""Reports of two collections in a browser and on paper."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import DESKTOP, PHONE, opened
from colours import contrast
from pdf import Pdf
from test_browser import IMPACTS, PROTRUDING, UNFOLD, WIDTHS
from test_paper import SHEET, WHITE

from lib.reporting.page import report

NAMES = ("trec8", "trec-covid")

# The tables of a report, but for those of the settings of a control that are not chosen.
TABLES = """[...document.querySelectorAll("table")].filter(one => !one.closest(".explore"))"""
# A word of its own in the last column of every table, folded or not.
MARK = f"""() => {TABLES}
  .map((table, i) => {{
    const row = [...table.rows].reduce((a, b) => b.cells.length >= a.cells.length ? b : a);
    [...row.cells].pop().append(` zq${{i}}qz`);
    return `zq${{i}}qz`;
  }})"""
OPEN = """() => document.querySelectorAll("details").forEach(e => { e.open = true })"""
# What is wider than the place it has, unless it is a phone: there tables and figures scroll.
CUT = """() => [...document.querySelectorAll(".scroll, .canvas")]
  .filter(box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map(box => box.textContent.slice(0, 60))"""


@pytest.fixture(scope="module", params=NAMES)
def made(request, tmp_path_factory):
    """The address of the page of a report."""
    folder = tmp_path_factory.mktemp("reports") / request.param
    report(request.param, folder)
    return (folder / "index.html").as_uri()


def test_it_asks_no_host_and_logs_nothing(browser, made):
    asked, faults = [], []
    with browser.new_page() as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(made)
    assert asked == [made] and faults == []


def test_it_does_not_scroll_sideways_and_nothing_is_cut_on_a_screen(browser, made):
    with opened(browser, made) as page:
        page.evaluate(OPEN)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            assert (
                page.evaluate(PROTRUDING.replace("article *", "main *").replace("ARTICLE", "MAIN"))
                == []
            )
            if width >= 1100:
                assert page.evaluate(CUT) == [], width


@pytest.mark.parametrize(("theme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_it_is_accessible(browser, made, theme, size):
    with opened(browser, made, color_scheme=theme, viewport=size) as page:
        page.evaluate(UNFOLD)
        found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False})
    assert [
        (finding["id"], " ".join(map(str, node["target"])), node["failureSummary"])
        for finding in found.response["violations"]
        if finding["impact"] in IMPACTS
        for node in finding["nodes"]
    ] == []


def test_on_a_screen_tables_fold_and_on_paper_none_does(browser, made):
    hidden = f"() => {TABLES}.filter(table => !table.checkVisibility()).length"
    with opened(browser, made) as page:
        folded = page.locator("details:not(.explore details)").count()
        assert 10 < folded == page.evaluate(hidden)
        page.locator("summary:not(.explore summary)").first.click()
        assert page.evaluate(hidden) == folded - 1
        page.emulate_media(media="print")
        assert page.evaluate(hidden) == 0


def test_paper_has_the_last_column_of_every_table_and_no_pale_text(browser, made):
    with opened(browser, made, color_scheme="dark") as page:
        marks = page.evaluate(MARK)
        pdf = Pdf(page.pdf(**SHEET, prefer_css_page_size=True))
    text = pdf.text().replace(" ", "")
    assert len(marks) > 25 and [mark for mark in marks if mark not in text] == []
    glyphs = [glyph for page in pdf.pages for glyph in pdf.glyphs(page) if glyph[0].strip()]
    pale = [letter for letter, colour in glyphs if contrast(colour, WHITE) < 4.5]
    assert "".join(pale) == ""


def test_a_control_works_from_the_file(browser, made):
    with opened(browser, made) as page:
        figure = page.locator("#explore-phi")
        before = figure.locator("svg").first.get_attribute("aria-label")
        figure.locator("select").first.select_option(index=1)
        shown = figure.locator("[data-at]:not([hidden]) svg").first
        assert shown.get_attribute("aria-label") != before
