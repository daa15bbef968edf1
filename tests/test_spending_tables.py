"""The committed tables of chapter 6: their statement, their claims, and what is shown of them."""

import hashlib
import json
import re

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from lib import load
from lib.collection import derive
from lib.measures import complete_scores
from lib.paths import DATA
from lib.studies.committed import read
from lib.studies.spending import drawings, prose, tables
from lib.studies.spending.choosing import COSTS
from lib.studies.spending.claims import claims, interval, table
from lib.studies.spending.pilot import phi, pilot
from lib.studies.spending.planner import WIDER
from lib.studies.spending.pooled import SCORED, by_hand
from lib.studies.spending.tables import JUDGED, fewer_topics

PACKAGE = json.loads((DATA / "spending" / "datapackage.json").read_text(encoding="utf-8"))


# The package


@pytest.mark.parametrize("entry", PACKAGE["resources"], ids=lambda entry: entry["name"])
def test_the_statement_describes_each_table(entry):
    text = (DATA / "spending" / entry["path"]).read_bytes()
    assert entry["hash"] == "sha256:" + hashlib.sha256(text).hexdigest()
    rows, fields = read("spending", entry["name"]), entry["schema"]["fields"]
    assert entry["rows"] == len(rows)
    assert [field["name"] for field in fields] == list(rows)
    assert not rows.duplicated(entry["schema"]["primaryKey"]).any()
    for field in fields:
        text = pd.api.types.is_string_dtype(rows[field["name"]])
        assert field["description"] and (field["type"] == "string") == text


def test_there_are_no_other_tables():
    files = {path.name for path in (DATA / "spending").glob("*.csv")}
    assert {part["path"] for part in PACKAGE["resources"]} == files


def test_what_the_study_says_is_so():
    said = claims()
    assert len(said) == 22 and said["says"].is_unique
    assert said.index[~said["holds"]].tolist() == []


def test_ends_of_a_claim_are_those_of_the_tries_or_of_its_error():
    row = {"gain": 0.5, "gain_error": 0.1, "P@10": 0.5, "P@10, low": 0.2, "P@10, high": 0.9}
    assert interval(row, "gain")[:2] == pytest.approx((0.304, 0.696))
    assert interval(row, "P@10") == (0.2, 0.9, "tries")
    assert np.isnan(interval({"worst": 3.0}, "worst")[:2]).all()
    turned = tables.listed().loc[claims().loc["turned-robust", "says"]]
    assert turned["over"] == "sets" and turned["95% interval"] == "0.000 to 0.023"


def test_shares_are_those_of_the_scores():
    rows = read("spending", "losses").dropna(subset="share")
    assert rows["share"].to_numpy() == pytest.approx(
        1 - (rows["outside"] / rows["inside"]).to_numpy(), abs=1e-4
    )
    assert (rows["worst"] >= rows["share"] - 1e-4).all()


def test_losses_are_means_of_the_runs():
    runs = read("spending", "runs").query("collection == 'trec8' and depth == 10")
    runs = runs[runs["measure"] == "AP"]
    for kind, part in [("all", runs), *runs.groupby("type")]:
        row = table("losses").loc[("trec8", kind, 10, "AP")]
        assert len(part) == row["runs"]
        assert part["outside"].mean() == pytest.approx(row["outside"], abs=1e-5)
        moved = part["rank_outside"] - part["rank_inside"]
        assert (moved.mean(), moved.max()) == pytest.approx((row["places"], row["most"]), abs=1e-4)


def sides_of(trec8, run):
    """The runs that feed a pool with the group of a run, and without it."""
    facts = trec8.systems
    fed = facts.index[facts["pooled"] == "yes"]
    others = fed[facts.loc[fed, "group"] != facts.loc[run, "group"]]
    return {"inside": fed, "outside": others}


def test_a_run_out_of_the_pool_scores_what_the_packages_hits_say():
    """Of measures that ask for no judged non-relevant documents the package is enough."""
    trec8, rows = load("trec8"), read("spending", "runs").set_index(["collection", "depth"])
    rows = rows.sort_index().loc[("trec8", 10)].set_index(["measure", "run"])
    for run in ("READWARE", "CL99SD"):
        for side, by in sides_of(trec8, run).items():
            score = complete_scores(trec8.pooled(10, by=by), "AP")[run].mean()
            assert score == pytest.approx(rows.loc[("AP", run), side], abs=1e-5)


def test_a_run_out_of_the_pool_scores_what_the_originals_say(originals):
    folder = originals / "trec8"
    trec8 = derive(
        folder / "inputs",
        folder / "qrels.trec8.adhoc.txt",
        systems=DATA / "trec8" / "systems.tsv",
        judged=True,
    )
    row = read("spending", "runs").set_index(["collection", "depth", "measure", "run"]).sort_index()
    for side, by in sides_of(trec8, "READWARE").items():
        judged = trec8.pooled(10, by=by)
        for measure in ("Bpref", "condensed AP", "RBP residual", "unjudged@10"):
            score = SCORED[measure](judged)["READWARE"].fillna(0).mean()
            said = row.loc[("trec8", 10, measure, "READWARE"), side]
            assert score == pytest.approx(said, abs=1e-5)


