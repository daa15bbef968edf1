"""Sphinx extension: each figure and each table of a chapter has a number, an address and files.

The number counts within the chapter, "Figure 4.3", or within its audit, "Figure A4.3", so that
nobody takes it for the paper's own, and is a link to itself; under controls, that link stands
beneath, out of the way to them. Beneath other figures stand links to the numbers as CSV and to the
picture as SVG: no script, no network.  ``{speed}`` draws what ``make bench`` measured.
What stands in a figure's fold, or in the panels of its controls, is a part of that figure.
"""

import copy
import re
from collections import Counter
from html import escape
from pathlib import Path

import pandas as pd
from bs4 import BeautifulSoup
from docutils import nodes
from local_intervals import in_page
from sphinx.util.docutils import SphinxDirective

from book import speed
from book.teaching.myst import AUDIT

FOLDER = "_static/figures"
SHOWN = "figure.measures, .measures.scroll:has(caption)"
INTERVAL = re.compile(r"(?<=[\d%]) (to )?(?=[\d+\u2212])|(?<=\d,) (?=[\d+\u2212])")
APOSTROPHE = re.compile(r"(?<=\w)'")  # as in the book's own text, where Sphinx sets it
AS_TYPED = {"code", "pre", "script", "style", "option", "svg"}
PHONE = 296  # points of a drawing beside each other on a phone: words of 11 px on 344
FONT = "DejaVu Sans, Verdana, sans-serif"  # the first is what the layout was made with


def parsed(text):
    """Return a piece of HTML as a tree."""
    return BeautifulSoup(text, "html.parser")


def give_number(shown, label, folder, edition):
    """Give a figure, a table or controls with their figures a number and links; write the files."""
    here = re.sub("[ .]", "-", label.lower())
    to_itself = f'<a class="number" href="#{here}">{label}.</a> '
    links = []
    if "explore" in shown["class"]:  # has an id of its own, and the controls are the next stop
        to_itself = f'<span class="number" id="{here}">{label}.</span> '
        links.append(f'<a href="#{here}">{label}</a>')
        written = {}
    else:
        shown["id"], written = here, files(shown, label)
    for words, content in written.items():
        name = f"{here}.{words.lower()}"
        (folder / name).write_text(content, encoding="utf-8")
        address = f"../{FOLDER}/{name}"
        saved = f"{edition}-{name}"  # what is on somebody's disk says where it is from
        links.append(
            f'<a href="{address}" download="{saved}" aria-label="{label}: {words}">{words}</a>'
        )
    line = parsed(f'<p class="files">{" ".join(links)}</p>\n')
    (shown.append if shown.name == "figure" else shown.insert_after)(line)
    for text in [text for cell in shown.select("td") for text in cell(string=INTERVAL)]:
        # No line ends within an interval.
        text.replace_with(INTERVAL.sub(lambda gap: gap[0].replace(" ", "\N{NO-BREAK SPACE}"), text))
    for canvas in shown.select(':scope > .canvas[aria-label="Figure"]'):
        canvas["aria-label"] = label
    shown.select_one("figcaption > strong, caption > strong").insert(0, parsed(to_itself))


def files(shown, label):
    """Return the files of a figure or table: the kind of each, and what is in it."""
    found = {}
    if shown.table:
        found["CSV"] = cells(shown.table).to_csv(index=False, lineterminator="\n")
    if shown.svg:
        found["SVG"] = picture(shown.svg, label)
    return found


def cells(table):
    """Return the cells of a table as programs read them; slashes between levels of columns."""
    table = copy.copy(table)
    for sign in table.select("[aria-hidden=true]"):  # repeats what stands beside it
        sign.decompose()
    rows = [
        [
            plain(" ".join(cell.get_text().split()))
            for cell in row.select("td, th")
            for _ in range(int(cell.get("colspan", 1)))
        ]
        for row in table.select("tr")
    ]
    head = len(table.select("thead tr"))
    columns = [" / ".join(filter(None, levels)) for levels in zip(*rows[:head])]
    return pd.DataFrame(rows[head:], columns=columns)


def plain(text):
    """Return what a cell says without a typeset minus, separators of thousands and a dash."""
    text = re.sub("\u2212(?=[\\d.\u221e])", "-", text)
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", text):
        text = text.replace(",", "")
    return "" if text == "\u2013" else re.sub("^([+-]?)\u221e$", r"\1inf", text)


def picture(svg, title):
    """Return a drawing as an SVG file: in black on white, wherever it is shown."""
    width, height = svg["viewbox"].split()[2:]
    alt, body = escape(svg["aria-label"], quote=False), svg.decode_contents()
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 {width} {height}" width="{width}pt" height="{height}pt" color="#000000"'
        ' fill="currentColor" stroke-linejoin="round" stroke-linecap="butt"'
        f' font-size="{svg.get("font-size", "")}" font-family="{FONT}" style="background:#ffffff">'
        f"\n<title>{title}</title>\n<desc>{alt}</desc>{body}</svg>\n"
    )
    text = re.sub(r"var\(--\w+,(#\w+)\)", r"\1", text)  # a page has others in the dark
    text = text.replace("currentColor", "#000000").replace(' href="#', ' xlink:href="#')
    text = text.replace("clippath", "clipPath")  # HTML knows no capitals
    return text.replace("var(--pst-color-background, Canvas)", "#ffffff")


