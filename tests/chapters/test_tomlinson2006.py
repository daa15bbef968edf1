"""Tomlinson 2006 (SIGIR 2006, pages 705-706): printed numbers, our systems, our data."""

from runpy import run_path

import numpy as np
import pandas as pd
import pytest
from committed import moved_rows
from scipy import stats
from way_of_a_claim import now_and_then

from chapters.ledger import published
from chapters.ledger.claims import answered
from chapters.ledger.rows import counted_as
from chapters.tomlinson2006 import PAPER, drawings, relevant, robustness, tables
from chapters.tomlinson2006.claims import Data
from chapters.tomlinson2006.robustness import four_scores, stored_grid
from lib import load
from lib.collection import Collection
from lib.measures import scores
from lib.paths import DATA
from lib.retrieval import FACTORS, Corpus, Index, docstrings, experiment, read_corpus, run
from lib.statistics.impact import paired_scores

MAKE = run_path(str(DATA / "feedback" / "make.py"))  # of the grids


# --- the printed numbers


def value_of(slug, **other):
    """Return a number or a claim of the paper on other data than its own."""
    row = next(one for one in PAPER.checks.values() if one.id == slug)
    return answered(row, row.ask(PAPER.quantities, Data(**other))).value


def test_the_ledger_holds_nothing_of_our_own_systems(monkeypatch):
    """A claim on the paper's runs must not be settled by ours: no collection of ours is read."""
    monkeypatch.setattr(tables, "_loaded", None)
    monkeypatch.setattr(pd, "read_parquet", None)
    without = {"data not public", "not testable", "definition", "print agrees", "print differs"}
    assert set(counted_as(PAPER.ledger())) == without


@pytest.mark.parametrize(
    ("place", "row", "column", "number", "slug"),
    [
        ("Table 1", "city feedback", "AP", "0.226", "city-AP-difference-is-feedback-minus-base"),
        ("Table 1", "city difference", "RR", "0.068", "mean-RR-difference-equals-table-2"),
        ("Table 1", "city difference", "RR", "0.068", "RR-signs-agree-with-table-2"),
        ("Table 2", "S10", "ns", "2", "counts-sum-to-systems"),
        ("Table 2", "S10", "difference", "0.040", "hypothesis-s10-falls"),
        ("Table 2", "S5", "difference", "0.023", "first-relevant-harmed-while-p10-gains"),
        ("Table 2", "I40", "difference", "0.037", "rows-ordered-by-ps-minus-ns-then-difference"),
        ("Table 2", "P500", "difference", "-0.001", "precision-at-n-all-higher"),
        ("Table 2", "P5", "ps", "0", "precision-at-n-each-significant-once"),
        ("Table 2", "P5", "difference", "-0.010", "precision-at-5-driven-by-later-relevant"),
        ("Table 2", "MAP", "ns", "1", "map-significant-differences-positive"),
        ("Table 2", "MAP", "ps", "6", "clarit-AP-difference-significant"),
        ("Table 2", "GS10", "ps", "1", "gs10-significant-differences-negative"),
        ("Table 2", "MRR", "ns", "4", "s1-mrr-significant-differences-few"),
        ("Table 2", "MRR", "ns", "5", "s1-mrr-less-often-significant"),
        ("Table 2", "S5", "difference", "0.023", "feedback-harms-single-item-search"),
        ("Table 2", "S5", "difference", "0.023", "primary-recall-behaves-as-robustness"),
        ("Table 2", "GS10", "ns", "2", "gs10-most-significant-losses"),
        ("Table 2", "GS10", "ps", "2", "gs10-behaves-most-as-robustness"),
        # Section 5 calls a measure robust by its significant losses: S5 must stand before GMAP.
        ("Table 2", "S5", "ps", "3", "primary-recall-behaves-as-robustness"),
        # The abstract: "harmed" is more than a mean below zero, "early precision" more than P10.
        ("Table 2", "S5", "ps", "1", "first-relevant-harmed-while-p10-gains"),
        ("Table 2", "S5", "ps", "1", "feedback-harms-single-item-search"),
        ("Table 2", "P30", "difference", "-0.023", "first-relevant-harmed-while-p10-gains"),
        ("Table 2", "S1", "difference", "0.020", "hypothesis-primary-recall-falls"),
        ("Table 2", "I10", "difference", "-0.029", "hypothesis-secondary-recall-rises"),
        # Section 2: rounding two means explains .001, and no more.
        ("Table 1", "cmu difference", "P@10", "0.008", "difference-is-feedback-less-base"),
        ("Table 1", "cmu difference", "P@10", "0.017", "poster-differences-agree"),
        ("Table 2", "P20", "po", "1", "poster-stars-give-the-counts"),
    ],
)
def test_a_changed_number_turns_the_claim(place, row, column, number, slug):
    """Each check can fail: one printed number is changed, and the claim with it."""
    table = published.printed("tomlinson2006", place)
    assert table.loc[row, column] != number
    table.loc[row, column] = number
    changed = {"printed1": table} if place == "Table 1" else {"table2": table.astype(float)}
    assert (value_of(slug), value_of(slug, **changed)) == (True, False)


