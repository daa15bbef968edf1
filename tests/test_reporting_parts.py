"""The report's figures with their intervals, its plan, and its place beside others."""

import io

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from scipy.stats import t as student
from strange import small

import lib
from lib import Collection, load
from lib.papers import paper, webber2008
from lib.papers.webber2008.topics import points_with_intervals
from lib.papers.webber2010.depth import figure2_taus, figure4, powers_at
from lib.papers.webber2010.drawings import grid_with_intervals
from lib.published import cells
from lib.reporting import beside, report
from lib.reporting.intervals import OverTopics
from lib.reporting.sheet import Sheet
from lib.reporting.spending import write_spending
from lib.statistics.jackknife import jackknife
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.summaries import summary
from lib.studies.sources import facts, in_the_book
from lib.studies.spending.advice import advise
from lib.studies.spending.pilot import pilot
from lib.studies.spending.planner import Budget


@pytest.fixture(scope="module")
def some():
    c = load("trec8")
    return c.select(systems=c.systems.index[::6])


@pytest.fixture(scope="module")
def over(some):
    return OverTopics(some)


def drawn(figure):
    """The texts of a figure, and its caption."""
    soup = BeautifulSoup(figure.to_html(), "html.parser")
    return [text.get_text() for text in soup.find_all("text")], figure.caption


def test_taus_of_figures_have_the_intervals_of_their_table(some, over):
    """Thom 2007: the panels are the cells of Table 1."""
    of = paper("thom2007")
    texts, caption = drawn(of.drawings["Figures 1 to 7"].with_intervals(some, over.bounds))
    table = of.tables["1"]
    found = over.bounds(table, table(some))
    for number, row in enumerate(found.itertuples(), start=1):
        wanted = f"{number}: tau {row.value:.3f} \u00b1\u00a0{(row.high - row.low) / 2:.3f}"
        assert wanted in texts
    assert "half the 95% interval" in caption
    assert "half the 95% interval" not in drawn(of.drawings["Figures 1 to 7"](some))[1]


def test_points_of_figure_1_have_the_jackknife_over_topics(some):
    """Webber 2008: each point again without each topic, as the claims on it do."""
    points = points_with_intervals(some)
    assert points[["low", "high"]].notna().all(axis=None)
    measures = {name: webber2008.MEASURES[name] for name in ("P@10", "nDCG")}
    for size, drawn_ in ((5, 1000), (25, 200)):
        without = webber2008.topics.phi_without(some, measures, size=size, number=drawn_)
        for row in points[points["topics"] == size].itertuples():
            found = jackknife(row.phi, [part.loc[row.predictor, row.of] for part in without])
            assert (row.low, row.high) == pytest.approx((found.low, found.high))


def test_the_intervals_of_figures_2_to_4_are_those_of_parts_of_the_topics(some, over):
    """Webber 2010: by hand, without each fifth of the topics."""
    table = figure4(some)
    table = table[table["measure"].isin(["P", "nDCG"])].reset_index(drop=True)
    found = grid_with_intervals(table, some, over.bounds)
    pools, depths = (table[name].unique().tolist() for name in ("pool", "depth"))
    left = [
        [powers_at(part, ["P", "nDCG"], pools, depths)["power"].to_numpy() for part in parting]
        for parting in over.parts
    ]
    keyed = powers_at(some, ["P", "nDCG"], pools, depths)
    order = keyed.merge(found, on=["measure", "pool", "depth"])
    spread = [np.square(np.subtract(p, np.mean(p, axis=0))).sum(axis=0) for p in left]
    error = np.sqrt(4 / 5 * np.mean(spread, axis=0))
    freedom = 1 / (1 / 49 + (1 / 4 - 1 / 49) / 2)
    reach = (order["high"] - order["low"]) / 2
    assert reach.to_numpy() == pytest.approx(student.ppf(0.975, freedom) * error)
    assert order["power_y"].to_numpy() == pytest.approx(order["power_x"].to_numpy())
    taus = over.bounds(figure2_taus, figure2_taus(some))
    texts, _ = drawn(paper("webber2010").drawings["Figure 2"].with_intervals(some, over.bounds))
    for row in taus.itertuples():
        assert f"tau {row.value:.3f} \u00b1\u00a0{(row.high - row.low) / 2:.3f}" in texts


def test_a_pool_that_a_part_could_not_answer_for_still_has_an_interval(over):
    """TREC-8 has few unjudged documents at depth 100; some parts have more than the limit."""
    c = over.collection
    figure = paper("webber2010").drawings["Figure 3"].with_intervals(c, over.bounds)
    assert not figure.data.shown.isin(["\u2013"]).any(axis=None)
    assert "100" in figure.data.shown.index.get_level_values("pool")


def test_a_column_named_after_the_collection_has_intervals_too():
    """A part of TREC-8 is not TREC-8, and its column in Table 1 has another name."""
    c = load("trec8")
    table = paper("webber2010").tables["1"]
    c = c.select(systems=c.systems.index)
    assert c.is_package("trec8")
    found = OverTopics(c).bounds(table, table(c))
    assert found["low"].notna().all()
    other = OverTopics(small(3, 12)).bounds(
        lambda part: cells([("a", part.name + str(len(part.topics)), 0.5)]),
        cells([("a", "b", 0.5)]),
    )
    assert other["low"].notna().all()


