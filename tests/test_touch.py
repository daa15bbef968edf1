"""The rules that a page works out: the same words and drawings as from lib, at any state."""

import itertools
import random
import re

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from built import CHAPTERS, needs_book
from chromium import address, file_and_server, opened
from playwright.sync_api import expect

from lib import load
from lib.collection import Collection
from lib.display.controls import Check, Choice
from lib.display.js_widget import JsWidget
from lib.teaching.foundations.widgets import LENGTH, TOPICS, drop_topics, move_documents

PATH = next((path for path in CHAPTERS if path.stem == "00-foundations"), None)
STATES = 200
MISSED = 0  # the rank of what was not found


# What stands there without JavaScript, or before anything is touched.


def tree(touch):
    """Return a figure as a tree."""
    return BeautifulSoup(touch.to_html(), "html.parser")


def test_by_hand():
    touch = move_documents((1, 3, 0, 20))
    average = (1 + 2 / 3 + 3 / 20) / 4
    assert touch.numbers["score"].tolist() == ["1.000", "1.000", f"{average:.3f}", "0.750"]
    assert touch.numbers.loc["AP", "by hand"] == "(1/1 + 2/3 + 3/20 + 0) / 4"
    assert touch.numbers.loc["GS10", "by hand"] == "1.08^(1 − 1)"


def test_no_topic_gives_no_tau():
    topics = [str(topic) for topic in range(401, 413)]
    touch = drop_topics(load("trec8"), topics)
    assert touch.numbers.loc["tau-b", "number"] == "–"
    assert "No topic is kept." in touch.picture


def test_a_collection_of_a_few_runs_without_groups_will_do():
    ranked = {"A": "a b".split(), "B": "x a".split()}
    lists = {run: dict.fromkeys(["1", "2"], found) for run, found in ranked.items()}
    few = Collection.from_rankings(lists, dict.fromkeys(["1", "2"], {"a": 1, "b": 1}))
    touch = drop_topics(few, ["1"])
    assert touch.said == "tau-b 1.000, with 1 of 2 topics."


def test_inputs_are_native_labelled_and_wait_for_the_script():
    inputs = {"a": Check("a <b>", False), "m": Choice("m", [5, 9], slider=True)}
    touch = JsWidget(
        "topics",
        name="x",
        title="<X>",
        inputs=inputs,
        said="1 < 2",
        numbers=pd.DataFrame({"n": ["1"]}, index=["one"]),
        picture="<svg></svg>",
        data={"runs": ["</script>"]},
    )
    page = tree(touch)
    assert page.fieldset.has_attr("disabled") and "JavaScript" in page.noscript.get_text()
    box, slider = page.select("fieldset input")
    assert (box["type"], box.parent.get_text(strip=True)) == ("checkbox", "a <b>")
    assert not box.has_attr("checked")
    assert (slider["type"], slider["min"], slider["max"]) == ("range", "0", "1")
    assert "1 < 2" in page.select_one(".said").get_text()
    assert touch.to_html().count("</script>") == 1
    assert not re.search(r"https?://|\bimport\b|fetch\(|\bsrc=", touch.to_html())


# What the page works out, against lib.


# Moves inputs one after the other, as a reader does; returns all that the figure says then.
PLAY = """([id, states]) => {
  const root = document.getElementById(id), inputs = root.querySelectorAll("input");
  return states.map(state => {
    state.forEach((value, k) => {
      inputs[k][inputs[k].type === "checkbox" ? "checked" : "value"] = value;
      inputs[k].dispatchEvent(new Event("input", { bubbles: true }));
    });
    return [root.querySelector(".said").textContent, root.querySelector("svg").outerHTML,
      [...root.querySelectorAll("tbody td")].map(cell => cell.textContent)];
  });
}"""


def read(page, id):
    """Return all that a figure says and draws now."""
    return page.evaluate(PLAY, [id, [[]]])[0]


def expected(touch):
    """Return the same of a figure that lib made, told by a browser's own way to write it."""
    page = tree(touch)
    cells = [cell.get_text() for cell in page.select("tbody td")]
    return [page.select_one(".said").get_text(), page.svg, cells]


def assert_same(found, touch):
    said, drawing, cells = found
    told, drawn, numbers = expected(touch)
    assert (said, cells) == (told, numbers)
    moved = BeautifulSoup(drawing, "html.parser").svg
    assert moved["aria-label"] == drawn["aria-label"]
    for part, should in zip(moved.select("[data-part]"), drawn.select("[data-part]"), strict=True):
        assert (part.attrs, part.get_text()) == (should.attrs, should.get_text())


