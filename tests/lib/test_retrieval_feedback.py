"""Blind feedback: cases worked by hand, an exact solution, brute force."""

from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from lib.retrieval import Index
from lib.retrieval.feedback import (
    best_passage,
    bo1,
    mixture_model,
    offer_weight,
    passage_terms,
    rm3,
    rocchio,
)
from lib.retrieval.models import bm25, cosine_ltc, dirichlet, lnu_ltu, pl2
from lib.retrieval.rows import ranked, strongest

# Six documents; the first two are fed back.  D = 6, 14 tokens.
#   x: df 3, cf 4     y: df 2, cf 2     z: df 3, cf 5     w: df 1, cf 1     v: df 2, cf 2
TEXTS = ["x x y", "x z w", "z z", "y v", "x v", "z z"]
INDEX = Index.build({str(d): text for d, text in enumerate(TEXTS)}, tokenize=str.split)
V, W, X, Y, Z = range(5)
TOP = csr_array(([1.0, 1.0], ([0, 0], [0, 1])), shape=(1, 6))


def weights(feedback, model, **options):
    weighted = model(INDEX, INDEX.vectors(["x"]))
    return feedback(INDEX, weighted, TOP, **options).toarray()[0]


def test_rocchio_is_the_mean_of_the_unit_vectors():
    # ltc, idf log(6 / df): "x x y" and "x z w", each divided by its length.
    first = np.array([(1 + log(2)) * log(2), log(3)])  # x, y
    second = np.array([log(2), log(2), log(6)])  # x, z, w
    first /= np.linalg.norm(first)
    second /= np.linalg.norm(second)
    expected = [0, second[2] / 2, (first[0] + second[0]) / 2, first[1] / 2, second[1] / 2]
    np.testing.assert_allclose(weights(rocchio, cosine_ltc, terms=5), expected, rtol=1e-14)
    unit = weights(rocchio, cosine_ltc, terms=5, unit_length=True)
    np.testing.assert_allclose(unit, expected / np.linalg.norm(expected), rtol=1e-14)


def test_idf_multiplies_the_documents_weights():
    plain, idf = weights(rocchio, lnu_ltu, terms=5), np.log(6 / np.array([2, 1, 3, 2, 3]))
    found = weights(rocchio, lnu_ltu, terms=5, idf=True)
    np.testing.assert_allclose(found, plain * idf, rtol=1e-14)


def test_offer_weight_chooses_by_r_w_and_weighs_by_w():
    # R = 2.  w = log[(r + .5)(D - df - R + r + .5) / ((df - r + .5)(R - r + .5))]
    w = log((1 + 0.5) * (6 - 1 - 2 + 1 + 0.5) / ((1 - 1 + 0.5) * (2 - 1 + 0.5)))  # r 1, df 1
    x = log((2 + 0.5) * (6 - 3 - 2 + 2 + 0.5) / ((3 - 2 + 0.5) * (2 - 2 + 0.5)))  # r 2, df 3
    y = log((1 + 0.5) * (6 - 2 - 2 + 1 + 0.5) / ((2 - 1 + 0.5) * (2 - 1 + 0.5)))  # r 1, df 2
    z = log((1 + 0.5) * (6 - 3 - 2 + 1 + 0.5) / ((3 - 1 + 0.5) * (2 - 1 + 0.5)))  # r 1, df 3
    assert (round(w, 4), round(x, 4), round(y, 4)) == (2.1972, 2.4567, 0.8473)
    assert z == 0  # nothing offered: a term of offer weight 0 is never chosen
    expected = [0, w, x, y, 0]
    np.testing.assert_allclose(weights(offer_weight, bm25, terms=5), expected, atol=1e-14)
    # Offer weights: x 2 w = 4.91, w 2.20, y 0.85.
    np.testing.assert_allclose(weights(offer_weight, bm25, terms=1), [0, 0, x, 0, 0], atol=1e-14)


def test_bo1():
    # f: x 3, y 1, z 1, w 1; p = cf / 6.
    def divergence(f, cf):
        p = cf / 6
        return f * log2((1 + p) / p) + log2(1 + p)

    raw = np.array([0, divergence(1, 1), divergence(3, 4), divergence(1, 2), divergence(1, 5)])
    np.testing.assert_allclose(weights(bo1, pl2, terms=5), raw / raw[X], rtol=1e-14)
    assert raw.argmax() == X


class TestMixtureModel:
    # c: x 3, y 1, z 1, w 1; p(w|C) = cf / 14.
    count = np.array([1, 3, 1, 1])  # w, x, y, z
    background = np.array([1, 4, 2, 5]) / 14

    def test_first_step_of_em(self):
        # theta = c / 6 at first; t = theta / (theta + p), both sides halved.
        theta = self.count / 6
        expected = self.count * theta / (theta + self.background)
        got = weights(mixture_model, dirichlet, terms=5, iterations=1)
        np.testing.assert_allclose(got[1:], expected / expected.sum(), rtol=1e-14)

    @pytest.mark.parametrize("noise", [0.1, 0.5, 0.8])
    def test_em_reaches_the_exact_maximum(self, noise):
        # Zhang and Xu 2008: theta = c / s - noise / (1 - noise) p where that is positive, else 0,
        # with s such that theta sums to 1.  Terms join in the order of c / p.
        order = np.argsort(-self.count / self.background)
        ratio = noise / (1 - noise)
        for kept in range(len(order), 0, -1):
            some = order[:kept]
            s = self.count[some].sum() / (1 + ratio * self.background[some].sum())
            theta = self.count / s - ratio * self.background
            if theta[some].min() >= 0:
                break
        exact = np.zeros(len(order))
        exact[some] = theta[some]
        got = weights(mixture_model, dirichlet, terms=5, noise=noise, iterations=3000)
        np.testing.assert_allclose(got[1:], exact, atol=1e-9)


