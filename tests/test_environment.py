"""The lock covers what the project needs, names no address, and conda users get the same one."""

import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()


def entries(lock):
    """Return one entry a package: "name==version ; marker", then its hashes on continued lines."""
    return [entry.split() for entry in lock.replace("\\\n", " ").splitlines() if entry.strip()]


ENTRIES = entries(LOCK)
EXTRAS = PROJECT["optional-dependencies"]
DIRECT = [*PROJECT["dependencies"], *EXTRAS["report"], *EXTRAS["book"], *EXTRAS["test"]]


def pins():
    """Return {canonical name: set of pinned versions} of the lock."""
    found = {}
    for entry in ENTRIES:
        requirement = Requirement(entry[0])
        (pin,) = requirement.specifier
        assert pin.operator == "==", f"{entry[0]} is not pinned"
        found.setdefault(canonicalize_name(requirement.name), set()).add(pin.version)
    return found


def test_every_entry_is_pinned_and_hashed():
    assert len(ENTRIES) > len(DIRECT)
    for entry in ENTRIES:
        hashes = [word for word in entry if word.startswith("--hash=")]
        assert hashes, f"{entry[0]} has no hash"
        for word in hashes:
            assert re.fullmatch("--hash=sha256:[0-9a-f]{64}", word), f"{entry[0]}: {word}"


def test_lock_names_no_address():
    for line in LOCK.splitlines():
        assert "://" not in line and " @ " not in line, line
        assert not re.match(r"\s*(#|-(?!-hash=))", line), line


@pytest.mark.parametrize("dependency", DIRECT)
def test_direct_dependency_is_pinned_within_its_range(dependency):
    requirement = Requirement(dependency)
    if requirement.name != PROJECT["name"]:  # an extra that brings another one
        versions = pins().get(canonicalize_name(requirement.name))
        assert versions, f"requirements.lock does not pin {requirement.name}: run `make lock`"
        assert all(requirement.specifier.contains(version) for version in versions), versions


def test_each_extra_brings_the_one_before():
    for name, inner in (("book", "report"), ("test", "book"), ("bench", "test")):
        assert f"{PROJECT['name']}[{inner}]" in EXTRAS[name]


def test_the_core_imports_nothing_that_only_an_extra_brings():
    names = "IPython ipywidgets papermill nbconvert nbformat myst_nb yaml pybtex".split()
    code = f"""
        import sys, importlib
        sys.modules |= dict.fromkeys({names})
        import lib, lib.cli
        from lib.papers import papers
        papers()
        lib.cli._parser()
        for name in "retrieval.experiment originals.fetch studies.judges ledger".split():
            importlib.import_module("lib." + name)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, cwd=ROOT)


def test_conda_installs_the_same_lock_and_nothing_else():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["dependencies"] == ["python=3.11", "pip", {"pip": ["-r requirements.lock"]}]
