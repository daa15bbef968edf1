"""Measures: their equations, their laws, trec_eval's answers, and cases worked by hand."""

import math
import re
from dataclasses import replace

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import assume, example, given
from hypothesis import strategies as st
from peers import peers, supported
from strange import write_files
from strategies import (
    DOCUMENTS,
    judgements,
    qrels,
    qrels_text,
    rankings,
    run_text,
    runs,
    scored_lists,
)

from lib import measures as m
from lib.collection import Collection, derive
from lib.measures import complete_scores, evaluate, graded, means, parse, score_columns, scores
from lib.measures.binary import set_f
from lib.measures.depths import cumulated, scores_at
from lib.measures.options import summary

HIGHEST = 4  # grade of the scale, which is what ERR takes where none is stated
FLOAT = 1e-12  # what rounding in another order of operations may change
SHALLOW = (1, 2, 3, 5, 10, 20)
PEERS = peers(SHALLOW)
DEPTHS = st.integers(1, len(DOCUMENTS) + 3)


# Of every grade something is found, something is missed, and what is not judged stands between.
FOUND = ["d2", "d0", "d6", "d1", "d3"]
GRADES = {"d0": 1, "d1": 3, "d2": 2, "d3": 0, "d4": 2, "d5": 1, "d7": 3, "d8": -1}


def score(ranking, grades, measures, relevant_from=1):
    """Score one list by several measures: Series by name."""
    others = {"s": ranking, "t": ranking[::-1]}  # of another system, and on another topic
    lists, judged = {"A": {"t": ranking}, "B": others}, {"s": {"d0": 0, "d1": 1}, "t": grades}
    c = Collection.from_rankings(lists, judged, judged=True)
    c = replace(c, relevant_from=relevant_from, highest_grade=HIGHEST)
    return pd.Series({name: scores(c, name).loc["t", "A"] for name in measures})


# ---------------------------------------------------------------- every measure is its equation
#
# The equations once more, over a dense vector of the grades at ranks 1, 2, ... (None where a
# document is not judged), as slow and as close to the page as can be.


def dense(ranking, grades):
    judged = {document: grade for document, grade in grades.items() if grade >= 0}
    return [judged.get(document) for document in ranking], list(judged.values())


