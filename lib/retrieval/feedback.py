"""Blind feedback: which terms of the top documents enter the query, and how heavily.

Every function takes the collection, the queries under the base model, and the documents to learn
from, and returns at most ``terms`` term weights a query.  All of them count query words that
occur in the feedback documents among those terms, as their sources do.  The system
adds the weights to the query (:mod:`lib.retrieval.systems`).

``top`` is a sparse matrix, shape (T, D): for each query the base scores of its feedback documents.
In the formulas: R is the number of feedback documents, r the number of them that hold the term, D,
df and cf are the collection's, as in :mod:`lib.retrieval.models`.
"""

import numpy as np
from scipy.sparse import csr_array

from lib.retrieval.index import Index
from lib.retrieval.models import Weighted, bm25_idf
from lib.retrieval.rows import (
    divided,
    ones,
    quantised,
    replaced,
    row_maxima,
    row_numbers,
    row_sums,
    strongest,
    unit,
)


def rocchio(
    index: Index,
    weighted: Weighted,
    top: csr_array,
    *,
    terms: int,
    idf: bool = False,
    unit_length: bool = False,
) -> csr_array:
    """Return the heaviest terms of the mean feedback document.

    Weight: mean over the feedback documents of the term's document weight.  Nothing is subtracted:
    no document is taken to be non-relevant.

    References
    ----------
    J. J. Rocchio, Relevance feedback in information retrieval, in G. Salton (ed.), The SMART
    Retrieval System, 1971.
    C. Buckley, G. Salton, J. Allan and A. Singhal, Automatic query expansion using SMART: TREC 3,
    1994.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import cosine_ltc
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> weighted = cosine_ltc(index, index.vectors(["fish"]))
    >>> top = csr_array([[0.9, 0.3, 0.0]])
    >>> rocchio(index, weighted, top, terms=2).toarray().round(4), index.terms
    (array([[0.    , 0.4691, 0.6731]]), ['blue', 'fish', 'red'])
    """
    documents = weighted.documents
    if idf:
        weight = np.log(index.size / index.df)
        documents = replaced(documents, documents.data * weight[documents.indices])
    best = strongest(_of_sum(ones(top)) @ documents, terms)
    return unit(best) if unit_length else best


def offer_weight(index: Index, weighted: Weighted, top: csr_array, *, terms: int) -> csr_array:
    """Return the terms with the best offer weights, with their relevance weights.

    Relevance weight: w = log[(r + 0.5)(D - df - R + r + 0.5) / ((df - r + 0.5)(R - r + 0.5))].
    Offer weight, for the selection only: r w.

    References
    ----------
    S. E. Robertson and K. Sparck Jones, Relevance weighting of search terms, JASIS 27(3), 1976,
    formula F4 with 0.5 added.
    S. E. Robertson and K. Sparck Jones, Simple, proven approaches to text retrieval, Cambridge
    technical report 356, 1994 (offer weight).

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import bm25
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> weighted = bm25(index, index.vectors(["fish"]))
    >>> top = csr_array([[0.9, 0.0, 0.0]])
    >>> offer_weight(index, weighted, top, terms=2).toarray().round(4)
    array([[0.    , 2.7081, 1.0986]])
    """
    r = ones(top) @ ones(index.counts)
    documents, df = np.diff(top.indptr)[row_numbers(r)], index.df[r.indices]
    weight = np.log((r.data + 0.5) * (index.size - df - documents + r.data + 0.5)) - np.log(
        (df - r.data + 0.5) * (documents - r.data + 0.5)
    )
    chosen = ones(strongest(replaced(r, r.data * weight), terms))
    return chosen * replaced(r, weight)


def bo1(index: Index, weighted: Weighted, top: csr_array, *, terms: int) -> csr_array:
    """Return the terms that diverge most from a Bose-Einstein distribution.

    Weight: f log2((1 + p) / p) + log2(1 + p), with f the term's count in the feedback documents
    and p = cf / D, divided by the largest weight of the query's terms.

    References
    ----------
    G. Amati, Probability models for information retrieval based on divergence from randomness, PhD
    thesis, Glasgow, 2003, Bo1.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import pl2
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> weighted = pl2(index, index.vectors(["fish"]))
    >>> bo1(index, weighted, csr_array([[0.9, 0.0, 0.0]]), terms=2).toarray().round(4)
    array([[0.    , 1.    , 0.8525]])
    """
    f = ones(top) @ index.counts
    p = index.cf[f.indices] / index.size
    divergence = replaced(f, f.data * np.log2((1 + p) / p) + np.log2(1 + p))
    best = strongest(divergence, terms)
    return divided(best, row_maxima(best))


def mixture_model(
    index: Index,
    weighted: Weighted,
    top: csr_array,
    *,
    terms: int,
    noise: float = 0.5,
    iterations: int = 50,
) -> csr_array:
    """Return the topic model that, mixed with the collection's, generates the feedback documents.

    Each word of the feedback documents comes from the collection's model p(w|C) with probability
    ``noise``, otherwise from the topic model theta.  EM finds theta: with c(w) the count of w in
    the feedback documents,
    t(w) = (1 - noise) theta(w) / ((1 - noise) theta(w) + noise p(w|C)), then
    theta(w) = c(w) t(w) / (the sum of these).

    References
    ----------
    C. Zhai and J. Lafferty, Model-based feedback in the language modeling approach to information
    retrieval, CIKM 2001: the generative model, estimated by EM.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import dirichlet
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> weighted = dirichlet(index, index.vectors(["fish"]))
    >>> mixture_model(index, weighted, csr_array([[-0.9, 0, 0]]), terms=2).toarray().round(4)
    array([[0.    , 0.625, 0.375]])
    """
    count = ones(top) @ index.counts
    background = noise * index.cf[count.indices] / index.cf.sum()
    theta = _of_sum(count).data
    for _ in range(iterations):
        own = (1 - noise) * theta
        theta = _of_sum(replaced(count, count.data * own / (own + background))).data
    return _of_sum(strongest(replaced(count, theta), terms))


