"""Webber, Moffat and Zobel 2010, against the printed numbers (EVIA 2010, pages 7-15).

Each test names the table, figure or section of the paper that it holds ours against.
"""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib import Collection, load, means, scores
from lib.claims import findings
from lib.collection import DEPTHS, POOLS, derive, limits, load_scores
from lib.display import figures
from lib.ledger import committed
from lib.measures import persistence, scores_at, standardized
from lib.papers.webber2010 import PAPER, depth, drawings, evidence, tables
from lib.papers.webber2010.choices import choices, in_single_precision
from lib.papers.webber2010.claims_on_depth import slight
from lib.papers.webber2010.evidence import CLOSE, LEVEL, Evidence, q_measure
from lib.paths import DATA
from lib.published import Answer, compare, printed
from lib.statistics.significance import discriminative_power


@pytest.fixture(scope="module")
def trec8():
    return load("trec8")


@pytest.fixture(scope="module")
def grid(trec8):
    return depth.grid(trec8)


def reproduced(place, ours):
    """Return the printed values of a place that ours covers, and how they compare."""
    found = compare("webber2010", place, ours)
    return found[found["reproduced"].notna() & (found["published"] != "yes")]


# Published values at the printed precision: half a unit of the last printed digit, no more


PLACES = {
    "Table 1": (tables.table1, 6),
    "Table 2": (tables.table2, 45),
    "Table 3": (tables.table3, 36),
    "Figure 2": (depth.figure2_taus, 3),
    "Section 4.2": (depth.powers_in_text, 9),
    "Section 4.1": (lambda c: tables.group_means(tables.table2(c)), 4),
}


@pytest.mark.parametrize("place", PLACES)
def test_all_numbers_of_trec8_come_out(trec8, place):
    compute, number = PLACES[place]
    found = reproduced(place, compute(trec8))
    assert len(found) == number
    assert (found["verdict"] == "reproduced").all()
    half = 0.5 * 10.0 ** -found["published"].str.partition(".")[2].str.len()
    assert (found["difference"].abs() <= half + 1e-9).all()


def test_pairs_with_the_same_scores_decide_three_numbers_of_the_text(trec8):
    """Kept in the count they leave R@100, standardized AP@10 and nDCG@20 .001 low."""
    found = reproduced("Section 4.2", depth.powers_in_text(trec8, identical="kept"))
    low = found[found["verdict"] == "differs"]
    assert set(low["row"]) == {"recall-100", "standardized-ap-10", "ndcg-20-pool-20"}
    assert (low["difference"] < 0).all()


def test_persistence_of_equation_7():
    for k, p in tables.PRINTED_P.items():
        digits = len(str(p)) - 2
        assert round(persistence(residual=0.1, k=k), digits) == p


def test_shares_of_rank_weight():
    shares = tables.weight_shares()
    assert shares["of base"][["DCG", "RBP(p=0.9977)"]].round(2).tolist() == [0.82, 0.77]
    # RBP's is that of the weight down to rank 1,000; of all its weight it would be 69%.
    assert round(shares.loc["RBP(p=0.9977)", "of all"], 2) == 0.69
    assert np.isnan(shares.loc["DCG", "of all"])


def test_weights_of_ranks_by_hand():
    weights = tables.figure1(ranks=4, ps=(0.5,))
    assert weights["DCG"].tolist() == pytest.approx([1, 1, 1 / np.log2(3), 0.5])
    assert weights["RBP(p=0.5)"].tolist() == [0.5, 0.25, 0.125, 0.0625]


# The choices that the paper does not state


def test_each_choice_made_otherwise_misses_cells_but_two_that_table_3_does_not_tell(trec8):
    chosen = choices(trec8)
    counts = chosen.iloc[:, 3:]
    assert counts.iloc[0].tolist() == [6, 45, 36, 3, 9]
    fewer = (counts.iloc[1:] < counts.iloc[0]).any(axis=1)
    left = chosen.iloc[1:][~fewer]
    assert left["choice"].tolist() == ["identical pairs", "RBP, p"]
    assert left["otherwise"].tolist() == ["left out", "printed, .8"]
    assert (left["Table 3"] == 36).all()


