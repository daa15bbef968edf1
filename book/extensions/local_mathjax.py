"""Sphinx extension: the book brings MathJax along, so that a page needs no network.

Sphinx asks a server for MathJax by default.
This copies it from an installed package into the pages' static files instead, and points the
pages to the copy. Only what a page can load is copied: the script, its fonts, and the TeX
extensions that it fetches on demand.
A page without a formula of its own does not load it; Sphinx would count those of the pages below.
"""

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

SCRIPT = "tex-chtml.js"
PARTS = ["input/tex/extensions", "output/chtml/fonts"]


def use_copy(app, config):
    """Make pages load the copy; Sphinx takes the path as relative to its static files."""
    config.mathjax_path = f"mathjax/{SCRIPT}"


def copy_mathjax(app):
    """Copy MathJax into the static files, when pages are built."""
    if app.builder.format != "html":
        return
    target = Path(app.outdir, "_static", "mathjax")
    with as_file(files("mathjax") / "static" / "mathjax" / "es5") as source:
        for part in PARTS:
            copytree(source / part, target / part, dirs_exist_ok=True)
        (target / SCRIPT).write_bytes((source / SCRIPT).read_bytes())


def drop_without_formulas(app, pagename, templatename, context, doctree):
    """Take MathJax from a page that has nothing to set."""
    if not app.env.domaindata["math"]["has_equations"].get(pagename):
        scripts = context["script_files"]
        scripts[:] = [script for script in scripts if not _is_mathjax(script)]


def _is_mathjax(script):
    """Return whether a script is MathJax, or its settings."""
    settings = script.attributes.get("body") or ""
    return SCRIPT in str(script.filename) or settings.startswith("window.MathJax")


def setup(app):
    """Register the three steps."""
    app.connect("config-inited", use_copy)
    app.connect("builder-inited", copy_mathjax)
    app.connect("html-page-context", drop_without_formulas, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
