"""Pages are light: few bytes until a reader asks for more, and a search that is no load either."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from built import FRONT, HTML, LANDING, PAGES, ROOT, name, needs_book
from chromium import file_and_server, opened
from playwright.sync_api import expect

from lib.collection import load

pytestmark = needs_book

FIRST_LIMIT = 900_000  # bytes that the front door and the landing page ask for, cold, uncompressed
SCRIPTS_LIMIT = 25_000  # bytes of all scripts of the book's own
REQUESTS = 30


def asked_for(browser, address):
    """Return the files of the book that a first visit asks for."""
    asked = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("response", lambda response: asked.append(response.url))
        page.goto(address)
        page.wait_for_url(f"**/{name(LANDING)}")
        page.wait_for_load_state("networkidle")
    return [HTML / unquote(urlsplit(url).path).lstrip("/") for url in asked]


def test_the_first_visit_is_light(browser, served):
    files = asked_for(browser, f"{served}/{name(FRONT)}")
    assert {FRONT, LANDING} <= set(files)
    assert len(files) <= REQUESTS
    heaviest = sorted(((path.stat().st_size, path.name) for path in files), reverse=True)
    assert sum(size for size, _ in heaviest) < FIRST_LIMIT, heaviest[:5]
    assert not any("mathjax" in path.parts for path in files)
    assert not any(re.search("fontawesome|index.js$", path.name) for path in files)


def test_the_scripts_of_the_book_are_small():
    scripts = [*(ROOT / "book" / "static").glob("*.js"), *(ROOT / "lib").rglob("*.js")]
    assert sum(path.stat().st_size for path in scripts) < SCRIPTS_LIMIT
    assert {"explorer.js", "search.js"} <= {path.name for path in scripts}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_formulas_and_their_script_go_together(path):
    text = path.read_text("utf-8")
    assert ("tex-chtml.js" in text) == bool(re.search(r'class="math[ "]', text))


def test_nothing_is_carried_along_that_no_page_asks_for():
    assert not list(HTML.rglob("*fontawesome*")) and not (HTML / "searchindex.js").exists()


ICONS = """() => [...document.querySelectorAll(".fa-solid, .fas")].filter(icon =>
  icon.checkVisibility() && getComputedStyle(icon).maskImage === "none"
).map(icon => icon.className)"""


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_icon_of_the_theme_is_drawn(browser, path):
    with opened(browser, path.as_uri()) as page:
        assert page.evaluate(ICONS) == []


# The search.


def search(page, start, words):
    """Search from a page of the book as a reader does; return the results."""
    page.goto(f"{start}/{name(LANDING)}")
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").fill(words)
    page.keyboard.press("Enter")
    results = page.locator("#search-results li")
    expect(results.first).to_be_visible()
    return results


@file_and_server
def test_search_loads_its_index_once_and_nothing_fails(browser, start):
    asked, failed = [], []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(f"{start}/search.html")
        page.wait_for_load_state("networkidle")
        assert not any("search-index" in url for url in asked)
        results = search(page, start, "half of the topics")
        field = page.locator(".bd-search-container input")
        before = results.first.inner_text()
        field.fill("blind feedback")  # the page searches while one types
        expect(results.first).not_to_have_text(before, use_inner_text=True)
        expect(results.first.locator("a")).to_contain_text("feedback", ignore_case=True)
    assert len([url for url in asked if "search-index" in url]) == 1
    assert failed == []


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("discriminative power", ["discriminative", "power"]),
        ('"discriminative power"', ["discriminative power"]),
        ("residuals RBP", ["residual", "rbp"]),
        ("Jarvelin", ["järvelin"]),  # letters without their marks
        ("AP", ["ap"]),
    ],
)
def test_a_search_leads_to_the_section_and_shows_the_words(browser, words, shown):
    with browser.new_context() as context:
        page = context.new_page()
        results = search(page, HTML.as_uri(), words)
        for result in results.all()[:3]:
            text = result.inner_text().lower()
            assert all(re.search(rf"\b{word}", text) for word in shown)
            assert len(text) < 400
        target = results.first.locator("a").get_attribute("href").partition("#")[2]
        results.first.locator("a").click()
        page.wait_for_url(f"**#{target}")
        expect(page.locator(f"section#{target}")).to_have_count(1)


def test_a_run_is_found_where_the_book_speaks_of_it(browser):
    (run,) = [name for name in load("trec8").systems.index if name == "READWARE2"]
    with browser.new_context() as context:
        page = context.new_page()
        results = search(page, HTML.as_uri(), run)
        links = [link.get_attribute("href") for link in results.locator("a").all()]
        assert len(links) >= 3 and all("#" in link for link in links)
        for result in results.all():
            assert run in result.inner_text()
        page.locator(".bd-search-container input").fill("nosuchrun99")
        expect(page.locator("#search-results [role=status]")).to_have_text("No sections.")


def test_excerpts_keep_cells_apart(browser):
    with browser.new_context() as context:
        page = context.new_page()
        results = search(page, HTML.as_uri(), "READWARE2 0.4692")
        text = results.first.inner_text()
        assert re.search(r"READWARE2 · [\d.]+ · 0\.4692", text)
