"""The library without the book, and the chapters beside folders of their names."""

import shutil
import sys
from importlib.machinery import PathFinder
from textwrap import dedent

import pytest
from processes import run_python
from strange import write_collection, write_files

from chapters import commands
from lib.cli import OF_CHAPTERS
from lib.cli.common import COMMANDS
from lib.paths import ROOT

PLAN = ("-m", "lib", "plan", "--judgements", "5000", "--collection", "dl19")


def run(folder, *words):
    """Run Python in a folder; return its exit status, what it printed and what it told."""
    done = run_python(*words, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A folder that holds the library, some runs and judgements, and nothing of the book."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copytree(ROOT / "lib", folder / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    write_collection(folder)
    assert asked(folder, "derive runs qrels --out mine --judged")[0] == 0
    return folder


def asked(folder, command):
    """Give a command to the library of a folder, without the book."""
    return run(
        folder, "-c", f"{WITHOUT}from lib.cli import main; sys.exit(main({command.split()}))"
    )


# The environment may know the book, but what it has of it cannot be imported here.
WITHOUT = "import sys; sys.modules.update(chapters=None, book=None); sys.path.insert(0, '.')\n"
SCORED = [
    "derive runs qrels --out yours --judged",
    "evaluate yours --summary",
    "evaluate runs qrels --unjudged",
    "compare runs/group1-run0 runs/group2-run0 qrels",
    "compare-qrels runs qrels qrels",
    "correct runs qrels qrels --chosen-by-me",
    "left-out runs qrels",
]


def test_the_library_alone_prints_what_it_prints_beside_the_book(alone, tmp_path):
    write_collection(tmp_path)
    for command in SCORED:
        beside = run(tmp_path, "-m", "lib", *command.split())
        assert asked(alone, command) == beside and beside[0] == 0, command


def test_what_needs_the_book_says_so_in_a_line(alone):
    shares = "note: --unjudged: what runs lost outside a pool is left out"
    needing = {
        "evaluate mine --summary --unjudged": (0, shares),
        "compare --collection mine group1-run0 group2-run0 --unjudged": (0, shares),
        "evaluate trec8": (2, "error: trec8: no collection there"),
        **{f"{name} --x": (2, f"error: {name} needs the book's chapters") for name in OF_CHAPTERS},
    }
    for command, (expected, line) in needing.items():
        status, _, err = asked(alone, command)
        said = [one for one in err.splitlines() if not one.startswith("note: topics that are")]
        assert status == expected and len(said) == 1 and said[0].startswith(line), (command, err)


def test_leads_are_foretold_without_the_book(alone):
    write_collection(alone / "many", systems=20)
    assert asked(alone, "derive many/runs many/qrels --out larger")[0] == 0
    words = "foretell larger --measures AP --topics 10,40 --format csv"
    status, out, err = asked(alone, words)
    assert status == 0 and "AP,lead,40," in out
    assert "come from these runs alone: the book's collections are not here" in err


def test_errors_over_topics_need_no_stored_numbers(alone):
    code = """
        import lib
        mine = lib.load("mine")
        power = lib.phi(mine, ["AP", "P@10"], number=20, for_error=20)
        lead = lib.without_each_topic(mine, lambda c: lib.means(c, "AP")["AP"].max())
        print(*(power.interval().error > 0).tolist(), lead.interval().error > 0)
    """
    assert run(alone, "-c", WITHOUT + dedent(code))[:2] == (0, "True True True True True\n")


def test_the_commands_of_the_chapters_are_those_that_the_library_names():
    own = {name for name, (run, *_) in COMMANDS.items() if run.__module__ == commands.__name__}
    assert own == set(OF_CHAPTERS)


WRONG = "raise SystemExit('a thesis is run in the place of the book')\n"


@pytest.mark.parametrize("package", [True, False], ids=["a package", "a folder"])
def test_a_folder_named_chapters_is_not_taken_for_the_book(package, tmp_path):
    files = {f"chapters/{name}.py": WRONG for name in ("commands", "ledger", "spending", "lib2")}
    write_files(tmp_path, files | ({"chapters/__init__.py": WRONG} if package else {}))
    for folder in (tmp_path, tmp_path / "chapters"):
        status, out, err = run(folder, *PLAN)
        assert status == 0 and "Judge " in out, err


def test_in_the_folder_of_the_chapters_no_module_has_two_names():
    """Python looks first where one stands: a file there must be found as a part of chapters."""
    code = """
        import sys, pkgutil, importlib, chapters
        for module in pkgutil.walk_packages(chapters.__path__, "chapters."):
            importlib.import_module(module.name)
        files = [f for f in (getattr(m, "__file__", None) for m in [*sys.modules.values()]) if f]
        print(sorted(f for f in files if "/chapters/" in f and files.count(f) > 1))
    """
    assert run(ROOT / "chapters", "-c", dedent(code))[:2] == (0, "[]\n")
    names = [path.name.removesuffix(".py") for path in (ROOT / "chapters").iterdir()]
    names = [name for name in names if name.isidentifier() and not name.startswith("__")]
    others = [path for path in sys.path if path]
    hidden = [name for name in names if PathFinder.find_spec(name, others)]
    assert "elsewhere" in names and hidden == [] == [*sys.stdlib_module_names.intersection(names)]
