"""The editions: no MyST is left in them, nothing is lost, and they say what they need."""

import ast
import builtins
import re
import shutil
import site
import subprocess
import sys
from collections import Counter

import nbformat
import pytest
from bs4 import BeautifulSoup
from built import NOTEBOOKS as PAGES
from built import needs_book, parsed
from cells import imported, names
from editions import (
    BOOK,
    CHAPTERS,
    NOTEBOOKS,
    SOLVED,
    code,
    edition,
    for_its_checks,
    is_check,
    runs_from_an_empty_folder,
    solved,
)
from IPython.core.inputtransformer2 import TransformerManager
from markdown_it import MarkdownIt
from strange import write_files

from book.teaching import editions
from book.teaching.editions import convert, package_check, write
from book.teaching.myst import Book
from chapters.exercises.checks import exercises
from lib.paths import ROOT

ALL = [(kind, chapter) for chapter in NOTEBOOKS for kind in editions.kinds(chapter)]
each = pytest.mark.parametrize(("kind", "chapter"), ALL, ids=map("-".join, ALL))


def texts(kind, chapter):
    return [cell.source for cell in edition(kind, chapter).cells if cell.cell_type == "markdown"]


MYST = {
    "a role": r"\{[\w:.+-]+\}`",
    "a directive": r"^\s*(:{3,}|`{3,}\{|~{3,}\{)",
    "a target": r"^\([\w-]+\)=",
    "an option": r"^:[\w-]+:",
}


@each
def test_an_edition_is_a_notebook_without_myst_and_with_nothing_of_a_run(kind, chapter):
    notebook = edition(kind, chapter)
    nbformat.validate(notebook)
    assert len(nbformat.writes(notebook)) < 200_000
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"jupyter", "tags"} and cell.source.strip()
        assert not cell.get("outputs") and cell.get("execution_count") is None
        for what, pattern in MYST.items():
            assert not re.search(pattern, cell.source, flags=re.M), f"{cell.id}: {what}"


@each
def test_what_a_reader_is_asked_to_change_is_open(kind, chapter):
    asked = [cell for cell in edition(kind, chapter).cells if "# Change this" in cell.source]
    assert all("jupyter" not in cell.metadata for cell in asked if cell.cell_type == "code")
    assert asked or chapter.endswith("audit")


@each
def test_papermill_finds_the_one_cell_that_names_the_data_before_what_reads_it(kind, chapter):
    cells = edition(kind, chapter).cells
    tagged = [at for at, cell in enumerate(cells) if "tags" in cell.metadata]
    assert [cells[at].metadata.tags for at in tagged] == [["parameters"]] * len(tagged)
    if chapter.endswith("audit"):
        assert tagged == []
        return
    (at,) = tagged
    scope = {}
    exec(cells[at].source, scope)
    assert isinstance(scope["data"], str)
    assert "= load(data)" in cells[at + 1].source
    assert all(cell.cell_type == "markdown" or cell.id == "package" for cell in cells[:at])


LINK = re.compile(r"\]\(([^()\s]*)#([^()\s]+)\)")


@each
def test_a_link_has_its_target(kind, chapter):
    found = 0
    for text in texts(kind, chapter):
        for file, label in LINK.findall(text):
            if file.startswith("http"):
                continue
            other, _, file = file.removeprefix("../").rpartition("/")
            there = "\n".join(texts(other or kind, file.removesuffix(".ipynb") or chapter))
            assert there.count(f'<a id="{label}"></a>') == 1, f"{file}#{label}"
            found += 1
    assert found


@each
def test_html_is_closed_and_stands_apart_so_that_markdown_inside_is_read(kind, chapter):
    for text in texts(kind, chapter):
        for tag in ("details", "blockquote"):
            assert text.count(f"<{tag}>") == text.count(f"</{tag}>")
        read = BeautifulSoup(MarkdownIt().enable("table").render(text), "html.parser")
        for part in read.select("pre, code"):
            part.decompose()
        assert not re.search(r"\*\*|\]\(|(?<!\w)\*\w|```", read.get_text())


