"""Editions of the chapters: notebooks without MyST, for any place that opens notebooks.

The reading editions have their solutions folded, the student editions have none.  There is none of
an audit for students: links lead to its reading edition.
The numbers in a text are the book's; where a notebook comes to others, because its data were
changed, a line beneath the text says both.
``python -m book.teaching.editions FOLDER`` writes both from the chapters and their outputs.
"""

import ast
import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from book.teaching.myst import AUDIT, Book, Translator, folded, numbers_of
from book.wheel.renaming import PACKAGE

EDITIONS = ("editions", "student")
_EXERCISES = re.compile(r"^## Exercises$", flags=re.M)
_LINKED = re.compile(r"</?abbr[^>]*>|\[([^\]]*)\]\([^)]*\)")  # a term, a link with its text
_GLUED = re.compile(r"\{glue:text\}`([^`]+)`")
_HERE = '''\
from lib.display.prose import here

here(r"""{sentences}""")'''
_SOLUTION = re.compile(r"^(`{3,}|:{3,})\{solution-(start|end)\}.*?^\1$", flags=re.M | re.S)
# What a page folds, or leaves out, is folded in JupyterLab; other programs show it.  What a reader
# is asked to change is open.
_CHANGE = "# Change this"
_FOLDED = {"jupyter": {"source_hidden": True}}
_PARAMETERS = "parameters"  # the tag after whose cell papermill sets others
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
NOTES = {
    "editions": "The reading edition of a chapter of *Measuring the Measures*: text, code and "
    "exercises, with their solutions folded.",
    "student": "The student edition of a chapter of *Measuring the Measures*: text, code and "
    "exercises, without solutions.",
    AUDIT: "An audit of *Measuring the Measures*: what stands behind a chapter, text and code.",
}
_NOTE = """{kind}
Run the cells from top to bottom; `...` in a cell is the place of an answer.
The sentences have the book's numbers. Where you change the data, those that would have others \
stand beneath their text, with both; verdict words are of the claims as registered, and stay.
The code needs the book's package `lib`, which has the data beside it: the next cell looks whether \
they are there, and says what to do if not.
In the book's folder `make lab` writes both editions of every chapter, into `notebooks/editions` \
and `notebooks/student`, and opens them."""
CODE = """\
# Code and data come with the book's package, `lib`.
from pathlib import Path

HOW = "{how}"
{installed}try:
    from lib.paths import DATA
except ImportError:
    raise ImportError(f"the book's package `lib` is not here, or hidden: {{HOW}}") from None
if not DATA.is_dir():
    raise ImportError(f"the book's package `lib` is here without its data: {{HOW}}")
try:
    import chapters
except ImportError:
    raise ImportError(f"the book's package `lib` is here without its chapters: {{HOW}}") from None
found = chapters.__file__ or chapters.__path__[0]
if Path(found).resolve() != DATA.parent / "chapters" / "__init__.py":
    raise ImportError(f"{{found}} hides the book's chapters: rename it, or open this elsewhere")"""
_INSTALLED = """\
import importlib.abc
import importlib.util
import sys


# Where pip installed the package, `lib` and `chapters` are found in it.
class Installed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    names = {{"lib": "{package}", "chapters": "{package}.chapters"}}

    def find_spec(self, name, path=None, target=None):
        known = name.partition(".")[0] in self.names
        return importlib.util.spec_from_loader(name, self) if known else None

    def create_module(self, spec):
        first, *rest = spec.name.split(".")
        module = importlib.import_module(".".join([self.names[first], *rest]))
        self.own = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.own


if importlib.util.find_spec("{package}") and not importlib.util.find_spec("lib"):
    sys.meta_path.insert(0, Installed())
"""


def convert(chapter: Path, book: Book, *, kind: str) -> NotebookNode:
    """Return an edition of a chapter: ``"editions"``, with folded solutions, or ``"student"``.

    >>> book = Book()
    >>> edition = convert(book.chapters[0], book, kind="student")
    >>> [cell.id for cell in edition.cells[:4]]
    ['edition', 'package', 'title', 'parameters']
    """
    note = NOTES[AUDIT if chapter.stem.endswith(AUDIT) else kind]
    about = nbformat.v4.new_markdown_cell(_NOTE.format(kind=note), id="edition")
    package = nbformat.v4.new_code_cell(package_check(book), id="package", metadata=_FOLDED)
    cells = [about, package, *_cells(chapter, book, answers=kind == "editions")]
    return nbformat.v4.new_notebook(cells=cells, metadata={**METADATA, "made": _digest(cells)})


def kinds(name: str) -> tuple[str, ...]:
    """Return the editions of a notebook: an audit has no exercises, and none for students."""
    return EDITIONS[:1] if name.endswith(AUDIT) else EDITIONS


def package_check(book: Book) -> str:
    """Return the code that looks for the package and its data."""
    copy = f"in a copy of {book.address or 'the book'}"
    how = f"{copy} `make lab` opens this with it, and `pip install -e '.[report]'` installs it"
    return CODE.format(how=how, installed=_INSTALLED.format(package=PACKAGE))


