"""``make check``: which tests a change touches, in which order, and what is left."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import check
import pytest
from strange import write_files

from lib.paths import ROOT

CODE = check.project()
TESTS = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]


@cache
def touched(name):
    """Return what a change of one file touches, without what every change does."""
    return [one for one in check.plan({name}, CODE) if one not in check.ALWAYS]


def names(files):
    """Return which tests of the folder are among files: of tests/lib/test_cli.py ``cli``."""
    return {Path(one).stem.removeprefix("test_") for one in files if one.startswith("tests/")}


@pytest.mark.parametrize(
    "module", ["statistics.multiplicity", "collection.trec", "measures.depths", "retrieval.models"]
)
def test_its_own_examples_come_first_and_then_the_tests_that_import_it(module):
    name = f"lib/{module.replace('.', '/')}.py"
    first, *others = touched(name)
    assert first == name
    package, _, last = module.rpartition(".")
    said = re.compile(rf"^from lib\.({module}|{package}) import ([^(\n]*|\([^)]*\))", re.M)

    def direct(one):
        found = said.findall((ROOT / one).read_text(encoding="utf-8"))
        return any(whole == module or last in names.split() for whole, names in found)

    tests = [direct(one) for one in others if one.startswith("tests/")]
    assert True in tests and tests == sorted(tests, reverse=True)


def test_of_two_as_near_the_one_that_imports_less_comes_first():
    first = touched("lib/statistics/multiplicity.py")
    assert first.index("tests/lib/test_multiplicity.py") < first.index("tests/lib/test_compare.py")


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("data/ledger.csv", "ledger"),  # chapters.ledger.rows has its name
        ("data/published/thom2007.csv", "thom2007"),  # chapters.ledger.published: f"{name}.csv"
        ("data/trec8/topics.tsv", "collection"),  # load("trec8")
        ("chapters/thom2007/tables.py", "ledger"),  # import_module(f"..{name}")
        ("lib/display/explorer.css", "explorer"),  # Path(__file__).with_suffix(".css")
        ("chapters/exercises/lessons/spending.yml", "exercises"),
        ("book/measures.yml", "reference"),  # by its maker
        ("book/glossary.md", "prose"),  # (ROOT / "book").rglob("*.md")
        ("README.md", "ledger"),
        ("tests/prose.toml", "prose"),
        ("tests/cells.py", "editions"),
        ("tests/conftest.py", "multiplicity"),
        ("book/release.py", "release"),
        ("book/wheel/renaming.py", "renaming"),
    ],
)
def test_what_reads_a_file_is_touched_by_it(changed, test):
    assert test in names(touched(changed))


def test_a_chapter_is_read_by_the_quick_tests_of_its_text_and_then_executed():
    chapter = "chapters/01-precision-at-ten.ipynb"
    order = touched(chapter)
    assert {"prose", "chapters", "ledger"} <= names(order[: order.index(chapter)])
    assert {"prose", "contributing"} <= names(touched("CONTRIBUTING.md"))


@pytest.mark.parametrize(
    ("changed", "runs_it"),
    [("chapters/left_out/claims.py", "claims"), ("lib/cli/comparing.py", "cli")],
)
def test_what_reads_every_file_comes_after_what_runs_this_one(changed, runs_it):
    order = [Path(one).stem for one in touched(changed)]
    assert order.index(f"test_{runs_it}") < order.index("test_environment")


@pytest.mark.parametrize(
    ("changed", "first"),
    [
        ("chapters/webber2008/drawings.py", ["test_drawn", "01-precision-at-ten"]),
        ("chapters/webber2010/claims.py", ["test_webber2010"]),
        ("chapters/competition.py", ["test_competition"]),  # which runs it through commands
    ],
)
def test_what_is_made_of_it_comes_before_what_is_made_beside_it(changed, first):
    at_once = touched(changed)[: check.PROCESSES]
    assert {*first} <= {Path(one).stem for one in at_once}


def test_if_all_changes_every_file_of_tests_is_touched():
    code = [path for top in ("lib", "chapters") for path in (ROOT / top).rglob("*.py")]
    examples = [path for path in code if ">>> " in path.read_text(encoding="utf-8")]
    chapters = [*(ROOT / "chapters").glob("*.ipynb"), *examples]
    names = {*TESTS, *(path.relative_to(ROOT).as_posix() for path in chapters)}
    assert set(check.plan(CODE, CODE)) == names


def test_no_table_and_no_page_is_read_by_nothing():
    paths = [path for top in ("data", "book") for path in (ROOT / top).rglob("*.*")]
    files = [p.relative_to(ROOT).as_posix() for p in paths if p.suffix in (".csv", ".md", ".tsv")]
    unread = [name for name in files if not any(check.step(*one, name) for one in CODE.items())]
    assert len(files) > 50 and unread == []


# A small project with a copy of the script.

FILES = {
    "lib/__init__.py": "",
    "lib/one.py": "def one():\n    return 1\n",
    "lib/two.py": "from lib.one import one\n\n\ndef two():\n    return 2 * one()\n",
    "tests/test_one.py": "from lib.one import one\n\n\ndef test_one():\n    assert one() == 1\n",
    "tests/test_two.py": "from lib.two import two\n\n\ndef test_two():\n    assert two() == 2\n",
    "tests/test_other.py": "def test_other():\n    assert False\n",
    "tests/test_page.py": "import lib.two\n\n\ndef test_page(browser):\n    assert False\n",
    "chapters/times.csv": "chapter,seconds\n",
    ".gitignore": "__pycache__\n",
}
LATE = """import time