# What the page shows

NUMBER = re.compile(r"\d+(?:[.,]\d+)*|(?<!\w)\.\d+")


def of_page(path):
    """Count the numbers in the prose of a built page."""
    (article,) = parsed(path, "svg", "pre", "script", "math").select("article")  # math: formulas
    apart = ".cell, .section-number, .headerlink, .solution > .admonition-title, .guess button"
    for part in article.select(f"{apart}, .goals, .meaning"):  # of kits and glossary
        part.decompose()
    return Counter(NUMBER.findall(article.get_text()))


def of_edition(kind, chapter):
    """Count the numbers in the text of an edition."""
    shown = BeautifulSoup(MarkdownIt().render("\n\n".join(texts(kind, chapter))), "html.parser")
    for part in shown.select("pre"):
        part.decompose()
    return Counter(NUMBER.findall(shown.get_text()))


@needs_book
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_number_of_the_page_stands_in_the_reading_edition(page):
    missing = of_page(page) - of_edition("editions", page.stem)
    assert missing == {}


# Students


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_student_gets_each_exercise_and_check_and_no_solution(chapter):
    full, own = ("\n".join(texts(kind, chapter)) for kind in editions.EDITIONS)
    heading = r"^\*\*Exercise [\d.]+\*\*"
    assert re.findall(heading, own, flags=re.M) == re.findall(heading, full, flags=re.M) != []
    assert "<summary>Solution</summary>" in full and "<summary>Solution</summary>" not in own
    assert own.count("<summary>A first step</summary>") == full.count(
        "<summary>A first step</summary>"
    )
    for answer in SOLVED.findall(full):
        assert answer not in "\n".join(cell.source for cell in edition("student", chapter).cells)
    checks = [cell.source for cell in edition("student", chapter).cells if is_check(cell)]
    assert len(SOLVED.findall(full)) == len(checks)
    assert all(re.match(r'check\(\s*"([\w-]+)"', check)[1] in exercises() for check in checks)
    assert code("student", chapter) == code("editions", chapter)
    for linked in re.findall(r"\]\(([^)#]+)\.ipynb", own):
        kind = "editions" if "editions" in linked else "student"
        assert "<summary>Solution</summary>" not in "\n".join(texts(kind, linked.split("/")[-1]))


# What an edition needs


def python(code, *paths, at):
    """Run code where the book's package is not installed, but other packages are."""
    start = f"import sys; sys.path += {[*map(str, paths), *site.getsitepackages()]!r}\n"
    words = [sys.executable, "-I", "-S", "-c", start + code]
    return subprocess.run(words, cwd=at, capture_output=True, text=True)


@pytest.mark.parametrize("address", ["", "https://example.org/us/book"])
def test_what_is_missing_is_said_in_a_line(address, tmp_path):
    config = f"repository:\n  url: '{address}'\n  branch: main\n"
    (tmp_path / "_config.yml").write_text(config, encoding="utf-8")
    code = TransformerManager().transform_cell(package_check(Book(tmp_path)))
    done = python(code, at=tmp_path)
    said = done.stderr.splitlines()[-1]
    assert said.startswith("ImportError: the book's package `lib` is not here")
    assert (address or "a copy of the book") in said and "pip install -e '.[report]'" in said
    paths = "import pathlib\nDATA = pathlib.Path(__file__).resolve().parents[1] / 'data'\n"
    write_files(tmp_path, {"lib/paths.py": paths})
    done = python(code, tmp_path, at=tmp_path)
    assert "is here without its data" in done.stderr.splitlines()[-1]
    (tmp_path / "data").mkdir()
    done = python(code, tmp_path, at=tmp_path)
    assert "is here without its chapters" in done.stderr.splitlines()[-1]
    assert python(code, ROOT, at=tmp_path).stderr == ""


