"""Controls on their pages: as lib says, by keyboard, by address."""

from collections import defaultdict
from unittest.mock import patch

import pytest
from built import CHAPTERS, LANDING, needs_book
from chromium import DESKTOP, PHONE, address, opened
from explorers import EXPLORERS, covering, each_explorer, live, said, visible
from playwright.sync_api import expect

from lib.display import figures
from lib.display.controls import Choice
from lib.display.explorer import explore

pytestmark = needs_book

STOPS = 5  # presses of the tab key from a heading's link to the first control
GROWTH = 8  # pixels by which a page may grow or shrink when a setting changes


def test_every_chapter_and_the_landing_page_have_a_control():
    assert {path for path, _ in EXPLORERS} >= {*CHAPTERS, LANDING}


# The link of the nearest heading before a figure; on the landing page the cover stands there.
NEAREST = """figure => [...document.querySelectorAll(
  "article :is(h1, h2, h3, h4) .headerlink, article .cover a")]
  .filter(link => link.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING)
  .at(-1).focus()"""


@each_explorer
def test_a_control_by_keyboard_and_by_address(browser, path, figure):
    """One visit: the default, each control by key, its address."""
    explorer = live(path, figure)
    assert all(len(values) > 1 for values in explorer.static.values())
    with opened(browser, address(path), viewport=DESKTOP) as page:
        root, setting_shown = page.locator(f"#{figure}"), page.locator(f"#{figure}-shown")
        if page.locator(".covered").count():  # by a guess
            page.get_by_role("button", name="Just show it").click()
        assert said(visible(page, figure).inner_html()) == said(explorer.panel())
        assert root.locator("fieldset :is(select, input):enabled").count() == len(explorer.static)

        root.evaluate(NEAREST)
        reached = f"document.activeElement.closest('#{figure} fieldset') !== null"
        stops = STOPS + page.locator(".guess button").count()
        for _ in range(stops):
            if not page.evaluate(reached):
                page.keyboard.press("Tab")
        assert page.evaluate(reached), f"more than {stops} stops from its heading"

        page.locator(f"#{figure}-title").click()  # from here the tab key goes to the controls
        setting = dict(explorer.defaults)
        for key in (key for key in explorer.controls if key in explorer.static):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.id") == f"{figure}-{key}"
            at = explorer.static[key].index(setting[key])
            forward = at + 1 < len(explorer.static[key])
            setting[key] = explorer.static[key][at + 1 if forward else at - 1]
            slider = page.locator(f"#{figure}-{key}[type=range]").count()
            arrows = ("ArrowLeft", "ArrowRight") if slider else ("ArrowUp", "ArrowDown")
            page.keyboard.press(arrows[forward])
        then = explorer.describe(setting, explorer.static)
        expect(setting_shown).to_have_text(f"Shown: {then}.")
        assert explorer.key(setting) in visible(page, figure).get_attribute("data-at").split(" ")
        assert said(visible(page, figure).inner_html()) == said(explorer.panel(**setting)), then

        title = visible(page, figure).locator("strong").first
        expect(root.locator("p[role=status]")).to_have_text(title.text_content())

        found = page.evaluate("location.href")
        assert found == f"{address(path)}#{figure}:{explorer.key(setting)}"
        page.goto("about:blank")
        page.goto(found)
        assert said(visible(page, figure).inner_html()) == said(explorer.panel(**setting))
        expect(root).to_be_in_viewport()
        page.goto(f"{address(path)}#{figure}:nothing=known")
        assert said(visible(page, figure).inner_html()) == said(explorer.panel())


