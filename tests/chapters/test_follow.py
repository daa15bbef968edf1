"""What is stored answers for what it was made of, and for nothing else: other data are computed."""

import ast
import re
from dataclasses import replace

import nbformat
import numpy as np
import pandas as pd
import pytest
from cells import code_cells, imported, names
from nbclient import NotebookClient

from book.teaching.myst import Book
from chapters.spending.pilot import is_kept
from chapters.webber2008.quantities import halvings
from lib import load
from lib.estimates import REPLICATES, replicated
from lib.paths import ROOT

NAME = "trec-covid"


def other(what, tmp_path):
    """Return a change of the collection that has replicates, under its own name."""
    c = load(NAME)
    if what == "a folder":
        few = c.select(topics=c.topics.index[:40])
        few.save(tmp_path / NAME)
        return load(tmp_path / NAME)
    return {
        "a threshold": lambda: replace(c, relevant_from=2),
        "a scale": lambda: replace(c, highest_grade=9),
        "40 topics": lambda: c.select(topics=c.topics.index[:40]),
        "fewer systems": lambda: c.select(systems=c.systems.index[1:]),
        "a pool": lambda: c.pooled(10),
        "judgements": lambda: c.rejudged(np.arange(len(c.relevant)) % 2 == 0, None),
    }[what]()


def stored_names():
    """Return the names under which the collection's replicates are stored."""
    return sorted(set(pd.read_parquet(REPLICATES / f"{NAME}.parquet")["what"]))


@pytest.mark.parametrize("what", stored_names())
def test_what_the_book_stored_is_read_for_its_own_collection(what):
    found = replicated(load(NAME), what, lambda _: pytest.fail("was computed"))
    assert len(found) == len(load(NAME).topics)


@pytest.mark.parametrize(
    "change",
    ["a threshold", "a scale", "40 topics", "fewer systems", "a pool", "judgements", "a folder"],
)
def test_replicates_of_other_data_are_computed(change, tmp_path):
    c = other(change, tmp_path)
    assert c.name == NAME or change == "a pool"
    for what in stored_names():
        found = replicated(c, what, lambda of: [7.0] * len(of.topics))
        assert (found == 7).all() and len(found) == len(c.topics), what


def test_halves_of_other_topics_are_computed(monkeypatch):
    monkeypatch.setattr("chapters.webber2008.quantities.compute_halvings", lambda _: "computed")
    c = load("trec8")
    assert isinstance(halvings(c), pd.DataFrame)
    assert halvings(c.select(topics=c.topics.index[:40])) == "computed"
    assert halvings(replace(c, relevant_from=2)) == "computed"


def test_a_folder_of_ones_own_is_before_the_books_for_a_plan(tmp_path, monkeypatch):
    asked = {"aim": "AP", "top": None, "way": "depth"}
    assert is_kept("dl19", **asked)
    c = load("dl19")
    c.select(topics=c.topics.index[:20]).save(tmp_path / "dl19")
    monkeypatch.chdir(tmp_path)
    assert not is_kept("dl19", **asked) and len(load("dl19").topics) == 20


# Chapter 5 shows the book's collections side by side; only its exercises take one's own.
FOLLOWING = [path.stem for path in Book().chapters if path.stem != "05-elsewhere"]

# A chapter on other data: what depends on them changes, and nothing else does.

OTHERS = {
    "00-foundations": 'load("dl19")',  # no fiftieth system to compare with
    "03-blind-feedback": 'load("feedback/cisi")',
    "07-judged-by-machines": 'load("dl21")',
    "08-spending-judgements": 'load("trec-covid")',
}
FEW = 'load("trec5").select(systems=load("trec5").systems.index[::2])'
APART = {"solution", "check", "remove-cell"}  # answers and text about the chapter's own data


def on_other_data(chapter):
    """Return a chapter's cells as stored, whether they rest on the data, and as they run on others.

    Only those that show what rests on the data are run, and what they need.
    """
    cells = [
        cell
        for cell in code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
        if not APART & {*cell.metadata.get("tags", [])}
    ]
    chosen, wanted = [], set()
    for cell, rests in reversed([*zip(cells, resting(cells))]):
        if (rests and cell.outputs) or names(cell.source, ast.Store) & wanted:
            chosen.insert(0, (cell, rests))
            wanted |= names(cell.source, ast.Load)
    changed = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell.source) for cell, _ in chosen]
    )
    first = next(cell for cell in changed.cells if "= load(" in cell.source)
    other = OTHERS.get(chapter, FEW)
    first.source, n = re.subn(r'(?<== )load\("[\w/-]+"\)', other, first.source)
    assert n == 1
    NotebookClient(changed, timeout=600, kernel_name="python3", allow_errors=True).execute()
    return [(*one, other) for one, other in zip(chosen, changed.cells)]


def shown(cell):
    """Return what a cell shows."""
    return [[part.get(key) for key in ("data", "text", "evalue")] for part in cell.outputs]


def resting(cells):
    """Return of each cell whether it reads what rests on the data that the first `load` sets."""
    touched, found = set(), []
    for cell in cells:
        given = names(cell.source, ast.Store)
        if not touched and "= load(" in cell.source:
            hit, touched = True, set(re.findall(r"^(\w+) = load\(", cell.source, flags=re.M))
        else:
            hit = bool((names(cell.source, ast.Load) - given) & touched)
            touched = touched | (given - imported(cell.source)) if hit else touched - given
        found.append(hit)
    return found


@pytest.mark.long
@pytest.mark.parametrize("chapter", FOLLOWING)
def test_what_rests_on_a_chapters_data_changes_with_them_and_nothing_else(chapter):
    same, moved = [], []
    for one, rests, other in on_other_data(chapter):
        failed = [part for part in other.outputs if part.output_type == "error"]
        assert not failed, f"{one.id}: {failed[0].evalue}"
        if one.outputs and rests == (shown(one) == shown(other)):
            (same if rests else moved).append(one.id)
    assert same == [] and moved == []
