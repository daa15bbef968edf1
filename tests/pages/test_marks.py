"""Marks of figures: what they say, their colours, and how a reader of the built book asks them."""

import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from built import NOTEBOOKS, needs_book
from chromium import DESKTOP, PHONE, address, opened
from playwright.sync_api import expect

from lib.display.figures import FAMILIES, INK, colour, subplots, svg
from lib.display.svg import add_tooltips

# In a drawing.


def drawn(draw):
    """Return what the marks of a drawing say, in its order."""
    with subplots(1, 2, sharex=True) as (figure, axes):
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


@pytest.mark.parametrize(
    ("names", "words", "said"),
    [
        (["A"], [], "2 marks, 1 names and 2 words"),
        (["A", "B"], ["x"], "2 marks, 2 names and 1 words"),
        (["A", "B: C"], [], "'B: C' is no name of a mark"),
    ],
)
def test_marks_that_would_be_misnamed_are_refused(names, words, said):
    with subplots() as (_, axes), pytest.raises(ValueError, match=said):
        add_tooltips(axes.plot([1, 2], [1, 2], "o"), names, words=words)


# Colours.


def test_families_differ_in_colour_and_in_marker():
    colours, markers = zip(*FAMILIES.values())
    assert len(set(colours)) == len(set(markers)) == len(FAMILIES)


@pytest.mark.parametrize(
    "names",
    [
        ["AP", "aAP@20", "MAP", "average precision", "AP(rel=2)@100"],
        ["P@10", "P@k", "P", "P10", "precision at ten", "P@10 of itself"],
        ["nDCG", "DCG", "enDCG", "nDCG(discount=2002,gain=binary)@20"],
        ["RR", "MRR", "reciprocal rank of the first"],
        ["RBP", "RBP(p=0.95)", "RBP, p = 0.5"],
    ],
)
def test_all_names_of_a_family_have_its_colour(names):
    assert len({colour(each) for each in names}) == 1 and colour(names[0]) != INK


# On the pages: what a reader does.


def middle(mark):
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def assert_in_sight(label, size):
    box = label.bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= size["width"] and box["y"] >= 0


# Long: on a screen; the same on a phone, which has less room for the label, notices most of it.
@needs_book
@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["phone", "desktop"]
)
def test_a_mark_is_named_by_mouse_touch_and_arrow_keys(browser, size):
    (path,) = (path for path in NOTEBOOKS if path.stem == "02-audit")
    with opened(browser, address(path), viewport=size, has_touch=True) as page:
        label = page.locator(".mark-says")
        drawn = page.locator("figure.drawing[id]").filter(has=page.get_by_text("READWARE2: P@1 "))
        figure = page.locator(f"#{drawn.get_attribute('id')}")
        figure.locator(".canvas").hover()  # titles become ours
        dots, lit = figure.locator("[data-says^='READWARE2: ']"), figure.locator(".lit")
        expect(dots).to_have_count(7)
        dot = figure.locator("[data-says^='READWARE2: AP '][data-says*=' Rprec ']")
        dot.scroll_into_view_if_needed()
        page.mouse.move(*middle(dot))
        expect(label).to_contain_text(re.compile(r"READWARE2: AP 0\.\d{3}, Rprec 0\.\d{3}"))
        expect(lit).to_have_count(7)  # in all panels
        assert_in_sight(label, size)
        assert figure.locator("svg title").count() == 0  # the browser's own would cover ours
        page.keyboard.press("Escape")
        expect(label).to_have_text("")
        expect(lit).to_have_count(0)
        page.touchscreen.tap(*middle(dot))
        expect(label).to_contain_text("READWARE2: ")
        expect(lit).to_have_count(7)
        page.touchscreen.tap(3, 400)  # beside all that one can press
        expect(label).to_have_text("")

        says = figure.locator("[data-says]").evaluate_all("all => all.map(e => e.dataset.says)")
        figure.locator(".canvas").focus()
        keys = ["Right", "Right", "Right", "Left", "Left", "Left"]
        for key, at in zip(keys, (0, 1, 2, 1, 0, -1)):
            page.keyboard.press(f"Arrow{key}")
            expect(label).to_have_text(says[at])
            assert_in_sight(label, size)
        assert label.get_attribute("role") == "status"
        page.keyboard.press("Tab")  # the figure is one stop
        assert not page.evaluate("document.activeElement.closest('svg')")
        expect(label).to_have_text("")
