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
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from fnmatch import fnmatch
from functools import cache, partial
from multiprocessing import Pipe, Process
from multiprocessing.connection import wait
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
SECONDS, PROCESSES = 60, 2
CLOSING = 4  # of these, to end what runs and to say what was found
NAMED, FITTING, FOLDER = 2, 3, 4  # how far code is from a file whose name, or less, it has
EVERY = 5  # and from code of which it reads every file: after the tests that run it
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
    text: set[str]


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
    return Code(imports, words, patterns, ">>> " in text, words_of(text))


def words_of(text):
    """Return the words of a text, those within names too."""
    return set(re.findall("[a-z]{3,}", re.sub("(?<=[a-z])(?=[A-Z])", " ", text).lower()))


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
    folder, _, last = name.rpartition("/")
    its_test = "/" not in folder and one.endswith(f"/test_{last}")  # names repeat in packages
    if name.endswith(".py") and (module(name) in said.imports or its_test):
        return NAMED
    if name.endswith(".py") and any(fnmatch(module(name), word) for word in said.patterns):
        return NAMED if "importlib" in said.imports else EVERY  # f"lib.{name}", imported or read
    top, *inner = folder.split("/")
    here = not folder or one.rpartition("/")[0] == folder or [top, *inner][-1] in said.words
    near = here or top in said.words
    if one.rpartition(".")[0] == name.rpartition(".")[0] or (near and last in said.words):
        return NAMED  # a module has its style beside it
    if (here if top == "data" else near) and any(fnmatch(last, word) for word in said.patterns):
        # First what it does, then its words.
        fits = FITTING if top in ("lib", "chapters", "data") else NAMED
        return EVERY if name.endswith(".py") else fits
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


def plan(changed, code, about=frozenset()):
    """Return the files whose tests a change touches, nearest first.

    Of two as near, the one comes first that has more of the rare words of what changed, and then
    what imports less: it says where the fault is.  A chapter takes long, so it comes just after
    the tests that are as near.  Examples of what did not change are no tests of what did: they
    come later.
    """
    far = distances(changed, code) | dict.fromkeys(ALWAYS, 1)  # after its own tests alone
    files = Counter(word for said in code.values() for word in said.text)

    def likeness(said):
        weights = [math.log(len(code) / files[word]) for word in about & said.text]
        return sum(weights) / math.sqrt(len(said.text) or 1)

    def order(name):
        near = far[name]
        if name.endswith(".ipynb"):
            near = max(near + 1, FITTING)  # its text is read before it is executed
        elif name.startswith(OURS) and near:
            near += FITTING
        return near, -likeness(code[name]), reach(name, code), name

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
    """Return the changed files, since when in words, and the words of the changed functions."""
    diff = partial(git, "diff", "--name-only", "--no-renames", "--relative")
    differing = diff(base or "HEAD")
    if base and differing is None:
        sys.exit(f"git cannot compare with {base!r}")
    new = git("ls-files", "--others", "--exclude-standard") or []
    if base or differing or new:
        about = words_of_change(base or "HEAD")
        return {*(differing or []), *new}, f"differ from {base or 'the last commit'}", about
    last = diff("HEAD~1", "HEAD")
    if last is None:  # a clone of one commit, or no checkout
        return set(project()), "are all there is: no commit before the last is at hand", set()
    return set(last), "differ by the last commit", words_of_change("HEAD~1", "HEAD")


def words_of_change(*commits):
    """Return the words of the functions that differ."""
    functions = git("diff", "--function-context", *commits) or []
    return words_of("\n".join(functions))


class Teller:
    """A plugin of pytest: it tells what runs and what failed, and leaves what needs the book."""

    def __init__(self, tell):
        self.tell, self.apart = tell, False

    def pytest_configure(self):
        """Let properties fail at once: the smallest example may take minutes to find."""
        ours = hypothesis.settings.default
        phases = set(ours.phases) - {hypothesis.Phase.shrink, hypothesis.Phase.explain}
        hypothesis.settings.register_profile("check", parent=ours, phases=phases)
        hypothesis.settings.load_profile("check")

    def pytest_collection_modifyitems(self, items):
        """Leave out what looks at the book, or at a page in a browser."""
        apart = [item for item in items if needs_the_book(item)]
        self.apart = bool(apart)
        items[:] = [item for item in items if item not in apart]

    def pytest_runtest_logstart(self, nodeid):
        """Tell which test begins."""
        self.tell((nodeid, None))

    def pytest_runtest_logreport(self, report):
        """Tell which test failed, and how."""
        if report.failed:
            self.tell((report.nodeid, report.longreprtext))


