"""Stored notebooks are whole and repeatable, and no tracked text names one machine."""

import copy
import json
import re
import subprocess
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))

WIDTH, LINES = 94, 12  # of the code on a page, see book/static/book.css
CELL_LIMIT = 400_000  # bytes of one cell's outputs
NOTEBOOK_LIMIT = 2_000_000  # bytes of all outputs of a notebook

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
    """Return what is wrong with a notebook's stored state, one line each.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        A notebook of format 4, as read.

    Returns
    -------
    list of str
        Empty if the notebook may be committed.
    """
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
def test_stored_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert complaints(notebook) == []


def test_chapters_are_executed_from_top_to_bottom():
    assert NOTEBOOKS, "there is no notebook in chapters/"
    for path in NOTEBOOKS:
        cells = nbformat.read(path, as_version=4).cells
        counts = [c.execution_count for c in cells if c.cell_type == "code" and c.source.strip()]
        assert counts == list(range(1, len(counts) + 1)), f"{path.name}: run `make notebooks`"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_code_that_readers_see_fits_the_page_and_is_short(path):
    for cell in nbformat.read(path, as_version=4).cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "code" and "remove-cell" not in tags:
            lines = cell.source.splitlines()
            assert max(map(len, lines)) <= WIDTH, f"{cell.id}: it would scroll sideways"
            assert len(lines) <= LINES or "hide-input" in tags, f"{cell.id}: fold it (hide-input)"


# Each rule is shown to bite: (what is done to a sound notebook, the complaint it must raise).
def clean():
    """Return a sound notebook with one code cell and one output."""
    v4 = nbformat.v4
    output = v4.new_output("stream", name="stdout", text="tau = 0.813 on 129 runs\n")
    cell = v4.new_code_cell("show()", execution_count=1, outputs=[output])
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# Title"), cell])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    return notebook


def says(text):
    """Return a change that makes the code cell print `text`."""

    def change(notebook):
        notebook.cells[1].outputs[0].text = text

    return change


def outputs(*values):
    """Return a change that stores `values` as the code cell's outputs."""

    def change(notebook):
        notebook.cells[1].outputs = list(values)

    return change


def fill(notebook):
    """Store six outputs below the limit of a cell that together exceed the notebook's."""
    notebook.cells[1].outputs[0].text = "x " * 190_000
    notebook.cells += [copy.deepcopy(notebook.cells[1]) for _ in range(5)]


WIDGET = nbformat.v4.new_output(
    "display_data", data={"application/vnd.jupyter.widget-view+json": {"model_id": "1f"}}
)
DAMAGES = [
    (lambda n: n.cells[1].update(execution_count=None), "was not executed"),
    (outputs(nbformat.v4.new_output("error", ename="E", evalue="e")), "stores an error"),
    (outputs(nbformat.v4.new_output("stream", name="stderr", text="w")), "went to stderr"),
    (lambda n: n.cells[1].metadata.update(execution={"iopub.status.idle": "t"}), "when it was"),
    (lambda n: n.metadata.update(widgets={}), "metadata.widgets"),
    (lambda n: n.metadata.update(kernelspec={"name": "my-env"}), "kernelspec"),
    (outputs(WIDGET), "a widget's id"),
    (says("<lib.display.explorer.Explorer at 0x7f3c2a1b4d90>"), "an object's address"),
    (says("id-0b0e2c1a-52a7-4a1e-9d8e-1c2b3a4f5e6d"), "a random id"),
    (says('<style>#T_3f2a1_row0 {}</style><table id="T_3f2a1">'), "a styled table"),
    (says("<dc:date>2008-07-20T00:00:00</dc:date>"), "the time of drawing"),
    (says("read /" + "home/ann/book/data"), "a path of one machine"),
    (says("read C:\\" + "Users\\ann\\book"), "a path of one machine"),
    (says(f"read {ROOT / 'data'}"), "a path of one machine"),
    (says("x " * 210_000), "over 400,000"),
    (fill, "over 2,000,000"),
]


def test_a_sound_notebook_raises_no_complaint():
    assert complaints(clean()) == []


@pytest.mark.parametrize(("damage", "complaint"), DAMAGES, ids=[c for _, c in DAMAGES])
def test_a_damaged_notebook_raises_the_complaint(damage, complaint):
    notebook = clean()
    damage(notebook)
    assert any(complaint in line for line in complaints(notebook)), complaints(notebook)


def tracked_texts():
    """Yield (path, text) of each text file that git tracks, or would track."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is not a git checkout: which files are tracked is not known")
    for name in filter(None, listed.stdout.split("\0")):
        try:
            yield name, (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # not a text, or deleted and not yet committed


def test_no_tracked_text_names_a_home_or_this_checkout():
    found = [
        f"{name}: {match.group()}"
        for name, text in tracked_texts()
        if (match := re.search(HOME, text))
    ]
    assert found == []


# Data packages

DATA = ROOT / "data"
PACKAGES = sorted(path.parent for path in DATA.rglob("datapackage.json"))


def test_the_data_stays_small():
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) < 8_000_000


def test_every_file_of_the_data_is_described():
    described = {folder / "datapackage.json" for folder in PACKAGES}
    for folder in PACKAGES:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        described |= {folder / resource["path"] for resource in package["resources"]}
    # What the book finds, and what `make bench` measures: not what anything is computed from.
    described |= {DATA / "ledger.csv", DATA / "bench.json"}
    files = {path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert {path for path in files if path.suffix != ".py"} == described


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda path: path.relative_to(DATA).as_posix())
def test_a_data_package_says_where_it_is_from_and_on_what_terms(folder):
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    assert package["title"] and package["description"] and package["rights"] and package["sources"]
    assert all(source["title"] for source in package["sources"])
    # A path inside a folder of somebody's machine begins with a slash, and so would a command's.
    assert not re.search(r"(?<![\w.])/\w", package.get("command", ""))
    statement = (ROOT / "DATA.md").read_text(encoding="utf-8")
    top = folder.relative_to(DATA).parts[0]
    (row,) = (line for line in statement.splitlines() if line.startswith(f"| `data/{top}/` |"))
    for licence in package.get("licenses", []):
        assert licence["path"] in statement
        assert licence["name"].replace("-", " ").replace("BY SA", "BY-SA") in row
