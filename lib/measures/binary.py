r"""Measures of binary relevance: precision, recall, average precision, the first relevant rank.

Rules that hold for every measure of :mod:`lib.measures`, as in trec_eval:

- a topic without relevant documents scores 0;
- a topic that a run did not answer is NaN; :func:`lib.measures.means` says what becomes of it;
- a list shorter than the depth k counts as followed by non-relevant documents;
- grades below ``rel``, by default the grade from which the collection counts documents as relevant,
  are non-relevant; documents without a judgement are too.

``r_i`` is 1 when the document at rank i is relevant, else 0; ``g_i`` is its grade, R the number
of relevant documents of the topic, k the evaluation depth (None: the whole list).  Each function
takes a Collection first and keyword options after it, and returns a DataFrame (topics x systems).
The examples score one list, relevant at ranks 1 and 3, with a third relevant document not found.
"""

import numpy as np

from lib.collection import Collection, judged_of
from lib.collection.relevance import Relevance
from lib.measures.names import (
    Scores,
    bound,
    by_topic,
    example,  # noqa: F401 (the examples use it)
    geometric,
    measure,
    nonrelevant_above,
    ratio,
    summed,
)

_GMAP_FLOOR = 1e-5  # trec_eval's: the least AP of which GMAP takes the logarithm
GS10_BASE = 1.08  # Tomlinson 2006, section 4
_EPSILON = 0.00001  # trec_eval's: so that a rank above which nothing was judged has a precision


@measure("P", "precision", unanswered=0, proportional=True)
def precision(collection: Collection, *, k: int, rel: int | None = None) -> Scores:
    r"""Precision at depth k, :math:`\sum_{i \le k} r_i / k`; in [0, 1].

    Webber et al. 2010, equation (1).  trec_eval's ``P_k``: the divisor is k for short lists too.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int
        Evaluation depth, 1 or more: only the first k documents of a list count.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> precision(example(), k=4).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.count(hits.top(bound(k))) / k)


@measure("SetR", "set_recall", unanswered=0, about="Recall of the whole list.", k=None)
@measure("R", "recall", unanswered=0)
def recall(collection: Collection, *, k: int | None = None, rel: int | None = None) -> Scores:
    r"""Recall at depth k, :math:`\sum_{i \le k} r_i / R`; in [0, 1].

    Webber et al. 2010, equation (2).  trec_eval's ``recall_k``, and without k ``set_recall``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> recall(example(), k=4).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    hits = collection.relevance(rel)
    return collection.frame(ratio(hits.count(hits.top(bound(k))), hits.relevant))


@measure("AP", "map", "map_cut", unanswered=0)
def average_precision(
    collection: Collection, *, k: int | None = None, rel: int | None = None
) -> Scores:
    r"""Average precision to depth k, :math:`\frac{1}{R} \sum_{i \le k} r_i P@i`; in [0, 1].

    Webber et al. 2010, equation (3): normalized by all R relevant documents ("expanded").
    trec_eval's ``map`` and ``map_cut_k``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> average_precision(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    return collection.frame(ratio(_sum_of_precisions(hits, k), hits.relevant))


@measure("aAP", unanswered=0)
def abbreviated_average_precision(
    collection: Collection, *, k: int, rel: int | None = None
) -> Scores:
    r"""Abbreviated AP, :math:`\frac{1}{\min(k,R)} \sum_{i \le k} r_i P@i`; in [0, 1].

    Webber et al. 2010, equation (4): a perfect list of k documents scores 1 even when R > k.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int
        Evaluation depth, 1 or more: only the first k documents of a list count.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> abbreviated_average_precision(example(), k=2).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    best = np.minimum(bound(k), hits.relevant)
    return collection.frame(ratio(_sum_of_precisions(hits, k), best))