def equations(ranking, grades, k, rel, p, recall):
    """Return {measure: score}, each from the definition in its paper."""
    found, judged = dense(ranking, grades)
    found += [None] * (k - len(found))
    r = [1 if grade is not None and grade >= rel else 0 for grade in found]
    R = sum(grade >= rel for grade in judged)
    N = len(judged) - R

    def precision_at(i):
        return sum(r[:i]) / i

    def sum_of_precisions(depth):
        return sum(r[i - 1] * precision_at(i) for i in range(1, depth + 1))

    def share(value, of):
        return value / of if of else 0.0

    first = next((i for i, relevant in enumerate(r, start=1) if relevant), math.inf)
    needed = int(recall * R + 0.9)
    preference, blended = 0.0, 0.0
    for i, relevant in enumerate(r):
        if relevant:
            above = sum(grade is not None and grade < rel for grade in found[:i])
            preference += 1 - (min(above, R) / min(N, R) if above else 0)
            blended += 2 * sum(r[: i + 1]) / (i + 1 + min(i + 1, R))

    condensed = [x for x, grade in zip(r, found) if grade is not None]
    moved_up = sum(x * sum(condensed[:i]) / i for i, x in enumerate(condensed, start=1))

    inferred, relevant, nonrelevant, undrawn = 0.0, 0, 0, 0
    for i, document in enumerate(ranking, start=1):
        grade = grades.get(document, -1)
        if grade >= rel:
            pooled = relevant + nonrelevant + undrawn
            guess = (relevant + 1e-5) / (relevant + nonrelevant + 2e-5)
            inferred += 1 if i == 1 else 1 / i + (i - 1) / i * pooled / (i - 1) * guess
        relevant += grade >= rel
        nonrelevant += 0 <= grade < rel
        undrawn += document in grades and grade < 0

    gains = [grade if grade is not None and grade > 0 else 0 for grade in found]
    best = sorted((grade for grade in judged if grade > 0), reverse=True)

    def dcg(gains, discount, depth=None):
        return sum(g / discount(i) for i, g in enumerate(gains[:depth], start=1))

    def rbp(gains, depth=None):
        return (1 - p) * sum(g * p ** (i - 1) for i, g in enumerate(gains[:depth], start=1))

    def jk(i):
        return 1 if i <= 2 else math.log2(i)

    def te(i):
        return math.log2(i + 1)

    def eleven_points(up):
        best = (
            max((precision_at(i) for i in range(1, len(r) + 1) if sum(r[:i]) >= level), default=0)
            for level in (int(x / 10 * R + up) for x in range(11))
        )
        return sum(best) / 11

    ap = share(sum_of_precisions(len(r)), R)
    err, going_on = 0.0, 1.0
    for i, g in enumerate(gains[:k], start=1):
        satisfied = (2**g - 1) / 2 ** max(4, *gains)
        err += going_on * satisfied / i
        going_on *= 1 - satisfied
    known = dense(ranking[:k], grades)[0]
    at_k = f"@{k}"
    return {
        f"P(rel={rel}){at_k}": precision_at(k),
        f"R(rel={rel}){at_k}": share(sum(r[:k]), R),
        f"AP(rel={rel})": ap,
        f"AP(rel={rel}){at_k}": share(sum_of_precisions(k), R),
        f"aAP(rel={rel}){at_k}": share(sum_of_precisions(k), min(k, R)),
        f"GMAP(rel={rel})": math.log(max(ap, 0.00001)),
        f"RR(rel={rel})": 1 / first,
        f"RR(rel={rel}){at_k}": 1 / first if first <= k else 0.0,
        f"Success(rel={rel}){at_k}": float(first <= k),
        f"GS10(rel={rel})": 1.08 ** (1 - first),
        f"Rprec(rel={rel})": precision_at(R) if 0 < R <= len(r) else share(sum(r), R),
        f"IPrec(rel={rel})@{recall}": max(
            (precision_at(i) for i in range(1, len(r) + 1) if sum(r[:i]) >= needed), default=0
        ),
        f"Q(rel={rel})": share(blended, R),
        f"condensedAP(rel={rel})": share(moved_up, R),
        f"Bpref(rel={rel})": share(preference, R),
        f"infAP(rel={rel})": share(inferred, R),
        f"DCG{at_k}": dcg(gains, te, k),
        "DCG(discount=2002)": dcg(gains, jk),
        f"DCG(gain=binary){at_k}": dcg(r, te, k),
        "nDCG": share(dcg(gains, te), dcg(best, te)),
        f"nDCG{at_k}": share(dcg(gains, te, k), dcg(best, te, k)),
        f"nDCG(discount=2002,gain=binary){at_k}": share(dcg(r, jk, k), dcg([1] * R, jk, k)),
        f"enDCG{at_k}": share(dcg(gains, te, k), dcg(best, te)),
        f"enDCG(discount=2002,gain=binary){at_k}": share(dcg(r, jk, k), dcg([1] * R, jk)),
        f"RBP(p={p},rel={rel}){at_k}": rbp(r, k),
        f"RBP(p={p})": rbp(r),
        f"RBP(p={p},gain=grade){at_k}": rbp(gains, k) / HIGHEST,
        f"nRBP(p={p},gain=grade){at_k}": share(rbp(gains, k), rbp(best, k)),
        f"nRBP(p={p}){at_k}": share(rbp(r, k), rbp([1] * R, k)),
        f"nRBP(p={p},rel={rel})": share(rbp(r), rbp([1] * R)),
        f"RBPtail(p={p}){at_k}": p ** min(k, len(ranking)),
        f"RBPresidual(p={p})": 1 - rbp([grade is not None for grade in found]),
        f"F1(rel={rel}){at_k}": share(2 * sum(r[:k]), k + R),
        f"11ptAP(rel={rel})": eleven_points(0.9),
        f"11ptAP(rel={rel},trec_eval=10)": eleven_points(0.5),
        f"SetP(rel={rel})": share(sum(r), len(ranking)),
        f"SetR(rel={rel})": share(sum(r), R),
        f"SetF(rel={rel})": share(2 * sum(r), len(ranking) + R),
        f"SetF(beta=3,rel={rel})": share(4 * sum(r), len(ranking) + 3 * R),
        "NumQ": 1,
        "NumRet": len(ranking),
        f"NumRelRet(rel={rel})": sum(r),
        f"Judged{at_k}": share(sum(grade is not None for grade in known), len(known)),
        f"Unjudged{at_k}": share(sum(grade is None for grade in known), len(known)),
        f"ERR{at_k}": err,
    }


