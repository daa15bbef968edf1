"""The chapters on a collection that nobody has seen before: every cell runs, on its numbers."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from built import ROOT
from nbconvert.preprocessors import ExecutePreprocessor
from strange import write_collection

from lib import load, means
from lib.collection import derive
from lib.papers import webber2008, webber2010
from lib.published import read


@pytest.fixture(scope="module")
def unseen(tmp_path_factory):
    """The folder of a collection, and the pairs of its runs."""
    home = tmp_path_factory.mktemp("unseen")
    names = write_collection(home)
    derive(home / "runs", home / "qrels", name="mine").save(home / "mine")
    return home / "mine", [("ours", names[6], names[7]), ("theirs", names[9], names[10])]


def of_precision_at_ten(c, pairs):
    return webber2008.tables.phi(c).phi.loc["AP", "P@10"]


def of_pooling_depth(c, pairs):
    return webber2010.table1(c).set_index("row")["value"]["AP@1000"]


def of_foundations(c, pairs):
    return means(c, ["AP"])["AP"].nlargest(2).diff().abs().iloc[1]


# A cell that shows a number of the collection, and that number.
SHOWN = {
    "00-foundations": ("field", of_foundations),
    "01-precision-at-ten": ("table1", of_precision_at_ten),
    "04-pooling-depth": ("table1", of_pooling_depth),
}


def executed(chapter, name, pairs, monkeypatch):
    """Run a chapter on a collection; return its code cells by id."""
    notebook = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4)
    cells = {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}
    line = cells["collection"].source
    if pairs and "pairs" in line:
        cells["collection"].source = f"collection, pairs = load({str(name)!r}), {pairs!r}"
    else:
        assert "collection = load()" in line.splitlines() or '"MEASURES_COLLECTION"' in line
        monkeypatch.setenv("MEASURES_COLLECTION", str(name))
    monkeypatch.setenv("MEASURES_STATIC", "1")
    resources = {"metadata": {"path": str(ROOT / "chapters")}}
    ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(notebook, resources)
    return cells


def glued_verdicts(chapter, cells):
    """Return what cells show of a paper that its own collection would have to answer.

    The verdicts of chapters 1 and 4 rest on TREC-8.
    """
    if chapter not in ("01-precision-at-ten", "04-pooling-depth"):
        return []
    name = {"01": "webber2008", "04": "webber2010"}[chapter[:2]]
    claims = read(name).query("column == 'claim'")["statement"]
    found = []
    for cell in cells.values():
        for output in cell.outputs:
            soup = BeautifulSoup(output.get("data", {}).get("text/html", ""), "html.parser")
            shown = soup.get_text(" ")
            found += [f"{cell.id}: {td.get_text()}" for td in soup.select("td.good, td.bad")]
            found += [f"{cell.id}: {said}" for said in claims if said in shown]
    return found


@pytest.mark.parametrize("chapter", SHOWN)
def test_a_chapter_runs_on_another_collection(chapter, unseen, monkeypatch):
    folder, pairs = unseen
    cells = executed(chapter, folder, pairs, monkeypatch)
    cell, number = SHOWN[chapter]
    assert f"{number(load(folder), pairs):.3f}" in str(cells[cell].outputs)
    assert glued_verdicts(chapter, cells) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["trec-covid", "trec5"])
@pytest.mark.parametrize("chapter", SHOWN)
def test_no_verdict_is_glued_to_another_collection(chapter, name, monkeypatch):
    assert glued_verdicts(chapter, executed(chapter, name, None, monkeypatch)) == []


@pytest.mark.parametrize("chapter", SHOWN)
def test_one_line_at_the_top_names_the_collection(chapter):
    notebook = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code[:2]] == ["setup", "collection"]
    assert not code[1].metadata.get("tags"), "everybody should see it"
