"""CONTRIBUTING.md is true: its list of packages, and its examples, applied and run."""

import ast
import re
import shutil
import textwrap
import tomllib

import pytest
from processes import run_python
from strange import write_collection

from chapters.ledger.papers import papers
from lib.paths import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = ("lib", "chapters", "data", "tests", "pyproject.toml")
PYTEST = "-m pytest -q -p no:nbval -p no:cacheprovider -o addopts=".split()


def test_the_list_of_packages_is_current():
    """Every package from top to bottom, as import-linter is told, with its first sentence."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for top, of in zip(("lib", "chapters"), settings["tool"]["importlinter"]["contracts"]):
        listed = [name.strip() for layer in of["layers"] for name in layer.split("|")]
        names, lines = [name.removeprefix(f"{top}.") for name in listed], []
        for name in names:
            path = ROOT.joinpath(top, *name.split("."))
            path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n\n")[0]
            called = f"{name}/" if path.name == "__init__.py" else name
            lines.append(called.ljust(17) + " ".join(says.split()))
        assert "```\n" + "\n".join(lines) + "\n```" in TEXT
        rooms = {path.relative_to(ROOT / top).parts[0] for path in (ROOT / top).rglob("*.py")}
        assert {room.removesuffix(".py") for room in rooms - {"__init__.py"}} == {
            name.partition(".")[0] for name in names
        }


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project, and a function that runs Python there and returns what it prints."""
    folder = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        if (ROOT / name).is_dir():
            unread = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=unread)
        else:
            shutil.copy(ROOT / name, folder)

    def run(*words):
        done = run_python(*words, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return folder, run


STEP = re.compile(
    r"^(?:In|At the end of) (?:a new file )?`([^`]+)`"
    r"(?:, (above|below|in place of) the line `([^\n]+)`)?[^\n]*:\n\n```\w*\n(.*?)^```$",
    flags=re.S | re.M,
)


def steps(name):
    """Return the steps of an example: a file, where in it, at which line, and what is added."""
    shown = re.search(rf"<!-- example: {name} -->\n(.*?)<!-- end of example -->", TEXT, flags=re.S)
    found = STEP.findall(shown[1])
    assert len(found) == shown[1].count("```") / 2 > 0, f"{name}: a block of code has no place"
    return found


def apply(name, folder):
    """Apply an example to a copy."""
    for file, where, anchor, code in steps(name):
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        at = len(lines)
        if anchor:
            (at,) = [number for number, line in enumerate(lines) if line.strip() == anchor]
        if lines and path.suffix == ".py" and not where:
            code = f"\n\n{code}"
        if path.suffix == ".py" and where == "above" and not anchor.endswith(","):
            code = f"{code}\n\n"
        lines[at + (where == "below") : at + (where in ("below", "in place of"))] = [code]
        path.write_text("".join(lines), encoding="utf-8")


# What Python is asked after some examples were applied; it prints a line an answer.
ASKED = {
    ("a measure", "a collection", "a paper", "an exercise"): (
        """
        from math import log2
        from lib import load, scores
        from lib.cli import main
        from lib.collection import about
        from chapters.ledger.papers import ledger, papers
        from chapters.exercises import check

        print(scores(load("trec8"), "SetAP").shape)
        main(WORDS)
        print(load("ours").title, len(load("ours").systems), about("ours")["rights"])
        main(["table", "toy2026", "1"])
        rows = ledger(["toy2026"])
        print(next(iter(papers())), *rows["verdict"], rows["anchor"].iloc[0])
        print(*(check("foundations-exercise-dcg", x) for x in (..., 1 + 1 / log2(3), 1.5)))
        """,
        [
            r"\(50, 129\)",
            r"Our track 12 The source states no terms\.",
            "systems,TREC-8,129,129,0.0,reproduced",
            "topics,TREC-8,50,50,0.0,reproduced",
            "toy2026 reproduced reproduced reproduced toy2026-table-1",
            "\u25cb There is no answer yet. \u2713 Right. \u2717 .*binary logarithm.*",
        ],
    ),
    ("a claim", "a figure"): (
        """
        from lib import load
        from chapters.ledger.papers import ledger, paper

        row = ledger(["toy2026"]).set_index("row").loc["early-above-late"]
        low, middle, high = (float(row[name]) for name in ("low", "estimate", "high"))
        print(row["verdict"], 0 < low < middle < high)
        ((name, draw),) = paper("toy2026").drawings.items()
        figure = draw(load("dl19"))
        print(name, figure.svg.count("<title>"), len(figure.data.shown))
        """,
        ["reproduced True", "Figure 1 37 37"],
    ),
}


def test_each_example_is_applied_and_what_it_adds_is_there(copy):
    folder, run = copy
    write_collection(folder / "originals")
    command = re.search(r"^python -m lib (derive RUNS QRELS .*)$", TEXT, flags=re.M)[1]
    words = command.replace("RUNS", "originals/runs").replace("QRELS", "originals/qrels").split()
    for names, (code, answers) in ASKED.items():
        for name in names:
            apply(name, folder)
        said = run("-c", f"WORDS = {words}\n{textwrap.dedent(code)}")
        for answer in answers:
            assert re.search(f"^{answer}$", said, flags=re.M), (answer, said)
    files = (
        "lib/measures/binary.py",
        "tests/lib/test_measures.py",
        "tests/chapters/test_claims.py",
    )
    named = (
        "set_average or pytrec_eval or its_equation or empty_list or ask_the_evidence and toy2026"
    )
    said = run(*PYTEST, "--doctest-modules", "-vv", *files, "-k", named)
    for test in ("set_average_precision", "its_equation", r"ask_the_evidence\[toy2026\]"):
        assert re.search(f"{test} PASSED", said), said


def test_another_can_be_added_at_the_same_place(copy):
    folder, _ = copy
    for name in ("a measure", "a paper", "a claim", "a figure", "an exercise"):
        for file, where, anchor, _ in steps(name):
            if anchor and where != "in place of" and (folder / file).exists():
                lines = (folder / file).read_text(encoding="utf-8").splitlines()
                assert [line.strip() for line in lines].count(anchor) == 1, (file, anchor)


def test_the_papers_are_counted_where_their_number_is_said():
    number = ("no", "one", "two", "three", "four", "five", "six", "seven")[len(papers())]
    for name in ("README.md", "book/intro.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"This book repeats (\w+) papers", text) == [number], name
