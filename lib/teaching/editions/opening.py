"""The first cells of an edition: what it is, and how to get what it needs."""

import textwrap

from lib.teaching.editions.sources import Sources

__all__ = ["NEEDED", "code", "note"]

# What the chapters' code imports beside the book's own package, by the names of PyPI.
NEEDED = (
    "PyStemmer ipywidgets joblib matplotlib numpy pandas pooch pyarrow requests scipy seaborn tqdm"
)

HERE = """\
# Code and data come with the book's package, `lib`.
try:
    from lib.paths import DATA
except ImportError:
    raise ImportError({missing}) from None
if not DATA.is_dir():
    raise ImportError({no_data})"""

FROM_REPOSITORY = """\
# Code and data come with the book's package, `lib`.
import sys

try:
    from lib.paths import DATA
except ImportError:
    if "google.colab" not in sys.modules:
        raise ImportError({missing}) from None
    # Colab: fetch the book, and what it uses.
    !git clone --quiet --depth 1 --branch {branch} {address} the-book
    %pip install --quiet {needed}
    sys.path.insert(0, "the-book")
    from lib.paths import DATA
if not DATA.is_dir():
    raise ImportError({no_data})"""

KINDS = {
    "editions": "The reading edition of a chapter of *Measuring the Measures*: text, code and "
    "exercises, with their solutions folded. "
    "The student edition, without solutions, is in the book's folder `book/student`.",
    "student": "The student edition of a chapter of *Measuring the Measures*: text, code and "
    "exercises, without solutions.",
}


def note(kind: str) -> str:
    """Return the first cell's text.

    Examples
    --------
    >>> note("student").splitlines()[1]
    'Run the cells from top to bottom; `...` in a cell is the place of an answer.'
    """
    return "\n".join(
        [
            KINDS[kind],
            "Run the cells from top to bottom; `...` in a cell is the place of an answer.",
            "The code needs the book's package `lib`, which has the data beside it: "
            "the next cell looks whether they are there, and says what to do if not.",
        ]
    )


def code(book: Sources) -> str:
    """Return the code that looks for the package and its data.

    Where the repository has an address, it gets both by itself on Colab.  Binder has them.

    Examples
    --------
    >>> "from lib.paths import DATA" in code(Sources())
    True
    """
    address, branch = book.repository
    copy = f"a copy of {address}" if address else "a copy of the book's folder"
    missing = (
        f"the book's package `lib` is not here, or a folder `lib` hides it: in {copy} "
        "`make lab` opens this notebook with it, and `pip install -e .` installs it"
    )
    no_data = (
        f"the book's package `lib` is here without its data: in {copy} "
        "`pip install -e .` installs it with them"
    )
    return (FROM_REPOSITORY if address else HERE).format(
        missing=_lines(missing, 12 if address else 8),
        no_data=_lines(no_data, 8),
        address=address,
        branch=branch,
        needed=NEEDED,
    )


def _lines(text, indent):
    """Return a text as the argument of a call, over several lines."""
    pad = " " * indent
    parts = " \n".join(textwrap.wrap(text, 87 - indent)).split("\n")
    return "\n" + "\n".join(f'{pad}"{part}"' for part in parts) + "\n" + pad[4:]
