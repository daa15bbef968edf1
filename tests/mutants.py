"""Which faults the tests notice: one change of the code at a time, by cosmic-ray's operators.

``python tests/mutants.py PACKAGE [--sample N] --out FILE`` writes a row a fault: where it is, what
it changes, and whether the tests that import the package notice.  A fault is put into the module as
it is imported, in a process of its own; no file changes.  At each place in the code that an
operator can change, one of its changes is drawn (seeded); what changes no behaviour (annotations,
``__all__``) is left out.  It needs cosmic-ray and hours, and is no test: ``make mutants``.
"""

import argparse
import ast
import contextlib
import csv
import importlib
import importlib.abc
import importlib.util
import os
import random
import re
import signal
import sys
from pathlib import Path

import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path.cwd()
SEED = 84099
SECONDS = 300
FIELDS = ["module", "definition", "operator", "occurrence", "line", "source", "noticed"]
# Tests of everything: they open pages or run chapters, and would notice most faults late.
SLOW = {
    f"test_{name}"
    for name in "pages controls cluster contributing environment release report".split()
}


def places(path):
    """List the changes of a file: one an operator's family and place, without those of types."""
    source = path.read_text(encoding="utf-8")
    tree = parso.parse(source)
    typed = typing_spans(source)
    found = {}
    for name in sorted(operator_names()):
        if "Variable" in name:  # they need arguments
            continue
        operator = get_operator(name)()
        occurrence = 0
        for node in ast_nodes(tree):
            for start, end in operator.mutation_positions(node):
                if not any(low <= start and end <= high for low, high in typed):
                    family = re.split("_", name.split("/")[-1])[0]
                    found.setdefault((start, end, family), []).append((name, occurrence))
                occurrence += 1
    drawn = random.Random(f"{SEED} {path.name}")
    return source, {place: drawn.choice(changes) for place, changes in sorted(found.items())}


def typing_spans(source):
    """List the spans of annotations and of ``__all__``: (line, column) to (line, column)."""
    parts = []
    for node in ast.walk(ast.parse(source)):
        parts += [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            parts.append(node)
    return [
        ((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in parts if n is not None
    ]


class Fault(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Imports one module as a changed source has it."""

    def __init__(self, module, path, source):
        self.module, self.path, self.source = module, str(path), source

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        packages = [str(Path(self.path).parent)] if self.path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, self.path, loader=self, submodule_search_locations=packages
        )

    def get_filename(self, fullname):
        return self.path

    def get_data(self, path):
        return self.source.encode()

    def get_code(self, fullname):
        return compile(self.source, self.path, "exec")


def run(fault, tests):
    """Run the tests with a fault, silently, in a process group of its own: pytest's status."""
    os.setpgid(0, 0)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.meta_path.insert(0, fault)
    signal.alarm(SECONDS)
    options = ["-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider", "-m", "not long"]
    return int(pytest.main([*options, *tests]))


def noticed(module, path, source, tests):
    """Run the tests on a changed module in a child process: yes, no, or time."""
    child = os.fork()
    if child == 0:
        os._exit(run(Fault(module, path, source), tests))
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if os.WIFSIGNALED(status):
        return "time"
    return "no" if os.WEXITSTATUS(status) == 0 else "yes"


def tests_of(package):
    """List the test files that import a package, the quickest known first: its own."""
    name = "lib." + package
    pattern = re.compile(rf"from {name}\b|import {name}\b|from lib import .*")
    files = [p for p in sorted((ROOT / "tests").glob("test_*.py")) if p.stem not in SLOW]
    files = [p for p in files if pattern.search(p.read_text(encoding="utf-8"))]
    files.sort(key=lambda p: (package not in p.stem, p.stat().st_size))
    return [str(p) for p in files]


def definition(source, line):
    """Return the name of the innermost function or class of a line; empty outside of all."""
    kinds = ast.FunctionDef | ast.ClassDef
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    inside = [node for node in nodes if node.lineno <= line <= node.end_lineno]
    return max(inside, key=lambda node: node.lineno).name if inside else ""


def drawn(package, sample):
    """Draw faults of a package: (path, source, place, change)."""
    at = ROOT / "lib" / package
    files = sorted(at.rglob("*.py")) if at.is_dir() else [at.with_suffix(".py")]
    faults = []
    for path in files:
        source, found = places(path)
        faults += [(path, source, place, change) for place, change in found.items()]
    random.Random(SEED).shuffle(faults)
    return faults[:sample]


def main():
    """Try the faults one after the other, and write each as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", help="below lib, such as measures or claims")
    parser.add_argument("--sample", type=int, help="so many faults, drawn (default: all)")
    parser.add_argument("--tests", nargs="*", help="test files (default: those that import it)")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    tests = given.tests or tests_of(given.package)
    with open(given.out, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(FIELDS)
        for path, source, (start, *_), (operator, occurrence) in drawn(given.package, given.sample):
            changed = mutate_code(source, get_operator(operator)(), occurrence)
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            module, line = name.removesuffix(".__init__"), start[0]
            rows.writerow(
                [
                    module,
                    definition(source, line),
                    operator.removeprefix("core/"),
                    occurrence,
                    line,
                    source.splitlines()[line - 1].strip(),
                    noticed(module, path, changed, tests),
                ]
            )
            out.flush()


if __name__ == "__main__":
    for library in ("hypothesis", "joblib", "numpy", "pandas", "pyarrow", "scipy.stats"):
        importlib.import_module(library)  # each child has them from the start
    main()
