"""A chapter as a notebook for any place, with or without its solutions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from lib.teaching.blanks import blank
from lib.teaching.editions import blocks, code, opening
from lib.teaching.editions.roles import Roles, code_spans
from lib.teaching.editions.sources import Sources

__all__ = ["convert"]

GLUED = "application/papermill.record/text/plain"
SOLUTION = re.compile(r"^(`{3,}|:{3,})\{solution-(start|end)\}.*?^\1$", flags=re.M | re.S)
WORD = re.compile(r"(?<![\w-])[A-Za-z_]\w*(?![\w-])")
CODE_BLOCK = re.compile(r"^```python\n.*?^```$", flags=re.M | re.S)

# What a page folds is folded in JupyterLab too; other programs show it.
FOLDED = {
    "hide-input": "source_hidden",
    "remove-input": "source_hidden",
    "hide-output": "outputs_hidden",
}


def convert(chapter: Path, book: Sources, *, kind: str) -> NotebookNode:
    """Return an edition of a chapter.

    Parameters
    ----------
    chapter : path
        The notebook, with its outputs: they hold the numbers of its text.
    book : Sources
        What the chapter may refer to.
    kind : str
        ``"editions"``, with folded solutions, or ``"student"``, without.

    Raises
    ------
    ValueError
        Something in the chapter is not known here, such as a directive.

    Examples
    --------
    >>> book = Sources()
    >>> edition = convert(book.chapters[0], book, kind="student")
    >>> [cell.id for cell in edition.cells[:4]]
    ['edition', 'package', 'title', 'setup']
    """
    cells = nbformat.read(chapter, as_version=4).cells
    made = _Edition(chapter.stem, cells, book, answers=kind == "editions")
    first = [
        nbformat.v4.new_markdown_cell(opening.note(kind), id="edition"),
        nbformat.v4.new_code_cell(
            opening.code(book), id="package", metadata={"jupyter": {"source_hidden": True}}
        ),
    ]
    notebook = nbformat.v4.new_notebook(cells=[*first, *made.cells()])
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


@dataclass
class _Edition:
    """A chapter on its way."""

    chapter: str
    source: list[NotebookNode]
    book: Sources
    answers: bool
    solution: list[str] | None = field(default=None, init=False)  # one that has begun

    def cells(self) -> list[NotebookNode]:
        """Return the cells of the edition."""
        made = []
        for cell in self.source:
            text = self._markdown(cell) if cell.cell_type == "markdown" else self._code(cell)
            if not text:
                continue
            new = getattr(nbformat.v4, f"new_{cell.cell_type}_cell")(text, id=cell.id)
            folds = {FOLDED[tag]: True for tag in _tags(cell) if tag in FOLDED}
            new.metadata = {"jupyter": folds} if folds else {}
            made.append(new)
        if self.solution is not None:
            raise ValueError(f"{self.chapter}: a solution does not end")
        return made

    @cached_property
    def _text(self) -> str:
        return "\n\n".join(c.source for c in self.source if c.cell_type == "markdown")

    @cached_property
    def _roles(self) -> Roles:
        glued = {
            output.metadata["scrapbook"]["name"]: output.data[GLUED]
            for cell in self.source
            for output in cell.get("outputs", [])
            if "scrapbook" in output.get("metadata", {})
        }
        return Roles(self.chapter, glued, self.book, blocks.numbered(self._text, self.chapter))

    def _markdown(self, cell):
        """Return the text of a cell; what belongs to a solution is put aside until its end."""
        shown = []
        pieces = SOLUTION.split(cell.source)
        for text, mark in zip(pieces[::3], [*pieces[2::3], None]):
            said = blocks.plain(text, self._roles, answers=self.answers)
            (shown if self.solution is None else self.solution).append(said)
            if mark and (mark == "start") != (self.solution is None):
                raise ValueError(f"{self.chapter}: {cell.id}: solution-{mark} is out of place")
            if mark == "start":
                self.solution = []
            elif mark == "end":
                body = "\n\n".join(filter(None, self.solution))
                shown += [blocks.details("Solution", body)] * self.answers
                self.solution = None
        return "\n\n".join(filter(None, shown))

    def _code(self, cell):
        """Return the code of a cell: in the place of a solution the blank."""
        tags = _tags(cell)
        if "solution" in tags:
            if self.solution is None:
                raise ValueError(f"{self.chapter}: {cell.id}: no solution-start before it")
            self.solution.append(f"```python\n{cell.source}\n```")
            return blank(cell.source)
        if self.solution is not None and not {"check", "remove-cell"} & tags:
            raise ValueError(f"{self.chapter}: {cell.id}: neither solution nor check")
        return self._pruned[cell.id]

    @cached_property
    def _pruned(self) -> Mapping[str, str]:
        """The code of the cells that are no solutions, without what nobody needs."""
        cells = [cell for cell in self.source if cell.cell_type == "code"]
        pieces = CODE_BLOCK.findall(self._text) + code_spans(self._text)
        mentioned = {word for piece in pieces for word in WORD.findall(piece)}
        kept: dict[str, str] = {cell.id: cell.source for cell in cells}
        before: Any = None
        while kept != before:  # what one cell no longer reads, another need not set
            before = kept
            needed = mentioned.union(*map(code.read, kept.values()))
            kept = {
                cell.id: kept[cell.id]
                if "solution" in _tags(cell)
                else code.without(kept[cell.id], needed, shown="remove-cell" not in _tags(cell))
                for cell in cells
            }
        return kept


def _tags(cell):
    return set(cell.metadata.get("tags", []))
