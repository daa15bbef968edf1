"""Stored notebooks are whole and repeatable, and no tracked text names one machine."""

import json
import re
import subprocess
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))

WIDTH, LINES = 94, 12  # of the code on a page, see book/static/book.css
CELL_LIMIT = 400_000  # bytes of one cell's outputs
NOTEBOOK_LIMIT = 2_000_000  # bytes of all outputs of a notebook
FOLDER_LIMIT = 3_000_000  # bytes of a folder of data

# What differs from one run, or one machine, to the next. A stored output must not hold it.
RANDOM = {
    "an object's address": r"\b0x[0-9a-f]{6,}\b",
    "a random id": r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b",
    "a widget's id": r"application/vnd\.jupyter\.widget|IPY_MODEL_",
    "a random id of a styled table": r"\bT_[0-9a-f]{5}\b",
    "the time of drawing": r"<dc:date>",
}
HOME = rf"(?<![\w.-])(?:/(?:home|Users|root)/\w|{re.escape(str(ROOT))}\b)|[A-Z]:\\+Users\\"
MACHINE = {"a path of one machine": rf"{HOME}|/tmp/|/var/folders/|site-packages"}


def strings(value):
    """Yield every string in nested lists and dicts, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def complaints(notebook):
    """Return what is wrong with a notebook's stored state, one line each."""
    found = []
    if "widgets" in notebook.metadata:
        found.append("metadata.widgets is saved")
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("the kernelspec is not python3")

    total = 0
    for number, cell in enumerate(notebook.cells, start=1):
        where = f"cell {number}"
        if "execution" in cell.metadata:
            found.append(f"{where} stores when it was executed")
        if cell.cell_type != "code":
            continue
        if cell.source.strip() and cell.execution_count is None:
            found.append(f"{where} was not executed")
        if any(output.output_type == "error" for output in cell.outputs):
            found.append(f"{where} stores an error")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{where} stores what went to stderr")

        size = len(json.dumps(cell.outputs, ensure_ascii=False).encode())
        total += size
        if size > CELL_LIMIT:
            found.append(f"{where} stores {size:,} bytes, over {CELL_LIMIT:,}")
        # The letters of a picture in base64 mean nothing.
        text = re.sub(r"[A-Za-z0-9+/=]{200,}", "", "\n".join(strings(cell.outputs)))
        for what, pattern in (RANDOM | MACHINE).items():
            if match := re.search(pattern, text):
                found.append(f"{where} stores {what}: {match.group()}")
    if total > NOTEBOOK_LIMIT:
        found.append(f"the notebook stores {total:,} bytes, over {NOTEBOOK_LIMIT:,}")
    return found


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
    tests = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
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

DATA = ROOT / "data"
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