def test_every_way_has_every_cost():
    rows = read("spending", "ways")
    for _, part in rows.groupby(["collection", "topics"]):
        assert len(part) == len(COSTS) * (3 * 4 + 1)
    assert (rows.loc[rows["way"] == "depth", "gain"] == 0).all()
    # Groups are known of two collections.
    known = rows.groupby("collection")["outside"].count()
    assert known[known > 0].to_dict() == {"trec-covid": 390, "trec8": 390}
    assert set(known.index[known == 0]) == {"trec5", "dl19", "dl21"}


def test_the_back_test_is_as_large_as_is_said_and_the_interval_holds():
    rows = read("spending", "backtest")
    assert set(rows["collection"]) == {"trec8", "trec5", "dl19", "dl21", "trec-covid"}
    assert (rows["tries"] >= 200).all()
    assert rows["widened"].between(0.88, 0.99).all()
    assert WIDER == 1.1


# What is shown


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
        (-0.0247, 0.0064, "%", "−2.5% [−3.7, −1.2]"),
        (0.04, 0.024, "%", "4.0% [−0.7, 8.7]"),
        (-0.041, 0.0136, "", "−0.041 [−0.068, −0.014]"),
    ],
)
def test_a_number_is_written_with_the_ends_of_its_interval(value, error, form, written):
    assert tables.with_error(value, error, form) == written


@pytest.mark.parametrize("collection", ["trec8", "trec-covid"])
def test_what_is_lost_stands_as_in_the_table_of_losses(collection):
    found = tables.lost(collection)
    assert len(found) == 7 and not found.isna().any(axis=None)
    rows = table("losses").loc[collection].xs((10, "AP"), level=["depth", "measure"])
    for kind, row in rows.drop(index="all").iterrows():
        cell = found.loc["AP", f"{kind} ({row['runs']:.0f} runs)"]
        assert cell.startswith(f"{row['share']:.1%} [")


def test_runs_are_summed_up_by_what_is_unjudged():
    runs = tables.by_run()
    assert runs.groupby("title").size().to_dict() == {"TREC-8": 71, "TREC-COVID": 99}
    low, high = (runs["bin"].str.extract(rf"{end}(\d+)%")[0].astype(int) for end in ("^", "to "))
    assert (runs["unjudged"] <= high / 100).all()
    assert ((runs["unjudged"] > low / 100) | (low == 0)).all()
    summed = tables.by_unjudged()
    for (title, part), row in summed.iterrows():
        mine = sorted(runs.loc[(runs["title"] == title) & (runs["bin"] == part), "lost"])
        assert row["runs"] == len(mine)
        assert row["AP, worst"] == mine[-1] and row["AP, median"] == np.median(mine)
    assert list(dict.fromkeys(summed.index.get_level_values(0))) == ["TREC-8", "TREC-COVID"]


def test_the_residual_holds_what_being_left_out_takes():
    found = tables.unknown()
    assert found.index.tolist()[:2] == [("TREC-8", "automatic"), ("TREC-8", "manual")]
    for side in ("inside", "outside"):
        assert (found["RBP", side] + found["residual", side] <= 1 + 1e-9).all()
    grown = found["residual", "outside"] - found["residual", "inside"]
    assert (grown >= found["RBP", "inside"] - found["RBP", "outside"]).all()


def test_who_moves_most_comes_first():
    found = tables.movers("trec8", number=71)
    moved = found["place outside"] - found["place inside"]
    assert moved.is_monotonic_decreasing and moved.iloc[0] == 37
    assert found["lost"].to_numpy() == pytest.approx(1 - (found["outside"] / found["inside"]))


@pytest.mark.parametrize("side", ["inside", "outside"])
@pytest.mark.parametrize("collection", ["trec8", "trec-covid"])
def test_nothing_cheaper_is_as_good(collection, side):
    rows = read("spending", "ways").query("collection == @collection and way == 'depth'")
    found = tables.cheapest(collection, side)
    assert set(found["measure"]) == {"AP", "nDCG@20", "P@10"}
    for row in found.itertuples():
        same = rows[rows["measure"] == row.measure]
        assert (same.loc[same["judgements"] < row.judgements, side] < row.value).all()
    for measure, part in found.groupby("measure"):
        assert part["value"].max() == rows.loc[rows["measure"] == measure, side].max()


def test_a_buy_is_paid_by_its_budget():
    ways = read("spending", "ways").query("way == 'depth'")
    ways = ways.set_index(["topics", "depth", "measure"])
    for (title, budget), row in tables.best_buys().iterrows():
        rows = ways[ways["collection"] == {"TREC-8": "trec8"}.get(title, "trec-covid")]
        for who, side in (("in the pool", "inside"), ("later", "outside")):
            measure, topics, depth = re.fullmatch(r"(\S+), (\d+) × (\d+)", row[who]).groups()
            bought = rows.loc[(int(topics), int(depth), measure)]
            assert bought["judgements"] <= budget
            assert bought[side] == row[f"placed {who}"]
            assert rows.loc[rows["judgements"] <= budget, side].max() == bought[side]


