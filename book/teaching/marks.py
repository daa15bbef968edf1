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
# without: names, and modules.
_BARRED = set(
    "exec eval compile globals locals vars setattr delattr getattr get_ipython builtins chapters "
    "ctypes gc importlib inspect pkgutil runpy subprocess sys".split()
)

_EMPTIED = "# Not marked: "


def reaches(code: str, imported: Collection[str] = ()) -> str:
    """Return what a cell uses to reach the book's own code, or to patch what was imported, if any.

    >>> reaches("from chapters.exercises import items"), reaches("check.__globals__")
    ('chapters', '__globals__')
    >>> reaches("holm.f = 1", ["holm"]), reaches("import numpy as np\\nx = np.mean([1, 2])")
    ('holm.f', '')
    """
    nodes = _nodes(code)
    if not nodes:  # one of IPython's commands, or a slip, which gives no points either
        return "a command" if re.search(r"^\s*[%!]", code, flags=re.M) else ""
    for node in nodes:
        is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_set and ast.unparse(node).partition(".")[0] in imported:
            return ast.unparse(node)
        names = [getattr(node, part, None) or "" for part in ("id", "attr", "module")]
        names += [node.name] if isinstance(node, ast.alias) else []
        for name in (one.partition(".")[0] for one in names):
            if name in _BARRED or re.fullmatch("__(?!init__|name__).*__", name):
                return name
    return ""


def _nodes(code: str) -> list[Any]:
    """Return the parts of a cell, none of one that is no Python."""
    with suppress(SyntaxError):
        return [*ast.walk(ast.parse(code))]
    return []


class Emptied(NbGraderPreprocessor):
    """Empties, before a notebook is run, the cells that reach into the book's own code."""

    def preprocess(self, notebook: Any, resources: Any) -> Any:
        """Return the notebook without what such cells do."""
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        imported = {
            (node.asname or node.name).partition(".")[0]
            for cell in code
            for node in _nodes(cell.source)
            if isinstance(node, ast.alias)
        }
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
