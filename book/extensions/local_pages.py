"""Sphinx extension: what every page says of the project, and how a chapter is taken along.

The facts come from CITATION.cff, data/sources.csv and, for the addresses, _config.yml; while the
repository has no address there, whatever needs one is left out.
"""

import csv
import html
import re
import shutil
import textwrap
from importlib.metadata import files
from pathlib import Path

import jinja2
import yaml
from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from local_search import words

from book.teaching import editions, reported
from book.teaching.myst import Book
from lib.paths import DATA

# What the parts of the project are licensed under: the name, and where its terms are.
LICENCES = {
    "Text and figures": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "Code": ("MIT", "https://opensource.org/license/mit"),
    "Data": ("the terms of its sources", "book/data"),
}
# What stands beside the pages, and whose work is in them besides ours.
NOTICES = ["LICENSE", "LICENSE-TEXT.md", "DATA.md", "CITATION.cff"]
OTHERS = (
    "Sphinx pydata-sphinx-theme sphinx-book-theme sphinx-design sphinx-copybutton "
    "sphinx-togglebutton sphinx-exercise myst-nb"
).split()
FONT_NAMES = (1, 4, 6)  # family, full name, name for PostScript
# Scripts that no page needs: none has tabs, and the search is ours.
UNUSED = ("doctools.js", "sphinx_highlight.js", "design-tabs.js")
# Scripts that serve what not every page has: its class.
SERVES = {
    "answers.js": 'class="answer',
    "guess.js": 'class="guess',
    "ledger.js": 'id="ledger-filter"',
    "squares.js": 'data-lines="',
    "togglebutton.js": "dropdown admonition",
    "clipboard.min.js": 'class="highlight',
    "copybutton.js": 'class="highlight',
}
# Pages with {% if %} or {{ }} in them, and what fills these beside the project's facts.
WRITTEN = {"book/about": dict, "book/report-this": reported.numbers}
DESCRIPTION = 300  # characters at most
WORDY = 80  # characters of a cell that four columns of a phone cannot hold

# The bar of chapters: a page, its number, and a word for it.
BAR = [
    ("book/which-measure", "", "Which measure?"),
    ("chapters/00-foundations", "0", "Foundations"),
    ("chapters/01-precision-at-ten", "1", "P@10"),
    ("chapters/02-measure-correlations", "2", "Alike?"),
    ("chapters/03-blind-feedback", "3", "Feedback"),
    ("chapters/04-pooling-depth", "4", "Depth"),
    ("chapters/05-elsewhere", "5", "Elsewhere"),
    ("chapters/06-left-out", "6", "Left out"),
    ("chapters/07-judged-by-machines", "7", "Machines"),
    ("chapters/08-spending-judgements", "8", "Budget"),
    ("book/ledger", "", "Ledger"),
]

# Folder of an edition: what its button says, and the longer text beneath the mouse.
BUTTONS = {
    "editions": ("Notebook", "Notebook with folded solutions, for JupyterLab, VS Code and Colab"),
    "student": ("For students", "The same notebook without solutions"),
}


def learn(app):
    """Read what templates and pages may say of the project."""
    said = yaml.safe_load(Path(app.srcdir, "CITATION.cff").read_text(encoding="utf-8"))
    table = (DATA / "sources.csv").read_text(encoding="utf-8")
    app.config.html_context["project"] = {
        "title": said["title"],
        "authors": [author["name"] for author in said["authors"]],
        "version": said["version"],
        "doi": said.get("doi", ""),
        "year": str(app.config.copyright),
        "licences": LICENCES,
        "bar": BAR,
        "credits": [one for one in csv.DictReader(table.splitlines()) if one["chapters"]],
        "repository": app.config.html_theme_options.get("repository_url", "").rstrip("/"),
        "address": (app.config.html_baseurl or "").rstrip("/"),
    }


def fill_in(app, name, source):
    """Render the pages that say different things with and without an address, or have numbers."""
    if name in WRITTEN:
        page = jinja2.Template(source[0], undefined=jinja2.StrictUndefined)
        source[0] = page.render(project=app.config.html_context["project"], **WRITTEN[name]())


