"""The editions of the chapters, for the tests that look at them and that run them."""

import ast
import re
from copy import deepcopy
from functools import cache

import nbformat
from cells import names
from nbclient import NotebookClient

from book.teaching.editions import convert
from book.teaching.myst import Book

BOOK = Book()
CHAPTERS = [path.stem for path in BOOK.chapters]
NOTEBOOKS = [path.stem for path in BOOK.notebooks]
SOLVED = re.compile(r"<summary>Solution</summary>\n\n```python\n(.*?)\n```", flags=re.DOTALL)


@cache
def _converted(kind, chapter):
    return convert(BOOK.root / "chapters" / f"{chapter}.ipynb", BOOK, kind=kind)


def edition(kind, chapter):
    """Return an edition."""
    return deepcopy(_converted(kind, chapter))


def is_check(cell):
    return cell.cell_type == "code" and cell.source.startswith("check(")


def code(kind, chapter):
    """Return the code cells of an edition: (id, source)."""
    cells = edition(kind, chapter).cells
    return [(cell.id, cell.source) for cell in cells if cell.cell_type == "code"]


def solved(chapter):
    """Return the reading edition, after each check its folded solution and the check again."""
    notebook, cells = edition("editions", chapter), []
    for at, cell in enumerate(notebook.cells):
        cells.append(cell)
        if is_check(cell):
            answer = SOLVED.search(notebook.cells[at + 1].source)[1]
            again = [(answer, f"answer-{cell.id}"), (cell.source, f"again-{cell.id}")]
            cells += [nbformat.v4.new_code_cell(text, id=name) for text, name in again]
    notebook.cells = cells
    return notebook


def for_its_checks(notebook):
    """Leave out the code that no check, answer or blank needs: the chapter itself is run whole."""
    kept, wanted = [], set()
    for cell in reversed(notebook.cells):
        if cell.cell_type == "code":
            given = names(cell.source, ast.Store) & wanted
            own = is_check(cell) or cell.id.startswith(("answer-", "again-"))
            if not (given or own):
                continue
            wanted = (wanted - given) | names(cell.source, ast.Load)
        kept.insert(0, cell)
    notebook.cells = kept
    return notebook


def run(notebook, folder, monkeypatch, kernel="python3"):
    """Run a notebook in a folder, with live controls; an error in it is raised."""
    monkeypatch.delenv("MEASURES_STATIC", raising=False)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=600, kernel_name=kernel, resources=resources).execute()


def said(cell):
    """Return what the value of a cell says."""
    return cell.outputs[-1].data["text/plain"]


def runs_from_an_empty_folder(notebook, folder, monkeypatch, kernel="python3"):
    """Run a solved edition: all is there, and each check knows a blank from its solution."""
    run(notebook, folder, monkeypatch, kernel)
    cells = {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}
    for name, cell in cells.items():
        assert not [o for o in cell.outputs if o.get("name") == "stderr"], name
        if f"again-{name}" in cells:
            assert said(cell).startswith("○ There is no answer yet.")
            assert said(cells[f"again-{name}"]).startswith("✓ Right."), name
    assert not any(folder.iterdir())