def rm3(index: Index, weighted: Weighted, top: csr_array, *, terms: int) -> csr_array:
    """Return the relevance model of the feedback documents.

    p(w|R) is proportional to the sum over the feedback documents of p(w|d) p(q|d): p(w|d) = tf /
    |d|, unsmoothed; p(q|d) the query likelihood of the base model, which must be
    :func:`lib.retrieval.models.dirichlet`; all documents equally probable beforehand.  Mixed with
    the query's own model this is RM3.

    References
    ----------
    V. Lavrenko and W. B. Croft, Relevance-based language models, SIGIR 2001, method 1.
    N. Abdul-Jaleel et al., UMass at TREC 2004: novelty and HARD, 2004 (RM3).

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import dirichlet
    >>> index = Index.build({"a": "red fish", "b": "red", "c": "blue"})
    >>> weighted = dirichlet(index, index.vectors(["red fish"]), mu=2)
    >>> top = csr_array(weighted.scores()[:, :2])
    >>> top.resize(1, 3)
    >>> rm3(index, weighted, top, terms=2).toarray().round(4)
    array([[0.   , 0.314, 0.686]])
    """
    # A score is the mean log likelihood of a query word, up to a constant of the query: the query
    # likelihood is its |q|-th power.  Only differences within a query count.
    likelihood = row_sums(weighted.counts)[row_numbers(top)] * top.data
    best = np.full(top.shape[0], -np.inf)
    np.maximum.at(best, row_numbers(top), likelihood)
    posterior = _of_sum(replaced(top, np.exp(likelihood - best[row_numbers(top)])))
    language = replaced(index.counts, index.counts.data / index.lengths[row_numbers(index.counts)])
    return _of_sum(strongest(posterior @ language, terms))


def passage_terms(
    index: Index,
    weighted: Weighted,
    top: csr_array,
    *,
    terms: int,
    length: int = 50,
    graded: bool = False,
) -> csr_array:
    """Return the terms that the best passages of the feedback documents share, as BM25 weighs them.

    Each feedback document gives one passage, see :func:`best_passage`.  A term that n passages hold
    scores n log(N / cf), N being the tokens of the collection; the best are chosen.

    References
    ----------
    C. L. A. Clarke, G. V. Cormack and T. R. Lynam, Exploiting redundancy in question answering,
    SIGIR 2001: the score of a term.  Their passages vary in length; these do not.

    Examples
    --------
    >>> from lib.retrieval import Index
    >>> from lib.retrieval.models import bm25
    >>> index = Index.build({"a": "red fish blue sky", "b": "red", "c": "blue"})
    >>> weighted = bm25(index, index.vectors(["fish"]))
    >>> top = csr_array([[0.9, 0.0, 0.0]])
    >>> passage_terms(index, weighted, top, terms=5, length=2).toarray().round(4), index.terms
    (array([[0.    , 0.9808, 0.47  , 0.    ]]), ['blue', 'fish', 'red', 'sky'])
    """
    information = np.log(index.cf.sum() / index.cf)
    passages = [np.array([], dtype=int)]
    for row, document in zip(row_numbers(top), top.indices):
        query = weighted.counts.indices[slice(*weighted.counts.indptr[row : row + 2])]
        tokens = index.tokens[slice(*index.starts[document : document + 2])]
        start = best_passage(tokens, query, information[query], length=length)
        passages.append(np.unique(tokens[start : start + length]))
    rows = np.repeat(row_numbers(top), [len(passage) for passage in passages[1:]])
    columns = np.concatenate(passages)
    shape = (top.shape[0], len(index.terms))
    held = csr_array((np.ones(len(columns)), (rows, columns)), shape=shape)
    best = strongest(replaced(held, held.data * information[held.indices]), terms)
    share = divided(best, row_maxima(best)) if graded else ones(best)
    return replaced(best, share.data * bm25_idf(index)[best.indices])


def best_passage(
    tokens: np.ndarray, query: np.ndarray, information: np.ndarray, *, length: int
) -> int:
    """Return where the passage begins that holds the most informative query terms.

    Examples
    --------
    >>> best_passage(np.array([7, 3, 9, 3, 5]), np.array([3, 5]), np.array([1.0, 2.0]), length=2)
    3
    """
    if len(tokens) <= length:
        return 0
    seen = np.zeros((len(query), len(tokens) + 1))
    np.cumsum(tokens == query[:, None], axis=1, out=seen[:, 1:])
    holds = seen[:, length:] > seen[:, :-length]
    # Added one by one: the order of the sums in a product of matrices is the processor's.
    held = sum(value * holds_it for value, holds_it in zip(information, holds))
    return int(np.argmax(quantised(held)))


def _of_sum(matrix: csr_array) -> csr_array:
    """Each row divided by its sum."""
    return divided(matrix, row_sums(matrix))
