"""The editions: no MyST is left in them, nothing is lost, and they say what they need."""

import ast
import re
import site
import subprocess
import sys
from collections import Counter
from importlib.metadata import packages_distributions

import nbformat
import pytest
from bs4 import BeautifulSoup
from built import CHAPTERS as PAGES
from built import needs_book
from editions import CHAPTERS, SOLVED, edition, is_check
from IPython.core.inputtransformer2 import TransformerManager
from markdown_it import MarkdownIt

from lib.paths import ROOT
from lib.teaching import editions
from lib.teaching.editions import opening
from lib.teaching.editions.blocks import numbered, plain
from lib.teaching.editions.code import without
from lib.teaching.editions.notebook import convert
from lib.teaching.editions.roles import Roles
from lib.teaching.editions.sources import Sources
from lib.teaching.lessons import CHECKS

ALL = [(kind, chapter) for kind in editions.KINDS for chapter in CHAPTERS]
each = pytest.mark.parametrize(("kind", "chapter"), ALL, ids=map("-".join, ALL))


def texts(kind, chapter):
    return [cell.source for cell in edition(kind, chapter).cells if cell.cell_type == "markdown"]


def test_no_edition_is_stale():
    assert editions.stale() == [], "run `make editions`"


MYST = {
    "a role": r"\{[\w:.+-]+\}`",
    "a directive": r"^\s*(:{3,}|`{3,}\{|~{3,}\{)",
    "a target": r"^\([\w-]+\)=",
    "an option": r"^:[\w-]+:",
    "glue": r"\bglue\b|papermill|\bsay\(",
}


@each
def test_no_myst_is_left(kind, chapter):
    for cell in edition(kind, chapter).cells:
        for what, pattern in MYST.items():
            assert not re.search(pattern, cell.source, flags=re.M), f"{cell.id}: {what}"


@each
def test_an_edition_is_small_and_has_nothing_of_a_run(kind, chapter):
    path = ROOT / "book" / kind / f"{chapter}.ipynb"
    assert path.stat().st_size < 200_000
    notebook = edition(kind, chapter)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"jupyter"} and cell.source.strip()
        assert not cell.get("outputs") and cell.get("execution_count") is None


@each
def test_cells_keep_their_names_and_order(kind, chapter):
    source = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4)
    names = [cell.id for cell in source.cells]
    kept = [cell.id for cell in edition(kind, chapter).cells]
    assert kept[:2] == ["edition", "package"]
    assert kept[2:] == [name for name in names if name in kept]
    gone = {cell.id: cell for cell in source.cells if cell.id not in kept}
    assert all(
        cell.source.startswith("glue_all(")
        or "\n    glue_all(" in cell.source
        or "{solution-end}" in cell.source  # of which the student's edition has nothing
        for cell in gone.values()
    )


LINK = re.compile(r"\]\(([^()\s]*)#([^()\s]+)\)")


@each
def test_a_link_has_its_target(kind, chapter):
    found = 0
    for text in texts(kind, chapter):
        for file, label in LINK.findall(text):
            if file.startswith("http"):
                continue
            there = "\n".join(texts(kind, file.removesuffix(".ipynb") or chapter))
            assert there.count(f'<a id="{label}"></a>') == 1, f"{file}#{label}"
            found += 1
    assert found


@each
def test_html_is_closed_and_stands_apart_so_that_markdown_inside_is_read(kind, chapter):
    for text in texts(kind, chapter):
        for tag in ("details", "blockquote"):
            assert text.count(f"<{tag}>") == text.count(f"</{tag}>")
        read = BeautifulSoup(MarkdownIt().enable("table").render(text), "html.parser")
        for code in read.select("pre, code"):
            code.decompose()
        assert not re.search(r"\*\*|\]\(|(?<!\w)\*\w|```", read.get_text())


# What the page shows

NUMBER = re.compile(r"\d+(?:[.,]\d+)*|(?<!\w)\.\d+")


