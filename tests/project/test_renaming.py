"""What the wheel renames, and what it leaves: names of the package, and English words and paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from book.wheel.renaming import renamed_code, renamed_notebook, renamed_text

# A piece of text and what it is in the wheel.
NAMES = [
    ("lib.measures.scores", "measuring.measures.scores"),
    (":func:`~lib.load`", ":func:`~measuring.load`"),
    ("(lib.__version__)", "(measuring.__version__)"),
    ("`lib`", "`measuring`"),
    ("python -m lib ledger", "python -m measuring ledger"),
    ("python -P -m lib,", "python -P -m measuring,"),
    (">>> import lib", ">>> import measuring"),
    (">>> from lib import load", ">>> from measuring import load"),
    ("chapters.webber2008", "measuring.chapters.webber2008"),
    ("(chapters.ledger.paper.Paper)", "(measuring.chapters.ledger.paper.Paper)"),
    (">>> import chapters", ">>> import measuring.chapters"),
    (">>> from chapters import times", ">>> from measuring.chapters import times"),
]
LEFT = [
    *("chapters", "Chapters", "`chapters`", "the chapters' code", "all chapters.", "chapters:"),
    *("all chapters.They", "chapters...", "chapters 13 and 14", "numbers from chapters"),
    *("subchapters.", "chapters.csv", "old.chapters.report", "the-book/chapters/report"),
    *("chapters/times.csv", "chapters/webber2008", "the library", "a lib.", "lib"),
    *("lib/", "lib/measures/binary.py", "/usr/lib/python3", "site/lib.py", "python -m lib2to3"),
    *("zlib.compress", "my-lib.load", "calib.load", "a.lib.b", "importlib.import_module"),
    *("measuring", "measuring.lib", "Measuring the Measures", "measuring-the-measures"),
]
PIECES = st.sampled_from([*NAMES, *zip(LEFT, LEFT)])


@given(st.lists(PIECES, min_size=1), st.sampled_from([" ", "\n", ", "]))
def test_in_text_names_are_renamed_and_words_and_paths_stay(pieces, between):
    before, after = (between.join(column) for column in zip(*pieces))
    assert renamed_text(before) == after


TEXTS_IN_CODE = [
    "x = {0!r}  # {0}\n",
    'def é():\n    """{0}"""  # {0}',
    'f"""{0} {{x:>{{y}}}} {0}"""',
]


@pytest.mark.parametrize("code", TEXTS_IN_CODE)
@given(st.lists(PIECES, min_size=1))
def test_in_code_strings_and_comments_are_text(code, pieces):
    before, after = (" ".join(column) for column in zip(*pieces))
    assert renamed_code(code.format(before)) == code.format(after)


CODE = [
    ("import lib\nlib.f(x.lib, lib=lib)", "import measuring\nmeasuring.f(x.lib, lib=measuring)"),
    ("import os, lib.paths as lib\nlib.DATA", "import os, measuring.paths as lib\nlib.DATA"),
    ("from lib.cli import lib\nlib.x", "from measuring.cli import lib\nlib.x"),
    ("from .chapters import lib", "from .chapters import lib"),
    ("from chapters import times as chapters", "from measuring.chapters import times as chapters"),
    (
        "import chapters.times\nprint('é', chapters.times.x)",
        "import measuring.chapters.times\nprint('é', measuring.chapters.times.x)",
    ),
    (
        "from chapters.times import x\nfor chapters in x: chapters.report()",
        "from measuring.chapters.times import x\nfor chapters in x: chapters.report()",
    ),
    ("chapters = {}\nchapters.items()", "chapters = {}\nchapters.items()"),
    (
        "import lib\nf'{lib.__name__}.chapters.report {x[\"lib\"]}'\nlib",
        "import measuring\nf'{measuring.__name__}.chapters.report {x[\"lib\"]}'\nmeasuring",
    ),
    ("import_module('chapters')", "import_module('chapters')"),
    ("if x:\n\timport lib\\\n\t\t.paths\n", "if x:\n\timport measuring\\\n\t\t.paths\n"),
]


@pytest.mark.parametrize(("before", "after"), CODE)
def test_in_code_a_name_is_the_packages_where_an_import_says_so(before, after):
    assert renamed_code(before) == after


@pytest.mark.parametrize("lines", [False, True])
def test_of_a_notebook_code_is_code_and_text_is_text(lines):
    sources = ["import lib\nlib = 1", "`lib` of `lib.x`\n\nchapters"]
    cells = [
        {"cell_type": kind, "source": source.splitlines(keepends=True) if lines else source}
        for kind, source in zip(("code", "markdown"), sources)
    ]
    renamed_notebook({"cells": cells})
    made = ["".join(cell["source"]) for cell in cells]
    assert made == ["import measuring\nmeasuring = 1", "`measuring` of `measuring.x`\n\nchapters"]
    assert all(isinstance(cell["source"], list if lines else str) for cell in cells)
