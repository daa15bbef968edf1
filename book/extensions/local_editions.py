"""Sphinx extension: the download button of a chapter hands out its editions.

They are made from the chapters as they are, and stand in the built book in folders of their own.
"""

from pathlib import Path

from lib.teaching import editions
from lib.teaching.myst import Book

# Folder of the edition: what its button says, and the longer text beneath the mouse.
BUTTONS = {
    "editions": ("Notebook", "Notebook with folded solutions, for JupyterLab, VS Code and Colab"),
    "student": ("For students", "The same notebook without solutions"),
}


def hand_out(app, pagename, templatename, context, doctree):
    """Put the editions of a chapter in the place of its source."""
    folder, _, name = pagename.rpartition("/")
    if folder != "chapters":
        return
    links = [
        {
            "type": "link",
            "url": context["pathto"](f"{kind}/{name}.ipynb", 1),
            "text": text,
            "tooltip": tooltip,
            "icon": "fas fa-file",
            "label": f"download-{kind}-button",
        }
        for kind, (text, tooltip) in BUTTONS.items()
    ]
    for group in context["header_buttons"]:
        if group.get("label") == "download-buttons":
            rest = [b for b in group["buttons"] if b["label"] != "download-source-button"]
            group["buttons"] = [*links, *rest]


def write(app, error):
    """Write the editions into the built book."""
    if error is None and app.builder.format == "html":
        editions.write(Path(app.outdir), Book(Path(app.srcdir)))


def setup(app):
    """Register the steps."""
    app.connect("html-page-context", hand_out, priority=502)  # the theme's buttons are at 501
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