def description(doctree):
    """Return the beginning of the first paragraph of a page that is text of its own, or none."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, (nodes.section, nodes.container)):
            said = words(paragraph)
            if len(said) > 40:
                return textwrap.shorten(said, DESCRIPTION, placeholder=" …")
    return ""


def describe(app, pagename, templatename, context, doctree):
    """Say what a page is to search engines, previews and citation managers."""
    files = context["script_files"]
    names = [Path(str(getattr(one, "filename", one))).name for one in files]
    files[:] = [
        one
        for one, name in zip(files, names)
        if name not in UNUSED and SERVES.get(name, "") in context.get("body", "")
    ]
    if doctree is None:  # a page of code
        return
    # A list's items, by their role: the list of references has another, which is deprecated.
    context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
    project, chapter = context["project"], pagename.startswith("chapters/")
    heading = html.unescape(re.sub(r"<[^>]+>|\d+\. (?=</span>)", "", context["title"]))
    address = project["address"] and f"{project['address']}/{pagename}.html"
    said = description(doctree)
    picture = pagename.rpartition("/")[2] if chapter else "intro"  # made by make_pictures.py
    tags = [
        ("description", said),
        ("og:site_name", project["title"]),
        ("og:title", heading),
        ("og:description", said),
        ("og:type", "article" if chapter else "website"),
        ("og:url", address),
        ("og:image", address and f"{project['address']}/_static/pictures/{picture}.png"),
        ("twitter:card", address and "summary_large_image"),
        ("citation_title", heading if chapter else project["title"]),
        ("citation_inbook_title", project["title"] if chapter else ""),
        *(("citation_author", author) for author in project["authors"]),
        ("citation_publication_date", project["year"]),
        ("citation_doi", project["doi"]),
        ("citation_public_url", address),
    ]
    context["metatags"] += "".join(
        f'\n<meta {"property" if name.startswith("og:") else "name"}="{name}" '
        f'content="{html.escape(content)}" />'
        for name, content in tags
        if content
    )


def hand_out(app, pagename, templatename, context, doctree):
    """Let the buttons of a chapter lead to its editions: the chapter itself is MyST."""
    folder, _, name = pagename.rpartition("/")
    groups = {group.get("label"): group for group in context["header_buttons"]}
    for button in groups.get("launch-buttons", {}).get("buttons", ()):
        edition = f"notebooks/editions/{name}.ipynb"
        button["url"] = button["url"].replace(f"{pagename}.ipynb", edition)
    if folder == "chapters" and "download-buttons" in groups:
        buttons = groups["download-buttons"]["buttons"]
        buttons[:] = [one for one in buttons if one["label"] != "download-source-button"]
        for kind in reversed(editions.kinds(name)):
            text, tooltip = BUTTONS[kind]
            button = {"type": "link", "text": text, "tooltip": tooltip, "icon": "fas fa-file"}
            url = context["pathto"](f"{kind}/{name}.ipynb", 1)
            buttons.insert(0, button | {"url": url, "label": f"download-{kind}-button"})


def name_rows(app, doctree):
    """Say to those who hear a table what its first column has, where that has no head."""
    for head in doctree.findall(nodes.thead):
        corner = head[0][0]
        if not corner.astext() and all(type(part) is nodes.paragraph for part in corner.children):
            corner.children = []
            corner += nodes.inline("", "Row", classes=["visually-hidden"])
    for raw in doctree.findall(nodes.raw):  # a head without a word is none
        if 'class="dataframe"' in raw.astext():
            raw[:] = [nodes.Text(raw.astext().replace("<th></th>", "<td></td>"))]


def name_wordy(app, doctree):
    """Mark the tables of so many words that on a phone each row is a block (static/page.js)."""
    for table in doctree.findall(nodes.table):
        cells = [cell.astext() for cell in table.findall(nodes.entry)]
        if len([*table.findall(nodes.colspec)]) > 3 and max(map(len, cells)) > WORDY:
            table["classes"].append("wordy")


def write(app, exception):
    """Write the editions into the built book; take out what nobody reads."""
    if exception is None and app.builder.format == "html":
        editions.write(Path(app.outdir), Book(Path(app.srcdir)))
        lighten(Path(app.outdir))
        notices(Path(app.srcdir), Path(app.outdir))


def notices(project, book):
    """Put beside the pages on what terms they are, and the licences of those whose work is in them.

    The pages, and a copy of them, hold styles, scripts and fonts of others.
    """
    shutil.copytree(project / "LICENSES", book / "LICENSES", dirs_exist_ok=True)
    for name in NOTICES:
        shutil.copy(project / name, book)
    for name in OTHERS:
        found = [one for one in files(name) if one.name.upper().startswith("LICENSE")]
        text = "\n".join(one.read_text(encoding="utf-8") for one in found)
        (book / "LICENSES" / f"{name}.txt").write_text(text, encoding="utf-8")


def lighten(book):
    """Leave out of the theme, 5 MB, the maps, and rules and icons of no page."""
    static = book / "_static"
    unread = (static.rglob(name) for name in ("*.map", "*.woff2", "fontawesome.js"))
    for path in [path for paths in unread for path in paths]:
        path.unlink()
    texts = [
        " ".join(re.findall('class="([^"]*)"', path.read_text("utf-8")))
        for path in book.rglob("*.html")
    ]
    texts += [path.read_text("utf-8") for path in static.rglob("*.js")]  # these may set any
    known, icons = set(re.findall(r"[\w-]+", " ".join(texts))), set()

    def kept(rule):
        selectors = re.sub(r":not\([^)]*\)", "", rule[1]).split(",")
        needed = (set(re.findall(r"\.([a-zA-Z_-][\w-]*)", one)) for one in selectors)
        return rule[0] if any(classes <= known for classes in needed) else ""

    for path in static.rglob("*.css"):
        text = re.sub(r"(?s)/\*.*?\*/", "", path.read_text("utf-8"))
        text = re.sub(r"([^{}]+)\{[^{}]*\}", kept, text)
        text = re.sub(r'url\([^)]*woff2\) format\("woff2"\),|@media[^{}]*\{\s*\}', "", text)
        path.write_text(text, encoding="utf-8")
        icons.update(re.findall(r"\\([0-9a-f]{2,4})", text))
    for font in static.rglob("fa-*.ttf"):
        # Only the whole font may have its maker's name; 0, 13 and 14 say whose it is.
        names = "--name-IDs=0,13,14"
        subset.main([str(font), names, f"--unicodes={','.join(icons)}", f"--output-file={font}"])
        with TTFont(font) as part:
            for number in FONT_NAMES:
                part["name"].setName(f"Icons-{font.stem[3:]}", number, 3, 1, 0x409)
            part.save(font)


def setup(app):
    app.add_config_value("comments_config", {}, "")  # Jupyter Book sets it, and we use no comments
    app.connect("builder-inited", learn)
    app.connect("source-read", fill_in)
    app.connect("doctree-read", name_rows)
    app.connect("doctree-read", name_wordy)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", hand_out, priority=502)  # the theme's buttons are at 501
    app.connect("build-finished", write, priority=900)  # after the theme has written
