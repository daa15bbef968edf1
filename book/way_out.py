"""Builds the book without Jupyter Book, on the newest Sphinx, and sets it beside the one that is.

``python -m book.way_out`` takes the book that ``make book`` built; it makes an environment of its
own, ``.venv-newest``, copies the project to ``_build/newest``, has ``jupyter-book config sphinx``
write its ``conf.py`` there, builds with Sphinx alone, and lists each page whose text, links or
figures differ.  Whoever leaves Jupyter Book 1 takes that ``conf.py``: RELEASE.md says when.
"""

import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from pathlib import Path

from bs4 import BeautifulSoup

from book.make_book import HTML, JUPYTER_BOOK, ROOT

ENVIRONMENT, COPY = ROOT / ".venv-newest", ROOT / "_build" / "newest"
NEWEST = COPY / "_build" / "html"
LEFT = (".*", "_build", "dist", "notebooks", "course", "exam", "quizzes", "tests", "__pycache__")
OBSOLETE = {"jupyter_book", "sphinx_jupyterbook_latex"}  # extensions that need Jupyter Book 1
# What Jupyter Book 1 brings beside itself.
BROUGHT = """linkify-it-py myst-nb sphinx sphinx-book-theme sphinx-copybutton sphinx-design
sphinx-external-toc sphinx-multitoc-numbering sphinx-togglebutton sphinxcontrib-bibtex""".split()
ADDED = f"""
import sys
from pathlib import Path
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "book" / "extensions")]
extensions = [name for name in extensions if name not in {sorted(OBSOLETE)}]
"""


def run(*words, cwd=ROOT):
    """Run a command, or stop with its status."""
    if status := subprocess.run([str(word) for word in words], cwd=cwd).returncode:
        sys.exit(status)


def make_environment() -> Path:
    """Make an environment with the newest of what the book needs; return its Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["papers"], *extras["report"], *extras["book"]]
    needed = [one for one in needed if not one.startswith(("measuring-the-measures", "jupyter-b"))]
    venv.create(ENVIRONMENT, clear=True)
    python = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = "-m uv pip install --quiet --system-certs --upgrade --python".split()
    run(sys.executable, *install, python, *needed, *BROUGHT)
    return python


def build(python: Path) -> None:
    """Build a copy of the project with Sphinx alone."""
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(*LEFT))
    run(sys.executable, *JUPYTER_BOOK, "config", "sphinx", ".", cwd=COPY)
    with (COPY / "conf.py").open("a", encoding="utf-8") as file:
        file.write(ADDED)
    run(python, "-m", "sphinx", *"-q -W -n --keep-going -b html .".split(), NEWEST, cwd=COPY)


@cache
def article(page: Path) -> BeautifulSoup:
    """Return the article of a built page; an empty one if it leads on to another page.

    Links to listings of code are left out: a newer Sphinx has one of each property too.
    """
    found = BeautifulSoup(page.read_text("utf-8"), "html.parser").find("article")
    for link in found.select(".viewcode-link") if found else ():
        (link.find_parent("a") or link).decompose()
    return found or BeautifulSoup("", "html.parser")


def leads(page: Path, address: str) -> str:
    """Return where a link leads: a page, or the heading of a section, whatever its id is."""
    path, _, anchor = address.partition("#")
    target = (page.parent / path).resolve() if path else page
    by_sphinx = target.suffix == ".html" and target.parent.name != "slides"
    if "://" in address or not anchor or not by_sphinx:
        return address
    place = article(target).find(id=anchor)
    section = place and (place if place.name == "section" else place.find_parent("section"))
    heading = section and section.find(re.compile("^h[1-6]$"))
    return f"{path}#{heading.get_text(' ', strip=True) if heading else f'nowhere: {anchor}'}"


def seen(page: Path) -> dict[str, list[str]]:
    """Return what a page shows: its text without blanks, where its links lead, its figures."""
    shown = article(page)
    blocks = shown.select("section > :not(section)")
    drawings = [str(one) for one in shown.select("svg")]
    return {
        "text": ["".join(block.get_text().split()) for block in blocks],
        "links": [leads(page, link["href"]) for link in shown.select("a[href]")],
        "figures": drawings + [one["src"] for one in shown.select("img[src]")],
    }


def pages(html: Path) -> set[Path]:
    """Return the pages that Sphinx made, but for listings of code."""
    found = {page.relative_to(html) for page in html.rglob("*.html")}
    return {page for page in found if not page.parts[0].startswith(("_", "slides"))}


def differences(one: Path, other: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield what is not the same in two built books, page by page, with the first lines of it."""
    for page in sorted(pages(one) ^ pages(other)):
        yield f"{page}: only in {one if page in pages(one) else other}", []
    for page in sorted(pages(one) & pages(other)):
        was, now = seen(one / page), seen(other / page)
        for kind in was:
            if was[kind] != now[kind]:
                lines = [*unified_diff(was[kind], now[kind], lineterm="", n=0)][2:]
                yield f"{page}: other {kind}", [line for line in lines if line[0] != "@"]


def main() -> int:
    """Build both ways and print what differs; return 1 if anything does."""
    build(make_environment())
    found = list(differences(HTML.resolve(), NEWEST.resolve()))
    for what, lines in found:
        print(what, *(f"    {line[:200]}" for line in lines[:6]), sep="\n")
    print(f"{len(found)} differences of {NEWEST} from {HTML}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