@given(
    rankings(),
    judgements(),
    DEPTHS,
    st.integers(1, 4),
    st.sampled_from([0.0, 0.1, 0.5, 0.8, 0.95, 0.999]),
    st.integers(0, 10),
)
@example(FOUND, GRADES, 3, 2, 0.8, 5)
@example(FOUND, GRADES, 4, 3, 0.5, 2)
def test_every_measure_equals_its_equation(ranking, grades, k, rel, p, tenths):
    """Whether a name says from which grade on documents are relevant, or the collection does."""
    expected = equations(ranking, grades, k, rel, p, tenths / 10)
    said = {name: value for name, value in expected.items() if "rel=" in name}
    plain = {re.sub(r"\(rel=\d\)|,rel=\d", "", name): value for name, value in expected.items()}
    for values, threshold in ((said, rel % 4 + 1), (plain, rel)):  # the collection's own
        np.testing.assert_allclose(
            score(ranking, grades, values, threshold),
            list(values.values()),
            rtol=0,
            atol=FLOAT,
            err_msg=str(list(values)),
        )


def test_no_measure_is_without_its_equation_and_no_two_are_described_alike():
    names = equations(["d0"], {"d0": 1}, k=1, rel=1, p=0.5, recall=0.5)
    assert {parse(name).name for name in names} == set(m.known())
    assert len({*map(summary, m.known())}) == len(m.known())


@given(rankings(), judgements())
def test_several_depths_at_once_are_the_measures_at_each(ranking, grades):
    lists = {"A": {"t": ranking}, "B": {"t": []}, "C": {"t": ranking[::-1]}}
    c = Collection.from_rankings(lists, {"t": grades})
    at = scores_at(c, SHALLOW, residual=0.1, discount="2002")
    for i, k in enumerate(SHALLOW):
        names = {name: f"{name}@{k}" for name in ("P", "R", "AP", "aAP")}
        for name in ("DCG", "nDCG", "enDCG"):
            names[name] = f"{name}(gain=binary,discount=2002)@{k}"
        for name in ("RBP", "nRBP"):
            names[name] = f"{name}(p={graded.persistence(residual=0.1, k=k)})@{k}"
        for name, one in names.items():
            np.testing.assert_allclose(at[name][i], scores(c, one), rtol=0, atol=FLOAT, err_msg=one)
        # What all scores of a topic are divided by drops out of standardized ones.
        for name, one in {"sP": "R", "sDCG": "nDCG", "sAP": "AP", "sRBP": "nRBP"}.items():
            table = m.standardized(scores(c, names[one]))
            np.testing.assert_allclose(at[name][i], table, rtol=0, atol=1e-9, err_msg=name)


# ---------------------------------------------------------------- trec_eval's answers


# pytrec_eval 0.5.11 writes beyond its memory, and may never return, on a topic with no document of
# grade 0 or more.
JUDGED = judgements().filter(lambda grades: max(grades.values()) >= 0)


@given(scored_lists(), qrels(JUDGED))
def test_scores_and_means_equal_those_of_pytrec_eval(tmp_path_factory, lists, judged):
    answered = sorted(judged.keys() & lists.keys())
    assume(answered)
    folder = tmp_path_factory.getbasetemp() / "pytrec_eval"  # written over by each example
    write_files(folder, {"runs/A": run_text(lists), "qrels": qrels_text(judged)})
    c = derive(folder / "runs", folder / "qrels", scores="single")
    grades = pytrec_eval.parse_qrel(qrels_text(judged).splitlines())
    evaluator = pytrec_eval.RelevanceEvaluator(grades, supported(SHALLOW))
    theirs = evaluator.evaluate(pytrec_eval.parse_run(run_text(lists).splitlines()))
    assert answered == sorted(theirs)
    expected = pd.DataFrame(
        [[theirs[topic][key] for key in PEERS.values()] for topic in answered],
        index=answered,
        columns=list(PEERS),
        dtype=float,
    )
    for name in PEERS:
        ours = scores(c, name)["A"]
        assert sorted(ours.dropna().index) == answered
        np.testing.assert_allclose(ours[answered], expected[name], rtol=0, atol=1e-9, err_msg=name)
    # trec_eval averages over the topics answered, and with -c over all; a topic that was not
    # answered adds 0, and to the logarithms of gm_map that of the floor.
    for missing, topics in (("answered", len(answered)), ("zero", len(judged))):
        sums = expected.sum()
        sums["GMAP"] += (topics - len(answered)) * math.log(1e-5)
        wanted = sums / topics
        wanted["GMAP"] = math.exp(wanted["GMAP"])
        ours = means(c, list(PEERS), missing=missing, decimals=None).loc["A"]
        np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-9)


# ---------------------------------------------------------------- laws


VALUES = {float: 0.8, int: 2}  # of an option that a name must have