def test_single_precision_is_what_the_originals_say(originals, trec8):
    folder = originals / "trec8"
    theirs = derive(
        folder / "inputs",
        folder / "qrels.trec8.adhoc.txt",
        scores="single",
        systems=folder / "systems.tsv",
    )
    ours = in_single_precision(trec8)
    pd.testing.assert_frame_equal(ours.hits, theirs.hits[ours.hits.columns], check_dtype=False)


def test_single_precision_moves_few_hits_and_leaves_the_documents(trec8):
    single = in_single_precision(trec8)
    key = ["topic", "system", "document"]
    assert len(single.hits) == len(trec8.hits)
    both = trec8.hits.merge(single.hits, on=key, validate="one_to_one")
    assert 1000 < (both["rank_x"] != both["rank_y"]).sum() < 1100
    assert not single.hits.duplicated(["topic", "system", "rank"]).any()


def test_the_data_package_of_moved_hits_is_sound():
    folder = DATA / "trec8-single"
    resource = json.loads((folder / "datapackage.json").read_text())["resources"][0]
    content = (folder / "moved.csv").read_bytes()
    assert resource["hash"] == "sha256:" + hashlib.sha256(content).hexdigest()
    assert resource["rows"] == content.count(b"\n") - 1


# Figures 3 and 4: the one pass over the hits equals the measures, one by one


def name(measure, k):
    gain, p = "(discount=2002,rel=1)", persistence(residual=0.1, k=k)
    options = {
        "DCG": gain,
        "nDCG": gain,
        "enDCG": gain,
        "RBP": f"(p={p!r},rel=1)",
        "nRBP": f"(p={p!r},rel=1)",
    }
    return f"{measure}{options.get(measure, '')}@{k}"


@pytest.mark.parametrize("measure", ["P", "R", "DCG", "nDCG", "enDCG", "AP", "aAP", "RBP", "nRBP"])
def test_grid_equals_one_measure_at_a_time(trec8, grid, measure):
    at = grid.set_index(["measure", "pool", "depth"])["power"]
    for pool in (5, 100):
        judged = trec8.pooled(pool)
        for k in DEPTHS:
            table = scores(judged, name(measure, k))
            power = discriminative_power(table, alpha=0.05, identical="left out")
            assert at[(measure, pool, k)] == power, (pool, k)


@pytest.mark.parametrize(
    ("measure", "plain"), [("sP", "R"), ("sDCG", "nDCG"), ("sAP", "AP"), ("sRBP", "nRBP")]
)
def test_standardized_columns_do_not_hang_on_the_normalization(trec8, grid, measure, plain):
    at = grid.set_index(["measure", "pool", "depth"])["power"]
    for k in (10, 100):
        table = standardized(scores(trec8.pooled(10), name(plain, k)), ddof=1)
        power = discriminative_power(table, alpha=0.05)
        # Rounding may tell apart what is identical before scaling, so identical pairs are kept in.
        assert at[(measure, 10, k)] == pytest.approx(power, abs=4 / 8256)


@pytest.mark.parametrize(
    ("figure", "measures"), [(depth.figure3, depth.FIGURE_3), (depth.figure4, depth.FORMS)]
)
def test_figures_3_and_4_are_parts_of_the_grid(trec8, grid, figure, measures):
    key = ["measure", "pool", "depth"]
    pd.testing.assert_frame_equal(
        figure(trec8).sort_values(key, ignore_index=True),
        grid[grid["measure"].isin(measures)].sort_values(key, ignore_index=True),
    )


# The ledger, as it is committed


@pytest.fixture(scope="module")
def rows():
    return committed("webber2010")


