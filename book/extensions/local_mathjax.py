"""Sphinx extension: the book brings MathJax along, so that a page needs no network."""

from importlib.resources import as_file, files
from pathlib import Path
from shutil import copytree

from sphinx.domains.math import MathDomain

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


class OwnFormulas(MathDomain):
    """Formulas by page: Sphinx counts those of the pages below, and MathJax is 1,170 kB."""

    def has_equations(self, docname=None):
        """Return whether a page has a formula of its own."""
        return self.data["has_equations"].get(docname, False)


def setup(app):
    """Register the copy."""
    app.add_domain(OwnFormulas, override=True)
    app.connect("config-inited", use_copy)
    app.connect("builder-inited", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
