"""Sphinx extension: the front door, index.html, and what a server shows for a page that is not.

Jupyter Book would write a front door without a title.
"""

import html
from pathlib import Path

FRONT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<meta name="description" content="{abstract}">
<meta http-equiv="Refresh" content="0; url={landing}">
<link rel="icon" href="_static/favicon.svg">
<p>The book begins at <a href="{landing}">{title}</a>.</p>
</html>
"""


def write_front(app, exception):
    """Write index.html."""
    if exception or app.builder.format != "html":
        return
    project = app.config.html_context["project"]
    said = {key: html.escape(project[key].strip()) for key in ("title", "abstract")}
    landing = app.builder.get_target_uri(app.config.root_doc)
    Path(app.outdir, "index.html").write_text(FRONT.format(landing=landing, **said), "utf-8")


def not_found(app):
    """Yield the page 404.html, which servers such as GitHub's show in place of a missing one."""
    yield "404", {"title": "There is no such page"}, "404.html"


def setup(app):
    """Register the two steps."""
    app.connect("build-finished", write_front)
    app.connect("html-collect-pages", not_found)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