def drawn(box, inner, kind=""):
    """Return the part of a drawing that stands in a box."""
    width = float(box.split()[2])
    size = f"min-width:{1.16 * width:.0f}px;width:{1.5 * width:.0f}px"  # as of a whole drawing
    return f'<svg class="{kind}" viewBox="{box}" style="{size}">{inner}</svg>'


def stand_in_columns(svg):
    """Put each column of a wide drawing into a drawing of its own, so that phones stack them.

    Columns that fit a phone side by side make a line; where they share the rows of the first, the
    labels of these stand again before each line, as an image of those before the first.
    """
    columns = {}
    for axes in svg.select("g.column"):
        columns.setdefault(axes["data-box"], []).append(axes)
    if not columns:
        return
    name, labels = re.search(r'id="(f\w{5})-', str(svg))[1], svg.select("g.labels")
    again = labels and labels[0]["data-box"]
    for number, one in enumerate(labels):
        one["id"] = f"{name}-rows{number}"
    uses = [f'<use x="0" href="#{one["id"]}"/>' for one in labels]

    lines, taken = [], PHONE
    for box, axes in columns.items():
        width = float(box.split()[2])
        if taken + width > PHONE:
            repeats = again and lines
            taken = float(again.split()[2]) if repeats else 0
            lines.append(drawn(again, "".join(uses[: len(axes)]), "again") if repeats else "")
        taken += width
        lines[-1] += drawn(box, "".join(map(str, axes)))
    lines[0] = lines[0].replace("</svg>", f"{svg.find_all('defs', recursive=False)[-1]}</svg>", 1)
    top, strips = float(next(iter(columns)).split()[1]), {True: "", False: ""}
    for strip in svg.select("g.key[data-box], g.strip"):
        above = float(strip["data-box"].split()[1]) < top
        strips[above] += drawn(strip["data-box"], str(strip))
    stacked = "".join(f'<div class="line">{line}</div>' for line in lines)
    alt = escape(svg["aria-label"])
    tracks = {left: f"{width}fr" for left, _, width, _ in map(str.split, columns)}
    across = f'<div style="grid-template-columns:{" ".join(tracks.values())}">{stacked}</div>'
    inner = f"{strips[True]}{across}{strips[False]}"
    svg.replace_with(parsed(f'<div class="columns" role="img" aria-label="{alt}">{inner}</div>'))


def set_apostrophe(text):
    """Return a text with the apostrophes of the text around it."""
    return APOSTROPHE.sub("\N{RIGHT SINGLE QUOTATION MARK}", text)


def set_apostrophes(page):
    """Write the apostrophes of what a cell shows as those of the text around it."""
    for text in page(string=APOSTROPHE):
        if not AS_TYPED.intersection(parent.name for parent in text.parents):
            text.replace_with(set_apostrophe(text))


def put_off(page):
    """Put what is not in sight at first into noscripts: half of some pages' elements.

    These are numbers behind a figure, and drawings of other settings. Without JavaScript all is
    there; with it, page.js brings each when it is asked for.
    """
    for part in page.select("details > :is(table, .measures.scroll), [data-at][hidden] svg"):
        if part.name == "svg":  # its frame keeps the place
            kept = {key: part[key] for key in ("class", "viewbox", "style") if part.has_attr(key)}
            part.insert_before(page.new_tag("svg", attrs=kept))
        part.wrap(page.new_tag("noscript", attrs={"class": "later"}))


def number(app, doctree, docname):
    """Number what a chapter shows, and write the files."""
    folder, _, name = docname.rpartition("/")
    if folder != "chapters" or app.builder.format != "html":
        return
    target = Path(app.outdir, FOLDER)
    target.mkdir(parents=True, exist_ok=True)
    project = app.config.html_context["project"]
    edition = f"{project['title'].lower().replace(' ', '-')}-{project['version']}"
    chapter = name.partition("-")[0].lstrip("0") or "F"  # Foundations have none
    chapter = f"A{chapter}" if name.endswith(AUDIT) else chapter
    count, styles = Counter(), set()
    for node in doctree.findall(nodes.raw):
        if "html" in node["format"].split() and 'class="measures' in node.astext():
            page = parsed(node.astext())
            for shown in page.select(SHOWN):
                if not shown.find_parent("figure"):
                    kind = "Figure" if shown.name == "figure" else "Table"
                    count[kind] += 1
                    give_number(shown, f"{kind} {chapter}.{count[kind]}", target, edition)
            for svg in page.select(".canvas > svg"):
                stand_in_columns(svg)
            in_page(page)
            set_apostrophes(page)
            put_off(page)
            for style in page.select("style"):  # each figure brings its own to a notebook
                if style.string in styles:
                    style.extract()
                styles.add(style.string)
            node[:] = [nodes.Text(str(page))]


class Speed(SphinxDirective):
    """What ``make bench`` measured (book/speed.py), as a notebook would show it."""

    def run(self):
        return [nodes.raw("", speed.figure()._repr_html_(), format="html")]


def setup(app):
    app.connect("doctree-resolved", number)
    app.add_directive("speed", Speed)
