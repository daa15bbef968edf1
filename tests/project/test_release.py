"""The wheel is one product however it is made, and works where the project is not; so do the pages.

What it renames, and what not, is tested line by line in test_renaming.
"""

import io
import json
import os
import re
import shutil
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
from cells import imported_packages
from chromium import DESKTOP
from editions import CHAPTERS, runs_from_an_empty_folder, solved
from playwright.sync_api import expect
from strange import files_below, write_collection, write_files

from book.wheel.renaming import PACKAGE
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
    pip("--python", python_of(folder), "install", "--no-deps", "--no-index", "--quiet", made)
    return folder


def packages_of(environment):
    """Return the folder of packages of an environment."""
    return Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))


def python_of(environment):
    """Return the interpreter of an environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


ALONE = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet")


def pip(*words, settings=None):
    """Run pip with the tools of this environment, without the network."""
    command = [sys.executable, "-m", "pip", *map(str, words)]
    subprocess.run(command, check=True, env=os.environ | (settings or {}))


def files(folder):
    """Return the files below a folder: path to content; not what Python keeps of its own."""
    found = files_below(folder).items()
    own = re.compile(r"(^|/)(__pycache__|\.ipynb_checkpoints)/")
    return {name: content for name, content in found if not own.search(name)}


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A copy of the project's files as a clone has them, notebooks and tests among them."""
    copy = tmp_path_factory.mktemp("clean") / "project"
    made = shutil.ignore_patterns("__pycache__", ".*")
    for part in ("lib", "chapters", "data", "book", "tests", "LICENSES"):
        shutil.copytree(ROOT / part, copy / part, ignore=made)
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, copy)
    shutil.copy(ROOT / "LICENSE", copy)
    (copy / "chapters" / "mine.py").write_text("what a reader's notebook keeps\n", encoding="utf-8")
    return copy


@pytest.fixture
def beside(tmp_path):
    """A folder in which somebody has a `lib` and `chapters`, and runs to be evaluated."""
    write_files(tmp_path, {f"{one}/__init__.py": "mine = True\n" for one in ("lib", "chapters")})
    write_collection(tmp_path)
    return tmp_path


