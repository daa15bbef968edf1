"""The planner: its curve, its arithmetic of costs, its back-test, its control, its command."""

import re
from dataclasses import replace
from runpy import run_path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, norm
from way_of_a_claim import now_and_then

from chapters.spending import again, planner
from chapters.spending.agreement import Draws, fit_curve, limit, on_curve, overlap, phi
from chapters.spending.drawings import panel, pilots
from chapters.spending.pilot import AIMS, PILOT_SPLITS, PILOTS, cached_forecast, pilot, pool_size
from chapters.spending.planner import Budget, behind, better_wins, choices, choose, expected
from lib import load
from lib.collection import Collection, load_scores
from lib.paths import DATA
from lib.statistics.jackknife import grouped

MAKE = run_path(str(DATA / "spending" / "make.py"))  # of the back-test
SIZES = [5, 10, 15, 20, 25]
FREE = {"aim": "AP", "way": "depth", "topic": 0, "rank": 0, "systems": None}


def line(a, b, n):
    """Predictive power by the curve 1 / r**2 = a + b / n."""
    return 2 / np.pi * np.arcsin((a + b / n) ** -0.5)


@pytest.mark.frozen("claims")
def test_answers_on_spending_are_those_that_the_registry_keeps():
    pd.testing.assert_frame_equal(*now_and_then("spending"), rtol=0, atol=2e-6)


@given(st.floats(1.1, 4), st.floats(0, 60), st.integers(1, 500))
def test_the_curve_is_found_through_its_own_points(a, b, wanted):
    seen = [line(a, b, n) for n in SIZES]
    if min(np.sin(np.pi / 2 * np.array(seen))) > 0.05:
        found = on_curve(fit_curve(SIZES, seen), wanted)
        assert found == pytest.approx(line(a, b, wanted), abs=1e-6)


@given(st.lists(st.floats(-1, 1), min_size=5, max_size=5), st.integers(1, 500))
def test_more_topics_never_promise_less_nor_more_than_all(seen, wanted):
    found = fit_curve(SIZES, seen)
    now, then = on_curve(found, wanted), on_curve(found, 2 * wanted)
    assert 0 <= now <= then + 1e-12 <= 1 + 1e-9


@given(st.floats(0, 0.99), st.floats(30, 60))
def test_no_curve_promises_what_no_topics_could_show(a, b):
    """Points on a line that would cross r = 1 give the nearest one that does not."""
    seen = [line(a, b, n) for n in SIZES]
    end, slope = fit_curve(SIZES, seen)
    assert end == 1 and slope < b
    assert on_curve((end, slope), 10_000) < 1
    off = [sum((on_curve((1, s), SIZES) - seen) ** 2) for s in (slope, 0.5 * slope, 2 * slope)]
    assert min(off) == off[0]


def robust():
    """AP and P@10 of Robust 2004, top 75% of the systems by AP: (2, topics, systems)."""
    scores = {name: table.to_numpy() for name, table in load_scores("robust04").items()}
    kept = np.argsort(-scores["AP"].mean(axis=0))[:82]
    return np.stack([scores["AP"], scores["P@10"]])[..., kept]


@pytest.mark.parametrize("top", [None, 1, 5, 10, 20])
def test_the_top_systems_and_the_order_of_all_are_foretold_on_robust_2004(top):
    """Of the order of the others: simulated from 49 topics; by the curve through 5 to 25.

    The curve is held where the planner says that it was seen to hold.
    """
    values, rng = robust(), np.random.default_rng(4)
    promised, seen, far = [], [], []
    for _ in range(24):
        mine = values[:, rng.permutation(249)[:49]]
        promised.append(limit(mine, mine[0], sizes=[25], number=100, top=top)[0])
        place = rng.permuted(np.tile(np.arange(249), (20, 1)), axis=1)
        seen.append(phi(values, values[0], Draws(place < 25, place >= 49), top=top))
        sizes = {n: Draws(place < n, place >= 224) for n in (*SIZES, 100)}
        far.append([phi(values, values[0], draws, top=top) for draws in sizes.values()])
    within = 0.1 if top else 0.03
    assert np.mean(promised, axis=0) == pytest.approx(np.mean(seen, axis=0), abs=within)
    *near, last = np.mean(far, axis=0).T[0]
    if top in (None, 5, 10):
        within = 0.04 if top else 0.03
        assert on_curve(fit_curve(SIZES, near), 100) == pytest.approx(last, abs=within)


