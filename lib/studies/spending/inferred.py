"""Inferred AP: average precision from a random sample of the pool's judgements."""

import numpy as np
import pandas as pd

from lib.collection import Collection

__all__ = ["inferred_average_precision"]

EPSILON = 1e-5  # trec_eval's, added to the counts of relevant and of non-relevant documents


def inferred_average_precision(
    pool: Collection, judged: Collection, *, rel: int = 1
) -> pd.DataFrame:
    r"""Estimate average precision from a sample of the documents of a pool.

    :math:`\frac{1}{\hat R} \sum_r \left(\frac1r + \frac{d_r}{r}
    \frac{g_r + \epsilon}{g_r + n_r + 2 \epsilon}\right)` over the sampled relevant documents, at
    ranks r, with :math:`d_r` documents of the pool above, of which :math:`g_r` sampled ones are
    relevant and :math:`n_r` are not, and :math:`\hat R` the sampled relevant documents of the
    topic.  trec_eval's ``infAP``.

    Parameters
    ----------
    pool : Collection
        Judged from the whole pool, with its judged non-relevant documents.
    judged : Collection
        Judged from the sample.
    rel : int
        The lowest grade that counts as relevant.

    Returns
    -------
    DataFrame (topics x systems)
        NaN where a system did not answer; 0 for a topic without sampled relevant documents.

    References
    ----------
    Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments,
    CIKM 2006.

    Examples
    --------
    The whole pool is the sample, and every document is in it: average precision but for epsilon.

    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["r", "n", "s"]}}, {"t": {"r": 1, "s": 1, "n": 0}}, judged=True)
    >>> inferred_average_precision(toy, toy).round(4).loc["t", "A"]
    np.float64(0.8333)
    """
    hits, whole = judged.relevance(rel), pool.relevance(rel)
    if hits.nonrelevant is None or whole.nonrelevant is None:
        raise ValueError(f"{pool.name}: inferred AP needs the judged non-relevant documents")
    key = whole.cell * (whole.rank.max(initial=0) + 1) + whole.rank
    order = np.argsort(key)
    at = order[np.searchsorted(key[order], hits.cell * (whole.rank.max(initial=0) + 1) + hits.rank)]
    in_pool = (whole.position + whole.nonrelevant)[at] - 1
    good, bad = hits.position - 1, hits.nonrelevant
    share = (good + EPSILON) / (good + bad + 2 * EPSILON)
    total = hits.total((1 + in_pool * share) / hits.rank)
    return judged.frame(total / np.maximum(hits.relevant, 1))
