"""Makes what a reader without git can have: a wheel with the data, and a zip of the pages.

`make release` builds the pages and calls this.  The wheel is what `pip wheel .` makes, by
`book/wheel`; the editions among the pages need it, and so have its names.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import nbformat

from book.teaching.editions import CODE
from book.wheel.renaming import renamed_code, renamed_notebook

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
NAME = "measuring-the-measures"


def version():
    """Return the version of the project."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def wheel(to):
    """Make the wheel with the tools of this environment; return it."""
    alone = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    command = [sys.executable, "-m", "pip", "wheel", *alone, "--wheel-dir", str(to), str(ROOT)]
    subprocess.run(command, check=True)
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
            path.write_text(renamed_code(path.read_text("utf-8")), "utf-8", newline="\n")
        return Path(shutil.make_archive(str(Path(to, f"{name}-pages")), "zip", folder, name))


def for_the_wheel(edition):
    """Return an edition of a chapter that needs the wheel, and says so, in place of a checkout."""
    file = f"{NAME.replace('-', '_')}-{version()}-py3-none-any.whl"
    for cell in edition.cells:
        if cell.id == "package":
            cell.source = CODE.format(
                how=f"`pip install '{file}[report]'` installs it", installed=""
            )
    renamed_notebook(edition)
    return edition


if __name__ == "__main__":
    target = ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for made in (wheel(target), pages(target)):
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