def test_the_package_is_found_by_the_name_that_pip_installs(tmp_path):
    """A module has one copy under both names, or its classes would be strangers to each other."""
    paths = "import pathlib\nDATA = pathlib.Path(__file__).resolve().parent / 'data'\n"
    parts = {"__init__.py": "", "paths.py": paths, "data/x": "", "chapters/__init__.py": ""}
    parts["chapters/a.py"] = "from measuring.paths import DATA"
    write_files(tmp_path / "site", {f"measuring/{name}": text for name, text in parts.items()})
    (tmp_path / "empty").mkdir()
    code = f"""{package_check(BOOK)}
import lib.paths, measuring.paths
from chapters.a import DATA
print(lib.paths is measuring.paths, measuring.paths.__spec__.name, DATA is lib.paths.DATA)
"""
    done = python(code, tmp_path / "site", at=tmp_path / "empty")
    assert done.stdout == "True measuring.paths True\n", done.stderr


@pytest.mark.parametrize("file", ["chapters.py", "chapters/__init__.py", "chapters/notes.md"])
def test_another_folder_named_chapters_is_told_from_that_beside_lib(file, tmp_path):
    code, elsewhere = package_check(BOOK), tmp_path / "elsewhere"
    write_files(elsewhere, {file: ""})
    done = python(code, elsewhere, ROOT, at=tmp_path)
    if file.endswith(".md"):  # a package comes before a folder that is none
        assert done.stderr == ""
    else:
        (line,) = [one for one in done.stderr.splitlines() if one.startswith("ImportError")]
        assert line.startswith(f"ImportError: {elsewhere / file} hides the book's chapters: ")