def test_what_differs_is_known_and_has_its_cause(rows):
    differing = rows[rows["verdict"] == "differs"]
    assert set(differing["row"]) == {
        "AP@1000",  # of TREC-5, a misprint it seems; the mean of the printed cells
        "mean",  # of printed cells, off by what rounding explains
        "rbp-0.95-weight-101-1000",
        "trec8-groups",
        "best-manual-runs-lead-by-ap10",
        "rbp-0.8-pooled-to-depth-10",
        "second-run-middle-by-reinforcement",
        "top-runs-are-manual",
    }
    in_table = differing[differing["place"] == "Table 1"].set_index(["row", "column"])
    own = in_table[in_table["evidence"] == "recomputed from runs"]
    assert own.index.tolist() == [("AP@1000", "TREC-5 ad hoc")]
    printed_means = in_table.drop(index=own.index)
    assert set(printed_means["evidence"]) == {"arithmetic on printed numbers"}
    assert printed_means["cause"].str.contains("rounded").all()
    assert (differing["cause"] != "").all()


def test_only_the_other_three_collections_are_not_public(rows):
    hidden = rows[rows["verdict"] == "data not public"]
    others = "trec2001|trec2004|trec2005|larger-collection|most-fully-pooled"
    table = hidden["place"] == "Table 1"
    assert hidden[~table]["row"].str.contains(others).all()
    assert not hidden["column"].isin(["TREC-8 ad hoc", "TREC-5 ad hoc"]).any()
    robust = hidden[hidden["column"] == "TREC 2004 Robust"]
    assert set(robust["row"]) == {"RBP(p=0.8)", "RBP(p=0.95)", "nDCG@1000"}
    assert robust["cause"].str.contains("scores by AP and P@10 are public").all()


def test_yardsticks_stand_in_one_place():
    """Section 4.2 calls .669 to .675 small; section 4.1 calls .86 as close as a mean of .8475."""
    assert pytest.approx(0.675 - 0.669) == LEVEL
    taus = printed("webber2010", "Table 2")
    others = ["P@1000", "R@1000", "nDCG@1000", "RBP(p=0.9977)"]
    pairs = [("P@1000", "AP@1000"), ("R@1000", "AP@1000")]
    pairs += [("AP@1000", name) for name in others[2:]]
    mean = np.mean([float(taus.loc[pair]) for pair in pairs])
    assert abs(float(taus.loc["AP@10", "AP@1000"]) - mean) < CLOSE
    assert set(evidence.yardsticks()["yardstick"]) >= {0.005, 0.006, 0.01, 0.02, 0.05, 0.9, 0.95}


# A claim turns when the data do


def answer(e, place, slug):
    return Answer.of(PAPER.claims.rows[slug](e))


def holding(e, *claims):
    """Return which claims, of place and slug, hold."""
    return [answer(e, *claim).value for claim in claims]


def test_claims_on_the_other_collections_are_read_from_the_printed_table(trec8):
    table = printed("webber2010", "Table 1")
    claims = [
        ("Section 4", "trec2001-p10-rbp-0.8-least"),
        ("Section 4", "best-metric-is-ndcg-or-ap"),
        ("Table 1", "trec2001-most-discriminative-ndcg"),
    ]
    assert holding(Evidence(trec8, table), *claims) == [True, True, True]
    table.loc["RBP(p=0.8)", "TREC 2001 Web"] = "0.627"  # level with RBP .95
    table.loc["AP@1000", "TREC 2001 Web"] = "0.674"
    assert holding(Evidence(trec8, table), *claims) == [False, True, False]
    table.loc["RBP(p=0.8)", "TREC 2001 Web"] = "0.626"
    assert holding(Evidence(trec8, table), *claims) == [True, True, False]
    table.loc["P@10", "TREC 2001 Web"] = "0.999"
    assert holding(Evidence(trec8, table), *claims) == [False, False, False]


