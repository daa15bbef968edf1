"""The headline claims on every collection: as committed, as in the chapters, as they must be."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strange import write_collection

from lib import load
from lib.cli import main
from lib.collection import derive
from lib.ledger_page import with_lead
from lib.papers.thom2007 import tables as thom2007
from lib.papers.thom2007.noise import noise
from lib.papers.tomlinson2006.robustness import TREC8_PAIRS, natural
from lib.papers.webber2008.tables import leads
from lib.papers.webber2010.tables import table1
from lib.paths import ROOT
from lib.statistics.random_effects import random_effects
from lib.studies.committed import read
from lib.studies.elsewhere import estimates as of_sources
from lib.studies.elsewhere import numbers
from lib.studies.elsewhere.claims import CLAIMS, claims_of
from lib.studies.elsewhere.estimates import COLUMNS, answers, committed, estimates
from lib.studies.elsewhere.numbers import FEEDBACK, OWN, lead
from lib.studies.elsewhere.summaries import _difference, pooled, sign_of_interval, summary
from lib.studies.sources import sources, yours

SUBMITTED = [source.name for source in sources()]


@pytest.fixture(scope="module")
def found():
    return committed()


def one(found, claim, source, part=""):
    (row,) = found.query("claim == @claim and source == @source and part == @part").itertuples()
    return row


def source_of(name):
    return next(source for source in sources() if source.name == name)


# What is committed


def test_every_claim_is_asked_of_every_source_or_it_says_why_not(found):
    assert list(found) == COLUMNS
    assert not found.duplicated(["claim", "source", "part"]).any()
    whole = found[found["part"] == ""]
    assert set(zip(whole["claim"], whole["source"])) == {
        *((claim, source) for claim in CLAIMS for source in SUBMITTED),
        *((claim.name, own) for claim in claims_of("feedback") for own in OWN),
    }
    assert (found["estimate"].isna() == (found["why"] != "")).all()
    asked = found[found["estimate"].notna()]
    assert (asked["error"] > 0).all() and not asked[["low", "high"]].isna().any(axis=None)


# Long: every claim on a collection; the chapters' numbers on TREC-8 below notice most of it.
@pytest.mark.long
def test_what_is_asked_again_is_what_is_committed(found, capsys):
    again = of_sources.everything(["web2014"])
    expected = found[found["source"] == "web2014"].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, expected, check_exact=False, rtol=0, atol=2e-6)
    points = read("elsewhere", "growth").query("source == 'web2014'").reset_index(drop=True)
    pd.testing.assert_frame_equal(
        of_sources.grown(["web2014"]), points, check_exact=False, atol=2e-6, rtol=0
    )
    assert main(["elsewhere", "--collection", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_feedback_on_later_runs_and_our_own_is_what_is_committed(found):
    for name in ("dl19", "dl21"):
        again = answers(source_of(name), claims_of("feedback"))
        expected = found[(found["source"] == name) & found["claim"].str.startswith("feedback")]
        pd.testing.assert_frame_equal(again, expected.reset_index(drop=True), atol=2e-6)
    own = numbers.own_systems("feedback/cacm", "GS10")
    assert own["difference"] == pytest.approx(
        one(found, "feedback-GS10", "feedback/cacm").estimate, abs=1e-6
    )


# The rows of TREC-8 are the numbers of chapters 1 to 4


def test_chapter_1_has_the_same_leads(found):
    names = {"RBP": "RBP(p=0.95)", "AP": "AP", "nDCG": "nDCG"}
    theirs = leads(load("trec8"), "P@10")
    for ours, name in names.items():
        row = one(found, f"p10-{ours}", "trec8")
        expected = theirs.loc[name, ["lead", "low", "high"]]
        assert [row.estimate, row.low, row.high] == pytest.approx(list(expected), abs=1e-6)


def test_chapter_2_has_the_same_taus(found):
    cells = thom2007.table1(load("trec8")).set_index(["row", "column"])["value"].astype(float)
    across = cells["P@1", "AP"], cells["AP", "RR"]
    row = one(found, "families-three-raw", "trec8")
    assert row.estimate == pytest.approx(cells["P@1", "RR"] - np.mean(across), abs=1e-6)
    free = noise(load("trec8"))["corrected"]
    across = free["P@1", "AP"], free["AP", "RR"]
    row = one(found, "families-three-corrected", "trec8")
    assert row.estimate == pytest.approx(free["P@1", "RR"] - np.mean(across), abs=1e-6)


def test_chapter_3_has_the_same_pairs(found):
    theirs = natural()
    for measure, label in (("AP", "MAP"), ("P@10", "P10"), ("RR", "MRR"), ("GS10", "GS10")):
        for pair, _, _ in TREC8_PAIRS:
            row = one(found, f"feedback-{measure}", "trec8", pair)
            expected = theirs.loc[(pair, label), ["difference", "low", "high"]].astype(float)
            assert [row.estimate, row.low, row.high] == pytest.approx(list(expected), abs=1e-6)
        mean = theirs.xs(label, level="measure")["difference"].astype(float).mean()
        assert one(found, f"feedback-{measure}", "trec8").estimate == pytest.approx(mean, abs=1e-6)


def test_chapter_4_has_the_same_power(found):
    table = table1(load("trec8")).set_index("row")["value"].astype(float)
    row = one(found, "power-AP-P@10", "trec8")
    assert row.estimate == pytest.approx(table["AP@1000"] - table["P@10"], abs=1e-6)


# What the papers print of collections that are not public


def test_printed_numbers_are_differences_of_printed_numbers():
    known = {name: claim.printed for name, claim in CLAIMS.items() if claim.printed is not None}
    assert known == {
        **dict.fromkeys(("p10-RBP", "p10-AP", "p10-nDCG"), 0.0),  # .64 and .64
        "rr-P@10": 0.12,
        "rr-RBP": 0.12,
        "rr-AP": 0.11,
        "rr-nDCG": 0.11,
        "families-three-raw": 0.497,  # .865 less the mean of .386 and .350
        "power-AP-P@10": 0.193,  # .748 less .555
        "feedback-AP": 0.027,
        "feedback-P@10": 0.017,
        "feedback-RR": -0.027,
        "feedback-GS10": -0.032,
    }


# Sets of topics


@given(st.integers(1, 120), st.integers(2, 50))
def test_sets_are_of_the_right_size_and_share_no_topic_within_a_parting(topics, most):
    sets = numbers.topic_sets(topics, most=most)
    if topics <= most:
        assert [list(chosen) for chosen in sets] == [list(range(topics))]
        return
    room = topics // most
    assert {len(chosen) for chosen in sets} == {most}
    for start in range(0, len(sets), room):
        together = np.concatenate(sets[start : start + room])
        assert len(set(together)) == len(together) == room * most


def test_a_mean_of_sets_has_the_error_of_all_topics():
    """The sets have 50 topics each, the mean over them has seen all 200."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"A": rng.normal(size=200)})
    found = numbers.alike({"P": table}, lambda tables: tables["P"].mean())
    assert found.estimate == pytest.approx(table["A"].mean())
    expected = table["A"].std(ddof=1) / np.sqrt(200)
    assert found.error == pytest.approx(expected, rel=0.03)


