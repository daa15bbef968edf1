"""Wide tables on a screen: a sign that they scroll, and what names rows and columns in view."""

import io

import numpy as np
import pytest
from built import PAGES, name, needs_book
from chromium import opened
from PIL import Image

pytestmark = needs_book

ARTICLES = [page for page in PAGES if page.parent.name in ("book", "chapters")]
CONTAINERS = ".measures.scroll, .pst-scrollable-table-container"

# Of each table that is wider than its place: how far its first column and its head are from the
# edges after it was scrolled to its end, and whether its last column can be reached.
SCROLLED = """containers => {
  document.querySelectorAll("article details").forEach(e => { e.open = true });
  return [...document.querySelectorAll(containers)]
    .filter(c => c.checkVisibility() && c.scrollWidth > c.clientWidth + 1
      && getComputedStyle(c).overflowX !== "visible")
    .map(c => {
      const table = c.querySelector("table"), body = table.tBodies[0].rows;
      const row = body[body.length - 1], column = row.cells[0], head = table.tHead;
      c.scrollTo(1e6, 1e6);
      const box = c.getBoundingClientRect();
      return {
        table: (table.caption || table).textContent.slice(0, 60),
        aside: column.getBoundingClientRect().left - box.left,
        above: c.scrollTop ? head.getBoundingClientRect().top - box.top : 0,
        beyond: table.getBoundingClientRect().right - box.right,
        through: [column, head].filter(e => !/^rgb\\(/.test(getComputedStyle(e).backgroundColor))
          .length,
      };
    });
}"""


@pytest.mark.parametrize("path", ARTICLES, ids=name)
def test_first_column_and_head_stay_in_view(browser, path):
    tables = []
    with opened(browser, path.as_uri()) as page:
        for width in (380, 1024):
            page.set_viewport_size({"width": width, "height": 700})
            tables += page.evaluate(SCROLLED, CONTAINERS)
    for table in tables:
        assert abs(table["aside"]) <= 1 and abs(table["above"]) <= 1, table
        assert table["beyond"] <= 1 and table["through"] == 0, table


def test_some_tables_scroll_on_a_phone(browser):
    chapter = next(page for page in ARTICLES if page.stem.startswith("04-"))
    with opened(browser, chapter.as_uri(), viewport={"width": 380, "height": 700}) as page:
        assert len(page.evaluate(SCROLLED, CONTAINERS)) > 5


def edge(page, container):
    """Return the mean brightness of the last pixels of a container, 0 to 255."""
    picture = Image.open(io.BytesIO(container.screenshot())).convert("L")
    return np.asarray(picture)[:, -4:].mean()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_table_that_is_cut_shows_that_it_scrolls(browser, theme, tmp_path):
    """The edge is shaded while there is more to the right, and not at the end."""
    chapter = next(page for page in ARTICLES if page.stem.startswith("04-"))
    size = {"width": 380, "height": 900}
    with opened(browser, chapter.as_uri(), color_scheme=theme, viewport=size) as page:
        wide = page.locator(CONTAINERS).filter(visible=True)
        (first, *_) = [
            c for c in wide.all() if c.evaluate("c => c.scrollWidth > c.clientWidth + 40")
        ]
        first.scroll_into_view_if_needed()
        cut = edge(page, first)
        first.evaluate("c => c.scrollTo(1e6, 0)")
        end = edge(page, first)
        narrow = [c for c in wide.all() if c.evaluate("c => c.scrollWidth <= c.clientWidth")]
        whole = edge(page, narrow[0])
    shade = -1 if theme == "light" else 1
    assert shade * (cut - end) > 20
    assert abs(whole - end) < 20