def test_i0_is_no_measure_of_the_first_relevant_document():
    """Table 2: I0 is the highest precision at any rank, here at rank 4; the first is at rank 2."""
    lists = {"A": {"t": ["x", "a", "b", "c"]}}
    toy = Collection.from_rankings(lists, {"t": dict.fromkeys("abc", 1)})
    assert [scores(toy, name).loc["t", "A"] for name in ("IPrec@0", "RR")] == [0.75, 0.5]
    table = published.printed("tomlinson2006", "Table 2")
    table.loc["I0", ["difference", "ns", "ps"]] = ["0.025", "0", "7"]
    for slug in ("first-relevant-harmed-while-p10-gains", "hypothesis-primary-recall-falls"):
        assert value_of(slug, table2=table.astype(float)) is True


def test_stars_are_counted():
    poster = tables.poster()
    poster.loc[("clarit", "P10"), "significant"] = False
    for slug, value in {
        "clarit-P@10-difference-significant": False,
        "starred-measures": 3,
        "starred-measures-favouring-feedback": 2,
    }.items():
        assert value_of(slug, poster=poster, starred=["MAP", "P10", "I0"]) == value
    most = [*Data().starred, "GS10", "MRR", "S10"]
    key = "primary-recall-measures-not-originally-reported"
    assert (value_of(key), value_of(key, starred=most)) == (True, False)


def test_tables_of_a_users_own_runs_need_pairs(printed):
    assert all(table().empty for table in PAPER.tables.values())
    for table in (tables.table1, tables.table2):
        with pytest.raises(ValueError, match="no pairs given"):
            table(load("feedback/cf"))
    # Cells without a value:
    assert printed("table tomlinson2006 2").out.count("data not public") == 180


def test_each_of_the_30_measures_is_of_one_family():
    families = tables.MEASURE_FAMILIES.values()
    assert sorted(label for family in families for label in family) == sorted(tables.MEASURES)


# --- our own systems


@pytest.mark.parametrize("label", ["MAP", "MRR", "GMAP"])
def test_an_interval_over_topics_is_the_jackknife_by_hand(label):
    """GMAP's means are geometric."""
    both = paired_scores(tables.ours("cacm"), tables.RUN_PAIRS, tables.MEASURES[label])
    exp = np.exp if label == "GMAP" else np.asarray

    def mean(left_out):
        before, after = (exp(np.delete(scores, left_out, axis=0).mean(axis=0)) for scores in both)
        return (after - before).mean()

    n = len(both[0])
    parts = np.array([mean(topic) for topic in range(n)])
    error = np.sqrt((n - 1) / n * ((parts - parts.mean()) ** 2).sum())
    middle, reach = mean([]), stats.t.ppf(0.975, n - 1) * error
    found = tables.changes("cacm").loc[label, ["difference", "low", "high"]].astype(float)
    np.testing.assert_allclose(found, [middle, middle - reach, middle + reach], atol=1e-9)


