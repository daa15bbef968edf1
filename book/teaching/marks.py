"""What was handed in and could not be marked, or must not: nbgrader exports a 0, and says nothing.

No answer may reach into the book's own code: what copies a solution from there, or changes a check.
Such cells are emptied before they run.  It is no sandbox: who wants to, finds a way around.

``python -m book.teaching.marks FOLDER`` lists it, a line each, from the folders of a course.
"""

import ast
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor

from book.teaching.seed import stop
from lib.errors import InputError, harmless

# What an answer has no use for, and who patches a check, or looks a solution up, can hardly do
# without: names, and modules of which nothing may be imported.
_NAMES = set("exec eval compile globals locals vars setattr delattr getattr get_ipython".split())
_MODULES = set("builtins chapters ctypes gc importlib inspect pkgutil runpy subprocess sys".split())

_EMPTIED = "# Not marked: "


def reaches(code: str, imported: Collection[str] = ()) -> str:
    """Return what a cell uses to reach the book's own code, or to patch what was imported, if any.

    >>> reaches("from chapters.exercises import items"), reaches("check.__globals__")
    ('chapters', '__globals__')
    >>> reaches("holm.f = 1", ["holm"]), reaches("import numpy as np\\nx = np.mean([1, 2])")
    ('holm.f', '')
    """
    try:
        nodes = [*ast.walk(ast.parse(code))]
    except SyntaxError:  # one of IPython's commands, or a slip, which gives no points either
        return "a command" if re.search(r"^\s*[%!]", code, flags=re.M) else ""
    for node in nodes:
        modules = [name.partition(".")[0] for name in _imported(node)[0]]
        names = [getattr(node, "id", ""), getattr(node, "attr", "")]
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            root = ast.unparse(node).partition(".")[0]
            if root in imported:
                return ast.unparse(node)
        names = [x for x in names if x in _NAMES or re.fullmatch("__(?!init__|name__).*__", x)]
        if found := [*names, *(name for name in modules if name in _MODULES)]:
            return found[0]
    return ""


def _imported(node: ast.AST) -> tuple[list[str], list[str]]:
    """Return the modules that a statement imports from, and the names that it binds."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return [], []
    bound = [(one.asname or one.name).partition(".")[0] for one in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""], bound
    return [one.name for one in node.names], bound


class Emptied(NbGraderPreprocessor):
    """Empties, before a notebook is run, the cells that reach into the book's own code."""

    def preprocess(self, notebook: Any, resources: Any) -> Any:
        """Return the notebook without what such cells do."""
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        imported: set[str] = set()
        for cell in code:
            with suppress(SyntaxError):
                for node in ast.walk(ast.parse(cell.source)):
                    imported.update(_imported(node)[1])
        for cell in code:
            locked = cell.metadata.get("nbgrader", {}).get("locked")
            if not locked and (found := reaches(cell.source, imported)):
                cell.source = f"{_EMPTIED}{found} reaches into the book's own code."
        return notebook, resources


SANITIZED = [*Autograde.sanitize_preprocessors.default(), Emptied]


def faults(course: Path) -> Iterator[str]:
    """Yield a line for each notebook of a course that nbgrader could not mark, or not whole."""
    for part in ("source", "submitted"):
        if not (course / part).is_dir():
            raise InputError(f"{course / part}: is not there, or is no folder")
    for source in sorted((course / "source").glob("*/*.ipynb")):
        for folder in sorted((course / "submitted").glob(f"*/{source.stem}")):
            handed = folder / source.name
            if wrong := _fault(course, handed, source):
                yield f"{handed.relative_to(course)}: {wrong}"


def _fault(course: Path, handed: Path, source: Path) -> str:
    """Say what is wrong with a notebook that was handed in, beside the one of the course."""
    marked = course / "autograded" / handed.relative_to(course / "submitted")
    if not marked.is_file():  # nbgrader keeps nothing of what it cannot read, or run to its end
        there = ", ".join(sorted(path.name for path in handed.parent.glob("*.ipynb"))) or "nothing"
        return f"is not marked; there is {there}: rename it, open it, and run it to its end"
    own, run, asked = (nbformat.read(one, as_version=4).cells for one in (handed, marked, source))
    kept, given = (
        {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells}
        for cells in (own, asked)
    )
    lost = sorted(given - kept - {None})
    code = (cell.source for cell in run if cell.source.startswith(_EMPTIED))
    reached = dict.fromkeys(one.removeprefix(_EMPTIED).split()[0] for one in code)
    said = [f"has lost {', '.join(lost)}"] if lost else []
    said += [f"reaches into the book by {', '.join(reached)}: no points there"] if reached else []
    return "; ".join(said)


if __name__ == "__main__":
    try:
        for line in faults(Path(sys.argv[1])):
            print(harmless(line))
    except InputError as error:
        stop(error)
