"""The built book in a browser: each page once, whatever the window, the theme or the paper.

These tests need the built book and Chromium: the environment variable CHROMIUM names it, or it is
found. Where there is none they are skipped; where CI is set they fail.
"""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from built import CHAPTERS, FRONT, HTML, LANDING, NOTEBOOKS, PAGES, name, needs_book
from chromium import (
    DESKTOP,
    PHONE,
    address,
    assert_none,
    file_and_server,
    look,
    look_at_paper,
    opened,
    violations,
    watched,
)
from playwright.sync_api import expect

pytestmark = needs_book

# Small phones to large screens, in pixels (book/about.md names them), each in a theme; the quick
# visit looks at 380 in the dark and at 1,400 in the light.
LIGHT, DARK = (768, 1920), (320, 1100)
SOME = {"intro", "03-blind-feedback"}  # what is slow is asked of these two alone, else long
each_page = pytest.mark.parametrize("path", PAGES, ids=name)


@each_page
def test_a_page_on_paper_on_a_phone_and_on_a_screen(browser, path):
    asked, faults = [], []
    start = {"start": HTML.as_uri(), "address": name(path), "color_scheme": "dark"}
    with watched(browser, **start, faults=faults, asked=asked) as page:
        if path in (LANDING, *NOTEBOOKS):
            page.evaluate("() => document.fonts.ready.then(() => true)")
            page.evaluate("() => new Promise((done) => requestIdleCallback(() => done()))")
            faults += heavy(asked)
        faults += look_at_paper(page)
        faults += look(page, PHONE, "dark")
        faults += look(page, DESKTOP, "light")
        faults += violations(page) if path.stem in SOME else []
    assert_none(faults, name(path))


def heavy(asked):
    """Return what is wrong with the files of a first visit: many, heavy, without a font."""
    files = [Path(unquote(urlsplit(address).path)) for address in asked]
    sizes = ((file.stat().st_size, file.name) for file in files if file.exists())
    weights = sorted(sizes, reverse=True)
    weight, names = sum(weight for weight, _ in weights), {name for _, name in weights}
    wrong = {
        f"{len(files)} files are loaded": len(files) > 38,
        f"{weight:,} bytes are loaded, among them {weights[:5]}": weight > 1_000_000,
        "no font is loaded": not any(name.endswith(".woff") for name in names),
        "what a search needs is loaded before one": "sections.js" in names,
    }
    return [fault for fault, is_so in wrong.items() if is_so]


# Where the texts before a chapter's first picture end, and where the picture begins.
OPENING = """() => {
  const all = (selector) => [...document.querySelectorAll(`article ${selector}`)];
  const before = (one, other) => one.compareDocumentPosition(other) & 4;
  const picture = all(".measures :is(svg, table)").find(e => e.checkVisibility());
  const text = all(":is(p, li, button)")
    .filter(e => e.checkVisibility() && before(e, picture) && !e.closest(".cell")).at(-1);
  const [end, { top }] = [text, picture].map(e => e.getBoundingClientRect());
  return [end.bottom, top].map(y => y + scrollY);
}"""


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_opens_with_what_makes_one_go_on_and_is_a_handout_on_paper(browser, path):
    """What stands before the picture and the picture's top are on the first screen.

    That is scene and guess, or where the picture is the scene's, scene alone; on a phone the texts
    alone.
    """
    with opened(browser, address(path)) as page:
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            text, top = page.evaluate(OPENING)
            ends = {"text": text} if size == PHONE else {"text": text, "picture": top}
            assert {what: y for what, y in ends.items() if y > size["height"]} == {}
        pages = len(re.findall(rb"/Type /Page\b", page.pdf(format="A4")))
    assert pages <= 16


