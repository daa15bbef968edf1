"""The code of a chapter without what only the page needs."""

import ast
import re
from collections.abc import Callable, Collection, Iterable

__all__ = ["needed_before", "read", "read_later", "stored", "without"]


def read(tree: ast.AST) -> set[str]:
    """Return the names that code reads.

    Examples
    --------
    >>> sorted(read(ast.parse("mean = total / count")))
    ['count', 'total']
    """
    nodes = ast.walk(tree)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def read_later(source: str) -> set[str]:
    """Return the names that functions read: whenever they are called.

    Examples
    --------
    >>> read_later("y = x\\ndef f():\\n    return z")
    {'z'}
    """
    functions = ast.FunctionDef | ast.Lambda
    nodes = ast.walk(ast.parse(source))
    return set().union(*(read(node) for node in nodes if isinstance(node, functions)))


def needed_before(source: str, after: Collection[str]) -> set[str]:
    """Return the names that must be set before some code, so that it and what follows can run.

    Examples
    --------
    >>> sorted(needed_before("x = 1\\ny = x + z", {"x", "y", "a"}))
    ['a', 'z']
    """
    names = set(after)
    for statement in reversed(ast.parse(source).body):
        names = (names - stored(statement)) | read(statement)
    return names


def stored(statement: ast.stmt) -> set[str]:
    """Return the names that an import or a plain assignment sets; nothing of another statement.

    Examples
    --------
    >>> sorted(stored(ast.parse("a, b = 1, 2").body[0]))
    ['a', 'b']
    """
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {_bound(alias) for alias in statement.names}
    if isinstance(statement, ast.Assign):
        names = [n for target in statement.targets for n in ast.walk(target)]
        if all(isinstance(n, ast.Name | ast.Tuple | ast.expr_context) for n in names):
            return {n.id for n in names if isinstance(n, ast.Name)}
    return set()


def without(source: str, needed: Collection[str], *, shown: bool = True) -> str:
    """Return code without what is said to the page, and without names that nobody needs.

    Parameters
    ----------
    source : str
        Of a cell.
    needed : collection of str
        Names that later code reads, or the text; what the code itself reads is kept too.
    shown : bool
        Whether the cell shows something; of one that does not its imports and assignments stay.

    Returns
    -------
    str
        Empty if nothing stays.

    Examples
    --------
    >>> print(without("from a import b, c\\nx = b(1)\\nsay(c(x))\\nx", set()))
    from a import b
    x = b(1)
    x
    >>> print(without("x = 1\\nif own:\\n    glue_all(x)\\ny = x\\nf(y)", {"x"}, shown=False))
    x = 1
    """
    before = None
    while source != before:  # what one line no longer reads, another need not set
        before = source
        source = _once(source, {*needed, *read(ast.parse(source))}, shown)
    return source


def _once(source, needed, shown):
    """Return code without what is said, and without what nobody needs as long as the rest stays."""
    lines: list[str | None] = list(source.splitlines())

    def drop(statement: ast.stmt) -> bool:
        names = stored(statement)
        if names:
            return not names & needed
        return _says(statement) or (isinstance(statement, ast.Expr) and not shown)

    _clear(ast.parse(source).body, drop, lines, needed)
    kept = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n")


def _bound(alias):
    """Return the name that an import sets."""
    return alias.asname or alias.name.partition(".")[0]


def _says(statement):
    """Return whether a statement is a call of ``say``, which names numbers for the page's text."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "say"


def _clear(
    body: Iterable[ast.stmt],
    drop: Callable[[ast.stmt], bool],
    lines: list[str | None],
    needed: Collection[str],
) -> bool:
    """Take the lines of what is dropped out of a body; return whether nothing of it stays."""
    stays = False
    for part in body:
        first, last = part.lineno - 1, part.end_lineno or part.lineno
        inside = part.body if isinstance(part, ast.If) and not part.orelse else []
        if drop(part) or (inside and _clear(inside, drop, lines, needed)):
            lines[first:last] = [None] * (last - first)
            continue
        stays = True
        if isinstance(part, ast.Import | ast.ImportFrom):
            kept = [alias for alias in part.names if _bound(alias) in needed]
            if len(kept) < len(part.names):
                part.names = kept
                lines[first:last] = [ast.unparse(part), *[None] * (last - first - 1)]
    return not stays
