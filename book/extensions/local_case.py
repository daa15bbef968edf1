"""Sphinx extension: what chapters say together, taken from where each says it.

``{case}`` is a chapter's box of the running case; earlier lines are folded.  ``{take-aways}`` are
those of all chapters.
"""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book.teaching import case
from book.teaching.myst import Book
from book.teaching.take_aways import take_aways


class Case(SphinxDirective):
    """The box of the chapter in which it stands."""

    def run(self):
        """Return the head, the lines of earlier chapters in a fold, and the chapter's own."""
        self.env.note_dependency("book/case.yml")
        box = case.box(self.env.docname.rpartition("/")[2])
        shown = nodes.container(classes=["case"])
        shown += self.parsed(box.head)
        if box.before:
            fold = f"<details><summary>{case.EARLIER}</summary>"
            before = nodes.raw("", fold, format="html")
            after = nodes.raw("", "</details>", format="html")
            shown += [before, *(part for line in box.before for part in self.parsed(line)), after]
        shown += self.parsed(box.own)
        return [shown]

    def parsed(self, text):
        """Return Markdown as nodes."""
        part = nodes.container()
        self.state.nested_parse(StringList([text], "case"), self.content_offset, part)
        return part.children


class TakeAways(SphinxDirective):
    """Of each chapter a link to it, and its list."""

    def run(self):
        """Return them as one block, which repeats what chapters say."""
        book = Book()
        for chapter in book.chapters:
            self.env.note_dependency(str(chapter))
        text = "\n\n".join(f"**{link}**\n\n{listed}" for link, listed in take_aways(book))
        shown = nodes.container(classes=["take-aways"])
        lines = StringList(text.splitlines(), "take-aways")
        self.state.nested_parse(lines, self.content_offset, shown)
        return [shown]


def setup(app):
    app.add_directive("case", Case)
    app.add_directive("take-aways", TakeAways)
