"""The lock covers what the project needs, names no address, and conda users get the same one."""

import re
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
BENCH = entries((ROOT / "requirements-bench.lock").read_text())


def pins(lock=ENTRIES):
    """Return {canonical name: set of pinned versions} of a lock."""
    found = {}
    for entry in lock:
        requirement = Requirement(entry[0])
        (pin,) = requirement.specifier
        assert pin.operator == "==", f"{entry[0]} is not pinned"
        found.setdefault(canonicalize_name(requirement.name), set()).add(pin.version)
    return found


def test_every_entry_is_pinned_and_hashed():
    assert len(ENTRIES) > len(PROJECT["dependencies"])
    for entry in ENTRIES:
        hashes = [word for word in entry if word.startswith("--hash=")]
        assert hashes, f"{entry[0]} has no hash"
        for word in hashes:
            assert re.fullmatch("--hash=sha256:[0-9a-f]{64}", word), f"{entry[0]}: {word}"


def test_the_bench_measures_with_the_versions_of_the_lock_and_with_its_peers():
    ours, bench = pins(), pins(BENCH)
    assert {name: bench.get(name) for name in ours} == ours
    peers = {Requirement(text).name for text in PROJECT["optional-dependencies"]["bench"]}
    assert peers and peers <= bench.keys() - ours.keys()
    assert all(any(word.startswith("--hash=sha256:") for word in entry) for entry in BENCH)
    assert "://" not in (ROOT / "requirements-bench.lock").read_text()


def test_lock_names_no_address():
    for line in LOCK.splitlines():
        assert "://" not in line and " @ " not in line, line
        assert not re.match(r"\s*(#|-(?!-hash=))", line), line


@pytest.mark.parametrize("dependency", PROJECT["dependencies"])
def test_direct_dependency_is_pinned_within_its_range(dependency):
    requirement = Requirement(dependency)
    versions = pins().get(canonicalize_name(requirement.name))
    assert versions, f"requirements.lock does not pin {requirement.name}: run `make lock`"
    assert all(requirement.specifier.contains(version) for version in versions), versions


def test_conda_installs_the_same_lock_and_nothing_else():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["dependencies"] == ["python=3.11", "pip", {"pip": ["-r requirements.lock"]}]
