"""Slides: what is tagged is shown, in a file that stands alone."""

import re
from runpy import run_path

import nbformat
import pytest
from built import HTML, ROOT, needs_book
from chromium import watched
from playwright.sync_api import expect

from book.teaching.myst import Book

BOOK = Book()
SLIDES = run_path(str(ROOT / "book" / "make_slides.py"))
# How large the words of a drawing are.
SIZES = """svg => [...svg.querySelectorAll("text")]
  .map(text => parseFloat(text.style.fontSize) * svg.getScreenCTM().a)"""
# What hides a part of itself at its side.
CUT = """[...document.querySelectorAll("section .measures, section .measures *")]
  .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1
    && getComputedStyle(e).overflowX !== "visible")
  .map(e => e.closest("section").id)"""
each_chapter = pytest.mark.parametrize("chapter", BOOK.chapters, ids=lambda path: path.stem)


@each_chapter
def test_a_deck_shows_the_question_what_is_tagged_and_the_take_aways(chapter):
    cells = nbformat.read(chapter, as_version=4).cells
    tagged = [cell.id for cell in cells if SLIDES["TAG"] in cell.metadata.get("tags", [])]
    made = SLIDES["selected"](chapter, BOOK)
    assert len(tagged) >= 6
    assert [cell.id for cell in made.cells if cell.cell_type == "code"] == tagged
    text = [cell.source for cell in made.cells if cell.cell_type == "markdown"]
    assert text[0].startswith(f"# {made.metadata.title}\n") and len(text[0]) > 100
    assert text[-1].startswith("## Take-aways\n")
    assert all(one.startswith("## ") for one in text[1:])
    assert "](#" not in "".join(text), "a link that leads nowhere"
    for cell in made.cells:
        if cell.cell_type == "code":
            assert any("text/html" in output.get("data", {}) for output in cell.outputs), cell.id
            assert all(len(part.split()) >= 3 for part in cell.metadata["note"]), cell.id


def test_a_kit_names_the_slide_that_it_links_to():
    linked = []
    for kit in (ROOT / "book" / "kits").glob("*.md"):
        text = kit.read_text(encoding="utf-8")
        linked += re.findall(r'slides/([\w-]+)\.html#([\w-]+)">slide (\d+)</a>', text)
        assert text.count("/slides/") == text.count('">slide ')
    assert linked
    for deck, cell, number in linked:
        made = SLIDES["selected"](ROOT / "chapters" / f"{deck}.ipynb", BOOK).cells
        heads = [one.id for one in made if one.cell_type == "markdown"]
        assert heads[int(number) - 1] == cell


# Long: the other decks, whose script is the same; the first one notices most of it.
@needs_book
@pytest.mark.parametrize(
    "chapter",
    [BOOK.chapters[0], *(pytest.param(one, marks=pytest.mark.long) for one in BOOK.chapters[1:])],
    ids=lambda path: path.stem,
)
def test_a_slide_fits_its_screen_the_keys_turn_it_and_nothing_else_is_loaded(browser, chapter):
    faults, start, screen = [], (HTML / "slides").as_uri(), {"width": 1280, "height": 720}
    with watched(browser, start, f"{chapter.stem}.html", faults, viewport=screen) as page:
        at = (
            "[...document.querySelectorAll('section')]"
            ".findIndex(s => Math.abs(s.getBoundingClientRect().top) < 2)"
        )
        for key, place in (("ArrowRight", 1), (" ", 2), ("ArrowLeft", 1), ("Shift+ ", 0)):
            page.keyboard.press(key)
            page.wait_for_function(f"{at} === {place}")
        expect(page.locator("section aside").first).to_be_hidden()
        with page.expect_popup() as opened:
            page.keyboard.press("n")
        speaker = opened.value
        speaker.keyboard.press("ArrowRight")
        expect(speaker.locator("h1")).to_have_text(re.compile(r"^2\. \w"))
        told = speaker.locator("body").inner_text()
        note = page.locator("section").nth(1).locator("aside p").all_text_contents()
        assert note and all(one.strip() in told for one in note)
        assert re.search(r"Next: \w", told)
        speaker.close()
        size = "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
        assert min(page.locator("section > :is(p, ul)").evaluate_all(size)) >= 28  # of 720
        titles = page.locator("section > figure > figcaption > strong").evaluate_all(size)
        assert titles and min(titles) >= 50
        tall = (
            "[...document.querySelectorAll('section')]"
            ".filter(s => s.getBoundingClientRect().height > innerHeight + 1)"
        )
        for width, height in ((1280, 720), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(f"{tall}.length === 0")
            assert (
                page.evaluate("Math.min(...slides.map(s => s.style.getPropertyValue('--fit')))")
                >= 0.95
            )
            least = f"Math.min(...drawings(document).flatMap({SIZES})) * 720 / innerHeight"
            assert page.evaluate(CUT) == []
            assert page.evaluate(least) >= 21  # most are of 28; of many rows none can be
        page.emulate_media(media="print")
        expect(page.locator("#notes")).to_be_visible()
        count = page.locator("section").count()
        too_wide = page.evaluate(
            "[...document.querySelectorAll('section')].filter(s => s.scrollWidth > s.clientWidth)"
            ".map(s => s.id)"
        )
    assert faults == [] and too_wide == [] and count >= 8
