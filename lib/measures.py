r"""Effectiveness measures on a Collection, each a table of scores (topics x systems).

Rules that hold for every measure here, as in trec_eval:

- a topic without relevant documents scores 0;
- a topic that a run did not answer is NaN; :func:`lib.scoring.means` says what becomes of it;
- a list shorter than the depth k counts as followed by non-relevant documents;
- grades below ``rel`` (by default 1) are non-relevant; documents without a judgement are too.

``r_i`` is 1 when the document at rank i is relevant, else 0; ``g_i`` is its grade, R the number
of relevant documents of the topic, k the evaluation depth (None: the whole list).  Each function
takes a Collection first and keyword options after it, and returns a DataFrame (topics x systems).
The examples score one list, relevant at ranks 1 and 3, with a third relevant document not found.
"""

import numpy as np

__all__ = [
    "abbreviated_average_precision",
    "average_precision",
    "bpref",
    "dcg",
    "dcg_discount",
    "generalized_success",
    "interpolated_precision",
    "log_average_precision",
    "ndcg",
    "persistence",
    "precision",
    "r_precision",
    "rbp",
    "rbp_residual",
    "recall",
    "reciprocal_rank",
    "success",
]


def precision(collection, *, k, rel=1):
    r"""Precision at depth k, :math:`\sum_{i \le k} r_i / k`; in [0, 1].

    Webber et al. 2010, equation (1).  trec_eval's ``P_k``: the divisor is k for short lists too.

    Examples
    --------
    >>> precision(example(), k=4).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.count(hits.rank <= _depth(k)) / k)


def recall(collection, *, k=None, rel=1):
    r"""Recall at depth k, :math:`\sum_{i \le k} r_i / R`; in [0, 1].

    Webber et al. 2010, equation (2).  trec_eval's ``recall_k``.

    Examples
    --------
    >>> recall(example(), k=4).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    hits = collection.relevance(rel)
    return collection.frame(_ratio(hits.count(hits.rank <= _depth(k)), hits.relevant))


def average_precision(collection, *, k=None, rel=1):
    r"""Average precision to depth k, :math:`\frac{1}{R} \sum_{i \le k} r_i P@i`; in [0, 1].

    Webber et al. 2010, equation (3): normalized by all R relevant documents ("expanded").
    trec_eval's ``map`` and ``map_cut_k``.

    Examples
    --------
    >>> average_precision(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    return collection.frame(_ratio(_sum_of_precisions(hits, k), hits.relevant))


def abbreviated_average_precision(collection, *, k, rel=1):
    r"""Abbreviated AP, :math:`\frac{1}{\min(k,R)} \sum_{i \le k} r_i P@i`; in [0, 1].

    Webber et al. 2010, equation (4): a perfect list of k documents scores 1 even when R > k.

    Examples
    --------
    >>> abbreviated_average_precision(example(), k=2).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    best = np.minimum(_depth(k), hits.relevant)
    return collection.frame(_ratio(_sum_of_precisions(hits, k), best))


def log_average_precision(collection, *, rel=1, floor=1e-5):
    r"""Natural logarithm of AP, :math:`\ln \max(AP, \text{floor})`; in [ln floor, 0].

    GMAP is the exponential of its mean over topics (Robertson 2006; trec_eval's ``gm_map``, whose
    floor is 0.00001); :func:`lib.scoring.means` takes it.

    Examples
    --------
    >>> log_average_precision(example()).round(3).loc["t", "A"]
    np.float64(-0.588)
    """
    return np.log(average_precision(collection, rel=rel).clip(lower=floor))


def reciprocal_rank(collection, *, k=None, rel=1):
    r"""Reciprocal of the rank of the first relevant document, 0 if there is none; in [0, 1].

    trec_eval's ``recip_rank``; with k, 0 when the first stands deeper.

    Examples
    --------
    >>> reciprocal_rank(example()).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    first = (hits.position == 1) & (hits.rank <= _depth(k))
    return collection.frame(hits.total(1 / hits.rank, first))


def success(collection, *, k, rel=1):
    r"""Whether a relevant document stands among the first k; 0 or 1.

    trec_eval's ``success_k``.

    Examples
    --------
    >>> success(example(), k=1).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    first = (hits.position == 1) & (hits.rank <= _depth(k))
    return collection.frame(hits.count(first))


def generalized_success(collection, *, rel=1, base=1.08):
    r"""Generalized Success@10, :math:`1.08^{1-r}`, r the rank of the first relevant document.

    Tomlinson 2006, section 4; 0 when no relevant document is retrieved; in [0, 1].

    Examples
    --------
    >>> generalized_success(example()).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    return collection.frame(hits.total(base ** (1.0 - hits.rank), hits.position == 1))


def r_precision(collection, *, rel=1):
    r"""Precision at rank R, the number of relevant documents; in [0, 1].

    trec_eval's ``Rprec``.

    Examples
    --------
    >>> r_precision(example()).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    hits = collection.relevance(rel)
    deep = _by_topic(hits, hits.relevant)
    return collection.frame(_ratio(hits.count(hits.rank <= deep), hits.relevant))


