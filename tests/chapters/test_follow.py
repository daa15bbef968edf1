"""What is stored answers for what it was made of, and for nothing else: other data are computed."""

import ast
import html
import random
import re
import warnings
from dataclasses import replace

import nbformat
import numpy as np
import pandas as pd
import pytest
from cells import code_cells, imported, names, with_needed
from editions import edition
from nbclient import NotebookClient

from book.teaching.myst import Book
from chapters.elsewhere.sources import facts
from chapters.spending.pilot import is_kept
from chapters.webber2008.quantities import halvings
from lib import derive, load
from lib.estimates import REPLICATES, replicated
from lib.paths import ROOT

NAME = "trec-covid"


CHANGES = {  # of the collection that has replicates, under its own name
    "a threshold": lambda c: replace(c, relevant_from=2),
    "a scale": lambda c: replace(c, highest_grade=9),
    "40 topics": lambda c: c.select(topics=c.topics.index[:40]),
    "a folder": lambda c: c.select(topics=c.topics.index[:40]),
    "fewer systems": lambda c: c.select(systems=c.systems.index[1:]),
    "a pool": lambda c: c.pooled(10),
    "judgements": lambda c: c.rejudged(np.arange(len(c.relevant)) % 2 == 0, None),
}


def stored_names():
    """Return the names under which the collection's replicates are stored."""
    return sorted(set(pd.read_parquet(REPLICATES / f"{NAME}.parquet")["what"]))


@pytest.mark.parametrize("what", stored_names())
def test_what_the_book_stored_is_read_for_its_own_collection(what):
    found = replicated(load(NAME), what, lambda _: pytest.fail("was computed"))
    assert len(found) == len(load(NAME).topics)


@pytest.mark.parametrize("change", CHANGES)
def test_replicates_of_other_data_are_computed(change, tmp_path):
    c = CHANGES[change](load(NAME))
    if change == "a folder":
        c.save(tmp_path / NAME)
        c = load(tmp_path / NAME)
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


def run(notebook):
    """Run a notebook, past its errors."""
    NotebookClient(notebook, timeout=600, kernel_name="python3", allow_errors=True).execute()


def shown(cell):
    """Return what a cell shows."""
    return [[part.get(key) for key in ("data", "text", "evalue")] for part in cell.outputs]


def resting(cells):
    """Return of each cell whether it reads what rests on the data that the first `load` sets."""
    touched, found = set(), []
    for cell in cells:
        given = names(cell.source, ast.Store)
        if not touched and "= load(" in cell.source:
            hit, touched = True, set(re.findall(r"^(\w+) = load\(data\)", cell.source, re.M))
        else:
            hit = bool((names(cell.source, ast.Load) - given) & touched)
            touched = touched | (given - imported(cell.source)) if hit else touched - given
        found.append(hit)
    return found


# A chapter on other data: what rests on them changes, and nothing else does; it names nothing of
# its own collection, and says what they lack.

# Others than a chapter's own: graded, of the Web, of machines; or what has runs for the chapter.
THREE = ["dl19", "trec9-web", "trec-covid"]
THEIRS = {
    "03-blind-feedback": ["feedback/cisi", "feedback/cacm", "trec5"],
    "07-judged-by-machines": ["dl21", "dl20", "trec5"],
}
LACKING = {  # what a chapter says where the folder of one's own lacks what it needs
    "03-blind-feedback": "there is no run 'albany.base'; a pair is a system, its run before",
    "04-pooling-depth": "no pool of depth 5",
    "06-left-out": "name them, two or more, in the column group of its systems.tsv",
    "07-judged-by-machines": "no second people judged it",
    "08-spending-judgements": "a pilot needs ten topics",
}
BESIDE = {"explore-plan"}  # where the book's own collections stand to be chosen
PRINTED = re.compile(r"\(in the book: [^)]*\)|printed, TREC-8")  # what is said to be the book's


@pytest.fixture(scope="session")
def mine(tmp_path_factory):
    """Return a folder derived from small files: odd names, ties, short lists, topics left out."""
    folder, rng = tmp_path_factory.mktemp("own"), random.Random(70)
    topics, documents = [f"q{i}" for i in range(8)], [f"d{i}" for i in range(60)]
    relevant = {topic: rng.sample(documents, 6) for topic in topics}
    rows = [f"{t} 0 {d} {2 * (d in relevant[t])}" for t in topics for d in documents[:50]]
    (folder / "qrels").write_text("\r\n".join(rows), encoding="utf-8")
    (folder / "runs").mkdir()
    names = {"a_b*1": 40, "$run$": 12, "&x;": 1, "Ünï": 30, "z z": 25, "l" + "o" * 60: 40, "one": 5}
    for at, (name, length) in enumerate(names.items()):
        rows = []
        for topic in topics[: 4 if at == 4 else None]:
            luck = {d: (d in relevant[topic]) * rng.random() * (7 - at) for d in documents}
            best = sorted(documents, key=lambda d, luck=luck: -luck[d])[:length]
            rows += [f"{topic}\tQ0\t{d}\t0\t{1 - i // 3 / 50:.3f}\tx" for i, d in enumerate(best)]
        (folder / "runs" / name).write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # topics that are left out
        derive(folder / "runs", folder / "qrels", name="mine").save(folder / "mine")
    return str(folder / "mine")


