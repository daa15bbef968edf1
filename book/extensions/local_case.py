"""Sphinx extension: ``{case}``, a chapter's box of the running case; earlier lines are folded."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book.teaching import case


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


def setup(app):
    app.add_directive("case", Case)