@pytest.mark.parametrize("noise", [0.3, 1, 3])
def test_the_simulated_limit_of_normal_scores_is_greiners(noise):
    """Systems and topics drawn from normals: tau = 2 / pi arcsin r, with r from the variances."""
    found = []
    for seed in range(30):  # the taus of 60 systems scatter by 0.06, their mean by 0.01
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(1, 1, 60)) + noise * rng.normal(size=(1, 300, 60))
        found.append(limit(values, values[0], sizes=[20], number=40)[0, 0])
    r = 1 / np.sqrt(1 + noise**2 / 20)
    assert np.mean(found) == pytest.approx(2 / np.pi * np.arcsin(r), abs=0.03)


@given(st.floats(1, 5000), st.integers(1, 100), st.integers(2, 200))
def test_a_pool_of_the_same_systems_has_the_same_size(documents, depth, systems):
    assert pool_size(documents, depth=depth, systems=systems, wanted=systems) == pytest.approx(
        documents
    )


@pytest.fixture(scope="module")
def trec8():
    return pilot(load("trec8"), depths=[2, 5, 10], sizes=[20], draws=4)


@given(
    st.floats(1200, 20_000),  # what three topics cost at most, and more
    st.floats(0, 300),
    st.integers(20, 129),
    st.one_of(st.none(), st.integers(3, 60)),
)
def test_no_plan_costs_more_than_there_is(judgements, price, systems, most):
    forecast = cached_forecast("trec8")
    found = choices(
        forecast, Budget(judgements=judgements, topic=price, systems=systems, most=most)
    )
    pools = forecast.pilot.pools.to_numpy()
    between = [
        np.exp(np.interp(np.log(systems), np.log(forecast.sizes), np.log(row))) for row in pools
    ]
    size = dict(zip(forecast.pilot.pools.index, between))
    for _, row in found.iterrows():
        cost = size[row["depth"]] + price
        assert row["topics"] * cost <= judgements * (1 + 1e-6)
        assert row["topics"] in (most, 500) or (row["topics"] + 1) * cost > judgements * (1 - 1e-6)


def test_the_best_comes_first_and_every_setting_is_asked(trec8):
    forecast = trec8.forecast(number=10)
    found = choices(forecast, Budget(judgements=5000))
    assert len(found) == 12
    assert found["phi"].is_monotonic_decreasing
    assert choose(forecast, Budget(judgements=5000)).equals(found.iloc[0])
    assert (found["limit"] > found["phi"]).all()  # unlimited topics say more than as many
    # Within the pilot the curve goes near what is seen there.
    draws, kept = trec8.draws([25], number=40, seed=1)[25], trec8.kept()
    seen = phi(trec8.scores[..., kept], trec8.target[:, kept], draws)
    assert trec8.forecast().promise(25) == pytest.approx(seen, abs=0.02)


def test_judgements_from_fewer_systems_are_worth_less(trec8):
    """The loss is that of real sub-pools: the same systems, judged by their own pool alone."""
    forecast, draws = trec8.forecast(number=20), trec8.draws([25], number=20, seed=1)[25]
    lost = []
    for part in trec8.parts[20]:
        kept = trec8.kept(part.systems)
        own = part.scores[..., np.searchsorted(part.systems, kept)]
        target = trec8.target[:, kept]
        lost.append(phi(own, target, draws) - phi(trec8.scores[..., kept], target, draws))
    promised = forecast.promise(25, systems=20) - forecast.promise(25)
    assert promised == pytest.approx(np.mean(lost, axis=0), abs=0.03)
    assert (np.mean(lost, axis=0) <= 0).all()
    half = forecast.promise(25, systems=50)
    assert ((half >= forecast.promise(25, systems=20)) & (half <= forecast.promise(25))).all()


def test_a_plan_for_the_top_counts_real_sub_pools(trec8):
    """The share is that of the sub-pools' own systems, since it depends on how many there are."""
    forecast = replace(trec8, top=5).forecast(number=20)
    draws, found = trec8.draws([25], number=20, seed=1)[25], []
    for part in trec8.parts[20]:
        kept = trec8.kept(part.systems)
        own = part.scores[..., np.searchsorted(part.systems, kept)]
        known, sought = (
            draws.means(own, side="known"),
            draws.means(trec8.target[None][..., kept], side="sought"),
        )
        found.append(overlap(known, sought, top=5))
    assert forecast.promise(25, systems=20) == pytest.approx(np.mean(found, axis=0), abs=0.03)
    one = expected(forecast, 0, 4, others=True)
    assert 0 <= one.low <= one.estimate <= one.high <= 1
    # Of 20 systems the best 15 are kept: they are no top 15 among them.
    assert replace(trec8, top=15).forecast(number=4, simulated=False).sizes == [129]


