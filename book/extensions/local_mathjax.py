"""Sphinx extension: the book brings MathJax along, so that a page needs no network.

A page without a formula of its own does not load it, which saves it 1,170 kB: Sphinx would count
the formulas of the pages below it.
"""

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

SCRIPT = "tex-chtml.js"
PARTS = ["input/tex/extensions", "output/chtml/fonts"]  # what the script may load


def use_copy(app, config):
    """Make pages load the copy; Sphinx takes the path as relative to its static files."""
    config.mathjax_path = f"mathjax/{SCRIPT}"


def copy_mathjax(app):
    """Copy MathJax from an installed package into the static files."""
    target = Path(app.outdir, "_static", "mathjax")
    with as_file(files("mathjax") / "static" / "mathjax" / "es5") as source:
        for part in PARTS:
            copytree(source / part, target / part, dirs_exist_ok=True)
        (target / SCRIPT).write_bytes((source / SCRIPT).read_bytes())


def drop_without_formulas(app, pagename, templatename, context, doctree):
    """Take MathJax and its settings from a page that has nothing to set."""
    if not app.env.domaindata["math"]["has_equations"].get(pagename):
        scripts = context["script_files"]
        scripts[:] = [
            script
            for script in scripts
            if SCRIPT not in str(script.filename)
            and not (script.attributes.get("body") or "").startswith("window.MathJax")
        ]


def setup(app):
    """Register the three steps."""
    app.connect("config-inited", use_copy)
    app.connect("builder-inited", copy_mathjax)
    app.connect("html-page-context", drop_without_formulas, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
