"""The committed tables of chapter 6: their statement, their claims, and what carries them."""

import pytest
from matplotlib.axes import Axes

from chapters.data_tables import read
from chapters.left_out.pooled import SCORED
from chapters.left_out.tables import losses_by_kind
from chapters.spending import drawings, tables
from chapters.spending.tables import keyed
from lib import load, scores

# What the chapter says without an interval: of a row of a table a number, and between what it lies.
FACTS = {
    ("losses", ("trec8", "manual", 100, "AP"), "worst"): (0, 0.1),
    ("losses", ("trec8", "manual", 10, "AP"), "most"): (30, 128),
    ("ways", ("trec8", "depth", 1, "AP"), "flattery"): (0.1, 1),
    ("turns", ("robust04", "AP", 50, "t"), "turned"): (0, 0.02),
    ("turns", ("robust04", "AP", 50, "Holm"), "turned"): (0, 0.001),
}


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_what_the_chapter_says_is_so(fact):
    name, row, column = fact
    least, most = FACTS[fact]
    table = losses_by_kind() if name == "losses" else keyed(name)
    assert least <= table.loc[row, column] <= most


def test_whether_ap_or_p10_needs_fewer_topics_hangs_on_the_collection():
    needed = read("spending", "needs").pivot(index="source", columns="measure")["needed"]
    times = needed["P@10"] / needed["AP"]
    assert 0.8 < times["trec8"] < 1.25 and times["dl19"] < 0.75 and 2 < times["trec-covid"] < 10


def test_losses_are_means_of_the_runs_and_their_shares():
    rows = read("spending", "losses").dropna(subset="share")
    share = 1 - rows["outside"] / rows["inside"]
    assert rows["share"].to_numpy() == pytest.approx(share.to_numpy(), abs=1e-4)
    assert (rows["worst"] >= rows["share"] - 1e-4).all()
    runs = read("spending", "runs").query("collection == 'trec8' and depth == 10")
    runs = runs[runs["measure"] == "AP"]
    for kind, part in [("all", runs), *runs.groupby("type")]:
        row = losses_by_kind().loc[("trec8", kind, 10, "AP")]
        assert len(part) == row["runs"]
        assert part["outside"].mean() == pytest.approx(row["outside"], abs=1e-5)
        moved = part["rank_outside"] - part["rank_inside"]
        assert (moved.mean(), moved.max()) == pytest.approx((row["places"], row["most"]), abs=1e-4)


def assert_committed(trec8, run, measures):
    """The scores of a run with its group in the pool and without are those of the table."""
    rows = read("spending", "runs").query("collection == 'trec8' and depth == 10 and run == @run")
    rows, facts = rows.set_index("measure"), trec8.systems
    fed = facts.index[facts["pooled"] == "yes"]
    others = fed[facts.loc[fed, "group"] != facts.loc[run, "group"]]
    for side, by in (("inside", fed), ("outside", others)):
        judged = trec8.pooled(10, by=by)
        for measure in measures:
            score = scores(judged, SCORED[measure])[run].fillna(0).mean()
            assert score == pytest.approx(rows.loc[measure, side], abs=1e-5), (run, measure, side)


@pytest.mark.frozen("spending")
@pytest.mark.parametrize("run", ["READWARE", "CL99SD"])
def test_a_run_out_of_the_pool_scores_what_the_packages_hits_say(run):
    """Of measures that ask for no judged non-relevant documents; the others: test_oracles.py."""
    assert_committed(load("trec8"), run, ["AP", "P@10", "nDCG@20"])


# What is shown: the chapter's stored outputs hold the tables; here they are found in a second way.


def test_nothing_that_a_budget_pays_is_better_than_the_best_buy():
    rows = read("spending", "ways").query("way == 'depth'")
    titles = {"TREC-8": "trec8", "TREC-COVID": "trec-covid"}
    for (title, budget), found in tables.best_buys().iterrows():
        paid = rows[(rows["collection"] == titles[title]) & (rows["judgements"] <= budget)]
        assert found[["placed in the pool", "placed later"]].tolist() == pytest.approx(
            paid[["inside", "outside"]].max().tolist()
        )


def test_promises_are_drawn_with_their_reach_and_with_what_was_seen(monkeypatch):
    plotted, plot = [], Axes.plot

    def note(axes, x, *rest, **look):
        plotted.append([*x])
        return plot(axes, x, *rest, **look)

    monkeypatch.setattr(Axes, "plot", note)
    drawings.draw_promises()
    for row in tables.coverage().xs("all", level="order of").itertuples():
        assert [row.promised - row.reach, row.promised + row.reach] in plotted
        assert [row.promised, row.seen] in plotted and [row.promised] in plotted


def test_the_alternative_of_the_back_test_names_the_largest_and_the_smallest_gain():
    rows = read("spending", "backtest").query("topic_cost == 0 and held == 'topics and groups'")
    gains, shown = rows[[*tables.BASELINES]].stack(), drawings.draw_back_test().to_html()
    for key in (gains.idxmax(), gains.idxmin()):
        assert f" {gains[key]:+.2f}, over {key[1]} (" in shown