def _cells(chapter: Path, book: Book, *, answers: bool) -> Iterator[NotebookNode]:
    """Yield the cells of an edition; what belongs to a solution is put aside until its end."""
    source = nbformat.read(chapter, as_version=4).cells
    translator = Translator.of(chapter, source, book)
    solution: list[str] | None = None
    main = _main(source)
    compared = _comparisons(source[:main], translator)
    for at, cell in enumerate(source):
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "code":
            # It makes the text's numbers; those of a solution need a student's answer.
            if "remove-cell" in tags and at > main:
                continue
            if (solution is not None) != bool(tags & {"solution", "check"}):
                raise ValueError(f"{chapter.stem}: {cell.id}: a solution or check is out of place")
            if "solution" in tags and solution is not None:
                solution.append(f"```python\n{cell.source}\n```")
            text = without_answer(cell.source) if "solution" in tags else cell.source
        else:
            text, solution = _markdown(cell, translator, solution, answers)
        if text:
            new = getattr(nbformat.v4, f"new_{cell.cell_type}_cell")(text, id=cell.id)
            folded = tags & {"hide-input", "remove-input", "remove-cell"}
            new.metadata = _FOLDED if folded and _CHANGE not in text else {}
            if _PARAMETERS in tags:
                new.metadata = {**new.metadata, "tags": [_PARAMETERS]}
            yield new
        yield from compared[at]
    if solution is not None:
        raise ValueError(f"{chapter.stem}: a solution does not end")


def _main(source: list[NotebookNode]) -> int:
    """Return how many cells stand before the exercises."""
    texts = (at for at, cell in enumerate(source) if cell.cell_type == "markdown")
    return next((at for at in texts if _EXERCISES.search(source[at].source)), len(source))


def _comparisons(
    source: list[NotebookNode], translator: Translator
) -> Mapping[int, list[NotebookNode]]:
    """Return cells that show what a text's numbers are here, by the cell after which they stand.

    That is the text or, if it comes later, what makes its last number.
    """
    made = {name: at for at, cell in enumerate(source) for name in numbers_of(cell)}
    marks = {name: f"⟦{name}|{value}⟧" for name, value in translator.numbers.items()}
    marked, by_cell = replace(translator, numbers=marks), defaultdict(list)
    for at, cell in enumerate(source):
        if cell.cell_type == "code":
            continue
        named = {line: _GLUED.findall(line) for line in cell.source.split("\n")}
        followed = {line: names for line, names in named.items() if made.keys() & names}
        if followed:
            lines = (_LINKED.sub(r"\1", marked.plain(line)).strip("| ") for line in followed)
            shown = _HERE.format(sentences="\n".join(lines))
            new = nbformat.v4.new_code_cell(shown, id=f"here-{cell.id}", metadata=_FOLDED)
            last = max([at, *(made.get(n, at) for names in followed.values() for n in names)])
            by_cell[last].append(new)
    return by_cell


def _markdown(cell: NotebookNode, translator: Any, solution: Any, answers: Any) -> Any:
    """Return what a text shows, and what of a solution has begun with it and not ended."""
    shown: list[str] = []
    pieces = _SOLUTION.split(cell.source)
    for text, mark in zip(pieces[::3], [*pieces[2::3], None]):
        (shown if solution is None else solution).append(translator.text(text))
        if mark and (mark == "start") != (solution is None):
            raise ValueError(f"{translator.chapter}: {cell.id}: solution-{mark} is out of place")
        if mark == "start":
            solution = []
        elif mark == "end":
            shown += [folded("Solution", "\n\n".join(filter(None, solution)))] * answers
            solution = None
    return "\n\n".join(filter(None, shown)), solution


def without_answer(solution: str) -> str:
    """Return what a student begins with: imports, and the last statement without its answer.

    Of a function the name, the arguments and the documentation stay; of a dict that is written out
    the keys.

    >>> print(without_answer("half = 1 / 2\\nanswer = {'half': half, 'whole': 2 * half}"))
    answer = {'half': ..., 'whole': ...}
    >>> print(without_answer("def twice(x):\\n    return 2 * x"))
    def twice(x):
        ...
    """
    *before, last = ast.parse(solution).body
    kept = [part for part in before if isinstance(part, ast.Import | ast.ImportFrom)]
    nothing = ast.Constant(value=...)
    if isinstance(last, ast.FunctionDef):
        documented = last.body[:1] if ast.get_docstring(last) is not None else []
        last.body = [*documented, ast.Expr(nothing)]
    elif isinstance(last, ast.Assign) and isinstance(last.value, ast.Dict):
        last.value.values = [nothing for _ in last.value.values]
    elif isinstance(last, ast.Assign):
        last.value = nothing
    else:
        raise ValueError("a solution must end with an assignment or a function")
    return ast.unparse(ast.fix_missing_locations(ast.Module([*kept, last], [])))


def write(folder: Path, book: Book | None = None) -> list[Path]:
    """Write all editions below a folder; return those left alone, because somebody worked there."""
    book, kept = book or Book(), []
    for chapter in book.notebooks:
        for kind in kinds(chapter.stem):
            file = folder / kind / chapter.name
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists() and _worked_in(file):
                kept.append(file)
            else:
                nbformat.write(convert(chapter, book, kind=kind), file)
    return kept


def _digest(cells: Iterable[NotebookNode]) -> str:
    return hashlib.sha256(repr([(cell.id, cell.source) for cell in cells]).encode()).hexdigest()


def _worked_in(file: Path) -> bool:
    """Return whether a notebook has outputs, or is not as it was written here."""
    notebook = nbformat.read(file, as_version=4)
    ran = any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
    return ran or notebook.metadata.get("made") != _digest(notebook.cells)


if __name__ == "__main__":
    for left in write(Path(sys.argv[1])):
        print(f"{left} has somebody's work and was left alone", file=sys.stderr)
