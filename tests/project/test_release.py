"""What `make release` makes works where the project is not: the wheel with its data, the pages."""

import io
import json
import os
import re
import site
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from built import HTML, LANDING, PAGES, ROOT, name, needs_book
from chromium import DESKTOP
from editions import CHAPTERS, runs_from_an_empty_folder, solved
from playwright.sync_api import expect

from lib.collection import load
from lib.measures import scores

sys.path.insert(0, str(ROOT / "book"))
import release  # noqa: E402

# Long: a wheel is made and installed; the tests of the commands, in the project, notice most of it.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The wheel, made from files that a group may write."""
    mask = os.umask(0o002)
    try:
        return release.wheel(tmp_path_factory.mktemp("made"))
    finally:
        os.umask(mask)


@pytest.fixture(scope="module")
def installed(made, tmp_path_factory):
    """An environment with the wheel and what it needs, and nothing of the project."""
    folder = tmp_path_factory.mktemp("release") / "environment"
    venv.create(folder)
    packages = packages_of(folder)
    # A path file that is named by another is not read: the editable install stays away.
    (packages / "needed.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(python_of(folder)), "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--quiet", str(made)], check=True)
    return folder


def packages_of(environment):
    """Return the folder of packages of an environment."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))


def python_of(environment):
    """Return the interpreter of an environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture
def beside(tmp_path):
    """A folder in which somebody has a `lib`."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text("mine = True\n", encoding="utf-8")
    return tmp_path


def run(installed, folder, *words):
    """Run Python with the installed package, in a folder that holds nothing of the project."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [python_of(installed), *words],
        cwd=folder,
        env={"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "MEASURES_STATIC": "1", **kept},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_the_same_from_two_builds(made, tmp_path):
    assert made.name == f"measuring_the_measures-{release.version()}-py3-none-any.whl"
    assert release.wheel(tmp_path).read_bytes() == made.read_bytes()


def test_the_wheel_carries_every_file_of_the_package_and_the_data(installed):
    def files(folder):
        paths = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder) for path in paths if "__pycache__" not in path.parts}

    package, ours = packages_of(installed) / release.PACKAGE, ROOT / "data"
    data = {path for path in files(ours) if path.suffix != ".py"}
    assert files(package / "data") == data
    for path in data:
        if path.name != "datapackage.json":  # it says a command
            assert (package / "data" / path).read_bytes() == (ours / path).read_bytes()
    code = {path for path in files(package) if path.parts[0] != "data"}
    makers = {Path("teaching", name) for name in release.MAKERS}
    assert code == files(ROOT / "lib") - makers
    (notices,) = packages_of(installed).glob("measuring*.dist-info/licenses")
    found = {path.relative_to(notices) for path in notices.rglob("*") if path.is_file()}
    texts = {path.relative_to(ROOT) for path in (ROOT / "LICENSES").iterdir()}
    assert found == texts | {Path(part) for part in release.PARTS[2:]}


def test_the_wheel_has_one_package_and_speaks_of_it_by_its_name(installed):
    told = packages_of(installed).glob("measuring_the_measures-*.dist-info/*")
    said = {path.name: path.read_text(encoding="utf-8") for path in told if path.is_file()}
    assert said["top_level.txt"].split() == [release.PACKAGE]
    assert f"measures = {release.PACKAGE}.cli:main" in said["entry_points.txt"]
    assert "-m lib" not in said["METADATA"]
    package = packages_of(installed) / release.PACKAGE
    texts = [path for path in package.rglob("*.*") if path.suffix in {".py", ".ipynb", ".json"}]
    named = [p for p in texts if re.search(r"\blib\b", p.read_text(encoding="utf-8"))]
    assert texts and named == []


# What imports all: a name of the project that the wheel has not would be seen here.
ALONE = f"""
import importlib, pkgutil, sys
import lib, {release.PACKAGE} as package
assert lib.mine
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
assert [name for name in sys.modules if name.split(".")[0] == "lib"] == ["lib"]
"""


def test_the_wheel_stands_beside_a_folder_named_lib(installed, beside):
    run(installed, beside, "-c", ALONE)
    helped = run(installed, beside, "-m", release.PACKAGE, "--help")
    assert helped.startswith(f"usage: python -m {release.PACKAGE} ")
    assert release.version() in run(installed, beside, "-m", release.PACKAGE, "--version")
    command = python_of(installed).with_name("measures")
    assert subprocess.check_output([command, "--help"], cwd=beside).startswith(b"usage: measures ")


@pytest.fixture
def kernel(installed, tmp_path_factory, monkeypatch):
    """The name of a kernel that has the wheel."""
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "kernels" / "wheel").mkdir(parents=True)
    words = [str(python_of(installed)), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    said = {"argv": words, "display_name": "wheel", "language": "python"}
    (folder / "kernels" / "wheel" / "kernel.json").write_text(json.dumps(said), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return "wheel"


# The first and the last: the wheel has every file (above), and all chapters are run in the project.
@pytest.mark.parametrize("chapter", [CHAPTERS[0], CHAPTERS[-1]])
def test_an_edition_runs_from_the_wheel_alone(chapter, kernel, tmp_path, monkeypatch):
    edition = release.for_the_wheel(solved(chapter))
    assert "lib" not in " ".join(c.source for c in edition.cells if c.cell_type == "code").split()
    runs_from_an_empty_folder(edition, tmp_path, monkeypatch, kernel)


def test_the_wheel_computes_what_the_project_computes(installed, tmp_path):
    said = run(
        *(installed, tmp_path, "-m", release.PACKAGE), *("evaluate", "trec8", "--measures", "AP RR")
    )
    found = pd.read_csv(io.StringIO(said)).groupby(["measure", "system"])["score"].mean()
    ours = pd.concat({name: scores(load("trec8"), name).mean() for name in ("AP", "RR")})
    assert len(found) == 2 * 129
    pd.testing.assert_series_equal(
        found.sort_index(), ours.sort_index(), check_names=False, check_index_type=False
    )


@needs_book
def test_the_pages_work_from_their_zip(browser, tmp_path):
    made = release.pages(tmp_path)
    with zipfile.ZipFile(made) as file:
        file.extractall(tmp_path / "read")
    (folder,) = (tmp_path / "read").iterdir()
    assert folder.name == f"measuring-the-measures-{release.version()}"
    assert all((folder / name(page)).read_bytes() == page.read_bytes() for page in PAGES)
    for handed in [*folder.glob("*/*.ipynb"), *folder.glob("_downloads/*/*.py")]:
        said = handed.read_text(encoding="utf-8")
        assert release.PACKAGE in said and not re.search(r"\blib\b", said), handed
    assert {"LICENSE", "LICENSE-TEXT.md", "LICENSES", "DATA.md", "CITATION.cff"} <= {
        path.name for path in folder.iterdir()
    }
    failed = []
    with browser.new_context(viewport=DESKTOP) as context:
        page = context.new_page()
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.goto((folder / "index.html").as_uri())
        page.wait_for_url(f"**/{name(LANDING)}")
        expect(page.locator("article h1")).to_contain_text("Measuring the Measures")
        page.locator("a[href$='ledger.html']:visible").first.click()
        page.wait_for_url("**/ledger.html")
        assert str(HTML) not in page.url
    assert failed == []