def test_claims_on_trec5_are_decided_by_its_own_runs_and_topics(trec8):
    """Section 4 and Table 1: on 50 topics of TREC-5 none of them can be told, either way."""
    claims = [
        ("Section 4", "trec5-ndcg-beats-rbp-0.95"),
        ("Section 4", "trec5-p10-rbp-0.8-least"),
        ("Table 1", "trec5-most-discriminative-ndcg"),
    ]
    whole = Evidence(trec8)
    assert holding(whole, *claims) == [None, None, None]
    least = answer(whole, *claims[1])
    own = tables.table1(load("trec5")).set_index("row")["value"].astype(float)
    assert least.estimate == pytest.approx(own["AP@1000"] - own["RBP(p=0.8)"])
    assert -0.01 < least.estimate < 0 and least.low < -0.05 and least.high > 0.05
    # The same topics and systems of another collection in its place: its numbers, not TREC-5's.
    other = Evidence(trec8, trec5=trec8.select(topics=trec8.topics.index[:6]))
    other_claim = answer(other, *claims[0])
    assert other_claim.estimate != pytest.approx(own["nDCG@1000"] - own["RBP(p=0.95)"])
    assert [len(part.collection.topics) for part in other.trec5.loo_replicates] == [5] * 6
    assert all(part.trec5 is whole.trec5 for part in whole.loo_replicates[:2])


def test_numbers_of_the_data_are_those_of_the_collection(trec8):
    few = Evidence(trec8.select(systems=list(trec8.systems.index[:100])))
    assert answer(few, "Section 3.3", "trec8-runs").value == 100
    shallow = Evidence(trec8.pooled(10))
    assert answer(shallow, "Section 3.3", "trec8-pool-depth").value == 10
    assert answer(shallow, "Section 4.2", "topics-over-100-relevant").value < 20


def test_claims_on_power_turn_with_it(trec8, grid):
    without = Evidence(trec8).loo_replicates

    def of(values):
        altered = Evidence(trec8)
        altered.power, altered.loo_replicates = values.unstack("measure"), without
        return altered

    power = grid.set_index(["pool", "depth", "measure"])["power"]
    on_depth = [
        ("Figure 4", "all-metrics-rise-with-depth"),
        ("Figure 4", "normalized-ap-hardly-ever-falls"),
        ("Figure 4", "normalized-ap-pool-5-still-rises"),
    ]
    is_deep = power.index.get_level_values("depth") >= 100
    assert holding(of(power.where(~is_deep, power + 0.3)), *on_depth[:2]) == [True] * 2
    assert holding(of(power.where(~is_deep, power - 0.3)), *on_depth) == [False] * 3
    recall = power.index.get_level_values("measure") == "R"
    weakest = ("Figure 4", "weakest-at-100-is-recall")
    assert holding(of(power.where(~recall, power - 0.3)), weakest) == [True]
    against = [weakest, ("Section 4.2", "dcg-and-ap-weighting-helps")]
    assert holding(of(power.where(~recall, power + 0.3)), *against) == [False] * 2
    # As it is, neither can be told: other topics may turn it around.
    assert holding(of(power), *against) == [None] * 2


def test_the_same_evidence_without_each_topic_leaves_the_printed_columns(trec8):
    """Table 1: what is printed of other collections is no sample of TREC-8's topics."""
    whole = Evidence(trec8.select(topics=trec8.topics.index[:3]))
    parts = whole.loo_replicates
    assert [len(part.collection.topics) for part in parts] == [2, 2, 2]
    assert whole.loo_replicates is parts
    for part in parts:
        pd.testing.assert_frame_equal(
            part.columns.drop(columns="TREC-8 ad hoc"), whole.columns.drop(columns="TREC-8 ad hoc")
        )
    assert (parts[0].own != whole.own).any()