def on(chapter, data):
    """Return the cells of the reading edition that rest on its data, run with others, and which do.

    As papermill does it: a cell with other parameters stands after the one that is tagged.
    """
    tags = {
        cell.id: {*cell.metadata.get("tags", [])}
        for cell in code_cells(ROOT / "chapters" / f"{chapter}.ipynb")
    }
    cells = [
        cell
        for cell in edition("editions", chapter).cells
        if cell.cell_type == "code"
        and (cell.id.startswith("here-") or cell.id in tags)
        and not {"solution", "check"} & tags.get(cell.id, set())
    ]
    asked = [rests or cell.id.startswith("here-") for cell, rests in zip(cells, resting(cells))]
    chosen = [cells[place] for place in with_needed(cells, asked)]
    at = next(i for i, cell in enumerate(chosen) if "parameters" in cell.metadata.get("tags", []))
    chosen.insert(at + 1, nbformat.v4.new_code_cell(f"data = {data!r}"))
    notebook = nbformat.v4.new_notebook(cells=chosen)
    run(notebook)
    return notebook.cells, [cell.id for cell, hit in zip(cells, asked) if hit]


def words(cell):
    """Return what a reader sees of a cell's outputs, without what is said to be the book's."""
    parts = [part.get("text", "") for part in cell.outputs]
    for part in cell.outputs:
        data = part.get("data", {})
        kinds = [kind for kind in data if "papermill" not in kind and kind != "text/plain"]
        parts += [str(data[kind]) for kind in kinds or ["text/plain"] if kind in data]
    text = "\n".join(parts)
    said = re.findall(r'(?:alt|aria-label)="([^"]*)"', text)
    seen = html.unescape("\n".join([re.sub(r"<[^>]*>", " ", text), *said])).replace("\\", "")
    return PRINTED.sub("", seen)


def named_by(collection, other):
    """Return a pattern of a collection's title, year and runs, as far as another has not them."""
    years = facts().set_index("folder")["year"]
    year = [str(years[collection.name])] if collection.name in years else []
    runs = collection.systems.index.difference(other.systems.index)
    told = [collection.title, *year, *(run for run in runs if len(run) > 3)]
    told = [one for one in told if one not in (other.title, str(years.get(other.name, "")))]
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, told))})(?![\w-])")


@pytest.mark.long  # test_editions.py sees that each chapter has the cell that papermill looks for
@pytest.mark.parametrize("at", [0, 1, 2, "mine"])
@pytest.mark.parametrize("chapter", FOLLOWING)
def test_a_chapter_on_other_data_names_nothing_of_its_own(chapter, at, mine):
    data = mine if at == "mine" else THEIRS.get(chapter, THREE)[at]
    stored = {cell.id: cell for cell in code_cells(ROOT / "chapters" / f"{chapter}.ipynb")}
    (of,) = (
        ast.literal_eval(cell.source.split("data = ")[1])
        for cell in stored.values()
        if "parameters" in cell.metadata.get("tags", [])
    )
    cells, resting_ones = on(chapter, data)
    failed = [(c.id, o.evalue) for c in cells for o in c.outputs if o.output_type == "error"]
    assert failed == []
    both = [(stored[c.id], c) for c in cells if c.id in stored and stored[c.id].outputs]
    of_data = [two for two in both if "remove-cell" not in two[0].metadata.get("tags", [])]
    alike = {one.id for one, other in of_data if shown(one) == shown(other)}
    if at == 0:  # other data may say the same by chance
        assert alike == {one.id for one, _ in of_data} - {*resting_ones}
    says = {cell.id: words(cell) for cell in cells if cell.id not in BESIDE}
    pattern = named_by(load(of), load(data))
    found = {(at, hit) for at, text in says.items() for hit in pattern.findall(text)}
    assert {(at, hit) for at, hit in found if hit not in LACKING.get(chapter, "")} == set()
    everything = "\n".join(map(words, cells))
    assert at != "mine" or LACKING.get(chapter, "mine") in everything
