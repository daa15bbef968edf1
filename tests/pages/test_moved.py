"""Every address that the book once had leads to a place that it has.

tests/addresses.txt has those of an earlier version of the pages, a page and its places a line: a
page was split since, others were put together, and details went to audits.
"""

import pytest
from built import GONE, HTML, MOVED, ROOT, ids, needs_book, parsed
from chromium import address, opened

pytestmark = needs_book

LINES = (ROOT / "tests" / "addresses.txt").read_text(encoding="utf-8").splitlines()
OLD = {page: places for page, *places in map(str.split, LINES)}


@pytest.fixture(scope="module")
def places():
    """Return the places of each page of the book that is no longer gone."""
    pages = {page for page in OLD if HTML / page not in GONE}
    pages |= {new.partition("#")[0] for new in MOVED.values()}
    return {page: ids(HTML / page) for page in pages}


def test_every_old_address_leads_to_a_place_of_the_book(places):
    lost = []
    for page, named in OLD.items():
        for old in [page, *(f"{page}#{place}" for place in named)]:
            new, _, place = MOVED.get(old, old).partition("#")
            if new not in places or (place and place not in places[new]):
                lost.append(old)
    assert lost == []


def test_no_address_that_still_holds_is_said_to_have_moved(places):
    assert [
        old
        for old in MOVED
        if "#" in old and old.partition("#")[2] in places.get(old.partition("#")[0], ())
    ] == []


@pytest.mark.parametrize(
    "old, new",
    [
        ("book/cite.html", "book/about.html#cite"),
        ("book/kits/session-2.html#key", "book/sessions.html#session-2-key"),
        ("chapters/06-spending-judgements.html", "chapters/08-spending-judgements.html"),
        ("chapters/06-spending-judgements.html#nowhere", "chapters/08-spending-judgements.html"),
        ("chapters/06-spending-judgements.html#table-6-1", "chapters/06-audit.html#table-a6-1"),
        ("chapters/02-measure-correlations.html#figure-2-4", "chapters/02-audit.html#figure-a2-1"),
        (
            "chapters/06-spending-judgements.html#explore-plan:judgements=2000",
            "chapters/08-spending-judgements.html#explore-plan:judgements=2000",
        ),
    ],
)
def test_a_browser_is_taken_on_with_its_setting_from_files_too(browser, old, new):
    start, end = (address(HTML) + f"/{one}" for one in (old, new))
    with opened(browser, start) as page:
        page.wait_for_url(lambda url: url.startswith(end))


def test_without_script_a_page_that_is_gone_names_where_its_text_is():
    for path in GONE:
        links = parsed(path).select("article a:not(.headerlink)")
        found = {(path.parent / link["href"]).resolve() for link in links}
        old = path.relative_to(HTML).as_posix()
        expected = {
            HTML / new.partition("#")[0] for k, new in MOVED.items() if k.partition("#")[0] == old
        }
        assert found == expected
        assert all(link.get_text() for link in links)
