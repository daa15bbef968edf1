"""Marks of figures: each has a name and values, one colour a measure, and can be told apart.

The tests of the pages need the built book; those in a browser say what pointing, the arrow keys,
touch and the box beneath a figure do.
"""

import re
from collections import defaultdict
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from bs4 import BeautifulSoup
from built import CHAPTERS, PAGES, name, needs_book
from chromium import DESKTOP, PHONE, address, opened
from colours import contrast
from matplotlib.colors import to_rgb
from playwright.sync_api import expect

from lib import load, means
from lib.display.figures import FAMILIES, INK, PALETTE, colour, measure_style, style, subplots, svg
from lib.display.svg import add_tooltips

GROUNDS = ["#ffffff", "#14181e"]  # of the two themes


# In a drawing.


def drawn(draw):
    """Return what the marks of a drawing say, in its order."""
    with style():
        figure, axes = subplots(1, 2, sharex=True)
        draw(*axes)
    tree = BeautifulSoup(svg(figure, alt="Marks."), "html.parser")
    return [title.get_text() for title in tree.find_all("title")]


def test_a_dot_says_its_name_and_its_values_by_the_labels_of_the_axes():
    def draw(left, right):
        add_tooltips(left.plot([0.25, np.nan, 0.75], [10, 20, 30_000], "o"), ["A", "B", "C & D"])
        left.set(xlabel="AP", ylabel="topics")

    assert drawn(draw) == ["A: AP 0.250, topics 10", "C & D: AP 0.750, topics 30,000"]


def test_a_shared_axis_gives_its_label():
    def draw(left, right):
        add_tooltips(left.plot([1], [0.5], "o"), "A", tell="x", words=["so far"])
        right.set(xlabel="rank")

    assert drawn(draw) == ["A: rank 1, so far"]


def test_bars_and_cells_say_what_they_are_given():
    def draw(left, right):
        add_tooltips(left.bar([1, 2], [3, 4]), ["A", "B"], words=["3 runs", "4 runs"])
        cells = right.pcolormesh(np.array([[1.0, 0.5], [0.5, 1.0]]))
        add_tooltips(cells, ["A", "A", "B", "B"], words=["AA", "AB", "BA", "BB"])

    assert drawn(draw) == ["A: 3 runs", "B: 4 runs", "A: AA", "A: AB", "B: BA", "B: BB"]


def test_signs_are_typeset():
    assert drawn(lambda one, _: add_tooltips(one.plot([-0.5], [0.00002], "o"), "A")) == [
        "A: \u22120.500, 2.0e\u221205"
    ]


@pytest.mark.parametrize(
    ("names", "words", "said"),
    [
        (["A"], [], "2 marks, 1 names and 2 words"),
        (["A", "B"], ["x"], "2 marks, 2 names and 1 words"),
        (["A", "B: C"], [], "'B: C' is no name of a mark"),
    ],
)
def test_marks_that_would_be_misnamed_are_refused(names, words, said):
    with style():
        _, axes = subplots()
        with pytest.raises(ValueError, match=said):
            add_tooltips(axes.plot([1, 2], [1, 2], "o"), names, words=words)


# Colours.


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("one", PALETTE)
def test_every_colour_stands_out_on_both_grounds(one, ground):
    assert contrast(to_rgb(one), to_rgb(ground)) >= 3


def test_families_differ_in_colour_and_in_marker():
    colours, markers = zip(*FAMILIES.values())
    assert len(set(colours)) == len(set(markers)) == len(FAMILIES)


@pytest.mark.parametrize(
    "names",
    [
        ["AP", "aAP@20", "MAP", "average precision", "AP(rel=2)@100"],
        ["P@10", "P@k", "P", "P10", "precision at ten", "P@10 of itself"],
        ["nDCG", "DCG", "enDCG", "nDCG(discount=2002,rel=1)@20"],
        ["RR", "MRR", "reciprocal rank of the first"],
        ["RBP", "RBP(p=0.95)", "RBP, p = 0.5"],
    ],
)
def test_all_names_of_a_family_have_its_colour(names):
    assert len({colour(each) for each in names}) == 1 and colour(names[0]) != INK


