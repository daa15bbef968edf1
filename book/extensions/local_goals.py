"""Sphinx extension: after a chapter's opening and guess its goals, and what comes before, folded.

The goals are those of its lesson's exercises and questions; ``before`` in a lesson names chapters.
"""

from html import escape

from docutils import nodes
from markdown_it import MarkdownIt

from book.teaching.myst import Book
from chapters.exercises.checks import LESSONS, lesson
from chapters.exercises.drawn_items import texts

MARKDOWN = MarkdownIt("commonmark", {"typographer": True}).enable("smartquotes")


def of_label(label):
    """Return the lesson that an exercise belongs to."""
    names = (file.stem for file in LESSONS.glob("*.yml"))
    return next(one for one in map(lesson, names) if label in one["exercises"])


def goals(taught):
    """Return the numbers of the goals of a lesson."""
    asked = [*taught["exercises"].values(), *taught["questions"]]
    return sorted({one["goal"] for one in asked if "goal" in one})


def add_goals(app, doctree):
    """Put the fold before the second section of a page that has exercises: no picture gives way."""
    exercises = (one for one in doctree.findall(nodes.Admonition) if one.get("type") == "exercise")
    if not (first := next(exercises, None)):
        return
    taught = of_label(first["label"])
    aims = [MARKDOWN.renderInline(texts()[goal]["goal"]) for goal in goals(taught)]
    pages = {place.file: place.page for place in Book().labels.values()}
    names = taught["before"].split()
    links = [f'<a href="{name}.html">{escape(pages[name])}</a>' for name in names]
    fold = (
        '<details class="goals"><summary>Goals, and what comes before</summary>'
        f"<p>You learn to</p><ul><li>{'</li><li>'.join(aims)}</li></ul>"
        f"<p>Before: {', '.join(links) or 'nothing'}.</p></details>"
    )
    chapter = next(doctree.findall(nodes.section))
    _, second, *_ = (one for one in chapter.children if isinstance(one, nodes.section))
    chapter.insert(chapter.index(second), nodes.raw("", fold, format="html"))


def setup(app):
    app.connect("doctree-read", add_goals)
