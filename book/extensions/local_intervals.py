"""Sphinx extension: intervals in a table are drawn beneath their numbers, each column on one scale.

An interval stands in brackets, or in columns "low" and "high" after that of its number.  Where the
head of a column says within what two are as good, that band is tinted.  A drawing is a background
(static/book.css), so it costs no element and its place is in per cent.
The ledger, whose rows are of many kinds, has none.
"""

import re
from collections import defaultdict

from docutils import nodes

NUMBER = r"([+\u2212-]?[\d,]*\.?\d+)%?"
FORM = re.compile(rf"{NUMBER} \[{NUMBER}, {NUMBER}\]")
BAND = re.compile(r"within (\.\d+)")
ENDS = ["low", "high"]  # columns
LEAST = 3  # intervals of a column that are worth a drawing
LEDGER = "book/ledger"


def numbers_of(text):
    """Return an interval's numbers and whether they have signs, or None of another text."""
    match = FORM.fullmatch(" ".join(text.split()))
    if match is None:
        return None
    numbers = [float(one.replace("\u2212", "-").replace(",", "")) for one in match.groups()]
    return numbers, match[0][0] in "+\u2212"


def intervals(texts, head="", others=()):
    """Return the style of each cell of a column that has an interval, by its place.

    `others` are the texts that stand beneath the same head elsewhere: all have one scale.
    """
    known = [one for one in map(numbers_of, [*texts, *others]) if one]
    if len(known) < LEAST:
        return {}
    values = {i: one[0] for i, one in enumerate(map(numbers_of, texts)) if one}
    every = [number for numbers, _ in known for number in numbers]
    low, high = min(every), max(every)
    signed = any(sign for _, sign in known)
    signed &= low - high < high and low < high - low  # else 0 is far from all
    low, high = min([low, *[0.0] * signed]), max([high, *[0.0] * signed])

    def place(number):
        return f"{3 + 94 * (number - low) / (high - low or 1):.1f}%"

    zero = f";--zero:{place(0)}" if signed else ""
    if band := BAND.search(head):
        left, right = (place(sign * float(band[1])) for sign in (-1, 1))
        zero += f";--left:{left};--right:{right}"
    return {
        i: (
            "open" if signed and numbers[1] <= 0 <= numbers[2] else "clear",
            ";".join(f"--{k}:{place(x)}" for k, x in zip(("at", "from", "to"), numbers)) + zero,
        )
        for i, numbers in values.items()
    }


def drawn(heads, rows, beneath=None):
    """Return a class and a style of each cell with an interval, by row and column of a table.

    `beneath` has by head what stands beneath it on the page, where tables share their scale.
    """
    for middle, ends in enumerate(zip(heads[1:], heads[2:])):
        if list(ends) == ENDS:
            for row in rows:
                row[middle] += f" [{row[middle + 1]}, {row[middle + 2]}]"
    found = {}
    for column in range(max(map(len, rows), default=0)):
        head = heads[column] if column < len(heads) else ""
        texts = [row[column] if column < len(row) else "" for row in rows]
        cells = intervals(texts, head, (beneath or {}).get(head, ()))
        found |= {(i, column): style for i, style in cells.items()}
    alone = " alone" * (len({column for _, column in found}) == 1)
    return {at: (f"interval {kind}{alone}", style) for at, (kind, style) in found.items()}


def in_page(page):
    """Draw the intervals of the tables of a piece of a page, a tree of Beautiful Soup.

    Of the numbers behind a figure only what stands in brackets: the rest it shows itself.
    """
    for table in page.select("table"):
        rows = [row.select("th, td") for row in table.select("tbody tr")]
        head = [] if table.find_parent("figure") else table.select("thead tr:last-child > *")
        texts = [[cell.get_text() for cell in row] for row in [head, *rows]]
        for (i, column), (kind, style) in drawn(texts[0], texts[1:]).items():
            cell = rows[i][column]
            box = page.new_tag("div", attrs={"class": kind, "style": style})
            box.extend(list(cell.contents))
            cell.append(box)


def draw(app, doctree, docname):
    """Draw the intervals of tables that are written in Markdown, those with a band on one scale."""
    if docname == LEDGER or app.builder.format != "html":
        return
    tables, beneath = [], defaultdict(list)
    for body in doctree.findall(nodes.tbody):
        rows = [row.children for row in body.children]
        head = next(body.parent.findall(nodes.thead), None)
        texts = [[cell.astext() for cell in row] for row in [head[-1] if head else [], *rows]]
        tables.append((rows, texts))
        for column, name in enumerate(texts[0]):
            if BAND.search(name):
                beneath[name] += [row[column] for row in texts[1:]]
    for rows, texts in tables:
        for (i, column), (kind, style) in drawn(texts[0], texts[1:], beneath).items():
            cell = rows[i][column]
            cell.insert(0, nodes.raw("", f'<div class="{kind}" style="{style}">', format="html"))
            cell.append(nodes.raw("", "</div>", format="html"))


def setup(app):
    app.connect("doctree-resolved", draw)