def test_what_is_no_measure_is_drawn_in_ink():
    assert (
        measure_style("READWARE2")["color"]
        == measure_style("judged@10")["color"]
        == colour("Accuracy")
        == INK
    )


# On the pages: what is drawn there.


@cache
def drawings(path):
    """Return the drawings of a page, those of settings not yet chosen too."""
    return BeautifulSoup(path.read_text("utf-8"), "html.parser").select(".measures svg")


DRAWN = [path for path in PAGES if '<figure class="measures drawing">' in path.read_text("utf-8")]
each_drawn = pytest.mark.parametrize("path", DRAWN, ids=name)
STROKE = re.compile(r"M\S+ \S+L\S+ \S+")  # one straight line: a tick of an axis, the cap of a bar
BOX = re.compile(r"M(\S+ \S+)(L\S+ \S+){3}(z|L\1z?)")  # four corners: a bar, a cell, a diamond


def painted(tag):
    """Return what paints an element: its own style and those of the groups around it."""
    found = {}
    for one in (tag, *tag.parents):
        pairs = (pair.split(":", 1) for pair in (one.get("style") or "").split(";") if ":" in pair)
        found = dict(pairs) | found
        if one.name == "svg":
            return found
    return found


def marks(drawing):
    """Return the marks of a drawing, by rule: dots, and shapes of four corners that are filled.

    The keys of a legend are none, nor are ticks, the caps of error bars, bands (that one sees
    through, whose edges are lines) and areas of more corners, whose dots nobody could tell apart.
    """
    shapes = {path["id"]: path["d"] for path in drawing.select("path[id]")}
    used = [use for use in drawing.find_all("use") if use["x"] != "0"]  # areas stand there
    dots = [use for use in used if not STROKE.fullmatch(shapes[use["href"][1:]])]
    boxes = [p for p in drawing.select("path:not([id])") if BOX.fullmatch(p.get("d", ""))]
    seen = [mark for mark in (*dots, *boxes) if not mark.find_parent(class_="key")]
    return [mark for mark in seen if painted(mark).get("fill-opacity", "0") == "0"]


def paint(mark):
    """Return the colour of a mark: of its inside, or of its edge where it is hollow."""
    look_of = painted(mark)
    fill = "none" if "fill-opacity" in look_of else look_of.get("fill", "currentColor")
    hollow = fill == "none" or fill.startswith("var(")  # filled with the ground
    return look_of.get("stroke", fill) if hollow else fill


@needs_book
@each_drawn
def test_every_dot_and_bar_has_a_name_and_values(path):
    without = [mark for one in drawings(path) for mark in marks(one) if not mark.find("title")]
    assert without == []
    said = [mark.title.get_text() for one in drawings(path) for mark in marks(one)]
    assert len(said) == sum(len(one.find_all("title")) for one in drawings(path))
    assert [text for text in said if not re.fullmatch(r"[^:]*[^:\s]: \S.*", text)] == []


@needs_book
def test_runs_say_their_means():
    (path,) = (path for path in CHAPTERS if path.stem.startswith("02-"))
    scores = means(load("trec8"), ["AP", "RR"])
    expected = {
        f"{run}: AP {row.AP:.3f}, RR {row.RR:.3f}"
        for run, row in zip(scores.index, scores.itertuples())
    }
    said = {title.get_text() for one in drawings(path) for title in one.find_all("title")}
    assert expected <= {text.replace("AP 0,", "AP 0.000,") for text in said}


MEASURE = re.compile(rf"({'|'.join(FAMILIES)})(@\w+)?(\(.*\)|, p = .*)?( (itself|(of|with) .*))?")


@needs_book
def test_a_measure_has_one_colour_in_the_whole_book():
    """Dots by their names, lines by the legend. Bars of counts have the colours of what counts."""
    found = defaultdict(set)
    for path in DRAWN:
        for drawing in drawings(path):
            for mark in drawing.select("use:has(> title)"):
                found[mark.title.get_text().partition(":")[0]].add(paint(mark))
            for key in drawing.select(".key"):
                handle = None
                for part in key.find_all(["path", "use", "text"]):
                    if part.name != "text":
                        handle = part if part.find_parent("defs") is None else handle
                    elif handle:
                        found["".join(part.stripped_strings)].add(paint(handle))
    of_measures = {
        text: kinds - {"currentColor"} for text, kinds in found.items() if MEASURE.fullmatch(text)
    }
    assert {"P@10", "AP", "nDCG", "RR", "RBP"} <= {
        text for text in of_measures if of_measures[text]
    }
    wrong = {text: kinds for text, kinds in of_measures.items() if not kinds <= {colour(text)}}
    assert wrong == {}


