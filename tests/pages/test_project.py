"""The way in and out: what pages say of the project, with its address and without."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib

import nbformat
import pybtex.database
import pytest
import yaml
from built import HTML, PAGES, ROOT, metas, soup
from strange import write_files

from book.make_book import JUPYTER_BOOK

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
ADDRESS = "https://github.com/someone/measures"
PUBLISHED = "https://someone.example/measures"
BUTTONS = [
    "https://mybinder.org/v2/gh/someone/measures/main?urlpath=lab/tree/notebooks/editions/01-one.ipynb"
]

TOC = """format: jb-book
root: chapters/01-one
chapters:
""" + "".join(f"- file: book/{page}\n" for page in "about data literature your-own-runs".split())
TEXT = """# One & only

{cite:t}`webber2008precision` ask for more than ten results; {cite:p}`zobel1998reliable`."""
TEXTS = ["CITATION.cff", "CHANGELOG.md", "DATA.md", "LICENSE", "LICENSE-TEXT.md"]


@pytest.fixture(scope="module")
def without():
    """The book itself, as long as the project has no address."""
    if CONFIG["repository"]["url"] or CONFIG["html"]["baseurl"] or not PAGES:
        pytest.skip("the book has an address, or is not built")
    return HTML


@pytest.fixture(scope="module")
def addressed(tmp_path_factory):
    """A small book with a repository, a place for its pages, and a DOI; else configured as ours."""
    folder = tmp_path_factory.mktemp("with")
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["repository"]["url"] = ADDRESS
    config["html"]["baseurl"] = PUBLISHED
    hub = {"notebook_interface": "jupyterlab", "binderhub_url": "https://mybinder.org"}
    config["launch_buttons"] = hub
    shutil.copytree(ROOT / "book", folder / "book", ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copytree(ROOT / "LICENSES", folder / "LICENSES")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(TEXT)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    files = {text: (ROOT / text).read_text(encoding="utf-8") for text in TEXTS}
    files["CITATION.cff"] += "doi: 10.1234/measures\n"
    files |= {
        "_config.yml": yaml.safe_dump(config),
        "_toc.yml": TOC,
        "book/your-own-runs.md": "(your-own-runs)=\n# Your own runs\n",
        "book/literature.md": "(references)=\n# Literature\n\n```{bibliography}\n```\n",
        "chapters/01-one.ipynb": nbformat.writes(notebook),
    }
    write_files(folder, files)
    build = [sys.executable, *JUPYTER_BOOK, "build", "-W", folder]
    done = subprocess.run(build, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "_build" / "html"


def launchers(html):
    """Return where the launch buttons of the notebook lead."""
    (page,) = (html / "chapters").glob("01-[op]*.html")
    return [link["href"] for link in soup(page).select(".dropdown-launch-buttons a[href]")]


def to_the_project(page):
    """Return where the foot of a page leads, outside the book."""
    return [a["href"] for a in soup(page).select("nav.project a") if "://" in a["href"]]


def entry(html):
    """Return the BibTeX entry of the book, parsed from its page."""
    (source,) = soup(html / "book" / "about.html").select(".highlight-bibtex pre")
    (found,) = pybtex.database.parse_string(source.get_text(), "bibtex").entries.values()
    return found


def test_launch_buttons_come_with_the_address_and_open_the_edition(without, addressed):
    assert launchers(without) == []
    assert launchers(addressed) == BUTTONS
    assert ADDRESS in (addressed / "editions" / "01-one.ipynb").read_text(encoding="utf-8")


def test_links_to_the_project_come_with_the_address(without, addressed):
    assert to_the_project(without / "book" / "about.html") == []
    assert to_the_project(addressed / "book" / "about.html") == [ADDRESS, f"{ADDRESS}/issues"]
    assert "git clone" not in soup(without / "book" / "about.html").get_text()
    assert f"git clone {ADDRESS}" in soup(addressed / "book" / "about.html").get_text()


def test_without_an_address_no_link_of_the_projects_page_is_empty(without):
    article = soup(without / "book" / "about.html").article
    assert "{%" not in article.get_text() and "None" not in article.get_text()
    assert all(a["href"].strip() for a in article.select("a[href]"))


def test_the_book_is_cited_as_the_citation_file_says(without, addressed):
    for html, doi, url in ((without, None, None), (addressed, "10.1234/measures", PUBLISHED)):
        found = entry(html)
        assert found.fields["title"] == CITATION["title"]
        assert found.fields["version"] == CITATION["version"]
        assert found.fields["year"] == CONFIG["copyright"]
        authors = [str(person) for person in found.persons["author"]]
        assert authors == [f"{{{author['name']}}}" for author in CITATION["authors"]]
        assert (found.fields.get("doi"), found.fields.get("url")) == (doi, url)
        assert metas(html / "book" / "about.html").get("citation_doi") == doi


def test_previews_have_whole_addresses_where_the_pages_have_one(without, addressed):
    assert "citation_public_url" not in metas(without / "book" / "about.html")
    page = "chapters/01-one.html"
    tags = metas(addressed / page)
    assert tags["citation_public_url"] == f"{PUBLISHED}/{page}"
    assert tags["citation_title"] == tags["og:title"] == "One & only"
    assert tags["og:image"] == f"{PUBLISHED}/_static/pictures/01-one.png"


# The licence: one statement, wherever it stands.


def test_licences_are_the_same_everywhere():
    terms = {"CC BY 4.0", "MIT"}
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == CITATION["version"]
    assert "license" not in CITATION  # a list would leave the choice
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Code: [MIT](LICENSE). Text and figures: [CC BY 4.0](LICENSE-TEXT.md)." in readme
    assert "CC BY 4.0" in (ROOT / "LICENSE-TEXT.md").read_text(encoding="utf-8")
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    data = " ".join((ROOT / "DATA.md").read_text(encoding="utf-8").split())
    assert "What rights we hold in the data we waive" in data and "CC0 1.0" in readme
    assert all(f"{term} licence of the" in data for term in terms)


# What a repository and its archives read; none of it has an address before there is one.


@pytest.mark.parametrize("name", [".zenodo.json", "codemeta.json"])
def test_archives_read_what_the_citation_file_says(name):
    said = json.loads((ROOT / name).read_text(encoding="utf-8"))
    assert said.get("title", said.get("name")) == CITATION["title"]
    assert said["version"] == CITATION["version"]
    assert said["keywords"] == CITATION["keywords"]
    assert said["description"] == CITATION["abstract"]
    authors = said.get("creators") or said["author"]
    assert [one["name"] for one in authors] == [one["name"] for one in CITATION["authors"]]


def test_make_py_does_what_the_makefile_does():
    script = runpy.run_path(str(ROOT / "make.py"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name, place in (
        ("(@D)/bin", "(BIN)"),
        ("$(@D)", ".venv"),
        ("-r $<", "-r requirements.lock"),
    ):
        makefile = makefile.replace(name, place)
    around = r"^\s*(?:\{ VIRTUAL_ENV=\S+ )?|(?:; \})?(?: (?:&&|\|\|) \\)?$"
    lines = [re.sub(around, "", line) for line in makefile.splitlines()]
    for steps in (script["INSTALL"], *script["STEPS"].values()):
        places = [lines.index(f"$(BIN)/{step}") for step in steps]
        assert places == sorted(places)
    for words in ([], ["all"], ["book", "test"]):
        done = subprocess.run([sys.executable, ROOT / "make.py", *words], capture_output=True)
        assert done.returncode == 2 and b"python make.py book, test or lab" in done.stderr


def test_every_form_for_an_issue_asks_for_something():
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert form["name"] and form["description"]
        assert any(one.get("validations", {}).get("required") for one in form["body"])