def interpolated_precision(collection, *, recall, rel=1):
    r"""The highest precision at any rank where at least this recall is reached; in [0, 1].

    trec_eval's ``iprec_at_recall``, versions 8 and 9: recall x is reached with
    ``int(x * R + 0.9)`` relevant documents (version 10 rounds to the nearest number instead; the
    two can differ by most of the scale on one topic).

    Parameters
    ----------
    recall : float
        In [0, 1]; 0 asks for the highest precision at any rank.

    Examples
    --------
    >>> interpolated_precision(example(), recall=0.5).round(3).loc["t", "A"]
    np.float64(0.667)
    """
    if not 0 <= recall <= 1:
        raise ValueError(f"recall must lie in [0, 1], not {recall}")
    hits = collection.relevance(rel)
    needed = _by_topic(hits, (recall * hits.relevant + 0.9).astype(int))
    best = np.zeros(hits.retrieved.size)
    enough = hits.position >= needed
    np.maximum.at(best, hits.cell[enough], (hits.position / hits.rank)[enough])
    return collection.frame(best.reshape(hits.retrieved.shape))


def bpref(collection, *, rel=1):
    r"""Binary preference: how rarely judged non-relevant documents stand above relevant ones.

    :math:`\frac{1}{R} \sum_{r} \left(1 - \frac{\min(n_r, R)}{\min(N, R)}\right)` over the relevant
    documents retrieved, with :math:`n_r` of the N judged non-relevant documents above r; in [0, 1].
    Buckley and Voorhees 2004, with the divisor of trec_eval's ``bpref``.

    Raises
    ------
    ValueError
        The collection does not say how many judged non-relevant documents stand above its hits.

    Examples
    --------
    >>> bpref(example()).round(3).loc["t", "A"]
    np.float64(0.5)
    """
    hits = collection.relevance(rel)
    if hits.nonrelevant is None:
        raise ValueError(
            f"{collection.name}: Bpref needs the judged non-relevant documents, which a re-pooled "
            "collection does not know; derive it with --judged and load it with judged=True"
        )
    relevant = _by_topic(hits, hits.relevant)
    bound = np.minimum(relevant, _by_topic(hits, hits.judged - hits.relevant))
    above = np.minimum(hits.nonrelevant, relevant)
    preferred = 1 - np.divide(above, bound, out=np.zeros(len(above)), where=above > 0)
    return collection.frame(_ratio(hits.total(preferred), hits.relevant))


def dcg(collection, *, k=None, rel=None, discount="trec_eval"):
    r"""Discounted cumulative gain to depth k, :math:`\sum_{i \le k} g_i / d(i)`; 0 or more.

    Parameters
    ----------
    rel : int, optional
        None: the gain is the grade.  A number: the gain is 1 for this grade or more (binary).
    discount : {"trec_eval", "2002"}
        d(i) = log2(i + 1), or Jarvelin and Kekalainen's log2(max(2, i)), which leaves the first
        two ranks undiscounted.  Webber et al. 2010, equation (5), mean the latter; the paper prints
        min for max, which would divide by zero at rank 1.

    Examples
    --------
    >>> dcg(example()).loc["t", "A"]
    np.float64(1.5)
    """
    hits = collection.relevance(1 if rel is None else rel)
    inside = hits.rank <= _depth(k)
    gain = _gains(hits.grade, rel)
    return collection.frame(hits.total(gain / dcg_discount(hits.rank, discount), inside))


def ndcg(collection, *, k=None, rel=None, discount="trec_eval", ideal="abbreviated"):
    r"""DCG divided by that of an ideal list; in [0, 1].

    Jarvelin and Kekalainen 2002; trec_eval's ``ndcg`` and ``ndcg_cut_k`` by default.

    Parameters
    ----------
    rel, discount
        As in :func:`dcg`.
    ideal : {"abbreviated", "expanded"}
        The ideal list holds the best k documents, or all R (enDCG of Webber et al. 2010).

    Examples
    --------
    >>> ndcg(example(), k=2).round(3).loc["t", "A"]
    np.float64(0.613)
    >>> ndcg(example(), k=2, discount="2002").round(3).loc["t", "A"]
    np.float64(0.5)
    """
    if ideal not in ("abbreviated", "expanded"):
        raise ValueError(f"ideal must be 'abbreviated' or 'expanded', not {ideal!r}")
    depth = k if ideal == "abbreviated" else None
    best = _ideal(collection, rel, depth, lambda rank: 1 / dcg_discount(rank, discount))
    return _ratio(dcg(collection, k=k, rel=rel, discount=discount), best)


