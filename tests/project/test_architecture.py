"""The architecture: imports run one way, files and functions can be read, types hold."""

import ast
import os
import re
import tokenize

import nbformat
import pytest
from processes import run_python

from lib.paths import ROOT

LINES, CODE = 500, 50  # of a file, of a function: without docstrings, comments and blanks
FILES = [path for top in ("lib", "chapters") for path in sorted((ROOT / top).rglob("*.py"))]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
CELLS = ("--config", "chapters/notebooks.toml", *(f"chapters/{p.name}" for p in CHAPTERS))
CHECKS = {
    "imports run one way and in no circle": (
        *("-c", "from importlinter.cli import lint_imports as check; exit(check(no_cache=True))"),
    ),
    "code is checked": ("-m", "ruff", "check", "--no-cache", "."),
    "code is formatted": ("-m", "ruff", "format", "--check", "--no-cache", "."),
    "cells are checked": ("-m", "ruff", "check", "--no-cache", *CELLS),
    "cells are formatted": ("-m", "ruff", "format", "--check", "--no-cache", *CELLS),
    "types hold": ("-m", "mypy", "--no-incremental"),
}


def run(*words):
    """Run Python in the project; return its exit status and what it said."""
    done = run_python(*words)
    return done.returncode, done.stdout + done.stderr


# Long: types, half a minute; the tests of what is typed notice most of it, as does `make types`.
@pytest.mark.parametrize(
    "check",
    [pytest.param(one, marks=[pytest.mark.long] * one.startswith("types")) for one in CHECKS],
)
def test_tools_find_nothing(check):
    status, said = run(*CHECKS[check])
    assert status == 0, said


def test_files_and_functions_can_be_read():
    void = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    long = []
    for path, tree in TREES.items():
        with open(path, "rb") as file:
            tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in void]
        code = {line for t in tokens[1:] for line in range(t.start[0], t.end[0] + 1)}
        documented = (ast.FunctionDef, ast.ClassDef, ast.Module)
        nodes = [node for node in ast.walk(tree) if isinstance(node, documented)]
        docs = [node.body[0] for node in nodes if ast.get_docstring(node)]
        code -= {line for doc in docs for line in range(doc.lineno, doc.end_lineno + 1)}
        long += [f"{path.name}: {len(code)} lines"] * (len(code) > LINES)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                lines = code & {*range(node.lineno, node.end_lineno + 1)}
                long += [f"{path.name}, {node.name}: {len(lines)} lines"] * (len(lines) > CODE)
    assert long == []


def package_of(module):
    """The package that a module stands in, below lib or chapters, or the module itself."""
    return module.split(".")[:2]


def module_of(path):
    """The name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_private_names_stay_in_their_package():
    found = []
    for path, tree in TREES.items():
        own = package_of(module_of(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and package_of(node.module) != own:
                private = (alias.name for alias in node.names if alias.name.startswith("_"))
                found += [f"{path.name} imports {name}" for name in private]
    assert found == []


SAID_WITH_ITS_MODULE = {"read", "write", "quoted", "control", "panel", "phi"}
SAID_WITH_ITS_MODULE |= {"MEASURES", "QUANTITIES", "STYLE"}
CALLED_BY_NAME = re.compile(r"chapters/exercises/(drawn_numbers|open_answers)\.py")


def named(node):
    """Return the public names that a statement defines: constants, functions but for commands."""
    names = []
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        command = any("command(" in ast.unparse(mark) for mark in node.decorator_list)
        names = [] if command else [node.name]
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        ends = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [n.id for end in ends for n in ast.walk(end) if isinstance(n, ast.Name)]
    return [name for name in names if not name.startswith("_")]


def test_a_public_name_means_one_thing_in_its_package():
    places = {}
    for path, tree in TREES.items():
        name = path.relative_to(ROOT).as_posix()
        if not CALLED_BY_NAME.match(name):
            for one in [one for node in tree.body for one in named(node)]:
                places.setdefault((*package_of(module_of(path)), one), set()).add(name)
    twice = {name: sorted(of) for name, of in places.items() if len(of) > 1}
    assert {name: of for name, of in twice.items() if name[-1] not in SAID_WITH_ITS_MODULE} == {}


def test_nothing_that_is_loaded_can_run_code():
    code = "".join(path.read_text(encoding="utf-8") for path in FILES)
    kinds = r"pickle|np\.load|joblib\.load|yaml\.load|eval\(|exec\("
    archives = r"tarfile|ZipFile\(|unpack_archive|extractall"
    assert re.findall(rf"(?<!\w)(?:{kinds}|{archives})", code) == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_imports_the_chapters_first(path):
    """They set one BLAS thread, which must be said before numpy is imported."""
    cells = nbformat.read(path, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    first = next(n for n in ast.parse(code).body if isinstance(n, ast.Import | ast.ImportFrom))
    name = first.module if isinstance(first, ast.ImportFrom) else first.names[0].name
    assert name.split(".")[0] == "chapters"


def test_the_commands_wait_for_no_statistics_and_no_drawing():
    heavy = ("numpy", "pandas", "pyarrow", "scipy", "joblib", "matplotlib", "pooch", "requests")
    code = f"import sys, lib.cli; lib.cli._parser(); print({set(heavy)} & set(sys.modules))"
    assert run("-c", code) == (0, "set()\n")


def test_one_blas_thread_is_set_unless_the_user_has_set_it(monkeypatch):
    for name in [name for name in os.environ if name.endswith("_NUM_THREADS")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    said = "print(os.getenv('OPENBLAS_NUM_THREADS'), os.getenv('OMP_NUM_THREADS'))"
    assert run("-c", f"import os, lib, lib.measures; {said}") == (0, "None 3\n")
    for ours in ("import chapters", "import lib.cli; lib.cli.main(['ledger', '--x'])"):
        status, printed = run("-c", f"import os; {ours}; {said}")
        assert status == 0 and printed.startswith("1 3\n")
