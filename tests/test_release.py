"""What `make release` makes works where the project is not: the wheel with its data, the pages."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from built import HTML, LANDING, PAGES, ROOT, name, needs_book
from chromium import DESKTOP
from playwright.sync_api import expect

from lib.collection import load
from lib.measures import scores

sys.path.insert(0, str(ROOT / "book"))
import release  # noqa: E402

# Long: a wheel is made and installed; the tests of the commands, in the project, notice most of it.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the wheel was installed, without anything else."""
    folder = tmp_path_factory.mktemp("release")
    made = release.wheel(folder)
    assert made.name == f"measuring_the_measures-{release.version()}-py3-none-any.whl"
    target = folder / "installed"
    alone = ["--no-deps", "--no-index", "--quiet", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *alone, str(made)], check=True)
    return target


def run(installed, folder, *words):
    """Run Python with the installed package, in a folder that holds nothing of the project."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={"PYTHONPATH": str(installed), "PATH": "", "HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_carries_every_file_of_the_package_and_the_data(installed):
    def files(folder):
        paths = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder) for path in paths if "__pycache__" not in path.parts}

    data = {path for path in files(ROOT / "data") if path.suffix != ".py"}
    assert files(installed / "lib" / "data") == data
    package = {path for path in files(installed / "lib") if path.parts[0] != "data"}
    assert package == files(ROOT / "lib")
    (notices,) = installed.glob("*.dist-info/licenses")
    found = {path.relative_to(notices) for path in notices.rglob("*") if path.is_file()}
    texts = {path.relative_to(ROOT) for path in (ROOT / "LICENSES").iterdir()}
    assert found == texts | {Path(part) for part in release.PARTS[2:]}


def test_the_wheel_computes_what_the_project_computes(installed, tmp_path):
    where = run(installed, tmp_path, "-c", "import lib.paths; print(lib.paths.DATA)")
    assert where.strip() == str(installed / "lib" / "data")
    said = run(installed, tmp_path, "-m", "lib", "evaluate", "trec8", "--measures", "AP RR")
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
