"""Claims on new collections: their numbers, the rule, and the registered page."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel
from strange import estimates

from chapters.elsewhere import confirmation, confirmed
from chapters.elsewhere.confirmation import CONFIRMED, FIRST, SUBMITTED, decided_claims
from chapters.elsewhere.sources import Source
from lib.paths import DATA, ROOT

HASHES = {
    "registration": "9c9700d89838261e91efc1d3c07d51c3252e4b79dc932db4fb7c6ccb716463b0",
    "registration-law": "0c3ec78ebd631791519b7e5f271ba03e978886c13a2c3257aabe4bf2e718f193",
    "registration-people": "739b4af5c9df45c8e0f7a8de4af909f0c5ff8deb66234acda6fa7efdd466be18",
}


def test_rbp_in_steps_is_rbp_where_steps_are_whole():
    found = np.zeros((1, 1, 1000))
    found[..., 5:10] = 1
    hits = {
        f"P@{k}": pd.DataFrame(found[..., :k].mean(axis=2)) for k in confirmation.PRECISION_DEPTHS
    }
    assert np.allclose(confirmation.in_steps(hits), 0.9**5 - 0.9**10)


def test_a_pair_counts_where_both_of_its_runs_are():
    pairs = confirmation.NEW_COLLECTIONS["T"].pairs
    gone = pairs[0][1]
    runs = {run for pair in pairs for run in pair[1:]} - {gone}
    source = Source("T", "T", None, {"AP": pd.DataFrame(columns=sorted(runs))})
    left = [pair for pair in pairs if gone not in pair]
    assert confirmation.pairs_in(source) == left != []


def rows(**given):
    """Return made-up estimates: a number for all collections, or one for each."""
    table = estimates(given, {claim: CONFIRMED[claim].on for claim in given}, error=0.01)
    return pd.concat([table.assign(path=path) for path in (FIRST, SUBMITTED)], ignore_index=True)


CLEAR = {"P1": 0.1, "P2": -0.1, "P3": 0.5, "P4": 0.1, "P5": -0.1, "O1": 0.1, "O2": 0.1}


def test_what_is_clear_is_a_finding():
    words = {claim: str(one) for claim, one in decided_claims(rows(**CLEAR)).items()}
    assert words.pop("P2") == "contradicted (finding)"
    assert set(words.values()) == {"supported (finding)"}


def test_holm_counts_the_papers_claims_alone():
    # p is near .03: it decides as the least clear of five, and not as one of two that are alike.
    near = 2.2 * 0.01 / np.sqrt(3)
    assert str(decided_claims(rows(**CLEAR | {"P4": near}))["P4"]) == "supported (finding)"
    both = decided_claims(rows(**CLEAR | {"P4": near, "P5": -near}))
    assert str(both["P4"]) == str(both["P5"]) == "supported (hint)"
    ours = decided_claims(rows(**CLEAR | {"P4": near, "O2": near}))
    assert str(ours["P4"]) == str(ours["O2"]) == "supported (finding)"


def test_the_second_of_ours_waits_for_the_first():
    assert str(decided_claims(rows(**CLEAR | {"O1": -0.03}))["O2"]) == "supported (hint)"


def test_collections_on_opposite_sides_leave_a_claim_open():
    found = rows(**CLEAR | {"P4": [0.2, 0.2, -0.1]})
    assert decided_claims(found)["P4"].holds is None
    assert confirmation.opposite(found, "P4") == ["T", "B", "D"]


def test_ap_for_p10_must_hold_with_all_runs_as_submitted():
    found = rows(**CLEAR)
    moved = (found["claim"] == "P1") & (found["path"] == SUBMITTED)
    found.loc[moved, ["estimate", "low", "high"]] -= 0.13
    assert str(decided_claims(found)["P1"]) == "supported (hint)"


@pytest.mark.parametrize("page", HASHES)
def test_a_page_was_not_changed_after_it_was_registered(page):
    assert confirmed.page_hash(page) == HASHES[page]


def test_the_registered_page_says_what_the_code_asks():
    text = (ROOT / "book" / "registration.md").read_text(encoding="utf-8")
    row = r"^\| (\w\d)(†?) \|.*\| (above|below) (\S+) \| ([TBD, ]+) \|$"
    said = {name: rest for name, *rest in re.findall(row, text, re.M)}
    assert set(said) == set(CONFIRMED)
    for name, (dagger, side, number, on) in said.items():
        ends = {"above": CONFIRMED[name].bound.least, "below": CONFIRMED[name].bound.most}
        assert float(number.replace("−", "-")) == ends[side]
        assert on.replace(", ", "") == CONFIRMED[name].on
        assert CONFIRMED[name].row.blind == (not dagger)
        assert CONFIRMED[name].row.topics == (25 if CONFIRMED[name].drawn else None)


@pytest.mark.parametrize("name", confirmation.NEW_COLLECTIONS)
def test_the_means_of_a_new_collection_are_nists_to_the_printed_digit(name):
    printed, scores = confirmation.official(name), confirmation.all_scores(name).scores
    for measure in ("AP", "RR", "P@10"):
        means = scores[measure].mean()[printed.index].round(4)
        np.testing.assert_allclose(means, printed[measure], atol=1e-9)
    assert confirmation.other_runs(name) == confirmation.short_runs(name) == ()


def test_the_gain_is_what_scipys_t_tests_say():
    """On scores by topic that are read without the library; their scale is none of a p value."""
    folder = DATA / "terabyte06-by-topic"
    topics = pd.read_csv(folder / "topics.tsv", sep="\t")["topic"]
    runs = pd.read_csv(folder / "systems.tsv", sep="\t")["run"]
    table = pd.read_parquet(folder / "scores.parquet")
    new = np.flatnonzero(~topics.between(751, 800))
    rng = np.random.default_rng(2026)
    sets = [new[rng.permutation(len(new))[:50]] for _ in range(5)]
    one, two = np.array([*combinations(np.flatnonzero(runs != "humT06xlz"), 2)]).T
    gains = []
    for chosen in sets:
        shares = []
        for measure in ("P@100", "P@10"):
            scores = table[measure].to_numpy().reshape(len(topics), len(runs))[chosen]
            same = (scores[:, one] == scores[:, two]).all(axis=0)
            p = ttest_rel(scores[:, one[~same]], scores[:, two[~same]]).pvalue
            shares.append((p < 0.05).mean())
        gains.append(shares[0] - shares[1])
    known = confirmation.committed_estimates()
    known = known.query("claim == 'P4' and collection == 'T' and path == @FIRST")
    assert np.mean(gains) == pytest.approx(known["estimate"].item(), abs=1e-6)


def test_numbers_are_those_that_the_code_computes_now():
    found = confirmation.estimates(["P5"])
    known = confirmation.committed_estimates()
    own = known.query("claim == 'P5'").reset_index(drop=True)
    pd.testing.assert_frame_equal(found.round(6), own, check_dtype=False)
    (row,) = known.query("claim == 'P4' and path == @FIRST and collection == 'D'").to_numpy()
    assert confirmation._asked("P4", "D", ()) == pytest.approx([*row[3:]], abs=1e-6)


@pytest.mark.parametrize("claim", ["P1", "P2", "P3", "O1", "O2"])
def test_every_path_has_the_numbers_that_the_code_computes_now(claim):
    """Of claims by splits, of one on all collections; not their errors, of many more splits."""
    on, now = CONFIRMED[claim].on if claim == "P1" else "D", {}
    for path, asked in confirmation.paths_of_claim(claim).items():
        for name in on:
            options = confirmation._there(asked, name)
            if (name, options) not in now:
                given = dict(options)
                made = {o: given.pop(o) for o in ("size", "variant") if o in given}
                of = confirmation.source(name, claim, **given)
                number = CONFIRMED[claim].of(of, **made, for_error=0).value
                now[name, options] = of.systems, of.topics, number
            (then,) = (
                confirmation.committed_estimates()
                .query("claim == @claim and path == @path and collection == @name")[
                    ["systems", "topics", "estimate"]
                ]
                .to_numpy()
            )
            assert now[name, options] == pytest.approx((*then,), abs=1e-6), (path, name)
