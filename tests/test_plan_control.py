"""The planner's control and the tables that it reads: what the command says, at once."""

import re

import numpy as np
import pytest

from lib import load
from lib.errors import InputError
from lib.studies.committed import read
from lib.studies.spending.control import ON_PAGE, panel, pilots
from lib.studies.spending.pilot import (
    NUMBER,
    PILOTS,
    along,
    cached_pilot,
    curve,
    curves_of,
    pilot,
    pools_of,
)
from lib.studies.spending.planner import Budget, advise, choices, expected

FREE = {"topic": 0, "rank": 0, "systems": None}


def test_what_is_kept_is_what_a_pilot_tells():
    fresh, old = pilot(load("dl21"), depths=[2, 5]).told(number=NUMBER), cached_pilot("dl21")
    of = {tuple(row): i for i, row in enumerate(old.pilot.settings.itertuples(index=False))}
    for at, key in enumerate(fresh.pilot.settings.itertuples(index=False)):
        assert fresh.curves[at] == pytest.approx(old.curves[of[tuple(key)]], abs=1e-5)
        for topics in (5, 26, 400):
            now, then = fresh.interval(at, topics), old.interval(of[tuple(key)], topics)
            assert [float(now.estimate), now.low, now.high] == pytest.approx(
                [float(then.estimate), then.low, then.high], abs=1e-4
            )


@pytest.mark.parametrize("name", PILOTS)
def test_every_pilot_tells_its_kept_curves_again(name):
    told, old = pilot(load(name), depths=[2]).told(number=NUMBER), cached_pilot(name)
    at = old.pilot.settings.query("depth == 2").index
    assert told.pilot.settings["measure"].tolist() == old.pilot.settings["measure"][at].tolist()
    assert told.curves == pytest.approx(old.curves[at], abs=1e-5)


def test_a_plan_from_what_is_kept_reads_as_one_from_the_pilot():
    budget = Budget(judgements=3000, topic=20, systems=30)
    fresh = pilot(load("dl21")).told(number=NUMBER)
    assert advise(cached_pilot("dl21"), budget).text == advise(fresh, budget).text


@pytest.mark.parametrize("name", PILOTS)
def test_what_is_kept_of_a_collection_is_its_own(name):
    collection, told = load(name), cached_pilot(name)
    assert (told.pilot.topics, told.pilot.systems) == collection.retrieved.shape
    assert told.pilot.title == collection.title
    sizes = collection.pools.groupby("depth")["all"].mean()
    assert told.pilot.pools.to_dict() == pytest.approx(sizes[told.pilot.pools.index].to_dict())
    assert told.pilot.pooled == name.startswith("trec") - (name == "trec-covid")


def test_the_tables_are_written_as_they_are_read():
    told = cached_pilot("dl19")
    for table, name in ((curves_of(told), "curves"), (pools_of(told.pilot), "pilots")):
        committed = read("spending", name).query("collection == 'dl19'").drop(columns="collection")
        assert (committed.to_numpy() == table[list(committed)].to_numpy()).all()


def test_only_kept_pilots_are_known():
    with pytest.raises(ValueError, match="name must be one of trec8"):
        cached_pilot("trec6")


def test_curves_are_followed_one_by_one_or_together():
    curves = np.array([curve([5, 10, 20], seen) for seen in ([0.3, 0.4, 0.45], [0.2, 0.2, 0.2])])
    both = along(curves, [10, 400])
    assert both == pytest.approx([along(curves[0], 10), along(curves[1], 400)])
    assert both[1] == pytest.approx(0.2)  # a flat line promises the same on any number of topics


@pytest.mark.parametrize("name", ON_PAGE)
@pytest.mark.parametrize("judgements, topic", [(1000, 0), (5000, 100), (20_000, 0)])
def test_the_control_says_what_the_command_says(name, judgements, topic):
    made = advise(cached_pilot(name), Budget(judgements=judgements, topic=topic))
    shown = panel(pilots(), name, judgements, **FREE | {"topic": topic})
    plan, said = made.plan, made.promised
    assert f"judge {plan['topics']:,} topics from pools of depth {plan['depth']}" in shown.caption
    assert f"the systems by {plan['measure']}." in shown.caption
    assert f"{said.estimate:.2f}, 95% interval {said.low:.2f} to {said.high:.2f}" in shown.caption
    for row in made.others.query("depth == 10 and measure in ['AP', 'P@10']").itertuples():
        assert f"{row.measure} {row.phi:.2f} ({row.topics:,} topics)" in shown.caption
    assert (plan["topics"] > cached_pilot(name).pilot.topics // 2) == (
        "off a curve" in shown.caption
    )


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


def test_a_plan_that_is_a_baseline_is_not_its_own_rival():
    shown = panel(pilots(), "trec-covid", 20_000, **FREE)
    assert "depth 10" in shown.caption.partition("At no more cost")[0]
    assert " AP " not in shown.caption.partition("At no more cost")[2]


def test_a_pilot_of_ones_own_is_asked_too():
    own = pilot(load("dl21"), depths=[1, 5]).told(number=5)
    shown = panel({"mine": own}, "mine", 2000, **FREE)
    assert shown.caption.startswith("DL 2021: judge ")
    assert "depth 10" not in shown.caption


def test_what_a_budget_does_not_pay_is_said():
    with pytest.raises(InputError, match="100 do not pay 3 topics"):
        panel(pilots(), "trec8", 100, **FREE)
