"""data/replicates: what intervals over topics are made of, computed again without some topics."""

import runpy

import numpy as np
import pandas as pd
import pytest

from chapters.webber2008 import tables
from chapters.webber2008.quantities import compute_halvings, halvings
from lib.collection import load
from lib.estimates import REPLICATES
from lib.paths import DATA
from lib.statistics.predictivity import splits, without_topics


@pytest.mark.frozen("replicates")
@pytest.mark.parametrize(
    ("name", "measures"), [("trec8", tables.MEASURES), ("trec-covid", tables.CUT)]
)
def test_what_is_kept_is_what_leaving_out_a_topic_gives(name, measures):
    collection = load(name)
    kept = tables.predictive_power(collection, measures).topics
    sets = splits(len(kept), number=tables.SPLITS, rng=np.random.default_rng(tables.SEED))
    some = [0, len(kept) - 1]
    again = without_topics(tables.kept_scores(collection, measures), sets, np.array(some)[:, None])
    for topic, part in zip(some, again):
        np.testing.assert_allclose(kept[topic], part, atol=1e-12, err_msg=f"without topic {topic}")


# Long: some 10,000 splits; chapter 1, which prints what they give, notices most of it.
@pytest.mark.frozen("replicates")
@pytest.mark.long
def test_halves_are_kept_as_they_are_computed():
    kept, computed = (halves(load("trec8")) for halves in (halvings, compute_halvings))
    pd.testing.assert_frame_equal(kept, computed, check_dtype=False, atol=1e-9)


# Long for TREC-8, of which the book asks more; TREC-COVID notices most of it.
@pytest.mark.frozen("replicates")
@pytest.mark.parametrize("name", [pytest.param("trec8", marks=pytest.mark.long), "trec-covid"])
def test_all_that_the_book_asks_for_is_kept_and_nothing_else(name):
    collection = load(name)
    runpy.run_path(str(DATA / "replicates" / "make.py"))["ask"](collection)
    asked = {key[1] for key in collection._shared if key[0] == "replicates" and len(key) == 2}
    kept = {*pd.read_parquet(REPLICATES / f"{name}.parquet")["what"]}
    assert asked == kept, "what is not kept is computed each time"
