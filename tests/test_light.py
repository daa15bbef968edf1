"""Pages are light: few bytes until a reader asks for more, such as the index of the search."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from built import CHAPTERS, FRONT, HTML, LANDING, PAGES, ROOT, name, needs_book
from chromium import file_and_server, opened

pytestmark = needs_book

FIRST_LIMIT = 1_000_000  # bytes of the front door and the landing page, cold, uncompressed
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
    assert not any(re.search("fontawesome.js|index.js$", path.name) for path in files)


def test_the_scripts_of_the_book_are_small():
    scripts = [*(ROOT / "book" / "static").glob("*.js"), *(ROOT / "lib").rglob("*.js")]
    assert sum(path.stat().st_size for path in scripts) < SCRIPTS_LIMIT
    assert {"explorer.js", "tooltips.js"} <= {path.name for path in scripts}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_formulas_and_their_script_go_together(path):
    text = path.read_text("utf-8")
    assert ("tex-chtml.js" in text) == bool(re.search(r'class="math[ "]', text))


ICONS = """async () => {
  await document.fonts.ready;
  const drawn = icon => /Free/.test(getComputedStyle(icon, "::before").fontFamily)
    && [...document.fonts].some(font => /Free/.test(font.family) && font.status === "loaded");
  return [...document.querySelectorAll(".fa-solid, .fas")]
    .filter(icon => icon.checkVisibility() && !drawn(icon)).map(icon => icon.className);
}"""


@pytest.mark.parametrize("path", [LANDING, CHAPTERS[0]], ids=name)
def test_every_icon_of_the_theme_is_drawn(browser, path):
    with opened(browser, path.as_uri()) as page:
        assert page.evaluate(ICONS) == []


@file_and_server
def test_a_search_loads_its_index_and_leads_to_the_section(browser, start):
    asked = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{start}/{name(LANDING)}")
        assert not any("searchindex" in url for url in asked)
        page.keyboard.press("Control+k")
        page.locator("#pst-search-dialog input").fill("discriminative power")
        page.keyboard.press("Enter")
        page.locator("#search-results a", has_text="Discriminative power, by hand").click()
        page.wait_for_url("**/chapters/04-pooling-depth.html*#*")
    assert len([url for url in asked if "searchindex" in url]) == 1
    assert all(url.startswith((start, "data:")) for url in asked)
