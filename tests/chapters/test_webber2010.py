"""Webber, Moffat and Zobel 2010, against the printed numbers (EVIA 2010, pages 7-15).

Each test names the table, figure or section of the paper that it holds ours against.
"""

from dataclasses import replace

import pandas as pd
import pytest
from committed import moved_rows
from way_of_a_claim import now_and_then

from chapters.ledger.published import cells
from chapters.webber2010 import PAPER, depth, drawings, quantities, tables
from chapters.webber2010.claims import slight
from chapters.webber2010.depth import in_single_precision
from chapters.webber2010.quantities import Data
from lib import load
from lib.collection import askable, limits


def test_a_column_of_table_1_is_the_papers_by_what_the_collection_holds(trec8):
    assert set(tables.table1(replace(trec8, name="mine"))["column"]) == {"TREC-8 ad hoc"}
    # As many runs and topics as the paper had of TREC-5, and yet not those.
    few = trec8.select(systems=list(trec8.systems.index[:61]))
    assert set(tables.table1(few)["column"]) == {"trec8"}


# The choices that the paper does not state; test_oracles.py has what the originals say of them;
# what is scored at once equals one measure at a time (Figures 3 and 4): test_measures.py


def test_single_precision_moves_few_hits_and_leaves_the_documents(trec8):
    single = in_single_precision(trec8)
    both = trec8.hits.merge(single.hits, on=["topic", "system", "document"], validate="one_to_one")
    assert len(both) == len(single.hits) == len(trec8.hits)
    assert 1000 < (both["rank_x"] != both["rank_y"]).sum() < 1100
    assert not single.hits.duplicated(["topic", "system", "rank"]).any()


# Claims


def test_what_is_computed_at_once_is_that_of_a_collection_without_the_topic(trec8):
    """Powers, points and taus of p values without the first and the last topic."""
    column, power = quantities.power_in_table1(trec8), quantities.power_by_setting(trec8)
    points, p_taus = quantities.means_in_figure2(trec8), quantities.taus_in_table3(trec8)
    assert quantities.power_by_setting(trec8) is power
    for i in (0, -1):
        others = trec8.select(topics=trec8.topics.index.drop(trec8.topics.index[i]))
        own = tables.table1(others).set_index("row")["value"].astype(float).drop("mean")
        assert column.topics[i].to_dict() == pytest.approx(own.to_dict(), abs=1e-12)
        again = depth.powers_at(others, (*depth.FORMS, *depth.EXPANDED), *askable(others))
        pd.testing.assert_frame_equal(power.topics[i], depth.by_setting(again))
        pd.testing.assert_frame_equal(
            points.topics[i], depth.figure2(others).drop(columns="type"), check_names=False
        )
        taus = tables.table3(others).set_index(["row", "column"])["value"]
        assert p_taus.topics[i][(10, 10, "RBP"), (100, 100, "RBP")] == pytest.approx(
            taus["10/10 RBP", "100/100 RBP"], abs=1e-9
        )


def test_of_table_1_what_can_be_computed_is_ours_and_the_rest_as_printed(trec8):
    data = Data(trec8)
    columns = quantities.table1_columns(data)
    ours = [*tables.COLUMN_OF.values(), tables.ROBUST]
    as_printed = data.table1.drop(index="mean").astype(float)
    assert columns.drop(columns=ours).equals(as_printed.drop(columns=ours))
    assert (columns[ours] - as_printed[ours]).abs().gt(0).any().all()


@pytest.mark.parametrize(
    ("gain", "holds"), [(0.005, True), (0.0, False), (-0.001, False), (0.01, False)]
)
def test_a_slight_gain_is_one_and_less_than_a_plain_one(gain, holds):
    """Figures 3 and 4: "slight", one yardstick for DCG's normalization and standardization."""
    assert bool((slight(gain, 0.01) > 0).all()) is holds


def test_a_cell_that_is_not_published_is_refused(trec8):
    paper = replace(PAPER, cells={"Table 9": lambda d: cells([("no such", "cell", 1.0)])})
    with pytest.raises(ValueError, match="not in data/published: .*no such"):
        paper.check(Data(trec8))


# Other collections