def test_numbers_agree_to_the_digit_and_yet_are_inconclusive(rows):
    """Table 1: AP in bold before nDCG; Section 4: nDCG ahead of RBP; of TREC-8, both."""
    rows = rows.set_index(["place", "row", "column"])
    cells = rows.loc["Table 1"].xs("TREC-8 ad hoc", level="column")
    assert (cells["verdict"] == "reproduced").all()
    claims = rows.xs("claim", level="column")
    for claim in [
        ("Table 1", "trec8-most-discriminative-ap"),
        ("Section 4", "trec8-ndcg-beats-rbp-0.95"),
        ("Conclusion", "depth-over-metric"),
        ("Abstract", "ndcg-slight-edge"),
    ]:
        assert claims.loc[claim, "verdict"] == "inconclusive"
        assert float(claims.loc[claim, "low"]) < 0 < float(claims.loc[claim, "high"])
    for claim in [
        ("Conclusion", "depth-over-metric-in-rankings"),
        ("Conclusion", "depth-over-metric-in-significance"),
        ("Section 1", "ap-more-stable-than-p10"),
    ]:
        assert claims.loc[claim, "verdict"] == "reproduced" and float(claims.loc[claim, "low"]) > 0


@pytest.mark.parametrize(
    ("gain", "holds"), [(0.005, True), (0.0, False), (-0.001, False), (0.01, False)]
)
def test_a_slight_gain_is_one_and_less_than_a_plain_one(gain, holds):
    """Figures 3 and 4: "slight", one yardstick for DCG's normalization and standardization."""
    assert slight(lambda e: gain)(object()).value is holds


def test_q_measure_by_hand():
    """Sakai 2006: 2j / (i + min(i, R)) at the j-th relevant document, at rank i."""
    runs = {"A": {"t": ["r", "x", "s"]}, "B": {"t": ["x", "y"]}}
    toy = Collection.from_rankings(runs, {"t": {"r": 1, "s": 1}})
    assert q_measure(toy).loc["t"].tolist() == [pytest.approx((1 + 4 / 5) / 2), 0.0]


def test_numbers_in_the_text_are_those_of_the_grid_above(grid):
    """Section 4.2: another grid, another number; a grid without depth 100, none of it."""
    assert len(depth.powers_of(grid)) == 9
    other = grid.assign(power=grid["power"] / 2)
    assert depth.powers_of(other)["value"].iloc[0] == depth.powers_of(grid)["value"].iloc[0] / 2
    shallow = depth.powers_of(grid[(grid["depth"] < 100) & (grid["pool"] < 100)])
    assert shallow["row"].tolist() == [
        "recall-10",
        "standardized-ap-10",
        "ndcg-20-pool-20",
        "ndcg-20-pool-5",
    ]


def test_a_claim_that_is_not_published_is_refused(trec8):
    claims = replace(PAPER.claims, cells={}, rows={"no-such-claim": lambda e: True})
    with pytest.raises(ValueError, match="not in data/published: no-such-claim"):
        findings("webber2010", claims, Evidence(trec8))


# READWARE


def test_readwares_fall_is_the_length_of_its_lists(trec8):
    """Section 4.1 blames the pool: among lists as short as its own the run is first of 129.

    Second shallow and deep, third extended, in the middle at 100/1000, as the paper says.
    """
    lengths = trec8.retrieved[:, trec8.systems.index.get_loc("READWARE")]
    assert round(lengths.mean()) == 61
    assert (lengths < 100).mean() == 0.84
    ranks = depth.rank_by_depth("READWARE", trec8)
    assert ranks.loc[1000].to_dict() == {"pool 10": 36, "pool 100": 51, "lists as short": 1}
    assert ranks.loc[10, "pool 10"] == 2
    assert ranks.loc[100].to_dict() == {"pool 10": 3, "pool 100": 2, "lists as short": 1}
    cut = depth.truncate_lists("READWARE", trec8)
    assert (cut.retrieved <= lengths[:, None]).all()
    mean = means(cut, ["nDCG(discount=2002,rel=1)@1000"]).iloc[:, 0]
    assert round(mean["READWARE"], 3) == 0.565
    others = mean[trec8.systems["group"] != trec8.systems.loc["READWARE", "group"]]
    assert round(others.max(), 3) == 0.449


def test_cutting_lists_to_those_of_the_longest_run_changes_nothing(trec8):
    longest = trec8.systems.index[(trec8.retrieved == 1000).all(axis=0)][0]
    same = depth.truncate_lists(longest, trec8)
    pd.testing.assert_frame_equal(same.hits, trec8.hits)
    with pytest.raises(ValueError, match="no run 'NOBODY'"):
        depth.truncate_lists("NOBODY", trec8)


