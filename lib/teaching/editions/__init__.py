"""Editions of the chapters: notebooks without MyST, for any place that opens notebooks.

The reading editions have their solutions folded, the student editions have none.  Both are made
from the chapters and their stored outputs, and committed without outputs.
"""

from collections.abc import Iterator
from pathlib import Path

import nbformat

from lib.paths import ROOT
from lib.teaching.editions.notebook import convert
from lib.teaching.editions.sources import Sources

__all__ = ["KINDS", "Sources", "convert", "made", "stale", "write"]

# The folders below ``book/``: with solutions, and without.
KINDS = ("editions", "student")


def made(book: Sources) -> Iterator[tuple[str, str]]:
    """Yield each edition's file below ``book/``, and what it holds.

    Parameters
    ----------
    book : Sources
        The book whose chapters are converted.

    Examples
    --------
    >>> name, text = next(made(Sources()))
    >>> name, "{glue" in text
    ('editions/00-foundations.ipynb', False)
    """
    for kind in KINDS:
        for chapter in book.chapters:
            text = nbformat.writes(convert(chapter, book, kind=kind))
            yield f"{kind}/{chapter.name}", text.rstrip("\n") + "\n"


def stale() -> list[str]:
    """Return the files below ``book/`` that are not the editions of the chapters as they are."""
    current = dict(made(Sources()))
    left = [f"{kind}/{file.name}" for kind in KINDS for file in _folder(kind).glob("*.ipynb")]
    return sorted(name for name in {*current, *left} if _committed(name) != current.get(name))


def write() -> list[str]:
    """Write all editions; return those that were left alone, because somebody worked in them.

    An edition that has outputs holds somebody's answers, perhaps.
    """
    current, kept = dict(made(Sources())), []
    for name in stale():
        file = ROOT / "book" / name
        if file.is_file() and _worked_in(file):
            kept.append(name)
        elif name in current:
            file.parent.mkdir(exist_ok=True)
            file.write_text(current[name], encoding="utf-8")
        else:  # of a chapter that is no more
            file.unlink()
    return kept


def _folder(kind: str) -> Path:
    return ROOT / "book" / kind


def _committed(name):
    file = ROOT / "book" / name
    return file.read_text(encoding="utf-8") if file.is_file() else None


def _worked_in(file):
    cells = nbformat.read(file, as_version=4).cells
    return any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