# What a shape is painted with, over its ground, as numbers; gaps are painted in the ground itself.
PAINTS = """() => {
  const seen = {}, numbers = text => text.match(/[\\d.]+/g).map(Number);
  for (const svg of document.querySelectorAll(".measures svg")) {
    if (svg.querySelector("image")) continue;  // a heat map: its cells are on a scale
    const behind = e => getComputedStyle(e).backgroundColor;
    let around = svg;
    while (behind(around) === "rgba(0, 0, 0, 0)") around = around.parentElement;
    const ground = numbers(behind(around)).slice(0, 3);
    for (const part of svg.querySelectorAll("path, use, text")) {
      if (part.closest("defs, clipPath")) continue;
      const style = getComputedStyle(part), paints = {};
      let opacity = 1;
      for (let e = part; e !== svg; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
      for (const kind of part.localName === "text" ? ["fill"] : ["fill", "stroke"]) {
        if (style[kind] === "none") continue;
        const [r, g, b, alpha = 1] = numbers(style[kind]);
        const own = alpha * opacity * style[`${kind}Opacity`];
        paints[kind] = [r, g, b].map((c, i) => (c * own + ground[i] * (1 - own)) / 255);
      }
      const grid = style.strokeOpacity === "0.15";
      const gap = /stroke:var/.test(part.getAttribute("style")) && style.fill === "none";
      if (!Object.keys(paints).length || grid || gap) continue;
      const key = JSON.stringify([part.localName === "text", ground.map(c => c / 255), paints]);
      seen[key] ??= svg.closest("figure").innerText.slice(-150) + part.outerHTML;
    }
  }
  return Object.entries(seen).map(([key, where]) => [...JSON.parse(key), where]);
}"""


@needs_book
@pytest.mark.parametrize("theme", ["light", "dark"])
@each_drawn
def test_marks_and_words_of_figures_can_be_told_from_the_ground(browser, path, theme):
    with opened(browser, address(path), color_scheme=theme) as page:
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        paints = page.evaluate(PAINTS)
    assert len(paints) >= 2
    for is_text, ground, found, where in paints:
        least = 4.5 if is_text else 3
        assert max(contrast(one, ground) for one in found.values()) >= least, where


# On the pages: what a reader does.

sizes = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
MANY = 15  # names of a figure, above which it has a box


@contextmanager
def figure_of_runs(browser, **options):
    """Give the page, the figure of all runs of TREC-8, and the label that names a mark."""
    (path,) = (path for path in CHAPTERS if path.stem.startswith("02-"))
    figures = [one.find_parent("figure") for one in drawings(path) if "READWARE2: P@1 " in str(one)]
    (figure,) = (one for one in figures if one.get("id") and "hidden" not in str(one.parent.attrs))
    with opened(browser, address(path), **options) as page:
        yield page, page.locator(f"#{figure['id']}"), page.locator(".mark-says")


def middle(mark):
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def of_run(figure, run="READWARE2"):
    """Return the marks of a run; a page that nobody has touched yet has titles still."""
    return figure.locator(f"[data-says^='{run}: ']")


@needs_book
@sizes
def test_pointing_at_a_dot_names_it_and_lights_its_run_in_all_panels(browser, size):
    with figure_of_runs(browser, viewport=size) as (page, figure, label):
        dots = of_run(figure)
        expect(dots).to_have_count(7)
        dots.last.scroll_into_view_if_needed()
        page.mouse.move(*middle(dots.last))
        expect(label).to_contain_text(re.compile(r"READWARE2: AP 0\.\d{3}, Rprec 0\.\d{3}"))
        expect(figure.locator(".lit")).to_have_count(7)
        box = label.bounding_box()
        assert 0 <= box["x"] and box["x"] + box["width"] <= size["width"] and box["y"] >= 0
        assert figure.locator("svg title").count() == 0  # the browser's own would cover ours
        page.keyboard.press("Escape")
        expect(label).to_have_text("")
        expect(figure.locator(".lit")).to_have_count(0)
        page.mouse.move(*middle(dots.last))
        page.mouse.move(5, 5)
        expect(label).to_have_text("")