def test_reading_every_rank_of_every_list_pays_for_fewer_topics(trec8):
    forecast = trec8.forecast(number=4)
    plain = choices(forecast, Budget(judgements=20_000)).set_index("setting")
    read = choices(forecast, Budget(judgements=20_000, rank=0.5)).set_index("setting")
    for setting, row in read.iterrows():
        price = trec8.pools.loc[row["depth"], 129] + 0.5 * 129 * row["depth"]
        assert row["topics"] == int(20_000 / price) < plain.loc[setting, "topics"]


def test_depths_at_which_too_much_is_unjudged_are_left_out_where_that_is_known():
    dl19 = load("dl19").select(topics=load("dl19").topics.index[:10])
    for unjudged, depths in ((False, [5, 10]), (True, [5, 10, 100])):
        made = pilot(dl19, depths=[5, 10, 100], sizes=[], unjudged=unjudged)
        assert made.pools.index.tolist() == depths and made.pooled == unjudged
        assert [*made.settings["depth"].unique()] == depths


def test_a_pilot_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="a pilot needs ten topics and five systems or more"):
        pilot(load("trec8").select(topics=["401", "402"]))


def test_intervals_are_within_the_range_and_wider_over_other_systems():
    forecast = cached_forecast("dl19")
    for kind in ("others", "limit"):
        for setting in range(len(forecast.pilot.settings)):
            one, all_too = (expected(forecast, setting, 300, kind=kind, others=o) for o in (0, 1))
            assert -1 <= all_too.low <= one.low <= one.estimate <= one.high <= all_too.high <= 1


def test_an_interval_counts_the_pilots_topics_and_as_many_others():
    """A difference of two means of as many topics has twice the variance of one; of z, by hand."""
    forecast = cached_forecast("trec8")
    values, without = forecast.promise(20), forecast.replicates(20)
    own = grouped(values[0], without[..., 0], topics=forecast.pilot.topics)
    found = expected(forecast, 0, 20)
    reach = (np.arctanh(found.high) - np.arctanh(values[0])) * (1 - values[0] ** 2)
    assert reach**2 == pytest.approx(2 * (own.high - own.estimate) ** 2)
    every = choices(forecast, Budget(judgements=5000)).head(2).assign(topics=20)
    one, other = every["setting"]
    gap = without[..., other] - without[..., one]
    own = grouped(every["phi"].iloc[1] - every["phi"].iloc[0], gap, topics=forecast.pilot.topics)
    assert behind(forecast, every).error[1] ** 2 == pytest.approx(2 * own.error**2)


def test_what_cannot_be_distinguished_is_by_the_difference_and_not_by_two_intervals():
    forecast = cached_forecast("trec8")
    every = planner.beside_plan(forecast, Budget(judgements=5000))
    same = every["alike"].to_numpy()
    assert same[0] and not same.all()
    plan = every.iloc[0]
    low = expected(forecast, int(plan["setting"]), int(plan["topics"])).low
    assert (every["phi"][~same] > low).any()  # within the plan's interval, and yet worse


def test_the_better_one_of_a_pair_wins_as_often_as_it_is_said():
    rng = np.random.default_rng(5)
    wins = rng.normal(0.02, 0.2, size=(4000, 40)).mean(axis=1) > 0
    assert better_wins(0.02, 0.2, 40) == pytest.approx(wins.mean(), abs=0.02)


def test_an_advice_is_of_the_systems_the_prices_and_the_topics_that_are_asked():
    forecast = cached_forecast("trec8")
    budget = Budget(judgements=1e6, topic=100, rank=2, systems=20, most=40)
    advice = planner.advise(forecast, budget, difference=0.03)
    topics, depth, judged = advice.plan[["topics", "depth", "judgements"]]
    paid = judged + topics * (100 + 2 * 20 * depth)
    assert f"\n{1 - paid / 1e6:.0%} of the budget stays unspent" in advice.text
    at = int(advice.plan["setting"])
    for kind, others in (("others", False), ("limit", False), ("others", True)):
        one = expected(forecast, at, topics, systems=20, kind=kind, others=others)
        assert f" {one.low:.2f} to {one.high:.2f}" in advice.text
    wins = norm.cdf(0.03 * np.sqrt(topics) / forecast.deviation[at])
    assert f"the better one is ahead with {wins:.0%}." in advice.text