def with_ranks(page, tried):
    """Return what the page says to lists with their relevant documents at some ranks."""
    states = []
    for ranks in tried:  # out of each other's way first
        states += [[LENGTH] * 4, [rank - 1 if rank else LENGTH for rank in ranks]]
    return page.evaluate(PLAY, ["touch-ranks", states])[1::2]


def ranks_to_try():
    """Return random places of four documents; those found stand at different ranks."""
    rng = random.Random(15)
    for _ in range(STATES):
        places = rng.sample(range(1, LENGTH + 1), 4)
        yield tuple(MISSED if rng.random() < 0.2 else place for place in places)


@needs_book
@file_and_server
def test_the_page_scores_200_lists_as_lib_does(browser, start):
    with opened(browser, f"{start}/chapters/{PATH.name}") as page:
        assert_same(read(page, "touch-ranks"), move_documents())
        tried = list(ranks_to_try())
        for found, ranks in zip(with_ranks(page, tried), tried, strict=True):
            assert_same(found, move_documents(ranks))


@needs_book
def test_what_lies_between_two_numbers_is_rounded_as_lib_rounds_it(browser):
    tried = [(16, 0, 0, 0), (4, 16, 0, 0), (1, 5, 20, 0), (4, 5, 15, 0), (0, 0, 0, 0)]
    with opened(browser, address(PATH)) as page:
        shown = with_ranks(page, tried)
    for found, ranks in zip(shown, tried, strict=True):
        assert_same(found, move_documents(ranks))
    assert shown[0][2][1] == "0.062"  # 1/16 = 0.0625


@needs_book
def test_two_documents_change_places(browser):
    with opened(browser, address(PATH)) as page:
        before = read(page, "touch-ranks")
        page.locator("#touch-ranks-A").fill("4")  # rank 5, where B stands
        assert page.locator("#touch-ranks-B").input_value() == "1"
        after = read(page, "touch-ranks")
        assert after[0] == before[0] and after[2] == before[2]
        assert_same(after, move_documents((5, 2, 9, MISSED)))


def topics_to_try():
    """Return random sets of topics to drop, with none, and all but one, and all."""
    topics = [str(topic) for topic in range(401, 401 + TOPICS)]
    rng = random.Random(15)
    few = [(), topics, *([t for t in topics if t != kept] for kept in topics)]
    drawn = (rng.sample(topics, rng.randint(1, TOPICS - 2)) for _ in itertools.count())
    return [*few, *itertools.islice(drawn, STATES - len(few))]


@needs_book
@file_and_server
def test_the_page_orders_runs_on_200_sets_of_topics_as_lib_does(browser, start):
    collection, tied, tried = load("trec8"), 0, topics_to_try()
    topics = [str(topic) for topic in range(401, 401 + TOPICS)]
    with opened(browser, f"{start}/chapters/{PATH.name}") as page:
        states = [[topic not in dropped for topic in topics] for dropped in tried]
        shown = page.evaluate(PLAY, ["touch-drop", states])
    for found, dropped in zip(shown, tried, strict=True):
        touch = drop_topics(collection, dropped)
        assert_same(found, touch)
        tied += touch.numbers.loc["tied by the topics kept", "number"] != "0"
    assert tied > 50  # ties were among them


@needs_book
@pytest.mark.parametrize("id", ["touch-ranks", "touch-drop"])
def test_a_touch_goes_back_and_works_by_keyboard(browser, id):
    with opened(browser, address(PATH)) as page:
        before = read(page, id)
        page.locator(f"#{id}-title").click()
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight" if id == "touch-ranks" else "Space")
        assert read(page, id) != before
        page.locator(f"#{id} button").press("Enter")
        assert read(page, id) == before


@needs_book
@pytest.mark.parametrize("id", ["touch-ranks", "touch-drop"])
def test_without_javascript_the_first_state_stands_there(browser, id):
    with opened(browser, address(PATH), java_script_enabled=False) as page:
        figure = page.locator(f"#{id}")
        expect(figure.locator("svg")).to_be_visible()
        expect(figure.locator("table")).to_be_visible()
        expect(figure.locator("noscript p")).to_be_visible()
        assert figure.locator("input:enabled").count() == 0
