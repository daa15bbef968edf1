"""CONTRIBUTING.md is true: its list of packages, and its examples, applied and run."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest
from architecture import PAGE, ROOT, with_picture
from strange import write_collection

TEXT = PAGE.read_text(encoding="utf-8")
COPIED = ("lib", "data", "tests", "book", "chapters", "pyproject.toml", "README.md")


def test_the_list_of_packages_is_current():
    assert with_picture(TEXT) == TEXT, "run `python tests/architecture.py`"


@pytest.fixture
def copy(tmp_path):
    """A copy of the project, and a function that runs Python there and returns what it prints."""
    for name in COPIED:
        part = ROOT / name
        if part.is_dir():
            shutil.copytree(
                part, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb")
            )
        else:
            shutil.copy(part, tmp_path)

    def run(*words):
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return tmp_path, run


def apply(name, folder):
    """Apply an example to a copy; return the files that it touches."""
    shown = re.search(rf"<!-- example: {name} -->\n```diff\n(.*?)^```$", TEXT, flags=re.S | re.M)
    done = subprocess.run(
        ["git", "apply", "--verbose", "-"],
        input=shown[1],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"GIT_CEILING_DIRECTORIES": str(folder.parent), "PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, f"{done.stderr}: write the example anew"
    return re.findall(r"^diff --git a/(\S+)", shown[1], flags=re.M)


def pytest_in_copy(*words):
    return (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:nbval",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        *words,
    )


def test_a_measure_is_added(copy):
    folder, run = copy
    assert apply("a measure", folder) == ["lib/measures/binary.py", "tests/test_measures.py"]
    run(*pytest_in_copy("--doctest-modules", "lib/measures", "tests/test_measures.py"))
    printed = run("-m", "lib", "evaluate", "trec8", "--measures", "SetP")
    assert len(printed.splitlines()) > 129 * 49


def test_a_collection_is_added(copy):
    folder, run = copy
    assert apply("a collection", folder) == ["ours.json"]
    write_collection(folder / "originals")
    command = re.search(r"^python -m (lib derive RUNS QRELS .*)$", TEXT, flags=re.M)[1]
    words = command.replace("RUNS", "originals/runs").replace("QRELS", "originals/qrels").split()
    run("-m", *words)
    about = json.loads((folder / "data" / "ours" / "datapackage.json").read_text(encoding="utf-8"))
    assert about["rights"] == "The source states no terms."
    said = run("-c", "import lib; c = lib.load('ours'); print(c.title, len(c.systems))")
    assert said == "Our track 12\n"
    assert "another collection" in run(
        "-m", "lib", "table", "webber2008", "1", "--collection", "ours"
    )


def test_a_paper_is_added(copy):
    folder, run = copy
    touched = apply("a paper", folder)
    assert {name.rpartition("/")[0] for name in touched} == {"data/published", "lib/papers/toy2026"}
    printed = run("-m", "lib", "table", "toy2026", "1", "--csv").splitlines()
    assert printed[1:] == [
        "toy2026,1,systems,TREC-8,129,129,0.0,reproduced",
        "toy2026,1,topics,TREC-8,50,50,0.0,reproduced",
    ]
    code = """
        from lib.ledger import totals
        from lib.papers import ledger, papers
        rows = ledger(["toy2026"])
        print(list(papers())[-1], *rows["verdict"], rows["anchor"].iloc[0])
    """
    assert run("-c", textwrap.dedent(code)).split() == [
        "toy2026",
        *["reproduced"] * 3,
        "toy2026-table-1",
    ]
    tests = "tests/test_claims.py::test_a_changed_number_turns_every_claim[toy2026]"
    run(*pytest_in_copy(tests))
    run(
        *pytest_in_copy(
            "tests/test_architecture.py", "-k", "toy2026 or list_of_papers or its_folder"
        )
    )
    assert len(apply("a claim", folder)) == 2
    code = """
        from lib.papers import ledger
        row = ledger(["toy2026"]).set_index("row").loc["early-above-late"]
        low, middle, high = (float(row[name]) for name in ("low", "estimate", "high"))
        print(row["verdict"], 0 < low < middle < high)
    """
    assert run("-c", textwrap.dedent(code)).split() == ["reproduced", "True"]


def test_an_exercise_is_added(copy):
    folder, run = copy
    assert apply("an exercise", folder) == ["lib/teaching/lessons/foundations.yml"]
    code = """
        from lib.teaching import check
        print(*(check("foundations-exercise-dcg", x) for x in (..., 1 + 1 / log2(3), 1.5)))
    """
    said = run("-c", "from math import log2" + textwrap.dedent(code))
    assert said.startswith("\u2717 There is no answer yet. \u2713 Right. \u2717 ")
    assert "binary logarithm" in said