def of_page(path):
    """Count the numbers in the prose of a built page."""
    (article,) = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select("article")
    apart = ".cell, .section-number, pre, .headerlink, script, .solution > .admonition-title"
    apart += ", .meaning"  # of the glossary, shown on request
    for part in article.select(apart):
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


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_number_that_is_glued_where_the_text_names_it_is_there(chapter):
    cells = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", as_version=4).cells
    named = re.findall(r"\{glue:text\}`([^`]+)`", "\n".join(cell.source for cell in cells))
    values = {
        output.metadata.scrapbook.name: output.data["application/papermill.record/text/plain"]
        for cell in cells
        for output in cell.get("outputs", [])
        if "scrapbook" in output.get("metadata", {})
    }
    glued = Counter(n for name in named for n in NUMBER.findall(values[name]))
    assert glued - of_edition("editions", chapter) == {}


# Students


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_student_gets_each_exercise_and_check_and_no_solution(chapter):
    full, own = ("\n".join(texts(kind, chapter)) for kind in editions.KINDS)
    heading = r"^\*\*Exercise [\d.]+\*\*"
    assert re.findall(heading, own, flags=re.M) == re.findall(heading, full, flags=re.M) != []
    assert "<summary>Solution</summary>" in full and "<summary>Solution</summary>" not in own
    assert own.count("<summary>Hint</summary>") == full.count("<summary>Hint</summary>")
    for answer in SOLVED.findall(full):
        assert answer not in "\n".join(cell.source for cell in edition("student", chapter).cells)
    assert len(SOLVED.findall(full)) == sum(map(is_check, edition("student", chapter).cells))


def test_every_check_is_in_the_editions():
    cells = [cell for chapter in CHAPTERS for cell in edition("student", chapter).cells]
    labels = [re.match(r'check\(\s*"([\w-]+)"', c.source)[1] for c in cells if is_check(c)]
    assert sorted(labels) == sorted(CHECKS)


# What an edition needs


def python(code, *paths, at):
    """Run code where the book's package is not installed, but other packages are."""
    start = f"import sys; sys.path += {[*map(str, paths), *site.getsitepackages()]!r}\n"
    words = [sys.executable, "-I", "-S", "-c", start + code]
    return subprocess.run(words, cwd=at, capture_output=True, text=True)


def with_address(folder, address):
    (folder / "_config.yml").write_text(f"repository:\n  url: '{address}'\n  branch: main\n")
    return TransformerManager().transform_cell(opening.code(Sources(folder)))


@pytest.mark.parametrize("address", ["", "https://example.org/us/book"])
def test_what_is_missing_is_said_in_a_line(address, tmp_path):
    code = with_address(tmp_path, address)
    done = python(code, at=tmp_path)
    said = done.stderr.splitlines()[-1]
    assert said.startswith("ImportError: the book's package `lib` is not here")
    assert (address or "a copy of the book's folder") in said and "pip install -e ." in said
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "paths.py").write_text("import pathlib\nDATA = pathlib.Path('none')\n")
    done = python(code, tmp_path, at=tmp_path)
    assert "is here without its data" in done.stderr.splitlines()[-1]
    assert python(code, ROOT, at=tmp_path).stderr == ""


def test_on_colab_the_book_is_fetched(tmp_path):
    """With a git and a pip that only say what they are asked, and a clone that is a link."""
    code = with_address(tmp_path, "https://example.org/us/book/")
    shell = f"""
import os, types
sys.modules["google.colab"] = types.ModuleType("google.colab")
class Shell:
    def system(self, command):
        print(command)
        os.symlink({str(ROOT)!r}, "the-book")
    def run_line_magic(self, name, rest):
        print(name, rest)
get_ipython = Shell
"""
    done = python(shell + code + "\nprint(DATA.is_dir())", at=tmp_path)
    assert done.stdout.splitlines() == [
        "git clone --quiet --depth 1 --branch main https://example.org/us/book the-book",
        f"pip install --quiet {opening.NEEDED}",
        "True",
    ]


