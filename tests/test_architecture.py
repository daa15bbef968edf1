"""The architecture: imports run one way, files and functions can be read, types hold."""

import ast
import os
import shutil
import subprocess
import sys
import tokenize
from functools import cache
from importlib import import_module

import nbformat
import pytest

from lib.paths import ROOT
from lib.published import names

LINES, CODE = 500, 50  # of a file; of a function, without docstring, comments and blanks

FILES = sorted((ROOT / "lib").rglob("*.py"))
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
DEFINITIONS = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef


def module_of(path):
    """The dotted name of a file of lib."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module):
    """The package that a module stands in, of a paper its own, or the module itself."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[:2] == ["lib", "papers"] else 2])


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings(tree):
    """The nodes that are docstrings."""
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | DEFINITIONS)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def run(*command, at=ROOT):
    """Run a tool of this environment in a folder; return its exit status and what it said."""
    words = [sys.executable, *command]
    done = subprocess.run(words, cwd=at, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


LAYERS = "from importlinter.cli import lint_imports as check; exit(check(no_cache=True))"


def test_imports_run_one_way_and_in_no_circle():
    status, said = run("-c", LAYERS)
    assert status == 0, said


def test_an_import_upwards_is_found(tmp_path):
    """The contract bites: a measure that imports a paper breaks it."""
    shutil.copytree(ROOT / "lib", tmp_path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with open(tmp_path / "lib" / "measures" / "__init__.py", "a", encoding="utf-8") as file:
        file.write("\nfrom lib.papers import paper\n")
    status, said = run("-c", LAYERS, at=tmp_path)
    assert status == 1
    assert "lib.measures -> lib.papers" in said


def test_code_is_checked_and_formatted():
    for words in (["check"], ["format", "--check"]):
        status, said = run("-m", "ruff", *words, "--no-cache", ".")
        assert status == 0, said


def test_types_hold():
    status, said = run("-m", "mypy", "--no-incremental")
    assert status == 0, said


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_file_and_its_functions_can_be_read(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES
    with open(path, "rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    void = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    code = {
        line
        for token in tokens
        if token.type not in void
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef):
            lines = code & set(range(node.lineno, node.end_lineno + 1))
            first = node.body[0]
            if isinstance(first, ast.Expr) and id(first.value) in docstrings(tree_of(path)):
                lines -= set(range(first.lineno, first.end_lineno + 1))
            assert len(lines) <= CODE, f"{node.name}: {len(lines)} lines"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_public_names_exist_and_private_ones_stay_in_their_package(path):
    if path.name != "__main__.py":  # importing it runs it
        module = import_module(module_of(path))
        missing = [name for name in getattr(module, "__all__", []) if not hasattr(module, name)]
        assert missing == []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lib"):
            private = [alias.name for alias in node.names if alias.name.startswith("_")]
            assert not private or package_of(node.module) == package_of(module_of(path)), private


def test_no_list_of_papers_is_written_down():
    """A paper is named by its own folder, a study that goes beyond it, its chapter's lesson.

    Elsewhere the papers come from data/published.
    """
    found = []
    for path in FILES:
        module = module_of(path)
        if module.startswith(("lib.papers.", "lib.studies.", "lib.teaching.named")):
            continue
        documented = docstrings(tree_of(path))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and set(node.module.split(".")) & set(names()):
                found.append(f"{module} imports {node.module}")
            named = isinstance(node, ast.Constant) and node.value in names()
            if named and id(node) not in documented:
                found.append(f"{module} names {node.value}")
    assert found == []


def test_every_published_paper_has_its_folder():
    folders = {path.parent.name for path in (ROOT / "lib" / "papers").glob("*/__init__.py")}
    assert folders == set(names())


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_imports_lib_first(path):
    """It sets one BLAS thread, which must be said before numpy is imported."""
    cells = nbformat.read(path, as_version=4).cells
    code = next(cell.source for cell in cells if cell.cell_type == "code")
    first = next(n for n in ast.parse(code).body if isinstance(n, ast.Import | ast.ImportFrom))
    name = first.module if isinstance(first, ast.ImportFrom) else first.names[0].name
    assert name.split(".")[0] == "lib"


def test_the_commands_wait_for_no_statistics_and_no_drawing():
    heavy = ("scipy.stats", "seaborn", "matplotlib", "pooch", "requests")
    code = f"import sys, lib.cli; lib.cli._parser(); print({set(heavy)} & set(sys.modules))"
    assert run("-c", code) == (0, "set()\n")


def test_one_blas_thread_is_set_unless_the_user_has_set_it(monkeypatch):
    for name in [name for name in os.environ if name.endswith("_NUM_THREADS")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    code = "import os, lib; print(os.getenv('OPENBLAS_NUM_THREADS'), os.getenv('OMP_NUM_THREADS'))"
    assert run("-c", code) == (0, "1 3\n")