def test_rm3_weighs_documents_by_query_likelihood():
    # Query "x y", mu = 7: mu p(w|C) is x 2, y 1.  First document, 3 tokens: (2 + 2) / 10 and
    # (1 + 1) / 10; second: (1 + 2) / 10 and (0 + 1) / 10.  Posterior 8 : 3.
    weighted = dirichlet(INDEX, INDEX.vectors(["x y"]), mu=7)
    top = csr_array(weighted.scores()[:, :2])
    top.resize(1, 6)
    got = rm3(INDEX, weighted, top, terms=5).toarray()[0]
    first, second = 8 / 11, 3 / 11
    # p(w|d): first x 2/3, y 1/3; second x, z, w 1/3 each.
    expected = [0, second / 3, (2 * first + second) / 3, first / 3, second / 3]
    np.testing.assert_allclose(got, expected, rtol=1e-13)
    two = rm3(INDEX, weighted, top, terms=2).toarray()[0]
    np.testing.assert_allclose(two, [0, 0, 19 / 27, 8 / 27, 0], rtol=1e-13)


def test_passage_terms():
    # Passages of two tokens.  In "x x y" the first window with x is "x x"; in "x z w" it is "x z".
    # n log(N / cf): x 2 log(14/4), z 1 log(14/5).
    idf_x, idf_z = log(1 + 3.5 / 3.5), log(1 + 3.5 / 3.5)  # df 3 both
    got = weights(passage_terms, bm25, terms=5, length=2)
    np.testing.assert_allclose(got, [0, 0, idf_x, 0, idf_z], rtol=1e-14)
    share = log(14 / 5) / (2 * log(14 / 4))
    got = weights(passage_terms, bm25, terms=5, length=2, graded=True)
    np.testing.assert_allclose(got, [0, 0, idf_x, 0, share * idf_z], rtol=1e-14)
    np.testing.assert_array_equal(
        weights(passage_terms, bm25, terms=1, length=2)[[X, Z]] > 0, [1, 0]
    )


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=15),
    st.sets(st.integers(0, 5), min_size=1),
    st.integers(1, 6),
)
def test_best_passage_equals_brute_force(tokens, query, length):
    query = sorted(query)
    value = {term: 1 + term for term in query}  # small integers: sums are exact
    starts = range(max(1, len(tokens) - length + 1))
    held = [sum(value[t] for t in set(tokens[s : s + length]) & set(query)) for s in starts]
    got = best_passage(
        np.array(tokens), np.array(query), np.array([value[t] for t in query]), length=length
    )
    assert got == held.index(max(held))


PAIRS = [
    (rocchio, cosine_ltc, {}),
    (rocchio, cosine_ltc, {"unit_length": True}),
    (rocchio, lnu_ltu, {"idf": True}),
    (offer_weight, bm25, {}),
    (bo1, pl2, {}),
    (mixture_model, dirichlet, {}),
    (rm3, dirichlet, {}),
    (passage_terms, bm25, {"length": 3}),
    (passage_terms, bm25, {"length": 3, "graded": True}),
]
texts = st.lists(st.sampled_from("abcdef"), max_size=10).map(" ".join)


@given(st.lists(texts, min_size=2, max_size=8).filter(any), st.integers(1, 4), st.integers(1, 5))
@pytest.mark.parametrize(("feedback", "model", "options"), PAIRS)
def test_what_all_feedback_has_in_common(feedback, model, options, texts, documents, terms):
    index = Index.build(dict(zip("stuvwxyz", texts)), tokenize=str.split)
    weighted = model(index, index.vectors(["a b", "c", ""]))
    scores = weighted.scores()
    lists = ranked(scores, depth=documents)
    rows = np.repeat([0, 1, 2], [len(row) for row in lists])
    columns = np.concatenate(lists)
    top = csr_array((scores[rows, columns], (rows, columns)), shape=scores.shape)
    learned = feedback(index, weighted, top, terms=terms, **options)
    assert (learned.data > 0).all()  # never negative, never NaN
    assert (np.diff(learned.indptr) <= terms).all()
    seen = np.array([index.counts.toarray()[row].sum(axis=0) > 0 for row in lists])
    assert not (learned.toarray() > 0)[~seen].any()  # only words of the feedback documents
    if feedback in (mixture_model, rm3):
        answered = [len(row) > 0 for row in lists]
        np.testing.assert_allclose(learned.sum(axis=1), answered, atol=1e-12)


def test_ties_among_terms_go_by_name_even_if_sums_differ_in_the_last_digit():
    noisy = csr_array([[0.3, 0.1 + 0.2, 0.3]])
    assert 0.1 + 0.2 > 0.3
    assert strongest(noisy, 1).indices.tolist() == [0]
    assert strongest(1e-9 * noisy, 1).indices.tolist() == [0]  # at any scale
