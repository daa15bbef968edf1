"""Cells of a notebook, and which of them another one needs."""

import ast

import nbformat


def code_cells(path):
    """Return the code cells of a notebook, in order."""
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


def names(source, kind):
    """Return the names that a cell reads (ast.Load) or sets (ast.Store)."""
    tree = ast.parse(source)
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}
    if kind is ast.Store:
        imports = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
        aliases = [alias for n in imports for alias in n.names]
        found |= {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        found |= {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return found


def needed(cells, last):
    """Return the sources of the cells before `last` that set a name which it needs, in order."""
    sources, wanted = [], names(cells[last].source, ast.Load)
    for cell in reversed(cells[:last]):
        if given := names(cell.source, ast.Store) & wanted:
            sources.insert(0, cell.source)
            wanted = (wanted - given) | names(cell.source, ast.Load)
    return sources
