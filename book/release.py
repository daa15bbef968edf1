"""Makes what a reader without git can have: a wheel with the data, and a zip of the pages.

`make release` builds the pages and calls this.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
NAME = "measuring-the-measures"
PARTS = ["pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT.md", "DATA.md", "CITATION.cff"]


def version():
    """Return the version of the project."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def wheel(to):
    """Make the wheel, from a copy of the project in which the data stands in the package."""
    with tempfile.TemporaryDirectory() as folder:
        copy, rubbish = Path(folder, "project"), shutil.ignore_patterns("__pycache__")
        made_by = shutil.ignore_patterns("__pycache__", "*.py")  # scripts beside what they make
        shutil.copytree(ROOT / "lib", copy / "lib", ignore=rubbish)
        shutil.copytree(ROOT / "data", copy / "lib" / "data", ignore=made_by)
        for part in PARTS:
            shutil.copy(ROOT / part, copy)
        shutil.copytree(ROOT / "LICENSES", copy / "LICENSES")
        alone = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
        command = [sys.executable, "-m", "pip", "wheel", *alone, "--wheel-dir", str(to), str(copy)]
        subprocess.run(command, check=True)
    (found,) = Path(to).glob("*.whl")
    return found


def pages(to):
    """Make the zip file of the pages, in a folder of its own."""
    if not (PAGES / "index.html").is_file():
        sys.exit("the book is not built: run `make book`")
    with tempfile.TemporaryDirectory() as folder:
        name = f"{NAME}-{version()}"
        shutil.copytree(PAGES, Path(folder, name))
        return Path(shutil.make_archive(str(Path(to, f"{name}-pages")), "zip", folder, name))


if __name__ == "__main__":
    target = ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for made in (wheel(target), pages(target)):
        print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB")