def needs_the_book(item):
    """Return whether a test skips itself without the built book, or opens a browser."""
    reasons = [mark.kwargs.get("reason", "") for mark in item.iter_markers("skipif")]
    fixtures = {"browser", "served", "without"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or any("book is not built" in reason for reason in reasons)


class Went(NamedTuple):
    """How the tests of a file went."""

    passed: bool
    said: str
    apart: bool = False  # some need the book
    cut: str = ""  # what ran when the time was over


def work(pipe):
    """Run the files that come through a pipe; tell what happens there, and how each file went."""
    os.setpgid(0, 0)  # it is ended with all that its tests began
    while True:
        teller, said = Teller(pipe.send), io.StringIO()
        words = ["-q", "--color=no", "--disable-warnings", "-p", "no:cacheprovider", pipe.recv()]
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = pytest.main(words, plugins=[teller])
        passed = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        pipe.send(Went(passed, said.getvalue(), teller.apart))


class Worker:
    """A process that runs one file after the other, and what is known of the one that runs."""

    def __init__(self):
        self.start()

    def start(self):
        """Start the process, with nothing to run."""
        self.pipe, there = Pipe()
        self.process = Process(target=work, args=(there,))
        self.process.start()
        there.close()  # so that its end is seen
        self.name = None

    def begin(self, name):
        """Run a file."""
        self.name, self.test, self.failures = name, name, []
        self.pipe.send(name)

    def hear(self):
        """Take what it tells; return how the file went, if it is through."""
        try:
            told = self.pipe.recv()
        except EOFError:  # a fault of something compiled
            told = Went(False, f"{self.test}: Python crashed")
            self.end()
            self.start()
        if isinstance(told, Went):
            self.name = None
            return told
        self.test, failure = told
        self.failures += [f"{self.test}\n{failure}"] if failure else []
        return None

    def end(self):
        """End it, with all that it began."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()


def run(files, end, times):
    """Run files in their order until a time, and yield each with how it went."""
    ahead, workers = iter(files), [Worker() for _ in range(PROCESSES)]
    try:
        while True:
            for worker in workers:
                fitting = (f for f in ahead if time.time() + times.get(Path(f).stem, 0) < end)
                if not worker.name and (name := next(fitting, None)):
                    worker.begin(name)
            busy = {worker.pipe: worker for worker in workers if worker.name}
            if not busy or time.time() >= end:
                break
            for pipe in wait(busy, timeout=max(0, end - time.time())):
                name = busy[pipe].name
                if went := busy[pipe].hear():
                    yield name, went
        for one in busy.values():
            yield one.name, Went(not one.failures, "\n".join(one.failures), cut=one.test)
    finally:
        for worker in workers:
            worker.end()


def chapter_times():
    """Return how many seconds each chapter takes, by its name."""
    with open(ROOT / "chapters" / "times.csv", encoding="utf-8") as table:
        return {row["chapter"]: int(row["seconds"]) for row in csv.DictReader(table)}


def main():
    """Run the plan, and say what failed, what was cut off and what is left."""
    end = time.time() + SECONDS - CLOSING
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))  # as `python -m pytest` has it
    changed, since, about = changes(*sys.argv[1:])
    files = plan(changed, project(), about)
    print(f"{len(changed)} files {since}; {len(files)} files of tests read them.", flush=True)
    results = {}
    for name, went in run(files, end, chapter_times()):
        results[name] = went
        if went.said:
            last = f"{name}: {went.said.splitlines()[-1]}"
            print(last if went.passed else went.said, flush=True)
    left = [name for name in files if name not in results or results[name].cut]
    apart = [name for name in files if name in results and results[name].apart]
    failed = [name for name in files if name in results and not results[name].passed]
    cut = [went.cut for went in results.values() if went.cut]
    print(f"Left to make test: {len(left)} files:", *left)
    print(f"Of these cut off after {SECONDS} seconds:", *cut or ["nothing"])
    print(f"And what needs the built book or a browser, of {len(apart)}:", *apart)
    print("Failed:", *failed or ["nothing"])
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
