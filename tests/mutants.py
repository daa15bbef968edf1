"""Which faults the tests notice: one change of the code at a time, by cosmic-ray's operators.

``python tests/mutants.py PACKAGE [--sample N] --out FILE`` writes a row a fault: where it is, what
it changes, and whether the tests that import the package notice.  Faults are put into a copy of
the project.  At each place in the code that an operator can change, one of its changes is drawn
(seeded), but for annotations.  It needs cosmic-ray and hours, and is no test: ``make mutants``.
"""

import argparse
import ast
import csv
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parent.parent
SEED = 84099
SECONDS = 300
PYTEST = "-m pytest -x -q -p no:cacheprovider -p no:nbval -o addopts=".split()
# Tests of everything: they open pages or run chapters, and would notice most faults late.
SLOW = re.compile("test_(pages|controls|cluster|contributing|environment|release|report)$")


def places(path):
    """List the changes of a file, (path, line, operator, occurrence): one a place and family."""
    source, found = path.read_text(encoding="utf-8"), {}
    nodes = list(ast.walk(ast.parse(source)))
    types = [getattr(node, kind, None) for node in nodes for kind in ("annotation", "returns")]
    spans = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in types if n]
    for name in sorted(name for name in operator_names() if "Variable" not in name):
        operator, occurrence = get_operator(name)(), 0
        for node in ast_nodes(parso.parse(source)):
            for start, end in operator.mutation_positions(node):
                if not any(low <= start and end <= high for low, high in spans):
                    family = name.split("/")[-1].partition("_")[0]
                    change = path, start[0], name, occurrence
                    found.setdefault((start, end, family), []).append(change)
                occurrence += 1
    drawn = random.Random(f"{SEED} {path.name}")
    return [drawn.choice(changes) for _, changes in sorted(found.items())]


def noticed(tests, copy):
    """Run the tests in a copy of the project: yes, no, or time."""
    try:
        environment = os.environ | {"PYTHONPATH": str(copy)}
        words = [sys.executable, *PYTEST, "-m", "not long", *tests]
        quiet = {"cwd": copy, "env": environment, "capture_output": True}
        return "yes" if subprocess.run(words, timeout=SECONDS, **quiet).returncode else "no"
    except subprocess.TimeoutExpired:
        return "time"


def tests_of(package):
    """List the test files that import a package, the quickest known first: its own."""
    top, _, name = package.replace("/", ".").rpartition(".")
    pattern = re.compile(rf"(from|import) {top}\.{name}\b|from {top} import .*")
    files = [p for p in (ROOT / "tests").rglob("test_*.py") if not SLOW.match(p.stem)]
    files = [p for p in files if pattern.search(p.read_text(encoding="utf-8"))]
    files.sort(key=lambda p: (name not in p.stem, p.stat().st_size))
    return [p.relative_to(ROOT).as_posix() for p in files]


def main():
    """Try the faults one after the other, and write each as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "package", help="a folder or module, such as lib/measures or chapters/ledger"
    )
    parser.add_argument("--sample", type=int, help="so many faults, drawn (default: all)")
    parser.add_argument("--tests", nargs="*", help="test files (default: those that import it)")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    at = ROOT / given.package
    files = sorted(at.rglob("*.py")) if at.is_dir() else [at.with_suffix(".py")]
    faults = [fault for path in files for fault in places(path)]
    random.Random(SEED).shuffle(faults)
    with TemporaryDirectory() as folder, open(given.out, "w", newline="", encoding="utf-8") as out:
        copy = Path(folder, "copy")
        unread = shutil.ignore_patterns(".*", "_build", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=unread)
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["file", "line", "operator", "occurrence", "source", "noticed"])
        for path, line, operator, occurrence in faults[: given.sample]:
            name, source = path.relative_to(ROOT), path.read_text(encoding="utf-8")
            changed = mutate_code(source, get_operator(operator)(), occurrence)
            (copy / name).write_text(changed, encoding="utf-8")
            answer = noticed(given.tests or tests_of(given.package), copy)
            (copy / name).write_text(source, encoding="utf-8")
            text = source.splitlines()[line - 1].strip()
            rows.writerow([name, line, operator, occurrence, text, answer])
            out.flush()


if __name__ == "__main__":
    main()
