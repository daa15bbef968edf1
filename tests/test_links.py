"""Every link inside the built book leads somewhere, and no page asks the network for its parts.

External links are listed at the end of the tests' output (see conftest.py), not fetched.
"""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

HTML = Path(__file__).resolve().parent.parent / "_build" / "html"
NOT_PAGES = {"_static", "_sources", "_images", "_downloads"}

# What a browser fetches by itself to show a page: (element, attribute).
PARTS = [("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")]


@pytest.fixture(scope="module")
def pages():
    """All pages of the built book."""
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built: run `make book`")
    return [
        path
        for path in sorted(HTML.rglob("*.html"))
        if path.relative_to(HTML).parts[0] not in NOT_PAGES
    ]


@cache
def soup(path):
    """Return the parsed page at `path`."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path):
    """Return what a link may point to within the page at `path`: names, settings of controls."""
    tags = soup(path).find_all(lambda tag: tag.get("id") or (tag.name == "a" and tag.get("name")))
    settings = {
        f"{figure['id']}:{unquote(setting)}"
        for figure in soup(path).select(".explore[id]")
        for panel in figure.select("[data-at]")
        for setting in panel["data-at"].split(" ")
    }
    return settings | {tag.get(key) for tag in tags for key in ("id", "name")}


def addresses(path):
    """Yield every address that the page at `path` names."""
    for tag in soup(path).find_all(["a", "area"], href=True):
        yield tag["href"]
    for name, attribute in PARTS:
        for tag in soup(path).find_all(name, attrs={attribute: True}):
            yield tag[attribute]
    for tag in soup(path).find_all("meta", attrs={"http-equiv": "Refresh"}):
        yield tag["content"].partition("url=")[2]


def broken(path, address):
    """Return why an address on the page at `path` leads nowhere, or None if it leads somewhere."""
    url = urlsplit(address)
    if url.scheme or url.netloc:
        return None
    target = (path.parent / unquote(url.path)).resolve() if url.path else path
    if not target.is_relative_to(HTML):
        return "leads out of the book"
    if not target.is_file():
        return "no such file"
    # "#" and "#top" lead to the top of any page.
    name = unquote(url.fragment)
    if target.suffix == ".html" and name not in {"", "top"} and name not in anchors(target):
        return "no such anchor"
    return None


def test_internal_links_and_anchors(pages):
    found = [
        f"{path.relative_to(HTML)}: {address}: {reason}"
        for path in pages
        for address in addresses(path)
        if (reason := broken(path, address))
    ]
    assert found == []


def test_pages_need_no_network(pages):
    found = [
        f"{path.relative_to(HTML)}: {tag[attribute]}"
        for path in pages
        for name, attribute in PARTS
        for tag in soup(path).find_all(name, attrs={attribute: True})
        if urlsplit(tag[attribute]).netloc
    ]
    assert found == []


def test_external_links_are_listed(pages, record_property):
    for path in pages:
        for address in addresses(path):
            if urlsplit(address).scheme in {"http", "https"}:
                record_property("external link", address)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("there.html", None),
        ("there.html#here", None),
        ("there%2Ehtml", None),
        ("#", None),
        ("https://example.org/x#y", None),
        ("mailto:ann@example.org", None),
        ("missing.html", "no such file"),
        ("there.html#missing", "no such anchor"),
        ("#missing", "no such anchor"),
        ("#explore-x:of=P%40/10&k=5", None),
        ("#explore-x:of=P%40/10&k=9", "no such anchor"),
        ("../outside.html", "leads out of the book"),
    ],
)
def test_a_broken_link_is_found(address, reason, tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "HTML", tmp_path.resolve())
    page = tmp_path.resolve() / "there.html"
    page.write_text(
        '<h1 id="here">Here</h1><figure class="explore" id="explore-x">'
        '<div data-at="of=AP&amp;k=5 of=P@%2F10&amp;k=5"></div></figure>',
        encoding="utf-8",
    )
    assert broken(page, address) == reason
