"""The rules that a page works out, as they stand before anything is touched."""

import re

import pandas as pd
from bs4 import BeautifulSoup

from lib import load
from lib.collection import Collection
from lib.display.controls import Check, Choice
from lib.display.js_widget import JsWidget
from lib.teaching.foundations.widgets import drop_topics, move_documents


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
