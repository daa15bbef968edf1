"""Sphinx extension: under a chapter's title what it teaches and what comes before, in a fold.

The goals are those of its lesson's exercises and questions; ``before`` in a lesson names chapters.
"""

from html import escape

from docutils import nodes
from markdown_it import MarkdownIt

from chapters.exercises.checks import LESSONS, lesson
from chapters.exercises.drawn_items import texts

MARKDOWN = MarkdownIt("commonmark")


def of_label(label):
    """Return the lesson that an exercise belongs to."""
    names = (file.stem for file in LESSONS.glob("*.yml"))
    return next(one for one in map(lesson, names) if label in one["exercises"])


def goals(taught):
    """Return the numbers of the goals of a lesson."""
    asked = [*taught["exercises"].values(), *taught["questions"]]
    return sorted({one["goal"] for one in asked if "goal" in one})


def add_goals(app, doctree, docname):
    """Put the fold below the title of a page that has exercises."""
    exercises = (one for one in doctree.findall(nodes.Admonition) if one.get("type") == "exercise")
    if not (first := next(exercises, None)):
        return
    taught = of_label(first["label"])
    aims = "".join(
        f"<li>{MARKDOWN.renderInline(texts()[one]['goal'])}</li>" for one in goals(taught)
    )
    before = ", ".join(
        f'<a href="{name}.html">{escape(app.env.titles[f"chapters/{name}"].astext())}</a>'
        for name in taught["before"]
    )
    fold = (
        '<details class="goals"><summary>Goals, and what comes before</summary>'
        f"<p>You learn to</p><ul>{aims}</ul><p>Before: {before or 'nothing'}.</p></details>"
    )
    title = next(doctree.findall(nodes.title))
    title.parent.insert(title.parent.index(title) + 1, nodes.raw("", fold, format="html"))


def setup(app):
    app.connect("doctree-resolved", add_goals)
