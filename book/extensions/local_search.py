"""Sphinx extension: an index of the text of every section, for the search in the page.

Sphinx's own search finds pages, by stems of words, and fetches them again to show where: a page
that is opened as a file may not. This index has the text itself, so that one file is all the search
needs (static/search.js loads it with the first search).
"""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

INDEX = "_static/search-index.js"
SILENT = {"script", "title", "style", "noscript", "select", "button", "datalist"}
ASIDE = {"headerlink", "files"}  # classes of links that are no text
VOID = {"br", "hr", "img", "input", "link", "meta", "wbr", "col", "source"}
HEADINGS = {"h1", "h2", "h3", "h4"}
APART = {"p", "li", "dt", "dd", "pre", "figcaption", "caption", "summary", "text", "label", "tr"}


class Sections(HTMLParser):
    """Reads the sections of a page: for each its address, its heading and its own text."""

    def __init__(self):
        super().__init__()
        self.found = []  # [id, heading, pieces of text]
        self.open = []  # of the elements around: (name, whether it is silent, section or None)

    def handle_starttag(self, tag, attrs):
        """Open an element; begin a section; say what a drawing says."""
        values = dict(attrs)
        if tag in VOID:
            return
        section = None
        if tag == "section" and values.get("id"):
            section = [values["id"], [], []]
            self.found.append(section)
        classes = (values.get("class") or "").split()
        formula = tag == "div" and "math" in classes  # in TeX, which nobody searches for
        silent = tag in SILENT or "hidden" in values or bool(ASIDE & {*classes}) or formula
        self.open.append((tag, silent or self.is_silent(), section))
        if tag == "svg" and not self.is_silent():
            self.say(values.get("aria-label", "") + "; ")

    def handle_endtag(self, tag):
        """Close an element, and whatever in it was not closed."""
        while any(name == tag for name, *_ in self.open):
            name, silent, _ = self.open[-1]
            if not silent and name in {"td", "th"}:
                self.say(" · ")
            if not silent and name in APART:
                self.say("; " if name in {"tr", "text", "summary"} else " ")
            self.open.pop()
            if name == tag:
                return

    def handle_data(self, data):
        """Take text; of a drawing only words, not the numbers at its axes."""
        inside = {name for name, *_ in self.open}
        if self.is_silent() or ("svg" in inside and not re.search("[A-Za-z]{2}", data)):
            return
        self.say(re.sub(r"\\[()]", "", data), heading=bool(inside & HEADINGS))

    def is_silent(self):
        """Return whether the reader sees nothing of what is read now."""
        return bool(self.open) and self.open[-1][1]

    def say(self, text, heading=False):
        """Add text to the section that is read now."""
        section = next((section for *_, section in reversed(self.open) if section), None)
        if section:
            section[1 if heading else 2].append(text)


def sections(body):
    """Return [id, heading, text] of each section of a page that has text or a heading."""
    reader = Sections()
    reader.feed(body)
    found = []
    for name, heading, pieces in reader.found:
        text = " ".join("".join(pieces).split())
        text = re.sub(r"(?: ?[·;])* ?; ?", "; ", re.sub(r"(?: ·)+", " ·", text)).strip(" ·;")
        found.append([name, " ".join("".join(heading).split()), text])
    return found


def collect(app, pagename, templatename, context, doctree):
    """Read the sections of a page as it is written."""
    if doctree is not None:
        title = re.sub("<[^>]+>", "", context["title"])
        app.search_pages[pagename] = [title, sections(context["body"])]


def write_index(app, exception):
    """Write the index as a script: a page that is opened as a file can load no data."""
    if exception or app.builder.format != "html":
        return
    pages = [[f"{name}.html", *app.search_pages[name]] for name in sorted(app.search_pages)]
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, INDEX).write_text(f"measuresSearch({text});\n", encoding="utf-8")


def setup(app):
    """Register the steps."""
    app.search_pages = {}
    app.connect("html-page-context", collect, priority=900)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