# --- the data


# Long: a part of each grid; what the control counts at one of its settings notices most of it.
@pytest.mark.frozen("feedback/{name}-grid")
@pytest.mark.long
@pytest.mark.parametrize("name", tables.COLLECTIONS)
def test_rebuilding_a_part_of_the_grid_gives_the_committed_one(originals, name):
    factors = {"documents": (4,), "terms": (2,), "weight": (1.5,)}
    corpus = read_corpus(originals / "collections" / name)
    rebuilt = MAKE["grid"](corpus, name, factors=factors, systems=("sabir", "umass"))
    committed = pd.read_parquet(DATA / "feedback" / f"{name}-grid" / "grid.parquet")
    key = ["system", "documents", "terms", "weight", "topic"]
    merged = rebuilt.merge(committed, on=key, how="left", suffixes=("", "_committed"))
    for column in ("first", "top10", "ap"):
        assert (merged[column] == merged[f"{column}_committed"]).all()


@pytest.mark.parametrize("name", tables.COLLECTIONS)
def test_the_middle_of_the_grid_is_the_run_with_feedback(name):
    table = stored_grid(name)
    middle = table[(table[list(FACTORS)] == 1).all(axis=1)]
    found = four_scores(middle).assign(system=middle["system"], topic=middle["topic"])
    after = {
        label: paired_scores(load(f"feedback/{name}"), tables.RUN_PAIRS, measure)[1]
        for label, measure in tables.FOUR.items()
    }
    assert len(found) == after["MAP"].size
    for label, expected in after.items():
        square = found.pivot(index="topic", columns="system", values=label)
        square = square[list(tables.SYSTEM_NAMES)]
        np.testing.assert_allclose(square, expected, atol=0.5e-4 + 1e-9)


def test_the_factors_of_the_grid_are_those_of_the_settings():
    coded = stored_grid("cf")
    table = pd.read_parquet(DATA / "feedback" / "cf-grid" / "grid.parquet")
    for row, factors in zip(table[::997].itertuples(), coded[::997].itertuples()):
        made = MAKE["setting"](
            row.system, documents=factors.documents, terms=factors.terms, weight=factors.weight
        )
        assert (made.documents, made.terms, made.weight) == (row.documents, row.terms, row.weight)


# --- the control


def rank_of_first(judged, found):
    return next((rank for rank, document in enumerate(found, 1) if judged.get(document)), np.inf)


def test_the_control_counts_topics_whose_first_relevant_document_rises_or_falls(originals):
    corpus = read_corpus(originals / "collections" / "cf")
    index = Index.build(corpus.documents)

    def rr(system, **options):
        lists = run(index, corpus.queries, system, **options).items()
        return pd.Series({t: 1 / rank_of_first(corpus.qrels[t], found) for t, found in lists})

    setting = {"documents": 4, "terms": 0.5, "weight": 1.5}
    change = rr(MAKE["setting"]("city", **setting)) - rr("city", feedback=False)
    gains = robustness.topic_gains("city", "MRR", **setting)
    np.testing.assert_allclose(gains["difference"], change.loc[gains.index], atol=1.01e-4)
    shown = drawings.panel("city", "MRR", **setting).data.shown.iloc[0]
    assert shown["topics helped"] == str((change > 1e-9).sum())
    assert shown["hurt"] == str((change < -1e-9).sum())


def test_a_change_at_a_weight_has_students_interval_over_topics(monkeypatch):
    by_topic = pd.DataFrame({"MRR": [0.1, 0.3, -0.2, 0.05]})
    monkeypatch.setattr(robustness, "_at_factor", lambda parameter, factor: by_topic)
    found = robustness.change_at_weight("", "MRR", 2)
    ends = stats.ttest_1samp(by_topic["MRR"], 0).confidence_interval()
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))


