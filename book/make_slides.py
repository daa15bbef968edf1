"""Makes slides of the chapters: question, outputs of the cells tagged ``slide``, take-aways.

``slides.yml`` beside this file has the speaker's notes, definitions, other headings, which
columns and how many rows of a table a slide shows, where the others are too many or what a class
computes.
``python -m book.make_slides FOLDER`` writes a deck a chapter, each one HTML file.
"""

import re
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import nbformat
import yaml
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbformat import NotebookNode

from book.teaching.editions import convert
from book.teaching.myst import Book

TAG = "slide"
SAID = yaml.safe_load(Path(__file__).with_name("slides.yml").read_text(encoding="utf-8"))
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")  # within the book: not on a slide


def selected(chapter: Path, book: Book) -> NotebookNode:
    """Return a notebook of what is on the slides: a Markdown cell begins each of them."""
    source = nbformat.read(chapter, as_version=4).cells
    texts = {
        cell.id: LINK.sub(r"\1", re.sub(r"<a id=[^>]*></a>\s*", "", cell.source))
        for cell in convert(chapter, book, kind="editions").cells[2:]
        if cell.cell_type == "markdown"
    }
    opening = next(iter(texts.values()))
    question = re.match(r"# .*(\n\n[A-Za-z*][^\n]*(\n[^\n]+)*)*", opening)
    closing = "\n".join(texts.values()).partition("\n## Take-aways\n")[2].partition("\n## ")[0]
    take_aways = re.findall(r"^- .*$", closing, flags=re.M)
    if not (question and take_aways):
        raise ValueError(f"{chapter.name}: it has no title or no take-aways")
    tagged = {cell.id for cell in source if TAG in cell.metadata.get("tags", [])}
    notes = SAID[chapter.stem]
    if differ := tagged.symmetric_difference(notes):
        raise ValueError(f"{chapter.name}: tagged {TAG!r} or in slides.yml, not both: {differ}")
    heading, slides = "", [_slide("question", question[0])]
    for cell in source:
        heading = [heading, *re.findall(r"^#+ (.*)$", texts.get(cell.id, ""), flags=re.M)][-1]
        if note := notes.get(cell.id):
            if "before" in note:
                slides.append(_slide(f"{cell.id}-before", note["before"]))
            text = f"## {note.get('heading', heading)}\n\n{note.get('text', '')}"
            shown = nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=cell.outputs)
            if part := {key: note[key] for key in ("columns", "rows", "words") if key in note}:
                shown.outputs = [beginning(one, **part) for one in shown.outputs]
            if title := note.get("title"):
                shown.outputs = [titled(one, title) for one in shown.outputs]
            shown.metadata["note"] = [note["ask"], note["expect"]]
            slides += [_slide(f"{cell.id}-slide", text), shown]
    slides.append(_slide("take-aways", "\n".join(["## Take-aways", "", *take_aways])))
    title = opening.partition("\n")[0].removeprefix("# ")
    return nbformat.v4.new_notebook(cells=slides, metadata={"title": title})


def beginning(
    output: NotebookNode, columns: Any = (), rows: int = 99, words: Any = ()
) -> NotebookNode:
    """Return a table's output without its caption, other columns and further rows.

    What stands in some cells is said in other words.
    """
    page = BeautifulSoup(output["data"]["text/html"], "html.parser")
    kept = "".join(f":not(:nth-child({at}))" for at in columns)
    others = f", tr > *{kept}" * bool(kept)
    for part in page.select(f"caption, tbody > tr:nth-child(n + {rows + 1}){others}"):
        part.decompose()
    for cell in page.select("th, td"):
        if cell.string in words:
            cell.string = str(words[cell.string])
    return nbformat.v4.new_output("display_data", {"text/html": str(page)})


def titled(output: NotebookNode, title: str) -> NotebookNode:
    """Return a figure's output with a shorter title."""
    page = BeautifulSoup(output["data"]["text/html"], "html.parser")
    page.select_one("figcaption strong").string = title
    return nbformat.v4.new_output("display_data", {"text/html": str(page)})


def _slide(identifier, text):
    return nbformat.v4.new_markdown_cell(text, id=identifier)


def write(folder: Path) -> None:
    """Write the decks of all chapters; each needs nothing else."""
    book = Book()
    templates = Path(__file__).with_name("templates")
    exporter = HTMLExporter(template_name="deck", extra_template_basedirs=[str(templates)])
    folder.mkdir(parents=True, exist_ok=True)
    static = Path(__file__).with_name("static")
    fonts = {one.stem: b64encode(one.read_bytes()).decode() for one in static.glob("fonts/*.woff")}
    look = (static / "look.css").read_text(encoding="utf-8")
    resources = {"fonts": fonts, "colours": re.search(r"(?ms)^:root \{.*?^\}", look)[0]}
    for chapter in book.chapters:
        html, _ = exporter.from_notebook_node(selected(chapter, book), resources=resources)
        (folder / f"{chapter.stem}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
