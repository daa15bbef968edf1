"""Sphinx extension: the first use of a word of the glossary on a page says what it means.

The word is a button that opens what its entry says, with a link to it: a popover, which browsers
open and close without a script.  Where there is a margin, it stands there (book.css).
"""

import re
from functools import lru_cache
from html import escape

from docutils import nodes
from local_math import taken

GLOSSARY = "book/glossary"


@lru_cache(maxsize=1)
def meanings(env):
    """Return the word and what its entry says, in plain text, of each identifier."""
    found = {}
    for term in env.get_doctree(GLOSSARY).findall(nodes.term):
        definition = next(term.parent.findall(nodes.definition))
        text = re.sub(r"\\sqrt\{(\w)\}", "√\\1", definition.astext())
        found |= dict.fromkeys(term["ids"], (term.astext(), " ".join(text.split())))
    return found


def explain(app, doctree, docname):
    """Put its meaning beside the first use of each word on a page."""
    if docname == GLOSSARY or app.builder.format != "html":
        return
    seen = set()
    for link in list(doctree.findall(nodes.reference)):
        identifier = link.get("refuri", "").partition("#")[2]
        is_term = any("std-term" in part.get("classes", ()) for part in link.findall(nodes.inline))
        if not is_term or identifier in seen:
            continue
        seen.add(identifier)
        place = link.parent if isinstance(link.parent, nodes.emphasis) else link
        sign = taken(place)
        markup = explained(link, identifier, app.env, sign)
        link.replace_self(nodes.raw("", markup, format="html", word=link.astext() + sign))


def explained(link, identifier, env, sign):
    """Return a word of the glossary as HTML, with its meaning and the sign after it.

    The sign is in the button, since a line may end after one.
    """
    meaning, (word, text) = f"meaning-{identifier}", map(escape, meanings(env)[identifier])
    return (
        f'<span class="term"><button type="button" popovertarget="{meaning}">'
        f"<u>{escape(link.astext())}</u>{sign}</button>"
        f'<span class="meaning" id="{meaning}" popover role="note">'
        f'<b>{word}</b>: {text} <a href="{escape(link["refuri"])}">Glossary</a></span></span>'
    )


def setup(app):
    app.connect("doctree-resolved", explain)
