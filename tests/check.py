"""Run what a change touches, nearest tests first, for up to a minute: ``make check``.

A change is what differs from the last commit or, on a clean tree, what the last commit changed; an
argument names another base.  Which tests it touches is read off the sources, so that nothing need
have run before: code imports a file, or names it.
"""

import ast
import contextlib
import csv
import heapq
import io
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECONDS, PROCESSES = 60, 2
NAMED, FITTING, FOLDER = 2, 3, 4  # how far code is from a file whose name, or less, it has
# Ruff and layers, which are of every file.
ALWAYS = ("tests/project/test_architecture.py", "tests/project/test_hygiene.py")
OURS = ("lib/", "chapters/")  # packages, whose examples are tests
TESTS = re.compile(r"tests/(\w+/)?test_\w+\.py|chapters/[^/]+\.ipynb|(lib|chapters)/.+\.py")


class Code(NamedTuple):
    """What a file of code says of other files."""

    imports: set[str]
    words: set[str]
    patterns: set[str]
    examples: bool


def read(path):
    """Return what a module, or the code of a notebook, says of other files."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        text = "\n".join(re.sub(r"(?m)^%.*", "", "".join(cell["source"])) for cell in cells)
    nodes = list(ast.walk(ast.parse(text, str(path))))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    imports, strings = set(), []
    for node in nodes:
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.JoinedStr):  # f"{name}.csv" is any *.csv
            strings.append(re.sub(r"\{[^{}]*\}", "*", ast.unparse(node)))
        elif isinstance(node, ast.Name) and node.id.isupper():  # DATA / "ledger.csv"
            strings.append(node.id.lower())
        elif isinstance(node, ast.Constant) and id(node) not in docs:
            strings.append(str(node.value))
    if path.name == "test_check.py":
        strings = []  # it names files and does not read them
    words = set(re.findall(r"[\w.*-]+", "\n".join(strings)))
    patterns = {word for word in words if re.search(r"\*\.\w|\w\.\*", word)}
    return Code(imports, words, patterns, ">>> " in text)


def project():
    """Return the code of the project by its path, without what all tests have from conftest.py."""
    tops = [ROOT / top for top in ("lib", "tests", "chapters", "book", "data")]
    paths = [path for top in tops for path in sorted(top.rglob("*"))]
    paths = [p for p in paths if p.suffix in (".py", ".ipynb") and p.name != "conftest.py"]
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: read(path) for name, path in names.items() if "/." not in name}


@cache
def module(name):
    """Return the name under which a file is imported; what is of no package stands on the path."""
    whole = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return (
        whole
        if name.startswith((*OURS, "book/teaching/", "book/wheel/"))
        else whole.rpartition(".")[2]
    )


def step(one, said, name):
    """Return how far code is from a file that it reads, or 0 if it does not.

    Of the tables of a collection it may know the folder's name alone.
    """
    if name.endswith(".py") and (
        module(name) in said.imports or any(fnmatch(module(name), word) for word in said.patterns)
    ):
        return NAMED  # a pattern is f"lib.{name}"
    folder, _, last = name.rpartition("/")
    top, *inner = folder.split("/")
    here = not folder or one.rpartition("/")[0] == folder or [top, *inner][-1] in said.words
    near = here or top in said.words
    if one.rpartition(".")[0] == name.rpartition(".")[0] or (near and last in said.words):
        return NAMED  # a module has its style beside it
    if (here if top == "data" else near) and any(fnmatch(last, word) for word in said.patterns):
        # First what it does, then its words.
        return FITTING if top in ("lib", "chapters", "data") else NAMED
    return FOLDER if top == "data" and said.words.intersection(inner) else 0


def distances(changed, code):
    """Return how far files are from the changed ones, as far as they read them or one another."""
    found, ahead = {}, [(0, name) for name in sorted(changed)]
    while ahead:
        so_far, name = heapq.heappop(ahead)
        if name in found:
            continue
        found[name] = so_far
        for one, said in ((one, said) for one, said in code.items() if one not in found):
            shared = (
                name.endswith("conftest.py") and TESTS.fullmatch(one) and one.startswith("tests/")
            )
            if far := NAMED if shared else step(one, said, name):
                heapq.heappush(ahead, (so_far + far, one))
    return found


def reach(name, code):
    """Return how many files of code one imports, itself or through others."""
    index = {module(one): one for one in code if one.endswith(".py")}
    found, ahead = set(), [name]
    while ahead:
        if (one := ahead.pop()) not in found:
            found.add(one)
            ahead += [index[imported] for imported in code[one].imports & index.keys()]
    return len(found)


def is_tested(name, said):
    """Return whether a file has tests: a package's is one by its examples alone."""
    return said.examples or name.endswith(".ipynb") or not name.startswith(OURS)