# The numbers behind the claims, by hand


def toy(values):
    """A source of four topics and three systems, by P@1, RR, AP and R-precision."""
    frame = {label: pd.DataFrame(rows, columns=list("ABC")) for label, rows in values.items()}
    return type("Toy", (), {"scores": frame, "topics": 4, "systems": 3})()


def test_families_by_hand():
    # P@1 and RR rank A, B, C; AP and Rprec C, B, A: tau 1 within, -1 across.
    up, down = [[0.9, 0.5, 0.1]] * 4, [[0.1, 0.5, 0.9]] * 4
    source = toy({"P@1": up, "RR": up, "AP": down, "Rprec": down})
    for labels in (numbers.THREE, numbers.FOUR):
        assert numbers.family_gap(source, labels).estimate == pytest.approx(2)


def test_power_by_hand():
    # One measure tells all three pairs apart, the other only C from the rest.
    clear = [[0.9, 0.5, 0.1], [0.8, 0.5, 0.1], [0.9, 0.4, 0.1], [0.9, 0.5, 0.2]]
    dull = [[0.5, 0.6, 0.1], [0.6, 0.5, 0.1], [0.5, 0.6, 0.2], [0.6, 0.5, 0.1]]
    source = toy({"AP": clear, "P@10": dull})
    assert numbers.gain(source, "AP", "P@10").estimate == pytest.approx(1 / 3)


