"""Reports of three collections in a browser and on paper, and the files that go with them."""

import csv
import io
import zipfile
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import DESKTOP, PHONE, opened
from colours import contrast
from pdf import Pdf
from test_browser import IMPACTS, PROTRUDING, UNFOLD, WIDTHS
from test_paper import SHEET, WHITE

from lib import load
from lib.reporting import report
from lib.reporting.sheet import archive

NAMES = ("trec8", "trec-covid", "trec5")

# A word of its own in the last column of every table, folded or not.
MARK = """() => [...document.querySelectorAll("table")]
  .map((table, i) => {
    const row = [...table.rows].reduce((a, b) => b.cells.length >= a.cells.length ? b : a);
    [...row.cells].pop().append(` zq${i}qz`);
    return `zq${i}qz`;
  })"""
OPEN = """() => document.querySelectorAll("details").forEach(e => { e.open = true })"""
# What is wider than the place it has, unless it is a phone: there tables and figures scroll.
CUT = """() => [...document.querySelectorAll(".scroll, .canvas")]
  .filter(box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map(box => box.textContent.slice(0, 60))"""


@pytest.fixture(scope="module", params=NAMES)
def made(request, tmp_path_factory):
    """A report and the address of its page."""
    folder = tmp_path_factory.mktemp("reports") / request.param
    found = report(load(request.param), command=f"python -m lib report {request.param}")
    found.save(folder)
    return found, (folder / "index.html").as_uri()


def test_it_asks_no_host_and_logs_nothing(browser, made):
    asked, faults = [], []
    with browser.new_page() as page:
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(made[1])
    assert asked == [made[1]] and faults == []


def test_it_does_not_scroll_sideways_and_nothing_is_cut_on_a_screen(browser, made):
    with opened(browser, made[1]) as page:
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
    with opened(browser, made[1], color_scheme=theme, viewport=size) as page:
        page.evaluate(UNFOLD)
        found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False})
    assert [
        (finding["id"], " ".join(map(str, node["target"])), node["failureSummary"])
        for finding in found.response["violations"]
        if finding["impact"] in IMPACTS
        for node in finding["nodes"]
    ] == []


def test_on_a_screen_tables_fold_and_on_paper_none_does(browser, made):
    hidden = """() => [...document.querySelectorAll("table")]
      .filter(table => !table.checkVisibility()).length"""
    with opened(browser, made[1]) as page:
        folded = page.locator("details").count()
        assert 10 < folded == page.evaluate(hidden)
        page.locator("summary").first.click()
        assert page.evaluate(hidden) == folded - 1
        page.emulate_media(media="print")
        assert page.evaluate(hidden) == 0


def test_paper_has_the_last_column_of_every_table_and_no_pale_text(browser, made):
    with opened(browser, made[1], color_scheme="dark") as page:
        marks = page.evaluate(MARK)
        pdf = Pdf(page.pdf(**SHEET, prefer_css_page_size=True))
    text = pdf.text().replace(" ", "")
    assert len(marks) > 25 and [mark for mark in marks if mark not in text] == []
    glyphs = [glyph for page in pdf.pages for glyph in pdf.glyphs(page) if glyph[0].strip()]
    pale = [letter for letter, colour in glyphs if contrast(colour, WHITE) < 4.5]
    assert "".join(pale) == ""


def test_no_heading_stands_twice_in_a_section_and_no_figure_twice(browser, made):
    with opened(browser, made[1]) as page:
        headings = page.locator("section").evaluate_all(
            "all => all.map(s => [...s.querySelectorAll('h2, h3')].map(h => h.textContent))"
        )
        tables = page.locator("table").evaluate_all("all => all.map(t => t.innerHTML)")
    assert all(len(found) == len(set(found)) for found in headings)
    assert len(tables) == len(set(tables))


def test_no_legend_tells_apart_what_nobody_knows(made):
    found, _ = made
    known = (load(found.title.rpartition(" ")[2]).systems["type"] == "manual").any()
    assert ("Triangles: manual runs" in found.page) == known
    assert (">manual</" in found.files["figures/webber2010-figure-2.svg"].decode()) == known


def test_every_file_of_the_archive_is_whole(made):
    found, _ = made
    kinds = {}
    for path, contents in found.files.items():
        kinds.setdefault(path.rpartition(".")[2], []).append(contents)
    assert len(kinds["svg"]) == len(kinds["pdf"]) > 8
    for text in kinds["svg"]:
        assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(text.startswith(b"%PDF-") and b"CreationDate" not in text for text in kinds["pdf"])
    for text in kinds["csv"]:
        rows = list(csv.reader(io.StringIO(text.decode())))
        assert len(rows) > 1 and len({len(row) for row in rows}) == 1
    for text in kinds["tex"]:
        lines = text.decode().splitlines()
        width = next(line for line in lines if line.startswith(r"\begin{tabular}"))
        columns = len(width.rpartition("{")[2]) - 1
        cells = [line for line in lines if line.endswith(r" \\")]
        assert cells and all(line.replace(r"\&", "").count("&") == columns - 1 for line in cells)
        assert all(line.isascii() or "{table}" not in line for line in lines)
    # The page names each of them, and the archive holds them.
    inside = zipfile.ZipFile(io.BytesIO(archive(found.files)))
    assert inside.testzip() is None and set(inside.namelist()) == set(found.files)
