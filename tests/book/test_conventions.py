"""The laboratory of conventions: its page says what the field's tools say to its tiny runs."""

import importlib.util
import shutil

import numpy as np
import pandas as pd
import pytest

from lib.paths import DATA

FOLDER = DATA / "conventions"
SPEC = importlib.util.spec_from_file_location("make_conventions", FOLDER / "make.py")
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)

CASES = make.cases()
TABLES = {(name, m): rows for name, case in CASES.items() for m, rows in case[2].items()}
TOOLS = pd.read_csv(FOLDER / "tools.csv")


@pytest.mark.frozen("conventions")
def test_the_committed_answers_are_those_of_the_tools():
    now, kept = make.answers(), TOOLS
    if not shutil.which("perl"):
        kept = kept[kept["call"] != make.EXPONENTIAL].reset_index(drop=True)
    pd.testing.assert_frame_equal(now, kept)


SCORES = [  # by hand
    ("ties", "RR", [1 / 3, 1, 1 / 2, 11 / 18]),
    ("ties", "RBP(p=0.5,rel=1)", [1 / 8, 1 / 2, 1 / 4, 7 / 24]),
    ("precision", "RR", [1, 1 / 2]),
    ("missing", "RR", [1 / 2, 1]),
    ("nothing", "RR", [1 / 2, 1]),
    ("unjudged", "RR", [1 / 2, 1]),
    ("threshold", "P@1", [1, 0]),
    ("denominator", "AP@2", [1 / 3, 1 / 2, 1]),
    ("discount", "nDCG", [1 / np.log2(3), 1]),
    (
        "gain",
        "nDCG@2",
        [(1 + 2 / np.log2(3)) / (2 + 1 / np.log2(3)), (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))],
    ),
]


def test_every_rule_scores_as_by_hand():
    assert {(name, measure) for name, measure, _ in SCORES} == set(TABLES)
    for name, measure, scores in SCORES:
        assert [f"{score:.3f}" for score in scores] == [row[1] for row in TABLES[name, measure]]
