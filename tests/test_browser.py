"""The built book in a real browser: alive without a kernel, off-line, at any width, for any reader.

These tests need the built book and Chromium: the environment variable CHROMIUM names it, or it is
on the path. Where there is none they are skipped; where CI is set they fail.
"""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from built import CHAPTERS, FRONT, LANDING, PAGES, name, needs_book
from chromium import DESKTOP, PHONE, address, file_and_server, opened
from explorers import EXPLORERS, covering, each_explorer, live, place, said, visible
from playwright.sync_api import expect

from lib.display.controls import Choice, Range
from lib.display.explorer import explore

pytestmark = needs_book

WIDTHS = (320, 380, 768, 1024, 1100, 1400, 1920)  # small phones to large screens, in pixels

# What the theme logs of its own accord.
THEME_MESSAGES = [
    # A reader's first page: no theme has been chosen and stored yet.
    r"Got invalid theme mode: \. Resetting to auto\."
]

# What counts of axe's findings.
IMPACTS = ("minor", "moderate", "serious", "critical")

each_page = pytest.mark.parametrize("path", PAGES, ids=name)


# Every page.


@file_and_server
@each_page
def test_page_loads_without_error_and_without_another_host(browser, start, path):
    faults, asked = [], []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: faults.append(f"not loaded: {request.url}"))
        page.on("response", lambda r: r.status < 400 or faults.append(f"{r.status}: {r.url}"))
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        page.on("console", lambda m: m.type != "error" or faults.append(f"console: {m.text}"))
        page.goto(f"{start}/{name(path)}")
        page.evaluate("Promise.all([document.fonts.ready, window.MathJax?.startup?.promise])")
        unset = page.locator("article .math:not(:has(mjx-container))").count()
    known = "|".join(THEME_MESSAGES)
    assert [fault for fault in faults if not re.fullmatch(f"console: ({known})", fault)] == []
    assert [url for url in asked if not url.startswith((start, "data:"))] == []
    assert unset == 0, "formulas that MathJax did not set"


@file_and_server
def test_the_front_door_leads_to_the_landing_page(browser, start):
    with opened(browser, f"{start}/{name(FRONT)}") as page:
        page.wait_for_url(f"{start}/{name(LANDING)}")


# Elements of the text that reach beyond the screen, unless they scroll by themselves.
PROTRUDING = """() => [...document.querySelectorAll("article *")].filter(element => {
  if (element.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let e = element; e.tagName !== "ARTICLE"; e = e.parentElement)
    if (getComputedStyle(e).overflowX !== "visible") return false;
  return element.checkVisibility();
}).map(element => element.outerHTML.slice(0, 100))"""


@each_page
def test_page_does_not_scroll_sideways(browser, path):
    with opened(browser, address(path)) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, width
            assert page.evaluate(PROTRUDING) == [], width


# Folded parts are checked too, but of many that follow each other only the first. What is like
# something checked, or is no text, goes: axe compares the colours of every pair of elements.
UNFOLD = """() => {
  document.querySelectorAll("details:not(details ~ details)").forEach(e => { e.open = true });
  const alike = "[data-at][hidden], tbody tr:nth-child(n+8), .measures svg :not(g, text, tspan)";
  document.querySelectorAll(alike).forEach(e => e.remove());
  return Promise.all(document.getAnimations().map(animation => animation.finished));
}"""


@pytest.mark.parametrize(
    ("theme", "size"), [("light", DESKTOP), ("dark", PHONE)], ids=["light", "dark"]
)
@each_page
def test_page_is_accessible(browser, path, theme, size):
    with opened(browser, address(path), color_scheme=theme, viewport=size) as page:
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        page.evaluate(UNFOLD)
        found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False})
    findings = [
        (finding["id"], name(path), " ".join(map(str, node["target"])), node["failureSummary"])
        for finding in found.response["violations"]
        if finding["impact"] in IMPACTS
        for node in finding["nodes"]
    ]
    assert findings == []


def test_the_sign_of_a_headings_link_shows_when_it_is_pointed_at(browser):
    with opened(browser, address(LANDING), viewport=DESKTOP) as page:
        heading = page.locator("article h2").first
        link = heading.locator(".headerlink")
        expect(link).to_have_css("opacity", "0")
        heading.hover()
        expect(link).to_have_css("opacity", "1")


