"""Roles inside a paragraph: numbers, references, citations and terms as plain Markdown."""

import html
import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

from lib.teaching.editions.sources import Sources
from lib.teaching.glossary import TERMS

__all__ = ["Roles", "code_spans"]

# From left to right: a role, or a piece of code, in which nothing is a role.
ROLE = re.compile(r"\{(?P<name>[\w:.+-]+)\}`(?P<text>[^`]*)`|(?P<ticks>`+)(?!`).+?(?P=ticks)(?!`)")
TITLED = re.compile(r"(?P<text>.+?)\s*<(?P<target>[^<>]+)>", flags=re.DOTALL)
SETTING = re.compile(r'<a href="#explore-[\w-]+:(?P<at>[^"]*)">(?P<text>.*?)</a>', flags=re.DOTALL)
SPECIAL = re.compile(r"([\\`*_<$])")


def code_spans(text: str) -> list[str]:
    """Return the pieces of code in a text, which are no roles.

    Examples
    --------
    >>> code_spans("Call `load()` as in {ref}`the text <data>`.")
    ['`load()`']
    """
    return [match[0] for match in ROLE.finditer(text) if match["name"] is None]


@dataclass(frozen=True)
class Roles:
    """What the roles of a chapter stand for.

    Attributes
    ----------
    chapter : str
        The file's name, without its ending.
    numbers : dict of str to str
        What the cells of the chapter glued: name to text.
    book : Sources
    exercises : dict of str to str
        Label to number, of the exercises of the chapter.

    Examples
    --------
    >>> roles = Roles("00-foundations", {"tau": "'.9'"}, Sources(), {})
    >>> roles.plain("Tau is {glue:text}`tau` {cite:p}`kendall1938new`.")
    'Tau is .9 ([Kendall, 1938](https://doi.org/10.1093/biomet/30.1-2.81)).'
    >>> roles.plain("See {ref}`pools <foundations-pool>`, not `{ref}`.")
    'See [pools](#foundations-pool), not `{ref}`.'
    """

    chapter: str
    numbers: Mapping[str, str]
    book: Sources
    exercises: Mapping[str, str]

    def plain(self, text: str) -> str:
        """Return Markdown without roles.

        Raises
        ------
        ValueError
            A role, or what it names, is not known.
        """
        return SETTING.sub(_setting, ROLE.sub(self._one, text))

    def _one(self, match):
        name, text = match["name"], match["text"]
        if name is None:
            return match[0]
        kinds: Mapping[str, Callable[[str], str]] = {
            "glue:text": self._number,
            "ref": self._reference,
            "term": _term,
            "cite:t": self._in_text,
            "cite:p": self._in_parentheses,
        }
        if name not in kinds:
            raise ValueError(f"{self.chapter}: the editions do not know the role {{{name}}}")
        try:
            return kinds[name](text)
        except ValueError as error:
            raise ValueError(f"{self.chapter}: {match[0]}: {error}") from None

    def _number(self, name):
        if name not in self.numbers:
            raise ValueError("no cell glues it; a format is not known here")
        value = self.numbers[name]
        with suppress(SyntaxError, ValueError):  # a text is stored as Python writes it
            value = str(literal_eval(value))
        return SPECIAL.sub(r"\\\1", value)

    def _reference(self, role):
        text, target = _titled(role)
        if target in self.exercises:
            return f"[{text or f'Exercise {self.exercises[target]}'}](#{target})"
        if target not in self.book.places:
            raise ValueError("no such label")
        place = self.book.places[target]
        if not (text or place.title):
            raise ValueError("neither a text nor a heading to show")
        if not place.is_chapter:  # a page of the book, which is not at hand
            if text is None or text.lower() == place.title.lower():
                return f"*{text or place.title}*"
            return f"{text} (the book's page *{place.page}*)"
        file = "" if place.file == self.chapter else f"{place.file}.ipynb"
        return f"[{text or self.plain(place.title)}]({file}#{target})"

    def _in_text(self, keys):
        cited = []
        for key in keys.split(","):
            authors, year, address = self.book.cited(key.strip())
            cited.append(f"[{authors} ({year})]({address})" if address else f"{authors} ({year})")
        return ", ".join(cited)

    def _in_parentheses(self, keys):
        cited = []
        for key in keys.split(","):
            authors, year, address = self.book.cited(key.strip())
            cited.append(f"[{authors}, {year}]({address})" if address else f"{authors}, {year}")
        return f"({'; '.join(cited)})"


def _titled(role):
    """Split ``text <target>``; the text is None where there is a target only."""
    match = TITLED.fullmatch(role)
    return (match["text"], match["target"]) if match else (None, role)


def _term(role):
    """Return a term of the glossary, which says what it means under the mouse."""
    text, term = _titled(role)
    known = {name.lower(): meaning for name, meaning in TERMS.items()}
    if term.lower() not in known:
        raise ValueError("no such term in the glossary")
    return f'<abbr title="{html.escape(_said(known[term.lower()]))}">{text or term}</abbr>'


def _said(meaning):
    """Return a definition as plain text: a title shows neither links nor formulas."""
    text = ROLE.sub(lambda match: _titled(match["text"])[0] or match["text"], meaning)
    text = re.sub(r"\\sqrt\{(\w+)\}", r"√\1", text).replace("$", "")
    if "\\" in text:
        raise ValueError(f"a formula that has no plain form: {meaning}")
    return text


def _setting(match):
    """Return the text of a link to a setting of a control; the setting is in its title."""
    settings = parse_qsl(html.unescape(match["at"]), keep_blank_values=True)
    said = ", ".join(f"{name}: {unquote(value)}" for name, value in settings)
    return f'<span title="{html.escape(said)}">{match["text"]}</span>'
