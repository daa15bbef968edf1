"""Slides of a chapter: what a lecturer shows.

A deck holds the question of the chapter, the output of each cell that is tagged ``slide``, below
the heading of its section, and the take-aways.
"""

import re
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbformat import NotebookNode

from lib.teaching.editions import Sources, convert

__all__ = ["TAG", "deck", "selected", "write"]

TAG = "slide"
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")  # within the book: not on a slide


def selected(chapter: Path, book: Sources) -> NotebookNode:
    """Return a notebook of what is on the slides: a Markdown cell begins each of them.

    Parameters
    ----------
    chapter : path
        The notebook, with its outputs.
    book : Sources
        What it may refer to.

    Raises
    ------
    ValueError
        Nothing in the chapter is tagged, or it has no take-aways.
    """
    source = nbformat.read(chapter, as_version=4).cells
    shown = {cell.id: cell for cell in source if TAG in cell.metadata.get("tags", [])}
    if not shown:
        raise ValueError(f"{chapter.name}: no cell is tagged {TAG!r}")
    heading = ""
    slides: list[NotebookNode] = []
    text = {
        cell.id: LINK.sub(r"\1", re.sub(r"<a id=[^>]*></a>\s*", "", cell.source))
        for cell in convert(chapter, book, kind="editions").cells
        if cell.cell_type == "markdown" and cell.id != "edition"
    }
    for cell in source:
        said = text.get(cell.id, "")
        if not slides and said:
            slides.append(_slide(f"{cell.id}-question", _opening(said)))
        heading = [heading, *re.findall(r"^#+ (.*)$", said, flags=re.MULTILINE)][-1]
        if cell.id in shown:
            slides += [_slide(f"{cell.id}-slide", f"## {heading}"), _code(cell)]
    slides.append(_slide("take-aways", _take_aways(chapter, text)))
    title = re.sub(r"^# ", "", slides[0].source.partition("\n")[0])
    return nbformat.v4.new_notebook(cells=slides, metadata={"title": title})


def _slide(identifier, text):
    return nbformat.v4.new_markdown_cell(text, id=identifier)


def _code(cell):
    return nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=cell.outputs)


def _opening(text):
    """Return the title and the paragraphs below it, down to the first block of another kind."""
    paragraphs = text.split("\n\n")
    kept = 1
    while kept < len(paragraphs) and re.match(r"[A-Za-z*]", paragraphs[kept]):
        kept += 1
    return "\n\n".join(paragraphs[:kept])


def _take_aways(chapter, text):
    for said in text.values():
        if found := re.search(r"^## Take-aways\n.*", said, flags=re.MULTILINE | re.DOTALL):
            return found[0]
    raise ValueError(f"{chapter.name}: it has no take-aways")


def deck(chapter: Path, book: Sources) -> str:
    """Return a chapter's slides as one HTML file that needs nothing else.

    Parameters
    ----------
    chapter, book
        As for :func:`selected`.
    """
    exporter = HTMLExporter(
        template_name="deck", extra_template_basedirs=[str(Path(__file__).parent)]
    )
    html, _ = exporter.from_notebook_node(selected(chapter, book))
    return html


def write(folder: Path) -> None:
    """Write the decks of all chapters.

    Parameters
    ----------
    folder : path
        Made where it is missing.
    """
    book = Sources()
    folder.mkdir(parents=True, exist_ok=True)
    for chapter in book.chapters:
        (folder / f"{chapter.stem}.html").write_text(deck(chapter, book), encoding="utf-8")
