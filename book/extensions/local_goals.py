"""Sphinx extension: after a chapter's opening and guess its goals, folded.

They are the ``goals`` of its lesson, or those of sessions that its exercises and questions serve.
What comes before a chapter its page says itself.
"""

from docutils import nodes
from markdown_it import MarkdownIt

from chapters.exercises.checks import LESSONS, lesson
from chapters.exercises.drawn_items import texts

MARKDOWN = MarkdownIt("commonmark", {"typographer": True}).enable("smartquotes")


def of_label(label):
    """Return the lesson that an exercise belongs to."""
    names = (file.stem for file in LESSONS.glob("*.yml"))
    return next(one for one in map(lesson, names) if label in one["exercises"])


def goals(taught):
    """Return the goals of a lesson: its own, where it has some."""
    if "goals" in taught:
        return taught["goals"]
    asked = [*taught["exercises"].values(), *taught["questions"]]
    return [
        texts()[goal]["goal"] for goal in sorted({one["goal"] for one in asked if "goal" in one})
    ]


def add_goals(app, doctree):
    """Put the fold before the second section of a page that has exercises: no picture gives way."""
    exercises = (one for one in doctree.findall(nodes.Admonition) if one.get("type") == "exercise")
    if not (first := next(exercises, None)):
        return
    aims = [MARKDOWN.renderInline(goal) for goal in goals(of_label(first["label"]))]
    fold = (
        '<details class="goals"><summary>Goals</summary>'
        f"<p>You learn to</p><ul><li>{'</li><li>'.join(aims)}</li></ul></details>"
    )
    chapter = next(doctree.findall(nodes.section))
    _, second, *_ = (one for one in chapter.children if isinstance(one, nodes.section))
    chapter.insert(chapter.index(second), nodes.raw("", fold, format="html"))


def setup(app):
    app.connect("doctree-read", add_goals)