# Summaries


def test_only_sources_that_share_no_topics_are_summed_up(found):
    own = found[found["source"] == "trec5"].assign(source="yours")
    more = pd.concat([found, own], ignore_index=True)
    for claim in CLAIMS:
        names = list(pooled(more, claim)["source"])
        assert "robust04" not in names and "yours" not in names
        assert len(set(names)) == len(names) and set(names) <= set(SUBMITTED)
    assert list(pooled(found, "feedback-AP")["source"]) == ["trec8", "dl19", "dl21"]
    assert set(pooled(found, "feedback-AP", "our own systems")["source"]) == set(OWN)


def test_two_intervals_are_set_beside_each_other_as_welch_does():
    rng = np.random.default_rng(4)
    one, other = rng.normal(size=7), rng.normal(1, 2, size=5)
    # With equal errors above all scatter a summary is the plain mean; here without errors to speak
    # of, its Hartung-Knapp error is that of a mean.
    parts = [random_effects(values, np.full(len(values), 1e-6)) for values in (one, other)]
    _, gap, low, high, _ = _difference(*parts)
    theirs = stats.ttest_ind(one, other, equal_var=False).confidence_interval()
    assert (gap, low, high) == pytest.approx((one.mean() - other.mean(), *theirs), rel=1e-5)


# What the text of the chapter rests on, besides its numbers

SIGNS = {
    "p10-AP": "below 0",
    "p10-nDCG": "inconclusive",
    "p10-nDCG@20": "inconclusive",
    "rr-AP": "below 0",
    "rr-nDCG": "inconclusive",
    "rr-nDCG@20": "inconclusive",
    "rr-P@10": "inconclusive",
    "depth-P@10-AP": "above 0",
    "depth-RR-AP": "above 0",
    "families-three-corrected": "above 0",
    "power-AP-P@10": "above 0",
    "power-nDCG@20-P@10": "above 0",
    **{f"feedback-{measure}": "inconclusive" for measure in FEEDBACK},
}


@pytest.mark.parametrize("claim", SIGNS)
def test_the_sign_of_a_summary_is_what_the_text_says(claim, found):
    said = summary(found, claim)
    assert sign_of_interval(said.low, said.high) == SIGNS[claim]


# A collection of one's own


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    home = tmp_path_factory.mktemp("mine")
    write_collection(home)
    return derive(home / "runs", home / "qrels", name="mine")


def test_a_collection_of_ones_own_is_one_more_row_of_everything(mine, found):
    more = estimates(mine)
    own = more[more["source"] == "yours"]
    assert set(own["claim"]) == set(CLAIMS) and set(own["title"]) == {"mine (yours)"}
    asked = own[~own["claim"].str.startswith("feedback")]
    assert (asked["why"] == "").all() and (asked["topics"] <= 21).all()
    pd.testing.assert_frame_equal(more.iloc[: len(found)], found)
    source = yours(mine)
    assert one(more, "p10-AP", "yours").estimate == pytest.approx(
        float(lead(source, "AP", "P@10").estimate), abs=1e-6
    )
    assert of_sources.growth_curve(source, [5, 10])["topics"].tolist() == [5, 10]


@pytest.mark.parametrize("name", ["README.md", "book/intro.md"])
def test_readme_and_landing_page_lead_with_what_came_out(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert with_lead(text) == text, "run python -m lib ledger --write"
