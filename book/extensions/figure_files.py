"""A figure's picture as an SVG file, and what a table on a page says as CSV.

Both read the HTML that `lib.display` writes.
"""

import csv
import io
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote

PANEL = re.compile(
    r'<div data-at="([^"]*)"( hidden)?[^>]*>\n(.*?)(?=<div data-at="|</figure>\n<script>|\Z)', re.S
)
VIEW = re.compile(r'<svg viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*?( role="img" aria-label="([^"]*)")')
INK, GROUND = "#000000", "#ffffff"
FONT = "DejaVu Sans, Verdana, sans-serif"  # the first is what the layout was made with


class Tables(HTMLParser):
    """Reads the tables of a piece of HTML: of each the rows of its head and of its body."""

    def __init__(self):
        super().__init__()
        self.found = []  # (rows of the head, rows of the body), of texts
        self.cell = None  # pieces of the text of the cell that is read now, or none
        self.quiet = False  # signs that only repeat what stands beside them

    def handle_starttag(self, tag, attrs):
        """Begin a table, a row or a cell; a cell over several columns stands in each of them."""
        values = dict(attrs)
        self.quiet = self.quiet or values.get("aria-hidden") == "true"
        if tag == "table":
            self.found.append(([], []))
        elif tag in {"thead", "tbody"}:
            self.rows = self.found[-1][tag == "tbody"]
        elif tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.cell, self.columns = [], int(values.get("colspan", 1))

    def handle_endtag(self, tag):
        """End a cell, or a sign."""
        if tag in {"td", "th"}:
            text = plain(" ".join("".join(self.cell).split()))
            self.rows[-1] += [text] * self.columns
            self.cell = None
        elif tag == "span":
            self.quiet = False

    def handle_data(self, data):
        """Take the text of a cell."""
        if self.cell is not None and not self.quiet:
            self.cell.append(data)


def plain(text):
    """Return what a cell says as programs read it: no typeset minus, no separators, no dash."""
    text = re.sub("\u2212(?=[\\d.\u221e])", "-", text)
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    return "" if text == "\u2013" else re.sub("^([+-]?)\u221e$", r"\1inf", text)


def tables(fragment):
    """Return (names of the columns, rows) of each table of a fragment.

    A name with several levels has a slash between them.
    """
    reader = Tables()
    reader.feed(fragment)
    return [
        ([" / ".join(filter(None, levels)) for levels in zip(*head)], body)
        for head, body in reader.found
    ]


def table_csv(fragment):
    """Return the first table of a fragment as CSV, or none where there is no table."""
    found = tables(fragment)
    return written([found[0][0], *found[0][1]]) if found else None


def settings_csv(fragment):
    """Return the numbers of an explorer at all its settings as CSV, or none if it shows none.

    Each control has its column; so has whatever the table of any panel has.
    """
    rows = []
    for settings, _, panel in PANEL.findall(fragment):
        for names, body in tables(panel)[:1]:
            for setting in unescape(settings).split(" "):
                pairs = (pair.split("=", 1) for pair in setting.split("&"))
                set_to = {name: unquote(value) for name, value in pairs}
                rows += [set_to | dict(zip(names, row)) for row in body]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return written([names, *([row.get(n, "") for n in names] for row in rows)]) if rows else None


def first_panel(fragment):
    """Return the panel that an explorer shows before anybody touches it."""
    return next(panel for _, hidden, panel in PANEL.findall(fragment) if not hidden)


def written(rows):
    """Return rows as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def picture(fragment, title):
    """Return the first drawing of a fragment as an SVG file: in black on white, wherever shown."""
    start, end = fragment.index("<svg"), fragment.index("</svg>")
    head, _, body = fragment[start:end].partition(">")
    width, height, described, alt = VIEW.match(head).groups()
    size = f' width="{width}pt" height="{height}pt" font-family="{FONT}" color="{INK}"'
    head = re.sub(' style="[^"]*"', f' style="background:{GROUND}"', head).replace(described, "")
    spaces = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    text = f"{head}{size}{spaces}>\n<title>{title}</title>\n<desc>{alt}</desc>{body}</svg>\n"
    text = text.replace("currentColor", INK).replace(' href="#', ' xlink:href="#')
    return text.replace("var(--pst-color-background, Canvas)", GROUND)
