"""What chapter 6 shows of the committed tables: its worked example, tables, figures and words."""

import re

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from lib import load
from lib.studies.spending import drawings, drawings_of_plans, prose, shown, shown_of_plans
from lib.studies.spending.agreement import phi
from lib.studies.spending.claims import CLAIMS, Number
from lib.studies.spending.pilot import pilot
from lib.studies.spending.read import read
from lib.studies.spending.standing import fewer_topics
from lib.studies.spending.toy import by_hand


def test_the_worked_example_is_what_paper_says():
    found = by_hand()
    # A: d1 d5 d2 d6; B: d1 d2 d5 d6; C: d3 d1 d7 d2; relevant: d1, d2, d3; a pool of depth 2.
    assert found["AP", "inside"].tolist() == pytest.approx(
        [(1 / 1 + 2 / 3) / 3, (1 / 1 + 2 / 2) / 3, (1 / 1 + 2 / 2 + 3 / 4) / 3]
    )
    # Without A nothing relevant is lost; without B d2 is, without C d3.
    assert found["AP", "outside"].tolist() == pytest.approx(
        [(1 / 1 + 2 / 3) / 3, (1 / 1) / 2, (1 / 2 + 2 / 4) / 2]
    )
    assert found["condensed AP", "outside"].tolist() == pytest.approx([2 / 3, 1 / 2, 1])
    assert found["unjudged@10", "outside"].tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("value", "error", "form", "written"),
    [
        (0.1217, 0.0362, "%", "12.2% [5.1, 19.3]"),
        (-0.0247, 0.0064, "%", "−2.5% [−3.7, −1.2]"),
        (0.04, 0.024, "%", "4.0% [−0.7, 8.7]"),
        (-0.041, 0.0136, "", "−0.041 [−0.068, −0.014]"),
    ],
)
def test_a_number_is_written_with_the_ends_of_its_interval(value, error, form, written):
    assert shown.with_error(value, error, form) == written


@pytest.mark.parametrize("collection", ["trec8", "trec-covid"])
def test_what_is_lost_stands_as_in_the_table_of_losses(collection):
    found = shown.lost(collection)
    assert len(found) == 7 and not found.isna().any(axis=None)
    rows = read("losses").query("collection == @collection and depth == 10 and measure == 'AP'")
    for row in rows[rows["kind"] != "all"].itertuples():
        (column,) = (name for name in found if name.startswith(f"{row.kind} ("))
        assert found.loc["AP", column].startswith(f"{row.share:.1%} [")
        assert f"({row.runs} runs)" in column


def test_runs_are_summed_up_by_what_is_unjudged():
    runs = shown.by_run()
    assert runs.groupby("title").size().to_dict() == {"TREC-8": 71, "TREC-COVID": 99}
    low, high = (runs["bin"].str.extract(rf"{end}(\d+)%")[0].astype(int) for end in ("^", "to "))
    assert (runs["unjudged"] <= high / 100).all()
    assert ((runs["unjudged"] > low / 100) | (low == 0)).all()
    table = shown.by_unjudged()
    for (title, part), row in table.iterrows():
        mine = sorted(runs.loc[(runs["title"] == title) & (runs["bin"] == part), "lost"])
        assert row["runs"] == len(mine)
        assert row["AP, worst"] == mine[-1] and row["AP, median"] == np.median(mine)
    assert table["runs"].sum() == 170
    assert list(dict.fromkeys(table.index.get_level_values(0))) == ["TREC-8", "TREC-COVID"]


def test_the_residual_holds_what_being_left_out_takes():
    table = shown.unknown()
    assert table.index.tolist()[:2] == [("TREC-8", "automatic"), ("TREC-8", "manual")]
    assert len(table) == 5
    for side in ("inside", "outside"):
        assert (table["RBP", side] + table["residual", side] <= 1 + 1e-9).all()
    assert (table["RBP", "outside"] <= table["RBP", "inside"]).all()
    grown = table["residual", "outside"] - table["residual", "inside"]
    assert (grown >= table["RBP", "inside"] - table["RBP", "outside"]).all()


def test_who_moves_most_comes_first():
    table = shown.movers("trec8", number=71)
    moved = table["place outside"] - table["place inside"]
    assert moved.is_monotonic_decreasing and moved.iloc[0] == 37
    assert table["lost"].to_numpy() == pytest.approx(
        1 - (table["outside"] / table["inside"]).to_numpy()
    )


@pytest.mark.parametrize("side", ["inside", "outside"])
@pytest.mark.parametrize("collection", ["trec8", "trec-covid"])
def test_nothing_cheaper_is_as_good(collection, side):
    table = read("ways").query("collection == @collection and way == 'depth'")
    found = shown.cheapest(collection, side)
    assert set(found["measure"]) == {"AP", "nDCG@20", "P@10"}
    for row in found.itertuples():
        same = table[table["measure"] == row.measure]
        assert (same.loc[same["judgements"] < row.judgements, side] < row.value).all()
    for measure, part in found.groupby("measure"):
        assert part["value"].max() == table.loc[table["measure"] == measure, side].max()


