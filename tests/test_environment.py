"""What is imported is declared, the lock pins it, and conda users get the same lock."""

import ast
import re
import subprocess
import sys
import textwrap
import tomllib
from importlib.metadata import packages_distributions

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as canonical

from lib.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()
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
    for extra in ("core", "report", "book", "test"):
        for name, requirement in NEEDED[extra].items():
            if name != PROJECT["name"]:  # an extra that brings another one
                versions = pins.get(name)
                assert versions, f"requirements.lock does not pin {name}: run `make lock`"
                assert all(map(requirement.specifier.contains, versions)), (name, versions)


def test_what_is_imported_is_declared():
    """Each part of the project by its extras; book/ is what the pages are made with."""
    parts = {"lib": "core report book", "lib/reporting": "core report", "book": "core report book"}
    installed, found = packages_distributions(), []
    for part, extras in parts.items():
        declared = WITH_THE_BOOK.union(*(NEEDED[extra] for extra in extras.split()))
        for path in (ROOT / part).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) else []
                for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names:
                    brought = {canonical(one) for one in installed.get(name, [])}
                    if brought and name != "lib" and not brought & declared:
                        found.append(f"{path.relative_to(ROOT)}: {name} is not in {extras}")
    assert found == []


def test_the_core_imports_nothing_that_only_an_extra_brings():
    names = "IPython ipywidgets papermill nbconvert nbformat myst_nb pybtex".split()
    code = f"""
        import sys, importlib
        sys.modules |= dict.fromkeys({names})
        import lib, lib.cli
        from lib.papers import papers
        papers()
        lib.cli._parser()
        for name in "retrieval originals.fetch teaching ledger".split():
            importlib.import_module("lib." + name)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, cwd=ROOT)


def test_conda_installs_the_same_lock_and_nothing_else():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["dependencies"] == ["python=3.11", "pip", {"pip": ["-r requirements.lock"]}]
