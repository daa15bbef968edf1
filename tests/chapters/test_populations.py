"""What collections say together: two populations, all paths, and what is drawn and said of them."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from way_of_a_claim import now_and_then

from chapters.data_tables import claims_everywhere
from chapters.elsewhere import drawings, summaries, tables
from chapters.elsewhere.claims import BY_AP, CLAIM_OF, PRIMARY
from chapters.elsewhere.engine import leading
from chapters.elsewhere.summaries import OTHERS, THESE, adjusted, curve, others, pooled, these
from chapters.ledger import registry
from chapters.ledger.claims import MEMBERS, SETS
from chapters.ledger.page import with_lead
from lib.decisions import HINT, above, below, decide
from lib.intervals import Interval
from lib.paths import ROOT
from lib.statistics.multiplicity import holm


@pytest.fixture(scope="module")
def found():
    return claims_everywhere()


@pytest.fixture(scope="module")
def judged():
    return summaries.verdicts()


@pytest.mark.frozen("claims")
def test_answers_on_all_collections_are_those_that_the_registry_keeps():
    pd.testing.assert_frame_equal(*now_and_then("elsewhere"), rtol=0, atol=2e-6)


def test_only_sources_that_share_no_topics_are_summed_up(found):
    own = leading(found).query("source == 'trec5'").assign(source="yours")
    more = pd.concat([found, own], ignore_index=True)
    for claim in CLAIM_OF:
        names = list(pooled(more, claim)["source"])
        assert not {"robust04", "yours"} & set(names) and len(set(names)) == len(names)
    assert list(pooled(found, "feedback-AP")["source"]) == ["trec8", "dl19", "dl21"]


def test_the_mean_of_these_collections_by_hand(found):
    rows = pooled(found, "p10-AP")
    mean, squares = these(rows), rows["error"] ** 2
    assert len(rows) == 13 and mean.estimate == pytest.approx(rows["estimate"].sum() / 13)
    assert mean.error == pytest.approx(squares.sum() ** 0.5 / 13)
    freedom = squares.sum() ** 2 / (squares**2 / rows["freedom"]).sum()
    reach = stats.t.ppf(0.975, freedom) * squares.sum() ** 0.5 / 13
    assert mean.high == pytest.approx(mean.estimate + reach)
    # As an independent computation has it, with errors from other splits.
    assert (mean.estimate, mean.low, mean.high) == pytest.approx((-0.067, -0.094, -0.040), abs=2e-3)


def test_other_kinds_have_the_floor_that_a_plain_mean_of_four_has_not(found):
    """A referee's numbers, from the estimates of then: [-.008, +.015], one-sided p .0037.

    Student's t over the four means alone gave [-.000, +.007]: their scatter happens to be small.
    """
    means = summaries.means_of_kinds(pooled(found, "p10-nDCG@20"))
    mean = others(pooled(found, "p10-nDCG@20"))
    assert list(means.index) == ["news", "Web", "MS MARCO", "COVID"] and mean.number == 4
    assert (mean.low, mean.high) == pytest.approx((-0.008, 0.015), abs=1e-3)
    assert mean.exceeds(-0.02) == pytest.approx(0.0037, abs=5e-4)
    plain = stats.ttest_1samp(means["estimate"], 0).confidence_interval()
    assert mean.high - mean.low > 2 * (plain.high - plain.low)


def test_a_claim_with_three_kinds_says_nothing_of_other_kinds(found, judged):
    assert others(pooled(found, "p10-RBP")) is None
    assert ("p10-RBP", OTHERS) not in judged.index and ("p10-RBP", THESE) in judged.index


# What is decided: made-up numbers of the primary claims, on two collections


def made_up(**numbers):
    """Return the primary claims' rows: all clearly as their papers say, but for what is given.

    A name is that of a claim's section; a number is a mean, or a list of one a path.
    """
    parts = []
    for claim in map(CLAIM_OF.get, PRIMARY):
        means = np.atleast_1d(numbers.get(claim.section, _clear(claim)[0]))
        part = pd.DataFrame({"claim": claim.name, "path": range(len(means)), "estimate": means})
        parts += [part.assign(source=source) for source in ("trec5", "trec8")]
    rows = pd.concat(parts, ignore_index=True).assign(part="", error=0.01, freedom=49)
    ends = Interval.of(rows["estimate"], rows["error"], rows["freedom"])
    return rows.assign(low=ends.low, high=ends.high, both=np.nan, freedom_both=np.nan)


def _clear(claim):
    """Return a number that supports a claim at an error of .01, and one that contradicts it."""
    most, least = claim.bound.most, claim.bound.least
    return (least + 0.2, -0.2) if np.isinf(most) else (most - 0.2, most + 0.2)


def decided(found, name="power-P@100-P@10"):
    """Return what made-up numbers decide of a primary claim, and its greatest p value."""
    p = adjusted(found, name).max()
    return decide(these(pooled(found, name)), CLAIM_OF[name].bound, p), p


def test_what_every_path_decides_alike_is_a_finding_and_holm_counts_five():
    everything = made_up()
    words = {str(decided(everything, name)[0]) for name in PRIMARY}
    assert len(PRIMARY) == 5 and words == {"supported (finding)"}
    # A p value of .02 survives only alone.
    mean = stats.t.isf(0.01, 98) * 0.01 * (1 + summaries.NOISE) / np.sqrt(2)
    one, p = decided(made_up(power=mean))
    assert p == pytest.approx(0.02) and one.word == "finding"  # the largest of five
    crowded = made_up(power=mean, feedback=-mean, p10=-0.02 + mean)
    one, p = decided(crowded)
    assert p == pytest.approx(0.06) and one.word == HINT


def test_the_worst_path_decides_and_one_that_turns_is_no_support():
    clear, faint = 0.2, 0.012
    assert decided(made_up(power=[clear, clear]))[0].word == "finding"
    for other in (faint, 0.0, -clear):
        found = made_up(power=[clear, other])
        p = adjusted(found, "power-P@100-P@10")
        assert str(decided(found)[0]) == "supported (hint)"
        assert p.max() == p[1] > 0.01
        assert p[0] < 1e-6
    assert p[1] == 1  # it contradicts, beyond question


def test_a_reversed_number_reverses_the_side_and_keeps_the_word():
    for claim in map(CLAIM_OF.get, PRIMARY):
        _, reversed_ = _clear(claim)
        one, _ = decided(made_up(**{claim.section: reversed_}), claim.name)
        assert str(one) == "contradicted (finding)"


def test_no_word_but_for_these_collections_is_more_than_a_hint(judged, found):
    finding = judged.index[judged["word"] == "finding"]
    assert set(finding.get_level_values("claim")) <= set(PRIMARY)
    assert "finding" not in set(judged.xs(OTHERS, level="population")["word"])
    for name in PRIMARY:
        p = curve(found, name)["adjusted"]
        row = judged.loc[(name, THESE)]
        assert row["adjusted"] == pytest.approx(p.max(), abs=1e-6) and p.notna().all()
        assert (row["word"] == "finding") == (p.max() < 0.05)
    p = [_with_noise(these(pooled(found, name)), CLAIM_OF[name].bound) for name in PRIMARY]
    first = [adjusted(found, name)[0] for name in PRIMARY]
    assert first == pytest.approx(list(holm(p)))


def _with_noise(mean, bound):
    return bound.p_value(
        Interval.of(mean.estimate, mean.error * (1 + summaries.NOISE), mean.freedom)
    )


def test_the_registered_bounds_are_those_of_the_claims():
    """Margins and directions as in the list that was fixed before the new collections were met."""
    bounds = {name: CLAIM_OF[name].bound for name in PRIMARY}
    assert bounds == {
        "p10-AP": summaries.Bound(-0.02),
        "rr-AP": summaries.Bound(-0.02),
        "apart-RR-AP": below(0.9),
        "power-P@100-P@10": above(0),
        "feedback-GS10": below(0),
    }
    for name in ("depth-P@10-AP", "depth-RR-nDCG"):
        _, other, target = CLAIM_OF[name].labels
        assert name == f"depth-{target}-{other}"


def test_deep_and_shallow_pools_beside_each_other_by_hand(found):
    table = summaries.moderated(found, "p10-AP")
    rows = pooled(found, "p10-AP")
    deep = rows["source"].isin(["trec5", "trec6", "trec7", "trec8", "robust04-new"])
    gap = rows[~deep]["estimate"].mean() - rows[deep]["estimate"].mean()
    squares = rows["error"] ** 2 / np.where(deep, 5, 8) ** 2
    last = table.iloc[-1]
    assert last["mean"] == pytest.approx(gap) and last["collections"] == 13
    assert last["high"] - last["mean"] == pytest.approx(2 * squares.sum() ** 0.5, rel=0.03)


IN_PRINT = {  # of a claim: on which collection its paper prints the number, and the number
    "p10-RBP": ("Terabyte 2004", 0.64 - 0.64),
    "rr-P@10": ("Terabyte 2004", 0.48 - 0.36),
    "families-three-raw": ("Terabyte 2006", 0.865 - (0.386 + 0.350) / 2),
    "power-AP-P@10": ("Terabyte 2005", 0.748 - 0.555),
    "feedback-GS10": ("RIA 2003", -0.032),
}


@pytest.mark.parametrize("claim", IN_PRINT)
def test_a_forest_has_what_is_in_print(claim, found):
    where, number = IN_PRINT[claim]
    rows = drawings.numbers(found, CLAIM_OF[claim])
    assert rows.loc[("in no mean", f"{where}, in print"), "estimate"] == pytest.approx(number)
    paper = claim.startswith(("p10", "rr", "power"))  # theirs was TREC-8
    assert (("news", "TREC-8 (the paper's)") in rows.index) == paper


def test_a_panel_shows_the_path_that_its_menus_name(found):
    curves = {"p10-AP": curve(found, "p10-AP")}
    shown = drawings.specification(curves, "p10-AP", kept=BY_AP, size="10", variant="tau-a")
    chosen = {"systems": BY_AP, "topics in a set": "10", "Kendall's tau": "tau-a"}
    table = curves["p10-AP"]
    row = table[(table[list(chosen)] == list(chosen.values())).all(axis=1)].iloc[0]
    assert drawings.between(row["mean"], row["low"], row["high"]) in shown.caption
    assert "best 75% by AP, topics in a set 10, tau-a" in shown.caption
    for choice in CLAIM_OF["p10-AP"].choices:  # all values; but what is made otherwise once alone
        for place, label in enumerate(choice.values):
            line = drawings.value_named(choice.name, label)
            line = line if choice.crossed else f"{choice.name}: {label}"
            assert (f">{line}<" in shown.svg) == (choice.crossed or place > 0)


def test_where_tau2_is_0_the_forest_draws_the_upper_end_of_the_q_profile(found):
    paths = curve(found, "p10-nDCG@20")
    path = paths.index[paths["systems"] == BY_AP][0]
    one = summaries.summary(found, "p10-nDCG@20", path=path)
    assert one.tau2 == 0 < one.tau2_high
    row = drawings.numbers(found, CLAIM_OF["p10-nDCG@20"], path=path).loc[("means", THESE)]
    drawn = row["wider low"], row["wider high"]
    assert drawn == (one.widest_low, one.widest_high)
    assert drawn[0] < one.prediction_low and drawn[1] > one.prediction_high


def test_the_lead_says_each_word_of_its_population_and_nothing_else():
    text, words = tables.what_came_out(), registry.known_words()
    parts = re.split("^(?:On up to|For other kinds)", text, flags=re.MULTILINE)
    new = [SETS[name] for name in MEMBERS]
    for of, part in zip((new, [THESE], [OTHERS]), parts, strict=True):
        rows = words[words.index.isin(of, level="population")].droplevel("population")
        shown = [n for n in rows.index if n in tables.SHOWN or of == new]
        for row in rows.loc[shown].itertuples():
            (line,) = (line for line in part.splitlines() if f"*{row.says}*" in line)
            head = row.word if row.word == row.side else f"{row.word}, {row.side}"
            assert line.startswith(f"- **{head}**:")
        assert len(re.findall(r"(?<!\*)\*[^*]+\*(?!\*)", part)) == len(shown)
    assert "news, Web, MS MARCO, COVID" in text
    words = "without the luck of topics*, 25 topics a set\u2020, on Blog 2008 and DL 2020, with"
    assert words in parts[0]
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_lead(page) == page, "run python -m lib ledger --write"


def test_as_well_as_on_both_sides_is_said_where_the_whole_interval_says_so():
    for _, row in registry.known_words().iterrows():
        if row["level"] == "yes":
            assert -0.02 < row["low"] and row["high"] < 0.02
    assert "lies within" in tables.what_came_out()
