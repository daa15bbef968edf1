"""What a chapter may refer to: labels of chapters and pages, works of the bibliography."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
import yaml  # type: ignore[import-untyped]
from pybtex.database import Entry, parse_file
from pybtex.richtext import Text

from lib.paths import ROOT

__all__ = ["Place", "Sources"]

LABEL = re.compile(r"^\(([\w-]+)\)=$")
HEADING = re.compile(r"^#+ +(.+)$")


@dataclass(frozen=True)
class Place:
    """Where a label stands.

    Attributes
    ----------
    file : str
        Name of the chapter or page, without its ending.
    title : str
        The heading after the label; empty where none follows.
    page : str
        The first heading of the file.
    is_chapter : bool
        Whether the file is a notebook, of which there are editions.
    """

    file: str
    title: str
    page: str
    is_chapter: bool


@dataclass(frozen=True)
class Sources:
    """A book's folder, as far as its chapters refer to it.

    Attributes
    ----------
    root : path
        Of the book: the folder with ``_config.yml``, ``chapters`` and ``book``.

    Examples
    --------
    >>> book = Sources()
    >>> book.chapters[0].stem
    '00-foundations'
    >>> book.places["foundations"].title
    'Foundations'
    >>> book.cited("thom2007comparison")
    ('Thom and Scholer', '2007', '')
    """

    root: Path = ROOT

    @cached_property
    def chapters(self) -> list[Path]:
        """The notebooks of the chapters, in order."""
        return sorted((self.root / "chapters").glob("*.ipynb"))

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """Where each label of the book stands."""
        found: dict[str, Place] = {}
        for path in self.chapters:
            cells = nbformat.read(path, as_version=4).cells
            text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
            found |= _places(path.stem, text, is_chapter=True)
        for path in sorted((self.root / "book").glob("*.md")):
            found |= _places(path.stem, path.read_text(encoding="utf-8"), is_chapter=False)
        return found

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        return parse_file(self.root / "book" / "references.bib").entries

    def cited(self, key: str) -> tuple[str, str, str]:
        """Return the authors, the year and the address of a work; the address may be empty.

        Raises
        ------
        ValueError
            The bibliography has no such work.
        """
        if key not in self._entries:
            raise ValueError(f"no work {key!r} in book/references.bib")
        entry = self._entries[key]
        names = [
            str(Text.from_latex(" ".join([*person.prelast_names, *person.last_names])))
            for person in entry.persons["author"]
        ]
        doi = entry.fields.get("doi")
        address = f"https://doi.org/{doi}" if doi else entry.fields.get("url", "")
        return _listed(names), entry.fields["year"], address

    @cached_property
    def repository(self) -> tuple[str, str]:
        """The address of the book's repository, which may be empty, and its branch."""
        config = yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        return config["repository"]["url"].rstrip("/"), config["repository"]["branch"]


def _places(file, text, *, is_chapter):
    """Return the labels of a text."""
    lines = [line for line in text.splitlines() if line.strip()]
    headings = [HEADING.match(line) for line in lines]
    page = next((heading[1] for heading in headings if heading), file)
    found, waiting = {}, []
    for line, heading in zip(lines, headings):
        if label := LABEL.match(line):
            waiting.append(label[1])
        else:
            title = heading[1] if heading else ""
            found |= {label: Place(file, title, page, is_chapter) for label in waiting}
            waiting = []
    return found


def _listed(names):
    """Return names as an author-year citation has them."""
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)
