"""What is imported is declared, the lock pins it, and conda users get the same lock."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from cells import imported_packages
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical
from processes import run_python
from strange import write_collection, write_files

from lib.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
EXTRAS = {"core": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}
NEEDED = {
    extra: {canonical(one.name): one for one in map(Requirement, wanted)}
    for extra, wanted in EXTRAS.items()
}
WITH_THE_BOOK = {  # jupyter-book brings them
    *("beautifulsoup4", "docutils", "jinja2", "markdown-it-py", "mdit-py-plugins", "myst-nb"),
    "sphinx",
}


def test_the_lock_is_pins_and_hashes_of_all_that_is_needed():
    pins = {}
    for entry in LOCK.replace("\\\n", " ").splitlines():
        pin, *rest = entry.split()
        hashes = [word for word in rest if word.startswith("--")]
        assert hashes and all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", one) for one in hashes)
        assert "://" not in entry and " @ " not in entry, entry
        name, version = pin.split("==")
        pins.setdefault(canonical(name), []).append(version)
    for extra in ("core", "papers", "report", "book", "test"):
        for name, requirement in NEEDED[extra].items():
            if name != PROJECT["name"]:  # an extra that brings another one
                versions = pins.get(name)
                assert versions, f"requirements.lock does not pin {name}: run `make lock`"
                assert all(map(requirement.specifier.contains, versions)), (name, versions)


def test_what_is_imported_is_declared():
    """Each part of the project by its extras; book/ is what the pages are made with."""
    ours = "core papers report"
    parts = {"lib": ours, "chapters": ours, "book": f"{ours} book teach"}
    installed, found = packages_distributions(), []
    for part, extras in parts.items():
        declared = WITH_THE_BOOK.union(*(NEEDED[extra] for extra in extras.split()))
        for path in (ROOT / part).rglob("*.py"):
            names = imported_packages(path.read_text(encoding="utf-8"))
            for name in names - sys.stdlib_module_names - {"lib"}:
                brought = {canonical(one) for one in installed.get(name, [])}
                if brought and not brought & declared:
                    found.append(f"{path.relative_to(ROOT)}: {name} is not in {extras}")
    assert found == []


REPORT = "IPython ipywidgets papermill nbconvert nbformat myst_nb pybtex"
WITHOUT = {"papers": REPORT, "core": f"{REPORT} matplotlib pooch requests seaborn Stemmer yaml"}


def without(extras, code):
    """Run code where what some extras bring is not to be had; return what it says.

    If lib opens a text in the machine's encoding that is an error: Ruff's PLW1514 sees some of
    these, Python all that it comes to.
    """
    begin = f"import sys, warnings; sys.modules |= dict.fromkeys({WITHOUT[extras].split()})\n"
    begin += 'warnings.filterwarnings("error", category=EncodingWarning, module="lib")\n'
    return run_python("-X", "warn_default_encoding", "-c", begin + textwrap.dedent(code))


def test_the_papers_are_computed_without_what_only_the_report_needs():
    code = r"""
        import importlib, pkgutil, re, chapters, lib
        from chapters.ledger.papers import papers
        papers()
        for package in (lib, chapters):
            for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                if not re.match(r"lib\.__main__|chapters\.report", module.name):
                    importlib.import_module(module.name)
    """
    done = without("papers", code)
    assert done.returncode == 0, done.stderr


def test_the_core_derives_evaluates_and_compares_runs(tmp_path):
    write_collection(tmp_path)
    one, other, third = (f"runs/group{number}-run0" for number in (1, 2, 3))
    words = [
        "derive runs qrels --out mine --judged",
        "evaluate runs qrels",
        f"evaluate mine --summary --against {Path(one).name}",
        f"compare {one} {other} qrels",
        f"compare {one} {other} {third} qrels --format latex",
        "compare-qrels runs qrels qrels",
        "incomplete mine",
    ]
    code = f"""
        import os
        from functools import partial
        from lib.cli import main
        from lib.statistics import incomplete
        incomplete.degradation = partial(incomplete.degradation, repeats=2)  # in place of 20
        os.chdir({str(tmp_path)!r})
        for words in {words}:
            assert main(words.split()) == 0, words
    """
    found = without("core", code)
    assert found.returncode == 0, found.stderr


NEEDS = re.compile(
    r"^error: \w+ is not installed: pip install 'measuring-the-measures\[(papers|report)\]'$", re.M
)


def test_a_command_and_its_help_name_the_extra_that_it_needs():
    code = """
        import io, json
        from contextlib import redirect_stderr, redirect_stdout, suppress
        from lib.cli import _parser, main
        from lib.cli.common import COMMANDS
        words = {
            "elsewhere": "--collection dl19",
            "feedback": "x --out y",
            "fetch": "trec8 --to x",
            "foretell": "dl19",
            "ledger": "",
            "plan": "--judgements 50 --systems 40",
            "qrels": "x --out y",
            "report": "--collection dl19 --out x",
            "search": "x --out y",
            "sheets": "x y --out z",
            "table": "webber2008 1",
        }
        _parser()  # all commands say their names
        for name in COMMANDS:
            status, out, err = None, io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err), suppress(SystemExit):
                if name in words:
                    status = main([name, *words[name].split()])
                main([name, "--help"])
            print(json.dumps([name, status, err.getvalue(), out.getvalue()]))
        main("compare --collection trec8 orcl99man CL99XT --out x.svg".split())
    """
    found, extras = without("core", code), []
    for name, status, told, helped in map(json.loads, found.stdout.splitlines()):
        needed = NEEDS.findall(told)
        assert set(needed) == set(re.findall(r"measures\[(papers|report)\]", helped)), name
        assert status == (2 if needed else None), name
        extras += needed
    assert sorted(extras) == ["papers"] * 10 + ["report"]
    assert NEEDS.findall(found.stderr) == ["papers"]  # for a picture


def test_the_report_takes_the_kernel_that_colab_has():
    """A kernel's own packages are not replaced while it runs."""
    colab = {"ipykernel": "6.17.1", "ipython": "7.34.0", "ipywidgets": "7.7.1"}
    for name, version in colab.items():
        assert version in NEEDED["report"][name].specifier


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_an_environment_belongs_to_the_place_of_its_checkout(tmp_path):
    """It holds the path; make and make.py name it alike, whatever path and locale."""
    names = set()
    for folder in (tmp_path / "n\u00e4her", tmp_path / "a b"):
        write_files(folder, {name: (ROOT / name).read_bytes() for name in ("Makefile", "make.py")})
        command = ["make", "-pn", f"PYTHON={sys.executable}", "VENV=.venv", "help"]
        told = subprocess.run(
            command, cwd=folder, capture_output=True, env=os.environ | {"LC_ALL": "C"}
        )
        (stamp,) = re.findall(rb"^STAMP := (.*)$", told.stdout, flags=re.M)
        assert folder / stamp.decode() == runpy.run_path(str(folder / "make.py"))["MADE_FROM"]
        names.add(stamp)
    assert len(names) == 2


@pytest.mark.posix
@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_an_environment_behind_a_link_is_not_emptied(tmp_path):
    for name in ("Makefile", "make.py", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    write_files(tmp_path / "theirs", {"kept": b"whole"})
    (tmp_path / ".venv").symlink_to("theirs")
    for command in (
        ["make", f"PYTHON={sys.executable}", "types"],
        [sys.executable, "make.py", "book"],
    ):
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert told.returncode and ".venv is a link" in told.stderr
        assert [*(tmp_path / "theirs").iterdir()] == [tmp_path / "theirs" / "kept"]


def test_conda_installs_the_same_lock_and_nothing_else():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["dependencies"] == ["python=3.11", "pip", {"pip": ["-r requirements.lock"]}]
