"""Sphinx extension: the list of references names a work as the text does, and leads to it.

A work is "Webber et al., 2010" in both; where two would be called the same, letters at their years
tell them apart.
Every entry has a link: its DOI or address, or else a search for its title.
"""

from collections import Counter
from dataclasses import dataclass, field
from string import ascii_lowercase
from urllib.parse import quote

from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import href, join, words
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference_style
from sphinxcontrib.bibtex.style.referencing import GroupReferenceStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.basic_author_year import (
    BasicAuthorYearTextualReferenceStyle,
)
from sphinxcontrib.bibtex.style.referencing.basic_label import BasicLabelParentheticalReferenceStyle
from sphinxcontrib.bibtex.style.template import node, reference

SEARCH = "https://dblp.org/search?q="


def names(entry):
    """Return the last names of one or two authors, or the first and "et al."."""
    last = [
        Text.from_latex(" ".join(person.prelast_names + person.last_names))
        for person in entry.persons["author"]
    ]
    return f"{last[0]} et al." if len(last) > 2 else " and ".join(map(str, last))


class AuthorYearLabels(BaseLabelStyle):
    """Labels such as "Webber et al., 2010a"."""

    def format_labels(self, sorted_entries):
        """Yield the labels of entries, in their order."""
        plain = [f"{names(entry)}, {entry.fields['year']}" for entry in sorted_entries]
        count, seen = Counter(plain), Counter()
        for label in plain:
            letter = ascii_lowercase[seen[label]] if count[label] > 1 else ""
            seen[label] += 1
            yield label + letter


class LinkedStyle(Style):
    """Pybtex's plain style, with a search for what has neither DOI nor address."""

    default_label_style = "author_year_letter"

    def format_web_refs(self, e):
        """Return the link to a work."""
        if "doi" in e.fields or "url" in e.fields:
            return super().format_web_refs(e)
        title = e.fields["title"].translate(str.maketrans("", "", "{}\\"))
        return join[href(SEARCH + quote(title))["Search dblp for it"], "."]


@node
def labelled_year(children, data):
    """Return the year of an entry with the letter that its label has."""
    return Text(data["formatted_entry"].label.rpartition(", ")[2])


@dataclass
class Textual(BasicAuthorYearTextualReferenceStyle):
    """A work as a part of the sentence: Webber et al. [2010a]."""

    def inner(self, role_name):
        """Return the template of one work."""
        return words[
            self.person.author_or_editor_or_title(full="s" in role_name),
            join[self.bracket.left, reference[labelled_year], self.bracket.right],
        ]


@dataclass
class ReferenceStyle(GroupReferenceStyle):
    """Works as a part of the sentence, or in brackets by their label."""

    person: PersonStyle = field(default_factory=PersonStyle)

    def __post_init__(self):
        self.styles += [Textual(person=self.person), BasicLabelParentheticalReferenceStyle()]
        super().__post_init__()


def as_items(app, pagename, templatename, context, doctree):
    """Give the entries of a list of works the role that a list's items must have."""
    old, new = 'role="doc-biblioentry"', 'role="listitem"'
    context["body"] = context.get("body", "").replace(old, new)


def setup(app):
    """Register the styles and the step."""
    register_plugin("pybtex.style.labels", "author_year_letter", AuthorYearLabels)
    register_plugin("pybtex.style.formatting", "linked", LinkedStyle)
    group = "sphinxcontrib.bibtex.style.referencing"
    register_reference_style(group, "author_year_letter", ReferenceStyle)
    app.connect("html-page-context", as_items)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
