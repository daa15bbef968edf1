"""Sphinx extension: formulas are MathML, made when the book is built, which browsers draw alone."""

import re

from docutils import nodes
from latex2mathml.converter import convert

LONG = 40  # characters of TeX


def inline(self, node):
    """Write a formula within a line; a small screen scrolls what is long, by keys too."""
    made = convert(node.astext())
    if len(node.astext()) > LONG:
        made = f'<span class="long" tabindex="0">{made}</span>'
    self.body.append(f'<span style="white-space:nowrap">{made}{node.get("after", "")}</span>')
    raise nodes.SkipNode


def block(self, node):
    """Write a formula on a line of its own."""
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def taken(node):
    """Take the signs after a node from its text, and return them: no line begins with one."""
    after = node.next_node(descend=False, siblings=True)
    signs = re.match("[,.;:!?)]*", after)[0] if isinstance(after, nodes.Text) else ""
    if signs:
        after.parent.replace(after, nodes.Text(after[len(signs) :]))
    return signs


def keep_points(app, doctree, docname):
    """Keep the signs after a formula with it."""
    for formula in doctree.findall(nodes.math):
        formula["after"] = taken(formula)


def setup(app):
    """Register the renderer; _config.yml chooses it."""
    app.connect("doctree-resolved", keep_points)
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
