"""Chapters compute what their papers printed; of the ledger they show verdicts and claims alone."""

import json
import re

import pytest
from built import ROOT

from lib.papers import papers

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
READS = re.compile(r"\b(committed|ledger|read_csv|COMMITTED)\b\(?")


def visible(path):
    """Return the code that a reader of a chapter sees, without its imports: a string a cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        "".join(line for line in cell["source"] if not line.startswith(("from ", "import ")))
        for cell in cells
        if cell["cell_type"] == "code" and "remove-cell" not in cell["metadata"].get("tags", [])
    ]


def shows_numbers(code):
    """Return whether code reads the ledger, and not what it says of sections of the text alone."""
    of_text = '["place"]' in code and not re.search("Table|Figure", code)
    return bool(READS.search(code)) and not of_text


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_table_in_view_comes_from_the_ledger(path):
    assert [code for code in visible(path) if shows_numbers(code)] == []


def test_functions_of_papers_do_not_read_the_ledger():
    """Else a cell could show its numbers by a call that looks like a computation."""
    files = sorted((ROOT / "lib" / "papers").glob("*/*.py"))
    reads = re.compile(r"lib\.ledger|ledger\.csv")
    assert files and not [f for f in files if reads.search(f.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("code", ['table(committed("webber2008"))', 'pd.read_csv("ledger.csv")'])
def test_a_cell_that_shows_the_ledger_is_found(code):
    assert shows_numbers(code) and not shows_numbers('table(verdicts("webber2008"))')


def test_every_table_that_can_be_recomputed_stands_beside_the_printed_one():
    shown = "\n".join(code for path in CHAPTERS for code in visible(path))
    for name, paper in papers().items():
        for number in (number for number, table in paper.tables.items() if table.own):
            assert f'compare("{name}", "Table {number}", ' in shown, (name, number)