def test_a_distinctive_run_needs_its_own_documents_judged(trec8):
    """Section 4.1 and the conclusion: of 129 runs READWARE loses most when it feeds no pool."""
    lost = depth.places_lost(trec8, pools=(5, 100))
    assert set(lost["run"]) == {"READWARE"}
    assert lost["most"].tolist() == [49, 3]
    assert lost.loc[5, "mean"] > 5 * lost.loc[100, "mean"]


# Drawings


def test_figure_4_has_a_panel_a_measure_and_a_line_a_pool(grid, monkeypatch):
    monkeypatch.setattr(figures, "Figure", lambda drawing, **shown: drawing)
    axes = drawings.draw_figure4(grid[grid["measure"].isin(depth.FORMS)]).axes
    assert [panel.get_title(loc="left") for panel in axes] == list(depth.FORMS)
    at = grid.set_index(["measure", "pool"]).loc[("nDCG", 20)]
    line = axes[list(depth.FORMS).index("nDCG")].get_lines()[2]
    assert line.get_label() == "pool 20"
    assert line.get_xdata().tolist() == list(DEPTHS)
    assert line.get_ydata().tolist() == at["power"].tolist()


def test_the_budget_is_drawn_over_judgements(monkeypatch):
    monkeypatch.setattr(figures, "Figure", lambda drawing, **shown: drawing)
    row = {"measure": "AP", "pool": 5, "error": 0.01}
    table = pd.DataFrame(
        [
            row | {"topics": 5, "judgements": 800, "phi": 0.5},
            row | {"topics": 25, "judgements": 4000, "phi": 0.7},
        ]
    )
    (axes,) = drawings.draw_budget(table, measures=("AP",)).axes
    (line,) = axes.get_lines()
    assert axes.get_xlabel() == "judgements"
    assert line.get_xdata().tolist() == [800, 4000]
    assert line.get_ydata().tolist() == [0.5, 0.7]


# Other collections


def test_a_column_of_table_1_is_the_papers_by_what_the_collection_holds(trec8):
    assert set(tables.table1(replace(trec8, name="mine"))["column"]) == {"TREC-8 ad hoc"}
    # As many runs and topics as the paper had of TREC-5, and yet not those.
    few = trec8.select(systems=list(trec8.systems.index[:61]))
    assert set(tables.table1(few)["column"]) == {"trec8"}
    assert set(tables.table1(load("trec-covid"))["column"]) == {"trec-covid"}


def test_no_choice_gives_the_printed_ap_of_trec5(originals):
    """Table 1 has .638; 1,164 of 1,830 pairs are significantly different by each, .636."""
    c = load("trec5")
    single = derive(originals / "trec5/inputs", originals / "trec5/qrels.txt.gz", scores="single")
    ap = scores(c, "AP@1000")
    paths = {
        "double precision": ap,
        "single precision": scores(single, "AP@1000"),
        "abbreviated": scores(c, "aAP@1000"),
        "four decimals": ap.round(4),
        "scored by others": pd.read_csv(originals / "matrices" / "adhoc5_ap.csv"),
    }
    powers = {path: discriminative_power(table, alpha=0.05) for path, table in paths.items()}
    assert powers == pytest.approx(dict.fromkeys(paths, 1164 / 1830))


def test_the_printed_mean_of_trec5s_column_speaks_for_a_misprint(rows):
    """Table 1: (.6284 + .6377 + .6607 + .6934 + AP) / 5 prints as .651 for AP below .6373."""
    at = rows.set_index(["row", "column"])
    assert "leaves AP 0.6373 at most" in at.loc[("AP@1000", "TREC-5 ad hoc"), "cause"]
    assert at.loc[("AP@1000", "mean"), "cause"].endswith("as its runs have it, the mean is 0.683")
    ours = tables.table1(load("trec5")).set_index("row")["value"].astype(float)
    for ap, mean in ((0.638, "0.652"), (0.6375, "0.652"), (ours["AP@1000"], "0.651")):
        assert f"{ours.drop('mean').where(ours.index[:-1] != 'AP@1000', ap).mean():.3f}" == mean