# The self-checks.


CHECKED = [path for path in CHAPTERS if "self-check-" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", CHECKED, ids=name)
def test_a_self_check_answers_by_keyboard_and_without_javascript(browser, path):
    with opened(browser, address(path), java_script_enabled=False) as page:
        questions = page.locator(".self-check li")
        expect(questions).to_have_count(5)
        for question in questions.all():
            first, second = question.locator("details").all()[:2]
            for choice in (first, second):  # the next one in the order of the tab key
                choice.locator("summary").focus()
                page.keyboard.press("Enter")
                expect(choice.locator("p")).to_be_visible()
            expect(first.locator("p")).to_be_hidden()  # of the choices one is open at a time


# The words of the glossary.


# Of each word, while it has the focus: its meaning's left and right edge, or null where it hides.
MEANINGS = """() => [...document.querySelectorAll(".term > a")].map(word => {
  word.focus();
  const meaning = document.getElementById(word.getAttribute("aria-describedby"));
  const box = meaning.getBoundingClientRect();
  return meaning.checkVisibility({ visibilityProperty: true }) ? [box.left, box.right] : null;
})"""


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_word_of_the_glossary_says_what_it_means(browser, path):
    with opened(browser, address(path)) as page:
        words, meanings = page.locator(".term > a"), page.locator(".meaning:visible")
        assert words.count() >= 8
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            page.mouse.move(0, 0)
            page.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")
            found = page.evaluate(MEANINGS)
            assert len(found) == words.count() and None not in found
            assert all(0 <= left and right <= size["width"] for left, right in found)
            words.last.focus()
            expect(meanings).to_have_count(1)
            page.keyboard.press("Escape")
            expect(meanings).to_have_count(0)
            words.last.hover()
            expect(meanings).to_have_count(1)


# The search.


@file_and_server
@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_search_finds_a_chapter_by_a_word_of_its_title(browser, start, path):
    title = BeautifulSoup(path.read_text("utf-8"), "html.parser").h1.get_text()
    word = max(re.findall("[A-Za-z]+", title), key=len)
    with opened(browser, f"{start}/{name(PAGES[0])}") as page:
        page.goto(f"{start}/search.html?q={word}")
        expect(page.locator(f"#search-results a[href*='{path.stem}']").first).to_be_visible()


# The controls, against what lib computes now.


def test_every_chapter_has_a_control():
    assert {path for path, _ in EXPLORERS} == set(CHAPTERS)


@each_explorer
def test_the_page_offers_two_controls_at_least_and_shows_the_default(browser, path, figure):
    explorer = live(path, figure)
    assert len([values for values in explorer.static.values() if len(values) > 1]) >= 2
    with opened(browser, address(path)) as page:
        panel = visible(page, figure)
        assert said(panel.inner_html()) == said(explorer.panel())
        assert page.locator(f"#{figure} fieldset :is(select, input):enabled").count() == len(
            explorer.static
        )


@each_explorer
def test_controls_show_the_numbers_that_lib_computes(browser, path, figure):
    explorer = live(path, figure)
    checked = covering(explorer)
    settings = explorer.settings()
    with opened(browser, address(path)) as page:
        for setting in settings:  # each control state shows the panel that is filed under it
            place(page, explorer, setting)
            filed = visible(page, figure).get_attribute("data-at").split(" ")
            assert explorer.key(setting) in filed
            shown = explorer.describe(setting, explorer.static)
            assert page.locator(f"#{figure}-shown").inner_text() == f"Shown: {shown}."
        for setting in checked:  # and that panel holds the right numbers
            place(page, explorer, setting)
            here = explorer.describe(setting, explorer.static)
            assert said(visible(page, figure).inner_html()) == said(explorer.panel(**setting)), here


@each_explorer
def test_controls_work_by_keyboard(browser, path, figure):
    explorer = live(path, figure)
    with opened(browser, address(path)) as page:
        page.locator(f"#{figure}-title").click()  # from here the tab key goes to the controls
        setting = dict(explorer.defaults)
        for key in (key for key in explorer.controls if key in explorer.static):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.id") == f"{figure}-{key}"
            values = explorer.static[key]
            at = values.index(setting[key])
            forward = at + 1 < len(values)
            setting[key] = values[at + 1 if forward else at - 1]
            slider = page.locator(f"#{figure}-{key}[type=range]").count()
            arrows = ("ArrowLeft", "ArrowRight") if slider else ("ArrowUp", "ArrowDown")
            page.keyboard.press(arrows[forward])
            filed = visible(page, figure).get_attribute("data-at").split(" ")
            assert explorer.key(setting) in filed


@each_explorer
def test_an_address_opens_at_its_setting(browser, path, figure):
    opens_at_its_setting(browser, address(path), live(path, figure))


def test_an_address_of_a_server_opens_at_its_setting(browser, served):
    path, figure = EXPLORERS[0]
    opens_at_its_setting(browser, f"{served}/{name(path)}", live(path, figure))


def opens_at_its_setting(browser, here, explorer):
    """Set the controls of an explorer; open the address that the page has then, and a wrong one."""
    figure = explorer.id
    setting = next(s for s in reversed(covering(explorer)) if s != explorer.defaults)
    with opened(browser, here) as page:
        place(page, explorer, setting)
        found = page.evaluate("location.href")
    assert found == f"{here}#{figure}:{explorer.key(setting)}"
    with opened(browser, found) as page:
        assert said(visible(page, figure).inner_html()) == said(explorer.panel(**setting))
        expect(page.locator(f"#{figure}")).to_be_in_viewport()
    with opened(browser, f"{here}#{figure}:nothing=known") as page:
        assert said(visible(page, figure).inner_html()) == said(explorer.panel())


@pytest.fixture
def two(tmp_path):
    """A page of two explorers, ``one`` with a list and ``two`` with a slider."""
    controls = {
        "one": {"base": Choice("base", [2, 3, 10])},
        "two": {"base": Range("base", 2, 10), "sign": Choice("sign", ["plus", "minus"])},
    }
    explorers = [
        explore(
            lambda base, sign="": f"<p>{base} {sign}</p>",
            id=id,
            title=f"Explorer {id}",
            controls=controls[id],
            static={"base": [2, 3, 10]} | ({"sign": ["plus", "minus"]} if id == "two" else {}),
        )
        for id in controls
    ]
    page = tmp_path / "page.html"
    body = "".join(explorer.to_html() for explorer in explorers)
    page.write_text(f"<!doctype html><meta charset=utf-8><title>two</title>{body}", "utf-8")
    return page


def test_one_address_sets_two_explorers(browser, two):
    for fragment in (
        "explore-one:base=3;explore-two:base=10&sign=minus",
        "explore-two:base=10&sign=minus;explore-one:base=3",
    ):
        with opened(browser, address(two, fragment)) as page:
            assert said(visible(page, "explore-one").inner_html()) == ["3"]
            assert said(visible(page, "explore-two").inner_html()) == ["10 minus"]
    with opened(browser, address(two, "explore-two:sign=minus")) as page:  # the other keeps still
        assert said(visible(page, "explore-one").inner_html()) == ["2"]
        assert said(visible(page, "explore-two").inner_html()) == ["2 minus"]


def test_a_control_changes_its_own_part_of_the_address(browser, two):
    with opened(browser, address(two, "explore-one:base=3;explore-two:base=10&sign=minus")) as page:
        page.locator("#explore-one-base").select_option(index=2)
        changed = "explore-two:base=10&sign=minus;explore-one:base=10"
        assert page.evaluate("location.hash") == f"#{changed}"
        page.locator("#explore-two-base").fill("1")
        changed = "explore-one:base=10;explore-two:base=3&sign=minus"
        assert page.evaluate("location.hash") == f"#{changed}"
    with opened(browser, address(two, changed)) as page:
        assert said(visible(page, "explore-one").inner_html()) == ["10"]
        assert said(visible(page, "explore-two").inner_html()) == ["3 minus"]


@each_explorer
def test_without_javascript_the_default_is_shown(browser, path, figure):
    explorer = live(path, figure)
    with opened(browser, address(path), java_script_enabled=False) as page:
        assert said(visible(page, figure).inner_html()) == said(explorer.panel())
        expect(page.locator(f"#{figure} noscript p")).to_be_visible()
        assert page.locator(f"#{figure} fieldset :is(select, input):enabled").count() == 0