@needs_book
@sizes
def test_the_arrow_keys_walk_the_marks_of_a_figure_that_is_one_stop(browser, size):
    with figure_of_runs(browser, viewport=size) as (page, figure, label):
        says = figure.locator("[data-says]").evaluate_all("all => all.map(e => e.dataset.says)")
        figure.locator(".canvas").focus()
        for key, at in (
            ("Right", 0),
            ("Right", 1),
            ("Right", 2),
            ("Left", 1),
            ("Left", 0),
            ("Left", -1),
        ):
            page.keyboard.press(f"Arrow{key}")
            expect(label).to_have_text(says[at])
            box = label.bounding_box()
            assert 0 <= box["x"] and box["x"] + box["width"] <= size["width"]
        assert label.get_attribute("role") == "status"
        page.keyboard.press("Tab")
        assert not page.evaluate("document.activeElement.closest('svg')")
        expect(label).to_have_text("")


@needs_book
def test_a_tap_names_a_mark_and_another_beside_it_takes_the_name_away(browser):
    with figure_of_runs(browser, viewport=PHONE, has_touch=True) as (page, figure, label):
        dot = of_run(figure).first
        dot.scroll_into_view_if_needed()
        page.touchscreen.tap(*middle(dot))
        expect(label).to_contain_text("READWARE2: ")
        expect(figure.locator(".lit")).to_have_count(7)
        page.touchscreen.tap(5, 5)
        expect(label).to_have_text("")


@needs_book
@sizes
def test_a_name_typed_lights_the_run_and_says_its_values(browser, size):
    with figure_of_runs(browser, viewport=size) as (_, figure, _):
        field, said = figure.get_by_label("Find a name"), figure.locator(".find [role=status]")
        assert figure.locator("datalist option").count() == len(load("trec8").systems)
        field.fill("readware2")
        expect(said).to_contain_text(re.compile(r"READWARE2: P@1 .*AP 0\.\d{3}, Rprec 0\.\d{3}$"))
        expect(figure.locator(".lit")).to_have_count(7)
        field.fill("readware")  # a run of its own, though another's name begins so
        expect(said).to_contain_text("READWARE: ")
        field.fill("nobody")
        expect(said).to_have_text("0 names fit.")
        expect(figure.locator(".lit")).to_have_count(0)
        field.fill("")
        expect(said).to_have_text("")


@needs_book
@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_figure_of_many_names_has_a_box_and_no_other(browser, path):
    with opened(browser, address(path)) as page:
        for figure in page.locator("figure.measures:not(figure figure)").all():
            shown = figure.locator("[data-says]").evaluate_all(
                "all => all.filter(e => e.checkVisibility({visibilityProperty: true}))"
                ".map(e => e.dataset.says)"
            )
            names = {text.partition(": ")[0] for text in shown}
            assert figure.locator(".find input").count() == (len(names) > MANY)
            assert figure.locator("[tabindex='0'] [tabindex]").count() == 0
    with opened(browser, address(path), java_script_enabled=False) as page:
        assert page.locator(".find").count() == 0


@needs_book
def test_what_was_found_stays_lit_at_another_setting(browser):
    (path,) = (path for path in CHAPTERS if path.stem.startswith("02-"))
    with opened(browser, address(path)) as page:
        explorer = page.locator("figure.explore:has(.find)").first
        field = explorer.get_by_label("Find a name")
        first = explorer.locator("[data-at]:visible [data-says]").first.get_attribute("data-says")
        field.fill(first.partition(": ")[0])
        expect(explorer.locator(".lit:visible")).to_have_count(1)
        before = explorer.locator(".find [role=status]").inner_text()
        select = explorer.locator("select").nth(1)
        at = select.evaluate("e => e.selectedIndex")
        select.select_option(index=at + 1 if at == 0 else at - 1)
        expect(explorer.locator(".lit:visible")).to_have_count(1)
        assert explorer.locator(".find [role=status]").inner_text() != before