def test_the_makers_of_the_book_need_not_be_there(tmp_path):
    """Editions import what the core and [report] bring, not what only [book] does."""
    sources = {n: dict(code("editions", n)) for n in NOTEBOOKS}
    texts = [s for cells in sources.values() for name, s in cells.items() if name != "package"]
    lines = {
        ast.unparse(node)
        for text in texts
        for node in ast.parse(text).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    first = [sources[CHAPTERS[0]].get(name, "") for name in ("setup", "data")]
    absent = [f"sys.modules[{name!r}] = None" for name in ("myst_nb", "pybtex", "jupyterlab")]
    done = python("\n".join([*absent, "import lib", *sorted(lines), *first]), ROOT, at=tmp_path)
    assert len(lines) >= len(NOTEBOOKS) and done.returncode == 0, done.stderr


# What the converter does not know, it names


@pytest.fixture
def book(tmp_path):
    """A function that makes a book of one chapter, and returns its edition."""
    (tmp_path / "chapters").mkdir()
    files = {
        "_config.yml": "repository: {url: '', branch: main}\n",
        "book/references.bib": '@misc{two, author={B, A and {\\"U}, C}, year={1999}}\n'
        "@misc{three, author={B, A and C, D and E, F}, year={2001}, url={https://example.org/}}\n",
        "book/glossary.md": ":::{glossary}\nrun\n  Lists.\n:::\n",
        "book/words.md": "(words)=\n# Words\n\n(other)=\n## More\n",
    }
    write_files(tmp_path, files)

    def make(*cells, kind="editions"):
        made = [
            nbformat.v4.new_markdown_cell(cell)
            if isinstance(cell, str)
            else nbformat.v4.new_code_cell(
                cell[1],
                metadata={"tags": [cell[0]] if cell[0] else []},
                outputs=cell[2] if cell[2:] else [],
            )
            for cell in cells
        ]
        path = tmp_path / "chapters" / "01-one.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=made), path)
        return [cell.source for cell in convert(path, Book(tmp_path), kind=kind).cells[2:]]

    return make


UNKNOWN = [
    ("{doc}`there`", "the role {doc}"),
    (":::{tab-set}\nx\n:::", "the directive {tab-set}"),
    (":::{note}\nx", "does not end: :::{note}"),
    ("- x\n  :::{note}\n  y\n  :::", "an indented directive"),
    ("{glue:text}`n`", "no cell glues it"),
    ("{ref}`nowhere`", "no such label"),
    ("{cite:t}`nobody`", "no work 'nobody'"),
    ("```{solution-end}\n```", "solution-end is out of place"),
    ("{mark}`plan-p10, TREC-5`", "its rows say plan-p10, TREC-5: inconclusive"),
]


@pytest.mark.parametrize(("text", "why"), UNKNOWN, ids=[why for _, why in UNKNOWN])
def test_what_is_not_known_is_named(text, why, book):
    with pytest.raises(ValueError, match=re.escape(why)):
        book(text)


def test_a_mark_is_its_shape_and_word_and_names_its_row(book):
    (text,) = book("So. {mark}`plan-p10, TREC-8`")
    assert text == 'So. <abbr title="plan-p10 on TREC-8">◧ hint</abbr>'


def test_a_directive_may_stand_in_another(book):
    for inner in (":::{note}\nB.\n:::", "```{note}\nB.\n```"):
        (text,) = book(f"::::{{admonition}} A\n:class: tip\n\n{inner}\n::::\n\n(c)=\nC.")
        parts = "<blockquote> **A** <blockquote> **Note** B. </blockquote> </blockquote>"
        assert text.split() == [*parts.split(), "<a", 'id="c"></a>', "C."]


def test_the_answers_to_a_guess_are_folded(book):
    (text,) = book("What?\n\n:::{guess}\n- *It rises.* No, {cite:t}`two`.\n- *It falls.* Yes.\n:::")
    one, other = text.split("</details>")[:2]
    assert one.split("\n\n")[1:3] == [
        "<details>\n<summary>It rises.</summary>",
        "No, B and Ü (1999).",
    ]
    assert "<summary>It falls.</summary>\n\nYes." in other


def test_references_are_links_or_names(book):
    (text,) = book(
        "(top)=\n# One\n\n{ref}`top`, {ref}`there <top>`, {ref}`words`, {ref}`a word <other>`; "
        "{cite:t}`two` {cite:p}`three, two`"
    )
    assert text.splitlines()[-1] == (
        "[One](#top), [there](#top), *Words*, a word (the book's page *Words*); B and Ü (1999) "
        "([B et al., 2001](https://example.org/); B and Ü, 1999)"
    )


def test_a_solution_is_folded_or_gone(book):
    cells = [
        "Add.\n\n```{solution-start} x\n:class: dropdown\n```\nIt is",
        ("solution", "x = 1 + 1"),
        ("check", 'check("x", x)'),
        "two.\n\n```{solution-end}\n```\n\nNext.",
    ]
    folded = "<details>\n<summary>Solution</summary>\n\nIt is\n\n```python\nx = 1 + 1\n```\n\ntwo."
    given = ["Add.", "x = ...", 'check("x", x)']
    assert book(*cells) == [*given, f"{folded}\n\n</details>\n\nNext."]
    assert book(*cells, kind="student") == [*given, "Next."]


GLUE = "from lib.display.prose import glue_all\n\nglue_all({'a': a, 'of': 'A*'})"


def glued(**numbers):
    """Return the outputs of a cell that glued these numbers."""
    return [
        nbformat.v4.new_output(
            "display_data",
            {"application/papermill.record/text/plain": repr(value)},
            metadata={"scrapbook": {"name": name}},
        )
        for name, value in numbers.items()
    ]


def test_beneath_a_text_stands_what_changed_data_say_and_nothing_where_they_say_the_same(book):
    (*cells, late, here) = book(
        (None, "a = 1"),
        "Of {term}`run` {glue:text}`of`\n{glue:text}`a` came.\nThat is all.",
        ("remove-cell", GLUE, glued(a="1", of="A*")),
    )
    assert cells[0] == "a = 1" and late == GLUE and cells[1].endswith("1 came.\nThat is all.")
    shown = []
    for a in ("1", "[2]"):
        space = {"a": a}
        exec(late, space)
        exec(here.replace("\nhere(", "\nshown = here("), space)
        shown.append(space["shown"])
    assert shown[0] is None
    assert (
        shown[1].data
        == "> *The numbers of these data, in the book's words:* **[2]** (in the book: 1) came."
    )


def test_what_is_made_of_answers_alone_is_not_run(book):
    (_, *code, _) = book(
        "Text.",
        (None, "a = 1"),
        "## Exercises",
        ("remove-cell", GLUE, glued(a="1")),
        "{glue:text}`a`",
    )
    assert code == ["a = 1", "## Exercises"]


@pytest.mark.parametrize("chapter", NOTEBOOKS)
def test_an_edition_imports_what_it_reads_or_names_and_no_more(chapter):
    sources = [source for name, source in code("editions", chapter) if name != "package"]
    read = set().union(*(names(source, ast.Load) for source in sources))
    for span in re.findall("`([^`]+)`", "\n".join(texts("editions", chapter))):
        read |= set(re.findall(r"\w+", span))
    found = set().union(*map(imported, sources))
    assert found and found <= read | {"chapters"}  # which sets one thread


@each
def test_no_cell_that_is_removed_sets_what_another_reads(kind, chapter):
    given = set()
    for cell in edition(kind, chapter).cells:
        if cell.cell_type == "code" and cell.id != "package":
            given |= names(cell.source, ast.Store)
            needed = names(cell.source, ast.Load) - given - set(dir(builtins))
            assert not needed, f"{cell.id}: {needed}"


# Writing


def test_editions_are_written_and_written_anew_where_nobody_worked_in_them(book, tmp_path):
    book("Text.", (None, "x = 1"))
    for name in ("02-two", "03-three", "01-audit"):
        shutil.copy(tmp_path / "chapters" / "01-one.ipynb", tmp_path / "chapters" / f"{name}.ipynb")
    out = tmp_path / "out"
    assert write(out, Book(tmp_path)) == []
    typed, ran, stale = sorted((out / "student").iterdir())
    fresh = stale.read_text(encoding="utf-8")
    for file, key, value in ((typed, "source", "mine"), (ran, "execution_count", 1)):
        notebook = nbformat.read(file, as_version=4)
        notebook.cells[1][key] = value
        nbformat.write(notebook, file)
    notebook = nbformat.read(stale, as_version=4)
    notebook.metadata["language_info"]["version"] = "3.13"  # as JupyterLab writes
    nbformat.write(notebook, stale)
    work = typed.read_bytes(), ran.read_bytes()
    assert write(out, Book(tmp_path)) == [typed, ran]
    assert (typed.read_bytes(), ran.read_bytes()) == work
    assert stale.read_text(encoding="utf-8") == fresh
    assert {path.name for path in out.iterdir()} == set(editions.EDITIONS)
    # An audit has no edition for students.
    assert {path.parent.name for path in out.rglob("01-audit.ipynb")} == {"editions"}
    assert "01-audit" not in [path.stem for path in Book(tmp_path).chapters]


# Every edition runs from an empty folder, and its checks know blanks from solutions.  The student
# edition of a chapter has the same code (above), so one is run; the solutions are
# taken from the folds of the reading edition, and tried in the place of the blanks.
# Of one chapter, on its own files; test_release runs all editions whole, from the wheel alone.
def test_the_exercises_of_an_edition_run_from_an_empty_folder(tmp_path, monkeypatch):
    notebook = for_its_checks(solved(CHAPTERS[0]))
    assert len(notebook.cells) < len(solved(CHAPTERS[0]).cells)
    runs_from_an_empty_folder(notebook, tmp_path, monkeypatch)