def rbp(collection, *, p, k=None, rel=None, gain=None, normalized=False):
    r"""Rank-biased precision to depth k, :math:`(1-p) \sum_{i \le k} g_i p^{i-1}`; in [0, 1].

    Moffat and Zobel 2008; Webber et al. 2010, equation (6): the base value, which counts unjudged
    documents as non-relevant.  :func:`rbp_residual` is what lies beyond.

    Parameters
    ----------
    p : float
        Persistence, 0 <= p < 1.
    rel : int, optional
        None: gains are graded.  A number: the gain is 1 for this grade or more.
    gain : callable, optional
        Grades (an integer array) to gains in [0, 1]; by default the grade divided by the highest
        grade in the collection, so that binary judgements gain 1.
    normalized : bool
        Divide by the score of the best list of k documents (nRBP of Webber et al. 2010).

    Examples
    --------
    >>> rbp(example(), p=0.5).loc["t", "A"]
    np.float64(0.625)
    """
    if not 0 <= p < 1:
        raise ValueError(f"p must lie in [0, 1), not {p}")
    hits = collection.relevance(1 if rel is None else rel)
    if rel is None and gain is None:
        highest = collection.relevant["grade"].max()

        def gain(grades):
            return grades / highest

    gains = _gains(hits.grade, rel, gain)
    inside = hits.rank <= _depth(k)
    base = collection.frame((1 - p) * hits.total(gains * p ** (hits.rank - 1.0), inside))
    if not normalized:
        return base
    return _ratio(base, _ideal(collection, rel, k, lambda i: (1 - p) * p ** (i - 1.0), gain))


def rbp_residual(collection, *, p, k=None):
    r"""The most that documents beyond a list's end, or beyond depth k, could add to its RBP.

    :math:`p^n`, with n the smaller of k and the length of the list; in (0, 1].  Moffat and Zobel
    2008, section 3.  Unjudged documents within the list are not counted here.

    Examples
    --------
    >>> rbp_residual(example(), p=0.5).loc["t", "A"]
    np.float64(0.0625)
    """
    if not 0 <= p < 1:
        raise ValueError(f"p must lie in [0, 1), not {p}")
    length = np.minimum(collection.relevance().retrieved, _depth(k))
    return collection.frame(p ** length.astype(float))


def persistence(*, residual, k):
    r"""The p of RBP with which a residual remains beyond depth k, :math:`p = r^{1/k}`.

    Webber et al. 2010, equation (7).

    Examples
    --------
    >>> [round(persistence(residual=0.1, k=k), 4) for k in (10, 100, 1000)]
    [0.7943, 0.9772, 0.9977]
    """
    if not 0 < residual < 1:
        raise ValueError(f"residual must lie in (0, 1), not {residual}")
    return residual ** (1 / _depth(k))


def example():
    """Return the collection that the examples of this module score.

    >>> example()
    Collection('toy': 1 systems, 1 topics, 3 relevant documents, 2 hits)
    """
    from lib.collection import Collection

    judged = {"r": 1, "s": 1, "missed": 1, "x": 0, "y": 0}
    return Collection.from_rankings({"A": {"t": ["r", "x", "s", "u"]}}, {"t": judged})


def _depth(k):
    """Return k as a bound for ranks; None is no bound."""
    if k is None:
        return np.inf
    if k < 1:
        raise ValueError(f"the depth k must be 1 or more, not {k}")
    return k


def _ratio(numerator, divisor):
    """Divide; 0 where the divisor, and so the numerator, is 0."""
    return numerator / np.where(divisor > 0, divisor, 1)


def _by_topic(hits, values):
    """Repeat a value of each topic, shape (topics, 1), for each of its hits."""
    return values[hits.cell // hits.retrieved.shape[1], 0]


def _sum_of_precisions(hits, k):
    return hits.total(hits.position / hits.rank, hits.rank <= _depth(k))


def dcg_discount(rank, name):
    """Return what DCG divides the gain at a rank by; see :func:`dcg` for the names.

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


def _gains(grades, rel, gain=None):
    if rel is not None:
        return np.ones(len(grades))
    return gain(grades) if gain else grades.astype(float)


def _ideal(collection, rel, k, weight, gain=None):
    """Score the best list of k documents of each topic: shape (topics, 1)."""
    relevant = collection.relevant
    relevant = relevant[relevant["grade"] >= (1 if rel is None else rel)]
    relevant = relevant.sort_values(["topic", "grade"], ascending=[True, False])
    topic = relevant["topic"].to_numpy()
    rank = np.arange(len(topic)) - np.searchsorted(topic, topic) + 1
    gains = _gains(relevant["grade"].to_numpy(), rel, gain)
    kept = rank <= _depth(k)
    best = np.bincount(topic[kept], (gains * weight(rank))[kept], len(collection.topics))
    return best[:, None]
