"""The explorers of the built book, and what lib says to each of their settings now."""

import ast
import random
import re
from functools import cache

import pytest
from bs4 import BeautifulSoup
from built import LANDING, NOTEBOOKS, ROOT, name
from cells import code_cells, needed
from playwright.sync_api import expect

EXPLORERS = [
    (path, found)
    for path in (*NOTEBOOKS, LANDING)
    if path.exists()
    for found in re.findall(r'class="measures explore" id="([^"]+)"', path.read_text("utf-8"))
]
FIRST = dict(reversed(EXPLORERS))  # of each notebook
# Long: a notebook's other explorers, which the same script moves; the first notices most of it.
each_explorer = pytest.mark.parametrize(
    ("path", "figure"),
    [
        pytest.param(*one, marks=[pytest.mark.long] * (one not in FIRST.items()))
        for one in EXPLORERS
    ],
    ids=[f"{name(path)}#{figure}" for path, figure in EXPLORERS],
)


@cache
def live(path, figure):
    """Return the explorer of a page's notebook, from its own cells, run in this process.

    Of the cells before it only those are run that set a name which it needs.  The landing page
    shows one that the foundations glue.
    """
    home = "00-foundations" if path == LANDING else path.stem
    cells = code_cells(ROOT / "chapters" / f"{home}.ipynb")
    (last,) = [
        i
        for i, cell in enumerate(cells)
        if f'id=\\"{figure}\\"' in str(cell.outputs) or f'id="{figure}"' in str(cell.outputs)
    ]
    sources = needed(cells, last)
    *statements, shown = ast.parse(cells[last].source).body
    space = {}
    for part in [*map(ast.parse, sources), ast.Module(statements, [])]:
        exec(compile(part, path.name, "exec"), space)
    value = shown.value
    if path == LANDING:
        (value,) = value.args[0].values  # of glue_all({NAME: EXPLORER})
    return eval(compile(ast.Expression(value), path.name, "eval"), space)


def said(panel):
    """Return all that a panel says, in order; of a drawing, what it says to who cannot see it."""
    tree = BeautifulSoup(panel, "html.parser")
    for drawing in tree.select("[role=img]"):
        drawing.replace_with(drawing["aria-label"])
    # As a cell says it: a page sets where lines end, and its apostrophes.
    return [text.replace("\u00a0", " ").replace("\u2019", "'") for text in tree.stripped_strings]


def visible(page, figure):
    """Return the panel that a reader sees, which must be one."""
    panel = page.locator(f"#{figure} [data-at]:visible")
    expect(panel).to_have_count(1)
    return panel


def covering(explorer):
    """Return settings among which each value of each control of the page is."""
    shuffled = {key: random.Random(1).sample(v, len(v)) for key, v in explorer.static.items()}
    count = max(map(len, shuffled.values()))
    return [
        explorer.defaults | {key: values[i % len(values)] for key, values in shuffled.items()}
        for i in range(count)
    ]
