"""Sphinx extension: pages do not load, and the book does not carry, what no reader sees.

Only the ledger loads its script and its style.
Of the theme that is FontAwesome, of which a page shows a dozen icons (they stand in icons.css), and
Sphinx's search, in whose place the book has its own (see local_search).
"""

import re
import shutil
from pathlib import Path

THEME = "_static/styles/pydata-sphinx-theme.css"
ICONS = re.compile(r"/\*!\s*\* Font Awesome.*?(?=html\{--pst-header-height)", re.S)
UNUSED = [
    "_static/language_data.js",
    "_static/scripts/*.map",
    "_static/scripts/fontawesome*",
    "_static/searchtools.js",
    "_static/vendor",
    "searchindex.js",
]
ONLY = {"book/ledger": ("ledger.css", "ledger.js")}


def add_own(app, pagename, templatename, context, doctree):
    """Let a page load what it alone needs."""
    if pagename in ONLY:
        style, script = ONLY[pagename]
        app.add_css_file(style)
        app.add_js_file(script, loading_method="defer")


def lighten(app, exception):
    """Take the icons out of the theme's style sheet, and away what no page asks for."""
    if exception or app.builder.format != "html":
        return
    theme = Path(app.outdir, THEME)
    text, found = ICONS.subn("", theme.read_text(encoding="utf-8"))
    if not found:
        raise ValueError(f"{THEME} has no icons where they were: the theme has changed")
    theme.write_text(text, encoding="utf-8")
    for path in [path for pattern in UNUSED for path in Path(app.outdir).glob(pattern)]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def setup(app):
    """Register the two steps."""
    app.connect("html-page-context", add_own)
    app.connect("build-finished", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