@pytest.mark.parametrize("setting", [{"measure": "MAP", "documents": 3}, {"measure": "bpref"}])
def test_a_setting_outside_the_grid_is_refused(setting):
    with pytest.raises(ValueError, match=f"not in the grid: city, {setting['measure']}, documents"):
        robustness.topic_gains("city", **setting)


# --- when feedback helps


def test_topics_are_grouped_by_their_relevant_documents(monkeypatch):
    """By hand: the seven systems move one relevant document alike, and topics 1 and 2 have two."""
    lists = {"base": {t: ["x", "r", "s"] for t in "1234"}}
    lists |= {"feedback": {"1": ["r", "x", "s"], "2": ["r", "x", "s"]}}
    lists["feedback"] |= {t: ["x", "y", "r"] for t in "34"}
    runs = {f"{name}.{kind}": lists[kind] for name in tables.SYSTEM_NAMES for kind in lists}
    qrels = {"1": {"r": 1, "s": 1}, "2": {"r": 1, "s": 1}, "3": {"r": 1}, "4": {"r": 1}}
    toy = Collection.from_rankings(runs, qrels)
    monkeypatch.setattr(tables, "ours", lambda name: [toy])
    monkeypatch.setattr(relevant, "GROUPS", ((1, 1), (2, 3)))
    monkeypatch.setattr(relevant, "FEWEST", 2)
    monkeypatch.setattr(relevant, "topic_changes", relevant.topic_changes.__wrapped__)
    found = relevant.by_relevant(["cf"]).set_index(["relevant", "measure"])["difference"]
    with_two = (1 + 2 / 3) / 2 - (1 / 2 + 2 / 3) / 2
    assert found["2 or more", "AP"] == pytest.approx(with_two)
    assert found["1 to 1", "AP"] == found["1 to 1", "RR"] == pytest.approx(1 / 3 - 1 / 2)
    assert found["2 or more", "P@10"] == 0


def test_a_doubling_is_a_slope_within_collections():
    """As least squares with a constant a collection has it."""
    topics = relevant.topic_changes(relevant.SIX)
    names = pd.get_dummies(topics["collection"], dtype=float)
    design = names.assign(doublings=np.log2(topics["relevant"]))
    slope = np.linalg.lstsq(design.to_numpy(), topics["MAP"].to_numpy(), rcond=None)[0][-1]
    found = relevant.gain_per_doubling("feedback-six", "MAP")
    assert found.estimate == pytest.approx(slope)
    few = topics["MAP"][topics["relevant"] <= 3]
    ends = stats.t.interval(0.95, len(few) - 1, few.mean(), stats.sem(few))
    found = relevant.change_where("feedback-six", "MAP", 1, 3)
    assert (found.low, found.high) == pytest.approx(ends)


@pytest.mark.frozen("feedback/docs")
def test_the_documentation_is_searched_as_it_is_installed():
    """Thirty of its topics by every system: ranks of what is relevant, its own page left out."""
    corpus, asking = run_path(str(DATA / "feedback" / "docs.py"))["numbered"](docstrings())
    committed = load("feedback/docs")
    assert list(corpus.queries) == list(committed.topics.index)
    some = {topic: corpus.queries[topic] for topic in list(corpus.queries)[::80]}
    fewer = Corpus(corpus.documents, some, {topic: corpus.qrels[topic] for topic in some})
    again = experiment(fewer, "docs", exclude=asking)
    assert again.systems.to_csv() == committed.systems.to_csv()
    for measure in ("AP", "RR"):
        assert scores(again, measure).equals(scores(committed, measure).loc[list(some)])


@pytest.mark.frozen("claims")
def test_the_committed_rows_of_tomlinson2006_are_the_computed_ones():
    assert moved_rows("tomlinson2006") == []
    pd.testing.assert_frame_equal(*now_and_then("tomlinson2006"), rtol=0, atol=2e-6)
