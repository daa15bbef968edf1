"""Cells of a notebook, and which of them another one needs."""

import ast
from functools import cache

import nbformat
from bs4 import BeautifulSoup

COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def code_cells(path):
    """Return the code cells of a notebook, in order."""
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


@cache
def pages(path):
    """Return what the cells of a notebook show as HTML: the name of the cell, and it parsed."""
    return [
        (cell.id, BeautifulSoup(output["data"]["text/html"], "html.parser"))
        for cell in code_cells(path)
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]


def glued(path):
    """Return what each glued name of a notebook stands for."""
    said = "application/papermill.record/text/plain"
    return {
        output.metadata["scrapbook"]["name"]: output.data[said].strip("'")
        for cell in code_cells(path)
        for output in cell.outputs
        if "scrapbook" in output.get("metadata", {})
    }


def names(source, kind):
    """Return the names that a cell reads (ast.Load) or sets (ast.Store).

    What only a function or a comprehension of the cell knows, such as a loop's variable, is none.
    """
    return _names(ast.parse(source), kind)


def imported(source):
    """Return the names that the imports of a cell set."""
    nodes = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom)]
    return {alias.asname or alias.name.partition(".")[0] for n in nodes for alias in n.names}


def imported_packages(source):
    """Return the packages that code imports, by the first of their names."""
    nodes = list(ast.walk(ast.parse(source)))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}


def _names(node, kind):
    found = set().union(*(_names(part, kind) for part in ast.iter_child_nodes(node)))
    if isinstance(node, COMPREHENSION):
        # The first iterable is read outside: [x for x in x].
        outside = _names(node.generators[0].iter, ast.Load)
        return found - _set_inside(node) | outside if kind is ast.Load else set()
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        found = found - _set_inside(node) if kind is ast.Load else set()
    if isinstance(node, ast.Name) and isinstance(node.ctx, kind):
        found.add(node.id)
    if kind is ast.Store:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def _set_inside(node):
    """Return the variables and arguments of a function or a comprehension."""
    parts = list(ast.walk(node))
    variables = {n.id for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return variables | {n.arg for n in parts if isinstance(n, ast.arg)}


def needed(cells, last):
    """Return the sources of the cells before `last` that set a name which it needs, in order."""
    sources, wanted = [], names(cells[last].source, ast.Load)
    for cell in reversed(cells[:last]):
        if given := names(cell.source, ast.Store) & wanted:
            sources.insert(0, cell.source)
            wanted = (wanted - given) | names(cell.source, ast.Load)
    return sources


def with_needed(cells, asked):
    """Return where the cells stand that are asked, and those that set what they read, in order."""
    places, wanted = [], set()
    for place, cell in reversed([*enumerate(cells)]):
        if asked[place] or names(cell.source, ast.Store) & wanted:
            places.insert(0, place)
            wanted |= names(cell.source, ast.Load)
    return places