def every_measure():
    """Name every measure there is, as short as its definition allows, and with a cutoff."""
    for name in m.known():
        definition = m.Measure(name).definition
        needed = (one for one in definition.options.values() if one.default is one.empty)
        options = ",".join(f"{one.name}={VALUES[one.annotation]}" for one in needed)
        options = f"({options})" if options else ""
        cutoff = definition.cutoff
        if cutoff is None or cutoff.default is None:
            yield f"{name}{options}"
        if cutoff is not None:
            yield f"{name}{options}@{0.5 if cutoff.name == 'recall' else 3}"


EVERY = list(every_measure())
OF_LISTS = ("RBPtail", "RBPresidual", "NumRet", "Judged", "Unjudged")  # not of what is relevant


@given(judgements())
def test_an_unanswered_topic_is_filled_with_the_score_of_an_empty_list(grades):
    c = Collection.from_rankings({"empty": {"t": []}, "none": {}}, {"t": grades}, judged=True)
    for name in EVERY:
        plain, filled = scores(c, name).loc["t"], complete_scores(c, name).loc["t"]
        assert math.isnan(plain["none"]), name
        assert filled["none"] == filled["empty"] == plain["empty"], name
        assert filled["none"] == parse(name).definition.unanswered, name


@given(rankings(), judgements(high=0), st.booleans())
def test_a_topic_without_relevant_documents_scores_as_an_unanswered_one(ranking, grades, alone):
    judged = {"t": grades} if alone else {"t": grades, "other": {"d0": 2, "d1": 1}}
    c = Collection.from_rankings({"A": {"t": ranking}}, judged, judged=True)
    for name in EVERY:
        measure = parse(name)
        if measure.name not in OF_LISTS:
            assert scores(c, name).loc["t", "A"] == measure.definition.unanswered, name


@given(runs(), qrels(), st.randoms(use_true_random=False))
def test_neither_the_order_of_systems_nor_the_names_of_documents_matter(lists, judged, random):
    c = Collection.from_rankings(lists, judged, judged=True)
    systems = list(c.systems.index)
    code = {d: f"n{i}" for i, d in enumerate(random.sample(DOCUMENTS, len(DOCUMENTS)))}
    renamed = Collection.from_rankings(
        {s: {t: [code[d] for d in found] for t, found in of.items()} for s, of in lists.items()},
        {t: {code[d]: grade for d, grade in grades.items()} for t, grades in judged.items()},
        judged=True,
    )
    shuffled = renamed.select(systems=random.sample(systems, len(systems)))
    for name in EVERY:
        both = scores(c, name), scores(shuffled, name)[systems]
        np.testing.assert_array_equal(*both, err_msg=name)


@given(rankings(), judgements(), DEPTHS, st.data())
def test_moving_a_document_above_a_less_relevant_one_never_hurts(ranking, grades, k, data):
    gain = [max(grades.get(document, 0), 0) for document in ranking]
    worse = [i for i in range(1, len(gain)) if gain[i - 1] < gain[i]]
    assume(worse)
    i = data.draw(st.sampled_from(worse))
    better = [*ranking[: i - 1], ranking[i], ranking[i - 1], *ranking[i + 1 :]]
    # infAP takes what was not drawn for relevant at the rate above: a rank less of it can hurt.
    unlawful = ("infAP", "RBPresidual", "Unjudged")  # of the others less is better
    measures = [name for name in EVERY if not name.startswith(unlawful)]
    before, after = score(ranking, grades, measures), score(better, grades, measures)
    assert (after >= before - FLOAT).all()
    assert after["nDCG"] > before["nDCG"]  # it sees every rank and every grade