def test_trec_covid_answers_for_shallow_pools_only(trec8):
    covid = load("trec-covid")
    table = limits(covid)
    assert table.index[table["pool"]].tolist() == [5, 10]
    assert table.index[table["evaluation"]].tolist() == [5, 10, 20, 50, 100, 200]
    with pytest.raises(ValueError, match="no pool of depth 20: .*never judged"):
        askable(covid, pools=(5, 20), depths=(5, 10))
    with pytest.raises(ValueError, match="no evaluation to depth 500: .*lists are that long"):
        drawings.panel("AP", "raw", 5, 500, collection=covid)
    with pytest.raises(ValueError, match="unknown"):
        limits(trec8.pooled(10))


def test_panels_of_figures_3_and_4_stand_in_rows_of_families_and_columns_of_forms(trec8):
    """Of each measure a thicker line is a deeper pool, and crosses are full assessment."""
    few = trec8.select(systems=trec8.systems.index[::12])
    for draw, table in (
        (drawings.draw_figure3, depth.figure3(few)),
        (drawings.draw_figure4, depth.figure4(few)),
    ):
        at, power = {}, table.set_index(["measure", "pool", "depth"]).sort_index()["power"]
        for axes in draw(table).drawing.axes:
            place, name = axes.get_subplotspec(), axes.get_title("left")
            family, form = (depth.EXPANDED | depth.FORMS)[name]
            for kind, way in ((family, place.rowspan), (form, place.colspan)):
                at.setdefault(kind, set()).add(way.start)
            *lines, full = axes.lines
            widths = [line.get_linewidth() for line in lines]
            assert widths == sorted({*widths})
            depths = [*full.get_xdata()]
            assert depths == sorted({*table["pool"]} & {*table["depth"]})
            assert [*full.get_ydata()] == [power[name, one, one] for one in depths]
        assert all(len(places) == 1 for places in at.values())


def test_the_figure_of_table_3_says_which_change_alone_reshuffles_most():
    """Of settings that differ in one thing; those that differ in two are left out."""
    rows = [
        ("10/10 RBP", "10/100 RBP", "0.61", 0.6),
        ("10/100 RBP", "100/100 RBP", "0.8", 0.91),
        ("10/10 nDCG", "10/10 RBP", "0.72", 0.7),
        ("100/100 nDCG", "100/100 RBP", "0.7", 0.74),
        ("10/10 nDCG", "100/100 RBP", "0.1", 0.1),
    ]
    figure = drawings.draw_table3(
        pd.DataFrame(rows, columns=["row", "column", "published", "reproduced"])
    )
    said = "A longer look reshuffles the pairs more than another measure or deeper judging does."
    assert figure.caption.startswith(said)
    printed, ours = (line.get_xydata().tolist() for line in figure.drawing.axes[0].lines)
    places = {"pool depth": 0, "measure": 1, "evaluation depth": 2}
    assert [label.get_text() for label in figure.drawing.axes[0].get_yticklabels()] == [*places]
    assert sorted(ours) == [[0.6, 2], [0.7, 1], [0.74, 1], [0.91, 0]]
    assert sorted(printed) == [[0.61, 2], [0.7, 1], [0.72, 1], [0.8, 0]]


@pytest.mark.parametrize(
    ("tau", "lost", "said"),
    [
        (0.95, 0.1, "the order survives, and the leaders' lead shrinks."),
        (0.5, -0.1, "the order changes, and the leaders' lead does not shrink."),
    ],
)
def test_the_title_of_figure_2_says_what_becomes_of_order_and_leaders(tau, lost, said):
    deep = pd.Series(range(20, 0, -1), [f"run{i}" for i in range(20)]) / 20
    extended = deep - lost * (deep >= deep.iloc[10])  # eleven lead
    points = pd.DataFrame({"shallow": deep, "extended": extended, "deep": deep, "type": ""})
    rows = [("shallow", "deep", 0.7), ("extended", "deep", tau), ("shallow", "extended", 0.7)]
    taus = pd.DataFrame(rows, columns=["row", "column", "value"])
    caption = drawings.draw_figure2(points, taus).caption
    assert caption.startswith(f"Judge ten and look at a hundred: {said}")
    few = drawings.draw_figure2(points.head(5), taus).caption  # who all lead
    assert few.startswith(f"Judge ten and look at a hundred: {said.partition(',')[0]}.")


@pytest.mark.frozen("claims")
def test_the_committed_rows_of_webber2010_are_the_computed_ones():
    assert moved_rows("webber2010") == []
    pd.testing.assert_frame_equal(*now_and_then("webber2010"), rtol=0, atol=2e-6)