@measure("GMAP", "gm_map", unanswered=np.log(_GMAP_FLOOR), average=geometric)
def log_average_precision(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""Natural logarithm of AP, :math:`\ln \max(AP, \text{floor})`; in [ln floor, 0].

    GMAP is the exponential of its mean over topics (Robertson 2006; trec_eval's ``gm_map``, whose
    floor is 0.00001); :func:`lib.measures.means` takes it.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        Natural logarithms, from -11.51 to 0; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> log_average_precision(example()).round(3).loc["t", "A"]
    np.float64(-0.588)
    """
    hits = collection.relevance(rel)
    precisions = ratio(_sum_of_precisions(hits, None), hits.relevant)
    return collection.frame(np.log(np.maximum(precisions, _GMAP_FLOOR)))


@measure("RR", "mrr", "recip_rank", unanswered=0)
def reciprocal_rank(
    collection: Collection, *, k: int | None = None, rel: int | None = None
) -> Scores:
    r"""Reciprocal rank of the first relevant document, :math:`1 / \min \{i : r_i = 1\}`; in [0, 1].

    0 if there is none; with k, 0 when the first stands deeper.  trec_eval's ``recip_rank``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> reciprocal_rank(example()).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.total(1 / hits.rank, _first(hits, k)))


@measure("Success", "hit_rate", unanswered=0)
def success(collection: Collection, *, k: int, rel: int | None = None) -> Scores:
    r"""Whether a relevant document stands among the first k, :math:`\max_{i \le k} r_i`; 0 or 1.

    trec_eval's ``success_k``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int
        Evaluation depth, 1 or more: only the first k documents of a list count.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        0 or 1; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> success(example(), k=1).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.count(_first(hits, k)))


@measure("GS10", unanswered=0)
def generalized_success(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""Generalized Success@10, :math:`1.08^{1-r}`, r the rank of the first relevant document.

    Tomlinson 2006, section 4; 0 when no relevant document is retrieved; in [0, 1].

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> generalized_success(example()).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.total(GS10_BASE ** (1.0 - hits.rank), hits.position == 1))


@measure("Rprec", "r-precision", unanswered=0)
def r_precision(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""Precision at the number of relevant documents, :math:`\sum_{i \le R} r_i / R`; in [0, 1].

    trec_eval's ``Rprec``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> r_precision(example()).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    hits = collection.relevance(rel)
    deep = by_topic(hits, hits.relevant)
    return collection.frame(ratio(hits.count(hits.rank <= deep), hits.relevant))


@measure("IPrec", "iprec_at_recall", unanswered=0)
def interpolated_precision(
    collection: Collection, *, recall: float, rel: int | None = None, trec_eval: int = 9
) -> Scores:
    r"""The highest precision at recall x or more, :math:`\max_{i: R@i \ge x} P@i`; in [0, 1].

    trec_eval's ``iprec_at_recall``, versions 8 and 9: recall x is reached with
    ``int(x * R + 0.9)`` relevant documents.  Version 10 rounds to the nearest number instead; the
    two can differ by most of the scale on one topic.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    recall : float
        Recall level x, in [0, 1]; 0 asks for the highest precision at any rank.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.
    trec_eval : {9, 10}
        The version of trec_eval whose rounding of recall levels is followed.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        recall is not in [0, 1], or rel is below 1.

    Examples
    --------
    >>> interpolated_precision(example(), recall=0.5).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    if not 0 <= recall <= 1:
        raise ValueError(f"recall must lie in [0, 1], not {recall}")
    hits = collection.relevance(rel)
    if trec_eval not in (9, 10):
        raise ValueError(f"trec_eval must be 9 or 10, not {trec_eval}")
    up = 0.9 if trec_eval == 9 else 0.5
    needed = np.maximum((recall * hits.relevant + up).astype(int), 1)
    end = np.cumsum(hits.found)
    first = end.reshape(hits.found.shape) - hits.found
    reaches = hits.found >= needed
    # Of each list that reaches this recall, from there to its end; what lies between is passed.
    parts = np.stack([(first + needed - 1)[reaches], end[reaches.ravel()]], axis=1)
    best = np.zeros(reaches.shape)
    best[reaches] = np.maximum.reduceat(np.append(hits.precision_by_list, 0), parts.ravel())[::2]
    return collection.frame(best)


@measure("11ptAP", "11pt_avg", unanswered=0)
def eleven_point_average(
    collection: Collection, *, rel: int | None = None, trec_eval: int = 9
) -> Scores:
    r"""Mean of interpolated precision, :math:`\frac{1}{11} \sum_x IP@x`, x from 0 to 1; in [0, 1].

    trec_eval's ``11pt_avg``; the recall levels are 0, .1, ..., 1.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.
    trec_eval : {9, 10}
        The version of trec_eval whose rounding of recall levels is followed.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> eleven_point_average(example()).round(3).loc["t", "A"]
    np.float64(0.606)
    """
    how = {"rel": rel, "trec_eval": trec_eval}
    levels = [interpolated_precision(collection, recall=x / 10, **how) for x in range(11)]
    return sum(levels[1:], levels[0]) / len(levels)


@measure("Q", unanswered=0)
def q_measure(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""AP with blended ratios in place of precisions; in [0, 1].

    :math:`\frac{1}{R} \sum_i r_i \frac{2 j_i}{i + \min(i, R)}`, with :math:`j_i` relevant documents
    down to rank i: precision where i is at most R, and kinder than it beyond.  Sakai 2006, whose
    gains are all 1 here.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> q_measure(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    blended = 2 * hits.position / (hits.rank + np.minimum(hits.rank, by_topic(hits, hits.relevant)))
    return collection.frame(ratio(hits.total(blended), hits.relevant))


@measure("condensedAP", unanswered=0)
def condensed_average_precision(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""AP of the list without its unjudged documents; in [0, 1].

    :math:`\frac{1}{R} \sum_{r} \frac{j_r}{j_r + n_r}` over the relevant documents retrieved: the
    j-th moves up to rank :math:`j_r + n_r`, with :math:`n_r` judged non-relevant documents above
    it.  Sakai 2007.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1, or the collection does not say how many judged non-relevant documents stand
        above its hits.

    Examples
    --------
    >>> condensed_average_precision(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    rank = hits.position + nonrelevant_above(collection, hits, "condensed AP")
    return collection.frame(ratio(hits.total(hits.position / rank), hits.relevant))


@measure("Bpref", unanswered=0)
def bpref(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""Binary preference: how rarely judged non-relevant documents stand above relevant ones.

    :math:`\frac{1}{R} \sum_{r} \left(1 - \frac{\min(n_r, R)}{\min(N, R)}\right)` over the relevant
    documents retrieved, with :math:`n_r` of the N judged non-relevant documents above r; in [0, 1].
    Buckley and Voorhees 2004, with the divisor of trec_eval's ``bpref``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1, or the collection does not say how many judged non-relevant documents stand
        above its hits.

    Examples
    --------
    >>> bpref(example()).round(3).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    most = np.minimum(hits.relevant, hits.judged - hits.relevant)
    above = np.minimum(nonrelevant_above(collection, hits, "Bpref"), by_topic(hits, hits.relevant))
    preferred = 1 - ratio(above, by_topic(hits, most))
    return collection.frame(ratio(hits.total(preferred), hits.relevant))


@measure("infAP", unanswered=0)
def inferred_average_precision(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""AP estimated from sampled judgements, :math:`\frac{1}{R} \sum_{i} r_i E[P@i]`; in [0, 1].

    A pool was made, and of its documents only some, drawn at random, were judged: a document that
    the draw left out has a negative grade in the judgements, by custom -1, and one outside the
    pool has no line.

    :math:`E[P@i] = \frac1i + \frac{d_i}{i} \cdot \frac{r_{<i} + \epsilon}{r_{<i} + n_{<i} +
    2\epsilon}`: of the documents above rank i, :math:`d_i` are in the pool, :math:`r_{<i}` judged
    relevant and :math:`n_{<i}` judged non-relevant; :math:`\epsilon` is 0.00001.  R is the number
    of documents judged relevant.  Yilmaz and Aslam 2006, as trec_eval's ``infAP`` has it.  When
    the whole pool is judged it is AP to within :math:`\epsilon`.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1, or the collection does not say how many judged non-relevant documents stand
        above its hits.

    Examples
    --------
    >>> inferred_average_precision(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    relevant = hits.position - 1
    drawn = relevant + nonrelevant_above(collection, hits, "infAP")
    guess = (relevant + _EPSILON) / (drawn + 2 * _EPSILON)
    unsampled = 0 if hits.unsampled is None else hits.unsampled
    expected = (1 + (drawn + unsampled) * guess) / hits.rank
    return collection.frame(ratio(hits.total(expected), hits.relevant))


@measure("F1", "f1", unanswered=0)
def f1(collection: Collection, *, k: int, rel: int | None = None) -> Scores:
    r"""Harmonic mean of P@k and R@k, :math:`2 P@k R@k / (P@k + R@k)`; in [0, 1].

    0 where no relevant document is among the first k.  ranx's ``f1``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int
        Evaluation depth, 1 or more: only the first k documents of a list count.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k or rel is below 1.

    Examples
    --------
    >>> f1(example(), k=4).round(3).loc["t", "A"]
    np.float64(0.571)
    """
    both = precision(collection, k=k, rel=rel), recall(collection, k=k, rel=rel)
    return ratio(2 * both[0] * both[1], both[0] + both[1])


@measure("SetP", "set_p", unanswered=0, proportional=True)
def set_precision(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""Precision of the whole list, taken as a set, :math:`\sum_i r_i / n`; in [0, 1].

    n is the length of the list; an empty one scores 0.  trec_eval's ``set_P``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> set_precision(example()).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    return collection.frame(ratio(hits.count(...), hits.retrieved))


@measure("SetF", "set_f", unanswered=0)
def set_f(collection: Collection, *, rel: int | None = None, beta: float = 1) -> Scores:
    r"""Harmonic mean of the whole list's precision and recall; in [0, 1].

    :math:`(1 + \beta) P R / (\beta P + R)`, 0 where no relevant document was retrieved; a larger
    :math:`\beta` gives recall more weight.  trec_eval's ``set_F``, whose :math:`\beta` is not
    squared.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.
    beta : float
        Weight of recall, 0 or more: 1 gives it as much as precision, a larger value more.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> set_f(example()).round(3).loc["t", "A"]
    np.float64(0.571)
    """
    if not 0 <= beta < 1e9:
        raise ValueError(f"beta must lie in [0, 1e9), not {beta}")
    precision, recalled = set_precision(collection, rel=rel), recall(collection, rel=rel)
    return ratio((1 + beta) * precision * recalled, beta * precision + recalled)


@measure("NumQ", "num_q", unanswered=1, average=summed, most=np.inf)
def topics(collection: Collection) -> Scores:
    r"""The number of topics, :math:`1` a topic; 0 or more.

    A run's total, not its mean, is what counts.  trec_eval's ``num_q``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.

    Returns
    -------
    DataFrame (topics x systems)
        1; NaN where a system did not answer the topic.

    Examples
    --------
    >>> topics(example()).loc["t", "A"]
    np.float64(1.0)
    """
    return collection.frame(np.ones(collection.retrieved.shape))


@measure("NumRet", "num_ret", unanswered=0, average=summed, most=np.inf)
def retrieved(collection: Collection) -> Scores:
    r"""The number of documents retrieved, :math:`n`; 0 or more.

    A run's total, not its mean, is what counts.  trec_eval's ``num_ret``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.

    Returns
    -------
    DataFrame (topics x systems)
        Documents, 0 or more; NaN where a system did not answer the topic.

    Examples
    --------
    >>> retrieved(example()).loc["t", "A"]
    np.float64(4.0)
    """
    return collection.frame(collection.retrieved)


@measure("NumRelRet", "num_rel_ret", unanswered=0, average=summed, most=np.inf)
def relevant_retrieved(collection: Collection, *, rel: int | None = None) -> Scores:
    r"""The number of relevant documents retrieved, :math:`\sum_i r_i`; 0 or more.

    A run's total, not its mean, is what counts.  trec_eval's ``num_rel_ret``.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more; by default the collection's own threshold.

    Returns
    -------
    DataFrame (topics x systems)
        Documents, 0 or more; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        rel is below 1.

    Examples
    --------
    >>> relevant_retrieved(example()).loc["t", "A"]
    np.float64(2.0)
    """
    return collection.frame(collection.relevance(rel).count(...))


@measure("Judged", unanswered=0, judged=True)
def judged(collection: Collection, *, k: int | None = None) -> Scores:
    r"""The share of the first k documents that is judged, :math:`j / \min(k, n)`; in [0, 1].

    j of the first k have a grade of 0 or more; n is the length of the list.  ir-measures' Judged,
    to which a negative grade is a judgement too.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k is below 1, or the collection was derived, or loaded, without the judged non-relevant
        documents.

    Examples
    --------
    >>> judged(example(), k=4).loc["t", "A"]
    np.float64(0.75)
    """
    known, length = _judged_among(collection, k, "Judged")
    return collection.frame(ratio(known, length))


@measure("Unjudged", unanswered=0, judged=True)
def unjudged(collection: Collection, *, k: int | None = None) -> Scores:
    r"""The share of the first k documents without a judgement, :math:`1 - j / \min(k, n)`.

    It lies in [0, 1], and is 0 for an empty list; see :func:`judged`.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k is below 1, or the collection was derived, or loaded, without the judged non-relevant
        documents.

    Examples
    --------
    >>> unjudged(example(), k=4).loc["t", "A"]
    np.float64(0.25)
    """
    known, length = _judged_among(collection, k, "Unjudged")
    return collection.frame(ratio(length - known, length))


def _sum_of_precisions(hits: Relevance, k: int | None) -> np.ndarray:
    return hits.total(hits.precision, hits.top(bound(k)))


def _first(hits: Relevance, k: int | None) -> np.ndarray:
    """Return where the first relevant document of each list is, if among the first k."""
    return np.flatnonzero(hits.position[hits.top(bound(k))] == 1)


def _judged_among(
    collection: Collection, k: int | None, measure: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many of the first k documents of each list are judged, and how many there are."""
    hits, others = collection.relevance(1), judged_of(collection, measure)
    inside = others[others["rank"] <= bound(k)]
    cells = inside["topic"] * len(collection.systems) + inside["system"]
    count = np.bincount(cells, minlength=hits.retrieved.size).reshape(hits.retrieved.shape)
    return count + hits.count(hits.top(bound(k))), np.minimum(hits.retrieved, bound(k))
