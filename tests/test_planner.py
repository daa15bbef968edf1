"""The planner: its curve, its arithmetic of costs, its back-test, its control, its command."""

import re
from runpy import run_path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import load
from lib.cli import main
from lib.collection import derive, load_scores
from lib.errors import InputError
from lib.paths import DATA
from lib.studies.spending.choosing import feeds
from lib.studies.spending.control import panel, pilots
from lib.studies.spending.pilot import (
    NUMBER,
    PILOTS,
    Draws,
    Pilot,
    along,
    cached_pilot,
    curve,
    phi,
    pilot,
    pool_size,
)
from lib.studies.spending.planner import Budget, advise, choices, choose, expected
from lib.studies.spending.tables import BASELINES

MAKE = run_path(str(DATA / "spending" / "make.py"))  # of the back-test
SIZES = [5, 10, 15, 20, 25]
FREE = {"topic": 0, "rank": 0, "systems": None}


def line(a, b, n):
    """Predictive power by the curve 1 / r**2 = a + b / n."""
    return 2 / np.pi * np.arcsin((a + b / n) ** -0.5)


@given(st.floats(1.1, 4), st.floats(0, 60), st.integers(1, 500))
def test_the_curve_is_found_through_its_own_points(a, b, wanted):
    seen = [line(a, b, n) for n in SIZES]
    if min(np.sin(np.pi / 2 * np.array(seen))) > 0.05:
        assert along(curve(SIZES, seen), wanted) == pytest.approx(line(a, b, wanted), abs=1e-6)


@given(st.lists(st.floats(-1, 1), min_size=5, max_size=5), st.integers(1, 500))
def test_more_topics_never_promise_less_nor_more_than_all(seen, wanted):
    found = curve(SIZES, seen)
    now, then = along(found, wanted), along(found, 2 * wanted)
    assert 0 <= now <= then + 1e-12 <= 1 + 1e-9


@given(st.floats(0, 0.99), st.floats(30, 60))
def test_no_curve_promises_what_no_topics_could_show(a, b):
    """Points on a line that would cross r = 1 give the nearest one that does not."""
    seen = [line(a, b, n) for n in SIZES]
    end, slope = curve(SIZES, seen)
    assert end == 1 and slope < b
    assert along((end, slope), 10_000) < 1
    off = [sum((along((1, s), SIZES) - seen) ** 2) for s in (slope, 0.5 * slope, 2 * slope)]
    assert min(off) == off[0]


def test_the_curve_beyond_the_pilot_on_robust_2004():
    """Through 5 to 25 topics it is right within 0.03 up to 200, as the plan says."""
    scores = {name: table.to_numpy() for name, table in load_scores("robust04").items()}
    kept = np.argsort(-scores["AP"].mean(axis=0))[:82]
    values = np.stack([scores["AP"], scores["P@10"]])[..., kept]
    place = np.random.default_rng(3).permuted(np.tile(np.arange(249), (1500, 1)), axis=1)
    seen = {
        size: phi(values, values[0], Draws(place < size, place >= 249 - 25))
        for size in (*SIZES, 50, 100, 200)
    }
    for measure in (0, 1):
        through = [seen[size][measure] for size in SIZES]
        for wanted in (50, 100, 200):
            assert abs(along(curve(SIZES, through), wanted) - seen[wanted][measure]) < 0.03


@given(st.floats(1, 5000), st.integers(1, 100), st.integers(2, 200))
def test_a_pool_of_the_same_systems_has_the_same_size(documents, depth, systems):
    assert pool_size(documents, depth=depth, systems=systems, wanted=systems) == pytest.approx(
        documents
    )


# Long: TREC-8 is derived from its originals; the pool of the same systems notices most of it.
@pytest.mark.long
def test_pools_of_parts_of_trec8_are_as_much_larger_as_is_said(originals):
    qrels = originals / "trec8" / "qrels.trec8.adhoc.txt"
    trec8 = derive(originals / "trec8" / "inputs", qrels, judged=True).select(
        topics=[str(topic) for topic in range(401, 451, 5)]
    )
    given = feeds(trec8, trec8.systems.index, depth=50)
    rng = np.random.default_rng(1)
    for wanted, low, high in ((40, 1.05, 1.22), (5, 1.1, 1.35)):
        parts = [rng.permutation(129)[:wanted] for _ in range(8)]
        for depth in (1, 5, 10, 50):
            every = np.mean([feed.size(depth) for feed in given])
            sizes = [
                len(np.setdiff1d(feed.lists[part, :depth], [-1]))
                for feed in given
                for part in parts
            ]
            ours = pool_size(every, depth=depth, systems=129, wanted=wanted)
            assert low < np.mean(sizes) / ours < high


@pytest.fixture(scope="module")
def trec8():
    return pilot(load("trec8"), depths=[2, 5, 10])


