"""Webber, Moffat, Zobel and Sakai 2008, against the printed numbers (SIGIR 2008, pages 695-696)."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from strange import small

from lib import Collection, load, means
from lib.errors import InputWarning
from lib.measures import complete_scores, score_tables, top_systems
from lib.papers import webber2008
from lib.papers.webber2008 import claims, drawings, evidence, tables
from lib.published import Answer, compare, printed
from lib.statistics.correlation import kendall
from lib.statistics.predictivity import Predictivity, splits


@pytest.mark.parametrize("seed", [tables.SEED, 1])
def test_table_1_page_696_every_cell_agrees_within_sampling(seed):
    """All 15 cells: half a printed digit and three standard errors, whatever the seed."""
    result = compare("webber2008", "Table 1", tables.table1(load("trec8"), seed=seed))
    assert len(result) == 15
    off = result[result["difference"].abs() > result["tolerance"]]
    said = "Table 1 of webber2008; look with `python -m lib table webber2008 1`"
    assert off.empty, f"{said}:\n{off.to_string()}"
    # The tolerance is no free pass: sampling adds less than half a printed digit to it.
    assert result["tolerance"].max() < 0.0105


def test_table_2_needs_runs_that_are_not_public():
    assert tables.table2().empty
    assert len(tables.table2(load("trec-covid"), number=2)) == 15


def test_top_systems_are_the_best_by_average_precision():
    trec8 = load("trec8")
    kept = top_systems(trec8)
    assert len(kept) == 96
    assert len(top_systems(trec8, rounding="up")) == 97
    assert len(top_systems(trec8, share=1.0)) == 129
    ap = means(trec8, ["AP"])["AP"]
    assert ap[kept].min() >= ap.drop(kept).max()
    with pytest.raises(ValueError, match="share"):
        top_systems(trec8, share=0)


def drawn(topics):
    return splits(topics, number=40, rng=np.random.default_rng(tables.SEED))


def test_conflicts_equal_a_count_by_hand():
    """One system pair, two topics: P@10 and AP disagree on topic 1, and topic 2 decides."""
    first = {"A": "r1 x x x x x x x x x x r2 r3", "B": "x x r1 x x x x x x r2"}
    runs = {
        s: {"1": f.split(), "2": ("r1 x y" if s == "A" else "x r1 y").split()}
        for s, f in first.items()
    }
    runs = {
        s: {
            t: [f"{d}{i}" if d in "xy" else d for i, d in enumerate(docs)]
            for t, docs in lists.items()
        }
        for s, lists in runs.items()
    }
    toy = Collection.from_rankings(runs, {"1": {"r1": 1, "r2": 1, "r3": 1}, "2": {"r1": 1}})
    # Topic 1: P@10 A .1 < B .2; AP A (1 + 2/12 + 3/13)/3 = .47 > B (1/3 + 2/10)/3 = .18:
    # a conflict.
    # Topic 2: P@10 .1 = .1, a tie; AP A 1 > B .5: AP was right.
    # The other way round topic 2 is no conflict, since P@10 ties.
    measures = {"P@10": "P@10", "AP": "AP"}
    with np.errstate(invalid="ignore"):
        followed = evidence.disagreements(score_tables(toy, measures), drawn(2))
    followed = followed.loc["P@10", "AP"]
    assert np.isnan(followed["right, by the simple"])
    assert followed["right, by the complex"] == 1.0
    assert followed["recur"] == 0.0
    assert 0 < followed["conflicts"] < 1


def lists_with_first_relevant_at(ranks):
    """Return a topic's lists: system to documents, the only relevant one at the given rank."""
    return {s: [*(f"x{i}" for i in range(1, rank)), "r"] for s, rank in ranks.items()}


def test_reversals_equal_a_count_by_hand_and_a_tie_is_none():
    """Three system pairs, four topics in two kinds: by RR, A 1 and C .5, or the other way round.

    B has always .5.  Only a half of two topics of one kind tells any pair apart, A and C in
    either kind, and the other half turns these around; it ties the other pair that it tells apart.
    """
    kinds = [{"A": 1, "B": 2, "C": 2}] * 2 + [{"A": 2, "B": 2, "C": 1}] * 2
    runs = {s: {} for s in "ABC"}
    for topic, ranks in enumerate(kinds):
        for s, documents in lists_with_first_relevant_at(ranks).items():
            runs[s][str(topic)] = documents
    toy = Collection.from_rankings(runs, {str(topic): {"r": 1} for topic in range(4)})
    assert evidence.sign_reversals(complete_scores(toy, "RR"), drawn(4)) == 0.5


