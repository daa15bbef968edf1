"""Sphinx extension: each figure and each table of a chapter has a number, an address and files.

The number counts within the chapter, "Figure 4.3", so that nobody takes it for the paper's own, and
is a link to itself; under controls, that link stands beneath, out of the way to them. Beneath stand
links to the numbers as CSV and to the picture as SVG. All of it needs no script and no network.
What stands in a figure's fold, or in the panels of its controls, is a part of that figure.
"""

import re
from pathlib import Path

from docutils import nodes
from figure_files import first_panel, picture, settings_csv, table_csv

FOLDER = "_static/figures"
EXPLORER = '<figure class="measures explore"'
TOUCH = '<figure class="measures explore touch"'  # controls whose page computes
SHOWN = re.compile(
    r'<figure class="measures drawing">.*?</figure>\n'
    r'|<div class="measures scroll"(?:(?!</table>).)*<caption>.*?</table>\n</div>\n',
    re.S,
)


class Chapter:
    """Numbers the figures and tables of one chapter in their order, and keeps their files.

    Parameters
    ----------
    name : str
        Of the chapter's file, such as ``04-pooling-depth``; Foundations, which have no number in
        the contents either, are F.
    """

    def __init__(self, name):
        self.number = name.partition("-")[0].lstrip("0") or "F"
        self.count = {"Figure": 0, "Table": 0}
        self.files = {}  # name: text

    def numbered(self, text):
        """Return the HTML of an output with its numbers and links."""
        if EXPLORER in text or TOUCH in text:
            return self.explorer(text)
        return SHOWN.sub(lambda m: (self.figure if "<svg" in m[0] else self.table)(m[0]), text)

    def figure(self, text):
        """Return a figure with its number and links."""
        label, here = self.next("Figure")
        files = {"CSV": table_csv(text), "SVG": picture(text, label)}
        text = text.replace("<figure ", f'<figure id="{here}" ', 1)
        text = text.replace('aria-label="Figure"', f'aria-label="{label}"', 1)
        text = text.replace("<figcaption>", f"<figcaption>{link(label, here)} ", 1)
        return text.removesuffix("</figure>\n") + self.links(label, here, files) + "</figure>\n"

    def table(self, text):
        """Return a table with its number and links."""
        label, here = self.next("Table")
        text = text.replace("<div ", f'<div id="{here}" ', 1)
        marked = text.replace("<caption><span>", f"<caption><span>{link(label, here)} ", 1)
        return marked + self.links(label, here, {"CSV": table_csv(text)})

    def explorer(self, text):
        """Return controls with their figures, which are one figure and have an id of their own."""
        label, here = self.next("Figure")
        first = picture(text if TOUCH in text else first_panel(text), label)
        files = {"CSV of all settings": settings_csv(text), "SVG of the first setting": first}
        number = (
            f'<span class="number" id="{here}">{label}.</span>'  # the controls are the next stop
        )
        text, _, script = text.replace("<figcaption>", f"<figcaption>{number} ", 1).rpartition(
            "</figure>"
        )
        links = self.links(label, here, files, own=True)
        return f"{text}{links}</figure>{script}"

    def next(self, kind):
        """Return the next number of a kind, and the address that goes with it."""
        self.count[kind] += 1
        label = f"{kind} {self.number}.{self.count[kind]}"
        return label, re.sub("[ .]", "-", label.lower())

    def links(self, label, here, files, own=False):
        """Keep the files that there are; return a line of links to them, or to itself as well."""
        found = [f'<a href="#{here}">{label}</a>'] if own else []
        for words, content in files.items():
            if content is not None:
                name = f"{here}.{words[:3].lower()}"
                self.files[name] = content
                found.append(
                    f'<a href="../{FOLDER}/{name}" aria-label="{label}: {words}">{words}</a>'
                )
        return f'<p class="files">{" ".join(found)}</p>\n'


def link(label, here):
    """Return the number of a figure or table, a link to itself."""
    return f'<a class="number" href="#{here}">{label}.</a>'


def number(app, doctree, docname):
    """Number what a chapter shows, and write the files."""
    folder, _, name = docname.rpartition("/")
    if folder != "chapters" or app.builder.format != "html":
        return
    chapter = Chapter(name)
    for node in list(doctree.findall(nodes.raw)):
        if "html" in node["format"].split():
            node[:] = [nodes.Text(chapter.numbered(node.astext()))]
    target = Path(app.outdir, FOLDER)
    target.mkdir(parents=True, exist_ok=True)
    for file, text in chapter.files.items():
        (target / file).write_text(text, encoding="utf-8")


def name_marks(app, pagename, templatename, context, doctree):
    """Load the script that says what marks are, on a page that has marks with titles."""
    if "<title>" in context.get("body", ""):
        app.add_js_file("marks.js", loading_method="defer")


def setup(app):
    """Register the two steps."""
    app.connect("doctree-resolved", number)
    app.connect("html-page-context", name_marks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
