"""What shallower pools and lists make of AP's lead, and single measures beside others."""

import numpy as np
import pandas as pd
import pytest

from chapters.data_tables import read
from chapters.elsewhere import confirmation, restricted
from chapters.elsewhere.quantities import lead_over, phi_of
from chapters.elsewhere.sources import Source, short_lists, sources
from lib import load
from lib.statistics.correlation import disattenuated


@pytest.mark.frozen("depth")
def test_what_is_restricted_again_is_what_is_committed():
    again = restricted.restricted_leads(load("dl19"))
    then = restricted.committed_leads().query("collection == 'dl19'")
    columns = ["restricted", "depth", "lead", "low", "high", "change", "change_low", "change_high"]
    one, other = (table[columns].reset_index(drop=True) for table in (again, then))
    pd.testing.assert_frame_equal(one, other, rtol=0, atol=2e-6)


def test_nothing_restricted_is_the_lead_of_chapter_5():
    found = read("multiverse", "estimates.parquet")
    theirs = found.query("claim == 'p10-AP' and path == 0").set_index("source")["estimate"]
    own = restricted.committed_leads().query("restricted == ''").set_index("collection")["lead"]
    theirs["dl20"] = (
        confirmation.committed_estimates()
        .query("claim == 'P1' and collection == 'D' and path == 'as registered'")["estimate"]
        .iloc[0]
    )
    short = {"trec8": 2, "dl19": 3, "trec-covid": 2}  # runs that are out
    assert {c.name: len(short_lists(c)) for c in restricted.collections()} == (
        dict.fromkeys(own.index, 0) | short
    )
    whole = own.index.drop([*short])
    assert own[whole].to_dict() == pytest.approx(theirs[whole].to_dict(), abs=2e-6)
    (source,) = (one for one in sources() if one.name == "dl19")
    again = lead_over(source, "AP", "P@10", "P@10", long=True).value
    assert own["dl19"] == pytest.approx(again, abs=2e-6)


def test_the_mean_change_counts_each_collection_alike():
    rows = restricted.committed_leads().query("restricted == 'pools' and depth == 10")
    deep = rows[rows["collection"].isin(["trec5", "trec8"])]
    found = restricted.change_of_lead("pools", 10, "deep")
    assert found.estimate == pytest.approx(deep["change"].mean())
    assert found.error == pytest.approx(np.hypot(*deep["change_error"]) / 2)


def test_agreement_without_noise_goes_through_the_sine():
    """One measure ranks as another does but for noise: r comes out near 1, also above it."""
    rng, labels = np.random.default_rng(3), ("RR", "P@10", "AP")
    true = rng.normal(size=40)
    scores = {
        label: pd.DataFrame(true + rng.normal(size=(40, 40)), columns=range(40)) for label in labels
    }
    power = phi_of(Source("toy", "toy", None, scores), labels, for_error=0, number=200)
    assert tuple(power.value) == labels
    phi = power.value.to_numpy()
    r = np.sin(np.pi / 2 * phi)
    assert disattenuated(phi)[0, 1] == pytest.approx(r[0, 1] / np.sqrt(r[0, 0] * r[1, 1]))
    assert np.abs(disattenuated(phi) - 1).max() < 0.05
