"""Builds the project for pip: ``pip install .``, ``pip wheel .`` and ``make release`` call this.

A wheel holds one package, `measuring`, with the library, the chapters' code and the data.  It is
made from a copy, so that nothing is written into the project, and the same project makes the same
bytes: no date, umask or mode of a file is left in them.  An editable install is setuptools' own: a
path to the checkout, whose packages are `lib` and `chapters`.
"""

import gzip
import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from setuptools import build_meta
from setuptools.build_meta import build_editable, prepare_metadata_for_build_editable

from book.wheel.renaming import PACKAGE, renamed_file

__all__ = ["build_editable", "build_sdist", "build_wheel", "prepare_metadata_for_build_editable"]

ROOT = Path(__file__).resolve().parents[2]
# What stands where in the wheel; and what says on which terms, and how it is built.
PLACES = {"lib": PACKAGE, "chapters": f"{PACKAGE}/chapters", "data": f"{PACKAGE}/data"}
NOTICES = ["LICENSE", "LICENSE-TEXT.md", "DATA.md", "CITATION.cff", "LICENSES"]
PARTS = [*PLACES, *NOTICES, "pyproject.toml", "README.md", "book/__init__.py", "book/wheel"]
_DATE = 315532800  # 1980, where the dates of a zip begin


def files() -> Iterator[PurePosixPath]:
    """Yield what a wheel is made from, as paths below the project's folder."""
    for part in PARTS:
        paths = [ROOT / part] if (ROOT / part).is_file() else sorted((ROOT / part).rglob("*"))
        for path in filter(Path.is_file, paths):
            name = PurePosixPath(path.relative_to(ROOT).as_posix())
            if not _stays(name):
                yield name


def _stays(name: PurePosixPath) -> bool:
    """Return whether a file is of use in a checkout alone."""
    if any(part == "__pycache__" or part.startswith(".") for part in name.parts):
        return True
    if name.parts[0] == "data":
        return name.suffix == ".py"  # scripts beside what they make
    # Of the chapters the code: no notebook, and not what a reader's notebook keeps beside it.
    of_chapters = name.parent == PurePosixPath("chapters")
    return of_chapters and (name.suffix != ".py" or name.name == "mine.py")


def _place(name: PurePosixPath) -> PurePosixPath:
    """Return where a file of the project stands in the copy that a wheel is made from."""
    first, *rest = name.parts
    return PurePosixPath(PLACES.get(first, first), *rest)


def _made(name: PurePosixPath) -> bytes:
    """Return what a file holds in the wheel: of the data no more is text than what they are."""
    path = ROOT / name
    if name.parts[0] == "data" and name.name != "datapackage.json":
        return path.read_bytes()
    return renamed_file(path).encode()


@contextmanager
def _copy() -> Iterator[Path]:
    """Stand in a copy of the project, with the wheel's names, while setuptools works."""
    mask, date = os.umask(0o022), os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = str(_DATE)
    try:
        with TemporaryDirectory() as folder:
            copy = Path(folder, "project")
            for name in files():
                if name.parts[0] != "book":
                    (copy / _place(name)).parent.mkdir(parents=True, exist_ok=True)
                    (copy / _place(name)).write_bytes(_made(name))
            with chdir(copy):
                yield copy
    finally:
        os.umask(mask)
        os.environ.pop("SOURCE_DATE_EPOCH")
        if date is not None:
            os.environ["SOURCE_DATE_EPOCH"] = date


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, str] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Make the wheel; return its name."""
    to = os.path.abspath(wheel_directory)
    with _copy():
        return build_meta.build_wheel(to, config_settings)


def build_sdist(sdist_directory: str, config_settings: dict[str, str] | None = None) -> str:
    """Make an archive of the files of the project that make the wheel; return its name."""
    to = Path(sdist_directory).absolute()
    with _copy() as copy:
        said = copy / build_meta.prepare_metadata_for_build_wheel(".", config_settings)
        about = (said / "METADATA").read_bytes()
        name = said.name.removesuffix(".dist-info")
    contents = {"PKG-INFO": about} | {str(one): (ROOT / one).read_bytes() for one in files()}
    with (
        open(to / f"{name}.tar.gz", "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=_DATE) as packed,
        tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, content in contents.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime = len(content), _DATE
            archive.addfile(entry, io.BytesIO(content))
    return f"{name}.tar.gz"
