"""Sphinx extension: intervals in a table are drawn, each column of them on one scale.

An interval stands in brackets, or in columns "low" and "high" after that of its number.  It is
drawn beneath its number; or, where an empty column stands before that of the numbers, in there: as
high as its row, so that one line at 0 runs down, with the sign of the measure that the row begins
with, and an axis in the head.  All such tables of a page have one scale.
Where the head of a column says within what two are as good, that band is tinted.  A drawing is a
background (static/book.css), so it costs no element and its place is in per cent.
The ledger, whose rows are of many kinds, has none.
"""

import math
import re

from docutils import nodes
from matplotlib.colors import to_hex
from matplotlib.markers import MarkerStyle

from lib.display.figures import measure_style
from lib.display.svg import in_page_colours
from lib.intervals import minus_signs

NUMBER = r"([+\u2212-]?[\d,]*\.?\d+)%?"
FORM = re.compile(rf"{NUMBER} \[{NUMBER}, {NUMBER}\]")
TAG = re.compile("<[^>]*>")
BAND = re.compile(r"within (\.\d+)")
ENDS = ["low", "high"]  # columns
LEAST = 3  # intervals of a column that are worth a drawing
LEDGER = "book/ledger"
STEPS = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}  # of a path, by matplotlib's codes


def numbers_of(text):
    """Return an interval's numbers and whether they have signs, or None of another text."""
    match = FORM.fullmatch(" ".join(TAG.sub("", text).split()))
    if match is None:
        return None
    numbers = [float(one.replace("\u2212", "-").replace(",", "")) for one in match.groups()]
    return numbers, match[0][0] in "+\u2212"


class Scale:
    """From where to where intervals run; to 0, too, where they have signs and it is not far."""

    def __init__(self, known):
        every = [number for numbers, _ in known for number in numbers]
        low, high = min(every), max(every)
        self.signed = any(sign for _, sign in known) and low - high < high and low < high - low
        zero = [0.0] * self.signed
        self.low, self.high = min([low, *zero]), max([high, *zero])

    def place(self, number):
        """Return where a number stands."""
        return f"{3 + 94 * (number - self.low) / (self.high - self.low or 1):.1f}%"

    def look(self, numbers, band):
        """Return class and style of an interval; `band` matches how far two are as good."""
        at = dict(zip(("at", "from", "to"), numbers)) | ({"zero": 0} if self.signed else {})
        if band:
            at |= {"left": -float(band[1]), "right": float(band[1])}
        holds = self.signed and numbers[1] <= 0 <= numbers[2]
        style = ";".join(f"--{name}:{self.place(number)}" for name, number in at.items())
        return "open" if holds else "clear", style

    def axis(self):
        """Return the ticks of an axis as HTML."""
        step = 10 ** math.floor(math.log10(self.high - self.low))
        ticks = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        texts = [
            re.sub(r"0(?=\.)|^[+]0$", "", minus_signs(f"{i * step:+.1g}")) or "0" for i in ticks
        ]
        marks = (
            f'<span style="left:{self.place(i * step)}">{t}</span>' for i, t in zip(ticks, texts)
        )
        return "".join(marks)


def sign_of(measure):
    """Return a measure's colour as a style, and its sign as HTML: those that figures have."""
    look = measure_style(measure)
    marker = MarkerStyle(look["marker"])
    path = marker.get_path().transformed(marker.get_transform().scale(11, -11))
    steps = (
        STEPS[code] + ("" if code == path.CLOSEPOLY else " ".join(f"{x:.1f}" for x in at))
        for at, code in path.iter_segments()
    )
    svg = f'<svg viewBox="-9 -9 18 18" aria-hidden="true"><path d="{"".join(steps)}"/></svg>'
    return in_page_colours(f"--tone:{to_hex(look['color'])}"), svg


def lined_up(texts):
    """Return the columns of a table that stand after an empty one."""
    return [i for i in range(1, len(texts[0])) if not any(row[i - 1] for row in texts)]


def drawn(texts, beside=()):
    """Return what is drawn in the cells of a table, by row (0 is the head) and column.

    Each is a class, a style and HTML.  `beside` has the texts of all columns of the page that stand
    after an empty one.
    """
    head, *rows = texts
    for middle, ends in enumerate(zip(head[1:], head[2:])):
        if list(ends) == ENDS:
            for row in rows:
                row[middle] += f" [{row[middle + 1]}, {row[middle + 2]}]"
    found, apart = {}, lined_up(texts) if beside else []
    for column in range(max(map(len, rows), default=0)):
        own = [numbers_of(row[column]) if column < len(row) else None for row in rows]
        known = [*filter(None, map(numbers_of, beside) if column in apart else own)]
        if not any(own) or len(known) < LEAST:
            continue
        scale, band = Scale(known), BAND.search(head[column] if column < len(head) else "")
        for i, one in enumerate(own, 1):
            if one:
                kind, style = scale.look(one[0], band)
                found[i, column] = f"interval {kind}", style, ""
            if one and column in apart:
                tone, sign = sign_of(rows[i - 1][0])
                found[i, column - 1] = f"interval {kind} lined", f"{style};{tone}", sign
                del found[i, column]
        if column in apart:
            found[0, column - 1] = "axis", "", scale.axis()
    alone = " alone" * (not apart and len({column for _, column in found}) == 1)
    return {at: (kind + alone, *more) for at, (kind, *more) in found.items()}


def in_page(page):
    """Draw the intervals of the tables of a piece of a page, a tree of Beautiful Soup.

    Of the numbers behind a figure only what stands in brackets: the rest it shows itself.
    """
    for table in page.select("table"):
        rows = [row.select("th, td") for row in table.select("tbody tr")]
        head = [] if table.find_parent("figure") else table.select("thead tr:last-child > *")
        texts = [[cell.get_text() for cell in row] for row in [head, *rows]]
        for (i, column), (kind, style, _) in drawn(texts).items():
            cell = rows[i - 1][column]
            box = page.new_tag("div", attrs={"class": kind, "style": style})
            box.extend(list(cell.contents))
            cell.append(box)


def draw(app, doctree, docname):
    """Draw the intervals of tables that are written in Markdown."""
    if docname == LEDGER or app.builder.format != "html":
        return
    tables = []
    for body in doctree.findall(nodes.tbody):
        head = next(body.parent.findall(nodes.thead), [[]])[-1]
        cells = [[*head], *([*row] for row in body)]
        tables.append((cells, [[cell.astext() for cell in row] for row in cells]))
    beside = [row[i] for _, texts in tables for i in lined_up(texts) for row in texts[1:]]
    for cells, texts in tables:
        for (i, column), (kind, style, inner) in drawn(texts, beside).items():
            cell = cells[i][column]
            cell.insert(0, nodes.raw("", f'<div class="{kind}" style="{style}">', format="html"))
            cell.append(nodes.raw("", f"{inner}</div>", format="html"))


def setup(app):
    app.connect("doctree-resolved", draw)
