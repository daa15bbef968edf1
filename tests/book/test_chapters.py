"""Chapters compute what their papers printed; of the ledger they show verdicts and claims alone."""

import re
import shutil
import sys

import nbformat
from built import ROOT
from cells import code_cells
from processes import run_python

from chapters.ledger.papers import papers

sys.path.insert(0, str(ROOT / "book"))
import compare  # noqa: E402  It stands beside the book.

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
# What another study committed is no ledger: ``committed()`` names no paper.
READS = re.compile(r"\b(committed\b(?!\(\))|ledger\b|read_csv\b|COMMITTED\b)")


def visible(path):
    """Return the code that a reader of a chapter sees, without its imports: a string a cell."""
    shown = [c for c in code_cells(path) if "remove-cell" not in c.metadata.get("tags", [])]
    return [re.sub("^(from|import) .*$", "", cell.source, flags=re.M) for cell in shown]


def shows_numbers(code):
    """Return whether code reads the ledger, and not what it says of sections of the text alone."""
    of_text = '["place"]' in code and not re.search("Table|Figure", code)
    return bool(READS.search(code)) and not of_text


def test_every_table_is_computed_beside_the_printed_one_and_none_comes_from_the_ledger():
    shown = [code for path in CHAPTERS for code in visible(path)]
    assert [code for code in shown if shows_numbers(code)] == []
    assert shows_numbers('table(committed("webber2008"))')
    for name, paper in papers().items():
        for number in (number for number, table in paper.tables.items() if table.own):
            said = f'beside_printed("{name}", "Table {number}", '
            assert said in "\n".join(shown), f"no cell of a chapter shows {said}...)"


def test_a_cell_that_fails_alone_is_named_and_the_page_is_what_is_stored(tmp_path, monkeypatch):
    """Nothing but the file is given, and the surroundings are those of a reader's shell."""
    asked = {"page": "import os; os.environ['MEASURES_STATIC']", "one-and-one": "1 + 1"}
    cells = []
    for number, (name, source) in enumerate(asked.items(), start=1):
        shown = {"text/plain": {"page": "'1'", "one-and-one": "3"}[name]}
        output = nbformat.v4.new_output("execute_result", shown, execution_count=number)
        cell = {"id": name, "execution_count": number, "outputs": [output]}
        cells.append(nbformat.v4.new_code_cell(source, **cell))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "chapter.ipynb")
    shutil.copy(ROOT / "conftest.py", tmp_path)
    monkeypatch.delenv("MEASURES_STATIC", raising=False)
    settings = ("-c", ROOT / "pyproject.toml", "--rootdir", tmp_path)
    words = "-m pytest -q -n 1 -p no:cacheprovider".split()
    done = run_python(*words, *settings, tmp_path / "chapter.ipynb", PYTHONPATH=str(ROOT))
    found = re.findall("^_+ (.*?) _+$", done.stdout, re.M)
    assert found == ["chapter.ipynb::Cell 1 (one-and-one)"], done.stdout + done.stderr


def test_two_checkouts_are_compared_by_what_is_glued_into_their_text_too():
    said = "\n".join(compare.outputs(ROOT / "chapters" / "02-measure-correlations.ipynb"))
    for name in ("time-exercises", "claim-new-apart-rr-ap-two-new-collections-is"):
        assert re.search(rf"^{name} '\w.+'$", said, flags=re.M)