def test_a_buy_is_paid_by_its_budget():
    ways = read("ways").query("way == 'depth'").set_index(["topics", "depth", "measure"])
    for (title, budget), row in shown.best_buys().iterrows():
        rows = ways[ways["collection"] == {"TREC-8": "trec8"}.get(title, "trec-covid")]
        for who, side in (("in the pool", "inside"), ("later", "outside")):
            measure, topics, depth = re.fullmatch(r"(\S+), (\d+) × (\d+)", row[who]).groups()
            bought = rows.loc[(int(topics), int(depth), measure)]
            assert bought["judgements"] <= budget
            assert bought[side] == row[f"placed {who}"]
            assert rows.loc[rows["judgements"] <= budget, side].max() == bought[side]


def test_the_outside_of_a_way_is_told_where_groups_are_known():
    table = shown.ways()
    known = table["later"] != "–"
    assert set(known[known].index.get_level_values(0)) == {"TREC-8", "TREC-COVID"}
    assert table.groupby(level=0).size().eq(3).all() and len(table) == 15


def test_ends_of_a_claim_are_those_of_the_tries_or_of_its_error():
    assert Number(0.5, 0.1, "topics").interval == pytest.approx((0.304, 0.696))
    assert Number(0.5, 0.1, "tries", (0.2, 0.9)).interval == (0.2, 0.9)
    assert np.isnan(Number(3.0).interval).all()
    table = shown_of_plans.listed()
    assert len(table) == len(CLAIMS) == table.index.nunique()
    turned = table.loc[CLAIMS["turned-robust"].says]
    assert turned["over"] == "sets" and turned["95% interval"] == "0.000 to 0.023"


def test_ap_on_the_same_topics_and_pool_is_counted_plainly():
    made = pilot(load("trec8"), depths=[10, 20, 100])
    row = fewer_topics(made, seed=3).loc["AP on the same"]
    draws = made.draws([25], number=200, seed=3)[25]
    at = made.settings.reset_index().set_index(["depth", "measure"])["index"]
    tables = made.scores[[at[10, "AP"], at[10, "P@10"]]]
    ap, p10 = phi(tables, made.target, draws)
    assert row["gain"] == pytest.approx(ap - p10)
    assert row["low"] < row["gain"] < row["high"]
    assert row["judgements"] == fewer_topics(made, seed=3)["judgements"].iloc[0]


def titles(figure):
    """Return what the marks of a figure say."""
    return [one.get_text() for one in BeautifulSoup(figure.svg, "html.parser").find_all("title")]


FIGURES = {
    "kinds": (drawings.draw_kinds, 15),
    "losses": (drawings.draw_losses, 50),
    "runs": (drawings.draw_runs, 170),
    "buys": (drawings.draw_buys, None),
    "ways": (drawings.draw_ways, 36),
    "needs": (drawings_of_plans.draw_needs, 2 * (14 + 14 + 10)),
    "turned": (drawings_of_plans.draw_turned, 32),
    "back-test": (drawings_of_plans.draw_back_test, 45),
}


@pytest.mark.parametrize("name", FIGURES)
def test_each_mark_of_a_figure_has_a_name_and_a_value(name):
    draw, count = FIGURES[name]
    said = titles(draw())
    assert count is None or len(said) == count
    assert all(re.fullmatch(r"[^:]*[^:\s]: \S.*", one) for one in said)


def test_the_finding_shows_what_the_table_says():
    figure = prose.finding()["finding-spending"]
    table = read("losses").query("measure == 'AP' and collection == 'trec8' and depth == 10")
    manual = table.set_index("kind").loc["manual", "share"]
    assert f"TREC-8, manual: share of AP lost {manual:.3f}" in "".join(titles(figure))
    assert figure.data.shown.loc["10", "TREC-8, manual"] == f"{manual:.1%}"


def test_a_measure_that_few_collections_have_stands_where_it_is_known():
    table = read("needs")
    known = table[table["measure"] == "nDCG@20"]["source"].nunique()
    said = [one for one in titles(drawings_of_plans.draw_needs()) if one.startswith("nDCG@20")]
    assert len(said) == 2 * known < 2 * table["source"].nunique()


def test_words_say_what_tables_say():
    said = prose.turns() | prose.back_test() | prose.needs() | prose.ways()
    pairs = read("turns").query("source == 'trec8' and measure == 'AP' and method == 't'").iloc[0]
    assert said["sp-pairs"] == "8,256" and said["sp-by-chance"] == "413"
    told = float(said["sp-told-number"].replace(",", ""))
    assert told == round(pairs["significant"] * 8256)
    assert int(said["sp-turned-number"]) == round(pairs["turned"] * told)
    assert said["sp-robust-topics"] == "249"
    table = read("backtest")
    assert said["sp-widened-low"] == f"{table['widened'].min():.1%}"
    assert said["sp-needed-ap"] == "63" and said["sp-needed-p10"] == "209"
    front = read("ways").query(
        "collection == 'trec8' and way == 'move to front' and depth == 5 and measure == 'AP'"
    )
    row = front.loc[front["topics"].idxmax()]
    assert said["sp-front"] == shown.with_error(row["gain"], row["gain_error"])
    assert said["sp-front-later"] == shown.with_error(
        row["outside_gain"], row["outside_gain_error"]
    )


def test_papers_are_called_by_their_titles():
    table = shown_of_plans.papers()
    assert len(table) == 9 and isinstance(table.index, pd.MultiIndex)
    assert "Tomlinson 2006" in table.index.get_level_values("paper")
    assert table.loc[("Tomlinson 2006", "GS10"), ["had", "needed"]].tolist() == [150, 212]