def run(installed, folder, *words):
    """Run Python with the installed package, in a folder that holds nothing of the project."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    kept["JUPYTER_PATH"] = str(Path(sys.prefix, "share", "jupyter"))  # what packages brought there
    done = subprocess.run(
        [python_of(installed), *words],
        cwd=folder,
        env={"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "MEASURES_STATIC": "1", **kept},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_the_same_however_it_is_built(made, clean, tmp_path):
    """By `make release`, and by pip at another time, from a clone or from its source archive."""
    assert made.name == f"measuring_the_measures-{release.version()}-py3-none-any.whl"
    later = {"SOURCE_DATE_EPOCH": "1000000000"}
    pip("wheel", *ALONE, "-w", tmp_path / "pip", clean, settings=later)
    archives = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        code = f"from book.wheel.backend import build_sdist; build_sdist({str(folder)!r})"
        subprocess.run([sys.executable, "-c", code], cwd=clean, check=True)
        archives += folder.iterdir()
    assert archives[0].read_bytes() == archives[1].read_bytes()
    pip("wheel", *ALONE, "-w", tmp_path / "archive", archives[0])
    for folder in ("pip", "archive"):
        (wheel,) = (tmp_path / folder).iterdir()
        assert wheel.name == made.name and wheel.read_bytes() == made.read_bytes(), folder


def test_pip_installs_the_wheel_from_a_folder_and_leaves_it_as_it_was(clean, made, tmp_path):
    before = files(clean)
    pip("install", *ALONE, "--target", tmp_path / "site", clean)
    assert files(clean) == before
    with zipfile.ZipFile(made) as file:
        held = {name: file.read(name) for name in file.namelist() if name.startswith(PACKAGE + "/")}
    assert {n: c for n, c in files(tmp_path / "site").items() if n in held} == held
    said = subprocess.check_output(
        [sys.executable, "-m", PACKAGE, "evaluate", "trec5", "--measures", "AP"],
        cwd=tmp_path / "site",
    )
    assert said.count(b"\n") > 61 * 50


def test_the_wheel_carries_every_file_of_the_library_the_chapters_code_and_the_data(installed):
    found = files(packages_of(installed) / PACKAGE)
    data = {name: held for name, held in files(ROOT / "data").items() if not name.endswith(".py")}
    code = {
        name
        for name in files(ROOT / "chapters")
        if "/" in name or (name.endswith(".py") and name != "mine.py")
    }
    assert len(data) > 150 and {"times.py", "exercises/checks.py", "report/report.ipynb"} <= code
    expected = {*files(ROOT / "lib")} | {f"chapters/{name}" for name in code}
    assert set(found) == expected | {f"data/{name}" for name in data}
    for path, held in data.items():
        if not path.endswith("datapackage.json"):  # it says a command
            assert found[f"data/{path}"] == held, path
    (notices,) = packages_of(installed).glob("measuring*.dist-info/licenses")
    texts = {f"LICENSES/{name}" for name in files(ROOT / "LICENSES")}
    assert set(files(notices)) == texts | {"LICENSE", "LICENSE-TEXT.md", "DATA.md", "CITATION.cff"}


def test_the_wheel_has_one_package_and_speaks_of_it_by_its_name(installed):
    told = packages_of(installed).glob("measuring_the_measures-*.dist-info/*")
    said = {path.name: path.read_text(encoding="utf-8") for path in told if path.is_file()}
    assert said["top_level.txt"].split() == [PACKAGE]
    assert f"measures = {PACKAGE}.cli:main" in said["entry_points.txt"]
    ours = files(packages_of(installed) / PACKAGE).items()
    texts = {n: c.decode() for n, c in ours if n.endswith((".py", ".pyi", ".ipynb", ".json"))}
    old = re.compile(r"-m lib\b|(?<![\w./}])(?:lib|chapters)\.[A-Za-z_]|`lib`")
    english = re.compile(r"(?<![\w.])chapters\b(?!\.\w| import\b)")
    assert len(texts) > 200 and not old.search(said["METADATA"])
    for path, text in texts.items():
        assert not old.search(text), (path, old.search(text))
        if path.endswith(".py"):
            assert not {"lib", "chapters"} & imported_packages(text), path
        if not path.startswith("data/"):
            source = ROOT / ("" if path.startswith("chapters/") else "lib") / path
            words = english.findall(source.read_text(encoding="utf-8"))
            assert len(english.findall(text)) == len(words), path


# What imports all: a name of the project that the wheel has not would be seen here.
EVERYTHING = f"""
import importlib, pkgutil, sys
import chapters, lib, {PACKAGE} as package
assert lib.mine and chapters.mine
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
found = [name for name in sys.modules if name.split(".")[0] in ("lib", "chapters")]
assert sorted(found) == ["chapters", "lib"]
assert "{PACKAGE}.chapters.report.page" in sys.modules
"""


def test_the_wheel_stands_beside_folders_named_lib_and_chapters(installed, beside):
    run(installed, beside, "-c", EVERYTHING)
    helped = run(installed, beside, "-m", PACKAGE, "--help")
    assert helped.startswith(f"usage: python -m {PACKAGE} ")
    assert release.version() in run(installed, beside, "-m", PACKAGE, "--version")
    command = python_of(installed).with_name("measures")
    assert subprocess.check_output([command, "--help"], cwd=beside).startswith(b"usage: measures ")


def test_every_kind_of_command_answers_beside_folders_named_lib_and_chapters(installed, beside):
    def said(words):
        return run(installed, beside, "-m", PACKAGE, *words.split())

    assert f"python -m {PACKAGE} plan --judgements 5000" in said("plan --help")
    rows = said("evaluate runs qrels --measures P@10").splitlines()
    assert len(rows) == 1 + 12 * 21  # a head, and the topic that one of them missed too
    assert said("derive runs qrels --out mine --judged")
    kept = json.loads((beside / "mine" / "datapackage.json").read_text(encoding="utf-8"))
    assert kept["command"].startswith(f"python -m {PACKAGE} derive")
    one, other = (f"runs/group{number}-run0" for number in (1, 2))
    assert "21 topics" in said(f"compare {one} {other} qrels")
    assert "reproduced" in said("table webber2008 1")
    assert "topics" in said("plan --judgements 5000")
    assert "DL 2019" in said("elsewhere --collection dl19")
    assert "AP,n*,," in said("foretell trec8 --measures AP --format csv")
    assert said("report --collection mine --out page").startswith("page")
    page = (beside / "page" / "index.html").read_text(encoding="utf-8")
    assert f"python -m {PACKAGE} report --collection mine" in page and page.count("<svg") > 3


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
    (check,) = [cell.source for cell in edition.cells if cell.id == "package"]
    assert imported_packages(check) == {"pathlib", PACKAGE}
    runs_from_an_empty_folder(edition, tmp_path, monkeypatch, kernel)


def test_the_wheel_computes_what_the_project_computes(installed, tmp_path):
    said = run(*(installed, tmp_path, "-m", PACKAGE), *("evaluate", "trec8", "--measures", "AP RR"))
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
        assert PACKAGE in said and not re.search(r"\blib\b|(from|import) chapters\b", said), handed
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