def section(sheet, name):
    return BeautifulSoup(sheet.bodies[name], "html.parser")


def test_the_plan_is_what_the_planner_says(some):
    sheet = Sheet()
    write_spending(sheet, some)
    table = pd.read_csv(io.BytesIO(sheet.files["tables/plan.csv"]))
    judged = int(some.topics["judged"].sum())
    made = pilot(some)
    assert len(table) == 6
    for row, (times, most) in zip(
        table.itertuples(), ((t, m) for t in (0.25, 1, 4) for m in (None, 50))
    ):
        said = advise(made, Budget(judgements=round(times * judged), most=most))
        low, high = said.promised.low, said.promised.high
        assert int(str(row.topics).replace(",", "")) == said.plan["topics"]
        assert row.measure == said.plan["measure"]
        assert row._7 == f"{said.promised.estimate:.2f} ({low:.2f} to {high:.2f})"
    text = section(sheet, "spending").get_text()
    assert all(line in text for line in advise(made, Budget(judgements=4 * judged)).uncertain)


def test_losses_are_told_where_groups_are_known(some):
    sheet = Sheet()
    write_spending(sheet, some)
    table = pd.read_csv(io.BytesIO(sheet.files["tables/left-out.csv"]))
    assert set(table["measure"]) == {"AP", "nDCG@20", "P@10"} and "all" in set(table["kind"])
    assert "pool of depth 100" in section(sheet, "spending").get_text()


@pytest.mark.parametrize(
    ("collection", "why"),
    [
        (small(6, 9), "a pilot needs ten topics and three systems or more, not 9 and 6."),
        (small(2, 12), "a pilot needs ten topics and three systems or more, not 12 and 2."),
    ],
)
def test_what_cannot_be_a_pilot_is_told_in_one_line(collection, why):
    sheet = Sheet()
    write_spending(sheet, collection)
    lines = [line.get_text() for line in section(sheet, "spending").find_all(class_="missing")]
    assert lines[0] == f"It cannot be computed here: toy: {why}"
    assert lines[1].startswith("It cannot be computed here: toy: no pool of depth 5: ")
    assert "tables/plan.csv" not in sheet.files


def test_groups_that_nobody_knows_lose_nothing():
    c = load("trec5")
    sheet = Sheet()
    write_spending(sheet, c.select(systems=c.systems.index[::12]))
    (line,) = section(sheet, "spending").find_all(class_="missing")
    assert line.get_text().endswith("trec5: the groups that fed the pool are not known.")


def test_a_collection_stands_beside_what_the_others_let_expect():
    c = load("trec5")
    sheet = Sheet()
    beside.write_elsewhere(sheet, c)
    table = pd.read_csv(io.BytesIO(sheet.files["tables/elsewhere-like.csv"]))
    found = estimates(c)
    others = facts().query("source != 'trec5'")
    one = summary(found, "p10-AP", only=others["source"])
    like = summary(found, "p10-AP", only=others.query("pool == '100 or more'")["source"])
    (row,) = table[(table["claim"] == "Who predicts P@10") & (table["number"] == "AP")].itertuples()
    assert row.expected == f"{one.expected_low:+.3f} to {one.expected_high:+.3f}"
    assert row._5.startswith(f"{like.mean:.3f} ")
    assert set(table["as expected"]) <= {"yes", "within its error", "no", "\u2013"}
    assert "\u2013" not in set(table["here"])


def test_how_an_expectation_is_met():
    fits = beside._fits
    assert fits((0.1, 0.0, 0.2), (0.05, 0.3)) == "yes"
    assert fits((0.1, 0.0, 0.2), (0.15, 0.3)) == "within its error"
    assert fits((0.1, 0.0, 0.2), (0.25, 0.3)) == "no"
    assert fits((np.nan,) * 3, (0.0, 1.0)) == "\u2013" == fits((0.1, 0.0, 0.2), (np.nan,) * 2)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_runs_that_nothing_tells_apart_have_a_report_all_the_same():
    """Random runs predict nothing: taus below 0, which a figure must have room for."""
    found = report(small(12, 30, depth=60, relevant=20))
    soup = BeautifulSoup(found.page, "html.parser")
    table = pd.read_csv(io.BytesIO(found.files["tables/elsewhere-growth.csv"]))
    assert len(table) > 1 and (table["itself"] < 0).any()
    assert soup.find(id="elsewhere").find_all("figure")[-1].find("svg")
    assert "nan" not in soup.find(id="spending").get_text()


def test_topics_that_make_no_two_sets_have_no_curve():
    c = small(6, 9)
    assert not in_the_book(c)
    text = report(c).page
    assert "of 9 topics no two sets of two sizes can be made" in text
    assert "With fewer than 10 topics" in text


def test_a_fold_stands_beside_what_it_opens():
    c: Collection = small(6, 12)
    soup = BeautifulSoup(lib.report(c).page, "html.parser")
    folds = soup.find_all(class_="fold")
    assert len(folds) > 5
    for fold in folds:
        assert fold.details.find("table") is None
        assert fold.details.find_next_sibling(class_="folded").find("table")
