"""The page on speed: every row of what is to be reached, the figures as measured, no bare time."""

import json
import re

import numpy as np
import pytest

from lib.paths import DATA, ROOT
from lib.teaching import speed_page
from lib.teaching.speed_page import GROWTH, ROWS, exponent

FOUND = json.loads((DATA / "bench.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "book" / "speed.md").read_text(encoding="utf-8")
TARGETS = {
    "files-pytrec_eval": "4",
    "files-ir_measures": "10",
    "files-ranx": "10",
    "evaluation": "45",
    "phi": "60",
    "t-tests": "70",
    "permutation": "1,300",
    "pools": "150",
    "help": "at most 1.2",
    "evaluate": "at most 2",
    "ledger-same": "3",
    "ledger": "3",
    "chapter-1": "3",
}


def cells(work):
    """Return the cells of the row of a piece of work."""
    (line,) = (line for line in PAGE.splitlines() if line.startswith(f"| {work} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_rows_are_those_that_were_asked_for():
    assert list(ROWS) == list(TARGETS)


@pytest.mark.parametrize("key", ROWS)
def test_a_row_stands_on_the_page_with_its_target_and_its_ratio(key):
    row = ROWS[key]
    _, peer, target, ratio, span, seconds = cells(row.work)
    assert peer == row.peer and target == TARGETS[key]
    ours, theirs = (np.array(FOUND["figures"][key][who]) for who in ("ours", "peer"))
    expected = np.median(ours / theirs if row.cost else theirs / ours)
    assert float(ratio.strip("*").replace(",", "")) == pytest.approx(expected, rel=0.005)
    assert float(seconds) == pytest.approx(np.median(ours), rel=0.005)
    met = expected <= row.target if row.cost else expected >= row.target
    assert ratio.startswith("**") == (not met)
    assert (f"- {row.work}, beside" in PAGE) == (not met), "what falls short is said"
    assert (span == "one round") == (len(ours) == 1)


@pytest.mark.parametrize("key", GROWTH)
def test_growth_stands_on_the_page(key):
    rows = FOUND["figures"][f"growth-{key}"]
    assert f"| {exponent(rows):.2f} | {GROWTH[key][2]} |" in PAGE
    assert [row["size"] for row in rows] == sorted(row["size"] for row in rows)


def test_every_control_of_the_chapters_was_measured():
    chapters = sorted((ROOT / "chapters").glob("*.ipynb"))
    made = {
        f"control-{path.stem[:2]}-{name}"
        for path in chapters
        for name in re.findall(r'\bid=\\"([a-z]+)\\",\\n', path.read_text(encoding="utf-8"))
    }
    assert made and made == {key for key in FOUND["figures"] if key.startswith("control-")}


def test_the_figures_name_no_machine():
    assert set(FOUND) == {"machine", "versions", "figures"}
    assert set(FOUND["machine"]) == {"processor", "processors", "system"}


def test_a_row_that_falls_short_is_named(monkeypatch):
    slow = {"t-tests": {"ours": [1.0, 1.0, 2.0], "peer": [50.0, 60.0, 70.0]}}
    page = "\n".join([*speed_page._table(slow), *speed_page._short(slow)])
    assert "| **50** | 35–60 | 1 |" in page and "1 of 13 fall short" in page
    assert page.count("not measured") == 12