def plan(changed, code):
    """Return the files whose tests a change touches, nearest first.

    Of two as near, what imports less comes first: it says where the fault is.  Chapters take long,
    and examples of what did not change are no tests of what did: they come later.
    """
    far = distances(changed, code) | dict.fromkeys(ALWAYS, 1)  # after its own tests alone

    def order(name):
        later = name.endswith(".ipynb") or (name.startswith(OURS) and far[name])
        return far[name] + FITTING * bool(later), reach(name, code), name

    found = [name for name in code if name in far and TESTS.fullmatch(name)]
    return sorted((n for n in found if is_tested(n, code[n])), key=order)


def git(*words):
    """Return the paths that a command of git lists, or None if it cannot."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        command = ["git", *words, "-z"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
        return list(filter(None, done.stdout.split("\0")))
    return None


def changes(base=None):
    """Return the changed files, and in words since when."""
    diff = partial(git, "diff", "--name-only", "--no-renames", "--relative")
    differing = diff(base or "HEAD")
    if base and differing is None:
        sys.exit(f"git cannot compare with {base!r}")
    new = git("ls-files", "--others", "--exclude-standard") or []
    if base or differing or new:
        return {*(differing or []), *new}, f"differ from {base or 'the last commit'}"
    last = diff("HEAD~1", "HEAD")
    if last is None:  # a clone of one commit, or no checkout
        return set(project()), "are all there is: no commit before the last is at hand"
    return set(last), "differ by the last commit"


class Until:
    """A plugin of pytest: no test begins after a time, and none that needs the built book."""

    def __init__(self, end):
        self.end, self.late, self.apart = end, False, False

    def pytest_collection_modifyitems(self, items):
        """Leave out what looks at the book, or at a page in a browser."""
        apart = [item for item in items if needs_the_book(item)]
        self.apart = bool(apart)
        items[:] = [item for item in items if item not in apart]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self):
        """Pass over a test if there is no time left."""
        self.late = self.late or time.time() > self.end
        return self.late or None


def needs_the_book(item):
    """Return whether a test skips itself without the built book, or opens a browser."""
    reasons = [mark.kwargs.get("reason", "") for mark in item.iter_markers("skipif")]
    fixtures = {"browser", "served", "without"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or any("book is not built" in reason for reason in reasons)


def run(name, end, times):
    """Run the tests of a file; return how it went, what was left, and what pytest said."""
    if time.time() + times.get(Path(name).stem, 0) > end:
        return True, "late", ""
    until, said = Until(end), io.StringIO()
    words = ["-q", "--color=no", "--disable-warnings", "-p", "no:cacheprovider", name]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = pytest.main(words, plugins=[until])
    if "joblib" in sys.modules:  # its workers would idle for five minutes, and be waited for
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown()
    passed = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return passed, "late" if until.late else "apart" if until.apart else "", said.getvalue()


def main():
    """Run the plan, and say what failed and what is left."""
    end = time.time() + SECONDS
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))  # as `python -m pytest` has it
    changed, since = changes(*sys.argv[1:])
    files = plan(changed, project())
    print(f"{len(changed)} files {since}; {len(files)} files of tests read them.", flush=True)
    with open("chapters/times.csv", encoding="utf-8") as table:
        times = {row["chapter"]: int(row["seconds"]) for row in csv.DictReader(table)}
    results = {}
    with ProcessPoolExecutor(PROCESSES) as pool:
        begun = {pool.submit(run, name, end, times): name for name in files}
        for done in as_completed(begun):
            name, (passed, left, said) = begun[done], done.result()
            results[name] = passed, left
            if said:
                print(f"{name}: {said.splitlines()[-1]}" if passed else said, flush=True)
    failed = [name for name in files if not results[name][0]]
    late, apart = ([n for n in files if results[n][1] == why] for why in ("late", "apart"))
    print(f"Left to make test: {len(late)} files:", *late)
    print(f"And what needs the built book or a browser, of {len(apart)}:", *apart)
    print("Failed:", *failed or ["nothing"])
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
