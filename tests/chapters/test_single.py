"""One measure that stands for seven, and what is printed beside means of three collections."""

import csv
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.multitest import multipletests

from chapters.data_tables import read
from chapters.elsewhere import confirmation, confirmed, single, tables
from chapters.ledger import registry
from lib.paths import DATA, ROOT

TARGETS = ["RR", "P@5", "P@10", "P@20", "P@30", "Rprec", "AP"]


def test_powers_by_scipy():
    """On TREC-5, two halves of 25 topics at random, both ways: measures stand as far apart."""
    scores, rng, taus = single.compared_runs("trec5").scores, np.random.default_rng(69), []
    labels = ["RBP(p=0.9)", "AP", "P@10"]
    for _ in range(60):
        order = rng.permutation(50)
        halves = [
            {label: scores[label].iloc[half].mean().round(10) for label in {*labels, *TARGETS}}
            for half in (order[:25], order[25:])
        ]
        for one, other in (halves, halves[::-1]):
            taus.append([[kendalltau(one[k], other[t])[0] for t in TARGETS] for k in labels])
    rbp, *mean = np.mean(taus, axis=(0, 2))
    known = read("confirmation", "powers").query("collection == 'trec5' and topics == 25")
    known = known.set_index("measure")["power"][labels].to_numpy()
    assert rbp - mean == pytest.approx(known[0] - known[1:], abs=0.006)


def test_gains_are_differences_of_powers():
    powers = read("confirmation", "powers").query("topics == 25")
    powers = powers.set_index(["collection", "measure"])["power"]
    rows = read("confirmation", "single").query("targets == 'seven'")
    assert len(rows) == 15
    for row in rows.itertuples():
        apart = powers[row.collection, row.one] - powers[row.collection, row.other]
        assert row.estimate == pytest.approx(apart, abs=0.002)


@pytest.mark.frozen("confirmation")
def test_gains_and_powers_on_dl_2020_are_those_that_are_kept(monkeypatch):
    """With few splits for the error."""
    monkeypatch.setattr(single, "NEW_COLLECTIONS", ["D"])
    monkeypatch.setattr(single, "OLDER", [])
    monkeypatch.setattr(single, "_SPLITS_A_TOPIC", 40)
    gains, powers = single.gains(), single.told_of_seven()
    for now, name in ((gains, "single"), (powers, "powers")):
        then = read("confirmation", name).query("collection == 'D'").reset_index(drop=True)
        rough = [column for column in now if column in ("error", "low", "high")]
        exact = now.columns.drop(rough)
        pd.testing.assert_frame_equal(now[exact], then[exact], check_dtype=False, atol=1e-6)
        pd.testing.assert_frame_equal(now[rough], then[rough], rtol=0, atol=0.008)


def test_cochrans_q_is_that_of_statsmodels():
    table = pd.read_csv(DATA / "confirmation" / "estimates.csv")
    rows = table[(table["claim"] == "P5") & (table["path"] == "as registered")]
    q = combine_effects(rows["estimate"].to_numpy(), rows["error"].to_numpy() ** 2).q
    assert confirmed.each_of_new("new-feedback-GS10").endswith(f"; Q {q:.1f} on 2 df")
    assert confirmed.each_of_new("p10-AP") == ""


def test_without_terabyte_the_fall_is_open():
    rows = confirmation.as_asked(confirmation.committed_estimates(), "P5").loc[["B", "D"]]
    texts = confirmed.feedback_otherwise()
    assert texts["bf-without-terabyte"].startswith(f"\N{MINUS SIGN}{-rows['estimate'].mean():.3f} ")
    assert "+" in texts["bf-without-terabyte"] and "+" in texts["bf-ranks-new"]


def test_each_claim_says_its_topics_a_set():
    """What is printed of a claim has the number of its row; a claim without one has none."""
    with open(DATA / "claims" / "claims.csv", encoding="utf-8", newline="") as file:
        topics = {row["id"]: row["topics"] for row in csv.DictReader(file)}
    table = registry.known_words()
    asked = [name for name in table.index if name[0] in topics]
    assert {topics[name] for name, _ in asked} >= {"", "25", "half"}
    for key in asked:
        size = topics[key[0]]
        says = f"{'half of the topics' if size == 'half' else f'{size} topics'} a set" * bool(size)
        row = table.loc[key]
        assert row["sets"] == says and says in row["whom"] and says in row["told"]
        assert says or " a set" not in row["whom"]


@pytest.mark.parametrize("text", ["README.md", "now"])
def test_leads_of_the_readme_say_their_topics(text):
    part = tables.what_came_out() if text == "now" else (ROOT / text).read_text(encoding="utf-8")
    leads = re.findall(r"\*[^*]*(?:predicts the|tells more)[^*]*\*([^;\n]*)", part)
    assert len(leads) == len(re.findall(r"predicts the|tells more", part)) > 5
    assert all(after.startswith(", 25 topics a set") for after in leads)


def test_marks_near_a_bound_are_those_within_a_tenth():
    """A hint whose interval ends within a tenth of its half-width of its bound says so."""
    row = registry.known_words().loc[("new-rr-AP", "three new collections")]
    assert 0 < row["low"] + 0.02 < 0.1 * (row["high"] - row["low"]) / 2
    assert registry.with_marks(row).endswith(", near its bound")
    clear = registry.known_words().loc[("new-p10-RBP", "three new collections")]
    assert registry.with_marks(clear) == ""


def test_corrections_of_all_findings_together():
    """By statsmodels on the same p values."""
    table = registry.known_words().dropna(subset="p")
    finding = table["word"] == "finding"
    corrected = {name: multipletests(table["p"], 0.05, name)[0] for name in ("holm", "fdr_bh")}
    assert registry.corrected_as_one() == {
        "tests": len(table),
        "findings": finding.sum(),
        "holm": (finding & corrected["holm"]).sum(),
        "false": (finding & corrected["fdr_bh"]).sum(),
    }


def test_the_cover_counts_open_claims_in_thirds():
    """The argument says that two of three claims with an interval stay open: so says the ledger."""
    words = pd.read_csv(DATA / "ledger.csv")["word"].dropna()
    cover = (ROOT / "book" / "intro.md").read_text(encoding="utf-8")
    assert "two of three claims that can be given one stay open" in cover
    assert round(3 * (words == "inconclusive").mean()) == 2


def test_most_collections_have_no_lead_to_lose():
    """The argument's third sentence, by leads that were seen with ten topics a set."""
    seen = pd.read_csv(DATA / "law" / "growth.csv").query("size == 10 and target == 'P@10'")
    assert len(seen) > 20 and (seen["by_ap"] <= seen["itself"]).mean() > 0.5