# What imports these is not imported by a chapter's code.
NOT_RUN = {"myst_nb", "nbconvert", "nbformat", "pybtex", "yaml"}


def test_what_is_installed_on_colab_is_what_the_code_imports():
    imported = set()
    for path in (ROOT / "lib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
    packages = packages_distributions()
    others = imported - {"lib"} - set(sys.stdlib_module_names) - NOT_RUN
    assert {packages[name][0] for name in others} == set(opening.NEEDED.split())


def test_no_chapter_imports_anything_else(tmp_path):
    setups = [c.source for n in CHAPTERS for c in edition("editions", n).cells if c.id == "setup"]
    absent = [f"sys.modules[{name!r}] = None" for name in NOT_RUN]
    done = python("\n".join([*absent, *setups]), ROOT, at=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(setups) == len(CHAPTERS)


# What the converter does not know, it names


@pytest.fixture
def book(tmp_path):
    """A function that makes a book of one chapter, and returns its edition."""
    for name in ("book", "chapters"):
        (tmp_path / name).mkdir()
    (tmp_path / "_config.yml").write_text("repository: {url: '', branch: main}\n")
    (tmp_path / "book" / "references.bib").write_text(
        '@misc{two, author={B, A and {\\"U}, C}, year={1999}}\n'
        "@misc{three, author={B, A and C, D and E, F}, year={2001}, url={https://example.org/}}\n"
    )
    (tmp_path / "book" / "words.md").write_text("(words)=\n# Words\n\n(other)=\n## More\n")

    def make(*cells, kind="editions"):
        made = [
            nbformat.v4.new_markdown_cell(cell)
            if isinstance(cell, str)
            else nbformat.v4.new_code_cell(cell[1], metadata={"tags": [cell[0]] if cell[0] else []})
            for cell in cells
        ]
        path = tmp_path / "chapters" / "one.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=made), path)
        return [cell.source for cell in convert(path, Sources(tmp_path), kind=kind).cells[2:]]

    return make


UNKNOWN = [
    ("{doc}`there`", "the role {doc}"),
    (":::{tab-set}\nx\n:::", "the directive {tab-set}"),
    (":::{note}\nx", "does not end: :::{note}"),
    (":::\nx\n:::", "a block that nothing begins"),
    ("- x\n  :::{note}\n  y\n  :::", "an indented directive"),
    ("{glue:text}`n`", "no cell glues it"),
    ("{glue:text}`n:.2f`", "a format is not known"),
    ("{ref}`nowhere`", "no such label"),
    ("(here)=\nText.\n\n{ref}`here`", "neither a text nor a heading"),
    ("{term}`pomp`", "no such term"),
    ("{cite:t}`nobody`", "no work 'nobody'"),
    ("```{solution-end}\n```", "solution-end is out of place"),
    ("```{solution-start} x\n```", "a solution does not end"),
]


@pytest.mark.parametrize(("text", "why"), UNKNOWN, ids=[why for _, why in UNKNOWN])
def test_what_is_not_known_is_named(text, why, book):
    with pytest.raises(ValueError, match=re.escape(why)):
        book(text)


def test_code_in_a_solution_is_tagged(book):
    start, end = "```{solution-start} x\n```", "```{solution-end}\n```"
    with pytest.raises(ValueError, match="neither solution nor check"):
        book(start, (None, "1 + 1"), end)
    with pytest.raises(ValueError, match="no solution-start before it"):
        book(("solution", "x = 1"))


def test_references_are_links_or_names(book):
    (text,) = book(
        "(top)=\n# One\n\n{ref}`top`, {ref}`there <top>`, {ref}`words`, {ref}`of words <other>`; "
        "{cite:t}`two` {cite:p}`three, two`"
    )
    assert text.splitlines()[-1] == (
        "[One](#top), [there](#top), *Words*, of words (the book's page *Words*); B and Ü (1999) "
        "([B et al., 2001](https://example.org/); B and Ü, 1999)"
    )


def test_code_is_left_as_it_is(book):
    text = "`{n}` and `e`, ``a `{ref}` b``\n\n```python\n{ref}`x`  # :::{note}\n(a)=\n```"
    assert book(text) == [text]


def test_special_letters_of_a_value_stay_letters():
    roles = Roles("one", {"a": "'a_b*c <d> $'", "b": "0.5"}, Sources(), {})
    assert roles.plain("{glue:text}`a`, {glue:text}`b`") == r"a\_b\*c \<d> \$, 0.5"


def test_exercises_are_numbered_and_can_be_referred_to():
    text = ":::{exercise} Sums\n:label: x-sum\nAdd.\n:::\n\nSee {ref}`x-sum`."
    roles = Roles("one", {}, Sources(), numbered(text, "one"))
    assert plain(text, roles, answers=True).split("\n\n") == [
        '<a id="x-sum"></a>',
        "<blockquote>",
        "**Exercise 1** (Sums)",
        "Add.",
        "</blockquote>",
        "See [Exercise 1](#x-sum).",
    ]


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


def test_code_that_only_the_page_needs_goes_and_all_else_stays(book):
    cells = book(
        (None, "from lib.display.prose import glue_all\nfrom math import cos, pi, sin"),
        (None, "own = True  # the text is about it\na = 1"),
        ("remove-cell", "b = a + 1\nc = b + 1\nif own:\n    glue_all({'c': c})"),
        (None, "sin(b)\nsay({})"),
        "Try `cos(0)`.",
    )
    assert cells == ["from math import cos, sin", "a = 1", "b = a + 1", "sin(b)", "Try `cos(0)`."]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("if x:\n    glue_all(1)\n    y = 2", "if x:\n    y = 2"),
        ("if x:\n    glue_all(1)\nelse:\n    y = 2", "if x:\n    glue_all(1)\nelse:\n    y = 2"),
        ("(\n    y,\n    z,\n) = 1, 2", "(\n    y,\n    z,\n) = 1, 2"),
        ("z = 1\n\n\ny = 2", "y = 2"),
        ("d['z'] = 1", "d['z'] = 1"),
        ("from a import (\n    y,\n    z,\n)\ny", "from a import y\ny"),
    ],
)
def test_code_without(source, kept):
    assert without(source, {"x", "y", "d"}) == kept


