r"""Measures of gain by rank: DCG and nDCG, whose gain can be the grade, and rank-biased precision.

The rules and symbols of :mod:`lib.measures.binary` hold here too.
"""

from collections.abc import Callable

import numpy as np

from lib import pandas_later as pd
from lib.collection import Collection, judged_of
from lib.collection.collection import HIGHEST_UNSTATED, columns_of
from lib.measures.names import (
    Scores,
    bound,
    example,  # noqa: F401 (the examples use it)
    measure,
    ratio,
)

_MOST_POWER = 1000  # of 2, so that the sum of many is a number still


@measure("DCG", unanswered=0, most=np.inf)
def dcg(
    collection: Collection,
    *,
    k: int | None = None,
    gain: str = "grade",
    discount: str = "trec_eval",
) -> Scores:
    r"""Discounted cumulative gain to depth k, :math:`\sum_{i \le k} g_i / d(i)`; 0 or more.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    gain : {"grade", "binary", "exp"}
        The gain of a document: its grade, whatever counts as relevant elsewhere ("grade"); 1 where
        the collection counts it as relevant ("binary"); or 2^g - 1, as gdeval of TREC has it
        ("exp").
    discount : {"trec_eval", "2002"}
        What divides the gain at rank i: log2(i + 1) ("trec_eval"); or Jarvelin and Kekalainen's
        log2(max(2, i)), which leaves the first two ranks undiscounted ("2002").

    Returns
    -------
    DataFrame (topics x systems)
        In units of gain, 0 or more; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k is below 1, or there is no such gain or discount.

    Notes
    -----
    Webber et al. 2010, equation (5), mean the discount of 2002; the paper prints min for max, which
    would divide by zero at rank 1.

    Examples
    --------
    >>> dcg(example()).loc["t", "A"]
    np.float64(1.5)
    """
    if gain == "exp" and (highest := collection.highest_judged or 0) > _MOST_POWER:
        raise ValueError(
            f"{collection.name} has grade {highest}, of which 2^g is no number; nDCG has"
        )
    return collection.frame(
        _dcg(collection, k, gain, discount, np.zeros(len(collection.retrieved)))
    )


def _dcg(
    collection: Collection, k: int | None, gain: str, discount: str, unit: np.ndarray
) -> np.ndarray:
    """Return DCG by list; exponential gains are divided by 2 to the power of a topic's unit."""
    hits = collection.relevance(_counted_from(collection, gain, "exp"))
    power = gain == "exp" and bool(unit.any())

    def discounted(_: Collection) -> np.ndarray:
        divisor = dcg_discount(np.arange(hits.rank.max(initial=0) + 1), discount)
        return _gains(hits.grade, gain, unit[hits.topic]) / divisor[hits.rank]

    each = collection.memoize(("discounted", gain, discount, power), discounted)
    return hits.total(each, hits.top(bound(k)))


@measure(
    "enDCG",
    unanswered=0,
    about="DCG divided by that of a list of all R relevant documents, however small k is.",
    expanded=True,
)
@measure("nDCG", "ndcg_cut", unanswered=0)
def ndcg(
    collection: Collection,
    *,
    k: int | None = None,
    gain: str = "grade",
    discount: str = "trec_eval",
    expanded: bool = False,
) -> Scores:
    r"""DCG divided by that of an ideal list, :math:`DCG@k / \text{ideal } DCG@k`; in [0, 1].

    Jarvelin and Kekalainen 2002; trec_eval's ``ndcg`` and ``ndcg_cut_k`` by default.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    gain : {"grade", "binary", "exp"}
        The gain of a document: its grade, whatever counts as relevant elsewhere ("grade"); 1 where
        the collection counts it as relevant ("binary"); or 2^g - 1, as gdeval of TREC has it
        ("exp").
    discount : {"trec_eval", "2002"}
        What divides the gain at rank i: log2(i + 1) ("trec_eval"); or Jarvelin and Kekalainen's
        log2(max(2, i)), which leaves the first two ranks undiscounted ("2002").
    expanded : bool
        The ideal list holds all R documents (enDCG of Webber et al. 2010), not the best k.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        k is below 1, or there is no such gain or discount.

    Examples
    --------
    >>> ndcg(example(), k=2).round(3).loc["t", "A"]
    np.float64(0.613)
    >>> ndcg(example(), k=2, discount="2002").round(3).loc["t", "A"]
    np.float64(0.5)
    """
    depth = None if expanded else k
    lowest = _counted_from(collection, gain, "exp")
    unit = np.zeros(len(collection.retrieved))  # the highest grade, so that no power is too large
    if gain == "exp":
        relevant = columns_of(collection, "relevant")
        np.maximum.at(unit, relevant["topic"], relevant["grade"])
    best = _ideal(collection, lowest, gain, depth, lambda i: 1 / dcg_discount(i, discount), unit)
    return collection.frame(ratio(_dcg(collection, k, gain, discount, unit), best))


