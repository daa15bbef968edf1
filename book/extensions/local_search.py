"""Sphinx extension: what the search looks through, each section with its sentences.

It stands in a script, which static/search.js loads at the first letter: pages as files may read
scripts, and nothing else.
"""

import json
from pathlib import Path

from docutils import nodes

UNREAD = nodes.literal_block, nodes.math, nodes.math_block, nodes.comment


def words(paragraph):
    """Return the words of a paragraph; of markup of ours, the word that it explains."""
    parts = [
        part.parent.get("word", "") if isinstance(part.parent, nodes.raw) else part.astext()
        for part in paragraph.findall(nodes.Text)
        if not isinstance(part.parent, UNREAD)
    ]
    return " ".join("".join(parts).split())


def section_of(node):
    """Return the section that a node stands in; what has no head, as an exercise, is none."""
    while node and not (isinstance(node, nodes.section) and isinstance(node[0], nodes.title)):
        node = node.parent
    return node


def read(app, pagename, templatename, context, doctree):
    """Note the sections of a page: its address and title, their places, heads and texts."""
    if doctree is None or app.builder.format != "html":
        return
    texts = {}
    for part in doctree.findall(lambda node: isinstance(node, (nodes.title, nodes.paragraph))):
        if section := section_of(part):
            texts.setdefault(section, []).append(words(part))
    app.sections[pagename] = [
        (section["ids"][0], parts[0], "\n".join(filter(None, parts[1:])))
        for section, parts in texts.items()
    ]


def leave_out(app):
    """Let Sphinx make no index and no page of its own."""
    app.builder.search = False


def write(app, exception):
    """Write the script."""
    if exception is None and app.builder.format == "html":
        text = f"window.sections = {json.dumps(app.sections, ensure_ascii=False)};\n"
        Path(app.outdir, "_static", "sections.js").write_text(text, encoding="utf-8")


def setup(app):
    app.sections = {}
    app.connect("builder-inited", leave_out)
    app.connect("html-page-context", read)
    app.connect("build-finished", write)
