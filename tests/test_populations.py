"""What collections say together: two populations, all paths, and what is drawn and said of them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.ledger_page import with_lead
from lib.paths import ROOT
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import random_effects
from lib.studies.multiverse import drawings, tables
from lib.studies.multiverse.claims import BY_AP, CLAIMS, SECTIONS
from lib.studies.multiverse.engine import committed, leading
from lib.studies.multiverse.summaries import (
    OTHERS,
    THESE,
    _difference,
    curve,
    over_families,
    pooled,
    summary,
    verdicts,
)


@pytest.fixture(scope="module")
def found():
    return committed()


@pytest.fixture(scope="module")
def judged(found):
    return verdicts(found)


def test_only_sources_that_share_no_topics_are_summed_up(found):
    own = leading(found).query("source == 'trec5'").assign(source="yours")
    more = pd.concat([found, own], ignore_index=True)
    for claim in CLAIMS:
        names = list(pooled(more, claim)["source"])
        assert not {"robust04", "yours"} & set(names) and len(set(names)) == len(names)
    assert list(pooled(found, "feedback-AP")["source"]) == ["trec8", "dl19", "dl21"]


# By an independent computation: random-effects means of news, Web, MS MARCO and COVID, their plain
# mean and its t interval with three degrees of freedom.  It weighed by errors from other splits,
# which moves the ends by less than .001.
@pytest.mark.parametrize(
    ("claim", "low", "high", "systems"),
    [
        ("p10-AP", -0.181, 0.004, BY_AP),
        ("rr-AP", -0.323, 0.153, BY_AP),
        ("p10-nDCG@20", -0.006, 0.018, BY_AP),
        ("power-AP-P@10", -0.037, 0.224, "all"),
        ("families-three-corrected", -0.078, 0.611, "all"),
    ],
)
def test_the_four_families_are_those_of_an_independent_computation(
    claim, low, high, systems, found
):
    paths = curve(found, claim)
    path = paths.index[paths["systems"] == systems][0]
    mean = over_families(found, claim, path=path)
    assert (mean.number, mean.low, mean.high) == (
        4,
        pytest.approx(low, abs=0.001),
        pytest.approx(high, abs=0.001),
    )


def test_holm_counts_every_test_of_a_population_once(judged):
    for population in (THESE, OTHERS):
        part = judged.xs(population, level="population")
        whole = holm(pd.concat([part["p"], part["p_margin"].dropna()]))
        ours = pd.concat([part["holm"], part["holm_margin"].dropna()])
        assert ours.to_numpy() == pytest.approx(whole)
    these = judged.xs(THESE, level="population")
    assert list(these.index) == [n for n, c in CLAIMS.items() if not SECTIONS[c.section].pairs]
    decided = these[these["holm"] < 0.05]
    assert (decided["verdict"].str.startswith("above 0") == (decided["low"] > 0)).all()


def test_a_claim_with_three_families_says_nothing_of_other_kinds(found, judged):
    assert over_families(found, "p10-RBP") is None
    assert ("p10-RBP", OTHERS) not in judged.index and ("p10-RBP", THESE) in judged.index


def test_two_intervals_are_set_beside_each_other_as_welch_does():
    rng = np.random.default_rng(4)
    one, other = rng.normal(size=7), rng.normal(1, 2, size=5)
    # Without errors to speak of the Hartung-Knapp error of a summary is that of a plain mean.
    parts = [random_effects(values, np.full(len(values), 1e-6)) for values in (one, other)]
    found = _difference(*parts)
    theirs = stats.ttest_ind(one, other, equal_var=False).confidence_interval()
    expected = one.mean() - other.mean(), *theirs
    assert (found.mean, found.low, found.high) == pytest.approx(expected, rel=1e-5)


def test_a_panel_shows_the_path_that_its_menus_name(found):
    curves = {"p10-AP": curve(found, "p10-AP")}
    shown = drawings.specification(found, curves, "p10-AP", kept=BY_AP, size="10", variant="tau-a")
    chosen = {"systems": BY_AP, "topics in a set": "10", "Kendall's tau": "tau-a"}
    table = curves["p10-AP"]
    row = table[(table[list(chosen)] == list(chosen.values())).all(axis=1)].iloc[0]
    assert drawings.between(row["mean"], row["low"], row["high"]) in shown.caption
    assert "best 75% by AP, topics in a set 10, tau-a" in shown.caption


def test_where_tau2_is_0_the_forest_draws_the_upper_end_of_the_q_profile(found):
    paths = curve(found, "p10-nDCG@20")
    path = paths.index[paths["systems"] == BY_AP][0]
    one = summary(found, "p10-nDCG@20", path=path)
    assert one.tau2 == 0 < one.tau2_high
    row = drawings.numbers(found, CLAIMS["p10-nDCG@20"], path=path).loc["these collections"]
    drawn = row["prediction low"], row["prediction high"]
    assert drawn == (one.widest_low, one.widest_high)
    assert drawn[0] < one.prediction_low and drawn[1] > one.prediction_high


def test_the_lead_says_what_survives_and_nothing_else(found, judged):
    text = tables.lead(found)
    yes, no, others = text.splitlines()
    these = judged.xs(THESE, level="population")["verdict"]
    for name, said in tables.SAID.items():
        assert (said in no) == (these[name] == "inconclusive") == (said not in yes)
    assert "news, Web, MS MARCO, COVID" in others
    for name in ("README.md", "book/intro.md"):
        page = (ROOT / name).read_text(encoding="utf-8")
        assert with_lead(page) == page, "run python -m lib ledger --write"
