"""Sphinx extension: what every page says of the project: where it is, how to cite it, its terms.

All of it comes from CITATION.cff and, for the addresses, from _config.yml.
While the repository has no address there, whatever needs one is left out.
"""

from pathlib import Path

import jinja2
import yaml

# What the parts of the project are licensed under: the name, and where its terms are.
LICENCES = {
    "Text and figures": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    "Code": ("MIT", "https://opensource.org/license/mit"),
    "Data": ("the terms of its sources", "book/data"),
}
WRITTEN = ["book/run", "book/cite"]  # pages with {% if %} in them


def facts(app):
    """Return what templates and pages may say of the project."""
    said = yaml.safe_load(Path(app.srcdir, "CITATION.cff").read_text(encoding="utf-8"))
    options = app.config.html_theme_options
    return {
        "title": said["title"],
        "abstract": said["abstract"],
        "authors": [author["name"] for author in said["authors"]],
        "version": said["version"],
        "doi": said.get("doi", ""),
        "year": str(app.config.copyright),
        "licences": LICENCES,
        "repository": options.get("repository_url", "").rstrip("/"),
        "address": (app.config.html_baseurl or "").rstrip("/"),
    }


def bibtex(project):
    """Return the entry that cites the book.

    The name of a group stands in braces of its own: it has no first and last name.
    """
    fields = {
        "title": project["title"],
        "author": " and ".join(f"{{{name}}}" for name in project["authors"]),
        "year": project["year"],
        "version": project["version"],
        "doi": project["doi"],
        "url": project["address"] or project["repository"],
    }
    lines = [f"  {key:<7} = {{{value}}},\n" for key, value in fields.items() if value]
    return f"@misc{{measures{project['year']},\n{''.join(lines)}}}"


def learn(app):
    """Read the facts, for the footer of each page and for what other extensions make of them."""
    app.config.html_context["project"] = facts(app)


def fill_in(app, name, source):
    """Render the pages that say different things with and without an address."""
    if name in WRITTEN:
        project = app.config.html_context["project"]
        source[0] = jinja2.Template(source[0]).render(project=project, bibtex=bibtex(project))


def setup(app):
    """Register the steps."""
    app.connect("builder-inited", learn)
    app.connect("source-read", fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
