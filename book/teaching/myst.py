"""The text of a chapter as Markdown that every notebook program shows, and what it refers to."""

import html
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

import nbformat
import yaml  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from pybtex.database import Entry, parse_file
from pybtex.richtext import Text as Latex

from book.teaching import case
from chapters.ledger.registry import mark_of
from lib.decisions import meaning
from lib.display.prose import escaped_value
from lib.paths import ROOT

_BLOCKS = MarkdownIt().use(colon_fence_plugin).use(myst_block_plugin)  # as MyST reads them
_DIRECTIVE = re.compile(r"\{(?P<name>[\w:-]+)\}\s*(?P<title>.*)")
_CHOICE = re.compile(r"^- \*(.+?)\* (.+)$", flags=re.MULTILINE)
_OPTION = re.compile(r"^:[\w-]+:")
_EXERCISE = re.compile(r"^:{3,}\{exercise\}.*\n:label: (\S+)$", flags=re.MULTILINE)
# From left to right: a role, or a piece of code, in which nothing is a role.
_ROLE = re.compile(r"\{(?P<name>[\w:.+-]+)\}`(?P<text>[^`]*)`|(?P<ticks>`+)(?!`).+?(?P=ticks)(?!`)")
_TITLED = re.compile(r"(?P<text>.+?)\s*<(?P<target>[^<>]+)>", flags=re.DOTALL)
_SETTING = re.compile(r'<a href="#explore-[\w-]+:[^"]*">(?P<text>.*?)</a>', flags=re.DOTALL)
AUDIT = "-audit"  # how the name of an audit ends: the notebook of a chapter's details


@dataclass(frozen=True)
class Label:
    """Where a label stands: its file, the heading after it, the file's first heading."""

    file: str
    title: str
    page: str
    is_chapter: bool


@dataclass(frozen=True)
class Book:
    """A book's folder, as far as its chapters refer to it.

    >>> book = Book()
    >>> book.chapters[0].stem, book.labels["foundations"].title
    ('00-foundations', 'Foundations')
    >>> book.cited("thom2007comparison")
    ('Thom and Scholer', '2007', '')
    """

    root: Path = ROOT

    @cached_property
    def notebooks(self) -> list[Path]:
        """The notebooks: chapters, and audits beside them."""
        return sorted((self.root / "chapters").glob("*.ipynb"))

    @cached_property
    def chapters(self) -> list[Path]:
        """The notebooks of the chapters, in order."""
        return [path for path in self.notebooks if not path.stem.endswith(AUDIT)]

    @cached_property
    def labels(self) -> Mapping[str, Label]:
        """Where each label of the book stands."""
        places: dict[str, Label] = {}
        for path in self.notebooks:
            places |= _places(path.stem, "\n\n".join(markdown(path)), is_chapter=True)
        for path in sorted((self.root / "book").rglob("*.md")):
            places |= _places(path.stem, path.read_text(encoding="utf-8"), is_chapter=False)
        return places

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        return parse_file(self.root / "book" / "references.bib").entries

    def cited(self, key: str) -> tuple[str, str, str]:
        """Return the authors, the year and the address of a work; the address may be empty."""
        if key not in self._entries:
            raise ValueError(f"no work {key!r} in book/references.bib")
        entry = self._entries[key]
        parts = ([*one.prelast_names, *one.last_names] for one in entry.persons["author"])
        names = [str(Latex.from_latex(" ".join(words))) for words in parts]
        authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        doi = entry.fields.get("doi")
        address = f"https://doi.org/{doi}" if doi else entry.fields.get("url", "")
        return authors, entry.fields["year"], address

    @cached_property
    def address(self) -> str:
        """The address of the book's repository, which may be empty."""
        config = yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        return config["repository"]["url"]


