"""Explorers as tools: no setting is dead, no axis jumps, and two settings can be compared."""

from collections import defaultdict

import pytest
from built import needs_book
from chromium import DESKTOP, PHONE, address, opened
from explorers import EXPLORERS, covering, each_explorer, live, place, visible
from playwright.sync_api import expect

from lib.display import figures
from lib.display.controls import Choice
from lib.display.explorer import explore

pytestmark = needs_book

STOPS = 5  # presses of the tab key from a heading's link to the first control
GROWTH = 8  # pixels by which a page may grow or shrink when a setting changes


def dead(explorer):
    """Return the settings that show what another one shows, or no drawing."""
    filed = defaultdict(list)
    for setting in explorer.settings():
        filed[explorer.panel(**setting)].append(explorer.key(setting))
    return [keys for panel, keys in filed.items() if len(keys) > 1 or "<svg" not in panel]


@each_explorer
def test_every_setting_shows_something_of_its_own(path, figure):
    assert dead(live(path, figure)) == []


def test_a_dead_setting_is_found():
    controls = {"x": Choice("x", ["one", "two", "too", "none"])}
    panels = {
        "one": "<svg>1</svg>",
        "two": "<svg>2</svg>",
        "too": "<svg>2</svg>",
        "none": "<p></p>",
    }
    static = {"x": list(panels)}
    explorer = explore(lambda x: panels[x], id="x", title="x", controls=controls, static=static)
    assert dead(explorer) == [["x=two", "x=too"], ["x=none"]]


@pytest.fixture
def drawn(monkeypatch):
    """What figures look like from here on: their axes by name, with limits and places."""
    found, svg = [], figures.svg

    def watched(figure, *, alt):
        text = svg(figure, alt=alt)
        for axes in figure.axes:
            unit = axes.get_xlabel(), axes.get_ylabel()
            box = axes.get_position().bounds
            found.append((unit, axes.get_xlim(), axes.get_ylim(), tuple(round(x, 2) for x in box)))
        return text

    monkeypatch.setattr(figures, "svg", watched)
    return found


@each_explorer
def test_axes_stay_where_they_are_unless_they_say_another_unit(drawn, path, figure):
    explorer = live(path, figure)
    for setting in explorer.settings():
        explorer.panel(**setting)
    seen = defaultdict(set)
    for unit, *place_and_limits in drawn:
        seen[unit].add(tuple(place_and_limits))
    assert drawn and {unit: places for unit, places in seen.items() if len(places) > 1} == {}


NEAREST = """figure => {
  const before = [...document.querySelectorAll("article :is(h1, h2, h3, h4)")].filter(heading =>
    heading.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING);
  before.at(-1).dataset.nearest = "";
}"""


def nearest(page, figure):
    """Return the heading above a figure."""
    page.locator(f"#{figure}").evaluate(NEAREST)
    return page.locator("[data-nearest]")


def stops(page, heading, figure):
    """Count the presses of the tab key from a heading's link to the controls of a figure."""
    heading.hover()
    heading.locator(".headerlink").click()
    for count in range(1, 100):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches('#{figure} :is(select, input)')"):
            return count
    raise AssertionError(f"#{figure} has no control that the tab key reaches")


@each_explorer
def test_controls_are_near_their_heading(browser, path, figure):
    with opened(browser, address(path), viewport=DESKTOP) as page:
        page.evaluate("window.MathJax?.startup?.promise")  # a formula is a stop, too
        assert stops(page, nearest(page, figure), figure) <= STOPS


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@each_explorer
def test_a_page_keeps_its_height_when_a_setting_changes(browser, path, figure, size):
    explorer = live(path, figure)
    with opened(browser, address(path), viewport=size) as page:
        heights = []
        for setting in explorer.settings():
            place(page, explorer, setting)
            heights.append(page.locator(f"#{figure}").bounding_box()["height"])
        assert max(heights) - min(heights) <= GROWTH


def words(locator):
    """Return what an element says, whatever it is drawn with."""
    return " ".join(locator.inner_text().split())


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@each_explorer
def test_a_setting_can_be_pinned_beside_the_next(browser, path, figure, size):
    explorer = live(path, figure)
    other = next(s for s in covering(explorer) if s != explorer.defaults)
    first, then = (explorer.describe(s, explorer.static) for s in (explorer.defaults, other))
    with opened(browser, address(path), viewport=size) as page:
        status, pinned = page.locator(f"#{figure}-shown"), page.locator(f"#{figure} .pinned")
        shown = words(visible(page, figure))
        page.get_by_role("group", name=explorer.title).get_by_role("button").focus()
        page.keyboard.press("Enter")
        place(page, explorer, other)
        expect(status).to_have_text(f"Shown: {then}. Pinned: {first}.")
        assert words(pinned) == f"Pinned: {first}. {shown}"
        assert words(visible(page, figure)) != shown
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
        assert len(ids) == len(set(ids))
        here, there = visible(page, figure).bounding_box(), pinned.bounding_box()
        wide = here["x"] + here["width"] <= there["x"]
        assert wide or here["y"] + here["height"] <= there["y"]
        assert there["x"] + there["width"] <= size["width"]
        if size == PHONE:
            assert not wide
        page.emulate_media(media="print")
        expect(pinned).to_be_hidden()
        page.emulate_media(media="screen")
        page.get_by_role("button", name="Unpin", exact=True).click()
        expect(pinned).to_have_count(0)
        expect(status).to_have_text(f"Shown: {then}.")


@each_explorer
def test_one_address_sets_every_control_of_a_figure(browser, path, figure):
    explorer = live(path, figure)
    last = explorer.defaults | {name: values[-1] for name, values in explorer.static.items()}
    with opened(browser, address(path, f"{figure}:{explorer.key(last)}")) as page:
        assert explorer.key(last) in visible(page, figure).get_attribute("data-at").split(" ")


def test_folds_of_all_settings_open_as_one(browser):
    path, figure = next(found for found in EXPLORERS if found[1] == "explore-phi")
    explorer = live(path, figure)
    with opened(browser, address(path)) as page:
        visible(page, figure).locator("summary").click()
        place(page, explorer, covering(explorer)[0])
        expect(visible(page, figure).locator("table")).to_be_visible()