@measure(
    "nRBP",
    unanswered=0,
    about="RBP divided by the RBP of the best list of k documents.",
    normalized=True,
)
@measure("RBP", unanswered=0)
def rbp(
    collection: Collection,
    *,
    p: float,
    k: int | None = None,
    rel: int | None = None,
    gain: str = "binary",
    normalized: bool = False,
) -> Scores:
    r"""Rank-biased precision to depth k, :math:`(1-p) \sum_{i \le k} g_i p^{i-1}`; in [0, 1].

    Moffat and Zobel 2008; Webber et al. 2010, equation (6): the base value, which counts unjudged
    documents as non-relevant.  :func:`rbp_tail` is what lies beyond.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    p : float
        Persistence, 0 <= p < 1: the chance that a reader goes on from a document to the next.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.
    rel : int, optional
        Lowest grade that counts as relevant, 1 or more, where the gain is binary; by default the
        collection's own threshold.
    gain : {"binary", "grade"}
        The gain of a document: 1 if it is relevant ("binary"); or its grade divided by the highest
        grade of the scale, which the collection states ("grade").
    normalized : bool
        Divide by the score of the best list of k documents (nRBP of Webber et al. 2010).

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        p, k or rel is out of its range; there is no such gain; or the gain is the grade, and rel is
        given or the collection does not state its highest grade.

    Examples
    --------
    >>> rbp(example(), p=0.5).loc["t", "A"]
    np.float64(0.625)
    """
    _check_persistence(p)
    lowest = _counted_from(collection, gain) if rel is None else rel
    scale = 1.0
    if gain == "grade":
        if rel is not None:
            raise ValueError("rel goes with gain=binary alone")
        scale = 1 / collection.top_of_scale()
    hits = collection.relevance(lowest)
    inside = hits.top(bound(k))
    gains = scale * _gains(hits.grade[inside], gain)
    base = (1 - p) * hits.total(gains * p ** (hits.rank[inside] - 1.0), inside)
    if normalized:
        best = _ideal(collection, lowest, gain, k, lambda i: scale * (1 - p) * p ** (i - 1.0))
        base = ratio(base, best)
    return collection.frame(base)


@measure("RBPtail", unanswered=1)
def rbp_tail(collection: Collection, *, p: float, k: int | None = None) -> Scores:
    r"""The most that documents beyond a list's end, or beyond depth k, could add to its RBP.

    :math:`p^n`, with n the smaller of k and the length of the list; in (0, 1].  Moffat and Zobel
    2008, section 3.  Unjudged documents within the list are not counted here.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    p : float
        Persistence, 0 <= p < 1: the chance that a reader goes on from a document to the next.
    k : int, optional
        Evaluation depth, 1 or more: only the first k documents count.  By default the whole list
        counts.

    Returns
    -------
    DataFrame (topics x systems)
        In (0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        p or k is out of its range.

    Examples
    --------
    >>> rbp_tail(example(), p=0.5).loc["t", "A"]
    np.float64(0.0625)
    """
    _check_persistence(p)
    length = np.minimum(collection.relevance().retrieved, bound(k))
    return collection.frame(p ** length.astype(float))


@measure("RBPresidual", unanswered=1, judged=True)
def rbp_residual(collection: Collection, *, p: float) -> Scores:
    r"""The most that all unjudged documents and the list's end could add to RBP; in [0, 1].

    :math:`1 - (1 - p) \sum_i j_i p^{i - 1}`, with :math:`j_i` 1 where the document at rank i is
    judged.  Moffat and Zobel 2008.

    Parameters
    ----------
    collection : Collection
        Runs and judgements.
    p : float
        Persistence, 0 <= p < 1: the chance that a reader goes on from a document to the next.

    Returns
    -------
    DataFrame (topics x systems)
        In [0, 1]; NaN where a system did not answer the topic.

    Raises
    ------
    ValueError
        p is out of its range, or the collection was derived, or loaded, without the judged
        non-relevant documents.

    Examples
    --------
    >>> rbp_residual(example(), p=0.5).loc["t", "A"]
    np.float64(0.125)
    """
    _check_persistence(p)
    hits, others = collection.relevance(1), judged_of(collection, "the residual of RBP")
    cell = others["topic"].to_numpy(int) * len(collection.systems) + others["system"].to_numpy()
    cell = np.concatenate([hits.cell, cell])
    rank = np.concatenate([hits.rank, others["rank"]])
    known = np.bincount(cell, (1 - p) * p ** (rank - 1.0), minlength=hits.retrieved.size)
    return collection.frame(1 - known.reshape(hits.retrieved.shape))


