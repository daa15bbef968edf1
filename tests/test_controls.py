"""Explorers as tools: no setting is dead, no axis jumps, and two settings can be compared."""

from collections import defaultdict
from functools import cache
from unittest.mock import patch

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


@cache
def drawn(path, figure):
    """Draw all panels of an explorer; return it, and the axes that it drew.

    An axis is what it says, its limits, and the place of its box.
    """
    explorer, axes, svg = live.__wrapped__(path, figure), [], figures.svg

    def watched(canvas, *, alt):
        text = svg(canvas, alt=alt)
        for one in canvas.axes:
            box = tuple(round(x, 2) for x in one.get_position().bounds)
            unit = one.get_xlabel(), one.get_ylabel()
            axes.append((unit, (one.get_xlim(), one.get_ylim(), box)))
        return text

    with patch.object(figures, "svg", watched):
        for setting in explorer.settings():
            explorer.panel(**setting)
    return explorer, axes


def dead(explorer):
    """Return the settings that show what another one shows, or no drawing."""
    filed = defaultdict(list)
    for setting in explorer.settings():
        filed[explorer.panel(**setting)].append(explorer.key(setting))
    return [keys for panel, keys in filed.items() if len(keys) > 1 or "<svg" not in panel]


@each_explorer
def test_every_setting_shows_something_of_its_own(path, figure):
    explorer, _ = drawn(path, figure)
    assert dead(explorer) == []


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


@each_explorer
def test_axes_stay_where_they_are_unless_they_say_another_unit(path, figure):
    _, axes = drawn(path, figure)
    seen = defaultdict(set)
    for unit, limits_and_place in axes:
        seen[unit].add(limits_and_place)
    assert axes and {unit: found for unit, found in seen.items() if len(found) > 1} == {}


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
    link = heading.locator(".headerlink")
    link.focus()
    expect(link).to_have_css("opacity", "1")
    link.press("Enter")
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


# Sets the controls of a figure; returns its height with each setting.
HEIGHTS = """([id, settings]) => {
  const root = document.getElementById(id), controls = root.querySelectorAll("[data-control]");
  return settings.map(places => {
    places.forEach((place, k) => {
      controls[k][controls[k].list ? "value" : "selectedIndex"] = place;
      controls[k].dispatchEvent(new Event("input", { bubbles: true }));
    });
    return root.getBoundingClientRect().height;
  });
}"""


@each_explorer
def test_a_page_keeps_its_height_when_a_setting_changes(browser, path, figure):
    explorer = live(path, figure)
    names = [name for name in explorer.controls if name in explorer.static]
    settings = [
        [list(explorer.static[name]).index(setting[name]) for name in names]
        for setting in explorer.settings()
    ]
    with opened(browser, address(path)) as page:
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            heights = page.evaluate(HEIGHTS, [figure, settings])
            assert max(heights) - min(heights) <= GROWTH, size


def words(locator):
    """Return what an element says, whatever it is drawn with."""
    return " ".join(locator.inner_text().split())


@each_explorer
def test_a_setting_can_be_pinned_beside_the_next(browser, path, figure):
    explorer = live(path, figure)
    other = next(s for s in covering(explorer) if s != explorer.defaults)
    first, then = (explorer.describe(s, explorer.static) for s in (explorer.defaults, other))
    with opened(browser, address(path), viewport=DESKTOP) as page:
        status, pinned = page.locator(f"#{figure}-shown"), page.locator(f"#{figure} .pinned")
        shown = words(visible(page, figure))
        page.get_by_role("group", name=explorer.title).get_by_role("button").focus()
        page.keyboard.press("Enter")
        place(page, explorer, other)
        expect(status).to_have_text(f"Shown: {then}. Pinned: {first}.")
        assert words(pinned) == f"Pinned: {first}. {shown}"
        assert words(visible(page, figure)) != shown
        every = page.locator("[id]").evaluate_all("all => all.map(one => one.id)")
        own = pinned.locator("[id]").evaluate_all("all => all.map(one => one.id)")
        assert own and all(every.count(id) == 1 for id in own)
        for size in (DESKTOP, PHONE):
            page.set_viewport_size(size)
            here, there = visible(page, figure).bounding_box(), pinned.bounding_box()
            beside = here["x"] + here["width"] <= there["x"]
            below = here["y"] + here["height"] <= there["y"]
            assert below if size == PHONE else beside or below
            assert there["x"] + there["width"] <= size["width"]
        page.emulate_media(media="print")
        expect(pinned).to_be_hidden()
        page.emulate_media(media="screen")
        page.get_by_role("button", name="Unpin", exact=True).press("Enter")
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