# ---------------------------------------------------------------- options and names


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda c: m.precision(c, k=0), "the depth k must be 1 or more, not 0"),
        (
            lambda c: graded.ndcg(c, gain="log"),
            "gain must be 'grade' or 'binary' or 'exp', not 'log'",
        ),
        (lambda c: graded.rbp(c, p=0.5, rel=0), "rel must be 1 or more, not 0"),
        (lambda c: m.dcg(c, discount="log"), "discount must be 'trec_eval' or '2002', not 'log'"),
        (lambda c: graded.rbp(c, p=1), r"p must lie in \[0, 1\), not 1"),
        *(
            (
                lambda c, r=r: m.persistence(residual=r, k=10),
                rf"residual must lie in \(0, 1\), not {r}",
            )
            for r in (-1, 0, 1)
        ),
        *(
            (lambda c, k=k: parse(f"P@{k}"), f"measure 'P@{k}': the cutoff cannot be '{k}'")
            for k in (0, 2**31)
        ),
        (
            lambda c: parse("num_rel"),
            "measure 'num_rel': counts judgements, .*; derive prints them",
        ),
        (lambda c: parse("P(judged_only=True)@1"), "measure .*: say --judged-only; .*"),
        (lambda c: parse("ndcg_burges@5"), r"measure 'ndcg_burges@5': .* is nDCG\(gain=exp\) here"),
        (
            lambda c: graded.dcg(replace(c, highest_judged=2000), gain="exp"),
            "toy has grade 2000, .*",
        ),
        (lambda c: m.binary.interpolated_precision(c, recall=1, trec_eval=8), ".* 9 or 10, not 8"),
        (lambda c: parse("RBP"), r"measure 'RBP': needs p, as in RBP\(p=...\)"),
        (lambda c: set_f(c, beta=1e9), r"beta must lie in \[0, 1e9\), not 1000000000.0"),
        (lambda c: parse("IPrec@1.5"), "measure 'IPrec@1.5': the cutoff cannot be '1.5'"),
        (
            lambda c: cumulated(c.relevance(), None, [2, 2]),
            r"depths must ascend from 1 or more: \[2, 2\]",
        ),
    ],
)
def test_an_option_out_of_range_is_refused_by_its_value(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call(m.example())


def test_names_are_those_of_ir_measures():
    shared = "P@10 R@1000 AP AP(rel=2)@100 RR@10 Success@5 Rprec IPrec@0.1 Bpref(rel=2) nDCG@20"
    for name in [*shared.split(), "RBP(p=0.95)", "P(rel=2)@5", "P@1000000"]:
        assert str(parse(name)) == name == str(ir_measures.parse_measure(name))
    for name in [*EVERY, "nDCG(gain=binary, discount=2002)@5", " RBP( p = .95 )@100 "]:
        assert parse(str(parse(name))) == parse(name)


@pytest.mark.parametrize(
    "others, ours",
    [
        ("map MAP map@100 map_cut_100 gm_map", "AP AP AP@100 AP@100 GMAP"),
        ("P_10 P.10 precision@10 P@10(rel=2)", "P@10 P@10 P@10 P(rel=2)@10"),
        ("ndcg ndcg_cut_10 ndcg_cut.10 ndcg@10 NDCG@10", "nDCG" + " nDCG@10" * 4),
        ("recip_rank mrr MRR@10 Rprec RPrec r-precision", "RR RR RR@10 Rprec Rprec Rprec"),
        ("bpref BPref infAP recall_5 Recall@5 R_5", "Bpref Bpref infAP R@5 R@5 R@5"),
        ("iprec_at_recall_0.50 success_5 hit_rate@5", "IPrec@0.5 Success@5 Success@5"),
        ("ndcg_at_10 recall-l2 precision-l2@5", "nDCG@10 R(rel=2) P(rel=2)@5"),
        ("nDCG(dcg='exp-log2')@10 nDCG(dcg='log2')", "nDCG(gain=exp)@10 nDCG"),
        (
            "set_P set_recall set_F num_q num_ret num_rel_ret",
            "SetP SetR SetF NumQ NumRet NumRelRet",
        ),
    ],
)
def test_names_of_others_are_understood(others, ours):
    assert " ".join(str(parse(name)) for name in others.split()) == ours


# ---------------------------------------------------------------- means and long tables


@pytest.mark.parametrize("missing", ["zero", "answered"])
def test_what_the_command_prints_is_what_a_script_gets(missing):
    runs = {"A": {"1": "rxsu", "2": "xr"}, "B": {"2": "sx"}, "C": {"1": "", "3": "x"}}
    lists = {run: {topic: list(of) for topic, of in topics.items()} for run, topics in runs.items()}
    judged = {topic: {"r": 1, "s": 2, "x": 0, "u": -1} for topic in "123"}
    c = Collection.from_rankings(lists, judged, judged=True)
    columns = pd.DataFrame(score_columns(c, EVERY, missing=missing))
    pd.testing.assert_frame_equal(columns, evaluate(c, EVERY, missing=missing))
    assert len(columns) == len(EVERY) * (9 if missing == "zero" else 5)


@given(st.permutations([0.1, 0.2, 0.3, 0.7, 0.9]))
def test_means_of_the_same_scores_are_equal_whatever_the_order_of_topics(order):
    # P@10 of 1, 2, 3, 7, 9 tenths: sums of doubles depend on their order, rounded means do not.
    judged = {str(t): {f"r{i}": 1 for i in range(10)} for t in range(5)}
    lists = {
        system: {str(t): [f"r{i}" for i in range(round(10 * value))] for t, value in enumerate(of)}
        for system, of in {"A": [0.1, 0.2, 0.3, 0.7, 0.9], "B": order}.items()
    }
    c = Collection.from_rankings(lists, judged)
    assert means(c, ["P@10"])["P@10"].nunique() == 1
