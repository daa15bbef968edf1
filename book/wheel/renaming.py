"""A text of ours with the names of the wheel: ``lib`` is ``measuring`` there, ``chapters`` in it.

``lib`` stands for many a package, and ``chapters`` is an English word.  So code is renamed where
Python says that a name is the package's; any other text, such as a docstring, where a dotted name,
an import or a command says so.  A word alone stays as it is, and so does a path of the checkout,
``chapters/times.csv``.
"""

import ast
import io
import json
import re
import tokenize
from itertools import accumulate
from pathlib import Path
from typing import Any

PACKAGE = "measuring"  # if it is taken when the wheel is published: another
NAMES = {"lib": PACKAGE, "chapters": f"{PACKAGE}.chapters"}

_FOLDER = Path(__file__).resolve().parents[2] / "chapters"
# What can follow `chapters.` in a name; `chapters.csv` would be a file.
_MODULES = {path.stem for path in _FOLDER.glob("*.py")} | {
    path.parent.name for path in _FOLDER.glob("*/__init__.py")
}
_IN_TEXT = re.compile(
    rf"""
    (?<![\w./-])                                  # no part of a longer name or of a path
    (?:
        lib (?= \.[A-Za-z_] )                     # lib.measures, lib.load
      | chapters (?= \. (?:{"|".join(sorted(_MODULES))}) \b )
      | (?<= from\ ) (?:lib|chapters) (?= \ import\b )
      | (?<= import\ ) lib \b (?! [/-] )
      | (?<= >>>\ import\ ) chapters \b
      | (?<= -m\ ) lib \b (?! [/-] )              # python -m lib
      | (?<= ` ) lib (?= ` )                      # the package, as text names code
    )
    """,
    flags=re.VERBOSE,
)


def renamed_text(text: str) -> str:
    """Return a text with the wheel's names.

    >>> renamed_text("As lib.measures says, all chapters. See chapters.report, chapters/times.csv.")
    'As measuring.measures says, all chapters. See measuring.chapters.report, chapters/times.csv.'
    """
    return _IN_TEXT.sub(lambda found: NAMES[found.group()], text)


def renamed_code(source: str) -> str:
    """Return Python code with the wheel's names, and its comments and strings as texts.

    >>> renamed_code("import chapters.times as chapters  # of lib.paths")
    'import measuring.chapters.times as chapters  # of measuring.paths'
    """
    lines = io.StringIO(source).readlines()
    begins = list(accumulate(map(len, lines), initial=0))
    names, parts, done, inside = _names(source, lines), [], 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        inside += kind.endswith("STRING_START") - kind.endswith("STRING_END")
        if inside or kind.endswith("STRING_END") or kind in ("STRING", "COMMENT"):
            continue  # text, until the next token of code; so is all of an f-string in any Python
        start, end = (begins[row - 1] + column for row, column in (token.start, token.end))
        parts.append(renamed_text(source[done:start]))
        named = token.start in names and token.string in NAMES
        parts.append(NAMES[token.string] if named else source[start:end])
        done = end
    return "".join(parts)


def _names(source: str, lines: list[str]) -> set[tuple[int, int]]:
    """Return where code names a package, by line and column: in imports, and where it is used."""
    nodes = list(ast.walk(ast.parse(source)))
    aliases = [name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    used = {alias.name.partition(".")[0] for alias in aliases if not alias.asname}
    found = [(alias.lineno, alias.col_offset) for alias in aliases]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.append((node.lineno, node.col_offset + len("from ")))
        elif isinstance(node, ast.Name) and node.id in used:
            found.append((node.lineno, node.col_offset))
    # The columns of ast count bytes, those of tokens letters.
    return {(row, len(lines[row - 1].encode()[:at].decode())) for row, at in found}


def renamed_notebook(notebook: dict[str, Any]) -> None:
    """Give the cells of a notebook, as JSON or nbformat has it, the wheel's names."""
    for cell in notebook["cells"]:
        renamed = renamed_code if cell["cell_type"] == "code" else renamed_text
        text = renamed("".join(cell["source"]))
        in_lines = isinstance(cell["source"], list)
        cell["source"] = text.splitlines(keepends=True) if in_lines else text


def renamed_file(path: Path) -> str:
    """Return a file of the project as it is in the wheel."""
    text = path.read_text("utf-8")
    if path.suffix in (".py", ".pyi"):
        return renamed_code(text)
    if path.suffix == ".ipynb":
        notebook = json.loads(text)
        renamed_notebook(notebook)
        return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return renamed_text(text)
