"""Base models: an independent implementation, cases worked by hand, laws."""

from math import log, log2, pi, sqrt

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.retrieval import Index
from lib.retrieval.models import bm25, cosine_ltc, dirichlet, lnu_ltu, pl2

WORDS = "a b c d e f".split()
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
collections = st.lists(texts, min_size=1, max_size=8).filter(any)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)

MODELS = [cosine_ltc, bm25, pl2, dirichlet, lnu_ltu]


def build(texts):
    names = [f"{number:03d}" for number in range(len(texts))]
    return Index.build(dict(zip(names, texts)), tokenize=str.split)


def scores(model, index, query, **options):
    return model(index, index.vectors([query]), **options).scores()[0]


@given(collections, queries, st.floats(0.1, 3), st.floats(0, 1))
def test_bm25_equals_bm25s_lucene_times_k1_plus_1(texts, query, k1, b):
    index = build(texts)
    words = [word for word in query.split() if word in index.number]
    if not words:
        return
    peer = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    peer.index([text.split() for text in texts], show_progress=False)
    expected = peer.get_scores(words) * (k1 + 1)
    ours = scores(bm25, index, query, k1=k1, b=b)
    np.testing.assert_allclose(np.where(np.isinf(ours), 0, ours), expected, rtol=1e-12, atol=1e-14)


class TestWorkedByHand:
    """Three documents, "x x y", "x", "z"; the query "x y".

    D = 3; df: x 2, y 1, z 1; cf: x 3, y 1, z 1, in all 5; lengths 3, 1, 1, mean 5/3;
    different terms 2, 1, 1, mean 4/3.
    """

    index = build(["x x y", "x", "z"])

    def check(self, model, first, second, **options):
        got = scores(model, self.index, "x y", **options)
        np.testing.assert_allclose(got[:2], [first, second], rtol=1e-14)
        assert got[2] == -np.inf  # "z" shares nothing with the query

    def test_cosine_ltc(self):
        # Salton and Buckley 1988: tf "l", idf "t", length "c".
        x, y = log(3 / 2), log(3 / 1)
        first = (1 + log(2)) * x, y  # "x x y"
        query = x, y
        dot = first[0] * query[0] + first[1] * query[1]
        cosine = dot / sqrt(first[0] ** 2 + first[1] ** 2) / sqrt(x**2 + y**2)
        self.check(cosine_ltc, cosine, x / sqrt(x**2 + y**2))

    def test_pl2(self):
        # lambda: x 3/3 = 1, y 1/3.  tfn of x in the first 2 log2(1 + 5/9), in the second
        # log2(1 + 5/3); of y in the first log2(1 + 5/9).
        def weight(tfn, mean):
            poisson = tfn * log2(tfn / mean) + (mean + 1 / (12 * tfn) - tfn) / log(2)
            return (poisson + log2(2 * pi * tfn) / 2) / (tfn + 1)

        one = log2(14 / 9)
        self.check(pl2, weight(2 * one, 1) + weight(one, 1 / 3), weight(log2(8 / 3), 1))

    def test_dirichlet(self):
        # With mu = 5, mu p(w|C) is x 3, y 1: p(x|d1) = (2 + 3) / (3 + 5), p(y|d1) = (1 + 1) / 8,
        # p(x|d2) = (1 + 3) / (1 + 5), p(y|d2) = 1 / 6; the part common to all documents is
        # p(x|C) = 3/5 and p(y|C) = 1/5.
        common = log(3 / 5) + log(1 / 5)
        first, second = log(5 / 8) + log(2 / 8), log(4 / 6) + log(1 / 6)
        self.check(dirichlet, (first - common) / 2, (second - common) / 2, mu=5)

    def test_lnu_ltu(self):
        # u = 0.8 x 4/3 + 0.2 x different terms; the mean tf in "x x y" is 3/2.
        two, one = 0.8 * 4 / 3 + 0.4, 0.8 * 4 / 3 + 0.2
        x, y = log(3 / 2) / two, log(3) / two
        level = (1 + log(3 / 2)) * two
        self.check(lnu_ltu, ((1 + log(2)) * x + y) / level, x / one)


@given(collections, queries)
@pytest.mark.parametrize("model", MODELS)
def test_scores_are_finite_exactly_where_a_weighted_term_is_shared(model, texts, query):
    index = build(texts)
    got = scores(model, index, query)
    # In ltc and ltu a term of every document has an idf, and so a weight, of 0.
    weightless = {
        term
        for term, df in zip(index.terms, index.df)
        if model in (cosine_ltc, lnu_ltu) and df == index.size
    }
    words = set(query.split()) - weightless
    shared = [bool(words & set(text.split())) for text in texts]
    np.testing.assert_array_equal(np.isfinite(got), shared)
    assert not np.isnan(got).any()


@given(collections, queries, queries)
@pytest.mark.parametrize("model", MODELS)
def test_queries_do_not_see_each_other(model, texts, query, other):
    index = build(texts)
    both = model(index, index.vectors([query, other])).scores()
    np.testing.assert_array_equal(both[0], scores(model, index, query))
    np.testing.assert_array_equal(both[1], scores(model, index, other))