# The drawings in sight that are narrower than their line, and the words stretched with one.
NARROW = """() => [...document.querySelectorAll("article .canvas")]
  .filter(e => e.checkVisibility())
  .flatMap((canvas) => {
    const drawing = canvas.querySelector(".columns, svg");
    const line = Math.max(652, canvas.clientWidth), { width } = drawing.getBoundingClientRect();
    const words = [...drawing.querySelectorAll("text")].filter(e => {
      const { a, b, c, d } = e.getScreenCTM();
      return Math.abs(Math.hypot(a, b) / Math.hypot(c, d) - 1) > 0.01;
    });
    const what = canvas.getAttribute("aria-label") + ", " + canvas.closest("figure[id]")?.id;
    return [...(width < line - 1 ? [`${what}: ${width} of ${line} px`] : []),
      ...words.map(e => `${what}: stretched: ${e.textContent}`)];
  })"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_a_drawing_fills_its_line_and_stretches_no_word(browser, path):
    with opened(browser, address(path), viewport=DESKTOP) as page:
        assert_none(page.evaluate(NARROW), name(path))


# Long: all widths, and axe in the dark and on paper; the visit above notices most of it.
@pytest.mark.long
@each_page
def test_a_page_from_a_server_at_every_width(browser, served, path):
    faults = []
    with watched(browser, served, name(path), faults) as page:
        for widths, theme in ((LIGHT, "light"), (DARK, "dark")):
            for width in widths:
                faults += look(page, {"width": width, "height": 800}, theme)
        page.set_viewport_size(PHONE)
        page.reload()  # the theme makes code that scrolls a stop of the keyboard
        faults += violations(page)
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        faults += violations(page, runOnly=["color-contrast"])
    assert_none(faults, name(path))


# Long: pages that few open, made by Sphinx, some of those alike; no pages of the book (built.py).
@pytest.mark.long
@pytest.mark.parametrize("path", sorted((HTML / "_modules").rglob("*.html"))[::8], ids=name)
def test_the_code_behind_the_names_on_a_phone(browser, path):
    with opened(browser, address(path), viewport=PHONE) as page:
        assert_none(look(page, PHONE, "light") + violations(page), name(path))


# What moves after it was first drawn, as a share of the window; asked as the page is loaded.
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((seen) => seen.getEntries().forEach((one) => (sum += one.value)))
    .observe({type: "layout-shift", buffered: true});
  document.fonts.ready.then(() => setTimeout(() => done(sum), 500));
})"""


def later(route):
    """Answer as a slow network does."""
    route.request.frame.page.wait_for_timeout(700)
    route.continue_()


# Long: all pages; the cover and a chapter notice most of it.
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path.stem in SOME else pytest.mark.long) for path in PAGES],
    ids=name,
)
def test_nothing_moves_while_a_page_is_loaded(browser, served, path):
    """Neither at a first visit, when the fonts of the text are late, nor at another."""
    for size in (PHONE, DESKTOP):
        with browser.new_context(viewport=size) as context:
            page = context.new_page()
            page.route(re.compile("/(serif|display|sans)-"), later)
            for _ in range(2):
                page.goto(f"{served}/{name(path)}")
                assert page.evaluate(SHIFT) <= 0.05
                page.unroute_all(behavior="wait")
                page.evaluate("localStorage.clear()")  # no theme was chosen
                page.goto("about:blank")


# Long: the other chapters, made of the same parts; the first one notices most of it.
@pytest.mark.parametrize(
    "path",
    [*CHAPTERS[:1], *(pytest.param(path, marks=pytest.mark.long) for path in CHAPTERS[1:])],
    ids=name,
)
def test_a_chapter_without_javascript(browser, path):
    dark = {"java_script_enabled": False, "color_scheme": "dark"}
    with opened(browser, address(path), **dark) as page:
        expect(page.locator("body")).to_have_css("background-color", "rgb(21, 23, 26)")
        for figure in page.locator(".explore").all():
            expect(figure.locator("svg:visible, table:visible").first).to_be_visible()
            expect(figure.locator("noscript p")).to_be_visible()
            assert figure.locator("fieldset :is(select, input):enabled").count() == 0
        for question in page.locator(".self-check li").all():
            first, second = question.locator("details").all()[:2]
            for choice in (first, second):  # the next one in the order of the tab key
                choice.locator("summary").focus()
                page.keyboard.press("Enter")
                expect(choice.locator("p")).to_be_visible()
            expect(first.locator("p")).to_be_hidden()  # of the choices one is open at a time


