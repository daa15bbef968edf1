"""Sphinx extension: what chapters say together, and what their lessons say of them.

``{case}`` is a chapter's box of the running case; earlier lines are folded.  ``{take-aways}`` are
those of all chapters.  After a chapter's opening and guess its goals stand in a fold: the ``goals``
of its lesson, or those of sessions that its exercises and questions serve.
"""

from docutils import nodes
from local_figures import set_apostrophe
from markdown_it import MarkdownIt
from sphinx.util.docutils import SphinxDirective

from book.teaching import case
from book.teaching.myst import Book
from book.teaching.take_aways import take_aways
from chapters.exercises.checks import goals_of, lesson_of
from chapters.exercises.drawn_items import texts

MARKDOWN = MarkdownIt("commonmark")


class Case(SphinxDirective):
    """The box of the chapter in which it stands."""

    def run(self):
        """Return the head, the lines of earlier chapters in a fold, and the chapter's own."""
        box = case.box(self.env.docname.rpartition("/")[2])
        shown = nodes.container(classes=["case"])
        shown += self.parse_text_to_nodes(box.head)
        if box.before:
            fold = f"<details><summary>{case.EARLIER}</summary>"
            before = nodes.raw("", fold, format="html")
            after = nodes.raw("", "</details>", format="html")
            shown += [before, *self.parse_text_to_nodes("\n\n".join(box.before)), after]
        shown += self.parse_text_to_nodes(box.own)
        return [shown]


class TakeAways(SphinxDirective):
    """Of each chapter a link to it, and its list."""

    def run(self):
        """Return them as one block, which repeats what chapters say."""
        text = "\n\n".join(f"**{link}**\n\n{listed}" for link, listed in take_aways(Book()))
        return [nodes.container("", *self.parse_text_to_nodes(text), classes=["take-aways"])]


def add_goals(app, doctree):
    """Put the fold before the second section of a page that has exercises: no picture gives way."""
    exercises = (one for one in doctree.findall(nodes.Admonition) if one.get("type") == "exercise")
    if not (first := next(exercises, None)):
        return
    taught = lesson_of(first["label"])
    aims = taught.get("goals") or [texts()[goal]["goal"] for goal in goals_of(taught)]
    fold = (
        '<details class="goals"><summary>Goals</summary>'
        f"<p>You learn to</p><ul><li>{'</li><li>'.join(map(MARKDOWN.renderInline, aims))}</li>"
        "</ul></details>"
    )
    chapter = next(doctree.findall(nodes.section))
    _, second, *_ = (one for one in chapter.children if isinstance(one, nodes.section))
    chapter.insert(chapter.index(second), nodes.raw("", set_apostrophe(fold), format="html"))


def setup(app):
    app.add_directive("case", Case)
    app.add_directive("take-aways", TakeAways)
    app.connect("doctree-read", add_goals)
