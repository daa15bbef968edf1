"""The rules that a page works out, as they stand before anything is touched."""

from chapters.foundations.drawings import drop_topics
from lib import load
from lib.collection import Collection


def test_no_topic_gives_no_tau():
    topics = [str(topic) for topic in range(401, 413)]
    touch = drop_topics(load("trec8"), topics)
    assert touch.numbers.loc["tau-b", "number"] == "–"
    assert "No topic is kept." in touch.picture
    assert touch.picture.count('class="none"') == touch.picture.count("<line")


def test_the_title_counts_the_runs_that_kept_their_place():
    touch = drop_topics(load("trec8"), [str(topic) for topic in range(404, 413)])
    assert touch.picture.count('class="moved"') == 8
    assert touch.title == "With 3 of 12 topics, 0 of 8 runs kept their place."


def test_a_collection_of_a_few_runs_without_groups_will_do():
    ranked = {"A": "a b".split(), "B": "x a".split()}
    lists = {run: dict.fromkeys(["1", "2"], found) for run, found in ranked.items()}
    few = Collection.from_rankings(lists, dict.fromkeys(["1", "2"], {"a": 1, "b": 1}))
    touch = drop_topics(few, ["1"])
    assert touch.message == "tau-b 1.000, with 1 of 2 topics."