def test_a_name_that_is_set_again_before_it_is_read_was_not_needed(book):
    cells = book(
        (None, "from a import x, y\nz = 1"),
        (None, "def f():\n    return z"),
        ("remove-cell", "glue_all(x)"),
        (None, "x = 2\nx"),
        (None, "y(x)"),
        (None, "z = 3\nf()"),
    )
    assert cells[0] == "from a import y\nz = 1" and cells[-1] == "z = 3\nf()"


# Writing


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """The committed editions in another place, where they may be changed."""
    for kind, chapter in ALL:
        file = tmp_path / "book" / kind / f"{chapter}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((ROOT / "book" / kind / f"{chapter}.ipynb").read_bytes())
    monkeypatch.setattr(editions, "ROOT", tmp_path)
    return tmp_path / "book"


def test_stale_missing_and_left_over_editions_are_found_and_mended(copy):
    first, second, *_ = sorted((copy / "student").iterdir())
    good = first.read_bytes()
    first.write_bytes(good + b"\n")
    second.unlink()
    (copy / "editions" / "99-gone.ipynb").write_bytes(good)
    names = ["editions/99-gone.ipynb", f"student/{first.name}", f"student/{second.name}"]
    assert editions.stale() == names
    assert editions.write() == [] and editions.stale() == []
    assert first.read_bytes() == good and second.is_file()


def test_an_edition_with_somebodys_work_is_left_alone(copy):
    file = copy / "student" / f"{CHAPTERS[0]}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    notebook.cells[1].execution_count = 1
    nbformat.write(notebook, file)
    work = file.read_bytes()
    assert editions.write() == [f"student/{file.name}"] == editions.stale()
    assert file.read_bytes() == work