# A first visit, and a search.


@file_and_server
def test_a_square_of_the_cover_is_told_and_opens_as_a_card_with_an_address(browser, start):
    with opened(browser, f"{start}/{name(LANDING)}", viewport=DESKTOP) as page:
        block, line = page.locator(".cover .block").nth(1), page.locator(".cover .stated")
        squares, card = block.locator("svg.wide"), page.locator("dialog.statement")
        squares.hover(position={"x": 8, "y": 8 + 17 * 1.075})
        line.get_by_text("Thom and Scholer 2007").wait_for()
        second = line.locator("a").get_attribute("href").partition("#")[2]
        block.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        expect(line.locator("a")).to_have_attribute("href", f"ledger.html#{second}")
        expect(card.locator(".who")).to_contain_text("Thom and Scholer 2007")
        stated = card.locator("h2").inner_text()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        expect(card.locator("h2")).to_have_text(stated)
        page.reload()
        expect(card.locator("h2")).to_have_text(stated)
        assert page.url.endswith(f"intro.html#{second}")
        page.keyboard.press("Escape")
        expect(card).to_be_hidden()
        assert page.url.endswith("intro.html")
        page.evaluate(f"location.hash = '{second}'")
        expect(card).to_be_visible()
        assert violations(page) == []


@file_and_server
def test_a_visit_begins_at_the_landing_page_and_a_search_leads_to_a_section(browser, start):
    asked = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{start}/{name(FRONT)}")
        page.wait_for_url(f"{start}/{name(LANDING)}")
        page.locator("body").press("Control+k")
        dialog = page.locator("#pst-search-dialog")
        dialog.locator("input").press_sequentially("discriminative pow")
        found = dialog.locator("li", has=page.locator("a[href*='04-']"))
        expect(found.first.locator("mark").first).to_have_text(re.compile("discriminative", re.I))
        dialog.locator("input").fill("discriminative power")
        expect(found.first).to_be_visible()
        first = dialog.locator("a").first.get_attribute("href").partition("#")[2]
        page.keyboard.press("Enter")
        page.wait_for_url(f"**#{first}")
    assert len([url for url in asked if "sections.js" in url]) == 1


def test_a_heading_and_a_word_of_the_glossary_say_more(browser):
    with opened(browser, address(CHAPTERS[0]), viewport=DESKTOP) as page:
        heading = page.locator("article h2").first
        link = heading.locator(".headerlink")
        expect(link).to_have_css("opacity", "0")
        heading.hover()
        expect(link).to_have_css("opacity", "1")
        meanings = page.locator(".meaning:popover-open")
        for word in page.locator(".term > button").all()[:2]:  # one is open at a time
            word.focus()
            page.keyboard.press("Enter")
            expect(meanings).to_have_count(1)
        page.keyboard.press("Escape")
        expect(meanings).to_have_count(0)
        # In the margin its meaning stands beside the word; on a phone there is none.
        paragraph = page.locator("section > p", has=page.locator(".meaning")).first
        text, word, meaning = (
            part.bounding_box()
            for part in (paragraph, paragraph.locator("button"), paragraph.locator(".meaning"))
        )
        assert meaning["x"] > text["x"] + text["width"]
        assert abs(meaning["y"] - word["y"]) < word["height"]
        page.set_viewport_size(PHONE)
        expect(page.locator(".meaning:visible")).to_have_count(0)


# The numbers of figures and tables.


def test_a_number_is_reached_by_keyboard_and_leads_to_its_figure(browser):
    chapter = next(path for path in CHAPTERS if path.stem.startswith("04-"))
    with opened(browser, address(chapter), java_script_enabled=False, viewport=PHONE) as page:
        figure = page.locator("#figure-4-2")
        figure.locator(".canvas").focus()
        page.keyboard.press("Shift+Tab")
        expect(figure.locator("a.number")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/04-*.html#figure-4-2")
        expect(figure).to_be_in_viewport()
        expect(figure.get_by_role("link", name="Figure 4.2: CSV")).to_be_visible()