def markdown(chapter: Path) -> list[str]:
    """Return the texts of a notebook."""
    cells = nbformat.read(chapter, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


def _places(file: str, text: str, *, is_chapter: bool) -> dict[str, Label]:
    blocks = _BLOCKS.parse(text)
    headings = [at for at, block in enumerate(blocks) if block.type == "heading_open"]
    titles = {at: blocks[at + 1].content for at in headings}
    page = next(iter(titles.values()), file)
    places: dict[str, Label] = {}
    waiting: list[str] = []
    for at, block in enumerate(blocks):
        if block.type == "myst_target":
            waiting.append(block.content)
        elif block.map:
            place = Label(file, titles.get(at, ""), page, is_chapter)
            places |= dict.fromkeys(waiting, place)
            waiting = []
    return places | dict.fromkeys(_EXERCISE.findall(text), Label(file, "", page, is_chapter))


def folded(title: str, body: str) -> str:
    """Return Markdown folded under its title."""
    title = html.escape(title, quote=False)
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"


@dataclass(frozen=True)
class Translator:
    """Translates the text of a chapter, of which it knows what the cells glued.

    >>> translate = Translator("00-foundations", {"tau": ".9"}, Book(), {})
    >>> translate.plain("Tau is {glue:text}`tau` {cite:p}`kendall1938new`.")
    'Tau is .9 ([Kendall, 1938](https://doi.org/10.1093/biomet/30.1-2.81)).'
    >>> translate.plain("See {ref}`pools <foundations-pool>`, not `{ref}`.")
    'See [pools](#foundations-pool), not `{ref}`.'
    >>> translate.text("(here)=\\n# Title\\n\\n:::{note}\\nWell.\\n:::").split("\\n\\n")
    ['<a id="here"></a>', '# Title', '<blockquote>', '**Note**', 'Well.', '</blockquote>']
    """

    chapter: str
    numbers: Mapping[str, str]
    book: Book
    exercises: Mapping[str, str]  # label to number

    @classmethod
    def of(cls, chapter: Path, cells: list[Any], book: Book) -> "Translator":
        """Return the translator of a chapter."""
        glued = {name: value for cell in cells for name, value in numbers_of(cell).items()}
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        number = re.match(r"0*([1-9]\d*)-", chapter.stem)  # the foundations have none
        before = f"{number[1]}." if number else ""
        exercises = {label: f"{before}{i}" for i, label in enumerate(_EXERCISE.findall(text), 1)}
        return cls(chapter.stem, glued, book, exercises)

    def text(self, text: str) -> str:
        """Return Markdown without directives, targets and roles.

        A ValueError names a directive or role that is not known, or names nothing that is.
        """
        parts, lines, done = [], text.split("\n"), 0
        for block in _BLOCKS.parse(text):
            is_fence = block.type in ("fence", "colon_fence")
            if is_fence and block.level and block.info.startswith("{"):
                raise ValueError(f"{self.chapter}: an indented directive: {block.info}")
            if not block.map or block.level or not (is_fence or block.type == "myst_target"):
                continue
            first, end = block.map
            parts.append(self.plain("\n".join(lines[done:first])))
            if is_fence:
                parts.append(self._block(block, lines[first:end]))
            else:
                parts.append(f'<a id="{block.content}"></a>')
            done = end
        parts.append(self.plain("\n".join(lines[done:])))
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def _block(self, block: Any, lines: list[str]) -> str:
        """Return a block of code as it is, and a directive as HTML around Markdown."""
        if set(lines[-1].strip()) != set(block.markup):
            raise ValueError(f"{self.chapter}: a block does not end: {lines[0]}")
        directive = _DIRECTIVE.fullmatch(block.info.strip())
        if directive is None and block.type == "colon_fence":
            raise ValueError(f"{self.chapter}: a block that nothing begins: {lines[0]}")
        if directive is None:
            return "\n".join(lines)
        body = block.content.splitlines()
        options = list(takewhile(_OPTION.match, body))
        name, title = directive["name"], self.plain(directive["title"])
        inner = self.text("\n".join(body[len(options) :]))
        if name == "case":
            return self._case()
        if name == "dropdown":
            return folded(directive["title"], inner)
        if name == "exercise":
            label = options[0].split()[1]
            title = f"Exercise {self.exercises[label]}**" + (f" ({title})" if title else "")
            return f'<a id="{label}"></a>\n\n<blockquote>\n\n**{title}\n\n{inner}\n\n</blockquote>'
        if name == "guess":
            choices = _CHOICE.findall(inner)
            return "\n\n".join(folded(choice, answer) for choice, answer in choices)
        if name not in ("admonition", "note"):
            raise ValueError(f"{self.chapter}: the editions do not know the directive {{{name}}}")
        title = "Note" if name == "note" else title
        heading = f"**{title}**\n\n" if title else ""
        return f"<blockquote>\n\n{heading}{inner}\n\n</blockquote>"

    def _case(self) -> str:
        """Return the box of the running case: earlier lines in a fold."""
        head, before, own = case.box(self.chapter)
        earlier = [folded(case.EARLIER, "\n\n".join(map(self.plain, before)))] if before else []
        return "\n\n".join(
            ["<blockquote>", self.plain(head), *earlier, self.plain(own), "</blockquote>"]
        )

    def plain(self, text: str) -> str:
        """Return Markdown without roles."""
        return _SETTING.sub(r"\g<text>", _ROLE.sub(self._role, text))

    def _role(self, match: re.Match[str]) -> str:
        name, text = match["name"], match["text"]
        if name is None:
            return match[0]
        kinds = {
            "glue:text": self._number,
            "mark": _mark,
            "means": meaning,
            "ref": self._reference,
            "term": lambda text: _titled(text)[0] or text,
            "cite:t": lambda keys: ", ".join(self._cited(keys, "{} ({})")),
            "cite:p": lambda keys: f"({'; '.join(self._cited(keys, '{}, {}'))})",
        }
        if name not in kinds:
            raise ValueError(f"{self.chapter}: the editions do not know the role {{{name}}}")
        try:
            return kinds[name](text)
        except ValueError as error:
            raise ValueError(f"{self.chapter}: {match[0]}: {error}") from None

    def _number(self, name: str) -> str:
        if name not in self.numbers:
            raise ValueError("no cell glues it; a format is not known here")
        return escaped_value(self.numbers[name])

    def _reference(self, role: str) -> str:
        text, target = _titled(role)
        if target in self.exercises:
            return f"[{text or f'Exercise {self.exercises[target]}'}](#{target})"
        if target not in self.book.labels:
            raise ValueError("no such label")
        place = self.book.labels[target]
        if not (text or place.title):
            raise ValueError("neither a text nor a heading to show")
        if not place.is_chapter:  # a page of the book, which is not at hand
            if text is None or text.lower() == place.title.lower():
                return f"*{text or place.title}*"
            return f"{text} (the book's page *{place.page}*)"
        beside = "../editions/" if place.file.endswith(AUDIT) else ""  # students have no audits
        file = "" if place.file == self.chapter else f"{beside}{place.file}.ipynb"
        return f"[{text or self.plain(place.title)}]({file}#{target})"

    def _cited(self, keys: str, form: str) -> Iterator[str]:
        for key in keys.split(","):
            authors, year, address = self.book.cited(key.strip())
            citation = form.format(authors, year)
            yield f"[{citation}]({address})" if address else citation


def numbers_of(cell: Any) -> dict[str, str]:
    """Return what a cell of a notebook glued, as a text shows it."""
    numbers = {}
    for output in cell.get("outputs", []):
        if "scrapbook" in output.get("metadata", {}):
            value = output.data["application/papermill.record/text/plain"]
            with suppress(SyntaxError, ValueError):  # a text is stored as Python writes it
                value = str(literal_eval(value))
            numbers[output.metadata["scrapbook"]["name"]] = value
    return numbers


def _mark(text: str) -> str:
    """Return the mark of a sentence, which says under the mouse which rows it rests on."""
    mark = mark_of(text)
    return f'<abbr title="{html.escape(mark.told)}">{mark}</abbr>'


def _titled(role: str) -> tuple[str | None, str]:
    """Split ``text <target>``; the text is None where there is a target only."""
    match = _TITLED.fullmatch(role)
    return (match["text"], match["target"]) if match else (None, role)
