"""Sphinx extension: the list of references names a work as the text does, and leads to it.

A work is "Webber et al., 2010a" in both; the letter is a part of its year in references.bib.
Every entry has a link: its DOI or address, or else a search for its title.
"""

from urllib.parse import quote

from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import href, join

SEARCH = "https://dblp.org/search?q="


class AuthorYearLabels(BaseLabelStyle):
    """Labels such as "Webber et al., 2010a"."""

    def format_labels(self, sorted_entries):
        """Yield the last names of one or two authors, or the first and "et al.", and the year."""
        for entry in sorted_entries:
            last = [
                str(Text.from_latex(" ".join(person.prelast_names + person.last_names)))
                for person in entry.persons["author"]
            ]
            names = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
            yield f"{names}, {entry.fields['year']}"


class LinkedStyle(Style):
    """Pybtex's plain style, with a search for what has neither DOI nor address."""

    default_label_style = "author_year"

    def format_web_refs(self, e):
        """Return the link to a work."""
        if "doi" in e.fields or "url" in e.fields:
            return super().format_web_refs(e)
        title = e.fields["title"].translate(str.maketrans("", "", "{}\\"))
        return join[href(SEARCH + quote(title))["Search dblp for it"], "."]


def as_items(app, pagename, templatename, context, doctree):
    """Give the entries of a list of works the role that a list's items must have."""
    old, new = 'role="doc-biblioentry"', 'role="listitem"'
    context["body"] = context.get("body", "").replace(old, new)


def setup(app):
    """Register the styles and the step."""
    register_plugin("pybtex.style.labels", "author_year", AuthorYearLabels)
    register_plugin("pybtex.style.formatting", "linked", LinkedStyle)
    app.connect("html-page-context", as_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
