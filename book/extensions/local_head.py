"""Sphinx extension: what a page says of itself to search engines, citation managers and previews.

A page has a description, its first paragraph; Open Graph tags with a picture; citation_* tags.
"""

import html
import re

from docutils import nodes

DESCRIPTION = 300  # characters at most
PICTURE = "_static/card.png"


def description(doctree):
    """Return the first paragraph of a page that is text of its own, or none."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            said = paragraph.deepcopy()
            for raw in list(said.findall(nodes.raw)):  # markup of ours, no text
                raw.parent.remove(raw)
            text = " ".join(said.astext().split())
            if len(text) > 40:
                return shortened(text)
    return ""


def shortened(text):
    """Return whole sentences of a text, or as many words as there is room for."""
    if len(text) <= DESCRIPTION:
        return text
    whole = re.match(rf".{{40,{DESCRIPTION - 1}}}[.?!](?=\s)", text)
    return whole.group() if whole else text[:DESCRIPTION].rpartition(" ")[0] + " …"


def tags(project, name, heading, said, here):
    """Return the (attribute, name, content) of the tags of a page, those without content left out.

    Parameters
    ----------
    project : dict
        As `local_project.facts` returns it.
    name : str
        Of the page, such as ``chapters/04-pooling-depth``.
    heading, said : str
        The page's title and description.
    here : callable
        From a file of the book to its address as this page writes it.
    """
    chapter = name.startswith("chapters/")
    address = project["address"] and f"{project['address']}/{name}.html"
    found = [
        ("name", "description", said),
        ("property", "og:type", "article" if chapter else "website"),
        ("property", "og:site_name", project["title"]),
        ("property", "og:title", heading),
        ("property", "og:description", said),
        ("property", "og:url", address),
        ("property", "og:image", here(PICTURE)),
        ("property", "og:image:width", "1200"),
        ("property", "og:image:height", "630"),
        ("property", "og:image:alt", f"{project['title']}: {project['abstract'].split(':')[0]}."),
        ("name", "twitter:card", "summary_large_image"),
        ("name", "citation_title", heading if chapter else project["title"]),
        ("name", "citation_inbook_title", project["title"] if chapter else ""),
        *(("name", "citation_author", author) for author in project["authors"]),
        ("name", "citation_publication_date", project["year"]),
        ("name", "citation_language", "en"),
        ("name", "citation_doi", project["doi"]),
        ("name", "citation_public_url", address),
    ]
    return [tag for tag in found if tag[2]]


def describe(app, pagename, templatename, context, doctree):
    """Put the tags into the head of a page."""
    if doctree is None:  # the search, the index
        return
    project = context["project"]
    heading = re.sub(r"<[^>]+>|\d+\. (?=</span>)", "", context["title"])  # of HTML
    absolute = f"{project['address']}/{{}}".format if project["address"] else None
    found = tags(
        project,
        pagename,
        html.unescape(heading),
        description(doctree),
        absolute or (lambda file: context["pathto"](file, 1)),
    )
    context["metatags"] += "".join(
        f'\n<meta {kind}="{name}" content="{html.escape(content)}" />'
        for kind, name, content in found
    )


def setup(app):
    """Register the step."""
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