def test_the_control_shows_the_numbers_of_phi():
    shown = drawings.panel(load("trec8"), "RR", 10, number=50).data.shown
    phi = tables.phi(load("trec8"), size=10, number=50).phi["RR"]
    assert shown["phi"].to_dict() == {name: f"{value:.3f}" for name, value in phi.items()}
    assert isinstance(shown, pd.DataFrame)


def test_a_margin_inside_the_interval_tells_nothing():
    both = {"real": halves(-0.0175, 0.005), "made up": halves(0.0, 0.001)}
    both = pd.concat(both, names=["topics"]).reset_index()
    told = claims.halves_stand_in(SimpleNamespace(halvings=both))
    assert told.value is None and "-0.018" in told.cause
    assert (told.estimate, told.low) == (-0.0175, pytest.approx(-0.0273))


def test_halves_of_real_topics_where_the_truth_is_known():
    """Every topic says the same: all halves and all new topics agree fully."""
    topics = pd.DataFrame(np.tile([0.1, 0.2, 0.4, 0.7, 0.8], (20, 1)))
    found = evidence.halving_of_topics({"AP": topics}, topics=10, samples=5, number=4)
    assert found[["new", "halved"]].to_numpy().tolist() == [[1.0, 1.0]]
    assert found[["difference", "error", "deviation"]].to_numpy().tolist() == [[0.0, 0.0, 0.0]]
    with pytest.raises(ValueError, match="sets of 11 topics and as many others"):
        evidence.halving_of_topics({"AP": topics}, topics=11)


# The claims: each rests on numbers that could have come out otherwise.

PRINTED = {name: printed("webber2008", f"Table {name}").astype(float) for name in "12"}


def square(changes=(), table="1"):
    """Return a printed table as a square, with some numbers changed."""
    table = PRINTED[table].copy()
    table = table.where(table.notna(), table.T)
    for (a, b), value in dict(changes).items():
        table.loc[a, b] = table.loc[b, a] = value
    return table


class Altered(webber2008.PAPER.claims.evidence):
    """Evidence that is given: nothing of it is computed, and there is no error over topics."""

    loo_replicates = ()

    def __init__(self, terabyte=None, table1=(), printed1=(), **given):
        super().__init__(load("trec8"), terabyte)
        self.trec8 = square(printed1)
        self.result = Predictivity(square(table1), *[square() * 0] * 3)
        for name, value in given.items():
            setattr(self, name, value)


def answer(slug, evidence):
    """Return what a claim's function says of some evidence: True, False, or None."""
    said = Answer.of(webber2008.PAPER.claims.rows[slug](evidence)).value
    return said if said is None else bool(said)


P, R, B, A, N = "P@10", "RR", "RBP(p=0.95)", "AP", "nDCG"


def _pairs(changes):
    names = {"P": P, "R": R, "B": B, "A": A, "N": N}
    return {tuple(names[x] for x in pair.split("_")): value for pair, value in changes.items()}


def halves(difference, error=0.01):
    columns = {"difference": [0.0, difference], "error": error, "deviation": 0.08}
    return pd.DataFrame(columns)


WEAK = pd.DataFrame({"A": [0.1, 0.2, 0.5], "B": [0.1, 0.3, 0.2]})


def as_print(**changes):
    return {"printed1": _pairs(changes)}


def terabyte(**changes):
    return {"terabyte": square(_pairs(changes), "2")}