def test_a_try_plans_from_one_half_and_sees_the_other(trec8):
    halves = np.arange(50).reshape(2, 25)
    mine, other = trec8, replace(trec8, parts={})
    found = MAKE["one_try"](mine, other, halves, [(1.0, 0.0)], number=10)
    assert (found["topics"] <= 12).all() and found["held"].tolist() == [
        "topics",
        "topics and groups",
    ]
    # What the other half says is not what the plan was made from: its scores may be anything.
    spoilt = trec8.scores.copy()
    spoilt[:, halves[1]] = np.random.default_rng(1).random(spoilt[:, halves[1]].shape)
    again = MAKE["one_try"](mine, replace(other, scores=spoilt), halves, [(1.0, 0.0)], number=10)
    assert again["promised"].equals(found["promised"])
    assert again["seen"][0] == found["seen"][0] and again["seen"][1] < found["seen"][1]


# What is kept of pilots, and the control


@pytest.mark.frozen("spending")
@pytest.mark.parametrize(
    "name", ["dl19", *(pytest.param(name, marks=pytest.mark.long) for name in PILOTS[:3])]
)
def test_a_pilot_tells_its_kept_curves_again(name):
    """Long for the larger collections; DL 2019 notices most of it."""
    fresh = pilot(load(name), depths=[2, 10], sizes=[10]).forecast(number=PILOT_SPLITS)
    old = cached_forecast(name)
    pools = old.pilot.pools.loc[[2, 10], [10, old.pilot.systems]]
    np.testing.assert_allclose(fresh.pilot.pools.iloc[:, 1], pools.iloc[:, 1], atol=1e-4)
    np.testing.assert_allclose(fresh.pilot.pools, pools, rtol=0.25)  # of ten systems estimated
    for at, (depth, measure) in enumerate(fresh.pilot.settings.itertuples(index=False)):
        kept = old.pilot.setting(depth, measure)
        assert fresh.spread[0, at] == pytest.approx(old.spread[0, kept], abs=1e-4)
        assert fresh.deviation[at] == pytest.approx(old.deviation[kept], abs=1e-4)
        assert fresh.curves[0, at] == pytest.approx(old.curves[0, kept], rel=1e-3, abs=1e-3)
        for topics in (5, 26, 400):
            now, then = expected(fresh, at, topics), expected(old, kept, topics)
            assert [float(now.estimate), now.low, now.high] == pytest.approx(
                [float(then.estimate), then.low, then.high], abs=1e-3
            )


@pytest.mark.parametrize("name", PILOTS)
def test_what_is_kept_of_a_collection_is_its_own(name):
    collection = load(name)
    for aim, top in AIMS.values():
        forecast = cached_forecast(name, aim, top)
        assert (forecast.pilot.topics, forecast.pilot.systems) == collection.retrieved.shape
        sizes = collection.pools.groupby("depth")["all"].mean()
        pools = forecast.pilot.pools[forecast.pilot.systems]
        assert pools.to_dict() == pytest.approx(sizes[pools.index].to_dict(), abs=1e-4)
    assert forecast.pilot.pooled == name.startswith("trec") - (name == "trec-covid")


def test_a_pilot_of_ones_own_is_asked_at_every_setting_whatever_its_name():
    dl19 = load("dl19")
    own = dl19.select(topics=dl19.topics.index[:20], systems=dl19.systems.index[::4])
    known = pilots(own)
    shown = {
        aim: panel(known, "dl19", 5000, **FREE | {"aim": aim}).caption
        for aim in ("AP", "nDCG@10", "P@10")
    }
    assert len({*shown.values()}) == 3
    assert known["dl19"]().pilot.topics == 20 and pilots()["dl19"]().pilot.topics == 43


def test_the_control_says_what_the_command_says(printed):
    shown = panel(pilots(), "trec8", 5000, **FREE | {"aim": "nDCG@10", "systems": 20})
    text = printed("plan --judgements 5000 --systems 20 --aim nDCG@10").out
    power = re.search(r"predictive power (\S+, 95% interval \S+ to [.\d]+)", text)[1]
    topics, depth = re.search(r"Judge (\S+) topics from the pool of depth (\d+)", text).groups()
    assert power.rstrip(".:") in shown.caption
    assert f"{topics} topics from the pool of depth {depth}," in shown.caption
    titles = re.findall("<title>(.*?)</title>", shown.svg)
    assert any(f"{topics} topics, depth {depth}:" in title for title in titles)
    forecast = cached_forecast("trec8", "nDCG@10")
    every = choices(forecast, Budget(5000, systems=20)).set_index(["measure", "depth"])
    for setting, found in shown.data.shown.iterrows():
        measure, depth = setting.split(", depth ")
        row = every.loc[(measure, int(depth))]
        promised = expected(forecast, int(row["setting"]), row["topics"], systems=20)
        numbers = [f"{row[name]:,.0f}" for name in ("topics", "judgements")]
        numbers += [f"{n:.2f}" for n in (row["phi"], promised.low, promised.high)]
        assert found.tolist()[:5] == numbers