def test_addresses_of_two_explorers_on_one_page(browser, tmp_path):
    controls = {
        "one": {"base": Choice("base", [2, 3, 10])},
        "two": {
            "base": Choice("base", range(2, 11), slider=True),
            "sign": Choice("sign", ["plus", "minus"]),
        },
    }
    body = "".join(
        explore(
            lambda base, sign="": f"<p>{base} {sign}</p>",
            id=id,
            title=f"Explorer {id}",
            controls=controls[id],
            static={"base": [2, 3, 10]} | ({"sign": ["plus", "minus"]} if id == "two" else {}),
        ).to_html()
        for id in controls
    )
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><title>two</title>{body}", "utf-8")

    def shows(page):
        panels = (visible(page, f"explore-{id}").inner_html() for id in controls)
        return [text for panel in panels for text in said(panel)]

    for fragment, expected in (
        ("explore-one:base=3;explore-two:base=10&sign=minus", ["3", "10 minus"]),
        ("explore-two:base=10&sign=minus;explore-one:base=3", ["3", "10 minus"]),
        ("explore-two:sign=minus", ["2", "2 minus"]),  # the other keeps still
    ):
        with opened(browser, address(file, fragment)) as page:
            assert shows(page) == expected
    with opened(
        browser, address(file, "explore-one:base=3;explore-two:base=10&sign=minus")
    ) as page:
        page.locator("#explore-one-base").select_option(index=2)
        changed = "explore-two:base=10&sign=minus;explore-one:base=10"
        assert page.evaluate("location.hash") == f"#{changed}"
        page.locator("#explore-two-base").fill("1")
        changed = "explore-one:base=10;explore-two:base=3&sign=minus"
        assert page.evaluate("location.hash") == f"#{changed}"
        assert shows(page) == ["10", "3 minus"]
    with opened(browser, file.as_uri()) as page:
        for fragment in ("explore-one:base=3", "explore-one:base=10", "a-place"):
            page.evaluate("there => { location.hash = there }", fragment)
        for expected in ("10", "10", "3"):  # a place sets nothing
            assert shows(page)[0] == expected
            page.go_back()
        assert shows(page)[0] == "2" and not page.evaluate("location.hash")  # as at first


# All settings.

# Sets the controls of a figure; returns for each setting what is shown, how high the figure is, and
# where in it the drawing begins.
ALL = """([id, settings]) => {
  document.querySelector(".covered")?.classList.remove("covered");  // by a guess
  const root = document.getElementById(id), controls = root.querySelectorAll("[data-control]");
  return settings.map(places => {
    places.forEach((place, k) => {
      controls[k][controls[k].list ? "value" : "selectedIndex"] = place;
      controls[k].dispatchEvent(new Event("input", { bubbles: true }));
    });
    const [panel, ...more] = [...root.querySelectorAll("[data-at]")].filter(
      e => e.checkVisibility({ visibilityProperty: true }));
    return [more.length ? "two panels" : panel.dataset.at, document.getElementById(id + "-shown")
      .textContent, panel.innerHTML, root.getBoundingClientRect().height,
      (panel.querySelector("svg") ?? panel).getBoundingClientRect().top
        - root.getBoundingClientRect().top];
  });
}"""


def places(explorer, setting):
    """Return where the values of a setting stand in their controls on the page."""
    on_page = [name for name in explorer.controls if name in explorer.static]
    return [explorer.static[name].index(setting[name]) for name in on_page]


def test_folds_of_all_settings_open_as_one(browser):
    path, figure = next(found for found in EXPLORERS if found[1] == "explore-phi")
    explorer = live(path, figure)
    with opened(browser, address(path)) as page:
        visible(page, figure).locator("summary").click()
        page.evaluate(ALL, [figure, [places(explorer, covering(explorer)[0])]])
        expect(visible(page, figure).locator("table")).to_be_visible()


def drawn(path, figure):
    """Draw an explorer anew: return it, panels by setting, and the axes drawn.

    Each value of each control is in one setting; nbval makes all of them again.  An axis is what it
    says, its limits, and the place of its box.
    """
    explorer, axes, svg = live.__wrapped__(path, figure), defaultdict(set), figures.svg

    def watched(canvas, *, alt):
        text = svg(canvas, alt=alt)
        for one in canvas.axes:
            box = tuple(round(x, 2) for x in one.get_position().bounds)
            axes[one.get_xlabel(), one.get_ylabel()].add((one.get_xlim(), one.get_ylim(), box))
        return text

    with patch.object(figures, "svg", watched):
        panels = {explorer.key(each): explorer.panel(**each) for each in covering(explorer)}
    return explorer, panels, axes


# Long: every setting; test_a_control_by_keyboard_and_by_address notices most of it.
@pytest.mark.long
@each_explorer
def test_every_setting_shows_its_own_numbers_and_nothing_jumps(browser, path, figure):
    explorer, panels, axes = drawn(path, figure)
    assert axes and {unit: seen for unit, seen in axes.items() if len(seen) > 1} == {}
    settings = explorer.settings()
    wanted = [places(explorer, each) for each in settings]
    with opened(browser, address(path)) as page:
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            found = page.evaluate(ALL, [figure, wanted])
            for levels in zip(*(each[-2:] for each in found)):
                assert max(levels) - min(levels) <= GROWTH, size
    assert len({panel for _, _, panel, *_ in found}) == len(found), "two settings show the same"
    for setting, (at, shown, panel, *_) in zip(settings, found):
        key = explorer.key(setting)
        assert key in at.split(" ") and "<svg" in panel
        assert shown == f"Shown: {explorer.describe(setting, explorer.static)}."
        assert said(panel) == said(panels.get(key, panel)), shown