def test_of_a_fault():
    assert False


def test_without_end():
    while True:
        time.sleep(1)
"""


@pytest.fixture
def project(tmp_path):
    """A project of a few files, committed."""
    if not shutil.which("git"):
        pytest.skip("a change is what git says it is")
    write_files(tmp_path, FILES | {"tests/check.py": Path(check.__file__).read_bytes()})
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def git(folder, *words):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def commit(folder):
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "a change")


def checked(folder, seconds=60):
    """Run the script; return its exit status, the files that passed, and its last four lines."""
    code = f"import sys; sys.path[0] = 'tests'; import check; check.SECONDS = {seconds}"
    command = [sys.executable, "-c", f"{code}; sys.exit(check.main())"]
    quick = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=quick, timeout=200
    )
    passed = re.findall(r"^(\S+): 1 passed", done.stdout, re.M)
    return done.returncode, passed, done.stdout.splitlines()[-4:]


def edit(folder, name, old, new):
    (folder / name).write_text(
        (folder / name).read_text(encoding="utf-8").replace(old, new), encoding="utf-8"
    )


def test_a_change_is_that_of_the_tree_or_of_the_last_commit_or_since_a_base(project, monkeypatch):
    monkeypatch.setattr(check, "ROOT", project)
    assert check.changes()[0] == set(check.project()) > {"lib/one.py"}  # one commit: all counts
    edit(project, "lib/two.py", "2 * one()", "one() + one()")
    assert check.changes()[0] == {"lib/two.py"}
    assert {"def", "two", "return", "one"} <= check.changes()[2]
    commit(project)
    assert check.changes()[0] == {"lib/two.py"}
    (project / "lib" / "one.py").unlink()
    (project / "new.txt").write_text("", encoding="utf-8")
    assert check.changes()[0] == {"lib/one.py", "new.txt"}
    assert check.changes("HEAD~1")[0] == {"lib/one.py", "lib/two.py", "new.txt"}
    with pytest.raises(SystemExit, match="cannot compare with 'main~7'"):
        check.changes("main~7")


@pytest.mark.parametrize("word", ["two", "page"])
def test_of_two_as_near_the_one_with_the_words_of_the_change_comes_first(
    word, project, monkeypatch
):
    monkeypatch.setattr(check, "ROOT", project)
    first, *_ = check.plan({"lib/two.py"}, check.project(), {word, "return"})
    assert first == f"tests/test_{word}.py"


@pytest.mark.posix  # as make is
def test_a_fault_fails_and_what_needs_a_page_or_more_time_is_left(project):
    edit(project, "lib/two.py", "2", "3")
    status, passed, (left, cut, apart, failed) = checked(project)
    assert (status, passed, failed) == (1, [], "Failed: tests/test_two.py")
    assert left.startswith("Left to make test: 0 ") and cut.endswith(": nothing")
    assert apart.endswith("of 1: tests/test_page.py")
    status, passed, (left, cut, _, failed) = checked(project, seconds=0)
    assert (status, passed, failed) == (0, [], "Failed: nothing")
    assert left.endswith(": tests/test_two.py tests/test_page.py") and cut.endswith(": nothing")


@pytest.mark.posix
def test_what_runs_at_the_end_is_cut_off_and_its_faults_are_told(project):
    (project / "tests" / "test_late.py").write_text(LATE, encoding="utf-8")
    status, passed, (left, cut, _, failed) = checked(project, seconds=10)
    assert (status, passed, failed) == (1, [], "Failed: tests/test_late.py")
    assert left == "Left to make test: 1 files: tests/test_late.py"
    assert cut == "Of these cut off after 10 seconds: tests/test_late.py::test_without_end"