# Claims on printed numbers, and one without an interval; the ledger has the numbers of the others.
TURNED = [  # claim, evidence on which it holds, evidence on which it does not
    ("table-1-shows-complex-as-good", as_print(A_R=0.39, N_R=0.38), as_print(N_R=0.38)),
    ("trec2004-complex-greater-overall-predictivity", {}, terabyte(P_P=0.99, P_R=0.9)),
    ("rbp-weaker-on-trec2004", {}, as_print(B_B=0.47)),
    ("trec2004-p10-poorer-self-predictor", {}, terabyte(P_P=0.68)),
    ("trec2004-rr-poorer-self-predictor", {}, terabyte(R_R=0.69)),
    ("trec2004-ndcg-predicts-p10-as-well-as-itself", {}, terabyte(N_P=0.61)),
    # The words are "better than", so level does not do.
    ("trec2004-p10-predicts-rr-better-than-itself", {}, terabyte(P_R=0.36)),
    # "No matter what the topic": one topic in the upper half is enough.
    (
        "weak-systems-ranked-low-on-any-topics",
        {"weak_places": WEAK},
        {"weak_places": WEAK.assign(B=[0.1, 0.51, 0.2])},
    ),
]


@pytest.mark.parametrize("slug, held, turned", TURNED, ids=[slug for slug, *_ in TURNED])
def test_a_changed_number_turns_a_claim(slug, held, turned):
    assert answer(slug, Altered(**held)) is True
    assert answer(slug, Altered(**turned)) is False


def test_a_claim_that_fails_says_what_the_paper_printed():
    rows = webber2008.PAPER.claims.rows
    said = rows["complex-at-least-as-good-as-simple"](Altered())
    assert said.cause == (
        "the paper's own Table 1 prints AP (0.36) and nDCG (0.37) of RR behind RR itself (0.39)"
    )


# The error over topics.


def test_a_lead_that_other_topics_could_turn_cannot_be_told():
    """Section 3, page 696: nDCG of P@10; the interval holds "as good as" and "worse"."""
    slug, steady = "trec8-ndcg-predicts-p10-as-well-as-itself", Altered()
    steady.loo_replicates = [Altered(table1={("nDCG", "P@10"): 0.5 + i / 1e4}) for i in range(5)]
    assert answer(slug, steady) is True
    shaky = Altered()
    shaky.loo_replicates = [Altered(table1={("nDCG", "P@10"): 0.5 + i / 100}) for i in range(5)]
    assert answer(slug, shaky) is None


def test_the_budget_without_a_topic_equals_a_computation_without_it():
    collection, topic = small(7, 8, relevant=8), 3
    sets = splits(8, number=30, rng=np.random.default_rng(5))
    scores = score_tables(collection, tables.MEASURES)
    row = {"topics": 2, "pool": 3, "judgements": 1, "measure": "AP", "phi": 0.5, "error": 0.0}
    asked = {"target": "P@10", "number": 30, "seed": 5}
    found = evidence.bought_without(collection, pd.DataFrame([row]), **asked)
    known, sought = (complete_scores(collection.pooled(3), "AP"), scores["P@10"])
    taus = []
    for one, other in sets:
        few, many = one[:2][one[:2] != topic], other[other != topic]
        means = [s.iloc[t].mean().round(10) for s, t in ((known, few), (sought, many))]
        taus.append(kendall(*means, variant="b"))
    assert found[topic, 0] == pytest.approx(np.nan_to_num(taus).mean())


def test_a_few_systems_are_inconsistent_when_a_pair_of_them_is():
    """Three systems of which A and B conflict: every comparison of all three, a third of pairs."""
    tables = {
        "P@10": pd.DataFrame({"A": [0.9], "B": [0.8], "C": [0.1]}),
        "AP": pd.DataFrame({"A": [0.5], "B": [0.6], "C": [0.2]}),
    }
    assert evidence.inconsistent(tables, few=3) == 1.0
    assert evidence.inconsistent(tables, few=2) == pytest.approx(1 / 3, abs=0.05)


def test_splits_that_tell_no_two_systems_apart_are_counted_and_said():
    # Systems differ on one topic alone, which one set of each split does not have.
    runs = {
        system: {topic: ["r"] if (system, topic) == ("A", "1") else ["n"] for topic in "1234"}
        for system in "ABC"
    }
    c = Collection.from_rankings(runs, {topic: {"r": 1, "n": 0} for topic in "1234"})
    with pytest.warns(InputWarning, match="toy: in 20 of the random splits a measure puts all sys"):
        table = tables.table1(c, number=20)
    assert (table["value"] == 0).all()
