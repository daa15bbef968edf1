"""Sphinx extension: an old address leads to where its text is now.

``book/moved.csv`` has a row an address, of a page or of a place in it. In the stead of a page that
is gone stands one that names the pages where its text is; moved.js takes a reader on, to the place.
"""

import csv
import json
import posixpath
from html import escape
from pathlib import Path

GONE = "This page has moved"
UNLISTED = '<meta name="robots" content="noindex">'


def moved(app):
    """Return where the places of each page are now, by page and place; "" is the page itself.

    What has moved to a page that is not among those that are built is left out.
    """
    found = {}
    text = Path(app.srcdir, "book", "moved.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        page, _, place = row["old"].partition("#")
        if named(row["new"]) in app.env.found_docs:
            found.setdefault(page, {})[place] = row["new"]
    return found


def named(address):
    """Return the name of the document that an address is of."""
    return address.partition("#")[0].removesuffix(".html")


def listed(page, places):
    """Return the list that moved.js reads: the places of a page, and how to get from it there."""
    start = posixpath.dirname(page)
    ways = {place: posixpath.relpath(new, start) for place, new in places.items()}
    return f'<script type="application/json" id="moved">{json.dumps(ways)}</script>'


def tell(app, pagename, templatename, context, doctree):
    """Give a page the list of its old places."""
    if places := moved(app).get(f"{pagename}.html"):
        context["metatags"] += "\n" + listed(f"{pagename}.html", places)


def stand_in(app):
    """Yield a page in the stead of each that is gone."""
    for page, places in moved(app).items():
        if "" in places:
            start = posixpath.dirname(page)
            links = "".join(
                f'<li><a href="{posixpath.relpath(name, start)}.html">'
                f"{escape(app.env.titles[name].astext())}</a></li>"
                for name in dict.fromkeys(map(named, places.values()))
            )
            body = f"<section><h1>{GONE}</h1><p>Its text is now in</p><ul>{links}</ul></section>"
            yield named(page), {"title": GONE, "body": body, "metatags": UNLISTED}, "page.html"


def setup(app):
    app.connect("html-page-context", tell)
    app.connect("html-collect-pages", stand_in)
