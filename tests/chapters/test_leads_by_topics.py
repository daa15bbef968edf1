"""AP's leads by the number of topics, as they are seen and as the law has them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from chapters.data_tables import read
from chapters.elsewhere import growth


def test_leads_and_the_law_are_those_of_the_tables_of_the_registration():
    """Other splits, and other code from phis to the law; where sizes and runs are the same."""
    table = read("law", "foretold").query("runs == 'without copies' and fitted == 10")
    same = table[~table["collection"].isin(["web2010", "web2011", "web2012"])]
    for row in same.itertuples():
        own = growth.leads_of(row.collection, row.target)
        if row.topics in own.index:
            assert own["lead"][row.topics] == pytest.approx(row.seen, abs=0.004)
            assert own["law"][row.topics] == pytest.approx(row.law, abs=0.006)


def test_laws_foretell_by_noise_and_validity_and_ap_leads_where_it_reaches_what_it_has_to():
    table = growth.laws()
    for column, topics in (
        ("lead at 10", 10),
        ("forecast", table["topics"]),
        ("forecast at 100", 100),
    ):
        r, r_ap = (topics / (topics + table[f"a of {of}"]) for of in ("the target", "AP"))
        reached = np.minimum(table["validity"] * np.sqrt(r * r_ap), 1)
        told = 2 / np.pi * (np.arcsin(reached) - np.arcsin(r))
        np.testing.assert_allclose(told, table[column], atol=1e-9)
    for name in growth.asked_of("P@10"):
        rows, row = growth.leads_of(name, "P@10"), table.loc[(growth.title_of(name), "P@10")]
        n1 = rows.index[rows.index <= 25].max()
        assert (row["topics"], row["seen"]) == (n1, rows["by_ap"][n1] - rows["itself"][n1])
        has_to, reaches = growth.at_size(rows, n1)
        assert (reaches > has_to) == (row["seen"] > 0)


def test_two_rulers_are_counted_by_all_votes_of_three_topics():
    right = sum(
        0.6 ** sum(v) * 0.4 ** (3 - sum(v)) for v in product((0, 1), repeat=3) if sum(v) > 1
    )
    agree = right**2 + (1 - right) ** 2
    row = growth.rulers().loc[3]
    assert row["P@10 predicts itself"] == pytest.approx(agree - (1 - agree))
    # Two pairs that AP orders rightly and one wrongly: 2/3 of confirmations, 1/3 of denials.
    assert row["AP predicts P@10"] == pytest.approx((2 * right - 1) * (2 / 3 - 1 / 3))


@pytest.mark.frozen("law")
def test_what_is_seen_again_is_what_is_committed(monkeypatch):
    """On Md, which has fewest topics, at one size: no larger sets, and none of many splits."""
    robust = read("law", "growth").query("collection == 'robust04'")
    assert {*robust["size"]} == {*growth._SIZES, 25}
    monkeypatch.setattr(growth, "_SIZES", (5, 15, 20))
    monkeypatch.setattr(growth, "_MOST_SPLITS", 30_000)
    then = read("law", "growth").query("collection == 'Md' and size == 5")
    then = then.reset_index(drop=True)
    pd.testing.assert_frame_equal(growth.growth("Md"), then, rtol=0, atol=1e-6)
