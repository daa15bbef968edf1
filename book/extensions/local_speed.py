"""Sphinx extension: ``{speed}`` draws what ``make bench`` measured (book/speed.py)."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from book.speed import MEASURED, figure


class Speed(SphinxDirective):
    """The figure."""

    def run(self):
        """Return it as a notebook would show it."""
        self.env.note_dependency(str(MEASURED))
        return [nodes.raw("", figure()._repr_html_(), format="html")]


def setup(app):
    app.add_directive("speed", Speed)
