"""The committed tables of the study of spending: their statement, their claims, the originals."""

import hashlib
import json

import numpy as np
import pytest

from lib import load
from lib.collection import derive
from lib.measures import complete_scores
from lib.paths import DATA
from lib.studies.spending.budgets import COSTS
from lib.studies.spending.claims import CLAIMS, claims
from lib.studies.spending.drawings import draw_losses, draw_ways
from lib.studies.spending.pilot import pilot
from lib.studies.spending.planner import WIDER
from lib.studies.spending.pooled import SCORED
from lib.studies.spending.read import TABLES, read
from lib.studies.spending.standing import JUDGED, advised, fewer_topics

PACKAGE = json.loads((DATA / "spending" / "datapackage.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TABLES)
def test_the_statement_describes_each_table(name):
    (entry,) = (part for part in PACKAGE["resources"] if part["name"] == name)
    text = (DATA / "spending" / entry["path"]).read_bytes()
    assert entry["hash"] == "sha256:" + hashlib.sha256(text).hexdigest()
    table = read(name)
    assert entry["rows"] == len(table)
    assert [field["name"] for field in entry["schema"]["fields"]] == list(table)
    assert not table.duplicated(entry["schema"]["primaryKey"]).any()
    assert all(field["description"] for field in entry["schema"]["fields"])


def test_there_are_no_other_tables():
    assert {part["name"] for part in PACKAGE["resources"]} == set(TABLES)
    with pytest.raises(ValueError, match="name must be one of"):
        read("nothing")


@pytest.mark.parametrize("name", CLAIMS)
def test_what_the_study_says_is_so(name):
    row = claims().loc[name]
    assert row["holds"], f"{row['says']}: {row['number']:.4f}"


def test_shares_are_those_of_the_scores():
    table = read("losses").dropna(subset="share")
    assert table["share"].to_numpy() == pytest.approx(
        1 - (table["outside"] / table["inside"]).to_numpy(), abs=1e-4
    )
    assert (table["worst"] >= table["share"] - 1e-4).all()


def test_losses_are_means_of_the_runs():
    runs = read("runs").query("collection == 'trec8' and depth == 10 and measure == 'AP'")
    losses = read("losses").set_index(["collection", "depth", "measure", "kind"])
    for kind, part in [("all", runs), *runs.groupby("type")]:
        row = losses.loc[("trec8", 10, "AP", kind)]
        assert len(part) == row["runs"]
        assert part["outside"].mean() == pytest.approx(row["outside"], abs=1e-5)
        moved = part["rank_outside"] - part["rank_inside"]
        assert (moved.mean(), moved.max()) == pytest.approx((row["places"], row["most"]), abs=1e-4)


def test_a_run_out_of_the_pool_scores_what_the_packages_hits_say():
    """Of measures that ask for no judged non-relevant documents the package is enough."""
    trec8 = load("trec8")
    runs = read("runs").query("collection == 'trec8' and depth == 10 and measure == 'AP'")
    row = runs.set_index("run")
    facts = trec8.systems
    fed = facts.index[facts["pooled"] == "yes"]
    for run in ("READWARE", "CL99SD"):
        others = fed[facts.loc[fed, "group"] != facts.loc[run, "group"]]
        for by, column in ((fed, "inside"), (others, "outside")):
            score = complete_scores(trec8.pooled(10, by=by), "AP")[run].mean()
            assert score == pytest.approx(row.loc[run, column], abs=1e-5)


def test_a_run_out_of_the_pool_scores_what_the_originals_say(originals):
    folder = originals / "trec8"
    trec8 = derive(
        folder / "inputs",
        folder / "qrels.trec8.adhoc.txt",
        systems=DATA / "trec8" / "systems.tsv",
        judged=True,
    )
    facts = trec8.systems
    fed = facts.index[facts["pooled"] == "yes"]
    others = fed[facts.loc[fed, "group"] != facts.loc["READWARE", "group"]]
    row = read("runs").set_index(["collection", "depth", "measure", "run"]).sort_index()
    for by, column in ((fed, "inside"), (others, "outside")):
        judged = trec8.pooled(10, by=by)
        for measure in ("Bpref", "condensed AP", "RBP residual", "unjudged@10"):
            score = SCORED[measure](judged)["READWARE"].fillna(0).mean()
            said = row.loc[("trec8", 10, measure, "READWARE"), column]
            assert score == pytest.approx(said, abs=1e-5)


def test_every_way_has_every_cost():
    table = read("ways")
    for _, part in table.groupby(["collection", "topics"]):
        assert len(part) == len(COSTS) * (3 * 4 + 1)
    whole = table[table["way"] == "depth"]
    assert (whole["gain"] == 0).all()
    # Groups are known of two collections.
    known = table.groupby("collection")["outside"].count()
    assert known[known > 0].to_dict() == {"trec-covid": 390, "trec8": 390}
    assert set(known.index[known == 0]) == {"trec5", "dl19", "dl21"}


def test_the_back_test_is_as_large_as_is_said_and_the_interval_holds():
    table = read("backtest")
    assert set(table["collection"]) == {"trec8", "trec5", "dl19", "dl21", "trec-covid"}
    assert (table["tries"] >= 200).all()
    assert table["widened"].between(0.88, 0.99).all()
    assert WIDER == 1.1


def test_the_papers_are_advised_on_the_question_that_they_asked():
    table = advised().set_index(["paper", "measure"])
    assert (table["needed_all"] > table["needed"]).all()
    # Half-widths and numbers of topics go together: both fall with the spread alone.
    assert (np.argsort(table["half_width"]) == np.argsort(table["needed"])).all()


def test_both_readings_of_fewer_topics():
    made = fewer_topics(pilot(load("trec8")))
    price = made.loc["P@10 on all topics", "judgements"]
    assert made.loc["as many judgements", "judgements"] <= price
    assert made.loc["whatever it costs", "judgements"] > price
    assert made.loc["as planned", "judgements"] <= JUDGED
    assert made["phi"].idxmax() == "as planned"


@pytest.mark.parametrize("kind", ["all", "automatic", "manual"])
def test_the_figure_of_losses_shows_the_table(kind):
    found = draw_losses(("trec8",), kind=kind)
    row = read("losses").set_index(["collection", "kind", "depth", "measure"])
    share = row.loc[("trec8", kind, 10, "AP"), "share"]
    assert f"{share:+.1%}".replace("-", "−") in found.data.to_html().replace("-", "−")
    assert "TREC-8" in found.caption


@pytest.mark.parametrize(
    "collection, sides", [("trec8", 2), ("trec-covid", 2), ("trec5", 1), ("dl19", 1)]
)
def test_the_figure_of_ways_has_the_outside_where_groups_are_known(collection, sides):
    found = draw_ways(collection)
    assert ("over groups" in found.caption) == (sides == 2)
    assert "sample" in found.data.to_html()
