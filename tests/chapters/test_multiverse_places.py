"""Paths through the tables of the papers: all are committed; followed again they are the same."""

import pandas as pd
import pytest

from chapters.elsewhere import engine
from chapters.ledger.paper import paths

NAMES = [f"{given.paper}, {given.name}" for given in engine.PLACES]


@pytest.mark.parametrize("place", engine.PLACES, ids=NAMES)
def test_every_path_through_a_place_is_there_and_ours_matches_every_number(place):
    table, every = place.paths(), paths(place.choices)
    pd.testing.assert_frame_equal(table[list(every)], every, check_dtype=False)
    assert table["matched"].between(0, table["cells"]).all() and table["cells"].nunique() == 1
    assert table.loc[0, "matched"] == table.loc[0, "cells"] > 0


# Long: a path through each place; the test below follows two.
@pytest.mark.frozen("multiverse")
@pytest.mark.long
@pytest.mark.parametrize("place", engine.PLACES, ids=NAMES)
def test_a_path_followed_again_is_that_committed(place):
    table = place.paths()
    plain = table[table["means"] != "not rounded"] if "means" in table else table
    few = plain.sample(1, random_state=20)
    again = engine.cells_by_path(place, few.drop(columns=["cells", "matched"]))
    pd.testing.assert_frame_equal(again, few, check_dtype=False)


@pytest.mark.frozen("multiverse")
def test_paths_with_one_choice_made_otherwise_match_what_is_committed():
    for paper, change in (("webber2008", {"systems": "75%, up"}), ("webber2010", {"sides": "one"})):
        place = next(p for p in engine.PLACES if (p.paper, p.name) == (paper, "Table 1"))
        (choice, label), first = *change.items(), paths(place.choices).iloc[0].to_dict()
        row = engine.otherwise(paper).loc[(choice, first[choice], label, "Table 1")]
        assert engine.matched(place, first | change) == (
            row["matched"] + row["alone"],
            row["matched"],
        )