@measure("ERR", unanswered=0)
def expected_reciprocal_rank(collection: Collection, *, k: int | None = None) -> Scores:
    r"""Expected reciprocal rank, :math:`\sum_{i \le k} \frac{s_i}{i} \prod_{j < i} (1 - s_j)`.

    It lies in [0, 1].  A reader goes down the list and is satisfied by the document at rank i with
    the chance :math:`s_i = (2^{g_i} - 1) / 2^G`.  G is the highest grade of the scale where the
    collection states it, as it must where a grade is above 4; else 4, as TREC's gdeval has it.

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
        k is below 1.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan, CIKM 2009 (not read); gdeval.

    Examples
    --------
    >>> expected_reciprocal_rank(example(), k=1).loc["t", "A"]
    np.float64(0.0625)
    """
    hits = collection.relevance(1)
    inside = hits.top(bound(k))
    order = np.argsort(hits.cell[inside], kind="stable")  # list by list, by rank in each
    cell, rank, grade = (of[inside][order] for of in (hits.cell, hits.rank, hits.grade))
    top = float(collection.top_of_scale(HIGHEST_UNSTATED))
    satisfied = np.exp2(grade - top) - np.exp2(-top)
    # Multiplied list by list, so that a score does not depend on the lists before it.
    goes_on = pd.Series(1 - satisfied).groupby(cell).cumprod()
    reaches = goes_on.groupby(cell).shift(fill_value=1.0).to_numpy()
    total = np.bincount(cell, satisfied / rank * reaches, minlength=hits.retrieved.size)
    return collection.frame(total.reshape(hits.retrieved.shape))


def persistence(*, residual: float, k: int) -> float:
    r"""Return the p of RBP with which a residual remains beyond depth k, :math:`p = r^{1/k}`.

    Webber et al. 2010, equation (7).

    Parameters
    ----------
    residual : float
        What RBP leaves to the ranks beyond k, in (0, 1).
    k : int
        Depth, 1 or more.

    Returns
    -------
    float
        In (0, 1).

    Raises
    ------
    ValueError
        The residual or k is out of its range.

    Examples
    --------
    >>> [round(persistence(residual=0.1, k=k), 4) for k in (10, 100, 1000)]
    [0.7943, 0.9772, 0.9977]
    """
    if not 0 < residual < 1:
        raise ValueError(f"residual must lie in (0, 1), not {residual}")
    return residual ** (1 / bound(k))


def dcg_discount(rank: np.ndarray, name: str) -> np.ndarray:
    """Return what DCG divides the gain at a rank by; see :func:`dcg` for the names.

    Parameters
    ----------
    rank : ndarray
        Ranks, from 1.
    name : {"trec_eval", "2002"}
        Which of the two.

    Returns
    -------
    ndarray
        Of the shape of ``rank``; 1 or more.

    Raises
    ------
    ValueError
        There is no such discount.

    Examples
    --------
    >>> dcg_discount(np.array([1, 2, 4]), "2002")
    array([1., 1., 2.])
    """
    if name == "trec_eval":
        return np.log2(rank + 1.0)
    if name == "2002":
        return np.log2(np.maximum(rank, 2.0))
    raise ValueError(f"discount must be 'trec_eval' or '2002', not {name!r}")


def _check_persistence(p: float) -> None:
    if not 0 <= p < 1:
        raise ValueError(f"p must lie in [0, 1), not {p}")


def _counted_from(collection: Collection, gain: str, *others: str) -> int:
    """Return the lowest grade that gains something; of gains that a measure knows."""
    if gain not in (known := ("grade", "binary", *others)):
        raise ValueError(f"gain must be {' or '.join(map(repr, known))}, not {gain!r}")
    return collection.relevant_from if gain == "binary" else 1


def _gains(grades: np.ndarray, gain: str, unit: np.ndarray | float = 0.0) -> np.ndarray:
    if gain == "exp":
        return np.exp2(grades - unit) - np.exp2(-unit)
    return grades.astype(float) if gain == "grade" else np.ones(len(grades))


def _ideal(
    collection: Collection,
    lowest: int,
    gain: str,
    k: int | None,
    weight: Callable[[np.ndarray], np.ndarray],
    unit: np.ndarray | None = None,
) -> np.ndarray:
    """Score the best list of k documents of each topic: shape (topics, 1)."""
    relevant = columns_of(collection, "relevant")
    topic, grade = (np.asarray(relevant[column]) for column in ("topic", "grade"))
    topic, grade = topic[grade >= lowest], grade[grade >= lowest]
    order = np.lexsort((-grade, topic))
    topic = topic[order]
    gains = _gains(grade[order], gain, 0.0 if unit is None else unit[topic])
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    kept = rank <= bound(k)
    best = np.bincount(topic[kept], (gains * weight(rank))[kept], len(collection.retrieved))
    return best[:, None]