def test_two_cells_of_robust_2004_come_from_published_scores():
    """Table 1: .516 and .680, whatever becomes of pairs of systems with the same scores."""
    for identical in ("left out", "kept"):
        found = reproduced("Table 1", tables.robust(identical=identical))
        assert found[["row", "published"]].to_numpy().tolist() == [
            ["P@10", "0.516"],
            ["AP@1000", "0.680"],
        ]
        assert set(found["column"]) == {"TREC 2004 Robust"}
        assert (found["verdict"] == "reproduced").all()
    # All 249 topics would not: the paper takes those that were new in 2004.
    whole = load_scores("robust04")
    assert discriminative_power(whole["AP"], alpha=0.05) > 0.75


def test_table_1_has_all_cells_that_the_public_data_give():
    found = PAPER.compared("1")
    verdicts = found.groupby("column")["verdict"].value_counts().to_dict()
    assert verdicts == {
        ("TREC-8 ad hoc", "reproduced"): 6,
        ("TREC-5 ad hoc", "reproduced"): 5,
        ("TREC-5 ad hoc", "differs"): 1,
        ("TREC 2004 Robust", "reproduced"): 2,
        ("TREC 2004 Robust", "data not public"): 4,
        ("TREC 2001 Web", "data not public"): 6,
        ("TREC 2005 Terabyte", "data not public"): 6,
        ("mean", "data not public"): 6,
    }
    of_trec5 = PAPER.compared("1", load("trec5"))
    assert set(of_trec5["column"]) == {"TREC-5 ad hoc"} and len(of_trec5) == 6
    assert set(of_trec5["verdict"]) == {"reproduced", "differs"}


def test_trec_covid_answers_for_shallow_pools_only():
    covid = load("trec-covid")
    table = limits(covid)
    assert table.index[table["pool"]].tolist() == [5, 10]
    assert table.index[table["evaluation"]].tolist() == [5, 10, 20, 50, 100, 200]
    assert len(depth.grid(covid, pools=(5, 10), depths=(5, 10), measures=("P",))) == 4
    with pytest.raises(ValueError, match="no pool of depth 20: .*never judged"):
        depth.grid(covid, pools=(5, 20), depths=(5, 10))
    with pytest.raises(ValueError, match="no evaluation to depth 500: .*lists are that long"):
        depth.grid(covid, pools=(5,), depths=(5, 500))


def test_trec8_answers_for_all_depths_of_the_paper():
    table = limits(load("trec8"))
    assert table.loc[list(POOLS), "pool"].all()
    assert table["evaluation"].all()
    with pytest.raises(ValueError, match="unknown"):
        limits(load("trec8").pooled(10))


def test_limits_by_hand():
    """Two lists; down to the last relevant document within depth 3 one of five was not judged."""
    toy = Collection.from_rankings(
        {"A": {"t": ["r", "u", "s", "x"]}, "B": {"t": ["x", "r"]}}, {"t": {"r": 1, "s": 1, "x": 0}}
    )
    table = limits(toy, depths=(1, 3))
    assert table["unjudged"].tolist() == [0.0, 0.2]
    assert table["lists"].tolist() == [1.0, 0.5]


def test_a_topic_without_relevant_documents_scores_0_by_every_measure():
    toy = Collection.from_rankings(
        {"A": {"1": ["r", "x"], "2": ["x", "r"]}, "B": {"1": ["x", "r"], "2": ["x", "y"]}},
        {"1": {"r": 1}, "2": {"r": 1}},
    ).pooled(1)
    assert toy.topics["relevant"].tolist() == [1, 0]
    scored = scores_at(toy, (1, 2), residual=0.1, discount="2002")
    assert all((table[:, 1] == 0).all() for table in scored.values())
    assert means(toy, ["AP@2"])["AP@2"].tolist() == [0.5, 0.25]
