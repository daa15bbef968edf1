"""Base models: from counts to term weights of documents and queries.

Every model here scores a document by a sum over the terms that it shares with the query: query
weight times document weight, plus (language models only) an amount that depends on the document's
length.  So a model is two sparse matrices, and all queries are scored by one sparse product.

In the formulas: tf is the term's count in the document, qtf in the query, df the number of
documents that hold it, cf its count in the collection, D the number of documents, |d| the
document's length in tokens, avgdl the mean length.  Logarithms are natural unless said otherwise.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from lib.retrieval.index import Index
from lib.retrieval.rows import divided, ones, replaced, row_maxima, row_numbers, row_sums, unit


@dataclass(frozen=True, eq=False)
class Weighted:
    """A collection of D documents and V terms, and T queries, under a model."""

    counts: csr_array  # the queries' term counts, T x V
    queries: csr_array  # their term weights, none negative, T x V
    documents: csr_array  # the documents' term weights, D x V
    offsets: np.ndarray  # added to a document's score for each unit of query weight, D

    def scores(self, queries: csr_array | None = None) -> np.ndarray:
        """Return the score of every document for every query, shape (T, D).

        Documents that share no term with the query score minus infinity: they are not retrieved.
        Pass other query weights, shape (T, V), to score an expanded query.
        """
        queries = self.queries if queries is None else queries
        scores = (queries @ self.documents.T).toarray()
        scores += np.outer(row_sums(queries), self.offsets)
        shared = (queries > 0).astype(float) @ ones(self.documents).T
        scores[shared.toarray() == 0] = -np.inf
        return scores


def cosine_ltc(index: Index, counts: csr_array) -> Weighted:
    """Weight by SMART's ltc on both sides; the score is the cosine of query and document.

    ltc: (1 + log tf) log(D / df), the vector divided by its Euclidean length.

    References
    ----------
    G. Salton and C. Buckley, Term-weighting approaches in automatic text retrieval, Information
    Processing and Management 24(5), 1988, Table 1.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> cosine_ltc(index, index.vectors(["red fish"])).scores().round(4)
    array([[1.    , 0.3462,   -inf]])
    """
    idf = np.log(index.size / index.df)

    def ltc(matrix: csr_array) -> csr_array:
        return unit(replaced(matrix, (1 + np.log(matrix.data)) * idf[matrix.indices]))

    return Weighted(counts, ltc(counts), ltc(index.counts), np.zeros(index.size))


def bm25(index: Index, counts: csr_array, *, k1: float = 1.2, b: float = 0.75) -> Weighted:
    """Weight by Okapi BM25.

    Document: tf (k1 + 1) / (tf + k1 (1 - b + b |d| / avgdl)).
    Query: qtf log(1 + (D - df + 0.5) / (df + 0.5)), the form of the idf that is never negative
    (Lucene's); the original, without "1 +", is negative for a term in more than half of the
    documents.

    References
    ----------
    S. E. Robertson, S. Walker, S. Jones, M. M. Hancock-Beaulieu and M. Gatford, Okapi at TREC-3,
    1994, BM25.
    C. Kamphuis, A. P. de Vries, L. Boytsov and J. Lin, Which BM25 do you mean?, ECIR 2020, Table 1
    ("Lucene (accurate)"; k1 + 1 does not change the order).

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> bm25(index, index.vectors(["red fish"])).scores().round(4)
    array([[1.2045, 0.5235,   -inf]])
    """
    tf, document = index.counts.data, row_numbers(index.counts)
    norm = k1 * (1 - b + b * index.lengths / index.lengths.mean())
    documents = replaced(index.counts, tf * (k1 + 1) / (tf + norm[document]))
    queries = replaced(counts, counts.data * bm25_idf(index)[counts.indices])
    return Weighted(counts, queries, documents, np.zeros(index.size))


def bm25_idf(index: Index) -> np.ndarray:
    """Return BM25's inverse document frequency of each term, shape (V,); see :func:`bm25`."""
    return np.log1p((index.size - index.df + 0.5) / (index.df + 0.5))


def pl2(index: Index, counts: csr_array, *, c: float = 1.0) -> Weighted:
    """Weight by PL2: divergence from a Poisson, Laplace's after-effect, normalization 2.

    Document: [tfn log2(tfn / L) + (L + 1 / (12 tfn) - tfn) log2 e + log2(2 pi tfn) / 2] / (tfn + 1)
    with tfn = tf log2(1 + c avgdl / |d|) and L = cf / D.
    Query: qtf / max qtf.

    References
    ----------
    G. Amati and C. J. van Rijsbergen, Probabilistic models of information retrieval based on
    measuring the divergence from randomness, ACM TOIS 20(4), 2002: basic model P by Stirling's
    formula, first normalization L, normalization H2.
    G. Amati, Probability models for information retrieval based on divergence from randomness, PhD
    thesis, Glasgow, 2003 (qtf / max qtf).

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> pl2(index, index.vectors(["red fish"])).scores().round(4)
    array([[1.6142, 0.8263,   -inf]])
    """
    tf, document = index.counts.data, row_numbers(index.counts)
    tfn = tf * np.log2(1 + c * index.lengths.mean() / index.lengths[document])
    lambda_ = index.cf[index.counts.indices] / index.size
    information = (
        tfn * np.log2(tfn / lambda_)
        + (lambda_ + 1 / (12 * tfn) - tfn) * np.log2(np.e)
        + np.log2(2 * np.pi * tfn) / 2
    )
    documents = replaced(index.counts, information / (tfn + 1))
    return Weighted(counts, divided(counts, row_maxima(counts)), documents, np.zeros(index.size))


def dirichlet(index: Index, counts: csr_array, *, mu: float = 1000.0) -> Weighted:
    """Weight by the query likelihood of a unigram model with Dirichlet smoothing.

    The score is the mean log probability of a query word, less a term that is the same for all
    documents: sum over the query of p(w|q) log(1 + tf / (mu p(w|C))), plus log(mu / (mu + |d|)),
    with p(w|q) = qtf / |q| and p(w|C) = cf / (sum of cf).

    References
    ----------
    C. Zhai and J. Lafferty, A study of smoothing methods for language models applied to
    information retrieval, ACM TOIS 22(2), 2004, Table I, "Dirichlet".

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> dirichlet(index, index.vectors(["red fish"]), mu=2).scores().round(4)
    array([[ 0.2027, -0.0589,    -inf]])
    """
    background = index.cf / index.cf.sum()
    documents = replaced(
        index.counts, np.log1p(index.counts.data / (mu * background[index.counts.indices]))
    )
    return Weighted(
        counts, divided(counts, row_sums(counts)), documents, np.log(mu / (mu + index.lengths))
    )


def lnu_ltu(index: Index, counts: csr_array, *, slope: float = 0.2) -> Weighted:
    """Weight by SMART's Lnu.ltu, with pivoted unique normalization.

    Document: (1 + log tf) / (1 + log(mean tf of the document's terms)) / u;
    query: (1 + log qtf) log(D / df) / u.
    u = (1 - slope) pivot + slope x (number of different terms), the pivot being the mean number of
    different terms of a document.

    References
    ----------
    A. Singhal, C. Buckley and M. Mitra, Pivoted document length normalization, SIGIR 1996: pivoted
    unique normalization, and the term frequency factor L.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> lnu_ltu(index, index.vectors(["red fish"])).scores().round(4)
    array([[0.6992, 0.2183,   -inf]])
    """
    idf = np.log(index.size / index.df)
    pivot = index.counts.nnz / index.size

    def u(matrix: csr_array) -> np.ndarray:
        return (1 - slope) * pivot + slope * np.diff(matrix.indptr)

    unique = np.maximum(np.diff(index.counts.indptr), 1)  # an empty document has no weight to norm
    mean_tf = np.maximum(index.lengths / unique, 1)
    size = (1 + np.log(mean_tf)) * u(index.counts)
    documents = divided(replaced(index.counts, 1 + np.log(index.counts.data)), size)
    queries = replaced(counts, (1 + np.log(counts.data)) * idf[counts.indices])
    return Weighted(counts, divided(queries, u(counts)), documents, np.zeros(index.size))