@given(
    st.floats(1200, 50_000),  # what three topics cost at most, and more
    st.floats(0, 300),
    st.integers(10, 129),
    st.one_of(st.none(), st.integers(3, 60)),
)
def test_no_plan_costs_more_than_there_is(trec8, judgements, price, systems, most):
    budget = Budget(judgements=judgements, topic=price, systems=systems, most=most)
    told = trec8.one(0).told(number=4)
    found = choices(told, budget)
    for _, row in found.iterrows():
        cost = pool_size(trec8.pools[row["depth"]], depth=2, systems=129, wanted=systems) + price
        assert row["topics"] * cost <= judgements * (1 + 1e-6)
        assert row["topics"] == most or (row["topics"] + 1) * cost > judgements * (1 - 1e-6)


def test_the_best_comes_first_and_every_setting_is_asked(trec8):
    told = trec8.told(number=10)
    found = choices(told, Budget(judgements=5000))
    assert len(found) == 9
    assert found["phi"].is_monotonic_decreasing
    assert choose(told, Budget(judgements=5000)).equals(found.iloc[0])
    # Within the pilot the curve goes near what is seen there.
    draws = trec8.draws([25], number=40, seed=1)[25]
    seen = phi(trec8.scores, trec8.target, draws)
    assert trec8.told().promise([25] * 9) == pytest.approx(seen, abs=0.02)


def test_reading_every_rank_of_every_list_pays_for_fewer_topics(trec8):
    told = trec8.told(number=4)
    plain = choices(told, Budget(judgements=20_000)).set_index("setting")
    read = choices(told, Budget(judgements=20_000, rank=0.5)).set_index("setting")
    for setting, row in read.iterrows():
        price = trec8.pools[row["depth"]] + 0.5 * 129 * row["depth"]
        assert row["topics"] == int(20_000 / price) < plain.loc[setting, "topics"]


