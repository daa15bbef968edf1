"""Stored notebooks are whole and repeatable, and no tracked text names one machine."""

import json
import re
import subprocess
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from stored import HOME, complaints

from lib.paths import DATA, ROOT

NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))

WIDTH, LINES = 94, 12  # of the code on a page, see book/static/book.css
FOLDER_LIMIT = 3_000_000  # bytes of a folder of data


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_stored_notebook_is_whole_and_its_code_fits_the_page(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert complaints(notebook) == []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code if cell.source.strip()]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"
    for cell in code:
        tags, lines = cell.metadata.get("tags", []), cell.source.splitlines()
        if "remove-cell" not in tags:
            assert max(map(len, lines)) <= WIDTH, f"{cell.id}: it would scroll sideways"
            folded = {"hide-input", "remove-input"} & set(tags)
            assert len(lines) <= LINES or folded, f"{cell.id}: fold it (hide-input)"


POSIX = r"os\.(?:fork|kill|mkfifo|symlink)\(|\.symlink_to\(|SIGKILL|\[\"(?:sh|bash)\",|/dev/full"


def test_what_windows_has_not_is_marked():
    """Only by file: what a test calls is not followed."""
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    needing = [path for path in tests if re.search(POSIX, path.read_text(encoding="utf-8"))]
    unmarked = [p.name for p in needing if "mark.posix" not in p.read_text(encoding="utf-8")]
    assert len(needing) > 4 and unmarked == []


def test_no_tracked_text_names_a_home_or_this_checkout():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is not a git checkout: which files are tracked is not known")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        with suppress(UnicodeDecodeError, FileNotFoundError):  # no text, or deleted meanwhile
            match = re.search(HOME, (ROOT / name).read_text(encoding="utf-8"))
            found += [f"{name}: {match.group()}"] if match else []
    assert found == []


# Data packages

PACKAGES = sorted(path.parent for path in DATA.rglob("datapackage.json"))


@pytest.mark.parametrize("folder", sorted(path for path in DATA.iterdir() if path.is_dir()))
def test_a_folder_of_data_stays_small(folder):
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    room = FOLDER_LIMIT - size
    assert room >= 0, f"{folder.name} has {size:,} bytes, {-room:,} more than a folder may have"


def test_every_file_of_the_data_is_described():
    described = {folder / "datapackage.json" for folder in PACKAGES}
    for folder in PACKAGES:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        assert package["title"] and package["description"], folder
        described |= {folder / resource["path"] for resource in package["resources"]}
    files = {path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert {path for path in files if path.suffix != ".py"} == described