QUESTIONS = [  # words of the command, its status, and what its answer or its one line says
    ("--judgements 5000 --systems 10 --aim RBP(p=0.95)", 0, "their order by RBP"),
    ("--judgements 5000 --systems 7", 0, "For 7 systems it is said what 10 would show"),
    ("--judgements 5000 --systems 1000000000", 2, "give 1290 at most"),
    ("--judgements 5000 --collection trec5 --top 1", 0, "In the top 1 on unlimited"),
    ("--judgements 5000 --top 3 --aim P@10", 0, "in the top 3 by P@10, all"),
    ("--judgements 5000 --top 0", 2, "top: must be 1 to 95, not 0"),
    ("--judgements 5000 --top 10 --systems 12", 2, "top: must be 1 to 8, not 10"),
    ("--judgements 5000 --difference .03", 0, "at a difference of 0.03 the better one is ahead"),
    ("--judgements 5000 --collection dl19", 0, "The interval is too wide to plan by"),
    ("--judgements 5000 --collection dl19", 0, "on 22 other topics."),  # half of 43, rounded up
    ("--judgements 1e9 --topics 50", 0, "of the budget stays unspent"),
    ("--judgements 1500 --topics 20 --topic-cost 20 --rank-cost .01", 0, "Compare the systems"),
    ("--judgements 5000 --systems 2", 2, "systems: must be 5 or more, not 2"),
    ("--judgements 1e9", 2, "pay more than 500 topics at any depth"),
    ("--judgements nan", 2, "judgements: must be a number above 0"),
    ("--judgements 5000 --topic-cost -1", 2, "topic cost: must be 0 or more"),
    ("--judgements 5000 --rank-cost inf", 2, "rank cost: must be 0 or more"),
    ("--judgements 400000 --topics 50 --aim GMAP --collection trec5", 0, "a ratio of 1.954 by"),
    ("--judgements 5000 --difference 2", 2, "difference must be more than 0 and at most 1, not 2"),
    ("--judgements 5000 --aim Bpref", 2, "derive it with --judged"),
    ("--judgements 5000 --way bandit", 0, "of depth 100 by bandit, as many as one of depth"),
    ("--judgements 5000 --way move-to-front --systems 40", 2, "leave --systems and --rank-cost"),
    ("--judgements 5000 --way luck", 2, "way: must be one of depth, move to front, bandit"),
    ("--judgements 5000 --way strata --aim nDCG@10", 2, "derive the collection with --judged"),
    ("--judgements 5000 --topic-cost 1e308", 2, "do not pay 3 topics; more are needed"),
    ("--judgements 1e-300", 2, "do not pay 3 topics; 119 are needed"),
]


@pytest.mark.parametrize("words, status, said", QUESTIONS)
def test_every_question_gets_an_answer_or_one_line_that_helps(words, status, said, printed):
    out, error = printed(f"plan {words}", status)
    assert said in (error if status else out)
    assert error.count("\n") == (1 if status else 0)
    assert not (status and out)


def test_as_much_again_is_seen_on_halves_of_the_topics():
    """Each of the three by its own splits: depth 5 on ten and twenty topics, depth 10 on ten."""
    made = pilot(load("trec8"), depths=[5, 10], sizes=[])
    found = again.spent(made)
    draws = made.draws([10, 20], number=200, seed=1)
    kept = made.kept()
    wanted = []
    for depth, topics in ((5, 10), (5, 20), (10, 10)):
        at, taus = made.setting(depth, "AP"), []
        for known, sought in zip(draws[topics].known, draws[topics].sought):
            means = [made.scores[at][known], made.target[sought]]
            taus.append(kendalltau(*(of[:, kept].mean(axis=0).round(12) for of in means)).statistic)
        wanted.append(np.mean(taus))
    assert found.estimate == pytest.approx([*wanted, wanted[1] - wanted[2]])


def test_the_first_relevant_document_is_read_to_and_no_further_than_the_page():
    long = [*(f"y{rank}" for rank in range(12)), "d2"]
    lists = {
        "A": {"t": ["x", "d1"], "u": ["x1", "x2", "d2"]},
        "B": {"t": ["d1"], "u": long},
        "C": {"t": ["x"], "u": ["x"]},  # not among the best two of three
    }
    judged = {"t": {"d1": 1}, "u": {"d2": 1}}
    found = again.rank_of_first(Collection.from_rankings(lists, judged))
    assert found == (2 + 3 + 1 + 10) / 4
