"""What the functions of the library cannot use is refused, each time in one line that says why."""

import numpy as np
import pandas as pd
import pytest
from strange import small

from lib import load
from lib.collection import Collection, load_scores, read_run, without
from lib.collection.trec import system_name
from lib.retrieval import Index, run
from lib.statistics.bootstrap import bootstrap_tau
from lib.statistics.comparison import against
from lib.statistics.correlation import kendall, rbo, tau_ap, tau_matrix
from lib.statistics.impact import impact
from lib.statistics.incomplete import without_judgements
from lib.statistics.power import power
from lib.statistics.predictivity import predictivity, splits, without_topics
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import permutation_test, square
from lib.statistics.student import t_statistic
from lib.two_judges import compare_rankings

RNG = np.random.default_rng(1)
AP = pd.DataFrame(RNG.random((6, 3)), columns=list("ABC"))
GAP = AP.mask(AP == AP.loc[2, "B"])
SETS = splits(6, number=2, rng=RNG)
INDEX = Index.build({"1": "apple"})
TWO, LISTS = small(2, 3), {"s0": {"t": "r", "u": "r"}, "s1": {"t": "r"}}
LACKS = Collection.from_rankings(LISTS, {"t": {"r": 1}, "u": {"r": 1}})
ONE_PAIR = [("s", "s0", "s1")]


def search(**options):
    return run(INDEX, {"q": "apple"}, **{"system": "city", **options})


REFUSED = [
    # Correlations.
    (lambda: tau_matrix(pd.DataFrame({"P": [1.0, np.nan]}), variant="b"), "missing scores"),
    (lambda: kendall([1], [1], variant="a"), "two systems"),
    (lambda: tau_ap([1], [1], symmetric=False), "two systems"),
    (lambda: tau_ap([1, 2], [1, 2, 3], symmetric=False), "shapes"),
    (lambda: tau_ap([1, np.nan], [1, 2], symmetric=False), "missing"),
    (lambda: rbo([1, 2, 3], [1, 3, 2], p=0), "p must"),
    # Resamples and halves of topics.
    (lambda: bootstrap_tau({"AP": AP}, rng=RNG), "two measures"),
    (lambda: bootstrap_tau({"AP": AP, "RR": AP}, number=1, rng=RNG), "resamples"),
    (lambda: bootstrap_tau({"AP": AP[:1], "RR": AP[:1]}, rng=RNG), "fewer than two"),
    (lambda: predictivity({"AP": AP, "RR": AP.iloc[:, 1:]}, SETS), "^RR: scores of other topics"),
    (lambda: predictivity({"AP": GAP}, SETS), "without a score"),
    (lambda: without_topics({"AP": AP}, SETS, [SETS[0, 0]]), "none left"),
    # Tests, power and means over sources.
    (lambda: t_statistic([[1.0, 2.0]]), "two topics"),
    (lambda: t_statistic(GAP), "missing for B$"),
    (lambda: t_statistic([[np.nan] * 4] * 2), r"missing for 0, 1, 2, \.\.\.$"),
    (lambda: permutation_test([[1, 2], [2, 1]], resamples=0, rng=RNG), "not 0"),
    (lambda: square([0.1, 0.2], ["A", "B", "C"]), "3 pairs, not 2"),
    (lambda: power(0.1, 0.0, 10), "a standard deviation must be more than 0"),
    (lambda: power(0.1, 0.1, 1), "topics must be 2 or more"),
    (lambda: power(0.1, 0.1, 5, alpha=0), "alpha must lie in"),
    (lambda: random_effects([1.0, 2.0], [1.0, 0]), "errors above 0"),
    (lambda: random_effects([1.0, 2.0], [1.0, np.nan]), "errors above 0"),
    (lambda: random_effects([1.0, 2.0], [1.0, np.inf]), "errors above 0"),
    (lambda: random_effects([1.0], [1.0]), "two sources or more"),
    (lambda: against(small(2, 1), "s0", ["AP"]), "needs two topics and two runs"),
    (lambda: against(TWO, "s0", ["AP"], correction="x"), "correction must be"),
    # Before and after.
    (lambda: impact(TWO, [], {"MRR": "RR"}), "no pairs given"),
    (lambda: impact(TWO, [("s", "s0", "B")], {"MRR": "RR"}), "toy: there is no run 'B'"),
    (lambda: impact(TWO, ONE_PAIR * 2, {"MRR": "RR"}), "a system stands twice"),
    (lambda: impact(LACKS, ONE_PAIR, {"MRR": "RR"}), "toy: run 's1' did not answer topic 'u';"),
    (lambda: impact([TWO, TWO], ONE_PAIR, {"MRR": "RR"}), "two collections of one name: toy, toy"),
    # Collections and their files.
    (lambda: without(load("trec8"), "7"), "no such topic: 7"),
    (lambda: without_judgements(TWO, 0, rng=RNG), r"share must lie in \(0, 1\], not be"),
    (lambda: without_judgements(TWO, 1.01, rng=RNG), r"share must lie in \(0, 1\], not be"),
    (lambda: TWO.relevance(0), "rel must be 1 or more, not 0"),
    (lambda: TWO.pooled(0), "depth must be 1 or more, not 0"),
    (lambda: TWO.pooled(1, by="s0"), "'all', 'pooled' or a list of systems, not 's0'"),
    (lambda: TWO.pooled(1, by="pooled"), "marks no system as pooled"),
    (lambda: TWO.pooled(1, by=["s0", "C", "D"]), "no such system: C, D"),
    (lambda: read_run("run", scores="half"), "'double' or 'single', not 'half'"),
    (lambda: system_name("a", "tags"), "names must be one of file, clean, not 'tags'"),
    (lambda: load("robust04"), "^robust04: is a score matrix .*; load_scores reads it$"),
    (lambda: load_scores("trec8"), "^trec8: is a collection and .*; lib.load reads it$"),
    (lambda: compare_rankings(small(6, 9), small(5, 9)), "not of the same runs"),
    (lambda: compare_rankings(small(6, 9), small(6, 9).select(topics=[])), "no topic in common"),
    # Searches.
    (lambda: search(system="okapi"), "unknown system 'okapi'; there are albany, city"),
    (lambda: search(documents=0), "documents must be 1 or more, not 0"),
    (lambda: search(weight=-0.1), "weight must be from 0 to inf, not -0.1"),
    (lambda: search(system="umass", weight=1.5), "weight must be from 0 to 1, not 1.5"),
    (lambda: search(depth=0), "depth must be 1 or more, not 0"),
]


@pytest.mark.parametrize(("call", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_cannot_be_used_is_refused_in_a_line(call, why):
    with pytest.raises(ValueError, match=why) as refused:
        call()
    assert "\n" not in str(refused.value)