@pytest.mark.parametrize(
    "budget, message",
    [
        (Budget(judgements=0), "judgements: must be a number above 0"),
        (Budget(judgements=float("nan")), "judgements: must be a number above 0"),
        (Budget(judgements=9, topic=-1), "topic cost: must be 0 or more"),
        (Budget(judgements=9, rank=float("inf")), "rank cost: must be 0 or more"),
        (Budget(judgements=9, systems=1), "systems: must be 2 or more"),
        (Budget(judgements=9), "judgements: 9 do not pay 3 topics; 206 are needed"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(trec8, budget, message):
    with pytest.raises(InputError, match=message):
        choices(trec8.told(number=4), budget)


def test_a_pilot_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="a pilot needs ten topics and three systems or more"):
        pilot(load("trec8").select(topics=["401", "402"]))


def test_the_interval_is_as_wide_as_it_is_told(trec8):
    told = trec8.told(number=20)
    one, two = (expected(told, 3, 20, wider=wider) for wider in (1.0, 1.5))
    assert one.low < one.estimate < one.high
    assert (two.high - two.low) / (one.high - one.low) == pytest.approx(1.5)


def test_a_try_plans_from_one_half_and_sees_the_other(trec8):
    halves = np.arange(50).reshape(2, 25)
    found = MAKE["one_try"](trec8, halves, [(1.0, 0.0), (0.25, 100.0)], number=10)
    assert (found["topics"] <= 12).all()
    # With the whole price of depth 10, its two baselines are on all 12 topics.
    theirs = trec8.some(halves[1])
    at = trec8.setting(10, "AP")
    draws = theirs.draws([12], number=10, seed=2)[12]
    seen = phi(theirs.scores[[at]], theirs.target, draws)[0]
    assert found.loc[0, "AP of depth 10"] == pytest.approx(seen)
    # What the other half says is not what the plan was made from: its scores may be anything.
    noise = np.random.default_rng(1).random(trec8.scores.shape)
    spoilt = trec8.scores.copy()
    spoilt[:, halves[1]] = noise[:, halves[1]]
    other = Pilot(**{**vars(trec8), "scores": spoilt})
    again = MAKE["one_try"](other, halves, [(1.0, 0.0)], number=10)
    assert again.loc[0, "promised"] == found.loc[0, "promised"]
    assert again.loc[0, "seen"] < found.loc[0, "seen"]


def test_the_back_test_is_summed_up_by_hand(trec8):
    tried = MAKE["back_test"](trec8, tries=3, shares=(0.5,), prices=(0.0,), number=10)
    row = MAKE["summary"](tried).iloc[0]
    held = [low <= seen <= high for low, high, seen in tried[["low", "high", "seen"]].to_numpy()]
    assert row["coverage"] == pytest.approx(np.mean(held))
    for name in BASELINES:
        assert row[name] == pytest.approx((tried["seen"] - tried[name]).mean())


def test_the_advice_names_the_baselines_and_its_limits(trec8):
    made = advise(trec8.told(number=10), Budget(judgements=20_000, systems=40))
    kinds = made.others[["depth", "measure"]].to_records(index=False).tolist()
    assert {(10, "P@10"), (10, "AP")} <= {*kinds, tuple(made.plan[["depth", "measure"]])}
    said = " ".join(made.uncertain)
    assert "read off a curve" in said and "up to a third too low" in said
    assert "One that comes later" in said


# What is kept of pilots, and the control


@pytest.mark.parametrize(
    "name", ["dl19", *(pytest.param(name, marks=pytest.mark.long) for name in PILOTS[:3])]
)
def test_a_pilot_tells_its_kept_curves_again(name):
    """Long for the larger collections; DL 2019 notices most of it."""
    fresh, old = pilot(load(name), depths=[2, 10]).told(number=NUMBER), cached_pilot(name)
    for at, (depth, measure) in enumerate(fresh.pilot.settings.itertuples(index=False)):
        kept = old.pilot.setting(depth, measure)
        assert fresh.curves[at] == pytest.approx(old.curves[kept], abs=1e-5)
        for topics in (5, 26, 400):
            now, then = fresh.interval(at, topics), old.interval(kept, topics)
            assert [float(now.estimate), now.low, now.high] == pytest.approx(
                [float(then.estimate), then.low, then.high], abs=1e-4
            )


@pytest.mark.parametrize("name", PILOTS)
def test_what_is_kept_of_a_collection_is_its_own(name):
    collection, told = load(name), cached_pilot(name)
    assert (told.pilot.topics, told.pilot.systems) == collection.retrieved.shape
    assert told.pilot.title == collection.title
    sizes = collection.pools.groupby("depth")["all"].mean()
    assert told.pilot.pools.to_dict() == pytest.approx(sizes[told.pilot.pools.index].to_dict())
    assert told.pilot.pooled == name.startswith("trec") - (name == "trec-covid")


@pytest.mark.parametrize(
    "name, judgements, topic",
    [("trec8", 1000, 0), ("trec5", 5000, 100), ("trec-covid", 20_000, 0), ("dl21", 5000, 0)],
)
def test_the_control_says_what_the_command_says(name, judgements, topic):
    told = cached_pilot(name)
    made = advise(told, Budget(judgements=judgements, topic=topic))
    text = panel(pilots(), name, judgements, **FREE | {"topic": topic}).caption
    plan, said = made.plan, made.promised
    assert f"judge {plan['topics']:,} topics from pools of depth {plan['depth']}" in text
    assert f"the systems by {plan['measure']}." in text
    assert f"{said.estimate:.2f}, 95% interval {said.low:.2f} to {said.high:.2f}" in text
    others = made.others.query("depth == 10 and measure in ['AP', 'P@10']")
    beside = [f"{row.measure} {row.phi:.2f} ({row.topics:,} topics)" for row in others.itertuples()]
    assert all(one in text.partition("At no more cost")[2] for one in beside)
    assert text.count(" topics)") == len(beside)  # a plan that is a baseline is not its own rival
    assert (plan["topics"] > told.pilot.topics // 2) == ("off a curve" in text)


def test_the_marks_and_numbers_of_a_panel_are_those_of_the_choices():
    every = choices(cached_pilot("trec8"), Budget(judgements=5000))
    shown = panel(pilots(), "trec8", 5000, **FREE)
    titles = re.findall("<title>(.*?)</title>", shown.svg)
    for row in every.itertuples():
        said = f"{row.measure}: depth of the pool {row.depth}, expected predictive power"
        assert any(t.startswith(f"{said} {row.phi:.3f}, {row.topics:,} topics") for t in titles)
    assert sum(title.startswith("the plan") for title in titles) == 1
    row = every[(every["depth"] == 10) & (every["measure"] == "P@10")].iloc[0]
    ends = expected(cached_pilot("trec8"), int(row["setting"]), int(row["topics"]))
    text = shown.data.to_html()
    assert f"<td>{row['phi']:.2f}</td><td>{ends.low:.2f}</td><td>{ends.high:.2f}</td>" in text


def test_a_pilot_of_ones_own_is_asked_too():
    own = pilot(load("dl21"), depths=[1, 5]).told(number=5)
    shown = panel({"mine": own}, "mine", 2000, **FREE)
    assert shown.caption.startswith("DL 2021: judge ") and "depth 10" not in shown.caption


def test_the_command_prints_a_plan(capsys):
    assert main(["plan", "--judgements", "1500", "--topics", "20"]) == 0
    text = capsys.readouterr().out
    assert "Judge " in text and "Expected predictive power" in text
    assert "Robust" not in text


@pytest.mark.parametrize(
    "words, message",
    [
        (["plan", "--judgements", "3"], "do not pay 3 topics"),
        (["plan", "--judgements", "300", "--collection", "nowhere"], "no collection there"),
    ],
)
def test_a_mistake_is_one_line(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err
