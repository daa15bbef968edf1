"""Sphinx extension: formulas are MathML, made when the book is built, which browsers draw alone."""

from docutils import nodes
from latex2mathml.converter import convert

LONG = 40  # characters of TeX


def inline(self, node):
    """Write a formula within a line; a small screen scrolls what is long, by keys too."""
    text = node.astext()
    made = convert(text)
    self.body.append(f'<span class="long" tabindex="0">{made}</span>' if len(text) > LONG else made)
    raise nodes.SkipNode


def block(self, node):
    """Write a formula on a line of its own."""
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app):
    """Register the renderer; _config.yml chooses it."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