def test_the_outside_of_a_way_is_told_where_groups_are_known():
    found = tables.ways()
    known = found["later"] != "–"
    assert set(known[known].index.get_level_values(0)) == {"TREC-8", "TREC-COVID"}
    assert found.groupby(level=0).size().eq(3).all() and len(found) == 15


def test_ap_on_the_same_topics_and_pool_is_counted_plainly():
    made = pilot(load("trec8"), depths=[10, 20, 100])
    rows = fewer_topics(made, seed=3)
    row = rows.loc["AP on the same"]
    draws = made.draws([25], number=200, seed=3)[25]
    at = made.settings.reset_index().set_index(["depth", "measure"])["index"]
    ap, p10 = phi(made.scores[[at[10, "AP"], at[10, "P@10"]]], made.target, draws)
    assert row["gain"] == pytest.approx(ap - p10)
    assert row["low"] < row["gain"] < row["high"]
    assert row["judgements"] == rows["judgements"].iloc[0]


def test_both_readings_of_fewer_topics():
    made = fewer_topics(pilot(load("trec8")))
    price = made.loc["P@10 on all topics", "judgements"]
    assert made.loc["as many judgements", "judgements"] <= price
    assert made.loc["whatever it costs", "judgements"] > price
    assert made.loc["as planned", "judgements"] <= JUDGED
    assert made["phi"].idxmax() == "as planned"


def test_the_papers_are_advised_on_the_question_that_they_asked():
    found = tables.papers()
    assert (found["all pairs"] > found["needed"]).all()
    # Half-widths and numbers of topics go together: both fall with the spread alone.
    assert (np.argsort(found["half-width"]) == np.argsort(found["needed"])).all()
    assert found.loc[("Tomlinson 2006", "GS10"), ["had", "needed"]].tolist() == [150, 212]


def test_words_say_what_tables_say():
    said = prose.sign_reversals() | prose.back_test() | prose.ways()
    pairs = table("turns").loc[("trec8", "AP", 25, "t")]
    assert said["sp-pairs"] == "8,256" and said["sp-by-chance"] == "413"
    told = float(said["sp-told-number"].replace(",", ""))
    assert told == round(pairs["significant"] * 8256)
    assert int(said["sp-turned-number"]) == round(pairs["turned"] * told)
    assert said["sp-robust-topics"] == "249"
    assert said["sp-widened-low"] == f"{table('backtest')['widened'].min():.1%}"
    row = table("ways").loc[("trec8", "move to front", 5, "AP")]
    assert said["sp-front"] == tables.with_error(row["gain"], row["gain_error"])
    later = tables.with_error(row["outside_gain"], row["outside_gain_error"])
    assert said["sp-front-later"] == later
    assert tables.needed()["topics"][["AP", "P@10"]].tolist() == [63, 209]


# Figures


def titles(figure):
    """Return what the marks of a figure say."""
    return [one.get_text() for one in BeautifulSoup(figure.svg, "html.parser").find_all("title")]


FIGURES = {
    "kinds": (drawings.draw_kinds, 15),
    "losses": (drawings.draw_losses, 50),
    "runs": (drawings.draw_runs, 170),
    "buys": (drawings.draw_buys, None),
    "ways": (drawings.draw_ways, 36),
    "needs": (drawings.draw_needs, 2 * (14 + 14 + 10)),
    "turned": (drawings.draw_sign_reversals, 32),
    "back-test": (drawings.draw_back_test, 45),
}


@pytest.mark.parametrize("name", FIGURES)
def test_each_mark_of_a_figure_has_a_name_and_a_value(name):
    draw, count = FIGURES[name]
    said = titles(draw())
    assert count is None or len(said) == count
    assert all(re.fullmatch(r"[^:]*[^:\s]: \S.*", one) for one in said)


def test_the_finding_shows_what_the_table_says():
    figure = drawings.draw_kinds()
    manual = table("losses").loc[("trec8", "manual", 10, "AP"), "share"]
    assert f"TREC-8, manual: share of AP lost {manual:.3f}" in "".join(titles(figure))
    assert figure.data.shown.loc["10", "TREC-8, manual"] == f"{manual:.1%}"


@pytest.mark.parametrize("kind", ["all", "automatic", "manual"])
def test_the_figure_of_losses_shows_the_table(kind):
    found = drawings.draw_losses(("trec8",), kind=kind)
    share = table("losses").loc[("trec8", kind, 10, "AP"), "share"]
    assert f"{share:+.1%}".replace("-", "−") in found.data.to_html().replace("-", "−")
    assert "TREC-8" in found.caption


@pytest.mark.parametrize(
    "collection, sides", [("trec8", 2), ("trec-covid", 2), ("trec5", 1), ("dl19", 1)]
)
def test_the_figure_of_ways_has_the_outside_where_groups_are_known(collection, sides):
    found = drawings.draw_ways(collection)
    assert ("over groups" in found.caption) == (sides == 2)
    assert "sample" in found.data.to_html()
