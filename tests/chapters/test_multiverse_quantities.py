"""The numbers behind the claims of chapter 5: by hand, and by the functions that they rest on."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from chapters.elsewhere import quantities
from chapters.elsewhere.claims import CLAIM_OF, KINDS, TEST
from chapters.elsewhere.engine import ask
from chapters.elsewhere.sources import Source, of_collection, sources
from chapters.ledger.paper import options
from chapters.thom2007.tables import BROAD, EARLY
from lib.measures import complete_scores
from lib.statistics.significance import TESTS, discriminative_power

SOURCES = {source.name: source for source in sources()}


@given(st.integers(1, 120), st.integers(2, 50))
def test_sets_are_of_the_right_size_and_share_no_topic_within_a_parting(topics, most):
    sets = quantities.topic_sets(topics, most)
    if topics <= most:
        assert [list(chosen) for chosen in sets] == [list(range(topics))]
        return
    room = topics // most
    assert {len(chosen) for chosen in sets} == {most}
    for start in range(0, len(sets), room):
        together = np.concatenate(sets[start : start + room])
        assert len(set(together)) == len(together) == room * most


def test_a_mean_over_sets_has_the_error_of_all_topics():
    """The sets have 50 topics each, the mean over them has seen all 200."""
    values = np.random.default_rng(3).normal(size=200)

    def numbers(chosen):
        return np.array(
            [values[chosen].mean(), *(values[np.setdiff1d(chosen, t)].mean() for t in chosen)]
        )

    found = quantities.over_sets(200, 50, numbers).interval()
    assert found.estimate == pytest.approx(values.mean())
    assert found.error == pytest.approx(values.std(ddof=1) / np.sqrt(200), rel=0.03)


def toy(values):
    """A source of four topics and three systems."""
    frame = {label: pd.DataFrame(rows, columns=list("ABC")) for label, rows in values.items()}
    return Source("toy", "toy", None, frame)


def test_families_by_hand():
    # P@1 and RR rank A, B, C; AP and Rprec C, B, A: tau 1 within, -1 across.
    up, down = [[0.9, 0.5, 0.1]] * 4, [[0.1, 0.5, 0.9]] * 4
    source = toy({"P@1": up, "RR": up, "AP": down, "Rprec": down})
    for labels in (quantities.THREE, (*EARLY, *BROAD)):
        assert quantities.family_gap(source, *labels).value == pytest.approx(2)


def test_power_by_hand_and_of_the_systems_that_are_kept():
    # By one measure all three pairs differ significantly, by the other only C from the rest.
    clear = [[0.9, 0.5, 0.1], [0.8, 0.5, 0.1], [0.9, 0.4, 0.1], [0.9, 0.5, 0.2]]
    dull = [[0.5, 0.6, 0.1], [0.6, 0.5, 0.1], [0.5, 0.6, 0.2], [0.6, 0.5, 0.1]]
    source = toy({"AP": clear, "P@10": dull})
    assert quantities.gain(source, "AP", "P@10").value == pytest.approx(1 / 3)
    best = quantities.gain(source, "AP", "P@10", kept=(0.7, "AP"))
    assert best.value == pytest.approx(1)  # of A and B alone


def test_two_measures_without_noise_by_hand():
    """Each of two sets is one topic: of the rankings on them tau is known."""
    rng = np.random.default_rng(7)
    scores = {label: pd.DataFrame(rng.random((2, 9))) for label in ("RR", "AP")}
    source = Source("toy", "toy", None, scores)
    scores["AP"].iloc[1] = scores["AP"].iloc[0] + rng.random(9) / 2
    scores["RR"].iloc[1] = scores["RR"].iloc[0] + rng.random(9) / 2

    def r(one, other):
        rows = [(scores[one].iloc[i], scores[other].iloc[1 - i]) for i in (0, 1)]
        return np.sin(np.pi / 2 * np.mean([kendalltau(*row).statistic for row in rows]))

    expected = r("RR", "AP") / np.sqrt(r("RR", "RR") * r("AP", "AP"))
    found = quantities.early_and_whole(source, for_error=0)
    assert found.value == pytest.approx(2 / np.pi * np.arcsin(min(expected, 1)))
    assert found.topics == ()


def test_a_group_takes_all_its_runs_with_it_and_nothing_else():
    dl19 = SOURCES["dl19"]
    rests, groups = dl19.without_each_group(), dl19.collection.systems["group"]
    assert len(rests) == groups.nunique() == 12
    for group, rest in rests.items():
        assert set(rest.scores["AP"]) == set(groups.index[groups != group])
    claims = [CLAIM_OF["power-P@100-P@10"]]
    (row,) = ask(dl19, claims, leading=True, precise=True).itertuples()
    values = [claims[0].of(rest).value for rest in rests.values()]
    error = np.sqrt(11 / 12 * ((values - np.mean(values)) ** 2).sum())
    assert row.both == pytest.approx(np.hypot(row.error, error), abs=2e-6)
    nameless = dl19.collection.systems.assign(group="")
    assert of_collection(replace(dl19.collection, systems=nameless)).without_each_group() == {}


def test_power_from_p_values_is_discriminative_power():
    scores = SOURCES["dl19"].scores["AP"]
    for test in TEST.values:
        p, same = quantities.p_without(scores.to_numpy(), test)
        assert p.shape == same.shape == (len(scores) + 1, 37 * 36 // 2)
        for sides, identical in ((1, "kept"), (2, "left out")):
            how = {"alpha": 0.05, "sides": sides, "identical": identical}
            ours = quantities.share_significant(p, same, **how)
            for topics, number in ((scores, ours[0]), (scores.iloc[1:], ours[1])):
                draws = {"resamples": quantities.RESAMPLES}
                draws["rng"] = np.random.default_rng(quantities.TEST_SEED)
                more = draws if test == "permutation" else {}
                assert number == discriminative_power(topics, test=test, **how, **more)
    assert set(TEST.values) <= set(TESTS)


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"change"}))  # no pairs of runs are known
def test_a_claim_is_drawn_if_its_quantity_takes_a_number_of_splits(kind):
    claim = next(one for one in CLAIM_OF.values() if one.quantity == kind)
    try:
        takes = claim.of(SOURCES["dl19"], number=4, for_error=0).value is not None
    except TypeError:
        takes = False
    assert claim.drawn == takes


@pytest.mark.parametrize("kind", KINDS)
def test_each_choice_that_a_claim_leaves_open_moves_its_number(kind):
    """On Deep Learning 2019, whose runs are all ad hoc, none a copy, on fewer than 50 topics."""
    claim = [one for one in CLAIM_OF.values() if one.quantity == kind][-1]
    few = {"number": 20, "for_error": 0} if claim.drawn else {}
    first = {choice.name: next(iter(choice.values)) for choice in claim.choices}

    def number(**otherwise):
        how = options(claim.choices, first | otherwise)
        return claim.of(SOURCES["dl19"], **how, **few).value

    leading, idle = number(), {"all columns", "no exact copies", "all", "binary, discount of 2002"}
    for choice in claim.choices:
        for label in {*list(choice.values)[1:]} - idle:
            assert number(**{choice.name: label}) != leading, (choice.name, label)


def test_the_scores_of_a_path_are_those_that_it_names():
    dl19 = SOURCES["dl19"]
    lower = quantities.scored(dl19, rel=1)
    assert lower["AP"].equals(complete_scores(dl19.collection, "AP(rel=1)"))
    assert quantities.scored(SOURCES["trec8"], rel=1) is SOURCES["trec8"].scores
    graded = quantities.scored(dl19, ndcg=quantities.GDEVAL)
    assert graded["AP"] is dl19.scores["AP"]
    hits = dl19.collection.hits
    topic, system = hits.iloc[0][["topic", "system"]]
    own = hits[(hits["topic"] == topic) & (hits["system"] == system) & (hits["rank"] <= 20)]
    relevant = dl19.collection.relevant.query("topic == @topic")["grade"]
    ideal = 2.0 ** np.sort(relevant)[::-1][:20] - 1
    ideal = (ideal / np.log2(np.arange(2, len(ideal) + 2))).sum()
    gained = ((2.0 ** own["grade"] - 1) / np.log2(1 + own["rank"])).sum()
    assert graded["nDCG@20"].iloc[topic, system] == pytest.approx(gained / ideal)
