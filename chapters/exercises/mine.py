"""A reader's own functions: ``check`` keeps some in ``mine.py``, and later exercises use them.

The file has each function once, with what it uses of its notebook: functions, imports, constants.
"""

import ast
import inspect
import symtable
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any

FILE = Path("mine.py")  # beside the notebook
_HEAD = '"""Functions of mine that `check` found right."""\n'


def read() -> str:
    """Return the text of the file, or how a new one begins."""
    return FILE.read_text(encoding="utf-8") if FILE.is_file() else _HEAD


def functions(text: str) -> dict[str, Any]:
    """Return what the text of a file defines.

    >>> functions("def half(x):\\n    return x / 2")["half"](3)
    1.5
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, FILE.name)
        path.write_text(text, encoding="utf-8")
        return run_path(str(path), run_name=FILE.stem)


def is_own(value: Any) -> bool:
    """Return whether a value is a function that a notebook defines."""
    return isinstance(value, FunctionType) and value.__module__ == "__main__"


def kept(text: str, function: FunctionType, name: str) -> str:
    """Return the text of a file with a function under a name, in place of what was there.

    An OSError says that the source is not known, a SyntaxError that it, or the file, is no Python.
    """
    sources: dict[str, str] = {}
    _add(function, sources)
    if function.__name__ != name:
        sources[name] = f"{name} = {function.__name__}"
    old, lines = _statements(text), text.splitlines()
    new = {one: piece for one, piece in sources.items() if piece != old.get(one, ("",))[0]}
    gone = {at for one in new.keys() & old.keys() for at in old[one][1]}
    left = [line for at, line in enumerate(lines, 1) if at not in gone]
    parts = ["\n".join(left).strip(), *new.values()]
    return "\n\n\n".join(filter(None, parts)) + "\n"


def _statements(text: str) -> dict[str, tuple[str, range]]:
    """Return each name of a file with the statement that defines it, and its lines."""
    statements: dict[str, tuple[str, range]] = {}
    for one in ast.parse(text).body:
        first = min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", []))])
        last = one.end_lineno or one.lineno
        lines = range(first, last + 1)
        names = {one.name} if isinstance(one, ast.FunctionDef) else set()
        if isinstance(one, ast.Import | ast.ImportFrom):
            names = {each.asname or each.name for each in one.names}
        elif isinstance(one, ast.Assign):
            names = {each.id for each in one.targets if isinstance(each, ast.Name)}
        body = "\n".join(text.splitlines()[first - 1 : last])
        statements |= dict.fromkeys(names, (body, lines))
    return statements


def _add(function: FunctionType, sources: dict[str, str]) -> None:
    """Add the source of a function, after what it uses of its notebook."""
    source = dedent(inspect.getsource(function)).strip()
    sources[function.__name__] = ""  # it may call itself
    for name in sorted(_globals(symtable.symtable(source, str(FILE), "exec"))):
        value = function.__globals__.get(name)
        if name in sources or value is None:
            continue
        if is_own(value):
            _add(value, sources)
        elif piece := _imported(name, value):
            sources[name] = piece
    del sources[function.__name__]
    sources[function.__name__] = source


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Yield the names that a source, or what is defined in it, takes from around it."""
    yield from (one.get_name() for one in table.get_symbols() if one.is_global())
    for inner in table.get_children():
        yield from _globals(inner)


def _imported(name: str, value: Any) -> str:
    """Return the line that gives a name its value: an import, or a constant; none otherwise."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + f" as {name}" * (value.__name__ != name)
    if isinstance(value, bool | int | float | str):
        return f"{name} = {value!r}"
    home, called = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if home not in (None, "__main__") and called.isidentifier():
        return f"from {home} import {called}" + f" as {name}" * (called != name)
    return ""
