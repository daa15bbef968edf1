"""Makes what a reader without git can have: a wheel with the data, and a zip of the pages.

`make release` builds the pages and calls this.

The wheel's package stands beside everybody's, so it has a name of its own: `lib` is anybody's.  It
is written into a copy.  In our package and its notebooks the word `lib` means the package and
nothing else, so that one replacement reaches imports, messages, help, docstrings and the report;
relative imports would reach the imports alone.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import nbformat

from book.teaching.editions import CODE

PACKAGE = "measuring"  # if it is taken when the wheel is published: another

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
NAME = "measuring-the-measures"
PARTS = ["pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT.md", "DATA.md", "CITATION.cff"]
# What makes other notebooks of the chapters is of no use without them.
MAKERS = ("course.py", "editions.py", "marks.py", "myst.py")


def version():
    """Return the version of the project."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def renamed(text):
    """Return a text of ours with the package's name in the wheel."""
    return re.sub(r"\blib\b", PACKAGE, text)


def wheel(to):
    """Make the wheel, from a copy of the project in which the data stands in the package.

    The same project makes the same bytes: no date, umask or mode of a file is left in it.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        package = copy / PACKAGE
        unused = shutil.ignore_patterns("__pycache__", *MAKERS)
        shutil.copytree(ROOT / "lib", package, ignore=unused)
        texts = [copy / "pyproject.toml", *(path for path in package.rglob("*") if path.is_file())]
        made_by = shutil.ignore_patterns("__pycache__", "*.py")  # scripts beside what they make
        shutil.copytree(ROOT / "data", package / "data", ignore=made_by)
        texts += package.rglob("datapackage.json")
        for part in PARTS:
            shutil.copy(ROOT / part, copy)
        shutil.copytree(ROOT / "LICENSES", copy / "LICENSES")
        for path in texts:
            path.write_text(renamed(path.read_text("utf-8")), "utf-8", newline="\n")
        for path in copy.glob("*.md"):  # these speak of the checkout too, where it is `lib/`
            text = path.read_text("utf-8").replace("-m lib", f"-m {PACKAGE}")
            path.write_text(text, "utf-8", newline="\n")
        for path in copy.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        alone = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
        command = [sys.executable, "-m", "pip", "wheel", *alone, "--wheel-dir", str(to), str(copy)]
        date = {"SOURCE_DATE_EPOCH": "315532800"}  # 1980, where the dates of a zip begin
        subprocess.run(command, check=True, umask=0o022, env=date | os.environ)
    (found,) = Path(to).glob("*.whl")
    return found


def pages(to):
    """Make the zip file of the pages, in a folder of its own; what they hand out has the wheel."""
    if not (PAGES / "index.html").is_file():
        sys.exit("the book is not built: run `make book`")
    with tempfile.TemporaryDirectory() as folder:
        name = f"{NAME}-{version()}"
        copy = Path(shutil.copytree(PAGES, Path(folder, name)))
        for path in [*copy.glob("editions/*.ipynb"), *copy.glob("student/*.ipynb")]:
            nbformat.write(for_the_wheel(nbformat.read(path, as_version=4)), path)
        for path in copy.glob("_downloads/*/*.py"):
            path.write_text(renamed(path.read_text("utf-8")), "utf-8", newline="\n")
        return Path(shutil.make_archive(str(Path(to, f"{name}-pages")), "zip", folder, name))


def for_the_wheel(edition):
    """Return an edition of a chapter that needs the wheel, and says so, in place of a checkout."""
    file = f"{NAME.replace('-', '_')}-{version()}-py3-none-any.whl"
    for cell in edition.cells:
        if cell.id == "package":
            cell.source = CODE.format(how=f"`pip install '{file}[report]'` installs it", colab="")
        cell.source = renamed(cell.source)
    return edition


if __name__ == "__main__":
    target = ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for made in (wheel(target), pages(target)):
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
