"""Which faults ``make check`` notices: one change of the code at a time, by cosmic-ray's operators.

``python tests/mutants.py PLACE... [--sample N] --out FILE`` writes a row a fault: where it is, what
it changes, which tests notice, nearest first, and after how many seconds; so it says of each how
long it took.  Faults are put into a copy of the project.  At each place in the code that an
operator can change, one of its changes is drawn (seeded), but for annotations.  It needs cosmic-ray
and up to a minute a fault, and is no test: ``make mutants``.
"""

import argparse
import ast
import csv
import os
import random
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import check
import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parent.parent


class DropArgument(Operator):
    """Call without a keyword argument."""

    def mutation_positions(self, node):
        """Yield where a keyword argument stands."""
        if node.type == "argument" and node.children[1] == "=":
            yield node.start_pos, node.end_pos

    def mutate(self, node, index):
        """Put nothing in its place, as an empty dictionary of arguments is."""
        return parso.python.tree.Name("**{}", node.start_pos, node.get_first_leaf().prefix)

    @classmethod
    def examples(cls):
        """Return none: they would be for cosmic-ray's own tests."""
        return ()


NAMES = sorted(name for name in operator_names() if "Variable" not in name)
PLACES = (ast.FunctionDef, ast.ClassDef)
OPERATORS = {name: get_operator(name)() for name in NAMES} | {"DropArgument": DropArgument()}


def places(path, seed):
    """List the changes of a file, (path, line, operator, occurrence): one a place and family."""
    source, found = path.read_text(encoding="utf-8"), {}
    nodes = list(ast.walk(ast.parse(source)))
    types = [getattr(node, kind, None) for node in nodes for kind in ("annotation", "returns")]
    spans = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in types if n]
    parsed = list(ast_nodes(parso.parse(source)))
    for name, operator in OPERATORS.items():
        occurrence = 0
        for node in parsed:
            for start, end in operator.mutation_positions(node):
                if not any(low <= start and end <= high for low, high in spans):
                    family = name.split("/")[-1].partition("_")[0]
                    change = path, start[0], name, occurrence
                    found.setdefault((start, end, family), []).append(change)
                occurrence += 1
    drawn = random.Random(f"{seed} {path.name}")
    return [drawn.choice(changes) for _, changes in sorted(found.items())]


def function_at(source, line):
    """Return the text of the innermost function or class that has a line, or of the line alone."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, PLACES)]
    spans = [(node.lineno, node.end_lineno) for node in nodes]
    start, end = max((s for s in spans if s[0] <= line <= s[1]), default=(line, line))
    return "\n".join(source.splitlines()[start - 1 : end])


def is_code(text):
    """Return whether a text is Python's."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def noticed(files, times, seconds):
    """Run files of tests until one fails; return its name, or what else ended the run."""
    end = time.time() + seconds
    with closing(check.run(files, end, times)) as went:
        found = next((name for name, how in went if not how.passed), None)
    return found or ("time is over" if time.time() >= end else "nothing")


def main():
    """Try the faults one after the other, and write each as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("place", nargs="+", help="folders or modules, such as lib/measures")
    parser.add_argument("--sample", type=int, help="so many faults, drawn (default: all)")
    parser.add_argument(
        "--seed", type=int, default=84099, help="of the draw (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds",
        type=int,
        default=check.SECONDS - check.CLOSING,
        help="for the tests of a fault",
    )
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    places_given = [ROOT / place for place in given.place]
    files = [p for at in places_given for p in (sorted(at.rglob("*.py")) if at.is_dir() else [at])]
    faults = [fault for path in files for fault in places(path, given.seed)]
    random.Random(given.seed).shuffle(faults)
    code, times, sound = check.project(), check.chapter_times(), set()
    with TemporaryDirectory() as folder, open(given.out, "w", newline="", encoding="utf-8") as out:
        copy = Path(folder, "copy")
        unread = shutil.ignore_patterns(".git", ".venv*", "_build", "__pycache__", ".*cache")
        shutil.copytree(ROOT, copy, ignore=unread)
        os.chdir(copy)
        sys.path[0] = os.environ["PYTHONPATH"] = str(copy)  # kernels and commands import it too
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["file", "line", "operator", "occurrence", "was", "became", "by", "seconds"])
        for path, line, operator, occurrence in faults[: given.sample]:
            name, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            changed = mutate_code(source, OPERATORS[operator], occurrence)
            if not is_code(changed):  # such as of the star in f(*, name)
                continue
            was, became = (text.splitlines()[line - 1].strip() for text in (source, changed))
            (copy / name).write_text(changed, encoding="utf-8")
            began = time.time()
            # Ruff and layers judge the form of the code, which no operator keeps.
            about = check.words_of(function_at(source, line))
            tests = [one for one in check.plan({name}, code, about) if one not in check.ALWAYS]
            by = noticed(tests, times, given.seconds)
            took = round(time.time() - began)
            (copy / name).write_text(source, encoding="utf-8")
            if by in tests and by not in sound:
                if noticed([by], times, given.seconds) == by:
                    sys.exit(f"{by} fails without a fault")
                sound.add(by)
            rows.writerow([name, line, operator, occurrence, was, became, by, took])
            out.flush()


if __name__ == "__main__":
    main()
